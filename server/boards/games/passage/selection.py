"""What a Passage player has selected but not sent: a value, and what keys make of it.

Every decision is a list of rows. A row that needs a target or a place opens a second list; a decision about several
cards ticks rows. The cursor begins on the first of them, but nowhere in a window, and not on what ends the decision: a
window has keys of its own, and a key meant for the question before must neither veto nor end a phase.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from game.contract import Action, Choice, Number, OneOf, Subset
from game.passage.cards import ORDER, Card
from game.passage.decisions import plays
from game.passage.determinize import determinize
from game.passage.view import PassageView
from server.boards.seats import is_ahead, own_seat
from server.boards.whynot import ANY
from server.matches.model import ViewerState
from server.terminal.cursor import NOWHERE, STEPS, stepped, toggled
from server.terminal.memo import by_identity

Shown: TypeAlias = ViewerState[PassageView]  # what a viewer is shown of a match

Mode: TypeAlias = Literal["free", "window", "target", "number", "several"]
FREE: Final = "free"
WINDOW: Final = "window"
TARGET: Final = "target"
NUMBER: Final = "number"
SEVERAL: Final = "several"
PASSING = ("pass", "end", "stop", "refuse")
OPEN_PROMPTS = ("aim", "take", "place", "return")  # how many answers there are is known to everybody
POSITIONAL = ("put", "play kotodama")


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """A line of a decision: the action it sends, or those it chooses among (`texts`); `head` says what it is."""

    head: str
    texts: tuple[str, ...]
    looks: bool = False  # a Blank that counts as Kotodama

    @property
    def is_number(self) -> bool:
        """Tell whether its actions are places in the pile."""
        return self.looks or self.head in POSITIONAL


@dataclass(frozen=True, slots=True)
class Selection:
    """Where the cursor is in the decision `asked`; `row` is being completed by `at`; `ticked` are rows of several.

    `head`: that of the row being completed.
    `is_ending`: the player has put the cursor on what ends the decision. `plans`: a play for one's next turn is being
    chosen. `typed`: digits of a place, the top being 1.
    """

    asked: str = ""
    mode: Mode = FREE
    cursor: int = NOWHERE
    row: int = NOWHERE
    head: str = ""
    at: int = NOWHERE
    ticked: tuple[int, ...] = ()
    is_ending: bool = False
    plans: bool = False
    typed: str = ""


@lru_cache(maxsize=256)
def rows_of(choice: Choice) -> tuple[ChoiceRow, ...]:
    """Return a decision as rows: what is chosen first; the actions that share it are completed in a second step.

    Cards stand in the order of the hand, what ends the decision stands last.
    """
    match choice:
        case OneOf(actions):
            grouped: dict[str, list[str]] = {}
            for action in actions:
                grouped.setdefault(head_of(action.text), []).append(action.text)
            rows = [ChoiceRow(head, tuple(texts)) for head, texts in grouped.items()]
            return tuple(sorted(rows, key=lambda row: (row.head in PASSING, _place(row.head))))
        case Number(verb, low, high):
            texts = tuple(f"{verb} {n}" for n in range(low, high + 1))
            return (
                (ChoiceRow(verb, texts),) if verb in POSITIONAL else tuple(ChoiceRow(text, (text,)) for text in texts)
            )
        case Subset(_, items, _, _):
            return tuple(ChoiceRow(item, (item,)) for item in sorted(items, key=_place))


def _place(head: str) -> tuple[bool, int]:
    """Return where a card stands in a hand: as in the rules, but a Warden, which saves one's life, stands last."""
    card = head.split()[-1]
    return card == Card.WARDEN, ORDER[Card(card)] if card in ORDER else -1


def in_order(cards: Iterable[Card]) -> list[Card]:
    """Return cards as they stand in a hand."""
    return sorted(cards, key=_place)


