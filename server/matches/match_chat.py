"""The chat of one match: its players have a channel, and everybody who looks on another one."""

from __future__ import annotations

from datetime import datetime

from game.contract import Seat, Viewer, Watcher
from server.accounts.identity import Player
from server.bus.bus import Subscription
from server.matches.errors import MatchRefused
from server.matches.live import LiveMatch
from server.matches.model import ChatLine
from server.store.chat import StoredLine

LINES_SHOWN = 50


class MatchChat:
    """The two channels of one match. Players read the gallery's when the match is over."""

    def __init__(self, match: LiveMatch) -> None:
        self._match = match
        self._chat = match.context.chat
        self._subscriptions: list[Subscription] = []

    @property
    def _players_channel(self) -> str:
        return f"match:{self._match.id}"

    @property
    def _gallery_channel(self) -> str:
        return f"gallery:{self._match.id}"

    def listen(self) -> None:
        """Follow both channels, once somebody shows the match."""
        if not self._subscriptions:
            for channel in (self._players_channel, self._gallery_channel):
                self._subscriptions.append(self._chat.subscribe(channel, self._match.changed))

    def close(self) -> None:
        for subscription in self._subscriptions:
            subscription.close()
        self._subscriptions.clear()

    def lines(self, viewer: Viewer, gallery_since: datetime | None = None) -> tuple[ChatLine, ...]:
        """Return the last lines this viewer may read, oldest first; of the gallery those since then, None: all."""
        lines: list[tuple[int, ChatLine]] = [
            (line.id, self._from_player(line)) for line in self._chat.recent(self._players_channel)
        ]
        if isinstance(viewer, Watcher) or self._match.is_over:
            said = self._chat.recent(self._gallery_channel)
            if gallery_since is not None:
                said = tuple(line for line in said if line.at >= gallery_since)
            lines += [(line.id, ChatLine(line.at, line.name, line.text, None, line.account_id)) for line in said]
        return tuple(line for _, line in sorted(lines, key=lambda one: one[0])[-LINES_SHOWN:])

    def _from_player(self, line: StoredLine) -> ChatLine:
        players = self._match.terms.players
        seat = next((Seat(i) for i, one in enumerate(players) if one.is_named(line.account_id, line.name)), None)
        return ChatLine(line.at, line.name, line.text, seat, line.account_id)

    async def say(self, player: Player, text: str) -> None:
        """Say something. The players are silent while more than two decide in secret, or where the rules say so.

        That they may look on is `Match.say`'s to ask. Raises MatchRefused.
        """
        seat = self._match.terms.seat_of(player)
        if seat is None and not (self._match.terms.agreement.gallery_chat or self._match.is_over):
            raise MatchRefused("match.error.agreed-otherwise")
        self.check_may_talk(player)
        await self._chat.say(self._gallery_channel if seat is None else self._players_channel, player, text)

    def check_may_talk(self, player: Player) -> None:
        """Raise MatchRefused for who plays while the players are silent."""
        if self._match.terms.seat_of(player) is not None and self._is_silent():
            raise MatchRefused("match.error.silence")

    def _is_silent(self) -> bool:
        terms, owed = self._match.terms, self._match.shown.pending
        return any(one.prompt in terms.rules.spec.silent or (one.secret and terms.n_seats > 2) for one in owed)
