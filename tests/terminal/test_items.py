"""Where a page stands, large letters, and items laid out as lines."""

from __future__ import annotations

from dataclasses import replace

import pytest

from server.terminal import theme
from server.terminal.itemlines import empty_lines, name_columns, setting_lines, spark, tab_lines
from server.terminal.items import Empty, Offer, PlayerCard, SettingRow, SparkLine, Tabs, TimeLeft
from server.terminal.largetext import PIXELS, ROWS, large, word_mark
from server.terminal.lines import plain, text_of, width_cols
from server.terminal.look import Look
from server.terminal.playercard import player_lines, player_strip
from server.terminal.sheet import Frame
from server.terminal.stage import PageLimit, Stage

LIMIT = PageLimit(80, 24)
TARN = PlayerCard(1, "X", "tarn", rating="1488", clock=TimeLeft("2:41", runs=True), is_turn=True, aside=("hand 5",))


def page(cols: int, rows: int) -> Frame:
    title = (("bar.place", "t" * cols),)
    return Frame(cols, (title, *(plain(str(y % 10) * cols) for y in range(1, rows))), (3, 2))


def test_a_page_fills_a_terminal_that_is_no_larger() -> None:
    for size in ((40, 20), (80, 24)):
        drawn = page(*size)
        assert Stage(*size, LIMIT.size_on(*size)).placed(drawn) is drawn


@pytest.mark.parametrize("size", [(81, 24), (120, 40), (200, 60), (80, 25)])
def test_a_page_stands_in_the_middle_of_a_larger_terminal_its_title_on_top(size: tuple[int, int]) -> None:
    stage = Stage(*size, LIMIT.size_on(*size))
    placed = stage.placed(page(*stage.size))
    assert (placed.cols, placed.rows) == size
    assert {width_cols(line) for line in placed.lines} == {size[0]}
    assert {style.partition(".")[0] for style, _ in placed.lines[0]} == {"bar"}, "from edge to edge"
    col, row = placed.cursor or (0, 0)
    assert text_of(placed.lines[row])[col] == "2"
    assert stage.within(col, row) == (3, 2), "a click finds what the cursor stands on"


def test_a_click_between_the_title_and_the_page_hits_nothing() -> None:
    stage = Stage(80, 60, LIMIT.size_on(80, 60))
    assert stage.within(5, 0)[1] == 0
    assert {stage.within(5, row)[1] for row in range(1, stage.above + 1)} == {-1}
    assert stage.within(5, stage.above + 1)[1] == 1


def test_every_large_letter_has_its_rows_and_one_width() -> None:
    for char, pixels in PIXELS.items():
        assert len(pixels.split(",")) == 5, char
        assert len({len(row) for row in pixels.split(",")}) == 1, char
        assert len(large(char)) == ROWS
    assert len({large(char) for char in "0123456789"}) == 10


def test_a_name_that_can_not_be_drawn_large_stands_in_a_line() -> None:
    assert len(word_mark("Patchbay", Look(), 60)) == ROWS
    for name, look, cols in (("棋局", Look(), 60), ("Patchbay", Look(glyph_set="ascii"), 60), ("Patchbay", Look(), 20)):
        assert [text_of(line) for line in word_mark(name, look, cols)] == [name]


def test_whose_turn_it_is_changed_the_ground_of_a_whole_line() -> None:
    """With each move two lines were written anew, 160 bytes: now their names are."""
    strip, waiting = player_strip(TARN, Look(), 40), player_strip(replace(TARN, is_turn=False), Look(), 40)
    assert strip[0] == ("turn1", f"{Look().glyphs.turn}X tarn")
    assert strip[1:] == waiting[1:]
    assert text_of(strip).split() == [Look().glyphs.turn + "X", "tarn", "1488", "2:41"]


def test_a_rating_and_an_absence_took_the_name_from_a_narrow_strip() -> None:
    """Of "wangwei 1500?" at 9:01 stood "wangwei 150…", so of "dan" with days left, and of who was away only "…"."""
    strip = PlayerCard(1, "X", "wangwei", rating="1500?", clock=TimeLeft("9:01"))
    assert text_of(player_strip(strip, Look(), 22)).split() == ["X", "wangwei", "9:01"]
    daily = replace(strip, name="dan", clock=TimeLeft("2 days 23 h"))
    assert text_of(player_strip(daily, Look(), 22)).split() == ["X", "dan", "2", "days", "23", "h"]
    gone = text_of(player_strip(replace(strip, note="away 0:05"), Look(), 22))
    assert gone.split() == ["X", "wangwei", "away", "0:05"]


