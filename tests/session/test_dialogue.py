"""A session as a dialogue: what is said and when, and which line answers what."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from game import registry
from game.contract import Action, Json, OneOf, Pending, Seat, Subset
from server.accounts.preferences import Preferences
from server.boards import keymap
from server.boards.board import MoveGroup, board
from server.i18n.catalogues import CHOICES
from server.screens.boardwords import board_words, told
from server.screens.cards import CardsPage
from server.screens.deckedit import DeckEditPage
from server.screens.linemoves import as_typed, found_actions, not_found
from server.screens.lobby import LobbyPage
from server.screens.replay import ReplayPage
from server.screens.toldmoves import ToldMoves
from server.screens.tutorials import TutorialsPage, tutorials
from server.session.linewords import ALL_WORDS, commands_of
from server.session.places import NamedPlace
from server.store import lobby as stored
from server.terminal import itemwords
from server.terminal.items import Empty, Offer
from server.terminal.itemwords import rows_of
from server.terminal.look import Look
from server.terminal.transcript import spoken
from tests.answers import offered
from tests.boards.netrunner_table import CORP, at, seen
from tests.boards.positions import person
from tests.screens.test_archive import PlayedMatch
from tests.screens.test_told import DECK
from tests.session.evening import busy
from tests.session.fakeserver import CODE, FakeServer, account, new_key
from tests.session.hearing import Hearer, hear
from tests.session.stage import StagedMatch
from tests.texts import en

MOVE = "d2d3"
CHANGED = en("lines.changed")


def table(server: FakeServer) -> StagedMatch:
    """Seat mira and tarn at RaiNet; it is mira's turn."""
    match = server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn"))))
    for seat in (0, 1):
        match.play(seat, "setup LLLLVVVV")
    return match


async def at_table(server: FakeServer, edits: bool = True) -> tuple[StagedMatch, Hearer]:
    match = table(server)
    hearer = await hear(server, account("mira"), edits)
    server.tell("m1")
    await hearer.settle()
    assert "RaiNet" in hearer.said.sent, hearer.said.sent
    return match, hearer


async def offer_draw(server: FakeServer, match: StagedMatch) -> None:
    await match.offer(Seat(1), "draw")


async def resign(server: FakeServer, match: StagedMatch) -> None:
    await match.resign(Seat(1))


async def chat(server: FakeServer, match: StagedMatch) -> None:
    await match.say(person("tarn"), "good luck")


async def announce(server: FakeServer, match: StagedMatch) -> None:
    server.seats[0].session.prompts.notice("server.announcement", text="good luck")


async def another_page(server: FakeServer, match: StagedMatch) -> None:
    session = server.seats[0].session
    session.pages.push(session.routes.page(session, NamedPlace.LADDERS), by_itself=True)


async def test_a_placement_that_was_begun_meant_nothing(server: FakeServer) -> None:
    """“setup LVLV” was no word at all, though “moves” asks for “setup and eight letters”."""
    match = server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn"))))
    mira = await hear(server, account("mira"))
    server.tell("m1")
    await mira.settle()
    said = (await mira.line("setup LVLV")).replace("\r\n", " ")
    assert "1: links on a1, c1, e2, f1;" in said
    assert "links on a1, b1" not in said
    await mira.line("1")
    assert match.seq == 1


async def test_what_happened_was_no_sentence(server: FakeServer) -> None:
    """“you move d2 to d3” had neither a capital nor a full stop, beside sentences that have both."""
    match, mira = await at_table(server)
    assert "\nYou move d2 to d3.\n" in (await mira.line(MOVE)).replace("\r", "")
    match.play(1, "e7e6")
    server.tell("m1")
    await mira.settle()
    assert "\ntarn moves e7 to e6.\n" in mira.said.sent.replace("\r", ""), "a name is said as it is"


async def withdraw(server: FakeServer, match: StagedMatch) -> None:
    match.changes["offers"] = ()
    match.tell()


async def nothing(server: FakeServer, match: StagedMatch) -> None:
    """Nothing happens."""


Happening = Callable[[FakeServer, StagedMatch], Any]
# What was so before, what happens, what is said of it, whether it changes what is asked.
EVENTS: Mapping[str, tuple[Happening, Happening, str, bool]] = {
    "an offer": (nothing, offer_draw, en("match.offered.draw", name="tarn"), True),
    "a withdrawn offer": (offer_draw, withdraw, "", True),
    "the end": (nothing, resign, "won", True),
    "another page": (nothing, another_page, en("ladders.title"), True),
    "chat": (nothing, chat, "good luck", False),
    "an announcement": (nothing, announce, "good luck", False),
}
ENDS = ("the end", "another page")  # of the board that the move is for


@pytest.mark.parametrize("edits", [True, False])
@pytest.mark.parametrize("at", range(len(MOVE) + 1))
@pytest.mark.parametrize("event", EVENTS)
async def test_an_event_after_any_typed_byte_is_said_before_the_line_is_judged(
    server: FakeServer, event: str, at: int, edits: bool
) -> None:
    match, hearer = await at_table(server, edits)
    prepare, happen, words, changes = EVENTS[event]
    await prepare(server, match)
    await hearer.settle()
    await hearer.type(MOVE[:at])
    before = len(hearer.said.sent)
    await happen(server, match)
    await hearer.settle()
    now = hearer.said.sent[before:]
    assert (words in now and now.endswith("> ")) if at == 0 else now == "", "at once, or not before Enter"
    seq = match.seq
    said = await hearer.type(MOVE[at:] + "\r")
    if at:
        assert words in said
    if at and changes:
        assert said.index(words) < said.index(CHANGED)
        assert match.seq == seq
        assert said.endswith("> ")
    else:
        assert CHANGED not in said
        assert match.seq == seq + (event not in ENDS), hearer.said.sent


