"""What the guests of a network may have going on at once, and begin: not as much as all its addresses."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from server.accounts.identity import Identity, Player
from server.accounts.sources import SHARES
from server.errors import RateLimited
from server.lobby import permissions
from server.lobby.errors import LobbyRefused
from server.matches import match_quota
from server.matches.match_rate_limit import Beginnings
from tests.lobby.opened import ROOM, TINY, OpenLobby
from tests.matches.table import MIRA

OF_SOURCE = 2
MOST = OF_SOURCE * SHARES["/48"]
Ask = Callable[[Player], Awaitable[object]]


def arrive(lobby: OpenLobby, player: Player, source: str, is_settled: bool = False) -> None:
    who = Identity(player.account_id, player.name, frozenset(), None, None, "", source, is_settled=is_settled)
    lobby.lobby.arrive(who, player.name, lambda match: None)


def beginnings(lobby: OpenLobby) -> Ask:
    return lambda player: lobby.lobby.play_bot(player, "tiny", "easy")


def seeks(lobby: OpenLobby) -> Ask:
    return lambda player: lobby.lobby.seek(player, TINY)


def rooms(lobby: OpenLobby) -> Ask:
    return lambda player: lobby.lobby.rooms.create(player, ROOM, player.name)


@pytest.mark.parametrize(
    ("ask_of", "refusal"),
    [(beginnings, LobbyRefused), (beginnings, RateLimited), (seeks, LobbyRefused), (rooms, LobbyRefused)],
)
async def test_a_network_had_as_much_as_all_its_addresses(
    lobby: OpenLobby, monkeypatch: pytest.MonkeyPatch, ask_of: Callable[[OpenLobby], Ask], refusal: type[Exception]
) -> None:
    for module, name in ((permissions, "MOST_TICKETS"), (permissions, "MOST_ROOMS"), (match_quota, "MOST_MATCHES")):
        monkeypatch.setattr(module, name, 1000 if refusal is RateLimited else OF_SOURCE)
    matches = lobby.table.matches
    if refusal is RateLimited:
        matches.context.beginnings = Beginnings(lobby.table.clock, matches.connections, OF_SOURCE)
    ask, had = ask_of(lobby), 0
    for n in range(3 * MOST):
        guest = Player("guest", f"guest-{n}", guest_id=f"guest-{n}")
        arrive(lobby, guest, f"2001:db8:1:{n << 8:x}::1")
        try:
            await ask(guest)
            had += 1
        except refusal:
            pass
    assert had == MOST
    arrive(lobby, MIRA, "2001:db8:1:ffff::1", is_settled=True)
    await ask(MIRA)
