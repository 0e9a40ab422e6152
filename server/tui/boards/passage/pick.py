"""What a Passage player has selected but not sent: a value, and what keys make of it.

Every decision is a list of rows. A row that needs a target or a place opens a second list; a decision about several
cards ticks rows. A new decision begins with the cursor nowhere: a key meant for the one before it answers nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from game.contract import Action, Choice, Number, OneOf, Subset, Watcher
from game.passage.view import PassageView
from server.matches.model import Snapshot

FREE, WINDOW, TARGET, NUMBER, SEVERAL = "free", "window", "target", "number", "several"
NOWHERE = -1
STEPS = {"up": -1, "down": 1, "k": -1, "j": 1, "left": -1, "right": 1, "h": -1, "l": 1}
PASSING = ("pass", "end", "stop", "refuse")
POSITIONAL = ("put", "play kotodama")


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a decision: the action it sends, or those it chooses among (`texts`); `head` says what it is."""

    head: str
    texts: tuple[str, ...]

    @property
    def is_number(self) -> bool:
        """Tell whether its actions are places in the pile."""
        return self.head in POSITIONAL


@dataclass(frozen=True, slots=True)
class Pick:
    """Where the cursor is in the decision `asked`; `row` is being completed by `at`; `ticked` are rows of several."""

    asked: str = ""
    mode: str = FREE
    cursor: int = NOWHERE
    row: int = NOWHERE
    at: int = NOWHERE
    ticked: tuple[int, ...] = ()


def view_of(snapshot: Snapshot) -> PassageView:
    """Return the game's view, typed."""
    view: PassageView = snapshot.view
    return view


def own_seat(snapshot: Snapshot) -> int | None:
    """Return the viewer's seat, None for who only looks on."""
    return None if isinstance(snapshot.viewer, Watcher) else int(snapshot.viewer)


@lru_cache(maxsize=256)
def rows_of(choice: Choice) -> tuple[Row, ...]:
    """Return a decision as rows: what is chosen first; the actions that share it are completed in a second step."""
    match choice:
        case OneOf(actions):
            grouped: dict[str, list[str]] = {}
            for action in actions:
                grouped.setdefault(head_of(action.text), []).append(action.text)
            rows = [Row(head, tuple(texts)) for head, texts in grouped.items()]
            return (*(row for row in rows if row.head not in PASSING), *(row for row in rows if row.head in PASSING))
        case Number(verb, low, high):
            texts = tuple(f"{verb} {n}" for n in range(low, high + 1))
            return (Row(verb, texts),) if verb in POSITIONAL else tuple(Row(text, (text,)) for text in texts)
        case Subset(_, items, _, _):
            return tuple(Row(item, (item,)) for item in items)


def head_of(text: str) -> str:
    """Return what an action is chosen by: `play CARD` without its target or place."""
    words = text.split()
    return " ".join(words[:2]) if words[0] == "play" else text


def rows(snapshot: Snapshot) -> tuple[Row, ...]:
    """Return the rows of the viewer's decision."""
    return rows_of(snapshot.pending.choice) if snapshot.pending is not None else ()


def begin(snapshot: Snapshot) -> Pick:
    """Return the selection to begin a decision with."""
    pending = snapshot.pending
    if pending is None:
        return Pick()
    if isinstance(pending.choice, Subset):
        return Pick(pending.prompt, SEVERAL)
    if pending.window is not None:
        return Pick(pending.prompt, WINDOW)
    if isinstance(pending.choice, Number) and rows(snapshot)[0].is_number:
        return Pick(pending.prompt, NUMBER, 0, 0)
    return Pick(pending.prompt)


def follow(before: Pick, snapshot: Snapshot) -> Pick:
    """Return the selection for a new position: it stays where the same decision goes on."""
    found, prompt = rows(snapshot), "" if snapshot.pending is None else snapshot.pending.prompt
    last = len(found) - 1
    completes = before.row != NOWHERE and (before.row > last or before.at >= len(found[before.row].texts))
    if before.asked != prompt or completes or any(at > last for at in before.ticked):
        return begin(snapshot)
    return replace(before, cursor=min(before.cursor, last))


