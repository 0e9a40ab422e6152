"""games, top, user, history."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from game import registry
from game.cli.commandline import JSON, CommandOption, Syntax
from game.errors import BadNotation
from game.options import has_open_hands
from server.admission.reading import ROW_MS
from server.boards.outcome import reason_words
from server.boards.seats import ladder_name, marked_name, shown_rating
from server.boards.wire import Object, message, room_json, seek_json, summary_json
from server.clock import moment_words, rfc3339
from server.errors import Refused
from server.matches.lists import by_urgency
from server.matches.model import OVER, RUNNING, MatchQuery, MatchSummary
from server.matches.speeds import DAILY
from server.matches.visibility import EVERYBODY, Asker
from server.ratings.bradley_terry import SETTLED_AFTER, Rating
from server.ratings.ladders import all_ladders
from server.sanitize import pad
from server.ssh.call import look_of
from server.ssh.commands.table import ExecCommand, Request
from server.store.accounts import Account, person_key
from server.terminal.look import Look

FILTERS = ("live", "open", "mine", "finished")
MOST = 500
TOP_MOST = 100


async def games(request: Request) -> None:
    """List matches: open and live ones, or filtered."""
    game = request.line.one("game")
    game = None if game is None else game.casefold()
    if game is not None and game not in registry.KEYS:
        raise BadNotation("game.unknown", f"{game[:40]} ({', '.join(registry.KEYS)})")
    asked, bill = request.line.flags & set(FILTERS), request.reads()
    listed = await _found(request, game, asked)
    bill.settle(len(listed) * ROW_MS)
    await _out_matches(request, listed)
    if not listed:
        is_filtered = game is not None or bool(asked)
        key = "list.no-matches" if is_filtered else "list.no-matches-yet"
        request.remark(key, line=request.call.reached_at.line())


async def _out_matches(request: Request, listed: Sequence[Object], with_end: bool = False) -> None:
    """Print matches. `with_end`: each line begins with when it ended."""
    if request.as_json:
        for found in listed:
            await request.call.out_json(found)
        return
    ended = await request.services.matches.endings([one["match"] for one in listed if one["result"]])
    look = look_of(request.call)
    for found in listed:
        at = found["ended"] if with_end else None
        when = f"{moment_words(datetime.fromisoformat(at))}  " if at else ""
        await request.call.out(when + match_line(found, look, ended.get(found["match"])))


async def _found(request: Request, game: str | None, asked: frozenset[str]) -> list[Object]:
    states = asked & {"live", "open", "finished"} or {"live", "open"}
    mine, found = "mine" in asked, list[Object]()
    hidden = frozenset() if mine else await blocked(request)
    if "open" in states:
        found += [one for one in await open_ones(request, hidden) if game in (None, one["game"])]
    for state in ("live", "finished"):
        if state in states:
            found += await _objects(request, _without(hidden, await _stored(request, game, state, mine)))
    return found


async def _objects(request: Request, matches: Sequence[MatchSummary]) -> list[Object]:
    """Return matches as programs read them; others have their turns meanwhile, as there may be hundreds."""
    found = list[Object]()
    for one in matches:
        found.append(summary_json(one))
        await request.call.give_way()
    return found


async def blocked(request: Request) -> frozenset[int]:
    """Return the accounts that the caller has blocked."""
    account_id = request.call.identity.account_id
    return frozenset() if account_id is None else await request.services.conduct.blocked_by(account_id)


def _without(hidden: frozenset[int], matches: list[MatchSummary]) -> list[MatchSummary]:
    return [one for one in matches if not any(seat.player.account_id in hidden for seat in one.seats)]


async def open_ones(request: Request, hidden: frozenset[int]) -> list[Object]:
    """Return open rooms and seeks; with `--mine` only the caller's own."""
    listening = request.services.lobby.subscribe(lambda: None)  # the lobby refreshes only with a subscriber
    try:
        await request.services.lobby.refresh()
        lobby = request.services.lobby.snapshot()
    finally:
        listening.close()
    mine = request.call.identity.name if "mine" in request.line.flags else None
    hidden_people = {person_key(one, None) for one in hidden}
    open_to = (room for room in lobby.rooms if request.call.identity.person not in room.removed)
    rooms = [room for room in open_to if room.match is None and not room.people & hidden_people]
    seeks = [seek for seek in lobby.seeks if mine in (None, seek.player.name) and seek.player.account_id not in hidden]
    if mine is not None:
        rooms = [room for room in rooms if any(seat.player and seat.player.name == mine for seat in room.seats)]
    return [room_json(room) for room in rooms] + [seek_json(seek) for seek in seeks]


