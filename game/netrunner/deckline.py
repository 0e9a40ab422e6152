"""One line of a deck list as text: a card and its number, the identity, a heading, a total, or prose."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from html import unescape
from typing import Final

from game.netrunner.facts import FACTS
from game.netrunner.titles import code_of_title, near_title

MOST_COPIES: Final = 99
MOST_NOTES: Final = 4  # behind a title
LINE_CHARS: Final = 400  # a longer line is no card's
PROSE_WORDS: Final = 9  # no title has as many
ANY: Final = -1  # of a heading that says no number

TAG: Final = re.compile(
    r"\[/?(?:b|i|u|s|url|color|size|font|quote|list|center|right|left|img|code|h[1-6]|\*|li|ul|ol|table|tr|td|card)"
    r"(?:=[^\[\]]*)?\]",
    re.IGNORECASE,
)
LINK: Final = re.compile(r"\[([^\[\]]*)\]\([^()\s]*\)")
EMPHASIS: Final = re.compile(r"(?<!\w)(\*{1,3}|_{1,3})(?=[^\s*_])(.+?)(?<=[^\s*_])\1(?!\w)")
BULLET: Final = re.compile(r"^(?:[*+>\u2022\u00b7\u2013\u2014-] +)+")
DOTS: Final = " \u2022\u25cf\u25cb\u25e6\u2219\u00b7\u2605\u2606\u25aa\u25a0\u25cc\u2b24\u26ab\u26aa"  # of influence
TIMES: Final = "[xX\u00d7\u2715\u2716]"
NOTE: Final = re.compile(rf" ?(?:\((?! ?{TIMES}? ?\d{{1,3}} ?{TIMES}? ?\))[^()]*\)|\[(?! ?\d{{1,3}} ?\])[^\[\]]*\])$")
LEAD: Final = re.compile(rf"(?:(\d+) ?({TIMES}) ?|{TIMES} ?(\d+) |(\d+) )(\S.*)")
GLUED: Final = re.compile(r"(\d+)([^\W\d_].*)")
FIELDS: Final = re.compile(r'"?\d{1,3}"? ?[,;] ?\S.*|.*\S ?[,;] ?"?\d{1,3}"?')  # a row of a table in a text
TRAIL: Final = re.compile(
    rf"(\S.*?) ?(?:\( ?{TIMES}? ?(\d+) ?{TIMES}? ?\)|\[ ?{TIMES}? ?(\d+) ?{TIMES}? ?\]| {TIMES} ?(\d+)| (\d+) ?{TIMES})"
)
GROUPS: Final = (
    "identity|identities|events?|hardware|resources?|programs?|icebreakers?|agendas?|assets?|upgrades?|operations?|ice|"
    "barriers?|code gates?|sentry|sentries|traps?|multi|others?"
)
HEADING: Final = re.compile(
    rf"(?:{GROUPS}) ?[:\u2013-]? ?(?:[(\[]? ?(\d+) ?(?:cards?)? ?[)\]]?)? ?:?|(\d+) (?:{GROUPS})", re.IGNORECASE
)
TOTAL: Final = re.compile(
    r"(?:total:? ?)?(\d+)(?: ?/ ?\d+)? ?cards?(?: (?:total|in (?:the )?deck))?(?: ?\([^()]*\))?[.,]?"
    r"|(?:total|total cards|cards|deck size|deck|main deck) ?[:(] ?(\d+)(?: ?/ ?\d+)? ?(?:cards?)? ?\)?",
    re.IGNORECASE,
)
POINTS: Final = re.compile(r"(\d+) ?agenda points?\b.*|agenda points?: ?(\d+)\b.*", re.IGNORECASE)
OTHER_TOTAL: Final = re.compile(r"\d+(?: ?/ ?\d+)? ?(?:influence|inf\b).*|cards? up to .*|\d+ cards? .*", re.IGNORECASE)
NAMED: Final = re.compile(r"(?:identity|id) ?[:\u2013-] ?(.+)", re.IGNORECASE)
NUMBER_WORD: Final = re.compile(
    r"(?:one|two|three|four|five|six|a|an|each|no)[xX]?|[\W_]+|\S{1,2}|\S*\d\S*|\S*[\u00d7]\S*", re.IGNORECASE
)
ORDINAL: Final = re.compile(r"\d+(?:st|nd|rd|th)\b", re.IGNORECASE)
LOOSE_NUMBER: Final = rf"\d{{1,3}} ?{TIMES}? [^\W\d_(]"  # of a card, and the first letter of its title
SMALL_WORDS: Final = {
    "a",
    "an",
    "and",
    "as",
    "at",
    "by",
    "for",
    "from",
    "in",
    "into",
    "of",
    "on",
    "or",
    "the",
    "to",
    "with",
}


class Kind(Enum):
    """What a line is."""

    CARD = "card"
    IDENTITY = "identity"
    UNNUMBERED = "unnumbered"  # a card whose number can't be read
    UNKNOWN = "unknown"  # a number, and no title of ours
    HEADING = "heading"
    TOTAL = "total"  # of all cards
    POINTS = "points"  # of all agendas
    PROSE = "prose"
    TITLE = "title"  # marked as a heading: a deck's name, never a card
    NAME = "name"  # of the deck, where the form has a place for it
    BROKEN = "broken"  # of XML, JSON, CSV
    TOLD = "told"  # a fault that was told before, as `written` keeps it
    LONG = "long"


@dataclass(frozen=True, slots=True)
class ListLine:
    """What one line says: the card and how many, or the number that a heading or total says (`ANY`: none)."""

    kind: Kind
    text: str = ""
    n: int = 0
    code: str = ""
    line: int = 0
    is_plain: bool = False  # of an unknown card: its number stands alone, as in a deck's name "3 Strikes"


def unmarked(line: str) -> str:
    """Return a line without Markdown, BBCode and gaps.

    >>> unmarked("* 3x  [Diesel](https://netrunnerdb.com/en/card/01034) _(Core Set)_")
    '3x Diesel (Core Set)'
    """
    if "&" in line:
        line = unescape(line)
    if "[" in line:
        line = LINK.sub(r"\1", TAG.sub("", line))
    if "|" in line:
        line = line.replace("|", " ")
    if "\\" in line:
        line = re.sub(r"\\([^\w\s])", r"\1", line)
    line = BULLET.sub("", " ".join(line.split()))
    return EMPHASIS.sub(r"\2", line).strip() if "*" in line or "_" in line else line


def named_in(line: str) -> str:
    """Return what stands for a title in a line that is not read: without number, notes and dots."""
    bare = _undotted(unmarked(line).lstrip("# "))
    found = LEAD.fullmatch(bare) or GLUED.fullmatch(bare)
    if found is not None:
        return _peeled(found[found.re.groups])
    trail = TRAIL.fullmatch(bare)
    return _peeled(trail[1] if trail is not None else bare)


@lru_cache(maxsize=1024)
def entry_of(raw: str) -> ListLine:
    """Return what a line says; nothing but a whole title is a card, whatever stands around it."""
    raw = " ".join(raw.split())
    if len(raw) > LINE_CHARS:
        begun = entry_of(raw[:LINE_CHARS])
        return ListLine(Kind.PROSE if begun.kind is Kind.PROSE else Kind.UNKNOWN, begun.text)
    line = unmarked(raw)
    is_title = line.startswith("#")
    line = line.lstrip("#").strip()
    if (found := HEADING.fullmatch(line)) is not None:
        said = found[1] or found[2]
        return ListLine(Kind.HEADING, line, int(said) if said else ANY)
    if is_title:
        identity = _titled(line)
        is_identity = identity is not None and FACTS[identity].type == "identity"
        return ListLine(Kind.IDENTITY, line, 1, identity or "") if is_identity else ListLine(Kind.TITLE, line)
    for kind, pattern in ((Kind.TOTAL, TOTAL), (Kind.POINTS, POINTS)):
        if (found := pattern.fullmatch(line)) is not None:
            return ListLine(kind, line, int(found[1] or found[2]))
    if OTHER_TOTAL.fullmatch(line):
        return ListLine(Kind.PROSE, line)
    return _card(line)


def _card(line: str) -> ListLine:
    """Return the card that a line says, what is missing, or that it says none."""
    if (code := _titled(line)) is not None:
        return counted(code, None, line)
    bare = _undotted(line)
    for found in (LEAD.fullmatch(bare), GLUED.fullmatch(bare)):
        if found is not None and (code := _titled(rest := found[found.re.groups])) is not None:
            return counted(code, next(group for group in found.groups() if group and group.isdecimal()), line)
    if (lead := LEAD.fullmatch(bare)) is not None:
        rest, is_plain = lead[5], lead[4] is not None
        inner = TRAIL.fullmatch(rest)
        if inner is not None and (code := _titled(inner[1])) is not None:
            return ListLine(Kind.UNNUMBERED, line, code=code)  # two numbers
        kind = Kind.PROSE if is_plain and _is_sentence(rest) else Kind.UNKNOWN
        return ListLine(kind, line, _whole(lead[1] or lead[3] or lead[4]), is_plain=is_plain)
    if (trail := TRAIL.fullmatch(bare)) is not None:
        said = next(group for group in trail.groups()[1:] if group)
        if (code := _titled(trail[1])) is not None:
            return counted(code, said, line)
        words = len(trail[1].split())
        return ListLine(Kind.UNKNOWN if words < PROSE_WORDS else Kind.PROSE, line, _whole(said), is_plain=True)
    if (named := NAMED.fullmatch(bare)) is not None and (code := _titled(named[1])) is not None:
        return counted(code, None, line)
    return _beside_a_title(bare, line)


def _beside_a_title(bare: str, line: str) -> ListLine:
    """Return a card beside which something like a number stands, else prose."""
    if FIELDS.fullmatch(bare) is not None and len(bare.split()) < PROSE_WORDS:
        return ListLine(Kind.UNKNOWN, line, is_plain=True)
    if GLUED.fullmatch(bare) is not None and not ORDINAL.match(bare) and len(bare.split()) < PROSE_WORDS:
        return ListLine(Kind.UNKNOWN, line, is_plain=True)
    first, _, rest = bare.partition(" ")
    start, _, last = _peeled(bare).rpartition(" ")
    for word, title in ((first, rest), (last, start)):
        if title and NUMBER_WORD.fullmatch(word) and (code := _titled(title)) is not None:
            return ListLine(Kind.UNNUMBERED, line, code=code)
    return ListLine(Kind.PROSE, line)


def counted(code: str, said: str | None, line: str) -> ListLine:
    """Return a card of which a text says so many; None: it says nothing. An identity is there once."""
    n = _whole(said) if said is not None else 0
    if FACTS[code].type == "identity":
        return ListLine(Kind.IDENTITY if said is None or n == 1 else Kind.UNNUMBERED, line, 1, code)
    return ListLine(Kind.CARD if 0 < n <= MOST_COPIES else Kind.UNNUMBERED, line, n, code)


def _whole(said: str) -> int:
    """Return a number of cards, 0 for one that is none."""
    return int(said) if said.isdecimal() and len(said) < 4 else 0


def _titled(text: str) -> str | None:
    """Return the card that a text names, notes and dots behind its title left out: a set, influence."""
    code = code_of_title(text)
    return code if code is not None else code_of_title(_peeled(text))


def _undotted(text: str) -> str:
    """Return a text without the symbols at its end: dots of influence, stars of a list of restrictions."""
    text = text.rstrip(DOTS)
    while text and not text[-1].isascii() and unicodedata.category(text[-1]) in ("So", "Mn"):
        text = text[:-1].rstrip(DOTS)
    return text


def _peeled(text: str) -> str:
    """Return a text without the notes and dots at its end."""
    for _ in range(MOST_NOTES):
        less = NOTE.sub("", _undotted(text))
        if less == text or not less:
            break
        text = less
    return text


def _is_sentence(text: str) -> bool:
    """Tell whether words behind a number are no title: too many, or small as in "Sure Gamble are enough"."""
    words = text.split()
    if len(words) >= PROSE_WORDS:
        return True
    small = [word for word in words if word.isalpha() and word.islower() and word not in SMALL_WORDS]
    needed = 1 if text[-1] in ".!?;:" else 2
    return text[0].isupper() and len(small) >= needed and len(words) > 2 and not near_title(text)
