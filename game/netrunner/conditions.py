"""Conditions of the card language, as values; `queries.holds` evaluates them.

A condition is asked for a card, the one whose entry holds it ("the card"), and often for what an event happened to
("the target").
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from game.netrunner.facts import Kind

ServerName = Literal["hq", "rd", "archives"]
Fact = Literal[
    "accessed",
    "accessed-trashed",
    "damage:net",
    "installed",
    "made_run",
    "scored",
    "success:archives",
    "success:hq",
    "success:rd",
    "successful_run",
    "tag-gone",
    "trashed:program-or-hardware",
    "trashed_corp_card",
]
"""What conditions ask about a turn, as `Table.fact` and `Table.moment` record it."""


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that holds or does not."""


@dataclass(frozen=True, slots=True)
class TargetCondition(Condition):
    """A condition on the target."""


@dataclass(frozen=True, slots=True)
class CardCondition(Condition):
    """A condition on the card; without it, it does not hold."""


@dataclass(frozen=True, slots=True)
class RunCondition(Condition):
    """A condition on the run; without a run it does not hold."""


@dataclass(frozen=True, slots=True)
class TableCondition(Condition):
    """A condition on the players, this turn or the last one."""


@dataclass(frozen=True, slots=True)
class All(Condition):
    """All of these hold."""

    parts: tuple[When, ...]


# The target.
@dataclass(frozen=True, slots=True)
class Itself(TargetCondition):
    """The target is the card itself."""


@dataclass(frozen=True, slots=True)
class Other(TargetCondition):
    """The target is another card."""


@dataclass(frozen=True, slots=True)
class Noted(TargetCondition):
    """The card remembers the target (`Remember`)."""


@dataclass(frozen=True, slots=True)
class Hosting(TargetCondition):
    """The target hosts the card."""


@dataclass(frozen=True, slots=True)
class Is(TargetCondition):
    """The target is of this type or subtype."""

    kind: Kind


@dataclass(frozen=True, slots=True)
class MyCard(TargetCondition):
    """The target is of the card's side."""


@dataclass(frozen=True, slots=True)
class Gone(TargetCondition):
    """The target is not on the table any more."""


# The card.
@dataclass(frozen=True, slots=True)
class MyTurn(CardCondition):
    """It is the turn of the card's side."""


@dataclass(frozen=True, slots=True)
class Advanced(CardCondition):
    """The card has an advancement counter."""


@dataclass(frozen=True, slots=True)
class HasCredits(CardCondition):
    """The card hosts a credit."""


@dataclass(frozen=True, slots=True)
class VirusAtLeast(CardCondition):
    """The card hosts n virus counters or more."""

    n: int


@dataclass(frozen=True, slots=True)
class FromThisServer(CardCondition):
    """The event happened in the server that the card is in."""


@dataclass(frozen=True, slots=True)
class ScoredThisTurn(CardCondition):
    """The card was scored this turn."""


@dataclass(frozen=True, slots=True)
class RezzedThisTurn(CardCondition):
    """The card was rezzed this turn."""


@dataclass(frozen=True, slots=True)
class Marked(CardCondition):
    """The card was marked or used this turn (`MarkUsed`)."""


@dataclass(frozen=True, slots=True)
class Unused(CardCondition):
    """The card was neither marked nor used this turn."""


# The run.
@dataclass(frozen=True, slots=True)
class Server(RunCondition):
    """The run is on this central server."""

    name: ServerName


@dataclass(frozen=True, slots=True)
class Central(RunCondition):
    """The run is on a central server."""


@dataclass(frozen=True, slots=True)
class Remote(RunCondition):
    """The run is on a remote server."""


@dataclass(frozen=True, slots=True)
class OnThisServer(RunCondition):
    """The run is on the server that the card is in."""


@dataclass(frozen=True, slots=True)
class OwnRun(RunCondition):
    """The card made this run."""


@dataclass(frozen=True, slots=True)
class Succeeded(RunCondition):
    """The run is successful."""


@dataclass(frozen=True, slots=True)
class FirstCentral(RunCondition):
    """The run on a central server is this turn's first successful one."""


@dataclass(frozen=True, slots=True)
class Unreplaced(RunCondition):
    """No card has replaced the breach yet."""


@dataclass(frozen=True, slots=True)
class MeetsHost(RunCondition):
    """The Runner encounters the ice that hosts the card."""


@dataclass(frozen=True, slots=True)
class MeetsWeaker(RunCondition):
    """The Runner encounters ice that is no stronger than the card."""


@dataclass(frozen=True, slots=True)
class IceAtZero(RunCondition):
    """The strength of the ice is zero or less."""


@dataclass(frozen=True, slots=True)
class Broke(RunCondition):
    """The card broke a subroutine in this encounter."""


# The players and the turns.
@dataclass(frozen=True, slots=True)
class FirstTime(TableCondition):
    """This fact has happened once this turn: now."""

    fact: Fact


@dataclass(frozen=True, slots=True)
class ThisTurn(TableCondition):
    """This fact has happened this turn."""

    fact: Fact


@dataclass(frozen=True, slots=True)
class NoneYet(TableCondition):
    """This fact has not happened this turn."""

    fact: Fact


@dataclass(frozen=True, slots=True)
class LastTurn(TableCondition):
    """This fact happened in the last turn."""

    fact: Fact


@dataclass(frozen=True, slots=True)
class NoSuccess(TableCondition):
    """There was no successful run this turn."""


@dataclass(frozen=True, slots=True)
class SuccessLastTurn(TableCondition):
    """There was a successful run in the last turn."""


@dataclass(frozen=True, slots=True)
class Tagged(TableCondition):
    """The Runner has a tag."""


@dataclass(frozen=True, slots=True)
class GripAtMost(TableCondition):
    """There are at most n cards in the grip."""

    n: int


@dataclass(frozen=True, slots=True)
class HeapHasCards(TableCondition):
    """There is a card in the heap."""


@dataclass(frozen=True, slots=True)
class CreditsBelow(TableCondition):
    """The Corp has fewer than n credits."""

    n: int


OfTarget: TypeAlias = Itself | Other | Noted | Hosting | Is | MyCard | Gone
OfCard: TypeAlias = (
    MyTurn | Advanced | HasCredits | VirusAtLeast | FromThisServer | ScoredThisTurn | RezzedThisTurn | Marked | Unused
)
OfRun: TypeAlias = (
    Server
    | Central
    | Remote
    | OnThisServer
    | OwnRun
    | Succeeded
    | FirstCentral
    | Unreplaced
    | MeetsHost
    | MeetsWeaker
    | IceAtZero
    | Broke
)
OfTable: TypeAlias = (
    FirstTime
    | ThisTurn
    | NoneYet
    | LastTurn
    | NoSuccess
    | SuccessLastTurn
    | Tagged
    | GripAtMost
    | HeapHasCards
    | CreditsBelow
)
When: TypeAlias = All | OfTarget | OfCard | OfRun | OfTable
