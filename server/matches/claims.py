"""Claims on who is away: the win for who is here, or no result for anybody."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from functools import partial

from game.contract import Seat, Viewer, Watcher
from server.matches import resigning
from server.matches.checkpoint import Checkpoint
from server.matches.drafts import Drafted, check_live
from server.matches.errors import NotClaimable
from server.matches.live import LiveMatch
from server.matches.model import ClaimKind
from server.matches.offers import BOT_GRACE, Offers

GoneSince = Callable[[Seat], datetime | None]


class Claims:
    """Tells from when on the players of one match may claim, and ends it for who has been away too long."""

    def __init__(self, match: LiveMatch, offers: Offers) -> None:
        self._match = match
        self._offers = offers

    def claim_at(self, viewer: Viewer) -> datetime | None:
        """Return from when on this viewer may claim that others are gone; None: nobody is, or it can't be claimed.

        A bot that can't answer is as good as gone. To who looks on: from when on somebody may.
        """
        if not self._match.shown.is_live:
            return None
        attendance = self._match.attendance
        if not isinstance(viewer, Watcher):
            return self._first(viewer, attendance.gone_since)
        here = [seat for seat in self._match.terms.people if attendance.unseen_since(seat) is None]
        moments = (self._first(seat, attendance.unseen_since) for seat in here)  # as the first of them may
        return min((moment for moment in moments if moment is not None), default=None)

    def void_at(self, viewer: Viewer) -> datetime | None:
        """Return from when on this viewer may void the match, as far as is known by now; None: never."""
        if not self._match.shown.is_live or isinstance(viewer, Watcher):
            return None
        everybody = self._when_all_are_gone(viewer)
        return min((*([] if everybody is None else [everybody]), *self._bots_at(viewer)), default=None)

    def _when_all_are_gone(self, seat: Seat) -> datetime | None:
        """Return from when on all others in play count as gone; None: somebody is here."""
        moments = self._people_at(seat, self._match.attendance.gone_since)
        return max(moments) if moments and len(moments) == len(self._match.people_playing) - 1 else None

    def _first(self, seat: Seat, gone_since: GoneSince) -> datetime | None:
        """Return from when on a seat may claim anything."""
        return min((*self._people_at(seat, gone_since), *self._bots_at(seat)), default=None)

    def _people_at(self, seat: Seat, gone_since: GoneSince) -> list[datetime]:
        """Return from when on a seat may claim that people are gone."""
        grace = self._grace
        return [] if grace is None else [since + grace for since in self._absentees(seat, gone_since).values()]

    def _bots_at(self, seat: Seat) -> list[datetime]:
        """Return from when on a seat may void the match for bots that can't answer, or agree to it with the others."""
        failing = self._match.failing_bots.values()
        return [since + BOT_GRACE for since in failing] if failing and seat in self._match.people_playing else []

    async def claim(self, seat: Seat, what: ClaimKind) -> None:
        """End it for who has been gone too long: `void` ends the match without a result, `win` is for the claimant.

        Of two it ends the match. Of more, bots take the seats until their people are back. Void needs everybody else to
        be gone, or bots that can't answer: those give no win, and the others who play have to claim it too. Raises
        NotClaimable, MatchOver, NotSaved.
        """
        match = self._match
        if what == "void" and self._is_due(self._bots_at(seat)):
            if match.people_playing == (seat,):
                await match.submit(lambda checkpoint: match.draft_entry(checkpoint, "void", seat, by="bots"))
            else:
                await self._offers.offer(seat, "void")
            return
        gone = self._claimable(match.log.head, seat)
        if what == "void":
            if set(gone) != set(match.people_playing) - {seat}:
                raise NotClaimable("match.error.void-needs-all")
            await match.submit(lambda checkpoint: match.draft_entry(checkpoint, "void", seat, by="claim"))
            return
        for one in gone:
            await match.submit(partial(self._draft, one, seat))

    def _is_due(self, moments: Iterable[datetime]) -> bool:
        now = self._match.context.clock.now()
        return any(moment <= now for moment in moments)

    def _draft(self, gone: Seat, claimant: Seat, checkpoint: Checkpoint) -> Drafted:
        if gone not in self._claimable(checkpoint, claimant):
            raise NotClaimable
        return resigning.claimed(self._match, gone, claimant, checkpoint)

    @property
    def _grace(self) -> timedelta | None:
        """Return how long somebody may be away before others may claim; None: that does not count here."""
        grace = self._match.terms.speed.grace
        return None if grace is None else timedelta(milliseconds=grace)

    def _absentees(self, seat: Seat, gone_since: GoneSince) -> dict[Seat, datetime]:
        """Return the other people in play who are not here, and since when.

        At a larger table guests are not among them: nobody need claim anything, they lose their seat by themselves.
        """
        terms = self._match.terms
        others = (one for one in terms.people if one != seat and (terms.n_seats == 2 or not self._is_guest(one)))
        gone = {one: since for one in others if (since := gone_since(one)) is not None}
        return {one: since for one, since in gone.items() if one in self._match.people_playing} if gone else {}

    def _is_guest(self, seat: Seat) -> bool:
        return self._match.terms.players[seat].kind == "guest"

    def _claimable(self, checkpoint: Checkpoint, seat: Seat) -> list[Seat]:
        """Return the seats that have been empty for longer than the grace period. Raises NotClaimable for none."""
        check_live(checkpoint)
        grace, now = self._grace, self._match.context.clock.now()
        if grace is None or seat not in self._match.terms.people:
            raise NotClaimable
        absent = self._absentees(seat, self._match.attendance.gone_since)
        gone = [one for one, since in absent.items() if since + grace <= now]
        if not gone:
            raise NotClaimable
        return gone
