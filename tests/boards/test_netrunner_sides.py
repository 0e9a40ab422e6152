"""What each side has, in one line: at every width what matters most stays."""

from __future__ import annotations

from typing import Any

import pytest

from game import registry
from game.contract import Seat
from game.netrunner.facts import CORP, RUNNER
from server.boards import panel
from server.boards.board import board
from server.boards.games.netrunner.sides import score_lines, side_line, step_line
from server.i18n.catalogues import CHOICES
from server.matches.model import SeenEvent
from server.terminal.lines import text_of
from server.terminal.look import Look
from tests.boards.positions import snapshot

RULES = registry.get("netrunner")
LATE: dict[str, Any] = {
    "turn": "runner",
    "step": "runner.1.5",
    "corp": {"credits": 12, "hq": ["Hedge Fund"] * 5, "rd": ["Hunter"] * 30, "score": ["Nisei MK II"]},
    "runner": {
        "credits": 12,
        "clicks": 4,
        "grip": ["Diesel"] * 3,
        "stack": ["Diesel"] * 30,
        "heap": ["Diesel"] * 9,
        "rig": ["The Toolbox", "Corroder"],
        "score": ["Priority Requisition"],
    },
}


def line(side: int, cols: int, language: str = "en", **runner: Any) -> str:
    state = RULES.read_position({**LATE, "runner": {**LATE["runner"], **runner}}, {})
    return text_of(side_line(snapshot("netrunner", state, Seat(RUNNER)), side, Look(language=language), cols))


@pytest.mark.parametrize("language", CHOICES)
@pytest.mark.parametrize("cols", [40, 60, 80, 120])
@pytest.mark.parametrize("side", [CORP, RUNNER])
def test_points_and_tags_were_cut_off_on_a_narrow_screen(side: int, cols: int, language: str) -> None:
    look = Look(language=language)
    tagged = line(side, cols, language, tags=2)
    assert look.t("netrunner.points", n=2 if side == CORP else 3) in tagged
    assert "12\u00a2" in tagged
    if side == RUNNER:
        assert look.t("netrunner.has.tags", count=2) in tagged
    assert look.glyphs.meter(4, 4) in tagged or side == CORP


def test_what_is_nothing_gives_way_first_and_names_next() -> None:
    assert "tags 0" in line(RUNNER, 90)
    assert "tags 0" not in line(RUNNER, 66)
    assert "heap 9" in line(RUNNER, 66)


@pytest.mark.parametrize("language", CHOICES)
@pytest.mark.parametrize("cols", [40, 50, 60, 80, 120])
def test_brain_damage_and_points_went_with_a_long_name_or_few_columns(cols: int, language: str) -> None:
    look = Look(language=language)
    for identity in ('Kate "Mac" McCaffrey: Digital Tinker', 'Nathaniel "Gnat" Hall: One-of-a-Kind'):
        hurt = line(RUNNER, cols, language, tags=3, brain=2, identity=identity)
        told = ("tags", 3), ("brain", 2)
        assert all(look.t(f"netrunner.has.{name}", count=n) in hurt for name, n in told)
        assert look.t("netrunner.points", n=3) in hurt
        assert f"2 {look.t('netrunner.points', n=3)}" not in hurt.replace("  ", "|"), "brain 2 3 pts"
        sound = line(RUNNER, cols, language, identity=identity)
        assert len({look.t(f"netrunner.has.{name}", count=0) in sound for name, _ in told}) == 1


def test_a_step_has_its_name_and_who_is_asked_on_a_narrow_screen() -> None:
    """`After the …` stood there, because the side was named behind a long name."""
    state = RULES.read_position({"turn": "corp", "step": "corp.2.3"}, {})
    shot = snapshot("netrunner", state, Seat(RUNNER), players=("a_long_name", "tarn"))
    said = text_of(step_line(shot, Look(), 44))
    assert Look().t("netrunner.step.corp.2.3") in said
    assert "a_long_name" in said


def test_of_a_line_that_is_too_long_for_the_log_its_end_was_shown() -> None:
    """At 40x20 the log said `1¢`."""
    shot = snapshot("netrunner", RULES.read_position(LATE, {}), Seat(RUNNER))
    events = [SeenEvent(1, "rezzed", {"card": "Wall of Static", "cost": 3, "place": "ice:hq"})]
    (said,) = panel.log_lines(board("netrunner"), shot, events, Look(), 30, 1)
    assert text_of(said).strip().startswith("Wall of Static")
    assert text_of(said).endswith("…")


@pytest.mark.parametrize(("cols", "rows"), [(40, 3), (70, 2), (160, 1)])
def test_a_stolen_agenda_stood_below_those_of_the_corp(cols: int, rows: int) -> None:
    """The line of both sides wrapped where it was full."""
    agendas: dict[str, list[Any]] = {
        "corp": ["Nisei MK II", "Hostile Takeover"],
        "runner": ["Priority Requisition", "Posted Bounty"],
    }
    state = RULES.read_position({**LATE, **{side: {**LATE[side], "score": held} for side, held in agendas.items()}}, {})
    lines = [text_of(one) for one in score_lines(snapshot("netrunner", state, Seat(RUNNER)), Look(), cols)]
    assert len(lines) >= rows
    side = ""
    for line in lines:
        for word, names in agendas.items():
            first = min((line.index(name) for name in names if name in line), default=-1)
            head = max(line.find("Corp:"), line.find("Runner:"))
            side = word if first > head >= 0 and line[head:].casefold().startswith(word) else side
            assert first < 0 or rows == 1 or side == word, line
