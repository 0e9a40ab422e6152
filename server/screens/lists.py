"""What the lobby lists: open seats and live matches as everybody sees them, my matches and challenges above them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from game.comparing import comparable
from server.lobby.model import Challenge, LobbyView, PersonHere
from server.matches.agreement import Agreement
from server.matches.guestlimits import closed_to_guests
from server.matches.lists import by_urgency
from server.matches.model import MatchSummary, WaitingOffer
from server.screens import lobbyrows
from server.screens.lobbyrows import LobbyRow
from server.screens.news import MOST, News
from server.screens.preview import preview_cols, talk_cols
from server.session.session import Session
from server.terminal.items import Empty, Offer
from server.terminal.look import Look
from server.terminal.memo import by_identity
from server.terminal.stage import SPREAD

TOP: Final = (
    "news",
    "mine",
    "rematch",
    "challenge",
    "asked",
    "codes",
)  # kinds of rows above all others, whatever the filter
LOOK_EVERY_S: Final = 60.0  # at my matches in the store: private ones are on no list


def list_cols(cols: int) -> int:
    """Return how many of a screen's columns the lists have, beside a match that is shown, who is here and the chat."""
    return cols - preview_cols(cols) - talk_cols(cols)


@dataclass(frozen=True, slots=True)
class FollowedTold:
    """Somebody whom one follows, as the lobby names them: whether they play, and how many of their messages are new."""

    name: str
    is_playing: bool
    unread: int


@dataclass(frozen=True, slots=True)
class OpenRows:
    """The rows that everybody sees alike, and by its key which one each is."""

    rows: tuple[LobbyRow, ...]
    index_by_key: Mapping[str, int]


@by_identity(8)
def _rows_by_look(view: LobbyView) -> dict[tuple[Look, int, bool], OpenRows]:
    return {}


def open_rows(view: LobbyView, look: Look, names_cols: int, is_guest: bool) -> OpenRows:
    """Return the rows of seeks, rooms and live matches; made once for all who look at them.

    What one can't join, a full room or to guests what is not for them, stands behind what one can join or watch.
    """
    known = _rows_by_look(view)
    found = known.get((look, names_cols, is_guest))
    if found is None:
        listed = {summary.id for summary in view.matches}  # one match stands in one row
        rooms = (room for room in view.rooms if room.match not in listed)

        def is_closed(agreed: Agreement) -> bool:
            return is_guest and closed_to_guests(agreed.rated, agreed.speed) is not None

        joined = [
            *(
                (is_closed(one[0].agreement), lobbyrows.seek_row(one, look, names_cols))
                for one in lobbyrows.by_seeker(view.seeks)
            ),
            *(
                (is_closed(room.agreement) or room.is_full, lobbyrows.room_row(room, look, names_cols))
                for room in rooms
            ),
        ]
        rows = (
            *(row for is_behind, row in joined if not is_behind),
            *(lobbyrows.live_row(summary, look, names_cols) for summary in view.matches),
            *(row for is_behind, row in joined if is_behind),
            *(lobbyrows.ended_row(summary, look, names_cols, view.at) for summary in view.ended),
        )
        found = known[look, names_cols, is_guest] = OpenRows(rows, {row.key: i for i, row in enumerate(rows)})
    return found


def _watched(view: LobbyView) -> Iterator[MatchSummary]:
    return (one for one in view.matches if one.status == "live" and not one.is_closed)


def _newer(own: MatchSummary, shown: MatchSummary | None) -> MatchSummary:
    """Return a match of one's own as it is by now: where nothing more is shown, one's own list knows as much."""
    return own if shown is None or shown.seq == own.seq else shown


def _has_lapsed(challenge: Challenge, now: datetime) -> bool:
    return challenge.until is not None and challenge.until <= now


