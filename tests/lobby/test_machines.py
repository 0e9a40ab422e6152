"""Machines in the lobby: people are never paired with one unless they said so, and sit beside one knowingly."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Any

import pytest

from game.contract import Watcher
from server.accounts.identity import Player
from server.lobby.errors import LobbyRefused
from server.lobby.pairing import PAIRED_AT_ONCE, Waiter, wave
from tests.agreements import agreed
from tests.lobby.opened import ROOM, TINY, OpenLobby, seated
from tests.lobby.test_pairing import NOW, SIZES, pair, waiter
from tests.matches.table import LIO, MIRA, TARN


def machine(number: int, *, machines: bool = True, **more: Any) -> Waiter:
    person = waiter(number, machines=machines, **more)
    return replace(person, player=replace(person.player, is_machine=True))


def test_people_meet_no_machine_that_they_have_not_asked_for() -> None:
    assert pair(waiter(1), machine(2)) == []
    assert pair(waiter(1, machines=True), machine(2)) == [{"w1", "w2"}]
    assert pair(waiter(1, machines=True), machine(2, machines=False)) == [{"w1", "w2"}], "it meets people all the same"


def test_machines_meet_machines_where_both_would() -> None:
    assert pair(machine(1), machine(2)) == [{"w1", "w2"}]
    assert pair(machine(1), machine(2, machines=False)) == []


def test_nobody_waits_for_a_machine_for_ever_nor_is_asked_about_one() -> None:
    long = 600
    assert pair(waiter(1, waited_s=long), machine(2, waited_s=long)) == []
    three = [waiter(n, waited_s=long, game="relati", players=3, fewest=2) for n in (1, 2)]
    made = pair(*three, replace(machine(3, waited_s=long), seek=replace(three[0].seek, fewest=2)))
    assert made == [{"w1", "w2"}]


def test_hundreds_of_machines_keep_no_two_people_from_meeting() -> None:
    people = [replace(waiter(n), since=NOW + timedelta(seconds=1)) for n in (1, 2)]
    waiting = [machine(100 + n, machines=False, waited_s=90) for n in range(4 * PAIRED_AT_ONCE)]
    for seed in range(20):
        [met] = wave([*waiting, *people], NOW, SIZES, Random(seed))
        assert {one.id for one in met.waiters} == {"w1", "w2"}


async def marked(lobby: OpenLobby, *players: Player) -> None:
    """Let these accounts be machines from now on."""
    lobby.context.machines.update({player.account_id or 0: player.name for player in players})


async def test_a_seek_says_whether_machines_will_do_and_a_mark_counts_at_once(lobby: OpenLobby) -> None:
    for player in (MIRA, TARN, LIO):
        lobby.arrive(player)
    await lobby.lobby.seek(MIRA, TINY, "mira-1")
    await marked(lobby, TARN)
    await lobby.lobby.seek(TARN, TINY, "tarn-1")
    await lobby.wave()
    assert lobby.matches_of(MIRA) == []
    [shown] = [one for one in await lobby.lobby.seeker.views() if one.player.name == "tarn"]
    assert shown.player.is_machine
    await lobby.lobby.seek(LIO, replace(TINY, agreement=replace(TINY.agreement, machines=True)), "lio-1")
    await lobby.wave()
    met = [name for name in ("mira", "tarn", "lio") if lobby.begun[f"{name}-1"]]
    assert met in (["tarn", "lio"], ["mira", "lio"])


async def test_a_rated_match_knows_who_was_a_machine_when_it_began(lobby: OpenLobby) -> None:
    await marked(lobby, TARN)
    match = await lobby.table.begin(MIRA, TARN, rated=True)
    assert match.terms.machine_seats == (1,)
    assert [info.player.is_machine for info in match.snapshot(Watcher.PUBLIC).seats] == [False, True]
    await marked(lobby)
    lobby.table.matches.mark(TARN.account_id or 0)
    assert [info.player.is_machine for info in match.snapshot(Watcher.PUBLIC).seats] == [False, False]
    assert match.terms.machine_seats == (1,), "its rating counts where it began"


async def test_a_machine_sits_where_it_was_agreed_or_asked_in(lobby: OpenLobby) -> None:
    for player in (MIRA, TARN):
        lobby.arrive(player)
    await marked(lobby, TARN)
    room = await lobby.lobby.rooms.create(MIRA, ROOM, "mira-1")
    await room.enter(TARN, "tarn-1")
    with pytest.raises(LobbyRefused) as refused:
        await room.sit(TARN)
    assert refused.value.key == "room.error.no-machines"
    await room.set(MIRA, agreed(ROOM, machines=True))
    await room.sit(TARN)
    assert seated(room) == ["mira", "tarn"]
    assert [seat.player.is_machine for seat in room.snapshot().seats if seat.player] == [False, True]
    await room.set(MIRA, ROOM)
    assert seated(room) == ["mira", None], "who does not fit stands up"
    asked = await lobby.lobby.challenges.make(MIRA, "tarn", agreed(ROOM, private=True), "mira-1")
    await asked.enter(TARN, "tarn-1")
    await asked.sit(TARN)
    assert seated(asked) == ["mira", "tarn"]


async def test_the_host_of_a_room_may_be_a_machine_and_people_see_it(lobby: OpenLobby) -> None:
    for player in (MIRA, TARN):
        lobby.arrive(player)
    await marked(lobby, TARN)
    room = await lobby.lobby.rooms.create(TARN, ROOM, "tarn-1")
    await lobby.lobby.rooms.join(MIRA, room.code, "mira-1")
    assert seated(room) == ["tarn", "mira"]
    await lobby.table.wait(3.0)
    [listed] = lobby.lobby.snapshot().rooms
    assert [seat.player.is_machine for seat in listed.seats if seat.player] == [True, False]
    here = {one.name: one.is_machine for one in lobby.lobby.snapshot().here}
    assert here == {"tarn": True, "mira": False}
