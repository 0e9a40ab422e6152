"""What each version of the rules changed, in it and in the one before (`game/netrunner/changes.py`)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from game import registry
from game.__main__ import main
from game.changes import Change
from game.choices import expand
from game.contract import Action, Game, Json, Seat, Watcher
from game.errors import BadNotation, IllegalAction
from game.netrunner import changes
from game.netrunner.facts import SIDES
from game.netrunner.state import State
from tests.answers import as_dict, told

CAMPAIGNS: Json = {"remote1": {"root": ["PAD Campaign"]}, "remote2": {"root": ["PAD Campaign"]}}
FIRST: Game[State, Any] = registry.get("netrunner", 1)
SECOND: Game[State, Any] = registry.get("netrunner", 2)


def table(game: Game[State, Any], *texts: str) -> State:
    """Return the Corp's turn with two unrezzed campaigns, against Fall Guy, after some actions of who is asked."""
    corp: dict[str, Json] = {"rd": [*("Hunter",) * 9], "credits": 20, "servers": CAMPAIGNS}
    state = game.read_position({"corp": corp, "runner": {"rig": ["Fall Guy"]}}, {})
    for text in texts:
        state = game.apply(state, game.pending(state)[0].seat, Action(text)).state
    return state


def played(game: Game[State, Any], position: dict[str, Any], *texts: str) -> State:
    """Return a position under a version's rules after some actions: of who is asked, or of a side that is named."""
    state = game.read_position(position, {})
    for text in texts:
        side, colon, rest = text.partition(": ")
        seat = Seat(SIDES.index(side)) if colon else game.pending(state)[0].seat
        state = game.apply(state, seat, Action(rest if colon else text)).state
    return state


def refused(game: Game[State, Any], state: State, seat: int, text: str) -> bool:
    """Tell whether a seat may not do this now."""
    try:
        game.apply(state, Seat(seat), Action(text))
    except IllegalAction:
        return True
    return False


def offered(game: Game[State, Any], state: State) -> list[str]:
    """Return what is offered."""
    return [action.text for owed in game.pending(state) for action in expand(owed.choice)]


def asked(game: Game[State, Any], state: State) -> tuple[int, str]:
    """Return who is asked, and what."""
    owed = game.pending(state)[0]
    return int(owed.seat), owed.prompt


def test_a_pass_after_an_action_of_ones_own_closed_the_window_in_version_1() -> None:
    state = table(FIRST, "credit", "rez root:remote1:0", "pass", "pass")
    assert asked(FIRST, state) == (0, "action")


def test_a_window_closes_after_two_passes_in_succession_having_done_nothing() -> None:
    """After "Corp rezzes, Corp passes, Runner passes" the Corp was not asked once more (S4, step 4)."""
    state = table(SECOND, "credit", "rez root:remote1:0", "pass", "pass")
    assert asked(SECOND, state) == (0, "window")
    again = SECOND.apply(state, SECOND.pending(state)[0].seat, Action("rez root:remote2:0")).state
    assert asked(SECOND, again) == (0, "window")
    closed = SECOND.apply(state, SECOND.pending(state)[0].seat, Action("pass")).state
    assert asked(SECOND, closed) == (0, "action")


def test_two_passes_of_players_who_have_done_nothing_close_a_window_in_both() -> None:
    for game in (FIRST, SECOND):
        assert asked(game, table(game, "credit", "pass", "pass")) == (0, "action")


def test_the_runner_who_acts_is_asked_again_too() -> None:
    state = table(SECOND, "credit", "pass", 'use rig:"Fall Guy" 1', "pass", "pass")
    assert asked(SECOND, state) == (1, "window")


