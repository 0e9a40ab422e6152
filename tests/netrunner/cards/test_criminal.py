"""Criminal's cards: what each does, and what it must not."""

from __future__ import annotations

from tests.netrunner.cards import does, must_not
from tests.netrunner.cards.scenes import (
    breaks,
    corp,
    facing,
    holding,
    memory,
    remote,
    rezzed,
    runner,
    strength,
)
from tests.netrunner.table import Play, titles

GABE = "Gabriel Santiago: Consummate Professional"
ONE_ICE = {"servers": {"hq": {"ice": ["Enigma"]}}}


@does("Gabriel Santiago")
def test_gabriel_santiago_gains_two_for_the_first_success_on_hq() -> None:
    assert runner(identity=GABE).do("run hq", "access next", "leave").runner["credits"] == 7


@must_not("Gabriel Santiago")
def test_gabriel_santiago_gains_nothing_for_the_second_nor_for_another_server() -> None:
    play = runner(identity=GABE).do("run rd", "access next", "leave")
    assert play.runner["credits"] == 5
    play.do("run hq", "access next", "leave", "run hq", "access next", "leave")
    assert play.runner["credits"] == 7
    play = runner(identity=GABE).do("run hq", "access next", "leave", "run rd", "access next", "leave")
    assert play.runner["credits"] == 7


@does("Account Siphon")
def test_account_siphon_takes_credits_of_the_corp_instead_of_the_breach() -> None:
    play = runner("Account Siphon", corp={"credits": 8}).do('play "Account Siphon"', "yes")
    assert (play.corp["credits"], play.runner["credits"], play.runner["tags"]) == (3, 15, 2)
    assert play.asked == (1, "window")


@must_not("Account Siphon")
def test_account_siphon_takes_no_more_than_there_is_and_nothing_when_declined_or_failed() -> None:
    play = runner("Account Siphon", corp={"credits": 2}).do('play "Account Siphon"', "yes")
    assert (play.corp["credits"], play.runner["credits"], play.runner["tags"]) == (0, 9, 2)
    play = runner("Account Siphon", corp={"credits": 8}).do('play "Account Siphon"', "no", "access next", "leave")
    assert (play.corp["credits"], play.runner["credits"], play.runner["tags"]) == (8, 5, 0)
    wall = {"servers": {"hq": {"ice": [rezzed("Wall of Static")]}}, "credits": 8}
    play = runner("Account Siphon", corp=wall).do('play "Account Siphon"').settle()
    assert (play.corp["credits"], play.runner["credits"], play.runner["tags"]) == (8, 5, 0)
    play = runner("Account Siphon", corp={"credits": 8}).do('play "Account Siphon"', "yes", "run hq", "access next")
    assert (play.corp["credits"], play.runner["tags"]) == (3, 2)


@does("Easy Mark")
def test_easy_mark_gains_three() -> None:
    assert runner("Easy Mark").do('play "Easy Mark"').runner["credits"] == 8


@must_not("Easy Mark")
def test_easy_mark_gives_the_corp_nothing_and_costs_its_click() -> None:
    play = runner("Easy Mark").do('play "Easy Mark"')
    assert (play.corp["credits"], play.runner["credits"], play.runner["clicks"]) == (5, 8, 3)
    assert play.runner["heap"] == ["Easy Mark"]


@does("Forged Activation Orders")
def test_forged_activation_orders_make_the_corp_pay_for_ice_or_lose_it() -> None:
    play = runner("Forged Activation Orders", corp=ONE_ICE)
    play.do('play "Forged Activation Orders"', "choose ice:hq:0", "yes")
    assert (play.corp["credits"], play.corp["servers"]["hq"]["ice"][0]["rezzed"]) == (2, True)
    assert play.asked == (1, "window")
    play = runner("Forged Activation Orders", corp={**ONE_ICE, "credits": 2})
    play.do('play "Forged Activation Orders"', "choose ice:hq:0", "no")
    assert play.corp["archives"] == [{"card": "Enigma", "faceup": False}]


