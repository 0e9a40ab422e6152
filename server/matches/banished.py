"""What becomes of running matches when a ban sends people away.

Who is banned by account or key has left, as anybody who goes: the others claim it, or time runs out. A ban of a network
also reaches people whom nobody meant. Where it leaves nobody at a table, the innocent must not lose to whose clock is
the slower: who was banned themselves gives up, and a match among the others is void.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from enum import Enum

from game.contract import Seat
from game.errors import GameError
from server.accounts.identity import Identity, Player
from server.errors import Refused
from server.log import get_logger
from server.matches.match import Match
from server.matches.service import Matches
from server.matches.snapshots import levels
from server.matches.standing import is_playing
from server.matches.whereabouts import key_of

log = get_logger("matches.banished")
BY, WHY = "house", "a ban of their network"


class Reach(Enum):
    """How a ban reaches somebody."""

    PERSON = "person"  # by account or key
    NETWORK = "network"  # by where they come from


ReachOf = Callable[[Identity], Reach | None]


def everybody(matches: Matches) -> Iterator[Identity]:
    """Yield who is connected, to any process."""
    for here in matches.whereabouts.here:
        yield here.identity
    for one in matches.whereabouts.elsewhere:
        yield Identity(one.account_id, one.name, frozenset(), one.fingerprint, None, "", one.source)


async def settle(matches: Matches, reach_of: ReachOf) -> None:
    """Settle the matches of those whom a ban of a network sends away now, before they go.

    Every process does it; the log lets one of them win. Raises StoreUnavailable.
    """
    gone: dict[str, Reach] = {}
    players: dict[str, Player] = {}
    stays: set[str] = set()
    for one in everybody(matches):
        key = key_of(one.account_id, one.name)
        reach = reach_of(one)
        if reach is None:
            stays.add(key)  # with another key, or from elsewhere
        elif gone.get(key) is not Reach.PERSON:
            gone[key], players[key] = reach, one.player
    for key in stays:
        if gone.get(key) is Reach.NETWORK:
            del gone[key]
    among = [players[key] for key, reach in gone.items() if reach is Reach.NETWORK]
    found = {match_id for player in among for match_id in await matches.running_ids(player)}
    for match_id in sorted(found):
        try:
            await _settle(matches, await matches.open(match_id, beginning=False), gone)
        except (Refused, GameError) as error:
            log.info("match.not-settled", match=match_id, why=error.key)


async def _settle(matches: Matches, match: Match, gone: dict[str, Reach]) -> None:
    reaches = {seat: gone.get(_key(match.terms.players[seat])) for seat in _playing(match)}
    if len(reaches) < 2 or None in reaches.values() or match.terms.speed.grace is None:
        return  # somebody stays, who may claim it; or there are days to come back in
    for seat, reach in reaches.items():
        if reach is Reach.PERSON:
            with suppress(Refused, GameError):
                await match.resign(seat)
    if match.line.head.is_live:
        await matches.void(match.id, BY, WHY)


def _playing(match: Match) -> list[Seat]:
    """Return the seats of the people who are still in it."""
    head = match.line.head
    if not head.is_live:
        return []
    level_of = levels(match.terms, head)
    people = (seat for seat in match.terms.people if level_of[seat] is None)
    return [seat for seat in people if is_playing(match.line.game, head.fold.state, seat)]


def _key(player: Player) -> str:
    return key_of(player.account_id, player.name)
