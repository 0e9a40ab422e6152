"""Names: a class name stands for one thing in `game` and `server`, and tests use no private name of anybody."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

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
    "Selection": "each board's selection (`server/boards/board.py`)",
    "Sight": "what a seat's bot may know of a game's table",
    "State": "each game's state (`game/contract.py`)",
    "Still": "each board without its cursor, as it is drawn",
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


def shared(texts: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the class names that several modules have, with those modules."""
    return {name: modules for name, modules in classes(texts).items() if len(modules) > 1}


def texts(*packages: str) -> dict[str, str]:
    """Return the text of each module below these packages by its path."""
    paths = (path for package in packages for path in sorted((ROOT / package).rglob("*.py")))
    return {str(path.relative_to(ROOT)): path.read_text() for path in paths}


def test_a_class_name_stands_for_one_thing() -> None:
    """`Room` was a room, the descriptors that are left, and the area of a board."""
    found = shared(texts("game", "server"))
    twice = {name: modules for name, modules in found.items() if name not in SHARED}
    assert twice == {}, "one needs another name, or the name a row in SHARED that says what it stands for"
    assert SHARED.keys() == found.keys(), "what no two modules have any more"


def test_a_second_class_of_one_name_is_found() -> None:
    texts = {"a": "class Room: ...", "b": "class Seat: ...", "c": "if 1:\n    pass\nclass Room: ..."}
    assert shared(texts) == {"Room": ["a", "c"]}


# Names with an underscore that their packages document for others, and who documents them.
DOCUMENTED = {
    "_exit": "os",
    "_invalidate": "urwid: widgets call it when they have changed",
    "_mapping": "SQLAlchemy: a row as a mapping",
}


def is_private(name: str) -> bool:
    """Tell whether a name is its module's or class's own."""
    return name.startswith("_") and not name.startswith("__") and name != "_"


def own_names(tree: ast.AST) -> set[str]:
    """Return the private names that a module's own classes define."""
    found: set[str] = set()
    for node in (one for each in ast.walk(tree) if isinstance(each, ast.ClassDef) for one in ast.walk(each)):
        match node:
            case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.AnnAssign(target=ast.Name(name)):
                found.add(name)
            case ast.Attribute(ast.Name("self"), name, ast.Store()):
                found.add(name)
    return found


def foreign(text: str) -> Iterator[tuple[int, str]]:
    """Yield line and name of every private name that is not the module's own: attributes, imports, patched names."""
    tree = ast.parse(text)
    allowed = own_names(tree) | DOCUMENTED.keys()
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=name) if is_private(name) and name not in allowed:
                yield node.lineno, name
            case ast.ImportFrom(module, names):
                parts = [*(module or "").split("."), *(one.name for one in names)]
                yield from ((node.lineno, part) for part in parts if is_private(part))
            case ast.Call(ast.Attribute(attr="setattr" | "delattr"), [_, ast.Constant(str(name)), *_]):
                if is_private(name):
                    yield node.lineno, name


def test_tests_touch_no_private_name_of_others() -> None:
    """What a test needs is public; what only attackers need of asyncssh is in tests/contracts, which checks it."""
    found = {
        f"{path}:{line} {name}"
        for path, text in texts("tests").items()
        if not path.startswith("tests/contracts/")
        for line, name in foreign(text)
    }
    assert found == set()


@pytest.mark.parametrize(
    "text",
    ["bus._channel", "from a import _b", "import x\nfrom a._b import c", 'monkeypatch.setattr(keys, "_check", 1)'],
)
def test_a_private_name_of_another_is_found(text: str) -> None:
    assert len(list(foreign(text))) == 1


def test_a_private_name_of_ones_own_is_not_found() -> None:
    assert not list(foreign("class A:\n    def _b(self): self._c = 1\na._b, a._c, os._exit, __all__"))
