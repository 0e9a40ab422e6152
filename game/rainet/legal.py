"""Every legal action of the side to move, in a fixed order: moves, entries, Line Boost, Check, Firewall, 404."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from game.rainet.board import ALL_EXITS, BOOSTED, EXITS, FACE_UP, NAMES, NEIGHBOURS, OF_NORTH
from game.rainet.state import BOOST, CHECK, FIREWALL, NOT_FOUND, NOWHERE, State

_NO_EXITS: frozenset[int] = frozenset()
_FILINGS = ("+", "l", "v")


def legal_texts(state: State) -> list[str]:
    """List every legal action of the side to move; empty only for a loaded position that is stuck."""
    seat = state.turn
    colour = OF_NORTH if seat else 0
    own = [square for square, card in enumerate(state.board) if card and card & OF_NORTH == colour]
    return [*_moves(state, own), *_terminals(state, own)]


def has_action(state: State) -> bool:
    """Tell whether the side to move can do anything."""
    return bool(legal_texts(state))


def _moves(state: State, own: list[int]) -> list[str]:
    texts: list[str] = []
    board, options = state.board, state.options
    exits = EXITS[1 - state.turn]
    barred = {state.firewalls[1 - state.turn]} | (_NO_EXITS if options.own_exit else EXITS[state.turn])
    barred.update(own)
    for start in own:
        card, name = board[start], NAMES[start]
        filings = ("",) if card & FACE_UP else _FILINGS
        for square in NEIGHBOURS[start]:
            if square in barred:
                continue
            step = name + NAMES[square]
            texts.append(step)
            if not card & BOOSTED or board[square]:
                continue
            texts.extend([step + NAMES[to] for to in NEIGHBOURS[square] if to not in barred and to != start])
            if square in exits and options.boost_into_server:
                texts.extend([f"{step}>{filing}" for filing in filings])
        if start in exits:
            texts.extend([f"{name}>{filing}" for filing in filings])
    return texts


def _terminals(state: State, own: list[int]) -> list[str]:
    texts: list[str] = []
    seat, board = state.turn, state.board
    hand, wall, enemy_wall = state.hands[seat], state.firewalls[seat], state.firewalls[1 - seat]
    if hand & BOOST:
        texts.extend(["+" + NAMES[square] for square in own])
    else:
        texts.extend(["-" + NAMES[square] for square in own if board[square] & BOOSTED])
    enemies = {square for square, card in enumerate(board) if card}.difference(own)
    if hand & CHECK:
        texts.extend(["?" + NAMES[square] for square in sorted(enemies) if not board[square] & FACE_UP])
    if hand & FIREWALL:
        barred = ALL_EXITS if state.options.firewall_anywhere else enemies | ALL_EXITS | {enemy_wall}
        texts.extend(["#" + NAMES[square] for square in range(64) if square not in barred])
    elif wall != NOWHERE:
        texts.append("~" + NAMES[wall])
    if hand & NOT_FOUND:
        texts.extend(_not_founds(own))
    return texts


def _not_founds(own: list[int]) -> Iterator[str]:
    names = sorted(NAMES[square] for square in own)
    for first, second in combinations(names, 2):
        yield f"@{first}{second}="
        yield f"@{first}{second}x"
