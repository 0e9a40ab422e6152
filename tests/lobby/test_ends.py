"""Who plays a match hears that it has ended, wherever they are."""

from __future__ import annotations

from game.contract import Seat
from server.accounts.identity import Identity
from server.matches.match import Match
from tests.clocks import FakeClock
from tests.lobby.opened import OpenLobby, open_lobby
from tests.matches.table import MIRA, TARN, ZOE, SharedBus


async def test_both_terminals_of_a_player_hear_once_that_their_match_has_ended(lobby: OpenLobby) -> None:
    for player, session in ((MIRA, "mira-1"), (MIRA, "mira-2"), (TARN, "tarn-1"), (ZOE, "zoe-1")):
        lobby.arrive(player, session)
    match = await lobby.table.begin(MIRA, TARN)
    await match.resign(Seat(1))
    await lobby.table.wait(1)
    assert lobby.ended == {"mira-1": [match.id], "mira-2": [match.id], "tarn-1": [match.id], "zoe-1": []}


async def test_a_match_that_ended_elsewhere_is_told_where_it_is_open_but_not_where_it_is_read_later(
    url: str, clock: FakeClock
) -> None:
    bus = SharedBus()
    async with open_lobby(url, clock, bus, seed=1) as here, open_lobby(url, clock, bus, seed=2) as there:
        match = await here.table.begin(MIRA, TARN)
        there.arrive(MIRA)
        await there.table.matches.open(match.id)
        await match.resign(Seat(1))
        await there.table.wait(1)
        assert there.ended == {"mira-1": [match.id]}
        async with open_lobby(url, clock, bus, seed=3) as later:
            later.arrive(MIRA)
            assert (await later.table.matches.open(match.id)).is_over
            await later.table.wait(1)
            assert later.ended == {"mira-1": []}


async def test_a_terminal_that_failed_at_an_offer_kept_it_from_all_others(lobby: OpenLobby) -> None:
    def fail(match: Match) -> None:
        raise RuntimeError("a session's own fault")

    heard = list[str]()
    tarn = Identity(TARN.account_id, TARN.name, frozenset(), None, None, "", "127.0.1.9")
    match = await lobby.table.begin(MIRA, TARN)
    lobby.lobby.arrive(tarn, "tarn-1", heard.append, fail)
    lobby.lobby.arrive(tarn, "tarn-2", heard.append, lambda match: heard.append(f"offer in {match.id}"))
    await match.offer(Seat(0), "draw")
    await lobby.table.wait(1)
    assert f"offer in {match.id}" in heard
