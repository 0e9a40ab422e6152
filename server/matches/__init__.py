"""Matches: the log and its fold, clocks, seats, offers, bots, and the snapshots that everybody else shows."""
