"""Nothing is wired later by assignment: what an object needs comes when it is made, and it alone changes itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SERVER = Path(__file__).parents[1] / "server"
WALKED = (
    *("app.py", "matches", "lobby", "presence", "ssh/bot", "ssh/commands", "ssh/call.py", "ssh/gate.py"),
    *("ssh/order_handlers.py", "ssh/session.py", "ssh/streams.py"),
)
# Nodes of a queue are plain records of the module that links them; a start says which step it is at.
OWN_RECORDS = {("matches/fairqueue.py", "node"), ("app.py", "start")}


def assignments(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of every assignment to another object's attribute."""
    for node in ast.walk(ast.parse(source)):
        for target in targets(node):
            if isinstance(target, ast.Attribute) and not (
                isinstance(target.value, ast.Name) and target.value.id in ("self", "cls")
            ):
                yield target.lineno, ast.unparse(target)


def targets(node: ast.AST) -> Iterator[ast.expr]:
    found: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        found = list(node.targets)
    elif isinstance(node, ast.AugAssign | ast.AnnAssign):
        found = [node.target]
    while found:
        target = found.pop()
        if isinstance(target, ast.Tuple | ast.List):
            found += target.elts
        else:
            yield target


def modules() -> list[Path]:
    walked = (SERVER / name for name in WALKED)
    return sorted(file for path in walked for file in ([path] if path.is_file() else path.rglob("*.py")))


@pytest.mark.parametrize("module", modules(), ids=lambda module: str(module.relative_to(SERVER)))
def test_no_object_is_completed_from_outside(module: Path) -> None:
    """`context.settled = …`, `matches.context.room_holds = …`, `listener.refuses = …`: who read one saw half of it."""
    name = str(module.relative_to(SERVER))
    found = [
        f"{name}:{line} {text}"
        for line, text in assignments(module.read_text())
        if (name, text.split(".")[0]) not in OWN_RECORDS
    ]
    assert not found


@pytest.mark.parametrize(
    "planted",
    [
        "context.settled = heartbeat.settled",
        "matches.context.room_holds = self._room_holds",
        "self.context.settled = 1",
        "a, listener.count = 1, 2",
        "ticket.n += 1",
    ],
)
def test_an_assignment_from_outside_is_found(planted: str) -> None:
    assert list(assignments(planted))


@pytest.mark.parametrize("own", ["self.settled = 1", "settled = context.settled", "self.a, self.b = 1, 2"])
def test_what_an_object_does_to_itself_is_not_found(own: str) -> None:
    assert not list(assignments(own))
