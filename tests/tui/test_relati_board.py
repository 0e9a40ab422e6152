"""Relati's board: a pure function from what a viewer may know to lines, and from keys to actions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from game import registry
from game.choices import contains
from game.contract import Action, Json, Seat, Viewer, Watcher
from game.rng import Rng
from server.accounts.identity import Player
from server.matches.model import SeenEvent, Snapshot
from server.tui.boards import board
from server.tui.boards.relati.pick import FREE, LINE, NOBODY, SURE, Pick
from server.tui.lines import beside, text_of, width_cols
from server.tui.look import Look
from server.tui.tutorials import Lesson, lessons
from server.tui.tutorials.table import Table
from tests.tui import golden
from tests.tui.positions import NOON, person, snapshot

RULES = registry.get("relati")
BOARD = board("relati")
OURS = Seat(0)
LOOKS = {"unicode": Look(), "ascii": Look(glyph_set="ascii"), "zh": Look(language="zh_CN")}
# Three seats, O to move: a source under fire, a shield to set off, pieces cut off, dead cells of every kind.
MIDDLE = "15/3XXs10/2X5Ow1Xb4/4X3Ox6/9Ow5/2X3O8/5O1Od7/6OOs4D2/8O6/7OO1D1Ds2/9Xx5/13D1/1O1O11/X14/15 O OXD"
DUEL = "9/1Os1X5/2O6/9/4Xs4/9/9/9/9 O OX"


def seen(position: str, viewer: Viewer = OURS, **changes: object) -> Snapshot:
    state = RULES.read_position(position, {})
    return snapshot("relati", state, viewer, n_seats=state.n_seats, **changes)


def typed(shot: Snapshot, keys: str, pick: Pick | None = None) -> Pick | Action:
    """Press keys one after the other, as the page would; returns the pick, or the action they complete."""
    now = BOARD.start(shot, b"") if pick is None else pick
    for key in keys.split():
        answer = BOARD.press(shot, now, {"space": " "}.get(key, key))
        if isinstance(answer, Action):
            return answer
        if answer is not None:
            now = answer
    return now


def at(name: str, shot: Snapshot) -> Pick:
    return Pick(shot.view.board.grid.named(name))


def screen(shot: Snapshot, pick: Pick, look: Look, cols: int, rows: int) -> str:
    room = BOARD.room(shot, cols, rows)
    left = BOARD.render(shot, pick, look, room.cols, rows)
    right = [(("", "  "), *line) for line in BOARD.seats(shot, look, cols - room.cols - 2, NOON)]
    lines = [*beside(left, right, room.cols, cols - room.cols), BOARD.status(shot, pick, look)]
    return "\n".join(text_of(line) for line in lines)


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize(("cols", "rows"), [(80, 19), (120, 35)])
def test_the_board_looks_as_it_did(look: str, cols: int, rows: int) -> None:
    shot = seen(MIDDLE)
    golden.check(f"relati-{look}-{cols}", screen(shot, at("h11", shot), LOOKS[look], cols, rows))


def test_a_player_who_is_out_is_still_on_the_board() -> None:
    shot = seen(MIDDLE.replace("O OXD", "O OxD"))
    golden.check("relati-out", screen(shot, at("h11", shot), Look(), 80, 19))
    lines = BOARD.render(shot, at("a1", shot), Look(), 49, 19)
    styles = {text.strip(): style for line in lines for style, text in line if text.strip() in ("X*", "D*", "O*")}
    assert styles == {"X*": "dim", "D*": "seat2", "O*": "seat0"}


def test_large_boards_scroll_with_the_cursor() -> None:
    wide = "/".join(["23"] * 23)
    shot = seen(f"{wide} O OXDUAH")
    for name, first, last in (("a1", "a", "1"), ("w23", "w", "23"), ("l12", "l", "12")):
        pick = at(name, shot)
        lines = [text_of(line) for line in BOARD.render(shot, pick, Look(), BOARD.room(shot, 80, 19).cols, 19)]
        assert first in lines[0]
        assert any(line.startswith(f"{last:>2} ") and "[" in line for line in lines)
    golden.check("relati-23", screen(shot, at("w23", shot), Look(), 80, 19))
    assert "w" in text_of(BOARD.render(shot, at("a1", shot), Look(), BOARD.room(shot, 120, 35).cols, 35)[0])


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("cols", [20, 31, 49, 60, 80, 200])
@pytest.mark.parametrize("rows", [10, 19, 35])
def test_every_line_is_exactly_as_wide_as_the_board(look: str, cols: int, rows: int) -> None:
    shot = seen(MIDDLE)
    lines = BOARD.render(shot, BOARD.start(shot, b""), LOOKS[look], cols, rows)
    assert [width_cols(line) for line in lines] == [cols] * rows


def test_every_mark_and_state_is_told_apart_without_colour() -> None:
    statuses = ("s", "", "d", "x", "w", "b")
    row = "".join(f"O{s}" for s in statuses)
    shot = seen(f"{row}3/{row.replace('O', 'X')}3/9/9/9/9/O8/9/X8 O OX")
    texts = {text for line in BOARD.render(shot, at("i9", shot), Look(), 31, 12)[1:10] for _, text in line}
    cells = {text for text in texts if text[:1] in "OXox" and len(text) == 2}
    assert len(cells) == 14


def test_a_source_goes_where_the_cursor_says_at_once() -> None:
    shot = seen("5/5/5/5/5 O OX")
    assert typed(shot, "right down enter") == Action("Ld4")


def test_connecting_shows_its_path_and_needs_one_key() -> None:
    shot = seen(DUEL)
    pick = at("e3", shot)
    assert "links c3 over d3" in text_of(BOARD.status(shot, pick, Look()))
    assert "(O )~ [+ ]" in text_of(BOARD.render(shot, pick, Look(), 31, 10)[3])
    assert typed(shot, "enter", pick) == Action("Re3")


def test_an_attack_is_chosen_in_two_steps() -> None:
    shot = seen(DUEL)
    aimed = typed(shot, "a")
    assert isinstance(aimed, Pick)
    assert (aimed.cursor, aimed.mode) == (at("e5", shot).cursor, FREE)
    assert "can be attacked" in text_of(BOARD.status(shot, aimed, Look()))
    chosen = typed(shot, "enter", aimed)
    assert isinstance(chosen, Pick)
    assert chosen.mode == LINE
    words = text_of(BOARD.status(shot, chosen, Look()))
    assert "Shoot e5: c3 and b2 are spent. That is your source!" in words
    assert typed(shot, "enter", chosen) == Action("Fe5c3")
    dropped = typed(shot, "esc", chosen)
    assert BOARD.is_resting(dropped)


def test_the_arrows_choose_among_the_lines_of_an_attack() -> None:
    shot = seen("9/OsOOX5/9/9/9/9/9/9/Xs8 O OX")
    pick = typed(shot, "a enter")
    assert isinstance(pick, Pick)
    assert pick.texts == ("Nd2c2", "Nd2b2")
    assert typed(shot, "down enter", pick) == Action("Nd2b2")
    assert typed(shot, "up up enter", pick) == Action("Nd2c2")


def test_escaping_shielding_and_bombing_are_asked_once_more() -> None:
    shot = seen("Os8/2O6/4Od4/9/9/9/9/9/7Xs1 O OX")
    for name, words, action in (
        ("a9", "Escape to a9? 2 of your pieces break.", "Ea9"),
        ("c2", "Turn c2 into a shield?", "Dc2"),
        ("e3", "Set off e3?", "Be3"),
    ):
        pick = typed(shot, "enter", at(name, shot))
        assert isinstance(pick, Pick)
        assert pick.mode == SURE
        assert words in text_of(BOARD.status(shot, pick, Look()))
        assert typed(shot, "enter", pick) == Action(action)
        moved = typed(shot, "right", pick)
        assert isinstance(moved, Pick)
        assert moved.mode == FREE


def test_letters_jump_to_where_something_can_be_done() -> None:
    shot = seen("Os8/2O6/4Od4/9/9/9/9/9/7Xs1 O OX")
    assert typed(shot, "d d enter", at("i9", shot)) == Action("Dc2")
    assert typed(shot, "b b enter") == Action("Be3")
    assert typed(shot, "s", at("i9", shot)) == at("a1", shot)
    assert typed(shot, "a", at("i9", shot)) == at("i9", shot)


def test_the_bombs_blast_is_shown() -> None:
    shot = seen("Os8/2O6/4Od4/9/9/9/9/9/7Xs1 O OX")
    pick = typed(shot, "enter", at("e3", shot))
    rows = [text_of(line) for line in BOARD.render(shot, pick, Look(), 31, 10)]
    assert rows[2].count(">") == 3
    assert ">~ [O#]~ <" in rows[3]


def test_a_source_under_attack_is_said_and_marked() -> None:
    shot = seen(DUEL.replace(" O OX", " X OX"), Seat(1))
    said = " ".join(text_of(line) for line in BOARD.seats(shot, Look(), 78, NOON))
    assert "mira can hit your source e5 through c3" in said
    assert "block d4" in said
    assert "!X*!" in text_of(BOARD.render(shot, at("b9", shot), Look(), 31, 10)[5])
    safe = seen(DUEL, Watcher.PUBLIC)
    assert not any("can hit" in text_of(line) for line in BOARD.seats(safe, Look(), 78, NOON))


def test_who_waits_may_look_around_but_not_play() -> None:
    shot = seen(DUEL, Seat(1))
    assert BOARD.press(shot, at("e5", shot), "enter") is None
    assert typed(shot, "left", at("e5", shot)) == at("d5", shot)
    assert "Waiting for mira" in text_of(BOARD.status(shot, at("e5", shot), Look()))


def test_watchers_have_no_cursor_and_no_keys() -> None:
    shot = seen(DUEL, Watcher.PUBLIC)
    pick = BOARD.start(shot, b"")
    assert pick.cursor == NOBODY
    assert BOARD.keys(shot, pick) == ()
    assert BOARD.press(shot, pick, "left") is None
    assert BOARD.click(shot, pick, Look(), 10, 3, 31, 10) is None


def test_clicks_point_and_clicking_again_plays() -> None:
    shot = seen(DUEL)
    pointed = BOARD.click(shot, at("a1", shot), Look(), 3 + 3 * 4 + 1, 3, 31, 10)
    assert pointed == at("e3", shot)
    assert BOARD.click(shot, pointed, Look(), 3 + 3 * 4 + 1, 3, 31, 10) == Action("Re3")
    assert BOARD.click(shot, pointed, Look(), 1, 3, 31, 10) is None


def test_what_is_no_longer_possible_is_dropped() -> None:
    shot = seen(DUEL)
    pick = typed(shot, "a enter")
    assert BOARD.follow(shot, pick) == pick
    assert BOARD.follow(seen(DUEL, Seat(1)), pick) == at("e5", shot)


def test_only_keys_that_work_are_shown() -> None:
    def shown(shot: Snapshot, pick: Pick) -> list[str]:
        return [hint.label.removeprefix("keys.relati.") for hint in BOARD.keys(shot, pick)]

    shot = seen(DUEL)
    assert shown(shot, BOARD.start(shot, b"")) == ["move", "go", "attack", "escape", "defend", "home"]
    assert shown(shot, typed(shot, "a enter")) == ["line.go", "line.drop", "line.way"]
    assert shown(seen(DUEL, Seat(1)), at("e5", shot)) == ["move", "home"]


def test_whatever_is_typed_only_legal_actions_come_out() -> None:
    state, rng = RULES.setup({"board": 7}, 2, bytes(32)).state, Rng(bytes(32))
    keys = ("up", "down", "left", "right", "enter", "a", "e", "d", "b", "s", "esc")
    sent = 0
    for _ in range(60):
        pending = RULES.pending(state)
        if not pending:
            break
        shot = snapshot("relati", state, pending[0].seat)
        pick = BOARD.start(shot, b"")
        for _ in range(40):
            key, rng = rng.choose(keys)
            answer = BOARD.press(shot, pick, key)
            if isinstance(answer, Action):
                assert contains(pending[0].choice, answer)
                state, sent = RULES.apply(state, pending[0].seat, answer).state, sent + 1
                break
            pick = answer or pick
    assert sent > 20


@pytest.mark.parametrize("look", LOOKS)
def test_every_event_of_a_match_can_be_said(look: str) -> None:
    state, rng = RULES.setup({"board": 6}, 3, bytes(32)).state, Rng(bytes(32))
    while pending := RULES.pending(state):
        action, rng = rng.choose(pending[0].choice.actions)
        step = RULES.apply(state, pending[0].seat, action)
        state = step.state
        shot = snapshot("relati", state, Watcher.PUBLIC, n_seats=3)
        for event in step.events:
            params: dict[str, Json] = dict(event.public or {})
            said = BOARD.say(SeenEvent(1, event.kind, params), shot, LOOKS[look])
            assert said
            assert not any(mark in said for mark in ("?", "relati.", "{"))


def test_a_decided_match_draws_without_a_mover() -> None:
    shot = seen("Os4/5/5/5/Xf4 O Ox")
    assert screen(shot, at("a1", shot), Look(), 80, 19)


@pytest.mark.parametrize("lesson", lessons("relati"), ids=lambda lesson: lesson.name)
def test_each_lesson_stands_and_can_be_done(lesson: Lesson) -> None:
    table = Table("relati", lesson, "mira")
    pending = table.snapshot.pending
    assert pending is not None
    offered = pending.choice.actions  # type: ignore[union-attr]
    done = [action for action in offered if lesson.is_done_by(action.text)]
    assert 0 < len(done) < len(offered) or lesson.name == "locate"
    assert table.play(done[0])


def test_the_lessons_show_what_they_speak_of() -> None:
    """Each lesson's action has the consequence that its last words tell."""
    consequences = {"cut": "cut", "bomb": "source-lost", "pincer": "captured", "win": "won", "escape": "escape"}
    for lesson in lessons("relati"):
        table = Table("relati", lesson, "mira")
        action = next(a for a in table.snapshot.pending.choice.actions if lesson.is_done_by(a.text))  # type: ignore[union-attr]
        table.play(action)
        if lesson.name in consequences:
            assert consequences[lesson.name] in {event.kind for event in table.events}
        assert (table.snapshot.result is not None) == (lesson.name == "win")


