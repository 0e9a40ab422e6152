"""A browser gets of every page the rows that a terminal shows: the same cells, in the same styles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from wcwidth import wcwidth

from server.session.page import Page
from server.terminal.rowterminal import RowTerminal, browser
from server.terminal.sheet import LineCanvas
from tests.screens.test_told import WAYS, two_games
from tests.session.browsing import Shown
from tests.session.fakeserver import FakeServer, Seated

__all__ = ("two_games",)
SIZE = 100, 60  # where the ways lead
Cell = tuple[str, Any]  # a character, empty behind a wide one, and how it looks


def cells(row: list[tuple[str, str, int]]) -> Iterator[Cell]:
    """Yield the cells of a row as a page gets it, with their styles."""
    for style, text, columns in row:
        assert sum(max(0, wcwidth(char)) for char in text) == columns
        for char in text:
            yield char, style
            yield from (("", style) for _ in range(wcwidth(char) - 1))


def shown(seated: Seated, y: int) -> Iterator[Cell]:
    """Yield the cells of a row as a terminal shows it, with their colours."""
    for x in range(SIZE[0]):
        cell = seated.wire.screen.buffer[y][x]
        yield cell.data, (cell.fg, cell.bg, cell.bold, cell.underscore)


@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.parametrize("kind", WAYS, ids=lambda kind: kind.__name__)
async def test_the_rows_of_every_page_are_those_of_a_terminal(
    server: FakeServer, kind: type[Page], language: str
) -> None:
    seated = await WAYS[kind](server, language)
    assert type(seated.session.pages.top) is kind
    seated.session.dirty()
    await seated.settle()
    page = Shown()
    terminal = RowTerminal(page, browser("dark"), SIZE)
    terminal.draw_screen(SIZE, LineCanvas(seated.session.frames.compose(*SIZE)))
    assert len(page.lines) == SIZE[1]
    looks: dict[str, set[Any]] = {}
    for y, row in enumerate(page.lines):
        mine, theirs = list(cells(row)), list(shown(seated, y))
        assert [char for char, _ in mine] == [char for char, _ in theirs], y
        for (char, style), (_, look) in zip(mine, theirs, strict=True):
            if char.strip():
                looks.setdefault(style, set()).add(look)
    assert {style: found for style, found in looks.items() if len(found) > 1} == {}, "each style looks one way"
