"""What the lobby shows: one frozen view for everybody, made anew at most every three seconds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from server.accounts.identity import Player
from server.accounts.machines import MarkedAccounts
from server.lobby.context import LobbyContext
from server.lobby.model import LobbyView, PersonHere, RoomSummary
from server.lobby.room_document import from_json
from server.lobby.room_state import marked, seats_of
from server.lobby.seeking import Seeker
from server.matches.fair_shares import Owners, in_turn, rotating, some_in_turn
from server.matches.matches import Matches
from server.matches.model import MatchQuery, MatchSummary
from server.matches.visibility import EVERYBODY, RoomFacts, knows_room
from server.presence.connections import Connections, Places, is_unseen, places_of
from server.store import lobby as store
from server.store.lobby import StoredRoom

MATCHES_SHOWN = 100
ROOMS_SHOWN = 100
ENDED_SHOWN = 5
ENDED_LOOKED_AT = 50


async def read_view(context: LobbyContext, matches: Matches, seeker: Seeker, before: LobbyView | None) -> LobbyView:
    """Return how the lobby looks now; the same object as `before` where nothing has changed."""
    seeks, connections = await seeker.views(), context.presence.connections
    rooms = await context.database.read(store.all_rooms)
    live = await matches.list(MatchQuery(limit=MATCHES_SHOWN))
    ended = await _ended(matches, live, before)
    at_boards = _being_played(connections)
    playing = await matches.known_to_all(at_boards)
    view = LobbyView(
        version=1 if before is None else before.version + 1,
        at=context.clock.now(),
        seeks=seeks,
        rooms=tuple(_rooms(rooms, connections.guest_sources(), context.clock.now(), context.machines)),
        matches=tuple(sorted(live, key=lambda one: _interest(one, at_boards))),
        here=tuple(people(connections, playing - {one.id for one in ended}, context.machines)),
        ended=ended,
        waits=seeker.usual_waits(),
    )
    if before is not None and replace(view, version=before.version, at=before.at) == before:
        return before
    return view


async def _ended(matches: Matches, live: Sequence[MatchSummary], before: LobbyView | None) -> tuple[MatchSummary, ...]:
    """Return the public matches that ended last; read anew only when one of those that ran does not run any more."""
    if before is not None and before.version and {one.id for one in before.matches} <= {one.id for one in live}:
        return before.ended
    return await ended_lately(matches)


async def ended_lately(matches: Matches) -> tuple[MatchSummary, ...]:
    """Return the public matches that ended last, everybody's last one before anybody's second."""
    found = await matches.list(MatchQuery(statuses=frozenset(("finished",)), limit=ENDED_LOOKED_AT))
    at = {one.id: one.ended_at or one.started_at for one in found}
    shown = in_turn(sorted(found, key=lambda one: at[one.id], reverse=True), _people_of)[:ENDED_SHOWN]
    return tuple(sorted(shown, key=lambda one: at[one.id], reverse=True))


def _people_of(match: MatchSummary) -> Owners:
    return tuple(seat.player.person for seat in match.seats if not seat.player.is_bot)


def _interest(match: MatchSummary, at_boards: frozenset[str]) -> tuple[bool, bool, int, int, int, str]:
    """Order by whether people play, and one is at the board, then by watchers, the strongest player, what was played.

    `at_boards`: the matches at whose boards one of their players is.
    """
    strongest = max((seat.rating or 0 for seat in match.seats), default=0)
    has_people = any(not (seat.player.is_bot or seat.player.is_machine or seat.bot) for seat in match.seats)
    return (not has_people, match.id not in at_boards, -match.watchers, -strongest, -match.seq, match.id)


def _rooms(
    stored: Iterable[StoredRoom], sources: Mapping[str, str], now: datetime, machines: MarkedAccounts
) -> Iterator[RoomSummary]:
    """List the public rooms, the oldest first, but everybody's first before anybody's second; some of too many."""

    def host(row: StoredRoom) -> Owners:
        return (row.data["host"],)

    def share(row: StoredRoom) -> Owners:
        return (sources.get(row.data["host"], row.data["host"]),)

    listed = [row for row in stored if knows_room(RoomFacts(is_private=not row.listed), EVERYBODY)]
    shown = some_in_turn(listed, ROOMS_SHOWN, rotating(now), host, share)
    return (_summary(row, machines) for row in in_turn(shown, host, share))


def _summary(row: StoredRoom, machines: MarkedAccounts) -> RoomSummary:
    room = marked(from_json(row.data), machines)
    match, people = room.match if room.playing else None, frozenset((room.host, *room.seats.people))
    seats, sent_away = seats_of(room, ()), frozenset(room.removed)
    return RoomSummary(room.code, room.settings, seats, room.host_name, row.since, match, people, sent_away)


def _being_played(connections: Connections) -> frozenset[str]:
    """Return the matches in which somebody who is connected has a seat before them."""
    return frozenset(
        match_id for _, _, places in _sessions(connections) for match_id, seat in places if seat is not None
    )


async def people_now(context: LobbyContext, matches: Matches) -> tuple[PersonHere, ...]:
    """Return who is connected, with the match of theirs that may be named. Raises StoreUnavailable."""
    connections = context.presence.connections
    playing = await matches.known_to_all(_being_played(connections))
    return tuple(people(connections, playing, context.machines))


def people(connections: Connections, playing: Collection[str], machines: MarkedAccounts) -> Iterator[PersonHere]:
    """List who is connected, each person once, the longest here first. `playing`: the matches that may be named."""
    seen: dict[str, PersonHere] = {}
    for since, player, places in sorted(_sessions(connections), key=lambda one: (one[0], one[1].name)):
        shown = next((match_id for match_id, seat in places if seat is not None and match_id in playing), None)
        known = seen.get(player.person)
        if known is None:
            is_machine = player.account_id in machines
            seen[player.person] = PersonHere(player.name, player.kind == "guest", shown, since, is_machine)
        elif known.playing is None and shown is not None:
            seen[player.person] = replace(known, playing=shown)
    yield from seen.values()


def connected(connections: Connections) -> Iterator[Player]:
    """List the person of every connection to any process, but for who does not want to be seen."""
    return (player for _, player, _ in _sessions(connections))


def _sessions(connections: Connections) -> Iterator[tuple[datetime, Player, Places]]:
    for here in connections.here:
        if connections.is_invisible(here.identity.player):
            continue
        yield here.since, here.identity.player, here.places
    for one in connections.elsewhere:
        if is_unseen(one):
            continue
        if one.account_id is None:
            yield one.since, Player("guest", one.name, guest_id=one.name), places_of(one)
        else:
            yield one.since, Player("account", one.name, account_id=one.account_id), places_of(one)
