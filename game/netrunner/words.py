"""Actions as text: the words there are, reading them, and finding what is offered."""

from __future__ import annotations

import re
from typing import Final

from game.choices import contains, tokens
from game.contract import Action, Choice, OneOf
from game.errors import BadNotation
from game.netrunner.cards import ENTRIES
from game.netrunner.facts import CODES, plain_title

WORDS: Final = (
    *("keep", "mulligan", "credit", "draw", "install", "play", "advance", "trash-resource", "purge", "remove-tag"),
    *("run", "use", "rez", "score", "pass", "continue", "jack-out", "break", "access", "steal", "trash", "leave"),
    *("spend", "bid", "pay", "yes", "no", "choose", "order", "discard", "auto"),
)
ALONE: Final = {
    *("keep", "mulligan", "credit", "draw", "purge", "remove-tag", "pass", "continue", "jack-out"),
    *("steal", "trash", "leave", "yes", "no"),
}
MAY_BE_ALONE: Final = ALONE | {"discard", "break", "order", "pay"}
SERVER: Final = re.compile(r"hq|rd|archives|new|remote[1-9]\d*")


def offered(choice: Choice, words: list[str]) -> list[str] | None:
    """Return an action as it is offered, or None; what is paid, trashed or discarded may be named in any order."""
    text = " ".join(words)
    if isinstance(choice, OneOf):
        if Action(text) in choice.actions:
            return words
        said = unordered(words)
        alike = (tokens(action.text) for action in choice.actions if action.text.startswith(words[0] + " "))
        return next((other for other in alike if said and unordered(other) == said), None)
    try:
        return words if contains(choice, Action(text)) else None
    except BadNotation:
        return None


def unordered(words: list[str]) -> list[str]:
    """Return an action whose parts have no order in a form that is alike for every order; nothing for the others."""
    if words[0] == "pay":
        return sorted(map(" ".join, zip(words[1::2], words[2::2], strict=False))) if len(words) % 2 else []
    if words[0] == "install" and "trash" in words[2:]:
        at = words.index("trash", 2)
        return [*words[:at], *sorted(words[at:])]
    return []


def read_words(text: str) -> list[str]:
    """Split an action. Raises BadNotation for a verb, card or server that is none."""
    words = tokens(text)
    verb, *rest = words
    well = verb in WORDS and (bool(rest) or verb in MAY_BE_ALONE) and not (rest and verb in ALONE)
    well = well and all(is_known_title(word) for word in rest if word.startswith('"'))
    if verb == "run" and rest:
        well = well and len(rest) == 1 and SERVER.fullmatch(rest[0]) is not None
    if verb == "spend" and rest:
        well = well and len(rest) == 1 and rest[0].isascii() and rest[0].isdigit()
    if verb in ("install", "play") and rest:
        well = well and rest[0].startswith(('"', "hand:"))
    if not well:
        raise BadNotation("netrunner.error.unreadable", text[:80])
    return [f'"{plain_title(word[1:-1])}"' if word.startswith('"') else word for word in words]


def is_known_title(word: str) -> bool:
    """Tell whether a quoted word is a card's title."""
    return len(word) > 2 and word.endswith('"') and CODES.get(plain_title(word[1:-1])) in ENTRIES
