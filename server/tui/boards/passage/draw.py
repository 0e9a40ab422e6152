"""The Passage board as lines of text: the piles, what is owed, what one knows, and the rows to choose from."""

from __future__ import annotations

from dataclasses import dataclass

from game.passage.cards import JUDGES, REAL, Card
from game.passage.state import Rescue, Return
from server.matches.model import Snapshot
from server.tui.boards.passage import pick as picks
from server.tui.boards.passage.pick import Pick, own_seat, rows, view_of
from server.tui.boards.passage.words import card, cards, known_words, name, place, row_words, side_words
from server.tui.lines import Line, Span, block, columns, packed, pad, plain, wrap, wrapped
from server.tui.look import Look
from server.tui.seats import player_name

SIDE_COLS = 28  # what the side panel needs
WIDEST = 76
NAME_COLS = 16
CLOCKWISE = 1
CARDS = frozenset(one.value for one in REAL)


def draw(snapshot: Snapshot, pick: Pick, look: Look, cols: int, rows_: int) -> list[Line]:
    """Draw the board: exactly `rows_` lines of `cols` columns."""
    top = table_lines(snapshot, look, cols)
    bottom = hand_lines(snapshot, pick, look, cols, max(3, rows_ - len(top) - 1))
    if len(top) + 1 + len(bottom) > rows_:
        top = top[: max(0, rows_ - len(bottom) - 1)]
    return block([*top, plain(look.glyphs.rule * cols, "rule"), *bottom], cols, rows_)


def row_at(snapshot: Snapshot, pick: Pick, look: Look, row: int, cols: int, rows_: int) -> int | None:
    """Return the choice drawn at a row of the board's area, if there is one."""
    top = table_lines(snapshot, look, cols)
    room = max(3, rows_ - len(top) - 1)
    first = min(len(top), max(0, rows_ - len(hand_lines(snapshot, pick, look, cols, room)) - 1)) + 2
    count = len(listed(snapshot, pick, look))
    at = row - first + scrolled(pick, count, room - 1)
    return at if row >= first and at < count else None


# The table.


def table_lines(snapshot: Snapshot, look: Look, cols: int) -> list[Line]:
    """Draw what lies on the table: piles with counts, N and M, the order, what is known of the pile."""
    view = view_of(snapshot)
    seen = view.discard.count(Card.JUDGE) + view.removed.count(Card.JUDGE)
    counts = [
        look.t("passage.pile", count=len(view.pile)),
        look.t("passage.discards", count=len(view.discard)),
        look.t("passage.judges", seen=seen, all=JUDGES),
    ]
    gone = view.discard.count(Card.PASSAGE) + sum(isinstance(frame, Return | Rescue) for frame in view.stack)
    counts.append(look.t("passage.passages", count=max(0, view.n_seats - 1 - gone)))
    if view.removed:
        counts.append(look.t("passage.removed", count=len(view.removed)))
    lines = packed(counts, cols, "", 1)
    lines += wrapped(" " + owed_words(snapshot, look), cols, "accent", 1)
    lines.append(plain(" " + order_words(snapshot, look, cols - 1), ""))
    lines += known_lines(snapshot, look, cols)
    if view.discard:
        last = look.t("list.comma").join(card(one, look) for one in reversed(view.discard[-6:]))
        lines.append(plain(" " + look.t("passage.last", cards=last), "dim"))
    return lines


def owed_words(snapshot: Snapshot, look: Look) -> str:
    """Say what is owed, and by whom if it is not the viewer: how many draws, and from where."""
    view = view_of(snapshot)
    seat = view.turn if view.receiver is None else view.receiver
    draws = draws_words(view.draws, view.bottom + view.owed[seat], view.switches.bottom_rule, look)
    if seat == own_seat(snapshot):
        return draws[:1].upper() + draws[1:]
    return look.t("passage.whose", name=name(snapshot, seat, look), draws=draws)


