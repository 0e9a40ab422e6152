"""What a setting may be, in words: for the reference, and for whoever has set something else."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import UnionType
from typing import Any, Literal, get_args, get_origin

from pydantic.fields import FieldInfo

BOUNDS = {"ge": "at least {}", "gt": "above {}", "le": "at most {}", "max_length": "at most {} characters"}
KINDS: Mapping[type, str] = {int: "a whole number", float: "a number", Path: "a path", str: "a text"}


def allowed(field: FieldInfo) -> str:
    """Say what a setting may be: one of a few words, a number between bounds, a path, a text."""
    kind: Any = field.annotation
    may_be_nothing = field.default == ""
    if get_origin(kind) is UnionType:
        kind, may_be_nothing = get_args(kind)[0], True
    if get_origin(kind) is Literal:
        return ", ".join(map(str, get_args(kind)))
    held = ((said, getattr(one, name, None)) for one in field.metadata for name, said in BOUNDS.items())
    bounds = [said.format(bound) for said, bound in held if bound is not None]
    return ", ".join((KINDS[kind or str], *bounds, *(["or nothing"] if may_be_nothing else [])))
