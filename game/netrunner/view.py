"""The view of a match (Netrunner §1.10)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from game.contract import Result, Seat, Viewer, Watcher
from game.netrunner.facts import CORP, HIDDEN, RUNNER
from game.netrunner.filters import InZone, read
from game.netrunner.state import Card, Frame, Hands, State, Value
from game.netrunner.table import trimmed
from game.netrunner.zones import BITS, CORP_KNOWS, PUBLIC_KNOWS
from game.rng import SEED_BYTES, Rng

NO_RNG = Rng(bytes(SEED_BYTES))


@dataclass(frozen=True, slots=True)
class NetrunnerView:
    """A match as one viewer knows it: `scene` is a state in which every unknown card is "?" and chance is blank.

    `awaited` are the seats that owe a decision, with the window if it is one.
    """

    viewer: Viewer
    scene: State
    awaited: tuple[tuple[int, str | None], ...]
    result: Result | None

    @property
    def seat(self) -> int | None:
        """Return the viewer's seat, or None for somebody who only watches."""
        return None if isinstance(self.viewer, Watcher) else int(self.viewer)


def result(state: State) -> Result | None:
    """Return how the match ended."""
    if state.outcome is None:
        return None
    winner, reason = state.outcome
    return Result(((Seat(winner),), (Seat(1 - winner),)), reason)


def look(state: State, viewer: Viewer, awaited: tuple[tuple[int, str | None], ...]) -> NetrunnerView:
    """Return what this viewer may know, built field by field: a new field of the state needs its line here."""
    everything = viewer is Watcher.OMNISCIENT
    corp = everything or viewer == CORP
    runner = everything or viewer == RUNNER
    sight = ZoneKnowledge(state, viewer)
    scene = State(
        version=state.version,
        rng=NO_RNG,
        identities=state.identities,
        turn=state.turn,
        step=state.step,
        credits=state.credits,
        clicks=state.clicks,
        tags=state.tags,
        brain=state.brain,
        bad_publicity=state.bad_publicity,
        hq=sight.cards("hq", corp),
        rd=sight.cards("rd", everything),
        archives=tuple(zip(sight.cards("archives", corp), (up for _, up in state.archives), strict=True)),
        grip=sight.cards("grip", runner),
        stack=sight.cards("stack", everything),
        heap=state.heap,
        removed=state.removed,
        cards=tuple(card if may_see(card, corp, runner) else replace(card, code=HIDDEN) for card in state.cards),
        run=state.run,
        this_turn=state.this_turn,
        last_turn=state.last_turn,
        lasting=state.lasting,
        frames=told_frames(state, viewer),
        next_iid=state.next_iid,
        auto=own_settings(state, viewer),
        outcome=state.outcome,
        known=sight.marks(),
        decks=(state.decks[CORP] if corp else (), state.decks[RUNNER] if runner else ()),
        hands=told_hands(state, viewer),
    )
    return NetrunnerView(viewer, scene, awaited, result(state))


