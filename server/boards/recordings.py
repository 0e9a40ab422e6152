"""Matches as text and as terminal recordings, drawn by the same boards as the screens."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from game.contract import Viewer
from server.boards.board import board, has_board
from server.boards.eventlog import say
from server.boards.outcome import sentence
from server.boards.seats import name_at, waiting_words
from server.boards.wire import to_json, view_json
from server.matches.match import Match
from server.matches.model import AnyViewerState, SeenEvent
from server.terminal import theme
from server.terminal.lines import GAP_COLS, Line, fit, side_by_side, wrapped
from server.terminal.look import Look
from server.terminal.paint import PLAIN, SHOW_CURSOR, Painter
from server.terminal.palette import shared_palette
from server.terminal.term import DEFAULT_SIZE

COLS, ROWS = DEFAULT_SIZE
FIRST_FRAME_S = 0.5
FRAME_S = 1.0
LEAST_SEATS = 20  # columns beside a board that the players need
MOST_SAID = 3  # rows of what was just done
LAST_FRAME_S = 3.0  # the end is held so long
CAST_COLORS = 256
NO_SEED = bytes(32)  # text output needs no secret placement


def event_text(look: Look, snapshot: AnyViewerState, event: SeenEvent) -> str:
    """Return one event as a sentence, or its key if the game has no board; empty: no line."""
    if has_board(snapshot.game):
        return say(board(snapshot.game), event, snapshot, look)
    return f"{event.kind} {' '.join(f'{name}={value}' for name, value in event.params.items())}".rstrip()


def events_told(match: Match, viewer: Viewer) -> Mapping[int, Sequence[SeenEvent]]:
    """Return a match's events as its log tells them, by the entry that they come of."""
    events = match.events(viewer, -1)
    game = match.snapshot(viewer).game
    found = defaultdict[int, list[SeenEvent]](list)
    for event in board(game).retold(events) if has_board(game) else events:
        found[event.seq].append(event)
    return found


def board_text(look: Look, snapshot: AnyViewerState) -> str:
    """Return the board as plain text, without the blank lines below it that a screen has."""
    lines = board_lines(snapshot, look, ROWS - 2) if has_board(snapshot.game) else []
    return "\n".join("".join(text for _, text in line).rstrip() for line in lines).rstrip("\n")


def board_lines(snapshot: AnyViewerState, look: Look, rows: int) -> list[Line]:
    """Return the board's lines, at its preferred size within a screen."""
    drawn = board(snapshot.game)
    area = drawn.area(snapshot, COLS, rows)
    return drawn.render(snapshot, drawn.start(snapshot, NO_SEED), look, area.cols, area.rows)


def position_text(look: Look, snapshot: AnyViewerState, has_notation: bool = True) -> str:
    """Return one position for a person: who, the board, who is to act or how it ended.

    `has_notation`: with the position in the game's notation, to be copied.
    """
    lines = [headline(snapshot, look), board_text(look, snapshot)]
    position = view_json(snapshot.game, snapshot.view).get("position")
    if isinstance(position, str) and has_notation:
        lines.append(position)
    if snapshot.result is not None:
        tiers = snapshot.result.placements
        places = " > ".join(" = ".join(name_at(snapshot, seat, look) for seat in tier) for tier in tiers)
        lines += [sentence(snapshot, look), places if len(snapshot.seats) > 2 else ""]
    elif snapshot.deciding:
        lines.append(waiting_words(snapshot, (seat for seat, _ in snapshot.deciding), look))
    return "\n".join(line for line in lines if line)


def headline(snapshot: AnyViewerState, look: Look) -> str:
    """Return what is played by whom, and how far it is."""
    players = " – ".join(name_at(snapshot, info.seat, look) for info in snapshot.seats)
    return f"{look.game(snapshot.game)}  {players}  {look.t(f'status.{snapshot.status}')}"


def played_as_cast(look: Look, match: Match, last: AnyViewerState, viewer: Viewer, speed: int) -> Iterator[str]:
    """Yield the lines of an asciicast (version 2): a header, one frame for each entry of the log, how it ended.

    An entry after which all looks as before has an empty one, which is no line: others have a turn there, too. The
    terminal is left in order: below the last frame, with its own colours and a cursor.
    """
    title = headline(last, look)
    yield to_json(
        {
            "version": 2,
            "width": COLS,
            "height": ROWS,
            "timestamp": int(last.started_at.timestamp()),
            "title": title,
            "env": {"TERM": "xterm-256color", "SHELL": "/bin/sh"},
        }
    ).decode()
    painter = Painter(shared_palette(theme.palette(look.palette), CAST_COLORS, False).sgr)
    events = events_told(match, viewer)
    at = FIRST_FRAME_S
    for seq in range(last.seq + 1):
        snapshot = match.at(seq, viewer)
        said = [text for event in events.get(seq, ()) if (text := event_text(look, snapshot, event))]
        text = painter.paint(cast_lines(snapshot, look, said), COLS, None).decode()
        yield to_json([round(at, 3), "o", text]).decode() if text else ""
        at += FRAME_S / speed
    if last.status in ("finished", "void"):
        text = painter.paint(cast_lines(last, look, [sentence(last, look)]), COLS, None).decode()
        yield to_json([round(at, 3), "o", text]).decode()
    yield to_json([round(at + LAST_FRAME_S, 3), "o", f"{PLAIN}\x1b[{ROWS};1H{SHOW_CURSOR}\r\n"]).decode()


def cast_lines(snapshot: AnyViewerState, look: Look, said: list[str]) -> list[Line]:
    """Return one frame: title, board, the players with signs and clocks, what was just done."""
    lines: list[Line] = [(("title", f" {headline(snapshot, look)}"),), ()]
    if has_board(snapshot.game):
        drawn, rows = board(snapshot.game), ROWS - 3
        area, left = drawn.area(snapshot, COLS, rows), board_lines(snapshot, look, rows)
        cols = COLS - area.cols - GAP_COLS
        if cols >= LEAST_SEATS:
            lines += side_by_side(left, drawn.seats(snapshot, look, cols, snapshot.clock_at), area.cols, COLS, rows)
        else:  # the board is as wide as the screen: the players stand below it
            lines += [*left[: area.rows], *drawn.seats(snapshot, look, COLS, snapshot.clock_at)]
    told = [((("", " "), *line)) for line in wrapped("; ".join(said), COLS - 2)][:MOST_SAID] or [()]
    return [fit(line, COLS) for line in (*(lines + [()] * ROWS)[: ROWS - len(told)], *told)]
