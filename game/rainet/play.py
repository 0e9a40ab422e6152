"""Preconditions and effects of each action, and the check for the end (RaiNet §1.4-§1.9)."""

from __future__ import annotations

from dataclasses import replace

from game.contract import Event, Json, Result, Seat, Step
from game.errors import IllegalAction
from game.rainet.board import (
    ALL_EXITS,
    BOOSTED,
    CARD,
    EXITS,
    FACE_UP,
    IN_VIRUS_AREA,
    NAMES,
    NEIGHBOURS,
    OF_NORTH,
    PUBLIC_MASK,
    VIRUS,
    owner,
)
from game.rainet.legal import has_action
from game.rainet.notation import (
    AttachBoost,
    Decision,
    DetachBoost,
    Enter,
    Move,
    NotFound,
    PlaceFirewall,
    TakeFirewall,
    VirusCheck,
    public_text,
)
from game.rainet.position import decided, letter
from game.rainet.state import BOOST, CHECK, FIREWALL, NOT_FOUND, NOWHERE, Options, State

DRAW_AFTER_PLIES = 200
DRAW_AFTER_TIMES = 3


class ActionInProgress:
    """One action in progress: the mutable parts of the state. Checks come first, so a refusal changes nothing."""

    __slots__ = ("board", "events", "firewalls", "hands", "note", "quiet", "seat", "stack", "state", "text")

    def __init__(self, state: State, text: str) -> None:
        self.state = state
        self.text = text
        self.seat = state.turn
        self.board = bytearray(state.board)
        self.hands = list(state.hands)
        self.firewalls = list(state.firewalls)
        self.stack = state.stacks[state.turn]
        self.quiet = True  # the clock goes on: no capture, entry, Virus Check or 404
        self.note = ""  # what the action showed to all, for the log
        self.events: list[Event] = []

    def tell(self, kind: str, **params: Json) -> None:
        """Add an event that everybody sees in the same form."""
        self.events.append(Event(kind, {"seat": self.seat, **params}))


def begin_play(options: Options, board: bytes, first: int) -> State:
    """Return the match at its first turn, both setups turned into a board (RaiNet §1.3)."""
    return started(State(options, None, board=board, turn=first))


def started(state: State) -> State:
    """Return a state whose play begins here: nothing in the log, the position there for its first time."""
    key = public_key(state.board, state.turn, state.hands, state.firewalls, state.stacks)
    return replace(state, first=state.turn, origin=state.board.translate(PUBLIC_MASK), log=(), seen=(key,))


def public_key(
    board: bytes | bytearray,
    turn: int,
    hands: tuple[int, int],
    firewalls: tuple[int, int],
    stacks: tuple[bytes, bytes],
) -> bytes:
    """Return the key for repetition: the position as the public sees it (RaiNet, decided questions)."""
    south, north = stacks
    tail = bytes((turn, hands[0], hands[1], firewalls[0] + 1, firewalls[1] + 1, len(south)))
    return bytes(board.translate(PUBLIC_MASK)) + tail + south.translate(PUBLIC_MASK) + north.translate(PUBLIC_MASK)


def play(state: State, text: str, decision: Decision) -> Step[State]:
    """Play the side to move's action. Raises IllegalAction, by keys that tell public facts only."""
    turn = ActionInProgress(state, text)
    match decision:
        case Move(path):
            _move(turn, path)
        case Enter(path, filing):
            _enter(turn, path, filing)
        case AttachBoost(square):
            _attach(turn, square)
        case DetachBoost(square):
            _detach(turn, square)
        case VirusCheck(square):
            _check(turn, square)
        case PlaceFirewall(square):
            _place_firewall(turn, square)
        case TakeFirewall(square):
            _take_firewall(turn, square)
        case NotFound(first, second, swaps):
            _not_found(turn, first, second, swaps)
        case _:
            raise IllegalAction("rainet.error.in-play", text)
    return Step(_end_turn(turn), tuple(turn.events))


def _own_card(turn: ActionInProgress, square: int) -> int:
    card = turn.board[square]
    if not card or owner(card) != turn.seat:
        raise IllegalAction("rainet.error.no-card", turn.text)
    return card


def _check_step(turn: ActionInProgress, start: int, target: int) -> None:
    """Refuse a step that RaiNet §1.5 forbids; an enemy card on the target is no hindrance."""
    if target not in NEIGHBOURS[start]:
        raise IllegalAction("rainet.error.too-far", turn.text)
    if target in EXITS[turn.seat] and not turn.state.options.own_exit:
        raise IllegalAction("rainet.error.own-exit", turn.text)
    if turn.firewalls[1 - turn.seat] == target:
        raise IllegalAction("rainet.error.enemy-firewall", turn.text)
    card = turn.board[target]
    if card and owner(card) == turn.seat:
        raise IllegalAction("rainet.error.own-card", turn.text)


