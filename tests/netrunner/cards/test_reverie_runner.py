"""The Runner's cards of Reign and Reverie: what each does, and what it must not."""

from __future__ import annotations

from typing import Any

from game.contract import Json
from tests.netrunner.cards import does, must_not
from tests.netrunner.cards.scenes import accessing, corp, facing, holding, memory, remote, runner, strength
from tests.netrunner.table import Play, titles

GNAT = 'Nathaniel "Gnat" Hall: One-of-a-Kind'
LIZA = "Liza Talking Thunder: Prominent Legislator"
AKIKO = "Akiko Nisei: Head Case"
NBN = "NBN: Making News"
NOISE = "Noise: Hacker Extraordinaire"


def begins(corp: dict[str, Any] | None = None, **more: Any) -> Play:
    """Return the Runner's turn at the moment at which it begins."""
    return Play(corp or {}, more, step="runner.1.3")


def counters(play: Play, title: str) -> dict[str, int]:
    """Return the counters of the only card of the rig with this title."""
    found: dict[str, int] = next(card for card in play.runner["rig"] if card["card"] == title).get("counters", {})
    return found


# Anarch.


@does('Nathaniel "Gnat" Hall')
def test_gnat_hall_gains_a_credit_when_a_turn_begins_with_two_cards_in_the_grip() -> None:
    assert begins(identity=GNAT, grip=["Diesel"] * 2).runner["credits"] == 6
    assert begins(identity=GNAT).runner["credits"] == 6


@must_not('Nathaniel "Gnat" Hall')
def test_gnat_hall_gains_nothing_with_three_cards_or_in_the_corps_turn() -> None:
    assert begins(identity=GNAT, grip=["Diesel"] * 3).runner["credits"] == 5
    assert Play({}, {"identity": GNAT}, step="corp.1.2").runner["credits"] == 5


def dividing(**more: Any) -> Play:
    """Return a run of Divide and Conquer after Archives has been accessed, at the next question."""
    half = {"hq": ["Hedge Fund"], "rd": ["Hostile Takeover", "Enigma"], **more}
    return runner("Divide and Conquer", corp=half).do('play "Divide and Conquer"').settle()


@does("Divide and Conquer")
def test_divide_and_conquer_accesses_a_card_of_hq_and_the_top_of_rd_after_archives() -> None:
    play = dividing(archives=["Hostile Takeover"])
    play.do("access archives:0", "steal", "access next", "leave", "access next", "steal")
    assert (titles(play.runner["score"]), play.runner["credits"]) == (["Hostile Takeover"] * 2, 2)
    assert play.corp["hq"] == ["Hedge Fund"]


@must_not("Divide and Conquer")
def test_divide_and_conquer_accesses_no_root_no_second_card_and_nothing_after_another_run() -> None:
    servers = {"hq": {"root": ["Red Herrings"]}, "rd": {"root": ["Red Herrings"]}}
    play = dividing(servers=servers, hq=["Hedge Fund"] * 3)
    assert play.offered() == ["access next"]
    play.do("access next", "leave", "access next", "steal")
    assert (play.asked, play.state.run, play.runner["clicks"]) == ((1, "window"), None, 3)
    run: dict[str, Json] = {"server": "archives"}
    play = Play({"hq": ["Enigma"]}, {"play": ["Divide and Conquer"]}, step="run.5.3", run=run)
    assert play.settle().asked == (1, "action")  # of a run that it did not make
    run = {"server": "hq", "source": 9}
    play = Play({"hq": ["Enigma"]}, {"play": [{"card": "Divide and Conquer", "id": 9}]}, step="run.5.3", run=run)
    assert play.do("access next", "leave").settle().asked == (1, "action")


@does("Guinea Pig")
def test_guinea_pig_trashes_the_grip_for_ten_credits() -> None:
    play = runner("Guinea Pig", "Diesel", "Mimic").do('play "Guinea Pig"')
    assert (play.runner["credits"], play.runner["grip"]) == (11, [])
    assert sorted(play.runner["heap"]) == ["Diesel", "Guinea Pig", "Mimic"]


