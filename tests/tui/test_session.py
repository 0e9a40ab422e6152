"""Sessions typed at and read through a terminal emulator: every screen, both sizes, both languages."""

from __future__ import annotations

import asyncio
import gc
import re
import weakref
from dataclasses import replace

import pytest

from game.contract import Seat
from server.accounts.preferences import Preferences
from server.lobby.model import PersonHere, RoomSettings, RoomSummary, Seek, SeekView
from server.matches.model import ChatLine, MatchQuery, MatchSummary
from server.ssh.term import client_term
from server.tui.app import QUIT
from server.tui.entry import Entry
from server.tui.screens.doors import go_to_match
from server.tui.screens.page import Page
from tests.tui import golden
from tests.tui.house import FakeMatch, FakeRoom, House, Seated, account, guest, new_key, summary
from tests.tui.positions import NOON, person

MIDDLE = "lv3vl1/3l4/4v3/3v+4/3L4/5V2/1L*6/V1L2V2 S CF4/bc4 -/c6 l+,V?l/- 3"
SIZES = ((80, 24), (120, 40))


def busy(house: House) -> None:
    """Fill the house: matches, seeks, a room."""
    mine = house.matches.add(FakeMatch("rainet", (person("mira"), person("tarn")), "m1", MIDDLE))
    other = house.matches.add(FakeMatch("rainet", (person("lio"), person("zoe")), "m2", MIDDLE))
    seek = SeekView("s1", Seek("rainet"), person("akio"), 1490, 1400, 1600, 1, NOON)
    settings = RoomSettings("rainet", title="friday evening", speed="slow")
    room = FakeRoom("K7QX", person("omid"), settings)
    house.lobby.rooms["K7QX"] = room
    shown = RoomSummary("K7QX", settings, tuple(room.seats), "omid", NOON)
    house.lobby.show(matches=(summary(other, 12), summary(mine)), seeks=(seek,), rooms=(shown,))


async def in_lobby(house: House, cols: int = 80, rows: int = 24, name: str = "mira", language: str = "") -> Seated:
    who = account(name)
    assert who.account_id is not None
    house.accounts.kept[who.account_id] = Preferences(calibrated=True, language=language)
    seated = await house.connect(who, cols, rows)
    if any(who.player.is_same_person(player) for match in house.matches.all.values() for player in match.players):
        await seated.type("esc")  # one's own match is on top of the lobby
    return seated


async def in_match(house: House, cols: int = 80, rows: int = 24, name: str = "mira", language: str = "") -> Seated:
    busy(house)
    seated = await in_lobby(house, cols, rows, name, language)
    await seated.type("enter")
    return seated


@pytest.mark.parametrize(("cols", "rows"), SIZES)
@pytest.mark.parametrize("language", ["en", "zh_CN"])
async def test_every_screen_looks_as_it_did(house: House, cols: int, rows: int, language: str) -> None:
    seated = await in_lobby(house, cols, rows, language=language)
    golden.check(f"lobby-empty-{language}-{cols}", seated.text)
    busy(house)
    await seated.settle()
    golden.check(f"lobby-{language}-{cols}", seated.text)
    ways = {"games": "g", "bots": "b", "newroom": "n", "people": "o", "me": "m"}
    for name, key in ways.items():
        await seated.type(key)
        golden.check(f"{name}-{language}-{cols}", seated.text)
        await seated.type("esc")
    await seated.type("enter")
    golden.check(f"match-{language}-{cols}", seated.text)
    await seated.type("esc", "?")
    golden.check(f"help-lobby-{language}-{cols}", seated.text)


@pytest.mark.parametrize("language", ["en", "zh_CN"])
async def test_the_way_in_looks_as_it_did(house: House, language: str) -> None:
    seated = await house.connect(new_key(), entry=Entry(lang=language))
    for name in ("welcome", "codes", "calibrate"):
        golden.check(f"{name}-{language}-80", seated.text)
        await seated.type("enter")


async def test_a_new_key_is_in_the_lobby_after_three_enters(house: House) -> None:
    seated = await house.connect(new_key("mira"))
    assert re.search(r"handle +mira", seated.text)
    await seated.type("enter", "enter", "enter")
    assert seated.rows[0].startswith(" Lobby")
    assert "mira" in seated.rows[0]


