"""Answers to requests: the headers that all have, pages made of templates, and what may be kept of them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.log import get_logger
from server.terminal.look import Look

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
}
TEMPLATES = Environment(
    loader=PackageLoader("server.web", "pages"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


log = get_logger("web")


class SafeHeaders:
    """Adds the headers that every answer has; an error of ours is logged, without what was asked, and answered."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, with the headers."""
        has_begun = False

        async def with_headers(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("cache-control", "no-store")
            await send(message)

        try:
            await self._app(scope, receive, with_headers)
        except Exception:  # the guard of one answer
            log.exception("answer failed")
            if has_begun:
                raise
            await Response(status_code=500)(scope, receive, with_headers)


def page(template: str, look: Look, **params: Any) -> bytes:
    """Return a page."""
    return TEMPLATES.get_template(template).render(t=look.t, lang=look.language.replace("_", "-"), **params).encode()


@dataclass(frozen=True, slots=True)
class Shared:
    """What everybody gets alike: it may be kept, and is asked for again."""

    body: bytes
    kind: str
    tag: str

    @classmethod
    def of(cls, body: bytes, kind: str) -> Shared:
        """Return a body with its tag."""
        return cls(body, kind, f'"{hashlib.sha256(body).hexdigest()[:32]}"')

    def answer(self, request: Request) -> Response:
        """Answer with it, or with nothing where the browser has it."""
        headers = {"etag": self.tag, "cache-control": "no-cache", "vary": "accept-language, cookie"}
        if self.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return Response(self.body, media_type=self.kind, headers=headers)


def public(request: Request, body: bytes, kind: str = "text/html") -> Response:
    """Answer with what everybody gets alike at this moment."""
    return Shared.of(body, kind).answer(request)


def personal(body: bytes, kind: str = "text/html", status: int = 200) -> Response:
    """Answer with what depends on who asks: nobody keeps it."""
    return Response(body, status, media_type=kind)


def too_much(wait_ms: int) -> Response:
    """Refuse for now."""
    return Response(status_code=429, headers={"retry-after": str(wait_ms // 1000 + 1), "connection": "close"})
