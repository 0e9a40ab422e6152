"""A house to test screens in: fakes with the services' shapes, a terminal that is read through pyte, typed keys."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any, cast

import pyte

from game import registry
from game.contract import Action, Seat, Viewer, Watcher
from server.accounts.decks import StoredDeck
from server.accounts.errors import AccountError
from server.accounts.identity import Identity, Player
from server.accounts.moderation import Dossier, Report
from server.accounts.preferences import Preferences
from server.lobby.errors import LobbyRefused
from server.lobby.model import Challenge, LobbyView, PersonHere, RoomSeat, RoomSettings, RoomView
from server.matches.errors import NoSuchMatch, NotClaimable
from server.matches.model import ChatLine, MatchSummary, SeenEvent, Snapshot, SummarySeat
from server.services import Services
from server.ssh.term import ClientTerm, client_term
from server.ssh.terminal import ChannelScreen
from server.tui.app import Session
from server.tui.entry import Entry
from tests.tui.positions import NOON, person, snapshot

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
    "space": " ",
    "backspace": "\x7f",
    "ctrl u": "\x15",
    "ctrl c": "\x03",
    "ctrl n": "\x0e",
    "ctrl y": "\x19",
}


READING_S = 0.5  # between two keys of somebody who looks before pressing


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


class FakeClock:
    """Stands still until it is moved; only its other hand notices that people take a moment to type."""

    def __init__(self) -> None:
        self.time = NOON
        self.typed_s = 0.0

    def now(self) -> datetime:
        return self.time

    def monotonic(self) -> float:
        return (self.time - NOON).total_seconds() + self.typed_s

    def pass_time(self, seconds: float) -> None:
        self.time += timedelta(seconds=seconds)


class Heard:
    """What can be subscribed to."""

    def __init__(self) -> None:
        self.listeners: list[Callable[[], None]] = []

    def subscribe(self, *args: Any) -> Any:
        callback = args[-1]
        self.listeners.append(callback)
        return SimpleNamespace(close=lambda: callback in self.listeners and self.listeners.remove(callback))

    def tell(self) -> None:
        for listener in list(self.listeners):
            listener()


class FakeMatch(Heard):
    """A match by the real rules, without a log behind it."""

    def __init__(self, game: str, players: tuple[Player, ...], match_id: str = "m1", position: str = "") -> None:
        super().__init__()
        self.id, self.game, self.players = match_id, game, players
        self.rules = registry.get(game)
        self.state = (
            self.rules.read_position(position, {}, len(players))
            if position
            else self.rules.setup({"first": "S"} if game == "rainet" else {}, len(players), bytes(32)).state
        )
        self.seen: list[tuple[int, Any]] = []
        self.seq = 0
        self.changes: dict[str, Any] = {}
        self.here: list[str] = []

    def snapshot(self, viewer: Viewer) -> Snapshot:
        names = [player.name for player in self.players]
        made = snapshot(self.game, self.state, viewer, names, n_seats=len(names), seq=self.seq, turn_seq=self.seq)
        infos = tuple(replace(info, player=self.players[i]) for i, info in enumerate(made.seats))
        return replace(made, match=self.id, version=self.seq, seats=infos, **{"watchers": (), **self.changes})

    def events(self, viewer: Viewer, after: int = -1) -> list[SeenEvent]:
        found = ((seq, event.kind, event.seen_by(viewer)) for seq, event in self.seen if seq > after)
        return [SeenEvent(seq, kind, params) for seq, kind, params in found if params is not None]

    def play(self, seat: int, text: str) -> None:
        step = self.rules.apply(self.state, Seat(seat), Action(text))
        self.state, self.seq = step.state, self.seq + 1
        self.seen += [(self.seq, event) for event in step.events]
        self.tell()

    async def act(self, seat: Seat, action: str, at_seq: int, arrived: datetime | None = None) -> int:
        self.play(seat, action)
        return self.seq

    async def claim(self, seat: Seat, what: str) -> None:
        raise NotClaimable

    def at(self, seq: int, viewer: Viewer) -> Snapshot:
        return self.snapshot(viewer)

    async def resign(self, seat: Seat) -> int:
        self.state = self.rules.forfeit(self.state, seat).state
        self.seq += 1
        self.tell()
        return self.seq

    async def offer(self, seat: Seat, what: str) -> None:
        self.changes["offers"] = (*self.changes.get("offers", ()), (seat, what))
        self.tell()

    async def answer(self, seat: Seat, what: str, accept: bool) -> None:
        self.changes["offers"] = ()
        self.tell()

    async def say(self, player: Player, text: str) -> None:
        seat = next((Seat(i) for i, one in enumerate(self.players) if one == player), None)
        self.changes["chat"] = (*self.changes.get("chat", ()), ChatLine(NOON, player.name, text, seat))
        self.tell()

    def enter(self, player: Player, seat: Seat | None, session: str) -> Any:
        self.here.append(player.name)
        return SimpleNamespace(leave=lambda: self.here.remove(player.name))


def summary(match: FakeMatch, watchers: int = 0) -> MatchSummary:
    """Return a match as lists show it."""
    to_act = tuple(owed.seat for owed in match.rules.pending(match.state))
    seats = tuple(SummarySeat(Seat(i), player, 1512 - 24 * i) for i, player in enumerate(match.players))
    return MatchSummary(
        match.id,
        match.game,
        "live",
        {},
        "normal",
        True,
        False,
        seats,
        match.seq,
        watchers,
        None,
        NOON,
        None,
        None,
        to_act,
    )


class FakeMatches:
    """The matches there are."""

    def __init__(self) -> None:
        self.all: dict[str, FakeMatch] = {}

    def add(self, match: FakeMatch) -> FakeMatch:
        self.all[match.id] = match
        return match

    async def open(self, match_id: str) -> FakeMatch:
        if match_id not in self.all:
            raise NoSuchMatch(match_id)
        return self.all[match_id]

    async def list(self, query: Any) -> Any:
        return []

    async def running_of(self, player: Player) -> list[MatchSummary]:
        return [summary(match) for match in self.all.values() if any(player.is_same_person(p) for p in match.players)]


class FakeRoom(Heard):
    """A room that does what it is told."""

    def __init__(self, code: str, host: Player, settings: RoomSettings) -> None:
        super().__init__()
        self.code = code
        self.brought: Any = None
        self.seats = [RoomSeat(Seat(i), host if i == 0 else None, here=True) for i in range(settings.players)]
        self.view = RoomView(
            code, 1, settings, host.name, tuple(self.seats), (host.name,), None, False, 0, (), frozenset(), (), False
        )

    def snapshot(self) -> RoomView:
        full = all(seat.player and (seat.ready or seat.player.kind == "bot") for seat in self.seats)
        return replace(self.view, seats=tuple(self.seats), can_start=full)

    def _put(self, seat: int, **changes: Any) -> None:
        self.seats[seat] = replace(self.seats[seat], **changes)
        self.tell()

    async def sit(self, player: Player, seat: Seat) -> None:
        self._put(seat, player=player)

    async def bring(self, player: Player, brings: Any) -> None:
        for seat in self.seats:
            if seat.player is not None and seat.player.is_same_person(player):
                self._put(seat.seat, seat_options=True)
        self.brought = brings

    async def stand(self, player: Player) -> None:
        for seat in self.seats:
            if seat.player is not None and seat.player.is_same_person(player):
                self._put(seat.seat, player=None, ready=False)

    async def set(self, player: Player, settings: RoomSettings) -> None:
        self.view = replace(self.view, settings=settings)
        self.tell()

    async def start(self, player: Player) -> None:
        raise LobbyRefused("room.error.not-ready")

    async def ready(self, player: Player, is_ready: bool = True) -> None:
        for seat in self.seats:
            if seat.player is not None and seat.player.is_same_person(player):
                self._put(seat.seat, ready=is_ready)

    async def add_bot(self, player: Player, seat: Seat, level: str) -> None:
        self._put(seat, player=Player("bot", f"bot:{level}"))

    async def remove(self, player: Player, seat: Seat) -> None:
        self._put(seat, player=None)

    def leave(self, session: str) -> None:
        pass


@dataclass
class FakeLobby(Heard):
    """The lobby: what is set is shown."""

    matches: FakeMatches
    view: LobbyView = field(default_factory=lambda: LobbyView(1, NOON, (), (), (), ()))
    sought: list[Any] = field(default_factory=list)
    tickets: list[Any] = field(default_factory=list)
    answers: list[bool] = field(default_factory=list)
    finders: list[Callable[[str], None]] = field(default_factory=list)
    rooms: dict[str, FakeRoom] = field(default_factory=dict)
    challenged: list[Challenge] = field(default_factory=list)
    brought: Any = ()

    def __post_init__(self) -> None:
        super().__init__()

    def snapshot(self) -> LobbyView:
        return self.view

    def show(self, **changes: Any) -> None:
        self.view = replace(self.view, version=self.view.version + 1, **changes)
        self.tell()

    def arrive(self, identity: Identity, session: str, on_match: Callable[[str], None]) -> Any:
        self.finders.append(on_match)
        here = PersonHere(identity.name, identity.is_guest, None, NOON)
        self.show(here=(*self.view.here, here))
        return SimpleNamespace(leave=lambda: self.finders.remove(on_match))

    async def challenges(self, player: Player) -> tuple[Challenge, ...]:
        return tuple(one for one in self.challenged if one.to == player.name)

    async def seek(self, player: Player, seeks: Any, session: str) -> Any:
        self.sought.append(seeks)
        self.tickets.append(SimpleNamespace(cancel=lambda: self.sought.remove(seeks), asked=None, on_asked=None))
        return self.tickets[-1]

    async def answer(self, ticket: Any, agrees: bool) -> None:
        self.answers.append(agrees)
        ticket.asked = replace(ticket.asked, is_answered=True, agreed=ticket.asked.agreed + 1) if agrees else None
        ticket.on_asked()

    async def play_bot(
        self,
        player: Player,
        game: str,
        level: str,
        options: Any,
        speed: str,
        seat: Any,
        players: int,
        seat_options: Any = (),
    ) -> FakeMatch:
        self.brought = seat_options
        bot = Player("bot", f"bot:{level}")
        return self.matches.add(FakeMatch(game, (bot, player) if seat == 1 else (player, bot), "bot1"))

    async def play_on(self, player: Player, match_id: str, seq: int, seat: Seat, level: str) -> FakeMatch:
        return await self.play_bot(player, self.matches.all[match_id].game, level, {}, "normal", seat, 2)

    async def create_room(self, player: Player, settings: RoomSettings, session: str) -> FakeRoom:
        room = self.rooms["K7QX"] = FakeRoom("K7QX", player, settings)
        return room

    async def join(self, player: Player, code: str, session: str) -> FakeRoom:
        if code not in self.rooms:
            raise LobbyRefused("room.error.unknown", code=code)
        return self.rooms[code]

    async def challenge(self, player: Player, handle: str, settings: RoomSettings, session: str) -> FakeRoom:
        return await self.create_room(player, settings, session)


class FakeChat(Heard):
    """Channels of lines."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: dict[str, list[ChatLine]] = {}

    async def load(self, channel: str) -> list[ChatLine]:
        return self.recent(channel)

    def recent(self, channel: str, hidden: frozenset[int] = frozenset()) -> list[ChatLine]:
        return [line for line in self.lines.get(channel, []) if line.account_id not in hidden or not hidden]

    async def say(self, channel: str, player: Player, text: str) -> None:
        self.lines.setdefault(channel, []).append(ChatLine(NOON, player.name, text))
        self.tell()


