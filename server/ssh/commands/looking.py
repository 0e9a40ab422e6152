"""show, watch, record, replay: looking at one match."""

from __future__ import annotations

import asyncio

from game import registry
from game.contract import Seat, Viewer, Watcher
from server.matches.match import Match
from server.matches.model import SeenEvent, Snapshot
from server.matches.whereabouts import Session
from server.ssh.call import Exit
from server.ssh.commands.drawing import event_text, picture, played_as_cast, position_text
from server.ssh.commands.table import Command, NotAllowed, Visit
from server.ssh.commands.words import Spec, UsageError
from server.ssh.wire import end_json, event_json, message, position_json

LOOK_EVERY_S = 3.0
OVER = ("finished", "void")


async def opened(visit: Visit) -> Match:
    """Return the match that the first word names. Raises NoSuchMatch, and NotAllowed where nobody may look on."""
    match = await visit.services.matches.open(visit.words.words[0])
    if not match.terms.watchable and not match.is_over and match.terms.seat_of(visit.call.identity.player) is None:
        raise NotAllowed(visit.t("match.error.not-watchable"))
    return match


def viewer_named(visit: Visit, match: Match, text: str | None) -> Viewer:
    """Read `--as`. Somebody else's seat can be looked through only when the match has ended."""
    if text is None or text == Watcher.PUBLIC.value:
        return Watcher.PUBLIC
    public: Snapshot = match.snapshot(Watcher.PUBLIC)
    if text == Watcher.OMNISCIENT.value and public.status in OVER:
        return Watcher.OMNISCIENT
    seat = _seat(public, text)
    holds = public.seats[seat].player.is_same_person(visit.call.identity.player)
    if not holds and public.status not in OVER:
        raise NotAllowed("while a match runs only who sits there sees what that seat sees")
    return seat


def _seat(public: Snapshot, text: str) -> Seat:
    names = [name.casefold() for name in registry.get(public.game).seat_names(len(public.seats))]
    if text.casefold() in names:
        return Seat(names.index(text.casefold()))
    if text.isascii() and text.isdigit() and len(text) < 3 and int(text) < len(public.seats):
        return Seat(int(text))
    raise UsageError(f"no seat {text[:20]}; there are 0 to {len(public.seats) - 1}, or {', '.join(names)}")


async def show(visit: Visit) -> int:
    """Show one position."""
    match = await opened(visit)
    snapshot = match.snapshot(viewer_named(visit, match, visit.words.options.get("as")))
    if visit.as_json:
        await visit.call.out_json(position_json(snapshot, visit.services.clock.now()))
    else:
        await visit.call.out(position_text(visit.call, snapshot))
    return Exit.OK


async def watch(visit: Visit) -> int:
    """Follow a match until it ends."""
    match = await opened(visit)
    after = visit.words.number("after", -1, 0, 10**9)
    changed = asyncio.Event()
    subscription = match.subscribe(Watcher.PUBLIC, changed.set)
    player = visit.call.identity.player
    looks_on = match.terms.seat_of(player) is None
    where, session = visit.services.matches.whereabouts, visit.call.session
    where.arrive(Session(session, visit.call.identity, visit.services.clock.now(), looks_on=True))
    presence = match.enter(player, None, session, paced=not visit.as_json) if looks_on else None
    try:
        while not visit.call.gone.is_set():
            changed.clear()
            snapshot: Snapshot = match.snapshot(Watcher.PUBLIC)
            for event in match.events(Watcher.PUBLIC, after):
                await _tell(visit, snapshot, event)
                after = max(after, event.seq)
            if snapshot.status in OVER:
                await match.settled()
                await _tell_end(visit, match.snapshot(Watcher.PUBLIC))
                return Exit.OK
            await _wait(changed, LOOK_EVERY_S)
        return Exit.OK
    finally:
        if presence is not None:
            presence.leave()
        where.leave(session)
        subscription.close()


async def _wait(changed: asyncio.Event, at_most_s: float) -> None:
    try:
        await asyncio.wait_for(changed.wait(), at_most_s)
    except TimeoutError:
        return


async def _tell(visit: Visit, snapshot: Snapshot, event: SeenEvent) -> None:
    if visit.as_json:
        told = message("event", match=snapshot.match, seq=event.seq, event=event_json(event))
        await visit.call.out_json(told)
    else:
        if text := event_text(visit.call, snapshot, event):
            await visit.call.out(f"{event.seq:>4} {text}")


async def _tell_end(visit: Visit, snapshot: Snapshot) -> None:
    if visit.as_json:
        await visit.call.out_json(end_json(snapshot))
    else:
        await visit.call.out(position_text(visit.call, snapshot))


async def record(visit: Visit) -> int:
    """Print the full record of a finished match."""
    for line in await visit.services.matches.record(visit.words.words[0]):
        await visit.call.out(line)
    return Exit.OK


async def replay(visit: Visit) -> int:
    """Play a match again, as text or as a recording for the usual player."""
    kind = visit.words.options.get("format", "text")
    if kind not in ("text", "cast"):
        raise UsageError("--format takes text or cast")
    speed = visit.words.number("speed", 1, 1, 100)
    match = await opened(visit)
    last: Snapshot = match.snapshot(Watcher.PUBLIC)
    viewer = Watcher.OMNISCIENT if last.status in OVER else Watcher.PUBLIC
    if kind == "cast":
        for line in played_as_cast(visit.call, match, last, viewer, speed):
            await visit.call.out(line)
            await asyncio.sleep(0)  # hundreds of pictures must not hold up everybody else
        return Exit.OK
    events: list[SeenEvent] = match.events(viewer, -1)
    for seq in range(last.seq + 1):
        snapshot = match.at(seq, viewer)
        for event in (one for one in events if one.seq == seq):
            if text := event_text(visit.call, snapshot, event):
                await visit.call.out(f"{seq:>4} {text}")
        await visit.call.out(picture(visit.call, snapshot))
        await asyncio.sleep(0)  # as above
    return Exit.OK


async def join(visit: Visit) -> int:
    """Say that rooms need the screens; with a terminal this is never reached."""
    room = await visit.services.lobby.room(visit.words.words[0])
    raise NotAllowed(f"room {room.code} needs a terminal: ssh -t HOST join CODE (programs: `bot`)")


COMMANDS = (
    Command("show", Spec(("match",), ("as",), ("json",)), "one position, as that viewer may see it", show),
    Command("watch", Spec(("match",), ("after",), ("json",)), "follow a match until it ends", watch, screen=True),
    Command("record", Spec(("match",)), "the full record of a finished match", record),
    Command("replay", Spec(("match",), ("speed", "format")), "play a match again (text or cast)", replay, screen=True),
    Command("join", Spec(("code",)), "into a room (needs a terminal)", join, screen=True),
)
