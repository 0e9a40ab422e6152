"""Cards of other sets: what each does, and what it must not."""

from __future__ import annotations

from typing import Any

from game import registry
from game.contract import Action, Seat
from tests.netrunner.cards import does, must_not
from tests.netrunner.cards.scenes import accessing, corp, facing, remote, rezzed, runner, scoring
from tests.netrunner.table import Play, titles

RULES = registry.get("netrunner")


def on_rd(card: str, *grip: str, corp: dict[str, Any] | None = None, **more: Any) -> Play:
    """Return the Runner accessing the top card of R&D."""
    return runner(*grip, corp={"rd": [card, "Enigma"], **(corp or {})}, **more).do("run rd", "access next")


@does("Fall Guy")
def test_fall_guy_saves_another_resource_or_is_sold() -> None:
    play = corp(runner={"rig": ["Wyldside", "Fall Guy"], "tags": 1})
    play.do('trash-resource rig:"Wyldside"', 'use rig:"Fall Guy" 0')
    assert (titles(play.runner["rig"]), play.runner["heap"]) == (["Wyldside"], ["Fall Guy"])
    play = Play({}, {"rig": ["Fall Guy"]}, step="runner.1.2").do('use rig:"Fall Guy" 1')
    assert (play.runner["credits"], play.runner["heap"]) == (7, ["Fall Guy"])


@must_not("Fall Guy")
def test_fall_guy_saves_neither_itself_nor_a_program_and_only_one_card() -> None:
    play = corp(runner={"rig": ["Fall Guy"], "tags": 1}).do('trash-resource rig:"Fall Guy"')
    assert (play.asked, play.runner["heap"], play.runner["credits"]) == ((0, "window"), ["Fall Guy"], 5)
    play = facing("Rototurret", "Fall Guy", "Mimic").do("pass", "pass", 'choose rig:"Mimic"')
    assert (titles(play.runner["rig"]), play.state.run) == (["Fall Guy"], None)


@does("NAPD Contract")
def test_napd_contract_costs_four_to_steal_and_more_to_score_with_bad_publicity() -> None:
    play = on_rd("NAPD Contract")
    assert play.offered() == ["steal", "leave"]
    assert play.do("steal").runner["credits"] == 1
    servers = remote({"card": "NAPD Contract", "advancement": 4})
    assert not corp(servers=servers, bad_publicity=1, step="corp.2.2").offers("score root:remote1:0")


@must_not("NAPD Contract")
def test_napd_contract_is_not_stolen_for_three_and_costs_no_fifth_credit() -> None:
    assert on_rd("NAPD Contract", credits=3).offered() == ["leave"]
    assert on_rd("NAPD Contract", credits=4).do("steal").runner["credits"] == 0
    servers = remote({"card": "NAPD Contract", "advancement": 4})
    assert corp(servers=servers, step="corp.2.2").offers("score root:remote1:0")
    servers = remote({"card": "NAPD Contract", "advancement": 5})
    assert corp(servers=servers, bad_publicity=1, step="corp.2.2").offers("score root:remote1:0")


@does("The Future Perfect")
def test_the_future_perfect_is_not_stolen_when_the_bids_differ() -> None:
    play = on_rd("The Future Perfect").do("bid 2", "bid 1")
    assert (play.offered(), play.corp["credits"], play.runner["credits"]) == (["leave"], 3, 4)


@must_not("The Future Perfect")
def test_the_future_perfect_is_stolen_when_the_bids_are_equal_or_it_was_installed() -> None:
    assert on_rd("The Future Perfect").do("bid 1", "bid 1").offered() == ["steal"]
    assert not on_rd("The Future Perfect").offers("bid 3")
    play = runner(corp={"servers": remote("The Future Perfect")}).do("run remote1", "access root:remote1:0")
    assert play.offered() == ["steal"]


@does("Obokata Protocol")
def test_obokata_protocol_costs_four_net_damage_to_steal() -> None:
    play = on_rd("Obokata Protocol", *["Diesel"] * 5)
    assert play.offered() == ["steal", "leave"]
    assert len(play.do("steal").runner["grip"]) == 1


def test_nothing_said_what_the_damage_was_for_that_is_paid_to_steal() -> None:
    """Who died of it was flatlined by a card that nobody had named, but for the Runner."""
    state = on_rd("Obokata Protocol", *["Diesel"] * 3).state
    told = RULES.apply(state, Seat(1), Action("steal")).events
    (hurt,) = [event for event in told if event.kind == "damage"]
    assert hurt.public is not None
    assert hurt.public["source"] == "Obokata Protocol"


