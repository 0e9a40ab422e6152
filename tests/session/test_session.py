"""Sessions typed at and read through a terminal emulator: every screen, any size, both languages; how they end."""

from __future__ import annotations

import asyncio
import gc
import inspect
import re
import weakref

import pytest

from game.contract import Seat
from server.accounts.preferences import Preferences
from server.session.lifetime import QUIT
from server.session.page import Page
from server.session.places import Landing
from server.store import conduct
from server.terminal.term import client_term
from tests.boards import golden
from tests.boards.positions import NOON, person
from tests.session.evening import busy, in_lobby, in_match
from tests.session.fakeserver import CODE, FakeServer, account, guest
from tests.session.stage import StagedMatch

SIZES = ((80, 24), (120, 40))


@pytest.mark.parametrize(("cols", "rows"), SIZES)
@pytest.mark.parametrize("language", ["en", "zh_CN"])
async def test_every_screen_looks_as_it_did(server: FakeServer, cols: int, rows: int, language: str) -> None:
    seated = await in_lobby(server, cols, rows, language=language)
    golden.check(f"lobby-empty-{language}-{cols}", seated.text)
    await busy(server)
    await seated.settle()
    golden.check(f"lobby-{language}-{cols}", seated.text)
    ways = {"games": "g", "bots": "b", "newroom": "n", "people": "o", "me": "m"}
    for name, key in ways.items():
        await seated.type(key)
        golden.check(f"{name}-{language}-{cols}", seated.text)
        await seated.type("esc")
    await seated.type("enter")
    golden.check(f"match-{language}-{cols}", seated.text)
    await seated.type("esc", "?")
    golden.check(f"help-lobby-{language}-{cols}", seated.text)


async def test_what_was_asked_for_as_a_session_ended_was_never_awaited(server: FakeServer) -> None:
    """Its task was cancelled before it began, and the interpreter warned of the coroutine."""
    seated = await in_lobby(server)
    asked = asyncio.sleep(0)
    seated.session.spawn(asked)
    await seated.session.lifetime.cancel()
    assert inspect.getcoroutinestate(asked) == inspect.CORO_CLOSED
    await seated.hang_up()


async def test_the_lobby_was_drawn_once_more_for_each_thing_that_was_looked_up(server: FakeServer) -> None:
    """What ended while one was away, and whether it is one's turn elsewhere: the same frame was drawn three times."""
    server.run(conduct.block, server.add("mira"), server.add("tarn"), NOON)  # so that nobody else sees the same frame
    await in_lobby(server)
    assert len(server.renderings) == 2  # the lobby, and that she is in it now


async def test_a_session_that_has_ended_is_gone_without_the_collector(server: FakeServer) -> None:
    seated = await in_lobby(server)
    await seated.type("down", "?", "esc")
    assert server.renderings
    gone = (weakref.ref(seated.session), weakref.ref(seated.screen))
    gc.disable()
    try:
        await seated.hang_up()
        server.seats.clear()
        del seated
        await asyncio.sleep(0)
        assert [one() for one in gone] == [None, None]
    finally:
        gc.enable()


async def test_quitting_from_the_lobby_ends_well_and_restores_the_terminal(server: FakeServer) -> None:
    seated = await in_lobby(server)
    assert "q Quit" in seated.text
    await seated.type("q")
    assert await seated.task == QUIT
    assert seated.wire.sent.endswith(b"\x1b[?25h")
    assert b"\x1b[?1049l" in seated.wire.sent


async def test_a_guest_quit_and_forfeited_unasked(server: FakeServer) -> None:
    """It was said, too, that running matches go on and that one can come back to them."""
    seated = await server.connect(guest())
    await seated.type("enter")
    match = StagedMatch("rainet", (seated.session.identity.player, person("tarn")))
    server.matches.add(match)
    await seated.session.pages.first.load()  # type: ignore[union-attr]
    await seated.settle()
    await seated.type("q")
    assert seated.says("session.ask-leave-guest", seconds=60)
    await seated.type("n")
    await seated.type("ctrl c")
    assert seated.says("session.ask-leave-guest", seconds=60)
    await seated.type("y")
    assert await seated.task == QUIT
    assert seated.session.goodbye.startswith("Goodbye")


