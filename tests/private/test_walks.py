"""Random people walk through every door of the house, beside a model of who may know what: nobody learns more."""

from __future__ import annotations

import random

import pytest

from server.matches import lists, matches, visibility
from server.matches.sharing import MatchSharing
from server.matches.visibility import Knowledge
from tests.private.house import Walk, open_house
from tests.seeds import drawn

WALKS, STEPS, TRIED = 20, 9, 4  # in `make test`
MANY, PARTS = 10_000, 20  # under `make soak`, in so many tests, so that several processes share them
LIVED_IN = 25  # walks in one house


async def walk(count: int, first: int) -> tuple[int, int]:
    """Walk so often; return how many steps were made and how many doors were tried."""
    steps = tried = 0
    for begun in range(0, count, LIVED_IN):
        async with open_house() as house:
            for number in range(begun, min(begun + LIVED_IN, count)):
                one = Walk(house, random.Random(first * 1_000_003 + number))
                await one.begin()
                for _ in range(STEPS):
                    await one.step()
                    await one.try_doors(TRIED)
                for person in one.people:
                    assert person.arrival is not None
                    person.arrival.leave()
                steps, tried = steps + STEPS, tried + one.tried
    return steps, tried


async def test_nobody_learns_of_what_is_private_through_any_door() -> None:
    steps, _ = await walk(WALKS, drawn())
    assert steps == WALKS * STEPS


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
async def test_ten_thousand_walks_find_no_leak(part: int) -> None:
    print("steps, doors:", *await walk(MANY // PARTS, drawn() + part))


@pytest.mark.parametrize("broken", ["a private match is known", "a room's page opens it", "one word shares it"])
async def test_the_walks_notice_a_house_that_tells(monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    """Else the tests above would pass whatever the server does."""
    if broken == "a private match is known":
        for module in (lists, matches, visibility):
            monkeypatch.setattr(module, "knowledge", lambda *_: Knowledge.SIGHT)
    elif broken == "a room's page opens it":
        monkeypatch.setattr("server.lobby.entering.knows_room", lambda *_: True)
    else:
        monkeypatch.setattr(MatchSharing, "is_done", property(lambda self: bool(self.agreed)))
    with pytest.raises(AssertionError):
        await walk(400, 1)
