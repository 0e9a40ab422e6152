"""The Passage board as lines of text: the piles, what is owed, what one knows, and the rows to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from game.passage.cards import REAL, Card, by_kind
from game.passage.state import Rescue, Return
from server.boards.games.passage import selection, table
from server.boards.games.passage.known import certain
from server.boards.games.passage.labels import (
    bottom_draws,
    card_name,
    card_names,
    known_words,
    place_words,
    row_words,
    seat_name,
    side_words,
)
from server.boards.games.passage.selection import Selection, Shown
from server.boards.games.passage.table import DrawnChoice
from server.boards.seats import own_seat, short_name_at
from server.matches.model import SeenEvent
from server.terminal.cursor import NOWHERE
from server.terminal.lines import (
    Line,
    Span,
    block,
    clip_words,
    columns,
    fit,
    packed,
    pad,
    plain,
    width_cols,
    wrap,
    wrapped,
)
from server.terminal.look import Look
from server.terminal.memo import PerObjectCache

PANEL_COLS, PANEL_SHARE, WIDEST_PANEL = 22, 0.35, 44  # what the panel needs, its share, and the most it gets
NARROWEST = 56  # columns of a screen on which board and panel stand beside each other
NEEDED_ROWS, BELOW_ROWS = 22, 12  # of a board as wide as its screen, where players have so many rows below it
ROOMY_COLS = 70  # from which on the panel has its share
ROOMY_ROWS = 16  # from so many on the pile is drawn
LIST_COLS = 76  # a list of choices is not wider
MOST_NAME_COLS = 16
ROOMY_HAND = 44  # columns of a hand in which the longest name leaves room for what a card does
MOST_DISCARDS = 3  # named in a line: a new one moves them on
POINTER_COLS = 3
CLOCKWISE = 1
CARDS = frozenset(one.value for one in REAL)


def board_cols(cols: int) -> int:
    """Return how many of a screen's columns the board takes."""
    panel = min(WIDEST_PANEL, int(cols * PANEL_SHARE)) if cols >= ROOMY_COLS else PANEL_COLS
    return cols - panel if cols >= NARROWEST else cols


def draw(
    snapshot: Shown, chosen: Selection, look: Look, cols: int, rows: int, events: Sequence[SeenEvent] = ()
) -> list[Line]:
    """Draw the board: exactly `rows` lines of `cols` columns."""
    top, bottom = _parts(snapshot, chosen, look, cols, rows)
    return block([*top, plain(look.glyphs.rule * cols, "rule"), *bottom], cols, rows)


class Still(NamedTuple):
    """A board without its cursor: what stands above the rule, and below it the heading and the choices, with lines.

    `names`: the columns that the names of the choices take.
    """

    top: list[Line]
    heading: Line
    items: list[DrawnChoice]
    lines: list[Line]
    names: int


_STILLS: Final = PerObjectCache[Still](512)  # by snapshot: a cursor changes few of its lines


def _still(snapshot: Shown, chosen: Selection, look: Look, cols: int, rows: int) -> Still:
    """Draw the board without a cursor."""
    if table.is_table(cols, rows):
        top = _large_top(snapshot, look, cols, rows)
    else:
        top = table_lines(snapshot, look, cols, rows >= ROOMY_ROWS)
    room = rows - len(top) - 2
    items = listed(snapshot, chosen, look, min(cols, LIST_COLS), 0 if table.is_table(cols, rows) else room)
    names = _names_cols(snapshot, chosen, items, look, cols)
    lines = [fit(line_of(item, look, names, cols), cols) for item in items]
    return Still(block(top, cols, len(top)), heading(snapshot, look), items, lines, names)


def _pointed(chosen: Selection, items: list[DrawnChoice]) -> list[DrawnChoice]:
    """Return the choices with the cursor on one of them."""
    at = _cursor(chosen)
    return [replace(item, is_here=True) if item.at == at != NOWHERE else item for item in items]


def _cursor(chosen: Selection) -> int:
    """Return where the cursor is among what it goes over now."""
    return chosen.at if chosen.mode in (selection.TARGET, selection.NUMBER) else chosen.cursor