def six(**changes: object) -> Snapshot:
    """Return six seats, the first a person's, with a source each; built-in players of one level have long names."""
    shot = seen("1Os1Xs1Ds1Us1As1Hs11/" + "/".join(["23"] * 22) + " O OXDUAH", **changes)
    bots = [replace(info, player=Player("bot", "bot:normal")) for info in shot.seats[1:]]
    return replace(shot, seats=(shot.seats[0], *bots))


def test_a_full_panel_clips_names_and_never_what_is_said_of_them() -> None:
    shot = six()
    shot = replace(shot, seats=(*shot.seats[:5], replace(shot.seats[5], out=True)))
    said = [text_of(line).rstrip() for line in BOARD.seats(shot, Look(), 21, NOON)]
    assert said[-1] == " H bot (normal) 6 out", "without the clock that will never run again"
    assert said[1] == "   linked 0 cut 0 #0"
    assert text_of(BOARD.seats(shot, Look(), 18, NOON)[-1]) == " H bot (norma… out"
    away = replace(shot, seats=(replace(shot.seats[0], here=False, player=person("m" * 16)), *shot.seats[1:]))
    assert "… away  2:41" in text_of(BOARD.seats(away, Look(), 21, NOON)[0])


def test_the_log_of_many_players_is_written_in_their_marks() -> None:
    cut = SeenEvent(7, "cut", {"seat": 3, "count": 2})
    assert BOARD.say(cut, six(), Look()) == "U: 2 cut off"
    assert BOARD.say(replace(cut, params={"seat": 1, "count": 2}), seen(DUEL), Look()) == "tarn: 2 cut off"


def test_a_board_that_goes_on_points_there() -> None:
    shot = six()
    heads = [text_of(BOARD.render(shot, at(name, shot), Look(), 52, 19)[0]) for name in ("a1", "l12", "w23")]
    assert [(head[:3], head.rstrip()[-1]) for head in heads] == [(" v ", ">"), ("^v<", ">"), ("^ <", "w")]
