"""A match after some entry of its log, as the server sees it: the rules' fold, what is owed, the clocks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from game.contract import Event, Game, Pending, Seat, reveals
from game.replay import MAY_FALL, Entry, Fold, Header, Status, begin
from game.replay import advance as fold_entry
from server.clock import parse_rfc3339
from server.matches import clocks
from server.matches.clocks import Clocks
from server.matches.speeds import Speed

AnyGame = Game[Any, Any]
LEAVING = frozenset(("resign", "left", "timeout", "bot_seated", "returned"))  # kinds after which a person may be gone


@dataclass(frozen=True, slots=True)
class Left:
    """A seat whose person resigned, left or ran out of time, or was away so long that a bot plays for them.

    `out`: the seats that were out of play already. `decisions`: what all seats had decided by then. `for_good`: the
    person can't take the seat back.
    """

    seat: Seat
    out: frozenset[Seat]
    decisions: int
    for_good: bool = True


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Everything that follows from a log so far; equal logs give equal checkpoints.

    `changed[seat]`: the entry since which what that seat owes is the same. `acted[seat]`: its own actions so far.
    `left`: the seats whose people are gone, in order of leaving. `stands`: the last entry that was not taken back, and
    is no take-back. `back[seat]`: the entry to which the seat may take back its last own decision; None: to none.
    `decided`: the answers of all seats that stand; `asked_after[seat]`: how many did when it was asked what it owes.
    `moved_on[seat]`: the last entry in which it decided something that was not asked in a window, taken back or not.
    """

    fold: Fold[Any]
    pending: tuple[Pending, ...]
    clocks: Clocks
    changed: tuple[int, ...]
    acted: tuple[int, ...]
    left: tuple[Left, ...] = ()
    outage: int = 0  # the last outage of the server that was credited
    stands: int = 0
    back: tuple[int | None, ...] = ()
    decided: int = 0
    asked_after: tuple[int, ...] = ()
    moved_on: tuple[int, ...] = ()

    @property
    def seq(self) -> int:
        return self.fold.seq

    @property
    def is_live(self) -> bool:
        return self.fold.status is Status.LIVE

    def owed_by(self, seat: Seat) -> Pending | None:
        """Return what a seat owes now, if anything."""
        return next((one for one in self.pending if one.seat == seat), None)


def first(game: AnyGame, header: Header, speed: Speed, at: datetime) -> tuple[Checkpoint, tuple[Event, ...]]:
    """Return the checkpoint before the first entry, and the events of the setup."""
    fold, events = begin(game, header)
    pending = _owed(game, fold)
    n = header.n_seats
    ticking, none = clocks.start(speed, n, pending, at), (0,) * n
    return Checkpoint(fold, pending, ticking, none, none, back=(None,) * n, asked_after=none, moved_on=none), events


def after(
    game: AnyGame, checkpoint: Checkpoint, entry: Entry, base: Checkpoint | None = None
) -> tuple[Checkpoint, tuple[Event, ...]]:
    """Return the checkpoint after one more entry, and its events. Raises as `game.replay.advance` does.

    `base`: for a take-back, the checkpoint after the entry that it goes back to.
    """
    fold, events = fold_entry(game, checkpoint.fold, entry, None if base is None else base.fold)
    pending = _owed(game, fold)
    if base is not None:
        return _taken_back(checkpoint, base, entry, fold, pending), ()
    ticking = clocks.advance(checkpoint.clocks, entry, effective_at(entry), checkpoint.pending, pending)
    outage = entry.data.get("outage")
    decided = checkpoint.decided + (entry.kind in clocks.ANSWERS)
    changed = _changed(checkpoint, ticking, entry.seq)
    advanced = Checkpoint(  # spelled out: `replace` would double what a restart costs for each entry of each match
        fold=fold,
        pending=pending,
        clocks=ticking,
        changed=changed,
        acted=_acted(checkpoint.acted, entry),
        left=_left(game, checkpoint, entry) if entry.kind in LEAVING else checkpoint.left,
        outage=outage if isinstance(outage, int) else checkpoint.outage,
        stands=entry.seq,
        back=_back(game, checkpoint, entry, events),
        decided=decided,
        asked_after=_asked_after(checkpoint, changed, decided),
        moved_on=_moved_on(checkpoint, entry),
    )
    return advanced, events


