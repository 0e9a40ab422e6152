"""What lists say on narrow screens and of games: whole, or not at all."""

from __future__ import annotations

import pytest

from server.boards.gamefacts import about, playable
from server.boards.games import part
from server.screens.gametable import CARD_GAP, EMBLEM_COLS, EMBLEM_ROWS, INDENT, card_lines, game_lines
from server.terminal.lines import ELLIPSIS, text_of, width_cols
from server.terminal.look import Look
from tests.pictures import TRUE_COLOUR
from tests.scenes import SCENES, At
from tests.session.evening import in_lobby
from tests.session.fakeserver import FakeServer

LANGUAGES = ("en", "zh_CN", "zh_TW")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("cols", [40, 60, 78, 120])
def test_what_is_said_of_a_game_is_never_cut(language: str, cols: int) -> None:
    look = Look(language=language)
    lines = [text_of(line) for line in game_lines(look, cols)]
    assert not [line for line in lines if ELLIPSIS in line]
    assert all(look.game(game) in line for game, line in zip(playable(), lines[1:], strict=True))
    assert all((about(game, look) in line) == (cols >= 78) for game, line in zip(playable(), lines[1:], strict=True))


def test_the_table_of_games_stayed_what_it_was_at_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was drawn once for each look, for all sessions and tests of a process."""
    for shown in (("rainet", "relati"), ("rainet",)):
        monkeypatch.setattr("server.screens.gametable.playable", lambda shown=shown: shown)
        assert len(game_lines(Look(), 80)) == 1 + len(shown)


@pytest.mark.parametrize("glyphs", ["unicode", "ascii"])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("cols", [78, 109])
def test_the_games_beside_each_other_are_told_whole(language: str, cols: int, glyphs: str) -> None:
    look = Look(language=language, glyph_set=glyphs)
    lines = card_lines(look, cols)
    assert {width_cols(line) for line in lines} <= {width_cols(lines[0])}
    assert width_cols(lines[0]) <= cols
    assert not [line for line in lines if ELLIPSIS in text_of(line)]
    assert all(look.game(game) in text_of(lines[EMBLEM_ROWS + 1]) for game in playable())


def test_games_that_have_no_room_beside_each_other_are_a_table() -> None:
    room = len(playable()) * (EMBLEM_COLS + CARD_GAP) + INDENT
    assert card_lines(Look(), room)
    assert card_lines(Look(), room - 1) == ()


@pytest.mark.parametrize("glyphs", ["unicode", "ascii"])
@pytest.mark.parametrize("game", playable())
def test_an_emblem_keeps_to_its_cells(game: str, glyphs: str) -> None:
    module = part(game, "emblem")
    assert module is not None
    lines = module.emblem(Look(glyph_set=glyphs))
    assert len(lines) == EMBLEM_ROWS
    assert max(width_cols(line) for line in lines) <= EMBLEM_COLS
    assert glyphs == "unicode" or all(text_of(line).isascii() for line in lines)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("cols", [40, 60, 80])
async def test_the_list_of_tutorials_cut_what_a_game_is(server: FakeServer, cols: int, language: str) -> None:
    seated = await in_lobby(server, cols, 24, language=language)
    await seated.type("u")
    assert ELLIPSIS not in seated.text
    assert any(seated.session.look.game(game) in seated.text for game in playable())


@pytest.mark.parametrize("name", ["room", "ladders"])
async def test_the_last_column_of_a_narrow_list_was_only_an_ellipsis(server: FakeServer, name: str) -> None:
    seated = await SCENES[name](server, At(40, 20, TRUE_COLOUR, "default", "unicode", b""))
    await seated.settle()
    assert not [line for line in seated.text.splitlines()[2:] if line.rstrip().endswith(f" {ELLIPSIS}")]