async def test_one_key_ended_a_search_without_a_question(server: FakeServer) -> None:
    seated = await in_lobby(server)
    await seated.type("p", "q")
    assert seated.says("session.ask-leave-search")
    await seated.type("n", "ctrl c")
    assert seated.says("session.ask-leave-search"), "either way it is asked the same"
    await seated.type("n", "x", "q")
    assert await seated.task == QUIT


async def test_one_key_left_a_match_whose_clock_ran_on(server: FakeServer) -> None:
    match = server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn"))))
    seated = await in_lobby(server)
    await seated.type("esc", "q")
    assert seated.says("session.ask-leave")
    await seated.type("n")
    match.end().tell()
    await seated.session.pages.first.load()  # type: ignore[union-attr]
    await seated.type("q")
    assert await seated.task == QUIT


async def test_daily_matches_hold_nobody_back(server: FakeServer) -> None:
    server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn")))).agree(speed="daily")
    seated = await in_lobby(server)
    await seated.type("esc", "q")
    assert await seated.task == QUIT


async def test_one_key_threw_a_guest_s_name_away_with_what_was_played_under_it(server: FakeServer) -> None:
    seated = await server.connect(guest())
    await seated.type("enter", "b", "enter")
    [match_id] = [one.id for one in await server.matches.running_of(seated.session.identity.player)]
    match = server.matches.opened(match_id)
    assert match is not None
    await match.resign(Seat(0))
    await seated.type("esc", "esc", "q")
    assert seated.says("session.ask-leave-name")
    await seated.type("y")
    assert await seated.task == QUIT


async def test_a_guest_who_has_only_looked_around_leaves_at_once(server: FakeServer) -> None:
    seated = await server.connect(guest())
    await seated.type("enter", "q")
    assert await seated.task == QUIT


async def test_who_sits_in_a_room_was_told_of_matches_that_go_on(server: FakeServer) -> None:
    seated = await in_lobby(server)
    await seated.type("n", "enter", "ctrl c")
    assert seated.says("session.ask-leave-room")


async def test_an_arrow_on_a_setting_threw_one_into_lines(server: FakeServer) -> None:
    server.prefer("mira", Preferences(calibrated=True))
    seated = await server.connect(account("mira"), has_lines=True)
    await seated.type("m", *["down"] * 7, "right")
    assert seated.says("lines.ask"), "it is asked, and still drawn"
    await seated.type("esc")
    assert not server.preferences("mira").lines
    await seated.type("right", "enter")
    assert not seated.session.screen.draws
    assert server.preferences("mira").lines
    seated.session.show_in(lines=False)
    await seated.settle()
    await seated.settle()
    assert not server.preferences("mira").lines, "the row says what is"


async def test_help_opens_everywhere_and_closes_again(server: FakeServer) -> None:
    await busy(server)
    seated = await in_lobby(server)
    for way in ((), ("g",), ("b",), ("n",), ("o",), ("m",), ("enter",)):
        await seated.type(*way)
        before = seated.rows[0]
        await seated.type("?")
        assert "Help" in seated.rows[0]
        await seated.type("esc")
        assert seated.rows[0] == before
        await seated.type(*(["esc"] if way else []))
        assert seated.rows[0].startswith(" Lobby")


@pytest.mark.parametrize(
    ("landing", "said"),
    [
        (Landing("watch", "m2"), "lio – zoe"),
        (Landing("join", CODE.lower()), f"Room {CODE}"),
        (Landing("watch", "nope"), "no match nope"),
    ],
)
async def test_a_session_begins_where_it_was_asked_to(server: FakeServer, landing: Landing, said: str) -> None:
    await busy(server)
    seated = await server.connect(account("akio"), landing=landing)
    assert said in seated.text
    await seated.type("esc", "Y")  # who sits in a room is asked
    assert seated.rows[0].startswith(" Lobby")


async def test_a_letter_that_is_pasted_is_no_command(server: FakeServer) -> None:
    seated = await in_lobby(server)
    await seated.type("\x1b[200~q\x1b[201~")
    assert not seated.task.done()
    await seated.type("tab", "\x1b[200~q\x1b[201~", "enter", "esc")
    assert "mira  q" in seated.text


