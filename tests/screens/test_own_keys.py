"""Keys on screens: joining at the first login, seeing what is open, removing, logging out elsewhere."""

from __future__ import annotations

import re

import pytest

from server.accounts.accounts import StoredSession
from server.accounts.keys import Invitation, StoredKey
from tests.boards.positions import NOON
from tests.session.fakeserver import FakeServer, account, new_key
from tests.texts import en


async def test_at_the_first_login_of_a_proposed_key_enter_still_registers(server: FakeServer) -> None:
    server.accounts.keys.invited = [Invitation(7, "tarn")]
    seated = await server.connect(new_key("mira"))
    assert seated.says("welcome.proposed", names="tarn")
    assert re.search(r"handle +mira", seated.text)
    await seated.type("enter")
    assert seated.says("calibrate.title")
    assert server.accounts.keys.done == []


async def test_a_proposed_key_joins_by_a_key_of_its_own_after_a_question_that_names_who(server: FakeServer) -> None:
    server.accounts.keys.invited = [Invitation(2, "tarn")]
    seated = await server.connect(new_key("mira"))
    await seated.type("f5")
    assert seated.says("welcome.ask-join", name="tarn")
    await seated.type("n")
    assert server.accounts.keys.done == []
    await seated.type("f5", "y")
    assert server.accounts.keys.done == [("join", 2)]
    assert "tarn" in seated.rows[0]


async def test_of_several_that_proposed_a_key_one_is_named(server: FakeServer) -> None:
    server.accounts.keys.invited = [Invitation(2, "tarn"), Invitation(3, "omid")]
    seated = await server.connect(new_key("mira"))
    await seated.type("f5", *"lio", "enter")
    assert seated.says("proposal.gone")
    await seated.type("f5", *"omid", "enter")
    assert server.accounts.keys.done == [("join", 3)]


async def test_what_is_pasted_at_a_question_goes_into_no_field_behind_it(server: FakeServer) -> None:
    """It was written into the handle, which nobody saw change."""
    server.accounts.keys.invited = [Invitation(2, "tarn")]
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
    assert mira.fingerprint is not None
    assert mira.account_id is not None
    server.accounts.keys.held = [
        StoredKey(mira.fingerprint, 1, "", NOON, label="desk", used_day=NOON),
        StoredKey("SHA256:old", 1, "", NOON, label="lost laptop", used_day=NOON),
        StoredKey("SHA256:new", 1, "", NOON, label="phone", added_by="SHA256:old"),
    ]
    server.accounts.open_sessions = [
        StoredSession("s1", "p1", "mira", "192.0.2.7", NOON, mira.account_id, "SHA256:old"),
    ]
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
    assert server.accounts.keys.done == [("remove", "SHA256:old", True, "")]
    await seated.type("o", "y")
    assert server.accounts.keys.done[-1:] == [("logout", seated.session.id)]
    await seated.type("l", *["backspace"] * 12, *"pad", "enter")
    assert server.accounts.keys.done[-1][0] == "label"


async def test_a_young_key_is_asked_for_a_recovery_code(server: FakeServer) -> None:
    server.accounts.keys.held = [StoredKey("SHA256:old", 1, "", NOON, label="desk")]
    server.accounts.keys.older = {"SHA256:old"}
    seated = await server.connect(account("mira"))
    await seated.type("m", "a", "x", "y")
    assert en("key.young", until="")[:30] in seated.text
    await seated.type(*"aaaaa", "enter")
    assert server.accounts.keys.done == [("remove", "SHA256:old", False, "aaaaa")]


@pytest.mark.parametrize(
    "keys", [("m", "k"), ("m", "r", "x", "enter"), ("m", "a", "o", "y"), ("m", "a", "r", "y")], ids=" ".join
)
async def test_a_young_key_has_no_say_on_any_screen(server: FakeServer, keys: tuple[str, ...]) -> None:
    """It could rename, log others out and make codes at Me, where no command is typed."""
    server.accounts.keys.held = [StoredKey("SHA256:old", 1, "", NOON, label="desk")]
    server.accounts.keys.older = {"SHA256:old"}
    seated = await server.connect(account("mira"))
    await seated.type(*keys)
    assert en("key.young", until="")[:30] in seated.text
    assert server.accounts.keys.done == []


async def test_new_recovery_codes_are_shown_once_after_a_question(server: FakeServer) -> None:
    seated = await server.connect(account("mira"))
    await seated.type("m", "a", "r")
    assert seated.says("ownkeys.ask-codes")
    await seated.type("y")
    assert "eeee-ffff-gggg" in seated.text
