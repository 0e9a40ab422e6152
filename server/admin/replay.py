"""Replaying stored matches and comparing log, result, state and hashes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from game import registry
from game.contract import Seat, result_json, state_hash
from game.errors import GameError
from game.replay import Entry, Fold, Header, fold_all
from server.matches.checkpoint_writer import differs
from server.matches.matchlog import MatchLog, from_log
from server.matches.terms import from_store
from server.ratings.ratings import differing
from server.store import arrangements, checkpoints, matches
from server.store.appends import LogEntry
from server.store.checkpoints import StoredCheckpoint
from server.store.database import Database
from server.store.matches import FINISHED, OVER, StoredMatch

AT_ONCE = 100
UNREADABLE = (GameError, ValueError, LookupError, TypeError, AttributeError)  # what corrupt rows may raise
Page = list[tuple[StoredMatch, list[LogEntry]]]


@dataclass(slots=True)
class Replayed:
    """How many matches were played again, and which differ: match id and what does not agree."""

    matches: int = 0
    differ: int = 0
    unreadable: int = 0  # of those that differ: rows that can't be read


def header(match: StoredMatch) -> Header:
    """Return a match's header for the rules."""
    held: Any = tuple(seat.options for seat in match.seats)
    options: Any = match.options
    return Header(match.game, match.rules_version, options, match.n_seats, match.seed, held if any(held) else ())


def fold(match: StoredMatch, log: Sequence[LogEntry]) -> Fold[Any]:
    """Fold a stored log. Raises GameError for an entry that does not fit."""
    return fold_all(registry.get(match.game, match.rules_version), header(match), map(_entry, log))


def _entry(row: LogEntry) -> Entry:
    """Return a stored entry without its time, which may be corrupt and changes nothing."""
    seat = None if row.seat is None else Seat(row.seat)
    data: Any = row.data or {}
    return Entry(row.seq, row.kind, seat, row.action, None, data)


def differences(match: StoredMatch, log: Sequence[LogEntry]) -> list[str]:
    """Replay a match and list what differs from the stored match."""
    found: list[str] = []
    if hashlib.sha256(match.seed).hexdigest() != match.commitment:
        found.append("commitment: not that of the seed")
    if len(log) != match.last_seq:
        found.append(f"log: {len(log)} entries, {match.last_seq} expected")
    try:
        ended = fold(match, log)
    except UNREADABLE as error:  # corrupt rows
        return [*found, f"log: {error}"]
    if ended.status.value != match.status:
        found.append(f"status: {ended.status.value}, stored {match.status}")
    if match.status not in OVER:
        return found
    if match.status == FINISHED and result_json(ended.result) != _plain(match.result):
        found.append("result: another one")
    if state_hash(registry.get(match.game, match.rules_version), ended.state) != match.state_hash:
        found.append("state_hash: another one")
    if matches.log_hash(match, log, match.result, match.state_hash) != match.log_hash:
        found.append("log_hash: some byte of the match has changed")
    return found


def checkpoint_differences(
    match: StoredMatch, log: Sequence[LogEntry], kept: StoredCheckpoint | None, agreed: Mapping[str, Any]
) -> list[str]:
    """Compare a stored checkpoint with the fold of the log."""
    if kept is None or kept.seq > len(log):
        return []
    matchlog = MatchLog(from_store(match, agreed))
    try:
        for entry in log[: kept.seq]:
            matchlog.absorb(from_log(entry))
    except UNREADABLE:
        return []  # the log itself is wrong, and reported
    is_other = differs(kept, matchlog.game, matchlog.head.clocks.speed, matchlog.head)
    return [f"checkpoint: another one is stored after entry {kept.seq}"] if is_other else []


async def _page(
    database: Database, ids: Sequence[str], replayed: Replayed, report: Callable[[str, list[str]], None]
) -> Page:
    """Return these matches with their logs; report and skip one whose rows can't be read."""
    try:
        return await database.read(matches.with_logs, ids)
    except UNREADABLE:  # find the one by reading each separately
        found: Page = []
        for match_id in ids:
            try:
                found += await database.read(matches.with_logs, [match_id])
            except UNREADABLE as error:
                replayed.differ += 1
                replayed.unreadable += 1
                report(match_id, [f"rows: {error}"])
        return found


def _plain(result: Mapping[str, Any] | None) -> object:
    return None if result is None else dict(result)


async def verify_matches(database: Database, report: Callable[[str, list[str]], None]) -> Replayed:
    """Replay every stored match; call `report(match id, differences)` for each that differs, and for `ratings`.

    Works beside a running server: each page of matches is read in one snapshot. Raises StoreUnavailable.
    """
    replayed, last = Replayed(), ""
    while ids := await database.read(matches.ids_after, last, AT_ONCE):
        replayed.matches += len(ids)
        for match, log in await _page(database, ids, replayed, report):
            kept = await database.read(checkpoints.of, match.id) if match.status in matches.RUNNING else None
            agreed = {} if kept is None else await database.read(arrangements.agreed, [match.id])
            found = differences(match, log) + checkpoint_differences(match, log, kept, agreed.get(match.id, {}))
            if found:
                replayed.differ += 1
                report(match.id, found)
        last = ids[-1]
    if replayed.unreadable:  # ratings can't be computed without them
        return replayed
    if off := await database.read(differing):
        replayed.differ += 1
        report("ratings", [f"account {account_id} on {ladder}" for account_id, ladder in off])
    return replayed
