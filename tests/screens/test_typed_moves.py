"""Moves that are typed, completed and prepared, as a person does it on the match's page."""

from __future__ import annotations

import re

import pytest

from game.contract import Event, Json, Seat
from game.rainet.board import SQUARES
from server.boards.games.passage import selection as passage
from server.i18n.catalogues import CHOICES
from server.matches.server_events import TAKEN_BACK
from server.terminal.lines import columns
from tests.boards.positions import person
from tests.screens.test_tutorials import at_lesson, page_of
from tests.session.evening import busy, in_lobby, match_page
from tests.session.fakeserver import FakeServer, Seated
from tests.session.stage import StagedMatch
from tests.texts import en

FILES = re.compile(r"a\W+b\W+c\W+d|d\W+c\W+b\W+a")
RELATI = "5/1OsO2/5/3X1/4Xs O OX"


async def at_board(server: FakeServer, name: str, cols: int = 80, rows: int = 24) -> Seated:
    seated = await in_lobby(server, cols, rows, name)
    await seated.type("enter")
    return seated


def acts(match: StagedMatch) -> list[str]:
    """Return the moves of a match of RaiNet."""
    return list(match.state.log)


@pytest.mark.parametrize(("cols", "rows"), [(80, 24), (60, 20), (40, 20)])
async def test_a_distant_card_cost_a_dozen_keys(server: FakeServer, cols: int, rows: int) -> None:
    await busy(server)
    match = server.matches.all["m1"]
    south = await at_board(server, "mira", cols, rows)
    await south.type(":", "d", "4", "e", "4", "enter")
    await south.settle()
    assert acts(match) == ["d4e4"]


async def test_tab_completes_what_goes_on_in_one_way_only(server: FakeServer) -> None:
    await busy(server)
    south = await at_board(server, "mira")
    await south.type(":", "d", "4")
    assert "d4e4" in south.text
    await south.type("e", "tab")
    typing = south.session.prompts.typing
    assert typing is not None
    assert typing.field.text == "d4e4"


async def test_what_is_not_legal_is_named_and_can_be_mended(server: FakeServer) -> None:
    await busy(server)
    match = server.matches.all["m1"]
    south = await at_board(server, "mira")
    await south.type(":", "d", "4", "h", "8", "enter")
    await south.settle()
    assert acts(match) == []
    assert south.session.prompts.typing is not None
    await south.type("backspace", "backspace", "e", "4", "enter")
    await south.settle()
    assert acts(match) == ["d4e4"]


async def test_a_cell_alone_connects_and_never_escapes(server: FakeServer) -> None:
    match = server.matches.add(StagedMatch("relati", (person("mira"), person("tarn")), "m1", RELATI))
    south = await at_board(server, "mira")
    await south.type(":", "c", "3", "enter")
    await south.settle()
    assert match.state.last.action == "Rc3"


async def test_a_prepared_move_is_shown_to_nobody_and_made_when_it_is_legal(server: FakeServer) -> None:
    await busy(server)
    match = server.matches.all["m1"]
    match.play(Seat(0), "d4e4")
    south, north = await at_board(server, "mira"), await at_board(server, "tarn")
    before = north.text
    await south.type(":", "e", "4", "e", "5", "enter")
    await north.settle()
    assert acts(match) == ["d4e4"]
    assert "to e5" in south.text
    assert north.text == before
    match.play(Seat(1), "d5d4")
    await south.settle()
    await server.clock.advance(0.4)
    await south.settle()
    assert acts(match)[-1:] == ["e4e5"]
    assert match_page(south).answering.prepared == ""


async def test_a_prepared_move_that_is_not_legal_any_more_is_dropped_and_said(server: FakeServer) -> None:
    await busy(server)
    match = server.matches.all["m1"]
    match.play(Seat(0), "d4e4")
    south = await at_board(server, "mira")
    await south.type(":", "#", "d", "4", "enter")
    match.play(Seat(1), "d5d4")
    await south.settle()
    await server.clock.advance(0.4)
    await south.settle()
    assert acts(match) == ["d4e4", "d5d4"]
    assert match_page(south).answering.prepared == ""
    assert "#d4" in south.text


