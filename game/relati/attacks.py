"""Attack lines (§1.5): contact attacks and shots, with the piece hit, the medium and the piece spent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from game.relati.areas import safe_area
from game.relati.geometry import bits, shifted
from game.relati.ruleset import Ruleset
from game.relati.state import Board, Side

CONTACT, SHOT = "N", "F"  # attack-normal (AN) and attack-remote (AR, "far"), as actions are written


@dataclass(frozen=True, slots=True)
class Line:
    """One attack: from `target` in a direction (index into DIRECTIONS) to `medium`, and one further `spent`."""

    kind: str  # CONTACT or SHOT
    target: int
    medium: int
    spent: int
    direction: int


@dataclass(frozen=True, slots=True)
class Arms:
    """What one seat may attack with, and what, before any line is drawn. All are sets of cells."""

    targets: int
    media: int  # of contact attacks
    shooting_media: int  # of shots, where the medium is spent too
    spendable: int
    sheltered: int  # what could be spent, did it not stand in another player's safe area
    contact_pass: int  # what may stand between target and medium of a contact attack
    shot_pass: int  # what may stand between target and medium of a shot


def arms(board: Board, seat: int, ruleset: Ruleset) -> Arms:
    """Return what one seat may attack with, and what, by §1.5 (AN, AR) and §1.7."""
    own = board.sides[seat]
    targets = exposed = 0
    for other, side in enumerate(board.sides):
        if other != seat:
            area = safe_area(side.shield, board.size, ruleset.rim_is_safe)
            targets |= attackable(side, ruleset) & ~area
            exposed |= area
    expendable = own.linked if not ruleset.spend_source else own.valid  # A15
    shot_pass = board.blank(seat) | own.mark
    return Arms(
        targets,
        own.valid,
        expendable,
        expendable & ~exposed,
        expendable & exposed,
        contact_pass(board, seat, ruleset),
        shot_pass,
    )


def attackable(side: Side, ruleset: Ruleset) -> int:
    """Return the pieces of a side that others may attack, its safe areas aside (A14)."""
    hit = side.source | side.linked | side.cut
    if ruleset.attack_shields:
        hit |= side.shield
    return hit | (side.mark & ~side.live) if ruleset.attack_dead else hit


def contact_pass(board: Board, seat: int, ruleset: Ruleset) -> int:
    """Return the cells that may lie between target and medium of a contact attack (A12)."""
    mark = board.sides[seat].mark
    dead_of_others = board.dead & ~mark
    if ruleset.contact_line == "own-or-dead":
        return mark | dead_of_others
    solid = board.grid.full & ~board.blank(seat)
    return solid | dead_of_others if ruleset.contact_line == "live-too" else solid


def lines(board: Board, seat: int, ruleset: Ruleset) -> Iterator[Line]:
    """Yield every attack a seat may make if it is its turn: contact attacks first, then shots."""
    have = arms(board, seat, ruleset)
    if have.targets and have.spendable:
        yield from _waves(board, CONTACT, have, have.media, have.contact_pass, ruleset.far_runs)
        yield from _waves(board, SHOT, have, have.shooting_media, have.shot_pass, ruleset.far_runs)


def _waves(board: Board, kind: str, have: Arms, media: int, crossed: int, far_runs: bool) -> Iterator[Line]:
    """Send the media that have a piece behind them along each direction, all one cell further at a time.

    A wave keeps its shape, so the medium of a target that it hits is known by the distance travelled.
    """
    for direction, step in enumerate(board.grid.steps):
        wave = shifted(media & shifted(have.spendable, -step), -step)
        travelled = step
        if far_runs:  # A13
            wave, travelled = shifted(wave & crossed, -step), 2 * step
        while wave:
            for target in bits(wave & have.targets):
                yield Line(kind, target, target + travelled, target + travelled + step, direction)
            wave = shifted(wave & crossed, -step)
            travelled += step


def targets_hit(board: Board, seat: int, ruleset: Ruleset) -> int:
    """Return every cell that a seat could attack now: the targets of `lines`, found faster."""
    return hits_of(board, (seat,), ruleset)[0]


def hits_of(board: Board, seats: Sequence[int], ruleset: Ruleset) -> list[int]:
    """Return what each of these seats could attack now, as `targets_hit`; all at once, each seat in its own lane."""
    sides, lane = board.sides, board.grid.lane
    blank = board.empty | board.dead
    areas = [safe_area(side.shield, board.size, ruleset.rim_is_safe) if side.shield else 0 for side in sides]
    media = spendable = crossed = 0
    targets = []
    for n, seat in enumerate(seats):
        own, at = sides[seat], n * lane
        hit = exposed = 0
        for other, side in enumerate(sides):
            if other != seat:
                hit |= attackable(side, ruleset) & ~areas[other]
                exposed |= areas[other]
        targets.append(hit)
        if hit:
            valid = own.source | own.linked
            media |= valid << at
            spendable |= ((valid if ruleset.spend_source else own.linked) & ~exposed) << at  # A15
            crossed |= (blank | own.mark) << at
    if not spendable:
        return [0] * len(targets)
    # What a contact attack can hit, a shot can hit too, unless one of two options is changed.
    shooters = media if ruleset.spend_source else sum(sides[seat].linked << n * lane for n, seat in enumerate(seats))
    found = _swept(board, shooters, spendable, crossed, ruleset.far_runs)
    if not ruleset.spend_source or ruleset.contact_line != "own-or-dead":
        passed = sum(contact_pass(board, seat, ruleset) << n * lane for n, seat in enumerate(seats))
        found |= _swept(board, media, spendable, passed, ruleset.far_runs)
    return [found >> n * lane & hit for n, hit in enumerate(targets)]


def _swept(board: Board, media: int, spendable: int, crossed: int, far_runs: bool) -> int:
    """Return the cells where lines may end, all directions together; not cut down to the board."""
    hit = 0
    for step in board.grid.steps[2:6]:  # one of each pair of opposite directions: these are the positive steps
        wave = (media & spendable >> step) >> step
        if far_runs:
            wave = (wave & crossed) >> step
        while wave:
            hit |= wave
            wave = (wave & crossed) >> step
        wave = (media & spendable << step) << step
        if far_runs:
            wave = (wave & crossed) << step
        while wave:
            hit |= wave
            wave = (wave & crossed) << step
    return hit


def directions_onto(board: Board, seat: int, targets: int, ruleset: Ruleset) -> int:
    """Return from how many of the eight directions a seat could attack one of these cells now."""
    have = arms(board, seat, ruleset)
    found = 0
    for step in board.grid.steps:
        hit = 0
        for media, crossed in ((have.media, have.contact_pass), (have.shooting_media, have.shot_pass)):
            wave = shifted(media & shifted(have.spendable, -step), -step)
            if ruleset.far_runs:
                wave = shifted(wave & crossed, -step)
            while wave:
                hit |= wave
                wave = shifted(wave & crossed, -step)
        found += hit & targets & have.targets != 0
    return found


def between(board: Board, line: Line) -> list[int]:
    """Return the cells strictly between target and medium, from the target on."""
    cells = []
    for cell in board.grid.along(line.target, line.direction):
        if cell == line.medium:
            break
        cells.append(cell)
    return cells
