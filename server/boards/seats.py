"""Players as lines: who it is, whose clock runs, how much time is left."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from game.contract import Seat, Watcher
from game.levels import kept_ratings
from server.accounts.identity import BOT, Player
from server.i18n.durations import clock_words
from server.matches.model import AnyViewerState, SeatInfo, SummarySeat
from server.matches.speeds import SPEEDS
from server.ratings.bradley_terry import Rating
from server.ratings.ladders import MACHINES, is_of_machines
from server.terminal.items import PlayerCard, TimeLeft
from server.terminal.lines import ELLIPSIS, Line, columns
from server.terminal.look import Look
from server.terminal.playercard import player_strip

MS = timedelta(milliseconds=1)
LOW_MS = 10_000
BOT_NAMES = ("Ada", "Basil", "Cleo", "Dora", "Egon", "Fay")  # by seat
# By seat: the whole seconds of its bank and of its absence, -1: none. At the end: those of free time.
Reading = tuple[tuple[int, int], ...]


def remaining_ms(snapshot: AnyViewerState, seat: int, now: datetime) -> int | None:
    """Return a seat's bank at a moment: it runs while the seat owes a decision that is not free. None: no clock."""
    info = snapshot.seats[seat]
    if info.bank_ms is None:
        return None
    bank, runs_from = info.bank_ms, _runs_from(snapshot, seat)
    if runs_from is not None:
        bank -= max(0, int((now - max(snapshot.clock_at, runs_from)).total_seconds() * 1000))
    return max(0, bank)


