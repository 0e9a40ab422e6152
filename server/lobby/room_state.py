"""A room's state and everything that can happen to it: pure; `Room` stores what comes out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from game import registry
from game.contract import Json, Result, Seat
from game.options import brings_now
from server.accounts.identity import Player, bot_player
from server.accounts.machines import MarkedAccounts
from server.lobby.errors import LobbyRefused
from server.lobby.model import RoomSeat, RoomSettings
from server.lobby.seating import FREE, Seating, SeatState, lets_machines_in
from server.matches.agreement import Agreement
from server.matches.guestlimits import closed_because
from server.matches.next_match import won_after
from server.ratings.bradley_terry import Rating

RESULTS_KEPT, SCORES_KEPT = 20, 100
REMOVED_KEPT = 100


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
    seats: Seating
    members: tuple[Member, ...] = ()
    match: str | None = None
    playing: bool = False
    played: int = 0
    results: tuple[tuple[str, str], ...] = ()
    won: tuple[tuple[str, int], ...] = ()  # by person: how many matches here; who sat down last is last
    ended_as: tuple[tuple[str, str], ...] = ()  # by match: "shared", "drawn" or "void"; none: somebody has won
    declined: tuple[str, ...] = ()  # handles of those who were challenged and did not want to
    begins_at: datetime | None = None  # the end of the last countdown
    removed: tuple[str, ...] = ()  # persons sent away, and their networks: back only where a seat is kept for them
    stands_until: datetime | None = None  # a challenge whose maker is gone: it begins when the other sits down
    changed_at: datetime | None = None  # when the host last changed what is played

    @property
    def agreement(self) -> Agreement:
        """Return what is agreed on."""
        return self.settings.agreement

    @property
    def hosts(self) -> tuple[Member, ...]:
        """Return the host's connections here."""
        return tuple(one for one in self.members if one.player.person == self.host)

    @property
    def hosting(self) -> tuple[Player, ...]:
        """Return the host's connections here, by person."""
        return tuple(one.player for one in self.hosts)

    @property
    def can_start(self) -> bool:
        """Tell whether everybody who has to be there is, and wants to begin.

        Who sits down in a room that begins by itself wants to, but not to play a second rated match.
        """
        by_itself = self.settings.auto_start and not (self.settings.agreement.rated and self.played)
        willing = by_itself or all(state.is_bot or state.ready for state in self.seats)
        are_here = all(one.lost_at is None or self.is_here(one.player.person) for one in self.members)
        return not self.playing and self.seats.is_full and bool(self.seats.people) and willing and are_here

    def stands(self, now: datetime) -> bool:
        """Tell whether the room is there for a challenge that stands, though nobody may be in it."""
        return self.stands_until is not None and now < self.stands_until

    def has_lapsed(self, now: datetime) -> bool:
        """Tell whether the room was there for a challenge that nobody may answer any more."""
        return self.stands_until is not None and not self.stands(now)

    def is_here(self, person: str) -> bool:
        return any(one.player.person == person and one.lost_at is None for one in self.members)

    def is_missed(self, person: str) -> bool:
        """Tell whether the connection of somebody who sits here was lost, and they may be back at any moment."""
        return any(one.player.person == person for one in self.members) and not self.is_here(person)


def opened(code: str, settings: RoomSettings, host: Player) -> RoomState:
    """Return a new room: its host is not in it yet."""
    return RoomState(code, settings, host.person, host.name, Seating([FREE] * settings.agreement.players))


def left_for(
    code: str, settings: RoomSettings, by: Player, handle: str, until: datetime, brings: Mapping[str, Json]
) -> RoomState:
    """Return a room that its maker does not enter: it stands for a while for who is challenged."""
    room = opened(code, settings, by)
    seats = Seating((SeatState(by, True, brings), SeatState(ready=True, held_for=handle), *room.seats[2:]))
    return replace(room, seats=seats, stands_until=until)


