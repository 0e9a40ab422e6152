"""Relati's board: a pure function from what a viewer may know to lines, and from keys to actions."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from game import registry
from game.choices import contains
from game.contract import Action, Json, OneOf, Result, Seat, Viewer, Watcher
from game.relati.attacks import targets_hit
from game.relati.explain import tree
from game.rng import Rng
from server.accounts.identity import Player
from server.boards.board import board, terms_of
from server.boards.games.relati import labels, marks, viewport
from server.boards.games.relati.foresight import foresee, hits
from server.boards.games.relati.selection import FREE, LINE, NOBODY, SURE, Selection, spoken
from server.boards.lesson import Lesson, Practice, lessons
from server.matches.model import AnyViewerState, SeenEvent
from server.screens import endcard
from server.terminal.lines import Line, text_of, width_cols
from server.terminal.look import Look
from tests.answers import offered
from tests.boards import golden
from tests.boards.driven import DrivenBoard
from tests.boards.positions import NOON, person, snapshot
from tests.texts import en

RULES = registry.get("relati")
BOARD = board("relati")
DRIVEN = DrivenBoard(BOARD, Selection)
typed, picked, screen = DRIVEN.typed, DRIVEN.picked, DRIVEN.screen
OURS = Seat(0)
LOOKS = {"unicode": Look(), "ascii": Look(glyph_set="ascii"), "zh": Look(language="zh_CN")}
# Three seats, O to move: a source under fire, a shield to set off, pieces cut off, dead cells of every kind.
MIDDLE = "15/3XXs10/2X5Ow1Xb4/4X3Ox6/9Ow5/2X3O8/5O1Od7/6OOs4D2/8O6/7OO1D1Ds2/9Xx5/13D1/1O1O11/X14/15 O OXD"
TWO_LINES = "9/OsOOX5/9/9/9/9/9/9/Xs8 O OX"
DUEL = "9/1Os1X5/2O6/9/4Xs4/9/9/9/9 O OX"


def seen(position: str, viewer: Viewer = OURS, **changes: Any) -> AnyViewerState:
    state = RULES.read_position(position, {})
    return snapshot("relati", state, viewer, n_seats=state.n_seats, **changes)


def at(name: str, shot: AnyViewerState) -> Selection:
    return Selection(shot.view.board.grid.named(name))


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize(("cols", "rows"), [(80, 19), (120, 35), (200, 55)])
def test_the_board_looks_as_it_did(look: str, cols: int, rows: int) -> None:
    shot = seen(MIDDLE)
    golden.check(f"relati-{look}-{cols}", screen(shot, at("h11", shot), LOOKS[look], cols, rows))


def test_a_player_who_is_out_is_still_on_the_board() -> None:
    shot = seen(MIDDLE.replace("O OXD", "O OxD"))
    golden.check("relati-out", screen(shot, at("h11", shot), Look(), 80, 19))
    lines = BOARD.render(shot, at("a1", shot), Look(), 49, 19)
    styles = {text.strip(): style for line in lines for style, text in line if text.strip() in ("X*", "D*", "O*")}
    assert styles == {"X*": "dim", "D*": "tile2", "O*": "tile0"}


def test_large_boards_scroll_with_the_cursor() -> None:
    wide = "/".join(["23"] * 23)
    shot = seen(f"{wide} O OXDUAH")
    for name, first, last in (("a1", "a", "1"), ("w23", "w", "23"), ("l12", "l", "12")):
        chosen = at(name, shot)
        lines = [text_of(line) for line in BOARD.render(shot, chosen, Look(), BOARD.area(shot, 80, 19).cols, 19)]
        assert first in lines[0]
        assert any(line.startswith(f"{last:>2} ") and "[" in line for line in lines)
    golden.check("relati-23", screen(shot, at("w23", shot), Look(), 80, 19))
    tall = BOARD.render(shot, at("a1", shot), Look(), BOARD.area(shot, 120, 35).cols, 35)
    assert any("w" in text_of(line) for line in tall[:6])


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("cols", [20, 31, 49, 60, 80, 200])
@pytest.mark.parametrize("rows", [10, 19, 35])
def test_every_line_is_exactly_as_wide_as_the_board(look: str, cols: int, rows: int) -> None:
    shot = seen(MIDDLE)
    lines = BOARD.render(shot, BOARD.start(shot, b""), LOOKS[look], cols, rows)
    assert [width_cols(line) for line in lines] == [cols] * rows


@pytest.mark.parametrize("look", LOOKS)
def test_every_mark_and_state_is_told_apart_without_colour(look: str) -> None:
    statuses = ("s", "", "d", "x", "w", "b")
    row = "".join(f"O{s}" for s in statuses)
    shot = seen(f"{row}3/{row.replace('O', 'X')}3/9/9/9/9/O8/9/X8 O OX")
    lines = BOARD.render(shot, at("i9", shot), LOOKS[look], 31, 12)[1:10]
    texts = {text for line in lines for _, text in line if len(text) == 2}
    cells = {text for text in texts if text[0] in "OX" or text[1] in "ox"}
    assert len(cells) == 14
    letters = {text[0] for text in cells if text[1:].islower()}
    assert letters == set(LOOKS[look].glyphs.dead)
    assert not letters & set("OXDUAH")


@pytest.mark.parametrize("glyph_set", ["unicode", "ascii"])
def test_a_source_and_a_shield_have_shapes_where_cells_are_wide(glyph_set: str) -> None:
    look, shot = Look(glyph_set=glyph_set), seen("9/1Os5X1/9/O8/Od8/9/9/9/5Xs3 O OX")
    tips, walls = look.glyphs.tips, look.glyphs.walls
    text = "\n".join(text_of(line) for line in BOARD.render(shot, at("i9", shot), look, 40, 24))
    assert f"{tips[0]}O{tips[1]}" in text
    assert f"{walls[0]}O{walls[1]}" in text
    assert f"{tips[0]} {tips[1]} {en('relati.legend.source')}" in text
    small = "\n".join(text_of(line) for line in BOARD.render(shot, at("i9", shot), look, 31, 12))
    assert "O*" in small
    assert "O#" in small


def test_links_lie_on_the_ground_of_what_they_cross() -> None:
    """A link took its cells' ground away: they looked like holes, and reach ended at one's own links."""
    shot = seen("5/5/Os1O2/5/5 O OX")
    lines = BOARD.render(shot, at("a1", shot), Look(), 40, 20)
    styles = {style for line in lines for style, text in line if text.strip(" ━") == "+" and "━" in text}
    assert styles == {"reach0"}
    watched = BOARD.render(seen("5/5/Os1O2/5/5 O OX", Watcher.PUBLIC), Selection(NOBODY), Look(), 40, 20)
    assert {style for line in watched for style, text in line if "━━" in text} == {"wire0"}


@pytest.mark.parametrize("glyph_set", ["unicode", "ascii"])
@pytest.mark.parametrize(("cols", "rows"), [(3 + 8 * 5 + 1, 20), (3 + 6 * 5 + 1, 17)])
def test_a_diagonal_was_drawn_as_strokes_at_corners_and_as_dots_between(glyph_set: str, cols: int, rows: int) -> None:
    look = Look(glyph_set=glyph_set)
    shot = seen("5/1Os3/5/3O1/5 O OX", Watcher.PUBLIC)
    lines = BOARD.render(shot, Selection(NOBODY), look, cols, rows)
    stroke = look.glyphs.wires(False)[2]
    places = [
        width_cols(line[:at]) + text.index(stroke)
        for line in lines
        for at, (style, text) in enumerate(line)
        if stroke in text and style == "wire0"
    ]
    assert len(places) > 1
    assert {after - before for before, after in pairwise(places)} == {2}


def test_who_has_no_piece_yet_is_not_told_three_noughts() -> None:
    shot = seen("5/1Os3/5/3O1/5 O OX")
    cards = BOARD.players(shot, Look(), 40, NOON).cards
    assert [card.aside for card in cards][1] == ()
    assert en("relati.seat.cut", n=0) not in str(cards)


def test_a_board_that_leaves_room_stands_in_its_middle_and_a_click_finds_it() -> None:
    shot = seen(DUEL)
    area = BOARD.area(shot, 40, 20)
    assert area.cols == 40  # nothing of use fits beside it
    lines = [text_of(line) for line in BOARD.render(shot, at("a1", shot), Look(), 60, 45)]
    row = next(y for y, line in enumerate(lines) if "O" in line and " 2 " in line)
    assert lines[0].strip() == ""
    assert lines[row].startswith(" ")
    col = lines[row].index("O")
    assert BOARD.click(shot, at("a1", shot), Look(), 60, 45, col, row) == at("b2", shot)


def test_a_source_goes_where_the_cursor_says_at_once() -> None:
    shot = seen("5/5/5/5/5 O OX")
    assert typed(shot, "right down enter") == Action("Ld4")


def test_connecting_shows_its_path_and_needs_one_key() -> None:
    shot = seen(DUEL)
    chosen = at("e3", shot)
    assert en("relati.here.connect-over", origin="c3", cells="d3") in text_of(BOARD.status(shot, chosen, Look()))
    assert "(O )~ [+ ]" in text_of(BOARD.render(shot, chosen, Look(), 31, 10)[3])
    assert typed(shot, "enter", chosen) == Action("Re3")


def test_an_attack_is_chosen_in_two_steps() -> None:
    shot = seen(DUEL)
    aimed = typed(shot, "a")
    assert isinstance(aimed, Selection)
    assert (aimed.cursor, aimed.mode) == (at("e5", shot).cursor, FREE)
    assert Look().t("relati.will.source", name="tarn") in text_of(BOARD.status(shot, aimed, Look()))
    chosen = typed(shot, "enter", aimed)
    assert isinstance(chosen, Selection)
    assert chosen.mode == LINE
    words = text_of(BOARD.status(shot, chosen, Look()))
    assert Look().t("relati.line.shot", target="e5", medium="c3", spent="b2") in words
    assert typed(shot, "enter", chosen) == Action("Fe5c3")
    dropped = typed(shot, "esc", chosen)
    assert BOARD.is_resting(dropped)


def test_the_arrows_choose_among_the_lines_of_an_attack() -> None:
    shot = seen(TWO_LINES)
    chosen = typed(shot, "a enter")
    assert isinstance(chosen, Selection)
    assert chosen.texts == ("Nd2c2", "Nd2b2")
    assert typed(shot, "down enter", chosen) == Action("Nd2b2")
    assert typed(shot, "up up enter", chosen) == Action("Nd2c2")


def test_escaping_shielding_and_bombing_are_asked_once_more() -> None:
    shot = seen("Os8/2O6/4Od4/9/9/9/9/9/7Xs1 O OX")
    for name, words, action in (
        ("a9", en("relati.sure.escape", cell="a9", count=2), "Ea9"),
        ("c2", en("relati.sure.defend", cell="c2"), "Dc2"),
        ("e3", en("relati.sure.bomb", cell="e3"), "Be3"),
    ):
        chosen = typed(shot, "enter", at(name, shot))
        assert isinstance(chosen, Selection)
        assert chosen.mode == SURE
        assert words in text_of(BOARD.status(shot, chosen, Look()))
        assert typed(shot, "enter", chosen) == Action(action)
        moved = typed(shot, "right", chosen)
        assert isinstance(moved, Selection)
        assert moved.mode == FREE


def test_letters_jump_to_where_something_can_be_done() -> None:
    shot = seen("Os8/2O6/4Od4/9/9/9/9/9/7Xs1 O OX")
    assert typed(shot, "d d enter", at("i9", shot)) == Action("Dc2")
    assert typed(shot, "b b enter") == Action("Be3")
    assert typed(shot, "s", at("i9", shot)) == at("a1", shot)
    assert typed(shot, "a", at("i9", shot)) == at("i9", shot)


def test_the_bombs_blast_is_shown() -> None:
    shot = seen("Os8/2O6/4Od4/9/9/9/9/9/7Xs1 O OX")
    chosen = typed(shot, "enter", at("e3", shot))
    rows = [text_of(line) for line in BOARD.render(shot, chosen, Look(), 31, 10)]
    assert rows[2].count(">") == 3
    assert ">~ [O#]~ <" in rows[3]


def test_the_key_to_a_source_that_is_gone_went_to_a_corner() -> None:
    shot = seen("9/1O1O1X3/9/9/9/9/9/9/Xs8 O OX")
    here = at("d2", shot)
    assert typed(shot, "s", here) == here
    assert "home" not in [hint.label.rsplit(".", 1)[-1] for hint in BOARD.keys(shot, here)]


def test_a_key_to_the_next_piece_stood_beside_the_only_one() -> None:
    """At the first move it did nothing, and was called "Next link"."""
    for position, is_shown in (("9/1Os7/9/9/4Xs4/9/9/9/9 O OX", False), (DUEL, True)):
        for shot in (seen(position), seen(position, pending=None)):
            assert ("." in [key for hint in BOARD.keys(shot, at("b2", shot)) for key in hint.press]) == is_shown


def test_a_bomb_is_not_counted_among_what_it_breaks() -> None:
    """Before it said "breaks 1 of yours" of the bomb itself, afterwards "killing –"."""
    shot = seen("Os8/2O6/4Od4/9/9/9/9/9/7Xs1 O OX")
    said = text_of(BOARD.status(shot, picked(shot, "right right right right down down enter"), Look()))
    assert en("relati.sure.bomb", cell="e3") in said
    assert en("relati.will.breaks-own", count=1) not in said
    event = SeenEvent(1, "bomb", {"seat": 0, "cell": "e3", "killed": []})
    assert BOARD.say(shot, Look(), event) == en("relati.event.bomb-none", name="mira", cell="e3")


def test_a_bomb_that_would_win_was_not_said_at_all() -> None:
    """The line below the board named the cell and nothing else; an attack that wins was told."""
    shot = seen("Os8/9/9/3Od5/4Xs4/9/9/9/9 O OX")
    said = text_of(BOARD.status(shot, at("d4", shot), Look()))
    how = en("relati.will.source", name="tarn")
    assert said.endswith(f"d4: {en('relati.will.wins', how=how)}")


def test_a_source_under_attack_is_said_and_marked() -> None:
    shot = seen(DUEL.replace(" O OX", " X OX"), Seat(1))
    said = " ".join(text_of(line) for line in BOARD.seats(shot, Look(), 78, NOON))
    assert en("relati.danger.hit", name="mira", cell="e5", medium="c3") in said
    assert "block d4" in said
    assert "!X*!" in text_of(BOARD.render(shot, at("b9", shot), Look(), 31, 10)[5])
    safe = seen(DUEL, Watcher.PUBLIC)
    assert not any("can hit" in text_of(line) for line in BOARD.seats(safe, Look(), 78, NOON))


def test_the_warning_said_nothing_of_a_bomb_beside_the_source() -> None:
    """A shield beside the source went off on the next move, where the panel had warned of attacks only."""
    position = "9/1Os7/2Xd6/9/4Xs1X2/9/9/9/9 O OX"
    said = " ".join(text_of(line) for line in BOARD.seats(seen(position, Seat(0)), Look(), 78, NOON))
    assert en("relati.danger.bomb", name="tarn", cell="c3") in said
    assert en("relati.danger.escape") in said
    assert "block" not in said
    assert "!O*!" in text_of(BOARD.render(seen(position, Seat(0)), at("i9", seen(position)), Look(), 31, 10)[2])
    for shot in (seen(position, Seat(1)), seen(position, Watcher.PUBLIC), seen(position.replace("Xd", "X"), Seat(0))):
        assert not any("set off" in text_of(line) for line in BOARD.seats(shot, Look(), 78, NOON))


def test_who_waits_may_look_around_but_not_play() -> None:
    shot = seen(DUEL, Seat(1))
    assert BOARD.press(shot, at("e5", shot), "enter") is None
    assert typed(shot, "left", at("e5", shot)) == at("d5", shot)
    assert en("match.waiting", name="mira").rstrip(".") in text_of(BOARD.status(shot, at("e5", shot), Look()))


def test_watchers_have_no_cursor_and_no_keys() -> None:
    shot = seen(DUEL, Watcher.PUBLIC)
    chosen = BOARD.start(shot, b"")
    assert chosen.cursor == NOBODY
    assert BOARD.keys(shot, chosen) == ()
    assert BOARD.press(shot, chosen, "left") is None
    assert BOARD.click(shot, chosen, Look(), 31, 10, 10, 3) is None


def test_clicks_point_and_clicking_again_plays() -> None:
    shot = seen(DUEL)
    pointed = BOARD.click(shot, at("a1", shot), Look(), 31, 10, 3 + 3 * 4 + 1, 3)
    assert pointed == at("e3", shot)
    assert BOARD.click(shot, pointed, Look(), 31, 10, 3 + 3 * 4 + 1, 3) == Action("Re3")
    assert BOARD.click(shot, pointed, Look(), 31, 10, 1, 3) is None


def test_what_is_no_longer_possible_is_dropped() -> None:
    shot = seen(DUEL)
    chosen = typed(shot, "a enter")
    assert BOARD.follow(shot, chosen) == chosen
    assert BOARD.follow(seen(DUEL, Seat(1)), chosen) == at("e5", shot)


def test_only_keys_that_work_are_shown() -> None:
    def shown(shot: AnyViewerState, chosen: Selection) -> list[str]:
        return [hint.label.removeprefix("keys.relati.") for hint in BOARD.keys(shot, chosen)]

    shot = seen(DUEL)
    assert shown(shot, BOARD.start(shot, b"")) == ["go", "move", "attack", "escape", "defend", "able"]
    assert "home" in shown(shot, at("a1", shot)), "away from the source"
    assert shown(shot, picked(shot, "a enter")) == ["line.go", "line.drop"], "there is no other line"
    two = seen(TWO_LINES)
    assert shown(two, picked(two, "a enter")) == ["line.go", "line.drop", "line.way", "line.nth"]
    waits = seen(DUEL, Seat(1))
    assert shown(waits, at("a1", shot)) == ["move", "home"]
    assert shown(BOARD.planned(waits), at("e5", shot))[:3] == ["match.prepare", "move", "escape"]


def test_whatever_is_typed_only_legal_actions_come_out() -> None:
    state, rng = RULES.setup({"board": 7}, 2, bytes(32)).state, Rng(bytes(32))
    keys = ("up", "down", "left", "right", "enter", "a", "e", "d", "b", "s", "1", "2", "esc")
    sent = 0
    for _ in range(90):
        pending = RULES.pending(state)
        if not pending:
            state = RULES.setup({"board": 7}, 2, bytes(32)).state
            continue
        shot = snapshot("relati", state, pending[0].seat)
        chosen = BOARD.start(shot, b"")
        for _ in range(40):
            key, rng = rng.choose(keys)
            answer = BOARD.press(shot, chosen, key)
            if isinstance(answer, Action):
                assert contains(pending[0].choice, answer)
                state, sent = RULES.apply(state, pending[0].seat, answer).state, sent + 1
                break
            chosen = answer or chosen
    assert sent > 20


@pytest.mark.parametrize("look", LOOKS)
def test_every_event_of_a_match_can_be_said(look: str) -> None:
    state, rng = RULES.setup({"board": 6}, 3, bytes(32)).state, Rng(bytes(32))
    while pending := RULES.pending(state):
        action, rng = rng.choose(offered(pending[0]))
        step = RULES.apply(state, pending[0].seat, action)
        state = step.state
        shot = snapshot("relati", state, Watcher.PUBLIC, n_seats=3)
        for event in step.events:
            params: dict[str, Json] = dict(event.public or {})
            said = BOARD.say(shot, LOOKS[look], SeenEvent(1, event.kind, params))
            assert said
            assert not any(mark in said for mark in ("?", "relati.", "{"))


def test_a_decided_match_draws_without_a_mover() -> None:
    shot = seen("Os4/5/5/5/Xf4 O Ox")
    assert screen(shot, at("a1", shot), Look(), 80, 19)


@pytest.mark.parametrize("lesson", lessons("relati"), ids=lambda lesson: lesson.name)
def test_each_lesson_stands_and_can_be_done(lesson: Lesson) -> None:
    table = Practice("relati", lesson, "mira")
    pending = table.snapshot.pending
    assert pending is not None
    legal = offered(pending)
    done = [action for action in legal if lesson.is_done_by(action.text)]
    assert 0 < len(done) < len(legal) or lesson.name == "locate"
    assert table.play(done[0])


@pytest.mark.parametrize("lesson", lessons("relati"), ids=lambda lesson: lesson.name)
def test_a_lesson_praised_who_lost_the_source_by_it(lesson: Lesson) -> None:
    """Spending the source was well done, and so was an escape to where it could be hit again."""
    shot = Practice("relati", lesson, "mira").snapshot
    assert shot.pending is not None
    for action in offered(shot.pending):
        seen = foresee(shot.view.board, OURS, frozenset(), shot.view.ruleset, action.text)
        own = shot.view.board.sides[OURS].source | 1 << spoken(shot, action.text).cell
        ruins = (
            seen.loses or (seen.source_lost and not seen.wins) or bool(seen.exposed & own and action.text[0] in "LE")
        )
        if lesson.is_done_by(action.text):
            assert not ruins, action.text
            assert not lesson.is_spoilt_by(action.text)
        if lesson.is_spoilt_by(action.text):
            assert ruins, action.text
    for look in LOOKS.values():
        assert look.has(f"tutorial.relati.{lesson.name}.spoilt") is bool(lesson.spoilt)


def test_enter_on_the_source_began_an_escape_that_no_lesson_had_taught() -> None:
    for lesson in lessons("relati")[1:]:
        shot = Practice("relati", lesson, "mira").snapshot
        pressed = BOARD.press(shot, BOARD.start(shot, b""), "enter")
        is_taught = lesson.name in ("escape", "pincer", "win")
        assert (pressed != BOARD.start(shot, b"")) is is_taught, lesson.name
        assert bool(BOARD.why_not(shot, BOARD.start(shot, b""), Look(), "enter")), "it says why"


def test_the_lessons_show_what_they_speak_of() -> None:
    """Each lesson's action has the consequence that its last words tell."""
    consequences = {"cut": "cut", "bomb": "source-lost", "pincer": "captured", "win": "won", "escape": "escape"}
    for lesson in lessons("relati"):
        table = Practice("relati", lesson, "mira")
        assert table.snapshot.pending is not None
        action = next(a for a in offered(table.snapshot.pending) if lesson.is_done_by(a.text))
        table.play(action)
        if lesson.name in consequences:
            assert consequences[lesson.name] in {event.kind for event in table.events}
        assert (table.snapshot.result is not None) == (lesson.name == "win")


