"""The rules of Tiny."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from game.base import GameBase
from game.choices import contains, tokens
from game.contract import (
    Action,
    Choice,
    Event,
    Json,
    Number,
    OneOf,
    Pending,
    Result,
    Seat,
    Spec,
    Step,
    Subset,
    Viewer,
)
from game.errors import BadNotation, IllegalAction
from game.options import complete, complete_seat
from game.rng import Rng
from tests.conformance.tiny import notation
from tests.conformance.tiny import view as views
from tests.conformance.tiny.state import CHARMS, HAND, NUMBERS, OPTIONS, VETO, Frame, Player, Rules, State, full_deck

VERBS = ("auto", "bid", "pass", "swap", "take", "veto")
Events = list[Event]


class Tiny(GameBase[State, views.View]):
    """The rules object."""

    spec = Spec(
        "tiny",
        range(2, 7),
        seat_names=tuple("ABCDEF"),
        options=OPTIONS,
        secrets=("hands", "bids", "deck", "charms"),
        revealing=dict.fromkeys(("revealed", "passed", "vetoed", "won", "drew", "swapped", "lost-life", "out"), ""),
        harmless=frozenset(("round", "bid")),
    )

    def n_seats(self, state: State) -> int:
        return len(state.players)

    def setup(
        self,
        options: Mapping[str, Json],
        n_seats: int,
        seed: bytes,
        seat_options: Sequence[Mapping[str, Json]] = (),
    ) -> Step[State]:
        if n_seats not in self.seats:
            raise BadNotation("tiny.error.players", str(n_seats))
        rules = notation.read_rules(complete(OPTIONS, options))
        charms = [_charm(seat_options[i] if seat_options else {}) for i in range(n_seats)]
        deck, rng = Rng(seed).shuffle(full_deck(n_seats))
        players = []
        for charm in charms:
            hand, deck = _deal(deck, charm)
            players.append(Player(hand, rules.lives, charm=charm))
        events: Events = []
        state = _begin_round(State(rules, rng, tuple(players), deck), events)
        return Step(state, tuple(events))

    def pending(self, state: State) -> tuple[Pending, ...]:
        if not state.stack:
            return ()
        top = state.stack[-1]
        return tuple(_pending(state, top, seat) for seat in sorted(top.waiting))

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        verb, *args = tokens(action.text)
        if verb not in VERBS:
            raise BadNotation("tiny.error.verb", verb[:20])
        if any(contains(choice, action) for choice in self.settings(state, seat)):
            return Step(state.with_player(seat, auto=args == ["on"]))
        owed = [p for p in self.pending(state) if p.seat == seat]
        if not owed or not contains(owed[0].choice, action):
            raise IllegalAction("tiny.error.not-now", action.text[:40])
        events: Events = []
        state = _answer(state, seat, verb, args, events)
        return Step(_run(state, events), tuple(events))

    def settings(self, state: State, seat: Seat) -> tuple[Choice, ...]:
        if seat not in state.living or not state.stack:
            return ()
        return (OneOf((Action("auto on"), Action("auto off"))),)

    def automatic(self, state: State, seat: Seat) -> Action | None:
        asked = any(p.seat == seat and p.window for p in self.pending(state))
        return Action("pass") if asked and state.players[seat].auto else None

    def timeout(self, state: State, seat: Seat) -> Step[State]:
        if not state.stack or seat not in state.stack[-1].waiting:
            raise IllegalAction("tiny.error.not-now", "nothing owed")
        match state.stack[-1].op:
            case "bid":
                card, rng = state.rng.choose(state.players[seat].hand)
                return self.apply(replace(state, rng=rng), seat, Action(f"bid {card}"))
            case "veto":
                return self.apply(state, seat, Action("pass"))
            case "cards":
                return self.apply(state, seat, Action("take 0"))
        return self.apply(state, seat, Action("swap"))

    def forfeit(self, state: State, seat: Seat) -> Step[State]:
        if seat not in self.playing(state):
            raise IllegalAction("tiny.error.out", str(seat))
        events: Events = []
        state = _put_out(state, seat, events)
        return Step(_run(state, events), tuple(events))

    def playing(self, state: State) -> tuple[Seat, ...]:
        return state.living if state.stack else ()

    def result(self, state: State) -> Result | None:
        if state.stack:
            return None
        coins = sorted({state.players[seat].coins for seat in state.living}, reverse=True)
        tiers = [tuple(s for s in state.living if state.players[s].coins == n) for n in coins]
        reason = "most-coins" if len(state.living) > 1 else "last-standing"
        return Result((*tiers, *((seat,) for seat in reversed(state.out))), reason)

    def view(self, state: State, viewer: Viewer) -> views.View:
        return views.view(state, viewer)

    def determinize(self, seen: views.View, rng: Rng) -> State:
        return views.determinize(seen, rng)

    def view_json(self, seen: views.View) -> dict[str, Json]:
        return views.to_json(seen)

    def read_position(
        self,
        position: Json,
        options: Mapping[str, Json],
        n_seats: int | None = None,
        seed: bytes | None = None,
    ) -> State:
        return notation.read(position, options, n_seats, seed)

    def write_position(self, state: State) -> Json:
        return notation.write(state)

    def dump(self, state: State) -> Json:
        return notation.write(state)

    def load(self, data: Json) -> State:
        return notation.read(data, {}, None, None)

    def is_move(self, action: Action) -> bool:
        return action.text.startswith("bid ")


def _charm(brought: Mapping[str, Json]) -> str:
    charm = complete_seat(OPTIONS, brought)["charm"]
    if not isinstance(charm, str) or charm not in CHARMS:
        raise BadNotation("tiny.error.charm", str(charm)[:20])
    return charm


def _deal(deck: tuple[str, ...], charm: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Deal a hand off the top, or first the lowest or highest number of the deck; return it and what is left."""
    rest = list(deck)
    first: list[str] = []
    if charm != "none":
        numbers = [card for card in deck if card in NUMBERS]
        first.append(min(numbers) if charm == "low" else max(numbers))
        rest.remove(first[0])
    n = HAND - len(first)
    return tuple(sorted(first + rest[:n])), tuple(rest[n:])


