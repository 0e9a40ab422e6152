"""The words of a match's page besides its board: the title line, and the message above the keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from game.contract import Seat
from server.boards import outcome
from server.boards.seats import LOW_MS, free_ms, is_counted_away, name_at, remaining_ms
from server.i18n.durations import clock_words
from server.matches.model import AnyViewerState
from server.screens.viewpoint import Viewpoint
from server.terminal.items import PlayerCard
from server.terminal.lines import Line, columns, joined, plain, text_of, width_cols
from server.terminal.look import Look
from server.terminal.meaning import RunningTime

WINDOW_LOW_MS = 3_000
ASKED_TO_CLAIM = {
    ("win", "void"): "claim",
    ("bots", "void"): "claim-bots",
    ("bots",): "claim-bots-only",
    ("void",): "claim-void",
}


def names(shot: AnyViewerState, look: Look) -> str:
    """Return the players' names, side by side."""
    found = [name_at(shot, info.seat, look) for info in shot.seats]
    return (f" {look.glyphs.dash} " if len(found) == 2 else "  ").join(found)


def others(shot: AnyViewerState, own: Seat | None, look: Look) -> str:
    """Return whom one plays against, '' where they are several; all names for who looks on."""
    if own is None:
        return names(shot, look)
    found = [name_at(shot, info.seat, look) for info in shot.seats if info.seat != own]
    return found[0] if len(found) == 1 else ""


def clocks(
    shot: AnyViewerState, own: Seat | None, look: Look, now: datetime, cols: int, marks: Callable[[], Sequence[str]]
) -> str:
    """Return in at most `cols` columns whose turn it is and the clocks: of all, else one's own and of who decides.

    Where names have no room, `marks` say whose they are, as on the board; where both have none, who decides is left.
    """
    deciding = {seat for seat, _ in shot.deciding} if shot.status == "live" else set()
    everybody = [info.seat for info in shot.seats]
    few = [seat for seat in everybody if seat in {*deciding, own}]
    one = sorted(deciding, key=lambda seat: seat != own)[:1]
    named = [name_at(shot, seat, look) for seat in everybody]
    said = ""
    for called, seats in (
        (lambda: named, everybody),
        (lambda: named, few),
        (marks, everybody),
        (marks, few),
        (marks, one),
    ):
        texts = called()
        said = "  ".join(_clock_of(shot, seat, texts[seat], seat in deciding, look, now) for seat in seats)
        if columns(said) <= cols:
            break
    return said


def _clock_of(shot: AnyViewerState, seat: Seat, called: str, decides: bool, look: Look, now: datetime) -> str:
    turn, ms = look.glyphs.turn if decides else "", remaining_ms(shot, seat, now)
    return f"{turn}{called}" if ms is None else f"{turn}{called} {clock_words(ms, look)}"


def standing(seen: Viewpoint, mode: str, look: Look, now: datetime, tells_end: bool = True) -> Line:
    """Say what there is to say besides what the board asks. `tells_end`: as for `before_board`."""
    return before_board(seen, mode, look, now, tells_end) or beside_board(seen, look, now)


def before_board(seen: Viewpoint, mode: str, look: Look, now: datetime, tells_end: bool = True) -> Line:
    """Say what matters more than what the board asks: a question of the page, the end, an offer, a pause.

    `tells_end` False: how it ended stands on a card already.
    """
    shot, t = seen.snapshot, look.t
    if mode:
        asked = mode
        if mode == "offer":
            asked = "-".join(seen.may_offer) or "nothing"
        elif mode == "claim":
            asked = ASKED_TO_CLAIM[seen.claims(now)]
        return plain(f" {t(f'match.ask.{asked}')}", "warn")
    if not seen.is_live:
        return plain(f" {_ending(seen, look, now, tells_end)}", outcome.tone(shot))
    if not shot.is_in_window and (offer := _offered(seen, look)):
        return offer
    if shot.paused or shot.status == "adjourned":
        adjourned = "match.is-adjourned" if seen.plays else "match.is-adjourned-public"
        said = t("match.paused") if shot.paused else own_offer(seen, look) or t(adjourned)
        return plain(f" {said}", "warn")
    if seen.seat is not None and shot.seats[seen.seat].out and not shot.seats[seen.seat].may_return:
        return plain(f" {t('match.you-are-out')}", "dim")
    if seen.seat is not None and shot.seats[seen.seat].may_return:
        return plain(f" {t('match.returning')}", "warn")
    return ()


def beside_board(seen: Viewpoint, look: Look, now: datetime) -> Line:
    """Say what stands behind what the board says: an offer in a window, who is away, what one offers oneself."""
    shot = seen.snapshot
    if shot.is_in_window:
        return _offered(seen, look)
    if shot.pending is not None:
        return ()
    own = own_offer(seen, look)
    return outcome.claim(shot, look, now) or (plain(f" {own}", "dim") if own else ())


def _offered(seen: Viewpoint, look: Look) -> Line:
    """Say what others offer; empty where nobody does."""
    offers = seen.offered()
    if not offers:
        return ()
    seat, what = offers[0]
    return plain(f" {look.t(f'match.offered.{what}', name=name_at(seen.snapshot, seat, look))}", "warn")


