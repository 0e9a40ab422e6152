"""The pages of a server in this process, with an account."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from starlette.types import ASGIApp

from server.address import Address
from server.admission.login_policy import LoginPolicy
from server.config import Settings
from server.services import Services
from server.web.cookies import Cookies
from server.web.guard import Guard
from server.web.opening import further_routes
from server.web.site import Site
from tests.accounts.test_browsers import fp
from tests.web.asking import ORIGIN, Browser

SOURCE = "192.0.2.1"


@dataclass
class House:
    """The services, and the pages that this is about."""

    services: Services
    cookies: Cookies
    app: ASGIApp
    account_id: int

    async def link(self) -> str:
        """Return the path of a link that signs in as miranda."""
        return f"/signin/{await self.services.accounts.browsers.make_code(self.account_id, fp('miranda'))}"

    async def name_of(self, browser: Browser) -> str:
        """Return who the server takes a browser for."""
        held = {"cookies": browser.cookies}
        who = await self.cookies.identity(type("Asked", (), held)(), browser.source)
        return who.name


def pages(services: Services) -> tuple[Cookies, ASGIApp]:
    guard = Guard(services, LoginPolicy(services.settings), Address("play.example.org", 22))
    no_sockets: Any = None
    return guard.cookies, Site(guard, no_sockets, "", no_sockets, further_routes(guard)).app()


def closed_pages(services: Services) -> ASGIApp:
    """Return the pages of a server without guests."""
    settings: Any = Settings(web_url=ORIGIN, guests="off")
    return pages(replace(services, settings=settings))[1]
