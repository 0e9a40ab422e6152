"""A server of several processes on one port, with one PostgreSQL and one Redis."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import redis

from tests.services import REDIS_URL, missing
from tests.ssh.server import Server


@contextmanager
def several_workers(
    folder: Path, url: str, env: Mapping[str, str], count: int = 2, *, whole: bool = True
) -> Iterator[Server]:
    """Start a server over this database; stop it if nobody has. Skips the test where there is no Redis.

    `whole`: as `Server`.
    """
    try:
        redis.Redis.from_url(REDIS_URL).ping()
    except redis.RedisError as error:
        missing("Redis", error)
    base = {"PATCHBAY_DATABASE_URL": url, "PATCHBAY_BUS_URL": REDIS_URL, "PATCHBAY_WORKERS": str(count)}
    server = Server(folder / "var", {**base, **env}, whole=whole)
    server.start()
    assert server.process is not None
    yield server
    if server.process.poll() is None:
        assert server.stop() == 0, server.errors()
