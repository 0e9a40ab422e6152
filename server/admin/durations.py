"""Durations on the command line."""

from __future__ import annotations

import re
from datetime import timedelta

from game.errors import BadNotation

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}


def parse_duration(text: str) -> timedelta:
    """Read `90s`, `30m`, `12h`, `3d`, `2w`, or several of them. Raises BadNotation.

    >>> parse_duration("1d12h")
    datetime.timedelta(days=1, seconds=43200)
    """
    parts = re.findall(r"(\d{1,6})([smhdw])", text)
    if not parts or "".join(number + unit for number, unit in parts) != text:
        raise BadNotation("usage.duration", text[:40])
    found = timedelta(seconds=sum(int(number) * UNITS[unit] for number, unit in parts))
    if not timedelta(0) < found <= timedelta(days=3650):
        raise BadNotation("usage.duration", text[:40])
    return found
