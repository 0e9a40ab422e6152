"""A bare asyncssh server in a process of its own: the yardstick. It echoes, and writes to everybody when told.

Run as `python -m tests.bench.bare`; prints its port. A session's `shell` echoes what comes. Lines on standard input:
`fan N BYTES` makes N rounds of one write of BYTES bytes to each session; `tick SECONDS BYTES` makes one such write to
each a second, `SLOTS` times a second to some of them. Both answer `done`.
"""

from __future__ import annotations

import asyncio
import sys

import asyncssh

ALGORITHMS = {
    "kex_algs": ["curve25519-sha256"],
    "encryption_algs": ["aes256-gcm@openssh.com"],
    "compression_algs": ["none"],
    "mac_algs": ["hmac-sha2-256-etm@openssh.com"],
}
SLOTS = 20  # a second, as clocks tick together in ours


class Echo(asyncssh.SSHServerSession[bytes]):
    """One session that writes back what it reads."""

    everybody: set[Echo] = set()  # noqa: RUF012

    def connection_made(self, chan: asyncssh.SSHServerChannel[bytes]) -> None:
        self.chan = chan
        self.everybody.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.everybody.discard(self)

    def pty_requested(self, *_: object) -> bool:
        return True

    def shell_requested(self) -> bool:
        return True

    def data_received(self, data: bytes, datatype: int | None) -> None:
        self.chan.write(data)


class Open(asyncssh.SSHServer):
    """Lets everybody in."""

    def begin_auth(self, username: str) -> bool:
        return False

    def session_requested(self) -> Echo:
        return Echo()


async def main() -> None:
    server = await asyncssh.create_server(
        Open, "127.0.0.1", 0, server_host_keys=[asyncssh.generate_private_key("ssh-ed25519")], encoding=None,
        line_editor=False, **ALGORITHMS,
    )  # fmt: skip
    print(server.sockets[0].getsockname()[1], flush=True)
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        what, rounds, size = line.split()
        await (fan if what == b"fan" else tick)(int(rounds), b"x" * int(size))
        print("done", flush=True)


async def fan(rounds: int, frame: bytes) -> None:
    """Write to everybody, so many times."""
    for _ in range(rounds):
        for i, session in enumerate(list(Echo.everybody)):
            session.chan.write(frame)
            if i % 50 == 49:
                await asyncio.sleep(0)
        await asyncio.sleep(0.02)


async def tick(seconds: int, frame: bytes) -> None:
    """Write to everybody once a second."""
    loop, sessions = asyncio.get_running_loop(), list(Echo.everybody)
    began = loop.time()
    for n in range(seconds * SLOTS):
        await asyncio.sleep(max(0.0, began + n / SLOTS - loop.time()))
        for session in sessions[n % SLOTS :: SLOTS]:
            session.chan.write(frame)


if __name__ == "__main__":
    asyncio.run(main())
