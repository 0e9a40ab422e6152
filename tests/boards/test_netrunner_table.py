"""Netrunner's table: the room it takes on each terminal, names that are whole, and what is never left out."""

from __future__ import annotations

import re
from typing import Any

import pytest

from game import registry
from game.contract import Action
from server.boards.board import board
from server.boards.games.netrunner.selection import Selection
from server.matches.model import AnyViewerState
from server.terminal.frame import Layout
from server.terminal.lines import text_of, width_cols
from server.terminal.look import Look
from tests.boards.netrunner_table import (
    CORP,
    LOOKS,
    MIDDLE,
    RUNNER,
    SIZES,
    at,
    at_wall,
    picked,
    play,
    screen,
    seen,
)
from tests.texts import en

RULES, BOARD = registry.get("netrunner"), board("netrunner")


def drawn(shot: AnyViewerState, chosen: Selection, cols: int, rows: int) -> list[str]:
    area = BOARD.area(shot, cols, Layout(cols, rows).body_rows)
    return [text_of(line) for line in BOARD.render(shot, chosen, Look(), area.cols, area.rows)]


def extent(lines: list[str]) -> tuple[int, int]:
    """Return the columns and rows that something is drawn in."""
    return max(len(line.rstrip()) for line in lines), max(i for i, line in enumerate(lines, 1) if line.strip())


def many(ice: int, **more: Any) -> AnyViewerState:
    """Return a Runner who meets the innermost of several pieces of ice."""
    column = [{"card": "Wall of Static", "rezzed": True}, *[{"card": "Enigma", "rezzed": True}] * (ice - 1)]
    servers = {"hq": {"ice": column}, "rd": {"ice": ["Enigma"]}}
    position = {
        **MIDDLE,
        "corp": {**MIDDLE["corp"], "servers": servers},
        "step": "run.3.1",
        "run": {"server": "hq", "ice": 0, "passed": [*range(1, ice)]},
        **more,
    }
    return seen(RULES.read_position(position, {}))


@pytest.mark.parametrize("state", [at(), at_wall()], ids=["turn", "run"])
def test_the_board_takes_the_room_there_is(state: Any) -> None:
    """At 120 columns it stayed 80 wide, above twenty blank rows."""
    for cols, rows, wide, high in ((120, 40, 84, 28), (200, 60, 150, 30)):
        shot = seen(state)
        found = extent(drawn(shot, picked(shot, "down"), cols, rows))
        assert found >= (wide, 0)
        assert found[1] >= high


def test_names_of_cards_are_whole_at_120_columns() -> None:
    text = " ".join(drawn(seen(at(), CORP), Selection(), 120, 40))
    assert "…" not in text
    for word in ("Akitaro", "Watanabe", "Junebug", "PAD Campaign", "Thorns", "Armitage Codebusting"):
        assert word in text


@pytest.mark.parametrize("ice", [3, 5, 8, 12])
def test_the_ice_that_is_met_is_always_in_sight(ice: int) -> None:
    """80x24 showed '+2 more' where the ice stood; the choices took its place."""
    for size in ((80, 24), (120, 40), (60, 20)):
        shot = many(ice)
        lines = drawn(shot, picked(shot, "down"), *size)
        heads = next(i for i, line in enumerate(lines) if en("netrunner.step.run.3.1") in line)
        table = lines[:heads]
        assert any("Wall" in line for line in table), size
        assert any("break all" in line for line in lines), size


def test_choices_scroll_to_the_cursor_and_say_how_many_are_left_out() -> None:
    shot = many(5)
    keys = len(drawn(shot, picked(shot, "down"), 80, 24))
    assert keys == 15
    first = "\n".join(drawn(shot, picked(shot, "down"), 80, 24))
    last = "\n".join(drawn(shot, picked(shot, "down down down down"), 80, 24))
    assert "more" in first
    assert "Gordian Blade: 1 credit" in last


