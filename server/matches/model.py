"""The frozen shapes that matches hand to screens, programs and the lobby."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from game.contract import Choice, Json, Pending, Result, Seat, Viewer, Watcher
from server.accounts.identity import Player
from server.matches.agreement import Agreement
from server.matches.visibility import EVERYBODY, Asker
from server.store import matches as store
from server.store.matches import MatchStatus as MatchStatus

RUNNING, OVER = frozenset(store.RUNNING), frozenset(store.OVER)
# adjourn, where it is adjourned: resume
OfferKind = Literal["draw", "adjourn", "rematch", "resume", "void", "takeback"]
ClaimKind = Literal["win", "void"]
Changed = Callable[[], None]  # called on the loop when there is something new to see; must not block
V = TypeVar("V")  # a game's view


@dataclass(frozen=True, slots=True)
class NewMatch:
    """What a match begins from; `players` by seat. `seed` None: 32 bytes are drawn.

    `rules_version` None: the newest; another one only for what goes on from a match that began under it.
    """

    agreement: Agreement
    players: tuple[Player, ...]
    seat_options: tuple[Mapping[str, Json], ...] = ()
    room: str | None = None
    seed: bytes | None = None
    return_of: str | None = None  # the first game of a match of two of which this is the second
    won: tuple[int, ...] = ()  # matches that each seat's player has won before, of those that this one follows
    rules_version: int | None = None
    stays_private: bool = False  # it goes on from a private match: it can't be shared
    near: tuple[tuple[int, int], ...] | None = None  # as `Terms.near` of the match that it follows, by the new seats


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """One seat as everybody may know it. `bank_ms` was right at the snapshot's `clock_at`."""

    seat: Seat
    player: Player
    rating: int | None  # as shown at the start; None: no rating (guest, bot)
    provisional: bool
    here: bool
    gone_since: datetime | None
    bank_ms: int | None  # None: there is no clock
    out: bool  # no longer in play
    bot: str | None  # level of the built-in player that decides here, also where a person sat before
    may_return: bool = False  # `bot` plays only until the person is back
    runs_from: datetime | None = None  # of who is in `deciding`: since when the bank runs, or from when on it will
    vacation_until: datetime | None = None  # its player has days off until then
    bot_fails_since: datetime | None = None  # `bot` can't answer since then; it is asked again and again


@dataclass(frozen=True, slots=True)
class SeenEvent:
    """One thing that happened, as one viewer may know it.

    `kind` is the game's own ('move'; catalogue key GAME.event.KIND), or begins with 'match.' for what the server did
    (catalogue key match.event.…; see server_events.py). Events of one entry share its `seq`; 0: the setup.
    """

    seq: int
    kind: str
    params: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class ChatLine:
    """One line somebody said beside a match; `seat` None: from the gallery."""

    at: datetime
    name: str
    text: str
    seat: Seat | None = None
    account_id: int | None = None  # to hide the lines of somebody one has blocked


@dataclass(frozen=True, slots=True)
class Rematch:
    """Who has answered whether there will be another match; `missing`: who was asked and has not.

    `go_at`: when those who agreed may go on without the missing; None: they can't, or nobody is missing.
    """

    agreed: tuple[Seat, ...]
    declined: tuple[Seat, ...]
    missing: tuple[Seat, ...]
    go_at: datetime | None


@dataclass(frozen=True, slots=True)
class ConditionalStep:
    """One "if … then …": what the others do, as everybody is told of it, in order; and the answer to it."""

    awaits: tuple[str, ...]
    reply: str


ConditionalLine = tuple[ConditionalStep, ...]  # one after the other


def texts_of(line: ConditionalLine) -> tuple[str, ...]:
    """Return the actions of a line in the order in which they are played.

    >>> texts_of((ConditionalStep(("c7c6",), "c2c3"), ConditionalStep(("c6c5",), "c3c4")))
    ('c7c6', 'c2c3', 'c6c5', 'c3c4')
    """
    return tuple(text for step in line for text in (*step.awaits, step.reply))


