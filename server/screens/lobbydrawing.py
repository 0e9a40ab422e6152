"""Drawing the lobby: one's own rows, Play now, the lists with what stands beside them, the chat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from server.screens.chatlines import chat_lines
from server.screens.chooser import Chooser
from server.screens.gametable import card_lines, game_lines, games_told, named_emblems
from server.screens.lists import TOP, FollowedTold, Lists, empty, list_cols
from server.screens.lobbyrows import LobbyRow
from server.screens.playnow import LARGE_ROWS, PlayChoices
from server.screens.preview import Preview, preview_cols, talk_cols
from server.session.session import Session
from server.terminal import frame
from server.terminal.itemlines import empty_lines, heading_line, with_whole_offers
from server.terminal.items import Empty, Heading, Item, ListRow, Said
from server.terminal.largetext import word_mark
from server.terminal.lines import (
    Line,
    beside,
    block,
    ends,
    fit,
    inset,
    packed_lines,
    plain,
    text_of,
    width_cols,
    wrapped,
)

CHAT_CHANNEL: Final = "lobby"
LEAST_LIST_ROWS: Final = 6
KEYED_FROM: Final = 60  # columns, for the key that opens a match told in one line
GAP_COLS: Final = 2  # between the lists and what stands beside them
LEAST_CHAT: Final = 4  # rows that the chat has before who is here is named
MOST_PEOPLE: Final = 4  # lines of names
TABLE_GAP: Final = 1  # blank lines between the lists and the games, at least
LARGE_PLAY_FROM: Final = 26  # rows of a body in which Play now is drawn large
BOARD_BELOW: Final = (40, 9)  # columns and rows of a match that is shown below the lists
BOARD_BELOW_FROM: Final = 76  # columns of a screen, so that who is here and the chat have room beside it
PREVIEW: Final = -1  # what a click may hit besides a row


class Shares(NamedTuple):
    """How the rows of the screen are shared out: how many rows one has oneself, and the lines of each section.

    `below`: below the lists, where no column beside them has it: the chat, or the match shown with the chat beside it.
    """

    own: int
    own_lines: int
    followed: int  # a line of whom one follows, or none
    play: int
    lists: int
    below: int
    has_board_below: bool

    @property
    def top(self) -> int:
        """Return the line on which the lists begin: below one's own rows and Play now."""
        return self.own_lines + (1 if self.own_lines else 0) + self.followed + self.play + 1


