"""Connections on which nothing runs, and the places that are kept for whose match runs."""

from __future__ import annotations

from dataclasses import replace

import asyncssh

from server.accounts.identity import Identity
from server.config import Limits
from server.ssh.auth import Login
from tests.hostile.attacking import Silent, bare_channel
from tests.ssh.bare import bare_listener, connect, recognise
from tests.waiting import until


async def test_a_connection_without_a_channel_ends_and_one_in_use_stays() -> None:
    async with bare_listener(Limits(no_channel_s=0.3)) as bare:
        used = await connect(bare)
        await used.create_session(Silent, "wait", encoding=None)
        unused, bare_one = await connect(bare), await connect(bare)
        await bare_channel(bare_one)
        await until(lambda: bare.listener.gate.inside == 1)
        assert not used.is_closed()
        for connection in (used, unused, bare_one):
            connection.abort()


async def test_twenty_idle_connections_kept_everybody_at_their_address_out() -> None:
    async with bare_listener(Limits(connections_per_source=3)) as bare:
        idle = [await connect(bare) for _ in range(3)]
        await until(lambda: bare.listener.gate.inside == 3)
        async with connect(bare) as newcomer:
            done = await newcomer.run("whoami", check=True)
            assert done.exit_status == 0
        await until(idle[0].is_closed)
        assert [one.is_closed() for one in idle] == [True, False, False]
        for connection in idle[1:]:
            connection.abort()


async def test_who_has_a_running_match_gets_in_where_the_address_is_full() -> None:
    """Else the opponent claims the win."""

    async def with_account(login: Login) -> Identity:
        who = await recognise(login)
        return who if who.fingerprint is None else replace(who, account_id=7)

    async def keeps_place(who: Identity) -> bool:
        return not who.is_guest

    async with bare_listener(Limits(connections_per_source=2), keeps_place=keeps_place) as bare:
        bare.listener.recognise = with_account
        for _ in range(2):
            await (await connect(bare)).create_session(Silent, "wait", encoding=None)
        await until(lambda: bare.listener.gate.inside == 2)
        refused = await connect(bare)
        await until(refused.is_closed)
        key = asyncssh.generate_private_key("ssh-ed25519")
        async with connect(bare, client_keys=[key]) as player:
            done = await player.run("whoami", check=True)
            assert done.exit_status == 0
