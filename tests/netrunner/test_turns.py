"""Turns: actions, windows, advancing and scoring, discarding, winning (Netrunner §1.2 to §1.5)."""

from __future__ import annotations

import pytest

from game.contract import Action, Seat
from game.errors import BadNotation, IllegalAction
from game.netrunner.decks import SIDES_OF, STARTERS, Deck, problems
from game.netrunner.rules import GAME
from tests.netrunner.table import Play, titles


def test_the_corp_decides_about_its_hand_before_the_runner() -> None:
    state = GAME.setup({}, 2, bytes(32)).state
    assert GAME.pending(state)[0].seat == 0
    state = GAME.apply(state, Seat(0), Action("mulligan")).state
    assert GAME.pending(state)[0].seat == 1
    state = GAME.apply(state, Seat(1), Action("keep")).state
    assert (state.step, len(state.hq), len(state.grip)) == ("corp.1.1", 5, 5)


def test_an_agenda_is_advanced_three_times_and_scored() -> None:
    play = Play({"servers": {"remote1": {"root": ["Accelerated Beta Test"]}}}, turn="corp")
    for _ in range(3):
        play.do("advance root:remote1:0")
    play.do("score root:remote1:0", "no")
    assert titles(play.corp["score"]) == ["Accelerated Beta Test"]


def test_an_agenda_with_too_little_advancement_is_not_scored() -> None:
    play = Play({"servers": {"remote1": {"root": [{"card": "Hostile Takeover", "advancement": 1}]}}}, step="corp.2.2")
    assert not play.offers("score root:remote1:0")


def test_seven_points_win_at_once() -> None:
    root = [{"card": "Private Security Force", "advancement": 4}]
    score = ["Priority Requisition", "Accelerated Beta Test"]
    play = Play({"score": score, "servers": {"remote1": {"root": root}}}, step="corp.2.2")
    play.do("score root:remote1:0")
    assert play.state.outcome == (0, "agendas")


def test_drawing_from_an_empty_deck_loses_for_the_corp_only() -> None:
    assert Play({"rd": []}, step="corp.1.3").state.outcome == (1, "decked")
    play = Play({}, {"stack": []}, turn="runner").do("draw")
    assert play.state.outcome is None


def test_both_must_pass_in_a_row_to_close_a_window() -> None:
    play = Play({"servers": {"remote1": {"root": ["PAD Campaign"]}}}, step="corp.2.2")
    assert play.asked == (0, "window")
    play.do("pass")
    assert play.asked == (1, "window")
    play.do("pass")
    assert play.asked == (0, "action")


def test_the_hand_is_discarded_down_to_its_size_face_down() -> None:
    play = Play({"hq": ["Hedge Fund"] * 7, "clicks": 0})
    assert play.asked == (0, "discard")
    play.do('discard "Hedge Fund" "Hedge Fund"')
    assert play.corp["archives"] == [{"card": "Hedge Fund", "faceup": False}] * 2


def test_ice_costs_as_much_as_there_is_ice_already() -> None:
    play = Play({"hq": ["Enigma"], "credits": 4, "servers": {"rd": {"ice": ["Ice Wall", "Hunter"]}}})
    play.do('install "Enigma" rd')
    assert titles(play.corp["servers"]["rd"]["ice"]) == ["Ice Wall", "Hunter", "Enigma"]
    assert play.corp["credits"] == 4 - 2 + 1  # the identity pays one for the first install


def test_an_asset_in_a_full_remote_needs_the_old_one_trashed() -> None:
    play = Play({"hq": ["PAD Campaign"], "servers": {"remote1": {"root": ["Melange Mining Corp."]}}})
    assert not play.offers('install "PAD Campaign" remote1')
    play.do('install "PAD Campaign" remote1 trash root:remote1:0')
    assert play.corp["archives"] == [{"card": "Melange Mining Corp.", "faceup": False}]


def test_memory_is_kept_by_trashing_programs() -> None:
    rig = ["Magnum Opus", "Battering Ram"]
    play = Play({}, {"grip": ["Corroder"], "rig": rig, "credits": 9}, turn="runner")
    assert not play.offers('install "Corroder"')
    play.do('install "Corroder" trash rig:"Magnum Opus"')
    assert titles(play.runner["rig"]) == ["Battering Ram", "Corroder"]


def test_purging_takes_three_clicks_and_every_virus_counter() -> None:
    play = Play({}, {"rig": [{"card": "Medium", "counters": {"virus": 3}}]}).do("purge")
    assert play.state.clicks[0] == 0
    assert "virus" not in play.runner["rig"][0].get("counters", {})


def test_a_second_console_replaces_the_first() -> None:
    play = Play({}, {"grip": ["Desperado"], "rig": ["Grimoire"], "credits": 9}, turn="runner").do('install "Desperado"')
    assert titles(play.runner["rig"]) == ["Desperado"]


def test_settings_answer_windows() -> None:
    play = Play({}, {}, step="corp.2.2")
    assert GAME.automatic(play.state, Seat(0)) == Action("pass")
    state = GAME.apply(play.state, Seat(0), Action("auto corp.2.2 always")).state
    assert GAME.automatic(state, Seat(0)) is None


def test_unreadable_is_told_from_illegal() -> None:
    play = Play()
    with pytest.raises(BadNotation):
        GAME.apply(play.state, Seat(0), Action('play "No Such Card"'))
    with pytest.raises(IllegalAction):
        GAME.apply(play.state, Seat(0), Action('play "Sure Gamble"'))


@pytest.mark.parametrize("side", [0, 1])
def test_the_starter_decks_are_legal(side: int) -> None:
    assert {len(STARTERS[name].codes()) for name in SIDES_OF[side]} == {(49, 47)[side]}
    assert [problems(STARTERS[name], side) for name in SIDES_OF[side]] == [[]] * len(SIDES_OF[side])


def test_a_deck_that_is_too_small_is_refused_with_the_reason() -> None:
    assert problems(Deck("01033", (("01050", 3),)), 1) == ["size 3/45"]


def test_what_is_owed_is_worked_out_once_for_a_state() -> None:
    state = GAME.setup({}, 2, bytes(32)).state
    first = GAME.pending(state)
    after = GAME.apply(state, first[0].seat, Action("keep")).state
    assert GAME.pending(state) is GAME.pending(state)
    assert GAME.pending(state) == first
    assert [one.seat for one in GAME.pending(after)] == [1]
    assert GAME.pending(state) == first
