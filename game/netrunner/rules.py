"""The rules object of Android: Netrunner: implements `Game`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from game.base import GameBase
from game.choices import choice_json, tokens
from game.contract import (
    LEVELS,
    MASTER,
    Action,
    Choice,
    Json,
    Number,
    OneOf,
    Option,
    Pending,
    Result,
    Seat,
    Spec,
    Step,
    Subset,
    Viewer,
)
from game.errors import BadNotation, IllegalAction
from game.netrunner import (  # noqa: F401, some register operations and effects as they are imported
    access,
    card_effects,
    changes,
    determinize,
    effects,
    installs,
    notation,
    possible,
    questions,
    reading,
    run_effects,
    runs,
    stacks,
    swaps,
    triggers,
    turns,
    view,
)
from game.netrunner.action_text import offered, read_words
from game.netrunner.cards import ENTRIES
from game.netrunner.decks import FORMATS, OFFERED, OTHER_PAIRINGS, PAIRINGS, reading_deck
from game.netrunner.decks import read as read_deck
from game.netrunner.facts import CORP, RUNNER, SIDES
from game.netrunner.fields import number
from game.netrunner.frames import Vars, by_name
from game.netrunner.messages import PROMPTS
from game.netrunner.ops import CHOICES, reply, settle
from game.netrunner.places import canonical, ref
from game.netrunner.questions import several
from game.netrunner.refusals import why_not
from game.netrunner.resolve import pick_asked
from game.netrunner.revealing import HARMLESS, REVEALING
from game.netrunner.state import Card, Frame, Hands, State
from game.netrunner.stops import FOR_THIS_TURN, lasting_mode, urgent
from game.netrunner.table import Table
from game.netrunner.timing import TABLE, WINDOWS
from game.netrunner.view import NetrunnerView
from game.netrunner.windows import could_act, useful_as_seen
from game.options import BOTH_SIDES, complete
from game.rng import SEED_BYTES, Rng

MODES: Final = ("always", "could", "never")
DEFAULT_MODE: Final = "could"
TURN: Final = "turn"  # a mode too: never until the turn ends, then what it was before
HAND: Final = 5
JUST_PASS: Final = OneOf((Action("pass"),))


# What each seat brings (for the other side too, where both are played), and whether hands are open. A deck is the name
# of a starter or a ready deck, or a list; '' is the side's usual starter. Sitting down at a table with open hands is
# agreeing to it: watchers see the hands and unrezzed cards as they were a whole turn ago.
OPTIONS: Final = (
    Option("deck", "deck", "", per_seat=True, seat_values=OFFERED, reading=reading_deck),
    Option("return_deck", "deck", "", per_seat=True, seat_values=OFFERED[::-1], returns="deck", reading=reading_deck),
    Option(BOTH_SIDES, "flag", False),
    Option("open_hands", "flag", False),
    Option("format", "choice", "reverie", tuple(FORMATS)),
)


class Netrunner(GameBase[State, NetrunnerView]):
    """Android: Netrunner, the timing of December 2017: seat 0 is the Corp, seat 1 the Runner."""

    spec = Spec(
        key="netrunner",
        order=4,
        version=changes.NEWEST,
        seats=range(2, 3),
        seat_names=SIDES,
        has_sides=True,
        options=OPTIONS,
        pairings=PAIRINGS,
        other_pairings=OTHER_PAIRINGS,
        secrets=("hands", "decks", "facedown cards", "bids"),
        levels=(*LEVELS, MASTER),
        usual={2: 360},
        revealing=REVEALING,
        harmless=HARMLESS,
    )

    def setup(
        self,
        options: Mapping[str, Json],
        n_seats: int,
        seed: bytes,
        seat_options: Sequence[Mapping[str, Json]] = (),
    ) -> Step[State]:
        """Shuffle, draw five each, and ask the Corp about its hand (Netrunner §1.2)."""
        brought = [*seat_options] or [{}, {}]
        unknown = {name for one in brought for name in one} - {"deck", "return_deck"}
        if unknown:
            raise BadNotation("option.unknown", ", ".join(sorted(unknown))[:80])
        room = complete(self.options(), options)
        if n_seats != 2 or len(seed) != SEED_BYTES or len(brought) != 2:
            raise BadNotation("netrunner.error.setup", f"{n_seats} players")
        chosen = [read_deck(brought[side].get("deck"), side, str(room["format"])) for side in (CORP, RUNNER)]
        for side in (CORP, RUNNER):
            read_deck(brought[side].get("return_deck"), 1 - side, str(room["format"]))
        t = Table(empty(self.version, Rng(seed), (chosen[CORP].identity, chosen[RUNNER].identity)))
        t.decks = (chosen[CORP].codes(), chosen[RUNNER].codes())
        t.hands = (Hands(), Hands()) if room["open_hands"] else None
        for side in (CORP, RUNNER):
            t.deck(side).extend(chosen[side].codes())
            t.shuffle(side)
            t.draw(side, HAND)
        return carried(t)

    def __init__(self, version: int | None = None) -> None:
        """Make the rules of a version; none: the newest."""
        super().__init__(version)
        # What is pending in the last state that was asked about: the same one is asked about several times in a row.
        self._last: tuple[State | None, tuple[Pending, ...]] = (None, ())

    def pending(self, state: State) -> tuple[Pending, ...]:
        """Return the decision that is owed; of secret bids, those that are not in."""
        if state.outcome is not None:
            return ()
        last, owed = self._last
        if last is not state:
            owed = asked(Table(state))
            self._last = state, owed
        return owed

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        """Play one action, or change a personal setting."""
        t = Table(state)
        words = [canonical(t, word, seat) for word in read_words(action.text)]
        if words[0] == "auto":
            return set_mode(self, state, seat, words)
        owed = self.pending(state)
        mine = next((one.choice for one in owed if one.seat == seat), None)
        choice = mine or going_first(t, seat, owed, words) or going_on(t, seat, owed, words)
        if choice is None:
            raise IllegalAction("netrunner.error.not-awaited", f"seat {seat}")
        said = offered(choice, words) or several(t, words)
        if said is None:
            raise IllegalAction(why_not(t, seat, words), action.text[:80])
        reply(t, said, seat)
        return carried(t)

    def settings(self, state: State, seat: Seat) -> tuple[Choice, ...]:
        """Return the settings of each window: stop always, when something could be done, never, not in this turn."""
        if state.outcome is not None:
            return ()
        return (OneOf(tuple(Action(f"auto {step} {mode}") for step in WINDOWS for mode in (*MODES, TURN))),)

    def automatic(self, state: State, seat: Seat) -> Action | None:
        """Return "pass" where the seat's own setting lets this window go by."""
        owed = [one for one in self.pending(state) if one.seat == seat]
        if not owed or owed[0].window != "paid-ability":
            return None
        step = state.run.step if state.run is not None else state.step
        return Action("pass") if goes_by(Table(state), seat, owed[0].choice, mode_at(state, seat, step)) else None

    def timeout(self, state: State, seat: Seat) -> Step[State]:
        """Give the default answer: pass, continue, decline; or a random discard from the state's own stream."""
        owed = [one for one in self.pending(state) if one.seat == seat]
        if not owed:
            raise IllegalAction("netrunner.error.not-awaited", f"seat {seat}")
        action, rng = default(owed[0].choice, state.rng)
        t = Table(replace(state, rng=rng))
        reply(t, tokens(action.text), seat)
        return carried(t)

    def forfeit(self, state: State, seat: Seat) -> Step[State]:
        """Concede."""
        if state.outcome is not None:
            raise IllegalAction("netrunner.error.over", f"seat {seat}")
        t = Table(state)
        t.finish(1 - seat, "conceded")
        return Step(t.freeze(), tuple(t.events))

    def result(self, state: State) -> Result | None:
        """Return how the match ended."""
        return view.result(state)

    def view(self, state: State, viewer: Viewer) -> NetrunnerView:
        """Return what this viewer may know."""
        return view.look(state, viewer, awaited(state))

    def determinize(self, view_: NetrunnerView, rng: Rng) -> State:
        """Return a full state that fits a view."""
        return determinize.determinize(view_, rng)

    def view_json(self, view_: NetrunnerView) -> dict[str, Json]:
        """Return a view as programs read it: `position`, and in `awaited` the seats that owe a decision."""
        position = {k: v for k, v in notation.write(view_.scene).items() if k not in ("seed", "used", "stack")}
        owed: list[Json] = [{"seat": seat, "window": window} for seat, window in view_.awaited]
        return {"position": position, "awaited": owed}

    def read_position(
        self,
        position: Json,
        options: Mapping[str, Json],
        n_seats: int | None = None,
        seed: bytes | None = None,
    ) -> State:
        """Read a position and continue to the first decision. Raises BadNotation."""
        if not isinstance(position, dict):
            raise BadNotation("netrunner.error.position", "not an object")
        if position.get("start") is True:
            return self.setup(options, 2, seed or bytes(SEED_BYTES)).state
        if "stack" in position and position.get("seal") != stacks.seal(position, self.version):
            raise BadNotation("netrunner.error.position", "changed, but still with its stack: leave the stack out")
        t = Table(reading.read(position, seed, self.version))
        if changes.impossible_positions_are_unreadable(self.version):
            possible.check(t)
        settle(t)
        return t.freeze()

    def write_position(self, state: State) -> Json:
        """Return the whole position with the pending decisions; mid-effect with its sealed stack (Netrunner §5)."""
        owed: list[Json] = [
            {"side": SIDES[p.seat], "prompt": p.prompt, "choice": choice_json(p.choice)} for p in self.pending(state)
        ]
        position = notation.write(state)
        bare = {name: value for name, value in position.items() if name != "stack"}
        if self._stands_as(bare, state):
            return {**bare, "pending": owed}
        return {**position, "pending": owed, "seal": stacks.seal(position, state.version)}

    def _stands_as(self, bare: Json, state: State) -> bool:
        """Tell whether a state is what its position without a stack is read as: nothing is half resolved."""
        try:
            return self.under(state.version).read_position(bare, {}) == state
        except BadNotation:
            return False

    def dump(self, state: State) -> Json:
        """Return the whole state as JSON; of version 1 as version 1 wrote it."""
        position = dict(notation.write(state))
        return position if state.version == 1 else {**position, "version": state.version}

    def load(self, data: Json) -> State:
        """Return the state that `dump` wrote."""
        if not isinstance(data, dict):
            raise BadNotation("netrunner.error.position", "not an object")
        position = {name: value for name, value in data.items() if name != "version"}
        return reading.read(position, None, number(data, "version", 1, 1, self.spec.version))

    def is_move(self, action: Action) -> bool:
        """Tell whether this is more than a pass."""
        return action.text != "pass"


