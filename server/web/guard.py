"""What every address asks before it answers: whose form it is, from where, who may come in, what pages may cost."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route

from server.accounts.errors import AccountError
from server.accounts.identity import Identity
from server.accounts.sources import Sources
from server.address import Address
from server.admission.login_policy import LoginPolicy
from server.admission.reading import Bill, TooMuchRead
from server.errors import RateLimited, Refused
from server.i18n.refusals import barred, reasons, wording
from server.matches.errors import MatchRunning, NotWatchable
from server.services import Services
from server.store.errors import StoreUnavailable
from server.terminal.look import Look
from server.web.answers import page, personal, too_much
from server.web.cookies import Cookies
from server.web.forms import address_of
from server.web.visitor import SHORT_NAMES, Visitors, look_of

MISSING_S = 0.02  # after which every 404 comes


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A request, who asks, how they are answered, and what it costs them."""

    request: Request
    who: Identity
    look: Look
    bill: Bill


Answer = Callable[[PageRequest], Awaitable[Response]]


class Guard:
    """Lets answers be made for who may have them, and says to all others why not, in the same way at every address."""

    def __init__(self, services: Services, login_policy: LoginPolicy, reached_at: Address) -> None:
        """`reached_at`: how people come by ssh."""
        self.services, self.login_policy, self.reached_at = services, login_policy, reached_at
        self.cookies = Cookies(services)
        self.reading = services.matches.reading
        self.visitors = Visitors(services.settings.web_proxy_networks)

    def route(self, path: str, answer: Answer, *, post: bool = False, is_open: bool = False) -> Route:
        """Return an address. `is_open`: also for those who may not come in."""

        async def endpoint(request: Request) -> Response:
            began = asyncio.get_running_loop().time()
            answered = await respond(request)
            if answered.status_code == 404:  # what is not there takes no other time than what is not to be known
                await asyncio.sleep(began + MISSING_S - asyncio.get_running_loop().time())
            return answered

        async def respond(request: Request) -> Response:
            look, source = look_of(request), self.source(request)
            if self.services.conduct.check_source(source) is not None:
                return self.said(request, "web.banned", 403)
            if post and not self.is_own_form(request):
                return self.said(request, "web.other-site", 403)
            try:
                self.reading.begin(Sources.of((source,)))  # before it is known who asks
                who = await self.cookies.identity(request, source)
                if not is_open and (refusal := self.refuses(who, request)) is not None:
                    return refusal
                if not all(one.isascii() and one.isprintable() for one in request.path_params.values()):
                    return self.not_found(request)  # of nothing that has an address
                return await answer(PageRequest(request, who, look, Bill(self.reading, who.sources)))
            except NotWatchable:
                return self.said(request, "web.closed", 403)
            except MatchRunning as running:
                return self.said(request, wording(running, look), 409, **reasons(running, look))
            except TooMuchRead as much:
                return too_much(much.retry_after_ms)
            except RateLimited as limited:
                return self.said(request, wording(limited, look), 429, **reasons(limited, look))
            except AccountError as error:
                return self.said(request, wording(error, look), 404, **reasons(error, look))
            except Refused:
                return self.not_found(request)
            except StoreUnavailable:
                return Response(status_code=503, headers={"retry-after": "5"})
            except ClientDisconnect:  # in the middle of a form
                return Response(status_code=400)

        return Route(path, endpoint, methods=["POST"] if post else ["GET"])

    def cheaply(self, request: Request, answer: Callable[[Request], Response]) -> Response:
        """Answer what depends on nobody and costs hardly anything: all but who is banned, or asks for too much."""
        source = self.source(request)
        if self.services.conduct.check_source(source) is not None:
            return self.said(request, "web.banned", 403)
        try:
            self.reading.begin(Sources.of((source,)))
        except TooMuchRead as much:
            return too_much(much.retry_after_ms)
        return answer(request)

    def source(self, asked: HTTPConnection) -> str:
        """Return the address that a request counts as."""
        return self.visitors.source(asked.client.host if asked.client else "", asked.headers)

    def refuses(self, who: Identity, request: Request) -> Response | None:
        """Return what somebody is told who may not come in; None: they may."""
        if (banned := self.services.conduct.check_access(who)) is not None:
            return self.told(request, barred(banned, "web.no-entry", look_of(request)), 403)
        if (why := self.login_policy.refuses_browser(who)) is not None:
            return self.said(request, why, 403, line=self.reached_at.line())
        return None

    def may_come(self, who: Identity) -> bool:
        """Tell whether somebody may open a session, or go on with one."""
        return self.services.conduct.check_access(who) is None and self.login_policy.refuses_browser(who) is None

    def page(self, template: str, request: Request, back: str = "", **params: Any) -> bytes:
        """Return a page. `back`: where one comes who changes the language on it; empty: to the page itself."""
        settings = self.services.settings
        everywhere = {
            "name": settings.name,
            "ssh": self.reached_at.line(),
            "origin": settings.web_origin,
            "lets_play": self.login_policy.lets_strangers_in,
            "languages": SHORT_NAMES,
            "back": back or address_of(request),
        }
        return page(template, look_of(request), **params, **everywhere)

    def said(self, request: Request, key: str, status: int, **params: object) -> Response:
        """Answer with the sentence of a key, the same at every address."""
        return self.told(request, look_of(request).t(key, **params), status)

    def told(self, request: Request, said: str, status: int) -> Response:
        """Answer with a sentence."""
        return personal(self.page("said.html", request, back="/", said=said), status=status)

    def not_found(self, request: Request) -> Response:
        """Answer as for what nobody has: the same for what is not to be known."""
        return self.said(request, "web.not-found", 404)

    def is_own_form(self, request: Request) -> bool:
        """Tell whether a form was sent from a page of this site.

        Where a page sends no referrer, its forms have the origin "null"; whose they are the browser itself says then,
        in a header that no page can set.
        """
        if request.headers.get("origin") == "null":
            return request.headers.get("sec-fetch-site") == "same-origin"
        return self.is_own_origin(request)

    def is_own_origin(self, asked: HTTPConnection) -> bool:
        """Tell whether a page of this site asks: by its links' origin, or where none is set by the host asked for."""
        said, origin = asked.headers.get("origin", ""), self.services.settings.web_origin
        if origin:
            return said == origin
        return said.partition("://")[2] == asked.headers.get("host", "") != ""
