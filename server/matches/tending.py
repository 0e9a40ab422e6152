"""What the house does in a match by itself: built-in players, automatic answers, timeouts, guests who left."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial

from game.choices import draw
from game.contract import Action, Pending, Seat
from game.errors import GameError
from game.rng import Rng
from server.errors import Refused
from server.log import get_logger
from server.matches import drafts
from server.matches.credit import Creditor
from server.matches.drafts import Drafted
from server.matches.errors import Stale
from server.matches.live import LoggedMatch
from server.matches.snapshots import levels
from server.matches.standing import Standing
from server.matches.workers import bot_seed
from server.store.errors import StoreUnavailable

log = get_logger("matches.tending")
Key = tuple[Seat, int, str]
RETRY_S = 1.0
ELSEWHERE_S = 2.0  # a process without a player of the match lets the others' processes move its bots first


class Tender:
    """Looks after one match in this process. Other processes may do the same: the log lets one of them win."""

    def __init__(self, match: LoggedMatch, creditor: Creditor) -> None:
        self._match = match
        self._creditor = creditor
        self._house = match.house
        self._busy: set[Key] = set()
        match.on_change.append(self.attend)

    @property
    def is_busy(self) -> bool:
        """Tell whether something is being answered or waited for."""
        return bool(self._busy)

    def attend(self) -> None:
        """Begin whatever has to be done for the seats that owe something now."""
        match, head = self._match, self._match.line.head
        if match.is_broken or not head.is_live or self._house.is_draining:
            return
        self._attend_guests()
        if match.line.next_reveal is not None:
            return  # what is not shown yet is not answered yet
        level_of = levels(match.terms, head)
        for asked in head.pending:
            if (level := level_of[asked.seat]) is not None:
                self._once((asked.seat, head.changed[asked.seat], "bot"), head, asked, level)
            elif (said := self.automatic(asked.seat)) is not None:
                self._once((asked.seat, head.changed[asked.seat], said.text), head, asked, None, said)

    def automatic(self, seat: Seat) -> Action | None:
        """Return what the seat's own settings answer. Rules that fail here harm nobody: the seat is asked."""
        return self._automatic_at(self._match.line.head, seat)

    def _automatic_at(self, standing: Standing, seat: Seat) -> Action | None:
        try:
            return self._match.line.game.automatic(standing.fold.state, seat)
        except Exception:
            log.exception("automatic.failed", match=self._match.id, seat=seat)
            return None

    def _once(self, key: Key, head: Standing, asked: Pending, level: str | None, said: Action | None = None) -> None:
        if key not in self._busy:
            self._busy.add(key)
            self._house.tasks.spawn(self._answer(key, head, asked, level, said), f"answer {self._match.id}")

    async def _answer(self, key: Key, head: Standing, asked: Pending, level: str | None, said: Action | None) -> None:
        """Answer for a seat, in its own time, and again later where the store refuses."""
        seat, since, _ = key
        try:
            await self._decide(seat, since, head, asked, level, said)
        finally:
            self._busy.discard(key)  # also when it failed: who owes something is looked at again
        if self._still_owes(seat, since):
            await self._house.clock.sleep(RETRY_S)
            self.attend()

    async def _decide(
        self, seat: Seat, since: int, head: Standing, asked: Pending, level: str | None, said: Action | None
    ) -> None:
        is_automatic = said is not None
        if said is None and level is not None:
            said = await self._think(head, asked, level)
        assert said is not None
        await self._wait(head, asked, level)
        for attempt in range(4):
            try:
                await self._say(seat, since, said, is_automatic)
                break
            except StoreUnavailable:
                await self._house.clock.sleep(RETRY_S)
            except Refused:
                break  # somebody was faster, or the match is over: whatever is owed now is looked at anew
            except GameError as error:
                log.error("bot.refused", match=self._match.id, seq=head.seq, seat=seat, why=error.key)
                said, _ = draw(asked.choice, Rng(bot_seed(self._match.id, since, 100 + attempt)))

    async def _say(self, seat: Seat, since: int, said: Action, is_automatic: bool) -> None:
        if is_automatic:
            await self._match.submit(partial(self._automatic_answer, seat, since, said))
        else:
            await self._match.act_for(seat, said.text, since)

    def _automatic_answer(self, seat: Seat, since: int, said: Action, standing: Standing) -> Drafted:
        """Draft what a seat's settings answer, if they still do: they may have been changed while it was waited."""
        if self._automatic_at(standing, seat) != said:
            raise Stale
        match, now = self._match, self._house.clock.now()
        return drafts.action(match.line.game, standing, self._house.timing, seat, said.text, since, now)

    def _still_owes(self, seat: Seat, since: int) -> bool:
        head = self._match.line.head
        return head.owed_by(seat) is not None and head.changed[seat] == since

    async def _think(self, head: Standing, asked: Pending, level: str) -> Action:
        match = self._match
        is_ours = match.presences.seats or self._house.database.is_sqlite
        if not is_ours:
            await self._house.clock.sleep(ELSEWHERE_S)
        view = match.line.game.view(head.fold.state, asked.seat)
        seed = bot_seed(match.id, head.changed[asked.seat], asked.seat)
        return await self._house.pool.decide(match.game, level, view, asked, seed)

    async def _wait(self, head: Standing, asked: Pending, level: str | None) -> None:
        """Let a time pass that tells nothing: constant in windows and for settings, human for bots that are watched."""
        decision, timing = head.clocks.decisions[asked.seat], self._house.timing
        if decision is None or asked.idle:
            return
        if level is None or asked.window is not None:
            pause = timing.automatic_delay if decision.asked > 1 else timing.solo_automatic_delay
        else:
            pause = timing.bot_delay if self._match.presences.is_paced else 0.0
        left = (decision.since + timedelta(seconds=pause) - self._house.clock.now()).total_seconds()
        if left > 0:
            await self._house.clock.sleep(left)

    # Time

    async def time_out(self) -> None:
        """Append what follows from the seats whose time is up. Raises StoreUnavailable."""
        for seat in tuple(self._overdue()):
            try:
                await self._match.submit(partial(self._timeout, seat))
            except StoreUnavailable:
                raise
            except (Refused, GameError):
                continue

    def _overdue(self) -> Iterator[Seat]:
        head, now = self._match.line.head, self._house.clock.now()
        level_of = levels(self._match.terms, head)
        late = timedelta(seconds=self._house.timing.late)
        for asked in head.pending:
            deadline = head.clocks.deadline(asked.seat)
            if deadline is None or deadline + late > now or level_of[asked.seat] is not None:
                continue
            if not self._creditor.is_awaited(asked.seat):
                yield asked.seat

    def _timeout(self, seat: Seat, standing: Standing) -> Drafted:
        timing, now = self._house.timing, self._house.clock.now()
        drafted = drafts.timeout(self._match.line.game, standing, seat, now, timing.late)
        if drafted is None:
            raise Stale
        return drafted

    # Guests

    def _attend_guests(self) -> None:
        """Give up the seats of guests whose connection has been closed for long enough."""
        terms, presences = self._match.terms, self._match.presences
        for seat in terms.people:
            gone = presences.gone_since(seat)
            if terms.players[seat].kind == "guest" and gone is not None:
                key = (seat, round(gone.timestamp() * 1000), "gone")
                if key not in self._busy:
                    self._busy.add(key)
                    self._house.tasks.spawn(self._give_up(key, gone), f"guest {self._match.id}")

    async def _give_up(self, key: Key, gone: datetime) -> None:
        seat, match, clock = key[0], self._match, self._house.clock
        end = gone + timedelta(seconds=self._house.timing.guest_grace)
        await clock.sleep(max(0.0, (end - clock.now()).total_seconds()))
        while match.presences.gone_since(seat) == gone and match.line.head.is_live:
            try:
                await match.submit(lambda standing: match.leave_draft(standing, seat))
            except StoreUnavailable:
                await clock.sleep(RETRY_S)
                continue
            except (Refused, GameError):
                pass  # out already, or the match is over
            break
        self._busy.discard(key)
