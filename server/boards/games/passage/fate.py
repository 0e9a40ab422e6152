"""The choice that led to somebody's end: the attack or Reversal by which others made them draw."""

from __future__ import annotations

from collections.abc import Sequence

from server.boards.games.passage.labels import say
from server.boards.games.passage.selection import Shown
from server.matches.model import SeenEvent
from server.terminal.look import Look


def led_to(snapshot: Shown, look: Look, events: Sequence[SeenEvent], seq: int) -> str:
    """Say which card handed those draws on of which entry `seq` brought a Passage; '' where it was the own turn's."""
    until = [event for event in events if event.seq <= seq]
    out = next((event.params["seat"] for event in reversed(until) if event.kind == "out"), None)
    began = next((at for at in _backwards(until) if until[at].kind == "turn" and until[at].params["seat"] == out), 0)
    handed = next((at for at in _backwards(until[:began]) if until[at].kind in ("transferred", "turn")), None)
    if handed is None or until[handed].kind == "turn" or until[handed].params["to"] != out:
        return ""
    by = until[handed].params["seat"]
    played = next((one for one in reversed(until[:handed]) if one.kind == "played" and one.params["seat"] == by), None)
    return say(snapshot, look, played) if played is not None else ""


def _backwards(events: Sequence[SeenEvent]) -> range:
    return range(len(events) - 1, -1, -1)
