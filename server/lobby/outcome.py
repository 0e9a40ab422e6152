"""How a match ended, as its room notes it."""

from __future__ import annotations

from server.matches.match import Match


def winner_of(match: Match) -> str:
    """Return who won, or '' where nobody or several did."""
    result = match.snapshot_public().result
    if result is None or len(result.placements[0]) != 1:
        return ""
    return match.terms.players[result.placements[0][0]].name
