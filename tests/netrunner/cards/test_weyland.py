"""Weyland Consortium's cards: what each does, and what it must not."""

from __future__ import annotations

from game.netrunner import queries
from game.netrunner.facts import CORP
from game.netrunner.table import Table
from tests.netrunner.cards import does, must_not
from tests.netrunner.cards.scenes import approached, breaks, corp, facing, remote, rezzed, runner, scoring, strength
from tests.netrunner.table import Play, titles

WEYLAND = "Weyland Consortium: Building a Better World"
TABLE = {"hq": {"ice": ["Ice Wall", "Enigma"]}, **remote("Hostile Takeover", "SanSan City Grid")}


@does("Weyland Consortium")
def test_weyland_gains_a_credit_for_each_transaction() -> None:
    play = corp("Beanstalk Royalties", "Hedge Fund", identity=WEYLAND).do('play "Beanstalk Royalties"')
    assert play.corp["credits"] == 9
    assert play.do('play "Hedge Fund"').corp["credits"] == 14


@must_not("Weyland Consortium")
def test_weyland_gains_nothing_for_other_operations_or_a_transaction_that_is_no_operation() -> None:
    assert corp("Biotic Labor", identity=WEYLAND).do('play "Biotic Labor"').corp["credits"] == 1
    play = corp("Security Subcontract", identity=WEYLAND).do('install "Security Subcontract" new')
    assert play.corp["credits"] == 5
    assert runner("Sure Gamble", corp={"identity": WEYLAND}).do('play "Sure Gamble"').corp["credits"] == 5


@does("Hostile Takeover")
def test_hostile_takeover_gains_seven_for_a_bad_publicity() -> None:
    play = scoring("Hostile Takeover", 2)
    assert (play.corp["credits"], play.corp["bad_publicity"]) == (12, 1)


@must_not("Hostile Takeover")
def test_hostile_takeover_does_nothing_when_it_is_stolen_or_another_is_scored() -> None:
    play = runner(corp={"rd": ["Hostile Takeover"]}).do("run rd", "access next", "steal")
    assert (play.corp["credits"], play.corp["bad_publicity"]) == (5, 0)
    play = scoring("Private Security Force", 4, score=["Hostile Takeover"])
    assert (play.corp["credits"], play.corp["bad_publicity"]) == (5, 0)


@does("Posted Bounty")
def test_posted_bounty_is_forfeited_for_a_tag_and_a_bad_publicity() -> None:
    play = scoring("Posted Bounty", 3).do("yes")
    assert (play.corp["score"], play.corp["bad_publicity"], play.runner["tags"]) == ([], 1, 1)
    assert (play.position["removed"], play.asked) == (["Posted Bounty"], (0, "window"))


@must_not("Posted Bounty")
def test_posted_bounty_is_kept_when_the_corp_likes_and_forfeits_no_other() -> None:
    play = scoring("Posted Bounty", 3).do("no")
    assert (titles(play.corp["score"]), play.corp["bad_publicity"], play.runner["tags"]) == (["Posted Bounty"], 0, 0)
    play = scoring("Posted Bounty", 3, score=["Hostile Takeover"]).do("yes")
    assert (titles(play.corp["score"]), play.runner["tags"]) == (["Hostile Takeover"], 1)
    assert scoring("Private Security Force", 4, score=["Posted Bounty"]).asked == (0, "window")


@does("Security Subcontract")
def test_security_subcontract_sells_rezzed_ice_for_four() -> None:
    servers = {"hq": {"ice": [rezzed("Enigma")]}, **remote(rezzed("Security Subcontract"))}
    play = corp(servers=servers).do("use root:remote1:0 0", "choose ice:hq:0")
    assert (play.corp["credits"], titles(play.corp["archives"]), play.corp["clicks"]) == (9, ["Enigma"], 2)


@must_not("Security Subcontract")
def test_security_subcontract_sells_no_unrezzed_ice_and_nothing_without_a_click() -> None:
    servers = {"hq": {"ice": ["Enigma"]}, **remote(rezzed("Security Subcontract"))}
    assert not corp(servers=servers).offers("use root:remote1:0 0")
    servers = {"hq": {"ice": ["Hunter", rezzed("Enigma")]}, **remote(rezzed("Security Subcontract"))}
    assert corp(servers=servers).do("use root:remote1:0 0").offered() == ["choose ice:hq:1"]
    assert not corp(servers=servers, step="corp.2.2").offers("use root:remote1:0 0")


@does("Aggressive Negotiation")
def test_aggressive_negotiation_finds_any_card_after_a_score() -> None:
    play = corp("Aggressive Negotiation", rd=["Enigma", "Hunter"], this_turn=["scored"])
    play.do('play "Aggressive Negotiation"', 'choose "Hunter"')
    assert (play.corp["hq"], play.corp["rd"]) == (["Hunter"], ["Enigma"])
    assert "shuffled" in [event.kind for event in play.events]


