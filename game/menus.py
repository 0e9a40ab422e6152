"""A choice as numbered lines, for programs that answer with a number: subsets item by item, long lists in pages."""

from __future__ import annotations

from dataclasses import dataclass, replace

from game.contract import Action, Choice, Number, OneOf, Subset
from game.errors import IllegalAction

NEXT_PAGE = "…"


@dataclass(frozen=True, slots=True)
class Menu:
    """The lines of a choice, at most `width` at a time; with more of them the last line shows the next page.

    Of a subset, the lines are the items that are not picked yet, and its verb, which ends the picking.
    """

    choice: Choice
    width: int
    picked: tuple[str, ...] = ()
    page: int = 0

    @property
    def all_lines(self) -> tuple[str, ...]:
        """Return the lines of all pages, in a stable order."""
        match self.choice:
            case OneOf(actions):
                return tuple(action.text for action in actions)
            case Number(verb, low, high):
                return tuple(f"{verb} {n}" for n in range(low, high + 1))
            case Subset(verb, _, low, high):
                items = tuple(dict.fromkeys(self._left())) if len(self.picked) < high else ()
                return (*items, verb) if len(self.picked) >= low else items

    @property
    def lines(self) -> tuple[str, ...]:
        """Return the lines of this page."""
        whole, each = self.all_lines, self.width - 1
        if len(whole) <= self.width:
            return whole
        return (*whole[self.page * each : (self.page + 1) * each], NEXT_PAGE)

    def take(self, index: int) -> Menu | Action:
        """Return what taking a line leads to: the next menu, or the action. Raises IllegalAction for no line.

        >>> menu = Menu(Subset("discard", ("slip", "greed"), 1, 2), 100).take(1)
        >>> menu.lines, menu.take(1)
        (('slip', 'discard'), Action(text='discard greed'))
        """
        whole, lines = self.all_lines, self.lines
        if not 0 <= index < len(lines):
            raise IllegalAction("usage.number", f"line {index} of {len(lines)}")
        if len(whole) > self.width and index == len(lines) - 1:
            pages = -(-len(whole) // (self.width - 1))
            return replace(self, page=(self.page + 1) % pages)
        if not isinstance(self.choice, Subset):
            return Action(lines[index])
        at = self.page * (self.width - 1) + index
        is_done = at == len(whole) - 1 and len(self.picked) >= self.choice.min
        picked = self.picked if is_done else (*self.picked, whole[at])
        if is_done or len(picked) == self.choice.max:
            return Action(" ".join((self.choice.verb, *picked)))
        return replace(self, picked=picked, page=0)

    def _left(self) -> list[str]:
        """Return the items of a subset that are not picked yet; the same text may stand there twice."""
        assert isinstance(self.choice, Subset)
        left = list(self.choice.items)
        for item in self.picked:
            left.remove(item)
        return left
