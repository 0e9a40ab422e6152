"""What one does at a table, typed and read through a terminal emulator."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any, Literal, get_args

import pytest

from game.contract import Event, Seat, Viewer
from server.accounts.identity import Player
from server.accounts.preferences import Preferences
from server.i18n.catalogues import catalogue
from server.matches.errors import MatchUnreadable
from server.matches.model import AnyViewerState, OfferKind
from server.matches.server_events import TAKEN_BACK
from server.screens.match import MatchPage
from server.session import places
from server.session.places import Landing
from tests.boards.positions import NOON, person
from tests.session.evening import busy, in_lobby, in_match, match_page
from tests.session.fakeserver import FakeServer, account
from tests.session.hearing import hear
from tests.session.stage import StagedMatch
from tests.texts import en


async def test_the_score_of_those_who_play_again_is_seen_at_the_board_and_in_lines(server: FakeServer) -> None:
    match = server.matches.add(StagedMatch("relati", (person("mira"), person("tarn"))))
    match.changes["won"] = (2, 1)
    seated = await server.connect(account("mira"))
    score = en("outcome.score", won="you 2, tarn 1")
    assert any(score in row for row in seated.rows)
    hearer = await hear(server, account("mira"))
    assert score in hearer.said.sent


async def test_who_comes_back_to_a_running_match_is_straight_at_the_board(server: FakeServer) -> None:
    await busy(server)
    server.prefer("mira", Preferences(calibrated=True))
    seated = await server.connect(account("mira"))
    assert seated.rows[0].startswith(" RaiNet")
    assert "Your move" in seated.text
    await seated.type("esc")
    assert seated.rows[0].startswith(" Lobby")
    assert seated.says("row.your-turn")


async def test_enter_goes_back_to_my_match_and_escape_to_the_lobby(server: FakeServer) -> None:
    seated = await in_match(server)
    assert seated.rows[0].startswith(" RaiNet · rated · normal")
    await seated.type("esc")
    assert seated.rows[0].startswith(" Lobby")


async def test_two_players_move_and_see_each_other(server: FakeServer) -> None:
    south, north = await in_match(server), await in_lobby(server, name="tarn")
    await north.type("enter")
    await south.type("enter", "right", "enter")
    assert "d4–e4" in south.text
    assert "d4–e4" in north.text
    assert south.says("match.waiting", name="tarn")
    assert "Your move" in north.text


async def test_a_move_rings_the_bell_of_who_is_to_move(server: FakeServer) -> None:
    south, north = await in_match(server), await in_lobby(server, name="tarn")
    await north.type("enter")
    north.wire.sent.clear()
    await south.type("enter", "right", "enter")
    assert b"\x07" in north.wire.sent


async def test_an_opponent_rang_the_bell_with_each_change_of_their_settings(server: FakeServer) -> None:
    """It rang with each entry of the log while one owed a decision, also where that was the same as before."""
    south = await in_match(server)
    assert "Your move" in south.text
    south.wire.sent.clear()
    match = server.matches.all["m1"]
    match.seq += 1
    match.tell()
    await south.settle()
    assert b"\x07" not in south.wire.sent


async def test_the_title_says_your_move_also_to_who_comes_back(server: FakeServer) -> None:
    """The page's own title went over the call, so who came back to their turn saw two names."""
    seated = await in_match(server)
    called = seated.session.t("match.call", game="RaiNet").encode()
    titles = re.findall(rb"\x1b\]2;([^\x07]*)\x07", bytes(seated.wire.sent))
    assert titles[-1] == called
    await seated.type("enter", "right", "enter")
    assert re.findall(rb"\x1b\]2;([^\x07]*)\x07", bytes(seated.wire.sent))[-1] != called


async def test_titles_are_ascii_where_the_glyphs_are(server: FakeServer) -> None:
    server.prefer("mira", Preferences(calibrated=True, glyphs="ascii"))
    seated = await server.connect(account("mira"))
    titles = re.findall(rb"\x1b\]2;([^\x07]*)\x07", bytes(seated.wire.sent))
    assert titles
    assert all(title.isascii() for title in titles)


