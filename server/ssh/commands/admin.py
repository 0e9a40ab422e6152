"""admin …: what `patchbay admin` does, by role."""

from __future__ import annotations

from game.cli.commandline import DETAIL_COLS, Syntax
from server.accounts.actor import Actor
from server.admin import command
from server.admin.acts import Admin
from server.errors import Refused
from server.ssh.commands.table import ExecCommand, Request
from server.ssh.keyinput import key_text


async def admin(request: Request) -> int:
    """Run an admin command in the caller's name."""
    call, services = request.call, request.services
    if not call.identity.roles:
        raise Refused("role.needed")
    account = await services.accounts.by_id(request.account_id)
    roles = account.roles if account is not None else frozenset()  # the current ones: a role may have been revoked
    await services.accounts.keys.check_acting(request.account_id, call.identity.fingerprint)
    name = account.handle if account is not None else call.identity.name
    actor = Actor(services.database, services.clock, services.bus, name, call.identity.source)
    acts = Admin(actor, services.settings.name)
    console = command.Console(
        lambda line: call.put(f"{line}\n"), call.err, lambda: key_text(call.lines), call.screen is not None
    )
    return await command.run(request.line.words, acts, console, roles)


COMMANDS = (
    ExecCommand(
        "admin",
        Syntax(("act…",), ends_options=True),
        "what admins and moderators do",
        admin,
        members=True,
        staff=True,
        details=tuple(command.ACTS.overview(cols=DETAIL_COLS)),
    ),
)
