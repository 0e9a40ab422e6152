"""Shaper's cards: what each does, and what it must not."""

from __future__ import annotations

from game.netrunner import queries
from game.netrunner.table import Table
from tests.netrunner.cards import does, must_not
from tests.netrunner.cards.scenes import breaks, corp, facing, memory, rezzed, runner, strength
from tests.netrunner.table import Play, titles

NOISE = "Noise: Hacker Extraordinaire"


def link(play: Play) -> int:
    """Return the Runner's link strength; the identity here brings none."""
    return queries.link(Table(play.state))


@does('Kate "Mac" McCaffrey')
def test_kate_pays_one_less_for_the_first_program_or_hardware() -> None:
    play = runner("Corroder", "Decoy").do('install "Decoy"', 'install "Corroder"')
    assert play.runner["credits"] == 5 - 1 - 1


@must_not('Kate "Mac" McCaffrey')
def test_kate_pays_in_full_for_the_second_and_for_resources_and_gains_nothing_from_free_cards() -> None:
    play = runner("Akamatsu Mem Chip", "Corroder", "Decoy", credits=9).do('install "Decoy"')
    assert play.runner["credits"] == 8
    play.do('install "Corroder"', 'install "Akamatsu Mem Chip"')
    assert play.runner["credits"] == 8 - 1 - 1


@does("Diesel")
def test_diesel_draws_three() -> None:
    play = runner("Diesel", stack=["Corroder"] * 4).do('play "Diesel"')
    assert (play.runner["grip"], play.runner["stack"]) == (["Corroder"] * 3, ["Corroder"])


@must_not("Diesel")
def test_diesel_draws_for_the_runner_only_and_no_more_than_there_are() -> None:
    play = runner("Diesel").do('play "Diesel"')
    assert (len(play.runner["stack"]), len(play.corp["hq"])) == (5, 2)
    play = runner("Diesel", stack=["Corroder"]).do('play "Diesel"')
    assert (play.runner["grip"], play.state.outcome) == (["Corroder"], None)


@does("Modded")
def test_modded_installs_a_program_or_hardware_for_three_less() -> None:
    play = runner("Modded", "Magnum Opus", credits=2, identity=NOISE).do('play "Modded"', 'choose "Magnum Opus"')
    assert (titles(play.runner["rig"]), play.runner["credits"]) == (["Magnum Opus"], 0)
    assert play.asked == (1, "window")


@must_not("Modded")
def test_modded_installs_no_resource_and_nothing_that_is_still_too_dear() -> None:
    play = runner("Modded", "Wyldside", "Corroder", "Decoy").do('play "Modded"')
    assert play.offered() == ['choose "Corroder"', "no"]
    assert not runner("Modded", "Wyldside").offers('play "Modded"')
    play = runner("Modded", "Magnum Opus", "Mimic", credits=1, identity=NOISE).do('play "Modded"')
    assert play.offered() == ['choose "Mimic"', "no"]
    assert play.do('choose "Mimic"').runner["credits"] == 1
    play = runner("Modded", "Mimic", "Corroder", credits=9).do('play "Modded"', 'choose "Mimic"')
    assert play.asked == (1, "window")


@does("The Maker's Eye")
def test_the_makers_eye_accesses_three_cards_of_rd() -> None:
    play = runner("The Maker's Eye").do('play "The Maker\'s Eye"', *["access next", "leave"] * 3)
    assert play.asked == (1, "window")


@must_not("The Maker's Eye")
def test_the_makers_eye_accesses_no_fourth_card_and_adds_nothing_to_later_runs() -> None:
    play = runner("The Maker's Eye").do('play "The Maker\'s Eye"', *["access next", "leave"] * 3).settle()
    assert not play.offers("access next")
    play.do("run rd", "access next", "leave").settle()
    assert not play.offers("access next")


@does("Tinkering")
def test_tinkering_lets_any_breaker_break_the_ice_it_chose() -> None:
    table = {"servers": {"hq": {"ice": [rezzed("Ice Wall")]}}}
    play = runner("Tinkering", rig=["Gordian Blade", "Mimic", "Corroder"], corp=table)
    play.do('play "Tinkering"', "choose ice:hq:0", "run hq", *["pass"] * 4)
    assert [breaks(play, title) for title in ("Gordian Blade", "Mimic", "Corroder")] == [True, True, True]


