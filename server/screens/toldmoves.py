"""What one may do as it is told: by kinds, each action once in words, with a number that stands for it when typed."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import Final

from server.boards import byname, saying
from server.boards.board import MoveGroup
from server.matches.model import AnyViewerState
from server.terminal.look import Look

MOST_MOVES: Final = 40  # that are told at once
ALL: Final = "all"  # behind `moves` and a number: however many
NOTATION: Final = "notation"  # behind `moves`, in any language: each action as programs type it, instead of its number
STOPS: Final = ".。"
NUMBERED: Final = re.compile(r"(\w+) (\d+)")  # an action that is a number itself: `spend 2`


class ToldMoves:
    """The actions that were told last, and the numbers they were told with, for as long as the same is asked."""

    def __init__(self) -> None:
        self._asked: Hashable = None
        self._by_number: dict[int, str] = {}
        self._verbs: dict[int, str] = {}  # of what is an item of an answer, typed behind its verb

    def meant(self, shot: AnyViewerState, typed: str) -> str | None:
        """Return the action that typed numbers stand for; None: they stand for none, or it is something else."""
        verb, *rest = typed.split() or [""]
        words = [verb, *rest] if verb.isdecimal() else rest
        if not words or not all(one.isdecimal() and len(one) < 5 for one in words) or self._asked != _asked(shot):
            return None
        numbers = [int(one) for one in words]
        verbs = {self._verbs.get(one) for one in numbers}
        if len(verbs) != 1 or not all(one in self._by_number for one in numbers):
            return None
        found, (of,) = [self._by_number[one] for one in numbers], verbs
        if verb.isdecimal() and of is None:
            return found[0] if len(found) == 1 else None
        is_of_verb = of is not None and (verb.isdecimal() or verb.casefold() == of.casefold())
        return " ".join((of or "", *found)) if is_of_verb else None

    def tell(self, shot: AnyViewerState, groups: Sequence[MoveGroup], look: Look, rest: str) -> Sequence[str]:
        """Say what one may do, by kinds; many, and rare ones, only with their numbers, of which one is asked for."""
        self._begin(shot)
        if not groups:
            return (look.t("lines.no-moves"),)
        words = rest.split()
        notation = {NOTATION, look.t("lines.notation")}
        is_numbered = all(one.casefold() not in notation for one in words)
        rest = " ".join(one for one in words if one.casefold() not in notation)
        number, _, much = rest.partition(" ")
        if rest and not number.isdecimal() and (named := _named(groups, rest.casefold())):
            first = (replace(one, moves=one.moves[:MOST_MOVES]) for one in named)
            return [said for one in first for said in self._group(one, look, is_numbered)]
        if number.isdecimal() and 0 < int(number[:9]) <= len(groups):
            is_whole = much.strip().casefold() == ALL
            return self._kind(int(number), groups[int(number) - 1], look, is_numbered, is_whole)
        is_short = sum(len(group.moves) for group in groups if not group.is_rare) <= MOST_MOVES
        told, left = list[str](), list[str]()
        for i, one in enumerate(groups, 1):
            if is_short and not one.is_rare:
                told += self._group(one, look, is_numbered)
            else:
                left.append(look.t("lines.kind", i=i, title=one.title.rstrip(STOPS), n=len(one.moves)))
        return [*told, *left, *((look.t("lines.kinds"),) if left and not told else ())]

    def tell_some(self, shot: AnyViewerState, moves: Sequence[tuple[str, str]], look: Look) -> str:
        """Say some actions one after the other, each with the number that is typed for it."""
        self._begin(shot)
        return self._items(moves, look, count(1))

    def _begin(self, shot: AnyViewerState) -> None:
        self._asked = _asked(shot)
        self._by_number, self._verbs = {}, {}

    def _kind(self, number: int, group: MoveGroup, look: Look, is_numbered: bool, is_whole: bool) -> tuple[str, ...]:
        """Say the actions of a kind; where they are many, the first ones and how to hear all."""
        left_out = 0 if is_whole else max(0, len(group.moves) - MOST_MOVES)
        told = replace(group, moves=group.moves[: len(group.moves) - left_out])
        said = self._group(told, look, is_numbered)
        return (*said, look.t("lines.more-of-kind", n=left_out, number=number)) if left_out else said

    def _group(self, group: MoveGroup, look: Look, is_numbered: bool) -> tuple[str, ...]:
        takes_several = group.is_ordered or group.most > 1
        moves = group.moves if takes_several else tuple(dict.fromkeys(group.moves))  # of two alike either will do
        is_of_verb = group.is_ordered or bool(group.verb)
        numbers = self._numbers(moves, group.verb) if is_numbered else None
        if is_of_verb and all(_says_itself(*one) for one in moves):
            items = look.t("list.then").join(words for _, words in moves)
        elif numbers is None:
            items = _in_notation(moves, look)
        else:
            items = self._items(moves, look, numbers, group.verb)
        if group.is_ordered:
            items = look.t("lines.order", verb=group.verb, items=items)
        elif group.verb:
            is_exact = group.least == group.most
            key = "lines.pick-one" if is_exact and group.most == 1 else "lines.pick-all" if is_exact else "lines.pick"
            items = look.t(key, verb=group.verb, least=group.least, most=group.most, items=items)
        return (saying.sentence(group.title, look), items) if group.title else (items,)

    def _numbers(self, moves: Sequence[tuple[str, str]], verb: str) -> Iterator[int] | None:
        """Return the numbers of some actions: their own where they are numbers; None: their items are, too."""
        if verb:
            return None if any(text.isdecimal() for text, _ in moves) else self._next_numbers()
        own = [NUMBERED.fullmatch(text) for text, _ in moves]
        found = [one for one in own if one is not None]
        if len(found) == len(own) > 1 and len({one[1] for one in found}) == 1 and not self._by_number:
            return iter([int(one[2]) for one in found])
        return self._next_numbers()

    def _next_numbers(self) -> Iterator[int]:
        return count(max(self._by_number, default=0) + 1)

    def _items(self, moves: Sequence[tuple[str, str]], look: Look, numbers: Iterator[int], verb: str = "") -> str:
        told = list[str]()
        for (text, words), number in zip(moves, numbers, strict=False):
            self._by_number[number] = text
            if verb:
                self._verbs[number] = verb
            told.append(look.t("list.pair", what=number, value=words.rstrip(STOPS)))
        return look.t("list.then").join(told)


def _asked(shot: AnyViewerState) -> Hashable:
    """Return what is asked, as long as which a number means the same."""
    return shot.pending, None if shot.pending is None else shot.turn_since


def _in_notation(moves: Sequence[tuple[str, str]], look: Look) -> str:
    """Say actions as they are written, each with what it does."""
    return look.t("list.then").join(
        text if text == words else look.t("list.pair", what=text, value=words.rstrip(STOPS)) for text, words in moves
    )


def _named(groups: Sequence[MoveGroup], name: str) -> list[MoveGroup]:
    """Return the kinds that are called so; else of every kind the actions in whose text it stands, as a square does."""
    if kinds := [one for one in groups if name in one.title.casefold()]:
        return kinds
    stands = re.compile(re.escape(name) + r"(?!\d)", re.IGNORECASE)
    left = (replace(one, moves=tuple(move for move in one.moves if stands.search(move[0]))) for one in groups)
    return [one for one in left if one.moves]


def _says_itself(text: str, words: str) -> bool:
    """Tell whether an item's words are what is typed for it: a name is typed as it is heard."""
    return byname.words_of(text) == byname.words_of(words)