def _pending(state: State, top: Frame, seat: Seat) -> Pending:
    hand = state.players[seat].hand
    match top.op:
        case "bid":
            bids = OneOf(tuple(Action(f"bid {card}") for card in sorted(set(hand))))
            return Pending(seat, "bid", bids, secret=True, params=(("prize", state.prize),))
        case "veto":
            answers = ("pass", "veto") if VETO in hand else ("pass",)
            return Pending(seat, "veto", OneOf(tuple(map(Action, answers))), window="veto")
        case "cards":
            return Pending(seat, "cards", Number("take", 0, min(3, len(state.deck))))
    return Pending(seat, "swap", Subset("swap", hand, 0, min(2, len(hand), len(state.deck))))


def _answer(state: State, seat: Seat, verb: str, args: list[str], events: Events) -> State:
    """Take one seat's answer to the top frame."""
    hand = list(state.players[seat].hand)
    top = state.stack[-1]
    waiting = replace(top, waiting=tuple(s for s in top.waiting if s != seat))
    state = state.pop().push(waiting)
    match verb:
        case "bid":
            hand.remove(args[0])
            events.append(Event("bid", {"seat": seat}, {seat: {"seat": seat, "card": args[0]}}))
            return state.with_player(seat, hand=hand, bid=args[0])
        case "pass":
            events.append(Event("passed", {"seat": seat}))
            return state
        case "veto":
            hand.remove(VETO)
            events.append(Event("vetoed", {"seat": seat}))
            state = replace(state, discard=(*state.discard, VETO))
            return state.with_player(seat, hand=hand).pop().pop()  # the window and the prize under it
        case "take":
            return _draw(state, seat, int(args[0]), events)
    for card in args:
        hand.remove(card)
    events.append(Event("swapped", {"seat": seat, "n": len(args)}, {seat: {"seat": seat, "cards": list(args)}}))
    state = _draw(state.with_player(seat, hand=hand), seat, len(args), events)
    deck, rng = state.rng.shuffle((*state.deck, *args))
    return replace(state, deck=deck, rng=rng)


def _draw(state: State, seat: Seat, n: int, events: Events) -> State:
    drawn = state.deck[:n]
    if drawn:
        known: dict[str, Json] = {"seat": seat, "n": len(drawn), "cards": list(drawn)}
        events.append(Event("drew", {"seat": seat, "n": len(drawn)}, {seat: known}))
    state = replace(state, deck=state.deck[n:])
    return state.with_player(seat, hand=state.players[seat].hand + drawn)


