"""What people do that every process has to hear of is limited."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from itertools import count

import pytest

from server.accounts import rate_limits
from server.accounts.accounts import Accounts
from server.accounts.conduct import Conduct
from server.accounts.following import COMES, Following
from server.accounts.machines import Machines
from server.accounts.publickeys import read_public_key
from server.config import Limits
from server.errors import RateLimited
from server.store import processes
from server.store.database import Database
from tests.accounts.exports import gathered
from tests.accounts.keyring import public_key
from tests.clocks import FakeClock

FEW = 4
DAY_S = 86_400


def fp(name: str) -> str:
    return read_public_key(public_key(name)).fingerprint


class World:
    """An account with a key that is a day old, beside another account."""

    def __init__(self, database: Database, clock: FakeClock) -> None:
        self.database, self.clock = database, clock
        self.accounts = Accounts(database, clock, Limits(accounts_per_hour=1000))
        self.following, self.conduct = Following(database, clock), Conduct(database, clock)
        self.machines = Machines(database, clock)
        self.turn = count()

    async def begin(self) -> None:
        self.me = (await self.accounts.register("mira", public_key("a"), "192.0.2.1")).account.id
        self.other = (await self.accounts.register("tarn", public_key("t"), "192.0.2.2")).account.id
        await self.accounts.keys.link(await self.accounts.keys.make_code(self.me, fp("a")), public_key("b"))
        await self.following.follow(self.other, "mira")
        self.clock.shift(2 * DAY_S)

    async def n_orders(self) -> int:
        return len(await self.database.read(processes.orders_after, 0))

    async def log_out(self, by: str = "a") -> None:
        await self.accounts.log_out(self.me, "s1", fp(by))

    async def speak_another_language(self) -> None:
        language = ("en", "zh_CN")[next(self.turn) % 2]
        await self.accounts.change_preferences(self.me, lambda kept: replace(kept, language=language))

    async def label(self) -> None:
        await self.accounts.keys.label(self.me, fp("a"), "desk", fp("a"))

    async def propose(self) -> None:
        await self.accounts.keys.propose(self.me, public_key("c"), fp("a"))

    async def link_and_remove(self) -> None:
        name = f"new{next(self.turn)}"
        await self.accounts.keys.link(await self.accounts.keys.make_code(self.me, fp("a")), public_key(name))
        await self.accounts.keys.remove(self.me, fp(name), fp(name))  # by itself

    async def follow(self) -> None:
        await self.following.follow(self.me, "tarn")
        await self.following.unfollow(self.me, "tarn")

    async def wish_to_be_told(self) -> None:
        await self.following.set_alert(self.me, self.other, COMES)

    async def hide(self) -> None:
        await self.following.set_invisible(self.me, next(self.turn) % 2 == 0)

    async def block(self) -> None:
        await self.conduct.block(self.me, "tarn")

    async def unblock(self) -> None:
        await self.conduct.block(self.me, "tarn")
        await self.conduct.unblock(self.me, "tarn")

    async def show_a_guest(self) -> None:
        await self.conduct.hide_guest(self.me, "guest-1", False)

    async def say_who_plays(self) -> None:
        await self.machines.declare(self.me, "bot" if next(self.turn) % 2 == 0 else "person", fp("a"))

    async def sign_a_browser_out(self) -> None:
        code = await self.accounts.browsers.make_code(self.me, fp("a"))
        signed_in = await self.accounts.browsers.sign_in(code, "192.0.2.1")
        await self.accounts.browsers.sign_out(signed_in.cookie)


@pytest.fixture
async def world(database: Database, monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setattr(rate_limits, "ORDERS_PER_HOUR", FEW)
    made = World(database, FakeClock())
    await made.begin()
    return made


ACTS: tuple[Callable[[World], Awaitable[None]], ...] = (
    *(World.log_out, World.speak_another_language, World.label, World.propose, World.link_and_remove),
    *(World.follow, World.wish_to_be_told, World.hide, World.block, World.unblock, World.show_a_guest),
    *(World.say_who_plays, World.sign_a_browser_out),
)


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.__name__)
async def test_one_person_could_order_every_process_about_without_end(
    world: World, act: Callable[[World], Awaitable[None]]
) -> None:
    """Each such act made all processes read, and some of them scan everybody who is connected."""
    before = await world.n_orders()
    await often(lambda: act(world))
    assert await world.n_orders() - before <= 2 * FEW  # of the account, and of a key
    world.clock.shift(rate_limits.HOUR.total_seconds() + 1)
    await act(world)


async def often(act: Callable[[], Awaitable[None]]) -> None:
    """Do something more often than it may be done within an hour."""
    for _ in range(FEW + 1):
        try:
            await act()
        except RateLimited:
            return
    pytest.fail("nothing was refused")


async def test_a_stolen_key_uses_up_nothing_of_what_removes_it(world: World) -> None:
    await often(lambda: world.log_out("b"))
    await often(world.hide)
    await world.log_out("a")
    await world.accounts.keys.remove(world.me, fp("b"), fp("a"))


async def test_a_young_key_has_no_orders_of_its_own(world: World) -> None:
    """Or whoever links one after the other would have as many again with each."""
    for name in ("young", "younger"):
        await world.accounts.keys.link(await world.accounts.keys.make_code(world.me, fp("a")), public_key(name))
    for name in ("young", "younger"):
        for _ in range(FEW // 2):
            await world.accounts.log_out(world.me, "s1", fp(name), key=fp(name))
    with pytest.raises(RateLimited):
        await world.accounts.keys.label(world.me, fp("young"), "desk", fp("young"))
    with pytest.raises(RateLimited):
        await world.accounts.keys.remove(world.me, fp("young"), fp("young"))


async def test_what_was_ordered_is_exported_and_deleted_with_the_account(world: World) -> None:
    await world.log_out()
    await world.hide()
    counted = (await gathered(await world.accounts.export(world.me)))["strikes"]
    assert sorted(str(one["who"]) for one in counted) == [str(world.me), f"{world.me} {fp('a')}"]
    await world.accounts.delete(world.me, fp("a"))
    assert (await gathered(await world.accounts.export(world.me)))["strikes"] == []
