"""The pictures of README and docs, and the gallery: screens of real sessions, read through a terminal emulator, as SVG.

`python -m tests.pictures` writes docs/pictures/*.svg anew; look at them before you commit them.
`python -m tests.pictures --gallery FOLDER [SCENE…]` writes every scene, or those named, in every size and look, with
an index.html.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from unittest.mock import patch

from urwid.display.common import AttrSpec

from server.store.migrate import upgrade
from server.terminal import theme
from server.terminal.term import ClientTerm, client_term
from server.terminal.tokens import TOKENS, Tokens
from tests.scenes import SCENES, At
from tests.session.fakeserver import FakeServer, Seated
from tests.svg import CELL_H, CELL_W, STYLE, picture

FOLDER: Final = Path(__file__).parents[1] / "docs" / "pictures"
SIZES: Final = ((40, 20), (60, 20), (80, 24), (120, 40), (200, 60))
TRUE_COLOUR: Final = client_term("xterm-256color", {"COLORTERM": "truecolor"})
SIXTEEN: Final = client_term("xterm", {})
DARK, LIGHT = b"\x1b]11;rgb:1111/1313/1818\x07", b"\x1b]11;rgb:fbfb/fafa/f7f7\x07"
NARROW: Final = b"\x1b[2;3R"  # what a terminal answers whose box drawings are one column wide


@dataclass(frozen=True, slots=True)
class Style:
    """A palette on the kind of terminal that it is made for."""

    palette: str
    term: ClientTerm = TRUE_COLOUR
    tokens: Tokens = TOKENS["default"]  # the terminal's own ground and text

    @property
    def ground(self) -> bytes:
        """Return what the terminal answers when it is asked about its ground."""
        return DARK if self.tokens.is_dark else LIGHT


STYLES: Final = {
    "dark": Style("default"),
    "light": Style("light", tokens=TOKENS["light"]),
    "colour-blind": Style("colour-blind"),
    "colour-blind-light": Style("colour-blind-light", tokens=TOKENS["light"]),
    "high-contrast": Style("high-contrast", tokens=TOKENS["high-contrast"]),
    "16": Style("default", SIXTEEN),
    "none": Style(theme.MONO),
}
# README's pictures: which scene, how large, in which style
SHOWN: Final = {
    "lobby": ("lobby", (120, 40), "dark"),
    "rainet": ("rainet", (120, 40), "dark"),
    "relati": ("relati", (120, 40), "dark"),
    "passage": ("passage", (120, 40), "dark"),
    "netrunner": ("run", (120, 40), "dark"),
    "end": ("end", (120, 40), "dark"),
    "profile": ("profile", (120, 40), "light"),
    "welcome": ("welcome", (80, 24), "dark"),
}


@asynccontextmanager
async def shown(
    scene: str, size: tuple[int, int], style: Style, migrated: Path, glyphs: str = "unicode"
) -> AsyncIterator[Seated]:
    """Open who sees a scene; `migrated` is an SQLite file with the schema at head."""
    server = FakeServer(migrated)
    await server.start()
    try:
        at = At(*size, style.term, style.palette, glyphs, style.ground + NARROW)
        with patch("server.terminal.loop.thread_time", return_value=0.0):  # no frame comes late on a slow machine
            found = await SCENES[scene](server, at)
            await found.settle()
        yield found
    finally:
        await server.close()


async def drawn(scene: str, size: tuple[int, int], style: Style, migrated: Path, glyphs: str = "unicode") -> str:
    """Return one picture; `migrated` is an SQLite file with the schema at head."""
    async with shown(scene, size, style, migrated, glyphs) as found:
        return picture(found.wire.screen, style.tokens)


async def write_shown(folder: Path, migrated: Path) -> None:
    """Write the pictures of README and docs."""
    for name, (scene, size, style) in SHOWN.items():
        (folder / f"{name}.svg").write_text(await drawn(scene, size, STYLES[style], migrated))
    (folder / "styles.svg").write_text(styles())


async def write_gallery(folder: Path, migrated: Path, scenes: Sequence[str]) -> None:
    """Write every picture there is of these scenes, and the page that shows them."""
    page = ["<!doctype html><meta charset=utf-8><title>Patchbay</title><style>img{max-width:49%}</style>"]
    for scene in scenes:
        page.append(f"<h2>{scene}</h2>")
        for name, size, style, glyphs in _variants(scene):
            (folder / f"{name}.svg").write_text(await drawn(scene, size, style, migrated, glyphs))
            page.append(f'<img loading=lazy src="{name}.svg" title="{name}">')
    (folder / "index.html").write_text("\n".join(page))


def _variants(scene: str) -> Iterator[tuple[str, tuple[int, int], Style, str]]:
    for look, style in STYLES.items():
        for glyphs in ("unicode", "ascii"):
            for cols, rows in SIZES:
                yield f"{scene}-{look}-{glyphs}-{cols}x{rows}", (cols, rows), style, glyphs


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


def arguments(words: Sequence[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.pictures", description="Write the pictures of README anew.")
    parser.add_argument("--gallery", type=Path, metavar="FOLDER", help="write scenes in every size and look, instead")
    parser.add_argument("scenes", nargs="*", metavar="SCENE", help="of the gallery; all where none is named")
    given = parser.parse_args(words)
    if unknown := [scene for scene in given.scenes if scene not in SCENES]:
        parser.error(f"no scene {unknown[0]!r}: choose from {', '.join(SCENES)}")
    if given.scenes and given.gallery is None:
        parser.error("scenes are named for a gallery only")
    return given


async def main(given: argparse.Namespace) -> None:
    """Write the pictures of README, or the gallery."""
    folder: Path = given.gallery or FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as scratch:
        migrated = Path(scratch) / "patchbay.db"
        await upgrade(f"sqlite:///{migrated}")
        if given.gallery is not None:
            await write_gallery(folder, migrated, given.scenes or tuple(SCENES))
        else:
            await write_shown(folder, migrated)


if __name__ == "__main__":
    asyncio.run(main(arguments(sys.argv[1:])))
