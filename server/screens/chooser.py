"""Which row of a list is chosen, and which rows show: a value."""

from __future__ import annotations

from dataclasses import dataclass, replace

from server.boards import keymap


@dataclass(frozen=True, slots=True)
class Chooser:
    """The chosen row of a list, and the first row that shows.

    `turns_pages`: past an edge of the window comes the next page, not the next row. So it is where something stands
    beside the list: a terminal can't move a part of its rows.
    """

    index: int = 0
    top: int = 0
    turns_pages: bool = False

    def clamp(self, count: int) -> Chooser:
        """Return the chooser for a list that has so many rows now."""
        return replace(self, index=max(0, min(self.index, count - 1)))

    def window(self, count: int, rows: int) -> range:
        """Return the rows that show when there is room for `rows` of them; the chosen one is among them."""
        top, last_page = self.top, self.index - rows + 1  # that which has the chosen row at its end
        if self.index < top:
            top = last_page if self.turns_pages else self.index
        top = max(0, min(top, count - rows))
        if self.index >= top + rows:
            top = max(0, min(self.index, count - rows)) if self.turns_pages else last_page
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
