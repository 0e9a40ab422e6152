"""Entries in the making: what may be appended to a match now, and why not. Pure; the store decides who comes first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from game.choices import contains
from game.contract import Action, Choice, Event, Json, Pending, Seat
from game.errors import BadNotation, GameError, IllegalAction
from game.replay import Entry, Status
from server.clock import parse_rfc3339, rfc3339
from server.matches.clocks import Decision
from server.matches.errors import MatchOver, MatchPaused, NotYourTurn, Stale, TooLate
from server.matches.model import Timing
from server.matches.standing import AnyGame, Standing, after

Drafted = tuple[Entry, Standing, tuple[Event, ...]]  # the entry, and what it leads to
Draft = Callable[[Standing], Drafted]


def note(
    game: AnyGame,
    standing: Standing,
    kind: str,
    now: datetime,
    seat: Seat | None = None,
    data: Mapping[str, Json] | None = None,
) -> Drafted:
    """Draft an entry that is no action. Raises what the rules raise when it does not fit."""
    entry = Entry(standing.seq + 1, kind, seat, None, rfc3339(now), data or {})
    return (entry, *after(game, standing, entry))


def check_live(standing: Standing) -> None:
    """Raise MatchOver or MatchPaused unless the match is being played."""
    if standing.fold.is_over:
        raise MatchOver
    if standing.fold.status is Status.ADJOURNED:
        raise MatchPaused


def check_turn(standing: Standing, seat: Seat, at_seq: int) -> Pending:
    """Return what the seat owes, when that is still what it owed at entry `at_seq`. Raises Stale or NotYourTurn."""
    asked = standing.owed_by(seat)
    if at_seq < standing.changed[seat] or at_seq > standing.seq:
        raise Stale
    if asked is None:
        raise NotYourTurn
    return asked


def action(
    game: AnyGame,
    standing: Standing,
    timing: Timing,
    seat: Seat,
    text: str,
    at_seq: int,
    now: datetime,
    arrived: datetime | None = None,
) -> Drafted:
    """Draft what a seat does: its answer at turn `at_seq`, or a personal setting at any time.

    `arrived` is when the key came (None: the house answers for the seat, and is never late). Raises what
    `check_live` and `check_turn` raise, TooLate, and the rules' own errors.
    """
    check_live(standing)
    said = Action(text)
    if is_setting(game, standing, seat, said):
        entry = Entry(standing.seq + 1, "setting", seat, text, rfc3339(arrived or now))
        return (entry, *after(game, standing, entry))
    asked = check_turn(standing, seat, at_seq)
    decision = standing.clocks.decisions[seat]
    assert decision is not None  # whoever owes something is on the clock
    if arrived is not None and arrived > (standing.clocks.deadline(seat) or arrived):
        raise TooLate
    at = max(decision.since, min(arrived or now, now))
    entry = Entry(standing.seq + 1, "action", seat, text, rfc3339(at))
    then, events = after(game, standing, entry)
    if not contains(asked.choice, said):
        raise IllegalAction("action.not-offered", text[:80])
    held = hold_until(game, standing, timing, asked, decision, then, parse_rfc3339(rfc3339(at)))
    if held is None:
        return entry, then, events
    entry = replace(entry, data={"shown_at": rfc3339(held)})
    return (entry, *after(game, standing, entry))


def is_setting(game: AnyGame, standing: Standing, seat: Seat, said: Action) -> bool:
    """Tell whether this is a personal setting, and no answer to what the seat owes."""
    asked = standing.owed_by(seat)
    if asked is not None and _holds(asked.choice, said):
        return False
    return any(_holds(choice, said) for choice in game.settings(standing.fold.state, seat))


def _holds(choice: Choice, said: Action) -> bool:
    try:
        return contains(choice, said)
    except BadNotation:
        return False


def hold_until(
    game: AnyGame,
    standing: Standing,
    timing: Timing,
    asked: Pending,
    decision: Decision,
    then: Standing,
    at: datetime,
) -> datetime | None:
    """Return until when the public effects of an answer are withheld, or None to show them at once.

    Only the answer that closes a window by saying nothing (as silence would) is: that nobody took long tells what
    nobody holds. The minimum depends on how many were asked, which everybody knows.
    """
    if asked.window is None or asked.idle:
        return None
    minimum = timing.window_minimum if decision.asked > 1 else timing.solo_window_minimum
    until = decision.since + timedelta(seconds=minimum)
    if at >= until or _is_still_open(standing, asked, then) or not _is_silence(game, standing, asked.seat, then):
        return None
    return until


def _is_still_open(standing: Standing, asked: Pending, then: Standing) -> bool:
    """Tell whether somebody else is still asked in the same window."""
    others = (one for one in standing.pending if one.window == asked.window and one.seat != asked.seat)
    return any(then.owed_by(one.seat) == one for one in others)


def _is_silence(game: AnyGame, standing: Standing, seat: Seat, then: Standing) -> bool:
    try:
        return bool(game.timeout(standing.fold.state, seat).state == then.fold.state)
    except GameError:
        return False


def timeout(game: AnyGame, standing: Standing, seat: Seat, now: datetime, late: float) -> Drafted | None:
    """Draft what happens to a seat whose time was up `late` seconds ago or earlier; None when there is time left.

    A window is let pass; an empty bank is final.
    """
    deadline = standing.clocks.deadline(seat)
    if not standing.is_live or deadline is None or now < deadline + timedelta(seconds=late):
        return None
    decision = standing.clocks.decisions[seat]
    is_window = decision is not None and decision.window is not None
    return note(game, standing, "timeout", now, seat, {} if is_window else {"forfeit": True})
