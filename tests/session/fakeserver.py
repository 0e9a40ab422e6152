"""A server of fakes to test screens in, a terminal that is read through pyte, typed keys."""

from __future__ import annotations

import asyncio

import pyte

from server.accounts.identity import Identity
from server.config import Settings
from server.protocols import ExhibitionService
from server.screens.routes import ScreenRoutes
from server.session.places import Landing
from server.session.session import Session
from server.session.sharing import Groups
from server.terminal.drawqueue import DrawQueue
from server.terminal.sharedscreen import OwnScreen
from server.terminal.term import ClientTerm, client_term
from tests.boards.positions import NOON, person
from tests.clocks import FakeClock
from tests.session.fakepeople import FakeAccounts, FakeChat, FakeConduct, FakeDecks, FakeModeration, FakeRatings
from tests.session.fakeplay import FakeLobby, FakeMatches, NoExhibition
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


READING_S = 0.7  # between two keys of somebody who looks before pressing


class Wire:
    """A channel that ends in a terminal emulator."""

    def __init__(self, cols: int, rows: int) -> None:
        self.screen = pyte.Screen(cols, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.sent = bytearray()
        self.paused = False
        self.congested = False

    def write(self, data: bytes, *more: object) -> None:
        self.sent += data
        self.stream.feed(data)


class ScreenClock(FakeClock):
    """Stands still at noon; only its monotonic time goes on with each key, as people take a moment to type."""

    def __init__(self) -> None:
        super().__init__(NOON)
        self.typed_s = 0.0

    def monotonic(self) -> float:
        return self.elapsed_s + self.typed_s


class FakeServer:
    """All the fakes, and the sessions in it."""

    def __init__(self) -> None:
        self.clock = ScreenClock()
        self.matches = FakeMatches()
        self.lobby = FakeLobby(self.matches)
        self.exhibition: ExhibitionService = NoExhibition()
        self.chat = FakeChat()
        self.accounts = FakeAccounts()
        self.ratings = FakeRatings()
        self.settings = Settings(name="Patchbay")
        self.conduct = FakeConduct()
        self.moderation = FakeModeration()
        self.decks = FakeDecks()
        self.seats: list[Seated] = []
        self.renderings: list[float] = []
        self.motd = lambda: ""
        self.notices = None
        self.rendered = self.renderings.append
        self.routes, self.groups = ScreenRoutes(), Groups(DrawQueue(), self.rendered)

    def moderate(self, who: Identity) -> FakeModeration:
        self.moderation.actor = who.name
        return self.moderation

    async def connect(
        self,
        who: Identity,
        cols: int = 80,
        rows: int = 24,
        landing: Landing | None = None,
        term: ClientTerm | None = None,
    ) -> Seated:
        """Start a session on a terminal of its own."""
        seated = Seated(self, who, cols, rows, landing or Landing(), term or client_term("xterm-256color", {}))
        self.seats.append(seated)
        await seated.settle()
        return seated

    async def close(self) -> None:
        for seated in self.seats:
            await seated.hang_up()


class Seated:
    """Somebody at a terminal: types keys, reads the screen."""

    def __init__(
        self, server: FakeServer, who: Identity, cols: int, rows: int, landing: Landing, term: ClientTerm
    ) -> None:
        self.clock = server.clock
        self.wire = Wire(cols, rows)
        self.screen = OwnScreen(self.wire, term, (cols, rows))
        self.session = Session(self.screen, who, server, server.routes, server.groups, landing)
        self.task = asyncio.get_running_loop().create_task(self.session.run())

    async def settle(self) -> None:
        """Let everything happen that is due."""
        for _ in range(12):
            await asyncio.sleep(0)

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


def account(name: str) -> Identity:
    """Return the identity of somebody with an account."""
    return Identity(
        person(name).account_id, name, frozenset(), f"SHA256:{name}", f"ssh-ed25519 {name}", name, "127.0.0.1"
    )


def new_key(wish: str = "mira") -> Identity:
    """Return the identity of a key nobody knows yet."""
    return Identity(None, "guest-x7k2", frozenset(), "SHA256:newkey", "ssh-ed25519 AAAA", wish, "127.0.0.1")


def guest() -> Identity:
    """Return the identity of somebody without a key."""
    return Identity(None, "guest-x7k2", frozenset(), None, None, "someone", "127.0.0.1")
