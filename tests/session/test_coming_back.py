"""Coming back in a browser: page, cursor, chosen row and unsent text are as they were when the connection was lost."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from game.contract import Seat
from server.accounts.decks import StoredDeck
from server.accounts.identity import Identity
from server.boards import keymap
from server.session import places, reconnect
from server.session.places import Landing, LeftPlace, LostPage
from server.web.cookies import guest
from tests.boards.positions import NAMES, NOON, person
from tests.session.browsing import Browsing, browse
from tests.session.fakeserver import FakeServer, account
from tests.session.stage import StagedMatch
from tests.texts import en

LIST = 'Kate "Mac" McCaffrey: Digital Tinker\n3 Diesel'


def left(seen: Browsing) -> LostPage:
    """Return what a page says that it had."""
    means: dict[str, Any] = seen.page.means
    entry = means["entry"] or {"command": "", "label": "", "text": ""}
    row = next((one["text"] for one in means["items"] if one["is_chosen"]), "")
    typed = {name: entry[name] for name in ("command", "label", "text")}
    under = tuple(map(LeftPlace, means["under"]))
    half = tuple(means["half_done"])
    return LostPage(means["place"], means["cursor"], row, under=under, half_done=half, **typed)


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


async def test_help_over_a_board_led_back_to_the_board_alone(server: FakeServer) -> None:
    match = server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn"))))
    mira = await browse(server, account("mira"), landing=Landing("watch", match.id))
    title = mira.page.means["title"]
    await mira.press("?", "r", "down", "down")
    again = await come_back(server, mira)
    assert again.page.rows == mira.page.rows
    await again.press("esc")
    assert again.page.means["title"] == title


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
    had = LostPage(place, 10**30, "x", half_done=("x", "x"), command="resign", label="x", text="x")
    lio = await back(server, who, had)
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


HALF = {  # keys after which something is half chosen at the first decision, and how its words begin
    "rainet": ("enter", "setup"),
    "passage": ("down down down enter up up", "completes play kotodama"),
    "netrunner": ("7 down", "path install"),
}


async def test_the_pages_below_the_top_one_were_lost(server: FakeServer) -> None:
    mira = await browse(server, account("mira"))
    match = server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn"))))
    await mira.press("l", "down")
    row = left(mira).row
    mira.session.go(places.MatchPlace(match.id))
    await mira.settle()
    await mira.press("right", "?")
    assert mira.page.means["under"] == ["ladders", f"watch {match.id}"]
    had = left(mira)
    below = LeftPlace("ladders", row=row), LeftPlace(f"watch {match.id}", 1)
    await mira.hang_up()
    again = await back(server, mira.session.identity, replace(had, under=below))
    assert left(again) == had
    await again.press("esc")
    assert left(again).place == f"watch {match.id}"
    await again.press("esc")
    assert (left(again).place, left(again).row) == ("ladders", row)


async def test_who_had_left_a_board_for_the_lobby_comes_back_to_the_lobby(server: FakeServer) -> None:
    mira = await browse(server, account("mira"))
    server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn"))))
    assert (await come_back(server, mira)).page.means["place"] == ""


async def test_a_page_below_that_is_not_for_this_person_is_left_out(server: FakeServer) -> None:
    below = tuple(map(LeftPlace, ("watch nosuch", "own-keys", "replay x", "deck 7", "join QQQQ", "ladders")))
    lio = await back(server, guest("guest-abcdefgh", "192.0.2.1"), LostPage("me", under=below))
    assert lio.page.means["under"] == ["ladders"]
    assert lio.page.means["place"] == "me"


@pytest.mark.parametrize("game", sorted(HALF))
async def test_what_was_half_chosen_was_lost_on_another_worker(server: FakeServer, game: str) -> None:
    keys, word = HALF[game]
    match = server.matches.add(StagedMatch(game, tuple(map(person, NAMES[:2]))))
    seat = next(seat for seat in (0, 1) if match.snapshot(Seat(seat)).pending is not None)
    mira = await browse(server, account(NAMES[seat]), landing=Landing("watch", match.id))
    if game == "netrunner":
        match.play(seat, "keep")
        match.play(1 - seat, "keep")
        while (asked := match.snapshot(Seat(0)).pending) is None or asked.prompt != "action":
            match.play(0 if asked is not None else 1, "pass")
        mira.session.dirty()
    await mira.settle()
    await mira.press(*keys.split())
    had = left(mira)
    assert had.half_done[1].startswith(word), had
    match.selections.clear()
    assert left(await come_back(server, mira)) == had


async def test_a_line_of_attack_and_a_prepared_move_are_there_again(server: FakeServer) -> None:
    match = server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn"))))
    for seat in (0, 1):
        match.play(seat, "setup LLLLVVVV")
    match.play(0, "d2d3")
    mira = await browse(server, account("mira"), landing=Landing("watch", match.id))
    await mira.press(":")
    await mira.type_line("d3d4")
    assert any(one.startswith("prepared") for one in left(mira).half_done)
    again = await come_back(server, mira)
    assert left(again) == left(mira)
    had = left(again)
    await again.hang_up()
    match.play(1, "d7d6")
    later = await back(server, account("mira"), had)
    assert later.page.means["half_done"] == [], "it was meant for what came next then"
    assert match.seq == 4


async def test_a_deck_that_was_changed_and_not_kept_is_there_again(server: FakeServer) -> None:
    kept = await server.decks.save(server.add("mira"), StoredDeck(0, "netrunner", 1, "Slow", LIST, NOON))
    mira = await browse(server, account("mira"))
    mira.session.go(places.DeckPlace(kept))
    await mira.press("left")
    assert mira.page.means["place"] == f"deck {kept.id}"
    assert left(mira).half_done
    assert left(await come_back(server, mira)) == left(mira)


async def among_people(server: FakeServer, name: str) -> Browsing:
    """Have mira choose somebody among all who are here."""
    for other in ("akio", "tarn", "zoe"):
        await browse(server, account(other))
    mira = await browse(server, account("mira"))
    await server.look()
    mira.session.go(places.PeoplePlace())
    await mira.settle()
    await choose(mira, name)
    return mira


async def choose(seen: Browsing, name: str) -> None:
    """Press down until the row that begins so is chosen."""
    for _ in range(20):
        if left(seen).row.startswith(name):
            return
        await seen.press("down")
    raise AssertionError(left(seen))


async def lose_while_typing(server: FakeServer, seen: Browsing, key: str, text: str) -> Browsing:
    """Begin a line with a key, lose the connection, and come back to all of it."""
    await seen.press(key)
    await seen.type_line(text, is_whole=False)
    again = await come_back(server, seen)
    assert left(again) == left(seen)
    return again


async def test_a_report_begun_on_one_person_was_about_another(server: FakeServer) -> None:
    again = await lose_while_typing(server, await among_people(server, "tarn"), "r", "throws mat")
    await again.type_line("throws matches")
    assert [(one.about_name, one.why) for one in server.reports] == [("tarn", "throws matches")]


async def test_a_note_begun_on_one_person_was_kept_with_another(server: FakeServer) -> None:
    again = await lose_while_typing(server, await among_people(server, "tarn"), "n", "plays fas")
    await again.type_line("plays fast")
    notes = [await server.services.following.note(server.add("mira"), name) for name in ("akio", "tarn", "zoe")]
    assert notes == ["", "plays fast", ""]


async def test_a_name_begun_for_one_deck_became_that_of_another(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.boards.gamefacts.has_board", lambda game: True)
    for name in ("Fast", "Slow", "Slower"):
        await server.decks.save(server.add("mira"), StoredDeck(0, "netrunner", 1, name, LIST, NOON))
    mira = await browse(server, account("mira"))
    mira.session.go(places.DecksPlace("netrunner"))
    await mira.settle()
    await choose(mira, "Slower")
    again = await lose_while_typing(server, mira, "r", "Slowe")
    await again.type_line("Slowest")
    assert sorted(deck.name for deck in await server.decks.of(server.add("mira"))) == ["Fast", "Slow", "Slowest"]


@pytest.mark.parametrize("key", ["r", "n"])
async def test_a_line_begun_on_a_profile_is_there_again(server: FakeServer, key: str) -> None:
    server.add("tarn")
    server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn"))))
    mira = await browse(server, account("mira"))
    mira.session.go(places.ProfilePlace("tarn"))
    await mira.settle()
    await lose_while_typing(server, mira, key, "throws mat")


async def test_a_line_about_a_person_who_has_left_is_asked_for_no_more(server: FakeServer) -> None:
    mira = await among_people(server, "tarn")
    await mira.press("r")
    await mira.type_line("throws mat", is_whole=False)
    had = replace(left(mira), row=left(mira).row.replace("tarn", "omid"))
    await mira.hang_up()
    again = await back(server, mira.session.identity, had)
    assert again.page.means["entry"] is None


async def test_a_line_under_another_label_is_asked_for_no_more(server: FakeServer) -> None:
    mira = await among_people(server, "tarn")
    await mira.press("r")
    await mira.type_line("throws mat", is_whole=False)
    had = left(mira)
    await mira.hang_up()
    again = await back(server, mira.session.identity, replace(had, label=had.label.replace("tarn", "zoe")))
    assert again.page.means["entry"] is None
    await again.press("r")
    assert (left(again).command, left(again).text) == ("report", "")


@pytest.mark.parametrize(
    ("place", "command"),
    [("people", "follow"), ("people", "block"), ("people", "write"), ("me", "delete"), ("new-room", "accept")],
)
async def test_a_page_said_that_a_command_had_asked_for_a_line(server: FakeServer, place: str, command: str) -> None:
    mira = await among_people(server, "tarn")
    row = left(mira).row
    await mira.hang_up()
    had = LostPage(place, row=row, command=command, label="x", text="x")
    again = await back(server, mira.session.identity, had)
    assert again.page.means["place"] == place
    assert (again.page.means["entry"], again.page.means["asked"]) == (None, "")
    assert (dict(again.session.person.followed), set(again.session.person.blocked)) == ({}, set())


async def test_a_deck_was_stored_as_its_page_said_that_saving_had_asked_for_a_name(server: FakeServer) -> None:
    kept = await server.decks.save(server.add("mira"), StoredDeck(0, "netrunner", 1, "Slow", LIST, NOON))
    mira = await browse(server, account("mira"))
    mira.session.go(places.DeckPlace(kept))
    await mira.press("left")
    had = replace(left(mira), command="save", label="x", text="x")
    await mira.hang_up()
    await back(server, mira.session.identity, had)
    assert [deck.list for deck in await server.decks.of(server.add("mira"))] == [kept.list]


def test_commands_that_ask_for_a_line_are_in_the_key_table() -> None:
    for context, command in reconnect.TYPED_ON_PAGES | reconnect.TYPED_ON_ROWS:
        assert command in keymap.in_context(context), (context, command)


@pytest.mark.parametrize("place", ["new-room", "bots relati", "bots netrunner"])
async def test_what_was_set_in_a_form_was_lost_with_the_line(server: FakeServer, place: str) -> None:
    mira = await browse(server, account("mira"), landing=Landing("page", place))
    start = left(mira).half_done
    for _ in range(4):
        await mira.press("right", "down")
    await mira.press("n")
    await mira.press(*"friday evening", "enter")
    had = left(mira)
    assert start
    assert len(set(had.half_done) - set(start)) >= 3
    assert left(await come_back(server, mira)).half_done == had.half_done


async def test_what_comes_from_outside_sets_no_form_without_end(server: FakeServer) -> None:
    words = ("x" * 10_000, *("Game\tnone such",) * 100_000)
    lio = await back(server, account("lio"), LostPage("new-room", half_done=words))
    assert lio.page.means["place"] == "new-room"
    assert all(len(word) < 100 for word in left(lio).half_done)
