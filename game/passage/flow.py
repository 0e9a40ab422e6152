"""Automatic progress: turns and phases, drawing, Passages, elimination, rebirth (Passage §1.3, §1.4)."""

from __future__ import annotations

from game.passage.cards import HAND_LIMIT, REBORN_HAND, Card, listed
from game.passage.state import Rescue, Return
from game.passage.table import Table


def settle(t: Table) -> None:
    """Continue until somebody owes a decision or the match is over."""
    seats = len(t.hands)
    while seats - len(t.eliminated) > 1:
        if t.stack:
            return
        if t.turn in t.eliminated:
            next_turn(t)
        elif t.phase == "draw":
            draw_step(t)
        elif t.phase == "discard" and not excess(t):
            next_turn(t)
        else:
            return
    finish(t)


def finish(t: Table) -> None:
    """End the match: nothing is half resolved any more (Passage §1.10)."""
    t.stack.clear()
    for seat in t.living():
        t.tell("won", {"seat": seat})


def excess(t: Table) -> int:
    """Return how many cards the seat on turn has to discard (Passage §1.3)."""
    return 0 if t.switches.no_hand_limit else max(0, len(t.hands[t.turn]) - HAND_LIMIT)


# Turns.


def next_turn(t: Table) -> None:
    """Begin the next turn: that of a transfer's receiver, else of the next living player with N 1, M 0 (A1, A8)."""
    if t.receiver is not None:
        begin_turn(t, t.receiver, t.draws, t.bottom)
    else:
        left = t.bottom if t.switches.bottom_rule == "printed" else 0
        begin_turn(t, t.after(t.turn, t.direction), 1, left)


def begin_turn(t: Table, seat: int, draws: int, bottom: int) -> None:
    """Begin a seat's play phase with what it owes."""
    t.turn, t.phase, t.draws, t.bottom, t.receiver = seat, "play", draws, bottom, None
    if t.auto[seat] == "until-my-turn":
        t.auto[seat] = "off"
    t.tell("turn", {"seat": seat, "draws": draws, "bottom": bottom})


def transfer(t: Table, receiver: int, more: int = 0) -> None:
    """Hand N and M on: play and draw phase end here, the discard phase comes first (A7)."""
    t.draws += more
    t.receiver = receiver
    t.phase = "discard"
    t.tell("transferred", {"seat": t.turn, "to": receiver, "draws": t.draws, "bottom": t.bottom})


def end_play(t: Table) -> None:
    """Go from the play to the draw phase; the bottom draws that others made this seat owe count from now on."""
    bottom = t.bottom + t.owed[t.turn]
    t.owed[t.turn] = 0
    t.phase = "draw"
    match t.switches.bottom_rule:
        case "whole_phase":
            t.bottom = min(bottom, 1)
        case "printed":
            t.bottom = bottom  # what is not drawn goes to the next player's turn
        case _:
            t.bottom = min(bottom, t.draws)
    t.tell("drawing", {"seat": t.turn, "draws": t.draws, "bottom": t.draws if is_whole(t) else min(t.bottom, t.draws)})


def is_whole(t: Table) -> bool:
    """Tell whether the whole draw phase comes from the bottom (Passage §1.11)."""
    return t.switches.bottom_rule == "whole_phase" and t.bottom > 0


# Drawing.


def draw_step(t: Table) -> None:
    """Draw the next card owed, from the bottom first; after the last one the discard phase begins."""
    if t.draws <= 0 or not t.pile:
        return end_draws(t)
    from_bottom = t.bottom > 0
    t.draws -= 1
    if from_bottom and t.switches.bottom_rule != "whole_phase":
        t.bottom -= 1
    draw(t, t.turn, from_bottom)


def end_draws(t: Table) -> None:
    """End the draw phase: counters are reset, sealed cards and a hand under Nightmare are picked up (A17).

    By the printed rule the bottom draws that were not used stay counted for the next turn (§1.11).
    """
    seat = t.turn
    t.draws = 0
    if t.switches.bottom_rule != "printed":
        t.bottom = 0
    t.phase = "discard"
    if t.sealed[seat]:
        t.tell("unsealed", {"seat": seat, "count": len(t.sealed[seat])})
        t.hands[seat] += t.sealed[seat]
        t.sealed[seat] = []
    if seat in t.blind:
        t.blind.remove(seat)
        t.tell("woke", {"seat": seat})


