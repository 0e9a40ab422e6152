"""The execution of legal actions: those of the play and discard phases, and answers to half-resolved effects."""

from __future__ import annotations

from dataclasses import replace

from game.passage.cards import AIMED, UNPLAYABLE, Card, listed
from game.passage.effects import count_alms, end_bout, exchange, hand_over, look
from game.passage.flow import end_play, go_out, save
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
    Swap,
    Window,
)
from game.passage.table import Table
from game.passage.windows import announce, judge, let_pass


def answer(t: Table, seat: int, words: list[str]) -> None:
    """Carry out a seat's legal action, given as its words."""
    verb, *args = words
    if t.stack:
        return answer_frame(t, t.stack[-1], seat, verb, args)
    match verb:
        case "play":
            card = Card(args[0])
            t.spend(seat, card)
            play(t, seat, meant(t, seat, card), int(args[1]) if len(args) > 1 else None)
        case "pick":
            reveal(t, seat, int(args[0]))
        case "end":
            end_play(t)
        case "discard":
            discard(t, seat, args)


def meant(t: Table, seat: int, card: Card) -> Card:
    """Return what a card counts as; tell an event for a Blank."""
    found = t.switches.acts_as(card)
    if found is not card:
        t.tell("blank-acts", {"seat": seat, "card": found.value})
    return found


def play(t: Table, seat: int, card: Card, number: int | None) -> None:
    """Announce a card that lies on the discard pile already; `number` is its target or position."""
    is_position = card is Card.KOTODAMA
    target = None if is_position else number
    told = {"seat": seat, "card": card.value, "target": target, "position": number if is_position else None}
    t.tell("played", {**told, "draws": t.draws, "bottom": t.bottom})
    if is_position and number is not None:
        look(t, seat, number)
        t.stack.append(Peek(seat, number))
        return
    if card is Card.REVERSAL:
        target = t.after(seat, -t.direction)
    announce(t, Window(card, seat, (), target))


def reveal(t: Table, seat: int, index: int) -> None:
    """Play a face-down card: it resolves if it can be played, else it is discarded (A33)."""
    (card,) = t.spend_at(seat, index)
    t.tell("revealed", {"seat": seat, "card": card.value})
    card = meant(t, seat, card)
    if card in UNPLAYABLE or (card is Card.KOTODAMA and not t.pile):
        t.tell("no-effect", {"card": card.value, "seat": seat})
    elif card in AIMED or card is Card.KOTODAMA or (card is Card.BOTTOM and t.switches.bottom_targets_others):
        t.stack.append(Aim(seat, card))
    else:
        play(t, seat, card, None)


def places(t: Table, seat: int, words: list[str]) -> tuple[int, ...]:
    """Return the hand places that these words name: cards by key, face-down cards by number."""
    if seat in t.blind:
        return tuple(map(int, words))
    free = list(range(len(t.hands[seat])))
    found = []
    for word in words:
        place = next(at for at in free if t.hands[seat][at] == word)
        free.remove(place)
        found.append(place)
    return tuple(found)


def discard(t: Table, seat: int, words: list[str]) -> None:
    """Discard cards for all to see."""
    cards = t.spend_at(seat, *places(t, seat, words))
    t.tell("discarded", {"seat": seat, "cards": listed(cards)})


# Half-resolved effects.


def answer_frame(t: Table, frame: Frame, seat: int, verb: str, args: list[str]) -> None:
    """Carry out an answer to the effect on top of the stack."""
    match frame:
        case Window():
            in_window(t, seat, verb, args)
        case Aim(actor, card):
            t.stack.pop()
            play(t, actor, card, int(args[1]) if len(args) > 1 else None)
        case Peek():
            place(t, frame, int(args[0]))
        case Return():
            put_back(t, frame, int(args[0]))
        case Rescue():
            rescue(t, seat, int(args[0]))
        case Gift(actor, _):
            t.stack.pop()
            hand_over(t, seat, actor, places(t, seat, args))
        case Swap():
            choose(t, frame, seat, places(t, seat, args))
        case Alms():
            reply(t, frame, seat, places(t, seat, args)[0] if verb == "give" else REFUSED)
        case Seizure():
            seize(t, seat, int(args[0]))
        case Bout() if verb == "stop":
            end_bout(t)
        case Bout():
            exchange(t, places(t, seat, args)[0])