@must_not("Aggressive Negotiation")
def test_aggressive_negotiation_needs_a_score_this_turn_and_shows_nothing() -> None:
    assert not corp("Aggressive Negotiation").offers('play "Aggressive Negotiation"')
    assert not corp("Aggressive Negotiation", last_turn=["scored"]).offers('play "Aggressive Negotiation"')
    play = corp("Aggressive Negotiation", rd=["Enigma", "Hunter", "Chum"], this_turn=["scored"])
    play.do('play "Aggressive Negotiation"', 'choose "Hunter"')
    assert [event.public for event in play.events if event.kind == "taken"] == [
        {"side": 0, "card": None, "source": "Aggressive Negotiation"}
    ]
    assert (play.asked, len(play.corp["rd"])) == ((0, "window"), 2)


@does("Beanstalk Royalties")
def test_beanstalk_royalties_gain_three() -> None:
    assert corp("Beanstalk Royalties").do('play "Beanstalk Royalties"').corp["credits"] == 8


@must_not("Beanstalk Royalties")
def test_beanstalk_royalties_gain_no_more_and_cost_a_click() -> None:
    play = corp("Beanstalk Royalties").do('play "Beanstalk Royalties"')
    assert (play.corp["credits"], play.runner["credits"], play.corp["clicks"]) == (8, 5, 2)
    assert titles(play.corp["archives"]) == ["Beanstalk Royalties"]


@does("Scorched Earth")
def test_scorched_earth_does_four_meat_damage_to_a_tagged_runner() -> None:
    play = corp("Scorched Earth", runner={"tags": 1, "grip": ["Diesel"] * 5}).do('play "Scorched Earth"')
    assert (len(play.runner["grip"]), play.corp["credits"]) == (1, 2)


@must_not("Scorched Earth")
def test_scorched_earth_needs_a_tag_and_kills_nobody_with_four_cards() -> None:
    assert not corp("Scorched Earth", runner={"grip": ["Diesel"]}).offers('play "Scorched Earth"')
    play = corp("Scorched Earth", runner={"tags": 1, "grip": ["Diesel"] * 4}).do('play "Scorched Earth"')
    assert (play.runner["grip"], play.state.outcome, play.runner["tags"]) == ([], None, 1)
    play = corp("Scorched Earth", runner={"tags": 1, "grip": ["Diesel"] * 3}).do('play "Scorched Earth"')
    assert play.state.outcome == (0, "flatline")


@does("Shipment from Kaguya")
def test_shipment_from_kaguya_advances_two_cards() -> None:
    play = corp("Shipment from Kaguya", servers=TABLE).do('play "Shipment from Kaguya"', "choose ice:hq:0")
    play.do("choose root:remote1:0")
    servers = play.corp["servers"]
    assert [servers["hq"]["ice"][0]["advancement"], servers["remote1"]["root"][0]["advancement"]] == [1, 1]
    assert (play.corp["credits"], play.corp["clicks"]) == (5, 2)


@must_not("Shipment from Kaguya")
def test_shipment_from_kaguya_advances_no_card_twice_no_third_and_none_that_can_not_be_advanced() -> None:
    servers = {"hq": {"ice": ["Ice Wall", "Enigma", "Shadow"]}, **remote("Hostile Takeover", "SanSan City Grid")}
    play = corp("Shipment from Kaguya", servers=servers).do('play "Shipment from Kaguya"', "choose ice:hq:0")
    assert play.offered() == ["choose ice:hq:2", "choose root:remote1:0", "no"]
    assert play.do("choose ice:hq:2").asked == (0, "window")
    assert play.corp["servers"]["hq"]["ice"][0]["advancement"] == 1
    play = corp("Shipment from Kaguya", servers=TABLE).do('play "Shipment from Kaguya"', "no")
    assert play.asked == (0, "window")


@does("Archer")
def test_archer_costs_an_agenda_gains_two_trashes_two_programs_and_ends_the_run() -> None:
    play = approached("Archer", score=["Hostile Takeover"]).do("rez ice:hq:0", "choose score:0")
    assert (play.corp["score"], play.corp["credits"], play.position["removed"]) == ([], 1, ["Hostile Takeover"])
    play = facing("Archer", "Mimic", "Corroder").do('choose rig:"Mimic"', 'choose rig:"Corroder"').settle()
    assert (play.corp["credits"], play.runner["heap"], play.state.run) == (7, ["Mimic", "Corroder"], None)


