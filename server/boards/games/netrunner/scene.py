"""What the Netrunner board reads from a view: who is asked, what lies where, what stands on a card."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from game.contract import Watcher
from game.netrunner.facts import CORP, FACTS, HIDDEN
from game.netrunner.places import find
from game.netrunner.queries import strength, subroutines
from game.netrunner.rules import DEFAULT_MODE, mode_at
from game.netrunner.state import Card, Hands, State
from game.netrunner.table import Table
from game.netrunner.view import NetrunnerView
from server.boards.seats import own_seat
from server.matches.model import ViewerState
from server.terminal.memo import by_identity

Shown: TypeAlias = ViewerState[NetrunnerView]  # what a viewer is shown of a match

ACTION = "action"  # the prompt of an action of one's own turn
COUNTED = ("advancement", "credit", "recurring", "virus", "power", "agenda")
INSTALLED = ("ice:", "root:", "rig", "hosted")


def scene_of(snapshot: Shown) -> State:
    """Return what the viewer knows of the table."""
    return snapshot.view.scene


def told_hands(view: NetrunnerView) -> Hands | None:
    """Return the hands that a watcher sees where they are open: as they were a turn ago; None where closed."""
    hands = view.scene.hands
    return hands[0] if hands is not None and view.viewer is Watcher.PUBLIC else None


@by_identity()
def _table(view: NetrunnerView) -> Table:
    t, hands = Table(view.scene), told_hands(view)
    for iid, code in hands.unrezzed if hands is not None else ():
        if iid in t.cards and not is_known(t.cards[iid]):
            t.change(iid, code=code)
    return t


def table_of(snapshot: Shown) -> Table:
    """Return the table as the rules' queries ask it; nothing on it may be changed."""
    return _table(snapshot.view)


def step_of(scene: State) -> str:
    """Return the timing step: the run's while there is one."""
    return scene.run.step if scene.run is not None else scene.step


def holder(snapshot: Shown) -> int | None:
    """Return the seat that is asked, and so has priority; None when the match is over."""
    awaited = snapshot.view.awaited
    return awaited[0][0] if awaited else None


def column(t: Table, server: str) -> list[Card]:
    """Return the ice of a server, outermost first: in the order in which a run meets it."""
    return [*reversed(t.ice(server))]


def standing(t: Table, server: str) -> list[Card]:
    """Return a server's cards as they are drawn, from its root down: each with what it hosts below it."""
    return [one for card in (*t.root(server), *t.ice(server)) for one in (card, *t.hosted(card.iid))]


def is_known(card: Card) -> bool:
    """Tell whether the viewer knows which card this is."""
    return card.code != HIDDEN


def is_up(card: Card) -> bool:
    """Tell whether a card lies face up."""
    return card.rezzed or not card.place.startswith(INSTALLED)


def strength_of(t: Table, card: Card) -> int | None:
    """Return the strength of ice or a breaker, None where it has none or is not known."""
    if not is_known(card) or (FACTS[card.code].type != "ice" and "icebreaker" not in FACTS[card.code].subtypes):
        return None
    return strength(t, card)


def subs_of(t: Table, card: Card) -> int:
    """Return how many subroutines a known card has."""
    return len(subroutines(t, card)) if is_known(card) else 0


def counters_of(card: Card) -> Iterator[tuple[str, int]]:
    """Yield the kinds of counters on a card with their numbers."""
    for kind in COUNTED:
        if n := getattr(card, kind):
            yield kind, n


def rig_rows(t: Table) -> tuple[list[Card], list[Card], list[Card]]:
    """Return what the Runner has installed: programs, hardware, resources; what is hosted follows its host.

    What ice hosts comes after the other programs.
    """
    rows: tuple[list[Card], list[Card], list[Card]] = ([], [], [])
    kinds = ("program", "hardware", "resource")
    for card in t.at("rig"):
        at = kinds.index(FACTS[card.code].type) if is_known(card) and FACTS[card.code].type in kinds else 2
        rows[at].append(card)
        rows[at].extend(t.hosted(card.iid))
    rows[0].extend(card for card in t.rig() if card.host and t.cards[card.host].place.startswith("ice:"))
    return rows


def hand_of(scene: State, side: int) -> tuple[str, ...]:
    """Return the codes of a hand, "?" for what the viewer does not know."""
    return scene.hq if side == CORP else scene.grip


def counted(codes: tuple[str, ...]) -> list[tuple[str, int]]:
    """Return the known cards of a row with how many there are of each, in order of arrival."""
    return [(code, codes.count(code)) for code in dict.fromkeys(codes) if code != HIDDEN]


@dataclass(frozen=True, slots=True)
class Accessed:
    """The card that is being accessed, as far as the viewer knows it."""

    code: str
    place: str


def accessed(snapshot: Shown) -> Accessed | None:
    """Return the card that is being accessed just now, None when there is none."""
    scene = scene_of(snapshot)
    for frame in reversed(scene.frames):
        if frame.op != "access":
            continue
        data = dict(frame.data)
        iid, zone, index = data.get("iid"), str(data.get("zone", "")), data.get("index")
        if iid:
            card = next((one for one in scene.cards if one.iid == iid), None)
            return Accessed(card.code, card.place) if card is not None else None
        row = {"hq": scene.hq, "rd": scene.rd, "archives": tuple(code for code, _ in scene.archives)}.get(zone, ())
        return Accessed(row[index], zone) if isinstance(index, int) and index < len(row) else None
    return None


def named(snapshot: Shown, text: str) -> Card | None:
    """Return the card on the table that a reference of the viewer's own choice names, or None."""
    seat = own_seat(snapshot)
    return find(table_of(snapshot), text, seat) if seat is not None else None


def ice_met(t: Table) -> Card | None:
    """Return the ice that is approached or encountered, None between ice and at the server."""
    run = t.run
    if run is None or not run.step.startswith(("run.2", "run.3")):
        return None
    return t.cards.get(run.ice)


def is_met(t: Table, card: Card) -> bool:
    """Tell whether a run approaches or encounters this piece of ice."""
    met = ice_met(t)
    return met is not None and met.iid == card.iid


def setting(snapshot: Shown, step: str) -> str:
    """Return when the viewer stops at a step: 'always', 'could', 'never', or 'turn' (not in this turn)."""
    seat = own_seat(snapshot)
    return mode_at(scene_of(snapshot), seat, step) if seat is not None else DEFAULT_MODE


def score_row(t: Table, side: int) -> list[Card]:
    """Return the agendas a side has scored or stolen."""
    return t.at(("score:corp", "score:runner")[side])