@must_not("Forged Activation Orders")
def test_forged_activation_orders_choose_no_rezzed_ice_and_no_other_card() -> None:
    servers = {"hq": {"ice": ["Enigma", rezzed("Ice Wall")]}, **remote("PAD Campaign")}
    play = runner("Forged Activation Orders", corp={"servers": servers}).do('play "Forged Activation Orders"')
    assert play.offered() == ["choose ice:hq:0"]
    servers = {"hq": {"ice": ["Enigma", "Hunter"]}}
    play = runner("Forged Activation Orders", corp={"servers": servers}).do('play "Forged Activation Orders"')
    assert play.do("choose ice:hq:0", "no").asked == (1, "window")
    play = runner("Forged Activation Orders", corp={**ONE_ICE, "credits": 2})
    play.do('play "Forged Activation Orders"', "choose ice:hq:0")
    assert play.offered() == ["no"]


@does("Inside Job")
def test_inside_job_bypasses_the_first_ice() -> None:
    play = runner("Inside Job", corp={"servers": {"hq": {"ice": [rezzed("Wall of Static")]}}})
    assert play.do('play "Inside Job"', "choose hq", "access next", "leave").runner["credits"] == 3


@must_not("Inside Job")
def test_inside_job_bypasses_one_ice_and_only_in_its_run() -> None:
    walls = {"servers": {"hq": {"ice": [rezzed("Wall of Static"), rezzed("Wall of Static")]}}}
    play = runner("Inside Job", corp=walls).do('play "Inside Job"', "choose hq").settle()
    assert "success:hq" not in play.position["this_turn"]
    wall = {"servers": {"hq": {"ice": [rezzed("Wall of Static")]}}}
    play = runner("Inside Job", corp=wall).do('play "Inside Job"', "choose hq", "access next", "leave", "run hq")
    assert play.settle().position["this_turn"].count("success:hq") == 1


@does("Inside Job", "Femme Fatale")
def test_bypassing_comes_before_what_else_happens_on_meeting_the_ice() -> None:
    table = {"servers": {"hq": {"ice": [rezzed("Tollbooth")]}}}
    play = runner("Inside Job", corp=table).do('play "Inside Job"', "choose hq", "access next", "leave")
    assert play.runner["credits"] == 5 - 2
    play = runner("Femme Fatale", corp=table, credits=12).do('install "Femme Fatale"', "choose ice:hq:0", "run hq")
    assert play.do("yes", "access next", "leave").runner["credits"] == 12 - 8 - 1
    play = runner("Femme Fatale", corp=table, credits=12).do('install "Femme Fatale"', "choose ice:hq:0", "run hq")
    assert play.do("no").settle().runner["credits"] == 12 - 8 - 3


@does("Special Order")
def test_special_order_finds_an_icebreaker_and_shows_it() -> None:
    play = runner("Special Order", stack=["Diesel", "Corroder"]).do('play "Special Order"', 'choose "Corroder"')
    assert (play.runner["grip"], play.runner["stack"]) == (["Corroder"], ["Diesel"])
    assert {"side": 1, "card": "Corroder", "source": "Special Order"} in [
        event.public for event in play.events if event.kind == "taken"
    ]
    assert [event.kind for event in play.events][-2:] == ["taken", "shuffled"]


@must_not("Special Order")
def test_special_order_finds_nothing_but_icebreakers_and_only_one() -> None:
    play = runner("Special Order", stack=["Medium", "Corroder", "Mimic"]).do('play "Special Order"')
    assert play.offered() == ['choose "Corroder"', 'choose "Mimic"', "no"]
    assert play.do('choose "Mimic"').asked == (1, "window")


@does("Lemuria Codecracker")
def test_lemuria_codecracker_exposes_a_card_after_a_success_on_hq() -> None:
    play = runner(rig=["Lemuria Codecracker"], corp={"servers": {"rd": {"ice": ["Enigma"]}}}, this_turn=["success:hq"])
    play.do('use rig:"Lemuria Codecracker" 0', "choose ice:rd:0", "pass")
    assert play.corp["servers"]["rd"]["ice"][0]["seen"] is True
    assert (play.runner["credits"], play.runner["clicks"]) == (4, 3)


