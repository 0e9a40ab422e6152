"""Small things that people hesitated at: typed and read off the screen."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from game import registry
from game.contract import LEVELS, MASTER, Json, Seat
from server.accounts.identity import Player
from server.accounts.preferences import Preferences, read_preferences, write_preferences
from server.address import Address
from server.boards.gamefacts import playable
from server.boards.seats import short_guest
from server.lobby import room_document, room_state
from server.lobby.errors import LobbyRefused
from server.lobby.model import RoomSettings
from server.matches.agreement import Agreement
from server.matches.model import ChatLine
from server.ratings.bradley_terry import Rating
from server.screens.bots import BotPage, LastBotForm, usual_form
from server.screens.chooser import Chooser
from server.screens.form import NumberRange
from server.screens.lastforms import last_form, with_form
from server.screens.newroom import NewRoomPage
from server.screens.replay import ReplayPage
from server.screens.tutorial import TutorialPage
from server.session import places
from server.session.places import Landing
from server.terminal.field import Field
from server.terminal.lines import ELLIPSIS
from tests import scenes
from tests.boards.positions import NOON, person
from tests.screens.test_rooms import RAINET, in_room
from tests.session.evening import busy, in_lobby, match_page
from tests.session.fakeserver import CODE, FakeServer, account, guest, new_key
from tests.session.stage import StagedMatch
from tests.texts import en


def proposed(text: str) -> Field:
    return replace(Field.of(text), is_proposed=True)


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        (("x",), "x"),
        (("x", "y"), "xy"),
        (("backspace",), ""),
        (("left", "x"), "mirxa"),
        (("end", "x"), "mirax"),
        ((), "mira"),
    ],
)
def test_typing_replaces_a_text_that_was_only_proposed(keys: tuple[str, ...], text: str) -> None:
    field = proposed("mira")
    for key in keys:
        pressed = field.press(key)
        assert pressed is not None
        field = pressed
    assert field.text == text


def test_a_field_that_is_cut_begins_with_no_accent_without_its_letter() -> None:
    """The accent was drawn on the last letter of the prompt."""
    (_, shown), at = Field.of("abe\N{COMBINING ACUTE ACCENT}cd").shown(3)
    assert (shown, at) == ("cd ", 2)


def test_a_key_that_is_none_for_a_field_leaves_the_proposal() -> None:
    assert proposed("mira").press("f2") is None


async def test_the_proposed_handle_is_replaced_by_typing_and_taken_with_enter(server: FakeServer) -> None:
    seated = await server.connect(new_key("root"))
    await seated.type(*"zoe", "enter")
    assert await server.accounts.by_handle("zoe") is not None


async def test_ctrl_c_asks_in_the_lobby_too(server: FakeServer) -> None:
    """Help says that one is asked first; there it hung up at once."""
    seated = await in_lobby(server)
    await seated.type("ctrl c")
    assert seated.says("session.ask-leave")
    assert not seated.task.done()


async def test_a_second_ctrl_c_leaves(server: FakeServer) -> None:
    seated = await in_lobby(server)
    await seated.type("m", "ctrl c")
    assert not seated.task.done()
    await seated.type("ctrl c")
    assert seated.task.done()


async def test_a_tutorial_goes_on_where_it_was_left_and_leads_to_a_match(server: FakeServer) -> None:
    seated = await in_lobby(server)
    seated.session.pages.push(TutorialPage(seated.session, "rainet"))
    await seated.settle()
    page = seated.session.pages.top
    assert isinstance(page, TutorialPage)
    assert seated.session.t("tutorial.rainet.goal")[:30] in " ".join(seated.text.split()), "the goal comes first"
    page.go_to(3)
    await seated.type("esc")
    assert server.preferences("mira").lessons == ("rainet/=3-0-1-2",), "the steps before it were left out"
    seated.session.pages.push(TutorialPage(seated.session, "rainet"))
    page = seated.session.pages.top
    assert isinstance(page, TutorialPage)
    assert page.index == 3
    page.is_done = True
    await seated.type("b")
    assert isinstance(seated.session.pages.top, BotPage)
    assert seated.session.pages.top.game == "rainet"


@pytest.mark.parametrize("kept", ["rainet/=99", "rainet/=x", "relati/=2", "odd"])
async def test_a_kept_lesson_that_there_is_not_is_no_matter(server: FakeServer, kept: str) -> None:
    seated = await in_lobby(server)
    seated.session.person.preferences = Preferences(calibrated=True, lessons=(kept,))
    assert 0 <= TutorialPage(seated.session, "rainet").index < 9


async def test_help_opens_the_rules_of_the_game_that_one_is_at(server: FakeServer) -> None:
    """From a replay, a room or a tutorial it opened the rules of whatever game came first."""
    seated = await in_lobby(server)
    match = server.matches.add(StagedMatch("relati", (person("lio"), person("zoe")), "m7"))
    for page in (ReplayPage(seated.session, match), TutorialPage(seated.session, "relati")):
        seated.session.pages.push(page)
        await seated.type("?", "r")
        assert seated.session.t("game.relati") in seated.rows[0]
        await seated.type("esc", "esc")
    assert BotPage(seated.session, "rainet").help_topic() == "rainet"


async def test_a_match_with_bots_offers_the_levels_that_a_game_has(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.boards.gamefacts.has_board", lambda game: True)
    monkeypatch.setattr("game.registry.levels", lambda key: (*LEVELS, MASTER) if key == "relati" else LEVELS)
    seated = await in_lobby(server)
    page = BotPage(seated.session, "relati")
    page.wished_level = "master"
    assert page.level == "master"
    step(page, "form.game", playable().index("netrunner") - playable().index("relati"))
    assert page.game == "netrunner"
    assert page.level == "hard"
    step(page, "form.level", 1)
    assert page.level == "easy"


async def test_what_was_chosen_against_bots_is_remembered_whether_it_was_begun_or_left(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Esc forgot game and level, and a match begun remembered only these two: not the side."""
    monkeypatch.setattr("server.boards.gamefacts.has_board", lambda game: True)
    monkeypatch.setattr("game.registry.levels", lambda key: (*LEVELS, MASTER))
    seated = await in_lobby(server)

    async def opened() -> BotPage:
        await seated.type("b")
        page = seated.session.pages.top
        assert isinstance(page, BotPage)
        return page

    page = await opened()
    step(page, "form.game", playable().index("relati") - playable().index(page.game))
    for key in ("form.level", "form.speed", "form.players", "form.side", "relati.option.board"):
        step(page, key, 1)
    chosen = [(row.name, row.value) for row in page.rows()]
    await seated.type("esc")
    page = await opened()
    assert [(row.name, row.value) for row in page.rows()] == chosen
    step(page, "form.game", 1)
    assert (page.seat, page.options) == ("any", {}), "each game has choices of its own"
    step(page, "form.game", -1)
    assert [(row.name, row.value) for row in page.rows()] == chosen
    step(page, "form.side", 1)
    side = page.seat
    await seated.type("enter")
    assert BotPage(seated.session).seat == side
    assert read_preferences(write_preferences(server.preferences("mira"))) == server.preferences("mira")


