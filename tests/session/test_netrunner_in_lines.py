"""What a screen does for a Netrunner player by itself can be had by word, and a run says how far it is."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from game import registry
from game.contract import Action, Number, OneOf, Pending, Seat
from server.boards.board import MoveGroup, board
from server.i18n.catalogues import CHOICES
from server.matches.tried_line import TriedLine
from server.screens.toldmoves import ToldMoves
from server.session.places import TriedLinePlace
from server.terminal.look import Look
from tests.boards.positions import person, snapshot
from tests.screens.test_netrunner_errands import TOOLBOX, facing
from tests.session.fakeserver import FakeServer, account
from tests.session.hearing import Hearer, hear
from tests.session.stage import StagedMatch
from tests.texts import en

NETRUNNER, HEARD = board("netrunner"), Look().heard()
RUNNER = Seat(1)


async def at_run(server: FakeServer, state: object) -> tuple[StagedMatch, Hearer]:
    """Seat mira as the Runner in this position."""
    match = server.matches.add(StagedMatch("netrunner", (person("tarn"), person("mira"))))
    match.state = state
    mira = await hear(server, account("mira"))
    server.tell("m1")
    await mira.settle()
    return match, mira


async def asked(mira: Hearer, words: str = "moves") -> str:
    """Ask for the moves; return what is said, wherever its lines end."""
    return " ".join((await mira.line(words)).split())


async def test_breaking_all_had_no_word(server: FakeServer) -> None:
    match, mira = await at_run(server, facing("Wall of Thorns", ["Corroder"]))
    assert 'break-all rig:"Corroder": ' in await asked(mira, "moves notation")
    await mira.line("break-all")
    for _ in range(20):
        await mira.settle()
    assert match.state.credits[RUNNER] == 4
    await mira.hang_up()


async def test_breaking_all_had_no_word_in_a_tried_line(server: FakeServer) -> None:
    state = facing("Wall of Thorns", ["Corroder"])
    _, mira = await at_run(server, state)
    line = TriedLine(registry.get("netrunner"), state, snapshot("netrunner", state, RUNNER), RUNNER)
    mira.session.go(TriedLinePlace(line))
    await mira.settle()
    assert 'break-all rig:"Corroder": ' in await asked(mira, "moves notation")
    await mira.line("break-all")
    assert line.snapshot.view.scene.credits[RUNNER] == 4
    await mira.hang_up()


async def test_paying_by_hand_had_no_word(server: FakeServer) -> None:
    match, mira = await at_run(server, facing("Wall of Static", ["Corroder", TOOLBOX]))
    assert f"pay-by-hand: {en('netrunner.say.by-hand')}" in await asked(mira, "moves notation")
    await mira.line("pay-by-hand")
    assert en("netrunner.say.by-hand.no") in await asked(mira)
    seq = match.seq
    await mira.line('use rig:"Corroder" 1')
    assert match.state.credits[RUNNER] == 9
    assert match.seq == seq + 1
    await mira.hang_up()


async def test_going_on_to_the_access_had_no_word(server: FakeServer) -> None:
    _, mira = await at_run(server, facing("Wall of Static", ["Corroder"]))
    assert f"to-access: {en('netrunner.row.to-access')}" in await asked(mira, "moves notation")
    await mira.line("to-access")
    assert en("netrunner.row.to-access.no") in await asked(mira)
    await mira.hang_up()


@pytest.mark.parametrize("language", CHOICES)
def test_every_order_is_said_and_taken(language: str) -> None:
    look = Look(language=language).heard()
    shot = snapshot("netrunner", facing("Wall of Thorns", ["Corroder", TOOLBOX]), RUNNER)
    chosen = NETRUNNER.start(shot, b"")
    orders = NETRUNNER.orders(shot, chosen, look)
    assert [text.partition(" ")[0] for text, _ in orders] == ["break-all", "to-access", "pay-by-hand"]
    assert all(words for _, words in orders)
    assert all(NETRUNNER.ordered(shot, chosen, text) not in (None, chosen) for text, _ in orders)
    assert NETRUNNER.ordered(shot, chosen, "pass") is None


def test_cards_that_are_accessed_were_counted_as_credits() -> None:
    """'How many more cards do you access? spend 1: 1 credit'."""
    ask = Pending(RUNNER, "more-access", Number("spend", 0, 2), params=(("high", 2),))
    shot = replace(snapshot("netrunner", facing("Enigma", []), RUNNER), pending=ask)
    [group] = NETRUNNER.spoken_moves(shot, HEARD)
    assert [words for _, words in group.moves] == ["0", "1", "2"]


@pytest.mark.parametrize("language", CHOICES)
def test_nothing_said_how_far_a_run_is_where_one_may_jack_out(language: str) -> None:
    look = Look(language=language).heard()
    ask = Pending(RUNNER, "jack-out", OneOf((Action("continue"), Action("jack-out"))))
    state = facing("Enigma", [])
    assert state.run is not None
    shot = snapshot("netrunner", replace(state, run=replace(state.run, step="run.5.2", ice=0)), RUNNER)
    said = NETRUNNER.spoken_question(replace(shot, pending=ask), look)
    assert said == look.t("netrunner.say.run.server", server=look.t("netrunner.server.hq"))


def test_installs_that_trash_something_are_only_counted() -> None:
    """Two programs in the rig made eight more installs, told at every `moves`."""
    group = MoveGroup("Rare", (("a", "b"), ("c", "d")), is_rare=True)
    shot = snapshot("netrunner", facing("Enigma", []), RUNNER)
    told = ToldMoves()
    said = told.tell(shot, (MoveGroup("", (("credit", "Take 1 credit"),)), group), HEARD, "")
    assert said == ["1: Take 1 credit", "moves 2: Rare, 2 actions"]
    assert told.tell(shot, (group,), HEARD, "1") == ("Rare.", "1: b; 2: d")
    assert told.meant(shot, "2") == "c"
    assert told.tell(shot, (group,), HEARD, "1 notation") == ("Rare.", "a: b; c: d")
    assert told.meant(shot, "2") is None


async def test_one_had_to_type_what_programs_write(server: FakeServer) -> None:
    """`moves` said each thing twice: 'break-all rig:"Corroder": Break all …', and only the first could be typed."""
    _, mira = await at_run(server, facing("Wall of Thorns", ["Corroder"]))
    said = await asked(mira)
    assert 'rig:"' not in said
    assert 'break-all rig:"Corroder": ' in await asked(mira, "moves notation")
    number = re.search(rf"(\d+): {re.escape(en('netrunner.row.to-access'))}", await asked(mira))
    assert number is not None
    await mira.line(number[1])
    assert en("netrunner.row.to-access.no") in await asked(mira)
    assert en("lines.no-such-move") in await mira.line("99")
    await mira.hang_up()
