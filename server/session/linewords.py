"""The words that may be typed in a dialogue: those of every page, those that boards tell by, a page's commands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from server.boards import keymap
from server.i18n.catalogues import FALLBACK, Texts, catalogue
from server.terminal.hint import Hint

OWN_WORDS: Final = ("help", "rules", "again", "back", "say", "quiet", "verbose", "screens", "quit")
TELLING: Final = ("board", "clock", "hand", "moves", "since", "what")  # what boards tell (`Speech.tells`)
ALL_WORDS: Final = (*OWN_WORDS, *TELLING)
# Commands that begin or decide something: with words behind them that mean nothing, nothing is done.
DECISIVE: Final = frozenset(
    ("accept", "agree", "bot", "branch", "cancel", "decline", "first", "guest", "new", "next", "open", "play", "ready")
) | {"rematch", "seat", "start", "watch"}
# What means nothing without a cursor, or is a word of every page: a row is named by its number.
SILENT: Final = frozenset(
    f"keys.{one}"
    for one in ("everywhere.back", "everywhere.redraw", "list.move", "list.page", "list.ends", "form.next")
)
LESS: Final = "-less"  # behind the name of a command: the other one of its pair, as "fewer" beside "more"
BACK: Final = "back"  # typed behind a command that goes on and back
MORE: Final = "…"  # at the end of a label; nobody types it


@dataclass(frozen=True, slots=True)
class TypedCommand:
    """A command that can be typed: its name, the words for it, the key that also stands for it.

    `back`: the key for the same the other way round, where it goes on and back.
    """

    name: str
    words: tuple[str, ...]
    key: str
    shown: str
    back: str


def own_word(name: str, texts: Texts) -> str:
    """Return a word of every page as it is typed in the person's language."""
    return texts.t(f"lines.word.{name}").casefold()


def meant(word: str, texts: Texts) -> str:
    """Return the word of every page that a typed one stands for in the person's language; else the word."""
    said = word.casefold()
    return next((one for one in ALL_WORDS if said == own_word(one, texts)), said)


def commands_of(hints: Iterable[Hint], texts: Texts) -> Iterator[TypedCommand]:
    """Yield the commands of keys that can be typed, each once."""
    seen = set[str]()
    for hint in hints:
        commands = () if hint.label in SILENT else _commands_of(hint, texts)
        yield from (one for one in commands if one.name not in seen)
        seen.update(one.name for one in commands)


def _commands_of(hint: Hint, texts: Texts) -> tuple[TypedCommand, ...]:
    """Return the command of a key; of a pair with a word for each, such as "Fewer, more", both."""
    name, label, english = hint.label.rpartition(".")[2], _label(hint, texts), _label(hint, catalogue(FALLBACK))
    on = keymap.ONWARD.get(hint.press, hint.press)
    pairs = label.split(texts.t("list.comma")), english.split(catalogue(FALLBACK).t("list.comma"))
    if on == hint.press or any(len(pair) != 2 for pair in pairs):
        return (TypedCommand(name, tuple(dict.fromkeys((label, english, name))), on, hint.shown, hint.press),)
    less, more = (tuple(dict.fromkeys(words)) for words in zip(*pairs, strict=True))
    return (
        TypedCommand(name, (*more, name), on, on, hint.press),
        TypedCommand(f"{name}{LESS}", less, hint.press, hint.press, on),
    )


def _label(hint: Hint, texts: Texts) -> str:
    return texts.t(hint.label).casefold().rstrip(MORE)


def find(text: str, commands: Sequence[TypedCommand]) -> tuple[list[TypedCommand], str]:
    """Return the commands that a line begins with, by word, key or the beginning of a word, and what follows.

    The key that does the same the other way round is the command with `back` behind it.
    """
    said = text.casefold()
    phrases = [(phrase, one) for one in commands for phrase in (*one.words, one.key, one.shown)]
    phrases += [(one.back, one) for one in commands if _goes_back(one, commands)]
    whole = [(phrase, one) for phrase, one in phrases if said == phrase or said.startswith(f"{phrase} ")]
    if whole:
        phrase, command = max(whole, key=lambda found: len(found[0]))
        is_back = phrase == command.back and _goes_back(command, commands)
        return [command], BACK if is_back else text[len(phrase) :].strip()
    word, _, rest = text.partition(" ")
    begun = [one for one in commands if any(phrase.startswith(word.casefold()) for phrase in one.words)]
    return begun, rest.strip()


def named_row(rows: Sequence[str], text: str, is_form: bool) -> tuple[int, str] | None:
    """Return the number of the row that a line names, and what is typed behind the name; None: it names none or many.

    Of a list, a row is named by its first words; of a form by its name, with a value behind it.
    """
    said = text.casefold()
    if is_form:
        named = [i for i, row in enumerate(rows) if f"{said} ".startswith(f"{row.casefold()} ")]
        return (named[0] + 1, text[len(rows[named[0]]) :].strip()) if len(named) == 1 else None
    starts = [row.casefold().removeprefix(said) if row.casefold().startswith(said) else said for row in rows]
    begun = [i for i, rest in enumerate(starts) if not rest[:1].isalnum()]
    return (begun[0] + 1, "") if len(begun) == 1 else None


def help_sentences(
    commands: Iterable[TypedCommand], tells: Iterable[str], texts: Texts, *, has_rows: bool
) -> Sequence[str]:
    """Say every word that works where these can be typed; `tells`: the words that tell something there."""
    t, telling, known = texts.t, tuple(tells), tuple(commands)
    own = [words for one in known for words in _help_words(one, known, texts, has_rows)]
    return (
        *((t("lines.help.rows"),) if has_rows else ()),
        *((t("lines.help.here", words=t("list.comma").join(own)),) if own else ()),
        *(t(f"lines.help.{word}") for word in telling),
        *((t("lines.help.action"),) if "moves" in telling else ()),
        *(t(f"lines.help.{word}") for word in OWN_WORDS),
    )


def _help_words(command: TypedCommand, commands: Sequence[TypedCommand], texts: Texts, has_rows: bool) -> Iterator[str]:
    """Yield how a command is typed, on and back; where rows have numbers, a digit is the number of a row."""
    word, t = command.words[0], texts.t
    if has_rows and command.shown.isdecimal():
        yield word
    elif _goes_back(command, commands):
        yield t("lines.help.command", word=word, shown=command.key)
        yield t("lines.help.command", word=f"{word} {own_word(BACK, texts)}", shown=command.back)
    else:
        yield t("lines.help.command", word=word, shown=command.shown)


def _goes_back(command: TypedCommand, commands: Iterable[TypedCommand]) -> bool:
    """Tell whether a command goes on and back, and no other one has the way back for its own."""
    return command.back != command.key and all(one.key != command.back for one in commands)


def completions(
    text: str, commands: Iterable[TypedCommand], tells: Iterable[str], answers: Iterable[str], texts: Texts
) -> tuple[Sequence[str], str]:
    """Return the words that begin as the text does, and how all of them begin. `answers`: of the page's own."""
    own = (*tells, *OWN_WORDS)
    words = (*(one.words[0] for one in commands), *(own_word(one, texts) for one in own), *own, *answers)
    found = list(dict.fromkeys(word for word in words if word.casefold().startswith(text.casefold())))
    return found, _begun_alike([word.casefold() for word in found])


def _begun_alike(words: Sequence[str]) -> str:
    """Return what all these words begin with."""
    first, last = (min(words), max(words)) if words else ("", "")  # what these two begin with, all between them do
    return "".join(a for a, _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False)))
