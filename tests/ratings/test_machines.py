"""Machines have ladders of their own, and count less for people than people do."""

from __future__ import annotations

import random

import pytest

from server.accounts.machines import Machines, MarkedAccounts
from server.ratings.bradley_terry import SETTLED_AFTER
from server.ratings.ladders import ladder_of, of_machines
from server.ratings.played import HowPlayed
from server.ratings.ratings import Projection, Ratings, differing, project
from server.store.database import Database
from tests.ratings.world import World

RAINET, MACHINES = "rainet", of_machines("rainet")


@pytest.fixture
async def world(database: Database) -> World:
    return World(database, random.Random(5))


async def ladders_of(ratings: Ratings, account_id: int | None) -> set[str]:
    return set(await ratings.all_of(account_id or 0))


def test_a_ladder_of_machines_is_named_after_that_of_people() -> None:
    assert ladder_of("netrunner", 2, 0, is_machine=True) == "netrunner-corp-machines"
    assert ladder_of("forgotten", 3, 0, is_machine=True) == "forgotten-many-machines"


async def test_machines_are_rated_on_ladders_of_their_own_and_so_it_is_computed_again(world: World) -> None:
    person, machine, *others = await world.join(4)
    await world.beat(others[0], others[1], HowPlayed(machines=(0, 1)))
    mixed = await world.beat(person, machine, HowPlayed(machines=(1,)))
    assert await ladders_of(world.ratings, person.account_id) == {RAINET}
    assert await ladders_of(world.ratings, machine.account_id) == {MACHINES}
    assert await world.ratings.reasons(mixed) == {0: "machine", 1: "machine"}
    assert await world.database.read(differing) == []
    before = {change.account_id: change for change in await world.curve(machine, MACHINES)}
    assert await world.ratings.rebuild() == 2
    assert {change.account_id: change for change in await world.curve(machine, MACHINES)} == before
    assert {ladder for _, ladder in (await world.database.read(project, Projection())).known} == {RAINET, MACHINES}


async def test_a_match_with_a_machine_counts_less_whoever_wins_and_tells_nothing_of_opponents(world: World) -> None:
    people = await world.population(6, 12)
    machines = await world.join(2)
    whole = await world.ratings.changes(await world.beat(people[0], people[1]))
    world.clock.shift(86_400)
    for winner, loser, at in ((people[2], machines[0], 1), (machines[1], people[3], 0)):
        match = await world.beat(winner, loser, HowPlayed(machines=(at,)))
        before, after = (await world.ratings.changes(match))[1 - at]
        assert 0 < abs(after - before) < abs(whole[0][1] - whole[0][0])
    assert [change.thin for change in (await world.curve(people[2]))[-1:]] == [True]


async def test_who_was_rated_as_a_person_and_is_a_machine_now_stands_on_no_list_of_people(world: World) -> None:
    people = await world.population(4, SETTLED_AFTER + 2)
    machines = Machines(world.database, world.clock)
    names = {row.handle for row in await world.ratings.top(RAINET)}
    assert people[0].name in names
    await machines.declare(people[0].account_id or 0, "bot", None)
    assert {row.handle for row in await world.ratings.top(RAINET)} == names - {people[0].name}
    for i in range(SETTLED_AFTER):
        await world.beat(people[0], people[1 + i % 3], HowPlayed(machines=(0,)))
    assert [row.handle for row in await world.ratings.top(MACHINES)] == [people[0].name]
    who = MarkedAccounts({people[0].account_id or 0: people[0].name}).marked(people[0])
    as_person, as_machine = await world.ratings.of_seats("rainet", (people[0], who))
    assert as_person is not None
    assert as_machine is not None
    assert as_person.matches > as_machine.matches == SETTLED_AFTER
