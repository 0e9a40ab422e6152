"""Help: the keys that work where one comes from, and the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from typing import TypeAlias

from game import registry
from server.boards import keymap, rulebook
from server.boards.board import board, has_board, terms_of
from server.boards.lesson import lessons
from server.boards.library import library
from server.screens.sessionpage import SessionPage
from server.session import places
from server.session.page import Body, Page, Speech
from server.session.session import Session
from server.terminal import itemwords
from server.terminal.frame import key_name
from server.terminal.hint import Hint
from server.terminal.itemlines import TAB_EDGES, heading_line, tab_lines, with_position
from server.terminal.items import Heading, Item, Said, Tabs
from server.terminal.lines import Line, Span, beside, columns, inset, pad_left, plain, text_of, wrapped
from server.terminal.look import Look
from server.terminal.stage import MANUAL, READING

KEY_COLS = 11  # keys end where their sentences begin; where all are shorter, they take less
EDGES = 3  # blank columns around a key
WIDE = 110  # columns on which a long list of keys stands in two columns
COLUMN_GAP = 4
TABBED = 18  # rows of a page that has room to name its leaves
MOST_DIGITS = 6  # of a line's number


Struck: TypeAlias = tuple[Line, str]  # a line, and the key that a click on it stands for; '' for none
Part: TypeAlias = tuple[Struck, ...]


def key_help(context: str, look: Look, cols: int, key_cols: int) -> Iterator[Struck]:
    """Yield the lines of a context's keys with what each does."""
    for binding in keymap.in_context(context).values():
        for line in _explained(("key", key_name(binding.shown, look)), look.t(binding.help), cols, key_cols):
            yield line, binding.keys[0]


def key_cols_of(contexts: Iterable[str], look: Look) -> int:
    """Return how many columns the longest key of some contexts takes."""
    names = (key_name(one.shown, look) for context in contexts for one in keymap.in_context(context).values())
    return min(KEY_COLS, max(map(columns, names), default=0))


def _explained(name: Span, sentence: str, cols: int, key_cols: int) -> list[Line]:
    """Set a sentence behind the name of what it explains."""
    style, text = name
    first, *rest = wrapped(sentence, max(10, cols - key_cols - EDGES - 1))
    return [(("", " "), (style, pad_left(text, key_cols)), ("", "  "), *first), *inset(rest, key_cols + EDGES)]


def marks_of(game: str, look: Look, cols: int, key_cols: int = KEY_COLS) -> list[Line]:
    """List the marks on a game's board with what each means; empty where there are none, or no board."""
    found = board(game).marks(look) if has_board(game) else ()
    lines: list[Line] = [heading_line(Heading(look.t("help.marks")), key_cols + EDGES)] if found else []
    for mark, means in found:
        lines += _explained(("title", mark), means, cols, key_cols)
    return [*lines, ()] if lines else []


def _term_lines(game: str, look: Look, cols: int, key_cols: int) -> list[Line]:
    """List a game's words, each with its meaning behind it."""
    terms = terms_of(game, look)
    lines: list[Line] = [heading_line(Heading(look.t("help.terms")), key_cols + EDGES)] if terms else []
    for word, means in terms:
        said = wrapped(look.t("list.pair", what=word, value=means), cols - 1, "", 2)
        first = text_of(said[0])
        lines += [(("", " "), ("title", first[: len(word)]), ("", first[len(word) :])), *inset(said[1:], 1)]
    return [*lines, ()] if lines else []


@lru_cache(maxsize=64)
def key_parts(contexts: tuple[str, ...], topic: str, look: Look, cols: int) -> tuple[Part, ...]:
    """Write the leaf of the keys: a part for each context, those for a board's marks and words after the first.

    Each ends with a blank line.
    """
    key_cols = key_cols_of(contexts, look)
    first, *rest = (_keys_of(one, look, cols, key_cols) for one in contexts if keymap.in_context(one))
    marks = tuple((line, "") for line in marks_of(topic, look, cols, key_cols))
    terms = tuple((line, "") for line in _term_lines(topic, look, cols, key_cols))
    return tuple(part for part in (first, marks, terms, *rest) if part)


