"""Parts of phrases: amounts, bonuses, filters, costs."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields
from functools import reduce

from game.netrunner import conditions as c
from game.netrunner import vocabulary as v
from game.netrunner.filters import Filter
from game.netrunner.measures import Amount, X
from game.netrunner.text.phrase import Param, Phrase, counted, phrase


def kebab(one: object) -> str:
    """Return the name of a value's type as a part of a key.

    >>> kebab(v.EndRun())
    'end-run'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "-", type(one).__name__).lower()


def slug(one: c.When | Filter | str) -> str:
    """Return a condition, a filter, or what a static ability is about, as a part of a key.

    >>> slug(c.All((c.Server("hq"), c.FirstTime("success:hq"))))
    'server-hq.first-time-success-hq'
    """
    if isinstance(one, c.All):
        return ".".join(slug(part) for part in one.parts)
    if isinstance(one, c.Condition):
        values = [str(getattr(one, field.name)) for field in fields(one)]
        return re.sub("[ :_]", "-", "-".join([kebab(one), *values]))
    words = one if isinstance(one, str) else one.text
    return words.replace(" ", ".").replace("_", "-")


def measured(n: Amount, make: Callable[[int | str], Phrase]) -> Phrase:
    """Return a phrase with an amount; a measure becomes 'for each …' or X."""
    if isinstance(n, int):
        return make(n)
    if isinstance(n, X):
        return make("X")
    return phrase(f"each.{kebab(n)}", text=make(n.times))


def signed(name: str, n: Amount, **params: Param) -> Phrase:
    """Return a phrase with a bonus `count` ('+2', '-1', '+X') that is also there without its sign as `size`."""

    def make(count: int | str) -> Phrase:
        shown = f"{count:+}" if isinstance(count, int) else f"+{count}"
        return phrase(name, count=shown, size=count, **params)

    return measured(n, make)


def up_to(name: str, most: int, **params: Param) -> Phrase:
    """Return a phrase with 'up to N' for its number."""
    return phrase(name, count=phrase("up-to", most=most), n=most, **params)


def noun(what: Filter, count: int | str, *, at_most: bool = False) -> Phrase:
    """Return what a filter finds: '2 installed programs'."""
    name = f"what.{slug(what)}"
    return up_to(name, count) if at_most and isinstance(count, int) else counted(name, count)


def cost(paid: v.Cost) -> Phrase:
    """Return the parts of a cost, with commas; the empty cost is '0 credits'."""
    parts = [counted("cost.clicks", paid.clicks)] if paid.clicks else []
    parts += [phrase("cost.x")] if paid.x else []
    credits = counted("cost.credits", paid.credits) if paid.credits else None
    if credits is not None and paid.per is not None:
        credits = phrase(f"each.{kebab(paid.per)}", text=counted("cost.credits", paid.credits * paid.per.times))
    parts += [credits] if credits else []
    if paid.counter:
        parts += [counted("cost.counter", paid.counters, kind=phrase(f"counter.{paid.counter}"))]
    parts += [phrase("cost.trash", what=noun(paid.trash, 1))] if paid.trash else []
    parts += [phrase("cost.forfeit")] if paid.forfeit else []
    parts += [counted("cost.net", paid.net)] if paid.net else []
    parts += [counted("cost.tags", paid.tags)] if paid.tags else []
    parts += [counted("cost.shuffle", paid.shuffle)] if paid.shuffle else []
    parts += [phrase("cost.trash-self")] if paid.trash_self else []
    return reduce(
        lambda first, second: phrase("comma", first=first, second=second), parts or [counted("cost.credits", 0)]
    )
