"""The table of all commands, and what happens to a call: the screens, one command, or the bot protocol."""

from __future__ import annotations

from functools import partial

from server.accounts.identity import Identity
from server.services import Services
from server.ssh.bot.session import COMMANDS as BOT
from server.ssh.call import Call, Exit
from server.ssh.commands import account, adminry, info, lists, looking
from server.ssh.commands.table import Command, run
from server.ssh.commands.words import UsageError, read, split
from server.tui.app import Session
from server.tui.entry import Entry

TABLE: dict[str, Command] = {
    command.name: command
    for command in (
        *info.COMMANDS,
        *lists.COMMANDS,
        *looking.COMMANDS,
        *account.COMMANDS,
        *BOT,
        *adminry.COMMANDS,
    )
}


async def serve(call: Call, services: Services) -> int:
    """Serve one call to its end; return its exit status."""
    entry = entry_of(call)
    if entry is not None:
        return await show_screens(call, services, entry)
    return await run(TABLE, call, services, "help" if call.command is None else call.command)


def entry_of(call: Call) -> Entry | None:
    """Return where the screens begin; None when this is no call for the screens."""
    lang = call.env.get("LC_ALL") or call.env.get("LC_MESSAGES") or call.env.get("LANG") or ""
    if call.screen is None:
        return None
    if call.command is None or not call.command.strip():
        return Entry(lang=lang, session=call.session)
    try:
        given = split(call.command)
        command = TABLE.get(given[0]) if given else None
        if command is None or not command.screen:
            return None
        words = read(command.spec, given[1:])
    except UsageError:
        return None
    if words.options or words.flags:
        return None
    return Entry(given[0], words.words[0], lang, call.session)  # type: ignore[arg-type]


async def show_screens(call: Call, services: Services, entry: Entry) -> int:
    """Show the screens until the person quits."""
    assert call.screen is not None
    session = Session(call.screen, call.identity, services, entry)
    call.on_announcement = partial(_announce, session)
    call.on_roles = session.take_roles
    call.on_report = session.hear_report
    call.on_blocks = session.hear_blocks
    session.on_identity = partial(_become, call, services)
    try:
        status = await session.run()
    finally:  # they know each other: without this they would wait for the collector
        call.on_announcement = call.on_roles = call.on_report = call.on_blocks = session.on_identity = None
    return Exit(status) if status in (0, 75) else Exit.REFUSED


def _become(call: Call, services: Services, identity: Identity) -> None:
    """Note that a terminal has another person now: who registers or links an account may be banned, now or later."""
    call.identity = identity
    refusal = services.conduct.check_access(identity)
    if refusal is not None and call.send_home is not None:
        call.send_home(refusal.sentence("you have to leave"), Exit.NOT_ALLOWED)


def _announce(session: Session, text: str) -> None:
    session.notice("house.announcement", text=text)
