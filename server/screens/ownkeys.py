"""Keys: what opens one's account and where it is open; keys are named and removed here, other sessions ended."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from server.accounts.accounts import StoredSession
from server.accounts.browsers import StoredBrowser
from server.accounts.errors import AccountError
from server.accounts.keys import Proposal, StoredKey, brought_by
from server.boards import keymap
from server.screens.columns import Column
from server.screens.listpage import ListPage
from server.session.page import Body
from server.session.session import Session
from server.terminal.hint import Hint
from server.terminal.itemlines import heading_line, said_lines
from server.terminal.items import Heading, Said
from server.terminal.lines import Line, columns
from server.terminal.stage import READING

LABEL_COLS, DAY_COLS = 40, 13
WIDE_COLS, NARROW_LABEL_COLS = 60, 23
FINGERPRINT_CHARS = 23  # of a key without a name
WHOLE_NAME = 2  # columns before the name of the chosen key
SESSIONS_SHOWN = 4
LABEL_CHARS, CODE_CHARS = 40, 40


class KeysPage(ListPage[StoredKey | Proposal]):
    """The keys of an account, the oldest first, then what is proposed; about the chosen one more stands below."""

    measure = READING
    context: ClassVar[str] = "ownkeys"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.keys: list[StoredKey] = []
        self.proposals: list[Proposal] = []
        self.sessions: list[StoredSession] = []
        self.browsers: list[StoredBrowser] = []
        self.codes: tuple[str, ...] = ()

    def start(self) -> None:
        self.session.spawn(self.load())

    async def load(self) -> None:
        """Fetch keys, proposals and open sessions."""
        accounts, account_id = self.session.services.accounts, self.session.identity.account_id
        if account_id is not None:
            self.keys = await accounts.keys.of(account_id)
            self.proposals = await accounts.keys.proposals(account_id)
            self.sessions = await accounts.sessions(account_id)
            self.browsers = await accounts.browsers.of(account_id)
            self.chooser = self.chooser.clamp(self.count())
            self.session.dirty()

    def on_keys(self) -> None:
        self.session.spawn(self.load())

    def listed(self) -> list[StoredKey | Proposal]:
        """Return the keys, then the proposals."""
        return [*self.keys, *self.proposals]

    def linked(self) -> tuple[str, ...]:
        """Return the keys that the chosen one has linked, and they in turn: what may go with it."""
        chosen = self.chosen()
        return () if chosen is None else brought_by(self.keys, chosen.fingerprint, self.session.identity.fingerprint)

    def landing(self) -> str:
        return "own-keys"

    def title(self) -> str:
        return self.session.t("ownkeys.title")

    def lines_needed(self) -> int:
        cols = self.most_cols
        return self.count() + 2 + len(self._about(cols)) + len(self.offer_lines(cols))

    def body(self, cols: int, rows: int) -> Body:
        """List the keys; below stands what there is to say of the chosen one."""
        about, rows = self._about(cols), rows - self.covered_rows
        if not self.count():
            return Body(about)
        lines = [self.heading(), *self.list_lines(1, max(2, rows - len(about) - 1)), *about]
        return Body(self.with_offers(lines, cols, rows))

    def offered(self) -> tuple[Hint, ...]:
        return self._own_hints()

    def _about(self, cols: int) -> list[Line]:
        """Draw what there is to say of the chosen key."""
        heads = [heading_line(one, WHOLE_NAME) for one in self.below() if isinstance(one, Heading)]
        return [(), *heads, *said_lines((one for one in self.below() if isinstance(one, Said)), cols)]

    def columns(self) -> tuple[Column[StoredKey | Proposal], ...]:
        """Return a key's name, when it was used, how many sessions it has, and whether it is this one."""
        named = max((columns(self._name(one)) for one in self.listed()), default=0)
        is_wide = self.size[0] >= WIDE_COLS
        label_cols = min(named, LABEL_COLS if is_wide else NARROW_LABEL_COLS)
        label = Column("ownkeys.label", label_cols, self._name)
        if not is_wide:
            return label, Column("ownkeys.used", 0, lambda one: self._mine(one) or self._used(one), said=self._used)
        return (
            label,
            Column("ownkeys.used", DAY_COLS, self._used),
            Column("ownkeys.open", columns(self.session.t("ownkeys.open")), self._sessions, is_number=True),
            Column("", 0, self._mine, "good"),
        )

    def _used(self, one: StoredKey | Proposal) -> str:
        if isinstance(one, Proposal):
            return self.session.t("ownkeys.proposed")
        return self.session.t("ownkeys.never") if one.used_day is None else f"{one.used_day:%Y-%m-%d}"

    def _sessions(self, one: StoredKey | Proposal) -> str:
        return "" if isinstance(one, Proposal) else str(len(self._open(one)) or "")

    def _mine(self, one: StoredKey | Proposal) -> str:
        return self.session.t("ownkeys.this") if one.fingerprint == self.session.identity.fingerprint else ""

    def _name(self, one: StoredKey | Proposal) -> str:
        return one.label or one.fingerprint[:FINGERPRINT_CHARS]

    def _open(self, key: StoredKey) -> list[StoredSession]:
        return [one for one in self.sessions if one.fingerprint == key.fingerprint]

    def below(self) -> list[Said | Heading]:
        """Say more of the chosen key: where it is logged in, and which other keys it has linked; then new codes."""
        chosen, t = self.chosen(), self.session.t
        if chosen is None:
            return [Said(t("page.loading"), "dim")]
        told: list[Said | Heading] = [Heading(self._name(chosen)), Said(chosen.fingerprint, "dim")]
        if isinstance(chosen, StoredKey):
            for one in self._open(chosen)[:SESSIONS_SHOWN]:
                told.append(Said(t("ownkeys.session", since=f"{one.since:%Y-%m-%d %H:%M}", source=one.source)))
            for browser in [one for one in self.browsers if one.fingerprint == chosen.fingerprint][:SESSIONS_SHOWN]:
                since, used = f"{browser.made_at:%Y-%m-%d %H:%M}", f"{browser.used_day:%Y-%m-%d}"
                told.append(Said(t("ownkeys.browser", since=since, used=used)))
            if names := [self._name(key) for key in self.keys if key.fingerprint in self.linked()]:
                told.append(Said(t("ownkeys.linked", names=t("list.comma").join(names)), "warn"))
        if self.count() == 1:
            told.append(Said(t("ownkeys.only"), "dim"))
        if self.codes:
            told.append(Said(t("ownkeys.codes"), "good"))
            told += [Said(code, "title", is_whole=True) for code in self.codes]
        return told

    def hints(self) -> tuple[Hint, ...]:
        """Return the keys; those that take a whole line away only where there is one."""
        return (*self._own_hints(), *keymap.hints("everywhere", ("back",)))

    def _own_hints(self) -> tuple[Hint, ...]:
        line = ("line",) if self.linked() else ()
        return keymap.hints("ownkeys", ("remove", *line, "logout", "label", "codes"))

    def do_remove(self) -> None:
        """Remove the chosen key, or withdraw the proposal, once it is confirmed."""
        self._ask_remove("ownkeys.ask-remove", with_linked=False)

    def do_line(self) -> None:
        """Remove the chosen key with those it has linked."""
        if self.linked():
            self._ask_remove("ownkeys.ask-line", with_linked=True)

    def _ask_remove(self, question: str, with_linked: bool) -> None:
        if (chosen := self.chosen()) is not None:
            remove = partial(self._remove, chosen.fingerprint, with_linked)
            self.session.have_confirmed(question, remove, name=self._name(chosen), n=len(self.linked()))

    async def _remove(self, fingerprint: str, with_linked: bool, recovery: str = "") -> None:
        who = self.session.identity
        if who.account_id is None:
            return
        try:
            removal = await self.session.services.accounts.keys.remove(
                who.account_id,
                fingerprint,
                who.fingerprint,
                with_linked=with_linked,
                recovery=recovery,
                source=who.source,
            )
        except AccountError as refusal:
            self.session.prompts.refused(refusal)
            if refusal.key in ("key.young", "code.unknown"):
                self.session.prompts.type(
                    "ownkeys.ask-recovery",
                    lambda code: self.session.spawn(self._remove(fingerprint, with_linked, code)),
                    limit=CODE_CHARS,
                )
            return
        self.codes = removal.recovery_codes or self.codes
        names = self.session.t("list.comma").join(self.session.t(f"key.ended.{one}") for one in removal.ended)
        said = "ownkeys.removed-ended" if names else "ownkeys.removed"
        self.session.prompts.notice(said, "good", n=len(removal.removed), what=names)
        await self.load()

    def do_logout(self) -> None:
        """End all other sessions, once it is confirmed."""
        self.session.have_confirmed("ownkeys.ask-logout", self._log_out)

    async def _log_out(self) -> None:
        who = self.session.identity
        if who.account_id is not None:
            count = await self.session.services.accounts.log_out(who.account_id, self.session.id, who.fingerprint)
            self.session.prompts.notice("ownkeys.logged-out", "good", n=count)
            await self.load()

    def do_label(self) -> None:
        """Call the chosen key otherwise."""
        chosen = self.chosen()
        if isinstance(chosen, StoredKey):
            key = chosen.fingerprint
            start, name = chosen.label or "", self._name(chosen)
            self.session.have_typed(
                "ownkeys.ask-label", lambda label: self._label(key, label), start=start, limit=LABEL_CHARS, name=name
            )

    async def _label(self, key: str, label: str) -> None:
        who = self.session.identity
        if who.account_id is not None:
            await self.session.services.accounts.keys.label(who.account_id, key, label, who.fingerprint)
            await self.load()

    def do_codes(self) -> None:
        """Make new recovery codes, once it is confirmed: the old ones are void."""
        self.session.have_confirmed("ownkeys.ask-codes", self._renew)

    async def _renew(self) -> None:
        who = self.session.identity
        if who.account_id is not None:
            self.codes = await self.session.services.accounts.keys.new_recovery_codes(who.account_id, who.fingerprint)
            self.session.person.prefer(codes_wait=False)
            self.session.dirty()
