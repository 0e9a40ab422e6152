"""The table of commands, and how one is found, run and refused."""

from __future__ import annotations

import shlex
from collections.abc import Awaitable, Callable, Iterable
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace

from game.cli.commandline import HELP, JSON, Command, CommandLine, CommandTable, HelpAsked
from game.cli.exits import Exit
from game.errors import BadNotation, GameError
from server.admission.reading import Bill
from server.boards.wire import Object, limit_json, to_json
from server.errors import RateLimited, Refused
from server.exits import exit_of
from server.i18n import catalogues
from server.i18n.catalogues import FALLBACK, Catalogue
from server.i18n.refusals import sentence
from server.sanitize import clean
from server.services import Services
from server.ssh.advice import about_command
from server.ssh.call import Call
from server.store.errors import StoreUnavailable


@dataclass(frozen=True)
class Request:
    """A call, its command line as read, the services, and the table of all commands."""

    call: Call
    services: Services
    line: CommandLine
    table: ExecTable

    @property
    def account_id(self) -> int:
        """Return the caller's account. Raises Refused for a guest."""
        who = self.call.identity
        if who.account_id is None:
            if who.fingerprint is not None:
                raise Refused("account.needed")
            raise Refused("account.needs-key", line=self.call.reached_at.line_with_key())
        return who.account_id

    @property
    def as_json(self) -> bool:
        """Tell whether a program reads the answer."""
        return "json" in self.line.flags

    async def answer(self, told: Object, *lines: str) -> None:
        """Print a JSON line where a program reads it, else these lines for a person."""
        if self.as_json:
            await self.call.out_json(told)
        else:
            for line in lines:
                await self.call.out(line)

    def say(self, key: str, **params: object) -> None:
        """Say beside the answer what was done, or what to do with it."""
        self.call.err(self.t(key, **params))

    def remark(self, key: str, **params: object) -> None:
        """Say beside the answer what the server has to say about it."""
        self.call.err(f"patchbay: {self.t(key, **params)}")

    def reads(self) -> Bill:
        """Charge the caller for something that is read (`server/admission/reading.py`). Raises RateLimited."""
        return self.services.matches.reading.begin(self.call.identity.sources)

    async def out_in_slices(self, lines: Iterable[str], bill: Bill, end: str = "\n") -> None:
        """Print lines, or pieces that have another `end`, one in a turn, and charge what it costs to make them."""
        async with aclosing(bill.in_slices(lines)) as made:
            async for line in made:
                await self.call.out(line, end)

    @property
    def spoken(self) -> ExecTable:
        """Return the table of all commands with what each does in the caller's language."""
        return spoken(self.table, self.call.language)

    def t(self, key: str, **params: object) -> str:
        """Return a sentence in the caller's language."""
        return catalogues.catalogue(self.call.language).t(key, **params)


@dataclass(frozen=True, slots=True)
class ExecCommand(Command[Callable[[Request], Awaitable[int | None]]]):
    """One row of the table; it runs to an exit code, None: Exit.OK.

    `members`: only with an account. `staff`: listed for moderators and admins only. `screen`: with a terminal it opens
    the screens.
    """

    members: bool = False
    staff: bool = False
    screen: bool = False

    @property
    def notes(self) -> tuple[str, ...]:
        account = ("Needs an account.",) if self.members else ()
        json = ("--json prints JSON lines for programs instead of text.",) if JSON in self.syntax.options else ()
        return (*account, *json, *self.details)


ExecTable = CommandTable[ExecCommand]


def spoken(table: ExecTable, language: str) -> ExecTable:
    """Return a table with what each command does in a language; the further lines of their help stay English."""
    if language == FALLBACK:
        return table
    t = catalogues.catalogue(language).t
    return CommandTable(replace(row, about=t(about_key(row))) for row in table.values())


def about_key(row: ExecCommand) -> str:
    """Return the key of the text that says what a command does."""
    return f"exec.about.{row.name.replace(' ', '-')}"


def split(line: str) -> list[str]:
    """Split a command line as a shell would, without expanding anything; every word is sanitised.

    Raises BadNotation for a quote that is not closed.
    """
    try:
        return [clean(word, 4096) for word in shlex.split(line)]
    except ValueError:
        raise BadNotation("usage.quote") from None


async def _use_kept_language(call: Call, services: Services) -> None:
    """Speak the language that the caller has chosen in their settings, if any."""
    if (account_id := call.identity.account_id) is not None:
        with suppress(StoreUnavailable):  # the command itself says so
            call.speak((await services.accounts.preferences(account_id)).language)


async def run(table: ExecTable, call: Call, services: Services, line: str) -> int:
    """Run one command line and return its exit code. A refusal leaves stdout empty and says why on stderr."""
    await _use_kept_language(call, services)
    said_in, words = catalogues.catalogue(call.language), list[str]()
    try:
        words = split(line)
        words = ["help"] if words and words[0] in HELP else words
        command, given = table.read(words)
        request = Request(call, services, given, table)
    except HelpAsked as asked:
        await call.out("\n".join(spoken(table, call.language).help_of(words[0]) or asked.lines))
        return Exit.OK
    except BadNotation as error:
        if (advice := about_command(line)) is not None:
            call.err(f"patchbay: {said_in.t(advice, ssh=call.reached_at.line())}")
        else:
            call.err(f"patchbay: {sentence(error, said_in)}\n{table.usage(words) or said_in.t('usage.help')}")
        return Exit.USAGE
    try:
        if command.members:
            _ = request.account_id
        return await command.run(request) or Exit.OK
    except (Refused, GameError) as error:
        call.err(_refusal_text(error, said_in))
        return exit_of(error)


def _refusal_text(error: Refused | GameError, said_in: Catalogue) -> str:
    """Return what stderr says of a refusal: a sentence; of a limit JSON, which says how long a program waits."""
    if isinstance(error, RateLimited):
        return to_json(limit_json(error)).decode()
    return f"patchbay: {sentence(error, said_in)}"
