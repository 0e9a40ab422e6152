"""The settings: `PATCHBAY_…` in the environment, the same names as options of `patchbay serve` (docs/operations.md).

One that is secret may lie in a file instead, such as `patchbay_database_url` in the directory of secrets: /run/secrets,
or that of systemd's credentials.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, model_validator
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SecretsSettingsSource,
    SettingsConfigDict,
)

from server.address import Address, Network, read_address
from server.errors import reason_of
from server.noticehosts import read_hosts
from server.serviceurls import check_bus, check_database
from server.settingvalues import allowed

HIGHEST_PORT = 65_535
FINGERPRINT = re.compile(r"SHA256:[A-Za-z0-9+/]{43}")  # of a key, as ssh shows it
SECRETS = Path("/run/secrets")
EVERYWHERE = frozenset(("0.0.0.0", "::"))  # noqa: S104 (read, not listened on)
SHOWN_CHARS = 60  # of a value that is refused
WEB_URL = re.compile(r"https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?/?|https?://\[[0-9a-fA-F:]+\](:[0-9]{1,5})?/?")
NEXT = ".next"  # how the file of a host key ends that a rotation has made and that is not used yet


def host_keys_beside(host_key: Path) -> tuple[Path, ...]:
    """Return the files of the other host keys, for clients that can't use Ed25519; they may not exist yet."""
    return tuple(host_key.with_name(f"{host_key.name}_{kind}") for kind in ("ecdsa", "rsa"))


def next_host_keys(host_key: Path) -> tuple[Path, ...]:
    """Return the files of the keys that follow these host keys while they are rotated; usually none exists."""
    return tuple(file.with_name(file.name + NEXT) for file in (host_key, *host_keys_beside(host_key)))


class SettingsError(Exception):
    """The settings contradict themselves or can't be read; the message is one line for the admin."""


class Limits(BaseSettings):
    """What one client may ask of the server: `PATCHBAY_LIMIT_…`. On whose account it counts: `Sources`."""

    model_config = SettingsConfigDict(env_prefix="PATCHBAY_LIMIT_", env_ignore_empty=True, extra="ignore", frozen=True)

    auth_attempts: int = Field(default=6, ge=1, description="authentication attempts per connection")
    channels: int = Field(default=2, ge=1, description="session channels per connection, at most one with a terminal")
    unauthenticated: int = Field(default=100, ge=1, description="connections that have not logged in yet, in all")
    unauthenticated_per_source: int = Field(
        default=10, ge=1, description="the same, per source and the networks around it"
    )
    connections_per_source: int = Field(
        default=20, ge=1, description="connections that have logged in, per account or source"
    )
    no_channel_s: float = Field(
        default=300, gt=0, allow_inf_nan=False, description="seconds a connection may stay without a session channel"
    )
    accounts_per_hour: int = Field(default=3, ge=0, description="accounts made per source and hour")
    env_vars: int = Field(default=8, ge=0, description="environment variables a client may send")
    env_bytes: int = Field(default=256, ge=0, description="bytes of each of them")
    exec_bytes: int = Field(default=4096, ge=64, description="bytes of a command line")
    input_bytes_per_s: int = Field(default=16_384, ge=256, description="bytes typed or sent per second and session")
    chat_per_min: int = Field(
        default=20,
        ge=1,
        description="chat lines per minute and person; all guests and new accounts of a source together: three times "
        "as many, by each worker",
    )
    chat_chars: int = Field(default=300, ge=1, description="characters of a chat line")
    actions_per_min: int = Field(
        default=1800, ge=1200, description="actions per minute and account or source, by each worker"
    )
    beginnings_per_min: int = Field(
        default=600, ge=1, description="matches and rooms begun per minute and account or source, by each worker"
    )
    beginnings_per_day: int = Field(
        default=10_000, ge=1, description="matches and rooms begun per day and account or source, by each worker"
    )
    reading_ms_per_min: int = Field(
        default=3_000,
        ge=100,
        description="milliseconds of processor time that reading may take per minute and account or source, by each "
        "worker: pages, lists, matches that are over, replays and records, in every door",
    )
    wrong_codes_per_min: int = Field(
        default=100, ge=1, description="wrong room codes tried per minute and account or source"
    )
    line_bytes: int = Field(default=65_536, ge=1024, description="bytes of a line of the bot protocol")
    login_timeout_s: float = Field(default=30, gt=0, allow_inf_nan=False, description="seconds a client has to log in")
    buffer_bytes: int = Field(
        default=262_144, ge=1024, description="unread bytes of a client from which frames are skipped"
    )
    unsent_bytes: int = Field(
        default=64 * 2**20,
        ge=2**20,
        description="unread bytes of all clients of a process; above it clients of the greediest network are closed",
    )
    stall_s: float = Field(
        default=30, gt=0, allow_inf_nan=False, description="seconds a client may leave its bytes unread"
    )


