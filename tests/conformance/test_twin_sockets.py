"""A browser's socket: two matches that differ only in what its viewer may not know send it the same bytes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime
from math import ceil
from pathlib import Path

import pytest

from game.choices import draw
from game.contract import Action, Seat, Step, Viewer, Watcher
from game.rng import Rng
from server.matches.conditional_moves import Given
from server.matches.model import AnyViewerState
from server.session.places import Landing
from tests.boards.positions import NAMES, person
from tests.conformance.play import TINY, Case, cases, drawn_of, holds
from tests.session.browsing import Browsing, browse
from tests.session.conftest import drawing_costs_nothing
from tests.session.fakeserver import FakeServer, account
from tests.session.stage import StagedMatch

__all__ = ["drawing_costs_nothing"]  # a fixture
CASES = [case for case in cases() if case.is_base and case.key not in (TINY, "hex")]
SEES: dict[str, Viewer] = {"public": Watcher.PUBLIC, "plain": Watcher.PLAIN, "seat": Seat(1)}
FEW = list({case.key: case for case in CASES}.values())  # the largest table of each game
STEPS, LONG = 24, 40
WATCHER = "guest-looking"


@pytest.fixture(autouse=True)
def proposals_are_drawn_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let both propose the same cards to place: what a page proposes is drawn at random."""
    monkeypatch.setattr("server.screens.answering.secrets.token_bytes", bytes)


class TwinMatch(StagedMatch):
    """A match whose state is what the test says; what a page would do by itself is not done."""

    async def act(
        self, seat: Seat, action: str, at_seq: int, arrived: datetime | None = None, conditions: Given = ()
    ) -> int:
        return self.seq

    def become(self, step: Step[object]) -> None:
        """Go on to this state, in which this happened."""
        self.state, self.seq = step.state, self.seq + 1
        self.seen += [(self.seq, event) for event in step.events]
        self.tell()


class LeakingMatch(TwinMatch):
    """A match that shows everybody everything."""

    def snapshot(self, viewer: Viewer) -> AnyViewerState:
        shown = super().snapshot(viewer)
        leaks = isinstance(viewer, Watcher)
        return replace(shown, view=self.rules.view(self.state, Watcher.OMNISCIENT)) if leaks else shown


class World:
    """A server with one match, and who looks at it in a browser."""

    def __init__(self, server: FakeServer, match: TwinMatch, looking: Browsing) -> None:
        self.server, self.match, self.looking = server, match, looking

    async def sent(self) -> list[bytes]:
        """Return all that the page has got by now."""
        self.looking.session.dirty()
        await self.looking.settle()
        return self.looking.page.messages


@asynccontextmanager
async def world(
    migrated: Path, case: Case, viewer: Viewer, state: object, kind: type[TwinMatch]
) -> AsyncIterator[World]:
    """Open a server in which somebody looks at a match in this state."""
    server = FakeServer(migrated)
    await server.start()
    try:
        made = kind(case.key, tuple(map(person, NAMES[: case.n_seats])))
        made.state, made.keeps_hands = state, viewer is Watcher.PLAIN
        server.matches.add(made)
        who = replace(account(WATCHER if isinstance(viewer, Watcher) else NAMES[viewer]), browser="1")
        yield World(server, made, await browse(server, who, 120, 40, Landing("watch", made.id)))
    finally:
        await server.close()


def seen(case: Case, step: Step[object], viewer: Viewer) -> tuple[object, ...]:
    """Return all that a viewer learns from a step."""
    told = [(event.kind, event.seen_by(viewer)) for event in step.events]
    asked = [(one.seat, one.window) for one in case.game.pending(step.state)]
    return case.game.view(step.state, viewer), [one for one in told if one[1] is not None], asked


async def compare(
    migrated: Path, case: Case, viewer: Viewer, seed: bytes, most: int, kind: type[TwinMatch] = TwinMatch
) -> int:
    """Play a match at random beside a twin that this viewer can't tell apart; return how many steps it had.

    Where the same decision tells them apart, or only one of them has it, the twin is drawn anew.
    """
    game, rng = case.game, Rng(seed)
    start = game.setup({}, case.n_seats, seed, case.seat_options).state

    def twin(state: object) -> object:
        nonlocal rng
        stream, rng = rng.split()
        return game.determinize(game.view(state, viewer), stream)

    first, second, steps = twin(start), twin(start), 0
    async with (
        world(migrated, case, viewer, first, kind) as one,
        world(migrated, case, viewer, second, kind) as other,
    ):
        while await one.sent() == await other.sent() and steps < most and (owed := game.pending(first)):
            pending, rng = rng.choose(owed)
            action, rng = draw(pending.choice, rng)
            step = game.apply(first, pending.seat, action)
            same = after(case, second, pending.seat, action)
            if same is None or seen(case, same, viewer) != seen(case, step, viewer):
                same = Step(twin(step.state), step.events)
            first, second, steps = step.state, same.state, steps + 1
            one.match.become(step)
            other.match.become(same)
        assert await one.sent() == await other.sent(), f"{case} for {viewer} at step {steps}, seed {seed.hex()}"
    return steps


def after(case: Case, state: object, seat: Seat, action: Action) -> Step[object] | None:
    """Return what a decision leads to, None: this state has no such decision."""
    has_it = any(one.seat == seat and holds(one.choice, action) for one in case.game.pending(state))
    return case.game.apply(state, seat, action) if has_it else None


def matches_of(case: Case, in_all: int) -> int:
    return ceil(in_all / len(CASES) / len(SEES))


@pytest.mark.parametrize("viewer", SEES.values(), ids=SEES)
@pytest.mark.parametrize("case", FEW, ids=str)
async def test_no_byte_of_a_socket_tells_twins_apart(case: Case, viewer: Viewer, migrated_file: Path) -> None:
    assert await compare(migrated_file, case, viewer, drawn_of(f"socket {case} {viewer}"), STEPS)


@pytest.mark.soak
@pytest.mark.parametrize("viewer", SEES.values(), ids=SEES)
@pytest.mark.parametrize("case", CASES, ids=str)
async def test_no_byte_of_a_socket_tells_a_thousand_twins_apart(
    case: Case, viewer: Viewer, migrated_file: Path
) -> None:
    for n in range(matches_of(case, 1_000)):
        await compare(migrated_file, case, viewer, drawn_of(f"socket {case} {viewer} {n}"), LONG)


@pytest.mark.parametrize("key", sorted({"netrunner", "rainet"} & {case.key for case in CASES}))
async def test_the_test_sees_a_match_that_shows_everything(key: str, migrated_file: Path) -> None:
    case = next(case for case in CASES if case.key == key)
    with pytest.raises(AssertionError, match="at step"):
        await compare(migrated_file, case, Watcher.PUBLIC, drawn_of(f"leaking {key}"), STEPS, LeakingMatch)
