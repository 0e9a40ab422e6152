"""How a long list says which part of it shows."""

from __future__ import annotations

import pytest

from server.terminal.itemlines import with_position
from server.terminal.lines import plain, text_of
from server.terminal.look import Look


def marks(window: range, count: int, glyph_set: str = "ascii") -> str:
    lines = [plain("row")] * len(window)
    drawn = with_position(lines, window, count, Look("default", glyph_set, "en"), 10)
    return "".join(text_of(line)[10:] for line in drawn)


def test_a_list_that_shows_whole_has_no_mark() -> None:
    assert marks(range(4), 4) == "" == marks(range(0), 0)


@pytest.mark.parametrize(("first", "shown"), [(0, "||  "), (2, " || "), (4, "  ||")])
def test_the_mark_goes_down_with_the_list(first: int, shown: str) -> None:
    assert marks(range(first, first + 4), 8) == shown


def test_the_mark_of_a_very_long_list_is_still_seen_at_both_ends() -> None:
    assert marks(range(4), 1000) == "|   "
    assert marks(range(996, 1000), 1000) == "   |"
