"""The feed of the matches that wait for one's move."""

from __future__ import annotations

from xml.etree import ElementTree as Xml

from server.clock import rfc3339
from server.web.feeds import ATOM
from tests.clocks import FakeClock
from tests.lobby.conftest import clock, url
from tests.matches.table import MIRA, TARN
from tests.ssh.commands import open_commands
from tests.web.asking import Browser
from tests.web.house import pages

__all__ = ["clock", "url"]


async def test_an_entry_was_dated_by_the_beginning_of_its_match(url: str, clock: FakeClock) -> None:
    """A reader that goes by `updated` never showed a second turn."""
    async with open_commands(url, clock) as here:
        match = await here.table.begin(TARN, MIRA, game="relati")
        here.table.skip(30)
        await here.table.play_any(match, 0)
        moved = clock.now()
        here.table.skip(60)
        secret = await here.services.accounts.feeds.make(MIRA.account_id or 0, None)
        feed = Xml.fromstring((await Browser(pages(here.services)[1]).get(f"/feed/{secret}.atom")).text)
        [entry] = feed.findall(f"{{{ATOM}}}entry")
        assert entry.findtext(f"{{{ATOM}}}updated") == rfc3339(moved)
