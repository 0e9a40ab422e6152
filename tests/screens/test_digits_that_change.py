"""A digit that has just come to mean another act points at it first, whoever brought the question about."""

from __future__ import annotations

from typing import Any

import pytest

from game import registry
from game.contract import Action, Json, Seat
from game.netrunner.facts import CORP, RUNNER
from server.boards.games.netrunner import selection
from server.boards.games.netrunner.rows import ChoiceRow
from server.session import places
from server.session.heldkeys import AGAIN_S, MOST_S, REPEAT_S
from tests.boards.positions import person
from tests.session.evening import match_page
from tests.session.fakeserver import FakeServer, Seated, account
from tests.session.stage import StagedMatch
from tests.texts import en

RULES = registry.get("netrunner")
AGENDA: Json = {"card": "Priority Requisition"}


async def seated_at(server: FakeServer, position: dict[str, Json], *settings: str, seat: int = CORP) -> Seated:
    """Sit mira down at a position, after these settings of hers; tarn has the other seat."""
    players = (person("mira"), person("tarn"))
    match = server.matches.add(StagedMatch("netrunner", players if seat == CORP else players[::-1], "m1"))
    match.state = RULES.read_position(position, {})
    for text in settings:
        match.state = RULES.apply(match.state, Seat(seat), Action(text)).state
    mira = await server.connect(account("mira"))
    await mira.session.reach(places.MatchPlace("m1"))
    await mira.settle()
    return mira


def prompt(mira: Seated) -> str:
    pending = match_page(mira).snapshot.pending
    return "" if pending is None else pending.prompt


def row_at(mira: Seated, digit: str) -> ChoiceRow:
    now = match_page(mira)
    return selection.rows(now.snapshot, now.answering.selection)[selection.DIGITS.index(digit)]


def digit_of(mira: Seated, part: str) -> str:
    now = match_page(mira)
    return next(
        selection.DIGITS[at]
        for at, row in enumerate(selection.rows(now.snapshot, now.answering.selection))
        if row.part.startswith(part)
    )


def kinds(server: FakeServer) -> list[str]:
    return [event.kind for _, event in server.matches.all["m1"].seen]


async def advanced(server: FakeServer) -> tuple[Seated, str]:
    """Advance a card with a digit that means rezzing another one in the window that opens then."""
    servers: Json = {"remote1": {"root": [AGENDA]}, "remote2": {"root": ["PAD Campaign"]}}
    hand: Json = ["Hedge Fund"]  # which takes a digit before advancing
    position: dict[str, Json] = {"corp": {"credits": 9, "hq": hand, "servers": servers}}
    mira = await seated_at(server, position, "auto corp.2.3 always")
    menu = digit_of(mira, "advance")
    await mira.type(menu)
    while match_page(mira).answering.selection.path:
        await mira.type("1")
    assert prompt(mira) == "window"
    return mira, menu


async def test_advancing_again_with_the_same_digit_rezzed_a_card_in_the_window_between(server: FakeServer) -> None:
    mira, menu = await advanced(server)
    assert row_at(mira, menu).part == "rez root:remote2:0"
    before = server.matches.all["m1"].seq
    await mira.type_blindly(menu)
    assert server.matches.all["m1"].seq == before
    assert mira.says("match.pointed")
    for _ in range(9):  # held down, or struck on and on, it is no answer
        mira.clock.typed_s += REPEAT_S / 2
        await mira.type_blindly(menu)
        assert server.matches.all["m1"].seq == before
    await mira.type("enter")
    assert "rezzed" in kinds(server)


async def test_a_digit_struck_again_never_did_what_it_had_marked(server: FakeServer) -> None:
    mira, menu = await advanced(server)
    await mira.type_blindly(menu)
    assert "rezzed" not in kinds(server)
    server.clock.pass_time(AGAIN_S)
    await mira.type_blindly(menu)
    assert "rezzed" in kinds(server)


async def test_a_digit_only_marked_its_row_however_long_the_list_had_stood_there(server: FakeServer) -> None:
    mira, menu = await advanced(server)
    server.clock.pass_time(MOST_S)
    await mira.type(menu)
    assert "rezzed" in kinds(server)


async def test_enter_at_the_opening_hand_only_marked_its_first_row(server: FakeServer) -> None:
    """So did the first one of each turn. Held down, as the one that opened the page may be, it is no answer."""
    match = server.matches.add(StagedMatch("netrunner", (person("mira"), person("tarn")), "m1"))
    mira = await server.connect(account("mira"))
    await mira.session.reach(places.MatchPlace("m1"))
    await mira.settle()
    assert prompt(mira) == "mulligan"
    assert match_page(mira).answering.selection.cursor == 0
    for _ in range(9):
        await mira.type_blindly("enter")
        server.clock.pass_time(REPEAT_S / 2)
    assert match.seq == 0
    server.clock.pass_time(MOST_S)
    await mira.type("enter")
    assert match.seq == 1


