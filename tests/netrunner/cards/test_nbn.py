"""NBN's cards: what each does, and what it must not."""

from __future__ import annotations

from game.netrunner import queries
from tests.netrunner.cards import does, must_not
from tests.netrunner.cards.scenes import (
    accessing,
    card_at,
    corp,
    facing,
    holding,
    meeting,
    remote,
    rezzed,
    runner,
    scoring,
)
from tests.netrunner.table import Play, titles

NEWS = "NBN: Making News"
TABLE = {"hq": {"ice": ["Ice Wall", "Enigma"]}, **remote("Hostile Takeover", "SanSan City Grid")}


@does("NBN")
def test_making_news_pays_two_credits_in_traces_each_turn() -> None:
    play = facing("Hunter", corp={"identity": NEWS, "credits": 0}).do("spend 2", "spend 4")
    assert (play.runner["tags"], play.corp["credits"], play.runner["credits"]) == (0, 0, 1)
    play = facing("Hunter", corp={"identity": NEWS, "credits": 0}).do("spend 2", "spend 3")
    assert play.runner["tags"] == 1
    assert Play({"identity": NEWS, "recurring": 0}, {}, step="corp.1.2").corp["recurring"] == 2


@must_not("NBN")
def test_making_news_pays_no_third_credit_and_nothing_but_traces() -> None:
    assert not facing("Hunter", corp={"identity": NEWS, "credits": 0}).do("pass", "pass").offers("spend 3")
    assert not corp("Hunter", identity=NEWS, credits=0, servers=TABLE).offers('install "Hunter" hq')
    assert not corp(
        "Beanstalk Royalties", "Anonymous Tip", "SEA Source", identity=NEWS, credits=0, last_turn=["success:hq"]
    ).offers('play "SEA Source"')


@must_not("NBN")
def test_making_news_rezzes_nothing() -> None:
    play = Play(
        {"identity": NEWS, "credits": 0, "servers": {"hq": {"ice": ["Hunter"]}}},
        {},
        turn="runner",
        step="run.2.3",
        run={"server": "hq", "ice": 0},
    )
    assert not play.do("pass").offers("rez ice:hq:0")


@does("AstroScript Pilot Program")
def test_astroscript_gets_a_counter_and_advances_a_card_with_it() -> None:
    assert scoring("AstroScript Pilot Program", 3).corp["score"][0]["counters"] == {"agenda": 1}
    play = corp(score=[holding("AstroScript Pilot Program", agenda=1)], servers=TABLE, step="corp.2.2")
    play.do("use score:0 0", "choose root:remote1:0")
    assert play.corp["servers"]["remote1"]["root"][0]["advancement"] == 1
    assert play.corp["score"][0].get("counters", {}) == {}


@must_not("AstroScript Pilot Program")
def test_astroscript_advances_once_and_only_what_can_be_advanced() -> None:
    play = corp(score=[holding("AstroScript Pilot Program", agenda=1)], servers=TABLE, step="corp.2.2")
    play.do("use score:0 0")
    assert play.offered() == ["choose ice:hq:0", "choose root:remote1:0"]
    play.do("choose ice:hq:0")
    assert play.corp["servers"]["hq"]["ice"][0]["advancement"] == 1
    assert not play.offers("use score:0 0")
    play = scoring("Private Security Force", 4, score=["AstroScript Pilot Program"])
    assert play.corp["score"][0].get("counters", {}) == {}
    play = corp(score=[holding("AstroScript Pilot Program", agenda=2)], servers=TABLE, step="corp.2.2")
    play.do("use score:0 0", "choose ice:hq:0")
    assert (play.asked, play.corp["score"][0]["counters"]) == ((0, "window"), {"agenda": 1})


@does("Breaking News")
def test_breaking_news_gives_two_tags_until_the_turn_ends() -> None:
    play = scoring("Breaking News", 2, clicks=0)
    assert play.runner["tags"] == 2
    assert play.settle().runner["tags"] == 0


