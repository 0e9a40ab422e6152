"""Haas-Bioroid's cards: what each does, and what it must not."""

from __future__ import annotations

from tests.netrunner.cards import does, must_not
from tests.netrunner.cards.scenes import (
    CardText,
    accessing,
    breaks,
    corp,
    facing,
    remote,
    rezzed,
    runner,
    scoring,
    strength,
)
from tests.netrunner.table import Play, titles

WEYLAND = "Weyland Consortium: Building a Better World"


@does("Haas-Bioroid")
def test_haas_bioroid_gains_a_credit_for_the_first_install() -> None:
    assert corp("Enigma").do('install "Enigma" hq').corp["credits"] == 6


@must_not("Haas-Bioroid")
def test_haas_bioroid_gains_nothing_for_the_second_install_nor_for_the_runners() -> None:
    assert corp("Enigma", "Hunter").do('install "Enigma" hq', 'install "Hunter" rd').corp["credits"] == 6
    assert runner("Corroder").do('install "Corroder"').corp["credits"] == 5


@does("Accelerated Beta Test")
def test_accelerated_beta_test_installs_ice_rezzed_and_trashes_the_rest_face_down() -> None:
    play = scoring("Accelerated Beta Test", 3, rd=["Hadrian's Wall", "Hedge Fund", "Archer", "Enigma"], credits=0)
    play.do(
        "yes",
        'choose "Hadrian\'s Wall"',
        'install "Hadrian\'s Wall" hq',
        'choose "Archer"',
        'install "Archer" rd',
        "no",
    )
    servers = play.corp["servers"]
    assert [servers[name]["ice"][0]["rezzed"] for name in ("hq", "rd")] == [True, True]
    assert (play.corp["rd"], play.corp["archives"]) == (["Enigma"], [{"card": "Hedge Fund", "faceup": False}])
    assert titles(play.corp["score"]) == ["Accelerated Beta Test"]


@must_not("Accelerated Beta Test")
def test_accelerated_beta_test_looks_at_three_only_when_it_likes_and_not_when_stolen() -> None:
    rd = ["Hedge Fund", "Snare!", "Hedge Fund", "Enigma", "Hunter"]
    play = scoring("Accelerated Beta Test", 3, rd=rd).do("yes")
    assert play.offered() == ["no"]
    assert play.do("no").corp["rd"] == ["Enigma", "Hunter"]
    assert scoring("Accelerated Beta Test", 3, rd=rd).do("no").corp["rd"] == rd
    assert scoring("Accelerated Beta Test", 3, rd=rd).do("no").asked == (0, "window")
    play = scoring("Accelerated Beta Test", 3, rd=rd).do("yes", "no")
    assert (play.asked, play.corp["rd"]) == ((0, "window"), ["Enigma", "Hunter"])
    assert scoring("Private Security Force", 4, score=["Accelerated Beta Test"]).asked == (0, "window")
    play = runner(corp={"rd": ["Accelerated Beta Test", *rd]}).do("run rd", "access next", "steal").settle()
    assert play.corp["rd"] == rd


@does("Adonis Campaign")
def test_adonis_campaign_is_loaded_when_rezzed_and_pays_three_a_turn() -> None:
    play = Play({"servers": {"remote1": {"root": ["Adonis Campaign"]}}}, {}, step="corp.1.1").do("rez root:remote1:0")
    play.do("credit")
    assert play.corp["servers"]["remote1"]["root"][0]["counters"] == {"credit": 9}
    assert play.corp["credits"] == 5 - 4 + 3 + 1


@must_not("Adonis Campaign")
def test_adonis_campaign_pays_nothing_in_the_runners_turn_and_goes_when_it_is_empty() -> None:
    card = rezzed("Adonis Campaign", counters={"credit": 3})
    play = Play({"servers": {"remote1": {"root": [card]}}}, {}, step="corp.1.2")
    assert (play.corp["credits"], titles(play.corp["archives"])) == (8, ["Adonis Campaign"])
    play = Play({"servers": {"remote1": {"root": [card]}}}, {}, step="runner.1.3")
    assert play.corp["credits"] == 5
    play = corp(servers=remote(rezzed("Adonis Campaign", counters={"credit": 6}), "Experiential Data"), step="corp.2.2")
    play.do("rez root:remote1:1")
    assert play.corp["servers"]["remote1"]["root"][0]["counters"] == {"credit": 6}
    card = rezzed("Adonis Campaign", counters={"credit": 6})
    play = Play({"servers": {"remote1": {"root": [card]}}}, {}, step="corp.1.2")
    assert (play.corp["credits"], play.corp["archives"]) == (8, [])


