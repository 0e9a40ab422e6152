"""The JSON shapes that programs get: matches, events, turns, results; for the commands and the bot protocol."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec

from game import registry
from game.choices import choice_json
from game.contract import Json, Pending, Result, Viewer, Watcher
from game.printable import escaped
from game.replay import TAKEBACK
from server.accounts.following import Followed
from server.accounts.identity import Player
from server.accounts.messages import StoredMessage
from server.boards.seats import remaining_ms
from server.clock import rfc3339
from server.errors import RateLimited
from server.lobby.model import Challenge, PersonHere, RoomSummary, SeekView
from server.lobby.new_matches import agreed_with
from server.matches.agreement import Agreement, switches
from server.matches.model import OVER, RUNNING, AnyViewerState, MatchSummary, SeenEvent, texts_of
from server.matches.own_events import OwnEvent
from server.matches.server_events import TAKEN_BACK
from server.matches.vacations import Vacation

ENCODER = msgspec.json.Encoder()
Object = dict[str, Any]
STATES = {**dict.fromkeys(RUNNING, "live"), **dict.fromkeys(OVER, "finished")}  # for programs
MS = timedelta(milliseconds=1)


def to_json(value: Any) -> bytes:
    """Return one line of JSON without a line end; what a terminal must not get as it is, is escaped."""
    line = ENCODER.encode(value)
    return line if line.isascii() and b"\x7f" not in line else escaped(line.decode()).encode()


async def with_lists(head: Object, lists: AsyncIterable[tuple[str, Sequence[Object]]]) -> AsyncGenerator[Iterator[str]]:
    """Yield one line of JSON in portions, each in pieces: the fields of `head`, then `lists`, which may be very long.

    A list's rows come in one or several portions, under its name.
    """
    yield iter((to_json(head).decode().removesuffix("}"),))
    before = ""
    async for name, rows in lists:
        yield _pieces("" if name == before else f'{"]" if before else ""},"{name}":[', rows)
        before = name
    yield iter(("]}" if before else "}",))


def _pieces(opening: str, rows: Sequence[Object]) -> Iterator[str]:
    """Yield the rows of a portion behind what opens its list; empty: the list goes on."""
    if opening:
        yield opening
    for index, row in enumerate(rows):
        is_first = bool(opening) and index == 0
        yield ("" if is_first else ",") + to_json(row).decode()


def message(kind: str, /, **fields: Any) -> Object:
    """Return an object as every program reads it."""
    return {"v": 1, "type": kind, **fields}


def limit_json(error: RateLimited) -> Object:
    """Return the JSON of a rate limit, which says how long a program waits."""
    return {"error": "rate_limited", "limit": error.limit, "retry_after_ms": error.retry_after_ms}


def result_json(result: Result | None) -> Object | None:
    """Return who won and why."""
    if result is None:
        return None
    return {"reason": result.reason, "placements": [list(tier) for tier in result.placements]}


def event_json(event: SeenEvent) -> Object:
    """Return one thing that happened: its key, and its parameters as this viewer may know them."""
    kind = TAKEBACK if event.kind == TAKEN_BACK else event.kind
    return {"kind": kind, "params": dict(event.params)}


def vacation_json(stands: Vacation) -> Object:
    """Return until when somebody is on vacation, and how many days of the year are left."""
    until = None if stands.until is None else rfc3339(stands.until)
    return message("vacation", until=until, days_left=stands.days_left)


def conditions_json(snapshot: AnyViewerState) -> dict[str, Json]:
    """Return a seat's own conditional moves; `due`: each of them begins with its own action, played in a moment."""
    lines: list[Json] = [list(texts_of(line)) for line in snapshot.conditions]
    return {"match": snapshot.match, "seq": snapshot.seq, "if": lines, "due": snapshot.due_condition is not None}


def followed_json(followed: Followed, person: PersonHere | None) -> Object:
    """Return somebody whom one follows, with what everybody may know of their being here (`person`)."""
    return message(
        "followed",
        player=followed.handle,
        machine=followed.is_machine,
        here=person is not None,
        playing=None if person is None else person.playing,
        since=rfc3339(followed.at),
        tell=followed.tell,
    )


def message_json(one: StoredMessage) -> Object:
    """Return what somebody wrote to somebody."""
    names = {"from": one.sender, "to": one.receiver}
    return message("message", id=str(one.id), **names, at=rfc3339(one.at), text=one.text)


def own_event_json(event: OwnEvent) -> Object:
    """Return one of a person's own events."""
    told = {"cursor": event.cursor, "kind": event.kind, "match": event.match, "who": event.who}
    return message("event_line", **told, at=rfc3339(event.at))


def pending_json(pending: Pending, deadline: datetime | None, now: datetime, free_until: datetime | None) -> Object:
    """Return a decision that a seat owes, with the time left for it, and of a window how long it is free."""
    return {
        "prompt": pending.prompt,
        "params": dict(pending.params),
        "choice": choice_json(pending.choice),
        "window": pending.window,
        "deadline_ms": _left_ms(deadline, now),
        "free_ms": None if pending.window is None else _left_ms(free_until, now),
    }


