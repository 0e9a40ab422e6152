"""What the pages show of matches: a position as styled rows, players, log, result and steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from game.contract import Viewer
from server.boards.board import board, has_board
from server.boards.eventlog import say
from server.boards.outcome import outcome_of, sentence, won_by
from server.boards.recordings import board_lines
from server.boards.seats import listed_name, name_at, player_card
from server.boards.timeline import Timeline, stop_beside, timeline
from server.clock import rfc3339
from server.matches.match import Match
from server.matches.model import AnyViewerState, MatchSummary
from server.store.personal_data import deleted_name
from server.terminal.items import PlayerCard
from server.terminal.itemwords import in_words
from server.terminal.lines import columns, text_of
from server.terminal.look import Look
from server.terminal.paint import readable
from server.web.themes import fitted

ROWS = 40  # of a board at most
MOST_TOLD = 300  # of the last events
DASH = " – "  # between the names of those who play


@dataclass(frozen=True, slots=True)
class ShownMatch:
    """A match as a page shows it. `rows`: [style, text] runs; `at`: the entry that shows, of `last`.

    `where`: which step that is; `back`, `forward`: the entries of the steps beside it. `people`: those of its players
    who have a page. `cols`: how wide a board the letters are to be fitted to. `told`: how it ended, or of an earlier
    position what was done last.
    """

    id: str
    game: str
    title: str
    players: str
    people: list[str]
    rows: list[list[tuple[str, str]]]
    cols: int
    seats: list[str]
    log: list[str]
    told: str
    is_live: bool
    at: int
    last: int
    where: str
    back: int
    forward: int


def shown_match(match: Match, viewer: Viewer, look: Look, at: int | None) -> ShownMatch:
    """Return what a page shows of a match; `at`: of a finished one, the entry to stop at."""
    newest = match.snapshot(viewer)
    is_live = not match.is_over
    seq = newest.seq if is_live or at is None else max(0, min(at, newest.seq))
    shot = newest if seq == newest.seq else match.at(seq, viewer)
    steps = _steps(match, viewer, newest, look)
    rows, log = _rows(shot, look), _log(match, viewer, shot, look.heard(), seq)
    is_at_end = not is_live and seq == newest.seq
    return ShownMatch(
        id=match.id,
        game=shot.game,
        title=look.game(shot.game),
        players=players_of(newest, look),
        people=_people(newest),
        rows=rows,
        cols=fitted(max((sum(columns(text) for _, text in row) for row in rows), default=0)),
        seats=in_words(_cards(shot, look), look.heard()),
        log=log,
        told=sentence(newest, look) if is_at_end else "" if is_live else "".join(log[-1:]),
        is_live=is_live,
        at=seq,
        last=newest.seq,
        where=steps.where(seq, shot.is_over, look),
        back=stop_beside(steps.stops, seq, back=True) or 0,
        forward=stop_beside(steps.stops, seq, back=False) or newest.seq,
    )


def _people(shot: AnyViewerState) -> list[str]:
    """Return the handles of those who have a page: accounts that were not deleted."""
    held = [(one.player.account_id, one.player.name) for one in shot.seats]
    return [name for account_id, name in held if account_id is not None and name != deleted_name(account_id)]


def _steps(match: Match, viewer: Viewer, newest: AnyViewerState, look: Look) -> Timeline:
    """Return where a replay of it stops: at each entry where the game has no board."""
    if newest.is_over and has_board(match.game):
        return timeline(board(match.game), newest, match.events(viewer, -1), look)
    return Timeline(tuple(range(newest.seq + 1)))


def _rows(shot: AnyViewerState, look: Look) -> list[list[tuple[str, str]]]:
    """Draw the board, without the rows that it leaves empty above and below."""
    lines = list(board_lines(shot, look, ROWS)) if has_board(shot.game) else []
    drawn = [y for y, line in enumerate(lines) if text_of(line).strip()]
    lines = lines[drawn[0] : drawn[-1] + 1] if drawn else []
    return [[(str(style or ""), readable(text)) for style, text in line] for line in lines]


def players_of(shot: AnyViewerState, look: Look) -> str:
    """Name who plays."""
    return DASH.join(name_at(shot, info.seat, look) for info in shot.seats)


def _cards(shot: AnyViewerState, look: Look) -> Sequence[PlayerCard]:
    if has_board(shot.game):
        return board(shot.game).players(shot, look.heard(), 80, shot.clock_at).cards
    return [player_card(shot, info.seat, "", look, shot.clock_at) for info in shot.seats]


def _log(match: Match, viewer: Viewer, shot: AnyViewerState, look: Look, seq: int) -> list[str]:
    if not has_board(shot.game):
        return []
    drawn = board(shot.game)
    events = [event for event in drawn.retold(match.events(viewer, -1)) if event.seq <= seq]
    return [text for event in events[-MOST_TOLD:] if (text := say(drawn, event, shot, look))]


def listed(summary: MatchSummary, look: Look) -> dict[str, Any]:
    """Return a line of the list of live matches."""
    return {
        "id": summary.id,
        "game": look.game(summary.game),
        "players": _names(summary, look),
        "is_closed": summary.is_closed,
        "is_adjourned": summary.status == "adjourned",
        "watchers": summary.watchers,
    }


def ended(summary: MatchSummary, look: Look, account_id: int | None = None) -> dict[str, Any]:
    """Return a line of a list of ended matches, with who won; of somebody's list, with how it went for them."""
    at = summary.ended_at or summary.started_at
    return {
        "id": summary.id,
        "at": rfc3339(at),
        "when": format(at, "%Y-%m-%d %H:%M"),
        "title": look.t("list.pair", what=look.game(summary.game), value=_names(summary, look)),
        "outcome": won_by(summary, look) if account_id is None else outcome_of(summary, account_id, look),
    }


def _names(summary: MatchSummary, look: Look) -> str:
    players = [seat.player for seat in summary.seats]
    return DASH.join(listed_name(players, at, look) for at in range(len(players)))
