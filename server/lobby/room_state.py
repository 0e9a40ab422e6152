"""A room's state and everything that can happen to it: pure; `Room` stores what comes out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from game import registry
from game.contract import Json, Seat
from game.options import brings_now
from server.accounts.identity import Player, bot_player
from server.accounts.machines import MarkedAccounts
from server.lobby.errors import LobbyRefused
from server.lobby.model import RoomSeat, RoomSettings
from server.matches.agreement import Agreement
from server.matches.guestlimits import closed_because
from server.matches.playable import fits
from server.matches.records import is_level
from server.ratings.bradley_terry import Rating

RESULTS_KEPT = 20
REMOVED_KEPT = 100


@dataclass(frozen=True, slots=True)
class SeatState:
    """One seat of a room. `held_for`: the handle of somebody who was challenged or invited to take it.

    `held_until`: for how long it is, where they were invited. A seat of a challenge is `ready` as long as the terms are
    those of the challenge: who takes it then has accepted them.
    """

    player: Player | None = None
    ready: bool = False
    brings: Mapping[str, Json] = field(default_factory=dict)
    held_for: str | None = None
    held_until: datetime | None = None

    @property
    def is_bot(self) -> bool:
        return self.player is not None and self.player.is_bot

    @property
    def person(self) -> str | None:
        return None if self.player is None or self.player.is_bot else self.player.person


@dataclass(frozen=True, slots=True)
class Member:
    """One connection that is in the room. `lost_at`: when it was lost; the seat is kept for a while all the same."""

    session: str
    process: str
    player: Player
    lost_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class RoomState:
    """A room between two changes. `match`: the one being played, or the last; `played` counts those that ended."""

    code: str
    settings: RoomSettings
    host: str
    host_name: str
    seats: tuple[SeatState, ...]
    members: tuple[Member, ...] = ()
    match: str | None = None
    playing: bool = False
    played: int = 0
    results: tuple[tuple[str, str], ...] = ()
    ended_as: tuple[tuple[str, str], ...] = ()  # by match: "shared", "drawn" or "void"; none: somebody has won
    declined: tuple[str, ...] = ()  # handles of those who were challenged and did not want to
    begins_at: datetime | None = None  # the end of the last countdown
    removed: tuple[str, ...] = ()  # persons, and guests' networks, sent away: back only where a seat is kept for them
    stands_until: datetime | None = None  # a challenge whose maker is gone: it begins when the other sits down
    changed_at: datetime | None = None  # when the host last changed what is played

    @property
    def agreement(self) -> Agreement:
        """Return what is agreed on."""
        return self.settings.agreement

    @property
    def people(self) -> tuple[str, ...]:
        """Return the persons who are seated, by seat."""
        return tuple(state.person for state in self.seats if state.person is not None)

    @property
    def seated(self) -> tuple[Player, ...]:
        """Return whoever has a seat, built-in players too."""
        return tuple(state.player for state in self.seats if state.player is not None)

    @property
    def hosting(self) -> tuple[Player, ...]:
        """Return the host's connections here, by person."""
        return tuple(one.player for one in self.members if one.player.person == self.host)

    @property
    def is_full(self) -> bool:
        return all(state.player is not None for state in self.seats)

    @property
    def can_start(self) -> bool:
        """Tell whether everybody who has to be there is, and wants to begin.

        Who sits down in a room that begins by itself wants to, but not to play a second rated match.
        """
        by_itself = self.settings.auto_start and not (self.settings.agreement.rated and self.played)
        willing = by_itself or all(state.is_bot or state.ready for state in self.seats)
        are_here = all(one.lost_at is None or self.is_here(one.player.person) for one in self.members)
        return not self.playing and self.is_full and bool(self.people) and willing and are_here

    def stands(self, now: datetime) -> bool:
        """Tell whether the room is there for a challenge that stands, though nobody may be in it."""
        return self.stands_until is not None and now < self.stands_until

    def has_lapsed(self, now: datetime) -> bool:
        """Tell whether the room was there for a challenge that nobody may answer any more."""
        return self.stands_until is not None and not self.stands(now)

    def seat_of(self, person: str) -> Seat | None:
        return next((Seat(i) for i, state in enumerate(self.seats) if state.person == person), None)

    def is_here(self, person: str) -> bool:
        return any(one.player.person == person and one.lost_at is None for one in self.members)

    def is_missed(self, person: str) -> bool:
        """Tell whether the connection of somebody who sits here was lost, and they may be back at any moment."""
        return any(one.player.person == person for one in self.members) and not self.is_here(person)


