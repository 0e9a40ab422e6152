"""What is heard of a Passage board: the piles, the players, the hand, a card, the choices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from game.contract import Number, OneOf, Subset
from game.passage.cards import ORDER, REAL, Card
from server.boards import saying
from server.boards.board import MoveGroup
from server.boards.games.passage import draw, labels, selection
from server.boards.games.passage.known import certain
from server.boards.games.passage.labels import card_name, card_names, place_words, seat_name
from server.boards.games.passage.selection import ChoiceRow, Shown
from server.boards.saying import Move, listed, sentence
from server.boards.seats import own_seat
from server.terminal.lines import joined
from server.terminal.look import Look

LAST_DISCARDS = 6
VETO_ANSWERS = {"judge": "keys.confirm.yes", "pass": "keys.confirm.no"}  # the prompt is a question


def position(snapshot: Shown, look: Look) -> tuple[str, ...]:
    """Say what is played and owed, what lies where, what is known of everybody, and the hand."""
    view, own, is_over = snapshot.view, own_seat(snapshot), snapshot.result is not None
    owed = sentence(draw.owed_words(snapshot, look), look)
    counts = sentence(listed(draw.counts(snapshot, look), look), look)
    others = [seat for seat in _order(snapshot) if seat != own]
    told = [
        question(snapshot, look),
        "" if is_over else joined((owed, look.t("passage.say.order", names=listed(_names(snapshot, look), look)))),
        joined(
            (
                counts,
                "" if is_over else sentence(draw.known_of_pile(snapshot, look)[1], look),
                _discards(view.discard[: -LAST_DISCARDS - 1 : -1], look),
            )
        ),
        *(side(snapshot, seat, look) for seat in others),
        *hand(snapshot, look)[:1],
    ]
    return tuple(line for line in told if line)


def question(snapshot: Shown, look: Look) -> str:
    """Say what a card that may be vetoed would do, or that a Passage will be drawn; '' where the prompt says all."""
    pending = snapshot.pending
    if pending is not None and pending.prompt == "play":
        return labels.doomed_words(snapshot, look)
    if pending is None or pending.prompt != "veto":
        return ""
    said = labels.at_stake(snapshot, look)
    params = labels.spoken(dict(pending.params), snapshot, look, None)
    return said if said != look.t("passage.window.plain", **params) else ""


def _order(snapshot: Shown) -> list[int]:
    """Return all seats, those that are in first, in the order of their turns."""
    view, seat, order = snapshot.view, snapshot.view.turn, list[int]()
    while seat not in order and seat not in view.eliminated:
        order.append(seat)
        seat = view.after(seat, view.direction)
    return [*order, *(seat for seat in range(view.n_seats) if seat not in order)]


def _names(snapshot: Shown, look: Look) -> list[str]:
    return [seat_name(snapshot, seat, look) for seat in _order(snapshot) if seat not in snapshot.view.eliminated]


def _discards(cards: Iterable[Card], look: Look) -> str:
    names = listed((card_name(one, look) for one in cards), look)
    return look.t("passage.say.discards", cards=names) if names else ""


def side(snapshot: Shown, seat: int, look: Look) -> str:
    """Say what may be known of a player, at the end their hand too."""
    cards = snapshot.view.hands[seat]
    is_open = seat != own_seat(snapshot) and bool(cards) and Card.HIDDEN not in cards
    words = labels.side_words(snapshot, seat, look, tells_held=not is_open)
    words += [card_names(cards, look)] if is_open else []
    return look.t("passage.say.side", name=seat_name(snapshot, seat, look), words=listed(words, look))


def hand(snapshot: Shown, look: Look) -> tuple[str, ...]:
    """Say the viewer's hand: first all of it, then what each card does."""
    view, seat = snapshot.view, own_seat(snapshot)
    if seat is None:
        return ()
    theirs, name = ("-theirs" if snapshot.is_borrowed else ""), seat_name(snapshot, seat, look)
    if seat in view.eliminated:
        return (look.t(f"passage.hand.out{theirs}", name=name),)
    is_blind, cards = seat in view.blind, sorted(view.hands[seat], key=ORDER.__getitem__)
    count = look.t(f"passage.hand{theirs}", count=len(cards), name=name)
    held = look.t("passage.hand.blind") if is_blind else card_names(cards, look) if cards else ""
    words = [count, held, look.t("passage.hand.sealed", cards=card_names(view.sealed[seat], look))]
    said = look.t("list.then").join(word for word in words[: 3 if view.sealed[seat] else 2] if word)
    shown = () if is_blind else dict.fromkeys(cards)
    return (sentence(said, look), *(_does(one, look) for one in shown))


def _does(card: Card, look: Look) -> str:
    if card not in REAL:
        return sentence(card_name(card, look), look)
    return look.t("passage.say.does", card=card_name(card, look), does=look.t(f"passage.does.{card}"))


def of(snapshot: Shown, look: Look, what: str) -> tuple[str, ...]:
    """Say what a card does and where one lies, what is known of a player, what lies in the pile or the discards."""
    for card in REAL:
        if saying.is_named(what, (card.value, card_name(card, look))):
            return (_does(card, look), *_where(snapshot, card, look))
    for seat in range(snapshot.view.n_seats):
        if saying.is_named(what, (seat_name(snapshot, seat, look),)):
            return (side(snapshot, seat, look),)
    if saying.is_named(what, ("pile", look.t("passage.say.pile"))):
        counts = sentence(listed(draw.counts(snapshot, look), look), look)
        return (joined((counts, sentence(draw.known_of_pile(snapshot, look)[1], look))),)
    if saying.is_named(what, ("discards", look.t("passage.say.discarded"))):
        return (_discards(reversed(snapshot.view.discard), look) or look.t("passage.say.no-discards"),)
    return ()


