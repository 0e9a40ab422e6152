"""Amounts that depend on the table, as values of the card language; `queries.amount` evaluates them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class X:
    """The number that was spent for X."""


@dataclass(frozen=True, slots=True)
class Everything:
    """All that there is."""


@dataclass(frozen=True, slots=True)
class Measure:
    """How many of something there are, multiplied by `times`."""

    times: int = 1


@dataclass(frozen=True, slots=True)
class GripCards(Measure):
    """Cards in the grip."""


@dataclass(frozen=True, slots=True)
class LinkStrength(Measure):
    """The Runner's link."""


@dataclass(frozen=True, slots=True)
class StolenAgendas(Measure):
    """Agendas in the Runner's score area, and what was turned into one."""


@dataclass(frozen=True, slots=True)
class BadPublicity(Measure):
    """The Corp's bad publicity."""


@dataclass(frozen=True, slots=True)
class RdAccesses(Measure):
    """Cards of R&D accessed in this run; those in its root don't count."""


@dataclass(frozen=True, slots=True)
class EventNumber(Measure):
    """The number that comes with the event: the trash cost of an accessed card that was trashed."""


@dataclass(frozen=True, slots=True)
class ReturnedPoints(Measure):
    """The agenda points of what was just put into R&D."""


@dataclass(frozen=True, slots=True)
class Chosen(Measure):
    """How many cards the effect before this one chose."""


@dataclass(frozen=True, slots=True)
class TransactionPairs(Measure):
    """Pairs of faceup transactions in Archives."""


@dataclass(frozen=True, slots=True)
class Named(Measure):
    """Revealed cards of the type that was named in this encounter."""


@dataclass(frozen=True, slots=True)
class AdvancementCounters(Measure):
    """Advancement counters on the card."""


@dataclass(frozen=True, slots=True)
class VirusCounters(Measure):
    """Virus counters on the card."""


AnyMeasure: TypeAlias = (
    GripCards
    | LinkStrength
    | StolenAgendas
    | BadPublicity
    | RdAccesses
    | EventNumber
    | ReturnedPoints
    | Chosen
    | TransactionPairs
    | Named
    | AdvancementCounters
    | VirusCounters
)
Amount: TypeAlias = int | X | AnyMeasure
