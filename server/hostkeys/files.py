"""The files of the server's host keys: generated once, never replaced."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import asyncssh

from server.config import host_keys_beside, next_host_keys

# How the other host keys are generated; config.py has their paths.
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


def has_all(path: Path) -> bool:
    """Tell whether each host key has its file."""
    return all(map(os.path.lexists, (path, *host_keys_beside(path))))


def load_existing(path: Path) -> list[asyncssh.SSHKey]:
    """Return the host keys that have files: this one, those beside it, then those that follow while they are rotated.

    Raises HostKeyError for one that can't be read.
    """
    return [key for _, key in present(path)]


def present(path: Path) -> list[tuple[Path, asyncssh.SSHKey]]:
    """Return the files that there are with their keys, in the same order. Raises HostKeyError."""
    every = (path, *host_keys_beside(path), *next_host_keys(path))
    return [(file, load(file)) for file in every if os.path.lexists(file)]


def make_next(path: Path) -> None:
    """Generate a key of each kind that follows the present one, where there is none yet. Raises HostKeyError."""
    for file, (kind, more) in zip(next_host_keys(path), (("ssh-ed25519", {}), *BESIDE), strict=True):
        load_or_make(file, kind, **more)


def use_next(path: Path) -> None:
    """Put each key that follows in the place of the present one, which is kept as `….old-FINGERPRINT`.

    May be run again after it was interrupted. Raises OSError.
    """
    for file, following in zip((path, *host_keys_beside(path)), next_host_keys(path), strict=True):
        if not os.path.lexists(following):
            continue
        if os.path.lexists(file):
            mark = "".join(filter(str.isalnum, load(file).get_fingerprint().removeprefix("SHA256:")))[:12]
            _move(file, file.with_name(f"{file.name}.old-{mark}"))
        _move(following, file)


def _move(source: Path, target: Path) -> None:
    os.replace(source, target)
    with contextlib.suppress(FileNotFoundError):
        os.replace(source.with_name(source.name + ".pub"), target.with_name(target.name + ".pub"))


def load_or_make(path: Path, kind: str = "ssh-ed25519", **more: Any) -> asyncssh.SSHKey:
    """Return the host key of this file; generate one if there is no file.

    Raises HostKeyError when the file exists and can't be read, or can't be written. It is not replaced: clients would
    warn of a man in the middle.
    """
    if not os.path.lexists(path):
        _make(path, asyncssh.generate_private_key(kind, comment="patchbay", **more))
    return load(path)


def load(path: Path) -> asyncssh.SSHKey:
    """Return the host key of a file. Raises HostKeyError when it can't be read."""
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
