"""What happened while somebody was away, and the rows of matches that are played over days."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from game.contract import Result, Seat
from server.accounts.identity import Identity, Player
from server.accounts.preferences import Preferences
from server.clock import rfc3339
from server.matches.agreement import Agreement
from server.matches.lists import by_urgency
from server.matches.model import MatchSummary
from server.screens.lobby import LobbyPage
from server.screens.lobbyrows import left_words, mine_row
from server.screens.news import News
from server.session.places import Landing
from server.terminal.lines import text_of
from server.terminal.look import Look
from tests.agreements import agreed
from tests.boards.positions import NOON, person
from tests.session.fakeserver import FakeServer, Seated, account, guest
from tests.session.stage import StagedMatch, summary
from tests.texts import en

MIRA, TARN, LIO = person("mira"), person("tarn"), person("lio")
BEFORE = rfc3339(NOON - timedelta(days=2))


async def came_back(
    server: FakeServer,
    seen: tuple[str, ...] = (),
    told_until: str = BEFORE,
    match_id: str = "m7",
    is_private: bool = True,
) -> Seated:
    """Let Mira come back after a day on which a match of hers with Tarn ended: he had resigned."""
    match = server.matches.add(StagedMatch("rainet", (MIRA, TARN), match_id))
    match.agree(private=is_private)
    await match.resign(Seat(1))
    match.changes["rating_changes"] = {Seat(0): (1512.0, 1520.0), Seat(1): (1488.0, 1480.0)}
    match.changes["ended_by"] = "resign"
    match.end(at=NOON - timedelta(days=1))
    server.prefer("mira", Preferences(calibrated=True, told_until=told_until, seen_ends=seen))
    seated = await server.connect(account("mira"))
    await seated.settle()
    return seated


def test_a_match_against_a_bot_that_was_left_for_weeks_said_since_what_time_of_the_day() -> None:
    """It ends after thirty days without a move; of that nothing was said."""
    look, began = Look(), NOON - timedelta(days=24)
    left = replace(daily("m1", (0,), 0), due=(), started_at=began, void_at=NOON + timedelta(days=6))
    row = mine_row(left, MIRA, look, now=NOON)
    assert look.t("row.your-turn") in row.words
    assert look.t("row.void-in", time=left_words(timedelta(days=6), look)) in row.words
    sooner = mine_row(replace(left, void_at=NOON + timedelta(days=16)), MIRA, look, now=NOON)
    assert look.t("row.since-day", day=f"{began:%m-%d}") in sooner.words


async def test_what_ended_meanwhile_stands_once_on_top_of_the_lobby(server: FakeServer) -> None:
    seated = await came_back(server)
    t = seated.session.t
    (row,) = [row for row in seated.rows if t("row.news") in row]
    for word in (t("row.versus", names="tarn"), t("news.won"), "1512", "1520"):
        assert word in row
    again = await server.connect(account("mira"))
    assert t("row.news") not in again.text


async def test_news_stayed_in_the_language_that_was_chosen_when_they_came(server: FakeServer) -> None:
    seated = await came_back(server)
    await seated.type("m", "right", "esc")
    look = seated.session.look
    assert look.language != "en"
    (row,) = [row for row in seated.rows if look.t("row.news") in row]
    assert look.t("news.won") in row
    assert en("news.won") not in row


async def test_a_finished_match_stood_twice_in_the_lobby(server: FakeServer) -> None:
    """It was news, and among those that have ended."""
    seated = await came_back(server, is_private=False)
    await server.look()
    page = seated.session.pages.top
    assert isinstance(page, LobbyPage)
    assert [row.key for row in page.rows()] == ["news:m7"]
    await seated.type("esc")
    assert [row.key for row in page.rows()] == ["ended:m7"]


async def test_news_are_told_at_one_of_two_terminals_that_a_person_has_open(server: FakeServer) -> None:
    """Whoever had two sessions was told twice: each had read the time of the last telling, and stored it again."""
    first = await came_back(server)
    told = first.session.t("row.news")
    await first.type("m", "down", "down", "down", "right")  # a setting changed at the first
    second = await server.connect(account("mira"))
    assert told not in second.text
    await second.type("m", "down", "down", "down", "right")
    third = await server.connect(account("mira"))
    assert told not in third.text
    await first.type("esc")
    assert told in first.text


async def ends_elsewhere(server: FakeServer, who: Identity, *keys: str) -> Seated:
    """Let Tarn resign to Mira, or a guest, who is where `keys` lead."""
    match = server.matches.add(StagedMatch("rainet", (who.player, TARN), "m7"))
    match.agree(private=True)  # so that it is not among those of others that have ended
    seated = await server.connect(who)
    await seated.type(*["enter"] * (who.account_id is None), "esc", *keys)  # a guest is asked how it looks
    await match.resign(Seat(1))
    match.is_over = True
    seated.session.hear_end("m7")
    await seated.settle()
    return seated


@pytest.mark.parametrize("who", [account("mira"), guest()])
async def test_whoever_is_in_the_lobby_is_told_that_their_match_ended(server: FakeServer, who: Identity) -> None:
    """It went from the list without a word."""
    seated = await ends_elsewhere(server, who)
    t = seated.session.t
    (row,) = [row for row in seated.rows if t("row.news") in row]
    assert t("row.versus", names="tarn") in row
    assert t("news.won") in row
    seated.session.hear_end("m7")
    await seated.type("esc")
    assert t("row.news") not in seated.text, "once"


async def test_whoever_is_elsewhere_is_told_above_the_keys_that_their_match_ended(server: FakeServer) -> None:
    seated = await ends_elsewhere(server, account("mira"), "l")
    t = seated.session.t
    assert t("news.elsewhere", game="RaiNet", others="tarn", text=t("news.won"))[:40] in seated.text
    await seated.type("esc")
    assert t("row.news") in seated.text
    again = await server.connect(account("mira"))
    assert t("row.news") not in again.text


async def test_whoever_sees_the_board_is_not_told_besides_that_it_ended(server: FakeServer) -> None:
    match = server.matches.add(StagedMatch("rainet", (MIRA, TARN), "m7"))
    seated = await server.connect(account("mira"))
    await match.resign(Seat(1))
    match.is_over = True
    seated.session.hear_end("m7")
    await seated.settle()
    await seated.type("esc")
    assert type(seated.session.pages.top).__name__ == "LobbyPage"
    assert seated.session.t("row.news") not in seated.text


async def test_a_match_that_another_process_ended_is_told_when_the_lobby_is_read_again(server: FakeServer) -> None:
    match = server.matches.add(StagedMatch("rainet", (MIRA, TARN), "m7"))
    seated = await server.connect(account("mira"))
    await seated.type("esc", "l")
    await match.resign(Seat(1))
    match.is_over = True
    await seated.type("esc")
    assert seated.session.t("row.news") in seated.text


async def test_a_match_that_is_played_on_without_somebody_is_not_told_as_called_off(server: FakeServer) -> None:
    """Whoever resigns at a table where a bot takes over plays it no longer, and it goes on."""
    server.matches.add(StagedMatch("rainet", (MIRA, TARN), "m7"))
    seated = await server.connect(account("mira"))
    await seated.type("esc", "l")
    seated.session.hear_end("m7")
    await seated.type("esc")
    assert type(seated.session.pages.top).__name__ == "LobbyPage"
    assert seated.session.t("row.news") not in seated.text


async def test_news_of_a_rated_match_that_did_not_count_say_so() -> None:
    match = StagedMatch("rainet", (MIRA, TARN), "m7")
    await match.resign(Seat(1))
    shot = replace(agreed(match.snapshot(Seat(0)), rated=True), counted=False, rating_changes={})
    assert shot.result is not None
    assert en("match.not-counted") in News(shot, Seat(0)).said(Look()).text
    assert en("match.not-counted") not in News(replace(shot, counted=True), Seat(0)).said(Look()).text


async def test_news_open_the_replay_and_esc_puts_them_away(server: FakeServer) -> None:
    seated = await came_back(server)
    await seated.type("esc")
    assert seated.session.t("row.news") not in seated.text


@pytest.mark.parametrize(("seen", "told_until"), [(("m7",), BEFORE), ((), ""), ((), rfc3339(NOON))])
async def test_what_was_seen_or_told_is_no_news(server: FakeServer, seen: tuple[str, ...], told_until: str) -> None:
    seated = await came_back(server, seen, told_until)
    assert seated.session.t("row.news") not in seated.text
    assert server.preferences("mira").told_until == rfc3339(server.clock.now())


@pytest.mark.parametrize(
    ("placements", "key"),
    [(((Seat(0), Seat(1)), (Seat(2),)), "news.won"), (((Seat(0), Seat(1), Seat(2)),), "news.draw")],
)
def test_a_shared_win_was_told_as_a_draw(placements: tuple[tuple[Seat, ...], ...], key: str) -> None:
    shot = StagedMatch("relati", tuple(map(person, ("mira", "tarn", "lio")))).snapshot(Seat(0))
    ended = replace(shot, status="finished", result=Result(placements, "left"))
    assert en(key) in News(ended, Seat(0)).said(Look()).text


async def test_news_of_who_draws_for_all_are_in_nobody_elses_lobby(server: FakeServer) -> None:
    """A group's frame could be composed when its lead had heard news, and before it had left the group for them."""
    told = (await came_back(server)).session.t("row.news")
    server.prefer("tarn", Preferences(calibrated=True))
    assert told not in (await server.connect(account("tarn"))).text
    assert all(told not in str(kept.frame.lines) for kept in server.groups.kept.values())


