"""Runs, step by step (Netrunner §1.8), and the worked examples of the notation."""

from __future__ import annotations

from tests.netrunner.table import Play, titles

WALL = {"card": "Ice Wall", "rezzed": True}


def on_hq(ice: list[object], **runner: object) -> Play:
    """Return the Runner's action step with this ice before HQ."""
    return Play({"hq": ["Hedge Fund"], "servers": {"hq": {"ice": ice}}}, runner, turn="runner")


def step(play: Play) -> str:
    return str(play.position["step"])


def test_inside_job_walks_past_the_first_rezzed_ice() -> None:
    play = on_hq(["Ice Wall"], grip=["Inside Job"])
    play.do('play "Inside Job"', "choose hq")
    assert step(play) == "run.2.1"
    play.do("pass", "pass")
    assert step(play) == "run.2.3"
    play.do("pass", "rez ice:hq:0", "pass", "pass", "pass")
    assert step(play) == "run.5.1"
    play.do("pass", "pass")
    assert play.asked == (1, "jack-out")
    play.do("continue", "pass", "pass", "access next", "leave")
    assert play.state.run is None
    assert titles(play.runner["heap"]) == ["Inside Job"]


def test_corroder_breaks_ice_wall() -> None:
    play = on_hq([WALL], credits=1, rig=["Corroder"]).do("run hq", "pass", "pass", "pass", "pass")
    assert step(play) == "run.3.1"
    play.do('use rig:"Corroder" 0', "break 0", "pass", "pass", "pass")
    assert play.runner["credits"] == 0
    assert step(play) == "run.5.1"


def test_an_unbroken_subroutine_ends_the_run() -> None:
    play = on_hq([WALL]).do("run hq").settle()
    assert play.state.run is None
    assert "successful_run" not in play.position["this_turn"]
    assert "unsuccessful_run" in play.position["this_turn"]


def test_a_weak_breaker_can_not_break_until_it_is_pumped() -> None:
    wall = {"card": "Ice Wall", "rezzed": True, "advancement": 2}
    play = on_hq([wall], credits=5, rig=["Corroder"]).do("run hq", "pass", "pass", "pass", "pass")
    assert not play.offers('use rig:"Corroder" 0')
    play.do('use rig:"Corroder" 1', 'use rig:"Corroder" 0', "break 0").settle()
    assert play.runner["credits"] == 3


def test_the_runner_may_not_jack_out_before_the_first_ice_but_before_the_second() -> None:
    play = on_hq(["Enigma", "Ice Wall"]).do("run hq", "pass", "pass")
    assert step(play) == "run.2.3"
    play.do("pass", "pass")
    assert step(play) == "run.2.1"
    play.do("pass", "pass")
    assert play.asked == (1, "jack-out")
    play.do("jack-out")
    assert play.state.run is None


def test_bad_publicity_pays_during_a_run_only() -> None:
    play = Play(
        {"bad_publicity": 2, "servers": {"remote1": {"root": [{"card": "PAD Campaign", "rezzed": True}]}}},
        {"credits": 3},
        turn="runner",
    )
    play.do("run remote1", "access root:remote1:0", "trash", "pay bad-publicity 2 pool 2")
    assert play.runner["credits"] == 1
    assert play.state.run is None


def test_an_agenda_must_be_stolen() -> None:
    play = Play({"rd": ["Private Security Force"]}, turn="runner").do("run rd", "access next")
    assert play.offered() == ["steal"]
    play.do("steal")
    assert titles(play.runner["score"]) == ["Private Security Force"]


def test_a_bioroid_lets_the_runner_click_through() -> None:
    play = on_hq([{"card": "Viktor 1.0", "rezzed": True}], clicks=3)
    play.do("run hq", "pass", "pass", "pass", "pass", "use ice:hq:0 0", "use ice:hq:0 1").settle()
    assert play.runner["clicks"] == 0
    assert play.runner["brain"] == 0


def test_archives_are_turned_up_and_agendas_there_stolen() -> None:
    play = Play({"archives": [{"card": "Hostile Takeover", "faceup": False}, "Hedge Fund"]}, turn="runner")
    play.do("run archives", "access archives:0", "steal")
    assert play.corp["archives"] == [{"card": "Hedge Fund", "faceup": True}]


def test_a_remote_that_ceases_to_exist_ends_the_run_on_it() -> None:
    mine = {"remote1": {"ice": [{"card": "Data Mine", "rezzed": True}]}}
    play = Play({"servers": mine}, {"grip": ["Diesel"] * 3}, turn="runner")
    play.do("run remote1").settle()
    assert play.state.run is None
    assert len(play.runner["grip"]) == 2
