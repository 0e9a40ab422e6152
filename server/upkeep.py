"""Upkeep: deletion of what is kept for a time only."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from server import log as logs
from server.clock import Clock
from server.log import get_logger
from server.store import addresses, browsers, chat, conduct, departed_keys, events, guest_matches, messages
from server.store.database import Database
from server.store.guest_matches import AT_ONCE, Looked

log = get_logger("upkeep")
EVERY_S = 86_400.0
FIRST_S = 60.0  # after the start
MATCHES_EVERY_S = 600.0
EVENTS_KEPT = timedelta(days=14)
PAUSE_S = 0.2  # between two slices of matches: others want to write, too


async def forget_old(database: Database, clock: Clock, moderation_days: int | None) -> None:
    """Delete addresses older than DAYS_KEPT, old chat, messages and events, and what is over.

    Over are departed keys for which nothing is in force, and browsers' sessions and codes after their time. What
    moderators and admins did is deleted after `moderation_days`; None: never.

    Raises NotSaved; the log is tidied all the same.
    """
    logs.tidy()
    rows = await database.write(addresses.forget_before, clock.now() - timedelta(days=logs.DAYS_KEPT))
    await database.write(departed_keys.forget_over, clock.now())
    await database.write(browsers.forget_over, clock.now())
    await database.write(chat.forget_before, clock.now() - chat.KEPT_FOR)
    await database.write(messages.forget_before, clock.now() - messages.KEPT_FOR)
    await database.write(events.forget_before, clock.now() - EVENTS_KEPT)
    log.info("addresses.forgotten", rows=rows)
    if moderation_days is not None:
        rows = await database.write(conduct.forget_before, clock.now() - timedelta(days=moderation_days))
        log.info("moderation.forgotten", rows=rows)


@dataclass(slots=True)
class GuestMatches:
    """Deletes ended matches in which only guests and bots sat, `days` after their end."""

    database: Database
    clock: Clock
    days: int
    _looked: Looked | None = None  # the last one that was looked at, since this process began

    async def forget(self) -> None:
        """Delete what is old enough by now. Raises NotSaved."""
        before, gone = self.clock.now() - timedelta(days=self.days), 0
        while ended := await self.database.read(guest_matches.ended_before, before, self._looked):
            gone += await self.database.write(guest_matches.delete_among, [one.match_id for one in ended])
            self._looked = ended[-1]
            if len(ended) < AT_ONCE:
                break
            await self.clock.sleep(PAUSE_S)
        if gone:
            log.info("guest-matches.deleted", matches=gone)