def marked(room: RoomState, machines: MarkedAccounts) -> RoomState:
    """Return the room with those marked on its seats who are machines now."""
    return replace(room, seats=room.seats.marked(machines))


def joined(room: RoomState, member: Member, came_from: Collection[str] = ()) -> RoomState:
    """Let somebody in; `came_from`: a guest's networks.

    Raises LobbyRefused for who was removed; where only the seated may be, if no seat is free.
    """
    person = member.player.person
    was_removed = not {person, *came_from}.isdisjoint(room.removed)
    if was_removed and member.player.name not in room.seats.held_for:
        raise LobbyRefused("room.error.removed")
    seated = room.seats.seat_of(person) is not None
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
    seat = None if member is None else room.seats.seat_of(member.player.person)
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
    is_seated = room.seats.seat_of(whom) is not None
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
    seated = [one for one in room.members if room.seats.seat_of(one.player.person) is not None]
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
    here = room.seats.seat_of(person)
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
    seat = room.seats.free_for(player.name)
    is_new = room.seats.seat_of(player.person) is None and not room.playing
    return is_new and seat is not None and _accepts(room, player, seat)


def _accepts(room: RoomState, player: Player, seat: Seat) -> bool:
    """Tell whether somebody accepts a challenge by taking a seat: on the terms that its maker has not changed since."""
    maker, state = room.seats.seat_of(room.host), room.seats[seat]
    return state.held_for == player.name and state.ready and maker is not None and room.seats[maker].ready


def _keeps_word(room: RoomState, seat: Seat) -> bool:
    """Tell whether who sits here is ready still, with another seat or deck: a challenge of theirs is unanswered."""
    return room.seats[seat].ready and bool(room.seats.held_for)


def takes_machine(room: RoomState, player: Player) -> bool:
    """Tell whether a machine may sit here: it is so agreed, it was asked in, or the room is its own."""
    is_asked = room.host == player.person or player.name in room.seats.held_for
    return is_asked or lets_machines_in(room.agreement)


def seat_for(room: RoomState, player: Player, seat: Seat | None) -> Seat | None:
    """Return the seat somebody gets who asks for this one, or (None) for any: the own one, else the first free one."""
    here = room.seats.seat_of(player.person)
    return seat if seat is not None else (here if here is not None else _free_for(room, player))


def _free_for(room: RoomState, player: Player) -> Seat | None:
    seat = room.seats.free_for(player.name)
    return seat if seat is None or _is_for(room, room.seats[seat], player) else None


def _is_for(room: RoomState, state: SeatState, player: Player) -> bool:
    """Tell whether a free seat is for somebody: kept for them, or for nobody.

    Of a challenge that stands without its maker, it is only for whom that names, until they decline.
    """
    return state.held_for == player.name or (state.held_for is None and room.stands_until is None)


def stood(room: RoomState, person: str) -> RoomState:
    """Free a seat. Raises LobbyRefused during play."""
    _check_idle(room)
    return _stood(room, person)


def bot_added(room: RoomState, by: str, seat: Seat, level: str) -> RoomState:
    """Put a built-in player on a free seat. The host's to do."""
    _check_host(room, by)
    _check_seat(room, seat)
    if room.seats[seat].player is not None and not room.seats[seat].is_bot:
        raise LobbyRefused("room.error.seat-taken")
    return _with_seat(room, seat, SeatState(bot_player(level), True))


def removed(room: RoomState, by: str, seat: Seat, networks: Collection[str] = ()) -> RoomState:
    """Take a bot from its seat, or send somebody away who sits there. The host's to do.

    `networks`: of who is sent away; no guest comes in from these.
    """
    _check_host(room, by)
    _check_seat(room, seat)
    person, room = room.seats[seat].person, _with_seat(room, seat, FREE)
    return room if person in (None, by) else _sent_away(room, person, networks)