@must_not("Guinea Pig")
def test_guinea_pig_gains_ten_and_is_not_played_with_three_credits() -> None:
    assert runner("Guinea Pig", "Diesel", credits=4).do('play "Guinea Pig"').runner["credits"] == 10
    assert not runner("Guinea Pig", "Diesel", credits=3).offers('play "Guinea Pig"')


@does("Patchwork")
def test_patchwork_makes_a_card_two_cheaper_for_another_card_of_the_grip() -> None:
    play = runner("Sure Gamble", "Diesel", rig=["Patchwork"], credits=3)
    assert memory(play) == (0, 5)
    play.do('play "Sure Gamble"')
    assert play.offered() == ['choose "Diesel"']  # it can't be paid for otherwise
    play.do('choose "Diesel"')
    assert (play.runner["credits"], play.runner["heap"]) == (9, ["Diesel", "Sure Gamble"])
    play = runner("Corroder", "Diesel", rig=["Patchwork"]).do('install "Corroder"')
    assert play.offered() == ['choose "Diesel"', "no"]
    assert play.do('choose "Diesel"').runner["credits"] == 5


@must_not("Patchwork")
def test_patchwork_helps_once_a_turn_not_alone_and_never_below_nothing() -> None:
    play = runner("Easy Mark", "Easy Mark", "Diesel", "Corroder", rig=["Patchwork"], credits=2)
    play.do('play "Easy Mark"', 'choose "Diesel"')
    assert play.runner["credits"] == 5
    assert play.do('install "Corroder"').runner["credits"] == 4  # and is not asked about again
    assert not runner("Sure Gamble", rig=["Patchwork"], credits=3).offers('play "Sure Gamble"')
    assert not runner("Sure Gamble", "Diesel", rig=["Patchwork"], credits=2).offers('play "Sure Gamble"')
    play = runner("Corroder", "Diesel", rig=["Patchwork"]).do('install "Corroder"', "no")
    assert (play.runner["credits"], play.runner["grip"]) == (4, ["Diesel"])
    assert not runner("Femme Fatale", "Diesel", rig=["Patchwork"]).offers('install "Femme Fatale"')


@does("Hijacked Router")
def test_hijacked_router_takes_a_credit_for_a_new_server_and_three_for_itself() -> None:
    play = corp("PAD Campaign", runner={"rig": ["Hijacked Router"]}, identity=NBN).do('install "PAD Campaign" new')
    assert play.corp["credits"] == 4
    play = runner(rig=["Hijacked Router"]).do("run archives", "yes")
    assert (play.corp["credits"], play.runner["heap"]) == (2, ["Hijacked Router"])
    assert play.asked[1] != "may"


@must_not("Hijacked Router")
def test_hijacked_router_takes_nothing_for_an_old_server_another_run_or_when_it_is_kept() -> None:
    half = {"rig": ["Hijacked Router"]}
    play = corp("Red Herrings", servers=remote("PAD Campaign"), runner=half, identity=NBN)
    play.do('install "Red Herrings" remote1')
    assert play.corp["credits"] == 5
    play = runner(rig=["Hijacked Router"]).do("run archives", "no")
    assert (play.corp["credits"], titles(play.runner["rig"]), play.asked[1]) == (5, ["Hijacked Router"], "window")
    assert runner(rig=["Hijacked Router"]).do("run hq").settle().asked == (1, "access")


@does("Cradle")
def test_cradle_is_weaker_for_each_card_in_the_grip_and_breaks_any_number() -> None:
    play = facing("Enigma", "Cradle", grip=["Diesel"] * 2)
    assert strength(play, 'rig:"Cradle"') == 3
    play.do('use rig:"Cradle" 0', "break 0 1")
    assert (play.position["run"]["broken"], play.runner["credits"], play.asked) == ([0, 1], 3, (1, "window"))


@must_not("Cradle")
def test_cradle_breaks_no_other_ice_and_none_that_is_stronger() -> None:
    assert not facing("Wall of Static", "Cradle").offers('use rig:"Cradle" 0')
    assert not facing("Enigma", "Cradle", grip=["Diesel"] * 4).offers('use rig:"Cradle" 0')
    assert facing("Enigma", "Cradle", grip=["Diesel"] * 3).offers('use rig:"Cradle" 0')
    assert not facing("Enigma", "Cradle", credits=1).offers('use rig:"Cradle" 0')


