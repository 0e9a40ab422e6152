"""What whoever acts in a match by itself is told: offers, autopilot, outage compensation, second game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from game.contract import Seat
from server.matches.checkpoint import Checkpoint


@dataclass(frozen=True, slots=True)
class MatchChange:
    """Something about a match changed: its log, what may be shown of it, its offers, or who is there.

    `head` is the checkpoint at the log's end; `only` the one seat that may notice it (None: everybody); `entered` the
    seat whose person has come to the board just now.
    """

    head: Checkpoint
    only: Seat | None = None
    entered: Seat | None = None


OnChange = Callable[[MatchChange], None]
