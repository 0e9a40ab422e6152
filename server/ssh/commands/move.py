"""move: one decision, without screens or a program that stays."""

from __future__ import annotations

from game.cli.commandline import JSON, CommandOption, Syntax
from game.cli.exits import Exit
from server.errors import RateLimited
from server.matches.errors import NotYourSeat
from server.ssh.commands.looking import opened
from server.ssh.commands.table import ExecCommand, Request
from server.ssh.wire import message


async def move(request: Request) -> int:
    """Decide what the caller owes in a match; answered once it is stored."""
    call, limits = request.call, request.services.settings.limits
    if pause := call.rate("actions_per_min", limits.actions_per_min):
        raise RateLimited("actions_per_min", round(pause * 1000) + 1)
    arrived = request.services.clock.now()
    match = await opened(request)
    seat = match.seat_of(call.identity.player)
    if seat is None:
        raise NotYourSeat
    at_seq = request.line.number("seq", match.snapshot(seat).turn_seq)
    seq = await match.act(seat, request.line.words[1], at_seq, arrived)
    if match.live.is_untold_setting(seq):  # its number would tell how many have answered a window
        await match.live.wait_until_told(seq)
    if request.as_json:
        await call.out_json(message("moved", match=match.id, seq=seq))
    return Exit.OK


COMMANDS = (
    ExecCommand(
        "move",
        Syntax(("match", "action"), (CommandOption("seq", "SEQ"), JSON)),
        "play one move, such as an answer in a daily match",
        move,
        details=(
            "ACTION is written as `show` and the game's notation have it: c2c3.",
            "SEQ is the entry you answer: where your turn is another one by now, the move is refused.",
        ),
    ),
)
