"""The chat that a report has attached, as lines: when, who, what; whom it is about is set off."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from server.accounts.moderation import Report
from server.terminal.lines import Line, Span, pad, wrapped

WHEN_COLS, HOUR_COLS = 11, 5
WIDE = 60  # columns: on fewer the hour stands without the day


def said_in(report: Report) -> Iterator[tuple[str, str, str]]:
    """Yield the lines of the chat: when, who, what."""
    for line in report.lines:
        when = str(line.get("at", ""))[5:16].replace("T", " ")
        yield when, str(line.get("name", "")), str(line.get("text", ""))


def chat_of(report: Report, about: Collection[str | None], cols: int) -> list[Line]:
    """Write the chat. `about`: the names of whom the report is about."""
    lines: list[Line] = []
    when_cols = WHEN_COLS if cols >= WIDE else HOUR_COLS
    indent = when_cols + 3
    for when, name, said in said_in(report):
        style = "warn" if name in about else "name"
        first, *rest = wrapped(f"{name}  {said}", max(10, cols - indent - 1), "", 2)
        text = first[0][1]
        spans: tuple[Span, ...] = (("dim", f" {pad(when[-when_cols:], when_cols)}  "), (style, text[: len(name)]))
        lines += [(*spans, ("", text[len(name) :])), *((("", " " * indent), *more) for more in rest)]
    return lines
