"""Playing a table on by policies: what search and measurements run on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from game.passage.answers import answer
from game.passage.cards import Card
from game.passage.flow import settle
from game.passage.policy import Words
from game.passage.sight import Sight, from_table
from game.passage.state import Aim, Alms, Bout, Gift, Peek, Rescue, Return, Seizure, Swap, Window
from game.passage.table import Table
from game.passage.windows import close

Policy = Callable[[Sight], Words]


def mover(t: Table) -> int:
    """Return a seat that owes a decision."""
    if not t.stack:
        return t.turn
    match t.stack[-1]:
        case Window(_, _, waiting) | Alms(_, waiting):
            return waiting[0]
        case Swap(actor, target, picked):
            return actor if picked[0] is None else target
        case Gift(_, target):
            return target
        case Return(seat) | Rescue(seat):
            return seat
        case Bout(_, _, seat):
            return seat
        case Aim(seat) | Peek(seat) | Seizure(seat):
            return seat


def advance(t: Table, policies: Sequence[Policy]) -> None:
    """Let the next decision be made; who holds no Judge lets a card pass without a thought."""
    if t.stack and isinstance(window := t.stack[-1], Window) and not t.blind:
        waiting = tuple(seat for seat in window.waiting if Card.JUDGE in t.hands[seat])
        if not waiting:
            t.stack.pop()
            close(t, window)
            return settle(t)
        if len(waiting) < len(window.waiting):
            t.stack[-1] = replace(window, waiting=waiting)
    seat = mover(t)
    answer(t, seat, list(policies[seat](from_table(t, seat))))
    settle(t)


def is_over(t: Table) -> bool:
    """Tell whether one is left."""
    return len(t.hands) - len(t.eliminated) < 2
