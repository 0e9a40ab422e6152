"""The editor of lines: what it sends back, and that no key costs others more than its share."""

from __future__ import annotations

import random

import pytest

from server.sanitize import columns
from server.terminal.lineeditor import AT_ONCE, MOST_CHARS, MOST_RECALLED, LineEditor, Struck, Typed

WIDE = "一"
UP_DOWN = b"\x10\x0e"


def typed(editor: LineEditor, data: bytes | str) -> str:
    """Type something and return all that is sent back."""
    editor.feed(data if isinstance(data, bytes) else data.encode())
    said = ""
    while editor.next_line() is not None or editor.rests:
        said += editor.echo()
    return said + editor.echo()


def show(echo: str, cells: list[str]) -> None:
    """Change the cells of a terminal as what is sent does: a wide sign has two, a mark none of its own."""
    for part in echo.replace("\b \b", "\b"):
        if part == "\b":
            cells.pop()
        elif columns(part) == 0:
            cells[-1] += part
        else:
            cells += [*[""] * (columns(part) - 1), part]


@pytest.mark.parametrize(
    "keys", [UP_DOWN * 4000, b"a\x7f" * 4000, b"\x10\x15" * 4000, b" b\x17" * 4000, b"\x10" * 8000]
)
def test_kilobytes_of_keys_were_answered_with_hundreds_of_megabytes(keys: bytes) -> None:
    editor = LineEditor(edits=True)
    typed(editor, WIDE * MOST_CHARS + "\r" + WIDE * MOST_RECALLED + "\r")
    typed(editor, WIDE * (MOST_CHARS - 10))
    assert len(typed(editor, keys)) < 20 * MOST_CHARS


def test_keys_on_a_long_line_held_everybody_up_for_seconds() -> None:
    """Each key compared the whole line, sign by sign; many came before anybody else had a turn."""
    editor, turns = LineEditor(edits=True), 1
    typed(editor, WIDE * MOST_CHARS)
    editor.feed(b"a\x7f" * 8000)
    while editor.next_line() is not None or editor.rests:
        turns += 1
    assert turns == -(-16_000 // AT_ONCE)


def test_a_line_longer_than_one_key_may_send_is_not_recalled() -> None:
    editor = LineEditor(edits=True)
    typed(editor, "short\r" + "x" * (MOST_RECALLED + 1) + "\r")
    assert typed(editor, b"\x10") == "short"


def test_what_was_typed_stays_where_ctrl_c_drops_it() -> None:
    editor = LineEditor(edits=True)
    editor.feed(b"resi\x03")
    assert editor.next_line() == Typed(Struck.INTERRUPT, "resi")
    assert editor.echo() == "resi"
    assert typed(editor, "x") == "x"


@pytest.mark.parametrize("seed", range(20))
def test_a_terminal_shows_the_line_that_is_typed(seed: int) -> None:
    rng = random.Random(seed)
    editor, cells = LineEditor(edits=True), list[str]()
    typed(editor, "一 two\rhello wörld\r")
    for _ in range(200):
        keys = rng.choices(
            ["a", "é", "e\u0301", " ", WIDE, "\x7f", "\x15", "\x17", "\x10", "\x0e"], k=rng.randrange(1, 5)
        )
        show(typed(editor, "".join(keys)), cells)
        assert "".join(cells) == editor.text


def test_a_program_is_sent_nothing_back() -> None:
    editor = LineEditor(edits=False)
    assert typed(editor, "bot rainet\naccept\n") == ""
