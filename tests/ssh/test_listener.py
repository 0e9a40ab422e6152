"""The listener, tried with the real OpenSSH client: who is let in, as whom, and what is refused."""

from __future__ import annotations

import asyncio
import errno
import json
import os
from collections.abc import AsyncIterator
from pathlib import Path

import asyncssh
import pexpect
import pytest

from server.admission.gate import Reason
from server.config import Limits, host_keys_beside
from server.hostkeys.files import HostKeyError, load_or_make, load_or_make_all
from server.ssh.algorithms import algorithm_options
from tests.contracts import raw
from tests.ssh.bare import BareListener, bare_listener, connect
from tests.ssh.client import fingerprint, new_key, run, ssh_options
from tests.waiting import PATIENCE_S


@pytest.fixture
async def bare() -> AsyncIterator[BareListener]:
    async with bare_listener() as found:
        yield found


# Who one is


async def test_a_key_is_who_one_is(bare: BareListener, tmp_path: Path) -> None:
    key = new_key(tmp_path, "id")
    who = await bare.whoami(key=key, user="Mira")
    assert who["key"] == fingerprint(key)
    assert who["wanted_handle"] == "Mira"


async def test_no_key_is_a_guest(bare: BareListener) -> None:
    assert (await bare.whoami())["key"] is None


@pytest.mark.parametrize(
    ("algorithm", "more"),
    [("ecdsa-sha2-nistp256", {}), ("ssh-rsa", {"key_size": 2048})],
)
async def test_usual_keys_are_welcome(bare: BareListener, tmp_path: Path, algorithm: str, more: dict[str, int]) -> None:
    key = new_key(tmp_path, "id", algorithm, **more)
    assert (await bare.whoami(key=key))["key"] == fingerprint(key)


async def test_a_short_rsa_key_is_no_account(bare: BareListener, tmp_path: Path) -> None:
    key = new_key(tmp_path, "id", "ssh-rsa", key_size=1024)
    assert (await bare.whoami(key=key))["key"] is None


def pretend(folder: Path, victim: Path, name: str = "stolen") -> Path:
    """Make what somebody has who knows a victim's public key only: that, beside another private key."""
    other = new_key(folder, name)
    Path(f"{other}.pub").write_text(Path(f"{victim}.pub").read_text())
    return other


async def test_a_key_offered_but_not_owned_is_a_guest(bare: BareListener, tmp_path: Path) -> None:
    victim = new_key(tmp_path, "victim")
    thief = pretend(tmp_path, victim)
    assert (await bare.whoami(key=thief))["key"] is None


async def test_a_public_key_alone_is_a_guest(bare: BareListener, tmp_path: Path) -> None:
    victim = new_key(tmp_path, "victim")
    alone = tmp_path / "alone.pub"
    alone.write_text(Path(f"{victim}.pub").read_text())
    assert (await bare.whoami(key=alone))["key"] is None


async def test_an_own_key_after_a_victims_is_the_own_one(bare: BareListener, tmp_path: Path) -> None:
    victim, own = new_key(tmp_path, "victim"), new_key(tmp_path, "own")
    thief = pretend(tmp_path, victim)
    who = await bare.whoami(key=thief, options=("-i", str(own)))
    assert who["key"] in (fingerprint(own), None)
    assert who["key"] != fingerprint(victim)


# What one gets


async def test_a_terminal_is_described_by_the_client(bare: BareListener) -> None:
    client: pexpect.spawn[bytes] = pexpect.spawn(
        "ssh",
        ["-t", "-o", "SendEnv=NO_COLOR LANG SECRET", *ssh_options(bare.port, None), "x@127.0.0.1", "hello"],
        env={"TERM": "xterm-256color", "NO_COLOR": "1", "LANG": "zh_CN.UTF-8", "SECRET": "s", "PATH": "/usr/bin:/bin"},
        dimensions=(30, 100),
        timeout=PATIENCE_S,
    )
    await client.expect(pexpect.EOF, async_=True)
    assert client.before is not None
    said = json.loads(client.before)
    assert said["size"] == [100, 30]
    assert said["env"] == {"NO_COLOR": "1", "LANG": "zh_CN.UTF-8"}
    assert said["colors"] == 1


async def test_a_program_talks_in_lines_and_gets_the_exit_status(bare: BareListener) -> None:
    status, out, _ = await run(bare.command("echo"), stdin=b"one\n" + b"x" * 70_000 + b"\ntwo")
    assert out.splitlines()[1:] == ["one", "TOO LONG", "two"]
    assert status == 7


@pytest.mark.parametrize("options", [("-s",), ("-N", "-L", "0:127.0.0.1:1", "-o", "ExitOnForwardFailure=yes")])
async def test_no_subsystems(bare: BareListener, options: tuple[str, ...]) -> None:
    status, out, _ = await bare.ssh("sftp", options=("-s",))
    assert status == 255
    assert out == ""


