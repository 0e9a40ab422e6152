"""Keys that arrive in one packet, as over a slow line: pressed before the answer to the first was there to be seen."""

from __future__ import annotations

import pytest

from server.screens.lobby import LobbyPage
from server.screens.match import MatchPage
from server.screens.newroom import OptionsPage
from server.screens.room import RoomPage
from server.store.lobby import all_rooms
from tests.boards.positions import person
from tests.boards.test_relati_board import DUEL
from tests.session.evening import busy, in_lobby
from tests.session.fakeserver import BYTES, FakeServer, Seated
from tests.session.stage import StagedMatch
from tests.texts import en


async def at_once(seated: Seated, *keys: str) -> None:
    """Press keys with nothing happening in between."""
    for key in keys:
        seated.screen.feed(BYTES.get(key, key).encode())
        if key == "esc":
            seated.screen.expire_keys()
    await seated.settle()


def pages(seated: Seated) -> list[type[object]]:
    return [type(page) for page in seated.session.pages]


async def test_play_now_pressed_twice_searches_once(server: FakeServer) -> None:
    seated = await in_lobby(server)
    await at_once(seated, "p", "p")
    assert len(await server.seeks()) == 1
    await seated.type("x")
    assert await server.seeks() == [], "and stopping stops it"


async def test_who_searches_and_takes_an_open_seat_searches_for_that_alone(server: FakeServer) -> None:
    seated = await in_lobby(server)
    await seated.type("p")
    await busy(server)
    server.matches.all.clear()
    await seated.settle()
    row = next(y for y, text in enumerate(seated.rows) if "akio" in text)
    await seated.click(5, row)
    await seated.click(5, row)
    assert len(await server.seeks()) == 1


async def test_a_match_opened_twice_is_open_once(server: FakeServer) -> None:
    await busy(server)
    seated = await in_lobby(server)
    await at_once(seated, "enter", "enter")
    assert pages(seated) == [LobbyPage, MatchPage]
    await seated.type("esc")
    assert seated.rows[0].startswith(" Lobby")


async def test_a_room_s_options_accepted_twice_do_not_leave_the_room(server: FakeServer) -> None:
    seated = await in_lobby(server)
    await seated.type("n", "enter", "e")
    assert pages(seated)[-1] is OptionsPage
    await at_once(seated, "enter", "enter")
    assert pages(seated) == [LobbyPage, RoomPage]


@pytest.mark.parametrize("ways", [("n",), ("o", "c")], ids=["a room", "a challenge"])
async def test_who_goes_back_while_a_room_is_opened_is_in_the_lobby_and_in_no_room(
    server: FakeServer, ways: tuple[str, ...]
) -> None:
    await in_lobby(server, name="tarn")
    seated = await in_lobby(server)
    await seated.type(*ways)
    if "o" in ways:
        row = next(y for y, text in enumerate(seated.rows) if "tarn" in text)
        await seated.type("esc", "o")
        await seated.click(5, row)
        await seated.type("c")
    await at_once(seated, "enter", *["esc"] * len(ways))
    assert pages(seated) == [LobbyPage]
    assert server.run(all_rooms) == [], "it was left, and has ended"


async def hold_down(seated: Seated, key: str, times: int) -> None:
    """Hold a key down: it comes again every 30 ms."""
    for _ in range(times):
        seated.clock.typed_s += 0.03
        await seated.type_blindly(key)


async def test_enter_held_down_connects_once_and_confirms_nothing(server: FakeServer) -> None:
    """The piece that one stroke has connected is not made a shield by the next ones."""
    match = server.matches.add(StagedMatch("relati", (person("mira"), person("tarn")), "m1", DUEL))
    mira = await in_lobby(server)
    await mira.type("enter", "up")
    await hold_down(mira, "enter", 10)
    assert match.seq == 1
    match.play(1, "Re6")
    await hold_down(mira, "enter", 60)
    assert match.seq == 2


@pytest.mark.parametrize("game", ["rainet", "relati", "passage", "netrunner"])
async def test_keys_while_another_thinks_are_no_errors(server: FakeServer, game: str) -> None:
    match = server.matches.add(StagedMatch(game, (person("tarn"), person("mira")), "m1"))
    if {owed.seat for owed in match.rules.pending(match.state)} == {1}:
        match.players = match.players[::-1]
    if game == "rainet":
        for seat in (1, 0):
            match.play(seat, "setup LLLLVVVV")
    mira = await in_lobby(server)
    await mira.type("enter")
    for key in ("enter", " ", "1", "4", "left", "up", "b", "e", "f"):
        await mira.type(key)
        if (said := mira.session.prompts.said) is not None:
            assert said.tone != "bad", (key, said)
            assert en("match.not-here") not in said.text, key
