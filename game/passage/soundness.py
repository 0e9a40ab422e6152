"""Checks on positions that were read: one may be unusual, but must not contradict itself."""

from __future__ import annotations

from game.passage.cards import AIMED, UNVETOED, Card
from game.passage.fields import bad
from game.passage.state import (
    REFUSED,
    Aim,
    Alms,
    Bout,
    Frame,
    Gift,
    Peek,
    Rescue,
    Return,
    Seizure,
    State,
    Swap,
    Window,
)


def check_seats(state: State) -> None:
    """Check who is in and who is out. Raises BadNotation."""
    if state.direction == 0:
        bad("direction: neither 1 nor -1")
    if len(state.eliminated) >= state.n_seats:
        bad("eliminated: nobody is left")
    if set(state.forfeited) - set(state.eliminated):
        bad("forfeited: not eliminated")
    if len(state.living()) > 1 and state.turn in state.eliminated and not state.stack:
        bad("turn: eliminated")
    if state.receiver is not None and (state.receiver in state.eliminated or state.phase != "discard"):
        bad("receiver: not to be handed a turn")
    for seat in state.eliminated:
        if state.hands[seat] or state.sealed[seat] or seat in state.blind:
            bad(f"hands: seat {seat} is eliminated")


def check_frames(state: State) -> None:
    """Check that each effect can go on: its players live and the cards it speaks of are there. Raises BadNotation."""
    if len(state.stack) > 1:
        bad("stack: more than one effect waits for an answer")
    for frame in state.stack:
        if not all(is_living(state, seat) for seat in parties(frame)):
            bad("stack: a seat that does not play")
        if not is_sound(state, frame):
            bad(f"stack: {type(frame).__name__.lower()} can't go on")


def is_living(state: State, seat: int) -> bool:
    """Tell whether this is a seat still in the match."""
    return 0 <= seat < state.n_seats and seat not in state.eliminated


def parties(frame: Frame) -> tuple[int, ...]:
    """Return the seats an effect can't go on without."""
    match frame:
        case Window(_, actor, waiting, target):
            return (actor, *waiting, *(() if target is None else (target,)))
        case Gift(actor, target) | Swap(actor, target):
            return (actor, target)
        case Bout(actor, target, mover):
            return (actor, target, mover)
        case Alms(actor, waiting, answers):
            return (actor, *waiting, *(seat for seat, _ in answers))
        case Return(seat) | Rescue(seat):
            return (seat,)
        case Aim(actor) | Peek(actor) | Seizure(actor):
            return (actor,)


def is_sound(state: State, frame: Frame) -> bool:
    """Tell whether an effect speaks of cards and positions that are there."""
    hands = state.hands
    match frame:
        case Window():
            return is_sound_window(state, frame)
        case Aim(actor, card):
            needs_pile = card is Card.KOTODAMA
            aims = card in AIMED or card in (Card.KOTODAMA, Card.BOTTOM)
            return actor == state.turn and aims and bool(state.pile or not needs_pile)
        case Peek(actor, origin):
            return actor == state.turn and 0 <= origin < len(state.pile)
        case Rescue(seat):
            return bool(hands[seat]) and seat in state.blind
        case Gift(actor, target):
            return actor == state.turn != target and bool(hands[target])
        case Swap(actor, target, picked):
            sides = zip((actor, target), picked, strict=True)
            return actor != target and None in picked and all(fits(at, len(hands[seat])) for seat, at in sides)
        case Alms(actor, waiting, answers):
            own = {seat for seat, _ in answers}
            given = all(REFUSED <= at < len(hands[seat]) for seat, at in answers)
            return bool(waiting) and given and actor not in own | set(waiting) and not own & set(waiting)
        case Seizure(actor):
            return any(hand for seat, hand in enumerate(hands) if seat != actor)
        case Bout(actor, target, mover):
            return actor != target and mover in (actor, target) and bool(hands[mover])
        case Return():
            return True


def is_sound_window(state: State, window: Window) -> bool:
    """Tell whether a window is over a card that can be vetoed, and waits for players who could."""
    if not window.waiting or len(set(window.waiting)) != len(window.waiting) or window.card in UNVETOED:
        return False
    if window.judges == 0 and (window.actor in window.waiting or window.by is not None):
        return False
    if window.judges > 0 and (window.by is None or window.by in window.waiting):
        return False
    if window.card is Card.KOTODAMA:
        size = len(state.pile)
        return window.origin is not None and window.place is not None and max(window.origin, window.place) < size
    if window.card in AIMED or window.card is Card.REVERSAL:
        return window.target is not None and window.target != window.actor
    return True


def fits(picked: tuple[int, ...] | None, size: int) -> bool:
    """Tell whether this is a choice of two different places of a hand, or none yet."""
    return picked is None or (len(set(picked)) == 2 and max(picked) < size)
