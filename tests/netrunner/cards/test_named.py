"""Cards of other sets: what each does, and what it must not."""

from __future__ import annotations

from typing import Any

from tests.netrunner.cards import does, must_not
from tests.netrunner.cards.scenes import corp, facing, remote, runner
from tests.netrunner.table import Play, titles


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
