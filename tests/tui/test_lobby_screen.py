"""What one does in the lobby and from it, typed and read through a terminal emulator."""

from __future__ import annotations

from dataclasses import replace

import pytest

from game.contract import Seat
from server.lobby.model import PersonHere
from server.matches.model import ChatLine, MatchQuery, MatchSummary
from server.tui.screens.doors import go_to_match
from tests.tui import golden
from tests.tui.evening import MIDDLE, busy, in_lobby
from tests.tui.fakeplay import FakeMatch, summary
from tests.tui.house import House
from tests.tui.positions import NOON, person


async def test_the_rules_of_the_game_to_begin_with_come_first_in_the_lobbys_help(house: House) -> None:
    seated = await in_lobby(house)
    await seated.type("?", "r")
    assert "RaiNet" in seated.rows[0]


async def test_play_now_looks_and_goes_to_the_match_that_is_found(house: House) -> None:
    seated = await in_lobby(house)
    await seated.type("p")
    assert "Looking for players" in seated.text
    assert [seek.game for seek in house.lobby.sought[0]] == ["rainet"]
    house.matches.add(FakeMatch("rainet", (person("mira"), person("lio")), "m9"))
    house.lobby.finders[0]("m9")
    await seated.settle()
    assert "mira – lio" in seated.rows[0]
    await seated.type("esc")
    assert "Looking" not in seated.text


async def test_who_looks_for_players_is_not_offered_to_look_for_players(house: House) -> None:
    seated = await in_lobby(house)
    assert "wait for the next player who comes" in seated.text
    await seated.type("p")
    assert "While you are being paired" in seated.text
    assert "wait for the next player who comes" not in seated.text


async def test_looking_for_players_stops(house: House) -> None:
    seated = await in_lobby(house)
    await seated.type("p", "x")
    assert house.lobby.sought == []


async def test_the_lobby_filters_while_typing(house: House) -> None:
    busy(house)
    seated = await in_lobby(house, name="akio")
    await seated.type("/", "o", "m", "i", "d")
    assert "friday" not in seated.text
    await seated.type("ctrl u", "f", "r", "i")
    assert "friday evening" in seated.text
    assert "lio" not in "\n".join(seated.rows[3:18])
    await seated.type("esc")
    assert "lio" in seated.text


async def test_chat_is_said_and_heard(house: House) -> None:
    mira, tarn = await in_lobby(house), await in_lobby(house, name="tarn")
    await mira.type("tab", *"anyone?", "enter")
    assert "mira  anyone?" in tarn.text
    await mira.type(*"雷网", "enter", "esc")
    assert "mira  雷网" in tarn.text.replace("雷 网 ", "雷网")


async def test_somebody_can_be_blocked_and_reported(house: House) -> None:
    await in_lobby(house, name="tarn")
    seated = await in_lobby(house)
    house.chat.lines["lobby"] = []
    await seated.type("o")
    row = next(y for y, text in enumerate(seated.rows) if "tarn" in text)
    await seated.click(5, row)
    await seated.type("x")
    assert "tarn is blocked" in seated.text
    assert house.conduct.blocks == {(1, "tarn")}
    await seated.type("x")
    assert house.conduct.blocks == set()
    await seated.type("r", *"rude", "enter")
    assert house.conduct.reports == [(1, "tarn", "rude")]


