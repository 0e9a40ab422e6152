"""The interface of a bus, and the bus of a single process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from server.callbacks import call_back
from server.store.columns import Json

Payload = Mapping[str, Json]
Heard = Callable[[Payload], None]


class Subscription(Protocol):
    """What `subscribe` gives back."""

    def close(self) -> None:
        """Unsubscribe. May be called twice."""
        ...


class Bus(Protocol):
    """Carries hints to every process of the server, the publisher's own too.

    A hint may be late, doubled or lost; it never arrives inside `publish` itself.
    """

    async def start(self) -> None: ...

    async def close(self) -> None: ...

    def publish(self, topic: str, payload: Payload) -> None:
        """Send a hint to all subscribers. Never waits, never fails."""
        ...

    def subscribe(self, topic: str, heard: Heard) -> Subscription:
        """Call `heard(payload)` on the loop for every hint on `topic`; it must not block."""
        ...

    @property
    def is_connected(self) -> bool:
        """Tell whether hints reach other processes now."""
        ...


@dataclass(eq=False, slots=True)
class TopicListener:
    """One subscription."""

    _exchange: Exchange
    topic: str
    heard: Heard

    def close(self) -> None:
        self._exchange.forget(self)


@dataclass(slots=True)
class Exchange:
    """The subscriptions of one process."""

    _listeners: dict[str, dict[TopicListener, None]] = field(default_factory=dict)

    def subscribe(self, topic: str, heard: Heard) -> TopicListener:
        listener = TopicListener(self, topic, heard)
        self._listeners.setdefault(topic, {})[listener] = None
        return listener

    def forget(self, listener: TopicListener) -> None:
        held = self._listeners.get(listener.topic, {})
        held.pop(listener, None)
        if not held:
            self._listeners.pop(listener.topic, None)

    def deliver(self, topic: str, payload: Payload) -> None:
        """Call the listeners; an exception in one does not stop the others."""
        for listener in tuple(self._listeners.get(topic, ())):
            call_back(listener.heard, payload)

    def deliver_soon(self, topic: str, payload: Payload) -> None:
        if topic in self._listeners:
            asyncio.get_running_loop().call_soon(self.deliver, topic, payload)


class LocalBus:
    """The bus of a server with one process."""

    is_connected = True

    def __init__(self) -> None:
        self._exchange = Exchange()

    async def start(self) -> None:
        return None

    async def close(self) -> None:
        return None

    def publish(self, topic: str, payload: Payload) -> None:
        self._exchange.deliver_soon(topic, payload)

    def subscribe(self, topic: str, heard: Heard) -> TopicListener:
        return self._exchange.subscribe(topic, heard)