class Settings(BaseSettings):
    """Everything an admin can set; frozen. Made by `load`, which says what is wrong in one line."""

    model_config = SettingsConfigDict(env_prefix="PATCHBAY_", env_ignore_empty=True, extra="ignore", frozen=True)

    host: str = Field(
        default="127.0.0.1", description="addresses to listen on, a comma list (0.0.0.0,:: for the world)"
    )
    port: int = Field(default=2222, ge=0, le=HIGHEST_PORT, description="port; 0 takes any free one and prints it")
    data_dir: Path = Field(default=Path("var"), description="directory of the database, the host key and the logs")
    database_url: str = Field(default="", description="postgresql+asyncpg://… instead of SQLite in the data directory")
    bus_url: str = Field(default="local", description="local, postgresql://… or redis://…")
    workers: int = Field(default=1, ge=1, le=64, description="processes that share the port")
    bot_processes: int = Field(
        default=1, ge=1, le=64, description="processes that compute the bots' moves, besides one for quick levels"
    )
    metrics_port: int | None = Field(
        default=None, ge=0, le=HIGHEST_PORT, description="Prometheus text, /healthz and /readyz"
    )
    metrics_host: str = Field(default="127.0.0.1", min_length=1, description="address of the metrics' port")
    name: str = Field(default="Patchbay", min_length=1, max_length=40, description="what players see the place called")
    public_address: str = Field(
        default="",
        max_length=262,
        description="how players reach the server, HOST[:PORT]; empty: what each connection shows",
    )
    contact: str = Field(
        default="", max_length=120, description="whom a banned, muted or worried person writes to (mail, a page)"
    )
    guest_matches_days: int = Field(
        default=7, ge=1, le=36_500, description="days that an ended match is kept in which only guests and bots sat"
    )
    moderation_days: int | None = Field(
        default=None,
        ge=30,
        le=36_500,
        description="days that closed reports, bans and mutes that are over, and the audit log are kept; empty: for "
        "good",
    )
    guests: Literal["on", "off"] = Field(default="on", description="whether people without an account may come in")
    accounts: Literal["open", "invite", "closed"] = Field(
        default="open", description="who may register: anybody, who has an invitation code, nobody"
    )
    allowed_keys: Path | None = Field(
        default=None,
        description="a file in authorized_keys format: nobody comes in by another key, or without; read again when it "
        "changes",
    )
    admin_keys: str = Field(
        default="",
        description="fingerprints (SHA256:…) of keys that are admins from their first login, a comma list",
    )
    motd: Path | None = Field(
        default=None,
        description="a file whose text everybody reads who comes into the lobby; read again when it changes",
    )
    host_keys: Path | None = Field(default=None, description="directory of the host keys; empty: the data directory")
    proxy_from: str = Field(default="", description="networks whose PROXY header is believed, a comma list")
    web_port: int | None = Field(
        default=None, ge=0, le=HIGHEST_PORT, description="port of the pages for browsers; 0 takes any free one"
    )
    web_host: str = Field(default="127.0.0.1", min_length=1, description="address of the browsers' port")
    web_url: str = Field(
        default="", max_length=262, description="what links to the pages begin with, as https://play.example.org"
    )
    web_proxy_from: str = Field(
        default="", description="networks whose X-Forwarded-For header is believed, a comma list"
    )
    notice_hosts: str = Field(
        default="",
        description="HOST[:PORT] that people may have notices sent to, a comma list; empty: none. A name takes https "
        "to public addresses, an address with its port is reached as written",
    )
    log: Literal["text", "json"] = Field(default="text", description="how the log is written")
    log_level: Literal["debug", "info", "warning", "error"] = Field(default="info", description="from which level on")
    limits: Annotated[Limits, NoDecode] = Field(default_factory=lambda: Limits())

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Look for a setting among the options, then in the environment, then in the directory of secrets."""
        folder = secrets_directory(os.environ)
        secrets = (SecretsSettingsSource(settings_cls, secrets_dir=folder),) if folder.is_dir() else ()
        return init_settings, env_settings, *secrets

    @property
    def hosts(self) -> tuple[str, ...]:
        return tuple(host.strip() for host in self.host.split(",") if host.strip())

    @property
    def reached_at(self) -> Address | None:
        """Return how players reach the server; None: as each connection shows."""
        return read_address(self.public_address) if self.public_address else None

    def reached_on(self, port: int) -> Address:
        """Return how people get here, by the port that is listened on where no address is set."""
        here = "localhost" if self.hosts[0] in ("127.0.0.1", "::1", "0.0.0.0", "::") else self.hosts[0]  # noqa: S104
        return self.reached_at or Address(here, port)

    @property
    def proxy_networks(self) -> tuple[Network, ...]:
        return _networks(self.proxy_from)

    @property
    def web_proxy_networks(self) -> tuple[Network, ...]:
        return _networks(self.web_proxy_from)

    @property
    def web_origin(self) -> str:
        """Return what links to the pages begin with, without a slash at the end; empty: not known."""
        return self.web_url.rstrip("/")

    @property
    def highest_metrics_port(self) -> int:
        """Return the port of the last worker's metrics; 0 without metrics."""
        return self.metrics_port + self.workers - 1 if self.metrics_port else 0

    @property
    def database(self) -> str:
        """Return the SQLAlchemy URL, with the default in the data directory filled in."""
        return self.database_url or f"sqlite:///{self.data_dir.absolute() / 'patchbay.db'}"

    @property
    def is_sqlite(self) -> bool:
        return self.database.startswith("sqlite")

    @property
    def host_key(self) -> Path:
        """Return the file of the first host key; those of other kinds lie beside it."""
        return (self.host_keys or self.data_dir) / "host_key"

    @property
    def admin_fingerprints(self) -> frozenset[str]:
        return frozenset(text.strip() for text in self.admin_keys.split(",") if text.strip())

    @model_validator(mode="after")
    def _check(self) -> Settings:
        self._check_read()
        for setting, text in (("name", self.name), ("contact", self.contact)):
            if not text.isprintable():
                raise ValueError(f"{setting}: holds something that can't be printed")
        if self.workers > 1 and self.is_sqlite:
            raise ValueError("workers: more than one needs PostgreSQL (PATCHBAY_DATABASE_URL)")
        if self.workers > 1 and self.bus_url == "local":
            raise ValueError("workers: more than one needs a shared bus (PATCHBAY_BUS_URL)")
        if not self.hosts:
            raise ValueError("host: no address to listen on")
        for setting, host in self._listens_on():
            _check_host(setting, host)
        if self.highest_metrics_port > HIGHEST_PORT:
            raise ValueError(f"metrics_port: each worker takes one, so the last would be {self.highest_metrics_port}")
        self._check_ports()
        for key in self.admin_fingerprints:
            if FINGERPRINT.fullmatch(key) is None:
                raise ValueError("admin_keys: a fingerprint is SHA256: and 43 characters, as `ssh-keygen -l` shows it")
        if self.web_url and WEB_URL.fullmatch(self.web_url) is None:
            raise ValueError("web_url: begins with https:// (or http://), and is a host and perhaps a port, no path")
        if self.web_port is not None and self.workers > 1 and self.web_port == 0:
            raise ValueError("web_port: several workers need one that is named")
        return self

    def _check_read(self) -> None:
        """Raise ValueError where what is read of a setting can't be."""
        readings: Mapping[str, Callable[[], object]] = {
            "database_url": lambda: check_database(self.database),
            "bus_url": lambda: check_bus(self.bus_url),
            "public_address": lambda: self.reached_at,
            "notice_hosts": lambda: read_hosts(self.notice_hosts),
            "proxy_from": lambda: self.proxy_networks,
            "web_proxy_from": lambda: self.web_proxy_networks,
        }
        for setting, read in readings.items():
            try:
                read()
            except ValueError as error:
                raise ValueError(f"{setting}: {error}") from None

    def _listens_on(self) -> Iterator[tuple[str, str]]:
        """Yield every address that is listened on, with the name of its setting."""
        yield from (("host", host) for host in self.hosts)
        if self.metrics_port is not None:
            yield "metrics_host", self.metrics_host
        if self.web_port is not None:
            yield "web_host", self.web_host

    def _check_ports(self) -> None:
        """Raise ValueError where two doors would need one port of one address."""
        doors = {
            "port": (frozenset(self.hosts), range(self.port, self.port + 1)),
            "metrics_port": (
                frozenset((self.metrics_host,)),
                range(self.metrics_port or 0, self.highest_metrics_port + 1),
            ),
            "web_port": (frozenset((self.web_host,)), range(self.web_port or 0, (self.web_port or 0) + 1)),
        }
        for late, early in (("metrics_port", "port"), ("web_port", "port"), ("web_port", "metrics_port")):
            (hosts, ports), (other_hosts, other_ports) = doors[late], doors[early]
            is_same_host = hosts & other_hosts or EVERYWHERE & (hosts | other_hosts)
            for port in sorted(set(ports) & set(other_ports) - {0}):
                if is_same_host:
                    each = f" (each of {self.workers} workers takes one)" if self.workers > 1 else ""
                    raise ValueError(f"{late}: {port} is taken by {variable_of(early)}{each}")


