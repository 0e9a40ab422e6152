"""The tutorial: a lesson's words beside a board that is played for real."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import ClassVar, Final

from game.contract import Action
from game.errors import GameError
from server.boards import keymap
from server.boards.board import BoardArea
from server.boards.gamefacts import game_words
from server.boards.lesson import NOON, Practice, lessons
from server.matches.model import SeenEvent
from server.screens import boardwords, matchpanel
from server.screens.chooser import Chooser
from server.screens.columns import Column
from server.screens.gametable import game_card
from server.screens.listpage import ListPage
from server.screens.matchpanel import MatchPanel
from server.screens.playedalone import PlayedAlone, PlayedAloneSpeech
from server.session import places
from server.session.page import Body, Speech
from server.session.session import Session
from server.terminal import frame
from server.terminal.hint import Hint
from server.terminal.itemlines import progress_line
from server.terminal.items import Item, Progress, Said
from server.terminal.lines import (
    GAP_COLS,
    Line,
    at_end,
    block,
    columns,
    ends,
    inset,
    joined,
    plain,
    side_by_side,
    width_cols,
    wrapped,
)
from server.terminal.stage import READING

NARROWEST = 20  # columns that a lesson's words need beside the board
WIDE = 70  # columns from which they need no blank lines
STEP_COLS: Final = 50  # of a lesson's name in the list of them
OTHER_STEPS: Final = ("skip", "steps")  # the ways from a lesson that is not done to others


class TutorialPage(PlayedAlone):
    """One lesson after the other; what counts as done is said by the lesson."""

    context = "tutorial"

    def __init__(self, session: Session, game: str, part: str = "") -> None:
        self.part, self.lessons = part, lessons(game, part)
        self.index = session.person.lesson(game, part, len(self.lessons))
        self.done = set(range(self.index)) - session.person.left_out(game, part)
        self.practice = Practice(game, self.lessons[self.index], session.identity.name)
        super().__init__(session, game, self.practice.snapshot)
        self.begin(self.index)

    def begin(self, index: int) -> None:
        """Begin the lesson of this number, from 0."""
        self.index, self.is_done = index, False
        self.practice = Practice(self.game, self.lessons[index], self.session.identity.name)
        self.snapshot = self.practice.snapshot
        self.select_nothing()
        self.reads = True  # where words and board have no room together, the words come first

    def landing(self) -> str:
        return f"tutorial {self.game} {self.part}".rstrip()

    def title(self) -> str:
        return self.session.t("tutorial.title", game=self.session.t(f"game.{self.game}"))

    def contexts(self) -> tuple[str, ...]:
        """Let the board have its keys until the lesson is done."""
        return ("tutorial",) if self.is_done else (*self.board.explained(self.selection), "tutorial")

    def body(self, cols: int, rows: int) -> Body:
        """Draw the board with the lesson at its side; above it where the board is as wide as the screen.

        Where that would cut one of them, each stands alone.
        """
        if self.shows_text:
            text = self._text(cols - 2)
            return Body(block(inset(text if len(text) <= rows else list(filter(None, text))), cols, rows))
        above, area = self._areas(cols, rows)
        drawn = self.board.render(
            self.snapshot, self.selection, self.session.look, area.cols, area.rows, self.practice.events
        )
        if area.cols == cols:
            return Body([*block(inset(self._text(cols - 2)), cols, above), *drawn])
        return Body(side_by_side(drawn, self._words(cols - area.cols - GAP_COLS, rows), area.cols, cols, rows))

    def _areas(self, cols: int, rows: int) -> tuple[int, BoardArea]:
        """Return how many lines the words take above the board, and the area that the board gets."""
        area = self.board.area(self.snapshot, cols, rows)
        if cols - area.cols - GAP_COLS >= NARROWEST:
            return 0, area
        above = 0 if self.is_cramped else len(self._text(cols - 2)) + 1
        return above, BoardArea(cols, rows - above)

    @property
    def is_cramped(self) -> bool:
        """Tell whether words and board have no room together."""
        cols, rows = self.size[0], self.session.display.body_rows(self.size[1])
        beside = cols - self.board.area(self.snapshot, cols, rows).cols - GAP_COLS
        if beside >= NARROWEST:
            return len(self._text(beside)) > rows
        return len(self._text(cols - 2)) + 1 + self.board.least_rows > rows

    @property
    def shows_text(self) -> bool:
        """Tell whether the words stand in the board's place."""
        return (self.reads or self.is_done) and self.is_cramped

    def _words(self, cols: int, rows: int) -> list[Line]:
        """Return what stands beside the board: the lesson, and the players where all of them have room."""
        text = [] if self.is_cramped else self._text(cols)
        shown = MatchPanel(self.board, self.snapshot, (), self.session.look)
        seats = [(), *matchpanel.players_apart(shown, NOON, cols, rows - len(text) - 1)]
        return [*text, *seats] if len(text) + len(seats) <= rows else text

    def _text(self, cols: int) -> list[Line]:
        blank = () if cols >= WIDE else ((),)
        lines = [line for one in self.told() for line in (*wrapped(one.text, cols, one.tone), *blank)]
        widest = max(columns(self.heading(index)) for index in range(len(self.lessons)))
        for steps in self._ways():
            if widest + width_cols(steps) < cols:  # at all lessons or at none
                lines[0] = ends(lines[0], steps, cols)
                break
        return lines[: len(lines) - len(blank)] if self.is_done else lines

    def _ways(self) -> tuple[Line, Line]:
        """Draw how far one is, behind the key that lists the steps, and without it."""
        look, [key] = self.session.look, keymap.hints("tutorial", ("steps",))
        track = progress_line(Progress(self.index + self.is_done, len(self.lessons)), look)
        return (("key", frame.key_name(key.shown, look)), ("dim", f" {look.t(key.label)}  "), *track), track

    def told(self) -> list[Said]:
        """Tell the lesson: what it is about, and once it is done what it has shown."""
        t, stem = self.session.t, self._stem
        heading = self.heading(self.index)
        is_new = self.index == 0 and not self.is_done
        goal = joined((t(f"tutorial.{self.game}.goal"), t("tutorial.scenes"))) if is_new else ""
        told = [Said(heading, "title"), *([Said(goal, "accent")] if goal else []), Said(t(f"{stem}.text"))]
        if self.is_done:
            told.append(Said(t(f"{stem}.done"), "good"))
        if self.is_finished:
            told += [Said(t("tutorial.end.title"), "title"), Said(t(f"tutorial.{self.game}.end"))]
        if self.is_finished and self.left_out:
            steps = t("list.comma").join(str(index + 1) for index in self.left_out)
            told.append(Said(t("tutorial.left-out", steps=steps), "warn"))
        return told

    @property
    def _stem(self) -> str:
        """Return how the keys of the lesson's words begin."""
        return f"tutorial.{self.game}.{self.lessons[self.index].name}"

    def task(self, index: int) -> str:
        """Return what there is to do in a lesson."""
        return self.session.t(f"tutorial.{self.game}.{self.lessons[index].name}.ask")

    def heading(self, index: int) -> str:
        """Name a lesson, and say which it is of how many."""
        t, name = self.session.t, self.lessons[index].name
        return t("tutorial.step", n=index + 1, of=len(self.lessons), title=t(f"tutorial.{self.game}.{name}.title"))

    @property
    def left_out(self) -> tuple[int, ...]:
        """Return the lessons before this one that were not done, by number from 0."""
        return tuple(index for index in range(self.index) if index not in self.done)

    @property
    def is_finished(self) -> bool:
        """Tell whether the last lesson is done."""
        return self.is_done and self.index == len(self.lessons) - 1

    def items(self) -> list[Item]:
        """Tell the lesson, the players, and the position."""
        look, shot = self.session.look, self.snapshot
        shown = MatchPanel(self.board, shot, self.practice.events, look)
        return [*self.told(), *matchpanel.players_told(shown, NOON), *map(Said, self.board.spoken(shot, look))]

    def message(self) -> Line:
        """Say what is to be done now."""
        if self.is_done:
            return plain(f" {self.way_on()}", "good")
        if self.shows_text:
            return plain(f" {self.session.t('tutorial.read')}", "warn")
        return self.board.status(self.snapshot, self.selection, self.session.look)

    def way_on(self) -> str:
        """Say how one goes on from a lesson that is done."""
        return self.session.t("tutorial.finished" if self.is_finished else "tutorial.done")

    def ways_on(self) -> tuple[Hint, ...]:
        """Return the keys of a lesson that is done; after the last one there is no next."""
        first, *more = keymap.hints("tutorial", ("next", "play", "previous", "board", "steps"))
        return (first.named("keys.tutorial.finish") if self.is_finished else first, *more)

    def message_stays(self) -> bool:
        """Keep saying what is to be done, but beside a move being typed."""
        return not self.is_done and not self.session.prompts.tells_moves

    def hints(self) -> tuple[Hint, ...]:
        """Return the board's keys, or the way on."""
        if self.is_done:
            return (*self.ways_on(), *keymap.hints("everywhere", ("back",)))
        others = keymap.hints("tutorial", OTHER_STEPS)
        if self.shows_text:
            return (*keymap.hints("tutorial", ("board",)), *others, *keymap.hints("everywhere", ("back",)))
        back = keymap.hints("everywhere", ("back",)) if self.board.is_resting(self.selection) else ()
        first, *more = self.board.keys(self.snapshot, self.selection)
        text = tuple(hint.named("keys.tutorial.text") for hint in keymap.hints("tutorial", ("board",)))
        return (
            first,
            *(text if self.is_cramped else ()),
            *more,
            *((*others, *self.typed_hint()) if back else ()),
            *back,
        )

    def speech(self) -> Speech:
        return TutorialSpeech(self)

    # Keys

    def press(self, key: str) -> bool:
        """Play; when done, go on."""
        is_resting = self.board.is_resting(self.selection)
        if self.is_done or (is_resting and keymap.command("tutorial", key) in OTHER_STEPS):
            return super().press(key)
        if self.is_cramped and (self.reads or keymap.command("tutorial", key) == "board"):
            self.reads = not self.reads  # keys mean nothing on a board that is out of sight
            return keymap.command("everywhere", key) is None
        return self.press_board(key)

    def click(self, col: int, row: int) -> bool:
        if self.is_done or self.shows_text:
            return False
        cols, rows = self.size
        above, area = self._areas(cols, self.session.display.body_rows(rows))
        at = row - above
        return self.take(
            self.board.click(self.snapshot, self.selection, self.session.look, area.cols, area.rows, col, at)
        )

    @property
    def takes_actions(self) -> bool:
        """Tell whether the lesson is not done yet."""
        return not self.is_done

    def play(self, action: Action) -> bool:
        """Play an action: it does the lesson, or the lesson begins again."""
        is_setting = self.practice.is_setting(action)
        try:
            self.is_done = self.practice.play(action)
        except GameError as error:
            self.session.prompts.notice(error.key, "bad")
        else:
            if self.practice.lesson.is_spoilt_by(action.text):
                self.session.prompts.say(self.session.t(f"{self._stem}.spoilt"), "bad")
            elif not self.is_done and not is_setting:
                self.session.prompts.notice("tutorial.other", ask=self.session.t(f"{self._stem}.ask"))
        self.snapshot = self.practice.snapshot
        if self.is_done:
            self.done.add(self.index)
        if self.is_finished and not self.left_out:
            self.session.person.finish_lessons(self.game, self.part)
        if self.is_done or is_setting:
            self.selection = self.board.follow(self.snapshot, self.selection)
        else:
            self.select_nothing()
        return False

    def do_next(self) -> None:
        """Go to the next lesson; after the last, back where one came from."""
        if self.index + 1 < len(self.lessons):
            self.go_to(self.index + 1)
        else:
            self.session.pages.pop()

    def do_previous(self) -> None:
        """Repeat the lesson before this one."""
        self.go_to(max(0, self.index - 1))

    def do_skip(self) -> None:
        """Go to the next lesson, or to the one before, done or not."""
        back = self.key == "page up"
        if 0 <= (index := self.index + (-1 if back else 1)) < len(self.lessons):
            self.go_to(index)
        else:
            self.session.prompts.notice("tutorial.is-first" if back else "tutorial.is-last")

    def do_steps(self) -> None:
        """List the lessons, to go to one of them."""
        self.session.pages.push(StepsPage(self))

    def go_to(self, index: int) -> None:
        """Begin a lesson, which is gone on with when one comes back."""
        self.begin(index)
        self.session.person.keep_lesson(self.game, self.part, index, self.left_out)

    def do_board(self) -> None:
        """Show the board in the words' place, or the words again."""
        self.reads = not self.reads

    def do_play(self) -> None:
        """Play the game now, against a built-in player."""
        self.session.go(places.BotsPlace(self.game), instead=True)


