"""The pages of rules and of notation: what they say of cards, options and actions is so."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from wcwidth import wcswidth

from game.passage.actions import parse
from game.passage.cards import FUNCTIONS, REAL, Card
from game.passage.rules import GAME
from server.i18n.catalogues import catalogue

DOCS = Path(__file__).parents[2] / "server" / "boards" / "games" / "passage" / "rules"
PAGES = {name: (DOCS / name).read_text(encoding="utf-8") for name in ("en.md", "zh_CN.md")}
NOTATION = (Path(__file__).parents[2] / "docs" / "passage-notation.md").read_text(encoding="utf-8")
COUNTS = {**FUNCTIONS, Card.WARDEN: 6, Card.PASSAGE: 4, Card.BEG: 1, Card.NIGHTMARE: 1, Card.BLANK: 1}


def section(page: str, number: int) -> str:
    """Return a numbered part of a page, from its heading on; the first one, how to play, has no number."""
    return PAGES[page].split("\n## ")[number + 1]


@pytest.mark.parametrize("page", PAGES)
def test_lines_fit_a_terminal(page: str) -> None:
    prose = [line for line in PAGES[page].splitlines() if not line.startswith("|")]  # tables are set when drawn
    assert [line for line in prose if wcswidth(line) > 80] == []


@pytest.mark.parametrize("page", PAGES)
def test_the_table_counts_the_cards(page: str) -> None:
    counted = [int(n) for n in re.findall(r"^\| \S.*?\| (\d+) +\|", section(page, 1), re.MULTILINE)]
    assert sorted(counted) == sorted(COUNTS.values())
    assert sum(counted) == 58


@pytest.mark.parametrize("page", PAGES)
def test_the_setup_table_is_right(page: str) -> None:
    rows = re.findall(r"^\| (\d) +\| (\d) +\| (\d) +\| (\d+) +\|", section(page, 2), re.MULTILINE)
    assert len(rows) == 4
    for players, passages, wardens, size in (map(int, row) for row in rows):
        pile = GAME.setup({}, players, bytes(32)).state.pile
        assert (pile.count(Card.PASSAGE), pile.count(Card.WARDEN), len(pile)) == (passages, wardens, size)


@pytest.mark.parametrize("page", PAGES)
def test_every_option_is_named_as_in_the_form(page: str) -> None:
    words = catalogue(page.removesuffix(".md"))
    names = {option.name: words.t(f"passage.option.{option.name}") for option in GAME.options() if option.is_offered}
    assert {key: name for key, name in names.items() if f"**{name}**" not in PAGES[page]} == {}


def test_every_option_and_card_has_its_key_in_the_notation() -> None:
    assert [option.name for option in GAME.options() if f"`{option.name}`" not in NOTATION] == []
    assert {card.value for card in REAL} <= set(re.findall(r"[a-z0-9]+", NOTATION))


def test_actions_and_positions_can_be_read() -> None:
    told = re.findall(r"^\| (`.*?`)[^|]* \|", NOTATION, re.MULTILINE)
    texts = [text.replace(" …", "") for cell in told for text in re.findall(r"`([^`]+)`", cell)]
    assert len(texts) >= 13
    for text in texts:
        assert parse(text)
    example = re.search(r"```\n(.*?)```", NOTATION, re.DOTALL)
    assert example is not None
    assert GAME.read_position(json.loads(example[1]), {}).hands[0] == (Card.GREED, Card.JUDGE)
