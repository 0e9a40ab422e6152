"""The Runner's neutral cards: what each does, and what it must not."""

from __future__ import annotations

from game.netrunner import queries
from game.netrunner.table import Table
from tests.netrunner.cards import does, must_not
from tests.netrunner.cards.scenes import breaks, facing, holding, rezzed, runner, strength
from tests.netrunner.table import Play, titles

ENIGMA = {"servers": {"hq": {"ice": ["Enigma", rezzed("Ice Wall")]}}}


@does("Infiltration")
def test_infiltration_gains_two_or_exposes() -> None:
    assert runner("Infiltration").do('play "Infiltration"', "choose credits").runner["credits"] == 7
    play = runner("Infiltration", corp=ENIGMA).do('play "Infiltration"', "choose expose", "choose ice:hq:0", "pass")
    assert play.corp["servers"]["hq"]["ice"][0]["seen"] is True


@must_not("Infiltration")
def test_infiltration_does_not_do_both_and_exposes_no_rezzed_card() -> None:
    play = runner("Infiltration", corp=ENIGMA).do('play "Infiltration"', "choose expose")
    assert play.offered() == ["choose ice:hq:0"]
    assert play.do("choose ice:hq:0", "pass").runner["credits"] == 5
    hidden = {"servers": {"hq": {"ice": ["Enigma", "Hunter"]}, "remote1": {"root": ["PAD Campaign"]}}}
    play = runner("Infiltration", corp=hidden).do('play "Infiltration"', "choose expose", "choose ice:hq:0", "pass")
    assert play.asked == (1, "window")
    play = runner("Infiltration", corp=ENIGMA).do('play "Infiltration"', "choose credits")
    assert (play.runner["credits"], play.asked) == (7, (1, "window"))


@does("Sure Gamble")
def test_sure_gamble_turns_five_into_nine() -> None:
    play = runner("Sure Gamble").do('play "Sure Gamble"')
    assert (play.runner["credits"], play.runner["heap"]) == (9, ["Sure Gamble"])


@must_not("Sure Gamble")
def test_sure_gamble_needs_all_five_and_gives_no_more() -> None:
    assert not runner("Sure Gamble", credits=4).offers('play "Sure Gamble"')
    play = runner("Sure Gamble", credits=6).do('play "Sure Gamble"')
    assert (play.runner["credits"], play.corp["credits"], play.runner["clicks"]) == (10, 5, 3)


@does("Crypsis")
def test_crypsis_breaks_anything_and_needs_virus_counters_to_stay() -> None:
    play = runner(rig=["Crypsis"]).do('use rig:"Crypsis" 2')
    assert (play.runner["rig"][0]["counters"], play.runner["clicks"]) == ({"virus": 1}, 3)
    play = facing("Neural Katana", holding("Crypsis", virus=1), credits=9)
    play.do(*['use rig:"Crypsis" 1'] * 3, 'use rig:"Crypsis" 0', "break 0", *["pass"] * 3, "choose counter")
    assert (titles(play.runner["rig"]), play.runner["rig"][0].get("counters", {})) == (["Crypsis"], {})
    assert play.runner["credits"] == 9 - 3 - 1
    play = facing("Rototurret", "Crypsis").do(*['use rig:"Crypsis" 0', "break 0", 'use rig:"Crypsis" 0', "break 1"])
    assert play.do("pass", "pass", "pass").runner["heap"] == ["Crypsis"]
    play = facing("Ice Wall", holding("Crypsis", virus=1)).do('use rig:"Crypsis" 1')
    assert strength(play, 'rig:"Crypsis"') == 1
    play.do('use rig:"Crypsis" 0', "break 0", "pass", "pass", "pass", "choose trash")
    assert play.runner["heap"] == ["Crypsis"]


@must_not("Crypsis")
def test_crypsis_pays_nothing_when_it_broke_nothing_and_breaks_nothing_stronger() -> None:
    play = facing("Neural Katana", holding("Crypsis", virus=1), credits=9, grip=["Diesel"] * 3)
    assert not breaks(play, "Crypsis")
    play.settle()
    assert play.runner["rig"][0]["counters"] == {"virus": 1}
    assert titles(facing("Ice Wall", "Crypsis").settle().runner["rig"]) == ["Crypsis"]
    play = facing(["Rototurret", "Rototurret"], holding("Crypsis", virus=2), "Mimic", credits=9)
    play.do('use rig:"Crypsis" 0', "break 0", 'use rig:"Mimic" 0', "break 1", "pass", "pass", "choose counter")
    play.do("continue", "pass", "pass", 'use rig:"Mimic" 0', "break 0", 'use rig:"Mimic" 0', "break 1").settle()
    assert play.runner["rig"][0]["counters"] == {"virus": 1}


@does("Access to Globalsec")
def test_access_to_globalsec_adds_a_link() -> None:
    assert queries.link(Table(runner(rig=["Access to Globalsec"] * 2).state)) == 3  # the default identity has one


@must_not("Access to Globalsec")
def test_access_to_globalsec_adds_one_and_only_when_installed() -> None:
    play = facing("Hunter", "Access to Globalsec").do("spend 0", "spend 0")
    assert play.runner["tags"] == 1
    play = facing("Hunter", grip=["Access to Globalsec"] * 3).do("spend 0", "spend 0")
    assert play.runner["tags"] == 1
    assert facing("Hunter", "Access to Globalsec").do("spend 0", "spend 1").runner["tags"] == 0


@does("Armitage Codebusting")
def test_armitage_codebusting_is_loaded_with_twelve_and_pays_two_a_click() -> None:
    play = runner("Armitage Codebusting").do('install "Armitage Codebusting"', "use rig:0 0")
    assert play.runner["rig"][0]["counters"] == {"credit": 10}
    assert (play.runner["credits"], play.runner["clicks"]) == (6, 2)


@must_not("Armitage Codebusting")
def test_armitage_codebusting_pays_no_more_than_it_holds_and_goes_when_it_is_empty() -> None:
    play = runner(rig=[holding("Armitage Codebusting", credit=2)]).do("use rig:0 0")
    assert (play.runner["credits"], play.runner["heap"]) == (7, ["Armitage Codebusting"])
    play = runner(rig=[holding("Armitage Codebusting", credit=4)]).do("use rig:0 0")
    assert (play.runner["heap"], play.runner["rig"][0]["counters"]) == ([], {"credit": 2})
    assert not Play({}, {"rig": [holding("Armitage Codebusting", credit=4)]}, step="runner.1.4").offers("use rig:0 0")
    play = runner("Corroder", rig=[holding("Armitage Codebusting", credit=4)]).do('install "Corroder"')
    assert play.runner["rig"][0]["counters"] == {"credit": 4}
