"""The pictures of README and docs: screens of real sessions, read through a terminal emulator, and all styles, as SVG.

`python -m tests.pictures` writes docs/pictures/*.svg anew; look at them before you commit them.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from html import escape
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyte
from urwid.display.common import AttrSpec
from wcwidth import wcwidth

from game import registry
from game.contract import Action, Result, Seat
from server.accounts.preferences import Preferences
from server.lobby.model import PersonHere
from server.store.migrate import upgrade
from server.terminal import theme
from server.terminal.tokens import TOKENS
from tests.boards.netrunner_table import MIDDLE as TABLE
from tests.boards.positions import NOON, person
from tests.boards.test_passage_board import MIDDLE as HANDS
from tests.boards.test_relati_board import MIDDLE as LINKS
from tests.passage.build import at as passage_at
from tests.session.evening import busy
from tests.session.fakeplay import FakeMatch, summary
from tests.session.fakeserver import FakeServer, Seated, account

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
COLS, ROWS = 120, 40
CELL_W, CELL_H, MARGIN = 8.4, 18, 12
GROUND, TEXT = f"#{TOKENS['default'].ground:06x}", f"#{TOKENS['default'].text:06x}"
FONT = "text{font-family:'DejaVu Sans Mono',Menlo,Consolas,monospace;font-size:14px;white-space:pre}"
STYLE = f"<style>{FONT}</style>"
NAMED = {
    "black": "#000000",
    "red": "#cd0000",
    "green": "#00cd00",
    "brown": "#cdcd00",
    "blue": "#0000ee",
    "magenta": "#cd00cd",
    "cyan": "#00cdcd",
    "white": "#e5e5e5",
    "brightblack": "#7f7f7f",
    "brightred": "#ff0000",
    "brightgreen": "#00ff00",
    "brightbrown": "#ffff00",
    "brightyellow": "#ffff00",
    "brightblue": "#5c5cff",
    "brightmagenta": "#ff00ff",
    "brightcyan": "#00ffff",
    "brightwhite": "#ffffff",
}
DARK = b"\x1b]11;rgb:1010/1010/1414\x07\x1b[2;3R"  # what a narrow terminal with a dark ground answers


def colour(name: str, default: str) -> str:
    """Return a colour as SVG has it."""
    return default if name == "default" else NAMED.get(name, f"#{name}")


def svg(screen: pyte.Screen) -> str:
    """Write a screen as a picture: grounds as rectangles, then runs of text of one style, stretched to their cells."""
    width, height = COLS * CELL_W + 2 * MARGIN, ROWS * CELL_H + 2 * MARGIN
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}">'
    parts = [head, STYLE, f'<rect width="100%" height="100%" rx="8" fill="{GROUND}"/>']
    texts: list[str] = []
    for y in range(ROWS):
        row = [screen.buffer[y][x] for x in range(COLS)]
        for (fore, back, bold), cells in groupby(enumerate(row), key=lambda one: _look(one[1])):
            run = list(cells)
            x, n = MARGIN + run[0][0] * CELL_W, len(run) * CELL_W
            if back != GROUND:
                at, size = f'x="{x:.1f}" y="{MARGIN + y * CELL_H}"', f'width="{n + 0.3:.1f}" height="{CELL_H}"'
                parts.append(f'<rect {at} {size} fill="{back}"/>')
            texts += _texts(run, y, fore, bold)
    return "\n".join([*parts, *texts, "</svg>", ""])


def _look(cell: Any) -> tuple[str, str, bool]:
    """Return a cell's colours as they are seen, and whether it is bold."""
    fore, back = colour(cell.fg, TEXT), colour(cell.bg, GROUND)
    return (back, fore, cell.bold) if cell.reverse else (fore, back, cell.bold)


def _texts(run: list[tuple[int, Any]], y: int, fore: str, bold: bool) -> list[str]:
    """Write the words of a run, each in its place: no font's own widths move what comes after."""
    found: list[str] = []
    weight = ' font-weight="bold"' if bold else ""
    for is_blank, cells in groupby(run, key=lambda one: not one[1].data.strip()):
        if is_blank:
            continue
        word = list(cells)
        text = "".join(cell.data for _, cell in word)
        cols = sum(max(0, wcwidth(char)) for char in text)
        at = f'x="{MARGIN + word[0][0] * CELL_W:.1f}" y="{MARGIN + y * CELL_H + 13.5}"'
        length = f'textLength="{cols * CELL_W:.1f}" lengthAdjust="spacingAndGlyphs"'
        found.append(f'<text {at} {length} fill="{fore}"{weight}>{escape(text)}</text>')
    return found


async def at_table(server: FakeServer, game: str, state: Any, names: tuple[str, ...], *keys: str) -> Seated:
    """Sit the first of them down in a match that stands so, and press keys."""
    match = server.matches.add(FakeMatch(game, tuple(map(person, names)), "m1"))
    match.state = state
    return await seated(server, *keys)


async def seated(server: FakeServer, *keys: str) -> Seated:
    """Come in as mira, on a dark terminal."""
    server.prefer("mira", Preferences(calibrated=True))
    found = await server.connect(account("mira"), COLS, ROWS)
    found.screen.feed(DARK)
    await found.type(*keys)
    return found