def _check_host(setting: str, host: str) -> None:
    """Raise ValueError for an address that is written with its port, or in brackets."""
    if ":" in host:
        try:
            ip_address(host)
        except ValueError:
            raise ValueError(
                f"{setting}: {host} is no address; a port has a setting of its own, and IPv6 has no brackets"
            ) from None


def _networks(text: str) -> tuple[Network, ...]:
    """Return the networks of a comma list. Raises ValueError."""
    return tuple(ip_network(one.strip(), strict=False) for one in text.split(",") if one.strip())


def options() -> Iterator[tuple[str, str, str]]:
    """List (option, variable, description) of every setting, as the command line and the docs show them."""
    for prefix, variable, model in (("--", "PATCHBAY_", Settings), ("--limit-", "PATCHBAY_LIMIT_", Limits)):
        for name, field in model.model_fields.items():
            if name != "limits":
                yield prefix + name.replace("_", "-"), variable + name.upper(), field.description or ""


def load(given: Mapping[str, Any] | Sequence[tuple[str, Any]] = ()) -> Settings:
    """Read the settings from the environment, with `given` (option names with underscores) on top.

    Raises SettingsError with one line that names each bad setting.
    """
    given = dict(given)
    limits = {name.removeprefix("limit_"): given.pop(name) for name in list(given) if name.startswith("limit_")}
    try:
        read = Limits(**limits)
    except ValidationError as error:
        raise SettingsError(_complaints(error, Limits, "limit_")) from None
    try:
        return Settings(limits=read, **given)
    except OSError as error:
        raise SettingsError(f"a file of secrets can't be read: {reason_of(error)}") from None
    except ValidationError as error:
        raise SettingsError(_complaints(error, Settings)) from None


