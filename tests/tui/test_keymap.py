"""One table of keys: no key twice in a place, every command done by somebody, docs made from it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from server.tui import keymap
from server.tui.frame import key_lines
from server.tui.keydocs import page
from server.tui.lines import text_of
from server.tui.look import Look

DOCS = Path(__file__).parents[2] / "docs" / "keys.md"


def test_no_key_stands_for_two_commands_in_one_context() -> None:
    pressed = Counter((b.context, key) for b in keymap.BINDINGS for key in b.keys)
    assert [pair for pair, n in pressed.items() if n > 1] == []


def test_the_page_about_keys_is_fresh() -> None:
    assert DOCS.read_text() == page()


def test_hints_are_written_key_label_two_spaces_apart() -> None:
    lines, spots = key_lines(keymap.hints("confirm"), Look(), 40, 1)
    assert text_of(lines[0]).rstrip() == " y Yes  n No"
    assert [(spot.start, spot.end, spot.press) for spot in spots] == [(1, 6, "y"), (8, 12, "n")]


def test_the_last_hint_finds_a_place_however_narrow_the_line() -> None:
    hints = (*keymap.hints("lobby"), *keymap.hints("everywhere", ("help",)))
    lines, _ = key_lines(hints, Look(), 40, 1)
    assert text_of(lines[-1]).rstrip().endswith("? Help")
