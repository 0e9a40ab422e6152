"""What a stranger stumbled over on screens: each test is named after what went wrong."""

from __future__ import annotations

from dataclasses import replace

import pytest

from game.contract import Seat
from server.boards import outcome
from server.screens.bots import BotPage
from server.screens.lobby import LobbyPage
from server.session.places import BotsPlace, Landing
from server.terminal.look import Look
from tests.boards.positions import person
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
    for n in range(5):
        server.matches.add(StagedMatch("rainet", (TARN, LIO), f"e{n}").end())
    await server.look()
    seated = await server.connect(account("mira"))
    await seated.settle()
    assert en("lobby.empty.tutorial") in seated.text


async def test_back_from_ones_own_match_enter_opened_a_strangers(server: FakeServer) -> None:
    for name in ("m2", "m3"):
        server.matches.add(StagedMatch("relati", (TARN, LIO), name))
    await server.look()
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


async def test_a_form_for_bots_forgot_the_players_when_another_game_was_looked_at(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.screens.bots.playable", lambda: ("rainet", "passage"))
    seated = await server.connect(account("mira"))
    await seated.settle()
    seated.session.go(BotsPlace("passage"))
    await seated.settle()
    form = seated.session.pages.top
    assert isinstance(form, BotPage)
    await seated.type("down", "right")
    chosen = form.players
    await seated.type("up", "right", "left")
    assert (form.game, form.players) == ("passage", chosen)
    assert chosen > 2
