"""Conditions of the card language, as values; `queries.holds` evaluates them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that holds or does not."""


When = str | Condition


@dataclass(frozen=True, slots=True)
class All(Condition):
    """All of these hold."""

    parts: tuple[When, ...]


@dataclass(frozen=True, slots=True)
class GripAtMost(Condition):
    """There are at most n cards in the grip."""

    n: int


@dataclass(frozen=True, slots=True)
class CreditsBelow(Condition):
    """The Corp has fewer than n credits."""

    n: int


@dataclass(frozen=True, slots=True)
class FirstTime(Condition):
    """This fact has happened once this turn: now."""

    fact: str


@dataclass(frozen=True, slots=True)
class FirstCentral(Condition):
    """The run on a central server is this turn's first successful one."""


@dataclass(frozen=True, slots=True)
class OwnRun(Condition):
    """The card made this run."""


@dataclass(frozen=True, slots=True)
class MeetsWeaker(Condition):
    """The Runner encounters ice that is no stronger than the card."""


@dataclass(frozen=True, slots=True)
class MeetsHost(Condition):
    """The Runner encounters the ice that hosts the card."""


@dataclass(frozen=True, slots=True)
class OnThisServer(Condition):
    """The run is on the server that the card is in."""


@dataclass(frozen=True, slots=True)
class FromThisServer(Condition):
    """The event happened in the server that the card is in."""


@dataclass(frozen=True, slots=True)
class RezzedThisTurn(Condition):
    """The card was rezzed this turn."""


@dataclass(frozen=True, slots=True)
class Marked(Condition):
    """The card was marked or used this turn (`MarkUsed`)."""


@dataclass(frozen=True, slots=True)
class NoSuccess(Condition):
    """There was no successful run this turn."""


@dataclass(frozen=True, slots=True)
class Succeeded(Condition):
    """The run is successful."""
