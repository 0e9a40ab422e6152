"""Open hands: agreed on, never rated, and kept from who comes from where a player comes from."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import pytest

from game.contract import Seat, Viewer, Watcher
from server.accounts.identity import Identity, Player
from server.matches.match import Match
from server.presence.connections import Connected
from server.store import origins
from tests.clocks import FakeClock
from tests.matches.table import GUEST, LIO, MIRA, TARN, Table, open_matches

OPEN = {"open_hands": True}
KEY = "SHA256:miraskey"


def person(player: Player, source: str, key: str | None = None) -> Identity:
    return Identity(player.account_id, player.name, frozenset(), key, None, "", source)


async def table_of_two(table: Table, source: str = "192.0.2.7") -> Match:
    """Mira sits at the board, with her key and from one address; several turns have passed."""
    match = await table.begin(MIRA, TARN, game="netrunner", options=OPEN, rated=True)
    sit(table, match, source)
    return match


def sit(table: Table, match: Match, source: str) -> None:
    """Let Mira come, with her key, and sit down at the board."""
    identity = person(MIRA, source, KEY)
    table.matches.connections.arrive(Connected("mira-1", identity, table.clock.now()))
    match.enter(MIRA, Seat(0), "mira-1")


async def test_open_hands_are_never_rated(table: Table) -> None:
    match = await table_of_two(table)
    assert not match.terms.agreement.rated


@pytest.mark.parametrize(
    ("who", "sees"),
    [
        (person(LIO, "198.51.100.1"), Watcher.PUBLIC),
        (person(MIRA, "198.51.100.1"), Watcher.PLAIN),
        (person(GUEST, "198.51.100.1", KEY), Watcher.PLAIN),
        (person(GUEST, "192.0.2.7"), Watcher.PLAIN),
        (person(GUEST, "::ffff:192.0.2.7"), Watcher.PLAIN),
        (person(GUEST, "192.0.2.8"), Watcher.PUBLIC),
    ],
    ids=["a stranger", "the account", "the key", "the address", "the address as mapped", "a neighbour"],
)
async def test_hands_are_kept_from_a_player_s_second_connection(table: Table, who: Identity, sees: Watcher) -> None:
    """As a guest a player saw the opponent's hand and unrezzed cards a turn later."""
    match = await table_of_two(table)
    assert match.sight(who) is sees
    await match.resign(Seat(0))
    assert match.sight(who) is Watcher.PUBLIC, "when it is over, as any other"


async def test_of_an_ipv6_address_the_network_counts(table: Table) -> None:
    match = await table_of_two(table, "2001:db8:1:2::5")
    assert match.sight(person(GUEST, "2001:db8:1:2:aaaa::1")) is Watcher.PLAIN
    assert match.sight(person(GUEST, "2001:db8:1:3::5")) is Watcher.PUBLIC


async def test_each_loopback_address_is_a_source_of_its_own(table: Table) -> None:
    match = await table_of_two(table, "127.0.0.1")
    assert match.sight(person(GUEST, "127.0.0.1")) is Watcher.PLAIN
    assert match.sight(person(GUEST, "127.0.0.2")) is Watcher.PUBLIC


async def test_where_a_player_came_from_is_remembered_after_they_have_gone(table: Table) -> None:
    match = await table_of_two(table)
    table.matches.connections.leave("mira-1")
    assert match.sight(person(GUEST, "192.0.2.7")) is Watcher.PLAIN


async def test_a_restart_does_not_forget_where_a_player_came_from(url: str, clock: FakeClock) -> None:
    """It was known to the process alone: who left, and came back as a guest after a restart, saw the hands."""
    async with open_matches(url, clock) as table:
        match = await table_of_two(table)
        table.matches.connections.leave("mira-1")
        await table.database.settle()
    async with open_matches(url, clock) as table:
        again = await table.matches.open(match.id)
        assert again.sight(person(GUEST, "192.0.2.7")) is Watcher.PLAIN
        assert again.sight(person(GUEST, "198.51.100.1", KEY)) is Watcher.PLAIN
        assert again.sight(person(GUEST, "198.51.100.1")) is Watcher.PUBLIC