def _check_first_of_two(turn: ActionInProgress, card: int, start: int, between: int) -> None:
    """Refuse a first step after which there is no second (RaiNet §1.9, Line Boost)."""
    if not card & BOOSTED:
        raise IllegalAction("rainet.error.not-boosted", turn.text)
    _check_step(turn, start, between)
    if turn.board[between]:
        raise IllegalAction("rainet.error.blocked", turn.text)


def _move(turn: ActionInProgress, path: tuple[int, ...]) -> None:
    card = _own_card(turn, path[0])
    start, target = path[0], path[-1]
    if len(path) == 3:
        _check_first_of_two(turn, card, start, path[1])
        if target == start:
            raise IllegalAction("rainet.error.back-again", turn.text)
    _check_step(turn, path[-2], target)
    turn.tell("move", action=turn.text, **{"from": NAMES[start], "to": NAMES[target]})
    if turn.board[target]:
        _capture(turn, target)
    turn.board[start] = 0
    turn.board[target] = card


def _capture(turn: ActionInProgress, square: int) -> None:
    """Move the card there to the captor's stack, face up (RaiNet §1.6)."""
    card = turn.board[square]
    turn.stack += bytes((card & ~BOOSTED | FACE_UP,))
    turn.quiet = False
    turn.note = ":" + letter(card)
    turn.tell("capture", square=NAMES[square], card=letter(card))
    _return_boost(turn, card)


def _return_boost(turn: ActionInProgress, card: int) -> None:
    if card & BOOSTED:
        turn.hands[owner(card)] |= BOOST
        turn.events.append(Event("boost-returns", {"seat": owner(card)}))


def _enter(turn: ActionInProgress, path: tuple[int, ...], filing: str) -> None:
    """Take a card into the opponent's server and file it (RaiNet §1.7)."""
    card = _own_card(turn, path[0])
    if path[-1] not in EXITS[1 - turn.seat]:
        raise IllegalAction("rainet.error.not-on-exit", turn.text)
    if len(path) == 2:
        if not turn.state.options.boost_into_server:
            raise IllegalAction("rainet.error.exit-then-server", turn.text)
        _check_first_of_two(turn, card, path[0], path[1])
    if card & FACE_UP and filing:
        raise IllegalAction("rainet.error.face-up-already", turn.text)
    if not card & FACE_UP and not filing:
        raise IllegalAction("rainet.error.reveal-or-hide", turn.text)
    turn.quiet = False
    turn.board[path[0]] = 0
    _file(turn, card & ~BOOSTED, NAMES[path[0]], filing)
    _return_boost(turn, card)


def _file(turn: ActionInProgress, card: int, start: str, filing: str) -> None:
    """Put an entering card on the mover's own stack and tell each viewer what they may know of it."""
    said: dict[str, Json] = {"seat": turn.seat, "action": turn.text, "from": start}
    if filing in ("", "+"):
        turn.stack += bytes((card | FACE_UP,))
        turn.note = ":" + letter(card)
        turn.events.append(Event("enter-shown" if filing else "enter", {**said, "card": letter(card)}))
        return
    turn.stack += bytes((card | IN_VIRUS_AREA if filing == "v" else card,))
    said["area"] = "virus" if filing == "v" else "link"
    knows = {Seat(turn.seat): {**said, "card": letter(card)}}
    turn.events.append(Event("enter-hidden", said, knows))


def _attach(turn: ActionInProgress, square: int) -> None:
    card = _own_card(turn, square)
    if not turn.hands[turn.seat] & BOOST:
        raise IllegalAction("rainet.error.not-in-hand", turn.text)
    turn.hands[turn.seat] &= ~BOOST
    turn.board[square] = card | BOOSTED
    turn.tell("boost", action=turn.text, square=NAMES[square])


def _detach(turn: ActionInProgress, square: int) -> None:
    card = _own_card(turn, square)
    if not card & BOOSTED:
        raise IllegalAction("rainet.error.not-boosted", turn.text)
    turn.hands[turn.seat] |= BOOST
    turn.board[square] = card & ~BOOSTED
    turn.tell("unboost", action=turn.text, square=NAMES[square])


def _check(turn: ActionInProgress, square: int) -> None:
    card = turn.board[square]
    if not turn.hands[turn.seat] & CHECK:
        raise IllegalAction("rainet.error.used", turn.text)
    if not card or owner(card) == turn.seat or card & FACE_UP:
        raise IllegalAction("rainet.error.no-target", turn.text)
    turn.hands[turn.seat] &= ~CHECK
    turn.board[square] = card | FACE_UP
    turn.quiet = False
    turn.note = ":" + letter(card)
    turn.tell("check", action=turn.text, square=NAMES[square], card=letter(card))