def test_choices_that_are_not_to_be_had_any_more_are_not_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.boards.gamefacts.has_board", lambda game: True)
    form = LastBotForm(game="relati", speed="normal", side="any", players=2, options={"board": 9})
    kept = with_form(with_form(("broken",), usual_form("rainet")), form)
    assert last_form(kept, LastBotForm, "relati") == form
    for wrong in (
        {"speed": "hasty"},
        {"side": "Corp"},
        {"players": 99},
        {"options": {"board": 999}},
        {"options": {"gone": 1}},
    ):
        changed = with_form(kept, msgspec.structs.replace(form, **wrong))
        assert len(changed) == 2
        assert last_form(changed, LastBotForm, "relati") is None, wrong


def step(page: BotPage, key: str, by: int) -> None:
    """Change the line of a page that a message key names."""
    change = next(row.change for row in page.rows() if row.name == en(key))
    assert change is not None
    change(by)


async def test_a_host_takes_a_seat_back_after_a_question(server: FakeServer) -> None:
    seated, room = await in_room(server)
    server.add("tarn")
    await room.sit(person("tarn"))
    await seated.type("up")
    assert seated.session.t("keys.room.kick") not in seated.text
    await seated.type("down")
    assert f"k {seated.session.t('keys.room.kick')}" in seated.text
    await seated.type("k", "n")
    assert room.state.seats[1].player is not None
    await seated.type("k", "Y")  # y says that one is ready
    assert room.state.seats[1].player is None


async def test_who_loses_a_seat_to_the_host_is_told(server: FakeServer) -> None:
    """The seat was empty, and an older sentence about settings stood there still."""
    seated, room = await in_room(server, "tarn")
    await room.change(lambda one: room_state.stood(one, person("tarn").person))
    await seated.settle()
    assert seated.says("room.full")
    await seated.type("s", "s")
    assert room.state.seats[1].player is None
    assert not seated.says("room.full"), "one knows that one has stood up"


async def test_who_was_sent_away_by_the_host_sat_down_again(server: FakeServer) -> None:
    """They were told nothing, but how the host changes a bot's level."""
    seated, room = await in_room(server, "tarn")
    await room.remove(person("mira"), Seat(1))
    await seated.settle()
    assert seated.rows[0].startswith(" Lobby")
    assert seated.says("room.removed", code=room.code)
    with pytest.raises(LobbyRefused):
        await room.enter(person("tarn"), "tarn-2")
    assert room_document.from_json(room_document.to_json(room.state)).removed == (person("tarn").person, "127.0.0.1")
    await room.change(lambda one: room_state.held(one, Seat(1), "tarn"))
    await room.enter(person("tarn"), "tarn-2")


