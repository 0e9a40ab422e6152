"""The words of every page of a dialogue, in the person's language and in English, and those that boards tell by."""

from __future__ import annotations

from typing import Final

from server.i18n.catalogues import Texts

OWN_WORDS: Final = ("help", "rules", "again", "back", "say", "quiet", "verbose", "screens", "quit")
TELLING: Final = ("board", "clock", "hand", "moves", "since", "what")  # what boards tell (`Speech.tells`)
ALL_WORDS: Final = (*OWN_WORDS, *TELLING)
# Commands that begin or decide something: with words behind them that mean nothing, nothing is done.
DECISIVE: Final = frozenset(
    ("accept", "agree", "bot", "branch", "cancel", "decline", "first", "guest", "new", "next", "open", "play", "ready")
) | {"rematch", "seat", "start", "watch"}


def own_word(name: str, texts: Texts) -> str:
    """Return a word of every page as it is typed in the person's language."""
    return texts.t(f"lines.word.{name}").casefold()


def meant(word: str, texts: Texts) -> str:
    """Return the word of every page that a typed one stands for in the person's language; else the word."""
    said = word.casefold()
    return next((one for one in ALL_WORDS if said == own_word(one, texts)), said)