async def test_a_bell_that_is_not_wanted_does_not_ring(server: FakeServer) -> None:
    await busy(server)
    server.prefer("tarn", Preferences(calibrated=True, bell=False, title=False))
    north = await server.connect(account("tarn"))
    await north.type("enter")
    north.wire.sent.clear()
    server.matches.all["m1"].play(0, "d4e4")
    await north.settle()
    assert b"\x07" not in north.wire.sent
    assert "Your move" in north.text


async def test_a_selection_is_taken_back_before_the_screen_is_left(server: FakeServer) -> None:
    seated = await in_match(server)
    await seated.type("enter")
    assert seated.says("rainet.do.card", square="d4", n=3)
    await seated.type("esc")
    assert "Your move" in seated.text
    assert seated.rows[0].startswith(" RaiNet")


async def test_enter_where_nothing_can_be_chosen_says_so(server: FakeServer) -> None:
    seated = await in_match(server)
    await seated.type("left", "enter")
    assert seated.session.t("rainet.error.no-card") in seated.text
    await seated.type("right")
    assert seated.session.t("rainet.error.no-card") not in seated.text


async def test_the_rules_key_opens_the_rules_and_not_the_keys(server: FakeServer) -> None:
    seated = await in_match(server)
    await seated.type("?")
    assert seated.says("keys.rainet.boost.help")
    await seated.type("esc", "i")
    assert not seated.says("keys.rainet.boost.help")
    assert seated.rows[0].startswith(" Help")
    await seated.type("esc")
    assert "Your move" in seated.text


async def test_resigning_asks_first(server: FakeServer) -> None:
    seated = await in_match(server)
    await seated.type("r")
    assert seated.says("match.ask.resign")
    assert "y Yes  n No" in seated.text
    await seated.type("n")
    assert not seated.says("match.ask.resign")
    await seated.type("r", "y")
    await seated.type("space")  # the card has narrow lines
    assert seated.says("outcome.you-lost", name="tarn", reason=en("match.reason.resign", loser="you"))
    assert "m Rematch" in seated.text


@pytest.mark.parametrize(
    ("ended_by", "said"),
    [("out_of_time", "match.reason.out_of_time"), ("left", "match.reason.left"), (None, "match.reason.resign")],
)
async def test_who_ran_out_of_time_is_not_said_to_have_resigned(
    server: FakeServer, ended_by: str | None, said: str
) -> None:
    seated = await in_match(server)
    match = server.matches.all["m1"]
    match.changes["ended_by"] = ended_by
    await match.resign(Seat(0))
    await seated.settle()
    await seated.type("space")  # the card has narrow lines
    assert seated.says("outcome.you-lost", name="tarn", reason=en(said, loser="you"))


@pytest.mark.parametrize("is_granted", [True, False])
async def test_who_had_taken_back_was_told_that_nobody_had_accepted(server: FakeServer, is_granted: bool) -> None:
    south = await in_match(server)
    match = server.matches.all["m1"]
    match.changes["offers"] = ((Seat(0), "takeback"),)
    match.tell()
    await south.settle()
    match.changes["offers"] = ()
    if is_granted:
        match.seq += 1
        match.seen.append((match.seq, Event(TAKEN_BACK, {"seat": 0, "to": 0})))
    match.tell()
    await south.settle()
    assert south.says("match.offer-gone.takeback") is not is_granted


async def test_who_asked_to_take_back_was_told_of_a_refusal_when_it_had_become_impossible(server: FakeServer) -> None:
    for name in ("mira", "tarn"):
        server.add(name)
    match = server.matches.add(StagedMatch("relati", (person("mira"), person("tarn")), "m1"))
    match.changes.update(may_take_back=True, offers=((Seat(0), "takeback"),))
    asking = await server.connect(account("mira"), landing=Landing("watch", "m1"))
    match.changes.update(may_take_back=False, offers=())
    match.tell()
    await asking.settle()
    assert asking.says("match.offer-late.takeback")
    assert not asking.says("match.offer-gone.takeback")


