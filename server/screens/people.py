"""Who is here: look at somebody, watch them, challenge them."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import ClassVar

from server import reporting
from server.accounts.guestnames import is_guest_name
from server.boards import keymap
from server.boards.seats import level_rating, listed_name, main_rating
from server.lobby.model import PersonHere
from server.lobby.room import Room
from server.screens import complaints, following
from server.screens.challenging import challenge, is_here, room_to_fill
from server.screens.columns import Column, cells
from server.screens.listpage import ListPage
from server.session import places
from server.session.page import Body
from server.session.session import Session
from server.terminal.hint import Hint
from server.terminal.itemlines import POINTER_COLS, said_lines
from server.terminal.items import Said
from server.terminal.lines import Line, Span, block, columns, plain, width_cols

NAME_COLS, RATING_COLS = 20, 15
WIDE_COLS = 60  # below, what somebody does matters more than the rating
CHALLENGE = "keys.people.challenge"
MOST_RATED = 60  # people whose ratings are read at once


class PeoplePage(ListPage[PersonHere]):
    """The list of everybody connected, then of whom one has met within 30 days: they may have left since.

    `table`: the people of one match or room alone, and those who speak in its `channels`.
    """

    context: ClassVar[str] = "people"

    def __init__(
        self,
        session: Session,
        table: tuple[str, ...],
        channels: tuple[str, ...],
        match_id: str | None,
        room: Room | None = None,
    ) -> None:
        super().__init__(session)
        self._room = room
        self.is_table = bool(channels)
        self.channels_read, self.match_id = channels, match_id
        self.met: tuple[str, ...] = table
        self.people: tuple[PersonHere, ...] = self._asked()
        self.ratings: dict[str, str] = {}  # by name, as it is shown; empty: none yet

    def start(self) -> None:
        """Hear who comes and goes."""
        self.subscriptions.append(self.session.services.lobby.subscribe(self.changed))
        self.session.spawn(self._load())

    async def _load(self) -> None:
        """Add whom one has met: at this table, or anywhere within 30 days."""
        services, who = self.session.services, self.session.identity
        if self.is_table:
            said = [line.name for channel in self.channels_read for line in await services.chat.load(channel)]
            self.met = tuple(name for name in dict.fromkeys((*self.met, *said)) if name != who.name)
        elif who.account_id is not None:
            self.met = tuple(await reporting.met_lately(services, who.account_id, who.name, ("lobby",)))
        await self._rate()
        self.changed()

    async def _rate(self) -> None:
        """Read the ratings of who is listed: of the ladder that each has played most."""
        names = [one.name for one in self._asked() if not one.guest and one.name not in self.ratings][:MOST_RATED]
        for name, shown in zip(names, await asyncio.gather(*map(self._rating_of, names)), strict=True):
            self.ratings[name] = shown

    async def _rating_of(self, name: str) -> str:
        services = self.session.services
        if (account := await services.accounts.by_handle(name)) is None:
            return ""
        ladder, words = main_rating(await services.ratings.all_of(account.id))
        return f"{self.session.look.game(ladder.partition('-')[0])} {words}" if words else ""

    def changed(self) -> None:
        """Take the list as it is now."""
        chosen = self.chosen()
        self.people = self._asked()
        self.keep_chosen(chosen and chosen.name, [person.name for person in self.people])
        self.session.dirty()

    def _asked(self) -> tuple[PersonHere, ...]:
        """Return whom one follows, who else is here, then who was met; whom one has blocked stands at the end."""
        view, hidden = self.session.services.lobby.snapshot(), self.session.person.hidden_names
        may_invite, own = room_to_fill(self.session) is not None, self.session.identity.name
        asked = [
            person
            for person in view.here
            if not self.is_table or person.name in self.met or (may_invite and person.name != own)
        ]
        followed = self.session.person.followed
        shown = [person for person in asked if person.name not in hidden]
        shown.sort(key=lambda person: person.name not in followed)
        if self.is_table:
            shown.sort(key=lambda person: person.name not in self.met)
        names = {person.name for person in asked} | hidden
        met = self.met if self.is_table else dict.fromkeys((*followed, *self.met))
        shown += [PersonHere(name, is_guest_name(name), None, view.at) for name in met if name not in names]
        blocked = [name for name in sorted(hidden) if not self.is_table or name in self.met]
        return (*shown, *(PersonHere(name, is_guest_name(name), None, view.at) for name in blocked))

    def landing(self) -> str:
        """Return that one looks at who is here; the people of a table are looked at from there."""
        return "" if self.is_table else "people"

    def title(self) -> str:
        if self.is_table:
            return self.session.t("people.table")
        hidden = self.session.person.hidden_names
        return self.session.t("people.title", n=sum(one.name not in hidden for one in self._here()))

    def _here(self) -> tuple[PersonHere, ...]:
        return self.session.services.lobby.snapshot().here

    def lines_needed(self) -> int:
        return self.count() + 2 + len(self.offer_lines(self.most_cols))

    def message(self) -> Line:
        """Say in full what the chosen person does, where the list has no room for it."""
        person = self.chosen()
        if person is None or width_cols(cells(self.columns(), person)) < self.size[0] - POINTER_COLS:
            return ()
        style, text = self._state(person)
        return plain(f" {text}", style)

    def body(self, cols: int, rows: int) -> Body:
        lines = [*self.list_lines(0, rows), *said_lines(self.below(), cols)]
        return Body(block(self.with_offers(lines, cols, rows), cols, rows))

    def offered(self) -> tuple[Hint, ...]:
        has_account = self.session.identity.account_id is not None
        own = ("follow", "write", "block") if has_account else ("block",)
        return keymap.hints("people", ("profile", "challenge", "watch", *own))

    def below(self) -> list[Said]:
        """Say that nobody is here."""
        return [] if self.people else [Said(self.session.t("people.nobody"), "dim")]

    def columns(self) -> tuple[Column[PersonHere], ...]:
        """Return who, the rating, and what they do here."""
        return (
            Column("", min(NAME_COLS, max((columns(self._name(one)) for one in self.people), default=0)), self._name),
            self._rating_column(),
            Column("", 0, lambda person: self._state(person)[1], lambda person: self._state(person)[0]),
        )

    def _rating_column(self) -> Column[PersonHere]:
        widest = max(map(columns, self.ratings.values()), default=0)
        if self.size[0] < WIDE_COLS or not widest:
            return Column("", 0, lambda person: "", said=lambda person: self.ratings.get(person.name, ""))
        return Column(
            "", min(widest, RATING_COLS), lambda person: self.ratings.get(person.name, ""), "dim", is_number=True
        )

    def _name(self, person: PersonHere) -> str:
        name = self.session.t("who.guest", name=person.name) if person.guest else person.name
        return self.session.marked(name)

    def _state(self, person: PersonHere) -> Span:
        """Say what somebody does here, and whether this person follows them."""
        style, text = self._doing(person)
        if person.name in self.session.person.followed:
            unread = self.session.person.followed[person.name].unread
            said = (self.session.t("people.unread", n=unread),) if unread else ()
            text = self.session.t("list.comma").join((*said, text, self.session.t("people.followed")))
        return style, text

    def _doing(self, person: PersonHere) -> Span:
        t = self.session.t
        if person.name in self.session.person.hidden_names:
            return "warn", t("people.is-blocked")
        if not is_here(self.session, person.name):
            return "dim", t("people.gone")
        if person.playing:
            return "good", self._playing(person)
        return "dim", t("people.has-running" if self._has_running(person.name) else "people.free")

    def _has_running(self, name: str) -> bool:
        """Tell whether somebody has a seat in a match that everybody may know of, though they are not at it now."""
        matches = self.session.services.lobby.snapshot().matches
        return any(seat.player.name == name and seat.bot is None for one in matches for seat in one.seats)

    def _playing(self, person: PersonHere) -> str:
        """Say what somebody plays, and with whom, where everybody may know it."""
        look, view = self.session.look, self.session.services.lobby.snapshot()
        found = next((one for one in view.matches if one.id == person.playing), None)
        if found is None:
            return look.t("people.playing")
        players = [seat.player for seat in found.seats]
        others = [seat for seat in found.seats if seat.player.name != person.name]
        rated = [level_rating(one.player, found.game, len(players)) for one in others]
        called = [listed_name(players, one.seat, look) for one in others]
        names = [name + (f" {rating}" if rating else "") for name, rating in zip(called, rated, strict=True)]
        return look.t("people.plays", game=look.game(found.game), names=look.t("list.comma").join(names))

    def hints(self) -> tuple[Hint, ...]:
        """Return what can be done with the chosen person, named by what each key does now."""
        back, person = keymap.hints("everywhere", ("back",)), self.chosen()
        if person is None:
            return back
        deeds = map(self._labelled, keymap.hints("people", self._deeds(person)))
        return (*following.labelled(self.session, person.name, deeds), *back)

    def _labelled(self, hint: Hint) -> Hint:
        """Name the key that challenges by what it does from a room: it asks the person there."""
        person = self.chosen()
        is_asked_in = person is not None and is_here(self.session, person.name) and room_to_fill(self.session)
        return hint.named("people.ask-in") if is_asked_in and hint.label == CHALLENGE else hint

    def _deeds(self, person: PersonHere) -> list[str]:
        """Return what can be done with somebody: of whom one has blocked, only that this is taken back."""
        if person.name in self.session.person.hidden_names:
            return ["block"]
        names = [] if person.guest else ["profile"]
        if person.name != self.session.identity.name and not (person.guest and not is_here(self.session, person.name)):
            names.append("challenge")
        if person.playing:
            names.append("watch")
        if following.may_follow(self.session, person):
            follows = person.name in self.session.person.followed
            names += ["follow", *(("tell",) if follows else ()), "write", "note"]
        if complaints.may_complain(self.session, person.name):
            names += ["block", "report"]
        if self._may_kick(person.name):
            names.append("kick")
        return names

    def _may_kick(self, name: str) -> bool:
        """Tell whether somebody looks on in a room of this person's, who may send them away."""
        if self._room is None:
            return False
        view = self._room.snapshot()
        seated = any(seat.player is not None and seat.player.name == name for seat in view.seats)
        return view.host == self.session.identity.name and name in view.members and not seated

    def listed(self) -> tuple[PersonHere, ...]:
        return self.people

    def do_block(self) -> None:
        """Never be paired with the person again, and read no more of them; or take that back."""
        person = self.chosen()
        if person is not None and complaints.may_complain(self.session, person.name):
            self.session.spawn(complaints.toggle_block(self.session, person.name, self.changed))

    def do_kick(self) -> None:
        """Send the person out of the room, after a question."""
        person, room = self.chosen(), self._room
        if person is not None and room is not None and self._may_kick(person.name):
            me = self.session.identity.player
            remove = partial(room.remove_onlooker, me, person.name)
            self.session.have_confirmed("room.ask-kick", remove, name=person.name)

    def do_follow(self) -> None:
        """Follow the person, or no more."""
        if (person := self.chosen()) is not None and following.follows_or_says_why_not(self.session, person):
            self.session.spawn(self._follow(person.name))

    async def _follow(self, name: str) -> None:
        await following.toggle_follow(self.session, name)
        self.changed()

    def do_tell(self) -> None:
        """Be told once when the person comes, or plays."""
        if (person := self.chosen()) is not None and following.follows_or_says_why_not(self.session, person):
            self.session.spawn(following.next_alert(self.session, person.name))

    def do_write(self) -> None:
        """See what was written, and write to the person."""
        if (person := self.chosen()) is not None and following.follows_or_says_why_not(self.session, person):
            self.session.spawn(following.write_to(self.session, person.name))

    def do_note(self) -> None:
        """Note something about the person."""
        if (person := self.chosen()) is not None and following.follows_or_says_why_not(self.session, person):
            self.session.spawn(following.ask_note(self.session, person.name))

    def do_report(self) -> None:
        """Tell the moderators of somebody."""
        person = self.chosen()
        if person is not None and complaints.may_complain(self.session, person.name):
            complaints.ask_report(self.session, person.name, self.match_id)

    def do_profile(self) -> None:
        """See who it is."""
        person = self.chosen()
        if person is not None and not person.guest:
            self.session.go(places.ProfilePlace(person.name))

    def do_challenge(self) -> None:
        """Challenge the person."""
        if (person := self.chosen()) is not None:
            challenge(self.session, person.name)

    def do_watch(self) -> None:
        """Watch the person's match."""
        person = self.chosen()
        if person is not None and person.playing:
            self.session.go(places.MatchPlace(person.playing))
        elif person is not None:
            self.session.prompts.notice("people.plays-nothing", name=person.name)