def opened(code: str, settings: RoomSettings, host: Player) -> RoomState:
    """Return a new room: its host is not in it yet."""
    return RoomState(code, settings, host.person, host.name, (SeatState(),) * settings.agreement.players)


def left_for(
    code: str, settings: RoomSettings, by: Player, handle: str, until: datetime, brings: Mapping[str, Json]
) -> RoomState:
    """Return a room that its maker does not enter: it stands for a while for who is challenged."""
    room = opened(code, settings, by)
    chairs = (SeatState(by, True, brings), SeatState(ready=True, held_for=handle), *room.seats[2:])
    return replace(room, seats=chairs, stands_until=until)


def marked(room: RoomState, machines: MarkedAccounts) -> RoomState:
    """Return the room with those marked on its seats who are machines now."""
    states = (one if one.player is None else replace(one, player=machines.marked(one.player)) for one in room.seats)
    return replace(room, seats=tuple(states))


def joined(room: RoomState, member: Member, network: str = "") -> RoomState:
    """Let somebody in, a guest from a `network`.

    Raises LobbyRefused for who was removed; where only the seated may be, if no seat is free.
    """
    person = member.player.person
    was_removed = person in room.removed or network in room.removed
    if was_removed and all(state.held_for != member.player.name for state in room.seats):
        raise LobbyRefused("room.error.removed")
    seated = room.seat_of(person) is not None
    if not room.agreement.watchable and not seated and _free_for(room, member.player) is None:
        raise LobbyRefused("room.error.not-watchable")
    others = tuple(
        one
        for one in room.members
        if one.session != member.session and (one.lost_at is None or one.player.person != person)
    )
    came = replace(room, members=(*others, member))
    keeps_host = room.playing or room.stands_until is not None or came.is_missed(room.host)
    return came if came.is_here(room.host) or keeps_host else _new_host(came)


def left(room: RoomState, session: str) -> RoomState:
    """Let a connection go. With a person's last one, outside of play, the seat is free again; not a challenge's."""
    gone = next((one for one in room.members if one.session == session), None)
    if gone is None:
        return room
    room = replace(room, members=tuple(one for one in room.members if one.session != session))
    person = gone.player.person
    is_maker = room.stands_until is not None and person == room.host  # whose challenge stands without them
    if room.is_here(person) or is_maker:
        return room
    room = room if room.playing else _stood(room, person)
    return _new_host(room) if person == room.host else room


def lost(room: RoomState, session: str, at: datetime) -> RoomState:
    """Let a connection go that was lost. The person keeps a seat they have outside of play, and is not ready."""
    member = next((one for one in room.members if one.session == session), None)
    seat = None if member is None else room.seat_of(member.player.person)
    if member is None or seat is None or room.playing or room.stands_until is not None:
        return left(room, session)
    others = (replace(one, lost_at=at) if one is member else one for one in room.members)
    room = replace(room, members=tuple(others))
    if room.is_here(member.player.person):
        return left(room, session)
    return _with_seat(room, seat, replace(room.seats[seat], ready=False))


def separated(room: RoomState, by: str, whom: str) -> RoomState:
    """Separate somebody from whom they have blocked: a host keeps the room, anybody else stands up.

    Who has a seat in a match keeps it.
    """
    is_seated = room.seat_of(whom) is not None
    if (room.playing and (is_seated or by != room.host)) or (not is_seated and room.host not in (by, whom)):
        return room
    if by != room.host:
        return _stood(room, by)
    for member in room.members:
        if member.player.person == whom:
            room = left(room, member.session)
    return _stood(room, whom)


