"""A new room: game, options, speed, who may come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

from game.options import deviating
from server.boards import keymap
from server.boards.board import switches_of
from server.boards.gamefacts import playable, seat_range
from server.lobby import room_state
from server.lobby.model import TITLE_CHARS, RoomSettings
from server.lobby.room import Room
from server.matches.agreement import SWITCHES, Agreement, Switch
from server.matches.speeds import SPEEDS
from server.ratings.weights import SETTLED
from server.sanitize import clean
from server.screens import bringing, options
from server.screens.form import FormPage, FormRow, cycle, end_of, goal, grouped, speed_row, switch_row
from server.screens.gametable import emblem_lines
from server.screens.lastforms import LastForm, last_form, with_form
from server.screens.playnow import PlayChoices
from server.session import places
from server.session.session import Session
from server.terminal.hint import Hint
from server.terminal.lines import Line

SPEED_NAMES = tuple(SPEEDS)
KEPT_SWITCHES = tuple(one for one in SWITCHES if one.name not in ("private", "machines"))  # those are said elsewhere


class LastRoom(LastForm, frozen=True, kw_only=True):
    """The choices of the last room or challenge for one game. `speed`: empty where nobody chose it."""

    speed: str
    rated: bool
    switches: dict[str, bool]  # by name, of KEPT_SWITCHES

    def is_possible(self) -> bool:
        return LastForm.is_possible(self) and self.speed in ("", *SPEED_NAMES)


def last_room(session: Session, game: str = "") -> LastRoom | None:
    """Return what somebody chose last for a room or a challenge, of one game or of any."""
    return last_form(session.person.preferences.room_forms, LastRoom, game)


def as_last_time(session: Session, usual: Agreement, can_be_rated: bool) -> Agreement:
    """Return the agreement a form begins with: that of the last room or challenge, or else the usual one."""
    last = last_room(session)
    if last is None:
        return usual
    flags: dict[str, Any] = {one.name: last.switches.get(one.name, one.usual) for one in KEPT_SWITCHES}
    return replace(
        usual,
        game=last.game,
        players=last.players,
        options=last.options,
        speed=last.speed or usual.speed,
        rated=last.rated and can_be_rated,
        **flags,
    )


class RoomForm(FormPage):
    """The settings of a room as a form. What `accept` does, the pages say that are one."""

    is_casual = False  # it is for a guest, so the match can't be rated
    is_open = False  # the room is there already: its decks are chosen there

    def __init__(self, session: Session, settings: RoomSettings) -> None:
        super().__init__(session)
        self.settings = settings
        self._decks = bringing.DeckRows(session)

    def start(self) -> None:
        self.session.spawn(self.session.decks.load())

    @property
    def agreement(self) -> Agreement:
        """Return what is agreed on so far."""
        return self.settings.agreement

    @property
    def stands(self) -> bool:
        """Tell whether it is a challenge for whose answer nobody waits: daily, whatever else is played."""
        return False

    @property
    def can_be_rated(self) -> bool:
        """Tell whether there is a choice between rated and casual."""
        return not (self.is_casual or self.session.identity.is_guest)

    @property
    def may_reopen(self) -> bool:
        """Tell whether it may be said who may come in: what is said of a room that is not open yet."""
        return True

    def rows(self) -> list[FormRow]:
        """Return the settings: what is played, with which decks, who may come, then the game's own options."""
        look, now = self.session.look, self.agreement
        rules = options.rows(look, now.game, now.options, self.set_options)
        return [*self._match_rows(), *self._deck_rows(), *self._room_rows(), *rules]

    def _deck_rows(self) -> list[FormRow]:
        """Return the lines for the decks of who opens the room; in one that is open they are chosen there."""
        now = self.agreement
        rows = [] if self.is_open else self._decks.rows(now.game, now.options)
        return grouped(self.session.t("form.group.decks"), rows)

    def refuses(self) -> bool:
        """Say why a deck that shows can't be brought; return whether one can't."""
        refusal = "" if self.is_open else self._decks.refusal(self.agreement.game, self.agreement.options)
        if refusal:
            self.session.prompts.say(refusal, "bad")
        return bool(refusal)

    def _match_rows(self) -> list[FormRow]:
        look, now = self.session.look, self.agreement
        sizes, note = self.sizes(), look.t("form.players.help")
        change = self._change_players if len(sizes) > 1 else None  # else just to be read: nothing below moves by game
        rows = [
            FormRow(look.t("form.game"), look.game(now.game), self._change_game, goal(look, now.game)),
            FormRow(look.t("form.players"), str(now.players), change, note, end=end_of(sizes, now.players)),
            speed_row(look, now.speed, SPEED_NAMES, self._change_speed, self.session.identity.player),
        ]
        if self.can_be_rated:
            counts_less = now.rated and now.private
            kind = look.t("form.kind.less" if counts_less else "match.rated" if now.rated else "match.casual")
            note = look.t("form.kind.invite", n=SETTLED) if counts_less else look.t("form.kind.help")
            rows.append(FormRow(look.t("form.kind"), kind, lambda step: self._agree(rated=not now.rated), note))
        return rows

    def sizes(self) -> Sequence[int]:
        """Return for how many players it may be, fewest first."""
        return seat_range(self.agreement.game)

    def _room_rows(self) -> list[FormRow]:
        look, group = self.session.look, self.session.t("form.group.room")
        name = self.settings.title or look.t("form.no-room-name")
        note = look.t("form.room-name.help")
        switches = switches_of(self.agreement)
        return [
            FormRow(look.t("form.room-name"), name, None, note, group=group, opens=self.do_name),
            *(self._switch(one, group) for one in switches if not one.is_rare and (self.may_reopen or not one.stays)),
        ]

    def half_done(self) -> tuple[str, ...]:
        """Return the room's name, which is typed, and the lines."""
        return (self.settings.title, *super().half_done())

    def take_up(self, words: Sequence[str]) -> None:
        """Name the room, and change the lines."""
        title, *rows = words
        self._take_name(clean(title, TITLE_CHARS))
        super().take_up(rows)

    def picture(self) -> Sequence[Line]:
        """Return the emblem of the game."""
        return emblem_lines(self.agreement.game, self.session.look)

    def help_topic(self) -> str:
        return self.agreement.game

    def contexts(self) -> tuple[str, ...]:
        """Return the page's keys, the one that names the room, and a form's."""
        return (self.context, "roomform", "form")

    def hints(self) -> tuple[Hint, ...]:
        """Return the form's keys, and the one that names the room before the way back."""
        *keys, back = super().hints()
        return (*keys, *keymap.hints("roomform"), back)

    def do_name(self) -> None:
        """Type the room's name; an empty one is none."""
        self.session.prompts.type("form.ask-room-name", self._take_name, self.settings.title, limit=TITLE_CHARS)

    def _take_name(self, text: str) -> None:
        self.settings = replace(self.settings, title=text)
        self.session.dirty()

    def keep(self) -> None:
        """Keep what is chosen for the next room or challenge."""
        now, person = self.agreement, self.session.person
        last = last_room(self.session, now.game) or LastRoom(
            game=now.game, players=now.players, options={}, speed="", rated=True, switches={}
        )
        is_speed_chosen = self.settings.is_speed_named and not self.stands
        form = LastRoom(
            game=now.game,
            players=now.players,
            options=deviating(options.known(now.game), now.options),
            speed=now.speed if is_speed_chosen else last.speed,
            rated=now.rated if self.can_be_rated else last.rated,
            switches={one.name: one.of(now) for one in KEPT_SWITCHES},
        )
        person.prefer(room_forms=with_form(person.preferences.room_forms, form))

    def enter(self, room: Room) -> None:
        """Go into a room that was opened just now; who has gone back meanwhile wants none."""
        if self.session.pages.top is self:
            self.session.go(places.JoinedRoomPlace(room), instead=True)
        else:
            room.leave(self.session.id)

    def _switch(self, switch: Switch, group: str) -> FormRow:
        look = self.session.look

        def flip(step: int) -> None:
            self._set(switch.flipped(self.agreement))

        return switch_row(
            look, look.t(switch.key), switch.of(self.agreement), flip, look.t(f"{switch.key}.help"), group
        )

    def _set(self, agreement: Agreement) -> None:
        self.settings = replace(self.settings, agreement=agreement)

    def _agree(self, **changes: Any) -> None:
        self._set(replace(self.agreement, **changes))

    def _change_game(self, step: int) -> None:
        game = cycle(playable(), self.agreement.game, step)
        last = last_room(self.session, game)
        players, chosen = (seat_range(game).start, {}) if last is None else (last.players, last.options)
        self._agree(game=game, players=players, options=chosen)
        if players not in self.sizes():
            self._resize(self.sizes()[0])

    def _change_players(self, step: int) -> None:
        self._resize(int(cycle([str(n) for n in self.sizes()], str(self.agreement.players), step)))

    def _resize(self, players: int) -> None:
        now = self.agreement
        self._agree(players=players, options=options.resized(now.game, now.options, now.players, players))

    def _change_speed(self, step: int) -> None:
        self._agree(speed=cycle(SPEED_NAMES, self.agreement.speed, step))
        self.settings = replace(self.settings, is_speed_named=True)

    def set_options(self, chosen: options.Options) -> None:
        """Make the room with these options."""
        self._agree(options=chosen)


