"""What one looks back on: replay, ladders, profile; and the tutorial. Typed at, and read off the screen."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from game.contract import Result, Seat, Viewer, Watcher
from server.accounts.identity import Player
from server.boards import panel, timeline
from server.boards.lesson import Practice, lessons
from server.errors import RateLimited
from server.ratings.bradley_terry import Rating
from server.ratings.bradley_terry import shown as scale_shown
from server.ratings.ladders import all_ladders
from server.screens import replay
from server.screens.ladders import LaddersPage, shown_ladders
from server.screens.profile import ProfilePage
from server.screens.ratingcurve import curve
from server.screens.replay import ReplayPage
from server.screens.tutorial import TutorialPage
from server.session import places
from server.session.places import Landing
from server.store.ratings import RatingChange
from server.terminal.lines import text_of, width_cols
from server.terminal.look import Look
from server.terminal.term import client_term
from tests.answers import offered
from tests.boards.positions import person
from tests.scenes import ended
from tests.session.evening import MIDDLE, in_lobby
from tests.session.fakeserver import FakeServer, Seated, account
from tests.session.stage import StagedMatch
from tests.texts import en

OPENING = "lvl2vlv/3lv3/8/8/8/8/3VL3/VLV2LVL S BCF4/bcf4 -/- -/- 0"


class PlayedMatch(StagedMatch):
    """A match that was played for five moves, and is over."""

    def __init__(self, silent_entries: int = 0) -> None:
        """`silent_entries`: in which nothing happens, after the second move."""
        super().__init__("rainet", (person("mira"), person("tarn")), "m9", OPENING)
        for seat, action in enumerate(("d2d3", "d7d6", "d3d4", "d6d5", "d4d5")):
            self.play(seat % 2, action)
            self.seq += silent_entries if seat == 1 else 0
        self.changes = {"status": "finished"}


async def on_page(server: FakeServer, make: Any, cols: int = 80, name: str = "mira") -> Seated:
    seated = await server.connect(account(name), cols, 24 if cols == 80 else 40)
    seated.session.pages.push(make(seated.session))
    await seated.settle()
    return seated


def running() -> PlayedMatch:
    match = PlayedMatch()
    match.changes = {"status": "live"}
    return match


async def test_the_replay_of_a_running_match_says_why_it_shows_no_hands(server: FakeServer) -> None:
    """Only the live board said it; in a replay the hands were missing without a word."""
    match = running()
    match.keeps_hands = True
    seated = await on_page(server, lambda session: ReplayPage(session, match))
    assert seated.session.t("match.hands-kept") in " ".join(seated.text.split())
    page = seated.session.pages.top
    assert isinstance(page, ReplayPage)
    assert page.viewers == (Watcher.PLAIN,)


async def test_a_replay_that_is_open_follows_who_may_look(server: FakeServer) -> None:
    """It asked once: opened before the player came it kept the hands, and after the end the running match's view."""
    match = running()
    seated = await on_page(server, lambda session: ReplayPage(session, match))
    page: Any = seated.session.pages.top
    assert page.viewers == (Watcher.PUBLIC,)
    match.keeps_hands = True
    match.tell()
    await seated.settle()
    assert page.viewers == (Watcher.PLAIN,)
    assert page.snapshot.view.viewer is Watcher.PLAIN
    assert seated.session.t("match.hands-kept") in " ".join(seated.text.split())
    match.changes, match.is_over = {"status": "finished"}, True
    match.tell()
    assert page.viewers[0] is Watcher.OMNISCIENT
    seated.session.pages.pop()
    assert match.listeners == []


async def test_a_replay_ends_where_its_match_may_not_be_looked_at_any_more(server: FakeServer) -> None:
    match = running()
    seated = await on_page(server, lambda session: ReplayPage(session, match))
    match.is_closed, match.players = True, (person("tarn"), person("lio"))
    match.tell()
    await seated.settle()
    assert not isinstance(seated.session.pages.top, ReplayPage)
    assert seated.session.t("match.error.not-watchable") in seated.text


async def test_a_replay_steps_jumps_and_looks_through_other_eyes(server: FakeServer) -> None:
    seated = await on_page(server, lambda session: ReplayPage(session, PlayedMatch()))
    page: Any = seated.session.pages.top
    assert (page.number, page.seq) == (0, 0)
    assert seated.says("replay.eyes.omniscient")
    await seated.type("end")
    assert (page.number, page.seq) == (5, 5)
    assert seated.session.t("replay.where-end", of=5, n=5) in seated.text
    await seated.type("home")
    assert page.number == 0
    await seated.type("right", "right", "left")
    assert page.number == 1
    await seated.type("g", "4", "enter")
    assert page.number == 4
    await seated.type("e")
    assert "view: mira" in seated.text