@pytest.mark.parametrize("language", ["en", "zh_CN", "zh_TW"])
@pytest.mark.parametrize("what", get_args(OfferKind))
async def test_a_take_back_that_was_asked_for_was_a_message_key(server: FakeServer, what: str, language: str) -> None:
    """Where one waited for the answer, the line above the keys read "match.own-offer.takeback"."""
    texts = catalogue(language)
    asked = [f"match.own-offer.{what}"] if what != "rematch" else []
    assert [key for key in (*asked, f"match.offered.{what}", f"match.offer-gone.{what}") if not texts.has(key)] == []
    await busy(server)
    south = await in_lobby(server, language=language)
    await south.type("enter")
    match = server.matches.all["m1"]
    match.play(0, "d4e4")
    match.changes["offers"] = ((Seat(0), what),)
    match.tell()
    await south.settle()
    assert sum(south.text.count(south.session.t(key)) for key in asked) == len(asked), "once, not twice"


async def test_what_was_offered_was_put_away_by_any_key(server: FakeServer) -> None:
    """A key that was no answer dropped the question unseen, and the next esc left the match."""
    south = await in_match(server)
    await south.type("o", "z", "o")
    assert south.says("match.ask.draw-adjourn")
    await south.type("esc")
    assert not south.says("match.ask.draw-adjourn")
    assert south.session.pages.match_shown == "m1"


async def test_a_draw_is_offered_and_answered(server: FakeServer) -> None:
    south, north = await in_match(server), await in_lobby(server, name="tarn")
    await north.type("enter")
    await south.type("o", "d")
    assert south.says("match.sent.draw")
    assert north.says("match.offered.draw", name="mira")
    assert "y Accept  n Decline" in north.text
    await north.type("n")
    assert south.says("match.offer-gone.draw"), "an answer is told to who asked"
    assert not north.says("match.offered.draw", name="tarn")


async def test_who_was_away_too_long_can_be_claimed(server: FakeServer) -> None:
    seated = await in_match(server, name="tarn")
    match = server.matches.all["m1"]
    match.changes["claim_at"] = NOON
    match.tell()
    await seated.settle()
    assert seated.says("match.claim-now", names="")
    await seated.type("x")
    assert f"w {en('keys.claim.win')}  v {en('keys.claim.void')}" in seated.text


async def test_what_to_claim_was_asked_on_when_who_was_away_had_come_back(server: FakeServer) -> None:
    """It was asked, too, where a claim had been made at another terminal; then the answer was refused."""
    seated = await in_match(server, name="tarn")
    match = server.matches.all["m1"]
    match.changes["claim_at"] = NOON
    match.tell()
    await seated.settle()
    await seated.type("x")
    assert seated.says("match.ask.claim")
    match.changes["claim_at"] = None
    match.tell()
    await seated.settle()
    assert not seated.says("match.ask.claim")
    assert en("keys.claim.win") not in seated.text


@pytest.mark.parametrize("all_gone", [False, True])
async def test_void_was_offered_at_a_table_where_others_were_still_here(server: FakeServer, all_gone: bool) -> None:
    match = server.matches.add(StagedMatch("relati", tuple(map(person, ("mira", "tarn", "lio")))))
    shown = match.snapshot

    def without_mira(viewer: Viewer) -> AnyViewerState:
        shot = shown(viewer)
        return replace(shot, seats=(replace(shot.seats[0], here=False), *shot.seats[1:]))

    match.snapshot = without_mira  # type: ignore[method-assign]
    match.changes |= {"claim_at": NOON, "void_at": NOON if all_gone else None}
    tarn = await in_lobby(server, name="tarn")
    await tarn.session.reach(places.MatchPlace("m1"))
    await tarn.settle()
    said = " ".join(tarn.text.split())
    key = "match.claim-now-bots-void" if all_gone else "match.claim-now-bots"
    assert en(key, names="mira") in said
    assert en("match.waiting", name="mira") in said, "and for whom one waits"
    await tarn.type("x")
    assert f"b {en('keys.claim.bots')}" in tarn.text
    assert (f"v {en('keys.claim.void')}" in tarn.text) is all_gone
    await tarn.type("v")
    assert tarn.says("match.error.not-claimable") is all_gone, "a key that is not on offer asks nothing of the match"


