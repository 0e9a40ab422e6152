"""The form of a new room: whatever options and presets a game declares can be chosen there, and are played."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from game import registry
from game.contract import Json
from game.options import complete, deviating
from game.passage.cards import Card
from server.accounts.preferences import Preferences
from server.boards.gamefacts import playable
from server.lobby.model import RoomSettings
from server.matches.agreement import Agreement
from server.screens import options
from server.screens.bots import BotPage
from server.screens.form import FormPage, FormRow
from server.screens.newroom import NewRoomPage, RoomForm
from server.terminal.glyphs import UNICODE
from server.terminal.lines import text_of
from server.terminal.look import Look
from tests.answers import as_dict
from tests.session.fakeserver import FakeServer, Seated, account
from tests.texts import en

LOOKS = (Look(), Look(language="zh_CN"))


@pytest.fixture(autouse=True)
def two_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.boards.gamefacts.has_board", lambda game: game in ("rainet", "passage"))


# What some lines need beside them: a Blank a meaning, a number of supplements the supplement.
BESIDE: dict[str, dict[str, Json]] = {"passage": {"supplements": ["beg", "nightmare", "blank"], "blank": "rebirth"}}


def called(row: FormRow) -> str:
    """Return what a line of an option is called: the value of a set with the head above it."""
    heads = ("", en("form.group.rules"), en("form.group.other-rules"))
    return row.name if row.group in heads else f"{row.group}: {row.name}"


class Chosen:
    """What a form has made of the options."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.options: options.Options = {}

    def take(self, chosen: options.Options) -> None:
        self.options = chosen

    def rows(self, look: Look = LOOKS[0]) -> list[FormRow]:
        return options.rows(look, self.game, self.options, self.take)

    def row(self, name: str) -> FormRow:
        return next(row for row in self.rows() if called(row) == name)

    def step(self, name: str, by: int = 1) -> None:
        change = self.row(name).change
        assert change is not None
        change(by)


@pytest.mark.parametrize("game", registry.KEYS)
@pytest.mark.parametrize("look", LOOKS)
def test_every_room_wide_option_has_lines_that_change_it_and_nothing_else(game: str, look: Look) -> None:
    touched: set[str] = set()
    for at, row in enumerate(Chosen(game).rows(look)):
        form = Chosen(game)
        change = form.rows(look)[at].change
        assert change is not None, row
        assert not row.name.startswith(f"{game}."), "it has a name in this language"
        change(1)
        changed = deviating(options.room_wide(game), form.options).keys()
        touched |= changed
        beside = {name: value for name, value in BESIDE.get(game, {}).items() if name not in changed}
        registry.get(game).setup({**form.options, **beside}, registry.get(game).seats[-1], bytes(32))
    assert touched >= {option.name for option in options.room_wide(game) if option.kind != "deck"}


@pytest.mark.parametrize("game", registry.KEYS)
def test_every_preset_is_a_set_of_options_that_can_be_played(game: str) -> None:
    rules = registry.get(game)
    for name, held in registry.get(game).spec.presets.items():
        assert deviating(options.room_wide(game), held) == dict(held), f"{name} says only what differs"
        for players in rules.seats:
            rules.setup(held, players, bytes(32))


def test_values_of_a_set_are_put_in_and_taken_out_one_by_one() -> None:
    form = Chosen("passage")
    assert [row.value for row in form.rows() if row.group == "Supplements"] == ["yes", "no", "no"]
    form.step("Supplements: Nightmare")
    assert form.options["supplements"] == ["beg", "nightmare"]
    form.step("Supplements: Beg")
    assert form.options["supplements"] == ["nightmare"]
    assert options.summary(Look(), "passage", form.options) == ["Supplements: Nightmare"]
    form.step("Supplements: Nightmare")
    assert options.summary(Look(), "passage", form.options) == ["Supplements: none"]


def test_a_blank_that_is_in_the_deck_has_a_meaning_and_one_that_is_not_has_none() -> None:
    """A form said of a deck with Blank that it had none, and let one be chosen that was refused at the start."""
    form, blank = Chosen("passage"), Card.BLANK.value
    name = f"Supplements: {en('passage.card.blank')}"
    form.step(name)
    assert (form.options["supplements"], form.options["blank"]) == (["beg", blank], "rebirth")
    form.step(name)
    assert (form.options["supplements"], form.options["blank"]) == (["beg"], "none")
    form.step(name)
    form.step(en("passage.option.blank"), 1)
    assert form.options["blank"] not in ("none", "rebirth")
    form.step(f"Number: {en('passage.card.blank')}")
    form.step(en("passage.option.rebirth"))
    assert deviating(options.room_wide("passage"), form.options).keys() == {"rebirth", "deck"}
    shown = [called(row) for row in form.rows()]
    assert name not in shown, "it is in, by Rebirth"
    assert en("passage.option.blank") not in shown
    form.step(en("passage.option.rebirth"))
    assert not deviating(options.room_wide("passage"), form.options), "no number of a card that is not in is left"


