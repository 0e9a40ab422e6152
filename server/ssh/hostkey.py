"""The server's host keys: generated once, never replaced."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import asyncssh

from server.config import host_keys_beside

# The other host keys and how they are generated; config.py has their paths.
BESIDE: tuple[tuple[str, Mapping[str, Any]], ...] = (("ecdsa-sha2-nistp256", {}), ("ssh-rsa", {"key_size": 3072}))

PROOF = b"patchbay"
# What an admin is told.
UNREADABLE = "the host key {path} can't be read ({error}); restore it from a backup"


class HostKeyError(Exception):
    """A host key exists and can't be used, or can't be written; the message is one line for the admin."""


def load_or_make_all(path: Path) -> list[asyncssh.SSHKey]:
    """Return the host key of this file, then those of other kinds beside it; generate missing ones.

    Raises HostKeyError as `load_or_make`.
    """
    keys = [load_or_make(path)]
    for file, (kind, more) in zip(host_keys_beside(path), BESIDE, strict=True):
        if all(key.get_algorithm() != kind for key in keys):
            keys.append(load_or_make(file, kind, **more))
    return keys


def load_or_make(path: Path, kind: str = "ssh-ed25519", **more: Any) -> asyncssh.SSHKey:
    """Return the host key of this file; generate one if there is no file.

    Raises HostKeyError when the file exists and can't be read, or can't be written. It is not replaced: clients would
    warn of a man in the middle.
    """
    if not os.path.lexists(path):
        _make(path, asyncssh.generate_private_key(kind, comment="patchbay", **more))
    try:
        key = asyncssh.read_private_key(path, unsafe_skip_rsa_key_validation=True)  # `_prove` takes its place
        _prove(key)
    except (OSError, asyncssh.KeyImportError, asyncssh.KeyEncryptionError, ValueError) as error:
        raise HostKeyError(UNREADABLE.format(path=path, error=error)) from None
    return key


def _prove(key: asyncssh.SSHKey) -> None:
    """Raise ValueError unless the key's halves belong together: sign something.

    The library would test an RSA key's factors for being prime, which takes 0.09 s of every start.
    """
    kind = key.sig_algorithms[0]
    if not key.convert_to_public().verify(PROOF, key.sign(PROOF, kind)):
        raise ValueError("its halves do not belong together")


def _make(path: Path, key: asyncssh.SSHKey) -> None:
    """Write a new key atomically: only a complete file gets the name."""
    fresh = path.with_name(f"{path.name}.new-{secrets.token_hex(4)}")  # not the pid: in a container it is always 1
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(file, "wb") as out:
            out.write(key.export_private_key("openssh"))
            out.flush()
            os.fsync(out.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(fresh, path)  # not rename: it must not replace another process's key
        key.write_public_key(path.with_name(path.name + ".pub"))
    except OSError as error:
        raise HostKeyError(f"no host key can be made in {path.parent} ({error})") from None
    finally:
        fresh.unlink(missing_ok=True)
