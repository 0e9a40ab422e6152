"""What happened, told in order: log entries, and the summary of what somebody has not seen yet."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, zip_longest

from server.boards.board import AnyBoard, Weight
from server.boards.seats import name_at, own_seat, player_name, short_name_at
from server.boards.secondperson import in_second_person, marked
from server.i18n.durations import clock_words
from server.matches.model import AnyViewerState, SeenEvent
from server.matches.server_events import TAKEN_BACK
from server.matches.speeds import UNTIMED
from server.terminal.look import Look

LEAST_TOLD_MS = 1000  # of an outage: less shows on no clock
SERVER_EVENT = "match."  # how the server's own events begin
GIVEN_UP = frozenset(("match.resign", "match.left", "match.out_of_time"))
LONGEST_ROUND = 4  # things that a summary counts together where they happen again at once
NOBODYS = frozenset(("match.clock_credited",))  # nobody at the table did it: told in the log, in no summary
SOURCE = "source"  # the parameter that names the card whose effect an event is
FIRST_WIDE = "\u3000"  # Chinese characters and full-width brackets come after it
POSSESSIVE = "的"  # behind a name: what comes next is something of theirs
SERVER_EVENTS_THAT_MATTER = frozenset(
    ("resign", "left", "out_of_time", "bot_seated", "returned", "draw_agreed", "adjourned", "takeback")
)


@dataclass(frozen=True, slots=True)
class Told:
    """One thing that happened, in words; `is_heading`: a turn begins with it; `actor`: the name it begins with."""

    seq: int
    text: str
    weight: Weight
    is_heading: bool = False
    actor: str = ""


def say(board: AnyBoard, event: SeenEvent, snapshot: AnyViewerState, look: Look) -> str:
    """Return an event in the reader's words, the game's own or the server's; empty: nothing worth a line."""
    if not event.kind.startswith(SERVER_EVENT):
        return board.say(snapshot, look, event)
    seat, params = event.params.get("seat"), dict(event.params)
    name = name_at(snapshot, seat, look) if isinstance(seat, int) else ""
    if isinstance(level := params.get("level"), str):
        params["level"] = look.t(f"bot.{level}")
    if isinstance(ms := params.get("ms"), int):
        if event.kind == "match.clock_credited" and (ms < LEAST_TOLD_MS or snapshot.agreement.speed == UNTIMED.name):
            return ""
        params["time"] = clock_words(ms, look)
    if isinstance(until := params.get("until"), str):
        params["until"] = until[:10]
    named: dict[str, object] = {key: value for key, value in params.items() if isinstance(value, str | int)}
    return look.t(f"match.event.{event.kind.removeprefix(SERVER_EVENT)}", **named | {"name": name})


def weight(board: AnyBoard, event: SeenEvent) -> Weight:
    """Return how much an event matters to who reads it."""
    if event.kind.startswith(SERVER_EVENT):
        return Weight.MATTERS if event.kind.removeprefix(SERVER_EVENT) in SERVER_EVENTS_THAT_MATTER else Weight.ORDINARY
    return board.weight(event)


def is_move(board: AnyBoard, event: SeenEvent) -> bool:
    """Tell whether an event belongs to a move of a player."""
    if board.moves:
        return event.kind in board.moves
    is_own = event.seq > 0 and not event.kind.startswith(SERVER_EVENT) and event.kind not in board.headings
    return is_own and weight(board, event) is not Weight.BOOKKEEPING


def has_moved(board: AnyBoard, snapshot: AnyViewerState, events: Iterable[SeenEvent]) -> bool:
    """Tell whether the viewer has made a move; for a watcher, whether anybody has."""
    own = own_seat(snapshot)
    return any(is_move(board, event) and own in (None, board.actor(event)) for event in events)


@dataclass(frozen=True, slots=True)
class MoveCount:
    """The moves of a match: what was taken back counts no more for those that come after it.

    `numbers`: of each move by its entry. `stand`: the entries of those that stand in the end. `after`: entries in
    order, and how many stand after each.
    """

    numbers: Mapping[int, int]
    stand: tuple[int, ...]
    after: tuple[tuple[int, int], ...]

    def until(self, seq: int) -> int:
        """Return how many moves stand after an entry."""
        found = bisect_right(self.after, seq, key=lambda one: one[0])
        return self.after[found - 1][1] if found else 0


