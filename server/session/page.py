"""What a session asks of a page: title, body, keys and what they do."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Protocol

from server.boards import keymap
from server.bus.bus import Subscription
from server.lobby.room import Room
from server.lobby.seeking import SeekTicket
from server.terminal.hint import Hint
from server.terminal.items import Banner, Item, ListRow, SettingRow
from server.terminal.lines import Line
from server.terminal.meaning import RunningTime
from server.terminal.stage import LISTS, PageLimit

MOST_STEPS: Final = 60  # through the values of a row

Tells = Mapping[str, Callable[[str], Sequence[str]]]


@dataclass(frozen=True, slots=True)
class Body:
    """What stands between title and keys; the cursor is a column and row of the body.

    `is_fitted`: every line is as wide as the screen and need not be measured.
    """

    lines: Sequence[Line]
    cursor: tuple[int, int] | None = None
    is_fitted: bool = False


@dataclass(frozen=True, slots=True)
class ChangedRows:
    """The rows of a page's body, as wide as the screen, that time has changed since it was drawn.

    `message`: it may be another, too.
    """

    rows: Mapping[int, Line]
    message: bool = False


class Written(Protocol):
    """What somebody wrote."""

    @property
    def name(self) -> str: ...

    @property
    def text(self) -> str: ...


class Page:
    """One place. Those that there are know their session (`server/screens/sessionpage.py`).

    A command of the page's contexts is done by its method `do_COMMAND`; what the command needs the key for, it finds
    in `self.key`.
    """

    context: ClassVar[str] = "everywhere"
    is_overlay: ClassVar[bool] = False
    measure: ClassVar[PageLimit] = LISTS  # how large it is at most; on larger terminals it stands in the middle
    tells_of_body: ClassVar[bool] = True  # the message may say how much the body did not show
    lists_own_turns: ClassVar[bool] = False  # the matches that wait for this person stand on it
    draws_message: ClassVar[bool] = True  # above the keys; else the body shows it where it belongs

    def __init__(self) -> None:
        self.key = ""
        self.covered_rows = 0  # of the body's last ones, by what is said above the keys
        self.marked_cols = 0  # of the title line's first ones, by the mark of a match that waits elsewhere
        self.subscriptions: list[Subscription] = []  # that end with the page: each knows it, which is a reference cycle
        self.begins_match = False  # a key pressed here has a match begun just now

    def start(self) -> None:
        """Begin: the page is shown for the first time. Add `subscriptions` here."""

    def stop(self) -> None:
        """End: the page is left for good."""
        for subscription in self.subscriptions:
            subscription.close()
        self.subscriptions.clear()

    def resume(self) -> None:
        """Do what is due when the page is on top again."""

    def refresh(self) -> None:
        """Take in what has changed since the page was drawn last; called before every drawing and every key."""

    @property
    def room_to_fill(self) -> Room | None:
        """Return the room that shows here, where this person may ask others to a free seat of it."""
        return None

    @property
    def is_playing(self) -> bool:
        """Tell whether this person plays a match on it that goes on."""
        return False

    def limit(self) -> PageLimit:
        """Return how large it is at most with what it shows now; known from `refresh` on."""
        return self.measure

    def title(self) -> str:
        """Say where one is."""
        raise NotImplementedError

    def full_title(self) -> str:
        """Return the title as it is where nothing takes its room: the same for as long as one is here."""
        return self.title()

    def title_style(self) -> str:
        """Return the style of the title on its bar."""
        return "place"

    def who(self) -> str:
        """Say who one is (the title line's right end); begins with `badge`."""
        raise NotImplementedError

    def badge(self) -> str:
        """Return how `who` begins where a shared frame leaves that out: each one's own is put into it."""
        return ""

    def body(self, cols: int, rows: int) -> Body:
        """Draw what stands between title and keys."""
        raise NotImplementedError

    def items(self) -> Sequence[Item]:
        """Tell what stands here, all of it and in order, whatever has room on a screen; title, keys and chat apart."""
        raise NotImplementedError

    def choose(self, number: int) -> bool:
        """Choose one of the items that are numbered, from 1 on; False: there is none of this number."""
        return False

    def landing(self) -> str:
        """Return where somebody comes back to who was here: a place and its argument; empty: the lobby.

        The place is one of `Landing`, or the name of a page (`server/screens/routes.py`).
        """
        return ""

    def cursor(self) -> int:
        """Return where the cursor stands on a board or in a log, for who comes back; -1: there is none."""
        return -1

    def point(self, cursor: int) -> None:
        """Put the cursor where it stood; nothing where there is no such place."""

    def half_done(self) -> tuple[str, ...]:
        """Return what was begun here and is kept nowhere, in words that `take_up` reads; () where nothing is."""
        return ()

    def take_up(self, words: Sequence[str]) -> None:
        """Go on with what `half_done` said, as far as that may be now: the words come from outside."""

    def kept_s(self) -> float:
        """Return for how long a seat that shows here is kept when the connection is lost; 0: none is lost so."""
        return 0.0

    def digits(self) -> Mapping[str, str]:
        """Return what each digit does now, in words; none where a digit is only a number."""
        return {}

    def chat(self) -> Sequence[Written]:
        """Return the last lines of the chat that is read here, the oldest first."""
        return ()

    def speech(self) -> Speech:
        """Return what the page says and takes in words, from now on."""
        return Speech(self)

    def banner(self) -> Banner | None:
        """Say what nobody must miss, under the title."""
        return None

    def message(self) -> Line:
        """Say something in the line above the keys; the session's own notices go before it.

        What is longer than a line covers the body's last ones.
        """
        return ()

    def holds_keys(self) -> bool:
        """Tell whether keys are ignored for a moment, because what they do has just changed by itself."""
        return False

    def message_stays(self) -> bool:
        """Tell whether the message is a question that a notice must not hide: the notice then stands above it."""
        return False

    def hints(self) -> tuple[Hint, ...]:
        """Return the keys that work right now, the most useful first; Help is added."""
        return keymap.hints(self.context)

    def contexts(self) -> tuple[str, ...]:
        """Return the key table's contexts that apply here, for dispatch and for help."""
        return (self.context,)

    def help_topic(self) -> str:
        """Return the topic help opens with, '' for the keys alone."""
        return ""

    def press(self, key: str) -> bool:
        """Do what a key stands for; False when it stands for nothing here."""
        for context in self.contexts():
            name = keymap.command(context, key)
            if name is not None and self.run(name, key):
                return True
        return False

    def run(self, command: str, key: str) -> bool:
        """Do a command, for a key that stands for it; False: it is none of this page."""
        if (action := self.action(command)) is None:
            return False
        self.key = key
        action()
        return True

    def action(self, command: str) -> Callable[[], None] | None:
        """Return what does a command here."""
        found: Callable[[], None] | None = getattr(self, f"do_{command.replace('-', '_')}", None)
        return found

    def paste(self, text: str) -> None:
        """Take a pasted text; a page without a field ignores it."""

    def click(self, col: int, row: int) -> bool:
        """Take a press of the first mouse button at a column and row of the body."""
        return False

    def wheel(self, up: bool, col: int, row: int) -> bool:
        """Take a turn of the wheel."""
        return self.press("up" if up else "down")

    def back(self) -> bool:
        """Cancel what is half done; False: there is nothing, so leave the page."""
        return False

    def channels(self) -> tuple[str, ...]:
        """Return the channels of the chat that is read here, besides the lobby's."""
        return ()

    def share_key(self) -> Hashable | None:
        """Return what the page's frame depends on besides size and look; equal keys share frames. None: never."""
        return None

    def share_state(self) -> object:
        """Return what a shared frame shows besides what `share_key` says; equal states look alike. None: not known."""
        return None

    def seats_somebody(self, name: str) -> bool:
        """Tell whether somebody sits in the room that this page shows."""
        return False

    @property
    def ticket(self) -> SeekTicket | None:
        """Return the search for players that runs here."""
        return None

    @property
    def match_shown(self) -> str:
        """Return the id of the match that shows here; empty: none does."""
        return ""

    @property
    def match_begun(self) -> str:
        """Return the id of the match that began in the room that shows here; empty: it is no room, or none did."""
        return ""

    def on_match_found(self) -> bool:
        """Hear that a match was found for this person; returns whether a rated one was searched for here."""
        return False

    def on_match_ended(self, match_id: str) -> None:
        """Hear that a match of this person's has ended that no page shows."""

    @property
    def holds_seat(self) -> bool:
        """Tell whether the person waits here at a seat for a match to begin."""
        return False

    @property
    def is_awaited(self) -> bool:
        """Tell whether a match of the person's goes on meanwhile whose clock does not wait for days."""
        return False

    def on_offers(self) -> None:
        """Hear that what is offered in a match of this person's has changed."""

    def on_report(self) -> None:
        """Hear that something was reported; only moderators do."""

    def on_message(self) -> None:
        """Hear that somebody has written to this person."""

    def on_keys(self) -> None:
        """Hear that this person's keys are others now."""

    def on_roles(self) -> None:
        """Hear that a role was given to this person, or taken."""

    def ticked(self) -> ChangedRows | None:
        """Return what only time has changed since the body was drawn; None: more may have, so draw it anew."""
        return None

    def tick_s(self) -> float | None:
        """Return how often a shared frame of this page is drawn for its clocks; None: it has none."""
        return None

    def runs_out_s(self) -> float | None:
        """Return in how many seconds a time that shows is over, and something else is said in its place; None: never.

        So a frame is due then, too, where the other side counts by itself.
        """
        return None

    def changed(self) -> None:
        """Hear that what the page shows has changed."""

    def on_shared(self, leads: bool) -> None:
        """Take notice that a group draws this page from now on. `leads`: this member hears of changes for all."""

    def on_unshared(self) -> None:
        """Take notice that it does not any more: hear of changes oneself."""

    def window_title(self) -> str:
        """Return what the terminal's title bar should say, '' for the server's name."""
        return ""


class Speech:
    """A page in words, for a dialogue and for what a browser reads out.

    Whoever speaks with somebody makes one when they come to the page, and keeps it: it knows what was said since. The
    page does not know it (that would be a reference cycle).
    """

    def __init__(self, page: Page) -> None:
        self.page = page

    def prompt(self) -> str:
        """Say in a few words what is asked, or where one is."""
        return self.page.title()

    def entered(self) -> Sequence[Item]:
        """Tell what is said to who comes here: all that stands here, where that is not too much at once."""
        return self.page.items()

    def stands(self) -> Sequence[Item]:
        """Tell what stands here where each item has an element: also what is too much to be heard at once."""
        return self.entered()

    def asks(self) -> Hashable:
        """Return what is asked here besides the rows: what was typed before it changed does not answer it."""
        return None

    @property
    def is_waited_for(self) -> bool:
        """Tell whether somebody waits for an answer from here."""
        return True

    @property
    def waits(self) -> bool:
        """Tell whether nothing is asked here: others do something, and their news comes by itself."""
        return False

    def news(self) -> Sequence[str]:
        """Return what has happened here since this was asked last, in sentences."""
        return ()

    def happened(self) -> Sequence[tuple[int, str]]:
        """Return the last things that have happened here in sentences, each with its number, the oldest first."""
        return ()

    def times(self) -> Sequence[RunningTime]:
        """Return the times that show here and go on by themselves: of clocks, until a claim, since somebody left."""
        return ()

    def hints(self) -> tuple[Hint, ...]:
        """Return the keys whose commands can be typed as words."""
        return self.page.hints()

    def tells(self) -> Tells:
        """Return the words that tell something and change nothing, with what to do with what is typed behind one."""
        return {}

    def do(self, command: str, key: str) -> bool:
        """Do a command that was typed; `key`: one that stands for it. False: it stands for nothing here."""
        return self.page.press(key)

    def do_with(self, command: str, words: str) -> Sequence[str] | None:
        """Do a command as the words behind it say, and return what there is to say; None: it takes no words here."""
        return None

    def open_chosen(self) -> None:
        """Do with the row that is chosen what Enter does, or in a form what changes its value."""
        self.do(*(("change", " ") if self.is_form else ("open", "enter")))

    @property
    def is_form(self) -> bool:
        """Tell whether the rows here have values that change."""
        return any(keymap.command(one, "right") == "change" for one in self.page.contexts())

    def set_value(self, number: int, wanted: str) -> bool:
        """Change a row of a form, from 1 on and chosen, until its value begins so; False: it has none such.

        `wanted` is casefolded.
        """
        return any(self._step_to(number, key, wanted) for key in ("right", "left"))

    def is_opened(self, number: int) -> bool:
        """Tell whether a numbered row has a value and none to choose from: it is opened, or only read."""
        row = self._row(number)
        return isinstance(row, SettingRow) and not row.can_change

    def _step_to(self, number: int, key: str, wanted: str) -> bool:
        """Change a row step by step until its value begins so; False: it has none such this way, and is as it was."""
        begun = value = self._value(number)
        steps = 0
        while not value.casefold().startswith(wanted) and steps < MOST_STEPS:
            self.do("change", key)
            before, value = value, self._value(number)
            if value in (before, begun):  # there are no more, or all have come
                break
            steps += 1
        if value.casefold().startswith(wanted):
            return True
        for _ in range(steps if value != begun else 0):
            self.do("change", "left" if key == "right" else "right")
        return False

    def _value(self, number: int) -> str:
        """Return what a numbered row of a form is set to; empty: it is no setting."""
        row = self._row(number)
        return row.value if isinstance(row, SettingRow) else ""

    def _row(self, number: int) -> ListRow | SettingRow | None:
        rows = [one for one in self.page.items() if isinstance(one, ListRow | SettingRow)]
        return rows[number - 1] if number <= len(rows) else None

    def completes(self, typed: str) -> Sequence[str]:
        """Return what may be typed here that is no word of the page and begins so."""
        return ()

    def answer(self, typed: str) -> Sequence[str] | None:
        """Take a line that is no word of the page, and return what there is to say; None: it means nothing here."""
        return None
