"""Anarch's cards: what each does, and what it must not."""

from __future__ import annotations

from tests.netrunner.cards import does, must_not
from tests.netrunner.cards.scenes import CardText, breaks, facing, holding, memory, remote, rezzed, runner, strength
from tests.netrunner.table import Play, titles

NOISE = "Noise: Hacker Extraordinaire"


@does("Noise")
def test_noise_trashes_the_top_of_rd_face_down_for_each_virus_program() -> None:
    play = runner("Datasucker", "Medium", identity=NOISE, credits=9)
    play.do('install "Datasucker"', 'install "Medium"')
    assert play.corp["archives"] == [{"card": "Hedge Fund", "faceup": False}] * 2
    assert len(play.corp["rd"]) == 6


@must_not("Noise")
def test_noise_trashes_nothing_for_other_programs_or_other_cards() -> None:
    play = runner("Mimic", "Cyberfeeder", identity=NOISE, credits=9).do('install "Mimic"', 'install "Cyberfeeder"')
    assert play.corp["archives"] == []
    play = runner("Datasucker", identity=NOISE).do('install "Datasucker"')
    assert len(play.corp["archives"]) == 1


@does("Déjà Vu")
def test_deja_vu_takes_back_one_card_or_two_viruses() -> None:
    heap = ["Diesel", "Medium", "Datasucker"]
    play = runner("Déjà Vu", heap=heap).do('play "Déjà Vu"', "choose card", "choose heap:0")
    assert (play.runner["grip"], play.runner["heap"]) == (["Diesel"], ["Medium", "Datasucker", "Déjà Vu"])
    play = runner("Déjà Vu", heap=heap).do('play "Déjà Vu"', "choose viruses", "choose heap:1", "choose heap:1")
    assert (play.runner["grip"], play.runner["heap"]) == (["Medium", "Datasucker"], ["Diesel", "Déjà Vu"])


@must_not("Déjà Vu")
def test_deja_vu_takes_neither_two_plain_cards_nor_three_viruses() -> None:
    heap = ["Diesel", "Medium", "Datasucker", "Parasite"]
    play = runner("Déjà Vu", heap=heap).do('play "Déjà Vu"', "choose card", "choose heap:0")
    assert play.asked == (1, "window")
    play = runner("Déjà Vu", heap=heap).do('play "Déjà Vu"', "choose viruses")
    assert play.offered() == ["choose heap:1", "choose heap:2", "choose heap:3", "no"]
    assert play.do("choose heap:1", "choose heap:1").asked == (1, "window")
    assert not runner("Déjà Vu").offers('play "Déjà Vu"')


@does("Demolition Run")
def test_demolition_run_trashes_what_it_accesses_for_nothing() -> None:
    play = runner("Demolition Run").do('play "Demolition Run"', "choose hq", "access next", "trash")
    assert (titles(play.corp["archives"]), play.runner["credits"]) == (["Hedge Fund"], 3)
    play = runner("Demolition Run", corp={"rd": ["Hostile Takeover"]}).do('play "Demolition Run"', "choose rd")
    assert play.do("access next").offered() == ["steal", "trash"]


@must_not("Demolition Run")
def test_demolition_run_runs_on_hq_or_rd_only_and_later_runs_cost_as_ever() -> None:
    play = runner("Demolition Run", corp={"servers": remote("PAD Campaign")}).do('play "Demolition Run"')
    assert play.offered() == ["choose hq", "choose rd"]
    play.do("choose hq", "access next", "leave", "run hq", "access next")
    assert play.offered() == ["leave"]


@does("Stimhack")
def test_stimhack_lends_nine_for_the_run_and_does_a_brain_damage_after_it() -> None:
    play = runner("Stimhack", "Diesel", credits=0, corp={"servers": remote("PAD Campaign")})
    play.do('play "Stimhack"', "choose remote1", "access root:remote1:0", "trash")
    assert titles(play.corp["archives"]) == ["PAD Campaign"]
    assert (play.runner["credits"], play.runner["brain"], play.runner["grip"]) == (0, 1, [])
    half = {"servers": {"hq": {"ice": [rezzed("Tollbooth")]}}}
    play = runner("Stimhack", "Diesel", credits=0, corp=half).do('play "Stimhack"', "choose hq", *["pass"] * 4)
    assert play.position["step"] == "run.3.1"  # the toll was paid


