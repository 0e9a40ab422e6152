"""The panel of a match beside or below its board: players, log, watchers, chat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice

from server.boards import eventlog, outcome, panel
from server.boards.board import AnyBoard, BoardArea
from server.boards.eventlog import Told
from server.matches.model import AnyViewerState, SeenEvent
from server.screens.chatlines import chat_lines
from server.terminal import frame
from server.terminal.items import Item, PlayerCard, Said
from server.terminal.lines import (
    GAP_COLS,
    Line,
    block,
    clip,
    columns,
    ends,
    filled,
    gapped,
    inset,
    plain,
    text_of,
    wrapped,
)
from server.terminal.look import Look
from server.terminal.playercard import LARGE_COLS, player_lines

WIDEST = 72  # columns of a panel: in a wider one a clock would be far from its name
NARROWEST = 20  # columns a side panel needs to be worth drawing: a name and its clock, on a 60-column screen too
INSET_FROM = 26  # columns from which on the chat begins where the log does
CHAT_SHARE = 4  # a quarter of the panel's rows is for the chat
TIGHT = 4  # below the players, too few rows for a rule above the chat
TELLS_NEWER = 5  # rows of a log that has one to say that newer lines are left out
HASH_SHOWN = 12
MOST_NAMED = 12  # of those who look on; the others are counted
LEAST_LOG = 6  # rows between two players who sit across, blank ones included
LARGE_ROWS = 4  # of a player whose clock is large
LEAST_BELOW = 12  # rows that log and chat keep below large clocks
TALL = 28  # rows of a panel that has room for large clocks
LEAST_NEWS = 2  # rows that the log has below what is said until one has moved
CLOCK_COLS = 15  # of a large clock
LAST_TOLD = 3  # events that are told to who comes to a match
TOLD_COLS = 80  # for what is said of a player who is told, not drawn
HEADED_ROWS = 3  # from which on a log tells what happened since, below a heading, without a summary above it
STEPPED_ROWS = 4  # of a replay's log in little room: with more of them a step back or on took 650 bytes
ROOMY = 14  # rows from which on the log keeps a part beside the summary


@dataclass(frozen=True, slots=True)
class PanelArea:
    """Where a panel stands in a body: its size, and whether it is beside the board or begins below it.

    `covered`: how many of its last rows are under what is said above the keys. `end_cols`: blank columns behind it.
    """

    cols: int
    rows: int
    is_beside: bool
    covered: int = 0
    end_cols: int = 0

    @property
    def rows_in_sight(self) -> int:
        """Return how many of its rows show."""
        return max(0, self.rows - self.covered)


@dataclass(frozen=True, slots=True)
class MatchPanel:
    """What a match's panel is drawn from."""

    board: AnyBoard
    snapshot: AnyViewerState
    events: Sequence[SeenEvent]
    look: Look
    log_skip: int = 0
    chat_skip: int = 0  # as many of the chat's last lines are hidden, because one reads what was said before them
    since: Sequence[Told] = ()  # what happened since one's last move, until it was read
    offer: str = ""  # what one offers the others oneself, in words
    has_log: bool = True  # it stands in the panel, not on the board
    summed: frozenset[int] | range = panel.NONE_TOLD  # the entries that are told elsewhere on the screen
    is_chatting: bool = False  # a line is being typed: in few rows what was said goes before the log


Below = Callable[[MatchPanel, int, int], list[Line]]  # draws what stands below the players, for columns and rows


def below(shown: MatchPanel, cols: int, left: int) -> list[Line]:
    """Draw what stands below the players, exactly `left` lines: it changes only with the match."""
    look = shown.look
    if shown.offer and left > 1:
        return [plain(f" {shown.offer}", "warn"), *below(replace(shown, offer=""), cols, left - 1)]
    bottom, log_rows = _bottom(shown, cols, left), log_room(shown, cols, left)
    since = _since(shown, cols, left - len(bottom))
    first = _first_lines(shown, cols, log_rows) or _seed_lines(shown, cols, log_rows)
    whole = with_summed(shown, cols, left - len(bottom)) if since else shown
    at_rest = log_room(replace(shown, is_chatting=False), cols, left) if shown.is_chatting and not since else log_rows
    log = _page(whole, cols, log_rows - len(first), at_rest - len(first), is_marked=not since)
    log = block([*first, *log], cols, max(0, log_rows))
    if log_rows < left - len(bottom) - len(since):
        newer = plain(look.t("match.log-newer", n=shown.log_skip), "accent")
        parting = frame.rule(look, cols) if any(text_of(line).strip() for line in log) else ()
        log = [*log, newer] if shown.log_skip else [parting, *log]
    return block([*since, *log, *bottom], cols, max(0, left))