def onlooker_removed(room: RoomState, by: str, name: str, networks: Collection[str] = ()) -> RoomState:
    """Send somebody away who is here without a seat. The host's to do; `networks` as in `removed`."""
    _check_host(room, by)
    seated = (*room.seats.people, by)
    found = next((one.player.person for one in room.members if one.player.name == name), None)
    return room if found is None or found in seated else _sent_away(room, found, networks)


def _sent_away(room: RoomState, person: str, networks: Collection[str]) -> RoomState:
    for member in room.members:
        if member.player.person == person:
            room = left(room, member.session)
    return replace(room, removed=(*room.removed, person, *sorted(networks))[-REMOVED_KEPT:])


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
    has_others = not set(room.seats.people) <= {by} or bool(room.seats.held_for)
    settings = replace(settings, auto_start=settings.auto_start and not has_others)
    same_game = settings.agreement.game == room.agreement.game
    seats = room.seats.fitted(settings, same_game, room.host)
    is_new = settings.agreement != room.agreement
    return replace(room, settings=settings, seats=seats, changed_at=at if is_new else room.changed_at)


def check_alone(room: RoomState, by: str) -> None:
    """Raise LobbyRefused for who is not the host, and where others are in a room or asked in."""
    _check_host(room, by)
    if not is_alone(room, by):
        raise LobbyRefused("room.error.opened-so")


def is_alone(room: RoomState, person: str) -> bool:
    """Tell whether nobody but somebody is in a room that does not play, and nobody is asked in."""
    people = {*room.seats.people, *(member.player.person for member in room.members)}
    return people <= {person} and not room.playing and not room.seats.held_for


def readied(room: RoomState, person: str, ready: bool) -> RoomState:
    """Say that one wants to begin, or not yet. Raises LobbyRefused for who has no seat."""
    _check_idle(room)
    seat = room.seats.seat_of(person)
    if seat is None:
        raise LobbyRefused("room.error.not-seated")
    return _with_seat(room, seat, replace(room.seats[seat], ready=ready))


def brought_by(room: RoomState, person: str) -> Mapping[str, Json]:
    """Return what somebody brings to their seat."""
    seat = room.seats.seat_of(person)
    return {} if seat is None else room.seats[seat].brings


def brought(room: RoomState, person: str, brings: Mapping[str, Json]) -> RoomState:
    """Choose what one brings to the seat (a deck)."""
    _check_idle(room)
    seat = room.seats.seat_of(person)
    if seat is None:
        raise LobbyRefused("room.error.not-seated")
    is_ready = _keeps_word(room, seat)
    return _with_seat(room, seat, replace(room.seats[seat], brings=dict(brings), ready=is_ready))


def held(room: RoomState, seat: Seat, handle: str, until: datetime | None = None) -> RoomState:
    """Keep a seat for somebody who was challenged; None: as long as the room is there."""
    asked = replace(room, declined=tuple(name for name in room.declined if name != handle))
    return _with_seat(asked, seat, SeatState(ready=True, held_for=handle, held_until=until))


def invited(room: RoomState, by: str, handle: str, until: datetime) -> RoomState:
    """Keep a free seat for a while for somebody whom the host asks in. Raises LobbyRefused.

    Who is asked again keeps the seat they were kept.
    """
    _check_host(room, by)
    if any(state.player is not None and state.player.name == handle for state in room.seats):
        raise LobbyRefused("lobby.error.sits-here", handle=handle)
    seat = room.seats.free_for(handle)
    if seat is None:
        raise LobbyRefused("room.error.full")
    asked = replace(room, declined=tuple(name for name in room.declined if name != handle))
    return _with_seat(asked, seat, SeatState(held_for=handle, held_until=until))


def lapsed(room: RoomState, now: datetime) -> RoomState:
    """Keep no seat any more for who was asked and has not come in time."""
    return replace(room, seats=room.seats.lapsed(now))


