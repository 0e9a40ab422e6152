"""challenge: asking somebody for a match without staying for the answer."""

from __future__ import annotations

from game import registry
from game.cli.arguments import read_options
from game.cli.commandline import JSON, CommandOption, Syntax
from game.contract import Json, Option
from game.errors import BadNotation
from game.options import reading_deck
from server.accounts.errors import AccountError
from server.boards.wire import message, standing_json
from server.lobby.model import RoomSettings
from server.matches.agreement import Agreement
from server.matches.speeds import DAILY
from server.ssh.commands.table import ExecCommand, Request
from server.tasks import stepped

OPTION_OF = {"deck": "deck", "return_deck": "return-deck"}  # of the command line, by that of the game


async def challenge(request: Request) -> None:
    """Challenge somebody. It says the same whatever becomes of it."""
    _ = request.account_id
    whom, game = request.line.words[0], request.line.words[1].casefold()
    options, brought = read_options(registry.get(game), request.line.options.get("option", ()))
    if brought:
        raise BadNotation("option.unknown", next(iter(brought)))
    brings = await _decks(request, game)
    speed = request.line.one("speed") or DAILY
    agreement = Agreement(game, options=options, speed=speed, rated="rated" in request.line.flags, private=True)
    await request.services.lobby.challenges.leave(request.call.identity.player, whom, RoomSettings(agreement), brings)
    request.say("challenge.left-typed")


async def _decks(request: Request, game: str) -> dict[str, Json]:
    """Return what the options say is brought to the first seat. Raises BadNotation, AccountError for no such deck."""
    brings: dict[str, Json] = {}
    for option in registry.get(game).options():
        said = request.line.one(OPTION_OF.get(option.name, ""))
        if option.per_seat and option.kind == "deck" and said is not None:
            brings[option.name] = await _deck(request, game, option, said)
    if unknown := [name for name in OPTION_OF if name not in brings and request.line.one(OPTION_OF[name]) is not None]:
        raise BadNotation("option.unknown", unknown[0])
    return brings


async def _deck(request: Request, game: str, option: Option, name: str) -> Json:
    """Return the deck of this name: one of the caller's own, or one of the game's."""
    side = 1 if option.returns else 0
    for own in await request.services.decks.of(request.account_id):
        if (own.game, own.seat, own.name) == (game, side, name):
            return await stepped(reading_deck(option, own.list), request.services.decks.turns)
    if name not in option.values_of(0):
        raise AccountError("deck.unknown", name=name[:40])
    return name


async def challenges(request: Request) -> None:
    """Print the caller's challenges that stand, after withdrawing one where that is asked for."""
    _ = request.account_id
    player, lobby = request.call.identity.player, request.services.lobby
    if (code := request.line.one("withdraw")) is not None:
        await lobby.challenges.withdraw(player, code)
        request.say("lobby.withdrawn")
    found = await lobby.challenges.standing(player)
    for one in found:
        said = f"  {request.t('row.declined')}" if one.is_declined else ""
        line = f"{one.code}  {one.to:<16}  {one.agreement.game}  {one.agreement.speed}{said}"
        await request.answer(message("challenge", **standing_json(one)), line)
    if not found:
        request.remark("challenges.none")


COMMANDS = (
    ExecCommand(
        "challenge",
        Syntax(
            ("handle", "game"),
            (
                CommandOption("speed", "SPEED"),
                CommandOption("rated"),
                CommandOption("option", "NAME=VALUE", is_repeatable=True),
                CommandOption("deck", "NAME"),
                CommandOption("return-deck", "NAME"),
            ),
        ),
        "challenge somebody to a match of two",
        challenge,
        members=True,
        details=(
            "It is daily unless a speed is named. The match begins when they accept; `events` tells you (paired).",
            "You have the first seat. --deck names the deck for it, --return-deck the one for the other side, which is "
            "yours in a second game or a rematch: one of yours or of the game's by its name. Left out: the usual ones.",
            "An equal one to the same person takes the place of the one before. One that they have made to you is "
            "to be accepted instead.",
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
