"""What an export of a person's data may hold, by every column that is stored."""

from __future__ import annotations

from server.store.column_owners import WHOSE, Whose, exported_columns
from server.store.tables import metadata


def test_every_stored_column_says_whose_it_is() -> None:
    """What nobody had thought of was exported: a report's lines, with a guest's address and key among them."""
    stored = {table.name: {column.name for column in table.c} for table in metadata.sorted_tables}
    assert {name: set(columns) for name, columns in WHOSE.items()} == stored


def test_what_is_not_the_person_s_own_is_told_of_no_table() -> None:
    told_of = {table.name: {str(column.key) for column in exported_columns(table)} for table in metadata.sorted_tables}
    for name, columns in WHOSE.items():
        forbidden = {column for column, whose in columns.items() if whose in (Whose.OTHERS, Whose.KEPT)}
        assert not told_of[name] & forbidden
    assert told_of["reports"] == {"id", "at", "by_account_id", "about_name", "match_id", "why"}
