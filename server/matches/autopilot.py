"""What the server does in a match by itself: built-in players, automatic answers, timeouts, guests who left."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from itertools import count

from game.choices import in_order
from game.contract import Action, Pending, Seat
from game.errors import GameError
from server.clock import rfc3339
from server.errors import Refused
from server.log import get_logger
from server.matches import drafts, leaving
from server.matches.chance import bot_seed
from server.matches.change import MatchChange
from server.matches.checkpoint import Checkpoint
from server.matches.compensation import OutageCompensation
from server.matches.context import RETRY_S
from server.matches.deadlines import void_at
from server.matches.drafts import Drafted
from server.matches.errors import BotFailed, Stale
from server.matches.guests import GuestSeats
from server.matches.live import LiveMatch
from server.matches.server_events import DESERTED
from server.matches.viewer_state import levels
from server.matches.window_pace import WindowPace
from server.store.errors import StoreUnavailable

log = get_logger("matches.autopilot")
Key = tuple[Seat, int, str]
LONGEST_RETRY_S = 30.0
MOST_TRIES = 4  # to store an answer, before it is thought about anew
BOTS_STAY = timedelta(seconds=60)  # after a person's last sign, where the speed has no grace of its own
ELSEWHERE_S = 2.0  # a process without a player of the match lets the others' processes move its bots first


class Autopilot:
    """Acts in one match for this process. Other processes may do the same: the log takes the entry of one of them."""

    def __init__(self, match: LiveMatch, compensation: OutageCompensation) -> None:
        self._match = match
        self._compensation = compensation
        self._context = match.context
        self._pace = WindowPace(self._context.timing)
        self._guests = GuestSeats(match)
        self._busy: set[Key] = set()
        self._refused: set[Key] = set()  # what settings answer and the rules refuse: the person decides
        self._bots: set[asyncio.Task[None]] = set()
        self._stays_until: datetime | None = None  # when bots that nobody waits for are looked at
        self._is_ending = False
        self._is_closed = False
        match.follow(self.on_change)

    @property
    def is_busy(self) -> bool:
        """Tell whether something is being answered or waited for."""
        return bool(self._busy) or self._guests.is_busy

    def close(self) -> None:
        """Begin nothing any more: this process has forgotten the match."""
        self._is_closed = True

    def on_change(self, change: MatchChange) -> None:
        """Do what a change calls for."""
        self.attend()

    def attend(self) -> None:
        """Begin whatever has to be done for the seats that owe something now."""
        match, head = self._match, self._match.log.head
        if match.is_broken or not head.is_live or self._context.is_draining or self._is_closed:
            return
        self._guests.attend()
        if match.log.is_withholding:
            return  # what is not shown yet is not answered yet
        if leaving.is_deserted(match.terms, match.log.game, head):
            self._drop_bots()
            if not self._is_ending:
                self._is_ending = True
                self._context.tasks.spawn(self._end_deserted(), f"deserted {match.id}")
            return
        plays_bots = self._keep_bots()
        level_of = levels(match.terms, head)
        for asked in head.pending:
            self._attend_absent(head, asked, level_of[asked.seat])
            if (level := level_of[asked.seat]) is not None:
                if plays_bots:
                    self._once((asked.seat, head.changed[asked.seat], "bot"), head, asked, level)
            elif (said := self.automatic(asked.seat)) is not None:
                self._once((asked.seat, head.changed[asked.seat], said.text), head, asked, None, said)

    def automatic(self, seat: Seat) -> Action | None:
        """Return what the seat's own settings answer. Rules that fail here harm nobody: the seat is asked."""
        return self._automatic_at(self._match.log.head, seat)

    def _automatic_at(self, checkpoint: Checkpoint, seat: Seat) -> Action | None:
        try:
            return self._match.log.game.automatic(checkpoint.fold.state, seat)
        except Exception:  # the guard of one match: its rules fail
            log.exception("automatic.failed", match=self._match.id, seat=seat)
            return None

    def _once(self, key: Key, head: Checkpoint, asked: Pending, level: str | None, said: Action | None = None) -> None:
        if key not in self._busy and key not in self._refused:
            self._busy.add(key)
            work = self._answer(key, head, asked, level, said)
            task = self._context.tasks.spawn(work, f"answer {self._match.id}")
            if task is not None and level is not None:
                self._bots.add(task)
                task.add_done_callback(self._bots.discard)

    # Whom bots play with

    @property
    def is_awaited(self) -> bool:
        """Tell whether one of the match's people is connected to any process."""
        return any(self._match.attendance.gone_since(seat) is None for seat in self._match.terms.people)

    def _keep_bots(self) -> bool:
        """Tell whether the bots play: somebody is there or may be back soon. Else what they think about is dropped."""
        if self.is_awaited:
            return True
        until, now = self._bots_stay_until(), self._context.clock.now()
        if until is None or until <= now:
            self._drop_bots()
            return False
        if self._stays_until is None:
            self._stays_until = until
            self._context.tasks.spawn(self._attend_at(until), f"bots {self._match.id}")
        return True

    def _bots_stay_until(self) -> datetime | None:
        """Return until when an account that is gone may be back soon, None: there is none. A guest never is back."""
        match = self._match
        grace = match.terms.speed.grace
        stay = BOTS_STAY if grace is None else timedelta(milliseconds=grace)
        signs = [
            max(gone, leaving.last_acted(match.log.entries, seat) or gone)
            for seat in match.terms.people
            if match.terms.players[seat].kind == "account" and (gone := match.attendance.gone_since(seat)) is not None
        ]
        return max(signs) + stay if signs else None

    async def _attend_at(self, moment: datetime) -> None:
        await self._context.clock.sleep(max(0.0, (moment - self._context.clock.now()).total_seconds()))
        self._stays_until = None
        self.attend()

    def _drop_bots(self) -> None:
        for task in tuple(self._bots):
            task.cancel()

    async def _end_deserted(self) -> None:
        """End a match that nobody is left in, by the bots' agreement; where the store refuses, the sweeper comes."""
        match = self._match
        try:
            await match.submit(self._deserted)
        except StoreUnavailable:
            await self._context.clock.sleep(RETRY_S)
        except (Refused, GameError):
            pass  # somebody was faster
        finally:
            self._is_ending = False

    def _deserted(self, checkpoint: Checkpoint) -> Drafted:
        match = self._match
        if not leaving.is_deserted(match.terms, match.log.game, checkpoint):
            raise Stale
        return match.draft_entry(checkpoint, "draw_agreed", by=DESERTED)

    # Answering

    async def _answer(self, key: Key, head: Checkpoint, asked: Pending, level: str | None, said: Action | None) -> None:
        """Answer for a seat, in its own time, and again later where the store refuses."""
        seat, since, _ = key
        try:
            await self._decide(seat, since, head, asked, level, said)
        finally:
            self._busy.discard(key)  # also when it failed: who owes something is looked at again
        if self._still_owes(seat, since):
            await self._context.clock.sleep(RETRY_S)
            self.attend()

    async def _decide(
        self, seat: Seat, since: int, head: Checkpoint, asked: Pending, level: str | None, said: Action | None
    ) -> None:
        """Answer for a seat. A bot that can't is asked again until the seat owes nothing: no other level answers."""
        try:
            for attempt in count():
                if await self._answered(head, asked, level, said, attempt):
                    return
                self._match.set_bot_failing(seat, fails=True)
                await self._context.clock.sleep(min(RETRY_S * 2**attempt, LONGEST_RETRY_S))
                if not self._still_owes(seat, since) or self._context.is_draining:
                    return
        finally:
            self._match.set_bot_failing(seat, fails=False)

    async def _answered(
        self, head: Checkpoint, asked: Pending, level: str | None, said: Action | None, attempt: int
    ) -> bool:
        """Answer what a setting says, or what a bot decides; return False where the bot has to be asked again."""
        is_automatic, since = said is not None, head.changed[asked.seat]
        try:
            if said is None and level is not None:
                said = in_order(asked.choice, await self._think(head, asked, level, attempt))
            assert said is not None
            await self._wait(head, asked, level)
            await self._say(asked.seat, since, said, is_automatic)
        except BotFailed:
            return False
        except Refused:
            pass  # somebody was faster, the match is over, or it can't be stored: what is owed now is looked at anew
        except GameError as error:
            log.error("bot.refused", match=self._match.id, seq=head.seq, seat=asked.seat, why=error.key)
            if is_automatic and said is not None:
                self._refused.add((asked.seat, since, said.text))
            return is_automatic
        return True

    async def _say(self, seat: Seat, since: int, said: Action, is_automatic: bool) -> None:
        """Append an answer, and try again for a while where the store refuses. Raises as `act_for`."""
        for tries in count(1):
            try:
                if is_automatic:
                    await self._match.submit(partial(self._automatic_answer, seat, since, said))
                else:
                    await self._match.act_for(seat, said.text, since)
                return
            except StoreUnavailable:
                await self._context.clock.sleep(RETRY_S)
                if tries == MOST_TRIES:
                    raise

    def _automatic_answer(self, seat: Seat, since: int, said: Action, checkpoint: Checkpoint) -> Drafted:
        """Draft what a seat's settings answer, if they still do: they may have been changed during the wait."""
        if self._automatic_at(checkpoint, seat) != said:
            raise Stale
        match, now = self._match, self._context.clock.now()
        return drafts.action(match.log.game, checkpoint, self._context.timing, seat, said.text, since, now)

    def _still_owes(self, seat: Seat, since: int) -> bool:
        head = self._match.log.head
        return head.owed_by(seat) is not None and head.changed[seat] == since

    async def _think(self, head: Checkpoint, asked: Pending, level: str, attempt: int) -> Action:
        """Ask the bot, each time with other chance, unless it has answered this before. Raises BotFailed."""
        match = self._match
        is_ours = match.attendance.seats or self._context.database.is_sqlite
        if not is_ours:
            await self._context.clock.sleep(ELSEWHERE_S)
        if (said := match.log.answered_before(head, asked.seat)) is not None:
            return said
        view = match.log.game.view(head.fold.state, asked.seat)
        seed = bot_seed(match.terms.secret, head.asked_after[asked.seat], asked.seat, attempt)
        paths = [(*path, match.id) for path in self._context.presence.connections.paths_of(match.terms.players)]
        return await self._context.pool.decide(match.game, level, view, asked, seed, paths)

    async def _wait(self, head: Checkpoint, asked: Pending, level: str | None) -> None:
        """Wait so that the time tells nothing: a constant in windows and for settings, a bot's usual pace elsewhere."""
        decision, timing = head.clocks.decisions[asked.seat], self._context.timing
        if decision is None or asked.idle:
            return
        passed = (self._context.clock.now() - decision.since).total_seconds()
        if level is None or asked.window is not None:
            pause = timing.automatic_delay if decision.asked > 1 else timing.solo_automatic_delay
            if level is not None:
                pause = self._pace.pause(pause, passed)
        else:
            pause = timing.bot_delay if self._match.attendance.is_paced else 0.0
        if pause > passed:
            await self._context.clock.sleep(pause - passed)

    # Time

    async def time_out(self) -> None:
        """Append what follows from the seats whose time is up, or from long idleness. Raises StoreUnavailable."""
        if (idle := void_at(self._match.log.head)) is not None and idle <= self._context.clock.now():
            with suppress(Refused, GameError):
                await self._match.submit(self._void_idle)
            return
        for seat in tuple(self._overdue()):
            try:
                await self._match.submit(partial(self._timeout, seat))
            except StoreUnavailable:
                raise
            except (Refused, GameError):
                continue

    def _void_idle(self, checkpoint: Checkpoint) -> Drafted:
        idle = void_at(checkpoint)
        if idle is None or idle > self._context.clock.now():
            raise Stale
        return self._match.draft_entry(checkpoint, "void", by="idle")

    def _overdue(self) -> Iterator[Seat]:
        head, now = self._match.log.head, self._context.clock.now()
        level_of = levels(self._match.terms, head)
        late = timedelta(seconds=self._context.timing.late)
        for asked in head.pending:
            deadline = head.clocks.deadline(asked.seat)
            if deadline is None or deadline + late > now or level_of[asked.seat] is not None:
                continue
            if not self._compensation.is_awaited(asked.seat):
                yield asked.seat

    def _timeout(self, seat: Seat, checkpoint: Checkpoint) -> Drafted:
        timing, now = self._context.timing, self._context.clock.now()
        drafted = drafts.timeout(self._match.log.game, checkpoint, seat, now, timing.late)
        if drafted is None:
            raise Stale
        return drafted

    # Who is away

    def _attend_absent(self, head: Checkpoint, asked: Pending, level: str | None) -> None:
        """Let a window pass for who is away when its free time ends, or leaves later."""
        gone = self._match.attendance.gone_since(asked.seat)
        if level is not None or gone is None or drafts.answered_for(head, asked.seat, gone) is None:
            return
        key = (asked.seat, head.changed[asked.seat], f"away {gone.isoformat()}")
        if key not in self._busy:
            self._busy.add(key)
            self._context.tasks.spawn(self._pass_for(key, gone), f"away {self._match.id}")

    async def _pass_for(self, key: Key, gone: datetime) -> None:
        seat, since, _ = key
        try:
            while self._still_owes(seat, since) and self._match.attendance.gone_since(seat) == gone:
                due = drafts.answered_for(self._match.log.head, seat, gone)
                if due is None:
                    break
                wait_s = (due - self._context.clock.now()).total_seconds() + self._context.timing.late
                if wait_s <= 0 and not self._compensation.is_awaited(seat):
                    await self._match.submit(partial(self._absent, seat, since, gone))
                    break
                await self._context.clock.sleep(max(wait_s, RETRY_S))
        except StoreUnavailable:
            await self._context.clock.sleep(RETRY_S)
        except (Refused, GameError):
            pass  # somebody was faster, or the match is over
        finally:
            self._busy.discard(key)
        if self._still_owes(seat, since):
            self.attend()

    def _absent(self, seat: Seat, since: int, gone: datetime, checkpoint: Checkpoint) -> Drafted:
        due = drafts.answered_for(checkpoint, seat, gone)
        is_asked = checkpoint.owed_by(seat) is not None and checkpoint.changed[seat] == since
        if due is None or not is_asked or self._context.is_draining:
            raise Stale
        return self._match.draft_entry(checkpoint, "timeout", seat, due=rfc3339(due))
