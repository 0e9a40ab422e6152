"""The battery for what boards say: each fault planted in RaiNet's board is found by the check that should find it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from game.contract import Seat
from game.rainet.view import View
from server.boards.board import MoveGroup
from server.boards.games.rainet.board import RaiNetBoard
from server.matches.model import SeenEvent, ViewerState
from server.terminal.look import Look
from tests.conformance.boards import shown
from tests.conformance.play import Case, Moment, played
from tests.conformance.spoken import event_faults, move_faults, name_faults, position_faults

CASE = Case("rainet", 2)
LOOK = Look().heard()
Shown = ViewerState[View]


@pytest.fixture(autouse=True)
def fixed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play the match in which the faults are known to show."""
    monkeypatch.delenv("TEST_SEED", raising=False)


def moment() -> Moment:
    """Return a moment of a match, when all have set up."""
    return next(one for one in played(CASE) if one.fold.seq == 60)


class LeavesAnActionOut(RaiNetBoard):
    """Names all actions but one."""

    def spoken_moves(self, snapshot: Shown, look: Look) -> tuple[MoveGroup, ...]:
        first, *rest = RaiNetBoard.spoken_moves(snapshot, look)
        return (replace(first, moves=first.moves[1:]), *rest)


class NamesAnActionTwice(RaiNetBoard):
    """Names the first action in a group of its own too."""

    def spoken_moves(self, snapshot: Shown, look: Look) -> tuple[MoveGroup, ...]:
        found = RaiNetBoard.spoken_moves(snapshot, look)
        return (*found, MoveGroup("Again", found[0].moves[:1]))


class NamesWhatIsNotOffered(RaiNetBoard):
    """Names a move that is not legal."""

    def spoken_moves(self, snapshot: Shown, look: Look) -> tuple[MoveGroup, ...]:
        return (*RaiNetBoard.spoken_moves(snapshot, look), MoveGroup("More", (("a1a8", "far"),)))


class SaysNoWords(RaiNetBoard):
    """Names actions by their notation alone."""

    def spoken_moves(self, snapshot: Shown, look: Look) -> tuple[MoveGroup, ...]:
        found = RaiNetBoard.spoken_moves(snapshot, look)
        return tuple(replace(group, moves=tuple((text, "") for text, _ in group.moves)) for group in found)


class Draws(RaiNetBoard):
    """Says the position with a picture beside it."""

    def spoken(self, snapshot: Shown, look: Look) -> tuple[str, ...]:
        return (*RaiNetBoard.spoken(snapshot, look), "▲ south ▒")


class GoesOn(RaiNetBoard):
    """Says the position again and again."""

    def spoken(self, snapshot: Shown, look: Look) -> tuple[str, ...]:
        return RaiNetBoard.spoken(snapshot, look) * 9


class AsksAtLength(RaiNetBoard):
    """Asks in more words than one wants to hear each time."""

    def spoken_prompt(self, snapshot: Shown, look: Look) -> str:
        return "It is your move now, so do with your cards whatever you think is best."


class KnowsNoSquare(RaiNetBoard):
    """Knows nothing by name."""

    def spoken_of(self, snapshot: Shown, look: Look, what: str) -> tuple[str, ...]:
        return ()


class TellsInSigns(RaiNetBoard):
    """Tells what happens with an arrow."""

    def say(self, snapshot: Shown, look: Look, event: SeenEvent) -> str:
        return "c2 → c3"


class TellsNoName(RaiNetBoard):
    """Leaves out who does it."""

    def say(self, snapshot: Shown, look: Look, event: SeenEvent) -> str:
        return "c2 ?"


class TellsAPlaceAsRulesWriteIt(RaiNetBoard):
    """Says a place as it stands in an event."""

    def say(self, snapshot: Shown, look: Look, event: SeenEvent) -> str:
        return "c2 ice:hq"


@pytest.mark.parametrize(
    "planted",
    [LeavesAnActionOut, NamesAnActionTwice, NamesWhatIsNotOffered, SaysNoWords],
    ids=lambda kind: kind.__name__,
)
def test_a_fault_of_the_actions_is_found(planted: type[RaiNetBoard]) -> None:
    (seat,) = (owed.seat for owed in CASE.game.pending(moment().fold.state))
    assert move_faults(RaiNetBoard(), shown(CASE, moment(), seat), LOOK) == []
    assert move_faults(planted(), shown(CASE, moment(), seat), LOOK) != []


@pytest.mark.parametrize("planted", [Draws, GoesOn, AsksAtLength], ids=lambda kind: kind.__name__)
def test_a_fault_of_what_is_heard_first_is_found(planted: type[RaiNetBoard]) -> None:
    assert position_faults(RaiNetBoard(), shown(CASE, moment(), Seat(0)), LOOK) == []
    assert position_faults(planted(), shown(CASE, moment(), Seat(0)), LOOK) != []


def test_a_square_that_says_nothing_is_found() -> None:
    assert name_faults(RaiNetBoard(), shown(CASE, moment(), Seat(0)), LOOK) == []
    assert name_faults(KnowsNoSquare(), shown(CASE, moment(), Seat(0)), LOOK) != []


@pytest.mark.parametrize("planted", [TellsInSigns, TellsNoName, TellsAPlaceAsRulesWriteIt])
def test_an_event_in_signs_is_found(planted: type[RaiNetBoard]) -> None:
    assert event_faults(RaiNetBoard(), shown(CASE, moment(), Seat(0)), moment(), LOOK) == []
    assert event_faults(planted(), shown(CASE, moment(), Seat(0)), moment(), LOOK) != []
