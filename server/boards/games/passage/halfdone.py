"""A selection in words, for a player who comes back, and what of such words may still be selected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from game.contract import Subset
from server.boards.games.passage.selection import (
    NUMBER,
    TARGET,
    Mode,
    Selection,
    Shown,
    begin,
    rows,
)
from server.boards.seats import is_ahead

COMPLETES: Final = "completes"
TICKED: Final = "ticked"  # a row, from 0
AT: Final = "at"  # the row of the cursor
PLANS: Final = "plans"


def to_words(snapshot: Shown, chosen: Selection) -> tuple[str, ...]:
    """Return the action that Enter would send, the rows that are ticked, or the row from which a play is planned."""
    found = rows(snapshot)
    if chosen.mode in (TARGET, NUMBER) and 0 <= chosen.row < len(found) and chosen.at >= 0:
        return (f"{COMPLETES} {found[chosen.row].texts[chosen.at]}",)
    if chosen.ticked:
        return (*(f"{TICKED} {at}" for at in chosen.ticked), f"{AT} {chosen.cursor}")
    return (f"{PLANS} {found[chosen.cursor].head}",) if chosen.plans and 0 <= chosen.cursor < len(found) else ()


def from_words(snapshot: Shown, chosen: Selection, words: Sequence[str]) -> Selection:
    """Return the selection with what such words say, where that may be selected now."""
    found, fresh = rows(snapshot), replace(begin(snapshot), plans=is_ahead(snapshot))
    kind, _, text = words[0].partition(" ")
    if kind == COMPLETES:
        at = next((at for at, row in enumerate(found) if len(row.texts) > 1 and text in row.texts), None)
        if at is not None:
            mode: Mode = NUMBER if found[at].is_number else TARGET
            return replace(fresh, mode=mode, cursor=at, row=at, head=found[at].head, at=found[at].texts.index(text))
    if kind == TICKED:
        return _ticked(snapshot, chosen, words)
    if kind == PLANS and fresh.plans:
        at = next((at for at, row in enumerate(found) if row.head == text), None)
        return chosen if at is None else replace(fresh, cursor=at)
    return chosen


def _ticked(snapshot: Shown, chosen: Selection, words: Sequence[str]) -> Selection:
    """Return the selection with these rows ticked, and the cursor on the last one that is named."""
    pending, names = snapshot.pending, {str(at): at for at in range(len(rows(snapshot)))}
    said = [word.rpartition(" ")[2] for word in words]
    if pending is None or not isinstance(pending.choice, Subset) or not names.keys() >= {*said}:
        return chosen
    *ticked, cursor = (names[at] for at in said)
    return replace(chosen, ticked=tuple(sorted({*ticked})), cursor=cursor)
