"""What a frame means, besides its cells: for a terminal that has elements of its own for it, as a browser has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, Literal

HEAD: Final = ("title", "place")  # at another one, all that happened and was written is new
LOG: Final = ("happened", "chat")
LONG: Final[tuple[str, ...]] = ("items", "happened", "chat")  # of these there may be many


@dataclass(frozen=True, slots=True)
class Button:
    """A key that works right now, and what it does, in words; empty: a digit of a number, or what the next one does.

    `key`: what a terminal sends for it.
    """

    key: str
    shown: str
    label: str


@dataclass(frozen=True, slots=True)
class TypedEntry:
    """A line being typed: what is asked, and what was typed so far. `limit`: characters.

    `stays`: when it was taken it is empty, for the next one. `keeps_lines`: it may be several lines. `command`: what
    asked for it, for who comes back.
    """

    label: str
    text: str
    limit: int
    stays: bool = False
    keeps_lines: bool = False
    command: str = ""


@dataclass(frozen=True, slots=True)
class ItemTold:
    """One item of a page in words. `number`: by which it is chosen, from 1 on; 0: it can't be.

    `value`: what a row of a form is set to. A `part` of a long list is gone to by choosing its first row: its
    `number` is that row's, which is called `value`.
    """

    kind: Literal["heading", "row", "text", "part"]
    text: str
    number: int = 0
    is_chosen: bool = False
    value: str = ""


@dataclass(frozen=True, slots=True)
class RunningTime:
    """A time that goes on by itself, in the words in which it stands in the rows, as in `9:58` and `away 1:20`.

    `by`: what a second adds to it, -1 or 1.
    """

    words: str
    by: int


@dataclass(frozen=True, slots=True)
class Meaning:
    """Title, keys, what is asked and said, what stands there and what has happened, in the person's language.

    `place`: where this is, for who comes back; empty: the lobby. `under`: the places below it, the lowest first.
    `cursor`: where it stands, for them too; -1: nowhere. `half_done`: what was begun here, in the page's own words.
    `kept_s`: how long a seat is kept when the connection is lost; 0: none is lost so. `holds`: keys do nothing for a
    moment, because what they do has just changed by itself. `happened`: the last sentences, each with its number, the
    oldest first. `chat`: who wrote what. `times`: what goes on by itself.
    """

    title: str = ""
    place: str = ""
    under: tuple[str, ...] = ()
    cursor: int = -1
    half_done: tuple[str, ...] = ()
    kept_s: float = 0.0
    keys: tuple[Button, ...] = ()
    holds: bool = False
    asked: str = ""
    entry: TypedEntry | None = None
    said: tuple[str, ...] = ()
    items: tuple[ItemTold, ...] = ()
    happened: tuple[tuple[int, str], ...] = ()
    chat: tuple[tuple[str, str], ...] = ()
    times: tuple[RunningTime, ...] = ()

    def changes(self, told: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields that differ from those that were told; of what happened at this place, what is new since.

        At another place all of the log is told again: a page has put that of the last one away.

        >>> Meaning(said=("hello",)).changes({**Meaning().fields(), "said": ("good morning",)})
        {'said': ('hello',)}
        """
        is_elsewhere, now = any(told.get(name) != getattr(self, name) for name in HEAD), self.fields()
        changed = {name: value for name, value in now.items() if name not in told or value != told[name]}
        if is_elsewhere:
            changed |= {name: now[name] for name in LOG if now[name]}
        elif "happened" in changed:
            before = told.get("happened", ())
            changed["happened"] = tuple(one for one in self.happened if one not in before)
        return changed

    def fields(self) -> dict[str, Any]:
        """Return the fields by name."""
        return {one.name: getattr(self, one.name) for one in fields(self)}
