"""The words that cards are written in: costs, abilities, triggers and effects, all plain data.

An amount is a number, or one of `measures`, asked when it matters. A condition is one of `conditions`, a filter one of
`filters`.
`who` is 'corp', 'runner', or 'me' for the player whose card it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from game.netrunner.conditions import When
from game.netrunner.filters import Filter, OnTable
from game.netrunner.measures import Amount, AnyMeasure, Everything

# What a trigger waits for; `moments.emit` tells it, but 'instead', which `runs` asks for.
Moment = Literal[
    "accessed-trashed",
    "agenda-accessed",
    "approach-server",
    "bad-publicity",
    "breach",
    "breached",
    "discard-phase-ends",
    "emptied",
    "encounter",
    "encounter-ends",
    "install",
    "instead",
    "passed-ice",
    "play",
    "rez",
    "run-ends",
    "score",
    "server-made",
    "steal",
    "stolen",
    "success",
    "tag-gone",
    "trashed",
    "turn-begins",
    "turn-ends",
]
# When a paid ability may be used.
Timing = Literal[
    "action",
    "paid",
    "run",
    "encounter",
    "break",
    "approach",
    "prevent:net",
    "prevent:meat",
    "prevent:tag",
    "prevent:expose",
    "prevent:trash-resource",
    "prevent:trash-program,trash-hardware",
]
StaticKind = Literal[
    "memory",
    "link",
    "strength",
    "strength-per-advancement",
    "corp-hand",
    "requirement",
    "own-requirement",
    "rez-cost",
    "steal-cost",
    "play-cost",
    "first-install-discount",
    "trash-to-pay-less",
    "tag-at-outermost",
    "kills-host",
    "rez-and-prevent",
    "blanks",
    "reveal-agendas",
]
Who = Literal["me", "corp", "runner"]
CounterKind = Literal["advancement", "virus", "power", "agenda", "credit"]
DamageKind = Literal["net", "meat", "brain"]
Broken = Literal["any", "barrier", "code gate", "sentry"]
Until = Literal["encounter", "run", "turn"]
# What a static ability is about; "rd" is the zone of one that is about no card on the table.
Reach = Literal["", "self", "host", "encountered", "here ice", "here agenda", "rd"]


@dataclass(frozen=True, slots=True)
class Effect:
    """One thing that a card does."""


Effects = tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class Cost:
    """A cost, paid in full or not at all. `counter` is a kind of hosted counter, `trash` what is trashed.

    `forfeit` gives up an agenda, `x` is a number of credits that the player chooses, `net` net damage to be suffered,
    `shuffle` how many installed cards go back into the stack. With `per` the credits are multiplied by a measure.
    """

    credits: int = 0
    clicks: int = 0
    trash_self: bool = False
    counter: str = ""
    trash: Filter | None = None
    forfeit: bool = False
    x: bool = False
    net: int = 0
    shuffle: int = 0
    counters: int = 1  # how many of the kind
    tags: int = 0  # to be taken
    per: AnyMeasure | None = None


@dataclass(frozen=True, slots=True)
class Ability:
    """A paid ability. `when`: 'action', 'paid', 'run', 'encounter', 'break', 'approach' or 'prevent:KIND'.

    'approach' is the moment at which the Runner approaches a server; the card need not be rezzed for it.
    """

    cost: Cost
    do: Effects
    when: Timing = "paid"
    only_if: When | None = None


@dataclass(frozen=True, slots=True)
class On:
    """A trigger: when `event` happens and `when` holds, do."""

    event: Moment
    do: Effects
    when: When | None = None


@dataclass(frozen=True, slots=True)
class Static:
    """Something that holds while the card is active: kind ('memory', 'link', 'strength', …), amount, filter."""

    kind: StaticKind
    n: Amount
    what: Reach = ""
    when: When | None = None


@dataclass(frozen=True, slots=True)
class Gained:
    """Subroutines that ice has besides its own: one for each of a measure, before (`first`) or after them."""

    sub: Effects
    each: AnyMeasure
    first: bool = False


@dataclass(frozen=True, slots=True)
class CardEntry:
    """What one card does. Everything left out it does not do."""

    play: Effects = ()
    play_if: When | None = None
    play_cost: Cost = Cost()  # what it costs besides to play it
    play_x: Literal["", "tags"] = ""  # the most that X of its cost may be
    subs: tuple[Effects, ...] = ()
    abilities: tuple[Ability, ...] = ()
    on: tuple[On, ...] = ()
    static: tuple[Static, ...] = ()
    access: Effects = ()
    no_access_in: Literal["", "-", "rd", "archives"] = ""  # where `access` does nothing; '-': while it is installed
    reveal_in: Literal["", "rd"] = ""  # the zone in which the Runner must show it when it is accessed
    advanceable: bool = False
    recurring: int = 0
    pays: str = ""  # purposes that its credits may pay for
    host: OnTable | None = None  # what it must be installed on
    hosts: int = 0  # memory of programs that it can host
    rez_forfeit: bool = False
    steal: Cost = Cost()  # what it costs besides to steal it
    only_in: Literal["", "hq"] = ""  # the only server that it may be installed in
    bioroid: bool = False  # the Runner may spend a click to break a subroutine
    gained: Gained | None = None


# Effects.
@dataclass(frozen=True, slots=True)
class Gain(Effect):
    n: Amount
    who: Who = "me"


@dataclass(frozen=True, slots=True)
class Lose(Effect):
    n: Amount | Everything
    who: Who = "me"


@dataclass(frozen=True, slots=True)
class Draw(Effect):
    n: Amount
    who: Who = "me"


@dataclass(frozen=True, slots=True)
class GainClicks(Effect):
    n: Amount


@dataclass(frozen=True, slots=True)
class LoseClick(Effect):
    who: Who = "runner"


@dataclass(frozen=True, slots=True)
class GiveTags(Effect):
    n: Amount


@dataclass(frozen=True, slots=True)
class RemoveTags(Effect):
    n: int


@dataclass(frozen=True, slots=True)
class Damage(Effect):
    kind: DamageKind
    n: Amount
    unpreventable: bool = False


@dataclass(frozen=True, slots=True)
class TakeBadPublicity(Effect):
    n: int


@dataclass(frozen=True, slots=True)
class Mill(Effect):
    """Trash the top card of R&D, face down."""

    n: int = 1


@dataclass(frozen=True, slots=True)
class EndRun(Effect):
    """End the run."""


@dataclass(frozen=True, slots=True)
class Trace(Effect):
    """Trace of base strength `base`; `then` if it is successful."""

    base: int
    then: Effects


@dataclass(frozen=True, slots=True)
class May(Effect):
    """`who` may pay the cost; with 'or_else' the refusal has a price."""

    then: Effects
    cost: Cost = Cost()
    who: Who = "me"
    or_else: Effects = ()
    only_if: When | None = None


@dataclass(frozen=True, slots=True)
class If(Effect):
    condition: When
    then: Effects
    or_else: Effects = ()


@dataclass(frozen=True, slots=True)
class Either(Effect):
    """One of two, by words."""

    first: tuple[str, Effects]
    second: tuple[str, Effects]
    who: Who = "me"

    @property
    def do_first(self) -> Effects:
        """Return what the first word does."""
        return self.first[1]

    @property
    def do_second(self) -> Effects:
        """Return what the second word does."""
        return self.second[1]


@dataclass(frozen=True, slots=True)
class Choose(Effect):
    """Pick `count` different cards of a filter, one after another, and do something with each as the target.

    A count of None is as many as one likes. `after` is done once at the end, if any were picked.
    """

    what: Filter
    do: Effects
    who: Who = "me"
    count: Amount | None = 1
    optional: bool = False
    after: Effects = ()


@dataclass(frozen=True, slots=True)
class AddCounters(Effect):
    kind: CounterKind
    n: Amount = 1
    on: Literal["self", "target"] = "self"


@dataclass(frozen=True, slots=True)
class TakeHosted(Effect):
    """Take hosted credits into the pool, as many as there are of n; trash the card when it is empty."""

    n: int


@dataclass(frozen=True, slots=True)
class Trash(Effect):
    """Trash the target or the card itself."""

    what: Literal["self", "target"] = "target"


@dataclass(frozen=True, slots=True)
class Rez(Effect):
    """Rez the target."""

    free: bool = True


@dataclass(frozen=True, slots=True)
class Derez(Effect):
    """Derez the card itself or the target."""

    what: Literal["self", "target"] = "self"


@dataclass(frozen=True, slots=True)
class Expose(Effect):
    """Expose the target."""


@dataclass(frozen=True, slots=True)
class Take(Effect):
    """Add the target to the hand of its owner; from a deck it is shown if `reveal`, and the deck is shuffled."""

    reveal: bool = False


@dataclass(frozen=True, slots=True)
class Shuffle(Effect):
    """Shuffle one's own deck."""


