"""A deck being put together as lines: its cards by kind, what they cost, what is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from server.boards.decks import DeckMeasure, PoolCard
from server.terminal.bars import BAR_COLS, bar_lines, meter_line
from server.terminal.itemlines import heading_line, spark
from server.terminal.items import Heading, SparkLine
from server.terminal.lines import Line, block, ends, joined, pad_left, plain, wrapped
from server.terminal.look import Look

MOST_COST: Final = 8  # in the curve of costs; what costs more is counted there
COST_NAMES: Final = (*map(str, range(MOST_COST)), f"{MOST_COST}+")
SHAPE_COLS: Final = len(COST_NAMES) * (BAR_COLS + 1)  # that the curve takes
LEAST_CARD: Final = 3  # rows of the chosen card that problems leave to it
LOW_BARS, TALL_BARS = 5, 8
CURVE_ROWS: Final = 20  # beside a list from which on the curve has room below any card; else it is one line
WRONG: Final = "!"
COUNT_COLS: Final = 2
AIRY: Final = 28  # rows of a list from which on a blank row stands before each kind


def costs_of(held: Sequence[PoolCard]) -> tuple[int, ...]:
    """Return how many cards cost 0, 1 and so on; the last number is of all that cost MOST_COST or more."""
    costs = Counter[int]()
    for card in held:
        costs[min(max(card.cost, 0), MOST_COST)] += card.count
    return tuple(costs[cost] for cost in range(MOST_COST + 1))


def costs_words(costs: Sequence[int], look: Look) -> str:
    """Say how many cards cost how much."""
    named = zip(COST_NAMES, costs, strict=True)
    told = look.t("list.comma").join(look.t("list.pair", what=cost, value=n) for cost, n in named if n)
    return joined((look.t("deckedit.costs", most=COST_NAMES[-1]), told))


def costs_line(costs: Sequence[int], look: Look) -> Line:
    """Draw in a few columns how many cards cost how much."""
    went = spark(SparkLine(tuple(costs)), look, len(COST_NAMES))
    return (("dim", f"{look.t('deckedit.costs', most=COST_NAMES[-1])} "), ("accent", f"{went} "))


def kinds_words(held: Sequence[PoolCard], look: Look) -> str:
    """Say how many cards of each kind there are."""
    return look.t("list.comma").join(f"{capital(kind)} {n}" for kind, n, _ in by_kind(held))


def by_kind(cards: Sequence[PoolCard]) -> Iterator[tuple[str, int, list[PoolCard]]]:
    """Yield each kind, how many of it are in the deck, and its cards; those that stand apart are another group."""
    for kind, group in groupby(cards, key=lambda card: card.kind):
        found = list(group)
        yield kind, sum(card.count for card in found), found


def capital(word: str) -> str:
    """Return a word as a head has it.

    >>> capital("event"), capital("事件")
    ('Event', '事件')
    """
    return word[:1].upper() + word[1:]


def kind_line(kind: str, n: int) -> Line:
    """Draw the head of a kind, its number above those of its cards."""
    return (("dim", f" {pad_left(str(n), COUNT_COLS)}  "), ("title", capital(kind)))


@dataclass(frozen=True, slots=True)
class CardRows:
    """The lines of a list of cards by kind: for each the index of its card, None for a head or a blank line."""

    heads: dict[int, Line]
    cards: tuple[int | None, ...]

    def line_of(self, index: int) -> int:
        """Return the line of a card."""
        return self.cards.index(index) if index in self.cards else 0

    def first_of(self, index: int) -> int:
        """Return the line from which on a card is seen with the head that stands right above it."""
        line = self.line_of(index)
        return line - 1 if line - 1 in self.heads else line

    def window(self, index: int, top: int, rows: int) -> range:
        """Return the lines that show: from `top` on, or as few further on or back as the card needs."""
        top = max(0, min(top, self.first_of(index), len(self.cards) - rows))
        top = max(top, self.line_of(index) - rows + 1)
        return range(top, min(len(self.cards), top + rows))


def card_rows(cards: Sequence[PoolCard], rows: int) -> CardRows:
    """Arrange cards by kind for a list with room for so many rows."""
    heads, lines, index = dict[int, Line](), list[int | None](), 0
    for kind, n, found in by_kind(cards):
        if lines and rows >= AIRY:
            lines.append(None)
        heads[len(lines)] = kind_line(kind, n)
        lines += [None, *range(index, index + len(found))]
        index += len(found)
    return CardRows(heads, tuple(lines))


def curve_lines(costs: Sequence[int], look: Look, rows: int) -> list[Line]:
    """Draw how many cards cost how much: a head, and `rows` lines of bars above the costs."""
    return [heading_line(Heading(look.t("deckedit.curve"))), *bar_lines(costs, COST_NAMES, look, rows)]


def problem_lines(problems: Sequence[str], look: Look, cols: int) -> list[Line]:
    """List what is not legal yet; nothing: that the deck is legal."""
    if not problems:
        return [plain(f"{look.glyphs.yes} {look.t('decks.legal')}", "good")]
    return [line for one in problems for line in wrapped(f"{WRONG} {one}", cols, "bad", 2)]


def measure_lines(measures: Sequence[DeckMeasure], look: Look, cols: int) -> Iterator[Line]:
    """Yield what a deck has of what it needs or may have: numbers, and a meter below them."""
    for one in measures:
        style = "good" if one.is_met else "bad" if one.is_over else "warn"
        yield ends(plain(one.name, "dim"), ((style, str(one.have)), ("dim", f" / {one.wanted}")), cols)
        yield meter_line(one.have, one.full, look, cols, style)


def beside_list(
    card: Sequence[Line], costs: Sequence[int], problems: Sequence[str], look: Look, cols: int, rows: int
) -> list[Line]:
    """Put the chosen card above every problem where there are several, and the curve of costs where it has room.

    In few rows the curve is a line, so that it does not come and go with the length of a card's text.
    """
    told = problem_lines(problems, look, cols) if len(problems) > 1 else []  # the only one stands above the list
    curve = curve_lines(costs, look, LOW_BARS) if rows >= CURVE_ROWS else [costs_line(costs, look)]
    least = min(len(card), LEAST_CARD) if told else len(card)
    foot = [*told, (), *curve] if told else curve
    if least + 1 + len(foot) > rows:
        foot = told
    return [*block(card, cols, max(LEAST_CARD, rows - len(foot) - 1)), (), *foot][:rows]


def shape_lines(
    costs: Sequence[int], measures: Sequence[DeckMeasure], problems: Sequence[str], look: Look, cols: int
) -> list[Line]:
    """Draw the shape of a deck beside list and card: meters, what is missing, the curve of costs."""
    meters = [*measure_lines(measures, look, cols), ()] if measures else []
    return [*meters, *problem_lines(problems, look, cols), (), *curve_lines(costs, look, TALL_BARS)]