@pytest.mark.parametrize("at", range(1, 5))
async def test_what_was_typed_while_one_waited_is_no_answer_to_the_next_decision(server: FakeServer, at: int) -> None:
    match, hearer = await at_table(server)
    await hearer.line(MOVE)
    assert match.rules.pending(match.state)[0].seat == 1
    typed = "d3d4"
    await hearer.type(typed[:at])
    match.play(1, offered(match.rules.pending(match.state)[0])[0].text)
    await hearer.settle()
    seq = match.seq
    said = await hearer.type(typed[at:] + "\r")
    assert said.index("tarn") < said.index(CHANGED)
    assert match.seq == seq
    await hearer.line(typed)
    assert match.seq == seq + 1


async def test_what_was_erased_lets_events_be_said(server: FakeServer) -> None:
    match, hearer = await at_table(server)
    await hearer.type("ab")
    await chat(server, match)
    await hearer.settle()
    assert "good luck" not in hearer.said.sent
    said = await hearer.type("\x7f\x7f")
    assert said.startswith("\b \b\b \b")
    assert "good luck" in said


async def test_a_number_typed_before_another_page_came_chooses_nothing_there(server: FakeServer) -> None:
    hearer = await hear(server, account("mira"))
    await hearer.type("1")
    match = table(server)
    server.tell(match.id)
    await hearer.settle()
    said = await hearer.type("\r")
    assert said.index("RaiNet") < said.index(CHANGED)


@pytest.mark.parametrize("edits", [True, False])
@pytest.mark.parametrize("at", range(len("1 watch") + 1))
async def test_a_number_means_the_row_it_was_said_with(server: FakeServer, at: int, edits: bool) -> None:
    """Lists change all the time and are not said again each time: another row may stand there by now."""
    await busy(server)
    hearer = await hear(server, account("mira"), edits)
    said, page = await hearer.line("back"), hearer.session.pages.top
    last = re.findall(r"^([0-9]+): ", said, re.MULTILINE)[-1]
    typed = f"{last} watch"
    await hearer.type(typed[:at])
    server.run(stored.drop_process, server.presence.process_id)  # the seeks
    server.run(stored.drop_room, CODE, (await server.the_room()).version)
    server.matches.all["m2"].agree(private=True)
    await server.look()
    await hearer.settle()
    said = await hearer.type(typed[at:] + "\r")
    assert en("lines.no-row", n=last) in said or en("lines.row-changed", n=last) in said
    assert hearer.session.pages.top is page


async def test_what_cannot_be_undone_is_asked_by_word(server: FakeServer) -> None:
    match, hearer = await at_table(server)
    assert en("match.ask.resign") in await hearer.line("resign")
    assert en("lines.answer-word", word="resign") in await hearer.line("yes")
    assert match.seq == 2
    assert en("lines.dropped") in await hearer.line("no")
    await hearer.line("resign")
    assert match.seq == 2
    await hearer.line("resign yes")
    assert match.seq == 3


async def test_a_question_that_has_gone_is_not_answered(server: FakeServer) -> None:
    match, hearer = await at_table(server)
    await offer_draw(server, match)
    await hearer.settle()
    await hearer.type("acc")
    match.changes["offers"] = ()
    match.tell()
    assert CHANGED in await hearer.type("ept\r")


async def test_lines_sent_ahead_answer_what_the_line_before_brings(server: FakeServer) -> None:
    match, hearer = await at_table(server, edits=False)
    said = await hearer.type(f"{MOVE}\nboard\nclock\n")
    assert match.seq == 3
    assert said.count("> ") == 3


async def test_lines_sent_ahead_choose_nothing_on_a_page_that_came_by_itself(server: FakeServer) -> None:
    hearer = await hear(server, account("mira"), edits=False)
    match = table(server)
    hearer.terminal.feed(b"me\nresign yes\n")
    server.tell(match.id)
    await hearer.settle()
    await hearer.type("")
    assert match.seq == 2
    assert CHANGED in hearer.said.sent


async def test_the_end_of_the_input_leaves_as_quit_does(server: FakeServer) -> None:
    hearer = await hear(server, account("mira"), edits=False)
    hearer.terminal.feed(b"help")
    hearer.terminal.end_input()
    await hearer.settle()
    await hearer.type("")
    assert await hearer.task == 0
    assert en("lines.help.quit") in " ".join(hearer.said.sent.split()), "an unfinished line counts"


def shows_screens(hearer: Hearer) -> bool:
    return hearer.session.screen.draws


async def test_somebody_goes_to_the_screens_in_a_match_and_back(server: FakeServer) -> None:
    table(server)
    hearer = await hear(server, account("mira"), has_screen=True)
    server.tell("m1")
    await hearer.settle()
    page = hearer.session.pages.top
    await hearer.line("screens")
    assert shows_screens(hearer)
    assert "RaiNet" in "\n".join(hearer.wire.screen.display)
    assert hearer.session.pages.top is page, "the seat was not left"
    hearer.screen.feed(b"\x1b[19~")
    await hearer.settle()
    assert not shows_screens(hearer)
    assert hearer.session.pages.top is page
    assert await hearer.line("board")


async def test_who_prefers_lines_gets_no_control_sequence_at_all(server: FakeServer) -> None:
    server.prefer("mira", Preferences(calibrated=True, lines=True))
    seated = await server.connect(account("mira"), has_lines=True)
    assert b"Lobby> " in seated.wire.sent
    assert b"\x1b" not in seated.wire.sent


