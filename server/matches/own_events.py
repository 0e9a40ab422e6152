"""An account's events: what of its matches, and what others asked of it, concerned it in the last 14 days.

Those of matches follow from the logs, up to what everybody may see, and are made when somebody asks: a move costs
nothing more. Each is stored once, with a number; a cursor is that number, sealed, so that nobody can make one up.
"""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime

from game.contract import Seat
from game.replay import CONDITIONAL, Entry
from server.clock import rfc3339
from server.errors import RateLimited, Refused
from server.matches import conditional_lines
from server.matches.checkpoint import Checkpoint
from server.matches.context import MatchContext
from server.matches.match import Match
from server.matches.speeds import DAILY
from server.matches.terms import Terms
from server.store import events as store
from server.store.events import Derived, EventMark, Kind, NewEvent, StoredEvent
from server.store.server_secrets import secret_for
from server.upkeep import EVENTS_KEPT

MARK_EVERY = 32  # entries of which nothing follows before that is noted
AT_ONCE = 500  # events of one question
MOST_FOLLOWING = 4  # programs of one account that follow its events at once, by each process
RETRY_S = 60.0  # after which one may try again
SECRET = "event cursors"  # noqa: S105 - the name of one
SEAL_CHARS = 12
Open = Callable[[str], Awaitable[Match | None]]


@dataclass(frozen=True, slots=True)
class OwnEvent:
    """One event of an account. `cursor`: what to ask with for what comes after it."""

    cursor: str
    kind: Kind
    match: str | None
    who: str | None
    at: datetime


class OwnEvents:
    """Makes and tells the events of accounts."""

    def __init__(self, context: MatchContext, open_match: Open) -> None:
        self._context = context
        self._open = open_match
        self._secret: bytes | None = None
        self._followed = Counter[int]()  # by account

    async def after(self, account_id: int, cursor: str | None) -> list[OwnEvent]:
        """Return an account's events after a cursor (None: all that are kept), the oldest first; some of too many.

        Raises Refused for a cursor that this account was never given, NotSaved, StoreUnavailable.
        """
        no = 0 if cursor is None else await self._number_of(account_id, cursor)
        await self.make(account_id)
        secret = await self._sealing()
        found = await self.stored(account_id, no)
        return [OwnEvent(seal(secret, account_id, one.no), one.kind, one.match_id, one.who, one.at) for one in found]

    @contextmanager
    def followed(self, account_id: int) -> Iterator[None]:
        """Have an account's events followed inside; each who does asks the store every second. Raises RateLimited."""
        if self._followed[account_id] >= MOST_FOLLOWING:
            raise RateLimited("events_followed", round(RETRY_S * 1000))
        self._followed[account_id] += 1
        try:
            yield
        finally:
            self._followed[account_id] -= 1
            self._followed += Counter[int]()  # drops what is zero

    async def stored(self, account_id: int, no: int) -> list[StoredEvent]:
        """Return the events that are made already, after number `no`; at most AT_ONCE."""
        since = self._context.clock.now() - EVENTS_KEPT
        return await self._context.database.read(store.after, account_id, no, since, AT_ONCE)

    async def last_no(self, account_id: int) -> int:
        """Return the number of an account's last event; 0: it has none. Raises StoreUnavailable."""
        return await self._context.database.read(store.last_no, account_id)

    async def make(self, account_id: int) -> None:
        """Make the events that follow from the account's logs by now. Raises NotSaved, StoreUnavailable."""
        since = self._context.clock.now() - EVENTS_KEPT
        derived = []
        for match_id, last_seq, mark in await self._context.database.read(store.unmade, account_id, since):
            with suppress(Refused):  # one that is gone meanwhile, or unreadable, holds up no other
                match = await self._open(match_id)
                if match is not None and (one := await self._derive(match, account_id, last_seq, mark)) is not None:
                    derived.append(one)
        if derived:
            await self._context.database.write(store.add_derived, account_id, derived, since)

    async def _derive(self, match: Match, account_id: int, last_seq: int, mark: EventMark | None) -> Derived | None:
        """Return what follows from a match's log since a mark; None: nothing that may be told yet."""
        live, terms = match.live, match.terms
        seat = next((seat for seat in terms.people if terms.players[seat].account_id == account_id), None)
        if live.log.head.seq < last_seq:
            await live.catch_up()
        if mark is None or mark.seq < live.log.begins_at:
            await live.whole()
        log, shown = live.log, live.shown
        if seat is None or live.is_broken or shown.seq < (-1 if mark is None else mark.seq):
            return None
        told = TurnTeller(terms, seat, mark is not None and mark.is_told)
        made = list[NewEvent]()
        other = other_account(terms, seat)
        if mark is None:
            checkpoint = log.at(0)
            if len(terms.people) > 1:
                made.append(NewEvent("paired", terms.started_at, terms.id, other))
            if told.begins(None, None, checkpoint) and not _is_copied(terms, log.entries, 1):
                made.append(NewEvent("my_turn", terms.started_at, terms.id, other))
        else:
            checkpoint = log.at(mark.seq)
        for seq in range(checkpoint.seq + 1, shown.seq + 1):
            await self._context.give_way(seq)
            before, entry = checkpoint, log.entries[seq - 1]
            checkpoint, _ = log.after(before, entry)
            is_turn = told.begins(before, entry, checkpoint)
            if is_turn and not (_is_copied(terms, log.entries, seq + 1) or _answers_itself(log.entries[seq:], seat)):
                made.append(NewEvent("my_turn", log.moment(seq), terms.id, other))
        is_over = checkpoint.fold.is_over
        if is_over and not (mark is not None and mark.is_over):
            made.append(NewEvent("ended", log.moment(checkpoint.seq), terms.id, other))
        reached = EventMark(checkpoint.seq, told.is_told, is_over)
        if reached == mark or (mark is not None and not made and reached.seq < mark.seq + MARK_EVERY):
            return None  # it is made again with what comes next
        is_asked = match.conditional_moves.are_possible and checkpoint.owed_by(seat) is not None
        has_turn = any(one.kind == "my_turn" for one in made)
        return Derived(terms.id, mark, reached, tuple(made), seat if is_asked and has_turn else None)

    async def _number_of(self, account_id: int, cursor: str) -> int:
        """Return which event a cursor names. Raises Refused alike for another's, and for none at all."""
        text, _, _ = cursor.partition(".")
        no = int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else 0
        given = seal(await self._sealing(), account_id, no)
        last = await self.last_no(account_id)
        if not hmac.compare_digest(given.encode(), cursor.encode()) or not 0 < no <= last:
            raise Refused("events.unknown-cursor")
        return no

    async def _sealing(self) -> bytes:
        if self._secret is None:
            self._secret = await self._context.database.write(secret_for, SECRET, self._context.clock.now())
        return self._secret


