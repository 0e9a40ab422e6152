"""Real matches in any position, for tests of screens: by the rules, with their logs in memory, at noon."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, cast

from sqlalchemy import Connection, update

from game import registry
from game.contract import Event, Game, Json, Result, Seat, Viewer, Watcher, result_json
from game.replay import Entry, Fold, Status
from server.accounts.identity import Identity, Player
from server.bus.bus import LocalBus
from server.chat.chat import Chat
from server.clock import Clock, rfc3339
from server.config import Limits
from server.matches import clocks, drafts
from server.matches.agreement import Agreement
from server.matches.announcer import Subscriber
from server.matches.checkpoint import Checkpoint
from server.matches.context import MatchContext
from server.matches.errors import NotWatchable
from server.matches.heartbeat import Heartbeat
from server.matches.match import Match
from server.matches.match_chat import MatchChat
from server.matches.match_rate_limit import Beginnings
from server.matches.matches import Matches, Prepared
from server.matches.matchlog import Known, MatchLog
from server.matches.model import OVER, AnyViewerState, MatchSummary, SeenEvent, SummarySeat, Timing
from server.matches.server_events import server_event
from server.matches.speeds import speed_of
from server.matches.terms import Terms, to_store
from server.presence.connections import Connections
from server.presence.presence import Presence
from server.ratings.bradley_terry import SETTLED_AFTER, SHOWN_PER_MU, START_MU, Rating
from server.ratings.ratings import RatedMatch
from server.store import arrangements, tables
from server.store import matches as stored
from server.store.appends import Append, Effect
from server.store.database import Database
from server.tasks import Tasks
from tests.agreements import agreed, taken
from tests.boards.positions import NOON
from tests.clocks import FakeClock
from tests.session.memory import MemoryDatabase

AT_ONCE = Timing(window_minimum=0.0, solo_window_minimum=0.0)
SERVICES = ("clock", "database", "ratings", "conduct", "chat", "begin", "machines", "presence", "on_offers", "on_end")
BANK_MS = 161_000
NOTHING: Mapping[str, Json] = {"ms": 0, "seats": []}  # what an entry without effect says


class Everybody(Connections):
    """Connections among which everybody's are."""

    def is_connected(self, player: Player) -> bool:
        return True


class NoWriter:
    """Takes every entry, and stores none: a test looks at what is shown."""

    async def append(self, append: Append) -> None:
        return None


@dataclass(frozen=True)
class SeqWriter:
    """Stores how far a match's log goes and what follows from an entry, not the entry: earlier ones may be missing."""

    database: Database

    async def append(self, append: Append) -> None:
        row = tables.matches.c.id == append.match_id

        def work(connection: Connection) -> None:
            status = {} if append.status is None else {"status": append.status}
            connection.execute(update(tables.matches).where(row).values(last_seq=append.last, **status))
            for effect in append.effects:
                effect(connection)

        await self.database.write(work)


class ByHandOnly(Tasks):
    """Does nothing by itself: no bot answers, no time runs out, nobody is forfeited."""

    def spawn(self, work: Coroutine[Any, Any, object], name: str) -> asyncio.Task[Any] | None:
        if name == "tell-watchers":
            return super().spawn(work, name)
        work.close()
        return None


class Uncounted:
    """Counts no leaving against anybody."""

    async def record_leaving(self, account_id: int, acted_at: datetime | None = None) -> None:
        return None


class OneRelease(Heartbeat):
    """A heartbeat of processes that all read every kind of entry; none is stored."""

    async def ask_all_read(self) -> bool:
        self.all_read = True
        return True


class Unrated:
    """Rates nobody."""

    def effect(self, ended: RatedMatch) -> Effect:
        return lambda connection: None

    async def changes(self, match_id: str) -> Mapping[int, tuple[int, int]]:
        return {}

    async def reasons(self, match_id: str) -> Mapping[int, str]:
        return {}


