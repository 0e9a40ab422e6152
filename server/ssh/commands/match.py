"""show, watch, record, replay: looking at one match."""

from __future__ import annotations

import asyncio

from game import registry
from game.cli.arguments import read_seat
from game.cli.commandline import JSON, CommandOption, Syntax
from game.cli.exits import Exit
from game.contract import Seat, Viewer, Watcher
from server.boards.board import board, has_board
from server.boards.recordings import board_text, event_text, events_told, played_as_cast, position_text
from server.boards.wire import end_json, event_json, message, position_json
from server.errors import RateLimited, Refused
from server.matches.match import Match
from server.matches.model import AnyViewerState, SeenEvent
from server.presence.connections import Connected
from server.ssh.call import Call, look_of
from server.ssh.commands.table import ExecCommand, Request
from server.tasks import wait_at_most

LOOK_EVERY_S = 3.0
READ_PART = 10  # of so many entries that a match has, `show` and `watch` count one


async def opened(request: Request, match_id: str | None = None) -> Match:
    """Return a match, by default the one that the first word names.

    Raises NoSuchMatch, also for one that they may know nothing of, and NotWatchable for a closed one.
    """
    match = await request.services.matches.find(match_id or request.line.words[0], request.call.identity)
    if match.sight(request.call.identity) is Watcher.PLAIN:
        request.call.err(f"patchbay: {request.t('match.hands-kept')}")
    return match


def viewer_named(request: Request, match: Match, text: str | None) -> Viewer:
    """Read `--as`. Raises NotYourSeat for somebody else's seat in a running match."""
    who = request.call.identity
    if text is None or text == Watcher.PUBLIC.value:
        return match.sight(who)
    if text == Watcher.OMNISCIENT.value and match.is_over:
        return match.sight(who, Watcher.OMNISCIENT)
    return match.sight(who, seat_named(match, text))


def seat_named(match: Match, text: str) -> Seat:
    """Read a seat: its number, or its name in the game. Raises BadNotation."""
    return read_seat(text, registry.get(match.game).seat_names(match.terms.n_seats))


async def read(request: Request) -> Match:
    """Return the match that the first word names, for who reads it; raises as `opened`, and RateLimited.

    Reading a match counts some of its entries, drawing or printing it all of them.
    """
    match = await opened(request)
    _count_replayed(request, (match.live.shown.seq + 1) / READ_PART)
    return match


async def show(request: Request) -> int:
    """Show one position."""
    match, viewer = await read(request), request.line.one("as")
    snapshot = match.snapshot(viewer_named(request, match, viewer))
    if request.as_json:
        await request.call.out_json(position_json(snapshot, request.services.clock.now()))
        return Exit.OK
    await request.call.out(position_text(look_of(request.call), snapshot))
    if viewer is None and has_board(match.game) and board(match.game).hides:
        _say_who_sees_more(request, match)
    return Exit.OK


def _say_who_sees_more(request: Request, match: Match) -> None:
    """Say how to see one's own cards, or once it is over all cards: without a word about it one sees what is public."""
    seat = match.terms.seat_of(request.call.identity.player)
    if match.is_over:
        key, who = "match.show-all", Watcher.OMNISCIENT.value
    elif seat is not None:
        key, who = "match.show-own", str(seat)
    else:
        return
    line = request.call.reached_at.line(f"show {match.id} --as {who}")
    request.call.err(f"patchbay: {request.t(key, line=line)}")


async def watch(request: Request) -> int:
    """Follow a match until it ends."""
    match = await read(request)
    after = request.line.number("after", -1, 0, 10**9)
    changed = asyncio.Event()
    who = request.call.identity
    subscription = match.subscribe(match.sight(who), changed.set)
    looks_on = match.seat_of(who.player) is None
    where, session = request.services.matches.connections, request.call.session
    where.arrive(Connected(session, request.call.identity, request.services.clock.now(), looks_on=True))
    presence = match.enter(who.player, None, session, paced=not request.as_json) if looks_on else None
    try:
        while True:
            changed.clear()
            viewer = match.sight(who)
            snapshot: AnyViewerState = match.snapshot(viewer)
            for event in match.events(viewer, after):
                await _print_event(request, snapshot, event)
                after = max(after, event.seq)
            if snapshot.is_over:
                await match.wait_for_ratings()
                await _tell_end(request, match.snapshot(match.sight(who)))
                return Exit.OK
            await wait_at_most(changed, LOOK_EVERY_S)
    finally:
        if presence is not None:
            presence.leave()
        where.leave(session)
        subscription.close()


async def _print_event(request: Request, snapshot: AnyViewerState, event: SeenEvent) -> None:
    if request.as_json:
        told = message("event", match=snapshot.match, seq=event.seq, event=event_json(event))
        await request.call.out_json(told)
    else:
        if text := event_text(look_of(request.call), snapshot, event):
            await request.call.out(f"{event.seq:>4} {text}")


