"""report, block, unblock: people whom one has met."""

from __future__ import annotations

from game.cli.commandline import CommandOption, Syntax
from server import reporting
from server.accounts.guestnames import is_guest_name
from server.errors import Refused
from server.ssh.commands.match import opened, seat_named
from server.ssh.commands.table import ExecCommand, Request


async def report(request: Request) -> None:
    """Report somebody to the moderators, with the chat as it is now."""
    whom, why = request.line.words[0], request.line.one("why") or ""
    name, match_id = whom, None
    if ":" in whom:
        match_id, _, seat = whom.partition(":")
        name = await _seated(request, match_id, seat)
    await reporting.report(request.services, request.account_id, name, why, match_id)
    request.say("people.reported", name=name)


async def _seated(request: Request, match_id: str, seat: str) -> str:
    """Return the current name of a seat's player. Raises Refused, BadNotation."""
    match = await opened(request, match_id)
    player = match.terms.players[seat_named(match, seat)]
    if player.is_bot:
        raise Refused("people.is-bot")
    account = None if player.account_id is None else await request.services.accounts.by_id(player.account_id)
    return player.name if account is None else account.handle


async def block(request: Request) -> None:
    """Hide somebody everywhere and never be paired with them; a guest for as long as they are connected."""
    await _block(request, True)


async def unblock(request: Request) -> None:
    """Show somebody again."""
    await _block(request, False)


async def _block(request: Request, is_hidden: bool) -> None:
    whom, conduct, account_id = request.line.words[0], request.services.conduct, request.account_id
    if is_guest_name(whom):
        await conduct.hide_guest(account_id, whom, is_hidden)
        said = "people.guest-hidden" if is_hidden else "people.unblocked"
    elif is_hidden:
        await conduct.block(account_id, whom)
        said = "people.blocked"
    elif await conduct.unblock(account_id, whom):
        said = "people.unblocked"
    else:
        raise Refused("people.not-blocked", name=whom[:40])
    request.say(said, name=whom)


COMMANDS = (
    ExecCommand(
        "report",
        Syntax(("HANDLE|MATCH:SEAT",), (CommandOption("why", "TEXT", is_required=True, is_phrase=True),)),
        "tell the moderators what somebody did",
        report,
        members=True,
        details=(
            "MATCH:SEAT names whoever holds that seat: a number from 0, or a side's name.",
            "The chat goes along as it is now.",
        ),
    ),
    ExecCommand(
        "block",
        Syntax(("handle",)),
        "hide somebody, and never be paired with them",
        block,
        members=True,
        details=("A guest is hidden for as long as they are connected.",),
    ),
    ExecCommand(
        "unblock",
        Syntax(("handle",)),
        "see somebody again",
        unblock,
        members=True,
        details=("You may be paired with them again, too.",),
    ),
)
