"""The passive rules by number: captures, forbids, safe areas, and how a match ends, each on a board one can see."""

from __future__ import annotations

from game.contract import Action, Json, Seat
from game.relati.rules import GAME
from game.relati.state import State
from tests.answers import as_dict, ended
from tests.relati.positions import SHOT, board, cell, events, play, refused, texts, written

# §1.6: pincer and forbid


def test_s1_6_four_orthogonal_neighbours_capture_and_the_closing_piece_counts_as_linked() -> None:
    state = board(". . . . . .\n. . O . . .\n. O X Os . .\n. . . . . .\n. . . . . .\n. . X . . Xs")
    assert cell(state, "c3") == "Xf"  # not valid, so no ring breaks it (A29)
    assert cell(play(state, "Rc4"), "c3") == "Xf"
    linked = board(". . . . . .\n. . O X . .\n. O X Os X .\n. . . . . X\n. . . . . X\n. . . . . Xs")
    assert cell(play(linked, "Rc4"), "c3") == "Xx"
    assert ("captured", {"seat": 0, "cells": ["c3"]}) in events(linked, "Rc4")


def test_s1_6_four_diagonal_neighbours_capture_too() -> None:
    state = board(". . . . . .\n. O . O . .\n. . X . X .\n. O . . . X\n. . Os . . .\n. . . . . Xs")
    assert cell(play(state, "Rd4"), "c3") == "Xx"


def test_a19_nothing_on_the_rim_is_captured() -> None:
    state = board(". O Xs . . .\n. . . . . .\n. . O . . .\n. . Os . . .\n. . . . . .\n. . . . . X")
    after = play(state, "Rd1", "Rd2", "Rc2")
    assert cell(after, "c1") == "Xs"


def test_a21_rings_of_mixed_marks_capture_nothing() -> None:
    state = board(". . . . .\n. . O . .\n. D Xs O .\n. Ds . . .\n. . Os . .", players="OXD")
    assert cell(play(state, "Rc4"), "c3") == "Xs"


def test_a21_who_walks_into_a_ring_is_captured_at_once_by_its_owner() -> None:
    state = board(
        """
        .  .  .  .  .  .
        .  .  O  .  .  .
        .  O  .  O  .  .
        .  .  Os .  .  .
        .  .  .  .  .  .
        .  Xs .  X  .  .
        """,
        turn="X",
    )
    assert "Rc3" not in texts(state)  # the ring blocks straight links
    open_ring = board(". . . . .\n. O . O .\n. . . . .\n. O Xs Os .\n. . . . .", turn="X")
    after = play(open_ring, "Rc3")
    assert cell(after, "c3") == "Xx"
    assert cell(after, "c4") == "Xs"


def test_s1_6_sources_are_captured() -> None:
    state = board(". . . . .\n. . O . .\n. O Xs O .\n. Os . . .\n. . . . .")
    after = play(state, "Rc4")
    assert cell(after, "c3") == "Xx"
    assert ended(GAME, after).placements == ((0,), (1,))
    assert ("source-lost", {"seat": 1}) in events(state, "Rc4")


def test_a29_shields_are_captured_only_by_option() -> None:
    picture = ". . . . .\n. . O . .\n. O Xd O .\n. Os . . .\n. . . . Xs"
    assert cell(play(board(picture), "Rc4"), "c3") == "Xd"
    assert cell(play(board(picture, capture_shields=True), "Rc4"), "c3") == "Xx"


def test_a20_pincer_comes_before_forbid() -> None:
    """Closing the ring at d3 also cuts d2 from its source: by default it dies, with forbid first it is immune."""
    picture = ". . Os O . .\n. . O X O .\n. . . . . .\n. . . Xs . .\n. . . . . .\n. . . . . ."
    first, last = board(picture), board(picture, pincer_first=False)
    assert cell(first, "d2") == "X"
    assert cell(play(first, "Rd3"), "d2") == "Xx"
    assert cell(play(last, "Rd3"), "d2") == "Xf"