async def test_a_bot_that_cannot_answer_is_told_and_the_match_can_be_ended(server: FakeServer) -> None:
    """Another level answered in its place, and nobody was told."""
    seated = await in_match(server)
    match, snapshot = server.matches.all["m1"], server.matches.all["m1"].snapshot

    def failing(viewer: Viewer) -> AnyViewerState:
        made = snapshot(viewer)
        bot = replace(made.seats[1], bot="master", here=False, bot_fails_since=NOON)
        return replace(made, seats=(made.seats[0], bot))

    match.snapshot = failing  # type: ignore[method-assign]
    match.changes |= {"claim_at": NOON + timedelta(seconds=10), "pending": None}
    match.tell()
    await seated.settle()
    assert seated.says("seat.no-answer")
    assert seated.says("match.bot-fails", names="tarn")
    await seated.type("x")
    assert not seated.says("keys.claim.void"), "not yet"
    match.changes["claim_at"] = NOON
    match.tell()
    await seated.settle()
    assert seated.says("match.bot-fails-end", names="tarn")
    await seated.type("x")
    assert seated.says("match.ask.claim-void")
    assert f"v {en('keys.claim.void')}" in seated.text
    assert en("keys.claim.win") not in seated.text


async def test_how_a_match_ended_is_not_hidden_by_what_was_said_before(server: FakeServer) -> None:
    seated = await in_match(server)
    await seated.type("o", "d")
    assert seated.says("match.sent.draw")
    match = server.matches.all["m1"]
    match.changes["offers"] = ()
    await match.resign(Seat(1))
    await seated.settle()
    await seated.type("space")  # the card has narrow lines
    assert seated.says("outcome.you-won", reason=en("match.reason.resign", loser="tarn"))
    assert "offer" not in seated.rows[-3]


async def test_a_watcher_sees_the_public_view_and_goes_to_the_next_match(server: FakeServer) -> None:
    await busy(server)
    seated = await in_lobby(server, name="akio")
    await seated.type("w")
    assert "lio – zoe" in seated.rows[0]
    assert "▲L" not in seated.text
    await seated.type("]")
    assert "mira – tarn" in seated.rows[0]
    await seated.type("[")
    assert "lio – zoe" in seated.rows[0]


async def test_a_watcher_is_not_led_to_a_match_of_somebody_blocked(server: FakeServer) -> None:
    """`]` went to it all the same."""
    await busy(server)
    seated = await in_lobby(server, name="akio")
    await seated.type("w")
    assert "lio – zoe" in seated.rows[0]
    seated.session.person.blocked = frozenset((person("tarn").account_id or 0,))
    await seated.type("]")
    assert "lio – zoe" in seated.rows[0]


async def test_the_table_talks(server: FakeServer) -> None:
    south, north = await in_match(server), await in_lobby(server, name="tarn")
    await north.type("enter")
    await south.type("tab", *"careful", "enter", "esc")
    assert "mira  careful" in north.text


async def test_a_window_of_60_columns_shows_the_clocks_beside_the_board(server: FakeServer) -> None:
    seated = await in_match(server)
    await seated.resize(60, 20)
    assert sum(bool(re.search(r"(mira|tarn) .*\d:\d\d", row)) for row in seated.rows) == 2


async def test_a_small_window_still_shows_the_whole_board(server: FakeServer) -> None:
    seated = await in_match(server)
    await seated.resize(40, 20)
    assert en("rainet.server-short") in seated.rows[1], "between the letters of its files"
    assert seated.text.count(en("rainet.server")) == 1


