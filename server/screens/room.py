"""A room: seats, settings, invite code, chat; before, between and after its matches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import ClassVar

from game import registry
from game.contract import Seat
from game.options import BOTH_SIDES
from server.accounts.identity import BOT, Player
from server.boards import keymap
from server.lobby.model import RoomSeat, RoomView
from server.lobby.room import Room
from server.matches.guestlimits import closed_because
from server.screens import bringing, roomdrawing
from server.screens.challenging import invite
from server.screens.chatlines import chat_lines
from server.screens.chooser import Chooser
from server.screens.form import cycle, end_of
from server.screens.sessionpage import SessionPage
from server.session import places
from server.session.page import Body, Written
from server.session.session import Session
from server.terminal import frame
from server.terminal.hint import Hint
from server.terminal.itemlines import heading_line, offer_lines, whole_offers
from server.terminal.items import Heading, Item, Offer
from server.terminal.lines import Line, at_end, beside, inset, joined, plain
from server.terminal.memo import OneValueCache
from server.terminal.stage import SETUP

WIDE = 100  # columns from which on the chat stands beside the table
CHAT_COLS, GAP_COLS = 36, 4
OFFERED = ("ready", "seat", "bot", "options", "invite")  # the keys that are wanted before a match begins
OF_HOST = ("bot", "options", "start", "kick")
OF_SEATED = ("ready", "deck")  # commands of who sits there
LEAST_CHAT_ROWS = 4  # with a blank one and its head
ROOMY_ROWS = 22  # of the body from which on the invite code is large


class RoomPage(SessionPage):
    """The place of its members."""

    measure = SETUP
    context: ClassVar[str] = "room"

    def __init__(self, session: Session, room: Room) -> None:
        super().__init__(session)
        self.room = room
        self.view: RoomView = room.snapshot()
        self.chooser = Chooser()
        self.chooser = self._at_own_seat()
        self._last_level = ""  # of the bot whose level was chosen last
        self._channel = f"room:{self.view.code}"
        self._shown_match = self.view.match
        self._stands_up = False  # a key pressed here gives up the seat
        self._offers_drawn = OneValueCache[list[Line]]()

    def start(self) -> None:
        chat = self.session.services.chat
        self.session.spawn(self.session.decks.load())
        self.subscriptions += [self.room.subscribe(self.changed), chat.subscribe(self._channel, self.session.dirty)]

    def stop(self) -> None:
        """Leave the room for good; who has lost the connection may come back."""
        super().stop()
        if not self.session.is_lost:
            self.room.leave(self.session.id)

    def changed(self) -> None:
        """Take the room as it is now; a match that began draws its players and watchers in."""
        before, was_ready, was_seated = self.view, self.my_ready(), self.my_seat() is not None
        self.view = self.room.snapshot()
        if self.session.pages.top is self and (said := self._news(before, was_ready)):
            self.session.prompts.say(said)
        if was_seated and self.my_seat() is None and not self._stands_up:
            self.session.prompts.notice("room.no-seat" if self.is_host else "room.full", "warn")
        self._stands_up = self._stands_up and self.my_seat() is not None
        if not was_seated:
            self.chooser = self._at_own_seat()
        if self.my_seat() is not None and _played(before) != _played(self.view):
            self.session.spawn(self._bring_wished())
        for name in self.view.declined[len(before.declined) :] if self.is_host else ():
            self.session.appearance.call(self.session.t("room.has-declined", name=name))
            self.session.prompts.notice("room.has-declined", name=name)
        if self.is_host and (names := called_off(before, self.view)):
            self.session.prompts.notice("room.called-off", names=self.session.t("list.comma").join(names))
        if not self.room.holds(self.session.id):
            self.resume()
            return
        if self.view.match and self.view.match != self._shown_match and self.view.playing:
            self._shown_match = self.view.match
            if self.session.pages.top is self:
                self.session.spawn(self._to_match(self.view.match, by_key=self.begins_match))
        self.session.dirty()

    def _news(self, before: RoomView, was_ready: bool) -> str:
        """Say who has come, gone or been removed, and to others than the host what the host has changed."""
        t, own, now = self.session.t, self.session.identity.name, self.view
        removed = set(now.removed) - set(before.removed)
        sat = [seat.player for seat in before.seats if seat.player is not None]
        sent = {player.name for player in sat if player.person in removed}
        gone = [name for name in before.members if name not in now.members and name != own]
        came = [name for name in now.members if name not in before.members and name != own]
        told = {
            "room.has-come": came,
            "room.is-lost": sorted(_seated(before, is_here=True) & _seated(now, is_here=False)),
            "room.is-back": sorted(_seated(before, is_here=False) & _seated(now, is_here=True) & set(before.members)),
            "room.has-left": [name for name in gone if name not in sent],
            "room.has-removed": [] if self.is_host else sorted(sent - {own}),
        }
        said = [t(key, names=t("list.comma").join(names)) for key, names in told.items() if names]
        is_set_anew = not (self.is_host or now.playing)  # a match that begins with fewer players changes them, too
        if is_set_anew and (what := roomdrawing.changed(before, now, self.session.look)):
            said.append(t("room.changed", what=t("list.comma").join(what)))
            said += [t("room.changed.unready")] if was_ready and not self.my_ready() else []
        return joined(said)

    def resume(self) -> None:
        """Leave, if the host has closed the room to this person, once this page is on top."""
        if self.session.pages.top is self and not self.room.holds(self.session.id):
            self.session.pages.pop()
            said = "room.gone" if self.room.is_gone else "room.removed"
            self.session.prompts.notice(said, "warn", code=self.view.code)

    def seats_somebody(self, name: str) -> bool:
        return any(seat.player is not None and seat.player.name == name for seat in self.view.seats)

    async def _to_match(self, match_id: str, by_key: bool) -> None:
        await self.session.reach(places.OwnMatchPlace(match_id, again=True, by_key=by_key))

    # What it shows

    def title(self) -> str:
        return self.session.t("room.title", code=self.view.code)

    def help_topic(self) -> str:
        return self.view.agreement.game

    @property
    def is_host(self) -> bool:
        """Tell whether the settings are mine to change."""
        return self.view.host == self.session.identity.name

    @property
    def room_to_fill(self) -> Room | None:
        is_free = any(seat.player is None and not seat.held_for for seat in self.view.seats)
        return self.room if self.is_host and is_free and not self.view.playing else None

    def do_invite(self) -> None:
        """Ask somebody to a free seat, by their name."""
        if (room := self.room_to_fill) is None:
            self.session.prompts.notice("room.no-seat" if self.is_host else "room.error.not-host")
            return
        self.session.have_typed("room.ask-invite", lambda name: invite(self.session, room, name))

    def chat(self) -> Sequence[Written]:
        """Return what was said in the room."""
        return self.session.services.chat.recent(self._channel, self.session.person.blocked)

    def channels(self) -> tuple[str, ...]:
        """Return the room's chat."""
        return (self._channel,)

    def do_people(self) -> None:
        """See who is, sits and talks here: to block or report them, also when they have left."""
        seated = (seat.player.name for seat in self.view.seats if seat.player is not None and seat.player.kind != "bot")
        own = self.session.identity.name
        names = tuple(name for name in dict.fromkeys((*seated, *self.view.members)) if name != own)
        self.session.go(places.PeoplePlace(names, self.channels(), room=self.room))

    def _at_own_seat(self) -> Chooser:
        """Return the cursor on one's own seat, where one has just sat down; else where it is."""
        seat = self.my_seat()
        return self.chooser if seat is None else Chooser(int(seat.seat))

    def my_seat(self) -> RoomSeat | None:
        """Return the seat I sit on."""
        me = self.session.identity.player
        return next(
            (seat for seat in self.view.seats if seat.player is not None and seat.player.is_same_person(me)), None
        )

    def body(self, cols: int, rows: int) -> Body:
        rows -= self.covered_rows
        has_column = cols >= WIDE
        table_cols = cols - CHAT_COLS - GAP_COLS if has_column else cols
        table = self._table(table_cols, rows)
        lines = [*table, *roomdrawing.background(self.view, self.session.look, table_cols)]
        if has_column:
            lines = self._with_offers(lines, table_cols, rows)
            return Body(beside(lines, self._chat_lines(CHAT_COLS, rows - 1), table_cols + GAP_COLS, CHAT_COLS))
        if len(lines) > rows - LEAST_CHAT_ROWS:
            table, lines = ([line for line in some if line] for some in (table, lines))  # without blank ones
        top = lines[: max(len(table), rows - LEAST_CHAT_ROWS)]
        return Body(self._with_offers([*top, (), *self._chat_lines(cols, rows - len(top) - 2)], cols, rows))

    def _with_offers(self, lines: list[Line], cols: int, rows: int) -> list[Line]:
        """Say above the last row of the page what its keys are for, as far as there is room."""
        room, names = rows - len(lines) - 2, [name for name in self._commands() if name in OFFERED]
        drawn = self._offers_drawn.get(self.session.look, (names, cols, room), lambda: self._offer_lines(cols, room))
        return at_end(lines, drawn, cols, rows - 1)

    def _offer_lines(self, cols: int, rows: int) -> list[Line]:
        offers = whole_offers(self._offered(), cols, rows)
        return offer_lines(offers, cols) if len(offers) > 1 else []

    def _offered(self) -> list[Offer]:
        """Say what its keys are for, of those that are wanted before a match begins."""
        return self.offers(keymap.hints("room", [name for name in self._commands() if name in OFFERED]))

    def _table(self, cols: int, rows: int) -> list[Line]:
        is_roomy = rows >= ROOMY_ROWS
        return roomdrawing.table(self.view, self._how_to_join(), self._marked(), self.session.look, cols, is_roomy)

    def _marked(self) -> roomdrawing.MarkedSeats:
        seat = self.my_seat()
        return roomdrawing.MarkedSeats(self.chooser.index, None if seat is None else seat.seat, self._decks_brought())

    def _decks_brought(self) -> str:
        """Say which decks one plays here, for this game and the one after it; only who brings them reads it."""
        seat, agreed, t = self.my_seat(), self.view.agreement, self.session.t
        names = bringing.side_names(agreed.game)
        if seat is None or self.view.playing or len(names) != 2:
            return ""
        brings, first, second = self.room.brought_by(self._me()), int(seat.seat), 1 - seat.seat
        deck, other = (
            bringing.word_brought(self.session, agreed.game, seat.seat, side, brings) for side in (first, second)
        )
        side, changed = (self.session.look.side(agreed.game, names[one], one) for one in (first, second))
        said = "decks.brought-two" if agreed.options.get(BOTH_SIDES) else "decks.brought"
        return t(said, side=side, deck=deck, changed=changed, other=other)

    def _chat_lines(self, cols: int, rows: int) -> list[Line]:
        """Draw the chat's head and its last lines, so many."""
        look = self.session.look
        head = Heading(look.t("keys.lobby.chat"), frame.key_name("tab", look))
        prompts, marked = self.session.prompts, self.session.marked
        lines = chat_lines(self.chat(), look, cols - 2, max(1, rows), marked, prompts.back)
        return [heading_line(head, 1), *inset(lines or [plain(look.t("room.chat-empty"), "dim")])]

    def _how_to_join(self) -> str:
        return self.session.reached_at.line(f"join {self.view.code}", "-t")

    def landing(self) -> str:
        return f"join {self.room.code}"

    def items(self) -> list[Item]:
        told = roomdrawing.told(self.view, self._how_to_join(), self._marked(), self.session.look)
        return [*told, *self._offered()]

    def choose(self, number: int) -> bool:
        if not 1 <= number <= len(self.view.seats):
            return False
        self.chooser = Chooser(number - 1)
        return True

    def message(self) -> Line:
        """Say what is missing."""
        if self.view.playing:
            return ()
        return plain(f" {self._wanted()}", "warn")

    def _wanted(self) -> str:
        me = self.session.identity.player
        return roomdrawing.wanted(self.view, self.my_seat(), self.is_host, self.session.look, me)

    @property
    def match_begun(self) -> str:
        """Return the id of the match that began here last."""
        return self.view.match or ""

    @property
    def holds_seat(self) -> bool:
        return self.my_seat() is not None

    def my_ready(self) -> bool:
        """Tell whether I said that I am ready."""
        seat = self.my_seat()
        return seat is not None and seat.ready

    def hints(self) -> tuple[Hint, ...]:
        """Return what can be done here now."""
        return tuple(self._labelled(one) for one in keymap.hints("room", self._commands()))

    def _commands(self) -> list[str]:
        seated, names = self.my_seat() is not None, []
        if self.view.match:
            names.append("watch")
        if not self.view.playing:
            agreed = self.view.agreement
            is_refused = closed_because(self.session.identity.player, agreed.rated, agreed.speed) is not None
            has_empty = any(seat.player is None for seat in self.view.seats)
            can_sit = seated or (has_empty and not is_refused)
            names += [
                *(("ready",) if seated else ()),
                *(("seat",) if can_sit else ()),
                *(("deck",) if seated and self._has_decks() else ()),
            ]
            names += [*(("rematch",) if self._may_play_again() else ())]
            names += [
                *(("start",) if self._can_start else ()),
                *(("level",) if self._chosen_bot() else ()),
                *(("bot",) if self.is_host and has_empty else ()),
                *(("options",) if self.is_host else ()),
                *(("invite",) if self.room_to_fill is not None else ()),
            ]
        return [*names, *(("kick",) if self._kicked() is not None else ()), "chat", "people", "leave"]

    def _labelled(self, hint: Hint) -> Hint:
        """Name the key by what it does now: who is ready says by it that they are not."""
        is_taken_back = hint.label == "keys.room.ready" and self.my_ready()
        return hint.named("room.taken-back.ready") if is_taken_back else hint

    def _may_play_again(self) -> bool:
        """Tell whether somebody sits here with whom the last match could be played again."""
        mine = self.my_seat()
        others = [seat for seat in self.view.seats if seat is not mine and seat.player is not None]
        return bool(self.view.match and mine and others)

    # Keys

    def press(self, key: str) -> bool:
        self.begins_match = False
        if key in ("up", "down"):
            moved = self.chooser.press(key, len(self.view.seats))
            self.chooser = moved or self.chooser
            return True
        return super().press(key)

    def back(self) -> bool:
        """Ask before leaving a seat that is kept for a first match; after one everybody goes as they like."""
        if self.my_seat() is not None and not (self.view.playing or self.view.played):
            names = self._unanswered()
            asked = "room.ask-leave-unanswered" if names else "room.ask-leave"
            self.session.prompts.ask(asked, self.session.pages.pop, names=names)
            return True
        return False

    def _unanswered(self) -> str:
        """Name those whom this person, alone here, has asked to come: nobody is, once they have left."""
        people = {one.player.name for one in self.view.seats if one.player is not None and not one.player.is_bot}
        if people != {self._me().name} or not self.is_host:
            return ""
        return self.session.t("list.comma").join(one.held_for for one in self.view.seats if one.held_for)

    def _me(self) -> Player:
        return self.session.identity.player

    def action(self, command: str) -> Callable[[], None] | None:
        """Return what does a command here: of what is the host's, or theirs who sit here, to others a sentence."""
        if command in OF_HOST and not self.is_host:
            return partial(self.session.prompts.notice, "room.error.not-host")
        if command in OF_SEATED and self.my_seat() is None:
            return partial(self.session.prompts.notice, "room.error.not-seated")
        return super().action(command)

    def do_ready(self) -> None:
        """Say that I am ready, or no longer."""
        others = [seat for seat in self.view.seats if seat is not self.my_seat()]
        self.begins_match = all(seat.ready or (seat.player and seat.player.kind == "bot") for seat in others)
        self.session.spawn(self.room.ready(self._me(), not self.my_ready(), counts_down=True))

    def do_seat(self) -> None:
        """Sit down on the chosen free seat, or the first one; or stand up."""
        if self.my_seat() is not None:
            self._stands_up = True
            self.session.spawn(self.room.stand(self._me()))
            return
        free = [seat.seat for seat in self.view.seats if seat.player is None]
        if free:
            chosen = Seat(self.chooser.index)
            self.session.spawn(self._sit(chosen if chosen in free else free[0]))
        else:
            self.session.prompts.notice("room.full")

    async def _sit(self, seat: Seat) -> None:
        """Take a seat, with the deck one likes to bring to it."""
        await self.session.decks.load()
        await self.room.sit(self._me(), seat, wished=bringing.wished(self.session))

    async def _bring_wished(self) -> None:
        """Bring the decks one likes to what is played here now."""
        await self.session.decks.load()
        seat, agreed = self.my_seat(), self.room.snapshot().agreement
        if seat is None or self.view.playing or not bringing.side_names(agreed.game):
            return
        wished, brings = bringing.wished(self.session)(agreed)[seat.seat], self.room.brought_by(self._me())
        sides = range(len(bringing.side_names(agreed.game)))
        values = [bringing.value_brought(self.session, agreed.game, seat.seat, side, brings) for side in sides]
        if values != [bringing.wished_deck(self.session, agreed.game, side, agreed.options) for side in sides]:
            await self.room.bring(self._me(), wished)

    def do_bot(self) -> None:
        """Put a bot on the chosen seat, or on the next free one; where all are kept for somebody, after a question."""
        empty = [seat for seat in self.view.seats if seat.player is None]
        free = [seat.seat for seat in empty if not seat.held_for] or [seat.seat for seat in empty]
        if not free:
            self.session.prompts.notice("room.no-seat")
            return
        seat = next((one for one in free if one >= self.chooser.index), free[0])
        following = next((one for one in free if one > seat), next((one for one in free if one != seat), seat))
        self.chooser = Chooser(int(following))
        work = partial(self._seat_bot, seat, None, self._bot_level())
        if name := self.view.seats[seat].held_for:
            self.session.have_confirmed("room.ask-bot-held", work, name=name)
        else:
            self.session.spawn(work())

    def _bot_level(self) -> str:
        """Return the level of the bot that sat down last; of the first one the lowest."""
        levels = registry.levels(self.view.agreement.game)
        return self._last_level if self._last_level in levels else levels[0]

    def do_level(self) -> None:
        """Change the level of the bot on the chosen seat."""
        seat = self.view.seats[self.chooser.index]
        if self.is_host and not self.view.playing and seat.player is not None and seat.player.kind == "bot":
            now = seat.player.name.removeprefix(BOT)
            levels = registry.levels(self.view.agreement.game)
            step = -1 if self.key == "left" else 1
            if step != end_of(levels, now):
                self._last_level = cycle(levels, now if now in levels else levels[0], step)
                self.session.spawn(self._seat_bot(seat.seat, now, self._last_level))

    async def _seat_bot(self, seat: Seat, now: str | None, level: str | None) -> None:
        if now is not None:
            await self.room.remove(self._me(), seat)
        if level is not None:
            await self.room.add_bot(self._me(), seat, level)

    def _chosen_bot(self) -> bool:
        """Tell whether a bot sits on the chosen seat, whose level the host may change."""
        player = self.view.seats[self.chooser.index].player if self.chooser.index < len(self.view.seats) else None
        return self.is_host and player is not None and player.kind == "bot"

    def _kicked(self) -> Seat | None:
        """Return the chosen seat where the host may take it from somebody else."""
        chosen = next((seat for seat in self.view.seats if seat.seat == self.chooser.index), None)
        if not self.is_host or self.view.playing or chosen is None or chosen.player is None:
            return None
        return None if chosen.player.is_same_person(self._me()) else chosen.seat

    def do_kick(self) -> None:
        """Take the chosen seat from who sits there, after a question."""
        seat = self._kicked()
        if seat is not None and (player := self.view.seats[seat].player) is not None:
            remove = partial(self.room.remove, self._me(), seat)
            if player.kind == "bot":
                self.session.spawn(remove())
            else:
                self.session.have_confirmed("room.ask-kick", remove, name=player.name)

    def _has_decks(self) -> bool:
        return bool(bringing.side_names(self.view.agreement.game))

    def do_deck(self) -> None:
        """Choose the deck for one's seat."""
        seat = self.my_seat()
        if seat is not None and self._has_decks() and not self.view.playing:
            self.session.spawn(self._choose_deck(seat.seat))

    async def _choose_deck(self, seat: Seat) -> None:
        await self.session.decks.load()
        if self.session.pages.top is self:
            self.session.go(places.DeckChoicePlace(self.room, seat))

    def do_options(self) -> None:
        """Change the settings."""
        if not self.view.playing:
            self.session.go(places.RoomOptionsPlace(self.room))

    @property
    def _can_start(self) -> bool:
        """Tell whether the host may begin: not once those who are ready are counted down."""
        return self.view.can_start and self.is_host and self.view.begins_at is None

    def do_start(self) -> None:
        """Begin, after a countdown where others are ready."""
        if self._can_start:
            self.begins_match = True
            seated = self.my_seat() is not None
            work = self.room.ready(self._me(), counts_down=True) if seated else self.room.start(self._me())
            self.session.spawn(work)

    def do_watch(self) -> None:
        """Go to the room's match."""
        if self.view.match:
            self.session.spawn(self._to_match(self.view.match, by_key=True))

    def do_rematch(self) -> None:
        """Ask to play the last match again."""
        if self.view.match and not self.view.playing:
            self.session.spawn(self._rematch())

    async def _rematch(self) -> None:
        await self.room.rematch(self._me())
        if self.session.pages.top is self and not self.view.playing:
            self.session.prompts.notice("match.sent.rematch", "good")

    def do_chat(self) -> None:
        """Say something in the room."""
        self.session.have_said("room.say", self._say, past=lambda: len(self.chat()))

    async def _say(self, text: str) -> None:
        await self.room.say(self._me(), text)

    def do_leave(self) -> None:
        """Leave the room."""
        if not self.back():
            self.session.pages.pop()


def _seated(view: RoomView, is_here: bool) -> set[str]:
    """Return who sits in a room and is here, or is not."""
    people = (seat.player.name for seat in view.seats if seat.player is not None and seat.here is is_here)
    return set() if view.playing else set(people)


def _played(view: RoomView) -> tuple[object, ...]:
    """Return what decides which decks may be brought."""
    return view.agreement.game, view.agreement.options


def called_off(before: RoomView, now: RoomView) -> tuple[str, ...]:
    """Return who was challenged and is kept no seat any more, though they neither came nor declined."""
    kept = {seat.held_for for seat in now.seats}
    came = {seat.player.name for seat in now.seats if seat.player is not None}
    gone = [seat.held_for for seat in before.seats if seat.held_for is not None and seat.held_for not in kept]
    return tuple(name for name in gone if name not in came and name not in now.declined)
