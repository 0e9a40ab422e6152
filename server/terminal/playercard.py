"""A player as a card: name and clock in a line, the name on a ground where it is their turn; below what they hold."""

from __future__ import annotations

from itertools import zip_longest
from typing import Final

from server.terminal.items import PlayerCard, TimeLeft
from server.terminal.largetext import has_large, large
from server.terminal.lines import Line, Span, clip, columns, ends, fit, packed, packed_lines, text_of, width_cols
from server.terminal.look import Look

CLOCK_COLS: Final = 7  # of a clock and what is around it, at least: the ratings stay where its digits become fewer
LEAST_NAME: Final = 6  # columns of a name, which no clock takes from it
HOLDS_COLS: Final = 3  # by which what somebody holds is set in
LARGE_COLS: Final = 28  # of a card that has room for large digits


def player_lines(card: PlayerCard, look: Look, cols: int, is_large: bool = False) -> list[Line]:
    """Draw a player: the strip, and what they hold. `is_large`: the clock in large digits, where that is possible."""
    digits = _digits(card.clock, look) if is_large and cols >= LARGE_COLS else []
    room = cols - (width_cols(digits[0]) + 2 if digits else 0)
    held = [*packed_lines(card.holds, room, HOLDS_COLS), *packed(card.aside, room, "dim", HOLDS_COLS)]
    if not digits:
        return [player_strip(card, look, cols), *held]
    beside = zip_longest(held, digits, fillvalue=())
    return [
        player_strip(card, look, cols, has_clock=False),
        *(ends(left, (*right, ("", " ")), cols) for left, right in beside),
    ]


def _digits(clock: TimeLeft | None, look: Look) -> list[Line]:
    if clock is None or look.glyph_set == "ascii" or not has_large(clock.words):
        return []
    return [((clock.style, line),) for line in large(clock.words)]


def player_strip(card: PlayerCard, look: Look, cols: int, has_clock: bool = True) -> Line:
    """Draw a player's line: whose turn, mark, name, rating or what matters more, and the clock."""
    clock = card.clock if has_clock else None
    clock_cols = max(CLOCK_COLS, columns(f" {clock.words} ")) if clock is not None else 0
    if card.note and cols - clock_cols - columns(f" {card.mark}  {card.note}") < LEAST_NAME:
        clock, clock_cols = None, 0  # what is noted matters more
    left_cols = cols - clock_cols
    name = card.name
    if card.short and columns(f" {card.mark} {name} {card.note}") > left_cols:
        name = card.short
    if card.note:
        name = clip(name, max(1, left_cols - columns(f" {card.mark}  {card.note}")))
    left = _named(card, name, look)
    fits = columns(f"{text_of(tuple(left))} {card.rating} {card.note}".rstrip()) <= left_cols
    if fits and card.rating:
        left.append(("dim", f" {card.rating}"))
    if card.note:
        left.append(("warn", f" {card.note}"))
    if clock is None:
        return fit(tuple(left), cols)
    # That it runs says the name's ground: its digits change only their text, until they are an alarm.
    right: Line = (("", " "), (clock.style if clock.is_low else "clock", clock.words), ("", " "))
    full: Line = (("dim", f" {clock.note}"),) if clock.note else ()
    if width_cols((*left, *full, *right)) <= cols:
        right = (*full, *right)
    return ends(tuple(left), right, cols)


def _named(card: PlayerCard, name: str, look: Look) -> list[Span]:
    """Draw mark and name, on the player's ground where it is their turn: what stands behind them stays as it is."""
    hue = look.hue(card.seat)
    if not card.is_turn:
        return [(f"seat{hue}", f" {card.mark} {name}")]
    if card.is_past:
        return [("clock.run", look.glyphs.turn), (f"seat{hue}", f"{card.mark} {name}")]
    return [(f"turn{hue}", f"{look.glyphs.turn}{card.mark} {name}")]