def six(**changes: Any) -> AnyViewerState:
    """Return six seats, the first a person's, with a source each; built-in players of one level have long names."""
    shot = seen("1Os1Xs1Ds1Us1As1Hs11/" + "/".join(["23"] * 22) + " O OXDUAH", **changes)
    bots = [replace(info, player=Player("bot", "bot:normal")) for info in shot.seats[1:]]
    return replace(shot, seats=(shot.seats[0], *bots))


def test_the_source_was_not_counted_among_the_linked_pieces() -> None:
    """Two pieces joined were “linked 1”."""
    said = [text_of(line).strip() for line in BOARD.seats(seen("9/9/2OsO5/9/9/9/6XsX1/9/9 O OX"), Look(), 40, NOON)]
    assert any(line.endswith(en("relati.seat.linked", n=2)) for line in said)


def test_a_full_panel_clips_names_and_never_what_is_said_of_them() -> None:
    shot = six()
    shot = replace(shot, seats=(*shot.seats[:5], replace(shot.seats[5], out=True)))
    said = [text_of(line).rstrip() for line in BOARD.seats(shot, Look(), 21, NOON)]
    assert said[-1] == " H Fay 1392 out", "without the clock that will never run again"
    assert said[1].startswith(" X Basil"), "who has nothing but a source is told no noughts"
    assert text_of(BOARD.seats(shot, Look(), 9, NOON)[-1]).rstrip() == " H F… out"
    away = replace(shot, seats=(replace(shot.seats[0], here=False, player=person("m" * 16)), *shot.seats[1:]))
    assert "… away  2:41" in text_of(BOARD.seats(away, Look(), 21, NOON)[0])


