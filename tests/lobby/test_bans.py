"""What becomes of the matches of those whom a ban of a network sends away."""

from __future__ import annotations

import pytest

from game.contract import Seat
from server.accounts.identity import Identity, Player
from server.matches.bans import Reach, end_matches
from server.matches.match import Match
from tests.lobby.opened import OpenLobby
from tests.matches.table import GUEST, LIO, MIRA, TARN, kinds

A, B, C = Seat(0), Seat(1), Seat(2)


def by_name(**reaches: Reach) -> object:
    return lambda identity: reaches.get(identity.name.replace("-", "_"))


async def playing(lobby: OpenLobby, *players: Player, speed: str = "normal") -> Match:
    for player in players:
        lobby.arrive(player)
    return await lobby.table.begin(*players, rated=GUEST not in players, speed=speed)


async def banish(lobby: OpenLobby, **reaches: Reach) -> None:
    await end_matches(lobby.table.matches, by_name(**reaches))  # type: ignore[arg-type]


async def test_a_match_that_loses_both_to_a_network_s_ban_is_void(lobby: OpenLobby) -> None:
    match = await playing(lobby, MIRA, TARN)
    await banish(lobby, mira=Reach.NETWORK, tarn=Reach.NETWORK)
    assert await kinds(lobby.table, match.id) == ["void"]
    await banish(lobby, mira=Reach.NETWORK, tarn=Reach.NETWORK)
    assert await kinds(lobby.table, match.id) == ["void"], "another process may come later"


async def test_who_is_banned_themselves_loses_to_whom_only_the_network_reached(lobby: OpenLobby) -> None:
    match = await playing(lobby, MIRA, TARN)
    await banish(lobby, mira=Reach.NETWORK, tarn=Reach.PERSON)
    result = match.live.shown.fold.result
    assert result is not None
    assert result.placements == ((A,), (B,))


async def test_of_three_the_banned_gives_up_and_the_others_match_is_void(lobby: OpenLobby) -> None:
    match = await playing(lobby, MIRA, TARN, LIO)
    await banish(lobby, mira=Reach.NETWORK, tarn=Reach.PERSON, lio=Reach.NETWORK)
    assert await kinds(lobby.table, match.id) == ["resign", "void"]


@pytest.mark.parametrize(
    "reaches",
    [
        {"tarn": Reach.NETWORK},
        {"tarn": Reach.PERSON},
        {"mira": Reach.PERSON, "tarn": Reach.PERSON},
    ],
)
async def test_where_somebody_stays_or_all_were_meant_the_match_goes_its_way(
    lobby: OpenLobby, reaches: dict[str, Reach]
) -> None:
    match = await playing(lobby, MIRA, TARN)
    await banish(lobby, **reaches)
    assert await kinds(lobby.table, match.id) == []


async def test_there_are_days_to_come_back_in_to_a_daily_match(lobby: OpenLobby) -> None:
    match = await playing(lobby, MIRA, TARN, speed="daily")
    await banish(lobby, mira=Reach.NETWORK, tarn=Reach.NETWORK)
    assert await kinds(lobby.table, match.id) == []


async def test_who_is_here_from_elsewhere_too_stays(lobby: OpenLobby) -> None:
    match = await playing(lobby, MIRA, TARN)
    sources = {"tarn-2": "192.0.2.9"}
    lobby.lobby.arrive(Identity(2, "tarn", frozenset(), None, None, "", sources["tarn-2"]), "tarn-2", lambda _: None)

    def reach(identity: Identity) -> Reach | None:
        return None if identity.source == sources["tarn-2"] else Reach.NETWORK

    await end_matches(lobby.table.matches, reach)
    assert await kinds(lobby.table, match.id) == []


async def test_guests_are_sent_away_from_their_matches_alike(lobby: OpenLobby) -> None:
    match = await playing(lobby, MIRA, GUEST)
    await banish(lobby, mira=Reach.NETWORK, **{GUEST.name.replace("-", "_"): Reach.NETWORK})
    assert await kinds(lobby.table, match.id) == ["void"]
