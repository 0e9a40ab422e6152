"""admin …: what `patchbay admin` does, by role."""

from __future__ import annotations

import asyncio

from server.admin import command
from server.admin.acts import Admin
from server.ssh.call import Call
from server.ssh.commands.table import Command, NotAllowed, Visit
from server.ssh.commands.words import Spec

INPUT_S = 30


async def admin(visit: Visit) -> int:
    """Run an admin command in the caller's name."""
    call, services = visit.call, visit.services
    if not call.identity.roles:
        raise NotAllowed("this needs a role")
    account = await services.accounts.by_handle(call.identity.name)
    roles = account.roles if account is not None else frozenset()  # as they are now: one may have been taken
    acts = Admin(services.database, services.clock, services.bus, call.identity.name, call.identity.source)
    console = command.Console(lambda line: call.put(f"{line}\n"), call.err, lambda: _line(call))
    return await command.run(visit.words.words, acts, console, roles)


async def _line(call: Call) -> str:
    try:
        line = await asyncio.wait_for(call.inlet.line(), INPUT_S)
    except (EOFError, TimeoutError):
        return ""
    return (line or b"").decode("utf-8", "replace")


COMMANDS = (
    Command(
        "admin",
        Spec(("act",), rest=True),
        "what admins and moderators do",
        admin,
        members=True,
        raw=True,
        details=tuple(command.overview()),
    ),
)