def test_what_blank_means_stood_beside_a_deck_without_blank() -> None:
    form, meaning = Chosen("passage"), en("passage.option.blank")
    assert meaning not in [row.name for row in form.rows()]
    form.step(f"Supplements: {en('passage.card.blank')}")
    assert form.row(meaning).value == en("passage.option.blank.rebirth")
    form.step(meaning, -1)
    assert form.options["supplements"] == ["beg"], "it is taken out where it has a line"
    assert meaning not in [row.name for row in form.rows()]


def test_an_option_that_changes_nothing_is_in_no_form_and_older_rooms_keep_it() -> None:
    """ "Three zones: yes" could be chosen, and changed nothing."""
    form, label = Chosen("passage"), en("passage.option.zones")
    assert label not in [row.name for row in form.rows()]
    form.options = {"zones": True, "reconnect_mixes_discards": True, "passage_returns": True, "rebirth": True}
    assert options.preset_of("passage", form.options) == "three_zones"
    form.step(en("passage.option.no_hand_limit"))
    assert form.options["zones"] is True
    registry.get("passage").setup(form.options, 3, bytes(32))


def test_numbers_of_cards_are_changed_one_by_one_and_only_changed_ones_are_told() -> None:
    form = Chosen("passage")
    assert form.row("Number: Greed").value == "3"
    form.step("Number: Greed")
    deck = as_dict(form.options["deck"])
    assert (deck["greed"], deck["slip"]) == (4, 8)
    assert options.summary(Look(), "passage", form.options) == ["Number: Greed 4"]


def test_presets_fill_in_their_switches_and_a_change_makes_a_mix() -> None:
    form = Chosen("passage")
    assert form.row("Variant").value == en("form.preset.none")
    form.step("Variant")
    assert form.row("Variant").value == "Tuding"
    assert form.row(en("passage.option.no_hand_limit")).value == "yes"
    assert options.summary(Look(), "passage", form.options) == ["Tuding"]
    form.step(en("passage.option.no_hand_limit"))
    assert form.row("Variant").value == en("form.preset.own")
    assert len(options.summary(Look(), "passage", form.options)) == 2
    form.step("Variant", -1)
    assert form.row("Variant").value == "Three zones"
    form.step("Variant")
    assert form.row("Variant").value == en("form.preset.none")
    assert complete(options.room_wide("passage"), form.options)["no_hand_limit"] is False


def test_a_larger_board_is_no_variant_of_ones_own_and_stays_with_any_variant() -> None:
    """For six players the form said "custom" before anything was changed, and a variant made the board small again."""
    form, size = Chosen("relati"), en("relati.option.board")
    form.options = options.resized("relati", {}, 2, 6)
    large = form.options["board"]
    assert form.row(en("form.preset")).value == en("form.preset.none")
    form.step(en("form.preset"))
    assert form.row(en("form.preset")).value == en("relati.preset.as_written")
    assert form.options["board"] == large != 15
    assert options.summary(Look(), "relati", form.options) == [en("relati.preset.as_written"), f"{size}: {large}"]


async def in_lobby(server: FakeServer, language: str = "en") -> Seated:
    server.prefer("mira", Preferences(calibrated=True, language=language))
    return await server.connect(account("mira"), 80, 24)


async def on_new_room(server: FakeServer, game: str, cols: int = 80, rows: int = 24) -> Seated:
    seated = await server.connect(account("mira"), cols, rows)
    await seated.type("n")
    await seated.type(*["right"] * playable().index(game))
    assert f"< {Look().game(game)} >" in seated.text
    return seated


