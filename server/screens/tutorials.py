"""Which tutorial: one a game, or one a side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from game import registry
from server.boards.gamefacts import about, game_words, playable
from server.boards.gamestyle import game_style
from server.boards.lesson import lessons, parts
from server.screens.columns import Column
from server.screens.gametable import card_lines
from server.screens.listpage import ListPage
from server.session import places
from server.session.page import Body
from server.session.session import Session
from server.terminal.itemlines import POINTER_COLS
from server.terminal.lines import Line, block, inset, wrapped
from server.terminal.look import Look
from server.terminal.stage import READING

NAME_COLS: Final = 20
STATE_COLS: Final = 12  # of how far one has come
TABLE_GAP: Final = 2  # blank lines between the list and the games
WIDE_COLS: Final = 70  # of a list that says what each game is


def tutorials(games: Sequence[str]) -> list[tuple[str, str]]:
    """Return the tutorials of some games (none: of all that are played here): the game and its part."""
    return [(game, part) for game in games or playable() for part in parts(game)]


def name_of(game: str, part: str, look: Look) -> str:
    """Return what a tutorial is about."""
    names = registry.get(game).seat_names(registry.get(game).seats.start)
    if part not in names:
        return look.game(game)
    return look.t("tutorial.of-side", game=look.game(game), side=look.side(game, part, names.index(part)))


class TutorialsPage(ListPage[tuple[str, str]]):
    """The tutorials there are."""

    measure = READING
    context: ClassVar[str] = "list"

    def __init__(self, session: Session, found: Sequence[tuple[str, str]]) -> None:
        super().__init__(session)
        self.found = tuple(found)
        self._has_cards = False  # which say what each game is

    def landing(self) -> str:
        return "tutorials"

    def title(self) -> str:
        return self.session.t("keys.lobby.tutorial")

    def body(self, cols: int, rows: int) -> Body:
        """Draw a line for each, and below them the games; where they have no room, what the chosen one is about."""
        cards = self._cards(cols)
        self._has_cards = bool(cards) and self.count() + TABLE_GAP + len(cards) <= rows
        lines = [*self.list_lines(0, rows), *self._below(cols)]
        return Body([*block(lines, cols, rows - len(cards)), *cards] if self._has_cards else lines)

    def lines_needed(self) -> int:
        return self.count() + TABLE_GAP + len(self._cards(self.most_cols))

    def _cards(self, cols: int) -> Sequence[Line]:
        return card_lines(self.session.look, cols, list(dict.fromkeys(game for game, _ in self.found)))

    def _below(self, cols: int) -> list[Line]:
        if self.size[0] >= WIDE_COLS or not self.found:
            return []
        game, _ = self.found[self.chooser.clamp(len(self.found)).index]
        return [(), *inset(wrapped(about(game, self.session.look), cols - POINTER_COLS - 1, "dim"), POINTER_COLS)]

    def columns(self) -> tuple[Column[tuple[str, str]], ...]:
        """Return the name, and what the game is."""
        look = self.session.look
        has_room = self.size[0] >= WIDE_COLS and not self._has_cards  # half a sentence tells nothing
        return (
            Column("", NAME_COLS, lambda one: name_of(*one, look), lambda one: game_style(one[0])),
            Column("", STATE_COLS, lambda one: self._state(*one), "dim"),
            Column(
                "",
                0,
                lambda one: about(one[0], look) if has_room else "",
                "dim",
                said=lambda one: game_words(one[0], look),
            ),
        )

    def _state(self, game: str, part: str) -> str:
        """Say at which step of a tutorial one goes on, or that it was finished."""
        person, of = self.session.person, len(lessons(game, part))
        if at := person.lesson(game, part, of):
            return self.session.t("tutorial.goes-on", n=at + 1, of=of)
        return self.session.t("tutorial.was-finished") if person.has_finished_lessons(game, part) else ""

    def listed(self) -> tuple[tuple[str, str], ...]:
        """Return the tutorials: the game and its part."""
        return self.found

    def do_open(self) -> None:
        """Begin."""
        self.session.go(places.TutorialPlace(*self.found[self.chooser.index]))
