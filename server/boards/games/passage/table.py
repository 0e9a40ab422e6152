"""Passage on a large screen: the others' seats as boxes, the pile as a row of backs, the hand as cards side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from game.contract import Seat
from game.passage.cards import Card
from game.passage.state import Window
from server.boards.games.passage import selection
from server.boards.games.passage.known import certain
from server.boards.games.passage.labels import card_name, card_names, place_words, seat_name, side_words
from server.boards.games.passage.selection import Selection, Shown
from server.boards.seats import own_seat
from server.terminal.cursor import NOWHERE
from server.terminal.lines import (
    ELLIPSIS,
    Line,
    Span,
    beside,
    centre,
    clip,
    columns,
    fit,
    inset,
    joined,
    plain,
    width_cols,
    wrap,
)
from server.terminal.look import Look

LEAST_COLS, LEAST_ROWS = 64, 26  # of a board that is drawn as a table
WIDEST_SEAT, NARROWEST_SEAT = 38, 18
WIDEST_CARD, NARROWEST_CARD = 28, 12
HIGHEST_CARD, LOWEST_CARD = 12, 5
TALL_CARD = 8  # rows of the lowest one where there is room for two of these
SIDE_SEAT, LEAST_MIDDLE = 20, 30  # columns of a seat beside the pile, and those of the pile between two
ROOMY_ROWS, LARGE_ROWS = 35, 50  # from here on the backs are two rows high, and three
BACK_COLS = 3


@dataclass(frozen=True, slots=True)
class DrawnChoice:
    """A choice as it is drawn; `at`: its place among those the cursor goes over; `is_ticked` None: nothing to tick."""

    text: str
    does: str = ""
    at: int = NOWHERE
    is_here: bool = False
    is_ticked: bool | None = None
    can_choose: bool = True
    ground: str = "card"


def is_table(cols: int, rows: int) -> bool:
    """Tell whether there is room for a table."""
    return cols >= LEAST_COLS and rows >= LEAST_ROWS


# The others.


def around(snapshot: Shown, middle: Callable[[int], list[Line]], look: Look, cols: int, rows: int) -> list[Line]:
    """Draw the others around the table, one's own place at its lower side: who comes after oneself is at the left.

    `middle` draws what lies on the table in so many columns.
    """
    seats = _others(snapshot)
    inner = cols - 2 * (SIDE_SEAT + 2)
    if len(seats) < 2 or inner < LEAST_MIDDLE:
        return [*_band(snapshot, seats, look, cols, rows), (), *middle(cols)]
    left, *across, right = seats
    at_left, at_right = (_seat_box(snapshot, seat, look, SIDE_SEAT, rows) for seat in (left, right))
    lying = middle(inner)
    lying = inset(lying, (inner - max(map(width_cols, lying))) // 2)
    above: list[Line] = [()] * max(0, (len(lying) - len(at_left)) // 2)
    table = beside(inset([*above, *at_left]), inset(lying), SIDE_SEAT + 2, inner)
    return [
        *(_band(snapshot, across, look, cols, rows) if across else []),
        *([()] if rows >= ROOMY_ROWS else []),
        *beside(table, inset([*above, *at_right]), cols - SIDE_SEAT - 2, SIDE_SEAT + 2),
    ]


def _others(snapshot: Shown) -> list[Seat]:
    """Return the others in the order of their seats after one's own."""
    n, own = snapshot.view.n_seats, own_seat(snapshot)
    first = 0 if own is None else own + 1
    return [Seat(at) for i in range(n) if (at := (first + i) % n) != own]


