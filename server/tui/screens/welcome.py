"""Welcome: a new key chooses a handle, becomes a guest, or is linked to an account; recovery codes are shown once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from game.errors import GameError
from server.errors import RateLimited, Refused
from server.tui import keymap
from server.tui.field import Field
from server.tui.i18n import following
from server.tui.keymap import Hint
from server.tui.lines import Line, columns, plain, wrapped
from server.tui.screens.page import Body, Page

if TYPE_CHECKING:
    from server.tui.app import Session

HANDLE_COLS = 20
LONGEST_HANDLE = 16
CODE_LENGTH = 40
OTHER_KEY = "ssh -i KEY -o IdentitiesOnly=yes"  # in a line of its own: it is there to be copied


class WelcomePage(Page):
    """The first page of a key that nobody knows."""

    context: ClassVar[str] = "welcome"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.handle = Field.of(session.identity.wish.lower(), LONGEST_HANDLE)
        self.error: Line = ()
        self.code_error: Line = ()
        self.is_busy = False

    def title(self) -> str:
        """Welcome somebody to the house."""
        return self.session.t("welcome.title", house=self.session.house_name)

    def who(self) -> str:
        """Show the key."""
        return ""

    def body(self, cols: int, rows: int) -> Body:
        """Show the key, the field for the handle, and the other ways in."""
        t, width = self.session.t, min(cols - 4, 76)
        lines: list[Line] = [()]
        for text in (t("welcome.text"), t("welcome.key", fingerprint=self.session.identity.fingerprint or "")):
            lines += [((("", "  "), *line)) for line in wrapped(text, width)]
            lines.append(())
        label = f"  {t('welcome.handle')} "
        span, at = self.handle.shown(HANDLE_COLS)
        cursor = (columns(label) + at, len(lines))
        lines += [(("title", label), span), (("", "  "), *(self.error or plain(t("welcome.rules"), "dim"))), ()]
        lines += [((("", "  "), *line)) for line in wrapped(t("welcome.other-key"), width, "dim")]
        lines.append(plain(f"    {OTHER_KEY}"))
        for text in (t("welcome.link"), t("welcome.guest")):
            lines += [((("", "  "), *line)) for line in wrapped(text, width, "dim")]
            lines.append(())
        if self.session.is_typing and self.code_error:
            lines.append((("", "  "), *self.code_error))
        return Body(lines, cursor)

    def hints(self) -> tuple[Hint, ...]:
        """Return the ways in, and the one out."""
        names = ("accept", "guest", "link", *(("language",) if self.session.can_show("language") else ()))
        return (*keymap.hints("welcome", names), *keymap.hints("everywhere", ("leave",)))

    def press(self, key: str) -> bool:
        """Type the handle; commands are keys that no handle holds."""
        name = keymap.command("welcome", key)
        if name is not None:
            return super().press(key)
        changed = self.handle.press(key.lower() if len(key) == 1 else key) if key != "?" else None
        if changed is None:
            return False
        self.handle, self.error = changed, ()
        return True

    def paste(self, text: str) -> None:
        """Take pasted letters."""
        self.press(text)

    def back(self) -> bool:
        """Stay: there is nowhere to go back to."""
        return True

    def do_accept(self) -> None:
        """Register the handle."""
        if not self.is_busy:
            self.is_busy = True
            self.session.spawn(self._register())

    async def _register(self) -> None:
        session, identity = self.session, self.session.identity
        try:
            made = await session.services.accounts.register(
                self.handle.text, identity.public_key or "", identity.source
            )
        except (Refused, GameError) as refusal:
            key = "welcome.too-many" if isinstance(refusal, RateLimited) else refusal.key
            self.error = plain(f"! {session.t(key, **session.reasons(refusal))}", "bad")
            return
        finally:
            self.is_busy = False
        await session.become(made.account)
        session.home(CodesPage(session, made.recovery_codes))

    def do_guest(self) -> None:
        """Go on without an account."""
        self.session.spawn(self._guest())

    async def _guest(self) -> None:
        from server.tui.screens.calibrate import CalibratePage

        await self.session.load_person()
        self.session.home(CalibratePage(self.session))

    def do_link(self) -> None:
        """Ask for a code of an account one has."""
        self.code_error = ()
        self.session.type("welcome.ask-code", self._link, limit=CODE_LENGTH)

    def _link(self, code: str) -> None:
        self.session.spawn(self._use_code(code))

    async def _use_code(self, code: str) -> None:
        from server.tui.screens.doors import enter_house

        identity = self.session.identity
        try:
            account = await self.session.services.accounts.link(code, identity.public_key or "", identity.source)
        except Refused as refusal:
            # Asked again at once: what is typed next is another code, and must not become the handle.
            self.session.type("welcome.ask-code", self._link, start=code, limit=CODE_LENGTH)
            self.code_error = plain(self.session.t(refusal.key, **self.session.reasons(refusal)), "bad")
            return
        await self.session.become(account)
        await enter_house(self.session)
        self.session.notice("welcome.linked", "good", name=account.handle)

    def do_language(self) -> None:
        """Change the language."""
        self.session.use(language=following(self.session.look.language))


class CodesPage(Page):
    """The recovery codes, shown once."""

    context: ClassVar[str] = "codes"

    def __init__(self, session: Session, codes: Any) -> None:
        super().__init__(session)
        self.codes = tuple(codes)

    def title(self) -> str:
        """Say what these are."""
        return self.session.t("codes.title")

    def body(self, cols: int, rows: int) -> Body:
        """List the codes, two in a line where there is room."""
        lines: list[Line] = [()]
        for line in wrapped(self.session.t("codes.text", name=self.session.identity.name), min(cols - 4, 76)):
            lines.append((("", "  "), *line))
        lines.append(())
        lines += [plain(f"      {code}", "title") for code in self.codes]
        return Body(lines)

    def back(self) -> bool:
        """Stay until they are noted."""
        return True

    def do_accept(self) -> None:
        """Go on to the calibration."""
        from server.tui.screens.calibrate import CalibratePage

        self.session.home(CalibratePage(self.session))


def with_account(identity: Any, account: Any) -> Any:
    """Return the identity of somebody who has an account now."""
    roles: frozenset[str] = frozenset(getattr(account, "roles", ()))
    return replace(identity, account_id=account.id, name=account.handle, roles=roles)
