"""Where the players of a match with open hands have come from: all processes know it, and a restart forgets nothing.

What is kept are hashes under the match's secret, as long as the match runs: they tell whether somebody else comes from
there, and nothing more.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable

from server.accounts.identity import Identity
from server.log import get_logger
from server.matches.live import LiveMatch
from server.presence.connections import marks
from server.store import origins as store
from server.store.errors import StoreUnavailable

log = get_logger("matches")


class Origins:
    """The origins of one match, as this process knows them."""

    def __init__(self, match: LiveMatch) -> None:
        self._match = match
        self._known: frozenset[str] = frozenset()
        self._unsaved: frozenset[str] = frozenset()

    @property
    def are_needed(self) -> bool:
        """Tell whether there are hands to keep from anybody: they are open, and the match runs, as far as is shown."""
        return self._match.terms.has_open_hands and not self._match.is_over

    def holds(self, who: Identity) -> bool:
        """Tell whether somebody comes with a key or from an address that a player has come with."""
        return not self._known.isdisjoint(self._hashes(marks(who.source, who.fingerprint)))

    def record(self, who: Identity) -> None:
        """Note where somebody comes from, if they play here."""
        if self.are_needed and self._match.terms.seat_of(who.player) is not None:
            self._record(marks(who.source, who.fingerprint))

    def record_connected(self) -> None:
        """Note where the players come from who are connected now, to any process."""
        if self.are_needed:
            self._record(self._match.context.presence.connections.marks_of(self._match.terms.players))

    def _record(self, found: Iterable[str]) -> None:
        if new := self._hashes(found) - self._known:
            self._unsaved |= new
            self._add(new)
            self._match.context.tasks.spawn(self._save(), "origins")

    def _add(self, found: frozenset[str]) -> None:
        """Add origins, and let every page that shows the match ask again who may see what."""
        if not found <= self._known:
            self._known |= found
            self._match.changed()

    async def _save(self) -> None:
        saving, self._unsaved = self._unsaved, frozenset()
        try:
            await self._match.context.database.write(store.add, self._match.id, saving)
        except StoreUnavailable as error:
            self._unsaved |= saving  # the next look tries again
            log.warning("origins.not-saved", match=self._match.id, why=error.why)

    async def learn(self) -> None:
        """Read what other processes, and this one before it was started anew, have noted. Raises StoreUnavailable."""
        if self.are_needed:
            self._add(await self._match.context.database.read(store.of, self._match.id))

    async def poll(self, stored: frozenset[str]) -> None:
        """Take in what the store has; once the end may be known, forget it all. Raises StoreUnavailable."""
        if self.are_needed:
            self._add(stored)
            self.record_connected()
            if self._unsaved:
                await self._save()
        elif self._known:
            self._known = self._unsaved = frozenset()
            await self._match.context.database.write(store.forget, self._match.id)

    def _hashes(self, found: Iterable[str]) -> frozenset[str]:
        secret = self._match.terms.secret
        return frozenset(hmac.digest(secret, f"origin {one}".encode(), "sha256").hex() for one in found)
