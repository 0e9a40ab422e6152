"""The Corp's cards of Reign and Reverie: what each does, and what it must not."""

from __future__ import annotations

from typing import Any

from game.netrunner.queries import tags
from game.netrunner.table import Table
from tests.netrunner.cards import does, must_not
from tests.netrunner.cards.scenes import (
    CardText,
    accessing,
    approached,
    corp,
    facing,
    holding,
    meeting,
    remote,
    rezzed,
    runner,
    scoring,
    strength,
)
from tests.netrunner.table import Play, titles

SPORTS = "Sportsmetal: Go Big or Go Home"
SARASWATI = "Saraswati Mnemonics: Endless Exploration"
ACME = "Acme Consulting: The Truth You Need"
OUTFIT = "The Outfit: Family Owned and Operated"
NBN = "NBN: Making News"


def begins(runner: dict[str, Any] | None = None, **more: Any) -> Play:
    """Return the Corp's turn at the moment at which it begins."""
    return Play({"identity": NBN, **more}, runner or {}, step="corp.1.2")


def stealing(agenda: str, **more: Any) -> Play:
    """Return the moment after the Runner stole this agenda from a remote server."""
    return accessing(agenda, more).do("steal")


def ice_of(play: Play, server: str = "hq") -> list[str]:
    """Return the ice before a server, innermost first."""
    return titles(play.corp["servers"][server]["ice"])


def passing_turn(play: Play) -> Play:
    """Play on until the turn is over."""
    turn = play.position["turn"]
    while play.position["turn"] == turn and play.can_pass():
        play.quiet()
    return play


# Haas-Bioroid.


@does("Sportsmetal")
def test_sportsmetal_gains_two_or_draws_two_for_any_agenda() -> None:
    assert stealing("Priority Requisition", identity=SPORTS).do("choose credits").corp["credits"] == 7
    play = scoring("Private Security Force", 4, identity=SPORTS, hq=[]).do("choose cards")
    assert len(play.corp["hq"]) == 2


@must_not("Sportsmetal")
def test_sportsmetal_gains_nothing_for_a_trashed_card_and_no_more_than_two() -> None:
    assert accessing("PAD Campaign", {"identity": SPORTS}).do("trash").asked == (1, "window")
    play = stealing("Priority Requisition", identity=SPORTS).do("choose cards")
    assert play.asked == (1, "window")
    assert (len(play.corp["hq"]), play.corp["credits"]) == (2, 5)
    play = scoring("Private Security Force", 4, identity=SPORTS).do("choose credits")
    assert (play.asked, play.corp["credits"]) == ((0, "window"), 7)


@does("Hyperloop Extension")
def test_hyperloop_extension_pays_three_when_it_is_scored_or_stolen() -> None:
    assert scoring("Hyperloop Extension", 3).corp["credits"] == 8
    assert stealing("Hyperloop Extension").corp["credits"] == 8


@must_not("Hyperloop Extension")
def test_hyperloop_extension_pays_nothing_for_another_agenda() -> None:
    play = scoring("Private Security Force", 4, score=["Hyperloop Extension"])
    assert play.corp["credits"] == 5
    play = stealing("Priority Requisition", score=["Hyperloop Extension"])
    assert play.corp["credits"] == 5


@does("Meridian")
def test_meridian_pays_four_and_ends_the_run_or_costs_the_runner_a_point() -> None:
    play = facing("Meridian").do("pass", "pass")
    assert play.asked == (1, "may")
    play.do("no")
    assert (play.corp["credits"], play.state.run) == (9, None)
    play = facing("Meridian").do("yes")
    assert [(card["card"], card["worth"]) for card in play.runner["score"]] == [("Meridian", -1)]
    assert (ice_of(play), play.corp["credits"]) == ([], 5)
    assert play.do("access next").asked == (1, "accessed")


@must_not("Meridian")
def test_meridian_counts_one_point_less_and_takes_what_it_hosts_along() -> None:
    score: list[CardText] = ["Priority Requisition"] * 2
    play = facing({"card": "Meridian", "hosted": ["Parasite"]}, score=score, corp={"rd": ["Enigma"]}).do("yes")
    assert (play.runner["heap"], play.state.outcome) == (["Parasite"], None)
    score = [{"card": "Meridian", "worth": -1}, "Priority Requisition", "Priority Requisition"]
    play = accessing("Hostile Takeover", score=score).do("steal")
    assert play.state.outcome is None


@does("Gatekeeper")
def test_gatekeeper_is_strong_in_its_first_turn_draws_and_shuffles_agendas_in() -> None:
    play = approached("Gatekeeper").do("rez ice:hq:0")
    assert strength(play, "ice:hq:0") == 6
    half = {"hq": ["Hostile Takeover"], "archives": ["Posted Bounty"], "rd": ["Enigma"] * 5}
    play = facing("Gatekeeper", corp=half).do("spend 3", 'choose "Hostile Takeover"', "choose archives:0", "no")
    assert (play.corp["archives"], play.corp["hq"], play.state.run) == ([], ["Enigma"] * 3, None)
    assert sorted(play.corp["rd"]) == ["Enigma", "Enigma", "Hostile Takeover", "Posted Bounty"]
    assert [event.kind for event in play.events].count("shuffled") == 1


@must_not("Gatekeeper")
def test_gatekeeper_is_weak_later_and_shuffles_neither_four_nor_other_cards() -> None:
    assert strength(facing("Gatekeeper"), "ice:hq:0") == 0
    servers = {"hq": {"ice": ["Gatekeeper", rezzed("Enigma")]}}
    play = Play({"servers": servers}, {}, step="run.2.3", run={"server": "hq", "ice": 0}).do("pass", "rez ice:hq:0")
    assert strength(play, "ice:hq:1") == 2
    half = {"hq": ["Enigma"], "archives": ["Posted Bounty"] * 4}
    play = facing("Gatekeeper", corp=half)
    assert not play.do("pass", "pass").offers("spend 4")
    play.do("spend 0")
    assert 'choose "Enigma"' not in play.offered()
    play.do(*["choose archives:0"] * 3)
    assert (len(play.corp["archives"]), play.state.run) == (1, None)
    play = facing("Gatekeeper", corp=half).do("spend 0", "no")
    assert [event.kind for event in play.events].count("shuffled") == 0