@does("District 99")
def test_district_99_counts_the_first_trashed_program_and_fetches_a_card_of_the_faction() -> None:
    play = runner("Guinea Pig", "Mimic", rig=["District 99"]).do('play "Guinea Pig"', "yes")
    assert (counters(play, "District 99"), play.asked) == ({"power": 1}, (1, "window"))
    play = runner(rig=[holding("District 99", power=4)], heap=["Corroder", "Diesel", "Modded"])
    play.do('use rig:"District 99" 0')
    assert play.offered() == ["choose heap:1", "choose heap:2"]  # Kate's
    play.do("choose heap:1")
    assert (play.runner["grip"], counters(play, "District 99")) == (["Diesel"], {"power": 1})
    assert (play.runner["clicks"], play.asked) == (3, (1, "window"))


@must_not("District 99")
def test_district_99_counts_no_resource_no_second_card_and_fetches_nothing_for_two_counters() -> None:
    play = runner("Guinea Pig", "Diesel", rig=["District 99"]).do('play "Guinea Pig"')
    assert (play.asked, counters(play, "District 99")) == ((1, "window"), {})
    play = runner("Guinea Pig", "Mimic", "Ninja", rig=["District 99"]).do('play "Guinea Pig"', "yes")
    assert (counters(play, "District 99"), play.asked) == ({"power": 1}, (1, "window"))
    play = runner("Guinea Pig", "Mimic", rig=["District 99"]).do('play "Guinea Pig"', "no")
    assert counters(play, "District 99") == {}
    assert not runner(rig=[holding("District 99", power=2)], heap=["Diesel"]).offers('use rig:"District 99" 0')
    assert runner(rig=[holding("District 99", power=3)], heap=["Diesel"]).offers('use rig:"District 99" 0')
    assert not runner(rig=[holding("District 99", power=3)], heap=["Diesel"], clicks=0).offers(
        'use rig:"District 99" 0'
    )
    play = begins(rig=[holding("District 99", power=3)], heap=["Diesel"])
    assert not play.offers('use rig:"District 99" 0')


# Criminal.


@does("Liza Talking Thunder")
def test_liza_draws_two_and_takes_a_tag_for_the_first_central_success() -> None:
    play = runner(identity=LIZA).do("run archives").settle()
    assert (len(play.runner["grip"]), play.runner["tags"]) == (2, 1)


@must_not("Liza Talking Thunder")
def test_liza_does_nothing_for_a_remote_or_a_second_central_server() -> None:
    play = runner(identity=LIZA).do("run archives").settle().do("run hq").settle()
    assert (len(play.runner["grip"]), play.runner["tags"]) == (2, 1)
    play = runner(identity=LIZA, corp={"servers": {"remote1": {"ice": ["Enigma"]}}}).do("run remote1").settle()
    assert (play.runner["grip"], play.runner["tags"]) == ([], 0)


@does("Hot Pursuit")
def test_hot_pursuit_gains_nine_and_tags_before_the_breach() -> None:
    play = runner("Hot Pursuit").do('play "Hot Pursuit"', "access next")
    assert (play.runner["credits"], play.runner["tags"]) == (12, 1)
    assert play.do("leave").state.run is None


@must_not("Hot Pursuit")
def test_hot_pursuit_runs_hq_alone_and_gains_nothing_elsewhere() -> None:
    play = runner("Hot Pursuit").do('play "Hot Pursuit"')
    assert play.position["run"]["server"] == "hq"
    assert play.do("jack-out").runner["credits"] == 3
    play = runner("Hot Pursuit", rig=["Sneakdoor Beta"]).do('use rig:"Sneakdoor Beta" 0', "access next")
    assert play.runner["credits"] == 5
    state = Play({"hq": ["Hedge Fund"]}, {"play": ["Hot Pursuit"]}, turn="runner", step="run.5.3", run={"server": "hq"})
    assert state.do("access next").runner["credits"] == 5  # of a run that it did not make
    state = Play({}, {"play": [{"card": "Hot Pursuit", "id": 9}]}, step="run.5.3", run={"server": "rd", "source": 9})
    assert state.do("access next").runner["credits"] == 5


