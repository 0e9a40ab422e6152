"""The person of a session: identity, settings, rating, blocks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from game import registry
from game.contract import LEVELS
from server.accounts.accounts import Account
from server.accounts.following import Followed
from server.accounts.identity import MODERATOR, NOBODY, Hidden, Identity
from server.accounts.preferences import Preferences
from server.boards.seats import main_rating
from server.errors import Refused
from server.i18n.refusals import reasons
from server.services import Services
from server.session.display import Display
from server.session.lifetime import Lifetime
from server.session.prompts import Prompts

MOST_SEEN = 100  # ends of matches that are kept as seen


class Person:
    """Who it is, and what they have set."""

    def __init__(
        self,
        identity: Identity,
        services: Services,
        display: Display,
        prompts: Prompts,
        lifetime: Lifetime,
        became: Callable[[Identity], None],
    ) -> None:
        """`became`: hears who the person is from now on."""
        self._services, self._display, self._prompts, self._lifetime = services, display, prompts, lifetime
        self.identity = identity
        self.preferences = Preferences()
        self.last_end: datetime | None = None  # of a match of theirs, when they came
        self._rating = "", ""  # the ladder played most, and the rating there in words
        self.blocked: Hidden = NOBODY  # who this person does not want to see anywhere
        self.hidden_names: frozenset[str] = frozenset()  # what they are called
        self.hidden_guests: frozenset[str] = frozenset()  # those of them who are guests: for as long as one is here
        self.followed: Mapping[str, Followed] = {}  # by handle, whom this person follows
        self.registers_from: datetime | None = None  # it was refused before: too many accounts from this address
        self.rating_span = 0  # wished distance from one's own rating; 0: any
        self.wished_players = 2
        self._became = became
        self._seen_ends: tuple[str, ...] = ()  # at this terminal

    def register_later(self, start: datetime) -> None:
        """Keep from when on this person may register."""
        self.registers_from = start

    def shown_name(self) -> str:
        """Say who it is, with the rating."""
        name = self.identity.name
        shown = self._display.t("who.guest", name=name) if self.identity.is_guest else name
        return f"{shown} {self.rating_shown}".rstrip()

    @property
    def rating_shown(self) -> str:
        """Say the rating on the ladder played most, and of which game it is; empty for who was never rated."""
        ladder, words = self._rating
        return f"{self._display.look.game(ladder.partition('-')[0])} {words}" if words else ""

    async def load(self) -> None:
        """Read what the person has set; guests have the defaults and what their terminal says."""
        account_id = self.identity.account_id
        if account_id is not None:
            self.preferences, self.last_end, _, _ = await asyncio.gather(  # asked for together, read together
                self._services.accounts.preferences(account_id),
                self._services.matches.last_end(account_id),
                self.load_rating(),
                self.load_blocks(),
            )
            if self.preferences.follows:
                await self.load_following()

    def lesson(self, game: str, part: str, count: int) -> int:
        """Return at which lesson of a tutorial this person goes on."""
        said = self._kept_lessons(game, part)[0]
        return min(int(said), count - 1) if said.isdecimal() else 0

    def left_out(self, game: str, part: str) -> frozenset[int]:
        """Return the lessons before that one which were not done."""
        return frozenset(int(one) for one in self._kept_lessons(game, part)[1:] if one.isdecimal())

    def _kept_lessons(self, game: str, part: str) -> list[str]:
        kept = dict(one.rpartition("=")[::2] for one in self.preferences.lessons)
        return kept.get(f"{game}/{part}", "0").split("-")

    def keep_lesson(self, game: str, part: str, index: int, left_out: Iterable[int] = ()) -> None:
        """Keep at which lesson of a tutorial this person goes on; 0: at the beginning. `left_out`: as it returns."""
        name = f"{game}/{part}"
        others = [one for one in self.preferences.lessons if one.rpartition("=")[0] != name]
        said = "-".join(map(str, (index, *left_out)))
        self.prefer(lessons=(*others, f"{name}={said}") if index else tuple(others))

    def finish_lessons(self, game: str, part: str) -> None:
        """Keep that this person has done every lesson of a tutorial; it begins at the first one again."""
        name = f"{game}/{part}"
        self.prefer(lessons=(*(one for one in self.preferences.lessons if one.partition("=")[0] != name), name))

    def has_finished_lessons(self, game: str, part: str) -> bool:
        """Tell whether this person has done every lesson of a tutorial once."""
        return f"{game}/{part}" in self.preferences.lessons

    async def load_blocks(self) -> None:
        """Read who is not shown to this person."""
        if self.identity.account_id is not None:
            people = await self._services.conduct.blocked_people(self.identity.account_id)
            self.blocked = frozenset((*people, *self.hidden_guests))
            self.hidden_names = self.hidden_guests.union(people.values())

    async def load_following(self) -> None:
        """Read whom this person follows."""
        if self.identity.account_id is not None:
            found = await self._services.following.of(self.identity.account_id)
            self.followed = {one.handle: one for one in found}
            self._display.dirty()

    async def load_rating(self) -> None:
        """Read the rating the title line shows: that of the ladder played most; empty for who was never rated."""
        account_id = self.identity.account_id
        if account_id is None:
            self._rating = "", ""
            return
        ratings = await self._services.ratings.all_of(account_id)
        self._rating = main_rating(ratings)

    @property
    def is_moderator(self) -> bool:
        """Tell whether this is a moderator; an admin is one, too."""
        return self.identity.may(MODERATOR)

    @property
    def is_newcomer(self) -> bool:
        """Tell whether nothing was played yet but the first match and its like: then the way to it stays plain."""
        bot, level = self.preferences.bot_game, self.preferences.bot_level
        return bot in ("", registry.FIRST) and level in ("", LEVELS[0]) and not self.rating_shown

    def be(self, identity: Identity) -> None:
        """Have this name, account and these roles from now on."""
        self.identity = identity
        self._lifetime.known_as(identity.name)

    def set_name(self, name: str) -> None:
        """Have this handle from now on: it was changed at another terminal, or by command."""
        if name != self.identity.name:
            self.be(replace(self.identity, name=name))
            self._prompts.notice("me.renamed", "good", name=name)
            self._display.dirty()

    def hear_blocks(self) -> None:
        """Read again whom this person has blocked: it was changed at another terminal."""
        self._lifetime.spawn(self.load_blocks())

    def hear_visibility(self, is_invisible: bool) -> None:
        """Be seen connected by nobody from now on, or by all again."""
        self.identity = replace(self.identity, is_invisible=is_invisible)
        self._display.dirty()

    def hear_following(self) -> None:
        """Read again whom this person follows: it was changed at another terminal, or one has another handle."""
        self._lifetime.spawn(self.load_following())

    def hear_guest(self, name: str, is_hidden: bool) -> None:
        """Hide a guest, or show them again: it was asked for by command."""
        self.hidden_guests = self.hidden_guests | {name} if is_hidden else self.hidden_guests - {name}
        self._lifetime.spawn(self.load_blocks())

    def hear_mute(self, refused: Refused | None) -> None:
        """Tell the person that they may not speak from now on, or may again."""
        if refused is None:
            self._prompts.notice("chat.unmuted", "good")
        else:
            self._prompts.notice(refused.key, "bad", **reasons(refused, self._display.look))

    def become(self, account: Account) -> None:
        """Be the person of an account from now on: it was registered or linked just now."""
        roles = frozenset(account.roles)
        self.be(replace(self.identity, account_id=account.id, name=account.handle, roles=roles))
        self._became(self.identity)

    async def reread_language(self) -> str:
        """Return the language that is kept with the account: another session may have chosen it. Empty: none."""
        if (account_id := self.identity.account_id) is None:
            return ""
        language = (await self._services.accounts.preferences(account_id)).language
        self.preferences = replace(self.preferences, language=language)
        return language or ""

    def prefer(self, **changes: Any) -> None:
        """Change settings, and keep these changes with the account."""
        self.preferences = replace(self.preferences, **changes)
        self._lifetime.spawn(self.change_kept(lambda kept: replace(kept, **changes)))
        self._display.dirty()

    def placement(self, game: str) -> str:
        """Return how this person placed their pieces last in a game; '' where they have not."""
        kept = dict(one.partition("=")[::2] for one in self.preferences.placements)
        return kept.get(game, "")

    def keep_placement(self, game: str, text: str) -> None:
        """Keep how this person has placed their pieces in a game."""
        others = (one for one in self.preferences.placements if one.partition("=")[0] != game)
        self.prefer(placements=(*others, f"{game}={text}"))

    async def change_kept(self, change: Callable[[Preferences], Preferences]) -> Preferences:
        """Change the settings that the account keeps, perhaps by another terminal too; return those before."""
        if self.identity.account_id is None:
            return self.preferences
        return await self._services.accounts.change_preferences(self.identity.account_id, change)

    def saw_end(self, match_id: str) -> None:
        """Note that this person has seen how a match ended: it is not told as news any more."""
        if match_id in self._seen_ends:
            return
        self._seen_ends += (match_id,)
        if self.identity.account_id is not None:
            self._lifetime.spawn(self.change_kept(partial(_with_end, match_id)))

    def has_seen_end(self, match_id: str) -> bool:
        """Tell whether it was noted at this terminal that this person has seen how a match ended."""
        return match_id in self._seen_ends


def _with_end(match_id: str, kept: Preferences) -> Preferences:
    return replace(kept, seen_ends=(*kept.seen_ends[1 - MOST_SEEN :], match_id))
