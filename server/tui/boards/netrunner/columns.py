"""The Corp's servers as columns: name, root, ice with the outermost at the bottom, where a run comes from."""

from __future__ import annotations

from dataclasses import dataclass

from game.netrunner.state import Card, Run
from game.netrunner.table import Table
from server.matches.model import Snapshot
from server.tui.boards.netrunner.cardtext import credits
from server.tui.boards.netrunner.scene import is_up, scene_of, table_of
from server.tui.boards.netrunner.words import label, server_name
from server.tui.lines import Line, Span, clip, columns, pad
from server.tui.look import Look

NARROWEST = 10
ICE, ASCII_ICE = "≡", "="


@dataclass(frozen=True, slots=True)
class Aim:
    """What the chosen row is about: a card on the table, or a server."""

    iid: int = 0
    server: str = ""


def shown_servers(t: Table, cols: int) -> tuple[list[str], int]:
    """Return the servers that fit side by side, and how many do not; one that is run on is always among them."""
    found = t.servers()
    room = max(1, cols // NARROWEST)
    if len(found) <= room:
        return found, 0
    kept = found[: max(1, room - 1)]
    if t.run is not None and t.run.server not in kept and t.run.server in found:
        kept[-1] = t.run.server
    return kept, len(found) - len(kept)


def needed_rows(t: Table, cols: int) -> int:
    """Return how many rows the highest column has besides its name."""
    shown, _ = shown_servers(t, cols)
    return max(1, *(len(t.root(server)) + len(t.ice(server)) for server in shown))


def draw(snapshot: Snapshot, aim: Aim, look: Look, cols: int, rows: int) -> list[Line]:
    """Draw the columns: a line of names, and `rows` lines of cards."""
    t, scene = table_of(snapshot), scene_of(snapshot)
    shown, hidden = shown_servers(t, cols)
    width = max(1, cols // (len(shown) + bool(hidden)))
    lines = [tuple(_head(server, scene.run, aim, look, width) for server in shown)]
    if hidden:
        lines[0] = (*lines[0], ("dim", pad(f" {look.t('netrunner.more', count=hidden)}", width)))
    cells = [_cells(t, server, scene.run, aim, look, width, rows) for server in shown]
    for row in range(rows):
        lines.append(tuple(cell[row] if row < len(cell) else ("", " " * width) for cell in cells))
    return lines


def _head(server: str, run: Run | None, aim: Aim, look: Look, width: int) -> Span:
    runs = run is not None and run.server == server
    mark = look.glyphs.turn if runs else " "
    style = "cursor" if aim.server == server else "title"
    return (style, pad(f"{mark}{server_name(server, look)}", width))


def _cells(t: Table, server: str, run: Run | None, aim: Aim, look: Look, width: int, rows: int) -> list[Span]:
    cards = [*t.root(server), *t.ice(server)]
    shown = cards if len(cards) <= rows else cards[: max(0, rows - 1)]
    if not cards:
        return [("dim", pad(f" {look.glyphs.dash}", width))]
    spans = [cell(t, card, run, aim, look, width) for card in shown]
    if len(shown) < len(cards):
        spans.append(("dim", pad(f"  {look.t('netrunner.more', count=len(cards) - len(shown))}", width)))
    return spans


def cell(t: Table, card: Card, run: Run | None, aim: Aim, look: Look, width: int) -> Span:
    """Draw one card: a mark for ice or for the Runner who stands before it, name, strength, counters."""
    is_ice = card.place.startswith("ice:")
    here = run is not None and run.ice == card.iid and run.step.startswith(("run.2", "run.3"))
    ice = ASCII_ICE if look.glyph_set == "ascii" else ICE
    mark = look.glyphs.turn if here else ice if is_ice else " "
    style = "cursor" if aim.iid == card.iid else "target" if here else "" if is_up(card) else "dim"
    return (style, pad(f"{mark}{shortened(label(t, card, look), width - 2)}", width))


def shortened(text: str, cols: int) -> str:
    """Shorten a label in its name, so that the numbers behind it stay.

    >>> shortened("Wall of Static 3 +2", 14)
    'Wall of … 3 +2'
    """
    if columns(text) <= cols:
        return text
    name, tail = text, ""
    while " " in name and (last := name.rpartition(" ")[2]) and any(char.isdigit() for char in last):
        name, tail = name.rpartition(" ")[0], f" {last}{tail}"
    return clip(name, max(1, cols - columns(tail))) + tail


def run_line(snapshot: Snapshot, look: Look, cols: int) -> Line:
    """Draw a run as a path from the outermost ice to the server, with the Runner on it."""
    t = table_of(snapshot)
    run = t.run
    if run is None:
        return ()
    ice = ASCII_ICE if look.glyph_set == "ascii" else ICE
    arrow, runner = look.glyphs.arrow, look.glyphs.turn
    spans: list[Span] = [("warn", f" {look.t('netrunner.run', server=server_name(run.server, look))} ")]
    stands = run.ice if run.step.startswith(("run.2", "run.3")) else 0
    if run.step == "run.1":
        spans.append(("target", f"{runner} "))
    for card in reversed(t.ice(run.server)):
        here = card.iid == stands
        mark = runner if here else look.glyphs.yes if card.iid in run.passed else ice
        spans += [("target" if here else "", f"{mark}{label(t, card, look)}"), ("dim", f" {arrow} ")]
    arrived = run.step.startswith(("run.4", "run.5", "run.6")) and not ahead(t, run)
    mark = runner if arrived else ""
    spans.append(("target" if arrived else "", f"{mark}{server_name(run.server, look)}"))
    if run.credits:
        spans.append(("dim", f"  {look.t('netrunner.run.credits', cost=credits(run.credits, look))}"))
    return tuple(spans)


def ahead(t: Table, run: Run) -> bool:
    """Tell whether there is ice left between the Runner and the server."""
    column = t.ice(run.server)
    passed = [at for at, card in enumerate(column) if card.iid in run.passed]
    return bool(column[: min(passed)] if passed else column)
