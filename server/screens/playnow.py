"""A person's choices for Play now: ticked games, speed, rated or not; stored with the account."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from game import registry
from game.contract import Json, Seat
from server.accounts.identity import Player
from server.accounts.machines import MarkedAccounts
from server.boards.decks import deckbook
from server.boards.gamefacts import playable, seat_range
from server.boards.gamestyle import game_style
from server.boards.speeds import speed_words
from server.lobby.model import LobbyView, Seek, SeekView
from server.lobby.pairing import PATIENCE_S
from server.lobby.seeking import SeekTicket
from server.matches.agreement import Agreement
from server.matches.speeds import SPEEDS
from server.ratings.bradley_terry import Rating
from server.ratings.ladders import ladder_of
from server.screens import bringing
from server.session.session import Session
from server.terminal.frame import barred
from server.terminal.lines import Line, Span, columns, ends, fit, joined, leading, text_of, width_cols
from server.terminal.look import Look

SMALLER = ("ask", "yes", "no")
WIDEST = 100  # columns of the line of Play now: in a wider one the speed would stand far from the games
LARGE_ROWS = 4  # of Play now as the one large thing
SPANS = (0, 100, 200, 400)  # rating points around one's own


def deck_games() -> tuple[str, ...]:
    """Return the games that are played with decks of one's own."""
    return tuple(game for game in playable() if deckbook(game) is not None)


