"""RaiNet's cards placed as in the last match, on a screen and in lines."""

from __future__ import annotations

from game.contract import Seat
from server.screens.match import MatchPage
from tests.boards.positions import person
from tests.session.fakeserver import FakeServer, account
from tests.session.hearing import hear
from tests.session.stage import StagedMatch
from tests.texts import en


def begin(server: FakeServer, match_id: str, *names: str) -> StagedMatch:
    return server.matches.add(StagedMatch("rainet", tuple(map(person, names)), match_id))


async def test_cards_had_to_be_placed_one_by_one_in_each_match(server: FakeServer) -> None:
    server.add("mira")
    first = begin(server, "m1", "mira", "tarn")
    seated = await server.connect(account("mira"))
    assert not seated.says("keys.rainet.setup.again"), "there is no last time"
    await seated.type("g")
    [kept] = server.preferences("mira").placements
    game, _, cards = kept.partition("=")
    assert (game, sorted(cards)) == ("rainet", sorted("LLLLVVVV"))
    first.end()
    begin(server, "m2", "tarn", "mira")
    again = await server.connect(account("mira"))
    assert again.says("keys.rainet.setup.again")
    await again.type("a")
    page = again.session.pages.top
    assert isinstance(page, MatchPage)
    assert page.answering.selection.placed == cards[::-1], "from the other side of the board, left is left"


async def test_cards_are_placed_as_last_time_in_lines(server: FakeServer) -> None:
    server.add("mira")
    first = begin(server, "m1", "mira", "tarn")
    hearer = await hear(server, account("mira"))
    await hearer.line("setup LLLVLVVV")
    first.end()
    second = begin(server, "m2", "mira", "tarn")
    other = await hear(server, account("mira"))
    told = await other.line("moves 2")
    assert en("rainet.say.again", links=en("rainet.say.links", squares="a1, b1, c1, e2")) in told
    await other.line("as last time")
    assert (second.seq, second.snapshot(Seat(0)).view.setups[0]) == (1, "LLLVLVVV")


async def test_what_was_never_a_placement_is_not_offered(server: FakeServer) -> None:
    server.add("mira")
    begin(server, "m1", "mira", "tarn")
    seated = await server.connect(account("mira"))
    seated.session.person.keep_placement("rainet", "LLLLLLLL")
    other = await server.connect(account("mira"))
    assert not other.says("keys.rainet.setup.again")


async def test_who_comes_back_to_the_same_placing_is_still_offered_the_last_one(server: FakeServer) -> None:
    server.add("mira")
    begin(server, "m1", "mira", "tarn")
    seated = await server.connect(account("mira"))
    seated.session.person.keep_placement("rainet", "LLLLVVVV")
    await seated.settle()
    again = await server.connect(account("mira"))
    assert again.says("keys.rainet.setup.again")
