"""What waits for a program's player: told at once, and when it can't be taken any more."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Container
from contextlib import suppress

from server.accounts.identity import Player
from server.boards.wire import Object, message
from server.errors import Refused
from server.lobby.model import Challenge
from server.matches.model import WaitingOffer
from server.services import Services

Key = tuple[str, str]  # what, and the match's id or the room's code
Send = Callable[..., Awaitable[None]]  # sends objects together, in order


class Waiting:
    """Keeps the program up to date. `followed`: the matches whose offers their own feeds tell."""

    def __init__(self, services: Services, player: Callable[[], Player], followed: Container[str], send: Send) -> None:
        self._services, self._player, self._followed, self._send = services, player, followed, send
        self._offers: tuple[WaitingOffer, ...] = ()
        self._told: dict[Key, Object] = {}
        self._looking = asyncio.Lock()

    async def first(self) -> list[Object]:
        """Return all that waits: offers and challenges, adjourned matches and moves. Raises StoreUnavailable."""
        player = self._player()
        found = [_offered(offer) for offer in await self._services.matches.offers_to(player)]
        found += [_challenged(one) for one in await self._services.lobby.challenges.to(player)]
        for summary in await self._services.matches.running_of(player):
            if summary.status == "adjourned":
                found.append({"what": "adjourned", "match": summary.id, "game": summary.game})
            elif summary.waits_for(player):
                found.append({"what": "move", "match": summary.id, "game": summary.game})
        return found

    async def poll(self) -> None:
        """Tell what has come since the last look, and what is gone."""
        async with self._looking:
            with suppress(Refused):
                self._offers = await self._services.matches.offers_to(self._player())
                await self._send_changes()

    async def send_challenges(self) -> None:
        """Tell the same of challenges alone, which are at hand: the lobby changes often."""
        async with self._looking:
            with suppress(Refused):
                await self._send_changes()

    async def _send_changes(self) -> None:
        player = self._player()
        now: dict[Key, Object] = {}
        for offer in self._offers:
            if offer.match not in self._followed:
                now[offer.what, offer.match] = message("offer", seat=offer.seat, **_offered(offer))
        for challenge in await self._services.lobby.challenges.to(player):
            now["challenge", challenge.code] = message("challenge", **_challenged(challenge))
        news = [told for key, told in now.items() if key not in self._told]
        gone = [withdrawn(told) for key, told in self._told.items() if key not in now]
        self._told = now
        if news or gone:
            await self._send(*gone, *news)


def withdrawn(told: Object) -> Object:
    """Return the message that an offer or a challenge can't be taken any more."""
    return message("withdrawn", **{name: told[name] for name in ("what", "match", "seat", "code") if name in told})


def _offered(offer: WaitingOffer) -> Object:
    return {
        "what": offer.what,
        "match": offer.match,
        "game": offer.agreement.game,
        "from": [player.name for player in offer.by],
    }


def _challenged(challenge: Challenge) -> Object:
    agreed = challenge.settings.agreement
    return {
        "what": "challenge",
        "code": challenge.code,
        "game": agreed.game,
        "from": [challenge.by.name],
        "speed": agreed.speed,
        "rated": agreed.rated,
        "invitation": challenge.is_invitation,
    }
