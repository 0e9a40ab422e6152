"""The effects of cards that were not vetoed (Passage §1.1, §1.6 to §1.9)."""

from __future__ import annotations

from game.contract import Json
from game.passage.cards import ATTACKS, Card, listed
from game.passage.flow import draw, transfer
from game.passage.state import Alms, Bout, Gift, Seizure, Swap, Window
from game.passage.table import Table


def resolve(t: Table, said: Window) -> None:
    """Carry out an announced card."""
    match said.card:
        case Card.KOTODAMA:
            kotodama(t, said)
        case Card.BOTTOM:
            bottom(t, said.actor, said.target)
        case Card.REVERSAL:
            reversal(t, said.actor)
        case _ if said.target is not None:
            aimed(t, said.card, said.actor, said.target)
        case _:
            unaimed(t, said.card, said.actor)


def aimed(t: Table, card: Card, actor: int, target: int) -> None:
    """Carry out a card on one other player."""
    match card:
        case Card.ATTACK | Card.ATTACK1 | Card.ATTACK2:
            transfer(t, target, ATTACKS[card])
        case Card.SEAL:
            seal(t, target)
        case Card.NIGHTMARE:
            nightmare(t, target)
        case Card.DUEL:
            t.stack.append(Bout(actor, target, actor))
            bout_goes_on(t)
        case Card.TITHE if t.hands[target]:
            t.stack.append(Gift(actor, target))
        case Card.TRADE if min(len(t.hands[actor]), len(t.hands[target])) >= 2:
            t.stack.append(Swap(actor, target))
        case _:
            t.tell("no-effect", {"card": card.value, "seat": actor})


def unaimed(t: Table, card: Card, actor: int) -> None:
    """Carry out a card on the counters, the pile or everybody."""
    match card:
        case Card.GREED:
            count(t, t.draws + 3, t.bottom)
        case Card.SLIP:
            count(t, max(0, t.draws - 1), t.bottom)  # the floor holds at each play (A10)
        case Card.FORESIGHT:
            look(t, actor, 0)
        case Card.RECONNECT:
            reconnect(t)
        case Card.BEG:
            beg(t, actor)
        case _:
            t.tell("no-effect", {"card": card.value, "seat": actor})


def count(t: Table, draws: int, bottom: int) -> None:
    """Set the counters of this turn."""
    t.draws, t.bottom = draws, bottom
    t.tell("counts", {"seat": t.turn, "draws": draws, "bottom": bottom})


def bottom(t: Table, actor: int, target: int | None) -> None:
    """Make one coming draw a bottom draw; under `whole_phase` all of them, so a second card adds nothing."""
    adds_up = t.switches.bottom_rule != "whole_phase"
    if target is None:
        return count(t, t.draws, t.bottom + 1 if adds_up else 1)
    t.owed[target] = t.owed[target] + 1 if adds_up else 1
    t.tell("owes-bottom", {"seat": actor, "target": target, "bottom": t.owed[target]})


def reversal(t: Table, actor: int) -> None:
    """Reverse the direction for the rest of the match, and hand the turn to the next player in it."""
    t.direction = -t.direction
    t.tell("reversed", {"direction": t.direction})
    transfer(t, t.after(actor, t.direction))


def look(t: Table, seat: int, index: int) -> None:
    """Let a seat see the card at a position of the pile; which position is public."""
    if index >= len(t.pile):
        return t.tell("no-effect", {"card": Card.FORESIGHT.value, "seat": seat})
    card = t.pile[index]
    t.known[seat][index] = card
    t.tell("looked", {"seat": seat, "position": index}, {seat: {"card": card.value}})


def kotodama(t: Table, said: Window) -> None:
    """Move the card that was looked at; where it goes is secret (A26)."""
    assert said.origin is not None
    assert said.place is not None
    card = t.pile[said.origin]
    seers = [viewer for viewer in t.everybody() if viewer == said.actor]
    t.take(said.origin)
    t.put(said.place, card, seers)
    t.tell("moved", {"seat": said.actor, "position": said.origin}, {said.actor: {"to": said.place}})


