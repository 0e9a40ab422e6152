"""The command `suite`: positions with a good answer, and how many of them a bot finds."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from importlib.resources import files
from typing import Any

from game import registry
from game.choices import expand
from game.cli import output
from game.cli.arguments import game_named, read_seat, split_seat
from game.cli.commandline import CommandLine
from game.cli.commands import Say
from game.contract import Action, Bot, Game, Json, Pending
from game.duel import bot_named
from game.errors import BadNotation
from game.rng import SEED_BYTES, Rng

STREAMS = 3  # bots choose at random between equal actions: a position counts as found if all these streams find it
KINDS = ("win", "save", "dont", "plan")
SUITE = "suite.json"  # in the folder of a game that has one


@dataclass(frozen=True, slots=True)
class Position:
    """One position of a suite: the position, who decides, and which answers are good, or which are bad.

    `kind`: 'win' wins by force, 'save' is the only way not to lose, 'dont' names what loses, 'plan' gains later on.
    `play` is played first, as `[SEAT:]ACTION`. In `good` and `bad` a `*` stands for anything. `decisions`: exhaustive
    search proves the claim within so many decisions of both sides, in every state that fits the view (`game.solver`);
    0 where a search can't, and `why` gives the argument.
    """

    name: str
    kind: str
    position: Json
    good: tuple[str, ...] = ()
    bad: tuple[str, ...] = ()
    decisions: int = 0
    why: str = ""
    seat: str = ""
    options: Mapping[str, Json] = field(default_factory=dict)
    play: tuple[str, ...] = ()
    players: int | None = None

    def is_good(self, text: str) -> bool:
        """Tell whether an answer is a good one."""
        if self.good:
            return _is_among(text, self.good)
        return not _is_among(text, self.bad)


def suite(key: str) -> tuple[Position, ...]:
    """Return the positions of a game's suite. Raises BadNotation for an unknown game and for one without a suite."""
    registry.get(key)
    file = files(f"game.{key}").joinpath(SUITE)
    if not file.is_file():
        raise BadNotation("usage.no-suite", key)
    rows: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))
    return tuple(map(_position, rows))


def _position(row: Mapping[str, Any]) -> Position:
    plain: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in row.items()}
    return Position(**plain)


def decision(game: Game[Any, Any], position: Position) -> tuple[Any, Pending]:
    """Return the state in which somebody decides, and the decision. Raises as `read_position` and `apply` do."""
    state = game.read_position(position.position, position.options, position.players)
    names = game.seat_names(game.n_seats(state))
    for word in position.play:
        seat, text = split_seat(word, names)
        who = game.pending(state)[0].seat if seat is None else seat
        state = game.apply(state, who, Action(text)).state
    asked = game.pending(state)
    wanted = read_seat(position.seat, names) if position.seat else asked[0].seat
    return state, next(pending for pending in asked if pending.seat == wanted)


def offered(game: Game[Any, Any], position: Position) -> dict[str, bool]:
    """Return every action that is offered in a position, and whether it is good."""
    _, pending = decision(game, position)
    return {action.text: position.is_good(action.text) for action in expand(pending.choice)}


def answers(game: Game[Any, Any], position: Position, bot: Bot[Any], streams: int = STREAMS) -> tuple[str, ...]:
    """Return the answer of a bot with each of `streams` random streams."""
    state, pending = decision(game, position)
    view = game.view(state, pending.seat)
    seeds = (bytes([stream]) * SEED_BYTES for stream in range(streams))
    return tuple(bot.decide(view, pending, Rng(seed)).text for seed in seeds)


def run(arguments: CommandLine, say: Say) -> int:
    """Print which positions a bot misses and how many it finds. Returns 1 when they are fewer than `--at-least`."""
    game = game_named(arguments)
    name = arguments.one("bot") or "hard"
    bot = bot_named(game.key, name)
    as_json = "json" in arguments.flags
    found: Counter[str] = Counter()
    positions = suite(game.key)
    for position in positions:
        said = answers(game, position, bot)
        is_found = all(map(position.is_good, said))
        found[position.kind] += is_found
        if as_json:
            say(output.line("suite-position", name=position.name, claim=position.kind, found=is_found, answers=[*said]))
        elif not is_found:
            say(f"missed: {position.name} ({position.kind}): {', '.join(dict.fromkeys(said))}")
    total = found.total()
    if as_json:
        say(output.line("suite", game=game.key, bot=name, found=total, positions=len(positions)))
    else:
        of = Counter(position.kind for position in positions)
        say(f"{name}: {total} of {len(positions)} positions of {game.key}")
        say("  " + ", ".join(f"{kind} {found[kind]} of {of[kind]}" for kind in KINDS if of[kind]))
    return 1 if total < arguments.number("at-least", 0) else 0


def _is_among(text: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(text, one.replace("[", "[[]").replace("?", "[?]")) for one in patterns)
