"""What is heard of a board holds what its screen draws: every card and piece in view, at random moments."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from game.contract import Seat, Viewer
from game.netrunner.facts import FACTS, HIDDEN
from game.rainet.board import NAMES
from game.relati.geometry import bits
from game.relati.state import MARKS
from server.boards.board import board
from server.boards.games.netrunner.scene import table_of
from server.boards.games.passage.labels import card_name
from server.matches.model import AnyViewerState
from server.terminal.look import Look
from tests.conformance.boards import shown
from tests.conformance.play import Case, played, sampled, viewers

LOOK = Look().heard()
MOMENTS = 25
SIDES = ("South", "North")


def moments_of(game: str, n_seats: int) -> list[tuple[AnyViewerState, Viewer, str]]:
    """Return what each viewer is shown at some moments of a random match, and what is heard of it."""
    case, found = Case(game, n_seats), []
    for moment in sampled(played(case, "facts"), MOMENTS):
        for viewer in viewers(case):
            shot = shown(case, moment, viewer)
            found.append((shot, viewer, "\n".join(board(game).spoken(shot, LOOK))))
    return found


def test_every_card_on_the_grid_is_said_with_its_square_and_kind() -> None:
    for shot, viewer, said in moments_of("rainet", 2):
        if shot.view.is_setup:
            continue
        for square in range(64):
            card = shot.view.card_at(square)
            if card is None:
                continue
            (line,) = (line for line in said.splitlines() if f"({SIDES[card.owner]})" in line)
            kind = card.kind or "hidden card"
            face = "face-up " if card.face_up else ""
            state = " boosted" if card.boosted else ""
            listed = re.search(rf"(?<!face-up ){face}{kind}(?:s|es)? on ([^;.]*)", line)
            squares = listed[1].split(", ") if listed is not None else []
            assert f"{NAMES[square]}{state}" in squares, (viewer, line)


@pytest.mark.parametrize("n_seats", [2, 6])
def test_every_live_piece_is_said_with_its_player(n_seats: int) -> None:
    for shot, _, said in moments_of("relati", n_seats):
        grid = shot.view.board.grid
        for seat, side in enumerate(shot.view.board.sides):
            (line,) = (line for line in said.splitlines() if f"({MARKS[seat]}):" in line)
            if "shields." in line:  # only counted: there are too many
                continue
            cells = set[str]()
            for first, last in re.findall(r"\b([a-w]\d+)(?: to ([a-w]\d+))?\b", line):
                at = grid.names.index(first)
                cells |= {grid.names[one] for one in range(at, grid.names.index(last or first) + 1)}
            whole, live = ({grid.names[one] for one in bits(found)} for found in (side.mark, side.live))
            assert cells in (whole, live), line


@pytest.mark.parametrize("viewer", [0, 1])
def test_every_installed_card_is_said_as_far_as_it_is_known(viewer: int) -> None:
    for shot, who, said in moments_of("netrunner", 2):
        if who != Seat(viewer):
            continue
        cards = [one for one in table_of(shot).cards.values() if one.place.startswith(("ice:", "root:", "rig"))]
        wanted = Counter("a card face down" if one.code == HIDDEN else FACTS[one.code].title for one in cards)
        assert [title for title, n in wanted.items() if said.count(title) < n] == [], said


def test_a_hand_is_said_whole_and_the_others_by_number() -> None:
    for shot, viewer, said in moments_of("passage", 5):
        for seat, hand in enumerate(shot.view.hands):
            if seat in shot.view.eliminated or shot.result is not None:
                continue
            if seat == viewer:
                assert f"Your hand: {len(hand)}" in said
                if seat not in shot.view.blind:
                    assert [one for one in hand if card_name(one, LOOK) not in said] == []
            else:
                assert f"{shot.seats[seat].player.name}: hand {len(hand)}" in said