def test_the_log_of_many_players_is_written_in_their_marks() -> None:
    cut = SeenEvent(7, "cut", {"seat": 3, "count": 2})
    assert BOARD.say(six(), Look(), cut) == en("relati.event.cut", name="U", count=2)
    of_two = replace(cut, params={"seat": 1, "count": 2})
    assert BOARD.say(seen(DUEL), Look(), of_two) == en("relati.event.cut", name="tarn", count=2)


def test_a_board_that_goes_on_points_there() -> None:
    shot = six()
    heads = [text_of(BOARD.render(shot, at(name, shot), Look(), 52, 19)[0]) for name in ("a1", "l12", "w23")]
    assert [(head[:3], head.rstrip()[-1]) for head in heads] == [(" v ", ">"), ("^v<", ">"), ("^ <", "w")]


AREAS = ((80, 19), (120, 35), (200, 55))


def spots(lines: list[Line], style: str) -> list[tuple[int, int]]:
    """Return the first column and the row of every text of a style."""
    return [
        (sum(width_cols((span,)) for span in line[:i]), y)
        for y, line in enumerate(lines)
        for i, (name, _) in enumerate(line)
        if name == style
    ]


@pytest.mark.parametrize(("cols", "rows"), AREAS)
@pytest.mark.parametrize("position", [DUEL, MIDDLE], ids=["9x9", "15x15"])
def test_a_click_hits_the_cell_that_is_drawn_there_at_every_size(position: str, cols: int, rows: int) -> None:
    shot = seen(position)
    area = BOARD.area(shot, cols, rows)
    for name in ("a1", "i9", "c3", "b7"):
        found = spots(BOARD.render(shot, at(name, shot), Look(), area.cols, area.rows), "cursor")
        assert found
        for col, row in found:
            assert BOARD.click(shot, at("e5", shot), Look(), area.cols, area.rows, col, row) == at(name, shot)


