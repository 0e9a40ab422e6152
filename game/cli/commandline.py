"""Commands as rows of a table, and reading their lines: words, options, flags.

One kind of row, one table that finds and lists them, and one parser for `python -m game`, `patchbay`, its admin's acts
and commands over SSH.

Only what begins with two dashes is an option, and after a bare `--` nothing is: the action `-c2` needs no quoting.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Generic, TypeVar

from game.errors import BadNotation

DETAIL_CHARS = 80
COLS = 80
DETAIL_COLS = COLS - 2  # of a line of a command's help
INDENT = " " * 30  # before what a command does, where commands are listed
SYNOPSIS: Mapping[str, Any] = {"subsequent_indent": " " * 8, "break_on_hyphens": False}
HELP = frozenset(("--help", "-h"))
Run_co = TypeVar("Run_co", covariant=True)
Word = TypeVar("Word", bound=str)


class HelpAsked(BadNotation):
    """Raised where a line asks for help. `lines`: the help, where a table of commands has read it."""

    def __init__(self, word: str, lines: Sequence[str] = ()) -> None:
        super().__init__("usage.option", word)
        self.lines = tuple(lines)


@dataclass(frozen=True, slots=True)
class CommandOption:
    """An option. `value` is what its value is called in the synopsis; without one the option is a flag."""

    name: str
    value: str = ""
    is_required: bool = False
    is_repeatable: bool = False
    is_phrase: bool = False  # its value is every word up to the next option

    @property
    def synopsis(self) -> str:
        """Return how it is written: `[--as SEAT]`."""
        written = f"--{self.name} {self.value}".rstrip()
        return f"{written if self.is_required else f'[{written}]'}{'…' if self.is_repeatable else ''}"


JSON = CommandOption("json")


@dataclass(frozen=True, slots=True)
class Syntax:
    """What a command takes.

    `words` names its words. A name ends with `?` where the word may be missing, with `…` for one or more words, with
    `…?` for any number. `ends_options`: the first word ends the options; what follows is another command's line.
    `beside`: options that go with every command of a table, and are told of elsewhere.
    """

    words: tuple[str, ...] = ()
    options: tuple[CommandOption, ...] = ()
    ends_options: bool = False
    beside: tuple[CommandOption, ...] = ()

    @property
    def synopsis(self) -> str:
        """Return what stands after the command's name: `MATCH [--as SEAT] [--json]`."""
        return " ".join([*map(_shown, self.words), *(option.synopsis for option in self.options)])

    @property
    def fewest(self) -> int:
        """Return how many words there must be."""
        return sum(not name.endswith("?") for name in self.words)

    @property
    def most(self) -> int | None:
        """Return how many words there may be, or None for any number."""
        return None if self.words and self.words[-1].rstrip("?").endswith("…") else len(self.words)


@dataclass(frozen=True, slots=True)
class Command(Generic[Run_co]):
    """One row of a table of commands: how it is written, what it does (`about`), and what is run.

    `is_default`: of a name of two words the first is enough.
    """

    name: str
    syntax: Syntax
    about: str
    run: Run_co
    details: tuple[str, ...] = field(default=(), kw_only=True)  # further lines of its help
    is_default: bool = field(default=False, kw_only=True)

    @property
    def synopsis(self) -> str:
        """Return how the command is written."""
        first, _, second = self.name.partition(" ")
        written = f"{first} [{second}]" if self.is_default else self.name
        return f"{written} {self.syntax.synopsis}".rstrip()

    @property
    def options(self) -> tuple[str, ...]:
        """Return the names of its options, with their dashes."""
        return tuple(f"--{option.name}" for option in self.syntax.options)

    @property
    def choices(self) -> tuple[str, ...]:
        """Return the words one of which stands first after it; empty: any word may."""
        first = self.syntax.words[0] if self.syntax.words else ""
        return tuple(first.split("|")) if "|" in first and first.islower() else ()

    @property
    def notes(self) -> tuple[str, ...]:
        """Return what its help says besides synopsis and `about`."""
        return self.details

    @property
    def heading(self) -> str:
        """Return under which heading it is listed."""
        return ""


Row = TypeVar("Row", bound=Command[Any])


