"""Lines of styled text, measured in terminal columns: fitting, padding, wrapping and putting side by side."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import zip_longest

from wcwidth import wcwidth

from server import sanitize

Span = tuple[str, str]  # (style, text)
Line = tuple[Span, ...]
ELLIPSIS = "…"
FULL_WIDTH = frozenset("，。、；：？！）】》〉」』（【《〈「『")  # punctuation with its own space
NO_LINE_START = frozenset("，。、；：？！）】》〉」』’”…—·％,.;:?!)]}%")  # what stays with the word before it
ORPHAN = re.compile(r"[\u3400-\u9fff][，。、；：？！）】》〉」』’”…—]* *")  # one wide character, with its punctuation
NO_LINE_END = frozenset("（【《〈「『‘“([{")  # what stays with the word after it


columns = lru_cache(maxsize=16384)(sanitize.columns)


@lru_cache(maxsize=4096)
def clip(text: str, cols: int, mark: str = ELLIPSIS) -> str:
    """Shorten a text to at most `cols` columns; what was cut shows as `mark`.

    >>> clip("Virus Check", 6)
    'Virus…'
    """
    return sanitize.cut(text, cols, mark)


def clip_words(text: str, cols: int) -> str:
    """Return a text that is too long without its last words, and a sign that some are missing; '' without room.

    >>> clip_words("vetoes a card of another player", 18)
    'vetoes a card of…'
    """
    if columns(text) <= cols:
        return text
    kept = wrap(text, cols - 1)[0].rstrip() if cols > 1 else ""
    return kept + ELLIPSIS if kept and columns(kept) < cols else ""


def pad(text: str, cols: int) -> str:
    """Clip or fill with spaces on the right, to exactly `cols` columns."""
    text = clip(text, cols)
    return text + " " * (cols - columns(text))


def pad_left(text: str, cols: int) -> str:
    """Clip or fill with spaces on the left, to exactly `cols` columns."""
    text = clip(text, cols)
    return " " * (cols - columns(text)) + text


def centre(text: str, cols: int) -> str:
    """Clip or fill with spaces on both sides, to exactly `cols` columns."""
    text = clip(text, cols)
    left = (cols - columns(text)) // 2
    return pad(" " * left + text, cols)


def width_cols(line: Line) -> int:
    """Return how many columns a line takes."""
    return sum([columns(text) for _, text in line])


def blank_at_end(lines: Sequence[Line]) -> int:
    """Return how many of the last lines are blank.

    >>> blank_at_end([plain("a"), (), plain("b"), plain(" "), ()])
    2
    """
    return next((n for n, line in enumerate(reversed(lines)) if text_of(line).strip()), len(lines))


def fit(line: Line, cols: int) -> Line:
    """Clip or fill a line to exactly `cols` columns. One that has that width already stays the very same."""
    return line if width_cols(line) == cols else _fit(line, cols)


def _fit(line: Line, cols: int) -> Line:
    """Clip or fill a line; neighbours of one style are joined."""
    out: list[Span] = []
    left = cols
    for style, text in line:
        if not text:
            continue
        if (needed := columns(text)) > left:
            text = sanitize.cut(text, left, ELLIPSIS)
            needed = columns(text)
            left, rest = left - needed, 0
        else:
            left = rest = left - needed
        if out and out[-1][0] == style:
            out[-1] = (style, out[-1][1] + text)
        else:
            out.append((style, text))
        if rest <= 0:
            break
    if left > 0:
        if out and out[-1][0] == "":
            out[-1] = ("", out[-1][1] + " " * left)
        else:
            out.append(("", " " * left))
    return tuple(out)


def before(line: Line, cols: int) -> Line:
    """Return the first columns of a line as they are; half of a wide character is a space.

    >>> before((("a", "ab"), ("b", "cd")), 3)
    (('a', 'ab'), ('b', 'c'))
    """
    out: list[Span] = []
    for style, text in line:
        if cols <= 0:
            break
        kept = text if columns(text) <= cols else pad(sanitize.cut(text, cols, ""), cols)
        out.append((style, kept))
        cols -= columns(kept)
    return fit(tuple(out), width_cols(tuple(out)) + max(0, cols))


def after(line: Line, cols: int) -> Line:
    """Return what a line has behind its first columns; half of a wide character is a space.

    >>> after((("a", "ab"), ("b", "cd")), 3)
    (('b', 'd'),)
    """
    out: list[Span] = []
    for style, text in line:
        width = columns(text)
        if width > cols:
            kept = text[len(sanitize.cut(text, cols, "")) :]
            missing = cols - (width - columns(kept))
            out.append((style, " " * (2 - missing) + kept[1:] if missing else kept))
        cols = max(0, cols - width)
    return tuple(out)


def plain(text: str, style: str = "") -> Line:
    """Make a line of one span."""
    return ((style, text),)


def blank(cols: int) -> Line:
    """Make a line of spaces."""
    return plain(" " * cols)


def text_of(line: Line) -> str:
    """Return a line's text without its styles."""
    return "".join(text for _, text in line)


