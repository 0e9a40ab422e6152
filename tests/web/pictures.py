"""README's pictures of the pages: a match being played, the same on a phone, and one that is over; from Chromium.

`python -m tests.web.pictures` writes docs/pictures/browser-*.png anew; look at them before you commit them.
"""

from __future__ import annotations

import asyncio
import sys
from base64 import b64decode
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from tests.pictures import FOLDER
from tests.ssh.server import Server
from tests.web.pages import open_door
from tests.web.playing import Player, RaiNet, begin_match, begin_run
from tests.web.test_browser import chromium

SIZES: Final = {"browser": (1280, 900), "browser-phone": (390, 844), "browser-end": (1280, 900)}
MOVES = 6  # of the match that goes on


def shot(browser: Any, name: str) -> None:
    """Write what the window shows, once keys work."""
    Player(browser).until(Player(browser).is_free)
    browser.execute_script("document.activeElement.blur(); scrollTo(0, 0)")
    taken = browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
    (FOLDER / f"{name}.png").write_bytes(b64decode(taken["data"]))


async def write(folder: Path) -> None:
    """Write all of them."""
    async with open_door(folder, PATCHBAY_PUBLIC_ADDRESS="play.example.org") as server:
        for name in SIZES:
            await asyncio.to_thread(_write, name, server)


def _write(name: str, server: Server) -> None:
    is_phone, (wide, high) = name == "browser-phone", SIZES[name]
    with chromium() as browser:
        size = {"width": wide, "height": high, "deviceScaleFactor": 1, "mobile": is_phone}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        browser.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": True})
        scheme = {"name": "prefers-color-scheme", "value": "light" if name == "browser-end" else "dark"}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
        player = Player(browser)
        if is_phone:
            begin_run(player, server)
        else:
            begin_match(player, server)
            RaiNet(player).play(MOVES if name == "browser" else sys.maxsize)
        shot(browser, name)


def main() -> int:
    with TemporaryDirectory() as made:
        asyncio.run(write(Path(made)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
