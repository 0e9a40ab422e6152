"""The words of the card language: those that mypy checks are those that the cards and the engine have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any, get_args

import pytest

from game.netrunner.cards import ENTRIES
from game.netrunner.conditions import Fact
from game.netrunner.facts import FACTS, Kind
from game.netrunner.filters import Filter, InZone, OnTable, read
from game.netrunner.possible import FACT


def test_every_kind_that_an_entry_may_name_is_printed_on_some_card() -> None:
    printed = {name for facts in FACTS.values() for name in (facts.type, *facts.subtypes)}
    assert [kind for kind in get_args(Kind) if kind not in printed] == []


def test_every_fact_that_a_condition_may_ask_about_is_one_that_a_turn_records() -> None:
    assert [fact for fact in get_args(Fact) if FACT.fullmatch(fact) is None] == []


def filters(part: Any) -> Iterator[Filter]:
    """Yield every filter inside an entry."""
    if isinstance(part, OnTable | InZone):
        yield part
    inside = [getattr(part, field.name) for field in fields(part)] if is_dataclass(part) else part
    for one in inside if isinstance(inside, list | tuple) else ():
        yield from filters(one)


def test_a_filter_is_found_again_from_what_a_question_keeps_of_it() -> None:
    found = {one for entry in ENTRIES.values() for one in filters(entry)} | {InZone("rd", ("ice", "code gate"), 3)}
    assert len(found) > 20
    assert [one for one in found if read(one.text) != one] == []


@pytest.mark.parametrize("text", ["rigg program", "rig programm", "rig installable", "hq rezzed", "ice:3", "rd:x"])
def test_a_filter_that_there_is_not_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        read(text)