@does("Divert Power")
def test_divert_power_derezzes_cards_and_rezzes_one_for_three_less_each() -> None:
    servers = {"hq": {"ice": [rezzed("Enigma"), "Hadrian's Wall"]}, **remote(rezzed("PAD Campaign"))}
    play = corp("Divert Power", servers=servers, credits=6).do('play "Divert Power"')
    play.do("choose ice:hq:0", "choose root:remote1:0", "choose ice:hq:1")
    assert play.corp["credits"] == 0
    ice = play.corp["servers"]["hq"]["ice"]
    assert [card["rezzed"] for card in ice] == [False, True]
    assert play.asked == (0, "window")


@must_not("Divert Power")
def test_divert_power_makes_nothing_cheaper_alone_and_need_not_rez() -> None:
    servers = {"hq": {"ice": [rezzed("Enigma"), "Hadrian's Wall"]}}
    play = corp("Divert Power", servers=servers, credits=8).do('play "Divert Power"', "choose ice:hq:0")
    assert play.offered() == ["choose ice:hq:0", "no"]  # seven for Hadrian's Wall are too much
    assert play.do("no").corp["credits"] == 6
    play = corp("Divert Power", servers=servers, credits=9).do(
        'play "Divert Power"', "choose ice:hq:0", "choose ice:hq:1"
    )
    assert play.corp["credits"] == 0
    play = corp("Divert Power", servers=remote("PAD Campaign"), credits=4).do('play "Divert Power"')
    assert play.do("choose root:remote1:0").corp["credits"] == 0


STOLEN: dict[str, Any] = {"score": ["Priority Requisition", {"card": "Meridian", "worth": -1}]}


@does("Fast Break")
def test_fast_break_gains_draws_and_installs_for_each_stolen_agenda() -> None:
    play = corp("Fast Break", "Enigma", "PAD Campaign", runner=STOLEN, rd=["Hedge Fund"] * 4, identity=NBN)
    play.do('play "Fast Break"', "spend 2", 'choose "Enigma"', 'install "Enigma" new')
    play.do('choose "PAD Campaign"', 'install "PAD Campaign" remote1')
    assert (play.corp["credits"], play.corp["hq"], play.corp["clicks"]) == (3, ["Hedge Fund"] * 2, 2)
    assert (ice_of(play, "remote1"), titles(play.corp["servers"]["remote1"]["root"])) == (["Enigma"], ["PAD Campaign"])


@must_not("Fast Break")
def test_fast_break_installs_in_one_remote_only_and_not_more_than_there_are_agendas() -> None:
    servers = {**remote("Red Herrings"), "remote2": {"root": ["Red Herrings"]}}
    play = corp("Fast Break", *["Enigma"] * 3, runner=STOLEN, servers=servers).do('play "Fast Break"', "spend 0")
    play.do('choose "Enigma"')
    assert play.offered() == [f'install "Enigma" {name}' for name in ("remote1", "remote2", "new")]
    play.do('install "Enigma" remote2', 'choose "Enigma"')
    assert play.offered() == ['install "Enigma" remote2', 'install "Enigma" remote2 trash ice:remote2:0']
    play.do('install "Enigma" remote2')
    assert (play.asked, play.corp["hq"]) == ((0, "window"), ["Enigma"])
    assert not corp("Fast Break", runner=STOLEN).do('play "Fast Break"').offers("spend 3")
    play = corp("Fast Break", "Enigma").do('play "Fast Break"')
    assert (play.asked, play.corp["credits"]) == ((0, "window"), 1)


@does("Game Changer")
def test_game_changer_gains_a_click_for_each_stolen_agenda_and_leaves_the_game() -> None:
    play = corp("Game Changer", runner=STOLEN, credits=6).do('play "Game Changer"')
    assert (play.corp["clicks"], play.position["removed"], play.corp["archives"]) == (4, ["Game Changer"], [])


@must_not("Game Changer")
def test_game_changer_gains_nothing_without_agendas_and_can_be_trashed_for_two() -> None:
    assert corp("Game Changer", credits=6).do('play "Game Changer"').corp["clicks"] == 2
    one = {"score": ["Priority Requisition"]}
    assert corp("Game Changer", credits=6, runner=one).do('play "Game Changer"').corp["clicks"] == 3
    play = runner(corp={"hq": ["Game Changer"]}, credits=2).do("run hq", "access next", "trash")
    assert (play.runner["credits"], titles(play.corp["archives"])) == (0, ["Game Changer"])


def giordano(**more: Any) -> Play:
    """Return the Runner about to succeed against Giordano Memorial Field."""
    half = {"servers": remote(rezzed("Giordano Memorial Field"))}
    return Play(half, more, turn="runner", step="run.5.4", run={"server": "remote1"})


@does("Giordano Memorial Field")
def test_giordano_memorial_field_asks_two_for_each_stolen_agenda_or_ends_the_run() -> None:
    assert giordano(**STOLEN).do("yes").runner["credits"] == 1
    play = giordano(**STOLEN).do("no")
    assert (play.state.run, play.runner["credits"]) == (None, 5)
    assert giordano(**STOLEN, credits=3).settle().state.run is None


@must_not("Giordano Memorial Field")
def test_giordano_memorial_field_leaves_the_run_successful_and_guards_no_other_server() -> None:
    play = giordano(**STOLEN).do("no")
    assert "success:remote1" in play.position["this_turn"]
    assert "unsuccessful_run" not in play.position["this_turn"]
    half = {"servers": remote(rezzed("Giordano Memorial Field"))}
    assert runner(corp=half, **STOLEN).do("run hq").settle().asked == (1, "access")
    assert giordano(score=["Priority Requisition"], credits=2).do("yes").runner["credits"] == 0


# Jinteki.


