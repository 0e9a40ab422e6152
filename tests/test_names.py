"""Names: a class name stands for one thing in `game` and `server`."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]

# Names that several modules may have, and why.
SHARED = {
    "Board": "a Relati board's cells, as the rules say; what draws one game (docs/glossary.md)",
    "Card": "each game's card",
    "ChoiceRow": "a line of a game's list of choices",
    "Frame": "a half-resolved effect, as rules engines say; a page drawn at one size (docs/glossary.md)",
    "LegalActions": "a board game's legal actions, sorted by where they are",
    "Master": "each game's bot of the level `master`",
    "Return": "each game's own return: of a Passage to its place, of a card to R&D",
    "Search": "each game's search",
    "Selection": "each board's selection (`server/tui/board.py`)",
    "Sight": "what a seat's bot may know of a game's table",
    "State": "each game's state (`game/contract.py`)",
    "Table": "a game's state being changed",
    "View": "each game's view (`game/contract.py`)",
}


def classes(texts: Mapping[str, str]) -> dict[str, list[str]]:
    """Return by class name the modules that define it at their top level."""
    found: dict[str, list[str]] = defaultdict(list)
    for module, text in texts.items():
        for node in ast.parse(text).body:
            if isinstance(node, ast.ClassDef):
                found[node.name].append(module)
    return found


def shared(texts: Mapping[str, str]) -> set[str]:
    """Return the class names that several modules have."""
    return {name for name, modules in classes(texts).items() if len(modules) > 1}


def texts(*packages: str) -> dict[str, str]:
    """Return the text of each module below these packages by its path."""
    paths = (path for package in packages for path in sorted((ROOT / package).rglob("*.py")))
    return {str(path.relative_to(ROOT)): path.read_text() for path in paths}


def test_a_class_name_stands_for_one_thing() -> None:
    """`Room` was a room, the descriptors that are left, and the area of a board."""
    assert shared(texts("game", "server")) == SHARED.keys()


def test_a_second_class_of_one_name_is_found() -> None:
    assert shared({"a": "class Room: ...", "b": "class Seat: ...", "c": "if 1:\n    pass\nclass Room: ..."}) == {"Room"}
