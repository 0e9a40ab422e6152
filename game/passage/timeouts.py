"""Timeouts, and seats that leave for good (Passage §4.6)."""

from __future__ import annotations

from dataclasses import replace

from game.choices import draw
from game.contract import Action, OneOf, Pending, Seat
from game.passage.cards import Card
from game.passage.effects import count_alms
from game.passage.flow import drop_out, mix_in
from game.passage.state import Aim, Alms, Bout, Gift, Peek, Rescue, Return, Seizure, State, Swap, Window
from game.passage.table import Table
from game.passage.windows import drop_waiting
from game.rng import Rng

# The default where one of these is offered; for every other decision an offered action is drawn at random.
DEFAULTS = ("pass", "refuse", "stop", "end")


def default(state: State, owed: Pending) -> tuple[Action, Rng]:
    """Return the answer given for a seat whose time ran out, and the random stream after it."""
    if isinstance(owed.choice, OneOf):
        for action in owed.choice.actions:
            if action.text in DEFAULTS:
                return action, state.rng
    if state.stack and isinstance(peek := state.stack[-1], Peek):
        return Action(f"put {peek.origin}"), state.rng
    return draw(owed.choice, state.rng)


def leave(t: Table, seat: int) -> None:
    """Take a seat out for good: like going out, with the Passage it holds or a random one of the pile.

    The number of Passages stays one less than that of players. The position it was taken from is public, so what others
    know of the pile stays valid. With `passage_returns` the number does not depend on the players, so none is removed.
    """
    t.tell("left", {"seat": seat})
    holds = holds_passage(t, seat)
    drop_out(t, seat)
    t.forfeited.append(seat)
    if not t.switches.passage_returns:
        take_passage_along(t, holds)
    elif holds:
        mix_in(t)
    if t.receiver == seat:
        t.receiver, t.draws, t.bottom = t.after(seat, t.direction), 1, 0
    drop_frames(t, seat)


def holds_passage(t: Table, seat: int) -> bool:
    """Tell whether this seat has drawn a Passage that is still to be put back, or answered with a Warden."""
    frame = t.stack[-1] if t.stack else None
    return isinstance(frame, Return | Rescue) and frame.seat == seat


def take_passage_along(t: Table, holds: bool) -> None:
    """Discard the Passage that the seat holds, else a random one of the pile, and tell its position."""
    places = [at for at, card in enumerate(t.pile) if card is Card.PASSAGE]
    if holds:
        t.discard.append(Card.PASSAGE)
    elif places:
        at, t.rng = t.rng.choose(places)
        t.take(at)
        t.discard.append(Card.PASSAGE)
        t.tell("passage-left", {"position": at})
        adjust_kotodama(t, at)


def adjust_kotodama(t: Table, gone: int) -> None:
    """Adjust an unfinished Kotodama when the card at `gone` has left the pile; drop it if it was about that card."""
    frame = t.stack[-1] if t.stack else None
    if not isinstance(frame, Peek | Window) or frame.origin is None:
        return
    if frame.origin == gone:
        t.stack.pop()
        return
    moved = replace(frame, origin=frame.origin - (frame.origin > gone))
    if isinstance(moved, Window) and moved.place is not None:
        moved = replace(moved, place=min(moved.place, len(t.pile) - 1))
    t.stack[-1] = moved


def drop_frames(t: Table, seat: int) -> None:
    """Drop every effect that can't continue without this seat; the others stop waiting for it."""
    while t.stack and lapses(t, seat):
        t.stack.pop()
    if not t.stack:
        return
    frame = t.stack[-1]
    if isinstance(frame, Window) and seat in frame.waiting:
        t.stack.pop()
        drop_waiting(t, frame, seat)
    elif isinstance(frame, Alms):
        answers = tuple(one for one in frame.answers if one[0] != seat)
        waiting = tuple(other for other in frame.waiting if other != seat)
        t.stack[-1] = Alms(frame.actor, waiting, answers)
        if not waiting:
            count_alms(t)


def lapses(t: Table, seat: int) -> bool:
    """Tell whether the effect on top of the stack ends because this seat is gone."""
    match t.stack[-1]:
        case Window(card, actor, _, target):
            return seat == actor or (seat == target and card is not Card.REVERSAL)
        case Gift(actor, target) | Swap(actor, target) | Bout(actor, target):
            return seat in (actor, target)
        case Return(owner) | Rescue(owner):
            return seat == owner
        case Seizure(actor):
            return seat == actor or not any(t.hands[other] for other in t.living() if other != actor)
        case Aim(actor) | Peek(actor) | Alms(actor):
            return seat == actor


def awaited_seat(owed: tuple[Pending, ...], seat: Seat) -> Pending | None:
    """Return what this seat owes, if anything."""
    return next((one for one in owed if one.seat == seat), None)
