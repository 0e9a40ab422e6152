"""The rules in our own words: both languages say the same paragraphs, and fit an 80-column screen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from wcwidth import wcswidth

DOCS = Path(__file__).parents[2] / "server" / "tui" / "games" / "rainet" / "rules"
TEXTS = {language: (DOCS / name).read_text() for language, name in (("en", "en.md"), ("zh", "zh_CN.md"))}


def paragraphs(text: str) -> list[str]:
    return re.findall(r"^(?:## )?([0-9]+\.[0-9]*) ", text, re.MULTILINE)


@pytest.mark.parametrize("language", TEXTS)
def test_no_line_is_wider_than_76_columns(language: str) -> None:
    assert max(wcswidth(line) for line in TEXTS[language].splitlines()) <= 76


def test_both_languages_have_the_same_paragraphs() -> None:
    assert paragraphs(TEXTS["en"]) == paragraphs(TEXTS["zh"])
    assert len(paragraphs(TEXTS["en"])) > 50


def test_the_actions_shown_are_the_same() -> None:
    actions = {
        language: re.findall(r"[@+?#~][a-h][1-8]\S*|d8>\S*|setup [LV]+", text) for language, text in TEXTS.items()
    }
    assert set(actions["en"]) >= {"@a1b1=", "@a1b1x", "?c7", "#c3", "~c3", "d8>+", "setup LLVVLVLV"}
    assert [a.strip("。.") for a in actions["en"]] == [a.strip("。.") for a in actions["zh"]]


@pytest.mark.parametrize("language", TEXTS)
def test_every_rule_of_the_game_is_told(language: str) -> None:
    """RaiNet §1.1 to §1.10."""
    assert [int(n) for n in re.findall(r"§1\.([0-9]+)", TEXTS[language])] == list(range(1, 11))