def test_a_click_does_not_scroll_a_large_board_under_the_pointer() -> None:
    """Two clicks on one spot hit two cells: the board was centred on the first one before the second came."""
    shot = six()
    chosen, area = at("l12", shot), BOARD.area(shot, 80, 19)
    before = BOARD.render(shot, chosen, Look(), area.cols, area.rows)[0]
    for col, row in ((5, 2), (40, 17), (5, 2)):
        clicked = BOARD.click(shot, chosen, Look(), area.cols, area.rows, col, row)
        assert isinstance(clicked, Selection)
        assert clicked.cursor != chosen.cursor
        lines = BOARD.render(shot, clicked, Look(), area.cols, area.rows)
        assert lines[0] == before
        assert any(y == row for _, y in spots(lines, "cursor"))
        chosen = clicked
    moved = typed(shot, "right", chosen)
    assert BOARD.render(shot, moved, Look(), area.cols, area.rows)[0] != before, "keys go on centring"


def test_a_large_board_is_scrolled_by_clicks_on_its_letters_and_numbers() -> None:
    """With clicks that scroll nothing the mouse alone led to no cell beyond the edge."""
    shot = six()
    chosen, area = at("l12", shot), BOARD.area(shot, 80, 19)

    def seen_after(col: int, row: int) -> tuple[str, str]:
        clicked = BOARD.click(shot, chosen, Look(), area.cols, area.rows, col, row)
        lines = [text_of(line) for line in BOARD.render(shot, clicked, Look(), area.cols, area.rows)]
        assert "[" in "".join(lines), "the cursor is in sight"
        return lines[0].split()[-2 if lines[0].rstrip().endswith(">") else -1], lines[-1].split()[0]

    last, far = area.cols - 2, area.rows - 1
    found = [seen_after(col, row) for col, row in ((last, 0), (5, 0), (1, 2), (1, far), (0, 0), (1, 0), (2, 0))]
    assert [name[0] for name, _ in found] == ["w", "p", "s", "s", "s", "s", "p"]
    assert [number for _, number in found] == ["20", "20", "18", "23", "18", "23", "20"]


