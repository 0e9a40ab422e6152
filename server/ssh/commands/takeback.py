"""takeback: asking to take back one's last decision, and answering who asks."""

from __future__ import annotations

from game.cli.commandline import Syntax
from server.matches.errors import NotYourMatch
from server.ssh.commands.table import ExecCommand, Request

ANSWERS = {"accept": True, "decline": False}


async def takeback(request: Request) -> None:
    """Ask to take back one's last decision, or answer who asks."""
    who, words = request.call.identity, request.line.words
    accepts = ANSWERS[request.line.word_of(1, tuple(ANSWERS))] if len(words) > 1 else None
    match = await request.services.matches.find(words[0], who)
    seat = match.seat_of(who.player)
    if seat is None:
        raise NotYourMatch
    if accepts is None:
        await match.offer(seat, "takeback")
    else:
        await match.answer(seat, "takeback", accepts)


COMMANDS = (
    ExecCommand(
        "takeback",
        Syntax(("MATCH", "accept|decline?")),
        "ask to take back your last decision in a casual match, or answer who asks",
        takeback,
        members=True,
        details=(
            "It goes to your last decision that still stands, and not past a point where anybody learnt something.",
            "All people in play must agree within 60 seconds; where all others are bots it is done at once.",
            "After two refusals you may ask again after your next decision.",
        ),
    ),
)