def draw(t: Table, seat: int, from_bottom: bool = False) -> bool:
    """Draw one card for a seat, if there is one; tell whether it was a Passage."""
    if not t.pile:
        t.tell("drew-nothing", {"seat": seat})
        return False
    card, knew = t.take(len(t.pile) - 1 if from_bottom else 0)
    told = {"seat": seat, "end": "bottom" if from_bottom else "top"}
    if card is Card.PASSAGE:
        t.tell("drew-passage", told)
        meet(t, seat)
    elif card is Card.BLANK and t.switches.blank_is_rebirth:
        t.tell("drew-blank", told)
        t.removed.append(card)
        rebirth(t)
    else:
        t.tell("drew", told, {} if seat in t.blind else {seat: {"card": card.value}})
        t.gain(seat, card, knew)
    return card is Card.PASSAGE


def meet(t: Table, seat: int) -> None:
    """Resolve a drawn Passage: a Warden in hand saves, a blind seat picks a card, any other goes out (Passage §1.4)."""
    if seat in t.blind and t.hands[seat]:
        t.stack.append(Rescue(seat))
    elif Card.WARDEN in t.hands[seat]:
        t.spend(seat, Card.WARDEN)
        save(t, seat)
    else:
        go_out(t, seat)


def save(t: Table, seat: int) -> None:
    """Let a seat that used a Warden put the Passage back; with `passage_returns` it is shuffled in instead."""
    t.tell("saved", {"seat": seat})
    if t.switches.passage_returns:
        return mix_in(t)
    t.stack.append(Return(seat))


def mix_in(t: Table) -> None:
    """Put a Passage into the pile and shuffle."""
    t.put(0, Card.PASSAGE, ())
    t.shuffle()
    t.tell("mixed-in", {"size": len(t.pile)})


# Going out and coming back.


def go_out(t: Table, seat: int) -> None:
    """Put a seat out with the Passage it has drawn (Passage §1.4)."""
    if not t.switches.passage_returns:
        t.discard.append(Card.PASSAGE)
    drop_out(t, seat)
    if t.switches.passage_returns and len(t.living()) > 1:
        mix_in(t)
    elif t.switches.passage_returns:
        t.put(0, Card.PASSAGE, ())


def drop_out(t: Table, seat: int) -> None:
    """Put a seat out: its hand and sealed cards are discarded, and what it owed is dropped."""
    cards = t.empty(seat)
    t.eliminated.append(seat)
    if seat in t.blind:
        t.blind.remove(seat)
    t.owed[seat] = 0
    t.auto[seat] = "off"
    if seat == t.turn and t.receiver is None:
        t.draws = t.bottom = 0
    t.tell("out", {"seat": seat, "cards": listed(cards)})


def rebirth(t: Table) -> None:
    """Bring a random eliminated player back with three random discards (Passage §2).

    Without `passage_returns` a Passage comes back from the discards too, so that there is still one fewer than players.
    """
    candidates = [seat for seat in t.eliminated if seat not in t.forfeited]
    if not candidates:
        return t.tell("nobody-returns", {})
    seat, t.rng = t.rng.choose(candidates)
    t.eliminated.remove(seat)
    places = [i for i, card in enumerate(t.discard) if card not in (Card.PASSAGE, Card.BLANK)]
    picked, t.rng = t.rng.sample(places, REBORN_HAND)
    cards = [t.discard[i] for i in picked]
    t.discard = [card for i, card in enumerate(t.discard) if i not in picked]
    for card in cards:
        t.gain(seat, card, t.everybody())
    t.tell("returned", {"seat": seat, "cards": [card.value for card in cards]})
    if not t.switches.passage_returns and Card.PASSAGE in t.discard:
        t.discard.remove(Card.PASSAGE)
        mix_in(t)
