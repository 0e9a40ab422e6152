"""The keys of Relati's board: context, command, keys (server/boards/keytable.py)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

KEYS: Final[Mapping[str, Mapping[str, str]]] = {
    "relati": {
        "move": "up|down|left|right|h|j|k|l",
        "go": "enter| ",
        "able": ".",
        "attack": "a",
        "escape": "e",
        "defend": "d",
        "bomb": "b",
        "home": "s",
        "drop": "esc|backspace",
    },
    "relati.line": {
        "go": "enter| ",
        "drop": "esc|backspace",
        "way": "up|down|left|right|h|j|k|l",
        "nth": "1|2|3|4|5|6|7|8|9",
    },
    "relati.sure": {
        "go": "enter| ",
        "drop": "esc|backspace",
        "move": "up|down|left|right|h|j|k|l",
    },
}
