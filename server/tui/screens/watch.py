"""Looking on: the public view of a match, and the next or previous one without leaving."""

from __future__ import annotations

from typing import ClassVar

from game.contract import Watcher
from server.tui import keymap
from server.tui.keymap import Hint
from server.tui.screens.match import MatchPage


class WatchPage(MatchPage):
    """A match seen from the gallery."""

    context: ClassVar[str] = "match"

    def hints(self) -> tuple[Hint, ...]:
        """Return the keys of a watcher."""
        back = keymap.hints("everywhere", ("back",))
        own = self.board.keys(self.snapshot, self.pick) if self.is_live else self.board.browse_keys(self.pick)
        if not self.board.is_resting(self.pick):
            return own
        around = ("next", "previous") if len(self.others()) > 1 else ()
        names = (*around, "chat", *(("replay",) if not self.is_live else ()), "rules")
        return (*own, *keymap.hints("match", names), *back)

    def others(self) -> list[str]:
        """Return the ids of the live matches, the most interesting first, this one among them.

        Those in which somebody plays whom this person has blocked are left out.
        """
        hidden = self.session.blocked
        listed = self.session.services.lobby.snapshot().matches
        ids = [one.id for one in listed if not any(seat.player.is_among(hidden) for seat in one.seats)]
        return ids if self.match.id in ids else [self.match.id, *ids]

    def do_next(self) -> None:
        """Watch the next match of the list."""
        self._go(1)

    def do_previous(self) -> None:
        """Watch the previous match of the list."""
        self._go(-1)

    def _go(self, step: int) -> None:
        ids = self.others()
        target = ids[(ids.index(self.match.id) + step) % len(ids)]
        if target == self.match.id:
            self.session.notice("watch.only-one")
        else:
            self.session.spawn(self._switch(target))

    async def _switch(self, match_id: str) -> None:
        match = await self.session.services.matches.open(match_id)
        if self.session.page is self:
            self.session.replace(WatchPage(self.session, match, Watcher.PUBLIC))