def _drawn(snapshot: Shown, chosen: Selection, look: Look, cols: int, rows: int) -> Still:
    """Return the board without its cursor, drawn once for each snapshot."""
    still = replace(chosen, cursor=NOWHERE, at=NOWHERE)
    return _STILLS.get(snapshot, (still, look, cols, rows), lambda: _still(snapshot, still, look, cols, rows))


def _parts(snapshot: Shown, chosen: Selection, look: Look, cols: int, rows: int) -> tuple[list[Line], list[Line]]:
    """Return what stands above the rule, and the hand below it."""
    still = _drawn(snapshot, chosen, look, cols, rows)
    top, room = still.top, max(3, rows - len(still.top) - 1)
    items = _pointed(chosen, still.items)
    shown = discarded(snapshot, look) if not items and acting(snapshot) is None else []
    label: Span = ("dim", f"  {look.t('passage.last', cards='').rstrip()}" if shown else "")
    if _has_cards(chosen, items, cols, rows, room):
        cards, others = table.parted(items, cols)
        below = [line_of(item, look, still.names, cols) for item in others]
        bottom = [still.heading, *table.hand_cards(cards, look, cols, room - 1 - len(below)), *below]
    elif _has_cards(chosen, beside := shown[: (cols - 1) // table.NARROWEST_CARD], cols, rows, room):
        bottom = [(*still.heading, label), *table.hand_cards(beside, look, cols, room - 1)]
    elif shown:
        names = _cards_cols(shown, look, cols)
        page = written_on_below(shown[::-1], room - 1)
        bottom = [(*still.heading, label), *(line_of(one, look, names, cols) for one in page)]
    else:
        bottom = [still.heading, *_hand_lines(still, items, look, cols, room - 1)]
    if len(top) + 1 + len(bottom) > rows:
        top = top[: max(0, rows - len(bottom) - 1)]
    if table.is_table(cols, rows):  # what is left over stands above the table, below it and below the hand
        apart: list[Line] = [()] * (max(0, room - 1 - table.HIGHEST_CARD) // 3)
        top = [*apart, *top, *apart]
    return top, bottom


def _has_cards(chosen: Selection, items: Sequence[DrawnChoice], cols: int, rows: int, room: int) -> bool:
    return table.is_table(cols, rows) and table.shows_cards(chosen, items, cols, room - 1)


def item_at(snapshot: Shown, chosen: Selection, look: Look, cols: int, rows: int, col: int, row: int) -> int | None:
    """Return the choice drawn at a place of the board's area, if there is one."""
    top, bottom = _parts(snapshot, chosen, look, cols, rows)
    first, room = len(top) + 2, max(3, rows - len(top) - 1)
    items: Sequence[DrawnChoice] = _pointed(chosen, _drawn(snapshot, chosen, look, cols, rows).items)
    if _has_cards(chosen, items, cols, rows, room):
        cards, others = table.parted(items, cols)
        below = len(top) + 1 + len(bottom) - len(others)
        items = cards if row < below else others
        at = row - below if row >= below else table.card_at(cards, cols, col) if row >= first else None
    else:
        at = row - first + scrolled(items, room - 1) if row >= first else None
    return items[at].at if at is not None and at < len(items) and items[at].at != NOWHERE else None


def _large_top(snapshot: Shown, look: Look, cols: int, rows: int) -> list[Line]:
    """Draw the others' seats, the piles and what is played, for a screen with room for all of it."""
    view = snapshot.view

    def lying(room: int) -> list[Line]:
        return [
            *packed(counts(snapshot, look), room, "", 1),
            *_pile(snapshot, look, room - 1),
            *_owed(snapshot, look, room),
        ]

    lines = [*table.around(snapshot, lying, look, cols, rows), ()]
    lines += _course(snapshot, look, cols)
    if view.discard and acting(snapshot) is not None:  # a watcher has them as cards, where the hand is
        lines.append(table.chips(look.t("passage.last", cards=""), view.discard[:-9:-1], look, cols))
    if played := table.played_line(snapshot, look):
        lines += [(), played]
    return lines


# The table.


def table_lines(snapshot: Shown, look: Look, cols: int, has_pile: bool) -> list[Line]:
    """Draw what lies on the table: piles with counts, N and M, the order, what is known of the pile, last discards.

    `has_pile`: there is room to draw the pile, too.
    """
    lines = packed(counts(snapshot, look), cols, "", 1)
    lines += _pile(snapshot, look, cols) if has_pile else []
    lines += _owed(snapshot, look, cols)
    lines += _course(snapshot, look, cols)
    if acting(snapshot) is not None or open_hands(snapshot, look, cols):  # else they stand below
        lines.append(last_discards(snapshot, look, cols))
    return lines


def _course(snapshot: Shown, look: Look, cols: int) -> list[Line]:
    """Write in which order turns come, and which places of the pile the viewer knows."""
    lines = [(("", " "), *order_line(snapshot, look, cols - 1)), *known_lines(snapshot, look, cols)]
    return _until_the_end(snapshot, lines)


def _owed(snapshot: Shown, look: Look, cols: int) -> list[Line]:
    """Write how many draws are owed, and by whom."""
    return _until_the_end(snapshot, wrapped(" " + owed_words(snapshot, look), cols, "accent", 1))


def _until_the_end(snapshot: Shown, lines: list[Line]) -> list[Line]:
    """Return lines that mean something while it is played; once it is over blank ones, so that nothing moves."""
    return lines if snapshot.result is None else [()] * len(lines)


def _pile(snapshot: Shown, look: Look, cols: int) -> list[Line]:
    line = table.pile_line(snapshot, look, cols)
    return [line] if line else []


def acting(snapshot: Shown) -> int | None:
    """Return the viewer's seat, None for a watcher, and for a player who is out."""
    own = own_seat(snapshot)
    return None if own in snapshot.view.eliminated else own


def last_discards(snapshot: Shown, look: Look, cols: int) -> Line:
    """Name the last discards, the newest first: as many as have room."""
    names = [card_name(one, look) for one in reversed(snapshot.view.discard[-MOST_DISCARDS:])]
    for n in range(len(names), 0, -1):
        said = " " + look.t("passage.last", cards=look.t("list.comma").join(names[:n]))
        if columns(said) <= cols:
            return plain(said, "dim")
    return ()


def counts(snapshot: Shown, look: Look) -> list[str]:
    """Say how many cards lie where."""
    view = snapshot.view
    seen = sum(view.switches.acts_as(one) is Card.JUDGE for one in (*view.discard, *view.removed))
    found = [
        look.t("passage.pile", count=len(view.pile)),
        look.t("passage.discards", count=len(view.discard)),
        look.t("passage.judges", seen=seen, all=view.switches.judges),
    ]
    gone = view.discard.count(Card.PASSAGE) + sum(isinstance(frame, Return | Rescue) for frame in view.stack)
    found.append(look.t("passage.passages", count=max(0, view.n_seats - 1 - gone)))
    if view.removed:
        found.append(look.t("passage.removed", count=len(view.removed)))
    return found


def owed_words(snapshot: Shown, look: Look) -> str:
    """Say what is owed, and by whom if it is not the viewer: how many draws, and from where."""
    view = snapshot.view
    seat = view.turn if view.receiver is None else view.receiver
    draws = draws_words(view.draws, view.bottom + view.owed[seat], view.switches.bottom_rule, look, len(view.pile))
    is_later = bool(snapshot.deciding) and all(who != seat for who, _ in snapshot.deciding)  # others decide before
    if seat == own_seat(snapshot):
        return look.t("passage.own-later", draws=draws) if is_later else draws[:1].upper() + draws[1:]
    whose = "passage.whose-later" if is_later else "passage.whose"
    return look.t(whose, name=seat_name(snapshot, seat, look), draws=draws)


def draws_words(draws: int, bottom: int, bottom_rule: str, look: Look, pile: int) -> str:
    """Say how many draws, how many of them from the bottom, and where the pile has fewer cards, what it has."""
    if draws > pile > 0:  # a Passage that is put back is drawn again
        return look.t("passage.draws-short", draws=draws, pile=pile)
    bottom = bottom_draws(draws, bottom, bottom_rule)
    if draws == 0 or pile == 0:
        return look.t("passage.draws-none")
    if bottom == 0:
        return look.t("passage.draws", draws=draws)
    if bottom == draws:
        return look.t("passage.draws-all-bottom", draws=draws)
    return look.t("passage.draws-bottom", draws=draws, bottom=bottom, top=draws - bottom)


def order_line(snapshot: Shown, look: Look, cols: int) -> Line:
    """Name the living players in the order in which their turns come: by number only, where the names don't fit.

    The first is always the same, so that the words change only with the direction: whose turn it is says the panel.
    """
    view = snapshot.view
    seat, order = next(seat for seat in range(view.n_seats) if seat not in view.eliminated), list[int]()
    while seat not in order:
        order.append(seat)
        seat = view.after(seat, view.direction)
    arrow = (
        (">>" if view.direction == CLOCKWISE else "<<")
        if look.glyph_set == "ascii"
        else ("↻" if view.direction == CLOCKWISE else "↺")
    )
    whole: list[Span] = [(f"seat{look.hue(one)}", f"{one + 1} {short_name_at(snapshot, one, look)}") for one in order]
    short: list[Span] = [(f"seat{look.hue(one)}", f"{one + 1}") for one in order]
    before: Span = ("dim", look.t("passage.order", arrow=arrow, names=""))
    named, numbered = (
        (before, *(span for i, name in enumerate(names) for span in ((("", "  "), name) if i else (name,))))
        for names in (whole, short)
    )
    return named if width_cols(named) <= cols else numbered


def known_lines(snapshot: Shown, look: Look, cols: int) -> list[Line]:
    """Write which places of the pile the viewer knows, in at most two lines."""
    style, said = known_of_pile(snapshot, look)
    return wrapped(" " + said, cols, style, 1)[:2] if said else []


def known_of_pile(snapshot: Shown, look: Look) -> Span:
    """Say which places of the pile the viewer knows; of many only where a Passage is. Empty for a watcher of none."""
    view = snapshot.view
    watches = own_seat(snapshot) is None or snapshot.is_borrowed
    found = certain(view)
    if not found:
        return ("dim", "" if watches else look.t("passage.known-none"))
    shown = [(at, what) for at, what in found if what is Card.PASSAGE] if len(found) > 8 else found
    if not shown:
        return ("good", look.t("passage.known.no-passage"))
    said = known_words(shown, len(view.pile), look)
    return ("good", look.t("passage.known.watch" if watches else "passage.known", places=said))


# The choices.


def _hand_lines(still: Still, items: list[DrawnChoice], look: Look, cols: int, room: int) -> list[Line]:
    """Draw the rows of the decision, or the hand as it is when nothing is asked: as many as fit."""
    first = scrolled(items, room)
    shown = zip(items[first : first + room], still.lines[first : first + room], strict=True)
    return [line_of(item, look, still.names, cols) if item.is_here else line for item, line in shown]


def scrolled(items: Sequence[DrawnChoice], room: int) -> int:
    """Return the first row shown, so that the cursor is among those that fit."""
    cursor = next((at for at, item in enumerate(items) if item.is_here), 0)
    return max(0, min(len(items) - room, cursor - room // 2))


def line_of(item: DrawnChoice, look: Look, names: int, cols: int) -> Line:
    """Draw one row: the cursor, a tick, what it is in `names` columns, what it does, as far as that has room.

    A card that can be played stands on a ground. It begins in the same column with a tick as without.
    """
    pointer = look.glyphs.pointer if item.is_here else " " if item.can_choose else look.glyphs.dead[0]
    tick = {None: "", True: look.glyphs.on, False: look.glyphs.off}[item.is_ticked]
    before = f"{pointer}{tick} " if tick else f" {pointer} "
    is_card = bool(item.does) and item.can_choose
    style = "cursor" if item.is_here else item.ground if is_card else "" if item.can_choose else "dim"
    does = clip_words(item.does, max(0, cols - names - POINTER_COLS - 1))
    return (("key", before), (style, pad(item.text, names) if item.does else item.text), ("dim", f" {does}"))


def name_cols(items: Sequence[DrawnChoice]) -> int:
    """Return the columns that the names of rows with an explanation take."""
    return min(MOST_NAME_COLS, max((columns(item.text) for item in items if item.does), default=0))


def _names_cols(snapshot: Shown, chosen: Selection, items: Sequence[DrawnChoice], look: Look, cols: int) -> int:
    """Return the columns of names; those of cards have room for every card's, so that a hand stands still."""
    is_hand = chosen.mode != selection.NUMBER and own_seat(snapshot) is not None
    return _cards_cols(items, look, cols) if is_hand else name_cols(items)


def _cards_cols(items: Sequence[DrawnChoice], look: Look, cols: int) -> int:
    """Return the columns of the names of cards: where there is room, as many as any card's takes."""
    needed, any_card = name_cols(items), max(columns(card_name(one, look)) for one in REAL)
    return max(needed, any_card) if cols >= ROOMY_HAND else needed


def listed(snapshot: Shown, chosen: Selection, look: Look, cols: int = LIST_COLS, rows: int = 0) -> list[DrawnChoice]:
    """Return the rows to draw: the hand, below it what else can be chosen, or the places of the pile.

    The hand stands still while targets are asked for below it, where that has room in `rows`; all hands as in `rows`.
    """
    if snapshot.pending is None:
        return in_hand(snapshot, look) or open_hands(snapshot, look, cols, rows)
    if chosen.mode == selection.NUMBER:
        return places(snapshot, chosen, look)
    if chosen.mode == selection.TARGET:
        aims, head = targets(snapshot, chosen, look), selection.rows(snapshot)[chosen.row].head
        hand = in_hand(snapshot, look, taken_up=head.split()[-1])
        return [*hand, *aims] if len(hand) + len(aims) <= rows else aims
    rows_by_card, others = dict[str, list[DrawnChoice]](), list[DrawnChoice]()
    for at, row in enumerate(selection.rows(snapshot)):
        text = row_words(row, snapshot, look) + times(snapshot, chosen, row.head, look)
        said = does(row.head, look, chosen.mode == selection.SEVERAL)
        ticked = at in chosen.ticked if chosen.mode == selection.SEVERAL else None
        item = DrawnChoice(text, said, at, at == chosen.cursor, ticked)
        (rows_by_card.setdefault(row.head.split()[-1], []) if said else others).append(item)
    hand = in_hand(snapshot, look, can_choose=not rows_by_card, instead=rows_by_card)
    return [*hand, *(item for rest in rows_by_card.values() for item in rest), *others]


def discarded(snapshot: Shown, look: Look) -> list[DrawnChoice]:
    """Return the discards, for viewers without a hand, the newest first."""
    return [
        DrawnChoice(card_name(one, look), look.t(f"passage.does.{one.value}"), ground=_ground(one))
        for one in reversed(snapshot.view.discard)
    ]


def written_on_below(found: Sequence[DrawnChoice], rows: int) -> Sequence[DrawnChoice]:
    """Return the last of them, oldest first: a full page turns by half, so that rows stand still while others come.

    >>> [len(written_on_below([DrawnChoice("")] * n, 4)) for n in (3, 4, 5, 6, 7)]
    [3, 4, 3, 4, 3]
    """
    half = max(1, rows // 2)
    return found[-(-max(0, len(found) - rows) // half) * half :]


def _ground(one: Card) -> str:
    return "danger" if one is Card.PASSAGE else "card"


def times(snapshot: Shown, chosen: Selection, head: str, look: Look) -> str:
    """Return how often the row's card is in hand, where that is more than once."""
    seat, key = own_seat(snapshot), head.split()[-1]
    if seat is None or chosen.mode == selection.SEVERAL or head in selection.PASSING:
        return ""
    n = sum(one == key for one in snapshot.view.hands[seat])
    return f" {look.t('passage.times', n=n)}" if n > 1 else ""


def does(head: str, look: Look, is_card: bool) -> str:
    """Return what the row's card does; empty for rows that are no cards: `judge` is an answer, or a card to choose."""
    key = head.split()[-1]
    return look.t(f"passage.does.{key}") if key in CARDS and (is_card or head != "judge") else ""


def in_hand(
    snapshot: Shown,
    look: Look,
    taken_up: str = "",
    can_choose: bool = True,
    instead: dict[str, list[DrawnChoice]] | None = None,
) -> list[DrawnChoice]:
    """Return the cards of the own hand, in their order; those of `instead`, which are taken from it, in their places.

    `taken_up`: the card for which a target is asked. `can_choose`: nothing else of the hand can be chosen.
    """
    seat, items = own_seat(snapshot), list[DrawnChoice]()
    if seat is None or seat in snapshot.view.blind:
        return []
    hand = snapshot.view.hands[seat]
    for key in selection.in_order(by_kind(hand)):
        if rows := (instead or {}).pop(key.value, []):
            items += rows
            continue
        n = hand.count(key)
        more = f" {look.t('passage.times', n=n)}" if n > 1 else ""
        text = look.t(f"passage.does.{key.value}") if key.value in CARDS else ""
        ground = "selected" if key == taken_up else "card"
        items.append(DrawnChoice(card_name(key, look) + more, text, can_choose=can_choose, ground=ground))
    return items


def open_hands(snapshot: Shown, look: Look, cols: int, rows: int = 0) -> list[DrawnChoice]:
    """Return all hands that a watcher may see: those of a match that has ended.

    Each takes as many lines as the largest, two at least, where `rows` has room: so none moves when another one grows.
    """
    view, hands = snapshot.view, list[list[DrawnChoice]]()
    names = max(columns(seat_name(snapshot, seat, look)) for seat in range(view.n_seats))
    for seat, hand in enumerate(view.hands):
        if hand and Card.HIDDEN not in hand and own_seat(snapshot) is None:
            first, *rest = wrap(card_names(hand, look), max(12, cols - names - POINTER_COLS - 1))
            name, ground = seat_name(snapshot, seat, look), f"tile{look.hue(seat)}"
            hands.append(
                [DrawnChoice(name, first, ground=ground), *(DrawnChoice("", more, ground="") for more in rest)]
            )
    most = max(map(len, hands), default=0)
    least = next((n for n in (max(2, most), most) if n * len(hands) <= rows), 0)
    return [item for lines in hands for item in (*lines, *[DrawnChoice("", ground="")] * (least - len(lines)))]


def targets(snapshot: Shown, chosen: Selection, look: Look) -> list[DrawnChoice]:
    """Return the players a card may be aimed at, with what is known of their hands."""
    view, items = snapshot.view, []
    for at, text in enumerate(selection.rows(snapshot)[chosen.row].texts):
        words = text.split()
        seat = int(words[2]) if len(words) > 2 else view.turn
        said = look.t("list.comma").join(side_words(snapshot, seat, look))
        name, ground = seat_name(snapshot, seat, look), f"tile{look.hue(seat)}"
        items.append(DrawnChoice(name, said, at, at == chosen.at, ground=ground))
    return items


def places(snapshot: Shown, chosen: Selection, look: Look) -> list[DrawnChoice]:
    """Return the places of the pile, with the cards known there."""
    row, known = selection.rows(snapshot)[chosen.row], dict(certain(snapshot.view))
    size = len(row.texts)
    return [
        DrawnChoice(place_words(at, size, look), card_name(known[at], look) if at in known else "", at, at == chosen.at)
        for at in range(size)
    ]


def heading(snapshot: Shown, look: Look) -> Line:
    """Say whose hand it is, how large, and what of it is sealed."""
    view, seat = snapshot.view, own_seat(snapshot)
    if seat is None:
        is_open = bool(open_hands(snapshot, look, LIST_COLS))
        return plain(" " + look.t("passage.hand.all" if is_open else "passage.hand.watch"), "dim")
    theirs, whose = ("-theirs" if snapshot.is_borrowed else ""), seat_name(snapshot, seat, look)
    if seat in view.eliminated:
        return plain(" " + look.t(f"passage.hand.out{theirs}", name=whose), "dim")
    said = look.t(f"passage.hand{theirs}", count=len(view.hands[seat]), name=whose)
    spans: list[Span] = [("title", f" {said}")]
    if seat in view.blind:
        spans.append(("warn", "  " + look.t("passage.hand.blind")))
    if view.sealed[seat]:
        spans.append(("warn", "  " + look.t("passage.hand.sealed", cards=card_names(view.sealed[seat], look))))
    return tuple(spans)
