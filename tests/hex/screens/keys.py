"""The keys of Hex's board: context, command, keys (server/boards/keytable.py)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

KEYS: Final[Mapping[str, Mapping[str, str]]] = {
    "hex": {
        "move": "up|down|left|right|h|j|k|l",
        "place": "enter| ",
    },
}