def draws_words(draws: int, bottom: int, bottom_rule: str, look: Look) -> str:
    """Say how many draws, and how many of them from the bottom."""
    bottom = min(draws, draws if bottom and bottom_rule == "whole_phase" else bottom)
    if draws == 0:
        return look.t("passage.draws-none")
    if bottom == 0:
        return look.t("passage.draws", draws=draws)
    if bottom == draws:
        return look.t("passage.draws-all-bottom", draws=draws)
    return look.t("passage.draws-bottom", draws=draws, bottom=bottom, top=draws - bottom)


def order_words(snapshot: Snapshot, look: Look, cols: int) -> str:
    """Name the living players in the order in which their turns come: by number only, where the names don't fit."""
    view = view_of(snapshot)
    seat, order = view.turn, list[int]()
    while seat not in order:
        order.append(seat)
        seat = view.after(seat, view.direction)
    names = look.t("list.comma").join(
        f"{one + 1} {player_name(snapshot.seats[one].player.name, look)}" for one in order
    )
    arrow = (
        (">>" if view.direction == CLOCKWISE else "<<")
        if look.glyph_set == "ascii"
        else ("↻" if view.direction == CLOCKWISE else "↺")
    )
    whole = look.t("passage.order", arrow=arrow, names=names)
    if columns(whole) <= cols:
        return whole
    first, *rest = order
    names = look.t("list.comma").join(
        (f"{first + 1} {player_name(snapshot.seats[first].player.name, look)}", *(f"{one + 1}" for one in rest))
    )
    return look.t("passage.order", arrow=arrow, names=names)


def known_lines(snapshot: Snapshot, look: Look, cols: int) -> list[Line]:
    """Say which places of the pile the viewer knows."""
    view = view_of(snapshot)
    watches = own_seat(snapshot) is None
    if not view.known:
        return [] if watches else [plain(" " + look.t("passage.known-none"), "dim")]
    shown = [(at, what) for at, what in view.known if what is Card.PASSAGE] if len(view.known) > 8 else view.known
    if not shown:
        return [plain(" " + look.t("passage.known.no-passage"), "good")]
    said = known_words(shown, len(view.pile), look)
    key = "passage.known.watch" if watches else "passage.known"
    return wrapped(" " + look.t(key, places=said), cols, "good", 1)[:2]


# The choices.


def hand_lines(snapshot: Snapshot, pick: Pick, look: Look, cols: int, room: int) -> list[Line]:
    """Draw the hand's heading and the rows of the decision, or the hand as it is when nothing is asked."""
    shown = listed(snapshot, pick, look, cols)
    first = scrolled(pick, len(shown), room - 1)
    return [heading(snapshot, look), *(line_of(item, look, cols) for item in shown[first : first + room - 1])]


