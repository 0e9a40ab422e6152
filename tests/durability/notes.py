"""What people noted in a simulation, and how it is compared with the logs: every check has a name of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from game.contract import Action, Seat, Viewer, Watcher, result_json
from game.errors import GameError
from server.matches.checkpoint import Checkpoint
from server.matches.deadlines import due_at
from server.matches.matchlog import MatchLog, from_log
from server.matches.model import SeenEvent
from server.matches.terms import Terms
from server.matches.viewer_state import levels
from server.store.appends import LogEntry
from server.store.matches import StoredMatch
from tests.durability.history import credit_of

RESIGN = "resign"  # what is pressed to give up, and the kind of its entry
BY_NOBODY = {"timeout", "clock_credited"}  # what is appended without anybody's doing


class Wrong(NamedTuple):
    """Something that may not be: the check that found it, and what it is."""

    check: str
    what: str


@dataclass
class Press:
    """One key of one player: an answer to what was owed at `turn_seq`. `at` is its own, no two have the same."""

    match: str
    seat: Seat
    said: str
    turn_seq: int
    at: datetime
    after: int  # the newest entry of the match that anybody was told of as stored before this was sent
    acknowledged: int | None = None  # as that entry
    stored: int | None = None  # what the checker found


@dataclass(frozen=True, slots=True)
class Sight:
    """What somebody saw at one process, and how many entries were stored in that moment."""

    match: str
    process: str
    viewer: Viewer
    seq: int
    view: Any
    stored: int


@dataclass
class Notes:
    """What people noted in one run."""

    presses: list[Press] = field(default_factory=list)
    sights: list[Sight] = field(default_factory=list)
    streams: dict[tuple[str, str], list[SeenEvent]] = field(default_factory=dict)  # by match and process: the public's
    wrong: list[Wrong] = field(default_factory=list)  # what was seen to be wrong at once


@dataclass(frozen=True)
class Stored:
    """One match as the store has it in the end."""

    terms: Terms
    row: StoredMatch
    entries: tuple[LogEntry, ...]
    ends: dict[str, Checkpoint]  # by process, where it thinks that the match stands


def check(notes: Notes, matches: Sequence[Stored]) -> list[Wrong]:
    """Return everything that is wrong; nothing, if all is well."""
    found = [*notes.wrong, *_seen_going_back(notes)]
    for stored in matches:
        matchlog = MatchLog(stored.terms)
        found += [
            *_numbers(stored),
            *_credits(stored),
            *_entries(notes, stored, matchlog),
            *_acknowledgements(notes, stored),
        ]
        if matchlog.head.seq == len(stored.entries):
            found += [*_streams(notes, stored, matchlog), *_ends(stored, matchlog.head)]
    return found


def _credits(stored: Stored) -> Iterator[Wrong]:
    """Every outage is credited once."""
    credited = Counter(credit_of(row) for row in stored.entries if row.kind == "clock_credited")
    for what, times in credited.items():
        if times > 1:
            yield Wrong("credit", f"{what} credited {times} times")


def _numbers(stored: Stored) -> Iterator[Wrong]:
    seqs = [row.seq for row in stored.entries]
    if seqs != list(range(1, len(seqs) + 1)) or stored.row.last_seq != len(seqs):
        yield Wrong("gap", f"the log has a gap or a double: {seqs} of {stored.row.last_seq}")


def _acknowledgements(notes: Notes, stored: Stored) -> Iterator[Wrong]:
    """What was acknowledged is there, as it was sent, and after all that was acknowledged before it was sent."""
    for press in notes.presses:
        if press.match != stored.terms.id or press.acknowledged is None:
            continue
        if press.stored != press.acknowledged:
            yield Wrong("lost", f"acknowledged and not there: {press}")
        if press.acknowledged <= press.after:
            yield Wrong("order", f"sent after entry {press.after} was acknowledged: {press}")


def _entries(notes: Notes, stored: Stored, matchlog: MatchLog) -> Iterator[Wrong]:
    """Fold the log by hand: every entry fits and has somebody to do it, and what was seen is what followed."""
    sent: dict[tuple[int | None, str], list[Press]] = {}
    for press in notes.presses:
        if press.match == stored.terms.id:
            press.stored = None
            sent.setdefault((press.seat, press.said), []).append(press)
    seen: dict[int, list[Sight]] = {}
    for sight in notes.sights:
        if sight.match == stored.terms.id:
            seen.setdefault(sight.seq, []).append(sight)
    yield from _sights(matchlog, seen.pop(0, ()), stored.entries)
    for done, row in enumerate(stored.entries, 1):
        yield from _doing(row, sent.get((row.seat, row.action or row.kind), ()), stored.terms, matchlog)
        try:
            matchlog.absorb(from_log(row))
        except GameError as error:
            yield Wrong("unfit", f"entry {row.seq} does not fit: {error}")
            return
        yield from _sights(matchlog, seen.pop(row.seq, ()), stored.entries[done:])
    for seq in seen:
        yield Wrong("view", f"what never was, at {seq}: the log ends at {matchlog.head.seq}")


def _doing(row: LogEntry, sent: Sequence[Press], terms: Terms, matchlog: MatchLog) -> Iterator[Wrong]:
    """An entry is one key of its own player, which counts once, for the question it was meant for; or the server's.

    `sent`: what its seat sent with these words.
    """
    fitting = [press for press in sent if _may_be(press, row, matchlog.head)]
    fresh = [press for press in fitting if press.stored is None]
    for press in [one for one in fitting if one.acknowledged == row.seq] or fresh[:1]:
        press.stored = row.seq
    if not fitting:
        if not _is_of_the_server(row, terms, matchlog):
            yield Wrong("stranger", f"nobody sent {row}")
    elif not fresh:
        yield Wrong("double", f"one key, stored twice: {row}, {fitting}")
    elif row.kind == "action" and all(press.turn_seq < matchlog.head.changed[press.seat] for press in fresh):
        yield Wrong("double", f"an answer that counted for another question: {row}, {fresh}")


def _may_be(press: Press, row: LogEntry, before: Checkpoint) -> bool:
    """Tell whether this key made this entry: by its moment, or, after a credit, by when the question began anew."""
    if press.at == row.at or (row.kind == RESIGN and press.at < row.at):
        return True
    decision = before.clocks.decisions[press.seat]
    return row.kind == "action" and decision is not None and press.at < row.at == decision.since


def _is_of_the_server(row: LogEntry, terms: Terms, matchlog: MatchLog) -> bool:
    """Tell whether the server may append this by itself: a time that is up, a bot's answer, an automatic one."""
    if row.kind in BY_NOBODY:
        return True
    if row.kind != "action" or row.seat is None:
        return False
    automatic = matchlog.game.automatic(matchlog.head.fold.state, Seat(row.seat))
    return levels(terms, matchlog.head)[row.seat] is not None or (
        automatic is not None and automatic.text == row.action
    )


