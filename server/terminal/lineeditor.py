r"""Typed bytes as lines, with as much editing as needs no moving of the cursor.

Line editors for terminals (prompt_toolkit, readline) repaint with cursor movement, of which some clients show nothing
and others the codes. This one answers with what was typed, and with `\b \b` for what was erased.
"""

from __future__ import annotations

import codecs
import re
from collections import deque
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from server.sanitize import columns, is_allowed

MOST_CHARS: Final = 4000  # of a line; the bot protocol's lines may be longer, no person's are
MOST_KEPT: Final = 50  # lines that Up recalls
MOST_RECALLED: Final = 500  # characters of such a line: one key has all of it sent
AT_ONCE: Final = 2048  # characters that are looked at before others have their turn
FULL: Final = 64 * 1024  # characters that wait; above it no more should be fed
ERASING: Final = ("\x7f", "\b")
# A key that is no character begins with Escape; one that is cut off waits for its rest.
SEQUENCE: Final = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O[ -~]|[^\[O])")
CUT_OFF: Final = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|O)?")
MOST_SEQUENCE: Final = 32
UP, DOWN = ("\x1b[A", "\x1bOA", "\x10"), ("\x1b[B", "\x1bOB", "\x0e")


class Struck(Enum):
    """What a line ends with, or is interrupted by."""

    ENTER = auto()
    TAB = auto()  # the line goes on
    INTERRUPT = auto()  # ctrl-c
    END = auto()  # ctrl-d on an empty line, or the end of the input


@dataclass(frozen=True, slots=True)
class Typed:
    """A line, or what there is of it. `is_cut`: it was too long; `is_garbled`: some of it was no text."""

    struck: Struck
    text: str = ""
    is_cut: bool = False
    is_garbled: bool = False


