"""What the screen does for a player by itself: paying, what was decided as a whole, questions with one answer, windows.

Each is a single action that is offered, sent like any other and written into the log.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from game.choices import tokens
from game.contract import Action, Number, OneOf, Subset
from game.netrunner import changes
from game.netrunner.facts import CORP, FACTS, RUNNER
from game.netrunner.places import quoted, ref
from game.netrunner.rules import JUST_PASS, letters_now
from game.netrunner.rules import goes_by as passes_itself
from game.netrunner.state import Card, State
from game.netrunner.stops import LAST_REZ, urgent
from game.netrunner.table import Table, entry
from game.netrunner.windows import could_act, does_something_rezzed, useful_as_seen
from server.boards.games.netrunner import breaking, paying
from server.boards.games.netrunner.breaking import Breaking
from server.boards.games.netrunner.scene import (
    Shown,
    accessed,
    is_known,
    is_up,
    named,
    scene_of,
    setting,
    step_of,
    subs_of,
    table_of,
)
from server.boards.seats import own_seat

OPEN_ZONES = ("rig", "heap", "score", "stolen")  # pools of a choice in which everybody sees every card
ACCESS = ("steal", "leave")
END_OF_RUNNERS_TURN = "runner.2.3"  # its last window
RUN_TIMES = ("run.3.1", LAST_REZ)
TIMES = (("corp.2.2", "corp.2.3", END_OF_RUNNERS_TURN), ("runner.1.4", "runner.1.5", "corp.3.3"))  # by seat
Seen = tuple[int, int]  # a card's id and its advancements


@dataclass(frozen=True, slots=True)
class Errands:
    """What a player has left to the screen.

    `by_hand`: payments are asked. `told`: what was done since the last key, as actions; an access names its card.
    `is_news`: it was done to get to the decision that comes next, so it is told there.
    `wanted`: cards that are rezzed as soon as may be; `at_end`: in the last window of the Runner's turn.
    `asked`: the step of the window that is open and the cards it stopped for; `declined`: for which it need not stop
    again, with their advancements. `span`: for what that holds: the turn, how many runs it has had, whether one is on.
    `hushed`: own cards that never make a window stop. `to_access`: the run goes on until ice is met or a card accessed.
    `is_explained`: that windows stop for facedown cards, whatever they are, was said.
    """

    breaking: Breaking | None = None
    by_hand: bool = False
    told: tuple[str, ...] = ()
    is_news: bool = False
    wanted: tuple[int, ...] = ()
    at_end: tuple[int, ...] = ()
    asked: tuple[str, tuple[Seen, ...]] = ("", ())
    declined: tuple[Seen, ...] = ()
    span: tuple[int, int, bool] = (CORP, 0, False)
    hushed: tuple[int, ...] = ()
    to_access: bool = False
    is_explained: bool = False


IDLE = Errands()


def told_at(snapshot: Shown, errands: Errands) -> Errands:
    """Return what is told at a new decision: what led to it, nothing older; a window that goes by is none."""
    told = errands.told if errands.is_news else ()
    return replace(errands, told=told, is_news=errands.is_news and goes_by(snapshot, errands))


def followed(snapshot: Shown, errands: Errands) -> Errands:
    """Return what is left to do in a new position: a turn that is over takes what held for it along."""
    scene, t = scene_of(snapshot), table_of(snapshot)
    if errands.breaking is not None and not breaking.goes_on(snapshot, errands.breaking):
        errands = replace(errands, breaking=None)
    wanted, at_end = (_facedown(t, iids) for iids in (errands.wanted, errands.at_end))
    span = (scene.turn, scene.this_turn.count("made_run"), scene.run is not None)
    step, seen = errands.asked
    is_answered = bool(seen) and (snapshot.pending is None or step != step_of(scene))
    declined = (*errands.declined, *seen) if is_answered else errands.declined
    declined = declined if span == errands.span else ()
    on = errands.to_access and scene.run is not None
    left = replace(errands, wanted=wanted, at_end=at_end, declined=tuple(dict.fromkeys(declined)), span=span)
    left = replace(left, to_access=on, is_explained=left.is_explained or is_answered)
    return replace(left, asked=(step_of(scene), urgent_now(snapshot, left)) if is_window(snapshot) else ("", ()))


def _facedown(t: Table, iids: Iterable[int]) -> tuple[int, ...]:
    """Return which of these cards still lie face down."""
    return tuple(iid for iid in iids if iid in t.cards and not t.cards[iid].rezzed)


def is_window(snapshot: Shown) -> bool:
    """Tell whether the viewer is asked in a window."""
    return snapshot.pending is not None and snapshot.pending.window is not None


def urgent_now(snapshot: Shown, errands: Errands) -> tuple[Seen, ...]:
    """Return the cards for which the viewer stops in this window, as everybody sees, but for those declined before."""
    seat = own_seat(snapshot)
    found = urgent(table_of(snapshot), seat) if seat is not None else ()
    seen = ((card.iid, card.advancement) for card in found)
    return tuple(one for one in (*seen, *useful_now(snapshot, errands)) if one not in errands.declined)


def useful_now(snapshot: Shown, errands: Errands) -> tuple[Seen, ...]:
    """Return the own faceup cards with an ability that could matter at this step, as far as others can know.

    Those that are hushed are left out.
    With a card stands what there is to advance: an ability that was declined is offered again when that changes.
    """
    pending, seat, t = snapshot.pending, own_seat(snapshot), table_of(snapshot)
    if pending is None or pending.prompt != "window" or seat is None or not isinstance(pending.choice, OneOf):
        return ()
    if not is_time(scene_of(snapshot), seat):
        return ()
    advanced = sum(card.advancement for card in t.cards.values())
    found = [card.iid for card in useful_as_seen(t, seat, letters_now(t))]
    return tuple((iid, advanced) for iid in found if iid not in errands.hushed)


def is_time(scene: State, seat: int) -> bool:
    """Tell whether an ability that may be used at any time could matter at this step.

    That is where ice is met, before cards are accessed, in one's own turn, and at the end of the other side's.
    """
    return step_of(scene) in (*RUN_TIMES, *TIMES[seat])


def is_empty_stop(snapshot: Shown) -> bool:
    """Tell whether a window in which one can only pass stops for nothing: a bot reads nothing from a stop."""
    pending, seat = snapshot.pending, own_seat(snapshot)
    others = [info.player.kind for info in snapshot.seats if info.seat != seat]
    return pending is not None and pending.choice == JUST_PASS and all(kind == "bot" for kind in others)


def is_own_use(snapshot: Shown, text: str) -> bool:
    """Tell whether an action uses an own card that lies face up, as everybody sees."""
    words = tokens(text)
    card = named(snapshot, words[1]) if words[0] == "use" else None
    return card is not None and card.side == own_seat(snapshot) and is_up(card)


def goes_by(snapshot: Shown, errands: Errands) -> bool:
    """Tell whether this window goes by itself: by the setting for its step, or because nothing in it is urgent.

    Rezzing what nothing makes urgent is no reason to stop.
    """
    pending, seat, t = snapshot.pending, own_seat(snapshot), table_of(snapshot)
    if pending is None or pending.window is None or seat is None:
        return False
    step = step_of(scene_of(snapshot))
    mode = setting(snapshot, step)
    if passes_itself(t, seat, pending.choice, mode):
        return True
    if mode != "could" or not isinstance(pending.choice, OneOf):
        return False
    if is_empty_stop(snapshot):
        return True
    if urgent_now(snapshot, errands):
        return False
    texts = [action.text for action in pending.choice.actions]
    rest = [text for text in texts if not text.startswith(("rez ", "score "))]
    if pending.prompt == "window":  # what prevents harm is asked whenever it could
        rest = [text for text in rest if not is_own_use(snapshot, text)]
    return not could_act(t, seat, rest)


def rezzable(snapshot: Shown) -> list[Card]:
    """Return the viewer's own cards of roots that may be rezzed some time, and do something then."""
    if own_seat(snapshot) != CORP:
        return []
    cards = table_of(snapshot).cards.values()
    roots = [card for card in cards if card.place.startswith("root:") and not card.rezzed and is_known(card)]
    return [card for card in roots if FACTS[card.code].type in ("asset", "upgrade") and does_something_rezzed(card)]


