"""The command line under nonsense: it answers 0, 1 or 2, never with a traceback, and 2 leaves stdout empty."""

from __future__ import annotations

import copy
import json
from functools import cache
from random import Random
from typing import Any

import pytest

from game import registry
from game.__main__ import main
from game.choices import expand
from game.contract import Json
from tests.conformance.play import Case, game_of, played, sampled

ROUNDS = 400  # mutations a game; as many times thirty under `make soak`
KEYS = ("tiny", *registry.KEYS)
JUNK = ("", " ", "-", "?", "999999", "Ω", "\x00", "/", "null", '"', "é", "  ", "+*", "0")


@cache
def positions(key: str) -> tuple[Json, ...]:
    """Return positions of random matches, to be broken."""
    game = game_of(key)
    found: list[Json] = []
    for n in (game.seats[0], game.seats[-1]):
        found += [game.write_position(moment.fold.state) for moment in sampled(played(Case(key, n)), 8)]
    return tuple(found)


@cache
def actions(key: str) -> tuple[str, ...]:
    """Return actions that were offered at some time."""
    game = game_of(key)
    moments = sampled(played(Case(key, game.seats[0])), 8)
    return tuple(next(expand(p.choice)).text for m in moments for p in game.pending(m.fold.state))


def broken_text(text: str, random: Random) -> str:
    """Change a text at a few places."""
    for _ in range(random.randint(1, 3)):
        i = random.randint(0, len(text))
        cut = random.randint(0, 2)
        text = text[:i] + random.choice((*JUNK, *text[:40])) + text[i + cut :]
    return text


def broken_json(value: Any, random: Random) -> Any:
    """Change one thing somewhere in a JSON value."""
    value = copy.deepcopy(value)
    holder = value
    while True:
        places = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        if not places:
            return value
        place = random.choice(places)
        inner = holder[place]
        if isinstance(inner, dict | list) and inner and random.random() < 0.8:
            holder = inner
            continue
        wrong: tuple[Any, ...] = (None, -1, 10**9, "x", [], {}, True, [inner, inner], [[]], "0", 1.5, {"x": 1})
        if random.random() < 0.2:
            del holder[place]
        else:
            holder[place] = random.choice(wrong)
        return value


@pytest.mark.parametrize("key", KEYS)
def test_broken_positions_and_actions_are_answered_with_an_exit_code(
    key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    break_many(key, capsys, Random(f"fuzz {key}"), ROUNDS)


@pytest.mark.soak
@pytest.mark.parametrize("key", KEYS)
def test_thousands_of_broken_positions_are_answered(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    break_many(key, capsys, Random(f"soak {key}"), 30 * ROUNDS)


def break_many(key: str, capsys: pytest.CaptureFixture[str], random: Random, rounds: int) -> None:
    """Ask about broken positions, one after the other; every kind of answer must come up."""
    codes = set()
    for number in range(rounds):
        position = random.choice(positions(key))
        if isinstance(position, str):
            said = broken_text(position, random) if random.random() < 0.8 else position
        else:
            said = json.dumps(broken_json(position, random) if random.random() < 0.8 else position)
        words = [["legal"], ["view"], ["apply"], ["apply"]][number % 4] + [key, "--position", said, "--json"]
        if words[0] == "view":
            words += ["--as", random.choice(("0", "1", "public"))]
        if words[0] == "apply":
            words += [
                "--",
                broken_text(random.choice(actions(key)), random) if number % 8 > 3 else random.choice(actions(key)),
            ]
        code = main(words)
        out, err = capsys.readouterr()
        assert code in (0, 1, 2), words
        assert bool(out) is (code != 2), words
        assert bool(err) is (code == 2), words
        codes.add(code)
    assert codes == {0, 1, 2}
