"""Every command that lets somebody look at matches, run in one process, with a clock moved by hand."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from server.accounts.accounts import Accounts
from server.accounts.conduct import Conduct
from server.accounts.following import Following
from server.accounts.identity import Identity, Player
from server.accounts.machines import Machines
from server.config import Limits, Settings
from server.lobby.lobby import Lobby
from server.ratings.ratings import Ratings
from server.services import Services
from server.ssh.call import Call
from server.ssh.commands.all import TABLE
from server.ssh.commands.table import run
from server.tokenbucket import Rates
from tests.clocks import FakeClock
from tests.lobby.opened import lobby_context
from tests.matches.table import SharedBus, Table, open_matches


def person(player: Player, *roles: str, source: str = "192.0.2.1", key: str | None = None) -> Identity:
    """Return the identity of somebody who runs commands."""
    return Identity(player.account_id, player.name, frozenset(roles), key, None, "", source)


@dataclass
class Heard:
    """A channel that keeps what was written to it."""

    out: str = ""
    err: str = ""
    paused: bool = False

    def write(self, data: bytes, to_stderr: bool = False) -> None:
        if to_stderr:
            self.err += data.decode()
        else:
            self.out += data.decode()


@dataclass
class Commands:
    """The services of a server, and its commands over SSH. `calls` counts those that were run."""

    table: Table
    services: Services
    calls: int = field(default=0)

    async def ssh(self, who: Identity, line: str, rates: Rates | None = None) -> tuple[int, str, str]:
        """Run a command as somebody; return exit status, stdout, stderr. `rates`: what was counted before."""
        heard, self.calls = Heard(), self.calls + 1
        counted = rates or Rates(lambda: 0.0)
        call = Call(who, line, {}, None, heard, None, f"call {self.calls}", counted)  # type: ignore[arg-type]
        status = await run(TABLE, call, self.services, line)
        return status, heard.out, heard.err

    async def json(self, who: Identity, line: str) -> list[dict[str, Any]]:
        """Run a command that must succeed, with --json; return its objects."""
        status, out, err = await self.ssh(who, f"{line} --json")
        assert status == 0, (line, err)
        return [json.loads(one) for one in out.splitlines()]


@asynccontextmanager
async def open_commands(url: str, clock: FakeClock, bus: SharedBus | None = None) -> AsyncIterator[Commands]:
    """Open the services with real ratings, accounts, conduct and lobby on a migrated database."""
    async with open_matches(url, clock, bus) as table:
        database: Any = table.database
        ratings, conduct = Ratings(database, clock), Conduct(database, clock)
        table.matches.context.ratings = ratings
        lobby = Lobby(lobby_context(table, conduct), table.matches, bus)
        await lobby.start()
        settings: Any = Settings()
        accounts = Accounts(database, clock, Limits())
        nothing: Any = None
        try:
            yield Commands(
                table,
                Services(
                    settings=settings,
                    clock=clock,
                    database=database,
                    bus=nothing,
                    accounts=accounts,
                    conduct=conduct,
                    following=Following(database, clock),
                    messages=nothing,
                    machines=Machines(database, clock, nothing),
                    ratings=ratings,
                    chat=nothing,
                    matches=table.matches,
                    lobby=lobby,
                    decks=nothing,
                    exhibition=nothing,
                ),
            )
        finally:
            await lobby.close()