@dataclass(frozen=True, slots=True)
class Remember(Effect):
    """Remember the target in `Card.note`."""


@dataclass(frozen=True, slots=True)
class Forfeit(Effect):
    """Forfeit the agenda itself."""


@dataclass(frozen=True, slots=True)
class InstallTarget(Effect):
    """Install the target, at a discount, or for nothing and rezzed.

    `within` is 'remote' for the root of a remote server. `then` is done with the installed card as the target.
    """

    discount: int = 0
    free: bool = False
    rezzed: bool = True  # of what is installed for nothing
    within: Literal["", "remote"] = ""
    then: Effects = ()


@dataclass(frozen=True, slots=True)
class RunOn(Effect):
    """Run one of these servers ('any' for all); `mods` change the run."""

    servers: str = "any"
    mods: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Break(Effect):
    """Break up to `most` subroutines of the encountered ice, if its subtype is this ('any' for all).

    None is any number.
    """

    subtype: Broken
    most: int | None = 1


@dataclass(frozen=True, slots=True)
class Last(Effect):
    """Something lasting on self, target or the encountered ice: kind 'strength' or 'subtypes'."""

    kind: Literal["strength", "subtypes"]
    n: Amount
    on: Literal["self", "target", "ice"]
    until: Until = "encounter"


