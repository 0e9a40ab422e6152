"""Whom the orders of moderators reach in a process."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from server.accounts.identity import Identity
from server.chat.errors import ChatRefused
from server.ssh.order_handlers import OrderHandlers
from server.store.columns import Json
from server.store.processes import Order

SERVER = Path(__file__).parents[2] / "server"
Obey = Callable[[Order], Awaitable[None]]


@dataclass
class Heard:
    """The orders' reader: what is to be done, by kind of order."""

    kinds: dict[str, Obey] = field(default_factory=dict)

    def on(self, kind: str, obey: Obey) -> None:
        self.kinds[kind] = obey


def moderator(account_id: int, name: str, told: list[str]) -> Any:
    """Return a connection of a moderator, which notes when it is told of a report."""
    who = Identity(account_id, name, frozenset(("moderator",)), f"SHA256:{name}", None, "", "192.0.2.1")
    return SimpleNamespace(
        call=SimpleNamespace(identity=who, audience=SimpleNamespace(reported=lambda: told.append(name)))
    )


async def test_a_report_about_a_moderator_is_told_to_the_others() -> None:
    """Their lobby lit up: somebody had just been reported, and the count did not go up."""
    told: list[str] = []
    sessions = [moderator(1, "mira", told), moderator(2, "omid", told)]
    listener, orders = SimpleNamespace(context=SimpleNamespace(sessions=sessions)), Heard()
    OrderHandlers(cast(Any, None), cast(Any, listener)).follow(cast(Any, orders))

    async def report(data: dict[str, Json]) -> list[str]:
        told.clear()
        await orders.kinds["report"](Order(1, datetime(2026, 1, 1, tzinfo=UTC), "report", data))
        return list(told)

    assert await report({"about": 2, "key": None}) == ["mira"]
    assert await report({"about": None, "key": "SHA256:omid"}) == ["mira"], "they were here as a guest"
    assert await report({"about": 7, "key": None}) == ["mira", "omid"]
    assert await report({"about": None, "key": None}) == ["mira", "omid"]


def test_an_order_was_given_that_no_process_carried_out() -> None:
    """Each match that was voided left one."""
    source = "".join(file.read_text("utf-8") for file in sorted(SERVER.rglob("*.py")))
    given = set(re.findall(r'(?:give_order|_actor\.order|order_for)\(connection, (?:[\w.]+, )?"(\w+)"', source))
    orders = Heard()
    OrderHandlers(cast(Any, None), cast(Any, None)).follow(cast(Any, orders))
    assert given >= {"announce", "forget", "logout"}
    assert given - orders.kinds.keys() == set()


async def test_me_listed_the_keys_of_before_while_another_session_added_one() -> None:
    told: list[str] = []

    def connection(account_id: int, key: str) -> Any:
        who = Identity(account_id, "", frozenset(), key, None, "", "192.0.2.1")
        audience = SimpleNamespace(keys_changed=lambda: told.append(key))
        ended = SimpleNamespace(call=SimpleNamespace(identity=who, audience=audience))
        ended.end_session = lambda say, status: told.append(f"{key} ends")
        return ended

    async def refresh() -> None: ...

    sessions = [connection(1, "desk"), connection(1, "phone"), connection(2, "other")]
    listener = SimpleNamespace(context=SimpleNamespace(sessions=sessions), people_changed=lambda: None)
    services, orders = SimpleNamespace(conduct=SimpleNamespace(refresh=refresh)), Heard()
    OrderHandlers(cast(Any, services), cast(Any, listener)).follow(cast(Any, orders))
    nobody, phone = list[Json](), list[Json](("phone",))
    for gone in (nobody, phone):
        await orders.kinds["keys"](Order(1, datetime(2026, 1, 1, tzinfo=UTC), "keys", {"account": 1, "keys": gone}))
    assert told == ["desk", "phone", "desk", "phone ends"]


