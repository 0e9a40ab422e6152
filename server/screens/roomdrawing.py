"""Drawing a room: its settings, its seats, its results, and what it waits for."""

from __future__ import annotations

from typing import Final

from game import registry
from game.options import has_open_hands
from server.boards.board import switches_of
from server.boards.seats import level_rating, player_name, shown_name
from server.boards.speeds import speed_words
from server.lobby.model import RoomSeat, RoomView
from server.lobby.new_matches import speed_with
from server.matches.speeds import UNTIMED
from server.screens import options
from server.screens.columns import Column, cells, row_words
from server.terminal.items import Item, ListRow, Said
from server.terminal.lines import Line, Span, joined, width_cols, wrapped
from server.terminal.look import Look

WIDE: Final = 60  # columns: on fewer a seat is drawn close, so that its state has room


def terms(view: RoomView, look: Look) -> tuple[str, ...]:
    """Return the room's name where it has one, the game, whether it counts, and the speed."""
    now, t = view.agreement, look.t
    speed = _speed(view)
    is_rated = now.rated and speed != UNTIMED.name and not view.casual_because
    named = (look.game(now.game), t("match.rated" if is_rated else "match.casual"), speed_words(speed, look))
    return (view.settings.title, *named) if view.settings.title else named


def _speed(view: RoomView) -> str:
    return speed_with(view.settings, [held.player for held in view.seats])


def _conditions(view: RoomView, look: Look) -> list[Said]:
    """Say who may come and how it is played, what follows from that, and which options are unusual."""
    now, t = view.agreement, look.t
    told = [one for one in switches_of(now.game) if one.of(now) or not one.is_rare]
    said = [Said(t("list.comma").join(t(one.said_of(now)) for one in told), "dim")]
    said += [Said(t(f"room.casual.{view.casual_because}"), "warn")] if view.casual_because is not None else []
    said += [Said(t("room.untimed"), "warn")] if _speed(view) == UNTIMED.name else []
    said += [Said(t("room.open-hands"), "warn")] if has_open_hands(now.options) else []
    return [*said, *(Said(text, "dim") for text in options.summary(look, now.game, now.options))]


def told(view: RoomView, line: str, chosen: int, look: Look) -> list[Item]:
    """Tell a room: what is played, the code and what to type to come in, its seats and its results."""
    code = joined((look.t("room.invite"), view.code, look.t("room.how", line=line)))
    columns = _columns(view, look)
    rows = [ListRow(row_words(columns, seat, look), seat.seat == chosen) for seat in view.seats]
    return [
        Said(look.t("list.comma").join(terms(view, look))),
        Said(code),
        *_conditions(view, look),
        *rows,
        *results(view, look),
    ]


def settings(view: RoomView, line: str, look: Look, cols: int) -> list[Line]:
    """Draw what is played, the invite code, and who may come; `line` is what to type to come in."""
    t = look.t
    how = t("room.how", line=line)
    invite: Line = (("", f" {t('room.invite')} "), ("key", view.code))
    by_line: Line = (("dim", f"   {how}"),)
    fits = width_cols((*invite, *by_line)) <= cols  # it is there to be copied
    return [
        (("", " "), ("title", " · ".join(terms(view, look)))),
        *([(*invite, *by_line)] if fits else [invite, *wrapped(f" {how}", cols, "dim", 1)]),
        *(line for one in _conditions(view, look) for line in wrapped(f" {one.text}", cols, one.tone, 1)),
    ]


def seats(view: RoomView, chosen: int, look: Look, cols: int) -> list[Line]:
    """Draw the seats and who sits there; `chosen` is the one under the cursor."""
    columns = _columns(view, look, cols)
    pointers = [("row", f" {look.glyphs.pointer} ") if seat.seat == chosen else ("", "   ") for seat in view.seats]
    return [(pointer, *cells(columns, seat)) for pointer, seat in zip(pointers, view.seats, strict=True)]


