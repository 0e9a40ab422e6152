"""What the Relati board says in words: the status line, the players, the danger, the log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from game.contract import Seat
from game.relati import explain
from game.relati.actions import escapable
from game.relati.geometry import bits
from game.relati.state import MARKS
from server.boards.board import Players, Weight
from server.boards.games.relati import draw, selection
from server.boards.games.relati.foresight import Foresight, foresee
from server.boards.games.relati.marks import bomb_threats, is_dear, source_threats, why
from server.boards.games.relati.selection import Selection, Shown, grid_of, offers, out, spoken, ways
from server.boards.seats import is_you, own_seat, player_card, short_name_at, waiting_words
from server.matches.model import SeenEvent
from server.terminal import edges
from server.terminal.items import PlayerCard
from server.terminal.lines import Line, columns, joined, plain, wrapped
from server.terminal.look import Look
from server.terminal.playercard import HOLDS_COLS

WEIGHTS = {
    **dict.fromkeys(("contact", "shot", "cut", "escape", "defend"), Weight.MATTERS),
    **dict.fromkeys(("bomb", "captured", "source-lost", "won"), Weight.DRAMATIC),
    **dict.fromkeys(("out-stuck", "out-left", "out-late"), Weight.DRAMATIC),
}
MANY = 4  # with so many players the log names them by their marks


def players(snapshot: Shown, look: Look, cols: int, now: datetime) -> Players:
    """Return the players with clocks and pieces, and what threatens the viewer's source."""
    view, fallen = snapshot.view, out(snapshot)
    cards: list[PlayerCard] = []
    for seat, side in enumerate(view.board.sides):
        linked = side.linked | side.source if side.linked else 0  # a source alone says nothing that the board doesn't
        counts = {"linked": linked, "cut": side.cut, "shields": side.shield}
        numbers = {name: cells.bit_count() for name, cells in counts.items()}
        said = ""
        if (side.mark or seat in fallen) and not snapshot.seats[seat].out:  # the line above says who is out
            is_whole = side.source and seat not in fallen
            lost = "relati.seat.out" if seat in fallen else "relati.seat.no-source"
            said = _pieces(numbers, look, cols - HOLDS_COLS) if is_whole else look.t(lost, **numbers)
        cards.append(player_card(snapshot, seat, MARKS[seat], look, now, aside=(said,) if said else ()))
    return Players(tuple(cards), tuple(danger(snapshot, look, cols)))


def _pieces(numbers: Mapping[str, int], look: Look, cols: int) -> str:
    """Say in at most `cols` columns how many pieces of each kind there are, if any."""
    for shields in ("shields", "shields-narrow"):
        keys = {"linked": "linked", "cut": "cut", "shields": shields}
        said = " ".join(look.t(f"relati.seat.{keys[name]}", n=n) for name, n in numbers.items() if n)
        if columns(said) <= cols:
            break
    return said


def danger(snapshot: Shown, look: Look, cols: int) -> list[Line]:
    """Write from where the viewer's source can be hit, and what could be done about it."""
    said, way_out = danger_words(snapshot, look)
    if not said:
        return []
    lines: list[Line] = [plain(look.glyphs.rule * cols, "rule")]
    for text in said[:2]:
        lines += wrapped(f"! {text}", cols, "bad", 2)
    return lines + (wrapped(f"  {way_out}", cols, "warn", 2) if way_out else [])