async def test_enter_held_down_on_one_s_turn_took_one_credit_after_the_other(server: FakeServer) -> None:
    mira = await seated_at(server, {"corp": {"credits": 0, "hq": ["Hedge Fund"], "rd": ["Enigma"] * 9}})
    assert prompt(mira) == "action"
    assert row_at(mira, "1").part == "credit"
    match = server.matches.all["m1"]

    def pool() -> int:
        while (pending := match.rules.pending(match.state)[0]).prompt == "window":
            match.play(pending.seat, "pass")
        return int(match.state.credits[CORP])

    await mira.type("enter")
    assert pool() == 1
    server.clock.pass_time(AGAIN_S - 0.1)  # a terminal's delay before it repeats
    for _ in range(50):
        await mira.type_blindly("enter")
        server.clock.pass_time(0.05)
        assert pool() == 1
    server.clock.pass_time(MOST_S)
    await mira.type("enter")
    assert pool() == 2


async def test_enter_in_a_window_with_only_going_on_said_that_there_was_nothing_to_choose(server: FakeServer) -> None:
    position: dict[str, Json] = {"corp": {"credits": 0, "hq": ["Hedge Fund"], "rd": ["Enigma"] * 9}}
    mira = await seated_at(server, position, "auto corp.2.3 always")
    await mira.type("2")
    assert prompt(mira) == "window"
    before = server.matches.all["m1"].seq
    await mira.type("enter")
    chosen = match_page(mira).answering.selection
    assert selection.rows(match_page(mira).snapshot, chosen)[chosen.cursor].is_let
    await mira.type("enter", "enter")
    assert server.matches.all["m1"].seq == before + 1


async def test_enter_at_too_many_cards_said_that_there_was_nothing_to_choose(server: FakeServer) -> None:
    position: dict[str, Json] = {"corp": {"clicks": 1, "hq": ["Enigma"] * 6, "rd": ["Enigma"] * 9}}
    mira = await seated_at(server, position)
    await mira.type("2")
    match: Any = server.matches.all["m1"]
    while prompt(mira) != "discard":
        match.play(RULES.pending(match.state)[0].seat, "pass")
        await mira.settle()
    server.clock.pass_time(MOST_S)
    await mira.type("enter")
    assert mira.says("netrunner.prompt.discard", count=2)
    assert mira.says("netrunner.why.count", n=2, chosen=0)


async def test_who_looks_round_in_the_window_first_has_read_its_digits(server: FakeServer) -> None:
    mira, menu = await advanced(server)
    await mira.type("down", menu)
    assert "rezzed" in kinds(server)


async def test_back_in_the_list_of_the_turn_its_digits_act_at_once(server: FakeServer) -> None:
    mira, menu = await advanced(server)
    await mira.type(" ")
    server.matches.all["m1"].play(RUNNER, "pass")
    await mira.settle()
    server.clock.pass_time(MOST_S)
    before = server.matches.all["m1"].seq
    await mira.type("1")
    assert server.matches.all["m1"].seq == before + 1
    assert digit_of(mira, "rez") == menu


async def test_a_digit_of_the_last_action_discarded_a_card(server: FakeServer) -> None:
    hand: Json = ["Enigma", "Enigma", "Ice Wall", "Ice Wall", "Hunter", "Hunter"]
    mira = await seated_at(server, {"corp": {"credits": 9, "clicks": 1, "hq": hand}}, seat=CORP)
    await mira.type("1")
    match: Any = server.matches.all["m1"]
    while prompt(mira) != "discard":
        owed = RULES.pending(match.state)[0]
        match.play(owed.seat, "pass")
        await mira.settle()
    server.clock.pass_time(AGAIN_S)
    before = match.seq
    await mira.type("1")
    assert match.seq == before
    await mira.type("enter")
    assert match.seq == before + 1


@pytest.mark.parametrize("key", ["1", "2"])
async def test_a_digit_that_means_the_same_as_before_acts_at_once(server: FakeServer, key: str) -> None:
    mira = await seated_at(server, {"corp": {"credits": 9, "hq": ["Hedge Fund"], "rd": ["Enigma"] * 9}})
    before = server.matches.all["m1"].seq
    await mira.type(key)
    assert server.matches.all["m1"].seq > before
    assert en("match.pointed") not in mira.text


