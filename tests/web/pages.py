"""A server with a door for browsers, and clients for it."""

from __future__ import annotations

import asyncio
import http.client
import json
import re
import socket
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from websockets.asyncio.client import ClientConnection, connect

from tests.session.browsing import draw
from tests.ssh.server import Server, running
from tests.waiting import PATIENCE_S

PAGES = re.compile(r"pages: http://127\.0\.0\.1:(\d+)/")


@dataclass
class Answer:
    """What a request got; `headers` without the time."""

    status: int
    headers: dict[str, str]
    body: str


def web_port(server: Server) -> int:
    """Return the port of the pages: the one that was asked for, else the one that was printed."""
    if (asked := int(server.env["PATCHBAY_WEB_PORT"])) != 0:
        return asked
    [port] = [int(found[1]) for line in server.said if (found := PAGES.fullmatch(line))][-1:]
    return port


@asynccontextmanager
async def open_door(tmp_path: Path, **env: str) -> AsyncIterator[Server]:
    """Start a server with a door for browsers."""
    with running(tmp_path, env={"PATCHBAY_WEB_PORT": "0", **env}) as server:
        yield server


def own_links() -> dict[str, str]:
    """Return what makes a server's door open at a free port that its links name."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    return {"PATCHBAY_WEB_PORT": str(port), "PATCHBAY_WEB_URL": f"http://127.0.0.1:{port}"}


async def get(server: Server, path: str, headers: Mapping[str, str] | None = None) -> Answer:
    """Ask for a page."""

    def ask() -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", web_port(server), timeout=PATIENCE_S)
        try:
            connection.request("GET", path, headers=dict(headers or {}))
            got = connection.getresponse()
            kept = {name.lower(): value for name, value in got.getheaders() if name.lower() != "date"}
            return Answer(got.status, kept, got.read().decode())
        finally:
            connection.close()

    return await asyncio.to_thread(ask)


async def sign_in(server: Server, key: Path) -> str:
    """Sign a browser in by a link from ssh, as its owner does; return its cookie."""
    status, link, said = await server.ssh("web", key=key)
    assert status == 0, said
    path = link.strip().removeprefix(server.env["PATCHBAY_WEB_URL"])
    form = await get(server, path)
    [token] = re.findall(r'name="token" value="([^"]+)"', form.body)
    headers = {"origin": server.env["PATCHBAY_WEB_URL"], "cookie": form.headers["set-cookie"].partition(";")[0]}

    def send() -> str:
        connection = http.client.HTTPConnection("127.0.0.1", web_port(server), timeout=PATIENCE_S)
        try:
            connection.request("POST", path, urlencode({"token": token}), headers)
            given = connection.getresponse().headers.get_all("set-cookie") or []
            return next(one.partition(";")[0] for one in given if one.startswith("patchbay="))
        finally:
            connection.close()

    return await asyncio.to_thread(send)


@dataclass
class Page:
    """A page's end of a socket, as docs/browser.md says it."""

    socket: ClientConnection
    lines: list[str] = field(default_factory=list)  # as they came
    rows: list[list[tuple[str, str, int]]] = field(default_factory=list)
    means: dict[str, Any] = field(default_factory=dict)
    told: dict[int, str] = field(default_factory=dict)
    others: dict[str, Any] = field(default_factory=dict)

    async def take(self) -> None:
        """Take the next message."""
        async with asyncio.timeout(PATIENCE_S):
            text = str(await self.socket.recv())
        for line in text.split("\n")[:-1]:
            self.lines.append(line)
            [(kind, value)] = json.loads(line).items()
            self.apply(kind, value)

    def apply(self, kind: str, value: Any) -> None:
        """Show what a line says."""
        match kind:
            case "size" | "row":
                draw(self.rows, kind, value)
            case "means":
                self.told |= dict(value.pop("happened", ()))
                self.means |= value
            case _:
                self.others[kind] = value

    @property
    def text(self) -> str:
        """Return the rows as text."""
        return "\n".join("".join(text for _, text, _ in row) for row in self.rows)

    async def until(self, shown: str) -> None:
        """Take messages until a text shows in the grid or the log."""
        while shown not in self.text and not any(shown in line for line in self.told.values()):
            await self.take()

    async def means_that(self, is_so: Callable[[dict[str, Any]], Any]) -> None:
        """Take messages until the page means something."""
        while not (self.means and is_so(self.means)):
            await self.take()

    async def send(self, **message: Any) -> None:
        """Send a message."""
        await self.socket.send(json.dumps(message))


@asynccontextmanager
async def page(
    server: Server,
    place: str,
    id: str = "",
    origin: str | None = "",
    cookie: str = "",
    receive_bytes: int | None = None,
    **hello: Any,
) -> AsyncIterator[Page]:
    """Open a socket and say hello; `origin`: of the page, empty: the server's own; `cookie`: who the browser is.

    `receive_bytes`: that the system takes before they are read; None: as it likes.
    """
    at = f"127.0.0.1:{web_port(server)}"
    said = f"http://{at}" if origin == "" else origin
    headers = {"cookie": cookie} if cookie else {}
    sock = socket.socket()
    if receive_bytes is not None:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
    sock.connect(("127.0.0.1", web_port(server)))
    made = connect(
        f"ws://{at}/socket",
        origin=said,  # type: ignore[arg-type]
        compression=None,
        additional_headers=headers,
        sock=sock,
        max_queue=1,
    )
    async with made as opened:
        shown = Page(opened)
        await shown.send(place=place, id=id, **{"size": [80, 24], "lang": "en", **hello})
        yield shown
