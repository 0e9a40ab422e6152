"""What one does in the lobby and from it, typed and read through a terminal emulator."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from game.contract import OneOf, Result, Seat
from server.accounts.identity import Player, bot_player
from server.accounts.preferences import Preferences
from server.lobby.listing import ENDED_SHOWN
from server.lobby.model import RoomSettings, Seek
from server.matches.agreement import Agreement
from server.matches.exhibition import Exhibition
from server.matches.model import ChatLine
from server.screens.challenging import ChallengePage
from server.screens.lists import list_cols
from server.screens.lobby import LobbyPage
from server.screens.lobbydrawing import GAP_COLS
from server.screens.lobbyrows import ended_row, live_row, mine_row
from server.screens.match import MatchPage
from server.session import places
from server.session.display import Display
from server.session.heldkeys import HOLD_S
from server.session.page import Page
from server.session.places import Landing
from server.terminal.lines import fit, text_of
from server.terminal.look import Look
from server.terminal.stage import SPREAD
from tests.agreements import agreed
from tests.boards import golden
from tests.boards.positions import NOON, person
from tests.matches.test_exhibition import Drawing
from tests.session.evening import MIDDLE, busy, in_lobby
from tests.session.fakeserver import CODE, FakeServer, account, guest
from tests.session.stage import StagedMatch, summary
from tests.texts import en


async def test_the_rules_of_the_game_to_begin_with_come_first_in_the_lobbys_help(server: FakeServer) -> None:
    seated = await in_lobby(server)
    await seated.type("?", "r")
    assert "RaiNet" in seated.rows[0]


async def test_play_now_looks_and_goes_to_the_match_that_is_found(server: FakeServer) -> None:
    seated = await in_lobby(server)
    await seated.type("p")
    assert seated.says("lobby.looking")
    assert [seek.agreement.game for seek in await server.seeks()] == ["rainet"]
    server.matches.add(StagedMatch("rainet", (person("mira"), person("lio")), "m9"))
    server.tell("m9")
    await seated.settle()
    assert "mira – lio" in seated.rows[0]
    await seated.type("esc")
    assert "Looking" not in seated.text


async def test_play_now_stood_once_more_among_what_one_can_do_alone(server: FakeServer) -> None:
    """Its key was named three times on one screen."""
    seated = await in_lobby(server, 120, 40)
    assert [row for row in seated.rows if f"p  {en('keys.lobby.play')}" in row] == [seated.rows[3]]
    assert en("lobby.play-now") in seated.rows[3]
    await seated.type("p")
    assert seated.says("lobby.empty.looking")


async def test_visibility_for_players_stops(server: FakeServer) -> None:
    seated = await in_lobby(server)
    await seated.type("p", "x")
    assert await server.seeks() == []


async def test_the_lobby_filters_while_typing(server: FakeServer) -> None:
    await busy(server)
    seated = await in_lobby(server, name="akio")
    await seated.type("/", "o", "m", "i", "d")
    assert "friday" not in seated.text
    await seated.type("ctrl u", "f", "r", "i")
    assert "friday evening" in seated.text
    assert "lio" not in "\n".join(seated.rows[3:18])
    await seated.type("esc")
    assert "lio" in seated.text


async def test_chat_is_said_and_heard(server: FakeServer) -> None:
    mira, tarn = await in_lobby(server), await in_lobby(server, name="tarn")
    await mira.type("tab", *"anyone?", "enter")
    assert "mira  anyone?" in tarn.text
    await mira.type(*"雷网", "enter", "esc")
    assert "mira  雷网" in tarn.text.replace("雷 网 ", "雷网")


async def test_somebody_can_be_blocked_and_reported(server: FakeServer) -> None:
    await in_lobby(server, name="tarn")
    seated = await in_lobby(server)
    await seated.type("o")
    row = next(y for y, text in enumerate(seated.rows) if "tarn" in text)
    await seated.click(5, row)
    await seated.type("x")
    assert "tarn is blocked" in seated.text
    assert await server.conduct.blocked_people(1) == {person("tarn").account_id: "tarn"}
    await seated.type("x")
    assert not await server.conduct.blocked_people(1)
    await seated.type("r", *"rude", "enter")
    assert [(one.about_name, one.why) for one in server.reports] == [("tarn", "rude")]


async def test_a_report_has_the_lobbys_chat_and_that_of_the_last_match_together(server: FakeServer) -> None:
    await busy(server)
    server.come("tarn", "m1", 1)
    for channel, text in (("lobby", "hello"), ("match:m1", "grr"), ("match:m2", "not theirs")):
        server.said(channel, "tarn", text)
    seated = await in_lobby(server)
    await seated.type("o", "end", "r", *"rude", "enter")
    assert [(one.about_name, one.why) for one in server.reports] == [("tarn", "rude")]
    report = server.reports[0]
    assert (report.match_id, [line["text"] for line in report.lines]) == ("m1", ["hello", "grr"])


async def test_whom_one_has_blocked_is_hidden_everywhere(server: FakeServer) -> None:
    await busy(server)
    tarn, akio, lio = (person(name) for name in ("tarn", "akio", "lio"))
    server.said("lobby", akio.name, "buy my things")
    for one in (akio, lio, tarn):
        server.come(one.name)
    match = server.matches.all["m2"]
    match.changes["chat"] = (ChatLine(NOON, akio.name, "what a move", None, akio.account_id),)
    match.changes["watchers"] = (akio.name, tarn.name)
    seated = await in_lobby(server, 120, 40)
    assert seated.text.count("akio") >= 3
    assert "friday evening" in seated.text
    for name in ("akio", "omid"):
        server.add(name)
        await server.conduct.block(1, name)
    await seated.session.person.load_blocks()
    await seated.type("ctrl l")
    assert "akio" not in seated.text, "neither chat nor seek nor list of people"
    assert "friday evening" not in seated.text, "nor the room of somebody blocked"
    await seated.session.reach(places.MatchPlace("m2"))
    await seated.settle()
    assert "what a move" not in seated.text
    assert "akio" not in seated.text, "nor who looks on"
    assert "tarn" in seated.text
    await seated.type("esc", "o")
    assert "akio" in seated.text, "where one can take it back"
    assert "blocked" in seated.text


async def test_a_guest_is_hidden_for_as_long_as_one_is_here(server: FakeServer) -> None:
    """Guests could not be blocked at all."""
    server.come("guest-x7k2mnpq")
    server.said("lobby", "guest-x7k2mnpq", "buy my things")
    server.said("lobby", "lio", "no")
    seated = await in_lobby(server)
    assert "buy my things" in seated.text
    await seated.type("o", "x")
    assert "guest-x7k2mnpq is hidden" in seated.text
    assert not await server.conduct.blocked_people(1)
    await seated.type("esc")
    assert "guest-x7k2mnpq" not in seated.text
    assert "no" in seated.text
    await seated.type("o", "end", "x", "esc")
    assert "buy my things" in seated.text


async def test_who_left_lately_is_warned_before_the_next_rated_search(server: FakeServer) -> None:
    seated = await in_lobby(server)
    await server.conduct.record_leaving(1)
    await seated.type("p")
    assert seated.says("lobby.warned")


async def test_a_rating_span_is_asked_of_the_pairing(server: FakeServer) -> None:
    seated = await in_lobby(server)
    await seated.type("g", "down", "down", "down", "right", "p")
    assert seated.says("lobby.looking")
    assert [(seek.rating_low, seek.rating_high) for seek in await server.seeks()] == [(1400, 1600)]


async def test_a_room_is_opened_filled_with_a_bot_and_started(server: FakeServer) -> None:
    seated = await in_lobby(server)
    await seated.type("n", "enter")
    assert f"Room {CODE}" in seated.rows[0]
    assert f"join {CODE}" in seated.text
    await seated.type("b")
    assert "bot (easy)" in seated.text
    golden.check("room-en-80", seated.text)
    await seated.type("y")
    assert "mira – bot (easy)" in seated.rows[0]


async def test_settings_change_at_once_and_are_kept(server: FakeServer) -> None:
    seated = await in_lobby(server)
    await seated.type("m", "right")
    assert "我的设置" in seated.rows[0].replace(" ", "")
    assert server.preferences("mira").language == "zh_CN"


async def test_somebody_elses_brackets_and_long_names_break_nothing(server: FakeServer) -> None:
    await busy(server)
    long = replace(person("mira"), name="a" * 16)
    match = StagedMatch("rainet", (long, person("tarn")), "m7", MIDDLE)
    match.seq = 3  # so that it is listed first
    server.matches.add(match)
    await server.look()
    seated = await in_lobby(server, name="akio")
    await seated.type("tab", *"{name} %s {0}", "enter", "esc", "w")
    assert "a" * 16 in seated.text
    assert Seat(0) == 0


def take(page: Page | None) -> None:
    """Let the moment pass after which the match that a lobby shows is drawn again."""
    assert isinstance(page, LobbyPage)
    if (previewed := page.preview.previewed) is not None:
        previewed.refresh()


async def test_a_wide_lobby_shows_the_most_interesting_match_live(server: FakeServer) -> None:
    await busy(server)
    seated = await in_lobby(server, 120, 40, name="omid")
    assert "Live: RaiNet  lio – zoe" in seated.text
    board = "\n".join(row[78:] for row in seated.rows)
    assert board.count("·") > 20
    assert server.matches.all["m2"].here == [], "nobody is counted as watching"
    server.matches.all["m2"].play(0, "d4e4")
    await asyncio.sleep(0)
    take(seated.session.pages.top)
    seated.session.dirty()
    await seated.settle()
    assert "d4–e4" in "\n".join(row[78:] for row in seated.rows)
    narrow = await in_lobby(server, name="akio")
    assert "Live: RaiNet  lio – zoe  lio d4–e4" in narrow.text


async def test_a_match_beside_many_lobbies_is_heard_by_one_of_them(server: FakeServer) -> None:
    """Each of 2,000 lobbies was told of every move of the match that it previewed, and had a timer for it."""
    await busy(server)
    crowd = [await in_lobby(server, 120, 40, name=name) for name in ("omid", "ines", "yorick")]
    match = server.matches.all["m2"]
    assert len(match.listeners) == 1
    match.play(0, "d4e4")
    take(crowd[0].session.pages.top)
    for seated in crowd:
        await seated.settle()
        assert "d4–e4" in "\n".join(row[78:] for row in seated.rows)
    await crowd[0].hang_up()
    await crowd[1].type("w")
    assert "lio – zoe" in crowd[1].rows[0], "who rests opens what the others see"
    choice = match.rules.pending(match.state)[0].choice
    assert isinstance(choice, OneOf)
    step = next(action.text for action in choice.actions if re.fullmatch("[a-h][1-8][a-h][1-8]", action.text))
    match.play(1, step)
    take(crowd[2].session.pages.top)
    await crowd[2].settle()
    assert f"{step[:2]}–{step[2:]}" in "\n".join(row[78:] for row in crowd[2].rows)


async def test_a_covered_lobby_hears_of_no_move(server: FakeServer) -> None:
    """Each of 500 spectators had the preview of the lobby under the board told of every move, too."""
    await busy(server)
    seated = await in_lobby(server, 120, 40, name="omid")
    match = server.matches.all["m2"]
    assert len(match.listeners) == 1
    await seated.type("?")
    match.tell()
    take(seated.session.pages.first)
    assert match.listeners == []
    await seated.type("esc")
    await seated.settle()
    assert len(match.listeners) == 1
    assert "Live: RaiNet  lio – zoe" in seated.text


async def test_a_covered_lobby_kept_the_list_that_it_was_left_with(server: FakeServer) -> None:
    """Each of 500 players held rows of all live matches under the board; the chosen row is found all the same."""
    tickets = {}
    for name in ("akio", "tarn", "zoe"):
        server.add(name)
        server.clock.shift(1)
        tickets[name] = await server.lobby.seek(person(name), Seek(Agreement("rainet", rated=True)))
    seated = await in_lobby(server)
    page = seated.session.pages.first
    assert isinstance(page, LobbyPage)
    listed = [next(name for name in tickets if name in row.words) for row in page.rows()]
    await seated.type("down", "down")
    assert page.chosen() is page.rows()[2]
    await seated.type("?")
    tickets[listed[0]].cancel()
    await server.look()
    assert page.lists.view is server.lobby.snapshot()
    await seated.type("esc")
    await seated.settle()
    assert listed[0] not in seated.text
    [chosen] = [row for row in seated.rows if row.startswith("›")]
    assert listed[2] in chosen


async def test_one_s_own_match_and_closed_ones_are_not_shown_beside_the_lists(server: FakeServer) -> None:
    await busy(server)
    seated = await in_lobby(server, 120, 40, name="zoe")
    assert "Live: RaiNet  mira – tarn" in seated.text
    for match in server.matches.all.values():
        match.agree(watchable=False)
    await server.look()
    assert "Live:" not in seated.text
    assert seated.says("context.people")


async def test_a_click_in_a_wide_lobby_chooses_its_row_and_the_board_opens_the_match(server: FakeServer) -> None:
    """A row was told by its whole line, and beside who is here no line was ever equal."""
    await busy(server)
    seated = await in_lobby(server, 120, 40, name="omid")
    row = next(y for y, text in enumerate(seated.rows) if "friday evening" in text)
    click = f"\x1b[<0;6;{row + 1}M"
    await seated.type(click)
    assert seated.rows[row].startswith("›")
    await seated.type(f"\x1b[<0;100;{row + 3}M")
    assert seated.rows[0].startswith(" RaiNet")


async def test_an_enter_meant_for_a_row_that_is_gone_opened_the_one_that_came_under_the_cursor(
    server: FakeServer,
) -> None:
    tickets = []
    for name in ("akio", "tarn"):
        server.add(name)
        server.clock.shift(1)
        tickets.append(await server.lobby.seek(person(name), Seek(Agreement("rainet", rated=True))))
    seated = await in_lobby(server)
    await seated.type("down", "up")
    tickets[0].cancel()
    await server.look()
    await seated.type_blindly("enter")
    assert not await server.seeks()
    server.clock.pass_time(HOLD_S * 2)
    await seated.type("enter")
    assert len(await server.seeks()) == 1


@pytest.mark.parametrize("cols", [60, 80, 100, 110, 119, 120, 140, 200])
@pytest.mark.parametrize("language", ["en", "zh_CN", "zh_TW"])
async def test_no_list_cuts_a_handle_or_a_time(server: FakeServer, cols: int, language: str) -> None:
    """Beside the preview, on screens of 100 to 120 columns, names ended in dots and times were gone."""
    names = ("maximilian-longn", "tarnished_warden", "a-third-of-these", "zoe")
    live = StagedMatch("rainet", (person(names[0]), person(names[1])), "m2", MIDDLE)
    table = StagedMatch("passage", tuple(map(person, names)), "m3")
    server.matches.add(live)
    server.matches.add(table)
    server.matches.add(StagedMatch("netrunner", (person(names[1]), person(names[0])), "m5").end((1,), (0,)))
    ticket = await server.lobby.seek(person(names[2]), Seek(Agreement("netrunner", rated=True)))
    mine = server.matches.add(StagedMatch("relati", (person("mira"), person(names[0])), "m1"))
    seated = await in_lobby(server, cols, 40, language=language)
    page = seated.session.pages.top
    assert isinstance(page, LobbyPage)
    page.lists.mine = (
        replace(agreed(summary(mine), speed="daily"), due=((Seat(0), NOON + timedelta(days=2, hours=4)),)),
    )
    seated.session.dirty()
    await seated.settle()
    t = seated.session.t
    seen = [(row.key, row.line) for row in page.rows()]
    wide = list_cols(min(cols, SPREAD.cols))
    left_cols = min(wide, cols - GAP_COLS) if cols >= 80 else cols
    shown = {key: text_of(fit(line, left_cols)) for key, line in seen}
    assert all(name in shown["live:m2"] for name in names[:2])
    assert all(name in shown["ended:m5"] for name in names[:2])
    assert f"{NOON:%H:%M} UTC" in shown["ended:m5"]  # without that it read as the player's own time
    beats = [
        t("row.beat", first=a, second=b) for a, b in ((names[0], names[1]), (f"{names[0]} 1488", f"{names[1]} 1512"))
    ]
    assert any(beat in shown["ended:m5"] for beat in beats)
    [seek] = [text for key, text in shown.items() if key.startswith("seek:")]
    assert names[2] in seek
    assert not ticket.is_done
    assert names[0] in shown["live:m3"]
    assert names[0] in shown["mine:m1"]
    assert t("clock.days", d=2, h=4) in shown["mine:m1"]
    for key, text in shown.items():
        assert not re.search(r"(maxi|tarn|a-th)[a-z_-]*…", text), key


@pytest.mark.parametrize("language", ["en", "zh_CN", "zh_TW"])
def test_what_kind_a_row_is_and_since_when_a_match_runs_is_not_cut(language: str) -> None:
    """ "since 07:40 UTC" and, in Chinese, that a bot plays lost their ends at each width."""
    look = Look(language=language)
    shown = replace(summary(StagedMatch("passage", (person("lio"), person("zoe")), "m5")), watchers=3)
    live = text_of(live_row(shown, look).line)
    assert look.t("row.since", at=f"{shown.started_at:%H:%M}") in live
    assert "UTC" in live
    assert look.t("match.watching", n=3) in live
    away = replace(shown.seats[0], bot="easy")
    mine = mine_row(replace(shown, seats=(away, *shown.seats[1:])), person("lio"), look)
    assert look.t("row.bot-plays") in text_of(mine.line)


@pytest.mark.parametrize("language", ["en", "zh_CN", "zh_TW"])
def test_an_adjourned_match_of_others_was_listed_as_live(language: str) -> None:
    look = Look(language=language)
    shown = replace(summary(StagedMatch("passage", (person("lio"), person("zoe")), "m5")), status="adjourned")
    assert look.t("row.adjourned") in text_of(live_row(shown, look).line)
    assert look.t("row.live") not in text_of(live_row(shown, look).line)


async def test_the_lobby_lists_what_ended_last_and_opens_it(server: FakeServer) -> None:
    server.matches.add(StagedMatch("rainet", (person("lio"), person("zoe")), "m5", MIDDLE).end((1,), (0,)))
    seated = await in_lobby(server, 120, 40, name="omid")
    [row] = [text for text in seated.rows if "ended" in text]
    assert all(word in row for word in ("zoe 1488 beat lio 1512", f"{NOON:%H:%M} UTC"))
    assert seated.session.pages.top is not None
    await seated.type("enter")
    assert type(seated.session.pages.top).__name__ == "ReplayPage"


def test_a_list_names_who_won_and_the_people_at_a_table_of_bots() -> None:
    """ "#3" was the winner's seat and read as a place; a person was hidden in "+2" behind the bots."""
    bots = tuple(Player("bot", f"bot:{level}") for level in ("easy", "normal", "hard"))
    shown = summary(StagedMatch("passage", (*bots, person("quillen")), "m5"))
    over = replace(shown, status="finished", result=Result(((Seat(2),), (Seat(3),), (Seat(0), Seat(1))), "last"))
    for row in (ended_row(over, Look()), live_row(shown, Look())):
        assert "quillen" in text_of(row.line)
    assert en("row.won", name="Cleo") in text_of(ended_row(over, Look()).line)
    tied = replace(over, result=Result(((Seat(1), Seat(2)), (Seat(3),), (Seat(0),)), "last"))
    said = text_of(ended_row(tied, Look(), 60).line)
    assert en("row.won", name="Basil, Cleo") in said, "“shared win” read as one of those named first"
    assert en("status.void") in text_of(ended_row(replace(over, status="void", result=None), Look()).line)
    shown = replace(shown, seq=806)
    assert "806" not in text_of(live_row(shown, Look()).line), "entries of the log are no moves"
    assert "806" not in text_of(live_row(agreed(shown, game="gone"), Look()).line), "a game without a board is listed"
    assert "806" not in text_of(live_row(replace(agreed(shown, game="rainet"), seats=shown.seats[:2]), Look()).line)


