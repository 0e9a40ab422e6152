"""RaiNet's built-in players by level: what `registry.bots` finds."""

from __future__ import annotations

from game.rainet.bots.levels import BOTS

__all__ = ["BOTS"]
