"""The games that are played here: for how many, how long one takes, and what one plays for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import Final, TypeAlias

from server.boards import games
from server.boards.gamefacts import about, playable, players_words, takes
from server.boards.gamestyle import game_style
from server.screens.columns import Column, cells, headings, row_words
from server.terminal.items import Heading, Item, Said
from server.terminal.lines import Line, at_end, beside, ends, fit, inset, plain, width_cols, wrapped
from server.terminal.look import Look

INDENT: Final = 1
NAME_COLS, PLAYERS_COLS, TAKES_COLS = 11, 7, 8
WHOLE_FROM: Final = 74  # columns, for what a game is
EMBLEM_COLS, EMBLEM_ROWS = 17, 4  # of the few cells that show what a game looks like (`emblem` in its folder)
CARD_GAP: Final = 2
Below: TypeAlias = Callable[[int, str, Look, int], list[Line]]  # what stands below the emblem of the nth game, so wide


def games_told(look: Look) -> tuple[Item, ...]:
    """Tell the games."""
    return Heading(look.t("lobby.games")), *(Said(row_words(_columns(look), game, look)) for game in playable())


def game_lines(look: Look, cols: int) -> tuple[Line, ...]:
    """Draw the games, a line for each below the heads of the columns."""
    columns, before = _columns(look)[: None if cols >= WHOLE_FROM else -1], (("", " " * INDENT),)
    head = plain(" " * INDENT + headings(columns, look), "dim")
    return tuple(fit(line, cols) for line in (head, *((*before, *cells(columns, game)) for game in playable())))


def card_lines(look: Look, cols: int, shown: Sequence[str] = ()) -> tuple[Line, ...]:
    """Draw some games (none: all) beside each other, each below its emblem; nothing where they have no room."""
    return _cards(tuple(shown) or playable(), look, cols, _told)


def numbered_emblems(look: Look, cols: int) -> tuple[Line, ...]:
    """Draw the games' emblems beside each other, each above its number and name; nothing where they have no room."""
    return _cards(playable()[:9], look, cols, _numbered)


def named_emblems(look: Look, cols: int) -> tuple[Line, ...]:
    """Draw the games' emblems beside each other, each above its name and how long it takes.

    Nothing where they have no room, or there is but one.
    """
    return _cards(playable(), look, cols, _named) if len(playable()) > 1 else ()


def with_emblems(lines: list[Line], look: Look, cols: int, rows: int) -> list[Line]:
    """Draw all emblems with their names at the end of a page; the page alone where there is no room."""
    return at_end(lines, named_emblems(look, cols), cols, rows)


def cols_beside_emblem(cols: int) -> int:
    """Return how many columns the first lines of a page may have, so that an emblem has room at their right."""
    return cols - EMBLEM_COLS - INDENT - CARD_GAP


def with_emblem(lines: list[Line], game: str, look: Look, cols: int) -> list[Line]:
    """Draw a game's emblem at the right of a page's first lines; the page alone where they are too long."""
    left, first, rest = cols - EMBLEM_COLS - INDENT, lines[:EMBLEM_ROWS], lines[EMBLEM_ROWS:]
    if max(map(width_cols, first)) > cols_beside_emblem(cols):
        return lines
    return [*beside(first, emblem_lines(game, look), left, EMBLEM_COLS), *(rest or [()])]


def emblem_lines(game: str, look: Look) -> list[Line]:
    """Draw what a game looks like in few cells; blank lines for one that has no emblem."""
    drawn = games.part(game, "emblem")
    return drawn.emblem(look) if drawn is not None else [()] * EMBLEM_ROWS


@lru_cache(maxsize=256)
def game_card(game: str, look: Look, cols: int) -> tuple[Line, ...]:
    """Draw what one game is beside its emblem; nothing where there is no room."""
    room = cols_beside_emblem(cols) - INDENT
    if room < EMBLEM_COLS:
        return ()
    text = [plain(look.game(game), game_style(game)), *_about(game, look, room)]
    return tuple(with_emblem([fit(line, room + INDENT) for line in inset(text, INDENT)], game, look, cols))


def _cards(shown: tuple[str, ...], look: Look, cols: int, below: Below) -> tuple[Line, ...]:
    width = min((cols - INDENT) // max(1, len(shown)), EMBLEM_COLS * 3 // 2)
    if width < EMBLEM_COLS + CARD_GAP:
        return ()
    cards = [[*emblem_lines(game, look), *below(n, game, look, width - CARD_GAP)] for n, game in enumerate(shown, 1)]
    rows = zip_longest(*cards, fillvalue=())
    return tuple((("", " " * INDENT), *(span for line in row for span in fit(line, width))) for row in rows)


def _numbered(n: int, game: str, look: Look, cols: int) -> list[Line]:
    return [(("key", f"{n}  "), (game_style(game), look.game(game)))]


def _named(n: int, game: str, look: Look, cols: int) -> list[Line]:
    time = plain(takes(game, look), "dim")
    return [ends(plain(look.game(game), game_style(game)), time, EMBLEM_COLS)]


def _told(n: int, game: str, look: Look, cols: int) -> list[Line]:
    return [(), *_named(n, game, look, cols), *_about(game, look, cols)]


def _about(game: str, look: Look, cols: int) -> list[Line]:
    players = plain(look.t("lobby.games.size", players=players_words(game, look)))
    return [players, *wrapped(about(game, look), cols, "dim")]


def _columns(look: Look) -> tuple[Column[str], ...]:
    return (
        Column("lobby.games", NAME_COLS, look.game, game_style, gap=0),
        Column("lobby.games.players", PLAYERS_COLS, lambda game: players_words(game, look), is_number=True, gap=0),
        Column("lobby.games.takes", TAKES_COLS, lambda game: takes(game, look), is_number=True),
        Column("", 0, lambda game: about(game, look), "dim"),
    )