def head_of(text: str) -> str:
    """Return what an action is chosen by: `play CARD` without its target or place."""
    words = text.split()
    return " ".join(words[:2]) if words[0] == "play" else text


def rows(snapshot: Shown) -> tuple[ChoiceRow, ...]:
    """Return the rows of the viewer's decision."""
    if snapshot.pending is None:
        return ()
    found = rows_of(snapshot.pending.choice)
    if snapshot.view.switches.acts_as(Card.BLANK) is Card.KOTODAMA:
        return tuple(replace(row, looks=row.head == f"play {Card.BLANK}") for row in found)
    return found


@by_identity(256)
def ahead(snapshot: Shown) -> tuple[str, ...]:
    """Return what the viewer could play if it were their turn: their own hand decides it."""
    view, seat = snapshot.view, own_seat(snapshot)
    if seat is None or view.result is not None or seat in view.eliminated:
        return ()
    return tuple(plays(replace(determinize(view, ANY), turn=int(seat))))


def spellings(text: str) -> tuple[str, ...]:
    """Return how an action may be typed: a card's name alone plays it."""
    return (text.removeprefix("play "), text) if text.startswith("play ") else (text,)


def begin(snapshot: Shown) -> Selection:
    """Return the selection to begin a decision with."""
    pending = snapshot.pending
    if pending is None:
        return Selection()
    if isinstance(pending.choice, Subset):
        return Selection(pending.prompt, SEVERAL, 0)
    if pending.window is not None:
        return Selection(pending.prompt, WINDOW)
    if isinstance(pending.choice, Number) and rows(snapshot)[0].is_number:
        return Selection(pending.prompt, NUMBER, 0, 0, rows(snapshot)[0].head, 0)
    return Selection(pending.prompt, cursor=_kept_off_the_end(rows(snapshot), 0, False))


def follow(snapshot: Shown, chosen: Selection) -> Selection:
    """Return the selection for a new position: it stays where the same decision goes on."""
    found, prompt = rows(snapshot), "" if snapshot.pending is None else snapshot.pending.prompt
    if chosen.plans != is_ahead(snapshot):
        return begin(snapshot)  # what was half chosen is not meant for another turn
    last = len(found) - 1
    is_other = chosen.row != NOWHERE and not _is_still(chosen, found)
    if chosen.asked != prompt or is_other or any(at > last for at in chosen.ticked):
        return begin(snapshot)
    return replace(chosen, cursor=_kept_off_the_end(found, min(chosen.cursor, last), chosen.is_ending))


def _is_still(chosen: Selection, found: tuple[ChoiceRow, ...]) -> bool:
    """Tell whether the row being completed is there as it was."""
    row = found[chosen.row] if chosen.row < len(found) else None
    return row is not None and row.head == chosen.head and chosen.at < len(row.texts)


def _kept_off_the_end(found: tuple[ChoiceRow, ...], cursor: int, is_ending: bool) -> int:
    """Return the cursor where the list above what ends the decision may have become shorter.

    It comes to rest there only where the player has put it: a second impatient Enter would end the phase.
    """
    ends = [at for at, row in enumerate(found) if row.head in PASSING]
    if is_ending:
        return ends[0] if ends else cursor
    others = [at for at in range(len(found)) if at not in ends]
    return cursor if cursor not in ends else max((at for at in others if at < cursor), default=NOWHERE)


def moved(snapshot: Shown, chosen: Selection, key: str) -> Selection:
    """Move the cursor: over rows, over targets, or over places."""
    found = rows(snapshot)
    if not found:
        return chosen
    if chosen.mode in (TARGET, NUMBER):
        return replace(chosen, at=stepped(chosen.at, STEPS[key], len(found[chosen.row].texts)), typed="")
    cursor = stepped(chosen.cursor, STEPS[key], len(found))
    return replace(chosen, cursor=cursor, is_ending=0 <= cursor < len(found) and found[cursor].head in PASSING)