def test_the_board_grows_with_the_terminal() -> None:
    for position in (DUEL, MIDDLE):
        shot = seen(position)
        areas = [BOARD.area(shot, cols, rows) for cols, rows in AREAS]
        drawn = [BOARD.render(shot, at("a1", shot), Look(), area.cols, area.rows) for area in areas]
        heights = [sum(text_of(line).strip() != "" for line in lines) for lines in drawn]
        assert heights == sorted(heights)
        assert areas[0].cols < areas[1].cols < areas[2].cols
    assert sum(text_of(line)[:2].strip().isdigit() for line in drawn[2]) == 15


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("position", [DUEL, MIDDLE], ids=["9x9", "15x15"])
def test_the_legend_is_whole_where_the_board_is(position: str, look: str) -> None:
    shot = seen(position)
    for cols, rows in AREAS:
        area = BOARD.area(shot, cols, rows)
        said = " ".join(text_of(line) for line in BOARD.render(shot, at("a1", shot), LOOKS[look], area.cols, area.rows))
        for name in ("source", "cut", "shield", "reach", "hit", "safe", "broken", "weapon", "bomber"):
            assert LOOKS[look].t(f"relati.legend.{name}").split()[0] in said, (cols, name)


def test_linked_pieces_are_joined_by_lines_and_those_cut_off_by_dashes() -> None:
    shot = seen("Os1O6/1O7/9/2O6/9/9/O1O6/9/8Xs O OX".replace("O1O6", "Of1Of6"), Watcher.PUBLIC)
    board = shot.view.board
    joined = dict(tree(board, 0))
    named = {board.grid.names[cell]: board.grid.names[path.origin] for cell, path in joined.items()}
    assert named == {"b2": "a1", "c1": "b2", "c4": "b2"}
    lines = [text_of(line) for line in BOARD.render(shot, BOARD.start(shot, b""), Look(), 58, 35)]
    drawn = "\n".join(lines)
    assert all(drawn.count(sign) for sign in "╲╱┃━╌")
    assert "╎" not in drawn


