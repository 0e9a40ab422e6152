"""A session over a socket: what arrives goes to its screen, what the screen says goes out while the page reads."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from game.cli.exits import Exit
from server.accounts.identity import Identity
from server.admission.audience import Audience, Say, silently, text
from server.i18n.catalogues import FALLBACK, catalogue
from server.i18n.refusals import barred
from server.log import get_logger
from server.services import Services
from server.session.audience import SessionAudience
from server.session.places import Landing, LostPage
from server.session.session import Routes, Session
from server.session.sharing import Groups
from server.store.errors import StoreUnavailable
from server.terminal.paint import readable
from server.terminal.rowterminal import RowTerminal, browser, line
from server.terminal.term import DEFAULT_SIZE, Ground
from server.tokenbucket import Bucket
from server.web.guard import Guard

log = get_logger("web")
GONE = (WebSocketDisconnect, TimeoutError, RuntimeError)  # of a socket whose other side is not there any more
HELLO_S = 10.0
WATCH_S = 5.0
PARTING_S = 1.0  # in which a page takes what it is told last
MOST_UNREAD = 16 * 1024  # bytes that wait for the socket above which frames are skipped
MESSAGE_BYTES = 16 * 1024
INPUT_PER_S, INPUT_BURST = 1024, 16 * 1024  # bytes
MOST_PAUSE_S = 2.0  # after one message: meanwhile nobody notices that a page is gone
MOST_KEY = 24  # characters of a key's name
PLACES = ("lobby", "watch", "replay", "join", "page")


class SocketWriter:
    """Bytes for one socket, sent by a task while there are any; `paused` while too many wait."""

    def __init__(self, send: Callable[[str], Any]) -> None:
        self._send = send
        self._waiting = bytearray()
        self._in_flight = 0
        self._sending: asyncio.Task[None] | None = None
        self._has_skipped = False
        self._on_resume: Callable[[], None] = lambda: None
        self.since: float | None = None  # since when the socket has not taken anything

    @property
    def waiting_bytes(self) -> int:
        """Return what was written and not taken."""
        return len(self._waiting) + self._in_flight

    @property
    def paused(self) -> bool:
        """Tell whether bytes written now would only wait. Who is told so skips a frame, and hears when it may go on."""
        is_paused = self.waiting_bytes > MOST_UNREAD
        self._has_skipped = self._has_skipped or is_paused
        return is_paused

    def resumes(self, hears: Callable[[], None]) -> None:
        """Call back when the page reads again after a pause."""
        self._on_resume = hears

    def write(self, data: bytes) -> None:
        """Send soon."""
        self._waiting += data
        if self._sending is None:
            self._sending = asyncio.create_task(self._send_all(), name="socket")

    async def _send_all(self) -> None:
        loop = asyncio.get_running_loop()
        with suppress(*GONE):
            while self._waiting:
                text, self._waiting = self._waiting.decode(), bytearray()
                self._in_flight, self.since = len(text), loop.time()
                await self._send(text)
                self._in_flight, self.since = 0, None
                if self._has_skipped and self.waiting_bytes <= MOST_UNREAD:
                    self._has_skipped = False
                    self._on_resume()
        self._sending = None

    def drop(self) -> None:
        """Forget what waits."""
        self._waiting.clear()

    async def flush(self) -> None:
        """Wait until all was taken."""
        if self._sending is not None:
            await asyncio.wait((self._sending,))

    async def close(self) -> None:
        """Send no more."""
        if self._sending is not None:
            self._sending.cancel()
            await asyncio.wait((self._sending,))


@dataclass(frozen=True, slots=True)
class Sessions:
    """What all sessions of browsers have in common. `open`: those that run, for admins' orders."""

    guard: Guard
    routes: Routes
    groups: Groups
    open: set[BrowserSession]

    @property
    def services(self) -> Services:
        """Return what sessions work with."""
        return self.guard.services

    async def close_stale(self) -> None:
        """End those who have read nothing for too long, and who may not come in any more, or not as who they are.

        Raises StoreUnavailable.
        """
        for one in list(self.open):
            one.close_if_stale()
        gone = await self.services.accounts.browsers.gone([one.identity for one in self.open])
        for one in list(self.open):
            if one.identity.browser in gone:
                one.end_session(text("ended.signed-out"), Exit.NOT_ALLOWED)

    @property
    def every_s(self) -> float:
        """Return how often to look."""
        return min(WATCH_S, self.services.settings.limits.stall_s / 4)


