"""The sanctions in force: every ban and mute, of accounts, keys and networks; each can be lifted here."""

from __future__ import annotations

from typing import ClassVar

from server.accounts.moderation import InForce
from server.boards import keymap
from server.screens.columns import Column
from server.screens.reports import ModerationList, leave_unless_allowed, moderation
from server.session.page import Body
from server.session.session import Session
from server.terminal.hint import Hint
from server.terminal.lines import Line, block, inset, plain, wrapped

ACT_COLS, WHOM_COLS, UNTIL_COLS = 8, 26, 16


class SanctionsPage(ModerationList):
    """The list of sanctions in force, oldest first."""

    context: ClassVar[str] = "sanctions"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.in_force: list[InForce] | None = None

    async def load(self) -> None:
        """Fetch them; the chosen one stays chosen while it is in force."""
        if await leave_unless_allowed(self.session):
            return
        chosen = self.chosen()
        self.in_force = await moderation(self.session).in_force()
        self.keep_chosen(chosen and chosen.sanction.id, [one.sanction.id for one in self.in_force])
        self.session.dirty()

    def chosen(self) -> InForce | None:
        """Return the chosen sanction."""
        return self.in_force[self.chooser.index] if self.in_force else None

    def title(self) -> str:
        """Say where one is, and how many there are."""
        return self.session.t("sanctions.title", n=len(self.in_force or ()))

    def body(self, cols: int, rows: int) -> Body:
        """List them: what, whom, until when, why; the whole of the chosen one's reason and who imposed it below."""
        t = self.session.t
        if self.in_force is None:
            return Body([plain(f" {t('page.loading')}", "dim")])
        if not self.in_force:
            return Body([(), *inset(wrapped(t("sanctions.empty"), cols - 2))])
        below = self._whole(cols)
        columns = self._columns()
        room = max(2, rows - len(below))
        listed = [self.row(i, columns, self.in_force[i]) for i in self.window(1, room - 1)]
        return Body([*block([self.heading(columns), *listed], cols, room), *below])

    def _columns(self) -> tuple[Column[InForce], ...]:
        return (
            Column("", ACT_COLS, lambda one: self.session.t(f"sanctions.{one.sanction.act}")),
            Column("sanction.whom", WHOM_COLS, lambda one: one.shown),
            Column("sanctions.until", UNTIL_COLS, self._until),
            Column("reports.why", 0, lambda one: one.sanction.why),
        )

    def _until(self, one: InForce) -> str:
        until = one.sanction.until
        return self.session.t("sanction.lasts.ever") if until is None else f"{until:%Y-%m-%d %H:%M}"

    def _whole(self, cols: int) -> list[Line]:
        if (one := self.chosen()) is None:
            return []
        kept = one.sanction
        whom = self.session.t(f"sanction.{kept.kind}", value=one.shown)
        said = self.session.t(
            "sanctions.whole", whom=whom, by=kept.by_name, at=f"{kept.at:%Y-%m-%d %H:%M}", why=kept.why
        )
        return [(), *inset(wrapped(said, cols - 2, "dim")[:4])]

    def hints(self) -> tuple[Hint, ...]:
        """Return the keys."""
        own = ("lift",) if self.in_force else ()
        return (*keymap.hints("sanctions", own), *keymap.hints("everywhere", ("back",)))

    def count(self) -> int:
        """Return how many rows there are."""
        return len(self.in_force or ())

    def do_lift(self) -> None:
        """Lift the chosen one, once it is confirmed."""
        if (chosen := self.chosen()) is not None:
            self.session.prompts.ask(
                "report.ask-lift", lambda: self.session.spawn(self._lift(chosen)), name=chosen.shown
            )

    async def _lift(self, lifted: InForce) -> None:
        if await leave_unless_allowed(self.session):
            return
        if await moderation(self.session).lift_held(lifted):
            self.session.prompts.notice("report.lifted", "good", name=lifted.shown)
        await self.load()