@must_not("Lemuria Codecracker")
def test_lemuria_codecracker_needs_the_success_this_turn_and_its_whole_price() -> None:
    table = {"servers": {"rd": {"ice": ["Enigma", rezzed("Ice Wall")]}}}
    rig = ["Lemuria Codecracker"]
    use = 'use rig:"Lemuria Codecracker" 0'
    assert not runner(rig=rig, corp=table, this_turn=["success:rd"]).offers(use)
    assert not runner(rig=rig, corp=table, last_turn=["success:hq"]).offers(use)
    assert not runner(rig=rig, corp=table, credits=0, this_turn=["success:hq"]).offers(use)
    assert runner(rig=rig, corp=table, this_turn=["success:hq"]).do(use).offered() == ["choose ice:rd:0"]
    table = {"servers": {"rd": {"ice": ["Enigma", "Hunter"]}, "remote1": {"root": ["PAD Campaign"]}}}
    play = runner(rig=rig, corp=table, this_turn=["success:hq"]).do(use, "choose ice:rd:0", "pass")
    assert play.asked == (1, "window")


@does("Desperado")
def test_desperado_adds_a_memory_and_a_credit_for_each_success() -> None:
    play = runner(rig=["Desperado"]).do("run hq", "access next", "leave", "run rd", "access next", "leave")
    assert play.runner["credits"] == 7
    assert memory(play) == (0, 5)


@must_not("Desperado")
def test_desperado_gains_one_and_nothing_for_a_run_that_fails_and_stands_alone() -> None:
    wall = {"servers": {"hq": {"ice": [rezzed("Wall of Static")]}}}
    assert runner(rig=["Desperado"], corp=wall).do("run hq").settle().runner["credits"] == 5
    assert runner(rig=["Desperado"]).do("run hq", "access next", "leave").runner["credits"] == 6
    play = runner("Grimoire", rig=["Desperado"]).do('install "Grimoire"')
    assert (titles(play.runner["rig"]), play.runner["heap"]) == (["Grimoire"], ["Desperado"])


@does("Aurora")
def test_aurora_breaks_barriers_for_two_and_grows_by_three_for_two() -> None:
    play = facing("Wall of Static", "Aurora").do('use rig:"Aurora" 1', 'use rig:"Aurora" 0', "break 0")
    assert (play.runner["credits"], strength(play, 'rig:"Aurora"'), play.asked) == (1, 4, (1, "window"))


@must_not("Aurora")
def test_aurora_breaks_no_sentry_and_not_for_one_credit() -> None:
    assert not breaks(facing("Rototurret", "Aurora"), "Aurora")
    assert not breaks(facing("Ice Wall", "Aurora", credits=1), "Aurora")
    assert not breaks(facing("Wall of Static", "Aurora", credits=9), "Aurora")


@does("Femme Fatale")
def test_femme_fatale_pays_past_the_ice_it_chose_and_breaks_sentries() -> None:
    table = {"servers": {"hq": {"ice": [rezzed("Heimdall 1.0")]}}}
    play = runner("Femme Fatale", credits=12, corp=table).do('install "Femme Fatale"', "choose ice:hq:0", "run hq")
    play.do("yes", "access next", "leave")
    assert play.runner["credits"] == 12 - 8 - 3
    play = facing("Rototurret", "Femme Fatale").do('use rig:"Femme Fatale" 0', "break 0", 'use rig:"Femme Fatale" 1')
    assert (play.runner["credits"], strength(play, 'rig:"Femme Fatale"')) == (2, 3)


@must_not("Femme Fatale")
def test_femme_fatale_passes_no_other_ice_and_not_for_too_little() -> None:
    table = {"servers": {"hq": {"ice": [rezzed("Wall of Static"), rezzed("Enigma")]}}}
    play = runner("Femme Fatale", "Mimic", credits=15, corp=table).do('install "Femme Fatale"', "choose ice:hq:0")
    assert (play.runner["credits"], play.asked) == (7, (1, "window"))
    assert play.do('install "Mimic"').asked == (1, "window")
    play.do("run hq", "pass").settle()
    assert ("success:hq" in play.position["this_turn"], play.state.run) == (False, None)
    play = runner("Femme Fatale", credits=10, corp={"servers": {"hq": {"ice": [rezzed("Enigma")]}}})
    play.do('install "Femme Fatale"', "choose ice:hq:0", "run hq", "no").settle()
    assert (play.state.run, play.runner["credits"]) == (None, 2)
    assert not breaks(facing("Neural Katana", "Femme Fatale"), "Femme Fatale")
    assert not breaks(facing("Ice Wall", "Femme Fatale"), "Femme Fatale")