@does("Saraswati Mnemonics")
def test_saraswati_installs_and_advances_a_card_that_can_be_neither_rezzed_nor_scored() -> None:
    play = corp("PAD Campaign", "Hedge Fund", identity=SARASWATI).do("use identity 0", 'choose "PAD Campaign"')
    play.do('install "PAD Campaign" new')
    assert play.corp["servers"]["remote1"]["root"][0]["advancement"] == 1
    assert (play.corp["credits"], play.corp["clicks"]) == (4, 2)
    assert not play.offers("rez root:remote1:0")
    play = corp("Hostile Takeover", identity=SARASWATI).do("use identity 0", 'choose "Hostile Takeover"')
    play.do('install "Hostile Takeover" new', "advance root:remote1:0")
    assert not play.offers("score root:remote1:0")


@must_not("Saraswati Mnemonics")
def test_saraswati_bars_a_card_until_the_next_turn_only_and_installs_in_remotes_only() -> None:
    play = corp("PAD Campaign", "Enigma", "Red Herrings", identity=SARASWATI).do("use identity 0")
    assert play.offered() == ['choose "PAD Campaign"', 'choose "Red Herrings"', "no"]
    assert play.do('choose "Red Herrings"').offered() == ['install "Red Herrings" new']
    play = corp("PAD Campaign", identity=SARASWATI, clicks=1).do("use identity 0", 'choose "PAD Campaign"')
    play.do('install "PAD Campaign" new')
    passing_turn(play)
    assert not play.offers("rez root:remote1:0")
    play.do(*["credit"] * 4)
    passing_turn(play)
    assert play.do("rez root:remote1:0").corp["servers"]["remote1"]["root"][0]["rezzed"] is True
    assert not corp("PAD Campaign", identity=SARASWATI, credits=0).offers("use identity 0")
    assert not Play({"identity": SARASWATI, "hq": ["PAD Campaign"]}, {}, step="corp.2.2").offers("use identity 0")


@does("Jumon")
def test_jumon_places_two_counters_at_the_end_of_each_turn() -> None:
    play = corp(score=["Jumon"], servers=remote("Hostile Takeover", "Red Herrings"), clicks=0)
    play.do("choose root:remote1:1")
    assert play.position["turn"] == "runner"
    assert [card["advancement"] for card in play.corp["servers"]["remote1"]["root"]] == [0, 2]


@must_not("Jumon")
def test_jumon_advances_no_ice_and_nothing_at_the_end_of_the_runners_turn() -> None:
    servers = {"hq": {"ice": ["Ice Wall"]}, **remote("Hostile Takeover")}
    play = corp(score=["Jumon"], servers=servers, clicks=0)
    play.until("choose root:remote1:0")
    assert play.offered() == ["choose root:remote1:0"]
    play = runner(clicks=0, corp={"score": ["Jumon"], "servers": servers})
    assert passing_turn(play).position["turn"] == "corp"


@does("API-S Keeper Isobel")
def test_isobel_sells_an_advancement_counter_for_three() -> None:
    servers = {"hq": {"ice": [{"card": "Ice Wall", "advancement": 2}]}, **remote(rezzed("API-S Keeper Isobel"))}
    play = begins(servers=servers).do("choose ice:hq:0")
    assert (play.corp["credits"], play.corp["servers"]["hq"]["ice"][0]["advancement"]) == (8, 1)
    assert play.settle().asked == (0, "action")


@must_not("API-S Keeper Isobel")
def test_isobel_sells_no_counter_that_is_not_there_or_is_kept() -> None:
    servers = {"hq": {"ice": ["Ice Wall"]}, **remote(rezzed("API-S Keeper Isobel"))}
    assert begins(servers=servers).settle().asked == (0, "action")
    servers = {"hq": {"ice": [{"card": "Ice Wall", "advancement": 2}]}, **remote(rezzed("API-S Keeper Isobel"))}
    play = begins(servers=servers).do("no")
    assert (play.corp["credits"], play.corp["servers"]["hq"]["ice"][0]["advancement"]) == (5, 2)
    assert Play({"servers": servers}, {}, step="runner.1.3").settle().asked == (1, "action")


@does("Neurostasis")
def test_neurostasis_shuffles_a_card_for_each_counter_into_the_stack() -> None:
    play = accessing({"card": "Neurostasis", "advancement": 2}, rig=["Mimic", "Decoy", "Ninja"], stack=[])
    play.do("yes", 'choose rig:"Mimic"', 'choose rig:"Ninja"')
    assert (titles(play.runner["rig"]), sorted(play.runner["stack"])) == (["Decoy"], ["Mimic", "Ninja"])
    assert (play.corp["credits"], play.runner["heap"]) == (2, [])
    assert corp(servers=remote("Neurostasis")).offers("advance root:remote1:0")


@must_not("Neurostasis")
def test_neurostasis_takes_no_more_cards_than_counters_and_costs_three() -> None:
    hurt = {"card": "Neurostasis", "advancement": 1}
    play = accessing(hurt, {"credits": 9}, rig=["Mimic", "Ninja"]).do("yes", 'choose rig:"Mimic"')
    assert (play.asked, titles(play.runner["rig"])) == ((1, "accessed"), ["Ninja"])
    assert accessing("Neurostasis", rig=["Mimic"]).asked == (1, "accessed")
    assert accessing({"card": "Neurostasis", "advancement": 1}, {"credits": 2}, rig=["Mimic"]).asked == (1, "accessed")
    play = accessing({"card": "Neurostasis", "advancement": 1}, {"credits": 3}, rig=["Mimic"]).do("yes")
    assert play.corp["credits"] == 0


@does("Otoroshi")
def test_otoroshi_advances_a_card_that_the_runner_accesses_or_pays_three() -> None:
    servers = remote("Project Junebug")
    play = facing("Otoroshi", servers=servers).do("choose root:remote1:0", "spend 3", "yes")
    assert (play.runner["credits"], play.corp["servers"]["remote1"]["root"][0]["advancement"]) == (2, 3)
    play = facing("Otoroshi", servers=servers, grip=["Diesel"] * 7).do("choose root:remote1:0", "spend 3", "no", "yes")
    assert len(play.runner["grip"]) == 1
    play = facing("Otoroshi", servers=remote("Hostile Takeover")).do("choose root:remote1:0", "spend 1", "no", "steal")
    assert play.do("access next").asked == (1, "accessed")


