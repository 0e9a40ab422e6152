"""A fair queue for a few places: taken in turn by network, in a network by person, in a person by match."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count, pairwise

QueuePath = tuple[str, ...]  # networks from the widest inwards, person, match: on whose account a place is taken


@dataclass(slots=True)
class QueueNode:
    """One network, person or match: how many wait, how many have a place, and since when it waits (`turn`)."""

    name: str
    turn: int
    waiting: int = 0
    busy: int = 0
    below: dict[str, QueueNode] = field(default_factory=dict)
    asking: deque[asyncio.Future[None]] = field(default_factory=deque)


class FairQueue:
    """Gives out places. Whoever had none goes before who has one or has just had one, at each step of the path.

    So of two networks that wait, neither waits for more than one turn of the other, however much the other asks for;
    the same holds for what is in a network, whose turns it shares, and for the matches of a person. No path is the
    beginning of another one.
    """

    def __init__(self, places: int) -> None:
        self._free = places
        self._turns = count()
        self._root = QueueNode("", 0)

    @property
    def waiting(self) -> int:
        """Return how many wait for a place."""
        return self._root.waiting

    @property
    def is_idle(self) -> bool:
        """Tell whether nobody waits or has a place; then nothing is kept of anybody."""
        return not self._root.below

    @property
    def free(self) -> int:
        """Return how many places nobody holds."""
        return self._free

    @asynccontextmanager
    async def place(self, paths: Sequence[QueuePath]) -> AsyncIterator[None]:
        """Wait for a place and hold it for the block. `paths`: on whose account; of several the least burdened."""
        nodes = self._nodes(min(paths, key=self._burden))
        called: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        nodes[-1].asking.append(called)
        for node in nodes:
            node.waiting += 1
        self._call()
        try:
            await called
            yield
        finally:
            if called.cancelled():
                self._withdraw(nodes, called)
            else:
                self._give_back(nodes)

    def _burden(self, path: QueuePath) -> tuple[int, ...]:
        """Return how much each node of a path has or waits for."""
        node: QueueNode | None = self._root
        found = []
        for name in path:
            node = None if node is None else node.below.get(name)
            found.append(0 if node is None else node.waiting + node.busy)
        return tuple(found)

    def _nodes(self, path: QueuePath) -> list[QueueNode]:
        """Return the nodes of a path, made where there are none."""
        nodes = [self._root]
        for name in path:
            if name not in nodes[-1].below:
                nodes[-1].below[name] = QueueNode(name, next(self._turns))
            nodes.append(nodes[-1].below[name])
        return nodes

    def _call(self) -> None:
        """Give the free places to those whose turn it is."""
        while self._free and self._root.waiting:
            nodes = [self._root]
            while nodes[-1].below:
                there = [node for node in nodes[-1].below.values() if node.waiting]
                nodes.append(min(there, key=lambda node: (node.busy, node.turn)))
            called = nodes[-1].asking.popleft()
            for node in nodes:
                node.waiting -= 1
            if not called.cancelled():  # else its task does not know yet
                called.set_result(None)
                self._free -= 1
                for node in nodes:
                    node.busy += 1

    def _give_back(self, nodes: Sequence[QueueNode]) -> None:
        """Take a place back; who held it goes behind all that wait now."""
        for node in nodes:
            node.busy -= 1
            node.turn = next(self._turns)
        self._free += 1
        self._forget(nodes)
        self._call()

    def _withdraw(self, nodes: Sequence[QueueNode], called: asyncio.Future[None]) -> None:
        """Forget somebody who does not wait any more."""
        if called in nodes[-1].asking:
            nodes[-1].asking.remove(called)
            for node in nodes:
                node.waiting -= 1
        self._forget(nodes)

    def _forget(self, nodes: Sequence[QueueNode]) -> None:
        """Drop the nodes that nothing is left of, the narrowest first."""
        for above, node in reversed([*pairwise(nodes)]):
            if not node.waiting and not node.busy and above.below.get(node.name) is node:
                del above.below[node.name]