class ZoneKnowledge:
    """What a viewer sees of the hidden zones."""

    def __init__(self, state: State, viewer: Viewer) -> None:
        self.state = state
        self.bit = PUBLIC_KNOWS if isinstance(viewer, Watcher) else BITS[viewer]
        self.looked = set() if isinstance(viewer, Watcher) else looked_at(state, int(viewer))
        self.known = {zone: self.bits_of(marks) for zone, marks in state.known}
        breached = any(frame.op == "breach" and dict(frame.data)["server"] == "hq" for frame in state.frames)
        self.unordered = {"grip"} if breached else {"hq", "grip"}  # the order of another player's hand stays secret

    def bits_of(self, marks: tuple[int, ...]) -> list[bool]:
        """Return which cards of a zone the viewer knows."""
        return [bool(mark & self.bit) for mark in marks]

    def cards(self, zone: str, is_own: bool) -> tuple[str, ...]:
        """Return a zone as it is known: all of it, or what was seen and is being looked at."""
        row: tuple[str, ...] = tuple(code for code, _ in self.state.archives) if zone == "archives" else ()
        row = row or getattr(self.state, zone)
        known = self.known.setdefault(zone, [])
        known += [False] * (len(row) - len(known))
        if is_own:
            self.known[zone] = []
            return row
        up = [zone == "archives" and up for _, up in self.state.archives] if zone == "archives" else [False] * len(row)
        seen = [known[i] or up[i] or (zone, i) in self.looked for i in range(len(row))]
        if zone in self.unordered:
            found = sorted(row[i] for i in range(len(row)) if seen[i])
            self.known[zone] = [True] * len(found)
            return (*found, *[HIDDEN] * (len(row) - len(found)))
        return tuple(code if seen[i] else HIDDEN for i, code in enumerate(row))

    def marks(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """Return the viewer's own marks, as `State.known` has them. Call it after `cards` of every zone."""
        marks = {zone: trimmed([self.bit * is_known for is_known in known]) for zone, known in self.known.items()}
        return tuple((zone, found) for zone, found in sorted(marks.items()) if found)


def told_hands(state: State, viewer: Viewer) -> tuple[Hands, Hands] | None:
    """Return the open hands for those who watch, as they were a whole turn ago; nothing of them for a seat.

    Sorted: the order of a hand, which tells how long a card was held, is not open.
    """
    if state.hands is None or viewer is Watcher.OMNISCIENT:
        return state.hands
    shown = state.hands[0]
    open_now = Hands(tuple(sorted(shown.hq)), tuple(sorted(shown.grip)), shown.unrezzed)
    return (open_now if viewer is Watcher.PUBLIC else Hands(), Hands())


def told_frames(state: State, viewer: Viewer) -> tuple[Frame, ...]:
    """Return the frames, without those above the access of a card that the viewer does not know, as it resolves."""
    frames = tuple(map(without_place, state.frames, (*state.frames[1:], None)))
    for i, frame in enumerate(frames[:-1]):
        if frame.op == "access" and not knows_accessed(state, dict(frame.data), viewer):
            return frames[: i + 1] if is_resolving(frame) else frames
    return (*frames[:-1], *(own_bid(frame, viewer) for frame in frames[-1:]))


def without_place(frame: Frame, above: Frame | None) -> Frame:
    """Return the playing or installing of a card that has left its hand without the place it had there.

    `above`: the frame on top of this one, which may be what an effect installs.
    """
    data, item = dict(frame.data), dict(frame.data).get("item")
    if frame.op in ("play", "install-runner") and "code" in data:
        return Frame(frame.op, tuple(sorted({**data, "index": 0}.items())))
    if isinstance(item, tuple) and item[1] in ("hq", "grip") and above is not None and above.op.startswith("install-"):
        return Frame(frame.op, tuple(sorted({**data, "item": (*item[:2], 0)}.items())))
    return frame


def own_bid(frame: Frame, viewer: Viewer) -> Frame:
    """Return a question with the viewer's own secret bid only."""
    data = dict(frame.data)
    bids = data.get("bids")
    if not bids or not isinstance(bids, tuple) or viewer is Watcher.OMNISCIENT:
        return frame
    data["bids"] = tuple(bid for bid in bids if isinstance(bid, tuple) and bid[0] == viewer)
    return Frame(frame.op, tuple(sorted(data.items())))


def is_resolving(frame: Frame) -> bool:
    """Tell whether what the accessed card does is being carried out."""
    return dict(frame.data)["stage"] == 1


def knows_accessed(state: State, access: Mapping[str, Value], viewer: Viewer) -> bool:
    """Tell whether a viewer knows the card that is being accessed."""
    if viewer is Watcher.OMNISCIENT or viewer == RUNNER:
        return True
    zone, index = str(access["zone"]), int(str(access["index"]))
    if viewer == CORP and zone != "rd":
        return True
    if not zone:
        card = next((card for card in state.cards if card.iid == access["iid"]), None)
        return card is None or is_open(card, False)
    marks = dict(state.known).get(zone, ())
    bit = CORP_KNOWS if viewer == CORP else PUBLIC_KNOWS
    return zone == "archives" or (index < len(marks) and bool(marks[index] & bit))


def own_settings(state: State, viewer: Viewer) -> tuple[tuple[tuple[str, str], ...], ...]:
    """Return a viewer's own settings, nobody else's."""
    return tuple(
        settings if viewer is Watcher.OMNISCIENT or seat == viewer else () for seat, settings in enumerate(state.auto)
    )


def may_see(card: Card, corp: bool, runner: bool) -> bool:
    """Tell whether somebody who sees what these sides see knows what a card on the table is."""
    return (corp and card.side == CORP) or is_open(card, runner)


def is_open(card: Card, runner: bool) -> bool:
    """Tell whether outsiders (or the Runner) know what a card on the table is."""
    if card.place in ("rig", "hosted"):
        return card.rezzed or runner
    return card.rezzed or card.shown or not card.place.startswith(("ice:", "root:")) or (runner and card.seen)


def looked_at(state: State, seat: int) -> set[tuple[str, int]]:
    """Return the places of hidden zones that a seat is looking at: what it searches or puts in order."""
    found: set[tuple[str, int]] = set()
    for frame in state.frames:
        data = dict(frame.data)
        if frame.op == "ask" and data["seat"] == seat:
            found |= asked_about(state, data)
        elif frame.op == "do" and seat == CORP and "left" in data:
            found |= {("rd", i) for i in range(int(str(data["left"])))}
        elif frame.op == "install-corp" and seat == CORP and data["zone"] == "rd":
            found.add(("rd", int(str(data["index"]))))
    return found


def asked_about(state: State, data: Mapping[str, object]) -> set[tuple[str, int]]:
    """Return the places that a question lets its seat see."""
    what = read(str(data["what"])) if data["kind"] == "choose" else None
    if isinstance(what, InZone) and what.pool in ("rd", "stack"):
        row = state.rd if what.pool == "rd" else state.stack
        return {(what.pool, i) for i in range(min(len(row), what.size or len(row)))}
    if data["kind"] == "arrange":
        return {("rd", i) for i in range(int(str(data["n"])))}
    return set()
