"""What a Netrunner player has selected but not sent: a value, and what keys make of it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeAlias

from game.choices import expand, tokens
from game.comparing import comparable
from game.contract import Action, Choice, Number, OneOf, Subset
from game.netrunner.actions import action_choice
from game.netrunner.facts import CORP, RUNNER
from game.netrunner.places import ref
from game.netrunner.rules import TURN
from game.netrunner.table import Table
from game.netrunner.timing import ACTION_STEP, CLICKS
from game.netrunner.windows import does_something_rezzed, matters
from server.boards.games.netrunner import breaking, errands
from server.boards.games.netrunner.breaking import Breaking
from server.boards.games.netrunner.dangers import danger
from server.boards.games.netrunner.digits import PAGE, at_last, settled
from server.boards.games.netrunner.errands import IDLE, Errands
from server.boards.games.netrunner.rows import (
    FREE_DIGIT,
    PASSING,
    TRASHING,
    ChoiceRow,
    letting,
    parts,
    rows_of,
    trashable,
    trashing,
)
from server.boards.games.netrunner.scene import ACTION, Shown, named, scene_of, step_of, table_of
from server.boards.games.netrunner.whynot import barred
from server.boards.seats import own_seat
from server.terminal.cursor import NOWHERE, STEPS, stepped, toggled
from server.terminal.memo import by_identity

Mode: TypeAlias = Literal["free", "list", "number", "several", "trash", "more", "sure", "look", "log", "auto"]
FREE: Final = "free"
LIST: Final = "list"
NUMBER: Final = "number"
SEVERAL: Final = "several"
TRASH: Final = "trash"
MORE: Final = "more"
SURE: Final = "sure"  # what is dangerous is asked once more; `path` is the action
LOOK: Final = "look"
LOG: Final = "log"
AUTO: Final = "auto"
HUSH = "hush"  # begins the part of a row with which a card no longer makes a window stop
TO_ACCESS = "to-access"  # the row with which a run goes on to the access
WANT = "want"  # begins the part of a row with which a card is rezzed as soon as it may be
AT_END = "want-at-end"  # the same at the end of the Runner's turn
ERRANDS = (breaking.VERB, WANT, AT_END, HUSH, TO_ACCESS)
FURTHER = (LIST, TRASH, MORE, SURE)  # a list that one goes back from
ASIDE = (LOOK, LOG, AUTO)  # one is not at the decision, which stays as it is
CHOOSE, JACK_OUT = "choose", "jack-out"
BEGINS_MARKED = (ACTION, "mulligan")  # what a player expects to be asked
BASIC = ("credit", "draw", "run")
WHOLE_TURN = "purge"  # costs all clicks, and comes and goes with them: it takes no digit that another row had
BACK = "back"  # the row that takes a dangerous action back
GAINS = ("take", "draw-up-to", "more-access")  # numbers that begin at the most: to take is a gain
DIGITS = "1234567890"
ABREAST = 5  # more rows than this are drawn in two columns


@dataclass(frozen=True, slots=True)
class Selection:
    """Where the player is in the decision `asked`. `path`: what was chosen of it already, `typed`: digits of a number.

    `under` is the cursor of the decision while cards are looked at (`LOOK`), the log is read
    (`LOG`; its own cursor counts the newest lines that are left out) or settings are changed (`AUTO`).
    `kept`: by kind of decision the rows that had digits, so that they have the same ones next time.
    `errands`: what the screen does by itself. `on`: the part of the row under the cursor.
    """

    asked: str = ""
    mode: Mode = FREE
    path: tuple[str, ...] = ()
    cursor: int = NOWHERE
    ticked: tuple[int, ...] = ()
    number: int = 0
    typed: str = ""
    back: Mode = FREE
    under: int = NOWHERE
    kept: tuple[tuple[str, tuple[str, ...]], ...] = ()
    errands: Errands = IDLE
    on: str = field(default="", compare=False)


def asked(snapshot: Shown) -> str:
    """Return what tells one decision from another."""
    pending = snapshot.pending
    return "" if pending is None else f"{pending.prompt} {snapshot.turn_since or snapshot.turn_seq}"


def mode_of(choice: Choice) -> Mode:
    """Return the mode in which a decision is made."""
    match choice:
        case Number():
            return NUMBER
        case Subset():
            return SEVERAL
    return FREE


def begin(snapshot: Shown, kept: tuple[tuple[str, tuple[str, ...]], ...] = (), left: Errands = IDLE) -> Selection:
    """Return the selection to begin a decision with: in one's own turn the cursor is on the first row.

    Elsewhere it is nowhere, so that enter only marks a row: what is asked there came unexpected.
    """
    pending = snapshot.pending
    if pending is None:
        return Selection(kept=kept, errands=left)
    number = 0
    if isinstance(pending.choice, Number):
        number = pending.choice.high if pending.prompt in GAINS else pending.choice.low
    fresh = Selection(asked(snapshot), mode_of(pending.choice), number=number, kept=kept, errands=left)
    if pending.prompt in BEGINS_MARKED:
        found = rows(snapshot, fresh)
        fresh = marked(found, fresh)
        fresh = replace(fresh, on=found[fresh.cursor].part if fresh.cursor != NOWHERE else "")
    if kind := lasting(snapshot):
        there = tuple(row.part for row in rows(snapshot, fresh) if not row.is_let)  # "" for a digit that stays free
        others = tuple(one for one in kept if one[0] != kind and one[0] == ACTION)
        return replace(fresh, kept=(*others, (kind, there)))
    return fresh


def resumed(snapshot: Shown, left: Selection) -> Selection:
    """Return the selection of who comes back: with the same digits and stops, but nothing goes on being broken."""
    had = replace(left.errands, breaking=None, told=(), is_news=False)
    return begin(snapshot, left.kept, errands.followed(snapshot, had))


def lasting(snapshot: Shown) -> str:
    """Return the kind of a decision whose rows keep their digits; empty where they don't.

    That is an action, the windows of one step, and what one effect of a card picks several times.
    """
    pending = snapshot.pending
    if pending is not None and pending.prompt == CHOOSE:
        params = dict(pending.params)
        return f"{CHOOSE} {params['card']} {params['effect']}" if params.get("nth") is not None else ""
    if pending is None or pending.prompt not in (ACTION, "window"):
        return ""
    scene = scene_of(snapshot)
    met = scene.run.ice if scene.run is not None else 0
    return ACTION if pending.prompt == ACTION else f"window {step_of(scene)} {met}"


def is_own_turn(snapshot: Shown) -> bool:
    """Tell whether it is the viewer's turn."""
    return scene_of(snapshot).turn == own_seat(snapshot)