def danger_words(snapshot: Shown, look: Look) -> tuple[list[str], str]:
    """Say from where the viewer's source can be hit, and what could be done about it; both empty where it can't."""
    threats, mines, seat = source_threats(snapshot), bomb_threats(snapshot), own_seat(snapshot)
    if not (threats or mines) or seat is None:
        return [], ""
    names = grid_of(snapshot).names
    said = [
        look.t(
            "relati.danger.bomb" if is_you(snapshot, seat) else "relati.danger.bomb-theirs",
            owner=_name(snapshot, seat, look),
            name=_name(snapshot, other, look),
            cell=names[cell],
        )
        for other, cell in mines
    ]
    dear = [threat for threat in threats if is_dear(snapshot, threat)]
    cheap = [threat for threat in threats if threat not in dear]
    told = {(threat.seat, threat.line.target, threat.line.medium): "hit-dear" for threat in dear}
    told |= {(threat.seat, threat.line.target, threat.line.medium): "hit" for threat in cheap}
    said += [
        look.t(
            f"relati.danger.{word}" if is_you(snapshot, seat) else f"relati.danger.{word}-theirs",
            owner=_name(snapshot, seat, look),
            name=_name(snapshot, other, look),
            cell=names[target],
            medium=names[medium],
        )
        for (other, target, medium), word in sorted(told.items(), key=lambda one: one[1])  # "hit" comes first
    ]
    needs_one = is_you(snapshot, seat) and (cheap or mines)
    return said, _way_out(snapshot, seat, cheap, bool(mines), look) if needs_one else ""


def _way_out(snapshot: Shown, seat: Seat, threats: Sequence[explain.Threat], is_mined: bool, look: Look) -> str:
    """Say where a new piece would block all those lines, and whether the source could escape; empty: neither.

    Nothing blocks a bomb.
    """
    view, names = snapshot.view, grid_of(snapshot).names
    lines = [set(explain.blocks(view.board, seat, threat)) for threat in threats]
    shared = set[int]() if is_mined else set.intersection(*lines)
    flees = bool(escapable(view.board, seat, view.ruleset))
    if not shared:
        return look.t("relati.danger.escape") if flees else ""
    cells = " ".join(names[cell] for cell in sorted(shared)[:4])
    return look.t("relati.danger.block-or-escape" if flees else "relati.danger.block", cells=cells)


def marks(look: Look) -> tuple[tuple[str, str], ...]:
    """Return the marks on the board with what each means, for help."""
    glyphs = look.glyphs
    shown = {name: sign for name, sign in draw.SIGNS.items() if sign.strip()}
    for name, ends in ((draw.SOURCE, glyphs.tips), (draw.SHIELD, glyphs.walls)):
        shown[name] += f"  {ends[0]} {ends[1]}"
    shown |= {"reach": draw.REACH, "escape": draw.ESCAPE, "crossed": draw.CROSSED, "safe": draw.SAFE, "hit": glyphs.hit}
    shown |= dict(zip(draw.DEAD, glyphs.dead, strict=True))
    shown["source-hit"] = "!"
    return (*((mark, look.t(f"relati.legend.{name}")) for name, mark in shown.items()), *edges.marks(look))


def status(snapshot: Shown, chosen: Selection, look: Look) -> Line:
    """Say what to do now, and what is under the cursor."""
    asked = plain(f" {prompt(snapshot, chosen, look)}", "warn")
    if chosen.mode == selection.FREE:
        here, style = here_words(snapshot, chosen, look), "dim"
        style = "good" if wins(snapshot, selection.proposed(snapshot, chosen)) else style
    else:
        here = look.t("list.comma").join(will_words(snapshot, chosen.text, look))
        style = "good" if wins(snapshot, chosen.text) else "dim"
    return (*asked, (style, f"  {here}")) if here else asked


def prompt(snapshot: Shown, chosen: Selection, look: Look) -> str:
    """Say what to do now."""
    if snapshot.pending is None:
        return waiting_words(snapshot, (seat for seat, _ in snapshot.deciding), look)
    if chosen.flees and chosen.mode == selection.FREE:
        return look.t("relati.do.flee")
    if chosen.mode == selection.LINE:
        text, ways = line_words(snapshot, chosen.text, look), len(chosen.texts)
        return f"{text} ({chosen.at + 1}/{ways})" if ways > 1 else text
    if chosen.mode == selection.SURE:
        return sure_words(snapshot, chosen.text, look)
    return look.t(f"relati.prompt.{snapshot.pending.prompt}")


