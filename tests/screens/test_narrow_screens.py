"""On a narrow screen nothing is out of reach: what has no room beside the board stands in its place."""

from __future__ import annotations

import pytest

from game.contract import Event, Json, Seat
from server.boards.board import board
from server.boards.gamefacts import playable
from server.matches.model import ChatLine
from server.session import places
from server.terminal.lines import ELLIPSIS, plain, text_of, width_cols
from server.terminal.look import Look
from tests import scenes
from tests.answers import offered
from tests.boards.positions import NOON, person
from tests.session.evening import MIDDLE, banner_text, in_lobby, match_page
from tests.session.fakeserver import FakeServer
from tests.session.stage import StagedMatch
from tests.texts import en

NAMES = ("mira", "tarn", "lio", "zoe")
SIZES = {"rainet": 2, "relati": 4, "passage": 4, "netrunner": 2}


@pytest.mark.parametrize("game", SIZES)
async def test_players_clocks_and_log_were_out_of_reach_at_forty_columns(server: FakeServer, game: str) -> None:
    names = NAMES[: SIZES[game]]
    match = StagedMatch(game, tuple(map(person, names)), "m1", MIDDLE if game == "rainet" else None)
    server.matches.add(match)
    owed = match.rules.pending(match.state)[0]
    seated = await in_lobby(server, 40, 20, names[owed.seat])
    await seated.type("enter")
    page, look = match_page(seated), Look()
    if page.drawing.has_panel:
        assert all(name in seated.text for name in names), seated.text
        return
    assert look.t("keys.match.panel") in seated.text, "the key is on show"
    await seated.type("P")
    for name in names:
        assert name in seated.text
    assert "2:41" in seated.text
    said = [board(game).say(page.snapshot, look, event) for event in match.events(Seat(owed.seat))]
    assert not any(said) or any(text[:12] in seated.text for text in said if text)
    acted = match.seq
    await seated.type("enter")
    assert match.seq == acted, "a key means nothing on a board that is out of sight"
    await seated.type("P", "esc")
    assert not page.shows_panel
    await seated.type("page up")
    assert page.shows_panel


async def test_on_a_small_screen_a_key_without_room_could_not_be_tapped(server: FakeServer) -> None:
    """The key line of forty columns has no room for the chat: the list of keys in help presses it."""
    server.matches.add(StagedMatch("rainet", tuple(map(person, NAMES[:2])), "m1"))
    seated = await in_lobby(server, 40, 20)
    await seated.type("enter")
    explained = Look().t("keys.match.chat.help")[:20]
    assert Look().t("keys.match.chat") not in seated.rows[-1]
    await seated.click(seated.rows[-1].index("?"), 19)
    for _ in range(8):
        if explained in seated.text:
            break
        await seated.click(1, 19)
    await seated.click(4, next(y for y, row in enumerate(seated.rows) if explained in row))
    assert seated.session.pages.top is match_page(seated)
    assert seated.session.prompts.typing is not None


@pytest.mark.parametrize(("cols", "rows"), [(80, 24), (60, 20)])
async def test_what_was_cut_beside_a_board_could_be_read_nowhere(server: FakeServer, cols: int, rows: int) -> None:
    """A line of chat, or the newest one of a log, that has no room in a narrow panel."""
    match = server.matches.add(StagedMatch("rainet", tuple(map(person, NAMES[:2])), "m1", MIDDLE))
    match.changes["chat"] = (ChatLine(NOON, NAMES[1], f"yes it stacks {'and stacks ' * 14}to the end", Seat(1)),)
    seated = await in_lobby(server, cols, rows)
    await seated.type("enter")
    assert Look().t("keys.match.panel") not in seated.text, "the players have their place"
    was_cut = "to the end" not in " ".join(seated.text.split())
    assert was_cut or cols > 60
    await seated.type("P")
    assert match_page(seated).shows_panel
    assert "to the end" in " ".join(seated.text.split()), seated.text
    await seated.type("P")
    assert not match_page(seated).shows_panel


@pytest.mark.parametrize("language", ["en", "zh_CN", "zh_TW"])
async def test_a_newcomer_s_first_match_did_not_say_the_goal(server: FakeServer, language: str) -> None:
    """The cards are placed for them: that somebody begins was told, and the goal was not."""
    match = server.matches.add(StagedMatch("rainet", tuple(map(person, NAMES[:2])), "m1", MIDDLE))
    match.seen.append((0, Event("begin", {"seat": 0})))
    seated = await in_lobby(server, language=language)
    await seated.type("enter")
    goal = "".join(seated.session.t("tutorial.rainet.goal").split())[:12]
    assert goal in "".join(seated.text.split())
    match.play(0, "d4e4")
    await seated.settle()
    assert goal not in "".join(seated.text.split())


