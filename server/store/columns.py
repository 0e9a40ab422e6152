"""Column types that mean the same on SQLite and PostgreSQL."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy import BigInteger, Dialect, Integer, Text
from sqlalchemy.types import TypeDecorator

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
RowId = BigInteger().with_variant(Integer, "sqlite")  # SQLite autoincrements only an INTEGER PRIMARY KEY


def to_micros(moment: datetime) -> int:
    """Return the microseconds since 1970: exact, unlike `timestamp()`."""
    return (moment - EPOCH) // MICROSECOND


def from_micros(micros: int) -> datetime:
    return EPOCH + micros * MICROSECOND


def to_json(value: Any) -> str:
    """Write canonical JSON: the same value always gives the same text."""
    return msgspec.json.encode(value, order="deterministic").decode()


def from_json(text: str) -> Any:
    return msgspec.json.decode(text)


class Moment(TypeDecorator[datetime]):
    """An aware datetime stored as whole microseconds since 1970: exact, and the same in both databases."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        return None if value is None else to_micros(value)

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:
        return None if value is None else from_micros(value)


class JsonText(TypeDecorator[Any]):
    """JSON stored as canonical text: readable in a dump, and equal values are equal bytes. None is NULL."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else to_json(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        return None if value is None else from_json(value)
