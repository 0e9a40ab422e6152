"""A server to test screens in, a terminal that is read through pyte, typed keys.

A test of a screen takes the fixture `server`, says who is there and what is stored, connects somebody and types:

    server.add("tarn", MODERATOR)                          # an account; those who connect have one without it
    server.prefer("mira", Preferences(calibrated=True))    # settings; `server.preferences("mira")` reads them
    server.said("lobby", "tarn", "hello")                  # a line of chat, as another process stores it
    seated = await server.connect(account("mira"))
    await seated.type("o", "down", "enter")
    assert seated.says("people.you-blocked", handle="tarn")
    assert server.run(stored.blocked_by, 1) == {2}         # any unit of work of server/store

All services are the real ones over SQLite in memory; time is `server.clock`, which a test moves, and bots don't think.
A match may stand where a test wants it (`stage.py`); a room is put into a state by `Room.change`.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Final, cast

import pyte
from sqlalchemy import Connection, insert

from game.contract import Seat
from server.accounts.accounts import Accounts, Policy
from server.accounts.actor import Actor
from server.accounts.conduct import Conduct
from server.accounts.decks import Decks
from server.accounts.following import Following
from server.accounts.identity import Identity, Player
from server.accounts.machines import Machines
from server.accounts.messages import Messages
from server.accounts.moderation import Moderation
from server.accounts.preferences import Preferences, read_preferences, write_preferences
from server.accounts.publickeys import read_public_key
from server.bus.bus import LocalBus
from server.chat.chat import TOPIC, Chat
from server.config import Settings
from server.lobby.arrivals import Arrival
from server.lobby.context import LobbyContext
from server.lobby.lobby import VIEW_S, Lobby
from server.lobby.model import RoomSettings, Seek
from server.lobby.room import Room
from server.matches.exhibition import Exhibition
from server.matches.match import Match
from server.presence.presence import Presence
from server.ratings.bradley_terry import Rating
from server.ratings.ratings import Ratings
from server.sanitize import skeletons
from server.screens.routes import ScreenRoutes
from server.services import Services
from server.session.places import Landing
from server.session.session import Session
from server.session.sharing import Groups
from server.store import accounts as stored_accounts
from server.store import chat as stored_chat
from server.store import conduct as stored_conduct
from server.store import lobby as stored_lobby
from server.store import processes, tables
from server.store import ratings as stored_ratings
from server.store.accounts import BY_CODE, FIRST, StoredKey
from server.store.conduct import Report
from server.store.logwriter import LogWriter
from server.store.ratings import LadderRow, RatingChange
from server.terminal.drawqueue import DrawQueue
from server.terminal.lineterminal import LineTerminal
from server.terminal.sharedscreen import OwnScreen
from server.terminal.term import ClientTerm, client_term
from tests.boards.positions import NAMES, NOON, person
from tests.clocks import FakeClock
from tests.matches.table import InlinePool
from tests.session.memory import MemoryDatabase
from tests.session.stage import Everybody, StagedMatches
from tests.texts import en

BYTES = {
    "enter": "\r",
    "esc": "\x1b",
    "tab": "\t",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "right": "\x1b[C",
    "left": "\x1b[D",
    "page up": "\x1b[5~",
    "page down": "\x1b[6~",
    "home": "\x1b[H",
    "end": "\x1b[F",
    "f2": "\x1bOQ",
    "f3": "\x1bOR",
    "f4": "\x1bOS",
    "f5": "\x1b[15~",
    "space": " ",
    "backspace": "\x7f",
    "ctrl u": "\x15",
    "ctrl c": "\x03",
    "ctrl n": "\x0e",
    "ctrl y": "\x19",
}


SETTINGS: Final = Settings(name="Patchbay")
LONG_AGO = NOON - timedelta(days=60)
CALIBRATED = write_preferences(Preferences(calibrated=True))
TURNS = 24  # of the loop, in which everything happens that a key leads to
CODE = "K7QXM2PT"  # of the first room
READING_S = 0.75  # between two keys of somebody who looks before pressing


async def settle() -> None:
    """Let everything happen that is due."""
    for _ in range(TURNS):
        await asyncio.sleep(0)


def codes() -> Callable[[str], str]:
    """Return what draws the letters of rooms' codes: first those of CODE, then others, alike in each test."""
    first, rng = iter(CODE), Random(7)
    return lambda letters: next(first, None) or rng.choice(letters)


