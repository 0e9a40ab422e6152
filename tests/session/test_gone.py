"""What a session leaves behind when it hangs up, wherever it was: nothing that waits for the collector."""

from __future__ import annotations

import asyncio
import gc
import weakref
from typing import Any

import pytest

from tests.session.evening import busy, in_lobby, in_match
from tests.session.fakeserver import FakeServer, Seated, guest

PLACES = ("b", "n", "w", "g", "l", "p", "s", "u", "t", "h", "?", "c", "d", "f3", "/", "tab")


@pytest.mark.parametrize("key", PLACES)
async def test_whoever_hangs_up_from_a_page_of_the_lobby_is_gone(server: FakeServer, key: str) -> None:
    await is_gone(server, await in_lobby(server), key)


@pytest.mark.parametrize("key", ["", "enter", "?", "c", "r", "t", "m"])
async def test_whoever_hangs_up_in_a_match_is_gone(server: FakeServer, key: str) -> None:
    await is_gone(server, await in_match(server), *filter(None, [key]))


@pytest.mark.parametrize("name", ["omid", "akio"])
async def test_whoever_hangs_up_looking_on_is_gone(server: FakeServer, name: str) -> None:
    await busy(server)
    await is_gone(server, await in_lobby(server, name=name), "w")


async def is_gone(server: FakeServer, seated: Seated, *keys: str) -> None:
    await seated.type(*keys)
    page = seated.session.pages.top
    assert page is not None
    gone: dict[str, weakref.ref[Any]] = {"session": weakref.ref(seated.session), "screen": weakref.ref(seated.screen)}
    gone["page"] = weakref.ref(page)
    del page
    gc.disable()
    try:
        await seated.hang_up()
        server.seats.clear()
        del seated
        await asyncio.sleep(0)
        assert {name: one() for name, one in gone.items()} == dict.fromkeys(gone)
    finally:
        gc.enable()


async def test_who_leaves_at_the_calibration_leaves_no_lobby_behind(server: FakeServer) -> None:
    """The lobby is read beside the settings; where the calibration came first it held session and screen for good."""
    gc.disable()
    try:
        await is_gone(server, await calibrating(server))
    finally:
        gc.enable()


async def calibrating(server: FakeServer) -> Seated:
    seated = await server.connect(guest())
    assert seated.says("calibrate.title")
    return seated