async def test_the_wished_handle_can_be_erased_and_a_taken_one_is_told(house: House) -> None:
    house.accounts.handles["tarn"] = object()
    seated = await house.connect(new_key("mira"))
    await seated.type("ctrl u", "t", "a", "r", "n", "enter")
    assert "That name is taken" in seated.text
    await seated.type(*["backspace"] * 4, "l", "i", "o", "enter")
    assert "Recovery codes" in seated.rows[0]


async def test_a_link_code_that_is_refused_is_asked_for_again_and_never_becomes_the_handle(house: House) -> None:
    seated = await house.connect(new_key("mira"))
    await seated.type("f3", "b", "a", "d", "enter")
    assert "That code is not known" in seated.text
    assert re.search(r"code › +bad", seated.text)
    await seated.type("ctrl u", *"good", "esc")
    assert re.search(r"handle +mira", seated.text)
    assert "That code is not known" not in seated.text


async def test_a_session_that_has_ended_is_gone_without_the_collector(house: House) -> None:
    seated = await in_lobby(house)
    await seated.type("down", "?", "esc")
    assert house.renderings
    gone = (weakref.ref(seated.session), weakref.ref(seated.screen))
    gc.disable()
    try:
        await seated.hang_up()
        house.seats.clear()
        del seated
        await asyncio.sleep(0)
        assert [one() for one in gone] == [None, None]
    finally:
        gc.enable()


async def test_a_guest_is_told_so_and_goes_in(house: House) -> None:
    seated = await house.connect(guest())
    assert "You are a guest here" in seated.text
    await seated.type("enter")
    assert seated.rows[0].startswith(" Lobby")
    assert "guest-x7k2" in seated.rows[0]


async def test_an_unknown_key_may_look_around_as_a_guest(house: House) -> None:
    seated = await house.connect(new_key())
    await seated.type("f2", "enter")
    assert seated.rows[0].startswith(" Lobby")


async def test_quitting_from_the_lobby_ends_well_and_restores_the_terminal(house: House) -> None:
    seated = await in_lobby(house)
    assert "q Quit" in seated.text
    await seated.type("q")
    assert await seated.task == QUIT
    assert seated.wire.sent.endswith(b"\x1b[?25h")
    assert b"\x1b[?1049l" in seated.wire.sent


async def test_help_opens_everywhere_and_closes_again(house: House) -> None:
    busy(house)
    seated = await in_lobby(house)
    for way in ((), ("g",), ("b",), ("n",), ("o",), ("m",), ("enter",)):
        await seated.type(*way)
        before = seated.rows[0]
        await seated.type("?")
        assert "Help" in seated.rows[0]
        await seated.type("esc")
        assert seated.rows[0] == before
        await seated.type(*(["esc"] if way else []))
        assert seated.rows[0].startswith(" Lobby")


async def test_who_comes_back_to_a_running_match_is_straight_at_the_board(house: House) -> None:
    busy(house)
    house.accounts.kept[1] = Preferences(calibrated=True)
    seated = await house.connect(account("mira"))
    assert seated.rows[0].startswith(" RaiNet")
    assert "your move" in seated.text
    await seated.type("esc")
    assert seated.rows[0].startswith(" Lobby")
    assert "YOUR TURN" in seated.text


async def test_enter_goes_back_to_my_match_and_escape_to_the_lobby(house: House) -> None:
    seated = await in_match(house)
    assert seated.rows[0].startswith(" RaiNet · rated · normal")
    await seated.type("esc")
    assert seated.rows[0].startswith(" Lobby")


async def test_two_players_move_and_see_each_other(house: House) -> None:
    south, north = await in_match(house), await in_lobby(house, name="tarn")
    await north.type("enter")
    await south.type("up", "up", "enter", "right", "enter")
    assert "d4–e4" in south.text
    assert "d4–e4" in north.text
    assert "waiting for tarn" in south.text
    assert "your move" in north.text