@must_not("Breaking News")
def test_breaking_news_gives_no_third_tag_and_takes_none_away_later() -> None:
    play = scoring("Breaking News", 2, {"tags": 1}, clicks=0)
    assert play.runner["tags"] == 3
    assert play.settle().runner["tags"] == 1
    assert scoring("Private Security Force", 4, score=["Breaking News"]).runner["tags"] == 0
    play = corp(score=["Breaking News"], runner={"tags": 2}, step="corp.3.2").settle()
    assert (play.asked, play.runner["tags"]) == ((1, "action"), 2)
    play = runner(corp={"rd": ["Breaking News"]}).do("run rd", "access next", "steal").settle()
    assert play.runner["tags"] == 0


@does("Anonymous Tip")
def test_anonymous_tip_draws_three() -> None:
    play = corp("Anonymous Tip").do('play "Anonymous Tip"')
    assert (len(play.corp["hq"]), len(play.corp["rd"])) == (3, 5)


@must_not("Anonymous Tip")
def test_anonymous_tip_draws_for_the_corp_only_and_loses_with_too_few_cards() -> None:
    play = corp("Anonymous Tip").do('play "Anonymous Tip"')
    assert (len(play.corp["hq"]), play.runner["grip"], play.corp["credits"]) == (3, [], 5)
    assert corp("Anonymous Tip", rd=["Enigma"] * 2).do('play "Anonymous Tip"').state.outcome == (1, "decked")


@does("Closed Accounts")
def test_closed_accounts_takes_all_credits_of_a_tagged_runner() -> None:
    play = corp("Closed Accounts", runner={"tags": 1, "credits": 17}).do('play "Closed Accounts"')
    assert (play.runner["credits"], play.corp["credits"]) == (0, 4)
    assert [event.kind for event in play.events].count("lost") == 1


@must_not("Closed Accounts")
def test_closed_accounts_needs_a_tag_and_leaves_hosted_credits() -> None:
    assert not corp("Closed Accounts", runner={"credits": 17}).offers('play "Closed Accounts"')
    rig = [holding("Armitage Codebusting", credit=12)]
    play = corp("Closed Accounts", runner={"tags": 1, "rig": rig}).do('play "Closed Accounts"')
    assert (play.runner["rig"][0]["counters"], play.runner["tags"], play.corp["credits"]) == ({"credit": 12}, 1, 4)


@does("Psychographics")
def test_psychographics_places_x_advancements() -> None:
    play = corp("Psychographics", servers=TABLE, runner={"tags": 3}).do('play "Psychographics"', "spend 3")
    play.do("choose root:remote1:0")
    assert (play.corp["servers"]["remote1"]["root"][0]["advancement"], play.corp["credits"]) == (3, 2)


@must_not("Psychographics")
def test_psychographics_places_no_more_than_there_are_tags_and_on_one_card_that_can_be_advanced() -> None:
    play = corp("Psychographics", servers=TABLE, runner={"tags": 2}).do('play "Psychographics"')
    assert not play.offers("spend 3")
    assert play.do("spend 2").offered() == ["choose ice:hq:0", "choose root:remote1:0"]
    assert play.do("choose ice:hq:0").asked == (0, "window")
    play = corp("Psychographics", servers=TABLE, runner={"tags": 9}, credits=1).do('play "Psychographics"')
    assert not play.offers("spend 2")


@does("SEA Source")
def test_sea_source_traces_the_runner_for_a_tag() -> None:
    play = corp("SEA Source", last_turn=["success:hq"]).do('play "SEA Source"', "spend 1", "spend 2")
    assert (play.runner["tags"], play.corp["credits"], play.runner["credits"]) == (1, 2, 3)


@must_not("SEA Source")
def test_sea_source_needs_a_successful_run_and_a_trace_that_succeeds() -> None:
    assert not corp("SEA Source", last_turn=["made_run", "unsuccessful_run"]).offers('play "SEA Source"')
    assert not corp("SEA Source").offers('play "SEA Source"')
    play = corp("SEA Source", last_turn=["success:hq"]).do('play "SEA Source"', "spend 0", "spend 2")
    assert play.runner["tags"] == 0
    play = corp("SEA Source", last_turn=["success:hq"]).do('play "SEA Source"', "spend 0", "spend 0")
    assert (play.runner["tags"], play.asked) == (1, (0, "window"))


