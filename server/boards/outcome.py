"""How a match ended, or could be ended now, in one sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from math import ceil
from typing import Final, get_args

from game.contract import Seat, Viewer, Watcher
from game.options import BOTH_SIDES
from server.boards.seats import away, is_you, name_at, short_words
from server.i18n.durations import clock_words
from server.matches.guestlimits import SEAT_KEPT
from server.matches.model import AnyViewerState, MatchSummary, SeatInfo
from server.matches.next_match import won_after
from server.matches.server_events import DESERTED
from server.ratings.weights import Why
from server.terminal.lines import Line, joined, plain
from server.terminal.look import Look

BY_PEOPLE = frozenset(("draw-agreed", "void", "left", "resign", "out_of_time"))
SERVER_REASONS = BY_PEOPLE | {DESERTED}
EARLY: Final[Why] = "early"
OF_BOTH: Final = frozenset[Why](("private", "near", "machine"))  # what is a reason for one of two is one for the other


def sentence(shot: AnyViewerState, look: Look) -> str:
    """Say who won and why; a tie at the top is a draw."""
    if shot.result is None:
        return look.t("outcome.void")
    if said := _deserted(shot, look):
        return said
    tiers = [[called(shot, seat, look) for seat in tier] for tier in shot.result.placements]
    reason = ended_by(shot, look)
    if len(tiers) == 1:
        return look.t("outcome.draw", reason=reason)
    first = look.t("list.comma").join(tiers[0]) if tiers else ""
    has_won = bool(tiers) and _reader(shot) in shot.result.placements[0]
    if len(shot.seats) == 2:
        lost = "outcome.win" if isinstance(_reader(shot), Watcher) else "outcome.you-lost"
        return look.t("outcome.you-won" if has_won else lost, name=first, reason=reason)
    order = look.t("outcome.then").join(look.t("list.comma").join(tier) for tier in tiers)
    if len(tiers[0]) > 1:
        tied = "outcome.you-share" if has_won else "outcome.order-tied"
        return look.t(tied, names=first, order=order, reason=reason)
    return look.t("outcome.you-first" if has_won else "outcome.order", name=first, order=order, reason=reason)


def headline(shot: AnyViewerState, look: Look) -> str:
    """Say who won and why, without the order of the others."""
    if shot.result is None or len(shot.result.placements) == 1 or len(shot.seats) == 2:
        return sentence(shot, look)
    first, reason = shot.result.placements[0], ended_by(shot, look)
    if said := _deserted(shot, look):
        return said
    if len(first) > 1:
        names = look.t("list.comma").join(called(shot, seat, look) for seat in first)
        return look.t("outcome.tied", names=names, reason=reason)
    if _reader(shot) in first:
        return look.t("outcome.you-won", reason=reason)
    return look.t("outcome.win", name=called(shot, first[0], look), reason=reason)


def _deserted(shot: AnyViewerState, look: Look) -> str:
    """Say that only bots are left, to a player who is out; '' of any other end."""
    is_so = shot.result is not None and (shot.ended_by or shot.result.reason) == DESERTED
    return look.t("outcome.you-deserted") if is_so and not isinstance(_reader(shot), Watcher) else ""


def _reader(shot: AnyViewerState) -> Viewer:
    """Return whose match it is to who reads this: nobody's, where somebody else's eyes are borrowed."""
    return Watcher.PUBLIC if shot.is_borrowed else shot.viewer


def tone(shot: AnyViewerState) -> str:
    """Return the style in which it is said: good news is good for who won only."""
    tiers = () if shot.result is None else shot.result.placements
    if len(tiers) < 2 or isinstance(_reader(shot), Watcher):
        return "accent"
    return "good" if _reader(shot) in tiers[0] else "warn"


def called(shot: AnyViewerState, seat: Seat, look: Look) -> str:
    """Return a seat's name; whoever reads it at that seat is `you`."""
    return look.t("seat.you") if is_you(shot, seat) else name_at(shot, seat, look)


def ended_by(shot: AnyViewerState, look: Look) -> str:
    """Return why a match ended, in words."""
    if shot.result is None:
        return ""
    tiers = shot.result.placements
    second = tiers[1] if len(tiers) > 1 else ()
    loser = look.t("list.comma").join(called(shot, seat, look) for seat in second)
    return reason_words(shot.game, shot.ended_by or shot.result.reason, look, loser)


