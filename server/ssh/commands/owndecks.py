"""decks: one's own decks as text, in the form that every reader of lists takes."""

from __future__ import annotations

from game.cli.commandline import Syntax
from server.accounts.errors import AccountError
from server.boards.decks import deckbook
from server.ssh.commands.table import ExecCommand, Request


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


COMMANDS = (
    ExecCommand(
        "decks",
        Syntax(("name?",)),
        "your decks as text, or the one with this name",
        decks,
        members=True,
        details=("What it prints can be pasted as a list again: here, and over the bot protocol.",),
    ),
)