def to_end(snapshot: Shown, chosen: Selection, key: str) -> Selection:
    """Go to the top of the pile (`home`), or to its bottom."""
    return replace(chosen, at=0 if key == "home" else len(rows(snapshot)[chosen.row].texts) - 1, typed="")


def digit(snapshot: Shown, chosen: Selection, key: str) -> Selection:
    """Type the number of a place in the pile, the top being 1: a digit goes on with it as far as there are places."""
    places = len(rows(snapshot)[chosen.row].texts)
    typed = next((one for one in (chosen.typed + key, key) if 1 <= int(one) <= places), "")
    return replace(chosen, at=int(typed) - 1, typed=typed) if typed else chosen


def go(snapshot: Shown, chosen: Selection) -> Selection | Action:
    """Take the row under the cursor, or complete the one being completed."""
    found = rows(snapshot)
    if chosen.mode in (TARGET, NUMBER):
        return Action(found[chosen.row].texts[chosen.at]) if chosen.at != NOWHERE else chosen
    if not 0 <= chosen.cursor < len(found):
        return chosen
    row = found[chosen.cursor]
    if len(row.texts) > 1:
        mode: Mode = NUMBER if row.is_number else TARGET
        return Selection(chosen.asked, mode, chosen.cursor, chosen.cursor, row.head, 0, plans=chosen.plans)
    return Action(row.texts[0])


def only_answer(snapshot: Shown) -> Action | None:
    """Return the answer to a decision that has no other, where everybody can see that: a player, a place, a target."""
    pending = snapshot.pending
    if pending is None or pending.prompt not in OPEN_PROMPTS:
        return None
    texts = [text for row in rows(snapshot) for text in row.texts]
    return Action(texts[0]) if len(texts) == 1 else None


def drop(snapshot: Shown, chosen: Selection) -> Selection | None:
    """Return to the rows from a target or a place; None when there is nothing to return to."""
    fresh = begin(snapshot)
    return None if fresh.mode == chosen.mode else replace(fresh, cursor=chosen.cursor, plans=chosen.plans)


def tick(snapshot: Shown, chosen: Selection) -> Selection:
    """Tick or untick the row under the cursor; where one is all there may be, instead of another."""
    choice = snapshot.pending.choice if snapshot.pending is not None else None
    most = choice.max if isinstance(choice, Subset) else None
    before = () if most == 1 and chosen.cursor not in chosen.ticked else chosen.ticked
    return replace(chosen, ticked=toggled(before, chosen.cursor, most))


def send(snapshot: Shown, chosen: Selection) -> Selection | Action:
    """Send the ticked cards, when they are as many as it takes; of just one, the card under the cursor will do."""
    choice, found = snapshot.pending.choice if snapshot.pending is not None else None, rows(snapshot)
    if not isinstance(choice, Subset):
        return chosen
    is_one = choice.min == choice.max == 1 and 0 <= chosen.cursor < len(found)
    sent = (chosen.cursor,) if is_one and not chosen.ticked else chosen.ticked
    if not choice.min <= len(sent) <= choice.max:
        return chosen
    return Action(" ".join((choice.verb, *(found[at].head for at in sent))))


def passing(snapshot: Shown) -> Action | None:
    """Return the action that lets things be: end, pass, stop or refuse."""
    texts: Iterator[str] = (row.texts[0] for row in rows(snapshot) if row.head in PASSING)
    return next((Action(text) for text in texts), None)


def judging(snapshot: Shown) -> Action | None:
    """Return the veto, where one is to hand."""
    return next((Action("judge") for row in rows(snapshot) if row.head == "judge"), None)


def next_auto(snapshot: Shown) -> Action | None:
    """Return the personal setting after the current one."""
    modes = [action.text for choice in snapshot.settings if isinstance(choice, OneOf) for action in choice.actions]
    now = f"auto {snapshot.view.auto}"
    if now not in modes:
        return None
    return Action(modes[(modes.index(now) + 1) % len(modes)])
