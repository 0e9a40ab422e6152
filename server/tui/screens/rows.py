"""The lobby's rows: a running match, an open seat, a room, a live match, each as one line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from server.accounts.identity import Player
from server.lobby.model import Challenge, RoomSummary, SeekView
from server.matches.model import MatchSummary, SummarySeat
from server.tui.lines import Line, Span, pad
from server.tui.look import Look
from server.tui.screens.bringing import side_names
from server.tui.seats import player_name

KIND_COLS, GAME_COLS, WHO_COLS, STATE_COLS, SPEED_COLS = 10, 10, 27, 13, 8
ROW_COLS, WIDEST_WHO = 83, 60  # a row with `WHO_COLS` for the names, and a gap; what a wide list has over goes to them
Kind = Literal["mine", "challenge", "seek", "room", "live"]


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
    name = player_name(seat.player.name, look)
    return f"{name} {seat.rating}" if seat.rating is not None else name


def mine_row(summary: MatchSummary, me: Player, look: Look, who_cols: int = WHO_COLS) -> Row:
    """Write a running match of one's own: whether one is to act, or out already; against whom."""
    mine = [seat.seat for seat in summary.seats if seat.player.is_same_person(me)]
    to_act = any(seat in summary.to_act for seat in mine)
    others = [player_name(seat.player.name, look) for seat in summary.seats if seat.seat not in mine]
    who = look.t("row.versus", names=look.t("list.comma").join(others))
    waiting = "row.out" if mine and summary.out.issuperset(mine) else "row.waiting"
    word = "row.your-turn" if to_act else "row.adjourned" if summary.status == "adjourned" else waiting
    style = "warn" if to_act else "dim"
    spans = head(look, word, style, summary.game)
    spans += [("", pad(who, who_cols)), ("", "  "), ("dim", pad(look.t("row.move", n=summary.seq), 10)), ("", " ")]
    spans.append(("dim", look.t(f"speed.{summary.speed}")))
    return _row("mine", summary.id, spans)


def challenge_row(challenge: Challenge, look: Look, who_cols: int = WHO_COLS) -> Row:
    """Write that somebody wants to play with this person."""
    settings = challenge.settings
    spans = head(look, "row.challenge", "warn", settings.game)
    spans += [("", pad(player_name(challenge.by.name, look), who_cols)), ("", "  ")]
    spans.append(("", pad(look.t("row.wants-you"), STATE_COLS)))
    spans += _terms(look, settings.speed, settings.rated)
    return _row("challenge", challenge.code, spans)


def seek_row(seek: SeekView, look: Look, who_cols: int = WHO_COLS) -> Row:
    """Write an open seek: who looks for what."""
    wish = seek.seek
    who = player_name(seek.player.name, look) + (f" {seek.rating}" if seek.rating is not None else "")
    spans = head(look, "row.open", "good", wish.game)
    spans += [("", pad(who, who_cols)), ("", "  ")]
    spans.append(("", pad(seek_words(seek, look), STATE_COLS)))
    spans += _terms(look, wish.speed, wish.rated)
    return _row("seek", seek.id, spans, seek, (seek.player,))


def seek_words(seek: SeekView, look: Look) -> str:
    """Say how many are missing; or which side, where a side is left that is a game of its own."""
    wish = seek.seek
    names = side_names(wish.game)
    if wish.seat is None or len(names) != wish.players or len(names) > 2:
        return look.t("row.waiting-for", n=max(1, wish.players - seek.waiting))
    left = 1 - wish.seat
    return look.t("row.side-wanted", side=look.side(wish.game, names[left], left))


def _terms(look: Look, speed: str, rated: bool) -> list[Span]:
    kind = look.t("match.rated" if rated else "match.casual")
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
    spans += _terms(look, settings.speed, settings.rated)
    row = _row("room", room.code, spans, people=(seat.player for seat in room.seats))
    return replace(row, people=row.people | {room.host})


def live_row(summary: MatchSummary, look: Look, who_cols: int = WHO_COLS) -> Row:
    """Write a live match: players with ratings, how far, who watches."""
    names = [seat_words(seat, look) for seat in summary.seats]
    dash = f" {look.glyphs.dash} " if len(names) == 2 else "  "
    spans = head(look, "row.live", "accent", summary.game)
    spans += [("", pad(dash.join(names), who_cols)), ("", "  ")]
    spans += [("dim", pad(look.t("row.move", n=summary.seq), 10)), ("", " ")]
    if summary.watchers:
        spans.append(("dim", look.t("match.watching", n=summary.watchers)))
    return _row("live", summary.id, spans, people=(seat.player for seat in summary.seats))
