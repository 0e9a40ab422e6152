"""What players settle between them: draws and adjourning."""

from __future__ import annotations

import pytest

from game.contract import Seat, Viewer, Watcher
from game.rainet.view import View
from server.matches.errors import MatchPaused, MatchRefused, NotOffered
from server.matches.match import Match
from server.matches.model import OfferKind
from server.matches.offers import MOST_OFFERED
from server.store import matches as store
from tests.clocks import FakeClock
from tests.matches.table import EASY, GUEST, LIO, MIRA, TARN, SharedBus, Table, kinds, open_matches

A, B, C = Seat(0), Seat(1), Seat(2)


async def test_a_draw_that_both_want_is_a_draw(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    await match.offer(A, "draw")
    assert match.snapshot(B).offers == ((A, "draw"),)
    await match.answer(B, "draw", accept=True)
    seen = match.snapshot(Watcher.PUBLIC)
    assert seen.result is not None
    assert (seen.status, seen.result.placements, seen.offers) == ("finished", ((A, B),), ())
    assert await kinds(table, match.id) == ["draw_agreed"]


@pytest.mark.parametrize("viewer", [A, B, Watcher.PUBLIC])
async def test_the_cards_stayed_face_down_after_a_match_that_people_had_ended(table: Table, viewer: Viewer) -> None:
    """Only a match that was played to its end, or lost on time, showed them."""
    match = await table.begin(MIRA, TARN, game="rainet")
    for seat in (A, B):
        await table.play(match, seat, "setup LVLVVLVL")
    assert None in kinds_on(match.on_board(viewer).view)
    await match.offer(A, "draw")
    await match.answer(B, "draw", accept=True)
    last = match.on_board(viewer)
    assert last is match.on_board(viewer), "drawn once for all who look from there"
    assert kinds_on(last.view) == {"link", "virus"}
    assert last.viewer == viewer, "seen from the own side"
    for shot in (match.snapshot(viewer), match.at(last.seq, viewer)):
        assert None in kinds_on(shot.view), "who asks for one seat's view, as a program or in a replay, gets that"


def kinds_on(view: View) -> set[str | None]:
    cards = (view.card_at(square) for square in range(64))
    return {card.kind for card in cards if card is not None}


async def test_an_offer_that_is_turned_down_is_gone(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    await match.offer(A, "draw")
    await match.answer(B, "draw", accept=False)
    assert match.snapshot(A).offers == ()
    with pytest.raises(NotOffered):
        await match.answer(B, "draw", accept=True)


async def turned_down(match: Match, what: OfferKind, times: int = MOST_OFFERED) -> None:
    for _ in range(times):
        await match.offer(A, what)
        await match.answer(B, what, accept=False)


@pytest.mark.parametrize("what", ["draw", "adjourn", "rematch"])
async def test_who_was_refused_went_on_offering_the_same_without_end(table: Table, what: OfferKind) -> None:
    match = await table.begin(MIRA, TARN)
    match.enter(MIRA, A, "mira")
    match.enter(TARN, B, "tarn")
    if what == "rematch":
        await match.resign(A)
    await turned_down(match, what)
    with pytest.raises(MatchRefused) as refused:
        await match.offer(A, what)
    assert refused.value.key == "match.error.offered-often"
    assert match.snapshot(B).offers == ()
    await match.offer(B, what)
    await match.answer(A, what, accept=True)
    assert match.is_over or match.snapshot(A).status == "adjourned", "who was refused may still agree"


async def test_an_offer_that_was_moved_past_counts_as_one_that_was_refused(table: Table) -> None:
    match = await table.begin(MIRA, TARN, game="relati")
    for _ in range(MOST_OFFERED):
        await match.offer(A, "draw")
        await match.offer(A, "draw")  # it stands: to say it again says nothing
        offered_at = match.live.shown.seq
        await table.play_on(match, lambda: match.live.shown.seq >= offered_at + 4)  # noqa: B023
        assert match.snapshot(B).offers == ()
    with pytest.raises(MatchRefused) as refused:
        await match.offer(A, "draw")
    assert refused.value.key == "match.error.offered-often"


async def test_once_a_match_was_adjourned_it_may_be_offered_anew(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    await turned_down(match, "adjourn", MOST_OFFERED - 1)
    for what in ("adjourn", "resume"):
        await match.offer(A, "adjourn")
        await match.answer(B, "adjourn", accept=True)
        assert match.snapshot(A).status == ("adjourned" if what == "adjourn" else "live")
    await turned_down(match, "adjourn")


async def test_an_offer_lapses_when_the_other_moves_on(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    await match.offer(A, "draw")
    await table.play_any(match, 0)
    assert match.snapshot(A).offers == ((A, "draw"),)
    await table.play_any(match, 1)
    assert match.snapshot(A).offers == ()


async def test_one_s_own_offer_is_not_consent(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    await match.offer(A, "draw")
    with pytest.raises(NotOffered):
        await match.answer(A, "draw", accept=True)
    assert not match.is_over


async def test_nobody_draws_with_a_bot(table: Table) -> None:
    match = await table.begin(MIRA, EASY)
    with pytest.raises(NotOffered):
        await match.offer(A, "draw")


async def test_offers_are_seen_in_other_processes(url: str, clock: FakeClock) -> None:
    bus = SharedBus()
    async with open_matches(url, clock, bus) as here, open_matches(url, clock, bus) as there:
        match = await here.begin(MIRA, TARN)
        theirs = await there.matches.open(match.id)
        await match.offer(A, "draw")
        await here.wait(0.25)
        await there.database.settle()
        assert theirs.snapshot(B).offers == ((A, "draw"),)
        await theirs.answer(B, "draw", accept=True)
        await there.wait(0.25)
        assert match.snapshot(A).status == "finished"


async def test_adjourned_by_agreement_and_taken_up_again_the_same_way(table: Table) -> None:
    match = await table.begin(MIRA, TARN)
    await table.wait(10)
    await match.offer(A, "adjourn")
    await match.offer(B, "adjourn")
    assert match.snapshot(A).status == "adjourned"
    assert match.snapshot(A).pending is None
    with pytest.raises(MatchPaused):
        await match.act(A, "bid 1", match.live.shown.seq, table.clock.now())
    stored = await table.database.read(store.get, match.id)
    assert stored is not None
    assert (stored.status, stored.deadline) == ("adjourned", None)
    table.skip(86_400)
    await match.offer(B, "adjourn")
    assert match.snapshot(A).offers == ((B, "resume"),)
    await match.answer(A, "resume", accept=True)
    seen = match.snapshot(A)
    assert seen.status == "live"
    assert seen.pending is not None
    assert seen.seats[0].bank_ms == 590_000
    assert await kinds(table, match.id) == ["adjourned", "resumed"]


async def test_who_is_out_is_not_asked_to_go_on(table: Table) -> None:
    match = await table.begin(MIRA, TARN, LIO)
    await match.resign(C)
    await match.offer(A, "adjourn")
    await match.offer(B, "adjourn")
    assert match.snapshot(A).status == "adjourned"
    await match.offer(A, "resume")
    await match.offer(B, "resume")
    assert match.snapshot(A).status == "live"


async def test_guests_do_not_adjourn(table: Table) -> None:
    match = await table.begin(GUEST, TARN)
    with pytest.raises(NotOffered):
        await match.offer(B, "adjourn")


async def test_who_has_deleted_their_account_is_named_in_no_open_match(table: Table) -> None:
    """Until it was read anew, whoever looked at it or exported it read the name."""
    match = await table.begin(MIRA, TARN)
    seen = match.snapshot(B)
    table.matches.rename(1, "deleted-1")
    assert [info.player.name for info in match.snapshot(B).seats] == ["deleted-1", "tarn"]
    assert [info.player.name for info in seen.seats] == ["mira", "tarn"]
    assert match.terms.seat_of(MIRA) == A
