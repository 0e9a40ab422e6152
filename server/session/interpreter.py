"""What a line typed in a dialogue does: a word of the page or of every page, a row, a value, or an answer."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from server.boards import keymap
from server.session.asking import Asking
from server.session.display import Display
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
from server.terminal.lineterminal import LineTerminal


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


class Interpreter:
    """Does what typed lines say, and knows what is asked as things are now."""

    def __init__(
        self,
        terminal: LineTerminal,
        display: Display,
        prompts: Prompts,
        pages: Pages,
        asking: Asking,
        spoken: SpokenPage,
        everywhere: Callable[[str], None],
    ) -> None:
        """`everywhere`: does a command that works on every page."""
        self._terminal, self._display, self._prompts = terminal, display, prompts
        self._pages, self._asking, self._spoken, self._everywhere = pages, asking, spoken, everywhere
        self.is_verbose = False
        self.word = ""  # the command that was typed last, which an open question is about
        self.has_answered = False  # something was said since the line

    def stop(self) -> None:
        """Do no more commands that work everywhere."""
        self._everywhere = _nowhere

    def prompt(self) -> str:
        """Return the words of the prompt as things are now."""
        prompts, page = self._prompts, self._pages.top
        if prompts.question is not None:
            question = prompts.question
            saves = "lines.prompt.save" if question.save is not None else "lines.prompt.question"
            asked = "lines.prompt.for-good" if question.for_good else saves
            return self._display.t(asked, word=self.word, save=self._words_of("confirm", "save")[1])
        if prompts.typing is not None:
            return prompts.typing.prompt
        return self._spoken.speech(page).prompt() if page is not None else ""

    @property
    def waits(self) -> bool:
        """Tell whether nothing is asked now: others are waited for, and what they do is said."""
        page = self._pages.top
        is_asked = not self._prompts.is_idle or bool(self._asking.elsewhere())
        return page is not None and not is_asked and self._spoken.speech(page).waits

    def rows(self) -> tuple[str, ...]:
        """Return the rows of the page on top, as they are now."""
        page = self._pages.top
        return itemwords.rows_of(page.items()) if page is not None else ()

    def asked_now(self, rows: tuple[str, ...]) -> UnderPrompt:
        """Return what is asked as things are now, with these rows."""
        prompts, page = self._prompts, self._pages.top
        typing = None if prompts.typing is None else prompts.typing.prompt
        if page is None:
            return UnderPrompt()
        asks = self._spoken.speech(page).asks()
        return UnderPrompt(page, prompts.question, typing, self._asking.elsewhere(), asks, rows)

    # What is said to a line

    def begin(self) -> None:
        """Begin with a line: nothing has been said to it."""
        self.has_answered = False

    def answer(self, key: str, **params: object) -> None:
        """Say a sentence."""
        self.say((self._display.t(key, **params),))

    def say(self, texts: Sequence[str]) -> None:
        """Say something to the line."""
        self.has_answered = True
        self._terminal.say(texts)

    def interrupt(self, text: str) -> None:
        """Drop what was typed, else what is asked; where nothing is, ask whether to leave."""
        if text:
            self.has_answered = True
        elif self._prompts.question is not None:
            self._prompts.answer(False)
            self.answer("lines.dropped")
        elif self._prompts.typing is not None:
            self._prompts.type_key(self._prompts.typing, "esc")
            self.answer("lines.dropped")
        else:
            self._everywhere("leave")

    # Doing

    def do(self, text: str, under: UnderPrompt) -> None:
        """Do what a line says: what only tells at once, all else if the same is asked as when it was begun."""
        now, prompts = self.asked_now(self.rows()), self._prompts
        word, _, rest = text.partition(" ")
        is_free = prompts.typing is None and self._tell_word(self._meant(word), rest.strip())
        if is_free:
            return
        if not text and prompts.typing is None:
            self.has_answered = True
        elif not under.is_still(now):
            self.answer("lines.changed")
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
        """Take a line for what is being typed; an empty one drops it, or ends a list or a talk."""
        typing = self._prompts.typing
        if typing is None:
            return
        if typing.field.keeps_lines and text:
            self._prompts.insert(typing, text + "\n")
            self.has_answered = True
        elif text or typing.field.keeps_lines:
            self._prompts.enter_line(text)
        else:
            self._prompts.type_key(typing, "esc")
            if typing.stays:
                self.has_answered = True  # nothing was dropped: each line was sent, and the prompt says where one is
            else:
                self.answer("lines.dropped")

    def _answer_question(self, question: Confirmation, text: str) -> None:
        said = text.casefold()
        yes, no = (self._words_of("confirm", name) for name in ("yes", "no"))
        sure = {f"{self.word} {one}" for one in yes}
        if said in sure or (said in yes and not question.for_good):
            self._prompts.answer(True)
        elif question.save is not None and said in self._words_of("confirm", "save"):
            self._prompts.save()
        elif said in no:
            self._prompts.answer(False)
            self.answer("lines.dropped")
        else:
            self.answer("lines.answer-word" if question.for_good else "lines.answer-yes", word=self.word)

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
            self.answer("lines.no-row", n=number)
        elif now.rows[number - 1] != meant:
            self.answer("lines.row-changed", n=number)
            self.say(itemwords.in_words(page.items(), self._display.look))
        elif not page.choose(number):
            self.answer("lines.no-row", n=number)
        elif not rest.strip():
            self._spoken.speech(page).open_chosen()
        elif self._spoken.speech(page).is_form:
            self._set(self._spoken.speech(page), number, rest.strip())
        elif not self._do_word(rest.strip()) and not self._type_value(self._spoken.speech(page), number, rest.strip()):
            self.answer("lines.unknown", word=rest.strip().partition(" ")[0])
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
            self.answer("lines.no-value", value=wanted)

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
            elsewhere = keymap.hints("everywhere", ("agree", "decline")) if self._asking.elsewhere() else ()
            yield from commands_of((*elsewhere, *self._spoken.speech(page).hints()), self._display.look)

    def _do_word(self, text: str) -> bool:
        """Do a command of every page or of this one; False: no word of these."""
        page, (word, _, rest) = self._pages.top, text.partition(" ")
        if page is None:
            return False
        self.word = word.casefold()
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
            self.answer("lines.which", words=words)
        elif found:
            self._do_found(page, found[0], rest)
        return bool(found)

    def _do_found(self, page: Page, command: TypedCommand, rest: str) -> None:
        """Do a command with what is typed behind it."""
        self.word = command.name
        is_back = self._meant(rest) == BACK
        said = self._spoken.speech(page).do_with(command.name, rest) if rest and not is_back else None
        if said is not None:
            if said:
                self.say(said)
        elif rest and not is_back and command.name in DECISIVE and not self._is_yes(rest):
            self.answer("lines.nothing-done", word=rest[:40], command=command.words[0])
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
            self._prompts.answer(True)
        elif rest and typing is not None:
            self._prompts.enter_line(rest)
            if typing.stays:  # `chat hello` is one line, not the first of several
                self._prompts.drop()
        elif rest and self._meant(rest) != BACK and page is not None:
            brought = (one for one in self._commands() if one not in before and rest.casefold() in one.words)
            if (command := next(brought, None)) is not None:
                self._spoken.speech(page).do(command.name, command.key)
            else:
                self.answer("lines.left-out", word=rest[:40])

    def _back(self, page: Page) -> None:
        if not page.back():
            if page is self._pages.first:
                self.answer("lines.first-page")
            self._pages.pop()

    def _write(self, text: str) -> None:
        """Say something to those who are here."""
        page, chat = self._pages.top, next((one for one in self._commands() if one.name == "chat"), None)
        if page is None or chat is None:
            self.answer("lines.no-chat")
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
            self.answer(key, word=text.partition(" ")[0][:40])
        elif said:
            self.say(said)

    # Words that only tell

    def _tell_word(self, word: str, rest: str) -> bool:
        page = self._pages.top
        if page is None or not word:
            return False
        tells = {**self._own_tells(page), **self._spoken.speech(page).tells()}
        if word not in tells:
            return False
        self.say(tells[word](rest))
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
        return help_sentences(self._commands(), tells, self._display.look, has_rows=bool(self.rows()))

    def complete(self, text: str) -> None:
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
            self._terminal.ask(self.prompt())
            self._terminal.show(text)


def _nowhere(command: str) -> None:
    """Do nothing: the dialogue has ended."""