async def test_a_move_rings_the_bell_of_who_is_to_move(house: House) -> None:
    south, north = await in_match(house), await in_lobby(house, name="tarn")
    await north.type("enter")
    north.wire.sent.clear()
    await south.type("up", "up", "enter", "right", "enter")
    assert b"\x07" in north.wire.sent


async def test_a_bell_that_is_not_wanted_does_not_ring(house: House) -> None:
    busy(house)
    house.accounts.kept[2] = Preferences(calibrated=True, bell=False, title=False)
    north = await house.connect(account("tarn"))
    await north.type("enter")
    north.wire.sent.clear()
    house.matches.all["m1"].play(0, "d4e4")
    await north.settle()
    assert b"\x07" not in north.wire.sent
    assert "your move" in north.text


async def test_a_selection_is_taken_back_before_the_screen_is_left(house: House) -> None:
    seated = await in_match(house)
    await seated.type("up", "up", "enter")
    assert "d4 can go to" in seated.text
    await seated.type("esc")
    assert "your move" in seated.text
    assert seated.rows[0].startswith(" RaiNet")


async def test_enter_where_nothing_can_be_chosen_says_so(house: House) -> None:
    seated = await in_match(house)
    await seated.type("left", "enter")
    assert "Nothing is chosen" in seated.text
    await seated.type("right")
    assert "Nothing to choose here" not in seated.text


async def test_the_rules_key_opens_the_rules_and_not_the_keys(house: House) -> None:
    seated = await in_match(house)
    await seated.type("?")
    keys = seated.text
    assert "Line Boost: put it on your card" in keys
    await seated.type("esc", "i")
    assert "Line Boost: put it on your card" not in seated.text
    assert seated.rows[0].startswith(" Help")
    await seated.type("esc")
    assert "your move" in seated.text


async def test_the_rules_of_the_game_to_begin_with_come_first_in_the_lobbys_help(house: House) -> None:
    seated = await in_lobby(house)
    await seated.type("?", "r")
    assert "RaiNet" in seated.rows[0]


async def test_resigning_asks_first(house: House) -> None:
    seated = await in_match(house)
    await seated.type("r")
    assert "Resign this match?" in seated.text
    assert "y Yes  n No" in seated.text
    await seated.type("n")
    assert "Resign this match?" not in seated.text
    await seated.type("r", "y")
    assert "tarn wins: mira resigned." in seated.text
    assert "m Rematch" in seated.text


async def test_a_draw_is_offered_and_answered(house: House) -> None:
    south, north = await in_match(house), await in_lobby(house, name="tarn")
    await north.type("enter")
    await south.type("o", "d")
    assert "Your offer is on the table." in south.text
    assert "mira offers a draw." in north.text
    assert "y Accept  n Decline" in north.text
    await north.type("n")
    assert "Your offer was not taken up." in south.text, "an answer is told to who asked"
    assert "offers a draw" not in north.text


async def test_who_was_away_too_long_can_be_claimed(house: House) -> None:
    seated = await in_match(house, name="tarn")
    match = house.matches.all["m1"]
    match.changes["claim_at"] = NOON
    match.tell()
    await seated.settle()
    assert "x claims the win, or calls the match off." in seated.text
    await seated.type("x")
    assert "w Win  v Call it off" in seated.text


async def test_how_a_match_ended_is_not_hidden_by_what_was_said_before(house: House) -> None:
    seated = await in_match(house)
    await seated.type("o", "d")
    assert "Your offer is on the table." in seated.text
    match = house.matches.all["m1"]
    match.changes["offers"] = ()
    await match.resign(1)
    await seated.settle()
    assert "mira wins: tarn resigned." in seated.text
    assert "offer" not in seated.rows[-3]


async def test_a_watcher_sees_the_public_view_and_goes_to_the_next_match(house: House) -> None:
    busy(house)
    seated = await in_lobby(house, name="akio")
    await seated.type("w")
    assert "lio – zoe" in seated.rows[0]
    assert "▲L" not in seated.text
    await seated.type("]")
    assert "mira – tarn" in seated.rows[0]
    await seated.type("[")
    assert "lio – zoe" in seated.rows[0]


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (Entry("watch", "m2"), "lio – zoe"),
        (Entry("join", "k7qx"), "Room K7QX"),
        (Entry("watch", "nope"), "no match nope"),
    ],
)
async def test_a_session_begins_where_it_was_asked_to(house: House, entry: Entry, said: str) -> None:
    busy(house)
    seated = await house.connect(account("akio"), entry=entry)
    assert said in seated.text
    await seated.type("esc")
    assert seated.rows[0].startswith(" Lobby")


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