def test_s1_6_forbid_floods_from_the_source_and_is_reversible() -> None:
    state = board("Os . O . O\n. . . . .\n. Xs . . .\n. . . . .\n. . . . .", turn="X")
    assert [cell(state, c) for c in ("c1", "e1")] == ["O", "O"]
    assert ("cut", {"seat": 0, "count": 2}) in events(state, "Rb1")
    cut = play(state, "Rb1")
    assert [cell(cut, c) for c in ("c1", "e1")] == ["Of", "Of"]
    assert ("freed", {"seat": 0, "count": 2}) in events(cut, "Rb2")
    assert [cell(play(cut, "Rb2"), c) for c in ("c1", "e1")] == ["O", "O"]


def test_a7_two_cut_off_pieces_do_not_keep_each_other_alive() -> None:
    state = board("O O . . .\n. . . . .\n. . . . .\n. . . . .\nXs . . . Os")
    assert [cell(state, c) for c in ("a1", "b1")] == ["Of", "Of"]


def test_a32_losing_the_source_forbids_everything_but_shields_stay_usable() -> None:
    state = board("Xs X X . Xd\n. . . . .\nO . . . .\nO . . . .\nOs . . . .")
    after = play(state, "Fa1a3")
    assert [cell(after, c) for c in ("a1", "b1", "c1", "e1")] == ["Xx", "Xf", "Xf", "Xd"]
    assert texts(after) == {"Be1"}
    assert GAME.result(after) is None


def test_a9_links_of_others_are_judged_by_their_own_shields() -> None:
    """O defends a piece between two X pieces: to X the shield is a wall, as the piece was."""
    state = board("Xs . X . .\n. . . . .\nO . . . .\n. . . . .\nOs . . . .")
    assert cell(play(state, "Ra2"), "c1") == "X"
    own = board("Os O O . .\n. . . . .\n. . . . .\n. . . . .\nXs . . . .")
    assert cell(play(own, "Db1"), "c1") == "O"


# A7: forbid by one's own neighbourhood alone

# Two pieces far from the source, linked to each other: cut together, or keeping each other valid.
PAIR = """
.  .  .  .  .  .  .
.  Os .  X  .  O  O
.  .  .  .  .  .  .
.  .  .  X  .  .  .
.  .  .  Xs .  .  .
.  .  .  .  .  .  .
.  .  .  .  .  .  .
"""


def test_a7_by_default_two_pieces_without_a_way_to_the_source_are_cut() -> None:
    state = board(PAIR)
    assert (cell(state, "f2"), cell(state, "g2")) == ("Of", "Of")


def test_a7_local_two_pieces_without_a_way_to_the_source_keep_each_other_valid() -> None:
    state = play(board(PAIR, forbid="local"), "Rb3")
    assert (cell(state, "f2"), cell(state, "g2")) == ("O", "O")
    assert "Rg3" in texts(board(PAIR, forbid="local"))  # and may be built on


def test_a7_local_a_piece_with_no_valid_neighbour_is_cut_after_the_next_action() -> None:
    alone = board(". . . . . .\n. Os . . . O\n. . . . . .\n. . . . . .\n. . . . . .\n. . . . . Xs", forbid="local")
    assert cell(alone, "f2") == "O"
    assert cell(play(alone, "Rb3"), "f2") == "Of"


def test_a7_local_is_worked_out_once_for_all_pieces_at_the_same_time() -> None:
    """A chain of cut pieces comes back one link an action: each sees what its neighbour was before."""
    chain = board(
        """
        Os .  Of .  Of .  Of
        .  .  .  .  .  .  .
        .  .  .  .  .  .  .
        .  .  .  .  .  .  .
        .  .  .  .  .  .  .
        .  .  .  .  .  .  .
        .  .  .  .  .  .  Xs
        """,
        forbid="local",
    )
    seen = []
    for action in ("Ra2", "Rg6", "Ra3"):
        chain = play(chain, action)
        seen.append([cell(chain, square) for square in ("c1", "e1", "g1")])
    assert seen == [["O", "Of", "Of"], ["O", "O", "Of"], ["O", "O", "O"]]


def test_a7_local_forbid_is_part_of_the_position_and_read_as_written() -> None:
    state = board(". . . . .\n. Of Of . .\n. . . . .\n. . . . Os\n. . . . Xs", forbid="local")
    assert (cell(state, "b2"), cell(state, "c2")) == ("Of", "Of")
    assert GAME.load(GAME.dump(state)) == state
    default = board(". . . . .\n. Of Of . .\n. . . . .\n. . . . Os\n. . . . Xs")
    assert (cell(default, "b2"), cell(default, "c2")) == ("O", "O")