class Wire:
    """A channel that ends in a terminal emulator."""

    def __init__(self, cols: int, rows: int) -> None:
        self._screen = pyte.Screen(cols, rows)
        self._stream = pyte.ByteStream(self._screen)
        self.sent, self._coming = bytearray(), bytearray()
        self.paused = False
        self.congested = False

    @property
    def screen(self) -> pyte.Screen:
        """Return what shows by now; what nobody looks at is not drawn."""
        data, self._coming = bytes(self._coming), bytearray()
        self._stream.feed(data)
        return self._screen

    def write(self, data: bytes, *more: object) -> None:
        self.sent += data
        self._coming += data


class ScreenClock(FakeClock):
    """Stands still at noon; only its monotonic time goes on with each key, as people take a moment to type."""

    def __init__(self) -> None:
        super().__init__(NOON)
        self.typed_s = 0.0

    def monotonic(self) -> float:
        return self.elapsed_s + self.typed_s


class FakeServer:
    """The services, and the sessions in them."""

    def __init__(self, migrated: Path) -> None:
        self.clock = ScreenClock()
        self.database, self.bus = MemoryDatabase(migrated), LocalBus()
        self.run = self.database.run
        self.settings = SETTINGS
        self.conduct = Conduct(self.database, self.clock, "", lambda player: ())
        self.chat = Chat(self.database, self.clock, self.bus, self.settings.limits, self.conduct.mute_of)
        self.accounts = self.open_accounts()
        self.following = Following(self.database, self.clock)
        self.messages = Messages(self.database, self.clock, self.chat.muted)
        self.machines = Machines(self.database, self.clock)
        self.ratings, self.decks = Ratings(self.database, self.clock), Decks(self.database, self.clock)
        self.presence, self.pool = Presence(Everybody("here")), InlinePool(is_stuck=True)
        self.matches = StagedMatches(
            self.database,
            self._know,
            self.clock,
            self.database,
            LogWriter(self.database),
            self.ratings,
            self.pool,
            self.chat,
            self.conduct,
            self.bus,
            presence=self.presence,
            machines=self.machines.known,
        )
        self.begun: list[Match] = []  # since the server was there, the newest last
        self.matches.on_begin.append(lambda match, after: self.begun.append(match))
        people = self.conduct, self.following, self.chat, self.machines.known
        around = LobbyContext(self.clock, self.database, self.presence, self.ratings, *people, draw=codes())
        self.lobby = Lobby(around, self.matches, self.bus, Random(7))
        self.exhibition = Exhibition(self.clock, self.pool)
        self.seats: list[Seated] = []
        self.renderings: list[float] = []
        self.motd = lambda: ""
        self.notices = None
        self.rendered = self.renderings.append
        self.routes, self.groups = ScreenRoutes(), Groups(DrawQueue(), self.rendered)

    def _know(self, player: Player) -> None:
        if player.account_id is not None:
            self.add(player.name, account_id=player.account_id)

    def open_accounts(self, policy: Policy | None = None) -> Accounts:
        """Return the accounts under a policy; codes are drawn alike in each test."""
        draw, limits = Random(7).choice, self.settings.limits
        return Accounts(self.database, self.clock, limits, draw, self.bus, "Patchbay", policy)

    @property
    def services(self) -> Services:
        """Return what a session works with."""
        return cast(Services, self)

    async def start(self) -> None:
        await self.conduct.refresh()
        await self.chat.start()
        self.run(processes.arrive, self.presence.process_id, 1, "", NOON + timedelta(days=365))  # lives all the while
        self.matches.context.writer.start()
        await self.exhibition.close()  # who moves first is drawn: a test that shows an exhibition has one of its own

    def moderate(self, who: Identity) -> Moderation:
        return Moderation(Actor(self.database, self.clock, self.bus, who.name, who.source, who.fingerprint))

    def add(self, handle: str, *roles: str, added_at: datetime = LONG_AGO, account_id: int | None = None) -> int:
        """Give somebody an account with a key, if they have none, and roles; return its id."""
        account_id = account_id or person(handle).account_id
        assert account_id is not None

        def work(connection: Connection) -> None:
            if stored_accounts.by_id(connection, account_id) is None:
                row = {"id": account_id, "handle": handle, "created_at": LONG_AGO}
                connection.execute(insert(tables.accounts).values(row))
                stored_accounts.hold_skeletons(connection, account_id, skeletons(handle))
                stored_accounts.save_preferences(connection, account_id, CALIBRATED)
                key = read_public_key(public_key(handle))
                made = StoredKey(key.fingerprint, account_id, key.line, added_at, how=FIRST)
                stored_accounts.add_key(connection, made)
            for role in roles:
                stored_accounts.set_role(connection, account_id, role, True)

        self.run(work)
        return account_id

    def add_key(self, handle: str, label: str, added_at: datetime, by: str | None = None) -> str:
        """Give an account one more key; return its fingerprint."""
        key = read_public_key(public_key(label))
        made = StoredKey(key.fingerprint, self.add(handle), key.line, added_at, None, label, BY_CODE, by)
        self.run(stored_accounts.add_key, made)
        return key.fingerprint

    def prefer(self, handle: str, preferences: Preferences) -> None:
        """Store somebody's settings."""
        self.run(stored_accounts.save_preferences, self.add(handle), write_preferences(preferences))

    def preferences(self, handle: str) -> Preferences:
        """Return somebody's settings as they are stored."""
        return read_preferences(self.run(stored_accounts.load_preferences, self.add(handle)))

    def said(self, channel: str, name: str, text: str, at: datetime = NOON) -> None:
        """Store a line of chat, and give the hint, as another process does."""
        account_id = self.add(name) if name in NAMES else None
        line = self.run(stored_chat.add, channel, account_id, name, text, at)
        self.bus.publish(TOPIC, {"channel": channel, "id": line.id})

    @property
    def reports(self) -> list[Report]:
        """Return the open reports."""
        return self.run(stored_conduct.open_reports)

    def report(self, made: Report) -> int:
        """Store a report; return its number."""
        for name in (made.by_handle, made.about_handle):
            if name is not None:
                self.add(name)
        return self.run(stored_conduct.add_report, made)

    def rate(self, handle: str, ratings: dict[str, Rating], account_id: int | None = None) -> None:
        """Put somebody on ladders."""
        account_id = self.add(handle, account_id=account_id)
        rows = [LadderRow(account_id, ladder, one.mu, one.sigma, one.matches) for ladder, one in ratings.items()]
        self.run(stored_ratings.put, rows)

    def rated(self, change: RatingChange) -> None:
        """Store what a match, which is stored with it, changed."""

        def work(connection: Connection) -> None:
            match = {"id": change.match_id, "game": "rainet", "rules_version": 2, "options": {}, "n_seats": 2}
            drawn = {"seed": bytes(32), "commitment": "", "speed": "fast", "rated": True, "private": True}
            ended = {
                "status": "finished",
                "started_at": NOON,
                "ended_at": NOON,
                "last_seq": 1,
                "finish_no": change.finish_no,
            }
            connection.execute(insert(tables.matches).prefix_with("OR IGNORE").values(**match, **drawn, **ended))
            stored_ratings.add_changes(connection, [change])

        self.run(work)

    def come(self, name: str, playing: str = "", seat: int = 0) -> Arrival:
        """Let somebody be here whose terminal nobody reads, with a match before them; `guest-…` is a guest."""
        who = replace(guest(), name=name) if name.startswith("guest-") else account(name)
        if who.account_id is not None:
            self.add(name)
        here = self.lobby.arrive(who, f"{name}-1", lambda match_id: None)
        if playing:
            self.presence.connections.place(here.session, playing, Seat(seat))
        return here

    async def look(self) -> None:
        """Let the lobby show how everything is now, as it does every three seconds."""
        self.clock.typed_s += VIEW_S + READING_S
        await settle()
        await self.lobby.refresh()
        await settle()

    def tell(self, match_id: str) -> None:
        """Tell the people of a match that it begins."""
        for hear in self.matches.on_begin:
            hear(self.matches.all[match_id], None)

    async def seeks(self, name: str = "mira") -> list[Seek]:
        """Return what somebody seeks, by the seat that they wish for."""
        mine = [one.seek for one in await self.lobby.seeker.waiters() if one.player.name == name]
        return sorted(mine, key=lambda one: (one.agreement.game, one.seat or 0))

    async def room(self, host: str, settings: RoomSettings) -> Room:
        """Open a room, its host on the first seat, whatever is on their screen. The first one's code is CODE."""
        self.add(host)
        return await self.lobby.rooms.create(person(host), settings)

    async def the_room(self) -> Room:
        """Return the room that somebody has opened."""
        [row] = self.run(stored_lobby.all_rooms)
        return await self.lobby.rooms.room(row.code)

    async def connect(
        self,
        who: Identity,
        cols: int = 80,
        rows: int = 24,
        landing: Landing | None = None,
        term: ClientTerm | None = None,
        has_lines: bool = False,
    ) -> Seated:
        """Start a session on a terminal of its own."""
        if who.account_id is not None:
            self.add(who.name, *who.roles)
        await asyncio.sleep(0)  # a look that is due for somebody who came before begins
        self.clock.typed_s += VIEW_S + READING_S  # the lobby looks anew for whoever comes
        seated = Seated(
            self, who, cols, rows, landing or Landing(), term or client_term("xterm-256color", {}), has_lines
        )
        self.seats.append(seated)
        await settle()
        await settle()  # the others in the lobby learn of it, too
        return seated

    async def close(self) -> None:
        for seated in self.seats:
            await seated.hang_up()
        await self.lobby.close()
        await self.matches.close()
        await self.matches.context.writer.close()
        await self.chat.close()
        await self.database.close()