async def test_what_one_can_do_alone_is_told_beside_matches_of_others(server: FakeServer) -> None:
    """A newcomer's hints were gone as soon as a stranger played."""
    server.matches.add(StagedMatch("rainet", (person("lio"), person("zoe")), "m2", MIDDLE))
    seated = await in_lobby(server, name="omid")
    assert seated.says("lobby.empty.tutorial")


async def test_a_filter_of_two_words_finds_what_has_both(server: FakeServer) -> None:
    await busy(server)
    seated = await in_lobby(server, 120, 40, name="omid")
    await seated.type("/", *"zoe rai", "enter")
    assert "lio" in seated.text
    assert not seated.says("lobby.nothing-found", filter="zoe rai")


@pytest.mark.parametrize(("name", "asked"), [("guest-abcd2345", False), ("tarn", True)])
async def test_a_guest_is_challenged_to_casual_matches(server: FakeServer, name: str, asked: bool) -> None:
    """A rated challenge could be sent to a guest, who then read of a code they had never typed."""
    seated = await in_lobby(server, name="omid")
    page = ChallengePage(seated.session, name, is_away=False)
    assert any(row.name == en("form.kind") for row in page.rows()) is asked
    assert not page.settings.agreement.rated or asked


@pytest.mark.parametrize(("cols", "rows", "least"), [(80, 24, 4), (60, 20, 2), (40, 20, 2)])
async def test_five_matches_of_others_that_had_ended_and_own_ones_hid_what_one_can_do(
    server: FakeServer, cols: int, rows: int, least: int
) -> None:
    for i in range(5):
        server.matches.add(StagedMatch("rainet", (person(f"lio{i}"), person(f"zoe{i}")), f"e{i}").end())
    for i, status in enumerate(("live", "adjourned")):
        own = server.matches.add(StagedMatch("relati", (person("tarn"), person("mira")), f"m{i}"))
        own.changes |= {"status": status, "pending": None}
    seated = await in_lobby(server, cols, rows)
    await seated.type("esc")
    assert seated.rows[0].startswith(" Lobby")
    said = " ".join(seated.text.split())
    told = [name for name in ("first", "bot", "tutorial", "new") if en(f"lobby.empty.{name}") in said]
    assert len(told) >= least, seated.text
    last = [f"lio{i}" for i in range(5) if f"lio{i}" not in seated.text]
    await seated.type("end")
    assert not last or any(name in seated.text for name in last), "what gave way is a key away"


