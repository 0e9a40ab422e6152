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
from server.accounts.preferences import Preferences, look_on, with_look
from server.errors import Refused
from server.i18n.refusals import reasons
from server.lobby.arrivals import Arrival
from server.session import places
from server.session.part import Part
from server.tui import theme
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

    def can_show(self, what: str) -> bool:
        """Tell whether the terminal shows more than one `palette`, one set of `glyphs`, one `language`."""
        return bool(
            self.session.screen.client.colors > 1 if what == "palette" else self.session.screen.client.is_unicode
        )

    def prefer_look(self, *names: str, **changes: Any) -> None:
        """Store what is shown now of `palette`, `glyphs` and `language`, but not what only this terminal requires.

        `changes` are other settings to be kept with them.
        """
        look, client = self.session.look, self.session.screen.client
        shown = {"palette": look.palette, "glyphs": look.glyph_set, "language": look.language}
        kept: dict[str, Any] = {name: shown[name] for name in names if self.can_show(name)}
        if kept.keys() & {"palette", "glyphs"} and self.is_known_ground:
            kept["terminals"] = with_look(self.preferences.terminals, client.kind, look.palette, look.glyph_set)
            kept.pop("glyphs", None)
            if look.palette in theme.GROUNDS and look.palette != "colour-blind":
                kept.pop("palette", None)  # it is this terminal's, not the person's
        self.prefer(**changes, **kept)

    @property
    def is_known_ground(self) -> bool:
        """Tell whether the terminal has said what it is."""
        return self.session.screen.client.ground in ("dark", "light")

    def _suited(self) -> tuple[str, str]:
        """Return palette and glyphs for this terminal: what was chosen on its kind, else what suits it."""
        client, wished = self.session.screen.client, self.preferences
        if (kept := look_on(wished.terminals, client.kind)) is not None:
            return kept
        palette = wished.palette or self.session.look.palette
        palette = {("light", "default"): "light", ("dark", "light"): "default"}.get((client.ground, palette), palette)
        return palette, "ascii" if client.is_wide else wished.glyphs or self.session.look.glyph_set

    def hear_terminal(self) -> None:
        """Take what the terminal said of itself: the colours and glyphs that suit it."""
        self._suit()
        if self.has_another_terminal and self.session.pages.top is self.session.pages.first:
            calibration = self.session.routes.page(self.session, places.CalibrationPlace())
            self.session.pages.push(calibration, by_itself=True)

    @property
    def has_another_terminal(self) -> bool:
        """Tell whether this terminal is of a kind that the person has not seen, and looks otherwise than they chose."""
        wished, kind = self.preferences, self.session.screen.client.kind
        if not (wished.calibrated and self.is_known_ground) or look_on(wished.terminals, kind) is not None:
            return False
        return self._suited() != (wished.palette or "default", wished.glyphs or "unicode")

    def _suit(self) -> None:
        palette, glyphs = self._suited()
        self.session.use(palette=palette, glyph_set=glyphs)

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
        self._suit()
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
        """Note that this person has seen how a match ended: it is not told as news the next time."""
        if self.identity.account_id is not None and match_id not in self._seen_ends:
            self._seen_ends.add(match_id)
            self.session.spawn(self.change_kept(partial(_with_end, match_id)))

    def arrive(self) -> None:
        """Register the person's presence; from now on matches are offered to this session."""
        if self._arrival is not None:
            self._arrival.leave()
        lobby, session = self.session.services.lobby, self.session
        self._arrival = lobby.arrive(self.identity, session.id, self._match_found, session.asking.hear_rematch)

    def _match_found(self, match_id: str) -> None:
        wished = [page.on_match_found() for page in self.session.pages]
        by_key = any(page.begins_match for page in self.session.pages)
        self.session.go(places.OwnMatchPlace(match_id, any(wished), by_key=by_key))

    def leave(self) -> None:
        """Be gone for the others."""
        if self._arrival is not None:
            self._arrival.leave()
            self._arrival = None


def _with_end(match_id: str, kept: Preferences) -> Preferences:
    return replace(kept, seen_ends=(*kept.seen_ends[1 - MOST_SEEN :], match_id))