def due(lines: Sequence[ConditionalLine]) -> str | None:
    """Return the conditional move that is played now; None: something of the others is awaited, or nothing stands."""
    return lines[0][0].reply if lines and not lines[0][0].awaits else None


@dataclass(frozen=True, slots=True)
class ViewerState(Generic[V]):
    """Everything that a screen, a bot or a JSON reader may show to one viewer."""

    match: str
    agreement: Agreement
    viewer: Viewer
    seq: int  # the last log entry it includes; 0: none
    version: int  # one more at each visible change
    status: MatchStatus
    room: str | None  # of a private match for its seats only
    seats: tuple[SeatInfo, ...]
    view: V  # the game's view for this viewer
    pending: Pending | None  # the viewer's own decision
    turn_seq: int  # the seq to answer it with
    deciding: tuple[tuple[Seat, str | None], ...]  # who owes a decision, and the window if it is one
    deadline: datetime | None  # of the viewer's own decision, else the earliest that is public
    clock_at: datetime  # the moment `bank_ms` was right; the clocks of those in `deciding` run, from `runs_from` on
    offers: tuple[tuple[Seat, OfferKind], ...]
    claim_at: datetime | None  # when this viewer may claim that somebody, or a bot, is away; who looks on: somebody may
    void_at: datetime | None  # when this viewer may void the match, as far as is known by now
    watchers: tuple[str, ...]
    result: Result | None
    rating_changes: Mapping[Seat, tuple[int, int]]  # shown rating before, after
    commitment: str
    seed: str | None  # hex, once the match has ended
    started_at: datetime
    ended_at: datetime | None
    chat: tuple[ChatLine, ...]  # the last lines this viewer may read
    settings: tuple[Choice, ...] = ()  # choices of personal settings that may be made at any time (game.settings)
    next_match: str | None = None  # the rematch that was agreed on, or the second game of two; it may be private still
    return_of: str | None = None  # the first game of a match of two of which this is the second
    won: tuple[int, ...] = ()  # matches that each seat's player has won before, of those that this one follows
    paused: bool = False  # something broke in this match; an admin looks after it
    turn_since: int = 0  # the entry since which `pending` is the same decision
    rematch: Rematch | None = None  # what has become of the question whether to play again
    rating_reasons: Mapping[Seat, str] = field(default_factory=dict)  # why it counted less than in full
    counted: bool | None = None  # once it has ended: whether it changed ratings
    ended_by: str | None = None  # once it has ended: "resign", "out_of_time" or "left"; None: by the rules alone
    shared_by: tuple[Seat, ...] = ()  # of a private match: whose people have said that everybody may see it
    is_shared: bool = False  # all have: everybody may
    is_borrowed: bool = False  # a page shows it to somebody else, who looks through this viewer's eyes: who is no "you"
    is_past: bool = False  # a page goes through the match: nobody's time runs
    may_take_back: bool = False  # the viewer may ask to take back its last decision
    takebacks: int = 0  # once it has ended: how often something was taken back
    conditions: tuple[ConditionalLine, ...] = ()  # the viewer's own conditional moves; nobody else is told of them
    nearest: Seat | None = None  # whose side of the board a page wants at the bottom; None: the viewer's own

    @property
    def game(self) -> str:
        """Return which game is played."""
        return self.agreement.game

    @property
    def is_over(self) -> bool:
        """Tell whether the match has ended."""
        return self.status in OVER

    @property
    def is_in_window(self) -> bool:
        """Tell whether the viewer is asked in a window."""
        return self.pending is not None and self.pending.window is not None

    @property
    def due_condition(self) -> str | None:
        """Return the conditional move that is played in a moment; None: none is."""
        return due(self.conditions)

    @property
    def own_reason(self) -> str | None:
        """Return why the match counted less than in full for its viewer; who looks on is told of nobody's."""
        return None if isinstance(self.viewer, Watcher) else self.rating_reasons.get(self.viewer)


