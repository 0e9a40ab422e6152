"""A match of two built-in players that lobbies show while nobody else plays: in memory, unrated, never stored."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Final, Protocol

from game import registry
from game.choices import in_order
from game.contract import Pending, Seat, Watcher
from game.errors import GameError
from game.replay import Entry
from game.rng import commitment
from server.accounts.identity import Player, bot_player
from server.bus.bus import Bus
from server.clock import Clock, rfc3339
from server.log import get_logger
from server.matches.agreement import Agreement
from server.matches.chance import bot_seed
from server.matches.context import Decider
from server.matches.errors import BotFailed
from server.matches.exhibition_peers import ExhibitionNews, ExhibitionPeers
from server.matches.matchlog import MatchLog
from server.matches.model import AnyViewerState, Changed, NewMatch, SeenEvent
from server.matches.playable import terms_of
from server.matches.speeds import UNTIMED
from server.matches.terms import Terms
from server.matches.viewer_state import Surroundings, take
from server.presence.attendance import Attendance

log = get_logger("matches.exhibition")
LEVEL: Final = "normal"
PACE_S: Final = 2.0  # between two moves
WINDOW_S: Final = 0.4  # before an answer in a window: most of them are passes
END_S: Final = 10.0  # the end of a match is shown for this long
ASK_S: Final = 0.5  # for other processes to say that they play it
HEAR_S: Final = 0.2  # between two looks at what they have told


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
    """The exhibition of the server, as this process shows it: here it is played, or another process plays it.

    It goes on only while somebody listens, and thinks only where nobody waits. Where several processes have listeners,
    one of them plays and tells each move over the bus; of two that play, the one with the smaller id goes on.
    """

    def __init__(self, clock: Clock, pool: IdleDecider, bus: Bus | None = None, process_id: str = "") -> None:
        """`bus`: shared with other processes; None: there are none."""
        self._clock, self._pool = clock, pool
        self._peers = ExhibitionPeers(bus, process_id, clock, self._answer) if bus is not None else None
        self._listeners: dict[ExhibitionListener, None] = {}
        self._task: asyncio.Task[None] | None = None
        self._ending: set[asyncio.Task[None]] = set()
        self._is_closed = False
        self._played: tuple[Terms, MatchLog] | None = None
        self._fetched: tuple[Terms, MatchLog] | None = None  # what another process plays, until all of it is here
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
            if self._played is None and self._peers is None:
                self._begin()
            self._task = asyncio.create_task(self._run(), name="exhibition")
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
            if self._peers is not None:
                self._peers.close()

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._ending.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("exhibition.failed", game="" if self._shown is None else self._shown.game, exc_info=error)
            if self._task is not task:
                return  # it failed while it was being stopped; another one may run by now
            self._task = self._played = None  # whoever listens next begins another one
            if self._peers is not None:
                self._peers.close()

    def _begin(self) -> None:
        games = registry.in_order(registry.KEYS)
        before = games.index(self._played[0].game) if self._played is not None else -1
        terms = self._terms(games[(before + 1) % len(games)])
        self._played = terms, MatchLog(terms)
        self._look(terms, self._played[1])

    def _terms(self, game: str) -> Terms:
        bot = bot_player(LEVEL)
        return terms_of(NewMatch(Agreement(game, speed=UNTIMED.name), (bot, bot)), self._clock)

    async def _run(self) -> None:
        if self._peers is not None:
            self._peers.open()
            self._peers.ask("", 0)
            await self._clock.sleep(ASK_S)
        while True:
            if self._peers is not None and self._peers.is_playing:
                await self._follow(self._peers)
            else:
                await self._play()

    # Here it is played

    async def _play(self) -> None:
        """Play one decision, or begin the next match after the end of one."""
        if self._played is None:
            self._begin()
            self._tell()
            return
        terms, played = self._played
        if not played.head.is_live:
            await self._clock.sleep(END_S)
            if not self._is_played_elsewhere():
                self._begin()
        else:
            asked = played.head.pending[0]
            await self._clock.sleep(PACE_S if asked.window is None else WINDOW_S)
            if not self._is_played_elsewhere():
                await self._move(terms, played, asked)
        if not self._is_played_elsewhere():
            self._tell()

    def _is_played_elsewhere(self) -> bool:
        return self._peers is not None and self._peers.is_playing

    def _tell(self) -> None:
        """Tell lobbies here, and other processes, how it stands."""
        if self._peers is not None and self._played is not None:
            terms, played = self._played
            self._peers.tell(terms, played.head.seq, played.entries[-1] if played.entries else None)
        for listener in tuple(self._listeners):
            listener.changed()

    def _answer(self, match_id: str, after: int) -> None:
        """Send another process what it lacks of the log."""
        if self._peers is not None and self._played is not None:
            terms, played = self._played
            self._peers.send(terms, played.entries, after if match_id == terms.id else 0)

    # Another process plays it

    def _progress(self) -> tuple[str, int]:
        """Return the match that is here and how far; of a match that is being fetched, how far that is."""
        here = self._fetched or self._played
        return (here[0].id, here[1].head.seq) if here is not None else ("", 0)

    async def _follow(self, peers: ExhibitionPeers) -> None:
        """Take what was told since; a log that does not fit is fetched anew."""
        await self._clock.sleep(HEAR_S)
        for told in peers.told():
            if told.is_other_player:
                self._played, self._fetched = None, None  # its log may differ from the one before at any entry
            here = self._fetched or self._played
            if here is None or here[0].id != told.match:
                self._fetched = here = self._announced(told), MatchLog(self._announced(told))
            try:
                for entry in told.entries:
                    if entry.seq == here[1].head.seq + 1:
                        here[1].absorb(entry)
                        await asyncio.sleep(0)  # others have their turns
            except GameError:
                self._played, self._fetched = None, None
                peers.ask("", 0)
                return
            if here[1].head.seq < told.seq:
                peers.ask(*self._progress())
            else:
                self._played, self._fetched = here, None
                self._look(*here)
                for listener in tuple(self._listeners):
                    listener.changed()

    def _announced(self, told: ExhibitionNews) -> Terms:
        return replace(self._terms(told.game), id=told.match, seed=told.seed, commitment=commitment(told.seed))

    async def _move(self, terms: Terms, played: MatchLog, asked: Pending) -> None:
        """Play one decision, unless a match needs the bot processes now."""
        head, rules = played.head, terms.rules
        said = rules.automatic(head.fold.state, asked.seat)
        if said is None:
            if not self._pool.has_free_place:
                return
            view, seed = rules.view(head.fold.state, asked.seat), bot_seed(terms.secret, head.seq, asked.seat)
            paths = [("", "", terms.id)]
            try:
                said = in_order(asked.choice, await self._pool.decide(terms.game, LEVEL, view, asked, seed, paths))
            except BotFailed:
                await self._clock.sleep(END_S)
                return
        played.absorb(Entry(head.seq + 1, "action", asked.seat, said.text, rfc3339(self._clock.now())))
        self._look(terms, played)

    def _look(self, terms: Terms, played: MatchLog) -> None:
        """Take what the public sees of it now."""
        now, head, viewer = self._clock.now(), played.head, Watcher.PUBLIC
        nobody = Attendance(self._clock, terms.players, _nobody_heard, _nobody_is_here)
        out = frozenset(set(terms.seats) - set(terms.rules.playing(head.fold.state)))
        around = Surroundings(head.seq, nobody, (None,) * terms.n_seats, out if head.is_live else frozenset())
        view = terms.rules.view(head.fold.state, viewer)
        self._shown = take(terms, terms.rules, viewer, head, head, around, now, view)


def _nobody_heard(seat: Seat | None) -> None:
    """Do nothing: nobody enters an exhibition."""


def _nobody_is_here(player: Player) -> bool:
    return False
