"""The rules of each game, and what holds in all of them, as pages."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby

from starlette.responses import Response
from starlette.routing import BaseRoute

from server.boards import rulebook
from server.boards.board import board, has_board, terms_of
from server.boards.gamefacts import playable
from server.boards.rulebook import ALL_GAMES, ITEM, Block, marked
from server.terminal.lines import joined
from server.terminal.look import Look
from server.web.answers import public
from server.web.guard import Guard, PageRequest

Runs = list[tuple[str, str]]  # of a text: its parts, each behind the mark that it stands between


@dataclass(slots=True)
class ListedItem:
    """An item of a list, with the list below it; `number`: None where the list is not numbered."""

    number: int | None
    runs: Runs
    below: list[ListedItem] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class RulesPart:
    """A part of a page of rules.

    `kind`: heading (with `level` and `number`, by which links find it), text, list, table or drawn.
    """

    kind: str
    runs: Runs = field(default_factory=list)
    level: int = 0
    number: int = 0
    items: Sequence[ListedItem] = ()
    rows: Sequence[Sequence[Runs]] = ()
    drawn: str = ""


@lru_cache(maxsize=16)
def parts_of(about: str, language: str) -> tuple[RulesPart, ...]:
    """Return a game's rules, or what holds in all games, as they are in a language."""
    found, headings = list[RulesPart](), 0
    for is_item, blocks in groupby(rulebook.page(about, language), lambda block: block.kind == "item"):
        if is_item:
            found.append(RulesPart("list", items=_listed(blocks)))
            continue
        for block in blocks:
            headings += block.kind == "heading"
            found.append(_part(block, headings))
    return tuple(found)


def _part(block: Block, number: int) -> RulesPart:
    match block.kind:
        case "heading":
            return RulesPart("heading", marked(block.lines[0]), block.level, number)
        case "table":
            return RulesPart("table", rows=[[marked(cell) for cell in row] for row in rulebook.table_cells(block)])
        case "drawn":
            return RulesPart("drawn", drawn=textwrap.dedent("\n".join(block.lines)))
        case _:
            return RulesPart("text", marked(joined(block.lines)))


def _listed(blocks: Iterable[Block]) -> list[ListedItem]:
    """Return a list from its items; those that stand further in are below the one before them."""
    top: list[ListedItem] = []
    open_lists = [(-1, top)]  # from the outermost, each with its indent
    for block in blocks:
        found = ITEM.match(block.lines[0])
        assert found is not None
        indent, marker = len(found[1]) - len(found[1].lstrip()), found[1].strip()
        while len(open_lists) > 1 and indent < open_lists[-1][0]:
            open_lists.pop()
        outer, items = open_lists[-1]
        if indent > outer:
            items = items[-1].below if items else items
            open_lists.append((indent, items))
        number = int(marker[:-1]) if marker.endswith(".") else None
        items.append(ListedItem(number, marked(joined([found[2], *block.lines[1:]]))))
    return top


class RuleBooks:
    """The address `/rules/GAME`. Rules are no secret: who may not come in reads them too."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard

    def routes(self) -> list[BaseRoute]:
        """Return the address."""
        return [self._guard.route("/rules/{about}", self._answer, is_open=True)]

    async def _answer(self, asked: PageRequest) -> Response:
        about, look = asked.request.path_params["about"], asked.look
        if about not in (*playable(), ALL_GAMES):
            return self._guard.not_found(asked.request)
        async with asked.bill.drawing():
            body = self._guard.page(
                "rules.html",
                asked.request,
                title=rules_title(about, look),
                parts=parts_of(about, look.language),
                marks=board(about).marks(look) if has_board(about) else (),
                terms=terms_of(about, look),
                others=[one for one in rule_links(look) if one[0] != about],
            )
        return public(asked.request, body)


def rules_title(about: str, look: Look) -> str:
    """Name a game's rules, or what holds in all games."""
    return look.t("web.all-games") if about == ALL_GAMES else look.t("web.rules-of", game=look.game(about))


def rule_links(look: Look) -> list[tuple[str, str]]:
    """Return what there is to read: of each its address below `/rules/`, and its name."""
    return [(about, rules_title(about, look)) for about in (*playable(), ALL_GAMES)]
