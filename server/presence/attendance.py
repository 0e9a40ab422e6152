"""Attendance of one match in this process: sessions on seats and in the gallery, and who is gone since when."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from game.contract import Seat
from server.accounts.identity import Player
from server.clock import Clock

NOBODY: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Visitor:
    """One session that shows the match. `paced`: a person is looking, so bots play at a readable pace."""

    player: Player
    seat: Seat | None
    paced: bool
    on_case: bool = False  # a moderator, who comes from a report


class Attendance:
    """The sessions of this process on one match. A seat's person may be here several times.

    A person is gone when the connection is lost, not when they look at another screen.
    """

    def __init__(
        self,
        clock: Clock,
        seats: Iterable[Player],
        changed: Callable[[Seat | None], None],
        is_connected: Callable[[Player], bool],
        is_invisible: Callable[[Player], bool],
        counts_as: Callable[[Player], str],
    ) -> None:
        """`counts_as`: what somebody is counted as in the gallery."""
        self._clock = clock
        self._changed = changed
        self._players = {Seat(i): player for i, player in enumerate(seats) if not player.is_bot}
        self._is_connected = is_connected
        self._is_invisible = is_invisible
        self._counts_as = counts_as
        self._visitors: dict[str, Visitor] = {}
        self._elsewhere: frozenset[Seat] = frozenset()
        self._watching_elsewhere: Mapping[str, str] = {}
        self._watchers: tuple[str, ...] | None = None  # kept until somebody comes or goes
        now = clock.now()
        self._gone: dict[Seat, datetime] = {seat: now for seat in self._players if not self.is_here(seat)}
        self._unseen: dict[Seat, datetime] = {seat: now for seat in self._players if not self._is_seen_here(seat)}

    def enter(self, session: str, visitor: Visitor, then: Callable[[], None] | None = None) -> Here:
        """Add a session until its `leave`, which also calls `then`."""
        self._visitors[session] = visitor
        self._watchers = None
        if visitor.seat is not None:
            self._gone.pop(visitor.seat, None)
            self._unseen.pop(visitor.seat, None)
        if self._is_seen(visitor):
            self._changed(visitor.seat)
        return Here(self, session, then)

    def left(self, session: str) -> None:
        """Remove a session."""
        visitor = self._visitors.pop(session, None)
        self._watchers = None
        if visitor is None:
            return
        if visitor.seat is None:
            if self._is_seen(visitor):
                self._changed(None)
        else:
            self.update_seat(visitor.seat)

    def seen_elsewhere(self, seats: frozenset[Seat], watchers: Mapping[str, str] = NOBODY) -> None:
        """Store which seats' persons, and which watchers, are connected to other processes.

        `watchers`: their names, and what each is counted as.
        """
        if watchers != self._watching_elsewhere:
            self._watching_elsewhere, self._watchers = watchers, None
            self._changed(None)
        if seats == self._elsewhere:
            return
        before, self._elsewhere = self._elsewhere, seats
        for seat in before ^ seats:
            self.update_seat(seat)

    def update_seat(self, seat: Seat) -> None:
        """Update whether a seat's person is connected, and seen to be."""
        has_moved = self._record(self._gone, seat, self.is_here(seat))
        if self._record(self._unseen, seat, self._is_seen_here(seat)) or has_moved:
            self._changed(seat)

    def _record(self, gone: dict[Seat, datetime], seat: Seat, is_here: bool) -> bool:
        """Keep since when a seat is empty; tell whether that has changed."""
        if is_here:
            return gone.pop(seat, None) is not None
        return gone.setdefault(seat, now := self._clock.now()) is now

    def is_here(self, seat: Seat) -> bool:
        """Tell whether a seat's person is connected, be it at the board or elsewhere in the server."""
        if seat in self._elsewhere or any(visitor.seat == seat for visitor in self._visitors.values()):
            return True
        player = self._players.get(seat)
        return player is not None and self._is_connected(player)

    def gone_since(self, seat: Seat) -> datetime | None:
        """Return since when a person's seat is empty; None for who is here, and for built-in players."""
        return self._gone.get(seat)

    def _is_seen_here(self, seat: Seat) -> bool:
        """Tell whether others than the opponents may know that a seat's person is here."""
        return self.is_here(seat) and (seat in self.at_table or not self._is_invisible(self._players[seat]))

    def unseen_since(self, seat: Seat) -> datetime | None:
        """Return as `gone_since` what others than the opponents may know.

        To them who does not want to be seen connected is here only with the match before them.
        """
        return self._unseen.get(seat)

    @property
    def at_table(self) -> frozenset[Seat]:
        """Return the seats whose persons have the match before them, in any process."""
        return self.seats | self._elsewhere

    @property
    def is_paced(self) -> bool:
        """Tell whether a person, not a program, is seen to look at the match."""
        return any(visitor.paced and self._is_seen(visitor) for visitor in self._visitors.values())

    def _is_seen(self, visitor: Visitor) -> bool:
        """Tell whether a visitor is shown to others: who does not want to be seen is only on a seat."""
        return visitor.seat is not None or not self._is_invisible(visitor.player)

    def update_person(self, account_id: int) -> None:
        """Update where somebody is seen, who does not want to be from now on, or does again."""
        for seat, player in self._players.items():
            if player.account_id == account_id:
                self.update_seat(seat)
        if any(one.seat is None and one.player.account_id == account_id for one in self._visitors.values()):
            self._watchers = None
            self._changed(None)

    @property
    def is_empty(self) -> bool:
        return not self._visitors

    @property
    def watchers(self) -> tuple[str, ...]:
        """Return the names that are seen in the gallery, each once, in the order in which they came."""
        if self._watchers is None:
            seen = (one for one in self._visitors.values() if one.seat is None and self._is_seen(one))
            here = (visitor.player.name for visitor in seen)
            self._watchers = tuple(dict.fromkeys((*here, *self._watching_elsewhere)))
        return self._watchers

    def is_on_case(self, player: Player) -> bool:
        """Tell whether somebody is in the gallery of this process as a moderator who comes from a report."""
        return any(one.on_case and one.player.is_same_person(player) for one in self._visitors.values())

    def rename(self, account_id: int, name: str) -> None:
        """Call a person by their new handle."""
        for session, visitor in self._visitors.items():
            if visitor.player.account_id == account_id and visitor.player.name != name:
                self._visitors[session] = replace(visitor, player=replace(visitor.player, name=name))
                self._watchers = None
                self._changed(visitor.seat)

    @property
    def gallery_size(self) -> int:
        """Count the people who are seen in the gallery, in all processes: all guests of one source as one."""
        seen = (one.player for one in self._visitors.values() if one.seat is None and self._is_seen(one))
        return len({*map(self._counts_as, seen), *self._watching_elsewhere.values()})

    @property
    def seats(self) -> frozenset[Seat]:
        """Return the seats whose persons are connected to this process."""
        return frozenset(v.seat for v in self._visitors.values() if v.seat is not None)


@dataclass(slots=True)
class Here:
    """One session's presence."""

    _attendance: Attendance
    _session: str
    _then: Callable[[], None] | None = None

    def leave(self) -> None:
        """Remove the session. May be called twice."""
        self._attendance.left(self._session)
        if self._then is not None:
            self._then()
            self._then = None
