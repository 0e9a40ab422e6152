"""The table as tiles, where there is room: servers as boxes with their cards in them, the rig and hands as cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from game.netrunner.facts import CORP, FACTS, HIDDEN, RUNNER
from game.netrunner.queries import requirement, rez_cost
from game.netrunner.state import Card, State
from game.netrunner.stops import least_requirement
from game.netrunner.table import Table
from server.boards.games.netrunner.cardtext import counted_title, credits
from server.boards.games.netrunner.columns import Subject, ice_mark
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
from server.terminal.lines import Line, Span, clip, columns, pad, plain, wrap
from server.terminal.look import Look

BOX_COLS = 16  # the narrowest box of a server
WIDEST_BOX = 30
TILE_COLS = 16  # the narrowest tile of the rig
WIDEST_TILE = 26
# Tiles of one line, of as many as the name takes, with a line for numbers, and with words before the numbers.
LOW, WHOLE, TALL, WORDY = 0, 1, 2, 3
SUB, ASCII_SUB = "↳", ">"


@dataclass(frozen=True, slots=True)
class Box:
    """A server's box: what stands in it, line by line, from its root down to the outermost ice."""

    server: str
    head: str
    count: str
    inside: tuple[Span | None, ...]  # None: the line between root and ice


def name_lines(name: str, cols: int) -> list[str]:
    """Return a name whole, in as many lines as it takes; a word that is too long is cut with a mark."""
    if any(columns(word) > cols for word in name.split()):
        return [clip(name, cols)]
    return wrap(name, cols)


def card_lines(t: Table, card: Card, look: Look, cols: int, tall: int) -> list[str]:
    """Return what stands on a card's tile: its name, and its numbers below it, behind it, or behind what fits of it."""
    name, numbers = tile_name(card, look), numbers_of(t, card, look)
    if tall == WORDY:
        worded = packed_texts(worded_numbers(t, card, look), cols, 1)
        return [*name_lines(name, cols), *(clip(line, cols) for line in worded)]
    if tall == LOW:
        return [clip(name, cols)] if not numbers else [pad(name, max(1, cols - columns(numbers) - 1)) + " " + numbers]
    *lines, last = name_lines(name, cols)
    if numbers and tall == WHOLE and columns(last) + 1 + columns(numbers) <= cols:
        return [*lines, pad(last, cols - columns(numbers)) + numbers]
    return [*lines, last, *([clip(numbers, cols)] if numbers else [])]


def tile_name(card: Card, look: Look) -> str:
    """Return a card's name on its tile, behind a mark for ice; one face down has one before what is known of it."""
    ice = ice_mark(look) if card.place.startswith("ice:") else ""
    if is_up(card):
        return f"{ice}{card_name(card, look)}" if card.place != "hosted" else f"({card_name(card, look)})"
    return f"{ice}{look.glyphs.hidden}{card_name(card, look)}" if is_known(card) else f"{ice}{look.glyphs.hidden * 6}"


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


def style_of(t: Table, card: Card, aim: Subject) -> str:
    """Return the ground of a card: where the run stands, what is advanced enough, whose it is."""
    if aim.iid == card.iid:
        return "cursor"
    if is_met(t, card):
        return "danger"
    if not is_up(card):
        is_ready = card.place.startswith("root:") and card.advancement >= max(1, least_requirement(t))
        return "cell.threat" if is_ready else "cell"
    return "tile0" if card.side == CORP else "tile1"


# The servers.


