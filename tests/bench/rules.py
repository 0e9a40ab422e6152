"""Rules and bots, in CPU time of this process."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import product

from game import choices, registry
from game.contract import Action, Seat
from game.rng import Rng
from tests.bench.report import Figure

SEED = bytes(range(32))


def figures() -> Iterator[Figure]:
    """Measure every game there is."""
    for key in registry.KEYS:
        yield from played_at_random(key, registry.get(key).seats[0])
    if "relati" in registry.KEYS:
        yield from relati()
    if "rainet" in registry.KEYS:
        yield from rainet_bot()
    if "netrunner" in registry.KEYS:
        yield from netrunner()


def played_at_random(key: str, players: int, matches: int = 20) -> Iterator[Figure]:
    """Play random matches; time `pending` (the legal actions) and `apply` apart."""
    game, rng = registry.get(key), Rng(SEED)
    owed_s = applied_s = 0.0
    decisions = 0
    for i in range(matches):
        state = game.setup({}, players, Rng(SEED, i * 1000).seed[:31] + bytes([i])).state
        while True:
            began = time.process_time()
            pending = game.pending(state)
            owed_s += time.process_time() - began
            if not pending:
                break
            one, rng = rng.choose(pending)
            action, rng = choices.draw(one.choice, rng)
            began = time.process_time()
            state = game.apply(state, one.seat, action).state
            applied_s += time.process_time() - began
            decisions += 1
    strict = {"relati": 1.0}.get(key)
    yield Figure(f"{key}: legal actions, mean of random play", owed_s / decisions * 1e3, " ms", strict)
    yield Figure(f"{key}: apply, mean of random play", applied_s / decisions * 1e3, " ms", strict)
    yield Figure(f"{key}: legal actions per second", decisions / owed_s, "/s")
    yield Figure(f"{key}: applied actions per second", decisions / applied_s, "/s")


def relati() -> Iterator[Figure]:
    """Time the connectable set on 15x15 in the middle of random matches."""
    from game.relati.actions import connectable

    game, rng = registry.get("relati"), Rng(SEED)
    positions = []
    for i in range(8):
        state = game.setup({}, 2, bytes([i]) * 32).state
        for ply in range(40):
            pending = game.pending(state)
            if not pending:
                break
            action, rng = choices.draw(pending[0].choice, rng)
            state = game.apply(state, pending[0].seat, action).state
            if ply > 4:
                positions.append((state.board, state.turn))
    rounds = 20
    began = time.process_time()
    for _ in range(rounds):
        for board, seat in positions:
            connectable(board, seat)
    each_s = (time.process_time() - began) / rounds / len(positions)
    yield Figure("relati: connectable set, 15x15", each_s * 1e6, " µs", 30)


def netrunner(matches: int = 24) -> Iterator[Figure]:
    """Time `apply` with `pending` over random matches of all pairings of starter decks, two of each."""
    from game.netrunner.decks import SIDES_OF

    game, rng = registry.get("netrunner"), Rng(SEED)
    pairings, times = list(product(*SIDES_OF)), []
    for i in range(matches):
        corp, runner = pairings[i % len(pairings)]
        state = game.setup({}, 2, bytes([i]) * 32, ({"deck": corp}, {"deck": runner})).state
        while pending := game.pending(state):
            action, rng = choices.draw(pending[0].choice, rng)
            began = time.process_time()
            state = game.apply(state, pending[0].seat, action).state
            game.pending(state)
            times.append(time.process_time() - began)
    times.sort()
    middle, high = times[len(times) // 2], times[len(times) * 99 // 100]
    how = f"{len(times)} decisions of {matches} matches"
    yield Figure("netrunner: apply with pending, median", middle * 1e3, " ms", 0.5, how=how)
    yield Figure("netrunner: apply with pending, p99", high * 1e3, " ms", 5.0, how=how)
    yield Figure("netrunner: 400 actions of random play", sum(times) / len(times) * 400, " s", 0.4)


def rainet_bot() -> Iterator[Figure]:
    """Time hard's decisions in a match against itself."""
    game, bot = registry.get("rainet"), registry.bots("rainet")["hard"]
    state, times = game.setup({}, 2, SEED).state, []
    for ply in range(40):
        pending = game.pending(state)
        if not pending:
            break
        seat = Seat(pending[0].seat)
        began = time.process_time()
        action: Action = bot.decide(game.view(state, seat), pending[0], Rng(SEED, ply * 100_000))
        times.append(time.process_time() - began)
        state = game.apply(state, seat, action).state
    positions = getattr(bot, "positions", None)
    yield Figure("rainet: hard's decision, mean CPU", sum(times) / len(times), " s", how=f"max {max(times):.2f} s")
    yield Figure("rainet: hard's decision, longest CPU", max(times), " s", 1.0)
    if positions:
        yield Figure("rainet: hard's positions per second", positions / (sum(times) / len(times)), "/s")
