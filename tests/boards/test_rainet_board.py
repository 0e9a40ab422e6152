"""RaiNet's board: a pure function from what a viewer may know to lines, and from keys to actions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from game import registry
from game.choices import contains
from game.contract import Action, Json, Result, Seat, Viewer, Watcher
from game.rainet.board import NAMES, SQUARES
from game.rng import Rng
from server.boards.board import board
from server.boards.games.rainet.position import last_squares
from server.boards.games.rainet.selection import CARD, NORTH_SERVER, SOUTH_SERVER, Selection
from server.matches.model import AnyViewerState, SeenEvent
from server.screens.help import marks_of
from server.terminal.lines import text_of, width_cols
from server.terminal.look import Look
from tests.boards import golden
from tests.boards.driven import DrivenBoard
from tests.boards.positions import NOON, snapshot
from tests.texts import en

RULES = registry.get("rainet")
BOARD = board("rainet")
SOUTH, NORTH = Seat(0), Seat(1)
SEED = b"a placement for tests"
DRIVEN = DrivenBoard(BOARD, Selection, SEED)
typed, picked, screen = DRIVEN.typed, DRIVEN.picked, DRIVEN.screen
MIDDLE = "lv3vl1/3l4/4v3/3v+4/3L4/5V2/1L*6/V1L2V2 S CF4/bc4 -/c6 l+,V?l/- 3"
ON_THE_EXIT = "lvlL1vlv/8/8/8/8/8/8/VLV4V S BCF4/bcf4 -/- -/- 0"
AT_THE_DOOR = "lvl2v1v/3L4/8/8/8/8/3Ll3/VLV4V S BCF4/bcf4 -/- -/- 0"
LOOKS = {"unicode": Look(), "ascii": Look(glyph_set="ascii"), "zh": Look(language="zh_CN")}


def seen(position: str, viewer: Viewer = SOUTH) -> AnyViewerState:
    return snapshot("rainet", RULES.read_position(position, {}, 2), viewer)


def at(square: str, shot: AnyViewerState) -> Selection:
    fresh: Selection = BOARD.start(shot, SEED)
    return replace(fresh, cursor=SQUARES[square])


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize(("cols", "rows"), [(80, 19), (120, 35), (200, 55)])
def test_the_board_looks_as_it_did(look: str, cols: int, rows: int) -> None:
    shot = seen(MIDDLE)
    chosen = picked(shot, "enter right", at("d4", shot))
    golden.check(f"rainet-{look}-{cols}", screen(shot, chosen, LOOKS[look], cols, rows))


@pytest.mark.parametrize(("name", "viewer"), [("north", NORTH), ("public", Watcher.PUBLIC)])
def test_everybody_sees_their_own_board(name: str, viewer: Viewer) -> None:
    shot = seen(MIDDLE.replace(" S CF4", " N CF4"), viewer)
    golden.check(f"rainet-{name}", screen(shot, BOARD.start(shot, SEED), Look(), 80, 19))


@pytest.mark.parametrize("rows", [8, 9, 15])
def test_a_board_in_half_the_rows_lost_its_lower_ranks(rows: int) -> None:
    shot = seen(MIDDLE)
    drawn = screen(shot, at("d4", shot), Look(), 40, rows).splitlines()
    assert [line.split()[0] for line in drawn[:8]] == list("87654321")
    assert "[" in drawn[4], "the cursor is on d4"
    found = BOARD.click(shot, at("d4", shot), Look(), 40, rows, 5, 7)
    assert isinstance(found, Selection)
    assert found.cursor == SQUARES["a1"]


@pytest.mark.parametrize(("glyph_set", "corner"), [("unicode", "┼"), ("ascii", "+")])
def test_without_colours_a_board_had_no_squares(glyph_set: str, corner: str) -> None:
    shot = seen(MIDDLE)
    lines = screen(shot, at("d4", shot), Look("mono", glyph_set), 40, 19).splitlines()
    assert lines[4].count(corner) >= 7
    tight = screen(shot, at("d4", shot), Look("mono", glyph_set), 40, 8).splitlines()
    assert tight[1].count(Look("mono", glyph_set).glyphs.dot) >= 4


def test_the_placement_looks_as_it_did() -> None:
    shot = seen("setup - -")
    golden.check("rainet-setup", screen(shot, picked(shot, "enter right right"), Look(), 80, 19))


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("cols", [36, 37, 60, 80, 120, 200])
@pytest.mark.parametrize("rows", [17, 19, 35, 60])
def test_every_line_is_exactly_as_wide_as_the_board(look: str, cols: int, rows: int) -> None:
    shot = seen(MIDDLE)
    lines = BOARD.render(shot, BOARD.start(shot, SEED), LOOKS[look], cols, rows)
    assert [width_cols(line) for line in lines] == [cols] * rows


@pytest.mark.parametrize("viewer", [SOUTH, NORTH])
def test_a_moved_cursor_leaves_nothing_where_it_stood(viewer: Seat) -> None:
    shot = seen(MIDDLE, viewer)
    for mode, squares in (("free", ()), ("card", (at("e5", shot).cursor,)), ("boost", ())):
        chosen = replace(BOARD.start(shot, SEED), mode=mode, squares=squares)
        for cursor in range(66):
            moved = replace(chosen, cursor=cursor)
            fresh = BOARD.render(replace(shot), moved, Look(), 60, 19)
            assert BOARD.render(shot, moved, Look(), 60, 19) == fresh


def test_a_card_goes_where_the_cursor_says() -> None:
    shot = seen(MIDDLE)
    assert typed(shot, "enter right enter", at("d4", shot)) == Action("d4e4")
    assert typed(shot, "enter up enter", at("d4", shot)) == Action("d4d5")


def test_north_moves_the_cursor_as_it_sees_the_board() -> None:
    shot = seen(MIDDLE.replace(" S CF4", " N CF4"), NORTH)
    assert typed(shot, "enter up enter", at("d7", shot)) == Action("d7d6")
    assert typed(shot, "enter left enter", at("d7", shot)) == Action("d7e7")


def test_a_boosted_card_goes_two_steps() -> None:
    shot = seen(MIDDLE)
    action = typed(shot, "enter up right enter", at("b2", shot))
    assert action == Action("b2b3c3")


def test_selecting_another_card_drops_the_first_and_escape_drops_all() -> None:
    shot = seen(MIDDLE)
    chosen = typed(shot, "enter", at("d4", shot))
    assert isinstance(chosen, Selection)
    other = typed(shot, "enter", replace(chosen, cursor=SQUARES["f3"]))
    assert isinstance(other, Selection)
    assert other.squares == (SQUARES["f3"],)
    dropped = typed(shot, "esc", other)
    assert BOARD.is_resting(dropped)
    assert BOARD.press(shot, dropped, "esc") is None


def test_entering_asks_whether_to_reveal_or_to_hide() -> None:
    shot = seen(AT_THE_DOOR.replace("lvl2v1v/3L4", "lvlL1v1v/8"))
    asked = typed(shot, "enter up enter", at("d8", shot))
    assert isinstance(asked, Selection)
    assert asked.mode == "enter"
    assert asked.cursor == NORTH_SERVER
    assert [typed(shot, key, asked) for key in "vlu"] == [Action("d8>+"), Action("d8>l"), Action("d8>v")]
    assert [hint.label for hint in BOARD.keys(shot, asked)][:1] == ["keys.rainet.enter.reveal"]


def test_a_card_that_lies_open_enters_without_a_question() -> None:
    shot = seen(AT_THE_DOOR.replace("lvl2v1v/3L4", "lvlL+1v1v/8"))
    assert typed(shot, "enter up enter", at("d8", shot)) == Action("d8>")


def test_north_enters_below_the_first_rank() -> None:
    shot = seen("lvl2v1v/3l4/8/8/8/8/3L4/VLVl3V N BCF4/bcf4 -/- -/- 0", NORTH)
    asked = typed(shot, "enter up enter l", at("d1", shot))
    assert asked == Action("d1>l")
    assert typed(shot, "up", at("d1", shot)) == replace(at("d1", shot), cursor=SOUTH_SERVER)


def test_terminal_cards_are_used_in_two_presses_and_taken_back_before() -> None:
    shot = seen(MIDDLE)
    assert typed(shot, "c enter", at("d7", shot)) == Action("?d7")
    assert typed(shot, "f enter", at("h8", shot)) == Action("#h8")
    assert typed(shot, "b enter", at("a1", shot)) == Action("-b2")  # there is one place, the cursor jumps there
    assert BOARD.is_resting(typed(shot, "f f", at("h8", shot)))


@pytest.mark.parametrize(("key", "action"), [("k", "@a1c1="), ("s", "@a1c1x")])
def test_a_404_asks_whether_to_swap(key: str, action: str) -> None:
    shot = seen(MIDDLE)
    assert typed(shot, f"4 enter right right enter {key}", at("a1", shot)) == Action(action)


def test_cards_are_placed_by_swapping_them_and_confirmed() -> None:
    shot = seen("setup - -")
    chosen = BOARD.start(shot, SEED)
    kinds = chosen.placed
    other = kinds.index("V" if kinds[0] == "L" else "L")
    steps = " ".join(["right"] * other)
    swapped = typed(shot, f"enter {steps} enter g", chosen)
    expected = list(kinds)
    expected[0], expected[other] = expected[other], expected[0]
    assert swapped == Action("setup " + "".join(expected))


def test_a_shuffled_placement_is_four_and_four_and_depends_on_the_seed_alone() -> None:
    shot = seen("setup - -")
    found = {BOARD.start(shot, bytes([i])).placed for i in range(50)}
    assert all(sorted(placed) == list("LLLLVVVV") for placed in found)
    assert len(found) > 20
    assert isinstance(typed(shot, "s"), Selection)


def test_escape_puts_a_card_down_and_does_not_shuffle_the_others() -> None:
    """Escape began the whole placement anew, and so did coming back to the board."""
    shot = seen("setup - -")
    swapped = picked(shot, "enter right enter right")
    lifted = picked(shot, "enter", swapped)
    assert picked(shot, "esc", lifted) == swapped
    assert BOARD.press(shot, swapped, "esc") is None, "with nothing in hand it leaves the board"
    back = BOARD.resume(shot, BOARD.start(shot, b"another seed"), lifted)
    assert (back.placed, back.cursor, back.squares) == (swapped.placed, swapped.cursor, ())


def test_a_click_selects_and_moves() -> None:
    shot = seen(MIDDLE)
    start = BOARD.start(shot, SEED)
    row = {rank: 1 + 2 * (8 - rank) for rank in range(1, 9)}
    picked = BOARD.click(shot, start, Look(), 36, 19, 3 + 4 * 3 + 2, row[4])
    assert isinstance(picked, Selection)
    assert picked.squares == (SQUARES["d4"],)
    assert BOARD.click(shot, picked, Look(), 36, 19, 3 + 4 * 4 + 2, row[4]) == Action("d4e4")


def test_who_waits_can_move_the_cursor_and_nothing_else() -> None:
    shot = seen(MIDDLE, NORTH)
    start = BOARD.start(shot, SEED)
    assert BOARD.press(shot, start, "up") is not None
    assert [BOARD.press(shot, start, key) for key in ("enter", "b", "c", "f", "4")] == [None] * 5


def test_owner_kind_face_and_boost_are_told_by_glyphs_alone() -> None:
    shot = seen("8/8/1l+*v5/8/8/8/1L+*V5/8 S CF4/cf4 -/- -/- 0", Watcher.OMNISCIENT)
    text = screen(shot, BOARD.start(shot, SEED), Look(), 80, 19)
    assert [word in text for word in ("▲L‡", "▲V ", "▼L‡", "▼V ")] == [True] * 4


def test_what_the_screen_shows_is_the_same_for_states_that_a_viewer_can_not_tell_apart() -> None:
    state = RULES.read_position(MIDDLE, {}, 2)
    for viewer in (SOUTH, NORTH, Watcher.PUBLIC):
        mine = snapshot("rainet", state, viewer)
        for i in range(20):
            other = RULES.determinize(RULES.view(state, viewer), Rng(bytes([i]) * 32))
            shown = snapshot("rainet", other, viewer)
            chosen = BOARD.start(mine, SEED)
            assert screen(mine, chosen, Look(), 80, 19) == screen(shown, chosen, Look(), 80, 19)


def test_whatever_is_pressed_only_legal_actions_come_out() -> None:
    rng = Rng(b"keys pressed at random".ljust(32))
    state = RULES.setup({}, 2, bytes(32)).state
    keys = ("up", "down", "left", "right", "enter", "enter", "esc", "b", "c", "f", "4", "k", "s", "v", "l", "u", "g")
    sent, selections = 0, dict[int, Selection]()
    for _ in range(4000):
        owed = RULES.pending(state)
        if not owed:
            break
        shot = snapshot("rainet", state, owed[0].seat)
        seat = owed[0].seat
        chosen = BOARD.follow(shot, selections.get(seat) or BOARD.start(shot, SEED))
        key, rng = rng.choose(keys)
        answer = BOARD.press(shot, chosen, key)
        if isinstance(answer, Action):
            assert contains(owed[0].choice, answer), (key, chosen, answer)
            state, sent = RULES.apply(state, owed[0].seat, answer).state, sent + 1
        selections[seat] = chosen if answer is None or isinstance(answer, Action) else answer
    assert sent > 10


@pytest.mark.parametrize(
    ("kind", "params", "said"),
    [
        ("move", {"seat": 0, "from": "c2", "to": "c3"}, "mira c2–c3"),
        (
            "capture",
            {"seat": 1, "square": "d5", "card": "V"},
            en("rainet.event.capture", name="tarn", card=en("rainet.card.virus"), square="d5"),
        ),
        (
            "enter-hidden",
            {"seat": 0, "from": "d8", "area": "link"},
            en("rainet.event.enter-hidden", name="mira", area="LINK", **{"from": "d8"}),
        ),
        (
            "404",
            {"seat": 1, "first": "a8", "second": "b8"},
            en("rainet.event.404", name="tarn", first="a8", second="b8"),
        ),
    ],
)
def test_the_log_is_in_words(kind: str, params: dict[str, Json], said: str) -> None:
    assert BOARD.say(seen(MIDDLE), Look(), SeenEvent(3, kind, params)) == said


def test_one_square_is_not_called_squares() -> None:
    assert en("rainet.do.card", square="a1", n=2).replace("2", "1") == en("rainet.do.card", square="a1", n=1) + "s"


def test_ones_own_card_is_called_ones_own_and_by_name_when_all_is_over() -> None:
    shot = seen("setup - -")
    assert "your " in text_of(BOARD.status(shot, at("a1", shot), Look()))
    ended = replace(shot, result=Result(((NORTH,), (SOUTH,)), "resign"), status="finished", pending=None)
    assert "mira’s" in text_of(BOARD.status(ended, at("a1", ended), Look()))


def test_nobody_places_cards_any_more_in_a_match_that_ended_before_the_first_move() -> None:
    shot = seen("setup - -")
    assert "placing" in " ".join(text_of(line) for line in BOARD.seats(shot, Look(), 40, NOON))
    ended = replace(shot, result=Result(((NORTH,), (SOUTH,)), "resign"), status="finished")
    assert "placing" not in " ".join(text_of(line) for line in BOARD.seats(ended, Look(), 40, NOON))


def test_two_firewalls_on_one_square_show_both_owners() -> None:
    """`firewall_anywhere`: the second one hid whose the first was."""
    both = RULES.read_position("8/8/8/3l4/8/3L4/8/8 S BC4/bc4 d4/d4 -/- 0", {"firewall_anywhere": True}, 2)
    shot = snapshot("rainet", both, SOUTH)
    drawn = screen(shot, at("a1", shot), Look(), 80, 24)
    assert "▓↑▓↓▓" in drawn
    said = text_of(BOARD.status(shot, at("d4", shot), Look()))
    assert said.count("firewall") == 2


AREAS = ((80, 19), (100, 29), (120, 35), (160, 47), (200, 55))  # of a board that has cells of each size


@pytest.mark.parametrize(("cols", "rows"), AREAS)
def test_a_click_hits_the_square_that_is_drawn_there_at_every_size(cols: int, rows: int) -> None:
    shot = seen(MIDDLE, NORTH)
    area = BOARD.area(shot, cols, rows)
    fresh = BOARD.start(shot, SEED)
    for name in ("a1", "h8", "d4", "c6"):
        chosen = replace(fresh, cursor=SQUARES[name])
        lines = BOARD.render(shot, chosen, Look(), area.cols, area.rows)
        found = [
            (sum(len(text) for _, text in line[:i]), y)
            for y, line in enumerate(lines)
            for i, (style, _) in enumerate(line)
            if style == "cursor"
        ]
        assert found
        for col, row in found:
            hit = BOARD.click(shot, fresh, Look(), area.cols, area.rows, col, row)
            assert isinstance(hit, Selection)
            assert hit.cursor == SQUARES[name]


def test_cells_grow_with_the_terminal() -> None:
    shot = seen(MIDDLE)
    areas = [BOARD.area(shot, cols, rows) for cols, rows in AREAS]
    drawn = [BOARD.render(shot, BOARD.start(shot, SEED), Look(), area.cols, area.rows) for area in areas]
    assert [max(y for y, line in enumerate(lines, 1) if text_of(line).strip()) for lines in drawn] == [
        19,
        27,
        35,
        43,
        51,
    ]
    assert [area.cols for area in areas] == [36, 52, 68, 84, 100]


def test_links_viruses_and_hidden_cards_have_grounds_and_signs_of_their_own() -> None:
    for cols, rows in AREAS:
        shot = seen(MIDDLE)
        area = BOARD.area(shot, cols, rows)
        lines = BOARD.render(shot, BOARD.start(shot, SEED), Look(), area.cols, area.rows)
        words = {style: text.strip() for line in lines for style, text in line if text.strip()}
        assert (words["link"][0], words["virus"][0]) == ("L", "V")
        assert {"tile0", "tile1", "cell.exit", "wall"} <= words.keys()
        assert any(style == "tile1" and "▒" in text for line in lines for style, text in line)


def dangers(position: str, viewer: Viewer) -> int:
    shot = seen(position, viewer)
    lines = BOARD.render(shot, BOARD.start(shot, SEED), Look(), 36, 18)
    return sum(style == "danger" for line in lines for style, _ in line)


@pytest.mark.parametrize(
    ("rank_two", "rank_three", "threatened"),
    [("3L4", "8", 0), ("4v3", "8", 1), ("3L4", "4v*3", 1), ("3L4", "4v3", 0), ("3Ll3", "3l4", 1), ("3v4", "8", 1)],
)
def test_an_exit_that_an_enemy_card_can_reach_is_seen_at_a_glance(
    rank_two: str, rank_three: str, threatened: int
) -> None:
    where = f"lvl2v1v/8/8/8/8/{rank_three}/{rank_two}/VL4VL S CF4/cf4 -/- -/- 0"
    assert dangers(where, SOUTH) == threatened
    assert dangers(where, NORTH) == 0, "the side whose exit it is not"
    assert dangers(where, Watcher.PUBLIC) == threatened


@pytest.mark.parametrize(("name", "row"), [("a1", -2), ("h1", -2), ("b8", 0)])
def test_the_frame_of_the_cursor_is_closed_at_the_edge_of_the_board(name: str, row: int) -> None:
    shot = seen(MIDDLE)
    lines = BOARD.render(shot, at(name, shot), Look(), 68, 34)
    assert [(style, text) for style, text in lines[row] if style == "mark"] == [("mark", "━" * 7)]


@pytest.mark.parametrize(("viewer", "square"), [(SOUTH, "d4"), (NORTH, "d5")])
def test_the_cursor_begins_on_the_foremost_card(viewer: Seat, square: str) -> None:
    """Who came back in the middle of a match found it on d2 or e7, where no card stood any more."""
    assert BOARD.start(seen(MIDDLE, viewer), SEED).cursor == SQUARES[square]
    assert BOARD.start(seen("lvl2vlv/3vl3/8/8/8/8/3VL3/VLV2LV1 S BCF4/bcf4 -/- -/- 0"), SEED).cursor == SQUARES["d2"]


HOVERS = (
    ("enter right", "e4", "go", {"from": "d4", "to": "e4"}),
    ("enter up", "d5", "take", {"from": "d4", "to": "d5"}),
    ("b", "b2", "unboost", {"to": "b2"}),
    ("c", "e6", "check", {"to": "e6"}),
    ("f", "d4", "wall", {"to": "d4"}),
    ("4", "d4", "choose", {"to": "d4"}),
)


@pytest.mark.parametrize(("keys", "square", "word", "params"), HOVERS, ids=[word for *_, word, _ in HOVERS])
def test_hover_says_what_enter_does_there(keys: str, square: str, word: str, params: dict[str, str]) -> None:
    """It named what stands there, and not what would happen; a terminal card's cursor stayed where it was no use."""
    shot = seen(MIDDLE)
    chosen = picked(shot, keys)
    assert chosen.cursor == SQUARES[square]
    assert en(f"rainet.here.{word}", **params) in text_of(BOARD.status(shot, chosen, Look()))


