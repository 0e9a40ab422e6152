"""Upsert: insert rows or replace those with the same key, in one statement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any

from sqlalchemy import Connection, Table


def put(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Store rows, each in place of the one with its primary key. All rows name the same columns, at least one.

    Give several rows in the order of their keys, or two transactions may deadlock.
    """
    if rows:
        connection.execute(_replacing(connection.dialect.name, table, tuple(rows[0])), [dict(row) for row in rows])


def put_if_missing(connection: Connection, table: Table, row: Mapping[str, Any]) -> bool:
    """Store a row unless there is one with its primary key; return whether it was stored."""
    return connection.execute(_insert(connection.dialect.name, table).on_conflict_do_nothing(), dict(row)).rowcount > 0


@cache
def _replacing(dialect: str, table: Table, columns: tuple[str, ...]) -> Any:
    keys, new = [column.name for column in table.primary_key], _insert(dialect, table)
    changed = {name: new.excluded[name] for name in columns if name not in keys}
    return new.on_conflict_do_update(index_elements=keys, set_=changed)


def _insert(dialect: str, table: Table) -> Any:
    return import_module(f"sqlalchemy.dialects.{dialect}").insert(table)  # that of the other database takes 2 MB
