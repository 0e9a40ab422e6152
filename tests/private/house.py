"""A house of real services over a database in memory, and people who walk through its doors at random."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

import pytest
from sqlalchemy import Connection, insert

from game.contract import Seat, Watcher
from game.errors import GameError
from server.accounts.accounts import Accounts
from server.accounts.conduct import Conduct
from server.accounts.decks import Decks
from server.accounts.following import Following
from server.accounts.identity import Identity
from server.accounts.machines import Machines
from server.accounts.messages import Messages
from server.bus.bus import LocalBus
from server.chat.chat import Chat
from server.config import Limits, Settings
from server.errors import Refused
from server.lobby.arrivals import Arrival
from server.lobby.context import LobbyContext
from server.lobby.lobby import Lobby
from server.lobby.model import RoomSettings
from server.lobby.room import Room
from server.matches.agreement import Agreement
from server.matches.errors import MatchRefused, NoSuchMatch
from server.matches.matches import Matches
from server.matches.model import OVER, RUNNING, MatchQuery, Timing
from server.ratings.ratings import Ratings
from server.services import Services
from server.ssh.bot.session import BotSession
from server.ssh.call import Call
from server.store import processes, tables
from server.store.lobby import NoSuchRoom
from server.store.logwriter import LogWriter
from server.tokenbucket import Rates
from tests.accounts.test_identity_fuzz import InMemory
from tests.clocks import FakeClock
from tests.matches.table import InlinePool
from tests.private import model
from tests.private.model import ALL, NOTHING, THAT_IT_IS, Model
from tests.ssh.commands import Commands, Heard

NOBODYS = "zzzz2222"  # the id of no match; as long as one
NO_ROOM = "ZZZZ2222"
LOOKS_AT = ("show {}", "show {} --json", "show {} --as 0", "record {}", "replay {}", "share {}")
LISTS = ("games --json", "games --finished --json", "games --mine --live --finished --json", "games")
MUCH = 10**6


class CountedMemory(InMemory):
    """A database in memory that counts what is asked of it."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    async def write(self, work: Any, *args: Any, **kwargs: Any) -> Any:
        self.asked += 1
        return await super().write(work, *args, **kwargs)


@dataclass
class House:
    """The services, with a clock moved by hand."""

    database: CountedMemory
    clock: FakeClock
    services: Services
    commands: Commands
    made: int = 0  # people so far


@asynccontextmanager
async def open_house() -> AsyncIterator[House]:
    database, clock, bus = CountedMemory(), FakeClock(), LocalBus()
    kept: Any = database
    with database.connection.begin():
        database.connection.execute(insert(tables.counters).values(name="finish", value=0))
    limits = Limits(chat_per_min=MUCH, beginnings_per_min=MUCH, wrong_codes_per_min=MUCH)
    writer = LogWriter(kept)
    writer.start()
    conduct, ratings = Conduct(kept, clock), Ratings(kept, clock)
    chat = Chat(kept, clock, bus, limits, lambda player: None)
    pool = InlinePool(clock=clock)
    matches = Matches(clock, kept, writer, ratings, pool, chat, conduct, bus, Timing(), beginnings_per_min=MUCH)
    await database.write(processes.arrive, matches.connections.process_id, 1, "here", clock.now())
    await chat.start()
    context = LobbyContext(
        clock, kept, matches.context.presence, matches.context.ratings, conduct, Following(kept, clock), chat
    )
    lobby = Lobby(context, matches, bus)
    settings: Any = Settings()
    nothing: Any = None
    services = Services(
        settings, clock, kept, bus, Accounts(kept, clock, limits, bus=bus), conduct,
        Following(kept, clock), Messages(kept, clock, chat.muted), Machines(kept, clock), ratings, chat, matches, lobby,
        Decks(kept, clock), nothing,
    )  # fmt: skip
    try:
        yield House(database, clock, services, Commands(nothing, services))
    finally:
        await lobby.close()
        await chat.close()
        await matches.close()
        await writer.close()
        await database.close()


async def settle() -> None:
    for _ in range(12):
        await asyncio.sleep(0)


@dataclass
class Person:
    """Somebody who walks through the house."""

    who: Identity
    session: str
    arrival: Arrival | None = None

    @property
    def name(self) -> str:
        return self.who.name


