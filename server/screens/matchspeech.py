"""A match as a dialogue: what has happened, what is asked, what a word tells, and actions that are typed."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from datetime import datetime

from game.contract import Action, Seat
from server.boards import outcome
from server.boards.seats import away, name_at
from server.matches.model import SeenEvent
from server.screens import boardwords, endcard, linemoves, matchpanel, matchtext
from server.screens.answering import Answering
from server.screens.tablecommands import TableCommands
from server.screens.toldmoves import ALL, ToldMoves
from server.screens.unread import Unread
from server.screens.viewpoint import Viewpoint
from server.session.linewords import commands_of
from server.session.page import Page, Speech, Tells
from server.session.session import Session
from server.terminal.hint import Hint
from server.terminal.items import Item, PlayerCard, Said
from server.terminal.lines import text_of
from server.terminal.meaning import RunningTime

SURE = "yes"  # typed behind an action that can't be taken back
SINCE = 30  # of the last things that happened, told at most


@dataclass(frozen=True, slots=True)
class Missing:
    """Who is away, whether something comes of it now, and how that is said."""

    seats: tuple[Seat, ...] = ()
    is_due: bool = False
    said: tuple[str, ...] = ()


class MatchSpeech(Speech):
    """What one match says to somebody who hears it."""

    def __init__(
        self,
        page: Page,
        session: Session,
        seen: Viewpoint,
        answering: Answering,
        table: TableCommands,
        unread: Unread,
    ) -> None:
        super().__init__(page)
        self._session, self._seen, self._answering, self._table = session, seen, answering, table
        self._unread = unread
        self._told = len(seen.events)  # of its events
        self._moves = ToldMoves()
        self._question = ""  # the last one that has no room in a prompt
        self._standing = ""  # what was said last of how the match stands
        self._missed = Missing()  # as was said last
        self._has_told_how = False  # an action is typed
        self._end = self._how_it_ended()

    def entered(self) -> Sequence[Item]:
        """Tell the position; once it is over, how it ended before that."""
        position = [*self._position(), *(Said(one) for one in (*self._missing().said, *self._how()))]
        return position if self._seen.is_live else [*self.page.items(), *position]

    def stands(self) -> Sequence[Item]:
        """Tell the position without how an action is typed: it is not, where each item has an element.

        At the end with the seed of the chance: it can be passed over there, and copied.
        """
        shot = self._seen.snapshot
        if self._seen.is_live:
            return self._position()
        seed = [Said(matchpanel.seed_words(shot, self._session.look))] if shot.seed else []
        return [*self.page.items(), *seed, *self._position()]

    def _position(self) -> list[Item]:
        """Tell the score of those who play again, then the board."""
        shot, look = self._seen.snapshot, self._session.look.heard()
        score = outcome.score(shot, look) if self._seen.is_live else ""
        return [Said(one) for one in (score, *self._seen.board.spoken(shot, look)) if one]

    # What has happened, and what is asked

    def news(self) -> list[str]:
        events, self._told = self._seen.events[self._told :], len(self._seen.events)
        said = self._in_words(events)
        standing, self._standing = self._standing, self._stands()
        question, self._question = (
            self._question,
            self._seen.board.spoken_question(self._seen.snapshot, self._session.look),
        )
        fresh = ((standing, self._standing), (question, self._question))
        said += [now for before, now in fresh if now not in ("", before)]
        return [*said, *self._new_of_missing(), *self._new_of_end(), *self._how_at_first()]

    def _new_of_missing(self) -> list[str]:
        """Say who has gone and what comes of it, once it comes to that, and who is back."""
        before, self._missed = self._missed, self._missing()
        seats, t = self._seen.snapshot.seats, self._session.t
        back = [name_at(self._seen.snapshot, seat, self._session.look) for seat in before.seats if seats[seat].here]
        told = [t("room.is-back", names=t("list.comma").join(back))] if back else []
        is_new = (before.seats, before.is_due) != (self._missed.seats, self._missed.is_due)
        return [*told, *(self._missed.said if is_new else ())]

    def _missing(self) -> Missing:
        """Return who is missed now, and what is said of it."""
        shot, now = self._seen.snapshot, self._session.services.clock.now()
        seats = tuple(away(shot)) if self._seen.is_live else ()
        said = text_of(outcome.claim(shot, self._session.look, now)).strip() if seats else ""
        return Missing(seats, shot.claim_at is not None and shot.claim_at <= now, (said,)) if said else Missing()

    def _new_of_end(self) -> list[str]:
        """Say what decided the match and what came of it, ratings as they come; at first how to go on from there."""
        before, self._end = self._end, self._how_it_ended()
        how = [self._session.t("lines.over")] if self._end and not before and self._seen.seat is not None else []
        return [*(one for one in self._end if one not in (*before, self._standing)), *how]

    def _how_it_ended(self) -> list[str]:
        seen = self._seen
        told = [] if seen.is_live else endcard.told(seen.board, seen.snapshot, seen.events, self._session.look)
        return [one.text for one in told]

    def _how(self) -> list[str]:
        """Say with an example how an action is typed, where one is asked for."""
        board, shot, look = self._seen.board, self._seen.snapshot, self._session.look
        is_asked = self._seen.is_live and self._seen.plays and self.is_waited_for
        moves = (linemoves.as_typed(board, shot, one, look) for one in board.spelled(shot, "")[:1] if is_asked)
        return [look.t("lines.how", move=move) for move in moves]

    def _how_at_first(self) -> list[str]:
        """Say it once: at the first action that is asked for while this is heard."""
        said = [] if self._has_told_how else self._how()
        self._has_told_how = self._has_told_how or bool(said)
        return said

    def happened(self) -> list[tuple[int, str]]:
        """Return the last things that happened in sentences, each with the number of its event, from 1 on."""
        events = self._seen.events
        first = max(0, len(events) - SINCE)
        told = [(n, " ".join(self._in_words([event]))) for n, event in enumerate(events[first:], first + 1)]
        return [one for one in told if one[1]]

    def _in_words(self, events: Sequence[SeenEvent]) -> list[str]:
        return boardwords.told(self._seen.board, self._seen.snapshot, events, self._session.look.heard())

    def _stands(self) -> str:
        """Say what matters more than what the board asks, where that is no matter of seconds; the end is told apart."""
        seen, shot, mode = self._seen, self._seen.snapshot, self._table.mode
        if not (mode or not seen.is_live or seen.offered() or shot.paused or shot.status == "adjourned"):
            return ""
        now = self._session.services.clock.now()
        return text_of(matchtext.standing(seen, mode, self._session.look, now, tells_end=False)).strip()

    def prompt(self) -> str:
        """Say what is asked now, in a few words."""
        seen, look = self._seen, self._session.look
        if not seen.is_live:
            return look.t("lines.prompt.over")
        if seen.seat is None:
            return look.t("lines.prompt.watching")
        if choices := [one.words[0] for one in commands_of(self._table.of_mode(), look)] if self._table.mode else []:
            return look.t("list.comma").join(choices)
        if said := seen.board.spoken_prompt(seen.snapshot, look):
            return said
        return look.t("lines.prompt.turn" if seen.snapshot.pending is not None else "lines.prompt.waiting")

    def asks(self) -> Hashable:
        """Return what is asked: what to offer, the decision, what is offered, whether it is over."""
        shot = self._seen.snapshot
        decision = (shot.turn_since, shot.pending) if self.is_waited_for else None
        return self._table.mode, decision, tuple(self._seen.offered()), self._seen.is_live

    @property
    def is_waited_for(self) -> bool:
        """Tell whether the viewer is to decide, and it is not done by itself."""
        shot = self._seen.snapshot
        return shot.pending is not None and not self._seen.board.passes_by(shot)

    @property
    def waits(self) -> bool:
        """Tell whether the match goes on without the viewer now."""
        seen = self._seen
        goes_on = seen.is_live and seen.snapshot.status == "live" and not seen.snapshot.paused
        return goes_on and not (self.is_waited_for or self._table.mode or seen.offered())

    # What a word tells

    def tells(self) -> Tells:
        """Return the words that tell something, and what each does with what is typed behind it."""
        return {
            **boardwords.board_words(
                self._seen.board, self._seen.snapshot, self._session.look, self._moves, self._orders
            ),
            "since": self._since,
            "clock": lambda rest: self._clock(),
        }

    def _since(self, rest: str) -> Sequence[str]:
        """Say what happened since one's own last decision, this one included; to watchers the last things.

        `rest`: "all" says the whole match so far, and once it is over what its chance was.
        """
        seen = self._seen
        if rest.casefold() == ALL:
            shot = seen.snapshot
            seed = [matchpanel.seed_words(shot, self._session.look)] if shot.seed else []
            return [*self._in_words(seen.events), *seed] or (self._session.t("lines.nothing-new"),)
        last = self._unread.struck_seq
        happened = seen.happened_after(last - 1) if last else seen.events
        return self._in_words(happened)[-SINCE:] or (self._session.t("lines.nothing-new"),)

    def times(self) -> list[RunningTime]:
        """Return what the rows tell of time: clocks that run, who is away, what comes of it."""
        now = self._session.services.clock.now()
        return matchtext.times(self._seen, self._players(now), self._session.look, now) if self._seen.is_live else []

    def _players(self, now: datetime) -> Sequence[PlayerCard]:
        seen = self._seen
        return seen.board.players(seen.snapshot, self._session.look, 80, now).cards

    def _clock(self) -> Sequence[str]:
        now, t = self._session.services.clock.now(), self._session.t
        window = text_of(matchtext.window_left(self._seen, self._session.look, now)).strip()
        clocks = [(card.name, card.clock.words) for card in self._players(now) if card.clock is not None]
        said = [t("list.pair", what=name, value=words) for name, words in clocks if words]
        return [*said, *((window,) if window else ())] or (t("lines.no-clock"),)

    # Commands and actions

    def hints(self) -> tuple[Hint, ...]:
        """Return the keys of the table: a board's are for who sees it."""
        return self._table.without_board()

    def do(self, command: str, key: str) -> bool:
        """Do a command of the table, past the board: its keys stand for something else there."""
        return (not self._table.mode and self.page.run(command, key)) or self.page.press(key)

    def completes(self, typed: str) -> Sequence[str]:
        shot = self._seen.snapshot
        if not self._seen.plays:
            return ()
        actions = self._seen.board.spelled(shot, typed) if shot.pending is not None else ()
        numbered = (typed,) if self._moves.meant(shot, typed) is not None else ()
        return (*numbered, *actions, *linemoves.found_orders(self._orders(), typed))

    def _orders(self) -> linemoves.Orders:
        """Return what may be left to the board now."""
        seen = self._seen
        if not seen.plays or seen.snapshot.status != "live":
            return ()
        return seen.board.orders(seen.snapshot, self._answering.selection, self._session.look)

    def answer(self, typed: str) -> Sequence[str] | None:
        """Take an action as it is typed; return what there is to say; None: it is none."""
        seen = self._seen
        if not seen.plays or seen.snapshot.status != "live":
            return None
        action, _, last = typed.rpartition(" ")
        is_sure = bool(action) and last.casefold() == SURE
        said = action if is_sure else typed
        text = self._moves.meant(seen.snapshot, said) or said
        if (setting := linemoves.found_setting(seen.snapshot, text)) is not None:
            self._answering.send(setting)
            return ()
        found = self._found(text)
        orders = [] if found else linemoves.found_orders(self._orders(), text)
        if len(orders) == 1 and self._answering.order(orders[0]):
            return ()
        found = found or orders
        if len(found) != 1:
            return self._not_found(text, found)
        if seen.snapshot.pending is None:
            self._answering.prepare(found[0])
            named = boardwords.kind_and_move(seen.board, seen.planned, found[0], self._session.look)
            return (self._session.t("lines.prepared", move=named),)
        asked = "" if is_sure else seen.board.spoken_ask(seen.snapshot, self._session.look, found[0])
        if asked:
            return (asked, self._session.t("lines.answer-word", word=said if said != text else found[0]))
        self._answering.send(Action(found[0]))
        return ()

    def _not_found(self, text: str, found: Sequence[str]) -> Sequence[str] | None:
        board, shot, look = self._seen.board, self._seen.snapshot, self._session.look
        said = (linemoves.not_found(board, shot, one, found, look, self._moves) for one in _ways(text))
        return next((one for one in said if one is not None), None)

    def _found(self, typed: str) -> Sequence[str]:
        """Return the actions that are meant."""
        return next((found for one in _ways(typed) if (found := self._found_as(one))), ())

    def _found_as(self, typed: str) -> Sequence[str]:
        """Return the actions of these letters, for this decision or to be kept for one's next."""
        board, shot = self._seen.board, self._seen.snapshot
        if shot.pending is not None:
            return linemoves.found_actions(board, shot, typed, self._session.look)
        if not board.types_moves or shot.is_in_window:
            return ()
        return board.spelled(shot, typed) or linemoves.found_by_name(board, shot, typed, self._session.look)


def _ways(typed: str) -> tuple[str, str]:
    """Return an action as it was typed, and without its blanks: `d2 d3` is `d2d3`."""
    return typed, typed.replace(" ", "")
