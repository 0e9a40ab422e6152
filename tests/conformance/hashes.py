"""Print the final hash of one random match per number of seats: `python -m tests.conformance.hashes GAME`."""

from __future__ import annotations

import sys

from game.contract import state_hash
from tests.conformance.play import Case, drawn_of, game_of, moments


def main(key: str) -> None:
    """Print them, one a line."""
    game = game_of(key)
    for n in game.seats:
        *_, last = moments(Case(key, n), drawn_of(f"hashes {n}"), disturbed=True)
        print(state_hash(game, last.fold.state))


if __name__ == "__main__":
    main(sys.argv[1])