def test_a_clock_that_runs_out_is_an_alarm_on_the_strip_too() -> None:
    low = PlayerCard(1, "X", "tarn", clock=TimeLeft("0:09", runs=True, is_low=True), is_turn=True)
    assert ("clock.low", "0:09") in player_strip(low, Look(), 40)


@pytest.mark.parametrize("look", [Look(), Look(glyph_set="ascii")])
def test_a_large_clock_stands_beside_what_is_held_where_glyphs_allow(look: Look) -> None:
    lines = player_lines(TARN, look, 40, is_large=True)
    assert max(map(width_cols, lines)) <= 40
    assert "hand 5" in text_of(lines[1])
    is_drawn = "█" in "".join(map(text_of, lines))
    assert is_drawn is (look.glyph_set == "unicode")
    assert ("2:41" in text_of(lines[0])) is not is_drawn, "its time is said once"


def test_the_chosen_setting_fills_its_row_and_shows_that_it_changes() -> None:
    [chosen] = setting_lines(SettingRow("Speed", "slow", is_chosen=True), Look(), 10, 40)
    assert [style for style, _ in chosen] == ["row"]
    assert width_cols(chosen) == 40
    assert "< slow >" in text_of(chosen)
    [fixed] = setting_lines(SettingRow("Speed", "slow", False, is_chosen=True), Look(), 10, 40)
    assert "<" not in text_of(fixed)


def test_values_stand_below_each_other_where_names_leave_room_and_else_at_the_end() -> None:
    rows = [SettingRow("Speed", "normal (10 min)"), SettingRow("x " * 16, "no")]
    wide, narrow = name_columns(rows, Look(), 60), name_columns(rows, Look(), 39)
    assert (wide, narrow) == (36, 0)
    for names, cols, count in ((wide, 60, 2), (narrow, 39, 3)):
        drawn = [text_of(line) for row in rows for line in setting_lines(row, Look(), names, cols)]
        assert len(drawn) == count
        assert max(map(len, drawn)) <= cols
        assert sum(line.count("x") for line in drawn) == 16, "nothing is cut"


def test_a_name_too_long_for_its_line_stands_above_the_value() -> None:
    name, value = "n" * 30, "v" * 20
    drawn = setting_lines(SettingRow(name, value), Look(), 0, 39)
    assert [text_of(line).strip() for line in drawn] == [name, value]


def test_the_leaf_that_shows_is_told_without_colours() -> None:
    [line] = tab_lines(Tabs(("one", "two"), 1), 40)
    assert text_of(line).split() == ["one", "[two]"]


def test_what_one_can_do_instead_stands_with_its_key() -> None:
    lines = empty_lines(Empty("Nobody waits.", (Offer("b", "Play a bot", "at once"),)), 60)
    assert [" ".join(text_of(line).split()) for line in lines if line] == ["Nobody waits.", "b Play a bot at once"]


def test_a_spark_line_rises_and_falls_with_its_numbers() -> None:
    drawn = spark(SparkLine((1, 2, 3, 2)), Look(), 8)
    assert len(drawn) == 4
    assert drawn[0] < drawn[1] == drawn[3] < drawn[2]
    assert spark(SparkLine((1, 2, 3)), Look(), 2) == "▁█", "the newest"
    assert spark(SparkLine(()), Look(), 8) == ""
    assert len(set(spark(SparkLine((5, 5, 5)), Look(), 8))) == 1


def test_without_colours_a_style_is_bold_or_reversed_on_terminals_that_have_colours_too() -> None:
    """They had the palette chosen, and saw neither the chosen row nor whose turn it was."""
    found = {style: (few, many) for style, few, _, _, many, _ in theme.palette(theme.MONO)}
    assert found["row"] == ("default,standout", "default,standout")
    assert found["title"] == ("default,bold", "default,bold")
    assert found["label"] == ("default", "default")
