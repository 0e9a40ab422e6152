"""Examples of the Japanese rules, played as printed: three of who may act when, and Kill Switch's duty to reveal."""

from __future__ import annotations

import pytest

from game.contract import Action, Seat, Watcher
from game.errors import IllegalAction
from game.netrunner.facts import CORP, RUNNER
from game.netrunner.rules import GAME
from tests.netrunner.cards.scenes import corp, remote, runner
from tests.netrunner.table import Play, titles


def refused(play: Play, seat: int, text: str) -> bool:
    """Tell whether a seat may not do this now."""
    with pytest.raises(IllegalAction):
        GAME.apply(play.state, Seat(seat), Action(text))
    return True


def test_example_1_a_resource_that_is_being_trashed_is_not_sold_in_response() -> None:
    play = corp(runner={"rig": ["Fall Guy"], "tags": 1}).do('trash-resource rig:"Fall Guy"')
    assert (play.runner["heap"], play.runner["credits"], play.asked) == (["Fall Guy"], 5, (CORP, "window"))


def test_example_2_in_the_corps_turn_the_corp_blanks_fall_guy_before_the_runner_may_sell_it() -> None:
    play = Play({"servers": remote("Malia Z0L0K4")}, {"rig": ["Fall Guy"]}, step="corp.2.2")
    assert play.asked == (CORP, "window")
    assert refused(play, RUNNER, 'use rig:"Fall Guy" 1')
    play.do("rez root:remote1:0", 'choose rig:"Fall Guy"')
    assert refused(play, RUNNER, 'use rig:"Fall Guy" 1')
    play.do("pass")
    assert (play.asked[0], play.offered(), play.runner["credits"]) == (RUNNER, ["pass"], 5)


def test_example_3_in_the_runners_turn_it_is_written_down_who_has_passed() -> None:
    play = Play({"servers": remote("Malia Z0L0K4")}, {"rig": ["Fall Guy"]}, step="runner.1.2")
    assert play.asked == (RUNNER, "window")
    assert refused(play, CORP, "rez root:remote1:0")  # the Runner speaks first and has said nothing yet
    sold = Play({"servers": remote("Malia Z0L0K4")}, {"rig": ["Fall Guy"]}, step="runner.1.2")
    assert sold.do('use rig:"Fall Guy" 1').runner["credits"] == 7
    play.do("pass", "rez root:remote1:0", 'choose rig:"Fall Guy"', "pass")
    assert (play.asked, play.offers('use rig:"Fall Guy" 1')) == ((RUNNER, "window"), False)


@pytest.mark.parametrize("answer", ["steal", "leave"])
def test_kill_switch_makes_an_agenda_of_rd_known_whether_it_is_stolen_or_not(answer: str) -> None:
    half = {"current": ["Kill Switch"], "rd": ["Ikawah Project", "Enigma"]}
    play = runner(*["Diesel"] * 3, corp=half).do("run rd", "access next", "spend 0", "spend 2", answer)
    told = [event.seen_by(Watcher.PUBLIC) for event in play.events if event.kind == "accessed"]
    assert told == [{"place": "rd", "card": "Ikawah Project"}]
    assert titles(play.runner["score"]) == (["Ikawah Project"] if answer == "steal" else [])


def test_without_kill_switch_the_corp_is_not_told_which_agenda_of_rd_was_left() -> None:
    play = runner(corp={"rd": ["Ikawah Project", "Enigma"]}).do("run rd", "access next", "leave")
    for viewer in (Seat(CORP), Watcher.PUBLIC):
        told = [event.seen_by(viewer) for event in play.events if event.kind == "accessed"]
        assert told == [{"place": "rd", "card": None}]
        assert "Ikawah" not in repr(GAME.view_json(GAME.view(play.state, viewer)))