@pytest.mark.parametrize("n", [1, 8])
async def test_one_ended_match_hid_what_one_can_do_alone(server: FakeServer, n: int) -> None:
    for i in range(n):
        server.matches.add(StagedMatch("rainet", (person("lio"), person("zoe")), f"m{i}").end())
    seated = await in_lobby(server, name="omid")
    assert seated.text.count("lio 1512") == min(n, ENDED_SHOWN)
    assert seated.says("lobby.empty.tutorial"), "there is room, below the matches"


@pytest.mark.parametrize(
    "landing", [Landing("join", "ZZZZ"), Landing("watch", "nosuch"), Landing("replay", "nosuch")], ids=str
)
async def test_a_link_that_leads_nowhere_shows_a_whole_lobby(server: FakeServer, landing: Landing) -> None:
    """The row YOUR TURN was missing: one's own matches were not read on the way."""
    await busy(server)
    server.prefer("mira", Preferences(calibrated=True))
    seated = await server.connect(account("mira"), landing=landing)
    assert seated.rows[0].startswith(" Lobby")
    assert seated.says("row.your-turn")


async def test_who_says_what_people_play_and_with_whom(server: FakeServer) -> None:
    await busy(server)
    server.come("lio", "m2")
    server.come("akio")
    seated = await in_lobby(server, name="omid")
    await seated.type("o")
    [lio] = [text for text in seated.rows if " lio " in text]
    assert en("people.plays", game="RaiNet", names="zoe") in lio


