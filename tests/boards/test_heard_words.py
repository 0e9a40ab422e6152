"""Who hears the text is told the word that is typed, and no key."""

from __future__ import annotations

import re

import pytest

from server.boards import keymap
from server.i18n.catalogues import CHOICES
from server.session.linewords import ALL_WORDS, MORE, OWN_WORDS, own_word
from server.terminal.look import Look
from tests.boards.test_catalogues import texts

HEARD = ".heard"
# Key caps, and what is done with them, in English.
KEYS = re.compile(
    r"\b[Pp]ress\b|\([a-zA-Z?]\)|\? Help|\bwith (?:space|[b-z])\b|\b[a-z] (?:shows|lets|claims|in the lobby)\b"
    r"|\bF[0-9]\b|\bEsc\b|\barrow keys\b|\bcursor\b|\bthe arrows\b|\bSpace\b|\bEnter accepts\b|\bpress enter"
)
# What only the eye sees: signs of the drawing, and where something stands.
SEEN = re.compile(
    r"[▒▶▸]|\bplus signs?\b|\bstar\b|\bslash\b|\b[Ss]mall letters\b|\bfirst row\b|\b[Oo]ther rows\b|\bline in the\b"
)
CHINESE_KEYS = re.compile(r"按 ?[A-Za-z0-9?]+(?![A-Za-z”」])|回车|空格继续|方向键|方向鍵|光标|游標")
QUOTED = re.compile("[“「]([^”」]+)[”」]")
# Texts about keys, of what is drawn, or that are typed where they are read: nobody hears them.
DRAWN = re.compile(
    r"keys\..*|context\..*|help\..*|calibrate\..*|rainet\.here\..*|.*\.why\.count|board\.mark\.cursor|bots\.at-once(\.below)?|key\.make"
    r"|match\.(not-here|pointed)|lines\..*|me\.lines\.help|exec\.about\.lines"
)
TYPED = {*OWN_WORDS, "moves", "hand", "what", "board", "1", "what auto", "setup", "pass", "credit", "end", "keys code"}


def test_a_text_that_names_a_key_or_a_sign_has_another_for_who_hears_it() -> None:
    english = texts("en")
    named = {
        key
        for key, said in english.items()
        if any(KEYS.search(one) or SEEN.search(one) for one in said) and not DRAWN.fullmatch(key)
    }
    assert {key for key in named if f"{key}{HEARD}" not in english and not key.endswith(HEARD)} == set()


@pytest.mark.parametrize("language", CHOICES)
def test_what_is_heard_names_no_key(language: str) -> None:
    keys = KEYS if language == "en" else CHINESE_KEYS
    told = {key: said for key, said in texts(language).items() if key.endswith(HEARD)}
    named = {key: said for key, said in told.items() if any(keys.search(one) or SEEN.search(one) for one in said)}
    assert named == {}


@pytest.mark.parametrize("language", CHOICES)
def test_every_word_that_is_said_to_be_typed_works(language: str) -> None:
    look = Look(language=language)
    labels = ("keys.tutorial.finish", *(one.label for one in keymap.BINDINGS))
    words = {look.t(label).casefold().rstrip(MORE) for label in labels} | TYPED
    telling = {own_word(word, look) for word in ALL_WORDS}
    heard = {key: held[0] for key, held in texts(language).items() if key.endswith(HEARD)}
    assert [
        (key, word)
        for key, said in heard.items()
        for word in QUOTED.findall(said)
        if word not in words and word.split()[0] not in telling
    ] == []


def test_a_look_that_is_heard_says_the_word() -> None:
    assert "F2" in Look().t("welcome.too-many")
    assert "F2" not in Look().heard().t("welcome.too-many")
    assert Look().heard().t("lobby.title") == Look().t("lobby.title")
