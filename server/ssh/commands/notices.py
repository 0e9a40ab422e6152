"""notices: where to be told what concerns the caller while they are away."""

from __future__ import annotations

from game.cli.commandline import JSON, CommandOption, Syntax
from game.errors import BadNotation
from server.boards.wire import message
from server.errors import Refused
from server.notices.notices import KINDS, Notices
from server.ssh.commands.table import ExecCommand, Request


async def notices(request: Request) -> None:
    """Name a topic, confirm it, end the notices, or say how they stand."""
    account_id, own, line = request.account_id, _service(request), request.line
    what, kinds = line.word(0), line.one("kinds")
    if what == "off":
        await own.stop(account_id)
    elif what == "code":
        if line.word(1) is None:
            raise BadNotation("usage.missing", "CODE")
        await own.confirm(account_id, line.words[1])
    elif what is not None:
        by = request.call.identity.fingerprint
        await own.set(account_id, what, KINDS if kinds is None else kinds.split(","), by)
    stands = await own.of(account_id)
    told = {"topic": stands.shown, "confirmed": stands.is_confirmed, "kinds": list(stands.kinds)}
    how = "none" if stands.shown is None else "on" if stands.is_confirmed else "waits"
    await request.answer(message("notices", **told), request.t(f"notices.{how}", topic=stands.shown))


def _service(request: Request) -> Notices:
    if request.services.notices is None:
        raise Refused("notices.error.off")
    return request.services.notices


COMMANDS = (
    ExecCommand(
        "notices",
        Syntax(("URL|code|off?", "CODE?"), (CommandOption("kinds", "KIND,KIND"), JSON)),
        "be told on a topic of yours when it is your turn",
        notices,
        members=True,
        details=(
            "URL is a topic on a host that the admin lists, such as an ntfy server's; whoever knows it reads along.",
            "A code is sent there; `notices code CODE` begins. `notices off` ends it.",
            f"KIND is one of {', '.join(KINDS)}; without --kinds all.",
            "At most one notice a match and hour and 20 a day come, and none while you are connected.",
        ),
    ),
)
