"""The recovery codes of a new account: made when they are asked for, and shown once."""

from __future__ import annotations

from typing import ClassVar

from server.boards import keymap
from server.screens.gametable import with_emblems
from server.screens.sessionpage import SessionPage
from server.session.page import Body
from server.session.session import Session
from server.terminal.hint import Hint
from server.terminal.itemlines import said_lines
from server.terminal.items import Said
from server.terminal.stage import CARD


class CodesPage(SessionPage):
    """Shows them once that is wanted, for others may see the screen; who goes back finds others the next time."""

    measure = CARD
    context: ClassVar[str] = "codes"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.codes: tuple[str, ...] = ()

    async def _make(self) -> None:
        """Make the codes: only what opens an account is stored of them, so they can't be read again."""
        who = self.session.identity
        if who.account_id is not None:
            keys = self.session.services.accounts.keys
            self.codes = await keys.new_recovery_codes(who.account_id, who.fingerprint)
            self.session.dirty()

    def title(self) -> str:
        return self.session.t("codes.title")

    def body(self, cols: int, rows: int) -> Body:
        text, *codes, use = self.items()
        parts = [said_lines(told, cols) for told in ((text,), codes, (use,)) if told]
        apart = [line for part in parts for line in ((), *part)]
        close = [line for part in parts for line in part]
        lines = next((some for some in (apart, apart[1:], close) if len(some) <= rows), close)
        return Body(with_emblems(lines, self.session.look, cols, rows))

    def items(self) -> list[Said]:
        """Tell what the codes are for, the codes, and how one is used."""
        t = self.session.t
        codes = (Said(code, "title", is_whole=True) for code in self.codes)
        return [Said(t("codes.text", name=self.session.identity.name)), *codes, Said(t("codes.use"), "dim")]

    def hints(self) -> tuple[Hint, ...]:
        """Return the key that shows them and then says that they are noted, and the way to do so later."""
        (accept,) = keymap.hints("codes", ("accept",))
        noted = accept if self.codes else accept.named("keys.codes.show")
        return (noted, *keymap.hints("everywhere", ("back",)))

    def do_accept(self) -> None:
        """Show the codes; once they show, note that they were read."""
        if not self.codes:
            self.session.spawn(self._make())
            return
        self.session.person.prefer(codes_wait=False)
        self.session.pages.pop()
