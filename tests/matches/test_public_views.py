"""Nobody takes the public view of a match past the rule that says who may look (server/matches/visibility.py)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

SERVER = Path(__file__).parents[2] / "server"
MAY = {
    "matches/visibility.py:sight": "the rule itself",
    "matches/match.py:Match.sight": "asks the rule",
    "matches/showing.py:Showing.effective_viewer": "who left a seat, where no hands are open",
    "matches/exhibition.py:Exhibition._refresh": "a match of bots only, open to all",
    "matches/exhibition.py:Exhibition.events": "the same",
    "lobby/room.py:Room._record_end": "the result alone, of what is over",
    "lobby/room.py:Room.follow_match": "hears that it has changed; looks at nothing",
    "lobby/room.py:Room.subscribe": "a room's listeners, no match",
    "lobby/lobby.py:Lobby.subscribe": "the lobby's listeners, no match",
    "ssh/commands/match.py:viewer_named": "compares a word",
    "ssh/commands/match.py:replay": "asks `sight`",
    "web/site.py:Site._match": "asks `sight`",
    "boards/outcome.py:_reader": "says whose end it is",
    "boards/wire.py:viewer_json": "a word",
    "boards/games/netrunner/scene.py:told_hands": "draws a view that was given",
    "screens/preview.py:Preview.want": "a listed match that all may watch, which another lobby opened by `sight`",
    "screens/replay.py:ReplayPage._viewers": "of what is over",
    "screens/seating.py:viewer_of": "asks `sight`",
}


def taken(tree: ast.AST, within: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the function, as `Class.name`, of every way to the public view: the viewer, by name or by value."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from taken(node, (*within, node.name))
            continue
        match node:
            case ast.Attribute(value=whose, attr="PUBLIC") if _is_watcher(whose):
                yield ".".join(within)
            case ast.Call(func=whose) | ast.Subscript(value=whose) if _is_watcher(whose):
                yield ".".join(within)
            case ast.alias(name="Watcher", asname=str()):
                yield ".".join(within)
        yield from taken(node, within)


def _is_watcher(node: ast.expr) -> bool:
    return (isinstance(node, ast.Name) and node.id == "Watcher") or (
        isinstance(node, ast.Attribute) and node.attr == "Watcher"
    )


def found_in(source: str) -> set[str]:
    return set(taken(ast.parse(source)))


def test_the_public_view_is_taken_in_these_places_only() -> None:
    """Each screen and command took it for itself: a closed match and open hands were kept by none but the lobby."""
    found = {
        f"{file.relative_to(SERVER).as_posix()}:{where}"
        for file in sorted(SERVER.rglob("*.py"))
        for where in found_in(file.read_text(encoding="utf-8"))
    }
    assert found - MAY.keys() == set(), "ask `Match.sight`, or name the place and why it need not"
    assert MAY.keys() - found == set(), "these are gone: take them from the list"


def test_every_way_to_name_the_public_view_is_noticed() -> None:
    by_name, by_value = ("Watcher.PUBLIC", "contract.Watcher.PUBLIC"), ("Watcher('public')", "Watcher['PUBLIC']")
    assert found_in("from game.contract import Watcher as Eyes") == {""}
    for taking in (*by_name, *by_value):
        assert found_in(f"class Page:\n    def draw(self, match, eyes={taking}): ...") == {"Page.draw"}
        assert found_in(f"async def show(match):\n    async def more():\n        return match.at(1, {taking})") == {
            "show.more"
        }
        assert found_in(f"EYES = {taking}") == {""}


OPENS = {
    "lobby/room.py": "a room follows its own match, to learn that it is over",
    "lobby/lobby.py": "tells its people of a match that began elsewhere",
    "matches/bans.py": "the matches of who was banned",
    "ssh/bot/session.py": "a program's own matches: the lobby told it of them",
}


def test_a_match_is_opened_by_its_id_for_somebody_in_every_other_place() -> None:
    """`Matches.find` asks who may know of it; `open` does not, and answered strangers too."""
    found = {
        file.relative_to(SERVER).as_posix()
        for file in sorted(SERVER.rglob("*.py"))
        if re.search(r"matches\.open\(", file.read_text(encoding="utf-8"))
    }
    assert found == OPENS.keys(), "ask `Matches.find`, or name the place and why it need not"
