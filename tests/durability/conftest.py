"""What the durability tests share with those of matches."""

from __future__ import annotations

from tests.matches.conftest import clock, table, tiny_is_registered, url

__all__ = ["clock", "table", "tiny_is_registered", "url"]
