"""What the end of a match brings: its result, its hash, the places that count for the rating."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from game.contract import Seat, result_json, state_hash
from game.replay import Entry, Status
from server.clock import parse_rfc3339
from server.matches.checkpoint import AnyGame, Checkpoint
from server.matches.context import Ended, MatchContext
from server.matches.terms import Terms
from server.store import arrangements, matches
from server.store.appends import Effect

FEWEST_ACTIONS = 2  # of each person, or the match is not rated
Tiers = tuple[tuple[Seat, ...], ...]


def effects(context: MatchContext, terms: Terms, game: AnyGame, then: Checkpoint, entry: Entry) -> tuple[Effect, ...]:
    """Return what must be stored together with the entry that ends a match; nothing while it goes on."""
    if not then.fold.is_over:
        return ()
    at = parse_rfc3339(entry.at or "")
    ended = state_hash(game, then.fold.state)
    offers = arrangements.withdrawn(terms.id, ("draw", "adjourn", "resume"))
    if then.fold.status is Status.VOID:
        return matches.finish(terms.id, None, ended, at), offers
    result = cast(dict[str, object], result_json(then.fold.result))
    finish = matches.finish(terms.id, result, ended, at)
    if not counts(terms, then):
        return finish, offers
    rated = Ended(terms.id, terms.game, terms.players, rated_places(terms, then))
    return finish, context.rater.effect(rated), offers


def counts(terms: Terms, then: Checkpoint) -> bool:
    """Tell whether a finished match changes ratings: agreed on, no guest in it, and everybody really played."""
    people = [terms.players[seat] for seat in terms.people]
    is_between_accounts = len(people) >= 2 and all(player.kind == "account" for player in people)
    return (
        terms.agreement.rated
        and is_between_accounts
        and all(then.acted[seat] >= FEWEST_ACTIONS for seat in terms.people)
    )


def rated_places(terms: Terms, then: Checkpoint) -> Tiers:
    """Return the people's places, best first: who left for a bot has the place of the moment of leaving."""
    result = then.fold.result
    tiers = () if result is None else result.placements
    for leaver, out in then.gave_up:
        tiers = _placed(tiers, leaver, out | {seat for seat, _ in _before(then.gave_up, leaver)})
    people = frozenset(terms.people)
    kept = (tuple(seat for seat in tier if seat in people) for tier in tiers)
    return tuple(tier for tier in kept if tier)


def _before(gave_up: Sequence[tuple[Seat, frozenset[Seat]]], leaver: Seat) -> Sequence[tuple[Seat, frozenset[Seat]]]:
    return gave_up[: [seat for seat, _ in gave_up].index(leaver)]


def _placed(tiers: Tiers, leaver: Seat, out: frozenset[Seat]) -> Tiers:
    """Put a leaver below all who still played, above all who were out by then."""
    rest = [tuple(seat for seat in tier if seat != leaver) for tier in tiers]
    kept = [tier for tier in rest if tier]
    above = next((i for i, tier in enumerate(kept) if all(seat in out for seat in tier)), len(kept))
    return (*kept[:above], (leaver,), *kept[above:])
