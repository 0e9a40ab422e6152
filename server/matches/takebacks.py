"""Taking back one's last decision: who may ask, who agrees, and whether it may still be granted.

All of it is decided by what everybody may know (`Checkpoint.back` of the last checkpoint that is shown), so asking
tells nothing. Asking and answering are stored; what comes of them is an entry of the log.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime

from game.contract import Seat, Viewer, Watcher
from game.errors import GameError
from game.replay import TAKEBACK, Entry
from server.clock import rfc3339
from server.errors import Refused
from server.log import get_logger
from server.matches import withholding
from server.matches.change import MatchChange
from server.matches.checkpoint import Checkpoint
from server.matches.context import RETRY_S
from server.matches.drafts import Drafted, check_live
from server.matches.errors import MatchRefused, NotOffered
from server.matches.live import LiveMatch
from server.matches.offers import Offers
from server.matches.rated import check_takeback
from server.matches.viewer_state import levels
from server.store import processes, takebacks
from server.store.appends import Effect
from server.store.arrangements import StoredOffer
from server.store.errors import StoreUnavailable
from server.store.takebacks import AGREED, ASKED

log = get_logger("matches.takebacks")
MOST_TAKEBACKS = 100  # of one seat; else a log could grow for ever, and with it what is kept to look back
SHOWN_S = 0.1


class TakeBacks:
    """The take-backs of one match. Other processes may conclude the same one: the log takes the entry of one."""

    def __init__(self, match: LiveMatch, offers: Offers) -> None:
        self._match = match
        self._context = match.context
        self._offers = offers
        self._is_concluding = False
        self._told: StoredOffer | None = None  # what is asked, as last told
        self._told_until: datetime | None = None  # when it lapses, as last told
        match.follow(self.on_change)

    # Who may ask

    def may_ask(self, viewer: Viewer) -> bool:
        """Tell whether a viewer may ask to take back now."""
        return not isinstance(viewer, Watcher) and self._context.heartbeat_reads() and self.why_not(viewer) is None

    def why_not(self, seat: Seat) -> Refused | None:
        """Return why a seat may not ask to take back now; None: it may."""
        try:
            target_of(self._match, seat, self._match.shown)
        except Refused as refusal:
            return refusal
        return None

    @property
    def asked(self) -> StoredOffer | None:
        """Return what is asked and was neither answered by all, nor has lapsed or become impossible."""
        now = self._context.clock.now()
        return next((one for one in self._offers.stored(ASKED) if self._stands(one, now)), None)

    def _stands(self, asked: StoredOffer, now: datetime) -> bool:
        shown = self._match.shown
        is_same = shown.is_live and shown.back[asked.seat] == asked.seq
        return is_same and (self._has_time(asked, now) or self._is_agreed(asked))

    def _has_time(self, asked: StoredOffer, now: datetime) -> bool:
        return asked.at is not None and now < asked.at + self._offers.patience

    def _agreed(self, asked: StoredOffer) -> frozenset[Seat]:
        """Return who has agreed to what is asked."""
        said = (one for one in self._offers.stored(AGREED) if one.seq == asked.seq)
        return frozenset(Seat(one.seat) for one in said if one.at and asked.at and one.at >= asked.at)

    def _others(self, seat: Seat) -> frozenset[Seat]:
        """Return the other people who are still in play: all of them must agree. Bots do."""
        return frozenset(self._match.people_playing) - {seat}

    def _is_agreed(self, asked: StoredOffer) -> bool:
        return self._agreed(asked) >= self._others(Seat(asked.seat))

    def waits_for(self, seat: Seat) -> bool:
        """Tell whether a seat is asked, and has not answered."""
        asked = self.asked
        return asked is not None and seat in self._others(Seat(asked.seat)) - self._agreed(asked)

    # Asking and answering

    async def ask(self, seat: Seat) -> None:
        """Ask to take back one's last decision; where all others are bots, it is done at once.

        Raises MatchRefused, MatchOver, MatchPaused, NotSaved.
        """
        match, context = self._match, self._context
        await match.catch_up()
        to = target_of(match, seat, match.shown)
        if not await context.database.read(processes.all_read, processes.LOG_VERSION, context.clock.now()):
            raise MatchRefused("match.error.takeback-later")
        if not self._others(seat):
            await self._take_back(seat, to, None)
            return
        made = StoredOffer(ASKED, seat, to, context.clock.now())
        await context.database.write(takebacks.ask, match.id, made, match.shown.back, self._offers.patience)
        await self._said()

    async def answer(self, seat: Seat, accept: bool) -> None:
        """Agree to what somebody asks to take back, or refuse it. Raises NotOffered where nobody asks."""
        await self._offers.reload()
        asked = self.asked
        if asked is None or seat not in self._others(Seat(asked.seat)):
            raise NotOffered
        if accept:
            said = StoredOffer(AGREED, seat, asked.seq, self._context.clock.now())
            await self._context.database.write(takebacks.agree, self._match.id, said)
        else:
            await self._context.database.write(takebacks.refuse, self._match.id, asked)
        await self._said()

    async def _said(self) -> None:
        await self._offers.reload()
        self._context.hint(self._match.id, self._match.shown.seq, offers=True)
        self.attend()

    # What comes of it

    def on_change(self, change: MatchChange) -> None:
        """Do what a change calls for."""
        self.attend()

    def attend(self) -> None:
        """Conclude what all have agreed to, and tell everybody when what is asked lapses."""
        asked = self.asked
        if asked != self._told:
            self._told = asked
            self._offers.notify()
        if asked is None or self._context.is_draining:
            return
        if self._is_agreed(asked):
            if not self._is_concluding:
                self._is_concluding = True
                self._context.tasks.spawn(self._conclude(asked), f"takeback {self._match.id}")
        elif asked.at is not None and self._told_until != (until := asked.at + self._offers.patience):
            self._told_until = until
            self._context.tasks.spawn(self._notify_at(until), f"takeback {self._match.id}")

    async def _notify_at(self, moment: datetime) -> None:
        await self._context.clock.sleep(max(0.0, (moment - self._context.clock.now()).total_seconds()))
        self._match.changed()
        self.attend()

    async def _conclude(self, asked: StoredOffer) -> None:
        try:
            await self._take_back(Seat(asked.seat), asked.seq, asked)
        except StoreUnavailable:
            await self._context.clock.sleep(RETRY_S)
        except (Refused, GameError) as error:
            log.info("takeback.refused", match=self._match.id, why=error.key)
            await self._drop(asked)
        finally:
            self._is_concluding = False
        self.attend()

    async def _drop(self, asked: StoredOffer) -> None:
        """Ask no more for what was agreed to and can't be done."""
        with suppress(StoreUnavailable):
            await self._context.database.write(takebacks.refuse, self._match.id, asked)
            await self._offers.reload()

    async def _take_back(self, seat: Seat, to: int, asked: StoredOffer | None) -> None:
        """Append the take-back once nothing can be held back that others may not know of."""
        match, clock = self._match, self._context.clock
        await match.whole()
        while match.shown.back[seat] == to:
            left_s = (self._hidden_until(match.shown) - clock.now()).total_seconds()
            if left_s <= 0 and match.shown is match.log.head:
                break
            await clock.sleep(max(left_s, SHOWN_S))

        def draft(checkpoint: Checkpoint) -> Drafted:
            if match.shown is not checkpoint or target_of(match, seat, checkpoint) != to:
                raise MatchRefused("match.error.takeback-known")
            if asked is not None and self.asked != asked:
                raise NotOffered
            return takeback_draft(match, checkpoint, seat, to, clock.now())

        await match.submit(draft)
        await self._offers.reload()

    def _hidden_until(self, shown: Checkpoint) -> datetime:
        """Return until when an answer in the open window may be withheld, or quiet: by what everybody knows."""
        until, timing = self._context.clock.now(), self._context.timing
        for pending in shown.pending:
            decision = shown.clocks.decisions[pending.seat]
            if decision is None or pending.window is None or pending.idle:
                continue
            withheld = withholding.withheld_at_most_until(timing, pending, decision)
            free = shown.clocks.free_until(pending.seat) if decision.asked > 1 else None
            until = max(until, withheld or until, free or until)
        return until

    def effects_of(self, entry: Entry) -> tuple[Effect, ...]:
        """Return what an entry does to what is stored: nobody asks any more once something was taken back."""
        return (takebacks.forgotten(self._match.id),) if entry.kind == TAKEBACK else ()