def is_exhibiting(server: FakeServer) -> bool:
    return bool(server.exhibition.is_running)


async def test_an_empty_server_shows_an_exhibition_until_somebody_plays(server: FakeServer) -> None:
    server.exhibition = exhibition = Exhibition(server.clock, Drawing())
    seated = await in_lobby(server, 120, 40, name="omid")
    assert en("lobby.exhibition", game="RaiNet") in seated.text
    assert "\n".join(row[78:] for row in seated.rows).count("·") > 20
    await busy(server)
    await seated.settle()
    assert en("lobby.exhibition", game="RaiNet") not in seated.text
    assert not is_exhibiting(server)
    await exhibition.close()


async def test_an_exhibition_stops_under_another_page_and_goes_on_after_it(server: FakeServer) -> None:
    server.exhibition = exhibition = Exhibition(server.clock, Drawing())
    seated = await in_lobby(server, 80, 24, name="omid")
    assert en("lobby.exhibition", game="RaiNet") in seated.text
    await seated.type("m")
    take(seated.session.pages.first)
    assert not is_exhibiting(server)
    await seated.type("esc")
    assert is_exhibiting(server)
    await seated.hang_up()
    assert not is_exhibiting(server), "nor when the last one has left"
    await exhibition.close()


@pytest.mark.parametrize("way", ["enter", "w", "click"])
async def test_the_exhibition_is_watched_on_the_whole_screen(server: FakeServer, way: str) -> None:
    server.exhibition = exhibition = Exhibition(server.clock, Drawing())
    seated = await in_lobby(server, 120, 40, name="omid")
    await (seated.click(100, 10) if way == "click" else seated.type(way))
    assert seated.rows[0].startswith(f" {en('lobby.exhibition', game='RaiNet')}")
    assert "\n".join(row[:78] for row in seated.rows).count("·") > 20, "the board is drawn large"
    assert is_exhibiting(server)
    shown = exhibition.snapshot()
    assert shown is not None
    server.clock.pass_time(2)
    await seated.settle()
    after = exhibition.snapshot()
    assert after is not None
    assert after.seq == shown.seq + 1, "it goes on"
    await seated.type("i")
    assert type(seated.session.pages.top).__name__ == "HelpPage"
    await seated.type("esc", "esc")
    assert seated.rows[0].startswith(" Lobby")
    await seated.hang_up()
    assert not is_exhibiting(server)
    await exhibition.close()