async def test_a_square_can_be_clicked(server: FakeServer) -> None:
    seated = await in_match(server)
    row = next(y for y, text in enumerate(seated.rows) if text.startswith(" 4 "))
    await seated.click(3 + 4 * 3 + 2, row)
    assert seated.says("rainet.do.card", square="d4", n=3)


async def test_a_rematch_opens_by_itself(server: FakeServer) -> None:
    seated = await in_match(server)
    await seated.type("r", "y")
    server.matches.add(StagedMatch("rainet", (person("tarn"), person("mira")), "m5"))
    match = server.matches.all["m1"]
    await seated.type("m")
    match.changes |= {"next_match": "m5", "offers": ()}
    match.tell()
    await seated.settle()
    assert "tarn – mira" in seated.rows[0]
    assert not seated.says("match.offer-gone.rematch")


async def test_esc_went_from_a_rematch_to_the_match_before(server: FakeServer) -> None:
    """The people of the table were on top when it began, so it opened above them and above the old match."""
    seated = await in_match(server)
    await seated.type("r", "y", "O")
    server.matches.add(StagedMatch("rainet", (person("tarn"), person("mira")), "m5"))
    match = server.matches.all["m1"]
    match.changes |= {"next_match": "m5", "offers": ()}
    server.tell("m5")
    match.tell()
    await seated.settle()
    assert "tarn – mira" in seated.rows[0]
    assert [page.match_shown for page in seated.session.pages if page.match_shown] == ["m5"]
    await seated.type("esc", "esc")
    assert type(seated.session.pages.top).__name__ == "LobbyPage"


@pytest.mark.parametrize("room", [None, "ABCD"], ids=["the old match hears of it later", "begun from their room"])
async def test_esc_went_to_the_match_before_however_the_next_one_came(server: FakeServer, room: str | None) -> None:
    seated = await in_match(server)
    await seated.type("r", "y")
    after = server.matches.add(StagedMatch("rainet", (person("tarn"), person("mira")), "m5"))
    match = server.matches.all["m1"]
    for one in (match, after):
        one.changes["room"] = room
        one.tell()
    server.tell("m5")
    await seated.settle()
    if room is None:
        match.changes["next_match"] = "m5"
        match.tell()
        await seated.settle()
    assert [page.match_shown for page in seated.session.pages if page.match_shown] == ["m5"]


async def test_who_wants_a_rematch_is_told_to_the_other(server: FakeServer) -> None:
    south, north = await in_match(server), await in_lobby(server, name="tarn")
    await north.type("enter")
    await south.type("r", "y", "m")
    assert south.says("match.sent.rematch")
    assert north.says("match.offered.rematch", name="mira")
    server.matches.add(StagedMatch("rainet", (person("tarn"), person("mira")), "m5"))
    match = server.matches.all["m1"]
    match.changes["next_match"] = "m5"
    match.tell()
    await south.settle()
    assert "tarn – mira" in south.rows[0]
    assert not south.says("match.sent.rematch"), "it is answered"


async def test_the_clock_of_who_decides_runs(server: FakeServer) -> None:
    seated = await in_match(server)
    assert "2:41" in seated.rows[3] + seated.text
    server.clock.pass_time(60)
    await seated.type("left")
    assert "1:41" in seated.text


async def test_a_match_that_cannot_be_read_keeps_nobody_from_another_one(server: FakeServer, monkeypatch: Any) -> None:
    """Who came back was left in the lobby, with "That can't be done now."."""
    for match_id in ("m1", "m2"):
        server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn")), match_id))
    real = server.matches.find

    async def refusing(match_id: str, who: Any, case: Any = None) -> Any:
        if match_id == "m1":
            raise MatchUnreadable(match_id)
        return await real(match_id, who, case)

    monkeypatch.setattr(server.matches, "find", refusing)
    server.prefer("mira", Preferences(calibrated=True))
    seated = await server.connect(account("mira"))
    assert isinstance(seated.session.pages.top, MatchPage)
    assert seated.session.pages.top.match.id == "m2"
    assert seated.says("match.error.unreadable", match="m1")