@must_not("Otoroshi")
def test_otoroshi_places_at_most_three_and_is_paid_with_three() -> None:
    play = facing("Otoroshi", servers=remote("PAD Campaign")).do("choose root:remote1:0")
    assert not play.offers("spend 4")
    assert not play.offers("spend 0")
    assert play.do("spend 1", "no", "leave", "access next").asked == (1, "accessed")
    play = facing("Otoroshi", servers=remote("PAD Campaign")).do("no", "access next")
    assert (play.asked, play.runner["credits"]) == ((1, "accessed"), 5)
    play = facing("Otoroshi", servers=remote("PAD Campaign"), credits=2).do("choose root:remote1:0", "spend 1")
    assert play.asked == (1, "accessed")
    play = facing(["Ice Wall", "Otoroshi"], root=["Red Herrings"])
    play.until("choose root:hq:0")
    assert play.offered() == ["choose root:hq:0", "no"]  # no ice


@does("Thimblerig")
def test_thimblerig_ends_the_run_and_changes_places_when_a_turn_begins_or_it_is_passed() -> None:
    assert facing("Thimblerig").settle().state.run is None
    servers = {"hq": {"ice": [rezzed("Thimblerig")]}, "rd": {"ice": ["Enigma"]}}
    play = begins(servers=servers)
    assert play.offered() == ["choose ice:rd:0", "no"]
    play.do("choose ice:rd:0")
    assert (ice_of(play), ice_of(play, "rd")) == (["Enigma"], ["Thimblerig"])
    play = facing(["Enigma", "Hunter", "Thimblerig"], run={"server": "hq", "ice": 2, "broken": [0]})
    play.until("choose ice:hq:0")
    assert play.offered() == ["choose ice:hq:0", "choose ice:hq:1", "no"]
    play.do("choose ice:hq:0")
    assert ice_of(play) == ["Thimblerig", "Hunter", "Enigma"]
    play.until("spend 0")
    assert play.position["run"]["ice"] == 1  # what came into the passed place is not met, Thimblerig will be again


@must_not("Thimblerig")
def test_thimblerig_stays_when_the_corp_likes_and_moves_for_no_other_ice() -> None:
    servers = {"hq": {"ice": [rezzed("Thimblerig")]}, "rd": {"ice": ["Enigma"]}}
    play = begins(servers=servers).do("no")
    assert ice_of(play) == ["Thimblerig"]
    assert Play({"servers": servers}, {}, step="runner.1.3").settle().asked == (1, "action")
    play = facing(["Thimblerig", "Enigma"], run={"server": "hq", "ice": 1, "broken": [0, 1]}).do("pass", "pass")
    assert play.position["run"]["ice"] == 0
    play = facing(["Thimblerig"], run={"server": "hq", "ice": 0, "broken": [0]}).settle()
    assert play.asked == (1, "access")
    play = begins(servers=servers)
    assert play.do("choose ice:rd:0").settle().asked == (0, "action")


HIT_BACK: dict[str, Any] = {"last_turn": ["trashed_corp_card"]}


@does("Hangeki")
def test_hangeki_offers_an_access_or_becomes_an_agenda_worth_minus_one() -> None:
    play = corp("Hangeki", servers=remote("Hostile Takeover"), **HIT_BACK)
    play.do('play "Hangeki"', "choose root:remote1:0")
    assert play.asked == (1, "may")
    play.do("yes", "steal")
    assert (titles(play.runner["score"]), play.position["removed"]) == (["Hostile Takeover"], ["Hangeki"])
    play = corp("Hangeki", servers=remote("Hostile Takeover"), **HIT_BACK)
    play.do('play "Hangeki"', "choose root:remote1:0", "no")
    assert [(card["card"], card["worth"]) for card in play.runner["score"]] == [("Hangeki", -1)]
    assert (play.position["removed"], play.corp["archives"]) == ([], [])


@must_not("Hangeki")
def test_hangeki_needs_a_trashed_card_and_an_installed_one() -> None:
    assert not corp("Hangeki", servers=remote("Hostile Takeover")).offers('play "Hangeki"')
    assert not corp("Hangeki", **HIT_BACK).offers('play "Hangeki"')
    play = corp("Hangeki", servers={"hq": {"ice": ["Enigma"]}}, **HIT_BACK).do('play "Hangeki"', "choose ice:hq:0")
    assert play.do("yes", "leave").position["removed"] == ["Hangeki"]
    play = corp("Hangeki", servers={"hq": {"ice": ["Enigma", "Hunter"]}}, **HIT_BACK)
    assert play.do('play "Hangeki"', "choose ice:hq:0", "no").asked == (0, "window")


def swapping(*root: Any, hq: tuple[str, ...] = (), **servers: Any) -> Play:
    """Return the Runner about to approach a remote with a rezzed Daruma and these cards."""
    half = {"hq": list(hq), "servers": {**remote(rezzed("Daruma"), *root), **servers}}
    return Play(half, {}, turn="runner", step="run.4", run={"server": "remote1"}).do("yes")


@does("Daruma")
def test_daruma_is_trashed_to_exchange_a_card_of_its_server() -> None:
    play = swapping("Hostile Takeover", hq=("Snare!", "Enigma")).do("choose root:remote1:0", 'choose "Snare!"')
    assert titles(play.corp["servers"]["remote1"]["root"]) == ["Snare!"]
    assert sorted(play.corp["hq"]) == ["Enigma", "Hostile Takeover"]
    assert titles(play.corp["archives"]) == ["Daruma"]
    play = swapping("Hostile Takeover", remote2={"root": [{"card": "Snare!", "seen": True}]})
    play.do("choose root:remote1:0", "choose root:remote2:0")
    assert titles(play.corp["servers"]["remote2"]["root"]) == ["Hostile Takeover"]
    assert not play.corp["servers"]["remote1"]["root"][0].get("seen")


