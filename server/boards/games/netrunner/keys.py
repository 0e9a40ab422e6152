"""The keys of Netrunner's board: context, command, keys (server/boards/keytable.py)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

KEYS: Final[Mapping[str, Mapping[str, str]]] = {
    "netrunner": {
        "digit": "1|2|3|4|5|6|7|8|9|0",
        "pass": " ",
        "move": "up|down|left|right|h|j|k|l",
        "choose": "enter",
        "look": "v",
        "log": "g",
        "auto": "a",
        "quiet": "z",
        "more": "m",
        "by-hand": "p",
    },
    "netrunner.list": {
        "digit": "1|2|3|4|5|6|7|8|9|0",
        "move": "up|down|left|right|h|j|k|l",
        "choose": "enter",
        "drop": "esc|backspace",
        "look": "v",
        "log": "g",
    },
    "netrunner.number": {
        "digit": "0|1|2|3|4|5|6|7|8|9",
        "amount": "up|down|left|right|h|j|k|l",
        "send": "enter",
        "look": "v",
        "log": "g",
    },
    "netrunner.several": {
        "digit": "1|2|3|4|5|6|7|8|9|0",
        "move": "up|down|left|right|h|j|k|l",
        "tick": " ",
        "send": "enter",
        "look": "v",
        "log": "g",
    },
    "netrunner.trash": {
        "digit": "1|2|3|4|5|6|7|8|9|0",
        "move": "up|down|left|right|h|j|k|l",
        "tick": " ",
        "send": "enter",
        "drop": "esc|backspace",
        "look": "v",
        "log": "g",
    },
    "netrunner.look": {
        "move": "up|down|k|j",
        "page": "page up|page down",
        "drop": "esc|v|backspace",
    },
    "netrunner.log": {
        "move": "up|down|k|j",
        "page": "page up|page down",
        "drop": "esc|g|backspace",
    },
    "netrunner.auto": {
        "move": "up|down|k|j",
        "change": "enter|left|right| ",
        "drop": "esc|a|backspace",
    },
}
