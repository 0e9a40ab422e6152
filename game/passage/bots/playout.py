"""Play-outs: playing a table on by policies, for search and measurements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from game.passage.answers import answer
from game.passage.bots.policy import Chance, Styles, Words, decide
from game.passage.bots.sight import Sight, from_table, in_words_of_the_hand
from game.passage.cards import Card
from game.passage.flow import settle
from game.passage.state import Aim, Alms, Bout, Gift, Peek, Rescue, Return, Seizure, Swap, Window
from game.passage.table import Table
from game.passage.windows import close

BLANK, JUDGE = Card.BLANK, Card.JUDGE
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
    """Make the next decision; in a veto window, seats without a Judge pass at once."""
    if t.stack and isinstance(window := t.stack[-1], Window) and not t.blind:
        waiting = tuple(seat for seat in window.waiting if has_judge(t, seat))
        if not waiting:
            t.stack.pop()
            close(t, window)
            return settle(t)
        if len(waiting) < len(window.waiting):
            t.stack[-1] = replace(window, waiting=waiting)
    seat = mover(t)
    sight = from_table(t, seat)
    answer(t, seat, list(in_words_of_the_hand(sight, policies[seat](sight))))
    settle(t)


def has_judge(t: Table, seat: int) -> bool:
    """Tell whether a seat can veto."""
    hand = t.hands[seat]
    return JUDGE in hand or (BLANK in hand and t.switches.acts_as(BLANK) is JUDGE)


def is_over(t: Table) -> bool:
    """Tell whether one seat is left."""
    return len(t.hands) - len(t.eliminated) < 2


def player(styles: Styles, toss: Chance) -> Policy:
    """Return the policy in one style, as `advance` takes it; `toss` breaks ties."""

    def reply(s: Sight) -> Words:
        return decide(s, toss, styles)

    return reply
