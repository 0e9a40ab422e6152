"""What a board is: pure functions from what a viewer may know to lines of text, and from keys to actions.

The `board.py` of a game's folder exports `BOARD`. Boards hold nothing: the selection is a value, so frames can be
cached, shared and compared, and a board is tested without a session.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import IntEnum
from functools import cache
from typing import Any, ClassVar, Final, Generic, TypeAlias, TypeVar

from game import registry
from game.contract import Action, Json, OneOf, Pending, Watcher
from server.boards import games, keymap
from server.boards.seats import is_ahead
from server.matches.agreement import SWITCHES, Agreement, Switch
from server.matches.model import SeenEvent, ViewerState
from server.terminal.hint import Hint
from server.terminal.items import PlayerCard
from server.terminal.lines import Line
from server.terminal.look import Look
from server.terminal.playercard import player_lines

V = TypeVar("V")  # the game's view
S = TypeVar("S")  # the game's selection, a frozen dataclass: cursor, mode, what is chosen

PREPARE: Final = "match.prepare"  # the label of a key that begins a move for later


@dataclass(frozen=True, slots=True)
class BoardArea:
    """How much of an area a board takes, top left; what is left over belongs to the side panel (log, chat)."""

    cols: int
    rows: int


class Weight(IntEnum):
    """How much an event matters to a reader: it decides what is told first, and what is left out first."""

    BOOKKEEPING = 0  # a pass, a setting: told in no log
    ORDINARY = 1
    MATTERS = 2  # it changes the situation
    DRAMATIC = 3  # a banner


@dataclass(frozen=True, slots=True)
class Players:
    """The players at a board, in their order on the screen, and what is said below them all.

    `is_across`: two who sit at opposite sides of the board, the first one at its upper side.
    """

    cards: tuple[PlayerCard, ...]
    below: tuple[Line, ...] = ()
    is_across: bool = False


@dataclass(frozen=True, slots=True)
class MoveGroup:
    """Actions of one kind that a viewer may take now, to be heard; `title`: which kind.

    `moves`: what is typed, and what that does in words. With a `verb`, they are items of which `least` to `most` are
    typed behind it, as in `discard "Snare!" "Enigma"`; `is_ordered`: their order counts. `is_rare`: they are seldom
    wanted, and told only when they are asked for.
    """

    title: str
    moves: tuple[tuple[str, str], ...]
    verb: str = ""
    least: int = 1
    most: int = 1
    is_ordered: bool = False
    is_rare: bool = False


@dataclass(frozen=True, slots=True)
class Unasked(Generic[S]):
    """What a board does for its player without being asked, and the selection from then on.

    `waits`: it is sent after the time that automatic answers take, because one at once would tell something.
    """

    action: Action
    chosen: S
    waits: bool = False


class Board(ABC, Generic[V, S]):
    """What draws one game and reads its keys.

    Arguments come in one order: what the viewer sees, the selection, the look, columns and rows, then anything else.
    Where a module has a function for all of a method, the board names it: `say = staticmethod(labels.say)`.
    """

    game: ClassVar[str]
    weights: ClassVar[Mapping[str, Weight]] = {}  # by event; what is not named is ordinary
    headings: ClassVar[frozenset[str]] = frozenset()  # the events with which a turn begins
    counts_moves: ClassVar[bool] = False  # each entry is a move: the log numbers them
    moves: ClassVar[frozenset[str]] = frozenset()  # the events of moves, where others happen before the first one
    has_sides: ClassVar[bool] = False  # it has two ends: a watcher may turn it round
    hides: ClassVar[bool] = True  # some see what others don't
    tells_entries: ClassVar[bool] = False  # a summary tells all events of an entry in one sentence
    echoes: ClassVar[frozenset[str]] = frozenset()  # events that say again that somebody resigned, left or was too late
    startling: ClassVar[frozenset[str]] = frozenset()  # prompts before which keys rest, one's own having brought them
    fateful: ClassVar[frozenset[str]] = frozenset()  # kinds of events of which it does not show at once what they bring
    warns: ClassVar[bool] = False  # it says what threatens its player, unless the match is agreed to be without
    quiet_ends: ClassVar[frozenset[str]] = frozenset()  # reasons of ends that nothing dramatic has brought about
    turn_prompt: ClassVar[str] = ""  # what is asked in a turn, where keys also prepare a move
    least_rows: ClassVar[int] = 9  # in which a player can play on it
    terms: ClassVar[tuple[str, ...]] = ()  # words of its screens that help explains: `GAME.term.…`
    types_moves: ClassVar[bool] = False  # its actions are short enough to be typed, and to be prepared

    def weight(self, event: SeenEvent) -> Weight:
        """Return how much an event of this game matters."""
        return self.weights.get(event.kind, Weight.ORDINARY)

    @abstractmethod
    def area(self, snapshot: ViewerState[V], cols: int, rows: int) -> BoardArea:
        """Return how much of the area the board wants; the page fills the rest with players, log and chat."""

    @abstractmethod
    def start(self, snapshot: ViewerState[V], seed: bytes) -> S:
        """Return the selection to begin with; `seed` is secret and random (for a first placement nobody can guess)."""

    def placement(self, snapshot: ViewerState[V], text: str) -> str:
        """Return what of an action its player may want again in another match: how they place their pieces; '' else."""
        return ""

    def recalled(self, snapshot: ViewerState[V], chosen: S, placement: str) -> S:
        """Return the selection of a player who placed their pieces so last: it may be offered; it may be anything."""
        return chosen

    @abstractmethod
    def follow(self, snapshot: ViewerState[V], chosen: S) -> S:
        """Return the selection after the position changed: the cursor stays, what is no longer possible is dropped."""

    def resume(self, snapshot: ViewerState[V], chosen: S, left: S) -> S:
        """Return the selection of a player who comes back in the same turn: `left` is theirs, `chosen` a new one."""
        return chosen

    @abstractmethod
    def render(
        self,
        snapshot: ViewerState[V],
        chosen: S,
        look: Look,
        cols: int,
        rows: int,
        events: Sequence[SeenEvent] = (),
    ) -> list[Line]:
        """Draw the board: exactly `rows` lines of `cols` columns. `events`: the last ones."""

    def shows_log(self, chosen: S) -> bool:
        """Tell whether what is drawn is the log: then it stands nowhere else."""
        return False

    @abstractmethod
    def players(self, snapshot: ViewerState[V], look: Look, cols: int, now: datetime) -> Players:
        """Return the players with their clocks and what they hold; `cols`: that there are for what is said of one."""

    def seats(self, snapshot: ViewerState[V], look: Look, cols: int, now: datetime) -> list[Line]:
        """Draw the players one below the other, as many lines as it takes."""
        found = self.players(snapshot, look, cols, now)
        return [*(line for card in found.cards for line in player_lines(card, look, cols)), *found.below]

    @abstractmethod
    def status(self, snapshot: ViewerState[V], chosen: S, look: Look) -> Line:
        """Say in one line what to do now and what the cursor stands on."""

    @abstractmethod
    def keys(self, snapshot: ViewerState[V], chosen: S) -> tuple[Hint, ...]:
        """Return the keys of the board that work right now, the most useful first; of `planned` while one waits."""

    @abstractmethod
    def press(self, snapshot: ViewerState[V], chosen: S, key: str) -> S | Action | None:
        """Return the selection after a key, or the action it completes; None: the key is not the board's."""

    @abstractmethod
    def click(
        self, snapshot: ViewerState[V], chosen: S, look: Look, cols: int, rows: int, col: int, row: int
    ) -> S | Action | None:
        """Do the same for a mouse button at a column and row of the board's area."""

    def digits(self, snapshot: ViewerState[V], chosen: S, look: Look) -> Mapping[str, str]:
        """Return what each digit does now, in words; none where a digit is only a number."""
        return {}

    def unasked(self, snapshot: ViewerState[V], chosen: S) -> Unasked[S] | None:
        """Return what is done for the player now: the next action of what was decided, an answer that is the only one.

        It answers the player's own decision, and is sent and logged like any other action.
        """
        return None

    def pointed(self, snapshot: ViewerState[V], chosen: S, key: str, struck: tuple[ViewerState[V], S]) -> S | None:
        """Return the selection that marks an act, which Enter or the same key then does; None: the key acts at once.

        An act is only marked where it gives something away for good and the key meant something else at `struck`: the
        state and the selection when a key last changed something.
        """
        return None

    def why_not(self, snapshot: ViewerState[V], chosen: S, look: Look, key: str) -> str:
        """Say why a key that `press` left without effect does nothing here; empty: there is nothing to say."""
        return ""

    def ahead(self, snapshot: ViewerState[V]) -> tuple[str, ...]:
        """Return what the viewer could do if it were their turn as things stand: what can be prepared."""
        return ()

    def planned(self, snapshot: ViewerState[V]) -> ViewerState[V]:
        """Return the state as if the viewer, who waits, were asked now: what keys choose then can be prepared.

        The same state where nothing can, or where a board's moves are only typed.
        """
        texts = self.ahead(snapshot) if self.turn_prompt and snapshot.pending is None else ()
        if not texts or isinstance(snapshot.viewer, Watcher):
            return snapshot
        return replace(snapshot, pending=Pending(snapshot.viewer, self.turn_prompt, OneOf(tuple(map(Action, texts)))))

    @staticmethod
    def choosing(go: Hint, snapshot: ViewerState[V]) -> Hint:
        """Return the hint of the key that begins a move, in the same columns while it begins one that is prepared."""
        label, instead = (PREPARE, go.label) if is_ahead(snapshot) else (go.label, PREPARE)
        return go.named(label, instead)

    def takes_prepared(self, pending: Pending) -> bool:
        """Tell whether a decision is one that a prepared action is meant for; another one leaves it for later."""
        return pending.window is None

    def spelled(self, snapshot: ViewerState[V], typed: str) -> tuple[str, ...]:
        """Return the actions that what was typed may become, the best first; the one it names whole stands alone."""
        pending = snapshot.pending
        texts = self.ahead(snapshot)
        if pending is not None:
            texts = tuple(one.text for one in pending.choice.actions) if isinstance(pending.choice, OneOf) else ()
        said = typed.casefold()
        begun = tuple(text for text in texts if any(way.startswith(said) for way in self.spellings(text)))
        whole = tuple(text for text in begun if said in self.spellings(text))
        return whole[:1] or begun

    def typed(self, snapshot: ViewerState[V], chosen: S, text: str) -> S | Action:
        """Return what an action that was typed brings: itself, or the question whether it is meant."""
        return Action(text)

    def after_typing(self, snapshot: ViewerState[V], chosen: S, text: str) -> S:
        """Return the selection after an action was typed: the cursor goes where it is done."""
        return chosen

    def spellings(self, text: str) -> tuple[str, ...]:
        """Return how an action may be typed, in small letters; the first is the shortest."""
        return (text.casefold(),)

    def proposed(self, n_players: int) -> Mapping[str, Json]:
        """Return options that forms propose for a number of players; the same names for every number."""
        return {}

    def written(self, text: str) -> str:
        """Return how an action is written for people: as it is typed with the fewest letters."""
        return self.spellings(text)[0]

    def said_as(self, snapshot: ViewerState[V], text: str, look: Look) -> tuple[str, ...]:
        """Return how an action, or an item of one, may be said with names where it has places and numbers."""
        return ()

    @abstractmethod
    def cursors(self, snapshot: ViewerState[V], chosen: S) -> Container[int]:
        """Return where the cursor of a selection may stand."""

    def pointed_at(self, snapshot: ViewerState[V], chosen: S, cursor: int) -> S:
        """Return the selection with its cursor elsewhere; unchanged where it can't stand there."""
        if cursor not in self.cursors(snapshot, chosen) or not self.is_resting(chosen):
            return chosen
        moved: Any = chosen
        return self.follow(snapshot, replace(moved, cursor=cursor))

    def disarmed(self, snapshot: ViewerState[V], chosen: S) -> S:
        """Return the selection of a player who comes back from another page: an action half chosen is dropped."""
        return chosen

    def half_done(self, snapshot: ViewerState[V], chosen: S) -> tuple[str, ...]:
        """Return what is selected and not sent, in words that `taken_up` reads; () where nothing is."""
        return ()

    def taken_up(self, snapshot: ViewerState[V], chosen: S, words: Sequence[str]) -> S:
        """Return the selection with what `half_done` said before somebody was cut off, as far as it may be selected.

        The words (one at least) come from outside: anybody may have written them. No action comes of them.
        """
        return chosen

    @abstractmethod
    def is_resting(self, chosen: S) -> bool:
        """Tell whether nothing is selected (then esc leaves the screen)."""

    @abstractmethod
    def say(self, snapshot: ViewerState[V], look: Look, event: SeenEvent) -> str:
        """Return a line of the log in the reader's language; empty: nothing worth a line."""

    @abstractmethod
    def spoken(self, snapshot: ViewerState[V], look: Look) -> tuple[str, ...]:
        """Say the position in sentences, by rows or by pieces, for who hears it; `look`: as `Look.heard` makes one."""

    def spoken_hand(self, snapshot: ViewerState[V], look: Look) -> tuple[str, ...]:
        """Say what is the viewer's own: hidden cards, the hand; () where nothing is."""
        return ()

    @abstractmethod
    def spoken_of(self, snapshot: ViewerState[V], look: Look, what: str) -> tuple[str, ...]:
        """Say what a square, a piece or a card is, by its name; () where nothing in view has that name."""

    @abstractmethod
    def spoken_moves(self, snapshot: ViewerState[V], look: Look) -> tuple[MoveGroup, ...]:
        """Return what the viewer may do now, by kinds: each action once; () where nothing is asked."""

    def orders(self, snapshot: ViewerState[V], chosen: S, look: Look) -> tuple[tuple[str, str], ...]:
        """Return what may be left to the board to do for its player: what is typed for it, and that in words."""
        return ()

    def ordered(self, snapshot: ViewerState[V], chosen: S, text: str) -> S | None:
        """Return the selection after one of the orders was typed; None: it is none."""
        return None

    @abstractmethod
    def spoken_prompt(self, snapshot: ViewerState[V], look: Look) -> str:
        """Say what the viewer is asked now in at most 12 words, and name no key; who waits hears for whom."""

    def passes_by(self, snapshot: ViewerState[V]) -> bool:
        """Tell whether what the viewer is asked is answered by itself: they are told to wait, and no question."""
        return False

    def spoken_question(self, snapshot: ViewerState[V], look: Look) -> str:
        """Say the whole question where the prompt has no room for it; '' where the prompt says all."""
        return ""

    def spoken_ask(self, snapshot: ViewerState[V], look: Look, text: str) -> str:
        """Say what an action gives away for good, as a question; '' where it is done without being asked again."""
        return ""

    def cause(self, events: Sequence[SeenEvent], seq: int) -> int:
        """Return the entry that brought about what entry `seq` tells: an earlier one, where that only followed."""
        return seq

    def led_to(self, snapshot: ViewerState[V], look: Look, events: Sequence[SeenEvent], seq: int) -> str:
        """Say which choice led to what entry `seq` brought, where that is another one; '' in most games."""
        return ""

    def retold(self, events: Sequence[SeenEvent]) -> Sequence[SeenEvent]:
        """Return the events as a log tells them: several that are one thing to who reads it are one event."""
        return events

    def actor(self, event: SeenEvent) -> int | None:
        """Return the seat that does what an event tells, None where nobody is named."""
        seat = event.params.get("seat")
        return seat if isinstance(seat, int) else None

    def contexts(self) -> tuple[str, ...]:
        """Return the key table's contexts of this board, for help."""
        return keymap.contexts_of(self.game)

    def context(self, chosen: S) -> str:
        """Return the key table's context of what is being done."""
        return self.game

    def explained(self, chosen: S) -> tuple[str, ...]:
        """Return the key table's contexts as help explains them: first the one of what is being done."""
        return tuple(dict.fromkeys((self.context(chosen), *self.contexts())))

    def marks(self, look: Look) -> tuple[tuple[str, str], ...]:
        """Return the marks on this board with their meaning, for help; none where none is needed."""
        return ()

    def browse(self, snapshot: ViewerState[V], chosen: S, key: str) -> S | None:
        """Return the selection after a key that only looks something up: also after the end, and in a replay."""
        return None

    def browse_keys(self, chosen: S) -> tuple[Hint, ...]:
        """Return the keys that look something up; none where there is nothing to look up."""
        return ()


AnyBoard: TypeAlias = Board[Any, Any]  # of whatever game a page shows


@cache
def board(game: str) -> AnyBoard:
    """Return a game's board. Raises LookupError when it has none (yet)."""
    module = games.part(game, "board")
    if module is None:
        raise LookupError(f"no server/boards/games/{game}/board.py")
    found: AnyBoard = module.BOARD
    return found


def switches_of(agreement: Agreement) -> tuple[Switch, ...]:
    """Return the switches that mean something in an agreement."""
    game, watched = agreement.game, agreement.watchable
    many = max(registry.get(game).seats) > 2
    warns = has_board(game) and board(game).warns
    return tuple(
        one
        for one in SWITCHES
        if (many or not one.for_many) and (warns or not one.of_boards) and (watched or not one.of_watching)
    )


def terms_of(game: str, look: Look) -> list[tuple[str, str]]:
    """Return words that a game's board and log use, each with what it means."""
    found = board(game).terms if has_board(game) else ()
    return [(look.t(f"{game}.term.{one}"), look.t(f"{game}.term.{one}.means")) for one in found]


@cache
def has_board(game: str) -> bool:
    """Tell whether a game can be shown."""
    return games.part(game, "board") is not None
