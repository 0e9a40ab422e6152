"""What this person and one other have written to each other."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, ClassVar

from server.accounts.messages import CHARS, StoredMessage
from server.boards import keymap
from server.screens.listpage import ListPage
from server.session.page import Body
from server.session.session import Session
from server.terminal.hint import Hint
from server.terminal.lines import Line, inset, plain, wrapped
from server.terminal.stage import READING


class MessagesPage(ListPage):
    """The messages of two people, the newest last."""

    measure = READING
    context: ClassVar[str] = "messages"

    def __init__(self, session: Session, handle: str) -> None:
        super().__init__(session)
        self.handle = handle
        self.messages: tuple[StoredMessage, ...] = ()
        self.is_loaded = False

    def start(self) -> None:
        """Read them."""
        self.session.spawn(self._load())

    async def _load(self) -> None:
        account_id = self.session.identity.account_id
        if account_id is not None:
            self.messages = tuple(await self.session.services.messages.read(account_id, self.handle))
            self.chooser = self.chooser.at(max(0, len(self.messages) - 1), len(self.messages))
            await self.session.person.load_following()
        self.is_loaded = True
        self.session.dirty()

    def on_message(self) -> Coroutine[Any, Any, None]:
        """Read what was written just now."""
        return self._load()

    def title(self) -> str:
        """Name the other."""
        return f"{self.session.t('messages.title')} · {self.session.marked(self.handle)}"

    def body(self, cols: int, rows: int) -> Body:
        """List them, the chosen one whole below the others."""
        t = self.session.t
        if not self.is_loaded:
            return Body([plain(f" {t('page.loading')}", "dim")])
        if not self.messages:
            return Body([(), *inset(wrapped(t("messages.none", name=self.handle), cols - 2))])
        whole = inset(wrapped(self.messages[self.chooser.index].text, cols - 2))[: max(1, rows // 3)]
        listed = [self._line(index) for index in self.window(0, max(1, rows - len(whole) - 1))]
        return Body([*listed, (), *whole])

    def _line(self, index: int) -> Line:
        one = self.messages[index]
        return self.marked(index, f"{one.at:%m-%d %H:%M}  {self.session.marked(one.sender)}  {one.text}")

    def count(self) -> int:
        """Return how many there are."""
        return len(self.messages)

    def hints(self) -> tuple[Hint, ...]:
        """Return the keys."""
        return (*keymap.hints("messages"), *keymap.hints("everywhere", ("back",)))

    def do_write(self) -> None:
        """Write to the other."""
        self.session.prompts.type("messages.ask", lambda text: self.session.spawn(self._write(text)), limit=CHARS)

    async def _write(self, text: str) -> None:
        await self.session.services.messages.tell(self.session.identity.player, self.handle, text)
        await self._load()
