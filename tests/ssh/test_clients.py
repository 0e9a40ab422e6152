"""Clients as people have them: each comes in, as a guest and by its key, or docs/clients.md says why not.

A client that is not installed is skipped with a line that says so; with PATCHBAY_REQUIRE_SERVICES=1 it has to be there.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import warnings
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import asyncssh
import pytest
from asyncssh import connection, kex
from asyncssh.rsa import RSAKey

from tests.ssh.bare import HOST_KEYS, BareListener, bare_listener
from tests.ssh.client import Guest, fingerprint, new_key, run
from tests.waiting import PATIENCE_S

KEX_INIT = 30  # the packet a client begins a key exchange with
DEBIAN = {
    "dbclient": "dropbear-bin",
    "dropbearkey": "dropbear-bin",
    "plink": "putty-tools",
    "puttygen": "putty-tools",
    "/usr/bin/python3": "python3",
    "paramiko": "python3-paramiko",
    "curl": "curl",
}


def need(program: str) -> str:
    """Return the path of a client, or skip the test loudly; in CI it has to be there."""
    found = shutil.which(program)
    if found is not None:
        return found
    if os.environ.get("PATCHBAY_REQUIRE_SERVICES") == "1":
        pytest.fail(f"{program} is not installed (Debian: {DEBIAN[program]})")
    warnings.warn(f"{program} is NOT tried: it is not installed (Debian: {DEBIAN[program]})", stacklevel=2)
    pytest.skip(f"no {program}")


@pytest.fixture
async def bare() -> AsyncIterator[BareListener]:
    async with bare_listener() as found:
        yield found


async def said(command: list[str], env: dict[str, str] | None = None) -> dict[str, Any]:
    """Run a client that asks who it is; return the answer."""
    status, out, err = await run(command, timeout_s=60, env=env)
    assert status == 0, (command, out, err)
    found: dict[str, Any] = json.loads(out)
    return found


# OpenSSH, as machines of the state and others who are held to a list have it


@pytest.mark.parametrize(
    "only",
    [
        "KexAlgorithms=curve25519-sha256",
        "KexAlgorithms=ecdh-sha2-nistp256",
        "HostKeyAlgorithms=ecdsa-sha2-nistp256",
        "HostKeyAlgorithms=rsa-sha2-512",
        "HostKeyAlgorithms=rsa-sha2-256",
        "Ciphers=aes128-ctr,aes256-ctr MACs=hmac-sha2-256",
        "Ciphers=aes256-ctr MACs=hmac-sha2-512",
        "Ciphers=aes256-ctr MACs=hmac-sha2-512-etm@openssh.com",
        "KexAlgorithms=ecdh-sha2-nistp256 HostKeyAlgorithms=rsa-sha2-256 Ciphers=aes128-ctr MACs=hmac-sha2-256",
    ],
)
async def test_a_restricted_openssh_comes_in(bare: BareListener, tmp_path: Path, only: str) -> None:
    key = new_key(tmp_path, "id", "ecdsa-sha2-nistp256")
    options = [part for one in only.split() for part in ("-o", one)]
    assert (await bare.whoami(key=key, options=tuple(options)))["key"] == fingerprint(key)


@pytest.mark.parametrize(
    "only",
    [
        "KexAlgorithms=diffie-hellman-group14-sha1",
        "HostKeyAlgorithms=ssh-rsa",
        "Ciphers=aes128-cbc",
        "Ciphers=3des-cbc",
        "Ciphers=aes128-ctr MACs=hmac-sha1",
    ],
)
async def test_what_is_not_safe_any_more_is_not_spoken(bare: BareListener, only: str) -> None:
    options = [part for one in only.split() for part in ("-o", one)]
    command = bare.command("whoami", options=tuple(options))
    status, out, err = await run(["LogLevel=INFO" if word == "LogLevel=ERROR" else word for word in command])
    assert (status, out) == (255, "")
    assert "no matching" in err


async def test_a_host_key_signs_by_the_name_its_own_connection_chose(
    bare: BareListener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The library kept what one connection chose where the next one, meanwhile, put its own choice."""
    held: list[Callable[[], None]] = []
    signed: list[bytes] = []
    send, verify = asyncssh.SSHClientConnection.send_packet, RSAKey.verify_ssh

    def first_waits(conn: Any, kind: int, *args: bytes, handler: Any = None) -> None:
        if kind == KEX_INIT and not held:
            held.append(lambda: send(conn, kind, *args, handler=handler))
        else:
            send(conn, kind, *args, handler=handler)

    def note(key: Any, data: bytes, name: bytes, packet: Any) -> bool:
        signed.append(name)
        return verify(key, data, name, packet)

    monkeypatch.setattr(asyncssh.SSHClientConnection, "send_packet", first_waits)
    monkeypatch.setattr(RSAKey, "verify_ssh", note)
    first = asyncio.ensure_future(asyncssh.connect(**at(bare, server_host_key_algs=["rsa-sha2-256"])))
    async with asyncio.timeout(PATIENCE_S):
        while not held:
            await asyncio.sleep(0)
    async with asyncssh.connect(**at(bare, server_host_key_algs=["rsa-sha2-512"])):
        held[0]()
        (await first).abort()
    assert signed == [b"rsa-sha2-512", b"rsa-sha2-256"]


def at(bare: BareListener, **more: Any) -> dict[str, Any]:
    """Return the options of a guest with this library."""
    return {
        "host": "127.0.0.1", "port": bare.port, "username": "x", "known_hosts": None, "config": None,
        "client_keys": None, "agent_path": None, "client_factory": Guest, **more,
    }  # fmt: skip


