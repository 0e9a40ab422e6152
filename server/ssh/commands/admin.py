"""admin …: what `patchbay admin` does, by role."""

from __future__ import annotations

import asyncio

from game.cli.commandline import Syntax
from server.admin import command
from server.admin.acts import Admin
from server.errors import Refused
from server.ssh.call import Call
from server.ssh.commands.table import Command, Request

INPUT_S = 30


async def admin(request: Request) -> int:
    """Run an admin command in the caller's name."""
    call, services = request.call, request.services
    if not call.identity.roles:
        raise Refused("role.needed")
    account = await services.accounts.by_id(request.account_id)
    roles = account.roles if account is not None else frozenset()  # the current ones: a role may have been revoked
    await services.accounts.check_acting(request.account_id, call.identity.fingerprint)
    name = account.handle if account is not None else call.identity.name
    acts = Admin(services.database, services.clock, services.bus, name, call.identity.source)
    console = command.Console(
        lambda line: call.put(f"{line}\n"), call.err, lambda: _line(call), call.screen is not None
    )
    return await command.run(request.line.words, acts, console, roles)


async def _line(call: Call) -> str:
    try:
        line = await asyncio.wait_for(call.lines.line(), INPUT_S)
    except (EOFError, TimeoutError):
        return ""
    return (line or b"").decode("utf-8", "replace")


COMMANDS = (
    Command(
        "admin",
        Syntax(("act…",), ends_options=True),
        "what admins and moderators do",
        admin,
        members=True,
        details=tuple(command.overview()),
    ),
)
