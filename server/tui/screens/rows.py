"""The lobby's rows: a running match, an open seat, a room, a live match, each as one line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from game.contract import Json, Seat
from game.options import has_open_hands
from server.accounts.identity import Player
from server.i18n.durations import clock_words
from server.lobby.model import Challenge, RoomSummary, SeekView
from server.matches.model import MatchSummary, SummarySeat
from server.matches.speeds import DAILY
from server.tui.lines import Line, Span, pad
from server.tui.look import Look
from server.tui.screens.bringing import side_names
from server.tui.screens.news import News
from server.tui.seats import player_name

KIND_COLS, GAME_COLS, WHO_COLS, STATE_COLS, SPEED_COLS = 10, 10, 27, 13, 8
NEWS_COLS = 12  # that news take from the names: how it ended is longer than what is said of a match that runs
ROW_COLS, WIDEST_WHO = 83, 60  # a row with `WHO_COLS` for the names, and a gap; what a wide list has over goes to them
Kind = Literal["news", "mine", "challenge", "seek", "room", "live", "ended"]


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the lobby; `target` is what it opens (a match id, a room's code), `text` what the filter looks at."""

    kind: Kind
    key: str
    target: str
    line: Line
    text: str
    seek: SeekView | None = None
    people: frozenset[str] = frozenset()  # whom it names: it is hidden from who has blocked one of them
    is_closed: bool = False  # a live match that nobody may look on at


def _row(
    kind: Kind, target: str, spans: list[Span], seek: SeekView | None = None, people: Iterable[Player | None] = ()
) -> Row:
    line = (("", " "), *spans)
    names = frozenset(player.name for player in people if player is not None)
    return Row(kind, f"{kind}:{target}", target, line, "".join(text for _, text in spans), seek, names)


def head(look: Look, word: str, style: str, game: str) -> list[Span]:
    """Begin a row: what it is, which game."""
    return [(style, pad(look.t(word), KIND_COLS)), ("", " "), ("", pad(look.game(game), GAME_COLS)), ("", " ")]


def who_cols(list_cols: int) -> int:
    """Return how many columns of a row are for the names, in a list of so many columns."""
    return min(WIDEST_WHO, WHO_COLS + max(0, list_cols - ROW_COLS))


def seat_words(seat: SummarySeat, look: Look) -> str:
    """Write a player with the rating."""
    name = _replaced(seat, look)
    return f"{name} {seat.rating}" if seat.rating is not None else name


def _replaced(seat: SummarySeat, look: Look) -> str:
    """Write a player, and that a bot plays for them."""
    name = player_name(seat.player.name, look)
    return name if seat.bot is None else look.t("row.bot-for", name=name)


def news_row(news: News, look: Look, who_cols: int = WHO_COLS) -> Row:
    """Write a match that ended while one was away: against whom, and what came of it."""
    spans = head(look, "row.news", "accent", news.game)
    versus = pad(look.t("row.versus", names=news.others), who_cols - NEWS_COLS)
    spans += [("", versus), ("", "  "), (news.style, news.text)]
    return _row("news", news.match, spans)


def _left(summary: MatchSummary, mine: list[Seat], look: Look, now: datetime) -> str:
    """Say how long one has in daily play, or how long the others have and, of several, who they are."""
    own = [at for seat, at in summary.due if seat in mine]
    due = own or [at for _, at in summary.due]
    if summary.speed != DAILY or not due:
        return ""
    left = left_words(min(due) - now, look)
    if own or len(summary.seats) == 2:
        return f" · {left}"
    names = look.t("list.comma").join(player_name(summary.seats[seat].player.name, look) for seat, _ in summary.due)
    return f" · {left} {names}"


