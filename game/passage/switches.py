"""The options of Passage and its two presets (Passage §2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final

from game.contract import Json, Option
from game.errors import BadNotation
from game.options import as_first_stored, complete
from game.passage import changes
from game.passage.cards import DEALT, FUNCTIONS, WARDENS, Card

SUPPLEMENTS: Final = (Card.BEG, Card.NIGHTMARE, Card.BLANK)
BOTTOM_RULES: Final = ("count", "whole_phase", "printed")
NO_MEANING, REBIRTH = "none", "rebirth"  # what Blank may mean besides a function card
MEANINGS: Final = (*FUNCTIONS, *(card for card in SUPPLEMENTS if card is not Card.BLANK))
PRINTED: Final[dict[Card, int]] = {**FUNCTIONS, **dict.fromkeys(SUPPLEMENTS, 1)}
PLACES: Final = {card: place for place, card in enumerate(PRINTED)}
MOST_OF_A_CARD: Final = 20
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

# The two variants of the game, each as its options, for the new-match form.
PRESETS: Final[Mapping[str, Mapping[str, Json]]] = {
    "tuding": dict.fromkeys(("open_reinsertion", "no_spare_wardens", "no_hand_limit"), True),
    "three_zones": dict.fromkeys(("reconnect_mixes_discards", "passage_returns", "rebirth"), True),
}

OPTIONS: Final[tuple[Option, ...]] = (
    Option("supplements", "set", [Card.BEG.value], tuple(card.value for card in SUPPLEMENTS)),
    Option("bottom_rule", "choice", "count", BOTTOM_RULES),
    *(Option(name, "flag", False, is_offered=name != "zones") for name in FLAGS),
    Option("blank", "choice", NO_MEANING, (NO_MEANING, REBIRTH, *(card.value for card in MEANINGS))),
    Option(
        "deck",
        "counts",
        {card.value: count for card, count in PRINTED.items()},
        tuple(card.value for card in PRINTED),
        high=MOST_OF_A_CARD,
    ),
)
LATER: Final[dict[str, Json]] = {option.name: option.default for option in OPTIONS if option.name in ("blank", "deck")}


@dataclass(frozen=True, slots=True)
class Switches:
    """The rules of one match. `zones` changes nothing: the third zone is always there."""

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
    blank: str = NO_MEANING
    counts: tuple[int, ...] = tuple(PRINTED.values())  # of each card of PRINTED, those in no deck too

    @property
    def blank_is_rebirth(self) -> bool:
        """Tell whether Blank acts when it is drawn: by its meaning or by variant B."""
        return self.rebirth or self.blank == REBIRTH

    @property
    def has_blank(self) -> bool:
        """Tell whether Blank is in the deck, once it has a meaning."""
        return self.rebirth or Card.BLANK in self.supplements

    def acts_as(self, card: Card) -> Card:
        """Return what a card counts as: Blank as the function that the option `blank` names."""
        if card is not Card.BLANK or self.blank in (NO_MEANING, REBIRTH):
            return card
        return Card(self.blank)

    def count(self, card: Card) -> int:
        """Return how many of a function or supplement there are, if it is in the deck."""
        return self.counts[PLACES[card]]

    @property
    def judges(self) -> int:
        """Return how many Judges the deck has, Blanks that count as one among them."""
        blanks = self.count(Card.BLANK) if self.has_blank and self.acts_as(Card.BLANK) is Card.JUDGE else 0
        return self.count(Card.JUDGE) + blanks

    def functions(self) -> list[Card]:
        """Return every function that can be dealt: the deck's and the supplements', Blank where it acts as one."""
        has_function = self.acts_as(Card.BLANK) is not Card.BLANK
        chosen = [card for card in self.supplements if card is not Card.BLANK or has_function]
        return [card for card in (*FUNCTIONS, *chosen) for _ in range(self.count(card))]

    def blanks(self) -> list[Card]:
        """Return the Blanks that stand for rebirth: they are in the pile from the start (Passage §6)."""
        return [Card.BLANK] * self.count(Card.BLANK) if self.blank_is_rebirth and self.has_blank else []

    def deck(self, n_seats: int) -> list[Card]:
        """Return every card a match of so many players is played with (Passage §1.2)."""
        wardens = n_seats if self.no_spare_wardens else WARDENS
        return [Card.WARDEN] * wardens + [Card.PASSAGE] * (n_seats - 1) + self.functions() + self.blanks()


def read_switches(given: Mapping[str, Json], version: int) -> Switches:
    """Read a match's options under a version of the rules.

    Raises BadNotation for an unknown name or a value out of range, a Blank in the deck that means nothing or two
    things, and a number for a supplement that is not in.
    """
    values = complete(OPTIONS, given)
    chosen, deck = values.pop("supplements"), values.pop("deck")
    names = _names(chosen)
    counts = tuple(deck.values()) if isinstance(deck, dict) else ()
    flags = {name: values[name] is True for name in FLAGS}
    switches = Switches(
        tuple(map(Card, names)),
        str(values["bottom_rule"]),
        **flags,
        blank=str(values["blank"]),
        counts=tuple(count for count in counts if isinstance(count, int)),
    )
    _check(switches, version)
    return switches


def _check(switches: Switches, version: int) -> None:
    """Refuse options that contradict each other."""
    if switches.rebirth and switches.blank not in (NO_MEANING, REBIRTH):
        raise BadNotation("option.value", f"blank={switches.blank} and rebirth")
    is_meant = switches.blank_is_rebirth or switches.blank != NO_MEANING
    if switches.has_blank and not is_meant and changes.a_blank_needs_a_meaning(version):
        raise BadNotation("passage.error.blank", "blank=none")
    for card in SUPPLEMENTS:
        is_in = card in switches.supplements or (card is Card.BLANK and switches.rebirth)
        if not is_in and switches.count(card) != PRINTED[card]:
            raise BadNotation("option.value", f"deck={card.value}:{switches.count(card)} without the supplement")


def moot(options: Mapping[str, Json]) -> frozenset[str]:
    """Return what changes nothing beside complete options: numbers of cards that aren't in, what Blank means there.

    With Rebirth, Blank is in the deck and means that, whatever else is said of it.
    """
    is_rebirth = options["rebirth"] is True
    held = {*_names(options["supplements"]), *((Card.BLANK.value,) if is_rebirth else ())}
    found = {f"deck:{card.value}" for card in SUPPLEMENTS if card.value not in held}
    if is_rebirth or Card.BLANK.value not in held:
        found.add("blank")
    return frozenset(found | ({f"supplements:{Card.BLANK.value}"} if is_rebirth else set()))


def entailed(options: Mapping[str, Json], changed: str) -> dict[str, Json]:
    """Return complete options after one was changed: a Blank that is in means something, one that is not, nothing."""
    out, names = dict(options), _names(options["supplements"])
    others: list[Json] = [name for name in names if name != Card.BLANK.value]
    if changed == "blank":
        out["supplements"] = [*others, *(() if out["blank"] == NO_MEANING else (Card.BLANK.value,))]
    elif changed == "supplements" and len(others) == len(names):
        out["blank"] = NO_MEANING
    elif changed == "supplements" and out["blank"] == NO_MEANING:
        out["blank"] = REBIRTH
    elif changed == "rebirth" and out["rebirth"]:
        out |= {"blank": NO_MEANING, "supplements": others}
    return out | {"deck": _counts(out)}


def _names(chosen: Json) -> list[str]:
    return [str(name) for name in chosen] if isinstance(chosen, list) else []


def _counts(options: Mapping[str, Json]) -> dict[str, Json]:
    """Return how many there are of each card: of those that aren't in, as many as are printed."""
    deck, out = options["deck"], moot(options)
    assert isinstance(deck, dict)
    return {name: PRINTED[Card(name)] if f"deck:{name}" in out else n for name, n in deck.items()}


def check_deal(switches: Switches, n_seats: int) -> None:
    """Refuse a deck that has not four functions for each player. Raises BadNotation."""
    if len(switches.functions()) < DEALT * n_seats:
        raise BadNotation("passage.error.deck", f"{len(switches.functions())} for {n_seats} players")


def write_switches(switches: Switches) -> dict[str, Json]:
    """Write the options out, so that `read_switches` reads them back; later ones only where they differ."""
    out: dict[str, Json] = {
        field.name: getattr(switches, field.name) for field in fields(switches) if field.name != "counts"
    }
    out["supplements"] = [card.value for card in switches.supplements]
    out["deck"] = {card.value: count for card, count in zip(PRINTED, switches.counts, strict=True)}
    return as_first_stored(out, LATER)
