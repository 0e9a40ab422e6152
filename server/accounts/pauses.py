"""The pause from rated matches, checked wherever one would begin: seek, room, challenge, rematch."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Protocol

from server.accounts.errors import AccountError
from server.accounts.identity import Player
from server.clock import Clock, rfc3339


class Pauses(Protocol):
    """What the check needs of `Conduct`."""

    async def paused_until(self, account_id: int) -> datetime | None: ...


async def check_not_paused(pauses: Pauses, clock: Clock, players: Iterable[Player], asking: Player) -> None:
    """Check that none of these has to pause from rated matches; guests and bots never have to.

    Raises AccountError for the first who has to pause, in other words where that is somebody else than who asks.
    """
    for player in players:
        until = None if player.account_id is None else await pauses.paused_until(player.account_id)
        if until is None:
            continue
        left_ms = max(1, (until - clock.now()) // timedelta(milliseconds=1))
        if player.is_same_person(asking):
            raise AccountError("account.paused", until=rfc3339(until), retry_after_ms=left_ms)
        raise AccountError("account.other-paused", name=player.name, until=rfc3339(until), retry_after_ms=left_ms)
