"""What a session with screens does when it hears of an order, whichever door it came by."""

from __future__ import annotations

from server.admission.audience import Audience
from server.errors import Refused
from server.session.session import Session


class SessionAudience(Audience):
    """Passes orders on to a session of screens."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def announced(self, text: str) -> None:
        self._session.prompts.notice("server.announcement", text=text)

    def language_changed(self) -> None:
        self._session.spawn(self._session.update_language())

    def roles_changed(self, roles: frozenset[str]) -> None:
        self._session.set_roles(roles)

    def renamed(self, name: str) -> None:
        self._session.person.set_name(name)

    def muted(self, refused: Refused | None) -> None:
        self._session.person.hear_mute(refused)

    def reported(self) -> None:
        self._session.hear_report()

    def blocks_changed(self) -> None:
        self._session.person.hear_blocks()

    def visibility_changed(self, is_invisible: bool) -> None:
        self._session.person.hear_visibility(is_invisible)

    def written_to(self, message_id: int) -> None:
        self._session.hear_message(message_id)

    def wish_came_true(self, name: str, tell: str) -> None:
        self._session.hear_wish(name, tell)

    def following_changed(self) -> None:
        self._session.person.hear_following()

    def guest_hidden(self, name: str, is_hidden: bool) -> None:
        self._session.person.hear_guest(name, is_hidden)
