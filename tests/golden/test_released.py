"""Matches of every released version fold to the states they always folded to, entry by entry."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from game import registry
from game.record import verify
from tests.golden.released.plans import PLANS
from tests.golden.released.written import FOLDER, followed, read, released


def name_of(path: Path) -> str:
    return "-".join((path.parts[-3], path.parts[-2], path.stem))


@pytest.mark.parametrize("path", released(), ids=name_of)
def test_a_released_match_goes_as_it_went_then(path: Path) -> None:
    record = read(path)
    assert (record.header.game, str(record.header.rules_version)) == path.parts[-3:-1]
    assert verify(record).differs == ()
    game = registry.get(record.header.game, record.header.rules_version)
    for entry, stands, told in list(followed(game, record.header, record.entries))[1:]:
        assert (stands, told) == (entry.data["stands"], entry.data["told"]), f"entry {entry.seq}"


@pytest.mark.parametrize("key", registry.KEYS)
def test_every_version_that_was_followed_by_another_has_its_matches(key: str) -> None:
    for version in range(1, max(2, registry.get(key).version)):
        names = {path.stem for path in (FOLDER / key / str(version)).glob("*.jsonl")}
        assert names == {plan.name for plan in PLANS[key]}, (
            f"python -m tests.golden.released {key}, at version {version}"
        )


def test_a_rule_that_changed_sends_the_same_actions_another_way() -> None:
    record = read(FOLDER / "netrunner" / "1" / "starters.jsonl")
    newest = registry.get("netrunner").version
    assert verify(replace(record, header=replace(record.header, rules_version=newest))).differs
