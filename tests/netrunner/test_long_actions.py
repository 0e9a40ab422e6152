"""Actions of kilobytes that are almost readable are refused at once: they come from anybody's program."""

from __future__ import annotations

import pytest

from game.errors import BadNotation
from game.netrunner.action_text import read_words


@pytest.mark.parametrize("verb", ["choose", "order"])
@pytest.mark.parametrize("word", ["hq", "identity", "archives", "remote1"])
def test_a_long_list_that_ends_badly_is_not_tried_in_every_combination(verb: str, word: str) -> None:
    """Each word fitted two patterns: twenty of them took a second, thirty a quarter of an hour."""
    with pytest.raises(BadNotation):
        read_words(f"{verb} {f'{word} ' * 500}!")


def test_what_a_list_may_hold_is_read_as_before() -> None:
    cards = ('root:remote1:"Adonis Campaign"', '"Sure Gamble"', "hosted:rig:1", "yes")
    said = ("choose", "hq", "remote12", "archives-x", "identity", "ice:hq:0", *cards)
    assert read_words(" ".join(said)) == list(said)
