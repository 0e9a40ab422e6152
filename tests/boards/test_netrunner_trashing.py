"""Trashing before an install: the cards are ticked one by one, so that any set of them can be chosen."""

from __future__ import annotations

from game import registry
from game.contract import Action, Json, Seat
from server.boards.board import board
from server.boards.games.netrunner.selection import LIST, TRASH, Selection
from server.matches.model import AnyViewerState
from server.terminal.lines import text_of
from server.terminal.look import Look
from tests.boards.positions import snapshot
from tests.texts import en

RULES, BOARD = registry.get("netrunner"), board("netrunner")
CORP, RUNNER = Seat(0), Seat(1)
ICE: list[Json] = ["Enigma", "Hunter", "Ice Wall", "Wall of Static", "Enigma", "Hunter", "Ice Wall"]


def corp(**more: Json) -> AnyViewerState:
    half: dict[str, Json] = {"hq": ["Enigma"], "credits": 9, "servers": {"hq": {"ice": ICE}}}
    position: Json = {"corp": half | more}
    return snapshot("netrunner", RULES.read_position(position, {}), CORP)


def runner(rig: list[Json], grip: list[Json]) -> AnyViewerState:
    position: Json = {"turn": "runner", "runner": {"rig": rig, "grip": grip, "credits": 20}}
    return snapshot("netrunner", RULES.read_position(position, {}), RUNNER)


def typed(shot: AnyViewerState, *keys: str) -> Selection | Action:
    now: Selection = BOARD.start(shot, b"")
    for key in keys:
        answer = BOARD.press(shot, now, key)
        assert answer is not None, key
        if isinstance(answer, Action):
            return answer
        now = answer
    return now


def text(shot: AnyViewerState, chosen: Selection | Action) -> str:
    assert isinstance(chosen, Selection)
    lines = [*BOARD.render(shot, chosen, Look(), 80, 19), BOARD.status(shot, chosen, Look())]
    return "\n".join(text_of(line) for line in lines)


def first(name: str) -> str:
    return en("netrunner.row.trashing-first", name=name)


def test_seven_pieces_of_ice_any_four_of_them_go_before_another_is_installed() -> None:
    """Of more than five only none, one, two or all could be chosen."""
    shot = corp()
    places = typed(shot, "3")
    assert isinstance(places, Selection)
    assert places.mode == LIST
    assert "1 HQ (7¢)" in text(shot, places)
    assert typed(shot, "3", "1") == Action('install "Enigma" hq')
    ticking = typed(shot, "3", "5")
    assert isinstance(ticking, Selection)
    assert ticking.mode == TRASH
    assert first("HQ (7¢)") not in text(shot, ticking)
    assert en("netrunner.do.trash-at", card="Enigma", place="HQ", chosen=0).partition(";")[0] in text(shot, ticking)
    done = typed(shot, "3", "5", "1", "3", "4", "down", " ", "enter")
    assert done == Action('install "Enigma" hq trash ice:hq:0 ice:hq:2 ice:hq:3 ice:hq:4')
    state = RULES.apply(RULES.read_position({"corp": shot_corp()}, {}), CORP, done).state
    assert [card.place for card in state.cards].count("ice:hq") == 4


def shot_corp() -> dict[str, Json]:
    return {"hq": ["Enigma"], "credits": 9, "servers": {"hq": {"ice": ICE}}}


def test_what_is_ticked_may_be_unticked_or_dropped() -> None:
    shot = corp()
    assert typed(shot, "3", "5", "1", "1", "2", "enter") == Action('install "Enigma" hq trash ice:hq:1')
    back = typed(shot, "3", "5", "1", "esc")
    assert back == BOARD.start(shot, b"")


def test_an_agenda_into_a_full_remote_trashes_what_is_there_and_says_so() -> None:
    root: Json = {"remote1": {"root": ["PAD Campaign"]}}
    shot = corp(hq=["Priority Requisition"], servers=root)
    assert "Remote 1, trashing PAD Campaign (Remote 1)" in text(shot, typed(shot, "3"))
    assert typed(shot, "3", "2") == Action('install "Priority Requisition" remote1 trash root:remote1:0')


def test_trashing_for_what_has_room_stands_under_more() -> None:
    """Every set of programs that might be trashed had a row of its own; then each program had two rows."""
    shot = runner(["Corroder", "Mimic", "Yog.0"], ["Datasucker"])
    shown = text(shot, BOARD.start(shot, b""))
    assert "4 Install Datasucker" in shown
    assert shown.count("Install Datasucker") == 1
    assert typed(shot, "4") == Action('install "Datasucker"')
    assert f"1 {first('Install Datasucker')}" in text(shot, typed(shot, "m"))
    assert typed(shot, "m", "1", "1", "3", "enter") == Action('install "Datasucker" trash rig:"Corroder" rig:"Yog.0"')
    assert typed(shot, "m", "esc") == BOARD.start(shot, b"")


def test_a_program_without_room_is_installed_only_over_enough_others() -> None:
    shot = runner(["Corroder", "Mimic", "Yog.0", "Gordian Blade"], ["Magnum Opus"])
    assert f"{first('Install Magnum Opus')} (4¢)" in text(shot, BOARD.start(shot, b""))
    few = typed(shot, "4", "1", "enter")
    assert isinstance(few, Selection)
    assert few.mode == TRASH  # one of memory 1 does not make room for two
    both = typed(shot, "4", "1", "2", "enter")
    assert both == Action('install "Magnum Opus" trash rig:"Corroder" rig:"Mimic"')