@pytest.mark.parametrize("name", ["mlkem768x25519-sha256", "curve25519-sha256", "ecdh-sha2-nistp256"])
async def test_the_clients_preference_decides_on_the_key_exchange(
    bare: BareListener, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    used, get_kex = set[str](), kex.get_kex

    def noted(conn: Any, alg: bytes) -> Any:
        used.add(alg.decode())
        return get_kex(conn, alg)

    monkeypatch.setattr(connection, "get_kex", noted)
    others = ["curve25519-sha256", "ecdh-sha2-nistp256", "mlkem768x25519-sha256"]
    async with asyncssh.connect(**at(bare, kex_algs=[name, *(one for one in others if one != name)])) as conn:
        assert (await conn.run("whoami", check=True)).stdout
    assert used == {name}


# Dropbear


async def test_dropbear_comes_in_as_a_guest_and_by_its_key(bare: BareListener, tmp_path: Path) -> None:
    """It could not: it has no encrypt-then-MAC, and its guessed packet was taken for the real one."""
    client, maker = need("dbclient"), need("dropbearkey")
    _, made, err = await run([maker, "-t", "ed25519", "-f", str(tmp_path / "id")])
    assert "SHA256:" in made, err
    command = [client, "-y", "-y", "-p", str(bare.port), "mira@127.0.0.1", "whoami"]
    env = {**os.environ, "HOME": str(tmp_path)}
    assert (await said(command, env))["key"] is None
    who = await said([*command[:1], "-i", str(tmp_path / "id"), *command[1:]], env)
    assert who["wanted_handle"] == "mira"
    assert who["key"] in made


async def test_a_wrong_guess_of_a_client_is_thrown_away(bare: BareListener, tmp_path: Path) -> None:
    """A guess is wrong where the lists begin differently, though the same name may be agreed on in the end."""
    client = need("dbclient")
    for name in ("curve25519-sha256", "ecdh-sha2-nistp256"):
        bare.listener.options.kex_algs = [b"sntrup761x25519-sha512", name.encode()]
        command = [client, "-y", "-y", "-p", str(bare.port), "mira@127.0.0.1", "whoami"]
        assert (await said(command, {**os.environ, "HOME": str(tmp_path)}))["key"] is None


# PuTTY


async def test_puttys_login_as_is_the_wished_handle(bare: BareListener, tmp_path: Path) -> None:
    client, maker = need("plink"), need("puttygen")
    ppk, empty = tmp_path / "id.ppk", tmp_path / "empty"
    empty.touch()
    status, _, err = await run([maker, "-q", "-t", "ed25519", "-o", str(ppk), "--new-passphrase", str(empty)])
    assert status == 0, err
    _, made, _ = await run([maker, "-l", str(ppk)])
    trusted = [word for key in HOST_KEYS for word in ("-hostkey", key.get_fingerprint())]
    command = [client, "-batch", "-ssh", "-P", str(bare.port), *trusted, "-l", "Tarn"]
    env = {**os.environ, "HOME": str(tmp_path)}
    who = await said([*command, "127.0.0.1", "whoami"], env)
    assert (who["key"], who["wanted_handle"]) == (None, "Tarn")
    who = await said([*command, "-i", str(ppk), "127.0.0.1", "whoami"], env)
    assert who["wanted_handle"] == "Tarn"
    assert who["key"] in made


# Libraries

PARAMIKO = """
import sys, paramiko
port, path, user = int(sys.argv[1]), sys.argv[2], sys.argv[3]
transport = paramiko.Transport(("127.0.0.1", port))
transport.start_client(timeout=30)
if path:
    transport.auth_publickey(user, paramiko.Ed25519Key.from_private_key_file(path))
else:
    transport.auth_interactive(user, lambda title, instructions, prompts: [])
channel = transport.open_session()
channel.exec_command("whoami")
sys.stdout.write(channel.makefile("r").read().decode())
transport.close()
"""


async def test_paramiko_comes_in_as_a_guest_and_by_its_key(bare: BareListener, tmp_path: Path) -> None:
    python = need("/usr/bin/python3")
    if (await run([python, "-c", "import paramiko"]))[0] != 0:
        need("paramiko")
    key = new_key(tmp_path, "id")
    assert (await said([python, "-c", PARAMIKO, str(bare.port), "", "mira"]))["key"] is None
    who = await said([python, "-c", PARAMIKO, str(bare.port), str(key), "mira"])
    assert (who["key"], who["wanted_handle"]) == (fingerprint(key), "mira")


async def test_libssh2_comes_in_by_its_key(bare: BareListener, tmp_path: Path) -> None:
    """curl speaks SSH by libssh2, and only SFTP, which ends once it is logged in: there are no files here."""
    curl = need("curl")
    _, version, _ = await run([curl, "--version"])
    if "libssh2" not in version:
        pytest.skip("this curl has no libssh2")
    key = new_key(tmp_path, "id", "ecdsa-sha2-nistp256")
    came: list[tuple[str, str]] = []
    bare.listener.count = lambda kind, what: came.append((kind, what))
    command = [curl, "-sS", "-k", "--key", str(key), "--pubkey", f"{key}.pub", f"sftp://mira@127.0.0.1:{bare.port}/x"]
    status, _, err = await run(command)
    assert came == [("login", "key")], (status, err)