def moved(snapshot: Snapshot, pick: Pick, key: str) -> Pick:
    """Move the cursor: over rows, over targets, or over places."""
    found = rows(snapshot)
    if not found:
        return pick
    if pick.mode in (TARGET, NUMBER):
        return replace(pick, at=stepped(pick.at, STEPS[key], len(found[pick.row].texts)))
    return replace(pick, cursor=stepped(pick.cursor, STEPS[key], len(found)))


def stepped(at: int, step: int, count: int) -> int:
    """Return the next line, round the ends; from nowhere to the first or last one."""
    return (count - 1 if step < 0 else 0) if at == NOWHERE else (at + step) % count


def to_end(snapshot: Snapshot, pick: Pick) -> Pick:
    """Go to the bottom of the pile, or from there to the top."""
    last = len(rows(snapshot)[pick.row].texts) - 1
    return replace(pick, at=0 if pick.at == last else last)


def go(snapshot: Snapshot, pick: Pick) -> Pick | Action:
    """Take the row under the cursor, or complete the one being completed."""
    found = rows(snapshot)
    if pick.mode in (TARGET, NUMBER):
        return Action(found[pick.row].texts[pick.at]) if pick.at != NOWHERE else pick
    if not 0 <= pick.cursor < len(found):
        return pick
    row = found[pick.cursor]
    if row.is_number:
        return Pick(pick.asked, NUMBER, pick.cursor, pick.cursor, 0)
    if len(row.texts) > 1 or needs_target(row):
        return Pick(pick.asked, TARGET, pick.cursor, pick.cursor, 0)
    return Action(row.texts[0])


def needs_target(row: Row) -> bool:
    """Tell whether a row's only action names a player: then it is asked all the same."""
    return len(row.texts[0].split()) == 3


def drop(snapshot: Snapshot, pick: Pick) -> Pick | None:
    """Return to the rows from a target or a place; None when there is nothing to return to."""
    fresh = begin(snapshot)
    return None if fresh.mode == pick.mode else replace(fresh, cursor=pick.cursor)


def tick(pick: Pick) -> Pick:
    """Tick or untick the row under the cursor."""
    if pick.cursor == NOWHERE:
        return pick
    has = pick.cursor in pick.ticked
    ticked = [at for at in pick.ticked if at != pick.cursor] if has else [*pick.ticked, pick.cursor]
    return replace(pick, ticked=tuple(sorted(ticked)))


def send(snapshot: Snapshot, pick: Pick) -> Pick | Action:
    """Send the ticked cards, when they are as many as it takes."""
    choice = snapshot.pending.choice if snapshot.pending is not None else None
    if not isinstance(choice, Subset) or not choice.min <= len(pick.ticked) <= choice.max:
        return pick
    return Action(" ".join((choice.verb, *(choice.items[at] for at in pick.ticked))))


def passing(snapshot: Snapshot) -> Action | None:
    """Return the action that lets things be: end, pass, stop or refuse."""
    texts: Iterator[str] = (row.texts[0] for row in rows(snapshot) if row.head in PASSING)
    return next((Action(text) for text in texts), None)


def judging(snapshot: Snapshot) -> Action | None:
    """Return the veto, where one is to hand."""
    return next((Action("judge") for row in rows(snapshot) if row.head == "judge"), None)


def next_auto(snapshot: Snapshot) -> Action | None:
    """Return the personal setting after the current one."""
    modes = [action.text for choice in snapshot.settings if isinstance(choice, OneOf) for action in choice.actions]
    now = f"auto {view_of(snapshot).auto}"
    if now not in modes:
        return None
    return Action(modes[(modes.index(now) + 1) % len(modes)])