class LineEditor:
    """Takes bytes with `feed`, and gives lines one by one with `take`; `echo` is what to send back meanwhile.

    `edits`: somebody types on a terminal. Else a program writes lines: nothing is echoed, and no key means anything.
    """

    def __init__(self, edits: bool) -> None:
        self._edits = edits
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._waiting: deque[str] = deque()  # characters, not yet looked at
        self._text = ""
        self._is_cut = self._is_garbled = self._after_return = self._has_ended = False
        self._history: deque[str] = deque(maxlen=MOST_KEPT)
        self._recalled = 0  # how many lines back
        self._shown = ""  # what the other side shows of the line
        self._echo = ""  # of lines that have ended
        self.rests = False  # `next_line` has stopped though more waits

    @property
    def is_empty(self) -> bool:
        """Tell whether no line has begun."""
        return not (self._text or self._waiting or self._is_cut or self._is_garbled)

    @property
    def text(self) -> str:
        """Return what there is of the line that is being typed."""
        return self._text

    @property
    def has_more(self) -> bool:
        """Tell whether something came after what was taken last, be it the end."""
        return bool(self._waiting) or self._has_ended

    @property
    def is_full(self) -> bool:
        """Tell whether so much waits that no more should come."""
        return len(self._waiting) > FULL

    def feed(self, data: bytes) -> None:
        """Take bytes, cut anywhere."""
        self._waiting.extend(self._decoder.decode(data))

    def end(self) -> None:
        """Take note that no more comes; a line that was begun counts as one."""
        self._has_ended = True

    def echo(self) -> str:
        """Return what is to be sent back for what was taken until now, once: of many keys only what comes of them."""
        self._show()
        said, self._echo = self._echo, ""
        return said

    def put(self, text: str) -> None:
        """Go on with a line that is completed to this text."""
        self._replace(text)

    def next_line(self) -> Typed | None:
        """Return the next line, or what interrupts one; None: nothing is whole yet, or it `rests`."""
        last = max(0, len(self._waiting) - AT_ONCE)
        self.rests = False
        while self._waiting:
            if len(self._waiting) <= last:
                self.rests = True
                return None
            char = self._waiting.popleft()
            if char == "\n" and self._after_return:
                self._after_return = False
                continue
            self._after_return = char == "\r"
            if char in "\r\n":
                return self._entered()
            if char == "\x1b" and self._edits:
                if not self._take_sequence():
                    break
            elif (typed := self._read_char(char)) is not None:
                return typed
        if self._has_ended and not self._waiting:
            return self._entered() if self._text or self._is_cut or self._is_garbled else Typed(Struck.END)
        return None

    def _entered(self) -> Typed:
        typed = Typed(Struck.ENTER, self._text, self._is_cut, self._is_garbled)
        if 0 < len(self._text) <= MOST_RECALLED and (not self._history or self._history[-1] != self._text):
            self._history.append(self._text)
        self._begin_anew()
        return typed

    def _begin_anew(self) -> None:
        """Begin the next line; what was typed stays where it is."""
        self._show()
        self._text = self._shown = ""
        self._is_cut, self._is_garbled, self._recalled = False, False, 0

    def _read_char(self, char: str) -> Typed | None:
        """Take one character into the line, or as a key."""
        if self._edits and (found := self._take_key(char)) is not None:
            return found
        if char == "\t":
            char = " "
        if self._edits and (char in UP + DOWN or char in ERASING or char < " "):
            return None
        if not (char == " " or is_allowed(char)):
            self._is_garbled = self._is_garbled or char != "\0"
        elif len(self._text) >= MOST_CHARS:
            self._is_cut = True
        else:
            self._text += char
        return None

    def _take_key(self, char: str) -> Typed | None:
        match char:
            case "\x03":
                dropped = Typed(Struck.INTERRUPT, self._text)
                self._begin_anew()
                return dropped
            case "\x04" if not self._text:
                return Typed(Struck.END)
            case "\t":
                return Typed(Struck.TAB, self._text)
            case "\x15":
                self._replace("")
            case "\x17":
                before, blank, _ = self._text.rstrip(" ").rpartition(" ")
                self._replace(before + blank)
            case "\x7f" | "\b":
                self._replace(self._text[: self._last_from()])
            case "\x10":
                self._recall(1)
            case "\x0e":
                self._recall(-1)
        return None

    def _take_sequence(self) -> bool:
        """Take a key that is more than a character; False: its end has not come."""
        ahead = "\x1b" + "".join(self._waiting[i] for i in range(min(len(self._waiting), MOST_SEQUENCE)))
        found = SEQUENCE.match(ahead)
        if found is None and CUT_OFF.fullmatch(ahead) and len(ahead) <= MOST_SEQUENCE and not self._has_ended:
            self._waiting.appendleft("\x1b")
            return False
        for _ in range(len(found[0]) - 1 if found is not None else 0):
            self._waiting.popleft()
        if found is not None and found[0] in UP + DOWN:
            self._recall(1 if found[0] in UP else -1)
        return True

    def _recall(self, step: int) -> None:
        """Put an earlier line in the place of this one."""
        back = self._recalled + step
        if 0 <= back <= len(self._history):
            self._recalled = back
            self._replace(self._history[-back] if back else "")

    def _last_from(self) -> int:
        """Return where the last character begins, with the marks on it."""
        at = len(self._text) - 1
        while at > 0 and columns(self._text[at]) == 0:
            at -= 1
        return max(at, 0)

    def _replace(self, text: str) -> None:
        """Have another line."""
        self._text, self._is_cut, self._is_garbled = text, False, False

    def _show(self) -> None:
        """Have the other side show the line as it is: erase what differs at its end, and write what is new."""
        if self._edits and self._text != self._shown:
            kept = _alike(self._shown, self._text)
            while 0 < kept < len(self._shown) and columns(self._shown[kept]) == 0:
                kept -= 1  # a mark goes with its letter
            self._echo += "\b \b" * columns(self._shown[kept:]) + self._text[kept:]
        self._shown = self._text


def _alike(one: str, other: str) -> int:
    """Return how many characters two lines begin alike with."""
    shorter, longer = sorted((one, other), key=len)
    if longer.startswith(shorter):
        return len(shorter)
    return next(at for at, (mine, theirs) in enumerate(zip(one, other, strict=False)) if mine != theirs)
