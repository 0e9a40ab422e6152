"""Hex as a fifth game: its two folders in a clone, one word in the registry, and what is asked of every game holds."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
WORDS = "KEYS: tuple[str, ...] = ("  # of the registry
COPIED = ("game", "server", "tests", "docs", "pyproject.toml")
PASSED = (  # some of them, to be sure that they were there
    "test_keys_and_mouse_lead_to_every_legal_action_and_to_no_other",
    "test_a_board_fits_every_size_and_look_and_is_drawn_from_the_view_alone",
    "test_every_offered_action_is_accepted_and_leaves_the_old_state_alone",
    "test_a_game_has_all_its_parts_in_its_folder",
)


def install(clone: Path) -> None:
    """Put Hex's rules and its screens where a game of the registry has them, and add its word."""
    shutil.copytree(HERE, clone / "game" / "hex", ignore=shutil.ignore_patterns("screens", "test_*", "__pycache__"))
    screens = clone / "server" / "boards" / "games" / "hex"
    shutil.copytree(HERE / "screens", screens, ignore=shutil.ignore_patterns("__pycache__"))
    for path in [*(clone / "game" / "hex").glob("*.py"), *screens.glob("*.py")]:
        path.write_text(path.read_text().replace("tests.hex", "game.hex"))
    registry = clone / "game" / "registry.py"
    text = registry.read_text()
    assert WORDS in text
    registry.write_text(text.replace(WORDS, f'{WORDS}"hex", ', 1))


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made: Path = tmp_path_factory.mktemp("clone")
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, made / name)  # with what is compiled already
        else:
            shutil.copy(source, made / name)
    install(made)
    return made


def run(clone: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """Run Python in the clone, with nothing of this process's own tests around."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    env |= {"PATCHBAY_TEST_GAMES": "hex", "PYTHONPATH": str(clone)}
    return subprocess.run([sys.executable, *args], cwd=clone, env=env, capture_output=True, text=True, timeout=550)


def test_all_that_is_asked_of_every_game_holds_in_a_clone_with_hex(clone: Path) -> None:
    docs = run(clone, "-m", "server.boards.keydocs").stdout
    assert "## Hex board" in docs
    (clone / "docs" / "keys.md").write_text(docs)
    done = run(clone, "-m", "tests.conformance", "hex", "-v", "-p", "no:cacheprovider", "-n", "0")
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    for test in PASSED:
        assert re.search(rf"::{test}\[.*hex.*\] PASSED", done.stdout), test


def test_a_clone_without_the_key_table_of_hex_fails(clone: Path, tmp_path: Path) -> None:
    """1,053 of 1,059 tests stayed green."""
    table = clone / "server" / "boards" / "games" / "hex" / "keys.py"
    kept = table.read_text()
    table.unlink()
    try:
        done = run(clone, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", "tests/boards/test_games.py")
    finally:
        table.write_text(kept)
    assert done.returncode == 1, done.stdout[-2000:]
    assert "test_a_game_has_all_its_parts_in_its_folder[hex]" in done.stdout
