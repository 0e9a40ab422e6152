"""The gallery: a scene of every page there is, and what was seen in its pictures."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.screens.lobbyrows import GAME_COLS, KIND_COLS
from server.terminal.lines import ELLIPSIS
from tests.boards.positions import NAMES
from tests.pictures import STYLES, shown
from tests.scenes import CHAT, SCENES, SEATS
from tests.screens.test_told import page_classes
from tests.texts import en


@pytest.fixture(autouse=True)
def one_game() -> None:
    """Let the screens offer every game."""


async def rows_of(scene: str, size: tuple[int, int], migrated: Path) -> list[str]:
    """Return what a scene shows, row by row."""
    async with shown(scene, size, STYLES["dark"], migrated) as seated:
        return seated.rows


async def test_every_page_is_in_the_gallery(migrated_file: Path) -> None:
    found = set()
    for scene in SCENES:
        async with shown(scene, (80, 24), STYLES["dark"], migrated_file) as seated:
            found.add(type(seated.session.pages.top))
    assert {one.__name__ for one in page_classes()} == {one.__name__ for one in found}


async def test_a_long_room_s_name_moved_its_row_out_of_the_columns(migrated_file: Path) -> None:
    rows = await rows_of("lobby", (60, 20), migrated_file)
    [room] = [row for row in rows if "friday evening" in row]
    assert room.index("RaiNet") == 1 + KIND_COLS + 1
    assert room.index("friday") == room.index("RaiNet") + GAME_COLS + 1


async def test_what_a_step_stops_for_was_cut_on_a_narrow_screen(migrated_file: Path) -> None:
    rows = await rows_of("netrunner-stops", (60, 20), migrated_file)
    assert any(row.endswith(f"< {en('netrunner.auto.could')} >") for row in rows)


async def test_a_table_without_choices_kept_rows_for_them(migrated_file: Path) -> None:
    rows = await rows_of("watching-cards", (120, 40), migrated_file)
    assert not any(row.startswith("─" * 80) for row in rows), "nothing stands below the table"


async def test_the_ground_of_a_threatened_exit_began_before_its_sign(migrated_file: Path) -> None:
    async with shown("rainet", (120, 40), STYLES["dark"], migrated_file) as seated:
        said = en("rainet.legend.both")
        [(y, x)] = [(y, row.index(said)) for y, row in enumerate(seated.rows) if said in row]
        grounds = [seated.wire.screen.buffer[y][x + len(said) + n].bg for n in range(4)]
    assert grounds[:2] == ["default"] * 2
    assert grounds[2] == grounds[3] != "default"


async def test_of_open_hands_the_names_stood_on_cards(migrated_file: Path) -> None:
    async with shown("replay-of-vetoes", (80, 24), STYLES["dark"], migrated_file) as seated:
        screen, found = seated.wire.screen, set()
        for y, row in enumerate(seated.rows):
            for name in NAMES[: SEATS["passage"]]:
                if row.startswith(f"   {name}"):
                    found.add(screen.buffer[y][3].bg)
    assert len(found) == SEATS["passage"], "each on the ground of its player"


@pytest.mark.parametrize(
    ("scene", "commands"),
    [
        ("no-messages", ["messages.write"]),
        ("no-decks", ["decks.new", "decks.paste", "decks.library"]),
        ("no-reports", ["reports.sanctions"]),
    ],
)
async def test_an_empty_page_named_no_keys_and_showed_nothing(
    migrated_file: Path, scene: str, commands: list[str]
) -> None:
    rows = await rows_of(scene, (80, 24), migrated_file)
    labels = [f"  {en(f'keys.{command}')}  " for command in commands]
    assert all(any(label in row for row in rows[:-3]) for label in labels)
    assert any(all(en(f"game.{game}") in row for game in SEATS) for row in rows), "the emblems"


@pytest.mark.parametrize("scene", ["tried-line", "netrunner-stops"])
async def test_words_were_cut_to_their_first_letters_on_a_small_screen(migrated_file: Path, scene: str) -> None:
    rows = await rows_of(scene, (40, 20), migrated_file)
    assert not any(ELLIPSIS in row for row in rows)


async def test_on_a_small_screen_some_rows_of_the_lobby_had_columns_and_others_not(migrated_file: Path) -> None:
    rows = await rows_of("lobby", (40, 20), migrated_file)
    listed = [
        row for row in rows if row.startswith((f" {en('row.open')} ", f" {en('row.room')} ", f" {en('row.live')} "))
    ]
    assert len({row.index(en("game.rainet")) for row in listed}) == 1
    assert len(listed) >= 3


@pytest.mark.parametrize("scene", ["alone", "lobby"])
async def test_a_match_that_is_told_in_one_line_headed_nothing_and_named_no_key(
    migrated_file: Path, scene: str
) -> None:
    rows = await rows_of(scene, (60, 20), migrated_file)
    key = "lobby.exhibition" if scene == "alone" else "lobby.preview"
    [line] = [row for row in rows if en(key, game=en("game.rainet")) in row]
    assert line.endswith(f"w {en('keys.lobby.watch')}")


async def test_cards_of_a_hand_were_cut_above_empty_rows(migrated_file: Path) -> None:
    rows = await rows_of("netrunner", (200, 60), migrated_file)
    assert not any(ELLIPSIS in row and CHAT[-1][1] not in row for row in rows)


async def test_the_keys_of_a_deck_as_text_stood_far_below_it(migrated_file: Path) -> None:
    rows = await rows_of("deck-text", (120, 40), migrated_file)
    last = max(y for y, row in enumerate(rows) if row)
    assert last < 36


async def test_beside_the_lessons_of_a_tutorial_there_was_nothing(migrated_file: Path) -> None:
    async with shown("tutorial-steps", (80, 24), STYLES["dark"], migrated_file) as seated:
        screen = seated.wire.screen
        grounds = {screen.buffer[y][x].bg for y in range(1, 20) for x in range(60, 79)}
    assert len(grounds) > 3, "the emblem's tiles"


async def test_a_room_did_not_say_what_its_keys_are_for(migrated_file: Path) -> None:
    """Below the chat of a new room there was nothing."""
    rows = await rows_of("own-room", (80, 24), migrated_file)
    assert any(en("keys.room.bot.help") in row for row in rows)


@pytest.mark.parametrize("size", [(40, 20), (45, 45)])
async def test_how_a_recovery_code_is_used_was_cut(migrated_file: Path, size: tuple[int, int]) -> None:
    rows = await rows_of("codes", size, migrated_file)
    assert en("codes.use") in " ".join(" ".join(rows).split())


async def test_the_ground_of_a_card_was_cut_as_if_it_were_its_name(migrated_file: Path) -> None:
    rows = await rows_of("netrunner-discard", (40, 20), migrated_file)
    assert not any(f" {ELLIPSIS}" in row for row in rows)
