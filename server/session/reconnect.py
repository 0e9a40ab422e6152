"""Coming back after a lost connection: what is kept of a session, and where the next one goes on.

No screen is kept. A session ends with its connection (`Session.run`), and the next one draws all anew: what a page
shows is stored, and so is where somebody was, for they sit in a match (`boards_to_go_back_to`). A browser's page
remembers by itself what it had (`LostPage`), and `ComingBack` puts that back, on any worker. Kept in memory is what a
player had half chosen on a board. The seat is kept, too, until others may claim it (`server/presence/attendance.py`,
`server/matches/claims.py`), a guest's for a minute (`server/matches/guests.py`); in a room
for a minute, too (`server/lobby/stored_rooms.py`).
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any, Final

from game.contract import Seat
from server.accounts.identity import Player
from server.boards import keymap
from server.matches.match import Match
from server.matches.model import MatchSummary
from server.matches.speeds import UNHURRIED
from server.session.page import Page
from server.session.pages import Pages
from server.session.places import LostPage
from server.session.prompts import Prompts
from server.terminal.itemwords import chosen_row, rows_of

# What may be asked for again, by context and command: it has nothing done, whatever the page says that it had.
TYPED_ON_PAGES: Final = frozenset(
    {
        ("cards", "words"),
        ("conditions", "add"),
        ("deckedit", "filter"),
        ("decks", "paste"),
        ("lobby", "chat"),
        ("lobby", "filter"),
        ("lobby", "join"),
        ("match", "chat"),
        ("match", "type"),
        ("me", "rename"),
        ("messages", "write"),
        ("room", "chat"),
        ("roomform", "name"),
    }
)
TYPED_ON_ROWS: Final = frozenset(  # what is typed is about the chosen row, or can be once the rows are there
    {
        ("conditions", "edit"),
        ("decks", "rename"),
        ("people", "note"),
        ("people", "report"),
        ("profile", "note"),
        ("profile", "report"),
    }
)


def boards_to_go_back_to(own: Iterable[MatchSummary], player: Player) -> list[MatchSummary]:
    """Return the matches of one's own whose clock runs, those that wait for this person first."""
    running = [match for match in own if match.status == "live" and match.agreement.speed not in UNHURRIED]
    return sorted(running, key=lambda match: not match.waits_for(player))


def keep_selection(match: Match, seat: Seat, turn: int, selection: Any) -> None:
    """Keep what a player has chosen on a board in this turn."""
    match.selections[seat] = turn, selection


def kept_selection(match: Match, seat: Seat, turn: int) -> Any:
    """Return what a player had chosen on a board in this turn; None: nothing."""
    kept_turn, selection = match.selections.get(seat, (-1, None))
    return selection if kept_turn == turn else None


class ComingBack:
    """Puts back what a browser's page had, once the page shows again, and those below it.

    That is cursors, chosen rows, what was half chosen and a line being typed. A key that is pressed ends it.
    """

    def __init__(self, left: LostPage | None, pages: Pages, prompts: Prompts) -> None:
        """`left`: what the page had; None: it shows for the first time."""
        self._left, self._pages, self._prompts = left, pages, prompts
        self._rows: dict[Page, str] = {}  # that are still to be chosen
        self.is_under_way = left is not None  # the place where one was is not reached yet

    def reach(self) -> None:
        """Put back what can be put back at once: one is where one was, or as near as one may come."""
        self.is_under_way = False
        left, page = self._left, self._pages.top
        if left is None or page is None:
            return
        if page.landing() != left.place:
            self.give_up()
            return
        there = {one.landing(): one for one in self._pages}
        for had in (*left.under, left):
            if (one := there.get(had.place)) is not None:
                one.point(had.cursor)
                self._rows |= {one: had.row} if had.row else {}
        if left.half_done:
            page.take_up(left.half_done)
        self._type(page, left, TYPED_ON_PAGES)
        self.choose()

    def choose(self) -> None:
        """Choose the rows that were chosen, as soon as there are rows: lists are read after they show."""
        for page, row in [] if self.is_under_way else list(self._rows.items()):
            if rows := rows_of(page.items()):
                del self._rows[page]
                if row in rows and page.choose(rows.index(row) + 1):
                    self._type_on_row(page, row, rows.count(row))

    def give_up(self) -> None:
        """Put nothing back any more."""
        self._left = None
        self._rows.clear()
        self._prompts.resume("", "")

    def _type_on_row(self, page: Page, row: str, count: int) -> None:
        """Ask for the line about a row again: where it is on top, the chosen one, and the only one called so."""
        is_sure = count == 1 and page is self._pages.top and chosen_row(page.items()) == row
        if self._left is not None and is_sure:
            self._type(page, self._left, TYPED_ON_ROWS)

    def _type(self, page: Page, left: LostPage, allowed: Container[tuple[str, str]]) -> None:
        """Have the line asked for again, by the command that asked for it, and begin with what was typed."""
        for context in page.contexts():
            binding = keymap.in_context(context).get(left.command)
            if binding is not None and (context, left.command) in allowed:
                self._prompts.resume(left.label, left.text)
                page.run(left.command, binding.keys[0])
                return