def followed_by(first: Line, then: Line) -> Line:
    """Return a sentence and the one behind it, in one line."""
    said = text_of(first).strip()
    if not said or not then:
        return first if said else then
    return (*first, (then[0][0], joined((said, text_of(then)))[len(said) :]))


def without_question(status: Line, cols: int, turn: str = "") -> Line:
    """Return what a board says where its words have no room, in one line: it covers nothing, and nothing moves.

    What the cursor stands on goes without what is asked: with `turn`, that something is, in its place, where that has
    room.
    """
    here = tuple([(style, text.strip()) for style, text in status[1:]])
    shorter: Line = (("", " "), *here)
    if not here or width_cols(shorter) > cols:
        return status
    told: Line = ((status[0][0], f" {turn}"), ("", " "), *here)
    return told if turn and width_cols(told) <= cols else shorter


def own_offer(seen: Viewpoint, look: Look) -> str:
    """Say what one offers the others oneself in a match that goes on; '' where nothing stands."""
    own = [what for seat, what in seen.snapshot.offers if seat == seen.seat and what != "rematch"]
    return look.t(f"match.own-offer.{own[0]}") if own and seen.is_live else ""


def tells_time(shot: AnyViewerState) -> bool:
    """Tell whether the message may tell time: of a window, or until a claim, or until a guest loses."""
    tells_who_is_away = shot.claim_at is not None or outcome.guest_out_at(shot) is not None
    return tells_who_is_away or shot.is_in_window or any(window is not None for _, window in shot.deciding)


def times(seen: Viewpoint, cards: Sequence[PlayerCard], look: Look, now: datetime) -> list[RunningTime]:
    """Return the times that go on by themselves: of the `cards` of players, of a window, until a claim, of a guest."""
    shot = seen.snapshot
    found = [RunningTime(card.clock.words, -1) for card in cards if card.clock is not None and card.clock.runs]
    gone = [card for card in cards if card.note and is_counted_away(shot, Seat(card.seat))]
    found += [RunningTime(card.note, 1) for card in gone]
    if free := free_ms(shot, now):
        found.append(RunningTime(look.t("match.free-time", time=clock_words(free, look)), -1))
    if runs_out_s(shot, now) is not None and (said := text_of(standing(seen, "", look, now)).strip()):
        found.append(RunningTime(said, -1))
    return found


def runs_out_s(shot: AnyViewerState, now: datetime) -> float | None:
    """Return in how many seconds a claim becomes possible, a guest loses or a window is no longer free; None: never."""
    free = free_ms(shot, now)
    moments = (shot.claim_at, outcome.guest_out_at(shot), now + timedelta(milliseconds=free) if free else None)
    return min(((at - now).total_seconds() for at in moments if at is not None and at > now), default=None)


def window_left(seen: Viewpoint, look: Look, now: datetime) -> Line:
    """Say how long a window is free that the player may answer or waits for, else their own time in a window."""
    shot = seen.snapshot
    if seen.seat is None:
        return ()
    if free := free_ms(shot, now):
        said = look.t("match.free-time", time=clock_words(free, look))
        return (
            (("", " "), ("clock.low", said)) if free < WINDOW_LOW_MS else plain(f" {said}", "warn")
        )  # as what is asked
    left = remaining_ms(shot, seen.seat, now) if shot.is_in_window else None
    if left is None:
        return ()
    return (("", " "), ("clock.low" if left < LOW_MS else "clock.run", clock_words(left, look)))


def _ending(seen: Viewpoint, look: Look, now: datetime, tells_end: bool) -> str:
    """Say how it ended, and who would like to play again."""
    shot = seen.snapshot
    told = (outcome.sentence(shot, look), outcome.standing(shot, look), outcome.how_counted(shot, look))
    ended = joined(told) if tells_end else ""
    asked = next((seat for seat, what in seen.offered() if what == "rematch"), None)
    if asked is not None:
        return joined((ended, look.t("match.offered.rematch", name=name_at(shot, asked, look))))
    return joined((ended, _rematch_waits_for(shot, seen.seat, look, now) or _wish_to_share(shot, seen.seat, look)))


def _wish_to_share(shot: AnyViewerState, own: Seat | None, look: Look) -> str:
    """Say who would let everybody see a private match, to a player who has not said so."""
    if own is None or shot.is_shared or not shot.shared_by or own in shot.shared_by:
        return ""
    names = look.t("list.comma").join(name_at(shot, seat, look) for seat in shot.shared_by)
    return look.t("share.wished", names=names)


def _rematch_waits_for(shot: AnyViewerState, own: Seat | None, look: Look, now: datetime) -> str:
    """Say who has yet to answer whether to play again, and when one may go on without them."""
    if shot.rematch is None or own not in shot.rematch.agreed or not shot.rematch.missing:
        return ""
    missing = look.t("list.comma").join(name_at(shot, seat, look) for seat in shot.rematch.missing)
    go_at = shot.rematch.go_at
    is_late = go_at is not None and go_at <= now
    return look.t("rematch.go-on" if is_late else "rematch.waiting", names=missing)
