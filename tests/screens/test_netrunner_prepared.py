"""Netrunner's actions as they are typed, and one that is prepared while the other side acts."""

from __future__ import annotations

from typing import Any

from game import registry
from game.choices import expand
from game.contract import Seat
from game.netrunner.facts import title
from game.rng import Rng
from server.boards.board import board
from server.session import places
from tests.boards.positions import person, snapshot
from tests.conformance.play import drawn_of
from tests.session.evening import match_page
from tests.session.fakeserver import FakeServer, Seated, account
from tests.session.stage import StagedMatch

RULES, BOARD = registry.get("netrunner"), board("netrunner")
CORP, RUNNER = Seat(0), Seat(1)
TURN: dict[str, Any] = {
    "turn": "corp",
    "step": "corp.2.3",
    "corp": {"clicks": 1, "hq": ["Hedge Fund", "Snare!"], "rd": ["Hunter"] * 5},
    "runner": {"grip": ["Sure Gamble", "Déjà Vu"], "stack": ["Diesel"] * 5, "heap": ["Diesel"], "credits": 6},
}


async def seated_at(server: FakeServer, position: dict[str, Any], name: str) -> tuple[StagedMatch, Seated]:
    match = server.matches.add(StagedMatch("netrunner", (person("mira"), person("tarn")), "m1"))
    match.state = RULES.read_position(position, {})
    seated = await server.connect(account(name))
    await seated.session.reach(places.MatchPlace("m1"))
    await seated.settle()
    return match, seated


async def until_asked(server: FakeServer, match: StagedMatch, seat: Seat, seated: Seated) -> None:
    """Let windows go by until a seat has its action or has taken it; others take credits."""
    for _ in range(60):
        await seated.settle()
        await server.clock.advance(0.5)
        await seated.settle()
        owed = RULES.pending(match.state)[0]
        if owed.seat == seat and owed.prompt == "action":
            return
        texts = [action.text for action in expand(owed.choice)]
        if owed.seat != seat or owed.window is not None:
            match.play(owed.seat, next(text for text in (*texts, "") if text in ("pass", "credit", *texts[:1])))


async def test_an_action_is_typed_without_quotes_and_accents(server: FakeServer) -> None:
    turn = {**TURN, "turn": "runner", "step": "runner.1.5", "runner": {**TURN["runner"], "clicks": 4}}
    match, tarn = await seated_at(server, turn, "tarn")
    await tarn.type(":", *"play sure", "tab", "enter")
    await tarn.settle()
    assert title(match.state.heap[-1]) == "Sure Gamble"
    began = snapshot("netrunner", RULES.read_position(turn, {}), RUNNER)
    assert BOARD.spelled(began, "play deja") == ('play "Déjà Vu"',)


async def test_a_prepared_action_waits_for_ones_own_action_and_is_shown_to_nobody(server: FakeServer) -> None:
    match, tarn = await seated_at(server, {**TURN, "corp": {**TURN["corp"], "clicks": 3}}, "tarn")
    mira = await server.connect(account("mira"))
    await mira.session.reach(places.MatchPlace("m1"))
    await mira.settle()
    before = mira.text
    await tarn.type(":", *"play sure gamble", "enter")
    assert match_page(tarn).answering.prepared == 'play "Sure Gamble"'
    await mira.settle()
    assert mira.text == before
    await until_asked(server, match, RUNNER, tarn)
    for _ in range(4):
        await server.clock.advance(0.5)
        await tarn.settle()
    assert match_page(tarn).answering.prepared == ""
    assert match.state.credits[RUNNER] == 6 - 5 + 9


async def test_a_prepared_action_that_is_not_legal_any_more_is_dropped_and_said(server: FakeServer) -> None:
    match, tarn = await seated_at(server, TURN, "tarn")
    await tarn.type(":", *"play sure gamble", "enter")
    match.state = RULES.read_position(
        {**TURN, "turn": "runner", "step": "runner.1.5", "runner": {**TURN["runner"], "credits": 0, "clicks": 4}}, {}
    )
    match.seq += 1
    match_page(tarn).refresh()
    for _ in range(4):
        await tarn.settle()
        await server.clock.advance(0.5)
    assert match_page(tarn).answering.prepared == ""
    assert match.state.credits[RUNNER] == 0


async def test_a_typed_action_that_spends_the_turn_asks_first(server: FakeServer) -> None:
    match, mira = await seated_at(server, {**TURN, "corp": {**TURN["corp"], "clicks": 3}}, "mira")
    await mira.type(":", *"purge", "enter")
    await mira.settle()
    assert match.state.clicks[CORP] == 3


def test_what_can_be_prepared_is_found_from_what_one_knows_oneself() -> None:
    state, rng = RULES.setup({}, 2, bytes(32)).state, Rng(drawn_of("prepared"))
    for _ in range(300):
        owed = RULES.pending(state)
        if not owed:
            return
        for seat in (CORP, RUNNER):
            assert set(BOARD.ahead(snapshot("netrunner", state, seat))) > {"credit", "draw"}
        texts = list(expand(owed[0].choice))
        i, rng = rng.below(len(texts))
        state = RULES.apply(state, owed[0].seat, texts[i]).state


def test_while_the_other_side_acts_what_is_offered_is_what_could_be_done_in_a_turn() -> None:
    waiting = BOARD.ahead(snapshot("netrunner", RULES.read_position(TURN, {}), RUNNER))
    assert {"run hq", "run rd", 'play "Sure Gamble"', 'play "Déjà Vu"'} <= set(waiting)
