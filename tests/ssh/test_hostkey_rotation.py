"""Host keys in force: a lost one stops the start, and a rotation reaches clients that keep what they are told."""

from __future__ import annotations

import subprocess
from pathlib import Path

import asyncssh
import pytest
from asyncssh.packet import String

from server.config import next_host_keys
from server.hostkeys import files
from tests.contracts import raw
from tests.ssh.client import Guest, run
from tests.ssh.server import Server, running
from tests.waiting import until

PROVE = b"hostkeys-prove-00@openssh.com"


def fingerprints(server: Server) -> list[str]:
    """Return the fingerprints that the server printed at its start, in order."""
    return [line.split()[3] for line in server.said if ": host key " in line]


def known(file: Path) -> set[str]:
    """Return the fingerprints in a known_hosts file."""
    done = subprocess.run(["ssh-keygen", "-lf", str(file)], capture_output=True, text=True, check=True)
    return {line.split()[1] for line in done.stdout.splitlines()}


def client(server: Server, folder: Path, *options: str) -> list[str]:
    """Return the command of a player whose known_hosts is kept, without what is to be run."""
    command = ["ssh", "-F", "none", "-p", str(server.port), "-o", f"UserKnownHostsFile={folder / 'known_hosts'}"]
    command += ["-o", "UpdateHostKeys=yes", "-o", "IdentityAgent=none", "-o", "PubkeyAuthentication=no", *options]
    return [*command, "-T", "guest@127.0.0.1"]


async def come(server: Server, folder: Path, how: str) -> tuple[int, str]:
    """Come, checking the host key in that way; return the client's status and what it says."""
    status, _, err = await run([*client(server, folder, "-o", f"StrictHostKeyChecking={how}"), "whoami"])
    return status, err


async def stay_until_known(server: Server, folder: Path, keys: set[str]) -> None:
    """Stay with the server until the client has learned these keys."""
    with subprocess.Popen(client(server, folder, "-N", "-o", "StrictHostKeyChecking=yes")) as staying:
        try:
            await until(lambda: keys <= known(folder / "known_hosts"))
        finally:
            staying.terminate()


@pytest.mark.parametrize("lost", ["gone", "another one"])
def test_a_lost_host_key_was_replaced_in_silence(lost: str, tmp_path: Path) -> None:
    server = Server(tmp_path / "var")
    server.start()
    server.stop()
    file = server.data_dir / "host_key"
    before = files.load(file).get_fingerprint()
    file.unlink()
    if lost == "another one":
        files.load_or_make(file)
    with pytest.raises(AssertionError, match="did not start"):
        server.start()
    [said] = [line for line in server.errors().splitlines() if "can't start" in line]
    assert before in said
    assert "hostkeys accept" in said
    if lost == "gone":
        assert not file.exists()


async def test_a_lost_key_is_given_up_by_a_command(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        server.stop()
        file = server.data_dir / "host_key"
        file.unlink()
        files.load_or_make(file)
        status, out, _ = await server.beside("hostkeys", "accept")
        assert (status, files.load(file).get_fingerprint() in out) == (0, True)
        server.said.clear()
        server.start()
        assert fingerprints(server)[0] == files.load(file).get_fingerprint()


async def test_a_client_learns_the_next_key_during_a_rotation_and_stays_quiet_after_it(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        first = fingerprints(server)
        assert (await come(server, tmp_path, "accept-new"))[0] == 0
        assert first[0] in known(tmp_path / "known_hosts")
        status, _, err = await server.beside("hostkeys", "rotate")
        assert status == 0, err
        following = [files.load(file).get_fingerprint() for file in next_host_keys(server.data_dir / "host_key")]
        await until(lambda: "hostkeys.read" in server.errors())
        await stay_until_known(server, tmp_path, {*first, *following})
        server.stop()
        server.said.clear()
        server.start()
        assert fingerprints(server) == [*first, *following]
        assert (await server.beside("hostkeys", "rotate", "--finish"))[0] == 0
        server.stop()
        server.said.clear()
        server.start()
        assert fingerprints(server) == following
        status, err = await come(server, tmp_path, "yes")
        assert (status, "WARNING" in err) == (0, False)
        status, out, _ = await server.beside("hostkeys", "list", "--json")
        assert status == 0
        assert out.count('"retired":null') == len(following)
        assert all(one in out for one in first)


async def test_a_host_key_is_proved_once_for_a_connection(tmp_path: Path) -> None:
    """Each proof costs a signature: a client could ask for thousands in one packet."""
    with running(tmp_path) as server:
        connection = await asyncssh.connect(
            "127.0.0.1", server.port, known_hosts=None, client_factory=Guest, client_keys=None, config=None
        )
        async with connection:
            key = connection.get_server_host_key()
            assert key is not None
            blob = key.public_data
            assert await raw.make_global_request(connection, PROVE, String(blob))
            assert not await raw.make_global_request(connection, PROVE, String(blob))
            assert not await raw.make_global_request(connection, PROVE, String(b"x"), String(b"x"))