class Seated:
    """Somebody at a terminal: types keys, reads the screen."""

    def __init__(
        self,
        server: FakeServer,
        who: Identity,
        cols: int,
        rows: int,
        landing: Landing,
        term: ClientTerm,
        has_lines: bool,
    ) -> None:
        self.clock = server.clock
        self.wire = Wire(cols, rows)
        self.screen = OwnScreen(self.wire, term, (cols, rows))
        lines = (lambda: LineTerminal(self.wire, term, lambda: (cols, rows), edits=True)) if has_lines else None
        self.session = Session(self.screen, who, server.services, server.routes, server.groups, landing, other=lines)
        self.task = asyncio.get_running_loop().create_task(self.session.run())

    async def settle(self) -> None:
        """Let everything happen that is due."""
        await settle()

    async def type(self, *keys: str) -> None:
        """Press keys one after the other, as fast as one reads; names as in BYTES, anything else as it stands."""
        for key in keys:
            self.clock.typed_s += READING_S
            await self.type_blindly(key)

    async def type_blindly(self, *keys: str) -> None:
        """Press keys before there was time to read anything."""
        for key in keys:
            data = BYTES.get(key, key)
            self.screen.feed(data.encode())
            if key == "esc":
                self.screen.expire_keys()
            await self.settle()

    async def resize(self, cols: int, rows: int) -> None:
        self.wire.screen.resize(rows, cols)
        self.screen.resize(cols, rows)
        await self.settle()

    async def click(self, col: int, row: int) -> None:
        self.screen.feed(f"\x1b[<0;{col + 1};{row + 1}M\x1b[<0;{col + 1};{row + 1}m".encode())
        await self.settle()

    @property
    def rows(self) -> list[str]:
        return [row.rstrip() for row in self.wire.screen.display]

    @property
    def text(self) -> str:
        return "\n".join(self.rows)

    def says(self, key: str, **params: object) -> bool:
        """Tell whether the screen shows the English text of a message key, wrapped or not."""
        return " ".join(en(key, **params).split()) in " ".join(self.text.split())

    async def hang_up(self) -> None:
        if not self.task.done():
            self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)


def public_key(name: str) -> str:
    """Return a key of that name's, as OpenSSH writes it."""
    parts = b"ssh-ed25519", hashlib.sha256(name.encode()).digest()
    blob = b"".join(len(part).to_bytes(4) + part for part in parts)
    return f"ssh-ed25519 {base64.b64encode(blob).decode()}"


def account(name: str) -> Identity:
    """Return the identity of somebody with an account."""
    key = read_public_key(public_key(name))
    return Identity(person(name).account_id, name, frozenset(), key.fingerprint, key.line, name, "127.0.0.1")


def new_key(wish: str = "mira") -> Identity:
    """Return the identity of a key nobody knows yet."""
    key = read_public_key(public_key("a new key"))
    return Identity(None, "guest-x7k2", frozenset(), key.fingerprint, key.line, wish, "127.0.0.1")


def guest() -> Identity:
    """Return the identity of somebody without a key."""
    return Identity(None, "guest-x7k2", frozenset(), None, None, "someone", "127.0.0.1")
