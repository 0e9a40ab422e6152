"""Checks that every board has to pass: where keys and mouse lead, what it draws and says. Faults are returned as texts.

Each function takes a board and what one viewer is shown at one moment, so that a planted fault can be tried on it
(`test_boards_bite.py`) as well as the boards there are (`test_boards.py`).
"""

from __future__ import annotations

import json
import pickle
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from functools import cache
from itertools import islice
from types import ModuleType
from typing import Any

from game.choices import expand, in_order
from game.contract import Action, Choice, Event, Game, Seat, Viewer, Watcher
from server.boards import keymap
from server.boards.board import AnyBoard
from server.boards.lesson import parts
from server.i18n.catalogues import CHOICES, catalogue
from server.matches.model import AnyViewerState, SeenEvent
from server.terminal.frame import SMALLEST, Layout, key_lines
from server.terminal.glyphs import GLYPHS
from server.terminal.hint import Hint
from server.terminal.lines import text_of, width_cols
from server.terminal.look import Look, ascii_line
from server.terminal.theme import MONOCHROME, PALETTES
from tests.boards.positions import NOON, snapshot
from tests.conformance.play import Case, Moment, holds
from tests.texts import read_catalogue

SIZES = ((60, 20), (80, 23), (80, 24), (120, 40), (200, 60))
LOOKS = [Look(palette, glyphs, language) for palette in PALETTES for glyphs in GLYPHS for language in CHOICES]
STYLES = {"", *MONOCHROME}
SEED = bytes(range(16))
CLICK_STEP_COLS = 3  # no cell of a board is narrower
LEAST_PRESSES = 15_000  # although all has come that should: nothing else may come either
WINDOW = "anchor"  # of a selection: the part of a large board that shows
MOST_TRIED = 400_000
MOST_ACTIONS = 400  # of one decision: larger subsets are tried by the keys of smaller ones
UNBOUND = ("ctrl x", "meta z", "f12", "\\", "`", "$", "insert")  # keys that no table has
LATIN = re.compile(r"[A-Za-z]{3,}")

# Legal actions that a board leaves out on purpose, because another one does the same for less.
# Relati: a shot at a cell with a piece that can also attack it by contact.
OMITTED: dict[str, Callable[[str, frozenset[str]], bool]] = {
    "relati": lambda text, legal: text.startswith("F") and f"N{text[1:]}" in legal
}


@dataclass(frozen=True, slots=True)
class Reached:
    """What was found from one selection: the actions, and the selections on the way."""

    actions: frozenset[str]
    selections: tuple[Any, ...]


def shown(case: Case, moment: Moment, viewer: Viewer) -> AnyViewerState:
    """Return what a viewer is shown at a moment of random play."""
    state = moment.fold.state
    settings = () if isinstance(viewer, Watcher) else case.game.settings(state, viewer)
    return snapshot(case.key, state, viewer, n_seats=case.n_seats, settings=settings, options=case.options)


def asked(game: Game[Any, Any], moment: Moment) -> tuple[Seat, ...]:
    """Return the seats that owe a decision at a moment."""
    return tuple(owed.seat for owed in game.pending(moment.fold.state))


# Keys and mouse


def identity_of(selection: Any) -> tuple[tuple[str, object], ...]:
    """Return what tells selections apart; a seed for chance to come makes no difference, nor where a window stands."""
    held = ((field.name, getattr(selection, field.name)) for field in fields(selection) if field.name != WINDOW)
    return tuple(pair for pair in held if not isinstance(pair[1], bytes))


def walked(
    board: AnyBoard, shot: AnyViewerState, answers: Callable[[Any], Iterable[tuple[str, Any]]], least: int
) -> tuple[Reached, list[str]]:
    """Follow what `answers` leads to from the first selection; also returns what must not come.

    Ends when there is nothing new, or when all wanted actions have come and at least so many answers were tried.
    """
    first, goal = board.start(shot, SEED), wanted(shot)
    seen, waiting, tried = {identity_of(first): first}, deque([first]), 0
    actions, faults = set[str](), list[str]()
    while waiting and tried < MOST_TRIED and (tried < least or not goal <= actions):
        chosen = waiting.popleft()
        found = board.unasked(shot, chosen)
        unasked = [("what is done by itself", found.action)] if found is not None else []
        for how, answer in (*unasked, *answers(chosen)):
            tried += 1
            if isinstance(answer, Action):
                if not is_offered(shot, answer):
                    faults.append(f"{how} sends {answer.text!r}, which is not offered")
                actions.add(sorted_text(shot, answer))
            elif answer is not None and (key := identity_of(answer)) not in seen:
                seen[key] = answer
                waiting.append(answer)
    return Reached(frozenset(actions), tuple(seen.values())), faults


