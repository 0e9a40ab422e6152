"""What is asked before it is done: a whole turn spent, a flatline of one's own; and what is said of rows beforehand."""

from __future__ import annotations

from typing import Any

import pytest

from game.choices import expand
from game.contract import Action
from game.netrunner.state import State
from server.boards.games.netrunner.selection import SURE, Selection
from server.terminal.look import Look
from tests.boards.netrunner_table import (
    BOARD,
    CORP,
    LOOKS,
    MIDDLE,
    RULES,
    RUNNER,
    passed,
    picked,
    play,
    screen,
    seen,
    typed,
)


def shown(state: State, seat: Any, chosen: Selection | None = None, cols: int = 80, rows: int = 22) -> str:
    shot = seen(state, seat)
    return screen(shot, chosen or BOARD.start(shot, b""), LOOKS["unicode"], cols, rows)


def accessing(agenda: str, grip: list[str], identity: str = "Haas-Bioroid: Engineering the Future") -> State:
    """Return a Runner who has accessed an agenda in a remote server."""
    corp: dict[str, Any] = {"identity": identity, "rd": ["Hedge Fund"] * 5, "hq": ["Hedge Fund"]}
    corp["servers"] = {"remote1": {"root": [agenda]}}
    runner: Any = {"grip": grip, "stack": ["Diesel"] * 5, "credits": 5}
    state: State = RULES.read_position({"turn": "runner", "step": "runner.1.5", "corp": corp, "runner": runner}, {})
    state = play(state, "1:run remote1")
    while RULES.pending(state)[0].prompt != "accessed":
        owed = RULES.pending(state)[0]
        texts = [action.text for action in expand(owed.choice)]
        state = play(state, f"{owed.seat}:{next((t for t in ('pass', 'continue') if t in texts), texts[0])}")
    return state


def key_of(state: State, seat: Any, words: str) -> str:
    """Return the digit of the row that says something."""
    line = next(line for line in shown(state, seat).splitlines() if words in line)
    return line[: line.index(words)].split()[-1]


@pytest.mark.parametrize(
    ("agenda", "grip", "identity", "is_asked"),
    [
        ("Obokata Protocol", ["Diesel"] * 2, "Haas-Bioroid: Engineering the Future", True),
        ("Obokata Protocol", ["Diesel"] * 4, "Haas-Bioroid: Engineering the Future", False),
        ("Nisei MK II", [], "Jinteki: Personal Evolution", True),
        ("Nisei MK II", ["Diesel"], "Jinteki: Personal Evolution", False),
    ],
)
def test_stealing_what_flatlines_was_done_without_a_word(
    agenda: str, grip: list[str], identity: str, is_asked: bool
) -> None:
    state = accessing(agenda, grip, identity)
    key = key_of(state, RUNNER, f"Steal {agenda}")
    answer = typed(seen(state), key)
    assert isinstance(answer, Selection) == is_asked
    if isinstance(answer, Selection):
        assert answer.mode == SURE
        assert "flatline you" in shown(state, RUNNER, answer)
        assert isinstance(typed(seen(state), "1", answer), Selection)  # struck twice, the key does no harm
        assert typed(seen(state), "2", answer) == Action("steal")


def test_what_a_steal_costs_is_in_its_row() -> None:
    assert "Steal Obokata Protocol (suffer 4 net damage)" in shown(
        accessing("Obokata Protocol", ["Diesel"] * 5), RUNNER
    )
    assert "Steal NAPD Contract (4¢)" in shown(accessing("NAPD Contract", ["Diesel"] * 5), RUNNER)


def test_passing_unbroken_subroutines_that_flatline_is_asked_first() -> None:
    corp = {**MIDDLE["corp"], "servers": {"hq": {"ice": [{"card": "Neural Katana", "rezzed": True}]}}}
    for grip, is_asked in ((["Diesel"] * 2, True), (["Diesel"] * 3, False)):
        runner = {**MIDDLE["runner"], "grip": grip, "brain": 0, "rig": ["Mimic"]}
        state = RULES.read_position({**MIDDLE, "corp": corp, "runner": runner}, {})
        state = passed(play(state, "1:run hq"), "run.3.1", RUNNER)
        assert isinstance(typed(seen(state), "space"), Selection) == is_asked


@pytest.mark.parametrize("size", [(80, 19), (60, 15), (120, 35)])
def test_a_purge_was_done_by_one_digit(size: tuple[int, int]) -> None:
    corp = {**MIDDLE["corp"], "credits": 5}
    state = RULES.read_position({**MIDDLE, "corp": corp, "turn": "corp", "step": "corp.2.3"}, {})
    asked = picked(seen(state, CORP), "0")
    assert asked.mode == SURE
    said = shown(state, CORP, asked, *size)
    assert Look().t("netrunner.sure.turn", count=3) in said
    assert picked(seen(state, CORP), "0 esc").mode != SURE
    assert typed(seen(state, CORP), "0 enter enter") != Action("purge")  # an impatient Enter takes it back
    assert typed(seen(state, CORP), "0 2") == Action("purge")


@pytest.mark.parametrize(
    ("card", "changes", "key"),
    [
        ("Scorched Earth", {}, "tagged"),
        ("SEA Source", {}, "success-last-turn"),
        ("Neural EMP", {}, "last-turn-made-run"),
        ("Aggressive Negotiation", {}, "this-turn-scored"),
        ("Too Big to Fail", {"credits": 12}, "credits-below-10"),
        ("Under the Bus", {}, "last-turn-accessed"),
    ],
)
@pytest.mark.parametrize("look", LOOKS)
def test_a_card_that_cannot_be_played_says_which_condition_fails(
    card: str, changes: dict[str, Any], key: str, look: str
) -> None:
    corp = {**MIDDLE["corp"], "credits": 9, "hq": [card], **changes}
    runner = {**MIDDLE["runner"], "tags": 0}
    position = {**MIDDLE, "corp": corp, "runner": runner, "turn": "corp", "step": "corp.2.3"}
    shot = seen(RULES.read_position(position, {}), CORP)
    text = screen(shot, BOARD.start(shot, b""), LOOKS[look], 120, 35)
    assert "".join(LOOKS[look].t(f"netrunner.barred.{key}").split()) in "".join(text.split())


def test_an_install_says_which_own_card_it_trashes_in_each_of_its_rows() -> None:
    servers = {
        "remote1": {"root": ["SanSan City Grid", "PAD Campaign"]},
        "remote2": {"root": ["SanSan City Grid"]},
    }
    corp = {**MIDDLE["corp"], "hq": ["SanSan City Grid"], "servers": servers}
    state = RULES.read_position({**MIDDLE, "corp": corp, "turn": "corp", "step": "corp.2.3"}, {})
    text = shown(state, CORP, picked(seen(state, CORP), key_of(state, CORP, "Install SanSan City Grid")))
    assert text.count("trashing SanSan City Grid") >= 2, text


@pytest.mark.parametrize(
    ("rig", "card"), [("Desperado", "Grimoire"), ("The Toolbox", "The Toolbox"), ("Armitage Codebusting", "")]
)
def test_a_second_console_or_unique_card_says_that_the_first_one_goes(rig: str, card: str) -> None:
    runner = {**MIDDLE["runner"], "grip": [card or rig], "rig": [rig], "credits": 12}
    state = RULES.read_position({**MIDDLE, "runner": runner}, {})
    line = next(line for line in shown(state, RUNNER).splitlines() if f"Install {card or rig}" in line)
    assert ("trashing" in line) == (card != ""), line
