"""The commands that ask the rules: list, legal, apply, view, perft."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from game import registry
from game.choices import choice_json
from game.cli import output
from game.cli.arguments import game_named, read_seat, read_viewer, rules_version, split_seat
from game.cli.commandline import CommandLine
from game.cli.positions import read_position
from game.contract import Action, Event, Game, Json, Seat, Step, View
from game.errors import GameError, IllegalAction
from game.perft import perft as counts
from game.sentences import sentence

Say = Callable[[str], object]
KINDS = ("all", "move")
Rules = Game[object, View]


class ActionRefused(Exception):
    """An action that is not allowed, and its place on the command line, from 0."""

    def __init__(self, index: int, text: str, why: IllegalAction) -> None:
        super().__init__(f"action {index} ({text}) is not allowed: {sentence(why)}")
        self.index = index
        self.why = why


def list_games(arguments: CommandLine, say: Say) -> int:
    """Print the games, their numbers of players and options; with `--rules-version` those that have that version."""
    games = [registry.get(key) for key in registry.KEYS]
    version = rules_version(arguments, max(game.version for game in games))
    games = games if version is None else [game.under(version) for game in games if version <= game.version]
    for game in games:
        if "json" in arguments.flags:
            options: list[Json] = [output.option_json(option) for option in game.options()]
            seats: list[Json] = [*game.seats]
            say(output.line("game", game=game.key, rules_version=game.version, players=seats, options=options))
            continue
        seats_text = "-".join(map(str, sorted({game.seats[0], game.seats[-1]})))
        say(f"{game.key} {seats_text} players, seats {' '.join(game.seat_names(game.seats[-1]))}")
        for option in game.options():
            say(output.option_line(option))
    return 0


def legal(arguments: CommandLine, say: Say) -> int:
    """Print the legal actions in a position, of all seats or of one."""
    game = game_named(arguments)
    state = read_position(game, arguments)
    names = game.seat_names(game.n_seats(state))
    seat = None if (said := arguments.one("as")) is None else read_seat(said, names)
    owed = [p for p in game.pending(state) if seat in (None, p.seat)]
    if "json" in arguments.flags:
        offers: list[Json] = [{"seat": p.seat, "choice": choice_json(p.choice)} for p in owed]
        say(output.line("legal", legal=offers))
        return 0
    for pending in owed:
        for text in output.choice_lines(pending.choice, names[pending.seat]):
            say(text)
    return 0


def apply(arguments: CommandLine, say: Say) -> int:
    """Print the position after some actions."""
    game = game_named(arguments)
    state, events = play(game, read_position(game, arguments), arguments.words[1:])
    for text in output.position_lines(game, state, events, as_json="json" in arguments.flags):
        say(text)
    return 0


def play(game: Rules, state: object, words: Sequence[str]) -> tuple[object, list[Event]]:
    """Return the state after `[SEAT:]ACTION …`, and all events. Raises ActionRefused, or BadNotation."""
    names = game.seat_names(game.n_seats(state))
    events: list[Event] = []
    for index, word in enumerate(words):
        seat, text = split_seat(word, names)
        try:
            step = game.apply(state, seat, Action(text)) if seat is not None else _apply_for_whom(game, state, text)
        except IllegalAction as refused:
            raise ActionRefused(index, text, refused) from refused
        state = step.state
        events += step.events
    return state, events


def _apply_for_whom(game: Rules, state: object, text: str) -> Step[object]:
    """Play an action without a seat: for the first seat that may do it, seats that owe a decision first.

    A game may let a seat act that is not asked yet (Netrunner §5, the worked example). Raises the first seat's error,
    and IllegalAction rather than BadNotation where any seat could read the text.
    """
    refusals: list[GameError] = []
    owing = [pending.seat for pending in game.pending(state)]
    others = [Seat(i) for i in range(game.n_seats(state)) if i not in owing]
    for seat in [*owing, *others]:
        try:
            return game.apply(state, seat, Action(text))
        except GameError as refused:
            refusals.append(refused)
    raise next((refused for refused in refusals if isinstance(refused, IllegalAction)), refusals[0])


def view(arguments: CommandLine, say: Say) -> int:
    """Print what a viewer may know of a position."""
    game = game_named(arguments)
    state = read_position(game, arguments)
    viewer = read_viewer(arguments.one("as") or "", game.seat_names(game.n_seats(state)))
    seen = game.view_json(game.view(state, viewer))
    for text in [output.line("view", view=seen)] if "json" in arguments.flags else output.view_lines(seen):
        say(text)
    return 0


def perft(arguments: CommandLine, say: Say) -> int:
    """Print the number of leaves of the game tree, one depth a line."""
    game = game_named(arguments)
    depth = arguments.number("depth", None, low=1)
    kind = arguments.choice("kind", KINDS, KINDS[0])
    state = read_position(game, arguments, default=game.spec.opening)
    for at, leaves in enumerate(counts(game, state, depth, moves_only=kind == "move"), 1):
        say(output.line("perft", depth=at, leaves=leaves) if "json" in arguments.flags else f"{at} {leaves}")
    return 0
