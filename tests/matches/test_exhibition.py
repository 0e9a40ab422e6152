"""The exhibition of built-in players: it goes on while somebody looks, at a pace, behind everybody who waits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest

from game.choices import draw
from game.contract import Action, Pending, Watcher
from game.rng import Rng
from server.matches.exhibition import END_S, PACE_S, Exhibition
from server.matches.fairqueue import QueuePath
from tests.clocks import FakeClock


class Drawing:
    """A pool whose bots draw at random."""

    def __init__(self) -> None:
        self.has_free_place = True
        self.asked: list[str] = []

    async def decide(
        self, game: str, level: str, view: Any, pending: Pending, seed: bytes, paths: Sequence[QueuePath]
    ) -> Action:
        self.asked.append(game)
        assert view.viewer == pending.seat, "a bot knows what its seat knows"
        return draw(pending.choice, Rng(seed))[0]


class Stage:
    """An exhibition in hand-moved time."""

    def __init__(self) -> None:
        self.clock, self.pool = FakeClock(), Drawing()
        self.exhibition = Exhibition(self.clock, self.pool)
        self.heard = 0

    def hear(self) -> None:
        self.heard += 1

    async def wait(self, seconds: float = PACE_S) -> None:
        self.clock.pass_time(seconds)
        for _ in range(4):
            await asyncio.sleep(0)

    @property
    def seq(self) -> int:
        shown = self.exhibition.snapshot()
        assert shown is not None
        return shown.seq


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    made = Stage()
    yield made
    await made.exhibition.close()


async def test_a_move_every_two_seconds_is_shown_from_the_public_view(stage: Stage) -> None:
    stage.exhibition.subscribe(stage.hear)
    await stage.wait(0)
    shown = stage.exhibition.snapshot()
    assert shown is not None
    assert (shown.game, shown.seq, shown.viewer, shown.agreement.rated, shown.agreement.speed) == (
        "rainet",
        0,
        Watcher.PUBLIC,
        False,
        "untimed",
    )
    assert all(seat.player.is_bot for seat in shown.seats)
    for moves in (1, 2, 3):
        await stage.wait()
        assert (stage.seq, stage.heard) == (moves, moves)
    assert {event.seq for event in stage.exhibition.events()} >= {1, 2, 3}


async def test_nothing_begins_before_somebody_looks_and_all_stops_after_the_last(stage: Stage) -> None:
    assert stage.exhibition.snapshot() is None
    first, second = stage.exhibition.subscribe(stage.hear), stage.exhibition.subscribe(stage.hear)
    await stage.wait(0)
    first.close()
    await stage.wait()
    assert stage.exhibition.is_running
    second.close()
    second.close()
    await stage.wait(0)
    assert [task for task in asyncio.all_tasks() if task.get_name() == "exhibition"] == []
    await stage.wait(60)
    assert (stage.seq, len(stage.pool.asked)) == (1, 1)
    stage.exhibition.subscribe(stage.hear)
    await stage.wait(0)
    await stage.wait()
    assert stage.seq == 2, "who comes next sees it go on"


async def test_a_lobby_that_failed_stopped_the_exhibition_of_all_others(stage: Stage) -> None:
    def fail() -> None:
        raise RuntimeError("a session's own fault")

    stage.exhibition.subscribe(fail)
    stage.exhibition.subscribe(stage.hear)
    await stage.wait(0)
    for moves in (1, 2):
        await stage.wait()
        assert (stage.seq, stage.heard) == (moves, moves)


async def test_it_does_not_think_while_all_thinkers_are_needed(stage: Stage) -> None:
    stage.exhibition.subscribe(stage.hear)
    stage.pool.has_free_place = False
    await stage.wait(0)
    await stage.wait()
    assert stage.pool.asked == []
    stage.pool.has_free_place = True
    await stage.wait()
    assert stage.seq == 1


async def test_after_the_end_the_next_game_has_its_turn(stage: Stage) -> None:
    stage.exhibition.subscribe(stage.hear)
    seen = list[str]()
    for _ in range(6000):
        await stage.wait(END_S)
        shown = stage.exhibition.snapshot()
        assert shown is not None
        if shown.game not in seen:
            seen.append(shown.game)
            stage.exhibition.events()
        if len(seen) == 4:
            break
    assert seen == ["rainet", "relati", "passage", "netrunner"]


async def test_a_closed_exhibition_does_not_begin_again(stage: Stage) -> None:
    stage.exhibition.subscribe(stage.hear)
    await stage.exhibition.close()
    stage.exhibition.subscribe(stage.hear)
    assert not stage.exhibition.is_running
    assert [task for task in asyncio.all_tasks() if task.get_name() == "exhibition"] == []
