"""Counts of connections that the processes of one machine share: a small file in memory, one region for each.

Everybody writes only into its own region and reads the others', so there are no locks; a number that is read while it
changes is off by one for a moment. A process that starts empties its region, whatever its predecessor left there.
"""

from __future__ import annotations

import hashlib
import mmap
import struct
from pathlib import Path

SLOTS = 4096
PROBES = 32  # slots that one source may lie in; when all are taken it is counted by its own process only
SLOT = struct.Struct("<QII")  # the source's hash (0: free), knocking, inside
REGION = 16 + SLOTS * SLOT.size  # a header: how many knock in all


def create(path: Path, processes: int) -> None:
    """Make the file anew, all zero; who still looks at an older one keeps that."""
    path.unlink(missing_ok=True)
    with path.open("wb") as file:
        file.truncate(processes * REGION)


class Tally:
    """One process's view: what it counts itself, and what the others count."""

    def __init__(self, path: Path, number: int) -> None:
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), 0)
        self._base = number * REGION
        self._others = [base for base in range(0, len(self._memory), REGION) if base != self._base]
        self._memory[self._base : self._base + REGION] = bytes(REGION)

    def note(self, source: str, knocking: int, inside: int, total_knocking: int) -> None:
        """Write down what this process counts of a source now."""
        struct.pack_into("<Q", self._memory, self._base, total_knocking)
        code = _hash(source)
        slot = self._slot(code)
        if slot is not None:
            kept = code if knocking or inside else 0
            SLOT.pack_into(self._memory, slot, kept, knocking, inside)

    def _slot(self, code: int) -> int | None:
        """Return where a source lies in the own region, or a free place for it; None: no room."""
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
        """Return how many knock in all at the other processes."""
        return sum(int(struct.unpack_from("<Q", self._memory, base)[0]) for base in self._others)


def _hash(source: str) -> int:
    return int.from_bytes(hashlib.blake2b(source.encode(), digest_size=8).digest(), "little") or 1


def _places(base: int, code: int) -> list[int]:
    return [base + 16 + (code + step) % SLOTS * SLOT.size for step in range(PROBES)]