class FakeAccounts:
    """Accounts in a dictionary."""

    def __init__(self) -> None:
        self.handles: dict[str, Any] = {}
        self.kept: dict[int, Preferences] = {}

    async def register(self, handle: str, public_key: str, source: str) -> Any:
        if handle in self.handles:
            raise AccountError("handle.taken")
        account = SimpleNamespace(id=len(self.handles) + 1, handle=handle, roles=frozenset())
        self.handles[handle] = account
        return SimpleNamespace(account=account, recovery_codes=("aaaa-bbbb-cccc", "dddd-eeee-ffff"))

    async def preferences(self, account_id: int) -> Preferences:
        return self.kept.get(account_id, Preferences())

    async def save_preferences(self, account_id: int, preferences: Preferences) -> None:
        self.kept[account_id] = preferences

    async def by_handle(self, handle: str) -> Any:
        return self.handles.get(handle)

    async def link(self, code: str, public_key: str, source: str) -> Any:
        raise AccountError("code.unknown")

    async def rename(self, account_id: int, handle: str) -> Any:
        return SimpleNamespace(id=account_id, handle=handle, roles=frozenset())

    async def keys(self, account_id: int) -> list[Any]:
        return [SimpleNamespace(fingerprint="SHA256:AAAAB3NzaC1yc2EAAAADAQABAAABgQC7")]

    async def make_code(self, account_id: int) -> str:
        return "k4tz-9mqe"