@must_not("Tinkering")
def test_tinkering_changes_no_other_ice_and_nothing_after_the_turn() -> None:
    table = {"servers": {"hq": {"ice": [rezzed("Ice Wall"), rezzed("Ice Wall")]}}}
    play = runner("Tinkering", rig=["Gordian Blade"], corp=table, clicks=2)
    play.do('play "Tinkering"', "choose ice:hq:0", "run hq", *["pass"] * 4)
    assert not breaks(play, "Gordian Blade")
    table = {"servers": {"hq": {"ice": [rezzed("Ice Wall")]}}}
    play = runner("Tinkering", rig=["Gordian Blade"], corp=table, clicks=1)
    play.do('play "Tinkering"', "choose ice:hq:0", *["credit"] * 3, "run hq", *["pass"] * 4)
    assert play.position["step"] == "run.3.1"
    assert not breaks(play, "Gordian Blade")


@does("Akamatsu Mem Chip")
def test_akamatsu_mem_chip_adds_a_memory() -> None:
    assert memory(runner(rig=["Akamatsu Mem Chip"])) == (0, 5)
    rig = ["Magnum Opus", "Battering Ram", "Akamatsu Mem Chip"]
    assert runner("Corroder", rig=rig).offers('install "Corroder"')


@must_not("Akamatsu Mem Chip")
def test_akamatsu_mem_chip_adds_no_more_than_one_and_none_from_the_grip() -> None:
    assert memory(runner("Akamatsu Mem Chip", rig=["Akamatsu Mem Chip"])) == (0, 5)
    rig = ["Magnum Opus", "Battering Ram", "Akamatsu Mem Chip"]
    assert not runner("Battering Ram", rig=rig, credits=9).offers('install "Battering Ram"')


@does("Rabbit Hole")
def test_rabbit_hole_adds_link_and_fetches_the_next_one() -> None:
    play = runner("Rabbit Hole", stack=["Rabbit Hole", "Diesel"], identity=NOISE)
    play.do('install "Rabbit Hole"', "yes", 'choose "Rabbit Hole"', "no")
    assert (titles(play.runner["rig"]), play.runner["stack"]) == (["Rabbit Hole"] * 2, ["Diesel"])
    assert (link(play), play.runner["credits"], play.runner["clicks"]) == (2, 1, 3)
    assert "shuffled" in [event.kind for event in play.events]


@must_not("Rabbit Hole")
def test_rabbit_hole_fetches_no_other_card_and_none_unpaid_or_unasked() -> None:
    play = runner("Rabbit Hole", stack=["Grimoire", "Rabbit Hole"], identity=NOISE).do('install "Rabbit Hole"', "yes")
    assert play.offered() == ['choose "Rabbit Hole"', "no"]
    play = runner("Rabbit Hole", stack=["Rabbit Hole"], identity=NOISE).do('install "Rabbit Hole"', "no")
    assert (titles(play.runner["rig"]), link(play), play.asked) == (["Rabbit Hole"], 1, (1, "window"))
    play = runner("Rabbit Hole", stack=["Rabbit Hole"], identity=NOISE, credits=3).do('install "Rabbit Hole"', "yes")
    assert play.offered() == ["no"]
    assert play.do("no").asked == (1, "window")


@does("The Personal Touch")
def test_the_personal_touch_strengthens_its_host() -> None:
    play = runner("The Personal Touch", rig=["Mimic"]).do('install "The Personal Touch"', 'choose rig:"Mimic"')
    assert titles(play.runner["rig"][0]["hosted"]) == ["The Personal Touch"]
    assert strength(play, 'rig:"Mimic"') == 4


@must_not("The Personal Touch")
def test_the_personal_touch_sits_on_icebreakers_only_and_helps_no_other() -> None:
    play = runner("The Personal Touch", rig=["Mimic", "Yog.0", "Magnum Opus"]).do('install "The Personal Touch"')
    assert play.offered() == ['choose rig:"Mimic"', 'choose rig:"Yog.0"']
    play.do('choose rig:"Mimic"')
    assert (strength(play, 'rig:"Mimic"'), strength(play, 'rig:"Yog.0"')) == (4, 3)
    assert not runner("The Personal Touch", rig=["Magnum Opus"]).offers('install "The Personal Touch"')


@does("The Toolbox")
def test_the_toolbox_adds_memory_and_link_and_pays_for_breakers() -> None:
    play = facing("Wall of Static", "Corroder", "The Toolbox", credits=0, identity=NOISE)
    play.do('use rig:"Corroder" 1', 'use rig:"Corroder" 0', "break 0")
    assert (play.runner["credits"], memory(play), link(play)) == (0, (1, 6), 2)


@must_not("The Toolbox")
def test_the_toolbox_pays_two_a_turn_and_for_breakers_only() -> None:
    assert not runner("Corroder", rig=["The Toolbox"], credits=1, identity=NOISE).offers('install "Corroder"')
    play = facing("Wall of Static", "Corroder", "The Toolbox", credits=0, identity=NOISE)
    play.do(*['use rig:"Corroder" 1'] * 2)
    assert play.offered() == ["pass"]
    assert (memory(play), link(play)) == ((1, 6), 2)