@does("Paragon")
def test_paragon_pays_a_credit_and_looks_at_the_top_card_which_may_go_to_the_bottom() -> None:
    stack = ["Diesel", "Mimic", "Ninja"]
    play = runner(rig=["Paragon"], stack=stack).do("run archives", "yes")
    assert memory(play) == (0, 5)
    assert (play.asked, play.runner["credits"]) == ((1, "bottom"), 6)
    assert play.do("yes").runner["stack"] == ["Mimic", "Ninja", "Diesel"]


@must_not("Paragon")
def test_paragon_works_once_a_turn_and_leaves_the_card_where_it_is() -> None:
    play = runner(rig=["Paragon"], stack=["Diesel", "Mimic"]).do("run archives", "yes", "no")
    assert play.runner["stack"] == ["Diesel", "Mimic"]
    play.settle().do("run archives").settle()
    assert (play.asked, play.runner["credits"]) == ((1, "action"), 6)
    assert runner(rig=["Paragon"]).do("run archives", "no").runner["credits"] == 5


@does("Bankroll")
def test_bankroll_saves_a_credit_for_each_success_and_pays_all_when_it_is_trashed() -> None:
    play = runner(rig=["Bankroll"]).do("run archives", "yes").settle().do("run archives", "yes").settle()
    assert counters(play, "Bankroll") == {"credit": 2}
    play.do("credit", 'use rig:"Bankroll" 0')
    assert (play.runner["credits"], play.runner["heap"]) == (8, ["Bankroll"])


@must_not("Bankroll")
def test_bankroll_saves_nothing_when_it_need_not_and_is_gone_when_it_has_paid() -> None:
    play = runner(rig=["Bankroll"]).do("run archives", "no").settle()
    assert counters(play, "Bankroll") == {}
    play = Play({}, {"rig": [holding("Bankroll", credit=3)]}, step="corp.1.1").do("pass", 'use rig:"Bankroll" 0')
    assert (play.runner["credits"], play.runner["rig"]) == (8, [])


@does("Tycoon")
def test_tycoon_breaks_two_and_pays_the_corp() -> None:
    play = facing("Wall of Thorns", "Tycoon", credits=9).do('use rig:"Tycoon" 1', 'use rig:"Tycoon" 1')
    assert strength(play, 'rig:"Tycoon"') == 7
    play.do('use rig:"Tycoon" 0', "break 0 1", "access next")
    assert (play.corp["credits"], play.runner["credits"]) == (7, 4)


@must_not("Tycoon")
def test_tycoon_pays_nobody_for_a_pump_and_breaks_neither_three_nor_other_ice() -> None:
    play = facing("Ice Wall", "Tycoon").do('use rig:"Tycoon" 1').settle()
    assert (play.corp["credits"], strength(play, 'rig:"Tycoon"')) == (5, 1)
    play = facing({"card": "Heimdall 1.0"}, "Tycoon", credits=9, clicks=0).do(
        'use rig:"Tycoon" 1', 'use rig:"Tycoon" 1'
    )
    assert not play.do('use rig:"Tycoon" 0').offers("break 0 1 2")
    assert not facing("Enigma", "Tycoon", credits=9).do('use rig:"Tycoon" 1').offers('use rig:"Tycoon" 0')


@does("Thunder Art Gallery")
def test_thunder_art_gallery_installs_a_card_for_one_less_when_a_tag_is_removed_or_avoided() -> None:
    play = runner("Mimic", rig=["Thunder Art Gallery"], tags=1, identity=NOISE).do("remove-tag", 'choose "Mimic"')
    assert (titles(play.runner["rig"]), play.runner["credits"]) == (["Thunder Art Gallery", "Mimic"], 1)
    play = facing("Hunter", "Decoy", "Thunder Art Gallery", grip=["Mimic"], identity=NOISE).do(
        *["pass"] * 2, *["spend 0"] * 2
    )
    play.do('use rig:"Decoy" 0', 'choose "Mimic"')
    assert (play.runner["tags"], play.runner["credits"]) == (0, 3)


