"""A session as a dialogue: it says what there is and what happens, asks with a prompt, and takes typed lines.

The race between events and typed lines: what happens while a line is being typed waits for its end, is said before the
line is judged, and where it has changed what was asked the line is not done. A line is typed under the prompt that
stood there when its first character came; lines that a program sends ahead, under the one that the line before brings.

Where nothing is asked, because others are waited for, what they do is said without a prompt after each thing: the
prompt comes once, when nothing has happened for a moment.
"""

from __future__ import annotations

from asyncio import Task
from collections.abc import Callable
from time import thread_time
from typing import Final

from server.session.asking import Asking
from server.session.display import Display
from server.session.interpreter import Interpreter, UnderPrompt
from server.session.lifetime import Lifetime
from server.session.pages import Pages
from server.session.prompts import Prompts
from server.session.spokenpage import SpokenPage
from server.terminal.lineeditor import Struck, Typed
from server.terminal.lineterminal import LineTerminal
from server.tokenbucket import Bucket

SETTLES_S: Final = 1.0  # in which what a line has begun mostly ends: then its outcome is said with the answer
QUIET_S: Final = 3.0  # without news, until it is said once that others are waited for
LINES_SHARE: Final = 0.1  # of one core that a session's lines may take in the long run
LINES_RESERVE_S: Final = 0.5  # of such time, saved up


