"""The keys on show, as the terminal has them: few, and Help never alone on a line."""

from __future__ import annotations

import re
from itertools import groupby

import pytest

from server.terminal.glyphs import UNICODE
from server.terminal.tokens import TOKENS
from tests.pictures import DARK, NARROW, SIZES, TRUE_COLOUR
from tests.scenes import SCENES, At
from tests.session.fakeserver import FakeServer, Seated

MOST_KEYS = 7
KEY = f"{TOKENS['default'].text:06x}"  # as the terminal has it


@pytest.fixture(autouse=True)
def one_game() -> None:
    """Let the screens offer every game."""


def keys_on_show(seated: Seated) -> list[list[str]]:
    """Return the keys on the last two lines, on each of them that has only keys, each with its label behind it.

    A line that is being typed looks alike, and has its sign behind what is asked.
    """
    screen, rows = seated.wire.screen, seated.rows
    last = max(y for y, row in enumerate(rows) if row)
    found = list[list[str]]()
    for y in (last - 1, last):
        cells = [screen.buffer[y][x] for x in range(screen.columns)]
        runs = [
            (is_key, "".join(cell.data for cell in run).strip())
            for is_key, run in groupby(cells, key=lambda cell: cell.bold and cell.fg == KEY)
        ]
        keys, labels = ([text for is_key, text in runs if text and is_key is wanted] for wanted in (True, False))
        if (
            keys
            and not keys[0].endswith(UNICODE.pointer)
            and len(re.split(" {2,}", rows[y].strip())) == len(keys) == len(labels)
        ):
            found.append(keys)
    return found


@pytest.mark.parametrize("name", SCENES)
async def test_a_page_shows_seven_keys_at_most_and_help_not_alone(server: FakeServer, name: str) -> None:
    found = await SCENES[name](server, At(80, 24, TRUE_COLOUR, "default", "unicode", DARK + NARROW))
    for cols, rows in SIZES:
        await found.resize(cols, rows)
        lines = keys_on_show(found)
        assert lines, (cols, rows)
        assert sum(map(len, lines)) <= MOST_KEYS, (cols, rows, lines)
        assert all(len(line) > 1 for line in lines) or len(lines) == 1, (cols, rows, lines)
