"""The words that cards are written in: costs, abilities, triggers and effects, all plain data.

An amount is a number or a word that is asked when it matters: 'advancement', '2*advancement', 'x', 'tags', 'hosted'.
A filter is a few words: a pool ('ice', 'root', 'rig', 'heap', 'hq', …) and what its cards must be ('rezzed', 'virus').
`who` is 'corp', 'runner', or 'me' for the player whose card it is.
"""

from __future__ import annotations

from dataclasses import dataclass

Amount = int | str


@dataclass(frozen=True, slots=True)
class Effect:
    """One thing that a card does."""


Effects = tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class Cost:
    """All or nothing. `counter` is a kind of hosted counter, `trash` and `forfeit` filters of what is given up.

    `net` is net damage to be suffered, `shuffle` how many installed cards go back into the stack.
    """

    credits: int = 0
    clicks: int = 0
    trash_self: bool = False
    counter: str = ""
    trash: str = ""
    forfeit: bool = False
    x: bool = False
    net: int = 0
    shuffle: int = 0


@dataclass(frozen=True, slots=True)
class Ability:
    """A paid ability. `when`: 'action', 'paid', 'run', 'encounter', 'break', or 'prevent:KIND'."""

    cost: Cost
    do: Effects
    when: str = "paid"
    only_if: str = ""


@dataclass(frozen=True, slots=True)
class On:
    """A trigger: when `event` happens and `when` holds, do."""

    event: str
    do: Effects
    when: str = ""


@dataclass(frozen=True, slots=True)
class Static:
    """Something that holds while the card is active: kind ('memory', 'link', 'strength', …), amount, filter."""

    kind: str
    n: Amount
    what: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """What one card does. Everything left out it does not do."""

    play: Effects = ()
    play_if: str = ""
    play_x: str = ""  # the most that X of its cost may be
    subs: tuple[Effects, ...] = ()
    abilities: tuple[Ability, ...] = ()
    on: tuple[On, ...] = ()
    static: tuple[Static, ...] = ()
    access: Effects = ()
    no_access_in: str = ""
    reveal_in: str = ""
    advanceable: bool = False
    recurring: int = 0
    pays: str = ""  # purposes that its credits may pay for
    host: str = ""  # filter of what it must be installed on
    hosts: int = 0  # memory of programs that it can host
    rez_forfeit: bool = False
    steal: Cost = Cost()  # what it costs besides to steal it
    only_in: str = ""
    bioroid: bool = False


# Effects.
@dataclass(frozen=True, slots=True)
class Gain(Effect):
    n: Amount
    who: str = "me"


@dataclass(frozen=True, slots=True)
class Lose(Effect):
    n: Amount
    who: str = "me"


@dataclass(frozen=True, slots=True)
class Draw(Effect):
    n: int
    who: str = "me"


@dataclass(frozen=True, slots=True)
class GainClicks(Effect):
    n: int


@dataclass(frozen=True, slots=True)
class LoseClick(Effect):
    who: str = "runner"


@dataclass(frozen=True, slots=True)
class GiveTags(Effect):
    n: Amount


@dataclass(frozen=True, slots=True)
class RemoveTags(Effect):
    n: int


@dataclass(frozen=True, slots=True)
class Damage(Effect):
    kind: str
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
    pass


@dataclass(frozen=True, slots=True)
class Trace(Effect):
    base: int
    then: Effects


@dataclass(frozen=True, slots=True)
class May(Effect):
    """`who` may pay the cost; with 'or_else' the refusal has a price."""

    then: Effects
    cost: Cost = Cost()
    who: str = "me"
    or_else: Effects = ()
    only_if: str = ""


@dataclass(frozen=True, slots=True)
class If(Effect):
    condition: str
    then: Effects
    or_else: Effects = ()


@dataclass(frozen=True, slots=True)
class Either(Effect):
    """One of two, by words."""

    first: tuple[str, Effects]
    second: tuple[str, Effects]
    who: str = "me"

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
    """Pick `count` different cards of a filter, one after another, and do something with each as the target."""

    what: str
    do: Effects
    who: str = "me"
    count: Amount = 1
    optional: bool = False


@dataclass(frozen=True, slots=True)
class AddCounters(Effect):
    kind: str
    n: Amount = 1
    on: str = "self"


@dataclass(frozen=True, slots=True)
class TakeHosted(Effect):
    """Take hosted credits into the pool, as many as there are of n; trash the card when it is empty."""

    n: int


@dataclass(frozen=True, slots=True)
class Trash(Effect):
    """Trash the target or the card itself."""

    what: str = "target"


@dataclass(frozen=True, slots=True)
class Rez(Effect):
    """Rez the target."""

    free: bool = True


@dataclass(frozen=True, slots=True)
class Derez(Effect):
    pass


@dataclass(frozen=True, slots=True)
class Expose(Effect):
    pass


@dataclass(frozen=True, slots=True)
class Take(Effect):
    """Add the target to the hand of its owner; from a deck it is shown if `reveal`, and the deck is shuffled."""

    reveal: bool = False


@dataclass(frozen=True, slots=True)
class Shuffle(Effect):
    pass


@dataclass(frozen=True, slots=True)
class Remember(Effect):
    pass


@dataclass(frozen=True, slots=True)
class Forfeit(Effect):
    """Forfeit the agenda itself."""


@dataclass(frozen=True, slots=True)
class InstallTarget(Effect):
    """Install the target, at a discount, or for nothing and rezzed."""

    discount: int = 0
    free: bool = False


@dataclass(frozen=True, slots=True)
class RunOn(Effect):
    """Run one of these servers ('any' for all); `mods` change the run."""

    servers: str = "any"
    mods: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Break(Effect):
    """Break up to `most` subroutines of the encountered ice, if its subtype is this ('any' for all)."""

    subtype: str
    most: int = 1


@dataclass(frozen=True, slots=True)
class Last(Effect):
    """Something lasting on self, target or the encountered ice: kind 'strength' or 'subtypes'."""

    kind: str
    n: Amount
    on: str
    until: str = "encounter"


@dataclass(frozen=True, slots=True)
class Bypass(Effect):
    pass


@dataclass(frozen=True, slots=True)
class Modify(Effect):
    """Change the running run."""

    mod: str


@dataclass(frozen=True, slots=True)
class NextIce(Effect):
    """The next ice met in this run is stronger while it is met; net damage if it is not fully broken."""

    strength: int
    damage: int


@dataclass(frozen=True, slots=True)
class Prevent(Effect):
    n: int


@dataclass(frozen=True, slots=True)
class MoreAccess(Effect):
    """Access more cards in this breach: the Runner's choice of fewer than the hosted virus counters."""


@dataclass(frozen=True, slots=True)
class Siphon(Effect):
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
    pass


@dataclass(frozen=True, slots=True)
class RezOrTrash(Effect):
    """The Corp rezzes the target, paying for it, or trashes it."""


@dataclass(frozen=True, slots=True)
class BypassFor(Effect):
    """The Runner may pay for each subroutine of the encountered ice and bypass it."""

    each: int


@dataclass(frozen=True, slots=True)
class Toll(Effect):
    """The Runner pays if able; else the run ends."""

    n: int


@dataclass(frozen=True, slots=True)
class Psi(Effect):
    """Both players bid up to `most` credits in secret, show and spend them; `then` when they differ."""

    most: int
    then: Effects


@dataclass(frozen=True, slots=True)
class CannotSteal(Effect):
    """The accessed card can't be stolen during this access."""
