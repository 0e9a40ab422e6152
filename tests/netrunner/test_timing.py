"""The table of timing steps (Netrunner §1.3, §1.8): which windows open, who comes first, what may be done in each."""

from __future__ import annotations

from typing import Any

import pytest

from game.choices import expand
from game.contract import Action, Json, Seat
from game.errors import IllegalAction
from game.netrunner.rules import GAME
from game.netrunner.timing import WINDOWS
from tests.netrunner.table import Play, titles

CORP = {
    "rd": ["Hunter"] * 9,
    "hq": ["Hunter"],
    "credits": 50,
    "score": [{"card": "AstroScript Pilot Program", "counters": {"agenda": 9}}],  # P
    "servers": {
        "hq": {"ice": ["Enigma"]},
        "remote1": {"root": ["PAD Campaign"]},  # R
        "remote2": {"root": [{"card": "Hostile Takeover", "advancement": 2}]},  # S
    },
}
LETTERS = {"use": "P", "rez": "R", "score": "S"}


def verbs(play: Play) -> str:
    """Return the letters of what is offered: P paid abilities, R rez, I rez the approached ice, S score."""
    texts = play.offered()
    letters = {LETTERS[text.split()[0]] for text in texts if text.split()[0] in LETTERS and "ice:" not in text}
    return "".join(sorted(letters | ({"I"} if any(text.startswith("rez ice:") for text in texts) else set())))


def windows(play: Play, stop: str) -> list[tuple[str, int, str]]:
    """Pass and do nothing much until a step; return who was asked in which window, and what the Corp could do."""
    found = []
    while (step := str(play.position["step"])) != stop:
        seat, prompt = play.asked
        if prompt == "window":
            found.append((step, seat, verbs(play) if seat == 0 else ""))
        play.do({"window": "pass", "action": "credit", "jack-out": "continue"}.get(prompt, play.offered()[0]))
    return found


def test_the_corps_turn_opens_the_windows_of_the_table_with_the_corp_first() -> None:
    found = windows(Play(CORP, {}, step="corp.1.1", turn="corp"), "runner.1.2")
    after_action = [("corp.2.3", 0, "PRS"), ("corp.2.3", 1, "")]
    assert found == [
        *[("corp.1.1", 0, "PRS"), ("corp.1.1", 1, "")],
        *[("corp.2.2", 0, "PRS"), ("corp.2.2", 1, "")],
        *(after_action * 3),
        *[("corp.3.3", 0, "PR"), ("corp.3.3", 1, "")],
    ]


def test_the_runners_turn_opens_the_windows_of_the_table_with_the_runner_first() -> None:
    found = windows(Play(CORP, {}, step="runner.1.1", turn="runner"), "corp.1.1")
    both = [("", 1, ""), ("", 0, "PR")]
    steps = ["runner.1.2", "runner.1.4", *["runner.1.5"] * 4, "runner.2.3"]
    assert found == [(step, seat, letters) for step in steps for _, seat, letters in both]


def test_a_run_past_unrezzed_ice_opens_its_four_windows() -> None:
    play = Play(CORP, {}, turn="runner").do("run hq")
    found = windows(play, "run.5.5")
    assert found == [
        *[("run.2.1", 1, ""), ("run.2.1", 0, "P")],
        *[("run.2.3", 1, ""), ("run.2.3", 0, "IPR")],
        *[("run.5.1", 1, ""), ("run.5.1", 0, "P")],
        *[("run.5.3", 1, ""), ("run.5.3", 0, "PR")],
    ]


def test_an_encounter_opens_the_window_in_which_subroutines_are_broken() -> None:
    servers = {"hq": {"ice": [{"card": "Hunter", "rezzed": True}]}, "remote1": {"root": ["Hostile Takeover"]}}
    play = Play({**CORP, "servers": servers}, {}, turn="runner").do("run hq")
    found = windows(play, "run.3.2")
    assert found[4:6] == [("run.3.1", 1, ""), ("run.3.1", 0, "P")]


