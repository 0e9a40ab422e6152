"""Who comes for something that is not here reads one sentence that says what to do."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import asyncssh
import pexpect
import pyte
import pytest
from asyncssh.packet import Boolean, String

from server.config import Limits
from server.i18n import catalogues
from server.ssh.advice import NO_PASSWORDS, TOO_OLD, about_command
from tests.contracts import raw
from tests.ssh.bare import BareListener, bare_listener
from tests.ssh.client import new_key, run
from tests.ssh.server import Server, running
from tests.texts import en


@pytest.fixture
async def bare() -> AsyncIterator[BareListener]:
    async with bare_listener() as found:
        yield found


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("advice")) as found:
        yield found


def loud(command: list[str]) -> list[str]:
    return ["LogLevel=INFO" if word == "LogLevel=ERROR" else word for word in command]


COPY_ID = (
    "exec sh -c 'cd ; umask 077 ; mkdir -p .ssh && { [ -z `tail -1c .ssh/authorized_keys 2>/dev/null` ] || echo; }'"
)


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("mosh-server new -s -c 256 -l LANG=en_US.UTF-8", "advice.mosh"),
        ("scp -t /tmp", "advice.copy"),
        ("rsync --server -vlogDtpre.iLsfxCIvu . /tmp", "advice.copy"),
        ("/usr/lib/openssh/sftp-server", "advice.copy"),
        (COPY_ID, "advice.keys"),
        ("umask 077; test -d .ssh || mkdir .ssh ; cat >> .ssh/authorized_keys", "advice.keys"),
    ],
)
async def test_another_programs_command_is_answered_by_what_to_do_instead(server: Server, line: str, key: str) -> None:
    status, out, err = await server.ssh(line)
    assert (status, out) == (2, "")
    assert err.strip() == f"patchbay: {catalogues.catalogue('en').t(key, ssh=f'ssh -p {server.port} localhost')}"


def test_our_own_commands_are_nobody_elses() -> None:
    assert [about_command(line) for line in ("games --json", "bot", "nonsense", "", "exec")] == [None] * 5


async def test_sftp_and_scp_say_that_there_are_no_files(bare: BareListener, tmp_path: Path) -> None:
    status, out, err = await bare.ssh("sftp", options=("-s",))
    assert (status, out) == (255, "")
    assert en("advice.copy", ssh=f"ssh -p {bare.port} localhost") in err
    options = bare.command()[1:-1]
    at = options.index("-p")
    copying = ["scp", *options[:at], "-P", *options[at + 1 :], "x@127.0.0.1:x", str(tmp_path / "x")]
    status, _, err = await run(copying)
    assert status != 0
    assert en("advice.copy", ssh=f"ssh -p {bare.port} localhost") in err


async def test_a_second_terminal_of_a_shared_connection_says_how_to_open_one(server: Server, tmp_path: Path) -> None:
    """It got the list of commands, as if it had asked for that."""
    share = ("-o", f"ControlPath={tmp_path}/c", "-o", "ControlMaster=auto")
    first, *words = server.command(options=share)
    master = pexpect.spawn(first, words, timeout=60, dimensions=(24, 80))
    await master.expect("ssh-keygen -t ed25519", async_=True)
    second = pexpect.spawn(first, words, timeout=60, dimensions=(24, 80))
    await second.expect(f"ssh -S none -p {server.port} localhost", async_=True)
    await second.expect(pexpect.EOF, async_=True)
    second.close()
    master.close(force=True)
    assert second.exitstatus == 1


@pytest.mark.parametrize(("size", "said"), [(1024, "An RSA key under 2048 bits is no longer safe"), (2048, None)])
async def test_a_short_rsa_key_reads_why_it_opens_no_account(
    bare: BareListener, tmp_path: Path, size: int, said: str | None
) -> None:
    key = new_key(tmp_path, "id", "ssh-rsa", key_size=size)
    status, out, err = await run(loud(bare.command("whoami", key=key)))
    assert status == 0, "who has no key that counts is a guest"
    assert ('"key":null' in out) == (said is not None)
    assert (said in err) if said else ("patchbay:" not in err)


async def test_a_client_that_signs_by_sha1_reads_what_to_do(bare: BareListener) -> None:
    key = asyncssh.generate_private_key("ssh-rsa", key_size=2048)
    offer = String(b"publickey") + Boolean(False) + String(b"ssh-rsa") + String(key.public_data)
    assert await heard(bare, offer) == [f"patchbay: {TOO_OLD}\r\n"]


async def test_who_sends_a_password_reads_that_there_are_none(bare: BareListener) -> None:
    assert await heard(bare, String(b"password") + Boolean(False) + String(b"x")) == [f"patchbay: {NO_PASSWORDS}\r\n"]


class Asking(asyncssh.SSHClient):
    """Sends one request of its own making, twice, and notes what it is told before the second is refused."""

    def __init__(self, request: bytes) -> None:
        self.request = request
        self.heard: list[str] = []
        self.refused = 0

    def connection_made(self, conn: Any) -> None:
        self.conn = conn

    def auth_banner_received(self, msg: str, lang: str) -> None:
        self.heard.append(msg)

    def kbdint_auth_requested(self) -> str | None:
        self.conn.try_next_auth = self.ask
        self.ask()
        return None

    def ask(self, **_: Any) -> None:
        self.refused += 1
        raw.take_over_login(self.conn, self)
        if self.refused > 2:
            self.conn.abort()
        else:
            self.conn.send_packet(50, String(b"x") + String(b"ssh-connection") + self.request)

    def auth_failed(self) -> None: ...

    def cancel(self) -> None: ...


async def heard(bare: BareListener, request: bytes) -> list[str]:
    """Log in by a request that is refused; return what the server said meanwhile."""
    asking = Asking(request)
    with contextlib.suppress(asyncssh.Error, OSError):
        await asyncssh.connect(
            "127.0.0.1", bare.port, username="x", known_hosts=None, config=None, client_keys=None, agent_path=None,
            client_factory=lambda: asking, password_auth=False, preferred_auth="keyboard-interactive",
        )  # fmt: skip
    assert asking.refused == 3
    return asking.heard


async def test_too_many_keys_of_an_agent_say_how_to_name_one(tmp_path: Path) -> None:
    async with bare_listener(Limits(auth_attempts=3)) as bare:
        keys = [new_key(tmp_path, f"k{n}", "ssh-rsa", key_size=1024) for n in range(4)]
        options = [word for key in keys for word in ("-i", str(key))]
        status, _, err = await run(loud(bare.command("whoami", key=keys[0], options=tuple(options))))
        assert status == 255
        assert "-o IdentitiesOnly=yes" in err


async def test_a_guests_first_screen_and_me_say_how_to_make_a_key_and_fit(server: Server) -> None:
    first, *words = server.command()
    client: pexpect.spawn[bytes] = pexpect.spawn(first, words, timeout=60, dimensions=(24, 80))
    screen = pyte.Screen(80, 24)
    stream = pyte.ByteStream(screen)

    async def until(text: str) -> str:
        async with asyncio.timeout(60):
            while text not in "\n".join(screen.display):
                with contextlib.suppress(pexpect.TIMEOUT):
                    stream.feed(await asyncio.to_thread(client.read_nonblocking, 65536, 0.2))
        return "\n".join(screen.display)

    for said in ("Colours: ", "ssh-keygen -t ed25519", "PowerShell"):
        await until(said)
    client.send("\r")
    await until("Lobby")
    client.send("m")
    await until("ssh-keygen -t ed25519")
    client.close(force=True)
