"""A player's profile: ratings, the curve of one ladder, and the matches played."""

from __future__ import annotations

import asyncio

from server.accounts.accounts import Account
from server.matches.model import OVER, MatchQuery, MatchSummary
from server.ratings.scale import Rating, shown
from server.session import places
from server.session.page import Body
from server.session.session import Session
from server.tui import keymap
from server.tui.curve import curve
from server.tui.keymap import Hint
from server.tui.lines import Line, inset, pad, pad_left, plain, wrapped
from server.tui.screens import complaints
from server.tui.screens.ladders import shown_ladders
from server.tui.screens.listpage import ListPage
from server.tui.screens.lobbyrows import seat_words

KIND_COLS = 19  # "normal, not counted"
CURVE_ROWS = 6
MATCHES_SHOWN = 100


class ProfilePage(ListPage):
    """What anybody may know of a player."""

    context = "profile"

    def __init__(self, session: Session, handle: str) -> None:
        super().__init__(session)
        self.handle = handle
        self.account: Account | None = None
        self.is_loaded = False
        self.ratings: dict[str, Rating] = {}
        self.ladder = ""
        self.curve: tuple[int, ...] = ()
        self.matches: list[MatchSummary] = []
        self.changes: dict[str, int] = {}  # by match, of the rating shown

    def start(self) -> None:
        """Fetch everything."""
        self.session.spawn(self._load())

    async def _load(self) -> None:
        services = self.session.services
        self.account = await services.accounts.by_handle(self.handle)
        if self.account is not None:
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
            await self._load_curve()
            await self._load_changes(self.account.id)
        self.is_loaded = True

    async def _load_changes(self, account_id: int) -> None:
        """Read what each match did to the shown rating."""
        history = self.session.services.ratings.history
        found = await asyncio.gather(*(history(account_id, ladder) for ladder in self.ratings))
        self.changes = {
            change.match_id: shown(change.mu_after) - shown(change.mu_before) for one in found for change in one
        }

    async def _load_curve(self) -> None:
        ladder = self.ladder
        if self.account is None or not ladder:
            return
        changes = await self.session.services.ratings.history(self.account.id, ladder)
        if ladder != self.ladder:  # another one was chosen meanwhile
            return
        first = [shown(changes[0].mu_before)] if changes else []
        self.curve = (*first, *(shown(change.mu_after) for change in changes))

    def title(self) -> str:
        """Name the player."""
        return f"{self.session.t('profile.title')} · {self.handle}"

    def body(self, cols: int, rows: int) -> Body:
        """Draw ratings, curve and matches, from top to bottom."""
        t = self.session.t
        if not self.is_loaded:
            return Body([plain(f" {t('page.loading')}", "dim")])
        if self.account is None:
            return Body([plain(f" {t('profile.nobody', name=self.handle)}")])
        if self._is_hidden:
            return Body([(), *inset(wrapped(t("profile.blocked", name=self.handle), cols - 2))])
        lines = [
            *self._roles(),
            *self._ratings(cols),
            *self._curve(cols),
            (),
            plain(f" {t('profile.matches')}", "title"),
        ]
        if not self.matches:
            return Body([*lines, *inset(wrapped(t("profile.no-matches"), cols - 2))])
        window = self.window(len(lines), rows - len(lines))
        return Body([*lines, *(self._match(i, cols) for i in window)])

    def _roles(self) -> list[Line]:
        """Say which role this person has on the server: a name alone proves nothing."""
        held = () if self.account is None else sorted(self.account.roles)
        return [plain(f" {self.session.t(f'profile.role.{role}')}", "title") for role in held]

    def _ratings(self, cols: int) -> list[Line]:
        t = self.session.t
        if not self.ratings:
            return [plain(f" {t('profile.unrated')}", "dim")]
        lines: list[Line] = []
        for name in (name for name in shown_ladders() if name in self.ratings):
            rating, chosen = self.ratings[name], name == self.ladder
            mark = self.session.look.glyphs.on if chosen and len(self.ratings) > 1 else " "
            doubt = t("profile.provisional") if rating.provisional else ""
            text = f" {mark} {pad(t(f'ladder.{name}'), 24)}{pad_left(str(rating.shown), 6)}   "
            text += f"{t('profile.count', n=rating.matches)}  {doubt}"
            lines.append(plain(text, "selected" if chosen and len(self.ratings) > 1 else ""))
        return lines

    def _curve(self, cols: int) -> list[Line]:
        if len(self.curve) < 2:
            return []
        return [(), *curve(self.curve, self.session.look, min(cols - 2, 100), CURVE_ROWS)]

    def _match(self, i: int, cols: int) -> Line:
        match, look, t = self.matches[i], self.session.look, self.session.t
        chosen = i == self.chooser.index
        others = [seat for seat in match.seats if self.account is None or seat.player.account_id != self.account.id]
        names = look.t("list.comma").join(seat_words(seat, look) for seat in others)
        mark = look.glyphs.pointer if chosen else " "
        day = f"{match.ended_at or match.started_at:%Y-%m-%d %H:%M}"
        change = self.changes.get(match.id)
        did_not_count = match.rated and match.status == "finished" and change is None
        counts = "match.not-counted" if did_not_count else "match.rated" if match.rated else "match.casual"
        kind = f"{t(f'speed.{match.speed}')}, {t(counts)}"
        text = f" {mark} {day}  {pad(look.game(match.game), 10)}{pad(self._outcome(match), 8)}"
        text += f"{pad_left(f'{change:+d}' if change is not None else '', 4)}  {pad(kind, KIND_COLS)} {names}"
        return plain(pad(text, cols), "selected" if chosen else "")

    def _outcome(self, match: MatchSummary) -> str:
        t = self.session.t
        if match.status != "finished" or match.result is None or self.account is None:
            return t(f"status.{match.status}")
        seat = next((s.seat for s in match.seats if s.player.account_id == self.account.id), None)
        tiers = match.result.placements
        if seat is None or len(tiers) == 1:
            return t("outcome.short.draw")
        if seat in tiers[0]:
            return t("outcome.short.won")
        place = 1 + sum(len(tier) for tier in tiers[: next(i for i, tier in enumerate(tiers) if seat in tier)])
        return t("outcome.short.lost") if len(match.seats) == 2 else t("outcome.short.place", n=place)

    @property
    def _is_hidden(self) -> bool:
        """Tell whether this person has blocked whose profile it is: then only the block can be taken back."""
        return self.account is not None and self.account.id in self.session.person.blocked

    def hints(self) -> tuple[Hint, ...]:
        """Return the keys of the page."""
        if self._is_hidden:
            return (*keymap.hints("profile", ("block", "report")), *keymap.hints("everywhere", ("back",)))
        own = (*(("replay",) if self.matches else ()), *(("next",) if len(self.ratings) > 1 else ()))
        own += ("block", "report") if self._may_complain() else ()
        return (*keymap.hints("profile", own), *keymap.hints("everywhere", ("back",)))

    def count(self) -> int:
        """Return how many rows there are."""
        return len(self.matches)

    def do_next(self) -> None:
        """Show the curve of the next ladder, or the one before."""
        names = [name for name in shown_ladders() if name in self.ratings]
        if self.ladder in names:
            self.ladder = names[(names.index(self.ladder) + (-1 if self.key == "left" else 1)) % len(names)]
            self.session.spawn(self._load_curve())

    def _may_complain(self) -> bool:
        return self.account is not None and complaints.may_complain(self.session, self.handle)

    def do_block(self) -> None:
        """Never be paired with the person again, and read no more of them; or take that back."""
        if self._may_complain():
            self.session.spawn(complaints.toggle_block(self.session, self.handle))

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