def _band(snapshot: Shown, seats: Sequence[Seat], look: Look, cols: int, rows: int) -> list[Line]:
    """Draw a box for each of these side by side, in the middle, in as many rows as it takes."""
    per_row = max(1, min(len(seats), (cols - 1) // (NARROWEST_SEAT + 1)))
    width = min(WIDEST_SEAT, cols // 3, (cols - 1) // per_row - 1)
    lines: list[Line] = []
    for start in range(0, len(seats), per_row):
        boxes = [_seat_box(snapshot, seat, look, width, rows) for seat in seats[start : start + per_row]]
        joined_boxes = [
            tuple(span for part in parts for span in (*part, ("", " "))) for parts in zip(*boxes, strict=True)
        ]
        lines += inset(joined_boxes, max(1, (cols - len(boxes) * (width + 1) + 1) // 2))
    return lines


def _seat_box(snapshot: Shown, seat: int, look: Look, width: int, rows: int) -> list[Line]:
    """Draw one of the others: name and number of cards, the backs, what is known of them."""
    view, glyphs, inner = snapshot.view, look.glyphs, width - 4
    is_out = seat in view.eliminated
    style = "dim" if is_out else f"seat{look.hue(seat)}"
    decides = any(who == seat for who, _ in snapshot.deciding) and snapshot.result is None
    sign = f"{glyphs.turn} " if decides else ""
    count = "" if is_out else f" {len(view.hands[seat])} "
    head = clip(f" {sign}{seat + 1} {seat_name(snapshot, seat, look)} ", width - 3 - columns(count))
    across = glyphs.wires(True)[0] if is_out else glyphs.box[4]
    side = glyphs.wires(True)[1] if is_out else glyphs.box[5]
    line = across * (width - 3 - columns(head) - columns(count))
    told = look.t("list.comma").join(side_words(snapshot, seat, look)[0 if is_out else 1 :])
    said = wrap(told, inner)[:2]
    body: list[Line] = [_backs(len(view.hands[seat]), seat, look, inner)] * _back_rows(rows)
    body += [plain(text, "dim") for text in [*said, "", ""][:2]]
    return [
        ((style, glyphs.box[0] + across), (style, head), (style, line + count + glyphs.box[1])),
        *(((style, f"{side} "), *fit(text, inner), (style, f" {side}")) for text in body),
        ((style, glyphs.box[2] + across * (width - 2) + glyphs.box[3]),),
    ]


def _back_rows(rows: int) -> int:
    """Return how many rows a back takes on a board of so many."""
    return 1 + (rows >= ROOMY_ROWS) + (rows >= LARGE_ROWS)


def _backs(count: int, seat: int, look: Look, cols: int) -> Line:
    """Draw a back for each card: narrower ones where there are many, so that all fit."""
    each = max(1, min(BACK_COLS + 1, (cols + 1) // max(1, count)))
    back: Span = (f"tile{look.hue(seat)}", centre(look.glyphs.hidden, max(1, each - 1)))
    spans = [span for _ in range(min(count, cols)) for span in ((back, ("", " ")) if each > 1 else (back,))]
    return tuple(spans[:-1] if each > 1 else spans)


# The middle.


def pile_line(snapshot: Shown, look: Look, cols: int) -> Line:
    """Draw the pile from top to bottom in one line: backs, what the viewer knows, and tinted what is going to be drawn.

    Of what is known only the Passages are named where all has no room, else nothing is: words below say it, too. Of
    more backs than have room some are left out; how many there are is said above. Empty for a pile without cards.
    """
    if not snapshot.view.pile:
        return ()
    ends = [("dim", f" {place_words(0, 2, look)} "), ("dim", f" {place_words(1, 2, look)}")]
    known = dict(certain(snapshot.view))
    passages = {at: what for at, what in known.items() if what is Card.PASSAGE}
    spans = list[Span]()
    for named in (known, passages, {}):
        spans = [ends[0], *_pile_spans(snapshot, named, look), ends[1]]
        backs = [at for at, span in enumerate(spans) if span == ("cell", look.glyphs.hidden)]
        over = width_cols(tuple(spans)) - cols
        if over < len(backs):
            break
    if over > 0 and backs:  # the middle one says that some are left out
        middle = backs[len(backs) // 2]
        out = sorted(backs, key=lambda at: abs(at - middle))[1 : over + 1]
        spans[middle] = ("dim", ELLIPSIS)
        spans = [span for at, span in enumerate(spans) if at not in out]
    return tuple(spans)


def _pile_spans(snapshot: Shown, named: Mapping[int, Card], look: Look) -> list[Span]:
    """Draw each card of the pile: by its name, or its back; a sign is before those that are going to be drawn."""
    top, bottom = drawn_from(snapshot)
    size, back = len(snapshot.view.pile), look.glyphs.hidden
    spans = list[Span]()
    for at in range(size):
        goes = at < top or at >= size - bottom
        if (what := named.get(at)) is not None:
            style = "danger" if what is Card.PASSAGE else "card"
            spans.append((style, f"{'>' if goes else ' '}{card_name(what, look)} "))
        else:
            spans.append(("cell.threat", f">{back}") if goes else ("cell", back))
    return spans


def drawn_from(snapshot: Shown) -> tuple[int, int]:
    """Return how many cards are going to be drawn from the top and from the bottom."""
    view = snapshot.view
    seat = view.turn if view.receiver is None else view.receiver
    bottom = min(view.draws, view.bottom + view.owed[seat])
    if bottom and view.switches.bottom_rule == "whole_phase":
        bottom = view.draws
    return view.draws - bottom, bottom


def chips(label: str, shown: Sequence[Card], look: Look, cols: int) -> Line:
    """Write a label and cards as tiles behind it, as many as fit whole."""
    line: Line = (("dim", f" {label.rstrip()}"),)
    for one in shown:
        more = (*line, ("", " "), ("danger" if one is Card.PASSAGE else "card", f" {card_name(one, look)} "))
        if width_cols(more) > cols:
            break
        line = more
    return line


def played_line(snapshot: Shown, look: Look) -> Line:
    """Draw the card that may be vetoed just now: who plays it, at whom, and who has still to say."""
    window = next((frame for frame in reversed(snapshot.view.stack) if isinstance(frame, Window)), None)
    if window is None:
        return ()
    glyphs = look.glyphs

    def named(seat: int) -> Span:
        return (f"seat{look.hue(seat)}", seat_name(snapshot, seat, look))

    spans: list[Span] = [("", " "), named(window.actor), ("", " ")]
    spans += [("danger" if window.card is Card.PASSAGE else "card", f" {card_name(window.card, look)} ")]
    if window.target is not None:
        spans += [("", f" {glyphs.arrow} "), named(window.target)]
    if window.judges:
        spans.append(("warn", f"  {card_names([Card.JUDGE] * window.judges, look)}"))
    return tuple(spans)


# The hand.


def card_cols(items: Sequence[DrawnChoice], cols: int) -> int:
    """Return how wide a card is when all stand side by side; 0: they don't."""
    width = (cols - 1) // max(1, len(items))
    return min(WIDEST_CARD, width) if width >= NARROWEST_CARD else 0


def parted(items: Sequence[DrawnChoice], cols: int) -> tuple[Sequence[DrawnChoice], Sequence[DrawnChoice]]:
    """Return the choices that stand side by side as cards, and those that are written below them.

    All stand so where they have room, else only what is a card; nothing, where that has none.
    """
    if card_cols(items, cols):
        return items, []
    cards = [item for item in items if item.does]
    has_room = bool(cards) and all(item.text for item in items) and card_cols(cards, cols) > 0
    return (cards, [item for item in items if not item.does]) if has_room else ([], items)


def hand_cards(items: Sequence[DrawnChoice], look: Look, cols: int, rows: int) -> list[Line]:
    """Draw the hand in the middle: cards side by side, as high as the longest text asks, at most `rows` rows."""
    width = card_cols(items, cols) - 1
    needed = max(len(_card_texts(item, look, width - 2)) for item in items) + 2
    lowest = TALL_CARD if rows >= 2 * TALL_CARD else LOWEST_CARD
    height = min(HIGHEST_CARD, rows, max(lowest, needed))
    boxes = [_card_box(item, look, width, height) for item in items]
    before = _hand_left(items, cols)
    return inset(
        (tuple(span for part in parts for span in (*part, ("", " "))) for parts in zip(*boxes, strict=True)), before
    )


def _hand_left(items: Sequence[DrawnChoice], cols: int) -> int:
    """Return the columns before the first card."""
    return max(1, (cols - len(items) * card_cols(items, cols) + 1) // 2)


def card_at(items: Sequence[DrawnChoice], cols: int, col: int) -> int | None:
    """Return which card stands at a column."""
    width, before = card_cols(items, cols), _hand_left(items, cols)
    at = (col - before) // width if width else -1
    return at if 0 <= at < len(items) else None


@lru_cache(maxsize=1024)
def _card_texts(item: DrawnChoice, look: Look, inner: int) -> list[str]:
    """Return the lines of a card with all that it says."""
    tick = {None: "", True: f"{look.glyphs.on} ", False: f"{look.glyphs.off} "}[item.is_ticked]
    # A card keeps its height while the cursor comes and goes: its pointer's columns count on each.
    title = wrap(f"{look.glyphs.pointer} {tick}{item.text}", inner)
    says = _says(item, inner)
    return [*title[:2], "", *says] if says else title


def _says(item: DrawnChoice, inner: int) -> list[str]:
    return wrap(item.does, inner - (2 if inner > WIDEST_CARD // 2 else 0)) if item.does else []


@lru_cache(maxsize=1024)
def _card_box(item: DrawnChoice, look: Look, width: int, height: int) -> list[Line]:
    """Draw a card: its name, what it does. What can't be chosen has a broken edge; what is no card has no ground."""
    glyphs, inner = look.glyphs, width - 2
    is_card = bool(item.does)
    ground = item.ground if is_card else ""
    if not item.can_choose:
        ground = "cell" if is_card else "dim"
    ground = "cursor" if item.is_here else ground
    edge = "mark" if item.is_here else "grid" if item.can_choose else "dim"
    across = glyphs.box[4] if item.can_choose else glyphs.wires(True)[0]
    side = glyphs.box[5] if item.can_choose else glyphs.wires(True)[1]
    tick = {None: "", True: f"{glyphs.on} ", False: f"{glyphs.off} "}[item.is_ticked]
    pointer = f"{glyphs.pointer} " if item.is_here else ""
    title = wrap(f"{pointer}{tick}{item.text}", inner)[: 2 if is_card else height]
    says = _says(item, inner)
    texts = [*title, "", *says] if is_card else title
    room = height - 2
    if len(texts) > room:
        texts = [*title, *says]
    if len(texts) > room:
        texts = [*texts[: room - 1], clip(joined(texts[room - 1 :]), inner)]
    if not is_card:
        texts = [""] * ((room - len(texts)) // 2) + texts
    texts += [""] * (room - len(texts))
    return [
        ((edge, glyphs.box[0] + across * inner + glyphs.box[1]),),
        *(((edge, side), (ground, centre(text, inner)), (edge, side)) for text in texts),
        ((edge, glyphs.box[2] + across * inner + glyphs.box[3]),),
    ]


def shows_cards(chosen: Selection, items: Sequence[DrawnChoice], cols: int, rows: int) -> bool:
    """Tell whether choices stand side by side as cards: not targets or places, and not too many for so many rows."""
    cards, below = parted(items, cols)
    return chosen.mode not in (selection.TARGET, selection.NUMBER) and bool(cards) and rows >= LOWEST_CARD + len(below)
