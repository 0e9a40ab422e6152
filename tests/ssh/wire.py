"""A byte channel that ends in a terminal emulator."""

from __future__ import annotations

import pyte


class WireTap:
    """Keeps what was written and shows it as a terminal would."""

    def __init__(self, cols: int = 80, rows: int = 24) -> None:
        self.terminal = pyte.Screen(cols, rows)
        self.stream = pyte.ByteStream(self.terminal)
        self.writes: list[bytes] = []
        self.paused = False

    def write(self, data: bytes) -> None:
        self.writes.append(data)
        self.stream.feed(data)

    def take(self) -> bytes:
        """Return what was written since the last call."""
        data = b"".join(self.writes)
        self.writes.clear()
        return data

    @property
    def rows(self) -> list[str]:
        return [row.rstrip() for row in self.terminal.display]
