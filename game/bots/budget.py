"""The budget of a search: effort is counted in positions, so that the same inputs give the same answer."""

from __future__ import annotations


class OutOfBudget(Exception):
    """A search has looked at as many positions as it may."""
