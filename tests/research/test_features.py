"""Views as numbers: as many for every view of a match, from the viewer's side, the same on every machine."""

from __future__ import annotations

from typing import Any

import pytest

from game import registry
from game.contract import Action, Seat, Watcher
from game.features import hashed
from game.rainet.features import PLANES, features
from tests.conformance.play import Case, played, sampled, viewers

CASES = [Case(key, n) for key in registry.KEYS for n in registry.get(key).seats]
RAINET = registry.get("rainet")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_view_of_a_match_has_as_many_numbers_between_minus_one_and_one(case: Case) -> None:
    made = registry.features(case.key)
    lengths, seen = set(), set()
    for moment in sampled(played(case), 20):
        for viewer in viewers(case):
            numbers = made(case.game.view(moment.fold.state, viewer))
            assert all(-1.0 <= number <= 1.0 for number in numbers)
            lengths.add(len(numbers))
            seen.add(tuple(numbers))
    assert len(lengths) == 1
    assert len(seen) >= 20, "one for each moment, at least"


def planes(position: str, seat: int) -> dict[str, set[str]]:
    """Return the marked squares by plane; the other side's planes begin with `their`."""
    numbers = features(RAINET.view(RAINET.read_position(position, {}), Seat(seat)))
    found: dict[str, set[str]] = {}
    for at, number in enumerate(numbers[: 12 * 64]):
        if number:
            plane, square = divmod(at, 64)
            name = ("" if plane < 6 else "their ") + PLANES[plane % 6]
            found.setdefault(name, set()).add(f"{'abcdefgh'[square % 8]}{square // 8 + 1}")
    return found


def test_rainet_is_seen_from_the_viewer_s_side() -> None:
    position = "l6v/8/8/2v+5/8/8/8/V*6L S -/b c6/- -/- 0"
    south = {"link": {"h1"}, "virus": {"a1"}, "boosted": {"a1"}, "firewall": {"c6"}}
    assert planes(position, 0) == {
        **south,
        "their unknown": {"a8", "h8"},
        "their virus": {"c5"},
        "their face-up": {"c5"},
    }
    assert planes(position, 1) == {
        "link": {"a1"},
        "virus": {"h1", "c4"},
        "face-up": {"c4"},
        "their unknown": {"a8", "h8"},
        "their boosted": {"a8"},
        "their firewall": {"c3"},
    }


def test_relati_has_the_viewer_s_cells_first() -> None:
    relati = registry.get("relati")
    state: Any = relati.setup({"board": 5}, 2, bytes(32)).state
    for text in ("Lc3", "Lc4"):
        state = relati.apply(state, state.turn, Action(text)).state
    mine, theirs = (registry.features("relati")(relati.view(state, Seat(seat))) for seat in (0, 1))
    assert [at for at, number in enumerate(mine) if number] == [12, 125 + 17, 250, 254]
    assert [at for at, number in enumerate(theirs) if number] == [17, 125 + 12, 251, 254]
    assert registry.features("relati")(relati.view(state, Watcher.PUBLIC)) == mine


def test_hashing_does_not_mind_the_order_of_cards_and_leaves_the_log_out() -> None:
    one = hashed({"hand": ["slip", "judge"], "draws": 1, "log": ["a"]})
    assert one == hashed({"draws": 1, "hand": ["judge", "slip"], "log": []})
    assert one != hashed({"draws": 2, "hand": ["judge", "slip"]})
    assert one != hashed({"draws": 1, "hand": ["judge", "judge"]})


def test_hashed_places_are_the_same_on_every_machine() -> None:
    assert [at for at, number in enumerate(hashed({"hand": ["slip"], "draws": 1})) if number] == [122, 735]