class Dialogue:
    """Says a session to a terminal without a cursor. It takes the place of frames, keys and drawing."""

    def __init__(
        self,
        terminal: LineTerminal,
        display: Display,
        prompts: Prompts,
        lifetime: Lifetime,
        pages: Pages,
        asking: Asking,
        everywhere: Callable[[str], None],
        monotonic: Callable[[], float],
    ) -> None:
        """`everywhere`: does a command that works on every page."""
        self._terminal, self._display, self._prompts, self._lifetime = terminal, display, prompts, lifetime
        self._pages, self._asking, self._monotonic = pages, asking, monotonic
        self._notices: list[str] = []
        self._spoken = spoken = SpokenPage(display)
        self._interpreter = Interpreter(terminal, display, prompts, pages, asking, spoken, everywhere)
        self._asked, self._asked_in = UnderPrompt(), ""  # by the prompt that was said last, and its words
        self._under: UnderPrompt | None = None  # what was asked when the line began that is being typed
        self._is_ahead = False  # the next line had begun when the one before it was taken
        self._surprises = 0  # pages that had come by themselves until then
        self._settles_until: float | None = None  # while what a line has begun is waited for
        self._others: frozenset[Task[None]] = frozenset()  # what was being done already when the line came
        self._is_waiting = False  # for the share of the core
        self._asks_at: float | None = None  # when the prompt is said that was put off
        self._time = Bucket(LINES_SHARE, LINES_RESERVE_S, monotonic())
        terminal.listen(self._hear)
        prompts.listen(self._notices.append)

    def stop(self) -> None:
        """Take no more lines."""
        self._terminal.listen(None)
        self._prompts.listen(None)
        self._interpreter.stop()

    # Saying

    def say_news(self) -> None:
        """Say what is new, and ask again; nothing while a line is being typed, or what one has begun goes on."""
        was_settling, is_first = self._settles_until is not None, self._asked.page is None
        is_typed = not (was_settling or is_first or self._terminal.editor.is_empty)
        if self._pages.top is None or self._is_settling() or is_typed:
            return
        self._settles_until = None
        said = self._say_news(is_answer=was_settling and not self._interpreter.has_answered)
        if (
            was_settling
            and not (said or self._interpreter.has_answered)
            and self._interpreter.prompt() == self._asked_in
        ):
            refusal = self._spoken.refusal(self._pages.top)
            self._terminal.say((refusal or self._spoken.message or self._display.t("lines.done"),))
        is_new = not self._asked.is_still(self._interpreter.asked_now(()))
        if said or was_settling or is_new:
            self._ask(is_new, is_answer=was_settling)
        elif self._asks_at is not None and self._monotonic() >= self._asks_at:
            self._say_prompt()
        if was_settling or is_first:
            self._later()

    def _is_settling(self) -> bool:
        until = self._settles_until
        if until is None or self._lifetime.is_closing:
            return False
        return self._monotonic() < until and self._lifetime.does_more_than(self._others)

    def _ask(self, is_new: bool, is_answer: bool) -> None:
        """Ask again; once others are waited for, when they are quiet, and not again after what they do then.

        `is_new`: something else is asked now; `is_answer`: a line was typed, after which a prompt always comes.
        """
        self._asked = self._interpreter.asked_now(self._spoken.rows)
        self._asked_in, self._under = self._interpreter.prompt(), None
        is_put_off = self._interpreter.waits and not self._terminal.editor.has_more
        if is_put_off and (is_new or (self._asks_at is not None and not is_answer)):
            self._asks_at = self._monotonic() + QUIET_S
            self._display.later(QUIET_S, self._display.dirty)
        elif is_answer or not is_put_off:
            self._say_prompt()

    def _say_prompt(self) -> None:
        self._asks_at = None
        self._terminal.ask(self._asked_in)

    def _say_news(self, is_answer: bool) -> bool:
        """Say all that is new; `is_answer`: to a line, which may have changed something that is said to nobody else."""
        page, look = self._pages.top, self._display.look
        if page is None:
            return False
        page.refresh()
        said = [one.strip() for one in self._notices]
        self._notices.clear()
        if not self._spoken.is_said(page):
            said = [*self._spoken.enter(page), *said]
        else:
            speech = self._spoken.speech(page)
            said += speech.news()
            said += self._spoken.new_chat(page)
            is_new = page is self._asked.page and speech.asks() != self._asked.asks and speech.is_waited_for
            if self._interpreter.is_verbose and is_new and (board := speech.tells().get("board")) is not None:
                said += board("")
            said += self._spoken.changed(page) if is_answer else ()
        question, typing = self._prompts.question, self._prompts.typing
        if typing is not None and typing.stays and typing.prompt != self._asked.typing:
            said.append(look.t("lines.each-line"))
        if question is not None and question is not self._asked.question:
            said += (
                question.text,
                look.t("lines.answer-word", word=self._interpreter.word) if question.for_good else "",
            )
        elsewhere = self._asking.elsewhere()
        if elsewhere and elsewhere != self._asked.elsewhere:
            said += (elsewhere, look.t("lines.agree"))
        self._terminal.say(one for one in said if one)
        return bool(said)

    # Hearing

    def _hear(self) -> None:
        if self._display.loop is None or self._is_waiting:
            return
        if self._time.pause(0, self._monotonic()):
            self._later()
        else:
            self._display.loop.attempted(self._read)

    def _later(self) -> None:
        """Go on with the lines that wait, in another round of the loop."""
        if self._terminal.editor.has_more and not self._is_waiting:
            self._is_waiting = True
            self._display.later(self._time.take(0, self._monotonic()), self._go_on)

    def _go_on(self) -> None:
        self._is_waiting = False
        self._hear()

    def _read(self) -> None:
        """Take one line; others wait until it is answered."""
        editor = self._terminal.editor
        if self._settles_until is not None or self._pages.top is None:
            return
        if self._under is None:
            is_stale = self._is_ahead and self._pages.surprises != self._surprises
            self._under = UnderPrompt() if is_stale else self._asked
        began, typed = thread_time(), self._terminal.next_line()
        if typed is None:
            self._time.take(thread_time() - began, self._monotonic())
            if editor.rests:
                self._later()
            elif editor.is_empty:  # all was erased: what has happened meanwhile is said now
                self._under = None
                self._display.dirty()
            return
        under, self._under = self._under, self._under if typed.struck is Struck.TAB else None
        self._is_ahead, self._surprises = editor.has_more, self._pages.surprises
        if typed.struck is Struck.TAB:
            self._interpreter.complete(typed.text)
        else:
            self._judge(typed, under)
        self._time.take(thread_time() - began, self._monotonic())
        if self._settles_until is None:
            self._later()

    def _judge(self, typed: Typed, under: UnderPrompt) -> None:
        """Say what has happened, then do what was typed, and wait for what it brings."""
        self._terminal.end_line()
        self._say_news(is_answer=False)
        self._prompts.quieten()
        self._others = self._lifetime.tasks
        self._interpreter.begin()
        match typed.struck:
            case Struck.END:
                self._lifetime.quit()
                return
            case Struck.INTERRUPT:
                self._interpreter.interrupt(typed.text)
            case _ if typed.is_cut or typed.is_garbled:
                self._interpreter.answer("lines.too-long" if typed.is_cut else "lines.garbled")
            case _:
                self._interpreter.do(typed.text.strip(), under)
        self._settles_until = self._monotonic() + SETTLES_S
        self._display.later(SETTLES_S, self._display.dirty)
        self._display.dirty()
