"""Jinteki's cards: what each does, and what it must not."""

from __future__ import annotations

from game.netrunner import queries
from tests.netrunner.cards import does, must_not
from tests.netrunner.cards.scenes import (
    accessing,
    approached,
    card_at,
    corp,
    facing,
    holding,
    remote,
    rezzed,
    runner,
    scoring,
    strength,
)
from tests.netrunner.table import Play, titles

JINTEKI = "Jinteki: Personal Evolution"
GRIP = ["Diesel"] * 4


@does("Jinteki")
def test_jinteki_does_a_net_damage_for_an_agenda_scored_or_stolen() -> None:
    play = scoring("Private Security Force", 4, {"grip": GRIP}, identity=JINTEKI)
    assert len(play.runner["grip"]) == 3
    play = runner(*GRIP, corp={"identity": JINTEKI, "rd": ["Private Security Force"]})
    assert len(play.do("run rd", "access next", "steal").runner["grip"]) == 3


@must_not("Jinteki")
def test_jinteki_does_nothing_for_other_accesses_and_not_after_a_win() -> None:
    play = runner(*GRIP, corp={"identity": JINTEKI, "rd": ["Hedge Fund"]}).do("run rd", "access next", "leave")
    assert len(play.settle().runner["grip"]) == 4
    play = runner(corp={"identity": JINTEKI, "rd": ["Priority Requisition"]}, score=["Priority Requisition"] * 2)
    assert play.do("run rd", "access next", "steal").state.outcome == (1, "agendas")
    play = runner(*GRIP, corp={"identity": JINTEKI, "rd": ["Private Security Force"]})
    assert len(play.do("run rd", "access next", "steal").settle().runner["grip"]) == 3


@does("Nisei MK II")
def test_nisei_gets_a_counter_and_ends_a_run_with_it() -> None:
    assert scoring("Nisei MK II", 4).corp["score"][0]["counters"] == {"agenda": 1}
    play = runner(corp={"score": [holding("Nisei MK II", agenda=1)]}).do("run hq", "use score:0 0").settle()
    assert (play.state.run, "success:hq" in play.position["this_turn"]) == (None, False)


@must_not("Nisei MK II")
def test_nisei_ends_one_run_only_and_none_that_is_not() -> None:
    play = runner(corp={"score": [holding("Nisei MK II", agenda=1)]}).do("run hq", "use score:0 0", "run hq")
    assert not play.do("pass").offers("use score:0 0")
    assert not corp(score=[holding("Nisei MK II", agenda=1)], step="corp.2.2").offers("use score:0 0")
    assert scoring("Nisei MK II", 4).corp["score"][0]["counters"] == {"agenda": 1}
    play = scoring("Private Security Force", 4, score=["Nisei MK II"])
    assert play.corp["score"][0].get("counters", {}) == {}
    play = runner(score=[holding("Nisei MK II", agenda=1)]).do("run hq", "pass")
    assert not play.offers("use their-score:0 0")


@does("Project Junebug")
def test_project_junebug_does_two_net_damage_for_each_advancement() -> None:
    play = accessing({"card": "Project Junebug", "advancement": 2}, grip=["Diesel"] * 5).do("yes")
    assert (len(play.runner["grip"]), play.corp["credits"], play.asked) == (1, 4, (1, "accessed"))
    assert corp(servers=remote("Project Junebug")).offers("advance root:remote1:0")


@must_not("Project Junebug")
def test_project_junebug_does_nothing_unadvanced_unpaid_or_from_hq() -> None:
    assert accessing("Project Junebug", grip=GRIP).asked == (1, "accessed")
    junebug = {"card": "Project Junebug", "advancement": 2}
    assert accessing(junebug, {"credits": 0}, grip=GRIP).asked == (1, "accessed")
    assert len(accessing(junebug, grip=GRIP).do("no").runner["grip"]) == 4
    assert len(accessing({**junebug, "advancement": 1}, grip=GRIP).do("yes").runner["grip"]) == 2
    play = runner(*GRIP, corp={"hq": ["Project Junebug"]}).do("run hq", "access next")
    assert play.asked == (1, "accessed")


