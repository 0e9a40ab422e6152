"""The metrics port: what is counted, and whether the server says that it is ready."""

from __future__ import annotations

import asyncio
import re
import urllib.error
import urllib.request
from pathlib import Path

from tests.ssh.server import Server, running
from tests.waiting import PATIENCE_S


def fetch(url: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def value(text: str, name: str) -> float:
    found = re.search(rf"^{re.escape(name)} (\S+)$", text, re.MULTILINE)
    assert found, (name, text)
    return float(found[1])


async def test_the_metrics_port(tmp_path: Path) -> None:
    with running(tmp_path, {"PATCHBAY_METRICS_PORT": "0"}) as server:
        base = address(server)
        assert fetch(f"{base}/healthz") == (200, "ok\n")
        assert fetch(f"{base}/readyz") == (200, "ok\n")
        assert fetch(f"{base}/nothing")[0] == 404
        async with server.bot() as bot:
            await bot.ask(do="seek", game="rainet", against="bot:easy")
            turn = await bot.until("turn")
            await bot.ask(do="act", match=turn["match"], seq=turn["seq"], action="setup LLLLVVVV")
            status, text = fetch(f"{base}/metrics")
        assert status == 200
        assert value(text, 'patchbay_logins_total{outcome="guest"}') == 1
        assert value(text, "patchbay_connections") == 1
        assert value(text, "patchbay_sessions") == 1
        assert value(text, "patchbay_matches_open") == 1
        assert value(text, "patchbay_log_appends_total") >= 1
        assert value(text, "patchbay_commit_seconds_count") >= 1
        assert value(text, "patchbay_tasks") >= 1
        assert value(text, "process_open_fds") >= 1
        assert server.said[-1] == f"patchbay: ready on 127.0.0.1:{server.port}"


def address(server: Server) -> str:
    [line] = [line for line in server.said if line.startswith("metrics: ")]
    return line.removeprefix("metrics: ").removesuffix("/metrics")


async def test_a_server_that_drains_is_alive_but_not_ready(tmp_path: Path) -> None:
    with running(tmp_path, {"PATCHBAY_METRICS_PORT": "0"}) as server:
        base = address(server)
        for act, answer in (("drain", (503, "draining\n")), ("undrain", (200, "ok\n"))):
            assert (await server.beside("admin", act))[0] == 0
            async with asyncio.timeout(PATIENCE_S):
                while fetch(f"{base}/readyz") != answer:
                    await asyncio.sleep(0.1)
            assert fetch(f"{base}/healthz") == (200, "ok\n")