def rezzing(snapshot: Shown, errands: Errands) -> Action | None:
    """Return the rezzing of a card that was to be rezzed as soon as it may be, or now."""
    pending, t = snapshot.pending, table_of(snapshot)
    if pending is None or pending.prompt != "window" or not isinstance(pending.choice, OneOf):
        return None
    due = (*errands.wanted, *(errands.at_end if step_of(scene_of(snapshot)) == END_OF_RUNNERS_TURN else ()))
    wanted = [Action(f"rez {ref(t, t.cards[iid], CORP)}") for iid in due if iid in t.cards]
    return next((action for action in wanted if action in pending.choice.actions), None)


def next_action(snapshot: Shown, errands: Errands) -> tuple[Action, Errands] | None:
    """Return what is sent at once, and what is left to do after it."""
    if snapshot.pending is None:
        return None
    if (rez := rezzing(snapshot, errands)) is not None:
        return rez, errands
    if not errands.by_hand and (paid := paying.best(snapshot)) is not None:
        return paid, _told(errands, spoken(snapshot, paid))
    if errands.breaking is not None and (found := breaking.step(snapshot, errands.breaking)) is not None:
        action, left = found
        return action, replace(errands, breaking=left)
    if errands.to_access and (on := going_on(snapshot)) is not None:
        return on, errands
    only = only_answer(snapshot)
    return (only, _told(errands, spoken(snapshot, only))) if only is not None else None