def _page(shown: MatchPanel, cols: int, rows: int, rows_at_rest: int, is_marked: bool) -> list[Line]:
    """Write a page of the log: as it stands while nothing is typed, where its blank lines give way to the chat."""
    at_rest = block(_log(shown, cols, rows_at_rest, is_marked, has_pages=True), cols, max(0, rows_at_rest))
    page = _without_blank(at_rest, rows_at_rest - rows)
    return _log(shown, cols, rows, is_marked, has_pages=True) if page is None else page


def _log(shown: MatchPanel, cols: int, rows: int, is_marked: bool, has_pages: bool = False) -> list[Line]:
    """Write the log; `is_marked`: with a heading above what happened since one's last move, if there was one."""
    if not shown.has_log or _repeats(shown, cols, rows):
        return []
    unread = shown.since[0].seq if shown.since and is_marked and _has_moved(shown) else None
    board, shot, skip = shown.board, shown.snapshot, shown.log_skip
    return panel.log_lines(board, shot, shown.events, shown.look, cols, rows, skip, unread, has_pages)


def _repeats(shown: MatchPanel, cols: int, rows: int) -> bool:
    """Tell whether the log has room for nothing but what is told elsewhere on the screen, unless it numbers moves."""
    if not shown.summed or shown.log_skip or shown.board.counts_moves:
        return False
    return panel.repeats(shown.board, shown.snapshot, shown.events, shown.look, cols, shown.summed, rows)


def _without_blank(lines: Sequence[Line], n: int) -> list[Line] | None:
    """Return the lines without the last `n` blank ones; None where there are fewer."""
    found = [y for y, line in enumerate(lines) if not text_of(line).strip()]
    if len(found) < n:
        return None
    gone = found[len(found) - n :]
    return [line for y, line in enumerate(lines) if y not in gone]


def log_on_board(shown: MatchPanel, cols: int, rows: int) -> list[Line]:
    """Write the log into `rows` that a board leaves empty.

    Return nothing until one has moved, or where it has no room for all that happened since one's last move.
    """
    if _first_words(shown) or (shown.since and not _tells_all(shown, cols, rows)):
        return []
    return _log(shown, cols, rows, is_marked=True)


def _tells_all(shown: MatchPanel, cols: int, rows: int) -> bool:
    """Tell whether the log alone has room for all that happened since one's last move, below a heading."""
    if not shown.since or rows < HEADED_ROWS:
        return False
    board, shot, look = shown.board, shown.snapshot, shown.look
    return panel.unread_count(board, shot, shown.events, look, cols, shown.since[0].seq) < rows


def _since(shown: MatchPanel, cols: int, left: int) -> list[Line]:
    """Write what happened since one's last move, unless the log tells all of it."""
    if _tells_all(shown, cols, left):
        return []
    return panel.since_lines(shown.since, shown.look, cols, _since_rows(shown, cols, left))


def _since_rows(shown: MatchPanel, cols: int, left: int) -> int:
    """Return how many rows the summary may have: of much room a part is the log's, which is not to repeat it."""
    if left < ROOMY:
        return left
    part = left * 2 // 3
    told = _told_since(shown, cols, part)
    return left if told and _repeats(replace(shown, summed=told), cols, left - part - 1) else part


def _told_since(shown: MatchPanel, cols: int, rows: int) -> frozenset[int] | range:
    """Return the entries that the summary tells of in so many rows."""
    return panel.told_since(shown.since, shown.look, cols, rows, shown.snapshot.seq)


def with_summed(shown: MatchPanel, cols: int, left: int) -> MatchPanel:
    """Return the panel knowing what the summary above its log tells of, where there is one."""
    if _tells_all(shown, cols, left):
        return shown
    told = _told_since(shown, cols, _since_rows(shown, cols, left))
    return replace(shown, summed=told) if told else shown


def _bottom(shown: MatchPanel, cols: int, left: int) -> list[Line]:
    """Draw the chat: it has its share, and the rows that the log leaves empty."""
    look, shot = shown.look, shown.snapshot
    if not shot.chat:
        return []
    if left < TIGHT:  # the last thing said, and the rest for the log
        share = left if shown.is_chatting else min(1, left)
        return _chat(shown, cols, _chat_rows(shown, cols, left, share))
    room = left - 1  # below the rule
    share = left // CHAT_SHARE if room >= ROOMY or not shown.is_chatting else room
    chat = _chat(shown, cols, _chat_rows(shown, cols, room, share))
    return [frame.rule(look, cols), *chat] if chat else []