def without_gone(room: RoomState, is_gone: Callable[[Member], bool]) -> RoomState:
    """Remove the connections that are gone."""
    for member in room.members:
        if is_gone(member):
            room = left(room, member.session)
    return room


def _new_host(room: RoomState) -> RoomState:
    """Give the room to who has been in it longest, the seated first; a private one to nobody who only looks on."""
    seated = [one for one in room.members if room.seat_of(one.player.person) is not None]
    heirs = seated or ([] if room.agreement.private else list(room.members))
    if not heirs:
        return room
    return replace(room, host=heirs[0].player.person, host_name=heirs[0].player.name)


def check_no_guest(agreement: Agreement, player: Player) -> None:
    """Let somebody play, as far as guests may. Raises LobbyRefused."""
    if (why := closed_because(player, agreement.rated, agreement.speed)) is not None:
        raise LobbyRefused(why)


def sat(
    room: RoomState,
    player: Player,
    seat: Seat | None,
    brings: Mapping[str, Json] | None = None,
    wished: Sequence[Mapping[str, Json]] = (),
) -> RoomState:
    """Give somebody a seat: the one asked for, or the first that is free. Raises LobbyRefused.

    `wished`: what they like to bring to each seat, where it does not say what they bring and the seat is new to them.
    """
    person = player.person
    here = room.seat_of(person)
    if room.playing and here is not None and seat in (None, here):
        return room  # it began while the word was on its way
    _check_idle(room)
    check_no_guest(room.agreement, player)
    if player.is_machine and not takes_machine(room, player):
        raise LobbyRefused("room.error.no-machines")
    wanted = seat_for(room, player, seat)
    if wanted is None:
        raise LobbyRefused("room.error.full")
    _check_seat(room, wanted)
    state = room.seats[wanted]
    if state.player is not None and state.person != person:
        raise LobbyRefused("room.error.seat-taken")
    if state.person != person and not _is_for(room, state, player):
        raise LobbyRefused("room.error.seat-held")
    kept = room.seats[here].brings if here == wanted else wished[wanted] if wished else {}  # a deck is for one side
    is_ready = _accepts(room, player, wanted) or (here is not None and _keeps_word(room, here))
    room = _stood(room, person) if here is not None else room
    return _with_seat(room, wanted, SeatState(player, is_ready, brings if brings is not None else kept))


def accepts(room: RoomState, player: Player) -> bool:
    """Tell whether somebody would accept a challenge by coming in: they take a seat, and it begins."""
    seat = _free_for(room, player)
    is_new = room.seat_of(player.person) is None and not room.playing
    return is_new and seat is not None and _accepts(room, player, seat)


def _accepts(room: RoomState, player: Player, seat: Seat) -> bool:
    """Tell whether somebody accepts a challenge by taking a seat: on the terms that its maker has not changed since."""
    maker, state = room.seat_of(room.host), room.seats[seat]
    return state.held_for == player.name and state.ready and maker is not None and room.seats[maker].ready


def _keeps_word(room: RoomState, seat: Seat) -> bool:
    """Tell whether who sits here is ready still, with another seat or deck: a challenge of theirs is unanswered."""
    return room.seats[seat].ready and any(state.held_for for state in room.seats)


def takes_machine(room: RoomState, player: Player) -> bool:
    """Tell whether a machine may sit here: it is so agreed, it was asked in, or the room is its own."""
    is_asked = room.host == player.person or any(state.held_for == player.name for state in room.seats)
    return is_asked or lets_machines_in(room.agreement)


def lets_machines_in(agreement: Agreement) -> bool:
    """Tell whether any machine may sit down: it is so agreed, or only who has the code comes."""
    return agreement.machines or agreement.private


