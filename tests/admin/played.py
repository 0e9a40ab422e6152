"""Real matches, played at random through the rules and stored as the server stores them."""

from __future__ import annotations

import random
from datetime import timedelta

from game import registry
from game.choices import draw
from game.contract import Seat, result_json, state_hash
from game.replay import Entry, Header, advance, begin
from game.rng import Rng, commitment
from server.store import matches
from server.store.appends import Append, Effect, LogEntry
from server.store.database import Database
from server.store.logwriter import LogWriter
from server.store.matches import StoredMatch, StoredSeat
from tests.store.builders import START


async def play_and_store(
    database: Database,
    match_id: str,
    seed: int,
    seats: tuple[StoredSeat, ...] = (),
    entries: int | None = None,
    private: bool = False,
) -> StoredMatch:
    """Store a RaiNet match, finished, or stopped after so many entries. Returns its row at the start."""
    game, rng = registry.get("rainet"), random.Random(seed)
    secret = rng.randbytes(32)
    held = seats or (StoredSeat("guest", "guest-a", guest_id="a"), StoredSeat("bot", "bot:easy"))
    stored = StoredMatch(
        id=match_id,
        game="rainet",
        rules_version=game.version,
        options={},
        seed=secret,
        commitment=commitment(secret),
        speed="normal",
        rated=bool(seats),
        private=private,
        started_at=START,
        seats=held,
    )
    await database.write(matches.create, stored)
    fold, _ = begin(game, Header("rainet", game.version, {}, 2, secret))
    log: list[LogEntry] = []
    chance = Rng(rng.randbytes(32))
    while fold.result is None and (entries is None or len(log) < entries):
        pending = rng.choice(game.pending(fold.state))
        action, chance = draw(pending.choice, chance)
        fold, _ = advance(game, fold, Entry(len(log) + 1, "action", pending.seat, action.text))
        log.append(LogEntry(len(log) + 1, "action", START + timedelta(seconds=len(log)), pending.seat, action.text))
        if len(log) == 150:
            entry = Entry(151, "resign", Seat(0))
            fold, _ = advance(game, fold, entry)
            log.append(LogEntry(151, "resign", START, 0))
    effects: tuple[Effect, ...] = ()
    if fold.result is not None:
        result = result_json(fold.result)
        ended = matches.finish(match_id, result, state_hash(game, fold.state), START)  # type: ignore[arg-type]
        effects = (ended,)
    if log:
        writer = LogWriter(database)
        writer.start()
        await writer.append(Append(match_id, tuple(log), effects=effects))
        await writer.close()
    return stored