@must_not("Stimhack")
def test_stimhack_leaves_no_credits_and_its_damage_can_not_be_prevented() -> None:
    play = runner("Stimhack", "Diesel", "Diesel", credits=0, rig=["Net Shield"])
    play.do('play "Stimhack"', "choose hq", "access next", "leave")
    assert (play.runner["credits"], play.runner["brain"], len(play.runner["grip"])) == (0, 1, 1)
    play = runner("Stimhack", credits=0, corp={"servers": {"hq": {"root": [rezzed("SanSan City Grid")]}}})
    play.do('play "Stimhack"', "choose hq", "access root:hq:0", "trash", "access next", "leave")
    assert play.state.outcome == (0, "flatline")


@must_not("Stimhack")
def test_stimhack_lends_nine_and_not_ten() -> None:
    root: list[CardText] = [rezzed("SanSan City Grid"), "PAD Campaign", "Red Herrings"]
    play = runner("Stimhack", "Diesel", credits=0, corp={"servers": remote(*root)}).do('play "Stimhack"')
    play.do("choose remote1", "access root:remote1:0", "trash", "access root:remote1:0", "trash")
    assert titles(play.corp["archives"]) == ["SanSan City Grid", "PAD Campaign"]
    assert play.do("access root:remote1:0").offered() == ["leave"]


@does("Cyberfeeder")
def test_cyberfeeder_pays_for_viruses_and_for_using_breakers() -> None:
    play = runner("Datasucker", rig=["Cyberfeeder"], credits=0, identity=NOISE).do('install "Datasucker"')
    assert titles(play.runner["rig"]) == ["Cyberfeeder", "Datasucker"]
    play = facing("Ice Wall", "Corroder", "Cyberfeeder", credits=1)
    assert play.do('use rig:"Corroder" 0', 'pay rig:"Cyberfeeder" 1', "break 0").runner["credits"] == 1
    play = Play({}, {"rig": [holding("Cyberfeeder", recurring=0)]}, step="runner.1.3")
    assert play.runner["rig"][0]["counters"] == {"recurring": 1}


@must_not("Cyberfeeder")
def test_cyberfeeder_pays_for_nothing_else_and_has_one_credit_a_turn() -> None:
    play = runner("Akamatsu Mem Chip", "Mimic", rig=["Cyberfeeder"], credits=0, identity=NOISE)
    assert not play.offers('install "Akamatsu Mem Chip"')
    assert not runner("Decoy", rig=["Cyberfeeder"], credits=0).offers('install "Decoy"')
    play = facing(["Ice Wall", "Ice Wall"], "Corroder", "Cyberfeeder", credits=0)
    assert not play.do('use rig:"Corroder" 0', "break 0", "pass", "pass", "continue", "pass", "pass").offers(
        'use rig:"Corroder" 0'
    )


@does("Grimoire")
def test_grimoire_adds_two_memory_and_a_counter_to_each_new_virus_program() -> None:
    play = runner("Medium", rig=["Grimoire"]).do('install "Medium"')
    assert play.runner["rig"][1]["counters"] == {"virus": 1}
    assert memory(play) == (1, 6)


@must_not("Grimoire")
def test_grimoire_adds_one_counter_and_none_to_other_programs() -> None:
    play = runner("Medium", "Mimic", rig=["Grimoire"], credits=9).do('install "Medium"', 'install "Mimic"')
    assert [card.get("counters", {}) for card in play.runner["rig"]] == [{}, {"virus": 1}, {}]
    assert memory(play) == (2, 6)


