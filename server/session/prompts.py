"""What a session asks and says above the keys: a line to be typed, a yes or no, a notice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from game.errors import GameError
from server.boards import keymap
from server.errors import Refused
from server.i18n.refusals import reasons, wording
from server.session.display import Display
from server.terminal.field import Field
from server.terminal.hint import Hint
from server.terminal.items import Toast
from server.terminal.lines import Line, columns

COUNTED_FROM, COUNTED_LAST = 40, 20  # of lines that may be so long it is said how long they are, so near their end
OwnHints = Callable[[], Sequence[Hint]]
PAST_STEPS: Final = {"up": 1, "down": -1, "page up": 5, "page down": -5}  # through the lines of a chat


@dataclass(frozen=True, slots=True)
class Typing:
    """A line being typed above the keys: chat, a filter, a code. `heard` is told of every change.

    `past`: how many lines were said before it, through which some keys go meanwhile; `back`: how many of the last are
    hidden because one has gone back.
    """

    prompt: str
    field: Field
    accept: Callable[[str], None]
    heard: Callable[[str], None] | None = None
    stays: bool = False  # after a line was taken, the next may follow
    complete: Callable[[str], str] | None = None  # what a text is completed to
    command: str = ""  # of the page, that asked for it
    past: Callable[[], int] | None = None
    back: int = 0
    waits: bool = False  # it stands there until what its text began is done: it may be refused
    is_sent: bool = False  # and that has begun


@dataclass(frozen=True, slots=True)
class Confirmation:
    """Something to be confirmed before it is done."""

    text: str
    yes: Callable[[], None]
    again: str = ""  # the key that asked: pressed once more it says yes
    for_good: bool = False  # it can't be undone
    save: Callable[[], None] | None = None  # keeps what would be lost, then does it


def typed(typing: Typing, cols: int) -> tuple[Line, int]:
    """Return the line being typed, and the cursor's column in it; near its limit, behind it, how long it is."""
    prompt, field = f" {typing.prompt} ", typing.field
    is_near = field.limit >= COUNTED_FROM and field.room <= COUNTED_LAST
    count = f" {len(field.text)}/{field.limit}" if is_near else ""
    span, at = field.shown(max(4, cols - columns(prompt) - columns(count) - 1))
    return (("key", prompt), span, *((("warn", count),) if count else ())), columns(prompt) + at


