"""The leaderboards, one ladder at a time."""

from __future__ import annotations

from game import registry
from server.boards import keymap
from server.ratings.ladders import ladders
from server.ratings.ratings import Ranked
from server.ratings.scale import SETTLED_AFTER
from server.screens.chooser import Chooser
from server.screens.listpage import ListPage
from server.session import places
from server.session.page import Body
from server.session.session import Session
from server.terminal.hint import Hint
from server.terminal.lines import (
    Line,
    Span,
    columns,
    inset,
    pad,
    pad_left,
    plain,
    wrapped,
)

NAME_COLS, NUMBER_COLS = 20, 9


def shown_ladders() -> tuple[str, ...]:
    """Return every ladder, the games in the order in which the server lists them."""
    return tuple(ladder for game in registry.in_order(registry.KEYS) for ladder in ladders(game))


class LaddersPage(ListPage):
    """Who is strongest, by ladder."""

    context = "ladders"

    def __init__(self, session: Session, ladder: str = "") -> None:
        super().__init__(session)
        self.names = shown_ladders()
        self.index = self.names.index(ladder) if ladder in self.names else 0
        self.rows: list[Ranked] | None = None

    def start(self) -> None:
        """Fetch the first ladder."""
        self.session.spawn(self._load())

    async def _load(self) -> None:
        name = self.names[self.index]
        rows = await self.session.services.ratings.top(name)
        if name == self.names[self.index]:
            hidden = self.session.person.blocked
            self.rows, self.chooser = [row for row in rows if row.account_id not in hidden], Chooser()

    def title(self) -> str:
        """Say which ladder."""
        return f"{self.session.t('ladders.title')} · {self.session.t(f'ladder.{self.names[self.index]}')}"

    def help_topic(self) -> str:
        """Return the game of the ladder."""
        return self.names[self.index].partition("-")[0]

    def body(self, cols: int, rows: int) -> Body:
        """Draw the ladder's head and as many places as fit."""
        t = self.session.t
        head: list[Line] = [*self._tabs(cols), ()]
        if self.rows is None:
            return Body([*head, plain(f" {t('page.loading')}", "dim")])
        if not self.rows:
            return Body([*head, *inset(wrapped(t("ladders.empty", n=SETTLED_AFTER), cols - 2))])
        head.append(self._row("dim", "", t("ladders.player"), t("ladders.rating"), t("ladders.matches")))
        window = self.window(len(head), rows - len(head))
        return Body([*head, *(self._line(i) for i in window)])

    def _tabs(self, cols: int) -> list[Line]:
        """Name all ladders, on as many lines as they take; the one that shows stands in brackets."""
        lines: list[Line] = [()]
        used = 0
        for i, name in enumerate(self.names):
            said = self.session.t(f"ladder.{name}")
            span: Span = ("selected", f" [{said}]") if i == self.index else ("dim", f"  {said} ")
            if used + columns(span[1]) > cols:
                lines.append(())
                used = 0
            lines[-1] = (*lines[-1], span)
            used += columns(span[1])
        return lines

    def _line(self, i: int) -> Line:
        assert self.rows is not None
        ranked, look = self.rows[i], self.session.look
        mine = ranked.account_id == self.session.identity.account_id
        mark = look.glyphs.pointer if i == self.chooser.index else " "
        style = "selected" if i == self.chooser.index else "name" if mine else ""
        return self._row(
            style, f"{mark}{ranked.place}", ranked.handle, str(ranked.rating.shown), str(ranked.rating.matches)
        )

    def _row(self, style: str, place: str, name: str, rating: str, matches: str) -> Line:
        text = f"{pad_left(place, 5)}  {pad(name, NAME_COLS)}{pad_left(rating, NUMBER_COLS)}"
        return plain(text + pad_left(matches, NUMBER_COLS + 2) + " ", style)

    def hints(self) -> tuple[Hint, ...]:
        """Return the keys of the page."""
        own = ("next", "profile") if self.rows else ("next",)
        return (*keymap.hints("ladders", own), *keymap.hints("everywhere", ("back",)))

    def count(self) -> int:
        """Return how many rows there are."""
        return len(self.rows or ())

    def do_next(self) -> None:
        """Turn to the next ladder, or the one before."""
        self.index = (self.index + (-1 if self.key == "left" else 1)) % len(self.names)
        self.rows = None
        self.session.spawn(self._load())

    def do_profile(self) -> None:
        """Look at who stands on the chosen place."""
        if self.rows:
            chosen = self.rows[self.chooser.index]
            self.session.go(places.ProfilePlace(chosen.handle))
