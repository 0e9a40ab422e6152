"""A match as a dialogue: what has happened, what is asked, what a word tells, and actions that are typed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

from game.choices import contains
from game.contract import Action, Number, OneOf
from game.errors import GameError
from server.boards import eventlog, refusing
from server.boards.board import MoveGroup
from server.matches.model import SeenEvent
from server.screens import matchtext
from server.screens.answering import Answering
from server.screens.keyguard import is_window
from server.screens.viewpoint import Viewpoint
from server.session.session import Session
from server.terminal.lines import text_of

SURE = "yes"  # typed behind an action that can't be taken back
MOST_MOVES = 40  # that are told at once
SINCE = 30  # of the last things that happened, told at most


class MatchSpeech:
    """What one match says to somebody who hears it."""

    def __init__(self, session: Session, seen: Viewpoint, answering: Answering) -> None:
        self._session, self._seen, self._answering = session, seen, answering
        self._told = len(seen.events)  # of its events
        self._standing = ""  # what was said last of how the match stands

    # What has happened, and what is asked

    def news(self, mode: str) -> list[str]:
        """Return what has happened since this was asked last."""
        events, self._told = self._seen.events[self._told :], len(self._seen.events)
        said = self._in_words(events)
        standing, self._standing = self._standing, self._stands(mode)
        return [*said, self._standing] if self._standing not in ("", standing) else said

    def _in_words(self, events: Sequence[SeenEvent]) -> list[str]:
        seen, look = self._seen, self._session.look
        found = eventlog.under_headings(eventlog.told(seen.board, seen.snapshot, events, look))
        return [one.text for one in found][::-1]

    def _stands(self, mode: str) -> str:
        """Say what matters more than what the board asks, where that is no matter of seconds."""
        seen, shot = self._seen, self._seen.snapshot
        if not (mode or not seen.is_live or seen.offered() or shot.paused or shot.status == "adjourned"):
            return ""
        now = self._session.services.clock.now()
        return text_of(matchtext.before_board(seen, mode, self._session.look, now)).strip()

    def prompt(self) -> str:
        """Say what is asked now, in a few words."""
        seen, look = self._seen, self._session.look
        if not seen.is_live:
            return look.t("lines.prompt.over")
        if seen.seat is None:
            return look.t("lines.prompt.watching")
        if said := seen.board.spoken_prompt(seen.snapshot, look):
            return said
        return look.t("lines.prompt.turn" if seen.snapshot.pending is not None else "lines.prompt.waiting")

    def asks(self) -> Hashable:
        """Return what is asked: the decision, what is offered, whether it is over."""
        shot = self._seen.snapshot
        decision = (shot.turn_since, shot.pending) if shot.pending is not None else None
        return decision, tuple(self._seen.offered()), self._seen.is_live

    # What a word tells

    def tells(self) -> Mapping[str, Callable[[str], Sequence[str]]]:
        """Return the words that tell something, and what each does with what is typed behind it."""
        return {
            "board": lambda rest: self.position(),
            "hand": lambda rest: self._hand(),
            "what": self._what,
            "moves": self._moves,
            "since": lambda rest: self._since(),
            "clock": lambda rest: self._clock(),
        }

    def position(self) -> Sequence[str]:
        """Say the board."""
        return self._seen.board.spoken(self._seen.snapshot, self._session.look)

    def _hand(self) -> Sequence[str]:
        said = self._seen.board.spoken_hand(self._seen.snapshot, self._session.look)
        return said or (self._session.t("lines.no-hand"),)

    def _what(self, rest: str) -> Sequence[str]:
        if not rest:
            return (self._session.t("lines.what-what"),)
        said = self._seen.board.spoken_of(self._seen.snapshot, self._session.look, rest)
        return said or (self._session.t("lines.nothing-named", name=rest),)

    def _since(self) -> Sequence[str]:
        """Say what happened since one's own last decision, this one included; to watchers the last things."""
        seen = self._seen
        last = seen.match.last_act(seen.seat) if seen.seat is not None else 0
        happened = seen.happened_after(last - 1) if last else seen.events
        return self._in_words(happened)[-SINCE:] or (self._session.t("lines.nothing-new"),)

    def _clock(self) -> Sequence[str]:
        seen, now = self._seen, self._session.services.clock.now()
        window = text_of(matchtext.window_left(seen, self._session.look, now)).strip()
        cards = seen.board.players(seen.snapshot, self._session.look, 80, now).cards
        timed = [card for card in cards if card.clock is not None and card.clock.words]
        t = self._session.t
        said = [t("list.pair", what=card.name, value=card.clock.words) for card in timed if card.clock is not None]
        return [*said, *((window,) if window else ())] or (t("lines.no-clock"),)

    def _moves(self, rest: str) -> Sequence[str]:
        """Say what one may do, by kinds; many only with their numbers, of which one is asked for."""
        shot, look = self._seen.snapshot, self._session.look
        groups = self._seen.board.spoken_moves(shot, look)
        if not groups:
            return (look.t("lines.no-moves"),)
        if rest.isdecimal() and 0 < int(rest) <= len(groups):
            return self._group(groups[int(rest) - 1])
        if sum(len(group.moves) for group in groups) <= MOST_MOVES:
            return [said for group in groups for said in self._group(group)]
        told = [look.t("lines.kind", i=i, title=one.title, n=len(one.moves)) for i, one in enumerate(groups, 1)]
        return [*told, look.t("lines.kinds")]

    def _group(self, group: MoveGroup) -> tuple[str, ...]:
        look = self._session.look
        moves = look.t("list.then").join(
            text if text == words else look.t("list.pair", what=text, value=words) for text, words in group.moves
        )
        if group.verb:
            key = "lines.pick-one" if group.least == group.most == 1 else "lines.pick"
            moves = look.t(key, verb=group.verb, least=group.least, most=group.most, items=moves)
        return (look.t("lines.group", title=group.title), moves) if group.title else (moves,)

    # Actions

    def completes(self, typed: str) -> Sequence[str]:
        """Return the actions that begin so."""
        shot = self._seen.snapshot
        return self._seen.board.spelled(shot, typed) if self._seen.plays and shot.pending is not None else ()

    def answer(self, typed: str) -> Sequence[str] | None:
        """Take an action as it is typed; return what there is to say; None: it is none."""
        seen = self._seen
        if not seen.plays or seen.snapshot.status != "live":
            return None
        action, _, last = typed.rpartition(" ")
        is_sure = last.casefold() == SURE
        text = action if is_sure else typed
        found = list(self._found(text))
        if len(found) != 1:
            return self._not_found(text, found)
        if seen.snapshot.pending is None:
            self._answering.prepare(found[0])
            return (self._session.t("match.prepared", move=found[0]),)
        asked = "" if is_sure else seen.board.spoken_ask(seen.snapshot, self._session.look, found[0])
        if asked:
            return (asked, self._session.t("lines.answer-word", word=found[0]))
        self._answering.send(Action(found[0]))
        return ()

    def _found(self, typed: str) -> Iterator[str]:
        """Yield the actions that were meant: those offered that begin so, or one that is written whole."""
        shot = self._seen.snapshot
        if shot.pending is None:
            if self._seen.board.types_moves and not is_window(shot):
                yield from self._seen.board.spelled(shot, typed)
            return
        choice = shot.pending.choice
        if isinstance(choice, OneOf):
            whole = [one.text for one in choice.actions if one.text.casefold() == typed.casefold()]
            yield from whole or self._seen.board.spelled(shot, typed)
            return
        text = f"{choice.verb} {typed}" if isinstance(choice, Number) and typed.isdecimal() else typed
        try:
            if contains(choice, Action(text)):
                yield text
        except GameError:
            return

    def _not_found(self, typed: str, found: Sequence[str]) -> Sequence[str] | None:
        """Say which of several is meant, or why it is not legal; None: it is no action."""
        look, shot = self._session.look, self._seen.snapshot
        if found:
            return (look.t("lines.which", words=look.t("list.comma").join(found[:20])),)
        if shot.pending is None:
            return None
        try:
            why = refusing.reason(shot, typed, look)
        except GameError:
            return None
        return (why,) if why else None
