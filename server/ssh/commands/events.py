"""events: what concerned the caller lately, for programs that tell people when it is their turn."""

from __future__ import annotations

from game.cli.commandline import JSON, CommandOption, Syntax
from game.cli.exits import Exit
from server.boards.wire import own_event_json
from server.matches.own_events import OwnEvent
from server.ssh.commands.table import ExecCommand, Request

LOOK_EVERY_S = 1.0


async def events(request: Request) -> int:
    """Tell the caller's own events, and with `--follow` those that come."""
    account_id, cursor = request.account_id, request.line.one("after")
    own, follows = request.services.matches.own_events, "follow" in request.line.flags
    while True:
        found = await own.after(account_id, cursor)
        for event in found:
            await _print_event(request, event)
            cursor = event.cursor
        if found:
            continue  # there may be more
        if not follows:
            return Exit.OK
        await request.services.clock.sleep(LOOK_EVERY_S)


async def _print_event(request: Request, event: OwnEvent) -> None:
    if request.as_json:
        await request.call.out_json(own_event_json(event))
        return
    who = event.who or request.t("events.somebody")
    said = request.t(f"events.{event.kind}", match=event.match or "", who=who)
    await request.call.out(f"{event.at:%Y-%m-%d %H:%M} UTC  {said}")


COMMANDS = (
    ExecCommand(
        "events",
        Syntax((), (CommandOption("after", "CURSOR"), CommandOption("follow"), JSON)),
        "your turns, challenges and matches of the last 14 days",
        events,
        members=True,
        details=(
            "Each is told once, the oldest first. With --json each has a `cursor`: --after CURSOR goes on after it.",
            "--follow goes on until you hang up. A window is a turn in daily matches only.",
        ),
    ),
)