@must_not("Thunder Art Gallery")
def test_thunder_art_gallery_works_once_a_turn_for_cards_that_can_be_paid() -> None:
    play = runner("Mimic", "Diesel", rig=["Thunder Art Gallery"], tags=2, credits=9).do("remove-tag")
    assert play.offered() == ['choose "Mimic"', "no"]
    play.do("no", "remove-tag")
    assert (play.asked, play.runner["grip"]) == ((1, "window"), ["Mimic", "Diesel"])
    play = runner("Mimic", "Corroder", rig=["Thunder Art Gallery"], tags=1, credits=3, identity=NOISE).do("remove-tag")
    assert play.offered() == ['choose "Corroder"', "no"]
    play = runner("Diesel", rig=["Thunder Art Gallery"]).do("credit")
    assert play.asked == (1, "window")


@does("Miss Bones")
def test_miss_bones_brings_twelve_credits_for_trashing_installed_cards() -> None:
    play = runner("Miss Bones").do('install "Miss Bones"')
    assert counters(play, "Miss Bones") == {"credit": 12}
    play = accessing("PAD Campaign", rig=[holding("Miss Bones", credit=4)], credits=0).do("trash")
    assert (play.corp["archives"], play.runner["heap"]) == ([{"card": "PAD Campaign", "faceup": True}], ["Miss Bones"])


@must_not("Miss Bones")
def test_miss_bones_pays_for_no_card_of_hq_and_stays_while_a_credit_is_left() -> None:
    half = {"hq": ["PAD Campaign"]}
    play = runner(rig=[holding("Miss Bones", credit=12)], credits=3, corp=half).do("run hq", "access next")
    assert play.offered() == ["leave"]
    play = accessing("PAD Campaign", rig=[holding("Miss Bones", credit=5)], credits=0).do("trash")
    assert counters(play, "Miss Bones") == {"credit": 1}
    play = runner("Mimic", rig=[holding("Miss Bones", credit=5)]).do('install "Mimic"')
    assert counters(play, "Miss Bones") == {"credit": 5}
    assert not runner("Corroder", rig=[holding("Miss Bones", credit=5)], credits=0).offers('install "Corroder"')


# Shaper.


@does("Akiko Nisei")
def test_akiko_accesses_one_more_card_of_rd_when_both_spend_the_same() -> None:
    play = runner(identity=AKIKO, corp={"rd": ["Enigma", "Hunter", "Shadow"]}).do("run rd", "bid 2", "bid 2")
    assert (play.corp["credits"], play.runner["credits"]) == (3, 3)
    play.do("access next", "leave", "access next", "leave")
    assert play.asked == (1, "window")


@must_not("Akiko Nisei")
def test_akiko_accesses_no_more_when_they_differ_and_bids_only_for_rd() -> None:
    play = runner(identity=AKIKO, corp={"rd": ["Enigma", "Hunter"]}).do("run rd", "bid 1", "bid 2")
    play.do("access next", "leave")
    assert (play.asked, play.corp["credits"], play.runner["credits"]) == ((1, "window"), 4, 3)
    assert not runner(identity=AKIKO).do("run rd").settle().offers("bid 3")
    assert runner(identity=AKIKO).do("run hq").settle().asked == (1, "access")


@does("Insight")
def test_insight_lets_the_corp_arrange_the_top_of_rd_and_shows_it() -> None:
    cards = ["Enigma", "Hunter", "Shadow", "Archer", "Hedge Fund"]
    play = runner("Insight", corp={"rd": cards}).do('play "Insight"')
    assert (play.asked, play.runner["clicks"]) == ((0, "may"), 2)
    play.do("yes", 'order "Archer" "Shadow" "Hunter" "Enigma"')
    assert play.corp["rd"][:4] == ["Archer", "Shadow", "Hunter", "Enigma"]
    shown = [event.public["card"] for event in play.events if event.kind == "revealed" and event.public]
    assert shown == ["Archer", "Shadow", "Hunter", "Enigma"]


@must_not("Insight")
def test_insight_takes_two_clicks_and_arranges_nothing_when_the_corp_declines() -> None:
    cards = ["Enigma", "Hunter", "Shadow", "Archer", "Hedge Fund"]
    play = runner("Insight", corp={"rd": cards}).do('play "Insight"', "no")
    assert play.corp["rd"] == cards
    assert not runner("Insight", clicks=1).offers('play "Insight"')
    assert play.state.known[0][1] == (7, 7, 7, 7)