def test_what_can_be_hit_has_edges_that_say_so() -> None:
    shot = seen("9/1Os7/2OXX4/9/4Xs4/9/9/9/9 O OX")
    hit = _named(shot, targets_hit(shot.view.board, 1, shot.view.ruleset))
    row = text_of(BOARD.render(shot, at("i9", shot), Look(), 31, 12)[3])
    assert ("c3" in hit) == ("│O" in row)
    assert hit


def _named(shot: AnyViewerState, cells: int) -> list[str]:
    names: list[str] = shot.view.board.grid.names_of(cells)
    return names


def test_what_each_opponent_did_since_the_own_move_is_marked() -> None:
    """Only the very last action was, so that with three players one missed what the second had done."""
    shot = six(seq=9)
    events = [
        SeenEvent(4, "connect", {"seat": 1, "cell": "a1"}),
        SeenEvent(5, "connect", {"seat": 0, "cell": "b2"}),
        SeenEvent(6, "connect", {"seat": 1, "cell": "c3"}),
        SeenEvent(6, "captured", {"seat": 1, "cells": ["d4"]}),
        SeenEvent(7, "shot", {"seat": 2, "target": "e5", "owner": 0, "medium": "e6", "spent": "e7"}),
        SeenEvent(10, "bomb", {"seat": 3, "cell": "f6", "killed": []}),  # after what is shown
    ]
    assert _named(shot, marks.marked(shot, BOARD.start(shot, b""), events).last) == [
        "b2",
        "c3",
        "d4",
        "e5",
        "e6",
        "e7",
    ], "one's own, and what was acted on, broken and spent"
    fallen = replace(shot, view=replace(shot.view, fallen=((Seat(0),),)))
    assert marks.marked(fallen, BOARD.start(shot, b""), events).last == 0, "who is out does not act any more"
    watched = replace(shot, viewer=Watcher.PUBLIC)
    assert marks.marked(watched, BOARD.start(watched, b""), events).last == 0


def test_the_lines_of_an_attack_have_digits_as_every_choice_has() -> None:
    shot = seen(TWO_LINES)
    assert picked(shot, "a enter").text == "Nd2c2"
    second = picked(shot, "a enter 2")
    assert second.text == "Nd2b2"
    assert typed(shot, "a enter 2 enter") == Action("Nd2b2")
    assert picked(shot, "a enter 2 9") == second, "there is no ninth"


@pytest.mark.parametrize("size", range(5, 24))
def test_a_board_of_any_size_fills_a_large_terminal(size: int) -> None:
    """A board of 19 had 41 of 60 rows, one of 5 had 26."""
    state = RULES.setup({"board": size}, 2, bytes(32)).state
    shot = snapshot("relati", state, OURS)
    cols, rows = AREAS[-1]
    area = BOARD.area(shot, cols, rows)
    lines = [text_of(line) for line in BOARD.render(shot, BOARD.start(shot, b""), Look(), area.cols, rows)]
    last = max(y for y, line in enumerate(lines) if line.strip())
    assert area.cols >= 150 or last + 1 >= 45
    assert Look().t("relati.legend.bomber") in "".join(lines), "whole, the legend too"
    assert viewport.is_whole(shot, area.cols, rows)
    assert cols - area.cols >= viewport.PANEL_COLS


@pytest.mark.parametrize("look", LOOKS)
def test_what_was_just_done_is_marked_under_the_cursor_too(look: str) -> None:
    """The mark of the last move was a thin dotted line, and gone where the cursor or a danger was marked."""
    state = RULES.read_position(DUEL, {})
    shot = snapshot("relati", RULES.apply(state, OURS, Action("Rd4")).state, Seat(1))
    for name in ("d4", "a1"):
        lines = BOARD.render(shot, at(name, shot), LOOKS[look], 31, 12)
        assert [style for style, _ in lines[4]].count("last") == 2, name


def test_marks_stood_around_all_that_an_escape_left_broken() -> None:
    """Fifteen of them hid where the source went, and took 700 bytes."""
    shot = seen(DUEL)
    after = RULES.apply(RULES.read_position(DUEL, {}), OURS, Action("Eh3")).state
    shown = snapshot("relati", after, Seat(1))
    assert after.board.dead
    assert _named(shot, marks.marked(shown, at("a1", shot)).last) == ["h3"]