class LobbyDrawing:
    """Draws the lobby, and finds what stands at a place of it."""

    def __init__(self, session: Session, lists: Lists, choices: PlayChoices, preview: Preview) -> None:
        self._session, self._lists, self._choices, self._preview = session, lists, choices, preview

    def draw(self, found: Sequence[LobbyRow], chooser: Chooser, is_looking: bool, cols: int, rows: int) -> list[Line]:
        """Draw the sections, each with its own share of the rows. `is_looking`: for players."""
        look, wide = self._session.look, list_cols(cols)
        has_column = wide < cols
        shares, left_cols = self.shares(found, cols, rows), wide - GAP_COLS if has_column else cols
        own = [self._line(found, chooser, i, left_cols) for i in range(shares.own_lines)]
        play = self._choices.lines(look, left_cols, is_looking, shares.play, self._ratings_sought())
        top = [*own, *([()] if own else []), *self._followed(left_cols), *play, ()]
        lists = self._listed(found, chooser, is_looking, shares, left_cols)
        left = [*top, *lists, self._summary(found, cols, has_column or shares.has_board_below)]
        if has_column:
            return beside(left, self._beside(cols, rows), wide, cols - wide)
        if shares.has_board_below:
            shown, talk = BOARD_BELOW[0] + GAP_COLS, cols - BOARD_BELOW[0] - GAP_COLS
            board = self._preview.lines(BOARD_BELOW[0], shares.below)
            return [*left, *beside(board, self._talk(talk, shares.below), shown, talk)]
        chat = shares.below - 1
        return [*left, frame.rule(look, cols), *inset(block(self._chat(cols - 1, chat), cols - 1, chat))]

    def told(self, found: Sequence[LobbyRow], chooser: Chooser, is_looking: bool) -> list[Item]:
        """Tell the sections: one's own rows, Play now, the lists, the match shown, who is here."""
        session, at = self._session, chooser.clamp(len(found)).index
        rows = [ListRow(row.words, i == at) for i, row in enumerate(found)]
        own = sum(row.kind in TOP for row in found)
        followed, shown = self._followed_words(), self._preview.words()
        told: list[Item] = [*rows[:own], *([Said(followed)] if followed else [])]
        told += [Said(self._choices.words(session.look, is_looking, self._ratings_sought())), *rows[own:]]
        if self._lists.filter:
            told.append(Said(self._filtered(found)))
        else:
            waits = not _nobody_waits(found[own:])
            told.append(empty(session.look, "", is_looking, session.person.is_newcomer, waits))
        told += [Said(shown)] if shown else []
        told += games_told(session.look)
        people = session.t("list.comma").join(self._people_words())
        return [*told, *((Heading(session.t("lobby.people")), Said(people)) if people else ())]

    def _people_words(self) -> list[str]:
        """Name who is here; who plays is marked."""
        t, marked = self._session.t, self._session.marked
        return [
            t("list.noted", what=marked(one.name), note=t("people.playing")) if one.playing else marked(one.name)
            for one in self._lists.here()
        ]

    def shares(self, found: Sequence[LobbyRow], cols: int, rows: int) -> Shares:
        """Share out `rows` rows."""
        play = LARGE_ROWS if rows >= LARGE_PLAY_FROM else 1
        own = 0 if self._lists.is_everybodys else sum(row.kind in TOP for row in found)
        followed = len(self._followed(1))
        fixed = followed + play + 1 + 1  # a blank line, and what the filter leaves
        own_rows = own + (1 if own else 0)
        has_column = list_cols(cols) < cols
        has_board = not has_column and self._has_board_below(found[own:], cols, rows - fixed - own_rows)
        below = BOARD_BELOW[1] if has_board else 0 if has_column else max(1, min(8, rows // 6)) + 1
        own_lines = own if has_board else min(own, max(0, rows - fixed - below - 1 - LEAST_LIST_ROWS))
        lists = rows - fixed - below - own_lines - (1 if own_lines else 0)
        return Shares(own, own_lines, followed, play, lists, below, has_board)

    def _has_board_below(self, listed: Sequence[LobbyRow], cols: int, rows: int) -> bool:
        """Tell whether the match shown has a board below the lists: where rows to be joined or watched have room."""
        running = sum(row.kind != "ended" for row in listed)
        has_room = cols >= BOARD_BELOW_FROM and rows - BOARD_BELOW[1] >= min(running, LEAST_LIST_ROWS)
        return has_room and self._lists.has_live_preview and not self._lists.filter

    def row_at(
        self, found: Sequence[LobbyRow], chooser: Chooser, cols: int, rows: int, col: int, row: int
    ) -> int | None:
        """Return the row drawn at a place of the body, or PREVIEW; None: there is neither."""
        shares, wide = self.shares(found, cols, rows), list_cols(cols)
        if col >= wide:
            return PREVIEW if col < cols - talk_cols(cols) and row < self._preview_rows(cols, rows) else None
        if shares.has_board_below and row >= rows - shares.below:
            return PREVIEW if col < BOARD_BELOW[0] else None
        at = row - shares.top
        if not 0 <= at < shares.lists:
            return row if row < shares.own_lines else None
        window = self._window(found, chooser, shares, wide - GAP_COLS if wide < cols else cols)
        return shares.own + window[at] if at < len(window) else None

    def _listed(
        self, found: Sequence[LobbyRow], chooser: Chooser, is_looking: bool, shares: Shares, cols: int
    ) -> list[Line]:
        """Draw open seats and matches, below them what one can do alone, if there is room."""
        lines = [self._line(found, chooser, shares.own + i, cols) for i in self._window(found, chooser, shares, cols)]
        look, is_newcomer = self._session.look, self._session.person.is_newcomer
        waits = not _nobody_waits(found[shares.own :])
        nothing = empty(look, self._lists.filter if not lines else "", is_looking, is_newcomer, waits)
        room = shares.lists - len(lines)
        alone = list(_alone(nothing, cols, room))
        if not lines and not alone:
            alone = empty_lines(Empty(nothing.text), cols)[: max(0, room)]
        tops = [lines] if lines and self._lists.filter else [[*lines, *alone]]
        if not lines and not self._lists.filter:
            marked = [(), *inset(word_mark(self._session.server_name, look, cols - 6), 3), *alone]
            tops = [marked, *tops] if len(marked) < room else tops
        first, emblems = tops[0], named_emblems(look, cols)
        if alone:  # for emblems the word mark gives way, then blank lines
            tops.append([*lines, *([()] if lines else []), *empty_lines(nothing, cols)])
        tables = ((first, card_lines(look, cols)), *((top, emblems) for top in tops), (first, game_lines(look, cols)))
        for top, table in tables:
            left = shares.lists - len(top) - len(table)
            if table and left >= TABLE_GAP:  # what would be empty says what is played
                below = [()] if shares.below and left > TABLE_GAP else []
                return [*block(top, cols, shares.lists - len(table) - len(below)), *table, *below]
        return block(first, cols, shares.lists)

    def _window(self, found: Sequence[LobbyRow], chooser: Chooser, shares: Shares, cols: int) -> range:
        """Return which of the rows below one's own are shown: ended matches leave room for what one can do."""
        listed, index = found[shares.own :], max(0, chooser.clamp(len(found)).index - shares.own)
        session, ended = self._session, sum(row.kind == "ended" for row in listed)
        rows = shares.lists
        if ended and not self._lists.filter:
            hints = empty(session.look, "", False, session.person.is_newcomer, not _nobody_waits(listed))
            rows = max(1, len(listed) - ended, rows - len(_alone(hints, cols, rows)) - 1)  # a blank line below
        return Chooser(index, max(0, chooser.top - shares.own)).window(len(listed), min(rows, shares.lists))

    def _line(self, found: Sequence[LobbyRow], chooser: Chooser, index: int, cols: int) -> Line:
        line = fit(found[index].line, cols)
        if index != chooser.clamp(len(found)).index:
            return line
        return (("row", self._session.look.glyphs.pointer + text_of(line)[1:]),)

    def _followed(self, cols: int) -> list[Line]:
        """Say, in one line or none, who of those whom one follows is here."""
        said = self._followed_words()
        return [fit(plain(f" {said}", "good"), cols)] if said else []

    def _followed_words(self) -> str:
        """Say who of those whom one follows has written or is here: the writers first, then who plays."""
        t, found = self._session.t, self._lists.followed_told()
        names = [self._with_notes(one) for one in sorted(found, key=lambda one: (not one.unread, not one.is_playing))]
        return t("lobby.followed", names=t("list.comma").join(names)) if names else ""

    def _with_notes(self, one: FollowedTold) -> str:
        """Name somebody, with how many of their messages are new, and whether they play."""
        t = self._session.t
        unread = (t("people.unread", n=one.unread),) if one.unread else ()
        notes = t("list.comma").join((*unread, *((t("people.playing"),) if one.is_playing else ())))
        return t("list.noted", what=one.name, note=notes) if notes else one.name

    def _ratings_sought(self) -> tuple[int, int] | None:
        """Return the ratings that one's own seeks take just now."""
        me = self._session.identity.player
        own = [seek for seek in self._lists.view.seeks if seek.player.is_same_person(me)]
        windows = [(seek.low, seek.high) for seek in own if seek.low is not None and seek.high is not None]
        return (min(low for low, _ in windows), max(high for _, high in windows)) if windows else None

    def _beside(self, cols: int, rows: int) -> list[Line]:
        """Draw what stands beside the lists: the match shown, and beside or below it who is here and the chat."""
        board, talk = preview_cols(cols), talk_cols(cols)
        shown = self._preview_rows(cols, rows)
        drawn = self._preview.lines(_board_cols(cols), rows)[:shown]
        if shown and talk:
            return beside(drawn, self._talk(talk, rows), board, talk)
        drawn += [()] if shown else []
        return [*drawn, *self._talk(board + talk, rows - len(drawn))]

    def _talk(self, cols: int, rows: int) -> list[Line]:
        """Draw who is here, where there is room, and below them the chat."""
        t, look = self._session.t, self._session.look
        people = [heading_line(Heading(t("lobby.people"))), *self._people(cols), ()]
        drawn = people if len(people) + LEAST_CHAT <= rows else []
        room = rows - len(drawn) - 1
        if room < 1:
            return drawn
        head = Heading(t("keys.lobby.chat"), frame.key_name("tab", look))
        return [*drawn, heading_line(head), *self._chat(cols, room)]

    def _preview_rows(self, cols: int, rows: int) -> int:
        """Return how many lines the match has that is shown beside the lists of a screen."""
        if not self._lists.has_preview:
            return 0
        drawn = self._preview.lines(_board_cols(cols), rows)
        return max((y + 1 for y, line in enumerate(drawn) if text_of(line).strip()), default=0)

    def _people(self, cols: int) -> list[Line]:
        """Name who is here, in a few lines; who plays is marked."""
        t, here = self._session.t, self._lists.here()
        named: list[Line] = [
            (("good", name), ("dim", f" {t('people.playing')}")) if person.playing else plain(name)
            for person, name in ((one, self._session.marked(one.name)) for one in here)
        ]
        lines = packed_lines(named, cols)
        if len(lines) <= MOST_PEOPLE:
            return lines
        left = len(here) - sum(1 for line in lines[: MOST_PEOPLE - 1] for style, text in line if _is_name(style, text))
        return [*lines[: MOST_PEOPLE - 1], plain(t("lobby.more", n=left), "dim")]

    def _summary(self, found: Sequence[LobbyRow], cols: int, has_board: bool) -> Line:
        """Say how many rows the filter leaves; without one, what the match shown has come to, where it has no board."""
        look = self._session.look
        if said := self._filtered(found):
            return plain(f" {said}", "warn")
        if has_board or not (whole := self._preview.one_line(cols)):
            return ()
        watch: Line = (("key", frame.key_name("w", look)), ("", f" {look.t('keys.lobby.watch')} "))
        left = cols - width_cols(watch) - GAP_COLS
        return ends(self._preview.one_line(left), watch, cols) if cols >= KEYED_FROM else whole

    def _filtered(self, found: Sequence[LobbyRow]) -> str:
        """Say how many rows the filter leaves; '' without one."""
        if not self._lists.filter:
            return ""
        n, total = sum(row.kind not in TOP for row in found), self._lists.open_count
        return self._session.t("lobby.filtered", filter=self._lists.filter, found=n, total=total)

    def _chat(self, cols: int, rows: int) -> list[Line]:
        recent = self._session.services.chat.recent(CHAT_CHANNEL, self._session.person.blocked)
        lines = chat_lines(recent, self._session.look, cols, rows, self._session.marked, self._session.prompts.back)
        return lines or wrapped(self._session.t("lobby.chat-empty"), cols, "dim")


def _alone(nothing: Empty, cols: int, room: int) -> tuple[Line, ...]:
    """Draw what stands where nothing is listed, in at most `room` lines: each offer whole, a blank line around all."""
    if not nothing.offers:
        return ((), *empty_lines(nothing, cols))[: max(0, room)]
    for around in (2, 1):
        found = with_whole_offers(nothing, cols, room - around)
        if found.offers:
            return ((), *empty_lines(found, cols))
    return ()


def _board_cols(cols: int) -> int:
    """Return how many columns a board has beside the lists of a screen."""
    return preview_cols(cols) - (GAP_COLS if talk_cols(cols) else 0)


def _nobody_waits(found: Sequence[LobbyRow]) -> bool:
    """Tell whether none of these rows is of somebody who waits for others."""
    return all(row.kind in ("live", "ended") for row in found)


def _is_name(style: str, text: str) -> bool:
    """Tell whether a span of the people's lines is somebody's name."""
    return style != "dim" and bool(text.strip())
