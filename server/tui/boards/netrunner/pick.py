"""What a Netrunner player has selected but not sent: a value, and what keys make of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from game.contract import Action, Choice, Number, Subset
from game.netrunner.rules import goes_by as passes_itself
from game.netrunner.timing import ACTION_STEP
from server.matches.model import Snapshot
from server.tui.boards.netrunner.rows import FREE_DIGIT, TRASHING, Row, letting, parts, rows_of, trashable, trashing
from server.tui.boards.netrunner.scene import own_seat, scene_of, setting, step_of, table_of
from server.tui.boards.netrunner.slots import PAGE as PAGE
from server.tui.boards.netrunner.slots import settled
from server.tui.boards.netrunner.whynot import barred

FREE, LIST, NUMBER, SEVERAL, TRASH = "free", "list", "number", "several", "trash"
LOOK, LOG, AUTO = "look", "log", "auto"
ASIDE = (LOOK, LOG, AUTO)  # one is not at the decision, which stays as it is
NOWHERE = -1
ACTION = "action"
BASIC = ("credit", "draw", "run")
DIGITS = "1234567890"
ABREAST = 5  # more rows than this are drawn in two columns
STEPS = {"up": -1, "down": 1, "k": -1, "j": 1, "left": -1, "right": 1, "h": -1, "l": 1}


@dataclass(frozen=True, slots=True)
class Pick:
    """Where one is in the decision `asked`. `path`: what was chosen of it already, `typed`: digits of a number.

    `under` is the cursor of the decision while cards are looked at (`LOOK`), the log is read
    (`LOG`; its own cursor counts the newest lines that are left out) or settings are changed (`AUTO`).
    `kept`: by kind of decision the rows that had digits, so that they have the same ones next time.
    """

    asked: str = ""
    mode: str = FREE
    path: tuple[str, ...] = ()
    cursor: int = NOWHERE
    ticked: tuple[int, ...] = ()
    number: int = 0
    typed: str = ""
    back: str = FREE
    under: int = NOWHERE
    kept: tuple[tuple[str, tuple[str, ...]], ...] = ()


def asked(snapshot: Snapshot) -> str:
    """Return what tells one decision from another."""
    pending = snapshot.pending
    return "" if pending is None else f"{pending.prompt} {snapshot.turn_since or snapshot.turn_seq}"


def mode_of(choice: Choice) -> str:
    """Return the mode in which a decision is made."""
    match choice:
        case Number():
            return NUMBER
        case Subset():
            return SEVERAL
    return FREE


def begin(snapshot: Snapshot, kept: tuple[tuple[str, tuple[str, ...]], ...] = ()) -> Pick:
    """Return the selection to begin a decision with: the cursor is nowhere, so that enter does nothing."""
    pending = snapshot.pending
    if pending is None:
        return Pick(kept=kept)
    number = pending.choice.low if isinstance(pending.choice, Number) else 0
    fresh = Pick(asked(snapshot), mode_of(pending.choice), number=number, kept=kept)
    if kind := lasting(snapshot):
        there = tuple(row.part for row in rows(snapshot, fresh) if not row.is_let)  # "" for a digit that stays free
        others = tuple(one for one in kept if one[0] != kind and one[0] == ACTION)
        return replace(fresh, kept=(*others, (kind, there)))
    return fresh


def lasting(snapshot: Snapshot) -> str:
    """Return the kind of a decision whose rows keep their digits: an action, or the windows of one step; else empty."""
    pending = snapshot.pending
    if pending is None or pending.prompt not in (ACTION, "window"):
        return ""
    scene = scene_of(snapshot)
    met = scene.run.ice if scene.run is not None else 0
    return ACTION if pending.prompt == ACTION else f"window {step_of(scene)} {met}"


def is_own_turn(snapshot: Snapshot) -> bool:
    """Tell whether it is the viewer's turn."""
    return scene_of(snapshot).turn == own_seat(snapshot)


def follow(before: Pick, snapshot: Snapshot) -> Pick:
    """Return the selection for a new position: it stays where the same decision goes on."""
    fresh = begin(snapshot, before.kept)
    if before.mode in ASIDE:
        same = before.asked == fresh.asked
        return before if same else replace(fresh, mode=before.mode, back=fresh.mode, cursor=before.cursor)
    return before if before.asked == fresh.asked and is_there(before, snapshot) else fresh


