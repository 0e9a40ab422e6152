"""Options: defaults, text forms, and what is refused."""

from __future__ import annotations

import pytest

from game.contract import Json, Option
from game.errors import BadNotation
from game.netrunner.rules import GAME as NETRUNNER
from game.options import checked, complete, complete_seat, from_text, given_seat, stored_seat, to_text

FLAG = Option("bomb", "flag", False)
CHOICE = Option("first", "choice", "lot", ("lot", "S", "N"))
SET = Option("supplements", "set", ["beg"], ("beg", "blank", "nightmare"))
NUMBER = Option("board", "number", 15, low=5, high=23)
DECK = Option("deck", "deck", None, per_seat=True)
OPTIONS = (FLAG, CHOICE, SET, NUMBER, DECK)


def test_what_is_left_out_has_its_default() -> None:
    assert complete(OPTIONS, {"board": 9}) == {"bomb": False, "first": "lot", "supplements": ["beg"], "board": 9}
    assert complete_seat(OPTIONS, {}) == {"deck": None}


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [
        (FLAG, "on", True),
        (FLAG, "off", False),
        (CHOICE, "S", "S"),
        (SET, "nightmare,beg", ["beg", "nightmare"]),
        (SET, "", []),
        (NUMBER, "23", 23),
        (DECK, "starter", "starter"),
    ],
)
def test_text_forms(option: Option, text: str, value: Json) -> None:
    assert from_text(option, text) == value
    assert checked(option, text) == value
    assert from_text(option, to_text(option, value)) == value


REFUSED: list[tuple[Option, Json]] = [
    *[(FLAG, value) for value in (1, "yes", None)],
    (CHOICE, "s"),
    (SET, ["beg", "beg"]),
    (SET, ["beg,blank"]),
    (SET, [["beg"]]),
    (SET, "beg,"),
    *[(NUMBER, value) for value in (4, 24, True, "+9", "²", "9e1", None)],
]


@pytest.mark.parametrize(("option", "value"), REFUSED)
def test_other_values_cannot_be_read(option: Option, value: Json) -> None:
    with pytest.raises(BadNotation) as refused:
        checked(option, value)
    assert refused.value.key == "option.value"


@pytest.mark.parametrize("given", [{"size": 9}, {"deck": "starter"}])
def test_an_unknown_option_or_a_seat_s_own_cannot_be_set_for_the_room(given: dict[str, Json]) -> None:
    with pytest.raises(BadNotation) as refused:
        complete(OPTIONS, given)
    assert refused.value.key == "option.unknown"


def test_a_refused_list_was_told_as_python_writes_it() -> None:
    with pytest.raises(BadNotation) as refused:
        checked(SET, ["beg", "zzz"])
    assert refused.value.detail == f'{SET.name}=["beg", "zzz"]'


IDENTITY = 'Kate "Mac" McCaffrey: Digital Tinker'
LIST: dict[str, Json] = {"identity": IDENTITY, "cards": {"Diesel": 3}}
TEXT = f"{IDENTITY}\n3 Diesel"


@pytest.mark.parametrize(
    ("deck", "key"),
    [
        ({**LIST, "note": "\x9b31m\u202e"}, "option.deck-field"),
        ({**LIST, "pad": "x" * 63_000}, "option.deck-field"),
        ({**LIST, "pad": "x" * 66_000}, "option.deck-size"),
        (TEXT + " " * 66_000, "option.deck-size"),
        ({**LIST, "cards": {"Diesel" + "s" * 5_000: 3}}, "netrunner.error.list-card"),
    ],
)
def test_a_deck_with_more_than_a_deck_holds_was_taken_and_stored(deck: Json, key: str) -> None:
    with pytest.raises(BadNotation) as refused:
        given_seat(NETRUNNER.options(), {"deck": deck})
    assert refused.value.key == key


@pytest.mark.parametrize(
    ("deck", "kept"),
    [
        *(("nbn", "nbn"), ("", ""), (None, ""), (LIST, LIST), (TEXT, LIST), ("3x Diesel\r\n Kate ", None)),
        *((TEXT + " " * 60_000, LIST), ({**LIST, "cards": {"Diesel" + " " * 5_000: 3}}, LIST)),
    ],
)
def test_a_deck_is_kept_by_its_name_or_as_identity_and_cards(deck: Json, kept: Json) -> None:
    if kept is None:
        with pytest.raises(BadNotation):
            given_seat(NETRUNNER.options(), {"deck": deck})
    else:
        assert given_seat(NETRUNNER.options(), {"deck": deck}) == {"deck": kept}


def test_of_a_deck_that_was_stored_earlier_only_the_list_is_kept() -> None:
    assert stored_seat(NETRUNNER.options(), {"deck": {**LIST, "pad": "x" * 63_000}}) == {"deck": LIST}
    assert stored_seat(NETRUNNER.options(), {"deck": TEXT + " " * 60_000}) == {"deck": LIST}
    with pytest.raises(BadNotation):
        stored_seat(NETRUNNER.options(), {"hat": "red"})