def seal(secret: bytes, account_id: int, no: int) -> str:
    """Return the cursor of an account's event number `no`."""
    sealed = hmac.new(secret, f"{account_id}:{no}".encode(), hashlib.sha256)
    return f"{no}.{sealed.hexdigest()[:SEAL_CHARS]}"


@dataclass(slots=True)
class TurnTeller:
    """Says when a seat's turn begins: once, until another seat has decided something.

    A window is a turn of its own in daily play, and none elsewhere.
    """

    terms: Terms
    seat: Seat
    is_told: bool  # the turn that goes on has been said to begin

    def begins(self, before: Checkpoint | None, entry: Entry | None, now: Checkpoint) -> bool:
        """Tell whether an entry begins a turn of the seat; `before` None: the match itself does."""
        if entry is not None and before is not None and entry.seat not in (None, self.seat):
            decided = before.owed_by(Seat(entry.seat)) if entry.seat is not None else None
            if decided is not None and decided.window is None:
                self.is_told = False
        if not self._plays(now):
            self.is_told = False
            return False
        asked = now.owed_by(self.seat)
        if asked is None:
            return False
        if asked.window is not None:
            is_new = now.changed[self.seat] == now.seq
            return is_new and not asked.idle and self.terms.speed.name == DAILY
        if before is not None and self._plays(before) and before.owed_by(self.seat) == asked:
            return False  # it decides together with others, one of whom has
        begins, self.is_told = not self.is_told, True
        return begins

    def _plays(self, checkpoint: Checkpoint) -> bool:
        """Tell whether the match goes on, and its person plays for the seat."""
        return checkpoint.is_live and checkpoint.fold.bots[self.seat] is None


def other_account(terms: Terms, seat: Seat) -> int | None:
    """Return the account of the one other person of a match; None: there are several, or none with an account."""
    others = [terms.players[one].account_id for one in terms.people if one != seat]
    return others[0] if len(others) == 1 else None


def _is_copied(terms: Terms, entries: list[Entry], seq: int) -> bool:
    """Tell whether entry `seq` was copied from another match as this one began (`branch.py`): it was nobody's turn."""
    is_branch = terms.agreement.private and len(terms.people) == 1
    return is_branch and seq <= len(entries) and entries[seq - 1].at == rfc3339(terms.started_at)


def _answers_itself(later: list[Entry], seat: Seat) -> bool:
    """Tell whether the entries after a turn began answer it by a conditional move: it was nobody's turn."""
    own = next((entry for entry in later if entry.kind not in conditional_lines.IGNORED), None)
    return own is not None and own.kind == CONDITIONAL and own.seat == seat
