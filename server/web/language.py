"""The switch of the language on every page."""

from __future__ import annotations

from dataclasses import replace

from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute

from server.i18n.catalogues import CHOICES
from server.web.forms import own_address, read_form
from server.web.guard import Guard, PageRequest


class LanguageSwitch:
    """The address `/language`."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard

    def routes(self) -> list[BaseRoute]:
        """Return the address."""
        return [self._guard.route("/language", self._choose, post=True, is_open=True)]

    async def _choose(self, asked: PageRequest) -> Response:
        """Speak a language in this browser from now on, with an account in all its sessions; then show the page again.

        A language that is none changes nothing.
        """
        form = await read_form(asked.request)
        answer, language = RedirectResponse(own_address(form.get("back", "")), 303), form.get("language", "")
        if language in CHOICES:
            self._guard.cookies.set_language(answer, language)
            if (account_id := asked.who.account_id) is not None and self._guard.may_come(asked.who):
                change = self._guard.services.accounts.change_preferences
                await change(account_id, lambda wished: replace(wished, language=language))
        return answer