def scrolled(pick: Pick, count: int, room: int) -> int:
    """Return the first row shown, so that the cursor is among those that fit."""
    cursor = pick.at if pick.mode in (picks.TARGET, picks.NUMBER) else pick.cursor
    return max(0, min(count - room, cursor - room // 2))


def line_of(item: Item, look: Look, cols: int) -> Line:
    """Draw one row: the cursor, a tick, what it is, what it does."""
    pointer = look.glyphs.pointer if item.is_here else " "
    tick = {None: "", True: f"{look.glyphs.on} ", False: f"{look.glyphs.off} "}[item.is_ticked]
    style = "cursor" if item.is_here else "" if item.can_choose else "dim"
    text = f"{tick}{item.text}"
    return (("key", f" {pointer} "), (style, pad(text, NAME_COLS) if item.does else text), ("dim", f" {item.does}"))


@dataclass(frozen=True, slots=True)
class Item:
    """A row as it is drawn; `is_ticked` None: nothing to tick."""

    text: str
    does: str = ""
    is_here: bool = False
    is_ticked: bool | None = None
    can_choose: bool = True


def listed(snapshot: Snapshot, pick: Pick, look: Look, cols: int = WIDEST) -> list[Item]:
    """Return the rows to draw: those of the decision, its targets or places, or the hand."""
    if snapshot.pending is None:
        return in_hand(snapshot, look, frozenset()) or open_hands(snapshot, look, cols)
    if pick.mode == picks.TARGET:
        return targets(snapshot, pick, look)
    if pick.mode == picks.NUMBER:
        return places(snapshot, pick, look)
    found = rows(snapshot)
    items = [
        Item(
            row_words(row, snapshot, look) + times(snapshot, pick, row.head, look),
            does(row.head, look),
            at == pick.cursor,
            at in pick.ticked if pick.mode == picks.SEVERAL else None,
        )
        for at, row in enumerate(found)
    ]
    return items + in_hand(snapshot, look, frozenset(row.head.split()[-1] for row in found))


def times(snapshot: Snapshot, pick: Pick, head: str, look: Look) -> str:
    """Return how often the row's card is in hand, where that is more than once."""
    seat, key = own_seat(snapshot), head.split()[-1]
    if seat is None or pick.mode == picks.SEVERAL or head in picks.PASSING:
        return ""
    n = sum(one == key for one in view_of(snapshot).hands[seat])
    return f" {look.t('passage.times', n=n)}" if n > 1 else ""


def does(head: str, look: Look) -> str:
    """Return what the row's card does; empty for rows that are no cards."""
    key = head.split()[-1]
    return look.t(f"passage.does.{key}") if key in CARDS and head != "judge" else ""


def in_hand(snapshot: Snapshot, look: Look, but: frozenset[str]) -> list[Item]:
    """Return the cards of the own hand that are not among the choices."""
    seat = own_seat(snapshot)
    if seat is None or seat in view_of(snapshot).blind:
        return []
    hand = view_of(snapshot).hands[seat]
    items = []
    for key in dict.fromkeys(hand):
        if key.value not in but:
            n = hand.count(key)
            more = f" {look.t('passage.times', n=n)}" if n > 1 else ""
            text = look.t(f"passage.does.{key.value}") if key.value in CARDS else ""
            items.append(Item(card(key, look) + more, text, can_choose=False))
    return items


def open_hands(snapshot: Snapshot, look: Look, cols: int) -> list[Item]:
    """Return all hands that are open to who looks on: those of a match that has ended."""
    view, items = view_of(snapshot), []
    for seat, hand in enumerate(view.hands):
        if hand and Card.HIDDEN not in hand and own_seat(snapshot) is None:
            first, *rest = wrap(cards(hand, look), max(12, cols - NAME_COLS - 5))
            items += [Item(name(snapshot, seat, look), first), *(Item("", more) for more in rest)]
    return items


def targets(snapshot: Snapshot, pick: Pick, look: Look) -> list[Item]:
    """Return the players a card may be aimed at, with what is known of their hands."""
    view, items = view_of(snapshot), []
    for at, text in enumerate(rows(snapshot)[pick.row].texts):
        words = text.split()
        seat = int(words[2]) if len(words) > 2 else view.turn
        items.append(
            Item(name(snapshot, seat, look), look.t("list.comma").join(side_words(snapshot, seat, look)), at == pick.at)
        )
    return items


def places(snapshot: Snapshot, pick: Pick, look: Look) -> list[Item]:
    """Return the places of the pile, with the cards known there."""
    row, known = rows(snapshot)[pick.row], dict(view_of(snapshot).known)
    size = len(row.texts)
    return [
        Item(place(at, size, look), card(known[at], look) if at in known else "", at == pick.at) for at in range(size)
    ]


def heading(snapshot: Snapshot, look: Look) -> Line:
    """Say whose hand it is, how large, and what of it is sealed."""
    view, seat = view_of(snapshot), own_seat(snapshot)
    if seat is None:
        is_open = bool(open_hands(snapshot, look, WIDEST))
        return plain(" " + look.t("passage.hand.all" if is_open else "passage.hand.watch"), "dim")
    if seat in view.eliminated:
        return plain(" " + look.t("passage.hand.out"), "dim")
    spans: list[Span] = [("title", " " + look.t("passage.hand", count=len(view.hands[seat])))]
    if seat in view.blind:
        spans.append(("warn", "  " + look.t("passage.hand.blind")))
    if view.sealed[seat]:
        spans.append(("warn", "  " + look.t("passage.hand.sealed", cards=cards(view.sealed[seat], look))))
    return tuple(spans)
