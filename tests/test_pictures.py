"""The README's pictures: well-formed, of real screens, and each of them shown."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from server.terminal.lines import ELLIPSIS
from server.terminal.tokens import DARK
from tests.pictures import FOLDER, SHOWN, STYLES, arguments, drawn
from tests.svg import CELL_H, CELL_W, MARGIN, NAMED
from tests.web.pictures import SIZES

COLS, ROWS = 120, 40
SAID = ("now…",)  # in a chat
SVG = "{http://www.w3.org/2000/svg}"


async def test_a_picture_has_the_words_and_the_grounds_of_its_screen_in_their_places(migrated_file: Path) -> None:
    root = ElementTree.fromstring(await drawn("rainet", (COLS, ROWS), STYLES["dark"], migrated_file))
    texts = root.findall(f"{SVG}text")
    assert {"RaiNet", "VIRUS", "LINK"} <= {word for text in texts for word in (text.text or "").split()}
    for text in texts:
        col = (float(text.get("x", "")) - MARGIN) / CELL_W
        assert abs(col - round(col)) < 0.02
        assert col + float(text.get("textLength", "")) / CELL_W <= COLS + 0.02
    grounds = {rect.get("fill", "") for rect in root.findall(f"{SVG}rect")}
    shown = {f"#{colour:06x}" for colour in (*DARK.tiles[:2], DARK.link, DARK.virus)}
    assert shown <= grounds, "both players, a link, a virus"
    assert max(float(rect.get("y", "0")) for rect in root.findall(f"{SVG}rect")) < ROWS * CELL_H + MARGIN
    assert all(ground.startswith("#") for ground in grounds | set(NAMED.values()))


def test_the_pictures_of_a_browser_are_small_there_and_shown() -> None:
    readme = Path("README.md").read_text()
    for name in SIZES:
        data = (FOLDER / f"{name}.png").read_bytes()
        assert f"docs/pictures/{name}.png" in readme
        assert (int.from_bytes(data[16:20]), int.from_bytes(data[20:24])) == SIZES[name]
        assert len(data) < 200_000


def test_every_picture_is_there_and_shown_and_nothing_in_it_is_cut() -> None:
    readme = Path("README.md").read_text()
    for name in SHOWN:
        root = ElementTree.parse(FOLDER / f"{name}.svg")
        assert f"docs/pictures/{name}.svg" in readme
        words = [text.text or "" for text in root.iter(f"{SVG}text")]
        assert not [word for word in words if len(word) > 1 and word.endswith(ELLIPSIS) and word not in SAID], name


def test_an_unknown_word_writes_no_pictures(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["loby"], ["lobby"], ["--gallery", "folder", "loby"]):
        with pytest.raises(SystemExit) as ended:
            arguments(words)
        assert ended.value.code == 2
    assert "'loby': choose from welcome, calibration, lobby" in capsys.readouterr().err


async def test_what_is_underlined_is_so_between_its_words_too(migrated_file: Path) -> None:
    root = ElementTree.fromstring(await drawn("no-decks", (COLS, ROWS), STYLES["none"], migrated_file))
    lines = [rect for rect in root.findall(f"{SVG}rect") if rect.get("height") == "1"]
    assert max(float(line.get("width", "")) for line in lines) > len("Your decks") * CELL_W - 1