@does("Mind's Eye")
def test_minds_eye_accesses_the_top_card_of_rd_without_a_run() -> None:
    play = runner(rig=["Mind's Eye"]).do("run rd", "yes", "access next", "leave")
    assert (memory(play), counters(play, "Mind's Eye")) == ((0, 5), {"power": 1})
    play = runner(rig=[holding("Mind's Eye", power=4)], corp={"rd": ["Hostile Takeover"]})
    play.do('use rig:"Mind\'s Eye" 0', "access next", "steal")
    assert (titles(play.runner["score"]), counters(play, "Mind's Eye")) == (["Hostile Takeover"], {"power": 1})
    assert (play.runner["clicks"], play.state.run) == (3, None)


@must_not("Mind's Eye")
def test_minds_eye_accesses_one_card_no_root_and_none_for_two_counters() -> None:
    half = {"rd": ["Enigma", "Hunter"], "servers": {"rd": {"root": ["Red Herrings"]}}}
    play = runner(rig=[holding("Mind's Eye", power=3)], corp=half).do('use rig:"Mind\'s Eye" 0')
    assert play.offered() == ["access next"]
    assert play.do("access next", "leave").asked == (1, "window")
    assert not runner(rig=[holding("Mind's Eye", power=2)]).offers('use rig:"Mind\'s Eye" 0')
    assert not begins(rig=[holding("Mind's Eye", power=3)]).offers('use rig:"Mind\'s Eye" 0')
    assert counters(runner(rig=["Mind's Eye"]).do("run rd", "no"), "Mind's Eye") == {}
    assert runner(rig=["Mind's Eye"]).do("run hq").settle().asked == (1, "access")


@does("Mâché")
def test_mache_gets_counters_for_a_trashed_card_and_draws_for_three() -> None:
    play = accessing("PAD Campaign", rig=["Mâché"]).do("trash", "yes")
    assert counters(play, "Mâché") == {"power": 4}
    play = Play({}, {"rig": [holding("Mâché", power=4)]}, step="corp.1.1").do("pass", 'use rig:"Mâché" 0')
    assert (len(play.runner["grip"]), counters(play, "Mâché")) == (1, {"power": 1})


@must_not("Mâché")
def test_mache_counts_one_card_a_turn_and_draws_nothing_for_two_counters() -> None:
    servers = {"remote1": {"root": ["PAD Campaign"]}, "remote2": {"root": ["PAD Campaign"]}}
    play = runner(rig=["Mâché"], credits=9, corp={"servers": servers})
    play.do("run remote1", "access root:remote1:0", "trash", "yes")
    play.do("run remote2", "access root:remote2:0", "trash").settle()
    assert (play.asked, counters(play, "Mâché")) == ((1, "action"), {"power": 4})
    assert counters(accessing("PAD Campaign", rig=["Mâché"]).do("trash", "no"), "Mâché") == {}
    assert not Play({}, {"rig": [holding("Mâché", power=2)]}, step="runner.1.2").offers('use rig:"Mâché" 0')
    assert Play({}, {"rig": [holding("Mâché", power=3)]}, step="runner.1.2").offers('use rig:"Mâché" 0')


@does("Ika")
def test_ika_moves_onto_ice_and_breaks_two_subroutines_of_its_host() -> None:
    play = facing({"card": "Ichi 1.0", "hosted": ["Ika"]}, credits=9, clicks=0).do("use hosted:ice:hq:0:0 2")
    assert strength(play, "hosted:ice:hq:0:0") == 5
    play.do("use hosted:ice:hq:0:0 1", "break 0 1")
    assert (play.position["run"]["broken"], play.runner["credits"]) == ([0, 1], 6)
    play = Play({"servers": {"hq": {"ice": ["Enigma"]}}}, {"rig": ["Ika"]}, step="corp.1.1").do(
        "pass", 'use rig:"Ika" 0'
    )
    play.do("choose ice:hq:0")
    assert titles(play.corp["servers"]["hq"]["ice"][0]["hosted"]) == ["Ika"]
    assert (play.runner["rig"], play.runner["credits"], memory(play)) == ([], 3, (1, 4))
    assert play.asked == (1, "window")


