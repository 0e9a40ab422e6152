"""The history checker: what players and spectators noted, compared with the logs in the database."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, select

from game.contract import Seat, Viewer, Watcher
from game.errors import GameError
from server.boards.wire import event_json, result_json, view_json
from server.matches.deadlines import due_at
from server.matches.matchlog import MatchLog, from_log
from server.matches.terms import from_store
from server.store import arrangements
from server.store.appends import LogEntry
from server.store.arrangements import WholeMatch
from server.store.choose import open_database
from server.store.tables import matches
from tests.durability.people import Acknowledged, Message, Player, Sent, Stretch

OURS = {"action", "clock_credited"}  # nobody resigns, leaves or runs out of time: an outage costs nobody anything
# What a player may be told under faults; anything else is a fault of the server's.
EXPECTED = {"stale", "over", "not_saved", "draining"}
Events = tuple[tuple[int, Message], ...]


@dataclass(frozen=True)
class Truth:
    """One match as it is stored: its log, who sits where, and what everybody may know of it.

    `asked`: for each entry, since which entry its seat owed what it answered. `seen`: what a seat is told, by seat.
    """

    match: str
    seats: tuple[str, ...]
    entries: tuple[LogEntry, ...]
    asked: tuple[int, ...] = ()
    events: Events = ()
    seen: tuple[Events, ...] = ()
    view: Callable[[int, int], Any] = field(default=lambda seat, seq: None)  # what a seat saw after an entry
    result: Message | None = None
    wrong: tuple[str, ...] = ()


async def read_truths(url: str, told: Iterable[str] = ()) -> dict[str, Truth]:
    """Read all matches, and those that somebody was told of in any case; fold their logs by hand."""
    database = await open_database(url)
    try:
        stored = await database.read(_all_ids)
        ids = dict.fromkeys([*told, *stored])  # the told ones in their order
        wholes = await database.read(arrangements.whole_matches, [*ids])
        return {match: _truth(match, wholes.get(match)) for match in ids}
    finally:
        await database.close()


def _all_ids(connection: Connection) -> list[str]:
    return list(connection.scalars(select(matches.c.id).order_by(matches.c.started_at, matches.c.id)))


def _truth(match: str, whole: WholeMatch | None) -> Truth:
    if whole is None:
        return Truth(match, (), (), wrong=("there is no such match",))
    terms, wrong, asked = from_store(whole.match, whole.arrangement), [], []
    matchlog = MatchLog(terms)
    try:
        for row in whole.entries:
            asked.append(0 if row.seat is None else matchlog.head.changed[row.seat])
            matchlog.absorb(from_log(row))
    except GameError as error:
        wrong.append(f"entry {row.seq} does not fit: {error}")
    wrong += _row(whole, matchlog)
    return Truth(
        match,
        seats=tuple(player.name for player in terms.players),
        entries=tuple(whole.entries),
        asked=tuple(asked),
        events=_events(matchlog, Watcher.PUBLIC),
        seen=tuple(_events(matchlog, seat) for seat in terms.seats),
        view=lambda seat, seq: _as_told(
            view_json(terms.game, matchlog.game.view(matchlog.at(seq).fold.state, Seat(seat)))
        ),
        result=_as_told(result_json(matchlog.head.fold.result)),
        wrong=tuple(wrong),
    )


def _row(whole: WholeMatch, matchlog: MatchLog) -> list[str]:
    """Compare the match's row with its log."""
    row, head, wrong = whole.match, matchlog.head, []
    if row.last_seq != len(whole.entries):
        wrong.append("the match's row and its log disagree on where it ends")
    if head.seq == len(whole.entries):
        if (row.status, row.result) != (head.fold.status.value, result_json(head.fold.result)):
            wrong.append(f"the row says {row.status} {row.result}, the log another end")
        if not head.fold.is_over and row.deadline != due_at(from_store(row, whole.arrangement), head):
            wrong.append(f"the row's deadline is {row.deadline}")
    return wrong


def _events(matchlog: MatchLog, viewer: Viewer) -> Events:
    return tuple((event.seq, _as_told(event_json(event))) for event in matchlog.events(viewer, -1, matchlog.head.seq))


def _as_told(value: Any) -> Any:
    """Return what comes out of JSON."""
    return json.loads(json.dumps(value))


def check(players: Sequence[Player], stretches: Sequence[Stretch], truths: dict[str, Truth]) -> list[str]:
    """Return everything that is wrong; nothing, if all is well."""
    wrong = [f"{truth.match}: {what}" for truth in truths.values() for what in (*truth.wrong, *check_log(truth))]
    for player in players:
        wrong += [*check_player(player, truths), *check_shown(player, truths)]
    wrong += check_senders(players, truths)
    for stretch in (*stretches, *(stretch for player in players for stretch in player.stretches)):
        wrong += check_stretch(stretch, truths)
    return wrong