def goes_by(t: Table, seat: int, choice: Choice, mode: str) -> bool:
    """Tell whether a window is passed by itself for a seat with this setting: one of `MODES`, or `TURN`.

    A window that is urgent (`stops.urgent`), or in which others can't know that no ability can be used, is not passed
    for a seat that can do nothing in it, either: passing at once would tell that.
    """
    if mode != "could":
        return mode in ("never", TURN)
    texts = [action.text for action in choice.actions] if isinstance(choice, OneOf) else []
    return not could_act(t, seat, texts) and not urgent(t, seat) and not useful_as_seen(t, seat, letters_now(t))


def letters_now(t: Table) -> str:
    """Return what may be done in the window of the step at which the match stands."""
    return TABLE[t.run.step if t.run is not None else t.step].window


def awaited(state: State) -> tuple[tuple[int, str | None], ...]:
    """Return who owes a decision, and its window."""
    if state.outcome is not None:
        return ()
    data = dict(state.frames[-1].data)
    window = data.get("window")
    seats = data.get("seats") or (data["seat"],)
    return (
        tuple((int(str(seat)), str(window) if window else None) for seat in seats) if isinstance(seats, tuple) else ()
    )


def asked(t: Table) -> tuple[Pending, ...]:
    """Return the decisions that the question on top of the frames stands for, one for each seat."""
    ask = t.frames[-1]
    return tuple(question(t, {**ask, "seat": seat}) for seat in ask.get("seats", (ask["seat"],)))