def is_offered(shot: AnyViewerState, action: Action) -> bool:
    """Tell whether an action answers the viewer's decision, or is one of the personal settings."""
    choices: list[Choice] = [*([shot.pending.choice] if shot.pending is not None else []), *shot.settings]
    return any(holds(choice, action) for choice in choices)


def sorted_text(shot: AnyViewerState, action: Action) -> str:
    """Return an action's text with what it picks in order."""
    if shot.pending is None or not holds(shot.pending.choice, action):
        return action.text
    return in_order(shot.pending.choice, action).text


def by_keys(board: AnyBoard, shot: AnyViewerState, least: int = LEAST_PRESSES) -> tuple[Reached, list[str]]:
    """Press every key of the board's contexts, in the selections that come of it."""
    keys = sorted({key for context in board.contexts() for key in keymap.by_key(context)})
    return walked(board, shot, lambda chosen: ((repr(key), board.press(shot, chosen, key)) for key in keys), least)


def by_mouse(
    board: AnyBoard,
    shot: AnyViewerState,
    cols: int = 80,
    rows: int = 19,
    has_room: Callable[[Any, Hint], bool] = lambda chosen, hint: True,
) -> tuple[Reached, list[str]]:
    """Click on the board and on every key that is shown, in the selections that come of it.

    `has_room`: tells whether a key of the board can be clicked on while something is chosen.
    Everywhere once for each kind of selection (all but where the cursor is); then where that led to something else.
    """
    area = board.area(shot, cols, rows)
    everywhere = [(col, row) for row in range(area.rows) for col in range(1, area.cols, CLICK_STEP_COLS)]
    known = dict[tuple[object, ...], list[tuple[int, int]]]()

    def click(chosen: Any, place: tuple[int, int]) -> Any:
        return board.click(shot, chosen, Look(), area.cols, area.rows, *place)

    def places(chosen: Any) -> list[tuple[int, int]]:
        kind = tuple(pair for pair in identity_of(chosen) if not isinstance(pair[1], int))
        if kind not in known:
            found = dict[object, tuple[int, int]]()
            for place in everywhere:
                answer = click(chosen, place)
                if answer is not None:
                    found.setdefault(answer if isinstance(answer, Action) else identity_of(answer), place)
            known[kind] = list(found.values())
        return known[kind]

    def answers(chosen: Any) -> Iterator[tuple[str, Any]]:
        for place in places(chosen):
            yield f"a click on {place}", click(chosen, place)
        for hint in (one for one in board.keys(shot, chosen) if has_room(chosen, one)):
            yield f"the key {hint.shown} below", board.press(shot, chosen, hint.press)

    return walked(board, shot, answers, 0)


def by_taps(board: AnyBoard, shot: AnyViewerState) -> tuple[Reached, list[str]]:
    """Click on the board and on keys as on the smallest screen.

    While something is half chosen, only on those that have room below: at rest the list of keys in help is clicked on.
    """
    cols, rows = SMALLEST

    def has_room(chosen: Any, hint: Hint) -> bool:
        _, spots = key_lines((*board.keys(shot, chosen), *keymap.hints("everywhere", ("help",))), Look(), cols, 1)
        return board.is_resting(chosen) or any(spot.press == hint.press for spot in spots)

    return by_mouse(board, shot, cols, Layout(cols, rows).body_rows, has_room)


def wanted(shot: AnyViewerState) -> frozenset[str]:
    """Return the actions of the viewer's decision that a board has to lead to; none where there are too many."""
    assert shot.pending is not None
    texts = [in_order(shot.pending.choice, one).text for one in islice(expand(shot.pending.choice), MOST_ACTIONS + 1)]
    if len(texts) > MOST_ACTIONS:
        return frozenset()
    omits = OMITTED.get(shot.game)
    return frozenset(text for text in texts if omits is None or not omits(text, frozenset(texts)))


