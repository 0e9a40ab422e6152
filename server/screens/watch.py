"""Looking on: the public view of a match, and the next or previous one without leaving."""

from __future__ import annotations

from typing import ClassVar

from game.contract import Viewer, Watcher
from server.boards import keymap
from server.matches.errors import NoSuchMatch, NotWatchable
from server.matches.match import Match
from server.presence.attendance import Here
from server.screens.match import MatchPage
from server.screens.matchspeech import MatchSpeech
from server.session import places
from server.session.page import Speech
from server.session.session import Session
from server.terminal.hint import Hint


class WatchPage(MatchPage):
    """A match seen from the gallery."""

    context: ClassVar[str] = "match"

    def __init__(self, session: Session, match: Match, viewer: Viewer, case: str | None = None) -> None:
        super().__init__(session, match, viewer)
        self.case = case  # the match of the report that a moderator comes from

    def start(self) -> None:
        """Enter the gallery, and say it where open hands are hidden from this person."""
        super().start()
        if self.seen.viewer is Watcher.PLAIN:
            self.session.prompts.notice("match.hands-kept")

    def be_here(self) -> Here:
        """Come into the gallery."""
        who = self.session.identity
        return self.match.enter(who.player, None, self.session.id, on_case=self.case is not None)

    def changed(self) -> None:
        """Take the viewpoint that is allowed now; leave where none is any more."""
        try:
            before, self.seen.viewer = self.seen.viewer, self.match.sight(self.session.identity, case=self.case)
        except (NotWatchable, NoSuchMatch) as refusal:
            self.session.spawn(self.turn_away(refusal))
            return
        if self.seen.viewer is Watcher.PLAIN is not before:
            self.session.prompts.notice("match.hands-kept")
        super().changed()

    def on_roles(self) -> None:
        """Leave, if the person was here as a moderator."""
        self.changed()

    def hints(self) -> tuple[Hint, ...]:
        if self.shows_panel:
            return super().hints()
        back = keymap.hints("everywhere", ("back",))
        board, chosen = self.seen.board, self.answering.selection
        own = board.keys(self.snapshot, chosen) if self.is_live else board.browse_keys(chosen)
        if not self.answering.is_resting:
            return own
        around = (*self.table.panel(), *self.neighbours(), *(("turn-round",) if board.has_sides else ()))
        ended: tuple[str, ...] = () if self.is_live else ("board", "replay", "share")
        if self.table.may_share_live:
            ended = ("share",)
        return (*own, *self.ended_hints((*ended, *around, "chat", "rules")), *back)

    def speech(self) -> Speech:
        return WatchSpeech(self)

    def neighbours(self) -> tuple[str, ...]:
        """Return the commands that go to other live matches, where there are some."""
        return ("next", "previous") if len(self.others()) > 1 else ()

    def others(self) -> list[str]:
        """Return the ids of the live matches, the most interesting first, this one among them.

        Closed ones, and those in which somebody plays whom this person has blocked, are left out.
        """
        hidden = self.session.person.blocked
        listed = self.session.services.lobby.snapshot().matches
        ids = [one.id for one in listed if not one.is_closed and not any(s.player.is_among(hidden) for s in one.seats)]
        return ids if self.match.id in ids else [self.match.id, *ids]

    def do_replay(self) -> None:
        """Go through the match once it is over; a moderator from the same report."""
        if not self.is_live:
            self.session.go(places.ReplayPlace(self.match.id, self.case))

    def do_turn_round(self) -> None:
        """Look at the board from its other side."""
        if self.seen.board.has_sides:
            self.seen.is_turned = not self.seen.is_turned
            self.refresh()
            self.session.dirty()

    def do_next(self) -> None:
        """Go to a match of one's own that waits for one; else watch the next match of the list."""
        if self.session.pages.waiting_elsewhere() is not None:
            self.session.go_to_turn()
        else:
            self._go(1)

    def do_previous(self) -> None:
        """Watch the previous match of the list."""
        self._go(-1)

    def _go(self, step: int) -> None:
        ids = self.others()
        target = ids[(ids.index(self.match.id) + step) % len(ids)]
        if target == self.match.id:
            self.session.prompts.notice("watch.only-one")
        else:
            self.session.spawn(self._switch(target))

    async def _switch(self, match_id: str) -> None:
        match = await self.session.services.matches.find(match_id, self.session.identity)
        if self.session.pages.top is self:
            self.session.pages.replace(WatchPage(self.session, match, match.sight(self.session.identity)))


class WatchSpeech(MatchSpeech):
    """What a match says to a watcher, who may go on to another one."""

    def __init__(self, page: WatchPage) -> None:
        super().__init__(page, page.session, page.seen, page.answering, page.table, page.unread)
        self._watched = page

    def hints(self) -> tuple[Hint, ...]:
        """Return the ways to other matches, too."""
        return (*super().hints(), *keymap.hints("match", self._watched.neighbours()))
