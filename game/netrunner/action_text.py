"""Actions as text: vocabulary, parsing, and matching with what is offered."""

from __future__ import annotations

import re
from typing import Final

from game.choices import contains, tokens
from game.contract import Action, Choice, OneOf
from game.errors import BadNotation
from game.netrunner.cards import ENTRIES
from game.netrunner.facts import CODES, plain_title

SERVER: Final = r"(?:hq|rd|archives|remote[1-9]\d{0,5})"
TITLE: Final = r'"[^"]*"'
PLACE: Final = rf"(?:(?:ice|root):{SERVER}|rig|score|their-score|play|current|hand|heap|archives)"
REF: Final = rf"(?:identity|(?:hosted:)*{PLACE}(?::(?:\d{{1,6}}|{TITLE}))+)"
IN_HAND: Final = rf"(?:{TITLE}|hand:(?:\d{{1,6}}|{TITLE}))"
# A word like `hq` fits two of these. The group is atomic: backtracking over a list of thousands of
# words would be exponential.
ITEM: Final = rf"(?>(?:{REF}|{SERVER}|{TITLE}|[a-z][a-z-]*)(?![^ ]))"
NUMBER: Final = r"(?:0|[1-9]\d{0,8})"
# What follows each verb; text that could never be legal fits no shape.
SHAPES: Final[dict[str, re.Pattern[str]]] = {
    **dict.fromkeys(("keep", "mulligan", "credit", "draw", "purge", "remove-tag", "pass"), re.compile("")),
    **dict.fromkeys(("continue", "jack-out", "steal", "trash", "leave", "yes", "no"), re.compile("")),
    **dict.fromkeys(("advance", "rez", "score", "trash-resource"), re.compile(REF)),
    **dict.fromkeys(("spend", "bid"), re.compile(NUMBER)),
    "install": re.compile(rf"{IN_HAND}(?: (?:{SERVER}|new))?(?: trash(?: {REF})+)?"),
    "play": re.compile(IN_HAND),
    "run": re.compile(rf"{SERVER}|new"),
    "use": re.compile(rf"{REF} {NUMBER}"),
    "break": re.compile(rf"(?:{NUMBER}(?: {NUMBER})*)?"),
    "access": re.compile(rf"next|{REF}"),
    "pay": re.compile(rf"(?:(?:{REF}|pool|bad-publicity) {NUMBER}(?: |$))*"),
    "choose": re.compile(rf"{ITEM}(?: {ITEM})*"),
    "order": re.compile(rf"(?:{ITEM}(?: {ITEM})*)?"),
    "discard": re.compile(rf"(?:{IN_HAND}(?: {IN_HAND})*)?"),
    "auto": re.compile(r"[a-z0-9.]+ [a-z]+"),
}
QUOTED: Final = re.compile(TITLE)


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
    """Split an action. Raises BadNotation for a verb, card, server or reference that is none, and for another shape."""
    words = tokens(text)
    verb, *rest = words
    quotes = (word for one in rest for word in QUOTED.findall(one))
    if verb not in SHAPES or not SHAPES[verb].fullmatch(" ".join(rest)) or not all(map(is_known_title, quotes)):
        raise BadNotation("netrunner.error.unreadable", text[:80])
    return [f'"{plain_title(word[1:-1])}"' if word.startswith('"') else word for word in words]


def is_known_title(word: str) -> bool:
    """Tell whether a quoted word is a card's title."""
    return len(word) > 2 and word.endswith('"') and CODES.get(plain_title(word[1:-1])) in ENTRIES
