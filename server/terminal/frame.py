"""The frame every screen has: where am I, who am I, what can I press; and what a window shows that is too small."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from server.terminal.hint import Hint
from server.terminal.lines import (
    Line,
    Span,
    blank,
    block,
    centre,
    columns,
    ends,
    filled,
    fit,
    pad,
    plain,
    restyled,
    width_cols,
    wrap,
)
from server.terminal.look import Look
from server.terminal.sheet import Frame
from server.terminal.theme import GAMES

GAP = "  "
HELP: Final = "keys.everywhere.help"  # what the last hint says where all keys are on show
MORE: Final = ("key.more", "key.more-short", "key.more-least")  # else, the longest first
NARROW: Final = 60  # columns: on fewer its longest words take the room of another key
KEPT = 2  # hints at the end that are never left out (the way back, Help)
MOST_HINTS = 7  # on show, those that matter now first; Help has all
ON_BAR = {
    "": "bar",
    **{f"game{n}": f"bar.game{n}" for n in range(GAMES)},
    "dim": "bar.dim",
    "key": "bar.key",
    "good": "bar.good",
    "place": "bar.place",
}
KEY_NAMES = frozenset(
    (
        "enter",
        "esc",
        "tab",
        "space",
        "arrows",
        "pgup/pgdn",
        "up/down",
        "left/right",
        "left",
        "right",
        "home/end",
        "home",
        "end",
    )
)


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a hint stands on its key line: columns [start, end)."""

    row: int
    start: int
    end: int
    press: str


@dataclass(frozen=True, slots=True)
class KeyLines:
    """Hints in lines, where each stands, and the number of the first that has no room: that of all where all have."""

    lines: tuple[Line, ...]
    spots: tuple[Spot, ...]
    first_out: int


def key_name(shown: str, look: Look) -> str:
    """Return how a key is written in the reader's language."""
    return look.t(f"key.{shown.replace('/', '-')}") if shown in KEY_NAMES else shown


@lru_cache(maxsize=512)
def key_lines(hints: tuple[Hint, ...], look: Look, cols: int, rows: int) -> tuple[tuple[Line, ...], tuple[Spot, ...]]:
    """Set at most MOST_HINTS as `k Label`, two spaces apart, in `rows` lines; the last two are always shown.

    Where others are left out, Help says that there are more: as briefly as it must for one more, or for one line less.
    A hint that gives way stands where all have room, else the line is as if there were none.
    """
    shown = (*hints[: MOST_HINTS - KEPT], *hints[-KEPT:]) if len(hints) > MOST_HINTS else hints
    whole = _set_hints(shown, look, cols, rows, HELP)
    if whole.first_out == len(hints):
        return tuple(block(whole.lines, cols, rows)), whole.spots
    if any(hint.gives_way for hint in hints):
        return key_lines(tuple(hint for hint in hints if not hint.gives_way), look, cols, rows)
    tried = [_set_hints(shown, look, cols, rows, label) for label in (MORE[:2] if cols >= NARROW else MORE[1:])]
    best = max(tried, key=lambda one: (one.first_out, len(one.spots), -len(one.lines)))
    return tuple(block(best.lines, cols, rows)), best.spots


def _set_hints(hints: tuple[Hint, ...], look: Look, cols: int, rows: int, help_label: str) -> KeyLines:
    """Set the hints, Help under this label. The last two stand in one line."""
    labels = [help_label if hint.label == HELP else hint.label for hint in hints]
    first_out = len(hints)
    lines: list[list[Span]] = [[("", " ")]]
    spots: list[Spot] = []
    used = 1
    costs = [hint_cols(hint, look, label) for hint, label in zip(hints, labels, strict=True)]
    for i, (hint, cost) in enumerate(zip(hints, costs, strict=True)):
        gap = len(GAP) if used > 1 else 0
        kept = [len(GAP) + costs[j] for j in range(max(i + 1, len(hints) - KEPT), len(hints))]
        together = cost + (sum(kept) if i == len(hints) - KEPT else 0)
        if len(lines) < rows and used + gap + together > cols and used > 1:
            lines.append([("", " ")])
            used, gap = 1, 0
        if i < len(hints) - KEPT and used + gap + cost > cols - (sum(kept) if len(lines) == rows else 0):
            first_out = min(first_out, i)
            continue
        if gap:
            lines[-1].append(("", GAP))
        spots.append(Spot(len(lines) - 1, used + gap, used + gap + cost, hint.press))
        key = key_name(hint.shown, look)
        lines[-1] += [("key", key), ("", " "), ("label", pad(look.t(labels[i]), cost - columns(key) - 1))]
        used += gap + cost
    return KeyLines(tuple(map(tuple, lines)), tuple(spots), first_out)


def hint_cols(hint: Hint, look: Look, label: str) -> int:
    """Return how many columns a hint takes, perhaps under another label."""
    labels = (label or hint.label, *((hint.instead,) if hint.instead else ()))
    return columns(key_name(hint.shown, look)) + 1 + max([columns(look.t(one)) for one in labels])