async def test_who_comes_into_a_full_room_is_told_so(server: FakeServer) -> None:
    """It waited "until everybody is ready", and the key to sit down did nothing."""
    room = await server.room("mira", RAINET)
    server.add("tarn")
    await room.sit(person("tarn"))
    seated, room = await in_room(server, "lio")
    await seated.settle()
    assert seated.says("room.full")
    assert f"s {seated.session.t('keys.room.seat')}" not in seated.text
    await room.stand(person("tarn"))
    await seated.settle()
    assert f"s {seated.session.t('keys.room.seat')}" in seated.text


@pytest.mark.parametrize("cols", [50, 60, 80, 120])
async def test_the_line_that_joins_a_room_is_never_cut(server: FakeServer, cols: int) -> None:
    """Beside the code it ran over the edge: on narrow screens, and where the server's name is long."""
    server.prefer("mira", Preferences(calibrated=True))
    landing = Landing(reached_at=Address("games.a-long-name.example.org", 2222))
    await server.room("mira", RoomSettings(Agreement("rainet")))
    seated = await server.connect(account("mira"), cols, 24, landing)
    await seated.type("c", *CODE.lower(), "enter")
    said = " ".join(seated.text.split())
    assert f"(ssh -t -p 2222 games.a-long-name.example.org join {CODE})" in said


async def test_a_side_in_a_room_has_the_colour_of_its_seat(server: FakeServer) -> None:
    """Only the name of who sat there had it: a free seat told nobody which colour comes with it."""
    seated, room = await in_room(server)
    page = seated.session.pages.top
    assert page is not None
    body = page.body(80, 20)
    side = seated.session.look.side("rainet", registry.get("rainet").seat_names(2)[1], 1)
    assert room.state.seats[1].player is None
    assert [style for line in body.lines for style, text in line if text.strip() == side] == ["seat1"]


async def test_who_was_ready_is_told_that_the_settings_have_changed(server: FakeServer) -> None:
    seated, room = await in_room(server, "tarn")
    await room.ready(person("tarn"))
    await seated.settle()
    await room.set(person("mira"), room.state.settings.agreed(speed="slow", watchable=False))
    await seated.settle()
    assert seated.session.t("room.changed.unready") in " ".join(seated.text.split())
    assert seated.session.t("agreed.watchable.off") in seated.text


async def test_chat_has_the_rows_that_the_log_leaves_empty(server: FakeServer) -> None:
    """At 80x24 a quarter of the side was the chat's, even while the log above it was empty."""
    server.prefer("mira", Preferences(calibrated=True))
    match = server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn"))))
    match.changes["chat"] = tuple(ChatLine(NOON, "tarn", f"said {n}", Seat(1)) for n in range(9))
    seated = await server.connect(account("mira"))
    assert seated.rows[0].startswith(" RaiNet")
    said = [row.split("tarn  ")[1] for row in seated.rows if "tarn  said" in row]
    assert len(said) >= 6
    assert said == [f"said {n}" for n in range(9)][-len(said) :], "the newest ones, in order"
    spare = {row[-40:].strip() for row in seated.rows[2:20]}
    assert "" not in spare or len(said) == 9, "no empty row beside lines that are left out"


MOVES = (
    "setup LLLLVVVV",
    "setup LLLLVVVV",
    "a1a2",
    "a8a7",
    "a2a3",
    "a7a6",
    "a3a4",
    "h8h7",
    "a4a3",
    "h7h6",
    "a3a2",
    "h6h7",
)


async def test_a_long_log_leaves_chat_its_share_and_no_more(server: FakeServer) -> None:
    server.prefer("mira", Preferences(calibrated=True))
    match = server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn"))))
    match.changes["chat"] = tuple(ChatLine(NOON, "tarn", f"said {n}", Seat(1)) for n in range(9))
    seated = await server.connect(account("mira"))
    short = sum("tarn  said" in row for row in seated.rows)
    for text in MOVES:
        owed = match.rules.pending(match.state)[0]
        match.play(owed.seat, text)
    await seated.settle()
    assert 1 <= sum("tarn  said" in row for row in seated.rows) < short


@pytest.mark.parametrize("language", ["en", "zh_CN", "zh_TW"])
async def test_help_told_the_board_s_keys_first_while_the_cards_were_placed(server: FakeServer, language: str) -> None:
    server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn")), "m1"))
    seated = await in_lobby(server, name="mira", language=language)
    await seated.type("enter", "?")
    t = seated.session.t
    assert any(t("context.rainet.setup") in row for row in seated.rows[:5])
    assert t("keys.rainet.setup.shuffle.help") in seated.text


