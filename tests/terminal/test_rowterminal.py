"""The messages that a browser's page gets."""

from __future__ import annotations

import json
from typing import Any

from server.terminal.lines import plain
from server.terminal.meaning import Button, Meaning, TypedEntry
from server.terminal.rowterminal import RowTerminal, browser
from server.terminal.sheet import Frame, LineCanvas


class Kept:
    """A channel that keeps its messages."""

    def __init__(self) -> None:
        self.paused = False
        self.sent: list[dict[str, Any]] = []

    def write(self, data: bytes) -> None:
        self.sent += [json.loads(line) for line in data.splitlines()]

    def take(self) -> list[dict[str, Any]]:
        sent, self.sent = self.sent, []
        return sent


def canvas(*rows: str, meaning: Meaning | None = None) -> LineCanvas:
    return LineCanvas(Frame(4, tuple(plain(row, "dim") for row in rows), meaning=meaning))


def test_only_rows_that_differ_are_sent() -> None:
    kept = Kept()
    terminal = RowTerminal(kept, browser("dark"), (4, 2))
    terminal.draw_screen((4, 2), canvas("abcd", "efgh"))
    assert kept.take() == [
        {"size": [4, 2]},
        {"rows": {"0": [["dim", "abcd", 4]], "1": [["dim", "efgh", 4]]}},
        {"cursor": None},
    ]
    terminal.draw_screen((4, 2), canvas("abcd", "连x "))
    assert kept.take() == [{"rows": {"1": [["dim", "连x ", 4]]}}]


def test_of_what_a_frame_means_only_what_differs_is_sent() -> None:
    kept = Kept()
    terminal = RowTerminal(kept, browser("dark"), (4, 1))
    key = Button("?", "?", "Help")
    terminal.draw_screen((4, 1), canvas("abcd", meaning=Meaning("Board", keys=(key,), happened=((1, "One."),))))
    kept.take()
    after = Meaning("Board", keys=(key,), happened=((1, "One."), (2, "Two.")))
    terminal.draw_screen((4, 1), canvas("abcd", meaning=after))
    assert kept.take() == [{"means": {"happened": [[2, "Two."]]}}]


def test_control_characters_are_not_sent() -> None:
    kept = Kept()
    terminal = RowTerminal(kept, browser("dark"), (4, 1))
    terminal.draw_screen((4, 1), canvas("a\x1b[b"))
    assert kept.take()[1] == {"rows": {"0": [["dim", "a[b", 3]]}}


def test_what_is_said_before_the_first_frame_goes_with_it() -> None:
    kept = Kept()
    terminal = RowTerminal(kept, browser("light"), (4, 1))
    terminal.waits_for_frame = True
    terminal.set_palette((("key", "black", "default", "bold", "#102030,bold", "default"),))
    terminal.set_title("Patchbay")
    assert not kept.sent
    terminal.draw_screen((4, 1), canvas("abcd"))
    assert kept.take()[:2] == [{"styles": {"key": ["#102030", "", "bold"]}}, {"window": "Patchbay"}]


def test_a_line_typed_in_the_page_replaces_what_was_typed() -> None:
    heard: list[Any] = []
    terminal = RowTerminal(Kept(), browser("dark"), (4, 1))
    terminal.hook_event_loop(None, lambda keys, raw: heard.extend(keys))  # type: ignore[arg-type]
    terminal.type_line("a", "say", is_whole=True)
    assert not heard, "nothing was asked for"
    asks = Meaning(entry=TypedEntry("say", "", 9))
    terminal.draw_screen((4, 1), canvas("abcd", meaning=asks))
    terminal.type_line("a", "code", is_whole=True)
    assert not heard, "something else was asked for"
    terminal.type_line("a\x1b你", "say", is_whole=True)
    assert heard == ["end", "ctrl u", "begin paste", "a", "你", "end paste", "enter"]
    heard.clear()
    terminal.tap(9, 9)
    assert not heard


def test_the_next_match_of_the_same_name_kept_the_log_of_the_last() -> None:
    before = Meaning("RaiNet", place="watch m1", happened=((1, "One."), (2, "Two.")))
    after = Meaning("RaiNet", place="watch m2", happened=((1, "One."),))
    assert after.changes(before) == {"place": "watch m2", "happened": ((1, "One."),)}