@lru_cache(maxsize=512)
def title_line(where: str, who: str, look: Look, cols: int, badge: str, style: str, mark: str) -> Line:
    """Set the place at the left and the person at the right; `badge`, with which `who` begins, is left out.

    A place is not cut for the person, unless there is a badge.
    `style`: that of the place, without its bar; a game's colour where one is at its board. `mark`: what waits
    elsewhere, before the place.
    """
    room = max(10, cols - 12 - mark_cols(mark))
    right = f"{who.removeprefix(badge)} " if badge else f" {who} "
    marked: Line = (("good", f" {mark} "), ("dim", look.glyphs.vertical)) if mark else ()
    left = (*marked, (f"bar.{style}", f" {where}"))
    has_room = columns(who) < room and (bool(badge) or width_cols(left) + columns(right) <= cols)
    return barred(ends(left, (("bar.dim", right),) if has_room else (), cols))


def mark_cols(mark: str) -> int:
    """Return how many columns of the title line stand before the place, for a mark of what waits elsewhere."""
    return columns(mark) + 3 if mark else 0


def barred(line: Line) -> Line:
    """Return a line on the ground of a bar; a style that stands on no other ground than the page's is the bar's."""
    return tuple([(ON_BAR.get(style, style), text) for style, text in line])


def after_badge(who: str, badge: str) -> int:
    """Return how many columns of the title line come after the badge."""
    return columns(who.removeprefix(badge)) + 1


def has_room(where: str, who: str, cols: int) -> bool:
    """Tell whether the title line holds both parts whole."""
    return columns(who) <= beside(where, cols)


def beside(where: str, cols: int) -> int:
    """Return how many columns of the title line are left for the person beside a place."""
    return min(cols - columns(where) - 3, cols - 13)


def rule(look: Look, cols: int, style: str = "rule") -> Line:
    """Draw a line across."""
    return plain(look.glyphs.rule * cols, style)


@dataclass(frozen=True, slots=True)
class Layout:
    """How a screen's rows are shared out: title, a blank row where there is room, body, message, keys."""

    cols: int
    rows: int

    @property
    def has_gap(self) -> bool:
        """Tell whether there is a blank row under the title, where a banner may stand."""
        return self.rows >= 24

    @property
    def key_rows(self) -> int:
        """Return how many key lines there may be."""
        return 2 if self.rows >= 24 else 1

    @property
    def top(self) -> int:
        """Return the body's first row."""
        return 2 if self.has_gap else 1

    @property
    def body_rows(self) -> int:
        """Return how many rows the body has."""
        return self.rows - self.top - 1 - self.key_rows


def compose(
    layout: Layout,
    look: Look,
    title: Line,
    body: Sequence[Line],
    message: Line,
    hints: tuple[Hint, ...],
    cursor: tuple[int, int] | None = None,
    is_fitted: bool = False,
    is_held: bool = False,
    banner: Line = (),
) -> Frame:
    """Put a screen together; the cursor is given relative to the body, whose lines may be as wide as the screen.

    `is_held`: keys do nothing just now, so they are not set off. `banner` stands under the title.
    """
    keys, _ = key_lines(hints, look, layout.cols, layout.key_rows)
    if is_held:
        keys = tuple(restyled(keys, {"key": "label"}))
    lines = [title]
    if layout.has_gap:
        lines.append(fit(banner, layout.cols))
    lines += (filled if is_fitted else block)(body, layout.cols, layout.body_rows)
    lines.append(fit(message, layout.cols))
    lines += keys
    placed = (cursor[0], cursor[1] + layout.top) if cursor is not None else None
    return Frame(layout.cols, tuple(lines), placed)


def covered(lines: tuple[Line, ...], layout: Layout, more: Sequence[Line]) -> tuple[Line, ...]:
    """Put the first lines of a long message over the body's last ones; its own line has only the end."""
    below = layout.rows - layout.key_rows - 1
    shown = more[-max(0, below - layout.top) :]
    return (*lines[: below - len(shown)], *shown, *lines[below:])


def spot_at(hints: tuple[Hint, ...], look: Look, layout: Layout, col: int, row: int) -> str | None:
    """Return the key whose hint stands at a place of the screen, if there is one."""
    _, spots = key_lines(hints, look, layout.cols, layout.key_rows)
    line = row - (layout.rows - layout.key_rows)
    return next((spot.press for spot in spots if spot.row == line and spot.start <= col < spot.end), None)


SMALLEST: Final = (40, 20)


def is_too_small(cols: int, rows: int) -> bool:
    """Tell whether the terminal is too small to show anything useful."""
    return cols < SMALLEST[0] or rows < SMALLEST[1]


def too_small(look: Look, cols: int, rows: int) -> Frame:
    """Say that the window is too small, and how large it must be."""
    need = look.t("gate.need", cols=SMALLEST[0], rows=SMALLEST[1])
    said = [*wrap(look.t("gate.small", cols=cols, rows=rows), cols), *wrap(need, cols)]
    first = max(0, (rows - len(said)) // 2)
    lines = [blank(cols)] * rows
    for row, text in enumerate(said, first):
        if row < rows:
            lines[row] = fit(plain(centre(text, cols)), cols)
    return Frame(cols, tuple(lines))
