"""What every board says of itself, at moments of whole random matches, to everybody, in three languages."""

from __future__ import annotations

from dataclasses import replace

import pytest

from game.rng import Rng
from server.boards.board import AnyBoard, board
from server.i18n.catalogues import CHOICES
from server.matches.model import AnyViewerState
from server.terminal.look import Look
from tests.conformance.boards import shown
from tests.conformance.play import Case, Moment, cases, played, sampled, viewers
from tests.conformance.spoken import event_faults, move_faults, name_faults, names_of, position_faults
from tests.conformance.test_boards import BASE, KEYS
from tests.seeds import FIXED

FEW, MANY = 12, 60  # moments of a match
LOOKS = [Look(language=language).heard() for language in CHOICES]


def moments_of(case: Case, n: int) -> list[Moment]:
    """Return some moments of a random match of a case, from its beginning to its end."""
    return sampled(played(case, f"spoken {FIXED}", disturbed=True), n)


def faults_of(case: Case, n: int) -> list[str]:
    """Say what is wrong with what a board says at some moments of a match, and of all its events."""
    faults, said_by = list[str](), board(case.key)
    for moment in moments_of(case, n):
        for viewer in viewers(case):
            shot = shown(case, moment, viewer)
            for look in LOOKS:
                found = [*position_faults(said_by, shot, look), *move_faults(said_by, shot, look)]
                found += [*event_faults(said_by, shot, moment, look), *name_faults(said_by, shot, look)]
                faults += [f"{moment.fold.seq} {viewer} {look.language}: {fault}" for fault in found]
    return faults


@pytest.mark.parametrize("case", BASE, ids=str)
def test_a_board_says_itself_and_every_action_once(case: Case) -> None:
    assert faults_of(case, FEW) == []


def all_said(said_by: AnyBoard, shot: AnyViewerState, look: Look) -> list[object]:
    """Return all that is heard of a board, and of what it names."""
    groups = said_by.spoken_moves(shot, look)
    texts = [text for group in groups for text, _ in group.moves[:40]]
    return [
        said_by.spoken(shot, look),
        said_by.spoken_hand(shot, look),
        groups,
        said_by.spoken_prompt(shot, look),
        said_by.spoken_question(shot, look),
        [said_by.spoken_ask(shot, look, text) for text in texts],
        [said_by.spoken_of(shot, look, name) for name in names_of(shot, look)],
    ]


@pytest.mark.parametrize("case", BASE, ids=str)
def test_what_is_heard_tells_no_secret(case: Case) -> None:
    """Twins, which differ in what a viewer can't know, are said alike."""
    said_by, game = board(case.key), case.game
    for moment in moments_of(case, FEW):
        for viewer in viewers(case):
            shot = shown(case, moment, viewer)
            twin = game.determinize(shot.view, Rng(bytes([7]) * 32))
            other = shown(case, replace(moment, fold=replace(moment.fold, state=twin)), viewer)
            for look in LOOKS:
                assert all_said(said_by, shot, look) == all_said(said_by, other, look)


@pytest.mark.soak
@pytest.mark.parametrize("case", [case for case in cases() if case.key in KEYS], ids=str)
def test_boards_say_themselves_in_many_moments_of_every_case(case: Case) -> None:
    assert faults_of(case, MANY) == []
