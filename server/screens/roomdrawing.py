"""Drawing a room: its settings, its seats, its results, and what it waits for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from game import registry
from game.contract import Seat
from game.options import has_open_hands
from server.accounts.identity import Player
from server.boards.board import switches_of
from server.boards.gamefacts import about, game_words
from server.boards.gamestyle import game_style
from server.boards.outcome import won_words
from server.boards.seats import level_rating, listed_name, player_name, shown_rating
from server.boards.speeds import speed_words
from server.lobby.model import RoomSeat, RoomView
from server.lobby.new_matches import speed_with
from server.matches.guestlimits import closed_because
from server.matches.speeds import UNTIMED
from server.ratings.weights import SETTLED
from server.screens import options
from server.screens.columns import Column, cells, row_words
from server.screens.gametable import cols_beside_emblem, with_emblem
from server.terminal.itemlines import POINTER_COLS, pointer
from server.terminal.items import Item, ListRow, Said
from server.terminal.largetext import word_mark
from server.terminal.lines import (
    Line,
    Span,
    beside,
    columns,
    fit,
    inset,
    joined,
    leading,
    packed_lines,
    plain,
    text_of,
    width_cols,
    wrapped,
)
from server.terminal.look import Look

WIDE: Final = 60  # columns: on fewer a seat is drawn close, so that its state has room
LEAST_NAME_COLS: Final = 12


@dataclass(frozen=True, slots=True)
class MarkedSeats:
    """The seat under the cursor; who reads it sits on the seat `own`, and is told of their `decks`."""

    chosen: int
    own: Seat | None = None
    decks: str = ""


def terms(view: RoomView, look: Look) -> tuple[str, ...]:
    """Return the room's name where it has one, the game, whether it counts, and the speed."""
    title = view.settings.title
    return (*((title,) if title else ()), *_match_terms(view, look))


def _match_terms(view: RoomView, look: Look) -> tuple[str, ...]:
    """Return the game, whether it counts, and the speed."""
    now, speed = view.agreement, _speed(view)
    is_rated = now.rated and speed != UNTIMED.name and not view.casual_because
    return look.game(now.game), look.t("match.rated" if is_rated else "match.casual"), speed_words(speed, look)


def _speed(view: RoomView) -> str:
    return speed_with(view.settings, [held.player for held in view.seats])


def _conditions(view: RoomView, look: Look) -> list[Said]:
    """Say who may come and how it is played, what follows from that, and which options are unusual."""
    now, t = view.agreement, look.t
    told = [one for one in switches_of(now) if one.of(now) or not one.is_rare]
    told = [one for one in told if now.players > 2 or not one.for_many]  # a form has it all the same: its lines stay
    said = [Said(t("list.comma").join(t(one.said_of(now)) for one in told), "dim")]
    said += [Said(t(f"room.casual.{view.casual_because}"), "warn")] if view.casual_because is not None else []
    counts_less = now.rated and now.private and view.casual_because is None
    said += [Said(t("form.kind.invite", n=SETTLED), "dim")] if counts_less else []
    said += [Said(t("room.untimed"), "warn")] if _speed(view) == UNTIMED.name else []
    said += [Said(t("room.open-hands"), "warn")] if has_open_hands(now.options) else []
    return [*said, *(Said(text, "dim") for text in options.summary(look, now.game, now.options))]


def changed(before: RoomView, now: RoomView, look: Look) -> list[str]:
    """Return in words what of the settings is otherwise than it was: as it is now, and what is no longer so."""
    if before.settings == now.settings:
        return []
    was, told = (_all_settings(view, look) for view in (before, now))
    gone = [look.t("room.changed.no-longer", what=one) for one in was if one not in told]
    return [one for one in told if one not in was] or gone


def _all_settings(view: RoomView, look: Look) -> list[str]:
    agreed, seats = view.agreement, look.t("list.pair", what=look.t("form.players"), value=len(view.seats))
    switches = [look.t(one.said_of(agreed)) for one in switches_of(agreed)]
    return [*terms(view, look), seats, *switches, *options.summary(look, agreed.game, agreed.options)]