@does("Corroder")
def test_corroder_breaks_barriers_and_grows_for_a_credit() -> None:
    play = facing("Wall of Static", "Corroder").do('use rig:"Corroder" 1', 'use rig:"Corroder" 0', "break 0")
    assert (play.runner["credits"], strength(play, 'rig:"Corroder"')) == (3, 3)
    assert play.position["run"]["broken"] == [0]


@must_not("Corroder")
def test_corroder_breaks_no_gate_no_stronger_wall_no_second_subroutine_and_shrinks_again() -> None:
    assert not breaks(facing("Enigma", "Corroder", credits=9), "Corroder")
    assert not breaks(facing("Wall of Static", "Corroder", credits=9), "Corroder")
    play = facing([{"card": "Ice Wall"}, {"card": "Heimdall 1.0"}], "Corroder", credits=9)
    play.do(*['use rig:"Corroder" 1'] * 4, 'use rig:"Corroder" 0', "break 1")
    assert not play.offers("break 1 2")
    assert play.position["run"]["broken"] == [1]
    play = facing(["Wall of Static", "Ice Wall"], "Corroder").do(
        'use rig:"Corroder" 1', 'use rig:"Corroder" 0', "break 0"
    )
    play.do("pass", "pass", "continue", "pass", "pass")
    assert strength(play, 'rig:"Corroder"') == 2


@does("Datasucker")
def test_datasucker_gathers_on_centrals_and_weakens_the_ice_that_is_met() -> None:
    play = runner(rig=["Datasucker"]).do("run hq", "access next", "leave")
    assert play.runner["rig"][0]["counters"] == {"virus": 1}
    play = facing("Wall of Static", holding("Datasucker", virus=2)).do('use rig:"Datasucker" 0')
    assert (strength(play, "ice:hq:0"), play.runner["rig"][0]["counters"]) == (2, {"virus": 1})


@must_not("Datasucker")
def test_datasucker_gathers_nothing_on_remotes_and_works_on_no_other_ice_nor_for_nothing() -> None:
    play = runner(rig=["Datasucker"], corp={"servers": remote("PAD Campaign")})
    play.do("run remote1", "access root:remote1:0", "leave")
    assert play.runner["rig"][0].get("counters", {}) == {}
    assert not facing("Wall of Static", "Datasucker").offers('use rig:"Datasucker" 0')
    play = facing(["Ice Wall", "Wall of Static"], holding("Datasucker", virus=1)).do('use rig:"Datasucker" 0')
    assert (strength(play, "ice:hq:0"), strength(play, "ice:hq:1")) == (1, 2)
    assert not play.offers('use rig:"Datasucker" 0')


@does("Djinn")
def test_djinn_hosts_programs_outside_the_memory_limit_and_finds_viruses() -> None:
    play = runner("Magnum Opus", rig=["Djinn"], credits=9).do('install "Magnum Opus"', 'choose rig:"Djinn"')
    assert titles(play.runner["rig"][0]["hosted"]) == ["Magnum Opus"]
    assert memory(play) == (1, 4)
    play = runner(rig=["Djinn"], stack=["Diesel", "Medium"]).do('use rig:"Djinn" 0', 'choose "Medium"')
    assert [event.kind for event in play.events if event.kind in ("taken", "shuffled")] == ["taken", "shuffled"]
    assert {"side": 1, "card": "Medium", "source": "Djinn"} in [event.public for event in play.events]
    assert (play.runner["grip"], play.runner["credits"], play.runner["clicks"]) == (["Medium"], 4, 3)


@must_not("Djinn")
def test_djinn_hosts_no_breakers_and_no_more_than_three_and_finds_only_viruses() -> None:
    full = {"card": "Djinn", "hosted": ["Magnum Opus"]}
    play = runner("Mimic", "Sneakdoor Beta", rig=[full], credits=9).do('install "Mimic"')
    assert titles(play.runner["rig"]) == ["Djinn", "Mimic"]
    play.do('install "Sneakdoor Beta"')
    assert titles(play.runner["rig"]) == ["Djinn", "Mimic", "Sneakdoor Beta"]
    play = runner(rig=["Djinn"], stack=["Mimic", "Grimoire", "Medium"]).do('use rig:"Djinn" 0')
    assert play.offered() == ['choose "Medium"', "no"]
    assert play.do('choose "Medium"').asked == (1, "window")
    assert not runner(rig=["Djinn"], credits=0, stack=["Medium"]).offers('use rig:"Djinn" 0')
    play = runner("Datasucker", rig=[full], credits=9).do('install "Datasucker"', 'choose rig:"Djinn"')
    assert titles(play.runner["rig"][0]["hosted"]) == ["Magnum Opus", "Datasucker"]


