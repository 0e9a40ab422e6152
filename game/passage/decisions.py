"""Who owes which decision: the choices of every phase and of every half-resolved effect (Passage §5, §6)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from game.contract import Action, Choice, Json, Number, OneOf, Pending, Seat, Subset
from game.passage.cards import AIMED, ATTACKS, HAND_LIMIT, UNPLAYABLE, Card, by_kind
from game.passage.state import (
    Aim,
    Alms,
    Auto,
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

VETO = "veto"
AUTO: tuple[Auto, ...] = ("off", "until-my-turn", "unless-aimed")


def pending(state: State) -> tuple[Pending, ...]:
    """Return the decisions owed now, in seat order; none once fewer than two seats are in the match."""
    if len(state.living()) < 2:
        return ()
    if state.stack:
        return of_frame(state, state.stack[-1])
    if state.phase == "discard":
        return (discarding(state),)
    params: tuple[tuple[str, Json], ...] = (("draws", state.draws), ("bottom", state.bottom))
    return (ask(state.turn, "play", OneOf(tuple(map(Action, plays(state)))), params),)


def awaited(state: State) -> tuple[tuple[int, str | None], ...]:
    """Return what everybody may know of the decisions owed: the seat, and the window if it is one."""
    return tuple((int(owed.seat), owed.window) for owed in pending(state))


def ask(seat: int, prompt: str, choice: Choice, params: tuple[tuple[str, Json], ...] = ()) -> Pending:
    """Return a decision of one seat that is neither secret nor a window."""
    return Pending(Seat(seat), prompt, choice, params=params)


# The play phase.


def plays(state: State) -> list[str]:
    """Return the actions of the play phase; blind, a card is picked instead of named."""
    seat = state.turn
    if seat in state.blind:
        return ["end", *(f"pick {index}" for index in range(len(state.hands[seat])))]
    cards = [card for card in by_kind(state.hands[seat]) if state.switches.acts_as(card) not in UNPLAYABLE]
    return ["end", *(text for card in cards for text in ways(state, seat, card))]


def ways(state: State, seat: int, card: Card) -> list[str]:
    """Return the ways to play a card: alone, at each other living player, or at each position."""
    others = [f"play {card} {other}" for other in state.living() if other != seat]
    meant = state.switches.acts_as(card)
    if meant in AIMED:
        return others
    if meant is Card.KOTODAMA:
        return [f"play {card} {index}" for index in range(len(state.pile))]
    if meant is Card.BOTTOM and state.switches.bottom_targets_others:
        return [f"play {card}", *others]
    return [f"play {card}"]


def discarding(state: State) -> Pending:
    """Return the discard phase's decision: down to six cards, in one action."""
    hand = state.hands[state.turn]
    count = len(hand) - HAND_LIMIT
    items = tuple(names(state, state.turn))
    return ask(state.turn, "discard", Subset("discard", items, count, count), (("count", count),))


def names(state: State, seat: int) -> list[str]:
    """Return what a seat calls its hand cards: by key, blind by place."""
    hand = state.hands[seat]
    return [str(index) for index in range(len(hand))] if seat in state.blind else [card.value for card in hand]


def each(verb: str, cards: Iterable[str]) -> list[str]:
    """Return one action for every different card."""
    return [f"{verb} {card}" for card in dict.fromkeys(cards)]


def one_of(texts: Iterable[str]) -> OneOf:
    """Return a choice of these actions."""
    return OneOf(tuple(map(Action, texts)))


# Half-resolved effects.


def of_frame(state: State, frame: Frame) -> tuple[Pending, ...]:
    """Return the decisions of the effect on top of the stack."""
    match frame:
        case Window():
            return tuple(in_window(state, frame, seat) for seat in sorted(frame.waiting))
        case Alms():
            return tuple(of_beggar(state, frame, seat) for seat in sorted(frame.waiting))
        case Swap():
            return in_swap(state, frame)
        case Aim(actor, card):
            return (ask(actor, "aim", one_of(ways(state, actor, card)), (("card", card.value),)),)
        case Peek(actor, origin):
            told: tuple[tuple[str, Json], ...] = (("card", state.pile[origin].value), ("position", origin))
            return (ask(actor, "place", Number("put", 0, len(state.pile) - 1), told),)
        case Return(seat):
            return (ask(seat, "return", Number("put", 0, len(state.pile)), (("size", len(state.pile)),)),)
        case Rescue(seat):
            return (ask(seat, "rescue", Number("pick", 0, len(state.hands[seat]) - 1)),)
        case Gift(actor, target):
            return (ask(target, "give", one_of(each("give", names(state, target))), (("to", actor),)),)
        case Seizure(actor):
            rich = [seat for seat in state.living() if seat != actor and state.hands[seat]]
            return (ask(actor, "take", one_of(f"take {seat}" for seat in rich)),)
        case Bout(actor, target, mover, opening):
            stop = ["stop"] if mover == actor and not opening else []
            cards = each("discard", names(state, mover))
            return (ask(mover, "duel", one_of(stop + cards), (("seat", actor), ("target", target))),)
        case _:
            assert_never(frame)


def in_window(state: State, window: Window, seat: int) -> Pending:
    """Return a seat's chance to veto: it may pass, veto if it has a Judge, and turn up a card when it is blind."""
    if seat in state.blind:
        answers = [f"pick {index}" for index in range(len(state.hands[seat]))]
    else:
        answers = ["judge"] if Card.JUDGE in map(state.switches.acts_as, state.hands[seat]) else []
    return Pending(Seat(seat), "veto", one_of([*answers, "pass"]), window=VETO, params=stakes(state, window))


def stakes(state: State, window: Window) -> tuple[tuple[str, Json], ...]:
    """Return the parameters of a window: card, actor, target, and the counters before and after it."""
    draws, bottom = state.draws, state.bottom
    if window.card is Card.GREED:
        draws += 3
    elif window.card is Card.BOTTOM and window.target is None:
        bottom = 1 if state.switches.bottom_rule == "whole_phase" else bottom + 1
    return (
        ("card", window.card.value),
        ("seat", window.actor),
        ("target", window.target),
        ("position", window.origin),
        ("judges", window.judges),
        ("by", window.by),
        ("draws", state.draws),
        ("bottom", state.bottom),
        ("draws_after", draws + ATTACKS.get(window.card, 0)),
        ("bottom_after", bottom),
    )


def of_beggar(state: State, alms: Alms, seat: int) -> Pending:
    """Return the secret answer a seat owes a beggar."""
    choice = one_of(["refuse", *each("give", names(state, seat))])
    return Pending(Seat(seat), "beg", choice, secret=True, params=(("to", alms.actor),))


def in_swap(state: State, swap: Swap) -> tuple[Pending, ...]:
    """Return the secret choices of a Trade that are still owed."""
    sides = sorted(zip((swap.actor, swap.target), (swap.target, swap.actor), swap.picked, strict=True))
    return tuple(
        Pending(Seat(seat), "trade", Subset("trade", tuple(names(state, seat)), 2, 2), True, params=(("to", other),))
        for seat, other, picked in sides
        if picked is None
    )