def test_a_run_on_a_server_without_ice_goes_straight_to_the_server() -> None:
    play = Play(CORP, {}, turn="runner").do("run rd")
    assert [step for step, seat, _ in windows(play, "run.5.5") if seat == 1] == ["run.5.1", "run.5.3"]


def test_every_step_with_a_window_has_a_setting() -> None:
    play = Play(CORP)
    settings = GAME.settings(play.state, Seat(0))
    named = {action.text.split()[1] for choice in settings for action in expand(choice)}
    assert named == set(WINDOWS)


def test_whoever_has_acted_keeps_priority_and_both_must_pass_again() -> None:
    play = Play(CORP, {}, step="runner.1.2")
    play.do("pass")
    assert play.asked[0] == 0
    play.do("rez root:remote1:0")
    assert play.asked[0] == 0
    play.do("pass")
    assert play.asked[0] == 1, "the Corp did something, so the Runner may answer"
    play.do("pass")
    assert play.asked[0] == 0, "the Corp's pass came after what it did"
    play.do("pass")
    assert play.position["step"] == "runner.1.4"


def test_the_corp_goes_first_in_a_window_only_where_the_runner_can_do_nothing() -> None:
    rig: dict[str, Json] = {"rig": ["Datasucker"]}
    ice = {"hq": {"ice": [{"card": "Enigma", "rezzed": True}]}, "remote1": {"root": ["PAD Campaign"]}}
    idle = Play({**CORP, "servers": ice}, rig, step="runner.1.2")
    state = GAME.apply(idle.state, Seat(0), Action("rez root:remote1:0")).state
    assert state.cards[[card.place for card in state.cards].index("root:remote1")].rezzed
    with pytest.raises(IllegalAction):
        GAME.apply(idle.state, Seat(0), Action("pass"))
    rig = {"rig": [{"card": "Datasucker", "counters": {"virus": 1}}]}
    busy = Play({**CORP, "servers": ice}, rig, step="run.3.1", run={"server": "hq"})
    with pytest.raises(IllegalAction):
        GAME.apply(busy.state, Seat(0), Action("use score:0 0"))


def test_nothing_answers_an_action_that_is_resolving() -> None:
    play = Play({"credits": 9}, {"rig": ["Armitage Codebusting"], "tags": 1}).do("trash-resource rig:0")
    assert titles(play.runner["heap"]) == ["Armitage Codebusting"]
    assert play.asked == (0, "window")


def test_ice_is_not_rezzed_outside_its_approach() -> None:
    play = Play({"servers": {"hq": {"ice": ["Enigma", "Hunter"]}}, "credits": 9}, {}, turn="runner").do("run hq")
    play.do("pass")
    assert play.offered() == ["pass"]
    play.do("pass", "pass")
    assert play.offered() == ["rez ice:hq:1", "pass"]


def test_clicks_that_are_left_are_lost() -> None:
    assert Play(CORP, {}, step="corp.3.1").state.clicks[0] == 0


def test_recurring_credits_come_back_when_the_turn_begins() -> None:
    rig = [{"card": "Cyberfeeder", "counters": {"recurring": 0}}]
    play = Play({}, {"rig": rig}, step="runner.1.3")
    assert play.runner["rig"][0]["counters"] == {"recurring": 1}
    assert Play({}, {"rig": rig}, step="runner.1.4").runner["rig"][0]["counters"] == {}


# Setup, winning (§1.2).


def test_a_second_hand_must_be_kept() -> None:
    state = GAME.setup({}, 2, bytes(32)).state
    state = GAME.apply(state, Seat(0), Action("mulligan")).state
    assert (len(state.hq), GAME.pending(state)[0].seat) == (5, 1)


@pytest.mark.parametrize("draw", ["draw", 'play "Anonymous Tip"'])
def test_the_corp_loses_when_it_must_draw_from_an_empty_deck(draw: str) -> None:
    play = Play({"rd": ["Hunter"] if "Tip" in draw else [], "hq": ["Anonymous Tip"]})
    play.do(draw)
    assert play.state.outcome == (1, "decked")


