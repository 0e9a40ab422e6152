"""What a stranger stumbled over on screens: each test is named after what went wrong."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from itertools import dropwhile

import pytest

from game.contract import Seat
from game.errors import IllegalAction
from server.accounts.identity import Player
from server.accounts.preferences import Preferences
from server.boards import outcome
from server.boards.games.netrunner.cardtext import title_of
from server.boards.games.netrunner.scene import scene_of
from server.lobby.model import RoomSettings
from server.matches.agreement import Agreement
from server.matches.exhibition import Exhibition
from server.matches.speeds import SPEEDS
from server.matches.tried_line import from_view
from server.screens.bots import BotPage
from server.screens.columns import Column, cells, fitting
from server.screens.form import MAKE_KEY
from server.screens.lobby import LobbyPage
from server.screens.lobbyrows import mine_row
from server.screens.newroom import NewRoomPage
from server.screens.replay import ReplayPage
from server.session.places import BotsPlace, Landing, TriedLinePlace
from server.terminal.lines import columns, text_of
from server.terminal.look import Look
from tests.boards.positions import NOON, person
from tests.matches.test_exhibition import Drawing
from tests.pictures import DARK, NARROW, TRUE_COLOUR
from tests.scenes import SCENES, At, ended, match, played
from tests.session.evening import busy, in_match
from tests.session.fakeserver import FakeServer, account, guest, new_key
from tests.session.stage import StagedMatch, summary
from tests.texts import en

MIRA, TARN, LIO = person("mira"), person("tarn"), person("lio")


async def test_an_onlooker_through_the_losers_eyes_was_told_that_they_had_lost(server: FakeServer) -> None:
    match = StagedMatch("relati", (MIRA, TARN), "m1")
    await match.resign(Seat(0))
    shot = match.snapshot(Seat(0))
    assert outcome.sentence(shot, Look()).startswith("You lost")
    borrowed = replace(shot, is_borrowed=True)
    assert not outcome.sentence(borrowed, Look()).startswith("You")
    assert outcome.tone(borrowed) == "accent"


async def test_keys_of_help_that_a_match_does_not_have_silently_did_nothing(server: FakeServer) -> None:
    server.matches.add(StagedMatch("relati", (MIRA, TARN), "m1"))
    seated = await server.connect(account("mira"), landing=Landing("watch", "m1"))
    await seated.type("C")
    assert seated.says("match.error.conditions-daily")
    await seated.type("L")
    assert seated.says("match.no-line")


async def test_the_tutorial_was_nowhere_once_five_matches_had_ended(server: FakeServer) -> None:
    for n in range(5):
        server.matches.add(StagedMatch("rainet", (TARN, LIO), f"e{n}").end())
    await server.look()
    seated = await server.connect(account("mira"))
    await seated.settle()
    assert en("lobby.empty.tutorial") in seated.text


async def test_back_from_ones_own_match_enter_opened_a_strangers(server: FakeServer) -> None:
    for name in ("m2", "m3"):
        server.matches.add(StagedMatch("relati", (TARN, LIO), name))
    await server.look()
    seated = await server.connect(account("mira"))
    await seated.settle()
    lobby = seated.session.pages.top
    assert isinstance(lobby, LobbyPage)
    await seated.type("down")
    server.matches.add(StagedMatch("relati", (MIRA, TARN), "m1"))
    await seated.type("b", "esc")
    await seated.settle()
    chosen = lobby.chosen()
    assert chosen is not None
    assert (chosen.kind, chosen.target) == ("mine", "m1")


async def test_a_form_for_bots_forgot_the_players_when_another_game_was_looked_at(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.screens.bots.playable", lambda: ("rainet", "passage"))
    seated = await server.connect(account("mira"))
    await seated.settle()
    seated.session.go(BotsPlace("passage"))
    await seated.settle()
    form = seated.session.pages.top
    assert isinstance(form, BotPage)
    await seated.type("down", "right")
    chosen = form.players
    await seated.type("up", "right", "left")
    assert (form.game, form.players) == ("passage", chosen)
    assert chosen > 2


async def test_enter_on_other_options_started_the_match(server: FakeServer) -> None:
    seated = await server.connect(account("mira"))
    seated.session.go(BotsPlace("rainet"))
    await seated.type("up", "end", *["down"] * 4)
    form = seated.session.pages.top
    assert isinstance(form, BotPage)
    assert f"enter {en('keys.form.edit')}" in seated.text
    await seated.type("enter")
    assert en("form.more-options.open") in seated.text
    assert seated.session.pages.top is form
    await seated.type("enter")
    assert en("form.more-options.closed") in seated.text
    await seated.type("up")
    assert f"enter {en('keys.bots.accept')}" in seated.text


@pytest.mark.parametrize("key", ["enter", "right", " "])
async def test_arrows_on_the_name_of_a_new_room_did_nothing(server: FakeServer, key: str) -> None:
    seated = await server.connect(account("mira"))
    await seated.type("n", *["down"] * 4, key, *"friday", "enter")
    form = seated.session.pages.top
    assert isinstance(form, NewRoomPage)
    assert form.settings.title == "friday"


async def test_rows_of_the_lobby_had_what_they_say_in_other_columns(server: FakeServer) -> None:
    seated = await in_match(server)
    await seated.type("esc")
    kinds = tuple(f" {en(f'row.{one}')}  " for one in ("your-turn", "open", "room", "live"))
    rows = [row for row in seated.rows if f" {row[1:]}".startswith(kinds)]
    says = [en("row.since", at="12:00"), en("row.waiting-for", n=1), en("row.seats", taken=1, of=2)]
    at = {row.index(one) for row in rows for one in says if one in row}
    assert len(rows) == 4
    assert len(at) == 1
    speeds = [(row, en(f"speed.{one}")) for row in rows for one in ("normal", "slow") if en(f"speed.{one}") in row]
    assert len({row.index(one) for row, one in speeds}) == 1


@pytest.mark.parametrize("cols", [40, 60, 80, 120])
async def test_half_a_word_stood_at_the_end_of_a_row_of_the_lobby(server: FakeServer, cols: int) -> None:
    await busy(server)
    seated = await server.connect(account("mira"), cols, 40)
    await seated.type("esc")
    lobby = seated.session.pages.first
    assert isinstance(lobby, LobbyPage)
    for row in lobby.rows():
        assert columns(text_of(row.line).rstrip()) <= min(cols, 80)


async def test_half_a_column_stood_at_the_edge_of_a_narrow_list(server: FakeServer) -> None:
    first, second, last = ("row.open", 9), ("row.live", 9), ("row.ended", 0)
    shown = [Column(heading, width, str.strip) for heading, width in (first, second, last)]
    assert len(fitting(shown, 40)) == 3
    assert len(fitting(shown, 30)) == 2, "ten columns are the least for a text of any length"
    assert text_of(cells(fitting(shown, 19), "tarn")) == "tarn     "


async def test_a_short_form_in_a_tall_window_stood_far_above_its_keys(server: FakeServer) -> None:
    seated = await server.connect(account("mira"), 120, 40)
    seated.session.go(BotsPlace("rainet"))
    await seated.settle()
    shown = [y for y, row in enumerate(seated.rows) if row.strip()]
    assert f"enter {en('keys.bots.accept')}" in seated.rows[shown[-1]]
    assert shown[-1] - shown[-2] <= 8


async def test_an_empty_ladder_told_guests_to_press_a_key_that_is_not_for_them(server: FakeServer) -> None:
    seated = await server.connect(guest(), 100, 30)
    await seated.type("enter", "l")
    assert seated.says("ladders.empty", n=10)
    assert not seated.says("ladders.empty.how")
    assert MAKE_KEY in seated.text


async def test_the_way_to_a_first_match_was_gone_after_it_and_the_tutorial_never_there(server: FakeServer) -> None:
    for n in range(30):
        server.matches.add(StagedMatch("rainet", (TARN, LIO), f"m{n}"))
    server.prefer("mira", Preferences(calibrated=True, bot_game="rainet", bot_level="easy"))
    seated = await server.connect(account("mira"))
    assert en("keys.lobby.first") in "".join(seated.rows[-3:])
    assert en("keys.lobby.tutorial") in "".join(seated.rows[-3:])
    seated.session.person.prefer(bot_level="normal")
    await seated.settle()
    assert en("keys.lobby.first") not in "".join(seated.rows[-3:])


async def test_what_was_said_in_the_lobby_before_could_not_be_read(server: FakeServer) -> None:
    for n in range(30):
        server.said("lobby", "tarn", f"sentence {n:02}")
    seated = await server.connect(account("mira"))
    assert "sentence 29" in seated.text
    await seated.type("tab", "page up", "up")
    assert "sentence 23" in seated.text
    assert "sentence 24" not in seated.text
    await seated.type(*["page up"] * 9, "down")
    assert "sentence 01" in seated.text
    await seated.type("esc")
    assert "sentence 29" in seated.text


@pytest.mark.parametrize("scene", ["profile", "stranger", "no-ladder", "people"])
async def test_the_keys_of_a_short_page_in_a_tall_window_are_near_and_those_of_a_long_one_there(
    server: FakeServer, scene: str
) -> None:
    seated = await SCENES[scene](server, At(120, 40, TRUE_COLOUR, "default", "unicode", DARK + NARROW))
    last = max(y for y, row in enumerate(seated.rows) if row.strip())
    assert en("keys.everywhere.back") in seated.rows[last]
    assert (last > 30) == (scene == "profile")


async def test_after_a_wrong_code_the_next_letters_were_keys_of_the_lobby(server: FakeServer) -> None:
    """Of the right code that was typed next, "q" ended the session."""
    seated = await server.connect(account("mira"))
    await seated.type("esc", "c", *"nosuch", "enter")
    assert seated.says("lobby.ask-code")
    assert seated.session.prompts.typing is not None
    assert seated.session.prompts.typing.field.text == "nosuch"
    room = await server.room("tarn", RoomSettings(Agreement("rainet")))
    await seated.type("ctrl u", *room.code, "enter")
    assert seated.says("room.title", code=room.code)


async def test_days_that_are_no_number_ended_the_question_without_a_word(server: FakeServer) -> None:
    mira = account("mira")
    seated = await server.connect(mira)
    await seated.type("esc", "m", "v", "x", "enter")
    assert seated.says("vacation.error.days", left=14)
    assert seated.session.prompts.typing is not None


@pytest.mark.parametrize("language", ["en", "zh_CN", "zh_TW"])
@pytest.mark.parametrize("speed", SPEEDS)
def test_no_clock_was_cut_in_a_row_of_the_lobby(language: str, speed: str) -> None:
    shown, look = summary(StagedMatch("rainet", (MIRA, TARN), "m1")), Look(language=language)
    shown = replace(shown, agreement=replace(shown.agreement, speed=speed))
    assert look.t(f"speed.{speed}") in text_of(mine_row(shown, MIRA, look).line)


async def test_a_watcher_of_somebody_who_plays_nothing_got_no_answer(server: FakeServer) -> None:
    await server.connect(account("tarn"))
    seated = await server.connect(account("mira"))
    await seated.type("esc", "o", "down", "w")
    assert seated.says("people.plays-nothing", name="tarn")


async def test_the_chosen_colours_were_cut_off_in_a_small_window(server: FakeServer) -> None:
    seated = await server.connect(guest(), cols=60, rows=20)
    assert seated.says("calibrate.palette", name=en("palette.default"))


async def test_two_bots_of_one_level_were_one_bot_and_plus_one(server: FakeServer) -> None:
    server.exhibition = Exhibition(server.clock, Drawing())
    server.prefer("mira", Preferences(calibrated=True))
    seated = await server.connect(account("mira"), cols=120, rows=40)
    await seated.settle()
    title = seated.session.t("lobby.exhibition", game=Look().game("rainet"))
    [row] = [row for row in seated.rows if title in row]
    assert "+1" not in row


@pytest.mark.parametrize(("key", "said"), [("n", "notices.error.off"), ("w", "browser.none"), ("f", "browser.none")])
async def test_keys_that_help_names_on_me_silently_did_nothing(server: FakeServer, key: str, said: str) -> None:
    seated = await server.connect(account("mira"))
    await seated.type("esc", "m", key)
    assert seated.says(said)


@pytest.mark.parametrize(("cols", "rows"), [(80, 24), (120, 40), (200, 60)])
async def test_the_cards_of_one_hand_pushed_the_other_hand_off_the_board(
    server: FakeServer, cols: int, rows: int
) -> None:
    """A replay of Netrunner with all cards open showed one hand only: the other had too many to be written out."""
    ended(server, "netrunner")
    at = At(cols, rows, TRUE_COLOUR, "default", "unicode", DARK + NARROW)
    mira = await at.seated(server, "home", place="replay")
    for _ in range(12):
        page = mira.session.pages.top
        assert isinstance(page, ReplayPage)
        scene = scene_of(page.snapshot)
        missing = [code for code in (*scene.hq, *scene.grip) if title_of(code, Look()).split()[0] not in mira.text]
        assert missing == []
        await mira.type("right")


@pytest.mark.parametrize("game", ["rainet", "relati", "passage"])
async def test_what_chance_was_committed_to_came_and_went_in_the_log(server: FakeServer, game: str) -> None:
    """It stood there from the sixth line on, and whenever a page of the log had room; each time the log moved."""
    made = match(server, game, 1)
    seated = await At(80, 24, TRUE_COLOUR, "default", "unicode", DARK + NARROW).seated(server, "esc")
    await seated.type("esc", "enter")
    begin = seated.session.t("match.commitment", hash="").split("：")[0].split(":")[0][:12]
    found = list[bool]()
    for seat, text in played(game, 25)[1:]:
        with suppress(IllegalAction):  # what a seat does by itself has been done
            made.play(seat, text)
        await seated.settle()
        found.append(begin in seated.text)
    shown = list(dropwhile(lambda one: not one, found))  # first it is said what the game is about
    assert shown or game == "passage", "there the log never has room for it"
    assert shown == sorted(shown, reverse=True), "once its room is the log's, it stays away"


async def test_help_named_a_guest_where_no_name_was_chosen_yet(server: FakeServer) -> None:
    seated = await server.connect(new_key())
    await seated.settle()
    await seated.type("?")
    assert "guest" not in seated.rows[0]


async def test_a_room_that_nobody_watches_asked_whether_watchers_may_chat(server: FakeServer) -> None:
    seated = await server.connect(account("mira"))
    await seated.type("n")
    await seated.settle()
    page = seated.session.pages.top
    assert isinstance(page, NewRoomPage)

    def asked() -> list[str]:
        return [row.name for row in page.rows()]

    chat, watch = en("agreed.gallery-chat"), en("agreed.watchable")
    assert chat in asked()
    change = next(row for row in page.rows() if row.name == watch).change
    assert change is not None
    change(1)
    assert chat not in asked()
    assert watch in asked()


async def test_without_a_card_nothing_said_why_a_win_had_brought_nothing(server: FakeServer) -> None:
    made = ended(server, "netrunner", 1)
    made.changes["rating_changes"] = {Seat(0): (1500, 1476), Seat(1): (1500, 1500)}
    made.changes["rating_reasons"] = {Seat(0): "near", Seat(1): "early"}
    seated = await server.connect(account("mira"), landing=Landing("watch", "m1"))
    await seated.settle()
    assert en("match.card.less.left") in " ".join(seated.text.split())


async def test_a_profile_named_the_bot_of_a_table_and_cut_the_person(server: FakeServer) -> None:
    bots = tuple(Player("bot", f"bot:{level}") for level in ("easy", "normal"))
    server.matches.add(StagedMatch("passage", (MIRA, *bots, TARN), "m1").end())
    seated = await server.connect(account("mira"), landing=Landing("page", "profile mira"))
    await seated.settle()
    row = next(one for one in seated.rows if "2026-" in one)
    assert "normal, not counted tarn, " in row


@pytest.mark.parametrize(("game", "is_guessed"), [("rainet", True), ("relati", False)])
async def test_guessed_cards_of_a_tried_line_looked_like_a_leak(
    server: FakeServer, game: str, is_guessed: bool
) -> None:
    made = match(server, game, 6)
    line = from_view(made.live.log.game, made.snapshot(Seat(0)), Seat(0), bytes(32))
    seated = await server.connect(account("mira"))
    seated.session.go(TriedLinePlace(line))
    await seated.settle()
    assert (en("line.guessed") in seated.rows[0]) is is_guessed


async def test_too_early_a_claim_was_silent_on_ones_own_turn(server: FakeServer) -> None:
    seated = await in_match(server)
    match = server.matches.all["m1"]
    assert match.snapshot(Seat(0)).pending is not None
    await seated.type("x")
    assert seated.says("match.error.not-claimable")
    match.changes["claim_at"] = NOON + timedelta(seconds=30)
    match.tell()
    await seated.settle()
    await seated.type("x")
    assert seated.says("match.claim-in", names="", time="0:30")


async def test_help_offered_more_keys_on_the_page_of_all_keys(server: FakeServer) -> None:
    seated = await in_match(server)
    assert "  ? " in seated.text
    await seated.type("?")
    assert "  ? " not in seated.text
    await seated.type("?")
    assert "  ? " in seated.text


async def test_a_challenge_did_not_say_that_it_counts_less(server: FakeServer) -> None:
    """It stood in a note that only who chose the row could see."""
    seated = await server.connect(account("mira"))
    page = NewRoomPage(seated.session)
    assert [row.value for row in page.rows()].count(en("form.kind.less")) == 0
    page.settings = replace(page.settings, agreement=replace(page.agreement, private=True))
    assert [row.value for row in page.rows()].count(en("form.kind.less")) == 1


async def test_nobody_said_why_nothing_can_be_taken_back(server: FakeServer) -> None:
    match = server.matches.add(StagedMatch("rainet", (MIRA, TARN), "m1"))
    match.live.terms = replace(match.terms, agreement=replace(match.terms.agreement, rated=False))
    match.tell()
    seated = await server.connect(account("mira"), landing=Landing("watch", "m1"))
    await seated.type("o")
    assert seated.says("match.error.takeback-known")


async def test_a_number_that_was_typed_began_a_match_of_another_game(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the line of Relati's cells a side, `2` of 23 began one of Passage."""
    monkeypatch.setattr("server.screens.bots.playable", lambda: ("rainet", "passage", "relati"))
    seated = await server.connect(account("mira"))
    seated.session.go(BotsPlace("relati"))
    page = seated.session.pages.top
    assert isinstance(page, BotPage)
    page.shows_options = True
    page.choose(next(i for i, row in enumerate(page.rows(), 1) if row.numbers is not None))
    await seated.type("2", "3")
    assert seated.session.pages.top is page
    assert page.options["board"] == 23
