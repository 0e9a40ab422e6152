"""What is asked of a session wherever its person is: to begin with those who are there, to play another match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.lobby.model import Asked
from server.protocols import EndedMatch
from server.session.hold import Hold
from server.session.page import Page
from server.session.part import Part
from server.terminal.look import Look

if TYPE_CHECKING:
    from server.session.session import Session


def asked_words(asked: Asked, look: Look) -> str:
    """Say what is asked, or that the others have yet to agree."""
    key = "lobby.consent.wait" if asked.is_answered else "lobby.consent"
    return look.t(key, game=look.game(asked.game), size=asked.size, wished=asked.wished, agreed=asked.agreed)


class Asking(Part):
    """Asks the person wherever they are; the search itself belongs to the lobby's page, a rematch to the match's."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.is_owed = False  # an answer
        self._called = ""  # what the person was called for last, while it is asked
        self._hold = Hold(session.services.clock)
        self._rematches: dict[str, EndedMatch] = {}  # those that this person has yet to answer

    def _searching_page(self) -> Page | None:
        """Return the page on which somebody searches for players, if something is asked of them."""
        for page in self.session.pages:
            if page.ticket is not None and page.ticket.asked is not None:
                return page
        return None

    def hear(self) -> None:
        """Call the person when something is asked; away from the lobby it is said in the line above the keys."""
        session, asked, was_owed = self.session, self._asked_pairing(), self.is_owed
        is_asked = asked is not None and not asked.is_answered
        self.is_owed = is_asked or self._asked_rematch() is not None
        call = self._pairing_words("lobby.consent.call", asked) if asked is not None and is_asked else ""
        if call and call != self._called:
            session.call(call)
        self._called = call
        if self.is_owed and not was_owed:
            self._hold.begin()
            session.input.draw_after_hold()
        session.dirty()

    def hear_rematch(self, match: EndedMatch) -> None:
        """Ask whether to play again, or no longer: others have asked, answered or begun."""
        seat, known = match.seat_of(self.session.identity.player), match.id in self._rematches
        if seat is not None and match.offers.is_asked(seat):
            self._rematches[match.id] = match
            if not known and not self._shows(match):
                self.session.call(self._rematch_words("rematch.call", match))
        else:
            self._rematches.pop(match.id, None)
        if known or match.id in self._rematches:
            self.hear()

    def _shows(self, match: EndedMatch) -> bool:
        """Tell whether the match itself is looked at: there it is asked beside the board."""
        top = self.session.pages.top
        return top is not None and top.match_shown == match.id

    def _asked_rematch(self) -> EndedMatch | None:
        """Return the match that is to be played again, where that is asked away from its own page."""
        if not self._rematches:
            return None
        player = self.session.identity.player
        for match in self._rematches.values():
            seat = match.seat_of(player)
            if seat is not None and match.offers.is_asked(seat) and not self._shows(match):
                return match
        return None

    def _asked_pairing(self) -> Asked | None:
        searching = self._searching_page()
        return searching.ticket.asked if searching is not None and searching.ticket is not None else None

    def _owes_pairing(self) -> bool:
        asked = self._asked_pairing()
        return asked is not None and not asked.is_answered

    def _pairing_words(self, key: str, asked: Asked) -> str:
        look = self.session.look
        return look.t(key, game=look.game(asked.game), size=asked.size, wished=asked.wished)

    def _rematch_words(self, key: str, match: EndedMatch) -> str:
        look, asked = self.session.look, match.offers.rematch
        agreed = () if asked is None else asked.agreed
        names = look.t("list.comma").join(match.terms.players[seat].name for seat in agreed)
        return look.t(key, names=names, game=look.game(match.game))

    @property
    def is_elsewhere(self) -> bool:
        """Tell whether an answer is owed, and the person is on another page than the one that asks."""
        if self._owes_pairing():
            return self.session.pages.top is not self._searching_page()
        return self._asked_rematch() is not None

    def elsewhere(self) -> str:
        """Return the question for who is on another page; '' where none is asked."""
        asked, match = self._asked_pairing(), self._asked_rematch()
        if asked is not None and self._owes_pairing():
            return self._pairing_words("lobby.consent.elsewhere", asked) if self.is_elsewhere else ""
        return "" if match is None else self._rematch_words("rematch.elsewhere", match)

    @property
    def holds(self) -> bool:
        """Tell whether a key may have been meant for what showed before the question came."""
        return self.is_owed and self._hold.is_on

    def answer(self, *, agrees: bool) -> None:
        """Begin with those who are there, or wait on; play again, or not."""
        searching, match, session = self._searching_page(), self._asked_rematch(), self.session
        if self.is_owed and self._hold.catches("agree" if agrees else "decline"):
            session.input.say_held()
        elif searching is not None and searching.ticket is not None and self._owes_pairing():
            session.spawn(session.services.lobby.answer(searching.ticket, agrees))
        elif match is not None and (seat := match.seat_of(session.identity.player)) is not None:
            session.spawn(match.answer(seat, "rematch", agrees))