def follow(snapshot: Shown, chosen: Selection) -> Selection:
    """Return the selection for a new position: it stays where the same decision goes on."""
    is_new = snapshot.pending is not None and chosen.asked != asked(snapshot)
    left = errands.followed(snapshot, errands.told_at(snapshot, chosen.errands) if is_new else chosen.errands)
    chosen, fresh = replace(chosen, errands=left), begin(snapshot, chosen.kept, left)
    if chosen.mode in ASIDE:
        same = chosen.asked == fresh.asked
        return chosen if same else replace(fresh, mode=chosen.mode, back=fresh.mode, cursor=chosen.cursor)
    return at_its_row(snapshot, chosen) if chosen.asked == fresh.asked and is_there(chosen, snapshot) else fresh


def anchored(snapshot: Shown, answer: Selection | Action | None) -> Selection | Action | None:
    """Return what a key brings; a selection remembers which row its cursor is on."""
    if not isinstance(answer, Selection) or answer.mode in ASIDE:
        return answer
    found = rows(snapshot, answer)
    return replace(answer, on=found[answer.cursor].part if 0 <= answer.cursor < len(found) else "")


def at_its_row(snapshot: Shown, chosen: Selection) -> Selection:
    """Return a selection whose cursor follows its row; nowhere where that is gone: it comes to rest on no other one."""
    found = rows(snapshot, chosen)
    if chosen.cursor == NOWHERE or not chosen.on:
        return chosen
    if chosen.cursor < len(found) and found[chosen.cursor].part == chosen.on:
        return chosen
    at = next((at for at, row in enumerate(found) if row.part == chosen.on), NOWHERE)
    return replace(chosen, cursor=at)