def challenged(room: RoomState, seat: Seat, handle: str, until: datetime) -> RoomState:
    """Keep a seat until then for somebody whom the host challenges, who is ready by that: it begins on accepting."""
    maker = room.seats.seat_of(room.host)
    willing = room if maker is None else _with_seat(room, maker, replace(room.seats[maker], ready=True))
    return held(willing, seat, handle, until)


def released(room: RoomState, handle: str) -> RoomState:
    """Keep no seat for somebody any more: another challenge has taken the place of this one."""
    return replace(room, seats=room.seats.released(handle))


def declined(room: RoomState, handle: str) -> RoomState:
    """Free the seat that was kept for somebody, and note that they declined. Raises LobbyRefused where none was.

    A challenge that stands does so until its maker has seen the answer.
    """
    seats = room.seats.released(handle)
    if seats == room.seats:
        raise LobbyRefused("room.error.unknown")
    return replace(room, seats=seats, declined=(*room.declined, handle))


def begun(room: RoomState, match_id: str) -> RoomState:
    """Note the match that begins here."""
    if room.match == match_id:
        return room
    return replace(room, match=match_id, playing=True, seats=room.seats.unready(), stands_until=None)


def ended(
    room: RoomState, match_id: str, players: Sequence[Player], result: Result | None, at_board: Collection[Member] = ()
) -> RoomState:
    """Note how the match of these ended; who has left meanwhile gives the seat back. No `result`: it was void.

    `at_board`: those who look at the match from their seats. They came back to it and not through the room, and keep
    the seat as who has lost a connection does.
    """
    if not room.playing or room.match != match_id:
        return room
    winners = () if result is None else result.placements[0]
    winner = players[winners[0]].name if len(winners) == 1 else ""
    results = (*room.results, (match_id, winner))[-RESULTS_KEPT:]
    otherwise = (*room.ended_as, *(() if winner else ((match_id, how_ended(result)),)))[-RESULTS_KEPT:]
    won = dict(zip((one.person for one in players), won_after(_won(room, players), len(players), result), strict=True))
    scores = (*(one for one in room.won if one[0] not in won), *won.items())[-SCORES_KEPT:]
    room = replace(room, playing=False, played=room.played + 1, results=results, ended_as=otherwise, won=scores)
    lingering = {one.player.person: one for one in at_board}
    for person in room.seats.people:
        if room.is_here(person):
            continue
        stays = lingering.get(person)
        room = _stood(room, person) if stays is None else replace(room, members=(*room.members, stays))
    return room


def how_ended(result: Result | None) -> str:
    """Return what became of a match that nobody has won alone, '' where somebody has."""
    if result is None:
        return "void"
    if len(result.placements) == 1:
        return "drawn"
    return "shared" if len(result.placements[0]) > 1 else ""


def score(room: RoomState) -> tuple[int, ...]:
    """Return how many matches each of those who sit here has won here, by seat.

    Empty before the first one has ended, and where two are the same built-in player: who of them has won is not known.
    """
    players = room.seats.players
    is_known = bool(room.won) and len({one.person for one in players}) == len(players)
    return _won(room, players) if is_known else ()


def _won(room: RoomState, players: Sequence[Player]) -> tuple[int, ...]:
    known = dict(room.won)
    return tuple(known.get(one.person, 0) for one in players)


def rearranged(
    room: RoomState, match_id: str, players: Sequence[Player], brought: Sequence[Mapping[str, Json]]
) -> RoomState:
    """Seat a room as its new match is seated, also when fewer stayed, and note the match."""
    held = brought or ({},) * len(players)
    seats = Seating(SeatState(player, player.is_bot, brings) for player, brings in zip(players, held, strict=True))
    return begun(replace(room, seats=seats, settings=room.settings.agreed(players=len(seats))), match_id)


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
    return replace(room, seats=room.seats.with_seat(seat, state))


def _stood(room: RoomState, person: str) -> RoomState:
    return replace(room, seats=room.seats.stood(person))


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
