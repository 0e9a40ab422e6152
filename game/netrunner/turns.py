"""The turn: a frame at the bottom of the stack that walks the table of steps (Netrunner §1.3)."""

from __future__ import annotations

from collections import Counter

from game.contract import Json, OneOf, Subset
from game.netrunner.facts import CORP, RUNNER
from game.netrunner.frames import Vars
from game.netrunner.moments import emit
from game.netrunner.moves import discard_from_hand, expire
from game.netrunner.ops import answer, ask, choice, one_of, op
from game.netrunner.places import quoted
from game.netrunner.queries import hand_size
from game.netrunner.state import Hands
from game.netrunner.stops import lasting_mode
from game.netrunner.table import HANDS, Table, entry
from game.netrunner.timing import CLICKS, TABLE, side_of
from game.netrunner.windows import open_window


@op("turn")
def turn(t: Table, f: Vars) -> None:
    """Do a step (stage 0), open its window (1), go on (2); the action step comes back as long as there are clicks."""
    row = TABLE[t.step]
    if row.does == "actions":
        return action_step(t, f)
    match f["stage"]:
        case 0:
            f["stage"] = 1
            if row.does:
                step_action(t, row.does)
        case 1:
            f["stage"] = 2
            if row.window:
                open_window(t, row.window)
        case _:
            go_on(t, f)


def go_on(t: Table, f: Vars) -> None:
    """Go to the next step, and mark the end of the discard phase and of the turn where they come."""
    f["stage"] = 0
    if t.step in ("corp.3.3", "runner.2.3"):
        emit(t, "discard-phase-ends")
        emit(t, "turn-ends")
    t.step = TABLE[t.step].next


def action_step(t: Table, f: Vars) -> None:
    """Ask for an action while there are clicks, with a window after each."""
    if f["stage"] == 1:
        f["stage"] = 0
        return open_window(t, TABLE[t.step].window)
    if t.clicks[t.turn] <= 0:
        return go_on(t, f)
    f["stage"] = 1
    ask(t, "action", t.turn, "action", clicks=t.clicks[t.turn])


def step_action(t: Table, does: str) -> None:
    """Do what happens by itself in a step."""
    seat = t.turn
    match does:
        case "mulligan":
            ask(t, "mulligan", side_of(t.step), "mulligan")
        case "turn-begins":
            turn_begins(t, seat)
        case "mandatory-draw":
            t.draw(CORP, 1)
        case "gain-clicks":
            t.clicks[seat] = CLICKS[seat]
            t.tell("turn", {"side": seat, "clicks": CLICKS[seat]})
        case "lose-clicks":
            t.clicks[seat] = 0
        case "discard":
            discard_step(t, seat)
        case "turn-ends":
            turn_ends(t)


def turn_begins(t: Table, seat: int) -> None:
    """Refill recurring credits, then mark what happens when a turn begins."""
    if seat == CORP:
        expire(t, "corp-turn")
    for card in list(t.active()):
        if card.side == seat and entry(card.code).recurring:
            t.change(card.iid, recurring=entry(card.code).recurring)
    emit(t, "turn-begins")


def discard_step(t: Table, seat: int) -> None:
    """Make a player discard down to the maximum hand size; below zero the Runner is flatlined."""
    limit = hand_size(t, seat)
    if seat == RUNNER and limit < 0:
        return t.finish(CORP, "flatline")
    excess = len(t.hand(seat)) - limit
    if excess > 0:
        ask(t, "discard", seat, "discard", count=excess)


@choice("discard")
def discard_choice(t: Table, f: Vars) -> Subset:
    """Offer the cards of the hand."""
    return Subset("discard", tuple(quoted(code) for code in t.hand(f["seat"])), f["count"], f["count"])


@answer("discard")
def discard_answer(t: Table, f: Vars, words: list[str]) -> None:
    """Discard; the Corp's cards go face down, even if seen."""
    t.pop()
    seat = f["seat"]
    for word, n in Counter(words[1:]).items():
        for _ in range(n):
            discard_from_hand(t, seat, [quoted(code) for code in t.hand(seat)].index(word))
    cards = sorted(word[1:-1] for word in words[1:])  # sorted, so that the order in the hand stays secret
    told: dict[str, Json] = {"side": seat, "count": len(cards), "cards": list(cards)}
    if seat == RUNNER:
        t.tell("discarded", told)
    else:
        t.tell("discarded", {"side": seat, "count": len(cards)}, {CORP: {"cards": list(cards)}})


@choice("mulligan")
def mulligan_choice(t: Table, f: Vars) -> OneOf:
    """Offer to keep the hand or not."""
    return one_of(["keep", "mulligan"])


@answer("mulligan")
def mulligan_answer(t: Table, f: Vars, words: list[str]) -> None:
    """Keep, or shuffle the hand back and draw five others (Netrunner §1.2)."""
    t.pop()
    seat = f["seat"]
    t.tell(words[0], {"side": seat})
    if words[0] == "mulligan":
        t.deck(seat).extend(t.hand(seat))
        t.hand(seat).clear()
        t.known.pop(HANDS[seat], None)
        t.shuffle(seat)
        t.draw(seat, 5)


def turn_ends(t: Table) -> None:
    """Hand the turn over."""
    expire(t, "turn", "run", "encounter")
    if t.hands is not None:
        t.hands = (t.hands[1], open_hands(t))
    t.last_turn, t.this_turn = t.this_turn, []
    t.auto = [tuple((step, lasting_mode(mode)) for step, mode in settings) for settings in t.auto]
    t.turn = 1 - t.turn
    t.clicks[t.turn] = 0


def open_hands(t: Table) -> Hands:
    """Return what is hidden now, for watchers a whole turn later."""
    unrezzed = tuple((card.iid, card.code) for card in t.cards.values() if not card.rezzed)
    return Hands(tuple(t.hq), tuple(t.grip), unrezzed)
