"""One program's seat in one match: changes as protocol messages."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress

from game.contract import Pending, Seat
from game.replay import TAKEBACK
from server.accounts.identity import Hidden
from server.boards.wire import MS, Object, end_json, event_json, message, seats_json, turn_json, view_json
from server.chat.chat import Chat
from server.clock import Clock
from server.matches.match import Match
from server.matches.model import AnyViewerState

Send = Callable[..., Awaitable[None]]  # sends objects together, in order
LOOK_EVERY_S = 3.0
SENT_TOGETHER = 32  # messages sent before waiting for a program that does not read


class SeatFeed:
    """Follows a match from a seat. Each entry's messages come in order: events, the turn, the end."""

    def __init__(
        self, match: Match, seat: Seat, clock: Clock, chat: Chat, send: Send, hidden: Hidden = frozenset()
    ) -> None:
        self.match = match
        self.seat = seat
        self._clock = clock
        self._send = send
        self.hidden = hidden  # people whom the program's owner has blocked
        self.is_over = False
        self._changed = asyncio.Event()
        self._seen = 0
        self._turn: tuple[Pending, int] | None = None  # the decision that was last sent, and since when it is owed
        self._offers: frozenset[tuple[Seat, str]] = frozenset()
        self._status = ""  # of the match when its offers were told
        self._here: dict[Seat, bool] = {}
        self._chat = chat
        self._said = 0  # the newest chat line that was sent

    def hide(self, hidden: Hidden) -> None:
        """Send no chat of these people from now on."""
        self.hidden = hidden

    async def follow(self, ended: Callable[[], Awaitable[None]]) -> str | None:
        """Send the start and everything after it; call `ended` once the end was sent.

        Offers and chat continue after the end. Returns the next match's id when a rematch is agreed.
        """
        subscription = self.match.subscribe(self.seat, self._changed.set)
        listener = self._chat.subscribe(self.channel, self._changed.set)
        try:
            self._said = max((line.id for line in await self._chat.load(self.channel)), default=0)
            snapshot = self.match.snapshot(self.seat)
            await self._start(snapshot)
            while snapshot.next_match is None:
                self._changed.clear()
                snapshot = self.match.snapshot(self.seat)
                await self.send_news(snapshot)
                if snapshot.is_over and not self.is_over:
                    self.is_over = True
                    await self.match.wait_for_ratings()
                    await self._send(end_json(self.match.snapshot(self.seat)))
                    await ended()
                await self._wait()
            return snapshot.next_match
        finally:
            subscription.close()
            listener.close()

    @property
    def channel(self) -> str:
        """Return the name of the players' chat."""
        return f"match:{self.match.id}"

    def again(self) -> None:
        """Send the current turn again, after a stale answer."""
        self._turn = None
        self._changed.set()

    async def _wait(self) -> None:
        if self.is_over:
            await self._changed.wait()
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOK_EVERY_S):
                await self._changed.wait()

    async def _start(self, snapshot: AnyViewerState) -> None:
        self._seen = snapshot.seq
        self._offers = frozenset()
        self._here = {}
        await self._send(self._start_of(snapshot))

    def _start_of(self, snapshot: AnyViewerState) -> Object:
        return message(
            "start",
            match=snapshot.match,
            game=snapshot.game,
            seat=self.seat,
            players=seats_json(snapshot, self._clock.now()),
            options=dict(snapshot.agreement.options),
            speed=snapshot.agreement.speed,
            rated=snapshot.agreement.rated,
            seq=snapshot.seq,
            view=view_json(snapshot.game, snapshot.view),
            commitment=snapshot.commitment,
        )

    async def send_news(self, snapshot: AnyViewerState) -> None:
        """Send what is new in a state, in order: events, presence, offers, chat, the turn."""
        events = list(self._new_events(snapshot))
        is_earlier = any(one["event"]["kind"] == TAKEBACK for one in events)  # than the view that was sent last
        if is_earlier:
            self._turn = None
        news = [
            *events,
            *([self._start_of(snapshot)] if is_earlier else []),
            *self._new_presences(snapshot),
            *self._new_offers(snapshot),
            *self._new_lines(snapshot),
            *self.new_turn(snapshot),
        ]
        for first in range(0, len(news), SENT_TOGETHER):
            await self._send(*news[first : first + SENT_TOGETHER])

    def _new_events(self, snapshot: AnyViewerState) -> Iterator[Object]:
        for event in self.match.events(self.seat, self._seen):
            if event.seq > snapshot.seq:
                break  # what was withheld until just now: it is told with the state that it led to
            yield message("event", match=snapshot.match, seq=event.seq, event=event_json(event))
        self._seen = max(self._seen, snapshot.seq)

    def new_turn(self, snapshot: AnyViewerState) -> Iterator[Object]:
        """Send a new decision, unless the seat's own settings answer it."""
        pending = snapshot.pending
        if pending is not None and pending.window is not None and self.match.autopilot.automatic(self.seat) is not None:
            pending = None
        turn = None if pending is None else (pending, snapshot.turn_since)
        if turn == self._turn:
            return
        self._turn = turn
        if pending is not None:
            now = self._clock.now()
            yield message(
                "turn",
                match=snapshot.match,
                seq=snapshot.turn_seq,
                pending=turn_json(snapshot, pending, now),
                view=view_json(snapshot.game, snapshot.view),
            )

    def _new_offers(self, snapshot: AnyViewerState) -> Iterator[Object]:
        """Tell of new offers; who offers what somebody offers already accepts it."""
        offered = {what for _, what in self._offers.intersection(snapshot.offers)}
        for seat, what in snapshot.offers:
            if seat != self.seat and (seat, what) not in self._offers:
                yield message("accept" if what in offered else "offer", match=snapshot.match, seat=seat, what=what)
            offered.add(what)
        if snapshot.next_match is None and (snapshot.status == self._status or snapshot.status == "live"):
            gone = {what: seat for seat, what in sorted(self._offers, reverse=True) if seat != self.seat}
            for kind in sorted(gone.keys() - {what for _, what in snapshot.offers}):
                yield message("withdrawn", match=snapshot.match, seat=gone[kind], what=kind)
        self._offers = frozenset(snapshot.offers)
        self._status = snapshot.status

    def _new_presences(self, snapshot: AnyViewerState) -> Iterator[Object]:
        for info in snapshot.seats:
            if info.seat == self.seat or self._here.get(info.seat, True) == info.here:
                continue
            claim_ms = None
            if not info.here and snapshot.claim_at is not None:
                claim_ms = max(0, (snapshot.claim_at - self._clock.now()) // MS)
            yield message("presence", match=snapshot.match, seat=info.seat, here=info.here, claim_in_ms=claim_ms)
        self._here = {info.seat: info.here for info in snapshot.seats}

    def _new_lines(self, snapshot: AnyViewerState) -> Iterator[Object]:
        own = snapshot.seats[self.seat].player
        for line in self._chat.recent(self.channel, self.hidden):
            if line.id > self._said and not own.is_named(line.account_id, line.name):
                yield message("say", match=snapshot.match, **{"from": line.name}, text=line.text)
            self._said = max(self._said, line.id)
