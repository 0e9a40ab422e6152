"""The lists for programs and people: who leads a ladder."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.accounts.identity import Identity
from server.ratings.scale import SETTLED_AFTER, START_MU, START_SIGMA
from server.store import ratings
from server.store.ratings import LadderRow
from tests.clocks import FakeClock
from tests.conformance.tiny.registering import tiny_is_registered
from tests.matches.table import MIRA, TARN, new_database
from tests.ssh.commands import open_commands, person
from tests.ssh.schemas import check

__all__ = ["tiny_is_registered"]
GUEST = Identity(None, "guest-x7k2", frozenset(), None, None, "", "192.0.2.1")


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
async def url(tmp_path: Path, migrated_file: Path) -> str:
    return await new_database(tmp_path, migrated_file)


async def test_top_prints_who_leads_a_ladder(url: str, clock: FakeClock) -> None:
    """The command ended in an error of ours as soon as somebody was on the ladder."""
    async with open_commands(url, clock) as here:
        rows = [
            LadderRow(player.account_id or 0, "rainet", START_MU + points, START_SIGMA, SETTLED_AFTER)
            for player, points in ((MIRA, 1.0), (TARN, 2.0))
        ]
        await here.services.database.write(ratings.put, rows)
        first, second = await here.json(GUEST, "top rainet")
        check("commands", first)
        assert (first["type"], first["place"], first["player"], first["rating"]) == ("rank", 1, TARN.name, 1580)
        assert (second["place"], second["player"], second["provisional"]) == (2, MIRA.name, False)
        status, out, _ = await here.ssh(person(MIRA), "top rainet --limit 1")
        assert (status, out.split()[:3]) == (0, ["1", TARN.name, "1580"])
