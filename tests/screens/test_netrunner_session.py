"""Netrunner played in sessions, and at random: no key breaks a match, everything can be drawn and said."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from game.choices import contains, draw
from game.contract import Action, Event, Json, OneOf, Seat, Watcher
from game.netrunner import messages
from game.netrunner.decks import SIDES_OF
from game.netrunner.state import State
from game.rng import Rng
from server.boards.games.netrunner.selection import SEVERAL, goes_by
from server.i18n.catalogues import catalogue
from server.matches.model import SeenEvent
from server.screens.answering import UNASKED_S
from server.screens.match import MatchPage
from server.session import places
from server.terminal.look import Look
from tests.boards.netrunner_table import BOARD, CORP, LOOKS, RULES, RUNNER, at, passed, play, screen, seen, typed
from tests.boards.positions import person
from tests.session.fakeserver import FakeServer, Seated, account
from tests.session.stage import StagedMatch


def random_play(corp: str, runner: str, seed: int, most: int) -> Iterator[tuple[State, tuple[Event, ...]]]:
    """Yield the states of a match in which both sides do whatever they may."""
    rng, dice = Rng(bytes([seed]) * 32), random.Random(seed)
    step = RULES.setup({}, 2, bytes([seed]) * 32, ({"deck": corp}, {"deck": runner}))
    for _ in range(most):
        state: State = step.state
        yield state, step.events
        if not (owed := RULES.pending(state)):
            return
        choice = owed[0].choice
        action, rng = draw(choice, rng)
        if isinstance(choice, OneOf) and len(choice.actions) > 1 and dice.random() < 0.5:
            action = dice.choice([one for one in choice.actions if one.text != "pass"])
        step = RULES.apply(state, owed[0].seat, action)


@pytest.mark.parametrize("corp", SIDES_OF[0])
def test_whatever_happens_can_be_drawn_said_and_answered(corp: str) -> None:
    """Random play: every decision is completed by keys, everything on screen has its words."""
    for number, runner in enumerate(SIDES_OF[1]):
        for state, events in random_play(corp, runner, number, 120):
            for owed in RULES.pending(state):
                shot = seen(state, owed.seat)
                texts = [screen(shot, BOARD.start(shot, b""), look, 80, 19) for look in (Look(), LOOKS["zh"])]
                assert not [text for text in texts if "netrunner." in text]
                answer = typed(shot, "space" if goes_by(shot, BOARD.start(shot, b"")) else "down enter " * 6)
                if isinstance(answer, Action):
                    assert contains(owed.choice, answer)
                else:
                    assert answer.mode == SEVERAL
            said = [line for event in events for line in sentences(event, state)]
            assert not [text for text in said if "netrunner." in text or "?" in text]


def sentences(event: Event, state: State) -> Iterator[str]:
    for viewer in (CORP, RUNNER, Watcher.PUBLIC):
        told = event.seen_by(viewer)
        if told is not None:
            yield BOARD.say(seen(state, viewer), Look(), SeenEvent(1, event.kind, dict(told)))


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_every_key_of_the_game_has_its_words(language: str) -> None:
    known = catalogue(language)
    variants = {"changed": ".strength", "traced": ".yes", "run-over": ".yes", "won": ".agendas"}
    silent = ("action", "auto", "paid", "passed-ice")  # what they bring about is told
    events = [key.removeprefix("netrunner.event.") for key in messages.EVENTS]
    wanted = [*messages.PROMPTS, *messages.REASONS, *messages.ERRORS]
    wanted += [f"netrunner.event.{key}{variants.get(key, '')}" for key in events if key not in silent]
    wanted += [f"netrunner.option.{option.name}" for option in RULES.options()]
    assert [key for key in wanted if not known.has(key)] == []


async def test_a_watcher_looks_at_cards_while_others_share_the_frame(server: FakeServer) -> None:
    players = (person("mira"), person("tarn"))
    server.matches.add(StagedMatch("netrunner", players, "m1"))
    zoe = await server.connect(account("zoe"))
    await zoe.type("w")
    assert "v Cards" in zoe.text
    await zoe.type("v")
    assert "Identities" in zoe.text
    await zoe.type("esc")
    assert "to act" in zoe.text


KEYS = ["up", "down", "left", "right", "enter", "space", "esc", "v", "a", "g", "z", "page down", *"1234567890", *"hjkl"]


@pytest.mark.parametrize("seed", [1, 2, *(pytest.param(n, marks=pytest.mark.soak) for n in range(3, 20))])
async def test_no_key_breaks_a_match(server: FakeServer, seed: int) -> None:
    """Random keys on one side, random answers on the other: the session lives, every line has its words."""
    dice = random.Random(seed)
    mira, tarn = person("mira"), person("tarn")
    seat = seed % 2
    match = server.matches.add(StagedMatch("netrunner", (mira, tarn) if seat == 0 else (tarn, mira), "m1"))
    me = await server.connect(account("mira"), *dice.choice([(80, 24), (120, 40), (60, 20)]))
    for _ in range(250):
        if not any(type(page).__name__ == "MatchPage" for page in me.session.pages):
            await me.session.reach(places.MatchPlace("m1"))
        owed = RULES.pending(match.state)
        if owed and owed[0].seat != seat:
            action, _ = draw(owed[0].choice, Rng(dice.randbytes(32)))
            match.play(owed[0].seat, action.text)
            await me.settle()
        server.clock.pass_time(1)
        await me.type(dice.choice(KEYS))
        assert not me.task.done(), seed
        assert "netrunner." not in me.text, (seed, me.text)


async def test_cards_are_looked_at_while_windows_open_and_close(server: FakeServer) -> None:
    """The guard of windows swallowed every second key of somebody who read cards in the other one's turn."""
    match = server.matches.add(StagedMatch("netrunner", (person("mira"), person("tarn")), "m1"))
    match.state = passed(play(at(), "1:credit"), "runner.1.5", CORP)
    mira = await server.connect(account("mira"))
    await mira.session.reach(places.MatchPlace("m1"))
    await mira.type("v")
    assert mira.says("netrunner.do.look")
    await mira.type("down", "esc")
    assert Look().t("netrunner.step.runner.1.5") in mira.text