def target_of(match: LiveMatch, seat: Seat, checkpoint: Checkpoint) -> int:
    """Return the entry to which a seat may take back. Raises MatchRefused, MatchOver, MatchPaused with the reason.

    It depends on the agreement, on who plays, and on what everybody knows of the entries since that one.
    """
    check_live(checkpoint)
    terms = match.terms
    check_takeback(terms.agreement.rated)
    plays = seat in terms.people and levels(terms, checkpoint)[seat] is None
    if not plays or seat not in match.log.game.playing(checkpoint.fold.state):
        raise NotOffered
    if match.log.taken_back[seat] >= MOST_TAKEBACKS:
        raise MatchRefused("match.error.takeback-often", n=MOST_TAKEBACKS)
    to = checkpoint.back[seat]
    if to is None:
        raise MatchRefused("match.error.takeback-known")
    return to


def takeback_draft(match: LiveMatch, checkpoint: Checkpoint, seat: Seat, to: int, now: datetime) -> Drafted:
    """Draft a take-back. Raises MatchRefused where it would leave somebody without time."""
    entry = Entry(checkpoint.seq + 1, TAKEBACK, seat, None, rfc3339(now), {"to": to})
    then, events = match.log.after(checkpoint, entry)
    playing = match.log.game.playing(then.fold.state)
    if match.terms.speed.is_timed and not all(then.clocks.banks[one] for one in playing):
        raise MatchRefused("match.error.takeback-no-time")
    return entry, then, events
