"""What the processes tell each other of the exhibition, over the bus: one of them plays it, and the others show it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from game.contract import Seat
from game.replay import Entry
from server.bus.bus import Bus, Payload, Subscription
from server.clock import Clock
from server.matches.terms import Terms
from server.store.columns import Json

TOPIC: Final = "exhibition"
SILENT_S: Final = 15.0  # whoever plays has told nothing for so long: it is gone
MOST_BYTES: Final = 4_000  # of the entries in one hint, far below what a bus carries in one message
Packed = tuple[int, int | None, str, str]  # seq, seat, action, at


class ExhibitionHint(msgspec.Struct, omit_defaults=True):
    """How the exhibition stands, with some entries of its log; or (`asks`) what a process lacks of it."""

    by: str
    match: str
    seq: int
    asks: bool = False
    rests: bool = False  # this process plays no longer
    game: str = ""
    seed: str = ""
    entries: list[Packed] = []


@dataclass(frozen=True, slots=True)
class ExhibitionNews:
    """What the process that plays has told. `is_other_player`: another one played before, or none was heard."""

    match: str
    seq: int
    game: str
    seed: bytes
    entries: tuple[Entry, ...]
    is_other_player: bool


class ExhibitionPeers:
    """The other processes that show the exhibition, as far as they are heard."""

    def __init__(self, bus: Bus, process_id: str, clock: Clock, answer: Callable[[str, int], None]) -> None:
        """`answer`: sends what comes after an entry of a match; called when another process asks and this one plays."""
        self._bus, self._id, self._clock = bus, process_id, clock
        self._heard: Subscription | None = None
        self._player = ""  # the process that plays; empty: none, or this one
        self._heard_at = float("-inf")
        self._told: list[ExhibitionNews] = []
        self._answer = answer
        self._has_told = False  # this process plays, and has said so
        self._is_new = True  # nothing was heard since it was opened

    def open(self) -> None:
        """Hear the others from now on."""
        if self._heard is None:
            self._heard, self._is_new = self._bus.subscribe(TOPIC, self._take), True

    def close(self) -> None:
        """Hear nothing any more; if this process has played, another one may."""
        if self._heard is not None:
            self._heard.close()
            self._heard = None
        if self._has_told:
            self._publish(ExhibitionHint(self._id, "", 0, rests=True))
        self._player, self._has_told = "", False
        self._told = []

    @property
    def is_playing(self) -> bool:
        """Tell whether another process plays."""
        return bool(self._player) and self._clock.monotonic() - self._heard_at < SILENT_S

    def told(self) -> list[ExhibitionNews]:
        """Return what was told since the last call."""
        told, self._told = self._told, []
        return told

    def ask(self, match_id: str, after: int) -> None:
        """Ask whoever plays for what comes after an entry."""
        self._publish(ExhibitionHint(self._id, match_id, after, asks=True))

    def tell(self, terms: Terms, seq: int, last: Entry | None) -> None:
        """Say how it stands, with the last entry."""
        self._has_told = True
        self._publish(self._hint(terms, seq, [_packed(last)] if last is not None else []))

    def send(self, terms: Terms, entries: Sequence[Entry], after: int) -> None:
        """Send what comes after an entry, in as many hints as it takes."""
        packed, size = list[Packed](), 0
        for entry in entries[after:]:
            one = _packed(entry)
            packed.append(one)
            size += len(msgspec.json.encode(one))
            if size > MOST_BYTES:
                self._publish(self._hint(terms, entry.seq, packed))
                packed, size = [], 0
        if packed:
            self._publish(self._hint(terms, len(entries), packed))

    def _hint(self, terms: Terms, seq: int, entries: list[Packed]) -> ExhibitionHint:
        return ExhibitionHint(self._id, terms.id, seq, game=terms.game, seed=terms.seed.hex(), entries=entries)

    def _publish(self, hint: ExhibitionHint) -> None:
        told: dict[str, Json] = msgspec.to_builtins(hint)
        self._bus.publish(TOPIC, told)

    def _take(self, payload: Payload) -> None:
        try:
            hint = msgspec.convert(dict(payload), ExhibitionHint)
            seed, entries = bytes.fromhex(hint.seed), tuple(_unpacked(one) for one in hint.entries)
        except (msgspec.ValidationError, ValueError):
            return
        if hint.by == self._id:
            return
        if hint.asks:
            if self._has_told:
                self._answer(hint.match, hint.seq)
        elif hint.rests:
            self._player = "" if hint.by == self._player else self._player
        elif not self._has_told or hint.by < self._id:
            changes = self._is_new or self._player != hint.by
            self._player, self._heard_at = hint.by, self._clock.monotonic()
            self._has_told = self._is_new = False
            self._told.append(ExhibitionNews(hint.match, hint.seq, hint.game, seed, entries, changes))


def _packed(entry: Entry) -> Packed:
    return entry.seq, entry.seat, entry.action or "", entry.at or ""


def _unpacked(one: Packed) -> Entry:
    seq, seat, action, at = one
    return Entry(seq, "action", None if seat is None else Seat(seat), action, at)