def in_window(t: Table, seat: int, verb: str, args: list[str]) -> None:
    """Pass or veto; a blind seat may turn up a card, which vetoes only if it is a Judge."""
    if verb == "pass":
        return let_pass(t, seat)
    if verb == "judge":
        held = Card.JUDGE if Card.JUDGE in t.hands[seat] else Card.BLANK
        t.spend(seat, held)
        meant(t, seat, held)
        return judge(t, seat)
    (card,) = t.spend_at(seat, int(args[0]))
    t.tell("revealed", {"seat": seat, "card": card.value})
    if meant(t, seat, card) is Card.JUDGE:
        judge(t, seat)
    else:
        let_pass(t, seat)


def place(t: Table, peek: Peek, index: int) -> None:
    """Announce where Kotodama moves the card it looked at; there is nothing to veto where it stays (A27)."""
    t.stack.pop()
    if index == peek.origin:
        t.tell("unmoved", {"seat": peek.actor, "position": peek.origin})
    else:
        announce(t, Window(Card.KOTODAMA, peek.actor, (), None, peek.origin, index))


def put_back(t: Table, frame: Return, index: int) -> None:
    """Put a Passage back into the pile; only that player sees where, with `open_reinsertion` all do."""
    t.stack.pop()
    is_open = t.switches.open_reinsertion
    t.put(index, Card.PASSAGE, t.everybody() if is_open else (frame.seat,))
    public = {"seat": frame.seat, "position": index if is_open else None}
    t.tell("put-back", public, {frame.seat: {"position": index}})


def rescue(t: Table, seat: int, index: int) -> None:
    """Turn up one face-down card against a Passage: a Warden saves the seat, with another card it goes out (A33)."""
    t.stack.pop()
    (card,) = t.spend_at(seat, index)
    t.tell("revealed", {"seat": seat, "card": card.value})
    if card is Card.WARDEN:
        save(t, seat)
    else:
        go_out(t, seat)


def choose(t: Table, swap: Swap, seat: int, at: tuple[int, ...]) -> None:
    """Store a choice of two cards; when both players have chosen, swap them (A21)."""
    mine, theirs = swap.picked
    picked = (at, theirs) if seat == swap.actor else (mine, at)
    t.stack[-1] = replace(swap, picked=picked)
    t.tell("decided", {"seat": seat})
    if picked[0] is not None and picked[1] is not None:
        t.stack.pop()
        trade(t, swap, picked[0], picked[1])


def trade(t: Table, swap: Swap, mine: tuple[int, ...], theirs: tuple[int, ...]) -> None:
    """Swap the chosen cards. Those received go to the end of a hand, so the places of both choices stay valid."""
    hand_over(t, swap.actor, swap.target, mine)
    hand_over(t, swap.target, swap.actor, theirs)


def reply(t: Table, alms: Alms, seat: int, at: int) -> None:
    """Store a secret answer to a beggar, a hand place or REFUSED; the last one reveals all."""
    waiting = tuple(other for other in alms.waiting if other != seat)
    t.stack[-1] = Alms(alms.actor, waiting, tuple(sorted((*alms.answers, (seat, at)))))
    t.tell("decided", {"seat": seat})
    if not waiting:
        count_alms(t)


def seize(t: Table, seat: int, target: int) -> None:
    """Take a random card from a hand."""
    t.stack.pop()
    at, t.rng = t.rng.below(len(t.hands[target]))
    hand_over(t, target, seat, (at,))
