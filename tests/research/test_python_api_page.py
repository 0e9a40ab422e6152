"""docs/python-api.md: every example runs and prints what stands under it; what the page names is there."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from game.contract import Game

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "python-api.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```pycon\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)


def test_the_page_tells_the_truth() -> None:
    """One session from top to bottom: later examples use the names of earlier ones."""
    pytest.importorskip("pettingzoo")
    assert len(BLOCKS) == TEXT.count("```") / 2 >= 8
    names: dict[str, Any] = {}
    for number, block in enumerate(BLOCKS):
        test = doctest.DocTestParser().get_doctest(block, names, f"example {number}", None, 0)
        said: list[str] = []
        runner = doctest.DocTestRunner(verbose=False)
        assert test.examples
        runner.run(test, out=said.append, clear_globs=False)
        names = test.globs
        assert not said, "".join(said)


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`game\.(\w+)[(`]", TEXT))))
def test_methods_of_a_game_that_it_names_are_in_the_contract_and_explained(name: str) -> None:
    if name not in ("choices", "menus"):
        assert getattr(Game, name).__doc__


def test_every_method_of_the_contract_says_what_it_does() -> None:
    methods = [name for name in vars(Game) if not name.startswith("_") and callable(getattr(Game, name))]
    assert len(methods) > 20
    assert [name for name in methods if not getattr(Game, name).__doc__] == []


def test_the_example_learns_to_beat_random_play() -> None:
    pytest.importorskip("pettingzoo")
    script = str(ROOT / "docs" / "examples" / "train.py")
    done = subprocess.run([sys.executable, script, "3"], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) >= 0.4
