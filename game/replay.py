"""The fold of a match's log: from a header and entries to the match after them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Generic, TypeVar

from game.choices import contains
from game.contract import Action, Event, Game, Json, Result, Seat, Step, View
from game.errors import BadNotation, IllegalAction

S = TypeVar("S")
V = TypeVar("V", bound=View)
Folded = tuple["Fold[S]", tuple[Event, ...]]

# Kinds of entries: those that may change the state of the rules, and those that only change the match around it.
CONDITIONAL = "conditional"  # an action that its seat had said before, for when the others did what it named
PLAYED = ("action", CONDITIONAL, "setting", "timeout", "resign", "left")
NOTED = ("returned", "bot_seated", "draw_agreed", "adjourned", "resumed", "clock_credited", "void")
TAKEBACK = "takeback"  # the match goes on from an earlier entry
KINDS = frozenset((*PLAYED, *NOTED, TAKEBACK))
NEEDS_SEAT = frozenset((*PLAYED, "returned", "bot_seated", TAKEBACK))
MAY_FALL = frozenset(("action", CONDITIONAL, "setting", "timeout"))  # can be taken back; a final timeout can't
NEEDS_ACTION = frozenset(("action", CONDITIONAL, "setting"))
DRAW_AGREED = "draw-agreed"  # the reason of a Result that the players made, not the rules


class Status(Enum):
    """The status of a match."""

    LIVE = "live"
    ADJOURNED = "adjourned"
    FINISHED = "finished"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class Header:
    """The beginning of a match. `options` holds the room's, `seat_options` (may be empty) what each seat brought."""

    game: str
    rules_version: int
    options: Mapping[str, Json]
    n_seats: int
    seed: bytes
    seat_options: tuple[Mapping[str, Json], ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of a log. `at` is an RFC 3339 time; `data` holds what else belongs to the kind.

    `data` of `timeout` and `left` may hold `forfeit`: true makes a timeout final (an empty bank), false makes `left`
    a mere note. `bot_seated` holds `level`, `takeback` holds `to`. Everything else in it is the server's.
    """

    seq: int
    kind: str
    seat: Seat | None = None
    action: str | None = None
    at: str | None = None
    data: Mapping[str, Json] = field(default_factory=dict)

    @property
    def is_decision(self) -> bool:
        """Tell whether a seat decides something by it: at once, or by a conditional move."""
        return self.kind in ("action", CONDITIONAL)


@dataclass(frozen=True, slots=True)
class Fold(Generic[S]):
    """A match after entry `seq` (0: only the header). `bots` holds each seat's bot level, or None for a person.

    `away` are the seats that left and have not returned. The state's hash is not kept here: `state_hash(game, state)`.
    """

    state: S
    seq: int
    result: Result | None
    status: Status
    bots: tuple[str | None, ...]
    away: frozenset[Seat] = frozenset()

    @property
    def is_over(self) -> bool:
        """Tell whether nothing can be played any more."""
        return self.status is Status.FINISHED or self.status is Status.VOID


def begin(game: Game[S, V], header: Header) -> Folded[S]:
    """Return the match before its first entry, and the events of its setup.

    Raises BadNotation when the header is of another game or rules version, or its options can't be read.
    """
    if header.game != game.key or header.rules_version != game.version:
        raise BadNotation("match.other-rules", f"{header.game} version {header.rules_version}")
    step = game.setup(header.options, header.n_seats, header.seed, header.seat_options)
    result = game.result(step.state)
    status = Status.LIVE if result is None else Status.FINISHED
    return Fold(step.state, 0, result, status, (None,) * header.n_seats), step.events


def advance(game: Game[S, V], fold: Fold[S], entry: Entry, base: Fold[S] | None = None) -> Folded[S]:
    """Return the match after one more entry, and the events of it; `fold` is untouched.

    `base`: for a take-back, the match after the entry that it goes back to (`goes_to`). Raises BadNotation for a gap
    in `seq`, an unknown kind, a missing seat, action or base, or an action that can't be read; IllegalAction for an
    entry that does not fit (not allowed by the rules, match over or adjourned).
    """
    check_shape(entry, fold.seq + 1, len(fold.bots))
    if fold.is_over and not (entry.kind == "void" and fold.status is Status.FINISHED):
        raise IllegalAction("match.over", f"entry {entry.seq}")
    if entry.kind == TAKEBACK:
        return _taken_back(fold, entry, base), ()
    if entry.kind in PLAYED:
        return _play(game, fold, entry)
    return _NOTES[entry.kind](game, replace(fold, seq=entry.seq), entry), ()


def folds(game: Game[S, V], header: Header, entries: Iterable[Entry]) -> Iterator[Folded[S]]:
    """Yield the match before its first entry and after each of `entries`, with the events; errors as in `advance`.

    What a later take-back goes back to is kept until then.
    """
    log = tuple(entries)
    wanted = {goes_to(entry) for entry in log if entry.kind == TAKEBACK}
    fold, events = begin(game, header)
    kept = {0: fold}
    yield fold, events
    for entry in log:
        base = kept.get(goes_to(entry)) if entry.kind == TAKEBACK else None
        fold, events = advance(game, fold, entry, base)
        if entry.seq in wanted:
            kept[entry.seq] = fold
        yield fold, events


def fold_all(game: Game[S, V], header: Header, entries: Iterable[Entry]) -> Fold[S]:
    """Return the match after all of `entries`; errors as in `begin` and `advance`."""
    *_, (fold, _) = folds(game, header, entries)
    return fold


def goes_to(entry: Entry) -> int:
    """Return the number of the entry that a take-back goes back to; 0: the beginning. Raises BadNotation."""
    to = entry.data.get("to")
    if not isinstance(to, int) or isinstance(to, bool) or not 0 <= to < entry.seq:
        raise BadNotation("match.gap", f"entry {entry.seq} goes back to {to}, which does not stand")
    return to


def standing(entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries that count: without what was taken back, and without the take-backs.

    Raises BadNotation for a take-back to an entry that does not stand.

    >>> back = Entry(3, "takeback", Seat(0), data={"to": 1})
    >>> [one.seq for one in standing([Entry(1, "action"), Entry(2, "action"), back, Entry(4, "action")])]
    [1, 4]
    """
    stand: list[Entry] = []
    for entry in entries:
        if entry.kind != TAKEBACK:
            stand.append(entry)
            continue
        to = goes_to(entry)
        while stand and stand[-1].seq > to:
            stand.pop()
        if to and (not stand or stand[-1].seq != to):
            raise BadNotation("match.gap", f"entry {entry.seq}: to")
    return stand


def check_shape(entry: Entry, seq: int, n_seats: int) -> None:
    """Check what can be checked without the match: number, kind, seat, action. Raises BadNotation."""
    if entry.seq != seq:
        raise BadNotation("match.gap", f"entry {entry.seq} where {seq} was due")
    if entry.kind not in KINDS:
        raise BadNotation("match.unknown-kind", f"entry {seq}: {entry.kind[:40]}")
    if not 0 <= entry.seat < n_seats if entry.seat is not None else entry.kind in NEEDS_SEAT:
        raise BadNotation("match.unknown-seat", f"entry {seq}")
    if (entry.action is None) is (entry.kind in NEEDS_ACTION):
        raise BadNotation("match.no-action", f"entry {seq}")


def _taken_back(fold: Fold[S], entry: Entry, base: Fold[S] | None) -> Fold[S]:
    """Return the match after a take-back: the rules' state is that of `base`, all around it stays."""
    if base is None or base.seq != goes_to(entry):
        raise BadNotation("match.gap", f"entry {entry.seq}: to")
    if fold.status is not Status.LIVE or base.status is not Status.LIVE:
        raise IllegalAction("match.adjourned", f"entry {entry.seq}")
    return replace(fold, state=base.state, seq=entry.seq)


def _play(game: Game[S, V], fold: Fold[S], entry: Entry) -> Folded[S]:
    """Advance by an entry that may change the state of the rules."""
    step = _step(game, fold, entry)
    away = fold.away
    if entry.kind == "left" and entry.seat is not None:
        away |= {entry.seat}
    result = game.result(step.state)
    status = fold.status if result is None else Status.FINISHED
    return Fold(step.state, entry.seq, result, status, fold.bots, away), step.events


def _step(game: Game[S, V], fold: Fold[S], entry: Entry) -> Step[S]:
    """Return what the rules make of an entry."""
    seat, state = entry.seat, fold.state
    assert seat is not None  # `check_shape` has seen to it
    if fold.status is Status.ADJOURNED and (entry.is_decision or entry.kind == "timeout"):
        raise IllegalAction("match.adjourned", f"entry {entry.seq}")
    match entry.kind:
        case "action" | "conditional":
            return game.apply(state, seat, Action(entry.action or ""))
        case "setting":
            action = Action(entry.action or "")
            if not any(contains(choice, action) for choice in game.settings(state, seat)):
                raise IllegalAction("match.no-setting", f"entry {entry.seq}")
            return game.apply(state, seat, action)
        case "timeout" if not entry.data.get("forfeit"):
            return game.timeout(state, seat)
        case "left" if entry.data.get("forfeit") is False:
            return Step(state)
        case _:
            return game.forfeit(state, seat)


def draw_by_agreement(game: Game[S, V], state: S) -> Result:
    """Return the result when all who still play agree on a draw: they share the first tier.

    The seats that are out keep their order, which only the rules know: forfeiting the seats still in, one by one, ends
    the match with placements that show it. One forfeit may take other seats out too.
    """
    playing = game.playing(state)
    while still_in := game.playing(state):
        state = game.forfeit(state, still_in[0]).state
    ended = game.result(state)
    tiers = () if ended is None else ended.placements
    return Result((playing, *_without(tiers, playing)), DRAW_AGREED)


def _without(tiers: tuple[tuple[Seat, ...], ...], seats: tuple[Seat, ...]) -> Iterable[tuple[Seat, ...]]:
    """Drop `seats` from the tiers, and the tiers that this leaves empty."""
    kept = (tuple(seat for seat in tier if seat not in seats) for tier in tiers)
    return (tier for tier in kept if tier)


def _draw_agreed(game: Game[S, V], fold: Fold[S], entry: Entry) -> Fold[S]:
    result = draw_by_agreement(game, fold.state)
    return replace(fold, result=result, status=Status.FINISHED)


def _void(game: Game[S, V], fold: Fold[S], entry: Entry) -> Fold[S]:
    return replace(fold, result=None, status=Status.VOID)


def _adjourned(game: Game[S, V], fold: Fold[S], entry: Entry) -> Fold[S]:
    if fold.status is Status.ADJOURNED:
        raise IllegalAction("match.adjourned", f"entry {entry.seq}")
    return replace(fold, status=Status.ADJOURNED)


def _resumed(game: Game[S, V], fold: Fold[S], entry: Entry) -> Fold[S]:
    if fold.status is not Status.ADJOURNED:
        raise IllegalAction("match.not-adjourned", f"entry {entry.seq}")
    return replace(fold, status=Status.LIVE)


def _returned(game: Game[S, V], fold: Fold[S], entry: Entry) -> Fold[S]:
    """Give a seat back to its person, also where a bot played for them."""
    return replace(fold, bots=_seated(fold, entry, None), away=fold.away - {entry.seat})


def _bot_seated(game: Game[S, V], fold: Fold[S], entry: Entry) -> Fold[S]:
    level = entry.data.get("level", "normal")
    if not isinstance(level, str):
        raise BadNotation("match.unknown-bot", f"entry {entry.seq}")
    return replace(fold, bots=_seated(fold, entry, level))


def _seated(fold: Fold[S], entry: Entry, level: str | None) -> tuple[str | None, ...]:
    return tuple(level if seat == entry.seat else sits for seat, sits in enumerate(fold.bots))


def _clock_credited(game: Game[S, V], fold: Fold[S], entry: Entry) -> Fold[S]:
    return fold


_NOTES: Mapping[str, Callable[[Game[S, V], Fold[S], Entry], Fold[S]]] = {
    "draw_agreed": _draw_agreed,
    "void": _void,
    "adjourned": _adjourned,
    "resumed": _resumed,
    "returned": _returned,
    "bot_seated": _bot_seated,
    "clock_credited": _clock_credited,
}