class StepsPage(ListPage[int]):
    """The lessons of a tutorial, by number from 0; the chosen one is gone on with."""

    measure = READING
    context: ClassVar[str] = "list"

    def __init__(self, tutorial: TutorialPage) -> None:
        super().__init__(tutorial.session)
        self.tutorial = tutorial
        self.chooser = Chooser(tutorial.index)

    def landing(self) -> str:
        return self.tutorial.landing()

    def title(self) -> str:
        return self.tutorial.title()

    def title_style(self) -> str:
        return self.tutorial.title_style()

    def body(self, cols: int, rows: int) -> Body:
        """List the lessons, and at the end of the page, where there is room, what the game is beside its emblem."""
        look = self.session.look
        lines = at_end(self.list_lines(0, rows), game_card(self.tutorial.game, look, cols), cols, rows)
        return Body(block(lines, cols, rows))

    def lines_needed(self) -> int:
        return self.count() + 1 + len(game_card(self.tutorial.game, self.session.look, self.most_cols))

    def above(self) -> list[Said]:
        """Tell what the game is."""
        game, look = self.tutorial.game, self.session.look
        return [Said(look.t("list.pair", what=look.game(game), value=game_words(game, look)))]

    def listed(self) -> tuple[int, ...]:
        return tuple(range(len(self.tutorial.lessons)))

    def columns(self) -> tuple[Column[int], ...]:
        """Return which lesson it is, whether it is the one that one is at, and what there is to do in it."""
        t, at = self.session.t, self.tutorial.index
        task, here = self.tutorial.task, columns(t("tutorial.here"))
        widest = max(columns(self.tutorial.heading(index)) for index in self.listed())
        return (
            Column("", min(widest, STEP_COLS), self.tutorial.heading),
            Column("", here, lambda index: t("tutorial.here") if index == at else "", "dim"),
            Column("", 0, task if self.size[0] >= WIDE else lambda index: "", "dim", said=task),
        )

    def do_open(self) -> None:
        """Go to the chosen lesson; the one that one is at goes on as it stands."""
        chosen = self.chooser.index
        self.session.pages.pop()
        if chosen != self.tutorial.index:
            self.tutorial.go_to(chosen)


