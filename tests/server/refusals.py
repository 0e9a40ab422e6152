"""Every message key that the code may refuse with, read from the source."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOTS = frozenset(("Refused", "GameError"))
ERROR = re.compile(r"[a-z]+\.error\.[a-z]+(-[a-z]+)*")  # a key that says of itself what it is, wherever it is written


def trees(*folders: str) -> Iterator[tuple[Path, ast.Module]]:
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield path, ast.parse(path.read_text())


def name_of(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def kinds(modules: list[ast.Module]) -> dict[str, ast.ClassDef]:
    """Return every class that is a refusal, by name."""
    classes = [node for tree in modules for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    found: dict[str, ast.ClassDef] = {}
    names = set(ROOTS)
    while more := {one.name: one for one in classes if names & {name_of(base) for base in one.bases}}.keys() - names:
        names |= more
    for one in classes:
        if one.name in names:
            found[one.name] = one
    return found


def texts(node: ast.expr) -> Iterator[str]:
    """Yield what an expression may be, as far as it is written out."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=one, orelse=other):
            yield from texts(one)
            yield from texts(other)


def takes_key(kind: ast.ClassDef, classes: dict[str, ast.ClassDef]) -> bool:
    """Tell whether the first argument of a refusal's class is its key."""
    for node in kind.body:
        if isinstance(node, ast.FunctionDef) and node.name == "__init__":
            return len(node.args.args) > 1 and node.args.args[1].arg == "key"
    return any(takes_key(classes[name_of(base)], classes) for base in kind.bases if name_of(base) in classes)


def raised(*folders: str) -> dict[str, str]:
    """Return every key that is written where a refusal is made, or that names an error, and where that is."""
    found = list(trees(*folders))
    classes = kinds([tree for _, tree in found])
    keys: dict[str, str] = {}
    for path, tree in found:
        for node in ast.walk(tree):
            made = classes.get(name_of(node.func)) if isinstance(node, ast.Call) and node.args else None
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and ERROR.fullmatch(node.value):
                keys[node.value] = f"{path.name}:{node.lineno}"
            if made is not None and isinstance(node, ast.Call) and takes_key(made, classes):
                keys.update(dict.fromkeys(texts(node.args[0]), f"{path.name}:{node.lineno}"))
    for kind in classes.values():
        for node in ast.walk(kind):
            if isinstance(node, ast.Call) and name_of(node.func) == "__init__":
                for given in node.args:
                    keys.update(dict.fromkeys(texts(given), kind.name))
            if isinstance(node, ast.Assign) and name_of(node.targets[0]) == "says":
                keys.update(dict.fromkeys(texts(node.value), kind.name))
        for function in (node for node in kind.body if isinstance(node, ast.FunctionDef)):
            for argument, default in zip(reversed(function.args.args), reversed(function.args.defaults), strict=False):
                if argument.arg == "key":
                    keys.update(dict.fromkeys(texts(default), kind.name))
    return keys
