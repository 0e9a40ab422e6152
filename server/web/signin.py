"""Signing a browser in by a link from ssh, playing there, and signing it out."""

from __future__ import annotations

from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute

from server.web.answers import personal
from server.web.cookies import new_token
from server.web.forms import read_form
from server.web.guard import Guard, PageRequest


class SignIn:
    """The addresses `/signin/CODE`, `/signout` and `/play`."""

    def __init__(self, guard: Guard) -> None:
        self._guard, self._services, self._cookies = guard, guard.services, guard.cookies

    def routes(self) -> list[BaseRoute]:
        """Return the addresses."""
        route = self._guard.route
        return [
            route("/signin/{code}", self._ask, is_open=True),
            route("/signin/{code}", self._sign_in, post=True, is_open=True),
            route("/signout", self._sign_out, post=True, is_open=True),
            route("/play", self._play),
        ]

    async def _ask(self, asked: PageRequest) -> Response:
        """Name the account and ask; the code stays good, and nobody is signed in: previews look, too."""
        code = _code_of(asked)
        account = await self._services.accounts.browsers.account_of(code, asked.who.source)
        token = new_token()
        answer = personal(self._guard.page("signin.html", asked.request, handle=account.handle, token=token, code=code))
        self._cookies.bind(answer, token)
        return answer

    async def _sign_in(self, asked: PageRequest) -> Response:
        """Sign in the browser that the form was given to."""
        if not self._cookies.is_bound(asked.request, (await read_form(asked.request)).get("token", "")):
            return self._guard.said(asked.request, "web.other-browser", 403)
        made = await self._services.accounts.browsers.sign_in(_code_of(asked), asked.who.source)
        answer = RedirectResponse("/play", 303)
        lasts = made.expires_at - self._services.clock.now()
        self._cookies.set_account(answer, made.cookie, int(lasts.total_seconds()))
        self._cookies.drop(answer, self._cookies.form)
        return answer

    async def _sign_out(self, asked: PageRequest) -> Response:
        if cookie := self._cookies.cookie_of(asked.request):
            await self._services.accounts.browsers.sign_out(cookie)
        answer = RedirectResponse("/", 303)
        self._cookies.drop(answer, self._cookies.session)
        return answer

    async def _play(self, asked: PageRequest) -> Response:
        """Open the whole session: as oneself where the browser is signed in, else as a guest."""
        who = asked.who
        answer = personal(self._guard.page("play.html", asked.request, handle="" if who.is_guest else who.name))
        if not await self._cookies.is_known(asked.request, who):
            await self._cookies.set_guest(answer, who)
        return answer


def _code_of(asked: PageRequest) -> str:
    return str(asked.request.path_params["code"])[:64]
