"""Who wants points from accounts of their own gets few, and honest people are rated as before or better."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from statistics import mean

import pytest

from server.accounts.identity import Player
from server.ratings.played import HowPlayed, Leaver, part_played
from server.ratings.ratings import differing
from server.ratings.weights import NEW_RISE, SETTLED
from server.store.database import Database
from tests import seeds
from tests.ratings.world import USUAL, World, gained, highest_rise

A_DAY = 60  # points that a settled rating gains at most from accounts under one control
OFF_BY = 75  # points that a newcomer is at most away from where they belong, after 20 matches
Farm = Callable[[World, Player], Awaitable[None]]


async def keys_of_one_48(world: World, farmer: Player) -> None:
    """Register 12 keys in one network, each of which resigns after two actions: what the server was taken by."""
    for helper in await world.join(12):
        await world.give_up(farmer, helper, 2, near=True)


async def keys_of_twelve_networks(world: World, farmer: Player) -> None:
    """Let 40 new accounts, each from a network of its own, lose whole matches."""
    for helper in await world.join(40):
        await world.beat(farmer, helper)


async def a_partner_elsewhere(world: World, farmer: Player) -> None:
    """Win all that two people may play in a day, whole matches."""
    [partner] = await world.join()
    for _ in range(12):
        await world.give_up(farmer, partner)


async def private_rooms(world: World, farmer: Player) -> None:
    """Win in rooms that nobody sees."""
    for helper in await world.join(8):
        for _ in range(4):
            await world.give_up(farmer, helper, private=True)


async def losing_on_purpose(world: World, farmer: Player) -> None:
    """Lose first, so that there is more to gain; then win it back from accounts that were raised by the others."""
    raised, *others = await world.join(9)
    for helper in others:
        await world.beat(raised, helper)
    for _ in range(6):
        await world.beat(raised, farmer)
    for helper in (raised, *others):
        for _ in range(4):
            await world.beat(farmer, helper)


async def timing_out(world: World, farmer: Player) -> None:
    """Let the others' time run out, at every length of match."""
    helpers = await world.join(8)
    for decisions in (0, 2, 10, 20, USUAL):
        for helper in helpers:
            await world.give_up(farmer, helper, decisions)


async def registering_anew(world: World, farmer: Player) -> None:
    """Delete the loser after each match, and register it anew."""
    for _ in range(30):
        [helper] = await world.join()
        await world.beat(farmer, helper)
        await world.leave(helper)


async def a_ring_of_five(world: World, farmer: Player) -> None:
    """Settle four accounts among themselves first, for days; then they lose to the fifth."""
    ring = await world.join(4)
    for _ in range(12):
        for i, one in enumerate(ring):
            for other in ring[i + 1 :]:
                await world.contest(one, other)
    world.clock.shift(86_400)
    for _ in range(12):
        for helper in ring:
            await world.beat(farmer, helper)


async def a_patient_ring_of_twelve(world: World, farmer: Player) -> None:
    """Settle twelve accounts of twelve networks, who have met many; then they lose to the farmer."""
    ring = await world.population(12, SETTLED)
    world.clock.shift(86_400)
    for _ in range(3):
        for helper in ring:
            await world.beat(farmer, helper)


async def agreed_draws(world: World, farmer: Player) -> None:
    """Agree on draws with accounts that were raised, at once and late."""
    raised, *others = await world.join(7)
    for helper in others:
        await world.beat(raised, helper)
    for decisions in (0, 5, USUAL, USUAL, USUAL):
        played = HowPlayed(drawn_part=part_played(decisions, USUAL))
        await world.play([farmer, raised], [[0, 1]], played)


