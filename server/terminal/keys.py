"""From the bytes a terminal sends to key names and mouse events, as urwid's widgets expect them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from urwid.display import escape

Mouse = tuple[str, int, int, int]  # (kind, button, column, row)
Key = str | Mouse
Report = tuple[Literal["string"], str] | tuple[Literal["cursor"], int, int]  # an OSC; column and row from 0
REPORT_BEGUN = re.compile(rb"\x1b(\]1[^\x07]*|\[2(;\d*)?)\Z")

ESC = 0x1B
STRING_STARTS = b"]P_^X"  # OSC, DCS, APC, PM, SOS: a terminal's answers, never keys
LONGEST_SEQUENCE = 64
LONGEST_STRING = 4096
LONGEST_REPORTS = 8  # of a terminal that are kept until they are read
LONGEST_PASTE = 4096  # characters of one paste that are kept
BEGIN_PASTE, LINE_END, END_PASTE = "begin paste", "line end", "end paste"
IN_A_PASTE = {"enter": LINE_END, "tab": " "}
CONTROL = {9: "tab", 10: "enter", 13: "enter", 8: "backspace", 127: "backspace"}


class KeyDecoder:
    """Decodes a stream cut anywhere. A paste is `begin paste`, its printable characters, `line end`s, `end paste`.

    What is neither a key nor printable text (a terminal's own reports, broken UTF-8, control characters) is dropped.
    """

    __slots__ = ("_pasted", "kept", "reports")

    def __init__(self) -> None:
        self.kept = b""
        self.reports: list[Report] = []  # what the terminal said about itself, the latest
        self._pasted = -1  # characters of the paste so far; -1: not in one

    @property
    def is_waiting(self) -> bool:
        """Tell whether the end of a sequence is missing: call `expire` when it does not come soon."""
        return bool(self.kept)

    @property
    def is_reporting(self) -> bool:
        """Tell whether what is missing is the end of a report about ground or cursor, which no key begins like."""
        return REPORT_BEGUN.match(self.kept) is not None

    def feed(self, data: bytes) -> list[Key]:
        """Return the keys that are complete now."""
        return self._decode(self.kept + data, more=True)

    def expire(self) -> list[Key]:
        """Return what the unfinished rest means by itself: a lone ESC is the key `esc`."""
        return self._decode(self.kept, more=False)

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
        if key == "ctrl c":
            self._end_paste(keys)
        elif (len(key) == 1 or key == LINE_END) and self._pasted < LONGEST_PASTE:
            keys.append(key)
            self._pasted += 1

    def _end_paste(self, keys: list[Key]) -> None:
        if self._pasted >= 0:
            self._pasted = -1
            keys.append(END_PASTE)

    def _utf8(self, keys: list[Key], data: bytes, at: int, more: bool) -> int:
        """Take one character; return the bytes used, 0 when its end is missing."""
        lead = data[at]
        length = 2 if 0xC2 <= lead < 0xE0 else 3 if 0xE0 <= lead < 0xF0 else 4 if 0xF0 <= lead < 0xF5 else 1
        char = data[at : at + length]
        if len(char) < length and more and all(0x80 <= b < 0xC0 for b in char[1:]):
            return 0
        try:
            text = char.decode()
        except UnicodeDecodeError:
            return 1
        if text.isprintable():
            self._add(keys, text)
        return len(char)

    def _escape(self, keys: list[Key], data: bytes, at: int, more: bool) -> int:
        """Take one escape sequence; return the bytes used, 0 when its end is missing."""
        if at + 1 < len(data) and data[at + 1] in STRING_STARTS and (used := _string_length(data, at, more)) != -1:
            if used and data[at + 1 : at + 2] == b"]":
                self._report(("string", data[at + 2 : at + used].rstrip(b"\x07\x1b\\").decode("ascii", "replace")))
            return used
        codes = data[at : at + LONGEST_SEQUENCE]
        found, used = _first_sequence(codes, more and len(codes) < LONGEST_SEQUENCE)
        if found == ("esc",) and used == len(codes) and more:
            return 0
        for key in found:
            self._sequence(keys, key)
        return used

    def _sequence(self, keys: list[Key], key: object) -> None:
        if key == BEGIN_PASTE:
            if self._pasted < 0:
                self._pasted = 0
                keys.append(BEGIN_PASTE)
        elif key in (END_PASTE, "esc") and self._pasted >= 0:
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
