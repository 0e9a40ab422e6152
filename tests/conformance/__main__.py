"""All that is asked of every game, for one: `python -m tests.conformance mygame`; further arguments are pytest's."""

from __future__ import annotations

import os
import sys
from typing import Final

import pytest

ASKED: Final = (
    "tests/conformance",
    *("tests/boards/test_games.py", "tests/boards/test_catalogues.py", "tests/boards/test_keymap.py"),
    *("tests/game/test_adding_a_game_page.py", "tests/game/test_contract.py", "tests/ratings/test_ratings.py"),
    *("tests/research/test_features.py", "tests/research/test_python_api_page.py::test_the_page_tells_the_truth"),
    *("tests/server/test_refusals.py", "tests/screens/test_room_form.py", "tests/screens/test_rulebook.py"),
    *("tests/screens/test_walks.py", "tests/test_names.py"),
    "tests/test_docs.py::test_every_section_and_reading_that_code_cites_is_named_on_the_game_s_page",
)
# About the tiny game, about RaiNet, long.
LEFT_OUT: Final = ("test_bites.py", "test_boards_bite.py", "test_spoken_bites.py", "test_volume.py")


def main(game: str, *arguments: str) -> int:
    """Run the tests; return pytest's exit code."""
    os.environ["PATCHBAY_TEST_GAMES"] = game
    ignored = [f"--ignore=tests/conformance/{name}" for name in LEFT_OUT]
    return pytest.main(["-m", "not soak", *ASKED, *ignored, *arguments])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
