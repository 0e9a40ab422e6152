"""Fakes with the services' shapes, for what is played: matches, rooms, the lobby."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from game import registry
from game.contract import Action, Event, Json, Pending, Seat, Viewer, Watcher
from server.accounts.identity import Identity, Player
from server.lobby.arrivals import Arrival
from server.lobby.errors import LobbyRefused
from server.lobby.model import Challenge, LobbyView, PersonHere, RoomSeat, RoomSettings, RoomView, Seek
from server.lobby.seeking import SeekTicket
from server.matches import conditional_lines
from server.matches.agreement import Agreement
from server.matches.errors import NoSuchMatch, NotClaimable, NotWatchable
from server.matches.model import (
    AnyViewerState,
    ChatLine,
    ClaimKind,
    MatchQuery,
    MatchSummary,
    OfferKind,
    SeenEvent,
    SummarySeat,
    WaitingOffer,
)
from server.matches.tried_line import TriedLine, from_view
from server.matches.vacations import Vacation
from server.matches.visibility import Asker
from tests.agreements import agreed, taken
from tests.boards.positions import NOON, snapshot


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


class FakeMatch(Heard):
    """A match by the real rules, without a log behind it."""

    def __init__(self, game: str, players: tuple[Player, ...], match_id: str = "m1", position: Json = "") -> None:
        super().__init__()
        self.id, self.game, self.players = match_id, game, players
        self.rules = registry.get(game)
        self.state = (
            self.rules.read_position(position, {}, len(players))
            if position
            else self.rules.setup({"first": "S"} if game == "rainet" else {}, len(players), bytes(32)).state
        )
        self.seen: list[tuple[int, Event]] = []
        self.seq = 0
        self.since: dict[Seat, int] = {}  # the entry since which each seat owes the same decision
        self.acted: dict[Seat, int] = {}  # the last decision of each seat
        self.changes: dict[str, Any] = {}
        self.selections: dict[Seat, tuple[int, Any]] = {}
        self.last: dict[Viewer, AnyViewerState] = {}
        self.here: list[str] = []
        self.is_closed = self.is_over = False
        self.keeps_hands = False  # open hands are kept from whoever looks on

    def seat_of(self, player: Player) -> Seat | None:
        return next((Seat(i) for i, one in enumerate(self.players) if one.is_same_person(player)), None)

    def sight(self, who: Identity, wished: Viewer = Watcher.PUBLIC, case: str | None = None) -> Viewer:
        if self.is_closed and case != self.id and self.seat_of(who.player) is None:
            raise NotWatchable
        return Watcher.PLAIN if wished is Watcher.PUBLIC and self.keeps_hands and not self.is_over else wished

    def snapshot(self, viewer: Viewer) -> AnyViewerState:
        names = [player.name for player in self.players]
        since = 0 if isinstance(viewer, Watcher) else self.since.get(viewer, 0)
        turn = {"seq": self.seq, "turn_seq": self.seq, "turn_since": since}
        made = snapshot(self.game, self.state, viewer, names, n_seats=len(names), **turn)
        infos = tuple(replace(info, player=self.players[i]) for i, info in enumerate(made.seats))
        changes = dict(self.changes)
        made = agreed(made, **taken(changes))
        fresh = replace(made, match=self.id, version=self.seq, **{"seats": infos, "watchers": (), **changes})
        if self.last.get(viewer) != fresh:  # the very same while nothing has changed, as a match does
            self.last[viewer] = fresh
        return self.last[viewer]

    def events(self, viewer: Viewer, after: int = -1) -> list[SeenEvent]:
        found = ((seq, event.kind, event.seen_by(viewer)) for seq, event in self.seen if seq > after)
        return [SeenEvent(seq, kind, params) for seq, kind, params in found if params is not None]

    def last_act(self, seat: Seat) -> int:
        return self.acted.get(seat, 0)

    def play(self, seat: int, text: str) -> None:
        step, before = self.rules.apply(self.state, Seat(seat), Action(text)), self.rules.pending(self.state)
        self.state, self.seq = step.state, self.seq + 1
        self.acted[Seat(seat)] = self.seq
        self.since |= {owed.seat: self.seq for owed in self.rules.pending(self.state) if owed not in before}
        self.seen += [(self.seq, event) for event in step.events]
        self.tell()

    def subscribe(self, viewer: Viewer, changed: Callable[[], None]) -> Ending:
        return self.listen(changed)

    async def act(self, seat: Seat, action: str, at_seq: int, arrived: datetime | None = None) -> int:
        self.play(seat, action)
        return self.seq

    def may_make_conditions(self, seat: Seat) -> bool:
        return self.snapshot(seat).agreement.speed == "daily" and self.snapshot(seat).pending is None

    def conditional_choice(self, seat: Seat, texts: Sequence[str]) -> Pending | None:
        return conditional_lines.choice_after(self.rules, self.snapshot(seat).view, seat, texts)

    async def set_conditions(self, seat: Seat, lines: Sequence[Sequence[str]], at_seq: int) -> None:
        order = conditional_lines.turn_order(
            self.rules.playing(self.state), self.rules.pending(self.state)[0].seat, seat
        )
        read = conditional_lines.read_lines(self.rules, lines, order)
        for _ in conditional_lines.checking(self.rules, self.snapshot(seat).view, seat, read):
            continue
        self.changes["conditions"] = read
        self.tell()

    def may_try_line(self, seat: Seat) -> bool:
        return all(one.kind == "bot" for i, one in enumerate(self.players) if i != seat) and not self.is_over

    def try_line(self, seat: Seat, chance: bytes) -> TriedLine:
        return from_view(self.rules, self.snapshot(seat), seat, chance)

    def line_from(self, seq: int, seat: Seat) -> TriedLine:
        return TriedLine(self.rules, self.state, self.snapshot(seat), seat)

    async def claim(self, seat: Seat, what: ClaimKind) -> None:
        raise NotClaimable

    def at(self, seq: int, viewer: Viewer) -> AnyViewerState:
        return self.snapshot(viewer)

    async def resign(self, seat: Seat) -> int:
        self.state = self.rules.forfeit(self.state, seat).state
        self.seq += 1
        self.tell()
        return self.seq

    async def share(self, player: Player, agrees: bool = True) -> None:
        seat = self.seat_of(player)
        assert seat is not None
        others = tuple(one for one in self.changes.get("shared_by", ()) if one != seat)
        self.changes["shared_by"] = (*others, seat) if agrees else others
        people = [one for one in self.players if one.kind != "bot"]
        self.changes["is_shared"] = len(self.changes["shared_by"]) == len(people)
        self.tell()

    async def wait_for_ratings(self) -> None:
        return None

    async def offer(self, seat: Seat, what: OfferKind) -> None:
        self.changes["offers"] = (*self.changes.get("offers", ()), (seat, what))
        self.tell()

    async def answer(self, seat: Seat, what: OfferKind, accept: bool) -> None:
        self.changes["offers"] = ()
        self.tell()

    async def say(self, player: Player, text: str) -> None:
        seat = next((Seat(i) for i, one in enumerate(self.players) if one == player), None)
        self.changes["chat"] = (*self.changes.get("chat", ()), ChatLine(NOON, player.name, text, seat))
        self.tell()

    def enter(
        self, player: Player, seat: Seat | None, session: str, paced: bool = True, on_case: bool = False
    ) -> Ending:
        self.here.append(player.name)
        if seat is not None:  # all who look at it hear of a player at once
            self.tell()
        return Ending(lambda: self.here.remove(player.name))


def summary(match: FakeMatch, watchers: int = 0) -> MatchSummary:
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


class FakeVacations:
    """The days that somebody has off."""

    def __init__(self) -> None:
        self.now = Vacation(None, 14)

    async def of(self, account_id: int) -> Vacation:
        return self.now

    async def take(self, player: Player, days: int) -> datetime:
        self.now = Vacation(NOON + timedelta(days=days), 14 - days)
        return NOON + timedelta(days=days)

    async def end(self, player: Player) -> None:
        self.now = Vacation(None, self.now.days_left)


class FakeMatches:
    """The matches there are."""

    def __init__(self) -> None:
        self.all: dict[str, FakeMatch] = {}
        self.finished: list[MatchSummary] = []
        self.offered: list[WaitingOffer] = []
        self.vacations = FakeVacations()

    def add(self, match: FakeMatch) -> FakeMatch:
        self.all[match.id] = match
        return match

    def asker(self, player: Player) -> Asker:
        return Asker(player)

    async def find(self, match_id: str, who: Identity, case: str | None = None) -> FakeMatch:
        if match_id not in self.all:
            raise NoSuchMatch(match_id)
        return self.all[match_id]

    async def running_of(self, player: Player) -> Sequence[MatchSummary]:
        mine = (one for one in self.all.values() if any(player.is_same_person(p) for p in one.players))
        return [summary(match) for match in mine if not match.is_over]

    async def offers_to(self, player: Player) -> Sequence[WaitingOffer]:
        return self.offered

    async def last_end(self, account_id: int) -> datetime | None:
        mine = [one for one in self.finished if any(seat.player.account_id == account_id for seat in one.seats)]
        return max((one.ended_at for one in mine if one.ended_at is not None), default=None)

    async def list(self, query: MatchQuery) -> Sequence[MatchSummary]:
        return [one for one in self.finished if one.status in query.statuses]


class NoExhibition(Heard):
    """An exhibition that never begins."""

    id = ""
    is_running = False

    def subscribe(self, changed: Callable[[], None]) -> Ending:
        return self.listen(changed)

    def snapshot(self) -> None:
        return None

    def events(self) -> list[SeenEvent]:
        return []


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

    matches: FakeMatches
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
    ) -> FakeMatch:
        self.brought = seat_options
        self.options = dict(options or {})
        bot = Player("bot", f"bot:{level}")
        return self.matches.add(FakeMatch(game, (bot, player) if seat == 1 else (player, bot), "bot1"))

    async def play_on(self, player: Player, match_id: str, seq: int, seat: Seat, level: str = "normal") -> FakeMatch:
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