class PlayChoices:
    """The choices behind Play now, read from and written to the session's preferences."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._named: tuple[str, ...] = ()  # games of the search that goes on or is to begin, instead of the ticked ones
        self._named_speed = ""

    def name(self, games: tuple[str, ...] = (), speed: str = "") -> None:
        """Look for these games and at this speed until the search ends; nothing named: as it is ticked."""
        self._named, self._named_speed = games, speed

    @property
    def games(self) -> tuple[str, ...]:
        """Return the games that are named, or the ticked ones; none ticked means all."""
        if self._named:
            return self._named
        ticked = self.session.person.preferences.games
        chosen = tuple(game for game in playable() if game in ticked)
        return chosen or playable()

    @property
    def speed(self) -> str:
        """Return the wished speed."""
        if self._named_speed:
            return self._named_speed
        wished: str = self.session.person.preferences.speed
        return wished if wished in SPEEDS else "normal"

    @property
    def rated(self) -> bool:
        """Tell whether rated matches are wished; guests never play rated."""
        return bool(self.session.person.preferences.rated) and not self.session.identity.is_guest

    def key(self) -> Hashable:
        """Return what the line of Play now is drawn from while one does not look for players."""
        return (self.games, playable(), self.speed, self.rated)

    def tick(self, game: str) -> None:
        """Tick a game, or no longer."""
        ticked = self.games
        changed = tuple(one for one in ticked if one != game) if game in ticked else (*ticked, game)
        self.session.person.prefer(games=changed)

    def change_speed(self, step: int) -> None:
        """Choose the next or previous speed."""
        names = tuple(SPEEDS)
        self.session.person.prefer(speed=names[(names.index(self.speed) + step) % len(names)])

    def toggle_rated(self) -> None:
        """Choose rated or casual."""
        self.session.person.prefer(rated=not self.session.person.preferences.rated)

    @property
    def span(self) -> int:
        """Return how far from one's own rating an opponent may be; 0: any."""
        return self.session.person.rating_span

    def change_span(self, step: int) -> None:
        """Choose the next or previous span."""
        self.session.person.rating_span = SPANS[(SPANS.index(self.span) + step) % len(SPANS)]

    @property
    def players(self) -> int:
        """Return how many players are wished in games for several; no more than the ticked ones take."""
        return min(self.session.person.wished_players, self._most())

    @property
    def sizes(self) -> range:
        """Return how many players may be wished for in the ticked games."""
        return range(2, self._most() + 1)

    def _most(self) -> int:
        return max(seat_range(game).stop - 1 for game in self.games)

    def change_players(self, step: int) -> None:
        """Wish one more or one less, in a circle."""
        self.session.person.wished_players = 2 + (self.players - 2 + step) % (self._most() - 1)

    @property
    def smaller(self) -> str:
        """Tell whether fewer players will do after a while: `yes`, `no`, or `ask` then."""
        said: str = self.session.person.preferences.smaller
        return said if said in SMALLER else SMALLER[0]

    def change_smaller(self, step: int) -> None:
        """Choose the next or previous of the three."""
        self.session.person.prefer(smaller=SMALLER[(SMALLER.index(self.smaller) + step) % len(SMALLER)])

    def consent(self, game: str, wished: int) -> dict[str, Any]:
        """Return what a wish for so many players says about fewer."""
        least = seat_range(game).start
        if wished <= least:
            return {"fewest": None, "asks": False}
        return {"fewest": least if self.smaller == "yes" else None, "asks": self.smaller == "ask"}

    @property
    def bots(self) -> bool:
        """Tell whether empty seats may go to built-in players after a while."""
        return bool(self.session.person.preferences.bots)

    @property
    def machines(self) -> bool:
        """Tell whether machines may be opponents; a machine itself plays with its like."""
        identity = self.session.identity
        return bool(self.session.person.preferences.machines) or identity.account_id in self._machines

    @property
    def _machines(self) -> MarkedAccounts:
        return self.session.services.machines.known

    def has_several(self) -> bool:
        """Tell whether a ticked game may be played by more than two."""
        return any(len(seat_range(game)) > 1 for game in self.games)

    async def seeks(self) -> tuple[Seek, ...]:
        """Return the seeks for each ticked game; the hard range stands around one's own rating in that game."""
        account_id = self.session.identity.account_id
        await self.session.decks.load()
        ratings: Mapping[str, Rating] = {}
        if self.span and account_id is not None:
            ratings = await self.session.services.ratings.all_of(account_id)
        return tuple(
            self._seek(game, ratings.get(ladder_of(game, self._wished(game), seat or 0), Rating()).shown, seat)
            for game in self.games
            for seat in self.seats_of(game)
        )

    def seats_of(self, game: str) -> tuple[Seat | None, ...]:
        """Return the seats to look for in a game: the side one likes; each by itself where the decks are chosen."""
        side, session = bringing.wished_side(self.session, game), self.session
        names = bringing.side_names(game)
        if side is not None or not names:
            return (side,)
        chosen = any(bringing.wished_deck(session, game, seat) for seat in range(len(names)))
        return tuple(Seat(seat) for seat in range(len(names))) if chosen else (None,)

    def brought(self, game: str, seat: Seat | None) -> Mapping[str, Json]:
        """Return the deck for a seat; none is chosen for any seat there may be."""
        if seat is None or not bringing.side_names(game):
            return {}
        return bringing.brought_along(self.session, game, seat, bringing.wished_deck(self.session, game, seat))

    def _wished(self, game: str) -> int:
        sizes = seat_range(game)
        return min(max(sizes.start, self.players), sizes.stop - 1)

    def _seek(self, game: str, rating: int, seat: Seat | None) -> Seek:
        wished = self._wished(game)
        low, high = (rating - self.span, rating + self.span) if self.span else (None, None)
        return Seek(
            Agreement(game, wished, speed=self.speed, rated=self.rated, machines=self.machines),
            rating_low=low,
            rating_high=high,
            bots=self.bots,
            seat=seat,
            seat_options=self.brought(game, seat),
            **self.consent(game, wished),
        )

    def patience(self, look: Look) -> str:
        """Say what becomes of the search after a while."""
        if self.smaller != "no" and any(self.players > seat_range(game).start for game in self.games):
            words = {"yes": "lobby.patience.fewer", "ask": "lobby.patience.ask"}[self.smaller]
            return look.t("lobby.patience.fewer-bots" if self.bots else words, n=round(PATIENCE_S))
        return look.t("lobby.patience.bots", n=round(PATIENCE_S)) if self.bots else ""

    async def seek(self) -> SeekTicket:
        """Look for players; returns the ticket that stops it."""
        session = self.session
        return await session.services.lobby.seek(session.identity.player, await self.seeks(), session.id)

    async def answer(self, seeks: Sequence[SeekView]) -> SeekTicket:
        """Look for just what somebody else looks for."""
        session = self.session
        await session.decks.load()
        wanted = tuple(self._answering(seek) for seek in seeks)
        return await session.services.lobby.seek(session.identity.player, wanted, session.id)

    def _answering(self, seek: SeekView) -> Seek:
        """Return the seek that fits somebody else's."""
        theirs, game = seek.seek.seat, seek.agreement.game
        seat = Seat(1 - theirs) if theirs is not None and seek.agreement.players == 2 else None
        agreement = replace(seek.agreement, machines=self.machines or seek.player.is_machine)
        own = self.consent(game, seek.agreement.players)
        wanted = replace(seek.seek, agreement=agreement, seat=seat, seat_options=self.brought(game, seat), **own)
        return replace(wanted, rating_low=None, rating_high=None)

    def lines(
        self, look: Look, cols: int, is_looking: bool, rows: int = 1, ratings: tuple[int, int] | None = None
    ) -> list[Line]:
        """Draw Play now: which games are ticked, how; or that one looks for players, of which ratings.

        In one line, or as the one large thing of a screen with rows enough.
        """
        if rows < LARGE_ROWS:
            return [self._looking(look, cols, ratings) if is_looking else self._offer(look, cols)]
        how, kind = speed_words(self.speed, look), self._kind(look)
        change: Line = (("bar.key", "g"), ("bar.dim", f" {look.t('keys.lobby.games')}  "))
        first = self._looking_words(look, ratings) if is_looking else (*self._button(look), *self._ticks(look))
        if not is_looking and width_cols(first) >= cols:
            return [barred(fit(line, cols)) for line in self._narrow(look, cols, change)]
        stop: Line = (("bar.key", "x"), ("bar.dim", f" {look.t('keys.lobby.cancel')}  ")) if is_looking else ()
        second: Line = (("bar.dim", f" {' ' * columns(text_of(self._button(look)))}{how} · {kind}"),)
        lines = [(), ends((("", " "), *first), stop, cols), ends(second, change, cols), ()]
        return [barred(fit(line, cols)) for line in lines]

    def _narrow(self, look: Look, cols: int, change: Line) -> list[Line]:
        """Draw it where the games have no room beside the key: below it, each whole, as many as have room."""
        how = f"{look.t(f'speed.{self.speed}')} · {self._kind(look)} "
        rows: list[Line] = [()]
        for span in self._ticks(look)[::2]:
            longer = (*rows[-1], ("", "  "), span)
            rows = [*rows[:-1], longer] if width_cols(longer) <= cols else [*rows, (("", "  "), span)]
        last = ends(rows[1] if len(rows) > 1 else (), change, cols)
        return [(), ends((("", " "), *self._button(look)), (("bar.dim", how),), cols), rows[0], last]

    def words(self, look: Look, is_looking: bool, ratings: tuple[int, int] | None = None) -> str:
        """Say Play now: in which games and how one looks for players, or would."""
        comma = look.t("list.comma")
        how = comma.join((*map(look.game, self.games), speed_words(self.speed, look), self._kind(look)))
        if not is_looking:
            return look.t("list.pair", what=look.t("lobby.play-now"), value=how)
        return joined((look.t("lobby.looking"), comma.join(filter(None, (how, self._among(look, ratings))))))

    def _kind(self, look: Look) -> str:
        return look.t("match.rated" if self.rated else "match.casual")

    def _among(self, look: Look, ratings: tuple[int, int] | None) -> str:
        """Say which ratings are sought."""
        return look.t("lobby.window", low=ratings[0], high=ratings[1]) if ratings else ""

    def _button(self, look: Look) -> Line:
        return (("button", f" p  {look.t('lobby.play-now')} "), ("", "   "))

    def _ticks(self, look: Look) -> Line:
        """Name the games; those that are ticked are marked."""
        glyphs, wished = look.glyphs, self.games
        spans: list[Span] = []
        for game in playable():
            ticked = game in wished
            name = f"{look.game(game)} {glyphs.yes if ticked else glyphs.no}"
            spans += [(game_style(game) if ticked else "dim", name), ("", "  ")]
        return tuple(spans[:-1])

    def _offer(self, look: Look, cols: int) -> Line:
        right = f"{look.t(f'speed.{self.speed}')} · {self._kind(look)} "
        button: Line = (*self._button(look)[:-1], ("", "  "))
        left: Line = (*button, *self._ticks(look))
        if width_cols(left) > cols:  # games are named whole or not at all
            return fit((*button, ("dim", right)), cols)
        has_room = width_cols(left) + columns(right) < cols
        return ends(left, (("dim", right),) if has_room else (), min(cols, WIDEST))

    def _looking(self, look: Look, cols: int, ratings: tuple[int, int] | None) -> Line:
        right = f"{look.t(f'speed.{self.speed}')} · {self._kind(look)} "
        left: Line = (("", " "), *self._looking_words(look, ratings))
        left = left if width_cols(left) + columns(right) < cols else left[:-1]  # games are named whole or not at all
        return ends(left, (("dim", right),), min(cols, WIDEST))

    def _looking_words(self, look: Look, ratings: tuple[int, int] | None) -> Line:
        names = look.t("list.comma").join(look.game(game) for game in self.games)
        among = self._among(look, ratings)
        return ("good", leading(look.t("lobby.looking"))), ("", f"{among}  " if among else ""), ("dim", names)