def unreached(game: Game[Any, Any], state: Any, shot: AnyViewerState, reached: Reached) -> list[str]:
    """Return the legal actions that nothing led to, but for those that end as one that something led to."""
    assert shot.pending is not None
    left = wanted(shot) - reached.actions
    if not left:
        return []
    seat = shot.pending.seat

    def end_of(text: str) -> str:
        return json.dumps(game.write_position(game.apply(state, seat, Action(text)).state), sort_keys=True)

    ends = {end_of(text) for text in reached.actions & wanted(shot)}
    return sorted(text for text in left if end_of(text) not in ends)


def key_faults(board: AnyBoard, shot: AnyViewerState, selections: Iterable[Any]) -> list[str]:
    """Say which keys are shown and do nothing, are shown and not in the table, or work without being in it.

    A board may show a key of the page that it stands on, which acts on it, and another word for what a key does now.
    """
    known = {hint.keys for context in board.contexts() for hint in keymap.hints(context)}
    of_page = frozenset(keymap.hints("match"))
    faults = list[str]()
    for chosen in selections:
        for hint in (one for one in board.keys(shot, chosen) if one not in of_page):
            if hint.keys not in known:
                faults.append(f"{hint.label} is not in a context of the board")
            if board.press(shot, chosen, hint.press) is None:
                faults.append(f"{hint.label} is shown, and {hint.press!r} does nothing in {chosen}")
        faults += [f"{key!r} is not bound, and does something" for key in UNBOUND if board.press(shot, chosen, key)]
    return faults


def table_faults(board: AnyBoard, game: str) -> list[str]:
    """Say what is missing in the board's key table, or of its words in any language."""
    contexts = board.contexts()
    if not contexts or contexts[0] != game:
        return [f"{game} has no key table of its own"]
    made = [key for context in contexts for b in keymap.in_context(context).values() for key in (b.label, b.help)]
    wants = [*made, *(f"context.{context}" for context in contexts), f"game.{game}"]
    return [f"{language}: {key}" for language in CHOICES for key in wants if not catalogue(language).has(key)]


# Drawing


def area(board: AnyBoard, shot: AnyViewerState, cols: int, rows: int) -> tuple[int, int]:
    """Return the columns and rows that a board takes on a terminal of some size."""
    area = board.area(shot, cols, Layout(cols, rows).body_rows)
    return area.cols, area.rows


def draw_faults(board: AnyBoard, shot: AnyViewerState, chosen: Any, size: tuple[int, int], look: Look) -> list[str]:
    """Say what is wrong with a drawing: its size, texts that are no words, or that it changes by itself."""
    cols, rows = area(board, shot, *size)
    faults = list[str]()
    if cols > size[0] or rows > Layout(*size).body_rows:
        faults.append(f"wants {cols}x{rows} of {size}")
    drawn = board.render(shot, chosen, look, cols, rows)
    if len(drawn) != rows:
        faults.append(f"draws {len(drawn)} rows of {rows}")
    faults += [f"{width_cols(line)} columns of {cols}: {text_of(line)!r}" for line in drawn if width_cols(line) > cols]
    seats = board.seats(shot, look, 30, NOON)
    faults += [f"{width_cols(line)} columns of 30: {text_of(line)!r}" for line in seats if width_cols(line) > 30]
    lines = [*drawn, *seats, board.status(shot, chosen, look)]
    faults += [f"no words: {text!r}" for text in map(text_of, lines) if is_raw(text, shot.game)]
    if look.glyph_set == "ascii" and look.language == "en":
        faults += [
            f"not ASCII: {text!r}"
            for text in (text_of(ascii_line(line, False)) for line in lines)
            if not text.isascii()
        ]
    faults += [f"no style {style!r}" for line in lines for style, _ in line if style not in STYLES]
    second = look.seated(1)
    theirs = [*board.render(shot, chosen, second, cols, rows), *board.seats(shot, second, 30, NOON)]
    if theirs != [tuple((with_colours_of_the_other(style), text) for style, text in line) for line in lines[:-1]]:
        faults.append("who sits second has not the colours of the first")
    if board.render(pickle.loads(pickle.dumps(shot)), chosen, look, cols, rows) != drawn:
        faults.append("draws the same view otherwise when it comes again")
    return [f"{size} {look}: {fault}" for fault in faults]


