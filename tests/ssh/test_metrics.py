"""The metrics port: what is counted, and whether the server says that it is ready."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
import urllib.error
import urllib.request
from importlib.metadata import version
from pathlib import Path
from platform import python_version

import pytest

from server.metrics import Refreshed
from tests.ssh.server import Server, running
from tests.waiting import PATIENCE_S

DEPLOY = Path(__file__).parents[2] / "deploy"


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
        assert value(text, "patchbay_matches_held") == 1
        assert value(text, "patchbay_commits_failed_total") == 0
        assert value(text, "patchbay_bot_processes") <= 1
        assert value(text, "patchbay_bots_degraded") == 0
        assert f'patchbay_build_info{{python="{python_version()}",version="{version("patchbay")}"}} 1.0' in text
        assert value(text, "patchbay_log_appends_total") >= 1
        assert value(text, "patchbay_commit_seconds_count") >= 1
        assert value(text, "patchbay_tasks") >= 1
        assert (value(text, "patchbay_bus_connected"), value(text, "patchbay_draining")) == (1, 0)
        assert value(text, 'patchbay_bus_refused_total{why="forged"}') == 0, (
            "it is there before it counts: else no alert"
        )
        assert value(text, "process_open_fds") >= 1
        assert server.said[-1] == f"patchbay: ready on 127.0.0.1:{server.port}"


def address(server: Server) -> str:
    [line] = [line for line in server.said if line.startswith("metrics: ")]
    return line.removeprefix("metrics: ").removesuffix("/metrics")


def metric_names(text: str) -> set[str]:
    """Return the names of the series that a scrape has, or will have once something is counted."""
    found = set[str]()
    for name, kind in re.findall(r"^# TYPE (\w+) (\w+)$", text, re.MULTILINE):
        found |= {f"{name}{end}" for end in ("_bucket", "_sum", "_count")} if kind == "histogram" else {name}
    return found


def named(text: str) -> set[str]:
    return set(re.findall(r"\b(?:patchbay|process)_[a-z0-9_]+\b", text))


async def test_dashboard_alerts_and_guide_name_metrics_that_there_are(tmp_path: Path) -> None:
    with running(tmp_path, {"PATCHBAY_METRICS_PORT": "0"}) as server:
        names = metric_names(fetch(f"{address(server)}/metrics")[1])
    dashboard = (DEPLOY / "grafana-dashboard.json").read_text(encoding="utf-8")
    queries = [one["expr"] for panel in json.loads(dashboard)["panels"] for one in panel["targets"]]
    rules = (DEPLOY / "prometheus-alerts.yaml").read_text(encoding="utf-8")
    alerts = re.findall(r"- alert: (\w+)\n {8}expr: (.+)\n {8}for: \w+\n {8}labels: \{ severity: \w+ \}", rules)
    assert len(alerts) == rules.count("- alert:") > 5, "each has an expression, a time and a severity"
    assert rules.count("summary:") == len(alerts)
    for expression in (*queries, *(expression for _, expression in alerts)):
        assert named(expression), expression
        assert named(expression) <= names, expression
    guide = (DEPLOY.parent / "docs" / "operations.md").read_text(encoding="utf-8")
    counted = {name.removesuffix("_count") for name in names if name.startswith("patchbay_")}
    counted = {name for name in counted if not name.endswith(("_bucket", "_sum", "_created"))}
    assert counted <= named(guide), "the guide lists them all"


async def test_a_match_that_has_ended_was_counted_as_open(tmp_path: Path) -> None:
    """What this process held in memory was counted: ended ones for a minute more, running ones only where shown."""
    with running(tmp_path, {"PATCHBAY_METRICS_PORT": "0"}) as server:
        base = address(server)
        async with server.bot() as bot:
            match = (await bot.ask(do="seek", game="rainet", against="bot:easy"))["match"]
            await until_value(base, "patchbay_matches_open", 1)
            assert (await bot.ask(do="resign", match=match))["type"] == "ok"
            await until_value(base, "patchbay_matches_open", 0)
            assert value(fetch(f"{base}/metrics")[1], "patchbay_matches_held") == 1


async def until_value(base: str, name: str, wanted: float) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while value(fetch(f"{base}/metrics")[1], name) != wanted:
            await asyncio.sleep(0.2)


async def until_answer(url: str, answer: tuple[int, str]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while fetch(url) != answer:
            await asyncio.sleep(0.1)


async def test_a_database_that_took_no_writes_was_green_everywhere(tmp_path: Path) -> None:
    """Players were told, but nothing that is monitored showed that no move could be stored."""
    with running(tmp_path, {"PATCHBAY_METRICS_PORT": "0"}) as server:
        base = address(server)
        other = sqlite3.connect(server.data_dir / "patchbay.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        await until_answer(f"{base}/readyz", (503, "the database takes no writes\n"))
        assert fetch(f"{base}/healthz") == (200, "ok\n"), "it recovers by itself: nothing may kill it"
        async with server.bot() as bot:
            assert (await bot.ask(do="seek", game="rainet", against="bot:easy"))["error"] == "not_saved"
        text = fetch(f"{base}/metrics")[1]
        assert value(text, "patchbay_commits_failed_total") >= 2
        other.execute("ROLLBACK")
        other.close()
        await until_answer(f"{base}/readyz", (200, "ok\n"))
    for event in ("store.write-failed", "heartbeat.missed"):
        assert server.log.read_text().count(event) == 1, "once a minute"


async def test_a_scrape_waits_for_no_database_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.metrics.LOOK_UP_S", 0.01)
    asked = list[str]()

    async def hangs() -> int:
        asked.append("")
        await asyncio.Event().wait()
        return 7

    refreshed = Refreshed(hangs)
    await refreshed.refresh()
    await refreshed.refresh()
    assert (refreshed.value, len(asked)) == (0, 1)


async def test_metrics_are_not_shown_to_the_world_with_the_game(tmp_path: Path) -> None:
    """They were on the first address of PATCHBAY_HOST."""
    with running(tmp_path, {"PATCHBAY_METRICS_PORT": "0", "PATCHBAY_HOST": "127.0.0.2"}) as server:
        assert address(server).startswith("http://127.0.0.1:")
        assert fetch(f"{address(server)}/healthz") == (200, "ok\n")
    env = {"PATCHBAY_METRICS_PORT": "0", "PATCHBAY_METRICS_HOST": "127.0.0.3"}
    with running(tmp_path, env) as server:
        assert fetch(f"{address(server)}/healthz") == (200, "ok\n")
        assert address(server).startswith("http://127.0.0.3:")


async def test_a_server_that_drains_is_alive_but_not_ready(tmp_path: Path) -> None:
    with running(tmp_path, {"PATCHBAY_METRICS_PORT": "0"}) as server:
        base = address(server)
        for act, answer in (("drain", (503, "draining\n")), ("undrain", (200, "ok\n"))):
            assert (await server.beside("admin", act))[0] == 0
            await until_answer(f"{base}/readyz", answer)
            assert fetch(f"{base}/healthz") == (200, "ok\n")