async def test_in_a_very_wide_lobby_nothing_of_play_now_stands_far_from_it(server: FakeServer) -> None:
    """At 200 columns the speed stood 130 columns away from the games."""
    seated = await in_lobby(server, 200, 60)
    at = next(y for y, row in enumerate(seated.rows) if en("lobby.play-now") in row)
    below = seated.rows[at + 1]
    assert 0 <= below.index(en("speed.normal")) - seated.rows[at].index(en("lobby.play-now")) <= 30


async def test_whoever_is_in_the_lobby_is_counted_as_here(server: FakeServer) -> None:
    """The count is a little late: it said that nobody was here."""
    seated = await in_lobby(server)
    assert en("lobby.here", n=1) in seated.rows[0]


async def test_a_search_that_waits_for_the_end_of_a_pause_did_not_say_so(server: FakeServer) -> None:
    seated = await in_lobby(server)
    page = seated.session.pages.top
    assert isinstance(page, LobbyPage)
    await seated.type("p")
    for _ in range(3):
        await server.conduct.record_leaving(1)
    seated.session.spawn(page.load())
    await seated.settle()
    until = page.search.paused_until
    assert until is not None
    assert seated.says("lobby.search-paused", at=f"{until:%H:%M}")


async def test_who_had_just_come_was_not_counted_beside_others(server: FakeServer) -> None:
    server.come("tarn")
    seated = await in_lobby(server)
    page = seated.session.pages.top
    assert isinstance(page, LobbyPage)
    assert en("lobby.here", n=2) in page.who()
    before = replace(page.lists.view, here=tuple(one for one in page.lists.view.here if one.name != "mira"))
    page.lists.replace(before)
    assert en("lobby.here", n=2) in page.who()


