"""The rules of each game in our own words: the `rules/` of its folder, read as pages for a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from server.i18n.catalogues import BASES, FALLBACK
from server.tui import games
from server.tui.lines import Line, Span, columns, joined, plain, wrap

MAX_COLS: Final = 76
ITEM = re.compile(r"(\s*(?:[-*]|\d+\.)\s+)(.*)")


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a page: kind is 'heading', 'text', 'item' or 'drawn' (kept as it stands)."""

    kind: str
    lines: tuple[str, ...]
    level: int = 0


@cache
def page(game: str, language: str) -> tuple[Block, ...]:
    """Return a game's rules in a language, in English where there is no translation; empty: none are written."""
    for name in dict.fromkeys((language, BASES.get(language, FALLBACK), FALLBACK)):
        path = games.file(game, "rules", f"{name}.md")
        if path is not None:
            return tuple(_blocks(path.read_text(encoding="utf-8").splitlines()))
    return ()


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
                is_drawn = fenced or line.startswith(("|", "    "))
                kind = "item" if item is not None else "drawn" if is_drawn else "text"
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
        out += [(("", " "), *line) for line in _set(block, width)]
        before = block.kind
    return tuple(out)


def _set(block: Block, cols: int) -> list[Line]:
    match block.kind:
        case "heading":
            return [plain(text, "title") for text in wrap(_bare(block.lines[0]), cols)]
        case "drawn":
            return [plain(text.replace("`", " ")) for text in block.lines if not re.fullmatch(r"[|:\- ]+", text)]
        case "item":
            marker = ITEM.match(block.lines[0])
            assert marker is not None
            indent = columns(marker[1])
            text = joined([marker[2], *block.lines[1:]])
            first, *rest = _spans(wrap(text, cols - indent))
            return [(("key", marker[1]), *first), *((("", " " * indent), *line) for line in rest)]
        case _:
            return list(_spans(wrap(joined(block.lines), cols)))


def _bare(text: str) -> str:
    return text.replace("**", "").replace("`", "")


def _spans(texts: Iterable[str]) -> Iterator[Line]:
    """Style `code` and **strong**; a mark that was broken over two lines is carried on."""
    style = ""
    for text in texts:
        spans: list[Span] = []
        for part in re.split(r"(`|\*\*)", text):
            if part == "`":
                style = "" if style == "key" else "key"
            elif part == "**":
                style = "" if style == "title" else "title"
            elif part:
                spans.append((style, part))
        yield tuple(spans)
