"""The keys of Passage's board: context, command, keys (server/boards/keytable.py)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

KEYS: Final[Mapping[str, Mapping[str, str]]] = {
    "passage": {
        "move": "up|down|left|right|k|j|h|l",
        "go": "enter| ",
        "end": "e",
        "auto": "a",
    },
    "passage.window": {
        "judge": "v",
        "pass": "s",
        "move": "up|down|left|right|k|j|h|l",
        "go": "enter| ",
        "auto": "a",
    },
    "passage.target": {
        "move": "up|down|left|right|k|j|h|l",
        "go": "enter| ",
        "drop": "esc|backspace",
    },
    "passage.number": {
        "move": "up|down|k|j",
        "go": "enter",
        "digit": "0|1|2|3|4|5|6|7|8|9",
        "ends": "home|end",
        "drop": "esc|backspace",
    },
    "passage.several": {
        "move": "up|down|left|right|k|j|h|l",
        "tick": " ",
        "send": "enter",
    },
}
