"""Rules and bots, in CPU time of this process."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from game import choices, registry
from game.adapters.pettingzoo import MatchEnv
from game.contract import Action, Json, Seat
from game.netrunner.decklist import reading
from game.netrunner.decks import OTHER_PAIRINGS, PAIRINGS
from game.relati.actions import connectable
from game.rng import Rng
from tests.bench.report import Figure

SEED = bytes(range(32))


def figures() -> Iterator[Figure]:
    """Measure every game there is."""
    for key in registry.KEYS:
        yield from played_at_random(key, registry.get(key).seats[0])
        yield from environment(key)
    if "relati" in registry.KEYS:
        yield from relati()
    if "rainet" in registry.KEYS:
        yield from rainet_bot()
    if "netrunner" in registry.KEYS:
        yield from netrunner()
        yield from deck_lists()


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
    yield Figure(f"{key}: steps per second, single core", decisions / (owed_s + applied_s), "/s", how="pending + apply")


def environment(key: str, steps: int = 2_000) -> Iterator[Figure]:
    """Time the steps of the PettingZoo environment at random play, with the observation of the agent that is asked."""
    table, dice = MatchEnv(key), np.random.default_rng(1)
    table.reset(seed=1)
    began = time.process_time()
    for _ in range(steps):
        if any(table.terminations.values()):
            table.reset()
        mask = table.observe(table.agent_selection)["action_mask"]
        table.step(int(dice.choice(np.flatnonzero(mask))))
    spent_s = time.process_time() - began
    yield Figure(
        f"{key}: steps of the environment per second", steps / spent_s, "/s", how="single core, with observation"
    )


def relati() -> Iterator[Figure]:
    """Time the connectable set on 15x15 in the middle of random matches."""
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
    """Time `apply` with `pending` over random matches: all pairings of starters, and all pairings of ready decks."""
    for name, pairings in (("starters", PAIRINGS), ("ready decks", OTHER_PAIRINGS["ready"])):
        times = sorted(timed(pairings, max(matches, len(pairings))))
        middle, high = times[len(times) // 2], times[len(times) * 99 // 100]
        how = f"{len(times)} decisions"
        yield Figure(f"netrunner: apply with pending, median, {name}", middle * 1e3, " ms", 0.15, how=how)
        yield Figure(f"netrunner: apply with pending, p99, {name}", high * 1e3, " ms", 1.0, how=how)
        yield Figure(f"netrunner: 400 actions of random play, {name}", sum(times) / len(times) * 400, " s", 0.4)


def deck_lists() -> Iterator[Figure]:
    """Time the longest step of reading texts of 64 KB: a page with a write-up, and lines that are all named."""
    kate, prose = 'Kate "Mac" McCaffrey: Digital Tinker\n', "I have played 3 Diesel for a while, and it does well.\n"
    texts = {
        "a page": kate + "3 Diesel\n" * 20 + prose * 1_150,
        "unknown cards": kate + "".join(f"3x Hunter Seeker {n}\n" for n in range(3_000)),
        "one card again and again": kate + "3 Diesel\n" * 7_000,
    }
    for name, text in texts.items():
        steps, longest, whole = reading(text), 0.0, 0.0
        is_over = False
        while not is_over:
            began = time.process_time()
            is_over = next(steps, steps) is steps
            took = time.process_time() - began
            longest, whole = max(longest, took), whole + took
        yield Figure(f"netrunner: longest step of a deck list, {name}", longest * 1e3, " ms", 5)
        yield Figure(f"netrunner: reading a deck list, {name}", whole * 1e3, " ms")


def timed(pairings: Sequence[tuple[Mapping[str, Json], ...]], matches: int) -> Iterator[float]:
    """Yield the seconds of processor time of each decision of random matches, going through the pairings in turn."""
    game, rng = registry.get("netrunner"), Rng(SEED)
    for i in range(matches):
        state = game.setup({}, 2, bytes([i]) * 32, pairings[i % len(pairings)]).state
        while pending := game.pending(state):
            action, rng = choices.draw(pending[0].choice, rng)
            began = time.process_time()
            state = game.apply(state, pending[0].seat, action).state
            game.pending(state)
            yield time.process_time() - began


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