def is_there(pick: Pick, snapshot: Snapshot) -> bool:
    """Tell whether a selection still fits its decision."""
    found = rows(snapshot, pick)
    return pick.cursor < len(found) and all(at < len(found) for at in pick.ticked)


def rows(snapshot: Snapshot, pick: Pick) -> tuple[Row, ...]:
    """Return the rows that are chosen from now."""
    if snapshot.pending is None:
        return ()
    if pick.path and pick.path[-1].endswith(TRASHING):
        return trashable(snapshot.pending.choice, pick.path)
    found = rows_of(snapshot.pending.choice, pick.path)
    kind = lasting(snapshot)
    if pick.path or not kind:
        return found
    by_part = {row.part: row for row in found if not row.is_let}
    if kind == ACTION:
        by_part |= {row.part: row for row in barred(snapshot, frozenset(by_part))}
    # A window that follows one's action leaves the digits of the basic actions alone: 1, 1 takes two credits.
    taken = BASIC if kind != ACTION and step_of(scene_of(snapshot)) in ACTION_STEP and is_own_turn(snapshot) else ()
    wanted = sorted(by_part, key=lambda part: part.endswith(TRASHING))  # wanted so seldom that they get the last digits
    slots = settled(dict(pick.kept).get(kind, ()), (*taken, *wanted))
    return (*(by_part.get(part, FREE_DIGIT) for part in slots), *(row for row in found if row.is_let))


def page_of(pick: Pick) -> int:
    """Return the first row of those that have a digit now."""
    return max(0, pick.cursor) // PAGE * PAGE


def stepped(at: int, step: int, count: int) -> int:
    """Return the next row, round the ends; from nowhere to the first or last one."""
    if not count:
        return NOWHERE
    return (count - 1 if step < 0 else 0) if at == NOWHERE else (at + step) % count


def moved(snapshot: Snapshot, pick: Pick, key: str) -> Pick:
    """Move the cursor, or change the number."""
    pending = snapshot.pending
    vertical = key in ("up", "down", "k", "j")
    if pending is not None and pick.mode == NUMBER and isinstance(pending.choice, Number):
        up = -STEPS[key] if vertical else STEPS[key]
        n = max(pending.choice.low, min(pending.choice.high, pick.number + up))
        return replace(pick, number=n, typed="")
    found = rows(snapshot, pick)
    apart = half(min(PAGE, len(found) - page_of(pick)))
    if vertical or pick.cursor == NOWHERE or not apart:
        at = stepped(pick.cursor, STEPS[key], len(found))
        while found and found[at] is FREE_DIGIT:
            at = stepped(at, STEPS[key], len(found))
        return replace(pick, cursor=at)
    at = pick.cursor + STEPS[key] * apart
    is_there = page_of(pick) <= at < min(len(found), page_of(pick) + PAGE) and found[at] is not FREE_DIGIT
    return replace(pick, cursor=at) if is_there else pick


def half(shown: int) -> int:
    """Return how many rows a page's left column has; 0: it is one column, because so few take no more room."""
    return (shown + 1) // 2 if shown > ABREAST else 0


def digit(snapshot: Snapshot, pick: Pick, key: str) -> Pick | Action:
    """Take the row with this digit; of a number, type it."""
    pending = snapshot.pending
    if pending is not None and pick.mode == NUMBER and isinstance(pending.choice, Number):
        typed = (pick.typed + key).lstrip("0")[-3:] or "0"
        if int(typed) > pending.choice.high:
            typed = key
        return replace(pick, number=max(pending.choice.low, min(pending.choice.high, int(typed))), typed=typed)
    at = page_of(pick) + DIGITS.index(key)
    found = rows(snapshot, pick)
    if at >= len(found) or found[at] is FREE_DIGIT or (found[at].is_let and not pick.path):
        return pick
    here = replace(pick, cursor=at)
    return tick(here) if ticks(snapshot, pick) else go(snapshot, here)


def ticks(snapshot: Snapshot, pick: Pick) -> bool:
    """Tell whether rows are ticked and sent together."""
    return pick.mode == TRASH or (pick.mode == SEVERAL and not is_single(snapshot))


def is_single(snapshot: Snapshot) -> bool:
    """Tell whether one item is enough and one is all: it need not be ticked."""
    choice = snapshot.pending.choice if snapshot.pending is not None else None
    return isinstance(choice, Subset) and choice.min == choice.max == 1