async def test_a_replay_moves_by_what_can_be_seen_by_turns_and_by_decisions(server: FakeServer) -> None:
    """Arrows stopped at passes and settings, where nothing had changed on the screen."""
    match = PlayedMatch(silent_entries=3)
    seated = await on_page(server, lambda session: ReplayPage(session, match))
    page: Any = seated.session.pages.top
    stops = []
    for key in (
        "home",
        "right",
        "right",
        "right",
        "left",
        "down",
        "down",
        "right",
        "end",
        "left",
        "page up",
        "page up",
    ):
        await seated.type(key)
        stops.append(page.seq)
    assert stops == [0, 1, 2, 6, 2, 3, 4, 6, 8, 7, 6, 1]
    assert page.number == 1


async def test_a_replay_by_command_opens_at_the_beginning(server: FakeServer) -> None:
    """`ssh -t HOST replay MATCH` showed the end first, and so how it ended."""
    match = server.matches.add(StagedMatch("rainet", (person("lio"), person("zoe")), "m5", MIDDLE))
    match.play(0, "d4e4")
    match.is_over = True
    seated = await server.connect(account("mira"), landing=Landing("replay", "m5"))
    page = seated.session.pages.top
    assert isinstance(page, ReplayPage)
    assert (page.seq, page.last) == (0, 1)


@pytest.mark.parametrize("language", ["en", "zh_CN", "zh_TW"])
async def test_every_replay_opens_at_the_beginning_and_says_how_to_go_on(server: FakeServer, language: str) -> None:
    """From the lobby, a profile and the card of the end it showed the end, where nothing is left to play."""
    match = server.matches.add(StagedMatch("rainet", (person("lio"), person("zoe")), "m5", MIDDLE))
    for seat, action in ((0, "d4d5"), (1, "e6e5"), (0, "c1c2")):
        match.play(seat, action)
    match.is_over = True
    match.changes = {"status": "finished", "result": Result(((Seat(1),), (Seat(0),)), "links")}
    seated = await in_lobby(server, language=language)
    await seated.session.reach(places.ReplayPlace("m5"))
    await seated.settle()
    page: Any = seated.session.pages.top
    t = seated.session.t
    ways = {"play": t("key.space"), "step": t("key.right"), "decided": "d"}
    assert page.seq == 0
    hint = t("replay.begin-decided", **ways)[:16]  # it is wrapped where the log will stand
    assert hint in seated.text
    assert "…" not in seated.text, "whose view it is was cut at 80 columns"
    await seated.type("d")
    assert page.seq == 1, "the capture"
    assert hint not in seated.text


async def test_all_hands_of_a_replay_moved_when_one_of_them_grew_by_a_line(server: FakeServer) -> None:
    ended(server, "passage")
    seated = await server.connect(account("mira"), 80, 24, Landing("replay", "m1"))
    at = set[int]()
    for _ in range(10):
        await seated.type("right")
        at.update(y for y, row in enumerate(seated.rows) if row.startswith("   lio "))
    assert len(at) == 1


async def test_the_log_of_a_replay_moved_when_a_player_above_it_took_another_line(server: FakeServer) -> None:
    """Each of the first steps in Relati sent the whole log again, one row further down."""
    ended(server, "relati")
    seated = await server.connect(account("mira"), 80, 24, Landing("replay", "m1"))
    at = set[int]()
    for _ in range(6):
        await seated.type("right")
        at.update(y for y, row in enumerate(seated.rows) if "3 lio puts" in row)
    assert len(at) == 1


async def test_a_replay_of_what_people_ended_names_no_decisive_move(server: FakeServer) -> None:
    seated = await on_page(server, lambda session: ReplayPage(session, PlayedMatch()))
    page: Any = seated.session.pages.top
    ways = {"play": seated.session.t("key.space"), "step": seated.session.t("key.right")}
    assert seated.session.t("replay.begin", **ways)[:16] in seated.text
    await seated.type("d")
    assert page.seq == 0


async def test_a_replay_of_a_match_that_runs_shows_the_public_view_only(server: FakeServer) -> None:
    match = PlayedMatch()
    match.changes = {}
    seated = await on_page(server, lambda session: ReplayPage(session, match))
    page = seated.session.pages.top
    assert isinstance(page, ReplayPage)
    assert page.viewers == (Watcher.PUBLIC,)
    assert "Play on" not in seated.text


