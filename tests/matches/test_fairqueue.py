"""Who waits for a place, and for how many others: without a clock, the test gives each place back itself."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from contextlib import suppress

import pytest

from server.accounts.identity import Identity
from server.matches.fairqueue import FairQueue, QueuePath
from server.presence.connections import Connected
from tests.clocks import FakeClock
from tests.matches.table import GUEST, HARD, MIRA, TARN, Table


class Asked:
    """Somebody who asks for a place and holds it until the test says so."""

    def __init__(self, queue: FairQueue, *paths: QueuePath) -> None:
        self.path = paths[0]
        self.is_called = False
        self._queue = queue
        self._paths = paths
        self._is_done = asyncio.Event()
        self.task = asyncio.create_task(self._hold())

    async def _hold(self) -> None:
        async with self._queue.place(self._paths):
            self.is_called = True
            await self._is_done.wait()

    async def finish(self) -> None:
        self._is_done.set()
        await self.task
        await settle()


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def served(waiting: list[Asked]) -> list[Asked]:
    """Let everybody finish, one after the other; return them in the order in which they were called."""
    order: list[Asked] = []
    await settle()
    left = [*waiting]
    while left:
        now = next(one for one in left if one.is_called)
        order.append(now)
        left.remove(now)
        await now.finish()
    return order


async def test_whoever_comes_waits_for_one_decision_of_a_source_that_asks_for_hundreds() -> None:
    queue = FairQueue(1)
    flood = [Asked(queue, ("10.0.0.1", "g:guest", f"m{n}")) for n in range(200)]
    await settle()
    mira = Asked(queue, ("10.0.0.2", "a:1", "m"))
    order = await served([*flood, mira])
    assert order.index(mira) == 1


async def test_twenty_floods_are_twenty_turns() -> None:
    queue = FairQueue(1)
    floods = [Asked(queue, (f"10.0.1.{n % 20}", f"g:{n % 20}", f"m{n}")) for n in range(200)]
    await settle()
    mira = Asked(queue, ("10.0.0.2", "a:1", "m"))
    order = await served([*floods, mira])
    before = Counter(one.path[0] for one in order[: order.index(mira)])
    assert set(before.values()) == {1}


async def test_a_hundred_names_from_one_address_have_one_turn_together() -> None:
    queue = FairQueue(1)
    flood = [Asked(queue, ("10.0.0.1", f"g:guest-{n}", "m")) for n in range(100)]
    await settle()
    mira = [Asked(queue, ("10.0.0.2", "a:1", f"m{n}")) for n in range(5)]
    order = await served([*flood, *mira])
    assert [one.path[0] for one in order[:10]] == ["10.0.0.1", "10.0.0.2"] * 5


async def test_behind_one_address_the_turns_go_from_person_to_person_and_from_match_to_match() -> None:
    queue = FairQueue(1)
    flood = [Asked(queue, ("10.0.0.1", "g:guest", f"m{n % 3}")) for n in range(9)]
    await settle()
    tarn = [Asked(queue, ("10.0.0.1", "a:2", "t")) for _ in range(2)]
    order = [one.path[2] for one in await served([*flood, *tarn])]
    assert order == ["m0", "t", "m1", "t", "m2", "m0", "m1", "m2", "m0", "m1", "m2"]


async def test_places_that_nobody_else_wants_are_all_one_source_s() -> None:
    queue = FairQueue(3)
    flood = [Asked(queue, ("10.0.0.1", "g:guest", f"m{n}")) for n in range(5)]
    await settle()
    assert [one.is_called for one in flood] == [True, True, True, False, False]
    mira = Asked(queue, ("10.0.0.2", "a:1", "m"))
    await settle()
    await flood[0].finish()
    assert mira.is_called
    await served([*flood[1:], mira])


async def test_a_match_of_several_waits_in_the_turn_of_who_waits_for_least() -> None:
    """Else whoever sat down with a flooder waited behind the flood."""
    queue = FairQueue(1)
    flood = [Asked(queue, ("10.0.0.1", "g:guest", f"m{n}")) for n in range(50)]
    await settle()
    both = Asked(queue, ("10.0.0.1", "g:guest", "both"), ("10.0.0.2", "a:1", "both"))
    assert (await served([*flood, both])).index(both) == 1


async def test_who_goes_away_leaves_no_hole_and_no_trace() -> None:
    queue = FairQueue(1)
    first, second, third = (Asked(queue, (f"10.0.0.{n}", "a", "m")) for n in range(3))
    await settle()
    second.task.cancel()  # while it waits
    await settle()
    await first.finish()
    assert third.is_called
    fourth, fifth = (Asked(queue, (f"10.0.1.{n}", "a", "m")) for n in range(2))
    await settle()
    third.task.cancel()  # while it has the place; who is called next goes away before it hears of it
    fourth.task.cancel()
    await settle()
    assert fifth.is_called
    await fifth.finish()
    with suppress(asyncio.CancelledError):
        await third.task
    assert queue.waiting == 0
    assert queue.is_idle


@pytest.mark.parametrize("places", [1, 3])
@pytest.mark.parametrize("level", [0, 1, 2], ids=["sources", "persons", "matches"])
async def test_no_one_who_had_nothing_waits_for_two_decisions_of_another(places: int, level: int) -> None:
    """Random comings and goings, of sources, of the persons of one, of the matches of one."""
    for number in range(20):
        rng = random.Random(f"{places} {level} {number}")
        queue, there, waited = FairQueue(places), list[Asked](), dict[Asked, Counter[str]]()
        for _ in range(150):
            calm = [one for one in there if one.is_called]
            if calm and rng.random() < 0.5:
                done = rng.choice(calm)
                there.remove(done)
                called = {one for one in there if one.is_called}
                await done.finish()
                for now in (one for one in there if one.is_called and one not in called):
                    count_turn(now, waited, level)
            else:
                name = str(min(int(rng.expovariate(0.5)), 9))  # the first ask for most
                new = Asked(queue, tuple(name if step == level else "x" for step in range(3)))
                under_way = Counter(one.path[level] for one in there if one.is_called)
                is_first = not any(one.path[level] == name for one in there)
                await settle()
                there.append(new)
                if new.is_called:
                    count_turn(new, waited, level)
                elif is_first:
                    waited[new] = under_way if places == 1 else Counter()
        await served(there)


def count_turn(now: Asked, waited: dict[Asked, Counter[str]], level: int) -> None:
    """Note that somebody got a place while others wait; nobody may see the same one get two."""
    waited.pop(now, None)
    for seen in waited.values():
        seen[now.path[level]] += 1
        assert max(seen.values()) <= 1


async def test_a_bot_thinks_on_the_account_of_the_people_at_its_table(table: Table) -> None:
    """People count in the networks around their address; who is not here shares one turn with all who are not."""
    matches, now = table.matches, FakeClock().now()
    for person, source in ((MIRA, "2001:db8:1:2::7"), (GUEST, "192.0.2.9")):
        account = person.account_id
        identity = Identity(account, person.name, frozenset(), None, None, "", source)
        matches.connections.arrive(Connected(person.name, identity, now))
    match = await table.begin(MIRA, GUEST, TARN, HARD, game="passage")
    await table.play_on(match, lambda: bool(table.pool.waited_for))
    assert table.pool.waited_for[0] == [
        ("2001:db8:1::/48", "2001:db8:1::/56", "2001:db8:1:2::/64", "a:1", match.id),
        ("192.0.2.0/24", "192.0.2.9", f"g:{GUEST.name}", match.id),
        ("", "a:2", match.id),
    ]