def test_the_pass_of_whoever_openly_can_do_nothing_goes_without_saying() -> None:
    state = SECOND.read_position({"corp": {"hq": ["Hedge Fund"]}, "turn": "runner"}, {})
    for text in ("credit", "pass"):
        state = SECOND.apply(state, Seat(1), Action(text)).state
    assert asked(SECOND, state) == (0, "window")
    assert SECOND.apply(state, Seat(1), Action("credit")).state.credits == (5, 7)
    with pytest.raises(IllegalAction):
        SECOND.apply(state, Seat(1), Action("pass"))
    hidden = table(SECOND, "credit", "rez root:remote1:0", "pass", "pass")
    with pytest.raises(IllegalAction):
        SECOND.apply(hidden, Seat(1), Action('use rig:"Fall Guy" 1'))


def test_a_state_goes_on_under_its_own_version_whoever_is_asked() -> None:
    old = table(FIRST, "credit", "rez root:remote1:0", "pass")
    assert asked(SECOND, SECOND.apply(old, SECOND.pending(old)[0].seat, Action("pass")).state) == (0, "action")


def test_a_half_resolved_position_is_read_under_the_version_that_wrote_it_only() -> None:
    written = FIRST.write_position(table(FIRST, "credit", "rez root:remote1:0", "pass"))
    assert FIRST.write_position(FIRST.read_position(written, {})) == written
    with pytest.raises(BadNotation):
        SECOND.read_position(written, {})


def test_a_dump_of_version_1_names_no_version_and_any_other_does() -> None:
    assert "version" not in as_dict(FIRST.dump(table(FIRST)))
    dumped = as_dict(SECOND.dump(table(SECOND)))
    assert dumped["version"] == 2
    with pytest.raises(BadNotation):
        SECOND.load({**dumped, "version": 99})


def test_every_version_that_came_after_the_first_changed_something() -> None:
    since = {one.since for one in vars(changes).values() if isinstance(one, Change)}
    assert since == set(range(2, changes.NEWEST + 1))


# Who speaks first at the rez of the approached ice (§1.8, 2.3).


AT_ICE = {"corp": {"servers": {"hq": {"ice": ["Enigma"]}}}, "run": {"server": "hq"}, "step": "run.2.3"}


def test_the_corp_rezzed_the_approached_ice_before_the_runner_had_spoken() -> None:
    """With Gordian Blade in the rig the Runner may act at 2.3, and comes first."""
    busy = {**AT_ICE, "runner": {"rig": ["Gordian Blade"]}}
    assert refused(SECOND, played(SECOND, busy), 0, "rez ice:hq:0")
    assert played(SECOND, busy, "pass", "rez ice:hq:0").cards != played(SECOND, busy).cards
    assert not refused(FIRST, played(FIRST, busy), 0, "rez ice:hq:0")


def test_a_runner_who_can_do_nothing_at_the_ice_is_passed_for() -> None:
    for game in (FIRST, SECOND):
        assert played(game, AT_ICE, "corp: rez ice:hq:0").credits == (2, 5)
    weak = {**AT_ICE, "runner": {"rig": ["Corroder"]}}
    assert played(SECOND, weak, "corp: rez ice:hq:0").credits == (2, 5), "it is pumped in an encounter only"


# The window of an encounter whose ice is uninstalled (§1.8 [3]).


EATEN = {
    "corp": {
        "servers": {
            "hq": {
                "ice": [{"card": "Enigma", "rezzed": True, "hosted": [{"card": "Parasite", "counters": {"virus": 1}}]}]
            },
            "remote1": {"root": ["Hostile Takeover"]},
        },
        "score": [{"card": "AstroScript Pilot Program", "counters": {"agenda": 1}}],
    },
    "runner": {"rig": [{"card": "Datasucker", "counters": {"virus": 2}}, "Gordian Blade", "Fall Guy"]},
    "run": {"server": "hq"},
    "step": "run.3.1",
}


def step_of(state: State) -> str:
    """Return the step of the run that goes on."""
    assert state.run is not None
    return state.run.step


