"""What is heard of a RaiNet board: the cards of both sides, a square, the actions by kinds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from game.contract import Action, OneOf
from game.rainet.board import ALL_EXITS, EXITS, NAMES, NORTH, SOUTH, SQUARES, START_SQUARES
from game.rainet.notation import (
    Assign,
    AttachBoost,
    DetachBoost,
    Enter,
    Move,
    NotFound,
    PlaceFirewall,
    TakeFirewall,
    VirusCheck,
    read_action,
)
from server.boards import saying
from server.boards.board import MoveGroup
from server.boards.games.rainet import labels, selection
from server.boards.games.rainet.position import cards_on, threatened_exits
from server.boards.games.rainet.selection import Selection, Shown
from server.boards.saying import listed, sentence
from server.boards.seats import is_you, own_seat, short_name_at
from server.terminal.lines import joined
from server.terminal.look import Look

KINDS: Final = ("link", "virus")
TERMINALS: Final = ("boost", "check", "wall", "404")
FILINGS: Final = {"": "open", "+": "shown", "l": "link", "v": "virus"}


def position(snapshot: Shown, look: Look) -> tuple[str, ...]:
    """Say where all cards are, the viewer's own first."""
    seats = (SOUTH, NORTH) if selection.side(snapshot) == SOUTH else (NORTH, SOUTH)
    told = [line for seat in seats for line in side(snapshot, seat, look)]
    souths, norths = (listed((NAMES[one] for one in sorted(EXITS[seat])), look) for seat in (SOUTH, NORTH))
    south, north = (look.side("rainet", "SN"[seat], seat) for seat in (SOUTH, NORTH))
    told.append(look.t("rainet.say.exits", south=south, souths=souths, north=north, norths=norths))
    threatened = threatened_exits(snapshot.view) if snapshot.agreement.warnings else ()
    if threatened:
        told.append(look.t("rainet.say.threatened", squares=listed((NAMES[one] for one in sorted(threatened)), look)))
    return tuple(told)


def side(snapshot: Shown, seat: int, look: Look) -> tuple[str, ...]:
    """Say what one side has: on the grid, in its stack, its terminal cards."""
    view = snapshot.view
    who = _who(snapshot, seat, look)
    if view.is_setup:
        if view.setups[seat] is None:
            squares = listed((NAMES[one] for one in START_SQUARES[seat]), look)
            return (look.t("rainet.say.places", who=who, squares=squares),)
        return (look.t("rainet.say.placed", who=who), *_placement(snapshot, seat, look))
    cards = look.t("list.then").join(_cards(snapshot, seat, look))
    sentences = (
        look.t("rainet.say.cards" if cards else "rainet.say.no-cards", who=who, cards=cards),
        look.t("rainet.say.stack", cards=_stack(snapshot, seat, look)),
        look.t("rainet.say.terminals", cards=listed(labels.terminal_words(snapshot, seat, look), look)),
    )
    return (joined(sentences),)


def hand(snapshot: Shown, look: Look) -> tuple[str, ...]:
    """Say which of the viewer's own cards are what."""
    seat = own_seat(snapshot)
    if seat is None or (snapshot.view.is_setup and snapshot.view.setups[seat] is None):
        return ()
    return side(snapshot, seat, look)


def _who(snapshot: Shown, seat: int, look: Look) -> str:
    key = "rainet.say.you" if is_you(snapshot, seat) else "rainet.say.who"
    return look.t(key, name=short_name_at(snapshot, seat, look), side=look.side("rainet", "SN"[seat], seat))


def _placement(snapshot: Shown, seat: int, look: Look) -> tuple[str, ...]:
    """Say how a side has placed its cards, where the viewer knows."""
    letters = snapshot.view.setups[seat] or ""
    return (_links(seat, letters, look),) if set(letters) == {"L", "V"} else ()


def _links(seat: int, letters: str, look: Look) -> str:
    names = (NAMES[square] for square, letter in zip(START_SQUARES[seat], letters, strict=True) if letter == "L")
    return look.t("rainet.say.links", squares=listed(names, look))


def again(snapshot: Shown, chosen: Selection, look: Look) -> str:
    """Say how the viewer's cards lay in their last match."""
    return look.t("rainet.say.again", links=_links(selection.side(snapshot), chosen.last, look))


def _cards(snapshot: Shown, seat: int, look: Look) -> Iterator[str]:
    """Yield the cards of a side on the grid by what they are."""
    found: dict[tuple[str, bool], list[str]] = {}
    for square, card in sorted(cards_on(snapshot.view).items()):
        if card.owner == seat:
            name = look.t("rainet.say.boosted", square=NAMES[square]) if card.boosted else NAMES[square]
            found.setdefault((card.kind or "hidden", card.face_up), []).append(name)
    for kind, is_open in (("link", False), ("link", True), ("virus", False), ("virus", True), ("hidden", False)):
        if squares := found.get((kind, is_open)):
            key = f"rainet.say.on.{kind}{'-open' if is_open else ''}"
            yield look.t(key, n=len(squares), squares=listed(squares, look))


