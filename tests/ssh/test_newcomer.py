"""A newcomer with the OpenSSH client in a terminal of 80x24: how many keys from the login to the first move."""

from __future__ import annotations

import re
from pathlib import Path

from tests.ssh.client import new_key
from tests.ssh.server import running
from tests.ssh.terminal import at_terminal
from tests.texts import en

MOST_KEYS = 6
MOVED = re.compile(r"\b1 mira (d2–d3|e7–e6)|\b2 mira (d2–d3|e7–e6)")


async def test_a_newcomer_moves_in_rainet_after_six_keys(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        async with at_terminal(server, new_key(tmp_path, "mira"), "mira") as mira:
            await mira.shows(en("welcome.handle"))
            await mira.press("\r", en("keys.calibrate.accept"))
            await mira.press("\r", en("keys.lobby.quit"))
            await mira.press("1", en("rainet.do.move")[:20])  # now or after the bot's first move
            await mira.press("\r", en("rainet.do.card", square="", n=0).strip()[:9])
            await mira.press("\x1b[A", en("rainet.here.go", **{"from": "", "to": ""})[:12])
            await mira.press("\r", "mira d2–d3" if "mira – bot" in mira.text else "mira e7–e6")
            assert MOVED.search(mira.text), mira.text
            assert mira.keys <= MOST_KEYS