def test_the_square_that_a_card_goes_to_is_said_once() -> None:
    """It said 'Enter moves d4 to c4.  c4'."""
    shot = seen(MIDDLE)
    assert text_of(BOARD.status(shot, picked(shot, "enter left", at("d4", shot)), Look())).count("c4") == 1


def test_what_is_asked_leaves_room_for_the_card_on_a_narrow_screen() -> None:
    """It took two lines of 60 columns, of which one hid the player's own first rank."""
    shot = seen(MIDDLE)
    assert all(
        width_cols(BOARD.status(shot, at(square, shot), look)) <= 60
        for look in LOOKS.values()
        for square in ("d4", "f3")
    )


def test_two_steps_may_be_typed_without_the_square_between() -> None:
    """'A step goes to a neighbouring square' was the answer, while the log itself leaves that square out."""
    shot = seen("lvl2v1v/3l4/8/8/8/8/3L*4/VLV2V2 S CF4/bcf4 -/- -/- 0")
    assert BOARD.spelled(shot, "d2d4") == BOARD.spelled(shot, "d2d3d4") == ("d2d3d4",)


def test_hover_says_that_a_card_enters_the_server() -> None:
    shot = seen(ON_THE_EXIT)
    assert en("rainet.here.enter", **{"from": "d8"}) in text_of(BOARD.status(shot, picked(shot, "enter up"), Look()))