def empty(look: Look, filtered: str, is_looking: bool, is_newcomer: bool = False, has_waiting: bool = False) -> Empty:
    """Return what stands where nothing is listed: that nothing fits the filter, or what one can do alone.

    `has_waiting`: others do wait, in rows above.
    """
    if filtered:
        return Empty(look.t("lobby.nothing-found", filter=filtered))
    first = (("first", "1"),) if is_newcomer else ()
    names = (*first, ("bot", "b"), ("tutorial", "u"), ("new", "n"))  # Play now stands above, whatever is listed
    offers = [Offer(key, look.t(f"keys.lobby.{name}"), look.t(f"lobby.empty.{name}")) for name, key in names]
    text = "lobby.empty.also" if has_waiting else "lobby.empty.looking" if is_looking else "lobby.empty"
    return Empty(look.t(text), tuple(offers))


class Lists:
    """The lobby's lists for one person; `rows` is made again only when something has changed."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.view: LobbyView = session.services.lobby.snapshot()
        self.mine: tuple[MatchSummary, ...] = ()
        self.challenges: tuple[Challenge, ...] = ()
        self.asked: tuple[Challenge, ...] = ()  # one's own that stand, or were declined
        self.offers: tuple[WaitingOffer, ...] = ()  # what others offer in these matches, or after them
        self.answered: set[str] = set()  # codes of challenges that were accepted or declined here
        self.news: tuple[News, ...] = ()  # what ended while this person was away
        self.codes_wait = False  # the recovery codes, for who has played a match
        self.filter = ""
        self._looked_at, self._hints = float("-inf"), session.services.lobby.hints
        self._made: tuple[object, list[LobbyRow]] | None = None

    @property
    def is_everybodys(self) -> bool:
        """Tell whether this person sees the rows that everybody sees: nothing of their own or hidden, no filter."""
        own = (
            self.codes_wait
            or self.news
            or self.mine
            or self.rematches
            or self.challenges
            or self.asked
            or self.filter
            or self.session.person.hidden_names
        )
        return not own and self.session.identity.person not in self.view.seekers | self.view.sent_away

    def is_declined(self, code: str) -> bool:
        """Tell whether a challenge of one's own was declined."""
        return any(one.code == code and one.is_declined for one in self.asked)

    @property
    def rematches(self) -> tuple[WaitingOffer, ...]:
        """Return the rematches that others have asked this person for."""
        return tuple(one for one in self.offers if one.what == "rematch")

    @property
    def names_cols(self) -> int:
        """Return how many columns of a row are for names: a wide terminal has more for them."""
        return lobbyrows.names_cols_of(list_cols(SPREAD.size_on(*self.session.display.size)[0]))

    def most_interesting(self) -> MatchSummary | None:
        """Return the live match that is shown beside the lists: the first that others play."""
        hidden, mine = self.session.person.hidden_names, {summary.id for summary in self.mine}
        others = (one for one in _watched(self.view) if one.id not in mine)
        return next((one for one in others if not any(seat.player.name in hidden for seat in one.seats)), None)

    @property
    def has_no_live_match(self) -> bool:
        """Tell whether no public match is live, so that an exhibition is shown."""
        return all(one.status != "live" for one in self.view.matches)

    @property
    def has_preview(self) -> bool:
        """Tell whether a match or an exhibition is shown beside the lists."""
        return self.has_live_preview or (self.has_no_live_match and self.session.services.exhibition.is_running)

    @property
    def has_live_preview(self) -> bool:
        """Tell whether a match that others play is shown."""
        return self.most_interesting() is not None

    def _open_rows(self) -> OpenRows:
        return open_rows(self.view, self.session.look, self.names_cols, self.session.identity.is_guest)

    @property
    def open_count(self) -> int:
        """Return how many rows everybody sees."""
        return len(self._open_rows().rows)

    def index_of(self, key: str) -> int | None:
        """Return which row has a key, None where none has."""
        if self.is_everybodys:
            return self._open_rows().index_by_key.get(key)
        return next((i for i, row in enumerate(self.rows()) if row.key == key), None)

    def rows(self) -> Sequence[LobbyRow]:
        """Return every row that can be chosen: mine, challenges, open seats, live matches (filtered)."""
        if self.is_everybodys:
            return self._open_rows().rows
        hidden = self.session.person.hidden_names
        key = (
            id(self.view),
            self.codes_wait,
            self.news,
            self.mine,
            self._minute(),
            self.challenges,
            self.asked,
            self.offers,
            self.filter,
            self.session.look,
            hidden,
            self.names_cols,
        )
        if self._made is None or self._made[0] != key:
            self._made = (key, self._rows())
        return self._made[1]

    def _minute(self) -> int:
        """Return the minute that the times in one's own rows are of."""
        return int(self.session.services.clock.now().timestamp() // 60) if self.mine else 0

    def _rows(self) -> list[LobbyRow]:
        look, me = self.session.look, self.session.identity.player
        told = {*(one.id for one in self.mine), *(one.match for one in self.news)}
        told |= {one.match for one in self.rematches}
        wanted = comparable(self.filter).split()
        found = [lobbyrows.news_row(one, look, self.names_cols) for one in self.news]
        now = self.session.services.clock.now()
        offered = {one.match: one.what for one in reversed(self.offers)}
        for summary in self.mine:
            offer = offered.get(summary.id)
            found.append(lobbyrows.mine_row(summary, me, look, self.names_cols, now, offer))
        found += [lobbyrows.rematch_row(one, look, self.names_cols) for one in self.rematches]
        found += [lobbyrows.challenge_row(challenge, look, self.names_cols) for challenge in self.challenges]
        found += [lobbyrows.asked_row(challenge, look, self.names_cols) for challenge in self.asked]
        found += [lobbyrows.codes_row(look)] if self.codes_wait else []  # below what waits for an answer
        for row in self._open_rows().rows:
            own_seek = any(seek.player.is_same_person(me) for seek in row.seeks)
            if row.people & self.session.person.hidden_names or self.session.identity.person in row.closed_to:
                continue
            text = comparable(row.text)
            if not own_seek and row.target not in told and all(word in text for word in wanted):
                found.append(row)
        return found

    def here(self) -> tuple[PersonHere, ...]:
        """Return who is here, without those whom this person has blocked."""
        hidden = self.session.person.hidden_names
        return tuple(one for one in self.view.here if one.name not in hidden) if hidden else self.view.here

    def here_count(self) -> int:
        """Return how many are here: oneself too, who is not listed yet, or wants not to be."""
        return len(self.here()) + (not self.is_listed)

    @property
    def is_listed(self) -> bool:
        """Tell whether this person is among those who are here: the list is made anew every few seconds."""
        return self.session.identity.name in self.view.names_here

    def followed_here(self) -> tuple[PersonHere, ...]:
        """Return who of those whom this person follows is here."""
        return self._followed_in(self.view)

    def followed_told(self) -> tuple[FollowedTold, ...]:
        """Return what the lobby says of those whom this person follows: who is here, and who has written."""
        followed = self.session.person.followed
        if not followed:
            return ()
        here = {one.name: one.playing is not None for one in self.followed_here()}
        told = (*here, *(name for name, one in followed.items() if one.unread and name not in here))
        return tuple(FollowedTold(name, here.get(name, False), followed[name].unread) for name in told)

    def _followed_in(self, view: LobbyView) -> tuple[PersonHere, ...]:
        followed = self.session.person.followed
        return tuple(one for one in view.here if one.name in followed) if followed else ()

    def refresh(self) -> bool:
        """Take the lobby as it is now; False: it is the same."""
        now = self.session.services.lobby.snapshot()
        if now is self.view:
            return False
        self.view = now
        fresh = {summary.id: summary for summary in now.matches if not summary.is_closed}
        mine = (_newer(summary, fresh.get(summary.id)) for summary in self.mine)
        self.mine = tuple(by_urgency(mine, self.session.identity.player))
        return True

    def replace(self, now: LobbyView) -> None:
        """Take the lobby as it is now, and make rows of it when they are asked for."""
        self.view, self._made = now, None

    def refresh_if_unconcerned(self, now: LobbyView) -> bool:
        """Take the lobby as it is now, where this person has nothing of their own in it; False: they may, so look."""
        person = self.session.identity.person
        is_late = self.session.services.clock.monotonic() - self._looked_at >= LOOK_EVERY_S
        if is_late or person in now.seekers or person in now.matches_by_person or not self.is_everybodys:
            return False
        if self._sighted(now) != self._sighted(self.view):
            return False
        self.view = now
        return True

    def _sighted(self, view: LobbyView) -> list[tuple[str, str | None]]:
        return [(one.name, one.playing) for one in self._followed_in(view)]

    @property
    def has_hint(self) -> bool:
        """Tell whether a challenge may have come or gone since the store was asked."""
        return self._hints != self.session.services.lobby.hints

    def needs_load(self) -> bool:
        """Tell whether it is time to ask the store: a match of mine has come or gone, or some time has passed."""
        listed = self.view.matches_by_person.get(self.session.identity.player.person, frozenset())
        known = {summary.id for summary in self.mine}
        is_late = self.session.services.clock.monotonic() - self._looked_at >= LOOK_EVERY_S
        return is_late or not listed <= known

    def end(self, news: News) -> None:
        """Show how a match ended in place of the match."""
        self.news = (news, *self.news)[:MOST]
        self.mine = tuple(one for one in self.mine if one.id != news.match)

    async def load(self) -> None:
        """Ask the store for my running matches and for who challenges me; a new challenge is called out."""
        session, services = self.session, self.session.services
        me = session.identity.player
        self._looked_at, self._hints = services.clock.monotonic(), services.lobby.hints
        # the challenges first: they are read by a task of their own, and so in the same transaction as the rest
        challenges, asked, mine, offers = await asyncio.gather(
            services.lobby.challenges.to(me),
            services.lobby.challenges.standing(me),
            services.matches.running_of(me),
            services.matches.offers_to(me),
        )
        self.codes_wait = (session.person.preferences.codes_wait and not session.in_browser) and (
            me.account_id is not None and await services.matches.last_end(me.account_id) is not None
        )
        before, known, now = self.challenges, {challenge.code for challenge in self.challenges}, services.clock.now()
        seen = {summary.id for summary in self.mine}
        began = {seat.player.person for summary in mine if summary.id not in seen for seat in summary.seats}
        self._tell_declined(asked)
        self.asked = asked
        self.mine = tuple(by_urgency(mine, me))
        hidden = session.person.hidden_names
        self.offers = tuple(one for one in offers if not hidden.intersection(player.name for player in one.by))
        self.challenges = tuple(one for one in challenges if one.by.name not in session.person.hidden_names)
        for challenge in self.challenges:
            if challenge.code not in known:
                game = session.look.game(challenge.agreement.game)
                said = "lobby.invited" if challenge.is_invitation else "lobby.challenged"
                session.appearance.call(session.t(said, name=challenge.by.name, game=game))
                session.prompts.notice(said, name=challenge.by.name, game=game)
        open_now = {challenge.code for challenge in challenges}
        for challenge in before:
            is_replaced = any(one.by == challenge.by and one.agreement == challenge.agreement for one in challenges)
            is_taken = challenge.by.person in began
            if challenge.code not in open_now and challenge.code not in self.answered and not (is_replaced or is_taken):
                game, has_lapsed = session.look.game(challenge.agreement.game), _has_lapsed(challenge, now)
                gone = "lobby.challenge-lapsed" if has_lapsed else "lobby.challenge-gone"
                said = "lobby.invitation-gone" if challenge.is_invitation else gone
                session.prompts.notice(said, name=challenge.by.name, game=game)
        self.answered &= open_now

    def lapses_in(self) -> float | None:
        """Return in how many seconds the next challenge lapses, to or by this person; None: none is open."""
        now = self.session.services.clock.now()
        ends = [one.until for one in (*self.challenges, *self.asked) if one.until is not None]
        return max(0.0, (min(ends) - now).total_seconds()) if ends else None

    def _tell_declined(self, asked: Sequence[Challenge]) -> None:
        """Tell who waits for an answer, on whatever page, that it is no."""
        session, waited = self.session, {one.code for one in self.asked if not one.is_declined}
        for one in asked:
            if one.is_declined and one.code in waited:
                said = session.t("lobby.has-declined", name=one.to, game=session.look.game(one.agreement.game))
                session.appearance.call(said)
                session.prompts.say(said)