def boxes_abreast(t: Table, cols: int) -> int:
    """Return how many servers stand beside each other."""
    return max(1, min(len(t.servers()), cols // BOX_COLS))


def server_lines(snapshot: Shown, aim: Subject, look: Look, cols: int, tall: int, least: int = 0) -> list[Line]:
    """Draw the servers as boxes, in as many rows of them as it takes; `least`: the lines inside the tallest box."""
    t, scene = table_of(snapshot), scene_of(snapshot)
    abreast = boxes_abreast(t, cols)
    width = min(WIDEST_BOX, cols // abreast)
    boxes = [box_of(t, scene, server, aim, look, width - 4, tall) for server in t.servers()]
    lines: list[Line] = []
    for first in range(0, len(boxes), abreast):
        lines += _abreast(t, boxes[first : first + abreast], aim, look, width, least)
    return lines


def box_of(t: Table, scene: State, server: str, aim: Subject, look: Look, cols: int, tall: int) -> Box:
    """Return the box of a server."""
    counts = {"hq": str(len(scene.hq)), "rd": str(len(scene.rd)), "archives": archives_count(scene, look)}
    root, ice = t.root(server), t.ice(server)
    inside: list[Span | None] = []
    for card in root:
        inside += _with_hosted(t, card, aim, look, cols, tall)
    if not root and not ice:
        inside.append(("dim", pad(look.glyphs.dash, cols)))
    if root and ice:
        inside.append(None)
    for at, card in enumerate(ice):
        inside += _with_hosted(t, card, aim, look, cols, tall)
        if tall >= TALL and at < len(ice) - 1 and style_of(t, card, aim) == style_of(t, ice[at + 1], aim):
            inside.append(("dim", look.glyphs.dot * cols))
    return Box(server, server_name(server, look), counts.get(server, ""), tuple(inside))


def _with_hosted(t: Table, card: Card, aim: Subject, look: Look, cols: int, tall: int) -> Iterator[Span]:
    """Draw a card of a server, and below it what it hosts, each in one line."""
    for one in (card, *t.hosted(card.iid)):
        for text in card_lines(t, one, look, cols, tall if one is card else LOW):
            yield style_of(t, one, aim), pad(text, cols)


def _abreast(t: Table, boxes: Sequence[Box], aim: Subject, look: Look, width: int, least: int) -> list[Line]:
    """Set boxes beside each other, all of them as high as the highest."""
    run, cross, rule, bar = t.run, look.glyphs.cross, look.glyphs.rule, look.glyphs.vertical
    height = max(1, least, *(len(box.inside) for box in boxes))
    runs = [run is not None and run.server == box.server for box in boxes]
    styles = ["target" if runs_here else "rule" for runs_here in runs]
    lines = [_heads(boxes, runs, aim, look, width)]
    for row in range(height):
        line: list[Span] = []
        for box, style in zip(boxes, styles, strict=True):
            span = box.inside[row] if row < len(box.inside) else ("", " " * (width - 4))
            if span is None:
                line.append((style, f"{cross[3]}{rule * (width - 2)}{cross[5]}"))
            else:
                line += [(style, f"{bar} "), span, (style, f" {bar}")]
        lines.append(tuple(line))
    lines.append(tuple((style, f"{cross[6]}{rule * (width - 2)}{cross[8]}") for style in styles))
    return lines


def _heads(boxes: Sequence[Box], runs: Sequence[bool], aim: Subject, look: Look, width: int) -> Line:
    """Draw the upper edges, with names and counts in them."""
    cross, rule = look.glyphs.cross, look.glyphs.rule
    line: list[Span] = []
    for box, is_run in zip(boxes, runs, strict=True):
        edge = "target" if is_run else "rule"
        count = f" {box.count}" if box.count else ""
        name = clip(f"{look.glyphs.turn if is_run else ''}{box.head}", width - 3 - columns(count))
        left = width - 3 - columns(name) - columns(count)
        style = "cursor" if aim.server == box.server else "title"
        line += [(edge, f"{cross[0]} "), (style, name), (edge, f" {rule * (left - 1)}" if left else ""), ("", count)]
        line.append((edge, cross[2]))
    return tuple(line)


# The rig and the hands.


def rig_tiles(snapshot: Shown, aim: Subject, look: Look, cols: int) -> list[Line]:
    """Draw what is installed in the rig as tiles; programs, hardware and resources begin rows of their own."""
    t = table_of(snapshot)
    lines: list[Line] = []
    for cards in rig_rows(t):
        lines += tiled([(style_of(t, card, aim), _rig_card(t, card, look)) for card in cards], cols)
    return lines or [plain(f" {look.t('netrunner.rig.empty')}", "dim")]


def _rig_card(t: Table, card: Card, look: Look) -> tuple[str, str]:
    worded = "  ".join(worded_numbers(t, card, look))
    return tile_name(card, look), worded if columns(worded) <= WIDEST_TILE - 2 else numbers_of(t, card, look)


def tiled(cards: Sequence[tuple[str, tuple[str, str]]], cols: int) -> list[Line]:
    """Set tiles of two lines beside each other: a name, and below it numbers; without any numbers they are low."""
    if not cards:
        return []
    widest = max(max(columns(name), columns(numbers)) for _, (name, numbers) in cards) + 2
    width = min(WIDEST_TILE, max(TILE_COLS, widest), cols - 2)
    abreast = max(1, (cols - 1) // (width + 1))
    lines: list[Line] = []
    for first in range(0, len(cards), abreast):
        row = cards[first : first + abreast]
        for at in (0, 1) if any(numbers for _, (_, numbers) in row) else (0,):
            line: list[Span] = [("", " ")]
            for style, texts in row:
                line += [(style, pad(f" {clip(texts[at], width - 2)}", width)), ("", " ")]
            lines.append(tuple(line))
    return lines


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