def test_hover_says_that_a_card_is_stuck() -> None:
    shot = seen("lvl2v1v/3l4/8/8/8/8/VV6/LL6 S BCF4/bcf4 -/- -/- 0")
    stuck = en("rainet.square.stuck")
    assert stuck in text_of(BOARD.status(shot, at("a1", shot), Look()))
    assert stuck not in text_of(BOARD.status(shot, at("b2", shot), Look()))


def marked_last(position: str, action: str, look: Look, cols: int, rows: int) -> list[str]:
    """Return the signs that stand in the style of the last move, after an action, as the other side sees it."""
    state = RULES.apply(RULES.read_position(position, {}, 2), SOUTH, Action(action)).state
    shot = snapshot("rainet", state, NORTH)
    lines = BOARD.render(shot, replace(BOARD.start(shot, SEED), cursor=SQUARES["h5"]), look, cols, rows)
    return [text for line in lines for style, text in line if style in ("last", "cell.last")]


ACTIONS = {
    "move": (MIDDLE, "d4e4"),
    "take": (MIDDLE, "d4d5"),
    "boosted": (MIDDLE, "b2b3c3"),
    "unboost": (MIDDLE, "-b2"),
    "check": (MIDDLE, "?e6"),
    "wall": (MIDDLE, "#b5"),
    "wall under a card": (MIDDLE, "#a1"),
    "404": (MIDDLE, "@a1c1x"),
    "enter": (ON_THE_EXIT, "d8>l"),
}


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize(("cols", "rows"), [(80, 19), (120, 35), (200, 55)])
@pytest.mark.parametrize("kind", ACTIONS)
def test_the_last_move_is_marked_whatever_it_was(kind: str, look: str, cols: int, rows: int) -> None:
    """It was a thin dotted line; a new firewall, and a card at an exit in danger, had no mark at all."""
    signs = marked_last(*ACTIONS[kind], LOOKS[look], cols, rows)
    assert len(signs) >= (2 if rows == 19 else 4), "two sides; above and below, where squares are not low"
    assert any(sign.strip() for sign in signs), "without colour too"
    if kind == "enter":
        assert any(LOOKS[look].t("rainet.server") in sign for sign in signs)


