"""Who waits for somebody is told once, in their events, by whichever process sees it first; never of the invisible."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from server.accounts.following import COMES, PLAYS, Following
from server.accounts.identity import Identity, Player
from server.matches.own_events import OwnEvent
from tests.clocks import FakeClock
from tests.lobby.opened import OpenLobby, open_lobby
from tests.matches.table import LIO, MIRA, TARN, SharedBus, new_database


def following_of(lobby: OpenLobby) -> Following:
    wanted = lobby.context.wanted
    assert isinstance(wanted, Following)
    return wanted


async def wait_for(lobby: OpenLobby, who: Player, whom: Player, tell: str) -> None:
    await following_of(lobby).follow(who.account_id or 0, whom.name)
    await following_of(lobby).set_alert(who.account_id or 0, whom.account_id or 0, tell)
    await following_of(lobby).refresh()


async def arrivals(lobby: OpenLobby, who: Player) -> list[OwnEvent]:
    found = await lobby.table.matches.own_events.after(who.account_id or 0, None)
    return [one for one in found if one.kind == "arrived"]


async def test_who_waits_is_told_once_that_somebody_has_come(lobby: OpenLobby) -> None:
    await wait_for(lobby, MIRA, TARN, COMES)
    await wait_for(lobby, LIO, TARN, COMES)
    await lobby.table.wait(6.0)
    assert await arrivals(lobby, MIRA) == []
    lobby.arrive(TARN)
    await lobby.table.wait(6.0)
    for who in (MIRA, LIO):
        assert [(one.who, one.match) for one in await arrivals(lobby, who)] == [("tarn", None)]
    lobby.arrive(TARN, "again")
    await lobby.table.wait(6.0)
    assert len(await arrivals(lobby, MIRA)) == 1
    assert following_of(lobby).alerts == {}


async def test_who_is_here_already_when_the_wish_is_made_is_told_of_soon(lobby: OpenLobby) -> None:
    lobby.arrive(TARN)
    await lobby.table.wait(6.0)
    await wait_for(lobby, MIRA, TARN, COMES)
    await lobby.table.wait(6.0)
    assert len(await arrivals(lobby, MIRA)) == 1


async def test_that_somebody_plays_is_told_with_the_match(lobby: OpenLobby) -> None:
    await wait_for(lobby, MIRA, TARN, PLAYS)
    lobby.arrive(TARN)
    await lobby.table.wait(6.0)
    assert await arrivals(lobby, MIRA) == []
    match = await lobby.table.begin(TARN, LIO)
    seat = match.seat_of(TARN)
    match.enter(TARN, seat, "tarn-1")
    await lobby.table.wait(6.0)
    assert [(one.who, one.match) for one in await arrivals(lobby, MIRA)] == [("tarn", match.id)]


async def test_nobody_is_told_of_who_is_invisible_until_they_show_themselves(lobby: OpenLobby) -> None:
    await wait_for(lobby, MIRA, TARN, COMES)
    hidden = Identity(TARN.account_id, "tarn", frozenset(), None, None, "", "127.0.5.5", is_invisible=True)
    lobby.lobby.arrive(hidden, "tarn-1", lambda match_id: None)
    await lobby.table.wait(6.0)
    assert await arrivals(lobby, MIRA) == []
    lobby.table.matches.set_invisible(TARN.account_id or 0, False)
    await lobby.table.wait(6.0)
    assert len(await arrivals(lobby, MIRA)) == 1


async def test_a_private_match_is_not_told(lobby: OpenLobby) -> None:
    await wait_for(lobby, MIRA, TARN, PLAYS)
    lobby.arrive(TARN)
    match = await lobby.table.begin(TARN, LIO, private=True)
    match.enter(TARN, match.seat_of(TARN), "tarn-1")
    await lobby.table.wait(6.0)
    assert await arrivals(lobby, MIRA) == []


async def test_two_processes_and_a_terminal_tell_of_one_arrival_once(tmp_path: Path, migrated_file: Path) -> None:
    clock, bus, url = FakeClock(), SharedBus(), await new_database(tmp_path, migrated_file)
    async with AsyncExitStack() as stack:
        first, second = [await stack.enter_async_context(open_lobby(url, clock, bus, seed=n)) for n in range(2)]
        await wait_for(first, MIRA, TARN, COMES)
        await following_of(second).refresh()
        first.arrive(TARN)
        second.arrive(TARN, "there")
        await first.table.wait(6.0)
        taken = await following_of(second).take_alert(MIRA.account_id or 0, TARN.account_id or 0, COMES)
        assert not taken, "a terminal that comes late tells nothing"
        assert len(await arrivals(first, MIRA)) == len(await arrivals(second, MIRA)) == 1


async def test_a_terminal_that_tells_first_makes_the_event(lobby: OpenLobby) -> None:
    await wait_for(lobby, MIRA, TARN, COMES)
    assert await following_of(lobby).take_alert(MIRA.account_id or 0, TARN.account_id or 0, COMES)
    lobby.arrive(TARN)
    await lobby.table.wait(6.0)
    assert [(one.who, one.match) for one in await arrivals(lobby, MIRA)] == [("tarn", None)]


async def test_where_nobody_is_waited_for_nothing_is_asked_of_the_store(
    lobby: OpenLobby, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def asked(*_: object) -> None:
        raise AssertionError("nobody waits")

    monkeypatch.setattr(following_of(lobby), "raise_alert", asked)
    lobby.arrive(TARN)
    await lobby.table.wait(6.0)
    assert [one.name for one in lobby.lobby.snapshot().here] == ["tarn"]
