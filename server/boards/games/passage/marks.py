"""What the others did since the viewer's own last act, as marks on the table: in order, each in its player's colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from server.boards.games.passage.labels import card_name
from server.boards.games.passage.selection import Shown
from server.boards.seats import own_seat, short_name_at
from server.matches.model import SeenEvent
from server.terminal.lines import Line, Span, width_cols
from server.terminal.look import Look

OWN_ACTS = ("played", "judged", "drawing", "put-back", "discarded")  # letting a card pass is none
MARKED = ("played", "revealed", "judged", "drawing", "drew-passage", "out")
MORE = "… "


@dataclass(frozen=True, slots=True)
class Mark:
    """One thing somebody did."""

    seat: int
    text: str
    is_dire: bool = False


def since(snapshot: Shown, events: Sequence[SeenEvent], look: Look) -> list[Mark]:
    """Return what others did since the viewer's own last act; for a watcher, or a player who is out, in this turn."""
    own, found = acting(snapshot), list[Mark]()
    for event in reversed(events):
        if event.seq > snapshot.seq:
            continue
        seat = event.params.get("seat")
        if event.kind == "dealt" or (own is None and event.kind == "turn"):
            break
        if own is not None and seat == own and event.kind in OWN_ACTS:
            break
        is_empty = event.kind == "drawing" and event.params.get("draws") == 0
        if event.kind in MARKED and isinstance(seat, int) and seat != own and not is_empty:
            found.append(_mark(snapshot, event, seat, own, look))
    return found[::-1]


def acting(snapshot: Shown) -> int | None:
    """Return the viewer's seat, None for a watcher, and for a player who is out."""
    own = own_seat(snapshot)
    return None if own in snapshot.view.eliminated else own


def _mark(snapshot: Shown, event: SeenEvent, seat: int, own: int | None, look: Look) -> Mark:
    seen = event.params
    name = card_name(seen["card"], look) if seen.get("card") is not None else ""
    match event.kind:
        case "played" if isinstance(target := seen.get("target"), int):
            whom = (
                look.t("passage.mark.you")
                if target == own and not snapshot.is_borrowed
                else short_name_at(snapshot, target, look)
            )
            return Mark(seat, f"{name} {look.glyphs.arrow} {whom}", target == own)
        case "played" | "revealed":
            return Mark(seat, name)
        case "judged":
            return Mark(seat, look.t("passage.mark.judged", card=name), seen.get("actor") == own)
        case "drawing":
            return Mark(seat, look.t("passage.mark.drawing", draws=seen.get("draws")))
    return Mark(seat, look.t(f"passage.mark.{event.kind}"), True)


def lines(snapshot: Shown, events: Sequence[SeenEvent], look: Look, cols: int, most: int) -> list[Line]:
    """Draw the marks in at most so many lines; where there is no room for all, the newest."""
    found = since(snapshot, events, look)
    if not found:
        return []
    own = acting(snapshot)
    which = "turn" if own is None else "since-theirs" if snapshot.is_borrowed else "since"
    whose = "" if own is None else short_name_at(snapshot, own, look)
    label: Span = ("dim", f" {look.t(f'passage.mark.{which}', name=whose)} ")
    for first in range(len(found)):
        rows = _flowed(snapshot, found[first:], (label, ("dim", MORE)) if first else (label,), look, cols)
        if len(rows) <= most:
            return rows
    return _flowed(snapshot, found[-1:], (label, ("dim", MORE)), look, cols)[:most]


def _flowed(snapshot: Shown, found: Sequence[Mark], label: Line, look: Look, cols: int) -> list[Line]:
    """Set marks one after the other behind the label; who does several things in a row is named once."""
    indent: Span = ("", "   ")
    rows: list[list[Span]] = [[*label]]
    begun, whose = len(label), -1
    for mark in found:
        danger: tuple[Span, ...] = (("danger", f"{mark.text} "),) if mark.is_dire else ()
        name = "" if mark.seat == whose else f" {short_name_at(snapshot, mark.seat, look)}"
        tile: Span = (f"tile{mark.seat}", f"{name} " + ("" if danger else f"{mark.text} "))
        if width_cols((*rows[-1], tile, *danger)) > cols and len(rows[-1]) > begun:
            rows.append([indent])
        whose = mark.seat
        rows[-1] += [tile, *danger, ("", " ")]
    return [tuple(row) for row in rows]