class NewRoomPage(RoomForm):
    """Open a room."""

    context: ClassVar[str] = "newroom"

    def __init__(self, session: Session) -> None:
        game, can_be_rated = playable()[0], not session.identity.is_guest
        usual = Agreement(game, seat_range(game).start, machines=PlayChoices(session).machines, rated=can_be_rated)
        last = last_room(session)
        is_named = last is not None and bool(last.speed)
        super().__init__(session, RoomSettings(as_last_time(session, usual, can_be_rated), is_speed_named=is_named))

    def landing(self) -> str:
        return "new-room"

    def title(self) -> str:
        return self.session.t("newroom.title")

    def intro(self) -> str:
        """Say what a room is."""
        return self.session.t("newroom.text")

    def do_accept(self) -> None:
        """Open the room, unless a deck that shows can't be brought."""
        if not self.refuses():
            self.keep()
            self.session.spawn(self._open())

    async def _open(self) -> None:
        lobby, session = self.session.services.lobby, self.session
        await session.decks.load()
        wished = bringing.wished(session)
        self.enter(await lobby.rooms.create(session.identity.player, self.settings, session.id, wished))


class OptionsPage(RoomForm):
    """Change what an open room plays."""

    context: ClassVar[str] = "roomoptions"

    def __init__(self, session: Session, room: Room) -> None:
        super().__init__(session, room.snapshot().settings)
        self.room = room
        self.is_open = True

    def landing(self) -> str:
        return "room-options"

    def title(self) -> str:
        return self.session.t("room.title", code=self.room.code)

    def do_accept(self) -> None:
        """Take the settings."""
        self.session.spawn(self._accept())

    @property
    def may_reopen(self) -> bool:
        """Tell whether the room may be opened anew: nobody else has come yet."""
        return room_state.is_alone(self.room.state, self.session.identity.player.person)

    async def _accept(self) -> None:
        session, rooms = self.session, self.session.services.lobby.rooms
        if self.agreement.private is self.room.state.agreement.private:
            await self.room.set(session.identity.player, self.settings)
            if session.pages.top is self:
                session.pages.pop()
            return
        wished = bringing.wished(session)
        fresh = await rooms.reopen(session.identity.player, self.room, self.settings, session.id, wished)
        if session.pages.top is self:
            session.pages.pop()
            session.go(places.JoinedRoomPlace(fresh), instead=True)
            session.prompts.notice("room.new-code", "good", code=fresh.code)
        else:
            fresh.leave(session.id)
