"""Choices: reading, checking, listing and drawing what a game offers."""

from __future__ import annotations

from collections import Counter
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.choices import choice_json, contains, draw, expand, tokens
from game.contract import Action, Choice, Number, OneOf, Subset
from game.errors import BadNotation
from game.rng import Rng

WORDS = st.text("abcdef", min_size=1, max_size=3)
ONE_OF = st.lists(WORDS, min_size=1, max_size=6, unique=True).map(lambda texts: OneOf(tuple(map(Action, texts))))
NUMBER = st.tuples(st.integers(0, 5), st.integers(0, 5)).map(lambda pair: Number("bid", min(pair), max(pair)))


@st.composite
def subsets(make: st.DrawFn) -> Subset:
    items = tuple(make(st.lists(WORDS, max_size=5)))
    low = make(st.integers(0, len(items)))
    return Subset("take", items, low, make(st.integers(low, len(items))))


CHOICES: st.SearchStrategy[Choice] = st.one_of(ONE_OF, NUMBER, subsets())


@given(CHOICES)
@settings(deadline=None)
def test_everything_listed_is_offered_and_listed_once(choice: Choice) -> None:
    listed = list(expand(choice))
    assert len(set(listed)) == len(listed)
    assert listed
    assert all(contains(choice, action) for action in listed)


@given(CHOICES, st.binary(min_size=32, max_size=32))
@settings(deadline=None)
def test_what_is_drawn_is_offered_and_the_same_for_a_seed(choice: Choice, seed: bytes) -> None:
    action, after = draw(choice, Rng(seed))
    assert contains(choice, action)
    assert draw(choice, Rng(seed)) == (action, after)


@given(subsets())
@settings(deadline=None)
def test_the_order_of_a_subset_does_not_matter(choice: Subset) -> None:
    for action in expand(choice):
        verb, *items = action.text.split(" ")
        assert contains(choice, Action(" ".join((verb, *reversed(items)))))


def test_a_subset_of_different_items_has_as_many_ways_as_there_are() -> None:
    assert len(list(expand(Subset("take", ("a", "b", "c", "d"), 1, 3)))) == sum(comb(4, k) for k in (1, 2, 3))


def test_the_same_item_twice_can_be_taken_twice_but_not_thrice() -> None:
    choice = Subset("take", ("a", "a", "b"), 0, 3)
    assert [action.text for action in expand(choice)] == [
        "take",
        "take a",
        "take b",
        "take a a",
        "take a b",
        "take a a b",
    ]
    assert contains(choice, Action("take a b a"))
    assert not contains(choice, Action("take a a a"))


WRITTEN = {
    "bid 3": True,
    **dict.fromkeys(
        ("bid 0", "bid 9", "bid", "bid 03", "bid +3", "bid 3 3", "bid \uff13", "take 3", "bid 99999999999"), False
    ),
}


@pytest.mark.parametrize(("text", "offered"), WRITTEN.items())
def test_a_number_is_written_in_one_way(text: str, offered: bool) -> None:
    assert contains(Number("bid", 1, 5), Action(text)) is offered


@pytest.mark.parametrize("text", ["", " ", "a  b", " a", "a ", "a\tb", "a\nb", 'a "b', '"'])
def test_what_is_not_words_with_one_space_between_cannot_be_read(text: str) -> None:
    with pytest.raises(BadNotation):
        tokens(text)
    with pytest.raises(BadNotation):
        contains(Number("bid", 1, 5), Action(text))


def test_quotes_hold_a_name_together() -> None:
    assert tokens('play "Inside Job"') == ["play", '"Inside Job"']
    assert tokens('rez ice:"Ice Wall"') == ["rez", 'ice:"Ice Wall"']


def test_each_choice_has_its_wire_form() -> None:
    assert choice_json(OneOf((Action("a"), Action("b c")))) == {"one_of": ["a", "b c"]}
    assert choice_json(Number("bid", 0, 9)) == {"number": {"verb": "bid", "low": 0, "high": 9}}
    assert choice_json(Subset("take", ("a", "a"), 0, 2)) == {
        "subset": {"verb": "take", "items": ["a", "a"], "min": 0, "max": 2}
    }


def test_lists_are_drawn_from_evenly() -> None:
    rng, counts = Rng(bytes(32)), Counter[str]()
    for _ in range(3000):
        action, rng = draw(OneOf((Action("a"), Action("b"), Action("c"))), rng)
        counts[action.text] += 1
    assert all(900 < n < 1100 for n in counts.values()), counts
