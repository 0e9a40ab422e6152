"""One program at the other end: its orders, its seats, its seeks and rooms."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any, assert_never

from game import registry
from game.errors import BadNotation, GameError
from server.errors import RateLimited, Refused
from server.lobby.arrival import Arrival
from server.lobby.model import RoomSettings
from server.lobby.model import Seek as LobbySeek
from server.lobby.seeking import SeekTicket
from server.log import get_logger
from server.matches.model import MatchQuery
from server.services import Services
from server.ssh.bot import orders
from server.ssh.bot.chair import Chair
from server.ssh.bot.naming import brought, level_named, match_seat, seat_named
from server.ssh.bot.orders import AnyOrder, Unreadable, read_order
from server.ssh.bot.refusals import NotFound, NotNow, error_json, refusal_json
from server.ssh.bot.rooms import Rooms
from server.ssh.call import Call, Exit, to_json
from server.ssh.commands.table import Command, Visit
from server.ssh.commands.words import Spec
from server.ssh.wire import Object, end_json, message

log = get_logger("bot")
PING_EVERY_S = 30.0
KEPT_ROOMS = 10  # rooms that have played, and where a rematch is still possible
KEPT_AFTER_END = 8  # matches that have ended and whose offers and chat are still told
EXPECTED = (Refused, GameError, NotFound, NotNow)


class BotSession:
    """Orders are done one after another; what happens in matches is told meanwhile, each match in its own task."""

    def __init__(self, call: Call, services: Services) -> None:
        self.call = call
        self.services = services
        self.player = call.identity.player
        self.chairs: dict[str, Chair | None] = {}  # None: about to sit down
        self._following: dict[str, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._tickets: list[SeekTicket] = []
        self._rooms = Rooms(self.call.session, lambda code: self._say("removed", code=code))
        self._sending = asyncio.Lock()
        self._arrival: Arrival | None = None

    # Life

    async def run(self) -> int:
        """Talk until the program hangs up."""
        try:
            await self._begin()
            self._spawn(self._ping())
            await self._take_orders()
            return Exit.OK
        finally:
            await self._end()

    async def _begin(self) -> None:
        running = await self.services.matches.running_ids(self.player)
        ended = await self._ended_meanwhile()
        self._arrival = self.services.lobby.arrive(self.call.identity, self.call.session, self._on_match)
        await self.send(self._hello(running))
        for summary in ended:
            match = await self.services.matches.open(summary.id)
            await self.send(end_json(match.snapshot(match_seat(match, self.player))))
        await self._note()
        self.call.on_announcement = self._announce
        self.call.on_blocks = self._blocked
        hidden = await self._hidden() if running else frozenset()  # asked once, not for each of hundreds
        for match_id in running:
            self.sit(match_id, hidden)

    def _announce(self, text: str) -> None:
        self._say("announcement", text=text)

    def _say(self, kind: str, **fields: str) -> None:
        self._spawn(self.send(message(kind, **fields)))

    def _blocked(self) -> None:
        self._spawn(self._hide())

    def _hello(self, running: list[str]) -> Object:
        return message(
            "hello",
            server=self.services.settings.name,
            player=self.call.identity.name,
            guest=self.call.identity.is_guest,
            games=list(registry.KEYS),
            limits={
                "actions_per_min": self.services.settings.limits.actions_per_min,
                "beginnings_per_min": self.services.settings.limits.beginnings_per_min,
            },
            running=running,
        )

    async def _ended_meanwhile(self) -> list[Any]:
        """Return the matches that ended after this key was last told of one, oldest first."""
        who = self.call.identity
        if who.account_id is None:
            return []
        keys = await self.services.accounts.keys(who.account_id)
        since = next((key.used_at for key in keys if key.fingerprint == who.fingerprint), None)
        if since is None:
            return []
        query = MatchQuery(
            statuses=frozenset(("finished", "void")), account_id=who.account_id, player=self.player, private=True
        )
        found = await self.services.matches.list(query)
        return sorted((one for one in found if one.ended_at and one.ended_at > since), key=lambda one: one.ended_at)

    async def _note(self) -> None:
        """Remember that everything up to now was told: after a crash the rest is told on reconnecting.

        Where that can't be stored just now an end is told twice, which is better than not serving at all.
        """
        who = self.call.identity
        if who.account_id is not None:
            with contextlib.suppress(Refused):
                await self.services.accounts.note_login(who.account_id, who.fingerprint)

    async def _end(self) -> None:
        self.call.on_announcement = self.call.on_blocks = None
        self._rooms.close()
        for task in self._tasks:
            task.cancel()
        if self._arrival is not None:
            self._arrival.leave()  # before anything that waits: who hangs up now ends this task there
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._note()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _ping(self) -> None:
        while True:
            await self.services.clock.sleep(PING_EVERY_S)
            await self.send(message("ping"))

    async def send(self, *told: Object) -> None:
        """Send one object a line, in one go; waits while the program does not read."""
        async with self._sending:
            self.call.put("".join(to_json(one).decode() + "\n" for one in told))
            if self.call.outlet.paused:
                await self.call.outlet.drain()

    # Matches

    def _on_match(self, match_id: str) -> None:
        """Hear that a match began in which this program has a seat."""
        self.sit(match_id)

    def sit(self, match_id: str, hidden: frozenset[int] | None = None) -> None:
        """Follow a match from one's seat in it. `hidden`: accounts that are not heard, where they were asked for."""
        if match_id not in self.chairs:
            self.chairs[match_id] = None
            self._following[match_id] = self._spawn(self._follow(match_id, hidden))

    async def _follow(self, match_id: str, hidden: frozenset[int] | None) -> None:
        presence = None
        try:
            match = await self.services.matches.open(match_id, beginning=False)
            seat = match_seat(match, self.player)
            presence = match.enter(self.player, seat, self.call.session, paced=False)
            services = self.services
            hidden = await self._hidden() if hidden is None else hidden
            chair = self.chairs[match_id] = Chair(match, seat, services.clock, services.chat, self.send, hidden)
            next_match = await chair.follow(self._ended)
            if next_match is not None:
                self.sit(next_match)
        except EXPECTED as error:
            await self.send(refusal_json(error))
        except Exception:  # the guard of one match in one session
            log.exception("match not followed", match=match_id)
            await self.send(error_json("internal", "something went wrong here, and was noted"))
        finally:
            if presence is not None:
                presence.leave()
            self.chairs.pop(match_id, None)
            self._following.pop(match_id, None)

    async def _hidden(self) -> frozenset[int]:
        account_id = self.call.identity.account_id
        return frozenset() if account_id is None else await self.services.conduct.blocked_by(account_id)

    async def _hide(self) -> None:
        """Hide whom the owner has blocked by now in the matches that are followed."""
        with contextlib.suppress(Refused):
            hidden = await self._hidden()
            for chair in filter(None, self.chairs.values()):
                chair.hidden = hidden

    async def _ended(self) -> None:
        """A match ended: remember that it was told, and let go of the oldest that ended before."""
        await self._note()
        over = [match_id for match_id, chair in self.chairs.items() if chair is not None and chair.is_over]
        for match_id in over[:-KEPT_AFTER_END]:
            self._following[match_id].cancel()

    # Orders

    async def _take_orders(self) -> None:
        while True:
            try:
                line = await self.call.inlet.line()
            except EOFError:
                return
            if line is not None and not line.strip():
                continue
            await self._take(line)
            await self.call.give_way()

    async def _take(self, line: bytes | None) -> None:
        if line is None:
            most = self.services.settings.limits.line_bytes
            await self.send(error_json("too_long", f"a line has at most {most} bytes; this one was skipped"))
            return
        try:
            self._count("actions_per_min", self.services.settings.limits.actions_per_min)
            order = read_order(line)
        except Unreadable as error:
            await self.send(error_json("unreadable", str(error), error.re))
            return
        except RateLimited as error:
            await self.send(refusal_json(error, orders.id_of(line)))
            return
        try:
            answer = await self._do(order)
        except EXPECTED as error:
            answer = refusal_json(error, order.id)
        except Exception:  # the guard of one order
            log.exception("order failed", order=type(order).__name__)
            answer = error_json("internal", "something went wrong here, and was noted", order.id)
        if answer is not None:
            await self.send(answer)
            if answer.get("error") == "stale" and isinstance(order, orders.Act):
                chair = self.chairs.get(order.match)
                if chair is not None:
                    chair.again()

    def _count(self, limit: str, per_min: int) -> None:
        """Count one against a limit of the caller's source. Raises RateLimited."""
        pause = self.call.rate(limit, per_min)
        if pause:
            raise RateLimited(limit, round(pause * 1000) + 1)

    async def _do(self, order: AnyOrder) -> Object | None:
        ok: Callable[..., Object] = lambda **more: message("ok", re=order.id, **more)  # noqa: E731
        match order:
            case orders.Act():
                chair = await self._chair(order.match)
                arrived = self.services.clock.now()
                seq = await chair.match.act(chair.seat, order.action, order.seq, arrived)
                return ok(match=order.match, seq=seq)
            case orders.Seek():
                return ok(**await self._seek(order))
            case orders.Create():
                return await self._create(order)
            case orders.Join():
                return ok(code=await self._join(order))
            case orders.Cancel():
                await self._cancel()
            case orders.Offer():
                chair = await self._chair(order.match)
                await chair.match.offer(chair.seat, order.what)
            case orders.Accept() | orders.Decline():
                chair = await self._chair(order.match)
                await chair.match.answer(chair.seat, order.what, isinstance(order, orders.Accept))
            case orders.Claim():
                chair = await self._chair(order.match)
                await chair.match.claim(chair.seat, order.what)
            case orders.Resign():
                chair = await self._chair(order.match)
                return ok(match=order.match, seq=await chair.match.resign(chair.seat))
            case orders.Say():
                chair = await self._chair(order.match)
                await self.services.chat.say(chair.channel, self.player, order.text)
            case orders.Pong():
                return None if order.id is None else ok()
            case _:
                assert_never(order)
        return ok()

    async def _chair(self, match_id: str) -> Chair:
        """Return one's chair in a match, also in one that ended long ago. Raises NoSuchMatch, NotFound."""
        chair = self.chairs.get(match_id)
        if chair is None:
            match = await self.services.matches.open(match_id, beginning=False)
            seat, services = match_seat(match, self.player), self.services
            chair = Chair(match, seat, services.clock, services.chat, self.send, await self._hidden())
        return chair

    # Finding others

    def _begin_one(self) -> None:
        """Count one beginning, and let go of rooms that are done. Raises RateLimited."""
        self._count("beginnings_per_min", self.services.settings.limits.beginnings_per_min)
        self._rooms.leave_played(KEPT_ROOMS)

    async def _seek(self, order: orders.Seek) -> Object:
        wish = self._wish(order)
        self._tickets = [ticket for ticket in self._tickets if not ticket.is_done]
        if order.against is not None:
            self._begin_one()
            level = level_named(order.game, order.against)
            match = await self.services.lobby.play_bot(
                self.player, wish.game, level, wish.options, wish.speed, wish.seat, wish.players, wish.seat_options
            )
            self.sit(match.id)
            return {"match": match.id}
        wish = replace(wish, fewest=order.fewest, bots=order.bots)
        ticket = await self.services.lobby.seek(self.player, wish, self.call.session)
        self._tickets.append(ticket)
        return {}

    def _wish(self, order: orders.Wish) -> LobbySeek:
        rules = registry.get(order.game)
        if order.players not in rules.seats:
            raise BadNotation("match.players", str(order.players))
        return LobbySeek(
            game=order.game,
            players=order.players,
            options=order.options,
            rated=(order.rated if order.rated is not None else True) and not self.call.identity.is_guest,
            speed=order.speed,
            seat=seat_named(rules, order.players, order.seat),
            seat_options=brought(rules, order.deck),
        )

    async def _create(self, order: orders.Create) -> Object:
        wish = self._wish(order)
        settings = RoomSettings(
            game=wish.game,
            players=wish.players,
            options=wish.options,
            speed=wish.speed,
            rated=wish.rated and order.rated is not None,
            private=order.private,
            title=order.title,
            bots_replace=order.bots_replace,
            auto_start=True,
        )
        levels = [level_named(order.game, bot) for bot in order.bots]
        if len(levels) >= wish.players:
            raise BadNotation("match.players", f"{len(levels)} built-in ones and you at {wish.players} seats")
        self._begin_one()
        room = await self.services.lobby.create_room(self.player, settings, self.call.session)
        self._rooms.enter(room)
        if wish.seat is not None or wish.seat_options:
            await room.sit(self.player, wish.seat, wish.seat_options or None)
        free = [seat.seat for seat in room.snapshot().seats if seat.player is None]
        for seat, level in zip(reversed(free), levels, strict=False):
            await room.add_bot(self.player, seat, level)
        return message("room", re=order.id, code=room.code, game=wish.game, players=wish.players, private=order.private)

    async def _join(self, order: orders.Join) -> str:
        room = await self.services.lobby.room(order.code)
        brings = brought(registry.get(room.state.settings.game), order.deck)
        await room.enter(self.player, self.call.session)
        try:
            await room.sit(self.player, None, brings or None)
        except Refused:
            room.leave(self.call.session)
            raise
        self._rooms.enter(room)
        return room.code

    async def _cancel(self) -> None:
        """Take back every seek, and leave every room that plays nothing."""
        for ticket in self._tickets:
            ticket.cancel()
        self._tickets.clear()
        self._rooms.leave_idle()


async def bot(visit: Visit) -> int:
    """Talk to a program."""
    return await BotSession(visit.call, visit.services).run()


COMMANDS = (Command("bot", Spec(), "the bot protocol, JSON lines on standard input and output", bot),)
