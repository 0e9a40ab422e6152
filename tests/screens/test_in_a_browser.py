"""The screens in a browser: what ssh alone may do is refused there with a sentence, and nothing of it is done."""

from __future__ import annotations

from dataclasses import replace

import pytest

from server.accounts.identity import ADMIN, Identity
from server.boards import keymap
from server.config import Settings
from server.session import sshonly
from server.session.places import NamedPlace
from server.terminal.itemwords import rows_of
from tests.session.fakeserver import FakeServer, account
from tests.texts import en

CHANGING = ("remove", "line", "logout", "label", "codes")  # what changes keys on their page


def in_browser(name: str = "mira") -> Identity:
    return replace(account(name), browser="1", roles=frozenset((ADMIN,)))


async def keys_of(server: FakeServer, handle: str) -> list[str]:
    return [key.fingerprint for key in await server.accounts.keys.of(server.add(handle))]


def test_what_ssh_alone_may_do_names_commands_that_there_are() -> None:
    for context, commands in sshonly.COMMANDS.items():
        assert commands <= set(keymap.in_context(context)), context


def test_every_command_of_keys_and_moderation_is_ssh_s_or_only_looks() -> None:
    """A command added to these pages is refused in a browser until somebody says that it only looks."""
    looks = {"codes": set(), "ownkeys": set(), "staff": set(), "sanctions": set(), "report": {"match", "log"}}
    for context, harmless in looks.items():
        assert set(keymap.in_context(context)) == sshonly.COMMANDS.get(context, frozenset()) | harmless, context


@pytest.mark.parametrize("command", sorted(sshonly.COMMANDS["me"]))
async def test_me_makes_no_codes_and_links_in_a_browser(server: FakeServer, command: str) -> None:
    server.settings = Settings(web_url="https://play.example.org")
    seated = await server.connect(in_browser())
    await seated.type("m", keymap.in_context("me")[command].keys[0])
    assert seated.says("browser.ssh-only", line=seated.session.reached_at.line())
    assert en("me.link") not in seated.text


async def test_a_feed_was_made_in_a_browser_and_outlived_it(server: FakeServer) -> None:
    """Who had somebody's cookie for a minute could read for ever after in which matches they are to move."""
    server.settings = Settings(web_url="https://play.example.org")
    seated = await server.connect(in_browser())
    await seated.type("m", keymap.in_context("me")["feed"].keys[0], "y")
    assert en("me.feed") not in seated.text


@pytest.mark.parametrize("command", CHANGING)
async def test_keys_are_looked_at_and_not_changed_in_a_browser(server: FakeServer, command: str) -> None:
    server.add("mira")
    before = await keys_of(server, "mira")
    seated = await server.connect(in_browser())
    await seated.type("m", "a", keymap.in_context("ownkeys")[command].keys[0])
    assert seated.says("browser.ssh-only", line=seated.session.reached_at.line())
    assert seated.session.prompts.is_idle
    assert await keys_of(server, "mira") == before


@pytest.mark.parametrize("place", sorted(sshonly.PLACES, key=str))
async def test_no_page_of_codes_or_moderation_opens_in_a_browser(server: FakeServer, place: NamedPlace) -> None:
    seated = await server.connect(in_browser())
    shown = seated.session.pages.top
    seated.session.go(place)
    await seated.settle()
    assert seated.session.pages.top is shown
    assert seated.says("browser.ssh-only", line=seated.session.reached_at.line())


async def test_an_admin_is_a_player_in_a_browser(server: FakeServer) -> None:
    seated = await server.connect(in_browser())
    assert not seated.session.person.is_moderator


async def test_me_shows_a_link_by_ssh_where_browsers_come_in(server: FakeServer) -> None:
    server.settings = Settings(web_url="https://play.example.org/")
    seated = await server.connect(account("mira"))
    await seated.type("m", "w")
    assert seated.says("me.link")
    assert "https://play.example.org/signin/" in seated.text


async def test_a_feed_is_made_shown_once_and_revoked_in_me(server: FakeServer) -> None:
    server.settings = Settings(web_url="https://play.example.org")
    seated = await server.connect(account("mira"))
    await seated.type("m", "f")
    assert seated.says("me.feed")
    await seated.type("f")
    assert seated.says("feed.ask-off")
    await seated.type("y")
    assert await server.accounts.feeds.made_at(server.add("mira")) is None
    assert "/feed/" not in seated.text


async def test_me_offers_no_link_where_no_browser_comes_in(server: FakeServer) -> None:
    seated = await server.connect(account("mira"))
    await seated.type("m", "w")
    assert en("keys.me.web") not in seated.text
    assert not seated.says("me.link")


async def test_browsers_are_listed_with_their_key(server: FakeServer) -> None:
    mira, key = server.add("mira"), account("mira").fingerprint or ""
    await server.accounts.browsers.sign_in(await server.accounts.browsers.make_code(mira, key), "192.0.2.1")
    seated = await server.connect(account("mira"))
    await seated.type("m", "a")
    browser = (await server.accounts.browsers.of(mira))[0]
    since, used = f"{browser.made_at:%Y-%m-%d %H:%M}", f"{browser.used_day:%Y-%m-%d}"
    assert seated.says("ownkeys.browser", since=since, used=used)


async def test_me_lets_search_engines_in_where_there_are_pages(server: FakeServer) -> None:
    seated = await server.connect(account("mira"))
    await seated.type("m")
    assert en("me.indexed") not in seated.text
    server.settings = Settings(web_url="https://play.example.org")
    await seated.type("esc", "m")
    page = seated.session.pages.top
    assert page is not None
    names = [row for row in rows_of(page.items()) if row]
    page.choose(names.index(en("me.indexed")) + 1)
    await seated.type("right")
    assert server.preferences("mira").indexed
