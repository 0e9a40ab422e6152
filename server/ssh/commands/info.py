"""help, version, whoami."""

from __future__ import annotations

from importlib.metadata import version as installed_version

from game import registry
from server.ssh.call import Exit
from server.ssh.commands.table import Command, NotFound, Visit
from server.ssh.commands.words import Spec
from server.ssh.wire import message

INTRO = """\
{name}: tabletop games over SSH.

  ssh {host}                  the screens (needs a terminal)
  ssh -t {host} join CODE     straight into a room;  watch MATCH, replay MATCH likewise
  ssh {host} COMMAND          one of these, as text, or as JSON lines with --json:
"""
OUTRO = """
Exit status: 0 ok, 1 refused, 2 usage, 3 not found, 4 not allowed, 5 too fast (details on stderr), 75 about to restart.
`help COMMAND` says more about one."""


def version_text() -> str:
    """Return the version that is installed."""
    return installed_version("patchbay")


async def show_help(visit: Visit) -> int:
    """List the commands, or say more about one."""
    topic = visit.words.word(0)
    if topic is None:
        await visit.call.out(INTRO.format(name=visit.services.settings.name, host="HOST"))
        for command in visit.table.values():
            synopsis = f"{command.name} {command.spec.usage}".rstrip()
            gap = "\n" + " " * 30 if len(synopsis) > 27 else " " * (28 - len(synopsis))
            await visit.call.out(f"  {synopsis}{gap}{command.about}")
        await visit.call.out(OUTRO)
        return Exit.OK
    found = visit.table.get(topic)
    if found is None:
        raise NotFound(f"no help on {topic[:40]}; `help` lists the commands")
    await visit.call.out(f"{found.name} {found.spec.usage}".rstrip())
    await visit.call.out(f"  {found.about}")
    if found.members:
        await visit.call.out("  Needs an account.")
    for line in found.details:
        await visit.call.out(f"  {line}")
    return Exit.OK


async def version(visit: Visit) -> int:
    """Say which version this is, and of which rules."""
    games = {key: registry.get(key).version for key in registry.KEYS}
    if visit.as_json:
        await visit.call.out_json(message("version", version=version_text(), games=games))
    else:
        await visit.call.out(f"patchbay {version_text()}")
        await visit.call.out("rules " + " ".join(f"{key}/{number}" for key, number in games.items()))
    return Exit.OK


async def whoami(visit: Visit) -> int:
    """Say as whom the caller is known here."""
    who = visit.call.identity
    if visit.as_json:
        handle = None if who.is_guest else who.name
        roles = sorted(who.roles)
        await visit.call.out_json(
            message("whoami", player=handle, guest=who.is_guest, key=who.fingerprint, roles=roles)
        )
        return Exit.OK
    if not who.is_guest:
        await visit.call.out(" ".join([who.name, *(f"({role})" for role in sorted(who.roles))]))
    elif who.fingerprint is not None:
        await visit.call.out(f"a guest; the key {who.fingerprint} has no account here yet")
    else:
        await visit.call.out("a guest without a key")
    return Exit.OK


COMMANDS = (
    Command("help", Spec(("topic?",)), "this list, or more about one command", show_help),
    Command("version", Spec(flags=("json",)), "the version of the server and of the rules", version),
    Command("whoami", Spec(flags=("json",)), "as whom you are known here", whoami),
)