async def test_me_keeps_that_somebody_prefers_lines(server: FakeServer) -> None:
    hearer = await hear(server, account("mira"))
    said = await hearer.line("me")
    [row] = re.findall(f"^([0-9]+): {en('me.lines')}: ", said, re.MULTILINE)
    assert en("lines.setting", n=row, name=en("me.lines"), value=en("me.lines.yes")) in await hearer.line(row)
    assert server.preferences("mira").lines
    assert en("me.lines.no") in await hearer.line(row)
    assert not server.preferences("mira").lines


async def test_without_a_cursor_a_sentence_says_why_there_are_no_screens(server: FakeServer) -> None:
    hearer = await hear(server, account("mira"))
    assert en("lines.no-screens") in " ".join((await hearer.line("screens")).split())


WINDOWS: dict[str, Json] = {  # in which what tarn does opens a window for mira
    "passage": {
        **{"players": 2, "turn": 1, "draws": 1, "bottom": 0, "pile": ["slip", "passage", "slip", "slip", "seal"]},
        "hands": [["judge", "warden"], ["greed", "warden"]],
    },
    "netrunner": {"step": "corp.2.3"},
}


async def test_people_here_are_not_told_again_and_again(server: FakeServer) -> None:
    hearer = await hear(server, account("mira"))
    before = hearer.said.sent
    server.come("tarn")
    await server.look()
    await hearer.settle()
    assert hearer.said.sent == before


@pytest.mark.parametrize(
    ("game", "other", "acts"), [("passage", 1, ["play greed"]), ("netrunner", 0, ["credit", "pass"])]
)
async def test_an_offer_made_while_one_has_a_window_was_not_heard(
    server: FakeServer, game: str, other: int, acts: list[str]
) -> None:
    """Nor was it shown; and whoever decided something after the window had turned it down unheard."""
    players = (person("mira"), person("tarn")) if other else (person("tarn"), person("mira"))
    match, own = server.matches.add(StagedMatch(game, players, position=WINDOWS[game])), Seat(1 - other)
    hearer = await hear(server, account("mira"))
    server.tell("m1")
    await hearer.settle()
    for act in acts:
        match.play(other, act)
    await hearer.settle()
    assert match.snapshot(own).is_in_window
    await match.offer(Seat(other), "adjourn")
    await hearer.settle()
    assert en("match.offered.adjourn", name="tarn") in hearer.said.sent
    await hearer.line("accept")
    assert match.snapshot(own).status == "adjourned" or (own, "adjourn") in match.snapshot(own).offers


async def test_a_veto_is_asked_with_what_is_at_stake_and_a_setting_is_typed(server: FakeServer) -> None:
    """The prompt asked whether to veto Greed, and nothing said what it would do; `auto …` meant nothing."""
    match = server.matches.add(StagedMatch("passage", (person("mira"), person("tarn")), position=WINDOWS["passage"]))
    match.changes["settings"] = match.rules.settings(match.state, Seat(0))
    hearer = await hear(server, account("mira"))
    server.tell("m1")
    await hearer.settle()
    match.play(1, "play greed")
    await hearer.settle()
    greed = en("passage.card.greed")
    assert en("passage.window.draws", name="tarn", card=greed, before=1, after=4) in hearer.said.sent
    assert hearer.prompt == en("passage.say.veto", name="tarn", card=greed)
    await hearer.line("auto until-my-turn")
    assert match.snapshot(Seat(0)).view.auto == "until-my-turn"
    await hearer.hang_up()


@pytest.mark.parametrize(
    ("card", "asked", "said", "act"),
    [
        ("judge", "passage.say.veto", "keys.confirm.no", "pass"),
        ("judge", "passage.say.veto", "keys.confirm.yes", "judge"),
        ("slip", "passage.say.veto.no-judge", "pass", "pass"),
    ],
)
async def test_a_question_was_not_answered_by_yes_or_no_and_asked_who_had_no_choice(
    server: FakeServer, card: str, asked: str, said: str, act: str
) -> None:
    """ "tarn played Greed: veto it?" stood before who holds no Judge, and "no" meant nothing there."""
    window = WINDOWS["passage"]
    assert isinstance(window, dict)
    position: Json = {**window, "hands": [[card, "warden"], ["greed", "warden"]]}
    match = server.matches.add(StagedMatch("passage", (person("mira"), person("tarn")), position=position))
    hearer = await hear(server, account("mira"))
    server.tell("m1")
    await hearer.settle()
    match.play(1, "play greed")
    await hearer.settle()
    assert hearer.prompt == en(asked, name="tarn", card=en("passage.card.greed"))
    await hearer.line(said if said == act else en(said).lower())
    assert not match.snapshot(Seat(0)).is_in_window
    assert any(event.kind == "judged" for event in match.events(Seat(0))) == (act == "judge")
    await hearer.hang_up()


async def test_prices_are_words_where_they_are_heard(server: FakeServer) -> None:
    """5 and a sign that is no letter was said as 5."""
    server.matches.add(StagedMatch("netrunner", (person("mira"), person("tarn"))))
    hearer = await hear(server, account("mira"))
    server.tell("m1")
    await hearer.settle()
    assert en("netrunner.say.credits", n=5) in await hearer.line("board")
    await hearer.hang_up()


async def test_a_word_after_chat_hello_was_said_to_the_table_too(server: FakeServer) -> None:
    """`chat hello` left a line to be typed open: `resign`, `back` and `quit` were read by all."""
    _, hearer = await at_table(server)
    said = await hearer.type("chat hello\r")
    assert "hello" in said
    said = await hearer.type("moves\r")
    assert en("lines.wrote", name="mira", text="moves") not in said
    assert MOVE in said or en("lines.kinds") in said


