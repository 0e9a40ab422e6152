"""One match: the cached fold of its log, the way to append to it, and who hears of what is new."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import Any

from game.contract import Seat, Viewer
from game.errors import GameError
from game.replay import CONDITIONAL, TAKEBACK, Entry, Status
from server.accounts.identity import Player
from server.clock import parse_rfc3339
from server.errors import Refused
from server.log import get_logger
from server.matches import drafts, finish, leaving, viewer_state
from server.matches.announcer import Announcer, Subscriber
from server.matches.change import MatchChange, OnChange
from server.matches.checkpoint import Checkpoint, after
from server.matches.context import MatchContext
from server.matches.deadlines import due_at
from server.matches.drafts import Draft, Drafted
from server.matches.errors import MatchPaused
from server.matches.matchlog import Known, MatchLog, from_log, to_log
from server.matches.model import Changed
from server.matches.terms import Terms
from server.matches.viewer_state import levels
from server.presence.attendance import Attendance, Here, Visitor
from server.store import checkpoints
from server.store import matches as store
from server.store.appends import Append, Effect
from server.store.errors import NotSaved, SeqTaken, StoreUnavailable

log = get_logger("matches")
MOST_ATTEMPTS = 64  # to be first; each lost one means that another entry came in between
GALLERY_PAUSE_S = 1.0
Brings = Callable[[Entry], tuple[Effect, ...]]
Also = Callable[[Entry, Checkpoint], tuple[Effect, ...]]
MOVES = ("action", CONDITIONAL, "setting")  # kinds of entries that are believed when another process tells them


def nothing_else(entry: Entry, then: Checkpoint) -> tuple[Effect, ...]:
    """Let an entry's transaction do nothing more."""
    return ()


