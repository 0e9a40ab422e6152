"""One match: the cached fold of its log, the way to append to it, and the snapshots that everybody shows."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import Any

from game.contract import Seat, Viewer, Watcher
from game.errors import GameError, IllegalAction
from game.replay import Entry, Status
from server.clock import parse_rfc3339
from server.errors import Refused
from server.log import get_logger
from server.matches import drafts, finish, leaving, snapshots
from server.matches.announcer import Announcer, Listener
from server.matches.drafts import Draft, Drafted
from server.matches.due import due_at
from server.matches.errors import MatchPaused, MatchRefused, MatchRunning
from server.matches.happenings import ending
from server.matches.house import House, SeatRating
from server.matches.line import Known, Line, from_log, to_log
from server.matches.model import Changed, SeenEvent, Snapshot
from server.matches.presence import Here, Presences, Visitor
from server.matches.snapshots import levels
from server.matches.standing import Standing, after, is_playing
from server.matches.terms import Terms
from server.store import matches as store
from server.store.appends import Append, Effect
from server.store.errors import NotSaved, SeqTaken, StoreUnavailable

log = get_logger("matches")
MOST_ATTEMPTS = 64  # to be first; each lost one means that another entry came in between
GALLERY_PAUSE_S = 1.0
REPLACEMENT = "normal"  # level of the bot that takes a leaver's seat


class LoggedMatch:
    """One live or finished match in this process: its log and who looks. Everything durable goes through `submit`."""

    def __init__(
        self, house: House, terms: Terms, ratings: tuple[SeatRating | None, ...] = (), line: Line | None = None
    ) -> None:
        self.house = house
        self.terms = terms
        self.line = line or Line(terms)
        self.presences = Presences(house.clock, terms.players, self._presence_changed, house.whereabouts.is_connected)
        self.announcer = Announcer(house.tasks)
        self.is_broken = False
        self.rating_changes: Mapping[Seat, tuple[int, int]] = {}
        self.on_change: list[Callable[[], None]] = []  # the match's own attendants; told before anybody else
        self.version = 0
        self._ratings = ratings or (None,) * terms.n_seats
        self._snapshots: dict[Viewer, Snapshot] = {}
        self._views: dict[Viewer, tuple[int, Any]] = {}
        self._out: frozenset[Seat] = frozenset()
        self._out_at: tuple[Standing, frozenset[Seat]] | None = None  # for the standing that was asked about last
        self._reveal_at: datetime | None = None
        self._gallery_is_due = False

    @property
    def id(self) -> str:
        return self.terms.id

    @property
    def game(self) -> str:
        return self.terms.game

    @property
    def shown(self) -> Standing:
        """The last standing that everybody may know of."""
        return self.line.shown(self.house.clock.now())

    @property
    def is_over(self) -> bool:
        """Tell whether the match has ended, and everybody may know it."""
        return self.shown.fold.is_over

    @property
    def ended_at(self) -> datetime | None:
        return parse_rfc3339(self.line.entries[-1].at or "") if self.is_over and self.line.entries else None

    # What others look at

    def snapshot(self, viewer: Viewer) -> Snapshot:
        """Return what this viewer sees now; the same object for all who look from there. Raises MatchRunning."""
        cached = self._snapshots.get(viewer)
        if cached is None:
            cached = self._snapshots[viewer] = self._take(viewer, self.shown, self.line.head)
        return cached

    def snapshot_public(self) -> Snapshot:
        """Return what everybody may see."""
        return self.snapshot(Watcher.PUBLIC)

    @property
    def is_watched(self) -> bool:
        """Tell whether anybody in this process looks at the match."""
        return len(self.announcer) > 0 or not self.presences.is_empty

    def at(self, seq: int, viewer: Viewer) -> Snapshot:
        """Return what the viewer saw after entry `seq` (clamped to what may be shown). Raises MatchRunning."""
        standing = self.line.at(max(0, min(seq, self.shown.seq)))
        return self._take(viewer, standing, standing)

    def events(self, viewer: Viewer, after: int = -1) -> list[SeenEvent]:
        """Return what this viewer may know of what happened after entry `after`; -1: with the setup."""
        self._check_viewer(viewer)
        return self.line.events(self._eyes(viewer, self.shown), after, self.shown.seq)

    def _eyes(self, viewer: Viewer, standing: Standing) -> Viewer:
        """Return as whom somebody looks: who left the seat to a bot sees what the public sees."""
        if isinstance(viewer, Watcher) or standing.fold.bots[viewer] is None or self.is_over:
            return viewer
        return Watcher.PUBLIC

    def _check_viewer(self, viewer: Viewer) -> None:
        if viewer is Watcher.OMNISCIENT and not self.is_over:
            raise MatchRunning

    def _take(self, viewer: Viewer, shown: Standing, head: Standing) -> Snapshot:
        self._check_viewer(viewer)
        around = snapshots.Surroundings(
            version=self.version,
            presences=self.presences,
            ratings=self._ratings,
            out=self._seats_out(shown),
            rating_changes=self.rating_changes if shown.fold.is_over else {},
            ended_at=self.ended_at,
            ended_by=ending(self.line.entries[-1]) if self.is_over and self.line.entries else None,
            paused=self.is_broken,
            **self.extras(viewer),
        )
        view = self._view(self._eyes(viewer, shown), shown)
        return snapshots.take(self.terms, self.line.game, viewer, shown, head, around, self.house.clock.now(), view)

    def extras(self, viewer: Viewer) -> dict[str, Any]:
        """Return the fields that the match's attendants add (offers, claims, chat)."""
        return {}

    def _view(self, viewer: Viewer, standing: Standing) -> Any:
        seq, view = self._views.get(viewer, (-1, None))
        if seq != standing.seq:
            view = self.line.game.view(standing.fold.state, viewer)
            self._views[viewer] = standing.seq, view
        return view

    @property
    def out(self) -> frozenset[Seat]:
        """Return the seats that are out, as it may be shown."""
        return self._seats_out(self.shown)

    def _seats_out(self, standing: Standing) -> frozenset[Seat]:
        """Return the seats that are out; asked of the rules only where it can't be seen, and remembered."""
        if self.terms.n_seats == 2 or not standing.is_live:
            return self._out
        if self._out_at is not None and self._out_at[0] is standing:
            return self._out_at[1]
        asked = {one.seat for one in standing.pending} | self._out
        state, game = standing.fold.state, self.line.game
        fresh = {seat for seat in self.terms.seats if seat not in asked and not is_playing(game, state, seat)}
        if standing is self.shown:
            self._out |= fresh
        self._out_at = standing, self._out | fresh
        return self._out_at[1]

    # What players do

    async def act(self, seat: Seat, action: str, at_seq: int, arrived: datetime | None = None) -> int:
        """Do what a seat decided at turn `at_seq`, or set a personal setting; return the entry's seq, once durable.

        Raises Stale, TooLate, NotYourTurn, MatchOver, MatchPaused, NotSaved, and what the rules raise.
        """
        if self.line.head.fold.bots[seat] is not None:
            raise MatchRefused("match.error.left-already")
        if not await self.house.settled():
            raise NotSaved("an outage is not over")
        return await self.act_for(seat, action, at_seq, arrived)

    async def act_for(self, seat: Seat, action: str, at_seq: int, arrived: datetime | None = None) -> int:
        """Do what was decided on a seat, by whoever decides there. Raises as `act`."""
        if at_seq > self.line.head.seq:
            await self.catch_up()
        now, timing, game = self.house.clock.now(), self.house.timing, self.line.game

        def draft(standing: Standing) -> Drafted:
            return drafts.action(game, standing, timing, seat, action, at_seq, now, arrived)

        return await self.submit(draft)

    def note(self, standing: Standing, kind: str, seat: Seat | None = None, **data: Any) -> Drafted:
        """Draft an entry that is no action, at this moment."""
        return drafts.note(self.line.game, standing, kind, self.house.clock.now(), seat, data)

    def leave_draft(self, standing: Standing, seat: Seat, **data: Any) -> Drafted:
        """Draft that a person is gone for good: a bot takes over where that was agreed on, else the seat is out."""
        drafts.check_live(standing)
        if levels(self.terms, standing)[seat] is not None:
            raise IllegalAction("match.error.left-already")
        if leaving.is_replaced(self.terms, self.line.game, standing, seat):
            return self.note(standing, "bot_seated", seat, level=REPLACEMENT, left=True, **data)
        return self.note(standing, "left", seat, **data)

    async def submit(self, draft: Draft) -> int:
        """Append what `draft` makes of the log's end; with every entry that came first it is asked again."""
        for _ in range(MOST_ATTEMPTS):
            head = self.line.head
            drafted = self._guarded(draft, head)
            entry, then, events = drafted
            try:
                await self._append(entry, then)
            except SeqTaken as error:
                await (self.mend() if error.last_seq < head.seq else self.catch_up())
                continue
            except (asyncio.CancelledError, NotSaved):
                self.house.tasks.spawn(self._look_soon(), "catch-up")  # the entry may be stored all the same
                raise
            if self.line.head is head:
                self._absorb(entry, (then, events))
            else:
                await self._look_soon()  # it is stored: that must be said, whatever the store does now
            self.house.hint(self.id, entry.seq, entry=entry)
            if self.shown is self.line.head:  # what is held back would be shown at once where it is read again
                self.house.keeper.note(self.id, self.line.game, self.line.head)
            leaving.note(self.house, self.terms, self.line.entries, entry)
            return entry.seq
        raise NotSaved("too many others were faster")

    def _guarded(self, draft: Draft, head: Standing) -> Drafted:
        """Ask for a draft; a rules object that fails pauses this match and no other."""
        if self.is_broken:
            raise MatchPaused("match.error.paused")
        try:
            return draft(head)
        except (GameError, Refused):
            raise
        except Exception as error:
            self._break(head.seq + 1)
            raise MatchPaused("match.error.paused") from error

    async def _append(self, entry: Entry, then: Standing) -> None:
        """Store an entry with everything that follows from it."""
        now = self.line.head.fold.status
        status = then.fold.status.value if then.fold.status is not now and not then.fold.is_over else None
        await self.house.writer.append(
            Append(
                self.id,
                (to_log(entry),),
                deadline=due_at(self.terms, then),
                status=status,
                effects=(*finish.effects(self.house, self.terms, self.line.game, then, entry), *self.brings(entry)),
            )
        )

    def brings(self, entry: Entry) -> tuple[Effect, ...]:
        """Return what else belongs into the entry's transaction (offers that it settles)."""
        return ()

    # Following the log

    async def catch_up(self) -> None:
        """Read what the log has and this cache has not. Raises StoreUnavailable."""
        for row in await self.house.database.read(store.log, self.id, self.line.head.seq):
            if row.seq == self.line.head.seq + 1:
                self._absorb(from_log(row))

    async def mend(self) -> None:
        """Begin anew from the log where more is known here than it holds: what was told was never stored, or is lost.

        Raises StoreUnavailable.
        """
        known = self.line.head.seq
        rows = await self.house.database.read(store.log, self.id, 0)
        if len(rows) >= known:
            return
        log.error("match.ahead-of-its-log", match=self.id, known=known, stored=len(rows))
        line = Line(self.terms)
        for row in rows:
            line.absorb(from_log(row))
        self.line, self._out, self._out_at, self._reveal_at = line, frozenset(), None, None
        self._views.clear()
        self.house.keeper.forget(self.id)
        self.changed()
        self.reveal_later()

    async def hear(self, seq: int, told: Entry | None) -> None:
        """Follow another process, which says that the log has an entry `seq`, perhaps with the entry itself.

        Only the very next entry that fits is taken as it was told; else the log is read. Raises StoreUnavailable.
        """
        head = self.line.head
        if seq <= head.seq or self.is_broken:
            return
        if told is not None and seq == head.seq + 1 and (known := self._fitting(told, head)) is not None:
            self._absorb(told, known)
        else:
            await self.catch_up()
        self.house.keeper.kept_elsewhere(self.id, seq)

    def _fitting(self, told: Entry, head: Standing) -> Known | None:
        """Return what an entry leads to; None: it can't be what the log has."""
        try:
            return after(self.line.game, head, told)
        except Exception:  # the guard of a hint: what the log itself has decides, not what was told
            log.warning("hint.does-not-fit", match=self.id, seq=told.seq)
            return None

    async def _look_soon(self) -> None:
        with suppress(StoreUnavailable):
            await self.catch_up()

    def _absorb(self, entry: Entry, known: tuple[Standing, Any] | None = None) -> None:
        """Take in the next entry and tell everybody who may notice it."""
        was_over = self.line.head.fold.is_over
        try:
            self.line.absorb(entry, known)
        except Exception:
            self._break(entry.seq)
            return
        held = self.line.next_reveal is not None
        self.changed(only=entry.seat if held else None)
        if held:
            self.reveal_later()
        if self.line.head.fold.is_over and not was_over:
            self.house.tasks.spawn(self.load_rating_changes(), "rating-changes")

    def _break(self, seq: int) -> None:
        log.exception("match.broken", match=self.id, seq=seq)
        self.is_broken = True
        self.changed()

    async def load_rating_changes(self) -> None:
        """Read what a finished match changed. Raises StoreUnavailable."""
        if self.terms.rated and self.line.head.fold.status is Status.FINISHED:
            changes = await self.house.rater.changes(self.id)
            self.rating_changes = {Seat(seat): change for seat, change in changes.items()}
            self.changed()

    async def settled(self) -> None:
        """Come back when a finished match's ratings can be told. Where the store does not answer they are left out."""
        if not self.rating_changes:
            with suppress(StoreUnavailable):
                await self.load_rating_changes()

    def reveal_later(self) -> None:
        """See to it that what is held back is shown when its time has come."""
        at = self.line.next_reveal
        if at is not None and at != self._reveal_at:
            self._reveal_at = at
            self.house.tasks.spawn(self._reveal(at), "reveal")

    async def _reveal(self, at: datetime) -> None:
        """Tell everybody when the time has come: not before, or nobody would ever be told."""
        clock = self.house.clock
        while (left := (at - clock.now()).total_seconds()) > 0:
            await clock.sleep(left)  # may come back a moment early: what sleeps and what tells the time are two clocks
        self.line.shown(clock.now())
        self.changed()
        self.reveal_later()

    def changed(self, only: Seat | None = None) -> None:
        """Something can be seen that could not be before: by one seat, or by everybody."""
        self.version += 1
        if only is None:
            self._snapshots.clear()
        else:
            self._snapshots.pop(only, None)
        for attend in self.on_change:
            attend()
        self.announcer.announce(only)

    # Who looks

    def subscribe(self, viewer: Viewer, changed: Changed) -> Listener:
        """Call back on the loop whenever `snapshot(viewer)` has something new."""
        return self.announcer.listen(viewer, changed)

    def enter(self, player: Any, seat: Seat | None, session: str, paced: bool = True) -> Here:
        """Note that a session looks at this match, from its seat or the gallery. `paced`: with a person's eyes."""
        where = self.house.whereabouts
        where.place(session, self.id, seat)
        return self.presences.enter(session, Visitor(player, seat, paced), partial(where.unplace, session, self.id))

    def _presence_changed(self, seat: Seat | None) -> None:
        """Tell about a player at once; about the gallery at most once a second: there may be hundreds."""
        if seat is not None:
            self.changed()
        elif not self._gallery_is_due:
            self._gallery_is_due = True
            self.house.tasks.spawn(self._gallery_changed(), "gallery")

    async def _gallery_changed(self) -> None:
        await self.house.clock.sleep(GALLERY_PAUSE_S)
        self._gallery_is_due = False
        self.changed()