@must_not("Obokata Protocol")
def test_obokata_protocol_hurts_nobody_who_leaves_it_and_is_kept_when_damage_is_prevented() -> None:
    assert len(on_rd("Obokata Protocol", *["Diesel"] * 4).do("leave").runner["grip"]) == 4
    assert on_rd("Obokata Protocol", *["Diesel"] * 4).do("steal").state.outcome is None
    play = on_rd("Obokata Protocol", *["Diesel"] * 4, rig=["Net Shield"]).do("steal", 'use rig:"Net Shield" 0')
    assert play.runner["score"] == []


@does("Ikawah Project")
def test_ikawah_project_costs_a_click_and_two_credits_to_steal() -> None:
    play = on_rd("Ikawah Project")
    assert play.offered() == ["steal", "leave"]
    play.do("steal")
    assert (play.runner["clicks"], play.runner["credits"]) == (2, 3)


@must_not("Ikawah Project")
def test_ikawah_project_is_not_stolen_for_a_part_of_its_cost() -> None:
    assert on_rd("Ikawah Project", clicks=1).offered() == ["leave"]
    assert on_rd("Ikawah Project", credits=1).offered() == ["leave"]
    play = on_rd("Ikawah Project", clicks=2, credits=2).do("steal")
    assert (play.runner["clicks"], play.runner["credits"]) == (0, 0)


@does("Degree Mill")
def test_degree_mill_costs_two_installed_cards_to_steal() -> None:
    play = on_rd("Degree Mill", rig=["Corroder", "Mimic", "Ninja"], stack=[])
    assert play.offered() == ["steal", "leave"]
    play.do("steal", 'choose rig:"Corroder"', 'choose rig:"Ninja"')
    assert (titles(play.runner["rig"]), sorted(play.runner["stack"])) == (["Mimic"], ["Corroder", "Ninja"])


@must_not("Degree Mill")
def test_degree_mill_is_not_stolen_for_one_card_and_takes_no_third() -> None:
    assert on_rd("Degree Mill", rig=["Corroder"]).offered() == ["leave"]
    play = on_rd("Degree Mill", rig=["Corroder", "Mimic", "Ninja"]).do("steal", 'choose rig:"Corroder"')
    play.do('choose rig:"Mimic"')
    assert (titles(play.runner["score"]), play.asked) == (["Degree Mill"], (1, "window"))


@does("Malia Z0L0K4")
def test_malia_takes_the_text_of_a_resource_while_she_is_rezzed() -> None:
    play = corp(servers=remote("Malia Z0L0K4"), runner={"rig": ["Fall Guy", "Wyldside"]}, step="corp.2.2")
    play.do("rez root:remote1:0", 'choose rig:"Fall Guy"', "pass")
    assert not play.offers('use rig:"Fall Guy" 1')
    malia = rezzed({"card": "Malia Z0L0K4", "note": {"card": 'rig:"Wyldside"'}})
    play = Play({"servers": remote(malia)}, {"rig": ["Wyldside"]}, step="runner.1.3").settle()
    assert (play.runner["grip"], play.runner["clicks"]) == ([], 4)


@must_not("Malia Z0L0K4")
def test_malia_takes_no_virtual_resource_no_program_and_nothing_once_she_is_gone() -> None:
    rig = ["Fall Guy", "Ice Carver", "Magnum Opus", "Fall Guy"]
    play = corp(servers=remote("Malia Z0L0K4"), runner={"rig": rig}, step="corp.2.2").do("rez root:remote1:0")
    assert play.offered() == ["choose rig:0", "choose rig:3"]
    play.do("choose rig:0", "pass")
    assert play.offers("use rig:3 1")
    servers = remote(rezzed("Malia Z0L0K4"), "Red Herrings")
    play = corp(servers=servers, runner={"rig": rig}, step="corp.2.2").do("rez root:remote1:1")
    assert play.asked == (0, "window")
    malia = rezzed({"card": "Malia Z0L0K4", "note": {"card": 'rig:"Fall Guy"'}})
    play = runner(rig=["Fall Guy"], corp={"servers": remote(malia)})
    play.do("run remote1", "access root:remote1:0", "trash", 'use rig:"Fall Guy" 1')
    assert play.runner["heap"] == ["Fall Guy"]


