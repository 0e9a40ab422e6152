"""The matches that this process holds in memory, each of them once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from server.matches.context import MatchContext
from server.matches.errors import MatchUnreadable
from server.matches.lists import MatchLists
from server.matches.loading import Loader
from server.matches.match import Match
from server.store.errors import StoreUnavailable


class OpenMatches:
    """The open matches by id: whoever asks for another one has it read from the store."""

    def __init__(self, context: MatchContext) -> None:
        self._context = context
        self._matches: dict[str, Match] = {}
        self._used: dict[str, float] = {}  # when somebody last asked for it (monotonic)
        self._since = context.clock.now()
        self.lists = MatchLists(context, self.get)
        self._loader = Loader(context, self.lists, self._take_in)

    def __len__(self) -> int:
        return len(self._matches)

    def __contains__(self, match_id: str) -> bool:
        return match_id in self._matches

    def __iter__(self) -> Iterator[Match]:
        """Iterate over those that are open now; more may be opened meanwhile."""
        return iter(tuple(self._matches.values()))

    def get(self, match_id: str) -> Match | None:
        """Return a match if it is open."""
        return self._matches.get(match_id)

    async def open(self, match_id: str, beginning: bool = True) -> Match:
        """Return a match, from its `beginning` or as it stands. Raises MatchRefused, StoreUnavailable."""
        known = self._matches.get(match_id)
        match = known or await self._loader.load(match_id)
        self._used[match_id] = self._context.clock.monotonic()
        if known is not None and beginning:
            with suppress(StoreUnavailable):  # who plays must get in all the same; the next look reads it
                await known.origins.learn()
        if beginning:
            await match.live.whole()
        return match

    async def open_if_readable(self, match_id: str) -> Match | None:
        """Open a match; None for one that can't be read: it holds up nothing else. Raises as `open`."""
        try:
            return await self.open(match_id, beginning=False)
        except MatchUnreadable:
            return None

    def keep(self, match: Match) -> None:
        """Hold a match from now on."""
        self._matches[match.id] = match
        self._used[match.id] = self._context.clock.monotonic()
        match.origins.record_connected()

    def _take_in(self, match: Match) -> Match:
        """Look after a match that was read from the store, unless it began here meanwhile; return the one to use."""
        if (known := self._matches.get(match.id)) is not None:
            return known
        self.keep(match)
        match.live.reveal_later()
        match.attend()
        match.offers.see_gone(match.terms.people, before=self._since)  # a restart has ended all connections
        return match

    @property
    def stuck(self) -> int:
        """Return how many matches stand still until an admin has looked after them."""
        return self._loader.unreadable + sum(match.live.is_broken for match in self._matches.values())

    def forget_idle(self) -> None:
        """Forget the matches that nobody has looked at for a while; their log is where it was."""
        now, timing = self._context.clock.monotonic(), self._context.timing
        for match in self:
            patience_s = timing.over if _is_played_out(match) else timing.idle
            if self._used[match.id] + patience_s < now and not match.live.is_watched and not match.is_busy:
                self._matches.pop(match.id).close()
                self._context.checkpoint_writer.forget(match.id)
                del self._used[match.id]

    async def close(self) -> None:
        """Give up what is being read."""
        await self._loader.close()


def _is_played_out(match: Match) -> bool:
    """Tell whether a match is over that only one person sat in: nobody is asked anything about it any more."""
    return match.is_over and len(match.terms.people) < 2
