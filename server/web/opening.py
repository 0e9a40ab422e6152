"""Opening the door for browsers: its sessions, its site and its listener, from the services of the process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.routing import BaseRoute

from game.cli.exits import Exit
from server.address import Address
from server.admission.audience import text
from server.admission.gate import Gate
from server.admission.login_policy import LoginPolicy
from server.config import Settings
from server.periodic import repeat
from server.services import Services
from server.session.session import Routes
from server.session.sharing import Groups
from server.web.feeds import FeedRoute
from server.web.guard import Guard
from server.web.language import LanguageSwitch
from server.web.listening import listening
from server.web.rules import RuleBooks
from server.web.signin import SignIn
from server.web.site import Site
from server.web.socket import BrowserSession, Sessions

PARTING_S = 2.0


@asynccontextmanager
async def serving(
    settings: Settings,
    services: Services,
    gate: Gate,
    login_policy: LoginPolicy,
    reached_at: Address,
    fingerprint: str,
    browsers: set[BrowserSession],
    screens: tuple[Routes, Groups],
    reuse_port: bool,
) -> AsyncIterator[int]:
    """Serve while the block runs; yield the port. At the end all sessions are told that they may come back.

    `reached_at`: how people come by ssh.
    """
    guard = Guard(services, login_policy, reached_at)
    sessions = Sessions(guard, *screens, browsers)
    site = Site(guard, gate, fingerprint, sessions, further_routes(guard))
    at = settings.web_host, settings.web_port or 0, reuse_port
    looking = asyncio.create_task(repeat(services.clock, sessions.every_s, sessions.close_stale), name="browsers")
    async with listening(site.app(), *at, guard.visitors) as port:
        try:
            yield port
        finally:
            looking.cancel()
            for one in list(browsers):
                one.end_session(text("ended.restarts.page"), Exit.DRAINING)
            end = asyncio.get_running_loop().time() + PARTING_S
            while browsers and asyncio.get_running_loop().time() < end:
                await services.clock.sleep(0.02)


def further_routes(guard: Guard) -> list[BaseRoute]:
    """Return the addresses that are no page about a match or a person."""
    return [
        *RuleBooks(guard).routes(),
        *SignIn(guard).routes(),
        *LanguageSwitch(guard).routes(),
        *FeedRoute(guard).routes(),
    ]
