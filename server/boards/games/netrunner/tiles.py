"""The table as tiles, where there is room: servers as columns of bars, the rig and hands as cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from game.netrunner.facts import CORP, FACTS, HIDDEN, RUNNER
from game.netrunner.queries import requirement, rez_cost
from game.netrunner.state import Card, State
from game.netrunner.table import Table
from server.boards.games.netrunner.cardtext import counted_title, credits, number_parts, text_lines
from server.boards.games.netrunner.columns import Subject, ahead, ice_mark, style_of
from server.boards.games.netrunner.labels import archives_count, card_name, marks, server_name
from server.boards.games.netrunner.scene import (
    Shown,
    counted,
    counters_of,
    hand_of,
    is_known,
    is_met,
    is_up,
    rig_rows,
    scene_of,
    strength_of,
    subs_of,
    table_of,
)
from server.boards.games.netrunner.sides import packed_texts
from server.boards.seats import own_seat
from server.terminal.lines import ELLIPSIS, Line, Span, clip, columns, packed, pad, plain, text_of, wrap
from server.terminal.look import Look

COLUMN_COLS = 16  # the narrowest column of a server
WIDEST_COLUMN = 30
LANE_COLS = 2  # before the cards of a server: there a run comes up
TILE_COLS = 16  # the narrowest tile of the rig
WIDEST_TILE = 26
KIND_GAP = 3  # columns between tiles of different kinds
NARROWEST_CARD, WIDEST_CARD = 17, 28  # of a hand's card that is written out
HAND_ROWS, TALL_HAND_ROWS, TALL_HANDS_FROM = 8, 13, 50  # its rows, and those on a board of so many rows
OPENING_HAND_ROWS = 17  # there, while one decides whether to keep it: no text is cut
# Tiles of one line, of as many as the name takes, with a line for numbers, and with words before the numbers.
LOW, WHOLE, TALL, WORDY = 0, 1, 2, 3
SUB, ASCII_SUB = "↳", ">"


@dataclass(frozen=True, slots=True)
class ServerColumn:
    """A server's column: what stands in it, line by line, from its root down to the outermost ice.

    `runner`: before which line the Runner stands in a run; None: none runs here.
    """

    server: str
    head: str
    count: str
    inside: tuple[Span, ...]
    runner: int | None = None


def name_lines(name: str, cols: int) -> list[str]:
    """Return a name whole, in as many lines as it takes; a word that is too long is cut with a mark."""
    if any(columns(word) > cols for word in name.split()):
        return [clip(name, cols)]
    return wrap(name, cols)


def card_lines(t: Table, card: Card, look: Look, cols: int, tall: int) -> list[str]:
    """Return what stands on a card's tile: its name, and its numbers below it, behind it, or behind what fits of it."""
    numbers = numbers_of(t, card, look)
    beside = columns(numbers) + 1 if numbers and tall in (LOW, WHOLE) else 0
    name = tile_name(card, look, cols - beside)
    if tall == WORDY:
        worded = packed_texts(worded_numbers(t, card, look), cols, " ")
        return [*name_lines(name, cols), *(clip(line, cols) for line in worded)]
    if tall == LOW:
        return [clip(name, cols)] if not numbers else [pad(name, max(1, cols - columns(numbers) - 1)) + " " + numbers]
    *lines, last = name_lines(name, cols)
    if numbers and tall == WHOLE and columns(last) + 1 + columns(numbers) <= cols:
        return [*lines, pad(last, cols - columns(numbers)) + numbers]
    return [*lines, last, *([clip(numbers, cols)] if numbers else [])]


def tile_name(card: Card, look: Look, cols: int) -> str:
    """Return a card's name on its tile, behind a mark for ice; one face down has one before what is known of it.

    A card of which nothing is known is a back, as wide as its tile.
    """
    ice = ice_mark(look) if card.place.startswith("ice:") else ""
    if is_up(card):
        return f"{ice}{card_name(card, look)}" if card.place != "hosted" else f"({card_name(card, look)})"
    if is_known(card):
        return f"{ice}{look.glyphs.hidden}{card_name(card, look)}"
    return ice + look.glyphs.hidden * (cols - columns(ice))


def sub_mark(look: Look) -> str:
    """Return the mark of a subroutine."""
    return ASCII_SUB if look.glyph_set == "ascii" else SUB


def numbers_of(t: Table, card: Card, look: Look) -> str:
    """Return a card's numbers: strength and subroutines, counters; what the viewer knows to rez or score it."""
    found = strength_of(t, card)
    told = ["" if found is None else str(found), sub_mark(look) * min(6, subs_of(t, card)), marks(card, look)]
    if not is_up(card) and is_known(card) and card.side == CORP:
        if FACTS[card.code].type == "agenda":
            told = [f"{card.advancement}/{requirement(t, card)}"]
        else:
            told.append(credits(rez_cost(t, card), look))
    return " ".join(part for part in told if part)


