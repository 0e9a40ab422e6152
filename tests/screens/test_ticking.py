"""What passing time changes on a match's screen: the cells of clocks, and nothing while they show the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from game import registry
from game.choices import draw
from game.contract import Seat
from game.rng import Rng
from server.accounts.preferences import Preferences
from server.boards.board import Weight, board
from server.boards.seats import Reading, advanced_lines, next_digit_s, reading
from server.screens.highlight import FRESH_S
from server.screens.match import MatchPage
from server.session.display import Display
from server.session.places import Landing
from server.terminal.lines import Line
from server.terminal.look import Look
from tests.boards.positions import NOON, person
from tests.screens.test_passage_session import seat
from tests.session.evening import in_match
from tests.session.fakeserver import FakeServer, Seated, account
from tests.session.stage import StagedMatch
from tests.session.test_input_guard import ATTACK

SIZES = ((80, 24), (132, 43), (70, 60), (60, 22))


async def at_a_board(server: FakeServer, game: str, size: tuple[int, int]) -> tuple[Seated, StagedMatch]:
    """Sit down at a match that has just begun."""
    match = server.matches.add(StagedMatch(game, (person("mira"), person("tarn"))))
    await server.look()
    seated = await server.connect(account("mira"), *size)
    assert isinstance(seated.session.pages.top, MatchPage)
    return seated, match


async def after(seated: Seated, seconds: float) -> None:
    """Let time pass, and the page's timer ring."""
    seated.clock.pass_time(seconds)
    seated.session.ticked()
    assert seated.session.display.loop is not None
    seated.session.display.loop.wake()
    await seated.settle()


async def drawn_anew(seated: Seated) -> list[dict[int, object]]:
    """Have the whole screen composed and sent again, and return it."""
    seated.screen.clear()
    seated.session.dirty()
    await seated.settle()
    return cells(seated)


def cells(seated: Seated) -> list[dict[int, object]]:
    """Return the screen with its colours; a blank shows its ground alone."""
    screen = seated.wire.screen
    return [
        {x: (" ", cell.bg, cell.reverse) if cell.data == " " else cell for x, cell in screen.buffer[y].items()}
        for y in range(screen.lines)
    ]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", sorted(registry.KEYS))
async def test_a_tick_shows_what_a_whole_drawing_would(server: FakeServer, game: str, size: tuple[int, int]) -> None:
    server.prefer(
        "mira", Preferences(calibrated=True, motion=False)
    )  # what was just done shines by the loop's own time
    seated, match = await at_a_board(server, game, size)
    rng = Rng(b"ticking".ljust(32))
    for step in range(6):
        if step == 4:
            match.changes["claim_at"] = server.clock.now() + timedelta(seconds=4)
            match.tell()
        for seconds in (0.4, 1, 6):
            await after(seated, seconds)
            ticked, rows = cells(seated), seated.rows
            anew = await drawn_anew(seated)
            assert rows == seated.rows
            assert ticked == anew
        for owed in match.rules.pending(match.state)[:1]:
            action, rng = draw(owed.choice, rng)
            match.play(owed.seat, action.text)
        await seated.settle()


async def test_the_free_time_of_a_window_stood_still_beside_the_log_while_no_bank_ran(server: FakeServer) -> None:
    await seat(server, "mira", ATTACK, 120, 40)
    tarn = await seat(server, "tarn", ATTACK, 120, 40)
    noor = await server.connect(account("noor"), 120, 40, Landing("watch", "m1"))
    match = server.matches.all["m1"]
    match.play(Seat(0), "play attack 1")
    await tarn.settle()
    for left in ("0:07", "0:06"):
        await after(tarn, 1)
        await after(noor, 0)
        free = Look().t("match.free-time", time=left)
        assert tarn.text.count(free) == 1, "above the keys: it stood below the seats, too"
        assert noor.text.count(free) == 1, "below the seats: nobody asks who looks on"