async def test_words_were_said_to_everybody_after_chat_which_did_not_say_how_it_ends(server: FakeServer) -> None:
    """Who hears the page typed `chat`, and then `help` and `back`: all read it, and an empty line was "dropped"."""
    _, hearer = await at_table(server)
    here = hearer.prompt
    assert en("lines.each-line") in await hearer.line("chat")
    assert en("lines.each-line") not in await hearer.line("hello")
    said = await hearer.line("")
    assert en("lines.dropped") not in said
    assert hearer.prompt == here


async def test_the_prompt_said_who_is_waited_for_while_it_was_asked_what_to_offer(server: FakeServer) -> None:
    _, mira = await at_table(server)
    here = mira.prompt
    await mira.line("offer")
    assert mira.prompt.split(en("list.comma"))[0] == en("keys.offer.draw").casefold()
    await mira.line("back")
    assert mira.prompt == here


async def test_who_agrees_to_ones_offer_was_said_to_offer_the_same(server: FakeServer) -> None:
    """ "tarn offers a draw." was said to Mira, who had offered it, when Tarn agreed."""
    match, mira = await at_table(server)
    await mira.line("offer draw")
    before = len(mira.said.sent)
    await offer_draw(server, match)
    await mira.settle()
    assert en("match.offered.draw", name="tarn") not in mira.said.sent[before:]


async def test_what_one_can_do_in_an_empty_lobby_ran_into_one_another(server: FakeServer) -> None:
    hearer = await hear(server, account("mira"), True)
    assert f"{en('lobby.empty.bot')}{en('list.then')}" in " ".join(hearer.said.sent.split())


def test_an_offer_that_is_a_sentence_ended_with_two_full_stops() -> None:
    """The page of messages said "Write: Write to the person.."."""
    said = itemwords.in_words(
        [Empty("Nothing yet.", (Offer("enter", "Write", en("keys.messages.write.help")),))], Look()
    )[-1]
    assert said.endswith(en("lines.stop"))
    assert not said.endswith(2 * en("lines.stop"))


async def test_who_registers_in_lines_was_asked_how_glyphs_and_colours_look(server: FakeServer) -> None:
    hearer = await hear(server, new_key())
    said = await hearer.line("accept")
    assert en("calibrate.title") not in hearer.said.sent
    assert hearer.prompt == "Lobby", said


async def test_a_handle_could_not_be_changed_in_lines(server: FakeServer) -> None:
    """The number of its row registered the one that stood there."""
    server.add("tarn")
    hearer = await hear(server, new_key())
    await hearer.line("1")
    assert hearer.prompt == en("welcome.handle")
    await hearer.line("tarn")
    assert en("handle.taken") in await hearer.line("accept")


async def test_the_name_of_a_card_that_ends_with_a_sign_could_not_be_typed(server: FakeServer) -> None:
    """`"Snare!": Snare!` was a run of signs, of which the quote was lost: the order could not be given."""
    match = server.matches.add(StagedMatch("netrunner", (person("mira"), person("tarn"))))
    ordered = OneOf(tuple(Action(f"order {one}") for one in ('"Snare!" "Enigma"', '"Enigma" "Snare!"')))
    shot = match.snapshot(Seat(0))
    assert shot.pending is not None
    asked = replace(shot, pending=replace(shot.pending, choice=ordered))
    moves = board_words(board("netrunner"), asked, Look().heard())["moves"]("")
    said = spoken(" ".join(moves))
    assert "Snare!; Enigma" in said
    assert found_actions(board("netrunner"), asked, "order enigma snare", Look()) == ['order "Enigma" "Snare!"']
    assert found_actions(board("netrunner"), asked, 'order "enigma" "Snare"', Look()) == ['order "Enigma" "Snare!"']


async def test_one_was_told_to_wait_for_oneself_where_a_window_goes_by(server: FakeServer) -> None:
    match = server.matches.add(StagedMatch("netrunner", (person("mira"), person("tarn"))))
    hearer = await hear(server, account("mira"))
    server.tell("m1")
    await hearer.settle()
    for seat in (0, 1):
        match.play(seat, "keep")
    await hearer.settle()
    await hearer.until_prompt()
    assert hearer.prompt == en("lines.prompt.waiting"), hearer.said.sent
    assert en("netrunner.say.window.by-itself") not in hearer.said.sent
    await hearer.hang_up()


async def test_each_window_that_went_by_was_said_as_another_kind_of_waiting(server: FakeServer) -> None:
    """A turn of the other side came with "Waiting>" and "Waiting for bot (easy)>" again and again, and no news."""
    match = server.matches.add(StagedMatch("netrunner", (person("mira"), person("tarn"))))
    hearer = await hear(server, account("mira"))
    server.tell("m1")
    await hearer.settle()
    for seat in (0, 1):
        match.play(seat, "keep")
    await hearer.settle()
    await hearer.until_prompt()
    assert hearer.prompt == en("lines.prompt.waiting")
    before = hearer.said.sent
    match.play(0, "pass")  # as it does by itself
    await hearer.settle()
    assert hearer.said.sent == before
    await hearer.hang_up()


async def test_the_prompt_came_again_after_each_thing_another_did(server: FakeServer) -> None:
    """Every second line of a Netrunner match was "Waiting for bot (easy)>"."""
    match, hearer = await at_table(server)
    said = await hearer.type("d2d3\r")
    assert said.count("> ") == 1
    waiting = hearer.prompt
    before = len(hearer.said.sent)
    await match.say(person("tarn"), "good luck")
    await hearer.settle()
    await hearer.until_prompt()
    said = hearer.said.sent[before:]
    assert "good luck" in said
    assert waiting not in said, "it was said once"
    match.play(1, "e7e6")
    server.tell("m1")
    await hearer.settle()
    assert hearer.said.sent.endswith("> ")
    assert hearer.prompt != waiting
    await hearer.hang_up()