def seat_for(room: RoomState, player: Player, seat: Seat | None) -> Seat | None:
    """Return the seat somebody gets who asks for this one, or (None) for any: the own one, else the first free one."""
    here = room.seat_of(player.person)
    return seat if seat is not None else (here if here is not None else _free_for(room, player))


def _free_for(room: RoomState, player: Player) -> Seat | None:
    free = [Seat(i) for i, state in enumerate(room.seats) if state.player is None]
    theirs = [seat for seat in free if _is_for(room, room.seats[seat], player)]
    return next((seat for seat in theirs if room.seats[seat].held_for is not None), next(iter(theirs), None))


def _is_for(room: RoomState, state: SeatState, player: Player) -> bool:
    """Tell whether a free seat is for somebody: kept for them, or for nobody.

    Of a challenge that stands without its maker, it is only for whom that names, until they decline.
    """
    return state.held_for == player.name or (state.held_for is None and room.stands_until is None)


def stood(room: RoomState, person: str) -> RoomState:
    """Free a seat. Raises LobbyRefused during play."""
    _check_idle(room)
    return _stood(room, person)


def _stood(room: RoomState, person: str) -> RoomState:
    seat = room.seat_of(person)
    return room if seat is None else _with_seat(room, seat, SeatState())


def bot_added(room: RoomState, by: str, seat: Seat, level: str) -> RoomState:
    """Put a built-in player on a free seat. The host's to do."""
    _check_host(room, by)
    _check_seat(room, seat)
    if room.seats[seat].player is not None and not room.seats[seat].is_bot:
        raise LobbyRefused("room.error.seat-taken")
    return _with_seat(room, seat, SeatState(bot_player(level), True))


def removed(room: RoomState, by: str, seat: Seat, network: str = "") -> RoomState:
    """Take a bot from its seat, or send somebody away who sits there. The host's to do.

    `network`: of a guest who is sent away; no other guest comes in from it.
    """
    _check_host(room, by)
    _check_seat(room, seat)
    person, room = room.seats[seat].person, _with_seat(room, seat, SeatState())
    return room if person in (None, by) else _sent_away(room, person, network)


def onlooker_removed(room: RoomState, by: str, name: str, network: str = "") -> RoomState:
    """Send somebody away who is here without a seat. The host's to do; `network` as in `removed`."""
    _check_host(room, by)
    seated = (*room.people, by)
    found = next((one.player.person for one in room.members if one.player.name == name), None)
    return room if found is None or found in seated else _sent_away(room, found, network)


def _sent_away(room: RoomState, person: str, network: str) -> RoomState:
    for member in room.members:
        if member.player.person == person:
            room = left(room, member.session)
    return replace(room, removed=(*room.removed, person, *((network,) if network else ()))[-REMOVED_KEPT:])


def configured(room: RoomState, by: str, settings: RoomSettings, at: datetime | None = None) -> RoomState:
    """Change what is played. The host's to do; everybody must be ready anew, and who does not fit stands up.

    A room that begins by itself does so no more where others sit in it or are challenged, who have been told something
    else.
    A seat that is kept for somebody stays kept where there is one for them. Whether it is private was said when it was
    opened: what was said and played among few is not for all, and a code that was listed is no secret.
    """
    _check_host(room, by)
    if settings.agreement.private is not room.agreement.private:
        raise LobbyRefused("room.error.opened-so")
    has_others = not set(room.people) <= {by} or any(state.held_for for state in room.seats)
    settings = replace(settings, auto_start=settings.auto_start and not has_others)
    same_game = settings.agreement.game == room.agreement.game
    states = tuple(
        _kept(state, seat, settings, same_game, state.person == room.host) for seat, state in enumerate(room.seats)
    )
    if len(states) != settings.agreement.players:
        taken = [state for state in states if state.player is not None]
        held_open = [state for state in states if state.player is None and state.held_for is not None]
        states = tuple([*taken, *held_open, *[SeatState()] * settings.agreement.players][: settings.agreement.players])
    is_new = settings.agreement != room.agreement
    return replace(room, settings=settings, seats=states, changed_at=at if is_new else room.changed_at)


