"""The key table: where, which key, which command. Footers, the `?` overlay and docs/keys.md are made from it.

A context is a place (`lobby`) or a part of one (`rainet.enter`: choosing how to enter). A command's words are in the
catalogue: `keys.CONTEXT.COMMAND` is its short label, `keys.CONTEXT.COMMAND.help` its sentence in help.

The rows are those of `server/boards/keytable.py`, and for each game those of the `keys.py` of its folder.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Final

from game import registry
from server.boards import games
from server.boards.keytable import TABLE
from server.terminal.hint import Hint


@dataclass(frozen=True, slots=True)
class Binding:
    """One line of the table. `keys` are urwid's names; `shown` is how the key line writes the `named` ones of them."""

    context: str
    command: str
    keys: tuple[str, ...]
    shown: str
    named: tuple[str, ...]

    @property
    def label(self) -> str:
        """Return the message key of the short label."""
        return f"keys.{self.context}.{self.command}"

    @property
    def help(self) -> str:
        """Return the message key of the sentence."""
        return f"{self.label}.help"

    @property
    def hint(self) -> Hint:
        """Return the key as the key line shows it."""
        return Hint(self.shown, self.label, self.named)


SHOWN: Final[Mapping[str, str]] = {
    " ": "space",
    "page up": "pgup",
    "page down": "pgdn",
}
PAIRS: Final[Mapping[tuple[str, ...], str]] = {
    ("up", "down"): "up/down",
    ("left", "right"): "left/right",
    ("page up", "page down"): "pgup/pgdn",
    ("home", "end"): "home/end",
}
DIGIT_ROWS: Final[Mapping[tuple[str, ...], str]] = {("1", "2"): "1-9", ("0", "1"): "0-9"}
ONWARD: Final[Mapping[str, str]] = {pair[0]: pair[1] for pair in PAIRS}  # of each pair
ARROWS: Final = ("up", "down", "left", "right")


def _binding(context: str, command: str, spec: str) -> Binding:
    """Read `up/down`-style key lists: `spec` is the keys, separated by `|`; the first one is shown."""
    keys = tuple("|" if key == "bar" else key for key in spec.split("|"))
    return Binding(context, command, keys, *_shown(keys))


def _shown(keys: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """Return how the key line writes a command's keys, and which of them that names."""
    if keys[:4] == ARROWS:
        return "arrows", ARROWS
    if keys[:2] in DIGIT_ROWS:
        return DIGIT_ROWS[keys[:2]], tuple(key for key in keys if key.isdecimal())
    if keys[:2] in PAIRS:
        return PAIRS[keys[:2]], keys[:2]
    return SHOWN.get(keys[0], keys[0]), keys[:1]


def _tables() -> Iterator[Mapping[str, Mapping[str, str]]]:
    """Yield the table of everything but games, then each game's."""
    yield TABLE
    for game in registry.in_order(registry.KEYS):
        module = games.part(game, "keys")
        if module is not None:
            yield module.KEYS


BINDINGS: Final = tuple(
    _binding(context, command, spec)
    for table in _tables()
    for context, commands in table.items()
    for command, spec in commands.items()
)


@cache
def in_context(context: str) -> Mapping[str, Binding]:
    """Return a context's bindings by command, in the table's order."""
    return {b.command: b for b in BINDINGS if b.context == context}


@cache
def by_key(context: str) -> Mapping[str, str]:
    """Return a context's commands by key."""
    return {key: b.command for b in in_context(context).values() for key in b.keys}


@cache
def contexts_of(game: str) -> tuple[str, ...]:
    """Return a game's contexts, in the table's order."""
    return tuple(dict.fromkeys(b.context for b in BINDINGS if b.context.split(".")[0] == game))


def command(context: str, key: str) -> str | None:
    """Return the command a key stands for in a context, or None."""
    return by_key(context).get(key)


def hints(context: str, commands: Iterable[str] | None = None) -> tuple[Hint, ...]:
    """Return the hints of some commands of a context, in the order given (None: all, in the table's order)."""
    return _hints(context, None if commands is None else tuple(commands))


@lru_cache(maxsize=1024)
def _hints(context: str, commands: tuple[str, ...] | None) -> tuple[Hint, ...]:
    table = in_context(context)
    return tuple(table[name].hint for name in (table if commands is None else commands))


@lru_cache(maxsize=1024)
def hints_beside(other: str, context: str, commands: tuple[str, ...]) -> tuple[Hint, ...]:
    """Return the hints of some commands with keys that another context leaves to them; one without such is left out."""
    free = (_left_by(other, in_context(context)[name]) for name in commands)
    return tuple(binding.hint for binding in free if binding is not None)


def _left_by(other: str, binding: Binding) -> Binding | None:
    """Return a binding with the keys that another context does not use, None where it uses them all."""
    taken = by_key(other)
    keys = tuple(key for key in binding.keys if key not in taken)
    if not keys:
        return None
    shown, named = _shown(keys)
    return replace(binding, keys=keys, shown=shown, named=named)
