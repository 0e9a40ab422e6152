"""A match from the same seed goes as it always went; `python -m tests.golden` says how it goes now."""

from __future__ import annotations

import pytest

from tests.golden.playthrough import FOLDER, NAMED, Playthrough, lines, playthroughs


@pytest.mark.parametrize("playthrough", playthroughs(), ids=lambda one: one.name)
def test_a_match_goes_as_it_was_written_down(playthrough: Playthrough) -> None:
    assert list(lines(playthrough)) == playthrough.path.read_text(encoding="utf-8").splitlines()


def test_no_golden_file_is_left_over() -> None:
    known = {one.name for one in (*NAMED, *playthroughs())}
    assert {path.stem for path in FOLDER.glob("*.txt")} <= known
