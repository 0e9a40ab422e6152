"""A bound on what all clients of a process have not read: the greediest network is closed first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Generic, Protocol, TypeVar

from server.accounts.sources import Sources, share_of

GOAL = 0.9  # of the bound: what is left when connections were closed for it


class Receiver(Protocol):
    """A connection to a client that may read slowly."""

    @property
    def source(self) -> str:
        """Return the address."""
        ...

    @property
    def waiting_bytes(self) -> int:
        """Return what the client has not read."""
        ...

    def abort(self) -> None:
        """End it at once."""
        ...


R = TypeVar("R", bound=Receiver)


class UnsentBudget(Generic[R]):
    """Looks at what clients have not read, and aborts some of them where it is too much in all."""

    def __init__(self, most: int, readers: Callable[[], Iterable[R]], is_cut_off: Callable[[R], None]) -> None:
        """`most`: bytes; `readers`: returns the connections there are; `is_cut_off`: told of one that is aborted."""
        self._most = most
        self._readers = readers
        self._is_cut_off = is_cut_off

    async def enforce(self) -> None:
        """Close what `victims` names, if the bound is passed."""
        waiting = [(reader, size) for reader in self._readers() if (size := reader.waiting_bytes)]
        if sum(size for _, size in waiting) > self._most:
            for reader in victims(waiting, round(self._most * GOAL)):
                self._is_cut_off(reader)
                reader.abort()


def victims(waiting: Sequence[tuple[R, int]], most: int) -> list[R]:
    """Return which of these connections to close so that at most `most` bytes wait.

    Each is the one with most of the network that has most for its budget at that moment.
    """
    networks = [Sources.of((reader.source,)).names for reader, _ in waiting]
    load: Counter[str] = Counter()
    inside: dict[str, list[int]] = {}  # network -> its connections, the one with least first
    for index in sorted(range(len(waiting)), key=lambda one: waiting[one][1]):
        for name in networks[index]:
            load[name] += waiting[index][1]
            inside.setdefault(name, []).append(index)
    chosen: dict[int, None] = {}
    total = sum(size for _, size in waiting)
    while total > most:
        greediest = max(load, key=lambda name: load[name] / share_of(name))
        index = inside[greediest].pop()
        if index in chosen:
            continue
        chosen[index] = None
        total -= waiting[index][1]
        for name in networks[index]:
            load[name] -= waiting[index][1]
    return [waiting[index][0] for index in chosen]