def told(view: RoomView, line: str, marked: MarkedSeats, look: Look) -> list[Item]:
    """Tell a room: what is played, the code and what to type to come in, its seats and its results."""
    code = joined((look.t("room.invite"), view.code, look.t("room.how", line=line)))
    facts = _columns(view, marked.own, look)
    rows = [ListRow(row_words(facts, seat, look), seat.seat == marked.chosen) for seat in view.seats]
    return [
        Said(look.t("list.comma").join(terms(view, look))),
        Said(game_words(view.agreement.game, look)),
        Said(code),
        *_conditions(view, look),
        *rows,
        *([Said(marked.decks)] if marked.decks else []),
        *results(view, look),
    ]


def table(view: RoomView, line: str, marked: MarkedSeats, look: Look, cols: int, is_roomy: bool) -> list[Line]:
    """Draw what is played, the invite code, and the seats.

    `line`: what to type to come in; `is_roomy`: the code may be large, and what the game is has room.
    """
    game, beside_cols = view.agreement.game, cols_beside_emblem(cols)
    warned = _said((one for one in _conditions(view, look) if one.tone == "warn"), cols)
    close = _invitation(view.code, line, look, beside_cols, is_roomy)
    is_whole = any(line in text_of(one) for one in close)
    invitation = close if is_whole else _invitation(view.code, line, look, cols, is_roomy)
    named = _head(view, look, cols)
    told_cols = beside_cols if max(map(width_cols, named)) <= beside_cols else cols  # else there is no emblem
    told = inset(wrapped(about(game, look), told_cols - 1, "dim")) if is_roomy else []
    head = with_emblem([*named, *told, *warned, (), *invitation, ()], game, look, cols)
    decks = [(), *_said([Said(marked.decks, "dim")], cols)] if marked.decks else []
    return [*head, *_seats(view, marked, look, cols), *decks]


def background(view: RoomView, look: Look, cols: int) -> list[Line]:
    """Draw who may come, and how the last matches ended."""
    conditions = [one for one in _conditions(view, look) if one.tone != "warn"]
    return [(), *_said((*conditions, *results(view, look)), cols)]


def _head(view: RoomView, look: Look, cols: int) -> list[Line]:
    """Draw the room's name where it has one, and what is played."""
    name = wrapped(view.settings.title, cols - 1, "title") if view.settings.title else []
    game, *how = _match_terms(view, look)
    style = game_style(view.agreement.game)
    line: Line = ((style, game), ("", "".join(f" · {one}" for one in how)))
    whole = [line] if width_cols(line) < cols else packed_lines([plain(game, style), *map(plain, how)], cols - 1)
    return [*inset(name), *inset(whole)]


def _said(told: Iterable[Said], cols: int) -> list[Line]:
    return [line for one in told for line in inset(wrapped(one.text, cols - 2, one.tone))]