class BrowserSession:
    """One page's session. Admins' orders reach it as they do those of ssh."""

    def __init__(self, socket: WebSocket, identity: Identity, name: str, shared: Sessions) -> None:
        """`name`: of this terminal, among all that one person may have open."""
        self.identity, self.session = identity, name
        self.audience = Audience()
        self._socket, self._shared = socket, shared
        self._writer = SocketWriter(socket.send_text)
        self._ending: tuple[Say, int] | None = None
        self._language = FALLBACK  # what its session showed last
        self._running: Session | None = None

    @property
    def source(self) -> str:
        """Return the address it comes from."""
        return self.identity.source

    @property
    def waiting_bytes(self) -> int:
        """Return what the page has not read."""
        return self._writer.waiting_bytes

    def become(self, identity: Identity) -> None:
        """Serve somebody else from now on; end where they may not be here."""
        self.identity = identity
        if (refusal := self._shared.services.conduct.check_access(identity)) is not None:
            self.end_session(partial(barred, refusal, "barred.leave"), Exit.NOT_ALLOWED)

    def end_session(self, say: Say, status: int) -> None:
        """End with a message; with DRAINING the page comes back by itself."""
        self._ending = say, status
        if self._running is not None:
            self._running.end(status)

    def abort(self) -> None:
        """End at once, whatever waits."""
        self._writer.drop()
        self.end_session(silently, Exit.REFUSED)

    async def run(self) -> None:
        """Serve until the page is closed or the person quits."""
        self._shared.open.add(self)
        try:
            with suppress(*GONE):
                async with asyncio.timeout(HELLO_S):
                    hello = decoded(await self._text())
                await self._serve(hello)
        finally:
            self._shared.open.discard(self)
            await self._writer.close()
            with suppress(*GONE):
                async with asyncio.timeout(PARTING_S):
                    await self._socket.close()

    async def _serve(self, hello: dict[str, Any]) -> None:
        """Show the session as long as it lasts, and say how it ended."""
        ground: Ground = "light" if hello.get("ground") == "light" else "dark"
        screen = RowTerminal(self._writer, browser(ground), _size(hello.get("size")))
        self._writer.resumes(screen.resume)
        ended = await self._shown(screen, self._landing(hello)) if self._ending is None else ()
        say, status = self._ending or end_of(ended)
        screen.send(line("over", [say(catalogue(self._language)), status == Exit.DRAINING]))
        with suppress(TimeoutError):
            async with asyncio.timeout(PARTING_S):
                await self._writer.flush()

    async def _shown(self, screen: RowTerminal, landing: Landing) -> Sequence[object]:
        """Run the session in this task, reading what comes in another; return what each of them ended with."""
        shared = self._shared
        session = Session(screen, self.identity, shared.services, shared.routes, shared.groups, landing, self.become)
        self.audience, self._running = SessionAudience(session), session
        reading = asyncio.create_task(self._read(screen, session), name="browser input")
        try:
            ended = await outcome(session.run())
        finally:
            reading.cancel()
            [read] = await asyncio.gather(reading, return_exceptions=True)
            self._language = session.look.language
            self.audience, self._running = Audience(), None
        return ended, read

    def _landing(self, hello: dict[str, Any]) -> Landing:
        place, argument, lang = (str(hello.get(name, ""))[:64] for name in ("place", "id", "lang"))
        begun = Landing(lang=lang, session=self.session, reached_at=self._shared.guard.reached_at, left=_left(hello))
        if place not in PLACES or (place != "lobby" and not argument):
            return begun
        return replace(begun, place=place, argument=argument)  # type: ignore[arg-type]

    async def _read(self, screen: RowTerminal, session: Session) -> None:
        """Take what the page sends, at a bounded rate; the session ends when it sends no more."""
        loop = asyncio.get_running_loop()
        bucket = Bucket(INPUT_PER_S, INPUT_BURST, loop.time())
        try:
            while True:
                text = await self._text()
                pause_s = bucket.take(len(text), loop.time())
                self._shared.groups.queue.answer(partial(receive, screen, decoded(text)))
                await asyncio.sleep(min(pause_s, MOST_PAUSE_S))
        finally:
            session.end()

    async def _text(self) -> str:
        """Return the next text message. Raises WebSocketDisconnect, also for what is no text."""
        message = await self._socket.receive()
        if not isinstance(message.get("text"), str):
            raise WebSocketDisconnect
        return str(message["text"])

    def close_if_stale(self) -> None:
        """End where the page has read nothing for too long, or the person may not come in any more."""
        if not self._shared.guard.may_come(self.identity):
            self.end_session(silently, Exit.NOT_ALLOWED)
        since, limits = self._writer.since, self._shared.services.settings.limits
        if since is not None and asyncio.get_running_loop().time() - since >= limits.stall_s:
            log.info("client cut off", why="stalled", source=self.source)
            self.abort()


def _left(hello: dict[str, Any]) -> LostPage | None:
    """Return what a page had when its connection was lost; None: it opens for the first time."""
    try:
        return msgspec.convert(hello.get("left"), LostPage | None)
    except msgspec.ValidationError:
        return None


def decoded(text: str) -> dict[str, Any]:
    """Return an object of JSON; empty: it is none."""
    try:
        found = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


async def outcome(work: Awaitable[object]) -> object:
    """Return what some work returned or, where it went wrong, its error."""
    try:
        return await work
    except Exception as error:  # the guard of one session  # noqa: BLE001
        return error


def end_of(ended: Sequence[object]) -> tuple[Say, int]:
    """Return what is said at the end of a session, and its status; an error of ours is logged."""
    for error in ended:
        if isinstance(error, StoreUnavailable):
            log.warning("store unavailable", why=error.why)
            return text("ended.unavailable.page"), Exit.DRAINING
        if isinstance(error, Exception) and not isinstance(error, GONE):
            log.error("session failed", exc_info=error)
            return text("ended.went-wrong.page"), Exit.REFUSED
    return silently, Exit.OK


def receive(screen: RowTerminal, message: Mapping[str, Any]) -> None:
    """Take what a page sends: a key, a typed line, a row, a tap or a size. All else is ignored."""
    match message:
        case {"key": str(key)} if 0 < len(key) <= MOST_KEY and key == readable(key):
            screen.press(key)
        case {"line": str(text), "under": str(label), "whole": bool(is_whole)}:
            screen.type_line(text, label, is_whole)
        case {"row": int(number), "text": str(text)}:
            screen.choose(number, text, message.get("opens") is not False)
        case {"tap": [int(col), int(row)]}:
            screen.tap(col, row)
        case {"size": [int(cols), int(rows)]}:
            screen.resize(cols, rows)


def _size(said: object) -> tuple[int, int]:
    match said:
        case [int(cols), int(rows)]:
            return cols, rows
    return DEFAULT_SIZE