async def lobby(server: FakeServer) -> Seated:
    """Look at the lobby of a busy evening."""
    busy(server)
    played = server.matches.add(FakeMatch("relati", tuple(map(person, ("omid", "akio", "zoe"))), "m3"))
    over = FakeMatch("netrunner", (person("akio"), person("zoe")), "m4")
    won = Result(((Seat(0),), (Seat(1),)), "resign")
    ended = replace(summary(over), status="finished", result=won, ended_at=NOON)
    server.lobby.show(matches=(*server.lobby.view.matches, summary(played, 3)), ended=(ended,))
    people = [PersonHere(name, False, None, NOON) for name in ("tarn", "lio", "zoe", "omid", "akio")]
    server.lobby.show(here=tuple(people))
    return await seated(server, "esc")


async def rainet(server: FakeServer) -> Seated:
    """Choose where a card goes."""
    rules = registry.get("rainet")
    state = rules.read_position("lv3vl1/3l4/4v3/3v+4/3L4/5V2/1L*6/V1L2V2 S CF4/bc4 -/c6 l+,V?l/- 3", {}, 2)
    return await at_table(server, "rainet", state, ("mira", "tarn"), "enter", "right")


async def relati(server: FakeServer) -> Seated:
    """Choose a cell to connect."""
    state = registry.get("relati").read_position(LINKS, {})
    return await at_table(server, "relati", state, ("mira", "tarn", "lio"), "down", "down", "down")


async def passage(server: FakeServer) -> Seated:
    """Choose a card to play."""
    return await at_table(
        server, "passage", passage_at(**HANDS), ("mira", "tarn", "lio", "akio", "zoe"), "right", "right"
    )


async def netrunner(server: FakeServer) -> Seated:
    """Run on a server."""
    rules = registry.get("netrunner")
    state = rules.read_position(TABLE, {}, 2)
    state = rules.apply(state, Seat(1), Action("run hq")).state
    return await at_table(server, "netrunner", state, ("omid", "mira"))


PICTURES: dict[str, Callable[[FakeServer], Awaitable[Seated]]] = {
    "lobby": lobby,
    "rainet": rainet,
    "relati": relati,
    "passage": passage,
    "netrunner": netrunner,
}


STYLE_COLS, HEAD_ROWS = 13, 2


def styles() -> str:
    """Write every style of every palette at each depth of colour, on the ground it is made for."""
    columns = [(name, depth) for name in theme.PALETTES if name != theme.MONO for depth in theme.DEPTHS]
    width, height = len(columns) * STYLE_COLS * CELL_W, (len(theme.MONOCHROME) + HEAD_ROWS) * CELL_H
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}">', STYLE]
    for i, (name, depth) in enumerate(columns):
        tokens, x = TOKENS[name], i * STYLE_COLS * CELL_W
        ground, text = f"#{tokens.ground:06x}", f"#{tokens.text:06x}"
        parts.append(f'<rect x="{x:.1f}" y="0" width="{STYLE_COLS * CELL_W:.1f}" height="{height}" fill="{ground}"/>')
        head = (name.removeprefix("colour-"), f"{depth} colours" if depth <= 256 else "24 bits")
        parts += [
            f'<text x="{x + 4:.1f}" y="{14 + y * CELL_H}" fill="{text}">{word}</text>' for y, word in enumerate(head)
        ]
        for y, (style, few, few_back, _, many, many_back) in enumerate(theme.palette(name, "", depth), HEAD_ROWS):
            spec = AttrSpec(few, few_back, 16) if depth == 16 else AttrSpec(many, many_back, depth)
            red, green, blue, *back = spec.get_rgb_values()
            at = f'x="{x + 3:.1f}" y="{y * CELL_H}" width="{STYLE_COLS * CELL_W - 6:.1f}" height="{CELL_H - 1}"'
            parts.append(f'<rect {at} fill="{_hex(*back) or ground}"/>')
            place = f'x="{x + 6:.1f}" y="{y * CELL_H + 13}"'
            parts.append(f'<text {place} fill="{_hex(red, green, blue) or text}">{style}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _hex(red: int | None, green: int | None, blue: int | None) -> str:
    """Return a colour as SVG has it; empty: it is the ground's."""
    return "" if red is None or green is None or blue is None else f"#{red:02x}{green:02x}{blue:02x}"


async def drawn(name: str, migrated: Path) -> str:
    """Return one picture; `migrated` is an SQLite file with the schema at head."""
    server = FakeServer(migrated)
    await server.start()
    try:
        found = await PICTURES[name](server)
        await found.settle()
        return svg(found.wire.screen)
    finally:
        await server.close()


async def main(folder: Path) -> None:
    """Write all pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as scratch:
        migrated = Path(scratch) / "patchbay.db"
        await upgrade(f"sqlite:///{migrated}")
        for name in PICTURES:
            (folder / f"{name}.svg").write_text(await drawn(name, migrated))
    (folder / "styles.svg").write_text(styles())


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER))
