"""What pages and boards are composed of: values that know what they are, and not where they stand.

`itemlines.py` and `playercard.py` lay them out; whoever tells a page otherwise finds here what there is to tell.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from server.terminal.lines import Line


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """What is left of a player's time, in words; `note`: what is said before it where there is room."""

    words: str
    runs: bool = False
    is_low: bool = False
    note: str = ""

    @property
    def style(self) -> str:
        """Return the style of its digits."""
        if not self.runs:
            return "clock"
        return "clock.low" if self.is_low else "clock.run"


@dataclass(frozen=True, slots=True)
class PlayerCard:
    """A player at a board. `short` is a name for where there is little room, `note` what matters more than a rating.

    `holds`: what lies before them, `aside`: what is said of it; each part stands whole where there is room.
    """

    seat: int
    mark: str
    name: str
    short: str = ""
    rating: str = ""
    note: str = ""
    clock: TimeLeft | None = None
    is_turn: bool = False
    is_past: bool = False  # one goes through the match: whose turn it is has a mark, and nothing that stands out
    holds: tuple[Line, ...] = ()
    aside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Heading:
    """What the items after it have in common: the head of a panel. `key`: what one presses to go there.

    `level`: of a text with headings in headings, from 1; 0: of anything else.
    """

    text: str
    key: str = ""
    level: int = 0


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence, or a few. `tone`: the style it is drawn in; `is_whole`: it has a line of its own, to be copied."""

    text: str
    tone: str = ""
    is_whole: bool = False


@dataclass(frozen=True, slots=True)
class Toast:
    """What is said above the keys until the next key: something went well, failed, or has happened elsewhere."""

    text: str
    tone: str = "warn"


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """What one is asked above the keys, to be answered before anything else."""

    text: str


@dataclass(frozen=True, slots=True)
class Banner:
    """What happened just now and must not be missed: it stands below the title."""

    text: str


@dataclass(frozen=True, slots=True)
class Progress:
    """How many steps are done, of how many."""

    done: int
    of: int


@dataclass(frozen=True, slots=True)
class ListRow:
    """One of several things to choose from, in words that need no column heads."""

    text: str
    is_chosen: bool = False


@dataclass(frozen=True, slots=True)
class SettingRow:
    """A row of a form: what is set, and to what; `can_change`: left and right change it.

    `note`: what it is about. `is_on`: how a switch stands; None: it is none. `digits`: columns that its number takes.
    """

    name: str
    value: str
    can_change: bool = True
    note: str = ""
    is_chosen: bool = False
    is_on: bool | None = None
    digits: int = 0


@dataclass(frozen=True, slots=True)
class Tabs:
    """Leaves of a page, of which one shows."""

    names: tuple[str, ...]
    chosen: int


@dataclass(frozen=True, slots=True)
class Offer:
    """Something one can do now: its key, what it does, and why one would."""

    key: str
    label: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Empty:
    """What stands where nothing is listed: that it is so, and what one can do instead."""

    text: str
    offers: tuple[Offer, ...] = ()


@dataclass(frozen=True, slots=True)
class SparkLine:
    """How a number went, oldest first."""

    values: tuple[float, ...]


Item: TypeAlias = Heading | Said | ListRow | SettingRow | Tabs | Offer | Empty | SparkLine | PlayerCard