@does("Snare!")
def test_snare_gives_a_tag_and_three_net_damage_wherever_it_is_accessed() -> None:
    play = accessing("Snare!", grip=GRIP).do("yes")
    assert (play.runner["tags"], len(play.runner["grip"]), play.corp["credits"]) == (1, 1, 1)
    for zone in ("hq", "rd"):
        play = runner(*GRIP, corp={zone: ["Snare!"]}).do(f"run {zone}", "access next", "yes")
        assert (play.runner["tags"], len(play.runner["grip"])) == (1, 1)
    shown = [event.public for event in play.events if event.kind == "accessed"]
    assert [one["card"] for one in shown if one] == ["Snare!"]


@must_not("Snare!")
def test_snare_does_nothing_in_archives_nor_for_less_than_four_nor_when_declined() -> None:
    play = runner(*GRIP, corp={"archives": ["Snare!"]}).do("run archives").settle()
    assert (play.runner["tags"], len(play.runner["grip"]), play.asked) == (0, 4, (1, "action"))
    assert accessing("Snare!", {"credits": 3}, grip=GRIP).asked == (1, "accessed")
    play = accessing("Snare!", grip=GRIP).do("no")
    assert (play.runner["tags"], len(play.runner["grip"]), play.corp["credits"]) == (0, 4, 5)
    play = accessing("Snare!", {"credits": 9}, grip=GRIP).do("yes")  # enough for another time
    assert (play.runner["tags"], len(play.runner["grip"]), play.asked) == (1, 1, (1, "accessed"))


@does("Zaibatsu Loyalty")
def test_zaibatsu_loyalty_is_rezzed_to_prevent_an_exposure() -> None:
    servers = {"hq": {"ice": ["Enigma"]}, **remote("Zaibatsu Loyalty")}
    play = runner("Infiltration", corp={"servers": servers}).do('play "Infiltration"', "choose expose")
    play.do("choose ice:hq:0", "rez root:remote1:0", "use root:remote1:0 0")
    assert "seen" not in play.corp["servers"]["hq"]["ice"][0]
    assert (play.corp["credits"], play.corp["servers"]["remote1"]["root"][0]["rezzed"]) == (4, True)
    assert play.asked == (1, "window")
    servers = {"hq": {"ice": ["Enigma"]}, **remote(rezzed("Zaibatsu Loyalty"))}
    play = runner("Infiltration", corp={"servers": servers, "credits": 0}).do('play "Infiltration"', "choose expose")
    play.do("choose ice:hq:0", "use root:remote1:0 1")
    assert "seen" not in play.corp["servers"]["hq"]["ice"][0]
    assert titles(play.corp["archives"]) == ["Zaibatsu Loyalty"]


@must_not("Zaibatsu Loyalty")
def test_zaibatsu_loyalty_prevents_nothing_unpaid_and_no_other_harm() -> None:
    servers = {"hq": {"ice": ["Enigma"]}, **remote(rezzed("Zaibatsu Loyalty"))}
    play = runner("Infiltration", corp={"servers": servers, "credits": 0}).do('play "Infiltration"', "choose expose")
    play.do("choose ice:hq:0")
    assert play.offered() == ["use root:remote1:0 1", "pass"]
    assert play.do("pass").corp["servers"]["hq"]["ice"][0]["seen"] is True
    assert not corp(servers=servers, step="corp.2.2").offers("use root:remote1:0 0")
    servers = {"hq": {"ice": ["Enigma"]}, **remote("PAD Campaign")}
    play = runner("Infiltration", corp={"servers": servers}).do(
        'play "Infiltration"', "choose expose", "choose ice:hq:0"
    )
    assert play.offered() == ["pass"]


@does("Neural EMP")
def test_neural_emp_does_a_net_damage_after_a_run() -> None:
    play = corp("Neural EMP", runner={"grip": GRIP}, last_turn=["made_run"]).do('play "Neural EMP"')
    assert (len(play.runner["grip"]), play.corp["credits"]) == (3, 3)


@must_not("Neural EMP")
def test_neural_emp_needs_a_run_in_the_runners_last_turn() -> None:
    assert not corp("Neural EMP", runner={"grip": GRIP}).offers('play "Neural EMP"')
    assert not corp("Neural EMP", this_turn=["made_run"]).offers('play "Neural EMP"')
    play = corp("Neural EMP", runner={"grip": GRIP}, last_turn=["made_run"]).do('play "Neural EMP"').settle()
    assert len(play.runner["grip"]) == 3


