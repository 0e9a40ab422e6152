"""The seats of a room: who sits on them, what they bring there, and for whom one is kept. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from game import registry
from game.contract import Json, Seat
from server.accounts.identity import Player, bot_player
from server.accounts.machines import MarkedAccounts
from server.lobby.model import RoomSettings
from server.matches.agreement import Agreement
from server.matches.guestlimits import closed_because
from server.matches.playable import fits
from server.matches.records import is_level


@dataclass(frozen=True, slots=True)
class SeatState:
    """One seat of a room. `held_for`: the handle of somebody who was challenged or invited to take it.

    `held_until`: for how long it is, where they were invited. A seat of a challenge is `ready` as long as the terms are
    those of the challenge: who takes it then has accepted them.
    """

    player: Player | None = None
    ready: bool = False
    brings: Mapping[str, Json] = field(default_factory=dict)
    held_for: str | None = None
    held_until: datetime | None = None

    @property
    def is_invitation(self) -> bool:
        """Tell whether it is kept for somebody who has to say that they are ready once they sit."""
        return self.held_until is not None and not self.ready

    def has_lapsed(self, now: datetime) -> bool:
        """Tell whether it was kept for somebody who has not come in time."""
        return self.held_until is not None and self.held_until <= now

    @property
    def is_bot(self) -> bool:
        return self.player is not None and self.player.is_bot

    @property
    def person(self) -> str | None:
        return None if self.player is None or self.player.is_bot else self.player.person

    def fitted(self, seat: Seat, settings: RoomSettings, same_game: bool, is_host: bool) -> SeatState:
        """Return the seat as it is after a change of what is played: free where a guest or a machine can't stay.

        A deck that the new settings don't take is put down, else the match could not begin and nobody would know why. A
        bot of a level that the new game does not have plays as well as that game's bots can.
        """
        agreed, player = settings.agreement, self.player
        if player is not None and closed_because(player, agreed.rated, agreed.speed):
            return FREE
        if player is not None and player.is_machine and not (is_host or lets_machines_in(agreed)):
            return FREE
        levels = registry.levels(agreed.game)
        if player is not None and player.is_bot and not is_level(player.name, levels):
            return SeatState(bot_player(levels[-1]), True)
        kept = {name: value for name, value in self.brings.items() if same_game and _takes(agreed, seat, {name: value})}
        return replace(self, ready=self.is_bot, brings=kept)


FREE = SeatState()


class Seating(tuple[SeatState, ...]):
    """The seats in order. What changes them returns new ones."""

    __slots__ = ()

    @property
    def people(self) -> tuple[str, ...]:
        """Return the persons who are seated, by seat."""
        return tuple(state.person for state in self if state.person is not None)

    @property
    def players(self) -> tuple[Player, ...]:
        """Return whoever has a seat, built-in players too."""
        return tuple(state.player for state in self if state.player is not None)

    @property
    def is_full(self) -> bool:
        return all(state.player is not None for state in self)

    @property
    def held_for(self) -> frozenset[str]:
        """Return the handles of those for whom a seat is kept, or who were challenged to take theirs."""
        return frozenset(state.held_for for state in self if state.held_for is not None)

    def seat_of(self, person: str) -> Seat | None:
        return next((Seat(i) for i, state in enumerate(self) if state.person == person), None)

    def free_for(self, name: str) -> Seat | None:
        """Return the seat that somebody gets who asks for any: the one kept for them, else the first that is open."""
        free = [Seat(i) for i, state in enumerate(self) if state.player is None]
        mine = [seat for seat in free if self[seat].held_for == name]
        open_to_all = [seat for seat in free if self[seat].held_for is None]
        return next(iter(mine + open_to_all), None)

    def with_seat(self, seat: Seat, state: SeatState) -> Seating:
        """Return the seats with another state of one."""
        return Seating((*self[:seat], state, *self[seat + 1 :]))

    def stood(self, person: str) -> Seating:
        """Free somebody's seat, if they have one."""
        seat = self.seat_of(person)
        return self if seat is None else self.with_seat(seat, FREE)

    def released(self, handle: str) -> Seating:
        """Keep no seat for somebody any more."""
        return Seating(FREE if one.held_for == handle and one.player is None else one for one in self)

    def lapsed(self, now: datetime) -> Seating:
        """Keep no seat any more for who was asked and has not come in time."""
        return Seating(FREE if one.has_lapsed(now) else one for one in self)

    def marked(self, machines: MarkedAccounts) -> Seating:
        """Mark those who are machines now."""
        return Seating(one if one.player is None else replace(one, player=machines.marked(one.player)) for one in self)

    def unready(self) -> Seating:
        """Take back everybody's word that they are ready; bots always are."""
        return Seating(replace(state, ready=state.is_bot) for state in self)

    def fitted(self, settings: RoomSettings, same_game: bool, host: str) -> Seating:
        """Return the seats as they are after a change of what is played, by a host; everybody must be ready anew.

        Where there are fewer, who sits goes before those for whom a seat is kept.
        """
        n_seats = settings.agreement.players
        states = [state.fitted(Seat(i), settings, same_game, state.person == host) for i, state in enumerate(self)]
        if len(states) != n_seats:
            taken = [state for state in states if state.player is not None]
            held_open = [state for state in states if state.player is None and state.held_for is not None]
            states = [*taken, *held_open, *[FREE] * n_seats][:n_seats]
        return Seating(states)


def lets_machines_in(agreement: Agreement) -> bool:
    """Tell whether any machine may sit down: it is so agreed, or only who has the code comes."""
    return agreement.machines or agreement.private


def _takes(agreed: Agreement, seat: int, brings: Mapping[str, Json]) -> bool:
    return fits(agreed.game, agreed.players, seat, brings, agreed.options)