async def test_help_in_a_list_of_targets_begins_with_its_keys(server: FakeServer) -> None:
    position: Json = {"players": 3, "hands": [["attack", "greed"], ["warden"], ["warden"]], "pile": ["passage"] * 5}
    match = StagedMatch("passage", tuple(map(person, ("mira", "tarn", "lio"))), "m1", position)
    server.matches.add(match)
    seated = await in_lobby(server, name="mira")
    await seated.type("enter", "enter")
    page = match_page(seated)
    assert page.contexts()[0] == "passage.target"
    await seated.type("esc")
    assert page.contexts()[0] == "passage"


@pytest.mark.parametrize(
    ("typed", "size"), [("9", 9), ("21", 21), ("219", 9), ("12", 12), ("2", 15), ("5", 5), ("0", 15)]
)
async def test_a_board_s_size_took_ten_presses(server: FakeServer, typed: str, size: int) -> None:
    seated = await in_lobby(server)
    seated.session.go(places.NamedPlace.NEW_ROOM)
    await seated.settle()
    page = seated.session.pages.top
    assert isinstance(page, NewRoomPage)
    page.settings = RoomSettings(Agreement("relati"))
    names = [row.name for row in page.rows()]
    page.chooser = Chooser(names.index(en("relati.option.board")))
    seated.session.dirty()
    await seated.settle()
    assert seated.says("form.type-number", low=5, high=23)
    await seated.type(*typed)
    assert page.agreement.options.get("board", 15) == size
    await seated.type("up")
    assert en("keys.form.digit") not in seated.rows[-2], "other lines have no numbers"


def test_a_number_that_is_typed_begins_anew_where_it_can_go_on_no_more() -> None:
    numbers = NumberRange(5, 23, lambda number: None)
    assert [numbers.typed(*pair) for pair in (("", "1"), ("1", "2"), ("12", "3"), ("", "3"), ("", "0"))] == [
        ("1", None),
        ("12", 12),
        ("", None),
        ("", None),
        ("", None),
    ]
    assert NumberRange(0, 20, lambda number: None).typed("", "0") == ("0", 0)


async def test_a_title_was_cut_beside_who_one_is_in_a_narrow_window(server: FakeServer) -> None:
    server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn"))))
    server.rate("mira", {"rainet": Rating(27.0, 1.2, 40)})
    mira = await server.connect(account("mira"), 40, 20)
    visitor = await server.connect(guest(), 40, 20)
    await mira.type("l", "right", "right")
    await visitor.type("enter")  # looks right
    for seated in (mira, visitor):
        assert ELLIPSIS not in seated.rows[0], seated.rows[0]


async def test_a_long_row_of_the_lobby_stood_in_other_columns_than_the_rows_around_it(server: FakeServer) -> None:
    for name, title in (("lio", ""), ("omid", "a quiet hour")):
        agreement = Agreement("rainet", 2, speed="slow")
        await server.lobby.rooms.create(person(name), RoomSettings(agreement, title=title))
    mira = await server.connect(account("mira"), 60, 20)
    shown = [row for row in mira.rows if " lio " in row or " a quiet hour " in row]
    assert len(shown) == 2
    assert len({row.index("RaiNet") for row in shown}) == 1, shown


async def test_a_match_was_called_otherwise_whenever_its_clocks_took_the_title_s_room(server: FakeServer) -> None:
    await busy(server)
    wide, narrow = await in_lobby(server, name="mira"), await in_lobby(server, name="tarn", cols=40, rows=20)
    for one in (wide, narrow):
        await one.type("enter")
    pages = [match_page(one) for one in (wide, narrow)]
    assert pages[0].title() != pages[1].title()
    assert pages[0].full_title() == pages[1].full_title()


async def test_of_a_guests_name_a_narrow_panel_showed_the_part_that_all_have(server: FakeServer) -> None:
    """It said `guest-abc…`, and of two guests nobody knew which was which."""
    guests = [Player("guest", name, guest_id=name) for name in ("guest-abcdwxyz", "guest-abcdmnpq")]
    server.matches.add(StagedMatch("passage", (person("mira"), person("tarn"), *guests)))
    seated = await server.connect(account("mira"), 60, 20)
    assert all(short_guest(one) in seated.text for one in guests)
    await seated.resize(80, 24)
    assert all(one.name in seated.text for one in guests)


async def test_a_watchers_line_was_cut_in_a_small_window_though_they_had_come_to_read_it(server: FakeServer) -> None:
    said = "hello everyone, is it going"
    match = scenes.match(server, "rainet")
    match.changes["chat"] = (ChatLine(NOON, "lio", said),)
    seated = await server.connect(account("zoe"), 60, 20, Landing("watch", match.id))
    assert "going" not in seated.text
    await seated.type("tab")
    assert "going" in seated.text