async def test_breaking_takes_one_key_though_it_meant_an_action_before(server: FakeServer) -> None:
    wall: Json = {"ice": [{"card": "Wall of Static", "rezzed": True}]}
    position: dict[str, Json] = {
        "turn": "runner",
        "corp": {"servers": {"hq": wall}, "hq": ["Hedge Fund"]},
        "runner": {"rig": ["Corroder"], "credits": 9},
    }
    mira = await seated_at(server, position, seat=RUNNER)
    match: Any = server.matches.all["m1"]
    await mira.type("3", "1")
    while match.state.run.step != "run.3.1" or RULES.pending(match.state)[0].seat != RUNNER:
        owed = RULES.pending(match.state)[0]
        match.play(owed.seat, "pass")
        await mira.settle()
    server.clock.pass_time(MOST_S)
    before = match.seq
    await mira.type(digit_of(mira, "use"))
    assert match.seq > before


async def test_keys_that_choose_are_not_shown_where_there_is_nothing_to_choose(server: FakeServer) -> None:
    """'1-9 Choose' stood below a window with nothing but going on."""
    position: dict[str, Json] = {"corp": {"credits": 0, "hq": ["Hedge Fund"], "rd": ["Enigma"] * 9}}
    mira = await seated_at(server, position, "auto corp.2.3 always")
    shown = {hint.press for hint in match_page(mira).hints()}
    assert {"1", "enter"} <= shown
    await mira.type("2")
    assert prompt(mira) == "window"
    shown = {hint.press for hint in match_page(mira).hints()}
    assert not {"1", "enter"} & shown


SHIPPED: Json = ["Shipment from MirrorMorph", "Ice Wall", "Enigma", "Hunter", "PAD Campaign"]


async def shipping(server: FakeServer) -> Seated:
    """Play Shipment from MirrorMorph, and install the card that has the digit 4."""
    mira = await seated_at(server, {"corp": {"credits": 9, "hq": SHIPPED}})
    await mira.type(digit_of(mira, 'play "Shipment'))
    assert [row.part for row in shown_rows(mira)][3:] == ['choose "PAD Campaign"', "no"]
    server.clock.pass_time(MOST_S)
    await mira.type("4")
    if prompt(mira) == "install-where":
        server.clock.pass_time(MOST_S)
        await mira.type("1")
    assert prompt(mira) == "choose"
    return mira


def shown_rows(mira: Seated) -> tuple[ChoiceRow, ...]:
    now = match_page(mira)
    return selection.rows(now.snapshot, now.answering.selection)


async def test_the_digit_of_the_last_card_declined_the_rest_one_pick_later(server: FakeServer) -> None:
    mira = await shipping(server)
    assert [row.part for row in shown_rows(mira)] == [
        'choose "Ice Wall"',
        'choose "Enigma"',
        'choose "Hunter"',
        "",
        "no",
    ]
    before = server.matches.all["m1"].seq
    server.clock.pass_time(MOST_S)
    await mira.type("4")
    assert server.matches.all["m1"].seq == before


async def test_a_digit_that_had_played_the_card_declined_its_effect(server: FakeServer) -> None:
    mira = await seated_at(server, {"corp": {"credits": 9, "hq": ["Shipment from MirrorMorph", "Ice Wall", "Enigma"]}})
    digit = digit_of(mira, 'play "Shipment')
    await mira.type(digit)
    assert row_at(mira, digit).part == "no"
    match = server.matches.all["m1"]
    seq = match.seq
    server.clock.pass_time(AGAIN_S)
    await mira.type_blindly(digit)
    assert match.seq == seq
    assert mira.says("match.pointed")
    await mira.type_blindly(digit)
    assert not mira.says("session.held"), "no second refusal"
    server.clock.pass_time(REPEAT_S)
    await mira.settle()
    assert match.seq == seq + 1


async def test_each_choice_after_a_play_cost_a_third_key(server: FakeServer) -> None:
    """Who plays fast knows that the list which a digit opens has other rows, and strikes another digit of it."""
    mira = await seated_at(server, {"corp": {"credits": 9, "hq": ["Shipment from MirrorMorph", "Ice Wall", "Enigma"]}})
    await mira.type(digit_of(mira, 'play "Shipment'))
    server.clock.pass_time(AGAIN_S)
    await mira.type_blindly("1")
    assert not mira.says("match.pointed")


async def test_a_prompt_to_install_several_cards_said_only_choose_one_of_hq(server: FakeServer) -> None:
    mira = await shipping(server)
    assert "Install up to 3 cards from HQ" in mira.text
    assert en("netrunner.prompt.nth", nth=2, most=3).strip() in mira.text