async def _stored(request: Request, game: str | None, state: str, mine: bool) -> list[MatchSummary]:
    """Return stored matches, newest first; of one's own that run those first that wait for one."""
    me = request.call.identity.player
    if mine and state == "live":
        running = await request.services.matches.running_of(me)
        return by_urgency((one for one in running if game in (None, one.game)), me)
    query = MatchQuery(
        game=game,
        statuses=RUNNING if state == "live" else OVER,
        player=me if mine else None,
        asker=Asker(me) if mine else EVERYBODY,
        limit=MOST,
    )
    found: list[MatchSummary] = await request.services.matches.list(query)
    return found


def match_line(found: Object, look: Look, ended_by: str | None = None) -> str:
    """Return one match for a person. `ended_by`: how it ended, where the server knows more than the result says."""
    players, game = " – ".join(_seated(seat, look) for seat in found["seats"]), found["game"]
    state = str(found.get("status") or found["state"])  # adjourned: it runs, and is not live
    facts = look.t("list.comma").join(_facts(found, look, ended_by))
    return f"{found['match']:<12} {pad(game, 10)} {pad(state, 9)} {players}  {facts}".rstrip()


def _facts(found: Object, look: Look, ended_by: str | None) -> Iterator[str]:
    """Say of a match what there is to say besides who plays."""
    is_live = found["state"] == "live"
    if found["state"] == "open":
        yield look.t(f"speed.{found['speed']}")
    if not found.get("watchable", True):
        yield look.t("row.closed")
    elif is_live:
        yield look.t("row.since", at=found["started"][:16].replace("T", " "))
    if found["speed"] == DAILY:
        for due in found.get("due", ()):
            name, at = found["seats"][due["seat"]]["player"], due["at"][:16].replace("T", " ")
            yield look.t("list.due", name=name, at=at)
    if has_open_hands(found["options"]):
        yield look.t("match.open-hands")
    if found.get("result"):
        yield _result(found, look, ended_by)
    if found.get("watchers") and is_live:
        yield look.t("match.watching", n=found["watchers"])


def _result(found: Object, look: Look, ended_by: str | None) -> str:
    """Say who won, and why."""
    result = found["result"]
    names = [
        look.t("list.comma").join(found["seats"][seat]["player"] for seat in tier) for tier in result["placements"]
    ]
    reason = reason_words(found["game"], ended_by or result["reason"], look, names[1] if len(names) > 1 else "")
    return look.t("list.won", names=names[0], reason=reason) if len(names) > 1 else look.t("list.drawn", reason=reason)


def _seated(seat: Object, look: Look) -> str:
    name = marked_name(seat["player"] or look.t("list.open-seat"), seat["machine"], look)
    return f"{name} {shown_rating(seat['rating'], seat['provisional'])}" if seat["rating"] is not None else name


async def top(request: Request) -> None:
    """Show a ladder; without a name, list the ladders."""
    ladder = request.line.word(0)
    if ladder is None:
        await _ladders(request)
        return
    ladder = ladder.casefold()
    if ladder not in all_ladders():
        raise Refused("ladder.unknown", ladder=ladder[:40], ladders=", ".join(all_ladders()))
    limit = request.line.number("limit", 20, 1, TOP_MOST)
    bill = request.reads()
    hidden, ranked = await blocked(request), await request.services.ratings.top(ladder, limit)
    bill.settle(len(ranked) * ROW_MS)
    if not ranked:
        request.remark("ladders.empty", n=SETTLED_AFTER)
    for place, row in enumerate(ranked, 1):
        if row.account_id in hidden:
            continue
        rated = rating_fields(row.rating)
        told = message("rank", ladder=ladder, place=place, player=row.handle, **rated)
        await request.answer(told, f"{place:>4}  {pad(row.handle, 18)} {_rated(request, rated)}")


async def _ladders(request: Request) -> None:
    """List the ladders, with what each rates."""
    for name in all_ladders():
        line = f"{pad(name, 26)}  {ladder_name(name, look_of(request.call))}"
        await request.answer(message("ladder", ladder=name), line)


