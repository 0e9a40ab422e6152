"""The actions by number: sources, links, escapes, attacks, shields and bombs, each on a board one can see."""

from __future__ import annotations

import pytest

from game.relati.rules import GAME
from tests.answers import ended
from tests.relati.positions import SHOT, board, cell, play, refused, texts

# §1.3 and §1.5: locate, connect


def test_s1_5_L_a_source_goes_anywhere_empty_but_only_once() -> None:
    start = GAME.setup({}, 2, bytes(32)).state
    assert len(texts(start)) == 225
    assert texts(start, "L") == texts(start)
    after = play(start, "Lh8")
    assert cell(after, "h8") == "Os"
    assert refused(after, "Lh8") == "relati.error.occupied"
    assert texts(play(after, "Lb2"), "L") == set()
    assert refused(play(after, "Lb2"), "La1") == "relati.error.located"


def test_a30_who_lost_everything_cannot_locate_again() -> None:
    """X's only mark is broken: it has nothing to do and falls at its turn."""
    state = board(
        """
        Os O  .  .  .
        .  .  .  .  .
        .  .  Xx .  .
        .  .  .  .  .
        .  .  .  .  .
        """
    )
    after = play(state, "Rc1")
    assert ended(GAME, after).placements == ((0,), (1,))


def test_s4_a_lone_source_can_connect_the_whole_ring_of_24() -> None:
    state = play(GAME.setup({}, 2, bytes(32)).state, "Lh8", "La15")
    ring = {f"R{c}{r}" for c in "fghij" for r in range(6, 11)} - {"Rh8"}
    assert texts(state, "R") == ring


def test_s1_4_a_two_cell_link_needs_a_blank_between() -> None:
    state = board(
        """
        .  .  .  .  .
        .  .  .  .  .
        .  .  Os X  .
        .  .  .  .  .
        .  .  .  .  Xs
        """
    )
    assert "Re3" not in texts(state)
    assert "Ra3" in texts(state)
    assert refused(state, "Re3") == "relati.error.not-linked"


@pytest.mark.parametrize(
    ("blocked", "linked"),
    [("c4", True), ("d4", True), ("c4 d4", False), ("c4 d3", False), ("c5 d4", False), ("c5 d3", True)],
)
def test_s1_4_a_knight_link_needs_one_of_three_paths(blocked: str, linked: bool) -> None:
    """From c3 to d5 by (c4, c5), (c4, d4) or (d3, d4): any one is enough."""
    rows = [
        " ".join("Os" if c + r == "c3" else "X" if c + r in blocked.split() else "." for c in "abcdefg")
        for r in "12345"
    ]
    state = board("\n".join([*rows, ". . . . . . .", ". . . . . . Xs"]))
    assert ("Rd5" in texts(state)) is linked


def test_s1_3_dead_cells_are_crossed_but_never_taken() -> None:
    state = board(
        """
        .  .  .  .  .
        .  .  .  .  .
        Os Xx .  .  .
        .  .  .  .  .
        .  .  .  .  Xs
        """
    )
    assert "Rc3" in texts(state)
    assert refused(state, "Rb3") == "relati.error.occupied"


def test_s1_3_own_shields_are_crossed_and_those_of_others_are_not() -> None:
    own = "Os Od . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . Xs"
    other = own.replace("Od", "Xd")
    assert "Rc1" in texts(board(own))
    assert "Rc1" not in texts(board(other))


def test_s1_3_a_forbid_piece_links_nothing() -> None:
    state = board("Os . . . .\n. . . . .\n. . . . .\n. . . . O\n. . . . Xs")
    assert cell(state, "e4") == "Of"
    assert "Rd3" not in texts(state)


# §1.5: escape


def test_s1_5_E_a_source_may_flee_in_line_beyond_the_reach_of_links() -> None:
    state = board("Os . . . . .\n. . . . . .\n. . . . . .\n. . . . . .\n. . . . . .\nO . . Xs . .")
    assert texts(state, "E") == {"Ed1", "Ee1", "Ef1", "Ed4", "Ee5", "Ef6", "Ea4", "Ea5"}
    assert refused(state, "Ec1") == "relati.error.connectable"
    assert refused(state, "Ee2") == "relati.error.no-escape"


