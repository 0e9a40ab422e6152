"""help, version, whoami."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version as installed_version

from game import registry
from game.cli.commandline import COLS, JSON, Syntax
from server.address import Address
from server.boards.wire import message
from server.errors import Refused
from server.sanitize import columns
from server.ssh.commands.table import ExecCommand, Request


def _ways_in(address: Address, t: Callable[[str], str]) -> str:
    """Return how the screens and the commands are reached, each on one line, or on two where it is long."""
    ways = (
        (address.line(), t("exec.help.screens")),
        (address.line("join CODE", "-t"), t("exec.help.room")),
        (address.line("COMMAND"), t("exec.help.command")),
    )
    widest = max(len(line) for line, _ in ways)
    if widest + max(columns(about) for _, about in ways) + 4 <= COLS:
        return "\n".join(f"  {line:{widest}}  {about}" for line, about in ways)
    return "\n".join(f"  {line}\n      {about}" for line, about in ways)


def version_text() -> str:
    """Return the version that is installed."""
    return installed_version("patchbay")


async def show_help(request: Request) -> None:
    """List the commands, or say more about one."""
    topic = request.line.word(0)
    if topic is None:
        intro = request.t("exec.help.intro", name=request.services.settings.name)
        await request.call.out(f"{intro}\n\n{_ways_in(request.call.reached_at, request.t)}\n")
        is_staff = bool(request.call.identity.roles)
        await request.call.out("\n".join(request.spoken.overview(lambda row: is_staff or not row.staff)))
        await request.call.out(f"\n{request.t('exec.help.outro')}")
        return
    lines = request.spoken.help_of(topic)
    if not lines:
        raise Refused("help.unknown", topic=topic[:40])
    await request.call.out("\n".join(lines))


async def version(request: Request) -> None:
    """Print the version of the server and of each game's rules."""
    games = {key: registry.get(key).version for key in registry.KEYS}
    rules = "rules " + " ".join(f"{key}/{number}" for key, number in games.items())
    told = message("version", version=version_text(), games=games)
    await request.answer(told, f"patchbay {version_text()}", rules)


async def whoami(request: Request) -> None:
    """Print the caller's identity."""
    who = request.call.identity
    is_machine = who.account_id in request.services.machines.known
    roles, handle, more = sorted(who.roles), None if who.is_guest else who.name, {"machine": True} if is_machine else {}
    if not who.is_guest:
        said = " ".join([who.name, *(f"({mark})" for mark in (*roles, *more))])
    elif who.fingerprint is not None:
        said = request.t("exec.guest-with-key", fingerprint=who.fingerprint)
    else:
        said = request.t("exec.guest")
    told = message("whoami", player=handle, guest=who.is_guest, key=who.fingerprint, roles=roles, **more)
    await request.answer(told, said)


COMMANDS = (
    ExecCommand(
        "help",
        Syntax(("topic?",)),
        "this list, or more about one command",
        show_help,
        details=("TOPIC is the name of a command; `COMMAND --help` shows the same.",),
    ),
    ExecCommand(
        "version",
        Syntax(options=(JSON,)),
        "the version of the server and of the rules",
        version,
        details=("Rules are named GAME/NUMBER. A match keeps the rules it began with.",),
    ),
    ExecCommand(
        "whoami",
        Syntax(options=(JSON,)),
        "your handle, key and roles",
        whoami,
        details=("A guest learns whether the key has no account yet, or whether there was no key.",),
    ),
)
