"""Writing released matches down, and what a replay of them has to agree with."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from game import registry
from game.choices import choice_json
from game.contract import Event, Game, Json
from game.contract import state_hash as hash_of
from game.record import Record, read_record, write_record
from game.replay import Entry, Header, Status, advance, begin
from game.rng import commitment
from tests.golden.released.plans import PLANS, play

FOLDER = Path(__file__).parent
DIGITS = 16


def digest(value: Json) -> str:
    """Return the beginning of the SHA-256 of JSON in its canonical form."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def stands(game: Game[Any, Any], state: Any) -> str:
    """Return the digest of a state and of what is owed in it."""
    owed: list[Json] = [
        [p.seat, p.prompt, choice_json(p.choice), p.secret, p.window, dict(p.params), p.idle]
        for p in game.pending(state)
    ]
    return digest([hash_of(game, state), owed])


def told(events: tuple[Event, ...]) -> str:
    """Return the digest of events, as each audience gets them."""
    said: list[Json] = []
    for event in events:
        private: dict[str, Json] = {str(seat): dict(known) for seat, known in (event.private or {}).items()}
        said.append([event.kind, None if event.public is None else dict(event.public), private])
    return digest(said)


def followed(game: Game[Any, Any], header: Header, entries: tuple[Entry, ...]) -> Iterator[tuple[Entry, str, str]]:
    """Fold a record and yield each entry with the digests that it has now; the setup stands as entry 0."""
    fold, events = begin(game, header)
    yield Entry(0, "setup"), stands(game, fold.state), told(events)
    for entry in entries:
        fold, events = advance(game, fold, entry)
        yield entry, stands(game, fold.state), told(events)


def released() -> list[Path]:
    """Return the records there are."""
    return sorted(FOLDER.glob("*/*/*.jsonl"))


def read(path: Path) -> Record:
    """Read one of them."""
    return read_record(path.read_text(encoding="utf-8").splitlines())


def _write(path: Path, record: Record) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(line + "\n" for line in write_record(record)), encoding="utf-8")


def write_version(key: str) -> None:
    """Write the planned matches of a game's newest rules down, where there are none of that version yet."""
    game = registry.get(key)
    if (FOLDER / key / str(game.version)).exists():
        return
    for plan in PLANS[key]:
        (header, fold, _), *after = play(key, game.version, plan)
        fold = after[-1][1]
        entries = tuple(entry for _, _, entry in after if entry is not None)
        marked = tuple(
            replace(entry, data={**entry.data, "stands": as_, "told": said})
            for entry, as_, said in list(followed(game, header, entries))[1:]
        )
        seats: tuple[dict[str, Json], ...] = tuple(
            {"seat": i, "options": dict(one)} for i, one in enumerate(plan.seat_options)
        )
        record = Record(
            header=header,
            seats=seats or tuple({"seat": i} for i in range(plan.n_seats)),
            commitment=commitment(header.seed),
            started=None,
            entries=marked,
            status=Status.FINISHED,
            result=fold.result,
            state_hash=hash_of(game, fold.state),
        )
        _write(FOLDER / key / str(game.version) / f"{plan.name}.jsonl", record)


def renew_told(path: Path) -> None:
    """Write a record's `told` anew: what is said about a match may change, how it goes may not."""
    record = read(path)
    game = registry.get(record.header.game, record.header.rules_version)
    now = list(followed(game, record.header, record.entries))[1:]
    entries = tuple(replace(entry, data={**entry.data, "told": said}) for entry, _, said in now)
    _write(path, replace(record, entries=entries))
