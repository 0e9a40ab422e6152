"""A session in a browser: the cells of a screen, what they mean, and what comes in."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from game.contract import Seat
from server.screens.cards import CardsPage
from server.session.places import Landing
from tests.boards.positions import person
from tests.session.browsing import browse
from tests.session.fakeserver import FakeServer, account
from tests.session.stage import StagedMatch
from tests.texts import en


def running(server: FakeServer) -> StagedMatch:
    """Begin a match of RaiNet whose cards are placed."""
    match = server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn"))))
    for seat in (0, 1):
        match.play(seat, "setup LLLLVVVV")
    return match


@pytest.mark.parametrize("size", [(40, 20), (80, 24), (100, 30)])
async def test_the_rows_of_a_board_are_those_of_a_terminal(server: FakeServer, size: tuple[int, int]) -> None:
    match = running(server)
    zoe = await server.connect(account("zoe"), *size, landing=Landing("watch", match.id))
    lio = await browse(server, account("lio"), *size, landing=Landing("watch", match.id))
    shown, seen = lio.page.rows, zoe.rows
    assert shown[1:] == seen[1:]
    assert len(shown) == size[1]


async def test_a_move_is_told_once_and_only_its_rows_are_sent(server: FakeServer) -> None:
    match = running(server)
    lio = await browse(server, account("lio"), landing=Landing("watch", match.id))
    assert lio.page.means["place"] == f"watch {match.id}"
    last, sent = max(lio.page.happened), len(lio.page.messages)
    match.play(0, "d2d3")
    lio.session.dirty()
    await lio.settle()
    told = [text for n, text in lio.page.happened.items() if n > last]
    assert any("d3" in one for one in told), told
    bytes_of_move = sum(map(len, lio.page.messages[sent:]))
    assert bytes_of_move < len(b"".join(lio.page.messages[:sent])) / 2


async def test_watchers_in_browsers_share_one_message(server: FakeServer) -> None:
    match = running(server)
    lio = await browse(server, account("lio"), landing=Landing("watch", match.id))
    zoe = await browse(server, account("zoe"), landing=Landing("watch", match.id))
    match.play(0, "d2d3")
    for one in (lio, zoe):
        one.session.dirty()
        await one.settle()
    assert lio.terminal.group is not None
    assert lio.terminal.group is zoe.terminal.group
    assert lio.page.rows[1:] == zoe.page.rows[1:]


async def test_who_reads_slowly_skips_frames_and_has_the_newest_in_the_end(server: FakeServer) -> None:
    match = running(server)
    slow = await browse(server, account("lio"), landing=Landing("watch", match.id))
    fast = await browse(server, account("zoe"), landing=Landing("watch", match.id))
    slow.page.paused, sent = True, len(slow.page.messages)
    for seat, move in ((0, "d2d3"), (1, "d7d6")):
        match.play(seat, move)
        for one in (slow, fast):
            one.session.dirty()
            await one.settle()
    assert len(slow.page.messages) == sent
    slow.page.paused = False
    slow.terminal.resume()
    await slow.settle()
    assert slow.page.rows[1:] == fast.page.rows[1:]


async def test_a_board_at_rest_sends_nothing_while_its_clock_runs(server: FakeServer) -> None:
    match = running(server)
    lio = await browse(server, account("mira"), landing=Landing("watch", match.id))
    await lio.settle()
    sent = len(lio.page.messages)
    lio.session.ticked()
    await lio.settle()
    assert len(lio.page.messages) == sent


async def test_a_player_moves_by_keys_and_by_taps(server: FakeServer) -> None:
    match = running(server)
    mira = await browse(server, account("mira"), landing=Landing("watch", match.id))
    seq = match.seq
    await mira.press(":")
    assert mira.page.means["entry"] is not None
    await mira.type_line("d2", is_whole=False)
    assert mira.page.means["entry"]["text"] == "d2"
    await mira.type_line("d2d3")
    assert match.seq == seq + 1
    title = mira.page.means["title"]
    await mira.press(next(key for key in mira.page.keys.values() if key == "?"))
    assert mira.page.means["title"] != title


async def test_a_tap_on_a_key_on_show_presses_it(server: FakeServer) -> None:
    lio = await browse(server, account("lio"))
    rows = lio.page.rows
    y = next(y for y, row in enumerate(rows) if "? " in row and y > 20)
    mira_title = lio.page.means["title"]
    lio.terminal.tap(rows[y].index("? "), y)
    await lio.settle()
    assert lio.page.means["title"] != mira_title


async def test_a_large_clock_stood_still_in_a_browser(server: FakeServer) -> None:
    match = running(server)
    zoe = await server.connect(account("zoe"), 120, 40, landing=Landing("watch", match.id))
    lio = await browse(server, account("lio"), 120, 40, landing=Landing("watch", match.id))
    [words] = [one["words"] for one in lio.page.means["times"]]
    assert any(words in row for row in lio.page.rows), "digits that the page counts down"
    large = set("".join(zoe.rows)) - set("".join(lio.page.rows))
    assert large & set("█▀▄"), "the terminal's are large"


async def test_a_phone_had_one_button_for_four_arrows(server: FakeServer) -> None:
    match = running(server)
    mira = await browse(server, account("mira"), landing=Landing("watch", match.id))
    keys = [(one["key"], one["shown"]) for one in mira.page.means["keys"]]
    assert keys[0][0] == "enter"
    assert keys[1:5] == [("up", "↑"), ("down", "↓"), ("left", "←"), ("right", "→")]


async def test_digits_say_what_they_choose(server: FakeServer) -> None:
    match = server.matches.add(StagedMatch("netrunner", (person("mira"), person("tarn"))))
    mira = await browse(server, account("mira"), landing=Landing("watch", match.id))
    digits = {one["key"]: one["label"] for one in mira.page.means["keys"] if one["key"].isdecimal()}
    assert digits == {"1": en("netrunner.row.keep"), "2": en("netrunner.row.mulligan")}


async def test_a_row_of_a_form_is_pressed_by_its_number_and_name(server: FakeServer) -> None:
    lio = await browse(server, account("lio"))
    await lio.press("b")
    rows = {one["text"]: one for one in lio.page.means["items"] if one["number"]}
    level = en("form.level")
    before = rows[level]["value"]
    await lio.choose(rows[level]["number"] + 1, level)
    assert {one["text"]: one["value"] for one in lio.page.means["items"]}[level] == before, "another row has the number"
    await lio.choose(rows[level]["number"], level)
    assert {one["text"]: one["value"] for one in lio.page.means["items"]}[level] != before


async def test_a_page_is_told_that_keys_are_held_back(server: FakeServer) -> None:
    match = running(server)
    mira = await browse(server, account("mira"), landing=Landing("watch", match.id))
    match.play(0, "d2d3")
    match.play(1, "d7d6")
    mira.session.dirty()
    await mira.settle()
    assert mira.page.means["holds"]


async def test_how_long_somebody_was_away_stood_still_for_watchers_in_browsers(server: FakeServer) -> None:
    match = running(server)
    now = server.clock.now()
    mira, tarn = match.snapshot(Seat(0)).seats
    gone = replace(tarn, gone_since=now, here=False)
    match.changes |= {"seats": (mira, gone), "claim_at": now + timedelta(seconds=90)}
    server.clock.shift(20)
    lio = await browse(server, account("lio"), landing=Landing("watch", match.id))
    times = {one["words"]: one["by"] for one in lio.page.means["times"]}
    text = "\n".join(lio.page.rows)
    assert times["away 0:20"] == 1
    assert all(words in text for words in times)
    assert [by for words, by in times.items() if "1:10" in words] == [-1]
    assert lio.session.pages.top is not None
    assert lio.session.pages.top.runs_out_s() == pytest.approx(70, abs=0.1), "then it says that one may claim"


async def test_180_cards_were_as_many_buttons_to_pass(server: FakeServer) -> None:
    lio = await browse(server, account("lio"), landing=Landing("page", "cards netrunner"))
    rows = [one for one in lio.page.means["items"] if one["kind"] == "row"]
    [further] = [one for one in lio.page.means["items"] if one["kind"] == "part"]
    assert len(rows) == 20
    assert rows[0]["is_chosen"]
    lio.terminal.choose(further["number"], further["value"], opens=False)
    await lio.settle()
    shown = lio.page.means["items"]
    assert [one["number"] for one in shown if one["kind"] == "row"] == list(range(21, 41))
    assert [one["text"] for one in shown if one["is_chosen"]] == [further["value"]]
    assert [one["number"] for one in shown if one["kind"] == "part"] == [1, 41]
    assert isinstance(page := lio.session.pages.top, CardsPage)
    assert not page.is_open, "it is chosen, not opened"


async def test_how_long_somebody_is_away_stood_still_in_a_browser(server: FakeServer) -> None:
    match = running(server)
    match.play(0, "d2d3")
    mira = await browse(server, account("mira"), landing=Landing("watch", match.id))
    now = server.clock.now()
    seats = match.snapshot(Seat(0)).seats
    gone = tuple(replace(info, gone_since=now if info.seat == 1 else None) for info in seats)
    match.changes |= {"seats": gone, "claim_at": now + timedelta(seconds=90)}
    match.tell()
    mira.session.dirty()
    await mira.settle()
    assert any("1:30" in row for row in mira.page.rows)
    server.clock.shift(1)
    mira.session.ticked()
    await mira.settle()
    assert any("1:29" in row for row in mira.page.rows)