async def test_a_clock_is_drawn_without_the_board(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    seated = await in_match(server)
    await after(seated, 2)
    drawn: list[int] = []
    monkeypatch.setattr(MatchPage, "body", lambda page, cols, rows: drawn.append(rows))
    before, seated.wire.sent = seated.text, bytearray()
    await after(seated, 1)
    assert seated.text != before
    assert 0 < len(seated.wire.sent) < 60
    assert drawn == []


async def test_nothing_is_drawn_while_no_shown_digit_changes(server: FakeServer) -> None:
    seated = await in_match(server)
    await after(seated, 2.5)
    seated.wire.sent.clear()
    await after(seated, 0.3)
    assert not seated.wire.sent


async def test_a_clock_that_stands_still_is_not_drawn(server: FakeServer) -> None:
    seated = await in_match(server)
    match = server.matches.all["m1"]
    match.changes["deciding"] = ()
    match.tell()
    await after(seated, 1)
    seated.wire.sent.clear()
    await after(seated, 60)
    assert not seated.wire.sent


async def test_a_clock_that_begins_to_run_is_drawn_within_a_second(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    seated = await in_match(server)
    match, waits = server.matches.all["m1"], list[float]()

    def later(seconds: float, callback: object, is_coalesced: bool = False) -> Callable[[], None]:
        waits.append(seconds)
        return lambda: None

    match.changes["deciding"] = ()
    match.tell()
    monkeypatch.setattr(seated.session.display, "later", later)
    match.changes["watchers"] = ()
    match.tell()
    assert waits.pop() > 2
    del match.changes["deciding"]
    match.tell()
    assert waits.pop() < 1.1


async def test_who_sat_down_had_two_clocks_tick(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = set[object]()

    def later(display: Display, seconds: float, callback: object, is_coalesced: bool = False) -> Callable[[], None]:
        if is_coalesced:
            waiting.add(one := object())
            return lambda: waiting.discard(one)
        return lambda: None

    monkeypatch.setattr(Display, "later", later)
    seated, match = await at_a_board(server, "rainet", SIZES[0])
    assert len(waiting) == 1
    match.tell()
    await seated.type("right")
    assert len(waiting) == 1


async def test_time_opens_a_claim(server: FakeServer) -> None:
    seated = await in_match(server)
    match = server.matches.all["m1"]
    match.changes |= {"claim_at": NOON + timedelta(seconds=5), "pending": None}
    match.tell()
    await after(seated, 1)
    assert not seated.says("keys.match.claim")
    await after(seated, 5)
    assert seated.says("keys.match.claim")


async def test_what_is_being_typed_stays_while_clocks_go_on(server: FakeServer) -> None:
    seated = await in_match(server)
    await seated.type("tab", *"good luck")
    await after(seated, 1)
    assert "good luck" in seated.text
    ticked = cells(seated)
    assert ticked == await drawn_anew(seated)


def test_the_next_digit_comes_when_a_running_bank_passes_a_whole_second() -> None:
    shot = StagedMatch("rainet", (person("mira"), person("tarn"))).snapshot(Seat(0))
    begins = shot.clock_at
    now = begins + timedelta(milliseconds=400)
    wait = next_digit_s(shot, now)
    assert wait is not None
    assert wait == pytest.approx(0.602)
    assert reading(shot, now + timedelta(seconds=wait)) != reading(shot, now)
    assert reading(shot, now + timedelta(seconds=wait - 0.003)) == reading(shot, now)
    assert next_digit_s(replace(shot, deciding=()), now) is None


def line(name: str, clock: str, style: str = "clock.run") -> Line:
    return (("", f"{name} "), (style, clock), ("", " "))


@pytest.mark.parametrize(
    ("was", "now", "shown"),
    [
        (((61, -1), (75, -1)), ((60, -1), (75, -1)), {0: line("mira", "1:00")}),
        (((61, -1), (75, -1)), ((61, -1), (74, -1)), {1: line("tarn", "1:14")}),
        (((61, -1), (75, -1)), ((61, -1), (75, -1)), {}),
        (((61, -1), (75, -1)), ((61, 3), (75, -1)), None),
        (((62, -1), (75, -1)), ((61, -1), (75, -1)), None),
        (((61, -1), (75, -1)), ((9, -1), (75, -1)), None),
    ],
)
def test_only_the_digits_of_a_clock_are_replaced(was: Reading, now: Reading, shown: dict[int, Line] | None) -> None:
    lines = [line("mira", "1:01"), line("tarn", "1:15")]
    assert advanced_lines(lines, was, now, Look()) == shown


def test_two_clocks_that_show_the_same_are_drawn_anew() -> None:
    lines = [line("mira", "1:01"), line("tarn", "1:01")]
    assert advanced_lines(lines, ((61, -1), (61, -1)), ((60, -1), (61, -1)), Look()) is None


def test_a_clock_that_loses_a_digit_is_drawn_anew() -> None:
    assert advanced_lines([line("mira", "10:00")], ((600, -1),), ((599, -1),), Look()) is None


async def test_a_board_under_another_page_was_drawn_at_each_tick(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    seated = await in_match(server)
    page = seated.session.pages.top
    assert isinstance(page, MatchPage)
    await seated.type("?")
    assert seated.session.pages.top is not page
    dirtied: list[bool] = []
    monkeypatch.setattr(seated.session, "dirty", lambda: dirtied.append(True))
    page.tick_clocks()
    assert dirtied == []


async def test_the_clocks_go_on_when_a_board_is_on_top_again(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    seated = await in_match(server)
    page = seated.session.pages.top
    assert isinstance(page, MatchPage)
    await seated.type("?")
    page.tick_clocks()
    waits: list[bool] = []

    def later(seconds: float, callback: object, is_coalesced: bool = False) -> Callable[[], None]:
        waits.append(is_coalesced)
        return lambda: None

    monkeypatch.setattr(seated.session.display, "later", later)
    await seated.type("esc")
    assert seated.session.pages.top is page
    assert True in waits


def fresh(seated: Seated) -> bool:
    """Tell whether what was just done stands out."""
    page = seated.session.pages.top
    assert isinstance(page, MatchPage)
    return page.drawing.is_fresh


async def test_what_was_just_done_stands_out_for_a_second_and_no_longer(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One had to look for the move that had come: it was marked as quietly as it stays."""
    mira, match = await at_a_board(server, "relati", (80, 24))
    waits: list[tuple[float, Callable[[], None]]] = []

    def later(
        self: Display, seconds: float, callback: Callable[[], None], is_coalesced: bool = False
    ) -> Callable[[], None]:
        waits.append((seconds, callback))
        return lambda: None

    monkeypatch.setattr(Display, "later", later)
    match.play(0, "Lh8")
    match.tell()
    await mira.settle()
    lit = cells(mira)
    assert fresh(mira)
    (rest,) = [callback for seconds, callback in waits if seconds == FRESH_S]
    rest()
    await mira.settle()
    assert not fresh(mira)
    assert cells(mira) != lit
    assert len([seconds for seconds, _ in waits if seconds == FRESH_S]) == 1, "a board at rest has no timer"


async def test_a_capture_blinks_once_and_a_move_does_not(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    mira, match = await at_a_board(server, "relati", (80, 24))
    waits: list[tuple[float, Callable[[], None]]] = []

    def later(
        self: Display, seconds: float, callback: Callable[[], None], is_coalesced: bool = False
    ) -> Callable[[], None]:
        if seconds <= FRESH_S:
            waits.append((seconds, callback))
        return lambda: None

    monkeypatch.setattr(Display, "later", later)
    monkeypatch.setattr(type(board("relati")), "weight", lambda board, event: Weight.DRAMATIC)
    match.play(0, "Lh8")
    match.tell()
    await mira.settle()
    shone = [fresh(mira)]
    for seconds in (FRESH_S / 4, FRESH_S / 4, FRESH_S / 2):
        at = next(at for at, (wait, _) in enumerate(waits) if wait == seconds)
        waits.pop(at)[1]()
        shone.append(fresh(mira))
    assert shone == [True, False, True, False]


async def test_who_wants_no_motion_sees_none(server: FakeServer) -> None:
    server.prefer("mira", Preferences(calibrated=True, motion=False))
    mira, match = await at_a_board(server, "relati", (80, 24))
    match.play(0, "Lh8")
    match.tell()
    await mira.settle()
    assert not fresh(mira)