def going_on(snapshot: Shown) -> Action | None:
    """Return what lets a run go on to the access: not where ice is met that has a subroutine to be broken."""
    pending, t = snapshot.pending, table_of(snapshot)
    if pending is None or t.run is None or own_seat(snapshot) != RUNNER or not isinstance(pending.choice, OneOf):
        return None
    ice = t.cards.get(t.run.ice)
    if t.run.step == "run.3.1" and ice is not None and subs_of(t, ice) > len(t.run.broken):
        return None
    wanted = (Action("pass"),) if pending.prompt == "window" else (Action("continue"),)
    return next((action for action in wanted if action in pending.choice.actions), None)


def hushable(snapshot: Shown) -> list[Card]:
    """Return the own faceup cards with abilities for which a window may stop."""
    seat = own_seat(snapshot)
    cards = [card for card in table_of(snapshot).cards.values() if card.side == seat and is_known(card) and is_up(card)]
    return [card for card in cards if any(one.when in ("paid", "run") for one in entry(card.code).abilities)]


def _told(errands: Errands, text: str) -> Errands:
    return replace(errands, told=(*errands.told, text))


def spoken(snapshot: Shown, action: Action) -> str:
    """Return an action as it is told afterwards: with the card that was accessed, and cards that pay by their titles.

    An event that pays has left the table by then, and so may any other card.
    """
    if action.text.startswith("pay "):
        return " ".join(told_source(snapshot, word) for word in tokens(action.text))
    here = accessed(snapshot)
    return f"{action.text} {here.code}" if action.text in ACCESS and here is not None else action.text


def told_source(snapshot: Shown, word: str) -> str:
    """Return a word of a payment as it is told afterwards: a card by its title."""
    card = named(snapshot, word)
    return quoted(card.code) if card is not None else word


def only_answer(snapshot: Shown) -> Action | None:
    """Return the one answer there is, where everybody can see that there is no other; a window is none.

    What depends on a deck, a hand or a facedown card is asked like anything else. So is a card accessed anywhere but in
    Archives: the Runner has not seen it yet.
    """
    pending = snapshot.pending
    if pending is None or pending.window is not None or pending.secret:
        return None
    match pending.choice:
        case OneOf((only,)) if is_public(snapshot):
            return only
        case Subset("break" as verb, items, low, _) if low == len(items):
            return Action(" ".join((verb, *items)))
        case Number(verb, low, high) if low == high and pending.prompt in ("x", "link", "trace"):
            return Action(f"{verb} {low}")  # credits lie open
    return None


def is_public(snapshot: Shown) -> bool:
    """Tell whether everybody sees what there is to choose from."""
    pending = snapshot.pending
    assert pending is not None
    match pending.prompt:
        case "access":
            return True  # how many cards are accessed, and what lies in a root or in Archives, is open
        case "accessed":
            here = accessed(snapshot)
            known = changes.what_both_know_is_public(scene_of(snapshot).version)
            return known and here is not None and here.place == "archives"
        case "choose":
            return str(dict(pending.params).get("what", "")).partition(" ")[0] in OPEN_ZONES
    return False


def passing(snapshot: Shown, errands: Errands) -> Action | None:
    """Return the pass of a window that goes by here, and not by the seat's setting: that one the server makes."""
    pending, seat = snapshot.pending, own_seat(snapshot)
    if pending is None or seat is None or not goes_by(snapshot, errands):
        return None
    mode = setting(snapshot, step_of(scene_of(snapshot)))
    return None if passes_itself(table_of(snapshot), seat, pending.choice, mode) else Action("pass")
