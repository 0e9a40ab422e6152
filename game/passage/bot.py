"""Passage's built-in players by level: what `registry.bots` finds."""

from __future__ import annotations

from game.passage.bots.levels import BOTS

__all__ = ["BOTS"]