def _sights(matchlog: MatchLog, sights: Sequence[Sight], later: Sequence[LogEntry]) -> Iterator[Wrong]:
    """Everybody saw moments of the truth, and none before it was stored; `line` is where the log stands.

    A seat sees its own settings before the others are told of them: those of the `later` entries may be in its view.
    """
    views: dict[Viewer, list[Any]] = {}
    for sight in sights:
        if sight.seq > sight.stored:
            yield Wrong("early", f"shown before it was stored ({sight.stored}): {sight.seq} at {sight.process}")
        if sight.viewer not in views:
            views[sight.viewer] = [*_views(matchlog, sight.viewer, later)]
        if sight.view not in views[sight.viewer]:
            yield Wrong("view", f"what never was, at {sight.seq}, seen by {sight.viewer!r} at {sight.process}")


def _views(matchlog: MatchLog, viewer: Viewer, later: Sequence[LogEntry]) -> Iterator[Any]:
    """Yield the view of where the log stands, and those with a seat's own settings that nobody else is told of yet."""
    game, state = matchlog.game, matchlog.head.fold.state
    yield game.view(state, viewer)
    for row in () if isinstance(viewer, Watcher) else later:
        if row.kind == "setting" and row.seat == viewer:
            try:
                state = game.apply(state, viewer, Action(row.action or "")).state
            except GameError:  # it fits only what is not shown yet
                return
            yield game.view(state, viewer)
        elif row.kind != "setting" and not {"quiet_until", "shown_at"} & set(row.data or ()):
            return


def _seen_going_back(notes: Notes) -> Iterator[Wrong]:
    last: dict[tuple[str, str], int] = {}
    for sight in notes.sights:
        key = sight.match, sight.process
        if sight.seq < last.get(key, 0):
            yield Wrong("back", f"{sight.process} showed {last[key]}, then {sight.seq}")
        last[key] = sight.seq


def _streams(notes: Notes, stored: Stored, matchlog: MatchLog) -> Iterator[Wrong]:
    """What a spectator was told at one process is a beginning of what happened."""
    truth = matchlog.events(Watcher.PUBLIC, -1, matchlog.head.seq)
    for (match, process), stream in notes.streams.items():
        if match == stored.terms.id and stream != truth[: len(stream)]:
            yield Wrong("stream", f"a spectator at {process} was told what never was")


def _ends(stored: Stored, end: Checkpoint) -> Iterator[Wrong]:
    """Every process came to the same end, and the match's row says the same."""
    for process, checkpoint in stored.ends.items():
        if checkpoint != end:
            yield Wrong("behind", f"{process} is at {checkpoint.seq}, the log at {end.seq}, or they differ")
    row = stored.row
    result = None if end.fold.result is None else result_json(end.fold.result)
    if row.status != end.fold.status.value or row.result != result:
        yield Wrong("row", f"the row says {row.status} {row.result}, the log {end.fold.status.value} {result}")
    if not end.fold.is_over and row.deadline != due_at(stored.terms, end):
        yield Wrong("row", f"the row's deadline is {row.deadline}, by the log it is {due_at(stored.terms, end)}")
