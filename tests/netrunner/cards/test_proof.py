"""Every card has its two tests, and they are about it."""

from __future__ import annotations

import pytest

from game.netrunner.facts import FACTS
from tests import card_coverage
from tests.netrunner.cards import DOES, MUST_NOT
from tests.netrunner.cards.proof import blind, load, marks, unnoticed

load()
CODES = card_coverage.owed()


@pytest.mark.parametrize("kind", [DOES, MUST_NOT])
@pytest.mark.parametrize("code", CODES, ids=lambda code: FACTS[code].title)
def test_a_card_is_shown_by_tests_that_notice_another_card(code: str, kind: str) -> None:
    assert marks(code, kind), f"nothing shows what it {kind}"
    assert blind(code, kind) == []


@pytest.mark.parametrize("code", CODES, ids=lambda code: FACTS[code].title)
def test_nothing_in_an_entry_could_change_without_a_test_failing(code: str) -> None:
    assert unnoticed(code) == []


def test_half_of_the_entries_take_six_lines_at_most_and_the_docs_name_the_longer_ones() -> None:
    lines = card_coverage.entry_lines()
    assert sorted(lines.values())[len(lines) // 2] <= card_coverage.MEDIAN
    longer = {title for title, n in lines.items() if n > card_coverage.MEDIAN}
    said = (card_coverage.ROOT / "docs/adding-a-card.md").read_text(encoding="utf-8")
    named = {title for title in lines if f"`{title}`" in said.partition("longer than six lines")[2]}
    assert named == longer
