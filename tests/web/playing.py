"""Somebody who plays in a real Chromium: reads what the page says, clicks, taps and types. It waits for words only."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.interaction import POINTER_MOUSE
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.ssh.server import Server
from tests.waiting import PATIENCE_S
from tests.web.pages import web_port
from tests.web.test_browser import grid

PAUSE_S = 0.03  # between two looks at a page
AGAIN_S = 10.0  # after which a person presses again
SQUARE = re.compile(r"\b[a-h][1-8]\b")
EXITS = {"d1", "e1", "d8", "e8"}
TEXTS = "return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)"
BUTTONS = """return [...document.querySelectorAll(`${arguments[0]} [data-${arguments[1]}]`)].map(
    e => [e.dataset[arguments[1]], e.textContent])"""
IN_SIGHT = """const found = document.querySelector(arguments[0]);
    if (found) found.scrollIntoView({block: "center"});
    return found"""
FOCUSED = "return document.activeElement.tagName"
HELD = """const keys = document.querySelector("#keys");
    if (keys && window.held === undefined) {
        window.held = 0;
        const count = (records) => { window.held += records.filter((one) => one.oldValue !== "true").length; };
        const held = {attributes: true, attributeFilter: ["aria-busy"], attributeOldValue: true};
        new MutationObserver(count).observe(keys, held);
    }
    return keys && keys.getAttribute("aria-busy") === "true" ? [] : [window.held || 0]"""
SIZE = "const box = arguments[0].getBoundingClientRect(); return [box.width, box.height]"


class Player:
    """One page, and what a person does with it."""

    def __init__(self, browser: Any, pointer: str = POINTER_MOUSE) -> None:
        """`pointer`: with what it is pressed: a mouse or a finger."""
        self.browser, self._pointer = browser, pointer

    # Reading

    @property
    def grid(self) -> str:
        return grid(self.browser)

    @property
    def state(self) -> str:
        """Return what the page says and asks."""
        return " ".join(self.texts("#state, #ask"))

    @property
    def items(self) -> list[str]:
        return self.texts("#items > *")

    @property
    def log(self) -> list[str]:
        return self.texts("[role=log] p")

    @property
    def keys(self) -> list[str]:
        """Return what the keys on show are called, without the key."""
        return [said.partition(" ")[2] for _, said in self._buttons("#keys", "key")]

    def tells(self, words: str) -> bool:
        """Tell whether the items say something now."""
        return words in " ".join(self.items)

    def has_told(self, words: str, told: int = 0) -> bool:
        """Tell whether the log says something behind its first `told` lines, wherever in a sentence it stands."""
        return any(words.casefold() in one.casefold() for one in self.log[told:])

    def is_free(self) -> bool:
        """Tell whether keys do something: just after a change they don't."""
        return not self.texts("#keys[aria-busy=true]")

    def held_when_free(self) -> list[int]:
        """Return how often keys have been held back; the page counts. Nothing while they are."""
        found: list[int] = self.browser.execute_script(HELD)
        return found

    def is_typing(self) -> bool:
        """Tell whether what is typed goes into a field."""
        return str(self.browser.execute_script(FOCUSED)) == "INPUT"

    def until(self, is_so: Callable[[], Any]) -> Any:
        """Wait until the page says something; return it. Raises AssertionError with what it says instead."""
        end = time.monotonic() + PATIENCE_S
        while not (found := is_so()):
            assert time.monotonic() < end, f"{self.state}\n{self.grid}\n{self.log[-5:]}"
            time.sleep(PAUSE_S)
        return found

    def until_told(self, words: str) -> None:
        """Wait until the log says something."""
        self.until(lambda: self.has_told(words))

    def texts(self, where: str) -> list[str]:
        """Return what the elements say that a selector names."""
        found: list[str] = self.browser.execute_script(TEXTS, where)
        return found

    def _buttons(self, where: str, kind: str) -> list[tuple[str, str]]:
        found: list[tuple[str, str]] = self.browser.execute_script(BUTTONS, where, kind)
        return found

    # Doing

    def open(self, url: str) -> None:
        """Open a page with a session, and wait for its keys."""
        self.browser.get(url)
        self.until(lambda: self.keys)

    def button(self, name: str, then: Callable[[], Any]) -> None:
        """Press the button of a key that is called so, once there is one, and wait until something is so."""

        def found() -> str:
            named = [key for key, said in self._buttons("#keys", "key") if said.partition(" ")[2].startswith(name)]
            return f"#keys [data-key='{named[0]}']" if named else ""

        self.until(found)
        self.attempt(lambda: self._press(found, then), then)

    def row(self, name: str, then: Callable[[], Any]) -> None:
        """Press the button of an item that has these words, once there is one, and wait until something is so."""

        def found() -> str:
            named = [number for number, said in self._buttons("#items", "row") if name in said]
            return f"#items [data-row='{named[0]}']" if named else ""

        self.until(found)
        self.attempt(lambda: self._press(found, then), then)

    def set(self, name: str, value: str) -> None:
        """Press a row of a form until it is set to this."""
        while f"{name} {value}" not in (before := self.items):
            self.row(name, partial(self._differs, before))

    def attempt(self, act: Callable[[], None], then: Callable[[], Any]) -> None:
        """Do something until something is so: again where keys were held back, as they are after a change.

        Also where what was to be pressed had gone by then, and where nothing came of it for a while: a page that is
        drawn late is never told that keys were held back.
        """
        while not then():
            held = self.until(self.held_when_free)
            with suppress(StaleElementReferenceException):
                act()
                again = time.monotonic() + AGAIN_S

                def is_answered(held: list[int] = held, again: float = again) -> bool:
                    return then() or self.held_when_free() not in ([], held) or time.monotonic() > again

                self.until(is_answered)

    def type(self, *keys: str) -> None:
        """Press keys of the keyboard."""
        ActionChains(self.browser).send_keys(*keys).perform()

    def click_cell(self, col: int, row: int) -> None:
        """Click on the middle of a cell."""
        self.at_cell(col, row).click().perform()

    def at_cell(self, col: int, row: int) -> ActionChains:
        """Return what moves the mouse to the middle of a cell."""
        shown = self.browser.find_element(By.CSS_SELECTOR, "[data-grid]")
        wide, high = self.browser.execute_script(SIZE, shown)
        lines = self.grid.removesuffix("\n").split("\n")
        x, y = (col + 0.5) * wide / len(lines[0]), (row + 0.5) * high / len(lines)
        return ActionChains(self.browser).move_to_element_with_offset(shown, x - wide / 2, y - high / 2)

    def _differs(self, before: list[str]) -> bool:
        return self.items != before

    def _press(self, found: Callable[[], str], then: Callable[[], Any]) -> None:
        """Press what is found once it is there, unless something is so before."""
        self.until(lambda: then() or found())
        if not then() and (where := found()):
            self._click(where)

    def _click(self, where: str) -> None:
        """Press an element as the page has it now. Raises StaleElementReferenceException: it is gone by now."""
        element = self.browser.execute_script(IN_SIGHT, where)
        if element is None:
            raise StaleElementReferenceException(where)
        hand = ActionBuilder(self.browser, PointerInput(self._pointer, "hand"))  # type: ignore[no-untyped-call]
        hand.pointer_action.click(element)
        hand.perform()


