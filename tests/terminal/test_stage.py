"""Where a page stands on a larger terminal."""

from __future__ import annotations

from server.terminal.lines import Line
from server.terminal.sheet import Frame
from server.terminal.stage import Stage


def test_only_the_title_goes_on_to_the_edges_not_a_panel_on_a_bar_s_ground() -> None:
    bar: Line = (("bar", " " * 10),)
    placed = Stage(20, 8, (10, 8)).placed(Frame(10, (bar,) * 8))
    assert [style for style, _ in placed.lines[0]] == ["bar", "bar", "bar"]
    assert [style for style, _ in placed.lines[1]] == ["", "bar", ""]
