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


def rematch_of(terms: Terms, gone: Collection[Seat] = (), result: Result | None = None) -> NewMatch:
    """Return the same again with everybody one seat on (two players swap sides), without those who are gone.

    `result`: of the match that has ended, for the score of those who stay; two games are counted by themselves.
    What a seat brings belongs to the seat; where the rules let one bring something for the other side, to the person.
    """
    seats = [seat for seat in terms.seats if seat not in gone]
    moved = (*seats[1:], seats[0])
    options, brought = registry.get(terms.game).options(), terms.seat_options
    if brought and any(option.returns for option in options):
        brought = tuple(turned(options, brought[seat]) for seat in moved)
    elif brought:
        brought = tuple(brought[seat] for seat in seats)
    won = () if terms.agreement.options.get(BOTH_SIDES) else won_after(terms.won, terms.n_seats, result)
    return NewMatch(
        agreement=terms.agreement,
        players=tuple(terms.players[seat] for seat in moved),
        seat_options=brought,
        room=terms.room,
        won=tuple(won[seat] for seat in moved) if won else (),
        stays_private=terms.stays_private,
        near=tuple(pair for pair in combinations(range(len(moved)), 2) if _pair(moved, *pair) in terms.near),
    )


def won_after(won: Sequence[int], n_seats: int, result: Result | None) -> tuple[int, ...]:
    """Return how many matches each seat's player has won after this one; `won`: before it, empty for none."""
    before = tuple(won) or (0,) * n_seats
    winners = result.placements[0] if result is not None and result.placements else ()
    return tuple(n + (winners == (seat,)) for seat, n in enumerate(before))


def _pair(moved: Sequence[Seat], one: int, other: int) -> tuple[int, int]:
    """Return where two people sat before, the lower seat first."""
    return min(moved[one], moved[other]), max(moved[one], moved[other])


def is_first_of_two(terms: Terms) -> bool:
    """Tell whether another game belongs to this one."""
    return bool(terms.agreement.options.get(BOTH_SIDES)) and terms.return_of is None


def second_game(terms: Terms, result: Result | None) -> NewMatch:
    """Return the second game, under the rules of the first, which knows what the first has come to."""
    won = won_after((), terms.n_seats, result)
    won = (*won[1:], *won[:1])
    return replace(rematch_of(terms), return_of=terms.id, won=won, rules_version=terms.rules_version)
