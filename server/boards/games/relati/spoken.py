"""What is heard of a Relati board: the pieces of all sides, a cell, the actions by kinds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from game.contract import OneOf
from game.relati import explain
from game.relati.geometry import bits
from game.relati.state import MARKS
from server.boards import saying
from server.boards.board import MoveGroup
from server.boards.games.relati import labels, selection
from server.boards.games.relati.selection import Selection, Shown, grid_of, out, spoken
from server.boards.saying import listed, sentence
from server.boards.seats import is_you, own_seat, short_name_at
from server.terminal.lines import joined
from server.terminal.look import Look

STATES: Final = ("source", "linked", "cut", "shield", "broken", "weapon", "bomber")
LIVE: Final = STATES[:4]
RUN: Final = 3  # cells beside each other that are said by the first and the last


def position(snapshot: Shown, look: Look) -> tuple[str, ...]:
    """Say where all pieces are, the viewer's own first; on a full board only how many there are."""
    seats = range(len(snapshot.view.board.sides))
    own = own_seat(snapshot) or 0
    order = [*seats[own:], *seats[:own]]
    danger, way_out = labels.danger_words(snapshot, look)
    warned = [sentence(said, look) for said in (*danger[:2], way_out) if said]
    grid = grid_of(snapshot)
    first, last = (grid.names[grid.cell(at, at)] for at in (0, grid.size - 1))
    before = (look.t("relati.say.size", first=first, last=last), *warned)
    whole = [_side(snapshot, seat, STATES, look) for seat in order]
    live = [_side(snapshot, seat, LIVE, look) for seat in order]
    counts = [_counts(snapshot, seat, look) for seat in order]
    return saying.fitting([(*before, *told) for told in (whole, live, [live[0], *counts[1:]], counts)])


def _who(snapshot: Shown, seat: int, look: Look) -> str:
    key = "relati.say.you" if is_you(snapshot, seat) else "relati.say.who"
    return look.t(key, name=short_name_at(snapshot, seat, look), mark=MARKS[seat])


def _side(snapshot: Shown, seat: int, states: Iterable[str], look: Look) -> str:
    """Say where a player's pieces in these states are."""
    cells = _cells(snapshot, seat)
    told = [
        look.t(f"relati.say.on.{state}", cells=_places(snapshot, cells[state], look), n=cells[state].bit_count())
        for state in states
        if cells[state]
    ]
    if seat in out(snapshot):
        told = [look.t("relati.seat.out"), *told]
    words = look.t("list.then").join(told) or look.t("relati.say.none")
    return look.t("relati.say.side", who=_who(snapshot, seat, look), words=words)


def _counts(snapshot: Shown, seat: int, look: Look) -> str:
    """Say how many pieces a player has, and where the source is."""
    cells = _cells(snapshot, seat)
    source = _places(snapshot, cells["source"], look) or look.t("relati.say.none")
    numbers = {state: cells[state].bit_count() for state in ("linked", "cut", "shield")}
    return look.t("relati.say.counts", who=_who(snapshot, seat, look), source=source, **numbers)


def _cells(snapshot: Shown, seat: int) -> dict[str, int]:
    """Return a player's cells by the state of the piece, as sets of bits."""
    board = snapshot.view.board
    side = board.sides[seat]
    live = {"source": side.source, "linked": side.linked, "cut": side.cut, "shield": side.shield}
    dead = {"broken": board.broken, "weapon": board.weapon, "bomber": board.bomber}
    return live | {state: cells & side.mark for state, cells in dead.items()}


def _places(snapshot: Shown, cells: int, look: Look) -> str:
    return listed(_runs(snapshot, list(bits(cells)), look), look)


def _runs(snapshot: Shown, cells: list[int], look: Look) -> Iterator[str]:
    """Yield cells by name; three and more beside each other by the first and the last."""
    names, at = grid_of(snapshot).names, 0
    while at < len(cells):
        end = at
        while (
            end + 1 < len(cells) and cells[end + 1] == cells[end] + 1
        ):  # no row goes on in the next one: cells beside the board lie between
            end += 1
        if end - at + 1 >= RUN:
            yield look.t("relati.say.run", first=names[cells[at]], last=names[cells[end]])
        else:
            yield from (names[cell] for cell in cells[at : end + 1])
        at = end + 1


def hand(snapshot: Shown, look: Look) -> tuple[str, ...]:
    """Say where the viewer's own pieces are."""
    seat = own_seat(snapshot)
    return () if seat is None else (_side(snapshot, seat, STATES, look),)


def of(snapshot: Shown, look: Look, what: str) -> tuple[str, ...]:
    """Say what a cell holds and offers, or where all pieces of a player are."""
    name = what.strip().casefold()
    names = grid_of(snapshot).names
    if name and name in names:
        said = labels.here_words(snapshot, Selection(names.index(name)), look)
        return (look.t("relati.say.empty", cell=name) if said == name else sentence(said, look),)
    for seat in range(len(snapshot.seats)):
        if saying.is_named(name, (MARKS[seat], short_name_at(snapshot, seat, look))):
            return (_side(snapshot, seat, STATES, look),)
    return ()


def moves(snapshot: Shown, look: Look) -> tuple[MoveGroup, ...]:
    """Return what the viewer may do now, by the kind of action."""
    pending = snapshot.pending
    if pending is None or not isinstance(pending.choice, OneOf):
        return ()
    texts = (action.text for action in pending.choice.actions)
    return saying.grouped((look.t(f"relati.say.group.{text[0]}"), text, _words(snapshot, text, look)) for text in texts)


def _words(snapshot: Shown, text: str, look: Look) -> str:
    """Say what an action does."""
    view, seat, names = snapshot.view, own_seat(snapshot) or 0, grid_of(snapshot).names
    said = spoken(snapshot, text)
    cell = names[said.cell]
    match said.verb:
        case "N" | "F":
            return joined((labels.line_words(snapshot, text, look), *_consequences(snapshot, text, look)))
        case "R" | "E" as verb:
            path = (
                explain.connection(view.board, seat, said.cell)
                if verb == "R"
                else explain.escape(view.board, seat, said.cell, view.ruleset.far_runs)
            )
            if path is None:
                return cell
            crossed = listed((names[one] for one in path.crossed), look) if verb == "R" else ""
            key = f"relati.say.{'over' if crossed else verb}"
            return look.t(key, cell=cell, origin=names[path.origin], cells=crossed)
        case "B":
            blasted = sum(1 << one for one in explain.blast(view.board, said.cell))
            return look.t(
                "relati.say.B", cell=cell, cells=_places(snapshot, blasted, look) or look.t("relati.say.none")
            )
    return look.t(f"relati.say.{said.verb}", cell=cell)


def prompt(snapshot: Shown, look: Look) -> str:
    """Say what the viewer is asked now, or for whom they wait."""
    return labels.prompt(snapshot, Selection(selection.NOBODY), look)


def ask(snapshot: Shown, look: Look, text: str) -> str:
    """Ask about what the screens ask about too: an escape, a shield, a bomb, an attack that spends the source."""
    if text[0] in "EDB":
        return joined((labels.sure_words(snapshot, text, look), *_consequences(snapshot, text, look)))
    if text[0] in "NF" and labels.spends_source(snapshot, text):
        return labels.line_words(snapshot, text, look)
    return ""


def _consequences(snapshot: Shown, text: str, look: Look) -> tuple[str, ...]:
    will = listed(labels.will_words(snapshot, text, look), look)
    return (look.t("relati.say.will", will=will),) if will else ()