def _left_ms(until: datetime | None, now: datetime) -> int | None:
    return None if until is None else max(0, (until - now) // MS)


def view_json(game: str, view: Any) -> Mapping[str, Json]:
    """Return a view as the outside reads it."""
    return registry.get(game).view_json(view)


def player_json(seat: int | None, player: Player | None, rating: int | None, provisional: bool = False) -> Object:
    """Return who has a seat, rated how, and whether it is a machine; `player` None: nobody has it yet."""
    name, is_machine = (None, False) if player is None else (player.name, player.is_machine)
    return {"seat": seat, "player": name, "rating": rating, "provisional": provisional, "machine": is_machine}


def seats_json(snapshot: AnyViewerState, now: datetime) -> list[Object]:
    """Return the seats of a match with what everybody may know of them; a bank as it is at this moment."""
    return [
        {
            **player_json(info.seat, info.player, info.rating, info.provisional),
            "here": info.here,
            "bank_ms": remaining_ms(snapshot, info.seat, now),
            "out": info.out,
            "bot": info.bot,
            "vacation_until": None if info.vacation_until is None else rfc3339(info.vacation_until),
        }
        for info in snapshot.seats
    ]


def summary_json(summary: MatchSummary) -> Object:
    """Return one line of the list of matches."""
    return message(
        "match",
        match=summary.id,
        game=summary.game,
        state=STATES[summary.status],
        status=summary.status,
        seats=[
            {**player_json(one.seat, one.player, one.rating, one.provisional), "bot": one.bot} for one in summary.seats
        ],
        seq=summary.seq,
        watchers=summary.watchers,
        result=result_json(summary.result),
        **_terms(summary.agreement),
        **{**switches(summary.agreement), "watchable": not summary.is_closed},
        to_act=list(summary.to_act),
        due=[{"seat": seat, "at": rfc3339(at)} for seat, at in summary.due],
        started=rfc3339(summary.started_at),
        ended=None if summary.ended_at is None else rfc3339(summary.ended_at),
    )


def _terms(agreed: Agreement) -> Object:
    """Return what every match, open or begun, says of what is agreed on."""
    return {"options": dict(agreed.options), "speed": agreed.speed, "rated": agreed.rated}


def room_json(room: RoomSummary) -> Object:
    """Return an open room as a match that waits for players; `join` takes its id."""
    agreed = agreed_with(room.settings, [one.player for one in room.seats])
    return message(
        "match",
        match=room.code,
        game=room.agreement.game,
        state="open",
        seats=[player_json(one.seat, one.player, one.rating, one.provisional) for one in room.seats],
        seq=0,
        watchers=0,
        result=None,
        **_terms(agreed),
        **switches(agreed),
        since=rfc3339(room.since),
    )


def seek_json(open_seek: SeekView) -> Object:
    """Return an open seek as a match that waits for players."""
    seek, agreed = open_seek.seek, open_seek.agreement
    seats = [player_json(None, None, None) for _ in range(agreed.players - 1)]
    return message(
        "match",
        match=open_seek.id,
        game=agreed.game,
        state="open",
        seats=[player_json(seek.seat, open_seek.player, open_seek.rating, open_seek.provisional), *seats],
        seq=0,
        watchers=0,
        result=None,
        **_terms(agreed),
        machines=agreed.machines,
        since=rfc3339(open_seek.since),
    )


def viewer_json(viewer: Viewer) -> Json:
    """Return a seat, or who looks on."""
    if viewer is Watcher.PLAIN:
        return Watcher.PUBLIC.value
    return viewer.value if isinstance(viewer, Watcher) else int(viewer)


def turn_json(snapshot: AnyViewerState, pending: Pending, now: datetime) -> Object:
    """Return what the viewer owes, with the time left for it."""
    return pending_json(pending, snapshot.deadline, now, snapshot.seats[pending.seat].runs_from)


def position_json(snapshot: AnyViewerState, now: datetime) -> Object:
    """Return one position as its viewer may see it."""
    pending = snapshot.pending
    return message(
        "position",
        match=snapshot.match,
        game=snapshot.game,
        state=STATES[snapshot.status],
        status=snapshot.status,
        viewer=viewer_json(snapshot.viewer),
        seq=snapshot.seq,
        seats=seats_json(snapshot, now),
        **_terms(snapshot.agreement),
        to_act=[{"seat": seat, "window": window} for seat, window in snapshot.deciding],
        pending=None if pending is None else turn_json(snapshot, pending, now),
        view=view_json(snapshot.game, snapshot.view),
        result=result_json(snapshot.result),
        won=[*snapshot.won],
        commitment=snapshot.commitment,
        seed=snapshot.seed,
    )


def rating_json(snapshot: AnyViewerState) -> Object:
    """Return what a finished match did to the ratings, by seat, and to its viewer why it counted less than in full."""
    made: Object = {
        str(seat): {"before": round(before), "after": round(after)}
        for seat, (before, after) in snapshot.rating_changes.items()
    }
    if (less := snapshot.own_reason) is not None:
        made[str(snapshot.viewer)]["less"] = less
    return made


def end_json(snapshot: AnyViewerState) -> Object:
    """Return how a match ended. A void one has a result without placements."""
    return message(
        "end",
        match=snapshot.match,
        seq=snapshot.seq,
        result=result_json(snapshot.result) or {"reason": snapshot.status, "placements": []},
        rating=rating_json(snapshot),
        seed=snapshot.seed,
    )


def standing_json(challenge: Challenge) -> Object:
    """Say what challenge of one's own stands."""
    agreed = challenge.agreement
    terms = {"game": agreed.game, "speed": agreed.speed, "rated": agreed.rated}
    answer = {"declined": True} if challenge.is_declined else {}
    return {"code": challenge.code, "to": challenge.to, **terms, "since": rfc3339(challenge.since), **answer}