async def test_a_report_has_the_lobbys_chat_and_that_of_the_last_match_together(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy(house)

    async def played(query: MatchQuery) -> list[MatchSummary]:
        assert query.account_id == person("mira").account_id
        return [summary(house.matches.all["m1"])]

    monkeypatch.setattr(house.matches, "list", played)
    house.lobby.show(here=(PersonHere("tarn", False, "m1", NOON),))
    for channel, text in (("lobby", "hello"), ("match:m1", "grr"), ("match:m2", "not theirs")):
        house.chat.lines[channel] = [ChatLine(NOON, "tarn", text)]
    seated = await in_lobby(house)
    await seated.type("o", "r", *"rude", "enter")
    assert house.conduct.reports == [(1, "tarn", "rude")]
    assert house.conduct.attached == [("m1", ["hello", "grr"])]


async def test_whom_one_has_blocked_is_hidden_everywhere(house: House) -> None:
    busy(house)
    tarn, akio, lio = (person(name) for name in ("tarn", "akio", "lio"))
    house.chat.lines["lobby"] = [ChatLine(NOON, akio.name, "buy my things", None, akio.account_id)]
    here = tuple(PersonHere(one.name, False, None, NOON) for one in (akio, lio, tarn))
    house.lobby.show(here=here)
    match = house.matches.all["m2"]
    match.changes["chat"] = (ChatLine(NOON, akio.name, "what a move", None, akio.account_id),)
    match.changes["watchers"] = (akio.name, tarn.name)
    seated = await in_lobby(house, 120, 40)
    assert seated.text.count("akio") >= 3
    assert "friday evening" in seated.text
    for name in ("akio", "omid"):
        await house.conduct.block(person("mira").account_id or 0, name)
    await seated.session.load_blocks()
    await seated.type("ctrl l")
    assert "akio" not in seated.text, "neither chat nor seek nor list of people"
    assert "friday evening" not in seated.text, "nor the room of somebody blocked"
    await go_to_match(seated.session, "m2")
    await seated.settle()
    assert "what a move" not in seated.text
    assert "akio" not in seated.text, "nor who looks on"
    assert "tarn" in seated.text
    await seated.type("esc", "o")
    assert "akio" in seated.text, "where one can take it back"
    assert "blocked" in seated.text


async def test_a_guest_is_hidden_for_as_long_as_one_is_here(house: House) -> None:
    """Guests could not be blocked at all."""
    here = (PersonHere("guest-x7k2mnpq", True, None, NOON), PersonHere("mira", False, None, NOON))
    house.lobby.show(here=here)
    house.chat.lines["lobby"] = [
        ChatLine(NOON, "guest-x7k2mnpq", "buy my things"),
        ChatLine(NOON, "lio", "no", None, 3),
    ]
    seated = await in_lobby(house)
    assert "buy my things" in seated.text
    await seated.type("o", "x")
    assert "guest-x7k2mnpq is hidden" in seated.text
    assert house.conduct.blocks == set()
    await seated.type("esc")
    assert "guest-x7k2mnpq" not in seated.text
    assert "no" in seated.text
    await seated.type("o", "end", "x", "esc")
    assert "buy my things" in seated.text


async def test_who_left_lately_is_warned_before_the_next_rated_search(house: House) -> None:
    seated = await in_lobby(house)
    house.conduct.warned.add(person("mira").account_id or 0)
    await seated.type("p")
    assert "will make you wait" in seated.text


async def test_a_rating_span_is_asked_of_the_pairing(house: House) -> None:
    seated = await in_lobby(house)
    await seated.type("g", "down", "down", "down", "right", "p")
    assert "Looking for players" in seated.text
    assert [(seek.rating_low, seek.rating_high) for seek in house.lobby.sought[0]] == [(1400, 1600)]


async def test_a_room_is_opened_filled_with_a_bot_and_started(house: House) -> None:
    seated = await in_lobby(house)
    await seated.type("n", "enter")
    assert "Room K7QX" in seated.rows[0]
    assert "join K7QX" in seated.text
    await seated.type("b", "y")
    assert "bot (easy)" in seated.text
    assert "g Start" in seated.text
    golden.check("room-en-80", seated.text)


async def test_settings_change_at_once_and_are_kept(house: House) -> None:
    seated = await in_lobby(house)
    await seated.type("m", "right")
    assert "我的设置" in seated.rows[0].replace(" ", "")
    assert house.accounts.kept[1].language == "zh_CN"


async def test_somebody_elses_brackets_and_long_names_break_nothing(house: House) -> None:
    busy(house)
    long = replace(person("mira"), name="a" * 16)
    house.matches.add(FakeMatch("rainet", (long, person("tarn")), "m7", MIDDLE))
    house.lobby.show(matches=(summary(house.matches.all["m7"], 1234),))
    seated = await in_lobby(house, name="akio")
    await seated.type("tab", *"{name} %s {0}", "enter", "esc", "w")
    assert "a" * 16 in seated.text
    assert Seat(0) == 0