@does("Battering Ram")
def test_battering_ram_breaks_two_at_once_and_stays_strong_for_the_run() -> None:
    play = facing(["Wall of Static", "Wall of Thorns"], "Battering Ram", credits=9)
    play.do(*['use rig:"Battering Ram" 1'] * 2, 'use rig:"Battering Ram" 0', "break 0 1", "pass", "pass")
    play.do("continue", "pass", "pass")
    assert (play.position["run"]["ice"], strength(play, 'rig:"Battering Ram"')) == (0, 5)
    assert play.runner["credits"] == 9 - 2 - 2


@must_not("Battering Ram")
def test_battering_ram_breaks_no_three_no_gate_and_is_weaker_in_the_next_run() -> None:
    play = facing("Heimdall 1.0", "Battering Ram", credits=9).do(*['use rig:"Battering Ram" 1'] * 3)
    assert not play.do('use rig:"Battering Ram" 0').offers("break 0 1 2")
    assert not breaks(facing("Enigma", "Battering Ram", credits=9), "Battering Ram")
    play = facing("Wall of Static", "Battering Ram", credits=9).do('use rig:"Battering Ram" 1').settle()
    assert strength(play, 'rig:"Battering Ram"') == 3
    assert not Play({}, {"rig": ["Battering Ram"]}, step="runner.1.4").offers('use rig:"Battering Ram" 1')


@does("Gordian Blade")
def test_gordian_blade_breaks_code_gates_and_stays_strong_for_the_run() -> None:
    play = facing(["Ice Wall", "Chum"], "Gordian Blade").do(*['use rig:"Gordian Blade" 1'] * 2)
    play.do('use rig:"Gordian Blade" 0', "break 0", "pass", "pass", "continue", "pass", "pass")
    assert (play.position["run"]["ice"], strength(play, 'rig:"Gordian Blade"')) == (0, 4)
    assert play.runner["credits"] == 2


@must_not("Gordian Blade")
def test_gordian_blade_breaks_no_wall_and_is_weaker_in_the_next_run() -> None:
    assert not breaks(facing("Ice Wall", "Gordian Blade"), "Gordian Blade")
    play = facing("Enigma", "Gordian Blade").do('use rig:"Gordian Blade" 1').settle()
    assert strength(play, 'rig:"Gordian Blade"') == 2
    assert not Play({}, {"rig": ["Gordian Blade"]}, step="runner.1.4").offers('use rig:"Gordian Blade" 1')
    assert facing("Enigma", "Gordian Blade").do('use rig:"Gordian Blade" 0').offered() == ["break 0", "break 1"]


@does("Magnum Opus")
def test_magnum_opus_gains_two_for_a_click() -> None:
    play = runner(rig=["Magnum Opus"]).do('use rig:"Magnum Opus" 0')
    assert (play.runner["credits"], play.runner["clicks"]) == (7, 3)


@must_not("Magnum Opus")
def test_magnum_opus_works_for_an_action_only() -> None:
    assert not Play({}, {"rig": ["Magnum Opus"]}, step="runner.1.4").offers('use rig:"Magnum Opus" 0')
    assert not facing("Ice Wall", "Magnum Opus").offers('use rig:"Magnum Opus" 0')
    assert runner(rig=["Magnum Opus"]).do('use rig:"Magnum Opus" 0').runner["clicks"] == 3


@does("Net Shield")
def test_net_shield_prevents_one_net_damage_for_a_credit() -> None:
    play = facing("Neural Katana", "Net Shield", grip=["Diesel"] * 4).do('use rig:"Net Shield" 0')
    assert (len(play.runner["grip"]), play.runner["credits"]) == (2, 4)


@must_not("Net Shield")
def test_net_shield_works_once_a_turn_the_first_time_and_on_net_damage_only() -> None:
    grip = ["Diesel"] * 4
    play = facing("Neural Katana", "Net Shield", grip=grip).do('use rig:"Net Shield" 0').settle()
    assert len(play.runner["grip"]) == 2
    katana = {"hq": {"ice": [rezzed("Neural Katana")]}}
    play = runner(*grip, rig=["Net Shield"], corp={"servers": katana}, this_turn=["damage:net"]).do("run hq")
    play.do(*["pass"] * 6)
    assert (len(play.runner["grip"]), play.asked) == (1, (1, "window"))
    play = facing("Viktor 1.0", "Net Shield", grip=grip).do("pass", "pass")
    assert (len(play.runner["grip"]), play.runner["brain"]) == (3, 1)
    play = corp("Scorched Earth", runner={"tags": 1, "rig": ["Net Shield"], "grip": ["Diesel"] * 4})
    assert play.do('play "Scorched Earth"').settle().runner["grip"] == []


