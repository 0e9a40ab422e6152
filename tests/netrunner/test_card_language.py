"""The words of the card language: those that mypy checks are those that the cards and the engine have."""

from __future__ import annotations

from typing import get_args

from game.netrunner.conditions import Fact
from game.netrunner.facts import FACTS, Kind
from game.netrunner.possible import FACT


def test_every_kind_that_an_entry_may_name_is_printed_on_some_card() -> None:
    printed = {name for facts in FACTS.values() for name in (facts.type, *facts.subtypes)}
    assert [kind for kind in get_args(Kind) if kind not in printed] == []


def test_every_fact_that_a_condition_may_ask_about_is_one_that_a_turn_records() -> None:
    assert [fact for fact in get_args(Fact) if FACT.fullmatch(fact) is None] == []
