"""Fuzzing the admin command line: 1,500 lines of words it knows, half knows and never saw."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from game.cli.exits import Exit
from server.accounts.actor import Actor
from server.admin import command
from server.admin.acts import Admin
from server.admin.command import ACTS, Console
from server.bus.bus import LocalBus
from server.store.database import Database
from tests import seeds
from tests.clocks import FakeClock

ITERATIONS = 1_500
WORDS = (
    *("grant", "revoke", "key", "add", "ban", "unban", "mute", "unmute", "announce", "void", "reports", "audit"),
    *("sessions", "matches", "drain", "undrain", "--role", "admin", "--for", "3d", "-1d", "--why", "--json", "--limit"),
    *("-5", "99999999999999999999", "--handled", "10.0.0.0/8", "::/0", "1.2.3.4/99", "SHA256:", "SHA256:x", "mira"),
    *("", "--", "-h", "--help", "\x1b[2J", "\x00", "\u202e", "'", "ß" * 400, "{", "%s", "nobody", "m1", "--role=king"),
)


async def fuzz(database: Database, iterations: int, seed: int) -> str | None:
    """Run random lines as an admin over SSH; return the first that does not end with one of the promised codes."""
    rng, admin = random.Random(seed), Admin(Actor(database, FakeClock(), LocalBus()))
    said: list[str] = []

    async def nothing() -> str:
        return rng.choice(("", "ssh-ed25519 AAAA", "\x00"))

    console = Console(said.append, said.append, nothing)
    for _ in range(iterations):
        line = [rng.choice(WORDS) for _ in range(rng.randrange(6))]
        roles = rng.choice((None, frozenset(("admin",)), frozenset(("moderator",)), frozenset[str]()))
        said.clear()
        try:
            code = await command.run(line, admin, console, roles)
        except BaseException as error:
            return f"{line}: {error!r}"
        if code not in range(6) or (code and not said and code != Exit.NOT_FOUND):
            return f"{line}: {code} {said}"
        if any("\x1b" in text or "\x00" in text for text in said if not text.startswith("{")):
            return f"{line}: prints {said!r}"
    return None


async def test_every_line_ends_with_a_promised_code(database: Database) -> None:
    seed = seeds.drawn()
    assert await fuzz(database, ITERATIONS, seed) is None


async def test_the_fuzzer_finds_a_planted_bug(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    async def leaves(*_: object) -> None:
        raise SystemExit(3)

    monkeypatch.setattr(command, "ACTS", {**ACTS, "audit": replace(ACTS["audit"], run=leaves)})
    assert await fuzz(database, ITERATIONS, seed=1) is not None


async def test_help_says_how_acts_are_written(database: Database) -> None:
    admin, told = Admin(Actor(database, FakeClock(), LocalBus())), list[str]()
    for line in (["-h"], ["help"], ["ban", "-h"], ["key", "add", "--help"]):
        told.clear()
        assert await command.run(line, admin, Console(told.append, told.append, nobody)) == Exit.OK
        assert any(ACTS["key add" if line[0] == "key" else "ban"].synopsis in text for text in told), line


@pytest.mark.parametrize("said", ["-1", "0", "99999999999999999999", "1_0", "\u0663"])
async def test_a_number_that_no_column_holds_is_a_wrong_argument(either: Database, said: str) -> None:
    """It was an error of ours, on the one database or on both."""
    admin, told = Admin(Actor(either, FakeClock(), LocalBus())), list[str]()
    for line in (["audit", f"--limit={said}"], ["reports", f"--handled={said}"]):
        assert await command.run(line, admin, Console(told.append, told.append, nobody)) == Exit.USAGE
        assert told


async def nobody() -> str:
    return ""
