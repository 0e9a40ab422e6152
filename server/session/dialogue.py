"""A session as a dialogue: it says what there is and what happens, asks with a prompt, and takes typed lines.

The race between events and typed lines: what happens while a line is being typed waits for its end, is said before the
line is judged, and where it has changed what was asked the line is not done. A line is typed under the prompt that
stood there when its first character came; lines that a program sends ahead, under the one that the line before brings.
"""

from __future__ import annotations

from asyncio import Task
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from time import thread_time
from typing import Final

from server.boards import keymap
from server.session.asking import Asking
from server.session.display import Display
from server.session.lifetime import Lifetime
from server.session.linewords import (
    BACK,
    DECISIVE,
    TypedCommand,
    commands_of,
    completions,
    find,
    help_sentences,
    meant,
    named_row,
)
from server.session.page import Page, Speech, Tells
from server.session.pages import Pages
from server.session.prompts import Confirmation, Prompts
from server.session.spokenpage import SpokenPage
from server.terminal import itemwords
from server.terminal.lineeditor import Struck, Typed
from server.terminal.lineterminal import LineTerminal
from server.tokenbucket import Bucket

SETTLES_S: Final = 1.0  # in which what a line has begun mostly ends: then its outcome is said with the answer
LINES_SHARE: Final = 0.1  # of one core that a session's lines may take in the long run
LINES_RESERVE_S: Final = 0.5  # of such time, saved up