def _columns(view: RoomView, look: Look, cols: int = WIDE) -> tuple[Column[RoomSeat], ...]:
    settings = view.settings
    side_cols, holder_cols, gap = (12, 24, 2) if cols >= WIDE else (6, 16, 1)
    names = registry.get(settings.agreement.game).seat_names(settings.agreement.players)

    def own(seat: RoomSeat) -> str:
        return f"seat{seat.seat}"

    def style(seat: RoomSeat) -> str:
        return _state(view, seat, look)[0]

    def side(seat: RoomSeat) -> str:
        return look.side(settings.agreement.game, names[seat.seat], int(seat.seat))

    def holder_style(seat: RoomSeat) -> str:
        return "dim" if seat.player is None else own(seat)

    def sign(seat: RoomSeat) -> str:
        return f"{look.glyphs.yes} " if style(seat) == "good" else ""

    return (
        Column(
            "", side_cols, lambda one: look.side(settings.agreement.game, names[one.seat], int(one.seat)), own, gap=gap
        ),
        Column("", holder_cols, lambda one: _holder(view, one, look), holder_style, gap=gap),
        Column("", 0, sign, style, gap=0, said=lambda one: ""),
        Column("", 0, lambda one: _state(view, one, look)[1], style),
        Column("", 0, lambda one: f"  {look.t('room.deck-chosen')}" if one.player and one.seat_options else "", "dim"),
    )


def _holder(view: RoomView, seat: RoomSeat, look: Look) -> str:
    """Name who sits there with the rating, or for whom the seat is kept."""
    if seat.player is None:
        return look.t("room.held", name=seat.held_for) if seat.held_for else look.t("room.free")
    measured = level_rating(seat.player, view.agreement.game, len(view.seats))
    rating = seat.rating if measured is None else measured
    return shown_name(seat.player, look) + (f" {rating}" if rating is not None else "")


def _state(view: RoomView, seat: RoomSeat, look: Look) -> Span:
    """Say whether who sits there is ready."""
    if seat.player is None:
        return "", ""
    if view.playing:
        return "dim", look.t("room.plays")  # who is away from the match is known there, not here
    if seat.ready or seat.player.kind == "bot":
        return "good", look.t("room.ready")
    return "dim", look.t("room.not-ready" if seat.here else "seat.away")


def results(view: RoomView, look: Look) -> list[Said]:
    """Say how the last matches ended, and what goes on now."""
    said = [
        look.t("room.result", n=n, name=player_name(winner, look)) if winner else look.t("room.drawn", number=n)
        for n, (_, winner) in enumerate(view.results, 1)
    ]
    told = [Said(text, "dim") for text in said[-3:]]
    if view.playing:
        told.append(Said(look.t("room.playing"), "good"))
    elif view.rematch:
        told.append(Said(look.t("room.rematch", names=look.t("list.comma").join(sorted(view.rematch))), "warn"))
    return told


def wanted(view: RoomView, own: RoomSeat | None, is_host: bool, look: Look, is_guest: bool = False) -> str:
    """Say what the match waits for: a seat that this person may take, others, or that they are ready."""
    t, free = look.t, sum(seat.player is None for seat in view.seats)
    held = t("list.comma").join(seat.held_for for seat in view.seats if seat.held_for and seat.player is None)
    if view.declined and free and is_host and not held:
        return t("room.declined", names=t("list.comma").join(view.declined))
    if held and own is not None:
        return t("room.wait-held", names=held)
    if free and own is None and is_guest and view.settings.agreement.rated:
        return t("room.guest-rated")
    if free and own is None:
        return t("room.press-sit", n=free)
    if free:
        return t("room.wait-seats" if is_host else "room.wait-others", n=free)
    if own is None:
        return t("room.full")
    if view.begins_at is not None:
        return t("room.begins")
    if not own.ready:
        return t("room.press-ready")
    if view.can_start and is_host:
        return t("room.press-start")
    return t("room.wait-ready")
