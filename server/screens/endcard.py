"""The end of a match as a card over the board: who won, why, and what it did to the ratings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from game.contract import Seat
from server.boards import eventlog, outcome
from server.boards.board import AnyBoard, BoardArea, Weight
from server.boards.eventlog import Told
from server.boards.seats import name_at, shown_rating
from server.matches.model import AnyViewerState, SeenEvent
from server.ratings.ladders import ladder_of
from server.ratings.ratings import curve_of
from server.screens.answering import Answering
from server.screens.matchpanel import panel_area
from server.screens.ratingcurve import LEAST_STEPS, trace
from server.screens.viewpoint import Viewpoint
from server.session.session import Session
from server.terminal.items import Said
from server.terminal.lines import (
    GAP_COLS,
    Line,
    Span,
    after,
    before,
    block,
    fit,
    plain,
    shortened,
    width_cols,
    wrapped,
)
from server.terminal.look import Look
from server.terminal.stage import BOARD

MOST_COLS: Final = 60
LEAST_COLS, LEAST_ROWS = 24, 8
NARROW_COLS: Final = 40  # of a card whose edges stand close to its words
KEPT_ROWS, KEPT_WHERE_LOW, LOW_ROWS = 4, 1, 20  # below a card: the log's last lines; in a body of fewer rows, fewer
CURVE_COLS: Final = 12  # of the steps of a rating
EDGE_ROWS: Final = 2  # of a frame
WON: Final = "won"  # the event that only says that the match is over
MINUTE_MS: Final = 60_000


def card(
    board: AnyBoard,
    shot: AnyViewerState,
    events: Sequence[SeenEvent],
    look: Look,
    size: tuple[int, int],
    guest_days: int = 0,
    floats: bool = True,
    curve: tuple[int, ...] = (),
) -> list[Line]:
    """Draw the card for an area of this size; no line where that is too small for one.

    `guest_days`: how long a match is kept in which no account sat; 0: for ever. `floats`: it lies over something, and
    so has a frame; beside a board it has none. `curve`: how the viewer's rating went, this match's step the last.
    """
    cols, rows = min(MOST_COLS, size[0]) if floats else size[0], size[1]
    if cols < LEAST_COLS or rows < LEAST_ROWS:
        return []
    rows -= EDGE_ROWS if floats else 1
    inner = min(MOST_COLS, cols) - 2 - 2 * _padding(cols)
    head = [line for text in _head(shot, look) for line in wrapped(text, inner, outcome.tone(shot))]
    places = ranking(shot, look, inner, curve)
    cause = decided(board, shot, events, look)
    why = wrapped(cause, inner, "accent") if cause else []
    below = [*places, *ratings(shot, look, inner, curve), *wrapped(length(board, shot, events, look), inner, "dim")]
    kept = kept_for(shot, look, guest_days)
    below += wrapped(kept, inner, "dim") if kept else []
    room = rows - len(head) - 1 - len(below)  # nobody's place is cut for what decided it, and no reason
    lines = shortened([*head, *shortened(why, max(1, room), inner), (), *below], rows, inner)
    return _framed(lines, cols, look) if floats else _open(lines, cols, outcome.tone(shot), look)


def told(
    board: AnyBoard, shot: AnyViewerState, events: Sequence[SeenEvent], look: Look, guest_days: int = 0
) -> list[Said]:
    """Tell what stands on the card."""
    texts = [*_head(shot, look), decided(board, shot, events, look)]
    placed = ranked(shot)
    for place, seat in placed or [("", seat) for seat in sorted(shot.rating_changes)]:
        texts.append(" ".join(filter(None, (place, _rated_words(shot, seat, look)))))
    texts += [counted(shot, look), length(board, shot, events, look), kept_for(shot, look, guest_days)]
    return [Said(text) for text in texts if text]


def _head(shot: AnyViewerState, look: Look) -> list[str]:
    """Say who won, and how it stands between two who have played before."""
    return [text for text in (outcome.headline(shot, look), outcome.standing(shot, look)) if text]


def decisive(board: AnyBoard, shot: AnyViewerState, events: Sequence[SeenEvent], look: Look) -> Told | None:
    """Return what decided the match: what brought about the last dramatic thing that the rules told.

    None where people ended it, where nobody won, and where it ended without such a thing.
    """
    if shot.result is None or len(shot.result.placements) == 1:
        return None
    if (shot.ended_by or shot.result.reason) in outcome.BY_PEOPLE | board.quiet_ends:
        return None
    given_up = max((event.seq for event in events if event.kind in eventlog.GIVEN_UP), default=-1)
    own = [event for event in events if not event.kind.startswith(eventlog.SERVER_EVENT) and event.kind != WON]
    found = eventlog.told(board, shot, own, look, board.counts_moves or board.tells_entries)
    last = next((one for one in found if one.weight is Weight.DRAMATIC and one.seq > given_up), None)
    at = None if last is None else board.cause(eventlog.standing(events), last.seq)
    return next((one for one in found if one.seq == at), last)


def decided(board: AnyBoard, shot: AnyViewerState, events: Sequence[SeenEvent], look: Look) -> str:
    """Say what decided the match, and the choice that led to it; '' where people ended it."""
    last = decisive(board, shot, events, look)
    if last is None:
        return ""
    what = look.t("list.then").join(filter(None, (board.led_to(shot, look, events, last.seq), last.text)))
    if not board.counts_moves:
        return look.t("match.card.decided", what=what)
    return look.t("match.card.decided-at", what=what, number=moves(board, events, last.seq))


def moves(board: AnyBoard, events: Sequence[SeenEvent], until: int) -> int:
    """Return how many moves there were up to an entry, without what was taken back."""
    return eventlog.count_moves(board, events).until(until)


def length(board: AnyBoard, shot: AnyViewerState, events: Sequence[SeenEvent], look: Look) -> str:
    """Say how long the match was: in moves where they are counted, and in minutes."""
    parts = [look.t("match.card.moves", n=moves(board, events, shot.seq))] if board.counts_moves else []
    if shot.ended_at is not None:
        ms = int((shot.ended_at - shot.started_at).total_seconds() * 1000)
        parts.append(look.t("match.card.minutes", number=max(1, round(ms / MINUTE_MS))))
    if shot.takebacks:
        parts.append(look.t("match.card.takebacks", n=shot.takebacks))
    return look.t("list.comma").join(parts)


def is_many(shot: AnyViewerState) -> bool:
    """Tell whether there is an order of more than two to list."""
    return shot.result is not None and len(shot.seats) > 2 and len(shot.result.placements) > 1


def ranking(shot: AnyViewerState, look: Look, cols: int, curve: tuple[int, ...]) -> list[Line]:
    """List the places at a table of more than two, each on a line of its own: who shares one has its number, too."""
    placed = ranked(shot)
    return [(("", f"{place} "), *_rated(shot, seat, look, cols - len(place) - 1, curve)) for place, seat in placed]


def ranked(shot: AnyViewerState) -> list[tuple[str, Seat]]:
    """Return the places at a table of more than two with who has them; [] at others."""
    if shot.result is None or not is_many(shot):
        return []
    placed = list[tuple[str, Seat]]()
    for tier in shot.result.placements:
        place = str(len(placed) + 1)
        placed += [(place, seat) for seat in tier]
    return placed


def _rated_words(shot: AnyViewerState, seat: Seat, look: Look) -> str:
    """Name a player, and say what the match did to their rating."""
    name = name_at(shot, seat, look)
    if seat not in shot.rating_changes:
        return name
    old, new = map(round, shot.rating_changes[seat])
    return look.t("match.card.rated", name=name, before=old, after=new, by=f"{new - old:+d}")


def _rated(shot: AnyViewerState, seat: Seat, look: Look, cols: int, curve: tuple[int, ...]) -> Line:
    """Write a name and what the match did to the rating; what it was before, and the curve, where there is room."""
    name: Span = (f"seat{look.hue(seat)}", name_at(shot, seat, look))
    if seat not in shot.rating_changes:
        return (name,)
    old, new = shot.rating_changes[seat]
    style = "good" if new > old else "warn" if new < old else ""
    before = f"{shown_rating(round(old), shot.seats[seat].provisional)} {look.glyphs.arrow} "
    by: Span = (style, f"  ({round(new) - round(old):+d})")
    whole: Line = (name, ("", f"  {before}{round(new)}"), by)
    if seat == shot.viewer and len(curve) >= LEAST_STEPS:
        went = trace(curve, look, CURVE_COLS)
        longer = (*whole, ("dim", f"  {went[:-1]}"), (style, went[-1]))
        whole = longer if width_cols(longer) <= cols else whole
    return whole if width_cols(whole) <= cols else (name, ("", f"  {round(new)}"), by)


def ratings(shot: AnyViewerState, look: Look, cols: int, curve: tuple[int, ...] = ()) -> list[Line]:
    """Say in `cols` columns what the match did to the ratings, and why it counted less, or not at all."""
    lines = [] if is_many(shot) else [_rated(shot, seat, look, cols, curve) for seat in sorted(shot.rating_changes)]
    said = counted(shot, look)
    return [*lines, *(wrapped(said, cols, "dim") if said else [])]


def counted(shot: AnyViewerState, look: Look) -> str:
    """Say why the match counted less, or not at all; '' where it counted."""
    if not shot.rating_changes and (shot.result is None or not shot.agreement.rated):
        return look.t("match.card.void" if shot.result is None else "match.card.casual")
    return outcome.how_counted(shot, look)


def kept_for(shot: AnyViewerState, look: Look, guest_days: int) -> str:
    """Say how many days a match is kept in which only guests and bots sat; '' for others."""
    is_kept = not guest_days or any(info.player.kind == "account" for info in shot.seats)
    return "" if is_kept else look.t("match.card.guests", n=guest_days)


def _padding(cols: int) -> int:
    """Return how many columns stand between the edge and the words of a card this wide."""
    return 1 if cols < NARROW_COLS else 2


def _open(lines: Sequence[Line], cols: int, tone: str, look: Look) -> list[Line]:
    """Set the words beside a mark in the colour of the outcome, with a blank line below."""
    mark = ((tone, f" {look.glyphs.side} "),)
    return [*(fit((*mark, *line), cols) for line in lines), fit((), cols)]


def _framed(lines: Sequence[Line], cols: int, look: Look) -> list[Line]:
    top_left, _, top_right, _, _, _, low_left, _, low_right = look.glyphs.cross
    rule, side, pad = look.glyphs.rule * (cols - 2), look.glyphs.vertical, " " * _padding(cols)
    inside = [
        ((("rule", side), ("", pad), *fit(line, cols - 2 - 2 * len(pad)), ("", pad), ("rule", side))) for line in lines
    ]
    return [plain(f"{top_left}{rule}{top_right}", "rule"), *inside, plain(f"{low_left}{rule}{low_right}", "rule")]


@dataclass(frozen=True, slots=True)
class CardRoom:
    """The part of a body that a card may cover: its left upper corner and its size. `floats`: a board is below it."""

    left: int
    top: int
    cols: int
    rows: int
    floats: bool = False


def beside_board(board: BoardArea, cols: int, rows: int) -> CardRoom | None:
    """Return the room beside or below a board, above the log's last lines; None: a card would cover the board."""
    where = panel_area(board, cols, rows)
    if where is None:
        return None
    left, top = (board.cols + GAP_COLS, 0) if where.is_beside else (0, board.rows)
    room = CardRoom(left, top, where.cols, rows - top - (KEPT_WHERE_LOW if rows < LOW_ROWS else KEPT_ROWS))
    return room if room.cols >= LEAST_COLS and room.rows >= LEAST_ROWS else None