def with_colours_of_the_other(style: str) -> str:
    """Return a style of the first seat as that of the second, and the other way round; others as they are."""
    return re.sub("^(seat|tile|turn|wire|reach)([01])$", lambda found: f"{found[1]}{1 - int(found[2])}", style)


def is_raw(text: str, game: str) -> bool:
    """Tell whether a message key, or a place for a parameter, stands in a text."""
    return re.search(rf"\b(?:{game}|keys|context)\.[a-z0-9]", text) is not None or "{" in text


def cut_faults(
    board: AnyBoard, shot: AnyViewerState, chosen: Any, size: tuple[int, int], known: frozenset[str]
) -> list[str]:
    """Say which words end too early without a mark: in English, those that nobody knows."""
    cols, rows = area(board, shot, *size)
    lines = [*board.render(shot, chosen, Look(), cols, rows), *board.seats(shot, Look(), 30, NOON)]
    return [f"{size}: {cut!r} in {text!r}" for text in map(text_of, lines) for cut in cut_words(text, known)]


def cut_words(text: str, known: frozenset[str]) -> list[str]:
    """Return the words of a text that nobody knows and that no mark follows or precedes."""
    found = [match for match in LATIN.finditer(text) if match[0].lower() not in known]
    marks = ("…", "~", ".", "-")
    return [m[0] for m in found if not text[m.end() :].startswith(marks) and not text[: m.start()].endswith(marks)]


def words_of(texts: Iterable[str]) -> frozenset[str]:
    """Return the English words in some texts, in small letters."""
    return frozenset(word.lower() for text in texts for word in LATIN.findall(text))


# Words


def word_faults(game: Game[Any, Any], messages: ModuleType) -> list[str]:
    """Say which messages, options and ladders of a game have no words in some language.

    An event may have variants (`GAME.event.KIND.VARIANT`) instead, or be silent in all languages.
    """
    plain = [*messages.PROMPTS, *messages.REASONS, *messages.ERRORS]
    plain += [f"{game.key}.option.{option.name}" for option in game.options()]
    plain += [f"ladder.{name}" for name in game.spec.ladders]
    faults = [f"{name}: {key}" for name in CHOICES for key in plain if not catalogue(name).has(key)]
    told = {name: {key for key in messages.EVENTS if has_words(name, key)} for name in CHOICES}
    every = set.union(*told.values())
    return faults + [f"{name}: {key}" for name in CHOICES for key in sorted(every - told[name])]


def lesson_faults(game: str) -> list[str]:
    """Say which words of a game's tutorial are missing in some language: goal, end, and those of each lesson."""
    names = [lesson.name for part in parts(game).values() for lesson in part]
    keys = [f"{name}.{word}" for name in names for word in ("title", "text", "ask", "done")]
    keys += ["goal", "end"] if names else []
    wanted = [f"tutorial.{game}.{key}" for key in keys]
    return [f"{name}: {key}" for name in CHOICES for key in wanted if not catalogue(name).has(key)]


def has_words(language: str, event: str) -> bool:
    """Tell whether a language has a sentence for an event, or for a variant of it."""
    return catalogue(language).has(event) or any(key.startswith(f"{event}.") for key in keys_of(language))


@cache
def keys_of(language: str) -> frozenset[str]:
    """Return all keys of a language's catalogue."""
    ids = (message.id for message in read_catalogue(language) if message.id)
    return frozenset(one if isinstance(one, str) else one[0] for one in ids)


def said_faults(board: AnyBoard, shot: AnyViewerState, events: Iterable[Event], look: Look) -> list[str]:
    """Say which events have no sentence, as this viewer hears of them."""
    faults = list[str]()
    for event in events:
        told = event.seen_by(shot.viewer)
        if told is not None:
            text = board.say(shot, look, SeenEvent(1, event.kind, dict(told)))
            if is_raw(text, shot.game):
                faults.append(f"{look.language} {event.kind}: {text!r}")
    return faults