def _place_firewall(turn: ActionInProgress, square: int) -> None:
    if not turn.hands[turn.seat] & FIREWALL:
        raise IllegalAction("rainet.error.not-in-hand", turn.text)
    if square in ALL_EXITS:
        raise IllegalAction("rainet.error.firewall-exit", turn.text)
    if not turn.state.options.firewall_anywhere:
        _check_free(turn, square)
    turn.hands[turn.seat] &= ~FIREWALL
    turn.firewalls[turn.seat] = square
    turn.tell("firewall", action=turn.text, square=NAMES[square])


def _check_free(turn: ActionInProgress, square: int) -> None:
    """Refuse a Firewall where something of the opponent's is (RaiNet §1.9)."""
    if turn.board[square] and owner(turn.board[square]) != turn.seat:
        raise IllegalAction("rainet.error.firewall-card", turn.text)
    if turn.firewalls[1 - turn.seat] == square:
        raise IllegalAction("rainet.error.firewall-taken", turn.text)


def _take_firewall(turn: ActionInProgress, square: int) -> None:
    if turn.firewalls[turn.seat] != square:
        raise IllegalAction("rainet.error.no-firewall", turn.text)
    turn.hands[turn.seat] |= FIREWALL
    turn.firewalls[turn.seat] = NOWHERE
    turn.tell("unfirewall", action=turn.text, square=NAMES[square])


def _not_found(turn: ActionInProgress, first: int, second: int, swaps: bool) -> None:
    """Hide two own cards and perhaps swap them; a Line Boost stays on its square (RaiNet §1.9, 404)."""
    if first == second:
        raise IllegalAction("rainet.error.404-same", turn.text)
    if NAMES[first] > NAMES[second]:
        raise IllegalAction("rainet.error.404-order", turn.text)
    one, other = _own_card(turn, first), _own_card(turn, second)
    if not turn.hands[turn.seat] & NOT_FOUND:
        raise IllegalAction("rainet.error.used", turn.text)
    turn.hands[turn.seat] &= ~NOT_FOUND
    turn.quiet = False
    card_bits = CARD | OF_NORTH | VIRUS
    here, there = (other, one) if swaps else (one, other)
    turn.board[first] = here & card_bits | one & BOOSTED
    turn.board[second] = there & card_bits | other & BOOSTED
    squares: dict[str, Json] = {"first": NAMES[first], "second": NAMES[second]}
    said: dict[str, Json] = {"seat": turn.seat, "action": public_text(turn.text), **squares}
    turn.events.append(Event("404", said, {Seat(turn.seat): {**said, "action": turn.text}}))
    turn.events.append(Event("404-swapped" if swaps else "404-kept", None, {Seat(turn.seat): squares}))


def _end_turn(turn: ActionInProgress) -> State:
    """Freeze the turn and hand over, unless it ended the match (RaiNet §1.8)."""
    before, seat = turn.state, turn.seat
    hands, firewalls = (turn.hands[0], turn.hands[1]), (turn.firewalls[0], turn.firewalls[1])
    stacks = before.stacks
    if turn.stack is not stacks[seat]:
        stacks = (stacks[0], turn.stack) if seat else (turn.stack, stacks[1])
    clock = before.clock + 1 if turn.quiet else 0
    key = public_key(turn.board, 1 - seat, hands, firewalls, stacks)
    seen = (*before.seen, key) if turn.quiet else (key,)
    after = State(
        before.options,
        before.rng,
        before.setups,
        bytes(turn.board),
        1 - seat,
        hands,
        firewalls,
        stacks,
        clock,
        before.first,
        before.origin,
        (*before.log, turn.text + turn.note),
        seen,
    )
    result = judge(after)
    return after if result is None else replace(after, result=result)


def judge(state: State) -> Result | None:
    """Return the result of a state, None if play goes on: full stacks first, then draws."""
    for seat in (0, 1):
        if len(state.stacks[seat]) >= 4 and decided(state.stacks[seat]):
            return _full_stack(seat, state.stacks[seat])
    if state.clock and state.seen.count(state.seen[-1]) >= DRAW_AFTER_TIMES:
        return draw("repetition")
    if state.clock >= DRAW_AFTER_PLIES:
        return draw("plies")
    side = state.turn
    if not state.hands[side] & FIREWALL and state.firewalls[side] == NOWHERE and not has_action(state):
        return draw("stuck")
    return None


def draw(reason: str) -> Result:
    """Return a tie of both seats."""
    return Result(((Seat(0), Seat(1)),), reason)


def win(seat: int, reason: str) -> Result:
    """Return a win of this seat."""
    return Result(((Seat(seat),), (Seat(1 - seat),)), reason)


def _full_stack(seat: int, stack: bytes) -> Result:
    viruses = sum(1 for card in stack if card & VIRUS)
    return win(1 - seat, "viruses") if viruses >= 4 else win(seat, "links")
