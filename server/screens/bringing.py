"""What a person brings to a seat: a deck of the game's own, or one of theirs; and which side they like to play."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache

from game import registry
from game.contract import Json, Option, Seat
from game.errors import BadNotation
from game.options import finished, reading_deck
from server.boards.decks import Options, OwnDeck, deckbook
from server.lobby.room import Wished
from server.matches.agreement import Agreement
from server.screens.form import FormRow, cycle
from server.session.session import Session
from server.terminal.look import Look

USUAL = ""  # a value besides the names of the game's own decks: what the side usually plays
OWN = "own:"  # begins the value of a deck of one's own; its name follows
PLAIN: Options = {}  # of a room that plays by the rules as they are


def deck_option(game: str) -> Option | None:
    """Return the option that says which deck a seat brings, None where the game has no decks."""
    return next((one for one in registry.get(game).options() if one.kind == "deck" and one.per_seat), None)


def side_names(game: str) -> tuple[str, ...]:
    """Return the names of the sides of a game whose sides bring different decks; () for other games."""
    option = deck_option(game)
    return registry.get(game).seat_names(len(option.seat_values)) if option is not None and option.seat_values else ()


def all_values(session: Session, game: str, seat: int) -> tuple[str, ...]:
    """Return the decks there are for a seat, legal or not: the usual one, the game's, those of one's own."""
    option = deck_option(game)
    own = [f"{OWN}{deck.name}" for deck in session.decks.all if (deck.game, deck.seat) == (game, seat)]
    return (USUAL, *(option.values_of(seat) if option is not None else ()), *own)


def values(session: Session, game: str, seat: int, options: Options = PLAIN) -> tuple[str, ...]:
    """Return the decks that may be brought to a seat of a room with these options."""
    return tuple(one for one in all_values(session, game, seat) if is_legal(session, game, seat, one, options))


def is_legal(session: Session, game: str, seat: int, value: str, options: Options = PLAIN) -> bool:
    """Tell whether a deck may be brought to a room with these options."""
    book = deckbook(game)
    if book is None or value == USUAL:
        return True
    form = book.format_of(options)
    if not value.startswith(OWN):
        return book.allows(value, seat, form)
    mine = owned(session, game, seat, value)
    return mine is not None and (
        mine.is_legal if form == book.formats[0] else not reasons(session, game, seat, value, options)
    )


def reasons(session: Session, game: str, seat: int, value: str, options: Options = PLAIN) -> list[str]:
    """Return why a deck is not legal in a room with these options, in words."""
    book = deckbook(game)
    if book is None or value == USUAL:
        return []
    return book.problems(list_of(session, game, seat, value), seat, session.look, book.format_of(options))


def summary(session: Session, game: str, seat: int, value: str) -> str:
    """Return a deck in one line."""
    book = deckbook(game)
    return book.summary(list_of(session, game, seat, value), session.look) if book is not None else ""


def list_of(session: Session, game: str, seat: int, value: str) -> str:
    """Return a deck as a list, "" for one that is not there any more."""
    book, mine = deckbook(game), owned(session, game, seat, value)
    if mine is not None:
        return mine.list
    return book.starter(value, seat) if book is not None and not value.startswith(OWN) else ""


def owned(session: Session, game: str, seat: int, value: str) -> OwnDeck | None:
    """Return the deck of one's own that a value names."""
    name = value.removeprefix(OWN) if value.startswith(OWN) else None
    mine = (deck for deck in session.decks.all if (deck.game, deck.seat, deck.name) == (game, seat, name))
    return next(mine, None)


def word(look: Look, game: str, seat: int, value: str) -> str:
    """Return a deck's name; the usual one is that of its side."""
    if value.startswith(OWN):
        return value.removeprefix(OWN)
    return look.t(f"{game}.deck.{value}" if value else f"{game}.deck.usual.{side_names(game)[seat]}")


def brought(session: Session, game: str, seat: int, value: str, options: Options = PLAIN) -> Mapping[str, Json]:
    """Return what a seat brings when this deck is chosen, as the lobby takes it."""
    option = deck_option(game)
    if option is None or value not in values(session, game, seat, options) or value == USUAL:
        return {}
    mine = owned(session, game, seat, value)
    return {option.name: value if mine is None else mine.list}


def brought_along(session: Session, game: str, seat: int, value: str, options: Options = PLAIN) -> Mapping[str, Json]:
    """Return what is brought to a seat: its deck, and the one for the other side: a rematch changes sides."""
    brings = with_deck(session, game, seat, seat, value, {}, options)
    if len(side_names(game)) != 2:
        return brings
    other = 1 - seat
    return with_deck(session, game, seat, other, wished_deck(session, game, other, options), brings, options)


def with_deck(
    session: Session, game: str, seat: int, side: int, value: str, brings: Mapping[str, Json], options: Options
) -> dict[str, Json]:
    """Return what is brought to a seat with another deck for a side: the seat's, or the one of a later game."""
    name, option = name_for(game, seat, side), deck_option(game)
    rest = {one: kept for one, kept in brings.items() if one != name}
    chosen = brought(session, game, side, value, options)
    return rest | {name: chosen[option.name]} if name and option is not None and chosen else rest


def name_for(game: str, seat: int, side: int) -> str:
    """Return the option by which the deck for a side is brought to a seat, '' where there is none."""
    option = deck_option(game)
    if option is None or side == seat:
        return "" if option is None else option.name
    return next((one.name for one in registry.get(game).options() if one.returns == option.name), "")


