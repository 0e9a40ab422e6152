"""Challenging and writing to people from the pages that show them, whether they are here or not."""

from __future__ import annotations

from server.matches.speeds import DAILY
from server.screens.challenging import ChallengePage
from tests.boards.positions import person
from tests.session.fakeserver import FakeServer, Seated, account


async def followed(server: FakeServer, name: str = "tarn") -> Seated:
    """Look at the people as mira, who follows somebody who is away; the cursor is on them."""
    server.add(name)
    await server.following.follow(server.add("mira"), name)
    seated = await server.connect(account("mira"))
    await seated.type("o", "end")
    return seated


async def test_a_friend_who_was_away_could_not_be_challenged(server: FakeServer) -> None:
    """The key did nothing and said nothing."""
    seated = await followed(server)
    await seated.type("c")
    assert isinstance(seated.session.pages.top, ChallengePage)
    assert seated.says("challenge.away", name="tarn")
    await seated.type("enter")
    assert seated.says("challenge.left", name="tarn")
    [standing] = await server.lobby.challenges.standing(person("mira"))
    assert (standing.to, standing.agreement.speed, standing.agreement.players) == ("tarn", DAILY, 2)


async def test_a_profile_did_not_let_one_challenge_whose_it_is(server: FakeServer) -> None:
    seated = await followed(server)
    await seated.type("enter", "c")
    assert isinstance(seated.session.pages.top, ChallengePage)


async def test_a_challenge_that_can_not_be_made_says_why(server: FakeServer) -> None:
    seated = await followed(server)
    await seated.type("home", "c")
    assert seated.says("challenge.self")
    await seated.type("end", "x", "c")
    assert seated.says("people.you-blocked", handle="tarn")