class Walk:
    """One walk: a cast of its own, some rooms and matches, and after each step some doors are tried."""

    def __init__(self, house: House, dice: random.Random) -> None:
        self.house, self.dice, self.model = house, dice, Model()
        self.services = house.services
        self.people: list[Person] = []
        self.rooms: dict[str, Room] = {}
        self.blocks: set[tuple[str, str]] = set()
        self.told: list[str] = []
        self.tried = 0
        self._texts = 0

    # Who is there

    async def begin(self) -> None:
        cast = [("mira", ()), ("tarn", ()), ("lio", ()), ("omid", ("moderator",)), ("ada", ("admin",)), None, None]
        with self.house.database.connection.begin():
            for one in cast:
                self._make(self.house.database.connection, one)
        for person in self.people:
            self._arrive(person)
        await self._sit_down()

    async def _sit_down(self) -> None:
        """Mostly some are in a room already, and play: else little would be to be found."""
        host, *others = self.dice.sample(self.people, 3)
        for act, person in ((self.open_room, host), *((self.join, one) for one in others), (self.play, host)):
            if self.dice.random() < 0.9:
                self.told.append(f"{person.name} {act.__name__}")
                await act(person)
                await settle()
        if self.dice.random() < 0.4:
            for person in (host, *others):
                await self.resign(person)

    def _make(self, connection: Connection, said: tuple[str, tuple[str, ...]] | None) -> None:
        self.house.made += 1
        n = self.house.made
        source = f"198.51.{n // 250 % 250}.{n % 250}"
        if said is None:
            name = f"guest-{n:08d}".replace("0", "a").replace("1", "b")
            who = Identity(None, name, frozenset(), None, None, "", source)
        else:
            name, roles = f"{said[0]}{n}", said[1]
            row = insert(tables.accounts).values(handle=name, created_at=self.house.clock.now())
            account_id = connection.execute(row.returning(tables.accounts.c.id)).scalar_one()
            for role in roles:
                connection.execute(insert(tables.roles).values(account_id=account_id, role=role))
            who = Identity(account_id, name, frozenset(roles), None, None, "", source)
        self.people.append(Person(who, f"session {name}"))

    def _arrive(self, person: Person) -> None:
        person.arrival = self.services.lobby.arrive(person.who, person.session, lambda match_id: None)

    def _somebody(self) -> Person:
        return self.dice.choice(self.people)

    def _text(self, where: str) -> str:
        self._texts += 1
        text = f"said-{self.house.made}-{self._texts}-here"
        self.model.said[text] = where
        return text

    def _blocked(self, name: str, others: set[str]) -> bool:
        return any((name, one) in self.blocks or (one, name) in self.blocks for one in others)

    # Steps

    async def step(self) -> None:
        act = self.dice.choice(ACTS)
        person = self._somebody()
        self.told.append(f"{person.name} {act}")
        await getattr(self, act)(person)
        await settle()
        self._note_who_was_put_out()

    def _note_who_was_put_out(self) -> None:
        """The service may put people out of a room (a block, its end); it lets in nobody whom the model has not."""
        for code, room in self.model.rooms.items():
            there = {one.player.name for one in self.rooms[code].state.members} if code in self.rooms else set()
            assert there <= room.members, f"{there - room.members} are in {code}: {self.told}"
            room.members &= there
            kept = self.rooms[code].state.seats if code in self.rooms else ()
            room.invited &= {one.held_for for one in kept if one.held_for}

    async def open_room(self, person: Person) -> None:
        await self._open_room(person, None)

    async def challenge(self, person: Person) -> None:
        other = self._somebody()
        if other is not person and other.arrival is not None and not self._blocked(person.name, {other.name}):
            await self._open_room(person, other)

    async def _open_room(self, person: Person, challenged: Person | None) -> None:
        if person.arrival is None:
            return
        is_private, is_watchable = challenged is not None or self.dice.random() < 0.8, self.dice.random() < 0.75
        agreement = Agreement("rainet", private=is_private, watchable=is_watchable)
        settings = RoomSettings(agreement, title=f"title {self.house.made} {len(self.rooms)} x")
        lobby = self.services.lobby
        if challenged is None:
            room = await lobby.rooms.create(person.who.player, settings, person.session)
        else:
            room = await lobby.challenges.make(person.who.player, challenged.name, settings, person.session)
        made = model.Room(
            room.code, settings.agreement.private, settings.agreement.watchable, settings.title, {person.name}
        )
        made.invited |= {challenged.name} if challenged is not None else set()
        self.model.rooms[room.code], self.rooms[room.code] = made, room

    async def join(self, person: Person) -> None:
        await self._join(person, has_code=True)

    async def join_by_page(self, person: Person) -> None:
        await self._join(person, has_code=False)

    async def _join(self, person: Person, has_code: bool) -> None:
        if not self.rooms or person.arrival is None:
            return
        room = self.rooms[self.dice.choice(sorted(self.rooms))]
        expected, held = self.model.rooms[room.code], room.state
        there = {one.player.name for one in held.members if one.player.person == held.host}
        seated = {one.player.name for one in held.seats if one.player is not None}
        is_free = not held.playing and any(
            one.player is None and one.held_for in (None, person.name) for one in held.seats
        )
        has_place = is_free or expected.watchable or person.name in seated
        is_known = self.model.knows_room(person.name, room.code) or (has_code and has_place)
        is_gone = not held.members and not held.playing
        may = is_known and not is_gone and not self._blocked(person.name, there | seated)
        before = self.house.database.asked
        try:
            player, session = person.who.player, person.session
            await self.services.lobby.rooms.join(player, room.code, session, has_code=has_code)
        except NoSuchRoom:
            cost = self.house.database.asked - before
            assert not may or is_gone, f"{person.name} is kept out of {room.code}: {self.told}"
            before = self.house.database.asked
            with suppress(NoSuchRoom):
                await self.services.lobby.rooms.join(player, NO_ROOM, session, has_code=has_code)
            assert self.house.database.asked - before == cost, f"no such room took another time: {self.told}"
        except Refused:
            assert is_known, f"a refusal tells {person.name} of {room.code}: {self.told}"
        else:
            assert may, f"{person.name} came into {room.code}: {self.told}"
            expected.members.add(person.name)

    async def leave(self, person: Person) -> None:
        for code, room in self.rooms.items():
            if person.name in self.model.rooms[code].members:
                room.leave(person.who.player)
                await settle()
                self.model.rooms[code].members.discard(person.name)
                return

    async def hang_up(self, person: Person) -> None:
        """Go, and come back: rooms are left."""
        if person.arrival is not None:
            person.arrival.leave()
            await settle()
            for room in self.model.rooms.values():
                room.members.discard(person.name)
        self._arrive(person)

    async def play(self, person: Person) -> None:
        """Begin in a room that is full, or that a bot fills."""
        for code, room in self.rooms.items():
            mine = room.state.seats.seat_of(person.who.person)
            if mine is None or room.state.playing or person.name not in self.model.rooms[code].members:
                continue
            with suppress(Refused, GameError):
                for seat, one in enumerate(room.state.seats):
                    if one.player is None and room.state.host == person.who.person and self.dice.random() < 0.5:
                        await room.add_bot(person.who.player, Seat(seat), "easy")
                for one in room.state.seats:
                    if one.player is not None and not one.is_bot and not room.state.playing:
                        await room.ready(one.player)
            await settle()
            now = self.rooms[code].state
            if now.playing and now.match is not None:
                self._note_match(now.match)
            return

    def _note_match(self, match_id: str, from_private: bool = False) -> None:
        if match_id in self.model.matches:
            return
        match = self.services.matches.opened(match_id)
        assert match is not None
        room = self.model.rooms.get(match.terms.room or "")
        private = room.private if room is not None else True
        watchable = room.watchable if room is not None else True
        assert match.terms.agreement.private == private
        seated = frozenset(one.name for one in match.terms.players if not one.is_bot)
        code = None if room is None else room.code
        self.model.matches[match_id] = model.Match(
            match_id, private, watchable, code, seated, from_private=from_private
        )

    def _a_match(self, wanted: Callable[[model.Match], bool]) -> model.Match | None:
        found = [one for one in self.model.matches.values() if wanted(one)]
        return self.dice.choice(found) if found else None

    async def resign(self, person: Person) -> None:
        found = self._a_match(lambda one: person.name in one.seated and not one.over)
        if found is not None:
            match = await self.services.matches.open(found.id)
            seat = match.seat_of(person.who.player)
            assert seat is not None
            await match.resign(seat)
            found.over = match.is_over

    async def rematch(self, person: Person) -> None:
        found = self._a_match(lambda one: person.name in one.seated and one.over)
        if found is None:
            return
        match = await self.services.matches.open(found.id)
        for one in match.terms.people:
            with suppress(Refused):
                await match.offer(one, "rematch")
        await settle()
        if match.offers.next_match is not None:
            self._note_match(match.offers.next_match)

    async def branch(self, person: Person) -> None:
        """Play on from a match, known or not."""
        found = self._a_match(lambda one: one.over)
        if found is None:
            return
        knows = self.model.knows(person.name, found.id)
        try:
            made = await self.services.lobby.play_on(person.who.player, found.id, 0, Seat(0), "easy")
        except NoSuchMatch:
            assert knows == NOTHING
        except (Refused, GameError):
            assert knows == ALL
        else:
            assert knows == ALL, f"{person.name} plays on from {found.id}: {self.told}"
            is_hidden = not self.model.is_everybodys(found) or found.from_private
            self._note_match(made.id, from_private=is_hidden)

    async def share(self, person: Person) -> None:
        await self._share(person, agrees=True)

    async def take_back(self, person: Person) -> None:
        await self._share(person, agrees=False)

    async def _share(self, person: Person, agrees: bool) -> None:
        found = self._a_match(lambda one: one.private and one.over) or self._a_match(lambda one: one.private)
        if found is None:
            return
        if self.dice.random() < 0.7:
            person = next(one for one in self.people if one.name in found.seated)
            if found.lets:
                person = next((one for one in self.people if one.name in found.seated - found.lets), person)
        may = found.over and person.name in found.seated and not found.from_private
        was_everybodys = self.model.is_everybodys(found)
        match = await self.services.matches.open(found.id)
        try:
            await match.share(person.who.player, agrees)
        except Refused:
            assert not may or was_everybodys, self.told
        else:
            assert may, f"{person.name} shares {found.id}: {self.told}"
            found.lets = found.lets | {person.name} if agrees else found.lets - {person.name}

    async def block(self, person: Person) -> None:
        other = self._somebody()
        if person.who.account_id is not None and other.who.account_id is not None and person is not other:
            await self.services.conduct.block(person.who.account_id, other.name)
            self.blocks.add((person.name, other.name))
            await self.services.lobby.rooms.separate(person.who.account_id)

    async def unblock(self, person: Person) -> None:
        for by, whom in sorted(self.blocks):
            if by == person.name and person.who.account_id is not None:
                await self.services.conduct.unblock(person.who.account_id, whom)
                self.blocks.discard((by, whom))

    async def say(self, person: Person) -> None:
        """Say something in a room one is in, or beside a match, known or not."""
        for code, room in self.rooms.items():
            if person.name in self.model.rooms[code].members:
                with suppress(NoSuchRoom, MatchRefused):
                    await room.say(person.who.player, self._text(code))
        found = self._a_match(lambda one: True)
        if found is None:
            return
        match, text = await self.services.matches.open(found.id), self._text(found.id)
        try:
            await match.say(person.who.player, text)
        except Refused:
            del self.model.said[text]
        else:
            assert self.model.knows(person.name, found.id) == ALL, f"{person.name} speaks beside {found.id}"

    async def report(self, person: Person) -> None:
        found = self._a_match(lambda one: self.model.knows(person.name, one.id) == ALL)
        if found is not None and person.who.account_id is not None:
            status, _, _ = await self.house.commands.ssh(person.who, f"report {found.id}:0 --why rude")
            if status == 0:
                self.model.reported.add(found.id)

    async def void(self, person: Person) -> None:
        """An admin ends a match without a result."""
        found = self._a_match(lambda one: not one.over)
        admin = next(one.who for one in self.people if "admin" in one.who.roles)
        if found is not None:
            assert (await self.house.commands.ssh(admin, f"admin void {found.id} --why test"))[0] == 0
            match = await self.services.matches.open(found.id)
            await match.live.catch_up()
            found.over = True

    # Doors

    async def try_doors(self, count: int) -> None:
        """Try some doors as somebody; each holds against the model."""
        for _ in range(count):
            person = self._somebody()
            door = self.dice.choice(DOORS)
            self.tried += 1
            await getattr(self, door)(person)

    def _leaks(self, person: Person | None, text: str, typed: str = "") -> None:
        for secret, what in self.model.secrets(None if person is None else person.name).items():
            if secret != typed and secret in text:
                who = "everybody" if person is None else person.name
                raise AssertionError(f"{who} learns {what}, {secret}: {text!r} after {self.told}")

    async def _run(self, person: Person, line: str, typed: str = "") -> tuple[int, str, str]:
        status, out, err = await self.house.commands.ssh(person.who, line)
        self._leaks(person, out + err, typed)
        return status, out, err

    async def one_match(self, person: Person) -> None:
        """`show`, `record`, `replay`, `share`, `watch`, `report` of a match."""
        found = self._a_match(lambda one: True)
        if found is None:
            return
        knows, line = self.model.knows(person.name, found.id), self.dice.choice(LOOKS_AT)
        if knows == NOTHING and self.dice.random() < 0.4:
            line = self.dice.choice(("watch {}", "watch {} --json", "report {}:0 --why x", "report {}:7 --why x"))
        if line.startswith("share"):
            if person.name in found.seated:
                return  # a step does it
            if knows != NOTHING:
                assert (await self._run(person, line.format(found.id), found.id))[0] != 0
                return
        before = self.house.database.asked
        status, out, err = await self._run(person, line.format(found.id), found.id)
        cost, before = self.house.database.asked - before, self.house.database.asked
        if knows == NOTHING:
            other = await self.house.commands.ssh(person.who, line.format(NOBODYS))
            same = (other[0], other[1], other[2].replace(NOBODYS, found.id))
            assert (status, out, err) == same, f"{line} tells {person.name} of {found.id}: {err} {self.told}"
            assert self.house.database.asked - before == cost, f"{line} takes another time"
        elif knows == THAT_IT_IS:
            assert status == 4, (line, err)
        elif line.startswith(("show {} --json", "record") if found.over else "show {} --json"):
            assert status == 0, (line, err, self.told)

    async def lists(self, person: Person) -> None:
        """`games` with its filters."""
        line = self.dice.choice(LISTS)
        _, out, _ = await self._run(person, line)
        if "--json" not in line:
            return
        told = {one["match"] for one in map(json.loads, out.splitlines())}
        hidden = {whom for by, whom in self.blocks if by == person.name}
        for match in self.model.matches.values():
            asked = "finished" in line if match.over else ("--finished" not in line or "--live" in line)
            is_known = self.model.knows(None, match.id) != NOTHING and not hidden & match.seated
            listed = asked and (person.name in match.seated if "--mine" in line else is_known)
            assert (match.id in told) == listed, (line, person.name, match, self.told)

    async def history(self, person: Person) -> None:
        """`history HANDLE`, and the list that a profile shows."""
        about = self._somebody()
        if about.who.account_id is None:
            return
        status, out, err = await self._run(person, f"history {about.name} --json")
        if status != 0:
            assert (person.name, about.name) in self.blocks, err
            return
        hidden = {whom for by, whom in self.blocks if by == person.name and person is not about}
        told = {one["match"] for one in map(json.loads, out.splitlines())}
        expected = {
            one.id
            for one in self.model.matches.values()
            if one.over and about.name in one.seated and self.model.knows(person.name, one.id) != NOTHING
            if not hidden & one.seated
        }
        assert told == expected, (person.name, about.name, self.told)
        statuses = RUNNING | OVER
        asker = self.services.matches.asker(person.who.player)
        query = MatchQuery(account_id=about.who.account_id, statuses=statuses, asker=asker)
        shown = {one.id for one in await self.services.matches.list(query)}
        mine = {
            one.id
            for one in self.model.matches.values()
            if about.name in one.seated and self.model.knows(person.name, one.id) != NOTHING
        }
        assert shown == mine, (person.name, about.name, self.told)

    async def user(self, person: Person) -> None:
        about = self._somebody()
        await self._run(person, f"user {about.name} --json", about.name)

    async def who_is_here(self, person: Person) -> None:
        """What the lobby shows to everybody: Who, "playing", rooms, live and ended matches."""
        self.house.clock.shift(4.0)
        listening = self.services.lobby.subscribe(lambda: None)
        await self.services.lobby.refresh()
        listening.close()
        view = self.services.lobby.snapshot()
        self._leaks(None, repr(view))
        for one in view.here:
            if one.playing in self.model.matches:
                assert self.model.knows(None, str(one.playing)) != NOTHING

    async def a_program(self, person: Person) -> None:
        """The bot protocol, by somebody without a seat."""
        found = self._a_match(lambda one: person.name not in one.seated)
        if found is None:
            return
        order: dict[str, Any] = {
            "do": self.dice.choice(("resign", "say", "offer", "accept", "claim", "act")),
            "match": found.id,
        }
        order |= {"text": "hi", "what": "draw", "seq": 0, "action": "x"}
        answers = []
        for match_id in (found.id, NOBODYS):
            heard = Heard()
            call: Any = Call(person.who, "bot", {}, None, heard, None, person.session, Rates(lambda: 0.0))  # type: ignore[arg-type]
            await BotSession(call, self.services).obey(json.dumps({**order, "match": match_id}).encode())
            self._leaks(person, heard.out, match_id)
            answers.append(heard.out.replace(match_id, "ID"))
        if self.model.knows(person.name, found.id) == NOTHING:
            assert answers[0] == answers[1], (answers, self.told)

    async def sight(self, person: Person) -> None:
        """What every page asks: from the lobby, from a report, or by a gallery's door."""
        found = self._a_match(lambda one: True)
        if found is None:
            return
        is_moderator = bool(person.who.roles)
        on_case = found.id in self.model.reported and self.dice.random() < 0.5
        knows = self.model.knows(person.name, found.id, on_case and is_moderator)
        case = found.id if on_case else None
        try:
            match = await self.services.matches.find(found.id, person.who, case)
        except NoSuchMatch:
            assert knows == NOTHING, (person.name, found, self.told)
            if (kept := self.services.matches.opened(found.id)) is not None:
                with pytest.raises(NoSuchMatch):
                    kept.sight(person.who, case=case)
                with pytest.raises(NoSuchMatch):
                    kept.enter(person.who.player, None, "a gallery")
            return
        assert knows != NOTHING, f"{person.name} finds {found.id}: {self.told}"
        try:
            match.sight(person.who, case=case)
        except Refused:
            assert knows == THAT_IT_IS
            return
        assert knows == ALL
        shot = match.snapshot(Watcher.PUBLIC)
        assert shot.room is None or not found.private, "the code of a private room is for its players"

    async def admin_lists(self, person: Person) -> None:
        if not person.who.roles:
            assert (await self._run(person, "admin matches --json"))[0] == 4
            return
        _, out, _ = await self.house.commands.ssh(person.who, "admin matches --json")
        told = {one["match"] for one in map(json.loads, out.splitlines())}
        for match in self.model.matches.values():
            listed = not match.over and (not match.private or "admin" in person.who.roles)
            assert (match.id in told) == listed, (person.name, match, self.told)
        _, out, _ = await self.house.commands.ssh(person.who, "admin audit --json")
        if "admin" not in person.who.roles:
            self._leaks(person, out)

    async def export(self, person: Person) -> None:
        if person.who.account_id is not None:
            _, out, _ = await self.house.commands.ssh(person.who, "export-my-data")
            data = json.loads(out)
            own = repr({name: rows for name, rows in data.items() if name not in ("chat_lines", "reports_made")})
            self._leaks(person, own)

    async def challenges(self, person: Person) -> None:
        told = await self.services.lobby.challenges.to(person.who.player)
        for one in told:
            assert person.name in self.model.rooms[one.code].invited, (one, self.told)
        self._leaks(person, repr(told))


ACTS = (
    *("open_room",) * 3, *("join",) * 5, *("join_by_page",) * 2, *("play",) * 6, *("resign",) * 4, *("share",) * 4,
    "challenge", "leave", "leave", "hang_up", "rematch", "branch", "take_back", "block", "unblock", "say", "say",
    *("report", "void"),
)  # fmt: skip
DOORS = (
    *("one_match",) * 5, "lists", "lists", "history", "history", "user", "who_is_here", "a_program", "sight", "sight",
    "admin_lists", "export", "challenges", "join_by_page",
)  # fmt: skip