class StagedLog(MatchLog):
    """A log that begins where a test wants, can be set at any state, withholds nothing; what happened stays told."""

    next_reveal = None
    is_withholding = False

    def __init__(self, terms: Terms, start: Checkpoint) -> None:
        super().__init__(terms, start)
        self.happened: list[tuple[int, Event]] = []  # by entry; a test may add to it
        self.moments = [start]

    def set(self, checkpoint: Checkpoint) -> None:
        """Go on from here, after as many entries as it says."""
        missing = range(len(self.entries) + 1, checkpoint.seq + 1)
        self.entries += [Entry(seq, "clock_credited", None, None, rfc3339(NOON), NOTHING) for seq in missing]
        del self.entries[checkpoint.seq :]
        self.head = checkpoint
        self.moments = [*(one for one in self.moments if one.seq < checkpoint.seq), checkpoint]

    def absorb(self, entry: Entry, known: Known | None = None) -> bool:
        known = known or self.after(self.head, entry)
        is_new = super().absorb(entry, known)
        told = server_event(entry)
        for event in (*(() if told is None else (told,)), *known[1]) if is_new else ():
            self.happened.append((entry.seq, event))
        self.moments += [self.head] if is_new else []
        return is_new

    def shown(self, now: datetime) -> Checkpoint:
        return self.head

    def unfold(self) -> Iterator[None]:
        """Do nothing: the log begins where it begins."""
        return iter(())

    def at(self, seq: int) -> Checkpoint:
        found = [one for one in self.moments if one.seq <= seq][-1]
        return replace(found, fold=replace(found.fold, seq=seq))

    def events(self, viewer: Viewer, since: int, until: int) -> list[SeenEvent]:
        found = ((seq, event, event.seen_by(viewer)) for seq, event in self.happened if since < seq <= until)
        return [SeenEvent(seq, event.kind, params) for seq, event, params in found if params is not None]


def _agree(connection: Connection, terms: Terms) -> None:
    agreed = terms.agreement
    _put(connection, terms.id, {"speed": agreed.speed, "rated": agreed.rated, "private": agreed.private})
    kept = tables.arrangements
    connection.execute(update(kept).where(kept.c.match_id == terms.id).values(data=terms.arrangement))


def _put(connection: Connection, match_id: str, row: Mapping[str, Any]) -> None:
    connection.execute(update(tables.matches).where(tables.matches.c.id == match_id).values(row))


@dataclass(frozen=True)
class Listening:
    """A subscription that a test can see."""

    inner: Subscriber
    listeners: list[Callable[[], None]]

    def close(self) -> None:
        self.inner.close()
        if self.inner.changed in self.listeners:
            self.listeners.remove(self.inner.changed)


def context_at_noon() -> MatchContext:
    """Return what is around a match of which nothing is stored."""
    clock: Clock = FakeClock(NOON)

    presence = Presence(Everybody("p1"))
    nothing, unrated = cast(Any, NoWriter()), cast(Any, Unrated())
    heartbeat = OneRelease(clock, nothing, AT_ONCE, presence.connections, nothing)
    heartbeat.all_read = True
    return MatchContext(
        clock,
        nothing,
        nothing,
        nothing,
        AT_ONCE,
        unrated,
        presence,
        lambda match_id, seq, offers=False, entry=None: None,
        nothing,
        heartbeat,
        Beginnings(clock, presence.connections, 10_000),
        Chat(nothing, clock, LocalBus(), Limits(), lambda player: None),
        cast(Any, Uncounted()),
        tasks=ByHandOnly(),
    )


