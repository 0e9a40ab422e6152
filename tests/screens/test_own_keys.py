"""Keys on screens: joining at the first login, seeing what is open, removing, logging out elsewhere."""

from __future__ import annotations

import re

import pytest

from server.screens.me import MePage
from server.session.audience import SessionAudience
from server.store import processes
from server.store.processes import StoredSession
from tests.accounts.keyring import public_key
from tests.boards.positions import NOON
from tests.session.fakeserver import LONG_AGO, FakeServer, account, new_key
from tests.texts import en


async def propose(server: FakeServer, *handles: str) -> None:
    """Let accounts propose the new key."""
    for handle in handles:
        await server.accounts.keys.propose(server.add(handle), new_key().public_key or "")


async def keys_of(server: FakeServer, handle: str) -> list[str]:
    """Return what the keys of an account are called."""
    return [key.label or "own" for key in await server.accounts.keys.of(server.add(handle))]


def is_young(server: FakeServer) -> None:
    """Give mira a key that came today, beside one that she has long had."""
    server.add("mira", added_at=NOON)
    server.add_key("mira", "desk", LONG_AGO)


async def test_at_the_first_login_of_a_proposed_key_enter_still_registers(server: FakeServer) -> None:
    await propose(server, "tarn")
    seated = await server.connect(new_key("mira"))
    assert seated.says("welcome.proposed", names="tarn")
    assert re.search(r"handle +mira", seated.text)
    await seated.type("enter")
    assert seated.says("calibrate.title")
    assert await keys_of(server, "tarn") == ["own"]


async def test_a_proposed_key_joins_by_a_key_of_its_own_after_a_question_that_names_who(server: FakeServer) -> None:
    await propose(server, "tarn")
    seated = await server.connect(new_key("mira"))
    await seated.type("f5")
    assert seated.says("welcome.ask-join", name="tarn")
    await seated.type("n")
    assert await keys_of(server, "tarn") == ["own"]
    await seated.type("f5", "y")
    assert len(await keys_of(server, "tarn")) == 2
    assert "tarn" in seated.rows[0]


async def test_of_several_that_proposed_a_key_one_is_named(server: FakeServer) -> None:
    await propose(server, "tarn", "omid")
    seated = await server.connect(new_key("mira"))
    await seated.type("f5", *"lio", "enter")
    assert seated.says("proposal.gone")
    await seated.type("f5", *"omid", "enter")
    assert (len(await keys_of(server, "tarn")), len(await keys_of(server, "omid"))) == (1, 2)


async def test_what_is_pasted_at_a_question_goes_into_no_field_behind_it(server: FakeServer) -> None:
    """It was written into the handle, which nobody saw change."""
    await propose(server, "tarn")
    seated = await server.connect(new_key("mira"))
    await seated.type("f5")
    seated.screen.feed(b"\x1b[200~zoe\x1b[201~")
    await seated.settle()
    await seated.type("n")
    assert re.search(r"handle +mira", seated.text)


async def test_a_key_that_nobody_proposed_is_offered_nothing(server: FakeServer) -> None:
    seated = await server.connect(new_key("mira"))
    assert "Join" not in seated.text
    await seated.type("f5")
    assert re.search(r"handle +mira", seated.text)


async def test_me_lists_the_keys_and_what_each_has_open(server: FakeServer) -> None:
    """Who had lost a key saw fingerprints only, and could take none of them away."""
    mira = account("mira")
    server.add("mira")
    await server.accounts.keys.label(1, mira.fingerprint or "", "desk")
    lost = server.add_key("mira", "lost laptop", NOON)
    server.add_key("mira", "phone", NOON, by=lost)
    server.run(processes.arrive, "p1", 1, "here", NOON)
    server.run(processes.beat, "p1", NOON, [StoredSession("s1", "p1", "mira", "192.0.2.7", NOON, 1, lost)])
    seated = await server.connect(mira)
    await seated.type("m", "a")
    assert "Me: keys" in seated.rows[0]
    assert any("desk" in row and "this one" in row for row in seated.rows)
    await seated.type("down")
    assert "from 192.0.2.7" in seated.text
    assert seated.says("ownkeys.linked", names="phone")
    await seated.type("X")
    assert seated.says("ownkeys.ask-line", name="lost laptop", n=1)
    await seated.type("y")
    assert await keys_of(server, "mira") == ["desk"], "what the lost one had linked is gone with it"
    await seated.type("o", "y")
    order = server.run(processes.orders_after, 0)[-1]
    assert (order.kind, order.data["but"]) == ("logout", seated.session.id)
    await seated.type("l", *["backspace"] * 12, *"pad", "enter")
    assert await keys_of(server, "mira") == ["pad"]


