"""Welcome: a new key chooses a handle, becomes a guest, or is linked to an account."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import IntEnum
from typing import ClassVar

from game.errors import GameError
from server.accounts.errors import AccountError
from server.accounts.handles import check_handle
from server.accounts.keys import Invitation
from server.boards import keymap
from server.clock import minute_after
from server.errors import RateLimited, Refused
from server.i18n.catalogues import following
from server.i18n.refusals import wording
from server.screens.sessionpage import SessionPage
from server.screens.welcomepicture import picture
from server.session import places
from server.session.page import Body, Speech
from server.session.session import Session
from server.terminal.field import Field
from server.terminal.hint import Hint
from server.terminal.itemlines import offer_lines, said_lines
from server.terminal.items import Item, Offer, Said, SettingRow
from server.terminal.largetext import word_mark
from server.terminal.lines import Line, beside, columns, inset, width_cols, wrapped
from server.terminal.stage import FORM

HANDLE_COLS = 20
LONGEST_HANDLE = 16
CODE_LENGTH = 40
LEAST_TEXT = 44  # columns of the words beside a picture
GAP_COLS = 3
FEW = 8  # rows of a picture below the words from which on more words stand beside it


@dataclass(frozen=True, slots=True)
class Complaint:
    """Why something was not done, said in the language of the moment. `at`: from when on it may be done."""

    key: str
    refusal: Refused | GameError | None = None
    at: str = ""

    def said(self, session: Session) -> Said:
        """Say it."""
        params = {} if self.refusal is None else session.prompts.reasons(self.refusal)
        return Said(session.t(self.key, **params, at=self.at), "bad")


class Brevity(IntEnum):
    """What a low window leaves out of the page, one after the other, until the ways in have room."""

    WHOLE = 0
    NO_GAPS = 1
    NO_TAGLINE = 2
    NO_KEY = 3


class WelcomePage(SessionPage):
    """The first page of a key that nobody knows."""

    context: ClassVar[str] = "welcome"
    measure = FORM

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.handle = replace(Field.of(_proposed(session), LONGEST_HANDLE), is_proposed=True)
        self.error: Complaint | None = None
        self.code_error: Complaint | None = None
        self.is_busy = False
        self.invitations: list[Invitation] = []

    def start(self) -> None:
        """Ask whether somebody has proposed this key for their account."""
        if self.session.identity.fingerprint is not None:
            self.session.spawn(self._load_invitations(self.session.identity.fingerprint))

    async def _load_invitations(self, fingerprint: str) -> None:
        self.invitations = await self.session.services.accounts.keys.invitations(fingerprint)
        self.session.dirty()

    def title(self) -> str:
        """Return the title: a welcome to the server."""
        return self.session.t("welcome.title", server=self.session.server_name)

    def who(self) -> str:
        return ""

    def lines_needed(self) -> int:
        return len(self.body(*self.measure.size_on(*self.session.display.size)).lines)

    def body(self, cols: int, rows: int) -> Body:
        """Show what this is, the field for the handle, the key, and the other ways in, beside a board."""
        shown = picture(self.session.look, cols - LEAST_TEXT - GAP_COLS, rows)
        if not shown:
            return self._alone(cols, rows)
        left_cols = cols - width_cols(shown[0]) - GAP_COLS
        mark = inset(word_mark(self.session.server_name, self.session.look, left_cols - 2), 2)
        first, at = self._first(left_cols, whole=(cols, len(shown) - len(mark)))
        first, cursor = [*mark, *first], (at[0], at[1] + len(mark))
        if len(shown) > len(first) + FEW:  # the ways in stand beside the picture, too
            lines = [*first, *self._fitting(left_cols, rows - len(first))]
            return Body(beside(lines, shown, left_cols + GAP_COLS, cols - left_cols - GAP_COLS), cursor)
        n = len(shown)
        head = [*beside(first[:n], shown, left_cols + GAP_COLS, cols - left_cols - GAP_COLS), *first[n:]]
        return Body([*head, *self._fitting(cols, rows - len(head))], cursor)

    def _fitting(self, cols: int, rows: int) -> list[Line]:
        """Draw the other ways in, with blank lines between them where there is room."""
        ways = self._ways_in(cols)
        return ways if len(ways) <= rows else self._ways_in(cols, Brevity.NO_GAPS)

    def _alone(self, cols: int, rows: int) -> Body:
        """Draw the page without a board, as much of it as has room."""
        body = Body([])
        for brevity in Brevity:
            first, cursor = self._first(cols, brevity)
            body = Body([*first, *self._ways_in(cols, brevity)], cursor)
            if len(body.lines) <= rows:
                break
        return body

    def _first(
        self, cols: int, brevity: Brevity = Brevity.WHOLE, whole: tuple[int, int] | None = None
    ) -> tuple[list[Line], tuple[int, int]]:
        """Draw what one does first: read what this is, and choose a handle; also where the cursor stands.

        `whole`: the columns that there are from one of the lines on.
        """
        gap: list[Line] = [()] if brevity is Brevity.WHOLE else []
        told = self._told()[brevity >= Brevity.NO_TAGLINE :]
        lines: list[Line] = [line for one in told for line in (*said_lines((one,), cols), *gap)]
        label = f"  {self.session.t('welcome.handle')} "
        span, at = self.handle.shown(HANDLE_COLS)
        cursor = (columns(label) + at, len(lines))
        below = self._below_handle()
        said = f"! {below.text}" if self.error is not None else below.text
        said_cols = whole[0] if whole is not None and len(lines) + 1 >= whole[1] else cols
        return [*lines, (("", label), span), *inset(wrapped(said, said_cols - 2, below.tone), 2), *gap], cursor

    def _told(self) -> list[Said]:
        return [Said(self.session.t("welcome.tagline"), "accent"), Said(self.session.t("welcome.text"))]

    def _below_handle(self) -> Said:
        """Say what a handle may be, or what is wrong with this one."""
        return self.error.said(self.session) if self.error is not None else Said(self.session.t("welcome.rules"), "dim")

    def items(self) -> list[Item]:
        """Tell what this is, the handle that is typed, the key, and the other ways in."""
        handle = SettingRow(self.session.t("welcome.handle"), self.handle.text, can_change=False, is_chosen=True)
        ways: list[Item] = [*self._wrong_code(), *self._asked(), *self._offers(), *self._by_keys()]
        return [*self._told(), handle, self._below_handle(), *ways]

    def choose(self, number: int) -> bool:
        return number == 1

    def speech(self) -> Speech:
        """Have the handle typed where its row is opened."""
        return WelcomeSpeech(self)

    def type_handle(self) -> None:
        """Have the handle typed as a line."""
        self.session.prompts.type("welcome.handle", self.take_handle, limit=LONGEST_HANDLE)

    def take_handle(self, typed: str) -> None:
        """Have a handle that was typed stand in the field."""
        self.handle, self.error = Field.of(typed.lower(), LONGEST_HANDLE), None

    def _wrong_code(self) -> list[Said]:
        return [self.code_error.said(self.session)] if self.session.prompts.is_typing and self.code_error else []

    def _ways_in(self, cols: int, brevity: Brevity = Brevity.WHOLE) -> list[Line]:
        """Draw the other ways in, and the key one came with."""
        gap: list[Line] = [()] if brevity is Brevity.WHOLE else []
        wrong, asked = said_lines(self._wrong_code(), cols), said_lines(self._asked(), cols)
        first = [line for some in (wrong, asked) if some for line in (*some, *gap)]
        return [*first, *offer_lines(self._offers(), cols, indent=2), *gap, *said_lines(self._by_keys(brevity), cols)]

    def _asked(self) -> list[Said]:
        """Say whose account one may join with this key."""
        names = self.session.t("list.comma").join(one.handle for one in self.invitations)
        return [Said(self.session.t("welcome.proposed", names=names), "warn")] if names else []

    def _offers(self) -> list[Offer]:
        """Tell the ways in by a key press."""
        t = self.session.t
        guest = [Offer("f2", t("keys.welcome.guest"), t("welcome.guest"))] if self._may_be_guest else []
        return [*guest, Offer("f3", t("keys.welcome.link"), t("welcome.link"))]

    def _by_keys(self, brevity: Brevity = Brevity.WHOLE) -> list[Said]:
        """Tell how to come with another key, and which one this is."""
        t = self.session.t
        told = [Said(t("welcome.other-key"), "dim"), Said(self.session.reached_at.line_with_key(), is_whole=True)]
        this = Said(t("welcome.key", fingerprint=self.session.identity.fingerprint or ""), "dim")
        return [*told, this] if brevity < Brevity.NO_KEY else told

    @property
    def _may_be_guest(self) -> bool:
        return self.session.services.settings.guests == "on"

    def hints(self) -> tuple[Hint, ...]:
        """Return the ways in, and the one out."""
        join = ("join",) if self.invitations else ()
        names = (
            "accept",
            *(("guest",) if self._may_be_guest else ()),
            "link",
            *join,
            *(("language",) if self.session.appearance.can_show("language") else ()),
        )
        return (*keymap.hints("welcome", names), *keymap.hints("everywhere", ("leave",)))

    def press(self, key: str) -> bool:
        """Type the handle; commands are keys that no handle holds."""
        name = keymap.command("welcome", key)
        if name is not None:
            return super().press(key)
        changed = self.handle.press(key.lower() if len(key) == 1 else key) if key != "?" else None
        if changed is None:
            return False
        if len(key) == 1 and not self.handle.has_room_for(key):
            self.session.prompts.notice("field.full", most=LONGEST_HANDLE)
        self.handle, self.error = changed, None
        return True

    def paste(self, text: str) -> None:
        """Take pasted letters."""
        self.press(text)

    def back(self) -> bool:
        """Stay: there is nowhere to go back to."""
        return True

    def do_accept(self) -> None:
        """Register the handle, with an invitation code where that is needed."""
        if self.session.services.accounts.wants_invitation:
            self.session.prompts.type("welcome.ask-invitation", self._register_with, limit=CODE_LENGTH)
        else:
            self._register_with("")

    def _register_with(self, code: str) -> None:
        if not self.is_busy:
            self.is_busy = True
            self.session.spawn(self._register(code))

    async def _register(self, code: str) -> None:
        session, identity = self.session, self.session.identity
        try:
            made = await session.services.accounts.register(
                self.handle.text, identity.public_key or "", identity.source, code
            )
        except (Refused, GameError) as refusal:
            self.error = self._complaint(refusal)
            return
        finally:
            self.is_busy = False
        await session.become(made.account)
        session.person.prefer(codes_wait=True)  # the lobby says it after the first match
        await self._go_on()

    def _complaint(self, refusal: Refused | GameError) -> Complaint:
        """Return why nobody was registered; where it is too early, note from when on it is not."""
        session = self.session
        if not (isinstance(refusal, RateLimited) and refusal.limit == "accounts_per_hour"):
            return Complaint(wording(refusal, session.look), refusal)
        start = session.services.clock.now() + timedelta(milliseconds=refusal.retry_after_ms)
        session.person.register_later(start)
        return Complaint("welcome.too-many", refusal, minute_after(start))

    def do_guest(self) -> None:
        """Go on without an account, where guests are let in."""
        if self._may_be_guest:
            self.session.spawn(self._guest())

    async def _guest(self) -> None:
        await self.session.load_person()
        await self._go_on()

    async def _go_on(self) -> None:
        """Go to the lobby, over a look at the glyphs and colours where something is drawn."""
        if self.session.screen.draws:
            self.session.start_at(places.NamedPlace.CALIBRATION)
        else:
            await self.session.reach(places.LobbyPlace())

    def do_link(self) -> None:
        """Ask for a code of an account one has."""
        self.code_error = None
        self.session.prompts.type("welcome.ask-code", self._link, limit=CODE_LENGTH)

    def _link(self, code: str) -> None:
        self.session.spawn(self._use_code(code))

    async def _use_code(self, code: str) -> None:
        identity = self.session.identity
        try:
            account = await self.session.services.accounts.keys.link(code, identity.public_key or "", identity.source)
        except Refused as refusal:
            # Asked again at once: what is typed next is another code, and must not become the handle.
            self.session.prompts.type("welcome.ask-code", self._link, start=code, limit=CODE_LENGTH)
            self.code_error = Complaint(wording(refusal, self.session.look), refusal)
            return
        await self.session.become(account)
        await self.session.reach(places.LobbyPlace())
        self.session.prompts.notice("welcome.linked", "good", name=account.handle)

    def do_join(self) -> None:
        """Join an account that this key was proposed for, once it is confirmed; of several, the one that is named."""
        match self.invitations:
            case []:
                return
            case [only]:
                self.session.prompts.ask("welcome.ask-join", lambda: self._join(only.handle), name=only.handle)
            case _:
                self.session.prompts.type("welcome.ask-join-name", self._join, limit=LONGEST_HANDLE)

    def _join(self, handle: str) -> None:
        found = next((one for one in self.invitations if one.handle == handle.strip().lower()), None)
        if found is None:
            self.error = Complaint("proposal.gone")
        else:
            self.session.spawn(self._enter(found))

    async def _enter(self, invitation: Invitation) -> None:
        public_key = self.session.identity.public_key or ""
        account = await self.session.services.accounts.keys.join(invitation.account_id, public_key)
        await self.session.become(account)
        await self.session.reach(places.LobbyPlace())
        self.session.prompts.notice("welcome.linked", "good", name=account.handle)

    def do_language(self) -> None:
        """Change the language."""
        self.session.display.use(language=following(self.session.look.language))


def _proposed(session: Session) -> str:
    """Return the user name that somebody asked for, if it may be a handle; nothing to accept otherwise."""
    name = session.identity.wanted_handle.lower()
    try:
        check_handle(name, session.server_name)
    except AccountError:
        return ""
    return name


class WelcomeSpeech(Speech):
    """Welcome in words."""

    def __init__(self, page: WelcomePage) -> None:
        super().__init__(page)
        self._welcome = page

    def do(self, command: str, key: str) -> bool:
        """Have the handle typed where its row is opened; do any other command."""
        if command != "open":
            return super().do(command, key)
        self._welcome.type_handle()
        return True

    def is_opened(self, number: int) -> bool:
        """Say yes: the only row is the handle's, which is typed."""
        return True

    def answer(self, typed: str) -> Sequence[str] | None:
        """Take a word that may be a handle for the one that is wished; where it may be none, say why."""
        if " " in typed:
            return None
        page = self._welcome
        page.take_handle(typed)
        try:
            check_handle(page.handle.text, page.session.server_name)
        except AccountError as error:
            page.session.prompts.refused(error)
            return ()
        return (page.session.t("welcome.typed", handle=page.handle.text),)
