"""The lists for programs and people: who leads a ladder."""

from __future__ import annotations

from pathlib import Path

import pytest

from game.contract import Seat
from server.boards.wire import Object, summary_json
from server.matches.model import OVER, MatchQuery, MatchSummary
from server.ratings.bradley_terry import SETTLED_AFTER, START_MU, START_SIGMA
from server.ssh.call import Call
from server.ssh.commands import lists
from server.store import ratings
from server.store.ratings import LadderRow
from tests.clocks import FakeClock
from tests.conformance.tiny.registering import tiny_is_registered
from tests.matches.table import GUEST, MIRA, TARN, new_database
from tests.ssh.commands import open_commands, person
from tests.ssh.schemas import check

__all__ = ["tiny_is_registered"]


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
        first, second = await here.json(person(GUEST), "top rainet")
        check("commands", first)
        assert (first["type"], first["place"], first["player"], first["rating"]) == ("rank", 1, TARN.name, 1580)
        assert (second["place"], second["player"], second["provisional"]) == (2, MIRA.name, False)
        status, out, _ = await here.ssh(person(MIRA), "top rainet --limit 1")
        assert (status, out.split()[:3]) == (0, ["1", TARN.name, "1580"])


async def test_a_guest_who_asked_for_the_history_of_their_own_name_was_told_of_every_private_match(
    url: str, clock: FakeClock
) -> None:
    """A guest has no account, and "of no account, private ones too" was everybody's."""
    async with open_commands(url, clock) as here:
        match = await here.table.begin(MIRA, TARN, private=True)
        await match.resign(Seat(0))
        everything = MatchQuery(statuses=OVER)
        assert await here.services.matches.list(everything) == [], "of nobody nothing is told but what is public"
        for line in ("history", f"history {GUEST.name}", "games --finished --mine", "games --finished"):
            for flags in ("", " --json"):
                _, out, _ = await here.ssh(person(GUEST), line + flags)
                assert out == "", line
        assert [one["match"] for one in await here.json(person(MIRA), "history")] == [match.id]


@pytest.mark.parametrize("line", ["games --finished", "history"])
async def test_a_long_list_of_matches_was_made_in_one_step(
    url: str, clock: FakeClock, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    """Others waited until hundreds of matches were made into objects: ten such commands took half a second."""
    made = list[str]()

    def noted(one: MatchSummary) -> Object:
        made.append("match")
        return summary_json(one)

    async def give_way(call: Call) -> None:
        made.append("turn")

    monkeypatch.setattr(lists, "summary_json", noted)
    monkeypatch.setattr(Call, "give_way", give_way)
    async with open_commands(url, clock) as here:
        for _ in range(3):
            await (await here.table.begin(MIRA, TARN)).resign(Seat(0))
        made.clear()
        assert len(await here.json(person(MIRA), line)) == 3
    assert made[:6] == ["match", "turn"] * 3