def test_the_window_of_an_encounter_was_shut_when_its_ice_was_uninstalled() -> None:
    eaten = 'use rig:"Datasucker" 0'
    assert asked(FIRST, played(FIRST, EATEN, eaten)) == (1, "window")
    assert step_of(played(FIRST, EATEN, eaten)) == "run.5.1"
    state = played(SECOND, EATEN, eaten)
    assert (asked(SECOND, state), step_of(state)) == ((1, "window"), "run.3.1")
    assert offered(SECOND, state) == ['use rig:"Gordian Blade" 1', 'use rig:"Fall Guy" 1', "pass"]
    later = played(
        SECOND, EATEN, eaten, 'use rig:"Fall Guy" 1', "pass", "use score:0 0", "choose root:remote1:0", "pass"
    )
    assert (asked(SECOND, later), step_of(later)) == ((1, "window"), "run.3.1")
    passed = played(SECOND, EATEN, eaten, "pass", "pass", "pass")
    assert (asked(SECOND, passed), step_of(passed)) == ((1, "window"), "run.5.1")


def test_an_empty_remote_whose_last_ice_is_gone_ends_the_run_at_once() -> None:
    ice = EATEN["corp"]["servers"]["hq"]  # type: ignore[index]
    bare = {**EATEN, "corp": {"servers": {"remote1": ice}}, "run": {"server": "remote1"}}
    for game in (FIRST, SECOND):
        assert played(game, bare, 'use rig:"Datasucker" 0').run is None


# "If successful" comes before "when successful" (§1.8, 5.4).


SIPHON = {
    "corp": {"credits": 3, "hq": ["Hedge Fund"]},
    "runner": {"identity": "Gabriel Santiago", "credits": 0, "grip": ["Account Siphon"], "rig": ["Desperado"]},
    "turn": "runner",
}


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_what_waits_for_a_success_was_paid_before_account_siphon_was_asked(answer: str) -> None:
    texts = ['play "Account Siphon"', "pass", "pass", "continue", "pass", "pass"]
    old, new = played(FIRST, SIPHON, *texts), played(SECOND, SIPHON, *texts)
    assert (asked(FIRST, old), old.credits, step_of(old)) == ((1, "may"), (3, 3), "run.5.5")
    assert (asked(SECOND, new), new.credits, step_of(new)) == ((1, "may"), (3, 0), "run.5.4")
    end = played(SECOND, SIPHON, *texts, answer)
    assert end.credits == ((0, 9) if answer == "yes" else (3, 3))
    assert end.this_turn.count("success:hq") == 1
    assert end.credits == played(FIRST, SIPHON, *texts, answer).credits


def test_reboot_installs_before_what_waits_for_the_success() -> None:
    rig = {"heap": ["Diesel"], "grip": ["Reboot"], "rig": ["Hijacked Router"]}
    position = {"corp": {"archives": ["Hedge Fund"]}, "runner": rig, "turn": "runner"}
    texts = ['play "Reboot"', "pass", "pass", "continue", "pass", "pass"]
    assert asked(SECOND, played(SECOND, position, *texts)) == (1, "choose")
    assert asked(SECOND, played(SECOND, position, *texts, "no")) == (1, "may")
    assert asked(FIRST, played(FIRST, position, *texts)) == (1, "may")


# Interface: Wyrm weakens what it matches (§1.8, Breaking).


def wall(game: Game[State, Any], *texts: str) -> State:
    """Return Wyrm's encounter with Wall of Static."""
    ice = {"hq": {"ice": [{"card": "Wall of Static", "rezzed": True}]}}
    position = {"corp": {"servers": ice}, "runner": {"rig": ["Wyrm"], "credits": 9}, "step": "run.3.1"}
    return played(game, {**position, "run": {"server": "hq"}}, *texts)


def test_wyrm_weakened_ice_that_is_stronger_than_itself() -> None:
    assert not refused(FIRST, wall(FIRST), 1, 'use rig:"Wyrm" 1')
    pump = ['use rig:"Wyrm" 2'] * 2
    assert refused(SECOND, wall(SECOND), 1, 'use rig:"Wyrm" 1')
    assert refused(SECOND, wall(SECOND, *pump[:1]), 1, 'use rig:"Wyrm" 1')
    state = wall(SECOND, *pump, *['use rig:"Wyrm" 1'] * 3, 'use rig:"Wyrm" 0', "break 0")
    assert state.run is not None
    assert (state.credits[1], state.run.broken) == (1, (0,))


