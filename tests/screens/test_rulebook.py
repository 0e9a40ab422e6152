"""The rules as pages: headings, paragraphs, items and drawings, set for a terminal."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from game import registry
from server.boards import games, rulebook
from server.boards.board import terms_of
from server.i18n.catalogues import CHOICES
from server.screens.help import HelpPage
from server.terminal.itemwords import in_words
from server.terminal.lines import text_of, width_cols
from server.terminal.look import Look
from tests.boards.positions import person
from tests.session.evening import in_lobby
from tests.session.fakeserver import FakeServer, account
from tests.session.stage import StagedMatch
from tests.texts import en

PAGE = """# Title

One paragraph
over two lines with `code`.

- an item
  that goes on
- another

```
 a  b
```
"""


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = tmp_path / "toy" / "rules"
    pages.mkdir(parents=True)
    (pages / "en.md").write_text(PAGE)
    (pages / "zh_CN.md").write_text("# 标题\n\n第一行\n第二行\n")
    monkeypatch.setattr(games, "FOLDER", tmp_path)
    monkeypatch.setattr(games, "KEYS", ("toy",))
    rulebook.page.cache_clear()
    rulebook.lines.cache_clear()


@pytest.mark.usefixtures("written")
def test_paragraphs_flow_and_drawings_stay() -> None:
    texts = [text_of(line) for line in rulebook.lines("toy", "en", 80)]
    assert texts == [
        *(" Title", "", " One paragraph over two lines with code.", ""),
        *(" - an item that goes on", " - another", "", "  a  b"),
    ]


@pytest.mark.usefixtures("written")
def test_chinese_lines_join_without_a_space_and_english_stands_in() -> None:
    assert text_of(rulebook.lines("toy", "zh_CN", 80)[2]) == " 第一行第二行"
    assert text_of(rulebook.lines("toy", "zh_TW", 80)[2]) == " 第一行第二行", "the nearest"
    assert rulebook.lines("toy", "xx", 80) == rulebook.lines("toy", "en", 80)
    assert rulebook.lines("nothing", "zh_CN", 80) == ()


@pytest.mark.parametrize("language", CHOICES)
@pytest.mark.parametrize("game", registry.KEYS)
def test_the_rules_begin_with_how_to_play_on_one_screen(game: str, language: str) -> None:
    """They opened as a long page of exact rules, with what one needs first all over it."""
    lines = rulebook.lines(game, language, 80)
    heads = [y for y, line in enumerate(lines) if {style for style, text in line if text.strip()} == {"title"}]
    assert heads[0] == 0
    assert 8 <= heads[2] - heads[1] <= 19, "rows of how to play, with heading and blank rows, on a screen of 80 columns"


async def test_a_key_goes_from_section_to_section_of_the_rules(server: FakeServer) -> None:
    seated = await in_lobby(server)
    await seated.type("?", "r")
    page = seated.session.pages.top
    assert isinstance(page, HelpPage)
    tops = []
    for key in ("]", "]", "[", "[", "["):
        await seated.type(key)
        tops.append(page.top)
    assert 0 < tops[0] < tops[1]
    assert tops[2:] == [tops[0], 0, 0]


@pytest.mark.parametrize("language", CHOICES)
@pytest.mark.parametrize("game", registry.KEYS)
def test_no_rules_page_shows_notation_or_the_numbers_of_a_specification(game: str, language: str) -> None:
    """Players read `open_reinsertion`, JSON, "(A14)", "(§1.6)", bare bars of tables and stars around words."""
    shown = "\n".join(text_of(line) for line in rulebook.lines(game, language, 120))
    assert re.findall(r"§|\bA\d+\b|[a-z]+_[a-z_]+|JSON|\||\*\*|\B\*\w|`", shown) == []


HALF_WIDTH = re.compile(r"[一-鿿][,:;()?!]|[,:;()?!][一-鿿]|[一-鿿] [（]|[，。；：、] ")


@pytest.mark.parametrize("language", [one for one in CHOICES if one.startswith("zh")])
@pytest.mark.parametrize("game", registry.KEYS)
def test_chinese_rules_have_chinese_punctuation(game: str, language: str) -> None:
    """Two games of four had brackets of half the width."""
    texts = [text for block in rulebook.page(game, language) if block.kind != "drawn" for text in block.lines]
    assert [text for text in texts if HALF_WIDTH.search(text)] == []


@pytest.mark.usefixtures("written")
def test_tables_have_columns_without_bars_and_marks_take_no_room(tmp_path: Path) -> None:
    table = "| card | does |\n|---|---|\n| `Judge` | vetoes a **card** of others |\n\nsay *easy* now\n"
    (tmp_path / "toy" / "rules" / "en.md").write_text(table)
    texts = [text_of(line).rstrip() for line in rulebook.lines("toy", "en", 22)]
    assert texts == [" card   does", " Judge  vetoes a card", "        of others", "", " say easy now"]


@pytest.mark.usefixtures("written")
def test_nothing_is_wider_than_the_screen() -> None:
    assert all(width_cols(line) <= 30 for line in rulebook.lines("toy", "en", 30))


async def test_help_at_a_game_without_a_rules_page_shows_its_keys(server: FakeServer) -> None:
    """The key for the rules ended the session."""
    seated = await server.connect(account("mira"))
    page = seated.session.pages.top
    assert page is not None
    page.help_topic = lambda: "hex"  # type: ignore[method-assign]
    await seated.type("?", "r")
    assert seated.rows[0].startswith(f" {en('help.title')}")


async def test_help_left_a_tall_window_half_empty_below_long_rules(server: FakeServer) -> None:
    seated = await in_lobby(server, 80, 60)
    await seated.type("?", "r")
    empty = [y for y, row in enumerate(seated.rows[:-1]) if not row.strip()]
    assert "RaiNet" in seated.rows[0]
    assert all(second > first + 1 for first, second in pairwise(empty)), "no two in a row"


@pytest.mark.parametrize("language", CHOICES)
@pytest.mark.parametrize("game", registry.KEYS)
async def test_words_of_a_board_or_log_were_explained_nowhere(server: FakeServer, game: str, language: str) -> None:
    """What a terminal card is, what a line of Relati's log says, how a hand in Passage is sorted."""
    look = Look(language=language)
    terms = terms_of(game, look)
    assert terms or game not in ("passage", "rainet", "relati")
    server.matches.add(StagedMatch(game, (person("mira"), person("tarn")), "m1"))
    seated = await in_lobby(server, 120, 100, language=language)
    await seated.type("enter", "?")
    assert all(word in seated.text for word, _ in terms)
    told = in_words(seated.session.pages.top.items(), look) if seated.session.pages.top is not None else []
    assert all(look.t("list.pair", what=word, value=means) in told for word, means in terms)
