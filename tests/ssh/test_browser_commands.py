"""web and feed: a link on one line where browsers come in, a sentence where they don't."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from server.boards.weblinks import why_none
from server.config import Settings
from tests.accounts.keyring import public_key
from tests.accounts.test_browsers import fp
from tests.clocks import FakeClock
from tests.matches.table import MIRA, new_database
from tests.ssh.commands import Commands, open_commands, person
from tests.texts import en


def opened(commands: Commands, web_url: str = "https://play.example.org/") -> Commands:
    settings: Any = Settings(web_url=web_url)
    return replace(commands, services=replace(commands.services, settings=settings))


@pytest.fixture
async def url(tmp_path: Path, migrated_file: Path) -> str:
    return await new_database(tmp_path, migrated_file)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


async def test_web_prints_one_line_that_signs_a_browser_in(url: str, clock: FakeClock) -> None:
    async with open_commands(url, clock) as commands:
        accounts = commands.services.accounts
        made = await accounts.register("mira2", public_key("mira2"), "192.0.2.1")
        who = replace(person(MIRA, key=fp("mira2")), account_id=made.account.id, name="mira2")
        status, out, err = await opened(commands).ssh(who, "web")
        assert (status, err) == (0, "")
        link = re.fullmatch(r"https://play\.example\.org/signin/([a-z2-9-]+)\n", out)
        assert link is not None
        assert (await accounts.browsers.sign_in(link[1], "192.0.2.1")).account.handle == "mira2"
        status, out, _ = await opened(commands).ssh(who, "keys list")
        browser = (await accounts.browsers.of(made.account.id))[0]
        since, used = f"{browser.made_at:%Y-%m-%d %H:%M}", f"{browser.used_day:%Y-%m-%d}"
        assert en("ownkeys.browser", since=since, used=used) in out
        status, out, err = await opened(commands).ssh(who, "feed")
        secret = re.fullmatch(r"https://play\.example\.org/feed/(\S+)\.atom\n", out)
        assert secret is not None
        assert await accounts.feeds.reader_of(secret[1]) is not None
        assert (await opened(commands).ssh(who, "feed off"))[0] == 0
        assert await accounts.feeds.reader_of(secret[1]) is None


async def test_web_says_why_where_no_browser_comes_in(url: str, clock: FakeClock) -> None:
    async with open_commands(url, clock) as commands:
        for line in ("web", "feed"):
            status, out, err = await opened(commands, "").ssh(person(MIRA, key="SHA256:x"), line)
            assert (status, out) == (1, "")
            assert en("browser.none") in err


def test_a_server_with_pages_was_said_to_have_none() -> None:
    """PATCHBAY_WEB_PORT was set, /play was there, and PATCHBAY_WEB_URL was not set."""
    assert why_none(Settings(web_port=8080)) == "browser.no-address"
    assert why_none(Settings()) == "browser.none"