def _taken_back(
    checkpoint: Checkpoint, base: Checkpoint, entry: Entry, fold: Fold[Any], pending: tuple[Pending, ...]
) -> Checkpoint:
    """Return the checkpoint after a take-back: as `base`, but that every turn is a new one, with the time of now."""
    return replace(
        base,
        fold=fold,
        pending=pending,
        clocks=clocks.taken_back(checkpoint.clocks, base.clocks, entry, effective_at(entry), pending),
        changed=(entry.seq,) * len(checkpoint.changed),
        moved_on=checkpoint.moved_on,
    )


def _back(game: AnyGame, before: Checkpoint, entry: Entry, events: tuple[Event, ...]) -> tuple[int | None, ...]:
    """Return to where each seat may take back after an entry: to no point before somebody learnt something."""
    nobody = (None,) * len(before.changed)
    if entry.kind not in MAY_FALL or entry.data.get("forfeit"):
        return nobody
    asked = None if entry.seat is None else before.owed_by(entry.seat)
    in_window = entry.kind in clocks.ANSWERS and asked is not None and asked.window is not None
    if in_window and asked is not None and not asked.idle:
        return nobody  # what somebody says in a window tells what they hold
    if any(reveals(game.spec, event) for event in events):
        return nobody
    if not entry.is_decision or entry.seat is None or in_window:
        return before.back  # nobody has decided anything
    return (*before.back[: entry.seat], before.stands, *before.back[entry.seat + 1 :])


def _asked_after(before: Checkpoint, changed: tuple[int, ...], decided: int) -> tuple[int, ...]:
    """Return by seat how many answers stood when it was asked what it owes."""
    both = zip(before.changed, changed, before.asked_after, strict=True)
    return tuple(since if old == new else decided for old, new, since in both)


def _moved_on(before: Checkpoint, entry: Entry) -> tuple[int, ...]:
    """Return the last decision of each seat outside of windows."""
    asked = before.owed_by(entry.seat) if entry.is_decision and entry.seat is not None else None
    if asked is None or asked.window is not None:
        return before.moved_on
    return (*before.moved_on[: asked.seat], entry.seq, *before.moved_on[asked.seat + 1 :])


def _acted(acted: tuple[int, ...], entry: Entry) -> tuple[int, ...]:
    """Count one more action of its seat."""
    if not entry.is_decision or entry.seat is None:
        return acted
    return (*acted[: entry.seat], acted[entry.seat] + 1, *acted[entry.seat + 1 :])


def effective_at(entry: Entry) -> datetime:
    """Return when an entry took effect: when it arrived, or the later moment up to which it is withheld."""
    held = entry.data.get("shown_at")
    return parse_rfc3339(held if isinstance(held, str) else entry.at or "")


def held_until(entry: Entry) -> datetime | None:
    """Return the moment before which only its own seat may notice the entry, if there is one."""
    held = entry.data.get("shown_at")
    return parse_rfc3339(held) if isinstance(held, str) else None


def quiet_until(entry: Entry) -> datetime | None:
    """Return the moment before which nobody else is told of an answer that leaves its window open, if there is one."""
    quiet = entry.data.get("quiet_until")
    return parse_rfc3339(quiet) if isinstance(quiet, str) else None


def _owed(game: AnyGame, fold: Fold[Any]) -> tuple[Pending, ...]:
    return game.pending(fold.state) if fold.status is Status.LIVE else ()


def _changed(checkpoint: Checkpoint, ticking: Clocks, seq: int) -> tuple[int, ...]:
    """Tell per seat since which entry what it owes is the same."""
    both = zip(checkpoint.clocks.decisions, ticking.decisions, checkpoint.changed, strict=True)
    return tuple(since if _same(old, new) else seq for old, new, since in both)


def _same(old: clocks.Decision | None, new: clocks.Decision | None) -> bool:
    return (None if old is None else old.seq) == (None if new is None else new.seq)


def _left(game: AnyGame, before: Checkpoint, entry: Entry) -> tuple[Left, ...]:
    """Return who has left after an entry of a kind that may say so."""
    seat, data = entry.seat, entry.data
    assert seat is not None  # these kinds have one
    if entry.kind == "returned":
        return tuple(one for one in before.left if one.seat != seat)
    if (entry.kind == "timeout" and not data.get("forfeit")) or (entry.kind == "left" and data.get("forfeit") is False):
        return before.left
    seats = frozenset(map(Seat, range(len(before.changed))))
    out = seats.difference(game.playing(before.fold.state))
    for_good = entry.kind != "bot_seated" or bool(data.get("left"))
    return (*before.left, Left(seat, out, sum(before.acted), for_good))
