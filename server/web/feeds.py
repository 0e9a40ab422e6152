"""Feeds: the matches that wait for one's move, as Atom, for whoever knows the secret in the address."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from xml.etree import ElementTree as Xml

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from server.accounts.identity import Identity, Player
from server.boards.weblinks import match_link
from server.clock import rfc3339
from server.errors import RateLimited
from server.matches.lists import by_urgency
from server.matches.model import MatchSummary
from server.services import Services
from server.store.errors import StoreUnavailable
from server.terminal.look import Look
from server.web.visitor import language_of

ATOM = "http://www.w3.org/2005/Atom"


def atom(player: Player, waiting: Sequence[MatchSummary], origin: str, look: Look, now: datetime) -> bytes:
    """Return a feed of these matches, which wait for this player; a move of theirs and another turn is a new entry."""
    feed = Xml.Element("feed", {"xmlns": ATOM})
    _text(feed, "title", look.t("feed.title", name=player.name))
    _text(feed, "id", f"{origin}/@{player.name}")
    _text(feed, "updated", rfc3339(now))
    for match in waiting:
        link = match_link(origin, match.id)
        others = [seat.player.name for seat in match.seats if not seat.player.is_same_person(player)]
        entry = Xml.SubElement(feed, "entry")
        _text(entry, "title", f"{look.game(match.game)}: {look.t('list.comma').join(others)}")
        _text(entry, "id", f"{link}#{match.seq}")
        _text(entry, "updated", rfc3339(match.started_at))
        _text(Xml.SubElement(entry, "author"), "name", look.t("list.comma").join(others) or player.name)
        Xml.SubElement(entry, "link", {"href": link})
    return bytes(Xml.tostring(feed, encoding="utf-8", xml_declaration=True))


def _text(parent: Xml.Element, name: str, text: str) -> None:
    Xml.SubElement(parent, name).text = text


class FeedRoute:
    """The address `/feed/SECRET.atom`. `source`: returns the address that a request counts as."""

    def __init__(self, services: Services, source: Callable[[HTTPConnection], str]) -> None:
        self._services, self._source = services, source

    def routes(self) -> list[BaseRoute]:
        """Return the address."""
        return [Route("/feed/{secret}.atom", self._answer)]

    async def _answer(self, request: Request) -> Response:
        """Answer with the feed; the same 404 for every secret that is nobody's, and for who may not come in."""
        try:
            found = await self._of(request)
        except RateLimited as refusal:
            return Response(status_code=429, headers={"retry-after": str(refusal.retry_after_ms // 1000 + 1)})
        except StoreUnavailable:
            return Response(status_code=503, headers={"retry-after": "60"})
        return Response(status_code=404) if found is None else Response(found, media_type="application/atom+xml")

    async def _of(self, request: Request) -> bytes | None:
        services, source = self._services, self._source(request)
        account = await services.accounts.feeds.reader_of(request.path_params["secret"][:100], source)
        if account is None:
            return None
        reader = Identity(account.id, account.handle, frozenset(), None, None, "", source)
        if services.conduct.check_access(reader) is not None:
            return None
        waiting = [one for one in await services.matches.running_of(reader.player) if one.waits_for(reader.player)]
        look = Look("default", "unicode", language_of(request.headers))
        ordered = by_urgency(waiting, reader.player)
        return atom(reader.player, ordered, services.settings.web_origin, look, services.clock.now())