async def test_the_table_talks(house: House) -> None:
    south, north = await in_match(house), await in_lobby(house, name="tarn")
    await north.type("enter")
    await south.type("tab", *"careful", "enter", "esc")
    assert "mira  careful" in north.text


async def test_a_letter_that_is_pasted_is_no_command(house: House) -> None:
    seated = await in_lobby(house)
    await seated.type("\x1b[200~q\x1b[201~")
    assert not seated.task.done()
    await seated.type("tab", "\x1b[200~q\x1b[201~", "enter", "esc")
    assert "mira  q" in seated.text


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


@pytest.mark.parametrize("size", [(79, 23), (60, 22), (40, 20), (41, 33), (200, 60), (39, 20), (40, 19), (5, 3)])
async def test_every_screen_survives_any_size(house: House, size: tuple[int, int]) -> None:
    busy(house)
    seated = await in_lobby(house)
    for way in ((), ("g",), ("b",), ("n",), ("o",), ("m",), ("enter",), ("enter", "?")):
        await seated.type(*way)
        await seated.resize(*size)
        assert not seated.task.done()
        await seated.resize(80, 24)
        await seated.type(*(["esc"] * len(way)))
        assert seated.rows[0].startswith(" Lobby")


async def test_the_gate_says_what_is_needed_and_swallows_keys(house: House) -> None:
    seated = await in_lobby(house)
    await seated.resize(39, 24)
    assert "40x20" in seated.text
    await seated.type("q", "p", "esc", "?")
    await seated.resize(80, 24)
    assert seated.rows[0].startswith(" Lobby")
    assert "Looking" not in seated.text


async def test_a_window_of_60_columns_shows_the_clocks_beside_the_board(house: House) -> None:
    seated = await in_match(house)
    await seated.resize(60, 20)
    assert sum(bool(re.search(r"(mira|tarn) .*\d:\d\d", row)) for row in seated.rows) == 2


async def test_a_small_window_still_shows_the_whole_board(house: House) -> None:
    seated = await in_match(house)
    await seated.resize(40, 20)
    assert "SERVER" in seated.rows[1]
    assert seated.text.count("SERVER") == 2


async def test_keys_can_be_clicked(house: House) -> None:
    seated = await in_lobby(house)
    row = next(y for y, text in enumerate(seated.rows) if "m Me" in text)
    await seated.click(seated.rows[row].index("m Me") + 1, row)
    assert "settings" in seated.rows[0]


async def test_a_square_can_be_clicked(house: House) -> None:
    seated = await in_match(house)
    row = next(y for y, text in enumerate(seated.rows) if text.startswith(" 4 "))
    await seated.click(3 + 4 * 3 + 2, row)
    assert "d4 can go to" in seated.text


async def test_settings_change_at_once_and_are_kept(house: House) -> None:
    seated = await in_lobby(house)
    await seated.type("m", "right")
    assert "我的设置" in seated.rows[0].replace(" ", "")
    assert house.accounts.kept[1].language == "zh_CN"


async def test_without_colour_no_colour_code_is_sent(house: House) -> None:
    busy(house)
    term = client_term("xterm-256color", {"NO_COLOR": "1"})
    seated = await house.connect(account("mira"), term=term)
    await seated.type("enter", "up", "up", "enter", "esc", "esc", "m", "down", "right", "right")
    codes = {code for sgr in re.findall(rb"\x1b\[([0-9;]*)m", bytes(seated.wire.sent)) for code in sgr.split(b";")}
    assert codes <= {b"", b"0", b"1", b"4", b"7"}


async def test_a_terminal_without_unicode_gets_ascii_only(house: House) -> None:
    busy(house)
    seated = await house.connect(account("mira"), term=client_term("vt100", {}))
    await seated.type("enter", "up", "up", "enter", "esc", "esc", "?")
    assert bytes(seated.wire.sent).isascii()