def does_unasked(page: MatchPage) -> bool:
    return page.seen.board.unasked(page.snapshot, page.answering.selection) is not None


async def wait_for(server: FakeServer, seated: Seated, match: StagedMatch, seat: Seat) -> None:
    """Let go by what goes by itself, for both sides, until this seat is to decide, or the match rests."""
    for _ in range(80):
        await seated.settle()
        owed = match.rules.pending(match.state)
        said = match.rules.automatic(match.state, owed[0].seat) if owed else None
        found = seated.session.pages.top
        assert isinstance(found, MatchPage)
        if said is None and owed and owed[0].seat != seat:  # the other side rezzes what it can, and passes
            rez = Action("rez ice:hq:0")
            said = rez if contains(owed[0].choice, rez) else Action("pass")
        if said is not None:
            match.play(owed[0].seat, said.text)
        elif owed and owed[0].seat == seat and not does_unasked(found):
            return
        else:
            server.clock.pass_time(UNASKED_S)
    raise AssertionError("nothing is asked")


@pytest.mark.parametrize("rezzed", [True, False])
async def test_a_run_through_one_piece_of_ice_takes_at_most_four_keys_to_the_access(
    server: FakeServer, rezzed: bool
) -> None:
    """Each of the windows between them was a key; `run HQ`, two keys of a list, counts as one."""
    match = server.matches.add(StagedMatch("netrunner", (person("mira"), person("tarn")), "m1"))
    ice: Json = {"card": "Ice Wall", "rezzed": rezzed}
    corp: Json = {"hq": ["Priority Requisition"], "credits": 5, "servers": {"hq": {"ice": [ice]}}}
    runner: Json = {"rig": ["Corroder"], "credits": 5}
    match.state = RULES.read_position({"turn": "runner", "step": "runner.1.5", "corp": corp, "runner": runner}, {})
    tarn = await server.connect(account("tarn"))
    await tarn.session.reach(places.MatchPlace("m1"))
    await tarn.settle()
    keys = 1
    await tarn.type("3", "1")
    await wait_for(server, tarn, match, RUNNER)
    while "accessed" not in [event.kind for _, event in match.seen]:
        assert keys < 4, tarn.text
        keys += 1
        await tarn.type("1" if "break all" in tarn.text else " ")
        await wait_for(server, tarn, match, RUNNER)
    assert [event.public for _, event in match.seen if event.kind == "broke"], "not let through"


@pytest.mark.parametrize("cols", [60, 80])
async def test_why_a_card_can_not_be_used_was_cut_where_the_reason_stands(server: FakeServer, cols: int) -> None:
    """The reason is what one presses the digit for."""
    match = server.matches.add(StagedMatch("netrunner", (person("tarn"), person("mira")), "m1"))
    runner: Json = {
        "grip": ["Akamatsu Mem Chip"],
        "credits": 0,
        "identity": "Gabriel Santiago: Consummate Professional",
    }
    match.state = RULES.read_position({"turn": "runner", "runner": runner}, {})
    mira = await server.connect(account("mira"), cols, 24)
    await mira.session.reach(places.MatchPlace("m1"))
    await mira.type("4")
    why = Look().t("netrunner.barred.credits", cost="1¢", have="0¢")
    assert f"{why}." in " ".join(mira.text.split())