def is_there(chosen: Selection, snapshot: Shown) -> bool:
    """Tell whether a selection still fits its decision."""
    found = rows(snapshot, chosen)
    return (chosen.cursor < len(found) or bool(chosen.on)) and all(at < len(found) for at in chosen.ticked)


def rows(snapshot: Shown, chosen: Selection) -> tuple[ChoiceRow, ...]:
    """Return the rows that are chosen from now."""
    if chosen.mode == MORE:
        return more_rows(snapshot, chosen)
    if chosen.mode == SURE:
        return (ChoiceRow(BACK, (BACK,)), ChoiceRow(chosen.path[0], chosen.path))
    if snapshot.pending is None:
        return ()
    if chosen.path and chosen.path[-1].endswith(TRASHING):
        return trashable(snapshot.pending.choice, chosen.path)
    found = rows_of(snapshot.pending.choice, chosen.path)
    kind = lasting(snapshot)
    if chosen.path or not kind:
        return found
    parts_there = {row.part for row in found}
    by_part = {row.part: row for row in found if not row.is_let and not is_spare(row, parts_there)}
    by_part = {part: row for part, row in by_part.items() if not is_vain_rez(snapshot, row)}
    is_window = snapshot.pending.prompt == "window"
    if kind == ACTION:
        by_part |= {row.part: row for row in barred(snapshot, frozenset(parts_there))}
    elif is_window:
        useful = [row for row in by_part.values() if not is_pointless(snapshot, row)]
        vain = [row for row in by_part.values() if is_pointless(snapshot, row)]
        by_part = {row.part: row for row in (*breaking_rows(snapshot), *useful, *vain)}
    # A window that follows one's action leaves the digits of the basic actions alone: 1, 1 takes two credits.
    taken = BASIC if is_window and step_of(scene_of(snapshot)) in ACTION_STEP and is_own_turn(snapshot) else ()
    wanted = sorted(by_part, key=lambda part: part.endswith(TRASHING))  # seldom wanted: they get the last digits
    slots = settled(dict(chosen.kept).get(kind, ()), (*taken, *(part for part in wanted if part != WHOLE_TURN)))
    if WHOLE_TURN in by_part:
        slots = at_last(slots, WHOLE_TURN)
    return (*(by_part.get(part, FREE_DIGIT) for part in slots), *(row for row in found if row.is_let))


def breaking_rows(snapshot: Shown) -> tuple[ChoiceRow, ...]:
    """Return a row for each breaker that matches the ice and breaks all of it, the cheapest first."""
    t = table_of(snapshot)
    found = breaking.ways(snapshot)
    return tuple(
        ChoiceRow(f"{breaking.VERB} {ref(t, way.breaker, RUNNER)}", (breaking.first(t, way).text,)) for way in found
    )


def is_pointless(snapshot: Shown, row: ChoiceRow) -> bool:
    """Tell whether a row of a window is allowed and does nothing.

    That is a breaker pumped that can't break what is met, or a card rezzed that does nothing then.
    """
    return row.is_whole and (row.texts[0] in _vain(snapshot) or is_vain_rez(snapshot, row))


def _vain(snapshot: Shown) -> frozenset[str]:
    seat, pending = own_seat(snapshot), snapshot.pending
    if seat is None or pending is None or pending.prompt != "window" or not isinstance(pending.choice, OneOf):
        return frozenset()
    t, texts = table_of(snapshot), [action.text for action in pending.choice.actions]
    return frozenset(text for text in texts if text not in PASSING and not matters(t, seat, tokens(text)))


