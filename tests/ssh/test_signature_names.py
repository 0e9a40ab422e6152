"""Every name of a signature counts: that of the request, that of the key, and that inside the signature.

Signatures by SHA-1 logged in, under `ssh-rsa` and hidden inside `rsa-sha2-256`, and so did an Ed25519 key under an RSA
name: the library looks at the innermost name only, and at no list of ours.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from typing import Any

import asyncssh
import pytest
from asyncssh.packet import Boolean, SSHPacket, String

from server.ssh.algorithms import SIGNATURES
from tests.contracts import raw
from tests.ssh.bare import BareListener, bare_listener

USERAUTH_REQUEST, SUCCESS, FAILURE, OFFER_OK = 50, 52, 51, 60
KEYS = {
    "rsa": asyncssh.generate_private_key("ssh-rsa", key_size=2048),
    "ed25519": asyncssh.generate_private_key("ssh-ed25519"),
    "ecdsa": asyncssh.generate_private_key("ecdsa-sha2-nistp256"),
}


@pytest.fixture
async def bare() -> AsyncIterator[BareListener]:
    async with bare_listener() as found:
        yield found


class Raw(asyncssh.SSHClient):
    """Sends one request of its own making by a public key, and notes how it was answered."""

    def __init__(self, key: asyncssh.SSHKey, outer: str, inner: str | None, kind: str | None) -> None:
        self.key, self.outer, self.inner = key, outer, inner
        blob = key.public_data
        self.blob = blob if kind is None else String(kind) + blob[len(String(key.algorithm)) :]
        self.answer = 0

    def connection_made(self, conn: Any) -> None:
        self.conn = conn

    def kbdint_auth_requested(self) -> str | None:
        self.conn.try_next_auth = lambda **_: None
        raw.take_over_login(self.conn, self)
        body = String(b"x") + String(b"ssh-connection") + String(b"publickey")
        body += Boolean(self.inner is not None) + String(self.outer) + String(self.blob)
        if self.inner is not None:
            signed = String(raw.session_id(self.conn)) + bytes([USERAUTH_REQUEST]) + body
            body += String(self.key.sign(signed, self.inner.encode()))
        self.conn.send_packet(USERAUTH_REQUEST, body)
        return None

    def process_packet(self, pkttype: int, pktid: int, packet: SSHPacket) -> bool:
        self._answered(pkttype)
        return True

    def log_received_packet(self, *_: Any) -> None: ...

    def cancel(self) -> None: ...

    def auth_failed(self) -> None:
        self._answered(FAILURE)

    def auth_succeeded(self) -> None:
        self._answered(SUCCESS)

    def _answered(self, how: int) -> None:
        self.answer = self.answer or how
        self.conn.abort()


async def answer(bare: BareListener, key: str, outer: str, inner: str | None, kind: str | None = None) -> int:
    """Ask to log in by these names; return the type of the server's answer. `inner` None: a mere offer."""
    return await answered(bare, Raw(KEYS[key], outer, inner, kind))


async def answered(bare: BareListener, raw: Raw) -> int:
    """Let it ask; return the type of the server's answer, after which it hangs up."""
    with contextlib.suppress(asyncssh.Error, OSError):
        await asyncssh.connect(
            "127.0.0.1", bare.port, client_factory=lambda: raw, username="x", known_hosts=None, config=None,
            client_keys=None, agent_path=None, password_auth=False, preferred_auth="keyboard-interactive",
        )  # fmt: skip
    return raw.answer


GOOD = [
    ("rsa", "rsa-sha2-256"),
    ("rsa", "rsa-sha2-512"),
    ("ed25519", "ssh-ed25519"),
    ("ecdsa", "ecdsa-sha2-nistp256"),
]


@pytest.mark.parametrize(("key", "name"), GOOD)
async def test_names_that_agree_log_in(bare: BareListener, key: str, name: str) -> None:
    """Else the tests below would pass with a listener that lets nobody in."""
    assert await answer(bare, key, name, None) == OFFER_OK
    assert await answer(bare, key, name, name) == SUCCESS


@pytest.mark.parametrize(
    ("key", "outer", "inner"),
    [
        ("rsa", "ssh-rsa", "ssh-rsa"),
        ("rsa", "ssh-rsa", "rsa-sha2-256"),
        ("rsa", "rsa-sha2-256", "ssh-rsa"),
        ("rsa", "rsa-sha2-512", "ssh-rsa"),
        ("rsa", "rsa-sha2-512", "rsa-sha2-256"),
        ("rsa", "rsa-sha2-256", "rsa2048-sha256"),
        ("rsa", "ssh-rsa-sha256@ssh.com", "ssh-rsa-sha256@ssh.com"),
        ("rsa", "ssh-ed25519", "rsa-sha2-256"),
        ("ed25519", "rsa-sha2-256", "ssh-ed25519"),
        ("ed25519", "ssh-rsa", "ssh-ed25519"),
        ("ed25519", "ecdsa-sha2-nistp256", "ssh-ed25519"),
        ("ed25519", "nothing known", "ssh-ed25519"),
        ("ed25519", "", "ssh-ed25519"),
        ("ed25519", "ssh-ed25519-cert-v01@openssh.com", "ssh-ed25519"),
        ("ecdsa", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp256"),
    ],
)
async def test_a_signature_logs_in_under_its_own_name_only(
    bare: BareListener, key: str, outer: str, inner: str
) -> None:
    assert await answer(bare, key, outer, inner) == FAILURE


@pytest.mark.parametrize("outer", ["ssh-rsa", "rsa2048-sha256", "ssh-ed25519", "ssh-dss"])
async def test_a_key_offered_under_a_name_that_would_not_log_in_is_refused_at_once(
    bare: BareListener, outer: str
) -> None:
    assert await answer(bare, "rsa", outer, None) == FAILURE


async def test_the_kind_inside_the_key_counts_too(bare: BareListener) -> None:
    for kind in ("rsa-sha2-256", "ssh-ed25519", "ecdsa-sha2-nistp256"):
        assert await answer(bare, "rsa", "rsa-sha2-256", "rsa-sha2-256", kind) == FAILURE


@pytest.mark.parametrize("key", sorted(KEYS))
async def test_no_other_pair_of_names_logs_in(bare: BareListener, key: str) -> None:
    names = [*SIGNATURES, "ssh-rsa", "ssh-dss"]
    inner = [name for name in names if name.encode() in KEYS[key].all_sig_algorithms]
    came = {(outer, one) for outer in names for one in inner if await answer(bare, key, outer, one) == SUCCESS}
    assert came == {(name, name) for kind, name in GOOD if kind == key}


async def test_a_request_that_ends_too_soon_is_a_failed_one(bare: BareListener) -> None:
    class Short(Raw):
        def kbdint_auth_requested(self) -> str | None:
            self.conn.try_next_auth = lambda **_: None
            raw.take_over_login(self.conn, self)
            body = String(b"x") + String(b"ssh-connection") + String(b"publickey") + Boolean(True)
            self.conn.send_packet(USERAUTH_REQUEST, body + String(b"ssh-ed25519"))
            return None

    assert await answered(bare, Short(KEYS["ed25519"], "ssh-ed25519", None, None)) == FAILURE
