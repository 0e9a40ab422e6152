"""Drawing the lobby: one's own rows, Play now, the lists with what stands beside them, the chat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from server.screens.chatlines import chat_lines
from server.screens.chooser import Chooser
from server.screens.lists import TOP, Lists, empty, list_cols
from server.screens.lobbyrows import LobbyRow
from server.screens.playnow import PlayChoices
from server.screens.preview import Preview, preview_cols
from server.session.session import Session
from server.terminal import frame
from server.terminal.lines import Line, beside, block, fit, inset, plain, text_of

CHAT_CHANNEL: Final = "lobby"
LEAST_LIST_ROWS: Final = 6
GAP_COLS: Final = 2  # between the lists and what stands beside them
LEAST_PEOPLE: Final = 4  # rows for who is here that are worth drawing
PREVIEW: Final = -1  # what a click may hit besides a row


class Shares(NamedTuple):
    """How the rows of the screen are shared out: how many rows one has oneself, and the lines of each section."""

    own: int
    own_lines: int
    followed: int  # a line of whom one follows, or none
    lists: int
    chat: int

    @property
    def top(self) -> int:
        """Return the line on which the lists begin: below one's own rows, Play now and the rules."""
        return self.followed + (self.own_lines + 3 if self.own_lines else 2)


class LobbyDrawing:
    """Draws the lobby, and finds what stands at a place of it."""

    def __init__(self, session: Session, lists: Lists, choices: PlayChoices, preview: Preview) -> None:
        self._session, self._lists, self._choices, self._preview = session, lists, choices, preview

    def draw(self, found: Sequence[LobbyRow], chooser: Chooser, is_looking: bool, cols: int, rows: int) -> list[Line]:
        """Draw the sections, each with its own share of the rows. `is_looking`: for players."""
        look = self._session.look
        rule = frame.rule(look, cols)
        shares = self.shares(found, rows)
        play = self._choices.line(look, cols, is_looking, self._ratings_sought())
        own = [self._line(found, chooser, i, cols) for i in range(shares.own_lines)]
        top = [*own, rule, *self._followed(cols), play, rule] if own else [*self._followed(cols), play, rule]
        wide = list_cols(cols, self._lists.has_preview)
        shown_cols = wide if wide == cols else wide - GAP_COLS
        lists = self._listed(found, chooser, is_looking, shares, shown_cols)
        if wide < cols:
            lists = beside(lists, self._beside(cols - wide, shares.lists), wide, cols - wide)
        return [*top, *lists, self._summary(found, cols), rule, *self._chat(cols, shares.chat)]

    def shares(self, found: Sequence[LobbyRow], rows: int) -> Shares:
        """Share out `rows` rows."""
        chat = max(1, min(8, rows // 6))
        own = 0 if self._lists.is_everybodys else sum(row.kind in TOP for row in found)
        followed = len(self._followed(1))
        own_lines = min(own, max(0, rows - chat - 4 - followed - LEAST_LIST_ROWS))
        return Shares(own, own_lines, followed, rows - own_lines - (3 if own_lines else 2) - followed - chat - 2, chat)

    def row_at(
        self, found: Sequence[LobbyRow], chooser: Chooser, cols: int, rows: int, col: int, row: int
    ) -> int | None:
        """Return the row drawn at a place of the body, or PREVIEW; None: there is neither."""
        shares = self.shares(found, rows)
        at = row - shares.top
        if not 0 <= at < shares.lists:
            return row if row < shares.own_lines else None
        if col >= list_cols(cols, self._lists.has_preview):
            return PREVIEW
        window = _window(found, chooser, shares)
        return shares.own + window[at] if at < len(window) else None

    def _listed(
        self, found: Sequence[LobbyRow], chooser: Chooser, is_looking: bool, shares: Shares, cols: int
    ) -> list[Line]:
        """Draw open seats and matches; where nobody waits or plays, also what one can do alone, if there is room."""
        lines = [self._line(found, chooser, shares.own + i, cols) for i in _window(found, chooser, shares)]
        if all(row.kind in ("live", "ended") for row in found[shares.own :]):
            is_newcomer = not self._session.person.preferences.bot_game
            alone = empty(self._session.look, self._lists.filter if not lines else "", is_looking, is_newcomer)
            if not lines or (not self._lists.filter and len(lines) + len(alone) <= shares.lists):
                lines += alone
        return block(lines, cols, shares.lists)

    def _line(self, found: Sequence[LobbyRow], chooser: Chooser, index: int, cols: int) -> Line:
        line = fit(found[index].line, cols)
        if index != chooser.clamp(len(found)).index:
            return line
        return (("row", self._session.look.glyphs.pointer + text_of(line)[1:]),)

    def _followed(self, cols: int) -> list[Line]:
        """Say, in one line or none, who of those whom one follows is here; who plays stands first."""
        t, found = self._session.t, self._lists.followed_here()
        if not found:
            return []
        names = [(one, f"{one.name} ({t('people.playing')})" if one.playing else one.name) for one in found]
        names.sort(key=lambda one: one[0].playing is None)
        said = t("list.comma").join(name for _, name in names)
        return [fit(plain(f" {t('lobby.followed', names=said)}", "good"), cols)]

    def _ratings_sought(self) -> tuple[int, int] | None:
        """Return the ratings that one's own seeks take just now."""
        me = self._session.identity.player
        own = [seek for seek in self._lists.view.seeks if seek.player.is_same_person(me)]
        windows = [(seek.low, seek.high) for seek in own if seek.low is not None and seek.high is not None]
        return (min(low for low, _ in windows), max(high for _, high in windows)) if windows else None

    def _beside(self, cols: int, rows: int) -> list[Line]:
        """Draw what stands beside the lists: the match that is shown, and who is here in the rows it leaves."""
        if not self._lists.has_preview:
            return self._people(rows)
        drawn = self._preview.lines(cols, rows)
        used = max((y + 1 for y, line in enumerate(drawn) if text_of(line).strip()), default=0)
        return [*drawn[:used], *(self._people(rows - used) if rows - used >= LEAST_PEOPLE else ())]

    def _people(self, rows: int) -> list[Line]:
        t, here = self._session.t, self._lists.here()
        lines: list[Line] = [plain(t("lobby.people"), "title")]
        shown = here[: max(0, rows - 2)]
        for person in shown:
            style = "good" if person.playing else ""
            lines.append(
                (
                    (style, self._session.marked(person.name)),
                    ("dim", f" {t('people.playing')}" if person.playing else ""),
                )
            )
        if len(shown) < len(here):
            lines.append(plain(t("lobby.more", n=len(here) - len(shown)), "dim"))
        return lines

    def _summary(self, found: Sequence[LobbyRow], cols: int) -> Line:
        """Say how many rows the filter leaves; without one, what the match shown has come to, where it has no board."""
        if not self._lists.filter:
            return self._preview.one_line(cols) if not preview_cols(cols) else ()
        n, view = sum(row.kind not in TOP for row in found), self._lists.view
        total = sum(map(len, (view.seeks, view.rooms, view.matches, view.ended)))
        said = self._session.t("lobby.filtered", filter=self._lists.filter, found=n, total=total)
        return plain(f" {said}", "warn")

    def _chat(self, cols: int, rows: int) -> list[Line]:
        recent = self._session.services.chat.recent(CHAT_CHANNEL, self._session.person.blocked)
        lines = chat_lines(recent, self._session.look, cols - 1, rows, self._session.marked)
        if not lines:
            lines = [plain(self._session.t("lobby.chat-empty"), "dim")]
        return block(inset(lines), cols, rows)


def _window(found: Sequence[LobbyRow], chooser: Chooser, shares: Shares) -> range:
    """Return which of the rows below one's own are shown."""
    index = max(0, chooser.clamp(len(found)).index - shares.own)
    return Chooser(index, max(0, chooser.top - shares.own)).window(len(found) - shares.own, shares.lists)
