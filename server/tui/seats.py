"""Players as lines: who it is, whose clock runs, how much time is left."""

from __future__ import annotations

from datetime import datetime

from game.contract import Seat
from server.clock import parse_rfc3339
from server.errors import Refused
from server.matches.model import SeatInfo, Snapshot
from server.tui.lines import Line, Span, clip, columns, ends, fit, text_of
from server.tui.look import Look

LOW_MS = 20_000
CLOCK_COLS = 7  # of a clock and what is around it


def remaining_ms(snapshot: Snapshot, seat: int, now: datetime) -> int:
    """Return a seat's bank at a moment: it runs while the seat owes a decision."""
    bank = snapshot.seats[seat].bank_ms
    runs = snapshot.status == "live" and any(who == seat and window is None for who, window in snapshot.deciding)
    if runs:
        bank -= int((now - snapshot.clock_at).total_seconds() * 1000)
    return max(0, bank)


def clock_words(ms: int, look: Look) -> str:
    """Write a duration as a clock: 2:41, 1:02:03, 2d 4h.

    >>> clock_words(161_000, Look()), clock_words(180_000_000, Look())
    ('2:41', '2d 2h')
    """
    seconds = ms // 1000
    days, hours, minutes = seconds // 86_400, seconds // 3600, seconds // 60
    if days:
        return look.t("clock.days", d=days, h=hours % 24)
    if hours:
        return f"{hours}:{minutes % 60:02}:{seconds % 60:02}"
    return f"{minutes}:{seconds % 60:02}"


def reasons(refusal: Exception, look: Look) -> dict[str, object]:
    """Return a refusal's parameters as its sentence wants them: `time`, a wait in words; a moment to the minute."""
    params: dict[str, object] = dict(refusal.params) if isinstance(refusal, Refused) else {}
    if isinstance(wait := params.get("retry_after_ms"), int):
        params["time"] = clock_words(wait, look)
    if isinstance(until := params.get("until"), str):
        params["until"] = f"{parse_rfc3339(until):%Y-%m-%d %H:%M} UTC"
    return params


def player_name(name: str, look: Look) -> str:
    """Return how a player's name is shown; a bot's is a word and its level."""
    if name.startswith("bot:"):
        return look.t("bot.name", level=look.t(f"bot.{name.removeprefix('bot:')}"))
    return name


def name_at(snapshot: Snapshot, seat: int, look: Look) -> str:
    """Return a seat's name, with its number where another seat has the same: built-in players of one level."""
    name = player_name(snapshot.seats[seat].player.name, look)
    twice = sum(info.player.name == snapshot.seats[seat].player.name for info in snapshot.seats) > 1
    return f"{name} {seat + 1}" if twice else name


def short_name_at(snapshot: Snapshot, seat: int, look: Look) -> str:
    """Return a seat's name as a log says it: of several built-in players of one level only the number."""
    player = snapshot.seats[seat].player
    if player.kind == "bot" and sum(info.player.name == player.name for info in snapshot.seats) > 1:
        return look.t("bot.numbered", number=seat + 1)
    return name_at(snapshot, seat, look)


def rating_words(info: SeatInfo) -> str:
    """Return a rating as it was at the start, '?' marks a provisional one; empty: none."""
    if info.rating is None:
        return ""
    return f"{info.rating}{'?' if info.provisional else ''}"


def seat_line(snapshot: Snapshot, seat: int, mark: str, look: Look, cols: int, now: datetime) -> Line:
    """Return a player's line: whose turn, mark, name, rating or what matters more, and the clock while it can run."""
    info, glyphs = snapshot.seats[seat], look.glyphs
    decides = snapshot.status == "live" and any(who == seat for who, _ in snapshot.deciding)
    name = player_name(info.player.name, look) if mark == str(seat + 1) else name_at(snapshot, seat, look)
    note = seat_note(snapshot, Seat(seat), look)
    has_clock = not snapshot.rating_changes and not info.out
    left_cols = cols - (CLOCK_COLS if has_clock else 0)
    if note:
        name = clip(name, max(1, left_cols - columns(f" {mark}  {note}")))
    left: list[Span] = [("clock.run", f"{glyphs.turn if decides else ' '}"), (f"seat{seat}", f"{mark} {name}")]
    fits = not note or columns(f"{text_of(tuple(left))} {rating_words(info)} {note}") <= left_cols
    if fits and rating_words(info):
        left.append(("dim", f" {rating_words(info)}"))
    if note:
        left.append(("warn", f" {note}"))
    if not has_clock:
        return fit(tuple(left), cols)
    ms = remaining_ms(snapshot, seat, now)
    style = "clock.low" if decides and ms < LOW_MS else "clock.run" if decides else "clock"
    return ends(left, (("", " "), (style, clock_words(ms, look)), ("", " ")), cols)


def away(snapshot: Snapshot) -> list[Seat]:
    """Return the seats of people who are missed: not here, not out, and no bot plays for them."""
    return [
        info.seat
        for info in snapshot.seats
        if not (info.here or info.out or info.player.kind == "bot" or info.bot is not None)
    ]


def seat_note(snapshot: Snapshot, seat: Seat, look: Look) -> str:
    """Return what else there is to say about a seat: out, away, the rating's change."""
    info = snapshot.seats[seat]
    if change := snapshot.rating_changes.get(seat):
        return f"{look.glyphs.arrow} {round(change[1])} ({round(change[1]) - round(change[0]):+d})"
    if info.out:
        return look.t("seat.out")
    if info.bot is not None and info.player.kind != "bot" and snapshot.status == "live":
        return look.t("seat.bot-plays")
    if seat in away(snapshot) and snapshot.status == "live":
        return look.t("seat.away")
    return ""