def not_counted(shot: AnyViewerState, look: Look) -> str:
    """Say why a rated match that has a result changed no rating; '' where it did, or was casual."""
    if shot.counted is not False or not shot.agreement.rated or shot.result is None:
        return ""
    people = [info.player.kind for info in shot.seats if info.player.kind != "bot"]
    if len(people) < 2 or any(kind != "account" for kind in people):
        return look.t("match.card.not-counted.people")
    return look.t("match.card.not-counted")


def counted_less(shot: AnyViewerState, look: Look) -> str:
    """Say why a rated match counted less than in full to who looks at it from their seat; '' where it did not.

    All are told the same of a match that somebody left: that the loss counts, and the win does not in full.
    """
    if isinstance(shot.viewer, Watcher):
        return ""
    whys = set(shot.rating_reasons.values())
    own = {shot.own_reason} | (whys & OF_BOTH if len(shot.seats) == 2 else set())
    has_leaver = EARLY in whys and shot.result is not None and len(shot.result.placements) > 1
    known = next((why for why in get_args(Why) if why in own and not (has_leaver and why == EARLY)), None)
    if not has_leaver:
        return look.t(f"match.card.less.{known}") if known else ""
    return joined((look.t("match.card.less.left"), look.t(f"match.card.less.also.{known}") if known else ""))


def how_counted(shot: AnyViewerState, look: Look) -> str:
    """Say why a rated match counted less than in full, or not at all; '' where it did, or was casual."""
    return counted_less(shot, look) if shot.rating_changes else not_counted(shot, look)


def goes_on(shot: AnyViewerState) -> bool:
    """Tell whether a match is the first one of two games: the second one follows by itself."""
    return bool(shot.agreement.options.get(BOTH_SIDES)) and shot.return_of is None


def of_two(shot: AnyViewerState, look: Look) -> str:
    """Say what a match of two games has come to, or that the second one is still to be played; '' for others."""
    if shot.result is None or not shot.agreement.options.get(BOTH_SIDES):
        return ""
    if goes_on(shot):
        return look.t("outcome.return-follows")
    return look.t("outcome.both-games", won=_won_words(shot, look))


def score(shot: AnyViewerState, look: Look) -> str:
    """Say how often each has won so far, where these have played before; '' else, and in a match of two games."""
    return next(iter(score_wordings(shot, look)), "")


def score_wordings(shot: AnyViewerState, look: Look) -> tuple[str, ...]:
    """Return the score as a sentence, and shorter; none where there is none."""
    if not shot.won or shot.agreement.options.get(BOTH_SIDES):
        return ()
    said = _won_words(shot, look)
    return look.t("outcome.score", won=said), said


def standing(shot: AnyViewerState, look: Look) -> str:
    """Say how it stands between those who have played before, or play again at once; '' where nobody has."""
    return of_two(shot, look) or score(shot, look)


def _won_words(shot: AnyViewerState, look: Look) -> str:
    won = won_after(shot.won, len(shot.seats), shot.result)
    names = [called(shot, info.seat, look) for info in shot.seats]
    return won_words(zip(names, won, strict=True), look)


def won_words(won: Iterable[tuple[str, int]], look: Look) -> str:
    """Say how often each of these has won."""
    return look.t("list.comma").join(look.t("outcome.games-won", name=name, won=n) for name, n in won)


def reason_words(game: str, reason: str, look: Look, loser: str) -> str:
    """Return why it ended: the game's own reason, or the server's; some say whose doing it was, the last `loser`'s."""
    key = f"match.reason.{reason}" if reason in SERVER_REASONS else f"{game}.reason.{reason}"
    return look.t(key, loser=loser)


def guest_out_at(shot: AnyViewerState) -> datetime | None:
    """Return when the first guest who is away loses their seat, though nobody claims anything; None: there is none."""
    gone = [info.gone_since for info in _guests_away(shot)]
    return min((since + SEAT_KEPT for since in gone if since is not None), default=None)


def _guests_away(shot: AnyViewerState) -> list[SeatInfo]:
    found = [shot.seats[seat] for seat in away(shot)] if shot.status == "live" else []
    return [info for info in found if info.player.kind == "guest"]


def may_void(shot: AnyViewerState, now: datetime) -> bool:
    """Tell whether the viewer may void the match by now."""
    return shot.void_at is not None and shot.void_at <= now


