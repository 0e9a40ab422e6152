"""What walking through the screens by hand brought to light: each of these was once seen wrong."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from game import registry
from game.contract import Result, Seat, Viewer
from server.accounts.identity import Player
from server.accounts.preferences import Preferences
from server.boards import eventlog
from server.boards.board import board
from server.errors import RateLimited
from server.lobby.model import RoomSettings
from server.matches.agreement import Agreement
from server.matches.model import AnyViewerState, ChatLine, MatchQuery, SeenEvent
from server.screens.chatlines import chat_lines
from server.screens.lobbyrows import mine_row
from server.session import places
from server.session.lifetime import QUIT
from server.session.places import Landing
from server.terminal.lines import text_of
from server.terminal.look import Look
from tests.boards.positions import NOON, person
from tests.session.fakeserver import FakeServer, Seated, account, new_key
from tests.session.stage import StagedMatch, summary
from tests.texts import en


async def in_lobby(server: FakeServer, cols: int = 80, rows: int = 24) -> Seated:
    server.prefer("mira", Preferences(calibrated=True))
    return await server.connect(account("mira"), cols, rows)


async def test_who_comes_from_a_crowded_address_is_told_how_to_go_on(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*asked: Any) -> None:
        raise RateLimited("accounts_per_hour", 3_000_000, 3)

    monkeypatch.setattr(server.accounts, "register", refuse)
    seated = await server.connect(new_key("mira"))
    await seated.type("enter")
    at = f"{server.clock.now() + timedelta(minutes=50):%H:%M}"
    assert seated.says("welcome.too-many", most=3, at=at), "a moment: a rest that does not count down is soon wrong"
    assert any(row.startswith("  ! ") for row in seated.rows), "marked, not only red"
    await seated.type("f2", "enter", "m")
    assert seated.says("key.register-from", at=at), "it can't be done yet"
    assert not seated.says("key.register")


@pytest.mark.parametrize("cols", [60, 80])
async def test_commands_that_are_there_to_be_copied_stand_on_a_line_of_their_own(server: FakeServer, cols: int) -> None:
    stranger = await server.connect(new_key("tarn"), cols, 24)
    assert "    ssh -i KEY -o IdentitiesOnly=yes localhost" in stranger.rows
    mira = await in_lobby(server, cols)
    await mira.type("m", "k")
    assert any(re.fullmatch(r"    ssh localhost keys link [a-z2-9]{5}-[a-z2-9]{5}", row) for row in mira.rows)


async def test_a_wide_lobby_has_room_for_the_names(server: FakeServer) -> None:
    names = ("tarn", "lio", "akio", "zoe", "omid")
    server.matches.add(StagedMatch("passage", tuple(person(name) for name in names), "m2"))
    await server.room("lio", RoomSettings(Agreement("passage"), title="a room with a title that is long enough"))
    narrow, wide = await in_lobby(server), await in_lobby(server, 200, 40)
    assert "Live: Passage  tarn  lio  akio  zoe +1 " in narrow.text, "beside the chat"
    assert "live       Passage   tarn  lio  akio  zoe  omid " in wide.text
    assert re.search("a room with a title that is long enough +1 of 2 seats +normal +casual", wide.text)


async def test_nothing_to_watch_no_key_to_watch(server: FakeServer) -> None:
    server.prefer("mira", Preferences(calibrated=True, bot_game="netrunner"))
    seated = await server.connect(account("mira"))
    assert "w Watch" not in seated.text
    server.matches.add(StagedMatch("rainet", (person("tarn"), person("lio")), "m2"))
    await server.look()
    assert "w Watch" in seated.text


async def test_a_tutorial_shows_one_meaning_of_escape_at_a_time(server: FakeServer) -> None:
    seated = await in_lobby(server)
    await seated.type("u")
    assert "esc Back" in seated.text
    await seated.type("enter")
    assert "esc Drop" in seated.text
    assert "esc Back" not in seated.text


async def test_ones_own_profile_has_the_private_matches_too(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[MatchQuery] = []

    async def listed(query: MatchQuery) -> list[Any]:
        if query.account_id is not None:
            asked.append(query)
        return []

    monkeypatch.setattr(server.matches, "list", listed)
    server.add("tarn")
    seated = await in_lobby(server)
    await seated.type("m", "p")
    assert [(query.account_id, query.asker.player) for query in asked] == [(1, seated.session.identity.player)]
    seated.session.pages.pop()
    seated.session.go(places.ProfilePlace("tarn"))
    await seated.settle()
    assert asked[1].asker == asked[0].asker, "what is known to this person, whosever profile it is"


async def test_help_says_that_it_goes_on_below(server: FakeServer) -> None:
    seated = await in_lobby(server)
    await seated.type("?")
    below = re.escape(en("help.more", n=0)).replace("0", r"\d+")
    assert re.search(below, seated.text)
    await seated.type("end")
    assert not re.search(below, seated.text)


@pytest.mark.parametrize(("ms", "said"), [(40, ""), (5_000, en("match.event.clock_credited", time="0:05"))])
def test_an_outage_too_short_for_any_clock_is_not_told(ms: int, said: str) -> None:
    shot = StagedMatch("rainet", (person("mira"), person("tarn"))).snapshot(Seat(0))
    event = SeenEvent(3, "match.clock_credited", {"ms": ms})
    assert eventlog.say(board("rainet"), event, shot, Look()) == said


async def test_ctrl_c_leaves_from_anywhere_after_a_question(server: FakeServer) -> None:
    server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn"))))
    seated = await in_lobby(server)
    assert seated.rows[0].startswith(" RaiNet")
    await seated.type("ctrl c")
    assert seated.says("session.ask-leave")
    await seated.type("ctrl c")
    assert not seated.says("session.ask-leave"), "twice in a hurry is no yes"
    await seated.type("tab", "h", "i", "ctrl c")
    assert "enter Send" not in seated.text, "while typing it drops the line"
    await seated.type("ctrl c", "y")
    assert await seated.task == QUIT


async def test_a_stranger_sees_the_way_out(server: FakeServer) -> None:
    stranger = await server.connect(new_key("tarn"))
    assert "ctrl c Leave" in stranger.text
    await stranger.type("ctrl c", "y")
    assert await stranger.task == QUIT


@pytest.mark.parametrize(("cols", "rows"), [(80, 24), (60, 20), (40, 20)])
async def test_what_is_said_is_said_whole_however_long_it_is(server: FakeServer, cols: int, rows: int) -> None:
    seated = await in_lobby(server, cols, rows)
    seated.session.prompts.notice("lobby.warned")
    await seated.settle()
    said = " ".join(" ".join(seated.rows).split())
    assert Look().t("lobby.warned") in said
    assert "Lobby" in seated.rows[0]
    assert re.search(r"\? (More keys|More|\+)$", seated.text.rstrip())


async def test_a_linked_key_is_told_whose_account_it_opens(server: FakeServer) -> None:
    code = await server.accounts.keys.make_code(server.add("mira"))
    seated = await server.connect(new_key("tarn"))
    await seated.type("f3", *code, "enter")
    assert seated.rows[0].startswith(" Lobby")
    assert seated.says("welcome.linked", name="mira")


async def test_a_digit_and_its_game_stay_on_one_line(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.boards.gamefacts.has_board", lambda game: True)
    seated = await in_lobby(server, 60, 20)
    await seated.type("b")
    number = registry.in_order(registry.KEYS).index("netrunner") + 1
    assert any(f"{number} Netrunner" in row for row in seated.rows)


async def test_who_is_away_is_named(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    match = server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn"))))
    match.changes |= {"claim_at": NOON, "pending": None, "deciding": ((Seat(1), None),)}
    shown = match.snapshot

    def without_tarn(viewer: Viewer) -> AnyViewerState:
        shot = shown(viewer)
        return replace(shot, seats=(shot.seats[0], replace(shot.seats[1], here=False)))

    monkeypatch.setattr(match, "snapshot", without_tarn)
    seated = await in_lobby(server)
    assert seated.says("match.claim-now", names="tarn")


async def test_the_order_of_many_at_the_end_is_said_whole(server: FakeServer) -> None:
    names = [f"somebody-no-{i}-{'x' * 3}" for i in range(6)]
    match = server.matches.add(StagedMatch("relati", (person("mira"), *(person(name) for name in names[1:]))))
    order = tuple((Seat(i),) for i in range(6))
    match.changes |= {"status": "finished", "result": Result(order, "left"), "pending": None}
    seated = await in_lobby(server)
    assert [f"{place} {name}" in seated.text for place, name in enumerate(("mira", *names[1:]), 1)] == [True] * 6


async def test_who_has_adjourned_is_asked_about_going_on_and_not_about_draws(server: FakeServer) -> None:
    match = server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn"))))
    match.happen("adjourned")
    seated = await in_lobby(server)
    assert "draw" not in seated.text
    await seated.type("o")  # there is nothing else to offer: it does not ask what
    assert match.snapshot(Seat(0)).offers == ((Seat(0), "resume"),)


async def test_who_had_offered_to_resume_was_told_to_offer_it(server: FakeServer) -> None:
    """ "Press o to offer to resume. You offer to resume; no answer yet." """
    match = server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn"))))
    match.happen("adjourned")
    seated = await in_lobby(server)
    assert seated.says("match.is-adjourned")
    await seated.type("o", "up")
    assert seated.says("match.own-offer.resume")
    assert not seated.says("match.is-adjourned")


async def test_who_looks_on_at_an_adjourned_match_is_told_of_no_key_that_players_have(server: FakeServer) -> None:
    match = server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn"))))
    match.changes["status"] = "adjourned"
    server.prefer("akio", Preferences(calibrated=True))
    seated = await server.connect(account("lio"))
    await seated.type("enter")
    assert seated.says("match.is-adjourned-public")
    assert not seated.says("match.is-adjourned")


async def test_no_draw_is_offered_where_only_bots_could_agree(server: FakeServer) -> None:
    match = server.matches.add(StagedMatch("rainet", (person("mira"), Player("bot", "bot:easy"))))
    seated = await in_lobby(server)
    await seated.type("o")
    assert seated.says("keys.offer.adjourn")
    assert not seated.says("keys.offer.draw")
    assert not match.snapshot(Seat(0)).offers


async def test_a_new_rating_shows_as_soon_as_the_match_is_left(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def rated(account_id: int) -> dict[str, Any]:
        return {"rainet": SimpleNamespace(shown=1605, provisional=True, matches=1)}

    match = server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn"))))
    seated = await in_lobby(server)
    monkeypatch.setattr(server.ratings, "all_of", rated)
    match.changes |= {"status": "finished", "rating_changes": {Seat(0): (1500.0, 1605.0), Seat(1): (1500.0, 1395.0)}}
    match.tell()
    await seated.settle()
    await seated.type("esc")
    assert seated.rows[0].startswith(" Lobby")
    assert "mira RaiNet 1605?" in seated.rows[0]


def test_going_back_in_a_short_chat_hid_what_was_said_last() -> None:
    """The log took the row, and gave it back with the next key: 800 bytes each."""
    said = [ChatLine(NOON, "lio", text, None) for text in ("one", "two", "three")]
    whole = chat_lines(said, Look(), 40, 3)
    assert chat_lines(said, Look(), 40, 3, back=2) == whole
    assert chat_lines(said, Look(), 40, 2, back=2) == whole[:2], "no further than to the first"


def test_a_long_chat_line_in_little_room_keeps_who_said_it() -> None:
    line = ChatLine(NOON, "zoe", "a longer line that says hello to everybody at the table")
    for rows in (1, 2):
        said = [text_of(one).rstrip() for one in chat_lines([line], Look(), 20, rows)]
        assert len(said) == rows
        assert said[0].startswith("zoe  a longer")
        assert said[-1].endswith("…"), "and that it goes on"
    assert len(chat_lines([line], Look(), 20, 9)) == 4


def test_a_match_that_goes_on_without_me_is_not_waiting_for_others() -> None:
    shown = summary(StagedMatch("relati", tuple(person(name) for name in ("mira", "tarn", "lio"))))
    me = person("mira")
    shown = replace(shown, to_act=(Seat(1),))
    assert text_of(mine_row(shown, me, Look()).line).startswith(" waiting ")
    assert text_of(mine_row(replace(shown, out=frozenset({Seat(0)})), me, Look()).line).startswith(" out ")
    assert text_of(mine_row(replace(shown, out=frozenset({Seat(2)})), me, Look()).line).startswith(" waiting ")


@pytest.mark.parametrize(
    ("place", "argument", "why"),
    [
        ("join", "ZZZZ", "room.error.unknown"),
        ("join", "not a code", "room.error.unknown"),
        ("watch", "nosuch", "match.error.unknown"),
        ("replay", "nosuch", "match.error.unknown"),
    ],
)
@pytest.mark.parametrize(("cols", "rows"), [(80, 24), (120, 40)])
async def test_a_link_that_leads_nowhere_shows_why_and_the_matches_that_wait(
    server: FakeServer, place: Any, argument: str, why: str, cols: int, rows: int
) -> None:
    """The lobby showed the reason, and not the match in which it was one's turn."""
    server.prefer("mira", Preferences(calibrated=True))
    server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn"))))
    mira = await server.connect(account("mira"), cols, rows, Landing(place, argument))
    t = mira.session.t
    assert mira.rows[0].startswith(f" {t('lobby.title')}")
    assert t("row.your-turn") in mira.rows[2]
    assert t(why, match=argument) in " ".join(mira.text.split())
    await mira.type("enter")
    assert mira.rows[0].startswith(" RaiNet")
