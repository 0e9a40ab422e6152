"""Playing stored matches again and comparing: the log, the result, the state, every byte that was kept of them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from game import registry
from game.contract import Seat, state_hash
from game.errors import GameError
from game.record import result_json
from game.replay import Entry, Fold, Header, advance, begin
from server.matches.keeping import differs
from server.matches.line import Line, from_log
from server.matches.terms import from_store
from server.ratings.ratings import wrong
from server.store import matches, standings
from server.store.appends import LogEntry
from server.store.database import Database
from server.store.matches import FINISHED, VOID, StoredMatch
from server.store.standings import KeptStanding

AT_ONCE = 100
UNREADABLE = (GameError, ValueError, LookupError, TypeError, AttributeError)  # what changed bytes may end in
Page = list[tuple[StoredMatch, list[LogEntry]]]


@dataclass(slots=True)
class Tally:
    """How many matches were played again, and which differ: match id and what does not agree."""

    matches: int = 0
    differ: int = 0
    unreadable: int = 0  # of those that differ: not even their rows can be read


def header(match: StoredMatch) -> Header:
    """Return what a match begins from, as the rules take it."""
    held: Any = tuple(seat.options for seat in match.seats)
    options: Any = match.options
    return Header(match.game, match.rules_version, options, match.n_seats, match.seed, held if any(held) else ())


def fold(match: StoredMatch, log: Sequence[LogEntry]) -> Fold[Any]:
    """Play a stored log again. Raises GameError where an entry does not fit."""
    game = registry.get(match.game)
    held, _ = begin(game, header(match))
    for line in log:
        seat = None if line.seat is None else Seat(line.seat)
        data: Any = line.data or {}
        held, _ = advance(game, held, Entry(line.seq, line.kind, seat, line.action, None, data))
    return held


def differences(match: StoredMatch, log: Sequence[LogEntry]) -> list[str]:
    """Play a match again and name everything that does not agree with what is stored; empty: all does."""
    found: list[str] = []
    if hashlib.sha256(match.seed).hexdigest() != match.commitment:
        found.append("commitment: not that of the seed")
    if len(log) != match.last_seq:
        found.append(f"log: {len(log)} entries, {match.last_seq} expected")
    try:
        ended = fold(match, log)
    except UNREADABLE as error:  # whatever the rules make of changed bytes
        return [*found, f"log: {error}"]
    if ended.status.value != match.status:
        found.append(f"status: {ended.status.value}, stored {match.status}")
    if match.status not in (FINISHED, VOID):
        return found
    if match.status == FINISHED and result_json(ended.result) != _plain(match.result):
        found.append("result: another one")
    if state_hash(registry.get(match.game), ended.state) != match.state_hash:
        found.append("state_hash: another one")
    if matches.log_hash(match, log, match.result, match.state_hash) != match.log_hash:
        found.append("log_hash: some byte of the match has changed")
    return found


def strays(match: StoredMatch, log: Sequence[LogEntry], kept: KeptStanding | None) -> list[str]:
    """Compare a standing that is kept of a match with what follows from its log."""
    if kept is None or kept.seq > len(log):
        return []
    line = Line(from_store(match))
    try:
        for entry in log[: kept.seq]:
            line.absorb(from_log(entry))
    except UNREADABLE:
        return []  # the log itself is wrong, and named
    is_other = differs(kept, line.game, line.head.clocks.speed, line.head)
    return [f"standing: another one is kept after entry {kept.seq}"] if is_other else []


async def _page(database: Database, ids: Sequence[str], tally: Tally, report: Callable[[str, list[str]], None]) -> Page:
    """Return the matches of these ids with their logs; one whose rows can't even be read is reported, and left out."""
    try:
        return await database.read(matches.with_logs, ids)
    except UNREADABLE:  # one of them: each by itself, then
        found: Page = []
        for match_id in ids:
            try:
                found += await database.read(matches.with_logs, [match_id])
            except UNREADABLE as error:
                tally.differ += 1
                tally.unreadable += 1
                report(match_id, [f"rows: {error}"])
        return found


def _plain(result: Mapping[str, Any] | None) -> object:
    return None if result is None else dict(result)


async def verify(database: Database, report: Callable[[str, list[str]], None]) -> Tally:
    """Play every stored match again; call `report(match id, differences)` for each that differs, or `ratings`.

    Works beside a running server: each page of matches is read in one snapshot. Raises StoreUnavailable.
    """
    tally, last = Tally(), ""
    while ids := await database.read(matches.ids_after, last, AT_ONCE):
        tally.matches += len(ids)
        for match, log in await _page(database, ids, tally, report):
            kept = await database.read(standings.of, match.id) if match.status in matches.RUNNING else None
            if found := [*differences(match, log), *strays(match, log, kept)]:
                tally.differ += 1
                report(match.id, found)
        last = ids[-1]
    if tally.unreadable:  # ratings can't be worked out without them
        return tally
    if off := await database.read(wrong):
        tally.differ += 1
        report("ratings", [f"account {account_id} on {ladder}" for account_id, ladder in off])
    return tally
