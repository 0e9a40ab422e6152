"""Stored checkpoints of running matches, so that a restart need not play each of them again from its first entry.

The log stays the truth. A stored checkpoint is of use only to the very code that folded it (rules, fold, clocks), is
read only with the log beside it, and is compared with the whole fold as soon as somebody wants to see the match's
beginning; `patchbay verify` compares them all.
"""

from __future__ import annotations

import asyncio
import hashlib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from game.contract import Seat
from game.errors import GameError
from game.replay import Fold, Status
from server.clock import parse_rfc3339, rfc3339
from server.matches import checkpoint, clocks, speeds
from server.matches.checkpoint import AnyGame, Checkpoint, Left
from server.matches.clocks import Clocks, Decision
from server.matches.speeds import Speed
from server.store import checkpoints
from server.store.checkpoints import StoredCheckpoint
from server.store.database import Database

TIDY_EVERY = 900  # rounds of keeping between two looks at what matches have ended
KEEP_AFTER = 32  # entries from one mark to the next: who brings a match past a mark keeps how it stands
Decided = tuple[str, int, str | None, int]  # since, seq, window, asked
LeftSeat = tuple[int, tuple[int, ...], int, bool]  # seat, out, decisions, for good


class CheckpointData(msgspec.Struct, frozen=True):
    """A checkpoint as JSON; what it owes is asked of the rules anew."""

    state: Any
    status: str
    bots: tuple[str | None, ...]
    away: tuple[int, ...]
    banks: tuple[int, ...]
    decisions: tuple[Decided | None, ...]
    changed: tuple[int, ...]
    acted: tuple[int, ...]
    left: tuple[LeftSeat, ...]
    outage: int
    stands: int
    back: tuple[int | None, ...]
    decided: int
    asked_after: tuple[int, ...]
    moved_on: tuple[int, ...]
    refilled: tuple[int, ...]
    vacations: tuple[str | None, ...] = ()


@cache
def rules_hash() -> str:
    """Return the SHA-256 over all the code that a checkpoint follows from."""
    hashed = hashlib.sha256()
    folder = Path(str(files("game")))
    for file in (
        *sorted(folder.rglob("*.py")),
        *(Path(str(module.__file__)) for module in (clocks, speeds, checkpoint)),
    ):
        hashed.update(f"{file.name} ".encode() + file.read_bytes())
    for file in sorted(folder.rglob("*.json")):  # what cards say
        hashed.update(file.read_bytes())
    return hashed.hexdigest()


def write(match_id: str, game: AnyGame, checkpoint: Checkpoint) -> StoredCheckpoint:
    """Return a checkpoint of a running match as it is kept."""
    fold = checkpoint.fold
    kept = CheckpointData(
        state=game.dump(fold.state),
        status=fold.status.value,
        bots=fold.bots,
        away=tuple(sorted(fold.away)),
        banks=checkpoint.clocks.banks,
        decisions=tuple(None if one is None else _decided(one) for one in checkpoint.clocks.decisions),
        changed=checkpoint.changed,
        acted=checkpoint.acted,
        left=tuple((one.seat, tuple(sorted(one.out)), one.decisions, one.for_good) for one in checkpoint.left),
        outage=checkpoint.outage,
        stands=checkpoint.stands,
        back=checkpoint.back,
        decided=checkpoint.decided,
        asked_after=checkpoint.asked_after,
        moved_on=checkpoint.moved_on,
        refilled=checkpoint.clocks.refilled,
        vacations=tuple(None if one is None else rfc3339(one) for one in checkpoint.clocks.away),
    )
    return StoredCheckpoint(match_id, checkpoint.seq, rules_hash(), msgspec.json.encode(kept).decode())


def _decided(decision: Decision) -> Decided:
    return rfc3339(decision.since), decision.seq, decision.window, decision.asked


