"""Cards of one's hand that can't be played or installed now: the rows that show them, and the reason in words."""

from __future__ import annotations

from collections.abc import Iterator

from game.choices import tokens
from game.netrunner.actions import install_cost, install_purpose
from game.netrunner.costs import available
from game.netrunner.facts import CODES, FACTS, HIDDEN, plain_title
from game.netrunner.places import candidates, quoted
from game.netrunner.queries import holds, memory_limit
from game.netrunner.table import entry
from server.boards.games.netrunner.cardtext import condition_words, credits
from server.boards.games.netrunner.rows import TRASHING, ChoiceRow
from server.boards.games.netrunner.scene import Shown, hand_of, scene_of, table_of
from server.boards.seats import own_seat
from server.terminal.look import Look

PLAYED = ("event", "operation")


def barred(snapshot: Shown, there: frozenset[str]) -> Iterator[ChoiceRow]:
    """Yield a row without an action for each card of the own hand that is not among the rows that are there."""
    seat = own_seat(snapshot)
    if seat is None:
        return
    for code in dict.fromkeys(hand_of(scene_of(snapshot), seat)):
        if code == HIDDEN:
            continue
        part = f"{'play' if FACTS[code].type in PLAYED else 'install'} {quoted(code)}"
        if part not in there and f"{part}{TRASHING}" not in there:
            yield ChoiceRow(part, ())


def reason(part: str, snapshot: Shown, look: Look) -> str:
    """Say in a few words what is missing to play or install a card."""
    verb, name = tokens(part)
    t, seat = table_of(snapshot), own_seat(snapshot)
    code = CODES[plain_title(name[1:-1])]
    printed, entered = FACTS[code], entry(code)
    if seat is None:
        return ""
    cost = printed.cost if verb == "play" else install_cost(t, code)
    have = available(t, seat, "" if verb == "play" else install_purpose(code))
    if cost > have:
        return look.t("netrunner.barred.credits", cost=credits(cost, look), have=credits(have, look))
    if verb == "play" and not holds(t, entered.play_if, {}):
        return condition_words(code, look)
    if verb == "install" and entered.host and not candidates(t, entered.host, seat):
        return look.t("netrunner.barred.host")
    if verb == "install" and printed.memory > memory_limit(t):
        return look.t("netrunner.barred.memory")
    return look.t("netrunner.barred.target")