def claim(shot: AnyViewerState, look: Look, now: datetime) -> Line:
    """Say who is away, and what comes of it: when a guest loses, when it may be claimed (`claim_at`), or that it may.

    Players and watchers are told the same. Empty where nothing comes of it.
    """
    out_at = guest_out_at(shot)
    if out_at is not None and out_at > now and (shot.claim_at is None or out_at <= shot.claim_at):
        guests = _named(shot, [info.seat for info in _guests_away(shot)], look)
        return plain(f" {look.t(_of_guest(shot), names=guests, time=_time_to(out_at, now, look))}", "warn")
    if failing := [info.seat for info in shot.seats if info.bot_fails_since is not None and shot.status == "live"]:
        return plain(f" {_no_answer(shot, failing, look, now)}", "warn")
    if shot.claim_at is None:
        return ()
    many = len(shot.seats) > 2  # of two it ends the match, at a larger table bots sit down
    waited_for = [seat for seat in away(shot) if not (many and shot.seats[seat].player.kind == "guest")]
    names, left = _named(shot, waited_for, look), _time_to(shot.claim_at, now, look)
    kind = "-bots" if many else ""
    who = "-public" if isinstance(shot.viewer, Watcher) else ""
    if shot.claim_at > now:
        return plain(f" {look.t(f'match.claim-in{kind}{who}', names=names, time=left)}", "warn")
    void = "-void" if many and may_void(shot, now) else ""
    return plain(f" {look.t(f'match.claim-now{kind}{void}{who}', names=names)}", "warn")


def _of_guest(shot: AnyViewerState) -> str:
    """Return the key of what comes of a guest's being away: of two they lose, at a larger table as was agreed on."""
    if len(shot.seats) == 2:
        return "match.guest-out-in"
    gone = _guests_away(shot)
    others = [one for one in _people(shot) if one not in gone]
    return "match.guest-out-in-bots" if shot.agreement.bots_replace and others else "match.guest-out-in-many"


def _people(shot: AnyViewerState) -> list[SeatInfo]:
    """Return the people who play themselves."""
    return [one for one in shot.seats if one.player.kind != "bot" and one.bot is None and not one.out]


def _named(shot: AnyViewerState, seats: Iterable[Seat], look: Look) -> str:
    return look.t("list.comma").join(name_at(shot, seat, look) for seat in seats)


def _time_to(moment: datetime, now: datetime, look: Look) -> str:
    return clock_words(ceil((moment - now).total_seconds()) * 1000, look)


def _no_answer(shot: AnyViewerState, failing: Sequence[Seat], look: Look, now: datetime) -> str:
    """Say that bots can't answer, and whether the viewer may end the match without a result."""
    may_end = shot.claim_at is not None and shot.claim_at <= now and not isinstance(shot.viewer, Watcher)
    end = "match.bot-fails-end-all" if len(_people(shot)) > 1 else "match.bot-fails-end"
    return look.t(end if may_end else "match.bot-fails", names=_named(shot, failing, look))


def won_by(match: MatchSummary, look: Look) -> str:
    """Say in a few words who won, also where several did, or that nobody did; of one that is not over or void, that."""
    if match.status != "finished" or match.result is None:
        return look.t(f"status.{match.status}")
    tiers = match.result.placements
    if len(tiers) == 1:
        return look.t("outcome.short.draw")
    names = look.t("list.comma").join(short_words(match.seats[seat], match.seats, look) for seat in tiers[0])
    return look.t("row.won", name=names)


def outcome_of(match: MatchSummary, account_id: int, look: Look) -> str:
    """Say in a word how a match ended for one of its players; of one that is not over or is void, that."""
    if match.status != "finished" or match.result is None:
        return look.t(f"status.{match.status}")
    seat = next((one.seat for one in match.seats if one.player.account_id == account_id), None)
    tiers = match.result.placements
    if seat is None or len(tiers) == 1:
        return look.t("outcome.short.draw")
    if seat in tiers[0]:
        return look.t("outcome.short.won")
    place = 1 + sum(len(tier) for tier in tiers[: next(i for i, tier in enumerate(tiers) if seat in tier)])
    return look.t("outcome.short.lost") if len(match.seats) == 2 else look.t("outcome.short.place", n=place)