async def test_playing_on_from_a_replay_is_asked_first(server: FakeServer) -> None:
    """A key pressed to see what it does began a match that waited for its player from then on."""
    replayed = server.matches.add(PlayedMatch())
    seated = await on_page(server, lambda session: ReplayPage(session, replayed))
    await seated.type("b")
    assert seated.says("replay.ask-branch-own")
    await seated.type("n")
    assert not server.begun
    await seated.type("b", "y")
    assert len(server.begun) == 1


@pytest.mark.parametrize(("name", "keys", "seat"), [("tarn", "b y", 1), ("mira", "b y", 0), ("tarn", "e b y", 0)])
async def test_playing_on_gave_the_first_seat_to_whoever_asked(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch, name: str, keys: str, seat: int
) -> None:
    """X's player came back as O, and a bot made X's move. One looks from a seat to choose another."""
    taken = list[int]()

    async def play_on(player: Player, match_id: str, seq: int, seat: Seat, level: str = "normal") -> StagedMatch:
        taken.append(int(seat))
        return server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn")), "m9"))

    monkeypatch.setattr(server.lobby, "play_on", play_on)
    replayed = PlayedMatch()
    seated = await on_page(server, lambda session: ReplayPage(session, replayed), name=name)
    await seated.type(*keys.split()[:-1])
    own = seated.session.t("replay.ask-branch-own")
    other = seated.session.t("replay.ask-branch", name="mira")
    assert (own if keys == "b y" else other)[:30] in seated.text
    await seated.type("y")
    assert taken == [seat]


