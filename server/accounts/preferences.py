"""A person's settings: language, look, and usual choices for matches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True)
class Preferences:
    """A person's settings; a new one has these. An empty text means: as the terminal says."""

    language: str = ""
    palette: str = ""
    glyphs: str = ""
    bell: bool = True
    title: bool = True
    mouse: bool = True
    motion: bool = True  # what was just done on a board stands out for a second
    lines: bool = False  # as a dialogue, also on a terminal that could show screens
    calibrated: bool = False
    codes_wait: bool = False  # the recovery codes have not been read yet
    games: tuple[str, ...] = ()  # ticked for Play now; none: all
    speed: str = "normal"
    rated: bool = True
    smaller: str = "ask"  # whether to begin with fewer players if nobody comes: ask, yes, no
    bots: bool = False  # and with built-in players on the empty seats
    machines: bool = False  # machines may be opponents too
    bot_game: str = ""  # the last match against a built-in player: its game and level
    bot_level: str = ""
    bot_forms: tuple[str, ...] = ()  # a JSON text a game: the other choices for the last match against them
    room_forms: tuple[str, ...] = ()  # a JSON text a game: the choices for the last room or challenge, the latest last
    placements: tuple[str, ...] = ()  # "GAME=TEXT": how one placed one's pieces last, as the game's board keeps it
    sides: tuple[str, ...] = ()  # "GAME=SIDE": the side one likes to play; none: either
    terminals: tuple[str, ...] = ()  # "KIND=PALETTE,GLYPHS": what was chosen on a kind of terminal, the latest last
    told_until: str = ""  # RFC 3339: matches that ended up to then were told, and later ones of `seen_ends`
    seen_ends: tuple[str, ...] = ()
    lessons: tuple[str, ...] = ()  # "GAME/PART=N": the lesson that comes next, from 0; "GAME/PART": all were done
    follows: bool = False  # has followed somebody: only then is it asked whom
    challenged_by: str = "all"  # whose challenges are shown: all, followed
    indexed: bool = False  # search engines may list the profile's page
    brings: tuple[str, ...] = ()  # "GAME/SEAT=DECK": the deck one likes to bring to a seat


MOST_TERMINALS = 12
CHALLENGERS = ("all", "followed")


def look_on(kept: tuple[str, ...], kind: str) -> tuple[str, str] | None:
    """Return palette and glyphs that were chosen on a kind of terminal; None: it was never seen.

    >>> look_on(("xterm/light/narrow=light,unicode",), "xterm/light/narrow")
    ('light', 'unicode')
    """
    found = next((one.partition("=")[2] for one in kept if one.partition("=")[0] == kind), None)
    return None if found is None else (found.partition(",")[0], found.partition(",")[2])


def with_look(kept: tuple[str, ...], kind: str, palette: str, glyphs: str) -> tuple[str, ...]:
    """Keep what was chosen on a kind of terminal; of too many the oldest is forgotten."""
    others = [one for one in kept if one.partition("=")[0] != kind]
    return (*others[1 - MOST_TERMINALS :], f"{kind}={palette},{glyphs}")


def read_preferences(data: Mapping[str, Any]) -> Preferences:
    """Read stored settings; what is unknown or of the wrong type falls back to its default."""
    kept: dict[str, Any] = {}
    for field in fields(Preferences):
        value, default = data.get(field.name), field.default
        if isinstance(default, tuple):
            if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
                kept[field.name] = tuple(value)
        elif type(value) is type(default):
            kept[field.name] = value
    return Preferences(**kept)


def write_preferences(preferences: Preferences) -> dict[str, Any]:
    return asdict(preferences)