@must_not("Archer")
def test_archer_is_not_rezzed_without_an_agenda_nor_with_a_stolen_one_and_trashes_no_hardware() -> None:
    assert not approached("Archer").offers("rez ice:hq:0")
    assert not approached("Archer", score=["Hostile Takeover"], credits=3).offers("rez ice:hq:0")
    play = facing("Archer", "Mimic", "Grimoire", score=["Hostile Takeover"]).do('choose rig:"Mimic"').settle()
    assert (titles(play.runner["rig"]), play.corp["credits"], play.state.run) == (["Grimoire"], 7, None)
    play = facing("Archer", "Mimic", "Yog.0", "Aurora").do('choose rig:"Mimic"', 'choose rig:"Yog.0"').settle()
    assert (titles(play.runner["rig"]), play.state.run) == (["Aurora"], None)
    play = facing("Archer", "Grimoire", "Mimic").do("pass", "pass")
    assert play.offered() == ['choose rig:"Mimic"']


@does("Hadrian's Wall")
def test_hadrians_wall_grows_with_advancements_and_ends_the_run_twice() -> None:
    play = facing({"card": "Hadrian's Wall", "advancement": 2})
    assert strength(play, "ice:hq:0") == 9
    assert play.settle().state.run is None
    play = facing("Hadrian's Wall", "Corroder", credits=9).do(*['use rig:"Corroder" 1'] * 5)
    assert play.do('use rig:"Corroder" 0', "break 0").settle().state.run is None
    play = facing("Hadrian's Wall", "Corroder", credits=9).do(*['use rig:"Corroder" 1'] * 5)
    assert play.do('use rig:"Corroder" 0', "break 1").settle().state.run is None
    assert corp(servers={"hq": {"ice": ["Hadrian's Wall"]}}).offers("advance ice:hq:0")


@must_not("Hadrian's Wall")
def test_hadrians_wall_stops_nobody_who_breaks_it_and_is_seven_unadvanced() -> None:
    play = facing("Hadrian's Wall", "Battering Ram", credits=9)
    assert strength(play, "ice:hq:0") == 7
    play.do(*['use rig:"Battering Ram" 1'] * 4, 'use rig:"Battering Ram" 0', "break 0 1", "access next", "leave")
    assert strength(facing({"card": "Hadrian's Wall", "advancement": 1}), "ice:hq:0") == 8


@does("Ice Wall")
def test_ice_wall_grows_with_advancements_and_ends_the_run() -> None:
    play = facing({"card": "Ice Wall", "advancement": 3})
    assert strength(play, "ice:hq:0") == 4
    assert play.settle().state.run is None
    assert corp(servers={"hq": {"ice": ["Ice Wall"]}}).offers("advance ice:hq:0")


@must_not("Ice Wall")
def test_ice_wall_stops_nobody_who_breaks_it_and_only_it_grows() -> None:
    facing("Ice Wall", "Corroder").do('use rig:"Corroder" 0', "break 0", "access next", "leave")
    play = facing(["Ice Wall", {"card": "Ice Wall", "advancement": 2}])
    assert (strength(play, "ice:hq:0"), strength(play, "ice:hq:1")) == (1, 3)


@does("Shadow")
def test_shadow_gains_two_and_traces_for_a_tag_and_grows() -> None:
    play = facing({"card": "Shadow", "advancement": 2})
    assert strength(play, "ice:hq:0") == 3
    play.do("spend 0", "spend 1")
    assert (play.corp["credits"], play.runner["tags"]) == (7, 1)
    assert corp(servers={"hq": {"ice": ["Shadow"]}}).offers("advance ice:hq:0")


@must_not("Shadow")
def test_shadow_ends_no_run_and_does_nothing_that_was_broken() -> None:
    play = facing("Shadow", "Mimic").do('use rig:"Mimic" 0', "break 0", "spend 0", "spend 2", "access next", "leave")
    assert (play.corp["credits"], play.runner["tags"]) == (5, 0)
    play = facing("Shadow", "Mimic").do('use rig:"Mimic" 0', "break 1", "access next", "leave")
    assert (play.corp["credits"], play.runner["tags"]) == (7, 0)
    assert not breaks(facing({"card": "Shadow", "advancement": 3}, "Mimic"), "Mimic")


def hand_size(play: Play) -> int:
    """Return the Corp's maximum hand size."""
    return queries.hand_size(Table(play.state), CORP)


@does("Research Station")
def test_research_station_lets_the_corp_hold_two_more() -> None:
    play = corp(*["Enigma"] * 7, servers={"hq": {"root": [rezzed("Research Station")]}}, step="corp.3.2")
    assert (hand_size(play), play.asked) == (7, (0, "window"))


@must_not("Research Station")
def test_research_station_goes_to_hq_only_and_does_nothing_unrezzed_or_for_the_runner() -> None:
    play = corp("Research Station")
    assert [text for text in play.offered() if text.startswith("install")] == ['install "Research Station" hq']
    assert hand_size(corp(servers={"hq": {"root": ["Research Station"]}})) == 5
    play = corp(servers={"hq": {"root": [rezzed("Research Station")]}})
    assert (hand_size(play), queries.hand_size(Table(play.state), 1)) == (7, 5)
