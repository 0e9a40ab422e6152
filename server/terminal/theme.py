"""How things look: the colours that each style has in each theme, at each depth of colour (in RGB: tokens.py).

A style is only ever a second hint: whatever it says is also said by a glyph or a word, so that every palette, also
the one without colours, is fully playable.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import permutations
from typing import Final, Literal, NamedTuple

from server.terminal.colours import (
    BASIC,
    GROUNDS,
    MARK_CONTRAST,
    TEXT_CONTRAST,
    contrast,
    cube,
    likeness,
    nearest_16,
    nearest_256,
)
from server.terminal.tokens import RGB, TOKENS, Tokens

Entry = tuple[str | None, str, str, str, str, str]  # as urwid has them
MONO: Final = "mono"
PALETTES: Final = (*TOKENS, MONO)
CONTRAST: Final = "high-contrast"  # brings its own ground, whatever the terminal's is
Depth = Literal[16, 256, 16777216]
DEPTHS: Final[tuple[Depth, ...]] = (16, 256, 16777216)
LINES: Final = frozenset(("rule", "grid"))  # marks, not text

SEATS: Final = 6  # who has a colour of their own
GAMES: Final = 4
# What a terminal without colours shows. `seatN` is a player's words, `tileN` what lies on the table: its ground is the
# player's. `wireN`, `reachN`: a player's link across an empty place, and across one that can be reached. `link` and
# `virus` are kinds of cards, `danger` what is threatened, `cell…` the grounds of empty places.
MONOCHROME: Final[Mapping[str, str]] = {
    "title": "bold",
    "place": "bold",
    "dim": "default",
    "bar": "underline",
    "bar.place": "bold,underline",
    "bar.dim": "underline",
    "bar.key": "bold,underline",
    "bar.good": "bold,underline",
    "button": "standout",
    "rule": "default",
    "key": "bold",
    "label": "default",
    "good": "bold",
    "warn": "bold",
    "bad": "bold",
    "accent": "bold",
    "row": "standout",
    "cursor": "standout",
    "selected": "standout",
    "target": "bold",
    "last": "underline",
    "fresh": "standout",
    "mark": "bold",
    "exit": "default",
    "wall": "bold",
    "grid": "default",
    "input": "underline",
    "name": "bold",
    "clock": "default",
    "clock.run": "bold",
    "clock.low": "standout",
    **{f"seat{seat}": "default" if seat % 2 else "bold" for seat in range(SEATS)},
    **{f"tile{seat}": "default" if seat % 2 else "bold" for seat in range(SEATS)},
    **{f"turn{seat}": "standout" for seat in range(SEATS)},
    **{f"wire{seat}": "default" if seat % 2 else "bold" for seat in range(SEATS)},
    **{f"reach{seat}": "default" if seat % 2 else "bold" for seat in range(SEATS)},
    **{f"game{n}": "bold" for n in range(GAMES)},
    **{f"bar.game{n}": "bold,underline" for n in range(GAMES)},
    "link": "bold",
    "virus": "standout",
    "danger": "standout",
    "cell": "default",
    "cell.last": "default",
    "cell.fresh": "standout",
    "cell.target": "bold",
    "cell.reach": "default",
    "cell.threat": "bold",
    "cell.exit": "default",
    "card": "default",
}


class Colours(NamedTuple):
    """The colours of a style; None: those of the ground. `settings`: urwid's, after a comma."""

    fore: RGB | None = None
    back: RGB | None = None
    settings: str = ""


BOLD: Final = ",bold"
OWN_GROUND: Final = {True: BASIC[0], False: BASIC[7]}  # of a dark palette and of a light one, of the eight
PAPER: Final = BASIC[7]  # the ground of a card
WHITE: Final = 0xFFFFFF  # the ground of most light terminals, which is none of the eight