def read(kept: StoredCheckpoint | None, game: AnyGame, speed: Speed, last_seq: int) -> Checkpoint | None:
    """Return a stored checkpoint; None for one of other code, of a log that is shorter, or that can't be read."""
    if kept is None or kept.rules != rules_hash() or kept.seq > last_seq:
        return None
    try:
        return _checkpoint(kept.seq, msgspec.json.decode(kept.data, type=CheckpointData), game, speed)
    except (msgspec.MsgspecError, GameError, ValueError, KeyError, TypeError):
        return None


def _checkpoint(seq: int, kept: CheckpointData, game: AnyGame, speed: Speed) -> Checkpoint:
    state: Any = game.load(kept.state)
    fold: Fold[Any] = Fold(state, seq, None, Status(kept.status), kept.bots, frozenset(map(Seat, kept.away)))
    decisions = tuple(None if one is None else Decision(parse_rfc3339(one[0]), *one[1:]) for one in kept.decisions)
    return Checkpoint(
        fold=fold,
        pending=game.pending(state) if fold.status is Status.LIVE else (),
        clocks=Clocks(
            speed,
            kept.banks,
            decisions,
            tuple(None if one is None else parse_rfc3339(one) for one in kept.vacations),
            kept.refilled,
        ),
        changed=kept.changed,
        acted=kept.acted,
        left=tuple(Left(Seat(one[0]), frozenset(map(Seat, one[1])), *one[2:]) for one in kept.left),
        outage=kept.outage,
        stands=kept.stands,
        back=kept.back,
        decided=kept.decided,
        asked_after=kept.asked_after,
        moved_on=kept.moved_on,
    )


class CheckpointWriter:
    """Stores checkpoints now and then, some time after they were shown: that one is lost does no harm."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: dict[str, tuple[AnyGame, Checkpoint]] = {}
        self._rounds = 0
        self._kept: dict[str, int] = {}  # by match, the entry up to which one is kept

    def record(self, match_id: str, game: AnyGame, checkpoint: Checkpoint) -> None:
        """Hear how a match stands, with nothing held back; what is worth it is kept the next time."""
        if checkpoint.fold.is_over:
            self.forget(match_id)
        elif _mark(checkpoint.seq) > self._kept.get(match_id, 0):
            self._waiting[match_id] = game, checkpoint

    def kept_elsewhere(self, match_id: str, seq: int) -> None:
        """Hear how far another process has brought a match: what is worth keeping there is kept there."""
        if _mark(seq) > self._kept.get(match_id, 0):
            self._kept[match_id] = _mark(seq)

    def has_kept(self, match_id: str, seq: int) -> None:
        """Hear up to which entry a match is kept already."""
        self._kept[match_id] = max(seq, self._kept.get(match_id, 0))

    def forget(self, match_id: str) -> None:
        """Forget a match that has ended, or that nobody looks at any more."""
        self._waiting.pop(match_id, None)
        self._kept.pop(match_id, None)

    async def keep(self) -> None:
        """Store what waits, and now and then drop what is of no use any more. Raises NotSaved."""
        if self._rounds % TIDY_EVERY == 0:
            await self._database.write(checkpoints.tidy)
        self._rounds += 1
        waiting, self._waiting = self._waiting, {}
        self._kept.update((match_id, checkpoint.seq) for match_id, (_, checkpoint) in waiting.items())
        if waiting:
            rows = []
            for match_id, (game, checkpoint) in waiting.items():
                rows.append(write(match_id, game, checkpoint))
                await asyncio.sleep(0)  # a state may be large, and the matches many
            await self._database.write(checkpoints.keep, rows)


def _mark(seq: int) -> int:
    return seq - seq % KEEP_AFTER


def differs(kept: StoredCheckpoint, game: AnyGame, speed: Speed, checkpoint: Checkpoint) -> bool:
    """Tell whether a stored checkpoint is another than what the fold says; one of other code says nothing."""
    found = read(kept, game, speed, checkpoint.seq)
    return kept.rules == rules_hash() and found != checkpoint