@does("Medium")
def test_medium_accesses_as_many_more_cards_as_its_counters_allow() -> None:
    play = runner(rig=[holding("Medium", virus=2)]).do("run rd", "spend 2")
    assert play.runner["rig"][0]["counters"] == {"virus": 3}
    play.do(*["access next", "leave"] * 3)
    assert play.asked == (1, "window")


@must_not("Medium")
def test_medium_adds_no_more_than_one_less_than_its_counters_and_nothing_in_hq() -> None:
    play = runner(rig=[holding("Medium", virus=1)]).do("run rd")
    assert not play.settle().offers("spend 2")
    play = runner(rig=[holding("Medium", virus=3)], corp={"hq": ["Enigma"] * 5}).do("run hq", "access next", "leave")
    assert play.asked == (1, "window")
    assert play.runner["rig"][0]["counters"] == {"virus": 3}


@does("Mimic")
def test_mimic_breaks_sentries_of_its_strength() -> None:
    play = facing("Neural Katana", "Mimic").do('use rig:"Mimic" 0', "break 0")
    assert (play.position["run"]["broken"], play.runner["credits"], play.asked) == ([0], 4, (1, "window"))


@must_not("Mimic")
def test_mimic_breaks_no_stronger_sentry_no_wall_and_never_grows() -> None:
    assert not breaks(facing("Data Raven", "Mimic", credits=9), "Mimic")
    assert not breaks(facing("Ice Wall", "Mimic", credits=9), "Mimic")
    assert facing("Neural Katana", "Mimic").offered() == ['use rig:"Mimic" 0', "pass"]
    assert (
        not facing("Ichi 1.0", "Mimic", holding("Datasucker", virus=1))
        .do('use rig:"Datasucker" 0', 'use rig:"Mimic" 0')
        .offers("break 0 1")
    )


@does("Parasite")
def test_parasite_weakens_its_host_and_is_trashed_with_it() -> None:
    ice = {"servers": {"hq": {"ice": [rezzed("Wall of Static", hosted=[holding("Parasite", virus=1)])]}}}
    play = Play(ice, {}, step="runner.1.3")
    assert strength(play, "ice:hq:0") == 1
    ice = {"servers": {"hq": {"ice": [rezzed("Wall of Static", hosted=[holding("Parasite", virus=2)])]}}}
    play = Play(ice, {}, step="runner.1.3")
    assert (play.corp["servers"]["hq"]["ice"], play.corp["archives"], play.runner["heap"]) == (
        [],
        [{"card": "Wall of Static", "faceup": True}],
        ["Parasite"],
    )


@must_not("Parasite")
def test_parasite_is_installed_on_rezzed_ice_only_and_grows_in_the_runners_turn_only() -> None:
    column = [rezzed("Wall of Static"), "Enigma"]
    play = runner("Parasite", corp={"servers": {"hq": {"ice": column}}}).do('install "Parasite"')
    assert play.offered() == ["choose ice:hq:0"]
    assert not runner("Parasite", corp={"servers": {"hq": {"ice": ["Enigma"]}}}).offers('install "Parasite"')
    ice = {"servers": {"hq": {"ice": [rezzed("Wall of Static", hosted=["Parasite"]), rezzed("Ice Wall")]}}}
    assert strength(Play(ice, {}, step="corp.1.2"), "ice:hq:0") == 3
    play = Play(ice, {}, step="runner.1.3")
    assert (strength(play, "ice:hq:0"), strength(play, "ice:hq:1")) == (2, 1)


