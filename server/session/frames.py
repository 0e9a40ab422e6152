"""How a session's frames are composed: the page on top, what is asked or said, and the keys."""

from __future__ import annotations

from dataclasses import replace

from server.boards import keymap
from server.session.asking import Asking
from server.session.display import Display
from server.session.heldkeys import HeldKeys
from server.session.meanings import meaning_of
from server.session.otherturns import WaitingMatch
from server.session.page import Body, Page
from server.session.pages import Pages
from server.session.prompts import Prompts, typed
from server.terminal import frame
from server.terminal.frame import Layout
from server.terminal.hint import Hint
from server.terminal.itemlines import banner_line, in_full, told_lines
from server.terminal.items import AskedQuestion, Toast
from server.terminal.lines import Line, plain
from server.terminal.meaning import Meaning
from server.terminal.sheet import Frame
from server.terminal.stage import Stage

WAY_OUT = "esc"
MARK_COLS = 80  # of a screen: from here on the title has room to say that it is the person's turn elsewhere


class Frames:
    """Composes what the person sees."""

    def __init__(self, display: Display, prompts: Prompts, pages: Pages, asking: Asking, held: HeldKeys) -> None:
        self._display, self._prompts, self._pages = display, prompts, pages
        self._asking, self._held = asking, held
        self._was_held = False  # keys were held back when the last frame was composed

    def compose(self, cols: int, rows: int, for_all: bool = False) -> Frame:
        """Draw the page on top with its frame, in the characters the terminal can show.

        `for_all`: for everybody who shares it, so without this person's badge.
        """
        page = self._pages.top
        if page is not None:
            page.refresh()
        if frame.is_too_small(cols, rows):
            drawn = frame.too_small(self._display.look, cols, rows)
        else:
            stage = self.stage(cols, rows)
            drawn = stage.placed(self._compose(page, Layout(*stage.size), for_all))
        if self._display.screen.means and page is not None:
            drawn = replace(drawn, meaning=self._meaning())
        if self._display.look.glyph_set != "ascii":
            return drawn
        return replace(drawn, lines=tuple(self._display.shown(line) for line in drawn.lines))

    def _meaning(self) -> Meaning:
        asked, pages = self._asking.elsewhere(), tuple(self._pages)
        return meaning_of(pages, self._prompts, asked, self.hints(), self._was_held, self._display.look)

    def stage(self, cols: int, rows: int) -> Stage:
        """Return where the page on top stands on a terminal of this size."""
        page = self._pages.top
        limit = page.limit() if page is not None else Page.measure
        return Stage(cols, rows, limit.size_on(cols, rows))

    def state(self) -> object:
        """Return what a frame for all shows besides what their share key says, as it is now.

        Equal states look alike; None: not known, so it must be composed.
        """
        if (page := self._pages.top) is None:
            return None
        page.refresh()
        shown = page.share_state()
        return None if shown is None else (shown, self._holds(page), self._asking.elsewhere())

    def ticked(self, drawn: Frame) -> Frame | None:
        """Return a frame as it shows now, when only time has passed since it was drawn; None: compose it anew."""
        stage = self.stage(drawn.cols, drawn.rows)
        page, layout = self._pages.top, Layout(*stage.size)
        if page is None or frame.is_too_small(drawn.cols, drawn.rows) or self._was_held or self._holds(page):
            return None
        ticked, lines = page.ticked(), list(drawn.lines)
        if ticked is None:
            return None
        for y, line in ticked.rows.items():
            if y >= layout.body_rows - page.covered_rows:
                return None
            lines[stage.row(layout.top + y)] = stage.line(self._display.shown(line))
        if ticked.message:
            *more, message = self._message(page, layout.cols, self._asking.elsewhere())
            if more or page.covered_rows:
                return None
            lines[stage.row(layout.top + layout.body_rows)] = stage.line(self._display.shown(message))
        return replace(drawn, lines=tuple(lines)) if ticked.rows or ticked.message else drawn

    def _compose(self, page: Page | None, layout: Layout, for_all: bool) -> Frame:
        """Draw a page with its frame. What is said first decides how many rows of the body it covers."""
        look, cols = self._display.look, layout.cols
        if page is None:
            return frame.compose(layout, look, plain(""), [], (), ())
        asked, waiting = self._asking.elsewhere(), self._pages.waiting_elsewhere()
        banner = page.banner()
        in_gap = banner_line(banner, look, cols) if banner is not None and layout.has_gap else ()
        above = told_lines(banner, look, cols) if banner is not None and not layout.has_gap else []
        said = self._message(page, cols, asked)
        page.covered_rows = len(above) + len(said) - 1
        body = page.body(cols, layout.body_rows)
        *more, message = (*above, *(self._message(page, cols, asked) if page.tells_of_body else said))
        badge = page.badge() if for_all else ""
        key = self._turn_hint(page, waiting)
        mark = self._turn_mark(waiting, key, cols)
        page.marked_cols = frame.mark_cols(mark)
        title = frame.title_line(page.title(), page.who(), look, cols, badge, page.title_style(), mark)
        cursor = self._cursor(body, layout)
        self._was_held = holds = self._holds(page)
        hints = self._hints(page, key, asked)
        drawn = frame.compose(
            layout,
            look,
            title,
            body.lines,
            message,
            hints,
            cursor,
            body.is_fitted,
            holds,
            in_gap,
        )
        if more:
            drawn = replace(drawn, lines=frame.covered(drawn.lines, layout, more))
        return replace(drawn, badge_end=cols - frame.after_badge(page.who(), badge)) if badge else drawn

    def _turn_hint(self, page: Page, waiting: WaitingMatch | None) -> Hint | None:
        """Return the key that goes to a match that waits elsewhere; None: none does, or the page uses the key.

        It gives way to the page's own keys: the title says it, too.
        """
        if waiting is None:
            return None
        [hint] = keymap.hints("everywhere", ("turn",))
        hint = hint.named("match.call.answer") if waiting.wanted != "turn" else hint
        used = (keymap.command(context, key) for context in page.contexts() for key in hint.press)
        return None if any(command not in (None, "next") for command in used) else replace(hint, gives_way=True)

    def _turn_mark(self, waiting: WaitingMatch | None, key: Hint | None, cols: int) -> str:
        """Say that it is the person's turn elsewhere, after the key that goes there, where the page leaves it free.

        A narrow title has room for the key and the game.
        """
        look = self._display.look
        if waiting is None or key is None:
            return "" if waiting is None else waiting.call(look)
        turn = look.game(waiting.match.game) if cols < MARK_COLS else waiting.call(look)
        return f"{frame.key_name(key.shown, look)} {turn}"

    def _cursor(self, body: Body, layout: Layout) -> tuple[int, int] | None:
        """Return column and row of the cursor, from the body's first row on: in a line being typed, else the page's."""
        prompts = self._prompts
        if prompts.question is not None or prompts.typing is None:
            return body.cursor if prompts.question is None else None
        return typed(prompts.typing, layout.cols)[1], layout.body_rows

    def _holds(self, page: Page) -> bool:
        """Tell whether keys are held back."""
        return self._held.holds or page.holds_keys() or self._asking.holds

    def _message(self, page: Page, cols: int, asked: str) -> list[Line]:
        """Return what is said and asked, each in as many lines as it takes.

        A notice stands above, and hides no question; what the keys answer stands last. `asked`: on another page.
        """
        prompts, look = self._prompts, self._display.look
        lines = told_lines(prompts.said, look, cols) if prompts.said is not None else []
        if asked:
            lines += told_lines(Toast(asked, "warn"), look, cols)
        if prompts.question is not None:
            return [*lines, *told_lines(AskedQuestion(prompts.question.text), look, cols)]
        own = in_full(page.message() if page.draws_message else (), cols)
        own = own if page.message_stays() or not lines else []
        if prompts.typing is not None:
            return [*lines, *(own if page.message_stays() else ()), typed(prompts.typing, cols)[0]]
        return [*lines, *own]

    def hints(self) -> tuple[Hint, ...]:
        """Return the keys that work right now; Help is the last, but on help itself."""
        page = self._pages.top
        turn = self._turn_hint(page, self._pages.waiting_elsewhere()) if page is not None else None
        return self._hints(page, turn, self._asking.elsewhere())

    def _hints(self, page: Page | None, turn: Hint | None, asked: str) -> tuple[Hint, ...]:
        """Return the keys that work right now; `turn` goes to a match that waits, `asked` is what another page asks."""
        prompted = self._prompts.hints(page.hints if page is not None else tuple)
        if prompted is not None:
            return prompted
        own = _way_out_last(page.hints()) if page is not None else ()
        if turn is not None:
            others = tuple(hint for hint in own if hint.press != turn.press)
            own = (*others[:-1], turn, *others[-1:])  # the last is the way back
        answers = keymap.hints("everywhere", ("agree", "decline")) if asked else ()
        helps = () if page is not None and page.is_overlay else keymap.hints("everywhere", ("help",))
        return (*answers, *own, *helps)


def _way_out_last(hints: tuple[Hint, ...]) -> tuple[Hint, ...]:
    """Return the hints with the key that goes back or drops something behind the others, which stand still for it."""
    return tuple(sorted(hints, key=lambda hint: WAY_OUT in hint.keys))