# What is offered and asked in vain (§6.6).


@pytest.mark.parametrize(
    ("runner", "servers", "word"),
    [
        ({"grip": ["Infiltration"]}, {"hq": {"ice": [{"card": "Enigma", "rezzed": True}]}}, "expose"),
        ({"grip": ["Déjà Vu"], "heap": ["Diesel"]}, {}, "viruses"),
    ],
)
def test_a_choice_without_an_object_was_offered(runner: dict[str, Any], servers: Any, word: str) -> None:
    position = {"corp": {"servers": servers}, "runner": runner, "turn": "runner"}
    text = f'play "{runner["grip"][0]}"'
    assert f"choose {word}" in offered(FIRST, played(FIRST, position, text))
    assert len(offered(SECOND, played(SECOND, position, text))) == 1
    assert refused(SECOND, played(SECOND, position, text), 1, f"choose {word}")


def test_infiltration_exposes_what_there_is_to_expose() -> None:
    corp = {"servers": {"hq": {"ice": ["Enigma"]}}}
    position = {"corp": corp, "runner": {"grip": ["Infiltration"]}, "turn": "runner"}
    assert offered(SECOND, played(SECOND, position, 'play "Infiltration"')) == ["choose credits", "choose expose"]


IN_HQ = {"runner": {"grip": ["Diesel"] * 4}, "run": {"server": "hq"}, "step": "run.5.5"}
ROTOTURRET = {"hq": {"ice": [{"card": "Rototurret", "rezzed": True}]}}
FEMME = [{"card": "Femme Fatale", "note": {"ice": "ice:hq:0"}}]
VAIN: list[tuple[dict[str, Any], list[str], tuple[int, str]]] = [
    ({"corp": {"hq": ["Snare!"], "credits": 3}, **IN_HQ}, ["access next"], (1, "accessed")),
    ({"corp": {"rd": ["Snare!"], "credits": 3}, **IN_HQ, "run": {"server": "rd"}}, ["access next"], (1, "accessed")),
    ({"corp": {"hq": ["Shi.Kyū"], "credits": 0}, **IN_HQ}, ["access next"], (1, "accessed")),
    (
        {"corp": {"servers": ROTOTURRET}, "runner": {"rig": FEMME, "credits": 1}, "run": {"server": "hq"}}
        | {"step": "run.3.0"},
        [],
        (1, "window"),
    ),
    ({"runner": {"rig": ["Algernon"], "credits": 1}, "step": "runner.1.3"}, [], (1, "window")),
    ({"corp": {"hq": ["Divert Power"], "credits": 9}}, ['play "Divert Power"'], (0, "window")),
]


@pytest.mark.parametrize(("position", "texts", "then"), VAIN)
def test_a_question_that_all_see_cant_be_answered_yes_was_asked(
    position: dict[str, Any], texts: list[str], then: tuple[int, str]
) -> None:
    old = played(FIRST, position, *texts)
    assert set(offered(FIRST, old)) <= {"no", "spend 0"}
    assert asked(SECOND, played(SECOND, position, *texts)) == then


@pytest.mark.parametrize(
    ("position", "texts", "then"),
    [
        ({"corp": {"hq": ["Snare!"], "credits": 4}, **IN_HQ}, ["access next"], (0, "may")),
        ({"corp": {"rd": ["Hedge Fund"]}, **IN_HQ, "run": {"server": "rd"}}, ["access next"], (1, "accessed")),
        (
            {"runner": {"grip": ["Special Order"], "stack": ["Diesel"]}, "turn": "runner"},
            ['play "Special Order"'],
            (1, "choose"),
        ),
        (
            {"corp": {"hq": ["Divert Power"], "credits": 2, "servers": CAMPAIGNS}},
            ['play "Divert Power"'],
            (0, "rez-cheaper"),
        ),
    ],
)
def test_what_depends_on_something_hidden_is_asked_though_there_is_one_answer(
    position: dict[str, Any], texts: list[str], then: tuple[int, str]
) -> None:
    for game in (FIRST, SECOND):
        assert asked(game, played(game, position, *texts)) == then