@dataclass(frozen=True, slots=True)
class UnderPrompt:
    """What a prompt asks: where, which question or line, which decision and offers; the rows as they were said."""

    page: Page | None = None
    question: Confirmation | None = None
    typing: str | None = None
    elsewhere: str = ""
    asks: Hashable = None
    rows: tuple[str, ...] = ()

    def is_still(self, now: UnderPrompt) -> bool:
        """Tell whether the same is asked now; rows are compared one by one, by whom one is chosen."""
        mine, theirs = ((one.question, one.typing, one.elsewhere, one.asks) for one in (self, now))
        return self.page is now.page and mine == theirs


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
        self._pages, self._asking, self._everywhere, self._monotonic = pages, asking, everywhere, monotonic
        self.is_verbose = False
        self._notices: list[str] = []
        self._spoken = SpokenPage(display)
        self._asked, self._asked_in = UnderPrompt(), ""  # by the prompt that was said last, and its words
        self._under: UnderPrompt | None = None  # what was asked when the line began that is being typed
        self._is_ahead = False  # the next line had begun when the one before it was taken
        self._surprises = 0  # pages that had come by themselves until then
        self._word = ""  # the command that was typed last, which an open question is about
        self._settles_until: float | None = None  # while what a line has begun is waited for
        self._others: frozenset[Task[None]] = frozenset()  # what was being done already when the line came
        self._has_answered = False  # something was said since the line
        self._is_waiting = False  # for the share of the core
        self._time = Bucket(LINES_SHARE, LINES_RESERVE_S, monotonic())
        terminal.listen(self._hear)
        prompts.listen(self._notices.append)

    def stop(self) -> None:
        """Take no more lines."""
        self._terminal.listen(None)
        self._prompts.listen(None)
        self._everywhere = _nowhere

    # Saying

    def say_news(self) -> None:
        """Say what is new, and ask again; nothing while a line is being typed, or what one has begun goes on."""
        was_settling, is_first = self._settles_until is not None, self._asked.page is None
        is_typed = not (was_settling or is_first or self._terminal.editor.is_empty)
        if self._pages.top is None or self._is_settling() or is_typed:
            return
        self._settles_until = None
        said = self._say_news(is_answer=was_settling and not self._has_answered)
        if was_settling and not (said or self._has_answered) and self._prompt() == self._asked_in:
            self._terminal.say((self._spoken.message or self._display.t("lines.done"),))
        if said or was_settling or not self._asked.is_still(self._now(())):
            self._ask()
        if was_settling or is_first:
            self._later()

    def _is_settling(self) -> bool:
        until = self._settles_until
        if until is None or self._lifetime.is_closing:
            return False
        return self._monotonic() < until and self._lifetime.does_more_than(self._others)

    def _ask(self) -> None:
        self._asked = self._now(self._spoken.rows)
        self._asked_in, self._under = self._prompt(), None
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
            if self.is_verbose and is_new and (board := speech.tells().get("board")) is not None:
                said += board("")
            said += self._spoken.changed(page) if is_answer else ()
        question = self._prompts.question
        if question is not None and question is not self._asked.question:
            said += (question.text, look.t("lines.answer-word", word=self._word) if question.for_good else "")
        elsewhere = self._asking.elsewhere()
        if elsewhere and elsewhere != self._asked.elsewhere:
            said += (elsewhere, look.t("lines.agree"))
        self._terminal.say(one for one in said if one)
        return bool(said)

    def _prompt(self) -> str:
        prompts, page = self._prompts, self._pages.top
        if prompts.question is not None:
            asked = "lines.prompt.for-good" if prompts.question.for_good else "lines.prompt.question"
            return self._display.t(asked, word=self._word)
        if prompts.typing is not None:
            return prompts.typing.prompt
        return self._spoken.speech(page).prompt() if page is not None else ""

    def _rows(self) -> tuple[str, ...]:
        """Return the rows of the page on top, as they are now."""
        page = self._pages.top
        return itemwords.rows_of(page.items()) if page is not None else ()

    def _now(self, rows: tuple[str, ...]) -> UnderPrompt:
        """Return what is asked as things are now, with these rows."""
        prompts, page = self._prompts, self._pages.top
        typing = None if prompts.typing is None else prompts.typing.prompt
        if page is None:
            return UnderPrompt()
        asks = self._spoken.speech(page).asks()
        return UnderPrompt(page, prompts.question, typing, self._asking.elsewhere(), asks, rows)

    # Hearing

    def _hear(self) -> None:
        if self._display.loop is not None and not self._is_waiting:
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
            if editor.is_empty:  # all was erased: what has happened meanwhile is said now
                self._under = None
                self._display.dirty()
            return
        under, self._under = self._under, self._under if typed.struck is Struck.TAB else None
        self._is_ahead, self._surprises = editor.has_more, self._pages.surprises
        if typed.struck is Struck.TAB:
            self._complete(typed.text)
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
        self._others, self._has_answered = self._lifetime.tasks, False
        match typed.struck:
            case Struck.END:
                self._lifetime.quit()
                return
            case Struck.INTERRUPT if typed.text:
                self._has_answered = True
            case Struck.INTERRUPT:
                self._interrupt()
            case _ if typed.is_cut or typed.is_garbled:
                self._answer("lines.too-long" if typed.is_cut else "lines.garbled")
            case _:
                self._do(typed.text.strip(), under)
        self._settles_until = self._monotonic() + SETTLES_S
        self._display.later(SETTLES_S, self._display.dirty)
        self._display.dirty()

    def _answer(self, key: str, **params: object) -> None:
        self._say((self._display.t(key, **params),))

    def _say(self, texts: Sequence[str]) -> None:
        self._has_answered = True
        self._terminal.say(texts)

    def _interrupt(self) -> None:
        """Drop what is asked; where nothing is, ask whether to leave."""
        if self._prompts.question is not None:
            self._prompts.press("n")
            self._answer("lines.dropped")
        elif self._prompts.typing is not None:
            self._prompts.press("esc")
            self._answer("lines.dropped")
        else:
            self._everywhere("leave")

    # Doing

    def _do(self, text: str, under: UnderPrompt) -> None:
        """Do what a line says: what only tells at once, all else if the same is asked as when it was begun."""
        now, prompts = self._now(self._rows()), self._prompts
        word, _, rest = text.partition(" ")
        is_free = prompts.typing is None and self._tell_word(self._meant(word), rest.strip())
        if is_free:
            return
        if not text and prompts.typing is None:
            self._has_answered = True
        elif not under.is_still(now):
            self._answer("lines.changed")
        elif prompts.typing is not None:
            self._type(text)
        elif prompts.question is not None:
            self._answer_question(prompts.question, text)
        elif word.isdecimal() and now.page is not None and self._choose(now.page, int(word[:9]), rest, under, now):
            pass
        elif self._is_whole(now.page, text) or not self._do_word(text):
            self._answer_page(text, under, now)

    def _is_whole(self, page: Page | None, text: str) -> bool:
        """Tell whether a line is an answer of the page's own, whatever word it begins with."""
        return page is not None and text in self._spoken.speech(page).completes(text)

    def _type(self, text: str) -> None:
        """Take a line for what is being typed; an empty one drops it, or ends a list."""
        typing = self._prompts.typing
        if typing is None:
            return
        if typing.field.keeps_lines and text:
            self._prompts.insert(typing, text + "\n")
            self._has_answered = True
        elif text or typing.field.keeps_lines:
            self._prompts.enter_line(text)
        else:
            self._prompts.press("esc")
            self._answer("lines.dropped")

    def _answer_question(self, question: Confirmation, text: str) -> None:
        said = text.casefold()
        yes, no = (self._words_of("confirm", name) for name in ("yes", "no"))
        sure = {f"{self._word} {one}" for one in yes}
        if said in sure or (said in yes and not question.for_good):
            self._prompts.press("y")
        elif said in no:
            self._prompts.press("n")
            self._answer("lines.dropped")
        else:
            self._answer("lines.answer-word" if question.for_good else "lines.answer-yes", word=self._word)

    def _words_of(self, context: str, name: str) -> tuple[str, ...]:
        binding = keymap.in_context(context)[name]
        return (name, self._display.t(binding.label).casefold(), binding.keys[0])

    def _choose(self, page: Page, number: int, rest: str, under: UnderPrompt, now: UnderPrompt) -> bool:
        """Choose a row by the number it was said with, and open it or do what is typed behind; False: no rows."""
        if not now.rows and not under.rows:
            return False
        meant = under.rows[number - 1] if 0 < number <= len(under.rows) else None
        is_there = number <= len(now.rows) and number > 0
        if meant is None or not is_there:
            self._answer("lines.no-row", n=number)
        elif now.rows[number - 1] != meant:
            self._answer("lines.row-changed", n=number)
            self._say(itemwords.in_words(page.items(), self._display.look))
        elif not page.choose(number):
            self._answer("lines.no-row", n=number)
        elif not rest.strip():
            self._spoken.speech(page).open_chosen()
        elif self._spoken.speech(page).is_form:
            self._set(self._spoken.speech(page), number, rest.strip())
        elif not self._do_word(rest.strip()) and not self._type_value(self._spoken.speech(page), number, rest.strip()):
            self._answer("lines.unknown", word=rest.strip().partition(" ")[0])
        return True

    def _set(self, speech: Speech, number: int, wanted: str) -> None:
        """Give a row of a form the value that begins so; `back`: the one before. Or do a command of the form.

        A row whose value is a text of one's own gets what was typed.
        """
        said = wanted.casefold()
        if self._meant(wanted) == BACK:
            speech.do("change", "left")
        elif any(said in (*one.words, one.key) for one in self._commands()):
            self._do_word(wanted)
        elif not speech.set_value(number, said) and not self._type_value(speech, number, wanted):
            self._answer("lines.no-value", value=wanted)

    def _type_value(self, speech: Speech, number: int, wanted: str) -> bool:
        """Type the value of a row that asks for a text; False: it is none such, or has done something else."""
        if not speech.is_opened(number):
            return False
        speech.open_chosen()
        is_asked = self._prompts.typing is not None
        if is_asked:
            self._prompts.enter_line(wanted)
        return is_asked

    def _commands(self) -> Iterator[TypedCommand]:
        """Yield what can be typed on this page, besides the words of every page: the most useful first."""
        if (page := self._pages.top) is not None:
            elsewhere = keymap.hints("everywhere", ("agree", "decline")) if self._asking.is_elsewhere else ()
            yield from commands_of((*elsewhere, *self._spoken.speech(page).hints()), self._display.look)

    def _do_word(self, text: str) -> bool:
        """Do a command of every page or of this one; False: no word of these."""
        page, (word, _, rest) = self._pages.top, text.partition(" ")
        if page is None:
            return False
        self._word = word.casefold()
        match self._meant(word):
            case "back":
                self._back(page)
            case "say":
                self._write(rest.strip())
            case "quit" | "screens" | "rules" as command:
                self._everywhere(command)
            case _:
                return self._do_command(page, text)
        return True

    def _do_command(self, page: Page, text: str) -> bool:
        found, rest = find(text, list(self._commands()))
        if len(found) > 1:
            words = self._display.t("list.comma").join(one.words[0] for one in found)
            self._answer("lines.which", words=words)
        elif found:
            self._do_found(page, found[0], rest)
        return bool(found)

    def _do_found(self, page: Page, command: TypedCommand, rest: str) -> None:
        """Do a command with what is typed behind it."""
        self._word = command.name
        is_back = self._meant(rest) == BACK
        said = self._spoken.speech(page).do_with(command.name, rest) if rest and not is_back else None
        if said is not None:
            if said:
                self._say(said)
        elif rest and not is_back and command.name in DECISIVE and not self._is_yes(rest):
            self._answer("lines.nothing-done", word=rest[:40], command=command.words[0])
        else:
            key, before = command.back if is_back else command.key, set(self._commands())
            if not self._spoken.speech(page).do(command.name, key):
                self._everywhere(command.name)
            self._go_on_with(rest, before)

    def _is_yes(self, text: str) -> bool:
        return text.casefold() in self._words_of("confirm", "yes")

    def _meant(self, word: str) -> str:
        return meant(word, self._display.look)

    def _go_on_with(self, rest: str, before: Collection[TypedCommand]) -> None:
        """Take what was typed behind a command for what the command asks: `resign yes`, `join CODE`, `offer draw`.

        `before`: what could be typed before: only what the command has brought goes on with it.
        """
        question, typing, page = self._prompts.question, self._prompts.typing, self._pages.top
        if rest and question is not None and self._is_yes(rest):
            self._prompts.press("y")
        elif rest and typing is not None:
            self._prompts.enter_line(rest)
            if typing.stays:  # `chat hello` is one line, not the first of several
                self._prompts.drop()
        elif rest and self._meant(rest) != BACK and page is not None:
            brought = (one for one in self._commands() if one not in before and rest.casefold() in one.words)
            if (command := next(brought, None)) is not None:
                self._spoken.speech(page).do(command.name, command.key)
            else:
                self._answer("lines.left-out", word=rest[:40])

    def _back(self, page: Page) -> None:
        if not page.back():
            if page is self._pages.first:
                self._answer("lines.first-page")
            self._pages.pop()

    def _write(self, text: str) -> None:
        """Say something to those who are here."""
        page, chat = self._pages.top, next((one for one in self._commands() if one.name == "chat"), None)
        if page is None or chat is None:
            self._answer("lines.no-chat")
            return
        self._spoken.speech(page).do(chat.name, chat.key)
        if self._prompts.typing is not None and text:
            self._prompts.enter_line(text)
            self._prompts.drop()

    def _answer_page(self, text: str, under: UnderPrompt, now: UnderPrompt) -> None:
        """Have the page take a line that is no word of it; else it may name a row."""
        if (page := self._pages.top) is None:
            return
        speech = self._spoken.speech(page)
        said = speech.answer(text)
        if said is None and (named := named_row(now.rows, text, speech.is_form)) is not None:
            self._choose(page, *named, under, now)
        elif said is None:
            key = "lines.unknown-action" if "moves" in speech.tells() else "lines.unknown"
            self._answer(key, word=text.partition(" ")[0][:40])
        elif said:
            self._say(said)

    # Words that only tell

    def _tell_word(self, word: str, rest: str) -> bool:
        page = self._pages.top
        if page is None or not word:
            return False
        tells = {**self._own_tells(page), **self._spoken.speech(page).tells()}
        if word not in tells:
            return False
        self._say(tells[word](rest))
        return True

    def _own_tells(self, page: Page) -> Tells:
        return {
            "help": lambda rest: self._help(page),
            "?": lambda rest: self._help(page),
            "again": lambda rest: self._again(page),
            "quiet": partial(self._be_verbose, False),
            "verbose": partial(self._be_verbose, True),
            "lines": lambda rest: (self._display.t("lines.are-lines"),),
        }

    def _again(self, page: Page) -> Sequence[str]:
        """Say all of the page once more, what one hears who comes here included."""
        items = page.items()
        more = [one for one in self._spoken.speech(page).entered() if one not in items]
        return self._spoken.enter(page, [*items, *more])

    def _be_verbose(self, is_verbose: bool, rest: str) -> Sequence[str]:
        self.is_verbose = is_verbose
        return (self._display.t("lines.is-verbose" if is_verbose else "lines.is-quiet"),)

    def _help(self, page: Page) -> Sequence[str]:
        """Say every word that works here."""
        tells = self._spoken.speech(page).tells()
        return help_sentences(self._commands(), tells, self._display.look, has_rows=bool(self._rows()))

    def _complete(self, text: str) -> None:
        """Complete a word, or list what it may become."""
        page = self._pages.top
        if page is None or not self._prompts.is_idle:
            return
        speech = self._spoken.speech(page)
        found, whole = completions(text, self._commands(), speech.tells(), speech.completes(text), self._display.look)
        if len(whole) > len(text.casefold()):
            self._terminal.complete(whole)
        elif len(found) > 1:
            self._terminal.say((self._display.t("list.comma").join(found[:40]),))
            self._terminal.ask(self._prompt())
            self._terminal.show(text)


def _nowhere(command: str) -> None:
    """Do nothing: the dialogue has ended."""