async def test_a_process_that_never_met_the_player_knows_where_they_came_from(url: str, clock: FakeClock) -> None:
    """A player who left one process and came as a guest to another saw the hands there."""
    async with open_matches(url, clock) as here, open_matches(url, clock) as there:
        before = await there.begin(MIRA, TARN, game="netrunner", options=OPEN)
        seen_here = await here.matches.open(before.id)
        sit(here, seen_here, "192.0.2.7")
        here.matches.connections.leave("mira-1")
        await here.database.settle()
        assert (await there.matches.open(before.id)).sight(person(GUEST, "192.0.2.7")) is Watcher.PLAIN


async def test_a_guest_who_looks_on_already_loses_the_hands_when_the_player_comes_to_another_process(
    url: str, clock: FakeClock
) -> None:
    """Nobody told the other process, and the live page was never asked again."""
    told: list[Viewer] = []
    async with open_matches(url, clock) as here, open_matches(url, clock) as there:
        watched = await there.begin(MIRA, TARN, game="netrunner", options=OPEN)
        guest = person(GUEST, "192.0.2.7")
        watched.subscribe(watched.sight(guest), lambda: told.append(watched.sight(guest)))
        sit(here, await here.matches.open(watched.id), "192.0.2.7")
        await here.database.settle()
        await there.wait(there.matches.context.timing.look_every + 0.5)
    assert told[-1] is Watcher.PLAIN


async def test_where_players_came_from_is_stored_as_hashes_and_dropped_at_the_end(table: Table) -> None:
    match = await table_of_two(table)
    await table.database.settle()
    kept = await table.database.read(origins.of, match.id)
    assert {len(one) for one in kept} == {64}
    assert not kept & {sha256(one.encode()).hexdigest() for one in ("192.0.2.7", KEY)}, "nobody can try addresses"
    await match.resign(Seat(0))
    await table.wait(table.matches.context.timing.look_every + 0.5)
    assert await table.database.read(origins.of, match.id) == frozenset()


async def test_an_address_that_the_store_did_not_take_is_stored_with_the_next_look(table: Table) -> None:
    match = await table.begin(MIRA, TARN, game="netrunner", options=OPEN)
    await table.database.settle()
    before = await table.database.read(origins.of, match.id)
    table.database.refusals = 1
    sit(table, match, "192.0.2.7")
    await table.database.settle()
    assert await table.database.read(origins.of, match.id) == before
    await table.wait(table.matches.context.timing.look_every + 0.5)
    assert len(await table.database.read(origins.of, match.id)) == len(before) + 2


async def test_of_an_ordinary_match_it_is_not_kept_who_came_to_its_table(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    await table.database.settle()
    before = await table.database.read(origins.of, match.id)
    sit(table, match, "192.0.2.7")
    await table.database.settle()
    assert await table.database.read(origins.of, match.id) == before


async def test_who_asks_by_a_command_from_elsewhere_has_come_from_there(table: Table) -> None:
    """`ssh HOST show ID` from a second address left no trace: as a guest from there the player saw the hands."""
    match = await table_of_two(table)
    assert match.sight(person(MIRA, "203.0.113.9"), Seat(0)) == Seat(0)
    assert match.sight(person(GUEST, "203.0.113.9")) is Watcher.PLAIN


async def test_the_view_without_hands_holds_none_of_them(table: Table) -> None:
    match = await table_of_two(table)
    state, game = match.live.shown.fold.state, match.live.log.game
    hands = game.view(state, Watcher.OMNISCIENT).scene.hands
    shown = replace(state, hands=(hands[0].__class__(("x",), ("y",), ()), hands[1]))
    assert game.view(shown, Watcher.PUBLIC).scene.hands[0].hq == ("x",)
    kept = game.view(shown, Watcher.PLAIN).scene.hands
    assert kept == (type(hands[0])(), type(hands[0])())


async def test_who_has_left_the_seat_does_not_see_hands_from_it(table: Table) -> None:
    match = await table_of_two(table)
    checkpoint = match.live.shown
    gone = replace(checkpoint, fold=replace(checkpoint.fold, bots=("normal", None)))
    assert match.showing.effective_viewer(Seat(0), gone) is Watcher.PLAIN
