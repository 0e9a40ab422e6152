"""The server's own key: made once, never replaced by itself."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

import asyncssh


class HostKeyError(Exception):
    """There is a host key, and it can't be used; the message is one line for the admin."""


def load_or_make(path: Path) -> asyncssh.SSHKey:
    """Return the host key of this file; make one (Ed25519) where there is no file at all.

    Raises HostKeyError when the file is there and can't be read, or can't be made: players know this server by its
    key, so another one would tell all of them that somebody listens in.
    """
    if not os.path.lexists(path):
        _make(path)
    try:
        return asyncssh.read_private_key(path)
    except (OSError, asyncssh.KeyImportError, asyncssh.KeyEncryptionError, ValueError) as error:
        raise HostKeyError(f"the host key {path} can't be read ({error}); restore it from a backup") from None


def _make(path: Path) -> None:
    """Write a new key so that no half-written one can ever be found: a finished file gets the name, or none does."""
    key = asyncssh.generate_private_key("ssh-ed25519", comment="patchbay")
    fresh = path.with_name(f"{path.name}.new-{secrets.token_hex(4)}")  # no pid: in a container it is 1 every time
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(file, "wb") as out:
            out.write(key.export_private_key("openssh"))
            out.flush()
            os.fsync(out.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(fresh, path)  # not rename: it must not replace what another process made meanwhile
        key.write_public_key(path.with_name(path.name + ".pub"))
    except OSError as error:
        raise HostKeyError(f"no host key can be made in {path.parent} ({error})") from None
    finally:
        fresh.unlink(missing_ok=True)
