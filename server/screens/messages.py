"""What this person and one other have written to each other."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, ClassVar

from server.accounts.messages import CHARS, StoredMessage
from server.boards import keymap
from server.screens.columns import Column
from server.screens.listpage import ListPage
from server.session.page import Body
from server.session.session import Session
from server.terminal.hint import Hint
from server.terminal.itemlines import said_lines
from server.terminal.items import Said
from server.terminal.lines import inset, wrapped
from server.terminal.stage import READING

DAY_COLS = 11


class MessagesPage(ListPage[StoredMessage]):
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

    def landing(self) -> str:
        """Return that one writes with this person."""
        return f"messages {self.handle}"

    def title(self) -> str:
        """Name the other."""
        return f"{self.session.t('messages.title')} · {self.session.marked(self.handle)}"

    def body(self, cols: int, rows: int) -> Body:
        """List them, the chosen one whole below the others."""
        if (chosen := self.chosen()) is None:
            return Body([(), *said_lines(self.below(), cols)])
        whole = inset(wrapped(chosen.text, cols - 2))[: max(1, rows // 3)]
        return Body([*self.list_lines(0, max(1, rows - len(whole) - 1)), (), *whole])

    def columns(self) -> tuple[Column[StoredMessage], ...]:
        """Return when, who and what."""
        return (
            Column("", DAY_COLS, lambda one: f"{one.at:%m-%d %H:%M}"),
            Column("", 0, lambda one: f"{self.session.marked(one.sender)}  "),
            Column("", 0, lambda one: one.text),
        )

    def listed(self) -> tuple[StoredMessage, ...]:
        """Return the messages."""
        return self.messages

    def below(self) -> list[Said]:
        """Say that nothing was written yet."""
        if not self.is_loaded:
            return [Said(self.session.t("page.loading"), "dim")]
        return [] if self.messages else [Said(self.session.t("messages.none", name=self.handle))]

    def hints(self) -> tuple[Hint, ...]:
        """Return the keys."""
        return (*keymap.hints("messages"), *keymap.hints("everywhere", ("back",)))

    def do_write(self) -> None:
        """Write to the other."""
        self.session.prompts.type("messages.ask", lambda text: self.session.spawn(self._write(text)), limit=CHARS)

    async def _write(self, text: str) -> None:
        await self.session.services.messages.tell(self.session.identity.player, self.handle, text)
        await self._load()