@must_not("Daruma")
def test_daruma_exchanges_no_ice_no_operation_and_nothing_in_another_server() -> None:
    play = swapping("Hostile Takeover", hq=("Enigma", "Hedge Fund", "PAD Campaign")).do("choose root:remote1:0")
    assert play.offered() == ['choose "PAD Campaign"', "no"]
    assert play.do("no").corp["hq"] == ["Enigma", "Hedge Fund", "PAD Campaign"]
    half = {"servers": remote(rezzed("Daruma"), "Hostile Takeover"), "hq": ["Snare!"]}
    play = Play(half, {}, turn="runner", step="run.4", run={"server": "hq"})
    assert play.settle().asked == (1, "access")
    play = Play(half, {}, turn="runner", step="run.4", run={"server": "remote1"}).do("no")
    assert titles(play.corp["servers"]["remote1"]["root"]) == ["Daruma", "Hostile Takeover"]
    assert play.asked == (1, "window")
    play = swapping("Hostile Takeover", hq=("Snare!",)).do("no")
    assert play.settle().asked == (1, "access")


# NBN.


@does("Acme Consulting")
def test_acme_counts_one_tag_more_at_the_outermost_ice() -> None:
    play = facing("Hydra", grip=["Diesel"] * 4, corp={"identity": ACME}).settle()
    assert (len(play.runner["grip"]), play.runner["tags"], play.corp["credits"]) == (1, 0, 10)


@must_not("Acme Consulting")
def test_acme_counts_no_tag_further_in_or_outside_an_encounter() -> None:
    run = {"server": "hq", "ice": 0, "passed": [1]}
    assert tags(Table(facing("Enigma", corp={"identity": ACME}, tags=1).state)) == 2
    play = facing(["Hydra", "Enigma"], grip=["Diesel"] * 4, corp={"identity": ACME}, run=run)
    play.do("pass", "pass")
    assert (len(play.runner["grip"]), play.runner["tags"]) == (4, 1)
    assert not corp("Scorched Earth", identity=ACME).offers('play "Scorched Earth"')


@does("Fly on the Wall")
def test_fly_on_the_wall_gives_a_tag_when_it_is_scored() -> None:
    assert scoring("Fly on the Wall", 3).runner["tags"] == 1


@must_not("Fly on the Wall")
def test_fly_on_the_wall_gives_no_tag_when_it_is_stolen_or_another_is_scored() -> None:
    assert stealing("Fly on the Wall").runner["tags"] == 0
    assert scoring("Private Security Force", 4, score=["Fly on the Wall"]).runner["tags"] == 0
    assert scoring("Fly on the Wall", 3).runner["tags"] == 1


@does("SIU")
def test_siu_is_trashed_for_a_trace() -> None:
    play = begins(servers=remote(rezzed("SIU")), identity=OUTFIT).do("yes", "spend 0", "spend 0")
    assert (play.runner["tags"], titles(play.corp["archives"])) == (1, ["SIU"])
    assert play.settle().asked == (0, "action")
    assert begins(servers=remote(rezzed("SIU"))).do("yes", "spend 0", "spend 2").runner["tags"] == 0


@must_not("SIU")
def test_siu_stays_when_it_is_not_used_and_gives_one_tag_in_the_corps_turn() -> None:
    play = begins(servers=remote(rezzed("SIU"))).do("no")
    assert (play.runner["tags"], titles(play.corp["servers"]["remote1"]["root"])) == (0, ["SIU"])
    assert play.asked == (0, "window")
    assert begins(servers=remote(rezzed("SIU"))).do("yes", "spend 0", "spend 1").runner["tags"] == 1
    assert Play({"servers": remote(rezzed("SIU"))}, {}, step="runner.1.3").settle().asked == (1, "action")


@does("Peeping Tom")
def test_peeping_tom_shows_the_grip_and_has_a_subroutine_for_each_card_of_the_type() -> None:
    play = meeting("Peeping Tom", grip=["Diesel", "Diesel", "Mimic"]).do("choose event")
    shown = [event.public["card"] for event in play.events if event.kind == "revealed" and event.public]
    assert shown == ["Diesel", "Diesel", "Mimic"]
    play.until("yes")
    assert play.asked == (1, "may")
    play.do("yes", "yes")
    assert (play.runner["tags"], play.position["run"] is None) == (2, False)
    assert meeting("Peeping Tom", grip=["Diesel", "Mimic"]).do("choose program", "no").state.run is None


@must_not("Peeping Tom")
def test_peeping_tom_lets_pass_who_holds_no_such_card_and_forgets_after_the_encounter() -> None:
    play = meeting("Peeping Tom", grip=["Diesel"]).do("choose hardware")
    assert play.settle().asked == (1, "access")
    play = meeting("Peeping Tom", grip=["Diesel"] * 3).do("choose event", "yes", "yes", "yes")
    assert (play.settle().asked, play.runner["tags"]) == ((1, "access"), 3)
    play = meeting("Peeping Tom", "Decoy", grip=["Diesel"]).do("choose event", "yes", 'use rig:"Decoy" 0')
    assert play.state.run is None  # a tag that is avoided is not taken
    assert meeting(["Peeping Tom", "Enigma"], grip=["Diesel"]).asked != (0, "type")


@does("Hydra")
def test_hydra_tags_an_untagged_runner_and_harms_a_tagged_one() -> None:
    play = facing("Hydra", grip=["Diesel"] * 4).settle()
    assert (play.runner["tags"], len(play.runner["grip"]), play.corp["credits"], play.state.run) == (1, 4, 10, None)
    assert len(facing("Hydra", grip=["Diesel"] * 4, tags=1).settle().runner["grip"]) == 1


@must_not("Hydra")
def test_hydra_harms_only_while_there_is_a_tag() -> None:
    play = facing("Hydra", "Decoy", "Decoy", "Decoy", grip=["Diesel"] * 4).do("pass", "pass")
    play.do(*["use rig:0 0"] * 3)
    assert (play.runner["tags"], len(play.runner["grip"]), play.corp["credits"]) == (0, 4, 5)
    assert play.settle().asked == (1, "access")
    play = facing("Hydra", grip=["Diesel"] * 4, run={"server": "hq", "ice": 0, "broken": [0]}).settle()
    assert (play.runner["tags"], play.corp["credits"], play.state.run) == (1, 5, None)
    play = facing("Hydra", grip=["Diesel"] * 4, run={"server": "hq", "ice": 0, "broken": [0, 1]}).settle()
    assert (play.runner["tags"], play.asked) == (1, (1, "access"))


