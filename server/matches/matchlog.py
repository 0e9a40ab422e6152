"""One match's log in memory and what follows from it: a cache of the fold, never the truth."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, cast

from game.contract import Action, Event, Seat, Viewer
from game.errors import BadNotation
from game.replay import TAKEBACK, Entry, goes_to, standing
from server.clock import parse_rfc3339, rfc3339
from server.matches.checkpoint import AnyGame, Checkpoint, after, effective_at, first, held_until, quiet_until
from server.matches.model import SeenEvent
from server.matches.server_events import server_event
from server.matches.terms import Terms
from server.store.appends import LogEntry

MARK_EVERY = 8  # entries between the checkpoints kept for looking back
HELD_AT_MOST = timedelta(minutes=1)  # what is held back for longer was held back before the clock was set back

Known = tuple[Checkpoint, tuple[Event, ...]]


@dataclass(frozen=True, slots=True)
class Withheld:
    """A checkpoint that may not be shown before `until`; `is_quiet`: or before something that everybody may see."""

    until: datetime
    checkpoint: Checkpoint
    is_quiet: bool


class MatchLog:
    """Entries in order, the checkpoint at their end, and the one that may be shown already.

    It may begin at a checkpoint that was kept: then what came before is folded only when somebody asks for it.
    """

    def __init__(self, terms: Terms, kept: Checkpoint | None = None, before: Sequence[Entry] = ()) -> None:
        """Begin at the start, or at a stored checkpoint and the entries `before` that led to it."""
        self.game: AnyGame = terms.rules
        self._terms = terms
        self._kept = kept
        self._was_wrong = False  # the stored checkpoint did not follow from the log
        self.entries: list[Entry] = list(before)
        self.taken_back = Counter(one.seat for one in before if one.kind == TAKEBACK)  # how often by whom
        self._asked_after: dict[int, int] = {}  # by entry that was taken back: `Checkpoint.asked_after` of its seat
        self.head, events = self._first() if kept is None else (kept, ())
        self._marks = [self.head]
        self._shown = self.head
        self._held: deque[Withheld] = deque()
        self._events: list[tuple[int, Event]] = [(0, event) for event in events]
        self._seen: dict[Viewer, tuple[int, int, list[SeenEvent]]] = {}  # from event, up to event, what is seen of them

    def _first(self) -> Known:
        return first(self.game, self._terms.header, self._terms.speed, self._terms.started_at)

    @property
    def begins_at(self) -> int:
        """Return the entry before which nothing is folded yet; 0: all is."""
        return 0 if self._kept is None else self._kept.seq

    def unfold(self) -> Iterator[None]:
        """Fold what came before the stored checkpoint, an entry a step, and compare.

        Where the kept one does not follow from the log, the log counts (`pop_was_wrong`). Raises as `absorb`.
        """
        kept = self._kept
        if kept is None:
            return
        past = MatchLog(self._terms)
        for entry in self.entries[: kept.seq]:
            past.absorb(entry)
            yield
        if self._kept is not kept:
            return  # somebody else has done it meanwhile
        self._kept = None
        self._seen.clear()
        if past.head != kept:
            self._mend(past)
            return
        self._events = past._events + self._events
        self._marks = [one for one in past._marks if one.seq < kept.seq] + self._marks

    def pop_was_wrong(self) -> bool:
        """Tell, once, whether the stored checkpoint did not follow from the log."""
        was_wrong, self._was_wrong = self._was_wrong, False
        return was_wrong

    def _mend(self, past: MatchLog) -> None:
        """Take what follows from the log in place of everything that followed from a wrong checkpoint."""
        self._was_wrong = True
        later = self.entries[past.head.seq :]
        self.taken_back = past.taken_back
        self._asked_after.clear()
        self.head = self._shown = past.head
        self.entries, self._events, self._marks = past.entries, past._events, past._marks
        self._held.clear()
        for entry in later:
            self.absorb(entry)

    def _unfold_now(self) -> None:
        for _ in self.unfold():
            continue

    def absorb(self, entry: Entry, known: Known | None = None) -> bool:
        """Take in the next entry; `known` is what it leads to, where the caller has worked it out already.

        Returns False for an entry that is here already. Raises BadNotation for a gap, and what the rules raise.
        """
        if entry.seq <= self.head.seq:
            return False
        checkpoint, events = known or self.after(self.head, entry)
        self.head = checkpoint
        self.entries.append(entry)
        if entry.kind == TAKEBACK:
            self.taken_back[entry.seat] += 1
        if entry.seq % MARK_EVERY == 0 or entry.kind == TAKEBACK:  # so that looking back meets no take-back
            self._marks.append(checkpoint)
        if (told := server_event(entry)) is not None:
            self._events.append((entry.seq, told))
        self._events.extend((entry.seq, event) for event in events)
        self._hold(checkpoint, entry)
        return True

    def _hold(self, checkpoint: Checkpoint, entry: Entry) -> None:
        """Show a checkpoint at once, or when it and all before it may be shown.

        What only says nothing yet (`quiet_until`), and settings that follow it, are shown with the next thing that
        everybody may see.
        """
        until, quiet = held_until(entry), quiet_until(entry)
        if until is None and quiet is None and entry.kind != "setting" and not self.is_withholding:
            self._held.clear()
        if until is not None:
            earlier = (replace(one, until=min(one.until, until)) if one.is_quiet else one for one in self._held)
            self._held = deque(earlier)
        moments = [moment for moment in (until, quiet) if moment is not None]
        if self._held:
            moments.append(self._held[-1].until)
        if moments:
            is_quiet = until is None and not self.is_withholding
            self._held.append(Withheld(max(moments), checkpoint, is_quiet))
        else:
            self._shown = checkpoint

    def shown(self, now: datetime) -> Checkpoint:
        """Return the last checkpoint that everybody may know of."""
        while self._held and not now < self._held[0].until < now + self._at_most(self._held[0]):
            self._shown = self._held.popleft().checkpoint
        return self._shown

    def _at_most(self, held: Withheld) -> timedelta:
        free = timedelta(milliseconds=self._terms.speed.window)
        return HELD_AT_MOST + free if held.is_quiet else HELD_AT_MOST

    @property
    def next_reveal(self) -> datetime | None:
        """Return when something that is held back may be shown."""
        return self._held[0].until if self._held else None

    @property
    def is_withholding(self) -> bool:
        """Tell whether something is withheld that ended what was asked; not only that somebody has said nothing."""
        return any(not one.is_quiet for one in self._held)

    def at(self, seq: int) -> Checkpoint:
        """Return the checkpoint after entry `seq`, 0 <= seq <= the log's end. Raises IndexError outside."""
        if not 0 <= seq <= self.head.seq:
            raise IndexError(seq)
        if seq == self.head.seq:
            return self.head
        if seq < self.begins_at:
            self._unfold_now()
        checkpoint = self._marks[bisect_right(self._marks, seq, key=_checkpoint_seq) - 1]
        for entry in self.entries[checkpoint.seq : seq]:
            checkpoint, _ = after(self.game, checkpoint, entry)
        return checkpoint

    @property
    def takebacks(self) -> int:
        """Return how often something was taken back, in a match that is over."""
        return self.taken_back.total() if self.head.fold.is_over else 0

    def answered_before(self, head: Checkpoint, seat: Seat) -> Action | None:
        """Return what a seat has answered in this very position before it was taken back, if it has."""
        if not self.taken_back:
            return None
        counts = {entry.seq for entry in standing(self.entries)}
        said = (one for one in self.entries[self.begins_at :] if one.is_decision and one.seat == seat)
        for entry in (one for one in said if one.seq not in counts):
            if entry.seq not in self._asked_after:  # each is folded once, however often somebody takes back
                self._asked_after[entry.seq] = self.at(entry.seq - 1).asked_after[seat]
            is_then = self._asked_after[entry.seq] == head.asked_after[seat]
            if is_then and self.at(entry.seq - 1).fold.state == head.fold.state:
                return Action(entry.action or "")
        return None

    def after(self, checkpoint: Checkpoint, entry: Entry) -> Known:
        """Return what an entry leads to that comes next. Raises as `absorb`."""
        if entry.kind != TAKEBACK:
            return after(self.game, checkpoint, entry)
        if goes_to(entry) > self.head.seq:
            raise BadNotation("match.gap", f"entry {entry.seq}")
        return after(self.game, checkpoint, entry, self.at(goes_to(entry)))

    def moment(self, seq: int) -> datetime:
        """Return when entry `seq` took effect; 0: when the match began."""
        return effective_at(self.entries[seq - 1]) if seq else self._terms.started_at

    def events(self, viewer: Viewer, since: int, until: int) -> list[SeenEvent]:
        """Return what this viewer may know of entries `since` < seq <= `until` (since -1: with the setup).

        What was looked at is kept, from the earliest entry anybody asked about: who comes back to a long match asks
        for the end of it only.
        """
        if since < self.begins_at:
            self._unfold_now()
        start = bisect_right(self._events, since, key=_seq_of)
        begun, done, seen = self._seen.get(viewer, (start, start, []))
        if start < begun:
            begun, done, seen = start, start, []
        for seq, event in self._events[done:]:
            params = event.seen_by(viewer)
            if params is not None:
                seen.append(SeenEvent(seq, event.kind, params))
        self._seen[viewer] = (begun, len(self._events), seen)
        begin = bisect_right(seen, since, key=_seq)
        return seen[begin : bisect_right(seen, until, key=_seq)]


def _checkpoint_seq(checkpoint: Checkpoint) -> int:
    return checkpoint.seq


def _seq_of(known: tuple[int, Event]) -> int:
    return known[0]


def _seq(event: SeenEvent) -> int:
    return event.seq


def to_log(entry: Entry) -> LogEntry:
    """Return an entry as the store keeps it."""
    at = parse_rfc3339(entry.at or "")
    return LogEntry(entry.seq, entry.kind, at, entry.seat, entry.action, cast(Any, entry.data) or None)


def from_log(row: LogEntry) -> Entry:
    """Return an entry as the rules read it."""
    seat = None if row.seat is None else Seat(row.seat)
    return Entry(row.seq, row.kind, seat, row.action, rfc3339(row.at), _plain(row.data))


def _plain(data: Any) -> dict[str, Any]:
    if data is not None and not isinstance(data, dict):
        raise BadNotation("match.entry", "data is no object")
    return data or {}