@does("Aggressive Secretary")
def test_aggressive_secretary_trashes_a_program_for_each_advancement() -> None:
    secretary = {"card": "Aggressive Secretary", "advancement": 2}
    play = accessing(secretary, rig=["Mimic", "Corroder", "Yog.0"]).do("yes", 'choose rig:"Mimic"')
    assert play.offered() == ['choose rig:"Corroder"', 'choose rig:"Yog.0"']
    play.do('choose rig:"Yog.0"')
    assert (play.runner["heap"], play.corp["credits"]) == (["Mimic", "Yog.0"], 3)


@must_not("Aggressive Secretary")
def test_aggressive_secretary_trashes_programs_only_for_two_credits_and_not_unadvanced() -> None:
    secretary = {"card": "Aggressive Secretary", "advancement": 1}
    play = accessing(secretary, rig=["Mimic", "Wyldside", "Grimoire"]).do("yes")
    assert play.offered() == ['choose rig:"Mimic"']
    assert play.do('choose rig:"Mimic"').asked == (1, "accessed")
    assert accessing(secretary, {"credits": 1}, rig=["Mimic"]).asked == (1, "accessed")
    assert accessing("Aggressive Secretary", rig=["Mimic"]).asked == (1, "accessed")
    assert accessing(secretary, rig=["Mimic"]).do("no").runner["heap"] == []
    play = accessing({"card": "Aggressive Secretary", "advancement": 3}, rig=["Mimic", "Yog.0"]).do("yes")
    assert play.do('choose rig:"Mimic"', 'choose rig:"Yog.0"').asked == (1, "accessed")
    play = accessing({"card": "Aggressive Secretary", "advancement": 1}, rig=["Mimic", "Yog.0"]).do("yes")
    assert play.do('choose rig:"Mimic"').asked == (1, "accessed")
    assert corp(servers=remote("Aggressive Secretary")).offers("advance root:remote1:0")


@does("Archived Memories")
def test_archived_memories_takes_a_card_back_to_hq() -> None:
    archives = [{"card": "Enigma", "faceup": False}, "Hunter"]
    play = corp("Archived Memories", archives=archives).do('play "Archived Memories"', "choose archives:0")
    assert (play.corp["hq"], titles(play.corp["archives"])) == (["Enigma"], ["Hunter", "Archived Memories"])


@must_not("Archived Memories")
def test_archived_memories_takes_one_card_and_never_itself() -> None:
    assert not corp("Archived Memories").offers('play "Archived Memories"')
    play = corp("Archived Memories", archives=["Enigma", "Hunter"]).do('play "Archived Memories"')
    assert play.offered() == ["choose archives:0", "choose archives:1"]
    assert play.do("choose archives:1").asked == (0, "window")
    play = corp("Archived Memories", archives=[{"card": "Snare!", "faceup": False}])
    play.do('play "Archived Memories"', "choose archives:0")
    assert [event.public for event in play.events if event.kind == "taken"] == [
        {"side": 0, "card": None, "source": "Archived Memories"}
    ]


@does("Biotic Labor")
def test_biotic_labor_gains_two_clicks() -> None:
    play = corp("Biotic Labor").do('play "Biotic Labor"')
    assert (play.corp["clicks"], play.corp["credits"]) == (4, 1)


@must_not("Biotic Labor")
def test_biotic_labor_gives_the_next_turn_nothing_and_needs_four_credits() -> None:
    assert not corp("Biotic Labor", credits=3).offers('play "Biotic Labor"')
    play = corp("Biotic Labor").do('play "Biotic Labor"')
    assert (play.corp["clicks"], play.runner["clicks"]) == (4, 0)
    play.do(*["credit"] * 9)
    assert play.corp["clicks"] == 2


@does("Shipment from MirrorMorph")
def test_shipment_from_mirrormorph_installs_up_to_three_cards() -> None:
    play = corp("Shipment from MirrorMorph", "Enigma", "Hunter", "PAD Campaign", identity=WEYLAND)
    play.do('play "Shipment from MirrorMorph"', 'choose "Enigma"', 'install "Enigma" hq', 'choose "Hunter"')
    play.do('install "Hunter" hq', 'choose "PAD Campaign"', 'install "PAD Campaign" new')
    assert titles(play.corp["servers"]["hq"]["ice"]) == ["Enigma", "Hunter"]
    assert titles(play.corp["servers"]["remote1"]["root"]) == ["PAD Campaign"]
    assert (play.corp["credits"], play.corp["clicks"]) == (5 - 1 - 1, 2)


