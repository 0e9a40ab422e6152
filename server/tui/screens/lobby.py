"""The lobby: my running matches, Play now, open seats, live matches, chat."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from server.lobby.model import Asked
from server.tui import frame, keymap
from server.tui.consent import consent_words
from server.tui.keymap import Hint
from server.tui.lines import Line, beside, block, fit, plain
from server.tui.screens.chooser import Chooser
from server.tui.screens.lists import PEOPLE_COLS, TOP, WIDE_COLS, Lists, empty, list_cols
from server.tui.screens.page import Body
from server.tui.screens.rows import Row
from server.tui.screens.side import chat_lines
from server.tui.screens.ways import Ways
from server.tui.screens.wishes import Wishes

if TYPE_CHECKING:
    from server.tui.app import Session

CHAT_CHANNEL = "lobby"
LEAST_LIST_ROWS = 6


class LobbyPage(Ways):
    """Where everybody meets."""

    context: ClassVar[str] = "lobby"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.lists = Lists(session)
        self.chooser = Chooser()
        self.wishes = Wishes(session)
        self.ticket: Any = None
        self._subscriptions: list[Any] = []
        self._seen = self.lists.view
        self._has_chosen = False  # until somebody moves, the first row is the chosen one

    # Life

    def start(self) -> None:
        """Hear of changes in the lobby and its chat."""
        services = self.session.services
        self._subscriptions = [
            services.lobby.subscribe(self.changed),
            services.chat.subscribe(CHAT_CHANNEL, self._show),
        ]

    def stop(self) -> None:
        """Stop looking for players, stop listening."""
        for subscription in self._subscriptions:
            subscription.close()
        self._subscriptions.clear()
        self.stop_looking()

    def resume(self) -> None:
        """Look again at what is mine."""
        self.session.spawn(self.load())

    def changed(self) -> None:
        """Hear that the lobby has changed, or (when it has not) that somebody was challenged."""
        now = self.session.services.lobby.snapshot()
        is_hint, self._seen = now is self._seen, now
        if is_hint:
            self.session.spawn(self.load())
        elif self.session.page is self:
            self.refresh()
            self._show()

    def _show(self) -> None:
        """Draw what has changed for everybody, if one is looking."""
        if self.session.page is self:
            self.session.changed(may_part=True)

    def refresh(self) -> None:
        """Take the lobby as it is now; the chosen row stays chosen where it is still there."""
        chosen = self.chosen()
        if self.lists.refresh():
            self._keep(chosen)
            if self.lists.misses():
                self.session.spawn(self.load())

    async def load(self) -> None:
        """Ask for what is mine."""
        chosen = self.chosen()
        await self.lists.load()
        self._keep(chosen)
        if self.session.is_staff:
            await self.count_reports()

    def _keep(self, chosen: Row | None) -> None:
        count = len(self.rows())
        if self._has_chosen and chosen is not None and (place := self.lists.place(chosen.key)) is not None:
            self.chooser = self.chooser.at(place, count)
        self.chooser = self.chooser.clamp(count)

    # What it shows

    def title(self) -> str:
        """Say Lobby, and of which house."""
        return f"{self.session.t('lobby.title')} · {self.session.house_name}"

    def who(self) -> str:
        """Say who one is, how many are here, and the language."""
        here = self.session.t("lobby.here", n=len(self.lists.here()))
        return " · ".join((self.badge(), here, self.session.look.language.partition("_")[0]))

    def badge(self) -> str:
        """Say who one is: all else in a lobby at rest is the same for many."""
        return self.session.who()

    def share_key(self) -> Hashable | None:
        """Share the lobby with all who wish for the same games and look at the same row, with nothing of their own."""
        cols, _ = self.session.size
        if (
            self.ticket is not None
            or not self.lists.is_everybodys
            or not frame.has_room(self.title(), self.who(), cols)
        ):
            return None
        chosen = self.chosen() if self._has_chosen else None
        key = chosen.key if chosen is not None else ""
        return ("lobby", key, self.chooser.top, self.wishes.key(), self.session.blocked, self.session.is_staff)

    def rows(self) -> Sequence[Row]:
        """Return every row that can be chosen."""
        return self.lists.rows()

    def chosen(self) -> Row | None:
        """Return the chosen row."""
        rows = self.rows()
        return rows[self.chooser.clamp(len(rows)).index] if rows else None

    def body(self, cols: int, rows: int) -> Body:
        """Draw the sections, each with its own share of the rows."""
        look = self.session.look
        found = self.rows()
        rule = frame.rule(look, cols)
        mine, mine_rows, list_rows, chat_rows = self._shares(rows)
        chat = self._chat(cols, chat_rows)
        play = self.wishes.line(look, cols, self.ticket, self._window())
        mine_lines = [self._line(found, i, cols) for i in range(mine_rows)]
        top = [*mine_lines, rule, play, rule] if mine_lines else [play, rule]
        lists = self._lists(found, mine, list_cols(cols), list_rows)
        if cols >= WIDE_COLS:
            lists = beside(lists, self._people(list_rows), cols - PEOPLE_COLS, PEOPLE_COLS)
        return Body([*top, *lists, self._summary(found, cols), rule, *chat])

    def _shares(self, rows: int) -> tuple[int, int, int, int]:
        """Return how many rows of one's own there are, and how many lines they, the lists and the chat get."""
        chat = max(1, min(8, rows // 6))
        mine = 0 if self.lists.is_everybodys else sum(row.kind in TOP for row in self.rows())
        mine_rows = min(mine, max(0, rows - chat - 4 - LEAST_LIST_ROWS))
        return mine, mine_rows, rows - mine_rows - (3 if mine_rows else 2) - chat - 2, chat

    def _window(self) -> tuple[int, int] | None:
        """Return the ratings that my own seeks take just now."""
        me = self.session.identity.player
        own = [seek for seek in self.lists.view.seeks if seek.player.is_same_person(me)]
        windows = [(seek.low, seek.high) for seek in own if seek.low is not None and seek.high is not None]
        return (min(low for low, _ in windows), max(high for _, high in windows)) if windows else None

    def _people(self, rows: int) -> list[Line]:
        t, here = self.session.t, self.lists.here()
        lines: list[Line] = [plain(t("lobby.people"), "title")]
        shown = here[: max(0, rows - 2)]
        for person in shown:
            style = "good" if person.playing else ""
            lines.append(((style, person.name), ("dim", f" {t('people.playing')}" if person.playing else "")))
        if len(shown) < len(here):
            lines.append(plain(t("lobby.more", n=len(here) - len(shown)), "dim"))
        return lines

    def _line(self, found: Sequence[Row], index: int, cols: int) -> Line:
        line = fit(found[index].line, cols)
        if index != self.chooser.clamp(len(found)).index:
            return line
        pointer = self.session.look.glyphs.pointer
        text = "".join(text for _, text in line)
        return (("row", pointer + text[1:]),)

    def _lists(self, found: Sequence[Row], first: int, cols: int, rows: int) -> list[Line]:
        """Draw open seats and live matches; or, where there is neither, what one can do alone."""
        others = len(found) - first
        if not others:
            return block(empty(self.session.look, self.lists.filter, self.ticket is not None), cols, rows)
        index = max(0, self.chooser.clamp(len(found)).index - first)
        window = Chooser(index, max(0, self.chooser.top - first)).window(others, rows)
        return block([self._line(found, first + i, cols) for i in window], cols, rows)

    def _summary(self, found: Sequence[Row], cols: int) -> Line:
        n = sum(row.kind not in TOP for row in found)
        total = len(self.lists.view.seeks) + len(self.lists.view.rooms) + len(self.lists.view.matches)
        if not self.lists.filter:
            return ()
        return plain(f" {self.session.t('lobby.filtered', filter=self.lists.filter, found=n, total=total)}", "warn")

    def _chat(self, cols: int, rows: int) -> list[Line]:
        recent = self.session.services.chat.recent(CHAT_CHANNEL, self.session.blocked)
        lines = chat_lines(recent, self.session.look, cols - 1, rows)
        if not lines:
            lines = [plain(self.session.t("lobby.chat-empty"), "dim")]
        return block([(("", " "), *line) for line in lines], cols, rows)

    @property
    def asked(self) -> Asked | None:
        """Return what the pairing asks this person just now."""
        return self.ticket.asked if self.ticket is not None else None

    def message(self) -> Line:
        """Ask whether fewer will do, or say what becomes of a search that finds nobody."""
        if self.asked is not None:
            return plain(f" {consent_words(self.asked, self.session.look)}", "warn")
        return plain(f" {self.wishes.patience(self.session.look)}", "dim") if self.ticket is not None else ()

    def hints(self) -> tuple[Hint, ...]:
        """Return the keys; the way to stop looking only while one looks."""
        names = [
            "play",
            "new",
            "join",
            "watch",
            "bot",
            "ladders",
            "people",
            "me",
            "games",
            "filter",
            "chat",
            "tutorial",
        ]
        if self.ticket is not None:
            names = [*(("agree", "decline") if self.session.is_asked else ()), "cancel", *names[1:]]
        if not any(row.kind == "live" for row in self.rows()):
            names.remove("watch")
        if self.rows():
            names.insert(0, "open")
        staff = keymap.hints("staff") if self.session.is_staff else ()
        return (*keymap.hints("lobby", names), *staff, *keymap.hints("lobby", ("quit",)))

    def contexts(self) -> tuple[str, ...]:
        """Return the lobby's keys, and for moderators the way to their desk."""
        return ("lobby", "staff") if self.session.is_staff else ("lobby",)

    def window_title(self) -> str:
        """Say the house's name."""
        return self.title()

    # Keys

    def press(self, key: str) -> bool:
        """Choose in the list, or do a command."""
        moved = None
        if len(key) > 1:
            shown = self._shares(self.session.body_rows(self.session.size[1]))[2]
            moved = self.chooser.press(key, len(self.rows()), max(1, shown))
        if moved is not None and key != "enter":
            self.chooser, self._has_chosen = moved, True
            return True
        return super().press(key)

    def click(self, col: int, row: int) -> bool:
        """Choose a row; the chosen one opens."""
        cols, rows = self.session.size
        lines = self.body(cols, self.session.body_rows(rows)).lines
        if row >= len(lines):
            return False
        text = "".join(text for _, text in lines[row])
        for index, one in enumerate(self.rows()):
            if "".join(text for _, text in fit(one.line, cols))[1:] == text[1:]:
                if index == self.chooser.index:
                    self.do_open()
                self.chooser, self._has_chosen = self.chooser.at(index, len(self.rows())), True
                return True
        return False

    def back(self) -> bool:
        """Clear the filter; stop looking for players."""
        if self.lists.filter:
            self._set_filter("")
            return True
        if self.ticket is not None:
            self.stop_looking()
            return True
        return True

    def do_play(self) -> None:
        """Look for players in every ticked game."""
        if self.ticket is None:
            self.session.spawn(self._look())

    async def _look(self) -> None:
        self._look_with(await self.wishes.seek())
        account_id = self.session.identity.account_id
        if self.wishes.rated and account_id is not None and await self.session.services.conduct.is_warned(account_id):
            self.session.notice("lobby.warned")

    def _look_with(self, ticket: Any) -> None:
        """Look with this ticket; with one that there was, perhaps of the same key pressed twice, no longer."""
        self.stop_looking()
        self.ticket = ticket
        ticket.on_asked = self.session.hear_question

    def do_agree(self) -> None:
        """Begin with those who are there."""
        self.session.answer_question(agrees=True)

    def do_decline(self) -> None:
        """Wait on for more."""
        self.session.answer_question(agrees=False)

    def do_cancel(self) -> None:
        """Stop looking."""
        self.stop_looking()

    def stop_looking(self) -> None:
        """Take the seeks back."""
        if self.ticket is not None:
            self._let_go().cancel()

    def _let_go(self) -> Any:
        """Look with no ticket any more; returns the one there was."""
        ticket, self.ticket = self.ticket, None
        if ticket is not None:
            ticket.on_asked = None
            self.session.hear_question()
        return ticket

    def paired(self) -> None:
        """Take note that a match was found."""
        self._let_go()

    def do_open(self) -> None:
        """Open the chosen row."""
        row = self.chosen()
        if row is not None:
            self.session.spawn(self._open(row))

    async def _open(self, row: Row) -> None:
        from server.tui.screens import doors

        match row.kind:
            case "mine" | "live":
                await doors.go_to_match(self.session, row.target)
            case "room" | "challenge":
                await doors.go_to_room(self.session, row.target)
            case "seek":
                self._look_with(await self.wishes.answer(row.seek))

    def do_watch(self) -> None:
        """Watch the chosen live match, or the first one."""
        row = self.chosen()
        if row is None or row.kind != "live":
            row = next((one for one in self.rows() if one.kind == "live"), None)
        if row is None:
            self.session.notice("lobby.nothing-live")
        else:
            self.session.spawn(self._open(row))

    def do_filter(self) -> None:
        """Filter while typing."""
        self.session.type("lobby.ask-filter", self._set_filter, self.lists.filter, self._set_filter, limit=40)

    def _set_filter(self, text: str) -> None:
        self.lists.filter = text
        self.chooser = Chooser().clamp(len(self.rows()))
        self.session.dirty()

    def do_chat(self) -> None:
        """Say something to everybody."""
        self.session.type("lobby.say", self._say, stays=True)

    def _say(self, text: str) -> None:
        self.session.spawn(self.session.services.chat.say(CHAT_CHANNEL, self.session.identity.player, text))

    def do_quit(self) -> None:
        """Leave the house."""
        self.session.quit()
