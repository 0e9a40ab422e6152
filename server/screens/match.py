"""The match: board, players, log, chat; playing it, or looking on."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Coroutine, Hashable, Mapping, Sequence
from typing import Any, ClassVar

from game.contract import Seat, Viewer, Watcher
from game.options import has_open_hands
from server.boards import keymap, outcome
from server.boards.gamestyle import game_style
from server.boards.library import library, mentioned
from server.boards.seats import next_digit_s
from server.bus.bus import Subscription
from server.matches.errors import NoSuchMatch
from server.matches.guestlimits import SEAT_KEPT
from server.matches.match import Match
from server.matches.model import AnyViewerState
from server.matches.speeds import DAILY
from server.presence.attendance import Here
from server.screens import boardwords, conditional_moves, matchpanel, matchtext
from server.screens.answering import CLICK, Answering
from server.screens.endcard import NO_CARD, EndCard
from server.screens.highlight import Highlight
from server.screens.keyguard import KeyGuard
from server.screens.matchdrawing import MatchDrawing
from server.screens.matchspeech import MatchSpeech
from server.screens.movetyping import MoveTyping
from server.screens.revealpause import RevealPause
from server.screens.seating import channels_of, people_of, say_if_casual, title_of, viewer_of
from server.screens.sessionpage import SessionPage
from server.screens.sharelink import say_live_link, share
from server.screens.tablecommands import TableCommands
from server.screens.unread import Unread
from server.screens.viewpoint import Viewpoint
from server.session import places
from server.session.page import Body, ChangedRows, Speech, Written
from server.session.session import Session
from server.terminal import frame
from server.terminal.hint import Hint
from server.terminal.items import Banner, Item, Said
from server.terminal.lines import Line, columns, plain, text_of, width_cols
from server.terminal.look import Look
from server.terminal.memo import OneValueCache
from server.terminal.stage import BOARD

TICK_S = 1.0  # while other words than clocks may change with time
STILL_S = 5.0  # while nothing that shows changes with time
LATE_S = 0.01  # after the moment at which a digit changes: timers and the clock differ a little
GALLERY_TICK_S = 5.0  # clocks of others need no second hand, and a gallery may be large
PANEL_COMMANDS = ("panel", "log", "chat")  # that leave the panel where it is
ESC = "esc"  # as the key guard knows it


class MatchPage(SessionPage):
    """One match from one viewpoint: a seat's, or the public one in the gallery.

    Its parts: `seen` (the match as it shows), `guard` (keys struck too early), `pause` (what does not show yet),
    `unread` (summary and banner), `answering` (selection and actions), `typing` (actions in the notation), `drawing`
    (board and side panel), `highlight` (what was just done on it), `table` (what else one may do now), `card` (of the
    end). Parts do not know the page.
    """

    measure = BOARD
    context: ClassVar[str] = "match"
    tells_of_body: ClassVar[bool] = False

    def __init__(self, session: Session, match: Match, viewer: Viewer) -> None:
        super().__init__(session)
        self.seen = Viewpoint(match, viewer)
        self.guard = KeyGuard(session.services.clock, session.display)
        self.unread = Unread(self.seen)
        self.pause = RevealPause(session, self.seen)
        self.answering = Answering(session, self.seen, self.unread, self.guard)
        self.typing = MoveTyping(session, self.seen, self.answering)
        self.drawing = MatchDrawing(session, self.seen, self.unread)
        self.highlight = Highlight(session, self.seen, self.drawing)
        self.table = TableCommands(session, self.seen, self.typing, self.drawing)
        self.card = EndCard(session, self.seen, self.answering)
        self._names = OneValueCache[tuple[str, str]]()
        self._presence: Here | None = None
        self._listening: Subscription | None = None
        self._told = self._news_for_each(self.snapshot)
        self._stop_tick: Callable[[], None] = lambda: None
        self._followed = bool(self.snapshot.next_match)  # the page goes to the rematch once
        self._wants_panel = False  # where there is no room for it beside the board
        self._wants_panel_alone = False  # also where there is: all lines of it are longer, and there are more

    @property
    def match(self) -> Match:
        """Return the match."""
        return self.seen.match

    @property
    def snapshot(self) -> AnyViewerState:
        """Return the state that shows."""
        return self.seen.snapshot

    @property
    def seat(self) -> Seat | None:
        """Return the seat one holds, None in the gallery."""
        return self.seen.seat

    @property
    def is_playing(self) -> bool:
        return self.seen.plays

    @property
    def is_live(self) -> bool:
        """Tell whether the match goes on."""
        return self.seen.is_live

    @property
    def match_shown(self) -> str:
        return self.match.id

    # Life

    def start(self) -> None:
        """Enter the match and subscribe to its changes."""
        self._listen(True)
        if self.snapshot.rating_changes:
            self.card.learn_curve()
        self._presence = self.be_here()
        self._tick()
        if self.snapshot.pending is not None:
            self._call()
        if self.seen.viewer is Watcher.PLAIN and has_open_hands(self.snapshot.agreement.options):
            self.session.prompts.notice("match.closed-hands")
        self.answering.act_unasked()

    def be_here(self) -> Here:
        """Come to the board."""
        return self.match.enter(self.session.identity.player, self.seat, self.session.id)

    def stop(self) -> None:
        """Leave the match and unsubscribe."""
        self.answering.leave()
        self._stop_tick()
        self.highlight.stop()
        self._listen(False)
        super().stop()
        if self._presence is not None:
            self._presence.leave()
            self._presence = None
        if self.seat is not None and self.snapshot.rating_changes:
            self.session.spawn(self.session.person.load_rating())  # the title line shows it everywhere

    def _listen(self, listens: bool) -> None:
        """Hear of changes of the match, or no longer."""
        if listens and self._listening is None:
            self._listening = self.match.subscribe(self.seen.viewer, self.changed)
        elif not listens and self._listening is not None:
            self._listening.close()
            self._listening = None

    def changed(self) -> None:
        """Hear that there is something new. A player takes it in at once, a watcher when it is drawn."""
        if self.seat is not None:
            self.refresh()
            self._tick()  # other clocks may run now
        now = self.match.snapshot(self.seen.viewer)
        if now.next_match and not self._followed:
            self._followed = True
            self.session.spawn(self._go_on(now.next_match, by_key=self.begins_match or self.seat is None))
        told, self._told = self._told, self._news_for_each(now)
        if told != self._told or has_open_hands(now.agreement.options):
            self.session.sharing.notify_rest()
        self.session.sharing.changed()

    @staticmethod
    def _news_for_each(shot: AnyViewerState) -> Hashable:
        """Return what each watcher must hear of: from where one may look, and where one goes on, changes with it."""
        return (shot.status, shot.next_match)

    def refresh(self) -> None:
        """Take in what is new: keep the cursor, drop what can't be done any more, call when it is one's turn."""
        if not self.seen.is_stale or self.pause.holds(self.changed):
            return
        known, has_sent = len(self.seen.events), self.answering.has_sent
        before = self.seen.refresh()
        if self.snapshot.rating_changes and not before.rating_changes:
            self.card.learn_curve()
        if self.snapshot.seq != before.seq:
            self.highlight.begin(known)
            self.guard.record_news()
            self.drawing.keep_log_in_place(known)
        self.answering.follow(before)
        if self.seat is not None and before.pending is not None and before.pending.window is None and not has_sent:
            self.unread.record_decision(self.match.last_act(self.seat))  # at another terminal, or over the bot protocol
        if self.snapshot.status != before.status:
            self.session.prompts.hush()
            self.drawing.log.skip = 0
        elif (refused := self._refused(before)) and self._is_alone_here():
            self.session.prompts.notice(self._why_gone(before, min(refused)))
        elif self._own_offers(before) - self._own_offers(self.snapshot):
            self.session.prompts.hush()  # granted: what was said of asking is no longer so
        is_answered = self.answering.act_unasked() or self.snapshot.due_condition is not None
        is_new = before.pending is None or before.turn_since != self.snapshot.turn_since
        if self.snapshot.pending is not None and is_new and not is_answered:
            self._call()
        elif self.snapshot.pending is None and before.pending is not None:
            self.session.pages.retitle()

    def _own_offers(self, shot: AnyViewerState) -> set[str]:
        return {what for seat, what in shot.offers if seat == self.seat}

    def _refused(self, before: AnyViewerState) -> set[str]:
        """Return the viewer's own offers that are gone and were not granted."""
        granted = {"takeback"} if self.seen.was_taken_back_after(before.seq) else set()
        return self._own_offers(before) - self._own_offers(self.snapshot) - granted

    def _why_gone(self, before: AnyViewerState, what: str) -> str:
        """Return the key of why an offer of the viewer's is gone: a vacation ends what could be taken back, too."""
        is_late = what == "takeback" and before.may_take_back and not self.snapshot.may_take_back
        return "match.offer-late.takeback" if is_late else f"match.offer-gone.{what}"

    def _is_alone_here(self) -> bool:
        """Tell whether this page is on top and no next match explains why an offer is gone."""
        return self.session.pages.top is self and not self.snapshot.next_match

    def _call(self) -> None:
        self.session.appearance.call(self.window_title())

    # Clocks

    def _tick(self) -> None:
        """Wait for the next digit, and no longer for an earlier one: who sits down is told of it before this."""
        self._stop_tick()
        shot = self.match.snapshot(self.seen.viewer)
        if shot.status == "live":
            self._stop_tick = self.session.display.later(self._tick_s(shot), self.tick_clocks, is_coalesced=True)

    def _tick_s(self, shot: AnyViewerState) -> float:
        """Return in how many seconds something that shows will have changed with time."""
        if self.seat is None:
            return GALLERY_TICK_S
        if matchtext.tells_time(shot) or any(info.gone_since is not None for info in shot.seats):
            return TICK_S
        next_s = next_digit_s(shot, self.session.services.clock.now())
        return STILL_S if next_s is None else next_s + LATE_S

    def tick_clocks(self) -> None:
        """Draw the clocks anew, and wait for the next digit."""
        if self.session.pages.top is self:  # under another page nothing shows, until it is on top again
            self.session.ticked()
            self._tick()

    def resume(self) -> None:
        """Let the clocks go on; what was half chosen is chosen anew."""
        self.answering.disarm()
        self._tick()

    def ticked(self) -> ChangedRows | None:
        """Return what the clocks have changed; None: draw the page anew."""
        return self.drawing.ticked()

    def tick_s(self) -> float | None:
        """Draw the clocks of others now and then, for all who look on."""
        return GALLERY_TICK_S if self.is_live else None

    def runs_out_s(self) -> float | None:
        """Return when a claim becomes possible, or a window is no longer free."""
        left = matchtext.runs_out_s(self.snapshot, self.session.services.clock.now()) if self.is_live else None
        return None if left is None else left + LATE_S

    def on_shared(self, leads: bool) -> None:
        """Leave the clocks to the group, and its lead to hear of changes."""
        self._stop_tick()
        is_new = leads and self._listening is None
        self._listen(leads)
        if is_new:
            self.changed()

    def on_unshared(self) -> None:
        """Draw the clocks oneself, and hear of changes."""
        is_new = self._listening is None
        self._listen(True)
        self._tick()
        if is_new:
            self.changed()

    # What it shows

    def title(self) -> str:
        """Name game, kind and speed; the game alone where turn and clocks have no other room."""
        title = self.full_title()
        is_short = not self.drawing.has_panel and not frame.has_room(title, self.who(), self.title_cols)
        return self.session.look.game(self.snapshot.game) if is_short else title

    def full_title(self) -> str:
        """Name game, kind and speed."""
        return self._called()[0]

    def _called(self) -> tuple[str, str]:
        """Return what the match is called, and who plays it: a key changes neither."""
        shot, look = self.snapshot, self.session.look
        return self._names.get(shot, look, lambda: (title_of(self.session, shot), matchtext.names(shot, look)))

    def title_style(self) -> str:
        return game_style(self.snapshot.game)

    def who(self) -> str:
        """Name the players; where no panel shows them, whose turn it is and the clocks that matter now."""
        shot, look, cols = self.snapshot, self.session.look, self.title_cols
        if not self.drawing.has_panel:
            room, now = frame.beside(look.game(shot.game), cols), self.session.services.clock.now()
            return matchtext.clocks(shot, self.seat, look, now, room, self.drawing.marks)
        title, names = self._called()
        fits = columns(names) + columns(title) + 4 <= cols
        return names if fits else self.session.person.shown_name()

    def window_title(self) -> str:
        """Say what the window is about: that it is one's turn, also for who comes back to it."""
        look, game = self.session.look, self.session.look.game(self.snapshot.game)
        if self.snapshot.pending is not None:
            return look.t("match.call", game=game)
        whom = matchtext.others(self.snapshot, self.seat, look)
        return look.t("list.pair", what=game, value=whom) if whom else game

    def channels(self) -> tuple[str, ...]:
        """Return the gallery's chat, and at the table the players' own."""
        return channels_of(self.match.id, self.snapshot, seated=self.seat is not None)

    def banner(self) -> Banner | None:
        """Say what was dramatic."""
        look = self.session.look
        return self.pause.banner(look) or self.unread.banner(look)

    def body(self, cols: int, rows: int) -> Body:
        """Draw the board and what stands beside it; after the end a card over it."""
        if self.shows_panel:
            return Body(self.drawing.panel_alone(cols, rows - self.covered_rows), is_fitted=True)
        card = self.card.drawn(cols, rows - self.covered_rows) if self.card.shows else NO_CARD
        beside = () if card.room.floats else card.lines
        lines = self.drawing.body(self.answering.selection, cols, rows, self.covered_rows, beside)
        return Body(lines if beside else card.laid_over(lines, cols, rows), is_fitted=True)

    def items(self) -> list[Item]:
        """Tell the players and what has happened, and how it ended; the position says the board."""
        look, now = self.session.look, self.session.services.clock.now()
        told = matchpanel.told(self.drawing.match_panel(), now)
        if self.is_live:
            said = text_of(matchtext.standing(self.seen, "", look, now)).strip()
            return [*told, Said(said)] if said else told
        return [*told, *self.card.told()]

    @property
    def shows_panel(self) -> bool:
        """Tell whether players, clocks and log stand in the board's place, where both have no room."""
        return self._wants_panel_alone or (self._wants_panel and not self.drawing.has_panel)

    def message(self) -> Line:
        """Say what to do now, or how it ended."""
        look, now = self.session.look, self.session.services.clock.now()
        tells_end = self.is_live or not self.card.shows or not self.card.is_drawn
        if said := matchtext.before_board(self.seen, self.table.mode, look, now, tells_end):
            return said
        return matchtext.followed_by(self._asked(), matchtext.beside_board(self.seen, look, now))

    def _asked(self) -> Line:
        """Say what the board asks, or for whom one waits."""
        shot, look, now = self.snapshot, self.session.look, self.session.services.clock.now()
        chosen = self.answering.selection
        if self.answering.prepared and shot.pending is None:
            return plain(f" {look.t('match.prepared', move=self._prepared_words(look))}", "accent")
        if said := conditional_moves.standing(shot, self.session):
            return said
        status = self.seen.board.status(self.answering.shown, chosen, look)
        if self.shows_panel:
            status = status[:1]  # what is asked: no cursor is in sight
        free = matchtext.window_left(self.seen, look, now)
        if free or shot.is_in_window:
            dot = plain(" ·", free[-1][0]) if free and status else ()  # in its colour: bytes are dear
            return (*free, *dot, *status)
        if width_cols(status) <= self.size[0]:
            return status
        return matchtext.without_question(status, self.size[0], self._asked_shortly(look))

    def _asked_shortly(self, look: Look) -> str:
        """Say in a few words that something is asked, and what, where a game has such; '' where nothing is."""
        shot = self.snapshot
        if shot.pending is None:
            return ""
        own = f"{shot.game}.do.{shot.pending.prompt}.short"
        return f"{look.t(own if look.has(own) else 'lines.prompt.turn')} ·"

    def _prepared_words(self, look: Look) -> str:
        return boardwords.kind_and_move(self.seen.board, self.seen.planned, self.answering.prepared, look)

    def message_stays(self) -> bool:
        """Keep saying what is asked, whatever notice a key brought; beside a move being typed a board needs rows."""
        is_asked = self.is_live and self.snapshot.pending is not None and not self.session.prompts.tells_moves
        return bool(self.table.mode) or bool(self.seen.offered()) or is_asked

    def holds_keys(self) -> bool:
        """Show that keys are held back, while the question or an offer is new."""
        return self.guard.holds or (self.guard.holds_for_offer and bool(self.seen.offered()))

    def hints(self) -> tuple[Hint, ...]:
        """Return the board's keys and those of the table."""
        board, chosen = self.seen.board, self.answering.selection
        back = keymap.hints("everywhere", ("back",))
        if self.table.mode:
            return (*self.table.of_mode(), *back)
        if self.shows_panel:
            to_board = tuple(hint.named("keys.match.board") for hint in keymap.hints("match", ("panel",)))
            return (*to_board, *keymap.hints("match", ("log", "chat")), *back)
        if not self.is_live:
            browse = board.browse_keys(chosen)
            return (*self.ended_hints(self.table.ended()), *browse, *back) if self.answering.is_resting else browse
        own = board.keys(self.seen.planned, chosen)
        if not self.answering.is_resting:
            return (*own, *keymap.hints("match", self.table.answers()))
        first = keymap.hints("match", self.table.first())
        then = keymap.hints_beside(board.context(chosen), "match", self.table.live())
        aside = keymap.hints("match", (*self.table.panel(), *self.table.meanwhile()))  # behind what acts
        return (*first, *own[:1], *aside, *own[1:], *then, *back)

    def ended_hints(self, names: Sequence[str]) -> tuple[Hint, ...]:
        """Return the hints of the table after the end; one key puts the card away and brings it back."""
        hints = keymap.hints("match", names)
        if self.card.shows:
            return hints
        return tuple(one.named("match.card") if one.label == "keys.match.board" else one for one in hints)

    def contexts(self) -> tuple[str, ...]:
        """Let the board have its keys first, of these the ones of what is being done."""
        mode = self.table.mode
        return (mode,) if mode else (*self.seen.board.explained(self.answering.selection), "match")

    def help_topic(self) -> str:
        return self.snapshot.game

    def share_key(self) -> Hashable | None:
        """Share the frame with all who look on alike; what is private is asked for by each alone."""
        if (
            self.snapshot.agreement.private
            or self.seat is not None
            or self.table.mode
            or self.drawing.log.skip
            or self.shows_panel
            or not self.answering.is_resting
        ):
            return None
        seen = (self.seen.viewer, self.seen.is_turned, self.card.shows)
        return ("match", self.match.id, seen, type(self).__name__, self.session.person.blocked)

    def cursor(self) -> int:
        """Return where a player's cursor stands while nothing is half chosen; watchers share theirs."""
        is_at_rest = self.seat is not None and self.answering.is_resting
        return int(self.answering.selection.cursor) if is_at_rest else -1

    def point(self, cursor: int) -> None:
        if self.seat is not None:
            self.answering.point(cursor)

    def half_done(self) -> tuple[str, ...]:
        """Return what a player has half chosen, or has prepared."""
        return self.answering.half_done() if self.seat is not None and self.is_live else ()

    def take_up(self, words: Sequence[str]) -> None:
        """Choose it again."""
        if self.seat is not None and self.is_live:
            self.answering.take_up(words)

    def kept_s(self) -> float:
        is_lost = self.session.identity.is_guest and self.seat is not None and self.is_live
        return SEAT_KEPT.total_seconds() if is_lost and not self.snapshot.seats[self.seat or 0].out else 0.0

    def digits(self) -> Mapping[str, str]:
        """Return what digits choose on the board."""
        return self.seen.board.digits(self.answering.shown, self.answering.selection, self.session.look)

    def chat(self) -> Sequence[Written]:
        """Return what was said at the table or in the gallery."""
        return self.drawing.unblocked().chat

    def landing(self) -> str:
        return f"watch {self.match.id}"

    def speech(self) -> Speech:
        return MatchSpeech(self, self.session, self.seen, self.answering, self.table, self.unread)

    # Keys

    def press(self, key: str) -> bool:
        """Let the board take a key first."""
        is_taken = self._press(key)
        self.guard.record(key)
        return is_taken

    def _press(self, key: str) -> bool:
        if self.pause.is_on and keymap.command("everywhere", key) is None:
            return True
        if self.seat is not None:
            if not self.is_live:
                self.session.person.saw_end(self.match.id)  # a key proves that somebody is there
            self._note_read(key)
        if self.shows_panel and keymap.command("match", key) not in PANEL_COMMANDS:
            self._wants_panel = self._wants_panel_alone = False  # keys mean nothing on a board that is out of sight
            return keymap.command("everywhere", key) in (None, "back")
        if not self.table.mode and self.is_live and self.answering.press(key):
            if self.answering.has_sent:
                self.drawing.log.skip = 0  # who acts looks at what comes of it
            return True
        if self.card.shows and keymap.command("match", key) in ("move", "board"):
            if not self.guard.catches(key):
                self.card.put_away()
            return True
        if not self.table.mode and self.card.is_away and keymap.command("match", key) == "board":
            self.card.bring_back()
            return True
        if self.table.mode:
            return self.press_mode(key)
        return (not self.is_live and self.answering.browse(key)) or self.press_command(key)

    def _note_read(self, key: str) -> None:
        """Take note that a key was pressed: what stood there until then has been read, if there was time to."""
        if self.guard.has_read(key):
            self.unread.record_read()

    def click(self, col: int, row: int) -> bool:
        if self.card.shows and not self.guard.catches(CLICK):
            self.card.put_away()
            return True
        if self.table.mode or not self.is_live:
            return False
        self._note_read(CLICK)
        cols, rows = self.size
        return self.answering.click(col, row, cols, self.session.display.body_rows(rows))

    def wheel(self, up: bool, col: int, row: int) -> bool:
        """Page through the log."""
        self.drawing.log.scroll(self.drawing.match_panel(), 1 if up else -1)
        return True

    def do_panel(self) -> None:
        """Show players, clocks and log in the board's place, or the board again."""
        wants = not self.shows_panel
        self._wants_panel, self._wants_panel_alone = wants, wants and self.drawing.has_panel

    def do_log(self) -> None:
        """Page through the log; where it has no room beside the board, it is shown first."""
        self._wants_panel = self._wants_panel or not self.drawing.has_panel
        self.drawing.log.page(self.drawing.match_panel(), is_back=self.key == "page up")

    def back(self) -> bool:
        """Drop a question or a selection first."""
        if self.table.drop():
            return True
        if not self.is_live and self.guard.catches(ESC):
            self.session.held.say()
            return True
        return self.answering.drop()

    # Commands of the table: talk, offer, answer offers, resign, claim, ask for a rematch

    def press_mode(self, key: str) -> bool:
        """Offer or claim what was asked about; the question stays at a key that is no answer. False: it is not ours."""
        mode = self.table.mode
        name = keymap.command(mode, key)
        if name is None or name not in (self.seen.may_offer if mode == "offer" else self.table.claims):
            return keymap.command("everywhere", key) is None
        self.table.drop()
        match mode, name:
            case "offer", ("draw" | "adjourn" | "resume") as what:
                self._send(self.match.offer, what, f"match.sent.{what}")
            case "offer", "takeback":
                asked = "match.sent.takeback-daily" if self.snapshot.agreement.speed == DAILY else "match.sent.takeback"
                said = asked if self.seen.may_offer_draw else "match.sent.taken-back"
                self._send(self.match.offer, "takeback", said)
            case "claim", ("win" | "bots" | "void") as claimed:
                self._send(self.match.claim, "void" if claimed == "void" else "win", "match.sent.claim")
        return True

    def press_command(self, key: str) -> bool:
        """Do a command of the table, unless the key may have been meant for what showed before."""
        name = keymap.command("match", key)
        if name is None or name == "move" or self.action(name) is None:
            return False
        if self._is_held(name, key):
            self.session.held.say()
            return True
        return self.run(name, key)

    def _is_held(self, command: str, key: str) -> bool:
        """Tell whether a command of the table may have been meant for what showed before."""
        if command in ("accept", "decline"):
            return self.guard.catches_for_offer(key)
        is_of_end = not self.is_live and command in ("rematch", "replay", "share", "room", "people")
        return is_of_end and self.guard.catches(key)

    # Commands

    def do_people(self) -> None:
        """See who plays and talks here, or did: to block or report them."""
        self.session.go(people_of(self.session, self.match, self.snapshot))

    async def _go_on(self, match_id: str, by_key: bool = True) -> None:
        """Go to the rematch, from the same side of the table; where one may not know of it, stay."""
        try:
            match = await self.session.services.matches.find(match_id, self.session.identity)
        except NoSuchMatch:
            return
        if self.session.pages.top is self:
            page = type(self)(self.session, match, viewer_of(self.session, match))
            self.session.pages.replace(page, by_itself=not by_key)
            self.session.prompts.hush()
            say_if_casual(self.session, page.snapshot, self.snapshot.agreement.rated)
        elif any(page.match_shown == match_id for page in self.session.pages):
            self.session.pages.remove(self)  # it was opened already: esc should not come back here

    def do_next(self) -> None:
        """Go to the next match of one's own that waits for one."""
        self.session.go_to_turn()

    def _send(self, do: Callable[[Seat, Any], Coroutine[Any, Any, None]], what: str, said: str) -> None:
        if self.seat is not None:
            self.session.spawn(self._do_and_say(do(self.seat, what), said))

    async def _do_and_say(self, work: Coroutine[Any, Any, None], said: str) -> None:
        was_live = self.is_live
        await work
        if self.session.pages.top is not self:
            return
        self.refresh()
        if self.is_live == was_live:  # otherwise the line says how it ended
            self.session.prompts.notice(said, "good")

    def do_type(self) -> None:
        """Type a move, or one for later."""
        if self.typing.is_possible:
            self.typing.begin()
        elif self.is_playing:
            self.session.prompts.notice("match.nothing-to-type")

    def do_chat(self) -> None:
        """Say something to the table or the gallery."""
        place = "match" if self.seat is not None else "gallery" if self.is_live else "over"
        if place == "gallery" and not self.snapshot.agreement.gallery_chat:
            self.session.prompts.notice("match.gallery-silent")
            return
        self.session.have_said(f"match.say.{place}", self._say, past=lambda: len(self.chat()))

    async def _say(self, text: str) -> None:
        await self.match.say(self.session.identity.player, text)

    def do_offer(self) -> None:
        """Ask what to offer; say why nothing can be taken back in a match in which that is usual."""
        if self.seen.may_offer == ("resume",):
            self._send(self.match.offer, "resume", "match.sent.resume")
            return
        if self.seen.may_offer:
            self.table.ask("offer")
        elif self.seen.plays:
            self.session.prompts.notice("match.nothing-to-offer")
        why_not = self.match.takebacks.why_not(self.seat) if self.seat is not None and self.seen.plays else None
        if why_not is not None and not self.snapshot.agreement.rated:
            self.session.prompts.refused(why_not)

    def do_accept(self) -> None:
        """Accept the first offer."""
        self._answer(True)

    def do_decline(self) -> None:
        """Decline the first offer."""
        self._answer(False)

    def _answer(self, accept: bool) -> None:
        offers = self.seen.offered()
        if offers and self.seat is not None:
            self.session.spawn(self.match.answer(self.seat, offers[0][1], accept))

    def do_resign(self) -> None:
        """Ask, then give up."""
        seat = self.seat
        if seat is not None and self.seen.plays:
            self.session.have_confirmed("match.ask.resign", lambda: self._resign(seat), for_good=True)

    async def _resign(self, seat: Seat) -> None:
        self.guard.record_own(await self.match.resign(seat))

    def do_claim(self) -> None:
        """Ask what to claim; else say from when on one may, where that does not stand below the board."""
        look, now = self.session.look, self.session.services.clock.now()
        if self.seen.may_claim(now):
            self.table.ask("claim")
            return
        until = text_of(outcome.claim(self.snapshot, look, now)).strip()
        if self.seen.plays and not (until and self.snapshot.pending is None):
            self.session.prompts.say(until or look.t("match.error.not-claimable"))

    def do_rematch(self) -> None:
        """Ask for another match, or go to the one that was agreed on."""
        if self.snapshot.next_match:
            self.session.spawn(self._go_on(self.snapshot.next_match))
        elif self.seat is not None and not self.is_live and outcome.goes_on(self.snapshot):
            self.session.prompts.notice("outcome.return-follows")
        elif self.seat is not None and not self.is_live:
            self.begins_match = any(what == "rematch" for _, what in self.seen.offered())
            self.session.spawn(self._do_and_say(self.match.offer(self.seat, "rematch"), "match.sent.rematch"))

    def do_room(self) -> None:
        """Go to the room of this match."""
        if self.snapshot.room:
            self.session.go(places.RoomPlace(self.snapshot.room, has_code=self.seat is not None))

    def do_replay(self) -> None:
        """Go through a finished match."""
        if not self.is_live:
            self.session.go(places.ReplayPlace(self.match.id))

    def do_share(self) -> None:
        """Say what to type to see a match that is over; ask first whether all may, where it is private."""
        if not self.is_live:
            share(self.session, self.match, self.snapshot)
        elif self.table.may_share_live:
            say_live_link(self.session, self.match.id)

    def do_line(self) -> None:
        """Try a line: play on privately for all sides, from what one knows now."""
        if self.seat is not None and self.match.may_try_line(self.seat):
            self.session.go(places.TriedLinePlace(self.match.try_line(self.seat, secrets.token_bytes(32))))
        elif self.seat is not None and self.is_live:
            self.session.prompts.notice("match.no-line")

    def do_library(self) -> None:
        """Look up the cards that the log names, the newest first."""
        if library(self.snapshot.game) is not None:
            game = self.snapshot.game
            self.session.go(places.CardsPlace(game, mentioned(game, self.seen.events)))

    def do_conditions(self) -> None:
        """See, make and drop conditional moves."""
        if self.seat is not None and self.table.has_conditions:
            self.session.go(places.ConditionsPlace(self.match, self.seat))
        elif self.seat is not None and self.is_live:
            why = "turn" if self.match.conditional_moves.are_possible else "daily"
            self.session.prompts.notice(f"match.error.conditions-{why}")

    def do_rules(self) -> None:
        """Read the rules."""
        self.session.help(rules=True)
