"""The table of commands, and how one is found, run and refused."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from game.errors import BadNotation, GameError
from server.errors import RateLimited, Refused
from server.matches.errors import Draining, NoSuchMatch
from server.services import Services
from server.ssh.call import Call, Exit, to_json
from server.ssh.commands.words import Spec, UsageError, Words, read, split
from server.tui import i18n
from server.tui.look import Look
from server.tui.seats import reasons

NOT_FOUND_KEYS = frozenset(("handle.unknown", "ladder.unknown", "match.error.unknown", "room.error.unknown"))


@dataclass(frozen=True)
class Visit:
    """A call, what was said in it, the house it is in, and what else could have been said."""

    call: Call
    services: Services
    words: Words
    table: Mapping[str, Command]

    @property
    def as_json(self) -> bool:
        """Tell whether a program reads the answer."""
        return "json" in self.words.flags

    def t(self, key: str, **params: object) -> str:
        """Return a sentence in the caller's language."""
        return i18n.words(self.call.language).t(key, **params)


class NotAllowed(Exception):
    """The caller may not do this; the message says who may."""


class NotFound(Exception):
    """There is no such thing."""


@dataclass(frozen=True, slots=True)
class Command:
    """One row of the table. `members`: only with an account. `screen`: with a terminal it opens the screens."""

    name: str
    spec: Spec
    about: str
    run: Callable[[Visit], Awaitable[int]]
    members: bool = False
    screen: bool = False
    raw: bool = False  # reads its words itself
    details: tuple[str, ...] = ()  # what `help` says of it besides


async def run(table: Mapping[str, Command], call: Call, services: Services, line: str) -> int:
    """Run one command line and return its exit status. A refusal leaves stdout empty and says why on stderr."""
    try:
        given = split(line)
        command = _find(table, given)
        words = Words(tuple(given[1:])) if command.raw else read(command.spec, given[1:])
        visit = Visit(call, services, words, table)
    except UsageError as error:
        call.err(f"patchbay: {error}; `help` lists the commands")
        return Exit.USAGE
    if command.members and call.identity.is_guest:
        call.err(_members_only(call))
        return Exit.NOT_ALLOWED
    return await guarded(visit, command)


def _find(table: Mapping[str, Command], given: list[str]) -> Command:
    if not given:
        raise UsageError("no command")
    found = table.get(given[0])
    if found is None:
        raise UsageError(f"unknown command {given[0][:40]}")
    return found


def _members_only(call: Call) -> str:
    if call.identity.fingerprint is None:
        return "patchbay: this needs an account: come with a key (ssh -i KEY -o IdentitiesOnly=yes …)"
    return "patchbay: this needs an account: `register HANDLE` makes one for this key"


async def guarded(visit: Visit, command: Command) -> int:
    """Run a command; every expected refusal becomes a sentence on stderr and its exit status."""
    call = visit.call
    try:
        return await command.run(visit)
    except UsageError as error:
        call.err(f"patchbay: {error}")
        return Exit.USAGE
    except NotAllowed as error:
        call.err(f"patchbay: {error}")
        return Exit.NOT_ALLOWED
    except (NoSuchMatch, NotFound) as error:
        call.err(f"patchbay: {error if isinstance(error, NotFound) else visit.t(error.key, **error.params)}")
        return Exit.NOT_FOUND
    except RateLimited as error:
        call.err(limited_json(error))
        return Exit.RATE_LIMITED
    except Draining as error:
        call.err(f"patchbay: {visit.t(error.key)}")
        return Exit.DRAINING
    except Refused as error:
        call.err(f"patchbay: {visit.t(error.key, **reasons(error, Look(language=call.language)))}")
        return Exit.NOT_FOUND if error.key in NOT_FOUND_KEYS else Exit.REFUSED
    except GameError as error:
        call.err(f"patchbay: {visit.t(error.key)} {error.detail}".rstrip())
        return Exit.USAGE if isinstance(error, BadNotation) else Exit.REFUSED


def limited_json(error: RateLimited) -> str:
    """Return what a program reads on stderr when it was too fast."""
    return to_json({"error": "rate_limited", "limit": error.limit, "retry_after_ms": error.retry_after_ms}).decode()
