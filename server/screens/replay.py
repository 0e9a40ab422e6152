"""A replay: step, jump, play at a speed, change the view, share it, play on from a position."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from game.contract import Seat, Viewer, Watcher
from server.boards import eventlog, keymap
from server.boards.board import board
from server.boards.gamestyle import game_style
from server.boards.library import library, mentioned
from server.boards.seats import name_at
from server.boards.timeline import Timeline, stop_beside, timeline
from server.matches.errors import NoSuchMatch, NotWatchable
from server.matches.match import Match
from server.matches.model import AnyViewerState, SeenEvent
from server.screens import boardwords, endcard, matchpanel, matchtext
from server.screens.boardwords import board_words
from server.screens.matchpanel import MatchPanel, PanelArea, arranged, panel_area
from server.screens.replaylog import ReplayLog
from server.screens.seating import people_of, seat_of
from server.screens.sessionpage import SessionPage
from server.screens.sharelink import share
from server.session import places
from server.session.page import Body, Speech, Tells
from server.session.session import Session
from server.terminal import frame
from server.terminal.bars import track_line
from server.terminal.field import Field
from server.terminal.frame import has_room
from server.terminal.hint import Hint
from server.terminal.items import Item, Said
from server.terminal.lines import Line, blank_at_end, block, ends, inset, plain, width_cols, wrapped
from server.terminal.stage import BOARD

STEPS_PER_S: Final = (0.5, 1.0, 2.0, 4.0, 8.0)
WAYS_ON: Final = ("play", "step", "decided")  # told at the beginning
SHOWN: Final = {"step": "right"}  # the key of a pair that goes on
MOST_HEARD: Final = 20  # of what happened on the way to an entry
TRACK_GAP: Final = 2
SHORTEST_TRACK, LONGEST_TRACK = 10, 72  # columns
BOT: Final = "normal"  # who takes the other seats when one plays on from here


def looked_back_at(shot: AnyViewerState, own: Seat | None, is_turned: bool = False) -> AnyViewerState:
    """Return a state as it is replayed for a person who had this seat: from their side, with nothing asked.

    In another player's view that player is not called "you".
    """
    looker = None if isinstance(shot.viewer, Watcher) else shot.viewer
    near = own if looker is None else looker
    near = Seat(1 - (near or 0)) if is_turned else near
    is_borrowed = looker not in (None, own)
    return replace(shot, pending=None, settings=(), is_borrowed=is_borrowed, is_past=True, nearest=near)


class ReplayPage(SessionPage):
    """One finished match at one of its entries, as one viewer may know it."""

    measure = BOARD
    context = "replay"

    def __init__(self, session: Session, match: Match, case: str | None = None) -> None:
        super().__init__(session)
        self.match = match
        self.case = case  # the match of the report that a moderator comes from
        self.board = board(match.game)
        eyes = match.sight(session.identity, case=case)
        self.last = match.snapshot(eyes).seq
        self.seq = 0
        self.viewers: tuple[Viewer, ...] = self._viewers()
        self.view = 0
        self.is_busy = False  # a match that goes on from here is being made
        self.is_turned = False  # the board stands the other way round
        self.speed = 1
        self.jump: Field | None = None
        self._stop_playing: Callable[[], None] | None = None
        self.all_events: Sequence[SeenEvent] = ()
        self.events: tuple[SeenEvent, ...] = ()  # until what shows
        self._log = ReplayLog()
        self.timeline = Timeline()
        self._timelines: dict[tuple[Viewer, int, str], Timeline] = {}  # by viewer, last entry and language
        self.selection: Any = self.board.start(match.at(self.seq, eyes), bytes(16))
        self._show()

    def _viewers(self) -> tuple[Viewer, ...]:
        """Return the viewers whose views are allowed: everybody's, once the match is over."""
        eyes = self.match.sight(self.session.identity, case=self.case)
        now = self.match.snapshot(eyes)
        if not now.is_over:
            return (eyes,)
        seats = tuple(Seat(info.seat) for info in now.seats)
        return (Watcher.OMNISCIENT, *seats, Watcher.PUBLIC) if self.board.hides else (Watcher.OMNISCIENT, *seats)

    def start(self) -> None:
        """Subscribe to changes while the match runs; say it where open hands are hidden from this person."""
        self.subscriptions.append(self.match.subscribe(self.viewers[0], self.changed))
        if self.viewers[0] is Watcher.PLAIN:
            self.session.prompts.notice("match.hands-kept")

    def changed(self) -> None:
        """Take the viewpoint that is allowed now; leave where none is any more."""
        before = self.viewers
        try:
            self.viewers = self._viewers()
        except (NotWatchable, NoSuchMatch) as refusal:
            self.session.spawn(self.turn_away(refusal))
            return
        self.last = self.match.snapshot(self.viewers[0]).seq
        if self.viewers != before:
            self.view = 0
            if self.viewers[0] is Watcher.PLAIN:
                self.session.prompts.notice("match.hands-kept")
            self._show()
        self.session.dirty()

    def _show(self) -> None:
        viewer = self.viewers[self.view]
        self.snapshot: AnyViewerState = self._seen(self.match.at(self.seq, viewer))
        self.all_events = self.match.events(viewer)
        self.events = tuple(event for event in self.all_events if event.seq <= self.seq)
        self.timeline = self._timeline(viewer, self.all_events)
        if self.board.is_resting(self.selection):
            self.selection = self.board.start(self.snapshot, bytes(16))
        else:
            self.selection = self.board.follow(self.snapshot, self.selection)

    def _timeline(self, viewer: Viewer, events: Sequence[SeenEvent]) -> Timeline:
        """Return where a viewer's replay stops: all of a long log is read for it, so not at every step."""
        known = viewer, self.last, self.session.look.language
        if known not in self._timelines:
            end = self.match.at(self.last, viewer)
            self._timelines = {one: at for one, at in self._timelines.items() if one[1:] == known[1:]}
            decisive = endcard.decisive(self.board, end, events, self.session.look)
            decided_at = decisive.seq if decisive is not None else -1
            self._timelines[known] = timeline(self.board, self.snapshot, events, self.session.look, decided_at)
        return self._timelines[known]

    def _seen(self, shot: AnyViewerState) -> AnyViewerState:
        return looked_back_at(shot, seat_of(self.session, self.match), self.board.has_sides and self.is_turned)

    def stop(self) -> None:
        """Leave off playing, and hear nothing more."""
        self._pause()
        super().stop()

    def title_style(self) -> str:
        return game_style(self.match.game)

    def help_topic(self) -> str:
        return self.match.game

    def title(self) -> str:
        return f"{self.session.t('replay.title')} · {self.session.t(f'game.{self.match.game}')} · {self.match.id}"

    def who(self) -> str:
        """Name the players, where there is room."""
        names = matchtext.names(self.snapshot, self.session.look)
        fits = has_room(self.title(), names, self.title_cols)
        return names if fits else self.session.person.shown_name()

    def body(self, cols: int, rows: int) -> Body:
        """Draw the board as it was, with players and log at its side."""
        look = self.session.look.seated(seat_of(self.session, self.match))
        area = self.board.area(self.snapshot, cols, rows)
        done = eventlog.standing(self.events)
        drawn = self.board.render(self.snapshot, self.selection, look, area.cols, area.rows, done)

        shown, at = MatchPanel(self.board, self.snapshot, self.events, look), self.snapshot.clock_at

        def log(of: MatchPanel, cols: int, rows: int) -> list[Line]:
            if self.seq == 0:
                return block(inset(wrapped(self._ways_on(), cols - 1, "accent")), cols, rows)
            return self._log.lines(of.board, of.snapshot, self.all_events, look, cols, rows)

        def told(where: PanelArea) -> list[Line]:
            return matchpanel.draw(shown, at, where, log)

        where, empty = panel_area(area, cols, rows), blank_at_end(drawn)
        if where is not None and not where.is_beside:
            told_below = matchpanel.draw_below_log(shown, at, where, log, empty)
            return Body(block([*drawn[: len(drawn) - empty], *told_below], cols, rows))
        return Body(arranged(drawn, area, told, cols, rows))

    def landing(self) -> str:
        return f"replay {self.match.id}"

    def cursor(self) -> int:
        """Return at which entry one is."""
        return self.seq

    def point(self, cursor: int) -> None:
        """Go to the entry at which one was."""
        self.seq = max(0, min(cursor, self.last))
        self._show()

    def items(self) -> list[Item]:
        """Tell where one is and through whose eyes, the players, what happened last, and the position."""
        look = self.session.look
        shown = MatchPanel(self.board, self.snapshot, self.events, look)
        where = look.t("list.comma").join(filter(None, (self.where(), self.eyes_words())))
        position = self.board.spoken(self.snapshot, look)
        return [Said(where), *matchpanel.told(shown, self.snapshot.clock_at), *map(Said, position)]

    def where(self) -> str:
        """Say at which step one is."""
        return self.timeline.where(self.seq, self.snapshot.is_over, self.session.look)

    def eyes_words(self) -> str:
        """Say through whose eyes one looks."""
        return self.session.t("replay.eyes", who=seen_by) if (seen_by := self._eyes()) else ""

    def message(self) -> Line:
        """Say which entry shows, whose eyes one looks through, and how fast it plays."""
        t = self.session.t
        if self.jump is not None:
            shown, _ = self.jump.shown(8)
            return (("", f" {t('replay.jump')} "), shown)
        where, eyes, cols = plain(f" {self.where()}"), plain(f"{self.eyes_words()} ", "dim"), self.size[0]
        speed = f"{STEPS_PER_S[self.speed]:g}"
        right = plain(f"{t('replay.playing', speed=speed)} ", "dim") if self._stop_playing else eyes
        if width_cols(where) + width_cols(right) + TRACK_GAP > cols:
            right = ()
        room = min(LONGEST_TRACK, cols - width_cols(where) - width_cols(right) - 2 * TRACK_GAP)
        track = self._track(room) if room >= SHORTEST_TRACK else ()
        return ends((*where, *track), right, cols)

    def _track(self, cols: int) -> Line:
        """Draw how far one is, with what decided the match."""
        line, decided = self.timeline, self.timeline.decided_at
        mark = line.number_at(decided) if decided >= 0 else None
        return (("", " " * TRACK_GAP), *track_line(self.number, line.most, self.session.look, cols, mark))

    def _ways_on(self) -> str:
        """Say at the beginning how to go on from it."""
        table = keymap.in_context("replay")
        names = {name: frame.key_name(SHOWN.get(name, table[name].shown), self.session.look) for name in WAYS_ON}
        return self.session.t("replay.begin" if self.timeline.decided_at < 0 else "replay.begin-decided", **names)

    @property
    def number(self) -> int:
        """Return the number of what shows."""
        return self.timeline.number_at(self.seq)

    def message_stays(self) -> bool:
        """Keep asking for the number to jump to."""
        return self.jump is not None

    def _eyes(self) -> str:
        viewer = self.viewers[self.view]
        if isinstance(viewer, Watcher):
            return self.session.t(f"replay.eyes.{viewer.value}") if self.board.hides else ""
        return name_at(self.snapshot, viewer, self.session.look)

    def hints(self) -> tuple[Hint, ...]:
        if self.jump is not None:
            return keymap.hints("text", ("accept", "cancel"))
        browse = self.board.browse_keys(self.selection)
        if not self.board.is_resting(self.selection):
            return browse
        names = ["play", "step", *(["cards"] if browse else []), "turn", "ends"]
        names += [*(["decided"] if self.timeline.decided_at >= 0 else []), "jump"]
        names += ["view"] if len(self.viewers) > 1 else []
        names += ["turn-round"] if self.board.has_sides else []
        names += ["faster", "slower"] if self._stop_playing else []
        names += ["share", "branch", "line"] if len(self.viewers) > 1 else ["share"]
        names.append("people")
        return (*keymap.hints("replay", names), *keymap.hints("everywhere", ("back",)))

    def do_people(self) -> None:
        """See who played and talked here: to block or report them, also when they have left."""
        self.session.go(people_of(self.session, self.match, self.snapshot))

    def do_library(self) -> None:
        """Look up the cards that the log names until here, the newest first."""
        if library(self.snapshot.game) is not None:
            self.session.go(places.CardsPlace(self.snapshot.game, mentioned(self.snapshot.game, self.events)))

    def speech(self) -> Speech:
        return ReplaySpeech(self)

    # Steps

    def go(self, seq: int) -> None:
        """Show the match after entry `seq`."""
        self.seq = max(0, min(seq, self.last))
        self._show()
        self.session.dirty()

    def _go_beside(self, entries: Sequence[int], back: bool) -> None:
        """Go to the one of these entries before what shows, or after it; after the last one to the match's end."""
        found = stop_beside(entries, self.seq, back)
        self.go(self.last if found is None else found)

    def press(self, key: str) -> bool:
        """Type the number to jump to, look through cards, or do a command."""
        if self.jump is None and not self.board.is_resting(self.selection):
            browsed = self.board.browse(self.snapshot, self.selection, key)
            self.selection = self.selection if browsed is None else browsed
            return browsed is not None
        if self.jump is None:
            return super().press(key)
        match keymap.command("text", key):
            case "accept":
                number, self.jump = self.jump.text, None
                if number.isdecimal():
                    self.go(self.timeline.entry_of(int(number)))
            case "cancel":
                self.jump = None
            case _:
                typed = self.jump.press(key)
                if typed is not None and (not typed.text or typed.text.isdecimal()):
                    self.jump = typed
        return True

    def do_step(self) -> None:
        """Go to where something happened that can be seen: back or on."""
        self._pause()
        self._go_beside(self.timeline.stops, back=self.key in ("left", "h"))

    def do_turn(self) -> None:
        """Go to where a turn begins: back or on."""
        self._pause()
        self._go_beside(self.timeline.turns, back=self.key == "page up")

    def do_decision(self) -> None:
        """Go one decision back or on, also where nothing of it can be seen."""
        self._pause()
        self.go(self.seq + (-1 if self.key in ("up", "k") else 1))

    def do_ends(self) -> None:
        """Go to the beginning or the end."""
        self._pause()
        self.go(0 if self.key == "home" else self.last)

    def do_decided(self) -> None:
        """Go to what decided the match."""
        if self.timeline.decided_at >= 0:
            self._pause()
            self.go(self.timeline.decided_at)

    def do_jump(self) -> None:
        """Ask for a number."""
        self.jump = Field(limit=6)

    def wheel(self, up: bool, col: int, row: int) -> bool:
        """Step with the wheel."""
        self._go_beside(self.timeline.stops, back=up)
        return True

    def do_view(self) -> None:
        """Look through the next pair of eyes."""
        self.view = (self.view + 1) % len(self.viewers)
        self._show()

    def do_turn_round(self) -> None:
        """Look at the board from its other side."""
        if self.board.has_sides:
            self.is_turned = not self.is_turned
            self._show()

    def do_cards(self) -> None:
        """Look at the cards that this view knows."""
        self._pause()
        self.selection = self.board.browse(self.snapshot, self.selection, "v") or self.selection

    # Playing

    def do_play(self) -> None:
        """Play on from here, or stop."""
        if self._stop_playing is not None:
            self._pause()
            return
        if self.seq >= self.last:
            self.go(0)
        self._plan_step()

    def do_faster(self) -> None:
        """Play faster."""
        self.speed = min(len(STEPS_PER_S) - 1, self.speed + 1)

    def do_slower(self) -> None:
        """Play slower."""
        self.speed = max(0, self.speed - 1)

    def _plan_step(self) -> None:
        self._stop_playing = self.session.display.later(1 / STEPS_PER_S[self.speed], self._play_step)

    def _play_step(self) -> None:
        self._stop_playing = None
        self._go_beside(self.timeline.stops, back=False)
        if self.seq < self.last:
            self._plan_step()
        self.session.dirty()

    def _pause(self) -> None:
        if self._stop_playing is not None:
            self._stop_playing()
            self._stop_playing = None

    # What one does with it

    def do_share(self) -> None:
        """Say what to type to see this match; ask first whether all may, where it is private."""
        share(self.session, self.match, self.snapshot)

    def do_line(self) -> None:
        """Try a line from here: play on privately for all sides."""
        viewer = self.viewers[self.view]
        if len(self.viewers) == 1:
            self.session.prompts.notice("replay.no-line-yet")
        elif self.seq >= self.last:
            self.session.prompts.notice("replay.no-line-at-end")
        else:
            seat = viewer if not isinstance(viewer, Watcher) else Seat(0)
            is_open, near = viewer is Watcher.OMNISCIENT, self.snapshot.nearest
            self.session.go(places.TriedLinePlace(self.match.line_from(self.seq, seat, nearest=near, is_open=is_open)))

    def do_branch(self) -> None:
        """Play on from here against built-in players, once the seat is named and that is confirmed."""
        seat = self._seat_to_play()
        if not self.is_busy:
            name = "" if seat == seat_of(self.session, self.match) else name_at(self.snapshot, seat, self.session.look)
            key = "replay.ask-branch" if name else "replay.ask-branch-own"
            self.session.prompts.ask(key, lambda: self._begin_branch(seat), name=name)

    def _seat_to_play(self) -> Seat:
        """Return the seat one looks from; else one's own, if it is still in by then; else the one that is to move."""
        viewer, own, shot = self.viewers[self.view], seat_of(self.session, self.match), self.snapshot
        if not isinstance(viewer, Watcher):
            return viewer
        if own is not None and not shot.seats[own].out:
            return own
        moves = next((seat for seat, _ in shot.deciding), None)
        return Seat(0) if moves is None else moves

    def _begin_branch(self, seat: Seat) -> None:
        self.is_busy = True
        self.session.spawn(self._branch(seat))

    async def _branch(self, seat: Seat) -> None:
        session = self.session
        try:
            match = await session.services.lobby.play_on(session.identity.player, self.match.id, self.seq, seat, BOT)
        finally:
            self.is_busy = False
        session.go(places.OpenMatchPlace(match))


