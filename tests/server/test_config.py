"""Settings: defaults, environment, options, and what contradicts itself."""

from __future__ import annotations

import inspect
from pathlib import Path

import asyncpg
import pytest

from game.cli.commandline import Syntax, read
from server.commands import SETTINGS, settings_of
from server.config import SettingsError, load, options, strays, unknown
from server.serviceurls import DATABASE_QUERY


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for _, variable, _ in options():
        monkeypatch.delenv(variable, raising=False)


def test_defaults_are_the_promised_ones() -> None:
    settings = load()
    assert (settings.host, settings.port, settings.data_dir) == ("127.0.0.1", 2222, Path("var"))
    assert (settings.bus_url, settings.workers, settings.metrics_port, settings.log) == ("local", 1, None, "text")
    assert settings.database == f"sqlite:///{Path('var').absolute()}/patchbay.db"
    limits = settings.limits
    assert (limits.auth_attempts, limits.channels, limits.accounts_per_hour) == (6, 2, 3)
    assert (limits.unauthenticated, limits.unauthenticated_per_source, limits.connections_per_source) == (100, 10, 20)
    assert (limits.env_vars, limits.env_bytes, limits.exec_bytes, limits.buffer_bytes) == (8, 256, 4096, 256 * 1024)


def test_the_environment_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATCHBAY_PORT", "0")
    monkeypatch.setenv("PATCHBAY_METRICS_PORT", "")
    monkeypatch.setenv("PATCHBAY_LIMIT_ACCOUNTS_PER_HOUR", "50")
    monkeypatch.setenv("PATCHBAY_PROXY_FROM", "10.0.0.0/8, ::1")
    settings = load()
    assert (settings.port, settings.metrics_port, settings.limits.accounts_per_hour) == (0, None, 50)
    assert [str(network) for network in settings.proxy_networks] == ["10.0.0.0/8", "::1/128"]


def test_options_of_serve_have_the_settings_names_and_win(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATCHBAY_PORT", "2300")
    given = ["--port", "2400", "--limit-chat-per-min=7", "--data-dir", "/srv/x"]
    settings = settings_of(read(Syntax(options=SETTINGS), given))
    assert (settings.port, settings.limits.chat_per_min, settings.data_dir) == (2400, 7, Path("/srv/x"))


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"workers": "2"}, "PATCHBAY_WORKERS: more than one needs PostgreSQL"),
        (
            {"workers": "2", "database_url": "postgresql+asyncpg://x/y"},
            "PATCHBAY_WORKERS: more than one needs a shared bus",
        ),
        ({"port": "70000"}, "PATCHBAY_PORT is '70000'; it may be: a whole number, at least 0, at most 65535"),
        ({"database_url": "mysql://x"}, "PATCHBAY_DATABASE_URL:"),
        ({"bus_url": "amqp://x"}, "PATCHBAY_BUS_URL:"),
        ({"host": ","}, "PATCHBAY_HOST:"),
        ({"public_address": "ssh play.example.org"}, "PATCHBAY_PUBLIC_ADDRESS: HOST or HOST:PORT"),
        ({"public_address": "-oProxyCommand=x"}, "PATCHBAY_PUBLIC_ADDRESS: HOST or HOST:PORT"),
        ({"public_address": "http://play.example.org"}, "PATCHBAY_PUBLIC_ADDRESS: HOST or HOST:PORT"),
        ({"public_address": "play.example.org:0"}, "PATCHBAY_PUBLIC_ADDRESS: the port"),
        ({"proxy_from": "10.0.0.0/99"}, "PATCHBAY_PROXY_FROM: '10.0.0.0/99'"),
        ({"database_url": "sqlite://"}, "PATCHBAY_DATABASE_URL:"),
        ({"database_url": "postgresql+asyncpg://mira:secret@db:five/x"}, "PATCHBAY_DATABASE_URL: its host and port"),
        ({"database_url": "postgresql+asyncpg://mira:se@cret@db/x"}, "PATCHBAY_DATABASE_URL: its host and port"),
        ({"database_url": "postgresql+asyncpg://mira:se/secret@db/x"}, "in a password write % as %25, @ as %40"),
        ({"database_url": "postgresql+asyncpg://mira:se#secret@db/x"}, "in a password write % as %25, @ as %40"),
        ({"bus_url": "redis://:se/secret@cache"}, "PATCHBAY_BUS_URL: its host and port"),
        ({"bus_url": "redis://:secret@cache/first"}, "PATCHBAY_BUS_URL: what stands after the port is the number"),
        ({"bus_url": "redis://:secret@cache:five"}, "PATCHBAY_BUS_URL: its host and port"),
        ({"contact": "mira\nbans: none"}, "PATCHBAY_CONTACT:"),
        ({"host": "0.0.0.0:22"}, "PATCHBAY_HOST: 0.0.0.0:22 is no address; a port has a setting of its own"),
        ({"host": "[::]"}, "PATCHBAY_HOST: [::] is no address"),
        ({"web_port": "80", "web_host": "[::1]"}, "PATCHBAY_WEB_HOST: [::1] is no address"),
        ({"port": "2300", "web_port": "2300"}, "PATCHBAY_WEB_PORT: 2300 is taken by PATCHBAY_PORT"),
        ({"host": "::", "port": "2300", "metrics_port": "2300"}, "PATCHBAY_METRICS_PORT: 2300 is taken by"),
        ({"name": "red \x1b[31m"}, "PATCHBAY_NAME:"),
        ({"limit_channels": "0"}, "PATCHBAY_LIMIT_CHANNELS is '0'; it may be: a whole number, at least 1"),
        ({"limit_stall_s": "inf"}, "PATCHBAY_LIMIT_STALL_S is 'inf'; it may be: a number, above 0"),
        (
            {
                "workers": "3",
                "database_url": "postgresql+asyncpg://x/y",
                "bus_url": "redis://x",
                "metrics_port": "65534",
            },
            "PATCHBAY_METRICS_PORT: each worker takes one, so the last would be 65536",
        ),
        ({"log": "xml"}, "PATCHBAY_LOG is 'xml'; it may be: text, json"),
    ],
)
def test_what_contradicts_itself_is_refused_in_one_line(given: dict[str, str], complaint: str) -> None:
    with pytest.raises(SettingsError) as refused:
        load(given)
    assert complaint in str(refused.value)
    assert "\n" not in str(refused.value)
    assert "secret" not in str(refused.value)


