"""What a referee on the command line may count on: which text is unreadable, what positions print and take (§5)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from game.__main__ import main
from game.contract import Action, Json, Seat
from game.errors import BadNotation, IllegalAction
from game.netrunner.rules import GAME
from tests.netrunner.table import Play

UNREADABLE = (
    *(
        "rez banana",
        "rez ice:mars:0",
        'rez ice:hq:"No Such Card"',
        "rez ice:hq",
        "advance 3",
        "use rig:0",
        "use rig:0 x",
    ),
    *('install "Ice Wall" mars', 'install "Ice Wall" hq trash', 'install "Ice Wall" hq banana', "run remote0"),
    *(
        "bid x",
        "break x",
        "break 00",
        "pay x",
        "pay pool x",
        "order 1",
        "access foo",
        "access 3",
        "credit 1",
        "discard 7",
    ),
    *("Credit", "auto run.2.1", "play Diesel", "choose rig:x"),
)
ILLEGAL = (
    *(
        "rez ice:hq:0",
        'rez ice:hq:"Ice Wall"',
        "advance root:remote9:0",
        "use rig:0 7",
        "use identity 0",
        "run remote9",
    ),
    *('install "Ice Wall" remote1 trash ice:remote1:0', "bid 2", "break", "break 0 1", "pay pool 2 bad-publicity 1"),
    *("order identity rig:0", "access next", "access hosted:ice:hq:0:0", "choose hosted:rig:1:0", "discard hand:0"),
    *("choose card", "choose remote1", "choose rig", "play hand:0", "spend 0"),
)


def test_what_names_nothing_is_unreadable_and_what_can_not_be_done_now_is_illegal() -> None:
    play = Play({"hq": ["Ice Wall"]}, {}, turn="runner")
    for text in UNREADABLE:
        with pytest.raises(BadNotation):
            GAME.apply(play.state, Seat(1), Action(text))
    for text in ILLEGAL:
        with pytest.raises(IllegalAction):
            GAME.apply(play.state, Seat(1), Action(text))


def printed(capsys: pytest.CaptureFixture[str], position: Any, *actions: str) -> Any:
    """Return what `apply --json` prints."""
    assert main(["apply", "netrunner", "--position", json.dumps(position), "--json", *actions]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_worked_example_is_played_without_naming_seats(capsys: pytest.CaptureFixture[str]) -> None:
    corp = {"servers": {"hq": {"ice": ["Ice Wall"]}}, "hq": ["Hedge Fund"]}
    told = 'play "Inside Job";choose hq;pass;pass;rez ice:hq:0;pass;pass;pass;pass;continue;pass;pass;access next;leave'
    start = {"corp": corp, "runner": {"grip": ["Inside Job"]}, "turn": "runner"}
    end = printed(capsys, start, *told.split(";"))["position"]
    assert (end["step"], end["corp"]["credits"], end["runner"]["heap"]) == ("runner.1.5", 4, ["Inside Job"])


def test_only_what_is_half_resolved_prints_a_stack(capsys: pytest.CaptureFixture[str]) -> None:
    start = {"runner": {"grip": ["Stimhack"]}, "turn": "runner"}
    position = printed(capsys, start, "auto runner.1.5 always")["position"]
    assert "stack" not in position
    assert "seal" not in position
    richer = {**position, "runner": {**position["runner"], "credits": 9}}
    assert printed(capsys, richer, "credit")["position"]["runner"]["credits"] == 10
    assert "stack" in printed(capsys, start, 'play "Stimhack"')["position"]


def test_a_position_that_is_over_prints_no_stack() -> None:
    position = Play({"rd": []}, {}, turn="corp").do("draw").position
    assert position["outcome"] == [1, "decked"]
    assert "stack" not in position
    assert GAME.result(GAME.read_position(position, {})) is not None


def test_a_run_that_is_written_at_its_first_step_gives_the_credits_of_bad_publicity() -> None:
    corp = {"bad_publicity": 2, "servers": {"hq": {"ice": ["Ice Wall"]}}}
    assert Play(corp, {}, run={"server": "hq"}).position["run"]["credits"] == 2
    assert Play(corp, {}, run={"server": "hq", "credits": 1}).position["run"]["credits"] == 1
    assert Play(corp, {}, run={"server": "hq"}, step="run.5.1").position["run"]["credits"] == 0


def test_accessed_cards_may_be_written_by_their_titles() -> None:
    root = ["PAD Campaign", "Akitaro Watanabe"]
    run = {"server": "remote1", "accessed": ['root:remote1:"PAD Campaign"']}
    play = Play({"servers": {"remote1": {"root": root}}}, {}, step="run.5.5", run=run)
    assert play.offered() == ["access root:remote1:1"]
    for one in ('root:remote1:"Snare!"', 'root:"PAD Campaign"', '"PAD Campaign"', "", 'rd:"Hedge Fund"'):
        with pytest.raises(BadNotation):
            Play({"servers": {"remote1": {"root": root}}}, {}, step="run.5.5", run={**run, "accessed": [one]})


@pytest.mark.parametrize(
    "corp",
    [
        {"servers": {"hq": {"ice": [{"card": "Ice Wall", "rezzed": "yes"}]}}},
        {"servers": {"hq": {"ice": [{"card": "Ice Wall", "facedown": 1}]}}},
        {"archives": [{"card": "Ice Wall", "faceup": 0}]},
        {"servers": {"remote0": {"ice": ["Ice Wall"]}}},
        {"servers": {"remote01": {"ice": ["Ice Wall"]}}},
    ],
)
def test_flags_are_true_or_false_and_remotes_count_from_one(corp: Any) -> None:
    with pytest.raises(BadNotation):
        Play(corp)


def test_the_order_is_asked_only_where_it_may_matter_for_two() -> None:
    noise = {"identity": "Noise: Hacker Extraordinaire", "grip": ["Datasucker"], "rig": ["Grimoire"]}
    play = Play({}, noise, turn="runner").do('install "Datasucker"')
    assert play.asked == (1, "window"), "Grimoire's counter does not mind when R&D is milled"
    assert play.runner["rig"][1]["counters"] == {"virus": 1}
    assert len(play.corp["archives"]) == 1
    two = {"rig": ["Wyldside", "Aesop's Pawnshop", "Parasite"]}
    assert Play({}, two, step="runner.1.3").asked == (1, "order")


def test_the_corp_is_asked_about_an_exposure_only_where_it_may_hold_an_answer() -> None:
    runner = {"grip": ["Infiltration"]}
    ice = {"hq": {"ice": ["Enigma"]}}
    told = ('play "Infiltration"', "choose expose", "choose ice:hq:0")
    assert Play({"servers": ice}, runner, turn="runner").do(*told).asked == (1, "window")
    for hidden in ("PAD Campaign", "Zaibatsu Loyalty"):
        play = Play({"servers": {**ice, "remote1": {"root": [hidden]}}, "credits": 0}, runner, turn="runner").do(*told)
        assert play.asked == (0, "prevent")


def test_a_run_that_is_written_as_successful_before_its_success_succeeds_once() -> None:
    gabriel = {"identity": "Gabriel Santiago", "credits": 0}
    play = Play({"hq": ["Enigma"]}, gabriel, step="run.5.4", run={"server": "hq", "successful": True})
    assert (play.runner["credits"], play.position["this_turn"].count("success:hq")) == (2, 1)


def test_the_steps_turn_of_a_run_may_be_anything_and_is_then_the_usual_one() -> None:
    odd: tuple[Json, ...] = ([], {}, None, "corp.9", 7)
    for told in odd:
        assert Play({}, {}, run={"server": "hq", "turn_step": told}).state.step == "runner.1.5"


def test_a_host_lies_in_the_heap_before_what_it_hosted() -> None:
    rig = [{"card": "Djinn", "hosted": ["Datasucker", "Medium"]}]
    play = Play({}, {"rig": rig, "grip": ["Corroder"]}, turn="runner").do('install "Corroder" trash rig:"Djinn"')
    assert play.runner["heap"] == ["Djinn", "Datasucker", "Medium"]


@pytest.mark.parametrize(
    ("facts", "paid"),
    [((), 1), (("installed",), 2), (("installed", "installed:resource"), 1), (("installed", "installed:hardware"), 2)],
)
def test_a_written_install_without_its_type_was_the_first_one_for_kate(facts: tuple[str, ...], paid: int) -> None:
    play = Play({}, {"grip": ["Corroder"], "credits": 5}, turn="runner", this_turn=list(facts))
    assert play.do('install "Corroder"').runner["credits"] == 5 - paid


def test_the_corp_rezzes_the_approached_ice_only_after_a_runner_who_could_do_something() -> None:
    corp = {"servers": {"hq": {"ice": ["Enigma"]}, "remote1": {"root": ["PAD Campaign"]}}}
    run = {"step": "run.2.3", "run": {"server": "hq"}}
    play = Play(corp, {"rig": ["Gordian Blade"]}, **run)
    assert play.offered() == ['use rig:"Gordian Blade" 1', "pass"]
    for text in ("rez root:remote1:0", "pass", "rez ice:hq:0"):
        with pytest.raises(IllegalAction):
            GAME.apply(play.state, Seat(0), Action(text))
    state = play.do("pass", "rez ice:hq:0", "pass").state
    assert GAME.pending(state)[0].seat == 1, "the Runner comes before the window closes"


ADVANCEABLE = {"hq": {"ice": ["Ice Wall", "Shadow"]}, "remote1": {"root": ["Hostile Takeover"]}}


def test_a_question_that_comes_again_is_answered_for_several_at_once() -> None:
    corp = {"hq": ["Shipment from Kaguya"], "servers": ADVANCEABLE}
    play = Play(corp, {}).do('play "Shipment from Kaguya"', "choose root:remote1:0 ice:hq:1")
    one_by_one = Play(corp, {}).do('play "Shipment from Kaguya"', "choose root:remote1:0", "choose ice:hq:1")
    assert play.position == one_by_one.position
    heap = ["Medium", "Diesel", "Medium", "Datasucker"]
    for text in ("choose heap:0 heap:3", 'choose heap:"Medium" heap:"Datasucker"'):
        play = Play({}, {"grip": ["Déjà Vu"], "heap": heap}, turn="runner").do('play "Déjà Vu"', "choose viruses", text)
        assert play.runner["grip"] == ["Medium", "Datasucker"]
        assert play.runner["heap"] == ["Diesel", "Medium", "Déjà Vu"]


@pytest.mark.parametrize(
    "text",
    [
        "choose ice:hq:0 ice:hq:0",
        "choose ice:hq:0 root:remote1:1",
        "choose root:remote2:0 ice:hq:0",
        "choose ice:hq:0 ice:hq:1 root:remote1:0",
        "choose ice:hq:0 no",
    ],
)
def test_several_at_once_are_all_on_offer_and_no_more_than_asked_for(text: str) -> None:
    play = Play({"hq": ["Shipment from Kaguya"], "servers": ADVANCEABLE}, {}).do('play "Shipment from Kaguya"')
    before = play.position
    with pytest.raises((IllegalAction, BadNotation)):
        GAME.apply(play.state, Seat(0), Action(text))
    assert play.position == before


def test_a_question_for_one_card_takes_one() -> None:
    play = Play({"hq": ["Archived Memories"], "archives": ["Enigma", "Ice Wall"]}, {}).do('play "Archived Memories"')
    with pytest.raises(IllegalAction):
        GAME.apply(play.state, Seat(0), Action("choose archives:0 archives:1"))