@does("Ghost Branch")
def test_ghost_branch_gives_a_tag_for_each_advancement() -> None:
    assert accessing({"card": "Ghost Branch", "advancement": 3}).do("yes").runner["tags"] == 3


@must_not("Ghost Branch")
def test_ghost_branch_gives_none_unadvanced_or_declined() -> None:
    assert accessing("Ghost Branch").asked == (1, "accessed")
    assert accessing({"card": "Ghost Branch", "advancement": 3}).do("no").runner["tags"] == 0
    play = corp(servers=remote("Ghost Branch"))
    assert play.do("advance root:remote1:0").corp["servers"]["remote1"]["root"][0]["advancement"] == 1
    play = accessing({"card": "Ghost Branch", "advancement": 1}).do("yes")
    assert (play.runner["tags"], play.asked) == (1, (1, "accessed"))


@does("Data Raven")
def test_data_raven_tags_or_ends_the_run_and_its_counter_is_a_tag() -> None:
    assert meeting("Data Raven").asked == (1, "either")
    play = meeting("Data Raven").do("choose tag", "spend 0", "spend 1")
    assert (play.runner["tags"], play.corp["servers"]["hq"]["ice"][0]["counters"]) == (1, {"power": 1})
    play.do("pass", "use ice:hq:0 0")
    assert play.runner["tags"] == 2
    assert meeting("Data Raven").do("choose end").settle().state.run is None


@must_not("Data Raven")
def test_data_raven_gets_no_counter_from_a_failed_trace_and_gives_no_tag_for_nothing() -> None:
    play = meeting("Data Raven").do("choose tag", "spend 0", "spend 2", "access next")
    assert (play.runner["tags"], play.corp["servers"]["hq"]["ice"][0].get("counters", {})) == (1, {})
    ice = {"hq": {"ice": [rezzed("Data Raven")]}}
    assert not corp(servers=ice, step="corp.2.2").offers("use ice:hq:0 0")
    ice = {"hq": {"ice": [rezzed("Data Raven", counters={"power": 1})]}}
    play = corp(servers=ice, step="corp.2.2").do("use ice:hq:0 0")
    assert (play.runner["tags"], play.offers("use ice:hq:0 0")) == (1, False)
    assert meeting("Data Raven").do("choose end").settle().runner["tags"] == 0
    assert meeting("Enigma", servers={"rd": {"ice": [rezzed("Data Raven")]}}).asked == (1, "window")


@does("Matrix Analyzer")
def test_matrix_analyzer_pays_to_advance_a_card_and_traces_for_a_tag() -> None:
    play = meeting("Matrix Analyzer", servers=remote("Hostile Takeover")).do("yes", "choose root:remote1:0")
    assert (play.corp["servers"]["remote1"]["root"][0]["advancement"], play.corp["credits"]) == (1, 4)
    assert play.do("spend 0", "spend 0").runner["tags"] == 1


@must_not("Matrix Analyzer")
def test_matrix_analyzer_advances_nothing_unpaid_and_tags_nobody_after_a_failed_trace() -> None:
    play = meeting("Matrix Analyzer", servers=remote("Hostile Takeover"), corp={"credits": 0})
    assert play.asked == (1, "window")
    play.do("spend 0", "spend 1", "access next")
    assert (play.corp["servers"]["remote1"]["root"][0]["advancement"], play.runner["tags"]) == (0, 0)
    play = meeting("Matrix Analyzer", servers=remote("Hostile Takeover", "Akitaro Watanabe")).do("yes")
    assert play.offered() == ["choose root:remote1:0"]
    assert play.do("choose root:remote1:0").asked == (1, "window")
    assert meeting("Enigma", servers={"rd": {"ice": [rezzed("Matrix Analyzer")]}}).asked == (1, "window")


@does("Tollbooth")
def test_tollbooth_takes_three_credits_or_ends_the_run() -> None:
    assert meeting("Tollbooth").runner["credits"] == 2
    play = meeting("Tollbooth", credits=2).settle()
    assert (play.state.run, play.runner["credits"]) == (None, 2)
    assert meeting("Tollbooth").settle().state.run is None


