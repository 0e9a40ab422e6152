"""The rules in our own words, and the page of notation: both languages say the same paragraphs; actions can be read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from wcwidth import wcswidth

from game.rainet.notation import read_action

DOCS = Path(__file__).parents[2] / "server" / "boards" / "games" / "rainet" / "rules"
NOTATION = (Path(__file__).parents[2] / "docs" / "rainet-notation.md").read_text()
TEXTS = {language: (DOCS / name).read_text() for language, name in (("en", "en.md"), ("zh", "zh_CN.md"))}


def paragraphs(text: str) -> list[str]:
    return re.findall(r"^(?:## )?([0-9]+\.[0-9]*) ", text, re.MULTILINE)


@pytest.mark.parametrize("language", TEXTS)
def test_no_line_is_wider_than_80_columns(language: str) -> None:
    prose = (line for line in TEXTS[language].splitlines() if not line.startswith("|"))  # tables are set when drawn
    assert max(map(wcswidth, prose)) <= 80


def test_both_languages_have_the_same_paragraphs() -> None:
    assert paragraphs(TEXTS["en"]) == paragraphs(TEXTS["zh"])
    assert len(paragraphs(TEXTS["en"])) > 50


def test_the_actions_shown_can_be_read() -> None:
    shown = re.findall(r"@[a-h1-8]{4}[=x]|[+?#~-][a-h][1-8]|d8>[+lv]?|setup [LV]+", NOTATION)
    shown += re.findall(r"(?<!@)\b[a-h][1-8][a-h][1-8]\S*", NOTATION)
    assert set(shown) >= {"@a1b1=", "@a1b1x", "?c7", "#c3", "~c3", "+c2", "-c2", "d8>", "d8>+", "d8>l", "d8>v"}
    assert set(shown) >= {"setup LLVVLVLV", "c2c3", "c2c3c4"}
    for action in shown:
        assert read_action(action)


def test_every_rule_of_the_game_is_told() -> None:
    """RaiNet §1.1 to §1.10."""
    assert [int(n) for n in re.findall(r"§1\.([0-9]+)", NOTATION)] == list(range(1, 11))