@does("Eavesdrop")
def test_eavesdrop_lies_on_ice_and_traces_whoever_meets_it() -> None:
    play = corp("Eavesdrop", servers={"hq": {"ice": ["Enigma"]}}).do('play "Eavesdrop"', "choose ice:hq:0")
    assert (titles(play.corp["servers"]["hq"]["ice"][0]["hosted"]), play.corp["archives"]) == (["Eavesdrop"], [])
    assert play.asked == (0, "window")
    play = meeting({"card": "Wall of Static", "hosted": ["Eavesdrop"]}).do("spend 0", "spend 0")
    assert (play.runner["tags"], play.asked) == (1, (1, "window"))


@must_not("Eavesdrop")
def test_eavesdrop_traces_nobody_at_other_ice_and_is_trashed_with_its_host() -> None:
    assert meeting(["Enigma", {"card": "Hunter", "hosted": ["Eavesdrop"]}], run={"server": "hq", "ice": 0}).asked == (
        1,
        "window",
    )
    assert meeting({"card": "Enigma", "hosted": ["Eavesdrop"]}).do("spend 0", "spend 1").runner["tags"] == 1
    assert meeting({"card": "Enigma", "hosted": ["Eavesdrop"]}).do("spend 0", "spend 2").runner["tags"] == 0
    play = corp(servers={"hq": {"ice": [{"card": "Enigma", "hosted": ["Eavesdrop"]}]}}, hq=["Hunter"])
    play.do('install "Hunter" hq trash ice:hq:0')
    assert sorted(titles(play.corp["archives"])) == ["Eavesdrop", "Enigma"]
    assert not corp("Eavesdrop").offers('play "Eavesdrop"')


@does("Attitude Adjustment")
def test_attitude_adjustment_draws_two_and_sells_up_to_two_agendas_into_rd() -> None:
    play = corp("Attitude Adjustment", rd=["Hostile Takeover", "Enigma"], archives=["Posted Bounty"])
    play.do('play "Attitude Adjustment"', 'choose "Hostile Takeover"', "choose archives:0")
    assert (play.corp["credits"], sorted(play.corp["rd"])) == (7, ["Hostile Takeover", "Posted Bounty"])
    assert (play.corp["hq"], titles(play.corp["archives"])) == (["Enigma"], ["Attitude Adjustment"])
    assert [event.kind for event in play.events].count("shuffled") == 1


@must_not("Attitude Adjustment")
def test_attitude_adjustment_sells_no_third_agenda_and_no_other_card() -> None:
    archives = ["Posted Bounty"] * 3
    play = corp("Attitude Adjustment", "PAD Campaign", archives=archives).do('play "Attitude Adjustment"')
    assert play.offered() == [*(f"choose archives:{i}" for i in range(3)), "no"]
    play.do("choose archives:0", "choose archives:0")
    assert (play.asked, play.corp["credits"]) == ((0, "window"), 7)
    play = corp("Attitude Adjustment", archives=archives).do('play "Attitude Adjustment"', "no")
    assert (play.corp["credits"], [event.kind for event in play.events].count("shuffled")) == (3, 0)
    assert len(play.corp["hq"]) == 2


def scored_beside(*root: Any, hq: tuple[str, ...] = ("PAD Campaign", "Enigma", "Hedge Fund"), **more: Any) -> Play:
    """Return the moment after an agenda was scored from a server with these cards besides."""
    servers = {"remote1": {"root": [{"card": "Private Security Force", "advancement": 4}, *root]}, **more}
    return Play({"hq": list(hq), "servers": servers, "identity": NBN}, {}, step="corp.2.2").do("score root:remote1:0")


@does("Arella Salvatore")
def test_arella_installs_a_card_for_nothing_unrezzed_and_advanced() -> None:
    play = scored_beside(rezzed("Arella Salvatore"), rd={"ice": ["Hunter"]})
    play.do('choose "Enigma"', 'install "Enigma" rd')
    ice = play.corp["servers"]["rd"]["ice"]
    assert (titles(ice), ice[1]["advancement"], ice[1]["rezzed"]) == (["Hunter", "Enigma"], 1, False)
    assert play.corp["credits"] == 5


@must_not("Arella Salvatore")
def test_arella_installs_nothing_for_an_agenda_of_another_server_and_no_operation() -> None:
    play = scored_beside(rezzed("Arella Salvatore"))
    assert play.offered() == ['choose "PAD Campaign"', 'choose "Enigma"', "no"]
    assert play.do("no").corp["hq"] == ["PAD Campaign", "Enigma", "Hedge Fund"]
    play = scored_beside(remote2={"root": [rezzed("Arella Salvatore")]})
    assert play.asked == (0, "window")
    play = scored_beside(rezzed("Arella Salvatore")).do('choose "PAD Campaign"', 'install "PAD Campaign" new')
    assert (play.asked, play.corp["servers"]["remote2"]["root"][0]["advancement"]) == ((0, "window"), 1)


# Weyland Consortium, neutral.


@does("The Outfit")
def test_the_outfit_gains_three_when_it_takes_bad_publicity() -> None:
    assert scoring("Hostile Takeover", 2, identity=OUTFIT).corp["credits"] == 15


@must_not("The Outfit")
def test_the_outfit_gains_nothing_without_bad_publicity() -> None:
    assert scoring("Private Security Force", 4, identity=OUTFIT, bad_publicity=1).corp["credits"] == 5
    assert scoring("Hostile Takeover", 2, identity=OUTFIT, bad_publicity=1).corp["credits"] == 15


