"""The leaderboards, one ladder at a time."""

from __future__ import annotations

from game import registry
from server.boards import keymap
from server.boards.gamestyle import game_style
from server.boards.seats import ladder_name, shown_rating
from server.ratings.bradley_terry import SETTLED_AFTER, Rating
from server.ratings.ladders import ladders, of_machines
from server.ratings.ratings import Ranked
from server.screens.chooser import Chooser
from server.screens.columns import Column
from server.screens.form import way_to_account
from server.screens.gametable import with_emblems
from server.screens.listpage import ListPage
from server.session import places
from server.session.page import Body
from server.session.session import Session
from server.terminal.bars import bar
from server.terminal.hint import Hint
from server.terminal.itemlines import POINTER_COLS, said_lines, tab_lines
from server.terminal.items import Item, Said, Tabs
from server.terminal.lines import Line

PLACE_COLS, NAME_COLS, NUMBER_COLS = 3, 20, 9
WIDE_COLS = 52  # of a ladder with a column for the matches
COLUMNS_COLS = PLACE_COLS + 2 + NAME_COLS + 2 * NUMBER_COLS + 5  # of all columns before the bars
LEAST_BAR = 40  # columns of the highest rating's bar: at 80 columns bars would double the bytes of a turn of ladders
AROUND = 14  # rows besides those of the list: the ladders, heads, the emblems of the games


def shown_ladders() -> tuple[str, ...]:
    """Return every ladder, the games in the order in which the server lists them."""
    return tuple(ladder for game in registry.in_order(registry.KEYS) for ladder in ladders(game))


def _rating(row: Ranked) -> str:
    return shown_rating(row.rating.shown, row.rating.provisional)


class LaddersPage(ListPage[Ranked]):
    """Who is strongest, by ladder."""

    context = "ladders"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.names = shown_ladders()
        self.index = 0
        self.shows_machines = False
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
        self.session.services.matches.reading.begin(self.session.identity.sources)
        rows = await self.session.services.ratings.top(name)
        if (own := self.session.identity.account_id) is not None and not self.own:
            self.own = dict(await self.session.services.ratings.all_of(own))
        if name == self.ladder:
            hidden = self.session.person.blocked
            self.rows, self.chooser = [row for row in rows if row.account_id not in hidden], Chooser()

    def landing(self) -> str:
        return "ladders"

    def title(self) -> str:
        return f"{self.session.t('ladders.title')} · {ladder_name(self.ladder, self.session.look)}"

    def help_topic(self) -> str:
        return self.names[self.index].partition("-")[0]

    def lines_needed(self) -> int:
        return self.count() + AROUND

    def body(self, cols: int, rows: int) -> Body:
        """Draw the ladder's head and as many places as fit."""
        own = said_lines(self._own(), cols)
        head: list[Line] = [*tab_lines(self._tabs(), cols), (), *own, *([()] if own else [])]
        if self.rows:
            head.append(self.heading())
        shown = self.list_lines(len(head), rows - len(head)) if self.rows else said_lines(self.below(), cols)
        return Body(with_emblems([*head, *shown], self.session.look, cols, rows))

    def above(self) -> list[Item]:
        """Name the ladders, and say how one stands oneself on the one that shows."""
        return [self._tabs(), *self._own()]

    def below(self) -> list[Said]:
        """Say what would fill an empty ladder."""
        t = self.session.t
        if self.rows is None:
            return [Said(t("page.loading"), "dim")]
        if self.rows:
            return []
        if self.shows_machines:
            told = (t("ladders.empty-machines", n=SETTLED_AFTER), t("ladders.empty-machines.how"))
            return [Said(told[0]), Said(told[1], "dim")]
        nobody = Said(t("ladders.empty", n=SETTLED_AFTER))
        if self.session.identity.is_guest:
            return [nobody, *way_to_account(self.session)]
        return [nobody, Said(t("ladders.empty.how"), "dim")]

    def _own(self) -> list[Said]:
        """Say how one stands oneself, while that is no place of the list."""
        rating = self.own.get(self.ladder)
        if rating is None or self.rows is None or any(self._is_own(row) for row in self.rows):
            return []
        t, words = self.session.t, shown_rating(rating.shown, rating.provisional)
        key = "ladders.own" if rating.matches < SETTLED_AFTER else "ladders.own-settled"
        return [Said(t(key, rating=words, n=rating.matches, needed=SETTLED_AFTER), "name")]

    def _tabs(self) -> Tabs:
        return Tabs(tuple(self.session.t(f"ladder.{name}") for name in self.names), self.index)

    def _is_own(self, row: Ranked) -> bool:
        return row.account_id == self.session.identity.account_id

    def columns(self) -> tuple[Column[Ranked], ...]:
        """Return place, player, rating, matches, and how far apart the ratings are, where there is room.

        Where there is some, but not enough for that, these columns stand further apart.
        """
        spare = self.size[0] - 2 - POINTER_COLS - COLUMNS_COLS
        more = 0 if spare >= LEAST_BAR else max(0, spare // 3)
        return (
            Column("", PLACE_COLS, lambda row: str(row.place), is_number=True),
            Column("ladders.player", NAME_COLS + more, lambda row: self.session.marked(row.handle), gap=0),
            Column("ladders.rating", NUMBER_COLS + more, _rating, is_number=True, gap=0),
            self._matches_column(more),
            *self._bars(spare),
        )

    def _bars(self, cols: int) -> tuple[Column[Ranked], ...]:
        """Return bars as long as each rating is higher than the lowest one."""
        ratings, look = [one.rating.shown for one in self.listed()], self.session.look
        if not ratings or cols < LEAST_BAR:
            return ()
        low, span = min(ratings), max(ratings) - min(ratings)

        def drawn(row: Ranked) -> str:
            return bar(row.rating.shown - low, span, look, cols - 1) + bar(1, 1, look, 1)

        return (Column("", 0, drawn, game_style(self.help_topic()), said=lambda row: ""),)

    def _matches_column(self, more: int) -> Column[Ranked]:
        if self.size[0] < WIDE_COLS:
            return Column("", 0, lambda row: "", said=lambda row: str(row.rating.matches))
        return Column(
            "ladders.matches", NUMBER_COLS + 2 + more, lambda row: str(row.rating.matches), is_number=True, gap=3
        )

    def row_style_of(self, row: Ranked) -> str:
        """Return the style of a player's row."""
        return "name" if self._is_own(row) else ""

    def listed(self) -> list[Ranked]:
        return self.rows or []

    def hints(self) -> tuple[Hint, ...]:
        own = ("next", "machines", "profile") if self.rows else ("next", "machines")
        return (*map(self._labelled, keymap.hints("ladders", own)), *keymap.hints("everywhere", ("back",)))

    def _labelled(self, hint: Hint) -> Hint:
        """Name the key by whose ladder it turns to."""
        turns_back = self.shows_machines and hint.label == "keys.ladders.machines"
        return hint.named("ladders.people") if turns_back else hint

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