def styles(tokens: Tokens) -> dict[str, Colours]:
    """Return what each style is made of, besides what is plain."""
    t = tokens
    return {
        "title": Colours(t.text, None, BOLD),
        "place": Colours(t.accent, None, BOLD),
        "dim": Colours(t.quiet),
        "bar": Colours(t.text, t.raised),
        "bar.place": Colours(t.accent, t.raised, BOLD),
        "bar.dim": Colours(t.quiet, t.raised),
        "bar.key": Colours(t.text, t.raised, BOLD),
        "bar.good": Colours(t.good, t.raised, BOLD),
        "button": Colours(t.on_focus, t.accent, BOLD),
        "rule": Colours(t.line),
        "grid": Colours(t.line),
        "key": Colours(t.text, None, BOLD),
        "label": Colours(t.quiet),
        "good": Colours(t.good),
        "warn": Colours(t.warn),
        "bad": Colours(t.bad),
        "accent": Colours(t.accent),
        "row": Colours(t.text, t.row),
        "cursor": Colours(t.on_focus, t.focus),
        "selected": Colours(t.paper, t.chosen, BOLD),
        "target": Colours(t.warn, None, BOLD),
        "last": Colours(*t.last),
        "fresh": Colours(*t.fresh),
        "mark": Colours(t.text, None, BOLD),
        "exit": Colours(t.accent),
        "wall": Colours(t.seats[3]),
        "input": Colours(t.text, None, ",underline"),
        "name": Colours(t.accent),
        "clock": Colours(t.quiet),
        "clock.run": Colours(t.good, None, BOLD),
        "clock.low": Colours(t.on_alarm, t.alarm, BOLD),
        **{f"seat{seat}": Colours(t.seats[seat], None, BOLD) for seat in range(SEATS)},
        **{f"tile{seat}": Colours(t.tile_inks[seat], t.tiles[seat]) for seat in range(SEATS)},
        **{f"turn{seat}": Colours(t.tile_inks[seat], t.tiles[seat], BOLD) for seat in range(SEATS)},
        **{f"wire{seat}": Colours(t.seats[seat], t.raised) for seat in range(SEATS)},
        **{f"reach{seat}": Colours(t.seats[seat], t.reach[1]) for seat in range(SEATS)},
        **{f"game{n}": Colours(t.games[n], None, BOLD) for n in range(GAMES)},
        **{f"bar.game{n}": Colours(t.games[n], t.raised, BOLD) for n in range(GAMES)},
        "link": Colours(t.on_link, t.link, BOLD),
        "virus": Colours(t.on_virus, t.virus, BOLD),
        "danger": Colours(t.on_alarm, t.alarm, BOLD),
        "cell": Colours(t.quiet, t.raised),
        "cell.last": Colours(*t.last),
        "cell.fresh": Colours(*t.fresh),
        "cell.target": Colours(*t.target, BOLD),
        "cell.reach": Colours(*t.reach),
        "cell.threat": Colours(*t.threat, BOLD),
        "cell.exit": Colours(*t.exit),
        "card": Colours(t.ink, t.card),
    }


@cache
def palette(name: str, ground: str = "", depth: int = 256) -> tuple[Entry, ...]:
    """Return urwid's palette entries (name, foreground, background, monochrome, both with more colours).

    `ground` is the terminal's ("dark", "light", "unknown"): on another one than it is made for, a palette brings its
    own. Empty: the one it is made for. `depth`: how many colours it has, one of DEPTHS. What has no style is urwid's
    None. An unknown name is the default.
    """
    if name == MONO:
        plain = {style: mono if mono == "default" else f"default,{mono}" for style, mono in MONOCHROME.items()}
        return tuple(
            [(style, plain[style], "default", mono, plain[style], "default") for style, mono in MONOCHROME.items()]
        )
    name = name if name in TOKENS else "default"
    tokens = TOKENS[name]
    kind = "dark" if tokens.is_dark else "light"
    brings = name == CONTRAST or (ground or kind) != kind
    few, many = _Sixteen(tokens, brings), (_True if depth == DEPTHS[2] else _Cube)(tokens, brings)
    found = styles(tokens)
    entries: list[Entry] = [(None, *few.of(Colours()), "default", *many.of(Colours()))] if brings else []
    for style, mono in MONOCHROME.items():
        one, wanted = found.get(style, Colours()), MARK_CONTRAST if style in LINES else TEXT_CONTRAST
        entries.append((style, *few.of(one, wanted), mono, *many.of(one, wanted)))
    return tuple(entries)