def rating_fields(rating: Rating) -> Object:
    """Return a rating as programs read it."""
    return {"rating": rating.shown, "provisional": rating.provisional, "matches": rating.matches}


def _rated(request: Request, rated: Object) -> str:
    """Return a rating for a person, and of how many matches it is."""
    mark = "?" if rated["provisional"] else " "
    return f"{rated['rating']:>5}{mark}  {request.t('exec.matches', n=rated['matches'])}"


async def user(request: Request) -> None:
    """Show an account: since when, and its ratings."""
    request.reads()
    account = await _account(request, request.line.words[0])
    found, is_machine = await request.services.ratings.all_of(account.id), account.machine_since is not None
    until = (await request.services.matches.vacations.of(account.id)).until
    ratings = {ladder: rating_fields(rating) for ladder, rating in found.items()}
    if request.as_json:
        since = rfc3339(account.created_at)
        await request.call.out_json(
            message(
                "user",
                player=account.handle,
                machine=is_machine,
                since=since,
                ratings=ratings,
                vacation_until=None if until is None else rfc3339(until),
            )
        )
        return
    await request.call.out(marked_name(account.handle, is_machine, look_of(request.call)))
    if until is not None:
        await request.call.out(f"  {request.t('profile.vacation', until=moment_words(until))}")
    for ladder, row in ratings.items():
        mark = "?" if row["provisional"] else ""
        n = request.t("exec.matches", n=row["matches"])
        await request.call.out(f"  {pad(ladder, 26)} {row['rating']:>5}{mark}  {n}")
    if not ratings:
        await request.call.out(f"  {request.t('exec.no-rated-matches')}")


async def _account(request: Request, handle: str) -> Account:
    account = await request.services.accounts.by_handle(handle)
    if account is None:
        raise Refused("handle.unknown", handle=handle[:40])
    if account.id in await blocked(request):
        raise Refused("people.you-blocked", handle=account.handle)
    return account


async def history(request: Request) -> None:
    """List somebody's finished matches, newest first."""
    handle, bill = request.line.word(0), request.reads()
    account_id = request.call.identity.account_id
    if handle is None and account_id is None:
        raise BadNotation("usage.missing", "HANDLE")
    own = account_id is not None and handle in (None, request.call.identity.name)
    if not own:
        account_id = (await _account(request, handle or "")).id
    query = MatchQuery(
        statuses=OVER,
        account_id=account_id,
        asker=request.services.matches.asker(request.call.identity.player),
        limit=request.line.number("limit", 50, 1, MOST),
    )
    hidden = frozenset() if own else await blocked(request)
    found = await request.services.matches.list(query)
    bill.settle(len(found) * ROW_MS)
    matches = _without(hidden, found)
    if not matches:
        request.remark("profile.no-matches")
    await _out_matches(request, await _objects(request, matches), with_end=True)


LIMIT = CommandOption("limit", "N")
COMMANDS = (
    ExecCommand(
        "games",
        Syntax(options=(CommandOption("game", "GAME"), *map(CommandOption, FILTERS), JSON)),
        "matches: open and live ones, or filtered",
        games,
        details=(
            "Without a filter: open rooms, people who look for players, and live matches.",
            "Filters may be combined: --mine --live lists your own live matches, the most urgent first.",
            f"GAME is one of {', '.join(registry.KEYS)}.",
        ),
    ),
    ExecCommand(
        "top",
        Syntax(("ladder?",), (LIMIT, JSON)),
        "the leaders of a ladder; without one, the ladders",
        top,
        details=(
            f"N is 1 to {TOP_MOST}; without it, 20 places are listed.",
            f"A place takes {SETTLED_AFTER} rated matches on that ladder.",
        ),
    ),
    ExecCommand(
        "user",
        Syntax(("handle",), (JSON,)),
        "somebody's ratings",
        user,
        details=("A question mark marks a rating that is still provisional.",),
    ),
    ExecCommand(
        "history",
        Syntax(("handle?",), (LIMIT, JSON)),
        "finished matches, the newest first",
        history,
        details=(
            "Without a handle: your own matches, private ones too.",
            f"N is 1 to {MOST}; without it, 50 matches are listed.",
        ),
    ),
)
