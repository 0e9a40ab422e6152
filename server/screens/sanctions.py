"""The sanctions in force: every ban and mute, of accounts, keys and networks; each can be lifted here."""

from __future__ import annotations

from typing import ClassVar

from server.accounts.moderation import InForce
from server.boards import keymap
from server.screens.columns import Column
from server.screens.gametable import with_emblems
from server.screens.reports import ModerationList, leave_unless_allowed, moderation
from server.session.page import Body
from server.terminal.hint import Hint
from server.terminal.itemlines import said_lines
from server.terminal.items import Said
from server.terminal.lines import Line

CONTACT = "PATCHBAY_CONTACT"
ACT_COLS, WHOM_COLS, UNTIL_COLS = 8, 26, 16


class SanctionsPage(ModerationList[InForce]):
    """The list of sanctions in force, oldest first."""

    context: ClassVar[str] = "sanctions"

    async def fetch(self) -> list[InForce]:
        return await moderation(self.session).in_force()

    def id_of(self, row: InForce) -> int:
        return row.sanction.id

    def title(self) -> str:
        """Say where one is, and how many there are."""
        return self.session.t("sanctions.title", n=len(self.fetched or ()))

    def lines_needed(self) -> int:
        cols = self.most_cols
        return self.count() + len(self._below(cols)) + len(self.offer_lines(cols)) + 2

    def body(self, cols: int, rows: int) -> Body:
        """List them: what, whom, until when, why; all of the chosen one below, and whom they may write to."""
        below = self._below(cols)
        if not self.fetched:
            return Body(with_emblems(below, self.session.look, cols, rows))
        return Body(self.with_offers(self.list_above(below, cols, rows), cols, rows))

    def offered(self) -> tuple[Hint, ...]:
        return keymap.hints("sanctions", ("lift",) if self.fetched else ())

    def columns(self) -> tuple[Column[InForce], ...]:
        """Return what, whom, until when, why."""
        return (
            Column("", ACT_COLS, lambda one: self.session.t(f"sanctions.{one.sanction.act}")),
            Column("sanctions.whom", WHOM_COLS, lambda one: one.shown),
            Column("sanctions.until", UNTIL_COLS, self._until),
            Column("reports.why", 0, lambda one: one.sanction.why),
        )

    def _until(self, one: InForce) -> str:
        until = one.sanction.until
        return self.session.t("sanction.lasts.ever") if until is None else f"{until:%Y-%m-%d %H:%M}"

    def _below(self, cols: int) -> list[Line]:
        return [(), *said_lines(self.below(), cols)]

    def below(self) -> list[Said]:
        """Say all of the chosen one, or that there is none."""
        if self.fetched is None:
            return [Said(self.session.t("page.loading"), "dim")]
        if (one := self.chosen()) is None:
            return [Said(self.session.t("sanctions.empty"))]
        t, kept, contact = self.session.t, one.sanction, self.session.services.settings.contact
        whom = t(f"sanction.{kept.kind}", value=one.shown)
        facts = {
            f"sanctions.{kept.act}": t("sanctions.whole", whom=whom, by=kept.by_name, at=f"{kept.at:%Y-%m-%d %H:%M}"),
            "sanctions.until": self._until(one),
            "reports.why": kept.why,
        }
        told = [Said(t("list.pair", what=t(key), value=value)) for key, value in facts.items()]
        appeal = t("sanctions.appeal", contact=contact) if contact else t("sanctions.no-appeal", setting=CONTACT)
        return [*told, Said(appeal, "dim")]

    def hints(self) -> tuple[Hint, ...]:
        return (*self.offered(), *keymap.hints("everywhere", ("back",)))

    def do_lift(self) -> None:
        """Lift the chosen one, once it is confirmed."""
        if (chosen := self.chosen()) is not None:
            self.session.have_confirmed("report.ask-lift", lambda: self._lift(chosen), name=chosen.shown)

    async def _lift(self, lifted: InForce) -> None:
        if await leave_unless_allowed(self.session):
            return
        if await moderation(self.session).lift_held(lifted):
            self.session.prompts.notice("report.lifted", "good", name=lifted.shown)
        await self.load()
