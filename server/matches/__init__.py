"""Matches: the log and its fold, clocks, seats, offers, bots, and the viewers' states that everybody else shows."""
