"""`python -m game`: the rules on the command line."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence

from game.cli import commands, duels, levels, output, records, suites, tuning
from game.cli.commandline import JSON, Command, CommandLine, CommandOption, CommandTable, HelpAsked, Syntax
from game.cli.exits import Exit
from game.errors import BadNotation
from game.sentences import sentence

NOTE = """
P is the game's own position text, @FILE (text or JSON), or start; with start, --players N, --option NAME=VALUE and
--seed HEX say what begins. The seed of duel and tune is a number. --rules-version N goes with every command: without it
the newest rules count, and a record's own in a replay. `--` ends the options. See docs/rules-on-the-command-line.md."""
AS = CommandOption("as", "SEAT")
VIEWER = "SEAT|public"
EVERYWHERE = (CommandOption("rules-version", "N"), JSON)
START = (
    CommandOption("players", "N"),
    CommandOption("option", "NAME=VALUE", is_repeatable=True),
    CommandOption("seed", "HEX"),
)
POSITION = (CommandOption("position", "P", is_required=True), *START)
DRAWN = tuple(CommandOption("seed", "N") if option.name == "seed" else option for option in START)
DUEL = (
    CommandOption("bots", "easy,hard", is_required=True),
    CommandOption("matches", "N", is_required=True),
    CommandOption("pairings", "NAME"),
    CommandOption("positions", "N"),
    CommandOption("jobs", "N"),
)

LEVELS = (CommandOption("matches", "N"), CommandOption("seed", "N"), CommandOption("jobs", "N"))
TUNE = (
    CommandOption("bot", "hard"),
    CommandOption("fit", "NAME"),
    CommandOption("rounds", "N"),
    CommandOption("matches", "N"),
    CommandOption("check", "N"),
    CommandOption("out", "FILE"),
)


Subcommand = Command[Callable[[CommandLine, commands.Say], int]]


def _row(
    name: str,
    run: Callable[[CommandLine, commands.Say], int],
    about: str,
    words: tuple[str, ...] = ("game",),
    options: tuple[CommandOption, ...] = (),
) -> Subcommand:
    """Return a command that takes the options of every command besides its own."""
    return Command(name, Syntax(words, (*options, *EVERYWHERE)), about, run)


COMMANDS = CommandTable(
    (
        _row("list", commands.list_games, "the games, their players and options", words=()),
        _row("legal", commands.legal, "what may be done in a position", options=(*POSITION, AS)),
        _row("apply", commands.apply, "the position after some actions", ("game", "[SEAT:]action…?"), POSITION),
        _row(
            "view",
            commands.view,
            "what a viewer may know of a position",
            options=(*POSITION, CommandOption("as", VIEWER, is_required=True)),
        ),
        _row(
            "perft",
            commands.perft,
            "how many leaves the tree of a position has, one depth a line",
            options=(
                CommandOption("depth", "N", is_required=True),
                CommandOption("position", "P"),
                *START,
                CommandOption("kind", "move"),
            ),
        ),
        _row("duel", duels.duel, "bot against bot: the share won and its 95 % interval", options=(*DUEL, *DRAWN)),
        _row("levels", levels.levels, "how strong the levels of the bots are", options=LEVELS),
        _row(
            "suite",
            suites.run,
            "how many positions with a good answer a bot solves",
            options=(CommandOption("bot", "hard"), CommandOption("at-least", "N")),
        ),
        _row("tune", tuning.run, "a bot's weights, changed or fitted by self-play", options=(*TUNE, *DRAWN)),
        _row(
            "replay",
            records.replay,
            "a record, played again and compared",
            ("file",),
            (CommandOption("as", VIEWER), CommandOption("until", "SEQ")),
        ),
    ),
    "python -m game",
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code (`Exit`)."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        return _run(*COMMANDS.read(words))
    except HelpAsked as asked:
        print(*asked.lines, NOTE, sep="\n")
        return Exit.OK
    except BadNotation as error:
        hint = "" if COMMANDS.usage(words) else "\npython -m game --help lists the commands"
        print(f"can't be read: {sentence(error)}{hint}", file=sys.stderr)
        return Exit.USAGE


def _run(command: Subcommand, arguments: CommandLine) -> int:
    """Run a command; an action that is not allowed is told on stdout to programs, on stderr to people."""
    try:
        return command.run(arguments, print)
    except commands.ActionRefused as refused:
        if "json" in arguments.flags:
            print(output.line("error", error="illegal", why=refused.why.key, index=refused.index))
        else:
            print(refused, file=sys.stderr)
        return Exit.REFUSED


def run() -> int:
    """Run as a program: a reader that closes the pipe early is no fault."""
    try:
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.REFUSED
    return code


if __name__ == "__main__":
    sys.exit(run())
