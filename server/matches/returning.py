"""Giving a seat that a bot has played back to its person, from the next decision on."""

from __future__ import annotations

from game.contract import Seat
from game.errors import GameError
from server.errors import Refused
from server.log import get_logger
from server.matches.acting import Acting
from server.matches.change import MatchChange
from server.matches.checkpoint import Checkpoint
from server.matches.context import RETRY_S
from server.matches.drafts import Drafted
from server.matches.errors import Stale
from server.matches.live import LiveMatch
from server.matches.viewer_state import may_return
from server.store.errors import StoreUnavailable

log = get_logger("matches.returning")
NOTHING = -1  # no decision was owed


class Returning:
    """Gives seats of one match back to their people."""

    def __init__(self, match: LiveMatch, acting: Acting) -> None:
        self._match, self._acting = match, acting
        self._context = match.context
        self._back: dict[
            Seat, int
        ] = {}  # who has come back, and since which entry the bot thinks what it still answers
        self._busy: set[Seat] = set()
        match.follow(self.on_change)

    def on_change(self, change: MatchChange) -> None:
        """Do what a change calls for."""
        seat, head = change.entered, change.head
        if seat is not None and may_return(self._match.terms, head, seat):
            self._back.setdefault(seat, NOTHING if head.owed_by(seat) is None else head.changed[seat])
        for waiting in tuple(self._back):
            self._attend(waiting)

    def _attend(self, seat: Seat) -> None:
        head, match = self._match.log.head, self._match
        if not may_return(match.terms, head, seat) or match.attendance.gone_since(seat) is not None:
            self._back.pop(seat, None)
        elif seat not in self._busy and not self._is_bot_s(head, seat) and match.log.next_reveal is None:
            self._busy.add(seat)
            self._context.tasks.spawn(self._return(seat), f"return {match.id}")

    def _is_bot_s(self, head: Checkpoint, seat: Seat) -> bool:
        """Tell whether what the seat owes was asked before its person came back: the bot answers that."""
        return head.owed_by(seat) is not None and head.changed[seat] == self._back.get(seat)

    async def _return(self, seat: Seat) -> None:
        try:
            await self._acting.wait_out(seat)
            await self._match.submit(lambda checkpoint: self._draft(seat, checkpoint))
        except StoreUnavailable:
            await self._context.clock.sleep(RETRY_S)
        except (Refused, GameError) as error:
            log.info("return.refused", match=self._match.id, seat=seat, why=str(error))
        finally:
            self._busy.discard(seat)
        if seat in self._back and self._match.log.head.is_live:
            self._attend(seat)

    def _draft(self, seat: Seat, checkpoint: Checkpoint) -> Drafted:
        match = self._match
        if not may_return(match.terms, checkpoint, seat) or self._is_bot_s(checkpoint, seat):
            raise Stale
        return match.draft_entry(checkpoint, "returned", seat)