async def test_esc_drops_what_is_prepared(server: FakeServer) -> None:
    await busy(server)
    match = server.matches.all["m1"]
    match.play(Seat(0), "d4e4")
    south = await at_board(server, "mira")
    await south.type(":", "e", "4", "e", "5", "enter", "esc")
    assert match_page(south).answering.prepared == ""
    match.play(Seat(1), "d5d4")
    await south.settle()
    await server.clock.advance(0.4)
    assert acts(match) == ["d4e4", "d5d4"]


@pytest.mark.parametrize("language", ["en", "zh_CN", "zh_TW"])
async def test_the_first_screen_said_a_hash_and_not_the_goal(server: FakeServer, language: str) -> None:
    match = server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn")), "m1"))
    seated = await in_lobby(server, name="mira", language=language)
    await seated.type("enter")
    shown, t = "".join(seated.text.split()), seated.session.t
    assert match.state.board == b""
    for key in ("tutorial.rainet.goal", "rainet.first"):
        assert "".join(t(key).split())[:12] in shown


async def test_enter_once_more_after_a_boost_prepared_to_take_it_back(server: FakeServer) -> None:
    """The terminal card stayed in hand in the other side’s turn: a second enter would have wasted the next one."""
    await busy(server)
    match = server.matches.all["m1"]
    south = await at_board(server, "mira")
    await south.type("b", "enter")
    await south.settle()
    assert acts(match) == ["-b2"]
    await south.type("enter", "enter")
    await south.settle()
    assert match_page(south).answering.prepared == ""
    assert match_page(south).answering.is_resting


async def test_a_prepared_move_was_made_on_the_turn_that_a_take_back_gave_again(server: FakeServer) -> None:
    await busy(server)
    match = server.matches.all["m1"]
    before = match.state
    match.play(Seat(0), "d4e4")
    south = await at_board(server, "mira")
    await south.type(":", "d", "2", "d", "3", "enter")
    match.state, match.seq = before, match.seq + 1
    match.seen.append((match.seq, Event(TAKEN_BACK, {"seat": 0, "to": 0})))
    match.tell()
    await south.settle()
    assert acts(match) == []
    first_line = " ".join(south.session.t("match.event.takeback", name="mira").split()[:4])  # beside the board it wraps
    assert first_line in south.text


async def test_after_a_typed_move_the_cursor_stood_where_it_had_been(server: FakeServer) -> None:
    await busy(server)
    south = await at_board(server, "mira")
    await south.type(":", "d", "4", "e", "4", "enter")
    await south.settle()
    assert match_page(south).answering.selection.cursor == SQUARES["e4"]


async def test_an_armed_action_survived_reading_the_rules(server: FakeServer) -> None:
    """Who came back and pressed enter spent a terminal card that they had forgotten."""
    await busy(server)
    south = await at_board(server, "mira")
    await south.type("c")
    page = match_page(south)
    assert not page.answering.is_resting
    south.session.help(rules=True)
    await south.settle()
    await south.type("esc")
    assert south.session.pages.top is page
    assert page.answering.is_resting


@pytest.mark.parametrize(("cols", "rows"), [(80, 24), (60, 20)])
async def test_a_move_could_be_prepared_by_typing_only(server: FakeServer, cols: int, rows: int) -> None:
    await busy(server)
    match = server.matches.all["m1"]
    north = await at_board(server, "tarn", cols, rows)
    await north.type(".", "enter")
    assert not match_page(north).answering.is_resting, "a card is taken up while the other thinks"
    assert acts(match) == []
    await north.type(".", "enter")
    prepared = match_page(north).answering.prepared
    assert prepared
    assert " on g8: to g7" in north.text, "it was said in notation"
    assert acts(match) == [], "nobody is told"
    match.play(0, "d4e4")
    await north.settle()
    await server.clock.advance(0.4)
    await north.settle()
    assert acts(match) == ["d4e4", prepared]


async def test_what_is_half_prepared_is_put_down_when_the_turn_comes(server: FakeServer) -> None:
    await busy(server)
    match = server.matches.all["m1"]
    north = await at_board(server, "tarn")
    await north.type(".", "enter", "esc")
    assert match_page(north).answering.is_resting
    await north.type("enter")
    cursor = match_page(north).answering.selection.cursor
    match.play(0, "d4e4")
    await north.settle()
    assert match_page(north).answering.is_resting, "one reads what is asked before anything is done"
    assert match_page(north).answering.selection.cursor == cursor


