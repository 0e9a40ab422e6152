"""Which row of a list is chosen, and which rows show: a value."""

from __future__ import annotations

from dataclasses import dataclass, replace

from server.boards import keymap


@dataclass(frozen=True, slots=True)
class Chooser:
    """The chosen row of a list, and the first row that shows."""

    index: int = 0
    top: int = 0

    def clamp(self, count: int) -> Chooser:
        """Return the chooser for a list that has so many rows now."""
        return replace(self, index=max(0, min(self.index, count - 1)))

    def window(self, count: int, rows: int) -> range:
        """Return the rows that show when there is room for `rows` of them; the chosen one is among them."""
        top = min(self.top, self.index, max(0, count - rows))
        top = max(top, self.index - rows + 1)
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
        moved = replace(self, index=self.index + step).clamp(count)
        return replace(moved, top=moved.window(count, rows).start)

    def at(self, index: int, count: int) -> Chooser:
        """Return the chooser with another row chosen."""
        return replace(self, index=index).clamp(count)
