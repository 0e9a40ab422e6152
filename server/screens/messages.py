"""What this person and one other have written to each other."""

from __future__ import annotations

from datetime import timedelta
from typing import ClassVar

from server.accounts.messages import CHARS, StoredMessage
from server.boards import keymap
from server.errors import Refused
from server.i18n.refusals import wording
from server.screens.columns import Column
from server.screens.gametable import with_emblems
from server.screens.listpage import ListPage
from server.screens.rowlines import RowLine, marked, window
from server.session.page import Body
from server.session.session import Session
from server.terminal.hint import Hint
from server.terminal.itemlines import POINTER_COLS, said_lines
from server.terminal.items import Empty, Said
from server.terminal.lines import Line, plain, wrap
from server.terminal.stage import READING

DAY_COLS = 11
PAUSE = timedelta(minutes=10)  # after which a message has a head of its own


class MessagesPage(ListPage[StoredMessage]):
    """The messages of two people, the newest last."""

    measure = READING
    context: ClassVar[str] = "messages"

    def __init__(self, session: Session, handle: str) -> None:
        super().__init__(session)
        self.handle = handle
        self.messages: tuple[StoredMessage, ...] = ()
        self.is_loaded = False
        self.refusal: Refused | None = None  # why this person may not write now
        self._shown = range(0)  # the lines that show
        self._drawn_rows: list[int | None] = []  # which message each line of the body is of

    def start(self) -> None:
        self.session.spawn(self._load())

    async def _load(self) -> None:
        account_id = self.session.identity.account_id
        if account_id is not None:
            self.refusal = await self.session.services.messages.refusal(self.session.identity.player)
            self.messages = tuple(await self.session.services.messages.read(account_id, self.handle))
            self.chooser = self.chooser.at(max(0, len(self.messages) - 1), len(self.messages))
            await self.session.person.load_following()
        self.is_loaded = True
        self.session.dirty()

    def on_message(self) -> None:
        self.session.spawn(self._load())

    def landing(self) -> str:
        return f"messages {self.handle}"

    def title(self) -> str:
        return f"{self.session.t('messages.title')} · {self.session.marked(self.handle)}"

    def lines_needed(self) -> int:
        return len(self._lines(self.most_cols)) + len(self._drawn_below(self.most_cols))

    def body(self, cols: int, rows: int) -> Body:
        """Draw them whole, under who wrote them and when; a few stand at the top, and are written on below."""
        below = self._drawn_below(cols)
        if not self.messages:
            return Body(with_emblems(below, self.session.look, cols, rows - self.covered_rows))
        lines, rows = self._lines(cols), rows - self.covered_rows - len(below)
        self._shown = window(lines, self.chooser.index, self._shown.start, rows)
        self._drawn_rows = [lines[y].row for y in self._shown]
        return Body([*marked(lines, self._shown, self.session.look, cols - 1), *below])

    def _drawn_below(self, cols: int) -> list[Line]:
        return [line for one in self.below() for line in ((), *said_lines((one,), cols))]

    def _lines(self, cols: int) -> list[RowLine]:
        """Draw all messages; those that one person wrote one after the other have one head."""
        lines = list[RowLine]()
        for i, one in enumerate(self.messages):
            before = self.messages[i - 1] if i else None
            if before is None or before.sender != one.sender or one.at - before.at > PAUSE:
                lines += [RowLine(())] if before is not None else []
                style = "name" if one.sender == self.handle else "title"
                name = (style, f"{' ' * POINTER_COLS}{self.session.marked(one.sender)}")
                lines.append(RowLine((name, ("dim", f"  {one.at:%m-%d %H:%M}"))))
            for n, text in enumerate(wrap(one.text, cols - POINTER_COLS - 2)):
                start = self.pointer(i) if n == 0 else " " * POINTER_COLS
                lines.append(RowLine(self.filled(i, plain(start + text), cols - 1), i))
        return lines

    def click(self, col: int, row: int) -> bool:
        """Choose the message at a line of the body."""
        index = self._drawn_rows[row] if row < len(self._drawn_rows) else None
        return index is not None and self.choose(index + 1)

    def columns(self) -> tuple[Column[StoredMessage], ...]:
        """Return when, who and what."""
        return (
            Column("", DAY_COLS, lambda one: f"{one.at:%m-%d %H:%M}"),
            Column("", 0, lambda one: f"{self.session.marked(one.sender)}  "),
            Column("", 0, lambda one: one.text),
        )

    def listed(self) -> tuple[StoredMessage, ...]:
        return self.messages

    def below(self) -> list[Said | Empty]:
        """Say that nothing was written yet, and how to write, or why one may not."""
        t = self.session.t
        if not self.is_loaded:
            return [Said(t("page.loading"), "dim")]
        told: list[Said | Empty] = []
        if not self.messages:
            write = () if self.refusal is not None else keymap.hints("messages", ("write",))
            told.append(Empty(t("messages.none", name=self.handle), tuple(self.offers(write))))
        if (refusal := self.refusal) is not None:
            told.append(Said(t(wording(refusal, self.session.look), **self.session.prompts.reasons(refusal)), "warn"))
        return told

    def hints(self) -> tuple[Hint, ...]:
        write = () if self.refusal is not None else keymap.hints("messages", ("write",))
        return (*write, *keymap.hints("everywhere", ("back",)))

    def do_write(self) -> None:
        """Write to the other; who may not reads why, and whether it is still so."""
        if self.refusal is not None:
            self.session.spawn(self._load())
        else:
            self.session.have_typed("messages.ask", self._write, limit=CHARS, name=self.handle)

    async def _write(self, text: str) -> None:
        await self.session.services.messages.send(self.session.identity.player, self.handle, text)
        await self._load()
