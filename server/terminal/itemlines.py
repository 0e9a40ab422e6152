"""The items of pages laid out as lines, each kind at one place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Final

from server.terminal.frame import barred
from server.terminal.items import (
    AskedQuestion,
    Banner,
    Empty,
    Heading,
    Offer,
    Progress,
    Said,
    SettingRow,
    SparkLine,
    Tabs,
    Toast,
)
from server.terminal.lines import (
    Line,
    Span,
    columns,
    fit,
    indented,
    inset,
    pad,
    pad_left,
    plain,
    text_of,
    width_cols,
    wrap,
    wrapped,
)
from server.terminal.look import Look

POINTER_COLS: Final = 3  # that a row begins with
INDENT: Final = 3  # of what stands where nothing is listed
END_COLS: Final = 1  # blank behind it, and behind what one can do
WHOLE_INDENT: Final = 4  # of what is to be copied
OFFER_COLS: Final = 8
OFFERS_WIDE: Final = 60  # columns from which on reasons stand below each other
VALUE_COLS: Final = 5  # around a value: what shows that it changes, and a column
NAME_COLS, LEAST_NAME_COLS = 36, 20  # of the names of a form's rows, where values stand below each other
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
    mark: Span = ("rule", look.glyphs.bar)
    marks = [mark if first <= y < first + size else ("", " ") for y in range(n)]
    return [(*fit(line, cols), mark) for line, mark in zip(lines, marks, strict=True)]


def setting_value(item: SettingRow, look: Look) -> str:
    """Return what a row of a form is set to, as it is drawn: a switch has its mark, numbers stand below each other."""
    if item.is_on is not None:
        return f"{look.glyphs.yes if item.is_on else look.glyphs.no} {item.value}"
    return pad_left(item.value, max(item.digits, columns(item.value)))


def name_columns(items: Sequence[SettingRow], look: Look, cols: int, is_steady: bool = False) -> int:
    """Return how wide the names of a form's rows are where values stand below each other; 0: they stand at the end.

    `cols`: of the form. `is_steady`: its rows are always these, so values stand behind the longest name; else the names
    don't count: so values stay where they are when other rows come.
    """
    values = max((columns(setting_value(row, look)) for row in items), default=0)
    room = cols - POINTER_COLS - VALUE_COLS - values
    most = max((columns(row.name) for row in items), default=0) + 1 if is_steady else NAME_COLS
    return min(most, NAME_COLS, room) if room >= LEAST_NAME_COLS else 0


def setting_lines(item: SettingRow, look: Look, name_cols: int, cols: int) -> list[Line]:
    """Draw a row of a form, in as many lines as it takes; the chosen one has a ground of its own, `cols` wide.

    It shows that it changes. `name_cols`: see `name_columns`.
    """
    value, room = setting_value(item, look), cols - POINTER_COLS
    n = name_cols or max(0, room - VALUE_COLS - columns(value))
    is_below = n < min(LEAST_NAME_COLS, columns(item.name)) and not name_cols
    values = _marked_value(item, wrap(value, max(1, room - VALUE_COLS - (0 if is_below else n))))
    if is_below:
        pairs = [*((name, "") for name in wrap(item.name, room)), *(("", pad_left(text, room)) for text in values)]
        n = 0
    else:
        pairs = list(zip_longest(wrap(item.name, n), values, fillvalue=""))
    lines: list[Line] = []
    for i, (name, text) in enumerate(pairs):
        before, gap = pointer(item.is_chosen and i == 0, look), " " * (n - columns(name))
        if item.is_chosen:
            lines.append(plain(pad(f"{before}{name}{gap}{text}", cols), "row"))
        else:
            lines.append((("", before), ("dim", name), ("", gap), ("dim" if item.is_on is False else "", text)))
    return lines


def _marked_value(item: SettingRow, lines: Sequence[str]) -> list[str]:
    """Return a value's lines, between marks where it is the chosen row's and changes."""
    start, end = ("<", ">") if item.is_chosen and item.can_change else (" ", " ")
    last = len(lines) - 1
    return [f" {' ' if i else start} {text} {end if i == last else ' '}" for i, text in enumerate(lines)]


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


def empty_lines(item: Empty, cols: int) -> list[Line]:
    """Say that there is nothing, and what one can do, each with its key."""
    text = inset(wrapped(item.text, cols - INDENT - END_COLS, "title" if item.offers else "dim"), INDENT)
    return [*text, *offer_lines(item.offers, cols)]


def with_whole_offers(item: Empty, cols: int, rows: int) -> Empty:
    """Return it with the first of its offers, those for which there is room in `rows` lines; none is cut."""
    said = len(empty_lines(replace(item, offers=()), cols))
    return replace(item, offers=tuple(whole_offers(item.offers, cols, rows - said)))


def whole_offers(offers: Sequence[Offer], cols: int, rows: int) -> Sequence[Offer]:
    """Return the first of them, those for which there is room in `rows` lines."""
    while offers and len(offer_lines(offers, cols)) > rows:
        offers = offers[:-1]
    return offers


def offer_lines(offers: Sequence[Offer], cols: int, indent: int = INDENT) -> list[Line]:
    """Say what one can do, each with its key; where there is little room, why one would stands behind what it is."""
    room = cols - indent - END_COLS
    keys = max((columns(offer.key) for offer in offers), default=0) + 2
    labels = max((OFFER_COLS, *(columns(offer.label) for offer in offers))) + 2 if cols >= OFFERS_WIDE else 0
    lines: list[Line] = []
    for offer in offers:
        label = pad(offer.label, labels) if labels else f"{offer.label}  "
        if labels:
            why = wrapped(offer.why, room - keys - labels, "dim")
        else:
            first, *more = wrap(label + offer.why, room - keys)
            why = [plain(first[len(label) :], "dim"), *(plain(text, "dim") for text in more)]
        lines.append((("", " " * indent), ("key", pad(offer.key, keys)), ("", label), *why[0]))
        lines += inset(why[1:], indent + keys + labels)
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
            return [barred(line) for line in in_full(_banner(text, look), cols)]


def banner_line(item: Banner, look: Look, cols: int) -> Line:
    """Draw a banner in one line, where it covers nothing; what has no room stands in the log."""
    return barred(fit(_banner(item.text, look), cols))


def _banner(text: str, look: Look) -> Line:
    """Write a banner as part of the title's bar: in a row's colour it was one with a chosen row below it."""
    return plain(f" {look.glyphs.turn} {text}", "key")


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


def said_lines(items: Iterable[Said | Empty], cols: int) -> list[Line]:
    """Set sentences in lines, each on its own; what is to be copied is set in further, and broken only at need."""
    lines: list[Line] = []
    for item in items:
        if isinstance(item, Empty):
            lines += empty_lines(item, cols)
        elif item.is_whole:
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