async def test_no_remote_forwarding(bare: BareListener) -> None:
    options = ("-o", "ExitOnForwardFailure=yes", "-R", "0:127.0.0.1:1")
    status, _, err = await bare.ssh("whoami", options=options)
    assert status == 255
    assert "forwarding failed" in err


async def test_no_local_forwarding(bare: BareListener) -> None:
    async with connect(bare) as conn:
        with pytest.raises(asyncssh.ChannelOpenError):
            await conn.open_connection("127.0.0.1", bare.port)
        with pytest.raises(asyncssh.ChannelOpenError):
            await conn.open_unix_connection("/tmp/x")


async def test_no_agent_and_no_x11_forwarding(bare: BareListener) -> None:
    async with connect(bare, agent_forwarding=True, agent_path="/nowhere") as conn:
        result = await conn.run("whoami", check=True)
        assert "key" in str(result.stdout)
        with pytest.raises(asyncssh.ChannelOpenError):
            await conn.run("whoami", x11_forwarding=True, x11_display="127.0.0.1:99")


async def test_a_command_line_over_the_limit_is_refused_before_it_runs(bare: BareListener) -> None:
    status, out, _ = await bare.ssh("x" * 4096)
    assert (status, len(json.loads(out)["command"])) == (0, 4096)
    status, out, _ = await bare.ssh("x" * 4097)
    assert (status, out) == (255, "")


async def test_one_terminal_and_two_sessions_a_connection(bare: BareListener) -> None:
    async with connect(bare) as conn:
        await conn.create_process("wait", term_type="xterm")
        with pytest.raises(asyncssh.ChannelOpenError):
            await conn.create_process("wait", term_type="xterm")
    async with connect(bare) as conn:
        first = await conn.create_process("wait")
        await conn.create_process("wait")
        with pytest.raises(asyncssh.ChannelOpenError):
            await conn.create_process("wait")
        first.close()
        await first.wait_closed()
        assert "key" in str((await conn.run("whoami")).stdout)


async def test_a_second_shell_on_one_channel_is_refused(bare: BareListener) -> None:
    async with connect(bare) as conn:
        process = await conn.create_process("wait")
        assert not await raw.make_request(process.channel, b"shell")
        assert not await raw.make_request(process.channel, b"exec", b"\0\0\0\1x")


async def test_the_environment_is_bounded(bare: BareListener) -> None:
    env = {"LANG": "x" * 257, "LC_ALL": "x" * 256, "LD_PRELOAD": "evil", **{f"V{n}": "1" for n in range(500)}}
    async with connect(bare) as conn:
        said = json.loads(str((await conn.run("hello", env=env)).stdout))
    assert said["env"] == {"LC_ALL": "x" * 200}


def test_nothing_weak_is_offered() -> None:
    offered = [name for names in algorithm_options().values() for name in names or ()]
    assert "mlkem768x25519-sha256" in offered
    assert "curve25519-sha256" in offered
    assert not [name for name in offered if "cbc" in name or "sha1" in name or "md5" in name or name == "ssh-rsa"]
    options = algorithm_options()
    assert options["kex_algs"][0] == "curve25519-sha256"
    etm = [name.endswith("-etm@openssh.com") for name in options["mac_algs"]]
    assert etm == sorted(etm, reverse=True), "encrypt-then-MAC first"
    assert all("gcm" in name or "ctr" in name for name in options["encryption_algs"]), "the others need it"


async def test_ctrl_c_ends_a_command_on_a_terminal(bare: BareListener) -> None:
    client = pexpect.spawn("ssh", ["-tt", *ssh_options(bare.port, None), "x@127.0.0.1", "wait"], timeout=PATIENCE_S)
    await client.expect('"command":"wait"', async_=True)
    client.send("\x03")
    await client.expect(pexpect.EOF, async_=True)
    client.close()
    assert client.exitstatus == 130


# Limits


async def test_guessing_ends_the_connection(bare: BareListener, tmp_path: Path) -> None:
    keys = [new_key(tmp_path, f"k{n}", "ssh-rsa", key_size=1024) for n in range(8)]
    with pytest.raises(asyncssh.DisconnectError, match="Too many authentication attempts"):
        await asyncssh.connect(
            "127.0.0.1", bare.port, username="x", known_hosts=None, config=None, client_keys=keys, agent_path=None,
            preferred_auth="publickey", signature_algs=["rsa-sha2-256"],
        )  # fmt: skip