@pytest.mark.parametrize("language", ["en", "zh_CN", "zh_TW"])
async def test_all_keys_moved_in_the_key_line_whenever_the_turn_changed(server: FakeServer, language: str) -> None:
    """While one waited it named other keys in other places, though the same ones begin a move for later."""
    await busy(server)
    match = server.matches.all["m1"]
    seated = await in_lobby(server, name="mira", language=language)
    await seated.type("enter")
    move = seated.session.t("keys.rainet.move")

    def line_of(label: str) -> tuple[int, str]:
        line = next(
            one for one in seated.text.split("\n") if "esc " in one.casefold() and seated.session.t(label) in one
        )
        before, _, behind = line.partition(move)
        return columns(before), behind

    asked = line_of("keys.rainet.go")
    match.play(0, "d4e4")
    await seated.settle()
    assert line_of("match.prepare") == asked


async def test_a_link_of_relati_is_prepared_where_the_cursor_is(server: FakeServer) -> None:
    match = server.matches.add(StagedMatch("relati", (person("mira"), person("tarn")), "m1", RELATI))
    north = await at_board(server, "tarn")
    await north.type("s", "up", "enter")
    assert match_page(north).answering.prepared.casefold() == "re4"
    assert match.seq == 0


@pytest.mark.parametrize("typed", ["zz", "d4zz", "d4 e4", "hello"])
@pytest.mark.parametrize("language", ["en", "zh_CN", "zh_TW"])
async def test_what_could_not_be_read_named_no_way_out(server: FakeServer, typed: str, language: str) -> None:
    await busy(server)
    seated = await in_lobby(server, name="mira", language=language)
    await seated.type("enter", ":", *typed, "enter")
    page = match_page(seated)
    first = page.seen.board.spelled(page.snapshot, "")[0]
    said = seated.session.t("match.no-such-move", move=typed, example=page.seen.board.spellings(first)[0])
    assert "".join(said.split()) in "".join(seated.text.split())
    assert seated.session.prompts.typing is not None


async def test_a_move_of_relati_that_is_none_named_no_way_out(server: FakeServer) -> None:
    server.matches.add(StagedMatch("relati", (person("mira"), person("tarn")), "m1", RELATI))
    south = await at_board(server, "mira")
    first = match_page(south).seen.board.spelled(match_page(south).snapshot, "")[0]
    await south.type(":", "z", "9", "enter")
    assert south.says("match.no-such-move", move="z9", example=match_page(south).seen.board.spellings(first)[0])


@pytest.mark.parametrize(("cols", "rows"), [(80, 24), (60, 20), (120, 40)])
async def test_a_play_of_passage_could_be_prepared_by_typing_only(server: FakeServer, cols: int, rows: int) -> None:
    position: Json = {"players": 3, "hands": [["greed"], ["greed", "attack"], ["slip"]], "pile": ["slip"] * 9}
    names = ("mira", "tarn", "lio")
    match = server.matches.add(StagedMatch("passage", tuple(map(person, names)), "m1", position))
    waiting = await at_board(server, "tarn", cols, rows)
    page = match_page(waiting)
    await waiting.type("enter")
    assert waiting.says("match.waits-for", names="mira"), "nothing is prepared that one does not see"
    assert page.answering.prepared == ""
    await waiting.type("down")
    assert waiting.says("passage.do.ahead")
    await waiting.type("esc")
    assert not waiting.says("passage.do.ahead")
    await waiting.type("down")
    at = [row.head for row in passage.rows(page.answering.shown)].index("play greed")
    await waiting.type(*(["down"] * (at - page.answering.selection.cursor)), "enter")
    assert match_page(waiting).answering.prepared == "play greed"
    assert waiting.says("match.prepared", move=en("passage.card.greed"))
    assert page.answering.is_resting
    assert match.seq == 0, "nobody is told"