async def test_a_young_key_is_asked_for_a_recovery_code(server: FakeServer) -> None:
    is_young(server)
    code = (await server.accounts.keys.new_recovery_codes(1))[0]
    seated = await server.connect(account("mira"))
    await seated.type("m", "a", "x", "y")
    assert en("key.young", until="")[:30] in seated.text
    await seated.type(*"aaaaa", "enter")
    assert seated.says("code.unknown")
    assert await keys_of(server, "mira") == ["desk", "own"]
    await seated.type(*code, "enter")
    assert await keys_of(server, "mira") == ["own"]


async def test_nobody_was_told_that_a_removed_key_s_feed_has_ended(server: FakeServer) -> None:
    server.add("mira")
    server.add_key("mira", "laptop", NOON)
    await server.accounts.feeds.make(1, None)
    seated = await server.connect(account("mira"))
    await seated.type("m", "a", "down", "x", "y")
    assert await keys_of(server, "mira") == ["own"]
    assert seated.says("ownkeys.removed-ended", n=1, what=en("key.ended.feed"))


@pytest.mark.parametrize(
    "keys", [("m", "k"), ("m", "r", "x", "enter"), ("m", "a", "o", "y"), ("m", "a", "r", "y")], ids=" ".join
)
async def test_a_young_key_has_no_say_on_any_screen(server: FakeServer, keys: tuple[str, ...]) -> None:
    """It could rename, log others out and make codes at Me, where no command is typed."""
    is_young(server)
    seated = await server.connect(account("mira"))
    await seated.type(*keys)
    assert en("key.young", until="")[:30] in seated.text
    assert (await server.accounts.by_handle("mira")) is not None
    assert not server.run(processes.orders_after, 0)


async def test_new_recovery_codes_are_shown_once_after_a_question(server: FakeServer) -> None:
    seated = await server.connect(account("mira"))
    await seated.type("m", "a", "r")
    assert seated.says("ownkeys.ask-codes")
    await seated.type("y")
    assert len(re.findall(r"\b[a-z2-9]{5}-[a-z2-9]{5}-[a-z2-9]{5}\b", seated.text)) == 8


@pytest.mark.parametrize("way", [("m",), ("m", "a")])
async def test_keys_that_another_session_adds_are_listed_at_once(server: FakeServer, way: tuple[str, ...]) -> None:
    """Me showed those of when it was opened, for as long as it was open."""
    seated = await server.connect(account("mira"), 100, 40)
    await seated.type("esc", *way)
    assert "laptop" not in seated.text
    server.add_key("mira", "laptop", NOON)
    SessionAudience(seated.session).keys_changed()
    await seated.settle()
    assert "laptop" in seated.text


async def test_every_change_of_an_accounts_keys_is_told_to_its_sessions(server: FakeServer) -> None:
    keys, mira = server.accounts.keys, server.add("mira")

    async def told() -> int:
        return len([one for one in server.run(processes.orders_after, 0) if one.kind == "keys"])

    assert await told() == 0
    proposed = await keys.propose(mira, new_key().public_key or "")
    assert await told() == 1
    await keys.join(mira, new_key().public_key or "")
    assert await told() == 2
    await keys.label(mira, proposed.fingerprint, "phone")
    assert await told() == 3
    await keys.remove(mira, proposed.fingerprint)
    assert await told() == 4


async def test_a_code_that_had_linked_a_key_stayed_on_show(server: FakeServer) -> None:
    seated = await server.connect(account("mira"))
    page = MePage(seated.session)
    seated.session.pages.push(page)
    await seated.settle()
    page.do_keys()
    await seated.settle()
    assert page.code
    await server.accounts.keys.link(page.code, public_key("another"))
    SessionAudience(seated.session).keys_changed()
    await seated.settle()
    assert not page.code
