"""games, top, user, history."""

from __future__ import annotations

from typing import Any

from game import registry
from server.clock import rfc3339
from server.matches.model import MatchQuery, MatchSummary
from server.ratings.ladders import all_ladders
from server.ssh.call import Exit
from server.ssh.commands.table import Command, NotFound, Visit
from server.ssh.commands.words import Spec, UsageError
from server.ssh.wire import Object, message, room_json, seek_json, summary_json
from server.store.accounts import Account
from server.words import pad

FILTERS = ("live", "open", "mine", "finished")
MOST = 500
TOP_MOST = 100


async def games(visit: Visit) -> int:
    """List matches: what is open and what is live, or what the filters say."""
    game = visit.words.options.get("game")
    if game is not None and game not in registry.KEYS:
        raise UsageError(f"no game {game[:40]}; there are {', '.join(registry.KEYS)}")
    asked = visit.words.flags & set(FILTERS)
    for found in await _found(visit, game, asked):
        if visit.as_json:
            await visit.call.out_json(found)
        else:
            await visit.call.out(match_line(found))
    return Exit.OK


async def _found(visit: Visit, game: str | None, asked: frozenset[str]) -> list[Object]:
    states = asked & {"live", "open", "finished"} or {"live", "open"}
    mine, found = "mine" in asked, []
    hidden = frozenset() if mine else await blocked(visit)
    if "open" in states:
        found += [one for one in await open_ones(visit, hidden) if game in (None, one["game"])]
    for state in ("live", "finished"):
        if state in states:
            found += [summary_json(one) for one in _without(hidden, await _stored(visit, game, state, mine))]
    return found


async def blocked(visit: Visit) -> frozenset[int]:
    """Return the accounts that the caller does not want to see."""
    account_id = visit.call.identity.account_id
    return frozenset() if account_id is None else await visit.services.conduct.blocked_by(account_id)


def _without(hidden: frozenset[int], matches: list[MatchSummary]) -> list[MatchSummary]:
    return [one for one in matches if not any(seat.player.account_id in hidden for seat in one.seats)]


async def open_ones(visit: Visit, hidden: frozenset[int]) -> list[Object]:
    """Return what waits for players, rooms and seeks; with `--mine` only the caller's own."""
    listening = visit.services.lobby.subscribe(lambda: None)  # it looks only while somebody does
    try:
        await visit.services.lobby.refresh()
        lobby = visit.services.lobby.snapshot()
    finally:
        listening.close()
    mine = visit.call.identity.name if "mine" in visit.words.flags else None
    rooms = [room for room in lobby.rooms if room.match is None and not room.people & {f"a:{one}" for one in hidden}]
    seeks = [seek for seek in lobby.seeks if mine in (None, seek.player.name) and seek.player.account_id not in hidden]
    if mine is not None:
        rooms = [room for room in rooms if any(seat.player and seat.player.name == mine for seat in room.seats)]
    return [room_json(room) for room in rooms] + [seek_json(seek) for seek in seeks]


async def _stored(visit: Visit, game: str | None, state: str, mine: bool) -> list[MatchSummary]:
    statuses = frozenset(("live", "adjourned") if state == "live" else ("finished", "void"))
    query = MatchQuery(
        game=game,
        statuses=statuses,  # type: ignore[arg-type]
        player=visit.call.identity.player if mine else None,
        private=mine,
        limit=MOST,
    )
    found: list[MatchSummary] = await visit.services.matches.list(query)
    return found


def match_line(found: Object) -> str:
    """Return one match for a person."""
    players = " – ".join(_seated(seat) for seat in found["seats"])
    more = f"move {found['seq']}" if found["state"] != "open" else f"{found['speed']}"
    result = found.get("result")
    if result:
        more += f", {result['reason']}"
    if found.get("watchers"):
        more += f", {found['watchers']} watching"
    return f"{found['match']:<12} {pad(found['game'], 10)} {pad(found['state'], 9)} {players}  {more}"


