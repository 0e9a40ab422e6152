"""challenge: asking somebody for a match without staying for the answer."""

from __future__ import annotations

from game import registry
from game.cli.arguments import read_options
from game.cli.commandline import JSON, CommandOption, Syntax
from game.cli.exits import Exit
from game.errors import BadNotation
from server.boards.wire import message, standing_json
from server.lobby.model import RoomSettings
from server.matches.agreement import Agreement
from server.matches.speeds import DAILY
from server.ssh.commands.table import ExecCommand, Request


async def challenge(request: Request) -> int:
    """Challenge somebody. It says the same whatever becomes of it."""
    _ = request.account_id
    whom, game = request.line.words[0], request.line.words[1].casefold()
    options, brought = read_options(registry.get(game), request.line.options.get("option", ()))
    if brought:
        raise BadNotation("option.unknown", next(iter(brought)))
    speed = request.line.one("speed") or DAILY
    agreement = Agreement(game, options=options, speed=speed, rated="rated" in request.line.flags, private=True)
    await request.services.lobby.challenges.leave(request.call.identity.player, whom, RoomSettings(agreement))
    return Exit.OK


async def challenges(request: Request) -> int:
    """Print the caller's challenges that stand, after withdrawing one where that is asked for."""
    _ = request.account_id
    player, lobby = request.call.identity.player, request.services.lobby
    if (code := request.line.one("withdraw")) is not None:
        await lobby.challenges.withdraw(player, code)
        request.call.err(request.t("lobby.withdrawn"))
    found = await lobby.challenges.standing(player)
    for one in found:
        if request.as_json:
            await request.call.out_json(message("challenge", **standing_json(one)))
        else:
            said = f"  {request.t('row.declined')}" if one.is_declined else ""
            await request.call.out(f"{one.code}  {one.to:<16}  {one.agreement.game}  {one.agreement.speed}{said}")
    if not found:
        request.call.err(f"patchbay: {request.t('challenges.none')}")
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
            "An equal one to the same person takes the place of the one before.",
            "It answers the same whether they see it or not. It lapses after 7 days, at other speeds after 30 minutes.",
        ),
    ),
    ExecCommand(
        "challenges",
        Syntax((), (CommandOption("withdraw", "CODE"), JSON)),
        "your challenges that are unanswered or declined",
        challenges,
        members=True,
        details=(
            "--withdraw takes one back by its CODE: whom you had challenged can't accept it any more.",
            "One that was declined says so until you take it back, or it lapses.",
        ),
    ),
)