@must_not("Shipment from MirrorMorph")
def test_shipment_from_mirrormorph_installs_no_fourth_no_operation_and_nothing_for_free() -> None:
    play = corp("Shipment from MirrorMorph", *["Enigma"] * 4, "Hedge Fund", identity=WEYLAND, credits=2)
    play.do('play "Shipment from MirrorMorph"')
    assert play.offered() == ['choose "Enigma"', "no"]
    play.do('choose "Enigma"', 'install "Enigma" hq', 'choose "Enigma"', 'install "Enigma" hq', 'choose "Enigma"')
    assert not play.offers('install "Enigma" hq')
    assert play.do('install "Enigma" rd').asked == (0, "window")
    assert (play.corp["credits"], len(play.corp["hq"])) == (0, 2)


@does("Heimdall 1.0")
def test_heimdall_does_a_brain_damage_and_ends_the_run() -> None:
    play = facing("Heimdall 1.0", grip=["Diesel"] * 2).settle()
    assert (play.runner["brain"], len(play.runner["grip"]), play.state.run) == (1, 1, None)


@must_not("Heimdall 1.0")
def test_heimdall_does_nothing_that_a_click_broke_and_a_click_breaks_one() -> None:
    play = facing("Heimdall 1.0", grip=["Diesel"], clicks=3).do("use ice:hq:0 0")
    assert (play.position["run"]["broken"], play.runner["clicks"]) == ([0], 2)
    assert play.settle().runner["brain"] == 0
    assert play.state.run is None
    for clicked in ("01", "02"):
        play = facing("Heimdall 1.0", clicks=2).do(*[f"use ice:hq:0 {i}" for i in clicked]).settle()
        assert (play.state.run, "success:hq" in play.position["this_turn"]) == (None, False)
    play = facing("Heimdall 1.0", clicks=3).do(*[f"use ice:hq:0 {i}" for i in range(3)], "access next", "leave")
    assert (play.runner["brain"], play.runner["clicks"]) == (0, 0)
    assert not facing("Heimdall 1.0", clicks=0).offers("use ice:hq:0 0")


@does("Ichi 1.0")
def test_ichi_trashes_two_programs_and_traces_for_brain_damage_and_a_tag() -> None:
    play = facing("Ichi 1.0", "Mimic", "Corroder", grip=["Diesel"] * 2).do(
        'choose rig:"Mimic"', 'choose rig:"Corroder"'
    )
    play.do("spend 1", "spend 0")
    assert (play.runner["heap"][:2], play.runner["brain"], play.runner["tags"]) == (["Mimic", "Corroder"], 1, 1)


@must_not("Ichi 1.0")
def test_ichi_trashes_no_hardware_does_nothing_when_the_trace_fails_and_does_not_end_the_run() -> None:
    play = facing("Ichi 1.0", "Mimic", "Grimoire", grip=["Diesel"] * 2).do("pass", "pass")
    assert play.offered() == ['choose rig:"Mimic"']
    assert play.do('choose rig:"Mimic"').asked == (0, "trace")
    play = facing("Ichi 1.0", "Mimic", "Yog.0", "Aurora").do('choose rig:"Mimic"', 'choose rig:"Yog.0"')
    assert play.asked == (0, "trace")
    play = facing("Ichi 1.0", "Mimic", "Yog.0", clicks=1).do("use ice:hq:0 0", "pass", "pass", 'choose rig:"Mimic"')
    assert play.asked == (0, "trace")
    play = facing("Ichi 1.0", "Mimic", "Yog.0", clicks=1).do("use ice:hq:0 1", "pass", "pass", 'choose rig:"Mimic"')
    assert play.asked == (0, "trace")
    play = facing("Ichi 1.0", "Mimic", grip=["Diesel"] * 2)
    play.do('choose rig:"Mimic"')
    play.do("spend 0", "spend 0", "access next", "leave")
    assert (play.runner["brain"], play.runner["tags"], len(play.runner["heap"])) == (0, 0, 1)
    play = facing("Ichi 1.0", "Mimic", clicks=2).do("use ice:hq:0 0", "use ice:hq:0 1", "spend 0", "spend 0")
    assert (play.runner["heap"], play.runner["clicks"]) == ([], 0)


