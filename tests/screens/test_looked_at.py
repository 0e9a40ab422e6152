"""What was seen when every scene was looked at as a picture: cut words, empty rows, loud grounds."""

from __future__ import annotations

from itertools import groupby, pairwise

import pytest

from game.netrunner.facts import FACTS
from server.accounts.preferences import Preferences
from server.address import Address
from server.boards.games.netrunner import details
from server.boards.games.netrunner.cardtext import title_of
from server.lobby.model import Seek
from server.matches.agreement import Agreement
from server.screens.form import MAKE_KEY
from server.screens.ratingcurve import trace
from server.session.places import Landing
from server.terminal import theme
from server.terminal.lines import ELLIPSIS, columns, text_of
from server.terminal.look import Look
from tests.boards.positions import person
from tests.pictures import TRUE_COLOUR
from tests.scenes import REPORTED, SAID, SCENES, At, match
from tests.session.fakeserver import CODE, FakeServer, Seated, account
from tests.session.stage import StagedMatch


@pytest.fixture(autouse=True)
def all_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.boards.gamefacts.has_board", lambda game: True)


async def scene(server: FakeServer, name: str, cols: int, rows: int) -> Seated:
    found = await SCENES[name](server, At(cols, rows, TRUE_COLOUR, "default", "unicode", b""))
    await found.settle()
    return found


@pytest.mark.parametrize("name", ["lobby", "alone", "looking", "profile"])
async def test_words_were_cut_in_a_small_window(server: FakeServer, name: str) -> None:
    """The games of Play now, what one can do alone, the empty chat, the heads of the totals."""
    found = await scene(server, name, 40, 20)
    assert ELLIPSIS not in found.text


async def test_a_way_out_of_an_empty_lobby_stopped_in_mid_sentence(server: FakeServer) -> None:
    found = await scene(server, "lobby", 40, 20)
    at = next(y for y, row in enumerate(found.rows) if row.split()[:1] == ["b"])
    assert " ".join((found.rows[at] + found.rows[at + 1]).split()).endswith(found.session.t("lobby.empty.bot"))


async def test_until_when_somebody_is_muted_was_cut(server: FakeServer) -> None:
    found = await scene(server, "report", 40, 20)
    assert "UTC: too loud" in found.text


async def test_rows_stayed_empty_below_a_table_on_which_one_waits(server: FakeServer) -> None:
    """Netrunner at 80x24: seven rows, while the log had one."""
    found = await scene(server, "netrunner", 80, 24)
    blank = [len(list(rows)) for is_blank, rows in groupby(found.rows[1:-2], lambda row: not row.strip()) if is_blank]
    assert max(blank) == 1
    assert found.says("match.since")


async def test_a_profile_at_80_columns_had_no_curve_but_a_wedge(server: FakeServer) -> None:
    found = await scene(server, "profile", 80, 24)
    assert "1642" in found.text
    assert "1500" in found.text
    assert "▇" not in found.text