class TutorialSpeech(PlayedAloneSpeech):
    """A tutorial in words: the lesson, the board, and what is to be done."""

    def __init__(self, page: TutorialPage) -> None:
        super().__init__(page)
        self._tutorial = page
        self._told: tuple[str, ...] = ()  # of the lesson
        self._happened: tuple[SeenEvent, ...] = ()  # in it, as far as that was told

    def prompt(self) -> str:
        shown = self._tutorial
        if shown.is_done:
            return shown.way_on()
        return shown.board.spoken_prompt(shown.snapshot, shown.session.look)

    def asks(self) -> Hashable:
        """Return the lesson, and what it asks for."""
        return self._tutorial.index, self._tutorial.is_done, self._tutorial.snapshot.pending

    def news(self) -> Sequence[str]:
        """Return the lesson that has begun, or what there is to say when it is done."""
        shown = self._tutorial
        before, self._told = self._told, tuple(one.text for one in shown.told())
        happened, self._happened = self._happened, shown.practice.events
        if before == self._told:
            return ()
        new = self._happened[len(happened) :] if shown.is_done else ()
        done = boardwords.told(shown.board, shown.snapshot, new, shown.session.look.heard())
        position = () if shown.is_done else shown.board.spoken(shown.snapshot, shown.session.look)
        return [*done, *(said for said in self._told if said not in before), *position]

    def hints(self) -> tuple[Hint, ...]:
        """Return the way on; until the lesson is done, the ways to others."""
        others = keymap.hints("tutorial", OTHER_STEPS)
        return (*self._tutorial.ways_on(), *others[:1]) if self._tutorial.is_done else others
