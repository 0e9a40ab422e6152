"""Who may name a colour: the terminal layer alone; everybody else names what a colour is for."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

SERVER = Path(__file__).parents[2] / "server"
HUES = ["black", "red", "green", "yellow", "brown", "blue", "magenta", "cyan", "white", "gray", "grey"]
COLOUR = re.compile(
    rf"#[0-9a-f]{{3}}|#[0-9a-f]{{6}}|h\d{{1,3}}|(?:(?:dark|light|bright) ?)?(?:{'|'.join(HUES)})|\x1b\[[0-9;]+m", re.I
)
OWNERS = ("server.terminal.tokens", "server.terminal.colours", "urwid")


def colours_named(text: str) -> Iterator[str]:
    """Yield the colours that a module names, and the modules it has them from."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Constant(str(said)) if COLOUR.fullmatch(said):
                yield said
            case ast.ImportFrom(str(module)) if module.startswith(OWNERS):
                yield module


@pytest.mark.parametrize("folder", ["screens", "boards", "session", "ssh"])
def test_no_page_names_a_colour(folder: str) -> None:
    found = {str(path): [*colours_named(path.read_text())] for path in (SERVER / folder).rglob("*.py")}
    assert len(found) > 10
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize("named", ['"light gray"', '"#ff8800"', '"h214"', '"\\x1b[31m"'])
def test_a_colour_is_found_where_it_is_named(named: str) -> None:
    assert [*colours_named(f"line = ({named}, 'text')")]
    assert [*colours_named("from server.terminal.tokens import DARK")]
    assert not [*colours_named("line = ('good', 'text')")]
