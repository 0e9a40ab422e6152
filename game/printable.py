"""Text from outside on its way to a terminal: what could steer it or can't be seen is escaped or replaced."""

from __future__ import annotations

import re
from typing import Final

# DEL and C1, separators of lines, surrogates, every format character (bidi controls, joiners, tags), and what else is
# shown as nothing (fillers, variation selectors), with which a text can look like another one.
UNSEEN: Final = (
    "\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U00016fe4\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff"
)
IN_JSON: Final = re.compile(f"[{UNSEEN}]")  # writers of JSON escape C0 themselves
IN_TEXT: Final = re.compile(f"[\x00-\x08\x0b-\x1f{UNSEEN}]")  # tabs and line feeds may stand
REPLACEMENT: Final = "\ufffd"


def escaped(json_text: str) -> str:
    r"""Return JSON with every character of `UNSEEN` as an escape: the same value, harmless on a terminal.

    >>> escaped('"red\x9b31m"')
    '"red\\u009b31m"'
    """
    if json_text.isascii() and "\x7f" not in json_text:
        return json_text
    return IN_JSON.sub(_escape, json_text)


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x10000:
        return f"\\u{code:04x}"
    high, low = divmod(code - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"


def printable(text: str) -> str:
    r"""Return a text whose control and unseen characters are replaced; tabs and line feeds stay.

    >>> ascii(printable('a\x1b[2Jb\n'))
    "'a\\ufffd[2Jb\\n'"
    """
    if text.isascii() and text.isprintable():
        return text
    return IN_TEXT.sub(REPLACEMENT, text)