def question(t: Table, ask: Vars) -> Pending:
    """Return what a seat is asked."""
    names = PROMPTS[f"netrunner.prompt.{ask['prompt']}"]
    if ask["prompt"] == "choose" and not changes.picks_are_counted(t.version):
        names = tuple(name for name in names if name not in ("most", "nth"))
    elif ask["prompt"] == "choose":
        ask = ask | pick_asked(t)
    values = by_name(ask)
    params = tuple((name, notation.plain(values.get(name))) for name in names)
    choice, is_secret = CHOICES[ask["kind"]](t, ask), ask["kind"] == "bid"
    idle = ask["kind"] == "window" and choice == JUST_PASS and is_open_book(t, ask["seat"], ask["letters"])
    return Pending(Seat(ask["seat"]), ask["prompt"], choice, is_secret, ask.get("window"), params, idle)


def is_open_book(t: Table, seat: int, letters: str) -> bool:
    """Tell whether a seat's options are public: no unrezzed card of it could be rezzed, scored or chosen."""
    if seat == RUNNER:
        return True
    if useful_as_seen(t, seat, letters):
        return False
    places = [card.place for card in t.cards.values() if not card.rezzed]
    approached = t.cards.get(t.run.ice) if t.run is not None else None
    is_ice_open = "I" not in letters or approached is None or approached.rezzed
    return is_ice_open and ("R" not in letters or not any(place.startswith("root:") for place in places))


def carried(t: Table) -> Step[State]:
    """Continue until somebody owes a decision; return the state then and the events until then."""
    settle(t)
    return Step(t.freeze(), tuple(t.events))


