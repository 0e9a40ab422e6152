"""The rules in a browser: whole, in each language, and for everybody."""

from __future__ import annotations

import re
from html import unescape
from itertools import product

import pytest

from game.registry import KEYS
from server.boards.rulebook import ALL_GAMES, ITEM, Block, marked, page, table_cells
from server.i18n.catalogues import CHOICES
from server.terminal.lines import joined
from server.terminal.look import Look
from server.web.rules import ListedItem, parts_of, rules_title
from server.web.visitor import LANGUAGE
from tests.web.asking import Browser
from tests.web.house import House, closed_pages


def dense(text: str) -> str:
    """Return a text without its spaces."""
    return "".join(text.split())


def said(block: Block) -> list[str]:
    """Return what a part of the rules says, without marks, the beginning of an item, and what rules a table."""
    if block.kind == "drawn":
        return list(block.lines)
    if block.kind == "table":
        return [text for row in table_cells(block) for cell in row for _, text in marked(cell)]
    item = ITEM.match(joined(block.lines))
    return [text for _, text in marked(item[2] if item and block.kind == "item" else joined(block.lines))]


@pytest.mark.parametrize(("about", "language"), list(product((*KEYS, ALL_GAMES), CHOICES)))
async def test_all_that_the_rules_say_stands_on_their_page(house: House, about: str, language: str) -> None:
    browser = Browser(house.app, cookies={LANGUAGE: language})
    got = await browser.get(f"/rules/{about}")
    assert got.status == 200
    assert rules_title(about, Look(language=language)) in got.text
    shown = dense(unescape(re.sub(r"<[^>]*>", "", got.text)))
    missing = [text for block in page(about, language) for text in said(block) if dense(text) not in shown]
    assert missing == []
    assert "**" not in got.text
    assert got.headers["cache-control"] == "no-cache"


def test_steps_of_a_turn_were_numbered_from_one_again_behind_a_list_below_them() -> None:
    lists = [part.items for part in parts_of("netrunner", "en") if part.kind == "list"]
    [turn] = [items for items in lists if "Three " in str(items[1:2])]
    assert [one.number for one in turn] == [1, 2, 3]
    assert [len(one.below) for one in turn] == [0, 7, 0]


def test_a_list_below_an_item_ends_where_an_outer_one_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ("- a", "  - b", "    - c", "  - d", "- e")
    monkeypatch.setattr("server.boards.rulebook.page", lambda *_: tuple(Block("item", (line,)) for line in lines))
    [part] = parts_of.__wrapped__("toy", "en")

    def told(items: list[ListedItem]) -> str:
        return "".join(one.runs[0][1] + (f"({told(one.below)})" if one.below else "") for one in items)

    assert told(list(part.items)) == "a(b(c)d)e"


async def test_rules_are_read_where_strangers_may_not_come_in(house: House) -> None:
    browser = Browser(closed_pages(house.services))
    home = await browser.get("/")
    assert (await browser.get("/top/rainet")).status == 403
    for path in re.findall(r'href="(/rules/[a-z]+)"', home.text):
        assert (await browser.get(path)).status == 200
    assert 'href="/play"' not in home.text


async def test_rules_of_no_game_are_as_a_page_that_is_not_there(house: House) -> None:
    browser = Browser(house.app)
    assert (await browser.get("/rules/chess")).text == (await browser.get("/nothing")).text
