"""Every game: each message key that comes up is in its table, with the parameters it was given."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType

import pytest

from game import messages as shared
from game.contract import Event
from tests.conformance.play import HOMES, Case, cases, keys, module_of, played

ROOT = Path(__file__).parents[2]
CASES = cases()
Table = Mapping[str, tuple[str, ...]]


def messages_of(key: str) -> ModuleType:
    """Return a game's table of messages."""
    return module_of(key, "messages")


@pytest.fixture(params=CASES, ids=str)
def case(request: pytest.FixtureRequest) -> Case:
    chosen: Case = request.param
    return chosen


def test_events_and_prompts_and_reasons_are_in_the_table(case: Case) -> None:
    game, table = case.game, messages_of(case.key)
    events: Table = table.EVENTS
    for moment in played(case) + played(case, disturbed=True):
        for event in moment.events:
            for params in told(event):
                assert set(params) <= set(events[f"{case.key}.event.{event.kind}"]), event
        for pending in game.pending(moment.fold.state):
            given = {name for name, _ in pending.params}
            known = set(table.PROMPTS[f"{case.key}.prompt.{pending.prompt}"])
            assert given == known if case.version is None else given <= known, "older rules may tell less"
        if moment.fold.result is not None:
            assert f"{case.key}.reason.{moment.fold.result.reason}" in table.REASONS


def told(event: Event) -> Iterator[Mapping[str, object]]:
    """Yield the parameters of each form of an event."""
    yield event.public or {}
    yield from (event.private or {}).values()


@pytest.mark.parametrize("key", keys())
def test_every_error_that_the_rules_raise_is_in_the_table(key: str) -> None:
    folder = ROOT / HOMES.get(key, f"game/{key}").replace(".", "/")
    table: Table = messages_of(key).ERRORS
    said = {
        name for path in folder.rglob("*.py") for name in re.findall(rf'"({key}\.error\.[a-z0-9-]+)"', path.read_text())
    }
    assert said <= set(table)
    assert all(name.startswith(f"{key}.error.") for name in table)


def test_every_error_that_all_games_share_is_in_its_table() -> None:
    raised = re.compile(r'(?:BadNotation|IllegalAction)\(\s*"([a-z]+\.[a-z-]+)"')
    said = {name for path in (ROOT / "game").glob("*.py") for name in raised.findall(path.read_text())}
    assert {name for name in said if not name.startswith(("usage.", "bot."))} == set(shared.ERRORS)


@pytest.mark.parametrize("key", keys())
def test_keys_are_of_their_table(key: str) -> None:
    table = messages_of(key)
    for kind, names in {"prompt": table.PROMPTS, "event": table.EVENTS, "reason": table.REASONS}.items():
        assert all(re.fullmatch(rf"{key}\.{kind}\.[a-z0-9-]+", name) for name in names)
