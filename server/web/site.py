"""The site: every address a browser may ask for, and what it answers."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from game.contract import Watcher
from game.options import has_open_hands
from server.accounts.identity import Identity
from server.address import Address
from server.admission.gate import Gate, TurnedAway
from server.boards.played import played_as_cast
from server.boards.seats import ladder_name
from server.boards.wire import position_json, to_json
from server.errors import Refused
from server.i18n.refusals import reasons, wording
from server.matches.errors import MatchRunning, NoSuchMatch, NotWatchable
from server.matches.match import Match
from server.matches.model import OVER, RUNNING, MatchQuery
from server.matches.visibility import EVERYBODY
from server.ratings.ladders import all_ladders
from server.store.errors import StoreUnavailable
from server.terminal.look import Look
from server.web.answers import SafeHeaders, page, personal, public
from server.web.budget import PageBudget, TooMuch
from server.web.shown import listed, shown_match
from server.web.socket import BrowserSession, Sessions
from server.web.themes import theme_sheet
from server.web.visitor import Visitors, guest, language_of

STATIC = {"app.js": "text/javascript", "style.css": "text/css", "icon.svg": "image/svg+xml"}
FOLDER = Path(__file__).parent / "static"
LISTED = 50
NOT_FOR_ROBOTS = ("/@", "/feed/", "/signin/", "/play", "/m/*?at=", "/m/*.cast", "/m/*.record")
Identify = Callable[[HTTPConnection, str], Awaitable[Identity]]


@dataclass(frozen=True)
class Door:
    """What the site needs of the server.

    `identify`: returns who a browser's cookie says it is, which comes from an address.
    """

    sessions: Sessions
    gate: Gate
    fingerprint: str  # of the host key
    identify: Identify | None = None
    more: Iterable[BaseRoute] = ()
    visitors: Visitors = field(init=False)
    budget: PageBudget = field(init=False)

    def __post_init__(self) -> None:
        services = self.sessions.services
        object.__setattr__(self, "visitors", Visitors(services.settings.web_proxy_networks))
        object.__setattr__(self, "budget", PageBudget(services.clock.monotonic))


class Site:
    """Answers requests. Whether somebody may know of a match it asks the one rule, by `Matches.find`."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self._services = door.sessions.services

    def app(self) -> Starlette:
        """Return the application."""
        routes: list[BaseRoute] = [
            Route("/", self._guarded(self._home)),
            Route("/m/{id}.json", self._guarded(self._json)),
            Route("/m/{id}.cast", self._guarded(self._cast)),
            Route("/m/{id}.record", self._guarded(self._record)),
            Route("/m/{id}", self._guarded(self._match)),
            Route("/top/{ladder}", self._guarded(self._ladder)),
            Route("/@{handle}", self._guarded(self._profile)),
            Route("/robots.txt", self._robots),
            Route("/theme.css", self._theme),
            Route("/static/{name}", self._static),
            WebSocketRoute("/socket", self._socket),
            *self._door.more,
        ]
        handlers: dict[Any, Any] = {404: self._missing, 405: self._missing}
        return Starlette(routes=routes, middleware=[Middleware(SafeHeaders)], exception_handlers=handlers)

    def _guarded(self, answer: Callable[[Request, Identity, Look], Awaitable[Response]]) -> Any:
        async def endpoint(request: Request) -> Response:
            source = self._source(request)
            look = Look("default", "unicode", language_of(request.headers))
            if self._services.conduct.check_source(source) is not None:
                return self._refused(look, "web.banned", 403)
            try:
                return await answer(request, await self._identity(request, source), look)
            except NoSuchMatch:
                return self._not_found(look)
            except NotWatchable:
                return self._refused(look, "web.closed", 403)
            except MatchRunning as refusal:
                return self._refused(look, wording(refusal, look), 409, **reasons(refusal, look))
            except TooMuch as refusal:
                return PlainTextResponse("", 429, {"retry-after": str(int(refusal.wait_s) + 1)})
            except StoreUnavailable:
                return PlainTextResponse("", 503, {"retry-after": "5"})
            except Refused:
                return self._not_found(look)

        return endpoint

    def _source(self, request: HTTPConnection) -> str:
        return self._door.visitors.source(request.client.host if request.client else "", request.headers)

    async def _identity(self, request: HTTPConnection, source: str) -> Identity:
        identify = self._door.identify
        return guest(source) if identify is None else await identify(request, source)

    def _params(self) -> dict[str, Any]:
        at = self._door.sessions.reached_at()
        return {"name": self._services.settings.name, "ssh": at.line(), "origin": self._services.settings.web_origin}

    # Nothing here

    def _not_found(self, look: Look) -> Response:
        return self._refused(look, "web.not-found", 404)

    def _refused(self, look: Look, key: str, status: int, **params: object) -> Response:
        return personal(page("said.html", look, said=look.t(key, **params), **self._params()), status=status)

    async def _missing(self, request: Request, error: Exception) -> Response:
        return self._not_found(Look("default", "unicode", language_of(request.headers)))

    # Pages

    async def _home(self, request: Request, who: Identity, look: Look) -> Response:
        live = await self._services.matches.list(MatchQuery(statuses=RUNNING, asker=EVERYBODY, limit=LISTED))
        ladders = [(name, ladder_name(name, look)) for name in all_ladders()]
        async with self._door.budget.page(who.source, "home"):
            matches = [listed(one, look) for one in live]
            at = self._door.sessions.reached_at()
            body = page(
                "home.html",
                look,
                matches=matches,
                ladders=ladders,
                host=at.host,
                port=at.port,
                fingerprint=self._door.fingerprint,
                **self._params(),
            )
        return public(request, body)

    async def _match(self, request: Request, who: Identity, look: Look) -> Response:
        match = await self._found(request, who)
        viewer = match.sight(who)
        at = request.query_params.get("at", "")
        async with self._door.budget.page(who.source, "match"):
            shown = shown_match(match, viewer, look, int(at[:6]) if at.isdecimal() else None)
            body = page("match.html", look, match=shown, **self._params())
        return public(request, body) if self._is_public(match) else personal(body)

    async def _found(self, request: Request, who: Identity) -> Match:
        found: Match = await self._services.matches.find(request.path_params["id"][:64], who)
        return found

    def _is_public(self, match: Match) -> bool:
        """Tell whether everybody gets the same of a match."""
        return not match.facts.is_private and (match.is_over or not has_open_hands(match.terms.agreement.options))

    async def _json(self, request: Request, who: Identity, look: Look) -> Response:
        match = await self._found(request, who)
        viewer = match.sight(who)
        async with self._door.budget.page(who.source, "json"):
            body = to_json(position_json(match.snapshot(viewer), self._services.clock.now())) + b"\n"
        if match.is_over and self._is_public(match):
            return public(request, body, "application/json")
        return personal(body, "application/json")

    async def _cast(self, request: Request, who: Identity, look: Look) -> Response:
        match = await self._ended(request, who)
        viewer = match.sight(who, Watcher.OMNISCIENT)
        lines = played_as_cast(look, match, match.snapshot(viewer), viewer, 1)
        return await self._streamed(who, "cast", lines, "application/x-asciicast")

    async def _record(self, request: Request, who: Identity, look: Look) -> Response:
        match = await self._ended(request, who)
        async with self._door.budget.page(who.source, "record"):
            pass
        lines = await self._services.matches.record(match.id)
        return await self._streamed(who, "record", lines, "application/jsonl")

    async def _ended(self, request: Request, who: Identity) -> Match:
        """Return a match whose end may be shown. Raises MatchRunning."""
        match = await self._found(request, who)
        _ = match.sight(who, Watcher.OMNISCIENT)
        return match

    async def _streamed(self, who: Identity, kind: str, lines: Iterable[str], media_type: str) -> Response:
        async with self._door.budget.page(who.source, kind):
            pass

        async def slices() -> AsyncIterator[bytes]:
            for line in lines:
                yield line.encode() + b"\n"
                await asyncio.sleep(0)  # there may be hundreds

        return StreamingResponse(slices(), media_type=media_type)

    async def _ladder(self, request: Request, who: Identity, look: Look) -> Response:
        name = request.path_params["ladder"]
        if name not in all_ladders():
            return self._not_found(look)
        ranked = await self._services.ratings.top(name)
        async with self._door.budget.page(who.source, "ladder"):
            body = page("ladder.html", look, ladder=ladder_name(name, look), rows=ranked, **self._params())
        return public(request, body)

    async def _profile(self, request: Request, who: Identity, look: Look) -> Response:
        account = await self._services.accounts.by_handle(request.path_params["handle"][:40])
        if account is None:
            return self._not_found(look)
        ratings = await self._services.ratings.all_of(account.id)
        query = MatchQuery(statuses=OVER, account_id=account.id, asker=EVERYBODY, limit=LISTED)
        found = await self._services.matches.list(query)
        async with self._door.budget.page(who.source, "profile"):
            body = page(
                "profile.html",
                look,
                handle=account.handle,
                ratings=[(ladder_name(one, look), rating) for one, rating in ratings.items()],
                matches=[listed(one, look) for one in found],
                **self._params(),
            )
        return public(request, body)

    # Files

    async def _robots(self, request: Request) -> Response:
        return PlainTextResponse("\n".join(("User-agent: *", *(f"Disallow: {one}" for one in NOT_FOR_ROBOTS), "")))

    async def _static(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in STATIC:
            return self._not_found(Look("default", "unicode", language_of(request.headers)))
        return public(request, (FOLDER / name).read_bytes(), STATIC[name])

    async def _theme(self, request: Request) -> Response:
        return public(request, theme_sheet().encode(), "text/css")

    # Sessions

    async def _socket(self, socket: WebSocket) -> None:
        source = self._source(socket)
        identity = await self._identity(socket, source)
        if not self._is_of_ours(socket) or self._may_not_come(identity):
            await socket.close(1008)
            return
        session = BrowserSession(socket, identity, secrets.token_hex(8), self._door.sessions)
        try:
            place = self._door.gate.enter(identity.sources, lambda why: session.end_session(why, 1))
        except TurnedAway:
            await socket.close(1013)
            return
        try:
            place.use(True)
            await socket.accept()
            await session.run()
        finally:
            place.leave()

    def _is_of_ours(self, socket: WebSocket) -> bool:
        """Tell whether a page of this site opens the socket: other sites' pages must not act for their visitors."""
        return is_own_origin(socket, self._services.settings.web_origin)

    def _may_not_come(self, who: Identity) -> bool:
        services = self._services
        if services.conduct.check_access(who) is not None or services.matches.is_draining:
            return True
        return who.is_guest and (services.settings.guests == "off" or services.settings.allowed_keys is not None)


def is_own_origin(asked: HTTPConnection, origin: str) -> bool:
    """Tell whether a request comes from a page of this site. `origin`: of its links; empty: the host that was asked."""
    said = asked.headers.get("origin", "")
    if origin:
        return said == origin
    return said.partition("://")[2] == asked.headers.get("host", "") != ""


def reached(settings_address: Address | None, port: int) -> Address:
    """Return how people come by ssh, as far as the settings say it."""
    return settings_address or Address("localhost", port)