@does("Ninja")
def test_ninja_grows_by_five_and_breaks_sentries() -> None:
    play = facing("Neural Katana", "Ninja").do('use rig:"Ninja" 1', 'use rig:"Ninja" 0', "break 0")
    assert (play.runner["credits"], strength(play, 'rig:"Ninja"'), play.asked) == (1, 5, (1, "window"))


@must_not("Ninja")
def test_ninja_does_not_grow_for_two_and_breaks_no_gate() -> None:
    assert not facing("Neural Katana", "Ninja", credits=2).offers('use rig:"Ninja" 1')
    assert not breaks(facing("Enigma", "Ninja", credits=9).do('use rig:"Ninja" 1'), "Ninja")
    assert not breaks(facing("Neural Katana", "Ninja", credits=9), "Ninja")


@does("Sneakdoor Beta")
def test_sneakdoor_beta_turns_a_success_on_archives_into_one_on_hq() -> None:
    play = runner(rig=["Sneakdoor Beta"], identity=GABE).do('use rig:"Sneakdoor Beta" 0', "access next", "leave")
    assert ("success:hq" in play.position["this_turn"], "run:archives" in play.position["this_turn"]) == (True, True)
    assert (play.runner["credits"], play.runner["clicks"], play.settle().asked) == (7, 3, (1, "action"))


@must_not("Sneakdoor Beta")
def test_sneakdoor_beta_meets_the_ice_of_archives_and_is_no_success_there() -> None:
    table = {"servers": {"archives": {"ice": [rezzed("Wall of Static")]}}}
    play = runner(rig=["Sneakdoor Beta"], corp=table).do('use rig:"Sneakdoor Beta" 0').settle()
    assert not any(fact.startswith("success:") for fact in play.position["this_turn"])
    table = {"servers": {"hq": {"ice": [rezzed("Wall of Static")]}}}
    play = runner(rig=["Sneakdoor Beta"], corp=table).do('use rig:"Sneakdoor Beta" 0', "access next", "leave")
    assert [fact for fact in play.position["this_turn"] if fact.startswith("success:")] == ["success:hq"]
    play = runner(rig=["Sneakdoor Beta"], corp={"archives": ["Hostile Takeover"]}).do("run archives")
    assert play.do("access archives:0", "steal").runner["score"] != []
    assert not Play({}, {"rig": ["Sneakdoor Beta"], "clicks": 1}, step="runner.1.4").offers(
        'use rig:"Sneakdoor Beta" 0'
    )


@does("Bank Job")
def test_bank_job_pays_out_instead_of_a_breach_of_a_remote() -> None:
    play = runner("Bank Job", corp={"servers": remote("PAD Campaign")}).do('install "Bank Job"', "run remote1", "yes")
    assert play.do("spend 3").runner["rig"][0]["counters"] == {"credit": 5}
    assert play.runner["credits"] == 4 + 3
    assert play.asked == (1, "window")
    play.do("run remote1", "yes", "spend 5")
    assert (play.runner["credits"], play.runner["heap"]) == (12, ["Bank Job"])


@must_not("Bank Job")
def test_bank_job_pays_nothing_on_centrals_and_no_more_than_it_holds_and_not_beside_a_breach() -> None:
    play = runner(rig=[holding("Bank Job", credit=8)]).do("run hq", "access next", "leave")
    assert play.runner["credits"] == 5
    play = runner(rig=[holding("Bank Job", credit=8)], corp={"servers": remote("PAD Campaign")})
    play.do("run remote1", "no", "access root:remote1:0", "leave")
    assert (play.runner["credits"], play.runner["rig"][0]["counters"]) == (5, {"credit": 8})
    play = runner(rig=[holding("Bank Job", credit=2)], corp={"servers": remote("PAD Campaign")}).do(
        "run remote1", "yes"
    )
    assert not play.offers("spend 3")
    play = runner(rig=["Bank Job"], corp={"servers": remote("PAD Campaign")}).do("run remote1")
    play.do("access root:remote1:0", "leave")
    play = runner("Corroder", rig=[holding("Bank Job", credit=2)]).do('install "Corroder"')
    assert play.runner["rig"][0]["counters"] == {"credit": 2}
    assert runner("Bank Job").do('install "Bank Job"').runner["rig"][0]["counters"] == {"credit": 8}


