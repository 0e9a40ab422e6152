"""The last lines of a chat, as they stand on a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from server.session.page import Written
from server.terminal.lines import Line, clip, joined, plain, text_of, wrapped
from server.terminal.look import Look


def chat_lines(
    lines: Sequence[Written], look: Look, cols: int, rows: int, named: Callable[[str], str] = str, back: int = 0
) -> list[Line]:
    """Write the last chat lines, oldest first, in at most `rows` lines; one too long for them is cut at its end.

    `named` returns a name with the mark of a machine. `back`: so many of the last ones are hidden, no more than leave
    `rows` lines.
    """
    told: list[Line] = []
    for line in reversed(lines[: len(lines) - back]):
        if len(told) >= rows:
            break
        seat = getattr(line, "seat", None)
        style = f"seat{look.hue(seat)}" if seat is not None else "name"
        name = named(line.name)
        texts = [text_of(one) for one in wrapped(f"{name}  {line.text}", cols, "", 2)]
        if not told and len(texts) > rows:  # otherwise its end would show, and not who said it
            texts = [*texts[: rows - 1], clip(joined([texts[rows - 1], *texts[rows:]]), cols)]
        text, *rest = texts
        told = [((style, text[: len(name)]), ("", text[len(name) :])), *map(plain, rest), *told]
    if back and len(told) < rows:
        return chat_lines(lines, look, cols, rows, named, back - 1)
    return told[-rows:] if rows > 0 else []