def vain_rezzes(snapshot: Shown) -> frozenset[str]:
    """Return the rezzes of a window that do nothing but show the card: of an ambush."""
    pending = snapshot.pending
    if pending is None or pending.prompt != "window" or not isinstance(pending.choice, OneOf):
        return frozenset()
    rezzes = [action.text for action in pending.choice.actions if action.text.startswith("rez ")]
    cards = {text: named(snapshot, tokens(text)[1]) for text in rezzes}
    return frozenset(text for text, card in cards.items() if card is not None and not does_something_rezzed(card))


def page_of(chosen: Selection) -> int:
    """Return the first row of those that have a digit now."""
    return max(0, chosen.cursor) // PAGE * PAGE


def moved(snapshot: Shown, chosen: Selection, key: str) -> Selection:
    """Move the cursor, or change the number."""
    pending = snapshot.pending
    vertical = key in ("up", "down", "k", "j")
    if pending is not None and chosen.mode == NUMBER and isinstance(pending.choice, Number):
        up = -STEPS[key] if vertical else STEPS[key]
        n = max(pending.choice.low, min(pending.choice.high, chosen.number + up))
        return replace(chosen, number=n, typed="")
    found = rows(snapshot, chosen)
    apart = half(min(PAGE, len(found) - page_of(chosen)))
    if vertical or chosen.cursor == NOWHERE or not apart:
        at = stepped(chosen.cursor, STEPS[key], len(found))
        while found and found[at] is FREE_DIGIT:
            at = stepped(at, STEPS[key], len(found))
        return replace(chosen, cursor=at)
    at = chosen.cursor + STEPS[key] * apart
    is_there = page_of(chosen) <= at < min(len(found), page_of(chosen) + PAGE) and found[at] is not FREE_DIGIT
    return replace(chosen, cursor=at) if is_there else chosen


def half(shown: int) -> int:
    """Return how many rows a page's left column has; 0: it is one column, because so few take no more room."""
    return (shown + 1) // 2 if shown > ABREAST else 0


def digit(snapshot: Shown, chosen: Selection, key: str) -> Selection | Action:
    """Take the row with this digit; of a number, type it."""
    pending = snapshot.pending
    if pending is not None and chosen.mode == NUMBER and isinstance(pending.choice, Number):
        typed = (chosen.typed + key).lstrip("0")[-3:] or "0"
        if int(typed) > pending.choice.high:
            typed = key
        return replace(chosen, number=max(pending.choice.low, min(pending.choice.high, int(typed))), typed=typed)
    here, found = at_digit(chosen, key), rows(snapshot, chosen)
    at = here.cursor
    if at >= len(found) or found[at] is FREE_DIGIT or (found[at].is_let and not chosen.path):
        return chosen
    return tick(snapshot, here) if ticks(snapshot, chosen) else go(snapshot, here)


def at_digit(chosen: Selection, key: str) -> Selection:
    """Return the selection with the cursor on the row of a digit."""
    return replace(chosen, cursor=page_of(chosen) + DIGITS.index(key))


def ticks(snapshot: Shown, chosen: Selection) -> bool:
    """Tell whether rows are ticked and sent together."""
    return chosen.mode == TRASH or (chosen.mode == SEVERAL and not is_single(snapshot))


def is_single(snapshot: Shown) -> bool:
    """Tell whether one item is enough and one is all: it need not be ticked."""
    choice = snapshot.pending.choice if snapshot.pending is not None else None
    return isinstance(choice, Subset) and choice.min == choice.max == 1


def is_discard(snapshot: Shown) -> bool:
    """Tell whether what is asked is which cards of the hand go."""
    choice = snapshot.pending.choice if snapshot.pending is not None else None
    return isinstance(choice, Subset) and choice.verb == "discard"


