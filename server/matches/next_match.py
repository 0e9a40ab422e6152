"""What comes after a match: the same again, or the second game of a match of two.

That a match is of two games is an option the rules may declare (`both_sides`). Each game is a match of its own, with
its own log, record and rating; the second one knows what the first came to.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import combinations

from game import registry
from game.contract import Result, Seat
from game.options import BOTH_SIDES, turned
from server.matches.model import NewMatch
from server.matches.terms import Terms


def rematch_of(terms: Terms, gone: Collection[Seat] = ()) -> NewMatch:
    """Return the same again with everybody one seat on (two players swap sides), without those who are gone.

    What a seat brings belongs to the seat; where the rules let one bring something for the other side, to the person.
    """
    seats = [seat for seat in terms.seats if seat not in gone]
    moved = (*seats[1:], seats[0])
    options, brought = registry.get(terms.game).options(), terms.seat_options
    if brought and any(option.returns for option in options):
        brought = tuple(turned(options, brought[seat]) for seat in moved)
    elif brought:
        brought = tuple(brought[seat] for seat in seats)
    return NewMatch(
        agreement=terms.agreement,
        players=tuple(terms.players[seat] for seat in moved),
        seat_options=brought,
        room=terms.room,
        stays_private=terms.stays_private,
        near=tuple(pair for pair in combinations(range(len(moved)), 2) if _pair(moved, *pair) in terms.near),
    )


def _pair(moved: Sequence[Seat], one: int, other: int) -> tuple[int, int]:
    """Return where two people sat before, the lower seat first."""
    return min(moved[one], moved[other]), max(moved[one], moved[other])


def is_first_of_two(terms: Terms) -> bool:
    """Tell whether another game belongs to this one."""
    return bool(terms.agreement.options.get(BOTH_SIDES)) and terms.return_of is None


def second_game(terms: Terms, result: Result | None) -> NewMatch:
    """Return the second game, under the rules of the first, which knows what the first has come to."""
    won = tuple(int(result is not None and result.placements[0] == (seat,)) for seat in terms.seats)
    won = (*won[1:], *won[:1])
    return replace(rematch_of(terms), return_of=terms.id, won=won, rules_version=terms.rules_version)
