"""Where a Netrunner match stops for a player: by what everybody sees and by the player's own choice."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from game import registry
from game.choices import expand
from game.contract import Action, Event, Json, Watcher
from game.netrunner.decks import SIDES_OF
from game.netrunner.stops import LEAST_REQUIREMENT
from game.rng import Rng
from server.accounts.identity import bot_player
from server.boards.board import board
from server.boards.games.netrunner.errands import IDLE, goes_by
from server.boards.games.netrunner.selection import MORE, Selection
from server.session import places
from server.terminal.lines import text_of
from server.terminal.look import Look
from tests.boards.netrunner_table import CORP, RUNNER, seen
from tests.boards.positions import person
from tests.screens.test_netrunner_errands import Player
from tests.screens.test_netrunner_session import random_play
from tests.session.evening import match_page
from tests.session.fakeserver import FakeServer, account
from tests.session.stage import StagedMatch
from tests.texts import en

RULES, BOARD = registry.get("netrunner"), board("netrunner")
PAD = "PAD Campaign"


def corp(root: list[Json], step: str = "corp.2.2", **more: Any) -> Player:
    """Return a Corp with these cards in Remote 1, at a window of its turn."""
    side: dict[str, Json] = {"credits": 9, "hq": ["Hedge Fund"], "servers": {"remote1": {"root": root}}}
    return Player(RULES.read_position({"step": step, "corp": {**side, **more.pop("corp", {})}, **more}, {}), CORP)


def stops(player: Player) -> bool:
    return player.shot.pending is not None and not goes_by(player.shot, player.chosen.errands)


@pytest.mark.parametrize("side", SIDES_OF[0])
def test_where_the_corp_stops_tells_nothing_of_what_lies_face_down(side: str) -> None:
    """Whatever else the hidden cards may be, the same windows stop: the Runner sees that somebody thinks."""
    asked = 0
    for state, _ in random_play(side, SIDES_OF[1][0], 5, 220):
        owed = [one for one in RULES.pending(state) if one.seat == CORP and one.window is not None]
        if not owed:
            continue
        asked += 1
        other = RULES.determinize(RULES.view(state, Watcher.PUBLIC), Rng(bytes([asked % 251]) * 32))
        assert goes_by(seen(state, CORP), IDLE) == goes_by(seen(other, CORP), IDLE), state.step
    assert asked > 20


def test_what_is_advanced_enough_stops_whatever_it_is() -> None:
    enough, fewer = LEAST_REQUIREMENT, LEAST_REQUIREMENT - 1
    for card in ("Nisei MK II", "Project Junebug"):
        assert stops(corp([{"card": card, "advancement": enough}]))
        assert not stops(corp([{"card": card, "advancement": fewer}]))


def test_what_was_not_scored_stops_again_only_when_it_is_advanced_further() -> None:
    player = corp([{"card": "Nisei MK II", "advancement": 2}], corp={"hq": []})
    player.press(" ").until("action")
    player.press("1").until("action")
    assert player.prompt == "action", "the window after the action went by"
    row = next(row.split()[0] for row in player.rows() if "Advance" in row)
    player.press(row)
    assert stops(player)
    assert player.prompt == "window"


def test_rezzing_what_nothing_makes_urgent_is_no_reason_to_stop() -> None:
    player = corp([PAD])
    assert not stops(player)
    assert RULES.automatic(player.state, CORP) is None, "a program is asked"
    found = BOARD.unasked(player.shot, player.chosen)
    assert found is not None
    assert (found.action, found.waits) == (Action("pass"), True)


def test_a_card_is_rezzed_as_soon_as_may_be_where_one_said_so() -> None:
    player = corp([PAD]).until("action")
    player.press("m")
    assert player.chosen.mode == MORE
    player.press("1")
    assert en("netrunner.wanted", cards="PAD Campaign") in text_of(BOARD.status(player.shot, player.chosen, Look()))
    player.press("1").until("action")
    assert "rez root:remote1:0" in player.log
    assert player.chosen.errands.wanted == ()


def test_a_wish_to_rez_may_be_made_and_taken_back_while_the_other_side_thinks() -> None:
    player = corp([PAD], step="runner.1.5", turn="runner")
    assert player.shot.pending is None
    player.press("m", "1")
    assert len(player.chosen.errands.wanted) == 1
    player.press("m", "1")
    assert player.chosen.errands.wanted == ()


def test_an_asset_could_not_be_rezzed_between_the_runners_turn_and_ones_own() -> None:
    """Both windows went by, and what was to be rezzed as soon as possible came after the first of three clicks."""
    player = corp(["Melange Mining Corp."], step="runner.1.5", turn="runner")
    player.press("m", "2")
    status = text_of(BOARD.status(player.shot, player.chosen, Look()))
    assert en("netrunner.wanted-at-end", cards="Melange Mining Corp.") in status
    assert ".." not in status
    while player.state.turn == RUNNER and "rez root:remote1:0" not in player.log:
        owed = RULES.pending(player.state)[0]
        if owed.seat == RUNNER:
            player.send(Action("credit" if owed.prompt == "action" else "pass"), RUNNER)
        elif (found := BOARD.unasked(player.shot, player.chosen)) is not None:
            player.send(found.action)
    assert player.state.turn == RUNNER, "before the own turn begins"
    assert player.chosen.errands.at_end == ()


def run_on(player_root: list[Any], ice: list[Any]) -> Player:
    return corp(player_root, "run.2.1", turn="runner", run={"server": "remote1"}, corp={
        "servers": {"remote1": {"root": player_root, "ice": ice}}, "credits": 3,
    })  # fmt: skip


def test_ice_that_is_approached_stops_also_who_cannot_pay_for_it() -> None:
    """A window that went by at once told the Runner that the ice is too dear."""
    player = run_on([], ["Tollbooth"]).until("window")
    assert stops(player)
    assert RULES.automatic(player.state, CORP) is None
    assert "it costs" not in "".join(player.rows())


def test_a_card_is_asked_about_once_in_a_run() -> None:
    player = run_on([PAD], ["Enigma"]).until("window")
    assert [one[0] for one in player.chosen.errands.asked[1]] == [ice_of(player)]
    player.press(" ")
    assert ice_of(player) in [iid for iid, _ in player.chosen.errands.declined]


def ice_of(player: Player) -> int:
    return next(card.iid for card in player.state.cards if card.place.startswith("ice:"))


def test_one_key_ends_a_stop_for_this_turn_and_the_next_turn_stops_again() -> None:
    player = corp([{"card": "Project Junebug", "advancement": 2}])
    assert stops(player)
    player.press("z").until("action")
    assert player.state.auto == ((("corp.2.2", "could turn"),), ())
    over = player.state
    while over.turn == CORP:
        owed = RULES.pending(over)[0]
        texts = [action.text for action in expand(owed.choice)]
        text = next((one for one in ("pass", "credit") if one in texts), texts[0])
        over = RULES.apply(over, owed.seat, Action(text)).state
    assert over.auto == ((("corp.2.2", "could"),), ())


def test_a_stop_is_not_ended_by_a_slip_where_ice_is_rezzed() -> None:
    player = run_on([], ["Enigma"]).until("window")
    assert BOARD.press(player.shot, player.chosen, "z") is None


async def test_a_window_that_goes_by_takes_the_same_time_whatever_is_there(server: FakeServer) -> None:
    match = server.matches.add(StagedMatch("netrunner", (person("mira"), person("tarn")), "m1"))
    position: Json = {"step": "corp.2.2", "corp": {"credits": 9, "servers": {"remote1": {"root": [PAD]}}}}
    match.state = RULES.read_position(position, {})
    mira = await server.connect(account("mira"))
    await mira.session.reach(places.MatchPlace("m1"))
    await mira.settle()
    assert match.seq == 0
    server.clock.pass_time(0.39)
    await mira.settle()
    assert match.seq == 0
    server.clock.pass_time(0.02)
    await mira.settle()
    assert match.seq == 1


async def test_a_key_keeps_a_window_from_going_by(server: FakeServer) -> None:
    """Who says that a card is to be rezzed while the window goes by has it rezzed in it."""
    match = server.matches.add(StagedMatch("netrunner", (person("mira"), person("tarn")), "m1"))
    position: Json = {"step": "corp.2.2", "corp": {"credits": 9, "servers": {"remote1": {"root": [PAD]}}}}
    match.state = RULES.read_position(position, {})
    mira = await server.connect(account("mira"))
    await mira.session.reach(places.MatchPlace("m1"))
    server.clock.pass_time(0.35)
    await mira.type("m", "1")
    assert any(event.kind == "rezzed" for _, event in match.seen)


def test_selections_without_errands_are_what_they_were() -> None:
    assert Selection().errands == IDLE


def test_the_runner_stops_where_something_can_be_done_as_before() -> None:
    state = RULES.read_position({"turn": "runner", "step": "runner.1.4"}, {})
    assert goes_by(seen(state, RUNNER), IDLE)


async def at_board(server: FakeServer, name: str) -> Any:
    seated = await server.connect(account(name))
    await seated.session.reach(places.MatchPlace("m1"))
    await seated.settle()
    return seated


async def test_who_comes_back_is_not_asked_again_about_ice_that_was_declined(server: FakeServer) -> None:
    """What was declined in a run was forgotten with the connection."""
    match = server.matches.add(StagedMatch("netrunner", (person("mira"), person("tarn")), "m1"))
    ice: Json = {"remote1": {"root": [PAD], "ice": ["Enigma"]}}
    run: Json = {"server": "remote1", "ice": 0}
    position: Json = {"step": "run.2.3", "turn": "runner", "run": run, "corp": {"credits": 9, "servers": ice}}
    match.state = RULES.read_position(position, {})
    match.play(RUNNER, "pass")
    mira = await at_board(server, "mira")
    await mira.type(" ")
    before = match_page(mira).answering.selection.errands
    assert [iid for iid, _ in before.declined] == [
        card.iid for card in match.state.cards if card.place == "ice:remote1"
    ]
    mira.session.quit()
    await mira.settle()
    again = await at_board(server, "mira")
    assert match_page(again).answering.selection.errands.declined == before.declined


async def test_what_was_declined_in_another_turn_or_run_is_asked_again(server: FakeServer) -> None:
    match = server.matches.add(StagedMatch("netrunner", (person("mira"), person("tarn")), "m1"))
    position: Json = {"step": "corp.2.2", "corp": {"servers": {"remote1": {"root": [{"card": PAD, "advancement": 3}]}}}}
    match.state = RULES.read_position(position, {})
    mira = await at_board(server, "mira")
    await mira.type(" ")
    assert match_page(mira).answering.selection.errands.declined
    mira.session.quit()
    await mira.settle()
    match.seen.append((match.seq, Event("turn", {"side": 0, "clicks": 3})))
    assert not match_page(await at_board(server, "mira")).answering.selection.errands.declined


async def test_a_stop_that_was_ended_for_the_turn_is_a_setting_of_the_seat(server: FakeServer) -> None:
    """Who came back was stopped again at every action: z was the screen's, not the match's."""
    match = server.matches.add(StagedMatch("netrunner", (person("mira"), person("tarn")), "m1"))
    position: Json = {"step": "corp.2.2", "corp": {"servers": {"remote1": {"root": [{"card": PAD, "advancement": 3}]}}}}
    match.state = RULES.read_position(position, {})
    mira = await at_board(server, "mira")
    await mira.type("z")
    assert dict(match.state.auto[CORP]) == {"corp.2.2": "could turn"}
    assert RULES.automatic(match.state, CORP) == Action("pass")
    mira.session.quit()
    await mira.settle()
    back = match_page(await at_board(server, "mira"))
    assert goes_by(back.snapshot, back.answering.selection.errands)


ASTRO: Json = {"card": "AstroScript Pilot Program", "counters": {"agenda": 1}}


def with_ability(step: str, **more: Any) -> Player:
    """Return a Corp with a scored agenda that may be used at any time, at a window."""
    return corp([{"card": "Nisei MK II", "advancement": 1}], step, corp={"score": [ASTRO], "hq": []}, **more)


def test_an_ability_that_may_always_be_used_stopped_at_every_step_of_every_turn() -> None:
    for step, turn, is_stop in (
        ("corp.1.1", "corp", False),
        ("corp.2.2", "corp", True),
        ("corp.3.3", "corp", False),
        ("runner.1.2", "runner", False),
        ("runner.1.4", "runner", False),
        ("runner.2.3", "runner", True),
    ):
        player = with_ability(step, turn=turn)
        if player.shot.pending is not None:
            assert stops(player) == is_stop, step


def test_who_declined_an_ability_is_not_asked_again_in_the_same_turn_until_something_is_advanced() -> None:
    player = with_ability("corp.2.2").press(" ")
    player.until("action").press("1").until("action")
    row = next(row.split()[0] for row in player.rows() if "Advance" in row)
    player.press(row)
    assert player.prompt == "window"
    assert stops(player)


def test_a_card_that_one_never_wants_to_be_asked_for_stops_no_window() -> None:
    player = with_ability("corp.2.2")
    assert stops(player)
    player.press("m")
    said = [text_of(line) for line in BOARD.render(player.shot, player.chosen, Look(), 80, 19)]
    wanted = en("netrunner.row.hush", card="AstroScript Pilot Program")
    digit = next(line for line in said if wanted in line).split()[0]
    player.press(digit)
    assert not stops(player)


def test_a_run_goes_on_to_the_access_by_itself() -> None:
    state = RULES.read_position(
        {
            "turn": "runner",
            "step": "runner.1.5",
            "corp": {"hq": ["Hedge Fund"], "rd": ["Hedge Fund"] * 3, "credits": 0},
            "runner": {"rig": [{"card": "Fall Guy"}], "grip": ["Diesel"], "stack": ["Diesel"] * 3},
        },
        {},
    )
    player = Player(RULES.apply(state, RUNNER, Action("run hq")).state, RUNNER)
    player.press("m")
    rows = [text_of(line) for line in BOARD.render(player.shot, player.chosen, Look(), 80, 19)]
    player.press(next(row for row in rows if en("netrunner.row.to-access") in row).split()[0])
    player.until("accessed")
    assert "continue" in player.log


def test_a_window_in_which_one_can_only_pass_does_not_stop_against_a_bot() -> None:
    player = run_on([], ["Tollbooth"]).until("window")
    assert stops(player)
    seats = player.shot.seats
    bot = replace(player.shot, seats=(seats[0], replace(seats[1], player=bot_player("easy"))))
    assert goes_by(bot, player.chosen.errands)


def test_what_prevents_damage_was_passed_for_because_it_was_no_time_for_abilities() -> None:
    ice: Json = [{"card": "Neural Katana", "rezzed": True}]
    runner: Json = {"rig": ["Net Shield"], "grip": ["Diesel"] * 4, "credits": 3}
    corp_side: Json = {"hq": ["Hedge Fund"], "servers": {"hq": {"ice": ice}}}
    position: dict[str, Json] = {"turn": "runner", "step": "run.3.1", "run": {"server": "hq"}, "corp": corp_side}
    player = Player(RULES.read_position({**position, "runner": runner}, {}), RUNNER).until("prevent")
    assert stops(player)
    assert BOARD.unasked(player.shot, player.chosen) is None


def test_who_is_asked_to_jack_out_may_go_on_to_the_access() -> None:
    position: dict[str, Json] = {"turn": "runner", "step": "run.5.2", "run": {"server": "hq"}}
    state = RULES.read_position({**position, "corp": {"hq": ["Hedge Fund"]}, "runner": {"grip": ["Diesel"]}}, {})
    player = Player(state, RUNNER)
    assert player.prompt == "jack-out"
    player.press("m")
    assert player.chosen.mode == MORE
    player.press("1")
    assert "continue" in player.log


def test_that_a_stop_hides_what_lies_face_down_was_said_at_every_one() -> None:
    """It is said until the first such stop is over."""
    look = Look()
    servers: Json = {"remote1": {"ice": ["Ice Wall"], "root": [{"card": PAD, "advancement": 3}]}}
    side: dict[str, Json] = {"credits": 0, "hq": ["Hedge Fund"], "servers": servers}
    player = Player(RULES.read_position({"step": "corp.2.2", "corp": side}, {}), CORP)
    alike, short = look.t("netrunner.prompt.window.idle.alike"), look.t("netrunner.prompt.window.idle")
    assert alike in text_of(BOARD.status(player.shot, player.chosen, look))
    player.chosen = replace(player.chosen, errands=replace(player.chosen.errands, is_explained=True))
    assert short in text_of(BOARD.status(player.shot, player.chosen, look))
    fresh = Player(RULES.read_position({"step": "corp.2.2", "corp": side}, {}), CORP)
    fresh.press(" ")
    assert fresh.chosen.errands.is_explained