@pytest.mark.parametrize("size", [(79, 23), (60, 22), (40, 20), (41, 33), (200, 60), (39, 20), (40, 19), (5, 3)])
async def test_every_screen_survives_any_size(server: FakeServer, size: tuple[int, int]) -> None:
    await busy(server)
    seated = await in_lobby(server)
    for way in ((), ("g",), ("b",), ("n",), ("o",), ("m",), ("enter",), ("enter", "?")):
        await seated.type(*way)
        await seated.resize(*size)
        assert not seated.task.done()
        await seated.resize(80, 24)
        await seated.type(*(["esc"] * len(way)))
        assert seated.rows[0].startswith(" Lobby")


async def test_the_gate_says_what_is_needed_and_swallows_keys(server: FakeServer) -> None:
    seated = await in_lobby(server)
    await seated.resize(39, 24)
    assert "40x20" in seated.text
    await seated.type("q", "p", "esc", "?")
    await seated.resize(80, 24)
    assert seated.rows[0].startswith(" Lobby")
    assert "Looking" not in seated.text


async def test_keys_can_be_clicked(server: FakeServer) -> None:
    seated = await in_lobby(server)
    row = next(y for y, text in enumerate(seated.rows) if "m Me" in text)
    await seated.click(seated.rows[row].index("m Me") + 1, row)
    assert "settings" in seated.rows[0]


async def test_without_colour_no_colour_code_is_sent(server: FakeServer) -> None:
    await busy(server)
    term = client_term("xterm-256color", {"NO_COLOR": "1"})
    seated = await server.connect(account("mira"), term=term)
    await seated.type("enter", "enter", "esc", "esc", "m", "down", "right", "right")
    codes = {code for sgr in re.findall(rb"\x1b\[([0-9;]*)m", bytes(seated.wire.sent)) for code in sgr.split(b";")}
    assert codes <= {b"", b"0", b"1", b"4", b"7"}


async def test_a_terminal_without_unicode_gets_ascii_only(server: FakeServer) -> None:
    await busy(server)
    seated = await server.connect(account("mira"), term=client_term("vt100", {}))
    await seated.type("enter", "enter", "esc", "esc", "?")
    assert bytes(seated.wire.sent).isascii()


async def test_an_error_in_one_session_ends_that_session_only(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    mira, tarn = await in_lobby(server), await in_lobby(server, name="tarn")

    def broken(self: Page, key: str) -> bool:
        raise RuntimeError("a bug")

    page = mira.session.pages.top
    assert page is not None
    monkeypatch.setattr(type(page), "press", lambda self, key: broken(self, key) if self is page else True)
    await mira.type("m")
    assert await mira.task != QUIT
    assert b"\x1b[?1049l" in mira.wire.sent
    assert not tarn.task.done()


async def test_a_session_that_is_cut_off_leaves_nothing_behind(server: FakeServer) -> None:
    seated = await in_match(server)
    assert server.matches.all["m1"].here == ["mira"]
    await seated.hang_up()
    assert server.matches.all["m1"].here == []
    left = (server.matches.all["m1"].listeners, server.presence.connections.here)
    assert left == ([], ())


LATIN = re.compile(r"[A-Za-z]{3,}")


KEPT = frozenset(
    (
        *("Patchbay", "Netrunner", "mira", "tarn", "lio", "zoe", "akio", "omid", "friday", "evening", "SHA", "EXIT"),
        *("Esc", "Tab", "Home", "End", "ssh", "join", "localhost", "English", "Unicode", "ctrl", "UTC"),
    )
)


@pytest.mark.parametrize(
    "keys",
    [
        *((), ("g",), ("b",), ("n",), ("n", "enter"), ("o",), ("m",), ("enter",), ("?",), ("enter", "?")),
        *(
            ("l",),
            ("m", "p"),
            ("w",),
            ("enter", "i"),
            ("enter", "o"),
            ("enter", "r", "y", "p"),
            ("u", "enter", "up", "enter"),
        ),
    ],
)
async def test_no_english_is_left_on_a_chinese_screen(server: FakeServer, keys: tuple[str, ...]) -> None:
    await busy(server)
    seated = await in_lobby(server, 120, 40, language="zh_CN")
    await seated.type(*keys)
    text = re.sub(r"SHA256:\S+|ssh -t|(ab)+|\b[A-Z2-9]{8}\b", "", seated.text)
    assert set(LATIN.findall(text)) - KEPT == set()