def _chat(shown: MatchPanel, cols: int, rows: int) -> list[Line]:
    """Write the end of the chat, below the words of the log; in a narrow panel from its edge on."""
    by = 1 if cols >= INSET_FROM else 0
    return inset(chat_lines(shown.snapshot.chat, shown.look, cols - by, rows, back=shown.chat_skip), by)


def _chat_rows(shown: MatchPanel, cols: int, room: int, share: int) -> int:
    """Return how many of `room` rows the chat may have: its share, or all that summary and log don't fill."""
    filled = 0 if _tells_all(shown, cols, room) else len(panel.since_lines(shown.since, shown.look, cols, room))
    log = _log(with_summed(shown, cols, room) if filled else shown, cols, room - filled, is_marked=not filled)
    return max(share, room - filled - len(log))


def log_room(shown: MatchPanel, cols: int, left: int) -> int:
    """Return how many lines of the log are shown: one less below the rule that parts it from the summary.

    One less, too, while newer ones are left out, which is said there.
    """
    rows = max(0, left - len(_bottom(shown, cols, left)))
    since = _since(shown, cols, rows)
    rows -= len(since)
    if shown.log_skip:
        return rows - 1 if rows >= TELLS_NEWER else rows
    return rows - 1 if since and rows > 1 else rows


def _has_moved(shown: MatchPanel) -> bool:
    return eventlog.has_moved(shown.board, shown.snapshot, shown.events)


def _first_words(shown: MatchPanel) -> list[str]:
    """Say, until one has moved, what the game is about, and what stands on the board."""
    shot, look = shown.snapshot, shown.look
    if shot.result is not None or _has_moved(shown):
        return []
    return [look.t(key) for key in (f"tutorial.{shot.game}.goal", f"{shot.game}.first") if look.has(key)]


def _first_lines(shown: MatchPanel, cols: int, rows: int) -> list[Line]:
    """Write the first words, a blank line behind each, as many of them as leave room for the newest of the log."""
    lines, found = list[Line](), [] if shown.log_skip else _first_words(shown)
    if not found:
        return []
    news = min(LEAST_NEWS, panel.log_count(shown.board, shown.snapshot, shown.events, shown.look, cols, LEAST_NEWS))
    for text in found:
        said = wrapped(text, cols, "accent", 1)
        if len(lines) + len(said) + news > rows:
            break
        lines += [*said, ()]
    return lines[: rows - news]


def seed_words(shot: AnyViewerState, look: Look) -> str:
    """Say what the match's chance was committed to, and reveal it at the end (in full, to be checked)."""
    if not shot.commitment:
        return ""
    if shot.seed:
        return look.t("match.seed", seed=shot.seed)
    return look.t("match.commitment", hash=shot.commitment[:HASH_SHOWN])


def _seed_lines(shown: MatchPanel, cols: int, rows: int) -> list[Line]:
    """Write what the chance was committed to above the log, while all of that has room: as pages turn nothing comes."""
    board, shot, look = shown.board, shown.snapshot, shown.look
    said = seed_words(shot, look)
    lines = wrapped(said, cols, "dim", 2) if said else []
    left = rows - len(lines) - 1  # in the log stands the heading of what is new, too
    taken = panel.log_count(board, shot, shown.events, look, cols, left + 1)
    return lines if 0 < taken <= left else []  # it is nobody's only news


def _watchers_words(shot: AnyViewerState, look: Look) -> str:
    """Say how many look on, and name them; '' where nobody does."""
    names = look.t("list.comma").join(shot.watchers[:MOST_NAMED])
    return look.t("match.watching-names", n=len(shot.watchers), names=names) if shot.watchers else ""


def _below_players(shown: MatchPanel, cols: int) -> Line:
    """Say in the line below the players, which is there anyway, the score so far, and who looks on.

    How many do, where names have no room; of both, the score goes first where there is no room for it.
    """
    shot, look = shown.snapshot, shown.look
    scores = outcome.score_wordings(shot, look) if shot.result is None else ()
    names = "" if shot.is_past else _watchers_words(shot, look)
    watching = (names, look.t("match.watching", n=len(shot.watchers))) if names else ("",)
    for left in (*scores, ""):
        for right in watching:
            if columns(left) + columns(right) + 2 < cols:
                return ends(plain(f" {left}", "dim"), plain(f"{right} ", "dim"), cols) if left or right else ()
    return plain(clip(watching[-1], cols), "dim")


