"""A busy evening: matches, seeks and a room, and the ways to sit down in it."""

from __future__ import annotations

from server.accounts.preferences import Preferences
from server.lobby.model import RoomSettings, Seek
from server.matches.agreement import Agreement
from server.ratings.bradley_terry import Rating
from server.screens.match import MatchPage
from tests.boards.positions import person
from tests.session.fakeserver import FakeServer, Seated, account
from tests.session.stage import StagedMatch

MIDDLE = "lv3vl1/3l4/4v3/3v+4/3L4/5V2/1L*6/V1L2V2 S CF4/bc4 -/c6 l+,V?l/- 3"


async def busy(server: FakeServer) -> None:
    """Fill the server: matches, a seek, a room."""
    server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn")), "m1", MIDDLE))
    other = StagedMatch("rainet", (person("lio"), person("zoe")), "m2", MIDDLE)
    other.seq = 2  # so that it is listed first
    server.matches.add(other)
    server.rate("akio", {"rainet": Rating(25.0, 1.0, 30)})
    await server.lobby.seek(person("akio"), Seek(Agreement("rainet", rated=True)))
    await server.room("omid", RoomSettings(Agreement("rainet", speed="slow"), title="friday evening"))
    await server.look()


async def in_lobby(
    server: FakeServer, cols: int = 80, rows: int = 24, name: str = "mira", language: str = ""
) -> Seated:
    who = account(name)
    assert who.account_id is not None
    server.prefer(who.name, Preferences(calibrated=True, language=language))
    seated = await server.connect(who, cols, rows)
    if any(who.player.is_same_person(player) for match in server.matches.all.values() for player in match.players):
        await seated.type("esc")  # one's own match is on top of the lobby
    return seated


async def in_match(
    server: FakeServer, cols: int = 80, rows: int = 24, name: str = "mira", language: str = ""
) -> Seated:
    await busy(server)
    seated = await in_lobby(server, cols, rows, name, language)
    await seated.type("enter")
    return seated


def match_page(seated: Seated) -> MatchPage:
    """Return the match that is on top of a session's pages."""
    found = seated.session.pages.top
    assert isinstance(found, MatchPage)
    return found


def banner_text(seated: Seated) -> str:
    """Return what the banner of a match says; empty: there is none."""
    found = match_page(seated).banner()
    return f"{seated.session.look.glyphs.turn} {found.text}" if found is not None else ""
