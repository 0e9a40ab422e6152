"""What changes only with the program, and what is not there: cheap, but not for nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.accounts.actor import Actor
from server.accounts.moderation import Moderation
from server.admission.reading import LEAST_MS, MS_PER_MIN
from server.bus.bus import LocalBus
from tests.texts import en
from tests.web.asking import Browser
from tests.web.house import House

PATHS = ("/robots.txt", "/theme.css", "/static/app.js", "/static/nothing", "/nothing", "/m")
OTHER = "198.51.100.7"


@pytest.mark.parametrize("path", PATHS)
async def test_files_and_what_is_not_there_were_sent_past_every_limit(house: House, path: str) -> None:
    browser = Browser(house.app)
    answers = [await browser.get(path) for _ in range(int(MS_PER_MIN / LEAST_MS) + 1)]
    assert {one.status for one in answers[:-1]} <= {200, 404}
    assert answers[-1].status == 429
    assert (await Browser(house.app, OTHER).get(path)).status in (200, 404)


async def test_who_was_banned_got_files_and_was_told_what_is_not_there(house: House) -> None:
    services = house.services
    await Moderation(Actor(services.database, services.clock, LocalBus())).ban("192.0.2.0/24", "a flood", None)
    await services.conduct.refresh()
    browser = Browser(house.app)
    for path in PATHS:
        answer = await browser.get(path)
        assert answer.status == 403
        assert en("web.banned") in answer.text
        assert (await Browser(house.app, OTHER).get(path)).status in (200, 404)


async def test_files_were_read_at_each_request(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = Browser(house.app)
    monkeypatch.delattr(Path, "read_bytes")
    for path in ("/robots.txt", "/theme.css", "/static/app.js", "/static/style.css", "/static/icon.svg"):
        answer = await browser.get(path)
        assert answer.status == 200
        assert answer.text
        assert (await browser.get(path, answer.headers["etag"])).status == 304