async def _tell_end(request: Request, snapshot: AnyViewerState) -> None:
    if request.as_json:
        await request.call.out_json(end_json(snapshot))
    else:
        await request.call.out(position_text(look_of(request.call), snapshot, has_notation=False))


async def record(request: Request) -> int:
    """Print the full record of a finished match."""
    match = await opened(request)
    _count_replayed(request, match.live.shown.seq + 1)
    for line in await request.services.matches.record(match.id):
        await request.call.out(line)
    return Exit.OK


async def replay(request: Request) -> int:
    """Replay a match as text, or as an asciicast."""
    kind = request.line.choice("format", ("text", "cast"), "text")
    speed = request.line.number("speed", 1, 1, 100)
    match = await opened(request)
    viewer = match.sight(request.call.identity, Watcher.OMNISCIENT if match.is_over else Watcher.PUBLIC)
    last: AnyViewerState = match.snapshot(viewer)
    _count_replayed(request, last.seq + 1)
    if kind == "cast":
        for line in played_as_cast(look_of(request.call, "default"), match, last, viewer, speed):
            if line:
                await request.call.out(line)
            await request.call.give_way()  # there may be hundreds of frames
    else:
        await _replay_as_text(request.call, match, last.seq, viewer)
    return Exit.OK


def _count_replayed(request: Request, entries: float) -> None:
    """Count entries that are read, of a long match half of what a minute allows. Raises RateLimited."""
    most = request.services.settings.limits.replayed_per_min
    if pause := request.call.rate("replayed_per_min", most, min(entries, most / 2)):
        raise RateLimited("replayed_per_min", round(pause * 1000) + 1)


async def _replay_as_text(call: Call, match: Match, last_seq: int, viewer: Viewer) -> None:
    events, look = events_told(match, viewer), look_of(call)
    for seq in range(last_seq + 1):
        snapshot = match.at(seq, viewer)
        for event in events.get(seq, ()):
            if text := event_text(look, snapshot, event):
                await call.out(f"{seq:>4} {text}")
        await call.out(board_text(look, snapshot))
        await call.give_way()


async def share(request: Request) -> int:
    """Let everybody see a private match of one's own that is over, once all its people do; or take that back."""
    who, agrees = request.call.identity, "off" not in request.line.flags
    match = await request.services.matches.find(request.line.words[0], who)
    await match.share(who.player, agrees)
    people = [seat for seat in match.terms.people if seat not in match.sharing.agreed]
    names = ", ".join(match.terms.players[seat].name for seat in people)
    said = "share.done" if not names else "share.waits" if agrees else "share.taken-back"
    request.call.err(request.t(said, names=names))
    return Exit.OK


async def join(request: Request) -> int:
    """Refuse: rooms need a terminal, with which the screens are shown instead."""
    who = request.call.identity
    room = await request.services.lobby.rooms.find(who.player, request.line.words[0], who.source)
    line = request.call.reached_at.line(f"join {room.code}", "-t")
    raise Refused("room.needs-terminal", code=room.code, line=line)


MATCH = ("match",)
WITH_TERMINAL = "With a terminal (ssh -t) it opens the screens."
PLAYED = (CommandOption("speed", "N"), CommandOption("format", "text|cast"))
COMMANDS = (
    ExecCommand(
        "show",
        Syntax(MATCH, (CommandOption("as", "SEAT"), JSON)),
        "one position, as that viewer may see it",
        show,
        details=(
            "SEAT is a number from 0, a side's name, `public`, or `omniscient` once the match is over.",
            "Without it you see what is public.",
        ),
    ),
    ExecCommand(
        "watch",
        Syntax(MATCH, (CommandOption("after", "SEQ"), JSON)),
        "follow a match until it ends",
        watch,
        screen=True,
        details=("SEQ is the last entry you know: only what comes after it is told.", WITH_TERMINAL),
    ),
    ExecCommand(
        "record",
        Syntax(MATCH),
        "the full record of a finished match",
        record,
        details=("It goes to standard output, one JSON line for each entry.",),
    ),
    ExecCommand(
        "replay",
        Syntax(MATCH, PLAYED),
        "play a match again (text or cast)",
        replay,
        screen=True,
        details=(
            "`--format cast` makes a file for asciinema; N is how many times faster it plays, 1 to 100.",
            WITH_TERMINAL,
        ),
    ),
    ExecCommand(
        "share",
        Syntax(MATCH, (CommandOption("off"),)),
        "let everybody see a private match that is over",
        share,
        details=(
            "It takes all who played: each says so. Then the match is listed as any other, for good.",
            "`--off` takes your word back while another is missing.",
        ),
    ),
    ExecCommand(
        "join",
        Syntax(("code",)),
        "into a room (needs a terminal)",
        join,
        screen=True,
        details=("CODE is a room's invite code; programs join with `bot`.", WITH_TERMINAL),
    ),
)