def looking_words(view: LobbyView, reader: Player, look: Look) -> str:
    """Say how many others look for a match in each game and at each speed; empty where nobody does."""
    where = _waiting_words([one for one in view.seeks if not one.player.is_same_person(reader)], look)
    return look.t("lobby.looking-now", where=where) if where else ""


def other_speeds(view: LobbyView, choices: PlayChoices, look: Look) -> str:
    """Say who looks for what one looks for, at another speed: both would wait for ever. Empty where nobody does."""
    person = choices.session.person
    found = [
        one
        for one in view.seeks
        if one.agreement.game in choices.games
        and one.agreement.speed != choices.speed
        and not (one.player.is_same_person(person.identity.player) or one.player.is_among(person.blocked))
    ]
    where = _waiting_words(found, look)
    return look.t("lobby.other-speed", where=where) if where else ""


def _waiting_words(seeks: Sequence[SeekView], look: Look) -> str:
    """Say how many people wait in each game and at each speed; who would play any of several is told of once."""
    wanted = dict[tuple[str, str], set[str]]()  # games, by speed and person
    for one in seeks:
        wanted.setdefault((one.agreement.speed, one.player.person), set()).add(one.agreement.game)
    counted = Counter((tuple(registry.in_order(games)), speed) for (speed, _), games in wanted.items())
    either = look.t("list.or")
    said = [
        look.t("lobby.looking-in", game=either.join(map(look.game, games)), speed=look.t(f"speed.{speed}"), n=n)
        for (games, speed), n in sorted(counted.items())
    ]
    return look.t("list.comma").join(said)


def usual_wait(view: LobbyView, choices: PlayChoices, look: Look) -> str:
    """Say for how long one usually looks in the games one looks for; empty where nobody has been paired lately."""
    found = [seconds for game, speed, seconds in view.waits if game in choices.games and speed == choices.speed]
    if not found:
        return ""
    seconds = min(found)
    minutes = -(-seconds // 60)
    time = look.t("clock.minutes", min=minutes) if seconds > 60 else look.t("clock.seconds", s=seconds)
    return look.t("lobby.usual-wait", time=time)
