"""A player's profile: ratings, the curve of one ladder, and the matches played."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from server.accounts.accounts import Account
from server.boards import keymap
from server.boards.gamestyle import game_style
from server.boards.outcome import outcome_of
from server.boards.seats import ladder_name, short_words, shown_rating
from server.clock import moment_words
from server.matches.model import OVER, MatchQuery, MatchSummary
from server.ratings.bradley_terry import Rating, shown
from server.ratings.ladders import all_ladders
from server.ratings.ratings import curve_of
from server.screens import complaints, following
from server.screens.challenging import challenge
from server.screens.columns import Column, cells, fitting, headings, row_words
from server.screens.listpage import ListPage
from server.screens.lobbyrows import people_first, seat_words
from server.screens.ratingcurve import LEAST_STEPS, curve, trace
from server.session import places
from server.session.page import Body
from server.session.session import Session
from server.terminal.hint import Hint
from server.terminal.itemlines import heading_line, offer_lines, said_lines
from server.terminal.items import Heading, Item, Offer, Said, SparkLine
from server.terminal.lines import Line, at_end, beside, fit, fit_shorter, pad, plain, text_of

TO_OTHERS = frozenset(("challenge", "follow", "write", "note", "block", "report"))  # commands
DAY_COLS, GAME_COLS, OUTCOME_COLS, CHANGE_COLS = 16, 10, 8, 4
KIND_COLS = 19  # "normal, not counted"
WIDE_COLS = 78  # below, a row has no room for the kind of a match: whom one played matters more
CURVE_ROWS = 6
LADDER_COLS, SPARK_COLS, NUMBER_COLS = 20, 14, 8
NARROW_COLS = 6  # of a number of the totals in a narrow window
TOTALS_COLS = 54  # of the totals, before a curve that has no lines of its own
MATCHES_SHOWN = 100
LEAST_COLS = 50  # in which a match shows its year and what it did to the rating
HEAD_ROWS = 2  # before the matches
MARK_COLS = 3  # before a ladder
LEAST_ROWS = 5  # of matches, before a curve or totals are drawn


@dataclass(frozen=True, slots=True)
class MatchCounts:
    """How the finished matches of one game ended for a player; lost is what was neither won nor drawn."""

    game: str
    played: int
    won: int
    drawn: int

    @property
    def lost(self) -> int:
        """Return how many were neither won nor drawn."""
        return self.played - self.won - self.drawn


class ProfilePage(ListPage[MatchSummary]):
    """What anybody may know of a player."""

    context = "profile"

    def __init__(self, session: Session, handle: str) -> None:
        super().__init__(session)
        self.handle = handle
        self.account: Account | None = None
        self.is_loaded = False
        self.ratings: dict[str, Rating] = {}
        self.ladder = ""
        self.curves: dict[str, tuple[int, ...]] = {}  # by ladder, oldest first
        self.matches: list[MatchSummary] = []
        self.vacation_until: datetime | None = None
        self.note = ""  # this person's own, on whose profile it is
        self.changes: dict[str, int] = {}  # by match, of the rating shown

    def start(self) -> None:
        self.session.spawn(self._load())

    async def _load(self) -> None:
        services = self.session.services
        services.matches.reading.begin(self.session.identity.sources)
        self.account = await services.accounts.by_handle(self.handle)
        if self.account is not None:
            await self._load_note()
            self.vacation_until = (await services.matches.vacations.of(self.account.id)).until
            self.ratings = dict(await services.ratings.all_of(self.account.id))
            self.ladder = next(iter(sorted(self.ratings, key=lambda name: -self.ratings[name].matches)), "")
            query = MatchQuery(
                account_id=self.account.id,
                statuses=frozenset(("live", "adjourned", "finished")),
                limit=MATCHES_SHOWN,
                asker=services.matches.asker(self.session.identity.player),
            )
            listed, hidden = await services.matches.list(query), self.session.person.blocked
            found = sorted(listed, key=lambda one: (one.ended_at is None, one.ended_at or one.started_at), reverse=True)
            is_own = self.account.id == self.session.identity.account_id
            self.matches = [
                one for one in found if is_own or not any(seat.player.is_among(hidden) for seat in one.seats)
            ]
            await self._load_changes(self.account.id)
        self.is_loaded = True

    async def _load_note(self) -> None:
        if self._may_complain() and (own := self.session.identity.account_id) is not None:
            self.note = await self.session.services.following.note(own, self.handle)

    async def _load_changes(self, account_id: int) -> None:
        """Read what each match did to the shown rating, and how the ratings went."""
        history = self.session.services.ratings.history
        found = await asyncio.gather(*(history(account_id, ladder) for ladder in self.ratings))
        self.curves = {ladder: curve_of(changes) for ladder, changes in zip(self.ratings, found, strict=True)}
        self.changes = {
            change.match_id: shown(change.mu_after) - shown(change.mu_before) for one in found for change in one
        }

    @property
    def curve(self) -> tuple[int, ...]:
        """Return how the rating went on the ladder that is shown, oldest first."""
        return self.curves.get(self.ladder, ())

    def landing(self) -> str:
        return f"profile {self.handle}"

    def title(self) -> str:
        return f"{self.session.t('profile.title')} · {self.session.marked(self.handle)}"

    def lines_needed(self) -> int | None:
        """Return how many lines it has where nothing was played yet."""
        if self.ratings or self.matches:
            return None
        said, cols = [*self._instead, *self._about(), *self.below()], self.most_cols
        return len(said_lines(said, cols)) + HEAD_ROWS + len(offer_lines(self._offers(), cols)) + 1

    def body(self, cols: int, rows: int) -> Body:
        """Draw ratings, curve, totals and matches, from top to bottom; the matches come before totals and curve."""
        if self._instead:
            return Body([(), *said_lines(self._instead, cols)])
        lines = [*said_lines(self._about(), cols), *self._ratings(cols)]
        left = rows - len(lines) - min(len(self.matches), LEAST_ROWS) - 2
        totals, graph = self._totals_lines(), self._curve(cols)
        totals = totals if len(totals) <= left else []
        if len(graph) + len(totals) <= left:
            lines += graph
        elif totals and cols >= WIDE_COLS:
            totals = beside(totals, self._small_curve(cols - TOTALS_COLS, len(totals)), TOTALS_COLS, cols - TOTALS_COLS)
        lines += totals
        lines += [(), heading_line(Heading(self.session.t("profile.matches")), 1)]
        if not self.matches:
            said = [*lines, *said_lines(self.below(), cols)]
            return Body(at_end(said, offer_lines(self._offers(), cols), cols, rows - self.covered_rows))
        lines += [fit(line, cols) for line in self.list_lines(len(lines), rows - len(lines))]
        return Body(self.with_offers(lines, cols, rows))

    def offered(self) -> tuple[Hint, ...]:
        return self._own_hints()

    @property
    def _instead(self) -> list[Said]:
        """Say why there is nothing to see."""
        t = self.session.t
        if not self.is_loaded:
            return [Said(t("page.loading"), "dim")]
        if self.account is None:
            return [Said(t("profile.nobody", name=self.handle))]
        return [Said(t("profile.blocked", name=self.handle))] if self._is_hidden else []

    def above(self) -> list[Item]:
        """Tell who it is, how the ratings stand and went, and how the matches ended."""
        if self._instead:
            return list(self._instead)
        told, look = list[Item](self._about()), self.session.look
        for name in self._rated():
            told += [Said(row_words(self._rating_columns(), name, look)), SparkLine(self.curves.get(name, ()))]
        if totals := self._totals():
            words = [Said(row_words(self._total_columns(), one, look)) for one in totals]
            told += [Heading(self._totals_head), *words]
        return [*told, Heading(self.session.t("profile.matches"))]

    def below(self) -> list[Said]:
        """Say that there is no match yet."""
        return [] if self.matches or self._instead else [Said(self.session.t("profile.no-matches"))]

    def items(self) -> list[Item]:
        """Tell the person, the matches, and where there are none, what one can do."""
        return [*super().items(), *self._offers()]

    def _offers(self) -> list[Offer]:
        return [] if self.matches or self._instead else self.offers(self._own_hints())

    def listed(self) -> list[MatchSummary]:
        """Return the matches, the newest first; none of somebody who is blocked."""
        return [] if self._instead else self.matches

    def _about(self) -> list[Said]:
        """Say which role this person has on the server, what was noted of them, and that they have no rating.

        A name alone proves no role.
        """
        held = [f"profile.role.{role}" for role in sorted(self.account.roles)] if self.account is not None else []
        if self.account is not None and self.account.machine_since is not None:
            held.append("profile.machine")
        told = [Said(self.session.t(key), "title") for key in held]
        if (until := self.vacation_until) is not None:
            told.append(Said(self.session.t("profile.vacation", until=moment_words(until))))
        told += [Said(self.session.t("profile.note", text=self.note))] if self.note else []
        return told if self.ratings else [*told, Said(self.session.t("profile.unrated"), "dim")]

    def _rated(self) -> list[str]:
        """Return the ladders on which this person has a rating."""
        return [name for name in all_ladders() if name in self.ratings]

    def _rating_columns(self) -> tuple[Column[str], ...]:
        """Return a ladder, the rating there, how it went, the number of matches, and whether the rating is in doubt."""
        look = self.session.look

        def went(name: str) -> str:
            return trace(self.curves.get(name, ()), look, SPARK_COLS)

        def doubt(name: str) -> str:
            rating = self.ratings[name]
            written = shown_rating(rating.shown, rating.provisional)
            return look.t("profile.provisional", rating=written) if rating.provisional else ""

        drawn = (Column("", SPARK_COLS, went, "accent", said=lambda name: ""),) if self.size[0] >= WIDE_COLS else ()
        return (
            Column("profile.ladder", LADDER_COLS, lambda name: ladder_name(name, look), gap=0),
            Column("ladders.rating", NUMBER_COLS, lambda name: str(self.ratings[name].shown), is_number=True),
            *drawn,
            Column("ladders.matches", NUMBER_COLS, lambda name: str(self.ratings[name].matches), is_number=True),
            Column("", 0, doubt, "dim"),
        )

    def _ratings(self, cols: int) -> list[Line]:
        """Draw the ratings as a table; the ladder whose curve shows is the chosen row."""
        look, names = self.session.look, self._rated()
        columns = fitting(self._rating_columns(), cols - 1 - MARK_COLS)
        lines: list[Line] = [plain(f"   {headings(columns, look)}", "dim")] if names else []
        for name in names:
            is_row = name == self.ladder and len(names) > 1
            line = fit_shorter((("", f" {look.glyphs.on if is_row else ' '} "), *cells(columns, name)), cols - 1)
            lines.append(plain(pad(text_of(line), cols - 1), "row") if is_row else line)
        return lines

    def _totals_lines(self) -> list[Line]:
        look, columns, totals = self.session.look, self._total_columns(), self._totals()
        if not totals:
            return []
        rows = [(("", "   "), *cells(columns, one)) for one in totals]
        return [(), heading_line(Heading(self._totals_head), 1), plain(f"   {headings(columns, look)}", "dim"), *rows]

    @property
    def _totals_head(self) -> str:
        """Say what the totals are of: all matches, or the last ones where there are too many to list."""
        t = self.session.t
        return t("profile.totals-last", n=MATCHES_SHOWN) if len(self.matches) >= MATCHES_SHOWN else t("profile.totals")

    def _total_columns(self) -> tuple[Column[MatchCounts], ...]:
        """Return a game, and how many of its matches were played, won, drawn and lost."""
        is_narrow = self.size[0] < LEAST_COLS  # the rest says how many were played
        width = NARROW_COLS if is_narrow else min(NUMBER_COLS, (self.size[0] - LADDER_COLS) // 5)
        played: Column[MatchCounts] = Column("profile.played", width, lambda one: str(one.played), is_number=True)
        return (
            Column("profile.game", GAME_COLS, self._tallied, lambda one: game_style(one.game), gap=0),
            *(() if is_narrow else (played,)),
            Column("profile.won", width, lambda one: str(one.won), is_number=True),
            Column("profile.drawn", width, lambda one: str(one.drawn), is_number=True),
            Column("profile.lost", width, lambda one: str(one.lost), is_number=True),
        )

    def _tallied(self, one: MatchCounts) -> str:
        return self.session.look.game(one.game)

    def _totals(self) -> list[MatchCounts]:
        """Count how the matches listed ended, by game."""
        t, found = self.session.t, list[MatchCounts]()
        ended = [one for one in self.matches if one.status == "finished"]
        for game in dict.fromkeys(one.game for one in ended):
            outcomes = [self._outcome(one) for one in ended if one.game == game]
            won, drawn = (outcomes.count(t(f"outcome.short.{how}")) for how in ("won", "draw"))
            found.append(MatchCounts(game, len(outcomes), won, drawn))
        return found

    @property
    def _has_curve(self) -> bool:
        return len(self.curve) >= LEAST_STEPS and len(set(self.curve)) > 1

    def _curve(self, cols: int) -> list[Line]:
        if not self._has_curve:
            return []
        return [(), *curve(self.curve, self.session.look, min(cols - 2, 100), CURVE_ROWS)]

    def _small_curve(self, cols: int, rows: int) -> list[Line]:
        """Draw the curve for the place behind the totals, below a blank line."""
        return [(), *curve(self.curve, self.session.look, cols - 1, rows - 1)] if self._has_curve else []

    def columns(self) -> tuple[Column[MatchSummary], ...]:
        """Return when, what, how it ended, what it did to the rating, which kind, and against whom."""
        is_narrow = self.size[0] < LEAST_COLS
        form, day_cols = ("%m-%d %H:%M", DAY_COLS - 5) if is_narrow else ("%Y-%m-%d %H:%M", DAY_COLS)
        change_cols = 0 if is_narrow else CHANGE_COLS
        return (
            Column("", day_cols, lambda match: format(match.ended_at or match.started_at, form)),
            Column("", GAME_COLS, self._game, lambda match: game_style(match.game), gap=0),
            Column("", OUTCOME_COLS, self._outcome, gap=0),
            Column("", change_cols, self._shown_change, is_number=True, said=self._change),
            self._kind_column(),
            Column("", 0, self._others),
        )

    def _game(self, match: MatchSummary) -> str:
        return self.session.look.game(match.game)

    def _kind_column(self) -> Column[MatchSummary]:
        if self.size[0] < WIDE_COLS:
            return Column("", 0, lambda match: "", said=self._kind)
        return Column("", KIND_COLS, self._kind, gap=1)

    def _change(self, match: MatchSummary) -> str:
        change = self.changes.get(match.id)
        return "" if change is None else f"{change:+d}"

    def _shown_change(self, match: MatchSummary) -> str:
        return self._change(match) if self.size[0] >= LEAST_COLS else ""

    def _kind(self, match: MatchSummary) -> str:
        t, did_count = self.session.t, self.changes.get(match.id) is not None
        did_not_count = match.agreement.rated and match.status == "finished" and not did_count
        counts = "match.not-counted" if did_not_count else "match.rated" if match.agreement.rated else "match.casual"
        return t("list.comma").join((t(f"speed.{match.agreement.speed}"), t(counts)))

    def _others(self, match: MatchSummary) -> str:
        look, own = self.session.look, self.account.id if self.account is not None else None
        others = people_first([seat for seat in match.seats if own is None or seat.player.account_id != own])
        say = short_words if self.size[0] < LEAST_COLS or len(match.seats) > 2 else seat_words
        return look.t("list.comma").join(say(one, match.seats, look) for one in others)

    def _outcome(self, match: MatchSummary) -> str:
        assert self.account is not None  # whose matches they are
        return outcome_of(match, self.account.id, self.session.look)

    @property
    def _is_hidden(self) -> bool:
        """Tell whether this person has blocked whose profile it is: then only the block can be taken back."""
        return self.account is not None and self.account.id in self.session.person.blocked

    def hints(self) -> tuple[Hint, ...]:
        return (*map(self._labelled, self._own_hints()), *keymap.hints("everywhere", ("back",)))

    def _own_hints(self) -> tuple[Hint, ...]:
        if self._is_hidden:
            own: tuple[str, ...] = ("block", "report")
        else:
            own = (*(("replay",) if self.matches else ()), *(("next",) if len(self.ratings) > 1 else ()))
            own += ("challenge",) if self._may_challenge() else ()
            own += ("follow", "write", "note", "block", "report") if self._may_complain() else ()
        return following.labelled(self.session, self.handle, keymap.hints("profile", own))

    def _labelled(self, hint: Hint) -> Hint:
        """Name the key of the chosen match by what it does: one that runs is watched."""
        watches = hint.label == "keys.profile.replay" and self.matches[self.chooser.index].status not in OVER
        return hint.named("keys.people.watch") if watches else hint

    def do_next(self) -> None:
        """Show the curve of the next ladder, or the one before."""
        names = self._rated()
        if self.ladder in names:
            self.ladder = names[(names.index(self.ladder) + (-1 if self.key == "left" else 1)) % len(names)]

    def action(self, command: str) -> Callable[[], None] | None:
        """Return what does a command here: on one's own profile, of what is done to others, a sentence that says so."""
        if command in TO_OTHERS and self.handle == self.session.identity.name:
            return partial(self.session.prompts.notice, "people.yourself")
        return super().action(command)

    def _may_complain(self) -> bool:
        return self.account is not None and complaints.may_complain(self.session, self.handle)

    def _may_challenge(self) -> bool:
        return self.account is not None and self.handle != self.session.identity.name

    def do_challenge(self) -> None:
        """Challenge the person."""
        if self._may_challenge():
            challenge(self.session, self.handle)

    def do_block(self) -> None:
        """Never be paired with the person again, and read no more of them; or take that back."""
        if self._may_complain():
            self.session.spawn(complaints.toggle_block(self.session, self.handle))

    def do_follow(self) -> None:
        """Follow the person, or no more."""
        if self._may_complain():
            self.session.spawn(following.toggle_follow(self.session, self.handle))

    def do_write(self) -> None:
        """See what was written, and write to the person."""
        if self._may_complain():
            self.session.spawn(following.write_to(self.session, self.handle))

    def do_note(self) -> None:
        """Note something about the person."""
        if self._may_complain():
            self.session.spawn(following.ask_note(self.session, self.handle, self._load_note))

    def do_report(self) -> None:
        """Tell the moderators what this person did, also when they have left."""
        if self._may_complain():
            complaints.ask_report(self.session, self.handle)

    def do_replay(self) -> None:
        """Open the chosen match: as a replay when it is over, else to watch."""
        if self.matches and not self._is_hidden:
            self.session.spawn(self._open(self.matches[self.chooser.index]))

    async def _open(self, summary: MatchSummary) -> None:
        if summary.status in OVER:
            await self.session.reach(places.ReplayPlace(summary.id))
        else:
            await self.session.reach(places.MatchPlace(summary.id))