@pytest.mark.parametrize("cols", [60, 80, 120])
async def test_bots_of_a_larger_table_had_no_names_in_the_lobby(server: FakeServer, cols: int) -> None:
    seats = (person("mira"), bot_player("easy"), bot_player("easy"))
    server.matches.add(StagedMatch("passage", seats, "m1"))
    for name in ("mira", "zoe"):
        seated = await in_lobby(server, cols, 24, name)
        assert "Basil" in seated.text
        assert "Cleo" in seated.text or cols < 80


async def test_that_one_waits_was_still_said_in_one_s_own_turn(server: FakeServer) -> None:
    await busy(server)
    north = await in_lobby(server, name="tarn")
    await north.type("enter", "enter")
    assert north.says("match.waits-for", names="mira")
    server.matches.all["m1"].play(0, "d4e4")
    await north.settle()
    assert not north.says("match.waits-for", names="mira")


async def test_a_room_in_the_list_took_away_what_one_can_do_alone(server: FakeServer) -> None:
    """The ways to the tutorial and to a room of one's own stood nowhere any more."""
    await server.room("tarn", RoomSettings(Agreement("rainet")))
    seated = await in_lobby(server)
    assert seated.says("row.seats", taken=1, of=2)
    assert seated.says("lobby.empty.also")
    assert seated.says("lobby.empty.new")
    assert seated.says("lobby.empty.tutorial")
    assert not seated.says("lobby.empty")