def test_a_choice_of_several_lines_is_taken_by_a_click_on_any_of_them() -> None:
    shot = seen(at())
    area = BOARD.area(shot, 120, 35)
    chosen = picked(shot, "down down down down")
    lines = [text_of(line) for line in BOARD.render(shot, chosen, Look(), area.cols, area.rows)]
    row = next(i for i, line in enumerate(lines) if "left (trash it" in line)
    once = BOARD.click(shot, chosen, Look(), area.cols, area.rows, 5, row)
    assert isinstance(once, Selection)
    twice = BOARD.click(shot, once, Look(), area.cols, area.rows, 5, row)
    assert isinstance(twice, Action)
    assert twice.text.startswith("use ")


@pytest.mark.parametrize("cols", [80, 84, 100, 154])
@pytest.mark.parametrize("height", [24, 30, 35, 55])
def test_tiles_fit_whatever_room_there_is(cols: int, height: int) -> None:
    servers = {f"remote{n}": {"ice": ["Enigma"] * (n % 4), "root": ["PAD Campaign"]} for n in range(1, 9)}
    crowded = at(corp={**MIDDLE["corp"], "servers": servers})
    for state, viewer in ((crowded, CORP), (crowded, RUNNER), (play(crowded, "1:run hq"), RUNNER)):
        shot = seen(state, viewer)
        for look in (Look(), Look(glyph_set="ascii"), Look(language="zh_CN")):
            lines = BOARD.render(shot, BOARD.start(shot, b""), look, cols, height)
            assert [width_cols(line) for line in lines] == [cols] * height


def test_the_line_between_the_sides_is_whole_when_the_match_is_over() -> None:
    """It ended in '…', which said that something was left out."""
    over = RULES.forfeit(at(), CORP).state
    line = next(line for line in drawn(seen(over), Selection(), 80, 24) if en("netrunner.step.runner.1.5") in line)
    assert "…" not in line
    assert line.endswith("──")


STIMHACK = {**MIDDLE["runner"], "grip": ["Stimhack"]}


@pytest.mark.parametrize("look", LOOKS)
def test_credits_for_one_run_stand_beside_those_of_bad_publicity(look: str) -> None:
    shot = seen(play(at(runner=STIMHACK), '1:play "Stimhack"', "1:choose hq"))
    shown = screen(shot, BOARD.start(shot, b""), LOOKS[look], 80, 19)
    line = next(line for line in shown.splitlines() if "Stimhack" in line)
    sign = "c" if look == "ascii" else "¢"
    assert [f"{n}{sign}" in line for n in (9, 1)] == [True, True]


@pytest.mark.parametrize(("cols", "rows"), SIZES)
def test_credits_of_an_identity_and_counters_on_scored_agendas_are_on_the_board(cols: int, rows: int) -> None:
    corp = {**MIDDLE["corp"], "identity": "NBN: Making News"}
    corp["score"] = [{"card": "Nisei MK II", "counters": {"agenda": 1}}]
    shot = seen(at(corp=corp))
    first = screen(shot, BOARD.start(shot, b""), LOOKS["unicode"], cols, rows).splitlines()[0]
    assert "NBN (2¢)" in first
    assert "Nisei MK II a1" in first


def test_a_price_is_never_cut_off_beside_another_choice() -> None:
    grip = ["Aesop's Pawnshop", "Rabbit Hole", "Akamatsu Mem Chip", "The Toolbox", "Magnum Opus"]
    runner = {**MIDDLE["runner"], "grip": [*grip, "Crypsis", "The Maker's Eye"], "credits": 12}
    shot = seen(at(runner=runner))
    for cols in (80, 60, 40):
        shown = screen(shot, BOARD.start(shot, b""), LOOKS["unicode"], cols, 24)
        assert sorted(re.findall(r"\((\d)¢\)", shown)) == ["1", "1", "2", "4", "4", "8"], shown