class CommandTable(Mapping[str, Row]):
    """Commands by name, of one word or two: it finds one in a line, and tells of them."""

    def __init__(self, rows: Iterable[Row], program: str = "", what: str = "COMMAND") -> None:
        """`program` stands before the names where they are told; `what` is what a missing one is called."""
        self._rows = {row.name: row for row in rows}
        self._program, self._what = f"{program} " if program else "", what

    def __getitem__(self, name: str) -> Row:
        return self._rows[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def read(self, given: Sequence[str]) -> tuple[Row, CommandLine]:
        """Return the command that a line begins with, and the rest of the line as read.

        Raises BadNotation for a line that can't be read, and HelpAsked for `help`, `--help` and `COMMAND … --help`.
        """
        if given and given[0] not in self and given[0] in ("help", *HELP):
            raise HelpAsked(given[0], self.overview())
        try:
            row = self.find(given)
            name = row.name.split()
            return row, read(row.syntax, given[len(name) if list(given[: len(name)]) == name else 1 :])
        except HelpAsked as asked:
            raise HelpAsked(asked.detail, self.help_of(given[0])) from None

    def find(self, given: Sequence[str]) -> Row:
        """Return the command that a line begins with. Raises BadNotation, HelpAsked."""
        if not given:
            raise BadNotation("usage.missing", self._what)
        row = self._rows.get(" ".join(given[:2])) or self._rows.get(given[0])
        if row is not None:
            return row
        begun = self._begun(given[0])
        second = [one.name.partition(" ")[2] for one in begun]
        if not second:
            raise BadNotation("usage.command", given[0][:40])
        if given[1:2] and given[1] in HELP:
            raise HelpAsked(given[1])
        default = next((one for one in begun if one.is_default), None)
        if default is not None and (len(given) == 1 or given[1].startswith("--")):
            return default
        if len(given) == 1:
            raise BadNotation("usage.missing", "|".join(second))
        raise BadNotation("usage.choice", f"{given[0]} {given[1][:40]} ({', '.join(second)})")

    def usage(self, given: Sequence[str]) -> str:
        """Return how the command is written that a line begins with; empty: it begins with none."""
        try:
            return f"usage: {self._program}{self.find(given).synopsis}"
        except BadNotation:
            return ""

    def overview(self, lists: Callable[[Row], bool] = lambda row: True, cols: int = COLS) -> list[str]:
        """Return all commands that `lists` says yes to as they are listed, under their headings, in so many columns."""
        lines = [f"usage: {self._program}{self._what} …"] if self._program else []
        for heading, rows in groupby(filter(lists, self.values()), lambda row: row.heading):
            lines += [heading] if heading else []
            lines += [line for row in rows for line in _listed(row, cols)]
        return lines

    def help_of(self, word: str) -> list[str]:
        """Return what there is to say of the commands whose name begins with a word; none: there is no such command."""
        lines = list[str]()
        for row in self._begun(word):
            lines += textwrap.wrap(f"{self._program}{row.synopsis}", COLS, **SYNOPSIS)
            lines += [line for text in (row.about, *row.notes) for line in _indented(text)]
        return lines

    def _begun(self, word: str) -> list[Row]:
        """Return the commands whose name is this word, or begins with it."""
        return [row for row in self.values() if row.name.partition(" ")[0] == word]


def _indented(text: str) -> list[str]:
    """Return a line of a command's help; one that is too long goes on below, that of an item further to the right."""
    if len(text) <= DETAIL_COLS:  # laid out as it is
        return [f"  {text}"]
    begins = 2 + len(text) - len(text.lstrip())
    goes_on = begins + 4 if begins > 2 else begins
    return textwrap.wrap(text.lstrip(), COLS, initial_indent=" " * begins, subsequent_indent=" " * goes_on)


def _listed(row: Command[Any], cols: int) -> list[str]:
    """Return a command as it is listed: how it is written, and what it does, on one line where both fit."""
    written = textwrap.wrap(row.synopsis, cols, initial_indent="  ", **SYNOPSIS)
    about = textwrap.wrap(row.about, cols, initial_indent=INDENT, subsequent_indent=INDENT)
    if len(written) == 1 and len(written[0]) < len(INDENT) - 1:
        return [written[0].ljust(len(INDENT)) + about[0].lstrip(), *about[1:]]
    return [*written, *about]


def _shown(name: str) -> str:
    """Return a word's name in a synopsis: `HANDLE`, but `list|add` where it is one of a few."""
    bare = name.removesuffix("?")
    shown = bare if "|" in bare else bare.upper().replace("…", " …")
    return shown if bare == name else f"[{shown}]"


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A command line as given: its words in order, its options by name with every value, its flags."""

    words: tuple[str, ...] = ()
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    flags: frozenset[str] = frozenset()

    def word(self, index: int) -> str | None:
        """Return a word, or None when it was left out."""
        return self.words[index] if index < len(self.words) else None

    def word_of(self, index: int, values: Sequence[Word]) -> Word:
        """Return a word that is there, one of `values`. Raises BadNotation for another one."""
        said = self.words[index]
        for value in values:
            if value == said:
                return value
        raise BadNotation("usage.choice", f"{said[:40]} ({', '.join(values)})")

    def one(self, name: str) -> str | None:
        """Return an option's value, or None."""
        given = self.options.get(name, ())
        return given[0] if given else None

    def number(self, name: str, default: int | None, low: int = 0, high: int = 999_999_999) -> int:
        """Return an option's whole number. Raises BadNotation for another text, or when it has to be given."""
        text = self.one(name)
        if text is None:
            if default is None:
                raise BadNotation("usage.missing", f"--{name}")
            return default
        if not (text.isascii() and text.isdigit() and len(text) < 11 and low <= int(text) <= high):
            raise BadNotation("usage.number", f"--{name} {text[:DETAIL_CHARS]} ({low} to {high})")
        return int(text)

    def choice(self, name: str, values: Sequence[str], default: str = "") -> str:
        """Return an option's value, one of `values`. Raises BadNotation for another one."""
        text = self.one(name)
        if text is not None and text not in values:
            raise BadNotation("usage.choice", f"--{name} {text[:40]} ({', '.join(values)})")
        return default if text is None else text


def read(syntax: Syntax, given: Sequence[str]) -> CommandLine:
    """Sort the words of a line from its options. Raises BadNotation for what the command does not take,
    and HelpAsked for `--help`, or for `-h` as the first word.

    >>> read(Syntax(("whom",), (CommandOption("why", "TEXT", is_phrase=True),)), ["--why", "rude", "words", "tarn"])
    CommandLine(words=('tarn',), options={'why': ('rude words',)}, flags=frozenset())
    """
    words: list[str] = []
    options: dict[str, tuple[str, ...]] = {}
    flags: set[str] = set()
    phrases: dict[str, list[str]] = {}
    known = {option.name: option for option in (*syntax.options, *syntax.beside)}
    rest = list(given)
    if rest[:1] == ["-h"]:
        raise HelpAsked(rest[0])
    while rest:
        word = rest.pop(0)
        if word == "--" or (syntax.ends_options and not word.startswith("--")):
            words += rest if word == "--" else [word, *rest]
            break
        if not word.startswith("--"):
            words.append(word)
            continue
        name, equals, value = word[2:].partition("=")
        option = known.get(name)
        if option is None and word in HELP:
            raise HelpAsked(word)
        if option is None or (equals and not option.value):
            raise BadNotation("usage.option", word[:DETAIL_CHARS])
        if not option.value:
            flags.add(name)
            continue
        if name in options and not option.is_repeatable:
            raise BadNotation("usage.twice", f"--{name}")
        values = [value] if equals else rest[:1]
        del rest[: 0 if equals else 1]
        while option.is_phrase and rest and not _is_option(rest[0], known):
            values.append(rest.pop(0))
        if not values or (option.is_phrase and not any(values)):
            raise BadNotation("usage.value", f"--{name}")
        if option.is_phrase:
            phrases[name] = values
        options[name] = (*options.get(name, ()), " ".join(values))
    if len(words) < syntax.fewest and (phrase := next((name for name in phrases if len(phrases[name]) > 1), None)):
        words.append(phrases[phrase].pop())  # the option came first, and took the word that follows it
        options[phrase] = (" ".join(phrases[phrase]),)
    _check(syntax, words, options)
    return CommandLine(tuple(words), options, frozenset(flags))


def _is_option(word: str, known: Mapping[str, CommandOption]) -> bool:
    return word == "--" or (word.startswith("--") and word[2:].partition("=")[0] in known)


def _check(syntax: Syntax, words: Sequence[str], options: Mapping[str, object]) -> None:
    """Raise BadNotation for a line with too few words or too many, or without an option that has to be given."""
    if len(words) < syntax.fewest:
        raise BadNotation("usage.missing", _shown(syntax.words[len(words)]))
    if syntax.most is not None and len(words) > syntax.most:
        raise BadNotation("usage.words", words[syntax.most][:DETAIL_CHARS])
    for option in syntax.options:
        if option.is_required and option.name not in options:
            raise BadNotation("usage.missing", f"--{option.name}")
