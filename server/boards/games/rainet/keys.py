"""The keys of RaiNet's board: context, command, keys (server/boards/keytable.py)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

KEYS: Final[Mapping[str, Mapping[str, str]]] = {
    "rainet": {
        "move": "up|down|left|right|h|j|k|l",
        "go": "enter| ",
        "able": ".",
        "drop": "esc|backspace",
        "boost": "b",
        "check": "c",
        "wall": "f",
        "404": "4",
    },
    "rainet.setup": {
        "move": "up|down|left|right|h|j|k|l",
        "pick": "enter| ",
        "drop": "esc|backspace",
        "shuffle": "s",
        "again": "a",
        "ready": "g",
    },
    "rainet.enter": {
        "reveal": "1|v",
        "link": "2|l",
        "virus": "3|u",
        "drop": "esc|backspace",
    },
    "rainet.404": {
        "keep": "1|k",
        "swap": "2|s",
        "drop": "esc|backspace",
    },
}
