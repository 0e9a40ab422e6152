"""What people agree on before a match: one value, from the seek or room to the stored match and every list of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from game import registry
from game.contract import Json
from game.errors import BadNotation
from game.options import deviating
from game.rng import SEED_BYTES
from server.matches.rated import can_be_rated
from server.matches.speeds import SPEEDS, UNTIMED


@dataclass(frozen=True, slots=True)
class Agreement:
    """What everybody who sits down agrees to. `options` left out have their defaults; `players` counts the seats."""

    game: str
    players: int = 2
    options: Mapping[str, Json] = field(default_factory=dict)
    speed: str = "normal"
    rated: bool = False
    private: bool = False  # not listed: by invite code only
    watchable: bool = True  # who has no seat may look on while it is played
    gallery_chat: bool = True  # who looks on may talk while it is played
    warnings: bool = True  # boards say what threatens their player's cards or pieces
    bots_replace: bool = False  # a bot takes the seat of who leaves (more than two players)
    machines: bool = False  # accounts that programs play for may take part

    def checked(self, may_be_untimed: bool = False, rules_version: int | None = None) -> Agreement:
        """Return the agreement with the options that differ from the rules', in plain form.

        What can't be rated is casual. Raises BadNotation for a game, a number of players or a
        speed that there is not, for a match without a clock unless it may be one, for unknown options and for options
        that contradict each other: no match could begin.
        """
        check_playable(self.game, self.players, self.speed, may_be_untimed)
        rules = registry.get(self.game, rules_version)
        options = deviating([one for one in rules.options() if not one.per_seat], self.options)
        rules.setup(options, self.players, bytes(SEED_BYTES))
        return replace(self, options=options, rated=self.rated and can_be_rated(options, self.speed))


@dataclass(frozen=True, slots=True)
class Switch:
    """An on/off field of an agreement, for whoever shows, stores or sets all of them alike.

    Its texts in the catalogues begin with `key`: the name of a form's row, its help (.help), and what a room says of it
    (.on and .off). `for_many`: it means something only where there may be more than two players. `stays`: it can't be
    set otherwise once others are in the room. `of_boards`: it means something only where a game's board has such a
    thing. `of_watching`: it means something only where others may look on. `is_rare`: no form of a room has it, and
    rooms tell of it only where it is set.
    """

    name: str
    usual: bool
    for_many: bool = False
    stays: bool = False
    of_boards: bool = False
    of_watching: bool = False
    is_rare: bool = False

    @property
    def key(self) -> str:
        """Return what the keys of its texts begin with."""
        return f"agreed.{self.name.replace('_', '-')}"

    def said_of(self, agreement: Agreement) -> str:
        """Return the key of what a room says of it."""
        return f"{self.key}.{'on' if self.of(agreement) else 'off'}"

    def of(self, agreement: Agreement) -> bool:
        """Return how it is set."""
        return bool(getattr(agreement, self.name))

    def flipped(self, agreement: Agreement) -> Agreement:
        """Return the agreement with this set the other way."""
        changes: dict[str, Any] = {self.name: not self.of(agreement)}
        return replace(agreement, **changes)


SWITCHES: Final = (
    Switch("private", usual=False, stays=True),
    Switch("watchable", usual=True),
    Switch("gallery_chat", usual=True, of_watching=True),
    Switch("warnings", usual=True, of_boards=True),
    Switch("bots_replace", usual=False, for_many=True),
    Switch("machines", usual=False, is_rare=True),
)


def with_switches(agreement: Agreement, said: object) -> Agreement:
    """Return the agreement with its switches as an object says that has them as fields: what a program sends."""
    changes: dict[str, Any] = {one.name: bool(getattr(said, one.name)) for one in SWITCHES}
    return replace(agreement, **changes)


def switches(agreement: Agreement) -> dict[str, bool]:
    """Return how every switch is set, by name."""
    return {one.name: one.of(agreement) for one in SWITCHES}


def unusual(agreement: Agreement) -> tuple[Switch, ...]:
    """Return the switches that are set differently from the usual: what is stored of them, and shown in lists."""
    return tuple(one for one in SWITCHES if one.of(agreement) != one.usual)


def check_playable(game: str, n_players: int, speed: str, may_be_untimed: bool) -> None:
    """Raise BadNotation for a game, a number of players or a speed that there is not; untimed is against bots only."""
    if n_players not in registry.get(game).seats:
        raise BadNotation("match.unknown-seat", str(n_players))
    if speed == UNTIMED.name and not may_be_untimed:
        raise BadNotation("match.untimed-is-for-bots", speed)
    if speed not in SPEEDS and speed != UNTIMED.name:
        raise BadNotation("match.unknown-speed", f"{speed} ({', '.join(SPEEDS)})")
