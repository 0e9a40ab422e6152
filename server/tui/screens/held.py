"""What holds now: every ban and mute, of accounts, keys and networks alike; each can be taken back here."""

from __future__ import annotations

from typing import ClassVar

from server.accounts.moderation import InForce
from server.session.page import Body
from server.session.session import Session
from server.tui import keymap
from server.tui.keymap import Hint
from server.tui.lines import Line, block, clip, pad, plain, wrapped
from server.tui.screens.desk import ModerationList, is_sent_back, moderation
from server.tui.screens.listpage import POINTER_COLS

ACT_COLS, WHOM_COLS, UNTIL_COLS = 8, 26, 16


class HeldPage(ModerationList):
    """The list of bans and mutes in force, oldest first."""

    context: ClassVar[str] = "held"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.held: list[InForce] | None = None

    async def load(self) -> None:
        """Fetch them; the chosen one stays chosen while it holds."""
        if await is_sent_back(self.session):
            return
        chosen = self.chosen()
        self.held = await moderation(self.session).in_force()
        self.keep_chosen(chosen and chosen.sanction.id, [one.sanction.id for one in self.held])
        self.session.dirty()

    def chosen(self) -> InForce | None:
        """Return the chosen ban or mute."""
        return self.held[self.chooser.index] if self.held else None

    def title(self) -> str:
        """Say where one is, and how many hold."""
        return self.session.t("held.title", n=len(self.held or ()))

    def body(self, cols: int, rows: int) -> Body:
        """List them: what, whom, until when, why; the whole of the chosen one's reason and who imposed it below."""
        t = self.session.t
        if self.held is None:
            return Body([plain(f" {t('page.loading')}", "dim")])
        if not self.held:
            return Body([(), *((("", " "), *line) for line in wrapped(t("held.empty"), cols - 2))])
        below = self._whole(cols)
        head = f"   {pad('', ACT_COLS)}  {pad(t('sanction.whom'), WHOM_COLS)}  "
        head += f"{pad(t('held.until'), UNTIL_COLS)}  {t('desk.why')}"
        room = max(2, rows - len(below))
        window = self.window(1, room - 1)
        return Body([*block([plain(head, "dim"), *(self._line(i, cols) for i in window)], cols, room), *below])

    def _line(self, index: int, cols: int) -> Line:
        assert self.held is not None
        one, t = self.held[index], self.session.t
        kept = one.sanction
        until = t("sanction.lasts.ever") if kept.until is None else f"{kept.until:%Y-%m-%d %H:%M}"
        act = pad(t(f"held.{kept.act}"), ACT_COLS)
        text = f"{act}  {pad(one.shown, WHOM_COLS)}  {pad(until, UNTIL_COLS)}  {kept.why}"
        return self.marked(index, clip(text, cols - POINTER_COLS))

    def _whole(self, cols: int) -> list[Line]:
        if (one := self.chosen()) is None:
            return []
        kept = one.sanction
        whom = self.session.t(f"sanction.{kept.kind}", value=one.shown)
        said = self.session.t("held.whole", whom=whom, by=kept.by_name, at=f"{kept.at:%Y-%m-%d %H:%M}", why=kept.why)
        return [(), *((("", " "), *line) for line in wrapped(said, cols - 2, "dim")[:4])]

    def hints(self) -> tuple[Hint, ...]:
        """Return the keys."""
        own = ("lift",) if self.held else ()
        return (*keymap.hints("held", own), *keymap.hints("everywhere", ("back",)))

    def count(self) -> int:
        """Return how many rows there are."""
        return len(self.held or ())

    def do_lift(self) -> None:
        """Take the chosen one back, once it is confirmed."""
        if (chosen := self.chosen()) is not None:
            self.session.prompts.ask(
                "report.ask-lift", lambda: self.session.spawn(self._lift(chosen)), name=chosen.shown
            )

    async def _lift(self, held: InForce) -> None:
        if await is_sent_back(self.session):
            return
        if await moderation(self.session).lift_held(held):
            self.session.prompts.notice("report.lifted", "good", name=held.shown)
        await self.load()
