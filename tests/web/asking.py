"""Asks an ASGI application for pages, as a browser with its cookies does, without a socket."""

from __future__ import annotations

from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Any

from starlette.types import ASGIApp

ORIGIN = "https://play.example.org"


@dataclass(frozen=True)
class Answer:
    """What came back. `set_cookies`: as they were written."""

    status: int
    headers: dict[str, str]
    set_cookies: tuple[str, ...]
    text: str


@dataclass
class Browser:
    """A browser that comes from an address and keeps its cookies."""

    app: ASGIApp
    source: str = "192.0.2.1"
    cookies: dict[str, str] = field(default_factory=dict)

    async def get(self, path: str, kept: str = "") -> Answer:
        """Ask for a page. `kept`: the tag of what the browser has."""
        return await self._ask("GET", path, {"if-none-match": kept} if kept else {}, b"")

    async def post(self, path: str, body: str = "", origin: str | None = ORIGIN, site: str = "") -> Answer:
        """Send a form from a page of this origin; None: it says none. `site`: whose page the browser says it is."""
        said = {"origin": origin, "sec-fetch-site": site}
        return await self._ask("POST", path, {name: value for name, value in said.items() if value}, body.encode())

    async def _ask(self, method: str, path: str, more: dict[str, str], body: bytes) -> Answer:
        held = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        headers = {"host": "play.example.org", **({"cookie": held} if held else {}), **more}
        path, _, query = path.partition("?")
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "scheme": "https",
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
            "client": (self.source, 40_000),
            "server": ("127.0.0.1", 80),
        }
        sent: list[Any] = []

        async def receive() -> Any:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            sent.append(message)

        await self.app(scope, receive, send)
        start = next(one for one in sent if one["type"] == "http.response.start")
        pairs = [(name.decode(), value.decode()) for name, value in start["headers"]]
        written = tuple(value for name, value in pairs if name == "set-cookie")
        for one in written:
            for name, morsel in SimpleCookie(one).items():
                self.cookies[name] = morsel.value
                if morsel["max-age"] == "0":
                    del self.cookies[name]
        text = b"".join(one.get("body", b"") for one in sent if one["type"] == "http.response.body").decode()
        return Answer(start["status"], dict(pairs), written, text)