def begin_match(player: Player, server: Server) -> None:
    """Begin a first match of RaiNet in a page."""
    player.open(f"http://127.0.0.1:{web_port(server)}/play")
    player.button("RaiNet now", lambda: "Resign" in player.keys)


def begin_run(player: Player, server: Server) -> None:
    """Begin a match of Netrunner in a page, and come to where one chooses what to run on."""
    player.open(f"http://127.0.0.1:{web_port(server)}/play")
    player.button("Play a bot", lambda: "Start" in player.keys)
    player.set("Game", "Netrunner")
    player.set("Side", "Runner")
    player.button("Start", lambda: player.log)
    player.button("Keep", lambda: "Keep" not in player.keys)
    player.button("Run", lambda: "Archives" in player.keys)


class RaiNet:
    """Somebody who plays RaiNet in a browser: captures what can be captured, else goes towards it."""

    def __init__(self, player: Player) -> None:
        self.player = player

    def is_over(self) -> bool:
        return "Replay" in self.player.keys

    def is_asked(self) -> bool:
        return "Your move" in self.player.state

    def play(self, most: int = sys.maxsize) -> int:
        """Play the match to its end, or so many moves, every other one by mouse; return how many it took."""
        moves = 0
        while self.player.until(lambda: self.is_over() or self.is_asked()) and not self.is_over() and moves < most:
            begin, end = next(self.moves())
            moved = partial(self.player.has_told, f" {begin} to {end}", len(self.player.log))
            if moves % 2:
                self.by_keys(begin, end, moved)
            else:
                self.by_mouse(begin, end, moved)
            moves += 1
        return moves

    def by_mouse(self, begin: str, end: str, moved: Callable[[], Any]) -> None:
        self.player.attempt(partial(self.player.click_cell, *self.cell(begin)), self.is_chosen)
        self.player.attempt(partial(self.player.click_cell, *self.cell(end)), moved)

    def is_chosen(self) -> bool:
        """Tell whether a card is chosen to be moved."""
        return "Drop" in self.player.keys

    def by_keys(self, begin: str, end: str, moved: Callable[[], Any]) -> None:
        self.player.attempt(partial(self.player.type, ":"), self.player.is_typing)
        self.player.attempt(partial(self.player.type, begin + end, Keys.ENTER), moved)

    def cell(self, square: str) -> tuple[int, int]:
        """Return where a square is on the grid: between the dots of its corners, in its numbered row."""
        lines = self.player.grid.split("\n")
        corners = next(line for line in lines if line.count("·") >= 9)
        dots = [at for at, char in enumerate(corners) if char == "·"][:9]
        rows = {line[1]: y for y, line in enumerate(lines) if re.match(r" [1-8] ", line)}
        at = "abcdefgh".index(square[0])
        if rows["1"] < rows["8"]:  # seen from the north
            at = 7 - at
        return (dots[at] + dots[at + 1]) // 2, rows[square[1]]

    def moves(self) -> Iterator[tuple[str, str]]:
        """Yield moves, the best first, from what the page says of both sides."""
        said = [one for one in self.player.items if "Stack:" in one]
        mine, theirs = sorted(said, key=lambda one: not one.startswith("You"))
        own, enemy = ({*SQUARE.findall(one.partition("Stack:")[0])} for one in (mine, theirs))
        walls = {*SQUARE.findall(" ".join(re.findall(r"firewall on \w+", f"{mine} {theirs}")))}
        steps = [(card, to) for card in sorted(own) for to in _beside(card) if to not in own | walls | EXITS]
        yield from sorted(steps, key=lambda step: min(_apart(step[1], one) for one in enemy))


def _beside(square: str) -> Iterator[str]:
    col, row = ord(square[0]), int(square[1])
    for to, at in ((col, row + 1), (col, row - 1), (col - 1, row), (col + 1, row)):
        if ord("a") <= to <= ord("h") and 1 <= at <= 8:
            yield f"{chr(to)}{at}"


def _apart(one: str, other: str) -> int:
    return abs(ord(one[0]) - ord(other[0])) + abs(int(one[1]) - int(other[1]))