def worded_numbers(t: Table, card: Card, look: Look) -> list[str]:
    """Return a card's numbers as `numbers_of`, each with what it is."""
    n = strength_of(t, card)
    told = [] if n is None else [look.t("netrunner.tile.strength", n=n)]
    told += [sub_mark(look) * min(6, subs_of(t, card))] if subs_of(t, card) else []
    counters = [(kind, credits(n, look) if kind in ("credit", "recurring") else n) for kind, n in counters_of(card)]
    if not is_up(card) and is_known(card) and card.side == CORP:
        if FACTS[card.code].type == "agenda":
            return [look.t("netrunner.tile.advancement", n=f"{card.advancement}/{requirement(t, card)}")]
        counters.append(("rez", credits(rez_cost(t, card), look)))
    return [*told, *(look.t(f"netrunner.tile.{kind}", n=n) for kind, n in counters)]


# The servers.


def columns_abreast(t: Table, cols: int) -> int:
    """Return how many servers stand beside each other."""
    return max(1, min(len(t.servers()), cols // COLUMN_COLS))


def server_lines(snapshot: Shown, aim: Subject, look: Look, cols: int, tall: int) -> list[Line]:
    """Draw the servers as columns, in as many rows of them as it takes."""
    t, scene = table_of(snapshot), scene_of(snapshot)
    abreast = columns_abreast(t, cols)
    width = min(WIDEST_COLUMN, cols // abreast)
    made = [column_of(t, scene, server, aim, look, width - LANE_COLS - 1, tall) for server in t.servers()]
    lines: list[Line] = []
    for first in range(0, len(made), abreast):
        lines += _abreast(made[first : first + abreast], aim, look, width)
    return lines


def column_of(t: Table, scene: State, server: str, aim: Subject, look: Look, cols: int, tall: int) -> ServerColumn:
    """Return the column of a server."""
    counts = {"hq": str(len(scene.hq)), "rd": str(len(scene.rd)), "archives": archives_count(scene, look)}
    root, ice = t.root(server), t.ice(server)
    runs = t.run is not None and t.run.server == server
    blank: Span = ("", " " * cols)
    runner = 0 if t.run is not None and not ahead(t, t.run) else None
    inside: list[Span] = []
    for card in root:
        inside += _with_hosted(t, card, aim, look, cols, tall)
    if not root:
        inside.append(("dim", pad("" if ice else look.glyphs.dash, cols)))
    if root and ice:
        inside.append(blank)
    for at, card in enumerate(ice):
        runner = len(inside) if is_met(t, card) else runner
        inside += _with_hosted(t, card, aim, look, cols, tall)
        if tall >= TALL and at < len(ice) - 1:
            inside.append(blank)
    runner = len(inside) if runner is None else runner
    if runs and tall >= TALL:  # where it begins
        inside.append(blank)
    return ServerColumn(
        server, server_name(server, look), counts.get(server, ""), tuple(inside), runner if runs else None
    )


def _with_hosted(t: Table, card: Card, aim: Subject, look: Look, cols: int, tall: int) -> Iterator[Span]:
    """Draw a card of a server, and below it what it hosts, each in one line."""
    for one in (card, *t.hosted(card.iid)):
        for text in card_lines(t, one, look, cols, tall if one is card else LOW):
            yield style_of(t, one, aim, look), pad(text, cols)


def _abreast(found: Sequence[ServerColumn], aim: Subject, look: Look, width: int) -> list[Line]:
    """Set columns beside each other, with the way of a run before the cards of its server."""
    height, cols = max(len(column.inside) for column in found), width - LANE_COLS - 1
    lines: list[Line] = [tuple([span for column in found for span in _head(column, aim, look, cols)])]
    for row in range(height):
        line: list[Span] = []
        for column in found:
            line.append(("target", pad(_lane(column, row, look), LANE_COLS)))
            line += [column.inside[row] if row < len(column.inside) else ("", " " * cols), ("", " ")]
        lines.append(tuple(line))
    return lines


def _lane(column: ServerColumn, row: int, look: Look) -> str:
    """Return what is before a line of a column: the Runner, or the way on which they came."""
    if column.runner is None or not column.runner <= row < len(column.inside):
        return ""
    return look.glyphs.ours if row == column.runner else look.glyphs.vertical


def _head(column: ServerColumn, aim: Subject, look: Look, cols: int) -> Line:
    """Draw the name of a column, and how many cards there are."""
    is_run = column.runner is not None
    count = f" {column.count}" if column.count else ""
    name = clip(f"{look.glyphs.turn if is_run else ''}{column.head}", cols - columns(count))
    left = cols - columns(name) - columns(count)
    style = "cursor" if aim.server == column.server else "target" if is_run else "title"
    rule = f" {look.glyphs.rule * (left - 1)}" if left else ""
    return (("", " " * LANE_COLS), (style, name), ("target" if is_run else "rule", rule), ("", f"{count} "))


# The rig and the hands.


def rig_tiles(snapshot: Shown, aim: Subject, look: Look, cols: int) -> list[Line]:
    """Draw what is installed in the rig as tiles: programs, then hardware, then resources."""
    t = table_of(snapshot)
    kinds = [[(style_of(t, card, aim, look), _rig_card(t, card, look)) for card in cards] for cards in rig_rows(t)]
    return tiled([kind for kind in kinds if kind], cols) or [plain(f" {look.t('netrunner.rig.empty')}", "dim")]


def _rig_card(t: Table, card: Card, look: Look) -> tuple[str, str]:
    worded = "  ".join(worded_numbers(t, card, look))
    return tile_name(card, look, TILE_COLS), worded if columns(worded) <= WIDEST_TILE - 2 else numbers_of(t, card, look)


Tile: TypeAlias = tuple[str, tuple[str, str]]  # a style, a name, and numbers below it


def tiled(kinds: Sequence[Sequence[Tile]], cols: int) -> list[Line]:
    """Set tiles of two lines beside each other, each kind a little apart; without any numbers they are low."""
    tiles = [tile for kind in kinds for tile in kind]
    if not tiles:
        return []
    widest = max(max(columns(name), columns(numbers)) for _, (name, numbers) in tiles) + 2
    width = min(WIDEST_TILE, max(TILE_COLS, widest), cols - 2)
    rows: list[list[tuple[int, Tile]]] = [[]]
    used = 0
    for kind in kinds:
        for at, tile in enumerate(kind):
            gap = KIND_GAP if not at and rows[-1] else 1
            if rows[-1] and used + gap + width > cols:
                rows.append([])
                used, gap = 0, 1
            rows[-1].append((gap, tile))
            used += gap + width
    heights = [2 if any(numbers for _, (_, (_, numbers)) in row) else 1 for row in rows]
    lines: list[Line] = []
    for row, height in zip(rows, heights, strict=True):
        lines += [()] if lines else []
        for at in range(height):
            placed = [
                (("", " " * gap), (style, pad(f" {clip(texts[at], width - 2)}", width))) for gap, (style, texts) in row
            ]
            lines.append(tuple([span for pair in placed for span in pair]))
    return lines


def hand_cards(snapshot: Shown, side: int, look: Look, cols: int, rows: int) -> list[Line]:
    """Draw what the viewer knows of a hand as cards `rows` high with what they do; nothing where those are narrow."""
    found = counted(hand_of(scene_of(snapshot), side))
    width = min(WIDEST_CARD, (cols - 1) // max(1, len(found)) - 1)
    if not found or width < NARROWEST_CARD:
        return []
    written = [_written(code, n, look, width - 2, rows) for code, n in found]
    name = look.t(f"netrunner.pile.{'grip' if side == RUNNER else 'hq'}")
    lines: list[Line] = [plain(f" {name}", "dim")]
    for row in range(rows):
        lines.append(tuple([span for card in written for span in (("", " "), ("card", pad(f" {card[row]}", width)))]))
    return lines


def _written(code: str, n: int, look: Look, cols: int, rows: int) -> list[str]:
    """Write a card of a hand out, in `rows` lines: its name, its numbers, what it does."""
    name = name_lines(counted_title(code, n, look), cols)
    said = [line for sentence in text_lines(code, look) for line in wrap(sentence, cols)]
    lines = [*name, *map(text_of, packed(number_parts(code, look), cols)), "", *said]
    if len(lines) > rows:
        lines[rows - 1] = clip(f"{lines[rows - 1]}{ELLIPSIS}", cols)
    return [*lines[:rows], *[""] * (rows - len(lines))]


def hand_tiles(snapshot: Shown, side: int, look: Look, cols: int) -> list[Line]:
    """Draw what the viewer knows of a hand, as low tiles behind its name."""
    hand = hand_of(scene_of(snapshot), side)
    name = look.t(f"netrunner.pile.{'grip' if side == RUNNER else 'hq'}")
    texts = [f" {counted_title(code, n, look)} " for code, n in counted(hand)]
    if (unknown := hand.count(HIDDEN)) and texts:
        texts.append(f" +{unknown}{look.glyphs.hidden} ")
    if not texts:
        is_own_empty = side == own_seat(snapshot) and not hand
        return [(("dim", f" {name}  {look.t('netrunner.hand.empty')}"),)] if is_own_empty else []
    indent = columns(name) + 3
    rows: list[list[Span]] = [[("dim", f" {name}  ")]]
    used = indent
    for text in texts:
        if used + columns(text) + 1 > cols and used > indent:
            rows.append([("", " " * indent)])
            used = indent
        rows[-1] += [("card", clip(text, max(4, cols - indent))), ("", " ")]
        used += columns(text) + 1
    return [tuple(row) for row in rows]
