"""Fakes with the services' shapes, for what is played: matches, rooms, the lobby."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import SimpleNamespace
from typing import Any

from game import registry
from game.contract import Action, Seat, Viewer
from server.accounts.identity import Identity, Player
from server.lobby.errors import LobbyRefused
from server.lobby.model import Challenge, LobbyView, PersonHere, RoomSeat, RoomSettings, RoomView
from server.matches.errors import NoSuchMatch, NotClaimable
from server.matches.model import ChatLine, MatchSummary, SeenEvent, Snapshot, SummarySeat
from tests.tui.positions import NOON, snapshot


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
        self.left: list[str] = []
        self.brought: Any = None
        self.is_closed = False
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

    def holds(self, session: str) -> bool:
        return not self.is_closed

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
        self.left.append(session)


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