class StagedMatch(Match):
    """A match whose state a test sets: no log leads to a written position, so it can be no match that was played.

    `changes`: what is shown otherwise than it is.
    """

    def __init__(self, game: str, players: tuple[Player, ...], match_id: str = "m1", position: Json = "") -> None:
        self.rules: Game[Any, Any] = registry.get(game)
        self.changes: dict[str, Any] = {}
        self.listeners: list[Callable[[], None]] = []
        self.keeps_hands = False  # open hands are kept from whoever looks on
        self.is_closed = self._is_declared_over = False
        state = (
            self.rules.read_position(position, {}, len(players))
            if position
            else self.rules.setup({"first": "S"} if game == "rainet" else {}, len(players), bytes(32)).state
        )
        terms = Terms(
            match_id,
            Agreement(game, len(players), rated=True),
            self.rules.version,
            players,
            (),
            bytes(32),
            "ab" * 32,
            replace(speed_of("normal"), bank=BANK_MS),
            None,
            NOON,
        )
        self._database: MemoryDatabase | None = None  # of the server whose match it is
        self._changed: dict[Viewer, tuple[AnyViewerState, Mapping[str, Any], AnyViewerState]] = {}
        self.ratings = tuple(
            Rating(START_MU + (12 - 24 * i) / SHOWN_PER_MU, matches=SETTLED_AFTER) for i in range(len(players))
        )
        self._log = StagedLog(terms, self._checkpoint(terms, state))
        super().__init__(context_at_noon(), terms, self.ratings, self._log)

    def _checkpoint(self, terms: Terms, state: Any, seq: int = 0) -> Checkpoint:
        n, result = terms.n_seats, self.rules.result(state)
        fold = Fold(state, seq, result, Status.LIVE if result is None else Status.FINISHED, (None,) * n)
        pending = self.rules.pending(state) if result is None else ()
        ticking = clocks.start(terms.speed, n, pending, NOON)
        return Checkpoint(
            fold, pending, ticking, (seq,) * n, (0,) * n, back=(None,) * n, asked_after=(0,) * n, moved_on=(0,) * n
        )

    def join(self, around: MatchContext, database: MemoryDatabase) -> None:
        """Be one of a server's matches: stored, with what is around the others; still nothing happens by itself."""
        context = self.live.context
        for name in SERVICES:
            setattr(context, name, getattr(around, name))
        context.writer = cast(Any, SeqWriter(database))
        self.chat = MatchChat(self.live)
        self._database = database
        if database.run(stored.get, self.id) is None:
            database.run(arrangements.create, to_store(self.terms, None), self.terms.arrangement, None)
        self._end_as_said()
        self.store()

    def store(self) -> None:
        """Let the match's row say how far it has gone, and whether it is over."""
        if self._database is None:
            return
        fold = self.live.log.head.fold
        status = Status.FINISHED if self._is_declared_over and not fold.is_over else fold.status
        row: dict[str, Any] = {"last_seq": self.seq, "status": status.value}
        if status is not Status.LIVE:
            result = None if fold.result is None else result_json(fold.result)
            row |= {"result": result, "ended_at": self.changes.get("ended_at", NOON)}
        self._database.run(_put, self.id, row)

    @property
    def players(self) -> tuple[Player, ...]:
        return self.terms.players

    @players.setter
    def players(self, players: tuple[Player, ...]) -> None:
        self.live.terms = replace(self.terms, players=players)
        self.live.changed()

    @property
    def seen(self) -> list[tuple[int, Event]]:
        return self._log.happened

    @seen.setter
    def seen(self, seen: list[tuple[int, Event]]) -> None:
        self._log.happened[:] = seen

    @property
    def here(self) -> list[str]:
        """Return who has the match before them."""
        here = self.live.context.presence.connections.here
        return [one.identity.name for one in here if any(match_id == self.id for match_id, _ in one.places)]

    def subscribe(self, viewer: Viewer, changed: Callable[[], None]) -> Subscriber:
        made = super().subscribe(viewer, changed)
        self.listeners.append(changed)
        return cast(Subscriber, Listening(made, self.listeners))

    @property
    def state(self) -> Any:
        """The rules' state; the log goes on from one that is set."""
        return self.live.log.head.fold.state

    @state.setter
    def state(self, state: Any) -> None:
        self._log.set(self._checkpoint(self.terms, state, self.seq))
        self.store()
        self.live.changed()

    @property
    def seq(self) -> int:
        return self.live.log.head.seq

    @seq.setter
    def seq(self, seq: int) -> None:
        head = self.live.log.head
        self._log.set(replace(head, fold=replace(head.fold, seq=seq)))

    @property
    def is_over(self) -> bool:
        return self._is_declared_over or super().is_over

    @is_over.setter
    def is_over(self, is_over: bool) -> None:
        self._is_declared_over = is_over
        self.store()

    def end(self, *placements: tuple[int, ...], at: datetime = NOON, reason: str = "resign") -> StagedMatch:
        """Let the match be over, with these places; return it."""
        result = Result(tuple(tuple(map(Seat, tier)) for tier in placements or ((0,), (1,))), reason)
        self.changes |= {"status": "finished", "result": result, "ended_at": at}
        self.is_over = True
        self._end_as_said()
        return self

    def play(self, seat: int, text: str) -> None:
        """Play for a seat, at once."""
        live = self.live
        entry, then, events = drafts.action(
            live.log.game, live.log.head, AT_ONCE, Seat(seat), text, live.log.head.seq, NOON
        )
        live.absorb(replace(entry, data={}), (then, events))  # nothing is withheld for a while
        self.store()

    def at(self, seq: int, viewer: Viewer) -> AnyViewerState:
        self._end_as_said()
        return super().at(seq, viewer)

    def events(self, viewer: Viewer, after: int = -1) -> list[SeenEvent]:
        self._end_as_said()
        return super().events(viewer, after)

    def _end_as_said(self) -> None:
        """End the match where `changes` say that it has ended."""
        head, status = self.live.log.head, self.changes.get("status")
        if status in OVER and head.is_live:
            over = replace(head.fold, status=Status(status), result=self.changes.get("result"))
            self._log.set(replace(head, fold=over, pending=()))
            self.store()
            self.live.changed()

    def happen(self, kind: str, seat: Seat | None = None, **data: Json) -> None:
        """Take an entry that is no action, at once."""
        self.live.absorb(Entry(self.seq + 1, kind, seat, None, rfc3339(NOON), data))

    def agree(self, **changes: Any) -> None:
        """Let the match have been agreed on otherwise."""
        terms = self.terms
        agreement = replace(terms.agreement, **changes)
        speed = speed_of(agreement.speed) if "speed" in changes else terms.speed
        self.live.terms = replace(terms, agreement=agreement, speed=speed)
        if self._database is not None:
            self._database.run(_agree, self.terms)
        self.live.changed()

    def tell(self, *events: Event) -> None:
        """Tell everybody who looks that something has changed."""
        self.live.changed()

    def sight(self, who: Identity, wished: Viewer = Watcher.PUBLIC, case: str | None = None) -> Viewer:
        if self.is_closed and case != self.id and self.seat_of(who.player) is None:
            raise NotWatchable
        return Watcher.PLAIN if wished is Watcher.PUBLIC and self.keeps_hands and not self.is_over else wished

    def snapshot(self, viewer: Viewer) -> AnyViewerState:
        self._end_as_said()
        made = super().snapshot(viewer)
        if not self.changes:
            return made
        known = self._changed.get(viewer)
        if known is None or known[0] is not made or known[1] != self.changes:
            changes = dict(self.changes)
            fresh = agreed(made, **taken(changes))
            known = self._changed[viewer] = made, dict(self.changes), replace(fresh, **changes)
        return known[2]


