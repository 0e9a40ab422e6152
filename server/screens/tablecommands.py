"""What one may do at the table of a match besides playing: offer, claim, resign, go on; and what is asked before."""

from __future__ import annotations

from server.boards import keymap
from server.boards.outcome import goes_on
from server.matches.speeds import DAILY
from server.screens.matchdrawing import MatchDrawing
from server.screens.movetyping import MoveTyping
from server.screens.sharelink import link_to
from server.screens.viewpoint import Viewpoint
from server.session.session import Session
from server.terminal.hint import Hint
from server.terminal.memo import OneValueCache

ON_THE_BOARD = ("board", "panel", "type")  # commands that mean something to who sees the board


class TableCommands:
    """The commands of the key table that make sense in one match now."""

    def __init__(self, session: Session, seen: Viewpoint, typing: MoveTyping, drawing: MatchDrawing) -> None:
        self._session, self._seen, self._typing, self._drawing = session, seen, typing, drawing
        self._asked = ""
        self._live = OneValueCache[tuple[str, ...]]()

    @property
    def mode(self) -> str:
        """Return "offer" or "claim" while it is asked which; a claim that is possible no more is asked no more."""
        is_gone = self._asked == "claim" and not self._seen.may_claim(self._session.services.clock.now())
        return "" if is_gone else self._asked

    def ask(self, mode: str) -> None:
        """Ask what to offer, or what to claim."""
        self._asked = mode

    def drop(self) -> str:
        """Ask it no more; return what was asked."""
        mode, self._asked = self.mode, ""
        return mode

    def first(self) -> tuple[str, ...]:
        """Return the commands that stand before the board's: answers to an offer, and a claim."""
        may_claim = self._seen.may_claim(self._session.services.clock.now())
        return (*self.answers(), *(("claim",) if may_claim else ()))

    def answers(self) -> tuple[str, ...]:
        """Return the answers to an offer, where there is one."""
        return ("accept", "decline") if self._seen.offered() else ()

    def meanwhile(self) -> tuple[str, ...]:
        """Return what one does in a match that is played over days while others decide, or before one leaves it."""
        return (*(("conditions",) if self.has_conditions else ()), *self._onward())

    def live(self) -> tuple[str, ...]:
        """Return the commands while the match goes on: no key changes them."""
        return self._live.get(self._seen.snapshot, None, self._found_live)

    def _found_live(self) -> tuple[str, ...]:
        seen = self._seen
        typed = ("type",) if self._typing.is_possible else ()
        line = ("line",) if seen.seat is not None and seen.match.may_try_line(seen.seat) else ()
        table = (*(("offer",) if seen.may_offer else ()), "resign") if seen.plays else ()
        shared = ("share",) if self.may_share_live else ()
        return (*typed, *table, *line, *shared, "chat", "rules")

    def ended(self) -> tuple[str, ...]:
        """Return the commands after the end."""
        shot, seat = self._seen.snapshot, self._seen.seat
        asked = ("accept", "decline") if any(what == "rematch" for _, what in self._seen.offered()) else ()
        is_asking = (seat, "rematch") in shot.offers or (shot.rematch is not None and seat in shot.rematch.agreed)
        is_over = shot.status == "finished" and (bool(shot.next_match) or not goes_on(shot))
        may_ask = seat is not None and is_over and not asked and not is_asking
        rematch = ("rematch",) if may_ask else ()
        room = ("room",) if shot.room else ()
        kept = ("board", "replay", "share", "chat")
        return (*asked, *rematch, *self._onward(), *self.panel(), *kept, *room, "people")

    def of_mode(self) -> tuple[Hint, ...]:
        """Return the keys while it is asked what to offer or to claim."""
        seen = self._seen
        return keymap.hints(self.mode, seen.may_offer if self.mode == "offer" else self.claims)

    @property
    def claims(self) -> tuple[str, ...]:
        """Return what may be claimed now."""
        return self._seen.claims(self._session.services.clock.now())

    def without_board(self) -> tuple[Hint, ...]:
        """Return the keys of all that may be done now, but for those of who sees the board."""
        if self.mode:
            return self.of_mode()
        names = (*self.first(), *self.meanwhile(), *self.live()) if self._seen.is_live else self.ended()
        return keymap.hints("match", [one for one in names if one not in ON_THE_BOARD])

    @property
    def has_conditions(self) -> bool:
        """Tell whether conditional moves of one's own may be made, or stand."""
        seen = self._seen
        may_make = seen.seat is not None and seen.match.may_make_conditions(seen.seat)
        return may_make or bool(seen.snapshot.conditions)

    @property
    def may_share_live(self) -> bool:
        """Tell whether others can open this match by a link while it runs."""
        agreed, match_id = self._seen.snapshot.agreement, self._seen.match.id
        return self._seen.is_live and not agreed.private and agreed.watchable and link_to(self._session, match_id) != ""

    def panel(self) -> tuple[str, ...]:
        """Return the command that shows players, clocks and log, where there is no room for them."""
        return () if self._drawing.has_panel else ("panel",)

    def _onward(self) -> tuple[str, ...]:
        """Return the way to the next match, where one waits and one has moved in a match that is played over days."""
        shot = self._seen.snapshot
        moved = self._seen.seat is not None and shot.pending is None and shot.agreement.speed == DAILY
        return ("next",) if moved and self._session.pages.waiting_elsewhere() is not None else ()
