"""What a match was agreed on before its first entry, as the store keeps it and as the server reads it."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal, cast

from game import registry
from game.contract import Game, Json, Seat
from game.options import has_open_hands
from game.replay import Header
from server.accounts.identity import Player
from server.accounts.machines import MarkedAccounts
from server.matches.agreement import SWITCHES, Agreement, unusual
from server.matches.speeds import FIRST_RULE, Speed, speed_of
from server.store.matches import StoredMatch, StoredSeat

ID_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"  # base 32 without what can be mistaken
ID_LENGTH = 8
COLUMNS = frozenset(("private",))  # the switches that a match's row has a column for


@dataclass(frozen=True, slots=True)
class Terms:
    """Fixed for the whole match. `seat_options` is by seat, empty when nobody brought anything.

    `chance` is a secret beside the seed, where the seed was known to somebody before the match: 32 bytes, else empty.
    `near`: the pairs of seats, lower first, whose people came from one network at the start (`sources.network_of`).
    `machine_seats`: the seats whose accounts were machines at the start.
    """

    id: str
    agreement: Agreement
    rules_version: int
    players: tuple[Player, ...]
    seat_options: tuple[Mapping[str, Json], ...]
    seed: bytes
    commitment: str
    speed: Speed
    room: str | None
    started_at: datetime
    return_of: str | None = None
    won: tuple[int, ...] = ()  # matches that each seat's player has won before, of those that this one follows
    chance: bytes = b""
    near: tuple[tuple[int, int], ...] = ()
    machine_seats: tuple[int, ...] = ()
    stays_private: bool = False  # it goes on from a private match, and tells how that one went

    @property
    def game(self) -> str:
        """Return which game is played."""
        return self.agreement.game

    @property
    def secret(self) -> bytes:
        """Return what nobody but the server knows while the match runs."""
        return self.chance or self.seed

    @property
    def n_seats(self) -> int:
        return len(self.players)

    @property
    def seats(self) -> tuple[Seat, ...]:
        return tuple(Seat(seat) for seat in range(len(self.players)))

    @property
    def people(self) -> tuple[Seat, ...]:
        """Return the seats that a person took at the start."""
        return tuple(seat for seat in self.seats if self.players[seat].kind != "bot")

    @property
    def has_open_hands(self) -> bool:
        """Tell whether watchers see hands: such a match is never rated."""
        return has_open_hands(self.agreement.options)

    @property
    def header(self) -> Header:
        """Return what the rules begin from."""
        return Header(self.game, self.rules_version, self.agreement.options, self.n_seats, self.seed, self.seat_options)

    @property
    def rules(self) -> Game[Any, Any]:
        """Return the rules of the version that the match began under. Raises BadNotation when they are not known."""
        return registry.get(self.game, self.rules_version)

    @property
    def arrangement(self) -> dict[str, Any]:
        """Return what is stored beside the match's row: what differs from the usual."""
        stored: dict[str, Any] = {"clock": self.speed.rule, **_beside(self.agreement)}
        if self.chance:
            stored["chance"] = self.chance.hex()
        if self.near:
            stored["near"] = [[*pair] for pair in self.near]
        if self.machine_seats:
            stored["machine_seats"] = [*self.machine_seats]
        if self.stays_private:
            stored["stays_private"] = True
        if self.return_of is not None:
            stored["return_of"] = self.return_of
        if self.return_of is not None or any(self.won):
            stored["won"] = [*self.won]
        return stored

    def renamed(self, account_id: int, name: str) -> Terms:
        """Return the terms with a person renamed."""
        players = (replace(one, name=name) if one.account_id == account_id else one for one in self.players)
        return replace(self, players=tuple(players))

    def marked(self, machines: MarkedAccounts) -> Terms:
        """Return the terms with the players marked who are machines now."""
        return replace(self, players=tuple(machines.marked(player) for player in self.players))

    def seat_of(self, player: Player) -> Seat | None:
        """Return where a person sits, or None."""
        return next((seat for seat in self.people if self.players[seat].is_same_person(player)), None)


def new_id() -> str:
    """Draw a match's id."""
    return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))


def from_store(stored: StoredMatch, arrangement: Mapping[str, Any] | None = None) -> Terms:
    """Read a stored match's terms."""
    arranged = arrangement or {}
    brought = tuple(cast(Mapping[str, Json], held.options) for held in stored.seats)
    return Terms(
        id=stored.id,
        agreement=agreement_of(stored, arranged),
        rules_version=stored.rules_version,
        players=tuple(player_of(held) for held in stored.seats),
        seat_options=brought if any(brought) else (),
        seed=stored.seed,
        commitment=stored.commitment,
        speed=speed_of(stored.speed, int(arranged.get("clock", FIRST_RULE))),
        room=stored.room,
        started_at=stored.started_at,
        return_of=arranged.get("return_of"),
        won=tuple(arranged.get("won", ())),
        chance=bytes.fromhex(arranged.get("chance", "")),
        near=tuple((one, other) for one, other in arranged.get("near", ())),
        machine_seats=tuple(arranged.get("machine_seats", ())),
        stays_private=bool(arranged.get("stays_private")),
    )


def agreement_of(stored: StoredMatch, arrangement: Mapping[str, Any]) -> Agreement:
    """Read what a stored match was agreed on: most from columns of its row, the rest where it is not as usual."""
    beside = {one.name: bool(arrangement[one.name]) for one in SWITCHES if one.name in arrangement}
    return Agreement(
        game=stored.game,
        players=stored.n_seats,
        options=cast(Mapping[str, Json], stored.options),
        speed=stored.speed,
        rated=stored.rated,
        private=stored.private,
        **beside,
    )


def _beside(agreement: Agreement) -> dict[str, bool]:
    return {one.name: one.of(agreement) for one in unusual(agreement) if one.name not in COLUMNS}


def to_store(terms: Terms, deadline: datetime | None) -> StoredMatch:
    """Return the rows of a match that begins now."""
    return StoredMatch(
        id=terms.id,
        game=terms.game,
        rules_version=terms.rules_version,
        options=cast(Any, terms.agreement.options),
        seed=terms.seed,
        commitment=terms.commitment,
        speed=terms.agreement.speed,
        rated=terms.agreement.rated,
        private=terms.agreement.private,
        started_at=terms.started_at,
        seats=tuple(_seat(terms, seat) for seat in terms.seats),
        room=terms.room,
        deadline=deadline,
    )


def _seat(terms: Terms, seat: Seat) -> StoredSeat:
    player = terms.players[seat]
    brought = cast(Any, terms.seat_options[seat]) if terms.seat_options else {}
    return StoredSeat(player.kind, player.name, player.account_id, player.guest_id, brought)


def player_of(held: StoredSeat) -> Player:
    return Player(cast(Literal["account", "guest", "bot"], held.kind), held.name, held.account_id, held.guest_id)
