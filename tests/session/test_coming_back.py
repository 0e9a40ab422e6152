"""Coming back in a browser: page, cursor, chosen row and unsent text are as they were when the connection was lost."""

from __future__ import annotations

from typing import Any

import pytest

from game.contract import Seat
from server.accounts.identity import Identity
from server.session.places import Landing, LostPage
from server.web.cookies import guest
from tests.boards.positions import NAMES, person
from tests.session.browsing import Browsing, browse
from tests.session.fakeserver import FakeServer, account
from tests.session.stage import StagedMatch
from tests.texts import en


def left(seen: Browsing) -> LostPage:
    """Return what a page says that it had."""
    means: dict[str, Any] = seen.page.means
    entry = means["entry"] or {"command": "", "label": "", "text": ""}
    row = next((one["text"] for one in means["items"] if one["is_chosen"]), "")
    return LostPage(means["place"], means["cursor"], row, entry["command"], entry["label"], entry["text"])


async def back(server: FakeServer, who: Identity, had: LostPage) -> Browsing:
    """Come back with what a page had."""
    place, _, argument = had.place.partition(" ")
    if place not in ("watch", "replay", "join"):
        place, argument = ("page", had.place) if had.place else ("lobby", "")
    return await browse(server, who, landing=Landing(place, argument, left=had))  # type: ignore[arg-type]


async def come_back(server: FakeServer, seen: Browsing) -> Browsing:
    """Lose the connection, and come back."""
    had = left(seen)
    await seen.hang_up()
    return await back(server, seen.session.identity, had)


@pytest.mark.parametrize("game", ["rainet", "relati", "passage", "netrunner"])
async def test_the_cursor_of_a_board_and_a_move_half_typed_are_there_again(server: FakeServer, game: str) -> None:
    match = server.matches.add(StagedMatch(game, tuple(map(person, NAMES[:2]))))
    seat = next(seat for seat in (0, 1) if match.snapshot(Seat(seat)).pending is not None)
    mira = await browse(server, account(NAMES[seat]), landing=Landing("watch", match.id))
    start = mira.page.means["cursor"]
    await mira.press("right", "down", "right")
    assert mira.page.means["cursor"] != start
    await mira.press("tab")
    await mira.type_line("well pl", is_whole=False)
    match.selections.clear()  # another process knows nothing of it
    again = await come_back(server, mira)
    assert left(again) == left(mira)
    assert again.page.rows[1:] == mira.page.rows[1:]


async def test_what_one_wrote_in_the_lobby_is_still_unsent(server: FakeServer) -> None:
    mira = await browse(server, account("mira"))
    await mira.press("tab")
    await mira.type_line("is anybody", is_whole=False)
    again = await come_back(server, mira)
    assert again.page.means["entry"]["text"] == "is anybody"
    await again.type_line("is anybody here?")
    assert again.page.means["entry"]["text"] == ""


@pytest.mark.parametrize(
    ("keys", "place"),
    [
        ("m", "me"),
        ("l", "ladders"),
        ("n", "new-room"),
        ("b", "bots rainet"),
        ("v", "cards netrunner"),
        ("o", "people"),
        ("u", "tutorial rainet"),
        ("ma", "own-keys"),
    ],
)
async def test_a_page_is_there_again_with_the_row_that_was_chosen(server: FakeServer, keys: str, place: str) -> None:
    mira = await browse(server, account("mira"))
    await mira.press(*keys, "down")
    assert mira.page.means["place"] == place
    assert left(await come_back(server, mira)) == left(mira)


async def test_help_over_a_board_leads_back_to_the_board(server: FakeServer) -> None:
    match = server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn"))))
    mira = await browse(server, account("mira"), landing=Landing("watch", match.id))
    title = mira.page.means["title"]
    await mira.press("?")
    assert (await come_back(server, mira)).page.means["title"] == title


async def test_a_key_that_was_pressed_first_is_not_undone(server: FakeServer) -> None:
    mira = await browse(server, account("mira"))
    await mira.press("m", "down")
    again = await back(server, mira.session.identity, LostPage("me", row="no such row"))
    await again.press("down", "down")
    again.session.dirty()
    await again.settle()
    assert left(again).row not in ("", left(mira).row)


@pytest.mark.parametrize(
    "place",
    [
        "own-keys",
        "messages tarn",
        "decks netrunner",
        "codes",
        "reports",
        "nonsense",
        "cards x",
        "tutorial x y",
        "bots x",
        "profile nobody",
    ],
)
async def test_a_guest_comes_to_no_page_that_is_not_theirs_by_its_name(server: FakeServer, place: str) -> None:
    who = guest("guest-abcdefgh", "192.0.2.1")
    lio = await back(server, who, LostPage(place, 10**30, "x", "resign", "x", "x"))
    assert lio.page.means["place"] in ("", "bots rainet", "profile nobody")
    assert not lio.task.done()


@pytest.mark.parametrize("cursor", [-(10**30), -1, 10**30])
@pytest.mark.parametrize("game", ["rainet", "relati", "passage", "netrunner"])
async def test_a_cursor_outside_the_board_stays_where_it_is(server: FakeServer, game: str, cursor: int) -> None:
    match = server.matches.add(StagedMatch(game, tuple(map(person, NAMES[:2]))))
    mira = await browse(server, account(NAMES[0]), landing=Landing("watch", match.id))
    start = mira.page.means["cursor"]
    again = await back(server, account(NAMES[0]), LostPage(f"watch {match.id}", cursor))
    assert again.page.means["cursor"] == start


async def test_a_guest_with_a_seat_is_told_how_long_it_is_kept(server: FakeServer) -> None:
    who = guest("guest-abcdefgh", "192.0.2.1")
    match = server.matches.add(StagedMatch("relati", (who.player, person("tarn"))))
    lio = await browse(server, who, landing=Landing("watch", match.id))
    assert lio.page.means["kept_s"] == 60
    again = await come_back(server, lio)
    assert en("browser.back-as-guest", seconds=60) in again.page.means["said"]
    zoe = await browse(server, account("zoe"), landing=Landing("watch", match.id))
    assert zoe.page.means["kept_s"] == 0
