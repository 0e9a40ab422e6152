"""One program's session: its instructions, and the matches it has a seat in."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from typing import Any, assert_never

from game import registry
from game.cli.commandline import Syntax
from game.cli.exits import Exit
from game.errors import GameError
from server.accounts.identity import Hidden, Player
from server.admission.audience import Audience
from server.boards.wire import (
    Object,
    conditions_json,
    end_json,
    message,
    message_json,
    to_json,
    vacation_json,
)
from server.errors import RateLimited, Refused
from server.lobby.arrivals import Arrival
from server.log import get_logger
from server.matches.announcer import Subscriber
from server.matches.errors import MatchUnreadable
from server.matches.match import Match
from server.matches.model import OVER, MatchQuery
from server.matches.visibility import Asker
from server.services import Services
from server.ssh.bot import instructions
from server.ssh.bot.finding import Finding
from server.ssh.bot.instructions import AnyInstruction, Unreadable, read_instruction
from server.ssh.bot.naming import match_seat
from server.ssh.bot.refusals import NoSuchTarget, NotNow, error_json, refusal_json, sentence
from server.ssh.bot.seat_feed import SeatFeed
from server.ssh.bot.waiting import Waiting
from server.ssh.call import Call
from server.ssh.commands.table import ExecCommand, Request

log = get_logger("bot")
PING_EVERY_S = 30.0
KEPT_AFTER_END = 8  # ended matches whose offers and chat are still sent
EXPECTED = (Refused, GameError, NoSuchTarget, NotNow)


class BotSession(Audience):
    """Carries out instructions one after another. Each match's messages are sent by a task of its own."""

    def __init__(self, call: Call, services: Services) -> None:
        self.call = call
        self.services = services
        self.feeds: dict[str, SeatFeed | None] = {}  # None: being opened
        self._following: dict[str, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._finding = Finding(call, services, self.sit, self._say)
        self._waiting = Waiting(services, lambda: self.player, self.feeds, self.send)
        self._guests: frozenset[str] = frozenset()  # guests hidden from the program's owner
        self._sending = asyncio.Lock()
        self._arrival: Arrival | None = None
        self._listening: Subscriber | None = None  # to the lobby, for challenges

    @property
    def player(self) -> Player:
        """Return as whom the program plays: its owner may take another handle meanwhile."""
        return self.call.identity.player

    # Life

    async def run(self) -> int:
        """Serve the program until it hangs up."""
        try:
            running = await self._begin()
            with self.call.heard_by(self):
                hidden: Hidden = await self._hidden() if running else frozenset()
                for match_id in running:
                    self.sit(match_id, hidden)
                await self._waiting.poll()
                self._listening = self.services.lobby.subscribe(self._lobby_changed)
                self._spawn(self._ping())
                await self.take_instructions()
            return Exit.OK
        finally:
            await self._end()

    async def _begin(self) -> list[str]:
        """Tell the program who it is and what ended meanwhile; return the matches that its player has running."""
        running = await self.services.matches.running_ids(self.player)
        ended = await self._ended_meanwhile()
        self._arrival = self.services.lobby.arrive(
            self.call.identity, self.call.session, self._on_match, self._offers_changed
        )
        await self.send(self._hello(running, await self._waiting.first()))
        for match_id in ended:
            try:
                match = await self.services.matches.open(match_id)
            except MatchUnreadable:
                continue  # an admin's concern: the program can go on
            await self.send(end_json(match.snapshot(match_seat(match, self.player))))
        await self._store_cursor()
        return running

    def announced(self, text: str) -> None:
        self._say("announcement", text=text)

    def _say(self, kind: str, **fields: str) -> None:
        self._spawn(self.send(message(kind, **fields)))

    def guest_hidden(self, name: str, is_hidden: bool) -> None:
        """Hide a guest from the program, or show them again."""
        self._guests = self._guests | {name} if is_hidden else self._guests - {name}
        self.blocks_changed()

    def written_to(self, message_id: int) -> None:
        """Hand over what somebody has written to the program's owner."""
        self._spawn(self._hand_over(message_id))

    async def _hand_over(self, message_id: int) -> None:
        account_id = self.call.identity.account_id
        with contextlib.suppress(Refused):
            found = [] if account_id is None else await self.services.messages.read(account_id)
            await self.send(*(message_json(one) for one in found if one.id == message_id))

    def renamed(self, name: str) -> None:
        """Tell the program what it is called from now on."""
        self._say("renamed", player=name)

    def muted(self, refused: Refused | None) -> None:
        """Tell the program that it may not speak from now on, or may again."""
        if refused is None:
            self._say("unmuted")
        else:
            self._spawn(self.send(message("muted", until=refused.params.get("until"), why=sentence(refused))))

    def blocks_changed(self) -> None:
        """Read again whom the program's owner has blocked."""
        self._spawn(self._hide())

    def _offers_changed(self, match: Match) -> None:
        self._spawn(self._waiting.poll())

    def _lobby_changed(self) -> None:
        self._spawn(self._waiting.send_challenges())

    def _hello(self, running: list[str], waiting: list[Object]) -> Object:
        return message(
            "hello",
            server=self.services.settings.name,
            player=self.call.identity.name,
            guest=self.call.identity.is_guest,
            machine=self._finding.is_machine,
            games=list(registry.KEYS),
            limits={
                "actions_per_min": self.services.settings.limits.actions_per_min,
                "beginnings_per_min": self.services.settings.limits.beginnings_per_min,
                "beginnings_per_day": self.services.settings.limits.beginnings_per_day,
            },
            running=running,
            waiting=waiting,
        )

    async def _ended_meanwhile(self) -> list[str]:
        """Return the ids of the matches that ended after this key was last told of one, oldest first."""
        who = self.call.identity
        if who.account_id is None:
            return []
        keys = await self.services.accounts.keys.of(who.account_id)
        since = next((key.used_at for key in keys if key.fingerprint == who.fingerprint), None)
        if since is None:
            return []
        query = MatchQuery(statuses=OVER, account_id=who.account_id, player=self.player, asker=Asker(self.player))
        found = await self.services.matches.list(query)
        ended = [(one.ended_at, one.id) for one in found if one.ended_at is not None and one.ended_at > since]
        return [match_id for _, match_id in sorted(ended)]

    async def _store_cursor(self) -> None:
        """Store that everything up to now was sent; later ends are sent at the next connection.

        If that can't be stored now an end is sent twice, which is better than a failed session.
        """
        who = self.call.identity
        if who.account_id is not None:
            with contextlib.suppress(Refused):
                await self.services.accounts.record_login(who.account_id, who.fingerprint)

    async def _end(self) -> None:
        self._finding.close()
        if self._listening is not None:
            self._listening.close()
        for task in self._tasks:
            task.cancel()
        if self._arrival is not None:
            self._arrival.leave()  # before any await: a hang-up may cancel this task there
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._store_cursor()

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
        """Send objects as lines in one write; wait while the program does not read."""
        async with self._sending:
            self.call.put("".join(to_json(one).decode() + "\n" for one in told))
            if self.call.writer.paused:
                await self.call.writer.drain()

    # Matches

    def _on_match(self, match_id: str) -> None:
        """Follow a new match in which this program has a seat."""
        self.sit(match_id)

    def sit(self, match_id: str, hidden: Hidden | None = None) -> None:
        """Follow a match from one's seat. `hidden`: blocked people, if they were read already."""
        if match_id not in self.feeds:
            self.feeds[match_id] = None
            self._following[match_id] = self._spawn(self._follow(match_id, hidden))

    async def _follow(self, match_id: str, hidden: Hidden | None) -> None:
        presence = None
        try:
            match = await self.services.matches.open(match_id, beginning=False)
            seat = match_seat(match, self.player)
            presence = match.enter(self.player, seat, self.call.session, paced=False)
            services = self.services
            hidden = await self._hidden() if hidden is None else hidden
            feed = self.feeds[match_id] = SeatFeed(match, seat, services.clock, services.chat, self.send, hidden)
            next_match = await feed.follow(self._ended)
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
            self.feeds.pop(match_id, None)
            self._following.pop(match_id, None)

    async def _hidden(self) -> Hidden:
        account_id = self.call.identity.account_id
        blocked = frozenset[int]() if account_id is None else await self.services.conduct.blocked_by(account_id)
        return frozenset((*blocked, *self._guests))

    async def _hide(self) -> None:
        """Hide the people whom the owner has blocked, in every followed match."""
        with contextlib.suppress(Refused):
            hidden = await self._hidden()
            for feed in filter(None, self.feeds.values()):
                feed.hide(hidden)

    async def _ended(self) -> None:
        """Note that a match's end was sent, and stop following the oldest ended ones."""
        await self._store_cursor()
        over = [match_id for match_id, feed in self.feeds.items() if feed is not None and feed.is_over]
        for match_id in over[:-KEPT_AFTER_END]:
            self._following[match_id].cancel()

    # Instructions

    async def take_instructions(self) -> None:
        """Carry out one instruction after the other until the program's input ends."""
        while True:
            try:
                line = await self.call.lines.line()
            except EOFError:
                return
            if line is not None and not line.strip():
                continue
            await self.obey(line)
            await self.call.give_way()

    async def obey(self, line: bytes | None) -> None:
        """Carry out one line of input and answer it; None stands for one that was too long."""
        if line is None:
            most = self.services.settings.limits.line_bytes
            await self.send(error_json("too_long", f"a line has at most {most} bytes; this one was skipped"))
            return
        try:
            self._count("actions_per_min", self.services.settings.limits.actions_per_min)
            instruction = read_instruction(line)
        except Unreadable as error:
            await self.send(error_json("unreadable", str(error), error.re))
            return
        except RateLimited as error:
            await self.send(refusal_json(error, instructions.id_of(line)))
            return
        try:
            answer = await self._carry_out(instruction)
        except EXPECTED as error:
            answer = refusal_json(error, instruction.id)
        except Exception:  # the guard of one instruction
            log.exception("instruction failed", instruction=type(instruction).__name__)
            answer = error_json("internal", "something went wrong here, and was noted", instruction.id)
        if answer is not None:
            await self.send(answer)
            if answer.get("error") == "stale" and isinstance(instruction, instructions.DoAct):
                feed = self.feeds.get(instruction.match)
                if feed is not None:
                    feed.again()

    def _count(self, limit: str, per_min: int) -> None:
        """Count one against a limit of the caller's source. Raises RateLimited."""
        pause = self.call.rate(limit, per_min)
        if pause:
            raise RateLimited(limit, round(pause * 1000) + 1)

    async def _carry_out(self, instruction: AnyInstruction) -> Object | None:
        ok: Callable[..., Object] = lambda **more: message("ok", re=instruction.id, **more)  # noqa: E731
        if isinstance(instruction, instructions.AtTheTable):
            await self._do_at_table(instruction)
            return ok()
        if isinstance(instruction, instructions.OnTheAccount):
            await self._do_on_account(instruction)
            return ok()
        match instruction:
            case instructions.DoAct():
                return await self._act(instruction)
            case instructions.DoConditions():
                return ok(**await self._conditions(instruction))
            case instructions.DoSeek():
                return ok(**await self._finding.seek(instruction))
            case instructions.DoCreate():
                return await self._finding.create(instruction)
            case instructions.DoJoin():
                return ok(**await self._finding.join(instruction))
            case instructions.DoChallenge():
                await self._finding.challenge(instruction)
            case instructions.DoChallenges():
                return ok(challenges=await self._finding.challenges(instruction))
            case instructions.DoInvite():
                await self._finding.invite(instruction)
            case instructions.DoCancel():
                self._finding.cancel()
            case instructions.DoResign():
                feed = await self.feed_of(instruction.match)
                return ok(match=instruction.match, seq=await feed.match.resign(feed.seat))
            case instructions.DoVacation():
                return ok(**await self._vacation(instruction.days))
            case instructions.DoPong():
                return None if instruction.id is None else ok()
            case _:
                assert_never(instruction)
        return ok()

    async def _do_at_table(self, instruction: instructions.AtTheTable) -> None:
        """Offer, answer, claim or say something in a match."""
        feed = await self.feed_of(instruction.match)
        match, seat = feed.match, feed.seat
        match instruction:
            case instructions.DoOffer():
                self._finding.check_again(match, instruction.what)
                await match.offer(seat, instruction.what)
            case instructions.DoAccept():
                self._finding.check_again(match, instruction.what)
                await match.answer(seat, instruction.what, True)
            case instructions.DoDecline():
                await match.answer(seat, instruction.what, False)
            case instructions.DoTakeback():
                await match.offer(seat, "takeback")
            case instructions.DoClaim():
                await match.claim(seat, instruction.what)
            case instructions.DoSay():
                await match.say(self.player, instruction.text)  # the table may have to be silent

    async def _do_on_account(self, instruction: instructions.OnTheAccount) -> None:
        """Change what belongs to the caller's account. Raises NotNow for a guest."""
        services = self.services
        match instruction:
            case instructions.DoFollow():
                await services.following.follow(self._account("following"), instruction.player)
            case instructions.DoUnfollow():
                await services.following.unfollow(self._account("following"), instruction.player)
            case instructions.DoInvisible():
                await services.following.set_invisible(self._account("being invisible"), instruction.on)
            case instructions.DoDeclare():
                declared, by = self._account("the mark of a machine"), self.call.identity.fingerprint
                await services.machines.declare(declared, instruction.kind, by)
            case instructions.DoTell():
                self._account("a message")
                await services.messages.send(self.player, instruction.player, instruction.text)

    async def _act(self, instruction: instructions.DoAct) -> Object | None:
        feed = await self.feed_of(instruction.match)
        arrived = self.services.clock.now()
        seq = await feed.match.act(feed.seat, instruction.action, instruction.seq, arrived, instruction.lines)
        answer = message("ok", re=instruction.id, match=instruction.match, seq=seq)
        if feed.match.acting.is_untold_setting(seq):  # its number would tell how many have answered a window
            self._spawn(self._send_told(feed.match, seq, answer))
            return None
        return answer

    async def _conditions(self, instruction: instructions.DoConditions) -> Object:
        """Replace or drop conditional moves where that is asked for; return those that stand."""
        feed = await self.feed_of(instruction.match)
        if instruction.lines is not None:
            seq = feed.match.live.shown.seq if instruction.seq is None else instruction.seq
            await feed.match.set_conditions(feed.seat, instruction.lines, seq)
        return conditions_json(feed.match.snapshot(feed.seat))

    async def _send_told(self, match: Match, seq: int, answer: Object) -> None:
        await match.acting.wait_until_told(seq)
        await self.send(answer)

    def _account(self, what: str) -> int:
        """Return the caller's account. Raises NotNow for a guest: `what` needs one."""
        if self.call.identity.account_id is None:
            raise NotNow(f"{what} needs an account")
        return self.call.identity.account_id

    async def _vacation(self, days: int | None) -> Object:
        """Begin a vacation, end it (0), or only say how the account stands. Raises NotNow for a guest."""
        account_id, vacations = self._account("a vacation"), self.services.matches.vacations
        if days:
            await vacations.begin(self.player, days)
        elif days == 0:
            await vacations.end(self.player)
        stands = vacation_json(await vacations.of(account_id))
        return {name: stands[name] for name in ("until", "days_left")}

    async def feed_of(self, match_id: str) -> SeatFeed:
        """Return one's seat in a match, also in one that ended long ago. Raises NoSuchMatch, NoSuchTarget."""
        feed = self.feeds.get(match_id)
        if feed is None:
            match = await self.services.matches.find(match_id, self.call.identity, beginning=False)
            seat, services = match_seat(match, self.player), self.services
            feed = SeatFeed(match, seat, services.clock, services.chat, self.send, await self._hidden())
        return feed


async def bot(request: Request) -> int:
    """Serve the bot protocol."""
    return await BotSession(request.call, request.services).run()


COMMANDS = (
    ExecCommand(
        "bot",
        Syntax(),
        "the bot protocol, JSON lines on standard input and output",
        bot,
        details=("A program plays for your account, or as a guest. It needs no terminal.",),
    ),
)
