"""Me: settings, keys, profile."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from server.tui import keymap, theme
from server.tui.i18n import CHOICES
from server.tui.keymap import Hint
from server.tui.lines import Line, plain
from server.tui.screens.decks import deck_games
from server.tui.screens.form import FormPage, FormRow, cycle, note

if TYPE_CHECKING:
    from server.tui.app import Session


class MePage(FormPage):
    """A person's settings; each is kept as soon as it is changed."""

    context: ClassVar[str] = "me"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.keys: list[str] = []
        self.code = ""

    def start(self) -> None:
        """Read the keys of the account."""
        if self.session.identity.account_id is not None:
            self.session.spawn(self._load_keys(self.session.identity.account_id))

    async def _load_keys(self, account_id: int) -> None:
        self.keys = [key.fingerprint for key in await self.session.services.accounts.keys(account_id)]

    def title(self) -> str:
        """Say whose settings these are."""
        return self.session.t("me.title")

    def rows(self) -> list[FormRow]:
        """Return the settings."""
        look, prefer = self.session.look, self.session.preferences
        return [
            FormRow(look.t("me.language"), look.t(f"language.{look.language}"), self._language),
            FormRow(look.t("me.palette"), look.t(f"palette.{look.palette}"), self._palette),
            FormRow(look.t("me.glyphs"), look.t(f"glyphs.{look.glyph_set}"), self._glyphs),
            self._switch("me.bell", "bell", prefer.bell),
            self._switch("me.window-title", "title", prefer.title),
            self._switch("me.mouse", "mouse", prefer.mouse),
        ]

    def _switch(self, key: str, name: str, value: bool) -> FormRow:
        def flip(step: int) -> None:
            self.session.prefer(**{name: not value})
            if name == "mouse":
                self.session.screen.set_mouse_tracking(not value)

        return FormRow(self.session.t(key), self.session.t("form.yes" if value else "form.no"), flip)

    def _language(self, step: int) -> None:
        self.session.use(language=cycle(CHOICES, self.session.look.language, step))
        self._keep("language")

    def _palette(self, step: int) -> None:
        self.session.use(palette=cycle(tuple(theme.PALETTES), self.session.look.palette, step))
        self._keep("palette")

    def _glyphs(self, step: int) -> None:
        self.session.use(glyph_set=cycle(tuple(theme.GLYPHS), self.session.look.glyph_set, step))
        self._keep("glyphs")

    def _keep(self, name: str) -> None:
        self.session.prefer_look(name)
        if not self.session.can_show(name):
            self.session.notice(f"me.no-other.{name}")

    def outro(self, cols: int) -> list[Line]:
        """List the keys, and a new link code."""
        t, identity = self.session.t, self.session.identity
        if identity.is_guest:
            return note(t("me.guest"), cols)
        lines = note(t("me.keys"), cols, "title")
        lines += [(("", f"    {key}"),) for key in self.keys]
        if self.code:
            lines += note(t("me.code", code=self.code), cols, "good")
            lines.append(plain(f"    ssh HOST keys link {self.code}", "good"))  # whole, to be copied
        return lines

    def hints(self) -> tuple[Hint, ...]:
        """Return the keys."""
        decks = ("decks",) if deck_games() else ()
        names = ("change",) if self.session.identity.is_guest else ("change", "profile", *decks, "keys", "rename")
        return (*keymap.hints("me", names), *keymap.hints("form", ("next",)), *keymap.hints("everywhere", ("back",)))

    def do_profile(self) -> None:
        """See one's own matches."""
        from server.tui.screens import doors

        if not self.session.identity.is_guest:
            doors.go_to_profile(self.session, self.session.identity.name)

    def do_decks(self) -> None:
        """See one's own decks."""
        from server.tui.screens import doors

        if deck_games() and not self.session.identity.is_guest:
            doors.go_to_decks(self.session)

    def do_keys(self) -> None:
        """Make a code that links another key."""
        if self.session.identity.account_id is not None:
            self.session.spawn(self._make_code(self.session.identity.account_id))

    async def _make_code(self, account_id: int) -> None:
        self.code = await self.session.services.accounts.make_code(account_id)

    def do_rename(self) -> None:
        """Choose another handle."""
        if self.session.identity.account_id is not None:
            self.session.type("me.ask-handle", self._rename, self.session.identity.name, limit=16)

    def _rename(self, handle: str) -> None:
        account_id = self.session.identity.account_id
        if account_id is not None:
            self.session.spawn(self._take_name(account_id, handle))

    async def _take_name(self, account_id: int, handle: str) -> None:
        await self.session.become(await self.session.services.accounts.rename(account_id, handle))
        self.session.notice("me.renamed", "good", name=handle)
