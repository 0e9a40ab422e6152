"""`python -m game`: the rules on the command line."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from game.cli import commands, duels, records, tell
from game.cli.arguments import Arguments, parse
from game.errors import BadNotation

USAGE = """\
python -m game list
python -m game legal  GAME --position P [--as SEAT] [--json]
python -m game apply  GAME --position P [--json] [SEAT:]ACTION ...
python -m game view   GAME --position P --as SEAT|public [--json]
python -m game perft  GAME --depth N [--position P] [--kind move] [--json]
python -m game replay FILE [--as SEAT|public] [--until SEQ] [--json]
python -m game duel   GAME --bots easy,hard --matches 400 [--players N] [--seed N] [--jobs N] [--json]

P is the game's own position text, @FILE (text or JSON), or start; with start, --players N, --option NAME=VALUE and
--seed HEX say what begins. `--` ends the options. See docs/rules-on-the-command-line.md."""
POSITION = frozenset(("position", "players", "option", "seed"))
JSON = frozenset(("json",))


@dataclass(frozen=True, slots=True)
class Command:
    """One word after `python -m game`: what it does, and the options it takes a value for."""

    run: Callable[[Arguments, commands.Say], int]
    options: frozenset[str] = frozenset()


COMMANDS = {
    "list": Command(commands.list_games),
    "legal": Command(commands.legal, POSITION | {"as"}),
    "apply": Command(commands.apply, POSITION),
    "view": Command(commands.view, POSITION | {"as"}),
    "perft": Command(commands.perft, POSITION | {"depth", "kind"}),
    "duel": Command(duels.duel, frozenset(("bots", "matches", "players", "option", "seed", "jobs"))),
    "replay": Command(records.replay, frozenset(("as", "until"))),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 fine, 1 not allowed or differs, 2 can't be read."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] in (["--help"], ["-h"], ["help"]):
        print(USAGE)
        return 0
    if not words or words[0] not in COMMANDS:
        print(USAGE, file=sys.stderr)
        return 2
    command = COMMANDS[words[0]]
    try:
        arguments = parse(words[1:], command.options, JSON)
        return _run(command, arguments)
    except BadNotation as error:
        print(f"can't be read: {error}", file=sys.stderr)
        return 2


def _run(command: Command, arguments: Arguments) -> int:
    """Run a command; an action that is not allowed is told on stdout to programs, on stderr to people."""
    try:
        return command.run(arguments, print)
    except commands.Refused as refused:
        if "json" in arguments.flags:
            print(tell.line("error", error="illegal", why=refused.why.key, index=refused.index))
        else:
            print(refused, file=sys.stderr)
        return 1


def run() -> int:
    """Run as a program: a reader that closes the pipe early is no fault."""
    try:
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code


if __name__ == "__main__":
    sys.exit(run())