def go(snapshot: Shown, chosen: Selection) -> Selection | Action:
    """Take the row under the cursor, send the number, send what is ticked."""
    pending = snapshot.pending
    match chosen.mode, pending.choice if pending is not None else None:
        case "number", Number(verb, _, _):
            return Action(f"{verb} {chosen.number}")
        case "several", Subset(verb, items, low, high):
            taken = chosen.ticked or ((chosen.cursor,) if low == high == 1 and chosen.cursor != NOWHERE else ())
            if not low <= len(taken) <= high:
                return marked(rows(snapshot, chosen), chosen) if is_single(snapshot) else chosen
            return Action(" ".join((verb, *(items[at] for at in taken))))
    found = rows(snapshot, chosen)
    if chosen.mode == TRASH and pending is not None:
        text = trashing(pending.choice, chosen.path, frozenset(found[at].part for at in chosen.ticked))
        return chosen if text is None else Action(text)
    if not 0 <= chosen.cursor < len(found):
        return marked(found, chosen)
    row = found[chosen.cursor]
    if row.part == BACK:
        return begin(snapshot, chosen.kept, chosen.errands)
    if (left := with_errand(snapshot, chosen, row)) is not None:
        return drop(snapshot, left) or left
    if row.is_whole:
        return Action(row.texts[0])
    if not row.texts:
        return chosen
    path = way(row, chosen.path)
    return replace(chosen, mode=TRASH if path[-1].endswith(TRASHING) else LIST, path=path, cursor=NOWHERE)


def with_errand(snapshot: Shown, chosen: Selection, row: ChoiceRow) -> Selection | None:
    """Return the selection after a row that leaves something to the screen; None: it is another row."""
    verb = row.part.partition(" ")[0]
    if verb == breaking.VERB:
        return replace(chosen, errands=replace(chosen.errands, breaking=break_plan(snapshot, row)))
    if verb == WANT:
        wanted = toggled(chosen.errands.wanted, int(row.texts[0].removeprefix(f"{WANT} ")))
        return replace(chosen, errands=replace(chosen.errands, wanted=wanted))
    if verb == AT_END:
        at_end = toggled(chosen.errands.at_end, int(row.texts[0].removeprefix(f"{AT_END} ")))
        return replace(chosen, errands=replace(chosen.errands, at_end=at_end))
    if verb == HUSH and (card := named(snapshot, tokens(row.part)[1])) is not None:
        return replace(chosen, errands=replace(chosen.errands, hushed=toggled(chosen.errands.hushed, card.iid)))
    if verb == TO_ACCESS:
        return replace(chosen, errands=replace(chosen.errands, to_access=not chosen.errands.to_access))
    return None


def errand_rows(snapshot: Shown, chosen: Selection) -> tuple[ChoiceRow, ...]:
    """Return the rows that leave something to the screen, whether they stand among the others or under `m`."""
    is_window = snapshot.pending is not None and snapshot.pending.prompt == "window"
    found = (*(breaking_rows(snapshot) if is_window else ()), *more_rows(snapshot, chosen))
    return tuple(row for row in found if row.part.partition(" ")[0] in ERRANDS)


def marked(found: Sequence[ChoiceRow], chosen: Selection) -> Selection:
    """Put the cursor on the first row that can be taken: who sends without a cursor sees where it stands first.

    What lets things go on is the last that is marked: an impatient Enter would end a phase with the next one.
    """
    there = [at for at, row in enumerate(found) if row.texts]
    at = next((at for at in there if not found[at].is_let or chosen.path), there[0] if there else NOWHERE)
    return replace(chosen, cursor=at) if chosen.cursor == NOWHERE else chosen