def _where(snapshot: Shown, card: Card, look: Look) -> Iterator[str]:
    """Say how many of a card lie where the viewer sees them."""
    view, seat = snapshot.view, own_seat(snapshot)
    places = {"discards": view.discard, "removed": view.removed}
    if seat is not None and seat not in view.blind:
        places = {"hand": view.hands[seat], **places}
    for place, cards in places.items():
        if n := sum(one is card for one in cards):
            yield look.t(f"passage.say.in.{place}", count=n)


def moves(snapshot: Shown, look: Look) -> tuple[MoveGroup, ...]:
    """Return what the viewer may do now: what the question lists, a card with several targets or places by itself.

    Last, asked or not, what may be let pass by itself.
    """
    return (*_answers(snapshot, look), *_settings(snapshot, look))


def _answers(snapshot: Shown, look: Look) -> tuple[MoveGroup, ...]:
    pending = snapshot.pending
    if pending is None:
        return ()
    rows = tuple(sorted(selection.rows(snapshot), key=lambda row: not _is_plain(row)))
    if isinstance(pending.choice, Subset):
        items = tuple((row.head, labels.row_words(row, snapshot, look)) for row in rows)
        return (MoveGroup(_title(snapshot, look), items, pending.choice.verb, pending.choice.min, pending.choice.max),)
    return saying.grouped(move for row in rows for move in _told(snapshot, row, look))


def said_as(snapshot: Shown, text: str, look: Look) -> tuple[str, ...]:
    """Return an action, or a card of one, with the names of the card, the player and the end of the pile."""
    verb, *rest = text.split()
    if text in VETO_ANSWERS and snapshot.pending is not None and snapshot.pending.prompt == "veto":
        return (look.t(VETO_ANSWERS[text]),)
    if verb == "put":
        return tuple(f"{verb} {end}" for end in _end(snapshot, rest[0], look))
    before, card, target = (f"{verb} ", *rest[:1], rest[1:]) if rest else ("", verb, [])
    if card not in REAL:
        return ()
    named = (card, card_name(Card(card), look))
    if not target:
        return tuple(f"{verb}{one}" for verb in (before, "") for one in named)
    if card == Card.KOTODAMA:
        on = _end(snapshot, target[0], look)
    else:
        on = (seat_name(snapshot, int(target[0]), look),) if target[0].isdecimal() else ()
    return tuple(f"{verb}{one} {where}" for verb in (before, "") for one in named for where in on)


def _end(snapshot: Shown, at: str, look: Look) -> tuple[str, ...]:
    """Name a place in the pile where it is an end of it."""
    pending = snapshot.pending
    choice = pending.choice if pending is not None else None
    last = choice.high if isinstance(choice, Number) else len(snapshot.view.pile) - 1
    return (place_words(int(at), last + 1, look),) if at in ("0", str(last)) else ()


def _settings(snapshot: Shown, look: Look) -> tuple[MoveGroup, ...]:
    texts = [action.text for choice in snapshot.settings if isinstance(choice, OneOf) for action in choice.actions]
    modes = [(text, text.removeprefix("auto ")) for text in texts if text != f"auto {snapshot.view.auto}"]
    return saying.grouped((look.t("passage.say.auto"), text, look.t(f"passage.auto.{mode}")) for text, mode in modes)


def _title(snapshot: Shown, look: Look) -> str:
    return labels.asked_words(snapshot, look)


def _is_plain(row: ChoiceRow) -> bool:
    """Tell whether a row is one action without a target or a place."""
    return len(row.texts) == 1 and not row.is_number and len(row.texts[0].split()) < 3


def _told(snapshot: Shown, row: ChoiceRow, look: Look) -> Iterator[Move]:
    """Yield the actions of a row: of several with the card as their kind."""
    if row.head == "put":
        yield from ((_title(snapshot, look), text, _place(snapshot, text, len(row.texts), look)) for text in row.texts)
        return
    name = labels.row_words(row, snapshot, look)
    does = draw.does(row.head, look, False)
    title = look.t("passage.say.does", card=name, does=does) if does else name
    if _is_plain(row):
        words = look.t("passage.say.does", card=name, does=does) if does else name
        yield _title(snapshot, look), row.texts[0], words
        return
    for text in row.texts:
        if row.is_number:
            yield title, text, _place(snapshot, text, len(row.texts), look)
        else:
            target = text.split()[2:]
            seat = int(target[0]) if target else snapshot.view.turn
            yield title, text, look.t("passage.say.at", name=seat_name(snapshot, seat, look))


def _place(snapshot: Shown, text: str, size: int, look: Look) -> str:
    """Say a place in the pile, and which card is known to be there."""
    at, known = int(text.split()[-1]), dict(certain(snapshot.view))
    place = place_words(at, size, look)
    return look.t("passage.place.is", place=place, card=card_name(known[at], look)) if at in known else place


def prompt(snapshot: Shown, look: Look) -> str:
    """Say what the viewer is asked now, or for whom they wait."""
    pending = snapshot.pending
    if pending is None:
        count = len(snapshot.deciding)
        if count > 1:
            return look.t("passage.say.wait", count=count)
        return labels.prompt(snapshot, selection.Selection(), look)
    params = labels.spoken(dict(pending.params), snapshot, look, len(snapshot.view.pile))
    if pending.prompt in ("veto", "place"):
        lacks = ".no-judge" if pending.prompt == "veto" and selection.judging(snapshot) is None else ""
        return look.t(f"passage.say.{pending.prompt}{lacks}", **params)
    return labels.asked_words(snapshot, look)
