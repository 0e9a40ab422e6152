"""Cards of a set that is not entered yet, tried out as entries: today's words are enough for them.

docs/decisions/netrunner-next-set.md says what the others need. When the set is entered, its entries replace these.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from game.netrunner.cards import ENTRIES
from game.netrunner.cards.phrases import END, TAG, breaks, pump, run
from game.netrunner.facts import CODES
from game.netrunner.vocabulary import (
    Choose,
    Damage,
    Draw,
    Either,
    Entry,
    Gain,
    GiveTags,
    If,
    InstallTarget,
    May,
    On,
    TakeBadPublicity,
    Trace,
    Trash,
)
from tests.netrunner.cards.scenes import corp, facing, remote, rezzed, runner, scoring
from tests.netrunner.table import Play, titles

MORE = (Either(("credits", (Gain(2),)), ("cards", (Draw(2),))),)
TRIED = {
    "Building Blocks": Entry(play=(Choose("hq barrier", (InstallTarget(free=True),)),)),
    "Fly on the Wall": Entry(on=(On("score", (TAG,), "self"),)),
    "Hot Pursuit": Entry(play=run("hq"), on=(On("success", (Gain(9), GiveTags(1)), "server:hq"),)),
    "Hydra": Entry(
        subs=(
            (If("tagged", (Damage("net", 3),), (TAG,)),),
            (If("tagged", (Gain(5),), (TAG,)),),
            (If("tagged", END, (TAG,)),),
        ),
    ),
    "SIU": Entry(on=(On("turn-begins", (May((Trash("self"), Trace(3, (TAG,)))),), "my-turn"),)),
    "Sportsmetal": Entry(on=(On("score", MORE), On("steal", MORE))),
    "Tycoon": Entry(
        abilities=(breaks(1, "barrier", 2), pump(2, 3)),
        on=(On("encounter-ends", (Gain(2, "corp"),), "broke"),),
    ),
    "Under the Bus": Entry(
        play_if="last-turn:accessed", play=(Choose("rig connection", (Trash(),)), TakeBadPublicity(1))
    ),
}


@pytest.fixture(autouse=True)
def entered() -> Iterator[None]:
    """Enter the cards for one test."""
    entries: dict[str, Any] = ENTRIES  # type: ignore[assignment]
    codes = {CODES[title]: entry for title, entry in TRIED.items() if CODES[title] not in entries}
    entries.update(codes)
    yield
    for code in codes:
        del entries[code]


def test_building_blocks_install_a_barrier_rezzed_for_nothing() -> None:
    play = corp("Building Blocks", "Hadrian's Wall", "Enigma").do('play "Building Blocks"')
    assert play.offered() == ['choose "Hadrian\'s Wall"', "no"]
    play.do('choose "Hadrian\'s Wall"', 'install "Hadrian\'s Wall" hq')
    assert play.corp["servers"]["hq"]["ice"][0]["rezzed"] is True


def test_agendas_do_something_when_they_are_scored_or_stolen() -> None:
    assert scoring("Fly on the Wall", 3).runner["tags"] == 1
    sports = {"identity": "Sportsmetal: Go Big or Go Home", "rd": ["Hostile Takeover", *["Enigma"] * 5]}
    play = runner(corp=sports).do("run rd", "access next", "steal", "choose cards")
    assert play.corp["hq"][-2:] == ["Enigma", "Enigma"]


def test_hot_pursuit_gains_and_tags_before_the_breach() -> None:
    play = runner("Hot Pursuit").do('play "Hot Pursuit"', "access next")
    assert (play.runner["credits"], play.runner["tags"]) == (12, 1)


def test_hydra_tags_the_untagged_and_bites_the_tagged() -> None:
    play = facing("Hydra", grip=["Diesel"] * 4).settle()
    assert (play.runner["tags"], len(play.runner["grip"]), play.corp["credits"], play.state.run) == (1, 4, 10, None)
    assert len(facing("Hydra", grip=["Diesel"] * 4, tags=1).settle().runner["grip"]) == 1


def test_siu_is_trashed_for_a_trace() -> None:
    play = Play({"servers": remote(rezzed("SIU"))}, {}, step="corp.1.2").do("yes", "spend 0", "spend 0")
    assert (play.runner["tags"], titles(play.corp["archives"])) == (1, ["SIU"])


def test_tycoon_breaks_two_and_pays_the_corp() -> None:
    play = facing("Wall of Thorns", "Tycoon", credits=9).do('use rig:"Tycoon" 1', 'use rig:"Tycoon" 1')
    play.do('use rig:"Tycoon" 0', "break 0 1", "access next")
    assert (play.corp["credits"], play.runner["credits"]) == (7, 4)


def test_under_the_bus_trashes_a_connection_after_an_access() -> None:
    play = corp("Under the Bus", runner={"rig": ["Decoy", "Wyldside"]}, last_turn=["accessed"])
    assert play.do('play "Under the Bus"').offered() == ['choose rig:"Decoy"']
    play.do('choose rig:"Decoy"')
    assert (play.runner["heap"], play.corp["bad_publicity"]) == (["Decoy"], 1)
    assert not corp("Under the Bus", runner={"rig": ["Decoy"]}).offers('play "Under the Bus"')
