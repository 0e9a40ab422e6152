"""The exhibition of built-in players: it goes on while somebody looks, at a pace, behind everybody who waits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest

from game.choices import draw
from game.contract import Action, Pending, Watcher
from game.rng import Rng
from server.bus.bus import Heard, LocalBus, Payload, TopicListener
from server.matches.exhibition import END_S, PACE_S, Exhibition
from server.matches.exhibition_peers import SILENT_S
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


class Line(LocalBus):
    """A process's way to the bus that all share; it ends when the process is killed."""

    def __init__(self, shared: LocalBus) -> None:
        super().__init__()
        self.shared = shared
        self.is_cut = False

    def publish(self, topic: str, payload: Payload) -> None:
        if not self.is_cut:
            self.shared.publish(topic, payload)

    def subscribe(self, topic: str, heard: Heard) -> TopicListener:
        return self.shared.subscribe(topic, lambda payload: None if self.is_cut else heard(payload))


class Processes:
    """Several processes with one bus, in hand-moved time."""

    def __init__(self) -> None:
        self.clock, self.bus = FakeClock(), LocalBus()
        self.lines = dict[str, Line]()
        self.pool = dict[str, Drawing]()
        self.shows = dict[str, Exhibition]()

    def look(self, process: str) -> Any:
        """Let somebody look at the exhibition in a process."""
        if process not in self.shows:
            self.pool[process] = Drawing()
            self.lines[process] = Line(self.bus)
            self.shows[process] = Exhibition(self.clock, self.pool[process], self.lines[process], process)
        return self.shows[process].subscribe(lambda: None)

    async def wait(self, seconds: float) -> None:
        for _ in range(round(seconds * 10)):
            self.clock.pass_time(0.1)
            for _ in range(20):
                await asyncio.sleep(0)

    def stands(self) -> set[tuple[str, int, int]]:
        """Return what the processes show: match, entry, how much was told of it."""
        found = set[tuple[str, int, int]]()
        for process, one in self.shows.items():
            if not self.lines[process].is_cut and one.is_running and (shown := one.snapshot()) is not None:
                found.add((shown.match, shown.seq, len(one.events())))
        return found

    def thought(self) -> dict[str, int]:
        return {process: len(one.asked) for process, one in self.pool.items()}


@pytest.fixture
async def processes() -> AsyncIterator[Processes]:
    made = Processes()
    await made.bus.start()
    yield made
    for show in made.shows.values():
        await show.close()
    await made.bus.close()


async def test_all_processes_show_one_exhibition_and_one_of_them_thinks(processes: Processes) -> None:
    """Each process had one of its own, and people who talked about it saw different matches."""
    processes.look("b")
    processes.look("c")
    await processes.wait(12)
    processes.look("a")
    await processes.wait(3)
    assert len(processes.stands()) == 1
    [(match, seq, _)] = processes.stands()
    assert seq >= 3
    assert sorted(processes.thought().values()) == [0, 0, seq]
    await processes.wait(20)
    assert len(processes.stands()) == 1
    assert next(iter(processes.stands()))[0] == match


async def test_when_nobody_looks_where_it_is_played_another_process_plays_on(processes: Processes) -> None:
    here = processes.look("a")
    await processes.wait(9)
    processes.look("b")
    await processes.wait(6)
    [(match, seq, _)] = processes.stands()
    here.close()
    await processes.wait(6)
    [(same, later, _)] = processes.stands()
    assert (same, later > seq) == (match, True)
    assert processes.thought()["b"] >= 1
    processes.look("a")
    await processes.wait(6)
    assert len(processes.stands()) == 1, "whoever comes back follows"


async def test_a_process_that_is_gone_is_replaced_after_a_while(processes: Processes) -> None:
    processes.look("a")
    await processes.wait(9)
    processes.look("b")
    await processes.wait(4)
    [(match, seq, _)] = processes.stands()
    processes.lines["a"].is_cut = True
    await processes.wait(SILENT_S + 6)
    [(same, later, _)] = processes.stands()
    assert (same, later > seq) == (match, True)


async def test_an_exhibition_with_more_moves_than_a_hint_holds_is_fetched_whole(processes: Processes) -> None:
    processes.look("a")
    await processes.wait(400)
    processes.look("b")
    await processes.wait(4)
    assert len(processes.stands()) == 1
    assert next(iter(processes.stands()))[1] > 100