def ends(left: Iterable[Span], right: Iterable[Span], cols: int) -> Line:
    """Set one part at the left edge and one at the right; the left part gives way when both don't fit.

    A column stays free between them, where the right part leaves any.
    """
    left_line, right_line = tuple(left), fit_shorter(tuple(right), cols)
    room = cols - width_cols(right_line)
    touches = width_cols(left_line) > room - 1 > 0 and not text_of(right_line).startswith(" ")
    gap: Line = (("", " "),) if touches and right_line else ()
    return fit((*fit(left_line, room - len(gap)), *gap, *right_line), cols)


def fit_shorter(line: Line, cols: int) -> Line:
    """Clip a line to at most `cols` columns without filling it."""
    return line if width_cols(line) <= cols else fit(line, cols)


def block(lines: Sequence[Line], cols: int, rows: int) -> list[Line]:
    """Cut or fill to exactly `rows` lines of `cols` columns."""
    return filled([fit(line, cols) for line in lines[:rows]], cols, rows)


def filled(lines: Sequence[Line], cols: int, rows: int) -> list[Line]:
    """Cut or fill to exactly `rows` lines, where each has `cols` columns already."""
    return [*lines[:rows], *[blank(cols)] * (rows - len(lines))]


def at_end(lines: Sequence[Line], last: Sequence[Line], cols: int, rows: int) -> list[Line]:
    """Put `last` at the end of `rows` lines, a blank one before it; nothing of it where there is no room for all."""
    room = rows - len(last)
    return [*block(lines, cols, room), *last] if last and len(lines) < room else list(lines)


def beside(left: Sequence[Line], right: Sequence[Line], left_cols: int, right_cols: int) -> list[Line]:
    """Put two blocks side by side; the shorter one is filled with blank lines."""
    pairs = zip_longest(left, right, fillvalue=())
    return [(*fit(a, left_cols), *fit(b, right_cols)) for a, b in pairs]


def restyled(lines: Iterable[Line], styles: Mapping[str, str]) -> list[Line]:
    """Return lines in which some styles are others. A line that has none of them stays the very same."""
    return [_restyled(line, styles) for line in lines]


def _restyled(line: Line, styles: Mapping[str, str]) -> Line:
    for style, _ in line:
        if style in styles:
            return tuple([(styles.get(style, style), text) for style, text in line])
    return line


def joined(texts: Iterable[str]) -> str:
    """Join sentences, or the lines of a paragraph: with a space, but none between Chinese or beside its punctuation.

    >>> joined(["你赢了。", "再来一局？"]), joined(["等待", "mira"]), joined(["You won.", "", "Again?"])
    ('你赢了。再来一局？', '等待 mira', 'You won. Again?')
    """
    out = ""
    for text in (text.strip() for text in texts):
        if not text or not out:
            out += text
            continue
        is_tight = FULL_WIDTH & {out[-1], text[0]} or (wcwidth(out[-1]) == 2 and wcwidth(text[0]) == 2)
        out += text if is_tight else f" {text}"
    return out


def leading(text: str) -> str:
    """Return what something follows on its line, with a space behind it unless its punctuation has its own.

    >>> leading("invite code:"), leading("邀请码：")
    ('invite code: ', '邀请码：')
    """
    return text if text[-1:] in FULL_WIDTH else f"{text} "


def _pieces(text: str) -> Iterable[str]:
    """Split where a line may break: after a space, and around wide characters (CJK needs no spaces)."""
    piece = ""
    for char in text:
        is_seam = piece and (wcwidth(char) == 2 or wcwidth(piece[-1]) == 2)
        if is_seam and char not in NO_LINE_START and char != " " and piece[-1] not in NO_LINE_END:
            yield piece
            piece = ""
        piece += char
        if char == " ":
            yield piece
            piece = ""
    if piece:
        yield piece


