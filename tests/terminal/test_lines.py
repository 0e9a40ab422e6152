"""Lines are measured in columns, whatever script they are written in."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from server.boards import panel
from server.terminal.lines import clip, columns, ends, fit, joined, packed, pad, text_of, width_cols, wrap
from tests.texts import read_catalogue

TEXTS = st.text(alphabet="abc dé雷网络–●, 。", max_size=40)


@settings(deadline=None)
@given(text=TEXTS, cols=st.integers(0, 50))
def test_a_padded_text_is_exactly_as_wide_as_asked(text: str, cols: int) -> None:
    assert columns(pad(text, cols)) == cols


@settings(deadline=None)
@given(texts=st.lists(TEXTS, max_size=5), cols=st.integers(0, 60))
def test_a_fitted_line_is_exactly_as_wide_as_asked(texts: list[str], cols: int) -> None:
    line = tuple(("key" if i % 2 else "", text) for i, text in enumerate(texts))
    assert width_cols(fit(line, cols)) == cols


@settings(deadline=None)
@example(text=" 络", cols=2)  # before the last character of this one stands an empty line
@given(text=TEXTS, cols=st.integers(2, 30))
def test_wrapping_loses_nothing_but_spaces_and_keeps_to_the_width(text: str, cols: int) -> None:
    lines = wrap(text, cols)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(columns(line) <= cols for line in lines)


def test_a_wide_character_is_never_cut_in_half() -> None:
    assert clip("雷网络", 4) == "雷…"
    assert pad("雷网络", 4) == "雷… "


def test_chinese_breaks_between_characters_but_not_before_punctuation() -> None:
    assert wrap("链接卡进入服务器，获胜。", 16) == ["链接卡进入服务", "器，获胜。"]


def test_the_right_part_of_a_line_wins_over_the_left() -> None:
    line = ends((("", "RaiNet · rated · normal"),), (("", "mira"),), 20)
    assert text_of(line) == "RaiNet · rated… mira"


def test_wrapping_into_no_room_at_all_comes_to_an_end() -> None:
    assert wrap("雷网 ok", 0) == wrap("雷网 ok", 2) == ["雷", "网", "ok"]


def test_two_parts_that_do_not_both_fit_keep_a_column_between_them() -> None:
    """The lobby said "RaiNet, Relati, Pas…normal · rated"."""
    line = ends([("", "RaiNet, Relati, Passage")], [("dim", "normal")], 20)
    assert text_of(line) == "RaiNet, Rela… normal"
    assert text_of(ends([("", "RaiNet")], [("", "normal")], 13)) == "RaiNet normal"
    assert text_of(ends([("", "RaiNet")], [("", "normal")], 12)) == "RaiN… normal"
    assert text_of(ends([("", "RaiNet")], [("", " 2:41 ")], 10)) == "Rai… 2:41 "


def test_what_belongs_together_is_not_broken_while_a_line_holds_it() -> None:
    """On a narrow screen RaiNet said "連結 0/4  病毒" and "0/4" below, Passage "Judges" and "seen 0/4"."""
    lines = [text_of(line) for line in packed(("連結 0/4", "病毒 0/4"), 20, "", 3)]
    assert lines == ["   連結 0/4", "   病毒 0/4"]
    assert [text_of(line) for line in packed(("連結 0/4", "病毒 0/4"), 21, "", 3)] == ["   連結 0/4  病毒 0/4"]
    assert all(width_cols(line) <= 12 for line in packed(("much too long for a line", "x"), 12, "", 2))


@pytest.mark.parametrize("language", ["zh_CN", "zh_TW"])
@pytest.mark.parametrize("cols", [20, 33, 46, 76])
def test_no_chinese_line_begins_with_punctuation_ends_with_a_bracket_or_has_a_space_put_in(
    language: str, cols: int
) -> None:
    """The log joined wrapped lines with spaces and wrapped them again; a line could end with an opening bracket."""
    said = [str(one.string) for one in read_catalogue(language) if isinstance(one.string, str)]
    said = [text for text in said if not text.isascii()]
    broken = [wrap(text, cols) for text in said]
    starts = {line[0] for lines in broken for line in lines[1:]}
    ends = {line[-1] for lines in broken for line in lines[:-1]}
    assert not starts & set("，。、；：？！）》」』】")
    assert not ends & set("（《「『【“‘")
    for text, lines in zip(said, broken, strict=True):
        assert all(line in text for line in panel.hung(text, cols)), "nothing was put in"
        assert joined(lines).replace(" ", "") == text.replace(" ", "")


def test_sentences_are_joined_without_a_space_in_chinese() -> None:
    assert joined(("你输了：认输。", "", "tarn 请求再来一局。")) == "你输了：认输。tarn 请求再来一局。"
    assert joined(("You lost.", "tarn offers a rematch.")) == "You lost. tarn offers a rematch."
