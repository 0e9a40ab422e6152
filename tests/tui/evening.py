"""A busy evening: matches, seeks and a room, and the ways to sit down in it."""

from __future__ import annotations

from server.accounts.preferences import Preferences
from server.lobby.model import RoomSettings, RoomSummary, Seek, SeekView
from tests.tui.fakeplay import FakeMatch, FakeRoom, summary
from tests.tui.house import House, Seated, account
from tests.tui.positions import NOON, person

MIDDLE = "lv3vl1/3l4/4v3/3v+4/3L4/5V2/1L*6/V1L2V2 S CF4/bc4 -/c6 l+,V?l/- 3"


def busy(house: House) -> None:
    """Fill the house: matches, seeks, a room."""
    mine = house.matches.add(FakeMatch("rainet", (person("mira"), person("tarn")), "m1", MIDDLE))
    other = house.matches.add(FakeMatch("rainet", (person("lio"), person("zoe")), "m2", MIDDLE))
    seek = SeekView("s1", Seek("rainet"), person("akio"), 1490, 1400, 1600, 1, NOON)
    settings = RoomSettings("rainet", title="friday evening", speed="slow")
    room = FakeRoom("K7QX", person("omid"), settings)
    house.lobby.rooms["K7QX"] = room
    shown = RoomSummary("K7QX", settings, tuple(room.seats), "omid", NOON)
    house.lobby.show(matches=(summary(other, 12), summary(mine)), seeks=(seek,), rooms=(shown,))


async def in_lobby(house: House, cols: int = 80, rows: int = 24, name: str = "mira", language: str = "") -> Seated:
    who = account(name)
    assert who.account_id is not None
    house.accounts.kept[who.account_id] = Preferences(calibrated=True, language=language)
    seated = await house.connect(who, cols, rows)
    if any(who.player.is_same_person(player) for match in house.matches.all.values() for player in match.players):
        await seated.type("esc")  # one's own match is on top of the lobby
    return seated


async def in_match(house: House, cols: int = 80, rows: int = 24, name: str = "mira", language: str = "") -> Seated:
    busy(house)
    seated = await in_lobby(house, cols, rows, name, language)
    await seated.type("enter")
    return seated
