"""The history checker: what players and spectators noted, compared with the logs in the database."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from game.contract import Watcher
from game.errors import GameError
from server.matches.line import Line, from_log
from server.matches.terms import from_store
from server.ssh.wire import event_json
from server.store import arrangements
from server.store.appends import LogEntry
from server.store.database import open_database
from tests.durability.people import Acknowledged, Message, Player, Stretch

OURS = {"action", "clock_credited"}  # nobody resigns, leaves or runs out of time: an outage costs nobody anything


@dataclass(frozen=True)
class Truth:
    """One match as it is stored: its log, who sits where, and what everybody may know of it."""

    match: str
    seats: tuple[str, ...]
    entries: tuple[LogEntry, ...]
    events: tuple[tuple[int, Message], ...] = ()
    wrong: tuple[str, ...] = ()


async def read_truths(url: str, matches: Iterable[str]) -> dict[str, Truth]:
    """Read matches, and fold their logs by hand."""
    database = await open_database(url)
    try:
        return {match: _truth(match, await database.read(arrangements.whole, match)) for match in matches}
    finally:
        await database.close()


def _truth(match: str, whole: Any) -> Truth:
    if whole is None:
        return Truth(match, (), (), (), ("there is no such match",))
    terms, wrong = from_store(whole.match, whole.arrangement), []
    line = Line(terms)
    try:
        for row in whole.entries:
            line.absorb(from_log(row))
    except GameError as error:
        wrong.append(f"entry {row.seq} does not fit: {error}")
    if whole.match.last_seq != len(whole.entries):
        wrong.append("the match's row and its log disagree on where it ends")
    events = line.events(Watcher.PUBLIC, -1, line.head.seq)
    shown = tuple((event.seq, json.loads(json.dumps(event_json(event)))) for event in events)
    seats = tuple(player.name for player in terms.players)
    return Truth(match, seats, tuple(whole.entries), shown, tuple(wrong))


def check(players: Sequence[Player], stretches: Sequence[Stretch], truths: dict[str, Truth]) -> list[str]:
    """Return everything that is wrong; nothing, if all is well."""
    wrong = [f"{truth.match}: {what}" for truth in truths.values() for what in (*truth.wrong, *check_log(truth))]
    for player in players:
        wrong += check_player(player, truths)
    wrong += check_senders(players, truths)
    for stretch in stretches:
        wrong += check_stretch(stretch, truths)
    return wrong


def check_log(truth: Truth) -> list[str]:
    """A log counts from 1 without gaps, and holds what was played only."""
    wrong = []
    if [row.seq for row in truth.entries] != list(range(1, len(truth.entries) + 1)):
        wrong.append("the log has a gap or a double")
    wrong += [f"{row.seq} is a {row.kind}" for row in truth.entries if row.kind not in OURS]
    return wrong


def check_player(player: Player, truths: dict[str, Truth]) -> list[str]:
    """Every acknowledged action is there, once, in the order in which it was acknowledged."""
    wrong, last = [], dict[str, Acknowledged]()
    for noted in player.acknowledged:
        truth = truths.get(noted.match)
        entries = () if truth is None else truth.entries
        row = entries[noted.seq - 1] if noted.seq <= len(entries) else None
        if row is None or (row.kind, row.seat, row.action) != ("action", noted.seat, noted.action):
            wrong.append(f"{player.name}: acknowledged and lost: {noted}")
        before = last.get(noted.match)
        if before is not None and before.seq >= noted.seq and before != noted:
            wrong.append(f"{player.name}: acknowledged out of order: {before}, {noted}")
        last[noted.match] = noted
    for match, seat in player.matches.items():
        if match in truths and truths[match].seats[seat : seat + 1] != (player.name,):
            wrong.append(f"{player.name}: was told a seat in {match} that is somebody else's")
    return wrong + [f"{player.name}: {what}" for what in player.told if what.startswith("illegal:")]


def check_senders(players: Sequence[Player], truths: dict[str, Truth]) -> list[str]:
    """Nobody moved for another, and nothing was stored more often than it was sent."""
    sent: Counter[tuple[str, int, str]] = sum((player.sent for player in players), Counter())
    stored = Counter(
        (truth.match, row.seat, row.action)
        for truth in truths.values()
        for row in truth.entries
        if row.kind == "action"
    )
    return [f"stored {n} times, sent {sent[key]} times: {key}" for key, n in stored.items() if n > sent[key]]


def check_stretch(stretch: Stretch, truths: dict[str, Truth]) -> list[str]:
    """A spectator's stream is a beginning of what happened after the entry it was asked for."""
    truth = truths.get(stretch.match)
    if truth is None:
        return [f"a spectator saw {stretch.match}, which nobody played"]
    expected = [event for event in truth.events if event[0] > stretch.after]
    for i, event in enumerate(stretch.events):
        if i >= len(expected) or expected[i] != event:
            return [f"a spectator of {stretch.match} saw {event} as event {i} after {stretch.after}, which never was"]
    return []
