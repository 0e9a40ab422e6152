"""move, conditions, takeback: one decision, what follows by itself, and taking it back, without screens."""

from __future__ import annotations

from collections.abc import Sequence

from game.cli.commandline import JSON, CommandOption, Syntax
from game.contract import Seat
from game.errors import BadNotation
from server.boards.wire import conditions_json, message
from server.errors import RateLimited
from server.matches.errors import NotYourMatch
from server.matches.match import Match
from server.matches.model import texts_of
from server.ssh.commands.match import opened
from server.ssh.commands.table import ExecCommand, Request


async def move(request: Request) -> None:
    """Decide what the caller owes in a match; answered once it is stored."""
    call, limits = request.call, request.services.settings.limits
    if pause := call.rate("actions_per_min", limits.actions_per_min):
        raise RateLimited("actions_per_min", round(pause * 1000) + 1)
    arrived = request.services.clock.now()
    match, seat = await own_seat(request)
    at_seq = request.line.number("seq", match.snapshot(seat).turn_seq)
    seq = await match.act(seat, action_of(request.line.words[1:]), at_seq, arrived, lines_of(request))
    if match.acting.is_untold_setting(seq):  # its number would tell how many have answered a window
        await match.acting.wait_until_told(seq)
    await request.answer(message("moved", match=match.id, seq=seq))


async def conditions(request: Request) -> None:
    """Print the caller's conditional moves in a match, after replacing or dropping them where that is asked for."""
    match, seat = await own_seat(request)
    lines, shot = lines_of(request), match.snapshot(seat)
    if lines and "drop" in request.line.flags:
        raise BadNotation("usage.choice", "--if, --drop")
    if lines or "drop" in request.line.flags:
        await match.set_conditions(seat, lines, request.line.number("seq", shot.seq))
        shot = match.snapshot(seat)
    stand = [" ".join(texts_of(line)) for line in shot.conditions] or [request.t("conditions.none")]
    await request.answer(message("conditions", **conditions_json(shot)), *stand)


async def takeback(request: Request) -> None:
    """Ask to take back one's last decision, or answer who asks."""
    accepts = ANSWERS[request.line.word_of(1, tuple(ANSWERS))] if len(request.line.words) > 1 else None
    match, seat = await own_seat(request)
    if accepts is None:
        await match.offer(seat, "takeback")
    else:
        await match.answer(seat, "takeback", accepts)


async def own_seat(request: Request) -> tuple[Match, Seat]:
    """Return a match that the line names, and the caller's seat there. Raises NotYourMatch, NoSuchMatch."""
    match = await opened(request)
    seat = match.seat_of(request.call.identity.player)
    if seat is None:
        raise NotYourMatch
    return match, seat


def action_of(words: Sequence[str]) -> str:
    """Return an action of one word, or of several: a name of more than one has lost its quotes on the way.

    >>> action_of(["give", "attack1"]), action_of(["play", "Sure Gamble"]), action_of(['play "Sure Gamble"'])
    ('give attack1', 'play "Sure Gamble"', 'play "Sure Gamble"')
    """
    return words[0] if len(words) == 1 else " ".join(f'"{word}"' if " " in word else word for word in words)


def lines_of(request: Request) -> list[list[str]]:
    """Return the conditional moves that a line brings: the others' actions and one's own, in turn."""
    return [line.split() for line in request.line.options.get("if", ())]


ANSWERS = {"accept": True, "decline": False}
IF = CommandOption("if", "ACTION ACTION", is_repeatable=True, is_phrase=True)
SEQ = CommandOption("seq", "SEQ")
COMMANDS = (
    ExecCommand(
        "move",
        Syntax(("match", "action…"), (SEQ, IF, JSON)),
        "play one move, such as an answer in a daily match",
        move,
        details=(
            "ACTION is written as `show` and the game's notation have it: c2c3.",
            "SEQ is the entry you answer: where your turn is another one by now, the move is refused.",
            "--if says, in a daily match of RaiNet or Relati, what you play by itself where the other plays so:",
            "--if d7d6 d3d4 --if e7e6 e2e3. A line may go on (--if d7d6 d3d4 e7e6 e2e3); there are five at most.",
        ),
    ),
    ExecCommand(
        "conditions",
        Syntax(("match",), (IF, SEQ, CommandOption("drop"), JSON)),
        "see your conditional moves in a daily match, replace or drop them",
        conditions,
        details=(
            "Each line has what the others play and what you play then, in turn: d7d6 d3d4 e7e6 e2e3.",
            "With several others, what they all play comes before what you play.",
            "What somebody plays that no line has drops them all, and so do a take-back and an adjournment.",
            "SEQ is the entry after which they begin: where the match has gone on, they are refused.",
        ),
    ),
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
