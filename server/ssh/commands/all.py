"""The table of all commands, and what happens to a call: the screens, one command, or the bot protocol."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from game.cli.commandline import CommandTable
from game.cli.exits import Exit
from game.errors import BadNotation
from server.accounts.identity import Identity
from server.i18n.refusals import barred
from server.services import Services
from server.session.audience import SessionAudience
from server.session.places import Landing
from server.session.session import Routes, Session
from server.session.sharing import Groups
from server.ssh.bot.session import COMMANDS as BOT
from server.ssh.call import Call, locale_of
from server.ssh.commands import (
    account,
    admin,
    browser,
    challenge,
    events,
    following,
    help,
    lines,
    lists,
    match,
    move,
    notices,
    ownkeys,
    people,
    vacation,
)
from server.ssh.commands.table import ExecTable, run, split

TABLE: ExecTable = CommandTable(
    (
        *help.COMMANDS,
        *lines.COMMANDS,
        *lists.COMMANDS,
        *match.COMMANDS,
        *move.COMMANDS,
        *account.COMMANDS,
        *ownkeys.COMMANDS,
        *people.COMMANDS,
        *following.COMMANDS,
        *vacation.COMMANDS,
        *challenge.COMMANDS,
        *events.COMMANDS,
        *notices.COMMANDS,
        *browser.COMMANDS,
        *BOT,
        *admin.COMMANDS,
    )
)


async def serve(call: Call, services: Services, routes: Routes, groups: Groups) -> int:
    """Serve one call to its end; return its exit status."""
    landing = landing_of(call)
    if landing is not None:
        return await show_session(call, services, routes, groups, landing)
    is_plain = not (call.command or "").strip()
    return await run(TABLE, call, services, "help" if is_plain else call.command or "")


def landing_of(call: Call) -> Landing | None:
    """Return where the screens or the lines begin; None when the call is for neither."""
    start = Landing(lang=locale_of(call.env), session=call.session, reached_at=call.reached_at)
    if (call.command or "").split() == [lines.NAME]:
        return replace(start, lines=True)
    if call.screen is None:
        return None
    start = replace(start, lines=not call.screen.client.moves_cursor)
    if call.command is None or not call.command.strip():
        return start
    try:
        command, line = TABLE.read(split(call.command))
    except BadNotation:
        return None
    if not command.screen or line.options or line.flags:
        return None
    return replace(start, place=command.name, argument=line.words[0])  # type: ignore[arg-type]


async def show_session(call: Call, services: Services, routes: Routes, groups: Groups, landing: Landing) -> int:
    """Show the screens, or say the lines, until the person quits."""
    screen = call.screen if call.screen is not None and call.screen.client.moves_cursor else None
    became = partial(_become, call, services)
    if screen is not None and not landing.lines:
        session = Session(screen, call.identity, services, routes, groups, landing, became, call.open_lines)
    else:
        other = None if screen is None else lambda: screen
        session = Session(call.open_lines(), call.identity, services, routes, groups, landing, became, other)
    try:
        with call.heard_by(SessionAudience(session)):
            status = await session.run()
    finally:
        call.close_lines()
    if session.goodbye:
        call.put(f"{session.goodbye}\n")
    return Exit(status) if status in (Exit.OK, Exit.DRAINING) else Exit.REFUSED


def _become(call: Call, services: Services, identity: Identity) -> None:
    """Serve another identity from now on; end the session if it is banned."""
    call.become(identity)
    refusal = services.conduct.check_access(identity)
    if refusal is not None:
        call.end_session(partial(barred, refusal, "barred.leave"), Exit.NOT_ALLOWED)
