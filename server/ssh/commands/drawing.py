"""Matches as text and as terminal recordings, drawn by the same boards as the screens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from game.contract import Viewer
from server.matches.model import SeenEvent, Snapshot
from server.ssh.call import Call, to_json
from server.ssh.paint import Painter
from server.ssh.palette import shared_palette
from server.ssh.term import DEFAULT_SIZE
from server.ssh.wire import view_json
from server.tui import theme
from server.tui.boards import board, has_board
from server.tui.lines import Line, fit
from server.tui.look import Look
from server.tui.panel import say

COLS, ROWS = DEFAULT_SIZE
FIRST_FRAME_S = 0.5
FRAME_S = 1.0
CAST_COLORS = 256
NO_LUCK = bytes(32)  # a picture places nothing


def look_of(call: Call, palette: str = "monochrome") -> Look:
    """Return the look of text for this caller: their language, and ASCII where UTF-8 is not spoken."""
    said = call.env.get("LC_ALL") or call.env.get("LC_CTYPE") or call.env.get("LANG") or "utf-8"
    return Look(palette, "unicode" if "utf" in said.lower() else "ascii", call.language)


def event_text(call: Call, snapshot: Snapshot, event: SeenEvent) -> str:
    """Return one event as a sentence, its key where the game has no board; empty: nothing worth a line."""
    if has_board(snapshot.game):
        return say(board(snapshot.game), event, snapshot, look_of(call))
    return f"{event.kind} {' '.join(f'{name}={value}' for name, value in event.params.items())}".rstrip()


def picture(call: Call, snapshot: Snapshot) -> str:
    """Return the board as plain text."""
    lines = board_lines(snapshot, look_of(call), ROWS - 2) if has_board(snapshot.game) else []
    return "\n".join("".join(text for _, text in line).rstrip() for line in lines)


def board_lines(snapshot: Snapshot, look: Look, rows: int) -> list[Line]:
    """Return the board's own lines, as large as it likes within a screen."""
    drawn = board(snapshot.game)
    room = drawn.room(snapshot, COLS, rows)
    return drawn.render(snapshot, drawn.start(snapshot, NO_LUCK), look, room.cols, room.rows)


def position_text(call: Call, snapshot: Snapshot) -> str:
    """Return one position for a person: who, the board, who is to act or how it ended."""
    look = look_of(call)
    lines = [headline(snapshot, look), picture(call, snapshot)]
    position = view_json(snapshot.game, snapshot.view).get("position")
    if isinstance(position, str):
        lines.append(position)
    names = [info.player.name for info in snapshot.seats]
    lines += [f"to act: {names[seat]}{f' [{window}]' if window else ''}" for seat, window in snapshot.deciding]
    if snapshot.result is not None:
        places = " > ".join(" = ".join(names[seat] for seat in tier) for tier in snapshot.result.placements)
        lines.append(f"result: {places} ({snapshot.result.reason})")
    return "\n".join(line for line in lines if line)


def headline(snapshot: Snapshot, look: Look) -> str:
    """Return what is played by whom, and how far it is."""
    players = " – ".join(info.player.name for info in snapshot.seats)
    return f"{look.game(snapshot.game)}  {players}  move {snapshot.seq}  {snapshot.status}"


def played_as_cast(call: Call, match: Any, last: Snapshot, viewer: Viewer, speed: int) -> Iterator[str]:
    """Yield the lines of an asciicast (version 2): a header, then one picture for each entry of the log."""
    look = look_of(call, "default")
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
    events = match.events(viewer, -1)
    at = FIRST_FRAME_S
    for seq in range(last.seq + 1):
        snapshot = match.at(seq, viewer)
        said = [text for event in events if event.seq == seq and (text := event_text(call, snapshot, event))]
        text = painter.paint(cast_lines(snapshot, look, said), COLS, None).decode()
        if text:
            yield to_json([round(at, 3), "o", text]).decode()
        at += FRAME_S / speed


def cast_lines(snapshot: Snapshot, look: Look, said: list[str]) -> list[Line]:
    """Return one frame: title, board, what was just done."""
    lines: list[Line] = [(("title", f" {headline(snapshot, look)}"),), ()]
    if has_board(snapshot.game):
        lines += board_lines(snapshot, look, ROWS - 3)
    lines = (lines + [()] * ROWS)[: ROWS - 1]
    lines.append((("", " " + "; ".join(said)),))
    return [fit(line, COLS) for line in lines]
