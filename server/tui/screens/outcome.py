"""How a match ended, or could be ended now, in one sentence."""

from __future__ import annotations

from datetime import datetime

from game.options import BOTH_SIDES
from server.matches.model import Snapshot
from server.tui.lines import Line, plain
from server.tui.look import Look
from server.tui.seats import away, clock_words, name_at

HOUSE_REASONS = frozenset(("draw-agreed", "void", "left", "resign", "out_of_time"))


def sentence(shot: Snapshot, look: Look) -> str:
    """Say who won and why; a tie at the top is a draw."""
    if shot.result is None:
        return look.t("outcome.void")
    tiers = [[name_at(shot, seat, look) for seat in tier] for tier in shot.result.placements]
    reason = reason_words(
        shot.game,
        shot.ended_by or shot.result.reason,
        look,
        look.t("list.comma").join(tiers[1] if len(tiers) > 1 else ()),
    )
    first = look.t("list.comma").join(tiers[0]) if tiers else ""
    if len(tiers) == 1:
        return look.t("outcome.draw", reason=reason)
    if len(shot.seats) == 2:
        return look.t("outcome.win", name=first, reason=reason)
    order = look.t("outcome.then").join(look.t("list.comma").join(tier) for tier in tiers)
    return look.t("outcome.order", order=order, reason=reason)


def of_two(shot: Snapshot, look: Look) -> str:
    """Say what a match of two games has come to, or that the second one is still to be played; '' for others."""
    if shot.result is None or not shot.options.get(BOTH_SIDES):
        return ""
    if shot.return_of is None:
        return look.t("outcome.return-follows")
    won = [shot.won[info.seat] + (shot.result.placements[0] == (info.seat,)) for info in shot.seats]
    names = [name_at(shot, info.seat, look) for info in shot.seats]
    said = [look.t("outcome.games-won", name=name, won=n) for name, n in zip(names, won, strict=True)]
    return look.t("outcome.both-games", won=look.t("list.comma").join(said))


def reason_words(game: str, reason: str, look: Look, loser: str) -> str:
    """Return why it ended: the game's own reason, or the house's; some say whose doing it was, the last `loser`'s."""
    key = f"match.reason.{reason}" if reason in HOUSE_REASONS else f"{game}.reason.{reason}"
    return look.t(key, loser=loser)


def claim(shot: Snapshot, look: Look, now: datetime) -> Line:
    """Say who is away, and when it may be claimed (`claim_at`); or that it may be now."""
    assert shot.claim_at is not None
    left_s = (shot.claim_at - now).total_seconds()
    names = look.t("list.comma").join(name_at(shot, seat, look) for seat in away(shot))
    if left_s > 0:
        return plain(f" {look.t('match.claim-in', names=names, time=clock_words(int(left_s * 1000), look))}", "warn")
    return plain(f" {look.t('match.claim-now', names=names)}", "warn")