@dataclass(frozen=True, slots=True)
class Bypass(Effect):
    """Bypass the encountered ice."""


@dataclass(frozen=True, slots=True)
class Modify(Effect):
    """Add a word to the `mods` of the run that goes on."""

    mod: str


@dataclass(frozen=True, slots=True)
class NextIce(Effect):
    """The next ice met in this run is stronger while it is met; net damage if it is not fully broken."""

    strength: int
    damage: int


@dataclass(frozen=True, slots=True)
class Prevent(Effect):
    """Prevent up to n of what is about to happen: damage, tags, a trash or an exposure."""

    n: int


@dataclass(frozen=True, slots=True)
class MoreAccess(Effect):
    """Access more cards in this breach: the Runner's choice of fewer than the hosted virus counters."""


@dataclass(frozen=True, slots=True)
class Siphon(Effect):
    """The Corp loses up to `most` credits; the Runner gains `each` for every one of them."""

    most: int
    each: int


@dataclass(frozen=True, slots=True)
class TakeAny(Effect):
    """Take any number of hosted credits."""


@dataclass(frozen=True, slots=True)
class Arrange(Effect):
    """Look at the top cards of R&D and put them back in any order."""

    n: int


@dataclass(frozen=True, slots=True)
class BetaTest(Effect):
    """Look at the top cards of R&D, install and rez ice among them for nothing, trash the rest."""

    n: int


@dataclass(frozen=True, slots=True)
class MoveOutermost(Effect):
    """After this encounter the Runner approaches the outermost ice again."""


@dataclass(frozen=True, slots=True)
class RezOrTrash(Effect):
    """The Corp rezzes the target, paying for it, or trashes it."""


@dataclass(frozen=True, slots=True)
class BypassFor(Effect):
    """The Runner may pay `each` credits for every subroutine of the encountered ice, and bypass it."""

    each: int


@dataclass(frozen=True, slots=True)
class Toll(Effect):
    """The Runner pays n credits if able; else the run ends."""

    n: int


