"""A match of two built-in players that lobbies show while nobody else plays: in memory, unrated, never stored."""

from __future__ import annotations

import asyncio
from typing import Final, Protocol

from game import registry
from game.choices import in_order
from game.contract import Pending, Seat, Watcher
from game.replay import Entry
from server.accounts.identity import Player, bot_player
from server.callbacks import call_back
from server.clock import Clock, rfc3339
from server.log import get_logger
from server.matches.agreement import Agreement
from server.matches.chance import bot_seed
from server.matches.context import Decider
from server.matches.errors import BotFailed
from server.matches.matchlog import MatchLog
from server.matches.model import AnyViewerState, Changed, NewMatch, SeenEvent
from server.matches.playable import terms_of
from server.matches.speeds import UNTIMED
from server.matches.terms import Terms
from server.matches.viewer_state import Surroundings, seen_by
from server.presence.attendance import Attendance

log = get_logger("matches.exhibition")
LEVEL: Final = "normal"
PACE_S: Final = 2.0  # between two moves
WINDOW_S: Final = 0.4  # before an answer in a window: most of them are passes
END_S: Final = 10.0  # the end of a match is shown for this long


class IdleDecider(Decider, Protocol):
    """What thinks for built-in players, and tells when it has nothing to do."""

    @property
    def has_free_place(self) -> bool:
        """Tell whether nobody would wait for a thought that begins now."""
        ...


class ExhibitionListener:
    """A lobby that shows the exhibition."""

    def __init__(self, exhibition: Exhibition, changed: Changed) -> None:
        self._exhibition, self.changed = exhibition, changed

    def close(self) -> None:
        self._exhibition.forget(self)


class Exhibition:
    """The exhibition of this process: it goes on only while somebody listens, and thinks only where nobody waits."""

    def __init__(self, clock: Clock, pool: IdleDecider) -> None:
        self._clock, self._pool = clock, pool
        self._listeners: dict[ExhibitionListener, None] = {}
        self._task: asyncio.Task[None] | None = None
        self._ending: set[asyncio.Task[None]] = set()
        self._is_closed = False
        self._played: tuple[Terms, MatchLog] | None = None
        self._shown: AnyViewerState | None = None

    @property
    def id(self) -> str:
        """Return the id of the match that is shown, under which nothing is stored; empty: none."""
        return self._shown.match if self._shown is not None else ""

    @property
    def is_running(self) -> bool:
        """Tell whether somebody listens, so that it goes on."""
        return self._task is not None

    def subscribe(self, changed: Changed) -> ExhibitionListener:
        """Begin, or go on, and call back on the loop at each move until the subscription is closed."""
        listener = ExhibitionListener(self, changed)
        self._listeners[listener] = None
        if self._task is None and not self._is_closed:
            self._task = asyncio.create_task(self._run(*(self._played or self._begin())), name="exhibition")
            self._task.add_done_callback(self._ended)
        return listener

    def forget(self, listener: ExhibitionListener) -> None:
        """Tell a listener no more; after the last one it stops where it is."""
        self._listeners.pop(listener, None)
        if not self._listeners:
            self._stop()

    def snapshot(self) -> AnyViewerState | None:
        """Return what the public sees of it; None before it has begun."""
        return self._shown

    def events(self) -> list[SeenEvent]:
        """Return what the public may know of what has happened in it."""
        return [] if self._played is None else self._played[1].events(Watcher.PUBLIC, -1, self._played[1].head.seq)

    async def close(self) -> None:
        """End for good."""
        self._is_closed = True
        self._listeners.clear()
        self._stop()
        await asyncio.gather(*self._ending, return_exceptions=True)

    def _stop(self) -> None:
        if self._task is not None:
            self._ending.add(self._task)
            self._task.cancel()
            self._task = None

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._ending.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("exhibition.failed", game="" if self._shown is None else self._shown.game, exc_info=error)
            if self._task is not task:
                return  # it failed while it was being stopped; another one may run by now
            self._task = self._played = None  # whoever listens next begins another one

    def _begin(self) -> tuple[Terms, MatchLog]:
        games = registry.in_order(registry.KEYS)
        before = games.index(self._played[0].game) if self._played is not None else -1
        game, bot = games[(before + 1) % len(games)], bot_player(LEVEL)
        terms = terms_of(NewMatch(Agreement(game, speed=UNTIMED.name), (bot, bot)), self._clock)
        self._played = terms, MatchLog(terms)
        self._refresh(*self._played)
        return self._played

    async def _run(self, terms: Terms, played: MatchLog) -> None:
        while True:
            if not played.head.is_live:
                await self._clock.sleep(END_S)
                terms, played = self._begin()
            else:
                asked = played.head.pending[0]
                await self._clock.sleep(PACE_S if asked.window is None else WINDOW_S)
                await self._move(terms, played, asked)
            for listener in tuple(self._listeners):
                call_back(listener.changed)

    async def _move(self, terms: Terms, played: MatchLog, asked: Pending) -> None:
        """Play one decision, unless a match needs the bot processes now."""
        head, rules = played.head, terms.rules
        said = rules.automatic(head.fold.state, asked.seat)
        if said is None:
            if not self._pool.has_free_place:
                return
            view = rules.view(head.fold.state, asked.seat)
            seed = bot_seed(terms.secret, head.asked_after[asked.seat], asked.seat)
            paths = [("", "", terms.id)]
            try:
                said = in_order(asked.choice, await self._pool.decide(terms.game, LEVEL, view, asked, seed, paths))
            except BotFailed:
                await self._clock.sleep(END_S)
                return
        played.absorb(Entry(head.seq + 1, "action", asked.seat, said.text, rfc3339(self._clock.now())))
        self._refresh(terms, played)

    def _refresh(self, terms: Terms, played: MatchLog) -> None:
        """Take what the public sees of it now."""
        now, head, viewer = self._clock.now(), played.head, Watcher.PUBLIC
        nobody = Attendance(self._clock, terms.players, _nobody_heard, _nobody_is_here, _nobody_is_here, str)
        out = frozenset(set(terms.seats) - set(terms.rules.playing(head.fold.state)))
        around = Surroundings(head.seq, nobody, (None,) * terms.n_seats, out if head.is_live else frozenset())
        view = terms.rules.view(head.fold.state, viewer)
        self._shown = seen_by(terms, terms.rules, viewer, head, head, around, now, view)


def _nobody_heard(seat: Seat | None) -> None:
    """Do nothing: nobody enters an exhibition."""


def _nobody_is_here(player: Player) -> bool:
    return False
