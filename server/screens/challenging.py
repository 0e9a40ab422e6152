"""Challenging somebody from any page that shows them, or asking them to the room one is in.

Who is away is challenged to a match for which nobody has to be here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from server.accounts.guestnames import is_guest_name
from server.boards.gamefacts import playable, seat_range
from server.lobby.errors import LobbyRefused
from server.lobby.model import RoomSettings
from server.lobby.room import Room
from server.matches.agreement import Agreement
from server.matches.speeds import DAILY
from server.screens import bringing
from server.screens.newroom import RoomForm, as_last_time
from server.screens.playnow import PlayChoices
from server.session.session import Session


def is_here(session: Session, name: str) -> bool:
    """Tell whether everybody may see somebody connected."""
    return any(person.name == name for person in session.services.lobby.snapshot().here)


def challenge(session: Session, name: str) -> None:
    """Have chosen what to challenge somebody to, or say why they can't be challenged."""
    session.spawn(_challenge(session, name))


async def _challenge(session: Session, name: str) -> None:
    """Open the form, or ask them to one's room. Raises as `Challenges.person`, LobbyRefused."""
    await session.services.lobby.challenges.person(session.identity.player, name)
    is_away = not is_here(session, name)
    if is_away and session.identity.is_guest:
        raise LobbyRefused("lobby.error.guests-not-daily")
    if not is_away and (room := room_to_fill(session)) is not None:
        await invite(session, room, name)
    else:
        session.pages.push(ChallengePage(session, name, is_away))
        if is_away:
            session.prompts.notice("challenge.away", name=name)


def room_to_fill(session: Session) -> Room | None:
    """Return the room of this person's in which a seat is free for somebody who is asked in."""
    return next((room for page in session.pages if (room := page.room_to_fill) is not None), None)


async def invite(session: Session, room: Room, name: str) -> None:
    """Ask somebody to a room. Raises as `Challenges.invite`."""
    await session.services.lobby.challenges.invite(session.identity.player, name, room)
    session.prompts.notice("room.invited", "good", name=name)


class ChallengePage(RoomForm):
    """What to challenge somebody to. Who is away is challenged to a match of two, which begins when they accept."""

    context: ClassVar[str] = "challenge"

    def __init__(self, session: Session, name: str, is_away: bool) -> None:
        game, choices = playable()[0], PlayChoices(session)
        self.is_casual, self.is_away = is_guest_name(name), is_away
        rated = choices.rated and not self.is_casual
        usual = Agreement(game, seat_range(game).start, speed=choices.speed, rated=rated, private=True)
        can_be_rated = not (self.is_casual or session.identity.is_guest)
        super().__init__(session, RoomSettings(as_last_time(session, usual, can_be_rated)))
        if is_away:
            self._resize(self.sizes()[0])
            self._agree(speed=DAILY)
        self.name = name

    def title(self) -> str:
        """Say whom."""
        return self.session.t("challenge.title", name=self.name)

    def sizes(self) -> Sequence[int]:
        """Return for how many players it may be."""
        return super().sizes()[:1] if self.is_away else super().sizes()

    def do_accept(self) -> None:
        """Send the challenge, unless a deck that shows can't be brought."""
        if not self.refuses():
            self.keep()
            self.session.spawn(self._leave() if self.stands else self._make())

    @property
    def stands(self) -> bool:
        """Tell whether nobody waits for the answer: whom it is for is away, or would have days for each move."""
        return self.is_away or (self.agreement.speed == DAILY and self.agreement.players == 2)

    async def _make(self) -> None:
        """Challenge who is here, and wait in the room."""
        lobby, session = self.session.services.lobby, self.session
        await session.decks.load()
        wished, me = bringing.wished(session), session.identity.player
        self.enter(await lobby.challenges.make(me, self.name, self.settings, session.id, wished))

    async def _leave(self) -> None:
        """Challenge somebody for as long as it stands; nobody waits."""
        session = self.session
        await session.decks.load()
        brings = (bringing.wished(session)(self.agreement) or ({},))[0]
        await session.services.lobby.challenges.leave(session.identity.player, self.name, self.settings, brings)
        if session.pages.top is self:
            session.pages.pop()
        session.prompts.notice("challenge.left", "good", name=self.name)