async def test_a_line_was_answered_by_nothing_until_others_had_been_quiet(server: FakeServer) -> None:
    _, hearer = await at_table(server)
    hearer.terminal.feed(b"d2d3\r")
    await hearer.settle()
    assert not hearer.said.sent.endswith("> ")
    hearer.terminal.feed(b"\r")
    await hearer.settle()
    assert hearer.said.sent.endswith("> ")
    await hearer.hang_up()


async def test_waiting_was_said_just_before_ones_own_turn(server: FakeServer) -> None:
    match, hearer = await at_table(server)
    before = len(hearer.said.sent)
    hearer.terminal.feed(b"d2d3\r")
    await hearer.settle()
    match.play(1, "e7e6")
    server.tell("m1")
    await hearer.settle()
    said = hearer.said.sent[before:]
    assert said.count("> ") == 1
    assert said.endswith("> ")
    assert "tarn moves e7 to e6" in said
    await hearer.hang_up()


async def test_when_a_match_stops_could_only_be_read_on_screens(server: FakeServer) -> None:
    match = server.matches.add(StagedMatch("netrunner", (person("mira"), person("tarn"))))
    match.changes["settings"] = match.rules.settings(match.state, Seat(0))
    hearer = await hear(server, account("mira"))
    server.tell("m1")
    await hearer.settle()
    assert f"run.3.1, {en('netrunner.step.of-run')}" in await hearer.line("what auto")
    seq = match.seq
    await hearer.line("auto run.3.1 never")
    assert match.seq == seq + 1
    await hearer.hang_up()


def test_who_did_something_was_not_named_where_a_turn_had_begun_with_them() -> None:
    """'draws 1', in `since`: by ear nothing says under whose turn it stands."""
    look, match = Look().heard(), StagedMatch("passage", (person("mira"), person("tarn")), "m1")
    match.state = match.rules.read_position({"players": 2, "hands": [["slip"], ["slip"]], "pile": ["seal"] * 9}, {})
    for seat, act in ((0, "play slip"), (0, "end"), (1, "end")):
        match.play(seat, act)
    said = told(board("passage"), match.snapshot(Seat(0)), match.events(Seat(0)), look)
    assert said[-1].casefold().startswith(look.t("told.you")), said
    assert [one for one in said if one.startswith("tarn draws")], said


async def test_again_said_no_position_at_a_board(server: FakeServer) -> None:
    _, mira = await at_table(server)
    said = await mira.line("again")
    assert "links on" in said


async def test_the_rules_could_be_read_only_in_a_match(server: FakeServer) -> None:
    mira = await hear(server, account("mira"))
    assert en("help.title") in await mira.line("rules")


def test_an_address_lost_the_signs_of_its_scheme() -> None:
    """'https:example.org' is no address; it can be typed without."""
    assert spoken("Watch: https://example.org/m/7") == "Watch: example.org/m/7"


async def test_a_value_of_a_form_could_only_be_reached_step_by_step(server: FakeServer) -> None:
    mira = await hear(server, account("mira"))
    await mira.line("me")
    number = next(one for one in mira.said.sent.splitlines() if "English" in one).partition(":")[0]
    said = await mira.line(f"{number} 简体")
    assert mira.session.look.language == "zh_CN", said
    before = mira.session.look
    assert Look(language="zh_CN").t("lines.no-value", value="xyz")[:8] in await mira.line(f"{number} xyz")
    assert mira.session.look == before


