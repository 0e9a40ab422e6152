"""Nobody is who they did not prove to be: raw authentication requests in every order, also many at once.

An SSH application server was bypassed exactly here, twice: its library asks the application about keys that are
merely offered, and the application remembered the last one it was asked about.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import AsyncIterator
from typing import Any

import asyncssh
import pytest
from asyncssh.packet import Boolean, String, UInt32

from tests.contracts import raw
from tests.ssh.bare import BareListener, bare_listener

USERAUTH_REQUEST = 50
INFO_RESPONSE = 61


@pytest.fixture
async def bare() -> AsyncIterator[BareListener]:
    async with bare_listener() as found:
        yield found


class Attacker(asyncssh.SSHClient):
    """Sends authentication requests of its own making, one after another's answer or all without waiting for any.

    The last one is always an honest request to be a guest, so the connection gets in whatever happened before.
    """

    def __init__(self, steps: tuple[str, ...], at_once: bool) -> None:
        self.own, self.victim = (asyncssh.generate_private_key("ssh-ed25519") for _ in range(2))
        self.steps = [*steps, "guest"]
        self.at_once = at_once

    def connection_made(self, conn: Any) -> None:
        self.conn = conn

    def kbdint_auth_requested(self) -> str | None:
        """Take over from the library, which has just learned that the server waits for requests."""
        self.conn.try_next_auth = self.go_on
        raw.take_over_login(self.conn, self)
        return None

    def go_on(self, **_: Any) -> None:
        raw.take_over_login(self.conn, self)
        while self.steps:
            getattr(self, self.steps.pop(0))()
            if not self.at_once:
                break

    # What the library asks of the method in progress

    def process_packet(self, pkttype: int, pktid: int, packet: Any) -> bool:
        """Take "this key would do" or "here are my questions (none)"."""
        if self.steps:
            self.go_on()
        elif packet.get_string() != b"ssh-ed25519":
            self.conn.send_packet(INFO_RESPONSE, UInt32(0))
        return True

    def log_received_packet(self, *_: Any) -> None: ...

    def auth_failed(self) -> None: ...

    def auth_succeeded(self) -> None: ...

    def cancel(self) -> None: ...

    # Requests

    def _send(self, method: bytes, *args: bytes, signer: asyncssh.SSHKey | None = None) -> None:
        body = String(b"mira") + String(b"ssh-connection") + String(method) + b"".join(args)
        if signer is not None:
            packet = bytes([USERAUTH_REQUEST]) + body
            body += String(signer.sign(String(raw.session_id(self.conn)) + packet, b"ssh-ed25519"))
        self.conn.send_packet(USERAUTH_REQUEST, body)

    def _key(self, key: asyncssh.SSHKey, signed: bool) -> tuple[bytes, ...]:
        return (Boolean(signed), String(b"ssh-ed25519"), String(key.public_data))

    def offer_victim(self) -> None:
        self._send(b"publickey", *self._key(self.victim, signed=False))

    def offer_own(self) -> None:
        self._send(b"publickey", *self._key(self.own, signed=False))

    def sign_own(self) -> None:
        self._send(b"publickey", *self._key(self.own, signed=True), signer=self.own)

    def forge_victim(self) -> None:
        """The victim's key with a signature by one's own."""
        self._send(b"publickey", *self._key(self.victim, signed=True), signer=self.own)

    def none(self) -> None:
        self._send(b"none")

    def password(self) -> None:
        self._send(b"password", Boolean(False), String(b"x"))

    def guest(self) -> None:
        self._send(b"keyboard-interactive", String(b""), String(b""))


async def who_is(bare: BareListener, steps: tuple[str, ...], at_once: bool) -> tuple[str | None, str, str]:
    conn, attacker = await asyncssh.create_connection(
        lambda: Attacker(steps, at_once), "127.0.0.1", bare.port, username="mira", known_hosts=None, config=None,
        client_keys=None, agent_path=None, password_auth=False, preferred_auth="keyboard-interactive",
    )  # fmt: skip
    assert isinstance(attacker, Attacker)
    said: dict[str, Any] = {"key": None}
    async with conn:
        try:
            said = json.loads(str((await conn.run("whoami")).stdout))
        except asyncssh.ChannelOpenError:
            assert at_once, "answers out of turn end the connection"
    return said["key"], attacker.own.get_fingerprint(), attacker.victim.get_fingerprint()


STEPS = ("offer_victim", "offer_own", "sign_own", "forge_victim", "none", "password", "guest")
ORDERS = [*itertools.permutations(STEPS, 2), ("offer_victim", "sign_own", "offer_victim"), ("guest", "offer_victim")]


@pytest.mark.parametrize("at_once", [False, True])
async def test_no_order_of_requests_makes_one_the_victim(bare: BareListener, at_once: bool) -> None:
    for steps in ORDERS:
        key, own, victim = await who_is(bare, steps, at_once)
        assert key != victim, steps
        assert key in (None, own), steps
        if "sign_own" not in steps:
            assert key is None, steps


async def test_the_attack_script_can_prove_its_own_key(bare: BareListener) -> None:
    """Else the test above would pass with a server that believes nobody."""
    key, own, _ = await who_is(bare, ("offer_victim", "sign_own"), at_once=False)
    assert key == own