def check_log(truth: Truth) -> list[str]:
    """A log counts from 1 without gaps, holds what was played only, and each outage is credited once."""
    wrong = []
    if [row.seq for row in truth.entries] != list(range(1, len(truth.entries) + 1)):
        wrong.append("the log has a gap or a double")
    wrong += [f"{row.seq} is a {row.kind}" for row in truth.entries if row.kind not in OURS]
    credited = Counter(credit_of(row) for row in truth.entries if row.kind == "clock_credited")
    return wrong + [f"{n} times credited: {what}" for what, n in credited.items() if n > 1]


def credit_of(row: LogEntry) -> tuple[Any, ...]:
    """Return what a credit is for, which there may be one of: an outage, or somebody's way back from one."""
    data = row.data or {}
    home = data.get("home")
    return ("outage", data.get("outage")) if home is None else ("home", home, str(data.get("seats")))


def check_player(player: Player, truths: dict[str, Truth]) -> list[str]:
    """Every acknowledged action is there, after all that was acknowledged before it was sent, to anybody."""
    wrong, last = [], dict[str, Acknowledged]()
    for noted in player.acknowledged:
        truth = truths.get(noted.match)
        entries = () if truth is None else truth.entries
        row = entries[noted.seq - 1] if 1 <= noted.seq <= len(entries) else None
        if row is None or (row.kind, row.seat, row.action) != ("action", noted.seat, noted.action):
            wrong.append(f"{player.name}: acknowledged and lost: {noted}")
        before = last.get(noted.match)
        if noted.seq <= noted.after or (before is not None and before.seq >= noted.seq):
            wrong.append(f"{player.name}: acknowledged out of order: {before}, {noted}")
        last[noted.match] = noted
    for match, seat in player.matches.items():
        if match in truths and truths[match].seats[seat : seat + 1] != (player.name,):
            wrong.append(f"{player.name}: was told a seat in {match} that is somebody else's")
    return wrong + [f"{player.name}: {what}" for what in player.told if what.split(":")[0] not in EXPECTED]


def check_shown(player: Player, truths: dict[str, Truth]) -> list[str]:
    """Every position that was shown is the one after the entry it names; every end that was told is the match's."""
    wrong = []
    for seen in player.seen:
        truth = truths.get(seen.match)
        if truth is None or seen.seq > len(truth.entries) or truth.view(seen.seat, seen.seq) != seen.view:
            wrong.append(f"{player.name}: was shown a view of {seen.match} at {seen.seq} that never was")
    for match, result in player.ends:
        if match not in truths or truths[match].result != result or result is None:
            wrong.append(f"{player.name}: was told an end of {match} that never was: {result}")
    return wrong


def check_senders(players: Sequence[Player], truths: dict[str, Truth]) -> list[str]:
    """Nobody moved for another, and no action counts twice: each entry answers a question that its sender saw."""
    wrong = []
    for truth in truths.values():
        sent: dict[tuple[int, str], list[Sent]] = {}
        for player in players:
            for one in player.sent:
                if one.match == truth.match and truth.seats[one.seat : one.seat + 1] == (player.name,):
                    sent.setdefault((one.seat, one.action), []).append(one)
        for row, asked in zip(truth.entries, truth.asked, strict=False):
            if row.kind == "action" and not _is_sent(row, asked, sent):
                wrong.append(
                    f"{truth.match}: nobody sent {row.action!r} of seat {row.seat} for what was asked at {asked}"
                )
    return wrong


def _is_sent(row: LogEntry, asked: int, sent: dict[tuple[int, str], list[Sent]]) -> bool:
    """Tell whether the seat's player sent this while it was asked since entry `asked`; what was is used up."""
    if row.seat is None or row.action is None:
        return False
    fitting = [one for one in sent.get((row.seat, row.action), ()) if asked <= one.turn < row.seq]
    for one in fitting:
        sent[row.seat, row.action].remove(one)
    return bool(fitting)


def check_stretch(stretch: Stretch, truths: dict[str, Truth]) -> list[str]:
    """What somebody is shown of the events is a beginning of what happened after the entry it was asked for."""
    who = "a spectator" if stretch.seat is None else f"seat {stretch.seat}"
    truth = truths.get(stretch.match)
    if truth is None:
        return [f"{who} saw {stretch.match}, which nobody played"]
    events = truth.events if stretch.seat is None else truth.seen[stretch.seat]
    expected = [event for event in events if event[0] > stretch.after]
    for i, event in enumerate(stretch.events):
        if i >= len(expected) or expected[i] != event:
            was = expected[i] if i < len(expected) else "nothing"
            what = f"saw {event} as event {i} after {stretch.after}, which never was: it was {was}"
            return [f"{who} of {stretch.match} {what}"]
    return []
