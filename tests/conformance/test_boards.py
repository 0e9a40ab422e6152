"""Every board, at moments of random play: all actions by keys and by mouse, all sizes and looks, all words there.

Boards are found by the registry's keys. What is drawn by chance is drawn the same way each time; `make soak` plays
more, from another seed.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from importlib import import_module

import pytest

from game import registry
from game.contract import Seat, Viewer, Watcher
from server.boards.board import AnyBoard, board, has_board
from server.i18n import catalogues
from server.i18n.catalogues import CHOICES, catalogue
from server.terminal.lines import text_of
from server.terminal.look import Look
from tests.boards.positions import NAMES
from tests.conformance.boards import (
    LEAST_PRESSES,
    LOOKS,
    SEED,
    SIZES,
    area,
    asked,
    by_keys,
    by_mouse,
    by_taps,
    cut_faults,
    draw_faults,
    key_faults,
    lesson_faults,
    said_faults,
    shown,
    table_faults,
    unreached,
    word_faults,
    words_of,
)
from tests.conformance.play import ONLY, Case, Moment, cases, played, sampled, viewers
from tests.seeds import FIXED
from tests.texts import read_catalogue

# Rules come before a board; that every game has one, tests/boards/test_games.py asks.
KEYS = [key for key in registry.KEYS if has_board(key) and (not ONLY or key in ONLY)]
BASE = [Case(key, n) for key in KEYS for n in sorted({registry.get(key).seats[0], registry.get(key).seats[-1]})]
FEW, MANY = 3, 25  # moments of a match
FEW_PRESSES = 4_000  # as LEAST_PRESSES, which is for `make soak`


def moments_of(case: Case, n: int) -> list[Moment]:
    """Return some moments of a random match of a case, from its beginning to its end."""
    return sampled(played(case, f"boards {FIXED}"), n)


def reach_faults(case: Case, shown_by: AnyBoard, moments: list[Moment], presses: int = LEAST_PRESSES) -> list[str]:
    """Say which actions keys or mouse don't lead to, which they should not, and which keys are wrong.

    The mouse has the whole board before it: what is out of sight only the keys bring into sight.
    """
    faults = list[str]()
    pointed = partial(by_mouse, cols=120, rows=35) if "board" in case.options else by_mouse
    for moment in moments:
        for seat in asked(case.game, moment)[:1]:
            shot = shown(case, moment, seat)
            for name, walk in (("keys", partial(by_keys, least=presses)), ("mouse", pointed)):
                reached, wrong = walk(shown_by, shot)
                left = unreached(case.game, moment.fold.state, shot, reached)
                faults += [f"{moment.fold.seq} {name}: {fault}" for fault in (*wrong, *(f"not {one}" for one in left))]
            faults += key_faults(shown_by, shot, sampled(reached.selections, 40))
    return faults


def viewers_of(case: Case, moment: Moment) -> list[Viewer]:
    """Return a seat that is asked (at the end the first one), and who only looks on."""
    return [next(iter(asked(case.game, moment)), Seat(0)), Watcher.PUBLIC]


def look_faults(case: Case, shown_by: AnyBoard, moments: list[Moment], looks: list[Look]) -> list[str]:
    """Say what is wrong with what is drawn: every size with some of the looks, and every look at some size."""
    faults = list[str]()
    for at, moment in enumerate(moments):
        for viewer in viewers_of(case, moment):
            shot = shown(case, moment, viewer)
            chosen = shown_by.start(shot, SEED)
            for i, look in enumerate(looks):
                faults += draw_faults(shown_by, shot, chosen, SIZES[(i + at) % len(SIZES)], look)
    return faults


def spell_faults(case: Case, shown_by: AnyBoard, moments: list[Moment], said: frozenset[str]) -> list[str]:
    """Say which words are cut off without a mark, at every size; `said` are all words of the catalogue."""
    faults = list[str]()
    for moment in moments:
        for viewer in viewers_of(case, moment):
            shot = shown(case, moment, viewer)
            chosen = shown_by.start(shot, SEED)
            whole = shown_by.render(shot, chosen, Look(), *area(shown_by, shot, *SIZES[-1]))
            known = said | words_of((*map(text_of, whole), *NAMES))
            for size in SIZES:
                faults += cut_faults(shown_by, shot, chosen, size, known)
    return faults


def log_faults(case: Case, shown_by: AnyBoard, moments: Iterable[Moment]) -> list[str]:
    """Say which events have no words, for every seat and for the public, in every language."""
    faults = list[str]()
    for moment in moments:
        if moment.events:
            for viewer in viewers(case):
                shot = shown(case, moment, viewer)
                faults += [
                    fault
                    for name in CHOICES
                    for fault in said_faults(shown_by, shot, moment.events, Look(language=name))
                ]
    return faults


@pytest.fixture
def missing(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Collect the parameters that a sentence asks for and is not given."""
    found: list[str] = []

    def note(_: catalogues.Params, key: str) -> str:
        found.append(key)
        return "?"

    monkeypatch.setattr(catalogues.Params, "__missing__", note)
    for language in CHOICES:
        catalogue(language).say.cache_clear()
    return found