@does("Broad Daylight")
def test_broad_daylight_has_a_counter_for_each_bad_publicity_and_does_two_meat_damage() -> None:
    play = scoring("Broad Daylight", 4, {"grip": ["Diesel"] * 5}, bad_publicity=1).do("yes")
    assert (play.corp["bad_publicity"], play.corp["score"][0]["counters"]) == (2, {"agenda": 2})
    play.do("use score:0 0")
    assert (len(play.runner["grip"]), play.corp["clicks"]) == (3, 2)
    assert play.corp["score"][0]["counters"] == {"agenda": 1}


@must_not("Broad Daylight")
def test_broad_daylight_hurts_once_a_turn_for_a_counter_and_takes_bad_publicity_only_if_liked() -> None:
    play = scoring("Broad Daylight", 4, {"grip": ["Diesel"] * 5}, bad_publicity=1).do("no")
    assert (play.corp["bad_publicity"], play.corp["score"][0]["counters"]) == (1, {"agenda": 1})
    play = corp(score=[holding("Broad Daylight", agenda=2)], runner={"grip": ["Diesel"] * 5}).do("use score:0 0")
    play.until("credit")
    assert not play.offers("use score:0 0")
    assert not corp(score=["Broad Daylight"]).offers("use score:0 0")
    assert not corp(score=[holding("Broad Daylight", agenda=1)], step="corp.2.2").offers("use score:0 0")
    play = scoring("Private Security Force", 4, score=["Broad Daylight"], bad_publicity=1)
    assert (play.asked, "counters" in play.corp["score"][0]) == ((0, "window"), False)


@does("Drudge Work")
def test_drudge_work_sells_three_agendas_into_rd_and_is_trashed() -> None:
    play = corp(servers=remote("Drudge Work"), step="corp.2.2").do("rez root:remote1:0")
    assert play.corp["servers"]["remote1"]["root"][0]["counters"] == {"power": 3}
    drudge = rezzed(holding("Drudge Work", power=1))
    play = corp("Priority Requisition", servers=remote(drudge), rd=["Enigma"]).do("use root:remote1:0 0")
    play.do('choose "Priority Requisition"')
    assert (play.corp["credits"], sorted(play.corp["rd"])) == (8, ["Enigma", "Priority Requisition"])
    assert (titles(play.corp["archives"]), play.corp["hq"]) == (["Drudge Work"], [])
    assert play.asked == (0, "window")


@must_not("Drudge Work")
def test_drudge_work_sells_no_other_card_and_stays_while_it_has_counters() -> None:
    drudge = rezzed(holding("Drudge Work", power=2))
    play = corp("PAD Campaign", servers=remote(drudge), archives=["Hostile Takeover"]).do("use root:remote1:0 0")
    assert play.offered() == ["choose archives:0", "no"]
    play.do("choose archives:0")
    assert (play.corp["credits"], play.corp["clicks"]) == (6, 2)
    assert titles(play.corp["servers"]["remote1"]["root"]) == ["Drudge Work"]
    assert [event.kind for event in play.events].count("shuffled") == 1
    assert not corp(servers=remote(drudge), step="corp.2.2").offers("use root:remote1:0 0")
    play = corp(
        servers=remote(
            "Red Herrings",
            drudge,
        ),
        step="corp.2.2",
    ).do("rez root:remote1:0")
    assert play.corp["servers"]["remote1"]["root"][1]["counters"] == {"power": 2}
    other = {"remote2": {"root": [rezzed(holding("Drudge Work", power=2))]}}
    hurt = corp(servers={**remote(rezzed(holding("Drudge Work", power=1))), **other})
    assert hurt.do("use root:remote1:0 0", "no").settle().asked[0] == 0


@does("Blockchain")
def test_blockchain_has_a_subroutine_more_for_two_faceup_transactions() -> None:
    play = facing("Blockchain", corp={"archives": ["Hedge Fund"] * 4}, credits=9).settle()
    assert (play.corp["credits"], play.runner["credits"], play.state.run) == (8, 6, None)
    assert facing("Blockchain", "Corroder", credits=9, corp={"archives": ["Hedge Fund"] * 2}).do(
        *['use rig:"Corroder" 1'] * 2, 'use rig:"Corroder" 0'
    ).offered() == ["break 0", "break 1", "break 2"]


@must_not("Blockchain")
def test_blockchain_counts_pairs_of_faceup_transactions_only() -> None:
    archives = [{"card": "Hedge Fund", "faceup": False}, "Hedge Fund", "Scorched Earth"]
    play = facing("Blockchain", corp={"archives": archives}).settle()
    assert (play.corp["credits"], play.runner["credits"], play.state.run) == (6, 4, None)
    run = {"server": "hq", "ice": 0, "broken": [1, 2]}
    play = facing("Blockchain", corp={"archives": ["Hedge Fund"] * 2}, run=run).settle()
    assert (play.corp["credits"], play.asked) == (6, (1, "access"))
    play = facing("Blockchain", corp={"archives": ["Hedge Fund"] * 2}, run={**run, "broken": [0, 1]}).settle()
    assert (play.corp["credits"], play.state.run) == (5, None)


def lurking(**more: Any) -> Play:
    """Return the Runner about to approach HQ, with an unrezzed Formicary before R&D."""
    servers = {"hq": {"ice": ["Enigma"]}, "rd": {"ice": ["Formicary"]}}
    half = {"hq": ["Hedge Fund"], "servers": servers, **more.pop("corp", {})}
    return Play(half, more, turn="runner", step="run.4", run={"server": "hq", "ice": 0})


@does("Formicary")
def test_formicary_springs_up_before_the_approached_server_and_is_met() -> None:
    play = lurking(grip=["Diesel"] * 3).do("use ice:rd:0 0")
    assert (ice_of(play), ice_of(play, "rd"), play.corp["credits"]) == (["Formicary", "Enigma"], [], 3)
    assert play.position["step"] == "run.3.1"
    play.until("yes")
    assert play.asked == (1, "may")
    assert len(play.do("yes").runner["grip"]) == 1
    play.do("access next")
    assert lurking(grip=["Diesel"] * 3).do("use ice:rd:0 0", "no").state.run is None