class _Depth:
    """How a palette's colours are said at one depth of colour."""

    def __init__(self, tokens: Tokens, brings: bool) -> None:
        self.tokens, self._brings = tokens, brings

    def of(self, style: Colours, wanted: float = TEXT_CONTRAST) -> tuple[str, str]:
        """Return urwid's words for a style's foreground and background. `wanted`: the contrast it needs."""
        fore, back = style.fore, style.back
        if self._brings:
            fore, back = self.tokens.text if fore is None else fore, self.tokens.ground if back is None else back
        said = "default" if fore is None else self.foreground(fore, back, wanted)
        return said + style.settings, "default" if back is None else self.background(back)

    def foreground(self, colour: RGB, back: RGB | None, wanted: float) -> str:
        raise NotImplementedError

    def background(self, colour: RGB) -> str:
        raise NotImplementedError


class _True(_Depth):
    def foreground(self, colour: RGB, back: RGB | None, wanted: float) -> str:
        return f"#{colour:06x}"

    def background(self, colour: RGB) -> str:
        return f"#{colour:06x}"


class _Cube(_Depth):
    def foreground(self, colour: RGB, back: RGB | None, wanted: float) -> str:
        behind = cube()[nearest_256(self.tokens.ground if back is None else back)]
        return f"h{nearest_256(colour, behind, wanted)}"

    def background(self, colour: RGB) -> str:
        return f"h{nearest_256(colour)}"


class _Sixteen(_Depth):
    """Of the eight grounds each player has one; a surface that is hardly more than the ground is the ground."""

    def __init__(self, tokens: Tokens, brings: bool) -> None:
        super().__init__(tokens, brings)
        self._own = OWN_GROUND[tokens.is_dark]
        self._others = tuple(one for one in BASIC[:GROUNDS] if one != self._own)
        self._tiles = _shared_out(tokens.tiles, self._others)
        families = (tokens.games, tokens.seats, (tokens.bad, tokens.warn, tokens.good))
        self._names = _told_apart(families, self._own[1] if brings or tokens.is_dark else WHITE)

    def foreground(self, colour: RGB, back: RGB | None, wanted: float) -> str:
        behind = self._ground(back)[1]
        if behind == self._own[1] and colour in self._names:
            return self._names[colour]
        whites = [WHITE] if behind == self._own[1] and not self.tokens.is_dark else []
        return nearest_16(colour, BASIC, [behind, *whites], wanted)[0]

    def background(self, colour: RGB) -> str:
        ground = self._ground(colour)
        is_own = ground == self._own and colour != self.tokens.card
        return "default" if is_own and not self._brings else ground[0]

    def _ground(self, colour: RGB | None) -> tuple[str, RGB]:
        if colour is None or colour == self.tokens.reach[1]:  # under half a board, none of the eight is quiet enough
            return self._own
        if colour == self.tokens.card and not self._brings:
            return PAPER  # on the white of most light terminals it is seen, too, and it is nobody's
        among = BASIC[:GROUNDS] if colour in self.tokens.places else self._others
        return self._tiles.get(colour) or min(among, key=lambda one: likeness(one[1], colour))


@cache
def _shared_out(tiles: tuple[RGB, ...], grounds: tuple[tuple[str, RGB], ...]) -> dict[RGB, tuple[str, RGB]]:
    """Give each player one of these grounds, so that all together look most like their own."""
    ways = permutations(grounds, len(tiles))
    best = min(ways, key=lambda way: sum(likeness(one[1], tile) for one, tile in zip(way, tiles, strict=True)))
    return dict(zip(tiles, best, strict=True))


@cache
def _told_apart(families: tuple[tuple[RGB, ...], ...], behind: RGB) -> dict[RGB, str]:
    """Give each colour of a family (games, players, meanings) one of the sixteen, none twice while enough read."""
    fit = [one for one in BASIC if contrast(one[1], behind) >= TEXT_CONTRAST]
    found: dict[RGB, tuple[str, RGB]] = {}
    for family in families:
        for colour in family:
            if colour not in found:
                taken = {found[other] for other in family if other in found}
                found[colour] = nearest_16(colour, [one for one in fit if one not in taken] or fit)
    return {colour: name for colour, (name, _) in found.items()}


COUNTERPARTS: Final[Mapping[tuple[str, str], str]] = {  # by the terminal's ground and a palette made for another one
    ("light", "default"): "light",
    ("dark", "light"): "default",
    ("light", "colour-blind"): "colour-blind-light",
    ("dark", "colour-blind-light"): "colour-blind",
}


def suited(name: str, ground: str) -> str:
    """Return the palette of the same kind that is made for a terminal's ground."""
    return COUNTERPARTS.get((ground, name), name)