def _seated(seat: Object) -> str:
    name = seat["player"] or "(open)"
    return f"{name} {seat['rating']}" if seat["rating"] is not None else name


async def top(visit: Visit) -> int:
    """Show a ladder."""
    ladder = visit.words.words[0]
    if ladder not in all_ladders():
        raise NotFound(f"no ladder {ladder[:40]}; there are {', '.join(all_ladders())}")
    limit = visit.words.number("limit", 20, 1, TOP_MOST)
    hidden = await blocked(visit)
    for place, row in enumerate(await visit.services.ratings.top(ladder, limit), 1):
        if row.account_id in hidden:
            continue
        await _out_row(visit, message("rank", ladder=ladder, place=place, **rating_fields(row)))
    return Exit.OK


def rating_fields(row: Any) -> Object:
    """Return a rating as programs read it."""
    fields: Object = {"rating": row.shown, "provisional": row.provisional, "matches": row.matches}
    name = getattr(row, "handle", None) or getattr(row, "name", None)
    return {"player": name, **fields} if name else fields


async def _out_row(visit: Visit, row: Object) -> None:
    if visit.as_json:
        await visit.call.out_json(row)
        return
    mark = "?" if row["provisional"] else " "
    await visit.call.out(
        f"{row['place']:>4}  {pad(row['player'], 18)} {row['rating']:>5}{mark}  {row['matches']} matches"
    )


async def user(visit: Visit) -> int:
    """Show somebody: since when, and their ratings."""
    account = await _account(visit, visit.words.words[0])
    ratings = {ladder: rating_fields(row) for ladder, row in (await visit.services.ratings.all_of(account.id)).items()}
    if visit.as_json:
        since = rfc3339(account.created_at)
        await visit.call.out_json(message("user", player=account.handle, since=since, ratings=ratings))
        return Exit.OK
    await visit.call.out(account.handle)
    for ladder, row in ratings.items():
        mark = "?" if row["provisional"] else ""
        n = row["matches"]
        await visit.call.out(f"  {pad(ladder, 18)} {row['rating']:>5}{mark}  {n} match{'' if n == 1 else 'es'}")
    if not ratings:
        await visit.call.out("  no rated matches yet")
    return Exit.OK


async def _account(visit: Visit, handle: str) -> Account:
    account = await visit.services.accounts.by_handle(handle)
    if account is None:
        raise NotFound(f"nobody here is called {handle[:40]}")
    if account.id in await blocked(visit):
        raise NotFound(f"you have blocked {account.handle}")
    return account


async def history(visit: Visit) -> int:
    """List somebody's finished matches, newest first."""
    handle = visit.words.word(0)
    if handle is None and visit.call.identity.is_guest:
        raise UsageError("missing HANDLE (guests have no history)")
    own = handle is None or handle == visit.call.identity.name
    account_id = visit.call.identity.account_id if own else (await _account(visit, handle or "")).id
    query = MatchQuery(
        statuses=frozenset(("finished", "void")),
        account_id=account_id,
        private=own,
        limit=visit.words.number("limit", 50, 1, MOST),
    )
    hidden = frozenset() if own else await blocked(visit)
    for summary in _without(hidden, await visit.services.matches.list(query)):
        found = summary_json(summary)
        if visit.as_json:
            await visit.call.out_json(found)
        else:
            await visit.call.out(f"{found['ended'] or '':<25} {match_line(found)}")
    return Exit.OK


COMMANDS = (
    Command(
        "games", Spec(options=("game",), flags=(*FILTERS, "json")), "matches: open and live ones, or filtered", games
    ),
    Command("top", Spec(("ladder",), ("limit",), ("json",)), "the leaders of a ladder", top),
    Command("user", Spec(("handle",), flags=("json",)), "somebody's ratings", user),
    Command("history", Spec(("handle?",), ("limit",), ("json",)), "finished matches, the newest first", history),
)