@pytest.mark.parametrize(("keys", "action"), [("1", "+"), ("2", "l"), ("3", "v")])
def test_how_a_card_enters_is_chosen_by_digits_as_every_choice_is(keys: str, action: str) -> None:
    assert typed(seen(ON_THE_EXIT), f"enter up enter {keys}") == Action(f"d8>{action}")


def test_a_decided_match_has_no_cursor() -> None:
    """It stood on the board of the end and could not be moved."""
    state = RULES.apply(
        RULES.read_position("1v4lv/8/8/3v+4/2l+L4/8/8/V1L2LV1 S B/bcf4 -/- l+,l+,L+/- 0", {}, 2), SOUTH, Action("d4c4")
    ).state
    shot = snapshot("rainet", state, SOUTH)
    assert shot.result is not None
    lines = BOARD.render(shot, BOARD.start(shot, SEED), Look(), 80, 19)
    assert not any(style in ("cursor", "mark") for line in lines for style, _ in line)


@pytest.mark.parametrize("game", ["rainet", "relati", "passage"])
@pytest.mark.parametrize("look", LOOKS)
def test_every_mark_of_a_board_stands_in_its_help(game: str, look: str) -> None:
    """What the frames, exclamation marks and letters mean was nowhere to be read on a small screen."""
    explained = board(game).marks(LOOKS[look])
    marks = [mark for mark, _ in explained]
    assert len(set(marks)) == len(marks) >= 5
    assert all(means and "." not in means.split()[0] for _, means in explained)
    lines = marks_of(game, LOOKS[look], 80)
    assert all(width_cols(line) <= 80 for line in lines)


