"""What is asked of a session wherever its person is: to begin with those who are there, to play another match."""

from __future__ import annotations

from server.lobby.model import Asked
from server.matches.match import Match
from server.services import Services
from server.session.appearance import Appearance
from server.session.display import Display
from server.session.heldkeys import HeldKeys, Hold
from server.session.lifetime import Lifetime
from server.session.page import Page
from server.session.pages import Pages
from server.session.person import Person
from server.terminal.look import Look


def asked_words(asked: Asked, look: Look) -> str:
    """Say what is asked, or that the others have yet to agree."""
    key = "lobby.consent.wait" if asked.is_answered else "lobby.consent"
    return look.t(key, game=look.game(asked.game), size=asked.size, wished=asked.wished, agreed=asked.agreed)


class Asking:
    """Asks the person wherever they are; the search itself belongs to the lobby's page, a rematch to the match's."""

    def __init__(
        self,
        services: Services,
        display: Display,
        person: Person,
        appearance: Appearance,
        pages: Pages,
        held: HeldKeys,
        lifetime: Lifetime,
    ) -> None:
        self._lobby, self._display, self._person, self._appearance = services.lobby, display, person, appearance
        self._pages, self._held, self._lifetime = pages, held, lifetime
        self.is_owed = False  # an answer
        self._called = ""  # what the person was called for last, while it is asked
        self._hold = Hold(services.clock, display)
        self._rematches: dict[str, Match] = {}  # those that this person has yet to answer

    def _searching_page(self) -> Page | None:
        """Return the page on which somebody searches for players, if something is asked of them."""
        for page in self._pages:
            if page.ticket is not None and page.ticket.asked is not None:
                return page
        return None

    def hear(self) -> None:
        """Call the person when something is asked; away from the lobby it is said in the line above the keys."""
        asked, was_owed = self._asked_pairing(), self.is_owed
        is_asked = asked is not None and not asked.is_answered
        self.is_owed = is_asked or self._asked_rematch() is not None
        call = self._pairing_words("lobby.consent.call", asked) if asked is not None and is_asked else ""
        if call and call != self._called:
            self._appearance.call(call)
        self._called = call
        if self.is_owed and not was_owed:
            self._hold.begin()
            self._held.draw_after()
        self._display.dirty()

    def hear_rematch(self, match: Match) -> None:
        """Ask whether to play again, or no longer: others have asked, answered or begun."""
        seat, known = match.seat_of(self._person.identity.player), match.id in self._rematches
        if seat is not None and match.offers.is_asked(seat):
            self._rematches[match.id] = match
            if not known and not self._shows(match):
                self._appearance.call(self._rematch_words("rematch.call", match))
        else:
            self._rematches.pop(match.id, None)
        if known or match.id in self._rematches:
            self.hear()

    def _shows(self, match: Match) -> bool:
        """Tell whether the match itself is looked at: there it is asked beside the board."""
        top = self._pages.top
        return top is not None and top.match_shown == match.id

    def _asked_rematch(self) -> Match | None:
        """Return the match that is to be played again, where that is asked away from its own page.

        Who plays another one just now is not asked above its keys: the lobby lists it.
        """
        top = self._pages.top
        if not self._rematches or (top is not None and top.is_playing):
            return None
        player = self._person.identity.player
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
        look = self._display.look
        return look.t(key, game=look.game(asked.game), size=asked.size, wished=asked.wished)

    def _rematch_words(self, key: str, match: Match) -> str:
        look, asked = self._display.look, match.offers.rematch
        agreed = () if asked is None else asked.agreed
        names = look.t("list.comma").join(match.terms.players[seat].name for seat in agreed)
        return look.t(key, names=names, game=look.game(match.game))

    def elsewhere(self) -> str:
        """Return the question for who owes an answer and is on another page than the one that asks; '' for others."""
        asked = self._asked_pairing()
        if asked is not None and not asked.is_answered:
            is_here = self._pages.top is self._searching_page()
            return "" if is_here else self._pairing_words("lobby.consent.elsewhere", asked)
        match = self._asked_rematch()
        return "" if match is None else self._rematch_words("rematch.elsewhere", match)

    @property
    def holds(self) -> bool:
        """Tell whether a key may have been meant for what showed before the question came."""
        return self.is_owed and self._hold.is_on

    def answer(self, *, agrees: bool) -> None:
        """Begin with those who are there, or wait on; play again, or not."""
        searching, match = self._searching_page(), self._asked_rematch()
        if self.is_owed and self._hold.catches("agree" if agrees else "decline"):
            self._held.say()
        elif searching is not None and searching.ticket is not None and self._owes_pairing():
            self._lifetime.spawn(self._lobby.answer(searching.ticket, agrees))
        elif match is not None and (seat := match.seat_of(self._person.identity.player)) is not None:
            self._lifetime.spawn(match.answer(seat, "rematch", agrees))
