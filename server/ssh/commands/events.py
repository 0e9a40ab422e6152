"""events: what concerned the caller lately, for programs that tell people when it is their turn."""

from __future__ import annotations

from contextlib import nullcontext
from datetime import datetime, timedelta

from game.cli.commandline import JSON, CommandOption, Syntax
from server.boards.seats import listed_name
from server.boards.wire import own_event_json
from server.clock import moment_words
from server.lobby.model import Challenge
from server.matches.model import OVER, RUNNING, MatchQuery, MatchSummary
from server.matches.own_events import OwnEvent
from server.matches.visibility import Asker
from server.ssh.call import look_of
from server.ssh.commands.table import ExecCommand, Request

LOOK_EVERY_S = 1.0
MATCHES_LOOKED_AT = 500
AT_ONCE = timedelta(seconds=5)  # between a challenge and the event that tells of it
SLACK = timedelta(seconds=10)  # by which another process's clock may be behind


async def events(request: Request) -> None:
    """Tell the caller's own events, and with `--follow` those that come."""
    account_id, own = request.account_id, request.services.matches.own_events
    request.reads()
    with own.followed(account_id) if "follow" in request.line.flags else nullcontext():
        await _tell(request, account_id, request.line.one("after"))


async def _tell(request: Request, account_id: int, cursor: str | None) -> None:
    """Tell what comes after a cursor, and go on where that is asked for."""
    told, own = EventsInWords(request), request.services.matches.own_events
    while True:
        found = await own.after(account_id, cursor)
        if request.as_json:
            for event in found:
                await request.call.out_json(own_event_json(event))
        else:  # people read by time; cursors count as events were made: a challenge at once, a turn when asked for
            for event in sorted(found, key=lambda one: one.at):
                await request.call.out(f"{moment_words(event.at)}  {await told.words(event)}")
        if found:
            cursor = found[-1].cursor
            continue  # there may be more
        if "follow" not in request.line.flags:
            return
        await request.services.clock.sleep(LOOK_EVERY_S)


class EventsInWords:
    """Says events to people: of each match the game and against whom."""

    def __init__(self, request: Request) -> None:
        self._request, self._look = request, look_of(request.call)
        self._matches: dict[str, MatchSummary] = {}  # those that have been looked up
        self._looked_at: datetime | None = None

    async def words(self, event: OwnEvent) -> str:
        """Return an event as a sentence."""
        who = event.who or self._look.t("events.somebody")
        if event.match is not None:
            return await self._of_match(event, event.match)
        if event.kind == "challenge" and (challenge := await self._made(event)) is not None:
            said = "events.invitation.game" if challenge.is_invitation else "events.challenge.game"
            return self._look.t(said, who=who, game=self._look.game(challenge.agreement.game))
        return self._look.t(f"events.{event.kind}", who=who)

    async def _of_match(self, event: OwnEvent, match_id: str) -> str:
        if match_id not in self._matches and self._may_be_new(event):
            await self._look_up()
        found, key = self._matches.get(match_id), f"events.{event.kind}"
        if found is None:
            return self._look.t(key, match=match_id)
        me, players = self._request.call.identity.player, [seat.player for seat in found.seats]
        others = [seat for seat, player in enumerate(players) if not player.is_same_person(me)]
        names = (listed_name(players, seat, self._look) for seat in others)
        said = {"game": self._look.game(found.game), "names": self._look.t("list.comma").join(names)}
        return self._look.t(f"{key}.named", match=match_id, **said)

    def _may_be_new(self, event: OwnEvent) -> bool:
        """Tell whether an event's match may have begun since the last look; else it is one of too many."""
        return self._looked_at is None or event.at > self._looked_at - SLACK

    async def _look_up(self) -> None:
        """Look up the caller's matches, those that began or ended last."""
        self._looked_at, who = self._request.services.clock.now(), self._request.call.identity
        wanted = MatchQuery(
            statuses=RUNNING | OVER, account_id=who.account_id, asker=Asker(who.player), limit=MATCHES_LOOKED_AT
        )
        self._matches |= {one.id: one for one in await self._request.services.matches.list(wanted)}

    async def _made(self, event: OwnEvent) -> Challenge | None:
        """Return the challenge or invitation of an event, while it is open; None: nobody knows any more."""
        challenges = await self._request.services.lobby.challenges.to(self._request.call.identity.player)
        same = (one for one in challenges if one.by.name == event.who and abs(one.since - event.at) < AT_ONCE)
        return next(same, None)


COMMANDS = (
    ExecCommand(
        "events",
        Syntax((), (CommandOption("after", "CURSOR"), CommandOption("follow"), JSON)),
        "your turns, challenges and matches of the last 14 days",
        events,
        members=True,
        details=(
            "Each is told once, the oldest first. With --json each has a `cursor`: --after CURSOR goes on after it.",
            "--follow goes on until you hang up; four of yours may at once. A window is a turn in daily matches only.",
        ),
    ),
)