@pytest.mark.parametrize("language", ["en", "zh_CN", "zh_TW"])
@pytest.mark.parametrize("game", SIZES)
async def test_lines_above_the_keys_were_cut_at_forty_columns(server: FakeServer, game: str, language: str) -> None:
    match = scenes.match(server, game)
    owed = match.rules.pending(match.state)[0].seat
    seated = await in_lobby(server, 40, 20, NAMES[owed], language)
    await seated.type("enter")
    page = match_page(seated)
    for key in ("", "down", "left", "up", ".", "enter", "right", "right"):
        await seated.type(*([key] if key else []))
        banner, said = banner_text(seated), text_of(page.message())
        below = seated.text.splitlines()[10:19]
        assert not below[-1].endswith(ELLIPSIS), seated.text
        for text in (banner, said):
            assert "".join(text.split()) in "".join("".join(below).split()), seated.text


async def test_a_card_whose_line_is_full_is_named_without_what_is_asked(server: FakeServer) -> None:
    server.matches.add(StagedMatch("rainet", tuple(map(person, NAMES[:2])), "m1", MIDDLE))
    seated = await in_lobby(server, 40, 20)
    await seated.type("enter", ".")
    page = match_page(seated)
    whole = text_of(page.seen.board.status(page.snapshot, page.answering.selection, seated.session.look))
    assert width_cols(plain(whole)) > 40
    here, turn = whole.split("  ")[1], seated.session.t("lines.prompt.turn")
    assert text_of(page.message()).strip() == f"{turn} {seated.session.look.glyphs.dot} {here}"


async def test_at_the_set_up_a_small_window_said_only_that_it_is_one_s_turn(server: FakeServer) -> None:
    server.matches.add(StagedMatch("rainet", tuple(map(person, NAMES[:2])), "m1"))
    seated = await in_lobby(server, 40, 20)
    await seated.type("enter")
    assert match_page(seated).snapshot.view.is_setup
    assert seated.says("rainet.do.setup.short")


async def test_on_a_phone_nothing_said_the_last_move_beside_a_third_of_the_window_left_blank(
    server: FakeServer,
) -> None:
    match = server.matches.add(StagedMatch("rainet", tuple(map(person, NAMES[:2])), "m1", MIDDLE))
    seated = await in_lobby(server, 40, 35)
    await seated.type("enter")
    page = match_page(seated)
    owed = match.rules.pending(match.state)[0]
    [move, *_] = [one.text for one in offered(owed) if len(one.text) == 4 and one.text.isalnum()]
    match.play(owed.seat, move)
    server.tell("m1")
    await seated.settle()
    assert page.drawing.has_panel
    assert f"{move[:2]}–{move[2:]}" in seated.text


async def test_two_of_four_games_were_cut_from_the_line_of_play_now(server: FakeServer) -> None:
    seated = await in_lobby(server, 40, 32)
    for game in playable():
        assert seated.session.look.game(game) in "\n".join(seated.rows[:8])


async def test_at_sixty_columns_the_panel_moved_with_the_cursor(server: FakeServer) -> None:
    """A long line took a row of the panel, whose log was set anew."""
    position: Json = {"players": 3, "hands": [["bottom", "slip"], ["slip"], ["slip"]], "pile": ["slip"] * 9}
    server.matches.add(StagedMatch("passage", tuple(map(person, NAMES[:3])), "m1", position))
    seated = await in_lobby(server, 60, 20)
    await seated.type("enter")
    rows = set()
    for _ in range(3):
        rows.add(match_page(seated).covered_rows)
        await seated.type("down")
    assert rows == {0}


async def test_enter_had_no_place_among_the_keys_where_a_card_is_put(server: FakeServer) -> None:
    position: Json = {"players": 2, "hands": [["kotodama", "warden"], ["warden"]], "pile": ["slip"] * 9}
    server.matches.add(StagedMatch("passage", tuple(map(person, NAMES[:2])), "m1", position))
    seated = await in_lobby(server, 60, 20)
    await seated.type("enter", "enter")
    assert match_page(seated).answering.selection.mode == "number"
    assert f"{en('key.enter')} {en('keys.passage.number.go')}" in seated.text


@pytest.mark.parametrize(("cols", "rows"), [(40, 20), (60, 20)])
async def test_a_lesson_and_its_board_were_both_cut_in_a_small_window(server: FakeServer, cols: int, rows: int) -> None:
    """One's own cards were out of sight, and so was what to do with them."""
    seated = await in_lobby(server, cols, rows)
    seated.session.go(places.TutorialPlace("rainet"))
    await seated.settle()
    words = " ".join(seated.text.split())
    assert seated.session.t("tutorial.rainet.move.text").split()[-2:] == words.split("Any key")[0].split()[-2:]
    await seated.type("x")
    assert " 1  ▲V" in seated.text
    await seated.type("P")
    assert seated.session.t("tutorial.read") in seated.text
    await seated.type("x", "enter", "up", "enter")
    assert seated.session.t("tutorial.done") in seated.text