def go(snapshot: Snapshot, pick: Pick) -> Pick | Action:
    """Take the row under the cursor, send the number, send what is ticked."""
    pending = snapshot.pending
    match pick.mode, pending.choice if pending is not None else None:
        case "number", Number(verb, _, _):
            return Action(f"{verb} {pick.number}")
        case "several", Subset(verb, items, low, high):
            chosen = pick.ticked or ((pick.cursor,) if low == high == 1 and pick.cursor != NOWHERE else ())
            if not low <= len(chosen) <= high:
                return pick
            return Action(" ".join((verb, *(items[at] for at in chosen))))
    found = rows(snapshot, pick)
    if pick.mode == TRASH and pending is not None:
        text = trashing(pending.choice, pick.path, frozenset(found[at].part for at in pick.ticked))
        return pick if text is None else Action(text)
    if not 0 <= pick.cursor < len(found):
        return pick
    row = found[pick.cursor]
    if row.is_whole:
        return Action(row.texts[0])
    if not row.texts:
        return pick
    path = way(row, pick.path)
    return replace(pick, mode=TRASH if path[-1].endswith(TRASHING) else LIST, path=path, cursor=NOWHERE)


def way(row: Row, path: tuple[str, ...]) -> tuple[str, ...]:
    """Return the way to a row's own list: all parts that its actions share."""
    split = [parts(text) for text in row.texts]
    shared = 0
    while all(len(one) > shared and one[shared] == split[0][shared] for one in split):
        shared += 1
    return split[0][: max(shared, len(path) + 1)]


def drop(snapshot: Snapshot, pick: Pick) -> Pick | None:
    """Return to the rows from a further list; None when there is nothing to return from."""
    if pick.mode in ASIDE:
        return replace(pick, mode=pick.back, cursor=pick.under, under=NOWHERE)
    fresh = begin(snapshot, pick.kept)
    return fresh if pick.mode in (LIST, TRASH) or pick.ticked or pick.typed else None


def tick(pick: Pick) -> Pick:
    """Tick or untick the row under the cursor."""
    if pick.cursor == NOWHERE:
        return pick
    has = pick.cursor in pick.ticked
    ticked = [at for at in pick.ticked if at != pick.cursor] if has else [*pick.ticked, pick.cursor]
    return replace(pick, ticked=tuple(sorted(ticked)))


def goes_by(snapshot: Snapshot) -> bool:
    """Tell whether this window goes by itself, as the viewer's setting for its step has it."""
    pending, seat = snapshot.pending, own_seat(snapshot)
    if pending is None or pending.window is None or seat is None:
        return False
    return passes_itself(table_of(snapshot), seat, pending.choice, setting(snapshot, step_of(scene_of(snapshot))))


def passing(snapshot: Snapshot) -> Action | None:
    """Return the action that lets things go on."""
    text = letting(snapshot.pending.choice) if snapshot.pending is not None else None
    return Action(text) if text is not None else None


def opened(pick: Pick, mode: str, at: int) -> Pick:
    """Look at cards, or at settings, with the decision kept below."""
    if pick.mode in ASIDE:
        return replace(pick, mode=mode, cursor=at)
    return replace(pick, mode=mode, back=pick.mode, under=pick.cursor, cursor=at)


def turned(pick: Pick, key: str, count: int) -> Pick:
    """Go to another one of `count` cards."""
    if key in STEPS:
        return replace(pick, cursor=stepped(pick.cursor, STEPS[key], count))
    at = pick.cursor + (-PAGE if key == "page up" else PAGE)
    return replace(pick, cursor=max(0, min(count - 1, at)))


def scrolled(pick: Pick, key: str, most: int) -> Pick:
    """Leave more or fewer of the newest lines of the log out."""
    by = {"page up": PAGE, "page down": -PAGE}.get(key) or -STEPS[key]
    return replace(pick, cursor=max(0, min(most, pick.cursor + by)))


def never(snapshot: Snapshot) -> Action | None:
    """Return the setting with which this window, and every later one of its step, goes by itself.

    There is none where a slip of the finger would lose the most: where ice is rezzed or broken, where one may score.
    """
    pending, step = snapshot.pending, step_of(scene_of(snapshot))
    if pending is None or pending.prompt != "window" or step in ("run.2.3", "run.3.1"):
        return None
    if any(row.part.startswith("score ") for row in rows_of(pending.choice)):
        return None
    return Action(f"auto {step} never")
