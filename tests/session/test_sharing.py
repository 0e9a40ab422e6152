"""Who sees the same shares frames: one drawing, the same bytes to everybody; and nobody sees what is another's."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from game.contract import Seat, Viewer
from server.accounts.preferences import Preferences
from server.matches.errors import NotWatchable
from server.screens.lobby import LobbyPage
from server.screens.watch import WatchPage
from server.session import places
from server.session.sharing import MOST_KEPT
from server.terminal.lines import text_of
from server.terminal.term import client_term
from tests.boards.positions import person
from tests.session.evening import MIDDLE, busy, in_lobby
from tests.session.fakeserver import FakeServer, Seated, account, guest
from tests.session.stage import StagedMatch, summary


async def watching(server: FakeServer, name: str = "akio", cols: int = 80) -> Seated:
    seated = await in_shared_lobby(server, name, cols)
    await seated.type("w")
    return seated


async def test_watchers_of_one_match_get_the_same_bytes_of_one_drawing(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    await busy(server)
    first, second = await watching(server), await watching(server, "omid")
    assert len(server.groups.by_key) == 1
    composed: list[str] = []
    for seated in (first, second):
        real = seated.session.frames.compose

        def counted(*size: int, real: Any = real, **more: Any) -> Any:
            composed.append("once")
            return real(*size, **more)

        monkeypatch.setattr(seated.session.frames, "compose", counted)
        seated.wire.sent.clear()
    server.matches.all["m2"].play(0, "d4e4")
    await first.settle()
    assert composed == ["once"]
    assert first.wire.sent == second.wire.sent
    assert first.wire.sent
    assert "d4–e4" in first.text
    assert first.rows == second.rows


async def test_a_late_watcher_gets_the_whole_frame(server: FakeServer) -> None:
    await busy(server)
    first = await watching(server)
    server.matches.all["m2"].play(0, "d4e4")
    second = await watching(server, "omid")
    assert second.rows == first.rows


async def test_who_types_has_a_screen_of_their_own_until_they_are_done(server: FakeServer) -> None:
    await busy(server)
    first, second = await watching(server), await watching(server, "omid")
    await first.type("tab", "q", "z")
    assert "qz" in first.text
    assert "qz" not in second.text
    server.matches.all["m2"].play(0, "d4e4")
    await first.settle()
    assert "d4–e4" in first.text
    await first.type("esc")
    assert first.rows == second.rows


async def test_players_share_nothing_with_watchers_or_each_other(server: FakeServer) -> None:
    await busy(server)
    watcher = await watching(server)
    south, north = await server.connect(account("lio")), await server.connect(account("zoe"))
    for seated in (south, north):
        await seated.type("enter")
    assert "▲L" in south.text
    assert "▲L" not in watcher.text
    assert [len(group.members) for group in server.groups.by_key.values()] == [1]


async def test_terminals_that_differ_do_not_share(server: FakeServer) -> None:
    await busy(server)
    await watching(server)
    await watching(server, "omid", 100)
    plain = await server.connect(account("zoe"), term=client_term("vt100", {}))
    await plain.type("esc", "w", "]")
    assert len(server.groups.by_key) == 3


async def test_resizing_a_shared_screen_moves_it_to_another_group(server: FakeServer) -> None:
    await busy(server)
    first, second = await watching(server), await watching(server, "omid")
    await first.resize(120, 40)
    assert "lio – zoe" in first.rows[0]
    assert len(first.rows) == 40
    await first.resize(80, 24)
    assert first.rows == second.rows
    assert len(server.groups.by_key) == 1


async def test_a_group_ends_with_its_last_member(server: FakeServer) -> None:
    await busy(server)
    first, second = await watching(server), await watching(server, "omid")
    await first.hang_up()
    server.matches.all["m2"].play(0, "d4e4")
    await second.settle()
    assert "d4–e4" in second.text
    await second.type("esc")
    assert second.rows[0].startswith(" Lobby")
    [group] = server.groups.by_key.values()
    gone = (weakref.ref(group), weakref.ref(group.screen))
    del group
    gc.disable()
    try:
        await second.hang_up()
        assert server.groups.by_key == {}
        assert [one() for one in gone] == [None, None]
    finally:
        gc.enable()


async def test_a_page_that_was_left_does_not_begin_to_listen_for_its_group(server: FakeServer) -> None:
    """Enter struck twice entered the lobby twice: the first page was to lead, and its session never went away."""
    first, second = await in_lobby(server), await in_lobby(server, name="tarn")
    left = second.session.pages.top
    assert isinstance(left, LobbyPage)
    await second.session.reach(places.LobbyPlace())
    assert left is not second.session.pages.top
    first.session.sharing.leave()  # before the second one draws
    await first.hang_up()
    await second.settle()
    gone = weakref.ref(left), weakref.ref(second.session)
    del left
    gc.disable()
    try:
        await second.hang_up()
        server.seats.clear()
        del first, second
        await asyncio.sleep(0)
        assert [one() for one in gone] == [None, None]
    finally:
        gc.enable()


async def test_a_broken_member_does_not_stop_the_others(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    await busy(server)
    first, second = await watching(server), await watching(server, "omid")

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(first.session.frames, "compose", broken)
    server.matches.all["m2"].play(0, "d4e4")
    await second.settle()
    assert first.task.done()
    assert "d4–e4" in second.text


async def test_every_watcher_goes_along_to_the_rematch(server: FakeServer) -> None:
    await busy(server)
    seated = [await server.connect(replace(guest(), name=f"guest-{name}")) for name in ("aa", "bb", "cc")]
    for one in seated:
        await one.type("enter", "w")
    match = server.matches.all["m2"]
    await match.resign(Seat(0))
    server.matches.add(StagedMatch("rainet", (person("zoe"), person("lio")), "m8", MIDDLE))
    match.changes["next_match"] = "m8"
    match.tell()
    for one in seated:
        await one.settle()
        assert "zoe – lio" in one.rows[0]
    assert summary(match).id == "m2"


async def test_one_of_a_gallery_hears_of_a_move_and_another_when_that_one_leaves(server: FakeServer) -> None:
    await busy(server)
    first, second, third = [await watching(server, name) for name in ("akio", "omid", "ines")]
    match = server.matches.all["m2"]

    def hearing() -> list[object]:
        pages = [getattr(listener, "__self__", None) for listener in match.listeners]
        return [page.session for page in pages if isinstance(page, WatchPage)]

    assert hearing() == [first.session]
    await first.type("tab")  # whoever types draws and hears for themselves
    assert hearing() == [first.session, second.session]
    await second.hang_up()
    match.play(0, "d4e4")
    await third.settle()
    assert "d4–e4" in third.text
    assert "d4–e4" in first.text
    await first.type("esc")
    assert hearing() == [third.session]
    await first.type("esc")
    assert first.rows[0].startswith(" Lobby")


async def test_a_watcher_who_may_no_longer_look_on_leaves_with_the_others(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    await busy(server)
    crowd = [await watching(server, name) for name in ("akio", "omid", "ines")]
    match = server.matches.all["m2"]

    def closed(*_: object, **__: object) -> Viewer:
        raise NotWatchable

    monkeypatch.setattr(match, "sight", closed)
    match.changes["status"] = "adjourned"
    match.tell()
    for seated in crowd:
        await seated.settle()
        assert seated.rows[0].startswith(" Lobby")


async def test_the_clocks_of_a_gallery_are_drawn_once_for_all(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop, timers = asyncio.get_running_loop(), dict[asyncio.TimerHandle, Callable[[], object]]()
    call_at = loop.call_at

    def noted(when: float, callback: Callable[..., object], *args: Any, **more: Any) -> asyncio.TimerHandle:
        def run() -> None:
            del timers[handle]
            callback(*args)

        handle = call_at(when, run, **more)
        timers[handle] = run
        return handle

    def running() -> list[asyncio.TimerHandle]:
        return [handle for handle in timers if not handle.cancelled()]

    monkeypatch.setattr(loop, "call_at", noted)
    await busy(server)
    crowd = [await in_shared_lobby(server, name) for name in ("ines", "omid", "yorick")]
    for seated in crowd:
        await seated.type("w")
        seated.screen.feed(b"\x1b]11;rgb:0/0/0\x07\x1b[2;3R")  # or each terminal's answer is waited for
        await seated.settle()
    assert [len(group.members) for group in server.groups.by_key.values()] == [3]
    [due] = running()
    server.renderings.clear()
    timers[due]()
    due.cancel()
    await crowd[0].settle()
    assert len(server.renderings) == 1
    await crowd[0].type("tab")  # whoever types has a frame of their own, and its clocks
    assert len(running()) == 2


# The lobby: all but each one's name is the same


async def in_shared_lobby(server: FakeServer, name: str, cols: int = 80) -> Seated:
    who = account(name)
    assert who.account_id is not None
    server.prefer(who.name, Preferences(calibrated=True))
    return await server.connect(who, cols)


def alone(seated: Seated) -> list[str]:
    """What the screen would show if it were drawn for this person alone."""
    cols, rows = seated.session.display.size
    return [text_of(line).rstrip() for line in seated.session.frames.compose(cols, rows).lines]


async def test_a_lobby_is_drawn_once_and_everybody_reads_their_own_name(server: FakeServer) -> None:
    server.add("zoe")
    await busy(server)
    first, second = await in_shared_lobby(server, "ines"), await in_shared_lobby(server, "yorick")
    [group] = server.groups.by_key.values()
    assert len(group.members) == 2
    server.renderings.clear()
    await server.chat.say("lobby", person("zoe"), "anybody for a game?")
    await first.settle()
    assert len(server.renderings) == 1
    assert "ines · 2 here · en" in first.rows[0]
    assert "yorick · 2 here · en" in second.rows[0]
    assert "anybody for a game?" in first.text
    assert first.rows[1:] == second.rows[1:]
    assert first.rows == alone(first)


async def test_a_lobby_in_which_nothing_has_changed_is_not_composed_again(server: FakeServer) -> None:
    """Each newcomer had the lobby composed anew for all who were there, once or twice."""
    server.add("zoe")
    await busy(server)
    first = await in_shared_lobby(server, "ines")
    await in_shared_lobby(server, "yorick")
    server.renderings.clear()
    first.session.dirty()
    await first.settle()
    assert server.renderings == []
    await server.chat.say("lobby", person("zoe"), "anybody for a game?")
    await first.settle()
    assert len(server.renderings) == 1
    assert "anybody for a game?" in first.text


async def test_a_lobby_that_all_have_left_is_kept_for_the_next_one(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.add("zoe")
    await busy(server)
    first = await in_shared_lobby(server, "ines")
    rows = first.rows
    await first.hang_up()
    assert not server.groups.by_key
    server.renderings.clear()
    again = await in_shared_lobby(server, "ines")
    assert again.rows == rows
    assert server.renderings == []
    await again.hang_up()
    await server.chat.say("lobby", person("zoe"), "anybody for a game?")
    third = await in_shared_lobby(server, "ines")
    assert "anybody for a game?" in third.text
    assert third.rows == alone(third)


async def test_frames_of_few_lobbies_are_kept(server: FakeServer) -> None:
    await busy(server)
    for cols in range(80, 80 + MOST_KEPT + 3):
        seated = await in_shared_lobby(server, "ines", cols)
        await seated.hang_up()
    assert len(server.groups.kept) <= MOST_KEPT


async def test_a_shorter_count_of_people_leaves_nothing_of_a_longer_badge(server: FakeServer) -> None:
    await busy(server)
    first = await in_shared_lobby(server, "yorick")
    crowd = [await in_shared_lobby(server, f"person{i}") for i in range(9)]
    assert "yorick · 10 here" in first.rows[0]
    for seated in crowd[1:]:
        await seated.hang_up()
    await server.look()
    assert first.rows == alone(first)
    assert "yorick · 2 here" in first.rows[0]


async def test_the_cursor_in_a_shared_lobby_costs_two_rows_and_comes_back(server: FakeServer) -> None:
    await busy(server)
    first, second = await in_shared_lobby(server, "ines"), await in_shared_lobby(server, "yorick")
    before = first.rows
    first.wire.sent.clear()
    second.wire.sent.clear()
    await first.type("down")
    assert len(first.wire.sent) < 700
    assert not second.wire.sent
    assert first.rows != before
    assert first.rows == alone(first)
    await second.type("down")
    assert first.rows[1:] == second.rows[1:]
    assert len(server.groups.by_key) == 1


async def test_who_has_something_of_their_own_in_the_lobby_does_not_share_it(server: FakeServer) -> None:
    await busy(server)
    mine, other = await in_shared_lobby(server, "mira"), await in_shared_lobby(server, "ines")
    await mine.type("esc")  # from the board of the running match to the lobby
    assert "vs tarn" in mine.text
    assert "vs tarn" not in other.text
    assert all(mine.session.sharing not in group.members for group in server.groups.by_key.values())


async def test_whoever_blocked_somebody_reads_another_chat(server: FakeServer) -> None:
    await busy(server)
    first, second = await in_shared_lobby(server, "ines"), await in_shared_lobby(server, "yorick")
    first.session.person.blocked = frozenset({7})
    first.session.dirty()
    await first.settle()
    assert len(server.groups.by_key) == 2
    assert second.rows == alone(second)


@pytest.mark.parametrize("seed", range(6))
async def test_whatever_happens_a_shared_lobby_looks_as_if_drawn_for_one_alone(server: FakeServer, seed: int) -> None:
    server.add("zoe")
    rng = Random(seed)
    await busy(server)
    people = [await in_shared_lobby(server, name, 120 if name == "lio" else 80) for name in ("ines", "yorick", "lio")]
    listed = list(server.matches.all.values())
    for _ in range(40):
        seated = rng.choice(people)
        match rng.randrange(6):
            case 0 | 1:
                await seated.type(rng.choice(("up", "down", "home", "end", "page down")))
            case 2:
                await seated.type("tab", *rng.choice(("hello", "hm")), rng.choice(("enter", "esc")), "esc")
            case 3:
                for one in listed:
                    one.agree(watchable=rng.random() < 0.5)
                await server.look()
            case 4:
                seated.wire.paused = not seated.wire.paused
                if not seated.wire.paused:
                    seated.screen.resume()
            case _:
                await server.chat.say("lobby", person("zoe"), f"line {rng.random():.3f}")
        await seated.settle()
    server.clock.pass_time(1)  # a channel's listeners are told at most twice a second
    for seated in people:
        seated.wire.paused = False
        seated.screen.resume()
        seated.session.dirty()  # who has gone to a board has seen its clock go on
        await seated.settle()
        assert seated.rows == alone(seated), f"seed {seed}"