@must_not("Ika")
def test_ika_breaks_only_sentries_that_host_it_and_two_at_a_time() -> None:
    assert not facing("Rototurret", "Ika").offers('use rig:"Ika" 1')
    assert not facing({"card": "Enigma", "hosted": ["Ika"]}).offers("use hosted:ice:hq:0:0 1")
    play = facing({"card": "Archer", "hosted": ["Ika"]}, credits=9).do(*["use hosted:ice:hq:0:0 2"] * 2)
    assert not play.do("use hosted:ice:hq:0:0 1").offers("break 0 1 2")
    assert facing({"card": "Rototurret", "hosted": ["Ika"]}, credits=1).offers("use hosted:ice:hq:0:0 1")
    assert not facing({"card": "Rototurret", "hosted": ["Ika"]}, credits=1).offers("use hosted:ice:hq:0:0 2")
    assert strength(facing([{"card": "Archer", "hosted": ["Ika"]}], credits=9), "hosted:ice:hq:0:0") == 2
    play = facing({"card": "Neural Katana", "hosted": ["Ika"]}).do("use hosted:ice:hq:0:0 2", "use hosted:ice:hq:0:0 1")
    assert strength(play.do("break 0", "access next"), "hosted:ice:hq:0:0") == 2


@does("Kyuban")
def test_kyuban_pays_two_when_its_host_is_passed() -> None:
    servers = {"hq": {"ice": ["Enigma"]}}
    play = runner("Kyuban", corp={"servers": servers}).do(
        'install "Kyuban"', "choose ice:hq:0", "run hq", "access next"
    )
    assert play.runner["credits"] == 7


@must_not("Kyuban")
def test_kyuban_pays_nothing_for_other_ice_and_is_installed_only_on_ice() -> None:
    play = facing(
        ["Enigma", {"card": "Hunter", "hosted": ["Kyuban"]}], run={"ice": 0, "server": "hq", "broken": [0, 1]}
    )
    assert play.settle().runner["credits"] == 5
    assert not runner("Kyuban").offers('install "Kyuban"')


@does("Psych Mike")
def test_psych_mike_pays_for_each_card_of_rd_that_was_accessed() -> None:
    play = runner("The Maker's Eye", rig=["Psych Mike"], corp={"rd": ["Enigma"] * 5}).do('play "The Maker\'s Eye"')
    play.do(*["access next", "leave"] * 3, "yes")
    assert play.runner["credits"] == 6


@must_not("Psych Mike")
def test_psych_mike_pays_once_a_turn_for_cards_of_rd_but_not_of_its_root() -> None:
    half = {"rd": ["Enigma"] * 5, "servers": {"rd": {"root": ["Red Herrings"]}}}
    play = runner(rig=["Psych Mike"], corp=half).do(
        "run rd", "access root:rd:0", "leave", "access next", "leave", "yes"
    )
    assert play.runner["credits"] == 6
    play.do("run rd", "access root:rd:0", "leave", "access next", "leave").settle()
    assert (play.asked, play.runner["credits"]) == ((1, "action"), 6)
    play = runner(rig=["Psych Mike"]).do("run rd", "access next", "leave", "no", "run hq", "access next", "leave")
    assert (play.settle().asked, play.runner["credits"]) == ((1, "action"), 5)
    assert runner(rig=["Psych Mike"]).do("run hq", "access next", "leave").settle().asked == (1, "action")
    play = runner(rig=["Psych Mike"], corp={"rd": ["Enigma"]}).do("run rd", "access next", "leave", "yes", "run rd")
    assert play.do("jack-out").settle().asked == (1, "action")


# Adam, Apex, Sunny, neutral.


@does("Algernon")
def test_algernon_sells_a_click_and_is_trashed_after_a_turn_without_success() -> None:
    play = begins(rig=["Algernon"], clicks=4).do("yes")
    assert (play.runner["clicks"], play.runner["credits"]) == (5, 3)
    play.do(*["credit"] * 5)
    while play.position["turn"] == "runner":
        play.quiet()
    assert play.runner["heap"] == ["Algernon"]