def _run(state: State, events: Events) -> State:
    """Resolve frames until somebody owes an answer or the match is over."""
    while state.stack and not state.stack[-1].waiting:
        state = RESOLVE[state.stack[-1].op](state.pop(), state.stack[-1], events)
    return state


def _begin_round(state: State, events: Events) -> State:
    """Draw the prize and ask for bids; with nobody to ask, or after the last round, the match is over."""
    asked = tuple(seat for seat in state.living if state.players[seat].hand)
    if not asked or len(state.living) < 2 or state.round > state.rules.rounds:
        return replace(state, stack=())
    prize, rng = state.rng.choose(state.rules.prizes)
    events.append(Event("round", {"n": state.round, "prize": prize}))
    return replace(state, rng=rng, prize=prize, stack=(Frame("bid", None, asked),))


def _resolve_bids(state: State, frame: Frame, events: Events) -> State:
    bids = {seat: bid for seat in state.living if (bid := state.players[seat].bid)}
    shown: dict[str, Json] = {str(seat): card for seat, card in bids.items()}
    events.append(Event("revealed", {"bids": shown}))
    for seat in bids:
        state = state.with_player(seat, bid=None)
    state = replace(state, discard=state.discard + tuple(bids.values()))
    alone = _alone(state.rules, bids)
    state = state.push(Frame("close", min(alone, key=lambda s: bids[s], default=None)))
    if not alone:
        return state
    winner = max(alone, key=lambda s: bids[s])
    state = state.push(Frame("prize", winner))
    may_veto = tuple(s for s in state.living if s != winner and state.players[s].hand)
    known_gone = state.discard.count(VETO) == full_deck(len(state.players)).count(VETO)
    return state if known_gone else state.push(Frame("veto", winner, may_veto))


def _alone(rules: Rules, bids: Mapping[Seat, str]) -> list[Seat]:
    """Return the seats whose number stands: bid by nobody else, or first with the option `ties`."""
    counts = Counter(bids.values())
    numbers = [seat for seat, card in bids.items() if card != VETO]
    if rules.ties == "first":
        return [seat for seat in numbers if all(bids[s] != bids[seat] for s in numbers if s < seat)]
    return [seat for seat in numbers if counts[bids[seat]] == 1]


def _resolve_window(state: State, frame: Frame, events: Events) -> State:
    return state


def _resolve_prize(state: State, frame: Frame, events: Events) -> State:
    seat = frame.seat
    assert seat is not None
    events.append(Event("won", {"seat": seat, "prize": state.prize}))
    if state.prize == "coins":
        return state.with_player(seat, coins=state.players[seat].coins + 2)
    return state.push(Frame(state.prize, seat, (seat,)))


def _resolve_close(state: State, frame: Frame, events: Events) -> State:
    if frame.seat is not None:
        lives = state.players[frame.seat].lives - 1
        events.append(Event("lost-life", {"seat": frame.seat, "left": lives}))
        state = state.with_player(frame.seat, lives=lives)
        if not lives:
            state = _put_out(state, frame.seat, events)
    for seat in state.living:
        state = _draw(state, seat, 1, events)
    return _begin_round(replace(state, round=state.round + 1), events)


def _put_out(state: State, seat: Seat, events: Events) -> State:
    """Take a seat out: its cards are shown and discarded, nothing waits for it, its own effects are void."""
    player = state.players[seat]
    cards = player.hand + ((player.bid,) if player.bid else ())
    events.append(Event("out", {"seat": seat, "cards": list(cards)}))
    state = state.with_player(seat, hand=(), bid=None, lives=0)
    state = replace(state, discard=state.discard + cards, out=(*state.out, seat))
    if len(state.living) < 2:
        return replace(state, stack=())
    return replace(state, stack=tuple(_without(frame, seat) for frame in state.stack if _is_kept(frame, seat)))


def _is_kept(frame: Frame, seat: Seat) -> bool:
    return frame.op in ("bid", "close") or frame.seat != seat


def _without(frame: Frame, seat: Seat) -> Frame:
    waiting = tuple(s for s in frame.waiting if s != seat)
    return replace(frame, waiting=waiting, seat=None if frame.seat == seat else frame.seat)


RESOLVE: Mapping[str, Callable[[State, Frame, Events], State]] = {
    "bid": _resolve_bids,
    "veto": _resolve_window,
    "prize": _resolve_prize,
    "cards": _resolve_window,
    "swap": _resolve_window,
    "close": _resolve_close,
}
GAME = Tiny()
