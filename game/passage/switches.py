"""What varies from match to match: the options of Passage and its two presets (Passage §2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final

from game.contract import Json, Option
from game.options import complete
from game.passage.cards import FUNCTIONS, WARDENS, Card

SUPPLEMENTS: Final = (Card.BEG, Card.NIGHTMARE, Card.BLANK)
BOTTOM_RULES: Final = ("count", "whole_phase")
FLAGS: Final = (
    "veto_chain",
    "judge_clears_draws",
    "bottom_targets_others",
    "open_reinsertion",
    "no_spare_wardens",
    "no_hand_limit",
    "zones",
    "reconnect_mixes_discards",
    "passage_returns",
    "rebirth",
)

# The two house variants, each as its switches: what the new-match form fills in.
PRESETS: Final[Mapping[str, Mapping[str, Json]]] = {
    "tuding": dict.fromkeys(("open_reinsertion", "no_spare_wardens", "no_hand_limit"), True),
    "three_zones": dict.fromkeys(("zones", "reconnect_mixes_discards", "passage_returns", "rebirth"), True),
}

OPTIONS: Final[tuple[Option, ...]] = (
    Option("supplements", "set", [Card.BEG.value], tuple(card.value for card in SUPPLEMENTS)),
    Option("bottom_rule", "choice", "count", BOTTOM_RULES),
    *(Option(name, "flag", False) for name in FLAGS),
)


@dataclass(frozen=True, slots=True)
class Switches:
    """The rules of one match. `zones` only names the third zone, which is there anyway: it changes nothing else."""

    supplements: tuple[Card, ...] = (Card.BEG,)
    bottom_rule: str = "count"
    veto_chain: bool = False
    judge_clears_draws: bool = False
    bottom_targets_others: bool = False
    open_reinsertion: bool = False
    no_spare_wardens: bool = False
    no_hand_limit: bool = False
    zones: bool = False
    reconnect_mixes_discards: bool = False
    passage_returns: bool = False
    rebirth: bool = False

    def functions(self) -> list[Card]:
        """Return every function that can be dealt: the 55-card deck's and the supplements but Blank."""
        cards = [card for card, count in FUNCTIONS.items() for _ in range(count)]
        return cards + [card for card in self.supplements if card is not Card.BLANK]

    def blanks(self) -> list[Card]:
        """Return the Blank that stands in for rebirth; it is in no other deck (Passage §6)."""
        return [Card.BLANK] if self.rebirth else []

    def deck(self, n_seats: int) -> list[Card]:
        """Return every card a match of so many players is played with (Passage §1.2)."""
        wardens = n_seats if self.no_spare_wardens else WARDENS
        return [Card.WARDEN] * wardens + [Card.PASSAGE] * (n_seats - 1) + self.functions() + self.blanks()


def read_switches(given: Mapping[str, Json]) -> Switches:
    """Read a match's options. Raises BadNotation for an unknown name or a value out of range."""
    values = complete(OPTIONS, given)
    chosen = values.pop("supplements")
    names = [str(name) for name in chosen] if isinstance(chosen, list) else []
    flags = {name: values[name] is True for name in FLAGS}
    return Switches(tuple(map(Card, names)), str(values["bottom_rule"]), **flags)


def write_switches(switches: Switches) -> dict[str, Json]:
    """Write the options out in full, so that `read_switches` reads them back."""
    out: dict[str, Json] = {field.name: getattr(switches, field.name) for field in fields(switches)}
    out["supplements"] = [card.value for card in switches.supplements]
    return out