def test_more_damage_than_cards_flatlines() -> None:
    play = Play({"hq": ["Neural EMP"]}, {"grip": []}, last_turn=["made_run"]).do('play "Neural EMP"')
    assert play.state.outcome == (0, "flatline")
    play = Play({"hq": ["Neural EMP"]}, {"grip": ["Diesel"]}, last_turn=["made_run"]).do('play "Neural EMP"')
    assert play.state.outcome is None


@pytest.mark.parametrize(("brain", "over"), [(5, False), (6, True)])
def test_only_a_hand_size_below_zero_flatlines_in_the_discard_step(brain: int, over: bool) -> None:
    play = Play({}, {"brain": brain}, step="runner.2.2")
    assert (play.state.outcome == (0, "flatline")) is over


def test_the_runner_wins_in_the_middle_of_an_access() -> None:
    score = ["Priority Requisition", "Accelerated Beta Test"]
    run: dict[str, Any] = {"server": "remote1"}
    root = ["Accelerated Beta Test", "Akitaro Watanabe"]
    play = Play({"servers": {"remote1": {"root": root}}}, {"score": score}, step="run.5.5", run=run)
    play.do("access root:remote1:0", "steal")
    assert play.state.outcome == (1, "agendas")


# Limits (§1.5).


def test_of_two_unique_cards_the_one_that_became_active_first_goes() -> None:
    roots = {"hq": {"root": ["Akitaro Watanabe"]}, "rd": {"root": ["Akitaro Watanabe"]}}
    play = Play({"credits": 9, "servers": roots}, {}, step="corp.2.2")
    play.do("rez root:rd:0", "rez root:hq:0")
    assert titles(play.corp["servers"]["hq"]["root"]) == ["Akitaro Watanabe"]
    assert play.corp["servers"]["rd"]["root"] == []
    assert play.corp["archives"] == [{"card": "Akitaro Watanabe", "faceup": True}]


def test_a_region_takes_the_place_of_the_one_in_its_server_only() -> None:
    roots = {"remote1": {"root": ["SanSan City Grid"]}, "remote2": {"root": ["SanSan City Grid"]}}
    play = Play({"hq": ["SanSan City Grid"], "servers": roots}).do('install "SanSan City Grid" remote1')
    assert [len(play.corp["servers"][name]["root"]) for name in ("remote1", "remote2")] == [1, 1]
    assert play.corp["archives"] == [{"card": "SanSan City Grid", "faceup": False}]


def test_an_ice_is_cheaper_by_each_ice_trashed_before() -> None:
    ice = {"hq": {"ice": ["Enigma", "Hunter", "Wall of Static"]}}
    play = Play({"hq": ["Ice Wall"], "credits": 0, "servers": ice}, {})
    play.do('install "Ice Wall" hq trash ice:hq:2 ice:hq:0 ice:hq:1')
    assert titles(play.corp["servers"]["hq"]["ice"]) == ["Ice Wall"]


def test_programs_may_be_trashed_though_there_is_room() -> None:
    play = Play({}, {"grip": ["Corroder"], "rig": ["Mimic"]}, turn="runner")
    play.do('install "Corroder" trash rig:"Mimic"')
    assert titles(play.runner["rig"]) == ["Corroder"]
    assert titles(play.runner["heap"]) == ["Mimic"]


def test_what_is_hosted_goes_with_its_host() -> None:
    rig = [{"card": "Djinn", "hosted": ["Datasucker"]}]
    play = Play({}, {"grip": ["Corroder"], "rig": rig}, turn="runner").do('install "Corroder" trash rig:"Djinn"')
    assert sorted(titles(play.runner["heap"])) == ["Datasucker", "Djinn"]


def test_a_remote_without_cards_is_no_more() -> None:
    play = Play({"hq": ["Ice Wall"], "servers": {"remote1": {"root": ["PAD Campaign"]}}}, {}, turn="runner")
    play.do("run remote1", "access root:remote1:0", "trash")
    assert not play.offers("run remote1")
    assert "remote1" not in play.corp["servers"]


# Runs (§1.8).