def _stack(snapshot: Shown, seat: int, look: Look) -> str:
    cards = snapshot.view.stack(seat)
    told = [look.t(f"rainet.say.of-four.{kind}", count=sum(one.kind == kind for one in cards)) for kind in KINDS]
    for area in KINDS:
        if hidden := sum(one.kind is None and one.area == area for one in cards):
            told.append(look.t("rainet.say.filed", count=hidden, area=look.t(f"rainet.area.{area}")))
    return listed(told, look)


def of(snapshot: Shown, look: Look, what: str) -> tuple[str, ...]:
    """Say what a square, a side, a player's cards or a terminal card is."""
    square = SQUARES.get(what.strip().casefold())
    if square is not None:
        return _square(snapshot, square, look)
    for terminal in TERMINALS:
        title = look.t(f"rainet.say.group.{terminal}")
        if saying.is_named(what, (terminal, title, look.t(f"keys.rainet.{terminal}"))):
            return (look.t(f"rainet.say.what.{terminal}"),)
    for seat in (SOUTH, NORTH):
        names = (short_name_at(snapshot, seat, look), look.side("rainet", "SN"[seat], seat))
        if saying.is_named(what, (*names, *((look.t("seat.you"),) if is_you(snapshot, seat) else ()))):
            return side(snapshot, seat, look)
    return ()


def _square(snapshot: Shown, square: int, look: Look) -> tuple[str, ...]:
    said = labels.square_words(snapshot, Selection(square), look)
    found = selection.offers(snapshot)
    goals = [NAMES[goal] for goal in sorted(found.moves.get(square, ()))]
    told = [sentence(said, look)]
    if goals:
        told.append(look.t("rainet.say.goals", squares=listed(goals, look)))
    if square in found.enters:
        told.append(look.t("rainet.say.enters"))
    return tuple(told)


def moves(snapshot: Shown, look: Look) -> tuple[MoveGroup, ...]:
    """Return what the viewer may do now: by card, then each terminal card."""
    pending = snapshot.pending
    if pending is None or not isinstance(pending.choice, OneOf):
        return ()
    return saying.grouped(_told(snapshot, action, look) for action in pending.choice.actions)


def _told(snapshot: Shown, action: Action, look: Look) -> saying.Move:
    text = action.text
    title, words = _words(snapshot, text, look)
    return title, text, words


def _words(snapshot: Shown, text: str, look: Look) -> tuple[str, str]:
    """Return the kind of an action, and what it does."""
    match read_action(text):
        case Move(path):
            return _from(snapshot, path[0], look), _by(path[1:-1], _goal(snapshot, path[-1], look), look)
        case Enter(path, filing):
            said = look.t(f"rainet.say.into.{FILINGS[filing]}")
            return _from(snapshot, path[0], look), _by(path[1:], said, look)
        case AttachBoost(square):
            return look.t("rainet.say.group.boost"), look.t("rainet.say.boost", card=_from(snapshot, square, look))
        case DetachBoost(square):
            return look.t("rainet.say.group.boost"), look.t("rainet.say.back", square=NAMES[square])
        case VirusCheck(square):
            return look.t("rainet.say.group.check"), look.t("rainet.say.check", square=NAMES[square])
        case PlaceFirewall(square):
            return look.t("rainet.say.group.wall"), look.t("rainet.say.wall", square=NAMES[square])
        case TakeFirewall(square):
            return look.t("rainet.say.group.wall"), look.t("rainet.say.back", square=NAMES[square])
        case NotFound(first, second, swaps):
            key = "rainet.say.swap" if swaps else "rainet.say.keep"
            return look.t("rainet.say.group.404"), look.t(key, first=NAMES[first], second=NAMES[second])
        case Assign(letters):
            seat = selection.side(snapshot)
            squares = listed((NAMES[square] for square in START_SQUARES[seat]), look)
            return look.t("rainet.say.group.setup", squares=squares), _links(seat, letters, look)


def _from(snapshot: Shown, square: int, look: Look) -> str:
    card = snapshot.view.card_at(square)
    kind = look.t(f"rainet.card.{card.kind or 'hidden'}") if card is not None else ""
    return look.t("rainet.say.from", card=kind, square=NAMES[square])


def _goal(snapshot: Shown, square: int, look: Look) -> str:
    card = snapshot.view.card_at(square)
    if card is not None:
        kind = look.t(f"rainet.card.{card.kind or 'hidden'}")
        return look.t("rainet.say.takes", square=NAMES[square], card=kind)
    is_door = square in ALL_EXITS and square not in EXITS[selection.side(snapshot)]
    return look.t("rainet.say.to-exit" if is_door else "rainet.say.to", square=NAMES[square])


def _by(between: tuple[int, ...], said: str, look: Look) -> str:
    return look.t("rainet.say.by", said=said, square=NAMES[between[0]]) if between else said


def prompt(snapshot: Shown, look: Look) -> str:
    """Say what the viewer is asked now, or for whom they wait."""
    pending = snapshot.pending
    if pending is None:
        names = listed((short_name_at(snapshot, seat, look) for seat, _ in snapshot.deciding), look)
        return (
            look.t("rainet.say.wait-setup" if snapshot.view.is_setup else "match.waiting", name=names) if names else ""
        )
    return look.t(f"rainet.prompt.{pending.prompt}")
