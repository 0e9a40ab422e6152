"""The action that a line typed in a dialogue means, or why it means none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final

from game.choices import contains
from game.contract import Action, Choice, Number, OneOf, Subset
from game.errors import GameError
from server.boards import byname, whynot
from server.boards.board import AnyBoard
from server.i18n.catalogues import FALLBACK
from server.matches.model import AnyViewerState
from server.screens.toldmoves import STOPS, ToldMoves
from server.terminal.look import Look

MOST_EXPLAINED = 6  # of actions that begin alike: with what each does
MOST_NAMED = 20  # of actions that begin alike
MOST_WORDS = 8  # of a line that is no action, looked at for the beginning of one
WORD: Final = re.compile(r"[a-z]{3}")  # in an action as it is written: a square has no such letters
QUOTED: Final = re.compile(r'"[^"]*"')
UNHEARD: Final = '"!?.'  # at the end of a name: it is said without them
Orders = Sequence[tuple[str, str]]


def found_setting(shot: AnyViewerState, typed: str) -> Action | None:
    """Return a personal setting that is written whole: one may be made at any time, and asks nothing."""
    offered = (one for choice in shot.settings if isinstance(choice, OneOf) for one in choice.actions)
    return next((one for one in offered if one.text.casefold() == typed.casefold()), None)


def found_actions(board: AnyBoard, shot: AnyViewerState, typed: str, look: Look) -> list[str]:
    """Return the actions that are meant: those that are offered and begin so, or the one that is written whole.

    Where none is written so, those that are said so with the names of what they are about.
    """
    return _found_written(board, shot, typed, look) or _found_in_words(board, shot, typed, look)


def _found_written(board: AnyBoard, shot: AnyViewerState, typed: str, look: Look) -> list[str]:
    return list(_found(board, shot, typed)) or found_by_name(board, shot, typed, look)


def _found_in_words(board: AnyBoard, shot: AnyViewerState, typed: str, look: Look) -> list[str]:
    """Return the actions that are told in these words, or in words that begin so: signs between them are not heard."""
    said = _spoken(typed)
    moves = [one for group in board.spoken_moves(shot, look) if not group.verb for one in group.moves if said]
    return [text for text, words in moves if _spoken(words) == said] or [
        text for text, words in moves if _spoken(words).startswith(said)
    ]


def as_typed(board: AnyBoard, shot: AnyViewerState, text: str, look: Look) -> str:
    """Return how an action is best typed: as it is told, where the notation has a word of another language."""
    if look.language == FALLBACK or not WORD.search(text):
        return text
    told = dict(move for group in board.spoken_moves(shot, look) if not group.verb for move in group.moves)
    words = told.get(text, text).rstrip(STOPS)
    return words if _found_in_words(board, shot, words, look) == [text] else text


def _spoken(text: str) -> str:
    """Return the letters and digits of a text, which are all that is heard of it."""
    return "".join(char for char in text.casefold() if char.isalnum())


def found_by_name(board: AnyBoard, shot: AnyViewerState, typed: str, look: Look) -> list[str]:
    """Return the actions, for this decision or to be kept for one's next, that are said so with names."""
    choice = shot.pending.choice if shot.pending is not None else None
    if isinstance(choice, Subset):
        return _several_by_name(board, shot, choice, typed, look)
    texts = board.ahead(shot) if choice is None else offered(choice)
    return byname.found(typed, {text: board.said_as(shot, text, look) for text in texts})


def offered(choice: Choice) -> Sequence[str]:
    """Return the actions of a choice of one, or of a number."""
    match choice:
        case OneOf(actions):
            return [one.text for one in actions]
        case Number(verb, low, high):
            return [f"{verb} {n}" for n in range(low, high + 1)]
        case Subset():
            return ()


def _several_by_name(board: AnyBoard, shot: AnyViewerState, choice: Subset, typed: str, look: Look) -> list[str]:
    named = _items_named(board, shot, choice, typed, look)
    text = " ".join((choice.verb, *named))
    with suppress(GameError):
        return [text] if contains(choice, Action(text)) and named else []
    return []


