"""Frames as bytes: what changed ends in the same cells as a full frame."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import urwid
from hypothesis import example, given, settings
from hypothesis import strategies as st

from server.terminal.paint import Painter
from server.terminal.palette import turn
from tests.ssh.wire import WireTap

styles = st.sampled_from(
    [
        *("\x1b[0m", "\x1b[0;31m", "\x1b[0;44m", "\x1b[0;1;7m", "\x1b[0;4;94m", "\x1b[0;1;34m", "\x1b[0;92;105m"),
        *("\x1b[0;38;2;10;48;5;48;2;1;2;3m", "\x1b[0;1;38;5;48m", "\x1b[0;38;5;48;48;5;38m", "\x1b[0;3;48;2;38;5;1m"),
        *("\x1b[0;1;38;5;3;48;2;38;5;1m", "\x1b[0;1;4;38;5;3m", "\x1b[0;7;38;5;48m"),
    ]
)


words = st.text(st.sampled_from("ab  #中é·e\u0301"), max_size=14)


def fitted(row: list[tuple[str, str]], cols: int = 16) -> list[tuple[str, str]]:
    """Cut and fill a row to exactly `cols` columns."""
    text, used = [], 0
    for style, word in row:
        kept = ""
        for char in word:
            width = urwid.calc_width(char, 0, 1)
            if used + width <= cols and (width or used):
                kept, used = kept + char, used + width
        text.append((style, kept))
    return [*text, ("\x1b[0m", " " * (cols - used))]


rows = st.lists(st.lists(st.tuples(styles, words), max_size=4), min_size=4, max_size=4)


def shown(wire: WireTap) -> list[list[tuple[object, ...]]]:
    def look(cell: object) -> tuple[object, ...]:
        return tuple(getattr(cell, name) for name in ("data", "fg", "bg", "bold", "reverse"))

    def blank_has_no_ink(cell: tuple[object, ...]) -> tuple[object, ...]:
        return (cell[0], cell[2], cell[4]) if str(cell[0]).startswith(" ") else cell  # marks that join it have its ink

    buffer: Callable[[int, int], object] = lambda y, x: wire.terminal.buffer[y][x]  # noqa: E731
    lines = range(wire.terminal.lines)
    return [[blank_has_no_ink(look(buffer(y, x))) for x in range(wire.terminal.columns)] for y in lines]


ACCENT = [("\x1b[0m", ""), ("\x1b[0m", "\u0301")]  # a mark that joins what stands before an empty run


@settings(deadline=None, max_examples=200)
@given(st.lists(rows, min_size=2, max_size=4))
@example([[[("\x1b[0m", text), *ACCENT], [], [], []] for text in ("aaaaa中中中aaaaa", "aaaaaaaaaaaaaa中")])
def test_changes_end_in_the_same_cells_as_a_full_frame(frames: list[list[list[tuple[str, str]]]]) -> None:
    painter, wire = Painter(str), WireTap(16, 4)
    wire.write(b"\x1b[?7l")
    for frame in frames:
        wire.write(painter.paint([fitted(row) for row in frame], 16, None))
    fresh = WireTap(16, 4)
    fresh.write(b"\x1b[?7l" + painter.full())
    assert shown(wire) == shown(fresh)


even = st.lists(
    st.tuples(styles, st.sampled_from(["ab", "aé", "中", "é ", "  ", "e\u0301·", "\u0301ab"])), min_size=7, max_size=7
)


@settings(deadline=None, max_examples=100)
@given(st.lists(st.lists(even, min_size=4, max_size=4), min_size=2, max_size=4))
def test_runs_in_step_end_in_the_same_cells_as_a_full_frame(frames: list[list[list[tuple[str, str]]]]) -> None:
    painter, wire = Painter(str), WireTap(16, 4)
    wire.write(b"\x1b[?7l")
    for frame in frames:
        wire.write(painter.paint([[("\x1b[0m", "x "), *row] for row in frame], 16, None))
    fresh = WireTap(16, 4)
    fresh.write(b"\x1b[?7l" + painter.full())
    assert shown(wire) == shown(fresh)


def test_only_what_differs_of_a_run_is_sent() -> None:
    painter = Painter(str)
    red = "\x1b[0;31m"
    row = [(red, "mira "), (red, "9:59"), (red, " tarn  ")]
    painter.paint([row], 16, None)
    assert painter.paint([[row[0], (red, "9:58"), row[2]]], 16, None) == b"\x1b[1;9H\x1b[0;31m8"


def test_the_first_column_was_said_with_each_row_that_begins_there() -> None:
    painter, wire = Painter(str), WireTap(4, 2)
    wire.write(painter.paint([[("\x1b[0m", "abcd")], [("\x1b[0m", "abcd")]], 4, None))
    sent = painter.paint([[("\x1b[0m", "xbcd")], [("\x1b[0m", "ybcd")]], 4, None)
    assert sent == b"\x1b[1H\x1b[0mx\x1b[2Hy"
    wire.write(sent)
    assert wire.terminal.display == ["xbcd", "ybcd"]


def test_a_clock_in_a_long_run_cost_the_line_up_to_its_end() -> None:
    """A card of one colour is one run of 40 columns: only its digits are sent."""
    painter = Painter(str)
    name, end = "tarn 1488" + " " * 22, "\x1b[0;31m"
    painter.paint([[("\x1b[0m", f"{name}2:41 "), (end, "|")]], 40, None)
    sent = painter.paint([[("\x1b[0m", f"{name}2:38 "), (end, "|")]], 40, None)
    assert sent == b"\x1b[1;34H\x1b[0m38"


def test_a_gap_between_two_squares_selected_its_colour_though_nothing_changed_in_it() -> None:
    """What stayed was written too, to save a movement: of another style it costs more than that."""
    painter = Painter(str)
    square, gap = "\x1b[0;38;5;254;48;5;235m", "\x1b[0;38;5;243m"
    painter.paint([[(square, "ab"), (gap, "|"), (square, "cd")]], 5, None)
    sent = painter.paint([[(square, "ax"), (gap, "|"), (square, "yd")]], 5, None)
    assert sent == b"\x1b[1;2H\x1b[0;38;5;254;48;5;235mx\x1b[4Gy"


def test_a_first_frame_leaves_blank_ends_away() -> None:
    painter = Painter(str)
    plain = "\x1b[0m"
    sent = painter.paint([[(plain, "ab   ")], [(plain, "     ")], [("\x1b[7m", "c    ")]], 5, None)
    assert b"ab\x1b" in sent
    assert b"\x1b[2H" not in sent
    assert b"c    " in sent


@given(styles, styles)
def test_a_turn_from_style_to_style_looks_like_a_beginning(was: str, now: str) -> None:
    turned, fresh = WireTap(2, 1), WireTap(2, 1)
    turned.write((was + turn(was, now)[0] + "a ").encode())
    fresh.write((now + "a ").encode())
    assert turned.terminal.buffer[0] == fresh.terminal.buffer[0]


def test_blanks_turn_the_ground_alone() -> None:
    """Each square of a board cost a whole style for itself and another for the gap beside it."""
    dim, shaded = "\x1b[0;38;2;1;2;3m", "\x1b[0;38;2;4;5;6;48;2;7;8;9m"
    painter = Painter(str)
    sent = painter.paint([[(dim, "a"), (shaded, "  "), (dim, "b"), ("\x1b[0m", " "), (dim, "c")]], 6, None)
    assert sent.endswith(b"\x1b[0;38;2;1;2;3ma\x1b[48;2;7;8;9m  \x1b[49mb c\x1b[0m")


def test_a_shorter_text_went_back_to_erase_what_was_left() -> None:
    """Each row took a place of its own and the plain style: what is erased shows only the ground, as blanks do."""
    painter, wire = Painter(str), WireTap(30, 1)
    dim, bold = "\x1b[0;38;2;1;2;3m", "\x1b[0;1;38;2;4;5;6m"
    wire.write(painter.paint([[(dim, "a text"), (bold, "and another one"), ("\x1b[0m", " " * 9)]], 30, None))
    sent = painter.paint([[(dim, "a text"), (bold, "shorter"), ("\x1b[0m", " " * 17)]], 30, None)
    assert sent == b"\x1b[1;7H\x1b[0;1;38;2;4;5;6mshorter\x1b[K"
    wire.write(sent)
    assert wire.rows == ["a textshorter"]


def test_the_first_blanks_of_a_frame_were_told_their_ink() -> None:
    painter = Painter(str)
    dim = "\x1b[0;38;2;1;2;3m"
    painter.paint([[(dim, "a b c")]], 5, None)
    assert painter.paint([[(dim, "a   c")]], 5, None) == b"\x1b[1;3H\x1b[0m "


def test_what_stopped_being_bold_was_told_its_colours_again() -> None:
    """Each piece beside a threatened one took 36 bytes for a ground that it stands on, too."""
    ground = ";48;2;224;144;58m"
    assert turn(f"\x1b[0;1;38;2;255;255;255{ground}", f"\x1b[0;38;2;12;13;18{ground}")[0] == "\x1b[22;38;2;12;13;18m"
    assert turn("\x1b[0;1;31m", "\x1b[0;31m")[0] == "\x1b[0;31m"  # few colours: perhaps an old terminal


def test_a_style_that_goes_on_is_not_sent_again() -> None:
    painter = Painter(str)
    red, plain = "\x1b[0;31m", "\x1b[0m"
    painter.paint([[(plain, " " * 16)]] * 2, 16, None)
    sent = painter.paint([[(red, "ab"), (plain, " " * 12), (red, "cd")], [(red, "e"), (plain, " " * 15)]], 16, None)
    assert sent == b"\x1b[1H\x1b[0;31mab\x1b[15Gcd\x1b[2He"


WIDE, ROWS = 40, 16


@settings(deadline=None, max_examples=200)
@given(
    st.lists(st.lists(st.tuples(styles, words), max_size=2), min_size=ROWS, max_size=ROWS),
    st.lists(st.tuples(st.integers(-4, 4), st.integers(0, ROWS), st.integers(0, ROWS)), min_size=1, max_size=4),
    styles,
)
def test_rows_that_moved_end_in_the_same_cells_as_a_full_frame(
    first: list[list[tuple[str, str]]], moves: list[tuple[int, int, int]], fresh_style: str
) -> None:
    frame = [fitted([("\x1b[0;31m", chr(97 + y) * 24), *row], WIDE) for y, row in enumerate(first)]
    painter, wire = Painter(str), WireTap(WIDE, ROWS)
    wire.write(b"\x1b[?7l" + painter.paint(frame, WIDE, (3, 3)))
    for by, *edges in moves:
        start, stop = sorted(edges)
        kept = frame[start:stop][max(0, by) :][: max(0, stop - start - abs(by))]
        fresh = [fitted([(fresh_style, f"new {by}")], WIDE)] * (stop - start - len(kept))
        frame = [*frame[:start], *(kept + fresh if by > 0 else fresh + kept), *frame[stop:]]
        wire.write(painter.paint(frame, WIDE, (3, 3)))
    whole = WireTap(WIDE, ROWS)
    whole.write(b"\x1b[?7l" + painter.full())
    assert shown(wire) == shown(whole)


LINES = tuple(f"{chr(97 + n) * 40} {n}" for n in range(20))


def text_rows(*texts: str) -> list[list[tuple[str, str]]]:
    return [[("\x1b[0m", text.ljust(WIDE + 10))] for text in texts]


def test_a_text_that_went_on_by_a_line_cost_all_its_lines() -> None:
    """Each line of help was sent again: 1,500 bytes. The terminal moves them, and gets the one that comes in."""
    painter = Painter(str)
    painter.paint(text_rows("title", *LINES[:10], "keys"), 50, None)
    sent = painter.paint(text_rows("title", *LINES[1:11], "keys"), 50, None)
    assert sent == b"\x1b[0m\x1b[2;11r\x1b[11H\x1bD\x1b[r\x1b[11H" + LINES[10].encode()
    sent = painter.paint(text_rows("title", *LINES[:10], "keys"), 50, None)
    assert sent == b"\x1b[0m\x1b[2;11r\x1b[2H\x1bM\x1b[r\x1b[2H" + LINES[0].encode()


def test_the_mark_of_a_list_and_its_chosen_row_may_change_while_it_moves() -> None:
    painter = Painter(str)

    def listed(top: int) -> list[list[tuple[str, str]]]:
        rows = [[("", line.ljust(48)), ("", "#" if y == top else "|"), ("", " ")] for y, line in enumerate(LINES)]
        rows[top + 9] = [("\x1b[7m", LINES[top + 9].ljust(48)), rows[top + 9][1], ("", " ")]
        return [[("", "title".ljust(50))], *rows[top : top + 10]]

    painter.paint(listed(0), 50, None)
    assert len(painter.paint(listed(1), 50, None)) < 180


def test_a_list_beside_a_text_moves_when_all_of_the_text_is_another() -> None:
    """The text's rows were longer than the list's, and no row was known again: 1,100 bytes a key."""
    painter, wire = Painter(str), WireTap(70, 12)
    draw = Random(7)

    def text(cols: int) -> str:
        return "".join(draw.choices("abcdefghij ", k=cols))

    cards = [text(20) for _ in range(12)]
    first, second = [[("", "title".ljust(70))]], [[("", "title".ljust(70))]]
    for top, shown in ((0, first), (1, second)):
        shown += [[("", f"{cards[top + y]}  "), ("", f"{text(40)}{' ' * 8}")] for y in range(9)]
        shown += [[("", " " * 70)]] * 2
    wire.write(b"\x1b[?7l" + painter.paint(first, 70, None))
    sent = painter.paint(second, 70, None)
    assert b"\x1b[2;10r" in sent
    assert cards[4].encode() not in sent
    wire.write(sent)
    assert wire.rows == ["".join(text for _, text in row).rstrip() for row in second]


def test_the_first_row_never_moves() -> None:
    """In a shared frame it may have words that only one terminal has."""
    painter = Painter(str)
    painter.paint(text_rows(*LINES[:12]), 50, None)
    sent = painter.paint(text_rows(*LINES[1:13]), 50, None)
    assert b"\x1b[2;12r" in sent
    assert b"\x1b[1H" + LINES[1].encode() in sent


def test_bars_and_numbers_beside_each_other_selected_their_colours_again_and_again() -> None:
    """A list of decks, whose chosen one is drawn in bars, took 1,050 bytes a key: of them 600 were colours."""
    painter = Painter(str)
    quiet, bar = "\x1b[0;38;2;1;2;3m", "\x1b[0;38;2;4;5;6m"
    painter.paint([[("\x1b[0m", " " * 50)]] * 10, 50, None)
    rows = [[(quiet, "12 "), (bar, "## "), (quiet, "34 "), (bar, "## "), ("\x1b[0m", " " * 38)]] * 10
    sent = painter.paint(rows, 50, None)
    assert sent.count(quiet[4:].encode()) == sent.count(bar[4:].encode()) == 1


def test_text_after_characters_without_a_cell_of_their_own_stays_behind_them() -> None:
    painter, wire = Painter(str), WireTap(50, 6)
    row = [("\x1b[0;31m", "e\u0301" * 8), ("\x1b[0;44m", "ab "), ("\x1b[0;31m", "c" * 20), ("\x1b[0m", " " * 19)]
    wire.write(painter.paint([[("\x1b[0m", "x" * 50)]] * 6, 50, None))
    wire.write(painter.paint([row] * 6, 50, None))
    assert wire.rows == [f"{'é' * 8}ab {'c' * 20}"] * 6


def test_rows_that_lose_their_ends_cost_a_place_each() -> None:
    """Eleven bytes said for each row where the blank began; below a row that was erased it is known."""
    painter, wire = Painter(str), WireTap(16, 4)
    wire.write(b"\x1b[?7l")
    longer = [[("\x1b[0m", f"row {y} "), ("\x1b[0;31m", "of a text ")] for y in range(4)]
    wire.write(painter.paint(longer, 16, None))
    sent = painter.paint([[("\x1b[0m", f"row {y}           ")] for y in range(4)], 16, None)
    wire.write(sent)
    assert sent.count(b"H") == 1
    assert [line.rstrip() for line in wire.terminal.display] == [f"row {y}" for y in range(4)]


def test_a_first_row_that_was_not_known_was_erased_after_its_words_were_written() -> None:
    """What erased it was joined with its first words, and others that are red came before these."""
    known, painter, wire = Painter(str), Painter(str), WireTap(60, 12)
    red, blue, plain = "\x1b[0;31m", "\x1b[0;34m", "\x1b[0m"
    wire.write(b"\x1b[?7l" + known.paint([[(plain, " " * 50)]] * 12, 50, None))
    painter.adopt(known, without_top=True)
    first = [(plain, "plain "), (red, "and red"), (plain, " " * 37)]
    rows = [[(red, "12 "), (blue, "## "), (red, "34 "), (blue, "## "), (plain, " " * 38)]] * 11
    wire.write(painter.paint([first, *rows], 50, None))
    assert wire.rows[0] == "plain and red"
