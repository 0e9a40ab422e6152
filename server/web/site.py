"""The site: every address a browser may ask for, and what it answers."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Iterable
from contextlib import aclosing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket
from uvicorn.protocols.utils import ClientDisconnected

from game.cli.exits import Exit
from game.contract import Watcher
from game.options import has_open_hands
from server.accounts.identity import Identity
from server.accounts.sources import Sources
from server.admission.gate import Gate, TurnedAway
from server.admission.reading import FRAME_MS, PRINTED_MS, SESSION_MS, TooMuchRead
from server.boards.gamefacts import about, playable, size_words
from server.boards.recordings import played_as_cast
from server.boards.rulebook import ALL_GAMES
from server.boards.seats import ladder_name
from server.boards.wire import position_json, to_json
from server.clock import parse_rfc3339
from server.lobby.listing import ended_lately
from server.log import get_logger
from server.matches.match import Match
from server.matches.model import OVER, RUNNING, MatchQuery
from server.matches.visibility import EVERYBODY, Knowledge, knowledge
from server.ratings.ladders import all_ladders, is_of_machines, other_ladder
from server.roundrobin import RoundRobin
from server.store.errors import StoreUnavailable
from server.terminal.look import Look
from server.web.answers import SafeHeaders, Shared, personal, public
from server.web.guard import Guard, PageRequest
from server.web.matches import ended, listed, shown_match
from server.web.rules import rules_title
from server.web.socket import BrowserSession, Sessions
from server.web.themes import theme_sheet

log = get_logger("web")
POLICY, TRY_LATER = 1008, 1013  # why a socket is closed (RFC 6455)
STATIC = {"app.js": "text/javascript", "style.css": "text/css", "icon.svg": "image/svg+xml"}
FOLDER = Path(__file__).parent / "static"
LISTED = 50
NOT_FOR_ROBOTS = ("/feed/", "/signin/", "/play", "/m/*?at=", "/m/*.cast", "/m/*.record")


class Site:
    """Answers requests. Whether somebody may know of a match it asks the one rule, by `Matches.find`."""

    def __init__(
        self, guard: Guard, gate: Gate, fingerprint: str, sessions: Sessions, more: Iterable[BaseRoute]
    ) -> None:
        """`fingerprint`: of the host key; `more`: other addresses."""
        self._guard, self._gate, self._fingerprint, self._sessions = guard, gate, fingerprint, sessions
        self._more = more
        self._services = guard.services
        self._files = files()

    def app(self) -> ASGIApp:
        """Return the application. A socket stays for hours: it does not wait inside what finds and answers pages."""
        route = self._guard.route
        routes: list[BaseRoute] = [
            route("/", self._home, is_open=True),
            route("/m/{id}.json", self._json),
            route("/m/{id}.cast", self._cast),
            route("/m/{id}.record", self._record),
            route("/m/{id}", self._match),
            route("/top/{ladder}", self._ladder),
            route("/@{handle}", self._profile),
            Route("/robots.txt", self._file),
            Route("/theme.css", self._file),
            Route("/static/{name}", self._file),
            *self._more,
            Route("/{path:path}", self._missing),  # or starlette leads from `/play/` to the host that the request names
        ]
        handlers: dict[Any, Any] = {404: self._missing, 405: self._missing}
        pages = SafeHeaders(Starlette(routes=routes, exception_handlers=handlers))
        turns = RoundRobin()

        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            await turns.give()  # keys that came meanwhile go first
            if scope["type"] == "websocket":
                await self._socket(HTTPConnection(scope), WebSocket(scope, receive, send))
            else:
                await pages(scope, receive, send)

        return answer

    # Pages

    async def _home(self, asked: PageRequest) -> Response:
        """Say what this is and how to come, and to who may come in what there is."""
        may_look, look, at = self._guard.may_come(asked.who), asked.look, self._guard.reached_at
        query = MatchQuery(statuses=RUNNING, asker=EVERYBODY, limit=LISTED)
        live = await self._services.matches.list(query) if may_look else []
        lately = await ended_lately(self._services.matches) if may_look else ()
        async with asked.bill.drawing():
            body = self._guard.page(
                "home.html",
                asked.request,
                may_look=may_look,
                matches=[listed(one, look) for one in live],
                games=[game_told(one, look) for one in playable()],
                all_games=ALL_GAMES,
                lately=[ended(one, look) for one in lately],
                ladders=[(name, ladder_name(name, look)) for name in all_ladders() if not is_of_machines(name)],
                host=at.host,
                port=at.port,
                fingerprint=self._fingerprint,
            )
        return self._public(asked, body)

    async def _match(self, asked: PageRequest) -> Response:
        match = await self._found(asked)
        viewer = match.sight(asked.who, Watcher.OMNISCIENT if match.is_over else Watcher.PUBLIC)
        look = asked.look
        at = asked.request.query_params.get("at", "")
        async with asked.bill.drawing():
            shown = shown_match(match, viewer, look, int(at[:6]) if at.isdecimal() else None)
            body = self._guard.page("match.html", asked.request, match=shown)
        return self._public(asked, body) if is_public(match) else personal(body)

    async def _found(self, asked: PageRequest) -> Match:
        found: Match = await self._services.matches.find(asked.request.path_params["id"][:64], asked.who)
        return found

    def _public(self, asked: PageRequest, body: bytes, kind: str = "text/html") -> Response:
        """Answer with what all get alike; where strangers may not come in, nothing is."""
        is_everybodys = self._guard.login_policy.lets_strangers_in
        return public(asked.request, body, kind) if is_everybodys else personal(body, kind)

    async def _json(self, asked: PageRequest) -> Response:
        match = await self._found(asked)
        viewer = match.sight(asked.who)
        async with asked.bill.drawing():
            body = to_json(position_json(match.snapshot(viewer), self._services.clock.now())) + b"\n"
        if match.is_over and is_public(match):
            return self._public(asked, body, "application/json")
        return personal(body, "application/json")

    async def _cast(self, asked: PageRequest) -> Response:
        match = await self._ended(asked)
        viewer = match.sight(asked.who, Watcher.OMNISCIENT)
        last = match.snapshot(viewer)
        asked.bill.expect(last.seq * FRAME_MS)
        return _streamed(asked, played_as_cast(asked.look, match, last, viewer, 1), "application/x-asciicast")

    async def _record(self, asked: PageRequest) -> Response:
        match = await self._ended(asked)
        asked.bill.expect(match.live.shown.seq * PRINTED_MS)
        return _streamed(asked, await self._services.matches.record(match.id), "application/jsonl")

    async def _ended(self, asked: PageRequest) -> Match:
        """Return a match whose end may be shown. Raises MatchRunning."""
        match = await self._found(asked)
        match.sight(asked.who, Watcher.OMNISCIENT)
        return match

    async def _ladder(self, asked: PageRequest) -> Response:
        name = asked.request.path_params["ladder"]
        if name not in all_ladders():
            return self._guard.not_found(asked.request)
        ranked, other = await self._services.ratings.top(name), other_ladder(name)
        async with asked.bill.drawing():
            body = self._guard.page(
                "ladder.html",
                asked.request,
                ladder=ladder_name(name, asked.look),
                rows=ranked,
                other=other,
                other_name=ladder_name(other, asked.look),
            )
        return self._public(asked, body)

    async def _profile(self, asked: PageRequest) -> Response:
        look = asked.look
        account = await self._services.accounts.by_handle(asked.request.path_params["handle"][:40])
        if account is None:
            return self._guard.not_found(asked.request)
        ratings = await self._services.ratings.all_of(account.id)
        before = moment_of(asked.request.query_params.get("before", ""))
        theirs = MatchQuery(account_id=account.id, asker=EVERYBODY, limit=LISTED + 1)
        live = [] if before else await self._services.matches.list(replace(theirs, statuses=RUNNING))
        found = await self._services.matches.list(replace(theirs, statuses=OVER, before=before))
        shown, is_last = found[:LISTED], len(found) <= LISTED
        is_indexed = (await self._services.accounts.preferences(account.id)).indexed
        async with asked.bill.drawing():
            body = self._guard.page(
                "profile.html",
                asked.request,
                handle=account.handle,
                is_indexed=is_indexed and before is None,
                ratings=[(one, ladder_name(one, look), rating) for one, rating in ratings.items()],
                live=[listed(one, look) for one in live],
                matches=[ended(one, look, account.id) for one in shown],
                older="" if is_last else exactly(shown[-1].ended_at or shown[-1].started_at),
                is_newest=before is None,
            )
        return self._public(asked, body)

    # Files

    async def _file(self, request: Request) -> Response:
        file = self._files.get(request.url.path)
        if file is None:
            return await self._missing(request)
        return self._guard.cheaply(request, file.answer)

    async def _missing(self, request: Request, error: Exception | None = None) -> Response:
        return self._guard.cheaply(request, self._guard.not_found)

    # Sessions

    async def _socket(self, asked: HTTPConnection, socket: WebSocket) -> None:
        """Serve a session to who may have one. What was asked is forgotten: a browser's request takes kilobytes."""
        who = await self._admitted(asked)
        del asked
        if not isinstance(who, Identity):
            await socket.close(who)
            return
        await self._serve(socket, who)

    async def _admitted(self, asked: HTTPConnection) -> Identity | int:
        """Return who opens a session, or with which code their socket is closed.

        A page of this site must ask: other sites' pages must not act for their visitors.
        """
        guard = self._guard
        if asked.url.path != "/socket" or not guard.is_own_origin(asked):
            return POLICY
        try:
            guard.reading.begin(Sources.of((source := guard.source(asked),)), SESSION_MS)
            identity = await guard.cookies.identity(asked, source)
        except (StoreUnavailable, TooMuchRead):
            return TRY_LATER
        return POLICY if not guard.may_come(identity) or self._services.matches.is_draining else identity

    async def _serve(self, socket: WebSocket, identity: Identity) -> None:
        session = BrowserSession(socket, identity, secrets.token_hex(8), self._sessions)
        try:
            place = self._gate.enter(identity.sources, lambda why: session.end_session(lambda texts: why, Exit.REFUSED))
        except TurnedAway:
            await socket.close(TRY_LATER)
            return
        try:
            place.use(True)
            await socket.accept()
            await session.run()
        except ClientDisconnected:  # the page was gone before its socket was accepted
            pass
        except Exception:  # the guard of one session
            log.exception("socket failed")
        finally:
            place.leave()


