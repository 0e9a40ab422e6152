"""What a half-resolved effect of Netrunner remembers between two decisions: its operation and its variables.

A frame is one operation that waits: a turn, a run, an access, a question. Its variables are plain values, so that a
state with frames can be stored and compared. Each operation uses a few of them, and says what they mean there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict, cast

from game.netrunner.state import Frame, Value

Pending = tuple[int, str, int, int, int]  # a trigger that was met: card, code, index, seat, target
Item = tuple[int, str, int]  # a card that was chosen: its id or 0, its zone, and its index there
Path = tuple[str | int, ...]  # to a list of effects, within a card's entry
HANDED_ON = ("target", "item", "x", "chosen", "taken")  # by an effect to the effects inside it


class Scope(TypedDict, total=False):
    """What an effect is about."""

    target: int  # the id of the card that it is about, or a number that an event brings
    item: Item
    x: int
    chosen: Any  # by a cost: the ids of what is given up; by an effect: how many
    taken: tuple[Item, ...]
    zone: str
    held: int


class QuestionData(Scope, total=False):
    """What a question offers, and what its prompt names."""

    what: str
    card: str  # the title of the card that asks
    card_zone: str
    effect: str
    verb: str
    source: int
    iid: int  # of a card on the table
    index: int  # in a zone
    server: str
    seats: tuple[int, ...]
    optional: bool
    can: bool
    low: int
    high: int
    most: int
    count: int
    n: int
    open: tuple[int, ...]
    words: tuple[str, ...]
    names: tuple[str, ...]
    texts: tuple[str, ...]
    letters: str
    window: str
    subtype: str
    within: str
    part: str | int
    discount: int
    looked: int
    credits: int
    clicks: int
    purpose: str
    free: bool
    less: int
    bids: tuple[tuple[int, ...], ...]
    base: int
    strength: int
    link: int


class Variables(QuestionData, total=False):
    """All variables that there are."""

    seat: int
    kind: str  # of a question
    prompt: str
    answer: tuple[str, ...]  # of the question above
    said: str
    # Which card, where.
    code: str
    host: int
    holder: int  # of priority in a window
    roots: tuple[int, ...]
    # How far it is.
    stage: int
    stage2: str
    pc: int  # which effect of a list is next
    path: Path  # to that list
    next: int
    left: int
    done: tuple[int, ...]
    pending: tuple[Pending, ...]
    ordered: int
    picked: int
    nth: int
    gone: bool
    made: bool
    passed: bool
    acted: bool
    in_run: bool
    closing: bool
    must: bool
    tells: bool
    # What an effect does.
    y: int
    sub: int
    only: int
    installed: int
    rezzed: bool
    bare: bool
    barred: bool
    preventable: bool
    suffered: int
    points: int
    mods: tuple[str, ...]
    # Costs.
    tags: int
    net: int
    shuffle: int
    split: tuple[str, ...]  # source, credits, source, credits
    unpaid: bool
    counter: str
    counters: int
    forfeit: bool
    trash_self: bool
    trash: Any  # by a cost: which cards may be given up; by an install: the ids of what goes
    declared: bool


class Vars(Variables, total=False):
    """A frame that is being worked on; without `op`, what a condition or an amount is asked for."""

    op: str


def thawed(frame: Frame) -> Vars:
    """Return a frame to be worked on."""
    return cast(Vars, {"op": frame.op, **dict(frame.data)})


def frozen(frame: Vars) -> Frame:
    """Return a frame as a value, its variables sorted by name."""
    return Frame(frame["op"], tuple(sorted(one for one in by_name(frame).items() if one[0] != "op")))


def by_name(frame: Vars) -> Mapping[str, Value]:
    """Return the values of a frame's variables, its operation among them."""
    return cast(Mapping[str, Value], frame)


def handed_on(frame: Vars) -> Scope:
    """Return what a frame hands on."""
    return cast(Scope, {name: value for name, value in frame.items() if name in HANDED_ON})
