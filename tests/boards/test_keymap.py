"""One table of keys: no key twice in a place, every command done by somebody, docs made from it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from game import registry
from server.boards import keymap
from server.boards.keydocs import page
from server.terminal.frame import MORE, MOST_HINTS, NARROW, Layout, compose, key_lines
from server.terminal.lines import plain, text_of
from server.terminal.look import Look

DOCS = Path(__file__).parents[2] / "docs" / "keys.md"


def test_no_key_stands_for_two_commands_in_one_context() -> None:
    pressed = Counter((b.context, key) for b in keymap.BINDINGS for key in b.keys)
    assert [pair for pair, n in pressed.items() if n > 1] == []


@pytest.mark.parametrize("game", registry.KEYS)
def test_one_key_stood_beside_two_labels(game: str) -> None:
    """Relati showed "s Source" and "s Share" beside each other: the board's key is the board's."""
    for context in keymap.contexts_of(game):
        shown = keymap.hints_beside(context, "match", ("type", "offer", "resign", "line", "share", "chat", "rules"))
        assert "keys.match.share" in [hint.label for hint in shown], "it has another key then"
        assert not [hint for hint in shown if keymap.command(context, hint.press)]


def test_the_page_about_keys_is_fresh() -> None:
    assert DOCS.read_text() == page()


def test_hints_are_written_key_label_two_spaces_apart() -> None:
    lines, spots = key_lines(keymap.hints("confirm", ("yes", "no")), Look(), 40, 1)
    assert text_of(lines[0]).rstrip() == " y Yes  n No"
    assert [(spot.start, spot.end, spot.press) for spot in spots] == [(1, 6, "y"), (8, 12, "n")]


def test_the_last_hint_finds_a_place_however_narrow_the_line() -> None:
    hints = (*keymap.hints("lobby"), *keymap.hints("everywhere", ("help",)))
    lines, _ = key_lines(hints, Look(), 40, 1)
    assert text_of(lines[-1]).rstrip().endswith("? More"), "there are others, which have found none"
    lines, _ = key_lines(hints[-MOST_HINTS:], Look(), 200, 2)
    assert text_of(lines[0]).rstrip().endswith("? Help")


def test_fourteen_keys_shouted_on_two_lines() -> None:
    hints = (*keymap.hints("lobby"), *keymap.hints("everywhere", ("help",)))
    _, spots = key_lines(hints, Look(), 200, 2)
    assert [spot.press for spot in spots] == [*(hint.press for hint in hints[: MOST_HINTS - 2]), "q", "?"]


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_no_key_disappears_unless_the_line_says_so(language: str) -> None:
    """At 80x23 and 60x20 RaiNet's Wall, 404 and Resign were gone without a word."""
    look = Look(language=language)
    for context in {binding.context for binding in keymap.BINDINGS}:
        hints = (*keymap.hints(context), *keymap.hints("everywhere", ("back", "help")))
        for cols, rows in ((80, 2), (80, 1), (60, 1), (40, 1)):
            lines, spots = key_lines(hints, look, cols, rows)
            said = "".join(map(text_of, lines)).rstrip()
            more = [look.t(key) for key in (MORE[:2] if cols >= NARROW else MORE[1:])]
            help_itself = [look.t("keys.everywhere.help")] if len(spots) == len(hints) else []
            assert said.endswith((*help_itself, *more))


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_help_never_stands_on_a_second_line_alone(language: str) -> None:
    """ "? More keys" was all that the second line of a board's keys had at 80x24."""
    look = Look(language=language)
    for context in {binding.context for binding in keymap.BINDINGS}:
        hints = (*keymap.hints(context), *keymap.hints("everywhere", ("back", "help")))
        for cols in range(40, 121):
            _, spots = key_lines(hints, look, cols, 2)
            assert spots[-2].row == spots[-1].row


def test_the_first_key_has_room_in_the_narrowest_window() -> None:
    """At 40x20 a board said how to see the players, and not that Enter moves."""
    hints = (*keymap.hints("rainet", ("go",)), *keymap.hints("match", ("panel", "chat")))
    hints += keymap.hints("everywhere", ("back", "help"))
    _, spots = key_lines(hints, Look(), 40, 1)
    assert [spot.press for spot in spots] == ["enter", "P", "esc", "?"]


COMMON = {"Move": {"arrows", "up/down", "left/right"}, "Drop": {"esc"}, "Choose": {"enter", "1-9"}}
COMMON |= {"Tick": {"space", "1-9"}, "Done": {"enter"}, "Back": {"esc"}}


def test_the_same_thing_has_the_same_key_and_word_in_all_games() -> None:
    """Enter was Go in RaiNet and Relati and Choose in the others; esc had two words in Chinese."""
    used: dict[str, set[str]] = {}
    for game in registry.KEYS:
        for hint in (hint for context in keymap.contexts_of(game) for hint in keymap.hints(context)):
            word = Look().t(hint.label)
            assert hint.shown in COMMON.get(word, {hint.shown}), (hint, word)
            for language in ("zh_CN", "zh_TW") if word in COMMON else ():
                used.setdefault(f"{word} {language}", set()).add(Look(language=language).t(hint.label))
    assert [word for word, said in used.items() if len(said) > 1] == []
    assert len(used) == 2 * len(COMMON)


def test_enter_on_a_board_is_called_choose() -> None:
    ways = {game: keymap.in_context(game).keys() & {"go", "choose"} for game in registry.KEYS}
    said = {Look().t(keymap.hints(game, names)[0].label) for game, names in ways.items() if names}
    assert said == {"Choose"}


def test_what_is_asked_is_answered_by_digits() -> None:
    for context in ("rainet.enter", "rainet.404"):
        ways = [hint.shown for hint in keymap.hints(context) if hint.press != "esc"]
        assert ways == [str(number + 1) for number in range(len(ways))]


def test_held_keys_were_drawn_anew_with_their_labels_and_blanks() -> None:
    """Each move of an opponent sent both key lines again, 80 blanks of the second among them."""
    layout, hints = Layout(80, 24), keymap.hints("rainet")
    open_, held = (compose(layout, Look(), plain(""), [], (), hints, is_held=is_held) for is_held in (False, True))
    changed = [
        (before, after)
        for was, now in zip(open_.lines, held.lines, strict=True)
        for before, after in zip(was, now, strict=True)
        if before != after
    ]
    assert changed != []
    assert {before for (before, _), _ in changed} == {"key"}
    assert all(before[1] == after[1] for before, after in changed)