class FakeConduct:
    """Who blocked whom, and what was reported."""

    def __init__(self) -> None:
        self.blocks: set[tuple[int, str]] = set()
        self.reports: list[tuple[int, str, str]] = []
        self.warned: set[int] = set()
        self.attached: list[tuple[str | None, list[str]]] = []

    async def blocked_people(self, account_id: int) -> dict[int, str]:
        return {person(name).account_id or 0: name for who, name in self.blocks if who == account_id}

    async def is_warned(self, account_id: int) -> bool:
        return account_id in self.warned

    async def block(self, account_id: int, handle: str) -> int:
        self.blocks.add((account_id, handle))
        return 0

    async def unblock(self, account_id: int, handle: str) -> bool:
        was = (account_id, handle) in self.blocks
        self.blocks.discard((account_id, handle))
        return was

    async def report(self, by: int, handle: str, text: str, lines: Any = (), match_id: str | None = None) -> int:
        self.reports.append((by, handle, text))
        self.attached.append((match_id, [line["text"] for line in lines]))
        return 1


class FakeModeration:
    """What waits for moderators, and what they did: (act, whom, why, for how long)."""

    def __init__(self) -> None:
        self.actor = ""
        self.moderators = {"omid"}
        self.waiting: list[Report] = []
        self.done: list[tuple[Any, ...]] = []
        self.known: dict[str, Dossier] = {}

    def __call__(self, actor: str) -> FakeModeration:
        self.actor = actor
        return self

    async def is_allowed(self) -> bool:
        return self.actor in self.moderators

    async def reports(self) -> list[Report]:
        return list(self.waiting)

    async def count_reports(self) -> int:
        return len(self.waiting)

    async def dossier(self, handle: str) -> Dossier:
        return self.known.get(handle, Dossier((), (), ()))

    async def mute(self, handle: str, why: str, lasts: timedelta | None) -> None:
        self.done.append(("mute", handle, why, lasts))

    async def ban(self, target: str, why: str, lasts: timedelta | None) -> None:
        self.done.append(("ban", target, why, lasts))

    async def lift(self, act: str, target: str) -> bool:
        self.done.append(("lift", act, target))
        return True

    async def remark(self, handle: str, text: str) -> None:
        self.done.append(("note", handle, text))

    async def handle_report(self, report_id: int) -> bool:
        before, self.waiting = self.waiting, [one for one in self.waiting if one.id != report_id]
        return len(before) > len(self.waiting)