def wished(session: Session) -> Wished:
    """Return what says which decks a person likes to bring to each seat of a match; they have been read."""

    def by_seat(agreed: Agreement) -> tuple[Mapping[str, Json], ...]:
        game, options = agreed.game, agreed.options
        return tuple(
            brought_along(session, game, seat, wished_deck(session, game, seat, options), options)
            for seat in range(len(side_names(game)))
        )

    return by_seat


def value_brought(session: Session, game: str, seat: int, side: int, brings: Mapping[str, Json]) -> str | None:
    """Return which deck for a side is brought to a seat; None: one of theirs that they have changed since."""
    deck = brings.get(name_for(game, seat, side), USUAL)
    if isinstance(deck, str):
        return deck
    liked = _read(session.person.preferences.brings).get(f"{game}/{side}", USUAL)
    mine = owned(session, game, side, liked)
    return liked if mine is not None and _as_stored(game, mine.list) == deck else None


def word_brought(session: Session, game: str, seat: int, side: int, brings: Mapping[str, Json]) -> str:
    """Return the name of the deck for a side that is brought to a seat."""
    value = value_brought(session, game, seat, side, brings)
    return session.t("decks.own-one") if value is None else word(session.look, game, side, value)


@lru_cache(maxsize=64)
def _as_stored(game: str, text: str) -> Json:
    """Return a list as what is brought has it; nothing for what is no deck."""
    option = deck_option(game)
    with suppress(BadNotation):
        return None if option is None else finished(reading_deck(option, text))
    return None


# What is remembered with the account.


def wished_deck(session: Session, game: str, seat: int, options: Options = PLAIN) -> str:
    """Return the deck that a person likes to bring to a seat; the usual one where a room does not take it."""
    wished = _read(session.person.preferences.brings).get(f"{game}/{seat}", USUAL)
    return wished if wished in values(session, game, seat, options) else USUAL


def wish_deck(session: Session, game: str, seat: int, value: str) -> None:
    """Remember the deck for a seat."""
    session.person.prefer(brings=_write(session.person.preferences.brings, f"{game}/{seat}", value))


def wished_side(session: Session, game: str) -> Seat | None:
    """Return the side that a person likes to play, None for either."""
    name, names = _read(session.person.preferences.sides).get(game, ""), side_names(game)
    return Seat(names.index(name)) if name in names else None


def wish_side(session: Session, game: str, seat: Seat | None) -> None:
    """Remember the side."""
    name = side_names(game)[seat] if seat is not None else ""
    session.person.prefer(sides=_write(session.person.preferences.sides, game, name))


def _read(kept: tuple[str, ...]) -> dict[str, str]:
    return dict(line.split("=", 1) for line in kept if "=" in line)


def _write(kept: tuple[str, ...], key: str, value: str) -> tuple[str, ...]:
    changed = {**_read(kept), key: value}
    return tuple(f"{name}={one}" for name, one in sorted(changed.items()) if one)


# Lines of forms.


class DeckRows:
    """A form's lines for the decks. One may stand at a deck of one's own that is not legal: it is not chosen there."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._at: dict[tuple[str, int], str] = {}  # by game and seat: the deck at which one stands, not legal

    def rows(self, game: str, options: Options = PLAIN) -> list[FormRow]:
        """Return a line for the deck of each side; none for games without decks."""
        return [self._row(game, seat, name, options) for seat, name in enumerate(side_names(game))]

    def refusal(self, game: str, options: Options = PLAIN) -> str:
        """Return why a deck at which one stands can't be brought, '' where all may be."""
        for seat in range(len(side_names(game))):
            if (now := self._now(game, seat, options)) != wished_deck(self._session, game, seat, options):
                return not_legal(self._session, game, seat, now, options)
        return ""

    def _now(self, game: str, seat: int, options: Options) -> str:
        at = self._at.get((game, seat), USUAL)
        is_wrong = owned(self._session, game, seat, at) and not is_legal(self._session, game, seat, at, options)
        return at if is_wrong else wished_deck(self._session, game, seat, options)

    def _row(self, game: str, seat: int, name: str, options: Options) -> FormRow:
        session, look, now = self._session, self._session.look, self._now(game, seat, options)

        def change(step: int) -> None:
            there = [
                one
                for one in all_values(session, game, seat)
                if one.startswith(OWN) or is_legal(session, game, seat, one, options)
            ]
            to = cycle(there, now, step)
            if is_legal(session, game, seat, to, options):
                self._at.pop((game, seat), None)
                wish_deck(session, game, seat, to)
            else:
                self._at[game, seat] = to

        label, said = look.t("form.deck-of", side=look.side(game, name, seat)), word(look, game, seat, now)
        if is_legal(session, game, seat, now, options):
            return FormRow(label, said, change, summary(session, game, seat, now))
        return FormRow(label, f"! {said}", change, not_legal(session, game, seat, now, options))


def not_legal(session: Session, game: str, seat: int, value: str, options: Options) -> str:
    """Say that a deck is not legal, and the first reason."""
    wrong = reasons(session, game, seat, value, options)
    more = f" {session.t('deckedit.more', n=len(wrong) - 1)}" if len(wrong) > 1 else ""
    return session.t("decks.not-legal", deck=word(session.look, game, seat, value), reason=f"{wrong[0]}{more}")


def side_row(session: Session, game: str) -> FormRow:
    """Return the line for the side one likes to play."""
    look, names, now = session.look, ("", *side_names(game)), wished_side(session, game)
    at = 0 if now is None else int(now) + 1

    def change(step: int) -> None:
        new = (at + step) % len(names)
        wish_side(session, game, Seat(new - 1) if new else None)

    value = look.side(game, names[at], at - 1) if at else look.t("form.side-any")
    return FormRow(look.t("form.side-of", game=look.game(game)), value, change, look.t("form.side-of.help"))
