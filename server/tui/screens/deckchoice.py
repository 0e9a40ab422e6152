"""Choosing the deck for one's seat in a room; which one it is stays hidden from the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from game.contract import Seat
from server.lobby.room import Room
from server.tui import keymap
from server.tui.keymap import Hint
from server.tui.lines import Line, plain, wrapped
from server.tui.screens import bringing
from server.tui.screens.chooser import Chooser
from server.tui.screens.page import Body, Page

if TYPE_CHECKING:
    from server.tui.app import Session


class DeckChoicePage(Page):
    """The decks that may be brought to a seat."""

    context: ClassVar[str] = "list"

    def __init__(self, session: Session, room: Room, seat: Seat) -> None:
        super().__init__(session)
        self.room, self.seat = room, seat
        self.game = room.snapshot().settings.game
        wished = bringing.wished_deck(session, self.game, seat)
        self.chooser = Chooser(self.values().index(wished))

    def values(self) -> tuple[str, ...]:
        """Return the decks there are for this seat."""
        return bringing.values(self.session, self.game, self.seat)

    def title(self) -> str:
        """Say for which side."""
        names = bringing.side_names(self.game)
        return self.session.t("form.deck-of", side=self.session.look.side(self.game, names[self.seat], self.seat))

    def body(self, cols: int, rows: int) -> Body:
        """Draw a line for each deck."""
        look = self.session.look
        lines: list[Line] = [(), *((("", "  "), *line) for line in wrapped(look.t("decks.hidden"), min(cols - 4, 76)))]
        lines.append(())
        found = self.values()
        self._first = len(lines)
        for at in self.chooser.window(len(found), max(1, rows - len(lines))):
            pointer = look.glyphs.pointer if at == self.chooser.index else " "
            text = f" {pointer} {bringing.word(look, self.game, found[at])}"
            lines.append(plain(text, "row" if at == self.chooser.index else ""))
        return Body(lines)

    def hints(self) -> tuple[Hint, ...]:
        """Return a list's keys."""
        return (*keymap.hints("list", ("open", "move")), *keymap.hints("everywhere", ("back",)))

    def press(self, key: str) -> bool:
        """Choose."""
        moved = self.chooser.press(key, len(self.values())) if key != "enter" else None
        if moved is not None:
            self.chooser = moved
            return True
        return super().press(key)

    def do_open(self) -> None:
        """Bring the chosen deck."""
        self.session.spawn(self._bring(self.values()[self.chooser.clamp(len(self.values())).index]))

    async def _bring(self, value: str) -> None:
        session = self.session
        bringing.wish_deck(session, self.game, self.seat, value)
        await self.room.bring(session.identity.player, bringing.brought_along(session, self.game, self.seat, value))
        if session.page is self:
            session.pop()
