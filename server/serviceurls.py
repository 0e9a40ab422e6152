"""The URLs of the database and the bus: what is wrong with one. They hold passwords: no complaint quotes one."""

from __future__ import annotations

from urllib.parse import SplitResult, parse_qs, urlsplit

ESCAPED = "in a password write % as %25, @ as %40, : as %3A, / as %2F, # as %23, ? as %3F"
# What asyncpg takes as text, or SQLAlchemy before it, after the ? of the database's URL.
DATABASE_QUERY = frozenset(
    (
        *("database", "direct_tls", "gsslib", "host", "krbsrvname", "passfile", "password", "port"),
        *("prepared_statement_cache_size", "service", "servicefile", "ssl", "target_session_attrs", "user"),
    )
)


def check_database(url: str) -> None:
    """Raise ValueError for what can't be the URL of a database."""
    if url.startswith(("sqlite:///", "sqlite+aiosqlite:///")):
        if url.partition(":///")[2].partition("?")[0] in ("", ":memory:"):
            raise ValueError("names no file, so nothing would be kept; sqlite:////srv/patchbay.db is an absolute path")
        return
    if not url.startswith("postgresql+asyncpg://"):
        raise ValueError("begins with postgresql+asyncpg:// or sqlite:///")
    parsed = _split(url)
    if parsed.netloc.count("@") > 1:
        raise ValueError(f"its host and port can't be read: {ESCAPED}")
    if strange := sorted(parse_qs(parsed.query, keep_blank_values=True).keys() - DATABASE_QUERY):
        more = " (TLS is asked for by ssl=require, ssl=verify-full)" if "sslmode" in strange else ""
        raise ValueError(f"{', '.join(strange)} is nothing that it can be given{more}")


def check_bus(url: str) -> None:
    """Raise ValueError for what can't be the URL of a bus."""
    if url == "local":
        return
    if not url.startswith(("postgresql://", "redis://", "rediss://")):
        raise ValueError("local, postgresql://… or redis://…")
    parsed = _split(url)
    number = parsed.path.strip("/")
    if parsed.scheme.startswith("redis") and number and not (number.isascii() and number.isdigit()):
        raise ValueError("what stands after the port is the number of a Redis database, as redis://HOST:6379/0")


def _split(url: str) -> SplitResult:
    """Return the parts of a URL. Raises ValueError where its host and port are not where they belong."""
    try:
        parsed = urlsplit(url)
        _ = parsed.port
    except ValueError:
        raise ValueError(f"its host and port can't be read: {ESCAPED}") from None
    if "@" in parsed.path + parsed.query + parsed.fragment:
        raise ValueError(f"its host and port can't be read: {ESCAPED}")
    return parsed
