"""Each new kind of hidden thing that Reign and Reverie brings, and who must not read it."""

from __future__ import annotations

import json

import pytest

from game.contract import Action, Seat, Viewer, Watcher
from game.netrunner.facts import CODES, CORP, RUNNER
from game.netrunner.queries import memory_used
from game.netrunner.rules import GAME
from game.netrunner.table import Table
from tests.answers import as_dict, as_list
from tests.netrunner.cards.scenes import corp, facing, remote, rezzed, runner
from tests.netrunner.table import Play

OTHERS = {CORP: (Seat(RUNNER), Watcher.PUBLIC), RUNNER: (Seat(CORP), Watcher.PUBLIC)}


def reads(play: Play, viewer: Viewer, title: str) -> bool:
    """Tell whether a viewer reads this title or its code in the view, in questions or in what was told."""
    view = GAME.view(play.state, viewer)
    owed = [one for one in GAME.pending(play.state) if one.seat == viewer]
    told = [event.seen_by(viewer) for event in play.events]
    text = repr(view) + json.dumps(GAME.view_json(view), ensure_ascii=False) + repr(owed) + repr(told)
    return title in text or f"'{CODES[title]}'" in text


def test_a_secret_bid_outside_an_access_is_its_bidders_alone() -> None:
    play = runner(identity="Akiko Nisei: Head Case").do("run rd").settle()
    before = {viewer: repr(GAME.view(play.state, viewer)) for viewer in OTHERS[CORP]}
    texts = set()
    for n in (0, 1, 2):
        state = GAME.apply(play.state, Seat(CORP), Action(f"bid {n}")).state
        texts.add(tuple(repr(GAME.view(state, viewer)) for viewer in OTHERS[CORP]))
    assert len(texts) == 1
    assert before


def test_cards_installed_facedown_are_known_to_the_runner_alone() -> None:
    play = runner("Reboot", heap=["Diesel", "Mimic"], rig=["Desperado"]).do('play "Reboot"', "choose heap:1", "no")
    play.events.clear()  # the heap was open until now
    for viewer in OTHERS[RUNNER]:
        assert not reads(play, viewer, "Mimic")
        position = as_dict(GAME.view_json(GAME.view(play.state, viewer))["position"])
        rig = as_list(as_dict(position["runner"])["rig"])
        assert [as_dict(card)["card"] for card in rig] == ["Desperado", "?"]
    assert reads(play, Seat(RUNNER), "Mimic")


def test_a_facedown_card_does_nothing_and_counts_as_an_installed_card() -> None:
    down = {"card": "Magnum Opus", "facedown": True}
    play = runner(rig=[down])
    assert not any(text.startswith("use") for text in play.offered())
    play = corp("Under the Bus", runner={"rig": [{"card": "Decoy", "facedown": True}]}, last_turn=["accessed"])
    play.do('play "Under the Bus"')
    assert len(play.runner["rig"]) == 1
    half = {"rd": ["Degree Mill", "Enigma"]}
    play = runner(rig=[down, {"card": "Diesel", "facedown": True}], corp=half).do("run rd", "access next")
    assert play.offered() == ["steal", "leave"]


def test_what_paragon_looks_at_is_known_to_the_runner_alone() -> None:
    play = runner(rig=["Paragon"], stack=["Ninja", "Diesel"]).do("run archives", "yes")
    assert [reads(play, viewer, "Ninja") for viewer in (Seat(RUNNER), *OTHERS[RUNNER])] == [True, False, False]
    play.do("yes")
    assert [reads(play, viewer, "Ninja") for viewer in OTHERS[RUNNER]] == [False, False]


def test_what_the_corp_arranges_for_insight_is_told_when_it_is_shown() -> None:
    play = runner("Insight", corp={"rd": ["Enigma", "Hunter", "Shadow", "Archer", "Snare!"]})
    play.do('play "Insight"', "yes")
    assert [reads(play, viewer, "Archer") for viewer in (Seat(CORP), *OTHERS[CORP])] == [True, False, False]
    play.do('order "Archer" "Shadow" "Hunter" "Enigma"')
    assert [reads(play, viewer, "Archer") for viewer in OTHERS[CORP]] == [True, True]
    assert not reads(play, Watcher.PUBLIC, "Snare!")


def test_a_card_that_was_swapped_in_is_unseen_again() -> None:
    root = [rezzed("Daruma"), {"card": "Hostile Takeover", "seen": True}]
    half = {"hq": ["Snare!", "Enigma"], "servers": remote(*root)}
    play = Play(half, {}, turn="runner", step="run.4", run={"server": "remote1"}).do("yes")
    play.do("choose root:remote1:0", 'choose "Snare!"')
    assert not any(reads(play, viewer, "Snare!") for viewer in OTHERS[CORP])
    assert reads(play, Seat(RUNNER), "Hostile Takeover")  # it is known to be in HQ now


@pytest.mark.parametrize("ice", ["Formicary", "Enigma", "Hadrian's Wall"])
def test_that_the_corp_is_asked_about_springing_ice_tells_nothing(ice: str) -> None:
    servers = {"rd": {"ice": [ice]}}
    play = Play({"servers": servers, "hq": ["Hedge Fund"]}, {}, turn="runner", step="run.4", run={"server": "hq"})
    assert play.asked == (CORP, "spring")
    assert GAME.view(play.state, Watcher.PUBLIC).awaited == ((CORP, "paid-ability"),)
    assert not reads(play, Watcher.PUBLIC, ice)


def test_peeping_tom_shows_the_grip_to_everybody() -> None:
    play = facing("Peeping Tom", step="run.3.0", grip=["Diesel", "Mimic"]).do("choose hardware")
    assert all(reads(play, viewer, "Mimic") for viewer in OTHERS[RUNNER])


def test_cards_chosen_for_a_swap_or_a_price_are_not_listed_to_others() -> None:
    servers = {"hq": {"ice": [rezzed("Enigma"), "Archer"]}}
    play = corp("Divert Power", servers=servers, credits=20).do('play "Divert Power"', "choose ice:hq:0")
    assert play.asked == (CORP, "rez-cheaper")
    assert not any(reads(play, viewer, "Archer") for viewer in OTHERS[CORP])


def test_a_runner_with_a_program_on_unknown_ice_can_count_the_memory() -> None:
    servers = {"hq": {"ice": [{"card": "Archer", "hosted": ["Ika"]}]}}
    scene = GAME.view(runner(corp={"servers": servers}).state, Seat(RUNNER)).scene
    assert memory_used(Table(scene)) == 1
