"""A board to who hears it: the words that tell of it, its actions in words, and what has happened."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from server.boards import eventlog, saying
from server.boards.board import AnyBoard, MoveGroup
from server.boards.seats import name_at, short_name_at
from server.matches.model import AnyViewerState, SeenEvent
from server.screens.linemoves import Orders
from server.screens.toldmoves import STOPS, ToldMoves
from server.session.page import Tells
from server.terminal.lines import columns
from server.terminal.look import Look

FEW_COLS = 44  # of an action in words, where it is one part of a sentence


def board_words(
    board: AnyBoard,
    shot: AnyViewerState,
    look: Look,
    told: ToldMoves | None = None,
    orders: Callable[[], Orders] = tuple,
) -> Tells:
    """Return the words that tell of a board, each with what is typed behind it; `orders`: as `Board.orders`.

    `told`: keeps the numbers of the actions that are told.
    """
    moves = told or ToldMoves()
    return {
        "board": lambda rest: board.spoken(shot, look),
        "hand": lambda rest: board.spoken_hand(shot, look) or (look.t("lines.no-hand"),),
        "what": lambda rest: _what(board, shot, look, rest),
        "moves": lambda rest: moves.tell(shot, _groups(board, shot, look, orders()), look, rest),
    }


def kind_and_move(board: AnyBoard, shot: AnyViewerState, text: str, look: Look) -> str:
    """Say an action by its kind and in words; with the names of its cards alone where these are many.

    `shot`: the state in which it is on offer; where it is none of those, it is said as it is typed.
    """
    named = next(reversed(board.said_as(shot, text, look)), board.spellings(text)[0])
    for group in board.spoken_moves(shot, look):
        for one, words in group.moves:
            if text == (f"{group.verb} {one}" if group.verb else one):
                said = look.t("list.pair", what=group.title.rstrip(STOPS), value=words.rstrip(STOPS))
                return said if columns(said) <= FEW_COLS else named
    return named


def _what(board: AnyBoard, shot: AnyViewerState, look: Look, name: str) -> Sequence[str]:
    if not name:
        return (look.t("lines.what-what"),)
    return board.spoken_of(shot, look, name) or (look.t("lines.nothing-named", name=name),)


def _groups(board: AnyBoard, shot: AnyViewerState, look: Look, orders: Orders) -> Sequence[MoveGroup]:
    groups = board.spoken_moves(shot, look)
    return (*groups, MoveGroup(look.t("lines.orders"), tuple(orders))) if orders else groups


def told(board: AnyBoard, shot: AnyViewerState, events: Sequence[SeenEvent], look: Look) -> list[str]:
    """Return what has happened, the oldest first, each with who did it; to who hears it in whole sentences."""
    said = [one.text for one in eventlog.told(board, shot, events, look)][::-1]
    return [saying.sentence(_begun(shot, one, look), look) for one in said] if look.is_heard else said


def _begun(shot: AnyViewerState, text: str, look: Look) -> str:
    """Return a sentence with a capital, but where a name stands first: names are said as they are."""
    names = tuple([say(shot, one.seat, look) for one in shot.seats for say in (name_at, short_name_at)])
    return text if text.startswith(names) else text[:1].upper() + text[1:]
