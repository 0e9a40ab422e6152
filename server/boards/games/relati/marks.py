"""What is marked on a Relati board: the last actions, what can be reached, threats, and why an action is legal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from game.contract import Seat
from game.relati import explain
from game.relati.areas import safe_area
from game.relati.attacks import between
from game.relati.events import ACTION_EVENTS
from game.relati.geometry import Geometry
from game.relati.ruleset import Ruleset
from game.relati.state import Board
from server.boards.games.relati.foresight import foresee, hits
from server.boards.games.relati.selection import (
    FREE,
    LINE,
    NOBODY,
    Selection,
    Shown,
    escapes,
    grid_of,
    offers,
    out,
    reachable,
    spoken,
    ways,
)
from server.boards.seats import own_seat
from server.matches.model import SeenEvent

ACTIONS = frozenset(ACTION_EVENTS.values())
TOUCHING = ACTIONS | {"captured"}
ESCAPES = "E"  # the letter of an escape


@dataclass(frozen=True, slots=True)
class Why:
    """What makes the action at the cursor legal: cells of the pieces it needs, and cells that it crosses or hits."""

    pieces: tuple[int, ...] = ()
    crossed: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Marks:
    """What is marked on the board, as sets of bits."""

    reach: int = 0
    escapes: int = 0
    last: int = 0
    threatened: int = 0  # the viewer's source, if it can be hit
    hit: int = 0  # the viewer's other pieces that can be hit
    safe: int = 0
    why: Why = field(default_factory=Why)


def marked(snapshot: Shown, chosen: Selection, events: Sequence[SeenEvent] = ()) -> Marks:
    """Return what is to be marked; `events` are those until now, oldest first."""
    view, seat = snapshot.view, own_seat(snapshot)
    reach = 0 if chosen.flees else reachable(snapshot)
    last = _since_own(snapshot, events)
    if view.last is not None:
        said = spoken(snapshot, view.last.action)
        last |= 1 << said.cell
        if said.verb != ESCAPES:  # which breaks all that it leaves: marks around each would hide where it went
            last |= view.last.changed & view.board.dead
    aimed = 0
    for threat in source_threats(snapshot) if seat is not None else ():
        aimed |= 1 << threat.line.target
    if seat is not None and bomb_threats(snapshot):
        aimed |= view.board.sides[seat].source
    hit, safe = _hit(snapshot) & ~aimed, _safe(view.board, view.ruleset)
    return Marks(reach, escapes(snapshot, chosen), last, aimed, hit, safe, why(snapshot, chosen))


def _since_own(snapshot: Shown, events: Sequence[SeenEvent]) -> int:
    """Return where the viewer acted last and the others since then, and which pieces that broke or spent.

    Nothing for somebody who only watches or is out: in time it would be the whole board.
    """
    own, found = own_seat(snapshot), 0
    for event in reversed(events) if own is not None and own not in out(snapshot) else ():
        if event.seq > snapshot.seq:
            continue
        if event.kind in ACTIONS and event.params.get("seat") == own:
            found |= _touched(grid_of(snapshot), event)
            break
        if event.kind in TOUCHING:
            found |= _touched(grid_of(snapshot), event)
    return found


def _touched(grid: Geometry, event: SeenEvent) -> int:
    """Return the cells that an event names as acted on, broken or spent."""
    names = ("cell", "target", "spent", "killed", "cells", *(("medium",) if event.kind == "shot" else ()))
    found = 0
    for name in names:
        named = event.params.get(name, ())
        for cell in named if isinstance(named, list | tuple) else (named,):
            found |= 1 << grid.names.index(str(cell))
    return found


def _hit(snapshot: Shown) -> int:
    """Return the viewer's pieces that could be hit; nothing for a watcher, a player who is out, or after the end."""
    seat = _defender(snapshot)
    return 0 if seat is None else hits(snapshot.view.board, seat, out(snapshot), snapshot.view.ruleset)


@lru_cache(maxsize=256)
def _safe(board: Board, ruleset: Ruleset) -> int:
    """Return the cells in rectangles of shields, whosever they are."""
    found = 0
    for side in board.sides:
        found |= safe_area(side.shield, board.size, ruleset.rim_is_safe)
    return found


def source_threats(snapshot: Shown) -> tuple[explain.Threat, ...]:
    """Return what could hit the viewer's source; nothing for a watcher, a player who is out, or after the end."""
    view, seat = snapshot.view, _defender(snapshot)
    return () if seat is None else _threats(view.board, seat, out(snapshot), view.ruleset)


def is_dear(snapshot: Shown, threat: explain.Threat) -> bool:
    """Tell whether an attack would cost who attacks their source, and win nothing by it at once."""
    view, line, names = snapshot.view, threat.line, grid_of(snapshot).names
    text = f"{line.kind}{names[line.target]}{names[line.medium]}"
    seen = foresee(view.board, Seat(threat.seat), out(snapshot), view.ruleset, text)
    return seen.source_lost and not seen.wins


def bomb_threats(snapshot: Shown) -> tuple[tuple[int, int], ...]:
    """Return the shields that could break the viewer's source, with their owners, as `source_threats` does attacks."""
    seat = _defender(snapshot)
    return () if seat is None else explain.bomb_threats(snapshot.view.board, seat, frozenset(map(int, out(snapshot))))


def _defender(snapshot: Shown) -> Seat | None:
    """Return the viewer's seat while something of it can be hit, and they are warned of it.

    None for a watcher, who is out, after the end, and where the match was agreed to be without warnings.
    """
    seat = own_seat(snapshot) if snapshot.agreement.warnings else None
    return None if seat in out(snapshot) or snapshot.result is not None else seat


@lru_cache(maxsize=256)
def _threats(board: Board, seat: Seat, out: frozenset[Seat], ruleset: Ruleset) -> tuple[explain.Threat, ...]:
    return explain.source_threats(board, seat, frozenset(map(int, out)), ruleset)


def why(snapshot: Shown, chosen: Selection) -> Why:
    """Return what makes the selected action, or the one that enter would begin, legal."""
    view, seat = snapshot.view, own_seat(snapshot)
    if seat is None or chosen.cursor == NOBODY:
        return Why()
    found = offers(snapshot)
    texts = ways(snapshot, chosen.cursor)
    if chosen.mode == LINE or (chosen.mode == FREE and texts):
        return _attack(snapshot, chosen.text or texts[0])
    single = found.single.get(chosen.cursor, {})
    verb = chosen.text[:1] or next((verb for verb in "LREDB" if verb in single), "")
    if verb == "B" and chosen.text:
        return Why((), explain.blast(view.board, chosen.cursor))
    if verb not in ("R", "E"):
        return Why()
    if verb == "R":
        path = explain.connection(view.board, seat, chosen.cursor)
    else:
        path = explain.escape(view.board, seat, chosen.cursor, view.ruleset.far_runs)
    return Why((path.origin,), path.crossed) if path is not None else Why()


def _attack(snapshot: Shown, text: str) -> Why:
    said = spoken(snapshot, text)
    line = next(
        line
        for line in explain.attacks_on(snapshot.view.board, own_seat(snapshot) or 0, said.cell, snapshot.view.ruleset)
        if (line.kind, line.medium) == (said.verb, said.medium)
    )
    return Why((line.medium, line.spent), tuple(between(snapshot.view.board, line)))
