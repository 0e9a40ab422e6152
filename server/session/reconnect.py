"""Coming back after a lost connection: what is kept of a session, and where the next one goes on.

No screen is kept. A session ends with its connection (`Session.run`), and the next one draws all anew: what a page
shows is stored, and so is where somebody was, for they sit in a match (`boards_to_go_back_to`). A browser's page
remembers by itself where it was, and asks for that (`Page.landing`). Kept in memory is what a player had half chosen on
a board. The seat is kept, too, until others may claim it (`server/presence/attendance.py`, `server/matches/claims.py`),
a guest's for a minute (`server/matches/guests.py`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from game.contract import Seat
from server.accounts.identity import Player
from server.matches.match import Match
from server.matches.model import MatchSummary
from server.matches.speeds import UNHURRIED


def boards_to_go_back_to(own: Iterable[MatchSummary], player: Player) -> list[MatchSummary]:
    """Return the matches of one's own whose clock runs, those that wait for this person first."""
    running = [match for match in own if match.status == "live" and match.agreement.speed not in UNHURRIED]
    return sorted(running, key=lambda match: not match.waits_for(player))


def keep_selection(match: Match, seat: Seat, turn: int, selection: Any) -> None:
    """Keep what a player has chosen on a board in this turn."""
    match.selections[seat] = turn, selection


def kept_selection(match: Match, seat: Seat, turn: int) -> Any:
    """Return what a player had chosen on a board in this turn; None: nothing."""
    kept_turn, selection = match.selections.get(seat, (-1, None))
    return selection if kept_turn == turn else None
