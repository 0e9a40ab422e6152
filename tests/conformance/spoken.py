"""Checks that what every board says of itself has to pass. Faults are returned as texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations, islice, permutations

from game.choices import expand, in_order
from game.contract import Action, OneOf
from game.netrunner.facts import FACTS
from game.passage.cards import REAL
from game.rainet.board import NAMES
from server.boards.board import AnyBoard, MoveGroup, Weight
from server.boards.games.netrunner.details import items
from server.matches.model import AnyViewerState, SeenEvent
from server.terminal.look import Look
from tests.conformance.boards import is_offered, is_raw
from tests.conformance.play import Moment

MARKS = frozenset(" .,;:!?'\"()-/+=#@%&*×’‘“”–，。；：！？（）、《》「」")  # what may stand between letters and digits
RUN = re.compile(r"([^\w\s])[^\w\s]{2}")
UNTOLD = re.compile(r"(?<!\w)\?|\w:\w")  # a parameter that a sentence has not got, or a raw one such as ice:hq
ENTERING_BYTES, EVENT_BYTES, EVENT_BYTES_CHINESE = 1_200, 300, 600
PROMPT_WORDS, PROMPT_CHARACTERS = 12, 24
MOST_ACTIONS = 2_000  # of one decision: of more, so many are looked at

NAMED: Mapping[str, Callable[[AnyViewerState, Look], Iterable[str]]] = {
    "rainet": lambda shot, look: (*NAMES, "404", "boost", look.side("rainet", "S", 0)),
    "relati": lambda shot, look: filter(None, shot.view.board.grid.names),
    "passage": lambda shot, look: (*REAL, *(look.t(f"passage.card.{one}") for one in REAL), "pile", "discards"),
    "netrunner": lambda shot, look: (
        *(FACTS[item.code].title for item in items(shot) if item.code in FACTS),
        *(look.t(f"netrunner.side.{name}") for name in ("corp", "runner")),
        *("hq", "rd", "archives", "rig", "stack", "heap", "Sure Gamble", "hunter"),
    ),
}


def text_faults(texts: tuple[str, ...], game: str) -> list[str]:
    """Say which texts can't be heard: for a sign, for three in a row, for a message key or a blank end."""
    faults = list[str]()
    for text in texts:
        if odd := {char for char in text if not char.isalnum() and char not in MARKS}:
            faults.append(f"{sorted(odd)} in {text!r}")
        if RUN.search(text) or is_raw(text, game) or text != text.strip():
            faults.append(f"no words: {text!r}")
    return faults


def position_faults(board: AnyBoard, shot: AnyViewerState, look: Look) -> list[str]:
    """Say what is wrong with what is heard on entering a board: its words and how long it takes."""
    told, asked = board.spoken(shot, look), board.spoken_prompt(shot, look)
    faults = text_faults((*told, *board.spoken_hand(shot, look), asked, board.spoken_question(shot, look)), shot.game)
    size = len("\n".join((*told, asked)).encode())
    if not told or not all(told) or size > ENTERING_BYTES:
        faults.append(f"{size} bytes on entering: {told}")
    if bool(asked) != (shot.pending is not None or bool(shot.deciding)):
        faults.append(f"asks {asked!r} of {shot.pending}")
    is_english = look.language == "en"
    if len(asked.split()) > PROMPT_WORDS if is_english else len(asked) > PROMPT_CHARACTERS:
        faults.append(f"a long prompt: {asked!r}")
    return faults


def actions_of(group: MoveGroup) -> Iterator[str]:
    """Yield all actions of a group; items behind a verb in any order that is another one."""
    if not group.verb:
        yield from (text for text, _ in group.moves)
        return
    items = [text for text, _ in group.moves]
    for n in range(group.least, group.most + 1):
        pick = permutations if group.is_ordered else combinations
        yield from (" ".join((group.verb, *picked)) for picked in pick(items, n))


def move_faults(board: AnyBoard, shot: AnyViewerState, look: Look) -> list[str]:
    """Say which actions are in no group or in several, are not taken, or have no words."""
    groups = board.spoken_moves(shot, look)
    faults = text_faults(tuple(words for group in groups for _, words in group.moves), shot.game)
    faults += text_faults(tuple(group.title for group in groups if group.title), shot.game)
    faults += [f"no words for {text}" for group in groups for text, words in group.moves if not words]
    titles = Counter(group.title for group in groups)
    faults += [f"{n} groups are called {title!r}" for title, n in titles.items() if n > 1]
    choice = shot.pending.choice if shot.pending is not None else OneOf(())
    found = Counter[str]()
    for group in groups:
        found.update({in_order(choice, Action(text)).text for text in islice(actions_of(group), MOST_ACTIONS)})
    wanted = {in_order(choice, one).text for one in islice(expand(choice), MOST_ACTIONS)}
    faults += [f"{text!r} is in {n} groups" for text, n in found.items() if n > 1]
    faults += [f"{text!r} is not offered" for text in found if not is_offered(shot, Action(text))]
    if len(wanted) < MOST_ACTIONS:
        faults += [f"{text!r} is in no group" for text in sorted(wanted - found.keys())]
    return faults


def names_of(shot: AnyViewerState, look: Look) -> list[str]:
    """Return names of what is in view: players, and squares, cells or cards as a game calls them."""
    return [*(info.player.name for info in shot.seats), *(NAMED[shot.game](shot, look) if shot.game in NAMED else ())]


def name_faults(board: AnyBoard, shot: AnyViewerState, look: Look) -> list[str]:
    """Say which names in view are not known, what is wrong with what is said of them, and what is said of others."""
    faults = [
        f"{name!r} is something" for name in ("", " ", "zz99", "no such thing") if board.spoken_of(shot, look, name)
    ]
    for name in names_of(shot, look):
        told = board.spoken_of(shot, look, name)
        if not told or not all(told):
            faults.append(f"{name!r} is nothing")
        faults += text_faults(told, shot.game)
    return faults


def event_faults(board: AnyBoard, shot: AnyViewerState, moment: Moment, look: Look) -> list[str]:
    """Say which events are told in signs, or at too great length."""
    faults, most = list[str](), EVENT_BYTES if look.language == "en" else EVENT_BYTES_CHINESE
    for event in moment.events:
        told = event.seen_by(shot.viewer)
        if told is None:
            continue
        seen = SeenEvent(1, event.kind, dict(told))
        if board.weight(seen) is Weight.BOOKKEEPING:
            continue
        text = board.say(shot, look, seen)
        faults += [f"{event.kind}: {fault}" for fault in text_faults((text,), shot.game)]
        if UNTOLD.search(text):
            faults.append(f"{event.kind} leaves something untold: {text!r}")
        if len(text.encode()) > most:
            faults.append(f"{event.kind} takes {len(text.encode())} bytes: {text!r}")
    return faults
