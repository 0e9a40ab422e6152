"""Which tutorial: one a game, or one a side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from game import registry
from server.boards.lesson import parts
from server.screens.listpage import ListPage
from server.screens.playnow import playable
from server.session import places
from server.session.page import Body
from server.session.session import Session
from server.terminal.lines import Line
from server.terminal.look import Look
from server.terminal.stage import READING


def tutorials(games: Sequence[str]) -> list[tuple[str, str]]:
    """Return the tutorials of some games (none: of all that are played here): the game and its part."""
    return [(game, part) for game in games or playable() for part in parts(game)]


def name_of(game: str, part: str, look: Look) -> str:
    """Return what a tutorial is about."""
    names = registry.get(game).seat_names(registry.get(game).seats.start)
    if part not in names:
        return look.game(game)
    return look.t("tutorial.of-side", game=look.game(game), side=look.side(game, part, names.index(part)))


class TutorialsPage(ListPage):
    """The tutorials there are."""

    measure = READING
    context: ClassVar[str] = "list"

    def __init__(self, session: Session, found: Sequence[tuple[str, str]]) -> None:
        super().__init__(session)
        self.found = tuple(found)

    def title(self) -> str:
        """Say what is chosen here."""
        return self.session.t("keys.lobby.tutorial")

    def body(self, cols: int, rows: int) -> Body:
        """Draw a line for each."""
        look, lines = self.session.look, list[Line]([()])
        for at in self.window(len(lines), max(1, rows - len(lines))):
            lines.append(self.marked(at, name_of(*self.found[at], look)))
        return Body(lines)

    def count(self) -> int:
        """Return how many rows there are."""
        return len(self.found)

    def do_open(self) -> None:
        """Begin."""
        self.session.go(places.TutorialPlace(*self.found[self.chooser.index]), instead=True)
