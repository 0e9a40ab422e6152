"""Pages of help in our own words: the rules of each game (its `rules/`), and what holds in all games (`allgames/`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Final

from server.boards import games
from server.i18n.catalogues import BASES, FALLBACK
from server.terminal.items import Heading, Said
from server.terminal.lines import Line, Span, columns, inset, joined, plain, width_cols, wrap

MAX_COLS: Final = 100
ALL_GAMES: Final = "allgames"  # the page of what holds in every game, beside the games' keys
GAP: Final = "  "  # between the columns of a table
FACTS: Final = "; "  # between the facts of a row that is told
MARK = re.compile(r"(`|\*\*|(?<!\*)\*(?!\*))")
ITEM = re.compile(r"(\s*(?:[-*]|\d+\.)\s+)(.*)")


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a page: kind is 'heading', 'text', 'item', 'table' or 'drawn' (kept as it stands)."""

    kind: str
    lines: tuple[str, ...]
    level: int = 0


@cache
def page(game: str, language: str) -> tuple[Block, ...]:
    """Return a game's rules, or ALL_GAMES, in a language, in English where it is not translated; empty: not written."""
    for name in dict.fromkeys((language, BASES.get(language, FALLBACK), FALLBACK)):
        path = _file(game, f"{name}.md")
        if path is not None:
            return tuple(_blocks(path.read_text(encoding="utf-8").splitlines()))
    return ()


def _file(about: str, name: str) -> Path | None:
    if about != ALL_GAMES:
        return games.file(about, "rules", name)
    path = Path(__file__).parent / ALL_GAMES / name
    return path if path.exists() else None


def _blocks(lines: Iterable[str]) -> Iterator[Block]:
    """Split a page at blank lines, headings, list items, tables and fences."""
    kind, held, fenced = "text", list[str](), False
    for line in [*lines, ""]:
        is_fence = line.startswith("```")
        item = ITEM.match(line) if not fenced else None
        starts = is_fence or (fenced is False and (not line.strip() or line.startswith("#") or item is not None))
        if starts and held:
            yield Block(kind, tuple(held))
            held = []
        if is_fence:
            fenced, kind = not fenced, "drawn" if not fenced else "text"
        elif not fenced and line.startswith("#"):
            yield Block("heading", (line.lstrip("#").strip(),), len(line) - len(line.lstrip("#")))
        elif fenced or line.strip():
            if not held:
                is_drawn = fenced or line.startswith("    ")
                kind = "item" if item is not None else "drawn" if is_drawn else "table" if line[0] == "|" else "text"
            held.append(line)


@lru_cache(maxsize=64)
def lines(game: str, language: str, cols: int) -> tuple[Line, ...]:
    """Return a game's rules set for `cols` columns (no wider than MAX_COLS), with a blank line between blocks."""
    width = min(cols, MAX_COLS) - 1
    out: list[Line] = []
    before = ""
    for block in page(game, language):
        if out and not (block.kind == "item" and before == "item"):
            out.append(())
        out += inset(_set(block, width))
        before = block.kind
    return tuple(out)


def told(game: str, language: str) -> list[Heading | Said]:
    """Tell a game's rules: what is drawn in them is for the eye, the sentences around it say the same."""
    items: list[Heading | Said] = []
    for block in page(game, language):
        match block.kind:
            case "heading":
                items.append(Heading(_bare(block.lines[0]), level=block.level))
            case "table":
                items += [Said(FACTS.join(filter(None, map(_bare, row)))) for row in _cells(block.lines)]
            case "drawn":
                pass
            case _:
                items.append(Said(_bare(joined(block.lines)).removeprefix("- ")))
    return items


def marked(text: str) -> list[tuple[str, str]]:
    """Split a text into parts, each behind the mark that it stands between; '' where it stands between none.

    >>> marked("Whoever takes **four** loses.")
    [('', 'Whoever takes '), ('**', 'four'), ('', ' loses.')]
    """
    parts, mark = list[tuple[str, str]](), ""
    for part in MARK.split(text):
        if MARK.fullmatch(part):
            mark = "" if mark else part
        elif part:
            parts.append((mark, part))
    return parts


def table_cells(block: Block) -> list[list[str]]:
    """Return the cells of a table, row by row, the headings first; they may have marks."""
    return _cells(block.lines)


def _set(block: Block, cols: int) -> list[Line]:
    match block.kind:
        case "heading":
            return [plain(text, "title") for text in wrap(_bare(block.lines[0]), cols)]
        case "drawn":
            return [plain(text) for text in block.lines]
        case "table":
            return _table(block.lines, cols)
        case "item":
            marker = ITEM.match(block.lines[0])
            assert marker is not None
            indent = columns(marker[1])
            text = joined([marker[2], *block.lines[1:]])
            first, *rest = _wrapped(text, cols - indent)
            return [(("key", marker[1]), *first), *((("", " " * indent), *line) for line in rest)]
        case _:
            return _wrapped(joined(block.lines), cols)


def _bare(text: str) -> str:
    return MARK.sub("", text)


def _cells(rows: Iterable[str]) -> list[list[str]]:
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows if not re.fullmatch(r"[|:\- ]+", row)]


def _table(rows: Iterable[str], cols: int) -> list[Line]:
    """Set a table's columns side by side under bright headings; the widest give way where there is too little room."""
    cells = _cells(rows)
    widths = [max(columns(_bare(cell)) for cell in column) for column in zip(*cells, strict=True)]
    while sum(widths) + len(GAP) * (len(widths) - 1) > cols and max(widths) > 4:
        widths[widths.index(max(widths))] -= 1
    out: list[Line] = []
    for y, row in enumerate(cells):
        texts = [_wrapped(cell, width) for cell, width in zip(row, widths, strict=True)]
        for at in range(max(map(len, texts))):
            spans: list[Span] = []
            for x, (lines_of_cell, width) in enumerate(zip(texts, widths, strict=True)):
                line = lines_of_cell[at] if at < len(lines_of_cell) else ()
                spans += [("title" if y == 0 else style, text) for style, text in line]
                if x < len(widths) - 1:
                    spans.append(("", " " * (width - width_cols(line)) + GAP))
            out.append(tuple(spans))
    return out


def _wrapped(text: str, cols: int) -> list[Line]:
    """Wrap a text whose marks style `code`, **strong** and *stressed* words; they take no columns."""
    styles, bare = list[str](), ""
    for mark, part in marked(text):
        style = "" if not mark else "key" if mark == "`" else "title"
        bare, styles = bare + part, styles + [style] * len(part)
    out, at = list[Line](), 0
    for line in wrap(bare, cols):
        at = bare.index(line, at)
        pairs = zip(styles[at : at + len(line)], line, strict=True)
        out.append(tuple((style, "".join(char for _, char in run)) for style, run in groupby(pairs, key=itemgetter(0))))
        at += len(line)
    return out
