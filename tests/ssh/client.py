"""SSH clients as tests use them: OpenSSH with keys of its own, and a guest of asyncssh."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import asyncssh

from tests.waiting import PATIENCE_S


class Guest(asyncssh.SSHClient):
    """A client without a key: it answers keyboard-interactive, which has no prompts."""

    def kbdint_auth_requested(self) -> str:
        return ""

    def kbdint_challenge_received(self, name: str, instructions: str, lang: str, prompts: object) -> list[str]:
        return []


def ssh_options(port: int, key: Path | None) -> list[str]:
    """Return options that keep the client away from this machine's own keys and settings."""
    options = ["-F", "none", "-p", str(port), "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null"]
    options += ["-o", "LogLevel=ERROR", "-o", "IdentityAgent=none", "-o", "IdentitiesOnly=yes"]
    return [*options, "-i", str(key)] if key else [*options, "-o", "PubkeyAuthentication=no"]


async def run(
    command: list[str], stdin: bytes | None = b"", timeout_s: float = PATIENCE_S, env: dict[str, str] | None = None
) -> tuple[int, str, str]:
    """Run a program to its end."""
    process = await asyncio.create_subprocess_exec(
        *command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, env=env
    )
    try:
        out, err = await asyncio.wait_for(process.communicate(stdin), timeout_s)
    except TimeoutError:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    assert process.returncode is not None
    return process.returncode, out.decode(), err.decode()


def new_key(folder: Path, name: str, algorithm: str = "ssh-ed25519", **more: Any) -> Path:
    """Make a key pair as ssh-keygen would; return the private file."""
    key = asyncssh.generate_private_key(algorithm, **more)
    path = folder / name
    key.write_private_key(path)
    path.chmod(0o600)
    key.write_public_key(f"{path}.pub")
    return path


def fingerprint(key: Path) -> str:
    """Return the fingerprint of a key file."""
    return str(asyncssh.read_public_key(f"{key}.pub").get_fingerprint("sha256"))
