"""What a key costs on a bad line: bytes of every key that moves within a page, at 80x24 in true colour.

`pytest -s tests/screens/test_bytes_of_keys.py` prints the median, the 90th percentile and the most of each page, and
each key above the limit: its bytes, the rows it changed, how often it selected a style.

A key that opens another page is not counted. A page is drawn, too, by a key that turns to another leaf, by those that
go on by a page, and by a move that was made: board, question and keys are others then.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from statistics import median
from typing import Final, NamedTuple

import pytest

from tests.pictures import DARK, NARROW, TRUE_COLOUR
from tests.scenes import PLIES, SCENES, At, ended
from tests.session.fakeserver import FakeServer, Seated

AT: Final = At(80, 24, TRUE_COLOUR, "default", "unicode", DARK + NARROW)
ACROSS: Final = ("left", "right")
BY_ONE: Final = (*["down"] * 30, *["up"] * 20, *["down"] * 10, *["right"] * 8, *["left"] * 8)
CHANGING: Final = ("right", "right", "left", "left")
CHOOSING: Final = ("up", "enter", "left", "up", "tab", "tab", "space") * 3
PAGES: Final = ("page down", "page up", "page down", "page down", "end", "home")

MOST_OF_A_KEY: Final = 600
# All 18 lines are new. Help at a board has most: Relati's words (linked, valid, medium) are told in full lines.
MOST_OF_A_PAGE: Final = 1_400

# What may cost more: how many of the keys, how many bytes, and why.
TURNED: Final = "the text of a long card is new, and its list may move by a row"
WHOLE: Final = "another language, other colours or glyphs: the whole screen is another"
MOVED: Final = "a move was made: board, question and keys are others"
FATE: Final = "a move changes most of the board"
OVER: Final[Mapping[str, tuple[int, int, str]]] = {
    "cards": (2, 670, TURNED),
    "netrunner-card": (8, 700, TURNED),
    **dict.fromkeys(("me, changing", "me-of-a-guest, changing"), (12, 2_420, WHOLE)),
    "run, choosing": (1, 840, MOVED),
    "passage-asked, choosing": (1, 870, MOVED),
    "replay of relati, right": (1, 610, FATE),
    "replay of relati, left": (2, 810, FATE),
    **dict.fromkeys(("replay of netrunner, right", "replay of netrunner, left"), (1, 640, FATE)),
}

LEAVES: Final = ("help", "help-at-a-board", "rules", "deck-choice")  # left and right turn to another leaf
FORMS: Final = ("bots", "challenge", "me", "me-of-a-guest", "new-room", "new-room-options", "room-options", "sanction")
BOARDS: Final = ("rainet", "relati", "reach", "passage", "passage-asked", "netrunner", "run", "watching", "tutorial")
COVERED: Final = ("end", "end-of-many", "end-of-cards")  # any key puts away what lies over the board
REPLAYS: Final = ("replay", "replay-of-links", "replay-of-vetoes", "replay-of-cards")


@pytest.fixture(autouse=True)
def one_game() -> None:
    """Let the screens offer every game."""


class Cost(NamedTuple):
    """What a key sent: bytes, rows in which it wrote, and how often it selected a style."""

    sent: int
    key: str
    rows: int
    styles: int


async def costs(mira: Seated, keys: Iterable[str]) -> list[Cost]:
    """Press keys and return what each cost that changed anything, cheap ones first; stop where one leaves the page."""
    found, page = list[Cost](), mira.session.pages.top
    for key in keys:
        mira.wire.sent.clear()
        await mira.type(key)
        if mira.session.pages.top is not page:
            break
        if sent := bytes(mira.wire.sent):
            rows = set(re.findall(rb"\x1b\[(\d+)(?:;\d+)?H", sent))
            found.append(Cost(len(sent), key, len(rows), len(re.findall(rb"\x1b\[[\d;]*m", sent))))
    return sorted(found)


def told(name: str, found: list[Cost]) -> list[Cost]:
    """Print the figures of a page and return the keys above the limit."""
    over = [one for one in found if one.sent > MOST_OF_A_KEY]
    if found:
        sent = [one.sent for one in found]
        nine = sent[-(-len(sent) * 9 // 10) - 1]
        print(f"{name:26} {len(sent):3} keys: median {median(sent):5.0f}, p90 {nine:5}, most {sent[-1]:5}")
    for one in over:
        print(f"    {one.key}: {one.sent} bytes, {one.rows} rows, {one.styles} styles")
    return over


def check(name: str, found: list[Cost]) -> None:
    """Let only so many keys be above the limit as the table has for this page."""
    over = told(name, found)
    n, most, _ = OVER.get(name, (0, MOST_OF_A_KEY, ""))
    assert len(over) <= n
    assert max((one.sent for one in over), default=0) <= most


@pytest.mark.parametrize("name", [name for name in SCENES if name not in (*COVERED, *REPLAYS)])
async def test_a_key_that_moved_within_a_page_sent_half_of_it_again(server: FakeServer, name: str) -> None:
    """Help took 1,500 bytes a line, a list of decks 1,050, a long form 750, a profile 540."""
    mira = await SCENES[name](server, AT)
    check(name, await costs(mira, [key for key in BY_ONE if key not in ACROSS or name not in LEAVES + FORMS]))
    pages = await costs(mira, PAGES)
    told(f"{name}, by pages", pages)
    assert max((one.sent for one in pages), default=0) <= MOST_OF_A_PAGE


@pytest.mark.parametrize("name", FORMS)
async def test_another_value_of_a_form_moved_all_values(server: FakeServer, name: str) -> None:
    """Another game, whose options have other names, took up to 2,500 bytes."""
    mira = await SCENES[name](server, AT)
    found, moves_on = list[Cost](), True
    while moves_on:
        found += await costs(mira, CHANGING)
        moves_on = bool(await costs(mira, ["down"]))
    check(f"{name}, changing", sorted(found))


@pytest.mark.parametrize("name", BOARDS)
async def test_choosing_on_a_board_is_cheap(server: FakeServer, name: str) -> None:
    mira = await SCENES[name](server, AT)
    check(f"{name}, choosing", await costs(mira, CHOOSING))


@pytest.mark.parametrize("key", ["right", "left"])
@pytest.mark.parametrize("game", PLIES)
async def test_a_step_of_a_replay_took_nine_hundred_bytes(server: FakeServer, game: str, key: str) -> None:
    ended(server, game)
    mira = await AT.seated(server, "home" if key == "right" else "end", place="replay")
    found = await costs(mira, [key] * PLIES[game])
    check(f"replay of {game}, {key}", found)