@does("Precognition")
def test_precognition_puts_the_top_five_in_any_order() -> None:
    rd = ["Enigma", "Hunter", "Hedge Fund", "Snare!", "Chum", "Data Mine"]
    play = corp("Precognition", rd=rd).do('play "Precognition"')
    play.do('order "Chum" "Snare!" "Hunter" "Enigma" "Hedge Fund"')
    assert play.corp["rd"] == ["Chum", "Snare!", "Hunter", "Enigma", "Hedge Fund", "Data Mine"]
    assert play.asked == (0, "window")


@must_not("Precognition")
def test_precognition_reaches_no_sixth_card_and_shows_the_runner_none() -> None:
    rd = ["Enigma", "Hunter", "Hedge Fund", "Snare!", "Chum", "Data Mine"]
    play = corp("Precognition", rd=rd).do('play "Precognition"')
    assert all(text.count('"') == 10 and "Data Mine" not in text for text in play.offered())
    play.do('order "Chum" "Snare!" "Hunter" "Enigma" "Hedge Fund"')
    assert [event.public for event in play.events if event.kind == "arranged"] == [
        {"side": 0, "count": 5, "source": "Precognition"}
    ]
    assert len(play.corp["rd"]) == 6


@does("Cell Portal")
def test_cell_portal_sends_the_runner_to_the_outermost_place_and_goes_down() -> None:
    play = facing("Cell Portal").do("pass", "pass")
    assert play.asked == (1, "either")
    play.do("choose continue")
    assert (play.position["step"], play.corp["servers"]["hq"]["ice"][0]["rezzed"]) == ("run.2.1", False)
    servers = {"hq": {"ice": [rezzed("Cell Portal"), rezzed("Hunter")]}}
    play = Play({"servers": servers}, {}, turn="runner", step="run.3.1", run={"server": "hq", "ice": 0, "passed": [1]})
    play.do("pass", "pass", "choose continue")
    assert (play.position["step"], play.position["run"]["ice"], play.position["run"]["passed"]) == ("run.2.1", 1, [])


@must_not("Cell Portal")
def test_cell_portal_moves_nobody_who_broke_it_and_lets_them_jack_out() -> None:
    play = facing("Cell Portal").do("pass", "pass", "choose jack-out").settle()
    assert (play.state.run, play.corp["servers"]["hq"]["ice"][0]["rezzed"]) == (None, False)
    play = facing("Cell Portal", "Gordian Blade", credits=9).do(*['use rig:"Gordian Blade" 1'] * 5)
    play.do('use rig:"Gordian Blade" 0', "break 0", "access next", "leave")
    assert play.corp["servers"]["hq"]["ice"][0]["rezzed"] is True


@does("Chum")
def test_chum_strengthens_the_next_ice_and_hurts_when_it_is_not_broken() -> None:
    play = facing(["Hunter", "Chum"], grip=GRIP, credits=9).do("pass", "pass", "continue", "pass", "pass")
    assert strength(play, "ice:hq:0") == 6
    play.do("spend 0", "spend 9")
    assert len(play.runner["grip"]) == 1
    play = facing(["Wall of Static", "Chum"], grip=GRIP).do("pass", "pass", "continue", *["pass"] * 4).settle()
    assert (len(play.runner["grip"]), play.state.run) == (1, None)


@must_not("Chum")
def test_chum_hurts_nobody_who_breaks_the_next_ice_or_meets_none() -> None:
    play = facing(["Wall of Static", "Chum"], "Corroder", credits=9, grip=GRIP).do("pass", "pass", "continue")
    play.do(*['use rig:"Corroder" 1'] * 3, 'use rig:"Corroder" 0', "break 0", "access next", "leave")
    assert len(play.runner["grip"]) == 4
    play = facing("Chum", grip=GRIP).do("pass", "pass", "access next", "leave")
    assert len(play.settle().runner["grip"]) == 4
    play = facing(["Wall of Static", "Chum"], grip=GRIP).do("pass", "pass", "jack-out")
    assert len(play.settle().runner["grip"]) == 4
    play = facing(["Ice Wall", "Wall of Static", "Chum"], "Corroder", grip=GRIP, credits=12)
    play.do("pass", "pass", "continue", *['use rig:"Corroder" 1'] * 3, 'use rig:"Corroder" 0', "break 0")
    play.do("pass", "pass", "continue", "pass", "pass")
    assert (strength(play, "ice:hq:0"), len(play.settle().runner["grip"])) == (1, 4)


