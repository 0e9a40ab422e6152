"""The person of a session: settings, rating, blocks, being here for the others."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from server.accounts.decks import StoredDeck
from server.accounts.identity import MODERATOR, Hidden, Identity
from server.accounts.preferences import Preferences
from server.services import Services
from server.tui.decks import OwnDeck, judged
from server.tui.look import Look
from server.tui.screens.page import Page
from server.tui.terminal import Terminal

if TYPE_CHECKING:
    from server.tui.app import Session


class Person:
    """The half of a session that knows who it is."""

    id: str
    identity: Identity
    services: Services
    screen: Terminal
    look: Look
    pages: list[Page]

    def __init__(self) -> None:
        self.preferences = Preferences()
        self.rating_shown = ""
        self.blocked: Hidden = frozenset()  # who this person does not want to see anywhere
        self.hidden_names: frozenset[str] = frozenset()  # what they are called
        self.hidden_guests: frozenset[str] = frozenset()  # those of them who are guests: for as long as one is here
        self.rating_span = 0  # wished distance from one's own rating; 0: any
        self.wished_players = 2
        self.decks: tuple[OwnDeck, ...] = ()
        self._has_decks = False
        self.on_identity: Callable[[Identity], None] | None = None  # hears who the person is from now on
        self._arrival: Any = None

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Do something that waits."""
        raise NotImplementedError

    def dirty(self) -> None:
        """Draw at the end of this tick."""
        raise NotImplementedError

    def use(self, **changes: str) -> None:
        """Change palette, glyphs or language."""
        raise NotImplementedError

    def can_show(self, what: str) -> bool:
        """Tell whether the terminal shows more than one `palette`, one set of `glyphs`, one `language`."""
        return bool(self.screen.client.colors > 1 if what == "palette" else self.screen.client.is_unicode)

    def prefer_look(self, *names: str, **changes: Any) -> None:
        """Keep what is shown now of `palette`, `glyphs` and `language`: never what only this terminal brings about.

        `changes` are other settings to be kept with them.
        """
        shown = {"palette": self.look.palette, "glyphs": self.look.glyph_set, "language": self.look.language}
        self.prefer(**changes, **{name: shown[name] for name in names if self.can_show(name)})

    async def load_person(self) -> None:
        """Read what the person has set; guests have the defaults and what their terminal says."""
        account_id = self.identity.account_id
        if account_id is not None:
            self.preferences, _, _ = await asyncio.gather(  # asked for together, the store reads them together
                self.services.accounts.preferences(account_id), self.load_rating(), self.load_blocks()
            )
        wished = self.preferences
        self.use(
            palette=wished.palette or self.look.palette,
            glyph_set=wished.glyphs or self.look.glyph_set,
            language=wished.language or self.look.language,
        )
        if not wished.mouse:
            self.screen.set_mouse_tracking(False)

    async def load_decks(self, again: bool = False) -> None:
        """Read the person's own decks, and what is wrong with each: when they are first wanted, not at every login."""
        if self.identity.account_id is not None and (again or not self._has_decks):
            self._has_decks = True
            kept = await self.services.decks.of(self.identity.account_id)
            self.decks = tuple(deck for stored in kept if (deck := judged(stored, self.look)) is not None)

    async def save_deck(self, deck: StoredDeck) -> StoredDeck:
        """Keep a deck with the account; guests keep none. Raises AccountError."""
        if self.identity.account_id is None:
            return deck
        kept = await self.services.decks.save(self.identity.account_id, deck)
        await self.load_decks(again=True)
        return kept

    async def remove_deck(self, deck_id: int) -> None:
        """Take a deck away."""
        if self.identity.account_id is not None:
            await self.services.decks.remove(self.identity.account_id, deck_id)
            await self.load_decks(again=True)

    async def load_blocks(self) -> None:
        """Read who is not shown to this person."""
        if self.identity.account_id is not None:
            people = await self.services.conduct.blocked_people(self.identity.account_id)
            self.blocked = frozenset((*people, *self.hidden_guests))
            self.hidden_names = self.hidden_guests.union(people.values())

    async def load_rating(self) -> None:
        """Read the rating the title line shows."""
        from server.tui.screens.doors import shown_rating

        self.rating_shown = await shown_rating(cast("Session", self))

    @property
    def is_staff(self) -> bool:
        """Tell whether this is a moderator, or an admin."""
        return self.identity.may(MODERATOR)

    def take_roles(self, roles: frozenset[str]) -> None:
        """Have these roles from now on: an admin gave or took one."""
        self.identity = replace(self.identity, roles=roles)
        self.dirty()

    def hear_blocks(self) -> None:
        """Read again whom this person has blocked: it was changed at another terminal."""
        self.spawn(self.load_blocks())

    def hear_report(self) -> None:
        """Tell a moderator who is in the lobby, or at the desk, that something was reported."""
        for page in self.pages if self.is_staff else ():
            if (told := page.on_report()) is not None:
                self.spawn(told)

    async def become(self, account: Any) -> None:
        """Be the person of an account from now on: it was registered or linked just now."""
        from server.tui.screens.welcome import with_account

        self.identity = with_account(self.identity, account)
        if self.on_identity is not None:
            self.on_identity(self.identity)
        await self.load_person()

    def prefer(self, **changes: Any) -> None:
        """Change settings, and keep them with the account."""
        self.preferences = replace(self.preferences, **changes)
        if self.identity.account_id is not None:
            self.spawn(self.services.accounts.save_preferences(self.identity.account_id, self.preferences))
        self.dirty()

    def arrive(self) -> None:
        """Be here for the others; from now on matches find this session."""
        if self._arrival is not None:
            self._arrival.leave()
        self._arrival = self.services.lobby.arrive(self.identity, self.id, self._match_found)

    def _match_found(self, match_id: str) -> None:
        from server.tui.screens.doors import go_to_own_match
        from server.tui.screens.lobby import LobbyPage

        wished_rated = False
        for page in self.pages:
            if isinstance(page, LobbyPage):
                wished_rated = page.ticket is not None and page.wishes.rated
                page.paired()
        self.spawn(go_to_own_match(cast("Session", self), match_id, wished_rated))

    def leave(self) -> None:
        """Be gone for the others."""
        if self._arrival is not None:
            self._arrival.leave()
            self._arrival = None
