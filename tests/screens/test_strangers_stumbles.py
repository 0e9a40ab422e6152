"""What a stranger stumbled over on screens: each test is named after what went wrong."""

from __future__ import annotations

from dataclasses import replace

from game.contract import Seat
from server.boards import outcome
from server.screens.lobby import LobbyPage
from server.session.places import Landing
from server.terminal.look import Look
from tests.agreements import agreed
from tests.boards.positions import NOON, person
from tests.session.fakeplay import summary
from tests.session.fakeserver import FakeServer, account
from tests.session.stage import StagedMatch
from tests.texts import en

MIRA, TARN, LIO = person("mira"), person("tarn"), person("lio")


async def test_an_onlooker_through_the_losers_eyes_was_told_that_they_had_lost(server: FakeServer) -> None:
    match = StagedMatch("relati", (MIRA, TARN), "m1")
    await match.resign(Seat(0))
    shot = match.snapshot(Seat(0))
    assert outcome.sentence(shot, Look()).startswith("You lost")
    borrowed = replace(shot, is_borrowed=True)
    assert not outcome.sentence(borrowed, Look()).startswith("You")
    assert outcome.tone(borrowed) == "accent"


async def test_keys_of_help_that_a_match_does_not_have_silently_did_nothing(server: FakeServer) -> None:
    server.matches.add(StagedMatch("relati", (MIRA, TARN), "m1"))
    seated = await server.connect(account("mira"), landing=Landing("watch", "m1"))
    await seated.type("C")
    assert seated.says("match.error.conditions-daily")
    await seated.type("L")
    assert seated.says("match.no-line")


async def test_the_tutorial_was_nowhere_once_five_matches_had_ended(server: FakeServer) -> None:
    ended = [agreed(summary(StagedMatch("relati", (TARN, LIO), f"e{n}")), speed="normal") for n in range(5)]
    server.lobby.show(ended=tuple(replace(one, status="finished", ended_at=NOON) for one in ended))
    seated = await server.connect(account("mira"))
    await seated.settle()
    assert en("lobby.empty.tutorial") in seated.text


async def test_back_from_ones_own_match_enter_opened_a_strangers(server: FakeServer) -> None:
    server.matches.add(StagedMatch("relati", (TARN, LIO), "m2"))
    seated = await server.connect(account("mira"))
    await seated.settle()
    lobby = seated.session.pages.top
    assert isinstance(lobby, LobbyPage)
    await seated.type("down")
    server.matches.add(StagedMatch("relati", (MIRA, TARN), "m1"))
    await seated.type("b", "esc")
    await seated.settle()
    chosen = lobby.chosen()
    assert chosen is not None
    assert (chosen.kind, chosen.target) == ("mine", "m1")
