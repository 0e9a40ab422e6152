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
from server.matches.speeds import FIRST_RULE, Speed, speed_of
from server.store.matches import StoredMatch, StoredSeat

ID_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"  # base 32 without what can be mistaken
ID_LENGTH = 8


@dataclass(frozen=True, slots=True)
class Terms:
    """Fixed for the whole match. `seat_options` is by seat, empty when nobody brought anything.

    `chance` is a secret beside the seed, where the seed was known to somebody before the match: 32 bytes, else empty.
    """

    id: str
    game: str
    rules_version: int
    options: Mapping[str, Json]
    players: tuple[Player, ...]
    seat_options: tuple[Mapping[str, Json], ...]
    seed: bytes
    commitment: str
    speed: Speed
    rated: bool
    private: bool
    room: str | None
    started_at: datetime
    bots_replace: bool = False
    watchable: bool = True
    return_of: str | None = None
    won: tuple[int, ...] = ()
    chance: bytes = b""
    stays_private: bool = False  # it goes on from a private match, and tells how that one went

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
        """Tell whether spectators see hands: such a match is never rated."""
        return has_open_hands(self.options)

    @property
    def header(self) -> Header:
        """Return what the rules begin from."""
        return Header(self.game, self.rules_version, self.options, self.n_seats, self.seed, self.seat_options)

    @property
    def rules(self) -> Game[Any, Any]:
        """Return the rules of the version that the match began under. Raises BadNotation when they are not known."""
        return registry.get(self.game, self.rules_version)

    @property
    def arrangement(self) -> dict[str, Any]:
        """Return what is stored beside the match's row: what differs from the usual."""
        stored: dict[str, Any] = {"clock": self.speed.rule}
        if self.bots_replace:
            stored["bots_replace"] = True
        if not self.watchable:
            stored["watchable"] = False
        if self.chance:
            stored["chance"] = self.chance.hex()
        if self.stays_private:
            stored["stays_private"] = True
        if self.return_of is not None:
            stored |= {"return_of": self.return_of, "won": [*self.won]}
        return stored

    def renamed(self, account_id: int, name: str) -> Terms:
        """Return the terms with a person renamed."""
        players = (replace(one, name=name) if one.account_id == account_id else one for one in self.players)
        return replace(self, players=tuple(players))

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
        game=stored.game,
        rules_version=stored.rules_version,
        options=cast(Mapping[str, Json], stored.options),
        players=tuple(player_of(held) for held in stored.seats),
        seat_options=brought if any(brought) else (),
        seed=stored.seed,
        commitment=stored.commitment,
        speed=speed_of(stored.speed, int(arranged.get("clock", FIRST_RULE))),
        rated=stored.rated,
        private=stored.private,
        room=stored.room,
        started_at=stored.started_at,
        bots_replace=bool(arranged.get("bots_replace")),
        watchable=bool(arranged.get("watchable", True)),
        return_of=arranged.get("return_of"),
        won=tuple(arranged.get("won", ())),
        chance=bytes.fromhex(arranged.get("chance", "")),
        stays_private=bool(arranged.get("stays_private")),
    )


def to_store(terms: Terms, deadline: datetime | None) -> StoredMatch:
    """Return the rows of a match that begins now."""
    return StoredMatch(
        id=terms.id,
        game=terms.game,
        rules_version=terms.rules_version,
        options=cast(Any, terms.options),
        seed=terms.seed,
        commitment=terms.commitment,
        speed=terms.speed.name,
        rated=terms.rated,
        private=terms.private,
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