def _kept(state: SeatState, seat: int, settings: RoomSettings, same_game: bool, is_host: bool) -> SeatState:
    """Return a seat as it is after a change of what is played: free where a guest or a machine can't stay.

    A deck that the new settings don't take is put down, else the match could not begin and nobody would know why. A bot
    of a level that the new game does not have plays as well as that game's bots can.
    """
    agreed, player = settings.agreement, state.player
    if player is not None and closed_because(player, agreed.rated, agreed.speed):
        return SeatState()
    if player is not None and player.is_machine and not (is_host or lets_machines_in(agreed)):
        return SeatState()
    levels = registry.levels(settings.agreement.game)
    if state.player is not None and state.is_bot and not is_level(state.player.name, levels):
        return SeatState(bot_player(levels[-1]), True)
    brings = {name: value for name, value in state.brings.items() if same_game and _takes(agreed, seat, {name: value})}
    return replace(state, ready=state.is_bot, brings=brings)


def _takes(agreed: Agreement, seat: int, brings: Mapping[str, Json]) -> bool:
    return fits(agreed.game, agreed.players, seat, brings, agreed.options)


def readied(room: RoomState, person: str, ready: bool) -> RoomState:
    """Say that one wants to begin, or not yet. Raises LobbyRefused for who has no seat."""
    _check_idle(room)
    seat = room.seat_of(person)
    if seat is None:
        raise LobbyRefused("room.error.not-seated")
    return _with_seat(room, seat, replace(room.seats[seat], ready=ready))


def brought_by(room: RoomState, person: str) -> Mapping[str, Json]:
    """Return what somebody brings to their seat."""
    seat = room.seat_of(person)
    return {} if seat is None else room.seats[seat].brings


def brought(room: RoomState, person: str, brings: Mapping[str, Json]) -> RoomState:
    """Choose what one brings to the seat (a deck)."""
    _check_idle(room)
    seat = room.seat_of(person)
    if seat is None:
        raise LobbyRefused("room.error.not-seated")
    is_ready = _keeps_word(room, seat)
    return _with_seat(room, seat, replace(room.seats[seat], brings=dict(brings), ready=is_ready))


def held(room: RoomState, seat: Seat, handle: str) -> RoomState:
    """Keep a seat for somebody who was challenged."""
    asked = replace(room, declined=tuple(name for name in room.declined if name != handle))
    return _with_seat(asked, seat, SeatState(ready=True, held_for=handle))


def invited(room: RoomState, by: str, handle: str, until: datetime) -> RoomState:
    """Keep a free seat for a while for somebody whom the host asks in. Raises LobbyRefused.

    Who is asked again keeps the seat they were kept.
    """
    _check_host(room, by)
    if any(state.player is not None and state.player.name == handle for state in room.seats):
        raise LobbyRefused("lobby.error.sits-here", handle=handle)
    free = [Seat(i) for i, state in enumerate(room.seats) if state.player is None]
    seats = [seat for seat in free if room.seats[seat].held_for in (handle, None)]
    if not seats:
        raise LobbyRefused("room.error.full")
    seat = next((one for one in seats if room.seats[one].held_for == handle), seats[0])
    asked = replace(room, declined=tuple(name for name in room.declined if name != handle))
    return _with_seat(asked, seat, SeatState(held_for=handle, held_until=until))


def lapsed(room: RoomState, now: datetime) -> RoomState:
    """Keep no seat any more for who was invited and has not come in time."""
    states = (SeatState() if one.held_until is not None and one.held_until <= now else one for one in room.seats)
    return replace(room, seats=tuple(states))


def challenged(room: RoomState, seat: Seat, handle: str) -> RoomState:
    """Keep a seat for somebody whom the host challenges, who is ready by that: it begins when they accept."""
    maker = room.seat_of(room.host)
    willing = room if maker is None else _with_seat(room, maker, replace(room.seats[maker], ready=True))
    return held(willing, seat, handle)