@must_not("Net Shield")
def test_a_second_net_shield_finds_no_second_first_time() -> None:
    """Damage that was wholly prevented was the first all the same."""
    mines = ["Data Mine", "Data Mine"]
    play = facing(mines, "Net Shield", "Net Shield", grip=["Diesel"] * 4).do("use rig:0 0")
    assert len(play.runner["grip"]) == 4
    assert len(play.do("continue").settle().runner["grip"]) == 3


@does("Pipeline")
def test_pipeline_breaks_sentries_and_stays_strong_for_the_run() -> None:
    play = facing(["Ice Wall", "Neural Katana"], "Pipeline", credits=9).do(*['use rig:"Pipeline" 1'] * 2)
    play.do('use rig:"Pipeline" 0', "break 0", "pass", "pass", "continue", "pass", "pass")
    assert (play.runner["credits"], strength(play, 'rig:"Pipeline"')) == (4, 3)


@must_not("Pipeline")
def test_pipeline_breaks_no_gate_and_is_weaker_in_the_next_run() -> None:
    assert not breaks(facing("Enigma", "Pipeline", credits=9).do('use rig:"Pipeline" 1'), "Pipeline")
    assert not facing("Neural Katana", "Pipeline", credits=1).offers('use rig:"Pipeline" 1')
    play = facing("Neural Katana", "Pipeline", grip=["Diesel"] * 5, corp={"hq": []}).do('use rig:"Pipeline" 1').settle()
    assert strength(play, 'rig:"Pipeline"') == 1
    assert not Play({}, {"rig": ["Pipeline"]}, step="runner.1.4").offers('use rig:"Pipeline" 1')


@does("Aesop's Pawnshop")
def test_aesops_pawnshop_sells_another_card_for_three() -> None:
    play = Play({}, {"rig": ["Aesop's Pawnshop", "Corroder"]}, step="runner.1.3").do('choose rig:"Corroder"')
    assert (play.runner["credits"], play.runner["heap"]) == (8, ["Corroder"])


@must_not("Aesop's Pawnshop")
def test_aesops_pawnshop_sells_not_itself_not_two_and_nothing_unasked() -> None:
    play = Play({}, {"rig": ["Aesop's Pawnshop", "Corroder", "Mimic"]}, step="runner.1.3")
    assert play.offered() == ['choose rig:"Corroder"', 'choose rig:"Mimic"', "no"]
    assert play.do("no").runner["credits"] == 5
    play = Play({}, {"rig": ["Aesop's Pawnshop", "Corroder", "Mimic"]}, step="runner.1.3").do('choose rig:"Mimic"')
    assert (play.asked, play.runner["credits"]) == ((1, "window"), 8)
    assert Play({}, {"rig": ["Aesop's Pawnshop", "Corroder"]}, step="corp.1.2").asked == (0, "window")


@must_not("Aesop's Pawnshop")
def test_aesops_pawnshop_pays_nothing_for_a_card_that_was_saved() -> None:
    rig = ["Aesop's Pawnshop", "Corroder", "Sacrificial Construct"]
    play = Play({}, {"rig": rig}, step="runner.1.3").do('choose rig:"Corroder"', 'use rig:"Sacrificial Construct" 0')
    assert (play.runner["credits"], titles(play.runner["rig"])) == (5, ["Aesop's Pawnshop", "Corroder"])


@does("Sacrificial Construct")
def test_sacrificial_construct_saves_a_program() -> None:
    play = facing("Rototurret", "Sacrificial Construct", "Corroder").do('choose rig:"Corroder"')
    play.do('use rig:"Sacrificial Construct" 0')
    assert (titles(play.runner["rig"]), play.runner["heap"]) == (["Corroder"], ["Sacrificial Construct"])


@must_not("Sacrificial Construct")
def test_sacrificial_construct_saves_no_resource_and_no_card_of_the_grip() -> None:
    play = corp(runner={"tags": 1, "rig": ["Sacrificial Construct", "Wyldside"]})
    play.do('trash-resource rig:"Wyldside"')
    assert (play.asked, titles(play.runner["rig"])) == ((0, "window"), ["Sacrificial Construct"])
    play = facing("Neural Katana", "Sacrificial Construct", grip=["Corroder"] * 3).do("pass", "pass")
    assert (play.runner["grip"], titles(play.runner["rig"])) == ([], ["Sacrificial Construct"])