def break_plan(snapshot: Shown, row: ChoiceRow) -> Breaking | None:
    """Return what choosing to break all decides."""
    t = table_of(snapshot)
    found = [way for way in breaking.ways(snapshot) if row.part == f"{breaking.VERB} {ref(t, way.breaker, RUNNER)}"]
    ice = breaking.breakable_ice(t)
    return Breaking(found[0].breaker.iid, ice.iid, found[0].cost) if found and ice is not None else None


def way(row: ChoiceRow, path: tuple[str, ...]) -> tuple[str, ...]:
    """Return the way to a row's own list: all parts that its actions share."""
    split = [parts(text) for text in row.texts]
    shared = 0
    while all(len(one) > shared and one[shared] == split[0][shared] for one in split):
        shared += 1
    return split[0][: max(shared, len(path) + 1)]


def drop(snapshot: Shown, chosen: Selection) -> Selection | None:
    """Return to the rows from a further list; None when there is nothing to return from."""
    if chosen.mode in ASIDE:
        return replace(chosen, mode=chosen.back, cursor=chosen.under, under=NOWHERE)
    fresh = begin(snapshot, chosen.kept, chosen.errands)
    return fresh if chosen.mode in FURTHER or chosen.ticked or chosen.typed else None


def tick(snapshot: Shown, chosen: Selection) -> Selection:
    """Tick or untick the row under the cursor; one more than there may be is not ticked."""
    choice = snapshot.pending.choice if snapshot.pending is not None else None
    most = choice.max if isinstance(choice, Subset) and chosen.mode == SEVERAL else None
    return replace(chosen, ticked=toggled(chosen.ticked, chosen.cursor, most))


def goes_by(snapshot: Shown, chosen: Selection) -> bool:
    """Tell whether this window goes by itself."""
    return errands.goes_by(snapshot, chosen.errands)


def sure(snapshot: Shown, chosen: Selection, answer: Selection | Action | None) -> Selection | Action | None:
    """Return what a key brings: where it completes a dangerous action, the question whether that is meant."""
    if not isinstance(answer, Action) or chosen.mode == SURE or not danger(snapshot, answer.text):
        return answer
    return replace(chosen, mode=SURE, path=(answer.text,), cursor=NOWHERE, ticked=())


def passing(snapshot: Shown) -> Action | None:
    """Return the action that lets things go on."""
    text = letting(snapshot.pending.choice) if snapshot.pending is not None else None
    return Action(text) if text is not None else None


def opened(chosen: Selection, mode: Mode, at: int) -> Selection:
    """Look at cards, or at settings, with the decision kept below."""
    if chosen.mode in ASIDE:
        return replace(chosen, mode=mode, cursor=at)
    return replace(chosen, mode=mode, back=chosen.mode, under=chosen.cursor, cursor=at)


def turned(chosen: Selection, key: str, count: int) -> Selection:
    """Go to another one of `count` cards."""
    if key in STEPS:
        return replace(chosen, cursor=stepped(chosen.cursor, STEPS[key], count))
    at = chosen.cursor + (-PAGE if key == "page up" else PAGE)
    return replace(chosen, cursor=max(0, min(count - 1, at)))


def scrolled(chosen: Selection, key: str, most: int) -> Selection:
    """Leave more or fewer of the newest lines of the log out."""
    by = {"page up": PAGE, "page down": -PAGE}.get(key) or -STEPS[key]
    return replace(chosen, cursor=max(0, min(most, chosen.cursor + by)))


def without_told(chosen: Selection) -> Selection:
    """Return the selection without what is told of the screen's own acts: a key comes, so it has been read."""
    return replace(chosen, errands=replace(chosen.errands, told=())) if chosen.errands.told else chosen


def by_hand(chosen: Selection) -> Selection:
    """Pay by hand from now on, or let the screen pay again."""
    return replace(chosen, errands=replace(chosen.errands, by_hand=not chosen.errands.by_hand))