async def test_an_error_in_one_session_ends_that_session_only(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    mira, tarn = await in_lobby(house), await in_lobby(house, name="tarn")

    def broken(self: Page, key: str) -> bool:
        raise RuntimeError("a bug")

    page = mira.session.page
    assert page is not None
    monkeypatch.setattr(type(page), "press", lambda self, key: broken(self, key) if self is page else True)
    await mira.type("m")
    assert await mira.task != QUIT
    assert b"\x1b[?1049l" in mira.wire.sent
    assert not tarn.task.done()


async def test_a_session_that_is_cut_off_leaves_nothing_behind(house: House) -> None:
    seated = await in_match(house)
    assert house.matches.all["m1"].here == ["mira"]
    await seated.hang_up()
    assert house.matches.all["m1"].here == []
    assert (
        house.matches.all["m1"].listeners == house.lobby.listeners == house.chat.listeners == house.lobby.finders == []
    )


async def test_a_rematch_opens_by_itself(house: House) -> None:
    seated = await in_match(house)
    await seated.type("r", "y")
    house.matches.add(FakeMatch("rainet", (person("tarn"), person("mira")), "m5"))
    match = house.matches.all["m1"]
    await seated.type("m")
    match.changes |= {"next_match": "m5", "offers": ()}
    match.tell()
    await seated.settle()
    assert "tarn – mira" in seated.rows[0]
    assert "not taken up" not in seated.text


async def test_who_wants_a_rematch_is_told_to_the_other(house: House) -> None:
    south, north = await in_match(house), await in_lobby(house, name="tarn")
    await north.type("enter")
    await south.type("r", "y", "m")
    assert "You asked for a rematch" in south.text
    assert "tarn wins: mira resigned. mira wants another match." in north.text
    house.matches.add(FakeMatch("rainet", (person("tarn"), person("mira")), "m5"))
    match = house.matches.all["m1"]
    match.changes["next_match"] = "m5"
    match.tell()
    await south.settle()
    assert "tarn – mira" in south.rows[0]
    assert "You asked for a rematch" not in south.text, "it is answered"


async def test_the_clock_of_who_decides_runs(house: House) -> None:
    seated = await in_match(house)
    assert "2:41" in seated.rows[3] + seated.text
    house.clock.pass_time(60)
    await seated.type("left")
    assert "1:41" in seated.text


async def test_somebody_elses_brackets_and_long_names_break_nothing(house: House) -> None:
    busy(house)
    long = replace(person("mira"), name="a" * 16)
    house.matches.add(FakeMatch("rainet", (long, person("tarn")), "m7", MIDDLE))
    house.lobby.show(matches=(summary(house.matches.all["m7"], 1234),))
    seated = await in_lobby(house, name="akio")
    await seated.type("tab", *"{name} %s {0}", "enter", "esc", "w")
    assert "a" * 16 in seated.text
    assert Seat(0) == 0


LATIN = re.compile(r"[A-Za-z]{3,}")
KEPT = frozenset(
    (
        *("Patchbay", "Netrunner", "mira", "tarn", "lio", "zoe", "akio", "omid", "friday", "evening", "SHA", "EXIT"),
        *("Esc", "Tab", "Home", "End", "ssh", "join", "HOST", "English", "Unicode", "ctrl"),
    )
)


@pytest.mark.parametrize(
    "keys",
    [
        *((), ("g",), ("b",), ("n",), ("n", "enter"), ("o",), ("m",), ("enter",), ("?",), ("enter", "?")),
        *(
            ("l",),
            ("m", "p"),
            ("w",),
            ("enter", "i"),
            ("enter", "o"),
            ("enter", "r", "y", "p"),
            ("u", "enter", "up", "enter"),
        ),
    ],
)
async def test_no_english_is_left_on_a_chinese_screen(house: House, keys: tuple[str, ...]) -> None:
    busy(house)
    seated = await in_lobby(house, 120, 40, language="zh_CN")
    await seated.type(*keys)
    text = re.sub(r"SHA256:\S+|ssh -t|(ab)+", "", seated.text)
    assert set(LATIN.findall(text)) - KEPT == set()
