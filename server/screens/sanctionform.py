"""The form with which a moderator mutes or bans somebody: what, for how long, why, and whether the report is closed."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from datetime import timedelta
from functools import partial
from typing import Any, ClassVar, Final, Literal

from server.accounts.conduct import WHY_CHARS
from server.accounts.moderation import Report
from server.boards import keymap
from server.screens.form import FormPage, FormRow, cycle, end_of, switch_row
from server.screens.reportlog import chat_of, said_in
from server.screens.reports import CHAT_ROWS, leave_unless_allowed, moderation
from server.session.session import Session
from server.terminal.hint import Hint
from server.terminal.itemlines import heading_line
from server.terminal.items import Heading, Said
from server.terminal.lines import Line

Act = Literal["mute", "ban"]
OUTRO_ROWS: Final = 2  # above the chat: a blank one and its head
ACTS: Final[tuple[Act, ...]] = ("mute", "ban")
LASTS: dict[str, timedelta | None] = {
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "three-days": timedelta(days=3),
    "week": timedelta(days=7),
    "month": timedelta(days=30),
    "ever": None,
}


class SanctionForm(FormPage):
    """How somebody is muted or banned: what is banned, for how long, why, and whether the report is closed with it."""

    context: ClassVar[str] = "sanction"
    is_steady = True

    def __init__(
        self,
        session: Session,
        act: Act,
        report: Report,
        handle: str,
        targets: list[tuple[str, str]],
        close_report: Callable[[], Coroutine[Any, Any, None]],
    ) -> None:
        """`report`: for which it is done. `targets`: the kinds and values that may be muted or banned, at least one."""
        super().__init__(session)
        self.report = report
        self.act, self.handle, self.targets = act, handle, targets
        self._close_report = close_report
        self.lasts = "day"
        self.why = ""  # the person reads it: never the words of who reported them
        self.closes = True
        self.target = 0

    def title(self) -> str:
        return self.session.t(f"sanction.{self.act}", name=self.handle)

    def rows(self) -> list[FormRow]:
        t = self.session.t
        kind, value = self.targets[self.target]
        rows = [
            FormRow(
                t("sanction.whom"), t(f"sanction.{kind}", value=value), self._change_target, t("sanction.whom.help")
            )
        ]
        rows.append(
            FormRow(
                t("sanction.lasts"),
                t(f"sanction.lasts.{self.lasts}"),
                self._change_lasts,
                t("sanction.lasts.help"),
                end=end_of(tuple(LASTS), self.lasts),
            )
        )
        rows.append(
            FormRow(
                t("sanction.why"), self.why or t("sanction.no-why"), None, t("sanction.why.note"), opens=self.do_why
            )
        )
        look, note = self.session.look, t("sanction.closes.help")
        rows.append(switch_row(look, t("sanction.closes"), self.closes, self._change_closes, note))
        return rows if self.targets != [("account", self.handle)] or self.act == "ban" else rows[1:]

    def outro(self) -> list[Said]:
        """Repeat for what it is done: the chat, not the words of who reported them."""
        pair = partial(self.session.t, "list.pair")
        log = [Said(pair(what=f"{when} {name}", value=text)) for when, name, text in said_in(self.report)]
        return [Said(self._chat_title()), *log[-CHAT_ROWS:]] if log else []

    def outro_lines(self, cols: int, rows: int) -> list[Line]:
        """Draw that: as much of its end as there is room for."""
        chat = chat_of(self.report, (self.report.about_name, self.report.about_handle), cols)
        room = min(CHAT_ROWS, rows - OUTRO_ROWS)
        return [(), heading_line(Heading(self._chat_title()), 1), *chat[-room:]] if chat and room > 0 else []

    def _chat_title(self) -> str:
        return self.session.t("report.log", n=len(self.report.lines))

    def _change_target(self, step: int) -> None:
        self.target = (self.target + step) % len(self.targets)

    def _change_lasts(self, step: int) -> None:
        self.lasts = cycle(tuple(LASTS), self.lasts, step)

    def _change_closes(self, step: int) -> None:
        self.closes = not self.closes

    def hints(self) -> tuple[Hint, ...]:
        return (*self.line_hints(), *keymap.hints("sanction", ("why",)), *keymap.hints("everywhere", ("back",)))

    def do_why(self) -> None:
        """Type the reason: the person reads it."""
        self.session.prompts.type("sanction.ask-why", self._take_why, self.why, limit=WHY_CHARS)

    def _take_why(self, text: str) -> None:
        self.why = text
        self.session.dirty()

    def _go_on_with(self, text: str) -> None:
        self._take_why(text)
        if self.why:
            self.do_accept()

    def do_accept(self) -> None:
        """Do it, once it has a reason and is confirmed."""
        if not self.why:
            self.session.prompts.type("sanction.ask-why", self._go_on_with, limit=WHY_CHARS)
            return
        self.session.have_confirmed(f"sanction.ask-{self.act}", self._impose, name=self.handle)

    async def _impose(self) -> None:
        session, acts = self.session, moderation(self.session)
        if await leave_unless_allowed(session):
            return
        value = self.targets[self.target][1]
        await (acts.ban if self.act == "ban" else acts.mute)(value, self.why, LASTS[self.lasts])
        if value != self.handle:
            await acts.remark(self.handle, f"{self.act} {value}: {self.why}")  # else nothing would lead back to it
        if session.pages.top is self:
            session.pages.pop()
        if self.closes:
            await self._close_report()
        session.prompts.notice(f"sanction.{self.act}-done", "good", name=self.handle)
