"""The Corp's servers as columns: name, root, ice with the outermost at the bottom, where a run comes from."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from game.netrunner.queries import server_of
from game.netrunner.state import Card, Run
from game.netrunner.stops import least_requirement
from game.netrunner.table import Table, entry
from server.boards.games.netrunner.cardtext import credits
from server.boards.games.netrunner.labels import card_name, label, server_name
from server.boards.games.netrunner.scene import Shown, is_met, is_up, scene_of, standing, table_of
from server.terminal.lines import Line, Span, clip, columns, pad, plain, width_cols
from server.terminal.look import Look

NARROWEST = 10
HIDING = "▒?"  # before the name of a card face down
MARK_AND_GAP = 2  # columns beside a card's label: its mark, and the gap to the next server
ICE, ASCII_ICE = "≡", "="


@dataclass(frozen=True, slots=True)
class Subject:
    """What the chosen row is about: a card on the table, or a server."""

    iid: int = 0
    server: str = ""


def ice_mark(look: Look) -> str:
    """Return the mark before ice."""
    return ASCII_ICE if look.glyph_set == "ascii" else ICE


def bands(t: Table, look: Look, cols: int, rows: int) -> list[list[str]]:
    """Return the servers as they stand side by side: in two bands where one would cut names and there is room for two.

    `rows`: what there is below the first line of names.
    """
    found = t.servers()
    if sum(needed_cols(t, server, look) for server in found) <= cols or rows < rows_of_two(t):
        return [found]
    return _halves(found)


def _halves(found: list[str]) -> list[list[str]]:
    half = (len(found) + 1) // 2
    return [found[:half], found[half:]]


def rows_of_two(t: Table) -> int:
    """Return the rows that two bands take below the first line of names."""
    first, second = _halves(t.servers())
    return height_of(t, first) + 1 + height_of(t, second)


def height_of(t: Table, servers: list[str]) -> int:
    """Return how many cards the highest of these columns has."""
    return max(1, *(len(standing(t, server)) for server in servers))


def wanted_rows(t: Table, look: Look, cols: int, spare: int) -> int:
    """Return the rows that the servers want below their names; `spare`: what there is when all else has its place."""
    return rows_of_two(t) if len(bands(t, look, cols, spare)) > 1 else height_of(t, t.servers())


def needed_cols(t: Table, server: str, look: Look) -> int:
    """Return the columns in which nothing of a server is cut."""
    texts = [server_name(server, look), *(label(t, card, look) for card in standing(t, server))]
    return max(columns(text) for text in texts) + MARK_AND_GAP


def shared(needs: Sequence[int], cols: int) -> list[int]:
    """Share columns out: alike where that cuts nothing, else who needs less leaves the rest to the others.

    >>> shared([9, 9, 12], 60)
    [20, 20, 20]
    >>> shared([10, 30, 10], 60)
    [13, 33, 13]
    >>> shared([10, 40, 30], 60)
    [10, 25, 25]
    """
    n = len(needs)
    if max(needs) <= cols // n:
        return [cols // n] * n
    if sum(needs) <= cols:
        return [need + (cols - sum(needs)) // n for need in needs]
    widths, left, room = list(needs), n, cols
    for need in sorted(needs):
        if need > room // left:
            break
        room, left = room - need, left - 1
    return [min(width, room // max(1, left)) for width in widths]


def shown_servers(t: Table, found: list[str], look: Look, cols: int, aim: Subject) -> tuple[list[str], int]:
    """Return the servers that fit side by side, and how many do not; one that matters now is always among them."""
    least = [min(NARROWEST, needed_cols(t, server, look)) for server in found]
    if sum(least) <= cols:
        return found, 0
    fit = sum(1 for at in range(len(found)) if sum(least[: at + 1]) <= cols - NARROWEST)
    kept = found[: max(1, fit)]
    wanted = [one for one in (aim.server, t.run.server if t.run is not None else "") if one in found]
    if aim.iid in t.cards:
        wanted.append(server_of(t.cards[aim.iid]))
    for at, server in enumerate(one for one in dict.fromkeys(wanted) if one not in kept and one in found):
        kept[-1 - at] = server
    return kept, len(found) - len(kept)


def draw(snapshot: Shown, aim: Subject, look: Look, cols: int, rows: int) -> list[Line]:
    """Draw the columns: a line of names, and `rows` lines below it, of cards and of a second line of names."""
    t = table_of(snapshot)
    first, *rest = bands(t, look, cols, rows)
    lines = _band(snapshot, first, aim, look, cols, height_of(t, first) if rest else rows)
    for band in rest:
        lines += _band(snapshot, band, aim, look, cols, rows - len(lines))
    return lines


def _band(snapshot: Shown, servers: list[str], aim: Subject, look: Look, cols: int, rows: int) -> list[Line]:
    t, scene = table_of(snapshot), scene_of(snapshot)
    shown, hidden = shown_servers(t, servers, look, cols, aim)
    widths = shared([needed_cols(t, server, look) for server in shown] + [NARROWEST] * bool(hidden), cols)
    lines = [tuple(_head(server, scene.run, aim, look, width) for server, width in zip(shown, widths, strict=False))]
    if hidden:
        lines[0] = (*lines[0], ("dim", pad(f" {look.t('netrunner.more', count=hidden)}", widths[-1])))
    cells = [_cells(t, server, scene.run, aim, look, width, rows) for server, width in zip(shown, widths, strict=False)]
    for row in range(rows):
        placed = [
            cell[row] if row < len(cell) else plain(" " * width) for cell, width in zip(cells, widths, strict=False)
        ]
        lines.append(tuple([span for line in placed for span in line]))
    return lines


def _head(server: str, run: Run | None, aim: Subject, look: Look, width: int) -> Span:
    runs = run is not None and run.server == server
    mark = look.glyphs.turn if runs else " "
    style = "cursor" if aim.server == server else "title"
    return (style, pad(f"{mark}{server_name(server, look)}", width))


def _cells(t: Table, server: str, run: Run | None, aim: Subject, look: Look, width: int, rows: int) -> list[Line]:
    cards = standing(t, server)
    shown = cards if len(cards) <= rows else around(cards, max(0, rows - 1), {aim.iid, run.ice if run else 0})
    if not cards:
        return [plain(pad(f" {look.glyphs.dash}", width), "dim")]
    lines = [cell(t, card, aim, look, width) for card in shown]
    if len(shown) < len(cards):
        lines.append(plain(pad(f"  {look.t('netrunner.more', count=len(cards) - len(shown))}", width), "dim"))
    return lines


def around(cards: list[Card], most: int, matters: set[int]) -> list[Card]:
    """Return so many cards of a column: the first ones, but what matters now is among them."""
    last = max((at for at, card in enumerate(cards) if card.iid in matters), default=0)
    first = max(0, last - most + 1)
    return cards[first : first + most]


def cell(t: Table, card: Card, aim: Subject, look: Look, width: int) -> Line:
    """Draw one card: a mark for ice or for the Runner who stands before it, name, strength, counters."""
    is_ice = card.place.startswith("ice:")
    mark = look.glyphs.turn if is_met(t, card) else ice_mark(look) if is_ice else " "
    text = pad(f"{mark}{shortened(label(t, card, look), width - 2)}", width - 1)
    return ((style_of(t, card, aim, look), text), ("", " "))


def style_of(t: Table, card: Card, aim: Subject, look: Look) -> str:
    """Return the ground of a card: where the run stands, what is advanced enough, whose it is."""
    if aim.iid == card.iid:
        return "cursor"
    if is_met(t, card):
        return "danger"
    if not is_up(card):
        is_ready = card.place.startswith("root:") and card.advancement >= max(1, least_requirement(t))
        return "cell.threat" if is_ready else "cell"
    return f"tile{look.hue(card.side)}"


def shortened(text: str, cols: int) -> str:
    """Shorten a label in its name, so that the numbers behind it stay: all but the last word to their initials.

    >>> shortened("Wall of Static 3 +2", 14)
    'W. Static 3 +2'
    >>> shortened("Wall of Thorns 5", 10)
    'W.Thorns 5'
    >>> shortened("Wall of Thorns 5", 8)
    'W.Tho… 5'
    """
    if columns(text) <= cols:
        return text
    name, tail = text, ""
    while " " in name and (last := name.rpartition(" ")[2]) and any(char.isdigit() for char in last):
        name, tail = name.rpartition(" ")[0], f" {last}{tail}"
    room = max(1, cols - columns(tail))
    first, *rest = name.split()
    if not rest or not first.lstrip(HIDING).isalpha():
        return clip(name, room) + tail
    initial = first[: len(first) - len(first.lstrip(HIDING)) + 1]
    brief = f"{initial}. {rest[-1]}"
    return (brief if columns(brief) <= room else clip(f"{initial}.{rest[-1]}", room)) + tail


def run_line(snapshot: Shown, look: Look, cols: int) -> Line:
    """Draw a run as a path from the outermost ice to the server, with the Runner on it.

    Where it is too long, ice that was passed stands without its name, then all but the one that is met.
    """
    t = table_of(snapshot)
    run = t.run
    if run is None:
        return ()
    ice = t.ice(run.server)
    all_of_it = frozenset(card.iid for card in ice)
    drawn: Line = ()
    for named in (all_of_it, all_of_it.difference(run.passed), {card.iid for card in ice if is_met(t, card)}):
        drawn = _run_path(t, run, look, named, f" {look.glyphs.arrow} " if named == all_of_it else look.glyphs.arrow)
        if width_cols(drawn) <= cols:
            break
    return drawn


def _run_path(t: Table, run: Run, look: Look, named: Container[int], arrow: str) -> Line:
    """Draw the path of a run, with the names of some of its ice, and these arrows."""
    ice = ice_mark(look)
    runner = look.glyphs.turn
    spans: list[Span] = [("warn", f" {look.t('netrunner.run', server=server_name(run.server, look))} ")]
    if run.step == "run.1":
        spans.append(("target", f"{runner} "))
    for card in reversed(t.ice(run.server)):
        here = is_met(t, card)
        mark = runner if here else look.glyphs.yes if card.iid in run.passed else ice
        name = label(t, card, look) if card.iid in named else ""
        spans += [("target" if here else "", f"{mark}{name}"), ("dim", arrow)]
    arrived = run.step.startswith(("run.4", "run.5", "run.6")) and not ahead(t, run)
    mark = runner if arrived else ""
    spans.append(("target" if arrived else "", f"{mark}{server_name(run.server, look)}"))
    spans += [("dim", f"  {said}") for said in run_credits(t, look)]
    return tuple(spans)


def run_credits(t: Table, look: Look) -> list[str]:
    """Return the credits that are there for this run only: those of bad publicity, and those of a card."""
    run = t.run
    if run is None:
        return []
    lent = [card for card in t.active() if entry(card.code).pays == "anything" and card.credit]
    told = [look.t("netrunner.run.credits", cost=credits(run.credits, look))] if run.credits else []
    for card in lent:
        told.append(look.t("netrunner.run.credits.from", card=card_name(card, look), cost=credits(card.credit, look)))
    return told


def ahead(t: Table, run: Run) -> bool:
    """Tell whether there is ice left between the Runner and the server."""
    column = t.ice(run.server)
    passed = [at for at, card in enumerate(column) if card.iid in run.passed]
    return bool(column[: min(passed)] if passed else column)