def files() -> dict[str, Shared]:
    """Return what changes only with the program, by its address."""
    robots = "\n".join(("User-agent: *", *(f"Disallow: {one}" for one in NOT_FOR_ROBOTS), ""))
    return {
        "/robots.txt": Shared.of(robots.encode(), "text/plain"),
        "/theme.css": Shared.of(theme_sheet().encode(), "text/css"),
        **{f"/static/{name}": Shared.of((FOLDER / name).read_bytes(), kind) for name, kind in STATIC.items()},
    }


def exactly(moment: datetime) -> str:
    """Write a moment into an address.

    >>> exactly(datetime(2026, 1, 2, 3, 4, 5, 678, UTC)), moment_of("2026-01-02T03:04:05.000678Z"), moment_of("soon")
    ('2026-01-02T03:04:05.000678Z', datetime.datetime(2026, 1, 2, 3, 4, 5, 678, tzinfo=datetime.timezone.utc), None)
    """
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def moment_of(said: str) -> datetime | None:
    """Read what `exactly` wrote; None: it is none."""
    try:
        return parse_rfc3339(said)
    except (ValueError, OverflowError):
        return None


def game_told(game: str, look: Look) -> dict[str, str]:
    """Return what the first page says of a game, and what its rules are called there."""
    title = look.t("list.pair", what=look.game(game), value=size_words(game, look))
    return {"key": game, "title": title, "about": about(game, look), "rules": rules_title(game, look)}


def _streamed(asked: PageRequest, lines: Iterable[str], media_type: str) -> Response:
    async def written() -> AsyncIterator[str]:
        async with aclosing(asked.bill.in_slices(lines)) as made:
            async for line in made:
                yield f"{line}\n"

    return StreamingResponse(written(), media_type=media_type)


def is_public(match: Match) -> bool:
    """Tell whether everybody gets the same of a match."""
    is_known = knowledge(match.facts, EVERYBODY) is Knowledge.SIGHT
    return is_known and (match.is_over or not has_open_hands(match.terms.agreement.options))