def _keys_of(context: str, look: Look, cols: int, key_cols: int) -> Part:
    head = heading_line(Heading(look.t(f"context.{context}")), key_cols + EDGES)
    return ((head, ""), *key_help(context, look, cols, key_cols), ((), ""))


def in_two(parts: Sequence[Part]) -> tuple[list[Struck], list[Struck]]:
    """Share parts out over two columns in their order, so that the longer one is as short as can be."""
    ways = [(list(chain(*parts[:n])), list(chain(*parts[n:]))) for n in range(1, len(parts) + 1)]
    return min(ways, key=lambda way: max(map(len, way)))


class HelpPage(SessionPage):
    """The `?` overlay: a page over the page it explains, with a leaf for the keys and one for each game's rules."""

    measure = MANUAL
    context = "help"
    is_overlay = True

    def __init__(self, session: Session, over: Page, rules: bool) -> None:
        super().__init__(session)
        self.over = over
        games = registry.in_order(registry.KEYS)
        self.leaves = ("", *(key for key in games if rulebook.page(key, session.look.language)), rulebook.ALL_GAMES)
        self.leaf = 0
        self.top = 0
        self._rows = 1
        self._below = 0  # lines that do not show any more
        self._head: Sequence[Line] = ()  # the names of the leaves
        if rules:
            self.do_rules()

    def who(self) -> str:
        """Say who one is, unless the page below says nobody: a name is still to be chosen."""
        return super().who() if self.over.who() else ""

    @property
    def game(self) -> str:
        """Return the game whose rules show, '' on the leaves of the keys and of all games."""
        return "" if self.about == rulebook.ALL_GAMES else self.about

    @property
    def about(self) -> str:
        """Return what the leaf is about: a game's rules or what holds in all, '' for the keys."""
        return self.leaves[self.leaf]

    def title(self) -> str:
        """Say Help, and of what."""
        t = self.session.t
        about = t("help.all-games") if self.about == rulebook.ALL_GAMES else self.over.title()
        about = t(f"game.{self.game}") if self.game else about
        return f"{t('help.title')} · {about}"

    def landing(self) -> str:
        return "help"

    def half_done(self) -> tuple[str, ...]:
        """Return which leaf is read, and from which line on."""
        return str(self.leaf), str(self.top)

    def take_up(self, words: Sequence[str]) -> None:
        """Go on reading there; the lines are counted when they are drawn."""
        match [int(word) for word in words if word.isdecimal() and len(word) < MOST_DIGITS]:
            case [leaf, top] if leaf < len(self.leaves):
                self.leaf, self.top = leaf, top

    def explained(self) -> tuple[str, ...]:
        """Return the contexts of the page it was opened on."""
        return (*self.over.contexts(), "everywhere")

    def contexts(self) -> tuple[str, ...]:
        return ("help", "list")

    def body(self, cols: int, rows: int) -> Body:
        """Show the leaf, from the row it is scrolled to, below the names of all of them."""
        self._head = [*tab_lines(self._tabs(), cols), ()] if rows >= TABBED else []
        self._rows = rows = rows - len(self._head)
        lines, width = self._leaf(cols), self._width(cols)
        self.top = max(0, min(self.top, len(lines) - rows))
        shown = range(self.top, min(len(lines), self.top + rows))
        self._below = len(lines) - shown.stop
        drawn = with_position([lines[y] for y in shown], shown, len(lines), self.session.look, width - 1)
        return Body([*self._head, *drawn])

    def _tabs(self) -> Tabs:
        t = self.session.t
        names = (t("help.keys"), *(t(f"game.{key}") for key in self.leaves[1:-1]), t("help.all-games"))
        return Tabs(names, self.leaf)

    def _width(self, cols: int) -> int:
        """Return how wide the leaf is: rules are read in lines that are not too long."""
        return cols if not self.about and self._is_in_two(cols) else min(cols, READING.cols)

    def message(self) -> Line:
        """Say that there is more than the screen holds."""
        return (
            plain(f" {self.session.t('help.more', n=self._below)}", "dim")
            if self._below and not self.session.look.is_heard
            else ()
        )

    def _leaf(self, cols: int) -> Sequence[Line]:
        width = self._width(cols)
        if self.about:
            return rulebook.lines(self.about, self.session.look.language, width - 1)
        left, right = self._keys(cols)
        if not right:
            return [line for line, _ in left]
        half = width // 2
        return beside([line for line, _ in left], [line for line, _ in right], half, width - half - 1)

    def _is_in_two(self, cols: int) -> bool:
        """Tell whether the keys stand in two columns: where there are more than rows, and room."""
        return cols >= WIDE and sum(map(len, self._parts(READING.cols - 1))) - 1 > self._rows

    def _keys(self, cols: int) -> tuple[list[Struck], list[Struck]]:
        """Return the leaf of the keys: its lines, and those of the column beside them."""
        if self._is_in_two(cols):
            return in_two(self._parts(cols // 2 - COLUMN_GAP))
        return list(chain(*self._parts(self._width(cols) - 1)))[:-1], []

    def _parts(self, cols: int) -> tuple[Part, ...]:
        """Return the parts of the leaf of the keys."""
        return key_parts(self.explained(), self.over.help_topic(), self.session.look, cols)

    def items(self) -> list[Item]:
        """Tell the leaf: the rules, or what can be done where one comes from. The marks of a board are for the eye."""
        look, told = self.session.look, list[Item]()
        if self.about:
            return list(rulebook.told(self.about, look.language))
        for context in self.explained():
            bindings = keymap.in_context(context).values()
            told += [Heading(look.t(f"context.{context}"))] if bindings else []
            told += [Said(look.t("list.pair", what=look.t(one.label), value=look.t(one.help))) for one in bindings]
        terms = terms_of(self.over.help_topic(), look)
        told += [Heading(look.t("help.terms"))] if terms else []
        told += [Said(look.t("list.pair", what=word, value=means)) for word, means in terms]
        return told

    def click(self, col: int, row: int) -> bool:
        """Close help and press the key that a line explains: on a small screen the key line has no room for it."""
        if row < len(self._head):
            return self._click_tab(col) if row == 0 else False
        cols, y = self.size[0], self.top + row - len(self._head)
        left, right = ([], []) if self.about else self._keys(cols)
        column = right if right and col >= cols // 2 else left
        key = column[y][1] if y < len(column) else ""
        if not key:
            return False
        self.session.pages.pop()
        self.over.press(key)
        return True

    def _click_tab(self, col: int) -> bool:
        """Turn to the leaf whose name stands at a column."""
        end = 0
        for leaf, name in enumerate(self._tabs().names):
            if col < (end := end + columns(name) + TAB_EDGES):
                self._turn(leaf)
                return True
        return False

    def hints(self) -> tuple[Hint, ...]:
        """Return what works in help."""
        more = (*("rules", "all-games", "topic"), *(("tutorial",) if self._taught() else ()))
        more = (*more, *(("library",) if self._has_cards() else ()))
        scroll, *others = keymap.hints("help", ("scroll", "section", *more))
        scroll = replace(scroll, keys=("page down" if self._below else "home",))  # that a click turns pages with
        return (scroll, *others, *keymap.hints("everywhere", ("back",)))

    def _subject(self) -> str:
        """Return the game one has to do with: the leaf's, else that of the page below, else the one to begin with."""
        return self.game or self.over.help_topic() or self.leaves[min(1, len(self.leaves) - 1)]

    def _taught(self) -> bool:
        return bool(lessons(self._subject()))

    def press(self, key: str) -> bool:
        """Scroll, turn leaves; `?` closes."""
        if keymap.command("everywhere", key) == "help":
            self.session.pages.pop()
            return True
        return super().press(key)

    def do_scroll(self) -> None:
        """Scroll a line."""
        self.top = max(0, self.top + (-1 if self.key in ("up", "k") else 1))

    def do_page(self) -> None:
        """Scroll a page."""
        self.top = max(0, self.top + (-self._rows if self.key == "page up" else self._rows))

    def do_section(self) -> None:
        """Go to the heading after or before what shows."""
        lines = self._leaf(self.size[0])
        heads = [y for y, line in enumerate(lines) if {style for style, text in line if text.strip()} == {"title"}]
        if self.key == "[":
            self.top = max((y for y in heads if y < self.top), default=0)
        else:
            self.top = min((y for y in heads if y > self.top), default=self.top)

    def do_ends(self) -> None:
        """Go to the beginning or the end."""
        self.top = 0 if self.key == "home" else 10**6

    def do_rules(self) -> None:
        """Open the rules of the game one has to do with; again: back to the keys."""
        subject = self._subject()
        self._turn(0 if self.about or subject not in self.leaves else self.leaves.index(subject))

    def do_all_games(self) -> None:
        """Open what holds in every game: ratings, clocks, being away; again: back to the keys."""
        self._turn(0 if self.about == rulebook.ALL_GAMES else self.leaves.index(rulebook.ALL_GAMES))

    def do_topic(self) -> None:
        """Turn to the next leaf, or the one before."""
        self._turn((self.leaf + (-1 if self.key == "left" else 1)) % len(self.leaves))

    def _turn(self, leaf: int) -> None:
        self.leaf, self.top = leaf, 0

    def do_library(self) -> None:
        """Look up the cards of the game one has to do with."""
        if self._has_cards():
            subject = self._subject()
            self.session.pages.pop()
            self.session.go(places.CardsPlace(subject))

    def _has_cards(self) -> bool:
        return library(self._subject()) is not None

    def do_tutorial(self) -> None:
        """Begin the tutorial of the game one has to do with."""
        if self._taught():
            subject = self._subject()
            self.session.pages.pop()
            self.session.go(places.TutorialsPlace((subject,)))

    def speech(self) -> Speech:
        return HelpSpeech(self)


SECTION = 2  # the level of a section's heading


class HelpSpeech(Speech):
    """Help in words: of rules first how to play and which sections there are, each of which a number says."""

    def __init__(self, page: HelpPage) -> None:
        super().__init__(page)
        self._help = page

    def _sections(self) -> list[list[Item]]:
        """Return how to play, and each section behind it with its heading, which has its number."""
        sections: list[list[Item]] = [[]]
        is_begun = False
        for item in self._help.items():
            if isinstance(item, Heading) and item.level == SECTION:
                if is_begun:
                    sections.append([])
                    item = self._numbered(item, len(sections) - 1)
                is_begun = True
            sections[-1].append(item)
        return sections

    def _numbered(self, heading: Heading, n: int) -> Heading:
        """Return the heading of a section with its number, where it has none of its own."""
        if heading.text.startswith(f"{n}."):
            return heading
        return replace(heading, text=self._help.session.t("lines.row", n=n, text=heading.text))

    def entered(self) -> Sequence[Item]:
        """Tell the leaf; of long rules the beginning, and the names of the sections."""
        first, *sections = self._sections()
        if not sections:
            return first
        return [*first, *(one for one, *_ in sections), Said(self._help.session.t("lines.sections"))]

    def stands(self) -> Sequence[Item]:
        """Tell the leaf with all its sections."""
        return self._help.items()

    def answer(self, typed: str) -> Sequence[str] | None:
        """Say the section of a number."""
        sections = self._sections()
        at = int(typed[:4]) if typed.isdecimal() else 0
        return itemwords.in_words(sections[at], self._help.session.look) if 0 < at < len(sections) else None
