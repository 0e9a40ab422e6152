"""The chat that a report has attached, as lines: when, who, what; whom it is about is set off."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from server.accounts.moderation import Report
from server.terminal.lines import Line, Span, pad, wrapped

WHEN_COLS = 11
INDENT = WHEN_COLS + 3


def said_in(report: Report) -> Iterator[tuple[str, str, str]]:
    """Yield the lines of the chat: when, who, what."""
    for line in report.lines:
        when = str(line.get("at", ""))[5:16].replace("T", " ")
        yield when, str(line.get("name", "")), str(line.get("text", ""))


def chat_of(report: Report, about: Collection[str | None], cols: int) -> list[Line]:
    """Write the chat. `about`: the names of whom the report is about."""
    lines: list[Line] = []
    for when, name, said in said_in(report):
        style = "warn" if name in about else "name"
        first, *rest = wrapped(f"{name}  {said}", max(10, cols - INDENT - 1), "", 2)
        text = first[0][1]
        spans: tuple[Span, ...] = (("dim", f" {pad(when, WHEN_COLS)}  "), (style, text[: len(name)]))
        lines += [(*spans, ("", text[len(name) :])), *((("", " " * INDENT), *more) for more in rest)]
    return lines