def _items_named(board: AnyBoard, shot: AnyViewerState, choice: Subset, typed: str, look: Look) -> Sequence[str]:
    """Return what is named of the things to choose among, with or without the verb before them."""
    verb, _, rest = typed.partition(" ")
    told = dict(move for group in board.spoken_moves(shot, look) if group.verb for move in group.moves)
    names = {item: (item, told.get(item, item), *board.said_as(shot, item, look)) for item in choice.items}
    return byname.items(rest if verb.casefold() == choice.verb else typed, names) or ()


def _found(board: AnyBoard, shot: AnyViewerState, typed: str) -> Iterator[str]:
    choice = shot.pending.choice if shot.pending is not None else None
    if choice is None:
        return
    typed = _as_written(choice, typed)
    if isinstance(choice, OneOf):
        whole = [one.text for one in choice.actions if one.text.casefold() == typed.casefold()]
        yield from whole or board.spelled(shot, typed)
        return
    for text in (typed, f"{choice.verb} {typed}"):
        with suppress(GameError):
            if contains(choice, Action(text)):
                yield text
                return


def _as_written(choice: Choice, typed: str) -> str:
    """Return what was typed with its quoted names as a choice writes them."""
    if '"' not in typed:
        return typed
    texts = [one.text for one in choice.actions] if isinstance(choice, OneOf) else []
    texts += choice.items if isinstance(choice, Subset) else ()
    names = {_heard(name): name for text in texts for name in QUOTED.findall(text)}
    return QUOTED.sub(lambda found: names.get(_heard(found[0]), found[0]), typed)


def _heard(name: str) -> str:
    return name.strip('"').rstrip(UNHEARD).casefold()


def found_orders(orders: Orders, typed: str) -> list[str]:
    """Return the orders that are meant: that is one that is written whole, or those that begin so."""
    said = _plain(typed)
    begun = [text for text, _ in orders if _plain(text).startswith(said)]
    return (
        [text for text in begun if _plain(text) == said] or begun or byname.found(typed, {o: (o,) for o, _ in orders})
    )


def _plain(text: str) -> str:
    return text.replace('"', "").casefold()


def not_found(
    board: AnyBoard, shot: AnyViewerState, typed: str, found: Sequence[str], look: Look, told: ToldMoves
) -> Sequence[str] | None:
    """Say which of several is meant, a few with what they do, why an action is not legal, or which begin like it.

    None: it is no action. `told`: keeps the numbers of those that are told.
    """
    if not found and shot.pending is not None:
        if _names_too_few(board, shot, typed, look):
            return told.tell(shot, [one for one in board.spoken_moves(shot, look) if one.verb], look, "")
        with suppress(GameError):
            if why := whynot.reason(shot, typed, look):
                return (why,)
        found = _begun_alike(board, shot, typed, look)
    if found:
        return (look.t("lines.which", words=_told_apart(board, shot, found, look, told)),)
    is_number = all(one.isdecimal() for one in typed.split())
    return (look.t("lines.no-such-move"),) if is_number else None


def _names_too_few(board: AnyBoard, shot: AnyViewerState, typed: str, look: Look) -> bool:
    """Tell whether things are named of which another number is to be chosen: what is asked is told once more."""
    choice = shot.pending.choice if shot.pending is not None else None
    return isinstance(choice, Subset) and bool(_items_named(board, shot, choice, typed, look))


def _told_apart(board: AnyBoard, shot: AnyViewerState, found: Sequence[str], look: Look, told: ToldMoves) -> str:
    """Return some actions one after the other; where they are few, each with what it does.

    One of several words is told in words, with a number to type for it.
    """
    if len(found) > MOST_EXPLAINED:
        return look.t("list.comma").join(found[:MOST_NAMED])
    does = dict(move for group in board.spoken_moves(shot, look) for move in group.moves)
    if all(one in does and " " in one for one in found):
        return told.tell_some(shot, [(one, does[one]) for one in found], look)
    pairs = (look.t("list.pair", what=one, value=does[one].rstrip(STOPS)) if one in does else one for one in found)
    return look.t("list.then").join(pairs)


def _begun_alike(board: AnyBoard, shot: AnyViewerState, typed: str, look: Look) -> Sequence[str]:
    """Return the actions that are meant by as many of the first words as mean any."""
    words = typed.split(" ")[:MOST_WORDS]
    shorter = (" ".join(words[:n]) for n in range(len(words) - 1, 0, -1))
    return next((found for one in shorter if (found := _found_written(board, shot, one, look))), ())
