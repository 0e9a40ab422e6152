"""The conditional moves of one match: who may make them, and what plays the one that is due.

They are stored beside the log. What the others do moves them on in the transaction of its entry, so of whatever dies in
between, either both are stored or neither. The one that is played becomes an entry of its own kind: records tell it,
nothing does while the match runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

from game.contract import Seat, Viewer, Watcher
from game.errors import GameError
from game.replay import CONDITIONAL, Entry
from server.errors import Refused
from server.log import get_logger
from server.matches import conditional_lines, drafts
from server.matches.change import MatchChange
from server.matches.checkpoint import Checkpoint
from server.matches.conditional_lines import Lines
from server.matches.context import RETRY_S
from server.matches.drafts import Drafted, check_live
from server.matches.errors import MatchPaused, NoCondition, NotOffered, Stale
from server.matches.live import Also, LiveMatch, nothing_else
from server.matches.model import due, texts_of
from server.matches.speeds import DAILY
from server.matches.viewer_state import levels
from server.store import conditional_moves, processes
from server.store.appends import Effect
from server.store.conditional_moves import LinesChanged, StoredLines
from server.store.errors import StoreUnavailable

log = get_logger("matches.conditional_moves")
Given = Sequence[Sequence[str]]  # lines as they are given: the others' actions and one's own, in turn


class ConditionalMoves:
    """The conditional moves of one match. Other processes may play the same one: the log takes the entry of one."""

    def __init__(self, match: LiveMatch) -> None:
        self._match = match
        self._context = match.context
        self._stored: dict[Seat, StoredLines] = {}
        self._playing: set[Seat] = set()
        self._is_closed = False
        match.follow(self.on_change)

    @property
    def are_possible(self) -> bool:
        """Tell whether the match is one that has conditional moves: a daily one of a game of open turns."""
        return self._match.terms.agreement.speed == DAILY and self._match.log.game.spec.open_turns

    @property
    def is_busy(self) -> bool:
        """Tell whether a move is due."""
        return bool(self._playing)

    def close(self) -> None:
        """Play nothing any more: this process has forgotten the match."""
        self._is_closed = True

    # What stands

    def shown_to(self, viewer: Viewer) -> Lines:
        """Return a seat's own lines, nobody else's."""
        return () if isinstance(viewer, Watcher) else self._lines(viewer)

    def _lines(self, seat: Seat) -> Lines:
        """Return what stands of a seat's lines at the log's end."""
        stored, head = self._stored.get(seat), self._match.log.head
        if stored is None or stored.seq > head.seq or not head.is_live:
            return ()
        lines = conditional_lines.load(stored.lines)
        for entry in self._match.log.entries[stored.seq :]:
            lines = conditional_lines.follow(self._match.log.game, lines, seat, entry)
        return lines

    async def reload(self) -> None:
        """Read what is stored. Raises StoreUnavailable."""
        if self.are_possible:
            found = await self._context.database.read(conditional_moves.of_matches, [self._match.id])
            self.update(found.get(self._match.id, ()))

    def update(self, stored: Iterable[StoredLines]) -> None:
        """Take note of what the store has."""
        before, self._stored = self._stored, {Seat(one.seat): one for one in stored}
        for seat in before.keys() | self._stored.keys():
            if before.get(seat) != self._stored.get(seat):
                self._match.changed(only=seat)
        self.attend()

    # Making and dropping them

    def may_make(self, viewer: Viewer) -> bool:
        """Tell whether a viewer may make some now: others decide, one after another."""
        if not self.are_possible or isinstance(viewer, Watcher):
            return False
        try:
            self._order(viewer, self._match.log.head)
        except Refused:
            return False
        return True

    def _order(self, seat: Seat, checkpoint: Checkpoint) -> conditional_lines.TurnOrder:
        """Return whose actions come before a seat's. Raises MatchOver, MatchPaused, NotOffered, NoCondition."""
        check_live(checkpoint)
        if not self.are_possible:
            raise NoCondition("match.error.conditions-daily")
        playing = self._match.log.game.playing(checkpoint.fold.state)
        if seat not in playing or levels(self._match.terms, checkpoint)[seat] is not None:
            raise NotOffered
        if len(checkpoint.pending) != 1 or checkpoint.pending[0].secret or checkpoint.pending[0].seat == seat:
            raise NoCondition("match.error.conditions-turn")
        return conditional_lines.turn_order(playing, checkpoint.pending[0].seat, seat)

    def _order_after(self, seat: Seat, checkpoint: Checkpoint, action: str) -> conditional_lines.TurnOrder:
        """Return whose actions come after a seat's own one, from what it knows before that. Raises NoCondition."""
        game, asked = self._match.log.game, checkpoint.owed_by(seat)
        order = None
        if checkpoint.pending == (asked,) and asked is not None and not asked.secret:
            order = conditional_lines.order_after(game, game.view(checkpoint.fold.state, seat), seat, action)
        if order is None:
            raise NoCondition("match.error.conditions-turn")
        return order

    async def _read(self, seat: Seat, given: Given, checkpoint: Checkpoint, before: Sequence[str] = ()) -> StoredLines:
        """Return lines that go on from a checkpoint and what is played `before` them, from what the seat knows there.

        What the seat learns by its own action is not asked: a refusal would tell it, with nothing done. Each action is
        played in many worlds to see whether it can be: that is counted, and others go on meanwhile. Raises as `set`.
        """
        game = self._match.log.game
        order = self._order_after(seat, checkpoint, *before) if before else self._order(seat, checkpoint)
        lines = conditional_lines.read_lines(game, given, order)
        actions = sum(len(before) + len(texts_of(line)) for line in lines)
        self._context.beginnings.count(self._match.terms.players[seat], actions * conditional_lines.WORLDS)
        view = game.view(checkpoint.fold.state, seat)
        for _ in conditional_lines.checking(game, view, seat, lines, before):
            await self._context.turns.give()
        return StoredLines(seat, checkpoint.seq + len(before), conditional_lines.dump(lines), is_due=False)

    async def set(self, seat: Seat, given: Given, at_seq: int) -> None:
        """Store a seat's lines, which go on from entry `at_seq`, in place of its earlier ones; none: only drop those.

        Raises NoCondition, Stale where the match has gone on, MatchOver, MatchPaused, NotOffered, NotSaved and
        RateLimited: to check lines costs as much as to begin matches.
        """
        match, database = self._match, self._context.database
        if not given:
            await database.write(conditional_moves.forget, match.id, seat)
        else:
            await match.catch_up()
            made = await self._read(seat, given, match.log.head)
            if at_seq != made.seq or not await database.write(conditional_moves.put_at, match.id, made):
                raise Stale
        await self.reload()
        self._context.hint(match.id, match.log.head.seq, offers=True)

    async def brought(self, seat: Seat, given: Given, action: str, at_seq: int, arrived: datetime | None) -> Also:
        """Return what stores lines together with the seat's own `action`, after which they go on. Raises as `set`."""
        if not given:
            return nothing_else
        if not self.are_possible:
            raise NoCondition("match.error.conditions-daily")
        match, context = self._match, self._context
        await match.catch_up()
        now, head = context.clock.now(), match.log.head
        drafted = drafts.action(match.log.game, head, context.timing, seat, action, at_seq, now, arrived)
        made = await self._read(seat, given, head, (action,))

        def also(entry: Entry, then: Checkpoint) -> tuple[Effect, ...]:
            if entry.seq != made.seq or then.fold.state != drafted[1].fold.state:
                raise Stale  # the match has gone on meanwhile
            return () if then.fold.is_over else (conditional_moves.made(match.id, made),)

        return also

    def effects_of(self, entry: Entry) -> tuple[Effect, ...]:
        """Return what an entry does to what is stored."""
        return (conditional_moves.followed(self._match.id, partial(self._after, entry)),) if self.are_possible else ()

    def _after(self, entry: Entry, stored: StoredLines) -> StoredLines | None:
        """Return a row after an entry: as it is where it goes on from there, none where it has missed one before."""
        if stored.seq == entry.seq:
            return stored
        lines: Lines = ()
        if stored.seq == entry.seq - 1:
            seat = Seat(stored.seat)
            lines = conditional_lines.follow(self._match.log.game, conditional_lines.load(stored.lines), seat, entry)
        left = replace(stored, seq=entry.seq, lines=conditional_lines.dump(lines), is_due=due(lines) is not None)
        return left if lines else None

    # Playing the one that is due

    def on_change(self, change: MatchChange) -> None:
        """Play what a change has made due."""
        self.attend()

    def attend(self) -> None:
        """Begin to wait for what is due."""
        match, head = self._match, self._match.log.head
        if not self._stored or match.is_broken or not head.is_live or self._context.is_draining or self._is_closed:
            return
        for seat in self._stored.keys() - self._playing:
            if head.owed_by(seat) is not None and due(self._lines(seat)) is not None:
                self._playing.add(seat)
                self._context.tasks.spawn(self._play(seat, head), f"conditional move {match.id}")

    async def _play(self, seat: Seat, head: Checkpoint) -> None:
        """Play a seat's move once the time has come: always as long after what it answers."""
        clock, decision = self._context.clock, head.clocks.decisions[seat]
        assert decision is not None  # it owes something
        try:
            at = decision.since + timedelta(seconds=self._context.timing.conditional_delay)
            while (left_s := (at - clock.now()).total_seconds()) > 0:
                await clock.sleep(left_s)
            if not (await self._context.outages_credited() and await self._all_read()):
                await clock.sleep(RETRY_S)
            elif not self._context.is_draining:
                await self._match.submit(partial(self._draft, seat), partial(self._expected, seat))
        except (StoreUnavailable, MatchPaused):
            await clock.sleep(RETRY_S)
        except (Refused, GameError, LinesChanged) as error:
            log.info("conditional.dropped", match=self._match.id, why=getattr(error, "key", "changed"))
            await self._drop(seat, head.seq)
        finally:
            self._playing.discard(seat)
        self.attend()

    async def _all_read(self) -> bool:
        """Tell whether every process knows the entry; one of an earlier release would stop at it."""
        now = self._context.clock.now()
        return await self._context.database.read(processes.all_read, processes.LOG_VERSION, now)

    def _draft(self, seat: Seat, checkpoint: Checkpoint) -> Drafted:
        said = due(self._lines(seat))
        if said is None:
            raise Stale
        game, timing, now = self._match.log.game, self._context.timing, self._context.clock.now()
        return drafts.action(game, checkpoint, timing, seat, said, checkpoint.seq, now, now, CONDITIONAL)

    def _expected(self, seat: Seat, entry: Entry, then: Checkpoint) -> tuple[Effect, ...]:
        lines = self._lines(seat)
        stands = StoredLines(seat, entry.seq - 1, conditional_lines.dump(lines), is_due=True)
        return (conditional_moves.expected(self._match.id, stands),)

    async def _drop(self, seat: Seat, seq: int) -> None:
        """Delete what was due at entry `seq` and can't be played; what was made since stands."""
        try:
            await self._context.database.write(conditional_moves.forget, self._match.id, seat, seq)
            await self.reload()
        except StoreUnavailable:
            await self._context.clock.sleep(RETRY_S)
