"""The rules as pages: headings, paragraphs, items and drawings, set for a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.tui import games, rulebook
from server.tui.lines import text_of, width_cols

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


@pytest.mark.usefixtures("written")
def test_nothing_is_wider_than_the_screen() -> None:
    assert all(width_cols(line) <= 30 for line in rulebook.lines("toy", "en", 30))
