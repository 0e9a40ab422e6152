"""Durations as an admin writes them."""

from __future__ import annotations

import re
from datetime import timedelta

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}


def parse_duration(text: str) -> timedelta:
    """Read `90s`, `30m`, `12h`, `3d`, `2w`, or several of them. Raises ValueError.

    >>> parse_duration("1d12h")
    datetime.timedelta(days=1, seconds=43200)
    """
    parts = re.findall(r"(\d{1,6})([smhdw])", text)
    if not parts or "".join(number + unit for number, unit in parts) != text:
        raise ValueError(f"no duration: {text[:40]} (as 90s, 30m, 12h, 3d, 2w)")
    found = timedelta(seconds=sum(int(number) * UNITS[unit] for number, unit in parts))
    if not timedelta(0) < found <= timedelta(days=3650):
        raise ValueError("between a second and ten years")
    return found
