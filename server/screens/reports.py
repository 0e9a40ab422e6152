"""The reports that wait, for moderators; whoever is no moderator any more leaves."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from server.accounts.errors import AccountError
from server.accounts.moderation import Moderation, Report
from server.boards import keymap
from server.screens.columns import Column, Row
from server.screens.gametable import with_emblems
from server.screens.listpage import ListPage
from server.screens.reportlog import chat_of, said_in
from server.session import places
from server.session.page import Body
from server.session.session import Session
from server.terminal.hint import Hint
from server.terminal.itemlines import heading_line, said_lines
from server.terminal.items import Empty, Heading, Item, Said
from server.terminal.lines import Line, inset, shortened, wrapped

WHEN_COLS, NAME_COLS = 11, 16
LOOK_EVERY_S = 5.0
MIN_LISTED = 6  # rows of a long list, its heads among them
WHY_ROWS, CHAT_ROWS = 3, 8  # of the chosen report
MOST_BELOW = WHY_ROWS + CHAT_ROWS + 4  # rows besides those of the reports


def moderation(session: Session) -> Moderation:
    """Return the acts of moderators in this person's name."""
    return session.services.moderate(session.identity)


async def leave_unless_allowed(session: Session) -> bool:
    """Leave the reports and the pages above them where the role was taken or the key is young; return whether it is."""
    try:
        if await moderation(session).is_allowed():
            return False
    except AccountError as refusal:  # the key is young, the role is theirs
        _leave(session)
        session.prompts.refused(refusal)
        return True
    _leave(session)
    session.set_roles(frozenset())
    session.prompts.notice("reports.not-allowed", "bad")
    return True


def _leave(session: Session) -> None:
    if (listed := next((page for page in session.pages if isinstance(page, ReportsPage)), None)) is not None:
        session.pages.leave(listed)


class ModerationList(ListPage[Row]):
    """A list for moderators, fetched now and every few seconds."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.fetched: list[Row] | None = None  # None: not yet
        self._stop_fetching: Callable[[], None] | None = None

    def start(self) -> None:
        """Fetch the list, now and every few seconds."""
        self.session.spawn(self.load())
        self._stop_fetching = self.session.display.later(LOOK_EVERY_S, self.start)

    def stop(self) -> None:
        if self._stop_fetching is not None:
            self._stop_fetching()

    async def load(self) -> None:
        """Fetch the list; the chosen row stays chosen while it is there."""
        if await leave_unless_allowed(self.session):
            return
        chosen = self.chosen()
        self.fetched = await self.fetch()
        self.keep_chosen(chosen and self.id_of(chosen), [self.id_of(row) for row in self.fetched])
        self.session.dirty()

    async def fetch(self) -> list[Row]:
        """Return what the list is of now. Raises AccountError."""
        raise NotImplementedError

    def id_of(self, row: Row) -> int:
        """Return the number that a row is known by."""
        raise NotImplementedError

    def listed(self) -> list[Row]:
        return self.fetched or []

    def list_above(self, below: list[Line], cols: int, rows: int) -> list[Line]:
        """Draw the list under its heads, and right below it what is said of the chosen row."""
        room = max(MIN_LISTED, min(self.count() + 1, rows - len(below)))
        return [self.heading(), *self.list_lines(1, room - 1), *below]


class ReportsPage(ModerationList[Report]):
    """The list of reports nobody has handled yet, oldest first."""

    context: ClassVar[str] = "reports"

    def resume(self) -> None:
        """Fetch the list again."""
        self.session.spawn(self.load())

    def on_report(self) -> None:
        self.session.spawn(self.load())

    async def fetch(self) -> list[Report]:
        return await moderation(self.session).reports()

    def id_of(self, row: Report) -> int:
        return row.id

    def title(self) -> str:
        """Say where one is, and how many wait."""
        return self.session.t("reports.title", n=len(self.fetched or ()))

    def lines_needed(self) -> int:
        return self.count() + MOST_BELOW + len(self.offer_lines(self.most_cols))

    def body(self, cols: int, rows: int) -> Body:
        """List them: when, about whom, by whom, why; below the list the chosen one with the end of its chat."""
        if (chosen := self.chosen()) is None:
            return Body(with_emblems([(), *said_lines(self._first_words(), cols)], self.session.look, cols, rows))
        return Body(self.with_offers(self.list_above(self._read(chosen, cols), cols, rows), cols, rows))

    def offered(self) -> tuple[Hint, ...]:
        return keymap.hints("reports", ("open", "sanctions") if self.fetched else ("sanctions",))

    def _read(self, report: Report, cols: int) -> list[Line]:
        """Draw what a report says, in full, and the end of the chat that it has attached."""
        chat = chat_of(report, (report.about_name, report.about_handle), cols)[-CHAT_ROWS:]
        head = heading_line(Heading(self._chat_title(report)), 1)
        why = inset(shortened(wrapped(report.why or "-", cols - 2), WHY_ROWS, cols - 2))
        return [(), *why, (), *([head, *chat] if chat else [])]

    def _chat_title(self, report: Report) -> str:
        return self.session.t("report.log", n=len(report.lines))

    def _first_words(self) -> list[Said | Empty]:
        """Say that no report waits, or that they are being fetched."""
        if self.fetched is None:
            return [Said(self.session.t("page.loading"), "dim")]
        return [] if self.fetched else [Empty(self.session.t("reports.empty"), tuple(self.offers(self.offered())))]

    def below(self) -> list[Item]:
        """Say the end of the chosen report's chat, or that none waits."""
        if (chosen := self.chosen()) is None:
            return [*self._first_words()]
        said = [
            Said(self.session.t("list.pair", what=f"{when} {name}", value=text)) for when, name, text in said_in(chosen)
        ]
        return [Heading(self._chat_title(chosen)), *said[-CHAT_ROWS:]] if said else []

    def columns(self) -> tuple[Column[Report], ...]:
        """Return when, about whom, by whom, why."""
        t = self.session.t
        return (
            Column("reports.when", WHEN_COLS, lambda report: f"{report.at:%m-%d %H:%M}"),
            Column("reports.about", NAME_COLS, lambda report: report.about_handle or report.about_name),
            Column("reports.by", NAME_COLS, lambda report: report.by_handle or t("reports.deleted")),
            Column("reports.why", 0, lambda report: report.why),
        )

    def hints(self) -> tuple[Hint, ...]:
        return (*self.offered(), *keymap.hints("everywhere", ("back",)))

    def do_open(self) -> None:
        """Read the chosen report."""
        if (chosen := self.chosen()) is not None:
            self.session.go(places.ReportPlace(chosen))

    def do_sanctions(self) -> None:
        """See every ban and mute that holds now."""
        self.session.go(places.NamedPlace.SANCTIONS)
