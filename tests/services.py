"""Where the tests find PostgreSQL and Redis, and what happens where they are missing."""

from __future__ import annotations

import os
import sys
import uuid

import asyncpg
import pytest
from sqlalchemy import make_url

POSTGRES_URL = os.environ.get("PATCHBAY_TEST_POSTGRES_URL", "postgresql+asyncpg://postgres@127.0.0.1:5432/postgres")
REDIS_URL = os.environ.get("PATCHBAY_TEST_REDIS_URL", "redis://127.0.0.1:6379/0")
_said: set[str] = set()


def missing(service: str, why: object) -> None:
    """Skip this test with one loud line, or fail it where the services are required."""
    line = f"{service} does not answer ({why}): its tests are NOT run"
    if os.environ.get("PATCHBAY_REQUIRE_SERVICES") == "1":
        pytest.fail(line)
    if service not in _said:
        _said.add(service)
        print(f"\n*** {line} ***", file=sys.__stderr__)
    pytest.skip(line)


async def make_postgres(template: str = "template0") -> str:
    """Make a database of its own and return its SQLAlchemy URL; skips the test where there is no PostgreSQL."""
    url = make_url(POSTGRES_URL)
    name = f"patchbay_test_{uuid.uuid4().hex[:12]}"
    try:
        admin = await asyncpg.connect(_plain(POSTGRES_URL), timeout=10)
    except (OSError, TimeoutError, asyncpg.PostgresError) as error:
        missing("PostgreSQL", error)
        raise
    try:
        await admin.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    finally:
        await admin.close()
    return url.set(drivername="postgresql+asyncpg", database=name).render_as_string(hide_password=False)


async def drop_postgres(url: str) -> None:
    """Drop a database that `make_postgres` made, whoever is still connected."""
    admin = await asyncpg.connect(_plain(POSTGRES_URL), timeout=10)
    try:
        await admin.execute(f"DROP DATABASE IF EXISTS {make_url(url).database} WITH (FORCE)")
    finally:
        await admin.close()


def _plain(url: str) -> str:
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