def released(room: RoomState, handle: str) -> RoomState:
    """Keep no seat for somebody any more: another challenge has taken the place of this one."""
    states = (SeatState() if one.held_for == handle and one.player is None else one for one in room.seats)
    return replace(room, seats=tuple(states))


def declined(room: RoomState, handle: str) -> RoomState:
    """Free the seat that was kept for somebody, and note that they declined. Raises LobbyRefused where none was.

    A challenge that stands does so until its maker has seen the answer.
    """
    states = tuple(SeatState() if state.held_for == handle and state.player is None else state for state in room.seats)
    if states == room.seats:
        raise LobbyRefused("room.error.unknown")
    return replace(room, seats=states, declined=(*room.declined, handle))


def begun(room: RoomState, match_id: str) -> RoomState:
    """Note the match that begins here."""
    if room.match == match_id:
        return room
    states = tuple(replace(state, ready=state.is_bot) for state in room.seats)
    return replace(room, match=match_id, playing=True, seats=states, stands_until=None)


def with_seats(room: RoomState, states: tuple[SeatState, ...]) -> RoomState:
    """Seat everybody anew, on as many seats as there are now."""
    return replace(room, seats=states, settings=room.settings.agreed(players=len(states)))


def ended(room: RoomState, match_id: str, winner: str, ended_as: str = "") -> RoomState:
    """Note how the match ended; who has left meanwhile gives the seat back."""
    if not room.playing or room.match != match_id:
        return room
    results = (*room.results, (match_id, winner))[-RESULTS_KEPT:]
    otherwise = (*room.ended_as, *(((match_id, ended_as),) if ended_as else ()))[-RESULTS_KEPT:]
    room = replace(room, playing=False, played=room.played + 1, results=results, ended_as=otherwise)
    for person in room.people:
        room = room if room.is_here(person) else _stood(room, person)
    return room


def rearranged(
    room: RoomState, match_id: str, players: Sequence[Player], brought: Sequence[Mapping[str, Json]]
) -> RoomState:
    """Seat a room as its new match is seated, also when fewer stayed, and note the match."""
    held = brought or ({},) * len(players)
    states = [SeatState(player, player.is_bot, brings) for player, brings in zip(players, held, strict=True)]
    return begun(with_seats(room, tuple(states)), match_id)


def _check_idle(room: RoomState) -> None:
    if room.playing:
        raise LobbyRefused("room.error.playing")


def _check_host(room: RoomState, person: str) -> None:
    _check_idle(room)
    if person != room.host:
        raise LobbyRefused("room.error.not-host")


def _check_seat(room: RoomState, seat: Seat) -> None:
    """Raise LobbyRefused for a seat that the room does not have, or no longer."""
    if not 0 <= seat < len(room.seats):
        raise LobbyRefused("room.error.full")


def _with_seat(room: RoomState, seat: Seat, state: SeatState) -> RoomState:
    return replace(room, seats=(*room.seats[:seat], state, *room.seats[seat + 1 :]))


def seats_of(room: RoomState, ratings: Sequence[Rating | None]) -> tuple[RoomSeat, ...]:
    """Return the seats as everybody may see them; what a person brings stays hidden."""
    return tuple(_seat(room, Seat(i), ratings[i] if i < len(ratings) else None) for i in range(len(room.seats)))


def _seat(room: RoomState, seat: Seat, rating: Rating | None) -> RoomSeat:
    held = room.seats[seat]
    here = held.is_bot or (held.person is not None and room.is_here(held.person))
    shown = None if rating is None else rating.shown
    chosen = brings_now(registry.get(room.agreement.game).options(), held.brings)
    is_ready = held.ready and held.player is not None
    is_provisional = rating is not None and rating.provisional
    return RoomSeat(seat, held.player, shown, is_ready, here, chosen, is_provisional, held.held_for)
