"""The table of limits in docs/operations.md is the one that is in force."""

from __future__ import annotations

from pathlib import Path

from server.admin.limits import limits, table
from server.config import Limits

PAGE = Path(__file__).parents[2] / "docs" / "operations.md"


def test_the_operations_page_has_the_limits_that_there_are() -> None:
    """Written anew by `python -m server.admin.limits`."""
    _, _, rest = PAGE.read_text(encoding="utf-8").partition("<!-- limits: made by python -m server.admin.limits -->\n")
    assert rest.partition("<!-- end of limits -->")[0] == table(Limits.model_construct())


def test_each_limit_by_source_is_in_the_table() -> None:
    counts = ("_per_source", "_per_day", "_per_hour", "_per_min")
    by_source = {name for name in Limits.model_fields if name.endswith(counts)}
    assert by_source == {row.setting for row in limits(Limits.model_construct()) if row.setting}
