"""The end of a match is a moment: a card with result, reason, ratings, what decided it, one key for each way on."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import get_args

import pytest

from game.contract import Json, Result, Seat, Viewer, Watcher
from server.accounts.identity import Player, bot_player
from server.boards import eventlog, outcome
from server.boards.board import board
from server.matches.model import AnyViewerState, SeenEvent
from server.matches.server_events import DESERTED
from server.ratings.ratings import RatingChange
from server.ratings.weights import Why
from server.screens import endcard
from server.screens.match import MatchPage
from server.screens.replay import ReplayPage
from server.session import places
from server.terminal.lines import after, before, text_of, width_cols
from server.terminal.look import Look, ascii_line
from tests.agreements import agreed
from tests.boards.positions import NOON, person
from tests.pictures import DARK, NARROW, TRUE_COLOUR
from tests.scenes import SCENES, At
from tests.session.evening import in_lobby, in_match
from tests.session.fakeserver import FakeServer, Seated
from tests.session.stage import StagedMatch

LOOK = Look()
EVENTS = (
    SeenEvent(1, "move", {"seat": 0, "from": "d4", "to": "e4"}),
    SeenEvent(2, "move", {"seat": 1, "from": "d5", "to": "e4"}),
    SeenEvent(2, "capture", {"seat": 1, "square": "e4", "card": "L"}),
    SeenEvent(3, "move", {"seat": 0, "from": "d1", "to": "d2"}),
)


def shown(seated: Seated) -> MatchPage:
    page = seated.session.pages.top
    assert isinstance(page, MatchPage)
    return page


def test_what_decided_it_is_the_last_dramatic_thing_that_the_rules_told() -> None:
    shot = StagedMatch("rainet", (person("mira"), person("tarn"))).snapshot(Seat(0))
    ended = replace(shot, status="finished", seq=3, result=Result(((Seat(1),), (Seat(0),)), "links"))
    said = endcard.decided(board("rainet"), ended, EVENTS, LOOK)
    moves, takes = (board("rainet").say(ended, LOOK, event) for event in EVENTS[1:3])
    what = LOOK.t("list.then").join((moves, takes.removeprefix("tarn ")))
    assert said == LOOK.t("match.card.decided-at", what=what, number=2)
    assert endcard.decided(board("rainet"), replace(ended, ended_by="resign"), EVENTS, LOOK) == ""
    assert endcard.decided(board("rainet"), replace(ended, result=None, status="void"), EVENTS, LOOK) == ""


@pytest.mark.parametrize(
    ("game", "reason", "placements"),
    [("rainet", "repetition", ((Seat(0), Seat(1)),)), ("netrunner", "decked", ((Seat(1),), (Seat(0),)))],
)
def test_an_old_event_was_said_to_have_decided_an_end_that_it_did_not_bring(
    game: str, reason: str, placements: tuple[tuple[Seat, ...], ...]
) -> None:
    """An agenda scored long ago decided that the R&D ran empty, and a card taken a draw by repetition."""
    shot = StagedMatch(game, (person("mira"), person("tarn"))).snapshot(Seat(0))
    ended = replace(shot, status="finished", seq=3, result=Result(placements, reason))
    scored = SeenEvent(2, "scored", {"card": "Nisei MK II", "points": 2})
    events = EVENTS if game == "rainet" else (scored, SeenEvent(3, "drew", {"side": 0, "count": 0}))
    assert endcard.decided(board(game), ended, events, LOOK) == ""


@pytest.mark.parametrize(
    ("hands", "acts", "led"),
    [
        ([["slip", "attack1"], ["slip"]], ((0, "play attack1 1"), (1, "pass"), (1, "end")), True),
        ([["slip"], ["slip"]], ((0, "end"),), False),
    ],
)
def test_the_card_named_the_passage_that_was_drawn_and_not_the_choice_that_led_to_it(
    hands: list[list[str]], acts: tuple[tuple[int, str], ...], led: bool
) -> None:
    match = StagedMatch("passage", (person("mira"), person("tarn")), "m1")
    position: Json = {"players": 2, "hands": [[*hand] for hand in hands], "pile": ["passage", *["slip"] * 9], "turn": 0}
    match.state = match.rules.read_position(position, {})
    for seat, text in acts:
        if any(owed.seat == seat for owed in match.rules.pending(match.state)):
            match.play(seat, text)
    shot = match.snapshot(Seat(0))
    ended = replace(shot, status="finished", result=match.rules.result(match.state))
    said = endcard.decided(board("passage"), ended, match.events(Seat(0)), LOOK)
    card = LOOK.t("passage.card.attack1")
    choice = LOOK.t("passage.event.played.at", name="mira", card=card, target="tarn")
    assert said.count(choice) == led, said
    assert LOOK.t("passage.event.drew-passage", name="").strip() in said


def test_giving_up_was_counted_and_numbered_as_a_move() -> None:
    """In Relati the match ends in the entry that gives up, so a match in which nobody had moved had one move."""
    moved = SeenEvent(1, "locate", {"seat": 0, "cell": "e5"})
    gave_up = (SeenEvent(2, "match.resign", {"seat": 1}), SeenEvent(2, "won", {"seat": 0}))
    assert endcard.moves(board("relati"), gave_up, 2) == 0
    assert endcard.moves(board("relati"), (moved, *gave_up), 2) == 1
    assert eventlog.count_moves(board("relati"), (moved, *gave_up)).numbers == {1: 1}


def test_who_is_out_among_bots_is_told_so_and_what_put_them_out() -> None:
    """The card said that three bots share the win because nobody is left to play, and named no cause."""
    players = (person("mira"), bot_player("easy"), bot_player("easy"))
    match = StagedMatch("passage", players, "m1")
    match.state = match.rules.read_position({"players": 3, "hands": [["slip"]] * 3, "pile": ["passage"] * 9}, {})
    match.play(0, "end")
    shot = match.snapshot(Seat(0))
    result = Result(((Seat(1), Seat(2)), (Seat(0),)), DESERTED)
    ended = replace(shot, status="finished", result=result, ended_by=DESERTED)
    assert outcome.headline(ended, LOOK) == outcome.sentence(ended, LOOK) == LOOK.t("outcome.you-deserted")
    events = match.events(Seat(0))
    assert LOOK.t("passage.event.drew-passage", name="").strip() in endcard.decided(
        board("passage"), ended, events, LOOK
    )
    gone = SeenEvent(ended.seq + 1, "match.left", {"seat": 0})
    assert endcard.decided(board("passage"), ended, [*events, gone], LOOK) == "", "who left was put out by nobody"


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_what_decided_a_match_cut_the_places_of_a_table_of_four(language: str) -> None:
    look = Look(language=language)
    match = StagedMatch("passage", tuple(map(person, ("mira", "tarn", "lio", "zoe"))), "m1")
    hands: list[Json] = [["slip", "attack2", "greed"], ["slip"], ["slip"], ["slip"]]
    position: Json = {"players": 4, "hands": hands, "pile": ["passage"] * 9}
    match.state = match.rules.read_position(position, {})
    match.play(0, "end")
    placements = ((Seat(1),), (Seat(2),), (Seat(3),), (Seat(0),))
    ended = replace(match.snapshot(Seat(0)), status="finished", result=Result(placements, "last"))
    drawn = endcard.card(board("passage"), ended, match.events(Seat(0)), look, (25, 15))
    shown = "\n".join(text_of(line) for line in drawn)
    assert len(drawn) <= 15
    for place, name in enumerate(("tarn", "lio", "zoe", "mira"), 1):
        assert f"{place} {name}" in shown, shown


@pytest.mark.parametrize("rows", [18, 12])
def test_what_decided_a_match_of_five_cut_why_it_counted_less_in_the_middle_of_a_sentence(rows: int) -> None:
    """At 80x24 the card ended with "players came from one": nothing said that words were missing."""
    names = ("mira", "tarn", "lio", "zoe", "ada")
    match = StagedMatch("passage", tuple(map(person, names)), "m1")
    hands: list[Json] = [["slip", "attack2", "greed", "kotodama"], ["slip"], ["slip"], ["slip"], ["slip"]]
    match.state = match.rules.read_position({"players": 5, "hands": hands, "pile": ["passage"] * 9}, {})
    match.play(0, "end")
    placements = tuple((Seat(seat),) for seat in (1, 2, 3, 4, 0))
    changes = {Seat(seat): (1500, 1500 + seat) for seat in range(5)}
    shot = match.snapshot(Seat(0))
    ended = replace(
        shot,
        status="finished",
        ended_at=shot.started_at,
        result=Result(placements, "last"),
        rating_changes=changes,
        rating_reasons={Seat(0): "near", Seat(1): "early"},
    )
    drawn = endcard.card(board("passage"), ended, match.events(Seat(0)), LOOK, (26, rows), floats=False)
    said = " ".join(" ".join(text_of(line) for line in drawn).replace(LOOK.glyphs.walls[1], " ").split())
    assert len(drawn) <= rows
    assert said.endswith(("…", endcard.length(board("passage"), ended, match.events(Seat(0)), LOOK))), said
    assert rows < 18 or LOOK.t("match.card.less.also.near") in said


@pytest.mark.parametrize("glyphs", ["unicode", "ascii"])
@pytest.mark.parametrize(("cols", "rows"), [(40, 12), (80, 19), (120, 35), (200, 55)])
def test_a_card_is_a_box_that_fits_its_screen(cols: int, rows: int, glyphs: str) -> None:
    look = Look(glyph_set=glyphs, language="zh_CN")
    shot = StagedMatch("rainet", (person("mira"), person("tarn"))).snapshot(Seat(0))
    ended = replace(
        shot,
        status="finished",
        result=Result(((Seat(1),), (Seat(0),)), "links"),
        rating_changes={Seat(0): (1512, 1499), Seat(1): (1488, 1501)},
        ended_at=NOON + timedelta(minutes=14),
    )
    drawn = endcard.card(board("rainet"), ended, EVENTS, look, (cols, rows))
    assert {width_cols(line) for line in drawn} == {min(endcard.MOST_COLS, cols)}
    assert len(drawn) <= rows
    room = endcard.CardRoom(0, 0, cols, rows)
    over = endcard.DrawnCard(room, tuple(drawn)).laid_over([(("", "雷" * (cols // 2)),)] * rows, cols, rows)
    assert {width_cols(line) for line in over} == {cols}
    assert len(over) == rows


@pytest.mark.parametrize("language", ["en", "zh_CN", "zh_TW"])
def test_the_card_of_a_match_of_guests_says_how_long_it_is_kept(language: str) -> None:
    look = Look(language=language)
    guest = Player("guest", "guest-a", guest_id="guest-a")
    for other, is_told in ((bot_player("easy"), True), (person("tarn"), False)):
        shot = StagedMatch("rainet", (guest, other)).snapshot(Seat(0))
        ended = replace(agreed(shot, rated=False), status="finished", result=Result(((Seat(1),), (Seat(0),)), "links"))
        drawn = endcard.card(board("rainet"), ended, EVENTS, look, (80, 24), guest_days=7)
        said = "".join(text_of(line).strip("│| ") for line in drawn).replace(" ", "")
        assert (look.t("match.card.guests", n=7).replace(" ", "") in said) is is_told


@pytest.mark.parametrize("language", ["en", "zh_CN", "zh_TW"])
@pytest.mark.parametrize("cols", [40, 60, 80])
def test_why_a_match_did_not_count_is_not_cut(cols: int, language: str) -> None:
    """The reason was one line, which broke off at the edge of the card."""
    look, result = Look(language=language), Result(((Seat(1),), (Seat(0),)), "links")
    shot = StagedMatch("rainet", (person("mira"), person("tarn"))).snapshot(Seat(0))
    shot = replace(agreed(shot, rated=True), status="finished", counted=False, result=result)
    drawn = endcard.card(board("rainet"), shot, (), look, (cols, 24))
    shown = "".join(text_of(line) for line in drawn).replace(look.glyphs.vertical, "")
    assert "".join(outcome.not_counted(shot, look).split()) in "".join(shown.split())


def test_a_body_too_small_has_no_card_and_stays_as_it_is() -> None:
    shot = StagedMatch("rainet", (person("mira"), person("tarn"))).snapshot(Seat(0))
    assert endcard.card(board("rainet"), replace(shot, status="void"), (), LOOK, (23, 20)) == []
    assert [text_of(line) for line in endcard.NO_CARD.laid_over([(("", "ab"),)], 2, 1)] == ["ab"]


def test_the_part_before_a_card_is_as_it_was() -> None:
    assert text_of(before((("", "雷网x"),), 3)) == "雷 "
    assert text_of(before((("a", "ab"), ("b", "cd")), 3)) == "abc"
    assert text_of(before((("", "ab"),), 4)) == "ab  "


def test_half_of_a_wide_character_is_a_space() -> None:
    assert text_of(after((("", "雷网x"),), 1)) == " 网x"
    assert text_of(after((("", "ab"), ("x", "cd")), 3)) == "d"
    assert after((("", "ab"),), 5) == ()


async def test_the_end_shows_a_card_with_ratings_until_it_is_put_away(server: FakeServer) -> None:
    seated = await in_match(server)
    match = server.matches.all["m1"]
    match.changes["rating_changes"] = {Seat(0): (1512, 1499), Seat(1): (1488, 1501)}
    await match.resign(Seat(1))
    await seated.settle()
    page = shown(seated)
    assert page.card.shows
    assert seated.text.count(outcome.sentence(page.snapshot, LOOK)) == 1, "it was said on the card and above the keys"
    assert "1512 → 1499" in seated.text
    for key in ("rematch", "replay", "share"):
        assert seated.text.count(LOOK.t(f"keys.match.{key}")) == 1, "the card said the keys, and so did the line below"
    await seated.type("space")
    is_away = not page.card.shows
    assert is_away
    assert seated.text.count(outcome.sentence(page.snapshot, LOOK)) == 1


@pytest.mark.parametrize("asking", [0, 1])
async def test_a_rematch_that_was_asked_for_had_a_key_to_ask_for_it(server: FakeServer, asking: int) -> None:
    """Who had asked could ask again, and who was asked had two keys for one answer."""
    seated = await in_match(server)
    match = server.matches.all["m1"]
    await match.resign(Seat(1))
    await match.offer(Seat(asking), "rematch")
    await seated.settle()
    shown_keys = [hint.label for hint in shown(seated).hints()]
    assert "keys.match.rematch" not in shown_keys
    assert ("keys.match.accept" in shown_keys) is (asking == 1)


@pytest.mark.parametrize("name", ["mira", "omid"])
async def test_the_card_comes_back_with_the_key_that_put_it_away_and_after_the_replay(
    server: FakeServer, name: str
) -> None:
    """Once away it was gone, and who had looked at the replay found no result any more."""
    await in_match(server)
    seated = await in_lobby(server, name=name)
    await seated.session.reach(places.MatchPlace("m1"))
    await server.matches.all["m1"].resign(Seat(1))
    await seated.settle()
    away, back = seated.session.t("keys.match.board"), seated.session.t("match.card")
    assert shown(seated).card.shows
    assert f"{seated.session.t('key.space')} {away}" in seated.text
    await seated.type("p")
    assert isinstance(seated.session.pages.top, ReplayPage)
    await seated.type("esc")
    assert shown(seated).card.shows
    await seated.type("space")
    assert not shown(seated).card.shows
    assert f"{seated.session.t('key.space')} {back}" in seated.text
    await seated.type("p", "esc", "space")
    assert shown(seated).card.shows


@pytest.mark.parametrize("game", ["rainet", "relati", "passage", "netrunner"])
@pytest.mark.parametrize("size", [(80, 24), (100, 30), (120, 40)])
def test_the_card_lay_over_the_board_and_what_it_spoke_of(game: str, size: tuple[int, int]) -> None:
    """It covered the revealed cards and the last position; once it had covered the log."""
    cols, rows = size[0], size[1] - 5
    shot = StagedMatch(game, (person("mira"), person("tarn"))).snapshot(Seat(0))
    ended = replace(shot, status="finished", result=Result(((Seat(1),), (Seat(0),)), "resign"), ended_by="resign")
    area = board(game).area(ended, cols, rows)
    room = endcard.beside_board(area, cols, rows)
    if room is None:
        assert game == "netrunner"
        return
    card = endcard.card(board(game), ended, (), LOOK, (room.cols, room.rows))
    free = [
        text_of(line)
        for line in endcard.DrawnCard(room, tuple(card)).laid_over([(("", "~" * cols),)] * rows, cols, rows)
    ]
    beside = area.cols if room.left else cols
    assert all(line.startswith("~" * beside) for line in free[: area.rows if room.left else room.top])
    assert all(line == "~" * cols for line in free[-endcard.KEPT_ROWS :])


@pytest.mark.parametrize("size", [(60, 20), (40, 20)])
async def test_where_the_card_would_cover_the_board_it_comes_for_who_asks(
    server: FakeServer, size: tuple[int, int]
) -> None:
    seated = await in_match(server, *size)
    await server.matches.all["m1"].resign(Seat(1))
    await seated.settle()
    assert not shown(seated).card.shows
    assert outcome.sentence(shown(seated).snapshot, LOOK) in seated.text
    await seated.type("space")
    assert shown(seated).card.shows


def test_a_lost_match_was_told_in_green() -> None:
    match = StagedMatch("rainet", (person("mira"), person("tarn")))
    match.changes = {"status": "finished", "result": Result(((Seat(1),), (Seat(0),)), "resign"), "ended_by": "resign"}
    said = [outcome.tone(match.snapshot(viewer)) for viewer in (Seat(0), Seat(1), Watcher.PUBLIC)]
    assert said == ["warn", "good", "accent"]


@pytest.mark.parametrize("cols", [26, 60])
def test_a_table_of_many_lists_its_ranking(cols: int) -> None:
    """It was one sentence of names."""
    players = tuple(map(person, ("mira", "tarn", "lio", "zoe")))
    shot = StagedMatch("relati", players).snapshot(Seat(0))
    result = Result(((Seat(2),), (Seat(0), Seat(3)), (Seat(1),)), "standing")
    ended = replace(shot, status="finished", result=result, rating_changes={Seat(2): (1500, 1510)})
    lines = [text_of(line).strip("│ ") for line in endcard.card(board("relati"), ended, (), LOOK, (cols, 20))]
    listed = [line for line in lines if line[:1].isdigit() and "min" not in line]
    assert [line.split()[:2] for line in listed if line[1] == " "][:4] == [
        ["1", "lio"],
        ["2", "mira"],
        ["2", "zoe"],
        ["4", "tarn"],
    ]
    assert ("1500 → 1510" if cols == 60 else "lio  1510  (+10)") in listed[0], "what it brought is never left out"


def test_the_card_dropped_what_a_loss_took_and_the_mark_of_a_provisional_rating() -> None:
    """The difference was left out for the longer of two names."""
    shot = StagedMatch("rainet", (person("mira"), person("a_long_handle"))).snapshot(Seat(0))
    seats = tuple(replace(info, rating=1500, provisional=True) for info in shot.seats)
    changes = {Seat(0): (1500, 1508), Seat(1): (1500, 1476)}
    ended = replace(shot, seats=seats, rating_changes=changes)
    at = [[text_of(line) for line in endcard.ratings(ended, LOOK, cols)] for cols in (30, 60)]
    assert [line.split()[-1] for line in (*at[0][:2], *at[1][:2])] == ["(+8)", "(-24)", "(+8)", "(-24)"]
    assert "1500? → 1508" in at[1][0]


@pytest.mark.parametrize("language", ["en", "zh_CN", "zh_TW"])
def test_whoever_played_is_told_whether_they_won_and_not_their_own_handle(language: str) -> None:
    look = Look(language=language)
    match = StagedMatch("rainet", (person("mira"), person("tarn")))
    match.changes = {"status": "finished", "result": Result(((Seat(1),), (Seat(0),)), "resign"), "ended_by": "resign"}
    said = {viewer: outcome.sentence(match.snapshot(viewer), look) for viewer in (Seat(0), Seat(1), Watcher.PUBLIC)}
    lost = look.t("match.reason.resign", loser=look.t("seat.you"))
    assert said[Seat(0)] == look.t("outcome.you-lost", name="tarn", reason=lost)
    assert said[Seat(1)] == look.t("outcome.you-won", reason=look.t("match.reason.resign", loser="mira"))
    assert said[Watcher.PUBLIC] == look.t(
        "outcome.win", name="tarn", reason=look.t("match.reason.resign", loser="mira")
    )


@pytest.mark.parametrize(("key", "leads"), [("p", ReplayPage), ("s", MatchPage)])
async def test_each_thing_to_do_is_one_key(server: FakeServer, key: str, leads: type) -> None:
    seated = await in_match(server)
    await server.matches.all["m1"].resign(Seat(1))
    await seated.settle()
    await seated.type(key)
    assert isinstance(seated.session.pages.top, leads)
    assert ("ssh -t localhost replay m1" in seated.text) == (key == "s")


async def test_who_looks_on_sees_the_card_too(server: FakeServer) -> None:
    await in_match(server)
    zoe = await in_lobby(server, name="zoe")
    await zoe.session.reach(places.MatchPlace("m1"))
    await server.matches.all["m1"].resign(Seat(1))
    await zoe.settle()
    assert shown(zoe).card.shows
    assert zoe.text.count(outcome.sentence(shown(zoe).snapshot, LOOK)) == 1


async def test_who_looks_on_is_told_who_is_away_since_when_and_until_when(server: FakeServer) -> None:
    await in_match(server)
    zoe = await in_lobby(server, name="zoe")
    await zoe.session.reach(places.MatchPlace("m1"))
    match, snapshot = server.matches.all["m1"], server.matches.all["m1"].snapshot
    match.changes["claim_at"] = NOON + timedelta(seconds=61)

    def gone(viewer: Viewer) -> AnyViewerState:
        made = snapshot(viewer)
        away = replace(made.seats[1], here=False, gone_since=NOON - timedelta(seconds=29))
        return replace(made, seats=(made.seats[0], away))

    match.snapshot = gone  # type: ignore[method-assign]
    match.tell()
    await zoe.settle()
    assert zoe.session.t("seat.away-for", time="0:29") in zoe.text
    assert zoe.session.t("match.claim-in-public", names="tarn", time="1:01") in zoe.text


@pytest.mark.parametrize("claim_s", [None, 70, 31, 10])
async def test_the_opponent_of_a_guest_who_was_away_read_only_when_the_win_could_be_claimed(
    server: FakeServer, claim_s: int | None
) -> None:
    await in_match(server)
    zoe = await in_lobby(server, name="zoe")
    await zoe.session.reach(places.MatchPlace("m1"))
    match, snapshot = server.matches.all["m1"], server.matches.all["m1"].snapshot
    match.changes["claim_at"] = None if claim_s is None else NOON + timedelta(seconds=claim_s)

    def gone(viewer: Viewer) -> AnyViewerState:
        made = snapshot(viewer)
        guest = replace(made.seats[1].player, kind="guest")
        away = replace(made.seats[1], player=guest, here=False, gone_since=NOON - timedelta(seconds=29))
        return replace(made, seats=(made.seats[0], away))

    match.snapshot = gone  # type: ignore[method-assign]
    match.tell()
    await zoe.settle()
    loses = zoe.session.t("match.guest-out-in", names="tarn", time="0:31")
    assert (loses in zoe.text) is (claim_s != 10)


@pytest.mark.parametrize("bots_replace", [False, True])
async def test_players_and_watchers_read_another_rule_for_a_guest_at_a_table_who_was_away(
    server: FakeServer, bots_replace: bool
) -> None:
    match = server.matches.add(StagedMatch("relati", tuple(map(person, ("mira", "tarn", "lio")))))
    match.agree(bots_replace=bots_replace)
    snapshot = match.snapshot

    def gone(viewer: Viewer) -> AnyViewerState:
        made = snapshot(viewer)
        guest = replace(made.seats[2].player, kind="guest")
        away = replace(made.seats[2], player=guest, here=False, gone_since=NOON - timedelta(seconds=29))
        return replace(made, seats=(*made.seats[:2], away))

    match.snapshot = gone  # type: ignore[method-assign]
    key = "match.guest-out-in-bots" if bots_replace else "match.guest-out-in-many"
    for name in ("tarn", "zoe"):
        seated = await in_lobby(server, name=name)
        await seated.session.reach(places.MatchPlace("m1"))
        await seated.settle()
        assert seated.session.t(key, names="lio", time="0:31") in " ".join(seated.text.split())


def test_the_card_says_why_a_match_counted_less_to_who_it_is_about() -> None:
    shot = StagedMatch("rainet", (person("mira"), person("tarn"))).snapshot(Seat(0))
    changes = {Seat(0): (1512, 1499), Seat(1): (1488, 1501)}
    for why in get_args(Why):
        ended = replace(shot, rating_changes=changes, rating_reasons={Seat(0): why})
        said = " ".join(text for line in endcard.ratings(ended, LOOK, 60)[2:] for _, text in line)
        assert said == LOOK.t(f"match.card.less.{why}")
        other = endcard.ratings(replace(ended, viewer=Seat(1)), LOOK, 60)[2:]
        assert bool(other) is (why in outcome.OF_BOTH)
        assert len(endcard.ratings(replace(ended, viewer=Watcher.PUBLIC), LOOK, 60)) == 2


def test_two_players_read_two_reasons_for_one_match_that_was_resigned_early() -> None:
    """The winner read that it ended early, the loser that both came from one network."""
    shot = StagedMatch("rainet", (person("mira"), person("tarn"))).snapshot(Seat(0))
    lost = Result(((Seat(0),), (Seat(1),)), "resign")
    left, near = LOOK.t("match.card.less.left"), LOOK.t("match.card.less.also.near")
    for reasons, told in (
        ({Seat(0): "early", Seat(1): "near"}, {0: f"{left} {near}", 1: f"{left} {near}"}),
        ({Seat(0): "early", Seat(1): "new"}, {0: left, 1: f"{left} {LOOK.t('match.card.less.also.new')}"}),
        ({Seat(0): "early"}, {0: left, 1: left}),
    ):
        ended = replace(shot, result=lost, rating_reasons=reasons)
        assert {seat: outcome.counted_less(replace(ended, viewer=Seat(seat)), LOOK) for seat in (0, 1)} == told
    drawn = replace(shot, result=Result(((Seat(0), Seat(1)),), "draw-agreed"), rating_reasons={Seat(0): "early"})
    assert outcome.counted_less(drawn, LOOK) == LOOK.t("match.card.less.early")


def test_the_card_cut_how_many_decisions_were_taken_back() -> None:
    won = Result(((Seat(1),), (Seat(0),)), "resign")
    shot = StagedMatch("rainet", (person("mira"), person("tarn"))).snapshot(Seat(0))
    ended = replace(shot, status="finished", result=won, ended_at=NOON + timedelta(minutes=1), takebacks=1)
    lines = endcard.card(board("rainet"), ended, (), LOOK, (41, 22))
    said = " ".join(" ".join(text_of(line).strip("│ ") for line in lines).split())
    assert LOOK.t("match.card.takebacks", n=1) in said


def test_a_log_said_that_somebody_was_late_and_then_that_they_were_out() -> None:
    """Who ran out of time was told twice, by the server and by the rules."""
    shot = StagedMatch("relati", tuple(map(person, ("mira", "tarn", "lio")))).snapshot(Seat(0))
    late = [SeenEvent(5, "match.out_of_time", {"seat": 1}), SeenEvent(5, "out-late", {"seat": 1})]
    assert [one.text for one in eventlog.told(board("relati"), shot, late, LOOK)] == [
        LOOK.t("match.event.out_of_time", name="tarn")
    ]


def test_a_cut_text_ended_in_one_dot_on_an_ascii_terminal() -> None:
    assert ascii_line((("", "Greed…"),), True) == (("", "Gre..."),)


async def test_a_rating_changed_by_nine_without_saying_how_it_had_gone(server: FakeServer) -> None:
    """The own rating's last steps stand beside it, this match's one last."""
    server.add("mira")
    mu = 25.0
    for n in range(6):
        server.rated(RatingChange(f"h{n}", 1, "rainet", 0, n + 1, mu, 1.2, mu + 0.2, 1.2))
        mu += 0.2
    at = At(120, 40, TRUE_COLOUR, "default", "unicode", DARK + NARROW)
    seated = await SCENES["end"](server, at)
    line = next(line for line in seated.rows if "(+9)" in line)
    assert line.split()[-1] == "⣀⠤⠔⠉", "it rises from the lowest dots to the highest"
