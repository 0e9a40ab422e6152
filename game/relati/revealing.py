"""By which events somebody learns something: by none, all is open."""

from __future__ import annotations

from collections.abc import Mapping

REVEALING: Mapping[str, str] = {}
HARMLESS = frozenset(
    (
        "bomb",
        "captured",
        "connect",
        "contact",
        "cut",
        "defend",
        "escape",
        "freed",
        "locate",
        "out-late",
        "out-left",
        "out-stuck",
        "shot",
        "source-lost",
        "won",
    )
)
