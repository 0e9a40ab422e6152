"""Every effect names the card that it comes from, where everybody may know which card that is."""

from __future__ import annotations

from typing import Any

import pytest

from game import registry
from game.contract import Action, Seat, Watcher
from tests.netrunner.cards.scenes import accessing, corp, facing, remote, runner
from tests.netrunner.table import Play

GRIP = ["Diesel"] * 4


def told(play: Play, kind: str) -> list[Any]:
    """Return the sources that the public is told of events of a kind, None where there is none."""
    return [(event.public or {}).get("source") for event in play.events if event.kind == kind]


def test_credits_of_an_operation_name_it_and_say_how_many_there_are_now() -> None:
    play = corp("Hedge Fund").do('play "Hedge Fund"')
    gained = [event.public for event in play.events if event.kind == "gained"]
    assert gained == [{"side": 0, "credits": 9, "total": 9, "source": "Hedge Fund"}]


def test_a_credit_for_a_click_comes_from_no_card() -> None:
    play = corp().do("credit")
    assert [event.public for event in play.events if event.kind == "gained"] == [{"side": 0, "credits": 1, "total": 6}]


def test_what_a_subroutine_does_names_the_ice() -> None:
    play = facing("Neural Katana", grip=GRIP).do("pass", "pass")
    assert told(play, "damage") == ["Neural Katana"]
    assert told(play, "subroutine") == [None], "it names the ice as its card"


@pytest.mark.parametrize("zone", ["hq", "rd"])
def test_an_ambush_that_all_have_seen_is_named(zone: str) -> None:
    play = runner(*GRIP, corp={zone: ["Snare!"]}).do(f"run {zone}", "access next", "yes")
    assert (told(play, "damage"), told(play, "tags")) == (["Snare!"], ["Snare!"])
    assert told(accessing("Snare!", grip=GRIP).do("yes"), "damage") == ["Snare!"]


def test_the_source_of_what_hurts_is_named_also_when_it_lies_face_down() -> None:
    servers = remote({"card": "Project Junebug", "advancement": 2})
    play = runner(*GRIP, corp={"servers": servers, "credits": 9}).do("run remote1", "access root:remote1:0", "yes")
    assert told(play, "damage") == ["Project Junebug"], "who accesses it sees it, and in a root everybody is told"


def test_what_happens_in_a_run_does_not_come_from_the_card_that_began_it() -> None:
    play = runner("Inside Job", corp={"hq": ["Hedge Fund"]}).do('play "Inside Job"', "choose hq")
    assert told(play, "run") == [None]
    play.do("access next", "leave")
    assert set(told(play, "accessed") + told(play, "successful") + told(play, "run-over")) == {None}


def test_a_card_that_says_what_it_does_itself_is_not_named_twice() -> None:
    play = runner(rig=[{"card": "Armitage Codebusting", "counters": {"credit": 6}}]).do("use rig:0 0")
    assert told(play, "counters") == [None]
    assert told(play, "gained") == ["Armitage Codebusting"]


def test_an_unshown_card_of_r_and_d_is_no_source_before_it_is_revealed() -> None:
    """An event of an access names its card only from the moment in which everybody sees it."""
    play = runner(corp={"rd": ["The Future Perfect"] * 3}).do("run rd", "access next", "bid 0", "bid 1")
    kinds = [event.kind for event in play.events]
    named = [event.kind for event in play.events if (event.public or {}).get("source") == "The Future Perfect"]
    assert "bids" in named
    assert "accessed" not in named
    assert kinds.index("accessed") < kinds.index("revealed") < kinds.index("bids")


def test_version_1_tells_what_it_always_told() -> None:
    game = registry.get("netrunner", 1)
    state = game.read_position({"corp": {"hq": ["Hedge Fund"]}, "runner": {}, "turn": "corp"}, {})
    step = game.apply(state, Seat(0), Action('play "Hedge Fund"'))
    assert all(set(event.seen_by(Watcher.PUBLIC) or {}) <= {"side", "card", "credits"} for event in step.events)