async def test_the_muted_and_nobody_else_are_told_at_once() -> None:
    """They found out when they next wrote a line, after everybody else knew."""
    told: list[tuple[str, str | None]] = []

    def connection(account_id: int | None, name: str, source: str) -> Any:
        who = Identity(account_id, name, frozenset(), None, None, "", source, is_settled=name in ("mira", "tarn"))
        muted = lambda refused: told.append((name, None if refused is None else refused.key))  # noqa: E731
        return SimpleNamespace(call=SimpleNamespace(identity=who, audience=SimpleNamespace(muted=muted)))

    sessions = [
        connection(1, "mira", "192.0.2.1"),
        connection(2, "tarn", "192.0.2.1"),
        connection(None, "guest-x7k2mnpq", "192.0.2.1"),
        connection(3, "new", "192.0.2.1"),
        connection(None, "guest-b8k2mnpq", "198.51.100.1"),
    ]
    muted = {"tarn", "guest-x7k2mnpq", "new"}

    async def refresh() -> None:
        return None

    chat = SimpleNamespace(muted=lambda player: ChatRefused("chat.muted-for-good") if player.name in muted else None)
    services = SimpleNamespace(conduct=SimpleNamespace(refresh=refresh), chat=chat)
    listener, orders = SimpleNamespace(context=SimpleNamespace(sessions=sessions)), Heard()
    OrderHandlers(cast(Any, services), cast(Any, listener)).follow(cast(Any, orders))

    async def mute(kind: str, target: str) -> list[tuple[str, str | None]]:
        told.clear()
        await orders.kinds["mute"](Order(1, datetime(2026, 1, 1, tzinfo=UTC), "mute", {"kind": kind, "target": target}))
        return list(told)

    assert await mute("account", "2") == [("tarn", "chat.muted-for-good")]
    both = [(name, "chat.muted-for-good") for name in ("guest-x7k2mnpq", "new")]
    assert await mute("network", "192.0.2.0/24") == both
    muted.clear()
    assert await mute("account", "2") == [("tarn", None)], "that one may speak again is told, too"


async def test_the_blocked_are_not_shown_again_under_a_new_handle() -> None:
    """Lists hide people by name: whoever was blocked renamed, and stood in them again."""
    told: list[tuple[str, str]] = []

    def connection(account_id: int | None, name: str) -> Any:
        who = Identity(account_id, name, frozenset(), None, None, "", "192.0.2.1")
        call = SimpleNamespace(identity=who)
        call.become = lambda identity: setattr(call, "identity", identity)
        call.audience = SimpleNamespace(
            blocks_changed=lambda: told.append((name, "blocks")), renamed=lambda to: told.append((name, to))
        )
        return SimpleNamespace(call=call)

    async def by_id(account_id: int) -> Any:
        return SimpleNamespace(id=account_id, handle="zora")

    async def blockers_of(account_id: int) -> frozenset[int]:
        return frozenset((2,))

    async def rename(*given: object) -> None:
        renamed.append(given)

    renamed: list[tuple[object, ...]] = []

    async def following(account_id: int) -> frozenset[int]:
        return frozenset()

    async def refresh() -> None:
        renamed.append((1, "zora"))

    note = SimpleNamespace(rename=lambda *given: renamed.append(given))
    services = SimpleNamespace(
        accounts=SimpleNamespace(by_id=by_id),
        conduct=SimpleNamespace(blockers_of=blockers_of),
        following=SimpleNamespace(of=following, followers_of=following, refresh=refresh),
        machines=SimpleNamespace(known=frozenset((1,)), refresh=refresh),
        chat=note,
        matches=note,
        lobby=SimpleNamespace(rename=rename),
    )
    sessions = [connection(1, "mira"), connection(2, "tarn"), connection(1, "zora"), connection(None, "guest-x7k2mnpq")]
    listener = SimpleNamespace(context=SimpleNamespace(sessions=sessions), people_changed=lambda: None)
    orders = Heard()
    OrderHandlers(cast(Any, services), cast(Any, listener)).follow(cast(Any, orders))
    data: dict[str, Json] = {"account": 1}
    await orders.kinds["rename"](Order(1, datetime(2026, 1, 1, tzinfo=UTC), "rename", data))
    assert told == [("tarn", "blocks"), ("mira", "zora")], "the session that renamed has the handle already"
    assert [one.call.identity.name for one in sessions] == ["zora", "tarn", "zora", "guest-x7k2mnpq"]
    assert renamed == [(1, "zora")] * 5