def told(shown: MatchPanel, now: datetime) -> list[Item]:
    """Tell the players, what is offered, what has happened since one's last move, else last, and who looks on."""
    board, shot, look = shown.board, shown.snapshot, shown.look
    happened = eventlog.told(board, shot, shown.events, look)
    last = shown.since or tuple(islice(happened, LAST_TOLD))[::-1]
    texts = [
        *_first_words(shown),
        outcome.score(shot, look) if shot.result is None else "",
        shown.offer,
        *(one.text for one in last),
        _watchers_words(shot, look),
    ]
    return [*players_told(shown, now), *(Said(text) for text in texts if text)]


def players_told(shown: MatchPanel, now: datetime) -> list[PlayerCard]:
    """Tell the players with their clocks; what lies before them is said with the position."""
    found = shown.board.players(shown.snapshot, shown.look, TOLD_COLS, now)
    return [replace(card, holds=(), aside=()) for card in found.cards]


def players_apart(shown: MatchPanel, now: datetime, cols: int, rows: int) -> list[Line]:
    """Draw the players below each other, a blank line between them where that has room."""
    board, shot, look = shown.board, shown.snapshot, shown.look
    found = board.players(shot, look, cols, now)
    apart = [*(line for card in found.cards for line in (*player_lines(card, look, cols), ())), *found.below]
    return apart if len(apart) <= rows else board.seats(shot, look, cols, now)


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The players' lines in a panel: above the log, and those of who sits at the lower side of the board below it."""

    above: tuple[Line, ...]
    below: tuple[Line, ...]

    def rows(self, rows: int) -> dict[int, Line]:
        """Return the lines by their place in a panel of so many rows."""
        above = dict(enumerate(self.above[:rows]))
        first = rows - len(self.below)
        return above | {first + y: line for y, line in enumerate(self.below)}


def players(shown: MatchPanel, now: datetime, where: PanelArea) -> Arrangement:
    """Arrange the players in a panel; beside a board each stands at their side of it, where there is room."""
    board, shot, look = shown.board, shown.snapshot, shown.look
    cols, rows = where.cols, where.rows
    if not where.is_beside:
        whole = tuple(board.seats(shot, look, cols, now))
        cards = [replace(card, aside=()) for card in board.players(shot, look, cols, now).cards]
        short = tuple([line for card in cards for line in player_lines(card, look, cols)])
        is_low = len(whole) + LEAST_NEWS > rows >= len(short) + LEAST_NEWS  # then the log has room only beside these
        return Arrangement(short if is_low else whole, ())
    n = len(shot.seats)
    is_large = look.has_large_clocks and cols >= LARGE_COLS and rows >= max(TALL, n * LARGE_ROWS + LEAST_BELOW)
    found = board.players(shot, look, cols - (CLOCK_COLS if is_large else 0), now)
    drawn = [tuple(player_lines(card, look, cols, is_large)) for card in found.cards]
    if found.is_across and sum(map(len, drawn)) + LEAST_LOG <= rows:
        first, second = drawn
        return Arrangement((*first, *found.below), second)
    gap: tuple[Line, ...] = ((),) if is_large and rows >= n * LARGE_ROWS * 2 else ()
    above = [line for lines in drawn for line in (*lines, *gap)]
    return Arrangement((*above[: len(above) - len(gap)], *found.below), ())


def draw(shown: MatchPanel, now: datetime, where: PanelArea, below: Below = below) -> list[Line]:
    """Draw what is in sight of the panel. `below` may remember what does not change with clocks.

    What covers its end moves the players there up. Blank lines give way, so that the log stays as it is.
    """
    cols, who = where.cols, players(shown, now, where)
    apart = [()] if who.below else []
    left = max(0, where.rows - len(who.above) - 1 - len(apart) - len(who.below))
    told = _without_blank([_below_players(shown, cols), *below(shown, cols, left), *apart], where.covered)
    if told is None:
        told = [_below_players(shown, cols), *below(shown, cols, max(0, left - where.covered)), *apart]
    return block([*who.above, *told, *who.below], cols, where.rows_in_sight)


def draw_below_log(shown: MatchPanel, now: datetime, where: PanelArea, below: Below, empty: int) -> list[Line]:
    """Draw the panel below a board that leaves some rows empty: the log in these, too, and the players below it.

    So the players stay where they are while the board has more to show, or less.
    """
    who = players(shown, now, where).above
    room = max(0, empty + where.rows - len(who))
    rows = room if room >= ROOMY else min(room, STEPPED_ROWS)
    return [*[()] * (room - rows), *below(shown, where.cols, rows), *who]


