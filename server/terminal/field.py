"""A line of text being typed: a value, so that pages stay functions of what they hold."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace

from wcwidth import wcwidth

from server.terminal.lines import Span, columns

LINE_END = "line end"  # a key only of a paste
MOVES = {"left": -1, "right": 1}


@dataclass(frozen=True, slots=True)
class Field:
    """What was typed so far and where the cursor stands in it."""

    text: str = ""
    at: int = 0
    limit: int = 200  # characters
    is_proposed: bool = False  # the text was filled in: typing replaces it, moving in it keeps it
    keeps_lines: bool = False  # a pasted line end stays one; elsewhere, and to the eye, it is a blank

    @classmethod
    def of(cls, text: str, limit: int = 200, keeps_lines: bool = False) -> Field:
        """Make a field that holds a text already, the cursor at its end."""
        return cls(text[:limit], min(len(text), limit), limit, keeps_lines=keeps_lines)

    def emptied(self) -> Field:
        """Return the same field without a text."""
        return replace(self, text="", at=0, is_proposed=False)

    @property
    def room(self) -> int:
        """Return how many more characters there may be."""
        return max(0, self.limit - (0 if self.is_proposed else len(self.text)))

    def has_room_for(self, text: str) -> bool:
        """Tell whether a text that is pressed or pasted is taken whole."""
        return len(self._kept(text)) <= self.room

    def press(self, key: str) -> Field | None:
        """Return the field after a key, or None when the key is not one for a field.

        A key is urwid's name for it; anything printable is inserted, or replaces a text that was only proposed.
        """
        if key == LINE_END:
            key = "\n" if self.keeps_lines else " "
        if self.is_proposed:
            empties = (len(key) == 1 and _is_printable(key)) or key in ("backspace", "ctrl h", "delete")
            settled = self.emptied() if empties else replace(self, is_proposed=False)
            return settled if empties and len(key) > 1 else settled.press(key)
        if len(key) == 1 and _is_printable(key):
            if len(self.text) >= self.limit:
                return self
            return replace(self, text=self.text[: self.at] + key + self.text[self.at :], at=self.at + 1)
        text, at = self.text, self.at
        match key:
            case "left" | "right":
                return replace(self, at=max(0, min(len(text), at + MOVES[key])))
            case "home" | "ctrl a":
                return replace(self, at=0)
            case "end" | "ctrl e":
                return replace(self, at=len(text))
            case "backspace" | "ctrl h":
                return replace(self, text=text[: max(0, at - 1)] + text[at:], at=max(0, at - 1))
            case "delete":
                return replace(self, text=text[:at] + text[at + 1 :])
            case "ctrl u":
                return replace(self, text=text[at:], at=0)
            case "ctrl k":
                return replace(self, text=text[:at])
            case "ctrl w":
                kept = text[:at].rstrip().rpartition(" ")[0]
                kept += " " if kept else ""
                return replace(self, text=kept + text[at:], at=len(kept))
        return None

    def inserted(self, text: str) -> Field:
        """Return the field after a paste: its characters up to the limit, with line ends as the field keeps them."""
        kept = self.emptied() if self.is_proposed else self
        said = self._kept(text)[: kept.room]
        return replace(kept, text=kept.text[: kept.at] + said + kept.text[kept.at :], at=kept.at + len(said))

    def _kept(self, text: str) -> str:
        """Return what the field takes of a paste, as far as it has room."""
        said = "".join(char for char in text if _is_printable(char))
        return said if self.keeps_lines else said.replace("\n", " ")

    def shown(self, cols: int) -> tuple[Span, int]:
        """Return the part that fits into `cols` columns, and the cursor's column in it."""
        text = self.text.replace("\n", " ")
        start, used = self.at, 0
        while start and used + max(0, wcwidth(text[start - 1])) < cols:
            start -= 1
            used += max(0, wcwidth(text[start]))
        while start < self.at and not wcwidth(text[start]):  # an accent whose letter has no room
            start += 1
        end, shown = start, 0
        while end < len(text) and shown + max(0, wcwidth(text[end])) <= cols:
            shown += max(0, wcwidth(text[end]))
            end += 1
        visible = text[start:end]
        style = "selected" if self.is_proposed and visible else "input"
        return (style, visible + " " * (cols - columns(visible))), used


def _is_printable(char: str) -> bool:
    return unicodedata.category(char)[0] not in "CZ" or char in " \n"