def sure_words(snapshot: Shown, text: str, look: Look) -> str:
    """Ask whether an escape, a shield or a bomb is meant."""
    side = snapshot.view.board.sides[own_seat(snapshot) or 0]
    lost = (side.live & ~side.shield).bit_count()
    verb = {"E": "escape", "D": "defend", "B": "bomb"}[text[0]]
    return look.t(f"relati.sure.{verb}", cell=grid_of(snapshot).names[spoken(snapshot, text).cell], count=lost)


def line_words(snapshot: Shown, text: str, look: Look) -> str:
    """Say what an attack hits, and what it spends."""
    said, grid = spoken(snapshot, text), grid_of(snapshot)
    medium = said.medium or 0
    spent = medium + grid.step(said.cell, medium)
    kind = "contact" if said.verb == "N" else "shot"
    words = look.t(
        f"relati.line.{kind}", target=grid.names[said.cell], medium=grid.names[medium], spent=grid.names[spent]
    )
    return joined((words, look.t("relati.line.source"))) if spends_source(snapshot, text) else words


def spends_source(snapshot: Shown, text: str) -> bool:
    """Tell whether an attack spends the viewer's source, and doesn't win by that."""
    said, grid = spoken(snapshot, text), grid_of(snapshot)
    medium = said.medium or 0
    spends = 1 << medium + grid.step(said.cell, medium) | (1 << medium if said.verb == "F" else 0)
    source = snapshot.view.board.sides[own_seat(snapshot) or 0].source
    return bool(source & spends) and not wins(snapshot, text)


def here_words(snapshot: Shown, chosen: Selection, look: Look) -> str:
    """Say what the cursor stands on and what can be done there."""
    if chosen.cursor == selection.NOBODY:
        return ""
    name = grid_of(snapshot).names[chosen.cursor]
    text = selection.proposed(snapshot, chosen)
    is_win = wins(snapshot, text)
    will = will_words(snapshot, text, look) if is_win or (text and text[0] in "LRNF") else []
    parts = will if is_win else [_piece(snapshot, chosen.cursor, look), _offer(snapshot, chosen, look), *will]
    said = look.t("list.clause").join(part for part in parts if part)
    return look.t("list.pair", what=name, value=said) if said else name


def will_words(snapshot: Shown, text: str, look: Look) -> list[str]:
    """Say what an action would bring about, besides what its own words say."""
    seat = own_seat(snapshot)
    seen = foreseen(snapshot, text)
    if seat is None or seen is None:
        return []
    view, said, names = snapshot.view, spoken(snapshot, text), grid_of(snapshot).names
    ends = [
        *(look.t("relati.will.source", name=_name(snapshot, other, look)) for other in seen.sources),
        *(look.t("relati.will.fells", name=_name(snapshot, other, look)) for other in seen.felled if not seen.wins),
    ]
    if seen.wins:  # what else it costs does not matter any more
        return [look.t("relati.will.wins", how=look.t("list.comma").join(ends)) if ends else look.t("relati.will.win")]
    sources = sum(view.board.sides[other].source for other in seen.sources)  # disjoint, and named already
    source = view.board.sides[seat].source | (1 << said.cell if said.verb in "LE" else 0)
    # The words for an escape and for attacks name what is spent; a bomb is its own cell.
    lost = 0 if said.verb in "ENF" else seen.lost & ~(1 << said.cell)
    counted = {"breaks-own": lost, "cuts": seen.cut, "cuts-own": seen.own_cut, "frees": seen.freed}

    exposed = seen.exposed if snapshot.agreement.warnings else 0

    def named(word: str, cells: int) -> str:
        return look.t(f"relati.will.{word}", cells=" ".join(names[cell] for cell in bits(cells))) if cells else ""

    words = [
        look.t("relati.will.loses") if seen.loses else "",
        *ends,
        named("breaks", seen.broken & ~(1 << said.cell) & ~sources),
        *(look.t(f"relati.will.{word}", count=cells.bit_count()) for word, cells in counted.items() if cells),
        look.t("relati.will.saves-source") if seen.saved else "",
        look.t("relati.will.exposes-source") if exposed & source else named("exposes", exposed),
    ]
    return [word for word in words if word]


