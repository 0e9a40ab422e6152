"""Feeds: the matches that wait for one's move, as Atom, for whoever knows the secret in the address."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from xml.etree import ElementTree as Xml

from starlette.responses import Response
from starlette.routing import BaseRoute

from server.accounts.identity import Identity, Player
from server.boards.seats import listed_name
from server.boards.weblinks import match_link
from server.clock import rfc3339
from server.matches.lists import by_urgency
from server.matches.model import MatchSummary
from server.terminal.look import Look
from server.web.guard import Guard, PageRequest

ATOM = "http://www.w3.org/2005/Atom"


def atom(player: Player, waiting: Sequence[MatchSummary], origin: str, look: Look, now: datetime) -> bytes:
    """Return a feed of these matches, which wait for this player; a move of theirs and another turn is a new entry."""
    feed = Xml.Element("feed", {"xmlns": ATOM})
    _text(feed, "title", look.t("feed.title", name=player.name))
    _text(feed, "id", f"{origin}/@{player.name}")
    _text(feed, "updated", rfc3339(now))
    for match in waiting:
        link = match_link(origin, match.id)
        players = [seat.player for seat in match.seats]
        seats = [at for at, one in enumerate(players) if not one.is_same_person(player)]
        others = [listed_name(players, at, look) for at in seats]
        entry = Xml.SubElement(feed, "entry")
        _text(entry, "title", look.t("list.pair", what=look.game(match.game), value=look.t("list.comma").join(others)))
        _text(entry, "id", f"{link}#{match.seq}")
        _text(entry, "updated", rfc3339(match.moved_at or match.started_at))
        _text(Xml.SubElement(entry, "author"), "name", look.t("list.comma").join(others) or player.name)
        Xml.SubElement(entry, "link", {"href": link})
    return bytes(Xml.tostring(feed, encoding="utf-8", xml_declaration=True))


def _text(parent: Xml.Element, name: str, text: str) -> None:
    Xml.SubElement(parent, name).text = text


class FeedRoute:
    """The address `/feed/SECRET.atom`."""

    def __init__(self, guard: Guard) -> None:
        self._guard, self._services = guard, guard.services

    def routes(self) -> list[BaseRoute]:
        """Return the address."""
        return [self._guard.route("/feed/{secret}.atom", self._answer, is_open=True)]

    async def _answer(self, asked: PageRequest) -> Response:
        """Answer with the feed; the same 404 for every secret that is nobody's, and for who may not come in."""
        services, source = self._services, asked.who.source
        account = await services.accounts.feeds.reader_of(asked.request.path_params["secret"][:100], source)
        if account is None:
            return self._guard.not_found(asked.request)
        reader = Identity(account.id, account.handle, frozenset(), None, None, "", source)
        if services.conduct.check_access(reader) is not None:
            return self._guard.not_found(asked.request)
        waiting = [one for one in await services.matches.running_of(reader.player) if one.waits_for(reader.player)]
        ordered = by_urgency(waiting, reader.player)
        chosen = (await services.accounts.preferences(account.id)).language  # a program that reads feeds asks for none
        look = replace(asked.look, language=chosen) if chosen else asked.look
        told = atom(reader.player, ordered, services.settings.web_origin, look, services.clock.now())
        return Response(told, media_type="application/atom+xml")
