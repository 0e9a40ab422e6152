"""Fakes with the services' shapes: rooms and the lobby."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from game.contract import Json, Seat
from server.accounts.identity import Identity, Player
from server.lobby.arrivals import Arrival
from server.lobby.errors import LobbyRefused
from server.lobby.model import Challenge, LobbyView, PersonHere, RoomSeat, RoomSettings, RoomView, Seek
from server.lobby.seeking import SeekTicket
from server.matches.agreement import Agreement
from server.matches.model import (
    ChatLine,
    MatchSummary,
    SummarySeat,
)
from tests.boards.positions import NOON
from tests.session.stage import StagedMatch, StagedMatches


@dataclass(frozen=True)
class Ending:
    """A subscription or a presence; closing or leaving ends it."""

    end: Callable[[], None]

    def close(self) -> None:
        self.end()

    def leave(self) -> None:
        self.end()


class Heard:
    """What can be subscribed to."""

    def __init__(self) -> None:
        self.listeners: list[Callable[[], None]] = []

    def listen(self, callback: Callable[[], None]) -> Ending:
        self.listeners.append(callback)

        def end() -> None:
            if callback in self.listeners:
                self.listeners.remove(callback)

        return Ending(end)

    def tell(self) -> None:
        for listener in list(self.listeners):
            listener()


def summary(match: StagedMatch, watchers: int = 0) -> MatchSummary:
    """Return a match as lists show it."""
    to_act = tuple(owed.seat for owed in match.rules.pending(match.state))
    seats = tuple(SummarySeat(Seat(i), player, 1512 - 24 * i) for i, player in enumerate(match.players))
    return MatchSummary(
        id=match.id,
        agreement=Agreement(match.game, len(seats), rated=True),
        status="live",
        seats=seats,
        seq=match.seq,
        watchers=watchers,
        result=None,
        started_at=NOON,
        ended_at=None,
        to_act=to_act,
    )


class FakeRoom(Heard):
    """A room that does what it is told."""

    def __init__(self, code: str, host: Player, settings: RoomSettings) -> None:
        super().__init__()
        self.code = code
        self.left: list[Player | str] = []
        self.brought: Mapping[str, Json] | None = None
        self.is_closed = False
        self.seats = [RoomSeat(Seat(i), host if i == 0 else None, here=True) for i in range(settings.agreement.players)]
        self.view = RoomView(
            code, 1, settings, host.name, tuple(self.seats), (host.name,), None, False, 0, (), frozenset(), (), False
        )

    def snapshot(self) -> RoomView:
        full = all(seat.player and (seat.ready or seat.player.kind == "bot") for seat in self.seats)
        return replace(self.view, seats=tuple(self.seats), can_start=full)

    def subscribe(self, changed: Callable[[], None]) -> Ending:
        return self.listen(changed)

    async def say(self, player: Player, text: str) -> None:
        line = ChatLine(NOON, player.name, text)
        self.view = replace(self.view, chat=(*self.view.chat, line))
        self.tell()

    def _put(self, seat: int, **changes: Any) -> None:
        self.seats[seat] = replace(self.seats[seat], **changes)
        self.tell()

    async def sit(self, player: Player, seat: Seat | None = None) -> None:
        free = next(one.seat for one in self.seats if one.player is None)
        self._put(free if seat is None else seat, player=player)

    def holds(self, session: str) -> bool:
        return not self.is_closed

    async def bring(self, player: Player, brings: Mapping[str, Json]) -> None:
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

    async def ready(self, player: Player, is_ready: bool = True, counts_down: bool = False) -> None:
        for seat in self.seats:
            if seat.player is not None and seat.player.is_same_person(player):
                self._put(seat.seat, ready=is_ready)

    async def rematch(self, player: Player) -> None:
        raise LobbyRefused("room.error.not-ready")

    async def add_bot(self, player: Player, seat: Seat, level: str = "normal") -> None:
        self._put(seat, player=Player("bot", f"bot:{level}"))

    async def remove(self, player: Player, seat: Seat) -> None:
        self._put(seat, player=None)

    def leave(self, who: Player | str) -> None:
        self.left.append(who)


@dataclass
class FakeLobby(Heard):
    """The lobby: what is set is shown."""

    matches: StagedMatches
    view: LobbyView = field(default_factory=lambda: LobbyView(1, NOON, (), (), (), ()))
    sought: list[Sequence[Seek]] = field(default_factory=list)
    tickets: list[SeekTicket] = field(default_factory=list)
    others: bool = False  # whether each person is here with another session, in which they sit at every match

    def has_others(self, session: str) -> bool:
        return self.others

    def sits(self, player: Player, match_id: str) -> bool:
        return self.others

    answers: list[bool] = field(default_factory=list)
    looking_in: dict[str, str] = field(default_factory=dict)
    finders: list[Callable[[str], None]] = field(default_factory=list)
    rooms: dict[str, FakeRoom] = field(default_factory=dict)
    challenged: list[Challenge] = field(default_factory=list)
    declined: list[tuple[str, str]] = field(default_factory=list)
    brought: Sequence[Mapping[str, Json]] = ()
    options: dict[str, Json] = field(default_factory=dict)  # of the last match against bots

    def __post_init__(self) -> None:
        super().__init__()

    def snapshot(self) -> LobbyView:
        return self.view

    def show(self, **changes: Any) -> None:
        self.view = replace(self.view, version=self.view.version + 1, **changes)
        self.tell()

    def subscribe(self, changed: Callable[[], None]) -> Ending:
        return self.listen(changed)

    def look_in(self, identity: Identity, session: str) -> None:
        self.looking_in[session] = identity.name

    def look_out(self, session: str) -> None:
        self.looking_in.pop(session, None)

    def arrive(
        self,
        identity: Identity,
        session: str,
        on_match: Callable[[str], None],
        on_offers: Callable[[Any], None] | None = None,
        on_end: Callable[[str], None] | None = None,
    ) -> Arrival:
        self.finders.append(on_match)
        here = PersonHere(identity.name, identity.is_guest, None, NOON)
        self.show(here=(*self.view.here, here))
        return Arrival(
            lambda one: self.finders.remove(one.on_match), identity, session, on_match, NOON, on_offers, on_end
        )

    async def challenges(self, player: Player) -> tuple[Challenge, ...]:
        return tuple(one for one in self.challenged if one.to == player.name)

    async def standing_challenges(self, player: Player) -> tuple[Challenge, ...]:
        return tuple(one for one in self.challenged if one.by.is_same_person(player))

    async def withdraw(self, player: Player, code: str) -> None:
        self.challenged = [one for one in self.challenged if one.code != code or not one.by.is_same_person(player)]

    async def seek(self, player: Player, seek: Seek | Sequence[Seek], session: str | None = None) -> SeekTicket:
        seeks = [seek] if isinstance(seek, Seek) else seek
        self.sought.append(seeks)
        made = SeekTicket(f"s{len(self.tickets)}", player.name, lambda one: self.sought.remove(seeks))
        self.tickets.append(made)
        return made

    async def answer(self, ticket: SeekTicket, agrees: bool) -> None:
        self.answers.append(agrees)
        asked = ticket.asked
        assert asked is not None
        ticket.ask(replace(asked, is_answered=True, agreed=asked.agreed + 1) if agrees else None)

    async def play_bot(
        self,
        player: Player,
        game: str,
        level: str = "normal",
        options: Mapping[str, Json] | None = None,
        speed: str | None = None,
        seat: Seat | None = None,
        players: int | None = None,
        *,
        seat_options: Sequence[Mapping[str, Json]] = (),
    ) -> StagedMatch:
        self.brought = seat_options
        self.options = dict(options or {})
        bot = Player("bot", f"bot:{level}")
        return self.matches.add(StagedMatch(game, (bot, player) if seat == 1 else (player, bot), "bot1"))

    async def play_on(self, player: Player, match_id: str, seq: int, seat: Seat, level: str = "normal") -> StagedMatch:
        return await self.play_bot(player, self.matches.all[match_id].game, level, {}, "normal", seat, 2)

    async def create_room(self, player: Player, settings: RoomSettings, session: str | None = None) -> FakeRoom:
        room = self.rooms["K7QX"] = FakeRoom("K7QX", player, settings)
        return room

    async def join(self, player: Player, code: str, session: str | None = None, *, has_code: bool = True) -> FakeRoom:
        if code not in self.rooms:
            raise LobbyRefused("room.error.unknown")
        return self.rooms[code]

    async def decline(self, player: Player, code: str) -> None:
        self.challenged = [one for one in self.challenged if one.code != code]
        self.declined.append((player.name, code))

    async def challenge(
        self, player: Player, handle: str, settings: RoomSettings, session: str | None = None
    ) -> FakeRoom:
        return await self.create_room(player, settings, session)