@must_not("Bank Job")
def test_a_second_bank_job_has_no_breach_left_to_replace() -> None:
    play = runner(rig=[holding("Bank Job", credit=8)] * 2, corp={"servers": remote("PAD Campaign")})
    play.do("run remote1", "order rig:0 rig:1", "yes", "spend 8").settle()
    assert (play.runner["credits"], play.runner["heap"], play.asked) == (13, ["Bank Job"], (1, "action"))


@does("Crash Space")
def test_crash_space_pays_for_tags_and_prevents_three_meat_damage() -> None:
    play = runner(rig=["Crash Space"], tags=1, credits=0).do("remove-tag")
    assert (play.runner["tags"], play.runner["clicks"]) == (0, 3)
    play = corp("Scorched Earth", runner={"tags": 1, "rig": ["Crash Space"], "grip": ["Diesel"] * 3})
    play.do('play "Scorched Earth"', 'use rig:"Crash Space" 0')
    assert (len(play.runner["grip"]), titles(play.runner["rig"])) == (2, [])


@must_not("Crash Space")
def test_crash_space_prevents_no_net_damage_and_pays_for_nothing_but_tags() -> None:
    play = facing("Neural Katana", "Crash Space", grip=["Diesel"] * 3).do("pass", "pass")
    assert (play.runner["grip"], titles(play.runner["rig"])) == ([], ["Crash Space"])
    play = runner(rig=["Crash Space"], tags=2, credits=1).do("remove-tag", 'pay rig:"Crash Space" 2')
    assert not play.settle().offers("remove-tag")
    play = runner("Akamatsu Mem Chip", rig=["Crash Space"], credits=0, identity=GABE)
    assert not play.offers('install "Akamatsu Mem Chip"')
    assert not runner(rig=[holding("Crash Space", recurring=1)], tags=1, credits=0).offers("remove-tag")
    play = corp("Scorched Earth", runner={"tags": 1, "rig": ["Crash Space"], "grip": ["Diesel"] * 4})
    assert len(play.do('play "Scorched Earth"', 'use rig:"Crash Space" 0').runner["grip"]) == 3


@does("Data Dealer")
def test_data_dealer_sells_a_stolen_agenda_for_nine() -> None:
    play = runner(rig=["Data Dealer"], score=["Hostile Takeover"]).do('use rig:"Data Dealer" 0', "choose score:0")
    assert (play.runner["credits"], play.runner["score"], play.runner["clicks"]) == (14, [], 3)
    assert play.position["removed"] == ["Hostile Takeover"]


@must_not("Data Dealer")
def test_data_dealer_gives_nothing_without_an_agenda_or_for_the_corps() -> None:
    assert not runner(rig=["Data Dealer"]).offers('use rig:"Data Dealer" 0')
    assert not runner(rig=["Data Dealer"], corp={"score": ["Hostile Takeover"]}).offers('use rig:"Data Dealer" 0')
    play = runner(rig=["Data Dealer"], score=["Hostile Takeover", "Breaking News"]).do('use rig:"Data Dealer" 0')
    assert titles(play.do("choose score:0").runner["score"]) == ["Breaking News"]


@does("Decoy")
def test_decoy_avoids_a_tag() -> None:
    play = facing("Hunter", "Decoy").do("spend 0", "spend 0", 'use rig:"Decoy" 0')
    assert (play.runner["tags"], play.runner["heap"]) == (0, ["Decoy"])


@must_not("Decoy")
def test_decoy_avoids_one_tag_only_and_nothing_else() -> None:
    root = [{"card": "Ghost Branch", "advancement": 2}]
    play = Play({"servers": {"remote1": {"root": root}}}, {"rig": ["Decoy"]}, turn="runner")
    play.do("run remote1", "access root:remote1:0", "yes", 'use rig:"Decoy" 0')
    assert play.runner["tags"] == 1
    assert facing("Neural Katana", "Decoy", grip=["Diesel"] * 3).do("pass", "pass").runner["grip"] == []
    play = facing("Hunter", "Decoy").do("spend 0", "spend 0", "pass")
    assert (play.runner["tags"], play.runner["heap"]) == (1, [])