AnyViewerState: TypeAlias = ViewerState[Any]  # of whatever game


@dataclass(frozen=True, slots=True)
class SummarySeat:
    """One seat of a listed match."""

    seat: Seat
    player: Player
    rating: int | None
    provisional: bool = False  # the rating is
    bot: str | None = None  # level of the built-in player that decides here for a person who left, where it is known


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """One line of a list of matches."""

    id: str
    agreement: Agreement
    status: MatchStatus
    seats: tuple[SummarySeat, ...]
    seq: int
    watchers: int
    result: Result | None
    started_at: datetime
    ended_at: datetime | None
    to_act: tuple[Seat, ...] = ()  # who owes a decision, where the match is live
    due: tuple[tuple[Seat, datetime], ...] = ()  # when the time of those in `to_act` is up, where they have a clock
    void_at: datetime | None = None  # when it is void unless somebody moves, where it is live and has no clock
    out: frozenset[Seat] = frozenset()  # who is out of a match that goes on without them
    is_closed: bool = False  # to who asked for the list, so nothing of how it goes is told
    moved_at: datetime | None = None  # when its last entry that shows took effect, where it is open in this process

    @property
    def game(self) -> str:
        """Return which game is played."""
        return self.agreement.game

    def waits_for(self, player: Player) -> bool:
        """Tell whether somebody owes a decision here that no bot makes for them."""
        mine = (seat for seat in self.seats if seat.player.is_same_person(player) and seat.bot is None)
        return any(seat.seat in self.to_act for seat in mine)


@dataclass(frozen=True, slots=True)
class WaitingOffer:
    """What other players of a match offer somebody who has not answered yet; `by`: the first to offer it first."""

    match: str
    what: OfferKind
    agreement: Agreement
    seat: Seat  # of the first of them
    by: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class MatchQuery:
    """Which matches to list; newest first. Of each as much as `asker` may know.

    Where all have ended, the newest is what ended last, else what began last. Of more than `limit` that run, those of
    two or more people go before others, and everybody's newest before anybody's second.
    """

    game: str | None = None
    statuses: frozenset[MatchStatus] = RUNNING
    account_id: int | None = None  # only those this account plays or played in
    player: Player | None = None  # the same, for a guest too
    limit: int = 100
    asker: Asker = EVERYBODY
    before: datetime | None = None  # only those that ended, or where some run began, before


@dataclass(frozen=True, slots=True)
class Timing:
    """How patient the server is; in seconds. Tests make it quick."""

    look_every: float = 3.0  # at the log, for what no hint told of
    late: float = 2.0  # a timeout is never written earlier than this after its deadline
    automatic_delay: float = 0.8  # of what a setting or a bot says in a window: constant, so that it tells nothing
    solo_automatic_delay: float = 0.4  # the same where one seat is asked: there are dozens of such windows
    window_step: float = 0.4  # a built-in player that thinks longer in a window answers at a multiple of this
    slow_window_delay: float = 1.2  # once slow, it answers later windows as late, up to this
    window_minimum: float = 2.0  # a window that several are asked in
    solo_window_minimum: float = 0.4  # a window that one seat is asked in
    conditional_delay: float = 5.0  # before a conditional move is played, whoever made it and whatever it is
    bot_delay: float = 0.6  # a built-in player is not faster than this, where a person is on a seat
    heartbeat: float = 0.5
    outage: float = 2.0  # a pause in the heartbeat that is longer is an outage, and credited
    return_time: float = 30.0  # after an outage, the time that a player needs to be back is credited up to this
    over: float = 3.0  # one that has ended, against bots alone, after this
    idle: float = 60.0  # a match nobody looks at is forgotten after this (and folded again when needed)
