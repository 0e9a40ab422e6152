"""Nothing is wired later by assignment: what an object needs comes when it is made, and it alone changes itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SERVER = Path(__file__).parents[1] / "server"
# Who may assign to an attribute of another object: the module, and the object as it says it.
ALLOWED = {
    # plain records of the module that fills them
    *(("admin/replay.py", "replayed"), ("chat/chat.py", "ring"), ("matches/fairqueue.py", "node")),
    *(("ratings/ratings.py", "begun"), ("terminal/drawqueue.py", "drawing")),
    # how far a start has come
    *(("app.py", "start"), ("supervisor.py", "start")),
    # counts over all objects of a class or listener
    *(("ssh/listener.py", "listener"), ("ssh/listener.py", "self._listener")),
    *(("terminal/screen.py", "ChannelScreen"), ("terminal/sheet.py", "LineCanvas")),
    # an object's own parts
    *(
        ("terminal/sharedscreen.py", "self._fanout"),
        ("terminal/rowterminal.py", "self._fanout"),
        ("terminal/screen.py", "self._keys"),
        ("terminal/screen.py", "self._painter"),
    ),
    *(("screens/exhibition.py", "self._log"), ("screens/lobby.py", "self.lists")),
    *(("screens/match.py", "self.drawing.log"), ("screens/watch.py", "self.seen")),
    ("web/feeds.py", "Xml.SubElement(parent, name)"),  # as the library has it
    # who shares which screen
    ("terminal/fanout.py", "member"),
    # the parts of one session, its terminal, and what its pages choose for the person
    *(("session/frames.py", "page"), ("session/display.py", "self.screen"), ("session/sharing.py", "self.screen")),
    ("screens/playnow.py", "self.session.person"),
    ("screens/complaints.py", "session.person"),
    # a seek is asked about while a page shows it
    ("screens/playersearch.py", "ticket"),
    # objects of the standard library and of asyncssh
    *(("log.py", "logging"), ("log.py", "record"), ("stopping.py", "timer"), ("ssh/listener.py", "options")),
}


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
    return sorted(SERVER.rglob("*.py"))


def owner(target: str) -> str:
    """Return the object that an attribute is of."""
    return target.rpartition(".")[0]


@pytest.mark.parametrize("module", modules(), ids=lambda module: str(module.relative_to(SERVER)))
def test_no_object_is_completed_from_outside(module: Path) -> None:
    """`context.settled = …`, `matches.context.room_holds = …`, `listener.refuses = …`: who read one saw half of it."""
    name = str(module.relative_to(SERVER))
    found = [
        f"{name}:{line} {text}" for line, text in assignments(module.read_text()) if (name, owner(text)) not in ALLOWED
    ]
    assert not found


def test_every_allowance_is_needed() -> None:
    used = {
        (str(module.relative_to(SERVER)), owner(text))
        for module in modules()
        for _, text in assignments(module.read_text())
    }
    assert used >= ALLOWED, ALLOWED - used


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