async def test_a_form_longer_than_the_screen_scrolls_with_its_cursor(server: FakeServer) -> None:
    seated = await on_new_room(server, "passage")
    assert "Rebirth" not in seated.text
    assert UNICODE.bar in {row[-1:] for row in seated.rows}, "it shows how far down one is"
    seen: set[str] = set()
    for _ in range(40):
        pointed = [row for row in seated.rows if row.startswith(" › ")]
        assert len(pointed) == 1, "the chosen line always shows"
        seen.add(pointed[0].split("<")[0].strip(" ›"))
        await seated.type("down")
    assert {"Game", "Variant", "Nightmare", en("passage.option.veto_chain"), "Rebirth"} <= seen
    assert seated.says("passage.option.deck.help"), "the chosen option is explained"


async def test_a_click_on_a_scrolled_form_chooses_the_line_that_is_there(server: FakeServer) -> None:
    seated = await on_new_room(server, "passage")
    await seated.type(*["down"] * 30)
    at = next(i for i, row in enumerate(seated.rows) if en("passage.option.no_hand_limit") in row)
    await seated.click(10, at)
    assert en("passage.option.no_hand_limit") in next(row for row in seated.rows if "<" in row)
    await seated.click(10, at)
    assert "yes >" in seated.rows[at]


async def test_what_was_chosen_is_what_the_room_plays(server: FakeServer) -> None:
    seated = await on_new_room(server, "passage")
    form = seated.session.pages.top
    assert isinstance(form, NewRoomPage)
    above = [row.name for row in form.rows()].index("Variant")
    await seated.type(*["down"] * above, "right", "enter")
    settings: RoomSettings = (await server.the_room()).state.settings
    assert settings.agreement.options == registry.get("passage").spec.presets["tuding"]
    assert "Tuding" in seated.text


async def test_a_room_has_a_name_where_its_host_types_one(server: FakeServer) -> None:
    seated = await on_new_room(server, "rainet")
    await seated.type("n", *"friday evening", "enter")
    assert "friday evening" in next(row for row in seated.rows if row.startswith("   Name"))
    await seated.type("enter")
    assert (await server.the_room()).state.settings.title == "friday evening"
    assert [row[:15] for row in seated.rows[2:4]] == [" friday evening", " RaiNet · rated"]


@pytest.mark.parametrize("language", ["en", "zh_CN", "zh_TW"])
@pytest.mark.parametrize("key", ["n", "g", "b", "m"])
async def test_each_line_of_a_form_is_explained_at_the_cursor(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch, key: str, language: str
) -> None:
    """Game, players and name of a room, and most lines of other forms, said nothing of what they are."""
    monkeypatch.setattr("server.boards.gamefacts.has_board", lambda game: True)
    seated = await in_lobby(server, language=language)
    await seated.type(key)
    page = seated.session.pages.top
    assert isinstance(page, FormPage)
    for game in range(len(playable()) if key in "nb" else 1):
        for at, row in enumerate(page.rows()):
            assert row.note, (game, row.name)
            page.chooser = page.chooser.at(at, len(page.rows()))
            seated.session.dirty()
            await seated.settle()
            said = "".join("".join(row.split()) for row in seated.rows)
            assert "".join(row.note.split()) in said, "in full"
        page.chooser = page.chooser.at(0, len(page.rows()))
        await seated.type("right")


def explained(seated: Seated) -> str:
    page = seated.session.pages.top
    assert page is not None
    said = text_of(page.message()).strip()
    assert said in seated.text
    return said


async def test_the_speed_of_a_room_is_explained_in_minutes_and_seconds(server: FakeServer) -> None:
    seated = await in_lobby(server)
    await seated.type("n", "down", "down")
    said = [explained(seated)]
    for _ in range(3):
        await seated.type(" ")
        said.append(explained(seated))
    numbers = [tuple(map(int, re.findall(r"\d+", text))) for text in said]
    assert numbers == [(10, 15), (30, 60), (3, 1), (3, 5)]


