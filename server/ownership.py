"""Files that commands run as root leave in the data directory: they are given to its owner, the server's user."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

OURS = ("patchbay.db*", "host_key*", "*.backup", "logs/patchbay*.log*")


def give_to_owner(folder: Path, others: Iterable[Path] = ()) -> None:
    """Give what root has made in a data directory, and `others`, to the directory's owner. Does nothing for others.

    Only plain files of root's with one name: a link in the directory could stand for any file of the machine.
    """
    if os.geteuid() != 0 or not folder.is_dir():
        return
    owner = folder.stat()
    for path in (*(path for pattern in OURS for path in folder.glob(pattern)), *others):
        with suppress(OSError):
            file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            try:
                found = os.fstat(file)
                if stat.S_ISREG(found.st_mode) and found.st_nlink == 1 and found.st_uid == 0:
                    os.fchown(file, owner.st_uid, owner.st_gid)
            finally:
                os.close(file)
