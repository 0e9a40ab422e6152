"""The leaderboards, one ladder at a time."""

from __future__ import annotations

from collections.abc import Sequence

from game import registry
from server.boards import keymap
from server.boards.seats import ladder_name, shown_rating
from server.ratings.ladders import MACHINES, is_of_machines, ladders, of_machines
from server.ratings.ratings import Ranked
from server.ratings.scale import SETTLED_AFTER, Rating
from server.screens.chooser import Chooser
from server.screens.columns import Column, cells, headings
from server.screens.listpage import ListPage
from server.session import places
from server.session.page import Body
from server.session.session import Session
from server.terminal.hint import Hint
from server.terminal.itemlines import tab_lines
from server.terminal.items import Tabs
from server.terminal.lines import Line, inset, plain, wrapped

PLACE_COLS, NAME_COLS, NUMBER_COLS = 5, 20, 9


def shown_ladders() -> tuple[str, ...]:
    """Return every ladder, the games in the order in which the server lists them."""
    return tuple(ladder for game in registry.in_order(registry.KEYS) for ladder in ladders(game))


class LaddersPage(ListPage):
    """Who is strongest, by ladder."""

    context = "ladders"

    def __init__(self, session: Session, ladder: str = "") -> None:
        super().__init__(session)
        self.names = shown_ladders()
        people = ladder.removesuffix(MACHINES)
        self.index = self.names.index(people) if people in self.names else 0
        self.shows_machines = is_of_machines(ladder)
        self.rows: list[Ranked] | None = None
        self.own: dict[str, Rating] = {}  # by ladder

    def start(self) -> None:
        """Fetch the first ladder."""
        self.session.spawn(self._load())

    @property
    def ladder(self) -> str:
        """Return the ladder that shows: of people, or of the machines that play the same."""
        name = self.names[self.index]
        return of_machines(name) if self.shows_machines else name

    async def _load(self) -> None:
        name = self.ladder
        rows = await self.session.services.ratings.top(name)
        if (own := self.session.identity.account_id) is not None and not self.own:
            self.own = dict(await self.session.services.ratings.all_of(own))
        if name == self.ladder:
            hidden = self.session.person.blocked
            self.rows, self.chooser = [row for row in rows if row.account_id not in hidden], Chooser()

    def title(self) -> str:
        """Say which ladder."""
        return f"{self.session.t('ladders.title')} · {ladder_name(self.ladder, self.session.look)}"

    def help_topic(self) -> str:
        """Return the game of the ladder."""
        return self.names[self.index].partition("-")[0]

    def body(self, cols: int, rows: int) -> Body:
        """Draw the ladder's head and as many places as fit."""
        t = self.session.t
        head: list[Line] = [*self._tabs(cols), ()]
        if self.rows is None:
            return Body([*head, plain(f" {t('page.loading')}", "dim")])
        head += self._own(cols)
        if not self.rows:
            return Body([*head, *inset(wrapped(t("ladders.empty", n=SETTLED_AFTER), cols - 2))])
        columns = self._columns()
        head.append(plain(headings(columns, self.session.look), "dim"))
        return Body([*head, *(self._line(i, columns) for i in self.window(len(head), rows - len(head)))])

    def _own(self, cols: int) -> list[Line]:
        """Say how one stands oneself, while that is no place of the list."""
        rating = self.own.get(self.ladder)
        if rating is None or any(row.account_id == self.session.identity.account_id for row in self.rows or ()):
            return []
        t, words = self.session.t, shown_rating(rating.shown, rating.provisional)
        key = "ladders.own" if rating.matches < SETTLED_AFTER else "ladders.own-settled"
        said = t(key, rating=words, n=rating.matches, needed=SETTLED_AFTER)
        return [*inset(wrapped(said, cols - 2, "name")), ()]

    def _tabs(self, cols: int) -> list[Line]:
        """Name all ladders."""
        return tab_lines(Tabs(tuple(self.session.t(f"ladder.{name}") for name in self.names), self.index), cols)

    def _columns(self) -> tuple[Column[tuple[str, Ranked]], ...]:
        return (
            Column("", PLACE_COLS, lambda row: f"{row[0]}{row[1].place}", is_number=True),
            Column("ladders.player", NAME_COLS, lambda row: self.session.marked(row[1].handle), gap=0),
            Column("ladders.rating", NUMBER_COLS, lambda row: str(row[1].rating.shown), is_number=True, gap=0),
            Column("ladders.matches", NUMBER_COLS + 2, lambda row: str(row[1].rating.matches), is_number=True, gap=1),
        )

    def _line(self, i: int, columns: Sequence[Column[tuple[str, Ranked]]]) -> Line:
        """Write a player behind the place, before which the pointer stands."""
        assert self.rows is not None
        ranked = self.rows[i]
        pointer = self.session.look.glyphs.pointer if i == self.chooser.index else " "
        mine = ranked.account_id == self.session.identity.account_id
        style = self.row_style(i, "name" if mine else "")
        return self.filled(i, cells(columns, (pointer, ranked), style))

    def hints(self) -> tuple[Hint, ...]:
        """Return the keys of the page."""
        own = ("next", "machines", "profile") if self.rows else ("next", "machines")
        return (*keymap.hints("ladders", own), *keymap.hints("everywhere", ("back",)))

    def count(self) -> int:
        """Return how many rows there are."""
        return len(self.rows or ())

    def do_next(self) -> None:
        """Turn to the next ladder, or the one before."""
        self.index = (self.index + (-1 if self.key == "left" else 1)) % len(self.names)
        self.rows = None
        self.session.spawn(self._load())

    def do_machines(self) -> None:
        """Turn from people to machines, or back."""
        self.shows_machines = not self.shows_machines
        self.rows = None
        self.session.spawn(self._load())

    def do_profile(self) -> None:
        """Look at who stands on the chosen place."""
        if self.rows:
            chosen = self.rows[self.chooser.index]
            self.session.go(places.ProfilePlace(chosen.handle))
