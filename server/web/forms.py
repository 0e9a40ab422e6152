"""What forms send, and where they lead back to."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qsl, quote

from starlette.requests import Request

FORM_BYTES = 4096
ADDRESS_CHARS = 1000
FIRST_PAGE = "/"


async def read_form(request: Request) -> Mapping[str, str]:
    """Return the fields of a form; none where it is too long."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > FORM_BYTES:
            return {}
    return dict(parse_qsl(body.decode("ascii", "replace")))


def address_of(request: Request) -> str:
    """Return the address of a page; where a form was sent to it, or it is very long, the first page's."""
    query = request.url.query
    address = quote(request.scope["path"]) + (f"?{query}" if query else "")
    return address if request.method == "GET" and len(address) <= ADDRESS_CHARS else FIRST_PAGE


def own_address(said: str) -> str:
    """Return an address that a form named, where it is on this site; else the first page's.

    >>> own_address("/m/abc?at=3"), own_address("//other.example"), own_address("https://other.example")
    ('/m/abc?at=3', '/', '/')
    """
    is_own = said.startswith("/") and not said.startswith(("//", "/\\")) and said.isascii() and said.isprintable()
    return said if is_own else FIRST_PAGE
