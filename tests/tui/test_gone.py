"""What a session leaves behind when it hangs up, wherever it was: nothing that waits for the collector."""

from __future__ import annotations

import asyncio
import gc
import weakref
from typing import Any

import pytest

from tests.tui.evening import busy, in_lobby, in_match
from tests.tui.house import House, Seated, guest

PLACES = ("b", "n", "w", "g", "l", "p", "s", "u", "t", "h", "?", "c", "d", "f3", "/", "tab")


@pytest.mark.parametrize("key", PLACES)
async def test_whoever_hangs_up_from_a_page_of_the_lobby_is_gone(house: House, key: str) -> None:
    await is_gone(house, await in_lobby(house), key)


@pytest.mark.parametrize("key", ["", "enter", "?", "c", "r", "t", "m"])
async def test_whoever_hangs_up_in_a_match_is_gone(house: House, key: str) -> None:
    await is_gone(house, await in_match(house), *filter(None, [key]))


@pytest.mark.parametrize("name", ["omid", "akio"])
async def test_whoever_hangs_up_looking_on_is_gone(house: House, name: str) -> None:
    busy(house)
    await is_gone(house, await in_lobby(house, name=name), "w")


async def is_gone(house: House, seated: Seated, *keys: str) -> None:
    await seated.type(*keys)
    page = seated.session.pages.top
    assert page is not None
    gone: dict[str, weakref.ref[Any]] = {"session": weakref.ref(seated.session), "screen": weakref.ref(seated.screen)}
    gone["page"] = weakref.ref(page)
    del page
    gc.disable()
    try:
        await seated.hang_up()
        house.seats.clear()
        del seated
        await asyncio.sleep(0)
        assert {name: one() for name, one in gone.items()} == dict.fromkeys(gone)
    finally:
        gc.enable()


async def test_who_leaves_at_the_calibration_leaves_no_lobby_behind(house: House) -> None:
    """The lobby is read beside the settings; where the calibration came first it held session and screen for good."""
    gc.disable()
    try:
        await is_gone(house, await calibrating(house))
    finally:
        gc.enable()


async def calibrating(house: House) -> Seated:
    seated = await house.connect(guest())
    assert seated.says("calibrate.title")
    return seated