def quieting(snapshot: Shown) -> Action | None:
    """Return the setting that lets this window, and every later one of its step in this turn, go by itself.

    Not where a wrong key would cost most: where ice is rezzed or broken, where an agenda may be scored.
    """
    pending, step = snapshot.pending, step_of(scene_of(snapshot))
    if pending is None or pending.prompt != "window" or step in ("run.2.3", "run.3.1"):
        return None
    if any(row.part.startswith("score ") for row in rows_of(pending.choice)):
        return None
    return Action(f"auto {step} {TURN}")


def more_rows(snapshot: Shown, chosen: Selection) -> tuple[ChoiceRow, ...]:
    """Return the rows that are seldom wanted.

    That is rezzing a card as soon as may be or at the end of the Runner's turn, rezzing one that does nothing then, and
    installs for which something is trashed. While a window goes by, that is what could be done in it all the same.
    """
    t = table_of(snapshot)
    if snapshot.pending is not None and snapshot.pending.prompt not in (ACTION, "window", JACK_OUT):
        return ()
    by_itself = snapshot.pending is not None and goes_by(snapshot, chosen)
    acts = [row for row in rows_of(snapshot.pending.choice) if not row.is_let] if by_itself and snapshot.pending else []
    ways = [(way, card) for card in errands.rezzable(snapshot) for way in (WANT, AT_END)]
    wants = [ChoiceRow(f"{way} {ref(t, card, CORP)}", (f"{way} {card.iid}",)) for way, card in ways]
    hushing = [f"{HUSH} {ref(t, card, card.side)}" for card in errands.hushable(snapshot)]
    wants += [ChoiceRow(part, (part,)) for part in hushing]
    if t.run is not None and own_seat(snapshot) == RUNNER:
        wants.append(ChoiceRow(TO_ACCESS, (TO_ACCESS,)))
    if snapshot.pending is None or by_itself or snapshot.pending.prompt == JACK_OUT:
        return (*acts, *wants)
    if snapshot.pending.prompt != ACTION:
        return (*wants, *(row for row in rows_of(snapshot.pending.choice) if is_vain_rez(snapshot, row)))
    found = rows_of(snapshot.pending.choice)
    return (*wants, *(row for row in found if is_spare(row, {one.part for one in found})))


def is_vain_rez(snapshot: Shown, row: ChoiceRow) -> bool:
    """Tell whether a row rezzes a card that does nothing then."""
    return not vain_rezzes(snapshot).isdisjoint(row.texts)


def is_spare(row: ChoiceRow, parts: Collection[str]) -> bool:
    """Tell whether a row trashes something for what can be installed without."""
    return row.part.endswith(TRASHING) and row.part.removesuffix(TRASHING) in parts


def opened_more(chosen: Selection) -> Selection:
    """Open the list of what is wanted seldom."""
    return replace(chosen, mode=MORE, path=(), cursor=NOWHERE, ticked=())


@by_identity()
def ahead(snapshot: Shown) -> tuple[str, ...]:
    """Return the actions that the viewer could take if they had one to take now: from what they know themselves."""
    seat, scene = own_seat(snapshot), scene_of(snapshot)
    if seat is None or scene.outcome is not None:
        return ()
    is_own = scene.turn == seat and scene.clicks[seat] > 0
    clicks = (scene.clicks[0], CLICKS[1]) if seat else (CLICKS[0], scene.clicks[1])
    last = scene.last_turn if scene.turn == seat else scene.this_turn
    begun = replace(scene, turn=seat, clicks=clicks, this_turn=(), last_turn=last)
    t = Table(replace(scene if is_own else begun, run=None, frames=()))
    return tuple(action.text for action in expand(action_choice(t, {"seat": seat})))


def spellings(text: str) -> tuple[str, ...]:
    """Return how an action may be typed: without quotes and accents.

    >>> spellings('play "Déjà Vu"')
    ('play deja vu', 'play déjà vu', 'play "déjà vu"')
    """
    said = text.casefold()
    bare = said.replace('"', "")
    return tuple(dict.fromkeys((comparable(bare), bare, said)))