@must_not("Algernon")
def test_algernon_stays_after_a_success_or_when_nothing_was_paid() -> None:
    play = begins(rig=["Algernon"], clicks=4).do("yes", "run archives", *["credit"] * 4)
    while play.position["turn"] == "runner":
        play.quiet()
    assert titles(play.runner["rig"]) == ["Algernon"]
    play = begins(rig=["Algernon"], clicks=4).do("no", *["credit"] * 4)
    while play.position["turn"] == "runner":
        play.quiet()
    assert (titles(play.runner["rig"]), play.runner["credits"]) == (["Algernon"], 9)
    assert not begins(rig=["Algernon"], credits=1).offers("yes")
    assert Play({}, {"rig": ["Algernon"]}, step="corp.1.2").asked[1] != "may"


@does("Reboot")
def test_reboot_installs_cards_of_the_heap_facedown_and_leaves_the_game() -> None:
    play = runner("Reboot", heap=["Diesel", "Mimic", "Ninja"]).do(
        'play "Reboot"', "choose heap:0", "choose heap:1", "no"
    )
    assert [(card["card"], card["facedown"]) for card in play.runner["rig"]] == [("Diesel", True), ("Ninja", True)]
    play.settle()
    assert (play.runner["heap"], play.position["removed"], memory(play)) == (["Mimic"], ["Reboot"], (0, 4))


@must_not("Reboot")
def test_reboot_accesses_nothing_and_installs_five_cards_at_most() -> None:
    play = runner("Reboot", heap=["Mimic"] * 6, corp={"archives": ["Hostile Takeover"]}).do('play "Reboot"')
    play.do(*["choose heap:0"] * 5)
    assert (play.settle().asked, play.runner["heap"], play.runner["score"]) == ((1, "action"), ["Mimic"], [])
    play = runner("Reboot", heap=["Mimic"]).do('play "Reboot"')
    assert play.position["run"]["server"] == "archives"
    play = Play(
        {"hq": ["Enigma"]},
        {"play": [{"card": "Reboot", "id": 9}], "heap": ["Mimic"]},
        step="run.5.3",
        run={"server": "hq", "source": 9, "mods": ["instead"]},
    )
    assert play.settle().asked == (1, "access")


@does("Office Supplies")
def test_office_supplies_costs_less_for_link_and_gains_or_draws_four() -> None:
    play = runner("Office Supplies", rig=["Access to Globalsec"]).do('play "Office Supplies"', "choose credits")
    assert play.runner["credits"] == 7  # Kate has a link of her own
    play = runner("Office Supplies").do('play "Office Supplies"', "choose cards")
    assert (len(play.runner["grip"]), play.runner["credits"], play.asked) == (4, 2, (1, "window"))


@must_not("Office Supplies")
def test_office_supplies_is_not_played_for_less_and_never_costs_less_than_nothing() -> None:
    assert not runner("Office Supplies", credits=2).offers('play "Office Supplies"')
    play = runner("Office Supplies", rig=["Access to Globalsec"] * 5, credits=0).do('play "Office Supplies"')
    assert play.do("choose credits").runner["credits"] == 4


@does("DJ Fenris")
def test_dj_fenris_has_the_text_of_a_g_mod_identity_of_another_faction() -> None:
    play = runner("DJ Fenris", "Datasucker", credits=9).do('install "DJ Fenris"')
    assert play.offered() == [f'choose "{NOISE}"', f'choose "{LIZA}"']
    play.do(f'choose "{NOISE}"', 'install "Datasucker"')
    assert play.corp["archives"] == [{"card": "Hedge Fund", "faceup": False}]


@must_not("DJ Fenris")
def test_dj_fenris_hosts_no_identity_of_the_own_faction_and_takes_it_out_of_the_game() -> None:
    play = runner("DJ Fenris", identity=NOISE).do('install "DJ Fenris"')
    assert play.offered() == [f'choose "{LIZA}"']
    play.do(f'choose "{LIZA}"')
    assert play.asked == (1, "window")
    assert (titles(play.runner["rig"][0]["hosted"]), memory(play)) == ([LIZA], (0, 4))
    play = corp(runner={"rig": [{"card": "DJ Fenris", "hosted": [LIZA]}], "tags": 1})
    play.do('trash-resource rig:"DJ Fenris"')
    assert (play.runner["heap"], play.position["removed"]) == (["DJ Fenris"], [LIZA])
