"""The games on screen: a folder each, found by the game's key, with all that screens know of it.

| in the folder | holds |
|---|---|
| `board.py` | `BOARD`: what draws a match and reads its keys (`server/boards/board.py`) |
| `keys.py` | `KEYS`: the contexts of its key table (`server/boards/keymap.py`) |
| `lessons.py` | `LESSONS`, or `PARTS` where each side learns something else (`server/boards/lesson.py`); or none |
| `decks.py` | `BOOK`, where seats bring decks (`server/boards/decks.py`) |
| `library.py` | `LIBRARY`, where its cards can be looked up (`server/boards/library.py`) |
| `welcome.py` | `PICTURE`, a position for the first screen's picture (`server/screens/welcomepicture.py`); or none |
| `emblem.py` | `emblem(look)`, what the game looks like in four short lines (`server/screens/gametable.py`); or none |
| `words/LANGUAGE/*.po` | its catalogues (`server/i18n/catalogues.py`) |
| `rules/LANGUAGE.md` | its rules, in our own words (`server/boards/rulebook.py`) |

The key of a game in `game/registry.py` is the only list: what is asked here about another word is not there.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Final

from game.registry import KEYS

FOLDER: Final = Path(__file__).parent


def part(game: str, name: str) -> ModuleType | None:
    """Return a module of a game's folder; None: there is no such game, or its folder has no such module."""
    if game not in KEYS:
        return None
    wanted = f"{__name__}.{game}.{name}"
    try:
        return import_module(wanted)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{wanted}.".startswith(f"{error.name}."):
            return None
        raise


def file(game: str, *path: str) -> Path | None:
    """Return a file of a game's folder; None: there is no such game, or no such file."""
    found = FOLDER.joinpath(game, *path)
    return found if game in KEYS and found.is_file() else None