async def test_one_person_who_looks_in_four_games_filled_four_lines(server: FakeServer) -> None:
    server.add("tarn")
    games = ("rainet", "relati", "passage", "netrunner")
    theirs = tuple(Seek(Agreement(game, rated=False)) for game in games)
    await server.lobby.seek(person("tarn"), theirs)
    seated = await in_lobby(server)
    t, look = seated.session.t, seated.session.look
    [row] = [row for row in seated.rows if "tarn" in row and t("row.open") in row]
    assert t("row.games", n=4) in row
    assert look.game("rainet") in row
    page = seated.session.pages.top
    assert isinstance(page, LobbyPage)
    [listed] = [row for row in page.rows() if row.kind == "seek"]
    assert all(look.game(game) in listed.words for game in games), "said whole where it is read"
    await seated.type("enter")
    mine = [seek.agreement.game for seek in await server.seeks()]
    assert mine or server.begun


@pytest.mark.parametrize("agreed", [Agreement("rainet", rated=True), Agreement("rainet", speed="daily", rated=False)])
async def test_guests_saw_first_what_they_can_not_take(server: FakeServer, agreed: Agreement) -> None:
    server.add("tarn")
    await server.lobby.seek(person("tarn"), Seek(agreed))
    server.matches.add(StagedMatch("relati", (person("lio"), person("akio")), "m2"))
    await server.look()
    for who, first in ((account("mira"), "seek"), (guest(), "live")):
        seated = await server.connect(who)
        await seated.type(*(["enter"] if who.is_guest else []))
        page = seated.session.pages.top
        assert isinstance(page, LobbyPage)
        assert next(row.kind for row in page.rows()) == first


