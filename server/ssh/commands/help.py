"""help, version, whoami."""

from __future__ import annotations

from importlib.metadata import version as installed_version

from game import registry
from game.cli.commandline import COLS, JSON, Syntax
from game.cli.exits import Exit
from server.address import Address
from server.boards.wire import message
from server.errors import Refused
from server.ssh.commands.table import ExecCommand, Request

INTRO = """\
{name}: tabletop games over SSH.

{ways}
"""
OUTRO = """
Exit status: 0 ok, 1 refused, 2 usage, 3 not found, 4 not allowed,
5 rate-limited (details on stderr), 75 draining.
`help COMMAND` says more about one."""


def _ways_in(address: Address) -> str:
    """Return how the screens and the commands are reached, each on one line, or on two where it is long."""
    ways = (
        (address.line(), "the screens (needs a terminal)"),
        (address.line("join CODE", "-t"), "straight into a room; likewise watch MATCH, replay MATCH"),
        (address.line("COMMAND"), "one of these; with --json it prints JSON lines:"),
    )
    widest = max(len(line) for line, _ in ways)
    if widest + max(len(about) for _, about in ways) + 4 <= COLS:
        return "\n".join(f"  {line:{widest}}  {about}" for line, about in ways)
    return "\n".join(f"  {line}\n      {about}" for line, about in ways)


def version_text() -> str:
    """Return the version that is installed."""
    return installed_version("patchbay")


async def show_help(request: Request) -> int:
    """List the commands, or say more about one."""
    topic = request.line.word(0)
    if topic is None:
        ways = _ways_in(request.call.reached_at)
        await request.call.out(INTRO.format(name=request.services.settings.name, ways=ways))
        is_staff = bool(request.call.identity.roles)
        await request.call.out("\n".join(request.table.overview(lambda row: is_staff or not row.staff)))
        await request.call.out(OUTRO)
        return Exit.OK
    lines = request.table.help_of(topic)
    if not lines:
        raise Refused("help.unknown", topic=topic[:40])
    await request.call.out("\n".join(lines))
    return Exit.OK


async def version(request: Request) -> int:
    """Print the version of the server and of each game's rules."""
    games = {key: registry.get(key).version for key in registry.KEYS}
    if request.as_json:
        await request.call.out_json(message("version", version=version_text(), games=games))
    else:
        await request.call.out(f"patchbay {version_text()}")
        await request.call.out("rules " + " ".join(f"{key}/{number}" for key, number in games.items()))
    return Exit.OK


async def whoami(request: Request) -> int:
    """Print the caller's identity."""
    who = request.call.identity
    is_machine = who.account_id in request.services.machines.known
    if request.as_json:
        handle = None if who.is_guest else who.name
        roles, more = sorted(who.roles), {"machine": True} if is_machine else {}
        await request.call.out_json(
            message("whoami", player=handle, guest=who.is_guest, key=who.fingerprint, roles=roles, **more)
        )
        return Exit.OK
    if not who.is_guest:
        marks = (*sorted(who.roles), *(("machine",) if is_machine else ()))
        await request.call.out(" ".join([who.name, *(f"({mark})" for mark in marks)]))
    elif who.fingerprint is not None:
        await request.call.out(request.t("exec.guest-with-key", fingerprint=who.fingerprint))
    else:
        await request.call.out(request.t("exec.guest"))
    return Exit.OK


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
