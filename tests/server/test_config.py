"""Settings: defaults, environment, options, and what contradicts itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from game.cli.commandline import Syntax, read
from server.commands import SETTINGS, settings_of
from server.config import SettingsError, load, options, unknown


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
        ({"workers": "2"}, "workers: more than one needs PostgreSQL"),
        ({"workers": "2", "database_url": "postgresql+asyncpg://x/y"}, "workers: more than one needs a shared bus"),
        ({"port": "70000"}, "port:"),
        ({"database_url": "mysql://x"}, "database_url:"),
        ({"bus_url": "amqp://x"}, "bus_url:"),
        ({"host": ","}, "host:"),
        ({"public_address": "ssh play.example.org"}, "public_address: HOST or HOST:PORT"),
        ({"public_address": "-oProxyCommand=x"}, "public_address: HOST or HOST:PORT"),
        ({"public_address": "play.example.org:0"}, "public_address: the port"),
        ({"proxy_from": "10.0.0.0/99"}, "proxy_from: '10.0.0.0/99'"),
        ({"database_url": "sqlite://"}, "database_url:"),
        ({"database_url": "postgresql+asyncpg://mira:secret@db:five/x"}, "database_url: its host and port"),
        ({"bus_url": "redis://:secret@cache:five"}, "bus_url: its host and port"),
        ({"name": "red \x1b[31m"}, "name:"),
        ({"limit_channels": "0"}, "limit_channels:"),
        ({"limit_stall_s": "inf"}, "limit_stall_s:"),
        (
            {
                "workers": "3",
                "database_url": "postgresql+asyncpg://x/y",
                "bus_url": "redis://x",
                "metrics_port": "65534",
            },
            "metrics_port: each worker takes one, so the last would be 65536",
        ),
        ({"log": "xml"}, "log:"),
    ],
)
def test_what_contradicts_itself_is_refused_in_one_line(given: dict[str, str], complaint: str) -> None:
    with pytest.raises(SettingsError) as refused:
        load(given)
    assert complaint in str(refused.value)
    assert "\n" not in str(refused.value)
    assert "secret" not in str(refused.value)


def test_several_workers_need_postgresql_and_a_shared_bus() -> None:
    given = {"workers": "4", "database_url": "postgresql+asyncpg://x/y", "bus_url": "redis://x"}
    assert load(given).workers == 4


def test_a_variable_that_only_looks_like_a_setting_is_named() -> None:
    environment = {"PATCHBAY_WORKER": "2", "PATCHBAY_WORKERS": "2", "PATCHBAY_LIMIT_CHANNELS": "3", "HOME": "/"}
    assert unknown(environment) == ["PATCHBAY_WORKER"]
