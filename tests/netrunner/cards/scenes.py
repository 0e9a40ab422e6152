"""Positions that tests of cards begin with, and values they read from a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from game.netrunner import queries
from game.netrunner.places import find
from game.netrunner.state import Card
from game.netrunner.table import Table
from tests.netrunner.table import Play

CardText = str | dict[str, Any]


def corp(*hq: str, runner: dict[str, Any] | None = None, **more: Any) -> Play:
    """Return the Corp's action step, with these cards in HQ; the runner's half, and anything else of the Corp's."""
    whole = {name: more.pop(name) for name in ("step", "this_turn", "last_turn") if name in more}
    return Play({"hq": list(hq), **more}, runner or {}, **whole)


def runner(*grip: str, corp: dict[str, Any] | None = None, **more: Any) -> Play:
    """Return the Runner's action step, with these cards in the grip; HQ holds two plain cards."""
    whole = {name: more.pop(name) for name in ("step", "this_turn", "last_turn") if name in more}
    return Play({"hq": ["Hedge Fund"] * 2, **(corp or {})}, {"grip": list(grip), **more}, turn="runner", **whole)


def rezzed(card: CardText, **more: Any) -> dict[str, Any]:
    """Return a card face up."""
    return {**({"card": card} if isinstance(card, str) else card), "rezzed": True, **more}


def holding(card: str, **counters: int) -> dict[str, Any]:
    """Return a card with counters."""
    return {"card": card, "counters": counters}


def facing(ice: CardText | Sequence[CardText], *rig: CardText, step: str = "run.3.1", **more: Any) -> Play:
    """Return the Runner encountering rezzed ice before HQ (several: innermost first) at the step where it is broken."""
    column = [rezzed(card) for card in ([ice] if isinstance(ice, str | dict) else ice)]
    servers = {"hq": {"ice": column, "root": more.pop("root", [])}, **more.pop("servers", {})}
    half = {"hq": ["Hedge Fund"] * 2, "servers": servers, **more.pop("corp", {})}
    run = {"server": "hq", "ice": len(column) - 1, **more.pop("run", {})}
    return Play(half, {"rig": list(rig), **more}, turn="runner", step=step, run=run)


def meeting(ice: CardText | list[CardText], *rig: CardText, **more: Any) -> Play:
    """Return the Runner at the beginning of an encounter with rezzed ice before HQ (step 3.0)."""
    return facing(ice, *rig, step="run.3.0", **more)


def approached(ice: CardText, **more: Any) -> Play:
    """Return the Corp's chance to rez the approached ice before HQ; the Runner has passed."""
    servers = {"hq": {"ice": [ice], "root": more.pop("root", [])}}
    run = {"server": "hq", "ice": 0}
    return Play({"servers": servers, **more}, {}, turn="runner", step="run.2.3", run=run).do("pass")


def accessing(card: CardText, corp: dict[str, Any] | None = None, **more: Any) -> Play:
    """Return the Runner accessing this card in a remote server."""
    servers = {"remote1": {"root": [card]}}
    play = Play({"servers": servers, **(corp or {})}, more, turn="runner", step="run.5.4", run={"server": "remote1"})
    return play.do("access root:remote1:0")


def scoring(title: str, advancement: int, runner: dict[str, Any] | None = None, **more: Any) -> Play:
    """Return the moment after the Corp scored this agenda."""
    root = [{"card": title, "advancement": advancement}]
    servers = {"remote1": {"root": root}, **more.pop("servers", {})}
    return Play({"servers": servers, **more}, runner or {}, step="corp.2.2").do("score root:remote1:0")


def remote(*root: CardText) -> dict[str, Any]:
    """Return the servers of a Corp that has these cards in one remote."""
    return {"remote1": {"root": list(root)}}


# Asking.


def card_at(play: Play, reference: str, seat: int = 1) -> tuple[Table, Card]:
    """Return a card by the reference of a seat."""
    table = Table(play.state)
    card = find(table, reference, seat)
    assert card is not None, f"no {reference}"
    return table, card


def strength(play: Play, reference: str) -> int:
    """Return the strength of ice or an icebreaker."""
    return queries.strength(*card_at(play, reference))


def breaks(play: Play, title: str, ability: int = 0) -> bool:
    """Tell whether the Runner could use this breaker now."""
    return play.offers(f'use rig:"{title}" {ability}')


def memory(play: Play) -> tuple[int, int]:
    """Return the memory used and the memory there is."""
    table = Table(play.state)
    return queries.memory_used(table), queries.memory_limit(table)
