"""Choices as numbered lines: every action can be reached, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from game.choices import expand, in_order
from game.contract import Action, Choice, Number, OneOf, Subset
from game.errors import IllegalAction
from game.menus import Menu

CHOICES: list[Choice] = [
    OneOf(tuple(Action(f"a{n}") for n in range(11))),
    OneOf((Action("pass"),)),
    Number("put", 3, 9),
    Subset("discard", ("slip", "greed", "slip", "judge"), 2, 2),
    Subset("discard", ("slip", "greed", "slip"), 0, 3),
    Subset("keep", (), 0, 0),
    Subset("keep", ("keep", "slip"), 1, 2),
]


def reached(menu: Menu, pages_left: int = 6) -> Iterator[Action]:
    """Yield every action that a menu leads to."""
    for index in range(len(menu.lines)):
        found = menu.take(index)
        if isinstance(found, Action):
            yield found
        elif found.picked != menu.picked:
            yield from reached(found)
        elif pages_left and found.page > menu.page:
            yield from reached(found, pages_left - 1)


@pytest.mark.parametrize("width", [2, 3, 5, 100])
@pytest.mark.parametrize("choice", CHOICES, ids=str)
def test_a_menu_leads_to_every_action_and_to_no_other(choice: Choice, width: int) -> None:
    found = {in_order(choice, action) for action in reached(Menu(choice, width), 12)}
    assert found == {in_order(choice, action) for action in expand(choice)}


def test_the_last_page_leads_to_the_first() -> None:
    menu = Menu(CHOICES[0], 6)
    for page in (1, 2, 0):
        menu = menu.take(len(menu.lines) - 1)  # type: ignore[assignment]
        assert menu.page == page
    assert menu.lines[0] == "a0"


@pytest.mark.parametrize("index", [-1, 7, 100])
def test_an_line_that_is_not_there_is_refused(index: int) -> None:
    with pytest.raises(IllegalAction):
        Menu(Number("put", 3, 9), 100).take(index)
