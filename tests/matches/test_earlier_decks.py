"""Matches whose decks an earlier release stored with more than a deck holds: they still load, replay and verify."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import update

from game.contract import Seat
from game.netrunner.decks import STARTERS
from game.netrunner.facts import FACTS
from game.record import read_record, verify
from server.admin.replay import verify_matches
from server.store import tables
from tests.clocks import FakeClock
from tests.matches.table import MIRA, TARN, open_matches

DECK = {
    "identity": FACTS[STARTERS["nbn"].identity].title,
    "cards": {FACTS[code].title: n for code, n in STARTERS["nbn"].cards},
}
EARLIER: dict[str, Any] = {"deck": {**DECK, "note": "\x9b31m\x9b2J\u202e\x9d0;title\x9c\u2028", "pad": "x" * 63_000}}


async def test_a_match_with_such_a_deck_goes_on_and_its_record_is_harmless(url: str, clock: FakeClock) -> None:
    async with open_matches(url, clock) as table:
        match_id = (await table.begin(MIRA, TARN, game="netrunner", seat_options=({"deck": "nbn"}, {}))).id
        earlier = update(tables.seats).where(tables.seats.c.match_id == match_id, tables.seats.c.seat == 0)
        await table.database.write(lambda connection: connection.execute(earlier.values(options=EARLIER)))
    async with open_matches(url, clock) as table:
        match = await table.matches.open(match_id)
        assert match.terms.seat_options == (EARLIER, {})
        await table.play_any(match, 0)
        await match.resign(Seat(1))
        lines = list(await table.matches.record(match_id))
        assert all(line.isprintable() for line in lines)
        assert json.loads(lines[0])["seats"][0]["options"] == EARLIER
        assert read_record(lines).header.seat_options == (EARLIER, {})
        assert verify(read_record(lines)).agrees
        bad: dict[str, list[str]] = {}
        await verify_matches(table.database.inner, bad.__setitem__)
        assert bad == {}
        branch = await table.matches.branch(match_id, TARN, 0, Seat(1))
        assert branch.terms.seat_options == ({"deck": DECK}, {}), "what begins now keeps the list alone"