@must_not("Tollbooth")
def test_tollbooth_takes_three_once_and_lets_through_who_pays_and_breaks() -> None:
    play = meeting("Tollbooth", "Gordian Blade", credits=9).do(*['use rig:"Gordian Blade" 1'] * 3)
    play.do('use rig:"Gordian Blade" 0', "break 0", "access next", "leave")
    assert play.runner["credits"] == 9 - 3 - 3 - 1
    assert meeting("Tollbooth", credits=3).asked == (1, "window")
    assert meeting("Enigma", servers={"rd": {"ice": [rezzed("Tollbooth")]}}).runner["credits"] == 5


@does("Red Herrings")
def test_red_herrings_make_an_agenda_here_cost_five_to_steal() -> None:
    servers = remote("Hostile Takeover", rezzed("Red Herrings"))
    play = runner(corp={"servers": servers}).do("run remote1", "access root:remote1:0")
    assert play.offered() == ["steal", "leave"]
    assert play.do("steal").runner["credits"] == 0
    play = runner(corp={"servers": servers}, credits=4).do("run remote1", "access root:remote1:0")
    assert play.offered() == ["leave"]
    play = runner(corp={"servers": servers}, credits=6).do("run remote1", "access root:remote1:1", "trash")
    assert play.do("access root:remote1:0", "steal").runner["credits"] == 0


@does("Red Herrings")
def test_red_herrings_protect_agendas_in_hq_and_rd_from_its_root() -> None:
    for server in ("hq", "rd"):
        table = {server: ["Hostile Takeover"], "servers": {server: {"root": [rezzed("Red Herrings")]}}}
        play = runner(corp=table, credits=4).do(f"run {server}", "access next")
        assert play.offered() == ["leave"]


@must_not("Red Herrings")
def test_red_herrings_protect_no_other_server_nor_unrezzed_nor_in_the_next_run() -> None:
    servers = {"remote1": {"root": ["Hostile Takeover"]}, "remote2": {"root": [rezzed("Red Herrings")]}}
    play = runner(corp={"servers": servers}, credits=0).do("run remote1", "access root:remote1:0")
    assert play.offered() == ["steal"]
    play = runner(corp={"servers": remote("Hostile Takeover", "Red Herrings")}, credits=0)
    assert play.do("run remote1", "access root:remote1:0").offered() == ["steal"]
    servers = remote("Hostile Takeover", rezzed("Red Herrings"))
    play = runner(corp={"servers": servers}, credits=1).do("run remote1", "access root:remote1:1", "trash")
    play.do("access root:remote1:0", "leave", "run remote1", "access root:remote1:0")
    assert play.offered() == ["steal"]
    play = runner(corp={"servers": servers}, credits=5).do("run remote1", "access root:remote1:0", "steal")
    assert play.runner["credits"] == 0


@does("SanSan City Grid")
def test_sansan_city_grid_makes_an_agenda_here_one_easier_to_score() -> None:
    servers = remote({"card": "Private Security Force", "advancement": 3}, rezzed("SanSan City Grid"))
    play = corp(servers=servers, step="corp.2.2").do("score root:remote1:0")
    assert titles(play.corp["score"]) == ["Private Security Force"]


@must_not("SanSan City Grid")
def test_sansan_city_grid_helps_no_other_server_nor_unrezzed_and_is_the_only_region_here() -> None:
    agenda = {"card": "Private Security Force", "advancement": 3}
    servers = {**remote(agenda), "remote2": {"root": [rezzed("SanSan City Grid"), "Private Security Force"]}}
    play = corp("SanSan City Grid", servers=servers, step="corp.2.2")
    assert not play.offers("score root:remote1:0")
    requirement = [queries.requirement(*card_at(play, name, 0)) for name in ("root:remote1:0", "root:remote2:1")]
    assert requirement == [4, 3]
    assert not corp(servers=remote(agenda, "SanSan City Grid"), step="corp.2.2").offers("score root:remote1:0")
    play = corp("SanSan City Grid", servers=servers).do('install "SanSan City Grid" remote2')
    assert titles(play.corp["servers"]["remote2"]["root"]) == ["Private Security Force", "SanSan City Grid"]