async def machines_of_one_s_own(world: World, farmer: Player) -> None:
    """Settle twelve machines among themselves, for days; then they lose to their owner."""
    machines = await world.join(12)
    for i in range(SETTLED * 6):
        one, other = machines[i % 12], machines[(i % 12 + 1 + i // 12 % 11) % 12]
        await world.beat(one, other, HowPlayed(machines=(0, 1)))
    world.clock.shift(86_400)
    for _ in range(3):
        for machine in machines:
            await world.beat(farmer, machine, HowPlayed(machines=(1,)))


FARMS: tuple[Farm, ...] = (
    keys_of_one_48,
    keys_of_twelve_networks,
    a_partner_elsewhere,
    private_rooms,
    losing_on_purpose,
    timing_out,
    registering_anew,
    a_ring_of_five,
    a_patient_ring_of_twelve,
    agreed_draws,
    machines_of_one_s_own,
)


@pytest.fixture
async def world(database: Database) -> World:
    return World(database, random.Random(seeds.drawn()))


async def test_a_settled_account_gains_at_most_sixty_points_a_day_from_accounts_under_one_control(world: World) -> None:
    """Twelve fresh keys of one /48 took an account from 1500 to 2174 in three seconds."""
    people = await world.population(len(FARMS), SETTLED)
    for farm, farmer in zip(FARMS, people, strict=True):
        world.clock.shift(86_400)
        begun = len(await world.curve(farmer))
        assert begun >= SETTLED
        await farm(world, farmer)
        curve = (await world.curve(farmer))[begun:]
        assert 0 < highest_rise(curve) <= A_DAY, farm.__name__
    assert await world.database.read(differing) == []


async def test_a_settled_account_gains_at_most_sixty_points_a_day_at_tables_of_three_to_six(world: World) -> None:
    people = await world.join(8)
    for i in range(SETTLED):
        table = [*people[i % 8 :], *people[: i % 8]][:4]
        order = world.rng.sample(range(4), 4)
        world.clock.shift(7200)  # the same two play twelve a day
        await world.play(table, [[seat] for seat in order], game="relati")
    for n, farmer in zip((3, 4, 5, 6), people, strict=False):
        while len(await world.curve(farmer, "relati-many")) < SETTLED:
            table = [farmer, *world.rng.sample([one for one in people if one is not farmer], 3)]
            world.clock.shift(7200)
            await world.play(table, [[seat] for seat in world.rng.sample(range(4), 4)], game="relati")
        world.clock.shift(86_400)
        begun = len(await world.curve(farmer, "relati-many"))
        for early in (True, False) * 6:
            table = [farmer, *await world.join(n - 1)]
            still = [frozenset(range(seat)) for seat in range(n)]
            part = part_played(4 if early else 200, 20 * n)
            left = tuple(Leaver(seat, still[seat], part) for seat in range(n - 1, 0, -1))
            await world.play(table, [[seat] for seat in range(n)], HowPlayed(left), game="relati")
        assert 0 < highest_rise((await world.curve(farmer, "relati-many"))[begun:]) <= A_DAY, n
    assert await world.database.read(differing) == []


async def test_fresh_keys_don_t_make_a_new_account_the_first_on_the_ladder(world: World) -> None:
    [new] = await world.join()
    for helper in await world.join(12):
        await world.give_up(new, helper, 2, near=True)
    assert 1500 < await world.shown(new) < 1550
    for helper in await world.join(17):
        await world.beat(new, helper)
    assert await world.shown(new) < 1500 + 250


async def test_settled_accounts_raised_a_new_one_to_the_first_place_in_a_day(world: World) -> None:
    """Twelve patient accounts took a new one from 1500 to 2077 before it was settled."""
    ring = await world.population(12, SETTLED)
    world.clock.shift(86_400)
    [new] = await world.join()
    for n in range(SETTLED - 1):
        await world.beat(new, ring[n % 12])
    curve = await world.curve(new)
    assert 200 < highest_rise(curve) <= NEW_RISE + 5
    assert await world.database.read(differing) == []


async def test_an_honest_newcomer_is_soon_shown_where_they_belong(world: World) -> None:
    people, off = await world.population(), []
    for _ in range(12):
        world.clock.shift(86_400)
        [newcomer] = await world.join()
        for _ in range(20):
            await world.contest(newcomer, world.rng.choice(people), stronger_by=300)
        others = mean([await world.shown(one) for one in people])
        off.append(await world.shown(newcomer) - others - 300)
        for _ in range(40):
            one, other = world.rng.sample(people, 2)
            await world.contest(one, other)
    assert abs(mean(off)) <= OFF_BY, off


async def test_the_tenth_match_of_two_still_moves_both(world: World) -> None:
    settled = await world.population(6, SETTLED)
    world.clock.shift(86_400)
    for winner, loser in (await world.join(2), settled[:2]):
        for _ in range(9):
            await world.beat(winner, loser)
        before = [await world.shown(one) for one in (winner, loser)]
        await world.beat(winner, loser)
        after = [await world.shown(one) for one in (winner, loser)]
        assert after[0] > before[0]
        assert after[1] < before[1]


async def test_a_settled_player_loses_little_to_somebody_who_is_stronger_than_a_newcomer_looks(world: World) -> None:
    honest, equal, *_ = await world.population(6, SETTLED)
    [smurf] = await world.join()
    lost = []
    for winner in (smurf, equal):
        world.clock.shift(86_400)
        match_id = await world.beat(winner, honest)
        lost.append(-gained(await world.curve(honest), [match_id]))
    assert 0 < lost[0] < min(8, lost[1])


async def test_who_leaves_a_table_loses_and_the_others_are_rated_among_themselves(world: World) -> None:
    """One who resigned before the second own action voided the rating of all who played to the end."""
    names = await world.join(4)
    left = Leaver(1, frozenset((0, 2, 3)), part_played(1, 80))
    await world.play(names, [[0], [2], [3], [1]], HowPlayed((left,)), game="relati")
    first, leaver, second, last = [await world.shown(one, "relati", 4) for one in names]
    assert first > second > last
    assert second == pytest.approx(1500, abs=3)
    assert first - 1500 == pytest.approx(1500 - last, abs=3)
    assert leaver <= last


async def test_the_winner_gains_with_the_share_that_was_played_and_who_left_loses_all(world: World) -> None:
    gains, losses = [], []
    for decisions in (0, 1, 10, 20, 30, USUAL, 2 * USUAL):
        winner, loser = await world.join(2)
        await world.give_up(winner, loser, decisions)
        gains.append(await world.shown(winner) - 1500)
        losses.append(1500 - await world.shown(loser))
    assert gains[0] == 0
    assert gains[:6] == sorted(set(gains[:6]))
    assert gains[5] == gains[6] == losses[0]
    assert len(set(losses)) == 1


async def test_an_honest_settled_player_stays_where_they_are(world: World) -> None:
    """What counts less counts less for both, so nobody drifts away from where they belong."""
    people = await world.population(4, SETTLED)
    before = [await world.shown(one) for one in people]
    for _ in range(6):
        world.clock.shift(86_400)
        for newcomer in await world.join(4):
            for honest in people:
                await world.contest(honest, newcomer)
    drifts = [await world.shown(one) - old for one, old in zip(people, before, strict=True)]
    assert abs(mean(drifts)) < 40, drifts
    assert await world.database.read(differing) == []