@does("Parasite")
def test_parasite_trashes_weakened_ice_in_the_middle_of_the_encounter() -> None:
    play = facing({"card": "Ice Wall", "hosted": ["Parasite"]}, holding("Datasucker", virus=1))
    play.do('use rig:"Datasucker" 0')
    assert (play.position["step"], play.corp["servers"]["hq"]["ice"]) == ("run.3.1", [])
    play.do("pass", "pass", "pass")
    assert play.position["step"] == "run.5.1"
    play.do("access next", "leave")


@does("Wyrm")
def test_wyrm_weakens_ice_that_it_matches_and_breaks_it_at_zero() -> None:
    play = facing("Ice Wall", "Wyrm").do('use rig:"Wyrm" 1', 'use rig:"Wyrm" 0', "break 0")
    assert (strength(play, "ice:hq:0"), play.runner["credits"], play.position["run"]["broken"]) == (0, 1, [0])
    assert play.asked == (1, "window")
    play = facing("Ice Wall", "Wyrm").do('use rig:"Wyrm" 2')
    assert (strength(play, 'rig:"Wyrm"'), play.runner["credits"]) == (2, 4)


@must_not("Wyrm")
def test_wyrm_breaks_nothing_that_has_strength_left() -> None:
    play = facing("Ice Wall", "Wyrm", credits=9)
    assert not breaks(play, "Wyrm")
    play = facing("Neural Katana", "Wyrm", credits=12)
    for _ in range(2):
        assert not breaks(play, "Wyrm", 1)
        play.do('use rig:"Wyrm" 2')
    play.do(*['use rig:"Wyrm" 1'] * 2)
    assert not breaks(play, "Wyrm")
    assert breaks(play.do('use rig:"Wyrm" 1'), "Wyrm")
    assert not breaks(facing("Rototurret", "Wyrm", credits=2), "Wyrm")


@does("Yog.0")
def test_yog_breaks_code_gates_for_nothing() -> None:
    play = facing("Enigma", "Yog.0", credits=0).do('use rig:"Yog.0" 0', "break 0", 'use rig:"Yog.0" 0', "break 1")
    assert play.position["run"]["broken"] == [0, 1]


@must_not("Yog.0")
def test_yog_breaks_one_at_a_time_and_nothing_stronger_or_other() -> None:
    assert not breaks(facing("Chum", "Yog.0", credits=9), "Yog.0")
    assert not breaks(facing("Ice Wall", "Yog.0"), "Yog.0")
    play = facing("Enigma", "Yog.0").do('use rig:"Yog.0" 0')
    assert play.offered() == ["break 0", "break 1"]


@does("Ice Carver")
def test_ice_carver_weakens_the_ice_that_is_met() -> None:
    assert strength(facing("Chum", "Ice Carver"), "ice:hq:0") == 3


@must_not("Ice Carver")
def test_ice_carver_weakens_no_other_ice_and_none_before_or_after() -> None:
    play = facing(["Chum", "Enigma"], "Ice Carver")
    assert (strength(play, "ice:hq:0"), strength(play, "ice:hq:1")) == (4, 1)
    servers = {"hq": {"ice": [rezzed("Chum")]}}
    assert strength(runner(rig=["Ice Carver"], corp={"servers": servers}), "ice:hq:0") == 4


@does("Wyldside")
def test_wyldside_draws_two_and_costs_a_click() -> None:
    play = Play({}, {"rig": ["Wyldside"]}, step="runner.1.3")
    assert (len(play.runner["grip"]), play.runner["clicks"]) == (2, 3)


@must_not("Wyldside")
def test_wyldside_does_nothing_in_the_corps_turn() -> None:
    play = Play({}, {"rig": ["Wyldside"]}, step="corp.1.2")
    assert (play.runner["grip"], play.corp["clicks"]) == ([], 3)
    play = Play({}, {"rig": ["Wyldside"]}, step="runner.1.3")
    assert (len(play.runner["stack"]), play.runner["clicks"]) == (6, 3)
