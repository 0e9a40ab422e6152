"""Counts of connections shared by the processes of one machine: a memory-mapped file with a region for each.

Each process writes only its own region and reads the others, so there are no locks; a count may be off by one for a
moment. A process that starts clears its region.
"""

from __future__ import annotations

import hashlib
import mmap
import struct
from pathlib import Path

SLOTS = 16_384
PROBES = 32  # slots that a source may use; when all are taken only its own process counts it
SLOT = struct.Struct("<QII")  # the source's hash (0: free), before the login, inside
REGION = 16 + SLOTS * SLOT.size  # a header: how many are before the login in all


def create(path: Path, processes: int) -> None:
    """Create the file, all zero; processes that have mapped an older one keep it."""
    path.unlink(missing_ok=True)
    with path.open("wb") as file:
        file.truncate(processes * REGION)


class Tally:
    """One process's view: its own counts, and the others'."""

    def __init__(self, path: Path, number: int) -> None:
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), 0)
        self._base = number * REGION
        self.processes = len(self._memory) // REGION
        self._others = [base for base in range(0, len(self._memory), REGION) if base != self._base]
        self._memory[self._base : self._base + REGION] = bytes(REGION)

    def store(self, source: str, knocking: int, inside: int, total_knocking: int) -> None:
        """Store this process's counts of a source."""
        struct.pack_into("<Q", self._memory, self._base, total_knocking)
        code = _hash(source)
        slot = self._slot(code)
        if slot is not None:
            kept = code if knocking or inside else 0
            SLOT.pack_into(self._memory, slot, kept, knocking, inside)

    def _slot(self, code: int) -> int | None:
        """Return the offset of a source in the own region, or of a free slot; None: no room."""
        free = None
        for slot in _places(self._base, code):
            (found,) = struct.unpack_from("<Q", self._memory, slot)
            if found == code:
                return slot
            if found == 0 and free is None:
                free = slot
        return free

    def elsewhere(self, source: str) -> tuple[int, int]:
        """Return (knocking, inside) of a source in the other processes."""
        code, knocking, inside = _hash(source), 0, 0
        for base in self._others:
            for slot in _places(base, code):
                found, knocks, ins = SLOT.unpack_from(self._memory, slot)
                if found == code:
                    knocking, inside = knocking + knocks, inside + ins
                    break
        return knocking, inside

    def knocking_elsewhere(self) -> int:
        """Return how many connections of other processes are before the login."""
        return sum(int(struct.unpack_from("<Q", self._memory, base)[0]) for base in self._others)


def _hash(source: str) -> int:
    return int.from_bytes(hashlib.blake2b(source.encode(), digest_size=8).digest(), "little") or 1


def _places(base: int, code: int) -> list[int]:
    return [base + 16 + (code + step) % SLOTS * SLOT.size for step in range(PROBES)]