def count_moves(board: AnyBoard, events: Sequence[SeenEvent]) -> MoveCount:
    """Count the moves among events, the oldest first; giving up is none."""
    numbers, stand, after = dict[int, int](), list[int](), list[tuple[int, int]]()
    given_up = {event.seq for event in events if event.kind in GIVEN_UP}
    for event in events:
        if event.kind == TAKEN_BACK:
            while stand and stand[-1] > int(str(event.params["to"])):
                stand.pop()
        elif is_move(board, event) and event.seq not in numbers and event.seq not in given_up:
            stand.append(event.seq)
            numbers[event.seq] = len(stand)
        after.append((event.seq, len(stand)))
    return MoveCount(numbers, tuple(stand), tuple(after))


def standing(events: Sequence[SeenEvent]) -> Sequence[SeenEvent]:
    """Return the events without those that a take-back took back: what a board marks as done."""
    if TAKEN_BACK not in [event.kind for event in events]:
        return events
    found: list[SeenEvent] = []
    for event in events:
        if event.kind == TAKEN_BACK:
            while found and found[-1].seq > int(str(event.params["to"])):
                found.pop()
        found.append(event)
    return found


def told(
    board: AnyBoard, snapshot: AnyViewerState, events: Sequence[SeenEvent], look: Look, joins: bool = True
) -> Iterator[Told]:
    """Yield what happened, newest first; bookkeeping is left out, and what was taken back is said to be so.

    `joins`: all that one entry brought is one sentence, but for a turn that begins with it. Who hears it is "you".
    """
    snapshot = marked(snapshot) if look.is_heard else snapshot
    gone = taken_back(events)
    for seq, group in groupby(reversed(board.retold(events)), key=lambda event: event.seq):
        found = _told_of(board, snapshot, seq, list(group)[::-1], look, joins)
        yield from reversed(_as_taken_back(found, look) if seq in gone else found)


def taken_back(events: Sequence[SeenEvent]) -> frozenset[int]:
    """Return the entries of which a later one took the game's events back."""
    if TAKEN_BACK not in [event.kind for event in events]:
        return frozenset()
    stand = {event.seq for event in standing(events)}
    return frozenset(
        event.seq for event in events if event.seq not in stand and not event.kind.startswith(SERVER_EVENT)
    )


def _as_taken_back(found: Iterable[Told], look: Look) -> list[Told]:
    """Say of what was taken back that it was; a heading goes with what stands below it."""
    return [one if one.is_heading else replace(one, text=look.t("log.taken-back", what=one.text)) for one in found]


def _told_of(
    board: AnyBoard, snapshot: AnyViewerState, seq: int, group: Iterable[SeenEvent], look: Look, joins: bool
) -> list[Told]:
    events, found = list(group), list[Told]()
    has_given_up = any(event.kind in GIVEN_UP for event in events)
    whose: int | None = None  # who did what the last of them begins with
    for event in events:
        if has_given_up and event.kind in board.echoes:
            continue
        heavy = weight(board, event)
        text = in_second_person(say(board, event, snapshot, look), look) if heavy is not Weight.BOOKKEEPING else ""
        if not text:
            continue
        is_heading = event.kind in board.headings
        source = str(event.params.get(SOURCE) or "")
        is_named = bool(source and found) and source in found[-1].text
        if is_named and (joins or heavy is Weight.ORDINARY):  # what matters more may be told without what led to it
            text = in_second_person(say(board, _sourceless(event), snapshot, look), look)
        if joins and found and not is_heading and not found[-1].is_heading:
            last = found.pop()
            actor = last.actor if board.actor(event) == whose else ""
            text = look.t("list.then").join((last.text, _without(actor, text)))
            found.append(Told(seq, text, max(last.weight, heavy), False, actor))
            continue
        whose = board.actor(event)
        found.append(Told(seq, text, heavy, is_heading, _actor(snapshot, whose, text, look)))
    return found


