"""What one viewer may know of a match, built up from nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace

from game.contract import Result, Seat, Viewer, Watcher
from game.passage.cards import Card
from game.passage.decisions import awaited
from game.passage.state import (
    MASKED,
    Alms,
    Auto,
    Cards,
    Frame,
    Held,
    Known,
    Phase,
    State,
    Swap,
    Window,
    next_living,
)
from game.passage.switches import Switches


@dataclass(frozen=True, slots=True)
class PassageView:
    """A match as one viewer knows it: zones as in State, with `Card.HIDDEN` for what that viewer does not know.

    `pile` shows the positions the viewer knows, `held[s]` the cards known to be somewhere in seat s's hand or sealed in
    front of it. `awaited` are the seats that owe a decision, with the window if it is one. `auto` is the viewer's own.
    """

    viewer: Viewer
    version: int
    switches: Switches
    turn: int
    direction: int
    phase: Phase
    draws: int
    bottom: int
    hands: tuple[Cards, ...]
    pile: Cards
    discard: Cards
    removed: Cards
    sealed: tuple[Cards, ...]
    blind: tuple[int, ...]
    eliminated: tuple[int, ...]
    forfeited: tuple[int, ...]
    owed: tuple[int, ...]
    receiver: int | None
    stack: tuple[Frame, ...]
    known: Known
    known_public: Known
    held: Held
    held_public: Held
    auto: Auto
    awaited: tuple[tuple[int, str | None], ...]
    result: Result | None

    @property
    def n_seats(self) -> int:
        """Return the number of players the match began with."""
        return len(self.hands)

    @property
    def seat(self) -> int | None:
        """Return the viewer's seat, or None for somebody who only watches."""
        return None if isinstance(self.viewer, Watcher) else int(self.viewer)

    def living(self) -> tuple[int, ...]:
        """Return the seats still in the match, in seat order."""
        return tuple(seat for seat in range(len(self.hands)) if seat not in self.eliminated)

    def after(self, seat: int, direction: int) -> int:
        """Return the next living seat from `seat` in a direction (itself when nobody else lives)."""
        return next_living(len(self.hands), self.eliminated, seat, direction)


def result(state: State) -> Result | None:
    """Return how the match ended: the last one standing, then who went out last, and so on (Passage §6)."""
    living = state.living()
    if len(living) > 1:
        return None
    return Result(tuple((Seat(seat),) for seat in (*living, *reversed(state.eliminated))), "last-standing")


def view(state: State, viewer: Viewer) -> PassageView:
    """Return what this viewer may know."""
    public = state.n_seats
    index = public if isinstance(viewer, Watcher) else int(viewer)
    all_seen = viewer is Watcher.OMNISCIENT
    known = tuple(enumerate(state.pile)) if all_seen else state.known[index]
    return PassageView(
        viewer=viewer,
        version=state.version,
        switches=state.switches,
        turn=state.turn,
        direction=state.direction,
        phase=state.phase,
        draws=state.draws,
        bottom=state.bottom,
        hands=shown(state, viewer, state.hands),
        pile=masked(len(state.pile), known),
        discard=state.discard,
        removed=state.removed,
        sealed=shown(state, viewer, state.sealed),
        blind=state.blind,
        eliminated=state.eliminated,
        forfeited=state.forfeited,
        owed=state.owed,
        receiver=state.receiver,
        stack=state.stack if all_seen else tuple(mask(frame, viewer) for frame in state.stack),
        known=known,
        known_public=state.known[public],
        held=state.held[index],
        held_public=state.held[public],
        auto="off" if isinstance(viewer, Watcher) else state.auto[index],
        awaited=awaited(state),
        result=result(state),
    )


def shown(state: State, viewer: Viewer, zones: tuple[Cards, ...]) -> tuple[Cards, ...]:
    """Return each seat's cards as this viewer sees them: its own ones, unless they lie face down."""
    return tuple(
        cards
        if viewer is Watcher.OMNISCIENT or (seat == viewer and seat not in state.blind)
        else (Card.HIDDEN,) * len(cards)
        for seat, cards in enumerate(zones)
    )


def masked(size: int, known: Known) -> Cards:
    """Return a pile of which only these positions are known."""
    seen = dict(known)
    return tuple(seen.get(at, Card.HIDDEN) for at in range(size))


def mask(frame: Frame, viewer: Viewer) -> Frame:
    """Return a half-resolved effect without what this viewer may not know of it."""
    match frame:
        case Window(actor=actor, place=place) if place is not None and actor != viewer:
            return replace(frame, place=None)
        case Swap(actor, target, (mine, theirs)):
            return Swap(actor, target, (hide(mine, actor == viewer), hide(theirs, target == viewer)))
        case Alms(actor, waiting, answers):
            return Alms(actor, waiting, tuple((seat, at if seat == viewer else MASKED) for seat, at in answers))
    return frame


def hide(picked: tuple[int, ...] | None, is_own: bool) -> tuple[int, ...] | None:
    """Return a choice as the viewer may see it: of another's only whether it is made, as () or None."""
    return picked if picked is None or is_own else ()