@does("Shi.Kyū")
def test_shi_kyu_hurts_for_each_credit_spent_or_is_an_agenda_worth_minus_one() -> None:
    play = accessing("Shi.Kyū", grip=["Diesel"] * 5).do("spend 3")
    assert play.asked == (1, "may")
    play.do("no")
    assert (play.corp["credits"], len(play.runner["grip"])) == (2, 2)
    play = accessing("Shi.Kyū", grip=["Diesel"] * 5).do("spend 3", "yes")
    assert [(card["card"], card["worth"]) for card in play.runner["score"]] == [("Shi.Kyū", -1)]
    assert (len(play.runner["grip"]), play.corp["servers"]) == (5, {"archives": NONE, "hq": NONE, "rd": NONE})
    play = runner(corp={"hq": ["Shi.Kyū"]}).do("run hq", "access next", "spend 1", "yes")
    assert (titles(play.runner["score"]), play.corp["hq"], play.asked) == (["Shi.Kyū"], [], (1, "window"))
    play = runner(corp={"archives": ["Enigma", "Shi.Kyū"]}).do("run archives", "access archives:1", "spend 5", "yes")
    assert (titles(play.runner["score"]), titles(play.corp["archives"])) == (["Shi.Kyū"], ["Enigma"])


@must_not("Shi.Kyū")
def test_shi_kyu_does_nothing_in_rd_and_nothing_for_nothing() -> None:
    play = on_rd("Shi.Kyū")
    assert (play.asked, play.offered()) == ((1, "accessed"), ["trash", "leave"])
    assert accessing("Shi.Kyū", grip=["Diesel"]).do("spend 0").asked == (1, "accessed")
    assert accessing("Shi.Kyū", grip=["Diesel"]).offers("spend 5")
    assert not accessing("Shi.Kyū", grip=["Diesel"]).offers("spend 6")


@does("Kill Switch")
def test_kill_switch_stays_and_does_brain_damage_for_accessed_and_scored_agendas() -> None:
    half = {"servers": remote({"card": "Priority Requisition", "advancement": 5})}
    play = corp("Kill Switch", runner={"grip": ["Diesel"] * 3}, **half).do('play "Kill Switch"')
    play.do("score root:remote1:0", "order current:0 score:0", "spend 0", "spend 0")
    assert (titles(play.corp["current"]), play.runner["brain"], play.corp["archives"]) == (["Kill Switch"], 1, [])
    assert play.asked == (0, "window")
    play = on_rd("Ikawah Project", *["Diesel"] * 3, corp={"current": ["Kill Switch"], "rd": ["Ikawah Project"]})
    shown = [event.public["card"] for event in play.events if event.kind == "accessed" and event.public]
    assert (shown, play.asked) == (["Ikawah Project"], (0, "trace"))
    play.do("spend 0", "spend 1", "leave")
    assert (play.runner["brain"], len(play.runner["grip"])) == (1, 2)


@must_not("Kill Switch")
def test_kill_switch_goes_with_a_stolen_agenda_or_another_current_and_hurts_for_no_other_card() -> None:
    half = {"current": ["Kill Switch"], "hq": ["Hedge Fund"]}
    play = runner(corp=half).do("run hq", "access next")
    assert (play.asked, play.position["runner"]["brain"]) == ((1, "accessed"), 0)
    play = runner(*["Diesel"] * 3, corp={**half, "rd": ["Hostile Takeover"]}).do("run rd", "access next")
    play.do("spend 0", "spend 2", "steal")
    assert (titles(play.corp["archives"]), play.runner["brain"]) == (["Kill Switch"], 0)
    play = corp("Kill Switch", current=["Kill Switch"]).do('play "Kill Switch"')
    assert (titles(play.corp["archives"]), titles(play.corp["current"])) == (["Kill Switch"], ["Kill Switch"])
    play = on_rd("Enigma", corp={"current": ["Kill Switch"]})
    assert [event.public for event in play.events if event.kind == "accessed"] == [{"place": "rd", "card": None}]
    play = scoring("Private Security Force", 4, {"grip": ["Diesel"] * 3}, current=["Kill Switch"]).do("spend 0")
    assert (play.do("spend 1").runner["brain"], play.runner["grip"]) == (1, ["Diesel"] * 2)
    play = scoring("Private Security Force", 4, {"grip": ["Diesel"] * 3}, current=["Kill Switch"]).do("spend 0")
    assert play.do("spend 2").runner["brain"] == 0


NONE: dict[str, list[Any]] = {"ice": [], "root": []}