def test_a11_escaping_kills_all_own_pieces_but_shields_and_touches_nobody_else() -> None:
    state = board("Os O Ow Od Ob .\n. . . . . .\n. . . . . .\n. . . . . .\n. . . . . .\n. . . Xs X .")
    after = play(state, "Ea5")
    assert [cell(after, f"{c}1") for c in "abcde"] == ["Ox", "Ox", "Ox", "Od", "Ox"]
    assert cell(after, "a5") == "Os"
    assert cell(after, "d6") == "Xs"
    assert cell(after, "e6") == "X"


def test_a10_escape_anywhere_also_offers_cells_that_could_be_connected() -> None:
    state = board("Os . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . Xs", escape_anywhere=True)
    assert {"Eb1", "Ec1", "Ed1", "Ee1", "Eb2", "Ec3"} <= texts(state, "E")
    assert "Eb3" not in texts(state)


# §1.5: attacks


def test_s1_5_AR_a_shot_crosses_blanks_and_spends_medium_and_consumable() -> None:
    state = board(SHOT)
    assert texts(state, "N", "F") == {"Fe2b2"}
    after = play(state, "Fe2b2")
    assert [cell(after, c) for c in ("a2", "b2", "e2")] == ["Ow", "Ow", "Xx"]
    assert ended(GAME, after).placements == ((0,), (1,))  # X can't act: O is the last one


def test_s1_5_AN_a_contact_attack_spends_only_the_consumable() -> None:
    state = board(SHOT.replace("O  .  .  Xs", "O  Xs .  . "))
    assert texts(state, "N", "F") == {"Nc2b2", "Fc2b2"}
    assert [cell(play(state, "Nc2b2"), c) for c in ("a2", "b2", "c2")] == ["Ow", "Of", "Xx"]
    assert [cell(play(state, "Fc2b2"), c) for c in ("a2", "b2", "c2")] == ["Ow", "Ow", "Xx"]


def test_s1_5_AN_every_valid_piece_on_the_line_can_be_the_medium() -> None:
    state = board("Os O O O Xs\n. . . . .\n. . . . .\n. . . . .\n. . . . .")
    assert texts(state, "N") == {"Ne1d1", "Ne1c1", "Ne1b1"}
    after = play(state, "Ne1c1")
    assert [cell(after, c) for c in ("a1", "b1", "c1", "d1")] == ["Os", "Ow", "O", "O"]


def test_a12_a_contact_line_passes_own_and_dead_but_no_blank_and_nobody_alive() -> None:
    line = "Os O {} Xs . .\n. . . . . .\n. . . . . .\n. . . . . .\n. . . . . .\n. . X X . ."
    expected = {"Od": True, "Ox": True, "Xx": True, "Xw": True, "Xb": True, "O": True, ".": False, "X": False}
    for between, passes in {**expected, "Xd": False}.items():
        assert ("Nd1b1" in texts(board(line.format(between)))) is passes, between


def test_a12_live_too_lets_others_live_pieces_pass_but_not_what_is_blank_to_oneself() -> None:
    line = "Os O {} Xs . .\n. . . . . .\n. . . . . .\n. . . . . .\n. . . . . .\n. . X X . ."
    expected = {"X": True, "Xd": True, "Xx": True, "O": True, "Ox": False, "Od": False, ".": False}
    for between, passes in expected.items():
        assert ("Nd1b1" in texts(board(line.format(between), contact_line="live-too"))) is passes, between


def test_a12_strict_stops_at_dead_cells_too() -> None:
    line = "Os O {} Xs . .\n. . . . . .\n. . . . . .\n. . . . . .\n. . . . . .\n. . X X . ."
    expected = {"X": True, "Xx": False, "O": True, "Ox": False, ".": False}
    for between, passes in expected.items():
        assert ("Nd1b1" in texts(board(line.format(between), contact_line="strict"))) is passes, between


def test_s1_5_AR_a_shot_stops_at_anybody_alive_and_at_shields_of_others() -> None:
    line = "Os O {} Xs . .\n. . . . . .\n. . . . . .\n. . . . . .\n. . . . . .\n. . X X . ."
    expected = {".": True, "Xx": True, "Ob": True, "Od": True, "O": True, "X": False, "Xd": False}
    for between, passes in expected.items():
        assert ("Fd1b1" in texts(board(line.format(between)))) is passes, between