class LiveMatch:
    """One live or finished match in this process: its log and who looks. Everything durable goes through `submit`."""

    def __init__(
        self,
        context: MatchContext,
        terms: Terms,
        matchlog: MatchLog | None,
        brings: Brings,
    ) -> None:
        """`brings`: what else an entry's transaction does."""
        self.context = context
        self.terms = terms
        self.log = matchlog or MatchLog(terms)
        self.attendance = Attendance(
            context.clock,
            terms.players,
            self._presence_changed,
            context.presence.connections.is_connected,
            context.presence.connections.is_invisible,
            context.presence.connections.counts_as,
        )
        self.announcer = Announcer(context.tasks)
        self._brings = brings
        self._unfolding = asyncio.Lock()
        self.is_broken = False
        self.failing_bots: dict[Seat, datetime] = {}  # seats whose bot can't answer in this process, and since when
        self.rating_changes: Mapping[Seat, tuple[int, int]] = {}
        self.rating_reasons: Mapping[Seat, str] = {}  # why it counted less than in full
        self.changed_no_rating = False  # once that is known: it was agreed to be rated, and changed nothing
        self._followers: list[OnChange] = []  # who acts in the match by itself; told before anybody else
        self.version = 0
        self._out: frozenset[Seat] = frozenset()
        self._reveal_at: datetime | None = None
        self._gallery_is_due = False
        self._end_is_due = False  # it has ended, and its players were not told yet

    @property
    def id(self) -> str:
        return self.terms.id

    @property
    def game(self) -> str:
        return self.terms.game

    @property
    def shown(self) -> Checkpoint:
        """Return the last checkpoint that everybody may know of."""
        return self.log.shown(self.context.clock.now())

    @property
    def is_over(self) -> bool:
        """Tell whether the match has ended, and everybody may know it."""
        return self.shown.fold.is_over

    @property
    def ended_at(self) -> datetime | None:
        return parse_rfc3339(self.log.entries[-1].at or "") if self.is_over and self.log.entries else None

    # What others look at

    def known_to(self, viewer: Viewer) -> Checkpoint:
        """Return the checkpoint by which a viewer's own answers are told: a seat knows what it has done itself."""
        unseen = self.log.entries[self.shown.seq :]
        return self.log.head if any(entry.seat == viewer for entry in unseen) else self.shown

    @property
    def is_watched(self) -> bool:
        """Tell whether anybody in this process looks at the match."""
        return len(self.announcer) > 0 or not self.attendance.is_empty

    def last_act(self, seat: Seat) -> int:
        """Return the seq of the last decision of a seat; 0: none yet."""
        found = (entry.seq for entry in reversed(self.log.entries) if entry.seat == seat and entry.is_decision)
        return next(found, 0)

    def owing(self, asker: Player | None = None) -> tuple[Seat, ...]:
        """Return who owes a decision, as it may be shown; without `asker` where they have answered and are not told."""
        shown, seats = self.shown, (one.seat for one in self.shown.pending)
        mine = None if asker is None else self.terms.seat_of(asker)
        if mine is None or viewer_state.own_pending(mine, shown, self.known_to(mine)) is not None:
            return tuple(seats)
        return tuple(seat for seat in seats if seat != mine)

    @property
    def out(self) -> frozenset[Seat]:
        """Return the seats that are out, as it may be shown."""
        return self.seats_out(self.shown)

    @property
    def people_playing(self) -> tuple[Seat, ...]:
        """Return the seats whose own people are still in play; of a match that is over, those that no bot has taken."""
        shown = self.shown
        level_of = levels(self.terms, shown)
        people = tuple(seat for seat in self.terms.people if level_of[seat] is None)
        if shown.fold.is_over:
            return people
        playing = self.log.game.playing(shown.fold.state)
        return tuple(seat for seat in people if seat in playing)

    def seats_out(self, checkpoint: Checkpoint) -> frozenset[Seat]:
        """Return the seats that are out; of a match that is not being played, those that were known to be."""
        if self.terms.n_seats == 2 or not checkpoint.is_live:
            return self._out
        out = frozenset(self.terms.seats).difference(self.log.game.playing(checkpoint.fold.state))
        if checkpoint is self.shown:
            self._out = out
        return out

    # What players do

    async def act_for(
        self, seat: Seat, action: str, at_seq: int, arrived: datetime | None = None, also: Also = nothing_else
    ) -> int:
        """Do what was decided on a seat, by whoever decides there.

        Raises Stale, TooLate, NotYourTurn, MatchOver, MatchPaused, NotSaved, and what the rules raise.
        """
        if at_seq > self.log.head.seq:
            await self.catch_up()
        now, timing, game = self.context.clock.now(), self.context.timing, self.log.game

        def draft(checkpoint: Checkpoint) -> Drafted:
            return drafts.action(game, checkpoint, timing, seat, action, at_seq, now, arrived)

        return await self.submit(draft, also)

    def draft_entry(self, checkpoint: Checkpoint, kind: str, seat: Seat | None = None, **data: Any) -> Drafted:
        """Draft an entry that is no action, at this moment."""
        return drafts.draft_entry(self.log.game, checkpoint, kind, self.context.clock.now(), seat, data)

    async def submit(self, draft: Draft, also: Also = nothing_else) -> int:
        """Append what `draft` makes of the log's end; with every entry that came first it is asked again.

        `also`: what the entry's transaction does before all else, from the entry and what it leads to.
        """
        for _ in range(MOST_ATTEMPTS):
            head = self.log.head
            drafted = self._guarded(draft, head)
            entry, then, events = drafted
            try:
                await self._append(entry, then, also(entry, then))
            except SeqTaken as error:
                await (self.mend() if error.last_seq < head.seq else self.catch_up())
                continue
            except (asyncio.CancelledError, NotSaved):
                self.context.tasks.spawn(self._try_to_catch_up(), "catch-up")  # the entry may be stored all the same
                raise
            if self.log.head is head:
                self.absorb(entry, (then, events))
            else:
                await self._try_to_catch_up()  # it is stored: that must be said, whatever the store does now
            self.context.hint(self.id, entry.seq, entry=entry)
            if self.shown is self.log.head:  # what is held back would be shown at once where it is read again
                self.context.checkpoint_writer.record(self.id, self.log.game, self.log.head)
            if self.log.head.fold.is_over:
                log.info(
                    "match.ended",
                    match=self.id,
                    status=self.log.head.fold.status.value,
                    by=entry.kind,
                    entries=entry.seq,
                )
            leaving.count_leaver(self.context, self.terms, self.log.entries, entry, then)
            return entry.seq
        raise NotSaved("too many others were faster")

    def _guarded(self, draft: Draft, head: Checkpoint) -> Drafted:
        """Ask for a draft; a rules object that fails pauses this match and no other."""
        if self.is_broken:
            raise MatchPaused("match.error.paused")
        try:
            return draft(head)
        except (GameError, Refused):
            raise
        except Exception as error:  # the guard of one match: its rules fail
            self._break(head.seq + 1)
            raise MatchPaused("match.error.paused") from error

    async def _append(self, entry: Entry, then: Checkpoint, first: tuple[Effect, ...]) -> None:
        """Store an entry with everything that follows from it."""
        now = self.log.head.fold.status
        status = then.fold.status.value if then.fold.status is not now and not then.fold.is_over else None
        await self.context.writer.append(
            Append(
                self.id,
                (to_log(entry),),
                deadline=due_at(self.terms, then),
                status=status,
                effects=(
                    *first,
                    *finish.effects(self.context, self.terms, self.log.game, then, entry),
                    *self._brings(entry),
                ),
            )
        )

    # Following the log

    async def whole(self) -> None:
        """Fold the match's beginning too, a few entries at a time between others' work."""
        try:
            async with self._unfolding:  # whoever comes second finds it done
                for folded, _ in enumerate(self.log.unfold()):
                    await self.context.give_way(folded)
        except GameError:
            self._break(self.log.head.seq)
        if self.log.pop_was_wrong():
            log.error("checkpoint.differs", match=self.id)
            self.context.tasks.spawn(self._forget_kept(), "forget checkpoint")
            self.changed()

    async def _forget_kept(self) -> None:
        with suppress(StoreUnavailable):
            await self.context.database.write(checkpoints.forget, self.id)

    async def catch_up(self) -> None:
        """Read what the log has and this cache has not. Raises StoreUnavailable."""
        for row in await self.context.database.read(store.log, self.id, self.log.head.seq):
            if row.kind == TAKEBACK:
                await self.whole()  # it may go back to what is not folded yet
            if row.seq == self.log.head.seq + 1:
                self.absorb(from_log(row))

    async def mend(self) -> None:
        """Begin anew from the log where more is known here than it holds: what was told was never stored, or is lost.

        Raises StoreUnavailable.
        """
        before, known = self.log, self.log.head.seq
        rows = await self.context.database.read(store.log, self.id, 0)
        if len(rows) >= known or self.log is not before:
            return
        log.error("match.ahead-of-its-log", match=self.id, known=known, stored=len(rows))
        matchlog = MatchLog(self.terms)
        for row in rows:
            await self.context.give_way(row.seq - 1)
            matchlog.absorb(from_log(row))
        if self.log is not before:
            return  # somebody else has done it meanwhile
        self.log, self._out, self._reveal_at = matchlog, frozenset(), None
        self.context.checkpoint_writer.forget(self.id)
        self.changed()
        self.reveal_later()

    async def hear(self, seq: int, told: Entry | None) -> None:
        """Follow another process, which says that the log has an entry `seq`, perhaps with the entry itself.

        Only a move that is the very next entry and fits is taken as it was told; else the log is read: most of all for
        an end, after which everybody may see all there is, and where hands are open. Raises StoreUnavailable.
        """
        head = self.log.head
        if seq <= head.seq or self.is_broken:
            return
        if told is not None and seq == head.seq + 1 and (known := self._fitting(told, head)) is not None:
            self.absorb(told, known)
        else:
            await self.catch_up()
        self.context.checkpoint_writer.kept_elsewhere(self.id, seq)

    def _fitting(self, told: Entry, head: Checkpoint) -> Known | None:
        """Return what a move leads to after which the match goes on; None: it can't be what the log has, or is more."""
        if told.kind not in MOVES or self.terms.has_open_hands:
            return None
        try:
            known = after(self.log.game, head, told)
        except Exception:  # the guard of a hint: what the log itself has decides, not what was told
            log.warning("hint.does-not-fit", match=self.id, seq=told.seq, exc_info=True)
            return None
        return known if known[0].is_live else None

    async def _try_to_catch_up(self) -> None:
        with suppress(StoreUnavailable):
            await self.catch_up()

    def absorb(self, entry: Entry, known: tuple[Checkpoint, Any] | None = None) -> None:
        """Take in the next entry and tell everybody who may notice it."""
        was_over = self.log.head.fold.is_over
        try:
            self.log.absorb(entry, known)
        except Exception:  # the guard of one match: `_break` logs it  # noqa: BLE001
            self._break(entry.seq)
            return
        self._end_is_due = self._end_is_due or (self.log.head.fold.is_over and not was_over)
        held = self.log.next_reveal is not None
        self.changed(only=entry.seat if held else None)
        if held:
            self.reveal_later()
        if self.log.head.fold.is_over and not was_over:
            self.context.tasks.spawn(self.load_rating_changes(), "rating-changes")

    def _break(self, seq: int) -> None:
        log.exception("match.broken", match=self.id, seq=seq)
        self.is_broken = True
        self.changed()

    def try_again(self) -> None:
        """Take entries again after the rules failed: an admin wants to end the match."""
        self.is_broken = False

    def set_bot_failing(self, seat: Seat, fails: bool) -> None:
        """Record whether the bot that is asked for a seat can't answer now; it is asked again."""
        if fails and seat not in self.failing_bots:
            self.failing_bots[seat] = self.context.clock.now()
            self.changed()
        elif not fails and self.failing_bots.pop(seat, None) is not None:
            self.changed()

    def rename(self, account_id: int, name: str) -> None:
        """Rename a person on every seat and in the gallery."""
        self.attendance.rename(account_id, name)
        terms = self.terms.renamed(account_id, name)
        if terms != self.terms:
            self.terms = terms
            self.changed()

    def mark(self) -> None:
        """Show who of the players is a machine now."""
        terms = self.terms.marked(self.context.machines)
        if terms != self.terms:
            self.terms = terms
            self.changed()

    async def load_rating_changes(self) -> None:
        """Read what a finished match changed. Raises StoreUnavailable."""
        if self.terms.agreement.rated and self.log.head.fold.status is Status.FINISHED:
            changes = await self.context.ratings.changes(self.id)
            reasons = await self.context.ratings.reasons(self.id) if changes else {}
            self.rating_changes = {Seat(seat): change for seat, change in changes.items()}
            self.rating_reasons = {Seat(seat): why for seat, why in reasons.items()}
            self.changed_no_rating = not changes
            if self.is_over:
                self.changed()  # where the end is withheld, everybody is told of both together

    async def wait_for_ratings(self) -> None:
        """Wait until a finished match's ratings can be told. Where the store does not answer they are left out."""
        if not self.rating_changes:
            with suppress(StoreUnavailable):
                await self.load_rating_changes()

    def reveal_later(self) -> None:
        """Start a task that shows what is held back when its time has come."""
        self.log.shown(self.context.clock.now())
        at = self.log.next_reveal
        if at is not None and at != self._reveal_at:
            self._reveal_at = at
            self.context.tasks.spawn(self._reveal(at), "reveal")

    async def _reveal(self, at: datetime) -> None:
        """Tell everybody when the time has come: not before, or nobody would ever be told."""
        clock = self.context.clock
        while (left := (at - clock.now()).total_seconds()) > 0:
            await clock.sleep(left)  # may come back a moment early: what sleeps and what tells the time are two clocks
        self.log.shown(clock.now())
        self.changed()
        self.reveal_later()

    def changed(self, only: Seat | None = None) -> None:
        """Tell one seat, or everybody, that something can be seen that could not be before."""
        self.version += 1
        self._tell_followers(MatchChange(self.log.head, only))
        self.announcer.announce(only)
        if self._end_is_due and self.is_over:
            self._end_is_due = False
            for tell in self.context.on_end:
                tell(self.id)

    def follow(self, on_change: OnChange) -> None:
        """Call back on every change, in the order in which it was asked for, before whoever only looks."""
        self._followers.append(on_change)

    def _tell_followers(self, change: MatchChange) -> None:
        for on_change in self._followers:
            on_change(change)

    # Who looks

    def subscribe(self, viewer: Viewer, changed: Changed) -> Subscriber:
        """Call back on the loop whenever `snapshot(viewer)` has something new."""
        return self.announcer.listen(viewer, changed)

    def enter(self, player: Player, seat: Seat | None, session: str, paced: bool = True, on_case: bool = False) -> Here:
        """Note that a session looks at this match, from its seat or the gallery. `paced`: with a person's eyes.

        `on_case`: a moderator's, who comes from a report.
        """
        where = self.context.presence.connections
        where.place(session, self.id, seat)
        here = self.attendance.enter(
            session, Visitor(player, seat, paced, on_case), partial(where.unplace, session, self.id)
        )
        if seat is not None:
            self._tell_followers(MatchChange(self.log.head, seat, entered=seat))
        return here

    def _presence_changed(self, seat: Seat | None) -> None:
        """Tell about a player at once; about the gallery at most once a second: there may be hundreds."""
        if seat is not None:
            self.changed()
        elif not self._gallery_is_due:
            self._gallery_is_due = True
            self.context.tasks.spawn(self._gallery_changed(), "gallery")

    async def _gallery_changed(self) -> None:
        await self.context.clock.sleep(GALLERY_PAUSE_S)
        self._gallery_is_due = False
        self.changed()
