"""What a key costs on a bad line: bytes of every key that moves within a page, at 80x24 in true colour.

`pytest -s tests/screens/test_bytes_of_keys.py` prints the median, the 90th percentile and the most of each page. A key
that opens another page is not counted, nor one that turns to another leaf: it draws a page.
"""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median
from typing import Final

import pytest

from tests.pictures import DARK, NARROW, TRUE_COLOUR
from tests.scenes import PLIES, SCENES, At, ended
from tests.session.fakeserver import FakeServer, Seated

AT: Final = At(80, 24, TRUE_COLOUR, "default", "unicode", DARK + NARROW)
ACROSS: Final = ("left", "right")
BY_ONE: Final = (*["down"] * 30, *["up"] * 20, *["down"] * 10, *["right"] * 8, *["left"] * 8)
PAGES: Final = ("page down", "page up", "page down", "page down", "end", "home")

MOST_OF_A_KEY: Final = 600
MOST_WITH_A_CARD: Final = 800  # the text of another card stands beside the list, all of it new
MOST_OF_A_STEP: Final = 900  # of a replay, where the log beside the board turns a page
MOST_OF_A_PAGE: Final = 2_100  # all lines are new

BESIDE_A_CARD: Final = ("cards", "deck")
LEAVES: Final = ("help", "help-at-a-board", "rules")  # left and right turn to another leaf
CHOICES: Final = (
    "bots",
    "challenge",
    "me",
    "new-room",
    "new-room-options",
)  # or to a game that has all rows other ones
COVERED: Final = ("end", "end-of-many")  # any key puts away what lies over the board
REPLAYS: Final = ("replay", "replay-of-cards")


@pytest.fixture(autouse=True)
def one_game() -> None:
    """Let the screens offer every game."""


async def cost(mira: Seated, keys: Iterable[str]) -> list[int]:
    """Press keys and return the bytes of each that changed anything, sorted; stop where one leaves the page."""
    found, page = list[int](), mira.session.pages.top
    for key in keys:
        mira.wire.sent.clear()
        await mira.type(key)
        if mira.session.pages.top is not page:
            break
        if mira.wire.sent:
            found.append(len(mira.wire.sent))
    return sorted(found)


def p90(name: str, found: list[int]) -> int:
    """Print the figures of a page and return what nine keys of ten cost at most."""
    if not found:
        return 0
    nine = found[-(-len(found) * 9 // 10) - 1]
    print(f"{name:26} {len(found):3} keys: median {median(found):5.0f}, p90 {nine:5}, most {found[-1]:5}")
    return nine


@pytest.mark.parametrize("name", [name for name in SCENES if name not in (*COVERED, *REPLAYS)])
async def test_a_key_that_moved_within_a_page_sent_half_of_it_again(server: FakeServer, name: str) -> None:
    """Help took 1,500 bytes a line, a list of decks 1,050, a long form 750, a profile 540."""
    mira = await SCENES[name](server, AT)
    found = await cost(mira, [key for key in BY_ONE if key not in ACROSS or name not in LEAVES + CHOICES])
    assert p90(name, found) <= (MOST_WITH_A_CARD if name in BESIDE_A_CARD else MOST_OF_A_KEY)
    pages = await cost(mira, PAGES)
    p90(f"{name}, by pages", pages)
    assert max(pages, default=0) <= MOST_OF_A_PAGE


@pytest.mark.parametrize("key", ["right", "left"])
@pytest.mark.parametrize("game", PLIES)
async def test_a_step_of_a_replay_took_nine_hundred_bytes(server: FakeServer, game: str, key: str) -> None:
    ended(server, game)
    mira = await AT.seated(server, "home" if key == "right" else "end", place="replay")
    found = await cost(mira, [key] * PLIES[game])
    assert p90(f"replay of {game}, {key}", found) <= MOST_OF_A_STEP
    assert median(found) <= MOST_OF_A_KEY
