"""Answering on a board: the selection, what a key or a click sends, and what the board sends for its player."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from game.choices import contains, in_order
from game.contract import Action, Seat
from game.errors import GameError
from server.boards import eventlog
from server.boards.board import Unasked, Weight
from server.boards.seats import name_at
from server.errors import Refused
from server.matches.model import AnyViewerState, Timing
from server.screens.keyguard import KeyGuard, Stroke
from server.screens.unread import Unread
from server.screens.viewpoint import Viewpoint
from server.screens.whynot import say_why_not
from server.session.heldkeys import REPEAT_S
from server.session.reconnect import keep_selection, kept_selection
from server.session.session import Session
from server.terminal.items import Toast

PREPARED = "prepared"  # begins the word for what is
CLICK = "mouse press"  # as the key guard knows it
UNASKED_S = Timing().solo_automatic_delay  # as long as the server waits before it answers by itself


class Answering:
    """One player's answers in one match. Each turn is answered once, however often a key is pressed.

    Watchers have a selection, too: they look things up with it.
    """

    def __init__(self, session: Session, seen: Viewpoint, unread: Unread, guard: KeyGuard) -> None:
        self._session, self._seen, self._unread, self._guard = session, seen, unread, guard
        self.selection = self._resumed(self._fresh())
        self._struck: tuple[AnyViewerState, Any] | None = None  # when a key last began something, not in its lists
        self._struck_key = ""  # which one
        self._sent_at = -1  # the turn that was answered already
        self._answered = ""  # the prompt of the last decision by a key
        self._unasked_at: tuple[int, Action] | None = None  # what the board has sent by itself already
        self._told_to_wait: Toast | None = None  # the notice, which a turn makes untrue
        self._strokes = 0  # keys and clicks that have come to the board
        guard.record_mark("enter")  # the one that opened the page, still held down, does nothing on it
        self.prepared = ""  # the action that the next decision is answered with, if it is legal then

    def _fresh(self) -> Any:
        board, shot = self._seen.board, self._seen.snapshot
        placed = self._session.person.placement(shot.game)
        return board.recalled(shot, board.start(shot, secrets.token_bytes(16)), placed)

    def _resumed(self, fresh: Any) -> Any:
        """Return the selection to begin with: a player who comes back in the same turn finds their errands again."""
        seen = self._seen
        kept = None if seen.seat is None else kept_selection(seen.match, seen.seat, seen.turn_began)
        return fresh if kept is None else seen.board.resume(seen.snapshot, fresh, kept)

    def leave(self) -> None:
        """Store the selection for when the player comes back."""
        if self._seen.seat is not None:
            keep_selection(self._seen.match, self._seen.seat, self._seen.turn_began, self.selection)

    @property
    def is_resting(self) -> bool:
        """Tell whether nothing is selected."""
        return self._seen.board.is_resting(self.selection)

    @property
    def shown(self) -> AnyViewerState:
        """Return the state that is drawn: while a move is being prepared, as if one were asked."""
        return self._seen.snapshot if self.is_resting else self._seen.planned

    @property
    def has_sent(self) -> bool:
        """Tell whether the present decision was answered, and the answer is under way."""
        return self._sent_at == self._seen.snapshot.turn_seq

    def point(self, cursor: int) -> None:
        """Put the cursor where it stood, for who comes back."""
        self.selection = self._seen.board.pointed_at(self._seen.planned, self.selection, cursor)

    def half_done(self) -> tuple[str, ...]:
        """Return what is half chosen or prepared, behind the decision that it is for, in words that `take_up` reads."""
        said = self._seen.board.half_done(self.shown, self.selection)
        prepared = (f"{PREPARED} {self.prepared}",) if self.prepared else ()
        return (self._decision(), *prepared, *said) if prepared or said else ()

    def take_up(self, words: Sequence[str]) -> None:
        """Choose again what was half chosen, where the decision is still the same and it may be chosen."""
        asked, *said = words
        if asked != self._decision():
            return
        kind, _, prepared = said[0].partition(" ") if said else ("", "", "")
        if kind == PREPARED:
            del said[0]
            if self._seen.snapshot.pending is None and prepared in self._seen.board.ahead(self._seen.snapshot):
                self.prepare(prepared)
        if said:
            self.selection = self._seen.board.taken_up(self._seen.planned, self.selection, said)
            self.leave()

    def _decision(self) -> str:
        """Return what tells a decision, or a wait for one, from another."""
        shot = self._seen.snapshot
        return f"waits {shot.seq}" if shot.pending is None else f"asked {shot.turn_since}"

    # When the state changes

    def follow(self, before: AnyViewerState) -> None:
        """Keep the cursor and drop what can't be done any more, now that the state is no longer `before`."""
        was = self.selection
        if self._told_to_wait is not None and self._seen.snapshot.pending is not None:
            if self._session.prompts.said == self._told_to_wait:
                self._session.prompts.hush()
            self._told_to_wait = None
        was_asked, is_asked = before.pending is not None, self._seen.snapshot.pending is not None
        if was_asked and not is_asked:
            self.disarm()  # it was answered: what the same keys chose from now on would be prepared
        elif is_asked and not was_asked and self._seen.board.turn_prompt:
            self.disarm()  # what was half prepared: one is asked now, and reads that first
        self.selection = self._seen.board.follow(self._seen.planned, self.selection)
        if self._seen.was_taken_back_after(before.seq):
            self.prepared, self.selection = "", self._fresh()  # they were meant for what did not happen
        self.leave()
        self._hold_keys(before, was)

    def _hold_keys(self, before: AnyViewerState, selection: Any) -> None:
        """Hold keys back for a moment where they have come to mean something else: another question, a new offer."""
        seen = self._seen
        if seen.seat is None:
            return
        if self._goes_on():
            self._guard.record_own(seen.snapshot.turn_since)
        is_new = self._guard.see(before, selection, seen.snapshot, seen.board.startling) and self._guard.holds
        if self._guard.see_offers(before, seen.snapshot, seen.seat) or is_new:
            self._session.held.draw_after()

    def _goes_on(self) -> bool:
        """Tell whether this question follows the player's own last answer, though others were asked in between.

        It is the same question, no window, and meanwhile others have only passed windows.
        """
        asked = self._seen.snapshot.pending
        if asked is None or asked.window is not None or asked.prompt != self._answered:
            return False
        since = self._seen.happened_after(self._unread.decided_seq)
        return all(eventlog.weight(self._seen.board, event) is Weight.BOOKKEEPING for event in since)

    # Keys and clicks

    def press(self, key: str) -> bool:
        """Let the board take a key; False: it is not the board's."""
        seen = self._seen
        self._strokes += 1
        answer = seen.board.press(seen.planned, self.selection, key)
        if self._plans(answer):
            if self.is_resting and not isinstance(answer, Action):
                self._says_who_thinks(key)
            self._plan(answer)
            return True
        says = say_why_not(self._session, seen.board, seen.snapshot, self.selection, answer, key)
        if answer is None:
            return says or self._says_who_thinks(key)
        if answer == self.selection and not says:
            self._says_who_thinks(key)
        self._take(answer, key, lambda shot, chosen: seen.board.press(shot, chosen, key))
        return True

    def click(self, col: int, row: int, cols: int, rows: int) -> bool:
        """Point at a place of a body of this size; False: there is nothing."""
        seen, look = self._seen, self._session.look
        area = seen.board.area(seen.snapshot, cols, rows)
        if col >= area.cols or row >= area.rows:
            return False

        def clicked(shot: AnyViewerState, chosen: Any) -> Any:
            return seen.board.click(shot, chosen, look, area.cols, area.rows, col, row)

        self._strokes += 1
        answer = clicked(seen.planned, self.selection)
        if answer is None:
            return False
        if self._plans(answer):
            self._plan(answer)
            return True
        self._take(answer, CLICK, clicked)
        return True

    def browse(self, key: str) -> bool:
        """Let the board look something up, which it also does after the end; False: the key is not for that."""
        browsed = self._seen.board.browse(self._seen.snapshot, self.selection, key)
        if browsed is None:
            return False
        self.selection = browsed
        return True

    def _plans(self, answer: Any) -> bool:
        """Tell whether a key chooses, or begins to choose, what is prepared."""
        shot = self._seen.snapshot
        if shot.pending is not None or self._seen.planned is shot or self._is_setting(answer):
            return False
        return isinstance(answer, Action) or (answer is not None and not self._seen.board.is_resting(answer))

    def _plan(self, answer: Any) -> None:
        """Take what the board makes of a key while one waits: a move is kept for one's own next decision."""
        if not isinstance(answer, Action):
            self.selection = answer
            return
        self.selection = self._seen.board.after_typing(self._seen.planned, self.selection, answer.text)
        self.prepare(answer.text)

    def prepare(self, text: str) -> None:
        """Keep an action for one's own next decision. Nobody is told: it is sent when that comes, or dropped."""
        self.prepared = text
        self.act_unasked()

    def send_typed(self, action: Action) -> None:
        """Send an action that was typed."""
        board, shot = self._seen.board, self._seen.snapshot
        answer = board.typed(shot, board.after_typing(shot, self.selection, action.text), action.text)
        if isinstance(answer, Action):
            self.selection = board.after_typing(shot, self.selection, action.text)
            self.send(answer)
        else:
            self.selection = answer

    def order(self, text: str) -> bool:
        """Leave something to the board that was typed; False: it is no order."""
        left = self._seen.board.ordered(self._seen.snapshot, self.selection, text)
        if left is None:
            return False
        self.selection = left
        self.leave()
        self.act_unasked()
        return True

    def disarm(self) -> None:
        """Drop an action that was half chosen when the player left the board for another page."""
        self.selection = self._seen.board.disarmed(self._seen.planned, self.selection)

    def drop(self) -> bool:
        """Drop what is prepared or selected; False: nothing is."""
        if self.prepared:
            self.prepared = ""
            return True
        if self.is_resting:
            return False
        self.selection = self._seen.board.follow(self._seen.snapshot, self._fresh())
        return True

    def _says_who_thinks(self, key: str) -> bool:
        """Say for whom one waits, to a player who presses enter all the same; False: there is nothing to say."""
        shot, look = self._seen.snapshot, self._session.look
        names = look.t("list.comma").join(name_at(shot, seat, look) for seat, _ in shot.deciding)
        if key != "enter" or not names or not self._seen.plays or shot.pending is not None or shot.status != "live":
            return False
        self._session.prompts.notice("match.waits-for", names=names)
        self._told_to_wait = self._session.prompts.said
        return True

    def _take(self, answer: Any, key: str, before: Callable[[AnyViewerState, Any], Any]) -> None:
        """Take what the board makes of a key or a click; `before` says what it made of it at an earlier state."""
        pointed = self._pointed(key) if isinstance(answer, Action) and not self._guard.has_refused else None
        is_refused = self._is_answer(answer) and self._means_another(answer, before) and self._guard.refuses(key)
        if pointed not in (None, self.selection):
            self.selection = pointed
            self._guard.record_refusal(key)
            self._session.prompts.notice("match.pointed")
            return
        if is_refused:
            self._session.held.say()
            return
        stroke = self._guard.stroke(key) if self._is_answer(answer) else Stroke.STRUCK
        if stroke is Stroke.HELD:
            return
        if self._is_answer(answer) and answer != self.selection and key == "enter":
            self._guard.record_mark(key)
        if answer != self.selection and self.is_resting:
            self._struck, self._struck_key = (self._seen.snapshot, self.selection), key
        if isinstance(answer, Action) and stroke is Stroke.UNCLEAR:
            self._session.spawn(self._send_if_let_go(answer, self._strokes))
        elif isinstance(answer, Action):
            self.send(answer)
        else:
            self.selection = answer
            self.act_unasked()

    async def _send_if_let_go(self, action: Action, strokes: int) -> None:
        """Send what a key means that was struck again soon, unless it comes once more: then it is held down."""
        turn = self._seen.snapshot.turn_seq
        await self._session.services.clock.sleep(REPEAT_S)
        if self._strokes == strokes and self._seen.snapshot.turn_seq == turn:
            self.send(action)

    def send(self, action: Action) -> None:
        """Send an action that a key or a word has completed, unless this turn was answered already."""
        shot, seat = self._seen.snapshot, self._seen.seat
        if seat is None or self._sent_at == shot.turn_seq:
            return
        self._sent_at, asked = shot.turn_seq, shot.pending
        self.prepared = self.prepared if self._is_setting(action) else ""
        if asked is not None and contains(asked.choice, action):
            self._answered = asked.prompt
        ordered = action if asked is None else in_order(asked.choice, action)  # else a discard pile tells the hand's
        self._session.spawn(self._act(seat, ordered, shot.turn_seq))

    def _pointed(self, key: str) -> Any:
        """Return the selection of a key that only points at what it has just come to mean; None: it acts."""
        if self._struck is None or not self._guard.may_be_unread(is_expected=key != self._struck_key):
            return None
        return self._seen.board.pointed(self._seen.snapshot, self.selection, key, self._struck)

    def _means_another(self, answer: Any, before: Callable[[AnyViewerState, Any], Any]) -> bool:
        """Tell whether a key does something else now than before the question changed: an action always does."""
        if isinstance(answer, Action):
            return not self._is_setting(answer)
        return self._guard.before is None or bool(answer != before(*self._guard.before))

    def _is_setting(self, answer: Any) -> bool:
        """Tell whether a key makes a personal setting: one may do so at any time."""
        choices = self._seen.snapshot.settings
        return isinstance(answer, Action) and any(contains(choice, answer) for choice in choices)

    def _is_answer(self, answer: Any) -> bool:
        """Tell whether a key answers or moves towards an answer; looking something up does not."""
        return isinstance(answer, Action) or (self.is_resting and self._seen.board.is_resting(answer))

    async def _act(self, seat: Seat, action: Action, at_seq: int, by_key: bool = True, is_struck: bool = True) -> None:
        if placed := self._seen.board.placement(self._seen.snapshot, action.text):
            self._session.person.keep_placement(self._seen.snapshot.game, placed)
        try:
            seq = await self._seen.match.act(seat, action.text, at_seq, self._session.services.clock.now())
            if by_key:
                self._guard.record_own(seq)
                self._unread.record_decision(seq, is_struck)
        finally:
            if self._sent_at == at_seq:  # otherwise the next answer has been sent already
                self._sent_at = -1

    # What the board sends by itself

    def act_unasked(self) -> bool:
        """Send what the board does for its player without being asked, once for each decision; tell whether it does.

        What waits is looked at again when its time has come: a key may have answered, or changed the selection.
        """
        seen, shot = self._seen, self._seen.snapshot
        if seen.seat is None or not seen.plays or shot.paused or shot.status != "live":
            return False
        found = self._found_unasked()
        if found is None or self._unasked_at == (shot.turn_seq, found.action):
            return found is not None
        if self._sent_at == shot.turn_seq:
            return True
        self._unasked_at = shot.turn_seq, found.action
        if not found.waits:
            self._sent_at, self.selection = shot.turn_seq, found.chosen
        self._session.spawn(self._act_unasked(seen.seat, found, shot.turn_seq))
        return True

    def _found_unasked(self) -> Unasked[Any] | None:
        """Return what was prepared for this decision, else what the board does by itself.

        A window leaves it for later; at any other decision it is legal or dropped. It waits as long as what is
        answered by a setting, so that its time tells no more.
        """
        shot = self._seen.snapshot
        if self.prepared and shot.pending is not None and self._seen.board.takes_prepared(shot.pending):
            action = Action(self.prepared)
            if contains(shot.pending.choice, action):
                return Unasked(action, self.selection, waits=True)
            self.prepared = ""
            self._session.prompts.notice("match.prepared-dropped", move=self._seen.board.written(action.text))
        return self._seen.board.unasked(shot, self.selection)

    async def _act_unasked(self, seat: Seat, found: Unasked[Any], at_seq: int) -> None:
        seen = self._seen
        if found.waits:
            await self._session.services.clock.sleep(UNASKED_S)
            if seen.snapshot.turn_seq != at_seq or self._sent_at == at_seq:
                return
            self._sent_at = at_seq
            now = self._found_unasked()
            self.prepared = ""
            if now is None or now.action != found.action:
                self._sent_at = -1
                return
            self.selection = now.chosen
        with suppress(Refused, GameError):  # the situation has changed: the player is asked
            await self._act(seat, found.action, at_seq, by_key=not found.waits, is_struck=False)
