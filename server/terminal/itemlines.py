"""The items of pages laid out as lines, each kind at one place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from server.terminal.items import (
    AskedQuestion,
    Banner,
    Empty,
    Heading,
    Progress,
    Said,
    SettingRow,
    SparkLine,
    Tabs,
    Toast,
)
from server.terminal.lines import Line, Span, columns, fit, indented, inset, pad, plain, text_of, width_cols, wrapped
from server.terminal.look import Look

POINTER_COLS: Final = 3  # that a row begins with
INDENT: Final = 3  # of what stands where nothing is listed
WHOLE_INDENT: Final = 4  # of what is to be copied
OFFER_COLS: Final = 16
TAB_EDGES: Final = 3  # columns that a leaf's name takes besides
STEPS: Final = {"unicode": "▁▂▃▄▅▆▇█", "ascii": "_.-=*#"}


def pointer(is_chosen: bool, look: Look) -> str:
    """Return what a row begins with: a pointer where it is the chosen one."""
    return f" {look.glyphs.pointer} " if is_chosen else " " * POINTER_COLS


def with_position(lines: Sequence[Line], window: range, count: int, look: Look, cols: int) -> list[Line]:
    """Show, in a column behind the drawn rows of a list, which part of it they are; nothing where they are all.

    `window`: the rows drawn, of `count`; `cols`: of the list without that column.
    """
    n = len(window)
    if not 0 < n < count:
        return list(lines)
    size = max(1, n * n // count)
    first = (n - size) * window.start // (count - n)
    marks = [look.glyphs.bar if first <= y < first + size else look.glyphs.vertical for y in range(n)]
    return [(*fit(line, cols), ("rule", mark)) for line, mark in zip(lines, marks, strict=True)]


def setting_line(item: SettingRow, look: Look, name_cols: int, cols: int) -> Line:
    """Draw a row of a form; the chosen one has a ground of its own, `cols` wide, and shows that it changes."""
    name = pointer(item.is_chosen, look) + pad(item.name, name_cols)
    if not item.is_chosen:
        return (("dim", name), ("", f"   {item.value}"))
    text = name + (f" < {item.value} >" if item.can_change else f"   {item.value}")
    return plain(pad(text, max(cols, columns(text))), "row")


def tab_lines(item: Tabs, cols: int) -> list[Line]:
    """Name all leaves, on as many lines as they take; the one that shows stands in brackets."""
    lines: list[Line] = [()]
    used = 0
    for i, name in enumerate(item.names):
        span: Span = ("button", f" [{name}]") if i == item.chosen else ("dim", f"  {name} ")
        if used + columns(span[1]) > cols:
            lines.append(())
            used = 0
        lines[-1] = (*lines[-1], span)
        used += columns(span[1])
    return lines


def empty_lines(item: Empty) -> list[Line]:
    """Say that there is nothing, and what one can do, each with its key."""
    before = " " * INDENT
    if not item.offers:
        return [plain(before + item.text, "dim")]
    lines: list[Line] = [plain(before + item.text, "title"), ()]
    for offer in item.offers:
        label = f"  {pad(offer.label, OFFER_COLS)}"
        lines.append((("", before), ("key", offer.key), ("", label), ("dim", offer.why)))
    return lines


def heading_line(item: Heading, indent: int = 0) -> Line:
    """Draw the head of a panel, with its key."""
    return (("title", " " * indent + item.text), *((("dim", f"  {item.key}"),) if item.key else ()))


def told_lines(item: Toast | AskedQuestion | Banner, look: Look, cols: int) -> list[Line]:
    """Draw what is said or asked above the keys, or below the title, in as many lines as it takes."""
    match item:
        case Toast(text, tone):
            return in_full(plain(f" {text}", tone), cols)
        case AskedQuestion(text):
            return in_full(plain(f" {text}", "warn"), cols)
        case Banner(text):
            return in_full(plain(f" {look.glyphs.turn} {text}", "row"), cols)


def in_full(said: Line, cols: int) -> list[Line]:
    """Return a line in as many lines as it takes."""
    if width_cols(said) <= cols:
        return [fit(said, cols)]
    style, _ = max(said, key=lambda span: columns(span[1]))
    return [fit((("", " "), *line), cols) for line in wrapped(text_of(said).strip(), cols - 2, style)]


def progress_line(item: Progress, look: Look) -> Line:
    """Draw how far one is: a mark for each step."""
    glyphs = look.glyphs
    return (("accent", glyphs.on * item.done), ("rule", glyphs.off * (item.of - item.done)))


def said_lines(items: Iterable[Said], cols: int) -> list[Line]:
    """Set sentences in lines, each on its own; what is to be copied is set in further, and broken only at need."""
    lines: list[Line] = []
    for item in items:
        if item.is_whole:
            room = cols - WHOLE_INDENT
            whole = [plain(item.text, item.tone)] if columns(item.text) <= room else wrapped(item.text, room, item.tone)
            lines += inset(whole, WHOLE_INDENT)
        else:
            lines += indented(item.text, cols, item.tone)
    return lines


def spark(item: SparkLine, look: Look, cols: int) -> str:
    """Draw how a number went in at most `cols` columns: the newest value is the last."""
    values, steps = item.values[-cols:], STEPS["ascii" if look.glyph_set == "ascii" else "unicode"]
    if not values:
        return ""
    low, span = min(values), (max(values) - min(values)) or 1.0
    return "".join(steps[round((value - low) / span * (len(steps) - 1))] for value in values)