async def test_a_login_that_has_nothing_to_tell_stores_nothing(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed: list[int] = []
    change = server.accounts.change_preferences

    async def noted(account_id: int, how: Callable[[Preferences], Preferences]) -> Preferences:
        changed.append(account_id)
        return await change(account_id, how)

    monkeypatch.setattr(server.accounts, "change_preferences", noted)
    seated = await came_back(server, told_until=rfc3339(NOON - timedelta(hours=1)))
    assert seated.session.t("row.news") not in seated.text
    assert changed == []
    await seated.hang_up()
    await (await came_back(server, match_id="m8")).hang_up()
    assert changed == [1]


async def test_who_presses_a_key_at_the_end_has_seen_it(server: FakeServer) -> None:
    match = server.matches.add(StagedMatch("rainet", (MIRA, TARN), "m8"))
    server.prefer("mira", Preferences(calibrated=True))
    seated = await server.connect(account("mira"))
    await match.resign(Seat(1))
    await seated.settle()
    before = server.preferences("mira").seen_ends
    assert before == (), "a line that is dead presses no key"
    await seated.type("page up")
    assert server.preferences("mira").seen_ends == ("m8",)


def daily(match_id: str, to_act: tuple[int, ...], hours: float, players: int = 2) -> MatchSummary:
    match = StagedMatch("passage" if players > 2 else "rainet", (MIRA, TARN, LIO)[:players], match_id)
    seats = tuple(map(Seat, to_act))
    due = tuple((seat, NOON + timedelta(hours=hours)) for seat in seats)
    return replace(agreed(summary(match), speed="daily"), to_act=seats, due=due)


def test_matches_that_wait_for_one_stand_first_by_the_time_that_is_left() -> None:
    found = [daily("later", (0,), 50), daily("theirs", (1,), 1), daily("soon", (0,), 5)]
    assert [one.id for one in by_urgency(found, MIRA)] == ["soon", "later", "theirs"]


def test_a_daily_row_says_how_long_one_has_and_of_several_who_is_waited_for() -> None:
    look = Look()
    own = mine_row(daily("m1", (0,), 52), MIRA, look, now=NOON)
    assert f"  {look.t('clock.days', d=2, h=4)}  " in text_of(own.line)
    others = mine_row(daily("m2", (1, 2), 5.5, players=3), MIRA, look, now=NOON)
    assert f"  {look.t('clock.hours', h=5)}  " in text_of(others.line)
    assert text_of(others.line).endswith(f" tarn{look.t('list.comma')}lio")
    assert left_words(timedelta(minutes=12.5), look) == look.t("clock.minutes", min=12)


def test_a_row_with_one_s_clock_running_did_not_say_what_is_left() -> None:
    look = Look()
    mine = replace(daily("m1", (0,), 0.15), agreement=Agreement("rainet"))
    left = look.t("row.left", time=look.t("clock.minutes", min=9))
    assert f"  {left} " in text_of(mine_row(mine, MIRA, look, now=NOON).line)
    theirs = replace(daily("m2", (1,), 0.15), agreement=Agreement("rainet"))
    assert look.t("row.since", at="")[:5] in text_of(mine_row(theirs, MIRA, look, now=NOON).line)
    assert left_words(timedelta(seconds=20), look) == look.t("clock.under-minute")


async def test_news_say_the_place_at_a_table_of_three(server: FakeServer) -> None:
    match = StagedMatch("passage", (MIRA, TARN, LIO), "m9")
    await match.resign(Seat(1))
    await match.resign(Seat(0))
    news = News(match.snapshot(Seat(0)), Seat(0)).said(Look())
    assert Look().t("news.place", place=2) in news.text
    assert news.others == "tarn, lio"


async def test_one_key_leads_to_the_next_daily_match_that_waits(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = (server.matches.add(StagedMatch("rainet", (MIRA, TARN), name)) for name in ("m1", "m2"))
    for match in (here, there):
        match.changes["speed"] = "daily"
    waits = [daily("m1", (1,), 9), daily("m2", (0,), 5)]

    async def running_of(player: Player) -> list[MatchSummary]:
        return waits

    monkeypatch.setattr(server.matches, "running_of", running_of)
    seated = await server.connect(account("mira"), landing=Landing("watch", "m1"))
    here.changes["pending"] = None
    here.tell()
    await seated.type("]")
    assert seated.session.pages.top is not None
    assert seated.session.pages.top.match_shown == "m2"
    there.changes["pending"] = None
    there.tell()
    waits[:] = [daily("m2", (1,), 9)]
    await seated.type("]")
    assert seated.says("match.none-waits")


@pytest.mark.parametrize(("speed", "is_offered"), [("untimed", False), ("daily", True)])
async def test_a_match_without_a_clock_offered_the_next_daily_one(
    server: FakeServer, speed: str, is_offered: bool
) -> None:
    match, _ = (server.matches.add(StagedMatch("rainet", (MIRA, TARN), name)) for name in ("m1", "m2"))
    match.changes |= {"speed": speed, "pending": None}
    seated = await server.connect(account("mira"), landing=Landing("watch", "m1"))
    page = seated.session.pages.top
    assert page is not None
    assert (page.context, "]" in [hint.press for hint in page.hints()]) == ("match", is_offered)


async def test_no_key_on_show_put_away_what_had_ended(server: FakeServer) -> None:
    seated = await came_back(server)
    t = seated.session.t
    assert f"d {t('keys.lobby.put-away')}" in seated.text
    await seated.type("d")
    assert t("row.news") not in seated.text
    assert f"d {t('keys.lobby.put-away')}" not in seated.text
