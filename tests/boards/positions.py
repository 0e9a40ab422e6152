"""Snapshots from positions in the games' own notation, for tests of boards and screens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from zlib import crc32

from game import registry
from game.contract import Seat, Viewer, Watcher
from server.accounts.identity import Player
from server.matches.agreement import Agreement
from server.matches.model import AnyViewerState, SeatInfo, ViewerState
from tests.agreements import taken

NOON = datetime(2026, 1, 2, 12, 0, 0, tzinfo=UTC)
NAMES = ("mira", "tarn", "lio", "akio", "zoe", "omid")


def person(name: str) -> Player:
    """Return somebody with an account; each name has its own."""
    return Player("account", name, account_id=NAMES.index(name) + 1 if name in NAMES else crc32(name.encode()))


def seat_info(seat: int, player: Player, rating: int | None = 1500, bank_ms: int = 161_000) -> SeatInfo:
    return SeatInfo(Seat(seat), player, rating, False, True, None, bank_ms, False, None)


def snapshot(
    game: str, state: Any, viewer: Viewer = Watcher.PUBLIC, players: Sequence[str] = NAMES, **changes: Any
) -> AnyViewerState:
    """Return what a viewer sees of a state, as a match would hand it out."""
    rules = registry.get(game)
    pending = rules.pending(state)
    own = next((owed for owed in pending if owed.seat == viewer), None)
    n_seats = max(2, changes.pop("n_seats", 2))
    result = rules.result(state)
    free = timedelta(seconds=8)
    runs_from: dict[int, datetime] = {owed.seat: NOON if owed.window is None else NOON + free for owed in pending}
    made = ViewerState(
        match="m1",
        agreement=Agreement(game, **({"players": n_seats, "rated": True} | taken(changes))),
        viewer=viewer,
        seq=23,
        version=1,
        status="finished" if result else "live",
        room=None,
        seats=tuple(
            replace(seat_info(i, person(players[i]), 1512 - 24 * i), runs_from=runs_from.get(i)) for i in range(n_seats)
        ),
        view=rules.view(state, viewer),
        pending=own,
        turn_seq=23,
        deciding=tuple((owed.seat, owed.window) for owed in pending),
        deadline=None,
        clock_at=NOON,
        offers=(),
        claim_at=None,
        void_at=None,
        watchers=("zoe", "omid"),
        result=result,
        rating_changes={},
        commitment="ab" * 32,
        seed=None,
        started_at=NOON,
        ended_at=None,
        chat=(),
    )
    return replace(made, **changes)
