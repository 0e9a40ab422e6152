"""A selection in words, for a player who comes back, and what of such words may still be selected.

Each word says one thing: `path run`, `ticked "Enigma"`, `number 3`, `sure run hq`, `more`, `at hq`; of what the screen
does by itself `want 12`, `want-at-end 7`, `hush 3`, `to-access`, `by-hand`. What goes on being broken is not said: it
would be done.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from game.choices import contains
from game.contract import Action, Number
from game.netrunner.state import Card
from server.boards.games.netrunner import errands
from server.boards.games.netrunner.dangers import danger
from server.boards.games.netrunner.rows import TRASHING
from server.boards.games.netrunner.scene import Shown
from server.boards.games.netrunner.selection import (
    ASIDE,
    AT_END,
    HUSH,
    LIST,
    MORE,
    NUMBER,
    SEVERAL,
    SURE,
    TO_ACCESS,
    TRASH,
    WANT,
    Mode,
    Selection,
    errand_rows,
    more_rows,
    opened_more,
    rows,
    way,
)
from server.terminal.cursor import NOWHERE

PATH: Final = "path"
TICKED: Final = "ticked"
BY_HAND: Final = "by-hand"
AT: Final = "at"
DIGITS_OF_NUMBER: Final = 4


def to_words(snapshot: Shown, chosen: Selection) -> tuple[str, ...]:
    """Return what is half chosen, and what is left to the screen; of who looks something up, what is below that."""
    if chosen.mode in ASIDE:
        chosen = replace(chosen, mode=chosen.back, cursor=chosen.under)
    return (*_left(chosen), *_half(snapshot, chosen))


def _left(chosen: Selection) -> tuple[str, ...]:
    left = chosen.errands
    return (
        *(f"{WANT} {iid}" for iid in left.wanted),
        *(f"{AT_END} {iid}" for iid in left.at_end),
        *(f"{HUSH} {iid}" for iid in left.hushed),
        *((TO_ACCESS,) if left.to_access else ()),
        *((BY_HAND,) if left.by_hand else ()),
    )


def _half(snapshot: Shown, chosen: Selection) -> tuple[str, ...]:
    found = rows(snapshot, chosen)
    here = (f"{AT} {found[chosen.cursor].part}",) if 0 <= chosen.cursor < len(found) else ()
    ticked = tuple(f"{TICKED} {found[at].part}" for at in chosen.ticked)
    if chosen.mode == NUMBER:
        return (f"{NUMBER} {chosen.number}",)
    if chosen.mode == SURE:
        return (f"{SURE} {chosen.path[0]}", *here)
    if chosen.mode == MORE:
        return (MORE, *here)
    path = tuple(f"{PATH} {part}" for part in chosen.path)
    return (*path, *ticked, *here) if path or ticked else ()


def from_words(snapshot: Shown, chosen: Selection, words: Sequence[str]) -> Selection:
    """Return the selection with what such words say, as far as it may be selected now."""
    said = [word.partition(" ")[::2] for word in words]
    for kind, text in said:
        chosen = _errand_taken_up(snapshot, chosen, kind, text)
    return _decision_taken_up(snapshot, chosen, said)


def _with_card(had: tuple[int, ...], iid: str, may: Iterable[Card]) -> tuple[int, ...]:
    """Return these cards with the one of this id, where it is one that may be among them."""
    found = [card.iid for card in may if str(card.iid) == iid]
    return tuple(dict.fromkeys((*had, *found)))


def _errand_taken_up(snapshot: Shown, chosen: Selection, kind: str, text: str) -> Selection:
    left = chosen.errands
    match kind:
        case "want":
            wanted = _with_card(left.wanted, text, errands.rezzable(snapshot))
            return replace(chosen, errands=replace(left, wanted=wanted))
        case "want-at-end":
            at_end = _with_card(left.at_end, text, errands.rezzable(snapshot))
            return replace(chosen, errands=replace(left, at_end=at_end))
        case "hush":
            hushed = _with_card(left.hushed, text, errands.hushable(snapshot))
            return replace(chosen, errands=replace(left, hushed=hushed))
        case "to-access" if any(row.part == TO_ACCESS for row in errand_rows(snapshot, chosen)):
            return replace(chosen, errands=replace(left, to_access=True))
        case "by-hand":
            return replace(chosen, errands=replace(left, by_hand=True))
    return chosen


def _decision_taken_up(snapshot: Shown, chosen: Selection, said: Sequence[tuple[str, ...]]) -> Selection:
    """Return the selection on the way that the words go, if the decision still has it to its end."""
    pending = snapshot.pending
    path = tuple(text for kind, text in said if kind == PATH)
    here = _along(snapshot, chosen, path) if path else chosen
    if pending is None or here is None:
        return chosen
    for kind, text in said:
        match kind:
            case "number" if here.mode == NUMBER and isinstance(pending.choice, Number):
                if text.isdecimal() and len(text) <= DIGITS_OF_NUMBER:
                    low, high = pending.choice.low, pending.choice.high
                    here = replace(here, number=max(low, min(high, int(text))), typed="")
            case "sure" if contains(pending.choice, Action(text)) and danger(snapshot, text):
                here = replace(here, mode=SURE, path=(text,), cursor=NOWHERE, ticked=())
            case "more" if more_rows(snapshot, here):
                here = opened_more(here)
            case "ticked" if here.mode in (SEVERAL, TRASH):
                here = _with_tick(snapshot, here, text)
            case "at":
                here = _at(snapshot, here, text)
    return here


def _along(snapshot: Shown, chosen: Selection, path: tuple[str, ...]) -> Selection | None:
    """Return the selection in the list to which a path leads; None: there is no such way now."""
    here = chosen
    while here.path != path:
        found = (*rows(snapshot, here), *(more_rows(snapshot, here) if not here.path else ()))
        ways = [way(row, here.path) for row in found if len(row.texts) > 1]
        on = next((one for one in ways if one == path[: len(one)]), None)
        if on is None:
            return None
        mode: Mode = TRASH if on[-1].endswith(TRASHING) else LIST
        here = replace(here, mode=mode, path=on, cursor=NOWHERE, ticked=())
    return here


def _with_tick(snapshot: Shown, chosen: Selection, part: str) -> Selection:
    found = rows(snapshot, chosen)
    at = next((at for at, row in enumerate(found) if row.part == part and at not in chosen.ticked), None)
    return chosen if at is None else replace(chosen, ticked=tuple(sorted((*chosen.ticked, at))))


def _at(snapshot: Shown, chosen: Selection, part: str) -> Selection:
    found = rows(snapshot, chosen)
    at = next((at for at, row in enumerate(found) if row.texts and row.part == part), NOWHERE)
    return replace(chosen, cursor=at, on=part) if at != NOWHERE else chosen
