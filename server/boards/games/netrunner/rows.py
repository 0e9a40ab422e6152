"""A decision as rows to choose from: the actions that begin alike are one row, completed in further lists."""

from __future__ import annotations

from dataclasses import dataclass

from game.choices import tokens
from game.contract import Choice, Number, OneOf, Subset

PASSING = ("pass", "continue", "leave")  # what lets things go on
FIRST = ("credit", "draw", "run", "keep")  # stand first, so that their digits stay the same
GROUPED = ("advance", "run", "trash-resource")  # one row, whose second list says which


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """A line to choose from: what it adds to the way there, and the actions it leads to.

    Without actions it is a card that can't be used now, or, with an empty part too, a digit that is free.
    """

    part: str
    texts: tuple[str, ...]

    @property
    def is_whole(self) -> bool:
        """Tell whether choosing it is an action, not another list."""
        return len(self.texts) == 1

    @property
    def is_let(self) -> bool:
        """Tell whether it lets things go on: space takes it, no digit does."""
        return self.part in PASSING


ICE = "ice:"  # begins what is on the way to a server: it stands behind what is in one
TRASHING = " trash"  # ends a part whose list is ticked: what is trashed before an install
FREE_DIGIT = ChoiceRow("", ())


def parts(text: str) -> tuple[str, ...]:
    """Return an action in the parts it is chosen by.

    >>> parts('install "Ice Wall" hq')
    ('install "Ice Wall"', 'hq')
    >>> parts('install "Ice Wall" hq trash ice:hq:0')
    ('install "Ice Wall"', 'hq trash', 'trash ice:hq:0')
    """
    verb, *rest = tokens(text)
    match verb:
        case "install" if len(rest) > 1 and rest[1] == "trash":
            return (f"install {rest[0]}{TRASHING}", " ".join(rest[1:]))
        case "install" if len(rest) > 2:
            return (f"install {rest[0]}", f"{rest[1]}{TRASHING}", " ".join(rest[2:]))
        case "install" if len(rest) > 1:
            return (f"install {rest[0]}", rest[1])
        case "order":
            return ("order", *rest)
        case _ if verb in GROUPED and rest:
            return (verb, *rest)
    return (text,)


def rank(part: str) -> int:
    """Return where a row stands: the basic actions first, what lets things go on last."""
    if part in FIRST:
        return FIRST.index(part)
    return 99 if part in PASSING or part == "no" else 50


def rows_of(choice: Choice, path: tuple[str, ...] = ()) -> tuple[ChoiceRow, ...]:
    """Return the rows of a decision, or of one of its further lists: `path` is what was chosen before."""
    match choice:
        case OneOf(actions):
            return _grouped(tuple(action.text for action in actions), path)
        case Subset(_, items, _, _):
            return tuple(ChoiceRow(item, (item,)) for item in items)
        case Number():
            return ()


def _grouped(texts: tuple[str, ...], path: tuple[str, ...]) -> tuple[ChoiceRow, ...]:
    found: dict[str, list[str]] = {}
    for text in texts:
        split = parts(text)
        if split[: len(path)] == path:
            found.setdefault(split[len(path)] if len(split) > len(path) else "", []).append(text)
    rows = [ChoiceRow(part, tuple(some)) for part, some in found.items()]
    if len(rows) == 1 and not rows[0].is_whole:  # nothing to choose here: the next list at once
        return _grouped(texts, (*path, rows[0].part))
    by = (lambda row: rank(row.part)) if not path else (lambda row: row.part.startswith(ICE))
    return tuple(sorted(rows, key=by))


def letting(choice: Choice) -> str | None:
    """Return the action that lets things go on: pass, continue, leave, or the only one there is."""
    if not isinstance(choice, OneOf):
        return None
    texts = [action.text for action in choice.actions]
    if len(texts) == 1:
        return texts[0]
    return next((text for text in PASSING if text in texts), None)


def trashable(choice: Choice, path: tuple[str, ...]) -> tuple[ChoiceRow, ...]:
    """Return a row for each card that may be trashed before an install, with the actions in which it is."""
    found: dict[str, list[str]] = {}
    for row in rows_of(choice, path):
        for ref in tokens(row.part)[1:]:
            found.setdefault(ref, []).extend(row.texts)
    return tuple(ChoiceRow(ref, tuple(texts)) for ref, texts in found.items())


def trashing(choice: Choice, path: tuple[str, ...], refs: frozenset[str]) -> str | None:
    """Return the action that trashes just these cards; None: it is not allowed."""
    sets = (row for row in rows_of(choice, path) if frozenset(tokens(row.part)[1:]) == refs)
    return next((row.texts[0] for row in sets), None)
