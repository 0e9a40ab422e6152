"""CPU time and memory of another process, read from the kernel."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path


def cpu_s(pid: int) -> float:
    """Return the seconds of CPU a process has used so far, all threads, living ones only (nanosecond clock)."""
    total = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        try:
            total += int((task / "schedstat").read_text().split()[0])
        except (FileNotFoundError, ProcessLookupError):
            continue
    return total / 1e9


def rss_kb(pid: int) -> int:
    """Return a process's resident memory in kB (1,024 bytes)."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise ProcessLookupError(pid)


def children(pid: int) -> list[int]:
    """Return the processes that another one has started, and that still run."""
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except (FileNotFoundError, ProcessLookupError):
        return []


def open_files(pid: int) -> list[str]:
    """Return what a process has open, as /proc names it, without the database and the pipes to its children.

    Those are made once and stay.
    """
    pipes = {file for child in children(pid) for file in _links(child) if file.startswith("pipe:")}
    return [file for file in _links(pid) if "/patchbay.db" not in file and file not in pipes]


def _links(pid: int) -> list[str]:
    found = []
    with suppress(FileNotFoundError):  # it has ended, or a file was closed meanwhile
        for fd in Path(f"/proc/{pid}/fd").iterdir():
            with suppress(FileNotFoundError):
                found.append(os.readlink(fd))
    return found


def named_with_ends(pid: int, files: Iterable[str]) -> list[str]:
    """Return the names of open files, of TCP sockets with their ports and state: an inode alone tells nothing."""
    ends = _tcp_ends(pid)
    return [f"{file} {ends[file]}" if file in ends else file for file in files]


def _tcp_ends(pid: int) -> dict[str, str]:
    """Return of each TCP socket its own port, the other side's, and its state as the kernel numbers it (1: open)."""
    found = {}
    for kind in ("tcp", "tcp6"):
        with suppress(FileNotFoundError):
            for line in Path(f"/proc/{pid}/net/{kind}").read_text().splitlines()[1:]:
                _, own, other, state, *_, inode = line.split()[:10]
                ports = (int(end.rpartition(":")[2], 16) for end in (own, other))
                found[f"socket:[{inode}]"] = "port {} to {}, state {}".format(*ports, int(state, 16))
    return found
