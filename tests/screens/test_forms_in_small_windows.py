"""Forms and rooms in small windows: every row is read whole, in each language, and a key is cheap."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Final

import pytest

from server.boards.gamefacts import playable
from server.i18n.catalogues import CHOICES
from server.lobby.model import RoomSettings
from server.lobby.room import Room
from server.lobby.seating import Seating, SeatState
from server.matches.agreement import Agreement
from server.screens.form import FormPage
from server.screens.room import RoomPage
from server.screens.sanctionform import SanctionForm
from server.store.conduct import Report
from server.terminal.glyphs import UNICODE
from server.terminal.itemlines import setting_value
from server.terminal.lines import ELLIPSIS
from tests.boards.positions import NOON, person
from tests.pictures import DARK, NARROW, TRUE_COLOUR
from tests.scenes import SCENES, At
from tests.session.evening import in_lobby
from tests.session.fakeserver import CODE, FakeServer, Seated

SIZES: Final = ((40, 20), (60, 20))
MOST_OF_A_KEY: Final = 600
MARK: Final = str.maketrans("", "", UNICODE.bar + UNICODE.vertical)
NAMES: Final = ("mira", "bartholomew-1999", "lio", "zoe", "omid", "akio")


async def sanction(seated: Seated) -> None:
    """Be about to ban somebody with a long name, or their address."""
    targets = [("account", NAMES[1]), ("network", "2001:db8:1234:5678::/64")]

    async def close() -> None:
        """Close no report."""

    report = Report(1, NOON, 1, 2, NAMES[1], "m1", "insults in chat, after each move", [])
    seated.session.pages.push(SanctionForm(seated.session, "ban", report, NAMES[1], targets, close))
    await seated.settle()


def by_keys(*keys: str) -> Callable[[Seated], Awaitable[None]]:
    """Return what presses these keys in the lobby."""
    return lambda seated: seated.type(*keys)


FORMS: Final[Mapping[str, Callable[[Seated], Awaitable[None]]]] = {
    "new room": by_keys("n"),
    "bots": by_keys("b", "up", "right", "home"),
    "games": by_keys("g"),
    "me": by_keys("m"),
    "sanction": sanction,
}


def squeezed(text: str) -> str:
    """Return a text without its spaces and the mark of a long list: it may be wrapped anywhere."""
    return "".join(text.translate(MARK).split())


async def read_through(seated: Seated, page: FormPage) -> None:
    """Go through a form, and find each row whole where it is chosen."""
    await seated.type(*["up"] * len(page.rows()))
    for row in page.rows():
        shown = seated.text
        assert ELLIPSIS not in shown, shown
        drawn = squeezed(shown)
        assert squeezed(row.note) in drawn, (row.name, shown)
        marked = setting_value(row.item(is_chosen=True), seated.session.look)
        value = f"<{squeezed(marked)}>" if row.change is not None else squeezed(marked)
        pointed = drawn.partition(seated.session.look.glyphs.pointer)[2]
        in_lines = pointed[: len(squeezed(row.name)) + len(value) + 8]
        assert value in drawn or all(part in in_lines for part in marked.split()), (row.name, shown)
        assert squeezed(row.name) in in_lines.replace(value, "", 1), (row.name, shown)
        await seated.type("down")


@pytest.mark.parametrize("language", CHOICES)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("form", FORMS)
async def test_words_of_forms_were_cut_in_small_windows(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch, form: str, size: tuple[int, int], language: str
) -> None:
    monkeypatch.setattr("server.boards.gamefacts.has_board", lambda game: True)
    seated = await in_lobby(server, *size, language=language)
    await FORMS[form](seated)
    page = seated.session.pages.top
    assert isinstance(page, FormPage)
    for _ in playable() if form in ("new room", "bots") else (0,):
        await read_through(seated, page)
        await seated.type(*["up"] * len(page.rows()), "right")


async def seated_room(server: FakeServer, game: str, players: int) -> Room:
    """Return a room where people with long names sit, not all of them ready; some have a deck of their own."""
    settings = RoomSettings(Agreement(game, players, speed="slow"), title="the friday evening of the club")
    room, brings = await server.room("mira", settings), {"deck": "gnat"} if game == "netrunner" else {}
    for name in NAMES[: players - 1]:
        await room.enter(person(name), server.come(name).session)
    taken = tuple(SeatState(person(name), i % 2 == 0, brings) for i, name in enumerate(NAMES[: players - 1]))
    await room.change(lambda one: replace(one, seats=Seating((*taken, SeatState()))))
    return room


@pytest.mark.parametrize("language", CHOICES)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("game", "players"), [("rainet", 2), ("relati", 4), ("passage", 5), ("netrunner", 2)])
async def test_words_of_rooms_were_cut_in_small_windows(
    server: FakeServer, game: str, players: int, size: tuple[int, int], language: str
) -> None:
    seated, room = await in_lobby(server, *size, language=language), await seated_room(server, game, players)
    seated.session.pages.push(RoomPage(seated.session, room))
    await seated.settle()
    look, drawn = seated.session.look, squeezed(seated.text)
    assert ELLIPSIS not in seated.text, seated.text
    assert "thefridayeveningoftheclub" in drawn
    assert f"sshlocalhost-tjoin{CODE}" in drawn or f"ssh-tlocalhostjoin{CODE}" in drawn, seated.text
    for name in NAMES[: players - 1]:
        assert name in drawn, seated.text
    deck = ("room.deck-chosen",) if game == "netrunner" else ()
    for key in ("room.ready", "room.free", *deck, *(("room.not-ready",) if players > 2 else ())):
        assert squeezed(look.t(key)) in drawn, (key, seated.text)
    for _ in room.state.seats:
        await seated.type("down")
        assert ELLIPSIS not in seated.text, seated.text


@pytest.mark.parametrize("language", CHOICES)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scene", ["own-room", "challenge", "messages", "no-messages", "keys", "codes", "report"])
async def test_words_of_pages_for_people_were_cut_in_small_windows(
    server: FakeServer, scene: str, size: tuple[int, int], language: str
) -> None:
    seated = await SCENES[scene](server, At(*size, TRUE_COLOUR, "default", "unicode", DARK + NARROW))
    seated.session.display.use(language=language)
    seated.session.dirty()
    await seated.settle()
    below = seated.rows[1:]  # a title gives way to the mark that it is one's turn elsewhere
    assert ELLIPSIS not in "\n".join(below), seated.text
    if scene == "codes":
        assert seated.session.t("keys.codes.accept") in seated.rows[-1], "the key that matters is on show"


@pytest.mark.parametrize("keys", [("n",), ("n", "right", "right"), ("b",), ("g",), ("m",)])
async def test_a_key_in_a_form_costs_little_on_a_bad_line(server: FakeServer, keys: tuple[str, ...]) -> None:
    seated = await At(80, 24, TRUE_COLOUR, "default", "unicode", DARK + NARROW).seated(server, *keys)
    for _ in range(9):  # the window stands still so far
        seated.wire.sent.clear()
        await seated.type("down")
        assert len(seated.wire.sent) <= MOST_OF_A_KEY, seated.text