def test_a_run_that_ends_after_its_success_is_not_unsuccessful() -> None:
    score = [{"card": "Nisei MK II", "counters": {"agenda": 1}}]
    play = Play({"score": score}, {}, step="run.5.3", run={"server": "hq"}).do("use score:0 0")
    assert "unsuccessful_run" in play.position["this_turn"]
    play = Play({"hq": []}, {}, step="run.5.4", run={"server": "hq"}).settle()
    assert {"successful_run", "success:hq"} <= set(play.position["this_turn"])
    assert "unsuccessful_run" not in play.position["this_turn"]


def test_bad_publicity_credits_are_gone_with_the_run() -> None:
    play = Play({"bad_publicity": 3}, {"credits": 1}, turn="runner").do("run archives")
    assert play.position["run"]["credits"] == 3
    play.settle()
    assert play.runner["credits"] == 1


def test_two_copies_on_top_of_the_deck_are_accessed_one_after_the_other() -> None:
    play = Play(
        {"rd": ["Hostile Takeover", "Enigma", "Hostile Takeover"]}, {"grip": ["The Maker's Eye"]}, turn="runner"
    )
    play.do('play "The Maker\'s Eye"', "access next", "steal", "access next", "leave", "access next", "steal")
    assert titles(play.runner["score"]) == ["Hostile Takeover"] * 2
    assert play.corp["rd"] == ["Enigma"]


def test_cards_in_archives_can_not_be_trashed() -> None:
    play = Play({"archives": ["Snare!", "PAD Campaign"]}, {}, step="run.5.5", run={"server": "archives"})
    assert play.state.run is None, "nothing there does anything when accessed"


def test_an_agenda_that_costs_too_much_to_steal_is_left() -> None:
    roots = {"remote1": {"root": ["Hostile Takeover", {"card": "Red Herrings", "rezzed": True}]}}
    play = Play({"servers": roots}, {"credits": 4}, step="run.5.5", run={"server": "remote1"})
    play.do("access root:remote1:0")
    assert play.offered() == ["leave"]
    play = Play({"servers": roots}, {"credits": 5}, step="run.5.5", run={"server": "remote1"})
    play.do("access root:remote1:0")
    assert play.offered() == ["steal", "leave"]
    play.do("steal")
    assert play.runner["credits"] == 0


def test_a_trace_is_successful_only_when_it_is_greater() -> None:
    corp = {"hq": ["SEA Source"], "credits": 5}
    for link, tags in ((2, 1), (3, 0)):
        play = Play(corp, {"rig": ["Access to Globalsec"]}, last_turn=["success:hq", "successful_run"])
        play.do('play "SEA Source"', "spend 0", f"spend {link - 2}")  # two link: Kate and the card
        assert play.runner["tags"] == tags


def test_settings_say_when_a_seat_stops() -> None:
    play = Play(CORP, {}, step="corp.2.2")
    assert GAME.automatic(play.state, Seat(0)) is None, "something could be done"
    never = GAME.apply(play.state, Seat(0), Action("auto corp.2.2 never")).state
    assert GAME.automatic(never, Seat(0)) == Action("pass")
    idle = GAME.apply(never, Seat(0), Action("pass")).state
    assert GAME.automatic(idle, Seat(1)) == Action("pass")
    always = GAME.apply(idle, Seat(1), Action("auto corp.2.2 always")).state
    assert GAME.automatic(always, Seat(1)) is None


def test_a_pump_that_can_break_nothing_is_nothing_to_stop_for() -> None:
    """The run stopped before every piece of ice because a breaker could be pumped."""
    rig = {"rig": ["Battering Ram", "Gordian Blade"], "credits": 9}
    wall = {"servers": {"hq": {"ice": [{"card": "Wall of Static", "rezzed": True}]}}}
    play = Play(wall, rig, step="run.2.1", run={"server": "hq"})
    assert play.offers('use rig:"Battering Ram" 1'), "it is allowed all the same"
    assert GAME.automatic(play.state, Seat(1)) == Action("pass")
    always = GAME.apply(play.state, Seat(1), Action("auto run.2.1 always")).state
    assert GAME.automatic(always, Seat(1)) is None
    met = Play(wall, rig, step="run.3.1", run={"server": "hq"})
    assert GAME.automatic(met.state, Seat(1)) is None, "it may be broken"
    met.do('use rig:"Battering Ram" 0', "break 0")
    assert met.offers('use rig:"Battering Ram" 1')
    assert GAME.automatic(met.state, Seat(1)) == Action("pass"), "all is broken"