def going_on(t: Table, seat: Seat, owed: tuple[Pending, ...], words: list[str]) -> Choice | None:
    """Return what a seat may do once the other side's pass is made, where all can see that this can do nothing else."""
    if not changes.open_passes_go_without_saying(t.version) or words[0] == "pass":
        return None
    if len(owed) != 1 or not owed[0].idle:
        return None
    reply(t, ["pass"])
    settle(t)
    ask = t.frames[-1] if t.outcome is None else {}
    return CHOICES[ask["kind"]](t, ask) if ask.get("seat") == seat else None


def going_first(t: Table, seat: Seat, owed: tuple[Pending, ...], words: list[str]) -> Choice | None:
    """Return what the Corp may do in a window of the Runner's turn without waiting for the Runner's pass, made here.

    That is everything where the Runner can do nothing but pass, as everybody sees (Netrunner §5, the worked example);
    in version 1 rezzing the approached ice, too. The other way round it would tell what the Corp could have done.
    """
    if seat != CORP or words[0] == "pass" or [(one.seat, one.window) for one in owed] != [(RUNNER, "paid-ability")]:
        return None
    window = t.frames[-2]
    ice = t.cards.get(t.run.ice) if t.run is not None and "I" in window["letters"] else None
    is_rez = ice is not None and words == ["rez", ref(t, ice, CORP)]
    comes_first = is_rez and not changes.runner_speaks_first_at_ice(t.version)
    if window["passed"] or not (comes_first or owed[0].choice == JUST_PASS):
        return None
    reply(t, ["pass"])
    settle(t)
    ask = t.frames[-1]
    return CHOICES[ask["kind"]](t, ask)


def mode_at(state: State, seat: Seat | int, step: str) -> str:
    """Return when a seat stops at a step: one of `MODES`, or `TURN`."""
    mode = dict(state.auto[seat]).get(step, DEFAULT_MODE)
    return TURN if mode.endswith(FOR_THIS_TURN) else mode


def set_mode(game: Netrunner, state: State, seat: Seat, words: list[str]) -> Step[State]:
    """Change when a seat stops at a step; nobody else learns of it."""
    if len(words) != 3 or words[1] not in WINDOWS or words[2] not in (*MODES, TURN):
        raise BadNotation("netrunner.error.unreadable", " ".join(words)[:80])
    if not game.settings(state, seat):
        raise IllegalAction("netrunner.error.over", f"seat {seat}")
    before = dict(state.auto[seat])
    mode = f"{lasting_mode(before.get(words[1], DEFAULT_MODE))}{FOR_THIS_TURN}" if words[2] == TURN else words[2]
    modes = tuple(sorted({**before, words[1]: mode}.items()))
    auto = tuple(modes if side == seat else other for side, other in enumerate(state.auto))
    t = Table(replace(state, auto=auto))
    t.tell("auto", None, {int(seat): {"side": int(seat), "step": words[1], "mode": words[2]}})
    return Step(t.freeze(), tuple(t.events))


DEFAULT_ANSWERS: Final = ("pass", "keep", "continue", "no", "credit", "leave", "steal")


def default(choice: Choice, rng: Rng) -> tuple[Action, Rng]:
    """Return the answer for a seat that gave none, and the stream after it.

    The first of `DEFAULT_ANSWERS` on offer, or the first action; the lowest number; a random set of the least size.
    """
    match choice:
        case OneOf(actions):
            usual = [action for text in DEFAULT_ANSWERS for action in actions if action.text == text]
            return (usual or [*actions])[0], rng
        case Number(verb, low, _):
            return Action(f"{verb} {low}"), rng
        case Subset(verb, items, low, _):
            picked, rng = rng.sample(items, low)
            return Action(" ".join((verb, *picked))), rng


def empty(version: int, rng: Rng, identities: tuple[str, str]) -> State:
    """Return a table with nothing on it but the identities."""
    cards = tuple(
        Card(side + 1, code, side, "identity", rezzed=True, recurring=ENTRIES[code].recurring)
        for side, code in enumerate(identities)
    )
    return State(
        version=version,
        rng=rng,
        identities=identities,
        turn=CORP,
        step="setup.corp",
        credits=(5, 5),
        clicks=(0, 0),
        tags=0,
        brain=0,
        bad_publicity=0,
        hq=(),
        rd=(),
        archives=(),
        grip=(),
        stack=(),
        heap=(),
        removed=(),
        cards=cards,
        run=None,
        this_turn=(),
        last_turn=(),
        lasting=(),
        frames=(Frame("turn", (("stage", 0),)),),
        next_iid=3,
        auto=((), ()),
        outcome=None,
    )


GAME = Netrunner()
