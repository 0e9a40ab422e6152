"""The games' folders: found by the registry's keys, and whole."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from types import ModuleType

import pytest

from game import registry
from server.boards import games, keymap
from server.boards.board import board, has_board
from server.boards.lesson import parts
from server.boards.rulebook import page
from server.i18n.catalogues import CHOICES, files


@pytest.mark.parametrize("game", registry.KEYS)
def test_a_game_has_all_its_parts_in_its_folder(game: str) -> None:
    assert board(game).contexts()
    assert keymap.in_context(game), "its key table"
    assert parts(game), "its lessons"
    for language in CHOICES:
        assert games.file(game, "rules", f"{language}.md") is not None
        assert page(game, language)
        assert [path for path in files(language) if path.is_relative_to(games.FOLDER / game / "words")] != []


def test_every_folder_belongs_to_a_game_of_the_registry() -> None:
    folders = {path.parent.name for path in games.FOLDER.glob("*/__init__.py")}
    assert folders == set(registry.KEYS)


def test_what_is_no_game_has_no_parts() -> None:
    for word in ("", "nogame", "..", "rainet.board", "__init__"):
        assert games.part(word, "board") is None
        assert games.file(word, "rules", "en.md") is None
        assert not has_board(word)
        assert parts(word) == {}
    assert games.part("rainet", "nothing") is None
    assert games.file("rainet", "rules", "xx.md") is None


def test_a_board_that_can_t_be_imported_is_not_taken_for_a_missing_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The game vanished from every list, and nobody was told that a module of its folder has a mistake."""
    (tmp_path / "board.py").write_text("import no_such_module_anywhere\n")
    broken = ModuleType("server.boards.games.broken")
    broken.__path__ = [str(tmp_path)]
    monkeypatch.setitem(sys.modules, broken.__name__, broken)
    monkeypatch.setattr(games, "KEYS", (*registry.KEYS, "broken"))
    with pytest.raises(ModuleNotFoundError, match="no_such_module_anywhere"):
        has_board("broken")
    assert games.part("broken", "lessons") is None


def listed(path: Path) -> list[str]:
    """Return the keys of games that stand in a module as texts of their own."""
    constants = (node.value for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Constant))
    return [value for value in constants if isinstance(value, str) and value in registry.KEYS]


def test_no_module_of_the_server_lists_the_games() -> None:
    """A fifth game had to be added to the key table, to an order of games and to two tests."""
    modules = [path for path in (games.FOLDER.parents[1]).rglob("*.py") if not path.is_relative_to(games.FOLDER)]
    assert {path.name: found for path in modules if (found := listed(path))} == {}
    assert listed(games.FOLDER / "rainet" / "board.py") != [], "this would be found"
