"""What the end of a match brings: its result, its hash, the places that count for the rating."""

from __future__ import annotations

from typing import cast

from game.contract import Seat, result_json, state_hash
from game.replay import DRAW_AGREED, Entry, Status
from server.clock import parse_rfc3339
from server.matches.checkpoint import AnyGame, Checkpoint
from server.matches.context import MatchContext
from server.matches.terms import Terms
from server.ratings.played import HowPlayed, Leaver, part_played
from server.ratings.ratings import RatedMatch
from server.store import arrangements, matches, takebacks
from server.store.appends import Effect

Tiers = tuple[tuple[Seat, ...], ...]


def effects(context: MatchContext, terms: Terms, game: AnyGame, then: Checkpoint, entry: Entry) -> tuple[Effect, ...]:
    """Return what must be stored together with the entry that ends a match; nothing while it goes on."""
    if not then.fold.is_over:
        return ()
    at = parse_rfc3339(entry.at or "")
    ended = state_hash(game, then.fold.state)
    offers = arrangements.withdrawn(terms.id, ("draw", "adjourn", "resume", "void", *takebacks.ALL))
    if then.fold.status is Status.VOID:
        return matches.finish(terms.id, None, ended, at), offers
    result = cast(dict[str, object], result_json(then.fold.result))
    finish = matches.finish(terms.id, result, ended, at)
    if not counts(terms):
        return finish, offers
    rated = RatedMatch(terms.id, terms.game, terms.players, rated_places(terms, then), played(terms, then))
    return finish, context.ratings.effect(rated), offers


def counts(terms: Terms) -> bool:
    """Tell whether a finished match changes ratings: agreed on, and no guest in it."""
    people = [terms.players[seat] for seat in terms.people]
    return terms.agreement.rated and len(people) >= 2 and all(player.kind == "account" for player in people)


def played(terms: Terms, then: Checkpoint) -> HowPlayed:
    """Return how much of a finished match was played, and who left while others played on."""
    still, leavers = set(terms.people), list[Leaver]()
    for one in then.left:
        still.discard(one.seat)
        if one.seat in terms.people and (others := still - one.out):
            leavers.append(Leaver(one.seat, frozenset(others), part_of(terms, one.decisions)))
    result = then.fold.result
    is_agreed = result is not None and result.reason == DRAW_AGREED
    drawn_part = part_of(terms, sum(then.acted)) if is_agreed else 1.0
    return HowPlayed(tuple(leavers), drawn_part, terms.near, terms.agreement.private, terms.machine_seats)


def part_of(terms: Terms, decisions: int) -> float:
    """Return what a match counts that was cut short after so many decisions."""
    return part_played(decisions, terms.rules.spec.usual_decisions(terms.n_seats))


def rated_places(terms: Terms, then: Checkpoint) -> Tiers:
    """Return the people's places, best first: who left for a bot for good has the place of the moment of leaving."""
    result = then.fold.result
    tiers, gone = () if result is None else result.placements, frozenset[Seat]()
    for one in then.left:
        if one.for_good and then.fold.bots[one.seat] is not None:
            tiers = _placed(tiers, one.seat, one.out | gone)
            gone |= {one.seat}
    people = frozenset(terms.people)
    kept = (tuple(seat for seat in tier if seat in people) for tier in tiers)
    return tuple(tier for tier in kept if tier)


def _placed(tiers: Tiers, leaver: Seat, out: frozenset[Seat]) -> Tiers:
    """Put a leaver below all who still played, above all who were out by then."""
    rest = [tuple(seat for seat in tier if seat != leaver) for tier in tiers]
    kept = [tier for tier in rest if tier]
    above = next((i for i, tier in enumerate(kept) if all(seat in out for seat in tier)), len(kept))
    return (*kept[:above], (leaver,), *kept[above:])