@pytest.mark.parametrize("key", KEYS)
def test_a_board_has_its_key_table_and_words_for_every_key(key: str) -> None:
    """A board without a key table left 1,053 of 1,059 tests green."""
    assert table_faults(board(key), key) == []


@pytest.mark.parametrize("key", KEYS)
def test_every_message_of_a_game_has_its_sentence_in_every_language(key: str) -> None:
    """Prompts, events, reasons and refusals: all that the rules may say."""
    assert word_faults(registry.get(key), import_module(f"game.{key}.messages")) == []


@pytest.mark.parametrize("key", KEYS)
def test_every_lesson_has_its_words_in_every_language(key: str) -> None:
    """The tutorial of Passage ended with the key of its last sentence."""
    assert lesson_faults(key) == []


@pytest.mark.parametrize("case", BASE, ids=str)
def test_keys_and_mouse_lead_to_every_legal_action_and_to_no_other(case: Case) -> None:
    assert reach_faults(case, board(case.key), moments_of(case, FEW), FEW_PRESSES) == []


@pytest.mark.parametrize("case", BASE, ids=str)
def test_taps_alone_lead_to_every_legal_action_on_the_smallest_screen(case: Case) -> None:
    for moment in moments_of(case, FEW):
        for seat in asked(case.game, moment)[:1]:
            shot = shown(case, moment, seat)
            reached, wrong = by_taps(board(case.key), shot)
            assert wrong == []
            assert unreached(case.game, moment.fold.state, shot, reached) == []


@pytest.mark.parametrize("case", BASE, ids=str)
def test_a_board_fits_every_size_and_look_and_is_drawn_from_the_view_alone(case: Case, missing: list[str]) -> None:
    assert look_faults(case, board(case.key), moments_of(case, FEW), LOOKS) == []
    assert missing == [], "parameters of sentences"


@pytest.mark.parametrize("case", BASE, ids=str)
def test_no_word_is_cut_off_without_a_mark(case: Case) -> None:
    said = words_of(str(message.string) for message in read_catalogue("en"))
    assert spell_faults(case, board(case.key), moments_of(case, FEW), said) == []


@pytest.mark.parametrize("case", BASE, ids=str)
def test_every_event_has_its_words(case: Case, missing: list[str]) -> None:
    assert log_faults(case, board(case.key), moments_of(case, 10 * FEW)) == []
    assert missing == [], "parameters of sentences"


@pytest.mark.soak
@pytest.mark.parametrize("case", [case for case in cases() if case.key in KEYS], ids=str)
def test_boards_hold_in_many_moments_of_every_case(case: Case, missing: list[str]) -> None:
    shown_by, moments = board(case.key), moments_of(case, MANY)
    assert reach_faults(case, shown_by, moments) == []
    assert look_faults(case, shown_by, moments, LOOKS) == []
    assert log_faults(case, shown_by, moments_of(case, 1_000)) == []
    assert missing == [], "parameters of sentences"
