"""A database full of matches, finished and running, as a server that was played on for long leaves it behind."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from game.choices import draw
from game.contract import result_json, state_hash
from game.replay import Entry
from game.rng import Rng
from server.accounts.accounts import Accounts
from server.accounts.identity import Player
from server.clock import SystemClock, rfc3339
from server.config import Limits
from server.matches.agreement import Agreement
from server.matches.checkpoint_writer import KEEP_AFTER, write
from server.matches.deadlines import due_at
from server.matches.matchlog import MatchLog, to_log
from server.matches.model import NewMatch
from server.matches.playable import terms_of
from server.matches.terms import Terms, new_id, to_store
from server.store import checkpoints, matches
from server.store.appends import Append, LogEntry
from server.store.checkpoints import StoredCheckpoint
from server.store.database import Database
from server.store.logwriter import store_batch
from tests.clocks import FakeClock

GAMES = (("rainet", 2), ("relati", 2), ("passage", 3))
VARIANTS = 6  # of each game: the stored matches are copies of so many different ones
AT_ONCE = 250
RUNNING_ENTRIES = 40
MOST_ENTRIES = 400
STOOD_S = 60.0  # since the last entry of a running match


@dataclass(frozen=True, slots=True)
class Template:
    """One match as it is stored, whatever its id and players."""

    terms: Terms
    entries: tuple[LogEntry, ...]
    deadline: datetime | None
    end: tuple[dict[str, Any], str, datetime] | None  # result, state hash, moment
    kept: StoredCheckpoint | None = None  # what a server keeps on the way


async def register(database: Database, public_keys: list[str]) -> list[Player]:
    """Make an account for each key."""
    accounts = Accounts(database, SystemClock(), Limits(accounts_per_hour=10**9))
    made = [await accounts.register(f"player{i:03}x", key, "192.0.2.1") for i, key in enumerate(public_keys)]
    return [Player("account", one.account.handle, account_id=one.account.id) for one in made]


async def fill(database: Database, players: list[Player], finished: int, running: int) -> None:
    """Store so many matches among the players: the finished ones of all games, the running ones in the middle."""
    rng = random.Random(1)
    kinds = [(game, n, seed) for seed in range(VARIANTS) for game, n in GAMES]
    over = [played(game, n, seed, MOST_ENTRIES) for game, n, seed in kinds]
    live = [one for game, n, seed in kinds if (one := played(game, n, seed, RUNNING_ENTRIES)).end is None]
    for templates, count in ((over, finished), (live, running)):
        wanted = [(templates[i % len(templates)], rng) for i in range(count)]
        for start in range(0, count, AT_ONCE):
            await database.write(_store, [copy_of(one, players, r) for one, r in wanted[start : start + AT_ONCE]])


def played(game: str, n_seats: int, seed: int, most: int) -> Template:
    """Play a match at random, to its end or so many entries (then it runs: its last entry was a minute ago)."""
    clock = FakeClock()
    people = tuple(Player("account", f"p{i}", account_id=i + 1) for i in range(n_seats))
    terms = terms_of(NewMatch(Agreement(game), people, seed=bytes([seed + 1]) * 32), clock)
    began = datetime.now(UTC) - timedelta(seconds=STOOD_S + most)
    terms = replace(terms, started_at=began.replace(microsecond=0))
    kept: StoredCheckpoint | None = None
    matchlog, chance, rng = MatchLog(terms), Rng(bytes([seed + 1]) * 32), random.Random(seed)
    while matchlog.head.is_live and len(matchlog.entries) < most:
        owed = rng.choice(matchlog.head.pending)
        action, chance = draw(owed.choice, chance)
        at = rfc3339(terms.started_at + timedelta(seconds=matchlog.head.seq + 1))
        matchlog.absorb(Entry(matchlog.head.seq + 1, "action", owed.seat, action.text, at))
        if matchlog.head.is_live and matchlog.head.seq % KEEP_AFTER == 0:
            kept = write(terms.id, matchlog.game, matchlog.head)
    if matchlog.head.is_live and most == MOST_ENTRIES:
        at = rfc3339(terms.started_at + timedelta(seconds=most))
        matchlog.absorb(Entry(matchlog.head.seq + 1, "draw_agreed", None, None, at))
    head, end = matchlog.head, None
    if head.fold.is_over:
        moment = terms.started_at + timedelta(seconds=head.seq)
        end = (dict(result_json(head.fold.result)), state_hash(matchlog.game, head.fold.state), moment)  # type: ignore[arg-type]
    return Template(terms, tuple(to_log(entry) for entry in matchlog.entries), due_at(terms, head), end, kept)


def copy_of(template: Template, players: list[Player], rng: random.Random) -> tuple[Terms, Template]:
    """Return the same match with an id and players of its own."""
    seated = tuple(rng.sample(players, template.terms.n_seats))
    return replace(template.terms, id=new_id(), players=seated), template


def _store(connection: Connection, copies: list[tuple[Terms, Template]]) -> None:
    for terms, template in copies:
        matches.create(connection, to_store(terms, template.deadline))
    refused = [one for one in store_batch(connection, list(_appends(copies)), lock=False) if one is not None]
    if refused:
        raise refused[0]
    found = [(terms.id, template.kept) for terms, template in copies if template.kept and template.end is None]
    checkpoints.keep(connection, [replace(kept, match_id=match_id) for match_id, kept in found])


def _appends(copies: list[tuple[Terms, Template]]) -> Iterator[Append]:
    for terms, template in copies:
        effects = () if template.end is None else (matches.finish(terms.id, *template.end),)
        yield Append(terms.id, template.entries, template.deadline, effects=effects)