async def test_connections_that_never_log_in_are_counted_by_source() -> None:
    async with bare_listener(Limits(unauthenticated_per_source=3)) as bare:
        idle = [await asyncio.open_connection("127.0.0.1", bare.port) for _ in range(3)]
        for reader, _ in idle:
            assert (await reader.readline()).startswith(b"SSH-2.0-")
        reader, writer = await asyncio.open_connection("127.0.0.1", bare.port)
        assert Reason.NOT_LOGGED_IN.format(count=3).encode() in await reader.read()
        other = await asyncio.open_connection("127.0.0.1", bare.port, local_addr=("127.0.0.9", 0))
        assert (await other[0].readline()).startswith(b"SSH-2.0-"), "others still get in"
        for _, each in [*idle, (reader, writer), other]:
            each.close()
        async with asyncio.timeout(PATIENCE_S):
            while bare.listener.gate.knocking:
                await asyncio.sleep(0)
        assert (await bare.whoami())["key"] is None


async def test_connections_that_logged_in_are_counted_by_source() -> None:
    async with bare_listener(Limits(connections_per_source=2)) as bare:
        async with connect(bare) as first, connect(bare) as second:
            for connection in (first, second):
                await connection.create_process("wait")
            status, out, _ = await bare.ssh("whoami")
            assert (status, out) == (255, "")
        async with asyncio.timeout(PATIENCE_S):
            while bare.listener.gate.inside:
                await asyncio.sleep(0)
        assert (await bare.ssh("whoami"))[0] == 0


async def test_who_does_not_log_in_is_sent_away() -> None:
    async with bare_listener(Limits(login_timeout_s=0.3)) as bare:
        reader, writer = await asyncio.open_connection("127.0.0.1", bare.port)
        assert (await reader.readline()).startswith(b"SSH-2.0-")
        async with asyncio.timeout(PATIENCE_S):
            await reader.read()
        writer.close()


async def test_a_client_that_never_reads_is_cut_off() -> None:
    async with bare_listener(Limits(stall_s=0.1, buffer_bytes=1024)) as bare:
        async with connect(bare) as conn:
            process = await conn.create_process("flood", encoding=None)
            process.channel.pause_reading()
            async with asyncio.timeout(PATIENCE_S):
                await conn.wait_closed()
        assert not bare.listener.clients


# The host key


def test_the_host_keys_of_other_kinds_are_made_once_too_unless_the_first_is_of_that_kind(tmp_path: Path) -> None:
    first = load_or_make_all(tmp_path / "host_key")
    assert [key.get_algorithm() for key in first] == ["ssh-ed25519", "ecdsa-sha2-nistp256", "ssh-rsa"]
    assert all(file.stat().st_mode & 0o77 == 0 for file in host_keys_beside(tmp_path / "host_key"))
    assert [key.get_fingerprint() for key in load_or_make_all(tmp_path / "host_key")] == [
        key.get_fingerprint() for key in first
    ]
    asyncssh.generate_private_key("ecdsa-sha2-nistp256").write_private_key(tmp_path / "own")
    kinds = [key.get_algorithm() for key in load_or_make_all(tmp_path / "own")]
    assert kinds == ["ecdsa-sha2-nistp256", "ssh-rsa"]


def test_the_host_key_is_made_once(tmp_path: Path) -> None:
    first = load_or_make(tmp_path / "var" / "host_key")
    assert (tmp_path / "var" / "host_key").stat().st_mode & 0o77 == 0
    assert load_or_make(tmp_path / "var" / "host_key").get_fingerprint() == first.get_fingerprint()


@pytest.mark.parametrize("content", ["", "not a key", "-----BEGIN OPENSSH PRIVATE KEY-----\n"])
def test_a_host_key_that_cannot_be_read_is_never_replaced(tmp_path: Path, content: str) -> None:
    path = tmp_path / "host_key"
    path.write_text(content)
    with pytest.raises(HostKeyError):
        load_or_make(path)
    assert path.read_text() == content


def test_a_host_key_is_made_after_a_start_that_was_killed_while_making_one(tmp_path: Path) -> None:
    for name in (f"host_key.new-{os.getpid()}", "host_key.new-1"):
        (tmp_path / name).write_text("half a k")
    made = load_or_make(tmp_path / "host_key")
    assert load_or_make(tmp_path / "host_key").get_fingerprint() == made.get_fingerprint()


def test_a_full_disk_leaves_no_half_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(file: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(HostKeyError, match="No space left"):
            load_or_make(tmp_path / "host_key")
    assert list(tmp_path.iterdir()) == []


def test_a_host_key_that_points_nowhere_stops_the_start(tmp_path: Path) -> None:
    (tmp_path / "host_key").symlink_to(tmp_path / "gone")
    with pytest.raises(HostKeyError):
        load_or_make(tmp_path / "host_key")
    assert not (tmp_path / "gone").exists()