def foreseen(snapshot: Shown, text: str) -> Foresight | None:
    """Return what an action of the viewer would do; None for a watcher, and where there is no action."""
    seat, view = own_seat(snapshot), snapshot.view
    return foresee(view.board, seat, out(snapshot), view.ruleset, text) if text and seat is not None else None


def wins(snapshot: Shown, text: str) -> bool:
    """Tell whether an action of the viewer would win the match."""
    seen = foreseen(snapshot, text)
    return seen is not None and seen.wins


def no_attack(snapshot: Shown, cell: int, look: Look) -> str:
    """Say why nothing can be done with enter on a cell that is not empty."""
    owner = snapshot.view.board.owner(cell)
    if owner is None:
        return look.t("relati.error.occupied")
    return look.t("relati.why.own" if owner == own_seat(snapshot) else "relati.why.no-attack")


def _piece(snapshot: Shown, cell: int, look: Look) -> str:
    found = draw.state_at(snapshot, cell)
    if found is None:
        return ""
    seat, state = found
    key = "relati.here.own" if is_you(snapshot, seat) else "relati.here.piece"
    said = look.t(key, name=_name(snapshot, seat, look), piece=look.t(f"relati.piece.{state}"))
    linked = look.t("relati.here.and").join(grid_of(snapshot).names[one] for one in linked_to(snapshot, seat, cell))
    return look.t("list.comma").join((said, look.t("relati.here.links", cells=linked))) if linked else said


def linked_to(snapshot: Shown, seat: int, cell: int) -> list[int]:
    """Return the pieces of a seat's tree of links that a piece of it is linked to."""
    pairs = [(one, path.origin) for one, path in explain.tree(snapshot.view.board, seat)]
    return sorted({b if a == cell else a for a, b in pairs if cell in (a, b)})


def _offer(snapshot: Shown, chosen: Selection, look: Look) -> str:
    """Say what enter would do, and over which cells."""
    found, names = offers(snapshot), grid_of(snapshot).names
    if texts := ways(snapshot, chosen.cursor):
        return look.t("relati.here.attack", count=len(texts))
    single = found.single.get(chosen.cursor, {})
    verb = next((verb for verb in "LREDB" if verb in single), "")
    reason = why(snapshot, chosen)
    if verb == "R" and reason.pieces:
        cells = " ".join(names[cell] for cell in reason.crossed)
        key = "relati.here.connect-over" if cells else "relati.here.connect"
        return look.t(key, origin=names[reason.pieces[0]], cells=cells)
    if verb == "E" and reason.pieces:
        return look.t("relati.here.escape", origin=names[reason.pieces[0]])
    words = {"L": "locate", "D": "defend", "B": "bomb"}
    return look.t(f"relati.here.{words[verb]}") if verb in words else ""


def _name(snapshot: Shown, seat: int, look: Look) -> str:
    return short_name_at(snapshot, seat, look) if 0 <= seat < len(snapshot.seats) else "?"


def _logged(snapshot: Shown, seat: int, look: Look) -> str:
    """Return what the log calls a player: on screens the mark where there are many (`MANY`): names take much room."""
    is_short = len(snapshot.seats) >= MANY and not look.is_heard
    return MARKS[seat] if is_short else _name(snapshot, seat, look)


def say(snapshot: Shown, look: Look, event: SeenEvent) -> str:
    """Return an event as a line of the log."""
    params: dict[str, object] = {}
    for key, value in event.params.items():
        if key in ("seat", "owner") and isinstance(value, int):
            params["name" if key == "seat" else "owner"] = _logged(snapshot, value, look)
        elif isinstance(value, list):
            params[key] = " ".join(map(str, value)) or look.glyphs.dash
        else:
            params[key] = value
    kind = "bomb-none" if event.kind == "bomb" and not event.params.get("killed") else event.kind
    return look.t(f"relati.event.{kind}", **params)