def test_a_server_that_a_card_can_enter_is_marked_as_other_places_are() -> None:
    """Only a thin edge said so, while squares had a dot."""
    shot = seen("lv1L2vl/3l4/4v3/3v+4/8/5V2/1L*6/V1L2V2 S CF4/bc4 -/c6 l+,V?l/- 3")
    chosen = Selection(SQUARES["d8"], CARD, (SQUARES["d8"],))
    for look in LOOKS.values():
        for cols, rows in ((80, 19), (120, 35)):
            area = BOARD.area(shot, cols, rows)
            first = BOARD.render(shot, chosen, look, area.cols, rows)[0]
            label = next(text for style, text in first if style == "target")
            assert look.glyphs.dot in label
            assert look.t("rainet.server") in label


def test_one_s_own_last_move_was_marked_until_the_other_moved_only() -> None:
    state = RULES.read_position("lvl2v1v/4v3/8/8/8/8/3L4/VL4VL S CF4/cf4 -/- -/- 0", {})
    for seat, text in ((0, "d2d3"), (1, "e7e6")):
        state = RULES.apply(state, Seat(seat), Action(text)).state
    marked = {NAMES[square] for square in last_squares(RULES.view(state, Seat(0)))}
    assert marked == {"d2", "d3", "e7", "e6"}
    assert {NAMES[square] for square in last_squares(RULES.view(state, Watcher.PUBLIC))} == {"e7", "e6"}


def test_the_key_line_said_choose_whatever_enter_did() -> None:
    """The prompt said "Enter moves e7 to e6", the key line "enter Choose"; an empty square was only "d5"."""
    shot = seen(MIDDLE)
    free, held = at("d4", shot), picked(shot, "enter", at("d4", shot))
    there = typed(shot, "right", held)
    labels = [BOARD.keys(shot, chosen)[0].label for chosen in (free, held, there)]
    assert labels == ["keys.rainet.go", "rainet.enter.choose", "rainet.enter.go"]
    waits = replace(shot, pending=None, deciding=())
    assert BOARD.keys(BOARD.planned(waits), free)[0].label == "match.prepare"
    assert en("rainet.square.empty", square="d6") in text_of(BOARD.status(shot, at("d6", shot), Look()))
    assert en("rainet.square.own", card=en("rainet.card.link")) not in text_of(BOARD.status(shot, held, Look()))