async def test_playing_on_twice_before_the_first_was_there_began_two_matches(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, is_made = list[int](), asyncio.Event()

    async def play_on(player: Player, match_id: str, seq: int, seat: Seat, level: str = "normal") -> StagedMatch:
        asked.append(seq)
        await is_made.wait()
        raise RateLimited("beginnings_per_min", 2_500)

    monkeypatch.setattr(server.lobby, "play_on", play_on)
    seated = await on_page(server, lambda session: ReplayPage(session, PlayedMatch()))
    await seated.type("b", "y", "b", "y")
    assert asked == [0]
    is_made.set()
    await seated.settle()
    assert seated.says("limit.beginnings_per_min", time="0:03")
    await seated.type("b", "y")
    assert asked == [0, 0], "after a refusal it may be asked again"


async def test_each_step_of_a_replay_read_the_whole_log(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    read, real = list[Viewer](), timeline.timeline

    def noted(board: Any, shot: Any, *more: Any) -> Any:
        read.append(shot.viewer)
        return real(board, shot, *more)

    monkeypatch.setattr(replay, "timeline", noted)
    seated = await on_page(server, lambda session: ReplayPage(session, PlayedMatch()))
    await seated.type("right", "right", "left", "e", "right", "left", "e", "right")
    assert len(read) == len(set(read)) == 3


async def test_a_replay_says_how_to_share_it(server: FakeServer) -> None:
    seated = await on_page(server, lambda session: ReplayPage(session, PlayedMatch()))
    await seated.type("s")
    assert "replay m9" in seated.text


def ranked(server: FakeServer, *ladders: str) -> None:
    """Put tarn before mira on ladders."""
    server.rate("tarn", dict.fromkeys(ladders, Rating(27.0, 3.0, 14)))
    server.rate("mira", dict.fromkeys(ladders, Rating(25.5, 3.0, 40)))


async def test_a_ladder_lists_players_and_an_empty_one_says_how_to_get_there(server: FakeServer) -> None:
    ranked(server, "rainet")
    seated = await on_page(server, LaddersPage)
    assert any("1  tarn" in row and "1580" in row for row in seated.rows)
    await seated.type("right")
    assert seated.says("ladders.empty", n=10)


async def test_a_ladder_leaves_out_whom_one_has_blocked(server: FakeServer) -> None:
    ranked(server, *all_ladders())
    seated = await on_page(server, LaddersPage)
    seated.session.person.blocked = frozenset((2,))
    await seated.type("right", "left")
    assert "tarn" not in seated.text
    assert any("2  mira" in row for row in seated.rows), "the others keep their places"


@pytest.mark.parametrize("cols", [40, 80])
async def test_every_ladder_is_named_and_the_shown_one_stands_in_brackets(server: FakeServer, cols: int) -> None:
    seated = await server.connect(account("mira"), cols, 24, term=client_term("vt100", {}))
    await seated.type("l")
    for _ in shown_ladders():
        chosen = seated.rows[0].split(" - ")[1].split("  ")[0].strip()
        top = "\n".join(seated.rows[2:8])
        assert f"[{chosen}" in top, seated.text
        for name in shown_ladders():
            assert Look(glyph_set="ascii").t(f"ladder.{name}") in top
        await seated.type("right")


async def test_a_profile_of_nobody_says_so(server: FakeServer) -> None:
    seated = await on_page(server, lambda session: ProfilePage(session, "zzz"))
    assert "nobody called zzz" in seated.text


async def test_a_profile_says_of_each_match_whom_it_was_against_how_and_what_it_did(server: FakeServer) -> None:
    """A row had the day, the game and all names, one's own among them."""
    played = StagedMatch("rainet", (person("mira"), person("tarn")), "m7")
    played.agree(speed="fast")
    server.matches.add(played.end())
    server.rate("mira", {"rainet": Rating(25.0, 1.0, 30), "passage": Rating(25.0, 1.0, 20)})
    for ladder in ("rainet", "passage"):
        server.rated(RatingChange("m7", 1, ladder, 0, 1, 25.0, 1.0, 25.3, 1.0))
    seated = await on_page(server, lambda session: ProfilePage(session, "mira"))
    [shown] = [text for text in seated.rows if "tarn" in text]
    change = scale_shown(25.3) - scale_shown(25.0)
    assert change
    for word in ("2026-01-02 12:00", "RaiNet", "won", f"{change:+d}", "fast, rated", "tarn 1488"):
        assert word in shown
    assert "mira" not in shown
    assert seated.text.count(Look().glyphs.pointer) == 1, "the ladder whose curve shows had the same mark"
    assert next(text for text in seated.rows if Look().glyphs.on in text).split()[1] == seated.session.t(
        "ladder.rainet"
    )


async def test_a_profile_in_a_small_window_had_no_room_for_its_matches(server: FakeServer) -> None:
    """At 60x20 ratings, curve and totals filled the page, and Enter replayed a match that nobody saw."""
    server.add("mira")
    server.rate("mira", {"rainet": Rating(25.0, 1.0, 30)})
    for number in range(8):
        server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn")), f"m{number}").end())
    for number in range(2):
        server.rated(RatingChange(f"m{number + 1}", 1, "rainet", 0, number + 1, 25.0 + number, 1.0, 25.5 + number, 1.0))
    seated = await on_page(server, lambda session: ProfilePage(session, "mira"))
    await seated.resize(120, 40)
    row = next(text for text in seated.rows if text.split()[:2] == ["RaiNet", "8"])
    assert row.split()[1:] == ["8", "8", "0", "0"], "played, won, drawn, lost"
    await seated.resize(60, 20)
    assert sum("tarn" in text for text in seated.rows) >= 5


async def test_a_profile_of_80x24_had_no_totals_and_said_replay_of_a_match_that_runs(server: FakeServer) -> None:
    server.rate("mira", {"rainet": Rating(25.0, 9.0, 2)})
    server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn")), "m1").end())
    server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn")), "m2").end())
    server.matches.add(StagedMatch("relati", (person("mira"), person("tarn")), "m3"))
    for number in range(2):
        server.rated(RatingChange(f"m{number + 1}", 1, "rainet", 0, number + 1, 25.0 + number, 1.0, 25.5 + number, 1.0))
    seated = await on_page(server, lambda session: ProfilePage(session, "mira"))
    t = seated.session.t
    assert seated.says("profile.totals")
    assert f"{scale_shown(25.0)}?" in seated.text, "the mark is explained"
    assert f"enter {t('keys.people.watch')}" in seated.text
    await seated.type("down")
    assert f"enter {t('keys.profile.replay')}" in seated.text


async def test_a_profile_says_which_rated_matches_did_not_count(server: FakeServer) -> None:
    """It called them rated, under a line that says that there is no rated match yet."""
    server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn")), "m7").end())
    seated = await on_page(server, lambda session: ProfilePage(session, "mira"))
    [shown] = [text for text in seated.rows if "tarn" in text]
    assert f"normal, {seated.session.t('match.not-counted')} tarn" in " ".join(shown.split())


async def test_a_curve_that_comes_late_does_not_replace_that_of_another_ladder(server: FakeServer) -> None:
    """Of two ladders that were turned to quickly the slower answer stayed, under the other one's name."""
    server.add("mira")
    server.rate("mira", {"rainet": Rating(25.0, 1.0, 30), "passage": Rating(25.0, 1.0, 20)})
    for ladder, mu in (("rainet", 25.3), ("passage", 27.0)):
        server.rated(RatingChange("m7", 1, ladder, 0, 1, 25.0, 1.0, mu, 1.0))
    seated = await on_page(server, lambda session: ProfilePage(session, "mira"))
    page, history, slow = seated.session.pages.top, server.ratings.history, asyncio.Event()
    assert isinstance(page, ProfilePage)

    async def late(account_id: int, ladder: str, limit: int = 200) -> list[RatingChange]:
        if ladder == "passage":
            await slow.wait()
        return await history(account_id, ladder, limit)

    server.ratings.history = late  # type: ignore[method-assign]
    await seated.type("right", "right")
    slow.set()
    await seated.settle()
    assert (page.ladder, page.curve[-1]) == ("rainet", scale_shown(25.3))


async def test_a_replay_that_was_asked_for_twice_is_open_once(server: FakeServer) -> None:
    """Two quick enters opened it twice: esc led from the replay to the same replay."""
    server.matches.add(PlayedMatch())
    seated = await on_page(server, lambda session: ProfilePage(session, "mira"))
    seated.screen.feed(b"\r\r")
    await seated.settle()
    assert isinstance(seated.session.pages.top, ReplayPage)
    await seated.type("esc")
    assert isinstance(seated.session.pages.top, ProfilePage)


@pytest.mark.parametrize("glyphs", ["unicode", "ascii"])
def test_a_curve_has_the_size_asked_for_and_rises_with_its_values(glyphs: str) -> None:
    lines = curve([1500, 1510, 1490, 1600], Look(glyph_set=glyphs), 40, 6)
    assert [width_cols(line) for line in lines] == [40] * 6
    assert "1600" in text_of(lines[0])
    assert "1490" in text_of(lines[-1])


def test_a_curve_of_one_value_is_flat() -> None:
    lines = curve([1500], Look(), 30, 5)
    assert sum("⠁" <= char <= "⣿" for line in lines for char in text_of(line)) > 5


@pytest.mark.parametrize("lesson", lessons("rainet"), ids=lambda lesson: lesson.name)
def test_each_lesson_stands_and_can_be_done(lesson: Any) -> None:
    table = Practice("rainet", lesson, "mira")
    pending = table.snapshot.pending
    assert pending is not None
    done = [action for action in offered(pending) if lesson.is_done_by(action.text)]
    assert done, lesson.wanted
    assert table.play(done[0])


async def test_the_first_lesson_is_played_with_keys_and_leads_to_the_second(server: FakeServer) -> None:
    seated = await on_page(server, lambda session: TutorialPage(session, "rainet"))
    assert "1 of 9" in seated.text
    await seated.type("b", "enter")
    assert seated.says("tutorial.other", ask=en("tutorial.rainet.move.ask"))
    await seated.type("enter", "up", "enter")
    assert seated.says("tutorial.done")
    await seated.type("enter")
    assert "2 of 9" in seated.text


async def test_the_last_lesson_wins_the_match(server: FakeServer) -> None:
    seated = await on_page(server, lambda session: TutorialPage(session, "rainet"))
    page = seated.session.pages.top
    assert isinstance(page, TutorialPage)
    page.begin(len(page.lessons) - 1)
    assert page.snapshot.pending is not None
    page.play(next(a for a in offered(page.snapshot.pending) if a.text == "d4c4"))
    seated.session.dirty()
    await seated.settle()
    assert page.snapshot.result is not None
    assert seated.says("tutorial.end.title")


async def test_whoever_played_is_reported_from_the_replay(server: FakeServer) -> None:
    """A replay had no way to tell of anybody, and who had cheated was long gone."""
    server.add("tarn")
    seated = await on_page(server, lambda session: ReplayPage(session, PlayedMatch()))
    await seated.type("o")
    assert en("people.table") in seated.rows[0]
    await seated.type("r", *"cheats", "enter")
    assert [(one.about_name, one.why) for one in server.reports] == [("tarn", "cheats")]
    assert server.reports[0].match_id == "m9", "the match goes with it"


async def test_a_replay_shows_what_comes_next_and_how_far_one_is(server: FakeServer) -> None:
    seated = await on_page(server, lambda session: ReplayPage(session, PlayedMatch()))
    page: Any = seated.session.pages.top
    await seated.type("right", "right")
    at = page.timeline.stops.index(page.seq)
    assert at == 2
    entries = panel.log_entries(page.board, page.snapshot, page.all_events, Look(), 30)
    told = [text_of(one.lines[0]).strip() for one in entries if one.seq in page.timeline.stops[at : at + 2]]
    rows = [next(y for y, row in enumerate(seated.rows) if text in row) for text in told]
    assert rows == sorted(rows)
    assert "●" in next(row for row in seated.rows if en("replay.where", number=2, of=page.timeline.most) in row)