def under_headings(found: Iterable[Told], unread: int | None = None) -> Iterator[tuple[Told, str]]:
    """Yield what happened, newest first, and as it reads below what came just before it.

    Whose turn a heading names is not named again, but behind what others did, and behind the heading of what is
    `unread`.
    """
    turn = list[Told]()
    for one in found:
        turn.append(one)
        if one.is_heading:
            yield from _of_turn(turn, one.actor, unread)
            turn.clear()
    yield from _of_turn(turn, "", unread)


def _of_turn(turn: Sequence[Told], whose: str, unread: int | None) -> Iterator[tuple[Told, str]]:
    for one, before in zip_longest(turn, turn[1:]):
        is_next = before is not None and before.actor == whose
        is_apart = before is not None and not before.is_heading and before.seq < (unread or 0) <= one.seq
        yield one, _without(whose, one.text) if is_next and not is_apart else one.text


def _sourceless(event: SeenEvent) -> SeenEvent:
    """Return an event that does not name the card whose effect it is."""
    return replace(event, params={**event.params, SOURCE: ""})


def _actor(snapshot: AnyViewerState, seat: int | None, text: str, look: Look) -> str:
    """Return a seat's name in the form with which a text begins; empty: the text begins otherwise."""
    if seat is None or not 0 <= seat < len(snapshot.seats):
        return ""
    bare = player_name(snapshot.seats[seat].player.name, look)
    names = (name_at(snapshot, seat, look), short_name_at(snapshot, seat, look), bare)
    return next((name for name in (in_second_person(name, look) for name in names) if _without(name, text) != text), "")


def _without(actor: str, text: str) -> str:
    """Return a clause without the name it begins with, after another one of the same actor."""
    if not actor or not text.startswith(actor):
        return text
    gap = "" if actor[-1] >= FIRST_WIDE else " "  # none stands behind a Chinese character or bracket
    rest = text[len(actor) :]
    return text if not rest.startswith(gap) or rest[len(gap) :].startswith(POSSESSIVE) else rest[len(gap) :]


def summary(board: AnyBoard, snapshot: AnyViewerState, events: Sequence[SeenEvent], look: Look) -> list[Told]:
    """Return what happened in the order in which it did; what happened several times in a row once, counted.

    So are a few things that happened one after the other, and again: paying for a card and what it does.
    """
    done = [event for event in events if event.kind not in NOBODYS]
    found = [
        one
        for one in told(board, snapshot, done, look, board.counts_moves or board.tells_entries)
        if not one.is_heading
    ][::-1]
    counted, at = list[Told](), 0
    while at < len(found):
        size, times = _repeated([one.text for one in found[at:]])
        counted += [_counted(one, times, look) for one in found[at : at + size]]
        at += size * times
    return counted


def _repeated(texts: Sequence[str]) -> tuple[int, int]:
    """Return how many of the first texts are there again at once, and how many times in all: at least one, once."""
    best = 1, 1
    for size in range(1, min(LONGEST_ROUND, len(texts) // 2) + 1):
        times = 1
        while texts[times * size : (times + 1) * size] == texts[:size]:
            times += 1
        if times > 1 and size * times > best[0] * best[1]:
            best = size, times
    return best


def clauses(found: Sequence[Told]) -> list[Told]:
    """Return what is told one after the other: who did several things in a row is named once."""
    named = ["", *(one.actor for one in found)]
    return [replace(one, text=_without(before, one.text)) for before, one in zip(named, found, strict=False)]


def weightiest(found: Sequence[Told], fits: Callable[[Sequence[Told]], bool]) -> list[Told]:
    """Return the most that fits, in its order: the lightest is left out first, of those the oldest; never all of it."""
    lightest = sorted(range(len(found)), key=lambda at: (found[at].weight, at))

    def without(n: int) -> list[Told]:
        left = frozenset(lightest[:n])
        return [one for at, one in enumerate(found) if at not in left]

    n = bisect_left(range(max(0, len(found) - 1)), True, key=lambda n: fits(without(n)))
    return without(n)


def _counted(one: Told, times: int, look: Look) -> Told:
    return one if times == 1 else replace(one, text=look.t("match.times", what=one.text, times=times))