def test_a_pump_of_a_breaker_of_another_kind_is_nothing_to_stop_for() -> None:
    wall = {"servers": {"hq": {"ice": [{"card": "Wall of Static", "rezzed": True}]}}}
    play = Play(wall, {"rig": ["Gordian Blade"], "credits": 9}, step="run.3.1", run={"server": "hq"})
    assert play.offers('use rig:"Gordian Blade" 1')
    assert GAME.automatic(play.state, Seat(1)) == Action("pass")
    tinkered = Play(wall, {"rig": ["Crypsis"], "credits": 1}, step="run.3.1", run={"server": "hq"})
    assert GAME.automatic(tinkered.state, Seat(1)) is None, "Crypsis breaks everything"


# Windows that everybody sees are empty.


def is_idle(play: Play) -> bool:
    return GAME.pending(play.state)[0].idle


def test_a_window_is_idle_only_where_everybody_sees_that_nothing_can_be_done() -> None:
    assert is_idle(Play({}, {}, step="corp.1.1", turn="corp"))
    assert is_idle(Play({}, {"rig": ["Corroder"]}, step="runner.1.2"))
    assert not is_idle(Play(CORP, {}, step="corp.2.2")), "something can be done"


@pytest.mark.parametrize("hidden", ["Priority Requisition", "PAD Campaign", "Snare!"])
def test_an_unrezzed_card_in_a_root_makes_the_corps_window_no_idle_one_whatever_it_is(hidden: str) -> None:
    play = Play({"credits": 0, "servers": {"remote1": {"root": [hidden]}}}, {}, step="corp.2.2")
    assert not is_idle(play)


@pytest.mark.parametrize("hidden", ["Enigma", "Wall of Thorns"])
def test_unrezzed_ice_that_is_approached_makes_the_corps_window_no_idle_one(hidden: str) -> None:
    ice = {"hq": {"ice": [hidden]}}
    play = Play({"credits": 0, "servers": ice}, {}, step="run.2.3", run={"server": "hq"})
    assert is_idle(play), "the Runner's"
    assert not is_idle(play.do("pass"))
    assert is_idle(Play({"credits": 0, "servers": ice}, {}, step="run.2.1", run={"server": "hq"}).do("pass"))


INSTALLED: dict[str, Json] = {
    "hq": {"ice": [{"card": "Enigma", "rezzed": True}, "Ice Wall"]},
    "remote1": {"root": ["PAD Campaign"]},
    "remote2": {"root": [{"card": "Hostile Takeover", "advancement": 2}]},
    "remote3": {"root": ["Priority Requisition"]},
}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("rez root:remote1:0", "rez-when"),
        ("rez ice:hq:1", "rez-ice"),
        ("rez ice:hq:0", "rezzed"),
        ("rez root:remote2:0", "rez-agenda"),
        ("score root:remote2:0", "score-when"),
        ("score root:remote3:0", "score-counters"),
        ("score root:remote1:0", "not-now"),
    ],
)
def test_a_refused_rez_or_score_did_not_say_when_it_may_be_done(text: str, why: str) -> None:
    asked = Play({**CORP, "servers": INSTALLED})
    while asked.asked[1] == "window":
        asked.do("pass")
    with pytest.raises(IllegalAction) as refused:
        GAME.apply(asked.state, Seat(0), Action(text))
    assert refused.value.key == f"netrunner.error.{why}"


def test_a_card_that_can_not_be_paid_for_was_refused_as_if_the_time_were_wrong() -> None:
    play = Play({**CORP, "credits": 0, "servers": INSTALLED}, step="runner.1.2")
    play.do("pass")
    with pytest.raises(IllegalAction) as refused:
        GAME.apply(play.state, Seat(0), Action("rez root:remote1:0"))
    assert refused.value.key == "netrunner.error.rez-cost"