def over_board(board: BoardArea, cols: int, rows: int) -> CardRoom:
    """Return the room for who asks for the card where nothing beside the board is large enough."""
    if board.cols - 4 >= LEAST_COLS:
        return CardRoom(2, 1, board.cols - 4, min(board.rows, rows) - 2, floats=True)
    return CardRoom(2, 0, cols - 4, rows - KEPT_ROWS, floats=True)


@dataclass(frozen=True, slots=True)
class DrawnCard:
    """A card as it is drawn for its room; no line where that is too small."""

    room: CardRoom
    lines: tuple[Line, ...] = ()

    def laid_over(self, body: Sequence[Line], cols: int, rows: int) -> list[Line]:
        """Lay the card over a body of exactly `rows` lines of `cols` columns."""
        if not self.lines:
            return list(body)
        lines = block(body, cols, rows)
        width = width_cols(self.lines[0])
        left = self.room.left + (self.room.cols - width) // 2
        for y, line in enumerate(self.lines[: rows - self.room.top], self.room.top):
            lines[y] = (*before(lines[y], left), *line, *after(lines[y], left + width))
        return [fit(line, cols) for line in lines]


NO_CARD: Final = DrawnCard(CardRoom(0, 0, 0, 0))


class EndCard:
    """The card of one match's end on its page: whether it shows, and where. Whoever puts it away can bring it back."""

    def __init__(self, session: Session, seen: Viewpoint, answering: Answering) -> None:
        self._session, self._seen, self._answering = session, seen, answering
        self._curve: tuple[int, ...] = ()  # how one's rating went, once the match has counted
        self._is_wanted: bool | None = None  # it was asked for, or put away; None: neither

    @property
    def shows(self) -> bool:
        """Tell whether the card lies over the board."""
        if self._seen.is_live or not self._answering.is_resting:
            return False
        return self._has_room if self._is_wanted is None else self._is_wanted

    @property
    def is_away(self) -> bool:
        """Tell whether the match is over and the card does not show, though it might."""
        return not self._seen.is_live and not self.shows and self._answering.is_resting

    @property
    def is_drawn(self) -> bool:
        """Tell whether the card has room: then what it says is not said again."""
        cols, rows = self._body
        return bool(self._draw(self._room(cols, rows - 1)))

    def put_away(self) -> None:
        """Let the board be seen."""
        self._is_wanted = False

    def bring_back(self) -> None:
        """Show the card, also where it covers the board."""
        self._is_wanted = True

    def drawn(self, cols: int, rows: int) -> DrawnCard:
        """Draw the card for a body, of which `rows` are not covered."""
        room = self._room(cols, rows)
        return DrawnCard(room, tuple(self._draw(room)))

    def told(self) -> list[Said]:
        """Tell what stands on the card."""
        return told(self._seen.board, self._seen.snapshot, self._seen.events, self._session.look, self._guest_days)

    def learn_curve(self) -> None:
        """Read how one's rating went."""
        seat, account_id, shot = self._seen.seat, self._session.identity.account_id, self._seen.snapshot
        if seat is not None and account_id is not None:
            self._session.spawn(self._load_curve(account_id, ladder_of(shot.game, len(shot.seats), seat)))

    async def _load_curve(self, account_id: int, ladder: str) -> None:
        self._curve = curve_of(await self._session.services.ratings.history(account_id, ladder))
        self._session.display.dirty()

    @property
    def _guest_days(self) -> int:
        return self._session.services.settings.guest_matches_days

    @property
    def _body(self) -> tuple[int, int]:
        """Return the columns and rows between title and keys."""
        cols, rows = BOARD.size_on(*self._session.display.size)
        return cols, self._session.display.body_rows(rows)

    @property
    def _has_room(self) -> bool:
        """Tell whether the card leaves the board in sight: else it is there for who asks for it."""
        cols, rows = self._body
        return beside_board(self._seen.board.area(self._seen.snapshot, cols, rows), cols, rows) is not None

    def _room(self, cols: int, rows: int) -> CardRoom:
        area = self._seen.board.area(self._seen.snapshot, cols, rows)
        return beside_board(area, cols, rows) or over_board(area, cols, rows)

    def _draw(self, room: CardRoom) -> list[Line]:
        """Draw the card; no line where it has no room."""
        seen, size = self._seen, (room.cols, room.rows)
        return card(
            seen.board,
            seen.snapshot,
            seen.events,
            self._session.look.seated(seen.seat),
            size,
            self._guest_days,
            room.floats,
            self._curve,
        )