def draw_below_card(
    shown: MatchPanel, now: datetime, where: PanelArea, card: Sequence[Line], below: Below
) -> list[Line]:
    """Draw the panel of a match that is over: its card, the log, and who sits at the lower side of the board."""
    lower = players(shown, now, where).below
    bottom = [(), *lower] if lower else []
    left = where.rows_in_sight - len(card) - len(bottom)
    return block([*card, *below(shown, where.cols, left), *bottom], where.cols, where.rows_in_sight)


def has_panel(area: BoardArea, cols: int, rows: int, seats: int) -> bool:
    """Tell whether there is room beside or below the board for a panel that shows all players' clocks."""
    return cols - area.cols - GAP_COLS >= NARROWEST or rows - area.rows >= seats


def panel_area(area: BoardArea, cols: int, rows: int, covered: int = 0) -> PanelArea | None:
    """Return where the panel stands in a body of this size; None: the board stands alone."""
    side_cols = cols - area.cols - GAP_COLS
    if side_cols >= NARROWEST:
        panel_cols = min(WIDEST, side_cols - 1)
        return PanelArea(panel_cols, rows, True, covered, side_cols - panel_cols)
    return PanelArea(cols, rows - area.rows, False, covered) if rows > area.rows else None


def arranged(
    drawn: Sequence[Line],
    area: BoardArea,
    panel_of: Callable[[PanelArea], list[Line]],
    cols: int,
    rows: int,
    covered: int = 0,
) -> list[Line]:
    """Put the board and its panel into the body: beside each other, below each other, or the board alone.

    `drawn` is as `Board.render` gives it; `panel_of` draws the panel for its area; `covered` as in `PanelArea`.
    """
    where = panel_area(area, cols, rows, covered)
    if where is None:
        return block(drawn, cols, rows)
    beside = panel_of(where)
    if where.is_beside:
        return gapped(filled(drawn, area.cols, rows), filled(beside, where.cols, rows), where.end_cols)
    return [*block(drawn, cols, area.rows), *beside]


class PagedLog:
    """How many of a log's newest lines are left out. `area`: columns and rows that log, watchers and chat have."""

    def __init__(self) -> None:
        self.skip = 0
        self.area = 1, 0
        self._newest = 1  # lines of the newest page, when one went back from it

    def below(self, drawn: MatchPanel, cols: int, left: int) -> list[Line]:
        """Draw what stands below the players, and keep its area."""
        self.area = cols, left
        return below(drawn, cols, left)

    def page(self, drawn: MatchPanel, is_back: bool) -> None:
        """Go back by a page, or forward. One line stays in sight; the newest page may have few lines."""
        rows, lowest = self._shown(drawn), max(1, self._newest - 1)
        if is_back and not self.skip:
            self._newest = self._newest_page(drawn)
            self.scroll(drawn, max(1, self._newest - 1))
        elif is_back:
            self.scroll(drawn, max(1, rows - 1))
        elif lowest < self.skip < rows:
            self.skip = lowest
        else:
            self.scroll(drawn, -max(1, rows - 1))

    def scroll(self, drawn: MatchPanel, lines: int) -> None:
        """Go back by some lines, or forward: not past the log's ends."""
        self.skip = max(0, min(self.skip + lines, self._whole(drawn) - self._shown(drawn)))

    def stay(self, drawn: MatchPanel, known: int) -> None:
        """Keep the lines in place that show, where events have been added after the first `known` ones."""
        if self.skip:
            self.skip += self._whole(drawn) - self._whole(replace(drawn, events=drawn.events[:known]))

    def _shown(self, drawn: MatchPanel) -> int:
        """Return how many lines show where newer ones are left out."""
        return log_room(replace(drawn, log_skip=1), *self.area)

    def _newest_page(self, drawn: MatchPanel) -> int:
        """Return how many lines show where none is left out."""
        cols, left = self.area
        since = _since(drawn, cols, left - len(_bottom(drawn, cols, left)))
        log = _log(drawn, cols, log_room(drawn, cols, left), is_marked=not since, has_pages=True)
        heading = panel.since_heading(drawn.look)
        return sum(bool(line) and line != heading for line in log)

    def _whole(self, drawn: MatchPanel) -> int:
        return panel.log_count(drawn.board, drawn.snapshot, drawn.events, drawn.look, self.area[0])