def _invitation(code: str, line: str, look: Look, cols: int, is_roomy: bool) -> list[Line]:
    """Draw the invite code, large where there is room, and what to type to come in, whole: it is there to be copied."""
    invite, how = look.t("room.invite"), look.t("room.how", line=line)
    large = word_mark(code, look, cols // 2) if is_roomy else []
    if len(large) > 1:
        words: list[Line] = [plain(invite, "dim"), (), plain(line)]
        if (left := width_cols(large[0]) + 4) + columns(line) < cols:
            return inset(beside(large, words, left, cols - left - 1))
    inline: Line = (("", f" {leading(invite)}"), ("key", code), ("dim", f"   {how}"))
    return [inline] if width_cols(inline) <= cols else [inline[:2], *wrapped(f" {how}", cols, "dim", 1)]


def _seats(view: RoomView, marked: MarkedSeats, look: Look, cols: int) -> list[Line]:
    """Draw the seats and who sits there; what has no room behind a name stands below it."""
    facts, lines = _columns(view, marked.own, look, cols), list[Line]()
    for seat in view.seats:
        side, holder, *state = cells(facts, seat)
        told = tuple(span for span in state if span[1])
        first: Line = (("", pointer(seat.seat == marked.chosen, look)), side, holder)
        drawn: list[Line] = [(*first, *told)]
        whole = _holder(view, seat, marked.own, look)
        if width_cols(drawn[0]) > cols or whole not in holder[1]:
            before = ("", " " * (POINTER_COLS + columns(side[1])))
            drawn = [fit((*first[:2], (holder[0], whole)), cols), (before, *told)]
        lines += (
            [fit(plain(text_of(fit(one, cols)), "row"), cols) for one in drawn] if seat.seat == marked.chosen else drawn
        )
    return lines


def _columns(view: RoomView, mine: Seat | None, look: Look, cols: int = WIDE) -> tuple[Column[RoomSeat], ...]:
    game, n = view.settings.agreement.game, view.settings.agreement.players
    names, gap = registry.get(game).seat_names(n), 2 if cols >= WIDE else 1

    def own(seat: RoomSeat) -> str:
        return f"seat{seat.seat}"

    def side(seat: RoomSeat) -> str:
        return look.side(game, names[seat.seat], int(seat.seat))

    def style(seat: RoomSeat) -> str:
        return _state(view, seat, look)[0]

    def holder_style(seat: RoomSeat) -> str:
        return "dim" if seat.player is None else own(seat)

    def sign(seat: RoomSeat) -> str:
        return f"{look.glyphs.yes} " if style(seat) == "good" else ""

    def deck(seat: RoomSeat) -> str:
        return f"  {look.t('room.deck-chosen')}" if seat.player and seat.seat_options else ""

    side_cols = max(columns(side(seat)) for seat in view.seats)
    states = max(columns(_state(view, seat, look)[1]) + columns(sign(seat)) for seat in view.seats)
    holders = max(columns(_holder(view, seat, mine, look)) for seat in view.seats)
    room = max(LEAST_NAME_COLS, cols - POINTER_COLS - side_cols - states - 2 * gap)
    return (
        Column("", side_cols, side, own, gap=gap),
        Column("", min(holders, room), lambda one: _holder(view, one, mine, look), holder_style, gap=gap),
        Column("", 0, sign, style, gap=0, said=lambda one: ""),
        Column("", 0, lambda one: _state(view, one, look)[1], style),
        Column("", 0, deck, "dim"),
    )


def _holder(view: RoomView, seat: RoomSeat, mine: Seat | None, look: Look) -> str:
    """Name who sits there with the rating, or for whom the seat is kept; who reads it is `you`, too."""
    if seat.player is None:
        return look.t("room.held", name=seat.held_for) if seat.held_for else look.t("room.free")
    measured = level_rating(seat.player, view.agreement.game, len(view.seats))
    rating, is_provisional = (seat.rating, seat.provisional) if measured is None else (measured, False)
    rated = "" if rating is None else f" {shown_rating(rating, is_provisional)}"
    name = f"{listed_name([one.player for one in view.seats], seat.seat, look)}{rated}"
    return look.t("room.yours", name=name) if seat.seat == mine else name


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
    otherwise = dict(view.ended_as)
    said = [
        look.t("room.result", n=n, name=player_name(winner, look))
        if winner
        else look.t(f"room.{otherwise.get(match_id, 'drawn')}", number=n)
        for n, (match_id, winner) in enumerate(view.results, 1)
    ]
    told = [Said(text, "dim") for text in said[-3:]]
    names = [seat.player.name for seat in view.seats if seat.player is not None]
    if view.won and len(view.results) > 1 and len(names) > 1:
        shown = [player_name(name, look) for name in names]
        told.append(Said(look.t("outcome.score", won=won_words(zip(shown, view.won, strict=True), look))))
    if view.playing:
        told.append(Said(look.t("room.playing"), "good"))
    elif view.rematch:
        told.append(Said(look.t("room.rematch", names=look.t("list.comma").join(sorted(view.rematch))), "warn"))
    return told


def wanted(view: RoomView, own: RoomSeat | None, is_host: bool, look: Look, me: Player | None = None) -> str:
    """Say what the match waits for: a seat that this person may take, others, or that they are ready."""
    t, free = look.t, sum(seat.player is None for seat in view.seats)
    held = t("list.comma").join(seat.held_for for seat in view.seats if seat.held_for and seat.player is None)
    if view.declined and free and is_host and not held:
        return t("room.declined", names=t("list.comma").join(view.declined))
    if held and own is not None:
        return t("room.wait-held", names=held)
    agreed = view.settings.agreement
    if free and own is None and me is not None and (why := closed_because(me, agreed.rated, agreed.speed)):
        return t("room.guest-rated" if agreed.rated else why)
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