def reconnect(t: Table) -> None:
    """Shuffle the pile, with `reconnect_mixes_discards` together with the discards."""
    if t.switches.reconnect_mixes_discards:
        last = max(at for at, card in enumerate(t.discard) if t.switches.acts_as(card) is Card.RECONNECT)
        t.removed.append(t.discard.pop(last))
        t.pile += t.discard
        t.discard = []
    t.shuffle()
    t.tell("shuffled", {"size": len(t.pile)})


def seal(t: Table, target: int) -> None:
    """Put up to two random cards of a hand face down on the table."""
    places, t.rng = t.rng.sample(range(len(t.hands[target])), 2)
    cards = [t.hands[target][place] for place in places]
    t.hands[target] = [card for place, card in enumerate(t.hands[target]) if place not in places]
    t.sealed[target] += cards
    own: list[Json] = [card.value for card in cards]
    private = {} if target in t.blind else {target: {"cards": own}}
    t.tell("sealed", {"seat": target, "count": len(cards)}, private)


def nightmare(t: Table, target: int) -> None:
    """Shuffle a hand and turn it face down; with no card in it there is nothing to turn."""
    if not t.hands[target]:
        return t.tell("no-effect", {"card": Card.NIGHTMARE.value, "seat": t.turn})
    shuffled, t.rng = t.rng.shuffle(t.hands[target])
    t.hands[target] = list(shuffled)
    if target not in t.blind:
        t.blind.append(target)
    t.tell("blinded", {"seat": target})


# Beg.


def beg(t: Table, actor: int) -> None:
    """Ask all other living players at once; one without cards counts as refusing (Passage §1.8)."""
    asked = tuple(seat for seat in t.living() if seat != actor and t.hands[seat])
    t.stack.append(Alms(actor, asked))
    if not asked:
        count_alms(t)


def count_alms(t: Table) -> None:
    """Hand over the gifts when all answers are in; if there is none, the beggar may take a card."""
    alms = t.stack.pop()
    assert isinstance(alms, Alms)
    gave = [seat for seat, index in alms.answers if index >= 0]
    t.tell("alms", {"seat": alms.actor, "gave": list(gave), "refused": [s for s, i in alms.answers if i < 0]})
    for seat, index in alms.answers:
        if index >= 0:
            hand_over(t, seat, alms.actor, (index,))
    if gave:
        return
    if any(t.hands[seat] for seat in t.living() if seat != alms.actor):
        t.stack.append(Seizure(alms.actor))
    else:
        t.tell("no-effect", {"card": Card.BEG.value, "seat": alms.actor})


def hand_over(t: Table, giver: int, taker: int, indices: tuple[int, ...]) -> None:
    """Move cards from hand to hand; only the two of them see which."""
    cards = listed(t.pass_over(giver, taker, indices))
    private = {seat: {"cards": cards} for seat in (giver, taker) if seat not in t.blind}
    t.tell("gave", {"seat": giver, "to": taker, "count": len(cards)}, private)


# Duel.


def bout_goes_on(t: Table) -> None:
    """End the duel when its next discarder has nothing to discard (A23)."""
    bout = t.stack[-1]
    assert isinstance(bout, Bout)
    if not t.hands[bout.mover]:
        end_bout(t)


def end_bout(t: Table) -> None:
    """End the duel; the actor's play phase goes on."""
    bout = t.stack.pop()
    assert isinstance(bout, Bout)
    t.tell("duel-over", {"seat": bout.actor, "target": bout.target})


def exchange(t: Table, index: int) -> None:
    """Discard one card and draw one from the top; a Passage ends the duel at once (Passage §1.7)."""
    bout = t.stack[-1]
    assert isinstance(bout, Bout)
    (card,) = t.spend_at(bout.mover, index)
    t.tell("discarded", {"seat": bout.mover, "cards": [card.value]})
    other = bout.target if bout.mover == bout.actor else bout.actor
    t.stack[-1] = Bout(bout.actor, bout.target, other, opening=False)
    height = len(t.stack)
    is_passage = draw(t, bout.mover)
    if is_passage:
        t.tell("duel-over", {"seat": bout.actor, "target": bout.target})
        del t.stack[height - 1]  # under what the Passage has put on the stack
    else:
        bout_goes_on(t)