def test_s1_5_medium_and_consumable_must_be_linked_and_in_line() -> None:
    state = board(SHOT)
    assert refused(state, "Fe2a2") == "relati.error.no-line"  # nothing of the board behind a2
    assert refused(state, "Fe2b3") == "relati.error.no-line"
    assert refused(state, "Fe2c2") == "relati.error.no-medium"
    assert refused(state, "Ne2b2") == "relati.error.line-blocked"
    assert refused(state, "Fd2b2") == "relati.error.no-target"
    alone = board(SHOT.replace("O  .  .  Xs", ".  .  .  Xs"))
    assert refused(alone, "Fe2b2") == "relati.error.no-medium"
    single = board(SHOT.replace("Os O  .  .  Xs", ".  Os .  .  Xs"))
    assert refused(single, "Fe2b2") == "relati.error.nothing-to-spend"


def test_a14_shields_and_dead_cells_are_no_targets() -> None:
    for status in ("d", "x", "w", "b"):
        state = board(f"Os O X{status} . .\n. . . . .\n. . . . .\n. . . . .\n. . . . Xs")
        assert texts(state, "N") == set(), status
        assert refused(state, "Nc1b1") == "relati.error.no-target"
    forbid = board("Os O X . .\n. . . . .\n. . . . .\n. . . . .\nXs . . . .")
    assert cell(forbid, "c1") == "Xf"
    assert "Nc1b1" in texts(forbid)


def test_a14_attack_shields_makes_shields_targets() -> None:
    state = board("Os O Xd . .\n. . . . .\n. . . . .\n. . . . .\n. . . . Xs", attack_shields=True)
    assert cell(play(state, "Nc1b1"), "c1") == "Xx"


def test_a15_a_source_is_spent_unless_the_option_forbids_it() -> None:
    picture = "Os O X . .\n. . . . .\n. . . . .\n. . . . .\n. . . . Xs"
    assert "Nc1b1" in texts(board(picture))
    assert texts(board(picture, spend_source=False), "N", "F") == set()
    turned = "O Os X . .\n. . . . .\n. . . . .\n. . . . .\n. . . . Xs"
    assert texts(board(turned, spend_source=False), "N", "F") == {"Nc1b1"}  # the medium of a contact attack stays


def test_s1_5_D_only_linked_normal_pieces_become_shields() -> None:
    state = board("Os O Od . .\n. . . . .\n. . . . .\n. . . . O\n. . . . Xs")
    assert texts(state, "D") == {"Db1"}
    assert refused(state, "Da1") == "relati.error.not-defendable"
    assert cell(play(state, "Db1"), "b1") == "Od"


def test_a16_defend_source_lets_a_source_become_a_shield() -> None:
    assert "Da1" in texts(board("Os O . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . Xs", defend_source=True))


BOMB = """
    .  O  X  .  .  Xs
    .  Od Xd .  .  .
    Od Xx Ow .  .  .
    .  .  .  .  .  .
    .  .  .  .  .  .
    .  .  .  O  .  Os
"""


def test_a17_a_bomb_kills_valid_neighbours_burns_blanks_and_spares_forbid_and_own_shields() -> None:
    state = board(BOMB)
    assert cell(state, "b1") == "Of"
    assert cell(state, "c1") == "Xf"
    after = play(state, "Bb2")
    assert [cell(after, c) for c in ("a1", "b1", "c1")] == ["Ox", "Of", "Xf"]
    assert [cell(after, c) for c in ("a2", "b2", "c2")] == ["Ox", "Ob", "Xx"]
    assert [cell(after, c) for c in ("a3", "b3", "c3")] == ["Od", "Xx", "Ow"]
    assert refused(state, "Bd6") == "relati.error.not-your-shield"
    assert refused(state, "Bc2") == "relati.error.not-your-shield"


def test_a17_bomb_everything_kills_forbid_pieces_and_own_shields_too() -> None:
    after = play(board(BOMB, bomb="everything"), "Bb2")
    assert [cell(after, c) for c in ("a1", "b1", "c1", "a3", "c3")] == ["Ox", "Ox", "Xx", "Ox", "Ow"]


def test_s1_5_AB_a_shield_cut_off_from_its_source_can_still_go_off() -> None:
    state = board("Od . . . .\n. X . . .\n. . X . .\n. . . X .\nOx . . . Xs")
    assert texts(state) == {"Ba1"}
    assert cell(play(state, "Ba1"), "b2") == "Xx"
