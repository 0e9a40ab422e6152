"""Filters of the card language: from which pool a card may be chosen, and what it must be.

`places.candidates` asks them. A question keeps its filter as text ('ice rezzed here'), in a position as in a prompt.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final, Literal, TypeAlias, cast, get_args, overload

from game.netrunner.facts import Kind

TablePool = Literal["ice", "root", "corp", "rig", "score", "stolen"]
Zone = Literal["hq", "rd", "archives", "grip", "stack", "heap", "hq+archives"]
TableTrait = Literal["rezzed", "unrezzed", "advanceable", "advanced", "other", "here", "non-virtual"]
ZoneTrait = Literal[
    "hardware-or-program",
    "installable",
    "rootable",
    "runner-installable",
    "own-faction",
    "worth-power",
    "same",
]
SECRET: Final = ("hq", "rd", "grip", "stack", "hq+archives")  # pools that only one side knows


@dataclass(frozen=True, slots=True)
class OnTable:
    """Cards on the table: installed ones, or agendas in a score area."""

    pool: TablePool
    traits: tuple[TableTrait | Kind, ...] = ()

    @property
    def text(self) -> str:
        """Return the filter as positions keep it.

        >>> OnTable("ice", ("rezzed", "here")).text
        'ice rezzed here'
        """
        return " ".join((self.pool, *(trait.replace(" ", "_") for trait in self.traits)))


@dataclass(frozen=True, slots=True)
class InZone:
    """Cards of a hand, a deck, Archives or the heap; of a deck only the first so many with `size`."""

    pool: Zone
    traits: tuple[ZoneTrait | Kind, ...] = ()
    size: int = 0

    @property
    def text(self) -> str:
        """Return the filter as positions keep it.

        >>> InZone("rd", ("ice",), size=3).text
        'rd:3 ice'
        """
        pool = f"{self.pool}:{self.size}" if self.size else self.pool
        return " ".join((pool, *(trait.replace(" ", "_") for trait in self.traits)))


Filter: TypeAlias = OnTable | InZone


@overload
def cards(pool: TablePool, *traits: TableTrait | Kind) -> OnTable: ...
@overload
def cards(pool: Zone, *traits: ZoneTrait | Kind) -> InZone: ...
def cards(pool: TablePool | Zone, *traits: TableTrait | ZoneTrait | Kind) -> Filter:
    """Return the filter of a pool's cards with all these traits, in the order in which they are read."""
    return made(pool, traits, 0)


@cache
def read(text: str) -> Filter:
    """Return the filter that a question keeps as text. Raises ValueError for a pool or trait that there is not.

    >>> read("ice rezzed here")
    OnTable(pool='ice', traits=('rezzed', 'here'))
    """
    first, *words = text.split()
    pool, _, size = first.partition(":")
    return made(pool, tuple(word.replace("_", " ") for word in words), int(size or 0))


def made(pool: str, traits: tuple[str, ...], size: int) -> Filter:
    """Return the filter of these words. Raises ValueError for a pool or trait that there is not."""
    on_table = pool in get_args(TablePool)
    known = {*get_args(Kind), *get_args(TableTrait if on_table else ZoneTrait)}
    is_pool = size == 0 if on_table else pool in get_args(Zone)
    if not is_pool or not known.issuperset(traits):
        raise ValueError(pool, traits)
    if on_table:
        return OnTable(cast(TablePool, pool), cast(tuple[TableTrait | Kind, ...], traits))
    return InZone(cast(Zone, pool), cast(tuple[ZoneTrait | Kind, ...], traits), size)