def test_what_one_could_reach_stays_marked_while_others_move() -> None:
    """It went and came with each move: a hundred cells were sent twice."""
    state = RULES.read_position(DUEL, {})
    mine = snapshot("relati", state, OURS)
    after = snapshot("relati", RULES.apply(state, OURS, Action("Rd4")).state, OURS)
    before, then = (marks.marked(shot, at("a1", shot)).reach for shot in (mine, after))
    assert 0 < (before ^ then).bit_count() < before.bit_count() / 2
    assert marks.marked(replace(after, is_past=True), at("a1", after)).reach == 0


def test_an_attack_marks_its_target_and_what_it_has_spent() -> None:
    shot = seen(TWO_LINES)
    after = RULES.apply(RULES.read_position(TWO_LINES, {}), OURS, Action("Nd2b2")).state
    found = _named(shot, marks.marked(snapshot("relati", after, Seat(1)), at("a1", shot)).last)
    assert found == ["a2", "d2"]


@pytest.mark.parametrize(
    ("position", "cheapest"),
    [
        ("9/9/9/9/2OsOX4/4O4/4O4/9/Xs8 O OX", "Ne5e6"),
        ("9/9/9/9/2OOX4/4O4/4Os4/9/Xs8 O OX", "Ne5d5"),
        ("9/9/9/9/4XOOs2/4O4/4O4/9/Xs8 O OX", "Ne5e6"),
    ],
)
def test_an_attack_s_first_line_does_not_spend_the_own_source_without_need(position: str, cheapest: str) -> None:
    """Enter twice could cost the match: the first line was the first direction's."""
    shot = seen(position)
    chosen = picked(shot, "a enter")
    assert chosen.text == cheapest
    words = Look().t("relati.line.source")
    for number, text in enumerate(chosen.texts, 1):
        spends = foresee(shot.view.board, OURS, frozenset(), shot.view.ruleset, text).source_lost
        assert spends == (words in text_of(BOARD.status(shot, picked(shot, f"a enter {number}"), Look())))


@pytest.mark.parametrize("look", LOOKS)
def test_a_winning_shot_says_so_before_it_is_confirmed(look: str) -> None:
    """It only warned that the own source is spent, which does not matter any more."""
    shot, look_ = seen(DUEL), LOOKS[look]
    won = look_.t("relati.will.wins", how=look_.t("relati.will.source", name="tarn"))
    for keys in ("a", "a enter"):
        said = BOARD.status(shot, picked(shot, keys), look_)
        assert won in text_of(said)
        assert width_cols(said) <= 80
        assert look_.t("relati.line.source") not in text_of(said)
    assert RULES.apply(RULES.read_position(DUEL, {}), OURS, Action("Fe5c3")).state.over
    three = seen(DUEL.replace(" O OX", " O OXD").replace("9/9 O", "9/8Ds O"))
    assert won not in text_of(BOARD.status(three, picked(three, "a"), look_)), "a third one plays on"
    assert look_.t("relati.will.source", name="tarn") in text_of(BOARD.status(three, picked(three, "a"), look_))


def test_where_a_source_could_escape_to_is_marked_while_that_is_asked() -> None:
    shot = seen("Os8/2O6/4Od4/9/9/9/9/9/7Xs1 O OX")

    def marked(keys: str) -> int:
        return marks.marked(shot, picked(shot, keys)).escapes

    cells = sum(1 << shot.view.board.grid.named(text[1:]) for text in _legal(shot) if text.startswith("E"))
    for keys in ("enter", "e", "e e", "enter right", "e e right"):
        assert marked(keys) == cells, keys
    for keys in ("right", "enter esc", "e esc", "enter s", "d"):
        assert marked(keys) == 0, keys
    assert not BOARD.is_resting(picked(shot, "enter")), "esc puts the marks away, and stays at the match"
    rows = [text_of(line) for line in BOARD.render(shot, picked(shot, "enter"), Look(), 31, 12)]
    assert sum(row[3:].count(" e ") for row in rows[1:10]) == cells.bit_count()
    assert typed(shot, "e e enter") == Action(picked(shot, "e e").text)


def _legal(shot: AnyViewerState) -> set[str]:
    assert shot.pending is not None
    return {action.text for action in offered(shot.pending)}


HOVERS: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    ("9/9/3O5/2OXOs4/9/4Xs4/9/9/9 O OX", "d5", "breaks", {"cells": "d4"}),
    ("9/4Os4/9/9/4X4/3X5/2Xs6/9/9 O OX", "g3", "exposes", {"cells": "g3"}),
    ("9/9/6Os2/9/4X4/3Xs5/9/9/9 O OX", "f4", "saves-source", {}),
    (MIDDLE, "d5", "cuts", {"count": 1}),
    (MIDDLE, "f12", "frees", {"count": 2}),
)


@pytest.mark.parametrize(("position", "name", "word", "params"), HOVERS, ids=[word for *_, word, _ in HOVERS])
def test_hover_says_what_an_action_would_bring_about(position: str, name: str, word: str, params: Any) -> None:
    """It said only which cells a link would cross."""
    look, shot = Look(), seen(position)
    assert look.t(f"relati.will.{word}", **params) in text_of(BOARD.status(shot, at(name, shot), look))


def test_what_is_foreseen_is_what_comes() -> None:
    state, rng = RULES.setup({"board": 7}, 3, bytes(32)).state, Rng(bytes(32))
    for _ in range(120):
        if not RULES.pending(state):
            break
        seat, out = RULES.pending(state)[0].seat, frozenset(state.out)
        actions = offered(RULES.pending(state)[0])
        action, rng = rng.choose(actions)
        after = RULES.apply(state, seat, action).state
        found = foresee(state.board, seat, out, state.ruleset, action.text)
        assert found.wins == (after.over and RULES.result(after).placements[0] == (seat,))  # type: ignore[union-attr]
        assert set(found.felled) == set(after.out) - out - {seat}
        before, then = state.board.sides[seat], after.board.sides[seat]
        assert found.lost == before.live & ~then.live
        assert found.own_cut == before.linked & then.cut
        assert found.freed == before.cut & then.linked
        sides = zip(state.board.sides, after.board.sides, strict=True)
        others = [one for other, one in enumerate(sides) if other != seat]
        assert found.broken == sum(old.live & ~new.live for old, new in others)
        assert found.cut == sum(old.linked & new.cut for old, new in others)
        can_be_hit = hits(after.board, seat, out, state.ruleset)
        assert found.exposed == can_be_hit & ~hits(state.board, seat, out, state.ruleset)
        state = after


