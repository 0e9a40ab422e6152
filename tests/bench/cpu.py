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


def count_open_files(pid: int, children: Iterable[int] = ()) -> int:
    """Return how many files a process has open, without those that are made once and stay.

    These are the database's, and the pipes to `children`.
    """
    pipes = {file for child in children for file in _open_files(child) if file.startswith("pipe:")}
    return len([file for file in _open_files(pid) if "/patchbay.db" not in file and file not in pipes])


def _open_files(pid: int) -> list[str]:
    found = []
    with suppress(FileNotFoundError):  # it has ended, or a file was closed meanwhile
        for fd in Path(f"/proc/{pid}/fd").iterdir():
            with suppress(FileNotFoundError):
                found.append(os.readlink(fd))
    return found
