"""The match: board, players, log, chat; playing it, or looking on."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from game.contract import Action, Seat, Viewer
from server.accounts.identity import is_hidden
from server.matches.match import Match
from server.matches.model import SeenEvent, Snapshot
from server.tui import boards, keymap, panel
from server.tui.keymap import Hint
from server.tui.lines import Line, columns, plain
from server.tui.memo import Last
from server.tui.panel import Seam
from server.tui.screens import outcome, side
from server.tui.screens.guard import InputGuard, is_window
from server.tui.screens.page import Body
from server.tui.screens.seating import title_of
from server.tui.screens.side import MatchSide, arranged, has_panel
from server.tui.screens.table import TablePage
from server.tui.seats import clock_words, name_at, remaining_ms

if TYPE_CHECKING:
    from server.tui.app import Session

TICK_S = 1.0
WINDOW_LOW_MS = 3_000
GALLERY_TICK_S = 5.0  # clocks of others need no second hand, and a gallery may be large


class MatchPage(TablePage):
    """One match from one viewpoint: a seat's, or the public one in the gallery."""

    context: ClassVar[str] = "match"

    def __init__(self, session: Session, match: Match, viewer: Viewer) -> None:
        super().__init__(session, match, viewer)
        self.board = boards.board(match.game)
        self.events: list[SeenEvent] = match.events(viewer)
        self.pick = self.board.start(self.snapshot, secrets.token_bytes(16))
        self._guard = InputGuard(session.services.clock)
        self._side, self._below, self._board = Last[list[Line]](), Last[list[Line]](), Last[list[Line]]()
        self._status = Last[Line]()
        self._keys = Last[tuple[Hint, ...]]()
        self._seam = Seam()
        self._log_area = 1, 0  # columns and rows that log, watchers and chat have
        self._subscription: Any = None
        self._presence: Any = None
        self._stop_tick: Callable[[], None] = lambda: None
        self._followed = bool(self.snapshot.next_match)  # the rematch is gone to once
        self._sent_at = -1  # the turn that was answered already: a key pressed twice is not sent twice

    # Life

    def start(self) -> None:
        """Be there, and hear of every change."""
        self._subscription = self.match.subscribe(self.viewer, self.changed)
        self._presence = self.match.enter(self.session.identity.player, self.seat, self.session.id)
        self._tick()
        self._guard.see(None, self.snapshot)
        if self.snapshot.pending is not None:
            self._call()

    def stop(self) -> None:
        """Be gone."""
        self._stop_tick()
        if self._subscription is not None:
            self._subscription.close()
            self._subscription = None  # it knows this page: without this both would wait for the collector
        if self._presence is not None:
            self._presence.leave()
            self._presence = None
        if self.seat is not None and self.snapshot.rating_changes:
            self.session.spawn(self.session.load_rating())  # the title line shows it everywhere

    def _tick(self) -> None:
        if self.match.snapshot(self.viewer).status == "live":
            self._stop_tick = self.session.later(TICK_S if self.seat is not None else GALLERY_TICK_S, self._ticked)

    def _ticked(self) -> None:
        self.session.dirty()
        self._tick()

    def tick_s(self) -> float | None:
        """Draw the clocks of others now and then, for all who look on."""
        return GALLERY_TICK_S if self.is_live else None

    def together(self) -> None:
        """Leave the clocks to the group."""
        self._stop_tick()

    def alone(self) -> None:
        """Draw them oneself."""
        self._stop_tick()
        self._tick()

    def changed(self) -> None:
        """Hear that there is something new. Who plays takes it in at once; who looks on, when it is drawn."""
        if self.seat is not None:
            self.refresh()
        now = self.match.snapshot(self.viewer)
        if now.next_match and not self._followed:
            self._followed = True
            self.session.spawn(self._go_on(now.next_match))
        self.session.changed()

    def refresh(self) -> None:
        """Take the new snapshot: keep the cursor, drop what can't be done any more, call when it is one's turn."""
        before, self.snapshot = self.snapshot, self.match.snapshot(self.viewer)
        if self.snapshot is before:
            return
        if self.snapshot.seq != before.seq:
            last = self.events[-1].seq if self.events else -1
            had = self._log_lines() if self.log_skip else 0
            self.events += [event for event in self.match.events(self.viewer, last) if event.seq > last]
            if self.log_skip:  # what one reads there stays where it is
                self.log_skip += self._log_lines() - had
        self.pick = self.board.follow(self.snapshot, self.pick)
        self._guard.see(before, self.snapshot)
        if self.snapshot.status != before.status:
            self.session.hush()
        elif self._offers(before) - self._offers(self.snapshot) and self._is_alone_here():
            self.session.notice("match.offer-gone")
        if self.snapshot.pending is not None and before.turn_seq != self.snapshot.turn_seq:
            self._call()
        elif self.snapshot.pending is None and before.pending is not None:
            self.session.screen.set_title(self.window_title())

    def _is_alone_here(self) -> bool:
        """Tell whether this is what is looked at, and nothing follows it that would explain where an offer went."""
        return self.session.page is self and not self.snapshot.next_match

    def _offers(self, shot: Snapshot) -> set[str]:
        """Return what one has offered oneself."""
        return {what for seat, what in shot.offers if seat == self.seat}

    def _call(self) -> None:
        self.session.call(self.session.t("match.call", game=self.session.look.game(self.snapshot.game)))

    # What it shows

    def title(self) -> str:
        """Name game, kind and speed."""
        return title_of(self.session, self.snapshot)

    def who(self) -> str:
        """Name the players; where no panel shows the clocks, those that matter now stand here."""
        if not self._has_panel():
            return self._clocks()
        names = self._names()
        fits = columns(names) + columns(self.title()) + 4 <= self.session.size[0]
        return names if fits else self.session.who()

    def _names(self) -> str:
        look = self.session.look
        names = [name_at(self.snapshot, info.seat, look) for info in self.snapshot.seats]
        return (f" {look.glyphs.dash} " if len(names) == 2 else "  ").join(names)

    def _clocks(self) -> str:
        """Write the clocks of two players, or of several one's own and of who is to decide."""
        shot, look, now = self.snapshot, self.session.look, self.session.services.clock.now()
        deciding = {seat for seat, _ in shot.deciding}
        shown = [one.seat for one in shot.seats if len(shot.seats) == 2 or one.seat in {*deciding, self.seat}]
        return "  ".join(
            f"{name_at(shot, seat, look)} {clock_words(remaining_ms(shot, seat, now), look)}" for seat in shown
        )

    def _has_panel(self) -> bool:
        cols, rows = self.session.size
        rows = self.session.body_rows(rows)
        return has_panel(self.board.room(self.snapshot, cols, rows), cols, rows, len(self.snapshot.seats))

    def channels(self) -> tuple[str, ...]:
        """Return the gallery's chat, and at the table the players' own."""
        gallery = f"gallery:{self.match.id}"
        return (gallery,) if self.seat is None else (gallery, f"match:{self.match.id}")

    def window_title(self) -> str:
        """Say what the window is about."""
        return f"{self.session.look.game(self.snapshot.game)}: {self._names()}"

    def side(self) -> MatchSide:
        """Return what the side panel is drawn from."""
        return MatchSide(self.board, self._shown(), self.events, self.session.look, self.log_skip)

    def _shown(self) -> Snapshot:
        """Return the snapshot without what those say, and that those look on, whom this person has blocked."""
        shot, hidden, names = self.snapshot, self.session.blocked, self.session.hidden_names
        if not hidden:
            return shot
        chat = tuple(line for line in shot.chat if not is_hidden(line.account_id, line.name, hidden))
        return replace(shot, chat=chat, watchers=tuple(name for name in shot.watchers if name not in names))

    def body(self, cols: int, rows: int) -> Body:
        """Draw the board (again only when it has changed: a clock changes nothing on it), and what stands beside it."""
        room = self.board.room(self.snapshot, cols, rows)
        look = self.session.look
        drawn = self._board.get(
            self.snapshot,
            (self.pick, look, room),
            lambda: self.board.render(self.snapshot, self.pick, look, room.cols, room.rows, self.events),
        )
        return Body(arranged(drawn, room, self._drawn_side, cols, rows, self._seam), is_fitted=True)

    def _drawn_side(self, cols: int, rows: int) -> list[Line]:
        """Draw the side panel: the clocks once a second, what is below them when the match has changed."""
        now = self.session.services.clock.now()
        key = (int(now.timestamp()), self.session.look, self.log_skip, cols, rows, self.session.blocked)
        return self._side.get(self.snapshot, key, lambda: side.draw(self.side(), now, cols, rows, self._drawn_below))

    def _drawn_below(self, drawn: MatchSide, cols: int, left: int) -> list[Line]:
        self._log_area = cols, left
        key = (drawn.look, drawn.log_skip, cols, left)
        return self._below.get(drawn.snapshot, key, lambda: side.below(drawn, cols, left))

    def log_size(self) -> tuple[int, int]:
        """Return how many lines the log has, and how many of them are shown where newer ones are left out."""
        (cols, left), drawn = self._log_area, replace(self.side(), log_skip=1)
        return self._log_lines(), side.log_room(drawn, cols, left)

    def _log_lines(self) -> int:
        return panel.log_count(self.board, self.snapshot, self.events, self.session.look, self._log_area[0])

    def message(self) -> Line:
        """Say what to do now, or how it ended."""
        shot, t = self.snapshot, self.session.t
        if self.mode:
            asked = "resume" if self.mode == "offer" and shot.status == "adjourned" else self.mode
            return plain(f" {t(f'match.ask.{asked}')}", "warn")
        if not self.is_live:
            return plain(f" {self._ending()}", "good")
        if offers := self.offered():
            seat, what = offers[0]
            name = name_at(shot, seat, self.session.look)
            return plain(f" {t(f'match.offered.{what}', name=name)}", "warn")
        if shot.paused or shot.status == "adjourned":
            return plain(f" {t('match.paused' if shot.paused else 'match.is-adjourned')}", "warn")
        if shot.claim_at is not None and shot.pending is None:
            return outcome.claim(self.snapshot, self.session.look, self.session.services.clock.now())
        look = self.session.look
        status = self._status.get(shot, (self.pick, look), lambda: self.board.status(shot, self.pick, look))
        return (*self._window_left(), *status)

    def message_is_whole(self) -> bool:
        """Say how it ended, and what a window is about, in full."""
        return not self.is_live or is_window(self.snapshot)

    def message_stays(self) -> bool:
        """Keep saying what one owes, or is asked, whatever a key was answered with."""
        return bool(self.mode) or (self.is_live and (self.snapshot.pending is not None or bool(self.offered())))

    def _window_left(self) -> Line:
        """Say how long the window stays open that one may answer, or that one waits for: before anything else."""
        shot = self.snapshot
        waits_for = shot.deciding if shot.pending is None else ((shot.pending.seat, shot.pending.window),)
        if self.seat is None or shot.deadline is None or not any(window is not None for _, window in waits_for):
            return ()
        left = shot.deadline - self.session.services.clock.now()
        ms = max(0, int(left.total_seconds() * 1000))
        style = "clock.low" if ms < WINDOW_LOW_MS else "clock.run"
        return (("", " "), (style, clock_words(ms, self.session.look)))

    def _ending(self) -> str:
        """Say how it ended, and who would like to play again."""
        shot, look = self.snapshot, self.session.look
        ended = " ".join(filter(None, (outcome.sentence(shot, look), outcome.of_two(shot, look))))
        asked = next((seat for seat, what in self.offered() if what == "rematch"), None)
        if asked is None:
            return ended
        return f"{ended} {look.t('match.offered.rematch', name=name_at(shot, asked, look))}"

    def hints(self) -> tuple[Hint, ...]:
        """Return the board's keys and those of the table."""
        back = keymap.hints("everywhere", ("back",))
        if self.mode == "offer":
            names = ("resume",) if self.snapshot.status == "adjourned" else ("draw", "adjourn")
            return (*keymap.hints("offer", names), *back)
        if self.mode:
            return (*keymap.hints(self.mode), *back)
        if not self.is_live:
            browse = self.board.browse_keys(self.pick)
            if not self.board.is_resting(self.pick):
                return browse
            return (*keymap.hints("match", self._after_commands()), *browse, *back)
        own = self._keys.get(self.snapshot, self.pick, lambda: self.board.keys(self.snapshot, self.pick))
        if not self.board.is_resting(self.pick):
            return own
        return (*self._table_first(), *own, *keymap.hints("match", self._table_commands()), *back)

    def _table_first(self) -> tuple[Hint, ...]:
        names = (*(("accept", "decline") if self.offered() else ()), *(("claim",) if self.may_claim() else ()))
        return keymap.hints("match", names)

    def _table_commands(self) -> tuple[str, ...]:
        if not self.plays:
            return ("chat", "rules")
        return ("offer", "resign", "chat", "rules")

    def _after_commands(self) -> tuple[str, ...]:
        rematch = ("rematch",) if self.seat is not None and self.snapshot.status == "finished" else ()
        return (*rematch, "replay", "chat", *(("room",) if self.snapshot.room else ()))

    def contexts(self) -> tuple[str, ...]:
        """Let the board have its keys first."""
        return (self.mode,) if self.mode else (*self.board.contexts(), "match")

    def help_topic(self) -> str:
        """Help knows the rules of this game."""
        return self.snapshot.game

    def share_key(self) -> Hashable | None:
        """Watchers of one match who look at it alike share frames."""
        if self.seat is not None or self.mode or self.log_skip or not self.board.is_resting(self.pick):
            return None
        return ("match", self.match.id, type(self).__name__, self.session.blocked)

    # Keys

    def press(self, key: str) -> bool:
        """Let the board take a key first. A key draws the clocks too: their next tick is a second later."""
        if self.seat is not None:
            self._stop_tick()
            self._tick()
        if not self.mode and self.is_live:
            answer = self.board.press(self.snapshot, self.pick, key)
            if answer is not None:
                if key == "enter" and answer == self.pick:
                    self.session.notice("match.not-here")
                return self._take(answer)
        if not self.mode and not self.is_live:
            browsed = self.board.browse(self.snapshot, self.pick, key)
            if browsed is not None:
                self.pick = browsed
                return True
        if self.mode:
            return self._press_mode(key)
        return self._press_table(key)

    def _press_table(self, key: str) -> bool:
        name = keymap.command("match", key)
        action = self.action(name) if name is not None and name != "move" else None
        if action is None:
            return False
        self.key = key
        action()
        return True

    def _take(self, answer: Any) -> bool:
        if self._guard.holds and self._is_answer(answer):
            self.session.notice("match.window-just-opened")
            return True
        if not isinstance(answer, Action):
            self.pick = answer
            return True
        if self.seat is not None and self._sent_at != self.snapshot.turn_seq:
            self._sent_at = self.snapshot.turn_seq
            self.session.spawn(self._act(self.seat, answer, self.snapshot.turn_seq))
        return True

    def _is_answer(self, answer: Any) -> bool:
        """Tell whether a key answers or moves towards an answer; looking something up does not."""
        return isinstance(answer, Action) or (self.board.is_resting(self.pick) and self.board.is_resting(answer))

    async def _act(self, seat: Seat, action: Action, at_seq: int) -> None:
        try:
            await self.match.act(seat, action.text, at_seq, self.session.services.clock.now())
        finally:
            self._sent_at = -1

    def click(self, col: int, row: int) -> bool:
        """Point at a square."""
        if self.mode or not self.is_live:
            return False
        cols, rows = self.session.size
        room = self.board.room(self.snapshot, cols, self.session.body_rows(rows))
        if col >= room.cols or row >= room.rows:
            return False
        look = self.session.look
        answer = self.board.click(self.snapshot, self.pick, look, col, row, room.cols, room.rows)
        return answer is not None and self._take(answer)

    def wheel(self, up: bool, col: int, row: int) -> bool:
        """Page through the log."""
        self.scroll_log(1 if up else -1)
        return True

    def back(self) -> bool:
        """Drop a question or a selection first."""
        if self.mode:
            self.mode = ""
            return True
        if not self.board.is_resting(self.pick):
            self.pick = self.board.follow(self.snapshot, self.board.start(self.snapshot, secrets.token_bytes(16)))
            return True
        return False
