"""How much a match counts for each of its people. The weights are stored with it, so ratings can be computed again.

Each person is compared with each opponent by the model, as in a match of two, and the changes are averaged. A weight is
known before the result wherever the result does not decide it: what counts less, counts less for both, so nobody loses
in the long run by playing against who is new. The rules and their figures are in docs/decisions/what-a-match-counts.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import msgspec

from server.accounts.identity import Player
from server.ratings.bradley_terry import SHOWN_PER_MU, Rating, compared
from server.ratings.played import HowPlayed, Leaver

Why = Literal["early", "day", "private", "near", "machine", "new"]
VERSION: Final = 2  # of this way of rating; a match without weights was rated as before them
STEP: Final = 0.45  # of the model's change: with all of it a newcomer is soon shown far from where they belong
LOOSE: Final = 0.5  # weight of an opponent who is new, knows few, is near or of the other kind; of a private match
LOOSE_SETTLED: Final = 0.25  # the same for who is settled
SETTLED: Final = 30  # matches on a ladder
DAY_RISE: Final = 55  # points that a settled rating is at most above its lowest of the last 24 hours
SHARE_OF_RISE: Final = 5  # a match brings a settled rating at most a fifth of what is left of these
NEW_RISE: Final = 400  # the same for one that is not settled: who is 300 stronger than the others is shown there
SHARE_OF_NEW_RISE: Final = 2
LEAST_LOSS: Final = 0.5  # what a lost match counts at least, however little is left
LOOSE_A_DAY: Final = 200  # points that a rating which is not settled may gain so from loose opponents, about
LEAST_LOOSE: Final = 0.1  # what a match against these counts, then
KNOWN_AFTER: Final = 10  # matches on a ladder before an opponent is not new
KNOWN_BY: Final = 5  # people that an opponent has met in the LOOKED_BACK last matches
LOOKED_BACK: Final = 30
THIN_BELOW: Final = 0.75  # a match of which less was played tells nothing of whom somebody has met: half a usual one
TOLD_BELOW: Final = 0.95  # what counts at least so much counts in full, as people are told


def can_count(players: Iterable[Player]) -> bool:
    """Tell whether a match of these can count: of two accounts or more, and without a guest."""
    people = [player for player in players if not player.is_bot]
    accounts = {player.account_id for player in people} - {None}
    return len(accounts) >= max(2, len(people))


@dataclass(frozen=True, slots=True)
class KnownRating:
    """What is known of a rating before a match: whether it is known well, its lowest mu and loose gain of a day."""

    rating: Rating
    is_known: bool
    lowest: float
    loose: float

    @property
    def is_settled(self) -> bool:
        return self.rating.matches >= SETTLED


@dataclass(frozen=True, slots=True)
class Against:
    """What one opponent counts for: `score` 1 won, 0 lost."""

    seat: int
    score: float
    weight: float
    loose: bool = False


@dataclass(frozen=True, slots=True)
class SeatWeights:
    """What a match counts for one seat, opponent by opponent, and why not in full."""

    against: tuple[Against, ...]
    why: Why | None = None


@dataclass(frozen=True, slots=True)
class MatchWeights:
    """What a match counts, by seat. `thin`: it tells nothing of how many opponents these people have.

    `machines`: the seats that count on the ladders of machines.
    """

    seats: Mapping[int, SeatWeights]
    thin: bool = False
    v: int = field(default=VERSION)
    machines: tuple[int, ...] = ()

    def stored(self) -> dict[str, Any]:
        """Return the weights as JSON values."""
        held: dict[str, Any] = msgspec.to_builtins(self, str_keys=True)
        return held if self.machines else {name: value for name, value in held.items() if name != "machines"}


def read(stored: Mapping[str, Any]) -> MatchWeights:
    """Read stored weights."""
    return msgspec.convert(stored, MatchWeights, strict=False, str_keys=True)


def weigh(standings: Mapping[int, KnownRating], places: Sequence[Sequence[int]], played: HowPlayed) -> MatchWeights:
    """Return the weights of a match that ends now; `standings` by seat, of its people."""
    tier_of = {seat: tier for tier, held in enumerate(places) for seat in held}
    leavers = {one.seat: one for one in played.leavers}
    seats = {seat: _seat(seat, standings, tier_of, leavers, played) for seat in standings}
    cut_short = min([played.drawn_part, *(one.part for one in played.leavers)])
    machines = tuple(sorted(set(played.machines) & standings.keys()))
    has_both = 0 < len(machines) < len(standings)
    is_thin = cut_short < THIN_BELOW or played.private or bool(played.near) or has_both
    return MatchWeights(seats, is_thin, machines=machines)


def step(own: Rating, against: Sequence[Against], others: Mapping[int, Rating]) -> tuple[Rating, float]:
    """Return a rating after a match, and how much of mu was gained from loose opponents."""
    mu, variance, loose = own.mu, own.sigma**2, 0.0
    for one in against:
        after = compared(own, others[one.seat], one.score)
        gained = STEP * one.weight * (after.mu - own.mu)
        mu += gained
        variance += one.weight * (after.sigma**2 - own.sigma**2)
        loose += gained if one.loose else 0.0
    return Rating(mu, variance**0.5, own.matches + 1), max(0.0, loose)


def _seat(
    seat: int,
    standings: Mapping[int, KnownRating],
    tier_of: Mapping[int, int],
    leavers: Mapping[int, Leaver],
    played: HowPlayed,
) -> SeatWeights:
    """Return what a match counts for one seat: by opponents first, then by what the day has brought already."""
    whole: list[tuple[Against, float]] = []  # with the part of a match that the opponent played
    gone, loose = leavers.get(seat), LOOSE_SETTLED if standings[seat].is_settled else LOOSE
    for other in sorted(standings.keys() - {seat}):
        is_near = played.private or _pair(seat, other) in played.near
        is_loose = is_near or _is_mixed(seat, other, played) or not standings[other].is_known
        if gone is not None and other not in gone.still:
            continue
        score, part = _outcome(seat, other, tier_of, leavers)
        weight = part * (played.drawn_part if score == 0.5 else 1.0) * (loose if is_loose else 1.0)
        whole.append((Against(other, score, weight, is_loose), part))
    n_opponents = max(1.0, sum(part for _, part in whole))
    averaged = [Against(one.seat, one.score, one.weight / n_opponents, one.loose) for one, _ in whole]
    limited, day = _by_day(standings[seat], averaged, {other: held.rating for other, held in standings.items()})
    is_cut = any(part < TOLD_BELOW for _, part in whole) or played.drawn_part < TOLD_BELOW
    return SeatWeights(tuple(limited), _why(seat, averaged, played, is_cut=is_cut, day=day))


def _is_mixed(one: int, other: int, played: HowPlayed) -> bool:
    """Tell whether a person met a machine: whoever has machines of their own could win against these as they like."""
    return (one in played.machines) is not (other in played.machines)


def _pair(one: int, other: int) -> tuple[int, int]:
    return min(one, other), max(one, other)


def _outcome(seat: int, other: int, tier_of: Mapping[int, int], leavers: Mapping[int, Leaver]) -> tuple[float, float]:
    """Return the score against one opponent, and what part of a match it counts.

    Who left has lost to all who played on, in full; for these it counts by how much was played.
    """
    if seat in leavers and other in leavers[seat].still:
        return 0.0, 1.0
    if other in leavers and seat in leavers[other].still:
        return 1.0, leavers[other].part
    own, theirs = tier_of[seat], tier_of[other]
    return (0.5 if own == theirs else 1.0 if own < theirs else 0.0), 1.0


def _by_day(
    standing: KnownRating, against: Sequence[Against], others: Mapping[int, Rating]
) -> tuple[list[Against], float]:
    """Return the weights after the limits of a day, and what the match counts by these, 0 to 1."""
    if standing.is_settled:
        day = _by_rise(standing, against, others, DAY_RISE, SHARE_OF_RISE)
        return [_weighed(one, day) for one in against], day
    loose = max(LEAST_LOOSE, 1.0 - standing.loose * SHOWN_PER_MU / LOOSE_A_DAY)
    limited = [_weighed(one, loose) if one.loose else one for one in against]
    day = _by_rise(standing, limited, others, NEW_RISE, SHARE_OF_NEW_RISE)
    return [_weighed(one, day) for one in limited], day * (loose if any(one.loose for one in against) else 1.0)


def _by_rise(
    standing: KnownRating, against: Sequence[Against], others: Mapping[int, Rating], rise: int, share: int
) -> float:
    """Return what a match counts where a rating is at most `rise` points above its lowest of the last 24 hours.

    It brings at most one part in `share` of what is left of these.
    """
    own = standing.rating
    left = rise / SHOWN_PER_MU - (own.mu - standing.lowest)
    won = [Against(one.seat, 1.0, one.weight) for one in against]
    most = step(own, won, others)[0].mu - own.mu
    day = min(1.0, max(0.0, left / share / most)) if most > 0 else 1.0
    return max(LEAST_LOSS, day) if step(own, against, others)[0].mu < own.mu else day


def _weighed(one: Against, by: float) -> Against:
    return Against(one.seat, one.score, one.weight * by, one.loose)


def _why(
    seat: int,
    against: Sequence[Against],
    played: HowPlayed,
    *,
    is_cut: bool,
    day: float,
) -> Why | None:
    """Return the first reason why a match counts less than in full; None: it does not."""
    if is_cut:
        return "early"
    if day < TOLD_BELOW:
        return "day"
    if not any(one.loose for one in against):
        return None
    if played.private:
        return "private"
    if any(_pair(seat, one.seat) in played.near for one in against):
        return "near"
    return "machine" if any(_is_mixed(seat, one.seat, played) for one in against) else "new"
