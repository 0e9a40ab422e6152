"""Passage's board: a pure function from what a viewer may know to lines, and from keys to actions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from game import registry
from game.choices import contains
from game.contract import Action, Seat, Viewer, Watcher
from game.passage import messages
from game.passage.state import State
from server.matches.model import SeenEvent, Snapshot
from server.tui.boards import board
from server.tui.boards.passage.pick import FREE, NOWHERE, NUMBER, SEVERAL, TARGET, WINDOW, Pick, rows
from server.tui.i18n import words
from server.tui.lines import beside, text_of, width_cols
from server.tui.look import Look
from tests.passage.build import VARIANTS, at, play, random_match
from tests.tui import golden
from tests.tui.positions import NOON, snapshot

RULES = registry.get("passage")
BOARD = board("passage")
OURS = Seat(0)
LOOKS = {"unicode": Look(), "ascii": Look(glyph_set="ascii"), "zh": Look(language="zh_CN")}
PILE = ["slip", *["seal"] * 6, "passage", *["tithe"] * 8]
GONE = ["judge"] * 4
# Five players, one of them out: draws from both ends, cards that are known, sealed, held by others.
MIDDLE: dict[str, Any] = {
    "players": 5,
    "hands": [["warden", "slip", "slip", "attack1", "kotodama", "judge"], ["warden", "slip"], ["judge"], ["slip"] * 4],
    "pile": PILE,
    "known": [{"0": "slip", "7": "passage", "15": "tithe"}],
    "held": [{"1": ["warden"]}],
    "discard": ["passage", "greed", "judge", "slip", "bottom"],
    "sealed": [["greed"], ["beg", "duel"]],
    "draws": 4,
    "bottom": 1,
    "eliminated": [4],
}


def seen(state: State, viewer: Viewer = OURS, **changes: Any) -> Snapshot:
    settings = () if isinstance(viewer, Watcher) else RULES.settings(state, viewer)
    return snapshot("passage", state, viewer, n_seats=state.n_seats, settings=settings, **changes)


def typed(shot: Snapshot, keys: str, pick: Pick | None = None) -> Pick | Action:
    """Press keys one after the other, as the page would; returns the pick, or the action they complete."""
    now = BOARD.start(shot, b"") if pick is None else pick
    for key in keys.split():
        answer = BOARD.press(shot, now, {"space": " "}.get(key, key))
        if isinstance(answer, Action):
            return answer
        if answer is not None:
            now = answer
    return now


def screen(shot: Snapshot, pick: Pick, look: Look, cols: int, rows: int) -> str:
    room = BOARD.room(shot, cols, rows)
    left = BOARD.render(shot, pick, look, room.cols, rows)
    right = [(("", "  "), *line) for line in BOARD.seats(shot, look, cols - room.cols - 2, NOON)]
    lines = [*beside(left, right, room.cols, cols - room.cols), BOARD.status(shot, pick, look)]
    return "\n".join(text_of(line) for line in lines)


def picked(shot: Snapshot, keys: str) -> Pick:
    pick = typed(shot, keys)
    assert isinstance(pick, Pick)
    return pick


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize(("cols", "rows"), [(80, 19), (120, 35)])
def test_the_board_looks_as_it_did(look: str, cols: int, rows: int) -> None:
    shot = seen(at(**MIDDLE))
    golden.check(f"passage-{look}-{cols}", screen(shot, picked(shot, "down down"), LOOKS[look], cols, rows))


@pytest.mark.parametrize(
    ("name", "moves", "viewer", "keys"),
    [
        ("target", "", 0, "down enter down"),
        ("window", "0:play attack1 2", 2, ""),
        ("window-without", "0:play attack1 3", 3, ""),
        ("waiting", "0:play attack1 2", 1, ""),
        ("place", "0:play kotodama 7", 0, "down"),
    ],
)
def test_each_kind_of_decision_looks_as_it_did(name: str, moves: str, viewer: int, keys: str) -> None:
    state = play(at(**MIDDLE), *filter(None, [moves]))
    shot = seen(state, Seat(viewer))
    golden.check(f"passage-{name}", screen(shot, picked(shot, keys), Look(), 80, 19))


def test_who_looks_on_sees_no_cards() -> None:
    shot = seen(at(**MIDDLE), Watcher.PUBLIC)
    golden.check("passage-public", screen(shot, BOARD.start(shot, b""), Look(), 80, 19))
    assert BOARD.keys(shot, Pick()) == ()
    assert BOARD.press(shot, Pick(), "enter") is None


def test_a_match_that_has_ended_is_open() -> None:
    shot = seen(at(**MIDDLE), Watcher.OMNISCIENT)
    golden.check("passage-open", screen(shot, BOARD.start(shot, b""), Look(), 80, 19))


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("cols", [20, 40, 60, 80, 200])
@pytest.mark.parametrize("height", [6, 10, 19, 35])
def test_every_line_is_exactly_as_wide_as_the_board(look: str, cols: int, height: int) -> None:
    for viewer in (OURS, Watcher.PUBLIC):
        shot = seen(at(**MIDDLE), viewer)
        lines = BOARD.render(shot, BOARD.start(shot, b""), LOOKS[look], cols, height)
        assert [width_cols(line) for line in lines] == [cols] * height


def test_the_cursor_is_always_in_sight() -> None:
    shot = seen(at(hands=[["kotodama"]], pile=["slip"] * 40))
    pick = picked(shot, "down enter")
    for _ in range(45):
        lines = BOARD.render(shot, pick, Look(), 50, 12)
        assert any(style == "cursor" for line in lines for style, _ in line)
        pick = picked_from(shot, pick, "down")


def picked_from(shot: Snapshot, pick: Pick, key: str) -> Pick:
    answer = BOARD.press(shot, pick, key)
    assert isinstance(answer, Pick)
    return answer


def test_a_card_without_target_is_played_at_once() -> None:
    shot = seen(at(hands=[["slip", "greed"]], pile=PILE))
    assert typed(shot, "down enter") == Action("play greed")
    assert typed(shot, "e") == Action("end")


def test_a_target_is_asked_even_when_there_is_one() -> None:
    shot = seen(at(players=2, hands=[["tithe"], ["slip"]], pile=PILE))
    pick = picked(shot, "down enter")
    assert (pick.mode, BOARD.is_resting(pick)) == (TARGET, False)
    assert typed(shot, "enter", pick) == Action("play tithe 1")
    assert typed(shot, "esc", pick) == Pick("play", FREE, 0)


def test_a_new_decision_has_nothing_selected() -> None:
    """A key meant for the prompt before answers nothing: no Judge is played by mistake."""
    window = play(at(hands=[["greed"], ["judge"]], pile=PILE), "play greed")
    shot = seen(window, Seat(1))
    before = Pick("play", FREE, 0)
    after = BOARD.follow(shot, before)
    assert (after.mode, after.cursor) == (WINDOW, NOWHERE)
    for key in ("enter", " ", "e"):
        assert not isinstance(BOARD.press(shot, after, key), Action)
    assert typed(shot, "v") == Action("judge")
    assert typed(shot, "s") == Action("pass")
    assert typed(shot, "down enter") == Action("judge")


def test_the_cursor_stays_while_the_play_phase_goes_on() -> None:
    shot = seen(at(hands=[["slip", "slip", "greed"]], pile=PILE))
    later = seen(play(at(hands=[["slip", "slip", "greed"]], pile=PILE), "play slip"))
    assert BOARD.follow(later, Pick("play", FREE, 1)).cursor == 1
    assert BOARD.follow(shot, Pick("duel", FREE, 1)).cursor == NOWHERE


def test_a_place_is_chosen_on_the_pile() -> None:
    shot = seen(play(at(hands=[["warden"]], pile=["passage", *PILE]), "end"))
    pick = BOARD.start(shot, b"")
    assert (pick.mode, pick.at) == (NUMBER, NOWHERE)
    assert typed(shot, "enter") == pick
    assert typed(shot, "down enter") == Action("put 0")
    assert typed(shot, "end home enter") == Action("put 0")
    assert typed(shot, "up enter") == Action(f"put {len(PILE)}")
    assert BOARD.press(shot, pick, "esc") is None


def test_several_cards_are_ticked() -> None:
    shot = seen(at(phase="discard", hands=[["slip"] * 4 + ["seal"] * 4]))
    pick = picked(shot, "down space down down")
    assert pick.mode == SEVERAL
    assert typed(shot, "enter", pick) == pick
    assert typed(shot, "space enter", pick) == Action("discard slip slip")
    assert not BOARD.is_resting(pick)


def test_the_personal_setting_goes_round() -> None:
    state = at(hands=[["greed"], ["judge"]], pile=PILE)
    shot = seen(state, Seat(1))
    assert typed(shot, "a") == Action("auto until-my-turn")
    state = RULES.apply(state, Seat(1), Action("auto until-my-turn")).state
    assert typed(seen(state, Seat(1)), "a") == Action("auto unless-aimed")


def test_clicking_selects_and_then_does() -> None:
    shot = seen(at(hands=[["slip", "greed"]], pile=PILE))
    lines = [text_of(line) for line in BOARD.render(shot, Pick("play"), Look(), 52, 19)]
    row = next(i for i, line in enumerate(lines) if "Greed" in line and "draw three" in line)
    once = BOARD.click(shot, Pick("play"), Look(), 5, row, 52, 19)
    assert isinstance(once, Pick)
    assert rows(shot)[once.cursor].head == "play greed"
    assert BOARD.click(shot, once, Look(), 5, row, 52, 19) == Action("play greed")


@pytest.mark.parametrize("variant", VARIANTS)
def test_whatever_happens_can_be_drawn_said_and_answered(variant: dict[str, Any]) -> None:
    """Random play: each decision can be completed by keys, and each event has its sentence."""
    for _, state, events in random_match(variant, 4, 3):
        for owed in RULES.pending(state):
            shot = seen(state, owed.seat)
            keys = "down enter down enter" if owed.prompt != "discard" else ""
            answer = typed(shot, keys)
            if isinstance(answer, Action):
                assert contains(owed.choice, answer)
            said = text_of(BOARD.status(shot, BOARD.start(shot, b""), Look()))
            assert "passage." not in said
            assert " ?" not in said
            assert not said.startswith("?")
        for event in events:
            for viewer in (OURS, Watcher.PUBLIC):
                told = event.seen_by(viewer)
                if told is None:
                    continue
                text = BOARD.say(SeenEvent(1, event.kind, dict(told)), seen(state, viewer), Look())
                assert "passage." not in text
                assert "?" not in text, (event, text)


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_every_key_of_the_game_has_its_words(language: str) -> None:
    known = words(language)
    events = {"drew": ".own", "dealt": ".own"}
    wanted = [*messages.PROMPTS, *messages.REASONS, *messages.ERRORS]
    wanted += [key + events.get(key.removeprefix("passage.event."), "") for key in messages.EVENTS]
    wanted += [f"passage.option.{option.name}" for option in RULES.options()]
    assert [key for key in wanted if not known.has(key)] == []


def test_what_others_draw_unseen_is_said_once_with_how_many() -> None:
    shot = seen(at(**MIDDLE))
    drawing = SeenEvent(4, "drawing", {"seat": 1, "draws": 3, "bottom": 0})
    drew = SeenEvent(4, "drew", {"seat": 1, "end": "top"})
    assert BOARD.say(drawing, shot, Look()) == "tarn draws 3"
    assert BOARD.say(drew, shot, Look()) == ""
    dealt = SeenEvent(0, "dealt", {"seat": 1, "count": 5})
    assert BOARD.say(dealt, shot, Look()) == "", "five of these would be the whole log"
    assert (
        BOARD.say(replace(drew, params={"seat": 0, "end": "top", "card": "slip"}), shot, Look()) == "you draw Slip By"
    )


def test_who_resigns_is_not_said_to_leave_as_well() -> None:
    """The log said "mira resigns, mira leaves, mira is out"."""
    assert BOARD.say(SeenEvent(4, "left", {"seat": 0}), seen(at(**MIDDLE)), Look()) == ""


def test_a_known_pile_without_a_passage_is_said_to_have_none() -> None:
    """The end of a replay said "In the pile:" and nothing more."""
    shot = seen(at(hands=[["slip"], ["slip"]], pile=["slip"] * 12), Watcher.OMNISCIENT)
    text = "\n".join(map(text_of, BOARD.render(shot, Pick("play"), Look(), 52, 19)))
    assert "There is no Passage among the known places." in text
    assert "In the pile:" not in text
