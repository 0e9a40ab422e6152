"""Stored conditional moves: beside the log, one row a seat, moved on in the transaction of each entry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, delete, select

from server.store.appends import Effect
from server.store.columns import Json
from server.store.database import parts
from server.store.tables import conditional_moves, matches
from server.store.upsert import put


class LinesChanged(Exception):
    """What is to be played is not what stands: it was edited or deleted, or an entry came in between."""


@dataclass(frozen=True, slots=True)
class StoredLines:
    """The lines of a seat, which go on from entry `seq`. `is_due`: its own move is next."""

    seat: int
    seq: int
    lines: Json
    is_due: bool


Follow = Callable[[StoredLines], StoredLines | None]  # what an entry makes of a row; None: nothing stands any more


_CHOSEN = select(conditional_moves).order_by(conditional_moves.c.match_id, conditional_moves.c.seat)


def of_matches(connection: Connection, ids: Sequence[str]) -> dict[str, list[StoredLines]]:
    """Return what stands in some matches, by seat; matches without any are left out."""
    found: dict[str, list[StoredLines]] = {}
    for part in parts(ids):
        for match_id, *row in connection.execute(_CHOSEN.where(conditional_moves.c.match_id.in_(part))):
            found.setdefault(match_id, []).append(StoredLines(*row))
    return found


def _held(connection: Connection, match_id: str) -> list[StoredLines]:
    """Return what stands in a match; who would change it waits until this transaction is over."""
    held = _CHOSEN.where(conditional_moves.c.match_id == match_id).with_for_update()
    return [StoredLines(*row) for _, *row in connection.execute(held)]


def standing(connection: Connection, ids: Sequence[str]) -> tuple[dict[str, list[StoredLines]], list[str]]:
    """Return what stands in some matches, and all matches in which a move is due."""
    due = select(conditional_moves.c.match_id).where(conditional_moves.c.is_due).distinct()
    return of_matches(connection, ids), list(connection.scalars(due.order_by(conditional_moves.c.match_id)))


def put_at(connection: Connection, match_id: str, made: StoredLines) -> bool:
    """Store a seat's lines in place of its earlier ones if the log still ends at their entry; tell whether it does."""
    row = select(matches.c.last_seq).where(matches.c.id == match_id).with_for_update()
    if connection.scalar(row) != made.seq:
        return False
    _put(connection, match_id, made)
    return True


def _put(connection: Connection, match_id: str, made: StoredLines) -> None:
    row = {"match_id": match_id, "seat": made.seat, "seq": made.seq, "lines": made.lines, "is_due": made.is_due}
    put(connection, conditional_moves, [row])


def made(match_id: str, lines: StoredLines) -> Effect:
    """Return as an effect of an append: a seat's lines go on from its entry."""
    return lambda connection: _put(connection, match_id, lines)


def expected(match_id: str, lines: StoredLines) -> Effect:
    """Return as an effect of an append: raise LinesChanged unless these are the seat's lines."""

    def check(connection: Connection) -> None:
        if lines not in _held(connection, match_id):
            raise LinesChanged

    return check


def followed(match_id: str, follow: Follow) -> Effect:
    """Return as an effect of an append: the rows of its match go on, or are deleted."""

    def go_on(connection: Connection) -> None:
        for row in _held(connection, match_id):
            left = follow(row)
            if left is None:
                forget(connection, match_id, row.seat)
            elif left != row:
                _put(connection, match_id, left)

    return go_on


def forget(connection: Connection, match_id: str, seat: int, seq: int | None = None) -> None:
    """Delete a seat's lines; `seq`: only those that go on from there."""
    its = (conditional_moves.c.match_id == match_id, conditional_moves.c.seat == seat)
    at = () if seq is None else (conditional_moves.c.seq == seq,)
    connection.execute(delete(conditional_moves).where(*its, *at))
