"""Me: settings, keys, profile."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, ClassVar

from server.accounts.machines import Kind
from server.accounts.preferences import CHALLENGERS
from server.boards import keymap
from server.boards.weblinks import WEB_URL, feed_link, signin_link, why_none
from server.clock import moment_words
from server.i18n.catalogues import CHOICES
from server.i18n.refusals import reasons
from server.matches.vacations import Vacation
from server.notices.notices import NoticesStand
from server.screens.form import MAKE_KEY, FormPage, FormRow, cycle, grouped, switch_row, way_to_account
from server.screens.playnow import deck_games
from server.session import places
from server.session.session import Session
from server.terminal import theme
from server.terminal.glyphs import GLYPHS
from server.terminal.hint import Hint
from server.terminal.items import Said

OF_ACCOUNTS = frozenset(
    ("profile", "decks", "keys", "codes", "all", "rename", "vacation", "notices", "web", "feed")
)  # commands that are none of a guest
ROOMY_ROWS = 24  # of a window in which a guest is also told what becomes of settings


class MePage(FormPage):
    """A person's settings; each is kept as soon as it is changed."""

    context: ClassVar[str] = "me"
    is_steady = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.keys: list[str] = []
        self.code = ""
        self.link = ""  # signs a browser in
        self.feed = ""  # the address of a feed that was made just now
        self.vacation: Vacation | None = None
        self.notices: NoticesStand | None = None  # None: not known yet, or the server sends none

    def start(self) -> None:
        """Read the keys of the account."""
        if self.session.identity.account_id is not None:
            self.session.spawn(self._load_keys(self.session.identity.account_id))
            self.session.spawn(self._load_vacation(self.session.identity.account_id))
            self.session.spawn(self._load_notices(self.session.identity.account_id))

    async def _load_notices(self, account_id: int) -> None:
        if (service := self.session.services.notices) is not None:
            self.notices = await service.of(account_id)
            self.session.dirty()

    async def _load_vacation(self, account_id: int) -> None:
        self.vacation = await self.session.services.matches.vacations.of(account_id)

    async def _load_keys(self, account_id: int) -> None:
        found, before = await self.session.services.accounts.keys.of(account_id), len(self.keys)
        self.keys = [f"{key.fingerprint}  {key.label or ''}".rstrip() for key in found]
        if before and len(found) > before:
            self.code = ""  # it was used

    def on_keys(self) -> None:
        if (account_id := self.session.identity.account_id) is not None:
            self.session.spawn(self._load_keys(account_id))

    def landing(self) -> str:
        return "me"

    def title(self) -> str:
        return self.session.t("me.title")

    def rows(self) -> list[FormRow]:
        look, prefer = self.session.look, self.session.person.preferences
        return [
            FormRow(
                look.t("me.language"), look.t(f"language.{look.language}"), self._language, look.t("me.language.help")
            ),
            FormRow(look.t("me.palette"), look.t(f"palette.{look.palette}"), self._palette, look.t("me.palette.help")),
            FormRow(
                look.t("me.glyphs"),
                look.t(f"glyphs.{self.session.display.look.glyph_set}"),
                self._glyphs,
                look.t("me.glyphs.help"),
            ),
            self._switch("me.bell", "bell", prefer.bell),
            self._switch("me.window-title", "title", prefer.title),
            self._switch("me.mouse", "mouse", prefer.mouse),
            self._switch("me.motion", "motion", prefer.motion),
            self._lines_row(),
            *grouped(
                look.t("me.group.others"),
                (*self._challenged_by_row(), *self._invisible_row(), *self._indexed_row()),
            ),
            *grouped(look.t("me.group.account"), (*self._vacation_row(), *self._notices_row(), *self._machine_row())),
        ]

    def _notices_row(self) -> tuple[FormRow, ...]:
        """Say where notices go, with the topic shortened: who knows it whole reads along."""
        found, t = self.notices, self.session.t
        if found is None:
            return ()
        said = "none" if found.shown is None else "on" if found.is_confirmed else "waits"
        shown = t(f"notices.{said}", topic=found.shown or "")
        return (FormRow(t("me.notices"), shown, None, t("me.notices.help"), opens=self.do_notices),)

    def _invisible_row(self) -> tuple[FormRow, ...]:
        """Say whether others see one connected."""
        t, identity = self.session.t, self.session.identity
        account_id = identity.account_id
        if account_id is None:
            return ()

        async def change(is_invisible: bool) -> None:
            await self.session.services.following.set_invisible(account_id, is_invisible)
            self.session.person.hear_visibility(is_invisible)

        def flip(step: int) -> None:
            self.session.spawn(change(not identity.is_invisible))

        look = self.session.look
        return (switch_row(look, t("me.invisible"), identity.is_invisible, flip, t("me.invisible.help")),)

    def _indexed_row(self) -> tuple[FormRow, ...]:
        """Say whether search engines may list one's page, where there are pages."""
        has_page = self.session.services.settings.web_origin and not self.session.identity.is_guest
        return (self._switch("me.indexed", "indexed", self.session.person.preferences.indexed),) if has_page else ()

    def _machine_row(self) -> tuple[FormRow, ...]:
        """Say whether a program plays for the account."""
        t, account_id = self.session.t, self.session.identity.account_id
        if account_id is None:
            return ()
        becomes: Kind = "person" if account_id in self.session.services.machines.known else "bot"

        def ask(step: int) -> None:
            self.session.have_confirmed(f"machine.ask-{becomes}", self._mark(account_id, becomes))

        said = t("me.machine.yes" if becomes == "person" else "me.machine.no")
        return (FormRow(t("me.machine"), said, ask, t("me.machine.help")),)

    def _mark(self, account_id: int, becomes: Kind) -> Callable[[], Coroutine[Any, Any, None]]:
        async def mark() -> None:
            await self.session.services.machines.declare(account_id, becomes, self.session.identity.fingerprint)
            self.session.prompts.notice(f"machine.is-{becomes}", "good")

        return mark

    def _lines_row(self) -> FormRow:
        """Say whether one wants screens or lines."""
        t, lines = self.session.t, self.session.person.preferences.lines

        def change() -> None:
            self.session.person.prefer(lines=not lines)
            self.session.show_in(lines=not lines)

        def flip(step: int) -> None:
            if lines or not self.session.screen.draws:
                change()
            else:  # a page of another kind comes at once: nobody should be there by a slip of an arrow key
                self.session.prompts.ask("lines.ask", change, again="enter")

        return FormRow(t("me.lines"), t("me.lines.yes" if lines else "me.lines.no"), flip, t("me.lines.help"))

    def _challenged_by_row(self) -> tuple[FormRow, ...]:
        """Say whose challenges are shown."""
        if self.session.identity.is_guest:
            return ()
        t, by = self.session.t, self.session.person.preferences.challenged_by

        def other(step: int) -> None:
            self.session.person.prefer(challenged_by=cycle(CHALLENGERS, by, step))

        return (FormRow(t("me.challenged-by"), t(f"me.challenged-by.{by}"), other, t("me.challenged-by.help")),)

    def _vacation_row(self) -> tuple[FormRow, ...]:
        """Say until when one is away from daily matches, or how many days are left of the year's."""
        found, t = self.vacation, self.session.t
        if found is None:
            return ()
        left = t("vacation.left", n=found.days_left)
        said = left if found.until is None else t("vacation.until", until=moment_words(found.until))
        return (FormRow(t("me.vacation"), said, None, t("me.vacation.help"), opens=self.do_vacation),)

    def _switch(self, key: str, name: str, value: bool) -> FormRow:
        def flip(step: int) -> None:
            self.session.person.prefer(**{name: not value})
            if name == "mouse":
                self.session.screen.set_mouse_tracking(not value)

        look = self.session.look
        return switch_row(look, look.t(key), value, flip, look.t(f"{key}.help"))

    def _language(self, step: int) -> None:
        self.session.display.use(language=cycle(CHOICES, self.session.look.language, step))
        self._keep("language")

    def _palette(self, step: int) -> None:
        self.session.display.use(palette=cycle(theme.PALETTES, self.session.look.palette, step))
        self._keep("palette")

    def _glyphs(self, step: int) -> None:
        self.session.display.use(glyph_set=cycle(tuple(GLYPHS), self.session.display.look.glyph_set, step))
        self._keep("glyphs")

    def _keep(self, name: str) -> None:
        self.session.appearance.prefer_look(name)
        if not self.session.appearance.can_show(name):
            self.session.prompts.notice(f"me.no-other.{name}")

    def outro(self) -> list[Said]:
        """Say whether one is muted, and what was made or waits: recovery codes, a link code, a link."""
        t, identity = self.session.t, self.session.identity
        muted = self.session.services.chat.muted(identity.player)
        told = [] if muted is None else [Said(t(muted.key, **reasons(muted, self.session.look)), "warn")]
        if identity.is_guest:
            way = way_to_account(self.session)
            is_roomy = self.session.display.size[1] >= ROOMY_ROWS
            return [*told, *([Said(t("me.guest"), "dim")] if is_roomy else []), *way]
        told += [Said(t("codes.wait"), "warn")] if self.session.person.preferences.codes_wait else []
        if self.code:
            link = self.session.reached_at.line(f"keys link {self.code}")
            told += [Said(t("me.code", code=self.code), "good"), Said(link, "good", is_whole=True)]
            told += [Said(t("key.make"), "dim"), Said(MAKE_KEY, is_whole=True)]
        for shown, key in ((self.link, "me.link"), (self.feed, "me.feed")):
            if shown:
                told += [Said(t(key), "good"), Said(shown, "good", is_whole=True)]
        return told

    def aside(self) -> list[Said]:
        """List the keys."""
        if self.session.identity.is_guest:
            return []
        return [Said(self.session.t("me.keys"), "title"), *(Said(key, is_whole=True) for key in self.keys)]

    def hints(self) -> tuple[Hint, ...]:
        decks = ("decks",) if deck_games() else ()
        notices = () if self.notices is None else ("notices",)
        links = ("web", "feed") if self.session.services.settings.web_origin else ()
        codes = ("codes",) if self.session.person.preferences.codes_wait else ()
        own = (*codes, "profile", *decks, "keys", "all", "rename", "vacation", *notices, *links)
        names = () if self.session.identity.is_guest else own
        change = keymap.hints("me", ("change",)) if self._chosen().opens is None else keymap.hints("form", ("edit",))
        around = (*keymap.hints("form", ("next",)), *keymap.hints("everywhere", ("back",)))
        return (*change, *keymap.hints("me", names), *around)

    def action(self, command: str) -> Callable[[], None] | None:
        """Return what does a command here: to a guest, of what is for accounts, a sentence that says so."""
        if command in OF_ACCOUNTS and self.session.identity.is_guest:
            return partial(self.session.prompts.notice, "account.needed")
        return super().action(command)

    def do_profile(self) -> None:
        """See one's own matches."""
        self.session.go(places.ProfilePlace(self.session.identity.name))

    def do_decks(self) -> None:
        """See one's own decks."""
        if deck_games():
            self.session.go(places.DecksPlace())

    def do_keys(self) -> None:
        """Make a code that links another key."""
        if self.session.identity.account_id is not None:
            self.session.spawn(self._make_code(self.session.identity.account_id))

    async def _make_code(self, account_id: int) -> None:
        session = self.session
        self.code = await session.services.accounts.keys.make_code(account_id, session.identity.fingerprint)

    def do_web(self) -> None:
        """Make a link that signs a browser in."""
        identity, origin = self.session.identity, self.session.services.settings.web_origin
        if not origin:
            self.session.prompts.notice(why_none(self.session.services.settings), setting=WEB_URL)
        elif identity.account_id is not None and identity.fingerprint is not None:
            self.session.spawn(self._make_link(origin, identity.account_id, identity.fingerprint))

    async def _make_link(self, origin: str, account_id: int, by: str) -> None:
        self.link = signin_link(origin, await self.session.services.accounts.browsers.make_code(account_id, by))

    def do_feed(self) -> None:
        """Make a feed, or revoke the one there is, once it is confirmed."""
        identity, origin = self.session.identity, self.session.services.settings.web_origin
        if not origin:
            self.session.prompts.notice(why_none(self.session.services.settings), setting=WEB_URL)
        elif identity.account_id is not None:
            self.session.spawn(self._make_feed(origin, identity.account_id))

    async def _make_feed(self, origin: str, account_id: int) -> None:
        feeds, by = self.session.services.accounts.feeds, self.session.identity.fingerprint
        if await feeds.made_at(account_id) is None:
            self.feed = feed_link(origin, await feeds.make(account_id, by))
            return

        async def revoke() -> None:
            await feeds.revoke(account_id, by)
            self.feed = ""
            self.session.prompts.notice("feed.off", "good")

        self.session.have_confirmed("feed.ask-off", revoke)

    def do_codes(self) -> None:
        """Read the recovery codes, while they wait for it."""
        if self.session.person.preferences.codes_wait:
            self.session.go(places.NamedPlace.CODES)
        elif self.session.identity.account_id is not None:
            self.session.prompts.notice("me.codes-shown")

    def do_all(self) -> None:
        """See all keys, and where each is logged in."""
        if self.session.identity.account_id is not None:
            self.session.go(places.NamedPlace.OWN_KEYS)

    def do_vacation(self) -> None:
        """Take days off from daily matches, or come back from them."""
        found = self.vacation
        if found is None:
            return
        if found.until is not None:
            self.session.have_confirmed("vacation.ask-end", self._end_vacation)
        elif found.days_left:
            self.session.have_typed("vacation.ask-days", self._begin_vacation, limit=2)
        else:
            self.session.prompts.notice("vacation.error.days", left=0)

    async def _begin_vacation(self, typed: str) -> None:
        session, days = self.session, int(typed) if typed.strip().isdecimal() else 0
        until = await session.services.matches.vacations.begin(session.identity.player, days)
        session.prompts.notice("vacation.taken", "good", until=moment_words(until))
        await self._load_own_vacation()

    async def _end_vacation(self) -> None:
        await self.session.services.matches.vacations.end(self.session.identity.player)
        self.session.prompts.notice("vacation.ended", "good")
        await self._load_own_vacation()

    async def _load_own_vacation(self) -> None:
        if self.session.identity.account_id is not None:
            await self._load_vacation(self.session.identity.account_id)
            self.session.dirty()

    def do_notices(self) -> None:
        """Name a topic, type the code that was sent there, or end the notices."""
        found = self.notices
        if found is None:
            self.session.prompts.notice("notices.error.off")
        elif found.shown is None:
            self.session.have_typed("notices.ask-url", lambda typed: self._change_notices(typed, "url"))
        elif not found.is_confirmed:
            self.session.have_typed("notices.ask-code", lambda typed: self._change_notices(typed, "code"), limit=20)
        else:
            self.session.prompts.ask("notices.ask-off", self._end_notices, topic=found.shown)

    def _end_notices(self) -> None:
        self.session.spawn(self._change_notices("", "off"))

    async def _change_notices(self, typed: str, what: str) -> None:
        account_id, service = self.session.identity.account_id, self.session.services.notices
        if account_id is None or service is None:
            return
        if what == "off" or not typed.strip():
            await service.stop(account_id)
        elif what == "code":
            await service.confirm(account_id, typed)
        else:
            await service.set(account_id, typed, by=self.session.identity.fingerprint)
        await self._load_notices(account_id)

    def do_rename(self) -> None:
        """Choose another handle."""
        if self.session.identity.account_id is not None:
            self.session.have_typed("me.ask-handle", self._rename, start=self.session.identity.name, limit=16)

    async def _rename(self, handle: str) -> None:
        accounts, who = self.session.services.accounts, self.session.identity
        if who.account_id is not None:
            await self.session.become(await accounts.rename(who.account_id, handle, who.fingerprint))
            self.session.prompts.notice("me.renamed", "good", name=handle)
