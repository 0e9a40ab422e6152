"""What a session asks above the keys: a line to be typed, or a yes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from server.tui.field import Field
from server.tui.lines import Line, columns


@dataclass(frozen=True, slots=True)
class Typing:
    """A line being typed above the keys: chat, a filter, a code. `heard` is told of every change."""

    prompt: str
    field: Field
    accept: Callable[[str], None]
    heard: Callable[[str], None] | None = None
    stays: bool = False  # after a line was taken, the next may follow


@dataclass(frozen=True, slots=True)
class Question:
    """Something to be confirmed before it is done."""

    text: str
    yes: Callable[[], None]


def typed(typing: Typing, cols: int) -> tuple[Line, int]:
    """Return the line being typed, and the cursor's column in it."""
    prompt = f" {typing.prompt} "
    span, at = typing.field.shown(max(4, cols - columns(prompt) - 1))
    return (("key", prompt), span), columns(prompt) + at
