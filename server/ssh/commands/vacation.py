"""vacation: days off from daily matches, as a program or a person without screens takes them."""

from __future__ import annotations

from game.cli.commandline import JSON, Syntax
from game.errors import BadNotation
from server.boards.wire import vacation_json
from server.clock import moment_words
from server.ssh.commands.table import ExecCommand, Request

END = "end"


async def vacation(request: Request) -> None:
    """Begin a vacation, end it, or say how one stands."""
    account_id, vacations, player = request.account_id, request.services.matches.vacations, request.call.identity.player
    days = request.line.word(0)
    if days == END:
        await vacations.end(player)
    elif days is not None:
        if not (days.isascii() and days.isdecimal() and len(days) < 4):
            raise BadNotation("usage.number", days[:40])
        await vacations.begin(player, int(days))
    stands = await vacations.of(account_id)
    until = () if stands.until is None else (request.t("vacation.taken", until=moment_words(stands.until)),)
    await request.answer(vacation_json(stands), *until, request.t("vacation.left", n=stands.days_left))


COMMANDS = (
    ExecCommand(
        "vacation",
        Syntax(("DAYS|end?",), (JSON,)),
        "days off from daily matches: begin, end, or how many are left",
        vacation,
        members=True,
        details=(
            "DAYS begins a vacation: your clocks in daily matches stand still, and all who play with you are told.",
            "`vacation end` ends it: the clocks go on, and days that have not begun are yours again.",
            "A day that has begun is used up, the first one at once. At most two vacations begin within seven days.",
            "Without a word it says until when it lasts, and how many of the year's 14 days are left.",
        ),
    ),
)