def stored_options(state: State) -> dict[str, Json]:
    return as_dict(as_dict(GAME.dump(state))["options"])


def test_a7_a_state_stored_before_the_option_keeps_its_hash() -> None:
    assert "forbid" not in stored_options(board(PAIR))
    assert stored_options(board(PAIR, forbid="local"))["forbid"] == "local"


# §1.7: safe areas

BOX = """
    Xd .  .  Xd .  .  .
    .  Xs .  .  .  .  .
    .  .  X  .  .  O  Os
    Xd .  .  Xd .  .  .
    .  .  .  .  .  .  .
    .  .  .  .  .  .  .
    .  .  .  .  .  .  .
"""


def test_s1_7_pieces_between_four_own_shields_cannot_be_targets() -> None:
    state = board(BOX)
    assert texts(state, "N", "F") == set()
    assert refused(state, "Fc3f3") == "relati.error.target-safe"
    opened = board(BOX.replace("Xd", "Xb", 1))
    assert texts(opened, "F") == {"Fc3f3"}


def test_s1_7_a_piece_in_anothers_area_cannot_be_spent_but_can_be_the_medium() -> None:
    picture = "Xd . . . Xd . .\n. . . . . . .\n. Os O . O O X\n. . . . . . .\nXd . . . Xd . .\n{}\n. . . . . . Xs"
    state = board(picture.format(". . . . . . ."))
    assert texts(state, "N") == set()  # f3's line: medium f3, consumable e3 stands on the rim of the box
    assert refused(state, "Ng3f3") == "relati.error.spent-safe"
    beyond = board("Xd . Xd . . .\n. . . . . .\nX O O Os . .\n. . . . . .\nXd . Xd . . .\n. . . . . Xs")
    assert texts(beyond, "N") == set()
    outside = board("Xd . Xd . . .\n. . . . . .\n. . O Os . X\n. . . . . .\nXd . Xd . . .\n. . X . . Xs")
    assert "Fc6c3" not in texts(outside)


def test_a22_the_rim_is_inside_unless_the_option_says_otherwise() -> None:
    picture = BOX.replace(".  .  X  .  .  O", ".  .  .  X  .  O")
    assert "Fd3f3" not in texts(board(picture))
    assert "Fd3f3" in texts(board(picture, rim_is_safe=False))


def test_a18_safe_areas_stop_neither_bombs_nor_pincers() -> None:
    state = board("Xd . . . Xd\n. . O . .\n. O X Od .\n. . Os Xs .\nXd . . . Xd")
    assert cell(play(state, "Bd3"), "c3") == "Xx"
    ring = board("Xd . . . Xd\n. . O . .\n. O X O .\n. Os . Xs .\nXd . . . Xd")
    assert cell(play(ring, "Rc4"), "c3") == "Xx"


def test_a23_overlapping_areas_both_hold() -> None:
    state = board(
        "Od Xd . Od Xd\n. . . . .\n. O X . .\nOd Os . Od .\n. Xd . Xs Xd",
    )
    assert texts(state, "N", "F") == set()


# §1.8: turns, elimination, victory


def test_a24_who_cannot_act_falls_at_the_start_of_the_own_turn_and_the_pieces_stay() -> None:
    state = board("Os O X . .\n. . . . .\n. . . . D\n. . . . Ds\n. . . . .", players="OXD")
    after = play(state, "Ra2")
    assert after.fallen == ((1,),)
    assert after.turn == 2
    assert cell(after, "c1") == "Xf"
    assert written(after).endswith(" D OxD")


def test_a25_the_last_one_left_wins_even_if_it_could_not_act() -> None:
    state = board(SHOT)
    step = GAME.apply(state, Seat(0), Action("Fe2b2"))
    assert [event.kind for event in step.events] == ["shot", "source-lost", "source-lost", "out-stuck", "won"]
    assert GAME.pending(step.state) == ()
    assert ended(GAME, step.state).reason == "stuck"
    assert written(step.state).endswith(" O Ox")


def test_s4_the_fastest_win_takes_five_plies() -> None:
    state = play(GAME.setup({}, 2, bytes(32)).state, "Lh8", "Lh3", "Rh9", "Rf3")
    assert ended(GAME, play(state, "Fh3h8")).placements == ((0,), (1,))
