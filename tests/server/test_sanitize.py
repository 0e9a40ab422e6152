"""The sanitiser: nothing that moves a cursor or hides gets through; ordinary words do."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from itertools import combinations
from time import thread_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from urwid import str_util

from game.comparing import comparable
from server import sanitize
from server.accounts.errors import AccountError
from server.accounts.handles import check_handle
from server.boards.byname import words_of

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=120)


@settings(deadline=None, max_examples=400)
@given(ANY_TEXT, st.integers(1, 60))
def test_clean_text_is_one_bounded_line_of_allowed_characters(text: str, limit: int) -> None:
    kept = sanitize.clean(text, limit)
    assert len(kept) <= limit
    assert kept == kept.strip()
    assert "  " not in kept
    for char in kept:
        assert char == " " or unicodedata.category(char) in sanitize.ALLOWED
        assert unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
    kept.encode()  # no lone surrogates
    assert sanitize.clean(kept, limit) == kept


@settings(deadline=None, max_examples=300)
@given(ANY_TEXT, st.integers(0, 30))
def test_cut_and_pad_count_columns_as_the_screen_library_does(text: str, cols: int) -> None:
    kept = sanitize.clean(text)
    assert sanitize.columns(kept) == str_util.calc_width(kept, 0, len(kept))
    assert sanitize.columns(sanitize.cut(kept, cols)) <= cols
    assert sanitize.columns(sanitize.pad(kept, cols)) == cols


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("\x1b]0;owned\x07hi", "]0;ownedhi"),
        ("\x9b2Jgone", "2Jgone"),
        ("a\r\nb\tc", "a b c"),
        ("evil\u202etxt.exe", "eviltxt.exe"),
        ("zero\u200bwidth\u200djoin\ufeff", "zerowidthjoin"),
        ("\u3164\u2800\u115f", ""),
        ("Z\u0301\u0302\u0303\u0304\u0305\u0306", "Ź\u0302\u0303\u0304"),
        ("\u0301first", "first"),
        ("¿Qué tal? 你好，世界 — ok ☃ 😀", "¿Qué tal? 你好，世界 — ok ☃ 😀"),
        ("tag\U000e0041\U000e0042", "tag"),
        ("private\ue000", "private"),
    ],
)
def test_examples(said: str, kept: str) -> None:
    assert sanitize.clean(said) == kept


def test_tokens_keep_plain_ascii_only() -> None:
    assert sanitize.clean_token("xterm\x1b[0m;$(id) `x`") == "xterm0midx"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("mira", "m1ra"), ("lio", "li0"), ("tarn", "tam"), ("mira", "mi_ra-"), ("wendy", "vvendy"), ("lily", "1i1y")),
        *(("atax", "at4x"), ("ebony", "3bony"), ("oscar", "o5car"), ("tarn", "7arn"), ("bob", "8o8"), ("zoe", "2oe")),
        *(
            ("gigi", "9i9i"),
            ("mira", "mirra"),
            ("mira", "miraaa"),
            ("mirra", "mi-r_r-a"),
            ("anna", "4nna"),
            ("anna", "ana"),
        ),
        *(("mirall", "mira11"), ("rnaria", "maria"), ("at4x", "atax_"), ("mira-5", "miras")),
    ],
)
def test_handles_that_look_alike_share_a_skeleton(one: str, other: str) -> None:
    assert sanitize.skeletons(one) & sanitize.skeletons(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("mira", "mira2"), ("ian", "lan"), ("zoe", "joe"), ("tom", "tim"), ("ann2", "ann22"), ("bob6", "bob8")),
        *(("max100", "max1000"), ("p0", "p00"), ("load15", "load16"), ("mira", "mirna")),
    ],
)
def test_ordinary_handles_and_numbers_do_not(one: str, other: str) -> None:
    assert not sanitize.skeletons(one) & sanitize.skeletons(other)


@given(st.from_regex(r"^[a-z][a-z0-9_-]{2,15}$", fullmatch=True))
def test_skeletons_are_few_and_stable(handle: str) -> None:
    found = sanitize.skeletons(handle)
    assert 1 <= len(found) <= 16
    assert sanitize.skeletons(handle.replace("-", "_")) == found


@pytest.mark.parametrize(
    "handle",
    [
        "mіra",
        "аdmin",
        "mira\u200b",
        "ｍira",
        "míra",
        "μιρα",
        "мира",
        "mi ra",
        "Mira",
        "mira.",
        "ⅿira",
        "mi\u00adra",
        "1mira",
    ],
)
def test_handles_with_letters_that_only_look_right_are_refused(handle: str) -> None:
    with pytest.raises(AccountError):
        check_handle(handle)


ORDINARY = (
    *("anna", "bjoern", "chloe", "dmitri", "emre", "fatima", "giulia", "haruka", "ines", "joao", "katarzyna", "li-wei"),
    *(
        "mohammed",
        "nguyen",
        "oluwaseun",
        "priya",
        "quentin",
        "rafael",
        "siobhan",
        "tomas",
        "ulrike",
        "vikram",
        "wojtek",
    ),
    *(
        "xiaoming",
        "yusuf",
        "zsofia",
        "kim_min-ji",
        "ann2",
        "bob1987",
        "ola_nordmann",
        "administrata",
        "botond",
        "rooty",
    ),
)


def test_ordinary_names_of_many_languages_are_allowed_and_do_not_collide() -> None:
    for handle in ORDINARY:
        check_handle(handle)
    for one, other in combinations(ORDINARY, 2):
        assert not sanitize.skeletons(one) & sanitize.skeletons(other), (one, other)


@pytest.mark.parametrize(
    ("read", "found"),
    [
        (lambda text: sanitize.clean(text, len(text)), "a\u0300\u0300\u0300"),
        (comparable, "a"),
        (lambda text: " ".join(words_of(text)), "a"),
    ],
)
def test_thousands_of_marks_on_a_letter_were_sorted_for_a_second(read: Callable[[str], str], found: str) -> None:
    """Unicode has marks in an order of its own; to sort n of one letter took n² steps, while everybody waited."""
    text, began = "a" + "\u0315\u0300" * 20_000, thread_time()
    assert sanitize.columns(read(text)) == sanitize.columns(found)
    assert thread_time() - began < 0.5


def test_letters_that_came_apart_are_put_together_again() -> None:
    for text in ("한국어", "Tiếng Việt", "déjà"):
        assert sanitize.clean(unicodedata.normalize("NFD", text)) == text
