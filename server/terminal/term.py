"""What the client says about its terminal, read as data, and the fixed table of sequences we ever send to one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from server.terminal.paint import readable

Colors = Literal[1, 16, 256, 16777216]
Ground = Literal["", "dark", "light", "unknown"]
MIN_SIZE = (1, 1)
MAX_SIZE = (300, 120)  # columns, rows: nobody reads more, and a frame costs memory
DEFAULT_SIZE = (80, 24)
TITLE_COLS = 60

TERM_NAME = re.compile(r"[a-z0-9][a-z0-9+._-]{0,39}")
MONOCHROME = re.compile(r"(vt\d+|dumb|unknown|wy\d+|tvi\d+|ansi-m|.*-m|.*-mono)([.-].*)?")
XTERM_LIKE = re.compile(
    r"(xterm|rxvt|screen|tmux|alacritty|kitty|foot|wezterm|konsole|gnome|vte|putty|mintty|st|contour|ghostty|iterm2?)"
    r"([.-].*)?"
)
BRIGHT_IS_BOLD = re.compile(r"(linux|ansi|cygwin|cons25|screen|tmux)([.-].*)?")
TRUE_COLOUR = re.compile(
    r"(.*-direct|xterm-(kitty|ghostty)|kitty|ghostty|alacritty|foot|wezterm|contour|iterm2?)([.+-].*)?"
)
MOVES_ROWS = re.compile(rf"{XTERM_LIKE.pattern}|(linux|vt\d{{3}})([.-].*)?")
CURSORLESS = re.compile(r"(dumb|emacs|network|dialup)([.-].*)?")
ASCII_ONLY = re.compile(r"(vt\d+|unknown|ansi|cons25|wy\d+)([.-].*)?")

# The only escape sequences of ours besides cursor positions and styles. Wrapping at the right edge is off while we
# draw, so the last column is an ordinary one; the title is kept on the terminal's own stack.
START = "\x1b[?1049h\x1b[0m\x1b[2J\x1b[?7l\x1b[?2004h"
STOP = "\x1b[?2004l\x1b[?7h\x1b[0m\x1b[2J\x1b[H\x1b[?1049l\x1b[?25h"
MOUSE_ON = "\x1b[?1000h\x1b[?1006h"
MOUSE_OFF = "\x1b[?1006l\x1b[?1000l"
TITLE_PUSH = "\x1b[22;2t"
TITLE_POP = "\x1b[23;2t"
BELL = "\x07"
# Asked once at the start: the ground's colour; then, after two characters of ambiguous width, where the cursor is.
# Every terminal answers the second question, so that its answer also says that the first one gets none. The second
# row: an answer from the first would look like F3 with a modifier.
PROBE_GROUND = "\x1b]11;?\x07"
PROBE_WIDTH = "\x1b[2;1H\r▲─\x1b[6n"
PROBE_ROW, NARROW_COL = 1, 2  # from 0, where the cursor stands after two narrow characters
GROUND_REPLY = re.compile(r"11;rgba?:([0-9a-f]{1,4})/([0-9a-f]{1,4})/([0-9a-f]{1,4})(/[0-9a-f]{1,4})?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ClientTerm:
    """A client's terminal as far as we believe it. Equal ones may share frames."""

    name: str = "xterm"
    colors: Colors = 16
    bright_is_bold: bool = False
    is_xterm_like: bool = True  # has a window title, a stack for it, and reports the mouse
    is_unicode: bool = True
    ground: Ground = ""  # of the terminal's own background; empty: whatever the palette assumes
    is_wide: bool = False  # characters of ambiguous width take two columns

    @property
    def kind(self) -> str:
        """Return what tells this kind of terminal from others, as far as looks go."""
        return f"{self.name}/{self.ground or 'unknown'}/{'wide' if self.is_wide else 'narrow'}"

    @property
    def moves_cursor(self) -> bool:
        """Tell whether screens can be shown at all: some terminals take no control sequence."""
        return CURSORLESS.fullmatch(self.name) is None

    @property
    def moves_rows(self) -> bool:
        """Tell whether it moves the rows of a region when it is asked to, as the VT100 did."""
        return MOVES_ROWS.fullmatch(self.name) is not None


def client_term(name: str | None, env: Mapping[str, str]) -> ClientTerm:
    """Read TERM and the environment a client sent (NO_COLOR, COLORTERM, LANG, LC_ALL, LC_CTYPE).

    >>> client_term("vt100", {}).colors, client_term("xterm-256color", {"NO_COLOR": "1"}).colors
    (1, 1)
    """
    term = (name or "").lower()
    if not TERM_NAME.fullmatch(term):
        term = "unknown"
    return ClientTerm(
        name=term,
        colors=_colors(term, env),
        bright_is_bold=BRIGHT_IS_BOLD.fullmatch(term) is not None and "256" not in term,
        is_xterm_like=XTERM_LIKE.fullmatch(term) is not None,
        is_unicode=_is_unicode(term, env),
        ground="dark" if term == "linux" else "unknown",
    )


def _colors(term: str, env: Mapping[str, str]) -> Colors:
    if env.get("NO_COLOR") or MONOCHROME.fullmatch(term):
        return 1
    if env.get("COLORTERM", "").lower() in ("truecolor", "24bit") or TRUE_COLOUR.fullmatch(term):
        return 16777216
    return 256 if "256color" in term or env.get("COLORTERM") else 16


def _is_unicode(term: str, env: Mapping[str, str]) -> bool:
    if ASCII_ONLY.fullmatch(term):
        return False
    said = env.get("LC_ALL") or env.get("LC_CTYPE") or env.get("LANG") or ""
    return not said or "utf" in said.lower()


def ground_of(reply: str) -> Ground:
    """Return whether a terminal's answer about its background names a dark or a light colour.

    >>> ground_of("11;rgb:ffff/ffff/ffff"), ground_of("11;rgb:1e/1e/2e"), ground_of("11;?")
    ('light', 'dark', 'unknown')
    """
    if (found := GROUND_REPLY.fullmatch(reply)) is None:
        return "unknown"
    red, green, blue = (int(part, 16) / (16 ** len(part) - 1) for part in found.groups()[:3])
    return "light" if 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 else "dark"


def clamp_size(cols: int, rows: int) -> tuple[int, int]:
    """Bring a window size from the outside into what we draw; 0 means the client does not know.

    >>> clamp_size(0, 0), clamp_size(4294967295, 5)
    ((80, 24), (300, 5))
    """
    cols, rows = cols or DEFAULT_SIZE[0], rows or DEFAULT_SIZE[1]
    return min(max(cols, MIN_SIZE[0]), MAX_SIZE[0]), min(max(rows, MIN_SIZE[1]), MAX_SIZE[1])


def title(text: str) -> str:
    """Return the sequence that sets a window title; control characters in the text are dropped."""
    return f"\x1b]2;{readable(text)[:TITLE_COLS]}{BELL}"
