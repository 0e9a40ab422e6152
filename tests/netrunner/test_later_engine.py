"""What the engine does for cards of later sets where several of them meet."""

from __future__ import annotations

from game.contract import Json
from game.netrunner import queries
from game.netrunner.rules import GAME
from game.netrunner.table import Table
from tests.answers import offered
from tests.netrunner.cards.scenes import corp, facing, memory, remote, rezzed, runner
from tests.netrunner.table import Play, titles

NOISE = "Noise: Hacker Extraordinaire"


def test_a_blanked_host_has_not_the_text_of_the_identity_it_hosts() -> None:
    malia = rezzed({"card": "Malia Z0L0K4", "note": {"card": "rig:0"}})
    rig = [{"card": "DJ Fenris", "hosted": [NOISE]}]
    play = runner("Datasucker", rig=rig, corp={"servers": remote(malia)}).do('install "Datasucker"')
    assert play.corp["archives"] == []
    play = runner("Datasucker", rig=rig).do('install "Datasucker"')
    assert len(play.corp["archives"]) == 1


def test_a_blanked_resource_counts_again_when_malia_is_derezzed() -> None:
    malia = rezzed({"card": "Malia Z0L0K4", "note": {"card": "rig:0"}})
    play = corp("Divert Power", servers=remote(malia), runner={"rig": ["Access to Globalsec"]})
    assert queries.link(Table(play.state)) == 1
    play.do('play "Divert Power"', "choose root:remote1:0", "no")
    assert queries.link(Table(play.state)) == 2


def test_a_card_that_became_an_agenda_can_be_forfeited() -> None:
    play = runner(rig=["Data Dealer"], score=[{"card": "Meridian", "worth": -1}])
    play.do('use rig:"Data Dealer" 0', "choose score:0")
    assert (play.runner["credits"], play.position["removed"], play.runner["score"]) == (14, ["Meridian"], [])


def test_seven_points_win_only_with_what_takes_points_away_counted() -> None:
    score = [{"card": "Shi.Kyū", "worth": -1}, "Priority Requisition", "Nisei MK II"]
    play = Play(
        {"servers": remote("Priority Requisition")}, {"score": score}, step="run.5.4", run={"server": "remote1"}
    )
    assert play.do("access root:remote1:0", "steal").state.outcome == (1, "agendas")
    score = [{"card": "Shi.Kyū", "worth": -1}, "Priority Requisition", "Hostile Takeover"]
    play = Play(
        {"servers": remote("Priority Requisition")}, {"score": score}, step="run.5.4", run={"server": "remote1"}
    )
    assert play.do("access root:remote1:0", "steal").state.outcome is None


def test_damage_as_a_cost_that_is_larger_than_the_grip_flatlines() -> None:
    assert facing("Formicary", grip=["Diesel"]).do("yes").state.outcome == (0, "flatline")


def test_an_access_outside_a_run_uses_no_credits_of_bad_publicity_and_steals() -> None:
    play = corp(
        "Hangeki",
        servers=remote("PAD Campaign"),
        bad_publicity=9,
        runner={"credits": 3},
        last_turn=["trashed_corp_card"],
    )
    play.do('play "Hangeki"', "choose root:remote1:0", "yes")
    assert play.offered() == ["leave"]


def test_facedown_cards_take_no_memory_and_go_to_the_heap_face_up() -> None:
    play = runner(rig=["Aesop's Pawnshop", {"card": "Magnum Opus", "facedown": True}], step="runner.1.3")
    assert memory(play) == (0, 4)
    play.do("choose rig:1")
    assert (play.runner["heap"], play.runner["credits"]) == (["Magnum Opus"], 8)


def test_a_facedown_program_that_is_trashed_is_no_program_for_district_99() -> None:
    rig = ["Aesop's Pawnshop", "District 99", {"card": "Magnum Opus", "facedown": True}]
    play = runner(rig=rig, step="runner.1.3").do("choose rig:2")
    assert (play.asked[1], play.runner["credits"]) == ("window", 8)


def test_version_1_neither_asks_about_springing_ice_nor_writes_later_facts() -> None:
    position: Json = {
        "corp": {"hq": ["Hedge Fund"], "servers": {"rd": {"ice": ["Enigma"]}}},
        "runner": {"tags": 1, "rig": ["Decoy"]},
        "turn": "runner",
    }
    old, new = GAME.under(1), GAME
    states = []
    for game in (old, new):
        state = game.read_position(position, {})
        owed = game.pending(state)[0]
        action = next(a for a in offered(owed) if a.text == "remove-tag")
        states.append(game.apply(state, owed.seat, action).state)
    assert "tag-gone" not in states[0].this_turn
    assert "tag-gone" in states[1].this_turn


def test_ice_that_springs_up_may_be_met_again_only_if_it_still_lies_ahead() -> None:
    servers = {"hq": {"ice": []}, "rd": {"ice": ["Formicary"]}}
    half = {"hq": ["Hedge Fund"], "servers": servers}
    play = Play(half, {"grip": ["Diesel"] * 4}, turn="runner", step="run.4", run={"server": "hq"})
    play.do("use ice:rd:0 0", "yes")
    assert play.do("access next").asked == (1, "accessed")
    assert titles(play.corp["servers"]["hq"]["ice"]) == ["Formicary"]
