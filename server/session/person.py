"""The person of a session: settings, rating, blocks, and being here for the others."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from server.accounts.accounts import Account
from server.accounts.identity import MODERATOR, Hidden, Identity
from server.accounts.preferences import Preferences
from server.errors import Refused
from server.i18n.refusals import reasons
from server.lobby.arrivals import Arrival
from server.session import places
from server.session.part import Part
from server.tui.seats import main_rating_words

if TYPE_CHECKING:
    from server.session.session import Session

MOST_SEEN = 100  # ends of matches that are kept as seen


class Person(Part):
    """Who it is: identity, settings, rating, blocks, and being here for the others."""

    def __init__(self, session: Session, identity: Identity, became: Callable[[Identity], None]) -> None:
        super().__init__(session)
        self.identity = identity
        self.preferences = Preferences()
        self.last_end: datetime | None = None  # of a match of theirs, when they came
        self.rating_shown = ""
        self.blocked: Hidden = frozenset()  # who this person does not want to see anywhere
        self.hidden_names: frozenset[str] = frozenset()  # what they are called
        self.hidden_guests: frozenset[str] = frozenset()  # those of them who are guests: for as long as one is here
        self.rating_span = 0  # wished distance from one's own rating; 0: any
        self.wished_players = 2
        self._became = became
        self._arrival: Arrival | None = None
        self._seen_ends: set[str] = set()  # at this terminal

    def shown_name(self) -> str:
        """Say who it is, with the rating."""
        name = self.identity.name
        shown = self.session.t("who.guest", name=name) if self.identity.is_guest else name
        return f"{shown} {self.rating_shown}".rstrip()

    async def load(self) -> None:
        """Read what the person has set; guests have the defaults and what their terminal says."""
        account_id = self.identity.account_id
        if account_id is not None:
            services = self.session.services
            self.preferences, self.last_end, _, _ = await asyncio.gather(  # asked for together, read together
                services.accounts.preferences(account_id),
                services.matches.last_end(account_id),
                self.load_rating(),
                self.load_blocks(),
            )
        wished = self.preferences
        self.session.appearance.suit()
        self.session.use(language=wished.language or self.session.look.language)
        if not wished.mouse:
            self.session.screen.set_mouse_tracking(False)

    def lesson(self, game: str, part: str, count: int) -> int:
        """Return at which lesson of a tutorial this person goes on."""
        kept = dict(one.rpartition("=")[::2] for one in self.preferences.lessons)
        said = kept.get(f"{game}/{part}", "0")
        return min(int(said), count - 1) if said.isdecimal() else 0

    def keep_lesson(self, game: str, part: str, index: int) -> None:
        """Keep at which lesson of a tutorial this person goes on; 0: at the beginning."""
        name = f"{game}/{part}"
        others = [one for one in self.preferences.lessons if one.rpartition("=")[0] != name]
        self.prefer(lessons=(*others, f"{name}={index}") if index else tuple(others))

    async def load_blocks(self) -> None:
        """Read who is not shown to this person."""
        if self.identity.account_id is not None:
            people = await self.session.services.conduct.blocked_people(self.identity.account_id)
            self.blocked = frozenset((*people, *self.hidden_guests))
            self.hidden_names = self.hidden_guests.union(people.values())

    async def load_rating(self) -> None:
        """Read the rating the title line shows: that of the ladder played most; empty for who was never rated."""
        account_id = self.identity.account_id
        if account_id is None:
            self.rating_shown = ""
            return
        ratings = await self.session.services.ratings.all_of(account_id)
        self.rating_shown = main_rating_words(ratings.values())

    @property
    def is_moderator(self) -> bool:
        """Tell whether this is a moderator; an admin is one, too."""
        return self.identity.may(MODERATOR)

    def take_roles(self, roles: frozenset[str]) -> None:
        """Have these roles from now on: an admin gave or took one."""
        self.identity = replace(self.identity, roles=roles)
        for page in self.session.pages:
            page.on_roles()
        self.session.dirty()

    def take_name(self, name: str) -> None:
        """Have this handle from now on: it was changed at another terminal, or by command."""
        if name != self.identity.name:
            self.identity = replace(self.identity, name=name)
            self.session.prompts.notice("me.renamed", "good", name=name)
            self.session.dirty()

    def hear_blocks(self) -> None:
        """Read again whom this person has blocked: it was changed at another terminal."""
        self.session.spawn(self.load_blocks())

    def hear_guest(self, name: str, is_hidden: bool) -> None:
        """Hide a guest, or show them again: it was asked for by command."""
        self.hidden_guests = self.hidden_guests | {name} if is_hidden else self.hidden_guests - {name}
        self.session.spawn(self.load_blocks())

    def hear_mute(self, refused: Refused | None) -> None:
        """Tell the person that they may not speak from now on, or may again."""
        if refused is None:
            self.session.prompts.notice("chat.unmuted", "good")
        else:
            self.session.prompts.notice(refused.key, "bad", **reasons(refused, self.session.look))

    def hear_report(self) -> None:
        """Tell a moderator who is in the lobby, or at the reports, that something was reported."""
        for page in self.session.pages if self.is_moderator else ():
            if (told := page.on_report()) is not None:
                self.session.spawn(told)

    async def become(self, account: Account) -> None:
        """Be the person of an account from now on: it was registered or linked just now."""
        self.identity = replace(
            self.identity, account_id=account.id, name=account.handle, roles=frozenset(account.roles)
        )
        self._became(self.identity)
        self.look_in()
        await self.load()

    def prefer(self, **changes: Any) -> None:
        """Change settings, and keep these changes with the account."""
        self.preferences = replace(self.preferences, **changes)
        self.session.spawn(self.change_kept(lambda kept: replace(kept, **changes)))
        self.session.dirty()

    async def change_kept(self, change: Callable[[Preferences], Preferences]) -> Preferences:
        """Change the settings that the account keeps, perhaps by another terminal too; return those before."""
        if self.identity.account_id is None:
            return self.preferences
        return await self.session.services.accounts.change_preferences(self.identity.account_id, change)

    def saw_end(self, match_id: str) -> None:
        """Note that this person has seen how a match ended: it is not told as news any more."""
        if match_id in self._seen_ends:
            return
        self._seen_ends.add(match_id)
        if self.identity.account_id is not None:
            self.session.spawn(self.change_kept(partial(_with_end, match_id)))

    def has_seen_end(self, match_id: str) -> bool:
        """Tell whether it was noted at this terminal that this person has seen how a match ended."""
        return match_id in self._seen_ends

    def hear_end(self, match_id: str) -> None:
        """Tell how a match of theirs has ended, unless a page shows it."""
        if any(page.match_shown == match_id for page in self.session.pages):
            return
        for page in self.session.pages:
            if (told := page.on_match_ended(match_id)) is not None:
                self.session.spawn(told)

    def look_in(self) -> None:
        """Register a session at the first screens, for admins: it is not here for the others yet."""
        if self._arrival is None:
            self.session.services.lobby.look_in(self.identity, self.session.id)

    def arrive(self) -> None:
        """Register the person's presence; from now on matches are offered to this session."""
        if self._arrival is not None:
            self._arrival.leave()
        lobby, session = self.session.services.lobby, self.session
        self._arrival = lobby.arrive(
            self.identity, session.id, self._match_found, session.asking.hear_rematch, self.hear_end
        )

    def _match_found(self, match_id: str) -> None:
        wished = [page.on_match_found() for page in self.session.pages]
        by_key = any(page.begins_match for page in self.session.pages)
        self.session.go(places.OwnMatchPlace(match_id, any(wished), by_key=by_key))

    def leave(self) -> None:
        """Be gone for the others."""
        if self._arrival is not None:
            self._arrival.leave()
            self._arrival = None
        else:
            self.session.services.lobby.look_out(self.session.id)


def _with_end(match_id: str, kept: Preferences) -> Preferences:
    return replace(kept, seen_ends=(*kept.seen_ends[1 - MOST_SEEN :], match_id))
