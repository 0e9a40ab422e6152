"""What becomes of running matches when a ban sends people away.

A person who is banned by account or key has left like anybody else: the others claim the match, or time runs out. A ban
of a network also reaches people who did nothing wrong. Where it leaves nobody at a table, the match must not be decided
by whose clock is slower: a person banned by name gives up, and a match between others is void.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from enum import Enum

from game.contract import Seat
from game.errors import GameError
from server.accounts.identity import Identity, Player
from server.errors import Refused
from server.log import get_logger
from server.matches.context import RETRY_S
from server.matches.match import Match
from server.matches.matches import Matches
from server.matches.viewer_state import levels
from server.store.errors import StoreUnavailable

log = get_logger("matches.bans")
BY, WHY = "server", "a ban of their network"
KNOWN_S = 10.0  # so long a process may take to hear of a ban, and still finds who was sent away elsewhere
ATTEMPTS = 30


class Reach(Enum):
    """How a ban reaches somebody."""

    PERSON = "person"  # by account or key
    NETWORK = "network"  # by where they come from


ReachOf = Callable[[Identity], Reach | None]


def everybody(matches: Matches) -> Iterator[Identity]:
    """Yield who is connected, to any process."""
    for here in matches.connections.here:
        yield here.identity
    for one in matches.connections.elsewhere:
        yield Identity(one.account_id, one.name, frozenset(), one.fingerprint, None, "", one.source)


async def end_matches(matches: Matches, reach_of: ReachOf) -> None:
    """End the matches of those whom a ban of a network sends away now; begin before they go.

    Every process does it; the log lets one of them win. What the store refuses now is tried again for a while.
    """
    clock, here = matches.context.clock, list(everybody(matches))
    matches.connections.keep_known(clock.now() + timedelta(seconds=KNOWN_S))
    for _ in range(ATTEMPTS):
        try:
            await matches.heartbeat.meet()
            await _end_all(matches, [*here, *everybody(matches)], reach_of)
            return
        except StoreUnavailable as error:
            log.warning("ban.matches-not-ended", why=error.why)
            await clock.sleep(RETRY_S)


async def _end_all(matches: Matches, people: Iterable[Identity], reach_of: ReachOf) -> None:
    """End the matches of these people. Raises StoreUnavailable."""
    gone: dict[str, Reach] = {}
    players: dict[str, Player] = {}
    stays: set[str] = set()
    for one in people:
        key = one.person
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
            await _end(matches, await matches.open(match_id, beginning=False), gone)
        except StoreUnavailable:
            raise
        except (Refused, GameError) as error:
            log.info("match.not-ended", match=match_id, why=error.key)


async def _end(matches: Matches, match: Match, gone: dict[str, Reach]) -> None:
    reaches = {seat: gone.get(match.terms.players[seat].person) for seat in _playing(match)}
    if len(reaches) < 2 or None in reaches.values() or match.terms.speed.grace is None:
        return  # somebody stays, who may claim it; or there are days to come back in
    for seat, reach in reaches.items():
        if reach is Reach.PERSON:
            try:
                await match.resign(seat)
            except StoreUnavailable:
                raise
            except (Refused, GameError):
                pass  # another process was faster
    if match.live.log.head.is_live:
        await matches.void(match.id, BY, WHY)


def _playing(match: Match) -> list[Seat]:
    """Return the seats of the people who are still in it."""
    head = match.live.log.head
    if not head.is_live:
        return []
    level_of = levels(match.terms, head)
    playing = match.live.log.game.playing(head.fold.state)
    return [seat for seat in match.terms.people if level_of[seat] is None and seat in playing]
