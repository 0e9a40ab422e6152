"""A match once more: step, jump, play at speed, from each seat or with all cards open; share it, or play on."""

from __future__ import annotations

from typing import Any, Final

from game.contract import Seat, Viewer, Watcher
from server.matches.model import SeenEvent, Snapshot
from server.tui import boards, keymap
from server.tui.app import Session
from server.tui.field import Field
from server.tui.keymap import Hint
from server.tui.lines import Line, ends, plain
from server.tui.panel import side
from server.tui.screens.page import Body, Page
from server.tui.screens.side import arranged
from server.tui.seats import name_at

STEPS_PER_S: Final = (0.5, 1.0, 2.0, 4.0, 8.0)
BOT: Final = "normal"  # who takes the other seats when one plays on from here


class ReplayPage(Page):
    """One finished match at one of its entries, as one viewer may know it."""

    context = "replay"

    def __init__(self, session: Session, match: Any, seq: int | None = None) -> None:
        super().__init__(session)
        self.match = match
        self.board = boards.board(match.game)
        self.last: int = match.snapshot(Watcher.PUBLIC).seq
        self.seq = self.last if seq is None else max(0, min(seq, self.last))
        self.viewers: tuple[Viewer, ...] = self._viewers()
        self.view = 0
        self.speed = 1
        self.jump: Field | None = None
        self._stop_playing: Any = None
        self._events: tuple[SeenEvent, ...] = ()
        self.pick: Any = self.board.start(match.at(self.seq, Watcher.PUBLIC), bytes(16))
        self._show()

    def _viewers(self) -> tuple[Viewer, ...]:
        """Return whom one may look over the shoulder of: everybody, once the match is over."""
        now: Snapshot = self.match.snapshot(Watcher.PUBLIC)
        if now.status not in ("finished", "void"):
            return (Watcher.PUBLIC,)
        return (Watcher.OMNISCIENT, *(Seat(info.seat) for info in now.seats), Watcher.PUBLIC)

    def _show(self) -> None:
        viewer = self.viewers[self.view]
        self.snapshot: Snapshot = self.match.at(self.seq, viewer)
        self._events = tuple(event for event in self.match.events(viewer) if event.seq <= self.seq)
        fresh = self.board.start(self.snapshot, bytes(16))
        self.pick = fresh if self.board.is_resting(self.pick) else self.board.follow(self.snapshot, self.pick)

    def stop(self) -> None:
        """Leave off playing."""
        self._pause()

    def title(self) -> str:
        """Name the game and say that it is a replay."""
        return f"{self.session.t('replay.title')} · {self.session.t(f'game.{self.match.game}')} · {self.match.id}"

    def body(self, cols: int, rows: int) -> Body:
        """Draw the board as it was, with players and log at its side."""
        look = self.session.look
        room = self.board.room(self.snapshot, cols, rows)
        drawn = self.board.render(self.snapshot, self.pick, look, room.cols, room.rows, self._events)

        def told(side_cols: int, side_rows: int) -> list[Line]:
            size = (side_cols, side_rows)
            return side(self.board, self.snapshot, self._events, look, size, self.snapshot.clock_at)

        return Body(arranged(drawn, room, told, cols, rows))

    def message(self) -> Line:
        """Say which entry shows, whose eyes one looks through, and how fast it plays."""
        t, look = self.session.t, self.session.look
        if self.jump is not None:
            shown, _ = self.jump.shown(8)
            return (("", f" {t('replay.jump')} "), shown)
        where = t("replay.where", n=self.seq, of=self.last)
        eyes = t("replay.eyes", who=self._eyes())
        pace = t("replay.playing", speed=f"{STEPS_PER_S[self.speed]:g}") if self._stop_playing else ""
        return ends(plain(f" {where}  {look.glyphs.dash}  {eyes}"), plain(f"{pace} ", "dim"), self.session.size[0])

    def _eyes(self) -> str:
        viewer = self.viewers[self.view]
        if isinstance(viewer, Watcher):
            return self.session.t(f"replay.eyes.{viewer.value}")
        return str(name_at(self.snapshot, viewer, self.session.look))

    def hints(self) -> tuple[Hint, ...]:
        """Return the keys of the replay."""
        if self.jump is not None:
            return keymap.hints("text", ("accept", "cancel"))
        browse = self.board.browse_keys(self.pick)
        if not self.board.is_resting(self.pick):
            return browse
        names = ["step", "play", "ends", "jump"]
        names += ["view"] if len(self.viewers) > 1 else []
        names += ["cards"] if browse else []
        names += ["faster", "slower"] if self._stop_playing else []
        names += ["share", "branch"] if len(self.viewers) > 1 else ["share"]
        return (*keymap.hints("replay", names), *keymap.hints("everywhere", ("back",)))

    # Going to and fro

    def go(self, seq: int) -> None:
        """Show the match after entry `seq`."""
        self.seq = max(0, min(seq, self.last))
        self._show()
        self.session.dirty()

    def press(self, key: str) -> bool:
        """Type the number to jump to, look through cards, or do a command."""
        if self.jump is None and not self.board.is_resting(self.pick):
            browsed = self.board.browse(self.snapshot, self.pick, key)
            self.pick = self.pick if browsed is None else browsed
            return browsed is not None
        if self.jump is None:
            return super().press(key)
        match keymap.command("text", key):
            case "accept":
                number, self.jump = self.jump.text, None
                if number.isdecimal():
                    self.go(int(number))
            case "cancel":
                self.jump = None
            case _:
                typed = self.jump.press(key)
                if typed is not None and (not typed.text or typed.text.isdecimal()):
                    self.jump = typed
        return True

    def do_step(self) -> None:
        """One entry back or on."""
        self._pause()
        self.go(self.seq + (-1 if self.key in ("left", "h") else 1))

    def do_ten(self) -> None:
        """Ten entries back or on."""
        self._pause()
        self.go(self.seq + (-10 if self.key == "page up" else 10))

    def do_ends(self) -> None:
        """To the beginning or the end."""
        self._pause()
        self.go(0 if self.key == "home" else self.last)

    def do_jump(self) -> None:
        """Ask for a number."""
        self.jump = Field(limit=6)

    def wheel(self, up: bool, col: int, row: int) -> bool:
        """Step with the wheel."""
        self.go(self.seq + (-1 if up else 1))
        return True

    def do_view(self) -> None:
        """Look through the next pair of eyes."""
        self.view = (self.view + 1) % len(self.viewers)
        self._show()

    def do_cards(self) -> None:
        """Look at the cards that this view knows."""
        self._pause()
        self.pick = self.board.browse(self.snapshot, self.pick, "v") or self.pick

    # Playing

    def do_play(self) -> None:
        """Play on from here, or stop."""
        if self._stop_playing is not None:
            self._pause()
            return
        if self.seq >= self.last:
            self.go(0)
        self._ring_soon()

    def do_faster(self) -> None:
        """Play faster."""
        self.speed = min(len(STEPS_PER_S) - 1, self.speed + 1)

    def do_slower(self) -> None:
        """Play slower."""
        self.speed = max(0, self.speed - 1)

    def _ring_soon(self) -> None:
        self._stop_playing = self.session.later(1 / STEPS_PER_S[self.speed], self._tick)

    def _tick(self) -> None:
        self._stop_playing = None
        self.go(self.seq + 1)
        if self.seq < self.last:
            self._ring_soon()
        self.session.dirty()

    def _pause(self) -> None:
        if self._stop_playing is not None:
            self._stop_playing()
            self._stop_playing = None

    # What one does with it

    def do_share(self) -> None:
        """Say what to type to see this match."""
        self.session.notice("replay.share", "good", id=self.match.id)

    def do_branch(self) -> None:
        """Play on from here against a built-in player, from the seat one looks from."""
        viewer = self.viewers[self.view]
        seat = viewer if not isinstance(viewer, Watcher) else Seat(0)
        self.session.spawn(self._branch(seat))

    async def _branch(self, seat: Seat) -> None:
        from server.tui.screens import doors

        session = self.session
        match = await session.services.lobby.play_on(session.identity.player, self.match.id, self.seq, seat, BOT)
        session.push(doors.match_page(session, match))