@pytest.mark.parametrize("language", CHOICES)
@pytest.mark.parametrize("turn", [0, 1])
async def test_full_stops_stood_within_sentences(server: FakeServer, language: str, turn: int) -> None:
    """What each play does was told as "draw three more.; slip: …", and "Prepared: … three more.. Nobody sees it"."""
    position: Json = {"players": 2, "turn": turn, "hands": [["greed", "slip"], ["slip"]], "pile": ["slip"] * 9}
    server.matches.add(StagedMatch("passage", (person("mira"), person("tarn")), "m1", position))
    seated = await in_lobby(server, name="mira", language=language)
    await seated.type("enter", ":")
    if turn:
        await seated.type(*"greed", "enter")
        assert match_page(seated).answering.prepared == "play greed"
    else:
        assert seated.session.t("passage.card.greed") in seated.text
    assert not any(wrong in seated.text for wrong in (".;", "。；", "。。"))
    assert ".." not in seated.text.replace("...", "")


async def test_a_prepared_play_waits_for_the_play_phase(server: FakeServer) -> None:
    position: Json = {"players": 3, "hands": [["tithe"], ["greed", "attack"], ["slip"]], "pile": ["slip"] * 9}
    names = ("mira", "tarn", "lio")
    match = server.matches.add(StagedMatch("passage", tuple(map(person, names)), "m1", position))
    waiting = await at_board(server, "tarn")
    page = match_page(waiting)
    page.answering.prepare("play greed")
    match.play(Seat(0), "play tithe 1")
    asked = match.rules.pending(match.state)
    while all(pending.prompt != "give" or pending.seat != 1 for pending in asked):
        match.play(asked[0].seat, "pass")
        asked = match.rules.pending(match.state)
    await waiting.settle()
    await server.clock.advance(2.0)
    await waiting.settle()
    assert page.snapshot.pending is not None
    assert page.answering.prepared == "play greed", "to give a card is another question"


async def test_the_list_of_targets_stood_on_after_the_play(server: FakeServer) -> None:
    """The next play was being prepared, and nobody had begun it."""
    hands: Json = [["attack", "bottom"], ["greed"], ["slip"]]
    position: Json = {"players": 3, "hands": hands, "pile": ["slip"] * 9, "options": {"bottom_targets_others": True}}
    names = ("mira", "tarn", "lio")
    match = server.matches.add(StagedMatch("passage", tuple(map(person, names)), "m1", position))
    seated = await at_board(server, "mira")
    await seated.type("enter", "enter")
    while match.rules.pending(match.state)[0].window:
        match.play(match.rules.pending(match.state)[0].seat, "pass")
    await seated.settle()
    await server.clock.advance(2.0)
    await seated.settle()
    page = match_page(seated)
    assert page.snapshot.pending is None
    assert page.answering.is_resting
    assert page.answering.shown is page.snapshot


async def test_the_moves_on_offer_stood_on_when_their_line_was_left(server: FakeServer) -> None:
    await busy(server)
    south = await at_board(server, "mira")
    await south.type(":")
    assert "b2b3" in south.text
    await south.type("esc")
    assert south.session.prompts.is_quiet


async def test_a_typed_move_into_the_server_was_a_riddle(server: FakeServer) -> None:
    """`d8>+  d8>l  d8>v` was on offer, and nothing said what the signs mean."""
    seated = await at_lesson(server, "rainet", "enter")
    await seated.type(":", *"d8>")
    page = page_of(seated)
    does = {
        text: words
        for group in page.board.spoken_moves(page.snapshot, seated.session.look)
        for text, words in group.moves
    }
    said = " ".join(seated.text.split())
    for move in ("d8>+", "d8>l", "d8>v"):
        assert f"{move}: {does[move]}" in said


@pytest.mark.parametrize("typed", ["d4-e4", "d4–e4"])
async def test_a_move_typed_as_the_log_writes_it_was_refused(server: FakeServer, typed: str) -> None:
    await busy(server)
    match = server.matches.all["m1"]
    south = await at_board(server, "mira")
    await south.type(":", *typed, "enter")
    await south.settle()
    assert acts(match) == ["d4e4"]


@pytest.mark.parametrize(("cols", "rows"), [(80, 24), (60, 20), (120, 40)])
@pytest.mark.parametrize("name", ["mira", "tarn"])
async def test_the_letters_of_the_files_went_while_a_move_was_typed(
    server: FakeServer, cols: int, rows: int, name: str
) -> None:
    """What one types is made of them."""
    await busy(server)
    seated = await at_board(server, name, cols, rows)
    await seated.type(":")
    assert FILES.search(seated.text)
    await seated.type("d", "9", "enter")
    assert FILES.search(seated.text)
