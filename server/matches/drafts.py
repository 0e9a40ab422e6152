"""Entries in the making: what may be appended to a match now, and why not. Pure; the store decides who comes first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from game.choices import contains
from game.contract import Action, Choice, Event, Json, Pending, Seat
from game.errors import BadNotation, IllegalAction
from game.replay import Entry, Status
from server.clock import parse_rfc3339, rfc3339
from server.matches import withholding
from server.matches.checkpoint import AnyGame, Checkpoint, after
from server.matches.errors import MatchOver, MatchPaused, NotYourTurn, Stale, TooLate
from server.matches.model import Timing

Drafted = tuple[Entry, Checkpoint, tuple[Event, ...]]  # the entry, and what it leads to
Draft = Callable[[Checkpoint], Drafted]


def draft_entry(
    game: AnyGame,
    checkpoint: Checkpoint,
    kind: str,
    now: datetime,
    seat: Seat | None = None,
    data: Mapping[str, Json] | None = None,
) -> Drafted:
    """Draft an entry that is no action. Raises what the rules raise when it does not fit."""
    entry = Entry(checkpoint.seq + 1, kind, seat, None, rfc3339(now), data or {})
    return (entry, *after(game, checkpoint, entry))


def check_live(checkpoint: Checkpoint) -> None:
    """Raise MatchOver or MatchPaused unless the match is being played."""
    if checkpoint.fold.is_over:
        raise MatchOver
    if checkpoint.fold.status is Status.ADJOURNED:
        raise MatchPaused


def check_turn(checkpoint: Checkpoint, seat: Seat, at_seq: int) -> Pending:
    """Return what the seat owes, when that is still what it owed at entry `at_seq`. Raises Stale or NotYourTurn."""
    asked = checkpoint.owed_by(seat)
    if at_seq < checkpoint.changed[seat] or at_seq > checkpoint.seq:
        raise Stale
    if asked is None:
        raise NotYourTurn
    return asked


def action(
    game: AnyGame,
    checkpoint: Checkpoint,
    timing: Timing,
    seat: Seat,
    text: str,
    at_seq: int,
    now: datetime,
    arrived: datetime | None = None,
    kind: str = "action",
) -> Drafted:
    """Draft what a seat does: its answer at turn `at_seq`, or a personal setting at any time.

    `arrived` is when the key came (None: the server answers for the seat, and is never late), `kind` that of an
    answer. Raises what `check_live` and `check_turn` raise, TooLate, and the rules' own errors.
    """
    check_live(checkpoint)
    said = Action(text)
    if is_setting(game, checkpoint, seat, said):
        at = arrived or now
        untold = withholding.setting_quiet_until(checkpoint, at)
        data: Mapping[str, Json] = {} if untold is None else {"quiet_until": rfc3339(untold)}
        entry = Entry(checkpoint.seq + 1, "setting", seat, text, rfc3339(at), data)
        return (entry, *after(game, checkpoint, entry))
    asked = check_turn(checkpoint, seat, at_seq)
    decision = checkpoint.clocks.decisions[seat]
    assert decision is not None  # whoever owes something is on the clock
    if arrived is not None and arrived > (checkpoint.clocks.deadline(seat) or arrived):
        raise TooLate
    at = max(decision.since, min(arrived or now, now))
    entry = Entry(checkpoint.seq + 1, kind, seat, said.text, rfc3339(at))
    then, events = after(game, checkpoint, entry)
    if not contains(asked.choice, said):
        raise IllegalAction("action.not-offered", text[:80])
    said_at = parse_rfc3339(rfc3339(at))
    if (held := withholding.withheld_until(game, checkpoint, timing, asked, decision, then, said_at)) is not None:
        entry = replace(entry, data={"shown_at": rfc3339(held)})
    elif (quiet := withholding.quiet_until(game, checkpoint, asked, decision, then, said_at)) is not None:
        entry = replace(entry, data={"quiet_until": rfc3339(quiet)})
    else:
        return entry, then, events
    return (entry, *after(game, checkpoint, entry))


def is_setting(game: AnyGame, checkpoint: Checkpoint, seat: Seat, said: Action) -> bool:
    """Tell whether this is a personal setting, and no answer to what the seat owes."""
    asked = checkpoint.owed_by(seat)
    if asked is not None and _holds(asked.choice, said):
        return False
    return any(_holds(choice, said) for choice in game.settings(checkpoint.fold.state, seat))


def _holds(choice: Choice, said: Action) -> bool:
    try:
        return contains(choice, said)
    except BadNotation:
        return False


def timeout(game: AnyGame, checkpoint: Checkpoint, seat: Seat, now: datetime, late: float) -> Drafted | None:
    """Draft what happens to a seat whose time was up `late` seconds ago or earlier; None when there is time left.

    A window is let pass; elsewhere an empty bank is final.
    """
    deadline, decision = checkpoint.clocks.deadline(seat), checkpoint.clocks.decisions[seat]
    if not checkpoint.is_live or deadline is None or decision is None or now < deadline + timedelta(seconds=late):
        return None
    if decision.window is None:
        return draft_entry(game, checkpoint, "timeout", now, seat, {"forfeit": True})
    return draft_entry(game, checkpoint, "timeout", now, seat, {"due": rfc3339(deadline)})


def answered_for(checkpoint: Checkpoint, seat: Seat, gone: datetime) -> datetime | None:
    """Return when a window is passed for somebody who is gone since `gone`: once its free time is over too.

    None: the seat is asked in no window, or being away does not count (daily play, no clock).
    """
    free = checkpoint.clocks.free_until(seat)
    if free is None or checkpoint.clocks.speed.grace is None or not checkpoint.is_live:
        return None
    return max(free, gone)
