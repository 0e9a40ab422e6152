"""What a session with screens does when it hears of an order, whichever door it came by."""

from __future__ import annotations

from server.admission.audience import Audience
from server.errors import Refused
from server.session.session import Session


class SessionAudience(Audience):
    """What a session with screens hears; most of it is its person's to take in."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def announced(self, text: str) -> None:
        self._session.prompts.notice("server.announcement", text=text)

    def language_changed(self) -> None:
        self._session.spawn(self._update_language())

    async def _update_language(self) -> None:
        language = await self._session.person.reread_language()
        if language and language != self._session.look.language:
            self._session.display.use(language=language)

    def language(self) -> str:
        return self._session.look.language

    def roles_changed(self, roles: frozenset[str]) -> None:
        self._session.set_roles(roles)

    def renamed(self, name: str) -> None:
        self._session.person.set_name(name)

    def muted(self, refused: Refused | None) -> None:
        self._session.person.hear_mute(refused)

    def reported(self) -> None:
        for page in self._session.pages if self._session.person.is_moderator else ():
            page.on_report()

    def blocks_changed(self) -> None:
        self._session.person.hear_blocks()

    def keys_changed(self) -> None:
        for page in self._session.pages:
            page.on_keys()

    def visibility_changed(self, is_invisible: bool) -> None:
        self._session.person.hear_visibility(is_invisible)

    def written_to(self, message_id: int) -> None:
        for page in self._session.pages:
            page.on_message()
        self._session.spawn(self._tell_message(message_id))

    async def _tell_message(self, message_id: int) -> None:
        session = self._session
        account_id = session.identity.account_id
        for one in () if account_id is None else await session.services.messages.read(account_id):
            if one.id == message_id:
                session.prompts.notice("message.came", "good", name=one.sender, text=one.text)
                session.appearance.call(session.t("message.came", name=one.sender, text=one.text))
        await session.person.load_following()

    def alerted(self, name: str, tell: str) -> None:
        self._session.hear_alert(name, tell)

    def following_changed(self) -> None:
        self._session.person.hear_following()

    def guest_hidden(self, name: str, is_hidden: bool) -> None:
        self._session.person.hear_guest(name, is_hidden)
