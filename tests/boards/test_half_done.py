"""What is half chosen on a board, in words: chosen again it is the same, and of other words no harm comes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import pytest

from game import registry
from game.choices import contains
from game.contract import Action
from server.boards import keymap
from server.boards.board import AnyBoard, board
from server.matches.model import AnyViewerState
from server.terminal.look import Look
from tests.boards.positions import snapshot
from tests.conformance.play import drawn_of, random_states, sampled

SEED = bytes(16)
STATES, KEYS, MATCHES = 100, 40, 5
SIZE = 80, 20
KINDS = {
    "rainet": {"setup", "card", "boost", "check", "wall", "404-first", "404-second"},
    "relati": {"line", "sure", "flees"},
    "passage": {"completes", "ticked"},
    "netrunner": {"path", "ticked", "sure", "more", "want", "want-at-end", "hush", "to-access", "by-hand", "at"},
}
STRANGE = (
    "",
    " ",
    "card",
    "card z9",
    "at",
    "number " + "9" * 5000,
    "number ²",
    "want x",
    "path " * 9,
    "setup L",
    "line",
)


def decisions(game: str, seed: bytes) -> Iterator[AnyViewerState]:
    """Yield what is asked in some positions of random matches."""
    rules = registry.get(game)
    for n in range(MATCHES):
        for state in sampled(tuple(random_states(rules, 2, {}, seed + bytes([n]))), STATES):
            for owed in rules.pending(state):
                yield snapshot(game, state, owed.seat)


def half_chosen(game: AnyBoard, shot: AnyViewerState, rng: Random) -> Iterator[Any]:
    """Yield the selections on a way of random keys on which something is selected."""
    keys = sorted({key for one in game.contexts() for bound in keymap.in_context(one).values() for key in bound.keys})
    chosen = game.start(shot, SEED)
    for key in rng.choices([*keys, *["enter"] * (len(keys) // 3)], k=KEYS):
        answer = game.press(shot, chosen, key)
        if answer is not None and not isinstance(answer, Action):
            chosen = answer
            if game.half_done(shot, chosen):
                yield chosen


def shown(game: AnyBoard, shot: AnyViewerState, chosen: Any) -> list[Any]:
    return game.render(shot, chosen, Look(), *SIZE)


@pytest.mark.parametrize("key", sorted(KINDS))
def test_what_is_half_chosen_is_chosen_again_by_its_words(key: str) -> None:
    seed, game, kinds = drawn_of(f"half done {key}"), board(key), set[str]()
    rng = Random(seed)
    for shot in decisions(key, seed):
        for chosen in half_chosen(game, shot, rng):
            words = game.half_done(shot, chosen)
            again = game.taken_up(shot, game.start(shot, bytes([1]) * 16), words)
            assert game.half_done(shot, again) == words
            has_twins = any(word.startswith("ticked") for word in words)  # of two copies it may be the other one
            if not game.is_resting(again) and game.context(again) == game.context(chosen) and not has_twins:
                assert shown(game, shot, again) == shown(game, shot, chosen), words
            kinds |= {word.partition(" ")[0] for word in words}
    assert kinds >= KINDS[key], sorted(KINDS[key] - kinds)


@pytest.mark.parametrize("key", sorted(KINDS))
def test_words_of_another_decision_or_of_nobody_select_nothing_that_is_not_legal(key: str) -> None:
    seed, game = drawn_of(f"strange words {key}"), board(key)
    rng, heard = Random(seed), list(STRANGE)
    for shot in islice(decisions(key, seed), STATES * 2):
        heard += [word for chosen in half_chosen(game, shot, rng) for word in game.half_done(shot, chosen)]
    for shot in decisions(key, seed + b"other"):
        for _ in range(10):
            words = tuple(rng.choices(heard, k=rng.randrange(1, 4)))
            chosen = game.follow(shot, game.taken_up(shot, game.start(shot, SEED), words))
            shown(game, shot, chosen)
            answer = game.press(shot, chosen, "enter")
            if isinstance(answer, Action):
                assert shot.pending is not None
                assert contains(shot.pending.choice, answer), words
        waits = replace(shot, pending=None)
        shown(game, waits, game.follow(waits, game.taken_up(waits, game.start(waits, SEED), words)))
