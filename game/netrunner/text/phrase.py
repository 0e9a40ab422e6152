"""Sentences as data: message keys with parameters that may be sentences themselves, put into words by a catalogue."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, TypeAlias

PREFIX = "netrunner.card."
Param: TypeAlias = "int | str | Phrase | tuple[Phrase, ...]"


@dataclass(frozen=True, slots=True)
class Phrase:
    """A message key and its parameters, sorted by name; several phrases in one parameter are listed with 'and'."""

    key: str
    params: tuple[tuple[str, Param], ...] = ()


class Translate(Protocol):
    """What turns a key and its parameters into words, as `Look.t` and `Words.t` do."""

    def __call__(self, key: str, **params: object) -> str: ...


def phrase(name: str, **params: Param) -> Phrase:
    """Return a phrase of the cards' catalogue."""
    return Phrase(PREFIX + name, tuple(sorted(params.items())))


def counted(name: str, count: int | str, **params: Param) -> Phrase:
    """Return a phrase with a number: `count` is shown (a number or X), `n` chooses singular or plural."""
    return phrase(name, count=count, n=count if isinstance(count, int) else 2, **params)


def spoken(said: Phrase, say: Translate) -> str:
    """Return a phrase in words.

    >>> spoken(phrase("this"), lambda key, **params: key)
    'netrunner.card.this'
    """
    return say(said.key, **{name: _value(value, say) for name, value in said.params})


def sentence(said: Phrase, say: Translate) -> str:
    """Return a phrase in words that begins with a capital."""
    text = spoken(said, say)
    return text[:1].upper() + text[1:]


def _value(value: Param, say: Translate) -> object:
    """Return a parameter in words; a list becomes 'a and b' or 'a, b, and c'."""
    if isinstance(value, Phrase):
        return spoken(value, say)
    if not isinstance(value, tuple):
        return value
    *before, last = [spoken(one, say) for one in value]
    if not before:
        return last
    text = before[0]
    for more in before[1:]:
        text = say(f"{PREFIX}comma", first=text, second=more)
    return say(PREFIX + ("and" if len(before) == 1 else "and-last"), first=text, second=last)


def keys_of(said: Phrase) -> Iterator[str]:
    """Yield every message key in a phrase."""
    yield said.key
    for _, value in said.params:
        for one in value if isinstance(value, tuple) else (value,):
            if isinstance(one, Phrase):
                yield from keys_of(one)
        if isinstance(value, tuple) and len(value) > 1:
            yield from (PREFIX + name for name in (("and",) if len(value) == 2 else ("comma", "and-last")))