@pytest.mark.parametrize("game", [key for key in registry.in_order(registry.KEYS) if options.room_wide(key)])
async def test_a_match_against_bots_can_have_every_option_that_a_room_has(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    """Relati's board had one size there, and no game any option."""
    monkeypatch.setattr("server.boards.gamefacts.has_board", lambda game: True)
    seated = await in_lobby(server)
    page = BotPage(seated.session, game)
    seated.session.pages.push(page)
    short = [row.name for row in page.rows()]
    assert len(short) <= 9, "the form stays short"
    folds = [row for row in page.rows() if row.name == seated.session.t("form.more-options")]
    for fold in folds:  # none where all options are sizes
        assert fold.change is not None
        fold.change(1)
    wanted = [row.name for row in options.rows(seated.session.look, game, {}, page.set_options)]
    assert set(wanted) <= {row.name for row in page.rows()}
    changed = next(row for row in page.rows() if row.name == wanted[-1]).change
    assert changed is not None
    changed(1)
    asked = dict(deviating(options.room_wide(game), page.options))
    assert asked
    for fold in folds:
        assert page.rows()[len(short) - 1].value != fold.value, "folded, it says what was chosen"
    await seated.type("enter")
    assert deviating(options.room_wide(game), server.begun[-1].terms.agreement.options) == asked


async def test_a_bot_plays_on_a_board_of_the_size_that_was_chosen(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.boards.gamefacts.has_board", lambda game: True)
    seated = await in_lobby(server)
    page = BotPage(seated.session, "relati")
    seated.session.pages.push(page)
    size = next(row for row in page.rows() if row.name == seated.session.t("relati.option.board"))
    assert size.change is not None
    size.change(-6)
    await seated.type("enter")
    assert server.begun[-1].terms.agreement.options["board"] == 9


async def test_the_arrows_of_a_form_went_from_the_lowest_level_round_to_the_highest(server: FakeServer) -> None:
    """Whoever pressed left at the easiest bot began against the hardest. Space still goes round."""
    seated = await in_lobby(server)
    page = BotPage(seated.session, "passage")
    seated.session.pages.push(page)
    levels = registry.levels("passage")
    row = next(n for n, one in enumerate(page.rows()) if one.name == seated.session.t("form.level"))
    await seated.type(*["down"] * row, "left")
    assert page.level == levels[0]
    await seated.type(*["right"] * (len(levels) + 1))
    assert page.level == levels[-1]
    await seated.type(" ")
    assert page.level == levels[0]


@pytest.mark.parametrize("game", registry.in_order(registry.KEYS))
async def test_values_in_an_order_have_ends(server: FakeServer, game: str) -> None:
    """The arrow that goes no further does nothing; each value is reached by the other one."""
    seated = await in_lobby(server)
    page = BotPage(seated.session, game)
    seated.session.pages.push(page)
    ordered = {seated.session.t(key) for key in ("form.level", "form.speed", "form.players")}
    for n, row in enumerate(page.rows()):
        if row.name in ordered:
            page.choose(n + 1)
            await seated.type(*["left"] * 8)
            assert page.rows()[n].end == -1
            await seated.type(*["right"] * 8)
            assert page.rows()[n].end == 1


async def test_the_digit_that_starts_a_game_did_not_say_against_which_level(server: FakeServer) -> None:
    """The level of the last match was kept, and said nowhere near the digits."""
    server.prefer("mira", Preferences(calibrated=True, bot_level="hard"))
    seated = await server.connect(account("mira"))
    seated.session.pages.push(BotPage(seated.session, "rainet"))
    await seated.settle()
    assert seated.says("bots.at-once.below", level=seated.session.t("bot.hard"))


async def test_six_players_were_offered_the_board_of_two(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.boards.gamefacts.has_board", lambda game: True)
    session = (await on_new_room(server, "rainet")).session
    room, bots = NewRoomPage(session), BotPage(session, "relati")
    room.settings = replace(room.settings, agreement=Agreement("relati"))
    for page in (room, bots):

        def value(name: str, page: RoomForm | BotPage = page) -> str:
            return next(row.value for row in page.rows() if row.name == en(name))

        def add_player(page: RoomForm | BotPage = page) -> None:
            change = next(row.change for row in page.rows() if row.name == en("form.players"))
            assert change is not None
            change(1)

        sizes = dict[str, str]()
        for _ in range(5):
            sizes[value("form.players")] = value("relati.option.board")
            add_player()
        assert sizes == {"2": "15", "3": "17", "4": "19", "5": "21", "6": "23"}
        assert value("relati.option.board") == "15", "two again"
        page.set_options({"board": 9})
        add_player()
        assert value("relati.option.board") == "9", "it was chosen"


@pytest.mark.parametrize(("keys", "is_said"), [(("enter",), False), (("down", "right", "enter"), True)])
async def test_a_room_for_two_said_what_becomes_of_who_resigns_among_more(
    server: FakeServer, keys: tuple[str, ...], is_said: bool
) -> None:
    seated = await on_new_room(server, "passage")
    await seated.type(*keys)
    assert (en("agreed.bots-replace.off") in " ".join(seated.text.split())) is is_said
