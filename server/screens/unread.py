"""What a player has not read yet: the summary since their last decision, and the banner of what was dramatic."""

from __future__ import annotations

from server.boards import eventlog
from server.boards.board import Weight
from server.boards.eventlog import Told
from server.screens.viewpoint import Viewpoint
from server.terminal.items import Banner
from server.terminal.look import Look
from server.terminal.memo import OneValueCache


class Unread:
    """How far a player has read: to their last decision, or to the last key that they pressed."""

    def __init__(self, seen: Viewpoint) -> None:
        self._seen = seen
        self.decided_seq = seen.match.last_act(seen.seat) if seen.seat is not None else 0  # the last decision's entry
        self.struck_seq = self.decided_seq  # of the last decision that a key made
        self._banner_seq = 0
        self._summary = OneValueCache[list[Told]]()

    @property
    def version(self) -> int:
        """Return what the summary depends on besides the match."""
        return self.decided_seq

    def record_decision(self, seq: int, is_struck: bool = True) -> None:
        """Record that the player's own decision is entry `seq`; not `is_struck`: the board made it for them."""
        self.decided_seq = max(self.decided_seq, seq)
        if is_struck:
            self.struck_seq = max(self.struck_seq, seq)

    def record_read(self) -> None:
        """Record that the banner was read. The summary stays until the player acts."""
        self._banner_seq = self._seen.snapshot.seq

    def summary(self, look: Look) -> list[Told]:
        """Return what happened since the player's last decision, until their next one.

        A player who is out has no turn any more: their summary would only grow.
        """
        seen = self._seen
        if seen.seat is None or seen.snapshot.seats[seen.seat].out or not seen.is_live:
            return []
        shot, after = seen.snapshot, self.decided_seq
        return self._summary.get(shot, (after, look), lambda: self._told_after(after, look))

    def banner(self, look: Look) -> Banner | None:
        """Say what was dramatic: since the last key that decided, until the next key; to watchers the last."""
        seen, shot = self._seen, self._seen.snapshot
        if not seen.is_live:
            return None
        after = shot.seq - 1 if seen.seat is None else max(self.struck_seq - 1, self._banner_seq, 0)
        return self._dramatic(after, look)

    def _dramatic(self, after: int, look: Look) -> Banner | None:
        """Say what was dramatic after an entry: what others did since one's own decision is news, and comes first."""
        board, happened = self._seen.board, self._seen.happened_after(after)
        if all(eventlog.weight(board, event) is not Weight.DRAMATIC for event in happened):
            return None
        found = self._told_after(after, look)
        found.sort(key=lambda one: one.seq <= self.decided_seq)
        dramatic = [one.text for one in eventlog.clauses([one for one in found if one.weight is Weight.DRAMATIC])]
        return Banner(look.t("list.then").join(dramatic)) if dramatic else None

    def _told_after(self, after: int, look: Look) -> list[Told]:
        """Return what happened after an entry, without what was taken back."""
        seen = self._seen
        return eventlog.summary(seen.board, seen.snapshot, eventlog.standing(seen.happened_after(after)), look)
