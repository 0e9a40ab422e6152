"""account, register, rename, decks, export-my-data, delete-me: one's own account and what is kept with it."""

from __future__ import annotations

from contextlib import aclosing
from typing import get_args

from game.cli.commandline import JSON, CommandOption, Syntax
from game.errors import BadNotation
from server.accounts.errors import AccountError
from server.accounts.exporting import Lists
from server.accounts.machines import Kind
from server.admission.reading import ROW_MS
from server.boards.decks import deckbook
from server.boards.wire import message, with_lists
from server.errors import Refused
from server.ssh.call import Call
from server.ssh.commands.table import ExecCommand, Request

KINDS: tuple[Kind, ...] = get_args(Kind)


def proven_key(call: Call) -> str:
    """Return the line of the key that the caller proved. Raises Refused for a caller without one."""
    if call.identity.public_key is None:
        raise Refused("account.is-a-key", line=call.reached_at.line_with_key())
    return call.identity.public_key


async def register(request: Request) -> None:
    """Make an account for the caller's key."""
    who = request.call.identity
    if not who.is_guest:
        raise Refused("exec.registered-already", name=who.name, command="rename")
    key, code = proven_key(request.call), request.line.one("invitation") or ""
    made = await request.services.accounts.register(request.line.words[0], key, who.source, code)
    handle, codes = made.account.handle, made.recovery_codes
    welcome = (request.t("exec.welcome", name=handle), request.t("exec.recovery-codes"))
    told = message("registered", player=handle, recovery_codes=list(codes))
    await request.answer(told, *welcome, *(f"  {code}" for code in codes))


async def rename(request: Request) -> None:
    """Take another handle."""
    account = await request.services.accounts.rename(
        request.account_id, request.line.words[0], request.call.identity.fingerprint
    )
    await request.call.out(account.handle)


async def decks(request: Request) -> None:
    """Print one's decks, or the one that is named, each after an empty line."""
    account_id, name = request.account_id, request.line.word(0)
    found = [deck for deck in await request.services.decks.of(account_id) if name in (None, deck.name)]
    if not found and name is not None:
        raise AccountError("deck.unknown", name=name[:40])
    if not found:
        request.remark("decks.none-own")
    for at, deck in enumerate(found):
        if (book := deckbook(deck.game)) is not None:
            await request.call.out(("\n" if at else "") + book.exported(deck.list, deck.name))


async def export_my_data(request: Request) -> None:
    """Print what is stored of the caller: their own, and what the screens would show them now."""
    bill = request.reads()
    lists = await request.services.accounts.export(request.account_id, request.call.identity.fingerprint)

    async def charged() -> Lists:
        async for name, rows in lists:
            bill.settle(len(rows) * ROW_MS)
            yield name, rows

    async with aclosing(charged()) as read, aclosing(with_lists(message("export"), read)) as portions:
        async for pieces in portions:
            await request.out_in_slices(pieces, bill, end="")
    await request.call.out("")


async def delete_me(request: Request) -> None:
    """Delete the caller's account for good."""
    who = request.call.identity
    if request.line.one("yes") != who.name:
        raise BadNotation("usage.confirm", f"delete-me --yes {who.name}")
    # Checked before any match is forfeited.
    await request.services.accounts.keys.check_acting(request.account_id, who.fingerprint)
    await request.services.matches.resign_all(who.player)
    if await request.services.accounts.stays_with_keys(request.account_id):
        request.say("account.stays-with-keys")
    await request.call.out(await request.services.accounts.delete(request.account_id, who.fingerprint))


async def account(request: Request) -> None:
    """Mark the caller's account as a machine's, or take that back."""
    who, kind = request.call.identity, request.line.word_of(0, KINDS)
    if request.line.one("yes") != who.name:
        raise BadNotation("usage.confirm", f"account {kind} --yes {who.name}")
    await request.services.machines.declare(request.account_id, kind, who.fingerprint)
    request.say(f"machine.is-{kind}")


COMMANDS = (
    ExecCommand(
        "account",
        Syntax(("bot|person",), (CommandOption("yes", "HANDLE"),)),
        "mark your account as a machine's: a program plays for it",
        account,
        members=True,
        details=(
            "Programs play rated only for a marked account. It has ladders of its own, and a mark beside its name.",
            "Give your own handle with --yes. `account person` takes it back, until the first rated match with it.",
        ),
    ),
    ExecCommand(
        "register",
        Syntax(("handle",), (CommandOption("invitation", "CODE"), JSON)),
        "make an account for the key you came with",
        register,
        details=(
            "It prints recovery codes, for the day all your keys are lost. Keep them.",
            "Where accounts are by invitation, an admin gives you the code.",
        ),
    ),
    ExecCommand(
        "rename",
        Syntax(("handle",)),
        "take another handle",
        rename,
        members=True,
        details=("Ratings, matches and keys stay yours.",),
    ),
    ExecCommand(
        "decks",
        Syntax(("name?",)),
        "your decks as text, or the one with this name",
        decks,
        members=True,
        details=("What it prints can be pasted as a list again: here, and over the bot protocol.",),
    ),
    ExecCommand(
        "export-my-data",
        Syntax(),
        "your own data, as JSON",
        export_my_data,
        members=True,
        details=("It goes to standard output, as one JSON object.",),
    ),
    ExecCommand(
        "delete-me",
        Syntax(options=(CommandOption("yes", "HANDLE"),)),
        "delete your account for good",
        delete_me,
        members=True,
        details=(
            "Give your own handle with --yes to confirm. You resign your running matches.",
            "A ban, a mute or a pause from rated matches stays with your keys until it ends, and holds for the account "
            "that they come to next. Nothing else is kept of a key, and of it only a hash.",
        ),
    ),
)
