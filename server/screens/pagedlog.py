"""The log beside a board, paged back by what is shown of it."""

from __future__ import annotations

from dataclasses import replace

from server.boards import panel
from server.screens import matchpanel
from server.screens.matchpanel import MatchPanel
from server.terminal.lines import Line


class PagedLog:
    """How many of a log's newest lines are left out. `area`: columns and rows that log, watchers and chat have."""

    def __init__(self) -> None:
        self.skip = 0
        self.area = 1, 0

    def below(self, drawn: MatchPanel, cols: int, left: int) -> list[Line]:
        """Draw what stands below the players, as `matchpanel.below`, and keep its area."""
        self.area = cols, left
        return matchpanel.below(drawn, cols, left)

    def page(self, drawn: MatchPanel, is_back: bool) -> None:
        """Go back by a page, or forward. One line stays in sight."""
        rows = max(1, self._shown(drawn) - 1)
        self.scroll(drawn, rows if is_back else -rows)

    def scroll(self, drawn: MatchPanel, lines: int) -> None:
        """Go back by some lines, or forward: not past the log's ends."""
        self.skip = max(0, min(self.skip + lines, self._whole(drawn) - self._shown(drawn)))

    def stay(self, drawn: MatchPanel, known: int) -> None:
        """Keep the lines in place that show, where events have been added after the first `known` ones."""
        if self.skip:
            self.skip += self._whole(drawn) - self._whole(replace(drawn, events=drawn.events[:known]))

    def _shown(self, drawn: MatchPanel) -> int:
        """Return how many lines show where newer ones are left out."""
        return matchpanel.log_room(replace(drawn, log_skip=1), *self.area)

    def _whole(self, drawn: MatchPanel) -> int:
        return panel.log_count(drawn.board, drawn.snapshot, drawn.events, drawn.look, self.area[0])
