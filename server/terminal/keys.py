"""From the bytes a terminal sends to key names and mouse events, as urwid's widgets expect them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from urwid.display import escape

Mouse = tuple[str, int, int, int]  # (kind, button, column, row)
Key = str | Mouse
Report = tuple[Literal["string"], str] | tuple[Literal["cursor"], int, int]  # an OSC; column and row from 0
REPORT_BEGUN = re.compile(rb"\x1b(\]1[^\x07]*|\[2(;\d*)?)\Z")

RELEASED = re.compile(rb"\x1b\[[\d:]*;\d*:3(;[\d:]*)?[A-Za-z~]")  # a key that was let go (Kitty)
OLD_MODIFIED = re.compile(rb"\x1bO[\d;]+([@-~]?)")  # sequences that urwid doesn't know
X10 = b"\x1b[M"  # a mouse event follows: three bytes, or three UTF-8 characters
# What is left of a sequence whose ESC was taken for a key; two letters at least, so that a typed one is none of them.
LATE = re.compile(rb"\[\[[A-E]|\[[\d<>=?;:]*[ -/]*([@-Z^-~]|\Z)|O[\d;]*[A-FHMP-SXa-dj-y]|\][\d]|P[\d$+!>=]")
STRING_DIGITS = b"0123456789lLIPR"  # after ESC ]: what an answer of a terminal goes on with

ESC = 0x1B
STRING_STARTS = b"]P_^X"  # OSC, DCS, APC, PM, SOS: a terminal's answers, never keys
LONGEST_SEQUENCE = 64
MOST_TYPED = 8  # bytes that somebody types at once
LONGEST_STRING = 4096
LONGEST_REPORTS = 8  # of a terminal that are kept until they are read
LONGEST_PASTE = 65_600  # characters of one paste that are kept
CONTINUATION = bytes(range(0x80, 0xC0))  # bytes of a UTF-8 character that are not its first


@dataclass(frozen=True, slots=True)
class RowPress:
    """A press on an element that stands for a row of a page's items, by its number and what it is called.

    `opens`: as Enter does on it; else it is only chosen.
    """

    number: int
    text: str
    opens: bool = True


END_SEQUENCE = b"\x1b[201~"
BEGIN_PASTE, LINE_END, END_PASTE = "begin paste", "line end", "end paste"
IN_A_PASTE = {"enter": LINE_END, "tab": " "}
CONTROL = {9: "tab", 10: "enter", 13: "enter", 8: "backspace", 127: "backspace"}


class KeyDecoder:
    """Decodes a stream cut anywhere. A paste is `begin paste`, its printable characters, `line end`s, `end paste`.

    What is neither a key nor printable text (a terminal's own reports, broken UTF-8, control characters) is dropped.
    So is what comes of a sequence after its beginning was given up (`expire`): nothing is typed that was not typed.
    """

    __slots__ = ("_given_up", "_is_silent", "_pasted", "kept", "reports")

    def __init__(self) -> None:
        self.kept = b""
        self.reports: list[Report] = []  # what the terminal said about itself, the latest
        self._pasted = -1  # characters of the paste so far; -1: not in one
        self._given_up = b""  # the beginning of a sequence whose end did not come in time
        self._is_silent = False  # in a paste nothing has come for a while

    @property
    def is_waiting(self) -> bool:
        """Tell whether the end of a sequence is missing: call `expire` when it does not come soon."""
        return bool(self.kept)

    @property
    def is_pasting(self) -> bool:
        """Tell whether the end of a paste is missing: call `expire` when nothing comes for a while."""
        return self._pasted >= 0

    @property
    def is_lone_escape(self) -> bool:
        """Tell whether what waits may be the key `esc`: no more of it has come."""
        return self._pasted < 0 and not self.kept.strip(b"\x1b") and bool(self.kept)

    @property
    def is_reporting(self) -> bool:
        """Tell whether what is missing is the end of a report about ground or cursor, which no key begins like."""
        return self._pasted < 0 and REPORT_BEGUN.match(self.kept) is not None

    def feed(self, data: bytes) -> list[Key]:
        """Return the keys that are complete now.

        In a paste that has been silent (`expire`) a single key ends it, and is not pressed; a burst is pasted.
        """
        keys: list[Key] = []
        is_silent, self._is_silent = self._is_silent, False
        if is_silent and not END_SEQUENCE.startswith(self._given_up + data) and _is_one_key(data):
            self._given_up = b""
            self._end_paste(keys)
            return keys
        if self._given_up:
            data = self._without_tail(data, keys)
        return keys + self._decode(self.kept + data, more=True)

    def expire(self) -> list[Key]:
        """Return what the unfinished rest means by itself: a lone ESC is the key `esc`, a longer rest nothing."""
        kept, self.kept = self.kept, b""
        self._given_up, self._is_silent = kept or self._given_up, self._pasted >= 0
        return self._decode(kept, more=False) if len(kept) <= 2 and self._pasted < 0 else []

    def _without_tail(self, data: bytes, keys: list[Key]) -> bytes:
        """Return what came without the end of the sequence that was given up; a paste that begins or ends so does."""
        begun, self._given_up = self._given_up, b""
        if begun[0] >= 0x80:
            missing = _utf8_length(begun[0]) - len(begun)
            rest = data.lstrip(CONTINUATION)
            return rest if len(data) - len(rest) <= missing else data[missing:]
        is_typed = len(data) < 2 and self._pasted < 0
        is_escape, ends = not begun.strip(b"\x1b"), begun.endswith(b"\x1b") and data == b"\\"
        if (is_escape and (is_typed or not LATE.match(data))) or (is_typed and _is_string(begun) and not ends):
            return data
        found: list[Key] = []
        used = KeyDecoder()._escape(found, begun + data, 0, more=True)
        if not used:
            self._given_up = (begun + data)[:LONGEST_STRING]
            return b""
        if used <= len(begun):
            return data
        if (begun + data)[:used] == END_SEQUENCE:
            self._end_paste(keys)
        elif BEGIN_PASTE in found:
            self._sequence(keys, BEGIN_PASTE)
        return data[used - len(begun) :]

    def _decode(self, data: bytes, more: bool) -> list[Key]:
        keys: list[Key] = []
        at, end = 0, len(data)
        while at < end:
            byte = data[at]
            if 32 <= byte < 127:
                self._add(keys, chr(byte))
                used = 1
            elif byte == ESC:
                used = self._escape(keys, data, at, more)
            elif byte >= 0x80:
                used = self._utf8(keys, data, at, more)
            else:
                self._add(keys, _control(byte))
                used = 1
            if not used:
                break
            at += used
        self.kept = data[at:]
        return keys

    def _add(self, keys: list[Key], key: str) -> None:
        if self._pasted < 0:
            if key:
                keys.append(key)
            return
        key = IN_A_PASTE.get(key, key)
        if (len(key) == 1 or key == LINE_END) and self._pasted < LONGEST_PASTE:
            keys.append(key)
            self._pasted += 1

    def _end_paste(self, keys: list[Key]) -> None:
        if self._pasted >= 0:
            self._pasted = -1
            keys.append(END_PASTE)

    def _utf8(self, keys: list[Key], data: bytes, at: int, more: bool) -> int:
        """Take one character; return the bytes used, 0 when its end is missing."""
        length = _utf8_length(data[at])
        char = data[at : at + length]
        if len(char) < length and more and all(0x80 <= b < 0xC0 for b in char[1:]):
            return 0
        try:
            text = char.decode()
        except UnicodeDecodeError:
            return 1
        if text.isprintable():
            self._add(keys, text)
        elif self._pasted >= 0 and text.isspace():
            self._add(keys, " ")  # a blank that does not break, as pages have them
        return len(char)

    def _escape(self, keys: list[Key], data: bytes, at: int, more: bool) -> int:
        """Take one escape sequence; return the bytes used, 0 when its end is missing."""
        if _is_string(data[at : at + MOST_TYPED + 1]) and (used := _string_length(data, at, more)) != -1:
            if used and data[at + 1 : at + 2] == b"]":
                self._report(("string", data[at + 2 : at + used].rstrip(b"\x07\x1b\\").decode("ascii", "replace")))
            return used
        codes = data[at : at + LONGEST_SEQUENCE]
        if codes.startswith(X10):
            return self._x10(keys, codes, more)
        if (dropped := RELEASED.match(codes)) is not None:
            return dropped.end()
        if (old := OLD_MODIFIED.match(codes)) is not None:
            return 0 if more and not old[1] else old.end()
        found, used = _first_sequence(codes, more and len(codes) < LONGEST_SEQUENCE)
        if found == ("esc",) and used == len(codes) and more:
            return 0
        if more and (letter := _after_escape(found)):
            found = (*found[:-1], "esc", letter)
        for key in found:
            self._sequence(keys, key)
        return used

    def _x10(self, keys: list[Key], codes: bytes, more: bool) -> int:
        """Take a mouse event whose button and place are bytes, or UTF-8 characters; return the bytes used."""
        at, numbers = len(X10), list[int]()
        while len(numbers) < 3 and at < len(codes):
            length = 2 if 0xC2 <= codes[at] < 0xE0 and codes[at + 1 : at + 2].strip(CONTINUATION) == b"" else 1
            if at + length > len(codes):
                break
            numbers.append(ord(codes[at : at + length].decode()) if length == 2 else codes[at])
            at += length
        if len(numbers) < 3:
            return 0 if more else len(codes)
        for key in escape.process_keyqueue([*X10, *numbers], False)[0]:
            self._sequence(keys, key)
        return at

    def _sequence(self, keys: list[Key], key: object) -> None:
        if key == BEGIN_PASTE:
            if self._pasted < 0:
                self._pasted = 0
                keys.append(BEGIN_PASTE)
        elif key == END_PASTE and self._pasted >= 0:
            self._end_paste(keys)
        elif self._pasted >= 0:
            return
        elif isinstance(key, str):
            is_key = (not key.startswith(("<", "focus ")) and key != END_PASTE) or key == "<"
            if is_key and key.isprintable():  # "meta " and a character can be a private one
                keys.append(key)
        elif isinstance(key, tuple) and "mouse" in key[0]:
            keys.append(key)
        elif isinstance(key, tuple) and key[0] == "cursor position":
            self._report(("cursor", key[1], key[2]))

    def _report(self, report: Report) -> None:
        self.reports = [*self.reports[1 - LONGEST_REPORTS :], report]


def _is_one_key(data: bytes) -> bool:
    """Tell whether what came at once is a single key: one character, or one sequence."""
    if data[0] != ESC or len(data) == 1:
        return len(data) == _utf8_length(data[0])
    return data != END_SEQUENCE and KeyDecoder()._escape([], data, 0, more=True) == len(data)


def _after_escape(found: tuple[object, ...]) -> str:
    """Return the character that came right behind ESC; empty: another key.

    No key here has Alt in it: who types Esc and a letter in haste, perhaps in a terminal that joins them, means both.
    """
    last = found[-1] if found else None
    if not isinstance(last, str) or not last.startswith("meta ") or not last.isprintable():
        return ""
    return last[-1] if len(last) == len("meta x") else ""


def _utf8_length(lead: int) -> int:
    """Return how many bytes a character has that begins so."""
    return 2 if 0xC2 <= lead < 0xE0 else 3 if 0xE0 <= lead < 0xF0 else 4 if 0xF0 <= lead < 0xF5 else 1


def _is_string(codes: bytes) -> bool:
    """Tell whether a sequence is a terminal's answer: ESC ] goes on with a number, few other letters are keys."""
    if codes[1:2] == b"]":
        return len(codes) == 2 or len(codes) > MOST_TYPED or codes[2] in STRING_DIGITS
    return len(codes) > 1 and codes[1] in STRING_STARTS


@lru_cache(maxsize=512)
def _first_sequence(codes: bytes, more: bool) -> tuple[tuple[object, ...], int]:
    """Return the keys of the escape sequence at the beginning, and its length; 0 when its end is missing."""
    try:
        found, rest = escape.process_keyqueue(list(codes), more)
    except escape.MoreInputRequired:
        return (), 0
    return tuple(found), len(codes) - len(rest)


def _control(byte: int) -> str:
    if byte in CONTROL:
        return CONTROL[byte]
    return f"ctrl {chr(byte + 96)}" if 0 < byte < ESC else ""


def _string_length(data: bytes, at: int, more: bool) -> int:
    """Return the length of the string sequence at `at`, 0 when its end is missing, -1 when it is a key after ESC."""
    bell, st = data.find(b"\x07", at), data.find(b"\x1b\\", at + 2)
    ends = [end for end in ((bell + 1 if bell >= 0 else 0), (st + 2 if st >= 0 else 0)) if end]
    if ends:
        return min(ends) - at
    if not more or len(data) - at > LONGEST_STRING:
        return -1 if len(data) - at == 2 else len(data) - at
    return 0