@does("Chum")
def test_chum_hurts_those_who_bypass_the_next_ice() -> None:
    ice = [rezzed("Wall of Static"), rezzed("Chum")]
    play = runner("Femme Fatale", *GRIP, corp={"servers": {"hq": {"ice": ice}}}, credits=12)
    play.do('install "Femme Fatale"', "choose ice:hq:0", "run hq", "continue", "yes", "access next", "leave")
    assert len(play.runner["grip"]) == 1


@does("Data Mine")
def test_data_mine_does_a_net_damage_and_is_gone() -> None:
    play = facing("Data Mine", grip=GRIP).do("pass", "pass", "access next")
    assert (len(play.runner["grip"]), play.corp["servers"]["hq"]["ice"]) == (3, [])
    assert play.corp["archives"] == [{"card": "Data Mine", "faceup": True}]


@must_not("Data Mine")
def test_data_mine_stays_when_it_is_broken_and_does_not_end_the_run() -> None:
    play = facing("Data Mine", holding("Crypsis", virus=1), grip=GRIP).do(
        *["use rig:0 1"] * 2, "use rig:0 0", "break 0"
    )
    play.do("pass", "pass", "choose counter", "access next", "leave")
    assert (len(play.runner["grip"]), titles(play.corp["servers"]["hq"]["ice"])) == (4, ["Data Mine"])
    play = facing("Data Mine", grip=GRIP).do("pass", "pass", "access next", "leave")
    assert (len(play.runner["grip"]), "success:hq" in play.position["this_turn"]) == (3, True)


@does("Neural Katana")
def test_neural_katana_does_three_net_damage() -> None:
    assert len(facing("Neural Katana", grip=GRIP).do("pass", "pass", "access next").runner["grip"]) == 1


@must_not("Neural Katana")
def test_neural_katana_does_three_only_and_lets_the_run_go_on() -> None:
    play = facing("Neural Katana", grip=GRIP).do("pass", "pass", "access next", "leave")
    assert (len(play.runner["grip"]), play.runner["tags"], play.runner["brain"]) == (1, 0, 0)
    assert facing("Neural Katana", grip=["Diesel"] * 2).settle().state.outcome == (0, "flatline")


@does("Wall of Thorns")
def test_wall_of_thorns_does_two_net_damage_and_ends_the_run() -> None:
    play = facing("Wall of Thorns", grip=GRIP).settle()
    assert (len(play.runner["grip"]), play.state.run) == (2, None)


@must_not("Wall of Thorns")
def test_wall_of_thorns_hurts_nobody_who_breaks_the_thorns_and_stops_nobody_who_breaks_the_wall() -> None:
    play = facing("Wall of Thorns", "Corroder", credits=9, grip=GRIP).do(*['use rig:"Corroder" 1'] * 3)
    play.do('use rig:"Corroder" 0', "break 0").settle()
    assert (len(play.runner["grip"]), play.state.run) == (4, None)
    play = facing("Wall of Thorns", "Corroder", credits=9, grip=GRIP).do(*['use rig:"Corroder" 1'] * 3)
    play.do('use rig:"Corroder" 0', "break 1", "access next", "leave")
    assert len(play.runner["grip"]) == 2


def rez_cost(play: Play, reference: str) -> int:
    """Return what it costs to rez a card."""
    return queries.rez_cost(*card_at(play, reference, 0))


@does("Akitaro Watanabe")
def test_akitaro_watanabe_makes_ice_here_two_cheaper() -> None:
    play = approached("Enigma", root=[rezzed("Akitaro Watanabe")], credits=1).do("rez ice:hq:0")
    assert play.corp["credits"] == 0


@must_not("Akitaro Watanabe")
def test_akitaro_watanabe_helps_no_other_server_no_asset_and_not_below_zero() -> None:
    servers = {
        "hq": {"ice": ["Ice Wall", "Enigma"], "root": [rezzed("Akitaro Watanabe"), "Experiential Data"]},
        "rd": {"ice": ["Enigma"]},
    }
    play = corp(servers=servers)
    assert [rez_cost(play, where) for where in ("ice:hq:0", "ice:hq:1", "root:hq:1", "ice:rd:0")] == [0, 1, 2, 3]
    assert not approached("Enigma", root=["Akitaro Watanabe"], credits=1).offers("rez ice:hq:0")
