"""In which order the lobby lists live matches."""

from __future__ import annotations

from game.contract import Seat, Watcher
from server.accounts.identity import Identity, Player
from server.lobby.lobby import VIEW_S
from server.matches.model import MatchQuery
from tests.lobby.opened import OpenLobby
from tests.matches.table import EASY, LIO, MIRA, TARN


async def test_a_match_of_programs_alone_stood_before_those_of_people(lobby: OpenLobby) -> None:
    table, machines = lobby.table, (TARN, LIO)
    lobby.context.machines.update({player.account_id or 0: player.name for player in machines})
    lobby.arrive(MIRA)
    theirs = await table.begin(*machines, game="rainet")
    people = await table.begin(MIRA, EASY, game="rainet")
    theirs.enter(MIRA, None, "s1")  # somebody looks on, which else comes first
    await table.wait(2 * VIEW_S)
    await lobby.lobby.refresh()
    listed = lobby.lobby.snapshot().matches
    assert [one.id for one in listed] == [people.id, theirs.id]
    assert listed[1].watchers == 1


async def test_matches_that_nobody_sits_at_filled_the_list_of_those_that_are_played(lobby: OpenLobby) -> None:
    """Who leaves a match against a bot leaves it live; three of one person's hid what was played."""
    table = lobby.table
    left = await table.begin(MIRA, EASY, game="rainet")
    left.enter(LIO, None, "s1")  # somebody looks on, which else comes first
    played = await table.begin(TARN, EASY, game="rainet")
    lobby.arrive(TARN, "s2")
    played.enter(TARN, Seat(0), "s2")
    await table.wait(2 * VIEW_S)
    await lobby.lobby.refresh()
    assert [one.id for one in lobby.lobby.snapshot().matches] == [played.id, left.id]


async def test_one_guest_with_many_windows_was_counted_as_many_watchers(lobby: OpenLobby) -> None:
    """And their match came first in the lobby."""
    match = await lobby.table.begin(MIRA, TARN)
    for number, name in enumerate(("guest-a2a2", "guest-a2a2", "guest-b3b3")):
        who = Player("guest", name, guest_id=name)
        identity = Identity(None, name, frozenset(), None, None, "", "192.0.2.7")
        lobby.lobby.arrive(identity, f"s{number}", lambda match: None)
        match.enter(who, None, f"s{number}")
    lobby.arrive(LIO)
    match.enter(LIO, None, "lio")
    match.enter(LIO, None, "lio again")
    [listed] = await lobby.table.matches.list(MatchQuery())
    assert listed.watchers == 2
    assert match.snapshot(Watcher.PUBLIC).watchers == ("guest-a2a2", "guest-b3b3", "lio"), "each name is seen"