@must_not("Formicary")
def test_formicary_is_not_rezzed_without_credits_twice_or_as_other_ice() -> None:
    play = lurking(corp={"credits": 1})
    assert play.offered() == ["pass"]
    play = lurking(grip=["Diesel"] * 3).do("use ice:rd:0 0", "yes")
    play.do("access next")
    assert play.corp["credits"] == 3
    play = lurking(rig=["Net Shield"], grip=["Diesel"] * 3).do("use ice:rd:0 0", "yes", 'use rig:"Net Shield" 0')
    assert play.state.run is None  # one of two points was prevented
    play = facing("Formicary", grip=["Diesel"] * 2).do("yes")
    assert (play.runner["grip"], play.state.outcome) == ([], None)
    assert not Play({"servers": {"rd": {"ice": ["Formicary"]}}}, {}, step="corp.2.2").offers("use ice:rd:0 0")
    assert lurking().do("pass", "access next").corp["servers"]["rd"]["ice"][0]["rezzed"] is False


@does("Building Blocks")
def test_building_blocks_install_a_barrier_rezzed_for_nothing() -> None:
    play = corp("Building Blocks", "Hadrian's Wall", "Enigma").do('play "Building Blocks"')
    play.do('choose "Hadrian\'s Wall"', 'install "Hadrian\'s Wall" hq')
    assert play.corp["servers"]["hq"]["ice"][0]["rezzed"] is True


@must_not("Building Blocks")
def test_building_blocks_take_no_other_ice_and_no_second_barrier() -> None:
    play = corp("Building Blocks", "Hadrian's Wall", "Ice Wall", "Enigma", identity=NBN).do('play "Building Blocks"')
    assert play.offered() == ['choose "Hadrian\'s Wall"', 'choose "Ice Wall"', "no"]
    play.do('choose "Ice Wall"', 'install "Ice Wall" hq')
    assert (play.asked, play.corp["credits"]) == ((0, "window"), 0)


@does("Too Big to Fail")
def test_too_big_to_fail_gains_seven_and_takes_bad_publicity() -> None:
    play = corp("Too Big to Fail", credits=9).do('play "Too Big to Fail"')
    assert (play.corp["credits"], play.corp["bad_publicity"]) == (16, 1)


@must_not("Too Big to Fail")
def test_too_big_to_fail_is_not_played_with_ten_credits_and_can_be_trashed_for_five() -> None:
    assert not corp("Too Big to Fail", credits=10).offers('play "Too Big to Fail"')
    assert corp("Too Big to Fail", credits=9).offers('play "Too Big to Fail"')
    assert not corp("Too Big to Fail", credits=11).offers('play "Too Big to Fail"')
    play = runner(corp={"rd": ["Too Big to Fail"]}).do("run rd", "access next", "trash")
    assert play.runner["credits"] == 0


@does("Under the Bus")
def test_under_the_bus_trashes_a_connection_after_an_access() -> None:
    play = corp("Under the Bus", runner={"rig": ["Decoy", "Wyldside"]}, last_turn=["accessed"])
    assert play.do('play "Under the Bus"').offered() == ['choose rig:"Decoy"']
    play.do('choose rig:"Decoy"')
    assert (play.runner["heap"], play.corp["bad_publicity"]) == (["Decoy"], 1)


@must_not("Under the Bus")
def test_under_the_bus_needs_an_access_and_trashes_one_connection() -> None:
    assert not corp("Under the Bus", runner={"rig": ["Decoy"]}).offers('play "Under the Bus"')
    play = corp("Under the Bus", runner={"rig": ["Decoy", "Decoy"]}, last_turn=["accessed"])
    play.do('play "Under the Bus"', "choose rig:0")
    assert (titles(play.runner["rig"]), play.corp["bad_publicity"]) == (["Decoy"], 1)


@does("Under the Bus")
def test_under_the_bus_without_a_connection_was_unplayable_though_it_still_brings_bad_publicity() -> None:
    play = corp("Under the Bus", last_turn=["accessed"]).do('play "Under the Bus"')
    assert (titles(play.corp["archives"]), play.corp["bad_publicity"]) == (["Under the Bus"], 1)


@does("Lady Liberty")
def test_lady_liberty_adds_an_agenda_worth_her_counters_without_scoring_it() -> None:
    play = begins(servers=remote(rezzed("Lady Liberty")))
    assert play.corp["servers"]["remote1"]["root"][0]["counters"] == {"power": 1}
    servers = remote(rezzed(holding("Lady Liberty", power=1)))
    play = corp("Hostile Takeover", "Priority Requisition", servers=servers).do("use root:remote1:0 0")
    assert play.offered() == ['choose "Hostile Takeover"', "no"]
    play.do('choose "Hostile Takeover"')
    assert (titles(play.corp["score"]), play.corp["credits"], play.corp["clicks"]) == (["Hostile Takeover"], 5, 0)
    assert ("scored" in play.position["this_turn"], play.asked) == (False, (0, "window"))


@must_not("Lady Liberty")
def test_lady_liberty_takes_three_clicks_and_no_agenda_of_other_points() -> None:
    servers = remote(rezzed(holding("Lady Liberty", power=2)))
    play = corp("Hostile Takeover", "PAD Campaign", servers=servers).do("use root:remote1:0 0")
    assert play.offered() == ["no"]
    assert not corp("Hostile Takeover", servers=servers, clicks=2).offers("use root:remote1:0 0")
    assert not corp(servers=servers, step="corp.2.2").offers("use root:remote1:0 0")
    play = Play({"servers": servers}, {}, step="runner.1.3")
    assert play.corp["servers"]["remote1"]["root"][0]["counters"] == {"power": 2}
    play = corp("PAD Campaign", "Hostile Takeover", servers=remote(rezzed("Lady Liberty"))).do("use root:remote1:0 0")
    assert play.offered() == ["no"]
    servers = remote(rezzed(holding("Lady Liberty", power=1)))
    play = corp("Hostile Takeover", "Posted Bounty", servers=servers, clicks=3).do("use root:remote1:0 0")
    play.do('choose "Posted Bounty"')
    assert (titles(play.corp["score"]), play.corp["hq"]) == (["Posted Bounty"], ["Hostile Takeover"])
