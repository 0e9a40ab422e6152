"""The chat service: say, read and subscribe to lines, across all processes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Protocol

from sqlalchemy import Connection

from server.accounts.identity import NOBODY, Hidden, Player, is_hidden
from server.accounts.sources import Sources
from server.bus.bus import Bus, Payload
from server.chat.errors import ChatRefused
from server.chat.guests import GuestLines
from server.chat.reader import RingReader, poll
from server.chat.ring import Changed, ChannelListener, Ring
from server.clock import Clock, rfc3339
from server.config import Limits
from server.periodic import repeat
from server.sanitize import clean
from server.store import chat as stored
from server.store.accounts import handles_of
from server.store.chat import StoredLine
from server.store.database import Database
from server.tasks import Tasks

TOPIC = "chat"
TELL_EVERY_S = 0.5  # a channel's listeners are told at most twice a second
LOOK_EVERY_S = 5.0  # in case a hint was lost
RINGS = 1000  # channels kept in memory while nobody listens
MINUTE = timedelta(minutes=1)


class Mute(Protocol):
    """A mute: why, until when (None: for good), and whom to write to (or empty)."""

    @property
    def why(self) -> str: ...
    @property
    def until(self) -> datetime | None: ...
    @property
    def contact(self) -> str: ...


MuteOf = Callable[[Player], Mute | None]


class Chat:
    """Channels: `lobby`, `room:CODE`, `match:ID` (its players), `gallery:ID` (who looks on)."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        bus: Bus,
        limits: Limits,
        mute_of: MuteOf,
        counted: Callable[[Player], Sources] = lambda player: Sources(()),
    ) -> None:
        """`counted` returns on whose account counts what a connected person says."""
        self._database = database
        self._clock = clock
        self._bus = bus
        self._limits = limits
        self._mute_of = mute_of
        self._counted = counted
        self._guest_lines = GuestLines(clock, limits.chat_per_min)
        self._rings: dict[str, Ring] = {}
        self._tasks = Tasks()
        self._newest = 0
        self._reader = RingReader(database, self._notify)

    async def start(self) -> None:
        """Subscribe to other processes' hints."""
        self._heard = self._bus.subscribe(TOPIC, self._hinted)
        self._tasks.spawn(repeat(self._clock, LOOK_EVERY_S, self._poll, first_s=0), "chat look")

    async def close(self) -> None:
        self._heard.close()
        await self._reader.close()
        await self._tasks.close()

    async def say(self, channel: str, player: Player, text: str) -> StoredLine:
        """Say a line where everybody who reads the channel sees it.

        Raises ChatRefused for an empty line, a muted person, or too many lines in a minute of that person, or of the
        guests and new accounts of one source or network; NotSaved.
        """
        kept, now = clean(text, self._limits.chat_chars), self._clock.now()
        if not kept:
            raise ChatRefused("chat.empty")
        self.check_may_speak(player)
        with self._guest_lines.line(self._counted(player)):
            line = await self._database.write(self._store, channel, player, kept, now)
        ring = self._ring(channel)
        ring.add(line)
        self._notify(ring)
        self._bus.publish(TOPIC, {"channel": channel, "id": line.id})
        return line

    def check_may_speak(self, player: Player) -> None:
        """Check that somebody may write public text. Raises ChatRefused for a muted person."""
        if (refused := self.muted(player)) is not None:
            raise refused

    def muted(self, player: Player) -> ChatRefused | None:
        """Return the refusal for a muted person, None for others."""
        mute = self._mute_of(player)
        if mute is None:
            return None
        params: dict[str, str | int] = {"why": mute.why}
        if mute.contact:
            params["contact"] = mute.contact
        if mute.until is None:
            return ChatRefused("chat.muted-for-good-ask" if mute.contact else "chat.muted-for-good", 0, **params)
        params["until"] = rfc3339(mute.until)
        return ChatRefused("chat.muted-ask" if mute.contact else "chat.muted", 0, **params)

    def _store(self, connection: Connection, channel: str, player: Player, text: str, now: datetime) -> StoredLine:
        name, account_id = player.name, player.account_id
        if account_id is not None:  # a session may hear of a new handle a moment later
            name = handles_of(connection, (account_id,)).get(account_id, name)
        said = stored.moments_since(connection, account_id, name, now - MINUTE)
        if len(said) >= self._limits.chat_per_min:
            wait = said[-self._limits.chat_per_min] + MINUTE - now
            raise ChatRefused("chat.too-fast", max(1, wait // timedelta(milliseconds=1)))
        return stored.add(connection, channel, account_id, name, text, now)

    def recent(self, channel: str, hidden: Hidden = NOBODY) -> tuple[StoredLine, ...]:
        """Return the last lines, oldest first, without those of `hidden` people (whom the reader blocked).

        Of a channel that nobody has subscribed to or loaded, nothing is known.
        """
        lines = self._ring(channel).lines
        return tuple(line for line in lines if not is_hidden(line.account_id, line.name, hidden)) if hidden else lines

    async def load(self, channel: str) -> tuple[StoredLine, ...]:
        """Return the last lines, read from the store if need be. Raises StoreUnavailable."""
        ring = self._ring(channel)
        if not ring.is_loaded:
            await self._reader.read((ring,))
        return ring.lines

    def subscribe(self, channel: str, changed: Changed) -> ChannelListener:
        """Call `changed()` on the loop when there is something new to read, at most twice a second."""
        ring = self._ring(channel)
        listener = ChannelListener(ring, changed)
        ring.listeners[listener] = None
        if not ring.is_loaded:
            self._reader.read_soon((ring,))
        return listener

    def _ring(self, channel: str) -> Ring:
        ring = self._rings.pop(channel, None) or Ring(channel)
        self._rings[channel] = ring  # most recently used last
        if len(self._rings) > RINGS:
            idle = next((name for name, held in self._rings.items() if not held.listeners), channel)
            if idle != channel:
                del self._rings[idle]
        return ring

    def _hinted(self, payload: Payload) -> None:
        channel, line_id = payload.get("channel"), payload.get("id")
        ring = self._rings.get(channel) if isinstance(channel, str) else None
        if ring is not None and isinstance(line_id, int) and not ring.holds(line_id):
            self._reader.read_soon((ring,))

    def _notify(self, ring: Ring) -> None:
        """Call a channel's listeners now, or when `TELL_EVERY_S` has passed (debounce)."""
        if ring.is_telling or not ring.listeners:
            return
        wait_s = ring.told_at + TELL_EVERY_S - self._clock.monotonic()
        if wait_s <= 0:
            ring.notify(self._clock.monotonic())
        else:
            ring.is_telling = True
            self._tasks.spawn(self._notify_later(ring, wait_s), "chat tell")

    async def _notify_later(self, ring: Ring, wait_s: float) -> None:
        await self._clock.sleep(wait_s)
        ring.notify(self._clock.monotonic())

    def forget(self, account_id: object) -> None:
        """Drop the lines of a deleted account."""
        for ring in self._rings.values():
            kept = tuple(line for line in ring.lines if line.account_id is None or line.account_id != account_id)
            self._change(ring, kept)

    def rename(self, account_id: int, name: str) -> None:
        """Show the lines of an account under its new handle."""
        for ring in self._rings.values():
            self._change(
                ring, tuple(replace(one, name=name) if one.account_id == account_id else one for one in ring.lines)
            )

    def _change(self, ring: Ring, lines: tuple[StoredLine, ...]) -> None:
        if lines != ring.lines:
            ring.lines = lines
            self._notify(ring)

    async def _poll(self) -> None:
        """Read the lines whose hint was lost. Raises StoreUnavailable."""
        self._newest, channels = await poll(self._database, self._newest)
        changed = [ring for name, ring in self._rings.items() if name in channels]
        for ring in changed:
            ring.is_loaded = ring.is_loaded and bool(ring.listeners)  # else it is read when somebody wants it again
        if heard := [ring for ring in changed if ring.listeners]:
            await self._reader.read(heard)
