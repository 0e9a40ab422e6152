"""A click on a list chooses the row that is drawn there, however the list was moved before."""

from __future__ import annotations

import pytest

from server.accounts.decks import StoredDeck
from server.ratings.bradley_terry import Rating
from tests.boards.positions import NOON
from tests.session.fakeserver import FakeServer, Seated, account

FEW, MANY = 15, 25  # rows that a screen shows at once, and more


def drawn_at(seated: Seated, text: str) -> int:
    """Return the row of the screen that holds a text."""
    [found] = [y for y, row in enumerate(seated.rows) if text in row]
    return found


async def at_ladder(server: FakeServer, count: int = FEW) -> Seated:
    for n in range(count):
        server.rate(f"person{n:02}", {"rainet": Rating(27.0, 3.0, 14)}, 100 + n)
    seated = await server.connect(account("mira"))
    await seated.type("l")
    return seated


async def at_decks(server: FakeServer) -> Seated:
    for n in range(MANY):
        await server.decks.save(server.add("mira"), StoredDeck(0, "netrunner", 1, f"person{n:02}", "", NOON))
    seated = await server.connect(account("mira"))
    await seated.type("m", "d")
    return seated


async def at_starters(server: FakeServer) -> Seated:
    seated = await at_decks(server)
    await seated.type("n")
    return seated


@pytest.fixture
def with_decks(monkeypatch: pytest.MonkeyPatch, one_game: None) -> None:
    monkeypatch.setattr("server.boards.gamefacts.has_board", lambda game: game in ("rainet", "netrunner"))


@pytest.mark.parametrize("place", [at_ladder, at_decks])
@pytest.mark.parametrize("moves", [0, 12])
async def test_a_click_chooses_its_row(server: FakeServer, with_decks: None, place: object, moves: int) -> None:
    """Twelve rows down, a ladder and the list of decks took the row some lines away from the one clicked on."""
    assert callable(place)
    seated = await place(server)
    await seated.type(*["down"] * moves)
    for name in ("person08", "person10"):
        await seated.click(20, y := drawn_at(seated, name))
        assert seated.rows[drawn_at(seated, name)].lstrip().startswith("›"), (y, seated.text)
        assert sum(row.lstrip().startswith("›") for row in seated.rows) == 1


async def test_a_second_click_opens_what_is_chosen(server: FakeServer, with_decks: None) -> None:
    seated = await at_decks(server)
    await seated.click(20, drawn_at(seated, "person03"))
    await seated.click(20, drawn_at(seated, "person03"))
    assert seated.says("deckedit.title"), seated.text


async def test_a_deck_to_begin_with_is_chosen_by_a_click(server: FakeServer, with_decks: None) -> None:
    """Only keys chose one."""
    seated = await at_starters(server)
    rows = [y for y, row in enumerate(seated.rows) if "Runner" in row]
    await seated.click(20, rows[1])
    assert seated.rows[rows[1]].lstrip().startswith("›"), seated.text


async def test_a_list_scrolls_when_the_chosen_row_leaves_the_screen_and_not_before(server: FakeServer) -> None:
    """The eleventh row scrolled a list of which the screen shows more."""
    seated = await at_ladder(server, MANY)
    await seated.type(*["down"] * 11)
    assert "person00" in seated.text
