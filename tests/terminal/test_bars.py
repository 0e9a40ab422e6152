"""Numbers as bars: each with its number on top, and a meter that is never wider than its place."""

from __future__ import annotations

from server.terminal.bars import bar_lines, meter_line, track_line
from server.terminal.lines import text_of, width_cols
from server.terminal.look import Look


def test_a_bar_has_its_number_on_top_and_its_name_below() -> None:
    lines = [text_of(line).rstrip() for line in bar_lines((8, 4, 0, 1), ("0", "1", "2", "3+"), Look(), 3)]
    assert lines == [" 8", "██  4     1", "██ ██    ▂▂", " 0  1  2 3+"]


def test_no_number_is_lost_above_the_tallest_bar() -> None:
    for counts in ((1,), (99, 98), (0, 0), (3, 7, 12, 1)):
        for glyphs in ("unicode", "ascii"):
            drawn = "".join(map(text_of, bar_lines(counts, ["-"] * len(counts), Look(glyph_set=glyphs), 5)))
            assert all(str(count) in drawn for count in counts if count)


def test_a_meter_of_too_much_is_full() -> None:
    assert width_cols(meter_line(30, 15, Look(), 10)) == 10
    assert text_of(meter_line(30, 15, Look(), 10)) == "━" * 10
    assert text_of(meter_line(3, 0, Look(), 4)) == "━" * 4


def test_a_track_shows_where_one_is_and_the_marked_place() -> None:
    assert text_of(track_line(5, 10, Look(), 11, 8)) == "━━━━━●──◆──"
    assert text_of(track_line(10, 10, Look(), 11, 10)) == "━━━━━━━━━━●"
    assert text_of(track_line(0, 0, Look(), 5)) == "●────"
