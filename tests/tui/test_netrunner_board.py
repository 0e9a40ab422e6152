"""Netrunner's board: a pure function from what a viewer may know to lines, and from keys to actions."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from game import registry
from game.choices import contains, draw
from game.contract import Action, Event, OneOf, Seat, Viewer, Watcher
from game.netrunner import messages
from game.netrunner.decks import SIDES_OF
from game.netrunner.state import State
from game.rng import Rng
from server.matches.model import SeenEvent, Snapshot
from server.tui.boards import board
from server.tui.boards.netrunner.cardtext import ability_words
from server.tui.boards.netrunner.columns import shortened
from server.tui.boards.netrunner.pick import AUTO, LIST, LOOK, NOWHERE, NUMBER, SEVERAL, Pick, goes_by
from server.tui.boards.netrunner.rows import rows_of
from server.tui.i18n import words
from server.tui.lines import text_of, width_cols
from server.tui.look import Look
from server.tui.screens import side
from server.tui.screens.doors import go_to_match
from server.tui.screens.side import MatchSide, arranged
from tests.tui import golden
from tests.tui.house import FakeMatch, House, account, summary
from tests.tui.positions import NOON, person, snapshot

RULES = registry.get("netrunner")
BOARD = board("netrunner")
CORP, RUNNER = Seat(0), Seat(1)
LOOKS = {"unicode": Look(), "ascii": Look(glyph_set="ascii"), "zh": Look(language="zh_CN")}
SIZES = [(80, 19), (120, 35)]
ARMITAGE = "01053"
MIDDLE: dict[str, Any] = {
    "corp": {
        "identity": "Jinteki: Personal Evolution",
        "credits": 7,
        "hq": ["Snare!", "Hedge Fund", "Neural EMP", "Nisei MK II"],
        "rd": ["Hedge Fund"] * 20,
        "archives": [{"card": "Hedge Fund"}, {"card": "Snare!", "faceup": False}],
        "score": ["Nisei MK II"],
        "bad_publicity": 1,
        "servers": {
            "hq": {"ice": [{"card": "Enigma", "rezzed": True}, "Neural Katana"], "root": ["Akitaro Watanabe"]},
            "rd": {"ice": ["Wall of Thorns"]},
            "remote1": {
                "ice": [{"card": "Wall of Static", "rezzed": True}, "Chum"],
                "root": [{"card": "Project Junebug", "advancement": 2}],
            },
            "remote2": {"root": [{"card": "PAD Campaign", "rezzed": True}]},
        },
    },
    "runner": {
        "identity": 'Kate "Mac" McCaffrey: Digital Tinker',
        "credits": 9,
        "grip": ["Sure Gamble", "Diesel", "Tinkering", "The Maker's Eye"],
        "stack": ["Diesel"] * 19,
        "heap": ["Sure Gamble", "Modded"],
        "rig": [
            "Battering Ram",
            "Gordian Blade",
            "Akamatsu Mem Chip",
            "Aesop's Pawnshop",
            {"card": "Armitage Codebusting", "counters": {"credit": 6}},
        ],
        "score": ["Priority Requisition"],
        "tags": 1,
        "brain": 1,
    },
    "turn": "runner",
    "step": "runner.1.5",
}


def at(**changes: Any) -> State:
    state: State = RULES.read_position({**MIDDLE, **changes}, {})
    return state


def seen(state: State, viewer: Viewer = RUNNER, **changes: Any) -> Snapshot:
    settings = () if isinstance(viewer, Watcher) else RULES.settings(state, viewer)
    return snapshot("netrunner", state, viewer, settings=settings, **changes)


def play(state: State, *moves: str) -> State:
    """Play 'SEAT:ACTION' one after the other."""
    for move in moves:
        seat, _, text = move.partition(":")
        state = RULES.apply(state, Seat(int(seat)), Action(text)).state
    return state


def passed(state: State, step: str, seat: Seat) -> State:
    """Let windows go by until a seat is asked at a step."""
    while True:
        owed = RULES.pending(state)[0]
        now = state.run.step if state.run is not None else state.step
        if (now, owed.seat) == (step, seat):
            return state
        assert isinstance(owed.choice, OneOf)
        texts = [action.text for action in owed.choice.actions]
        state = play(state, f"{owed.seat}:{'pass' if 'pass' in texts else 'continue'}")


def typed(shot: Snapshot, keys: str, pick: Pick | None = None) -> Pick | Action:
    """Press keys one after the other, as the page would; returns the pick, or the action they complete."""
    now = BOARD.start(shot, b"") if pick is None else pick
    for key in keys.split():
        answer = BOARD.press(shot, now, {"space": " "}.get(key, key))
        if isinstance(answer, Action):
            return answer
        if answer is not None:
            now = answer
    return now


def picked(shot: Snapshot, keys: str) -> Pick:
    pick = typed(shot, keys)
    assert isinstance(pick, Pick)
    return pick


def screen(shot: Snapshot, pick: Pick, look: Look, cols: int, rows: int) -> str:
    room = BOARD.room(shot, cols, rows)
    drawn = BOARD.render(shot, pick, look, room.cols, room.rows)
    beside = MatchSide(BOARD, shot, [], look)
    lines = arranged(drawn, room, lambda c, r: side.draw(beside, NOON, c, r), cols, rows)
    return "\n".join(text_of(line) for line in [*lines, BOARD.status(shot, pick, look)])


def at_wall() -> State:
    """Return a Runner who has met Wall of Static, behind an ice that was not rezzed."""
    return passed(play(at(), "1:run remote1"), "run.3.1", RUNNER)


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize(("cols", "rows"), SIZES)
def test_the_board_looks_as_it_did(look: str, cols: int, rows: int) -> None:
    shot = seen(at())
    golden.check(f"netrunner-{look}-{cols}", screen(shot, picked(shot, "down down down down"), LOOKS[look], cols, rows))


@pytest.mark.parametrize(
    ("name", "viewer", "keys"),
    [
        ("servers", RUNNER, "3"),
        ("cards", RUNNER, "v down"),
        ("settings", RUNNER, "a"),
        ("corp-waits", CORP, ""),
        ("public", Watcher.PUBLIC, ""),
        ("open", Watcher.OMNISCIENT, ""),
    ],
)
def test_each_view_looks_as_it_did(name: str, viewer: Viewer, keys: str) -> None:
    shot = seen(at(), viewer)
    golden.check(f"netrunner-{name}", screen(shot, picked(shot, keys), Look(), 80, 19))


@pytest.mark.parametrize(("cols", "rows"), SIZES)
def test_a_run_looks_as_it_did(cols: int, rows: int) -> None:
    golden.check(f"netrunner-run-{cols}", screen(seen(at_wall()), Pick(), Look(), cols, rows))
    rez = passed(play(at(), "1:run remote1"), "run.2.3", CORP)
    golden.check(f"netrunner-rez-{cols}", screen(seen(rez, CORP), Pick(), Look(), cols, rows))
    access = play(passed(play(at(), "1:run rd"), "run.5.5", RUNNER), "1:access next")
    golden.check(f"netrunner-access-{cols}", screen(seen(access), Pick(), Look(), cols, rows))


def test_an_empty_table_looks_as_it_did() -> None:
    shot = seen(RULES.setup({}, 2, bytes(32)).state, CORP)
    golden.check("netrunner-empty", screen(shot, Pick(), Look(), 80, 19))


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("cols", [20, 40, 60, 80, 200])
@pytest.mark.parametrize("height", [6, 10, 15, 35])
def test_every_line_is_exactly_as_wide_as_the_board(look: str, cols: int, height: int) -> None:
    for viewer in (CORP, RUNNER, Watcher.PUBLIC):
        for state in (at(), at_wall()):
            shot = seen(state, viewer)
            for keys in ("", "v", "a"):
                lines = BOARD.render(shot, picked(shot, keys), LOOKS[look], cols, height)
                assert [width_cols(line) for line in lines] == [cols] * height


def test_ice_face_down_has_a_mark_and_no_name_for_the_runner() -> None:
    mine = screen(seen(at(), CORP), Pick(), Look(), 80, 19)
    theirs = screen(seen(at(), RUNNER), Pick(), Look(), 80, 19)
    assert "▒Chum" in mine
    assert "Chum" not in theirs
    assert "≡Enigma 2" in mine
    assert "≡Enigma 2" in theirs


def test_the_step_and_who_has_priority_are_always_said() -> None:
    state = at_wall()
    assert "3.1 Encounter: break" in screen(seen(state), Pick(), Look(), 80, 19)
    assert "▶ you (Runner) to act" in screen(seen(state), Pick(), Look(), 80, 19)
    assert "▶ tarn (Runner) to act" in screen(seen(state, CORP), Pick(), Look(), 80, 19)


def test_a_digit_takes_a_row_at_once() -> None:
    shot = seen(at())
    assert typed(shot, "1") == Action("credit")
    assert typed(shot, "2") == Action("draw")


def test_run_asks_for_the_server() -> None:
    shot = seen(at())
    pick = picked(shot, "3")
    assert (pick.mode, BOARD.is_resting(pick)) == (LIST, False)
    assert typed(shot, "2", pick) == Action("run rd")
    assert typed(shot, "down down enter", pick) == Action("run rd")
    assert typed(shot, "esc", pick) == BOARD.start(shot, b"")


def test_an_install_asks_where_and_what_is_trashed_for_it() -> None:
    corp = {**MIDDLE["corp"], "hq": ["PAD Campaign"], "clicks": 3}
    shot = seen(at(corp=corp, turn="corp", step="corp.2.3"), CORP)
    rows = [row.part for row in rows_of(shot.pending.choice)] if shot.pending is not None else []
    pick = picked(shot, str(rows.index('install "PAD Campaign"') + 1))
    assert pick.mode == LIST
    places = [row.part for row in rows_of(shot.pending.choice, pick.path)] if shot.pending is not None else []
    assert {*places} == {"remote1 trash", "remote2 trash", "new"}
    digit = str(places.index("remote1 trash") + 1)
    assert typed(shot, digit, pick) == Action('install "PAD Campaign" remote1 trash root:remote1:0')


def test_space_lets_things_go_on_but_never_declines() -> None:
    state = at_wall()
    assert typed(seen(state), "space") == Action("pass")
    assert typed(seen(at()), "space") == BOARD.start(seen(at()), b"")
    assert typed(seen(play(at(), '1:play "Tinkering"')), "space") != Action("no")


def test_subroutines_are_broken_by_digit() -> None:
    state = play(at_wall(), '1:use rig:"Battering Ram" 0', "1:pay pool 2")
    shot = seen(state)
    pick = BOARD.start(shot, b"")
    assert pick.mode == SEVERAL
    assert typed(shot, "1") == Action("break 0")
    assert typed(shot, "enter") == pick


def test_a_number_is_typed_or_changed() -> None:
    corp = {**MIDDLE["corp"], "hq": ["SEA Source"], "clicks": 3}
    position = at(corp=corp, turn="corp", step="corp.2.3", last_turn=["success:hq", "made_run"])
    shot = seen(play(position, '0:play "SEA Source"'), CORP)
    pick = picked(shot, "4")
    assert (pick.mode, pick.number) == (NUMBER, 4)
    assert typed(shot, "up enter", pick) == Action("spend 5")
    assert typed(shot, "left left left enter", pick) == Action("spend 1")


def test_cards_are_looked_at_without_losing_the_decision() -> None:
    shot = seen(at())
    pick = picked(shot, "down down down down v")
    assert pick.mode == LOOK
    assert "Gain 9 credits." in screen(shot, pick, Look(), 80, 19)  # Sure Gamble, which the row was about
    assert typed(shot, "esc enter", pick) == Action('play "Sure Gamble"')


def test_who_looks_on_may_look_at_open_cards_only() -> None:
    shot = seen(at(), Watcher.PUBLIC)
    pick = picked(shot, "v")
    for _ in range(40):
        text = screen(shot, pick, Look(), 80, 19)
        assert not any(name in text for name in ("Chum", "Snare!", "Diesel"))
        pick = picked_from(shot, pick, "down")
    assert BOARD.press(shot, Pick(), "enter") is None
    assert BOARD.press(shot, Pick(), "1") is None


def picked_from(shot: Snapshot, pick: Pick, key: str) -> Pick:
    answer = BOARD.press(shot, pick, key)
    assert isinstance(answer, Pick)
    return answer


def test_a_setting_is_changed_where_the_match_stands() -> None:
    state = at()
    shot = seen(state)
    pick = picked(shot, "a")
    assert pick.mode == AUTO
    assert typed(shot, "enter", pick) == Action("auto runner.1.5 never")
    later = seen(RULES.apply(state, RUNNER, Action("auto runner.1.5 never")).state)
    assert BOARD.follow(later, pick).mode == AUTO
    assert typed(later, "left", pick) == Action("auto runner.1.5 could")


def test_a_new_decision_has_nothing_selected() -> None:
    shot = seen(at())
    later = seen(play(at(), "1:credit"), turn_seq=25)
    assert BOARD.follow(later, picked(shot, "down down")).cursor == NOWHERE


def test_clicking_selects_and_then_does() -> None:
    shot = seen(at())
    room = BOARD.room(shot, 80, 19)
    lines = [text_of(line) for line in BOARD.render(shot, Pick(), Look(), room.cols, room.rows)]
    row = next(i for i, line in enumerate(lines) if "Draw a card" in line)
    once = BOARD.click(shot, Pick(), Look(), 5, row, room.cols, room.rows)
    assert isinstance(once, Pick)
    assert BOARD.click(shot, once, Look(), 5, row, room.cols, room.rows) == Action("draw")


def test_numbers_behind_a_name_are_never_cut() -> None:
    assert shortened("Wall of Static 3 +2", 14) == "Wall of … 3 +2"


def random_play(corp: str, runner: str, seed: int, most: int) -> Iterator[tuple[State, tuple[Event, ...]]]:
    """Yield the states of a match in which both sides do whatever they may."""
    rng, luck = Rng(bytes([seed]) * 32), random.Random(seed)
    step = RULES.setup({}, 2, bytes([seed]) * 32, ({"deck": corp}, {"deck": runner}))
    for _ in range(most):
        state: State = step.state
        yield state, step.events
        if not (owed := RULES.pending(state)):
            return
        choice = owed[0].choice
        action, rng = draw(choice, rng)
        if isinstance(choice, OneOf) and len(choice.actions) > 1 and luck.random() < 0.5:
            action = luck.choice([one for one in choice.actions if one.text != "pass"])
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
                answer = typed(shot, "space" if goes_by(shot) else "down enter " * 6)
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
            yield BOARD.say(SeenEvent(1, event.kind, dict(told)), seen(state, viewer), Look())


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_every_key_of_the_game_has_its_words(language: str) -> None:
    known = words(language)
    variants = {"action": ".advance", "changed": ".strength", "traced": ".yes", "run-over": ".yes", "won": ".agendas"}
    silent = ("auto", "paid", "passed-ice")
    events = [key.removeprefix("netrunner.event.") for key in messages.EVENTS]
    wanted = [*messages.PROMPTS, *messages.REASONS, *messages.ERRORS]
    wanted += [f"netrunner.event.{key}{variants.get(key, '')}" for key in events if key not in silent]
    wanted += [f"netrunner.option.{option.name}" for option in RULES.options()]
    assert [key for key in wanted if not known.has(key)] == []


def test_who_looks_on_at_open_hands_sees_them_a_turn_late() -> None:
    then = {"hq": ["Snare!", "Snare!"], "grip": ["Modded"], "unrezzed": []}
    state = at(hands=[then, {"hq": [], "grip": [], "unrezzed": []}])
    hidden = next(card for card in state.cards if card.place == "ice:hq" and not card.rezzed)
    state = replace(state, hands=(replace(state.hands[0], unrezzed=((hidden.iid, hidden.code),)), state.hands[1]))
    watched = screen(seen(state, Watcher.PUBLIC), Pick(), Look(), 80, 19)
    assert "HQ, a turn ago Snare! ×2" in " ".join(watched.split())
    assert "▒Neural Kat" in watched
    assert "turn ago" not in screen(seen(state, RUNNER), Pick(), Look(), 80, 19)


def test_a_card_seen_in_the_other_hand_stays_in_sight() -> None:
    open_door = at(corp={**MIDDLE["corp"], "servers": {}})
    state = play(passed(play(open_door, "1:run hq"), "run.5.5", RUNNER), "1:access next")
    text = screen(seen(state), Pick(), Look(), 80, 19)
    assert "+3▒" in text


async def test_a_watcher_looks_at_cards_while_others_share_the_picture(house: House) -> None:
    players = (person("mira"), person("tarn"))
    match = house.matches.add(FakeMatch("netrunner", players, "m1"))
    house.lobby.show(matches=(summary(match),))
    zoe = await house.connect(account("zoe"))
    await zoe.type("w")
    assert "v Cards" in zoe.text
    await zoe.type("v")
    assert "Identities" in zoe.text
    await zoe.type("esc")
    assert "to act" in zoe.text


KEYS = ["up", "down", "left", "right", "enter", "space", "esc", "v", "a", "g", "z", "page down", *"1234567890", *"hjkl"]


@pytest.mark.parametrize("seed", [1, 2, *(pytest.param(n, marks=pytest.mark.soak) for n in range(3, 20))])
async def test_no_key_breaks_a_match(house: House, seed: int) -> None:
    """Random keys on one side, random answers on the other: the session lives, every line has its words."""
    luck = random.Random(seed)
    mira, tarn = person("mira"), person("tarn")
    seat = seed % 2
    match = house.matches.add(FakeMatch("netrunner", (mira, tarn) if seat == 0 else (tarn, mira), "m1"))
    me = await house.connect(account("mira"), *luck.choice([(80, 24), (120, 40), (60, 20)]))
    await me.session.services.matches.open("m1")
    for _ in range(250):
        if not any(type(page).__name__ == "MatchPage" for page in me.session.pages):
            await go_to_match(me.session, "m1")
        owed = RULES.pending(match.state)
        if owed and owed[0].seat != seat:
            action, _ = draw(owed[0].choice, Rng(luck.randbytes(32)))
            match.play(owed[0].seat, action.text)
            await me.settle()
        house.clock.pass_time(1)
        await me.type(luck.choice(KEYS))
        assert not me.task.done(), seed
        assert "netrunner." not in me.text, (seed, me.text)


async def test_cards_are_looked_at_while_windows_open_and_close(house: House) -> None:
    """The guard of windows swallowed every second key of somebody who read cards in the other one's turn."""
    match = house.matches.add(FakeMatch("netrunner", (person("mira"), person("tarn")), "m1"))
    match.state = passed(play(at(), "1:credit"), "runner.1.5", CORP)
    mira = await house.connect(account("mira"))
    await go_to_match(mira.session, "m1")
    await mira.type("v")
    assert "What you know of the cards" in mira.text
    await mira.type("down", "esc")
    assert "to act" in mira.text


def test_a_row_that_is_cut_is_said_in_full_when_chosen() -> None:
    shot = seen(at())
    pick = picked(shot, "up")
    status = text_of(BOARD.status(shot, pick, Look()))
    assert status.startswith(" Armitage Codebusting: 1 click: ")
    assert status.endswith(ability_words(ARMITAGE, 0, Look()))
    assert text_of(BOARD.status(shot, picked(shot, "down"), Look())) == " Your action. Clicks left: 4."