class ReplaySpeech(Speech):
    """A replay in words: the board at an entry, and what happened on the way from one to the next."""

    def __init__(self, page: ReplayPage) -> None:
        super().__init__(page)
        self._replay = page
        self._told, self._eyes = page.seq, page.view

    def prompt(self) -> str:
        return self._replay.where()

    def news(self) -> Sequence[str]:
        """Return what happened on the way from the entry that was heard to this one; backwards, what led to it."""
        shown = self._replay
        before, self._told = self._told, shown.seq
        eyes, self._eyes = self._eyes, shown.view
        if eyes != shown.view:
            return [shown.eyes_words(), *shown.board.spoken(shown.snapshot, shown.session.look)]
        if before == shown.seq:
            return ()
        first = before if before < shown.seq else shown.seq - 1
        events = [event for event in shown.events if event.seq > first]
        return boardwords.told(shown.board, shown.snapshot, events, shown.session.look)[-MOST_HEARD:]

    def hints(self) -> tuple[Hint, ...]:
        """Return the keys that mean something without a cursor; a number alone is where to go."""
        names = [one for one in keymap.in_context("replay") if one not in ("jump", "cards", "turn-round", "decision")]
        return keymap.hints("replay", names)

    def tells(self) -> Tells:
        return board_words(self._replay.board, self._replay.snapshot, self._replay.session.look)

    def do_with(self, command: str, words: str) -> Sequence[str] | None:
        """Go to the entry of a number: `step 40` as `40`."""
        return self.answer(words) if command == "step" else None

    def answer(self, typed: str) -> Sequence[str] | None:
        """Go to the entry of a number."""
        number = typed.removeprefix("jump").strip()
        if not number.isdecimal():
            return None
        self._replay.go(self._replay.timeline.entry_of(int(number[:9])))
        return ()
