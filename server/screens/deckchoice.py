"""Choosing one's decks in a room, for either side; which ones they are stays hidden from the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from game.contract import Json, Seat
from game.options import BOTH_SIDES
from server.boards import keymap
from server.boards.decks import Options
from server.lobby.room import Room
from server.screens import bringing
from server.screens.chooser import Chooser
from server.screens.columns import Column
from server.screens.listpage import ListPage
from server.session.page import Body
from server.session.session import Session
from server.terminal.hint import Hint
from server.terminal.itemlines import said_lines
from server.terminal.items import Said
from server.terminal.lines import joined

AROUND = 6  # rows besides those of the decks


class DeckChoicePage(ListPage[str]):
    """The decks that may be brought to a seat: for its side, and for the other one, which is played next."""

    context: ClassVar[str] = "deckchoice"

    def __init__(self, session: Session, room: Room, seat: Seat) -> None:
        super().__init__(session)
        self.room, self.seat = room, seat
        self.game = room.snapshot().agreement.game
        self.side = int(seat)
        self._turn(self.side)

    def _turn(self, side: int) -> None:
        """Show the decks for a side, with the cursor on the one that is brought."""
        self.side = side
        self._brought = bringing.value_brought(self.session, self.game, self.seat, side, self._brings())
        listed = self.listed()
        self.chooser = Chooser(listed.index(self._brought) if self._brought in listed else 0)

    def _brings(self) -> Mapping[str, Json]:
        return self.room.brought_by(self.session.identity.player)

    @property
    def is_of_two(self) -> bool:
        """Tell whether the room plays two games, the second one with sides changed."""
        return bool(self.options.get(BOTH_SIDES))

    @property
    def options(self) -> Options:
        """Return what the room plays by: its format says which decks it takes."""
        settings = self.room.snapshot().settings
        return settings.agreement.options if settings.agreement.game == self.game else {}

    def listed(self) -> tuple[str, ...]:
        """Return the decks there are for this side, the usual one first."""
        return bringing.all_values(self.session, self.game, self.side)

    def chosen(self) -> str:
        """Return the deck under the cursor."""
        return super().chosen() or bringing.USUAL

    def reasons(self) -> list[str]:
        """Return why the chosen deck can't be brought."""
        return bringing.reasons(self.session, self.game, self.side, self.chosen(), self.options)

    def title(self) -> str:
        names = bringing.side_names(self.game)
        return self.session.t("form.deck-of", side=self.session.look.side(self.game, names[self.side], self.side))

    def lines_needed(self) -> int:
        return self.count() + AROUND

    def body(self, cols: int, rows: int) -> Body:
        head, foot = [(), *said_lines(self.above(), cols), ()], [(), *said_lines(self.below(), cols)]
        return Body([*head, *self.list_lines(len(head), max(1, rows - len(head) - len(foot))), *foot])

    def columns(self) -> tuple[Column[str], ...]:
        """Return which deck is brought now and which may not be, and the names."""
        look = self.session.look
        return (
            Column("", 1, self._mark, gap=1, said=lambda deck: ""),
            Column("", 0, lambda deck: bringing.word(look, self.game, self.side, deck), said=self._said),
        )

    def row_style_of(self, row: str) -> str:
        """Return the style of a deck's row."""
        return "" if self._is_legal(row) else "dim"

    def _mark(self, deck: str) -> str:
        if not self._is_legal(deck):
            return "!"
        return self.session.look.glyphs.yes if deck == self._brought else ""

    def _is_legal(self, deck: str) -> bool:
        return bringing.is_legal(self.session, self.game, self.side, deck, self.options)

    def _said(self, deck: str) -> str:
        name, t = bringing.word(self.session.look, self.game, self.side, deck), self.session.t
        return name if self._is_legal(deck) else t("list.comma").join((name, t("decks.is-not-legal")))

    def above(self) -> list[Said]:
        """Say for which game it is, and who sees the choice."""
        which = "first" if self.side == self.seat else "second"
        told = f"decks.for-{which}" if self.is_of_two else "decks.for-now" if which == "first" else "decks.for-rematch"
        return [Said(joined((self.session.t(told), self.session.t("decks.hidden"))))]

    def hints(self) -> tuple[Hint, ...]:
        """Return what enter does here, and the keys that go to another deck and to the other side."""
        moves = (hint.named("keys.deckchoice.move") for hint in keymap.hints("list", ("move",)))
        sides = keymap.hints("deckchoice", ("side",)) if self._has_other_side() else ()
        return (*keymap.hints("deckchoice", ("open",)), *moves, *sides, *keymap.hints("everywhere", ("back",)))

    def _has_other_side(self) -> bool:
        names = bringing.side_names(self.game)
        return len(names) == 2 and bool(bringing.name_for(self.game, self.seat, 1 - self.seat))

    def do_side(self) -> None:
        """Choose among the decks for the other side."""
        if self._has_other_side():
            self._turn(1 - self.side)

    def below(self) -> list[Said]:
        """Say what the chosen deck is, and the first reason why it can't be brought."""
        told = [Said(bringing.summary(self.session, self.game, self.side, self.chosen()), "title")]
        if wrong := self.reasons():
            more = self.session.t("deckedit.more", n=len(wrong) - 1) if len(wrong) > 1 else ""
            told.append(Said(joined((wrong[0], more)), "bad"))
        return told

    def do_open(self) -> None:
        """Bring the chosen deck, unless it is not legal here."""
        if self.reasons():
            self.session.prompts.notice("decks.not-legal-here", "bad")
        else:
            self.session.spawn(self._bring(self.chosen()))

    async def _bring(self, value: str) -> None:
        session, side = self.session, self.side
        bringing.wish_deck(session, self.game, side, value)
        brings: Mapping[str, Json] = self._brings()
        brings = bringing.with_deck(session, self.game, self.seat, side, value, brings, self.options)
        other = 1 - side
        if self._has_other_side() and bringing.name_for(self.game, self.seat, other) not in brings:
            liked = bringing.wished_deck(session, self.game, other, self.options)
            brings = bringing.with_deck(session, self.game, self.seat, other, liked, brings, self.options)
        await self.room.bring(session.identity.player, brings)
        if session.pages.top is not self:
            return
        if self.is_of_two and side == self.seat and self._has_other_side():
            self._turn(1 - side)
            session.dirty()
        else:
            session.pages.pop()
