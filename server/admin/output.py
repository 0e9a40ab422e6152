"""Files that admin commands write: whole or not at all, and nothing that exists is lost."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


class NotWritten(Exception):
    """A file can't be written here; the message is one line for the admin."""


@contextmanager
def whole_file(file: Path, *, replaces: bool) -> Iterator[BinaryIO]:
    """Write a file, readable by its owner only, that has its name once it is complete and on the disk.

    Raises NotWritten where there is something already, unless it is a plain file and `replaces`; OSError.
    """
    check_free(file, replaces=replaces)
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f".{file.name}.{secrets.token_hex(4)}.part")
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        check_free(file, replaces=replaces)
        if replaces:
            os.replace(part, file)
        else:
            _give_name(part, file)
    finally:
        part.unlink(missing_ok=True)


def check_free(file: Path, *, replaces: bool) -> None:
    """Raise NotWritten where something has this name, unless it is a plain file and `replaces`."""
    try:
        found = file.lstat()
    except FileNotFoundError:
        return
    if not stat.S_ISREG(found.st_mode):
        raise NotWritten(f"{file} is no plain file, and such a thing is never replaced; - is standard output")
    if not replaces:
        raise NotWritten(f"{file} exists; --force replaces it")


def _give_name(part: Path, file: Path) -> None:
    """Name a file without replacing another one that came meanwhile."""
    try:
        os.link(part, file)
    except FileExistsError:
        raise NotWritten(f"{file} exists; --force replaces it") from None
    except OSError:  # a file system without links
        os.rename(part, file)