async def test_the_row_that_changed_was_not_said_where_many_others_did(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.boards.gamefacts.has_board", lambda game: game in ("rainet", "relati"))
    mira = await hear(server, account("mira"))
    await mira.line("new")
    said = " ".join((await mira.line("1 relati")).split())
    assert f"1: {en('form.game')}: Relati" in said, said


async def test_back_behind_a_row_of_a_form_left_the_form(server: FakeServer) -> None:
    mira = await hear(server, account("mira"))
    await mira.line("me")
    page = mira.session.pages.top
    await mira.line("1 back")
    assert mira.session.pages.top is page


async def test_done_was_said_where_a_text_is_asked_for(server: FakeServer) -> None:
    mira = await hear(server, new_key())
    assert en("lines.done") not in await mira.line("1")


async def test_rules_were_said_whole_at_once(server: FakeServer) -> None:
    """A hundred lines, where one wanted to know how to play."""
    mira = await hear(server, account("mira"))
    said = await mira.line("rules")
    assert en("lines.sections") in " ".join(said.split())
    assert "1.1 " not in said
    assert "1.1 " in await mira.line("1")


@pytest.mark.parametrize(("played", "is_said"), [("", True), ("rainet", False)])
async def test_what_each_game_is_was_said_at_every_return_to_the_lobby(
    server: FakeServer, played: str, is_said: bool
) -> None:
    server.prefer("mira", Preferences(calibrated=True, bot_game=played))
    mira = await hear(server, account("mira"))
    assert (en("game.rainet.about") in mira.said.sent) is is_said
    assert en("game.rainet.about") in await mira.line("again")


def test_one_of_several_had_to_be_typed_with_its_verb() -> None:
    match = StagedMatch("passage", (person("mira"), person("tarn")), "m1")
    asked = replace(
        match.snapshot(Seat(0)), pending=Pending(Seat(0), "discard", Subset("discard", ("seal", "judge"), 1, 1))
    )
    assert found_actions(board("passage"), asked, "seal", Look()) == ["discard seal"]
    assert found_actions(board("passage"), asked, "discard seal", Look()) == ["discard seal"]
    assert found_actions(board("passage"), asked, "warden", Look()) == []


def test_one_of_two_that_are_asked_for_meant_nothing() -> None:
    """ "1", where two were to be named, was answered as what is no word at all: now what is asked is told once more."""
    match = StagedMatch("passage", (person("mira"), person("tarn")), "m1")
    choice = Subset("give", ("seal", "judge", "warden"), 2, 2)
    asked = replace(match.snapshot(Seat(0)), pending=Pending(Seat(0), "give", choice))
    for typed in ("give seal", "seal", "judg"):
        said = not_found(board("passage"), asked, typed, [], Look(), ToldMoves())
        assert said is not None
        assert any(f"give and {choice.min} of" in one for one in said), said
    assert not_found(board("passage"), asked, "nothing", [], Look(), ToldMoves()) is None
    assert found_actions(board("passage"), asked, "Judg Ward", Look()) == ["give judge warden"]


@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.parametrize("sign", [":", " ", "："])
def test_words_that_were_heard_had_to_be_typed_with_the_sign_between_them(language: str, sign: str) -> None:
    """A screen reader says no colon, and a Chinese one is another than that of the keyboard."""
    shot, look = seen(at(turn="corp", step="corp.2.3"), CORP), Look(language=language)
    pair = look.t("list.pair", what="", value="").strip()
    groups = board("netrunner").spoken_moves(shot, look)
    text, words = next(move for group in groups for move in group.moves if pair in move[1])
    assert found_actions(board("netrunner"), shot, words.replace(pair, sign), look) == [text]


@pytest.mark.parametrize("language", ["en", "zh_CN", "zh_TW"])
def test_how_an_action_is_typed_was_told_in_english_to_who_reads_chinese(language: str) -> None:
    look, shot = Look(language=language), seen(at(turn="corp", step="corp.2.3"), CORP)
    typed = as_typed(board("netrunner"), shot, "credit", look)
    assert found_actions(board("netrunner"), shot, typed, look) == ["credit"]
    assert (typed == "credit") is (language == "en")
    rainet = StagedMatch("rainet", (person("mira"), person("tarn"))).snapshot(Seat(0))
    assert as_typed(board("rainet"), rainet, "d2d3", look) == "d2d3", "that is a word of no language"


async def test_another_view_of_a_replay_was_said_to_be_done_and_nothing_more(server: FakeServer) -> None:
    mira = await hear(server, account("mira"))
    mira.session.pages.push(ReplayPage(mira.session, PlayedMatch()))
    await mira.line("again")
    said = await mira.line("view")
    assert en("lines.done") not in said
    assert "links on" in said


async def test_since_told_nothing_where_a_window_had_gone_by(server: FakeServer) -> None:
    """The pass that is made by itself was taken for one's own last decision."""
    match = server.matches.add(StagedMatch("netrunner", (person("mira"), person("tarn"))))
    mira = await hear(server, account("mira"))
    server.tell("m1")
    await mira.settle()
    await mira.line("keep")
    match.play(1, "keep")
    match.play(0, "pass")
    await mira.settle()
    assert f"{en('told.you')} keep" in (await mira.line("since")).casefold()


async def test_a_hundred_and_eighty_cards_were_said_at_once(server: FakeServer) -> None:
    mira = await hear(server, account("mira"))
    mira.session.pages.push(CardsPage(mira.session, "netrunner"))
    said = await mira.line("")
    assert "20: " in said
    assert "21: " not in said
    first = await mira.line("1")
    assert en("lines.done") not in first
    assert first.count("\n") > 3
    assert "Gamble" in await mira.line("search sure gamble")


async def test_what_is_offered_had_to_be_typed_on_a_line_of_its_own(server: FakeServer) -> None:
    match, mira = await at_table(server)
    await mira.line("offer draw")
    assert (Seat(0), "draw") in match.snapshot(Seat(0)).offers
    await mira.hang_up()


async def test_what_nobody_asked_for_behind_a_word_was_ignored_in_silence(server: FakeServer) -> None:
    mira = await hear(server, account("mira"))
    assert en("lines.left-out", word="netrunner") in " ".join((await mira.line("people netrunner")).split())
    await mira.line("back")
    assert en("lines.left-out", word="back") not in await mira.line("ladders back")


async def test_play_and_a_game_looked_for_players_in_all_games(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.boards.gamefacts.has_board", lambda game: True)
    mira = await hear(server, account("mira"))
    lobby = mira.session.pages.first
    assert isinstance(lobby, LobbyPage)
    await mira.line("play Netrunner fast")
    wishes = [one.agreement for one in await server.seeks()]
    assert {(one.game, one.speed) for one in wishes} == {("netrunner", "fast")}
    await mira.line("cancel")
    assert lobby.ticket is None
    assert len(mira.session.person.preferences.games) == 0, "it was for once"
    said = " ".join((await mira.line("play chess")).split())
    assert "Relati" in said, "it names what there is"
    assert lobby.ticket is None
    assert await server.seeks() == []


async def test_play_and_another_game_meant_nothing_while_one_looked_for_players(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.boards.gamefacts.has_board", lambda game: True)
    mira = await hear(server, account("mira"))
    await mira.line("play netrunner")
    await mira.line("play passage fast")
    assert {(one.agreement.game, one.agreement.speed) for one in await server.seeks()} == {("passage", "fast")}
    assert en("lobby.looking") in await mira.line("play")
    assert len(await server.seeks()) == 1


@pytest.mark.parametrize("typed", ["new rainet", "watch tarn", "bot chess"])
async def test_a_line_that_is_not_understood_is_not_done_by_half(server: FakeServer, typed: str) -> None:
    mira = await hear(server, account("mira"))
    said = await mira.line(typed)
    assert mira.session.pages.top is mira.session.pages.first
    assert en("lines.done") not in said


async def test_a_bot_is_asked_for_with_its_game(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    mira = await hear(server, account("mira"))
    monkeypatch.setattr("server.boards.gamefacts.has_board", lambda game: True)
    assert "1: Game: Relati" in await mira.line("bot relati")


async def test_help_offered_a_digit_that_opened_a_row(server: FakeServer) -> None:
    mira = await hear(server, account("mira"))
    await mira.line("bot")
    assert not re.search(r" or \d[,.]", " ".join((await mira.line("help")).split()))


@pytest.mark.parametrize("language", ["zh_CN", "zh_TW"])
async def test_in_chinese_the_words_that_help_names_were_english_only(server: FakeServer, language: str) -> None:
    mira = await hear(server, account("mira"))
    mira.session.display.use(language=language)
    t = mira.session.t
    for name in ALL_WORDS:
        assert t(f"lines.word.{name}") in t(f"lines.help.{name}"), name
    assert t("lines.help.quiet") in await mira.line(t("lines.word.help"))
    await mira.line(t("lines.word.rules"))
    assert mira.session.pages.top is not mira.session.pages.first
    await mira.line(t("lines.word.back"))
    assert mira.session.pages.top is mira.session.pages.first


async def test_no_word_took_a_copy_out_of_a_deck(server: FakeServer) -> None:
    """`fewer, more` was one word, and only added."""
    mira = await hear(server, account("mira"))
    mira.session.pages.push(DeckEditPage(mira.session, DECK))
    said = await mira.line("again")
    count = int(re.search(r"^1: (\d+)", said, re.MULTILINE)[1])  # type: ignore[index]
    assert f"1: {count - 1}, " in await mira.line("1 fewer")
    assert f"1: {count}, " in await mira.line("1 more")


@pytest.mark.parametrize("language", ["zh_CN", "zh_TW"])
def test_in_chinese_no_english_word_took_a_copy_out_of_a_deck(language: str) -> None:
    commands = list(commands_of(keymap.hints("deckedit", ("count",)), Look(language=language)))
    assert [one.key for one in commands if "fewer" in one.words] == ["left"]
    assert [one.key for one in commands if "more" in one.words] == ["right"]


async def test_a_verbose_board_was_said_when_one_had_moved_too(server: FakeServer) -> None:
    match, mira = await at_table(server)
    await mira.line("verbose")
    assert "links on" not in await mira.line(MOVE)
    before = mira.said.sent
    match.play(1, "d7d6")
    await mira.settle()
    assert "links on" in mira.said.sent.removeprefix(before)
    await mira.hang_up()


def test_a_card_that_one_has_twice_was_said_once_where_two_were_to_be_named() -> None:
    group = MoveGroup("Choose two cards", (("warden", "Warden"),) * 2, "trade", 2, 2)
    shot = StagedMatch("passage", (person("mira"), person("tarn"))).snapshot(Seat(0))
    _, said = ToldMoves().tell(shot, (group,), Look(), "")
    assert said == en("lines.pick-all", verb="trade", most=2, items="Warden; Warden")
    once = MoveGroup("", group.moves, "discard")
    assert list(ToldMoves().tell(shot, (once,), Look(), "")) == [en("lines.pick-one", verb="discard", items="Warden")]


async def test_a_move_typed_with_a_blank_meant_nothing_and_nothing_said_how_to_type_one(server: FakeServer) -> None:
    match, mira = await at_table(server)
    how = en("lines.how", move="a1a2")
    assert how in mira.said.sent
    assert en("lines.unknown-action", word="d2") not in await mira.line("d2 d8"), "why not is said, as of d2d8"
    assert en("lines.unknown-action", word="yes") in await mira.line("yes"), "it chose among all actions"
    await mira.line("d2 d3")
    assert match.snapshot(Seat(0)).pending is None
    assert mira.said.sent.count(how) == 1


async def test_a_number_opened_a_row_that_nobody_had_said(server: FakeServer) -> None:
    """The list had changed by itself, and the prompt came again without a word of it: then the number meant the new."""
    await busy(server)
    hearer = await hear(server, account("mira"))
    await hearer.line("back")
    page = hearer.session.pages.top
    assert isinstance(page, LobbyPage)
    said = rows_of(page.items())
    page.lists.codes_wait = True  # a row comes between the first and the second
    hearer.session.dirty()
    await hearer.settle()
    assert rows_of(page.items())[1] != said[1]
    assert en("lines.row-changed", n=2) in await hearer.line("2")
    assert hearer.session.pages.top is page


async def test_the_name_of_a_value_was_taken_only_behind_a_number(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.boards.gamefacts.has_board", lambda game: game in ("rainet", "relati"))
    mira = await hear(server, account("mira"))
    await mira.line("bot")
    assert f"1: {en('form.game')}: Relati" in await mira.line("relati")
    assert en("lines.which", words="3 normal, 4 normal") in await mira.line("normal"), "a level and a speed"
    assert f": {en('speed.fast')}" in await mira.line("fast")
    assert f"2: {en('form.players')}: 3" in await mira.line(f"{en('form.players')} 3")


async def test_a_row_of_a_list_was_opened_by_its_number_and_not_by_its_name(server: FakeServer) -> None:
    mira = await hear(server, account("mira"))
    mira.session.pages.push(TutorialsPage(mira.session, tutorials(registry.KEYS)))
    await mira.settle()
    assert en("lines.unknown", word="r") in await mira.line("r"), "no whole word"
    assert en("lines.unknown", word="netrunner") in await mira.line("netrunner"), "two rows begin so"
    assert spoken(en("tutorial.title", game="Relati")) in await mira.line("relati")


async def test_a_handle_behind_the_number_of_its_row_meant_nothing(server: FakeServer) -> None:
    newcomer = await hear(server, new_key(""))
    assert "1: handle: zoe" in await newcomer.line("1 zoe")


def test_an_action_that_ends_with_a_sign_was_said_without_it() -> None:
    """`d8>=:` is three signs in a row: it was said as `d8>`, which nobody can type."""
    assert spoken(en("list.pair", what="d8>=", value="hidden")) == "d8>= hidden"


@pytest.mark.parametrize("language", CHOICES)
def test_what_a_lesson_said_to_type_lost_its_quote(language: str) -> None:
    look = Look(language=language).heard()
    for game in registry.KEYS:
        said = spoken(look.t(f"tutorial.{game}.end"))
        assert said.count("“") == said.count("”"), said
        assert said.count("「") == said.count("」"), said


async def test_moves_took_a_number_and_no_name(server: FakeServer) -> None:
    _, mira = await at_table(server)
    said = await mira.line("moves d2")
    assert "1: to d3" in said
    assert "e2e3" not in said
    assert "+d2: " in await mira.line("moves boost notation")


async def test_the_words_that_moves_said_could_not_be_typed(server: FakeServer) -> None:
    match = server.matches.add(StagedMatch("netrunner", (person("mira"), person("tarn"))))
    mira = await hear(server, account("mira"))
    server.tell("m1")
    await mira.settle()
    words = en("netrunner.row.mulligan")
    assert f"2: {words}" in " ".join((await mira.line("moves")).split())
    await mira.line(words)
    assert match.seq == 1
    await mira.hang_up()


async def test_a_number_of_an_earlier_question_means_nothing(server: FakeServer) -> None:
    match, mira = await at_table(server)
    await mira.line("moves d2")
    await mira.line("1")
    match.play(1, "e7e6")
    server.tell("m1")
    await mira.settle()
    assert en("lines.no-such-move") in await mira.line("2")
    await mira.hang_up()


async def test_which_one_was_asked_without_saying_what_each_does(server: FakeServer) -> None:
    _, mira = await at_table(server)
    said = await mira.line("d2")
    assert "d2d3: " in said, said


async def test_a_handle_that_was_typed_meant_nothing(server: FakeServer) -> None:
    """One had to type "1" first; a handle alone was no word."""
    hearer = await hear(server, new_key(), edits=False)
    assert en("welcome.typed", handle="blinda") in await hearer.line("Blinda")
    assert en("lines.unknown", word="admin") not in await hearer.line("admin")
    await hearer.line("blinda")
    await hearer.line("accept")
    assert hearer.session.identity.name == "blinda"
    await hearer.hang_up()


async def test_a_second_try_to_register_was_said_to_be_done(server: FakeServer) -> None:
    hearer = await hear(server, new_key(), edits=False)
    server.add("blinda")
    await hearer.line("blinda")
    for _ in range(2):
        said = " ".join((await hearer.line("accept")).split())
        assert en("handle.taken") in said
        assert en("lines.done") not in said
    await hearer.hang_up()


async def test_recovery_codes_came_between_a_match_and_the_lobby(server: FakeServer) -> None:
    """After the first match `back` read eight codes, and what is typed in the lobby meant nothing there."""
    server.prefer("mira", Preferences(calibrated=True, codes_wait=True))
    match, mira = await at_table(server)
    await resign(server, match)
    await mira.settle()
    said = " ".join((await mira.line("back")).split())
    assert mira.prompt == en("lobby.title")
    assert en("codes.title") not in said
    await mira.line("bot")
    assert mira.prompt == en("bots.title")
    await mira.hang_up()


async def test_the_seed_was_read_aloud_letter_by_letter(server: FakeServer) -> None:
    match, mira = await at_table(server)
    await resign(server, match)
    await mira.settle()
    seed = match.snapshot(Seat(0)).seed
    assert seed
    assert seed not in (await mira.line("again")).replace("\r\n", "")
    assert seed in (await mira.line("since all")).replace("\r\n", "")
    await mira.hang_up()


async def test_whose_card_was_taken_was_not_said(server: FakeServer) -> None:
    """“You move c7 to c8; takes a virus on c8.”"""
    match, mira = await at_table(server)
    for seat, text in ((0, "d2d3"), (1, "d7d6"), (0, "d3d4"), (1, "d6d5")):
        match.play(seat, text)
    server.tell("m1")
    await mira.settle()
    said = await mira.line("d4d5")
    assert re.search(r"You move d4 to d5; take tarn’s (link|virus) on d5\.", said), said
    assert "EXITs: South d1, e1; North d8, e8." in await mira.line("board")
    match.play(1, "e7e6")
    match.play(0, "a1a2")
    match.play(1, "e6d6")
    match.play(0, "a2a3")
    match.play(1, "d6d5")
    server.tell("m1")
    await mira.settle()
    assert re.search(r"tarn moves d6 to d5; takes your (link|virus) on d5\.", mira.said.sent)
    await mira.hang_up()


async def test_the_identities_were_not_said(server: FakeServer) -> None:
    server.matches.add(StagedMatch("netrunner", (person("mira"), person("tarn"))))
    mira = await hear(server, account("mira"))
    server.tell("m1")
    await mira.settle()
    said = " ".join((await mira.line("board")).split())
    assert "You, Corp, Jinteki: " in said
    assert "tarn, Runner, Kate" in said
    await mira.hang_up()
