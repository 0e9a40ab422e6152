"""The exit code of a refusal: one table for `patchbay` and for the commands over SSH."""

from __future__ import annotations

from collections.abc import Mapping

from game.cli.exits import Exit
from game.errors import BadNotation, GameError
from server.errors import RateLimited, Refused

EXITS: Mapping[str, Exit] = {
    "challenge.self": Exit.NOT_FOUND,
    "deck.unknown": Exit.NOT_FOUND,
    "follow.not-followed": Exit.NOT_FOUND,
    "events.unknown-cursor": Exit.NOT_FOUND,
    "handle.unknown": Exit.NOT_FOUND,
    "help.unknown": Exit.NOT_FOUND,
    "ladder.unknown": Exit.NOT_FOUND,
    "lobby.error.nobody": Exit.NOT_FOUND,
    "match.error.unknown": Exit.NOT_FOUND,
    "notices.error.none": Exit.NOT_FOUND,
    "people.is-bot": Exit.NOT_FOUND,
    "people.not-blocked": Exit.NOT_FOUND,
    "people.you-blocked": Exit.NOT_FOUND,
    "report.none-open": Exit.NOT_FOUND,
    "room.error.unknown": Exit.NOT_FOUND,
    "sanction.none": Exit.NOT_FOUND,
    "store.not-found": Exit.NOT_FOUND,
    "account.needed": Exit.NOT_ALLOWED,
    "account.is-a-key": Exit.NOT_ALLOWED,
    "account.needs-key": Exit.NOT_ALLOWED,
    "match.error.not-watchable": Exit.NOT_ALLOWED,
    "match.error.not-your-match": Exit.NOT_ALLOWED,
    "match.error.not-your-seat": Exit.NOT_ALLOWED,
    "match.error.share-players": Exit.NOT_ALLOWED,
    "role.admins-only": Exit.NOT_ALLOWED,
    "role.beside-only": Exit.NOT_ALLOWED,
    "role.needed": Exit.NOT_ALLOWED,
    "room.needs-terminal": Exit.NOT_ALLOWED,
    "server.draining": Exit.DRAINING,
}


def exit_of(error: Refused | GameError) -> Exit:
    """Return the exit code of a command that was refused."""
    match error:
        case BadNotation():
            return Exit.USAGE
        case RateLimited():
            return Exit.RATE_LIMITED
        case Refused():
            return EXITS.get(error.key, Exit.REFUSED)
        case _:
            return Exit.REFUSED