def left_words(left: timedelta, look: Look) -> str:
    """Write how long somebody may still think, as rough as a list needs it: 2d 4h, 5 h, 12 min."""
    minutes = max(0, int(left.total_seconds() // 60))
    if minutes >= 24 * 60:
        return clock_words(minutes * 60_000, look)
    return look.t("clock.hours", h=minutes // 60) if minutes >= 60 else look.t("clock.minutes", min=minutes)


def mine_row(
    summary: MatchSummary, me: Player, look: Look, who_cols: int = WHO_COLS, now: datetime | None = None
) -> Row:
    """Write a running match of one's own: whether one is to act, or out already; against whom, and the time left."""
    mine = [seat.seat for seat in summary.seats if seat.player.is_same_person(me)]
    to_act = any(seat in summary.to_act for seat in mine)
    others = [_replaced(seat, look) for seat in summary.seats if seat.seat not in mine]
    who = look.t("row.versus", names=look.t("list.comma").join(others))
    waiting = "row.out" if mine and summary.out.issuperset(mine) else "row.waiting"
    if any(seat.bot is not None for seat in summary.seats if seat.seat in mine):
        waiting, to_act = "row.bot-plays", False
    word = "row.your-turn" if to_act else "row.adjourned" if summary.status == "adjourned" else waiting
    style = "warn" if to_act else "dim"
    spans = head(look, word, style, summary.game)
    spans += [("", pad(who, who_cols)), ("", "  "), ("dim", pad(look.t("row.move", n=summary.seq), 10)), ("", " ")]
    left = "" if now is None else _left(summary, mine, look, now)
    spans.append(("dim", look.t(f"speed.{summary.speed}") + left))
    return _row("mine", summary.id, spans)


def challenge_row(challenge: Challenge, look: Look, who_cols: int = WHO_COLS) -> Row:
    """Write that somebody wants to play with this person."""
    settings = challenge.settings
    spans = head(look, "row.challenge", "warn", settings.game)
    spans += [("", pad(player_name(challenge.by.name, look), who_cols)), ("", "  ")]
    spans.append(("", pad(look.t("row.wants-you"), STATE_COLS)))
    spans += _terms(look, settings.speed, settings.rated, settings.options)
    return _row("challenge", challenge.code, spans)


def seek_row(seek: SeekView, look: Look, who_cols: int = WHO_COLS) -> Row:
    """Write an open seek: who looks for what."""
    wish = seek.seek
    who = player_name(seek.player.name, look) + (f" {seek.rating}" if seek.rating is not None else "")
    spans = head(look, "row.open", "good", wish.game)
    spans += [("", pad(who, who_cols)), ("", "  ")]
    spans.append(("", pad(seek_words(seek, look), STATE_COLS)))
    spans += _terms(look, wish.speed, wish.rated, wish.options)
    return _row("seek", seek.id, spans, seek, (seek.player,))


def seek_words(seek: SeekView, look: Look) -> str:
    """Say how many are missing; or which side, where a side is left that is a game of its own."""
    wish = seek.seek
    names = side_names(wish.game)
    if wish.seat is None or len(names) != wish.players or len(names) > 2:
        return look.t("row.waiting-for", n=max(1, wish.players - seek.waiting))
    left = 1 - wish.seat
    return look.t("row.side-wanted", side=look.side(wish.game, names[left], left))


def _terms(look: Look, speed: str, rated: bool, options: Mapping[str, Json]) -> list[Span]:
    kind = look.t("match.open-hands" if has_open_hands(options) else "match.rated" if rated else "match.casual")
    return [("dim", f"{pad(look.t(f'speed.{speed}'), SPEED_COLS)} {kind}")]


def room_row(room: RoomSummary, look: Look, who_cols: int = WHO_COLS) -> Row:
    """Write an open room: how many seats are taken, by whom."""
    settings = room.settings
    names = [player_name(seat.player.name, look) for seat in room.seats if seat.player is not None]
    taken = look.t("row.playing") if room.match else look.t("row.seats", taken=len(names), of=settings.players)
    spans = head(look, "row.room", "good", settings.game)
    spans += [
        ("", pad(settings.title or look.t("list.comma").join(names), who_cols)),
        ("", "  "),
        ("", pad(taken, STATE_COLS)),
    ]
    spans += _terms(look, settings.speed, settings.rated, settings.options)
    row = _row("room", room.code, spans, people=(seat.player for seat in room.seats))
    return replace(row, people=row.people | {room.host})


def live_row(summary: MatchSummary, look: Look, who_cols: int = WHO_COLS) -> Row:
    """Write a live match: players with ratings, how far, who watches; of a closed one only that it is."""
    names = [seat_words(seat, look) for seat in summary.seats]
    dash = f" {look.glyphs.dash} " if len(names) == 2 else "  "
    spans = head(look, "row.live", "accent", summary.game)
    spans += [("", pad(dash.join(names), who_cols)), ("", "  ")]
    if summary.watchable:
        spans += [("dim", pad(look.t("row.move", n=summary.seq), 10)), ("", " ")]
    else:
        spans.append(("dim", look.t("row.closed")))
    if summary.watchers:
        spans.append(("dim", look.t("match.watching", n=summary.watchers)))
    row = _row("live", summary.id, spans, people=(seat.player for seat in summary.seats))
    return replace(row, is_closed=not summary.watchable)


def ended_row(summary: MatchSummary, look: Look, who_cols: int = WHO_COLS) -> Row:
    """Write a match that has ended: players with ratings, who won, and when."""
    names = [seat_words(seat, look) for seat in summary.seats]
    dash = f" {look.glyphs.dash} " if len(names) == 2 else "  "
    spans = head(look, "row.ended", "dim", summary.game)
    spans += [("", pad(dash.join(names), who_cols)), ("", "  "), ("dim", pad(_won(summary, look), STATE_COLS))]
    if summary.ended_at is not None:
        spans.append(("dim", f" {summary.ended_at:%m-%d %H:%M}"))
    return _row("ended", summary.id, spans, people=(seat.player for seat in summary.seats))


def _won(summary: MatchSummary, look: Look) -> str:
    """Say who won, or that nobody did."""
    first = summary.result.placements[0] if summary.result is not None else ()
    if len(first) != 1:
        return look.t("outcome.short.draw")
    return look.t("row.won", name=player_name(summary.seats[first[0]].player.name, look))
