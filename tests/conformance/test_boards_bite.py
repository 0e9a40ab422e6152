"""The battery for boards itself: each fault planted in RaiNet's board is found by the check that should find it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count

import pytest

from game.contract import Action
from game.rainet.view import View
from server.boards.board import AnyBoard
from server.boards.games.rainet.board import RaiNetBoard
from server.boards.games.rainet.selection import Selection
from server.matches.model import SeenEvent, ViewerState
from server.terminal.hint import Hint
from server.terminal.lines import Line, plain, width_cols
from server.terminal.look import Look
from tests.conformance.boards import LOOKS, table_faults, words_of
from tests.conformance.play import Case, Moment, played
from tests.conformance.test_boards import log_faults, look_faults, reach_faults, spell_faults
from tests.texts import read_catalogue

CASE = Case("rainet", 2)
SAID = words_of(str(message.string) for message in read_catalogue("en"))
Shown = ViewerState[View]


@pytest.fixture(autouse=True)
def fixed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play the match in which the faults are known to show."""
    monkeypatch.delenv("TEST_SEED", raising=False)


def moments() -> list[Moment]:
    """Return a moment of one match, when all have set up."""
    return [moment for moment in played(CASE) if moment.fold.seq == 60]


class SendsWhatIsNotOffered(RaiNetBoard):
    """Sends a move that is not legal."""

    def press(self, snapshot: Shown, chosen: Selection, key: str) -> Selection | Action | None:
        return Action("a1a8") if key == "enter" else super().press(snapshot, chosen, key)


class ForgetsAKey(RaiNetBoard):
    """Shows the key of the line boost, and does nothing."""

    def press(self, snapshot: Shown, chosen: Selection, key: str) -> Selection | Action | None:
        return None if key == "b" else super().press(snapshot, chosen, key)


class HasASecretKey(RaiNetBoard):
    """Takes a key that no table has."""

    def press(self, snapshot: Shown, chosen: Selection, key: str) -> Selection | Action | None:
        return chosen if key == "f12" else super().press(snapshot, chosen, key)


class IgnoresTheMouse(RaiNetBoard):
    """Takes no click, and shows no key that one could click on."""

    def keys(self, snapshot: Shown, chosen: Selection) -> tuple[Hint, ...]:
        return ()

    def click(
        self, snapshot: Shown, chosen: Selection, look: Look, cols: int, rows: int, col: int, row: int
    ) -> Selection | Action | None:
        return None


class ShowsAStrangeKey(RaiNetBoard):
    """Shows a key that is not in its contexts."""

    def keys(self, snapshot: Shown, chosen: Selection) -> tuple[Hint, ...]:
        return (*super().keys(snapshot, chosen), Hint("up", "keys.relati.move", ("up",)))


class Drawn(RaiNetBoard):
    """Draws what its subclass makes of the lines."""

    def changed(self, lines: list[Line], look: Look) -> list[Line]:
        return lines

    def render(
        self,
        snapshot: Shown,
        chosen: Selection,
        look: Look,
        cols: int,
        rows: int,
        events: Sequence[SeenEvent] = (),
    ) -> list[Line]:
        return self.changed(super().render(snapshot, chosen, look, cols, rows, events), look)


class IsTooWide(Drawn):
    """Draws one column more than there is room for."""

    def changed(self, lines: list[Line], look: Look) -> list[Line]:
        return [(*lines[0], ("", "x")), *lines[1:]]


class IsTooLong(Drawn):
    """Draws one row more than it was asked for."""

    def changed(self, lines: list[Line], look: Look) -> list[Line]:
        return [*lines, ()]


class ForgetsTheGlyphs(Drawn):
    """Draws a character that ASCII has not."""

    def changed(self, lines: list[Line], look: Look) -> list[Line]:
        return [plain("⌘"), *lines[1:]]


class HasAStyleOfItsOwn(Drawn):
    """Draws in a style that no palette has."""

    def changed(self, lines: list[Line], look: Look) -> list[Line]:
        return [plain("x", "pink"), *lines[1:]]


class CutsWords(Drawn):
    """Ends a text in the middle of a word where there is little room."""

    def changed(self, lines: list[Line], look: Look) -> list[Line]:
        return lines if width_cols(lines[0]) > 40 else [plain("the termina"), *lines[1:]]


class DrawsByItself(Drawn):
    """Draws something else each time, whatever the view."""

    times = count()

    def changed(self, lines: list[Line], look: Look) -> list[Line]:
        return [plain(str(next(self.times))), *lines[1:]]


class HasNoWords(RaiNetBoard):
    """Says message keys."""

    def status(self, snapshot: Shown, chosen: Selection, look: Look) -> Line:
        return plain(look.t("rainet.do.no-such-key"))


class HasNoWordsForEvents(RaiNetBoard):
    """Says message keys in the log."""

    def say(self, snapshot: Shown, look: Look, event: SeenEvent) -> str:
        return f"rainet.event.{event.kind}"


def reaching(board: AnyBoard) -> list[str]:
    return reach_faults(CASE, board, moments())


def looking(board: AnyBoard) -> list[str]:
    return look_faults(CASE, board, moments(), LOOKS)


def spelling(board: AnyBoard) -> list[str]:
    return spell_faults(CASE, board, moments(), SAID)


def logging(board: AnyBoard) -> list[str]:
    return log_faults(CASE, board, moments())


@pytest.mark.parametrize("check", [reaching, looking, spelling, logging])
def test_the_board_itself_is_without_fault(check: Callable[[AnyBoard], list[str]]) -> None:
    assert check(RaiNetBoard()) == []


@pytest.mark.parametrize(
    ("check", "board", "said"),
    ids=lambda value: getattr(value, "__name__", type(value).__name__ if isinstance(value, RaiNetBoard) else ""),
    argvalues=[
        (reaching, SendsWhatIsNotOffered(), "not offered"),
        (reaching, ForgetsAKey(), "not +"),
        (reaching, ForgetsAKey(), "does nothing"),
        (reaching, HasASecretKey(), "'f12' is not bound"),
        (reaching, IgnoresTheMouse(), "mouse: not "),
        (reaching, ShowsAStrangeKey(), "keys.relati.move is not in a context"),
        (looking, IsTooWide(), "columns of"),
        (looking, IsTooLong(), "rows of"),
        (looking, ForgetsTheGlyphs(), "not ASCII"),
        (looking, HasAStyleOfItsOwn(), "no style 'pink'"),
        (looking, DrawsByItself(), "otherwise when it comes again"),
        (looking, HasNoWords(), "no words: 'rainet.do.no-such-key'"),
        (spelling, CutsWords(), "'termina' in"),
        (logging, HasNoWordsForEvents(), "rainet.event."),
    ],
)
def test_a_planted_fault_is_found(check: Callable[[AnyBoard], list[str]], board: AnyBoard, said: str) -> None:
    assert [fault for fault in check(board) if said in fault] != []


def test_a_board_without_its_key_table_is_found() -> None:
    class Nowhere(RaiNetBoard):
        game = "nowhere"

    assert table_faults(RaiNetBoard(), "rainet") == []
    assert table_faults(Nowhere(), "nowhere") == ["nowhere has no key table of its own"]
