"""The lobby's rows: a running match, an open seat, a room, a live match, each as one line."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from game import registry
from game.contract import Seat
from game.options import has_open_hands
from server.accounts.identity import Player
from server.boards.gamestyle import game_style
from server.boards.outcome import won_by
from server.boards.seats import listed_name, replaced_words, short_words, shown_name, shown_rating
from server.i18n.durations import clock_words
from server.lobby.model import Challenge, RoomSummary, SeekView
from server.lobby.new_matches import agreed_with
from server.matches.agreement import Agreement, unusual
from server.matches.model import MatchSummary, OfferKind, SummarySeat, WaitingOffer
from server.matches.speeds import DAILY
from server.screens.bringing import side_names
from server.screens.news import News
from server.terminal.lines import Line, Span, clip, columns, joined, pad, width_cols
from server.terminal.look import Look

KIND_COLS, GAME_COLS, NAMES_COLS, SPEED_COLS = 10, 9, 24, 7
STATE_COLS = 15  # how many are wanted, or when it began: "since 07:40 UTC"
NEWS_COLS = 12  # that news take from the names: how it ended is longer than what is said of a match that runs
LEAST_COLS = 78  # that a row has on a screen of 80 columns or more
ROW_COLS = 82  # a row with `NAMES_COLS` for the names, and a gap
WIDEST_NAMES = 60  # what a wide list has left over goes to the names, up to so many columns
VOID_SOON = timedelta(days=7)  # before a match without a clock is void
COLUMNS_FROM = 50  # columns of a list from which what a row is and which game have columns of their own
HEAD_FACTS = 3  # a blank, what it is, which game
LEAST_FACTS = 4  # a blank, what it is, which game, who
Kind = Literal["codes", "news", "mine", "rematch", "challenge", "asked", "seek", "room", "live", "ended"]


@dataclass(frozen=True, slots=True)
class LobbyRow:
    """One row of the lobby; `target` is what it opens (a match id, a room's code), `text` what it says, to be filtered.

    `words`: the same as a list of facts.
    """

    kind: Kind
    key: str
    target: str
    line: Line
    text: str
    words: str
    seeks: tuple[SeekView, ...] = ()  # of one person, for as many games
    people: frozenset[str] = frozenset()  # the people it names: it is hidden from those who have blocked one of them
    closed_to: frozenset[str] = frozenset()  # whom the host has sent away
    is_closed: bool = False  # a live match that nobody may watch


@dataclass(frozen=True, slots=True)
class RowFact:
    """One fact of a row: what it says, and as what it is drawn, which may be shorter, or nothing at all."""

    words: str
    shown: Span


def fact(words: str, style: str = "", cols: int = 0, gap: int = 0) -> RowFact:
    """Return a fact that is drawn in `cols` columns (0: as it is), with blanks before the next one."""
    return RowFact(words, (style, (pad(words, cols) if cols else words) + " " * gap))


def _drawn(facts: Sequence[RowFact]) -> Line:
    return tuple(one.shown for one in facts)


def _row(
    kind: Kind,
    target: str,
    facts: Sequence[RowFact],
    names_cols: int,
    look: Look,
    seeks: tuple[SeekView, ...] = (),
    people: Iterable[Player | None] = (),
) -> LobbyRow:
    line: Line = (("", " "), *_drawn(facts))
    if names_cols < NAMES_COLS and width_cols(line) > _room(names_cols):
        line = _set_close(line, _room(names_cols))
    names = frozenset(player.name for player in people if player is not None)
    said = [one.words for one in facts if one.words]
    text, words = " ".join(said), look.t("list.comma").join(said)
    return LobbyRow(kind, f"{kind}:{target}", target, line, text, words, seeks, names)


def _room(names_cols: int) -> int:
    """Return how many columns a row has, where `names_cols` of them are for the names."""
    return LEAST_COLS + names_cols - NAMES_COLS


def _set_close(line: Line, room: int) -> Line:
    """Leave out the blanks that set columns under each other: on a narrow screen names, times and winners go first.

    The last facts that then have no room in `room` columns are left out, too: half a word says nothing. What it is and
    which game stay in their columns where who, and what is said first of them, have room beside them, from
    `COLUMNS_FROM` on: below that no row has columns.
    """
    in_columns = _that_fit((*line[:HEAD_FACTS], *_closed(line[HEAD_FACTS:])), room, LEAST_FACTS + 1)
    has_room = room >= COLUMNS_FROM and width_cols(in_columns) <= room
    return in_columns if has_room else _that_fit(_closed(line), room, LEAST_FACTS)


def _that_fit(line: Sequence[Span], room: int, least: int) -> Line:
    """Return a row without the last facts that have no room, but for `least` ones."""
    facts = list(line)
    while len(facts) > least and width_cols((*facts[:-1], ("", facts[-1][1].rstrip()))) > room:
        facts.pop()
    style, last = facts.pop()
    return (*facts, (style, last.rstrip()))


def _closed(line: Line) -> list[Span]:
    """Return a line with single blanks between its facts."""
    close: list[Span] = []
    for style, text in line:
        has_gap = bool(close) and close[-1][1].endswith(" ")
        close.append((style, " ".join(re.split(" {2,}", text.lstrip(" ") if has_gap else text))))
    return close


def head(look: Look, word: str, style: str, game: str) -> list[RowFact]:
    """Begin a row: what it is, which game."""
    return [fact(look.t(word), style, KIND_COLS, 1), fact(look.game(game), game_style(game), GAME_COLS, 1)]


def names_cols_of(list_cols: int) -> int:
    """Return how many columns of a row are for the names, in a list of so many columns."""
    if list_cols < LEAST_COLS:  # what follows the names is worth more than blanks behind short ones
        return NAMES_COLS - (LEAST_COLS - list_cols)
    return min(WIDEST_NAMES, NAMES_COLS + max(0, list_cols - ROW_COLS))


def names_fact(cols: int, *wordings: str) -> RowFact:
    """Return the names of a row: drawn in `cols` columns as the first wording that fits, else as the last one whole.

    What follows the names is cut, never a name. The first wording says it all.
    """
    shown = next((one for one in wordings if columns(one) <= cols), wordings[-1])
    return RowFact(wordings[0], ("", padded(shown, cols) + "  "))


def padded(text: str, cols: int) -> str:
    """Fill with spaces to `cols` columns at least; nothing is cut."""
    return pad(text, max(cols, columns(text)))


def among(names: Sequence[str], joint: str, cols: int) -> str:
    """Join names, as many as fit whole, and say how many more there are.

    >>> among(("mira", "tarn", "lio"), ", ", 16), among(("mira", "tarn", "lio"), ", ", 14)
    ('mira, tarn, lio', 'mira, tarn +1')
    """
    for n in range(len(names), 1, -1):
        text = joint.join(names[:n]) + (f" +{len(names) - n}" if n < len(names) else "")
        if columns(text) <= cols:
            return text
    return names[0] + (f" +{len(names) - 1}" if len(names) > 1 else "") if names else ""


def versus(names: Sequence[str], look: Look) -> str:
    """Say who plays."""
    if len(names) == 2:
        return joined((names[0], look.t("row.versus", names=names[1])))
    return look.t("list.comma").join(names)


def _players(seats: Sequence[SummarySeat], look: Look, cols: int) -> RowFact:
    """Write the players of a match: with their ratings, where these fit."""
    joint = f" {look.glyphs.dash} " if len(seats) == 2 else "  "
    told = people_first(seats) if len(seats) > 2 else seats
    rated, bare = [seat_words(one, seats, look) for one in told], [short_words(one, seats, look) for one in told]
    last = joint.join(bare) if len(seats) == 2 else among(bare, joint, cols)
    shown = names_fact(cols, joint.join(rated), joint.join(bare), last).shown
    return RowFact(versus(rated, look), shown)


def people_first(seats: Sequence[SummarySeat]) -> list[SummarySeat]:
    """Put people before bots: where there is no room for all, their names are those that tell a match from others."""
    return sorted(seats, key=lambda seat: seat.player.kind == "bot")


def seat_words(seat: SummarySeat, table: Sequence[SummarySeat], look: Look) -> str:
    """Write one of the players at a table with the rating."""
    name = replaced_words(seat, table, look)
    return f"{name} {shown_rating(seat.rating, seat.provisional)}" if seat.rating is not None else name


def _progress(summary: MatchSummary, look: Look, now: datetime | None = None) -> str:
    """Say since when a match goes on: entries of its log are no moves, and lists know nothing else."""
    began = summary.started_at
    if now is not None and began.date() != now.date():
        return look.t("row.since-day", day=f"{began:%m-%d}")
    return look.t("row.since", at=f"{began:%H:%M}")


def news_row(news: News, look: Look, names_cols: int) -> LobbyRow:
    """Write a match that ended while one was away: against whom, and what came of it."""
    facts, words = head(look, "row.news", "accent", news.game), news.said(look)
    facts += [names_fact(names_cols - NEWS_COLS, look.t("row.versus", names=words.others))]
    facts += [fact(words.text, words.style)]
    return _row("news", news.match, facts, names_cols, look)


def _left(summary: MatchSummary, mine: list[Seat], look: Look, now: datetime) -> tuple[str, str]:
    """Say how long one has; in daily play also how long the others have and, of several, who they are.

    Of a match without a clock that waits for one, near its end, say in how long it is void.
    """
    if summary.void_at is not None and summary.void_at - now <= VOID_SOON:
        return look.t("row.void-in", time=left_words(summary.void_at - now, look)), ""
    own = [at for seat, at in summary.due if seat in mine]
    if own and summary.agreement.speed != DAILY:
        return look.t("row.left", time=left_words(min(own) - now, look)), ""
    due = own or [at for _, at in summary.due]
    if summary.agreement.speed != DAILY or not due:
        return "", ""
    left = left_words(min(due) - now, look)
    if own or len(summary.seats) == 2:
        return left, ""
    owing = [summary.seats[seat] for seat, _ in summary.due]
    names = look.t("list.comma").join(short_words(seat, summary.seats, look) for seat in owing)
    return left, names


def left_words(left: timedelta, look: Look) -> str:
    """Write how long somebody may still think, as rough as a list needs it: 2d 4h, 5 h, 12 min, < 1 min."""
    minutes = max(0, int(left.total_seconds() // 60))
    if minutes >= 24 * 60:
        return clock_words(minutes * 60_000, look)
    if minutes >= 60:
        return look.t("clock.hours", h=minutes // 60)
    return look.t("clock.minutes", min=minutes) if minutes else look.t("clock.under-minute")


def mine_row(
    summary: MatchSummary,
    me: Player,
    look: Look,
    names_cols: int = NAMES_COLS,
    now: datetime | None = None,
    offered: OfferKind | None = None,
) -> LobbyRow:
    """Write a running match of one's own: what is offered, or whether one is to act; against whom, and the time left.

    `offered`: by another player, and not answered yet.
    """
    mine = [seat.seat for seat in summary.seats if seat.player.is_same_person(me)]
    to_act = any(seat in summary.to_act for seat in mine)
    seated = [seat for seat in people_first(summary.seats) if seat.seat not in mine]
    comma = look.t("list.comma")
    whole = comma.join(replaced_words(seat, summary.seats, look) for seat in seated)
    few = among([short_words(seat, summary.seats, look) for seat in seated], comma, names_cols - 4)
    who = names_fact(names_cols, *(look.t("row.versus", names=names) for names in (whole, few)))
    waiting = "row.out" if mine and summary.out.issuperset(mine) else "row.waiting"
    if any(seat.bot is not None for seat in summary.seats if seat.seat in mine):
        waiting, to_act = "row.bot-plays", False
    word = "row.your-turn" if to_act else "row.adjourned" if summary.status == "adjourned" else waiting
    if offered is not None:
        word, to_act = f"row.offered.{offered}", True
    style = "warn" if to_act else "dim"
    facts = [*head(look, word, style, summary.game), who]
    time, waits_for = ("", "") if now is None else _left(summary, mine, look, now)
    since = _progress(summary, look, now)
    room = _room(names_cols) - 1 - width_cols(_drawn(facts))
    has_room = bool(time) or names_cols >= NAMES_COLS or columns(since) <= room  # half a time tells nothing
    facts.append(RowFact(time or since, ("dim", f"{padded(time or since, STATE_COLS)} " if has_room else "")))
    facts.append(_speed(summary.agreement.speed, look))
    facts += [fact(waits_for, "dim")] if waits_for else []
    return _row("mine", summary.id, facts, names_cols, look)


def codes_row(look: Look) -> LobbyRow:
    """Write that the recovery codes of a new account have not been read."""
    return _row("codes", "", [fact(look.t("codes.wait"), "warn")], NAMES_COLS, look)


def rematch_row(offer: WaitingOffer, look: Look, names_cols: int) -> LobbyRow:
    """Write that others would play a finished match again with this person."""
    names = [shown_name(player, look) for player in offer.by]
    comma = look.t("list.comma")
    facts = head(look, "row.offered.rematch", "warn", offer.agreement.game)
    facts += [names_fact(names_cols, comma.join(names), among(names, comma, names_cols))]
    facts += [fact(look.t("row.wants-you"), "", STATE_COLS, 1), *_terms(look, offer.agreement)]
    return _row("rematch", offer.match, facts, names_cols, look, people=offer.by)


def challenge_row(challenge: Challenge, look: Look, names_cols: int) -> LobbyRow:
    """Write that somebody wants to play with this person, or asks them to a room."""
    wants = "row.asks-in" if challenge.is_invitation else "row.wants-you"
    facts = [
        *head(look, "row.invitation" if challenge.is_invitation else "row.challenge", "warn", challenge.agreement.game),
        names_fact(names_cols, shown_name(challenge.by, look)),
        fact(look.t(wants), "", STATE_COLS, 1),
        *_terms(look, challenge.agreement),
    ]
    return _row("challenge", challenge.code, facts, names_cols, look)


def asked_row(challenge: Challenge, look: Look, names_cols: int) -> LobbyRow:
    """Write that this person has challenged somebody who has not answered, or has declined."""
    facts = [
        *head(look, "row.asked", "dim", challenge.agreement.game),
        names_fact(names_cols, challenge.to),
        fact(look.t("row.declined" if challenge.is_declined else "row.unanswered"), "", STATE_COLS, 1),
        *_terms(look, challenge.agreement),
    ]
    return _row("asked", challenge.code, facts, names_cols, look)


def by_seeker(seeks: Iterable[SeekView]) -> list[tuple[SeekView, ...]]:
    """Put together what one person looks for alike in several games, each where its first one is."""
    found = dict[Hashable, tuple[SeekView, ...]]()
    for one in seeks:
        agreed = one.agreement
        key = one.player.person, agreed.speed, agreed.rated, has_open_hands(agreed.options)
        found[key] = (*found.get(key, ()), one)
    return list(found.values())


def seek_row(seeks: tuple[SeekView, ...], look: Look, names_cols: int) -> LobbyRow:
    """Write who looks for what: one open seek, or those of one person that differ in the game."""
    first, games = seeks[0], [look.game(key) for key in registry.in_order({one.agreement.game for one in seeks})]
    name, comma = shown_name(first.player, look), look.t("list.comma")
    ratings = {(one.rating, one.provisional) for one in seeks}
    who = name
    if first.rating is not None and len(ratings) == 1:
        who = f"{name} {shown_rating(first.rating, first.provisional)}"
    begin, wanted = head(look, "row.open", "good", first.agreement.game), {seek_words(one, look) for one in seeks}
    if len(games) == 1:
        names = names_fact(names_cols, who, name)
    else:
        begin[1] = fact(look.t("row.games", n=len(games)), "", GAME_COLS, 1)
        plays = [look.t("list.pair", what=one, value=comma.join(games)) for one in (who, name)]
        room = names_cols - columns(look.t("list.pair", what=name, value=""))
        names = names_fact(names_cols, *plays, look.t("list.pair", what=name, value=among(games, comma, room)))
    state = wanted.pop() if len(wanted) == 1 else ""
    facts = [*begin, names, fact(state, "", STATE_COLS, 1), *_terms(look, first.agreement)]
    return _row("seek", first.id, facts, names_cols, look, seeks, (first.player,))


def seek_words(seek: SeekView, look: Look) -> str:
    """Say how many are missing; or which side, where a side is left that is a game of its own."""
    wished, agreed = seek.seek.seat, seek.agreement
    names = side_names(agreed.game)
    if wished is None or len(names) != agreed.players or len(names) > 2:
        return look.t("row.waiting-for", n=max(1, agreed.players - seek.waiting))
    left = 1 - wished
    return look.t("row.side-wanted", side=look.side(agreed.game, names[left], left))


def _speed(speed: str, look: Look) -> RowFact:
    """Write a speed, whole: "no clock" is wider than its column."""
    words = look.t(f"speed.{speed}")
    return RowFact(words, ("dim", f"{padded(words, SPEED_COLS)} "))


def _terms(look: Look, agreed: Agreement) -> list[RowFact]:
    kind = "match.open-hands" if has_open_hands(agreed.options) else "match.rated" if agreed.rated else "match.casual"
    return [_speed(agreed.speed, look), fact(look.t(kind), "dim")]


def room_row(room: RoomSummary, look: Look, names_cols: int) -> LobbyRow:
    """Write an open room: how many seats are taken, by whom."""
    title, agreed = room.settings.title, room.agreement
    players = [seat.player for seat in room.seats]
    names = [name for at in range(len(players)) if (name := listed_name(players, at, look))]
    comma = look.t("list.comma")
    taken = look.t("row.playing") if room.match else look.t("row.seats", taken=len(names), of=agreed.players)
    who = names_fact(names_cols, comma.join(names), among(names, comma, names_cols))
    if title:
        room_cols = _room(names_cols) - KIND_COLS - GAME_COLS - 3  # of a line with nothing behind it
        who = RowFact(title, names_fact(names_cols, clip(title, max(names_cols, room_cols))).shown)
    switched = [look.t(one.said_of(agreed)) for one in unusual(agreed)]
    facts = [
        *head(look, "row.room", "good", agreed.game),
        who,
        fact(taken, "", STATE_COLS, 1),
        *_terms(look, agreed_with(room.settings, players)),
        *(RowFact(said, ("dim", f"  {said}")) for said in switched),
    ]
    row = _row("room", room.code, facts, names_cols, look, people=(seat.player for seat in room.seats))
    return replace(row, people=row.people | {room.host}, closed_to=room.removed)


def live_row(summary: MatchSummary, look: Look, names_cols: int = NAMES_COLS) -> LobbyRow:
    """Write a live match: players with ratings, how far, who watches; of a closed one only that it is."""
    word, style = ("row.adjourned", "dim") if summary.status == "adjourned" else ("row.live", "accent")
    facts = [*head(look, word, style, summary.game), _players(summary.seats, look, names_cols)]
    if summary.is_closed:
        facts.append(fact(look.t("row.closed"), "dim"))
    else:
        since = _progress(summary, look)
        facts.append(fact(since, "dim", STATE_COLS, 1))
    if summary.watchers:
        facts.append(fact(look.t("match.watching", n=summary.watchers), "dim"))
    row = _row("live", summary.id, facts, names_cols, look, people=(seat.player for seat in summary.seats))
    return replace(row, is_closed=summary.is_closed)


def ended_row(summary: MatchSummary, look: Look, names_cols: int = NAMES_COLS, now: datetime | None = None) -> LobbyRow:
    """Write a match that has ended: players with ratings, when (the time where it was today), and who won.

    Of two, one has beaten the other.
    """
    when, ended = "", summary.ended_at
    if ended is not None:
        is_today = now is not None and ended.date() == now.date()
        when = f"{ended:%H:%M} UTC" if is_today else f"{ended:%m-%d}"
    is_narrow = names_cols < NAMES_COLS  # then its time stands in the place of the word, and who won says the rest
    tiers = summary.result.placements if summary.result is not None else ()
    is_beaten = len(summary.seats) == len(tiers) == 2
    who = _beaten(summary, look, names_cols) if is_beaten else _players(summary.seats, look, names_cols)
    facts, won = [*head(look, "row.ended", "dim", summary.game), who], "" if is_beaten else won_by(summary, look)
    time, winner = RowFact(when, ("dim", f"{padded(when, STATE_COLS)} " if when else "")), fact(won, "dim")
    if is_narrow and when:
        facts[0], time = replace(facts[0], shown=("dim", f"{pad(when, KIND_COLS)} ")), replace(time, shown=("dim", ""))
    facts += [time, winner]
    return _row("ended", summary.id, facts, names_cols, look, people=(seat.player for seat in summary.seats))


def _beaten(summary: MatchSummary, look: Look, cols: int) -> RowFact:
    """Write who of two has beaten whom: with their ratings, where these fit."""
    assert summary.result is not None
    told = [summary.seats[tier[0]] for tier in summary.result.placements]
    rated, bare = ([write(one, summary.seats, look) for one in told] for write in (seat_words, replaced_words))
    return names_fact(cols, *(look.t("row.beat", first=one, second=two) for one, two in (rated, bare)))