def secrets_directory(environment: Mapping[str, str]) -> Path:
    """Return where settings may lie as files: systemd's credentials, else where containers mount secrets."""
    return Path(environment.get("CREDENTIALS_DIRECTORY") or SECRETS)


def variable_of(name: str) -> str:
    """Return the variable of a setting: of `limit_channels`, PATCHBAY_LIMIT_CHANNELS."""
    return f"PATCHBAY_{name.upper()}"


def _complaints(error: ValidationError, model: type[BaseSettings], prefix: str = "") -> str:
    return "; ".join(_complaint(found["loc"], found["msg"], found["input"], model, prefix) for found in error.errors())


def _complaint(loc: tuple[int | str, ...], message: str, value: object, model: type[BaseSettings], prefix: str) -> str:
    """Say what is wrong with a setting: one that `_check` refuses begins with its name."""
    if not loc:
        name, _, said = message.removeprefix("Value error, ").partition(": ")
        return f"{variable_of(name)}: {said}"
    name = str(loc[0])
    return (
        f"{variable_of(prefix + name)} is {str(value)[:SHOWN_CHARS]!r}; it may be: {allowed(model.model_fields[name])}"
    )


def unknown(environment: Mapping[str, str]) -> list[str]:
    """Return the variables that look like settings and are none, to report typing mistakes."""
    known = {variable for _, variable, _ in options()}
    return sorted(name for name in environment if name.startswith("PATCHBAY_") and name not in known)


def strays(environment: Mapping[str, str]) -> Iterator[str]:
    """Yield a sentence for each variable that looks like a setting and is none: with the one that may be meant."""
    known = [variable for _, variable, _ in options()]
    for name in unknown(environment):
        meant = difflib.get_close_matches(name, known, 1, 0.85)
        todo = f"is {meant[0]} meant?" if meant else "`patchbay settings` lists them"
        yield f"{name} is no setting, and does nothing: {todo}"