@does("Viktor 1.0")
def test_viktor_does_a_brain_damage_and_ends_the_run() -> None:
    play = facing("Viktor 1.0", grip=["Diesel"] * 2).settle()
    assert (play.runner["brain"], len(play.runner["grip"]), play.state.run) == (1, 1, None)


@must_not("Viktor 1.0")
def test_viktor_does_nothing_that_was_broken_by_clicks_and_is_no_barrier() -> None:
    play = facing("Viktor 1.0", "Corroder", clicks=2, credits=9)
    assert not breaks(play, "Corroder")
    play.do("use ice:hq:0 0", "use ice:hq:0 1", "access next", "leave")
    assert (play.runner["brain"], play.runner["clicks"]) == (0, 0)
    play = facing("Viktor 1.0", grip=["Diesel"] * 2, clicks=2).do("use ice:hq:0 1", "access next", "leave")
    assert (play.runner["brain"], play.runner["clicks"]) == (1, 1)


@does("Rototurret")
def test_rototurret_trashes_a_program_of_the_corps_choice_and_ends_the_run() -> None:
    play = facing("Rototurret", "Mimic", "Corroder")
    play.do("pass", "pass")
    assert (play.asked, play.offered()) == ((0, "choose"), ['choose rig:"Mimic"', 'choose rig:"Corroder"'])
    play.do('choose rig:"Corroder"').settle()
    assert (play.runner["heap"], play.state.run) == (["Corroder"], None)


@must_not("Rototurret")
def test_rototurret_trashes_one_program_and_no_other_card() -> None:
    play = facing("Rototurret", "Corroder", "Wyldside", "Grimoire", "Aurora").do("pass", "pass")
    assert play.offered() == ['choose rig:"Corroder"', 'choose rig:"Aurora"']
    play.do('choose rig:"Corroder"').settle()
    assert titles(play.runner["rig"]) == ["Wyldside", "Grimoire", "Aurora"]


@does("Corporate Troubleshooter")
def test_corporate_troubleshooter_strengthens_ice_here_by_x_for_the_turn() -> None:
    play = facing("Ice Wall", "Corroder", root=[rezzed("Corporate Troubleshooter")]).do("pass", "use root:hq:0 0")
    play.do("spend 3", "choose ice:hq:0")
    assert (strength(play, "ice:hq:0"), play.corp["credits"]) == (4, 2)
    assert titles(play.corp["archives"]) == ["Corporate Troubleshooter"]
    assert not breaks(play, "Corroder")


@must_not("Corporate Troubleshooter")
def test_corporate_troubleshooter_chooses_rezzed_ice_here_only_and_spends_no_more_than_there_is() -> None:
    servers: dict[str, dict[str, list[CardText]]] = {
        "hq": {"ice": [rezzed("Ice Wall"), "Enigma"], "root": [rezzed("Corporate Troubleshooter")]},
        "rd": {"ice": [rezzed("Enigma")]},
    }
    play = corp(servers=servers, step="corp.2.2").do("use root:hq:0 0")
    assert not play.offers("spend 6")
    assert play.do("spend 5").offered() == ["choose ice:hq:0"]
    play.do("choose ice:hq:0", *["credit"] * 3)
    assert strength(play, "ice:hq:0") == 6
    assert strength(play.do("credit"), "ice:hq:0") == 1
    servers["hq"]["ice"] = ["Enigma"]
    assert not corp(servers=servers, step="corp.2.2").offers("use root:hq:0 0")


@does("Experiential Data")
def test_experiential_data_strengthens_the_ice_here() -> None:
    play = facing(["Ice Wall", "Enigma"], root=[rezzed("Experiential Data")])
    assert (strength(play, "ice:hq:0"), strength(play, "ice:hq:1")) == (2, 3)


@must_not("Experiential Data")
def test_experiential_data_strengthens_no_ice_elsewhere_and_none_while_unrezzed() -> None:
    servers = {"rd": {"ice": [rezzed("Ice Wall")]}}
    assert strength(facing("Enigma", root=[rezzed("Experiential Data")], servers=servers), "ice:rd:0") == 1
    assert strength(facing("Enigma", root=["Experiential Data"]), "ice:hq:0") == 2
