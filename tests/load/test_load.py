"""The load generator in short: nobody dropped, no move lost, nothing left behind. Clock figures are `make load`'s."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

from game.rainet.board import SQUARES
from tests.bench.cpu import children, named_with_ends, open_files
from tests.bench.report import Figure
from tests.load import gallery, logins, mixed, yardstick
from tests.load.client import LEFT, RIGHT, UP, Screen
from tests.load.loaded import Counts, serving
from tests.load.people import LEAST_ADDRESSES, address, make_accounts
from tests.load.table import keys_between

SEED = 20


async def counted(figures: AsyncIterator[Figure]) -> dict[str, Figure]:
    """Run a scenario; what must be nought is nought."""
    found = {figure.name: figure async for figure in figures}
    nought = [figure for figure in found.values() if figure.goal == 0]
    assert nought
    assert [figure for figure in nought if figure.value] == []
    return found


async def test_a_full_server_drops_nobody_and_stores_every_move(tmp_path: Path) -> None:
    people = await make_accounts(tmp_path, 20)
    async with serving(tmp_path) as server:
        found = await counted(mixed.full_server(server, people, 0.1, SEED, move_every_s=1.0))
        assert found["moves acknowledged and not stored, or the reverse"].how != "of 0"
        assert (await server.metrics())["patchbay_render_seconds_count"] > 0


async def test_a_gallery_loses_no_watcher(tmp_path: Path) -> None:
    people = await make_accounts(tmp_path, 2)
    async with serving(tmp_path) as server:
        await counted(gallery.watched_match(server, people, 12, 4, SEED))


async def test_a_rush_of_logins_is_let_in_and_leaves_nothing_behind(tmp_path: Path) -> None:
    people = await make_accounts(tmp_path, 20)
    async with serving(tmp_path) as server:
        await counted(logins.rush(server, people, 10, 2))
        await counted(logins.comings_and_goings(server, people, 0.05, SEED, warm_up=20))


class Echo(Screen):
    """A screen that answers each key with itself."""

    def press(self, keys: bytes) -> None:
        self.data_received(keys, None)


async def test_a_yardstick_that_seldom_types_ends_in_time() -> None:
    times: list[float] = []
    await asyncio.wait_for(yardstick.typing(Echo(), every_s=3600, seconds=0.01, times=times), 30)
    assert len(times) <= 1


def test_what_is_left_behind_is_named() -> None:
    before = Counts(sessions=0, tasks=12, files=18, screens=0, canvases=0, rss_kb=100)
    assert Counts(1, 11, 20, 0, 0, 900).beyond(before) == {"sessions": 1, "files": 2}


def test_files_left_behind_were_a_bare_number() -> None:
    """A failure said "files +2", and not what was open."""
    before = Counts(0, 12, 2, 0, 0, 100, named=("pipe:[1]", "socket:[2] port 22 to 40001, state 1"))
    after = Counts(0, 12, 3, 0, 0, 100, named=("pipe:[1]", "pipe:[1]", "/var/lock"))
    assert after.files_beyond(before) == ["/var/lock", "pipe:[1]"]


def test_a_socket_left_behind_is_named_by_its_ports() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        named = named_with_ends(os.getpid(), open_files(os.getpid()))
        assert any(f"port {listener.getsockname()[1]} to 0, state 10" in one for one in named)


def test_a_bot_that_began_to_think_was_files_left_behind() -> None:
    """Its process stays, and so do the pipes to it."""
    before = open_files(os.getpid())
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.pid in children(os.getpid())
        assert open_files(os.getpid()) == before


def test_a_thousand_people_come_from_addresses_enough_for_the_ordinary_limits() -> None:
    addresses = [address(i, 1000) for i in range(1000)]
    assert len(set(addresses)) >= LEAST_ADDRESSES
    assert max(addresses.count(one) for one in set(addresses)) <= 20


def test_each_side_walks_as_it_sees_the_board() -> None:
    assert keys_between(SQUARES["d2"], SQUARES["c3"], 0) == [LEFT, UP]
    assert keys_between(SQUARES["e7"], SQUARES["d6"], 1) == [RIGHT, UP]
