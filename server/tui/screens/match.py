"""The match: board, players, log, chat; playing it, or looking on."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, ClassVar

from game.choices import contains, in_order
from game.contract import Action, Seat, Viewer
from game.errors import GameError
from server.accounts.identity import is_hidden
from server.errors import Refused
from server.i18n.durations import clock_words
from server.matches.model import AnyViewerState, Presence, SeenEvent, Timing
from server.matches.speeds import DAILY
from server.protocols import MatchHandle
from server.session.hold import Hold
from server.session.page import Body, Ticked
from server.session.session import Session
from server.tui import keymap, outcome, panel, telling
from server.tui.board import Room, Unasked, Weight, board
from server.tui.keymap import Hint
from server.tui.lines import Line, columns, fit, joined, plain, text_of
from server.tui.memo import Last
from server.tui.panel import Seam
from server.tui.screens import endcard, side
from server.tui.screens.guard import KeyGuard, is_window
from server.tui.screens.seating import title_of
from server.tui.screens.side import MatchSide, Place, arranged, has_panel, place_of
from server.tui.screens.table import TablePage
from server.tui.seats import LOW_MS, free_ms, name_at, next_digit_s, reading, remaining_ms
from server.tui.telling import Told

TICK_S = 1.0  # while other words than clocks may change with time
STILL_S = 5.0  # while nothing that shows changes with time
LATE_S = 0.01  # after the moment at which a digit changes: timers and the clock differ a little
SUMMARY_ROWS = 4  # that a board leaves empty, from which on a summary is written into them
CLICK, ESC = "mouse press", "esc"  # as the key guard knows them
CARD_COMMANDS = ("rematch", "replay", "share", "board")  # on the card of the end; all are among the keys
UNASKED_S = Timing().solo_automatic_delay  # as long as the server takes for what it answers by itself
WINDOW_LOW_MS = 3_000
GALLERY_TICK_S = 5.0  # clocks of others need no second hand, and a gallery may be large


class MatchPage(TablePage):
    """One match from one viewpoint: a seat's, or the public one in the gallery."""

    context: ClassVar[str] = "match"
    tells_of_body: ClassVar[bool] = False

    def __init__(self, session: Session, match: MatchHandle, viewer: Viewer) -> None:
        super().__init__(session, match, viewer)
        self.board = board(match.game)
        self.events: list[SeenEvent] = match.events(viewer)
        self.selection = self._resumed(self.board.start(self.snapshot, secrets.token_bytes(16)))
        self._guard, self._offered = KeyGuard(session.services.clock), Hold(session.services.clock)
        self._side, self._below, self._board = Last[list[Line]](), Last[list[Line]](), Last[list[Line]]()
        self._status = Last[Line]()
        self._keys = Last[tuple[Hint, ...]]()
        self._seam = Seam()
        self._panel: tuple[Room, Place] | None = None  # the board and the panel with the clocks, as drawn last
        self._panel_lines: list[Line] = []
        self._seat_lines: list[Line] = []  # its first ones, as the board gave them at the last tick
        self._reading: object = None  # what its clocks showed, and what else passing time changes on the page
        self._timely: object = None
        self._log_area = 1, 0  # columns and rows that log, watchers and chat have
        self._subscription: Any = None
        self._presence: Any = None
        self._stop_tick: Callable[[], None] = lambda: None
        self._followed = bool(self.snapshot.next_match)  # the rematch is gone to once
        self._unasked_at: tuple[int, Action] | None = None  # what the board has done by itself already
        self._own_seq = match.last_act(self.seat) if self.seat is not None else 0  # one's last decision
        self._read_seq = self._banner_seq = 0  # up to where one has pressed a key after what happened, and its banner
        self._has_seen_card = False  # the card of the end was put away
        self._tells_on_board = False  # what happened since one's last decision
        self._answered = ""  # the prompt of one's last decision by a key
        self._struck: tuple[AnyViewerState, Any] | None = None  # at what a key was last taken, but for lists on the way
        self._sent_at = -1  # the turn that was answered already: a key pressed twice is not sent twice

    # Life

    def start(self) -> None:
        """Be there, and hear of every change."""
        self._subscription = self.match.subscribe(self.viewer, self.changed)
        self._presence = self.be_here()
        self._tick()
        if self.snapshot.pending is not None:
            self._call()
        self._do_unasked()

    def be_here(self) -> Presence:
        """Come to the board."""
        return self.match.enter(self.session.identity.player, self.seat, self.session.id)

    def stop(self) -> None:
        """Be gone."""
        self._leave()
        self._stop_tick()
        if self._subscription is not None:
            self._subscription.close()
            self._subscription = None  # it knows this page: without this both would wait for the collector
        if self._presence is not None:
            self._presence.leave()
            self._presence = None
        if self.seat is not None and self.snapshot.rating_changes:
            self.session.spawn(self.session.person.load_rating())  # the title line shows it everywhere

    def _tick(self) -> None:
        """Wait for the next digit, and no longer for an earlier one: who sits down is told of it before this."""
        self._stop_tick()
        shot = self.match.snapshot(self.viewer)
        if shot.status == "live":
            self._stop_tick = self.session.later(self._tick_s(shot), self._ticked, is_joint=True)

    def _tick_s(self, shot: AnyViewerState) -> float:
        """Return in how many seconds something that shows will have changed with time."""
        if self.seat is None:
            return GALLERY_TICK_S
        if _is_timely(shot) or any(info.gone_since is not None for info in shot.seats):
            return TICK_S
        next_s = next_digit_s(shot, self.session.services.clock.now())
        return STILL_S if next_s is None else next_s + LATE_S

    def _ticked(self) -> None:
        if self.session.pages.top is self:
            self.session.ticked()
        else:
            self.session.dirty()
        self._tick()

    def ticked(self) -> Ticked | None:
        """Return the panel's lines whose clocks have gone on, and whether the message tells time.

        Where what one may do has changed with time too, the page is drawn anew.
        """
        shot, now = self.snapshot, self.session.services.clock.now()
        if self._panel is None or self.state_now() is not shot or self._timely != self._time_opens():
            return None
        read = reading(shot, now)
        if read == self._reading:
            return Ticked({}, _is_timely(shot))
        room, place = self._panel
        self._reading, rows, known = read, {}, self._seat_lines
        self._seat_lines = self.board.seats(shot, self.session.look, place.cols, now)
        for y, seat_line in enumerate(self._seat_lines[: len(self._panel_lines)]):
            if y < len(known) and known[y] is seat_line:
                continue
            line = fit(seat_line, place.cols)
            if line != self._panel_lines[y]:
                self._panel_lines[y] = line
                rows[y if place.is_beside else room.rows + y] = self._seam.line(y, line) if place.is_beside else line
        return Ticked(rows, _is_timely(shot))

    def _time_opens(self) -> object:
        """Return what time opens to a player on this page: a claim."""
        return self.may_claim()

    def tick_s(self) -> float | None:
        """Draw the clocks of others now and then, for all who look on."""
        return GALLERY_TICK_S if self.is_live else None

    def on_shared(self) -> None:
        """Leave the clocks to the group."""
        self._stop_tick()

    def on_unshared(self) -> None:
        """Draw them oneself."""
        self._tick()

    def changed(self) -> None:
        """Hear that there is something new. Who plays takes it in at once; who looks on, when it is drawn."""
        if self.seat is not None:
            self.refresh()
            self._tick()  # other clocks may run now
        now = self.match.snapshot(self.viewer)
        if now.next_match and not self._followed:
            self._followed = True
            self.session.spawn(self._go_on(now.next_match, by_key=self.begins_match or self.seat is None))
        self.session.sharing.changed()

    def refresh(self) -> None:
        """Take the new snapshot: keep the cursor, drop what can't be done any more, call when it is one's turn."""
        before, self.snapshot = self.snapshot, self.state_now()
        if self.snapshot is before:
            return
        if self.snapshot.seq != before.seq:
            last = self.events[-1].seq if self.events else -1
            had = self._log_lines() if self.log_skip else 0
            self.events += [event for event in self.match.events(self.viewer, last) if event.seq > last]
            self._guard.note_news()
            if self.log_skip:  # what one reads there stays where it is
                self.log_skip += self._log_lines() - had
        was, self.selection = self.selection, self.board.follow(self.snapshot, self.selection)
        self._leave()
        self._hold_keys(before, was)
        if self.snapshot.status != before.status:
            self.session.prompts.hush()
        elif self._offers(before) - self._offers(self.snapshot) and self._is_alone_here():
            self.session.prompts.notice("match.offer-gone")
        unasked = self._do_unasked()
        if self.snapshot.pending is not None and before.turn_seq != self.snapshot.turn_seq and not unasked:
            self._call()
        elif self.snapshot.pending is None and before.pending is not None:
            self.session.retitle(self.window_title())

    def _resumed(self, fresh: Any) -> Any:
        """Return the selection to begin with: who comes back in the same turn finds what was left to the board."""
        turn, left = self.match.boards.get(self.seat, (-1, None)) if self.seat is not None else (-1, None)
        return self.board.resume(self.snapshot, fresh, left) if turn == self._turn_began() else fresh

    def _leave(self) -> None:
        """Leave the selection where one finds it again when one comes back."""
        if self.seat is not None:
            self.match.boards[self.seat] = self._turn_began(), self.selection

    def _turn_began(self) -> int:
        """Return the entry with which the newest turn began."""
        found = (event.seq for event in reversed(self.events) if event.kind in self.board.headings)
        return next(found, 0)

    def _hold_keys(self, before: AnyViewerState, selection: Any) -> None:
        """Hold keys back for a moment where they have come to mean something else: another question, a new offer."""
        if self.seat is None:
            return
        if self._goes_on():
            self._guard.note_own(self.snapshot.turn_since)
        is_new = self._guard.see(before, selection, self.snapshot) and self._guard.holds
        if {offer for offer in self.snapshot.offers if offer[0] != self.seat} - set(before.offers):
            self._offered.begin()
            is_new = True
        if is_new:
            self.session.input.draw_after_hold()

    def _goes_on(self) -> bool:
        """Tell whether one's own last answer brought what is asked now, though others were asked in between.

        It is the same question, no window, and nothing has happened meanwhile: windows were passed.
        """
        asked = self.snapshot.pending
        if asked is None or asked.window is not None or asked.prompt != self._answered:
            return False
        since = self._happened_after(self._own_seq)
        return all(telling.weight(self.board, event) is Weight.BOOKKEEPING for event in since)

    def note_own(self, seq: int) -> None:
        """Hold no key back from what one's own entry brought."""
        self._guard.note_own(seq)

    def holds_keys(self) -> bool:
        """Show that keys are held back, while the question or an offer is new."""
        return self._guard.holds or (self._offered.is_on and bool(self.offered()))

    def _is_alone_here(self) -> bool:
        """Tell whether this is what is looked at, and nothing follows it that would explain where an offer went."""
        return self.session.pages.top is self and not self.snapshot.next_match

    def _offers(self, shot: AnyViewerState) -> set[str]:
        """Return what one has offered oneself."""
        return {what for seat, what in shot.offers if seat == self.seat}

    def _call(self) -> None:
        self.session.call(self.window_title())

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
        return names if fits else self.session.person.shown_name()

    def _names(self) -> str:
        look = self.session.look
        names = [name_at(self.snapshot, info.seat, look) for info in self.snapshot.seats]
        return (f" {look.glyphs.dash} " if len(names) == 2 else "  ").join(names)

    def _clocks(self) -> str:
        """Write the clocks of two players, or of several one's own and of who is to decide."""
        shot, look, now = self.snapshot, self.session.look, self.session.services.clock.now()
        deciding = {seat for seat, _ in shot.deciding}
        shown = [one.seat for one in shot.seats if len(shot.seats) == 2 or one.seat in {*deciding, self.seat}]
        left = {seat: remaining_ms(shot, seat, now) for seat in shown}
        clocks = {seat: "" if ms is None else f" {clock_words(ms, look)}" for seat, ms in left.items()}
        return "  ".join(f"{name_at(shot, seat, look)}{clocks[seat]}" for seat in shown)

    def _has_panel(self) -> bool:
        cols, rows = self.session.size
        rows = self.session.body_rows(rows)
        return has_panel(self.board.room(self.snapshot, cols, rows), cols, rows, len(self.snapshot.seats))

    def channels(self) -> tuple[str, ...]:
        """Return the gallery's chat, and at the table the players' own."""
        gallery = f"gallery:{self.match.id}"
        return (gallery,) if self.seat is None else (gallery, f"match:{self.match.id}")

    def window_title(self) -> str:
        """Say what the window is about: that it is one's turn, also for who comes back to it."""
        if self.snapshot.pending is not None:
            return self.session.t("match.call", game=self.session.look.game(self.snapshot.game))
        return f"{self.session.look.game(self.snapshot.game)}: {self._names()}"

    def side(self) -> MatchSide:
        """Return what the side panel is drawn from."""
        since = [] if self._tells_on_board else self._since()
        return MatchSide(self.board, self._shown(), self.events, self.session.look, self.log_skip, since)

    def _since(self) -> list[Told]:
        """Return what happened since one's last decision, until the next key in one's own turn.

        Who is out has no turn any more: it would only grow.
        """
        if self.seat is None or self.snapshot.seats[self.seat].out or not self.is_live or self.log_skip:
            return []
        unread = self._happened_after(max(self._own_seq, self._read_seq))
        return telling.summary(self.board, self.snapshot, unread, self.session.look)

    def _happened_after(self, seq: int) -> list[SeenEvent]:
        """Return the events of the entries after this one."""
        first = len(self.events)
        while first and self.events[first - 1].seq > seq:
            first -= 1
        return self.events[first:]

    def banner(self) -> Line:
        """Say what was dramatic: since one's last decision, that included, until the next key; to watchers the last."""
        shot = self.snapshot
        if self.seat is None:
            seen = self._happened_after(shot.seq - 1)
        else:
            seen = self._happened_after(max(self._own_seq - 1, self._banner_seq, 0))
        found = telling.summary(self.board, shot, seen, self.session.look)
        dramatic = [one.text for one in telling.clauses([one for one in found if one.weight is Weight.DRAMATIC])]
        if not dramatic or not self.is_live:
            return ()
        return plain(f" {self.session.look.glyphs.turn} {self.session.t('list.then').join(dramatic)}", "row")

    def _note_read(self, key: str) -> None:
        """Take note that a key was pressed: what stood there until then has been read, if there was time to."""
        if not self._guard.has_read(key):
            return
        self._banner_seq = self.snapshot.seq
        if self.snapshot.pending is not None:
            self._read_seq = self.snapshot.seq

    def _shown(self) -> AnyViewerState:
        """Return the snapshot without what those say, and that those look on, whom this person has blocked."""
        shot, hidden, names = self.snapshot, self.session.person.blocked, self.session.person.hidden_names
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
            (self.selection, look, room),
            lambda: self.board.render(self.snapshot, self.selection, look, room.cols, room.rows, self.events),
        )
        drawn = self._with_summary(drawn, room, cols)
        lines = arranged(drawn, room, self._side_in_sight, cols, rows, self._seam)
        place = place_of(room, cols, rows)
        self._panel = (room, place) if place is not None and self.is_live and self._has_panel() else None
        self._timely = self._time_opens()
        if self.shows_card:
            kept = [name for name in self._after_commands() if name in CARD_COMMANDS]
            within = endcard.area(room, cols, rows - self.covered_rows)
            card = endcard.card(self.board, self.snapshot, self.events, look, keymap.hints("match", kept), within)
            lines = endcard.over(lines, card, cols, rows, within)
        return Body(lines, is_fitted=True)

    def _with_summary(self, drawn: list[Line], room: Room, cols: int) -> list[Line]:
        """Write what happened since one's last decision into the rows that the board leaves empty above its panel."""
        self._tells_on_board, since = False, self._since()
        if not since or room.cols < cols:
            return drawn
        empty = next((at for at, line in enumerate(reversed(drawn)) if text_of(line).strip()), len(drawn))
        if empty < SUMMARY_ROWS:
            return drawn
        self._tells_on_board = True
        told = panel.since_lines(since, self.session.look, room.cols, empty)
        return [*drawn[: len(drawn) - len(told)], *told]

    @property
    def shows_card(self) -> bool:
        """Tell whether the card of the end lies over the board."""
        return not self.is_live and not self._has_seen_card and self.board.is_resting(self.selection)

    @property
    def _is_card_away(self) -> bool:
        """Tell whether the card of the end was put away, and a key brings it back."""
        return not self.mode and not self.is_live and self._has_seen_card and self.board.is_resting(self.selection)

    def _side_in_sight(self, cols: int, rows: int) -> list[Line]:
        """Draw the side panel so that its end, the newest event, is not covered by what is said above the keys."""
        return self._drawn_side(cols, max(0, rows - self.covered_rows))

    def _drawn_side(self, cols: int, rows: int) -> list[Line]:
        """Draw the side panel: the clocks when they show something else, what is below them when the match has."""
        now = self.session.services.clock.now()
        self._reading, read = reading(self.snapshot, now), (self._own_seq, self._read_seq, self._tells_on_board)
        key = (self._reading, self.session.look, self.log_skip, cols, rows, self.session.person.blocked, read)
        drawn = self._side.get(self.snapshot, key, lambda: side.draw(self.side(), now, cols, rows, self._drawn_below))
        self._panel_lines, self._seat_lines = list(drawn), []
        return drawn

    def _drawn_below(self, drawn: MatchSide, cols: int, left: int) -> list[Line]:
        self._log_area = cols, left
        key = (drawn.look, drawn.log_skip, cols, left, self._own_seq, self._read_seq, self._tells_on_board)
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
            asked = "claim-bots" if "bots" in self.claims and asked == "claim" else asked
            return plain(f" {t(f'match.ask.{asked}')}", "warn")
        if not self.is_live:
            return plain(f" {self._ending()}", "good")
        if offers := self.offered():
            seat, what = offers[0]
            name = name_at(shot, seat, self.session.look)
            return plain(f" {t(f'match.offered.{what}', name=name)}", "warn")
        if shot.paused or shot.status == "adjourned":
            return plain(f" {t('match.paused' if shot.paused else 'match.is-adjourned')}", "warn")
        if self.seat is not None and shot.seats[self.seat].may_return:
            return plain(f" {t('match.returning')}", "warn")
        if shot.claim_at is not None and shot.pending is None:
            return outcome.claim(self.snapshot, self.session.look, self.session.services.clock.now())
        look = self.session.look
        status = self._status.get(shot, (self.selection, look), lambda: self.board.status(shot, self.selection, look))
        return (*self._window_left(), *status)

    def message_is_whole(self) -> bool:
        """Say how it ended, and what a window is about, in full; where no board is covered, also what one is asked."""
        return not self.is_live or is_window(self.snapshot) or (self.snapshot.pending is not None and self._has_panel())

    def message_stays(self) -> bool:
        """Keep saying what one owes, or is asked, whatever a key was answered with."""
        return bool(self.mode) or bool(self.offered()) or (self.is_live and self.snapshot.pending is not None)

    def _window_left(self) -> Line:
        """Say how long a window is free that one may answer or waits for, then one's own time: before anything else."""
        shot, look, now = self.snapshot, self.session.look, self.session.services.clock.now()
        if self.seat is None:
            return ()
        if free := free_ms(shot, now):
            style = "clock.low" if free < WINDOW_LOW_MS else "clock.run"
            return (("", " "), (style, look.t("match.free-time", time=clock_words(free, look))))
        left = remaining_ms(shot, self.seat, now)
        if left is None or not is_window(shot):
            return ()
        return (("", " "), ("clock.low" if left < LOW_MS else "clock.run", clock_words(left, look)))

    def _ending(self) -> str:
        """Say how it ended, and who would like to play again."""
        shot, look = self.snapshot, self.session.look
        ended = joined((outcome.sentence(shot, look), outcome.of_two(shot, look)))
        asked = next((seat for seat, what in self.offered() if what == "rematch"), None)
        if asked is not None:
            return joined((ended, look.t("match.offered.rematch", name=name_at(shot, asked, look))))
        return joined((ended, self._waits_for()))

    def _waits_for(self) -> str:
        """Say who has yet to answer whether to play again, and when one may go on without them."""
        shot, look = self.snapshot, self.session.look
        if shot.rematch is None or self.seat not in shot.rematch.agreed or not shot.rematch.missing:
            return ""
        names = look.t("list.comma").join(name_at(shot, seat, look) for seat in shot.rematch.missing)
        go_at = shot.rematch.go_at
        is_late = go_at is not None and go_at <= self.session.services.clock.now()
        return look.t("rematch.go-on" if is_late else "rematch.waiting", names=names)

    def hints(self) -> tuple[Hint, ...]:
        """Return the board's keys and those of the table."""
        back = keymap.hints("everywhere", ("back",))
        if self.mode == "offer":
            names = ("resume",) if self.snapshot.status == "adjourned" else ("draw", "adjourn")
            return (*keymap.hints("offer", names), *back)
        if self.mode:
            return (*keymap.hints(self.mode, self.claims if self.mode == "claim" else None), *back)
        if not self.is_live:
            browse = self.board.browse_keys(self.selection)
            if not self.board.is_resting(self.selection):
                return browse
            return (*self._ended_hints(self._after_commands()), *browse, *back)
        own = self._keys.get(self.snapshot, self.selection, lambda: self.board.keys(self.snapshot, self.selection))
        if not self.board.is_resting(self.selection):
            return own
        return (*self._table_first(), *own, *keymap.hints("match", self._table_commands()), *back)

    def _table_first(self) -> tuple[Hint, ...]:
        names = (*(("accept", "decline") if self.offered() else ()), *(("claim",) if self.may_claim() else ()))
        return keymap.hints("match", names)

    def _table_commands(self) -> tuple[str, ...]:
        if not self.plays:
            return (*self._onward(), "chat", "rules")
        return (*self._onward(), "offer", "resign", "chat", "rules")

    def _onward(self) -> tuple[str, ...]:
        """Return the way to the next match that waits, where one has moved in a match that is played over days."""
        moved = self.seat is not None and self.snapshot.pending is None
        return ("next",) if moved and self.snapshot.speed == DAILY else ()

    def _after_commands(self) -> tuple[str, ...]:
        rematch = ("rematch",) if self.seat is not None and self.snapshot.status == "finished" else ()
        asked = ("accept", "decline") if any(what == "rematch" for _, what in self.offered()) else ()
        room = ("room",) if self.snapshot.room else ()
        return (*asked, *rematch, *self._onward(), "replay", "share", "board", "chat", *room, "people")

    def _ended_hints(self, names: Sequence[str]) -> tuple[Hint, ...]:
        """Return the hints of the table after the end; one key puts the card away and brings it back."""
        hints = keymap.hints("match", names)
        if self.shows_card:
            return hints
        return tuple(replace(one, label="match.card") if one.label == "keys.match.board" else one for one in hints)

    def contexts(self) -> tuple[str, ...]:
        """Let the board have its keys first."""
        return (self.mode,) if self.mode else (*self.board.contexts(), "match")

    def help_topic(self) -> str:
        """Help knows the rules of this game."""
        return self.snapshot.game

    def share_key(self) -> Hashable | None:
        """Watchers of one match who look at it alike share frames."""
        if self.seat is not None or self.mode or self.log_skip or not self.board.is_resting(self.selection):
            return None
        seen = (self.viewer, self.is_turned, self.shows_card)
        return ("match", self.match.id, seen, type(self).__name__, self.session.person.blocked)

    # Keys

    def press(self, key: str) -> bool:
        """Let the board take a key first."""
        is_taken = self._press(key)
        self._guard.note(key)
        return is_taken

    def _press(self, key: str) -> bool:
        if self.seat is not None and not self.is_live:
            self.session.person.saw_end(self.match.id)  # a line that is dead presses no key
        if self.seat is not None:
            self._note_read(key)
        if not self.mode and self.is_live:
            answer = self.board.press(self.snapshot, self.selection, key)
            if answer is not None:
                if answer == self.selection:
                    self._say_why_not(key)
                return self._take(answer, key, lambda shot, chosen: self.board.press(shot, chosen, key))
        if self.shows_card and keymap.command("match", key) in ("move", "board"):
            self._has_seen_card = not self._guard.catches(key)
            return True
        if self._is_card_away and keymap.command("match", key) == "board":
            self._has_seen_card = False
            return True
        if not self.mode and not self.is_live:
            browsed = self.board.browse(self.snapshot, self.selection, key)
            if browsed is not None:
                self.selection = browsed
                return True
        if self.mode:
            return self._press_mode(key)
        return self._press_table(key)

    def _say_why_not(self, key: str) -> None:
        """Say why a key did nothing. Who only waits has nothing to choose, and need not be told."""
        if self.snapshot.pending is None:
            return
        if why := self.board.why_not(self.snapshot, self.selection, self.session.look, key):
            self.session.prompts.say(why, "bad")
        elif key == "enter":
            self.session.prompts.notice("match.not-here")

    def _press_table(self, key: str) -> bool:
        name = keymap.command("match", key)
        action = self.action(name) if name is not None and name != "move" else None
        if action is None:
            return False
        if self._is_held(name, key):
            self._ignore()
            return True
        self.key = key
        action()
        return True

    def _is_held(self, command: str | None, key: str) -> bool:
        """Tell whether a command of the table may have been meant for what showed before."""
        if command in ("accept", "decline"):
            return self._offered.catches(key)
        is_of_end = not self.is_live and command in ("rematch", "replay", "share", "room", "people")
        return is_of_end and self._guard.catches(key)

    def _ignore(self) -> None:
        """Say that a key was ignored, which makes the moment last longer."""
        self.session.prompts.notice("session.held")
        self.session.input.draw_after_hold()

    def _take(self, answer: Any, key: str, before: Callable[[AnyViewerState, Any], Any]) -> bool:
        """Take what the board makes of a key or a click; `before` says what it made of it at an earlier state."""
        if self._is_answer(answer) and self._means_another(answer, before) and self._guard.catches(key):
            self._ignore()
            return True
        if isinstance(answer, Action) and (pointed := self._pointed(key)) is not None:
            self.selection = pointed
            self.session.prompts.notice("match.pointed")
            return True
        if answer != self.selection and self.board.is_resting(self.selection):
            self._struck = self.snapshot, self.selection
        if not isinstance(answer, Action):
            self.selection = answer
            self._do_unasked()
            return True
        if self.seat is not None and self._sent_at != self.snapshot.turn_seq:
            self._sent_at = self.snapshot.turn_seq
            asked = self.snapshot.pending  # sorted, or a discard pile tells how the cards lay in the hand
            if asked is not None and contains(asked.choice, answer):
                self._answered = asked.prompt
            sent = answer if asked is None else in_order(asked.choice, answer)
            self.session.spawn(self._act(self.seat, sent, self.snapshot.turn_seq))
        return True

    def _pointed(self, key: str) -> Any:
        """Return the selection of a key that only points at what it has come to mean; None: it acts."""
        if self._struck is None:
            return None
        return self.board.pointed(self.snapshot, self.selection, key, self._struck)

    def _means_another(self, answer: Any, before: Callable[[AnyViewerState, Any], Any]) -> bool:
        """Tell whether a key does something else now than before the question changed: an action always does."""
        if isinstance(answer, Action):
            return not any(contains(choice, answer) for choice in self.snapshot.settings)
        return self._guard.before is None or bool(answer != before(*self._guard.before))

    def _is_answer(self, answer: Any) -> bool:
        """Tell whether a key answers or moves towards an answer; looking something up does not."""
        return isinstance(answer, Action) or (self.board.is_resting(self.selection) and self.board.is_resting(answer))

    async def _act(self, seat: Seat, action: Action, at_seq: int, by_key: bool = True) -> None:
        try:
            seq = await self.match.act(seat, action.text, at_seq, self.session.services.clock.now())
            if by_key:
                self._guard.note_own(seq)
                self._own_seq = max(self._own_seq, seq)
        finally:
            if self._sent_at == at_seq:  # else the next answer has been sent already
                self._sent_at = -1

    # What the board does by itself

    def _do_unasked(self) -> bool:
        """Send what the board does for its player without being asked, once for each decision; tells whether it does.

        What waits is looked at again when its time has come: a key may have answered, or changed one's mind.
        """
        shot = self.snapshot
        if self.seat is None or not self.plays or shot.paused or shot.status != "live":
            return False
        found = self.board.unasked(shot, self.selection)
        if found is None or self._unasked_at == (shot.turn_seq, found.action):
            return found is not None
        if self._sent_at == shot.turn_seq:
            return True
        self._unasked_at = shot.turn_seq, found.action
        if not found.waits:
            self._sent_at, self.selection = shot.turn_seq, found.chosen
        self.session.spawn(self._act_unasked(self.seat, found, shot.turn_seq))
        return True

    async def _act_unasked(self, seat: Seat, found: Unasked[Any], at_seq: int) -> None:
        if found.waits:
            await self.session.services.clock.sleep(UNASKED_S)
            if self.snapshot.turn_seq != at_seq or self._sent_at == at_seq:
                return
            self._sent_at = at_seq
            now = self.board.unasked(self.snapshot, self.selection)
            if now is None or now.action != found.action:
                self._sent_at = -1
                return
            self.selection = now.chosen
        with suppress(Refused, GameError):  # something came between, and is asked about like anything else
            await self._act(seat, found.action, at_seq, by_key=not found.waits)

    def click(self, col: int, row: int) -> bool:
        """Point at a square."""
        if self.shows_card and not self._guard.catches(CLICK):
            self._has_seen_card = True
            return True
        if self.mode or not self.is_live:
            return False
        self._note_read(CLICK)
        cols, rows = self.session.size
        room = self.board.room(self.snapshot, cols, self.session.body_rows(rows))
        if col >= room.cols or row >= room.rows:
            return False
        look = self.session.look

        def clicked(shot: AnyViewerState, chosen: Any) -> Any:
            return self.board.click(shot, chosen, look, room.cols, room.rows, col, row)

        answer = clicked(self.snapshot, self.selection)
        return answer is not None and self._take(answer, CLICK, clicked)

    def wheel(self, up: bool, col: int, row: int) -> bool:
        """Page through the log."""
        self.scroll_log(1 if up else -1)
        return True

    def back(self) -> bool:
        """Drop a question or a selection first."""
        if self.mode:
            self.mode = ""
            return True
        if not self.is_live and self._guard.catches(ESC):
            self._ignore()
            return True
        if not self.board.is_resting(self.selection):
            self.selection = self.board.follow(self.snapshot, self.board.start(self.snapshot, secrets.token_bytes(16)))
            return True
        return False


def _is_timely(shot: AnyViewerState) -> bool:
    """Tell whether the line above the keys may tell time: of a window, or until a claim."""
    return shot.claim_at is not None or is_window(shot) or any(window is not None for _, window in shot.deciding)
