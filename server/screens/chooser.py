"""Which row of a list is chosen, and which rows show: a value."""

from __future__ import annotations

from dataclasses import dataclass

from server.boards import keymap


@dataclass(frozen=True, slots=True)
class Chooser:
    """The chosen row of a list, and the first row that shows."""

    index: int = 0
    top: int = 0

    def clamp(self, count: int) -> Chooser:
        """Return the chooser for a list that has so many rows now."""
        return Chooser(max(0, min(self.index, count - 1)), self.top)

    def window(self, count: int, rows: int) -> range:
        """Return the rows that show when there is room for `rows` of them; the chosen one is among them."""
        top = max(0, min(self.top, self.index, count - rows))
        if self.index >= top + rows:
            top = self.index - rows + 1
        return range(top, min(count, top + rows))

    def press(self, key: str, count: int, rows: int = 10) -> Chooser | None:
        """Return the chooser after a key of a list, or None for another key."""
        match keymap.command("list", key):
            case "move":
                step = -1 if key in ("up", "k") else 1
            case "page":
                step = -rows if key == "page up" else rows
            case "ends":
                step = -count if key == "home" else count
            case _:
                return None
        moved = Chooser(self.index + step, self.top).clamp(count)
        return Chooser(moved.index, moved.window(count, rows).start)

    def at(self, index: int, count: int) -> Chooser:
        """Return the chooser with another row chosen."""
        return Chooser(index, self.top).clamp(count)
