"""docs/adding-a-game.md: what it names is there."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

from game import registry
from game.contract import Game, Pending

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
PATHS = sorted(path for path in set(re.findall(r"`((?:game|tests|docs)/[a-z_/.]+)`", TEXT)) if "mygame" not in path)


@pytest.mark.parametrize("path", PATHS)
def test_files_and_folders_it_names_exist(path: str) -> None:
    assert (ROOT / path).exists()


@pytest.mark.parametrize("name", ["apply", "pending", "determinize", "timeout", "forfeit", "dump", "read_position"])
def test_methods_it_names_are_in_the_contract(name: str) -> None:
    assert f"`{name}`" in TEXT
    assert hasattr(Game, name)


def test_fields_it_names_are_in_the_contract() -> None:
    assert {"secret", "window"} <= set(Pending.__dataclass_fields__)


@pytest.mark.parametrize("key", registry.KEYS)
@pytest.mark.parametrize("module", ["state", "rules", "view", "notation", "bot"])
def test_every_game_has_the_modules_it_names(key: str, module: str) -> None:
    assert import_module(f"game.{key}.{module}").__doc__