# What both players are told, the public is told (§6.7).


@pytest.mark.parametrize(
    ("server", "corp", "text"),
    [
        ("hq", {"hq": ["Hedge Fund"]}, "access next"),
        ("remote1", {"servers": {"remote1": {"root": ["PAD Campaign"]}}}, "access root:remote1:0"),
        ("hq", {"servers": {"hq": {"root": ["Red Herrings"]}}}, "access root:hq:0"),
    ],
)
def test_the_public_was_not_told_what_both_players_saw_accessed(server: str, corp: dict[str, Any], text: str) -> None:
    position = {"corp": corp, "run": {"server": server}, "step": "run.5.5"}
    for game, is_public in ((FIRST, False), (SECOND, True)):
        state = played(game, position)
        step = game.apply(state, Seat(1), Action(text))
        event = next(event for event in step.events if event.kind == "accessed")
        name = told(event, Seat(0))["card"]
        assert name == told(event, Seat(1))["card"]
        assert told(event)["card"] == (name if is_public else None)
        assert (str(name) in str(game.view_json(game.view(step.state, Watcher.PUBLIC)))) is is_public


def test_the_public_and_the_corp_are_not_told_what_is_accessed_in_rd() -> None:
    position = {"corp": {"rd": ["Hedge Fund"] * 3}, "run": {"server": "rd"}, "step": "run.5.5"}
    step = SECOND.apply(played(SECOND, position), Seat(1), Action("access next"))
    for viewer in (Seat(0), Watcher.PUBLIC):
        assert "Hedge Fund" not in str([event.seen_by(viewer) for event in step.events])
        assert "Hedge Fund" not in str(SECOND.view_json(SECOND.view(step.state, viewer)))


# Positions that cannot be (§6.8).


IMPOSSIBLE: list[dict[str, Any]] = [
    {"runner": {"rig": [{"card": "Djinn", "hosted": ["Sure Gamble"]}]}},
    {"runner": {"rig": [{"card": "Djinn", "hosted": ["Corroder"]}]}},
    {"runner": {"rig": [{"card": "Djinn", "hosted": ["Magnum Opus", "Sneakdoor Beta"]}]}},
    {"runner": {"rig": [{"card": "Corroder", "hosted": ["Datasucker"]}]}},
    {"runner": {"rig": [{"card": "Datasucker", "hosted": ["The Personal Touch"]}]}},
    {"runner": {"rig": [{"card": "Corroder", "hosted": ["Parasite"]}]}},
    {"runner": {"rig": [{"card": "Djinn", "hosted": ["Noise"]}]}},
    {"corp": {"servers": {"remote1": {"root": ["Hostile Takeover", "Priority Requisition"]}}}},
    {"corp": {"servers": {"remote1": {"root": ["Hostile Takeover", "PAD Campaign"]}}}},
    {"corp": {"servers": {"remote1": {"root": ["SanSan City Grid", "SanSan City Grid"]}}}},
    {"corp": {"servers": {"rd": {"root": ["Research Station"]}}}},
    {"corp": {"servers": {"remote1": {"root": [{"card": "Hostile Takeover", "rezzed": True}]}}}},
    {"corp": {"current": ["Hedge Fund"]}},
    {"this_turn": ["danced"]},
    {"last_turn": ["run:mars"]},
]
POSSIBLE: list[dict[str, Any]] = [
    {"runner": {"rig": [{"card": "Djinn", "hosted": ["Datasucker", "Medium"]}, "Parasite"]}},
    {"runner": {"rig": [{"card": "Corroder", "hosted": ["The Personal Touch"]}]}},
    {"runner": {"rig": [{"card": "DJ Fenris", "hosted": ["Noise"]}]}},
    {"corp": {"servers": {"hq": {"ice": [{"card": "Enigma", "hosted": ["Parasite"]}], "root": ["Research Station"]}}}},
    {"corp": {"servers": {"hq": {"ice": [{"card": "Enigma", "hosted": ["Ika", "Kyuban", "Eavesdrop"]}]}}}},
    {"corp": {"servers": {"remote1": {"root": ["Hostile Takeover", "SanSan City Grid", "Red Herrings"]}}}},
    {"corp": {"servers": {"rd": {"root": ["SanSan City Grid"]}, "remote1": {"root": ["SanSan City Grid"]}}}},
    {"corp": {"current": ["Kill Switch"]}},
    {
        "this_turn": [
            *("made_run", "run:hq", "success:remote12", "success", "successful_run", "unsuccessful_run", "run_ended"),
            *("installed", "installed:program", "scored", "scored-id:7", "stole", "accessed", "trashed_corp_card"),
            *("damage:net", "used:12", "rezzed-id:3", "accessed-trashed", "tag-gone", "trashed:program-or-hardware"),
        ]
    },
]


