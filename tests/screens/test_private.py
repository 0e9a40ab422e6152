"""Private matches on screens: sharing one at its end, and what a page of theirs does not do."""

from __future__ import annotations

from dataclasses import replace

from game.contract import Seat
from server.session import places
from tests.boards.positions import person
from tests.session.evening import in_lobby
from tests.session.fakeserver import FakeServer, Seated
from tests.session.stage import StagedMatch


async def at_the_end(server: FakeServer, name: str = "mira", wished_by: str = "") -> tuple[Seated, StagedMatch]:
    """Let somebody be at a private match of Mira and Tarn when it ends, or in its room."""
    match = server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn"))))
    match.agree(private=True)
    match.live.terms = replace(match.terms, room="K7QX")
    match.live.context.presence.rooms.store("K7QX", [person(name)])
    seated = await in_lobby(server, 160, 40, name)
    await seated.session.reach(places.MatchPlace(match.id))
    await match.resign(Seat(1))
    if wished_by:
        await match.share(person(wished_by))
    await seated.settle()
    return seated, match


async def test_a_private_match_is_shared_by_its_players_one_after_the_other(server: FakeServer) -> None:
    seated, match = await at_the_end(server)
    await seated.type("s", "y")
    assert match.snapshot(Seat(0)).shared_by == (Seat(0),)
    assert seated.says("share.waits", names="tarn")
    await seated.type("s", "y")
    assert match.snapshot(Seat(0)).shared_by == (), "taken back"


async def test_the_last_word_says_what_others_type_to_see_it(server: FakeServer) -> None:
    seated, match = await at_the_end(server, wished_by="tarn")
    assert seated.says("share.wished", names="tarn"), seated.text
    await seated.type("s", "y")
    assert match.snapshot(Seat(0)).is_shared
    assert seated.says("replay.share", line=seated.session.reached_at.line(f"replay {match.id}", "-t"))


async def test_who_looks_on_can_not_share_it_and_shares_no_frames(server: FakeServer) -> None:
    seated, match = await at_the_end(server, name="omid")
    await seated.type("s")
    assert seated.says("match.error.share-players")
    page = seated.session.pages.top
    assert page is not None
    assert page.share_key() is None
    assert match.snapshot(Seat(0)).shared_by == ()
