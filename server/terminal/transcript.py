"""What is said to a terminal without a cursor: plain characters in lines that end at words, and nothing else."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final

from server.sanitize import columns, is_allowed

MOST_COLS: Final = 120
LEAST_COLS: Final = 20
INDENT: Final = "  "  # of a line that goes on with the one before
PROMPT: Final = "> "  # how a prompt ends, and no other line
SIGNS: Final = frozenset(
    ".,:;!?'\"()[]{}+-*/%=&#@_$<>|~^`\\" + "，。、：；！？“”‘’（）《》〈〉「」『』【】—–…·×÷±−€£°§№"
)
AS: Final = {"·": ",", "—": "-", "–": "-", "−": "-", "…": ".", "×": "x", "•": ",", "→": "to", "←": "from"}
SCHEME: Final = re.compile(r"\bhttps?://")  # a browser takes an address without it, and nobody wants to hear it
CHINESE_DOT: Final = re.compile("(?<=[\u3400-\u9fff]) ?· ?| ?· ?(?=[\u3400-\u9fff])")  # one part at least is Chinese
RUN: Final = re.compile(r"[^\w\s]{3,}")  # three signs or more
OPENING: Final = "“‘([《〈「『（"
ENDS: Final = re.compile("[.!?]")
# Where a line may end: also behind Chinese, but not before what closes a sentence or a bracket.
BREAK: Final = re.compile(r"\s+|(?<=[\u3000-\u9fff\uff00-\uffef])(?![，。、：；！？”’）》〉」』】])")


def spoken(text: str) -> str:
    """Return a text in letters, digits, marks and signs that are spoken; runs of signs are shortened.

    >>> spoken("Lobby · Patchbay ▸ now!!!"), spoken("1 – 2"), spoken("https://example.org/m/7")
    ('Lobby, Patchbay now!', '1 - 2', 'example.org/m/7')
    >>> spoken("Netrunner · 计分 · 普通")
    'Netrunner，计分，普通'
    >>> spoken("d8>=: shown; type “bot”. “rules” tells")
    'd8>= shown; type “bot”. “rules” tells'
    """
    kept = "".join(_spoken(char) for char in CHINESE_DOT.sub("，", SCHEME.sub("", text)))
    kept = " ".join(RUN.sub(_shortened, kept).split())
    return kept.replace(" ,", ",")


def _shortened(run: re.Match[str]) -> str:
    """Return a run of signs as at most two, alike ones as one: an action may end with two.

    Quotes stay, as they are typed: a name in them loses the sign at its end.

    What opens behind what closes stays, too.

    >>> spoken('"Snare!": Snare; play "Melange Corp.": 1')
    '"Snare": Snare; play "Melange Corp": 1'
    >>> spoken("type “play a bot”;“rules” says more")
    'type “play a bot” “rules” says more'
    """
    if '"' not in run[0]:
        few = run[0][:1] if run[0][0] == run[0][1] else run[0][:2]
        return f"{run[0][0]} {run[0][-1]}" if run[0][-1] in OPENING and run[0][0] not in OPENING else few
    few = ENDS.sub("", run[0])
    signs = few.split()
    return few if len("".join(signs)) < 3 else " ".join('"' * min(2, few.count('"')))


def _spoken(char: str) -> str:
    if char.isascii():
        return char if char.isprintable() else " "
    if char in AS:
        return AS[char]
    if char in SIGNS or (unicodedata.category(char)[0] in "LNM" and is_allowed(char)):
        return char
    return " "


def in_lines(text: str, cols: int) -> Iterator[str]:
    """Yield a spoken text as lines of at most `cols` columns that end at words; none ends as a prompt does.

    All but the first are indented: where somebody's words go on, they can't be taken for the server's or another's.

    >>> list(in_lines("mira says: a long word, then ada says: I resign", 24))
    ['mira says: a long word,', '  then ada says: I', '  resign']
    """
    line = ""
    for word in _words(spoken(text)):
        if line.strip() and columns(line + word.rstrip()) > cols:
            yield _no_prompt(line)
            line = INDENT
        line += word
        while columns(line.rstrip()) > cols:
            head = _head(line, cols)
            yield _no_prompt(head)
            line = INDENT + line[len(head) :]
    if line.strip():
        yield _no_prompt(line)


def _words(text: str) -> Iterator[str]:
    """Yield the words with what stands between them behind them."""
    start = 0
    for found in BREAK.finditer(text):
        if found.end() > start:
            yield text[start : found.end()]
            start = found.end()
    if start < len(text):
        yield text[start:]


def _head(line: str, cols: int) -> str:
    at = 1
    while columns(line[: at + 1]) <= cols:
        at += 1
    return line[:at]


def _no_prompt(line: str) -> str:
    """Return a line without blanks at its end, and without the sign of a prompt there."""
    line = line.rstrip()
    return line.rstrip(" >") + ")" if line.endswith(">") else line


def as_lines(texts: Iterable[str], cols: int, end: str) -> str:
    """Return texts as lines, each with its end."""
    return "".join(line + end for text in texts for line in in_lines(text, cols))


def prompt(text: str) -> str:
    """Return a prompt: its words and how all prompts end.

    >>> prompt("Your move."), prompt("Which room? ")
    ('Your move> ', 'Which room?> ')
    """
    return spoken(text).rstrip(" >.:。：") + PROMPT