@pytest.mark.parametrize("position", IMPOSSIBLE)
def test_a_position_that_cannot_be_was_read(position: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    assert FIRST.pending(FIRST.read_position(position, {}))
    with pytest.raises(BadNotation):
        SECOND.read_position(position, {})
    assert main(["legal", "netrunner", "--position", json.dumps(position)]) == 2
    assert main(["legal", "netrunner", "--rules-version", "1", "--position", json.dumps(position)]) == 0
    capsys.readouterr()


@pytest.mark.parametrize("position", POSSIBLE)
def test_a_position_that_can_be_is_read_in_both(position: dict[str, Any]) -> None:
    for game in (FIRST, SECOND):
        assert game.pending(game.read_position(position, {}))


# What later cards ask about a turn (§6.9).


def test_an_archives_run_left_no_access_where_no_card_there_matters() -> None:
    corp = {"archives": ["Hedge Fund"], "hq": ["Under the Bus"], "rd": ["Hunter"] * 3}
    position = {"corp": corp, "runner": {"rig": ["Fall Guy"]}, "run": {"server": "archives"}, "step": "run.5.5"}
    assert "accessed" not in played(FIRST, position).this_turn
    state = played(SECOND, position)
    assert "accessed" in state.this_turn
    while state.turn == 1 or asked(SECOND, state)[1] != "action":
        text = next(one for one in ("pass", "credit") if one in offered(SECOND, state))
        state = SECOND.apply(state, SECOND.pending(state)[0].seat, Action(text)).state
    assert 'play "Under the Bus"' in offered(SECOND, state)
    empty = {**position, "corp": {"archives": []}}
    assert "accessed" not in played(SECOND, empty).this_turn


def test_ice_that_a_parasite_trashed_was_no_card_that_the_runner_had_trashed() -> None:
    ate = 'use rig:"Datasucker" 0'
    assert "trashed_corp_card" not in played(FIRST, EATEN, ate).this_turn
    assert "trashed_corp_card" in played(SECOND, EATEN, ate).this_turn


def test_a_payment_said_how_much_but_not_from_where() -> None:
    rig: Json = [{"card": "The Toolbox", "counters": {"recurring": 2}}, "Corroder"]
    ice: Json = {"hq": {"ice": [{"card": "Wall of Static", "rezzed": True}]}}
    run: dict[str, Any] = {"step": "run.3.1", "run": {"server": "hq"}}
    told_from: list[Any] = []
    for game in (FIRST, SECOND):
        state = played(game, {**run, "corp": {"servers": ice}, "runner": {"rig": rig}}, 'use rig:"Corroder" 1')
        events = game.apply(state, Seat(1), Action('pay rig:"The Toolbox" 1')).events
        told_from += [event.public.get("from") for event in events if event.kind == "paid" and event.public]
    assert told_from == [None, {"The Toolbox": 1}]
