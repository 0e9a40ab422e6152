"""The messages that a browser's page gets."""

from __future__ import annotations

import json
from typing import Any

from server.terminal.lines import plain
from server.terminal.meaning import Button, Meaning, TypedEntry
from server.terminal.rowterminal import MOST_AT_ONCE, RowTerminal, browser
from server.terminal.sheet import Frame, LineCanvas
from tests.session.browsing import Shown

LARGEST = 300, 120


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


class Slow:
    """A channel to a page that reads when it is told to."""

    def __init__(self) -> None:
        self.page = Shown()
        self.waiting = b""
        self.paused = False

    def write(self, data: bytes) -> None:
        self.waiting += data
        self.paused = True

    def read(self) -> None:
        self.page.write(self.waiting)
        self.waiting, self.paused = b"", False


def motley(word: str) -> LineCanvas:
    """Return the costliest frame: each cell in another style than the one before it."""
    cols, rows = LARGEST
    row = tuple((("dim", "grid.target")[at % 2], (word * cols)[at]) for at in range(cols))
    return LineCanvas(Frame(cols, (row,) * rows))


def canvas(*rows: str, meaning: Meaning | None = None) -> LineCanvas:
    return LineCanvas(Frame(4, tuple(plain(row, "dim") for row in rows), meaning=meaning))


def test_only_rows_that_differ_are_sent() -> None:
    kept = Kept()
    terminal = RowTerminal(kept, browser("dark"), (4, 2))
    terminal.draw_screen((4, 2), canvas("abcd", "efgh"))
    assert kept.take() == [
        {"size": [4, 2]},
        {"row": [0, 0, 999, [["dim", "abcd", 4]]]},
        {"row": [1, 0, 999, [["dim", "efgh", 4]]]},
        {"cursor": None},
    ]
    terminal.draw_screen((4, 2), canvas("abcd", "连x "))
    assert kept.take() == [{"row": [1, 0, 1, [["dim", "连x ", 4]]]}]


def test_only_the_runs_of_a_row_that_differ_are_sent() -> None:
    kept = Kept()
    terminal = RowTerminal(kept, browser("dark"), (4, 1))
    terminal.draw_screen((4, 1), LineCanvas(Frame(4, ((("dim", "a"), ("dim", "b"), ("", "c"), ("key", "d")),))))
    assert kept.take()[1] == {"row": [0, 0, 999, [["dim", "ab", 2], ["", "c", 1], ["key", "d", 1]]]}
    terminal.draw_screen((4, 1), LineCanvas(Frame(4, ((("dim", "a"), ("dim", "b"), ("last", "x"), ("key", "d")),))))
    assert kept.take() == [{"row": [0, 1, 1, [["last", "x", 1]]]}]


def test_a_frame_too_large_for_one_message_comes_in_parts_and_ends_as_the_newest() -> None:
    """The rows stood whole in the memory of the server until a page that read nothing was cut off."""
    shown = Slow()
    terminal = RowTerminal(shown, browser("dark"), LARGEST)
    newest = motley("old")
    terminal.on_resume = lambda: terminal.draw_screen(LARGEST, newest)
    terminal.draw_screen(LARGEST, newest)
    assert len(shown.waiting) <= MOST_AT_ONCE
    newest = motley("new")
    terminal.draw_screen(LARGEST, newest)
    assert len(shown.waiting) <= MOST_AT_ONCE, "what is drawn meanwhile waits for nothing"
    while shown.waiting:
        assert len(shown.waiting) <= MOST_AT_ONCE
        shown.read()
        terminal.resume()
    assert [len(row) for row in shown.page.lines] == [LARGEST[0]] * LARGEST[1]
    assert shown.page.rows == ["".join(text for _, text in line) for line in newest.frame.lines]


def test_who_looks_on_gets_a_large_frame_in_parts_too() -> None:
    shown, quick = Slow(), Shown()
    slow, other = (RowTerminal(channel, browser("dark"), LARGEST) for channel in (shown, quick))
    group = slow.make_group()
    group.draw_screen(LARGEST, motley("old"))
    for member in (slow, other):
        group.join(member)
    group.draw_screen(LARGEST, motley("new"))
    while shown.waiting:
        assert len(shown.waiting) <= MOST_AT_ONCE
        shown.read()
        slow.resume()
    assert shown.page.rows == quick.rows
    assert "new" in quick.rows[-1]


def test_what_is_said_to_a_page_that_reads_nothing_was_queued_without_end() -> None:
    shown = Slow()
    terminal = RowTerminal(shown, browser("dark"), (4, 1))
    shown.paused = True
    for number in range(1000):
        terminal.set_title(f"Patchbay {number}")
        terminal.ring()
    assert not shown.waiting
    shown.paused = False
    terminal.resume()
    shown.read()
    assert shown.page.others == {"window": "Patchbay 999", "bell": True}


def test_of_what_a_frame_means_only_what_differs_is_sent() -> None:
    kept = Kept()
    terminal = RowTerminal(kept, browser("dark"), (4, 1))
    key = Button("?", "?", "Help")
    terminal.draw_screen((4, 1), canvas("abcd", meaning=Meaning("Board", keys=(key,), happened=((1, "One."),))))
    kept.take()
    after = Meaning("Board", keys=(key,), happened=((1, "One."), (2, "Two.")))
    terminal.draw_screen((4, 1), canvas("abcd", meaning=after))
    assert kept.take() == [{"means": {"happened": [[2, "Two."]]}}]


def test_a_question_without_its_line_put_back_what_was_typed_before() -> None:
    """A page that heard of each by itself showed the line as it was when it was asked before."""
    kept = Kept()
    terminal = RowTerminal(kept, browser("dark"), (4, 1))
    entry = TypedEntry("say", "well", 9)
    terminal.draw_screen((4, 1), canvas("abcd", meaning=Meaning("Board", entry=entry, happened=((1, "One."),))))
    told = [line["means"] for line in kept.take() if "means" in line]
    assert {"title", "place", "asked", "entry"} <= told[0].keys()
    assert [list(one) for one in told[1:]] == [["items"], ["happened"], ["chat"]]


def test_control_characters_are_not_sent() -> None:
    kept = Kept()
    terminal = RowTerminal(kept, browser("dark"), (4, 1))
    terminal.draw_screen((4, 1), canvas("a\x1b[b"))
    assert kept.take()[1] == {"row": [0, 0, 999, [["dim", "a[b", 3]]]}


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
    assert after.changes(before.fields()) == {"place": "watch m2", "happened": ((1, "One."),)}


def test_at_another_title_the_log_was_put_away_and_not_told_again() -> None:
    """On a phone a match's title gave way to its clocks now and then: what had happened was gone from the page."""
    before = Meaning("RaiNet · rated", happened=((1, "One."),), chat=(("mira", "hello"),))
    after = Meaning("RaiNet", happened=((1, "One."),), chat=(("mira", "hello"),))
    assert after.changes(before.fields()) == {"title": "RaiNet", "happened": after.happened, "chat": after.chat}
