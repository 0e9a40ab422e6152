"""web and feed: links for the caller's browser."""

from __future__ import annotations

from game.cli.commandline import Syntax
from server.boards.weblinks import WEB_URL, feed_link, signin_link, why_none
from server.errors import Refused
from server.ssh.commands.table import ExecCommand, Request

OFF = "off"


async def web(request: Request) -> None:
    """Print a link that signs a browser in."""
    account_id, by = request.account_id, request.call.identity.fingerprint
    origin = _origin(request)
    if by is None:
        raise Refused("account.needs-key", line=request.call.reached_at.line_with_key())
    code = await request.services.accounts.browsers.make_code(account_id, by)
    await request.call.out(signin_link(origin, code))


async def feed(request: Request) -> None:
    """Make the caller's feed and print its address, or revoke it."""
    account_id, by, feeds = request.account_id, request.call.identity.fingerprint, request.services.accounts.feeds
    if request.line.words and request.line.word_of(0, (OFF,)) == OFF:
        was_there = await feeds.revoke(account_id, by)
        request.say("feed.off" if was_there else "feed.none", line=request.call.reached_at.line("feed"))
        return
    origin = _origin(request)
    await request.call.out(feed_link(origin, await feeds.make(account_id, by)))


def _origin(request: Request) -> str:
    """Return what links begin with. Raises Refused where no browser comes in."""
    if not (origin := request.services.settings.web_origin):
        raise Refused(why_none(request.services.settings), setting=WEB_URL)
    return origin


COMMANDS = (
    ExecCommand(
        "web",
        Syntax(),
        "a link that signs a browser in as you, once, within ten minutes",
        web,
        members=True,
        details=(
            "The browser stays signed in for 30 days, by a key younger than a day for one, never longer than that key.",
            "`keys` lists it, `keys logout` signs it out. Keys, codes, deletion and moderation stay with ssh.",
        ),
    ),
    ExecCommand(
        "feed",
        Syntax((f"{OFF}?",)),
        "the address of a feed of the matches that wait for your move; a new one voids the last",
        feed,
        members=True,
        details=("Whoever knows the address reads along. `feed off` revokes it.",),
    ),
)
