"""Choosing the deck for one's seat in a room; which one it is stays hidden from the others."""

from __future__ import annotations

from typing import ClassVar

from game.contract import Seat
from server.boards.decks import Options
from server.lobby.room import Room
from server.screens import bringing
from server.screens.chooser import Chooser
from server.screens.columns import Column
from server.screens.listpage import ListPage
from server.session.page import Body
from server.session.session import Session
from server.terminal.itemlines import said_lines
from server.terminal.items import Said

AROUND = 6  # rows besides those of the decks


class DeckChoicePage(ListPage[str]):
    """The decks that may be brought to a seat."""

    context: ClassVar[str] = "list"

    def __init__(self, session: Session, room: Room, seat: Seat) -> None:
        super().__init__(session)
        self.room, self.seat = room, seat
        self.game = room.snapshot().agreement.game
        self._brought = bringing.wished_deck(session, self.game, seat, self.options)
        self.chooser = Chooser(self.listed().index(self._brought))

    @property
    def options(self) -> Options:
        """Return what the room plays by: its format says which decks it takes."""
        settings = self.room.snapshot().settings
        return settings.agreement.options if settings.agreement.game == self.game else {}

    def listed(self) -> tuple[str, ...]:
        """Return the decks there are for this seat, the usual one first."""
        return bringing.all_values(self.session, self.game, self.seat)

    def chosen(self) -> str:
        """Return the deck under the cursor."""
        return super().chosen() or bringing.USUAL

    def reasons(self) -> list[str]:
        """Return why the chosen deck can't be brought."""
        return bringing.reasons(self.session, self.game, self.seat, self.chosen(), self.options)

    def title(self) -> str:
        """Say for which side."""
        names = bringing.side_names(self.game)
        return self.session.t("form.deck-of", side=self.session.look.side(self.game, names[self.seat], self.seat))

    def lines_needed(self) -> int:
        """Return how many lines it has."""
        return self.count() + AROUND

    def body(self, cols: int, rows: int) -> Body:
        """Draw a line for each deck."""
        head, foot = [(), *said_lines(self.above(), cols), ()], [(), *said_lines(self.below(), cols)]
        return Body([*head, *self.list_lines(len(head), max(1, rows - len(head) - len(foot))), *foot])

    def columns(self) -> tuple[Column[str], ...]:
        """Return which deck is brought now and which may not be, and the names."""
        look = self.session.look
        return (
            Column("", 1, self._mark, gap=1, said=lambda deck: ""),
            Column("", 0, lambda deck: bringing.word(look, self.game, self.seat, deck), said=self._said),
        )

    def row_style_of(self, row: str) -> str:
        """Return the style of a deck's row."""
        return "" if self._is_legal(row) else "dim"

    def _mark(self, deck: str) -> str:
        if not self._is_legal(deck):
            return "!"
        return self.session.look.glyphs.yes if deck == self._brought else ""

    def _is_legal(self, deck: str) -> bool:
        return bringing.is_legal(self.session, self.game, self.seat, deck, self.options)

    def _said(self, deck: str) -> str:
        name, t = bringing.word(self.session.look, self.game, self.seat, deck), self.session.t
        return name if self._is_legal(deck) else t("list.comma").join((name, t("decks.is-not-legal")))

    def above(self) -> list[Said]:
        """Say who sees the choice."""
        return [Said(self.session.t("decks.hidden"))]

    def below(self) -> list[Said]:
        """Say what the chosen deck is, and the first reason why it can't be brought."""
        told = [Said(bringing.summary(self.session, self.game, self.seat, self.chosen()), "title")]
        if wrong := self.reasons():
            more = f" {self.session.t('deckedit.more', n=len(wrong) - 1)}" if len(wrong) > 1 else ""
            told.append(Said(f"{wrong[0]}{more}", "bad"))
        return told

    def do_open(self) -> None:
        """Bring the chosen deck, unless it is not legal here."""
        if self.reasons():
            self.session.prompts.notice("decks.not-legal-here", "bad")
        else:
            self.session.spawn(self._bring(self.chosen()))

    async def _bring(self, value: str) -> None:
        session = self.session
        bringing.wish_deck(session, self.game, self.seat, value)
        brings = bringing.brought_along(session, self.game, self.seat, value, self.options)
        await self.room.bring(session.identity.player, brings)
        if session.pages.top is self:
            session.pages.pop()