class FakeDecks:
    """Decks in a dictionary."""

    def __init__(self) -> None:
        self.kept: dict[int, list[StoredDeck]] = {}

    async def of(self, account_id: int) -> list[StoredDeck]:
        return list(self.kept.get(account_id, []))

    async def save(self, account_id: int, deck: StoredDeck) -> StoredDeck:
        mine = self.kept.setdefault(account_id, [])
        kept = replace(deck, id=deck.id or len(mine) + 1)
        mine[:] = [*(one for one in mine if one.id != kept.id), kept]
        return kept

    async def remove(self, account_id: int, deck_id: int) -> bool:
        mine = self.kept.setdefault(account_id, [])
        mine[:] = [one for one in mine if one.id != deck_id]
        return True


class House:
    """All the fakes, and the sessions in it."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.matches = FakeMatches()
        self.lobby = FakeLobby(self.matches)
        self.chat = FakeChat()
        self.accounts = FakeAccounts()
        self.ratings = SimpleNamespace(all_of=self._no_ratings, top=self._nobody, history=self._nobody)
        self.settings = SimpleNamespace(name="Patchbay")
        self.conduct = FakeConduct()
        self.moderate = FakeModeration()
        self.decks = FakeDecks()
        self.seats: list[Seated] = []
        self.renderings: list[float] = []
        self.rendered = self.renderings.append

    async def _nobody(self, *asked: Any) -> list[Any]:
        return []

    async def _no_ratings(self, account_id: int) -> dict[str, Any]:
        return {}

    async def connect(
        self,
        who: Identity,
        cols: int = 80,
        rows: int = 24,
        entry: Entry | None = None,
        term: ClientTerm | None = None,
    ) -> Seated:
        """Start a session on a terminal of its own."""
        seated = Seated(self, who, cols, rows, entry or Entry(), term or client_term("xterm-256color", {}))
        self.seats.append(seated)
        await seated.settle()
        return seated

    async def close(self) -> None:
        for seated in self.seats:
            await seated.hang_up()


class Seated:
    """Somebody at a terminal: types keys, reads the screen."""

    def __init__(self, house: House, who: Identity, cols: int, rows: int, entry: Entry, term: ClientTerm) -> None:
        self.clock = house.clock
        self.wire = Wire(cols, rows)
        self.screen = ChannelScreen(self.wire, term, (cols, rows))
        self.session = Session(self.screen, who, cast(Services, house), entry)
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
                self.screen._expire()
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


PUBLIC = Watcher.PUBLIC
