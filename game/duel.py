"""Bot against bot: many matches with seats swapped, and their statistics."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

from game import registry
from game.bots.uniform import Uniform
from game.choices import contains
from game.contract import Bot, Budgeted, Game, Json, Pending, Result
from game.errors import BadNotation, GameError
from game.rng import Rng

RANDOM = "random"  # a bot of every game
Z95 = 1.959963984540054  # the normal quantile of a 95 % interval
MAX_PLIES = 20_000


@dataclass(frozen=True, slots=True)
class Duel:
    """The settings of a duel: `bots` names one bot a seat; `seed` is any whole number, equal ones give equal matches.

    Without `seat_options` the deals go through the game's own pairings in turn: its usual ones, or the list named
    `pairings`. `positions` is the budget of one decision, for bots whose budget can be set (`Budgeted`); 0: their own.
    """

    game: str
    bots: tuple[str, ...]
    matches: int
    seed: int = 0
    options: Mapping[str, Json] | None = None
    seat_options: tuple[Mapping[str, Json], ...] = ()
    version: int | None = None  # of the rules; None: the newest
    pairings: str = ""
    positions: int = 0


@dataclass(frozen=True, slots=True)
class Played:
    """One match. Bots are in the order in which the duel names them.

    `shares`: each bot's part of the win, 0 to 1. `plies`: the number of decisions, `illegal`: of refused answers.
    `sits`: the seat of each bot. `pairing`: the index of what the seats brought, in `pairings`.
    """

    shares: tuple[float, ...]
    plies: int
    illegal: int
    sits: tuple[int, ...] = ()
    pairing: int = 0


@dataclass(frozen=True, slots=True)
class Share:
    """A share of the wins (a tie is split) over some matches, and its 95 % interval."""

    matches: int
    won: int
    drawn: int
    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Standing(Share):
    """One bot over all matches, and on each seat."""

    bot: str
    seats: tuple[Share, ...]


@dataclass(frozen=True, slots=True)
class Brought(Share):
    """The share of one seat over the matches in which it brought this (a deck, say), whichever bot sat there."""

    seat: int
    brought: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class DuelResult:
    """The statistics of a duel. `plies` is the mean number of decisions a match.

    `brought` has the share of everything that a seat brought, where pairings were asked for by name.
    """

    standings: tuple[Standing, ...]
    matches: int
    plies: float
    illegal: int
    brought: tuple[Brought, ...] = ()


def play(duel: Duel, jobs: int = 1) -> DuelResult:
    """Play all matches, on several processes if wanted: the outcome does not depend on how many.

    Raises BadNotation for an unknown game, bot, option or number of bots.
    """
    check(duel)
    if jobs <= 1 or duel.matches <= 1:
        return tally(duel, (play_one(duel, number) for number in range(duel.matches)))
    with get_context("spawn").Pool(min(jobs, duel.matches)) as pool:
        return tally(duel, pool.imap(_Match(duel), range(duel.matches), chunksize=2))


@dataclass(frozen=True, slots=True)
class _Match:
    """A match of a duel by its number, as worker processes get it."""

    duel: Duel

    def __call__(self, number: int) -> Played:
        return play_one(self.duel, number)


def check(duel: Duel) -> None:
    """Check that the duel can be played. Raises BadNotation."""
    game = registry.get(duel.game, duel.version)
    for name in duel.bots:
        bot_named(duel.game, name)
    for brought in pairings(duel):
        game.setup(duel.options or {}, len(duel.bots), _seed(duel, "check"), brought)


def pairings(duel: Duel) -> Sequence[tuple[Mapping[str, Json], ...]]:
    """Return what the seats bring, one tuple a deal, in turn: what was asked for, else the game's pairings.

    Raises BadNotation where the game has none of that name, or the seats bring something already.
    """
    spec = registry.get(duel.game, duel.version).spec
    if duel.pairings and (duel.seat_options or duel.pairings not in spec.other_pairings):
        raise BadNotation("usage.pairings", duel.pairings[:40])
    if duel.seat_options or len(duel.bots) != 2:
        return (duel.seat_options,)
    return spec.other_pairings[duel.pairings] if duel.pairings else spec.pairings


def bot_named(key: str, name: str, positions: int = 0) -> Bot[Any]:
    """Return a bot of a game, with this budget if it takes one. Raises BadNotation when there is none of that name."""
    if name == RANDOM:
        return Uniform()
    bots = registry.bots(key)
    if name not in bots:
        raise BadNotation("match.unknown-bot", name[:40])
    bot = bots[name]
    return bot.within(positions) if positions and isinstance(bot, Budgeted) else bot


def play_one(duel: Duel, number: int, players: Sequence[Bot[Any]] = ()) -> Played:
    """Play match `number`. Each deal is played once in every seating, so that the luck of the deal cancels out.

    `players` play instead of the bots that the duel names, in the same order.
    """
    game = registry.get(duel.game, duel.version)
    n = len(duel.bots)
    deal, rotation = divmod(number, n)
    bot_of = [(seat + rotation) % n for seat in range(n)]  # by seat, the index of its bot
    named = players or [bot_named(duel.game, name, duel.positions) for name in duel.bots]
    bots = [named[index] for index in bot_of]
    result, plies, illegal = _play_out(game, duel, bots, deal, number)
    first = result.placements[0]
    shares = [0.0] * n
    for seat in first:
        shares[bot_of[seat]] = 1 / len(first)
    seats = tuple(map(bot_of.index, range(n)))
    return Played(tuple(shares), plies, illegal, seats, deal % len(pairings(duel)))


def _play_out(
    game: Game[Any, Any], duel: Duel, bots: Sequence[Bot[Any]], deal: int, number: int
) -> tuple[Result, int, int]:
    """Play to the end; return the result, the number of decisions and how many answers were refused."""
    n = len(bots)
    brought = pairings(duel)
    state = game.setup(duel.options or {}, n, _seed(duel, f"deal {deal}"), brought[deal % len(brought)]).state
    stream = Rng(_seed(duel, f"match {number}"))
    plies = illegal = 0
    while (result := game.result(state)) is None:
        if plies == MAX_PLIES:
            raise RuntimeError(f"match {number} of {duel} does not end")
        pending, stream = stream.choose(game.pending(state))
        answer_stream, stream = stream.split()
        try:
            state = _answer(game, state, pending, bots[pending.seat], answer_stream)
        except GameError:
            illegal += 1
            state = game.timeout(state, pending.seat).state
        plies += 1
    return result, plies, illegal


def _answer(game: Game[Any, Any], state: Any, pending: Pending, bot: Bot[Any], stream: Rng) -> Any:
    """Let a bot answer from its view. Raises GameError when the answer is not offered."""
    action = bot.decide(game.view(state, pending.seat), pending, stream)
    if not contains(pending.choice, action):
        raise BadNotation("bot.not-offered", action.text[:80])
    return game.apply(state, pending.seat, action).state


def _seed(duel: Duel, what: str) -> bytes:
    return hashlib.sha256(f"duel {duel.game} {duel.seed} {what}".encode()).digest()


def tally(duel: Duel, played: Iterable[Played]) -> DuelResult:
    """Return the statistics of these matches of a duel."""
    matches = list(played)
    n = len(matches)
    standings = tuple(_standing(bot, i, matches) for i, bot in enumerate(duel.bots))
    plies = sum(match.plies for match in matches) / max(n, 1)
    brought = tuple(_brought(duel, matches)) if duel.pairings else ()
    return DuelResult(standings, n, plies, sum(match.illegal for match in matches), brought)


def _brought(duel: Duel, matches: Sequence[Played]) -> Iterator[Brought]:
    """Yield the share of everything that a seat brought, seat by seat in the order of the pairings."""
    for seat in range(len(duel.bots)):
        shares: dict[int, list[float]] = {}
        values = [brought[seat] for brought in pairings(duel)]
        for match in matches:
            shares.setdefault(values.index(values[match.pairing]), []).append(match.shares[match.sits.index(seat)])
        for index in sorted(shares):
            own = share_of(shares[index])
            yield Brought(own.matches, own.won, own.drawn, own.share, own.low, own.high, seat, values[index])


def _standing(bot: str, i: int, matches: Sequence[Played]) -> Standing:
    """Return the shares of bot number i, in all matches and on each seat."""
    seats = sorted({match.sits[i] for match in matches if match.sits})
    own = tuple(share_of([m.shares[i] for m in matches if m.sits and m.sits[i] == seat]) for seat in seats)
    whole = share_of([match.shares[i] for match in matches])
    return Standing(whole.matches, whole.won, whole.drawn, whole.share, whole.low, whole.high, bot, own)


def share_of(shares: Sequence[float]) -> Share:
    """Return the share of the wins over some matches, each given by the part (0 to 1) of its win."""
    share = sum(shares) / max(len(shares), 1)
    low, high = wilson(share, len(shares))
    return Share(len(shares), shares.count(1.0), sum(0 < one < 1 for one in shares), share, low, high)


def wilson(share: float, n: int) -> tuple[float, float]:
    """Return the 95 % score interval of a share of n matches.

    >>> [round(bound, 3) for bound in wilson(0.5, 400)]
    [0.451, 0.549]
    """
    if n == 0:
        return 0.0, 1.0
    z2 = Z95 * Z95
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = Z95 * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    return max(0.0, middle - half), min(1.0, middle + half)


def report(duel: Duel, outcome: DuelResult) -> Iterator[str]:
    """Yield the outcome for people: each bot's share of the wins, by seat where two play; then what they brought."""
    width = max(len(bot) for bot in duel.bots)
    for one in outcome.standings:
        yield f"{one.bot:{width}}  {_share_text(one)}"
        names = registry.get(duel.game).seat_names(2) if len(duel.bots) == 2 else ()
        for name, share in zip(names, one.seats, strict=False):
            yield f"{'':{width}}  {_share_text(share)}  as {name}"
    for deck in outcome.brought:
        what = " ".join(str(value) for value in deck.brought.values())
        yield f"{'':{width}}  {_share_text(deck)}  {registry.get(duel.game).seat_names(2)[deck.seat]} {what}"
    yield f"{outcome.matches} matches of {duel.game}, {outcome.plies:.1f} decisions each, illegal {outcome.illegal}"


def _share_text(one: Share) -> str:
    interval = f"95 % interval {one.low:6.1%} to {one.high:6.1%}"
    return f"{one.share:6.1%}  {interval}  won {one.won}, drawn {one.drawn}"
