"""Reports to moderators, with the chat attached; and whom somebody has met lately."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from server.accounts.guestnames import is_guest_name
from server.accounts.identity import Player
from server.clock import rfc3339
from server.matches.model import OVER, RUNNING, MatchQuery
from server.matches.visibility import Asker
from server.services import Services
from server.store.columns import Json

MET_FOR = timedelta(days=30)
MATCHES_LOOKED_AT = 50
GONE = "deleted-"  # how deleted accounts are called


async def report(
    services: Services, by: int, name: str, why: str, match_id: str | None = None, channels: Iterable[str] = ()
) -> None:
    """Report somebody, with the chat of the lobby, of `channels`, and of the match or their last match together.

    What they and the reporter wrote to each other, as the reporter reads it, goes along.

    Raises AccountError, RateLimited.
    """
    match_id = match_id or await last_match_with(services, by, name)
    played = [] if match_id is None else [f"gallery:{match_id}", f"match:{match_id}"]
    lines: list[dict[str, Json]] = [
        {"name": one.name, "at": rfc3339(one.at), "text": one.text, "account": one.account_id}
        for channel in dict.fromkeys(("lobby", *channels, *played))
        for one in await services.chat.load(channel)
    ]
    written = [] if is_guest_name(name) else await services.messages.read(by, name)
    lines += [
        {"name": one.sender, "at": rfc3339(one.at), "text": one.text, "account": one.from_id, "message": True}
        for one in written
    ]
    await services.conduct.report(by, name, why, lines, match_id)


async def last_match_with(services: Services, account_id: int, name: str) -> str | None:
    """Return the latest match that somebody played with somebody else, running or over."""
    for match in await services.matches.list(_played_by(account_id)):
        if any(seat.player.name == name for seat in match.seats):
            return match.id
    return None


def _played_by(account_id: int) -> MatchQuery:
    """Return the question for an account's own latest matches."""
    me = Asker(Player("account", "", account_id))
    return MatchQuery(statuses=RUNNING | OVER, account_id=account_id, asker=me, limit=MATCHES_LOOKED_AT)


async def met_lately(services: Services, account_id: int, own: str, channels: Iterable[str]) -> dict[str, datetime]:
    """Return whom somebody has met within 30 days, with when: in matches, and in the chat of `channels`."""
    since = services.clock.now() - MET_FOR
    met: dict[str, datetime] = {}
    for match in await services.matches.list(_played_by(account_id)):
        for seat in match.seats:
            if not seat.player.is_bot:
                met[seat.player.name] = max(met.get(seat.player.name, since), match.ended_at or services.clock.now())
    for channel in channels:
        for line in await services.chat.load(channel):
            met[line.name] = max(met.get(line.name, since), line.at)
    return {name: at for name, at in met.items() if at > since and name != own and not name.startswith(GONE)}
