"""Signing a browser in by a link from ssh, playing there, and signing it out."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qs

from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from server.accounts.errors import AccountError
from server.errors import RateLimited
from server.i18n.refusals import reasons, wording
from server.services import Services
from server.store.errors import StoreUnavailable
from server.terminal.look import Look
from server.web.answers import page, personal
from server.web.cookies import Cookies, new_token
from server.web.site import is_own_origin
from server.web.visitor import language_of

FORM_BYTES = 4096
Answer = Callable[[Request, Look], Awaitable[Response]]


class SignIn:
    """The addresses `/signin/CODE`, `/signout` and `/play`. `source`: returns the address that a request counts as."""

    def __init__(
        self, services: Services, cookies: Cookies, source: Callable[[HTTPConnection], str], params: dict[str, Any]
    ) -> None:
        """`params`: what every page is told."""
        self._services, self._cookies, self._source, self._params = services, cookies, source, params

    def routes(self) -> list[BaseRoute]:
        """Return the addresses."""
        return [
            Route("/signin/{code}", self._guarded(self._ask)),
            Route("/signin/{code}", self._guarded(self._sign_in), methods=["POST"]),
            Route("/signout", self._guarded(self._sign_out), methods=["POST"]),
            Route("/play", self._guarded(self._play)),
        ]

    def _guarded(self, answer: Answer) -> Callable[[Request], Awaitable[Response]]:
        """Answer, or say why not. Nothing here is kept by anybody, and no address of it goes anywhere."""

        async def endpoint(request: Request) -> Response:
            look = Look("default", "unicode", language_of(request.headers))
            if request.method == "POST" and not _is_own_form(request, self._services.settings.web_origin):
                return self._said(look, "web.other-site", 403)
            try:
                return await answer(request, look)
            except RateLimited as refusal:
                return self._said(look, wording(refusal, look), 429, **reasons(refusal, look))
            except AccountError as refusal:
                return self._said(look, wording(refusal, look), 404, **reasons(refusal, look))
            except StoreUnavailable:
                return Response(status_code=503, headers={"retry-after": "5"})

        return endpoint

    def _said(self, look: Look, key: str, status: int, **told: object) -> Response:
        return personal(page("said.html", look, said=look.t(key, **told), **self._params), status=status)

    async def _ask(self, request: Request, look: Look) -> Response:
        """Name the account and ask; the code stays good, and nobody is signed in: previews look, too."""
        code = request.path_params["code"][:64]
        account = await self._services.accounts.browsers.account_of(code, self._source(request))
        token = new_token()
        answer = personal(page("signin.html", look, handle=account.handle, token=token, code=code, **self._params))
        self._cookies.bind(answer, token)
        return answer

    async def _sign_in(self, request: Request, look: Look) -> Response:
        """Sign in the browser that the form was given to."""
        if not self._cookies.is_bound(request, await _form_token(request)):
            return self._said(look, "web.other-browser", 403)
        source = self._source(request)
        made = await self._services.accounts.browsers.sign_in(request.path_params["code"][:64], source)
        answer = RedirectResponse("/play", 303)
        lasts = made.expires_at - self._services.clock.now()
        self._cookies.set_account(answer, made.cookie, int(lasts.total_seconds()))
        self._cookies.drop(answer, self._cookies.form)
        return answer

    async def _sign_out(self, request: Request, look: Look) -> Response:
        if cookie := self._cookies.cookie_of(request):
            await self._services.accounts.browsers.sign_out(cookie)
        answer = RedirectResponse("/", 303)
        self._cookies.drop(answer, self._cookies.session)
        return answer

    async def _play(self, request: Request, look: Look) -> Response:
        """Open the whole session: as oneself where the browser is signed in, else as a guest."""
        who = await self._cookies.identity(request, self._source(request))
        if (refusal := self._services.conduct.check_access(who)) is not None:
            return self._said(look, "web.no-entry", 403, why=refusal.why)
        if who.is_guest and not takes_guests(self._services):
            return self._said(look, "web.no-guests", 403, line=self._params["ssh"])
        answer = personal(page("play.html", look, handle="" if who.is_guest else who.name, **self._params))
        if not await self._cookies.is_known(request, who):
            await self._cookies.set_guest(answer, who)
        return answer


def takes_guests(services: Services) -> bool:
    """Tell whether people without an account may come in."""
    return services.settings.guests == "on" and services.settings.allowed_keys is None


def _is_own_form(request: Request, origin: str) -> bool:
    """Tell whether a form was sent from a page of this site.

    Where a page sends no referrer, its forms have the origin "null"; whose they are the browser itself says then, in a
    header that no page can set.
    """
    if request.headers.get("origin") == "null":
        return request.headers.get("sec-fetch-site") == "same-origin"
    return is_own_origin(request, origin)


async def _form_token(request: Request) -> str:
    """Return the token of a form; empty: there is none, or too much comes."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > FORM_BYTES:
            return ""
    return parse_qs(body.decode("ascii", "replace")).get("token", [""])[0]