@pytest.mark.parametrize("values", [(1, 2, 3, 4), (4, 4, 4), (9, 1), tuple(range(100))])
def test_a_trace_fills_its_columns(values: tuple[int, ...]) -> None:
    drawn = trace(values, Look(), 14)
    assert columns(drawn) == min(14, -(-len(values) // 2))
    assert " " not in drawn
    assert trace(values, Look(glyph_set="ascii"), 14).isascii()


async def test_the_page_of_bots_was_half_empty(server: FakeServer) -> None:
    found = await scene(server, "bots", 80, 24)
    assert found.says("bots.at-once.below", level=found.session.t("bot.normal"))
    assert any(row.split()[:2] == ["1", "RaiNet"] for row in found.rows)


async def test_the_emblems_moved_with_every_other_game(server: FakeServer) -> None:
    """They stood below the form, whose rows come and go, and gave way to a sentence: 1,800 bytes a key."""
    found = await scene(server, "bots", 80, 24)
    stood = found.rows[16:21]
    assert "RaiNet" in stood[-1]
    for key in (*["right"] * 4, *["down"] * 6, "right"):
        await found.type(key)
        assert found.rows[16:21] == stood


@pytest.mark.parametrize("name", ["default", "colour-blind", "high-contrast"])
def test_half_a_board_of_reach_was_loud_in_16_colours(name: str) -> None:
    backs = {entry[0]: entry[2] for entry in theme.palette(name, "", 16)}
    assert backs["cell.reach"] in ("default", "black")
    assert backs["cell.target"] not in ("default", "black")


async def test_the_page_of_tutorials_was_half_empty(server: FakeServer) -> None:
    found = await scene(server, "tutorials", 80, 24)
    assert found.says("game.passage.takes")
    assert found.text.count(found.session.t("game.relati.about").split()[0]) == 1, "each sentence once"


async def test_what_somebody_does_was_cut_in_a_small_window(server: FakeServer) -> None:
    """“here, has a running mat…” said nothing that one could read elsewhere."""
    found = await scene(server, "people", 40, 20)
    assert found.says("people.has-running")


async def test_a_rooms_name_was_cut_in_a_small_window(server: FakeServer) -> None:
    """Eight columns of it were left before what came in columns behind it."""
    for cols in (40, 60):
        found = await scene(server, "lobby", cols, 20)
        assert any("friday evening" in row for row in found.rows)


async def test_a_busy_lobby_at_80x24_showed_no_board(server: FakeServer) -> None:
    found = await scene(server, "lobby", 80, 24)
    head = next(y for y, row in enumerate(found.rows) if row.startswith(" Live: RaiNet"))
    assert [row.split()[0] for row in found.rows[head + 1 : head + 9]] == list("87654321")
    assert found.says("context.people")
    assert "good game, thanks" in found.text
    await found.type(f"\x1b[<0;9;{head + 4}M")
    assert "omid – akio" in found.rows[0]


async def test_a_board_below_the_lists_hid_rows_that_one_could_join(server: FakeServer) -> None:
    for name in ("reza", "sina", "kian"):
        server.add(name)
        await server.lobby.seek(person(name), Seek(Agreement("relati", rated=True)))
    found = await scene(server, "lobby", 80, 24)
    assert all(name in found.text for name in ("reza", "sina", "kian", "akio", "friday evening"))


async def test_one_row_left_the_games_no_room_for_their_emblems(server: FakeServer) -> None:
    match(server, "rainet")
    for name in ("tarn", "lio", "zoe"):
        server.said("lobby", name, "hello")
    found = await At(80, 24, TRUE_COLOUR, "default", "unicode", b"").seated(server, "esc")
    assert found.rows[2].startswith("›")
    assert any(row.split()[:2] == ["RaiNet", "20"] for row in found.rows)
    assert found.says("lobby.empty.new")


async def test_a_lobby_of_200_columns_had_empty_sides(server: FakeServer) -> None:
    """Who is here and the chat stand beside the board there."""
    found = await scene(server, "lobby", 200, 60)
    head = next(row for row in found.rows if "Live: RaiNet" in row)
    people = found.session.t("lobby.people")
    assert head.index("Live:") < head.index(people) < 200 - len(people) < 200
    assert any(row.startswith(" open ") for row in found.rows)


@pytest.mark.parametrize(
    ("name", "said", "cols", "rows"),
    [
        ("people", "people.challenge", 80, 24),
        ("decks", "decks.export", 120, 40),
        ("reports", "reports.open", 120, 40),
    ],
)
async def test_below_a_short_list_there_was_nothing(
    server: FakeServer, name: str, said: str, cols: int, rows: int
) -> None:
    """What can be done stands there in words; it is the same whichever row is chosen."""
    found = await scene(server, name, cols, rows)
    words = found.session.t(f"keys.{said}.help")
    [at] = [y for y, row in enumerate(found.rows) if words in row]
    await found.type("down")
    assert words in found.rows[at]


async def test_below_the_few_matches_of_somebody_there_was_nothing(server: FakeServer) -> None:
    made = StagedMatch("rainet", (person("tarn"), person("lio")), "h1").end((0,), (1,))
    server.matches.add(made)
    found = await SCENES["stranger"](server, At(80, 24, TRUE_COLOUR, "default", "unicode", b""))
    assert found.says("profile.matches")
    assert found.says("keys.profile.follow.help")


async def test_a_room_with_a_long_invite_showed_no_picture_of_its_game(server: FakeServer) -> None:
    server.prefer("mira", Preferences(calibrated=True))
    found = await server.connect(account("mira"), 80, 24, Landing(reached_at=Address("play.example.org", 2222)))
    await found.type("n", "enter")
    assert f"ssh -t -p 2222 play.example.org join {CODE}" in found.text
    glyphs = found.session.look.glyphs
    assert glyphs.exit in found.text
    assert all(len(row) <= 80 for row in found.rows)


async def test_a_guest_in_a_small_window_could_not_read_how_to_make_a_key(server: FakeServer) -> None:
    found = await scene(server, "me-of-a-guest", 40, 20)
    assert MAKE_KEY in found.text


async def test_what_a_card_does_was_cut_at_60_columns(server: FakeServer) -> None:
    found = await scene(server, "passage-asked", 60, 20)
    assert not [row for row in found.rows[9:16] if ELLIPSIS in row[:38]]
    assert found.says("passage.does.attack1")


async def test_a_long_choice_was_cut_where_one_could_not_read_it(server: FakeServer) -> None:
    found = await scene(server, "run", 40, 20)
    cut = [row for row in found.rows[10:16] if row.endswith("…")]
    assert len(cut) == 1
    await found.type("down", "down")
    assert not [row for row in found.rows[10:16] if row.endswith("…")]


async def test_the_lobby_s_banner_was_one_with_the_chosen_row_below_it(server: FakeServer) -> None:
    """Both had the ground of a row, and the banner's stopped where its words did."""
    found = await scene(server, "lobby", 80, 24)
    title, banner, row = (found.wire.screen.buffer[y] for y in range(3))
    assert found.rows[2].startswith("›")
    assert {banner[x].bg for x in range(80)} == {title[0].bg} != {row[0].bg}


@pytest.mark.parametrize("name", ["room", "own-room"])
async def test_a_room_showed_the_emblem_of_its_game_twice(server: FakeServer, name: str) -> None:
    found = await scene(server, name, 120, 40)
    words = found.session.t("game.relati.about" if name == "room" else "game.rainet.about").split()[:3]
    [at] = [y for y, row in enumerate(found.rows) if " ".join(words) in row]
    assert at < next(y for y, row in enumerate(found.rows) if CODE in row and y), "below what is played"


@pytest.mark.parametrize(("cols", "rows"), [(120, 40), (200, 60)])
async def test_the_first_screen_broke_the_line_to_be_copied_and_had_its_keys_far_below(
    server: FakeServer, cols: int, rows: int
) -> None:
    found = await scene(server, "welcome", cols, rows)
    assert "ssh -i KEY -o IdentitiesOnly=yes localhost" in found.text
    said = [y for y, row in enumerate(found.rows) if row.strip()]
    assert all(below - above <= 5 for above, below in pairwise(said[1:]))


async def test_the_emblems_of_the_page_of_bots_touched_the_words_above_them(server: FakeServer) -> None:
    found = await scene(server, "bots", 120, 40)
    said = found.session.t("bots.at-once.below", level=found.session.t("bot.normal"))
    at = next(y for y, row in enumerate(found.rows) if said in row)
    assert not found.rows[at + 1].strip()
    assert found.rows[at + 2].strip()


async def test_the_chat_began_one_column_left_of_the_log(server: FakeServer) -> None:
    found = await scene(server, "netrunner", 80, 24)
    (said,) = (row for row in found.rows if "you too" in row)
    (drawn,) = (row for row in found.rows if "draws Neural Katana" in row)
    assert said.index("mira") == drawn.index("mira")


async def test_two_lines_with_nothing_between_them_stood_above_the_chat(server: FakeServer) -> None:
    found = await scene(server, "passage-veto", 120, 40)
    ruled = [y for y, row in enumerate(found.rows) if row.rstrip().endswith("───")]
    panel = max(row.rfind("╮") for row in found.rows) + 2
    assert all(any(row[panel:].strip() for row in found.rows[a + 1 : b]) for a, b in pairwise(ruled))


@pytest.mark.parametrize("name", ["no-decks", "no-messages", "no-reports", "people", "stranger"])
async def test_what_one_can_do_ran_to_the_edge_of_the_screen(server: FakeServer, name: str) -> None:
    found = await scene(server, name, 80, 24)
    words = [row for row in found.rows[2:-2] if not row.startswith(" ›")]
    assert max(columns(row.rstrip()) for row in words) < 80


async def test_the_place_was_cut_for_words_beside_it(server: FakeServer) -> None:
    found = await scene(server, "tried-line", 80, 24)
    assert ELLIPSIS not in found.rows[0]
    assert found.says("line.guessed")


async def test_in_ascii_a_full_stop_stood_between_the_terms_of_a_room(server: FakeServer) -> None:
    found = await SCENES["room"](server, At(80, 24, TRUE_COLOUR, "default", "ascii", b""))
    assert found.rows[3].startswith(f" {found.session.look.game('relati')} - ")


async def test_the_end_of_a_reported_reason_was_left_out_without_a_sign(server: FakeServer) -> None:
    found = await scene(server, "report", 40, 20)
    assert "asked him to stop" in " ".join(found.text.split())


async def test_the_titles_of_cards_were_cut_beside_empty_columns(server: FakeServer) -> None:
    found = await scene(server, "cards", 60, 20)
    assert ELLIPSIS not in found.text


async def test_of_the_chosen_row_of_stops_only_half_had_a_ground(server: FakeServer) -> None:
    found = await scene(server, "netrunner-stops", 80, 24)
    at = next(y for y, row in enumerate(found.rows) if row.startswith(" ›"))
    cells = [found.wire.screen.buffer[at][x] for x in range(78)]
    assert len({cell.bg for cell in cells}) == 1


@pytest.mark.parametrize("cols", [36, 57, 78])
def test_the_head_of_a_card_was_cut_at_a_mulligan(cols: int) -> None:
    """What has no room is left out whole: of its kind first, so that what it costs is read."""
    heads = [text_of(details.brief_lines(code, Look(), cols)[0]) for code in FACTS]
    titles = [title_of(code, Look()) for code in FACTS]
    assert all(ELLIPSIS not in head for head, title in zip(heads, titles, strict=True) if columns(title) <= cols)
    costs = {title: head for head, title in zip(heads, titles, strict=True)}
    assert "rez" in costs["Project Junebug"]


async def test_an_opening_hand_was_a_line_above_fifteen_empty_rows(server: FakeServer) -> None:
    found = await scene(server, "mulligan", 200, 60)
    row = next(row for row in found.rows if "Project Junebug" in row)
    assert "Data Mine" in row
    assert sum("counter" in line for line in found.rows) == 2  # its text to the end


async def test_a_table_stayed_packed_though_nobody_is_asked_any_more(server: FakeServer) -> None:
    """Rows for choices were kept free below a match of Netrunner that was over."""
    found = await scene(server, "end-of-cards", 120, 40)
    at = next(y for y, row in enumerate(found.rows) if "Armitage Codebusting" in row)
    assert not found.rows[at - 1][:80].strip()


async def test_the_log_of_a_replay_of_netrunner_had_two_lines_at_80x24(server: FakeServer) -> None:
    found = await scene(server, "replay-of-cards", 80, 24)
    last = max(y for y, row in enumerate(found.rows) if row.startswith("─" * 80))
    strip = next(y for y, row in enumerate(found.rows) if "mira 1512" in row)
    assert sum(bool(row.strip()) for row in found.rows[last + 1 : strip]) >= 3
    await found.type("left", "left")
    assert "mira 1512" in found.rows[strip]


async def test_a_ladder_filled_half_of_its_page(server: FakeServer) -> None:
    """Bars say how far apart the ratings are."""
    found = await scene(server, "ladders", 120, 40)
    bars = [row.count("━") for row in found.rows if row.split()[:1] and row.strip("› ").split()[0].isdigit()]
    assert bars == sorted(bars, reverse=True)
    assert (bars[0] > 20, bars[-1]) == (True, 1)


async def test_the_form_with_which_one_bans_was_half_empty(server: FakeServer) -> None:
    """It repeats what was said, as much of the end as has room, and never the words of who reported it."""
    for cols, rows, n in ((80, 24, len(SAID)), (60, 20, 4)):
        found = await scene(server, "sanction", cols, rows)
        assert sum(text in found.text for text in SAID) == n
        assert REPORTED[0][2][:20] not in found.text


async def test_below_a_few_decks_there_was_nothing_at_80x24(server: FakeServer) -> None:
    """All that can be done had no room, so nothing of it stood there."""
    found = await scene(server, "decks", 80, 24)
    assert found.says("keys.decks.edit.help")
    assert not found.says("keys.decks.library.help")


@pytest.mark.parametrize("name", ["relati", "replay-of-links", "passage", "passage-veto", "replay-of-vetoes"])
async def test_a_tall_narrow_window_showed_no_players(server: FakeServer, name: str) -> None:
    """The board took all its rows, and left many of them empty."""
    found = await scene(server, name, 45, 45)
    assert "lio 1464" in found.text
    assert found.rows[2].strip()


async def test_a_key_of_play_now_stood_at_the_edge_of_a_tall_narrow_window(server: FakeServer) -> None:
    found = await scene(server, "lobby", 45, 45)
    (row,) = (row for row in found.rows if found.session.t("keys.lobby.games") in row and row.split()[0] == "g")
    assert row.startswith(" ")


async def test_what_a_game_is_was_wrapped_beside_an_emblem_that_had_no_room(server: FakeServer) -> None:
    found = await scene(server, "room", 45, 45)
    words = found.session.t("game.relati.about")
    assert [row for row in found.rows if words in row]