async def test_esc_left_a_match_with_a_running_clock_for_a_lobby_that_hardly_said_so(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A row said `2 min left`, as it does of a daily match, and nothing ran."""
    waits: list[tuple[float, Callable[[], None]]] = []

    def later(display: Display, seconds: float, callback: Callable[[], None], **more: bool) -> Callable[[], None]:
        waits.append((seconds, callback))
        return lambda: None

    match = server.matches.add(StagedMatch("relati", (person("mira"), person("tarn"))))
    seated = await server.connect(account("mira"))
    assert isinstance(seated.session.pages.top, MatchPage)
    monkeypatch.setattr(Display, "later", later)
    await seated.type("esc")
    words = {"game": en("game.relati"), "press": "]"}
    assert en("lobby.clock-runs", time="2:41", **words) in seated.rows[1]
    seated.clock.pass_time(2.0)
    seconds, ring = waits[-1]
    assert seconds <= 1.1
    ring()
    await seated.settle()
    assert en("lobby.clock-runs", time="2:39", **words) in seated.rows[1]
    await seated.type("]")
    assert isinstance(seated.session.pages.top, MatchPage)
    await seated.type("esc")
    match.play(0, "Lh8")
    await seated.settle()
    assert en("lobby.clock-runs", time="2:39", **words) not in seated.rows[1]
    assert en("row.waiting") in seated.rows[2], "also of a private match, which no list of everybody's has"


async def test_who_left_a_match_in_which_the_other_thinks_saw_no_clock_and_no_way_back(server: FakeServer) -> None:
    """The banner said one's own clock alone, and its key said that no match waits."""
    match = server.matches.add(StagedMatch("relati", (person("mira"), person("tarn"))))
    seated = await server.connect(account("mira"))
    match.play(0, "Lh8")
    await seated.settle()
    await seated.type("esc")
    assert en("lobby.goes-on", game=en("game.relati"), name="tarn", time="2:41", press="]") in seated.rows[1]
    await seated.type("]")
    assert isinstance(seated.session.pages.top, MatchPage)


async def test_nobody_is_hurried_to_a_daily_match(server: FakeServer) -> None:
    server.matches.add(StagedMatch("relati", (person("mira"), person("tarn")))).agree(speed="daily")
    seated = await server.connect(account("mira"))
    await seated.type("esc")
    assert en("row.your-turn") in seated.rows[2]
    assert seated.rows[1] == ""
