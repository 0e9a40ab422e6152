"""challenge: asking somebody for a match without staying for the answer."""

from __future__ import annotations

from game import registry
from game.cli.arguments import read_options
from game.cli.commandline import CommandOption, Syntax
from game.cli.exits import Exit
from game.errors import BadNotation
from server.lobby.model import RoomSettings
from server.matches.agreement import Agreement
from server.matches.speeds import DAILY
from server.ssh.commands.table import ExecCommand, Request


async def challenge(request: Request) -> int:
    """Challenge somebody. It says the same whatever becomes of it."""
    _ = request.account_id
    whom, game = request.line.words[:2]
    options, brought = read_options(registry.get(game), request.line.options.get("option", ()))
    if brought:
        raise BadNotation("option.unknown", next(iter(brought)))
    speed = request.line.one("speed") or DAILY
    agreement = Agreement(game, options=options, speed=speed, rated="rated" in request.line.flags, private=True)
    await request.services.lobby.leave_challenge(request.call.identity.player, whom, RoomSettings(agreement))
    return Exit.OK


COMMANDS = (
    ExecCommand(
        "challenge",
        Syntax(
            ("handle", "game"),
            (
                CommandOption("speed", "SPEED"),
                CommandOption("rated"),
                CommandOption("option", "NAME=VALUE", is_repeatable=True),
            ),
        ),
        "challenge somebody to a match of two",
        challenge,
        members=True,
        details=(
            "It is daily unless a speed is named. The match begins when they accept; `events` tells you (paired).",
            "It answers the same whether they see it or not. It lapses after 7 days, at other speeds after 30 minutes.",
        ),
    ),
)
