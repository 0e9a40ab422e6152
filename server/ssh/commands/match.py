"""show, watch, record, replay: looking at one match."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from game import registry
from game.cli.arguments import read_seat
from game.cli.commandline import JSON, CommandOption, Syntax
from game.contract import Seat, Viewer, Watcher
from server.admission.reading import FRAME_MS, PRINTED_MS
from server.boards.board import board, has_board
from server.boards.recordings import board_text, event_text, events_told, played_as_cast, position_text
from server.boards.wire import end_json, event_json, message, position_json
from server.errors import Refused
from server.matches.match import Match
from server.matches.model import AnyViewerState, SeenEvent
from server.presence.connections import Connected
from server.ssh.call import look_of
from server.ssh.commands.table import ExecCommand, Request
from server.tasks import wait_at_most
from server.terminal.look import Look

LOOK_EVERY_S = 3.0


async def opened(request: Request, match_id: str | None = None) -> Match:
    """Return a match, by default the one that the first word names.

    Raises NoSuchMatch, also for one that they may know nothing of, and NotWatchable for a closed one.
    """
    match = await request.services.matches.find(match_id or request.line.words[0], request.call.identity)
    if match.sight(request.call.identity) is Watcher.PLAIN:
        request.remark("match.hands-kept")
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


async def show(request: Request) -> None:
    """Show one position."""
    request.reads()
    match, viewer = await opened(request), request.line.one("as")
    snapshot = match.snapshot(viewer_named(request, match, viewer))
    if request.as_json:
        await request.call.out_json(position_json(snapshot, request.services.clock.now()))
        return
    await request.call.out(position_text(look_of(request.call), snapshot))
    if viewer is None and has_board(match.game) and board(match.game).hides:
        _say_who_sees_more(request, match)


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
    request.remark(key, line=line)


async def watch(request: Request) -> None:
    """Follow a match until it ends."""
    bill = request.reads()
    match = await opened(request)
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
            events = match.events(viewer, after)
            bill.settle(len(events) * PRINTED_MS)
            for event in events:
                await _print_event(request, snapshot, event)
                after = max(after, event.seq)
            if snapshot.is_over:
                await match.wait_for_ratings()
                await _tell_end(request, match.snapshot(match.sight(who)))
                return
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


async def record(request: Request) -> None:
    """Print the full record of a finished match."""
    bill = request.reads()
    match = await opened(request)
    lines = await request.services.matches.record(match.id)
    bill.expect(match.live.shown.seq * PRINTED_MS)
    await request.out_in_slices(lines, bill)


async def replay(request: Request) -> None:
    """Replay a match as text, or as an asciicast."""
    kind = request.line.choice("format", ("text", "cast"), "text")
    speed = request.line.number("speed", 1, 1, 100)
    bill = request.reads()
    match = await opened(request)
    viewer = match.sight(request.call.identity, Watcher.OMNISCIENT if match.is_over else Watcher.PUBLIC)
    last: AnyViewerState = match.snapshot(viewer)
    bill.expect(last.seq * FRAME_MS)
    if kind == "cast":
        lines = played_as_cast(look_of(request.call, "default"), match, last, viewer, speed)
    else:
        lines = _played_as_text(look_of(request.call), match, last.seq, viewer)
    await request.out_in_slices(lines, bill)


def _played_as_text(look: Look, match: Match, last_seq: int, viewer: Viewer) -> Iterator[str]:
    """Yield what happened at each entry, and the board after it."""
    events = events_told(match, viewer)
    for seq in range(last_seq + 1):
        snapshot = match.at(seq, viewer)
        for event in events.get(seq, ()):
            if text := event_text(look, snapshot, event):
                yield f"{seq:>4} {text}"
        yield board_text(look, snapshot)


async def share(request: Request) -> None:
    """Let everybody see a private match of one's own that is over, once all its people do; or take that back."""
    who, agrees = request.call.identity, "off" not in request.line.flags
    match = await request.services.matches.find(request.line.words[0], who)
    await match.share(who.player, agrees)
    people = [seat for seat in match.terms.people if seat not in match.sharing.agreed]
    names = ", ".join(match.terms.players[seat].name for seat in people)
    said = "share.done" if not names else "share.waits" if agrees else "share.taken-back"
    request.say(said, names=names)


async def join(request: Request) -> None:
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