def test_the_first_source_s_cursor_is_in_the_open() -> None:
    """The second of four players began on the first one's source, in the middle."""
    shot = seen("9/9/9/9/4Os4/9/9/9/9 X OXDU", Seat(1))
    grid = shot.view.board.grid
    x, y = grid.xy(BOARD.start(shot, b"").cursor)
    assert max(abs(x - 4), abs(y - 4)) == 4
    assert isinstance(BOARD.press(shot, BOARD.start(shot, b""), "enter"), Action)


def test_reach_hid_one_s_own_links_where_cells_are_small() -> None:
    shot = seen("15/15/5O9/15/6O1O6/15/7Os7/15/15/15/15/15/6Xs8/15/15 O OX")
    area = BOARD.area(shot, 80, 19)
    lines = [text_of(line) for line in BOARD.render(shot, BOARD.start(shot, b""), Look(), area.cols, area.rows)]
    wires = Look().glyphs.joints + Look().glyphs.links[0]
    assert sum(char in wires for char in lines[6]), "between g5 and h7"
    assert "+" in lines[6]
    here = text_of(BOARD.status(shot, BOARD.start(shot, b""), Look()))
    assert en("relati.here.links", cells="g5") in here or "g5" in here


def test_a_board_larger_than_its_area_did_not_say_what_was_out_of_sight() -> None:
    shot = seen("15/15/15/15/15/15/7Os7/15/15/15/15/15/14Xs/15/15 O OX")
    area = BOARD.area(shot, 60, 17)
    shown = [text_of(line) for line in BOARD.render(shot, BOARD.start(shot, b""), Look(), area.cols, 17)]
    places = Look().t("list.comma").join(("a-c", "m-o"))
    assert any(en("relati.out-of-sight", places=places, n=1)[: area.cols - 4] in line for line in shown)
    whole = BOARD.area(shot, 80, 19)
    lines = [text_of(line) for line in BOARD.render(shot, BOARD.start(shot, b""), Look(), whole.cols, 19)]
    assert not any("m-o" in line for line in lines)


SPITE = "9/9/9/9/1OsOOX4/9/5X3/6Xs2/9 O OX"  # X could break d5, but only by spending its source
DEAR = "9/1Ds7/2D6/9/4Os4/9/9/9/7Xs1 O OXD"  # D could hit the source of O, but only by spending its own


def test_a_warning_did_not_say_that_the_shot_would_cost_the_shooter_s_source() -> None:
    shot = seen(DEAR)
    said, way_out = labels.danger_words(shot, Look())
    assert said == [en("relati.danger.hit-dear", name="lio", cell="e5", medium="c3")]
    assert not way_out, "nobody need spend a move on it"
    both = seen(DEAR.replace("9/1Ds7/2D6", "Ds8/1D7/2D6"))
    told, _ = labels.danger_words(both, Look())
    assert [said for said in told if "c3" in said] == [en("relati.danger.hit", name="lio", cell="e5", medium="c3")]
    assert told[-1] == en("relati.danger.hit-dear", name="lio", cell="e5", medium="b2")


def test_pieces_were_marked_that_could_only_be_hit_by_spending_a_source() -> None:
    shot = seen(SPITE)
    assert targets_hit(shot.view.board, 1, shot.view.ruleset)
    assert not hits(shot.view.board, OURS, frozenset(), shot.view.ruleset)


def test_help_named_valid_medium_linked_and_located_and_explained_none() -> None:
    for look in LOOKS.values():
        words = {word for word, _ in terms_of("relati", look)}
        assert {look.t(f"relati.term.{one}") for one in ("valid", "medium", "linked", "located", "blank")} <= words


def test_attack_said_that_there_was_nothing_with_a_target_under_the_cursor() -> None:
    shot = seen(SPITE)
    chosen = at("e5", shot)
    only = replace(shot, pending=replace(shot.pending, choice=OneOf((Action("Ne5d5"),)))) if shot.pending else shot
    assert BOARD.press(only, chosen, "a") == chosen
    assert BOARD.why_not(only, chosen, Look(), "a") == en("relati.why.no-other-target")
    none = replace(only, pending=replace(only.pending, choice=OneOf((Action("Rb6"),)))) if only.pending else only
    assert BOARD.why_not(none, chosen, Look(), "a") == en("relati.why.no-target")


def test_what_decided_a_match_was_a_harmless_move_after_the_shot() -> None:
    """Who had lost the source fell when their turn came, and the end card named whoever had moved in between."""
    shot = seen("Os8/9/9/9/9/9/9/9/8Xs O OXD")
    lost = SeenEvent(7, "source-lost", {"seat": 1})
    events = [
        SeenEvent(7, "shot", {"seat": 2, "owner": 1, "target": "i9", "medium": "c3", "spent": "b2"}),
        lost,
        SeenEvent(8, "connect", {"seat": 0, "cell": "b2"}),
        SeenEvent(8, "out-stuck", {"seat": 1}),
        SeenEvent(8, "won", {"seat": 0}),
    ]
    over = replace(shot, result=Result(((OURS,), (Seat(2),), (Seat(1),)), "stuck"), status="finished")
    found = endcard.decisive(BOARD, over, events, Look())
    assert found is not None
    assert found.seq == 7
    other = [one for one in events if one is not lost]
    blocked = endcard.decisive(BOARD, over, other, Look())
    assert blocked is not None
    assert blocked.seq == 8, "who was only blocked in fell by that move"