def summary(match: StagedMatch, watchers: int = 0) -> MatchSummary:
    """Return a match as lists show it."""
    to_act = tuple(owed.seat for owed in match.rules.pending(match.state))
    seats = tuple(SummarySeat(Seat(i), player, 1512 - 24 * i) for i, player in enumerate(match.players))
    agreement = Agreement(match.game, len(seats), rated=True)
    return MatchSummary(match.id, agreement, "live", seats, match.seq, watchers, None, NOON, None, to_act)


class StagedMatches(Matches):
    """The matches of a server, `all` of which, by id, a test has put where they stand."""

    def __init__(self, database: MemoryDatabase, know: Callable[[Player], None], *services: Any, **more: Any) -> None:
        """`know` stores the account of somebody who plays; the rest as for all matches."""
        super().__init__(*services, **more)
        self._memory, self._know = database, know
        self.all: dict[str, StagedMatch] = {}

    def add(self, match: StagedMatch) -> StagedMatch:
        """Let a match be one of these; its people are told nothing, as if it had long begun."""
        for player in match.players:
            self._know(player)
        match.join(self.context, self._memory)
        self.all[match.id] = match
        told, self.on_begin = self.on_begin, []
        self.adopt(Prepared(match, to_store(match.terms, None), {}, match.ratings))
        self.on_begin = told
        return match