@dataclass(frozen=True, slots=True)
class Psi(Effect):
    """Both players bid up to `most` credits in secret, show and spend them; `then` when they differ, or `equal`."""

    most: int
    then: Effects
    equal: Effects = ()


@dataclass(frozen=True, slots=True)
class CannotSteal(Effect):
    """The accessed card can't be stolen during this access."""


@dataclass(frozen=True, slots=True)
class DrawUpTo(Effect):
    """Draw any number of cards up to n."""

    n: Amount


@dataclass(frozen=True, slots=True)
class TrashGrip(Effect):
    """Trash every card of the grip."""


@dataclass(frozen=True, slots=True)
class TakeAll(Effect):
    """Take all the credits that were on the card when its cost was paid."""


@dataclass(frozen=True, slots=True)
class PeekBottom(Effect):
    """Look at the top card of one's own deck, and perhaps put it at the bottom."""


@dataclass(frozen=True, slots=True)
class RevealTop(Effect):
    """Show everybody the top cards of R&D."""

    n: int


@dataclass(frozen=True, slots=True)
class AccessFrom(Effect):
    """Access one card outside a breach: the top card of R&D or a card at random from HQ, never one of a root."""

    server: Literal["hq", "rd"]


@dataclass(frozen=True, slots=True)
class AccessTarget(Effect):
    """The Runner accesses the target, outside a breach."""


@dataclass(frozen=True, slots=True)
class BecomeAgenda(Effect):
    """The card itself is added to the Runner's score area as an agenda worth so many points."""

    points: int


@dataclass(frozen=True, slots=True)
class AddToScore(Effect):
    """The target is added to the Corp's score area, without being scored."""


@dataclass(frozen=True, slots=True)
class RemoveSelf(Effect):
    """The card itself is removed from the game."""


@dataclass(frozen=True, slots=True)
class Return(Effect):
    """Show the target and put it into R&D, which is to be shuffled."""


@dataclass(frozen=True, slots=True)
class ShuffleIn(Effect):
    """Shuffle the chosen cards of the Runner, which are installed, into the stack."""


@dataclass(frozen=True, slots=True)
class MarkUsed(Effect):
    """Remember until the end of the turn that the card did this."""


@dataclass(frozen=True, slots=True)
class PlaceUpTo(Effect):
    """Place from one up to `most` advancement counters on the target."""

    most: int


@dataclass(frozen=True, slots=True)
class HostSelf(Effect):
    """Host the card itself on the target."""


@dataclass(frozen=True, slots=True)
class HostIdentity(Effect):
    """Host an identity of this subtype and another faction than one's own, from outside the game."""

    subtype: str


@dataclass(frozen=True, slots=True)
class InstallFacedown(Effect):
    """Install the target facedown."""


@dataclass(frozen=True, slots=True)
class InstallInOneRemote(Effect):
    """Install up to n cards of HQ in or before a single remote server, at the usual costs."""

    n: Amount


@dataclass(frozen=True, slots=True)
class RezCheaper(Effect):
    """Rez a card, if one likes, for so many credits less."""

    n: Amount


@dataclass(frozen=True, slots=True)
class Bar(Effect):
    """The target can't be rezzed or scored until the Corp's next turn begins."""


@dataclass(frozen=True, slots=True)
class SwapIce(Effect):
    """The card itself and the target, both ice, change places."""


@dataclass(frozen=True, slots=True)
class SwapAttacked(Effect):
    """A card in the root of the attacked server and one of HQ or of another root change places."""


@dataclass(frozen=True, slots=True)
class RezSelf(Effect):
    """Rez the card itself, at the usual cost."""


@dataclass(frozen=True, slots=True)
class MoveAndMeet(Effect):
    """The ice itself moves to the innermost place before the attacked server, and the Runner encounters it."""


@dataclass(frozen=True, slots=True)
class NameType(Effect):
    """Name a type of the Runner's cards and reveal the grip; remember how many of them were of that type."""


@dataclass(frozen=True, slots=True)
class SpendAny(Effect):
    """The Corp spends any number of credits, X; unless that is none, `then`."""

    then: Effects
