"""register, rename, keys, export-my-data, delete-me: one's own account."""

from __future__ import annotations

import asyncio
import contextlib

from game.errors import GameError
from server.accounts.identity import Identity
from server.clock import rfc3339
from server.matches.errors import MatchRefused
from server.ssh.call import Exit
from server.ssh.commands.table import Command, NotAllowed, Visit
from server.ssh.commands.words import Spec, UsageError
from server.ssh.wire import message

KEY_LINE_BYTES = 8192


def proven_key(identity: Identity) -> str:
    """Return the line of the key that the caller proved. Raises NotAllowed for a caller without one."""
    if identity.public_key is None:
        raise NotAllowed("come with a key: ssh-keygen makes one, ssh -i KEY -o IdentitiesOnly=yes … shows it")
    return identity.public_key


def own(visit: Visit) -> int:
    """Return the caller's account. Raises NotAllowed for a guest."""
    account_id = visit.call.identity.account_id
    if account_id is None:
        raise NotAllowed("this needs an account: `register HANDLE`, or `keys link CODE` to come to one you have")
    return account_id


async def register(visit: Visit) -> int:
    """Make an account for the caller's key."""
    who = visit.call.identity
    if not who.is_guest:
        visit.call.err(f"patchbay: this key is {who.name}'s already; `rename` changes the name")
        return Exit.REFUSED
    made = await visit.services.accounts.register(visit.words.words[0], proven_key(who), who.source)
    if visit.as_json:
        codes = list(made.recovery_codes)
        await visit.call.out_json(message("registered", player=made.account.handle, recovery_codes=codes))
        return Exit.OK
    await visit.call.out(f"welcome, {made.account.handle}")
    await visit.call.out("recovery codes, each good once, for the day all your keys are lost (`keys link CODE`):")
    for code in made.recovery_codes:
        await visit.call.out(f"  {code}")
    return Exit.OK


async def rename(visit: Visit) -> int:
    """Take another handle."""
    account = await visit.services.accounts.rename(own(visit), visit.words.words[0])
    await visit.call.out(account.handle)
    return Exit.OK


async def keys(visit: Visit) -> int:
    """List, add, remove or link keys."""
    act, argument = visit.words.words[0], visit.words.word(1)
    if act == "link":
        return await _link(visit, argument)
    own(visit)
    match act:
        case "list":
            return await _list(visit)
        case "add":
            return await _add(visit, argument)
        case "remove" if argument is not None:
            await visit.services.accounts.remove_key(own(visit), argument)
            return Exit.OK
        case "code":
            return await _code(visit)
    raise UsageError("keys list | keys add < KEY.pub | keys remove SHA256:… | keys code | keys link CODE")


async def _list(visit: Visit) -> int:
    for key in await visit.services.accounts.keys(own(visit)):
        is_this = key.fingerprint == visit.call.identity.fingerprint
        if visit.as_json:
            await visit.call.out_json(message("key", key=key.fingerprint, added=rfc3339(key.added_at), this=is_this))
        else:
            await visit.call.out(f"{key.fingerprint}{'  (this one)' if is_this else ''}")
    return Exit.OK


async def _add(visit: Visit, argument: str | None) -> int:
    line = " ".join(visit.words.words[1:]) if argument is not None else await _line_from_input(visit)
    key = await visit.services.accounts.add_key(own(visit), line)
    await visit.call.out(key.fingerprint)
    return Exit.OK


async def _line_from_input(visit: Visit) -> str:
    try:
        line = await asyncio.wait_for(visit.call.inlet.line(), 30)
    except (EOFError, TimeoutError):
        raise UsageError("keys add reads one public key line (KEY.pub) from its input") from None
    return "" if line is None else line[:KEY_LINE_BYTES].decode("utf-8", "replace")


async def _code(visit: Visit) -> int:
    code = await visit.services.accounts.make_code(own(visit))
    if visit.as_json:
        await visit.call.out_json(message("code", code=code))
    else:
        await visit.call.out(code)
        visit.call.err("within ten minutes, with the other key: keys link CODE")
    return Exit.OK


async def _link(visit: Visit, code: str | None) -> int:
    if code is None:
        raise UsageError("keys link CODE")
    who = visit.call.identity
    account = await visit.services.accounts.link(code, proven_key(who), who.source)
    await visit.call.out(account.handle)
    return Exit.OK


async def export_my_data(visit: Visit) -> int:
    """Print everything that is stored about the caller."""
    data = await visit.services.accounts.export(own(visit))
    await visit.call.out_json(message("export", **data))
    return Exit.OK


async def delete_me(visit: Visit) -> int:
    """Delete the caller's account for good."""
    who = visit.call.identity
    if visit.words.options.get("yes") != who.name:
        raise UsageError(f"this deletes {who.name} for good, and forfeits running matches: delete-me --yes {who.name}")
    for summary in await visit.services.matches.running_of(who.player):
        for seat in summary.seats:
            if seat.player.is_same_person(who.player):
                with contextlib.suppress(GameError, MatchRefused):  # out already, it ends now, or it can't be read
                    await (await visit.services.matches.open(summary.id)).resign(seat.seat)
    await visit.call.out(await visit.services.accounts.delete(own(visit)))
    return Exit.OK


COMMANDS = (
    Command("register", Spec(("handle",), flags=("json",)), "make an account for the key you came with", register),
    Command("keys", Spec(("list|add|remove|code|link", "argument?"), flags=("json",), rest=True), "your keys", keys),
    Command("rename", Spec(("handle",)), "take another handle", rename, members=True),
    Command("export-my-data", Spec(), "everything stored about you, as JSON", export_my_data, members=True),
    Command("delete-me", Spec(options=("yes",)), "delete your account for good", delete_me, members=True),
)
