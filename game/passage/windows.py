"""Veto windows: who may answer an announced card, and what the answers do (Passage §1.5, §4)."""

from __future__ import annotations

from dataclasses import replace

from game.passage.cards import AIMED, UNVETOED, Card
from game.passage.effects import resolve
from game.passage.state import Window
from game.passage.table import Table


def announce(t: Table, window: Window) -> None:
    """Offer a card that was just played to those who may veto it, or carry it out where nobody can."""
    waiting = answering(t, eligible(t, window))
    if waiting:
        t.stack.append(replace(window, waiting=waiting))
    else:
        resolve(t, window)


def eligible(t: Table, window: Window) -> tuple[int, ...]:
    """Return who may answer this card: whom it is aimed at; all others when it changes the pile (§1.5, A11 to A13)."""
    if window.card in UNVETOED:
        return ()
    if window.card is Card.REVERSAL:
        return (t.after(window.actor, -t.direction),)
    if window.card in AIMED and window.target is not None:
        return (window.target,)
    return tuple(seat for seat in t.living() if seat != window.actor)


def answering(t: Table, seats: tuple[int, ...]) -> tuple[int, ...]:
    """Return whom to ask. A window is skipped on public grounds only: all Judges gone, or no cards to answer with."""
    gone = t.discard.count(Card.JUDGE) + t.removed.count(Card.JUDGE)
    if t.switches.acts_as(Card.BLANK) is Card.JUDGE:
        gone += t.discard.count(Card.BLANK) + t.removed.count(Card.BLANK)
    if gone >= t.switches.judges:
        return ()
    return tuple(seat for seat in seats if t.hands[seat])


def let_pass(t: Table, seat: int) -> None:
    """Note that a seat lets the card through; the last one to do so closes the window."""
    window = t.stack.pop()
    assert isinstance(window, Window)
    t.tell("passed", {"seat": seat, "card": window.card.value})
    drop_waiting(t, window, seat)


def drop_waiting(t: Table, window: Window, seat: int) -> None:
    """Stop waiting for a seat in a window off the stack: put it back if others may still answer, else close it."""
    waiting = tuple(other for other in window.waiting if other != seat)
    if waiting:
        t.stack.append(replace(window, waiting=waiting))
    else:
        close(t, window)


def judge(t: Table, seat: int) -> None:
    """Veto: the first Judge closes the window; with `veto_chain` all others may answer it in turn (A3)."""
    window = t.stack.pop()
    assert isinstance(window, Window)
    t.tell("judged", {"seat": seat, "card": window.card.value, "actor": window.actor, "chain": window.judges})
    others = tuple(other for other in t.living() if other != seat)
    waiting = answering(t, others) if t.switches.veto_chain else ()
    answered = replace(window, waiting=waiting, judges=window.judges + 1, by=seat)
    if waiting:
        t.stack.append(answered)
    else:
        close(t, answered)


def close(t: Table, window: Window) -> None:
    """End a window: an odd number of Judges vetoes the card, and the actor's play phase goes on (A5)."""
    if window.judges % 2 == 0:
        return resolve(t, window)
    t.tell("vetoed", {"seat": window.actor, "card": window.card.value})
    if t.switches.judge_clears_draws:
        t.draws, t.bottom = 1, 0
        t.tell("counts", {"seat": window.actor, "draws": 1, "bottom": 0})