def wrap(text: str, cols: int, less: int = 0) -> list[str]:
    """Break a text into lines of at most `cols` columns, the second and later ones of `less` fewer.

    A line ends at a space, or between wide characters; punctuation stays with the word it belongs to. The last line
    holds more than one wide character where the line before it can spare one.

    >>> wrap("a stranger knows what to press", 12)
    ['a stranger', 'knows what', 'to press']
    >>> wrap("四张病毒即输。", 10), wrap("四张病毒即输。", 12)
    (['四张病毒', '即输。'], ['四张病毒', '即输。'])
    """
    if columns(text) <= cols:
        return [text.rstrip()]
    lines: list[str] = []
    current, cols = "", max(cols, 2)  # a wide character must fit, or there would be no end
    for piece in _pieces(text):
        if columns(current + piece.rstrip()) <= cols:
            current += piece
            continue
        if columns(piece.rstrip()) > cols and columns(current) < cols:  # a word too long for any line fills this one
            head = clip(piece, cols - columns(current), "")
            current, piece = current + head, piece[len(head) :]
        if current:
            lines.append(current.rstrip())
            cols, less = max(cols - less, 2), 0
        while columns(piece.rstrip()) > cols:
            head = clip(piece, cols, "")
            lines.append(head)
            cols, less = max(cols - less, 2), 0
            piece = piece[len(head) :]
        current = piece
    if lines and ORPHAN.fullmatch(current) and len(pieces := [*_pieces(lines[-1])]) > 1:
        *kept, last = pieces
        if wcwidth(last[0]) == 2 and text.endswith(last + current) and columns(last + current) <= cols:
            lines[-1], current = "".join(kept).rstrip(), last + current
    return [*lines, current.rstrip()] if current.strip() or not lines else lines


def wrapped(text: str, cols: int, style: str = "", indent: int = 0) -> list[Line]:
    """Wrap a text into lines of one style; all lines but the first are indented."""
    first, *rest = wrap(text, cols - indent) or [""]
    return [plain(first, style), *(plain(" " * indent + line, style) for line in rest)]


def inset(lines: Iterable[Line], by: int = 1) -> list[Line]:
    """Return lines with some blank columns before them."""
    return [(("", " " * by), *line) for line in lines]


def shortened(lines: Sequence[Line], rows: int, cols: int) -> list[Line]:
    """Return at most so many lines; where some are left out, the last one says so."""
    if len(lines) <= rows:
        return list(lines)
    style = lines[rows - 1][0][0] if lines[rows - 1] else ""
    return [*lines[: rows - 1], plain(clip(text_of(lines[rows - 1]) + f" {ELLIPSIS}", cols), style)]


def indented(text: str, cols: int, style: str = "") -> list[Line]:
    """Wrap a text into the lines of a page, two columns in and never too long to be read."""
    return inset(wrapped(text, min(cols - 4, 76), style), 2)


def packed(parts: Iterable[str], cols: int, style: str = "", indent: int = 0) -> list[Line]:
    """Set parts two spaces apart in indented lines; one is broken only where it is too long for a line of its own.

    >>> [text_of(line) for line in packed(("links 0/4", "viruses 0/4", "hidden 2"), 22, "", 1)]
    [' links 0/4', ' viruses 0/4  hidden 2']
    """
    room, lines = cols - indent, list[str]()
    for part in parts:
        if lines and columns(f"{lines[-1]}  {part}") <= room:
            lines[-1] += f"  {part}"
        else:
            lines += wrap(part, room)
    return [plain(" " * indent + line, style) for line in lines]


def packed_lines(parts: Iterable[Line], cols: int, indent: int = 0) -> list[Line]:
    """Set lines two spaces apart in indented ones, as `packed` does; one that is too long is broken between spans."""
    lines: list[Line] = []
    for part in parts:
        if lines and width_cols(lines[-1]) + 2 + width_cols(part) <= cols:
            lines[-1] = (*lines[-1], ("", "  "), *part)
            continue
        lines.append((("", " " * indent),))
        for i, span in enumerate(part):
            if len(lines[-1]) > 1 and width_cols((*lines[-1], *part[i : i + 1 + (not span[1].strip())])) > cols:
                lines.append((("", " " * indent),))
            if len(lines[-1]) > 1 or span[1].strip():
                lines[-1] = (*lines[-1], span)
    return lines


GAP_COLS = 2


def side_by_side(left: Sequence[Line], right: Sequence[Line], left_cols: int, cols: int, rows: int) -> list[Line]:
    """Put a board and what stands beside it next to each other: exactly `rows` lines of `cols` columns."""
    return gapped(block(left, left_cols, rows), block(right, cols - left_cols - GAP_COLS, rows))


def gapped(left: Iterable[Line], right: Iterable[Line], end_cols: int = 0) -> list[Line]:
    """Put lines that are filled already side by side, a gap between them and `end_cols` blank columns behind them."""
    gap, end = ("", " " * GAP_COLS), blank(end_cols) if end_cols else ()
    return [(*a, gap, *b, *end) for a, b in zip(left, right, strict=True)]