def reading(snapshot: AnyViewerState, now: datetime) -> Reading:
    """Return the whole seconds that the seats' lines show at a moment: of banks, absences and the window's free time.

    Where they are equal, so are the lines.
    """
    seats = [(_seconds_left(snapshot, info.seat, now), _seconds_away(info, now)) for info in snapshot.seats]
    return (*seats, (free_ms(snapshot, now) // 1000, -1))


def advanced_lines(lines: Sequence[Line], was: Reading, now: Reading, look: Look) -> dict[int, Line] | None:
    """Return which of these lines change when their running banks go from one reading to another, by number.

    None: they must be drawn anew, as more changes than the digits of clocks that are found.
    """
    found: dict[int, Line] = {}
    for (left_s, away_s), (now_s, now_away_s) in zip(was, now, strict=True):
        if away_s != now_away_s or min(left_s, now_s) < 0 or _clock_style(left_s) != _clock_style(now_s):
            return None
        before, after = clock_words(left_s * 1000, look), clock_words(now_s * 1000, look)
        if before == after:
            continue
        places = [y for y, line in enumerate(lines) for _, text in line if text == before]
        if len(places) != 1 or places[0] in found or columns(before) != columns(after):
            return None
        line = lines[places[0]]
        found[places[0]] = tuple([(style, after if text == before else text) for style, text in line])
    return found


def _clock_style(left_s: int) -> str:
    """Return the style of a clock that runs."""
    return "clock.low" if left_s * 1000 < LOW_MS else "clock.run"


def _seconds_left(snapshot: AnyViewerState, seat: Seat, now: datetime) -> int:
    ms = remaining_ms(snapshot, seat, now)
    return -1 if ms is None else ms // 1000


def _seconds_away(info: SeatInfo, now: datetime) -> int:
    return -1 if info.gone_since is None else max(0, int((now - info.gone_since).total_seconds()))


def next_digit_s(snapshot: AnyViewerState, now: datetime) -> float | None:
    """Return in how many seconds a running bank shows another digit; None: none is seen to run."""
    left = [ms for info in snapshot.seats if (ms := _running_ms(snapshot, info.seat, now)) is not None]
    return (min(ms % 1000 for ms in left) + 2) / 1000 if left else None


def _running_ms(snapshot: AnyViewerState, seat: Seat, now: datetime) -> int | None:
    """Return the rest of a bank that runs now and is not empty."""
    runs_from, ms = _runs_from(snapshot, seat), remaining_ms(snapshot, seat, now)
    return ms if ms and runs_from is not None and max(snapshot.clock_at, runs_from) <= now else None


def _runs_from(snapshot: AnyViewerState, seat: int) -> datetime | None:
    """Return from when on a seat's bank runs, where it owes something; None: it stands still."""
    decides = snapshot.status == "live" and any(who == seat for who, _ in snapshot.deciding)
    return snapshot.seats[seat].runs_from if decides else None


def free_ms(snapshot: AnyViewerState, now: datetime) -> int:
    """Return how long the open window is still free, 0 where none is: one's own, else the first that is waited for."""
    own = snapshot.pending
    asked = snapshot.deciding if own is None else ((own.seat, own.window),)
    ends = (_runs_from(snapshot, seat) for seat, window in asked if window is not None)
    left = min((end - now for end in ends if end is not None), default=None)
    return 0 if left is None else max(0, int(left.total_seconds() * 1000))


def own_seat(snapshot: AnyViewerState) -> Seat | None:
    """Return the viewer's seat, None for a watcher."""
    return None if isinstance(snapshot.viewer, Watcher) else snapshot.viewer


def is_ahead(snapshot: AnyViewerState) -> bool:
    """Tell whether what is asked is only for one's next turn: others decide now."""
    seat = own_seat(snapshot)
    return snapshot.pending is not None and all(deciding != seat for deciding, _ in snapshot.deciding)


def is_you(snapshot: AnyViewerState, seat: int | None) -> bool:
    """Tell whether a seat is that of the person who reads: in a replay of another's view nobody's is."""
    return seat is not None and seat == snapshot.viewer and not snapshot.is_borrowed


def player_name(name: str, look: Look) -> str:
    """Return how a player's name is shown; a bot's is a word and its level."""
    if name.startswith(BOT):
        return look.t("bot.name", level=look.t(f"bot.{name.removeprefix(BOT)}"))
    return name


def shown_name(player: Player, look: Look) -> str:
    """Return how a player is shown: with the mark where it is a machine."""
    return marked_name(player_name(player.name, look), player.is_machine, look)


def marked_name(name: str, is_machine: bool, look: Look) -> str:
    """Return a name, with the mark of a machine; no name holds the character before it."""
    return f"{name}{look.glyphs.dot}{look.t('machine.mark')}" if is_machine else name


def level_rating(player: Player, game: str, n_seats: int) -> int | None:
    """Return how a built-in player is rated where two play, as it was measured; None for people, and for more seats."""
    if not player.is_bot or n_seats != 2:
        return None
    found = kept_ratings(game).get(player.name.removeprefix(BOT))
    return None if found is None else found.rating


def called(players: Sequence[Player | None], seat: int) -> str:
    """Return what the built-in player of a seat is called at a table of more than two; '' for others.

    `players`: by seat, None where nobody sits. The name begins with a capital letter, which no handle has; it is not
    that of a person at the table either.

    >>> called((Player("account", "cleo"), None, Player("bot", "bot:easy")), 2)
    'Ada'
    """
    if not _is_named(players, seat):
        return ""
    people = {player.name for player in players if player is not None and player.kind != "bot"}
    taken = [at for at, name in enumerate(BOT_NAMES) if name.casefold() in people]
    if seat not in taken:
        return BOT_NAMES[seat]
    renamed = [at for at in taken if _is_named(players, at)]
    spare = [name for at, name in enumerate(BOT_NAMES) if at not in taken and not _is_named(players, at)]
    return spare[renamed.index(seat)]


def _is_named(players: Sequence[Player | None], seat: int) -> bool:
    """Tell whether a built-in player with a name of its own holds a seat."""
    player = players[seat] if 2 < len(players) > seat else None
    return player is not None and player.kind == "bot"


def bot_name(snapshot: AnyViewerState, seat: int) -> str:
    """Return what the built-in player of a seat of a match is called; '' for others."""
    return called([info.player for info in snapshot.seats], seat)


def short_guest(player: Player) -> str:
    """Return a guest's name for where it has no room: all begin alike, so its end tells who it is; '' for others.

    >>> short_guest(Player("guest", "guest-abcdwxyz"))
    'guest…wxyz'
    """
    return f"{player.name[:5]}{ELLIPSIS}{player.name[-4:]}" if player.kind == "guest" else ""


def listed_name(players: Sequence[Player | None], seat: int, look: Look) -> str:
    """Return how a list shows who holds a seat: a bot of a larger table by name and level; '' for nobody."""
    player = players[seat]
    if player is None:
        return ""
    if bot := called(players, seat):
        return look.t("bot.named", name=bot, level=look.t(f"bot.{player.name.removeprefix(BOT)}"))
    return shown_name(player, look)


def short_words(seat: SummarySeat, table: Sequence[SummarySeat], look: Look) -> str:
    """Write a player, a built-in one of a larger table without the level."""
    return called([one.player for one in table], seat.seat) or replaced_words(seat, table, look)


def replaced_words(seat: SummarySeat, table: Sequence[SummarySeat], look: Look) -> str:
    """Write a player, and that a bot plays for them."""
    name = listed_name([one.player for one in table], seat.seat, look)
    return name if seat.bot is None else look.t("row.bot-for", name=name)


def name_at(snapshot: AnyViewerState, seat: int, look: Look) -> str:
    """Return a seat's name, with its number where another seat has the same: two built-in players of one level."""
    name = listed_name([info.player for info in snapshot.seats], seat, look)
    if bot_name(snapshot, seat):
        return name
    twice = sum(info.player.name == snapshot.seats[seat].player.name for info in snapshot.seats) > 1
    return f"{name} {seat + 1}" if twice else name


def short_name_at(snapshot: AnyViewerState, seat: int, look: Look) -> str:
    """Return a seat's name as a log says it: of several built-in players of one level only the number."""
    if bot := bot_name(snapshot, seat):
        return bot
    player = snapshot.seats[seat].player
    if player.kind == "bot" and sum(info.player.name == player.name for info in snapshot.seats) > 1:
        return look.t("bot.numbered", number=seat + 1)
    return name_at(snapshot, seat, look)


def waiting_words(snapshot: AnyViewerState, seats: Iterable[int], look: Look) -> str:
    """Say for whom one waits; empty: for nobody."""
    names = look.t("list.comma").join(short_name_at(snapshot, seat, look) for seat in seats)
    return look.t("match.waiting", name=names) if names else ""


def rating_words(info: SeatInfo) -> str:
    """Return a rating as it was at the start, '?' marks a provisional one; empty: none."""
    return "" if info.rating is None else shown_rating(info.rating, info.provisional)


def ladder_name(ladder: str, look: Look) -> str:
    """Name a ladder, of people or of machines."""
    if is_of_machines(ladder):
        return look.t("ladder.machines", ladder=look.t(f"ladder.{ladder.removesuffix(MACHINES)}"))
    return look.t(f"ladder.{ladder}")


def main_rating(ratings: Mapping[str, Rating]) -> tuple[str, str]:
    """Return the ladder that somebody has played most, and their rating in words; empty texts: never rated."""
    played = [ladder for ladder, rating in ratings.items() if rating.matches]
    best = max(played, key=lambda ladder: ratings[ladder].matches, default="")
    return (best, shown_rating(ratings[best].shown, ratings[best].provisional)) if best else ("", "")


def shown_rating(shown: int, is_provisional: bool) -> str:
    """Write a rating; '?' marks a provisional one, wherever it stands."""
    return f"{shown}{'?' if is_provisional else ''}"


def player_card(
    snapshot: AnyViewerState,
    seat: int,
    mark: str,
    look: Look,
    now: datetime,
    holds: Sequence[Line] = (),
    aside: Sequence[str] = (),
) -> PlayerCard:
    """Return a player: whose turn, mark, name, rating or what matters more, and the clock while it can run."""
    info = snapshot.seats[seat]
    decides = snapshot.status == "live" and any(who == seat for who, _ in snapshot.deciding)
    return PlayerCard(
        seat,
        mark,
        name_at(snapshot, seat, look),
        bot_name(snapshot, seat) or short_guest(info.player),
        rating_words(info),
        seat_note(snapshot, Seat(seat), look, now),
        _clock(snapshot, seat, decides, look, now),
        decides,
        snapshot.is_past,
        tuple(holds),
        tuple(aside),
    )


def _clock(snapshot: AnyViewerState, seat: int, decides: bool, look: Look, now: datetime) -> TimeLeft | None:
    ms = remaining_ms(snapshot, seat, now)
    if snapshot.rating_changes or snapshot.seats[seat].out or ms is None:
        return None
    note = look.t("seat.clock-full") if is_full(snapshot, ms) and not decides else ""
    return TimeLeft(clock_words(ms, look), decides and not snapshot.is_past, ms // 1000 * 1000 < LOW_MS, note)


def seat_line(snapshot: AnyViewerState, seat: int, mark: str, look: Look, cols: int, now: datetime) -> Line:
    """Return a player's line."""
    return player_strip(player_card(snapshot, seat, mark, look, now), look, cols)


def is_full(snapshot: AnyViewerState, ms: int) -> bool:
    """Tell whether a bank holds the most there may be, once somebody has moved: what is added now is lost."""
    speed = SPEEDS.get(snapshot.agreement.speed)
    return speed is not None and snapshot.seq > len(snapshot.seats) and ms >= speed.bank


def away(snapshot: AnyViewerState) -> list[Seat]:
    """Return the seats of people who are missed: not here, not out, and no bot plays for them. In a replay none are."""
    if snapshot.is_past:
        return []
    return [
        info.seat
        for info in snapshot.seats
        if not (info.here or info.out or info.player.kind == "bot" or info.bot is not None)
    ]


def is_counted_away(snapshot: AnyViewerState, seat: Seat) -> bool:
    """Tell whether a seat's note says for how long its player has been away."""
    info = snapshot.seats[seat]
    no_other = info.bot_fails_since is None and not snapshot.rating_changes.get(seat)
    is_missed = seat in away(snapshot) and snapshot.status == "live"
    return no_other and info.gone_since is not None and info.vacation_until is None and is_missed


def seat_note(snapshot: AnyViewerState, seat: Seat, look: Look, now: datetime) -> str:
    """Return what else there is to say about a seat: out, away and for how long or until when, the rating's change."""
    info = snapshot.seats[seat]
    if change := snapshot.rating_changes.get(seat):
        return f"{look.glyphs.arrow} {round(change[1])} ({round(change[1]) - round(change[0]):+d})"
    if info.out:
        return look.t("seat.out")
    if info.bot_fails_since is not None and snapshot.status == "live":
        return look.t("seat.no-answer")
    if info.bot is not None and info.player.kind != "bot" and snapshot.status == "live":
        return look.t("seat.bot-plays")
    if seat in away(snapshot) and snapshot.status == "live":
        if info.vacation_until is not None and info.vacation_until > now:
            return look.t("seat.vacation", until=f"{info.vacation_until:%m-%d}")
        if info.gone_since is None:
            return look.t("seat.away")
        return look.t("seat.away-for", time=clock_words(max(0, (now - info.gone_since) // MS), look))
    return ""
