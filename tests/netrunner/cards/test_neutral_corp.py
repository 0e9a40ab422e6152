"""The Corp's neutral cards: what each does, and what it must not."""

from __future__ import annotations

from tests.netrunner.cards import does, must_not
from tests.netrunner.cards.scenes import corp, facing, remote, rezzed, scoring
from tests.netrunner.table import Play, titles

GRIP = ["Diesel"] * 3


@does("Priority Requisition")
def test_priority_requisition_rezzes_ice_ignoring_all_costs() -> None:
    play = scoring("Priority Requisition", 5, servers={"hq": {"ice": ["Archer"]}}, credits=0).do("choose ice:hq:0")
    assert (play.corp["servers"]["hq"]["ice"][0]["rezzed"], titles(play.corp["score"])) == (
        True,
        ["Priority Requisition"],
    )


@must_not("Priority Requisition")
def test_priority_requisition_rezzes_no_asset_no_second_ice_and_nothing_when_the_corp_declines() -> None:
    servers = {"hq": {"ice": ["Enigma", "Hunter", rezzed("Ice Wall")]}, "remote2": {"root": ["PAD Campaign"]}}
    play = scoring("Priority Requisition", 5, servers=servers)
    assert play.offered() == ["choose ice:hq:0", "choose ice:hq:1", "no"]
    assert play.do("choose ice:hq:0").asked == (0, "window")
    assert scoring("Private Security Force", 4, score=["Priority Requisition"], servers=servers).asked == (0, "window")
    play = scoring("Priority Requisition", 5, servers=servers).do("no")
    assert [card["rezzed"] for card in play.corp["servers"]["hq"]["ice"]] == [False, False, True]


@does("Private Security Force")
def test_private_security_force_does_a_meat_damage_to_a_tagged_runner() -> None:
    play = corp(score=["Private Security Force"], runner={"tags": 1, "grip": GRIP}).do("use score:0 0")
    assert (len(play.runner["grip"]), play.corp["clicks"]) == (2, 2)


@must_not("Private Security Force")
def test_private_security_force_needs_a_tag_a_click_and_the_corps_score_area() -> None:
    assert not corp(score=["Private Security Force"], runner={"grip": GRIP}).offers("use score:0 0")
    play = corp(score=["Private Security Force"], runner={"tags": 1, "grip": GRIP}, step="corp.2.2")
    assert not play.offers("use score:0 0")
    play = corp(runner={"tags": 1, "grip": GRIP, "score": ["Private Security Force"]})
    assert not play.offers("use their-score:0 0")
    play = corp(score=["Private Security Force"], runner={"tags": 1, "grip": GRIP}).do("use score:0 0")
    assert (len(play.runner["grip"]), play.corp["clicks"]) == (2, 2)


@does("Melange Mining Corp.")
def test_melange_mining_gains_seven_for_three_clicks() -> None:
    play = corp(servers=remote(rezzed("Melange Mining Corp."))).do("use root:remote1:0 0")
    assert (play.corp["credits"], play.corp["clicks"]) == (12, 0)


@must_not("Melange Mining Corp.")
def test_melange_mining_needs_all_three_clicks_and_to_be_rezzed() -> None:
    assert not corp(servers=remote(rezzed("Melange Mining Corp.")), clicks=2).offers("use root:remote1:0 0")
    assert not corp(servers=remote("Melange Mining Corp.")).offers("use root:remote1:0 0")
    play = corp(servers=remote(rezzed("Melange Mining Corp.")), clicks=4).do("use root:remote1:0 0")
    assert (play.corp["credits"], play.corp["clicks"]) == (12, 1)


@does("PAD Campaign")
def test_pad_campaign_gains_a_credit_when_the_turn_begins() -> None:
    assert Play({"servers": remote(rezzed("PAD Campaign"))}, {}, step="corp.1.2").corp["credits"] == 6


@must_not("PAD Campaign")
def test_pad_campaign_gains_nothing_unrezzed_or_in_the_runners_turn() -> None:
    assert Play({"servers": remote("PAD Campaign")}, {}, step="corp.1.2").corp["credits"] == 5
    assert Play({"servers": remote(rezzed("PAD Campaign"))}, {}, step="runner.1.3").corp["credits"] == 5


@does("Hedge Fund")
def test_hedge_fund_turns_five_into_nine() -> None:
    play = corp("Hedge Fund").do('play "Hedge Fund"')
    assert (play.corp["credits"], play.corp["archives"]) == (9, [{"card": "Hedge Fund", "faceup": True}])


@must_not("Hedge Fund")
def test_hedge_fund_needs_all_five_and_gives_no_more() -> None:
    assert not corp("Hedge Fund", credits=4).offers('play "Hedge Fund"')
    play = corp("Hedge Fund", credits=6).do('play "Hedge Fund"')
    assert (play.corp["credits"], play.runner["credits"], play.corp["clicks"]) == (10, 5, 2)


@does("Enigma")
def test_enigma_takes_a_click_and_ends_the_run() -> None:
    play = facing("Enigma", clicks=3).settle()
    assert (play.runner["clicks"], play.state.run) == (2, None)


@must_not("Enigma")
def test_enigma_takes_no_click_that_is_not_there_and_does_nothing_that_was_broken() -> None:
    play = facing("Enigma", clicks=0).do("pass", "pass")
    assert (play.runner["clicks"], "success:hq" in play.position["this_turn"]) == (0, False)
    play = facing("Enigma", "Gordian Blade", clicks=3).do('use rig:"Gordian Blade" 0', "break 1")
    play.do("access next", "leave")
    assert play.runner["clicks"] == 2
    play = facing("Enigma", "Gordian Blade", clicks=3).do('use rig:"Gordian Blade" 0', "break 0").settle()
    assert (play.runner["clicks"], play.state.run) == (3, None)


@does("Hunter")
def test_hunter_traces_for_a_tag() -> None:
    play = facing("Hunter").do("spend 1", "spend 2", "access next")
    assert (play.runner["tags"], play.corp["credits"], play.runner["credits"]) == (1, 4, 3)


@must_not("Hunter")
def test_hunter_gives_no_tag_when_the_link_is_as_strong_and_ends_no_run() -> None:
    play = facing("Hunter").do("spend 0", "spend 2", "access next", "leave")
    assert (play.runner["tags"], play.runner["credits"]) == (0, 3)
    play = facing("Hunter").do("spend 0", "spend 1", "access next", "leave")
    assert play.runner["tags"] == 1


@does("Wall of Static")
def test_wall_of_static_ends_the_run() -> None:
    play = facing("Wall of Static").settle()
    assert (play.state.run, "success:hq" in play.position["this_turn"]) == (None, False)


@must_not("Wall of Static")
def test_wall_of_static_stops_nobody_who_breaks_it() -> None:
    play = facing("Wall of Static", "Corroder").do('use rig:"Corroder" 1', 'use rig:"Corroder" 0', "break 0")
    play.do("access next", "leave")
    assert "success:hq" in play.position["this_turn"]