def test_a_query_that_the_database_s_driver_does_not_know_ended_a_start_with_a_trace() -> None:
    """`?sslmode=require`, as other programs write it: TypeError, and no word of which setting."""
    url = "postgresql+asyncpg://mira:secret@db/x?"
    with pytest.raises(SettingsError, match=r"PATCHBAY_DATABASE_URL: foo, sslmode is nothing .*ssl=require"):
        load({"database_url": f"{url}foo=&sslmode=require"})
    assert load({"database_url": f"{url}ssl=require"}).database == f"{url}ssl=require"
    taken = set(inspect.signature(asyncpg.connect).parameters) | {"prepared_statement_cache_size"}
    assert taken >= DATABASE_QUERY


@pytest.mark.parametrize("url", ["sqlite:///", "sqlite:///:memory:", "sqlite:///?mode=rw"])
def test_a_database_without_a_file_took_matches_and_forgot_them_at_the_stop(url: str) -> None:
    with pytest.raises(SettingsError, match="PATCHBAY_DATABASE_URL: names no file"):
        load({"database_url": url})


def test_a_variable_called_limits_is_no_setting_whatever_it_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is no JSON ended every command with a trace."""
    for text in ("x", '{"channels": 0}'):
        monkeypatch.setenv("PATCHBAY_LIMITS", text)
        assert load() == load({"limit_channels": "2"})
        assert unknown({"PATCHBAY_LIMITS": text}) == ["PATCHBAY_LIMITS"]


def test_the_last_worker_s_metrics_took_the_port_of_the_browsers() -> None:
    given = {"workers": "3", "database_url": "postgresql+asyncpg://x/y", "bus_url": "redis://x", "metrics_port": "9000"}
    assert load({**given, "web_port": "9003"}).web_port == 9003
    with pytest.raises(SettingsError, match=r"WEB_PORT: 9002 is taken by PATCHBAY_METRICS_PORT \(each of 3 workers"):
        load({**given, "web_port": "9002"})


def test_two_doors_may_have_one_port_of_two_addresses_or_any_free_one() -> None:
    assert load({"host": "192.0.2.1", "port": "443", "web_port": "443"}).port == 443
    assert load({"port": "0", "web_port": "0", "metrics_port": "0"}).port == 0


def test_several_workers_need_postgresql_and_a_shared_bus() -> None:
    given = {"workers": "4", "database_url": "postgresql+asyncpg://x/y", "bus_url": "redis://x"}
    assert load(given).workers == 4


def test_a_variable_that_only_looks_like_a_setting_is_named() -> None:
    environment = {"PATCHBAY_WORKER": "2", "PATCHBAY_WORKERS": "2", "PATCHBAY_LIMIT_CHANNELS": "3", "HOME": "/"}
    assert unknown(environment) == ["PATCHBAY_WORKER"]


def test_a_mistyped_variable_is_told_with_the_setting_that_may_be_meant() -> None:
    assert list(strays({"PATCHBAY_GUEST": "off", "PATCHBAY_GUESTS": "on"})) == [
        "PATCHBAY_GUEST is no setting, and does nothing: is PATCHBAY_GUESTS meant?"
    ]
    assert list(strays({"PATCHBAY_COLOUR": "red"})) == [
        "PATCHBAY_COLOUR is no setting, and does nothing: `patchbay settings` lists them"
    ]