class Prompts:
    """The question, the line being typed and the notice there are just now."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self.question: Confirmation | None = None
        self.typing: Typing | None = None
        self.said: Toast | None = None  # the notice
        self._command = ""  # the last one that a page did
        self._resumed = "", ""  # the label of a line that was lost with a connection, and what was typed
        self._heard: Callable[[str], None] | None = None

    def record(self, command: str) -> None:
        """Record the command of a page that asks for the lines that follow."""
        self._command = command

    def listen(self, heard: Callable[[str], None] | None) -> None:
        """Have every notice heard, where they are said and not shown; None: nobody hears them any more."""
        self._heard = heard

    @property
    def is_quiet(self) -> bool:
        """Tell whether nothing is asked, typed or said."""
        return self.question is None and self.typing is None and self.said is None

    @property
    def is_idle(self) -> bool:
        """Tell whether keys go to the page: nothing is asked or typed."""
        return self.question is None and self.typing is None

    @property
    def takes_back(self) -> bool:
        """Tell whether a text that was refused may be asked for anew: nothing else is asked or typed by now.

        Where notices are heard, it stands among the lines above.
        """
        return self._heard is None and self.is_idle

    def put_back(self, label: str, text: str) -> bool:
        """Put a text that was refused back into its line, before what was typed there since; False: it has gone."""
        typing = self.typing
        if typing is None or typing.prompt != label:
            return False
        if typing.is_sent:  # it never left
            self.typing = replace(typing, is_sent=False)
        elif self._heard is None:
            since = typing.field.text
            self.typing = replace(typing, field=typing.field.emptied().inserted(text).inserted(since))
        return True

    def done(self, label: str) -> None:
        """Take the line under this label away: what its text began is done."""
        if self.typing is not None and self.typing.is_sent and self.typing.prompt == label:
            self.typing = None

    @property
    def tells_moves(self) -> bool:
        """Tell whether a move is being typed and what may be typed is said above it: that asks, too."""
        return self.typing is not None and self.typing.complete is not None and self.said is not None

    @property
    def is_typing(self) -> bool:
        """Tell whether keys go to a line being typed."""
        return self.typing is not None

    def notice(self, key: str, style: str = "warn", **params: object) -> None:
        """Say something in the line above the keys, until the next key."""
        self.say(self._display.t(key, **params), style)

    def say(self, text: str, style: str = "warn") -> None:
        """Say a sentence that is in the person's language already, as a notice."""
        self.said = Toast(text, style)
        if self._heard is not None:
            self._heard(text)
        self._display.dirty()

    def hush(self) -> None:
        """Say no longer what was said: the page has something that matters more."""
        self.quieten()
        self._display.dirty()

    def quieten(self) -> None:
        """Say no longer what was said: a key was pressed, after which all is drawn anyway."""
        self.said = None

    def refused(self, refusal: Refused | GameError) -> None:
        """Say why something was not done."""
        self.notice(wording(refusal, self._display.look), "bad", **self.reasons(refusal))

    def reasons(self, refusal: Refused | GameError) -> dict[str, object]:
        """Return a refusal's parameters as its sentence wants them: durations in words."""
        return reasons(refusal, self._display.look)

    def ask(
        self,
        key: str,
        yes: Callable[[], None],
        again: str = "",
        for_good: bool = False,
        save: Callable[[], None] | None = None,
        **params: object,
    ) -> None:
        """Have something confirmed before it is done: by yes, or by the key `again`.

        `for_good`: it can't be undone; `save`: keeps what would be lost, then does it.
        """
        self.question = Confirmation(self._display.t(key, **params), yes, again, for_good, save)
        self._display.dirty()

    def type(
        self,
        key: str,
        accept: Callable[[str], None],
        start: str = "",
        heard: Callable[[str], None] | None = None,
        stays: bool = False,
        limit: int = 200,
        keeps_lines: bool = False,
        complete: Callable[[str], str] | None = None,
        past: Callable[[], int] | None = None,
        waits: bool = False,
        **params: object,
    ) -> None:
        """Have a line typed above the keys; `accept` gets it with enter, esc leaves it.

        `keeps_lines`: of a paste it gets the line ends too. `complete` returns what a text is completed to. `past`,
        `waits`: as in `Typing`. `params`: of the label, which names what the line is about.
        """
        typing = Typing(
            self._display.t(key, **params),
            Field.of(start, limit, keeps_lines),
            accept,
            heard,
            stays,
            complete,
            self._command,
            past,
            waits=waits and self._heard is None,
        )
        (label, text), self._resumed = self._resumed, ("", "")
        if not label:
            self.typing = typing
        elif label == typing.prompt:
            self.insert(replace(typing, field=typing.field.emptied()), text)
        self._display.dirty()

    def resume(self, label: str, text: str) -> None:
        """Begin the next line with this text; none is asked for under another label. No label: forget it."""
        self._resumed = label, text

    def go_on_typing(self, typing: Typing | None) -> None:
        """Go on with a line that was being typed when another page came by itself."""
        self.typing = typing

    def drop(self) -> None:
        """Ask nothing any more: another page shows."""
        self.question = self.typing = None
        self._resumed = "", ""

    def hints(self, own: OwnHints) -> tuple[Hint, ...] | None:
        """Return the keys of what is asked; None where the page has the keys. `own`: returns those of the page."""
        if self.question is not None:
            yes, no = answer_hints(own())
            return (yes, *(keymap.hints("confirm", ("save",)) if self.question.save is not None else ()), no)
        if self.typing is not None:
            if self.typing.stays:
                past = self.typing.past
                return keymap.hints("chat", ("send", *(("past",) if past is not None and past() > 1 else ()), "cancel"))
            completes = ("complete",) if self.typing.complete is not None else ()
            return keymap.hints("text", ("accept", *completes, "cancel"))
        return None

    @property
    def back(self) -> int:
        """Return how many of the last lines of the chat are hidden, because one reads what was said before them."""
        return self.typing.back if self.typing is not None else 0

    @property
    def chats(self) -> bool:
        """Tell whether a line for a chat is being typed."""
        return self.typing is not None and self.typing.past is not None

    def press(self, key: str, own: OwnHints) -> bool:
        """Take a key for what is asked; False where nothing is. `own`: as in `hints`."""
        if self.question is not None:
            self._press_answer(self.question, key, own())
        elif self.typing is not None:
            self.type_key(self.typing, key)
        else:
            return False
        return True

    def type_key(self, typing: Typing, key: str) -> None:
        """Take a key for the line being typed."""
        match keymap.command("text", key):
            case "cancel":
                self.typing = None
                if typing.heard is not None:
                    typing.heard("")
                    self.quieten()  # what was said of the line
            case "accept" if typing.is_sent:
                pass  # once is enough
            case "accept":
                text = typing.field.text.strip()
                self.typing = None
                if text and typing.stays:
                    self.typing = replace(typing, field=typing.field.emptied(), back=0)
                elif text and typing.waits:
                    self.typing = replace(typing, is_sent=True)
                if text or typing.heard is not None:
                    typing.accept(text)
            case "complete" if typing.complete is not None:
                whole = typing.complete(typing.field.text)
                self.typing = replace(typing, field=Field.of(whole, typing.field.limit))
                if typing.heard is not None:
                    typing.heard(whole)
            case _ if typing.past is not None and key in PAST_STEPS:
                back = min(typing.back + PAST_STEPS[key], typing.past() - 1)
                self.typing = replace(typing, back=max(0, back))
            case _:
                changed = typing.field.press(key)
                if len(key) == 1 and changed is not None and not typing.field.has_room_for(key):
                    self.notice("field.full", most=typing.field.limit)
                if changed is not None:
                    self.typing = replace(typing, field=changed)
                    if typing.heard is not None:
                        typing.heard(changed.text)

    def enter_line(self, text: str) -> None:
        """Take a whole line for what is being typed, and accept it; one that is too long is not cut but refused."""
        if (typing := self.typing) is not None:
            whole = typing.field if typing.field.keeps_lines else typing.field.emptied()
            if whole.has_room_for(text):
                self.type_key(replace(typing, field=whole.inserted(text)), "enter")
            else:
                self.notice("field.too-long", n=len(whole.text) + len(text), most=whole.limit)

    def insert(self, typing: Typing, text: str) -> None:
        """Put pasted characters into the line being typed."""
        if not typing.field.has_room_for(text):
            self.notice("field.cut", most=typing.field.limit)
        self.typing = replace(typing, field=typing.field.inserted(text))
        if typing.heard is not None:
            typing.heard(self.typing.field.text)

    def _press_answer(self, question: Confirmation, key: str, own: Sequence[Hint]) -> None:
        """Take a key for a question; one that is no answer is said to be none."""
        yes, no = answer_hints(own)
        if key == question.again or (keymap.command("confirm", key) == "yes" and key not in _keys_of(own)):
            self.answer(True)
        elif question.save is not None and keymap.command("confirm", key) == "save":
            self.save()
        elif keymap.command("confirm", key) == "no":
            self.answer(False)
        else:
            self.notice("confirm.no-answer", yes=yes.shown, no=no.shown)

    def save(self) -> None:
        """Answer a question that has it by keeping what would be lost."""
        question, self.question = self.question, None
        if question is not None and question.save is not None:
            question.save()

    def answer(self, is_yes: bool) -> None:
        """Answer the question."""
        question, self.question = self.question, None
        if is_yes and question is not None:
            question.yes()


def answer_hints(own: Sequence[Hint]) -> tuple[Hint, Hint]:
    """Return the keys that answer a question, yes and no, on a page with these keys.

    A key that does something on the page says no yes: who takes the question for gone would do the one and mean the
    other.
    """
    yes, no = (keymap.in_context("confirm")[name] for name in ("yes", "no"))
    key = next(one for one in yes.keys if one not in _keys_of(own))
    return replace(yes.hint, shown=key, keys=(key,)), no.hint


def _keys_of(hints: Sequence[Hint]) -> frozenset[str]:
    return frozenset(key for hint in hints for key in hint.keys)
