"""Reading a command line: words, options, flags. Nothing here knows what they mean."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field

from server.words import clean

# What an option's value is called in a synopsis, where that is not the option's own name.
VALUES = {"after": "SEQ", "as": "SEAT", "format": "text|cast", "limit": "N", "speed": "N", "yes": "HANDLE"}


class UsageError(Exception):
    """The line can't be read; the message is for the person who typed it."""


@dataclass(frozen=True, slots=True)
class Spec:
    """What a command takes: names of its words (a last one that ends with `?` may be missing), options and flags."""

    words: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    rest: bool = False  # any more words may follow

    @property
    def usage(self) -> str:
        """Return the synopsis after the command's name."""
        words = [f"[{_shown(name[:-1])}]" if name.endswith("?") else _shown(name) for name in self.words]
        options = [f"[--{name} {VALUES.get(name, name.upper())}]" for name in self.options]
        return " ".join([*words, *(["…"] if self.rest else []), *options, *(f"[--{name}]" for name in self.flags)])


def _shown(name: str) -> str:
    """Return a word's name in a synopsis: `HANDLE`, but `list|add` where it is one of a few."""
    return name if "|" in name else name.upper()


@dataclass(frozen=True, slots=True)
class Words:
    """A command line as given."""

    words: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    flags: frozenset[str] = frozenset()

    def word(self, index: int) -> str | None:
        """Return a word, or None when it was left out."""
        return self.words[index] if index < len(self.words) else None

    def number(self, name: str, default: int, low: int, high: int) -> int:
        """Return an option's whole number. Raises UsageError for anything else."""
        text = self.options.get(name)
        if text is None:
            return default
        if not text.isascii() or not text.isdigit() or not low <= int(text) <= high:
            raise UsageError(f"--{name} takes a number from {low} to {high}")
        return int(text)


def split(line: str) -> list[str]:
    """Split a command line as a shell would, without expanding anything; every word is sanitised.

    Raises UsageError for a quote that is not closed.
    """
    try:
        return [clean(word, 4096) for word in shlex.split(line)]
    except ValueError:
        raise UsageError("a quote is not closed") from None


def read(spec: Spec, given: list[str]) -> Words:
    """Sort words from options. After `--` nothing is an option. Raises UsageError for what the command doesn't take."""
    words: list[str] = []
    options: dict[str, str] = {}
    flags: set[str] = set()
    rest = list(given)
    while rest:
        word = rest.pop(0)
        if word == "--":
            words += rest
            break
        if not word.startswith("--"):
            words.append(word)
            continue
        name, equals, value = word[2:].partition("=")
        if name in spec.flags and not equals:
            flags.add(name)
        elif name in spec.options and name not in options and (equals or rest):
            options[name] = value if equals else rest.pop(0)
        else:
            raise UsageError(f"unknown, repeated or incomplete option {word}")
    needed = sum(not name.endswith("?") for name in spec.words)
    if len(words) < needed:
        raise UsageError(f"missing {spec.words[len(words)].upper()}")
    if len(words) > len(spec.words) and not spec.rest:
        raise UsageError(f"too many words from {words[len(spec.words)]} on")
    return Words(tuple(words), options, frozenset(flags))