async def test_against_bots_alone_a_draw_was_asked_about_that_could_not_be_offered(server: FakeServer) -> None:
    seated = await in_match(server)
    await seated.type("o")
    assert seated.says("match.ask.draw-adjourn")
    match, snapshot = server.matches.all["m1"], server.matches.all["m1"].snapshot

    def of_bots(viewer: Viewer) -> AnyViewerState:
        made = snapshot(viewer)
        seats = (replace(seat, player=replace(seat.player, kind="bot")) for seat in made.seats)
        return replace(made, seats=(made.seats[0], *list(seats)[1:]))

    match.snapshot = of_bots  # type: ignore[method-assign]
    match.tell()
    await seated.settle()
    assert not seated.says("match.ask.draw-adjourn")
    assert seated.says("match.ask.adjourn")


async def test_guests_were_offered_to_adjourn_and_then_told_that_they_can_not(server: FakeServer) -> None:
    seated = await in_match(server)
    match, snapshot = server.matches.all["m1"], server.matches.all["m1"].snapshot

    def beside(kind: Literal["bot", "guest"]) -> Callable[[Viewer], AnyViewerState]:
        def made(viewer: Viewer) -> AnyViewerState:
            shot = snapshot(viewer)
            other = replace(shot.seats[1], player=Player(kind, "wren", guest_id="g1"))
            me = replace(shot.seats[0], player=Player("guest", "moss", guest_id="g2"))
            return replace(shot, seats=(me, other))

        return made

    match.snapshot = beside("guest")  # type: ignore[method-assign,assignment]
    match.tell()
    await seated.settle()
    await seated.type("o")
    assert seated.says("match.ask.draw")
    assert en("keys.offer.adjourn") not in seated.text
    await seated.type("a", "o", "d")
    assert seated.says("match.sent.draw"), "it says what is offered"
    match.snapshot = beside("bot")  # type: ignore[method-assign,assignment]
    match.tell()
    await seated.settle()
    await seated.type("o")
    assert seated.says("match.nothing-to-offer")


async def test_what_was_said_of_asking_stood_on_after_it_was_granted(server: FakeServer) -> None:
    seated = await in_match(server)
    match = server.matches.all["m1"]
    match.changes["offers"] = ((Seat(0), "takeback"),)
    match.tell()
    await seated.settle()
    seated.session.prompts.notice("match.sent.takeback", "good")
    await seated.settle()
    assert seated.says("match.sent.takeback")
    match.changes["offers"] = ()
    match.seq += 1
    match.seen.append((match.seq, Event(TAKEN_BACK, {"seat": 0, "to": 0})))
    match.tell()
    await seated.settle()
    assert not seated.says("match.sent.takeback")


async def test_a_cursor_is_drawn_in_one_round_of_the_loop(server: FakeServer) -> None:
    seated = await in_match(server)
    await seated.type("right")
    queue, loop = server.groups.queue, asyncio.get_running_loop()
    asked: list[object] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loop, "call_soon", lambda callback, *args: asked.append(callback))
        seated.wire.sent.clear()
        queue.answer(lambda: seated.screen.feed(b"\x1b[D"))
    assert seated.wire.sent
    assert asked == []


async def test_where_a_score_has_no_room_it_says_less(server: FakeServer) -> None:
    match = server.matches.add(StagedMatch("relati", (person("mira"), person("tarnish"))))
    match.changes["won"] = (2, 1)
    seated = await server.connect(account("mira"), 60, 20)
    assert "you 2, tarnish 1" in seated.text
    assert en("outcome.score", won="you 2, tarnish 1") not in seated.text


async def test_while_a_card_was_chosen_no_key_answered_an_offer(server: FakeServer) -> None:
    """The question stood above, and neither of its keys below."""
    south = await in_match(server)
    server.matches.all["m1"].changes.update(offers=((Seat(1), "draw"),))
    await south.type("d", "enter")
    assert not match_page(south).answering.is_resting
    assert {"accept", "decline"} <= {hint.label.rpartition(".")[2] for hint in match_page(south).hints()}
