"""The first screens of somebody who comes for the first time."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest

from server.accounts.accounts import Policy
from server.accounts.actor import CONSOLE
from server.accounts.codes import code_hash
from server.accounts.preferences import Preferences
from server.config import Settings
from server.errors import RateLimited
from server.i18n.catalogues import catalogue
from server.i18n.refusals import sentence
from server.session.places import Landing
from server.store import invitations
from server.terminal.lines import ELLIPSIS
from server.terminal.term import client_term
from tests.boards import golden
from tests.boards.positions import NOON, person
from tests.session.fakeserver import FakeServer, account, guest, new_key
from tests.session.stage import StagedMatch
from tests.texts import en


@pytest.mark.parametrize("language", ["en", "zh_CN"])
async def test_the_way_in_looks_as_it_did(server: FakeServer, language: str) -> None:
    seated = await server.connect(new_key(), landing=Landing(lang=language))
    for name in ("welcome", "calibrate"):
        golden.check(f"{name}-{language}-80", seated.text)
        await seated.type("enter")


async def test_a_new_key_is_in_the_lobby_after_two_enters(server: FakeServer) -> None:
    seated = await server.connect(new_key("mira"))
    assert re.search(r"handle +mira", seated.text)
    await seated.type("enter", "enter")
    assert seated.rows[0].startswith(" Lobby")
    assert "mira" in seated.rows[0]


async def test_recovery_codes_wait_until_they_are_read(server: FakeServer) -> None:
    """They stood between a newcomer and the first match; now they come after it, and stay in Me and in the lobby.

    Keys that were meant for the lobby are held back.
    """
    seated = await server.connect(new_key("mira"))
    await seated.type("enter", "enter")
    assert not seated.says("codes.wait")
    await seated.type("m")
    assert seated.says("codes.wait")
    await seated.type("esc")
    server.matches.add(StagedMatch("rainet", (seated.session.identity.player, person("tarn")), "m7").end())
    await seated.type("l", "esc")  # back in the lobby, as after a match
    assert seated.says("codes.title")
    assert en("keys.codes.show") in seated.text, "who shares the screen would show them"
    await seated.type_blindly("enter")
    assert seated.says("codes.title"), "it was meant for the lobby"
    await seated.type("esc")
    assert seated.rows[0].startswith(" Lobby")
    assert seated.says("codes.wait")
    await seated.type("enter")
    assert seated.says("codes.title")
    await seated.type("enter")
    golden.check("codes-en-80", seated.text)
    await seated.type("enter")
    assert seated.rows[0].startswith(" Lobby")
    assert not seated.says("codes.wait")
    await seated.type("m", "c")
    assert seated.says("me.codes-shown"), "the key that help names was silent from then on"


@pytest.mark.parametrize("wish", ["root", "päul", "ad"])
async def test_a_name_that_would_be_refused_is_not_proposed(server: FakeServer, wish: str) -> None:
    """ "handle root, Enter accepts", and then "That name is reserved"."""
    seated = await server.connect(new_key(wish))
    assert not re.search(rf"handle +{wish}", seated.text)


async def test_the_wished_handle_can_be_erased_and_a_taken_one_is_told(server: FakeServer) -> None:
    server.add("tarn")
    seated = await server.connect(new_key("mira"))
    await seated.type("ctrl u", "t", "a", "r", "n", "enter")
    assert seated.says("handle.taken")
    await seated.type(*["backspace"] * 4, "l", "i", "o", "enter")
    assert seated.says("calibrate.title")


async def test_a_handle_that_was_refused_is_told_of_in_the_language_chosen_since(server: FakeServer) -> None:
    """After F4 the error stood there in the language of before."""
    server.add("tarn")
    seated = await server.connect(new_key("mira"))
    await seated.type("ctrl u", *"tarn", "enter")
    assert seated.says("handle.taken")
    before = seated.session.look.language
    await seated.type("f4")
    assert seated.session.look.language != before
    assert seated.session.t("handle.taken") in "".join(seated.text.split("\n"))


async def test_a_link_code_that_is_refused_is_asked_for_again_and_never_becomes_the_handle(server: FakeServer) -> None:
    seated = await server.connect(new_key("mira"))
    await seated.type("f3", "b", "a", "d", "enter")
    assert seated.says("code.unknown")
    assert re.search(r"code › +bad", seated.text)
    await seated.type("ctrl u", *"good", "esc")
    assert re.search(r"handle +mira", seated.text)
    assert not seated.says("code.unknown")


async def test_a_guest_is_told_so_and_goes_in(server: FakeServer) -> None:
    seated = await server.connect(guest())
    assert seated.says("calibrate.guest", name="guest-x7k2")
    await seated.type("enter")
    assert seated.rows[0].startswith(" Lobby")
    assert "guest-x7k2" in seated.rows[0]


async def test_an_unknown_key_may_look_around_as_a_guest(server: FakeServer) -> None:
    seated = await server.connect(new_key())
    await seated.type("f2", "enter")
    assert seated.rows[0].startswith(" Lobby")


async def test_only_a_guest_without_a_key_is_told_to_make_one(server: FakeServer) -> None:
    """Whoever had a key, and could not register from a crowded address, was told to run ssh-keygen."""
    with_key, without = await server.connect(new_key()), await server.connect(guest())
    await with_key.type("f2")
    for key in ("", "m"):
        if key:
            await with_key.type("enter", key)
            await without.type("enter", key)
        assert with_key.says("key.register")
        assert "ssh-keygen" not in with_key.text
        assert not without.says("key.register")
        assert "ssh-keygen -t ed25519" in without.text


@pytest.mark.parametrize("limit", ["accounts_per_hour", "wrong_codes_per_hour", "wrong_codes_per_min"])
def test_a_limit_that_counts_an_address_does_not_say_that_one_did_it_oneself(limit: str) -> None:
    texts = catalogue("en")
    assert sentence(RateLimited(limit, 60_000), texts) == texts.t(f"limit.{limit}", time="1:00", most=0)
    assert sentence(RateLimited("renames_per_day", 60_000), texts) == texts.t("limit.reached", time="1:00")


async def test_a_terminal_that_can_show_less_offers_and_keeps_nothing_else(server: FakeServer) -> None:
    """Who came from a vt100 first had no colours, no Unicode and English kept for every terminal of theirs."""
    server.prefer("mira", Preferences())
    plain = await server.connect(account("mira"), term=client_term("vt100", {"LANG": "zh_CN.UTF-8"}))
    assert plain.says("calibrate.title")
    assert not any(label in plain.text for label in ("g Glyphs", "p Colours", "l ?", "press g"))
    await plain.type("enter", "m", "right", "down", "right")
    assert "only ASCII" not in plain.text
    assert plain.says("me.no-other.palette")
    assert replace(server.preferences("mira"), told_until="") == Preferences(calibrated=True)
    full = await server.connect(account("mira"), landing=Landing(lang="zh_CN.UTF-8"))
    assert "大厅" in full.text
    assert full.session.look.palette == "default"


async def test_an_open_terminal_has_the_handle_that_its_account_was_given_elsewhere(server: FakeServer) -> None:
    """It went on under the one before, whoever had that by then."""
    mira = await server.connect(account("mira"))
    mira.session.person.set_name("zora")
    await mira.settle()
    assert mira.says("me.renamed", name="zora")
    assert (mira.session.identity.player.name, mira.session.identity.account_id) == ("zora", 1)


async def test_only_a_terminal_with_colours_is_asked_about_them(server: FakeServer) -> None:
    server.prefer("mira", Preferences())
    mono = await server.connect(account("mira"), term=client_term("xterm", {"NO_COLOR": "1"}))
    assert "p Colours" not in mono.text
    assert "g Glyphs" in mono.text
    assert mono.says("calibrate.text.mono")


async def test_where_accounts_are_by_invitation_the_code_is_asked_for(server: FakeServer) -> None:
    server.accounts = server.open_accounts(Policy("invite"))
    server.run(invitations.add, code_hash("good"), CONSOLE, 1, NOON, NOON + timedelta(days=1))
    seated = await server.connect(new_key("mira"))
    await seated.type("enter", *"bad", "enter")
    assert seated.says("code.unknown")
    await seated.type("enter", *"good", "enter")
    assert seated.says("calibrate.title")


async def test_where_guests_are_not_let_in_a_new_key_is_offered_no_way_around_a_handle(server: FakeServer) -> None:
    server.settings = Settings(guests="off")
    for landing in (Landing(), Landing("watch", "m1")):
        seated = await server.connect(new_key("mira"), landing=landing)
        assert not seated.says("welcome.guest")
        await seated.type("f2")
        assert re.search(r"handle +mira", seated.text)


async def test_the_message_of_the_day_shows_in_the_lobby(server: FakeServer) -> None:
    server.motd = lambda: "Tournament on Saturday"
    seated = await server.connect(new_key("mira"))
    await seated.type("enter", "enter")
    assert seated.says("server.motd", text="Tournament on Saturday")


@pytest.mark.parametrize("language", ["en", "zh_CN", "zh_TW"])
@pytest.mark.parametrize(("cols", "rows"), [(60, 20), (40, 20), (50, 22)])
async def test_the_ways_in_were_cut_in_a_small_window(server: FakeServer, cols: int, rows: int, language: str) -> None:
    seated = await server.connect(new_key(), cols, rows, Landing(lang=language))
    t, shown = seated.session.t, "".join(seated.text.split())
    for key in ("welcome.text", "welcome.rules", "welcome.other-key", "welcome.link", "welcome.guest"):
        said = "".join(t(key).split())
        assert said in shown or said[-8:] in shown, (key, seated.text)
    assert seated.session.reached_at.line_with_key().split()[-1] in shown
    assert ELLIPSIS not in seated.text


async def test_recovery_codes_stood_above_the_match_that_waits(server: FakeServer) -> None:
    seated = await server.connect(new_key("mira"))
    await seated.type("enter", "enter")
    me = seated.session.identity.player
    server.matches.add(StagedMatch("rainet", (me, person("tarn")), "m7").end())
    server.matches.add(StagedMatch("relati", (me, person("tarn")), "m8"))
    await seated.type("l", "esc")
    await seated.type("esc")  # from the codes, which come by themselves once
    codes = next(y for y, row in enumerate(seated.rows) if seated.session.t("codes.wait") in row)
    waits = next(y for y, row in enumerate(seated.rows) if seated.session.t("row.your-turn") in row)
    assert waits < codes
    await seated.type("enter")
    assert seated.session.pages.match_shown == "m8"
