"""RaiNet's board: a pure function from what a viewer may know to lines, and from keys to actions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from game import registry
from game.choices import contains
from game.contract import Action, Json, Result, Seat, Viewer, Watcher
from game.rainet.board import SQUARES
from game.rng import Rng
from server.matches.model import SeenEvent, Snapshot
from server.tui.boards import board
from server.tui.boards.rainet.pick import NORTH_SERVER, SOUTH_SERVER, Pick
from server.tui.i18n import words
from server.tui.lines import beside, text_of, width_cols
from server.tui.look import Look
from tests.tui import golden
from tests.tui.positions import NOON, snapshot

RULES = registry.get("rainet")
BOARD = board("rainet")
SOUTH, NORTH = Seat(0), Seat(1)
LUCK = b"a placement for tests"
MIDDLE = "lv3vl1/3l4/4v3/3v+4/3L4/5V2/1L*6/V1L2V2 S CF4/bc4 -/c6 l+,V?l/- 3"
AT_THE_DOOR = "lvl2v1v/3L4/8/8/8/8/3Ll3/VLV4V S BCF4/bcf4 -/- -/- 0"
LOOKS = {"unicode": Look(), "ascii": Look(glyph_set="ascii"), "zh": Look(language="zh_CN")}


def seen(position: str, viewer: Viewer = SOUTH) -> Snapshot:
    return snapshot("rainet", RULES.read_position(position, {}, 2), viewer)


def typed(shot: Snapshot, keys: str, pick: Pick | None = None) -> Pick | Action:
    """Press keys one after the other, as the page would; returns the pick, or the action they complete."""
    now = BOARD.start(shot, LUCK) if pick is None else pick
    for key in keys.split():
        answer = BOARD.press(shot, now, {"space": " "}.get(key, key))
        if isinstance(answer, Action):
            return answer
        if answer is not None:
            now = answer
    return now


def at(square: str, shot: Snapshot) -> Pick:
    fresh: Pick = BOARD.start(shot, LUCK)
    return replace(fresh, cursor=SQUARES[square])


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
    pick = typed(shot, "enter right", at("d4", shot))
    golden.check(f"rainet-{look}-{cols}", screen(shot, pick, LOOKS[look], cols, rows))


@pytest.mark.parametrize(("name", "viewer"), [("north", NORTH), ("public", Watcher.PUBLIC)])
def test_everybody_sees_their_own_board(name: str, viewer: Viewer) -> None:
    shot = seen(MIDDLE.replace(" S CF4", " N CF4"), viewer)
    golden.check(f"rainet-{name}", screen(shot, BOARD.start(shot, LUCK), Look(), 80, 19))


def test_the_placement_looks_as_it_did() -> None:
    shot = seen("setup - -")
    golden.check("rainet-setup", screen(shot, typed(shot, "enter right right"), Look(), 80, 19))


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("cols", [36, 37, 60, 80, 120, 200])
@pytest.mark.parametrize("rows", [17, 19, 35, 60])
def test_every_line_is_exactly_as_wide_as_the_board(look: str, cols: int, rows: int) -> None:
    shot = seen(MIDDLE)
    lines = BOARD.render(shot, BOARD.start(shot, LUCK), LOOKS[look], cols, rows)
    assert [width_cols(line) for line in lines] == [cols] * rows


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
    pick = typed(shot, "enter", at("d4", shot))
    assert isinstance(pick, Pick)
    other = typed(shot, "enter", replace(pick, cursor=SQUARES["f3"]))
    assert isinstance(other, Pick)
    assert other.chosen == (SQUARES["f3"],)
    dropped = typed(shot, "esc", other)
    assert BOARD.is_resting(dropped)
    assert BOARD.press(shot, dropped, "esc") is None


def test_entering_asks_whether_to_reveal_or_to_hide() -> None:
    shot = seen(AT_THE_DOOR.replace("lvl2v1v/3L4", "lvlL1v1v/8"))
    asked = typed(shot, "enter up enter", at("d8", shot))
    assert isinstance(asked, Pick)
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
    pick = BOARD.start(shot, LUCK)
    kinds = pick.placed
    other = kinds.index("V" if kinds[0] == "L" else "L")
    steps = " ".join(["right"] * other)
    swapped = typed(shot, f"enter {steps} enter g", pick)
    expected = list(kinds)
    expected[0], expected[other] = expected[other], expected[0]
    assert swapped == Action("setup " + "".join(expected))


def test_a_shuffled_placement_is_four_and_four_and_depends_on_luck_alone() -> None:
    shot = seen("setup - -")
    found = {BOARD.start(shot, bytes([i])).placed for i in range(50)}
    assert all(sorted(placed) == list("LLLLVVVV") for placed in found)
    assert len(found) > 20
    assert isinstance(typed(shot, "s"), Pick)


def test_a_click_selects_and_moves() -> None:
    shot = seen(MIDDLE)
    start = BOARD.start(shot, LUCK)
    row = {rank: 1 + 2 * (8 - rank) for rank in range(1, 9)}
    picked = BOARD.click(shot, start, Look(), 3 + 4 * 3 + 2, row[4], 36, 19)
    assert isinstance(picked, Pick)
    assert picked.chosen == (SQUARES["d4"],)
    assert BOARD.click(shot, picked, Look(), 3 + 4 * 4 + 2, row[4], 36, 19) == Action("d4e4")


def test_who_waits_can_move_the_cursor_and_nothing_else() -> None:
    shot = seen(MIDDLE, NORTH)
    start = BOARD.start(shot, LUCK)
    assert BOARD.press(shot, start, "up") is not None
    assert [BOARD.press(shot, start, key) for key in ("enter", "b", "c", "f", "4")] == [None] * 5


def test_owner_kind_face_and_boost_are_told_by_glyphs_alone() -> None:
    shot = seen("8/8/1l+*v5/8/8/8/1L+*V5/8 S CF4/cf4 -/- -/- 0", Watcher.OMNISCIENT)
    text = screen(shot, BOARD.start(shot, LUCK), Look(), 80, 19)
    assert [word in text for word in ("▲L‡", "▲V ", "▼L‡", "▼V ")] == [True] * 4


def test_what_the_screen_shows_is_the_same_for_states_that_a_viewer_can_not_tell_apart() -> None:
    state = RULES.read_position(MIDDLE, {}, 2)
    for viewer in (SOUTH, NORTH, Watcher.PUBLIC):
        mine = snapshot("rainet", state, viewer)
        for i in range(20):
            other = RULES.determinize(RULES.view(state, viewer), Rng(bytes([i]) * 32))
            shown = snapshot("rainet", other, viewer)
            pick = BOARD.start(mine, LUCK)
            assert screen(mine, pick, Look(), 80, 19) == screen(shown, pick, Look(), 80, 19)


def test_whatever_is_pressed_only_legal_actions_come_out() -> None:
    rng = Rng(b"keys pressed at random".ljust(32))
    state = RULES.setup({}, 2, bytes(32)).state
    keys = ("up", "down", "left", "right", "enter", "enter", "esc", "b", "c", "f", "4", "k", "s", "v", "l", "u", "g")
    sent, picks = 0, dict[int, Pick]()
    for _ in range(4000):
        owed = RULES.pending(state)
        if not owed:
            break
        shot = snapshot("rainet", state, owed[0].seat)
        seat = owed[0].seat
        pick = BOARD.follow(shot, picks.get(seat) or BOARD.start(shot, LUCK))
        key, rng = rng.choose(keys)
        answer = BOARD.press(shot, pick, key)
        if isinstance(answer, Action):
            assert contains(owed[0].choice, answer), (key, pick, answer)
            state, sent = RULES.apply(state, owed[0].seat, answer).state, sent + 1
        picks[seat] = pick if answer is None or isinstance(answer, Action) else answer
    assert sent > 10


@pytest.mark.parametrize(
    ("kind", "params", "said"),
    [
        ("move", {"seat": 0, "from": "c2", "to": "c3"}, "mira c2–c3"),
        ("capture", {"seat": 1, "square": "d5", "card": "V"}, "takes a virus on d5"),
        ("enter-hidden", {"seat": 0, "from": "d8", "area": "link"}, "mira enters hidden from d8, into LINK"),
        ("404", {"seat": 1, "first": "a8", "second": "b8"}, "tarn 404s a8 and b8"),
    ],
)
def test_the_log_is_in_words(kind: str, params: dict[str, Json], said: str) -> None:
    assert BOARD.say(SeenEvent(3, kind, params), seen(MIDDLE), Look()) == said


def test_one_square_is_not_called_squares() -> None:
    assert words("en").t("rainet.do.card", square="a1", n=1) == "a1 can go to 1 square"
    assert words("en").t("rainet.do.card", square="a1", n=2) == "a1 can go to 2 squares"


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
