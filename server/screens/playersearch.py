"""The search for players that the lobby runs: begun by Play now or by a seek in the list, asked about, stopped."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from server.lobby.model import Asked, SeekView
from server.lobby.seeking import SeekTicket
from server.screens.playnow import PlayChoices
from server.session.session import Session


class PlayerSearch:
    """One person's search: at most one at a time."""

    def __init__(self, session: Session, choices: PlayChoices) -> None:
        self._session, self._choices = session, choices
        self.ticket: SeekTicket | None = None
        self._paused_until: datetime | None = None  # from rated matches, as last read

    @property
    def is_on(self) -> bool:
        """Tell whether one looks for players."""
        return self.ticket is not None

    @property
    def asked(self) -> Asked | None:
        """Return what the pairing asks this person now."""
        return self.ticket.asked if self.ticket is not None else None

    @property
    def paused_until(self) -> datetime | None:
        """Return until when a rated search finds nobody, because this person has to pause; None: it may."""
        until, now = self._paused_until, self._session.services.clock.now()
        return until if self.is_on and self._choices.rated and until is not None and now < until else None

    async def read_pause(self) -> None:
        """Read whether this person has to pause from rated matches by now. Raises StoreUnavailable."""
        account_id = self._session.identity.account_id
        if self.is_on and account_id is not None:
            self._paused_until = await self._session.services.conduct.paused_until(account_id)

    def begin(self, games: tuple[str, ...], speed: str) -> None:
        """Look for players in these games at this speed; where none is named, as it is ticked and wished.

        Who looks already looks for those that are named from now on.
        """
        if self.is_on and not (games or speed):
            self._session.prompts.say(self._choices.words(self._session.look, is_looking=True), "dim")
            return
        self.stop()
        self._choices.name(games, speed)
        self._session.spawn(self._seek())

    async def _seek(self) -> None:
        self._hold(await self._choices.seek())
        account_id, services = self._session.identity.account_id, self._session.services
        if self._choices.rated and account_id is not None and await services.conduct.is_warned(account_id):
            self._session.prompts.notice("lobby.warned")

    async def answer(self, seeks: Sequence[SeekView]) -> None:
        """Look for just what somebody else looks for."""
        self._hold(await self._choices.answer(seeks))

    def _hold(self, ticket: SeekTicket) -> None:
        """Search with this ticket; cancel an earlier one, which the same key pressed twice may have made."""
        self.stop()
        self.ticket = ticket
        ticket.on_asked = self._session.asking.hear

    def stop(self) -> None:
        """Take the seeks back."""
        if (ticket := self._drop()) is not None:
            ticket.cancel()

    def was_found(self) -> bool:
        """Search no more: a match was found. Return whether a rated one was searched for."""
        return self._drop() is not None and self._choices.rated

    def _drop(self) -> SeekTicket | None:
        """Drop the ticket; return the one there was."""
        ticket, self.ticket = self.ticket, None
        if ticket is not None:
            self._choices.name()
            ticket.on_asked = None
            self._session.asking.hear()
        return ticket
